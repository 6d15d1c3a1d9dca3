// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the model needs from the machine around it. Everything outside the
// three blocks (memory, wire, clock, interrupt lines) is reached through this
// interface only, so that tests can stand in for the machine.
#ifndef XEOE_HOST_HPP
#define XEOE_HOST_HPP

#include "events.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace eoe {

/// A point or a length on the machine's virtual clock.
using Nanos = std::chrono::nanoseconds;

/// The deadline of something that never happens.
inline constexpr Nanos kNever = Nanos::max();

/// An address on the bus the MCDMA masters; never an index or a length.
struct GuestAddr {
    std::uint64_t value = 0;
    friend bool operator==(const GuestAddr &, const GuestAddr &) = default;
};

/// AXI response of a bus access.
enum class Bus : std::uint8_t { ok, slverr, decerr };

/// Direction of an MCDMA channel: mm2s transmits, s2mm receives.
enum class Dir : std::uint8_t { mm2s, s2mm };

/// What a receive channel has stored in memory as one packet of its stream.
struct StreamPiece {
    unsigned channel = 0; ///< index
    std::uint32_t app0 = 0;
    std::uint32_t app1 = 0;
    std::span<const std::uint8_t> data;
};

/// The machine around a port. No call may come back into the port, register
/// accesses excepted (they are refused, see port.hpp).
class Host {
public:
    Host() = default;
    Host(const Host &) = delete;
    Host &operator=(const Host &) = delete;
    virtual ~Host() = default;

    /// Fill `to` from guest memory, all of it or report why not.
    virtual Bus dma_read(GuestAddr from, std::span<std::uint8_t> to) = 0;
    /// Copy `from` to guest memory, all of it or report why not.
    virtual Bus dma_write(GuestAddr to, std::span<const std::uint8_t> from) = 0;
    /// Put a frame (no FCS) on the wire; always consumed. False: the wire is
    /// full, wait for Port::tx_ready().
    virtual bool send_frame(std::span<const std::uint8_t> frame) = 0;
    /// A frame refused earlier may be offered again.
    virtual void rx_ready() = 0;
    /// Drive the line of a 0-based channel; called on changes only.
    virtual void set_irq(Dir dir, unsigned channel, bool level) = 0;
    /// Current virtual time.
    [[nodiscard]] virtual Nanos now() = 0;
    /// Ask for Port::run() at `deadline`, replacing the last request; kNever cancels.
    virtual void set_deadline(Nanos deadline) = 0;
    /// The guest broke a rule of the hardware; one line of text.
    virtual void guest_error(const char *text) = 0;

    /// Report a decision (events.h) if somebody watches such; else it costs a
    /// load and a branch.
    void trace(XeoeEvent event, const char *what, std::uint64_t a = 0, std::uint64_t b = 0,
               std::uint64_t c = 0) {
        if (watched_[event] != 0) [[unlikely]] {
            report(event, what, a, b, c);
        }
    }

    /// A packet was read from memory for transmission.
    void loaded(std::span<const std::uint8_t> packet) {
        if (capturing_) [[unlikely]] {
            capture_tx(packet);
        }
    }
    /// A packet of the receive stream was stored in memory.
    void stored(const StreamPiece &piece) {
        if (capturing_) [[unlikely]] {
            capture_rx(piece);
        }
    }

    /// guest_error() with a format; the text is cut at 200 bytes.
    [[gnu::format(printf, 2, 3)]] void guest_errorf(const char *format, ...);

protected:
    /// Watch the events whose word is not zero, XEOE_EVENTS of them; null: none.
    void watch(const std::uint16_t *words) { watched_ = words ? words : kNothing.data(); }
    /// A watched event has come.
    virtual void report(XeoeEvent, const char *, std::uint64_t, std::uint64_t, std::uint64_t) {}

    /// Whether loaded() and stored() are passed on.
    void capture(bool on) { capturing_ = on; }
    virtual void capture_tx(std::span<const std::uint8_t>) {}
    virtual void capture_rx(const StreamPiece &) {}

private:
    bool capturing_ = false;
    static constexpr std::array<std::uint16_t, XEOE_EVENTS> kNothing{};
    const std::uint16_t *watched_ = kNothing.data();
};

} // namespace eoe

#endif
