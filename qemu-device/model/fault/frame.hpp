// SPDX-License-Identifier: GPL-2.0-or-later
//
// Damage to a frame.
#ifndef XEOE_FAULT_FRAME_HPP
#define XEOE_FAULT_FRAME_HPP

#include "fault/rule.hpp"

namespace eoe::fault {

/// Can a rule do to this frame what it is there for? False for those that drop
/// checksums from frames without any, and the like.
[[nodiscard]] bool applies(const Rule &rule, std::span<const std::uint8_t> frame);

/// Change one byte behind the headers, chosen by `random`; checksums stay.
void corrupt_payload(std::span<std::uint8_t> frame, std::uint64_t random);

/// Make the checksum wrong, and never one that says "none" (RFC 768).
void corrupt_checksum(std::span<std::uint8_t> frame, Checksum which);

/// Bytes that truncate leaves of a frame.
[[nodiscard]] std::size_t truncated(const Rule &rule, std::size_t bytes);

} // namespace eoe::fault

#endif
