// SPDX-License-Identifier: GPL-2.0-or-later
#include "describe.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace zynqmp {

namespace {

class Text {
public:
    explicit Text(std::span<char> to) : to_(to) {
        if (!to_.empty()) {
            to_[0] = '\0';
        }
    }

    [[gnu::format(printf, 2, 3)]] void line(const char *format, ...) {
        std::array<char, 128> one{};
        std::va_list args;
        va_start(args, format);
        static_cast<void>(std::vsnprintf(one.data(), one.size(), format, args));
        va_end(args);
        const std::size_t length = std::strlen(one.data());
        if (length_ + 1 < to_.size()) {
            const std::size_t room = std::min(length, to_.size() - 1 - length_);
            std::memcpy(to_.data() + length_, one.data(), room);
            to_[length_ + room] = '\0';
        }
        length_ += length;
    }

    [[nodiscard]] std::size_t length() const { return length_; }

private:
    std::span<char> to_;
    std::size_t length_ = 0;
};

} // namespace

std::size_t describe_clocks(const Firmware &firmware, std::span<char> to) {
    Text text(to);
    for (ClockId id = 0; id < kFirstInput; ++id) {
        if (*clock_name(id) != '\0') {
            const std::uint64_t rate = firmware.clocks().rate(id);
            text.line("%3u %-15s %10llu Hz%s\n", id, clock_name(id),
                      static_cast<unsigned long long>(rate), rate == 0 ? " (stopped)" : "");
        }
    }
    return text.length();
}

std::size_t describe_nodes(const Firmware &firmware, std::span<char> to) {
    Text text(to);
    const Nodes::State &state = firmware.nodes().state();
    for (std::uint32_t node = 0; node < kNodes; ++node) {
        if (state[node].requested) {
            text.line("%2u %-10s capabilities 0x%x quality %u%s\n", node, node_name(node),
                      state[node].capabilities, state[node].qos, state[node].wakes ? " wakes" : "");
        }
    }
    return text.length();
}

std::size_t describe_resets(const Firmware &firmware, std::span<char> to) {
    Text text(to);
    for (std::uint32_t id = kFirstReset; id < kFirstReset + kResets; ++id) {
        if (firmware.resets().asserted(id)) {
            text.line("%u %s\n", id, reset_name(id));
        }
    }
    return text.length();
}

std::size_t describe_pins(const Firmware &firmware, std::span<char> to) {
    constexpr std::array<const char *, 4> strength = {"2", "4", "8", "12"};
    const auto of = [](const Pin &pin, PinParameter parameter) {
        return pin.parameter[static_cast<std::size_t>(parameter)];
    };
    Text text(to);
    for (std::uint32_t i = 0; i < kPins; ++i) {
        const Pin &pin = firmware.pins().state()[i];
        const char *pull = "no pull";
        if (of(pin, PinParameter::bias)) {
            pull = of(pin, PinParameter::pull) ? "pull up" : "pull down";
        }
        text.line("MIO%-2u %-10s %s, %s mA, %s, %s%s%s\n", i, function_name(pin.function),
                  of(pin, PinParameter::slew_rate) ? "slow" : "fast",
                  strength[of(pin, PinParameter::drive_strength)], pull,
                  of(pin, PinParameter::schmitt) ? "Schmitt" : "CMOS",
                  of(pin, PinParameter::tri_state) ? ", high impedance" : "",
                  pin.requested ? ", requested" : "");
    }
    return text.length();
}

} // namespace zynqmp
