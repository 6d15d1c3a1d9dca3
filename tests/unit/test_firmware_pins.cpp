// SPDX-License-Identifier: GPL-2.0-or-later
//
// Platform firmware: pins, asked the way Linux asks.
#include "fw_harness.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace {

using fw_unit::Fw;
using fw_unit::Words;

constexpr std::uint32_t kBad = 1;
constexpr std::uint32_t kNoAccess = 2002;
constexpr std::uint16_t kEnd = 0xFFFF;

std::vector<std::uint16_t> unpack(const Words &words) {
    std::vector<std::uint16_t> groups;
    for (std::size_t i = 1; i < 4; ++i) {
        groups.push_back(static_cast<std::uint16_t>(words[i]));
        groups.push_back(static_cast<std::uint16_t>(words[i] >> 16));
    }
    return groups;
}

/// Pins by group name ("uart0_4_grp"), learnt from the answers as Linux learns them.
std::map<std::string, std::set<std::uint32_t>> learn(Fw &fw) {
    std::map<std::uint16_t, std::set<std::uint32_t>> groups;
    const std::uint32_t pins = fw.value(35, {6});
    for (std::uint32_t pin = 0; pin < pins; ++pin) {
        bool more = true;
        for (std::uint32_t index = 0; more; index += 6) {
            assert_true(index <= 50); // as far as Linux reads
            const Words words = fw.call(35, {11, pin, index});
            assert_int_equal(words[0], 0);
            for (const std::uint16_t group : unpack(words)) {
                if (group == kEnd) {
                    more = false;
                    break;
                }
                groups[group].insert(pin);
            }
        }
    }
    std::map<std::string, std::set<std::uint32_t>> named;
    const std::uint32_t functions = fw.value(35, {7});
    for (std::uint32_t function = 0; function < functions; ++function) {
        const std::string name = fw.name(9, function);
        const std::uint32_t count = fw.value(35, {8, function});
        for (std::uint32_t index = 0; index < count; index += 6) {
            const auto answer = unpack(fw.call(35, {10, function, index}));
            for (std::uint32_t i = 0; i < 6 && index + i < count; ++i) {
                assert_true(answer[i] != kEnd);
                named[name + "_" + std::to_string(index + i) + "_grp"] = groups[answer[i]];
            }
        }
    }
    return named;
}

void groups_that_device_trees_of_the_board_name(void **) {
    Fw fw;
    auto groups = learn(fw);
    using Set = std::set<std::uint32_t>;
    assert_true(groups["uart0_4_grp"] == (Set{18, 19}));
    assert_true(groups["uart1_5_grp"] == (Set{20, 21}));
    assert_true(groups["i2c0_3_grp"] == (Set{14, 15}));
    assert_true(groups["i2c1_4_grp"] == (Set{16, 17}));
    assert_true(groups["can1_6_grp"] == (Set{24, 25}));
    assert_true(groups["usb0_0_grp"] == (Set{52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63}));
    assert_true(groups["ethernet3_0_grp"] == (Set{64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75}));
    assert_true(groups["mdio3_0_grp"] == (Set{76, 77}));
    assert_true(groups["sdio1_0_grp"] == (Set{39, 40, 41, 42, 46, 47, 48, 49, 50, 51}));
    assert_true(groups["sdio1_cd_0_grp"] == (Set{45}));
    assert_true(groups["sdio1_wp_0_grp"] == (Set{44}));
    assert_true(groups["gpio0_22_grp"] == (Set{22}));
    assert_true(groups["qspi0_0_grp"] == (Set{0, 1, 2, 3, 4, 8, 9, 10, 11, 12}));
    assert_true(groups["dpaux0_1_grp"] == (Set{29, 30}));
    assert_true(groups["sdio0_2_grp"] == (Set{64, 66, 67, 68, 69, 70, 71, 72, 73, 74}));
}

void every_group_has_pins_and_every_pin_is_gpio(void **) {
    Fw fw;
    const auto groups = learn(fw);
    assert_int_equal(fw.value(35, {6}), 78);
    assert_int_equal(fw.value(35, {7}), 57);
    for (const auto &[name, pins] : groups) {
        assert_false(pins.empty());
        assert_true(pins.size() <= 50); // Linux has room for fifty
    }
    for (std::uint32_t pin = 0; pin < 78; ++pin) {
        const auto &one = groups.at("gpio0_" + std::to_string(pin) + "_grp");
        assert_true(one.size() == 1 && *one.begin() == pin);
    }
    assert_int_equal(fw.errors.size(), 0);
}

void an_empty_answer_is_all_ones(void **) {
    Fw fw;
    for (const Words &words : {fw.call(35, {10, 2, 6}), fw.call(35, {10, 2, ~0U}),
                               fw.call(35, {11, 0, 60}), fw.call(35, {11, 0, ~0U})}) {
        assert_int_equal(words[0], 0);
        assert_true(words[1] == ~0U && words[2] == ~0U && words[3] == ~0U);
    }
    // one group: the other five places say so
    const Words one = fw.call(35, {10, 2, 0});
    assert_int_equal(one[1] >> 16, kEnd);
    assert_true(one[2] == ~0U && one[3] == ~0U);
}

void names(void **) {
    Fw fw;
    assert_string_equal(fw.name(9, 0).c_str(), "can0");
    assert_string_equal(fw.name(9, 41).c_str(), "uart0");
    assert_string_equal(fw.name(9, 56).c_str(), "testscan0");
    assert_string_equal(fw.name(9, 57).c_str(), "END_OF_FUNCTION");
}

void a_pin_is_requested_before_it_is_set(void **) {
    Fw fw;
    assert_int_equal(fw.value(30, {18}), 7); // GPIO
    assert_int_equal(fw.status(31, {18, 41}), kNoAccess);
    assert_int_equal(fw.status(33, {18, 0, 1}), kNoAccess);
    assert_int_equal(fw.errors.size(), 2);
    assert_int_equal(fw.status(28, {18}), 0);
    assert_int_equal(fw.status(28, {18}), 0); // a driver may ask again
    assert_int_equal(fw.status(31, {18, 41}), 0);
    assert_int_equal(fw.value(30, {18}), 41);
    assert_int_equal(fw.status(29, {18}), 0);
    assert_int_equal(fw.status(29, {18}), kNoAccess);
    assert_int_equal(fw.value(30, {18}), 41); // releasing leaves it as it is
}

void a_pin_has_only_its_own_functions(void **) {
    Fw fw;
    assert_int_equal(fw.status(28, {18}), 0);
    assert_int_equal(fw.status(31, {18, 42}), kBad); // UART1 is on 20
    assert_int_equal(fw.status(31, {18, 57}), kBad);
    assert_int_equal(fw.status(31, {18, ~0U}), kBad);
    assert_int_equal(fw.errors.size(), 3);
    assert_int_equal(fw.value(30, {18}), 7);
}

void settings(void **) {
    Fw fw;
    assert_int_equal(fw.status(28, {18}), 0);
    assert_int_equal(fw.value(32, {18, 5}), 1); // 1.8 V: Linux compares it with the tree
    assert_int_equal(fw.value(32, {18, 4}), 3); // 12 mA
    assert_int_equal(fw.status(33, {18, 0, 0}), 0);
    assert_int_equal(fw.value(32, {18, 0}), 0);
    assert_int_equal(fw.status(33, {18, 1, 0}), 0); // no pull
    assert_int_equal(fw.value(32, {18, 1}), 0);
    assert_int_equal(fw.status(33, {18, 2, 1}), 0); // pull up switches it on
    assert_int_equal(fw.value(32, {18, 1}), 1);
    assert_int_equal(fw.status(33, {18, 6, 1}), 0);
    assert_int_equal(fw.value(32, {18, 6}), 1);
    assert_int_equal(fw.status(33, {18, 4, 4}), kBad);
    assert_int_equal(fw.status(33, {18, 5, 0}), kBad); // the board's voltage
    assert_int_equal(fw.status(33, {18, 7, 0}), kBad);
    assert_int_equal(fw.status(32, {18, 7}), kBad);
    assert_int_equal(fw.errors.size(), 4);
    assert_non_null(strstr(fw.describe(XFW_PINS).c_str(),
                           "MIO18 gpio0      fast, 12 mA, pull up, Schmitt, high impedance, "
                           "requested\n"));
}

void wrong_pins(void **) {
    Fw fw;
    for (const std::uint32_t pin : {78U, ~0U}) {
        for (const std::uint32_t api : {28U, 29U, 30U, 31U, 32U, 33U}) {
            assert_int_equal(fw.status(api, {pin, 0, 0}), kBad);
        }
        assert_int_equal(fw.status(35, {11, pin, 0}), kBad);
        assert_int_equal(fw.status(35, {8, pin}), kBad);
        assert_int_equal(fw.status(35, {10, pin, 0}), kBad);
    }
    assert_int_equal(fw.errors.size(), 18);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(groups_that_device_trees_of_the_board_name),
        cmocka_unit_test(every_group_has_pins_and_every_pin_is_gpio),
        cmocka_unit_test(an_empty_answer_is_all_ones),
        cmocka_unit_test(names),
        cmocka_unit_test(a_pin_is_requested_before_it_is_set),
        cmocka_unit_test(a_pin_has_only_its_own_functions),
        cmocka_unit_test(settings),
        cmocka_unit_test(wrong_pins),
    };
    return unit::run_group("firmware_pins", tests);
}
