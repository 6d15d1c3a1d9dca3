// SPDX-License-Identifier: GPL-2.0-or-later
#include "mac/xxv_stats.hpp"

#include "packet/bytes.hpp"
#include "packet/ipv4.hpp"

#include <algorithm>

namespace eoe::xxv {

namespace {

constexpr std::size_t kSmallBelow = 64;
constexpr std::size_t kLargeAbove = 9215;
constexpr std::size_t kAddressBytes = 6;

/// Upper ends of the twelve histogram bins.
constexpr std::array<std::size_t, 12> kBinEnds = {64,   127,  255,  511,  1023, 1518,
                                                  1522, 1548, 2047, 4095, 8191, kLargeAbove};

constexpr auto kKnown = std::to_array<std::uint16_t>({
    0x500,
    0x648,
    0x660,
    0x6A0,
    0x700,
    0x708,
    0x710,
    0x718,
    0x720,
    0x728,
    0x730,
    0x738,
    0x740,
    0x748,
    0x750,
    0x758,
    0x760,
    0x768,
    0x770,
    0x778,
    0x780,
    0x788,
    0x7B8,
    0x7D0,
    0x7D8,
    0x7E0,
    0x7E8,
    0x7F0,
    0x7F8,
    0x808,
    0x810,
    0x818,
    0x820,
    0x828,
    0x830,
    0x838,
    0x840,
    0x848,
    0x850,
    0x858,
    0x860,
    0x868,
    0x870,
    0x878,
    0x880,
    0x888,
    0x890,
    0x898,
    0x8A0,
    0x8A8,
    0x8B0,
    0x8B8,
    0x8C0,
    0x8C8,
    0x8D0,
    0x8D8,
    0x8E0,
    0x8E8,
    0x8F0,
    0x8F8,
    0x900,
    0x908,
    0x910,
    0x918,
    // MAC merge counters of preemption builds: there, and always zero
    0x980,
    0x988,
    0x990,
    0x998,
    0x9A0,
    0x9A8,
    0x9B0,
});

/// RX core clock periods in `span`: 156.25 MHz at 10G, 390.625 MHz at 25G.
std::uint64_t core_clocks(Nanos span, bool is_25g) {
    const auto ns = static_cast<std::uint64_t>(std::max(span, Nanos{0}).count());
    return is_25g ? ns / 64 * 25 + ns % 64 * 25 / 64 : ns / 32 * 5 + ns % 32 * 5 / 32;
}

} // namespace

FrameFacts frame_facts(std::span<const std::uint8_t> frame, std::size_t wire_bytes, bool good) {
    FrameFacts facts;
    facts.bytes = wire_bytes;
    facts.good = good;
    facts.ether_type = ether_type(frame);
    if (frame.size() >= kAddressBytes) {
        const auto destination = frame.first(kAddressBytes);
        facts.broadcast = std::all_of(destination.begin(), destination.end(),
                                      [](std::uint8_t byte) { return byte == 0xFF; });
        facts.multicast = !facts.broadcast && (destination[0] & 1) != 0;
    }
    return facts;
}

bool Stats::covers(std::uint32_t offset) {
    return std::binary_search(kKnown.begin(), kKnown.end(), offset & ~std::uint32_t{4});
}

std::uint32_t Stats::read(std::uint32_t offset) const {
    if (!covers(offset)) {
        return 0;
    }
    const std::uint64_t value = readable_[slot(offset)];
    return static_cast<std::uint32_t>((offset & 4) != 0 ? value >> 32 : value);
}

void Stats::add(Stat stat, std::uint64_t amount) {
    std::uint64_t &counter = counting_[slot(static_cast<std::uint32_t>(stat))];
    counter = std::min(kStatMax, counter + std::min(amount, kStatMax));
}

void Stats::add_frame(const FrameCounters &c, const FrameFacts &facts) {
    add(c.packets);
    add(c.bytes, facts.bytes);
    if (facts.bytes < kSmallBelow) {
        add(c.small);
    } else if (facts.bytes > kLargeAbove) {
        add(c.large);
    } else {
        const auto *bin = std::lower_bound(kBinEnds.begin(), kBinEnds.end(), facts.bytes);
        counting_[slot(static_cast<std::uint32_t>(c.histogram)) +
                  static_cast<std::size_t>(bin - kBinEnds.begin())] += 1;
    }
    if (!facts.good) {
        return;
    }
    add(c.good_packets);
    add(c.good_bytes, facts.bytes);
    add(facts.broadcast ? c.broadcast : facts.multicast ? c.multicast : c.unicast);
    if (facts.ether_type == kTypeVlan) {
        add(c.vlan);
    } else if (facts.ether_type == kTypeMacControl) {
        add(c.pause);
    }
}

void Stats::add_tx_frame(const FrameFacts &facts) {
    add_frame({Stat::tx_packets, Stat::tx_good_packets, Stat::tx_bytes, Stat::tx_good_bytes,
               Stat::tx_histogram, Stat::tx_small, Stat::tx_large, Stat::tx_unicast,
               Stat::tx_multicast, Stat::tx_broadcast, Stat::tx_vlan, Stat::tx_pause},
              facts);
}

void Stats::add_rx_frame(const FrameFacts &facts) {
    add_frame({Stat::rx_packets, Stat::rx_good_packets, Stat::rx_bytes, Stat::rx_good_bytes,
               Stat::rx_histogram, Stat::rx_small, Stat::rx_large, Stat::rx_unicast,
               Stat::rx_multicast, Stat::rx_broadcast, Stat::rx_vlan, Stat::rx_pause},
              facts);
}

bool Stats::is_tx(std::uint32_t offset) {
    return offset == static_cast<std::uint32_t>(Stat::tx_frame_error) ||
           (offset >= static_cast<std::uint32_t>(Stat::tx_packets) &&
            offset <= static_cast<std::uint32_t>(Stat::tx_user_pause));
}

void Stats::tick(Nanos now, bool is_25g) {
    add(Stat::cycles, core_clocks(now - cycles_since_, is_25g));
    readable_ = counting_;
    counting_.fill(0);
    cycles_since_ = now;
}

void Stats::clear_tx() {
    for (std::uint32_t offset = kFirst; offset < kEnd; offset += 8) {
        if (is_tx(offset)) {
            counting_[slot(offset)] = 0;
        }
    }
}

void Stats::clear_rx(Nanos now) {
    for (std::uint32_t offset = kFirst; offset < kEnd; offset += 8) {
        if (!is_tx(offset)) {
            counting_[slot(offset)] = 0;
        }
    }
    cycles_since_ = now;
}

void Stats::reset(Nanos now) {
    clear_tx();
    clear_rx(now);
    readable_.fill(0);
}

} // namespace eoe::xxv
