// SPDX-License-Identifier: GPL-2.0-or-later
//
// AXI MCDMA: PG288 "Register Space". Common registers of both directions and
// one channel block each, repeated every 0x40 bytes.
#ifndef XEOE_DMA_MCDMA_REGS_HPP
#define XEOE_DMA_MCDMA_REGS_HPP

#include "util/reg.hpp"

namespace eoe::mcdma {

inline constexpr unsigned kChannels = 16;
inline constexpr std::uint32_t kChannelStride = 0x40;
inline constexpr std::uint32_t kMm2sChannels = 0x040;
inline constexpr std::uint32_t kS2mmCommon = 0x500;
inline constexpr std::uint32_t kS2mmChannels = 0x540;
inline constexpr std::uint32_t kMm2sObservers = 0x440;
inline constexpr std::uint32_t kS2mmObservers = 0x940;
inline constexpr std::uint32_t kObserverBytes = 0x18;
inline constexpr std::uint32_t kSgCacheUser = 0x4B0;

/// Common registers; S2MM ones relative to kS2mmCommon.
namespace common {
enum Offset : std::uint32_t {
    control = 0x00,
    status = 0x04,
    channel_enable = 0x08,
    channel_in_progress = 0x0C,
    error = 0x10,
    mm2s_schedule = 0x14,
    mm2s_weights_low = 0x18,
    mm2s_weights_high = 0x1C,
    mm2s_serviced = 0x20,
    mm2s_cache = 0x24,
    mm2s_interrupts = 0x28,
    s2mm_dropped = 0x14,
    s2mm_serviced = 0x18,
    s2mm_cache = 0x1C,
    s2mm_interrupts = 0x20,
};
} // namespace common

namespace ccr {
inline constexpr std::uint32_t run = 1U << 0;
inline constexpr std::uint32_t reset = 1U << 2;
} // namespace ccr

namespace csr {
inline constexpr std::uint32_t halted = 1U << 0;
inline constexpr std::uint32_t idle = 1U << 1;
} // namespace csr

/// ERR, and by a shift of 28 the first three in a BD's status word.
namespace err {
inline constexpr std::uint32_t dma_internal = 1U << 0;
inline constexpr std::uint32_t dma_slave = 1U << 1;
inline constexpr std::uint32_t dma_decode = 1U << 2;
inline constexpr std::uint32_t sg_internal = 1U << 4;
inline constexpr std::uint32_t sg_slave = 1U << 5;
inline constexpr std::uint32_t sg_decode = 1U << 6;
} // namespace err

/// Channel registers.
namespace chan {
enum Offset : std::uint32_t {
    control = 0x00,
    status = 0x04,
    current_lsb = 0x08,
    current_msb = 0x0C,
    tail_lsb = 0x10,
    tail_msb = 0x14,
    mm2s_packets = 0x18,
    s2mm_dropped = 0x18,
    s2mm_packets = 0x1C,
};
} // namespace chan

namespace cr {
inline constexpr std::uint32_t run = 1U << 0;
inline constexpr unsigned drop_threshold_shift = 8;
inline constexpr unsigned irq_threshold_shift = 16;
inline constexpr unsigned delay_shift = 24;
} // namespace cr

namespace sr {
inline constexpr std::uint32_t idle = 1U << 0;
inline constexpr std::uint32_t shortfall = 1U << 1;
inline constexpr std::uint32_t other_error = 1U << 3;
inline constexpr std::uint32_t packet_drop = 1U << 4;
inline constexpr std::uint32_t ioc = 1U << 5;
inline constexpr std::uint32_t delay = 1U << 6;
inline constexpr std::uint32_t error = 1U << 7;
/// Interrupt causes; CR enables each in the same bit.
inline constexpr std::uint32_t mm2s_causes = other_error | ioc | delay | error;
inline constexpr std::uint32_t s2mm_causes = mm2s_causes | packet_drop;
} // namespace sr

inline constexpr std::uint32_t kDescriptorBytes = 64;
inline constexpr std::uint32_t kAddressLsb = ~(kDescriptorBytes - 1);
inline constexpr std::uint32_t kCacheMask = 0x0F0F;
inline constexpr std::uint32_t kMm2sCr = 0xFFFF00E9 & ~0x0000FF00U;
inline constexpr std::uint32_t kS2mmCr = 0xFFFFFFF9;
/// MODEL: the threshold resets to one packet.
inline constexpr std::uint32_t kCrReset = 0x00010000;

inline constexpr auto kMm2sCommonRegs = std::to_array<Reg>({
    {.offset = common::control, .name = "MM2S_CCR", .rw = ccr::run, .sc = ccr::reset},
    {.offset = common::status, .name = "MM2S_CSR", .reset = csr::halted},
    {.offset = common::channel_enable, .name = "MM2S_CHEN", .rw = 0xFFFF},
    {.offset = common::channel_in_progress, .name = "MM2S_CHSER"},
    {.offset = common::error, .name = "MM2S_ERR"},
    {.offset = common::mm2s_schedule, .name = "MM2S_SCHD_TYPE", .rw = 0x3},
    {.offset = common::mm2s_weights_low, .name = "MM2S_WRR_REG1", .rw = 0xFFFFFFFF},
    {.offset = common::mm2s_weights_high, .name = "MM2S_WRR_REG2", .rw = 0xFFFFFFFF},
    {.offset = common::mm2s_serviced, .name = "MM2S_CHANNELS_SERVICED", .rc = 0xFFFF},
    {.offset = common::mm2s_cache, .name = "MM2S_ARCACHE_ARUSER", .reset = 0x3, .rw = kCacheMask},
    {.offset = common::mm2s_interrupts, .name = "MM2S_INTR_STATUS"},
});

inline constexpr auto kS2mmCommonRegs = std::to_array<Reg>({
    {.offset = common::control, .name = "S2MM_CCR", .rw = ccr::run, .sc = ccr::reset},
    {.offset = common::status, .name = "S2MM_CSR", .reset = csr::halted},
    {.offset = common::channel_enable, .name = "S2MM_CHEN", .rw = 0xFFFF},
    {.offset = common::channel_in_progress, .name = "S2MM_CHSER"},
    {.offset = common::error, .name = "S2MM_ERR"},
    {.offset = common::s2mm_dropped, .name = "S2MM_PKTDROP"},
    {.offset = common::s2mm_serviced, .name = "S2MM_CHANNELS_SERVICED", .rc = 0xFFFF},
    {.offset = common::s2mm_cache, .name = "S2MM_AWCACHE_AWUSER", .reset = 0x3, .rw = kCacheMask},
    {.offset = common::s2mm_interrupts, .name = "S2MM_INTR_STATUS"},
});

inline constexpr auto kMm2sChannelRegs = std::to_array<Reg>({
    {.offset = chan::control, .name = "MM2S_CR", .reset = kCrReset, .rw = kMm2sCr},
    {.offset = chan::status, .name = "MM2S_SR", .reset = sr::idle, .w1c = sr::mm2s_causes},
    {.offset = chan::current_lsb, .name = "MM2S_CURDESC_LSB", .rw = kAddressLsb},
    {.offset = chan::current_msb, .name = "MM2S_CURDESC_MSB", .rw = 0xFFFFFFFF},
    {.offset = chan::tail_lsb, .name = "MM2S_TAILDESC_LSB", .rw = kAddressLsb},
    {.offset = chan::tail_msb, .name = "MM2S_TAILDESC_MSB", .rw = 0xFFFFFFFF},
    {.offset = chan::mm2s_packets, .name = "MM2S_PKTCOUNT"},
});

inline constexpr auto kS2mmChannelRegs = std::to_array<Reg>({
    {.offset = chan::control, .name = "S2MM_CR", .reset = kCrReset, .rw = kS2mmCr},
    {.offset = chan::status, .name = "S2MM_SR", .reset = sr::idle, .w1c = sr::s2mm_causes},
    {.offset = chan::current_lsb, .name = "S2MM_CURDESC_LSB", .rw = kAddressLsb},
    {.offset = chan::current_msb, .name = "S2MM_CURDESC_MSB", .rw = 0xFFFFFFFF},
    {.offset = chan::tail_lsb, .name = "S2MM_TAILDESC_LSB", .rw = kAddressLsb},
    {.offset = chan::tail_msb, .name = "S2MM_TAILDESC_MSB", .rw = 0xFFFFFFFF},
    {.offset = chan::s2mm_dropped, .name = "S2MM_PKTDROP", .rc = 0xFFFF},
    {.offset = chan::s2mm_packets, .name = "S2MM_PKTCOUNT"},
});

inline constexpr std::size_t kCommonWords = 0x40 / 4;
inline constexpr std::size_t kChannelWords = kChannelStride / 4;
inline constexpr auto kMm2sCommonMap = map_registers<kCommonWords>(kMm2sCommonRegs);
inline constexpr auto kS2mmCommonMap = map_registers<kCommonWords>(kS2mmCommonRegs);
inline constexpr auto kMm2sChannelMap = map_registers<kChannelWords>(kMm2sChannelRegs);
inline constexpr auto kS2mmChannelMap = map_registers<kChannelWords>(kS2mmChannelRegs);

} // namespace eoe::mcdma

#endif
