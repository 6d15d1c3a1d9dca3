// SPDX-License-Identifier: GPL-2.0-or-later
//
// The streams between the offload engine and the MCDMA.
#ifndef XEOE_STREAM_HPP
#define XEOE_STREAM_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace eoe {

/// APP0..APP4: what a control stream packet carries to the engine and a
/// status stream packet back (the flag word in front is implied).
using AppWords = std::array<std::uint32_t, 5>;

/// What comes with a packet on the receive stream.
struct StreamMeta {
    std::uint8_t tdest = 0;  ///< channel index
    std::uint16_t tuser = 0; ///< last beat; bit 0 = the MAC found the frame bad
    AppWords app{};
};

/// Packets on their way to memory, oldest first. Room is fixed at
/// construction and comes back when the FIFO has run empty: the port takes a
/// new frame only then, so nothing finer is needed.
class StreamFifo {
public:
    static constexpr std::size_t kMaxPackets = 128;

    explicit StreamFifo(std::size_t bytes);

    [[nodiscard]] bool empty() const { return head_ == tail_; }
    [[nodiscard]] bool has_room(std::size_t bytes, std::size_t packets) const;
    /// Is a packet for this channel index waiting?
    [[nodiscard]] bool holds(unsigned tdest) const;

    /// False when there is no room; the FIFO is as before then.
    [[nodiscard]] bool push(const StreamMeta &meta, std::span<const std::uint8_t> data);
    /// The oldest packet; only when not empty.
    [[nodiscard]] const StreamMeta &front_meta() const { return entries_[head_].meta; }
    [[nodiscard]] std::span<const std::uint8_t> front_data() const;
    void pop();
    void clear();

private:
    struct Entry {
        StreamMeta meta;
        std::uint32_t offset = 0;
        std::uint32_t bytes = 0;
    };

    std::array<Entry, kMaxPackets> entries_{};
    std::uint32_t head_ = 0;
    std::uint32_t tail_ = 0;
    std::uint32_t used_ = 0;
    std::vector<std::uint8_t> bytes_;
};

} // namespace eoe

#endif
