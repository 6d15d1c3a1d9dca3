// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.hpp"

#include <cinttypes>
#include <cstdio>

namespace eoe {

namespace {

struct Range {
    const char *field;
    std::uint64_t value;
    std::uint64_t low;
    std::uint64_t high;
};

constexpr std::uint64_t kMinClockHz = 1'000'000;
constexpr std::uint64_t kMaxClockHz = 1'000'000'000;

} // namespace

Config default_config() {
    Config c{};
    c.num_mm2s_channels = XEOE_MAX_CHANNELS;
    c.num_s2mm_channels = XEOE_MAX_CHANNELS;
    c.addr_width = 40; // the Zynq UltraScale+ PS sees 40 address bits
    c.sg_length_width = 23;
    c.mm2s_dre = true;
    c.s2mm_dre = true;
    c.single_intr = false;
    c.status_stream = true;
    c.stsapp_length = false;
    c.sg_clock_hz = 125'000'000; // one delay count is then 1 us
    c.eoe = true;
    c.eoe_tx_gso = true;
    c.eoe_rx_gro = true;
    c.eoe_gro_ports = XEOE_MAX_GRO_PORTS;
    c.eoe_hash_5tuple = false;
    c.eoe_mtu = 9000;
    c.eoe_timer_hz = 100'000'000; // PG451: s_axi_cpu_clk as tested
    c.gro_mix_sources = false;
    c.gro_equal_size = false;
    c.mac_revision = 0x00000104; // PG210: v4.1
    c.mac_25g = false;
    c.deliver_bad_frames = false;
    return c;
}

void put_error(std::span<char> error, const char *sentence) {
    (void)std::snprintf(error.data(), error.size(), "%s", sentence);
}

bool check_config(const Config &config, std::span<char> error) {
    const Range ranges[] = {
        {"num_mm2s_channels", config.num_mm2s_channels, 1, XEOE_MAX_CHANNELS},
        {"num_s2mm_channels", config.num_s2mm_channels, 1, XEOE_MAX_CHANNELS},
        {"addr_width", config.addr_width, 32, 64},
        {"sg_length_width", config.sg_length_width, 8, 26},
        {"sg_clock_hz", config.sg_clock_hz, kMinClockHz, kMaxClockHz},
        {"eoe_gro_ports", config.eoe_gro_ports, 1, XEOE_MAX_GRO_PORTS},
        {"eoe_timer_hz", config.eoe_timer_hz, kMinClockHz, kMaxClockHz},
    };
    for (const Range &r : ranges) {
        if (r.value < r.low || r.value > r.high) {
            (void)std::snprintf(error.data(), error.size(),
                                "%s is %" PRIu64 " but must be between %" PRIu64 " and %" PRIu64,
                                r.field, r.value, r.low, r.high);
            return false;
        }
    }
    if (config.eoe_mtu != 1500 && config.eoe_mtu != 9000) {
        (void)std::snprintf(error.data(), error.size(), "eoe_mtu is %u but must be 1500 or 9000",
                            config.eoe_mtu);
        return false;
    }
    if (config.stsapp_length && !config.status_stream) {
        put_error(error, "stsapp_length needs status_stream: the length comes in its APP4");
        return false;
    }
    // PG451: TDEST k leaves the MCDMA on channel k + 1.
    if (config.eoe && config.eoe_rx_gro && config.eoe_gro_ports >= config.num_s2mm_channels) {
        (void)std::snprintf(
            error.data(), error.size(),
            "eoe_gro_ports is %u but num_s2mm_channels %u leaves room for %u: every "
            "GRO port needs a channel and channel 1 takes the rest",
            config.eoe_gro_ports, config.num_s2mm_channels, config.num_s2mm_channels - 1);
        return false;
    }
    return true;
}

} // namespace eoe
