// SPDX-License-Identifier: GPL-2.0-or-later
//
// UDP receive merging (PG451): datagrams of one flow leave as their first
// header, full fragments, and an end packet with the merged length.
#ifndef XEOE_EOE_GRO_HPP
#define XEOE_EOE_GRO_HPP

#include "config.hpp"
#include "host.hpp"
#include "packet/ipv4.hpp"
#include "stream.hpp"

namespace eoe {

/// What a merge may grow to; taken from RX_COMMON_CTRL when it starts.
struct GroLimits {
    std::uint32_t fragment_bytes = 4096; ///< at most GroPort::kMaxFragment
    std::uint32_t max_fragments = 16;    ///< header not counted
    [[nodiscard]] std::uint32_t max_payload() const { return fragment_bytes * max_fragments; }
};

/// A datagram that may be merged: plain headers, consistent lengths.
struct GroDatagram {
    std::span<const std::uint8_t> header; ///< Ethernet, IPv4, UDP: 42 bytes
    std::span<const std::uint8_t> payload;
};

/// The merge of one port. The caller makes sure that the FIFO has room for
/// what a call can push (kMaxFragment plus the datagram, in room_packets()).
class GroPort {
public:
    static constexpr std::size_t kMaxFragment = 4096;

    void configure(const Config &config, Host &host, std::uint8_t tdest);
    void reset() { s = State{}; }

    [[nodiscard]] bool active() const { return s.active; }
    [[nodiscard]] Nanos deadline() const { return s.deadline; }

    /// False: this port can never hold the datagram, send it unmerged.
    [[nodiscard]] bool merge(const GroDatagram &datagram, const GroLimits &limits, Nanos deadline,
                             StreamFifo &fifo);
    /// End the merge because of `why`; nothing to do when there is none.
    void flush(StreamFifo &fifo, const char *why);

    struct State {
        bool active = false;
        GroLimits limits;
        std::uint32_t total = 0;     ///< payload bytes merged
        std::uint32_t first = 0;     ///< payload bytes of the first datagram
        std::uint32_t fragments = 0; ///< already sent
        std::uint32_t held = 0;      ///< bytes in `buffer`
        Nanos deadline = kNever;
        std::array<std::uint8_t, kPlainUdpHeaders> header{};
        std::array<std::uint8_t, kMaxFragment> buffer{};
    };
    State s;

private:
    /// Why the merge must end, or null.
    [[nodiscard]] const char *must_end_before(const GroDatagram &datagram) const;
    [[nodiscard]] const char *must_end_after(const GroDatagram &datagram) const;
    void start(const GroDatagram &datagram, const GroLimits &limits, StreamFifo &fifo);
    void append(std::span<const std::uint8_t> payload, StreamFifo &fifo);
    void push(const AppWords &app, std::span<const std::uint8_t> data, StreamFifo &fifo) const;

    Host *host_ = nullptr;
    bool mix_sources_ = false;
    bool equal_size_ = false;
    std::uint8_t tdest_ = 0;
};

} // namespace eoe

#endif
