// SPDX-License-Identifier: GPL-2.0-or-later
//
// UG1200, pin control API functions. How group numbers are packed and ended is what
// drivers/pinctrl/pinctrl-zynqmp.c expects: it writes past its arrays if an answer
// with fewer groups is not ended by 0xFFFF.
#include "pins.hpp"

#include <algorithm>
#include <cstring>

namespace zynqmp {

namespace {

constexpr std::uint16_t kNoMoreGroups = 0xFFFF;
constexpr std::size_t kGroupsPerAnswer = 6;
constexpr std::uint8_t kGpio = 7;

// Largest value of each parameter.
constexpr std::array<std::uint8_t, kPinParameters> kLargest = {1, 1, 1, 1, 3, 1, 1};
constexpr Pin kBootPin = {false, kGpio, {1, 1, 1, 1, 3, 1, 0}};

using Groups = std::array<std::uint16_t, kGroupsPerAnswer>;

Reply pack(const Groups &groups) {
    Reply reply;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        reply.word[1 + i / 2] |= static_cast<std::uint32_t>(groups[i]) << (i % 2 * 16);
    }
    return reply;
}

Groups no_groups() {
    Groups groups{};
    groups.fill(kNoMoreGroups);
    return groups;
}

} // namespace

void Pins::reset() {
    state_.fill(kBootPin);
}

bool Pins::restore(const State &state) {
    for (const Pin &pin : state) {
        if (pin.function >= kFunctions ||
            !std::equal(pin.parameter.begin(), pin.parameter.end(), kLargest.begin(),
                        [](std::uint8_t value, std::uint8_t most) { return value <= most; })) {
            return false;
        }
    }
    state_ = state;
    return true;
}

bool Pins::known(const char *call, std::uint32_t pin) const {
    if (pin >= kPins) {
        host_.guest_errorf("%s: there is no pin %u", call, pin);
        return false;
    }
    return true;
}

Reply Pins::request(std::uint32_t pin) {
    if (!known("pinctrl_request", pin)) {
        return Status::bad_argument;
    }
    // Only one subsystem runs, so nobody else can hold the pin.
    state_[pin].requested = true;
    return Status::success;
}

Reply Pins::release(std::uint32_t pin) {
    if (!known("pinctrl_release", pin)) {
        return Status::bad_argument;
    }
    if (!state_[pin].requested) {
        host_.guest_errorf("pinctrl_release: pin %u was not requested", pin);
        return Status::no_access;
    }
    state_[pin].requested = false;
    return Status::success;
}

Reply Pins::set_function(std::uint32_t pin, std::uint32_t function) {
    if (!known("pinctrl_set_function", pin)) {
        return Status::bad_argument;
    }
    if (!function_uses(function, pin)) {
        host_.guest_errorf("pinctrl_set_function: pin %u cannot have function %u", pin, function);
        return Status::bad_argument;
    }
    if (!state_[pin].requested) {
        host_.guest_errorf("pinctrl_set_function: pin %u was not requested", pin);
        return Status::no_access;
    }
    state_[pin].function = static_cast<std::uint8_t>(function);
    host_.changedf("pin %u function %s", pin, function_name(function));
    return Status::success;
}

Reply Pins::function(std::uint32_t pin) const {
    if (!known("pinctrl_get_function", pin)) {
        return Status::bad_argument;
    }
    return Reply::value(state_[pin].function);
}

Reply Pins::set_parameter(std::uint32_t pin, std::uint32_t parameter, std::uint32_t value) {
    if (!known("pinctrl_config_param_set", pin)) {
        return Status::bad_argument;
    }
    if (parameter >= kPinParameters || value > kLargest[parameter] ||
        parameter == static_cast<std::uint32_t>(PinParameter::voltage)) {
        host_.guest_errorf("pinctrl_config_param_set: pin %u, parameter %u = %u", pin, parameter,
                           value);
        return Status::bad_argument;
    }
    if (!state_[pin].requested) {
        host_.guest_errorf("pinctrl_config_param_set: pin %u was not requested", pin);
        return Status::no_access;
    }
    Pin &changed = state_[pin];
    changed.parameter[parameter] = static_cast<std::uint8_t>(value);
    if (parameter == static_cast<std::uint32_t>(PinParameter::pull)) {
        // Choosing a direction switches the resistor on.
        changed.parameter[static_cast<std::size_t>(PinParameter::bias)] = 1;
    }
    host_.changedf("pin %u parameter %u = %u", pin, parameter, value);
    return Status::success;
}

Reply Pins::parameter(std::uint32_t pin, std::uint32_t parameter) const {
    if (!known("pinctrl_config_param_get", pin)) {
        return Status::bad_argument;
    }
    if (parameter >= kPinParameters) {
        host_.guest_errorf("pinctrl_config_param_get: there is no parameter %u", parameter);
        return Status::bad_argument;
    }
    return Reply::value(state_[pin].parameter[parameter]);
}

Reply Pins::num_groups(std::uint32_t function) const {
    if (function >= kFunctions) {
        host_.guest_errorf("query number of groups: there is no function %u", function);
        return Status::bad_argument;
    }
    return Reply::value(group_count(function));
}

Reply Pins::name(std::uint32_t function) {
    const char *text = function < kFunctions ? function_name(function) : "END_OF_FUNCTION";
    std::array<char, 16> padded{};
    std::memcpy(padded.data(), text, std::min(std::strlen(text), padded.size() - 1));
    Reply reply;
    std::memcpy(reply.word.data(), padded.data(), padded.size());
    return reply;
}

Reply Pins::function_groups(std::uint32_t function, std::uint32_t index) const {
    if (function >= kFunctions) {
        host_.guest_errorf("query groups of a function: there is no function %u", function);
        return Status::bad_argument;
    }
    Groups groups = no_groups();
    const std::uint32_t count = group_count(function);
    for (std::uint32_t i = 0; i < groups.size() && index < count && i < count - index; ++i) {
        groups[i] = static_cast<std::uint16_t>(first_group(function) + index + i);
    }
    return pack(groups);
}

Reply Pins::pin_groups(std::uint32_t pin, std::uint32_t index) const {
    if (!known("query groups of a pin", pin)) {
        return Status::bad_argument;
    }
    Groups groups = no_groups();
    std::uint32_t seen = 0;
    std::size_t used = 0;
    for (std::uint32_t group = 0; group < total_groups() && used < groups.size(); ++group) {
        if (group_has(group, pin) && seen++ >= index) {
            groups[used++] = static_cast<std::uint16_t>(group);
        }
    }
    return pack(groups);
}

} // namespace zynqmp
