// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture.hpp"

#include "eoe/eoe_regs.hpp"
#include "packet/bytes.hpp"
#include "packet/ipv4.hpp"

namespace eoe {

using namespace engine;

StreamCapture::StreamCapture(bool flagged) : flagged_(flagged) {
    for (Open &channel : channels_) {
        channel.bytes.reserve(kMaxBytes);
    }
}

std::span<const std::uint8_t> StreamCapture::stored(const StreamPiece &piece) {
    const bool start = (piece.app0 & rx::app0_start) != 0;
    const bool end = (piece.app0 & rx::app0_end) != 0;
    if (!flagged_ || (start && end)) {
        return piece.data;
    }
    Open &channel = channels_[piece.channel];
    if (start) {
        channel.open = true;
        channel.bytes.clear();
    }
    // Without its start, which found no descriptor, a packet has no headers.
    if (!channel.open || piece.data.size() > kMaxBytes - channel.bytes.size()) {
        channel.open = false;
        return {};
    }
    channel.bytes.insert(channel.bytes.end(), piece.data.begin(), piece.data.end());
    if (!end) {
        return {};
    }
    channel.open = false;
    if (channel.bytes.size() < kPlainUdpHeaders) {
        return {};
    }
    // The saved headers are those of the first datagram.
    const auto total = static_cast<std::uint16_t>(piece.app1);
    std::uint8_t *bytes = channel.bytes.data();
    store_be16(bytes + at::ip_total, total);
    store_be16(bytes + at::ip_checksum,
               static_cast<std::uint16_t>(piece.app1 >> rx::app1_checksum_shift));
    store_be16(bytes + kEthHeader + kIpv4Header + kUdpLengthField,
               static_cast<std::uint16_t>(total - kIpv4Header));
    return channel.bytes;
}

} // namespace eoe
