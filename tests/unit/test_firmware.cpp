// SPDX-License-Identifier: GPL-2.0-or-later
//
// Platform firmware: marshalling, versions, nodes, resets, registers, ioctls, saved state.
#include "fw_harness.hpp"

#include <random>

namespace {

using fw_unit::Fw;
using fw_unit::Words;

constexpr std::uint32_t kBad = 1;
constexpr std::uint32_t kNoFeature = 19;
constexpr std::uint32_t kNoAccess = 2002;
constexpr std::uint32_t kNoNode = 2003;
constexpr std::uint32_t kDouble = 2004;

// ---- Marshalling --------------------------------------------------------------

void owned_ids(void **) {
    assert_true(xfw_owns(0xC2000001));
    assert_true(xfw_owns(0x82000001));
    assert_true(xfw_owns(0x8200FF03));
    assert_true(xfw_owns(0xFFFFFFFFC2000001)); // the id is 32 bits
    assert_false(xfw_owns(0x84000000));        // PSCI
    assert_false(xfw_owns(0xC4000003));
    assert_false(xfw_owns(0x80000000)); // architecture
    assert_false(xfw_owns(0x42000001)); // yielding
    assert_false(xfw_owns(0));
}

void api_version_sits_in_the_upper_half_of_x0(void **) {
    Fw fw;
    const auto out = fw.smc(0xC2000001);
    assert_true(out[0] == 0x0001000100000000);
    assert_true(out[1] == 0 && out[2] == 0 && out[3] == 0);
}

void both_calling_conventions_are_answered(void **) {
    Fw fw;
    assert_true(fw.smc(0x82000001)[0] == fw.smc(0xC2000001)[0]);
    assert_true(fw.smc(0xC2000A03)[0] == 0x0001000000000000); // trusted firmware 1.0
}

void arguments_are_pairs_low_word_first(void **) {
    Fw fw;
    // mmio_write(0xFFD80030, all bits, 0x12345678)
    assert_true(fw.smc(0xC2000013, {0xFFFFFFFFFFD80030, 0x12345678})[0] == 0);
    assert_true(fw.smc(0xC2000014, {0xFFD80030})[0] == 0x1234567800000000);
}

void chip_is_an_xczu9eg_on_qemu(void **) {
    Fw fw;
    const Words words = fw.call(24);
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], 0x24738093);
    assert_int_equal(words[2], 0x3003);
    assert_int_equal(fw.value(20, {0xFFCA0040}), 0x24738093);
    assert_int_equal(fw.value(20, {0xFFCA0044}), 0x3003);
}

void identity_can_be_another(void **) {
    Fw fw({0x24730093, 3, 0});
    assert_int_equal(fw.call(24)[1], 0x24730093);
    assert_int_equal(fw.value(20, {0xFFCA0044}), 3);
    assert_int_equal(fw.value(20, {0xFF5E0200}), 0);
}

void service_queries(void **) {
    Fw fw;
    const auto version = fw.smc(0x8200FF03);
    assert_true(version[0] == 0 && version[1] == 1); // 0.1
    // 5c9b1b2a-0586-2340-a61b-b925822de3a5, bytes in memory order
    const auto uid = fw.smc(0x8200FF01);
    assert_true(uid[0] == 0x2A1B9B5C && uid[1] == 0x40238605);
    assert_true(uid[2] == 0x25B91BA6 && uid[3] == 0xA5E32D82);
    assert_int_equal(fw.errors.size(), 0);
}

void mailbox_calls_succeed(void **) {
    Fw fw;
    for (std::uint64_t call = 0; call < 7; ++call) {
        assert_true(fw.smc(0x82001000 + call, {0, 4})[0] == 0);
    }
    assert_int_equal(fw.errors.size(), 0);
    assert_true(fw.smc(0x82001007)[0] == ~std::uint64_t{0});
    assert_int_equal(fw.errors.size(), 1);
}

void unknown_services_are_refused(void **) {
    Fw fw;
    assert_true(fw.smc(0xC2010001)[0] == ~std::uint64_t{0});
    assert_true(fw.smc(0x8200FF00)[0] == ~std::uint64_t{0});
    assert_int_equal(fw.errors.size(), 2);
}

// ---- Features -------------------------------------------------------------------

void feature_versions(void **) {
    Fw fw;
    assert_int_equal(fw.value(63, {63}), 2);
    assert_int_equal(fw.value(63, {35}), 2);
    assert_int_equal(fw.value(63, {33}), 2); // high impedance may be asked for
    for (const std::uint32_t api :
         {1,  2,  3,  5,  11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24,
          28, 29, 30, 31, 32, 36, 37, 38, 39, 40, 43, 44, 48, 49, 50, 51}) {
        assert_int_equal(fw.value(63, {api}), 1);
    }
    assert_int_equal(fw.value(63, {0xA03}), 1);
    assert_int_equal(fw.value(63, {0xA02}), 1);
}

void what_is_not_there_is_no_feature(void **) {
    Fw fw;
    // suspend, wake-up of real-time processors, logic load, security, fuses, Versal's calls
    for (const std::uint32_t api : {0,  4,  6,  7,  8,  9,  10, 16, 22,    25,    26,    27,   41,
                                    42, 45, 46, 47, 52, 53, 54, 64, 0xA04, 0xA00, 0x701, 0xFFF}) {
        assert_int_equal(fw.status(63, {api}), kNoFeature);
        assert_int_equal(fw.status(api), kNoFeature);
    }
    assert_int_equal(fw.errors.size(), 0);
}

void feature_masks_name_the_ioctls_and_queries(void **) {
    Fw fw;
    const Words ioctl = fw.call(63, {34});
    assert_int_equal(ioctl[0], 0);
    assert_int_equal(ioctl[2], 0xCC07FFDF); // 0-4, 6-18, 26, 27, 30, 31
    assert_int_equal(ioctl[3], 0);
    const Words query = fw.call(63, {35});
    assert_int_equal(query[2], 0x00003FFE); // 1-13
    assert_int_equal(query[3], 0);
}

void every_reported_ioctl_is_answered(void **) {
    Fw fw;
    const Words mask = fw.call(63, {34});
    for (std::uint32_t id = 0; id < 64; ++id) {
        const bool reported = (mask[2 + id / 32] >> id % 32 & 1) != 0;
        const bool answered = fw.status(34, {0xFFFF, id, 0, 0}) != kNoFeature;
        assert_int_equal(reported, answered);
    }
}

// ---- Nodes --------------------------------------------------------------------

void a_node_is_requested_once(void **) {
    Fw fw;
    fw.listening = true;
    assert_int_equal(fw.status(13, {33, 0, 0, 2}), 0); // UART_0
    assert_int_equal(fw.status(13, {33, 0, 0, 2}), kDouble);
    assert_int_equal(fw.status(15, {33, 1, 100, 2}), 0);
    const Words words = fw.call(3, {33});
    assert_int_equal(words[1], 1); // on
    assert_int_equal(words[2], 1); // access
    assert_int_equal(words[3], 1); // used by the caller
    assert_int_equal(fw.status(14, {33}), 0);
    assert_int_equal(fw.call(3, {33})[3], 0);
    assert_int_equal(fw.status(14, {33}), kNoAccess);
    assert_int_equal(fw.status(15, {33, 1, 100, 2}), kNoAccess);
    assert_int_equal(fw.changes.size(), 3);
    assert_string_equal(fw.changes[0].c_str(), "node UART_0 requested, capabilities 0x0");
}

void wrong_nodes_are_refused(void **) {
    Fw fw;
    for (const std::uint32_t node : {0U, 77U, 0x18224000U, ~0U}) {
        assert_int_equal(fw.status(13, {node, 1, 0, 1}), kNoNode);
        assert_int_equal(fw.status(14, {node}), kNoNode);
        assert_int_equal(fw.status(15, {node, 1, 0, 1}), kNoNode);
        assert_int_equal(fw.status(3, {node}), kNoNode);
        assert_int_equal(fw.status(5, {node, 1, 0, 1}), kNoNode);
        assert_int_equal(fw.status(11, {2, node, 1}), kNoNode);
    }
    assert_int_equal(fw.errors.size(), 24);
    assert_int_equal(fw.status(13, {33, 0x10, 0, 1}), kBad);
    assert_int_equal(fw.status(13, {33, 1, 101, 1}), kBad);
    assert_int_equal(fw.errors.size(), 26);
}

void memory_and_processors_are_in_use_from_the_start(void **) {
    Fw fw;
    for (const std::uint32_t node : {2U, 5U, 11U, 55U, 62U}) { // APU_0, APU_3, OCM, DDR, LPD
        assert_int_equal(fw.call(3, {node})[1], 1);
    }
    assert_int_equal(fw.call(3, {33})[1], 0); // UART_0
    assert_non_null(strstr(fw.describe(XFW_NODES).c_str(), "55 DDR"));
}

// ---- Resets -------------------------------------------------------------------

void resets_are_register_bits(void **) {
    Fw fw;
    assert_int_equal(fw.value(18, {1032}), 0); // GEM3: in use on the board
    assert_int_equal(fw.value(18, {1029}), 1); // GEM0: not
    assert_int_equal(fw.value(20, {0xFF5E0230}), 0x7);
    assert_int_equal(fw.status(17, {1032, 1}), 0);
    assert_int_equal(fw.value(18, {1032}), 1);
    assert_int_equal(fw.value(20, {0xFF5E0230}), 0xF);
    assert_int_equal(fw.status(17, {1032, 0}), 0);
    assert_int_equal(fw.status(17, {1029, 2}), 0); // a pulse ends released
    assert_int_equal(fw.value(20, {0xFF5E0230}), 0x6);
}

void wires_to_the_logic_are_kept(void **) {
    Fw fw;
    assert_int_equal(fw.status(17, {1081 + 31, 1}), 0);
    assert_int_equal(fw.status(17, {1119, 1}), 0);
    assert_int_equal(fw.value(18, {1081 + 31}), 1);
    assert_int_equal(fw.value(18, {1081 + 30}), 0);
    assert_int_equal(fw.value(18, {1119}), 1);
    assert_int_equal(fw.value(18, {1118}), 0);
    assert_non_null(strstr(fw.describe(XFW_RESETS).c_str(), "1119 PS_PL"));
}

void a_guest_cannot_reset_what_it_runs_on(void **) {
    Fw fw;
    for (const std::uint32_t id : {1025U, 1021U, 1026U, 1057U, 1071U, 1076U, 1079U}) {
        assert_int_equal(fw.status(17, {id, 1}), kNoAccess); // ACPU0, L2, DDR, OCM, FPD, PLLs
        assert_int_equal(fw.value(18, {id}), 0);
    }
    assert_int_equal(fw.errors.size(), 7);
    assert_int_equal(fw.shutdowns.size(), 0);
}

void wrong_resets_are_refused(void **) {
    Fw fw;
    for (const std::uint32_t id : {0U, 999U, 1120U, ~0U}) {
        assert_int_equal(fw.status(17, {id, 1}), kBad);
        assert_int_equal(fw.status(18, {id}), kBad);
    }
    assert_int_equal(fw.status(17, {1032, 3}), kBad);
    assert_int_equal(fw.errors.size(), 9);
}

void system_resets_restart_the_machine(void **) {
    Fw fw;
    assert_int_equal(fw.status(17, {1028, 0}), 0); // releasing does nothing
    assert_int_equal(fw.shutdowns.size(), 0);
    assert_int_equal(fw.status(17, {1028, 1}), 0);
    assert_int_equal(fw.status(17, {1114, 2}), 0);
    assert_int_equal(fw.shutdowns.size(), 2);
    assert_int_equal(fw.shutdowns[1], XFW_RESTART);
}

// ---- Shutdown -------------------------------------------------------------------

void shutdown_calls(void **) {
    Fw fw;
    assert_int_equal(fw.status(12, {2, 1}), 0); // scope only
    assert_int_equal(fw.shutdowns.size(), 0);
    assert_int_equal(fw.status(12, {0, 2}), 0);
    assert_int_equal(fw.status(12, {1, 2}), 0);
    assert_int_equal(fw.shutdowns.size(), 2);
    assert_int_equal(fw.shutdowns[0], XFW_POWER_OFF);
    assert_int_equal(fw.shutdowns[1], XFW_RESTART);
    assert_int_equal(fw.status(12, {3, 0}), kBad);
    assert_int_equal(fw.status(12, {0, 3}), kBad);
    assert_int_equal(fw.errors.size(), 2);
    assert_int_equal(fw.shutdowns.size(), 2);
}

// ---- Registers ------------------------------------------------------------------

void registers_hold_what_the_boot_loader_wrote(void **) {
    Fw fw;
    assert_int_equal(fw.value(20, {0xFF5E0020}), 0x00015A00); // IOPLL: 90, halved
    assert_int_equal(fw.value(20, {0xFF5E005C}), 0x06010C00); // GEM3
    assert_int_equal(fw.value(20, {0xFF5E0074}), 0x01010F00); // UART0
    assert_int_equal(fw.value(20, {0xFD1A0060}), 0x03000100); // APU
    assert_int_equal(fw.value(20, {0xFF5E0200}), 0xE);        // SD boot
}

void register_access_is_limited(void **) {
    Fw fw;
    assert_int_equal(fw.status(20, {0xFF000000}), kNoAccess); // a UART
    assert_int_equal(fw.status(20, {0}), kNoAccess);
    assert_int_equal(fw.status(20, {0xFF5E0021}), kNoAccess);
    assert_int_equal(fw.status(19, {0xFFCA0040, ~0U, 0}), kNoAccess); // identity
    assert_int_equal(fw.status(19, {0xFF5E0200, ~0U, 0}), kNoAccess); // boot mode pins
    assert_int_equal(fw.errors.size(), 5);
    // Only fields that exist change.
    assert_int_equal(fw.status(19, {0xFF5E0074, ~0U, ~0U}), 0);
    assert_int_equal(fw.value(20, {0xFF5E0074}), 0x013F3F07);
}

void masked_writes(void **) {
    Fw fw;
    assert_int_equal(fw.status(19, {0xFFD80034, 0xFFFF0000, 0x12345678}), 0);
    assert_int_equal(fw.value(20, {0xFFD80034}), 0x12340000);
    // Linux clears the SD tap enable with two arguments: value is 0.
    assert_int_equal(fw.status(34, {40, 7, 0, 0x2A}), 0);
    assert_int_equal(fw.value(20, {0xFF180314}), 0x012A0000);
    assert_int_equal(fw.status(19, {0xFF180314, 0xFFFF0000}), 0);
    assert_int_equal(fw.value(20, {0xFF180314}), 0);
}

// ---- Ioctls ---------------------------------------------------------------------

void sd_tap_delays(void **) {
    Fw fw;
    assert_int_equal(fw.status(34, {39, 7, 0, 0xFF}), 0);
    assert_int_equal(fw.status(34, {40, 7, 0, 1}), 0);
    assert_int_equal(fw.value(20, {0xFF180314}), 0x010101FF);
    assert_int_equal(fw.status(34, {40, 7, 1, 0x3F}), 0);
    assert_int_equal(fw.value(20, {0xFF180318}), 0x003F0000);
    assert_int_equal(fw.status(34, {40, 7, 1, 0x40}), kBad);
    assert_int_equal(fw.status(34, {40, 7, 2, 1}), kBad);
    assert_int_equal(fw.status(34, {41, 7, 0, 1}), kBad);
    assert_int_equal(fw.errors.size(), 3);
}

void sd_dll_reset(void **) {
    Fw fw;
    assert_int_equal(fw.status(34, {40, 6, 0}), 0);
    assert_int_equal(fw.value(20, {0xFF180358}), 0x00040008);
    assert_int_equal(fw.status(34, {39, 6, 0}), 0);
    assert_int_equal(fw.value(20, {0xFF180358}), 0x0004000C);
    assert_int_equal(fw.status(34, {40, 6, 1}), 0);
    assert_int_equal(fw.status(34, {39, 6, 2}), 0);
    assert_int_equal(fw.value(20, {0xFF180358}), 0x00000008);
    assert_int_equal(fw.status(34, {40, 6, 3}), kBad);
}

void sd_and_gem_configuration(void **) {
    Fw fw;
    assert_int_equal(fw.status(34, {40, 30, 1, 1}), 0); // eMMC
    assert_int_equal(fw.value(20, {0xFF180310}), 0x8000);
    assert_int_equal(fw.status(34, {39, 30, 2, 0xC8}), 0); // base clock 200 MHz
    assert_int_equal(fw.value(20, {0xFF18031C}) & 0x7F80, 0xC8 << 7);
    assert_int_equal(fw.status(34, {40, 30, 2, 0x100}), kBad);
    assert_int_equal(fw.status(34, {40, 30, 5, 0}), kBad);
    assert_int_equal(fw.status(34, {32, 31, 1, 1}), 0);
    assert_int_equal(fw.status(34, {33, 31, 1, 1}), kBad);
}

void storage_registers(void **) {
    Fw fw;
    for (std::uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(fw.status(34, {0, 12, i, 0xA0 + i}), 0);
        assert_int_equal(fw.status(34, {0, 14, i, 0xB0 + i}), 0);
    }
    for (std::uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(fw.value(34, {0, 13, i}), 0xA0 + i);
        assert_int_equal(fw.value(34, {0, 15, i}), 0xB0 + i);
        assert_int_equal(fw.value(20, {0xFFD80030 + 4 * i}), 0xA0 + i);
        assert_int_equal(fw.value(20, {0xFFD80050 + 4 * i}), 0xB0 + i);
    }
    for (const std::uint32_t id : {12U, 13U, 14U, 15U}) {
        assert_int_equal(fw.status(34, {0, id, 4, 0}), kBad);
        assert_int_equal(fw.status(34, {0, id, ~0U, 0}), kBad);
    }
    assert_int_equal(fw.errors.size(), 8);
}

void persistent_storage_survives_a_warm_reset(void **) {
    Fw fw;
    fw.call(34, {0, 12, 0, 1});
    fw.call(34, {0, 14, 0, 2});
    xfw_reset(fw.firmware, false);
    assert_int_equal(fw.value(34, {0, 13, 0}), 0);
    assert_int_equal(fw.value(34, {0, 15, 0}), 2);
    xfw_reset(fw.firmware, true);
    assert_int_equal(fw.value(34, {0, 15, 0}), 0);
}

void real_time_processor_mode(void **) {
    Fw fw;
    assert_int_equal(fw.value(34, {7, 0}), 0);             // lock-step
    assert_int_equal(fw.status(34, {7, 1, 1}), kNoAccess); // in reset
    assert_int_equal(fw.status(17, {1056, 0}), 0);
    assert_int_equal(fw.status(34, {7, 1, 1}), 0);
    assert_int_equal(fw.value(34, {7, 0}), 1);
    assert_int_equal(fw.value(20, {0xFF9A0000}), 0x08);
    assert_int_equal(fw.status(34, {7, 2, 0}), 0); // vectors in the TCM
    assert_int_equal(fw.value(20, {0xFF9A0100}), 0x1);
    assert_int_equal(fw.status(34, {9, 2, 0}), kBad);
}

void boot_health_and_feature_settings(void **) {
    Fw fw;
    assert_int_equal(fw.status(34, {0, 17, 1}), 0);
    assert_int_equal(fw.value(20, {0xFFD80040}), 1);
    assert_int_equal(fw.status(34, {0, 26, 1, 90}), 0);
    assert_int_equal(fw.value(34, {0, 27, 1}), 90);
    assert_int_equal(fw.status(34, {0, 27, 0}), kBad);
    assert_int_equal(fw.status(34, {0, 26, 8, 1}), kBad);
}

// ---- State ----------------------------------------------------------------------

void reset_restores_the_boot_state(void **) {
    Fw fw;
    const auto before = fw.save();
    fw.call(37, {56});           // stop UART0
    fw.call(13, {33, 1, 0, 1});  // request its node
    fw.call(28, {18});           // and a pin
    fw.call(17, {1034, 1});      // and reset it
    fw.call(34, {0, 26, 1, 90}); // and a setting
    fw.call(0xA02, {1});
    assert_false(before == fw.save());
    xfw_reset(fw.firmware, true);
    assert_true(before == fw.save());
}

void saved_state_comes_back(void **) {
    Fw from;
    from.call(39, {56, 0xFFFF0005});
    from.call(13, {33, 1, 50, 1});
    from.call(28, {18});
    from.call(31, {18, 41});
    from.call(17, {1119, 1});
    from.call(34, {0, 26, 1, 90});
    const auto bytes = from.save();
    Fw to;
    assert_true(xfw_load(to.firmware, bytes.data()));
    assert_true(to.save() == bytes);
    assert_int_equal(to.value(40, {56}), 0x00010005);
    assert_int_equal(to.value(30, {18}), 41);
    assert_int_equal(to.status(13, {33, 1, 0, 1}), kDouble);
    assert_int_equal(to.value(18, {1119}), 1);
}

void broken_saved_state_is_refused_whole(void **) {
    Fw fw;
    const auto good = fw.save();
    // version; a pin's function, a pin's drive strength; a node's quality of service
    constexpr std::size_t pins = 592;   // a version and 147 registers before them
    constexpr std::size_t nodes = 1294; // 78 pins of nine bytes before them
    for (const std::size_t at : {std::size_t{0}, pins + 1, pins + 6, nodes + 2}) {
        auto bytes = good;
        bytes[at] = 0xFF;
        bytes[4] ^= 1; // something that must not be taken over
        assert_false(xfw_load(fw.firmware, bytes.data()));
        assert_true(fw.save() == good);
    }
}

void changes_are_only_told_when_wanted(void **) {
    Fw fw;
    fw.call(37, {56});
    assert_int_equal(fw.changes.size(), 0);
    fw.listening = true;
    fw.call(36, {56});
    assert_int_equal(fw.changes.size(), 1);
    assert_string_equal(fw.changes[0].c_str(), "clock uart0_ref on");
}

void describing_into_a_small_buffer_is_cut(void **) {
    Fw fw;
    std::array<char, 8> text;
    text.fill('?');
    const std::size_t length = xfw_describe(fw.firmware, XFW_PINS, text.data(), text.size());
    assert_true(length > 1560);
    assert_string_equal(text.data(), "MIO0  g");
    assert_int_equal(xfw_describe(fw.firmware, XFW_PINS, nullptr, 0), length);
}

// Any words in any call: no crash, a status from the list, and a state that can be saved.
void random_calls(void **) {
    Fw fw;
    std::mt19937 random(20240601);
    constexpr std::array<std::uint32_t, 12> edges = {0,  1,    2,    6,      39,       56,
                                                     76, 1000, 1119, 0xFFFF, 1U << 31, ~0U};
    const auto word = [&random, &edges] {
        switch (random() % 4) {
        case 0:
            return edges[random() % edges.size()];
        case 1:
            return static_cast<std::uint32_t>(random() % 256);
        case 2:
            return 0xFF180000U + static_cast<std::uint32_t>(random() % 0x400) * 4;
        default:
            return static_cast<std::uint32_t>(random());
        }
    };
    for (int i = 0; i < 100'000; ++i) {
        const std::uint32_t api = random() % 70;
        const std::uint32_t first = word();
        const Words words = fw.call(api, {first, word(), word(), word(), word(), word()});
        const bool is_name = api == 35 && (first == 1 || first == 9);
        const std::uint32_t s = words[0];
        assert_true(is_name || s == 0 || s == 1 || s == 4 || s == 19 || s == 2002 || s == 2003 ||
                    s == 2004);
        fw.errors.clear();
        fw.shutdowns.clear();
    }
    const auto bytes = fw.save();
    Fw other;
    assert_true(xfw_load(other.firmware, bytes.data()));
    assert_true(other.save() == bytes);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(owned_ids),
        cmocka_unit_test(api_version_sits_in_the_upper_half_of_x0),
        cmocka_unit_test(both_calling_conventions_are_answered),
        cmocka_unit_test(arguments_are_pairs_low_word_first),
        cmocka_unit_test(chip_is_an_xczu9eg_on_qemu),
        cmocka_unit_test(identity_can_be_another),
        cmocka_unit_test(service_queries),
        cmocka_unit_test(mailbox_calls_succeed),
        cmocka_unit_test(unknown_services_are_refused),
        cmocka_unit_test(feature_versions),
        cmocka_unit_test(what_is_not_there_is_no_feature),
        cmocka_unit_test(feature_masks_name_the_ioctls_and_queries),
        cmocka_unit_test(every_reported_ioctl_is_answered),
        cmocka_unit_test(a_node_is_requested_once),
        cmocka_unit_test(wrong_nodes_are_refused),
        cmocka_unit_test(memory_and_processors_are_in_use_from_the_start),
        cmocka_unit_test(resets_are_register_bits),
        cmocka_unit_test(wires_to_the_logic_are_kept),
        cmocka_unit_test(a_guest_cannot_reset_what_it_runs_on),
        cmocka_unit_test(wrong_resets_are_refused),
        cmocka_unit_test(system_resets_restart_the_machine),
        cmocka_unit_test(shutdown_calls),
        cmocka_unit_test(registers_hold_what_the_boot_loader_wrote),
        cmocka_unit_test(register_access_is_limited),
        cmocka_unit_test(masked_writes),
        cmocka_unit_test(sd_tap_delays),
        cmocka_unit_test(sd_dll_reset),
        cmocka_unit_test(sd_and_gem_configuration),
        cmocka_unit_test(storage_registers),
        cmocka_unit_test(persistent_storage_survives_a_warm_reset),
        cmocka_unit_test(real_time_processor_mode),
        cmocka_unit_test(boot_health_and_feature_settings),
        cmocka_unit_test(reset_restores_the_boot_state),
        cmocka_unit_test(saved_state_comes_back),
        cmocka_unit_test(broken_saved_state_is_refused_whole),
        cmocka_unit_test(changes_are_only_told_when_wanted),
        cmocka_unit_test(describing_into_a_small_buffer_is_cut),
        cmocka_unit_test(random_calls),
    };
    return unit::run_group("firmware", tests);
}
