// SPDX-License-Identifier: GPL-2.0-or-later
//
// Registers as data: where one is, what it resets to and which of its bits
// the bus may change, and how. Behaviour stays in the block that owns it.
#ifndef XEOE_UTIL_REG_HPP
#define XEOE_UTIL_REG_HPP

#include <array>
#include <cstddef>
#include <cstdint>

namespace eoe {

/// One 32-bit register. Bits in none of the masks are read only.
struct Reg {
    std::uint32_t offset = 0;
    const char *name = "";
    std::uint32_t reset = 0;
    std::uint32_t rw = 0;  ///< keeps what is written
    std::uint32_t w1c = 0; ///< writing one clears
    std::uint32_t sc = 0;  ///< a written one acts and reads back as zero
    std::uint32_t rc = 0;  ///< cleared by a read
    std::uint32_t lh = 0;  ///< latched high until read
    std::uint32_t ll = 0;  ///< latched low until read
};

/// The stored value of `reg` after `written` arrives over `old`; self clearing
/// bits are left to the owner.
constexpr std::uint32_t apply_write(const Reg &reg, std::uint32_t old, std::uint32_t written) {
    const std::uint32_t kept = (old & ~reg.rw) | (written & reg.rw);
    return kept & ~(written & reg.w1c);
}

/// Index of "no register here" in a RegMap.
inline constexpr std::uint16_t kNoReg = 0xFFFF;

/// Table index by word offset, for windows of `Words` words.
template <std::size_t Words, std::size_t N>
constexpr std::array<std::uint16_t, Words> map_registers(const std::array<Reg, N> &table) {
    std::array<std::uint16_t, Words> map{};
    for (auto &entry : map) {
        entry = kNoReg;
    }
    for (std::size_t i = 0; i < N; ++i) {
        map[table[i].offset / 4] = static_cast<std::uint16_t>(i);
    }
    return map;
}

/// Index of the register at `offset` in the table `map` was made from.
template <std::size_t Words>
constexpr std::uint16_t find_register(const std::array<std::uint16_t, Words> &map,
                                      std::uint32_t offset) {
    return offset / 4 < Words ? map[offset / 4] : kNoReg;
}

} // namespace eoe

#endif
