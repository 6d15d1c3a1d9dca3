// SPDX-License-Identifier: GPL-2.0-or-later
//
// A fault rule: what goes wrong, where, and when. Rules come from the person
// who tests a driver, never from the guest or the wire.
#ifndef XEOE_FAULT_RULE_HPP
#define XEOE_FAULT_RULE_HPP

#include "host.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace eoe::fault {

enum class Kind : std::uint8_t {
    drop,             ///< a frame is lost on the cable
    corrupt_payload,  ///< one byte behind its headers changes
    corrupt_checksum, ///< its TCP, UDP or IPv4 header checksum is wrong
    truncate,         ///< it is cut short
    duplicate,        ///< it comes twice
    bad_fcs,          ///< it arrives with a wrong FCS
    bd_error,         ///< the MCDMA fails on a descriptor
    irq_lost,         ///< a line does not rise until the next cause comes
    irq_late,         ///< a line rises later
    irq_spurious,     ///< a line rises without cause
    stall,            ///< a channel is no longer served
    sync,             ///< the work is done before the doorbell write returns
    block_lock,       ///< the receiver loses block lock
    dma_reset,        ///< CCR.RESET stays set
    gt_reset,         ///< the transceivers stay in reset
    gro_busy,         ///< a GRO port stays busy after it was disabled
    gone,             ///< no register answers, and nothing moves
};

/// Errors of a descriptor, in the order of the bits of MCDMA's ERR (PG288).
enum class BdError : std::uint8_t {
    dma_internal,
    dma_slave,
    dma_decode,
    sg_internal,
    sg_slave,
    sg_decode,
};

/// Which checksum goes wrong.
enum class Checksum : std::uint8_t { l4, ip };

/// Probability is counted in parts of this.
inline constexpr std::uint32_t kCertain = 1'000'000'000;
/// Longest time a rule can name: eleven days, so that sums never overflow.
inline constexpr std::int64_t kMaxTime = 1'000'000'000'000'000;
/// Of a time that was not given.
inline constexpr Nanos kUnset{-1};

struct Rule {
    Kind kind = Kind::drop;
    Dir dir = Dir::mm2s;
    std::uint8_t channel = 0; ///< 1-based; 0 = any
    std::uint8_t port = 0;    ///< GRO port, 1-based; 0 = any
    BdError error = BdError::dma_internal;
    Checksum checksum = Checksum::l4;
    std::uint32_t bytes = 0;     ///< length left by truncate; 0 = half
    std::uint32_t min_bytes = 0; ///< shorter frames are let alone
    std::uint32_t count = 0;     ///< fires so often at most; 0 = no limit
    std::uint32_t probability = kCertain;
    std::uint64_t seed = 1;
    Nanos after = kUnset; ///< from adding the rule to its first chance
    Nanos span = kUnset;  ///< from then to its last
    Nanos hold = kUnset;  ///< how long the effect of one firing lasts
    Nanos every = kUnset; ///< between firings that wait for nothing
};

/// Longest sentence parse() leaves and longest text print() makes, with their
/// terminator.
inline constexpr std::size_t kTextBytes = 320;

/// Read a rule: "kind=drop,dir=rx,count=3". False when it cannot be one; a
/// sentence that names the field is left in `error` then.
[[nodiscard]] bool parse(const char *text, Rule &rule, std::span<char> error);

/// "bd-error" and the like.
[[nodiscard]] const char *name_of(Kind kind);

/// Write a rule in the form parse() reads, fields at their default left out.
/// Returns the characters written.
std::size_t print(const Rule &rule, std::span<char> to);

} // namespace eoe::fault

#endif
