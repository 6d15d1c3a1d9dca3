// SPDX-License-Identifier: GPL-2.0-or-later
#include "packet/checksum.hpp"

#include "packet/bytes.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace eoe {

void InternetSum::add(std::span<const std::uint8_t> bytes) {
    // The sum does not care about byte order until the end (RFC 1071, 2.B), so
    // whole words are added as the machine loads them and turned round once.
    std::uint64_t words = 0;
    const std::uint8_t *p = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 4; left -= 4, p += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, p, sizeof(word));
        words += word;
    }
    std::array<std::uint8_t, 4> tail{};
    if (left != 0) {
        std::memcpy(tail.data(), p, left);
    }
    std::uint32_t word = 0;
    std::memcpy(&word, tail.data(), sizeof(word));
    words += word;

    words = (words & 0xFFFFFFFF) + (words >> 32);
    words = (words & 0xFFFF) + ((words >> 16) & 0xFFFF) + (words >> 32);
    words = (words & 0xFFFF) + (words >> 16);
    words = (words & 0xFFFF) + (words >> 16);
    if constexpr (std::endian::native == std::endian::little) {
        words = (words & 0xFF) << 8 | words >> 8;
    }
    sum_ += words;
}

std::uint16_t InternetSum::folded() const {
    std::uint64_t sum = sum_;
    while (sum >> 16 != 0) {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    return static_cast<std::uint16_t>(sum);
}

namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
        }
        table[byte] = crc;
    }
    return table;
}

constexpr auto kCrcTable = make_crc_table();

} // namespace

std::uint32_t ethernet_crc(std::span<const std::uint8_t> bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const std::uint8_t byte : bytes) {
        crc = (crc >> 8) ^ kCrcTable[(crc ^ byte) & 0xFF];
    }
    return ~crc;
}

} // namespace eoe
