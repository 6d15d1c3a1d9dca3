// SPDX-License-Identifier: GPL-2.0-or-later
#include "dma/channel.hpp"

#include <algorithm>

namespace eoe {

using namespace mcdma;

namespace {

/// The delay counter counts this many SG clock periods at a time (PG021).
constexpr std::uint64_t kClocksPerDelay = 125;
constexpr std::uint64_t kNanosPerSecond = 1'000'000'000;

} // namespace

void Channel::configure(std::uint32_t causes, std::uint64_t delay_unit_hz) {
    causes_ = causes;
    clock_hz_ = delay_unit_hz;
}

std::uint8_t Channel::irq_threshold() const {
    return static_cast<std::uint8_t>(
        std::max<std::uint32_t>(1, s.cr >> cr::irq_threshold_shift & 0xFF));
}

void Channel::write_control(std::uint32_t value, Nanos now) {
    s.cr = value;
    // PG021: a write starts coalescing anew. MODEL: a running delay timer starts
    // again with the new setting, so packets already counted still get their
    // interrupt.
    s.irq_left = irq_threshold();
    if (s.delay_end != kNever) {
        start_delay(now);
    }
}

std::uint32_t Channel::read_status(Nanos now) const {
    std::uint32_t delay_count = 0;
    if (s.delay_end != kNever) {
        const auto elapsed = static_cast<std::uint64_t>((now - s.delay_start).count());
        delay_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            0xFF, elapsed * (clock_hz_ / kClocksPerDelay) / kNanosPerSecond));
    }
    return (s.idle ? sr::idle : 0) | (s.shortfall ? sr::shortfall : 0) | s.causes |
           std::uint32_t{s.drops} << cr::drop_threshold_shift |
           std::uint32_t{s.irq_left} << cr::irq_threshold_shift | delay_count << cr::delay_shift;
}

void Channel::tail_written() {
    s.tail = s.tail_reg;
    // With CR.RS clear only the pause point is noted (MODEL: a later RS alone
    // starts nothing).
    if (running()) {
        s.started = true;
        s.idle = false;
    }
}

void Channel::stop() {
    s.started = false;
    s.idle = true;
    s.shortfall = false;
    s.fetched = false;
}

void Channel::advance() {
    s.fetched = false;
    s.next = s.bd.next;
    s.idle = s.bd.self == s.tail;
}

void Channel::start_delay(Nanos now) {
    const std::uint64_t setting = delay_setting();
    s.delay_start = now;
    s.delay_end = setting == 0
                      ? kNever
                      : now + Nanos{setting * kClocksPerDelay * kNanosPerSecond / clock_hz_};
}

void Channel::raise(std::uint32_t cause) {
    s.causes |= cause;
    s.raised = true;
}

void Channel::packet_done(Nanos now) {
    ++s.packets;
    if (s.irq_left > 1) {
        --s.irq_left;
        start_delay(now);
        return;
    }
    raise(sr::ioc);
    s.irq_left = irq_threshold();
    s.delay_end = kNever;
}

void Channel::packet_dropped() {
    ++s.dropped;
    ++s.drops;
    const std::uint32_t threshold =
        std::max<std::uint32_t>(1, s.cr >> cr::drop_threshold_shift & 0xFF);
    if (s.drops >= threshold) {
        raise(sr::packet_drop);
        s.drops = 0;
    }
}

void Channel::run_delay(Nanos now) {
    if (now >= s.delay_end) {
        raise(sr::delay);
        s.irq_left = irq_threshold();
        s.delay_end = kNever;
    }
}

} // namespace eoe
