// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers in packets (big endian) and descriptors (little endian). The caller
// has checked that the bytes are there.
#ifndef XEOE_PACKET_BYTES_HPP
#define XEOE_PACKET_BYTES_HPP

#include <cstdint>

namespace eoe {

constexpr std::uint16_t load_be16(const std::uint8_t *p) {
    return static_cast<std::uint16_t>(p[0] << 8 | p[1]);
}

constexpr std::uint32_t load_be32(const std::uint8_t *p) {
    return std::uint32_t{load_be16(p)} << 16 | load_be16(p + 2);
}

constexpr void store_be16(std::uint8_t *p, std::uint16_t value) {
    p[0] = static_cast<std::uint8_t>(value >> 8);
    p[1] = static_cast<std::uint8_t>(value);
}

constexpr std::uint32_t load_le32(const std::uint8_t *p) {
    return std::uint32_t{p[0]} | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 |
           std::uint32_t{p[3]} << 24;
}

constexpr void store_le32(std::uint8_t *p, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) {
        p[i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

} // namespace eoe

#endif
