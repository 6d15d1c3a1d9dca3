// SPDX-License-Identifier: GPL-2.0-or-later
#include "fault/faults.hpp"

#include "capi.h"
#include "fault/frame.hpp"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace eoe {

using fault::BdError;
using fault::kCertain;
using fault::Kind;
using fault::kUnset;
using fault::Rule;

namespace {

/// A spurious interrupt nobody looks at ends by itself.
constexpr Nanos kSpuriousHold = std::chrono::milliseconds{1};

/// SplitMix64 (G. L. Steele et al., 2014): any seed is as good as any other.
std::uint64_t draw(std::uint64_t &state) {
    state += 0x9E3779B97F4A7C15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

constexpr bool waits_for_nothing(Kind kind) {
    return kind == Kind::irq_spurious || kind == Kind::block_lock || kind == Kind::gone;
}

constexpr bool is_about(const Rule &rule, Dir dir, unsigned channel) {
    return rule.dir == dir && (rule.channel == 0 || rule.channel == channel + 1);
}

} // namespace

Faults::Faults(Host &host) : host_(host) {
    for (auto &buffer : changed_) {
        buffer.resize(XEOE_MAX_FRAME);
    }
}

// Rules

bool Faults::in_force(const Effect &effect) const {
    return effect.rule != 0 && host_.now() < effect.until;
}

bool Faults::used_up(const Entry &entry) {
    return (entry.rule.count != 0 && entry.fired >= entry.rule.count) ||
           (waits_for_nothing(entry.rule.kind) && entry.next == kNever);
}

bool Faults::ended(const Entry &entry) const {
    return used_up(entry) || host_.now() >= entry.end;
}

bool Faults::add(const char *text, std::span<char> error) {
    Rule rule;
    if (!fault::parse(text, rule, error)) {
        return false;
    }
    if (s.rules_used == kMaxRules) {
        const auto rules = entries();
        const auto old = std::find_if(rules.begin(), rules.end(),
                                      [this](const Entry &entry) { return ended(entry); });
        if (old == rules.end()) {
            (void)std::snprintf(error.data(), error.size(),
                                "there are %zu rules that can still fire, which is the most",
                                kMaxRules);
            return false;
        }
        // What it did goes on without it, as its number is not used again.
        remove(static_cast<std::size_t>(old - rules.begin()));
    }
    Entry entry;
    entry.rule = rule;
    entry.number = ++s.last_number;
    entry.random = rule.seed;
    entry.start = host_.now() + std::max(rule.after, Nanos{0});
    entry.end = rule.span == kUnset ? kNever : entry.start + rule.span;
    entry.next = waits_for_nothing(rule.kind) ? entry.start : kNever;
    s.rules[s.rules_used++] = entry;
    return true;
}

void Faults::remove(std::size_t at) {
    std::copy(s.rules.begin() + at + 1, s.rules.begin() + s.rules_used, s.rules.begin() + at);
    --s.rules_used;
}

template <typename F> void Faults::for_each_effect(F apply) {
    for (Lines &lines : s.lines) {
        std::for_each(lines.late.begin(), lines.late.end(), apply);
        std::for_each(lines.spurious.begin(), lines.spurious.end(), apply);
    }
    for (auto &channels : s.stall) {
        std::for_each(channels.begin(), channels.end(), apply);
    }
    std::for_each(s.gro.begin(), s.gro.end(), apply);
    apply(s.lock);
    apply(s.gone);
    apply(s.gt);
    apply(s.dma);
}

void Faults::undo(std::uint32_t number) {
    for_each_effect([number](Effect &effect) {
        if (effect.rule == number) {
            effect = Effect{};
        }
    });
    for (Lines &lines : s.lines) {
        for (unsigned i = 0; i < kChannels; ++i) {
            if (lines.lost_by[i] == number) {
                lines.lost &= ~(1U << i);
            }
        }
    }
}

bool Faults::clear(const char *which, std::span<char> error) {
    if (std::strcmp(which, "all") == 0) {
        const bool lock_was_lost = s.lock_was_lost;
        const std::array<std::uint32_t, kDirs> up{s.lines[0].up, s.lines[1].up};
        const std::uint32_t last = s.last_number;
        s = State{};
        s.last_number = last;
        s.lines[0].up = up[0];
        s.lines[1].up = up[1];
        s.lock_was_lost = lock_was_lost;
        return true;
    }
    std::uint32_t number = 0;
    const char *end = which + std::strlen(which);
    const auto [stop, problem] = std::from_chars(which, end, number);
    const auto rules = entries();
    const auto found = std::find_if(rules.begin(), rules.end(), [number](const Entry &entry) {
        return entry.number == number;
    });
    if (problem != std::errc{} || stop != end || found == rules.end()) {
        (void)std::snprintf(error.data(), error.size(),
                            "'%.40s' is neither \"all\" nor the number of a rule", which);
        return false;
    }
    undo(number);
    remove(static_cast<std::size_t>(found - rules.begin()));
    // Effects of rules that made room for others end with the last one.
    return s.rules_used != 0 || clear("all", error);
}

std::size_t Faults::list(std::span<char> to) {
    std::size_t used = 0;
    for (const Entry &entry : entries()) {
        std::array<char, fault::kTextBytes> text{};
        (void)fault::print(entry.rule, text);
        const char *state = ended(entry)                ? "ended"
                            : host_.now() < entry.start ? "waiting"
                                                        : "active";
        const int wanted = std::snprintf(
            to.data() + used, to.size() - used, "%srule=%" PRIu32 " fired=%" PRIu32 " state=%s %s",
            used == 0 ? "" : "\n", entry.number, entry.fired, state, text.data());
        if (wanted < 0 || static_cast<std::size_t>(wanted) >= to.size() - used) {
            break;
        }
        used += static_cast<std::size_t>(wanted);
    }
    if (used < to.size()) {
        to[used] = '\0';
    }
    return used;
}

bool Faults::fires(Entry &entry) {
    const Nanos now = host_.now();
    const Rule &rule = entry.rule;
    if (now < entry.start || ended(entry)) {
        return false;
    }
    if (rule.probability != kCertain &&
        (draw(entry.random) >> 32) * kCertain >> 32 >= rule.probability) {
        return false;
    }
    ++entry.fired;
    host_.trace(XEOE_EV_fault, fault::name_of(rule.kind), entry.number, entry.fired);
    if (rule.kind == Kind::bd_error) {
        // The engine blames the descriptor next.
        host_.guest_errorf("fault: rule %" PRIu32 " breaks the next descriptor", entry.number);
    }
    return true;
}

Faults::Effect Faults::effect_of(const Entry &entry) const {
    const Rule &rule = entry.rule;
    return {rule.hold != kUnset ? host_.now() + rule.hold : entry.end, entry.number};
}

template <typename Where> Faults::Entry *Faults::first_firing(Kind kind, Where where) {
    const auto rules = entries();
    const auto found = std::find_if(rules.begin(), rules.end(), [&](Entry &entry) {
        return entry.rule.kind == kind && where(entry.rule) && fires(entry);
    });
    return found != rules.end() ? &*found : nullptr;
}

Faults::Entry *Faults::first_firing(Kind kind, Dir dir, unsigned channel) {
    return first_firing(kind, [=](const Rule &rule) { return is_about(rule, dir, channel); });
}

// An attempt that no rule spoils succeeds, whatever became of the last one.
void Faults::begin(Kind kind, Effect &effect) {
    const Entry *spoils = first_firing(kind, [](const Rule &) { return true; });
    effect = spoils != nullptr ? effect_of(*spoils) : Effect{};
}

// Frames

FrameFate Faults::frame_fate(Dir dir, std::span<const std::uint8_t> data) {
    FrameFate fate{data};
    if (data.size() > changed_[0].size()) {
        return fate;
    }
    const auto own = std::span{changed_[index(dir)]}.first(data.size());
    for (Entry &entry : entries()) {
        const Rule &rule = entry.rule;
        if (rule.kind > Kind::bad_fcs || rule.dir != dir || !fault::applies(rule, fate.data) ||
            !fires(entry)) {
            continue;
        }
        if (rule.kind == Kind::corrupt_payload || rule.kind == Kind::corrupt_checksum) {
            const auto bytes = own.first(fate.data.size());
            if (fate.data.data() != bytes.data()) {
                std::copy(fate.data.begin(), fate.data.end(), bytes.begin());
            }
            if (rule.kind == Kind::corrupt_payload) {
                fault::corrupt_payload(bytes, draw(entry.random));
            } else {
                fault::corrupt_checksum(bytes, rule.checksum);
            }
            fate.data = bytes;
        } else if (rule.kind == Kind::truncate) {
            fate.data = fate.data.first(fault::truncated(rule, fate.data.size()));
        } else if (rule.kind == Kind::duplicate) {
            fate.copies = 2;
        } else if (rule.kind == Kind::bad_fcs) {
            fate.good_fcs = false;
        } else {
            fate.copies = 0;
            return fate;
        }
    }
    return fate;
}

// Descriptors

bool Faults::bd_error_fires(Dir dir, unsigned channel, BdError error) {
    return first_firing(Kind::bd_error, [=](const Rule &rule) {
               return rule.error == error && is_about(rule, dir, channel);
           }) != nullptr;
}

Bus Faults::answer_of(Dir dir, unsigned channel, Bus answer, BdError slave, BdError decode) {
    if (bd_error_fires(dir, channel, slave)) {
        return Bus::slverr;
    }
    return bd_error_fires(dir, channel, decode) ? Bus::decerr : answer;
}

void Faults::doorbell_rang(Dir dir, unsigned channel) {
    Effect &stall = s.stall[index(dir)][channel];
    if (!in_force(stall)) {
        const Entry *stalls = first_firing(Kind::stall, dir, channel);
        stall = stalls != nullptr ? effect_of(*stalls) : Effect{};
    }
    if (first_firing(Kind::sync, dir, channel) != nullptr) {
        s.sync = true;
    }
}

std::uint32_t Faults::stalled_now(Dir dir) const {
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < kChannels; ++i) {
        mask |= std::uint32_t{in_force(s.stall[index(dir)][i])} << i;
    }
    return mask;
}

// Interrupts

bool Faults::may_rise(Lines &lines, Dir dir, unsigned channel, bool fresh) {
    const std::uint32_t bit = 1U << channel;
    Effect &late = lines.late[channel];
    if (late.rule != 0) {
        return !in_force(late);
    }
    if ((lines.lost & bit) != 0 && !fresh) {
        return false;
    }
    lines.lost &= ~bit;
    if (const Entry *loses = first_firing(Kind::irq_lost, dir, channel)) {
        lines.lost |= bit;
        lines.lost_by[channel] = loses->number;
        return false;
    }
    if (const Entry *delays = first_firing(Kind::irq_late, dir, channel)) {
        late = effect_of(*delays);
        return false;
    }
    return true;
}

std::uint32_t Faults::lines_now(Lines &lines, Dir dir, std::uint32_t wanted, std::uint32_t fresh) {
    std::uint32_t up = 0;
    std::uint32_t spurious = 0;
    for (unsigned i = 0; i < kChannels; ++i) {
        const std::uint32_t bit = 1U << i;
        if ((wanted & bit) == 0) {
            lines.lost &= ~bit;
            lines.late[i] = Effect{};
        } else if ((lines.up & bit) != 0 || may_rise(lines, dir, i, (fresh & bit) != 0)) {
            lines.late[i] = Effect{};
            up |= bit;
        }
        spurious |= std::uint32_t{in_force(lines.spurious[i])} << i;
    }
    lines.up = up;
    return up | spurious;
}

// Offload engine, resets, time

void Faults::gro_disabled(unsigned k) {
    const Entry *holds = first_firing(
        Kind::gro_busy, [k](const Rule &rule) { return rule.port == 0 || rule.port == k; });
    if (holds != nullptr) {
        s.gro[k - 1] = effect_of(*holds);
    }
}

void Faults::engine_reset() {
    for (Lines &lines : s.lines) {
        lines.lost = 0;
        lines.late.fill(Effect{});
        lines.spurious.fill(Effect{});
    }
    for (auto &channels : s.stall) {
        channels.fill(Effect{});
    }
    s.gro.fill(Effect{});
    s.sync = false;
}

void Faults::power_on() {
    engine_reset();
    s.dma = Effect{};
    s.gt = Effect{};
    s.gone = Effect{};
}

bool Faults::run() {
    if (!armed() && !s.lock_was_lost) {
        return false;
    }
    const Nanos now = host_.now();
    for (Entry &entry : entries()) {
        if (now < entry.next) {
            continue;
        }
        const Rule &rule = entry.rule;
        if (fires(entry)) {
            if (rule.kind == Kind::block_lock) {
                s.lock = effect_of(entry);
            } else if (rule.kind == Kind::gone) {
                s.gone = effect_of(entry);
            } else {
                s.lines[index(rule.dir)].spurious[rule.channel - 1U] = {
                    now + (rule.hold != kUnset ? rule.hold : kSpuriousHold), entry.number};
            }
        }
        // What was slept through is not made up for.
        const Nanos missed = rule.every == kUnset ? Nanos{} : (now - entry.next) % rule.every;
        entry.next = rule.every == kUnset || used_up(entry) ? kNever : now - missed + rule.every;
        if (entry.next >= entry.end) {
            entry.next = kNever;
        }
    }
    const bool lost = lock_lost();
    return std::exchange(s.lock_was_lost, lost) != lost;
}

Nanos Faults::deadline() const {
    if (!armed()) {
        return s.lock_was_lost ? host_.now() : kNever;
    }
    Nanos first = kNever;
    const auto ends = [this, &first](const Effect &effect) {
        if (in_force(effect)) {
            first = std::min(first, effect.until);
        }
    };
    for (const Entry &entry : entries()) {
        first = std::min(first, entry.next);
    }
    for (const Lines &lines : s.lines) {
        std::for_each(lines.late.begin(), lines.late.end(), ends);
        std::for_each(lines.spurious.begin(), lines.spurious.end(), ends);
    }
    for (const auto &channels : s.stall) {
        std::for_each(channels.begin(), channels.end(), ends);
    }
    ends(s.lock);
    ends(s.gone);
    return s.lock_was_lost == lock_lost() ? first : host_.now();
}

} // namespace eoe
