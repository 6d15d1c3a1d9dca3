// SPDX-License-Identifier: GPL-2.0-or-later
//
// Buffer descriptors (PG288 "Scatter Gather Descriptor"): where the words
// stand in memory and what one says once it has been fetched.
#ifndef XEOE_DMA_BD_HPP
#define XEOE_DMA_BD_HPP

#include "host.hpp"
#include "stream.hpp"

namespace eoe::bd {

inline constexpr std::size_t kUsedBytes = 0x34; ///< the hardware looks no further

inline constexpr std::size_t kNext = 0x00;
inline constexpr std::size_t kBuffer = 0x08;
inline constexpr std::size_t kControl = 0x14;
inline constexpr std::size_t kTxStatus = 0x1C;
inline constexpr std::size_t kRxStatus = 0x18;
inline constexpr std::size_t kRxSideband = 0x1C;
inline constexpr std::size_t kApp = 0x20;

inline constexpr std::uint32_t kControlSof = 1U << 31;
inline constexpr std::uint32_t kControlEof = 1U << 30;
inline constexpr std::uint32_t kComplete = 1U << 31;
inline constexpr unsigned kErrorShift = 28; ///< from the DMA bits of ERR
inline constexpr std::uint32_t kRxSof = 1U << 27;
inline constexpr std::uint32_t kRxEof = 1U << 26;
inline constexpr std::uint32_t kLengthMask = 0x03FFFFFF;

inline constexpr unsigned kSidebandTdestShift = 16;

/// A descriptor as fetched; addresses already cut to the bus width.
struct Descriptor {
    GuestAddr self;
    GuestAddr next;
    GuestAddr buffer;
    std::uint32_t length = 0; ///< bytes, cut to the built length width
    bool sof = false;         ///< MM2S only
    bool eof = false;         ///< MM2S only
    AppWords app{};           ///< MM2S only
};

} // namespace eoe::bd

#endif
