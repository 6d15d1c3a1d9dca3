// SPDX-License-Identifier: GPL-2.0-or-later
//
// The packets between the offload engine and memory, whole: before segmentation
// on transmit, after merging on receive.
#ifndef XEOE_CAPTURE_HPP
#define XEOE_CAPTURE_HPP

#include "config.hpp"
#include "host.hpp"

#include <array>
#include <vector>

namespace eoe {

/// Joins the pieces a merged packet is stored in, as software does (PG451: the
/// first header, fragments, an end packet with the length of all).
class StreamCapture {
public:
    /// `flagged`: pieces carry APP0's start and end bits, as with an engine built.
    explicit StreamCapture(bool flagged);

    /// A piece was stored. Returns the packet that is whole with it, else nothing;
    /// valid until the next call.
    [[nodiscard]] std::span<const std::uint8_t> stored(const StreamPiece &piece);

private:
    /// A merge's payload is bounded by the 16 bits of its length.
    static constexpr std::size_t kMaxBytes = 14 + 65535;

    struct Open {
        bool open = false;
        std::vector<std::uint8_t> bytes;
    };

    bool flagged_;
    std::array<Open, XEOE_MAX_CHANNELS> channels_;
};

} // namespace eoe

#endif
