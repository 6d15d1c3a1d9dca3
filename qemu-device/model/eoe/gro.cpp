// SPDX-License-Identifier: GPL-2.0-or-later
#include "eoe/gro.hpp"

#include "eoe/eoe_regs.hpp"
#include "packet/bytes.hpp"

#include <algorithm>

namespace eoe {

namespace {

/// IPv4 and UDP headers count in the merged total, which has 16 bits.
constexpr std::uint32_t kIpHeaders = kIpv4Header + kUdpHeader;
constexpr std::uint32_t kMaxMerged = 0xFFFF - kIpHeaders;

/// Source address, and behind the destination address the source port.
bool same_source(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
    constexpr std::size_t source_port = kEthHeader + kIpv4Header;
    return load_be32(&a[at::ip_source]) == load_be32(&b[at::ip_source]) &&
           load_be16(&a[source_port]) == load_be16(&b[source_port]);
}

} // namespace

void GroPort::configure(const Config &config, Host &host, std::uint8_t tdest) {
    host_ = &host;
    mix_sources_ = config.gro_mix_sources;
    equal_size_ = config.gro_equal_size;
    tdest_ = tdest;
}

void GroPort::push(const AppWords &app, std::span<const std::uint8_t> data,
                   StreamFifo &fifo) const {
    // The caller has checked the room.
    (void)fifo.push({tdest_, 0, app}, data);
}

// MODEL, all three: other sources are not mixed; no datagram is split between
// two merges, neither by the fragment limit nor by the 16-bit total.
const char *GroPort::must_end_before(const GroDatagram &datagram) const {
    const auto grown = s.total + static_cast<std::uint32_t>(datagram.payload.size());
    if (!mix_sources_ && !same_source(s.header, datagram.header)) {
        return "another source";
    }
    if (equal_size_ && datagram.payload.size() > s.first) {
        return "a longer datagram";
    }
    if (grown > s.limits.max_payload()) {
        return "too many fragments";
    }
    return grown > kMaxMerged ? "65535 bytes" : nullptr;
}

const char *GroPort::must_end_after(const GroDatagram &datagram) const {
    if (s.total == s.limits.max_payload()) {
        return "full";
    }
    return equal_size_ && datagram.payload.size() < s.first ? "a shorter datagram" : nullptr;
}

void GroPort::start(const GroDatagram &datagram, const GroLimits &limits, StreamFifo &fifo) {
    host_->trace(XEOE_EV_gro_begun, "port", tdest_, datagram.payload.size());
    s.active = true;
    s.limits = limits;
    s.total = 0;
    s.first = static_cast<std::uint32_t>(datagram.payload.size());
    s.fragments = 0;
    s.held = 0;
    std::copy_n(datagram.header.begin(), s.header.size(), s.header.begin());
    push({engine::rx::app0_start}, s.header, fifo);
}

// A full fragment stays until more bytes come: the end packet must not be empty.
void GroPort::append(std::span<const std::uint8_t> payload, StreamFifo &fifo) {
    s.total += static_cast<std::uint32_t>(payload.size());
    while (!payload.empty()) {
        if (s.held == s.limits.fragment_bytes) {
            push({}, std::span{s.buffer}.first(s.held), fifo);
            ++s.fragments;
            s.held = 0;
        }
        const auto part =
            payload.first(std::min<std::size_t>(payload.size(), s.limits.fragment_bytes - s.held));
        std::copy(part.begin(), part.end(), s.buffer.begin() + s.held);
        s.held += static_cast<std::uint32_t>(part.size());
        payload = payload.subspan(part.size());
    }
}

void GroPort::flush(StreamFifo &fifo, const char *why) {
    if (!s.active) {
        return;
    }
    host_->trace(XEOE_EV_gro_ended, why, tdest_, s.total);
    // APP1 describes the IPv4 header software is to write over the saved one.
    const std::uint32_t total = s.total + kIpHeaders;
    std::array<std::uint8_t, kIpv4Header> ip{};
    std::copy_n(s.header.begin() + at::ip, ip.size(), ip.begin());
    store_be16(&ip[at::ip_total - at::ip], static_cast<std::uint16_t>(total));
    const std::uint32_t checksum = ipv4_header_checksum(ip);
    push({engine::rx::app0_end, checksum << engine::rx::app1_checksum_shift | total},
         std::span{s.buffer}.first(s.held), fifo);
    s.active = false;
    s.held = 0;
    s.deadline = kNever;
}

bool GroPort::merge(const GroDatagram &datagram, const GroLimits &limits, Nanos deadline,
                    StreamFifo &fifo) {
    if (datagram.payload.size() > std::min(limits.max_payload(), kMaxMerged)) {
        return false;
    }
    const char *why = s.active ? must_end_before(datagram) : nullptr;
    if (why != nullptr) {
        flush(fifo, why);
    }
    if (s.active) {
        host_->trace(XEOE_EV_gro_joined, "port", tdest_, datagram.payload.size(), s.total);
    } else {
        start(datagram, limits, fifo);
    }
    append(datagram.payload, fifo);
    s.deadline = deadline;
    why = must_end_after(datagram);
    if (why != nullptr) {
        flush(fifo, why);
    }
    return true;
}

} // namespace eoe
