// SPDX-License-Identifier: GPL-2.0-or-later
#include "eoe/rx.hpp"

#include "packet/bytes.hpp"
#include "packet/checksum.hpp"

#include <algorithm>

namespace eoe {

using namespace engine;

namespace {

constexpr std::uint32_t kSmallFragment = 2048;
constexpr std::uint32_t kLargeFragment = 4096;
constexpr std::uint32_t kDefaultFragments = 16;
constexpr std::uint64_t kClocksPerTimeout = 128; ///< PG451, RX_TIMEOUT
constexpr std::uint64_t kNanosPerSecond = 1'000'000'000;

/// Stream packets one frame can become: the end of a merge, a header, its
/// fragments, and the end of its own merge.
constexpr std::size_t kPacketsPerFrame = 3 + XEOE_MAX_FRAME / kSmallFragment + 1;

/// What a frame may have around a packet of C_MTU_SIZE bytes: its header, and two
/// tags, or one and the FCS where the MAC leaves it on.
constexpr std::size_t kAroundMtu = 14 + 4 + 4;

constexpr std::uint16_t kGoodSum = 0xFFFF;

} // namespace

EoeRx::EoeRx(const Config &config, Host &host, Faults &faults, StreamFifo &fifo)
    : built_(config.eoe), built_5tuple_(config.eoe_hash_5tuple),
      ports_(config.eoe && config.eoe_rx_gro ? config.eoe_gro_ports : 0),
      longest_(config.eoe_mtu + kAroundMtu), timer_hz_(config.eoe_timer_hz), host_(host),
      faults_(faults), fifo_(fifo) {
    for (std::size_t i = 0; i < gro_.size(); ++i) {
        gro_[i].configure(config, host, static_cast<std::uint8_t>(i + 1));
    }
    reset();
}

void EoeRx::reset() {
    stream_reset();
    s = RxState{};
    s.common_ctrl = kCommonRegs[kCommonMap[kRxCommonCtrl / 4]].reset;
    s.timeout = kCommonRegs[kCommonMap[kRxTimeout / 4]].reset;
    for (RxState::Port &port : s.ports) {
        port.control = kPortRegs[kPortMap[port::control / 4]].reset;
    }
}

void EoeRx::stream_reset() {
    s.dropped = 0;
    s.errors = 0;
    s.non_gro = 0;
    s.total_gro = 0;
    for (RxState::Port &port : s.ports) {
        port.control &= ~port_ctrl::enable;
        port.gro_count = 0;
        port.flush = false;
    }
    for (GroPort &gro : gro_) {
        gro.reset();
    }
}

GroLimits EoeRx::limits() const {
    GroLimits l;
    const std::uint32_t size = s.common_ctrl >> common_ctrl::fragment_size_shift & 0xF;
    l.fragment_bytes = size == 0 ? kSmallFragment : kLargeFragment;
    const std::uint32_t count = s.common_ctrl >> common_ctrl::max_fragments_shift;
    l.max_fragments = count == 0 ? kDefaultFragments : count; // MODEL for zero
    return l;
}

Nanos EoeRx::timeout_from(Nanos now) const {
    if (s.timeout == 0) {
        return kNever; // MODEL
    }
    return now + Nanos{s.timeout * kClocksPerTimeout * kNanosPerSecond / timer_hz_};
}

bool EoeRx::checksums_good(std::span<const std::uint8_t> frame, const Ipv4Packet &packet) const {
    InternetSum ip;
    ip.add(frame.subspan(at::ip, packet.headers.ip_bytes));
    if (ip.folded() != kGoodSum) {
        return false;
    }
    const bool udp = packet.headers.protocol == kProtoUdp;
    if (udp && load_be16(&frame[packet.headers.l4 + kUdpChecksumField]) == 0) {
        return true; // RFC 768: the sender made none
    }
    return l4_sum(frame, packet.headers, packet.l4_bytes) == kGoodSum;
}

bool EoeRx::five_tuple() const {
    return built_5tuple_ && (s.common_ctrl & common_ctrl::three_tuple) == 0;
}

bool EoeRx::matches(const RxState::Port &port, std::span<const std::uint8_t> frame,
                    const Ipv4Packet &packet) const {
    const std::uint32_t protocol = port.control >> port_ctrl::protocol_shift;
    const std::uint8_t *ports = &frame[packet.headers.l4];
    if ((port.control & port_ctrl::enable) == 0 || protocol != packet.headers.protocol ||
        load_be32(&frame[at::ip_destination]) != port.destination_ip ||
        load_be16(ports + 2) != port.ports >> 16) {
        return false;
    }
    return !five_tuple() || (load_be32(&frame[at::ip_source]) == port.source_ip &&
                             load_be16(ports) == (port.ports & 0xFFFF));
}

unsigned EoeRx::match(std::span<const std::uint8_t> frame, const Ipv4Packet &packet) const {
    if (packet.headers.protocol != kProtoUdp) {
        return 0; // only UDP is merged, whatever CH_CTRL says
    }
    for (unsigned k = 1; k <= ports_; ++k) {
        if (matches(s.ports[k - 1], frame, packet)) {
            return k;
        }
    }
    return 0;
}

bool EoeRx::merge(unsigned k, std::span<const std::uint8_t> frame, const Ipv4Packet &packet) {
    const std::size_t payload = packet.l4_bytes - kUdpHeader;
    const bool plain = packet.headers.ip_bytes == kIpv4Header &&
                       packet.l4_bytes == packet.total - packet.headers.ip_bytes && payload != 0 &&
                       load_be16(&frame[packet.headers.l4 + kUdpChecksumField]) != 0;
    if (!plain) {
        return false; // MODEL: unmerged
    }
    const GroDatagram datagram{frame.first(kPlainUdpHeaders),
                               frame.subspan(kPlainUdpHeaders, payload)};
    if (!gro_[k - 1].merge(datagram, limits(), timeout_from(host_.now()), fifo_)) {
        return false;
    }
    ++s.ports[k - 1].gro_count;
    ++s.total_gro;
    return true;
}

void EoeRx::send_whole(std::span<const std::uint8_t> frame, bool bad) {
    StreamMeta meta;
    meta.tuser = bad ? 1 : 0;
    if (built_) {
        meta.app[0] = rx::app0_start | rx::app0_end;
        if (ether_type(frame) == kTypeIpv4 && frame.size() >= kEthHeader + kIpv4Header) {
            meta.app[1] = std::uint32_t{load_be16(&frame[at::ip_checksum])}
                              << rx::app1_checksum_shift |
                          load_be16(&frame[at::ip_total]);
        }
    }
    if (!fifo_.push(meta, frame)) {
        host_.trace(XEOE_EV_rx_dropped, "the FIFO is full", frame.size());
        ++s.dropped;
    } else if (built_) {
        host_.trace(XEOE_EV_rx_whole, bad ? "bad frame" : "not merged", frame.size());
        ++s.non_gro;
    }
}

void EoeRx::receive(std::span<const std::uint8_t> frame, bool bad) {
    if (!built_) {
        send_whole(frame, bad);
        return;
    }
    if (!fifo_.has_room(frame.size() + GroPort::kMaxFragment + kPlainUdpHeaders,
                        kPacketsPerFrame)) {
        host_.trace(XEOE_EV_rx_dropped, "the FIFO is full", frame.size());
        ++s.dropped;
        return;
    }
    // PG451 expects nothing longer. MODEL: the engine has no room for it.
    if (frame.size() > longest_) {
        host_.trace(XEOE_EV_rx_dropped, "longer than the engine is built for", frame.size());
        ++s.dropped;
        return;
    }
    const auto packet = bad ? std::nullopt : parse_packet(frame);
    if (packet && (s.common_ctrl & common_ctrl::checksum_enable) != 0) {
        const unsigned k = match(frame, *packet);
        if (!checksums_good(frame, *packet)) {
            ++s.errors;
            if (k != 0) {
                gro_[k - 1].flush(fifo_, "bad checksum"); // AMD wiki: a bad packet ends the merge
            }
        } else if (k != 0 && merge(k, frame, *packet)) {
            return;
        }
    }
    send_whole(frame, bad);
}

bool EoeRx::room_to_flush() const {
    return fifo_.has_room(GroPort::kMaxFragment, 1);
}

void EoeRx::run(Nanos now) {
    for (unsigned i = 0; i < ports_ && room_to_flush(); ++i) {
        if (s.ports[i].flush || now >= gro_[i].deadline()) {
            gro_[i].flush(fifo_, s.ports[i].flush ? "port disabled" : "timeout");
            s.ports[i].flush = false;
        }
    }
}

bool EoeRx::has_work() const {
    return room_to_flush() && std::any_of(s.ports.begin(), s.ports.begin() + ports_,
                                          [](const RxState::Port &port) { return port.flush; });
}

Nanos EoeRx::deadline() const {
    Nanos first = kNever;
    if (room_to_flush()) {
        for (unsigned i = 0; i < ports_; ++i) {
            first = std::min(first, gro_[i].deadline());
        }
    }
    return first;
}

void EoeRx::write_port_control(unsigned k, std::uint32_t value) {
    RxState::Port &port = s.ports[k - 1];
    const bool was_enabled = (port.control & port_ctrl::enable) != 0;
    const bool enable = (value & port_ctrl::enable) != 0;
    if (enable && busy(k)) {
        host_.guest_errorf("eoe: GRO port %u enabled while it is still draining", k);
    }
    port.control = value;
    if (!was_enabled && enable) {
        check_unique(k);
    }
    if (was_enabled && !enable) {
        faults_.gro_disabled(k);
        port.flush = port.flush || gro_[k - 1].active();
    }
}

// PG451: at least one field differs between ports. The lower one gets the packets.
void EoeRx::check_unique(unsigned k) const {
    const RxState::Port &port = s.ports[k - 1];
    const bool five = five_tuple();
    constexpr std::uint32_t compared = port_ctrl::enable | std::uint32_t{0xFF}
                                                               << port_ctrl::protocol_shift;
    for (unsigned other = 1; other <= ports_; ++other) {
        const RxState::Port &o = s.ports[other - 1];
        const std::uint32_t ports = five ? o.ports ^ port.ports : (o.ports ^ port.ports) >> 16;
        if (other != k && ((o.control ^ port.control) & compared) == 0 && ports == 0 &&
            o.destination_ip == port.destination_ip && (!five || o.source_ip == port.source_ip)) {
            host_.guest_errorf("eoe: GRO ports %u and %u match the same packets",
                               std::min(k, other), std::max(k, other));
        }
    }
}

bool EoeRx::busy(unsigned k) const {
    const bool enabled = (s.ports[k - 1].control & port_ctrl::enable) != 0;
    return !enabled && (gro_[k - 1].active() || fifo_.holds(k) || faults_.gro_busy(k));
}

} // namespace eoe
