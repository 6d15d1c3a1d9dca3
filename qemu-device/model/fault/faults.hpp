// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fault injection: the rules in force and the points where the port asks them.
#ifndef XEOE_FAULT_FAULTS_HPP
#define XEOE_FAULT_FAULTS_HPP

#include "fault/rule.hpp"

#include <array>
#include <utility>
#include <vector>

namespace eoe {

/// What becomes of a frame on the cable.
struct FrameFate {
    std::span<const std::uint8_t> data; ///< valid until the next frame of its direction
    unsigned copies = 1;
    bool good_fcs = true;
};

/// The faults of one port. Every question below costs one test of a flag while
/// there is no rule. Rules outlive resets of the hardware; what a firing left
/// behind in the engine does not.
class Faults {
public:
    static constexpr std::size_t kMaxRules = 32;
    static constexpr unsigned kChannels = 16;
    static constexpr unsigned kDirs = 2;

    explicit Faults(Host &host);

    // What the management side may do

    /// Add a rule; its times count from now. False, with a sentence in `error`,
    /// when the text is no rule or the table is full of rules that can still fire.
    [[nodiscard]] bool add(const char *text, std::span<char> error);
    /// Remove the rule of that number, or "all", with what it has done to the hardware.
    [[nodiscard]] bool clear(const char *which, std::span<char> error);
    /// One line per rule, "rule=1 fired=2 state=active kind=drop,dir=rx"; returns
    /// the characters written. state: waiting, active, ended.
    std::size_t list(std::span<char> to);

    // What the port asks

    [[nodiscard]] bool armed() const { return s.rules_used != 0; }

    /// A frame on its way between cable and MAC: mm2s out, s2mm in.
    [[nodiscard]] FrameFate frame(Dir dir, std::span<const std::uint8_t> data) {
        return armed() ? frame_fate(dir, data) : FrameFate{data};
    }

    /// Does the channel (0-based) fail in this way on the descriptor in hand?
    [[nodiscard]] bool bd_error(Dir dir, unsigned channel, fault::BdError error) {
        return armed() && bd_error_fires(dir, channel, error);
    }
    /// The bus answer to a descriptor access, and to a buffer access.
    [[nodiscard]] Bus sg_answer(Dir dir, unsigned channel, Bus answer) {
        return armed() ? answer_of(dir, channel, answer, fault::BdError::sg_slave,
                                   fault::BdError::sg_decode)
                       : answer;
    }
    [[nodiscard]] Bus data_answer(Dir dir, unsigned channel, Bus answer) {
        return armed() ? answer_of(dir, channel, answer, fault::BdError::dma_slave,
                                   fault::BdError::dma_decode)
                       : answer;
    }

    /// The trigger half of a TAILDESC was written.
    void doorbell(Dir dir, unsigned channel) {
        if (armed()) {
            doorbell_rang(dir, channel);
        }
    }
    /// Shall the work be done before the write returns? Asked once per write.
    [[nodiscard]] bool take_sync() { return armed() && std::exchange(s.sync, false); }
    /// Channels that are not served, a bit each.
    [[nodiscard]] std::uint32_t stalled(Dir dir) const { return armed() ? stalled_now(dir) : 0; }

    /// Interrupt lines as they leave, of `wanted`; `fresh` are the channels with
    /// a new cause since the last call. A bit per channel.
    [[nodiscard]] std::uint32_t lines(Dir dir, std::uint32_t wanted, std::uint32_t fresh) {
        if (armed()) {
            return lines_now(s.lines[index(dir)], dir, wanted, fresh);
        }
        s.lines[index(dir)].up = wanted;
        return wanted;
    }
    /// Software looked at the channel's status, which ends a spurious interrupt.
    void status_read(Dir dir, unsigned channel) {
        if (armed()) {
            s.lines[index(dir)].spurious[channel] = Effect{};
        }
    }

    [[nodiscard]] bool lock_lost() const { return armed() && in_force(s.lock); }
    /// GT_RESET was written with a bit set.
    void gt_reset_begun() { begin(fault::Kind::gt_reset, s.gt); }
    [[nodiscard]] bool gt_held() const { return armed() && in_force(s.gt); }
    /// CCR.RESET was written.
    void dma_reset_begun() { begin(fault::Kind::dma_reset, s.dma); }
    [[nodiscard]] bool dma_held() const { return armed() && in_force(s.dma); }

    /// The port does not answer and stands still, as without its clocks.
    [[nodiscard]] bool gone() const { return armed() && in_force(s.gone); }

    /// GRO port k (1-based) was disabled.
    void gro_disabled(unsigned k);
    [[nodiscard]] bool gro_busy(unsigned k) const { return armed() && in_force(s.gro[k - 1]); }

    /// The engine was reset: nothing is stalled, busy or pending any more.
    void engine_reset();
    /// The whole port was reset.
    void power_on();

    /// What is due: rules that wait for nothing but time. True when the state of
    /// block lock may have changed.
    [[nodiscard]] bool run();
    [[nodiscard]] Nanos deadline() const;

    /// Something that a rule did to the hardware, and until when.
    struct Effect {
        Nanos until{};
        std::uint32_t rule = 0;
    };
    struct Lines {
        std::uint32_t up = 0;   ///< let through
        std::uint32_t lost = 0; ///< held low until a fresh cause
        std::array<std::uint32_t, kChannels> lost_by{};
        std::array<Effect, kChannels> late{};
        std::array<Effect, kChannels> spurious{};
    };
    struct Entry {
        fault::Rule rule;
        std::uint32_t number = 0;
        std::uint32_t fired = 0;
        Nanos start{};       ///< first and
        Nanos end = kNever;  ///< just after the last chance
        Nanos next = kNever; ///< of the rules that wait for nothing
        std::uint64_t random = 0;
    };
    struct State {
        std::array<Entry, kMaxRules> rules{}; ///< oldest first
        std::uint32_t rules_used = 0;
        std::uint32_t last_number = 0;
        std::array<Lines, kDirs> lines{};
        std::array<std::array<Effect, kChannels>, kDirs> stall{};
        std::array<Effect, kChannels> gro{};
        Effect lock;
        Effect gone;
        Effect gt;
        Effect dma;
        bool sync = false;
        bool lock_was_lost = false;
    };
    State s;

private:
    [[nodiscard]] static std::size_t index(Dir dir) { return dir == Dir::mm2s ? 0 : 1; }
    [[nodiscard]] std::span<Entry> entries() { return std::span{s.rules}.first(s.rules_used); }
    [[nodiscard]] std::span<const Entry> entries() const {
        return std::span{s.rules}.first(s.rules_used);
    }
    [[nodiscard]] bool in_force(const Effect &effect) const;
    [[nodiscard]] static bool used_up(const Entry &entry);
    [[nodiscard]] bool ended(const Entry &entry) const;
    void remove(std::size_t at);
    void undo(std::uint32_t number);
    template <typename F> void for_each_effect(F apply);

    /// Draws if it has to; true and counted when the rule fires.
    [[nodiscard]] bool fires(Entry &entry);
    [[nodiscard]] Effect effect_of(const Entry &entry) const;
    /// The first rule of a kind that holds at `where` and fires.
    template <typename Where> [[nodiscard]] Entry *first_firing(fault::Kind kind, Where where);
    [[nodiscard]] Entry *first_firing(fault::Kind kind, Dir dir, unsigned channel);
    void begin(fault::Kind kind, Effect &effect);

    [[nodiscard]] FrameFate frame_fate(Dir dir, std::span<const std::uint8_t> data);
    [[nodiscard]] bool bd_error_fires(Dir dir, unsigned channel, fault::BdError error);
    [[nodiscard]] Bus answer_of(Dir dir, unsigned channel, Bus answer, fault::BdError slave,
                                fault::BdError decode);
    void doorbell_rang(Dir dir, unsigned channel);
    [[nodiscard]] std::uint32_t stalled_now(Dir dir) const;
    [[nodiscard]] std::uint32_t lines_now(Lines &lines, Dir dir, std::uint32_t wanted,
                                          std::uint32_t fresh);
    /// May a line that wants to rise do so?
    [[nodiscard]] bool may_rise(Lines &lines, Dir dir, unsigned channel, bool fresh);

    Host &host_;
    std::array<std::vector<std::uint8_t>, kDirs> changed_; ///< frames that were altered
};

} // namespace eoe

#endif
