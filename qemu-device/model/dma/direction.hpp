// SPDX-License-Identifier: GPL-2.0-or-later
//
// What both directions of the MCDMA share: the common registers, fetching
// descriptors, and the errors that halt the direction as a whole.
#ifndef XEOE_DMA_DIRECTION_HPP
#define XEOE_DMA_DIRECTION_HPP

#include "config.hpp"
#include "dma/channel.hpp"
#include "fault/faults.hpp"

#include <array>
#include <span>

namespace eoe {

/// How much one slice of work may still do.
struct Budget {
    int descriptors = 0;
    std::int64_t bytes = 0;
    [[nodiscard]] bool left() const { return descriptors > 0 && bytes > 0; }
};

struct DirectionState {
    bool run = false;         ///< CCR.RS
    std::uint32_t errors = 0; ///< ERR; while not zero only a reset helps
    std::uint32_t enabled = 0;
    std::uint32_t in_progress = 0; ///< one-hot, last serviced
    std::uint32_t serviced = 0;
    std::uint32_t cache = 0x3;
    std::uint32_t dropped = 0;              ///< S2MM
    std::uint32_t schedule = 0;             ///< MM2S
    std::array<std::uint32_t, 2> weights{}; ///< MM2S
};

class Direction {
public:
    Direction(Dir dir, const Config &config, Host &host, Faults &faults);

    [[nodiscard]] unsigned channels() const { return count_; }
    [[nodiscard]] bool dead() const { return s.errors != 0; }
    [[nodiscard]] std::uint32_t status() const;
    /// Bit per channel whose interrupt is asserted.
    [[nodiscard]] std::uint32_t interrupts() const;
    /// Bit per channel with a new cause since the last call.
    [[nodiscard]] std::uint32_t take_raised();
    [[nodiscard]] Nanos deadline() const;
    void run_delays(Nanos now);
    void reset();

    /// Bring the channel's next descriptor into `ch.s.bd` and check it. On any
    /// error the direction halts, and false comes back.
    [[nodiscard]] bool fetch(unsigned channel);
    /// Note the channel as the one being served.
    void serving(unsigned channel);
    /// A data access failed: status word into the BD, then halt.
    void data_error(unsigned channel, Bus answer);
    /// Write `bytes` of a descriptor at `offset`; on failure the direction
    /// halts, and false comes back.
    [[nodiscard]] bool write_back(unsigned channel, std::size_t offset,
                                  std::span<const std::uint8_t> bytes);

    [[nodiscard]] GuestAddr on_bus(std::uint64_t address) const {
        return {address & address_mask_};
    }
    [[nodiscard]] bool wide() const { return wide_; }
    [[nodiscard]] const char *name() const { return dir_ == Dir::mm2s ? "mm2s" : "s2mm"; }

    DirectionState s;
    std::array<Channel, mcdma::kChannels> ch;

private:
    void halt(unsigned channel, std::uint32_t error, const char *why);
    void fail_descriptor(unsigned channel, std::uint32_t error, const char *why);

    Dir dir_;
    Host &host_;
    Faults &faults_;
    unsigned count_;
    std::uint64_t address_mask_;
    std::uint32_t length_mask_;
    bool wide_;
    bool realigns_;
};

} // namespace eoe

#endif
