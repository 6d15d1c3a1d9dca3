// SPDX-License-Identifier: GPL-2.0-or-later
#include "eoe/tx.hpp"

#include "eoe/eoe_regs.hpp"
#include "packet/bytes.hpp"

#include <algorithm>

namespace eoe {

using namespace engine;

namespace {

/// The id counts in its low 14 bits, the others stay (PG451; MODEL for b14).
constexpr std::uint16_t kIdCounts = 0x3FFF;

std::uint16_t incremented_id(std::uint16_t id, std::uint16_t by) {
    return static_cast<std::uint16_t>((id & ~kIdCounts) | ((id + by) & kIdCounts));
}

} // namespace

EoeTx::EoeTx(const Config &config, Host &host, std::span<std::uint8_t> buffer)
    : built_(config.eoe), built_gso_(config.eoe_tx_gso), host_(host), buffer_(buffer) {}

void EoeTx::reset() {
    job_.kind = Kind::none;
    errors_ = 0;
}

EoeTx::Control EoeTx::decode(const AppWords &app) {
    Control c;
    c.header = app[0] >> tx::app0_header_shift;
    c.total = (app[0] & tx::app0_total_low) | (app[1] & tx::app1_total_high) << 24;
    c.mss = app[1] >> tx::app1_mss_shift & tx::app1_mss_mask;
    c.segment_udp = (app[1] & (tx::app1_no_udp_segmentation | tx::app1_not_gso)) == 0;
    c.checksum = (app[1] & tx::app1_no_checksum) == 0;
    c.increment_id = (app[1] & tx::app1_increment_id) != 0;
    return c;
}

void EoeTx::drop(const char *why, std::size_t bytes, const Control &control) {
    ++errors_;
    host_.trace(XEOE_EV_tx_dropped, why, bytes);
    host_.guest_errorf("eoe: packet of %zu bytes dropped: %s (header %zu, total %zu, MSS %zu)",
                       bytes, why, control.header, control.total, control.mss);
}

void EoeTx::accept(std::size_t bytes, const AppWords &app) {
    job_.kind = Kind::none;
    const auto packet = buffer_.first(bytes);
    if (!built_) {
        job_.kind = Kind::whole;
        job_.bytes = bytes;
        return;
    }
    // A checksum-only build has no use for the control stream (PG451).
    Control control = decode(app);
    if (!built_gso_) {
        control = Control{};
        control.checksum = true;
    }
    if (control.total != 0 && control.total + kEthHeader != bytes) {
        drop("its length disagrees with the control words", bytes, control);
        return;
    }
    if (control.segment_udp && control.total != 0 && control.total >= control.mss) {
        const auto headers = parse_headers(packet);
        if (headers && headers->protocol == kProtoUdp) {
            accept_segments(bytes, control, *headers);
            return;
        }
    }
    if (control.checksum) {
        offload_checksums(packet, control);
    }
    job_.kind = Kind::whole;
    job_.bytes = bytes;
}

void EoeTx::accept_segments(std::size_t bytes, const Control &control, const Ipv4Headers &headers) {
    if (control.header != headers.l4 + kUdpHeader) {
        drop("the header length is not that of its headers", bytes, control);
        return;
    }
    if (control.mss <= control.header - kEthHeader) {
        drop("the MSS leaves no room for payload", bytes, control);
        return;
    }
    job_.kind = Kind::segments;
    job_.bytes = bytes;
    job_.header = control.header;
    job_.segment = control.mss - (control.header - kEthHeader);
    job_.sent = 0;
    job_.index = 0;
    job_.checksum = control.checksum;
    job_.increment_id = control.increment_id;
    job_.headers = headers;
    std::copy_n(buffer_.begin(), job_.header, job_.saved.begin());
}

void EoeTx::offload_checksums(std::span<std::uint8_t> packet, const Control &control) {
    const auto parsed = parse_packet(packet);
    if (!parsed) {
        return;
    }
    // PG451 ties the IPv4 header checksum to a stated total below the MSS; a
    // stated total of zero stands for just that.
    if (control.total == 0 || control.total < control.mss) {
        const auto ip = packet.subspan(at::ip, parsed->headers.ip_bytes);
        store_be16(&packet[at::ip_checksum], ipv4_header_checksum(ip));
    }
    write_l4_checksum(packet, parsed->headers, parsed->l4_bytes);
}

std::span<const std::uint8_t> EoeTx::next_frame() {
    if (job_.kind == Kind::segments) {
        return next_segment();
    }
    job_.kind = Kind::none;
    const auto packet = buffer_.first(job_.bytes);
    return built_ ? pad(packet) : packet;
}

// The header goes right in front of the segment's payload, over bytes that
// have left already.
std::span<const std::uint8_t> EoeTx::next_segment() {
    const std::size_t left = job_.bytes - job_.header - job_.sent;
    const std::size_t payload = std::min(left, job_.segment);
    const auto frame = buffer_.subspan(job_.sent, job_.header + payload);
    std::copy_n(job_.saved.begin(), job_.header, frame.begin());

    store_be16(&frame[at::ip_total],
               static_cast<std::uint16_t>(job_.header - kEthHeader + payload));
    if (job_.increment_id) {
        store_be16(&frame[at::ip_id],
                   incremented_id(load_be16(&job_.saved[at::ip_id]), job_.index));
    }
    store_be16(&frame[at::ip_checksum],
               ipv4_header_checksum(frame.subspan(at::ip, job_.headers.ip_bytes)));
    store_be16(&frame[job_.headers.l4 + kUdpLengthField],
               static_cast<std::uint16_t>(kUdpHeader + payload));
    // MODEL: b9 keeps the UDP checksum as software left it; the IPv4 one must
    // follow the length.
    if (job_.checksum) {
        write_l4_checksum(frame, job_.headers, kUdpHeader + payload);
    }

    job_.sent += payload;
    ++job_.index;
    if (payload == left) {
        job_.kind = Kind::none;
    }
    return pad(frame);
}

// A short segment may have unsent payload right behind it, hence the copy.
std::span<const std::uint8_t> EoeTx::pad(std::span<std::uint8_t> frame) {
    if (frame.size() >= kMinOutput) {
        return frame;
    }
    short_frame_.fill(0);
    std::copy(frame.begin(), frame.end(), short_frame_.begin());
    return short_frame_;
}

} // namespace eoe
