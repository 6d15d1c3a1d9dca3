// SPDX-License-Identifier: GPL-2.0-or-later
//
// UG1085, "MIO pin assignment": which peripheral can be on which pins. Names of functions and
// the order of groups are the interface to device trees: Documentation/devicetree/
// bindings/pinctrl/xlnx,zynqmp-pinctrl.yaml (groups are called FUNCTION_N_grp).
#include "pin_table.hpp"

#include <array>
#include <string_view>

namespace zynqmp {

namespace {

// Groups are written as "2-3 6-7": pins or ranges, '+' joins them in one group, blanks part
// groups. Both names and lists are checked when this file is compiled.
struct Function {
    std::string_view name;
    std::string_view groups;
};

// clang-format off
#define BANK_PAIRS_FROM_2 "2-3 6-7 10-11 14-15 18-19 22-23 26-27 30-31 34-35 38-39 42-43 46-47 " \
                          "50-51 54-55 58-59 62-63 66-67 70-71 74-75"
#define BANK_PAIRS_FROM_0 "0-1 4-5 8-9 12-13 16-17 20-21 24-25 28-29 32-33 36-37 40-41 44-45 " \
                          "48-49 52-53 56-57 60-61 64-65 68-69 72-73"

constexpr std::array<Function, kFunctions> kTable = {{
    {"can0", BANK_PAIRS_FROM_2},
    {"can1", BANK_PAIRS_FROM_0 " 76-77"},
    {"ethernet0", "26-37"},
    {"ethernet1", "38-49"},
    {"ethernet2", "52-63"},
    {"ethernet3", "64-75"},
    {"gemtsu0", "26 50 51"},
    {"gpio0", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
              "30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 "
              "57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77"},
    {"i2c0", BANK_PAIRS_FROM_2},
    {"i2c1", BANK_PAIRS_FROM_0 " 76-77"},
    {"mdio0", "76-77"},
    {"mdio1", "50-51 76-77"},
    {"mdio2", "76-77"},
    {"mdio3", "76-77"},
    {"qspi0", "0-4+8-12"},
    {"qspi_fbclk", "6"},
    {"qspi_ss", "5+7"},
    {"spi0", "0+4-5 12+16-17 26+30-31 38+42-43 52+56-57 64+68-69"},
    {"spi1", "6+10-11 18+22-23 32+36-37 44+48-49 58+62-63 70+74-75"},
    {"spi0_ss", "3 2 1 15 14 13 29 28 27 41 40 39 55 54 53 67 66 65"},
    {"spi1_ss", "9 8 7 21 20 19 35 34 33 47 46 45 61 60 59 73 72 71"},
    // Eight bits wide at three places, then four bits at two places each, then one bit.
    {"sdio0", "13-22 38+40-48 64+66-74 "
              "13-16+21-22 17-22 38+40-44 38+40+45-48 64+66-70 64+66+71-74 "
              "13+21-22 14+21-22 15+21-22 16+21-22 17+21-22 18+21-22 19+21-22 20-22 "
              "38+40-41 38+40+42 38+40+43 38+40+44 38+40+45 38+40+46 38+40+47 38+40+48 "
              "64+66-67 64+66+68 64+66+69 64+66+70 64+66+71 64+66+72 64+66+73 64+66+74"},
    {"sdio0_pc", "23 49 75"},
    {"sdio0_cd", "24 39 65"},
    {"sdio0_wp", "25 50 76"},
    {"sdio1", "39-42+46-51 39-42+50-51 46-51 71-76 "
              "39+50-51 40+50-51 41+50-51 42+50-51 46+50-51 47+50-51 48+50-51 49-51 "
              "71+75-76 72+75-76 73+75-76 74-76"},
    {"sdio1_pc", "43 70"},
    {"sdio1_cd", "45 77"},
    {"sdio1_wp", "44 69"},
    {"nand0", "13-25"},
    {"nand0_ce", "9 26"},
    {"nand0_rb", "10-11 27-28"},
    {"nand0_dqs", "12 32"},
    {"ttc0_clk", "6 14 22 30 38 46 54 62 70"},
    {"ttc0_wav", "7 15 23 31 39 47 55 63 71"},
    {"ttc1_clk", "4 12 20 28 36 44 52 60 68"},
    {"ttc1_wav", "5 13 21 29 37 45 53 61 69"},
    {"ttc2_clk", "2 10 18 26 34 42 50 58 66"},
    {"ttc2_wav", "3 11 19 27 35 43 51 59 67"},
    {"ttc3_clk", "0 8 16 24 32 40 48 56 64"},
    {"ttc3_wav", "1 9 17 25 33 41 49 57 65"},
    {"uart0", BANK_PAIRS_FROM_2},
    {"uart1", BANK_PAIRS_FROM_0},
    {"usb0", "52-63"},
    {"usb1", "64-75"},
    {"swdt0_clk", "6 10 18 22 30 34 42 46 50 62 66 70 74"},
    {"swdt0_rst", "7 11 19 23 31 35 43 47 51 63 67 71 75"},
    {"swdt1_clk", "4 8 16 20 24 32 36 44 48 56 64 68 72"},
    {"swdt1_rst", "5 9 17 21 25 33 37 45 49 57 65 69 73"},
    {"pmu0", "26 27 28 29 30 31 32 33 34 35 36 37"},
    {"pcie0", "29 30 31 33 34 35 36 37"},
    {"csu0", "18 19 20 21 22 23 24 25 26 31 32 33"},
    {"dpaux0", "27-28 29-30 34-35 36-37"},
    {"pjtag0", "0-3 12-15 26-29 38-41 52-55 58-61"},
    {"trace0", "2-17 26-37+40-43 54-69"},
    {"trace0_clk", "0-1 38-39 52-53"},
    {"testscan0", "0-37"},
}};
// clang-format on

/// The 78 bits of a pin set, in a form that can be computed while compiling.
struct Mask {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    constexpr void add(unsigned pin) {
        if (pin < 64) {
            low |= std::uint64_t{1} << pin;
        } else {
            high |= std::uint64_t{1} << (pin - 64);
        }
    }
    [[nodiscard]] constexpr bool has(unsigned pin) const {
        return ((pin < 64 ? low >> pin : high >> (pin - 64)) & 1) != 0;
    }
};

constexpr std::uint32_t count_groups(std::string_view list) {
    std::uint32_t count = 1;
    for (const char c : list) {
        count += c == ' ' ? 1 : 0;
    }
    return count;
}

constexpr std::array<std::uint32_t, kFunctions + 1> group_starts() {
    std::array<std::uint32_t, kFunctions + 1> starts{};
    for (std::size_t i = 0; i < kFunctions; ++i) {
        starts[i + 1] = starts[i] + count_groups(kTable[i].groups);
    }
    return starts;
}
constexpr auto kStarts = group_starts();
constexpr std::uint32_t kGroups = kStarts[kFunctions];

class Parser {
public:
    constexpr explicit Parser(std::string_view text) : text_(text) {}

    constexpr Mask group() {
        Mask mask;
        do {
            const unsigned first = number();
            const unsigned last = take('-') ? number() : first;
            for (unsigned pin = first; pin <= last; ++pin) {
                mask.add(pin);
            }
        } while (take('+'));
        static_cast<void>(take(' '));
        return mask;
    }

private:
    constexpr unsigned number() {
        unsigned value = 0;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
            value = value * 10 + static_cast<unsigned>(text_[at_++] - '0');
        }
        return value;
    }
    constexpr bool take(char c) {
        const bool found = at_ < text_.size() && text_[at_] == c;
        at_ += found ? 1 : 0;
        return found;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

constexpr std::array<Mask, kGroups> parse_groups() {
    std::array<Mask, kGroups> masks{};
    for (std::size_t i = 0; i < kFunctions; ++i) {
        Parser parser(kTable[i].groups);
        for (std::uint32_t group = kStarts[i]; group < kStarts[i + 1]; ++group) {
            masks[group] = parser.group();
        }
    }
    return masks;
}
constexpr auto kMasks = parse_groups();

constexpr bool sane() {
    for (const Function &function : kTable) {
        if (function.name.empty() || function.name.size() > 15) {
            return false;
        }
    }
    for (const Mask &mask : kMasks) {
        if ((mask.low == 0 && mask.high == 0) || mask.high >> (kPins - 64) != 0) {
            return false;
        }
    }
    return true;
}
static_assert(sane(), "names fit the answer, groups have pins, pins exist");

} // namespace

const char *function_name(std::uint32_t function) {
    return function < kFunctions ? kTable[function].name.data() : "";
}

std::uint32_t first_group(std::uint32_t function) {
    return function < kFunctions ? kStarts[function] : kGroups;
}

std::uint32_t group_count(std::uint32_t function) {
    return function < kFunctions ? kStarts[function + 1] - kStarts[function] : 0;
}

std::uint32_t total_groups() {
    return kGroups;
}

bool group_has(std::uint32_t group, std::uint32_t pin) {
    return group < kGroups && pin < kPins && kMasks[group].has(pin);
}

bool function_uses(std::uint32_t function, std::uint32_t pin) {
    if (function >= kFunctions || pin >= kPins) {
        return false;
    }
    for (std::uint32_t group = kStarts[function]; group < kStarts[function + 1]; ++group) {
        if (kMasks[group].has(pin)) {
            return true;
        }
    }
    return false;
}

} // namespace zynqmp
