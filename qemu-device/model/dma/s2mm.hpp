// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_DMA_S2MM_HPP
#define XEOE_DMA_S2MM_HPP

#include "dma/direction.hpp"
#include "stream.hpp"

namespace eoe {

/// The receive half of the MCDMA: moves stream packets into the descriptors of
/// the channel their TDEST names, or drops them (PG288 "Packet Drop").
class S2mm {
public:
    S2mm(const Config &config, Host &host, Faults &faults, StreamFifo &fifo);

    void reset();
    /// Fetch ahead, then move packets until the FIFO is empty, blocked, or the
    /// budget is used up.
    void service(Budget &budget);
    [[nodiscard]] bool has_work() const;

    void control_written(unsigned channel, bool was_running);
    /// The channel stops where it is; a packet it has in hand ends nowhere.
    void give_up(unsigned channel);

    Direction d;

private:
    /// The packet at the head of the FIFO, once its first beat was taken.
    struct Current {
        bool open = false;
        unsigned channel = 0;
        std::size_t done = 0; ///< bytes already in memory
    };

    void prefetch(Budget &budget);
    /// Does an injected fault keep the channel from its work?
    [[nodiscard]] bool held(unsigned channel) const;
    [[nodiscard]] bool wants_fetch(unsigned channel) const;
    /// Decide on the packet at the head; false: it was dropped.
    [[nodiscard]] bool accept();
    void drop(unsigned channel);
    /// One descriptor's worth; false when blocked or halted.
    [[nodiscard]] bool transfer(Budget &budget);
    [[nodiscard]] bool complete(std::uint32_t length, bool first, bool last);
    void finish();

    Host &host_;
    Faults &faults_;
    StreamFifo &fifo_;
    bool status_stream_;
    std::uint32_t app4_length_; ///< bits of APP4 with the packet's length
    Current current_;
};

} // namespace eoe

#endif
