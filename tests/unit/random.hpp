// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random packets for the property tests.
//
//   EOE_SEED=n     repeat a run (the seed is printed)
//   EOE_PACKETS=n  packets per test program (default 1000000)
#ifndef UNIT_RANDOM_HPP
#define UNIT_RANDOM_HPP

#include "harness.hpp"
#include "oracle.hpp"

namespace unit {

[[nodiscard]] std::uint64_t seed();
[[nodiscard]] std::uint64_t packets();
void print_seed();

/// splitmix64: small, and good enough to choose packets by.
class Random {
public:
    explicit Random(std::uint64_t start) : state_(start) {}
    std::uint64_t next();
    /// 0 .. n - 1
    std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(next() % n); }
    std::uint32_t between(std::uint32_t low, std::uint32_t high) {
        return low + below(std::uint64_t{high} - low + 1);
    }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    void fill(std::uint8_t *at, std::size_t bytes);

private:
    std::uint64_t state_;
};

/// Mostly short payloads, some of MTU size, few large ones.
[[nodiscard]] std::uint32_t payload_size(Random &r);
[[nodiscard]] oracle::Datagram random_datagram(Random &r, std::uint32_t payload);
/// Something that looks less and less like a UDP datagram. Never empty.
/// `header` is what its headers measure if it still is one.
[[nodiscard]] Bytes random_packet(Random &r, std::uint32_t payload, std::uint32_t &header);

/// Print what is needed to repeat the failure, and fail the test.
[[noreturn]] void give_up(const char *what, std::uint64_t index, const Bytes &packet,
                          const std::string &detail);

} // namespace unit

#endif
