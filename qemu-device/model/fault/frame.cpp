// SPDX-License-Identifier: GPL-2.0-or-later
#include "fault/frame.hpp"

#include "packet/bytes.hpp"
#include "packet/ipv4.hpp"

#include <algorithm>

namespace eoe::fault {

namespace {

bool has_ip_header(std::span<const std::uint8_t> frame) {
    return ether_type(frame) == kTypeIpv4 && frame.size() >= kEthHeader + kIpv4Header;
}

std::size_t l4_checksum_at(const Ipv4Headers &headers) {
    return headers.l4 + (headers.protocol == kProtoUdp ? kUdpChecksumField : kTcpChecksumField);
}

/// The first byte that belongs to no header known here.
std::size_t payload_at(std::span<const std::uint8_t> frame) {
    const auto headers = parse_headers(frame);
    if (!headers) {
        return kEthHeader;
    }
    return headers->l4 + (headers->protocol == kProtoUdp ? kUdpHeader : kTcpHeader);
}

} // namespace

bool applies(const Rule &rule, std::span<const std::uint8_t> frame) {
    if (frame.size() < rule.min_bytes) {
        return false;
    }
    switch (rule.kind) {
    case Kind::corrupt_payload:
        return frame.size() > payload_at(frame);
    case Kind::corrupt_checksum: {
        if (rule.checksum == Checksum::ip) {
            return has_ip_header(frame);
        }
        const auto headers = parse_headers(frame);
        return headers && l4_checksum_at(*headers) + 2 <= frame.size();
    }
    case Kind::truncate:
        return truncated(rule, frame.size()) < frame.size();
    default:
        return true;
    }
}

void corrupt_payload(std::span<std::uint8_t> frame, std::uint64_t random) {
    const std::size_t from = payload_at(frame);
    // Padding is nobody's payload.
    const auto packet = parse_packet(frame);
    const std::size_t end = packet ? packet->headers.l4 + packet->l4_bytes : frame.size();
    const std::size_t bytes = end > from ? end - from : frame.size() - from;
    frame[from + random % bytes] ^= static_cast<std::uint8_t>(1 + (random >> 32) % 0xFF);
}

void corrupt_checksum(std::span<std::uint8_t> frame, Checksum which) {
    std::size_t at = at::ip_checksum;
    if (which == Checksum::l4) {
        const auto headers = parse_headers(frame);
        if (!headers) {
            return;
        }
        at = l4_checksum_at(*headers);
    }
    const std::uint16_t old = load_be16(&frame[at]);
    const auto wrong = static_cast<std::uint16_t>(old ^ 0x5555);
    store_be16(&frame[at], wrong != 0 ? wrong : static_cast<std::uint16_t>(old ^ 0xAAAA));
}

std::size_t truncated(const Rule &rule, std::size_t bytes) {
    return rule.bytes != 0 ? rule.bytes : bytes / 2;
}

} // namespace eoe::fault
