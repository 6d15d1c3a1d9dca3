// SPDX-License-Identifier: GPL-2.0-or-later
//
// UG1200, clock and PLL API functions; UG1085, PLL clock units: feedback 25..125,
// output = reference * (integer + fraction / 65536), then a divider by two. How arguments
// are packed is what drivers/clk/zynqmp sends.
#include "clocks.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace zynqmp {

namespace {

constexpr std::uint32_t kFbdivMin = 25;
constexpr std::uint32_t kFbdivMax = 125;
constexpr std::uint32_t kLeaveAlone = 0xFFFF;
constexpr std::uint32_t kNoMoreParents = 0xFFFFFFFF;
constexpr std::uint32_t kPerAnswer = 3;
// No path through the tree is longer; clock_table has no loops (a unit test says so).
constexpr unsigned kMaxDepth = 16;

enum PllMode : std::uint32_t { kPllReset, kPllInteger, kPllFractional };

/// pll_set_parameter's numbers (UG1200, PLL parameters) and where they live.
struct PllParameter {
    Address PllSpec::*where;
    Field field;
};
constexpr std::array<PllParameter, 10> kPllParameters = {{
    {&PllSpec::control, pll_field::div2},
    {&PllSpec::control, pll_field::fbdiv},
    {&PllSpec::fraction, pll_field::frac_data},
    {&PllSpec::control, pll_field::pre_src},
    {&PllSpec::control, pll_field::post_src},
    {&PllSpec::config, pll_field::lock_dly},
    {&PllSpec::config, pll_field::lock_cnt},
    {&PllSpec::config, pll_field::lfhf},
    {&PllSpec::config, pll_field::cp},
    {&PllSpec::config, pll_field::res},
}};
constexpr std::uint32_t kParameterFbdiv = 1;

const PllSpec *pll_by_clock(ClockId id) {
    const auto plls = pll_table();
    const auto at = std::find_if(plls.begin(), plls.end(),
                                 [id](const PllSpec &pll) { return pll.clock == id; });
    return at == plls.end() ? nullptr : &*at;
}

const ClockNode *find_node(const ClockSpec &spec, NodeType type) {
    const auto at = std::find_if(spec.nodes.begin(), spec.nodes.end(),
                                 [type](const ClockNode &node) { return node.type == type; });
    return at == spec.nodes.end() ? nullptr : &*at;
}

bool visible(ClockId id) {
    return *clock_name(id) != '\0' && !clock_spec(id).internal;
}

} // namespace

Status Clocks::check(const char *call, ClockId id) const {
    if (id >= kFirstInput && id < kClocks) {
        host_.guest_errorf("%s: clock %u (%s) is an input of the chip", call, id, clock_name(id));
        return Status::not_supported;
    }
    if (!visible(id)) {
        host_.guest_errorf("%s: there is no clock %u", call, id);
        return Status::bad_argument;
    }
    return Status::success;
}

Reply Clocks::gate(ClockId id, bool on) {
    const char *call = on ? "clock_enable" : "clock_disable";
    if (const Status status = check(call, id); status != Status::success) {
        return status;
    }
    const ClockSpec &spec = clock_spec(id);
    if (const PllSpec *pll = pll_by_clock(id)) {
        registers_.set(pll->control, pll_field::reset, on ? 0 : 1);
        registers_.set(pll->control, pll_field::bypass, on ? 0 : 1);
    } else if (const ClockNode *node = find_node(spec, NodeType::gate)) {
        registers_.set(spec.control, node->field, on ? 1 : 0);
    } else {
        return Status::no_feature;
    }
    host_.changedf("clock %s %s", spec.name, on ? "on" : "off");
    return Status::success;
}

Reply Clocks::state(ClockId id) const {
    if (const Status status = check("clock_getstate", id); status != Status::success) {
        return status;
    }
    const ClockSpec &spec = clock_spec(id);
    if (const PllSpec *pll = pll_by_clock(id)) {
        return Reply::value(registers_.get(pll->control, pll_field::reset) ? 0 : 1);
    }
    const ClockNode *node = find_node(spec, NodeType::gate);
    return Reply::value(node ? registers_.get(spec.control, node->field) : 1);
}

Status Clocks::set_fbdiv(const PllSpec &pll, std::uint32_t value) {
    if (value < kFbdivMin || value > kFbdivMax) {
        host_.guest_errorf("PLL %s: feedback divider %u is not %u..%u", clock_spec(pll.clock).name,
                           value, kFbdivMin, kFbdivMax);
        return Status::bad_argument;
    }
    registers_.set(pll.control, pll_field::fbdiv, value);
    host_.changedf("PLL %s feedback divider %u", clock_spec(pll.clock).name, value);
    return Status::success;
}

Reply Clocks::set_divider(ClockId id, std::uint32_t word) {
    if (const Status status = check("clock_setdivider", id); status != Status::success) {
        return status;
    }
    if (const PllSpec *pll = pll_by_clock(id)) {
        return set_fbdiv(*pll, word);
    }
    const ClockSpec &spec = clock_spec(id);
    const bool second = (word & kLeaveAlone) == kLeaveAlone;
    const std::uint32_t value = second ? word >> 16 : word & kLeaveAlone;
    const ClockNode *node = find_node(spec, second ? NodeType::div2 : NodeType::div1);
    if (!node) {
        host_.guest_errorf("clock_setdivider: clock %s has no such divider", spec.name);
        return Status::no_feature;
    }
    if ((!second && word >> 16 != kLeaveAlone) || value > node->field.max()) {
        host_.guest_errorf("clock_setdivider: 0x%08x is no divider of clock %s", word, spec.name);
        return Status::bad_argument;
    }
    registers_.set(spec.control, node->field, value);
    host_.changedf("clock %s divider %d %u: %llu Hz", spec.name, second ? 2 : 1, value,
                   static_cast<unsigned long long>(rate(id)));
    return Status::success;
}

Reply Clocks::divider(ClockId id) const {
    if (const Status status = check("clock_getdivider", id); status != Status::success) {
        return status;
    }
    if (const PllSpec *pll = pll_by_clock(id)) {
        return Reply::value(registers_.get(pll->control, pll_field::fbdiv));
    }
    const ClockSpec &spec = clock_spec(id);
    const ClockNode *first = find_node(spec, NodeType::div1);
    const ClockNode *second = find_node(spec, NodeType::div2);
    if (!first && !second) {
        return Status::no_feature;
    }
    std::uint32_t word = 0;
    if (first) {
        word |= registers_.get(spec.control, first->field);
    }
    if (second) {
        word |= registers_.get(spec.control, second->field) << 16;
    }
    return Reply::value(word);
}

Reply Clocks::set_parent(ClockId id, std::uint32_t position) {
    if (const Status status = check("clock_setparent", id); status != Status::success) {
        return status;
    }
    const ClockSpec &spec = clock_spec(id);
    const ClockNode *node = find_node(spec, NodeType::mux);
    if (!node) {
        return Status::no_feature;
    }
    if (position >= spec.parents.size() || !spec.parents[position].connected()) {
        host_.guest_errorf("clock_setparent: clock %s has no parent %u", spec.name, position);
        return Status::bad_argument;
    }
    registers_.set(spec.control, node->field, position);
    host_.changedf("clock %s parent %s", spec.name, clock_name(spec.parents[position].id()));
    return Status::success;
}

Reply Clocks::parent(ClockId id) const {
    if (const Status status = check("clock_getparent", id); status != Status::success) {
        return status;
    }
    const ClockSpec &spec = clock_spec(id);
    const ClockNode *node = find_node(spec, NodeType::mux);
    if (!node) {
        return Status::no_feature;
    }
    return Reply::value(registers_.get(spec.control, node->field));
}

// ---- PLLs -------------------------------------------------------------------

Reply Clocks::set_fraction_mode(ClockId id, std::uint32_t on) {
    const PllSpec *pll = pll_by_clock(id);
    if (!pll || on > 1) {
        host_.guest_errorf("set PLL mode: clock %u, mode %u", id, on);
        return Status::bad_argument;
    }
    registers_.set(pll->fraction, pll_field::frac_enable, on);
    return Status::success;
}

Reply Clocks::fraction_mode(ClockId id) const {
    const PllSpec *pll = pll_by_clock(id);
    if (!pll) {
        host_.guest_errorf("get PLL mode: clock %u is no PLL", id);
        return Status::bad_argument;
    }
    return Reply::value(registers_.get(pll->fraction, pll_field::frac_enable));
}

Reply Clocks::set_fraction(ClockId id, std::uint32_t data) {
    const PllSpec *pll = pll_by_clock(id);
    if (!pll || data > pll_field::frac_data.max()) {
        host_.guest_errorf("set PLL fraction: clock %u, fraction 0x%x", id, data);
        return Status::bad_argument;
    }
    registers_.set(pll->fraction, pll_field::frac_data, data);
    return Status::success;
}

Reply Clocks::fraction(ClockId id) const {
    const PllSpec *pll = pll_by_clock(id);
    if (!pll) {
        host_.guest_errorf("get PLL fraction: clock %u is no PLL", id);
        return Status::bad_argument;
    }
    return Reply::value(registers_.get(pll->fraction, pll_field::frac_data));
}

const PllSpec *Clocks::find_pll_node(const char *call, std::uint32_t node) const {
    const auto plls = pll_table();
    const auto at = std::find_if(plls.begin(), plls.end(),
                                 [node](const PllSpec &pll) { return pll.node == node; });
    if (at == plls.end()) {
        host_.guest_errorf("%s: node %u is no PLL", call, node);
        return nullptr;
    }
    return &*at;
}

Reply Clocks::set_pll_parameter(std::uint32_t node, std::uint32_t parameter, std::uint32_t value) {
    const PllSpec *pll = find_pll_node("pll_set_parameter", node);
    if (!pll) {
        return Status::bad_argument;
    }
    if (parameter == kParameterFbdiv) {
        return set_fbdiv(*pll, value);
    }
    if (parameter >= kPllParameters.size() || value > kPllParameters[parameter].field.max()) {
        host_.guest_errorf("pll_set_parameter: parameter %u = 0x%x", parameter, value);
        return Status::bad_argument;
    }
    const PllParameter &found = kPllParameters[parameter];
    registers_.set(pll->*found.where, found.field, value);
    return Status::success;
}

Reply Clocks::pll_parameter(std::uint32_t node, std::uint32_t parameter) const {
    const PllSpec *pll = find_pll_node("pll_get_parameter", node);
    if (!pll || parameter >= kPllParameters.size()) {
        return Status::bad_argument;
    }
    const PllParameter &found = kPllParameters[parameter];
    return Reply::value(registers_.get(pll->*found.where, found.field));
}

Reply Clocks::set_pll_mode(std::uint32_t node, std::uint32_t mode) {
    const PllSpec *pll = find_pll_node("pll_set_mode", node);
    if (!pll || mode > kPllFractional) {
        return Status::bad_argument;
    }
    registers_.set(pll->control, pll_field::reset, mode == kPllReset ? 1 : 0);
    registers_.set(pll->control, pll_field::bypass, mode == kPllReset ? 1 : 0);
    if (mode != kPllReset) {
        registers_.set(pll->fraction, pll_field::frac_enable, mode == kPllFractional ? 1 : 0);
    }
    host_.changedf("PLL %s mode %u", clock_spec(pll->clock).name, mode);
    return Status::success;
}

Reply Clocks::pll_mode(std::uint32_t node) const {
    const PllSpec *pll = find_pll_node("pll_get_mode", node);
    if (!pll) {
        return Status::bad_argument;
    }
    if (registers_.get(pll->control, pll_field::reset)) {
        return Reply::value(kPllReset);
    }
    return Reply::value(registers_.get(pll->fraction, pll_field::frac_enable) ? kPllFractional
                                                                              : kPllInteger);
}

// ---- query_data -------------------------------------------------------------

Reply Clocks::name(ClockId id) {
    // Text and nothing else; an id without a clock has an empty name.
    const char *text = id == kClocks ? "END_OF_CLK" : visible(id) ? clock_name(id) : "";
    std::array<char, 16> padded{};
    std::memcpy(padded.data(), text, std::min(std::strlen(text), padded.size() - 1));
    Reply reply;
    std::memcpy(reply.word.data(), padded.data(), padded.size());
    return reply;
}

Reply Clocks::topology(ClockId id, std::uint32_t index) const {
    if (const Status status = check("query clock topology", id); status != Status::success) {
        return status;
    }
    const auto nodes = clock_spec(id).nodes;
    Reply reply;
    for (std::uint32_t i = 0; i < kPerAnswer && index < nodes.size() && i < nodes.size() - index;
         ++i) {
        reply.word[1 + i] = nodes[index + i].topology_word();
    }
    return reply;
}

Reply Clocks::fixed_factor(ClockId id) const {
    if (const Status status = check("query clock factor", id); status != Status::success) {
        return status;
    }
    if (!find_node(clock_spec(id), NodeType::fixed_factor)) {
        host_.guest_errorf("query clock factor: clock %s has none", clock_name(id));
        return Status::bad_argument;
    }
    return Reply::value(1, 2);
}

Reply Clocks::parents(ClockId id, std::uint32_t index) const {
    if (const Status status = check("query clock parents", id); status != Status::success) {
        return status;
    }
    const auto list = clock_spec(id).parents;
    Reply reply;
    for (std::uint32_t i = 0; i < kPerAnswer; ++i) {
        const bool there = index < list.size() && i < list.size() - index;
        reply.word[1 + i] = there ? list[index + i].word : kNoMoreParents;
    }
    return reply;
}

Reply Clocks::attributes(ClockId id) const {
    if (id >= kClocks) {
        host_.guest_errorf("query clock attributes: there is no clock %u", id);
        return Status::bad_argument;
    }
    // Bit 0: may be used. Bit 2: an input of the chip.
    const std::uint32_t input = id >= kFirstInput ? 1U << 2 : 0;
    return Reply::value((visible(id) ? 1U : 0U) | input);
}

Reply Clocks::max_divisor(ClockId id, std::uint32_t type) const {
    if (const Status status = check("query largest divisor", id); status != Status::success) {
        return status;
    }
    const bool first = type == static_cast<std::uint32_t>(NodeType::div1);
    const bool second = type == static_cast<std::uint32_t>(NodeType::div2);
    const ClockNode *node = first || second
                                ? find_node(clock_spec(id), first ? NodeType::div1 : NodeType::div2)
                                : nullptr;
    if (!node) {
        host_.guest_errorf("query largest divisor: clock %s, divider type %u", clock_name(id),
                           type);
        return Status::bad_argument;
    }
    return Reply::value(node->field.max());
}

// ---- Rates ------------------------------------------------------------------

std::uint64_t Clocks::pll_rate(const PllSpec &pll, std::uint64_t reference) const {
    if (registers_.get(pll.control, pll_field::reset)) {
        return 0;
    }
    std::uint64_t rate = reference * registers_.get(pll.control, pll_field::fbdiv);
    if (registers_.get(pll.fraction, pll_field::frac_enable)) {
        rate += reference * registers_.get(pll.fraction, pll_field::frac_data) >> 16;
    }
    return rate;
}

std::uint64_t Clocks::rate_after(ClockId id, std::size_t nodes, unsigned depth) const {
    if (id >= kFirstInput) {
        return input_rate(id);
    }
    const ClockSpec &spec = clock_spec(id);
    if (depth == 0 || spec.parents.empty()) {
        return 0;
    }
    std::size_t position = 0;
    if (const ClockNode *mux = find_node(spec, NodeType::mux)) {
        position = registers_.get(spec.control, mux->field);
    }
    if (position >= spec.parents.size() || !spec.parents[position].connected()) {
        return 0;
    }
    const ClockParent parent = spec.parents[position];
    const ClockSpec &source = clock_spec(parent.id());
    const std::size_t taken = parent.nodes() ? parent.nodes() : source.nodes.size();
    std::uint64_t rate = rate_after(parent.id(), taken, depth - 1);

    for (const ClockNode &node : spec.nodes.first(std::min(nodes, spec.nodes.size()))) {
        const std::uint32_t value = registers_.get(spec.control, node.field);
        switch (node.type) {
        case NodeType::pll:
            rate = pll_rate(*pll_by_clock(id), rate);
            break;
        case NodeType::fixed_factor:
            rate /= 2;
            break;
        case NodeType::div1:
        case NodeType::div2:
            // A divider of zero passes the clock on.
            rate /= std::max(value, 1U);
            break;
        case NodeType::gate:
            rate = value ? rate : 0;
            break;
        case NodeType::mux:
        case NodeType::none:
            break;
        }
    }
    return rate;
}

std::uint64_t Clocks::rate(ClockId id) const {
    return rate_after(id, ~std::size_t{0}, kMaxDepth);
}

} // namespace zynqmp
