// SPDX-License-Identifier: GPL-2.0-or-later
//
// XXV statistics (PG210 "Statistics Counters"): 48-bit accumulators that
// saturate, and readable copies that a tick fills.
#ifndef XEOE_MAC_XXV_STATS_HPP
#define XEOE_MAC_XXV_STATS_HPP

#include "host.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace eoe::xxv {

/// Counters by the offset of their low word; the high word follows.
enum class Stat : std::uint16_t {
    cycles = 0x500,
    rx_framing_error = 0x648,
    rx_bad_code = 0x660,
    tx_frame_error = 0x6A0,
    tx_packets = 0x700,
    tx_good_packets = 0x708,
    tx_bytes = 0x710,
    tx_good_bytes = 0x718,
    tx_histogram = 0x720, ///< first of twelve bins
    tx_small = 0x780,
    tx_large = 0x788,
    tx_bad_fcs = 0x7B8,
    tx_unicast = 0x7D0,
    tx_multicast = 0x7D8,
    tx_broadcast = 0x7E0,
    tx_vlan = 0x7E8,
    tx_pause = 0x7F0,
    tx_user_pause = 0x7F8,
    rx_packets = 0x808,
    rx_good_packets = 0x810,
    rx_bytes = 0x818,
    rx_good_bytes = 0x820,
    rx_histogram = 0x828, ///< first of twelve bins
    rx_small = 0x888,
    rx_large = 0x890,
    rx_undersize = 0x898,
    rx_fragment = 0x8A0,
    rx_oversize = 0x8A8,
    rx_too_long = 0x8B0,
    rx_jabber = 0x8B8,
    rx_bad_fcs = 0x8C0,
    rx_packet_bad_fcs = 0x8C8,
    rx_stomped_fcs = 0x8D0,
    rx_unicast = 0x8D8,
    rx_multicast = 0x8E0,
    rx_broadcast = 0x8E8,
    rx_vlan = 0x8F0,
    rx_pause = 0x8F8,
    rx_user_pause = 0x900,
    rx_in_range_error = 0x908,
    rx_truncated = 0x910,
    rx_test_pattern_mismatch = 0x918,
};

inline constexpr std::uint64_t kStatMax = 0xFFFFFFFFFFFF; ///< saturates here

/// What the counters need to know about one frame.
struct FrameFacts {
    std::size_t bytes = 0; ///< FCS included
    bool good = false;
    std::uint16_t ether_type = 0;
    bool broadcast = false;
    bool multicast = false; ///< broadcast excluded
};

/// Look at a frame's header; `wire_bytes` is its length with FCS.
[[nodiscard]] FrameFacts frame_facts(std::span<const std::uint8_t> frame, std::size_t wire_bytes,
                                     bool good);

class Stats {
public:
    /// Is `offset` the low or high word of a counter?
    [[nodiscard]] static bool covers(std::uint32_t offset);
    /// The readable copy; zero before the first tick.
    [[nodiscard]] std::uint32_t read(std::uint32_t offset) const;

    void add(Stat stat, std::uint64_t amount = 1);
    /// Totals, histogram, and for good frames the address and type counters.
    void add_tx_frame(const FrameFacts &facts);
    void add_rx_frame(const FrameFacts &facts);

    /// Copy accumulators to the readable side and start them again at zero.
    void tick(Nanos now, bool is_25g);
    void clear_tx();
    void clear_rx(Nanos now);
    void reset(Nanos now);

private:
    static constexpr std::uint32_t kFirst = 0x500;
    static constexpr std::uint32_t kEnd = 0x9B8;
    static constexpr std::size_t kSlots = (kEnd - kFirst) / 8;

    struct FrameCounters {
        Stat packets, good_packets, bytes, good_bytes, histogram, small, large;
        Stat unicast, multicast, broadcast, vlan, pause;
    };

    [[nodiscard]] static std::size_t slot(std::uint32_t offset) { return (offset - kFirst) / 8; }
    [[nodiscard]] static bool is_tx(std::uint32_t offset);
    void add_frame(const FrameCounters &counters, const FrameFacts &facts);

    std::array<std::uint64_t, kSlots> counting_{};
    std::array<std::uint64_t, kSlots> readable_{};
    Nanos cycles_since_{};
};

} // namespace eoe::xxv

#endif
