// SPDX-License-Identifier: GPL-2.0-or-later
#include "packet/ipv4.hpp"

#include "packet/bytes.hpp"
#include "packet/checksum.hpp"

namespace eoe {

namespace {

constexpr std::uint16_t kMoreFragmentsAndOffset = 0x3FFF;

std::size_t checksum_field(const Ipv4Headers &headers) {
    return headers.l4 + (headers.protocol == kProtoUdp ? kUdpChecksumField : kTcpChecksumField);
}

} // namespace

std::uint16_t ether_type(std::span<const std::uint8_t> frame) {
    return frame.size() < kEthHeader ? std::uint16_t{0} : load_be16(&frame[at::ether_type]);
}

std::optional<Ipv4Headers> parse_headers(std::span<const std::uint8_t> frame) {
    if (frame.size() < kEthHeader + kIpv4Header || ether_type(frame) != kTypeIpv4 ||
        frame[at::ip] >> 4 != 4) {
        return std::nullopt;
    }
    Ipv4Headers h;
    h.ip_bytes = std::size_t{4} * (frame[at::ip] & 0xF);
    h.protocol = frame[at::ip_protocol];
    h.l4 = kEthHeader + h.ip_bytes;
    if (h.ip_bytes < kIpv4Header || (h.protocol != kProtoUdp && h.protocol != kProtoTcp) ||
        (load_be16(&frame[at::ip_fragment]) & kMoreFragmentsAndOffset) != 0) {
        return std::nullopt;
    }
    const std::size_t l4_header = h.protocol == kProtoUdp ? kUdpHeader : kTcpHeader;
    if (frame.size() < h.l4 + l4_header) {
        return std::nullopt;
    }
    return h;
}

std::optional<Ipv4Packet> parse_packet(std::span<const std::uint8_t> frame) {
    const auto headers = parse_headers(frame);
    if (!headers) {
        return std::nullopt;
    }
    Ipv4Packet p;
    p.headers = *headers;
    p.total = load_be16(&frame[at::ip_total]);
    const std::size_t l4_header = headers->protocol == kProtoUdp ? kUdpHeader : kTcpHeader;
    if (p.total < headers->ip_bytes + l4_header || kEthHeader + p.total > frame.size()) {
        return std::nullopt;
    }
    p.l4_bytes = p.total - headers->ip_bytes;
    if (headers->protocol == kProtoUdp) {
        const std::size_t udp = load_be16(&frame[headers->l4 + kUdpLengthField]);
        if (udp < kUdpHeader || udp > p.l4_bytes) {
            return std::nullopt;
        }
        p.l4_bytes = udp;
    }
    return p;
}

std::uint16_t ipv4_header_checksum(std::span<const std::uint8_t> header) {
    constexpr std::size_t field = at::ip_checksum - at::ip;
    InternetSum sum;
    sum.add(header.first(field));
    sum.add(header.subspan(field + 2));
    return sum.checksum();
}

std::uint16_t l4_sum(std::span<const std::uint8_t> frame, const Ipv4Headers &headers,
                     std::size_t l4_bytes) {
    InternetSum sum;
    sum.add(frame.subspan(at::ip_source, 8)); // source and destination address
    sum.add16(headers.protocol);
    sum.add16(static_cast<std::uint16_t>(l4_bytes));
    sum.add(frame.subspan(headers.l4, l4_bytes));
    return sum.folded();
}

void write_l4_checksum(std::span<std::uint8_t> frame, const Ipv4Headers &headers,
                       std::size_t l4_bytes) {
    std::uint8_t *field = &frame[checksum_field(headers)];
    store_be16(field, 0);
    auto checksum = static_cast<std::uint16_t>(~l4_sum(frame, headers, l4_bytes));
    if (checksum == 0 && headers.protocol == kProtoUdp) {
        checksum = 0xFFFF;
    }
    store_be16(field, checksum);
}

} // namespace eoe
