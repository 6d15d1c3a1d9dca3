// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_PACKET_CHECKSUM_HPP
#define XEOE_PACKET_CHECKSUM_HPP

#include <cstdint>
#include <span>

namespace eoe {

/// A one's complement sum in the making (RFC 1071): add ranges and numbers,
/// then take the checksum. Every range but the last must have even length.
class InternetSum {
public:
    void add(std::span<const std::uint8_t> bytes);
    void add16(std::uint16_t value) { sum_ += value; }
    void add32(std::uint32_t value) { sum_ += (value >> 16) + (value & 0xFFFF); }

    /// The sum folded to 16 bits; 0xFFFF over data that carries its checksum.
    [[nodiscard]] std::uint16_t folded() const;
    /// What goes into a checksum field.
    [[nodiscard]] std::uint16_t checksum() const { return static_cast<std::uint16_t>(~folded()); }

private:
    std::uint64_t sum_ = 0;
};

/// The FCS of a frame as a number (IEEE 802.3 clause 3.2.9); it goes on the
/// wire least significant byte first.
[[nodiscard]] std::uint32_t ethernet_crc(std::span<const std::uint8_t> bytes);

} // namespace eoe

#endif
