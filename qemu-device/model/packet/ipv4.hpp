// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one parser both halves of the offload engine use. It looks at untagged
// Ethernet II frames only.
#ifndef XEOE_PACKET_IPV4_HPP
#define XEOE_PACKET_IPV4_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace eoe {

inline constexpr std::size_t kEthHeader = 14;
inline constexpr std::size_t kIpv4Header = 20; ///< without options
inline constexpr std::size_t kUdpHeader = 8;
inline constexpr std::size_t kTcpHeader = 20; ///< without options
inline constexpr std::size_t kPlainUdpHeaders = kEthHeader + kIpv4Header + kUdpHeader;

inline constexpr std::uint16_t kTypeIpv4 = 0x0800;
inline constexpr std::uint16_t kTypeVlan = 0x8100;
inline constexpr std::uint16_t kTypeMacControl = 0x8808;

inline constexpr std::uint8_t kProtoTcp = 6;
inline constexpr std::uint8_t kProtoUdp = 17;

/// Where the header fields stand, from the start of the frame.
namespace at {
inline constexpr std::size_t ether_type = 12;
inline constexpr std::size_t ip = kEthHeader;
inline constexpr std::size_t ip_total = ip + 2;
inline constexpr std::size_t ip_id = ip + 4;
inline constexpr std::size_t ip_fragment = ip + 6;
inline constexpr std::size_t ip_protocol = ip + 9;
inline constexpr std::size_t ip_checksum = ip + 10;
inline constexpr std::size_t ip_source = ip + 12;
inline constexpr std::size_t ip_destination = ip + 16;
} // namespace at

/// Offsets of fields inside the UDP and TCP headers.
inline constexpr std::size_t kUdpLengthField = 4;
inline constexpr std::size_t kUdpChecksumField = 6;
inline constexpr std::size_t kTcpChecksumField = 16;

/// An unfragmented TCP or UDP packet over IPv4 whose headers lie inside the
/// frame. The lengths inside the headers have not been looked at.
struct Ipv4Headers {
    std::uint8_t protocol = 0; ///< kProtoTcp or kProtoUdp
    std::size_t ip_bytes = 0;  ///< IPv4 header with options
    std::size_t l4 = 0;        ///< offset of the TCP or UDP header
};

/// The same with lengths that make sense: ip total <= frame, and for UDP the
/// UDP length inside the IP payload.
struct Ipv4Packet {
    Ipv4Headers headers;
    std::uint16_t total = 0;  ///< IPv4 total length
    std::size_t l4_bytes = 0; ///< what the TCP or UDP checksum covers
};

[[nodiscard]] std::uint16_t ether_type(std::span<const std::uint8_t> frame); ///< 0 when cut short

/// Nothing when the frame is not one the engine handles (PG451: IPv4, TCP or
/// UDP, MF clear, fragment offset 0).
[[nodiscard]] std::optional<Ipv4Headers> parse_headers(std::span<const std::uint8_t> frame);
[[nodiscard]] std::optional<Ipv4Packet> parse_packet(std::span<const std::uint8_t> frame);

/// Checksum for an IPv4 header, its own field taken as zero.
[[nodiscard]] std::uint16_t ipv4_header_checksum(std::span<const std::uint8_t> header);

/// One's complement sum over pseudo header and `l4_bytes` of TCP or UDP,
/// whatever is in the checksum field included; 0xFFFF when it is right.
[[nodiscard]] std::uint16_t l4_sum(std::span<const std::uint8_t> frame, const Ipv4Headers &headers,
                                   std::size_t l4_bytes);

/// Checksum for the TCP or UDP header in place (its field taken as zero), with
/// UDP's rule that a result of zero is sent as all ones (RFC 768).
void write_l4_checksum(std::span<std::uint8_t> frame, const Ipv4Headers &headers,
                       std::size_t l4_bytes);

} // namespace eoe

#endif
