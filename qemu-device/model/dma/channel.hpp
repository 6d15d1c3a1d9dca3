// SPDX-License-Identifier: GPL-2.0-or-later
//
// One channel of one direction: its pointers, whether it may fetch, and its
// interrupt coalescing (PG288 "Interrupts", PG021 for the counter rules).
#ifndef XEOE_DMA_CHANNEL_HPP
#define XEOE_DMA_CHANNEL_HPP

#include "dma/bd.hpp"
#include "dma/mcdma_regs.hpp"

namespace eoe {

/// Everything a channel remembers; plain data.
struct ChannelState {
    std::uint32_t cr = mcdma::kCrReset;
    std::uint32_t causes = 0; ///< SR b3..b7
    bool raised = false;      ///< a cause came since the lines were last looked at

    GuestAddr current;  ///< CURDESC as read: the descriptor in use
    GuestAddr next;     ///< the one to fetch next
    GuestAddr tail;     ///< pause point
    GuestAddr tail_reg; ///< TAILDESC as written; its trigger copies it to tail

    bool started = false;   ///< a tail was written while CR.RS was set
    bool idle = true;       ///< SR b0: nothing between here and the tail
    bool shortfall = false; ///< SR b1
    bool fetched = false;   ///< `bd` is valid
    bd::Descriptor bd;

    std::uint8_t irq_left = 0; ///< packets to the next IOC; 0 after reset counts as one
    std::uint8_t drops = 0;    ///< since the last packet-drop interrupt
    Nanos delay_start{};
    Nanos delay_end = kNever;

    std::uint16_t packets = 0;
    std::uint16_t dropped = 0;
};

class Channel {
public:
    /// `causes` are the interrupt causes of the direction, `delay_unit_hz` the
    /// SG clock.
    void configure(std::uint32_t causes, std::uint64_t delay_unit_hz);
    void reset() { s = ChannelState{}; }

    [[nodiscard]] bool running() const { return (s.cr & mcdma::cr::run) != 0; }
    /// Is there a descriptor it may work on?
    [[nodiscard]] bool ready() const { return s.started && !s.idle; }

    void write_control(std::uint32_t value, Nanos now);
    [[nodiscard]] std::uint32_t read_status(Nanos now) const;
    void acknowledge(std::uint32_t value) { s.causes &= ~value; }

    /// The trigger half of TAILDESC was written.
    void tail_written();
    /// The channel gives up what it was doing and waits for a tail.
    void stop();
    /// The descriptor in hand is done; go on behind it or idle at the tail.
    void advance();

    /// An interrupt cause comes up.
    void raise(std::uint32_t cause);
    void packet_done(Nanos now);
    void packet_dropped();
    void run_delay(Nanos now);
    /// Level of this channel's interrupt.
    [[nodiscard]] bool irq() const { return (s.causes & s.cr & causes_) != 0; }

    ChannelState s;

private:
    [[nodiscard]] std::uint8_t irq_threshold() const;
    [[nodiscard]] std::uint32_t delay_setting() const { return s.cr >> mcdma::cr::delay_shift; }
    void start_delay(Nanos now);

    std::uint32_t causes_ = 0;
    std::uint64_t clock_hz_ = 1;
};

} // namespace eoe

#endif
