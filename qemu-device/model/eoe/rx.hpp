// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_EOE_RX_HPP
#define XEOE_EOE_RX_HPP

#include "config.hpp"
#include "eoe/eoe_regs.hpp"
#include "eoe/gro.hpp"
#include "fault/faults.hpp"
#include "host.hpp"
#include "stream.hpp"

namespace eoe {

/// Registers and counters of the receive half; plain data.
struct RxState {
    struct Port {
        std::uint32_t control = 0;
        std::uint32_t source_ip = 0;
        std::uint32_t destination_ip = 0;
        std::uint32_t ports = 0;
        std::uint16_t gro_count = 0;
        bool flush = false; ///< disabled; what it holds must still leave
    };
    std::uint32_t common_ctrl = 0;
    std::uint32_t timeout = 0;
    std::uint32_t dropped = 0;
    std::uint32_t errors = 0;
    std::uint32_t non_gro = 0;
    std::uint32_t total_gro = 0;
    std::array<Port, XEOE_MAX_GRO_PORTS> ports; ///< GRO port k at index k - 1
};

/// The receive half of the engine (PG451): checks checksums, merges what
/// matches a GRO port and sends the rest on with TDEST 0.
class EoeRx {
public:
    EoeRx(const Config &config, Host &host, Faults &faults, StreamFifo &fifo);

    void reset();        ///< control bus reset: everything
    void stream_reset(); ///< gro_en, counters and what is held

    /// A frame from the MAC.
    void receive(std::span<const std::uint8_t> frame, bool bad);

    /// Flush what is due or was asked for, as far as the FIFO has room.
    void run(Nanos now);
    /// Is a disabled port still holding something that can leave now?
    [[nodiscard]] bool has_work() const;
    /// Next GRO timeout; kNever while there is no room to act on it.
    [[nodiscard]] Nanos deadline() const;

    /// GRO port k, 1-based.
    void write_port_control(unsigned k, std::uint32_t value);
    [[nodiscard]] bool busy(unsigned k) const;
    [[nodiscard]] unsigned ports() const { return ports_; }

    RxState s;

private:
    /// Are source address and port compared, too?
    [[nodiscard]] bool five_tuple() const;
    void check_unique(unsigned k) const;
    [[nodiscard]] GroLimits limits() const;
    [[nodiscard]] Nanos timeout_from(Nanos now) const;
    [[nodiscard]] bool checksums_good(std::span<const std::uint8_t> frame,
                                      const Ipv4Packet &packet) const;
    /// GRO port (1-based) whose tuple matches, or 0.
    [[nodiscard]] unsigned match(std::span<const std::uint8_t> frame,
                                 const Ipv4Packet &packet) const;
    [[nodiscard]] bool matches(const RxState::Port &port, std::span<const std::uint8_t> frame,
                               const Ipv4Packet &packet) const;
    [[nodiscard]] bool merge(unsigned k, std::span<const std::uint8_t> frame,
                             const Ipv4Packet &packet);
    void send_whole(std::span<const std::uint8_t> frame, bool bad);
    [[nodiscard]] bool room_to_flush() const;

    bool built_;
    bool built_5tuple_;
    unsigned ports_;      ///< GRO ports built, 0 without GRO
    std::size_t longest_; ///< bytes of a frame
    std::uint64_t timer_hz_;
    Host &host_;
    Faults &faults_;
    StreamFifo &fifo_;
    std::array<GroPort, XEOE_MAX_GRO_PORTS> gro_; ///< GRO port k at index k - 1
};

} // namespace eoe

#endif
