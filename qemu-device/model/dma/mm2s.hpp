// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_DMA_MM2S_HPP
#define XEOE_DMA_MM2S_HPP

#include "dma/direction.hpp"

namespace eoe {

/// The transmit half of the MCDMA: picks a channel, gathers its descriptors
/// from SOF to EOF into one packet and reports it.
class Mm2s {
public:
    /// Packets are gathered at the start of `buffer`, which also bounds them.
    Mm2s(const Config &config, Host &host, Faults &faults, std::span<std::uint8_t> buffer);

    void reset();

    enum class Step : std::uint8_t {
        nothing, ///< no channel has a descriptor to work on
        more,    ///< the budget is used up, call again later
        packet,  ///< a packet is complete
        too_long ///< a packet is complete but did not fit the buffer
    };
    struct Packet {
        std::size_t bytes = 0;
        AppWords app{};
    };
    /// Work until a packet is complete or there is a reason to stop.
    [[nodiscard]] Step step(Budget &budget, Packet &packet);
    [[nodiscard]] bool has_work() const;

    /// CR of `channel` was written; `was_running` is its RS from before.
    void control_written(unsigned channel, bool was_running);
    /// The channel stops where it is; a packet it has in hand ends nowhere.
    void give_up(unsigned channel);

    Direction d;

private:
    /// The packet being gathered. One at a time: the stream cannot interleave.
    struct Gather {
        bool open = false;
        bool discard = false; ///< no SOF was seen
        bool overflow = false;
        unsigned channel = 0;
        std::size_t bytes = 0;
        AppWords app{};
    };
    /// Who is next (SCHD_TYPE).
    struct Turn {
        unsigned channel = mcdma::kChannels - 1; ///< the first turn goes to channel 1
        std::array<std::uint8_t, mcdma::kChannels> credit{};
    };

    [[nodiscard]] std::uint32_t eligible() const;
    [[nodiscard]] std::uint8_t weight(unsigned channel) const;
    [[nodiscard]] unsigned pick(std::uint32_t from);
    [[nodiscard]] unsigned pick_round_robin(std::uint32_t from);
    [[nodiscard]] unsigned pick_by_credit(std::uint32_t from);
    void open(unsigned channel);
    /// One descriptor of the open packet; false when the direction halted.
    [[nodiscard]] bool transfer(Budget &budget);
    [[nodiscard]] bool load(const bd::Descriptor &descriptor, Budget &budget);
    void pair_markers(const bd::Descriptor &descriptor);
    void leave_channel(unsigned channel);

    Host &host_;
    Faults &faults_;
    std::span<std::uint8_t> buffer_;
    Gather gather_;
    Turn turn_;
};

} // namespace eoe

#endif
