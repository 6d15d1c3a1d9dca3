// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ethernet Offload Engine: PG451 "Register Space", and the APP words of its
// control and status streams.
#ifndef XEOE_EOE_EOE_REGS_HPP
#define XEOE_EOE_EOE_REGS_HPP

#include "util/reg.hpp"

namespace eoe::engine {

inline constexpr std::uint32_t kPortStride = 0x40; ///< block of GRO port k at 0x40 * k

enum Offset : std::uint32_t {
    kVersion = 0x00,
    kTxErrorCount = 0x04,
    kRxCommonCtrl = 0x10,
    kRxTimeout = 0x14,
    kRxDropped = 0x18,
    kRxError = 0x1C,
    kRxNonGro = 0x20,
    kRxTotalGro = 0x24,
};

/// Inside the block of a port.
namespace port {
enum Offset : std::uint32_t {
    control = 0x00,
    status = 0x04,
    source_ip = 0x08,
    destination_ip = 0x0C,
    ports = 0x10,
    gro_count = 0x14,
};
} // namespace port

namespace common_ctrl {
inline constexpr std::uint32_t checksum_enable = 1U << 1;
inline constexpr std::uint32_t three_tuple = 1U << 3;
inline constexpr unsigned fragment_size_shift = 20; ///< 4 bits, 0 = 2 KiB, 1 = 4 KiB
inline constexpr unsigned max_fragments_shift = 24; ///< 8 bits, header not counted
} // namespace common_ctrl

namespace port_ctrl {
inline constexpr std::uint32_t enable = 1U << 0;
inline constexpr unsigned protocol_shift = 24;
} // namespace port_ctrl

inline constexpr std::uint32_t kPortBusy = 1U << 0;

inline constexpr auto kCommonRegs = std::to_array<Reg>({
    {.offset = kVersion, .name = "VERSION", .reset = 0x01000000},
    {.offset = kTxErrorCount, .name = "TX_ERROR_COUNT"},
    {.offset = kRxCommonCtrl, .name = "RX_COMMON_CTRL", .reset = 0x10000002, .rw = 0xFFF0000A},
    {.offset = kRxTimeout, .name = "RX_TIMEOUT", .reset = 0x00001000, .rw = 0x0003FFFF},
    {.offset = kRxDropped, .name = "RX_DROPPED"},
    {.offset = kRxError, .name = "RX_ERROR"},
    {.offset = kRxNonGro, .name = "RX_NON_GRO"},
    {.offset = kRxTotalGro, .name = "RX_TOTAL_GRO"},
});

inline constexpr auto kPortRegs = std::to_array<Reg>({
    {.offset = port::control, .name = "CH_CTRL", .reset = 0x11000000, .rw = 0xFF000001},
    {.offset = port::status, .name = "CH_STATUS"},
    {.offset = port::source_ip, .name = "CH_SRC_IP", .rw = 0xFFFFFFFF},
    {.offset = port::destination_ip, .name = "CH_DST_IP", .rw = 0xFFFFFFFF},
    {.offset = port::ports, .name = "CH_PORTS", .rw = 0xFFFFFFFF},
    {.offset = port::gro_count, .name = "CH_GRO_COUNT"},
});

inline constexpr auto kCommonMap = map_registers<kPortStride / 4>(kCommonRegs);
inline constexpr auto kPortMap = map_registers<kPortStride / 4>(kPortRegs);

/// Transmit: APP0 and APP1 of the SOF descriptor.
namespace tx {
inline constexpr unsigned app0_header_shift = 24;           ///< header bytes, Ethernet included
inline constexpr std::uint32_t app0_total_low = 0x00FFFFFF; ///< bytes behind the Ethernet header
inline constexpr std::uint32_t app1_total_high = 0x3;       ///< its bits 25:24
inline constexpr unsigned app1_mss_shift = 16;
inline constexpr std::uint32_t app1_mss_mask = 0x3FFF;
inline constexpr std::uint32_t app1_no_udp_segmentation = 1U << 11;
inline constexpr std::uint32_t app1_no_checksum = 1U << 9;
inline constexpr std::uint32_t app1_not_gso = 1U << 8;
inline constexpr std::uint32_t app1_increment_id = 1U << 7;
} // namespace tx

/// Receive: APP0 and APP1 of the descriptor with RXEOF.
namespace rx {
inline constexpr std::uint32_t app0_start = 1U << 30;
inline constexpr std::uint32_t app0_end = 1U << 29;
inline constexpr unsigned app1_checksum_shift = 16; ///< over the IPv4 total length in 15:0
} // namespace rx

} // namespace eoe::engine

#endif
