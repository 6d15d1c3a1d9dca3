// SPDX-License-Identifier: GPL-2.0-or-later
//
// Platform firmware: clocks and PLLs, asked the way Linux asks.
#include "fw_harness.hpp"

#include <algorithm>
#include <map>

namespace {

using fw_unit::Fw;
using fw_unit::Words;

constexpr std::uint32_t kBad = 1;
constexpr std::uint32_t kInput = 4;
constexpr std::uint32_t kNoFeature = 19;

constexpr std::uint32_t kClocks = 207;
constexpr std::uint32_t kEnd = 0xFFFFFFFF;
constexpr std::uint32_t kDummy = 0xFFFFFFFE;

enum Type : std::uint32_t { kNone, kMux, kPll, kFixed, kDiv1, kDiv2, kGate };

/// A clock as the guest learns it, and nothing else: from query_data.
struct Learnt {
    std::string name;
    bool valid = false;
    bool input = false;
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> parents;
};

/// The clock tree rebuilt from the answers, with Linux's arithmetic.
class Tree {
public:
    explicit Tree(Fw &fw) : fw_(fw) {
        const std::uint32_t count = fw.value(35, {12});
        clocks.resize(count);
        for (std::uint32_t id = 0; id < count; ++id) {
            learn(id);
        }
    }

    [[nodiscard]] std::uint32_t find(const std::string &name) const {
        for (std::uint32_t id = 0; id < clocks.size(); ++id) {
            if (clocks[id].name == name) {
                return id;
            }
        }
        fail_msg("no clock %s", name.c_str());
        return 0;
    }

    std::uint64_t rate(const std::string &name) { return rate(find(name), 0); }

    std::vector<Learnt> clocks;

private:
    void learn(std::uint32_t id) {
        Learnt &clock = clocks[id];
        const std::uint32_t attributes = fw_.value(35, {5, id});
        clock.valid = (attributes & 1) != 0;
        clock.input = (attributes & 4) != 0;
        if (!clock.valid) {
            return;
        }
        clock.name = fw_.name(1, id);
        if (clock.input) {
            return;
        }
        for (std::uint32_t index = 0;; index += 3) {
            const Words words = fw_.call(35, {2, id, index});
            assert_int_equal(words[0], 0);
            for (std::size_t i = 1; i < 4; ++i) {
                if ((words[i] & 0xF) == kNone) {
                    goto parents;
                }
                clock.nodes.push_back(words[i]);
            }
        }
    parents:
        for (std::uint32_t index = 0;; index += 3) {
            const Words words = fw_.call(35, {4, id, index});
            assert_int_equal(words[0], 0);
            for (std::size_t i = 1; i < 4; ++i) {
                if (words[i] == kEnd) {
                    return;
                }
                clock.parents.push_back(words[i]);
            }
            assert_true(clock.parents.size() <= 100);
        }
    }

    // Stages: how many of the clock's nodes count; 0 all.
    std::uint64_t rate(std::uint32_t id, std::uint32_t stages) {
        assert_true(++depth_ < 64); // a loop
        const Learnt &clock = clocks[id];
        std::uint64_t hz = 0;
        if (clock.input) {
            hz = clock.name == "pss_ref_clk" ? 33'333'333 : 0;
        } else {
            std::uint32_t position = 0;
            if ((clock.nodes[0] & 0xF) == kMux) {
                position = fw_.value(44, {id});
            }
            assert_true(position < clock.parents.size());
            const std::uint32_t parent = clock.parents[position];
            if (parent != kDummy) {
                const std::uint32_t flag = parent >> 16;
                hz = rate(parent & 0xFFFF, flag <= 4 ? flag : 0);
            }
            std::uint32_t done = 0;
            for (const std::uint32_t node : clock.nodes) {
                if (stages && done++ == stages) {
                    break;
                }
                hz = apply(id, node, hz);
            }
        }
        --depth_;
        return hz;
    }

    std::uint64_t apply(std::uint32_t id, std::uint32_t node, std::uint64_t hz) {
        switch (node & 0xF) {
        case kPll: {
            std::uint64_t out = hz * fw_.value(40, {id});
            if (fw_.value(34, {0, 9, id})) {
                out += hz * fw_.value(34, {0, 11, id}) / 65536;
            }
            return out;
        }
        case kFixed: {
            const Words words = fw_.call(35, {3, id});
            return hz * words[1] / words[2];
        }
        case kDiv1:
        case kDiv2: {
            const std::uint32_t word = fw_.value(40, {id});
            const std::uint32_t by = (node & 0xF) == kDiv1 ? word & 0xFFFF : word >> 16;
            return by ? (hz + by - 1) / by : hz;
        }
        default:
            return hz;
        }
    }

    Fw &fw_;
    int depth_ = 0;
};

void the_tree_is_whole(void **) {
    Fw fw;
    Tree tree(fw);
    assert_int_equal(tree.clocks.size(), kClocks);
    std::map<std::string, int> names;
    for (const Learnt &clock : tree.clocks) {
        if (!clock.valid) {
            continue;
        }
        assert_true(!clock.name.empty() && clock.name.size() <= 15);
        assert_int_equal(++names[clock.name], 1);
        if (clock.input) {
            continue;
        }
        assert_true(!clock.nodes.empty() && clock.nodes.size() <= 6); // Linux has room for six
        assert_false(clock.parents.empty());
        for (const std::uint32_t parent : clock.parents) {
            if (parent == kDummy) {
                continue;
            }
            const Learnt &other = tree.clocks[parent & 0xFFFF];
            assert_int_equal(parent >> 16 == 5, other.input);
            if (parent >> 16 != 5) {
                assert_true(parent >> 16 <= other.nodes.size() || !other.valid);
            }
        }
    }
    assert_int_equal(fw.errors.size(), 0);
}

// Linux panics on nothing, but a parent that guests cannot see makes an orphan.
void visible_clocks_have_visible_parents(void **) {
    Fw fw;
    Tree tree(fw);
    for (const Learnt &clock : tree.clocks) {
        for (const std::uint32_t parent : clock.parents) {
            assert_true(parent == kDummy || tree.clocks[parent & 0xFFFF].valid);
        }
    }
}

// PLL_REF 33.333 MHz; psu_init of the board: IOPLL 90/2, RPLL 89.556/2, DPLL 64/2,
// APLL 72/2, VPLL 89.556/2.
void rates_of_a_zcu102(void **) {
    Fw fw;
    Tree tree(fw);
    assert_int_equal(tree.rate("iopll"), 1'499'999'985);
    assert_int_equal(tree.rate("apll"), 1'199'999'988);
    assert_int_equal(tree.rate("dpll"), 1'066'666'656);
    assert_int_equal(tree.rate("vpll"), 1'492'604'812);
    assert_int_equal(tree.rate("rpll"), 1'492'604'812);
    assert_int_equal(tree.rate("acpu"), 1'199'999'988);
    assert_int_equal(tree.rate("uart0_ref"), 99'999'999);
    assert_int_equal(tree.rate("uart1_ref"), 99'999'999);
    assert_int_equal(tree.rate("gem3_ref"), 124'999'999);
    assert_int_equal(tree.rate("gem3_tx"), 124'999'999);
    assert_int_equal(tree.rate("sdio1_ref"), 187'499'999);
    assert_int_equal(tree.rate("qspi_ref"), 299'999'997);
    assert_int_equal(tree.rate("i2c0_ref"), 99'999'999);
    assert_int_equal(tree.rate("can1_ref"), 99'999'999);
    assert_int_equal(tree.rate("usb0_bus_ref"), 249'999'998);
    assert_int_equal(tree.rate("usb3_dual_ref"), 20'000'000);
    assert_int_equal(tree.rate("lpd_lsbus"), 99'999'999);
    assert_int_equal(tree.rate("ams_ref"), 50'000'000);
    assert_int_equal(tree.rate("gdma_ref"), 599'999'994);
    assert_int_equal(tree.rate("topsw_lsbus"), 99'999'999);
    assert_int_equal(tree.rate("sata_ref"), 249'999'998);
    assert_int_equal(tree.rate("pl0_ref"), 99'999'999);
}

// The same numbers from inside, up to the direction dividers round in.
void described_rates_agree(void **) {
    Fw fw;
    Tree tree(fw);
    const std::string text = fw.describe(XFW_CLOCKS);
    for (std::uint32_t id = 0; id < 113; ++id) {
        const Learnt &clock = tree.clocks[id];
        const std::size_t at = text.find(" " + clock.name + " ");
        if (!clock.valid || at == std::string::npos) {
            assert_false(clock.valid);
            continue;
        }
        const std::string line = text.substr(at, text.find('\n', at) - at);
        const auto hz = std::strtoull(line.c_str() + 17, nullptr, 10);
        // The PHY's clock is known inside; the tree's guest has no name for it.
        const bool from_phy = clock.name == "gem3_rx";
        const bool running = fw.value(38, {id}) != 0;
        if (running && !from_phy && line.find("stopped") == std::string::npos) {
            const std::uint64_t linux_hz = tree.rate(clock.name);
            assert_true(linux_hz >= hz && linux_hz - hz <= 3);
        }
    }
    assert_non_null(strstr(text.c_str(), " uart0_ref         99999999 Hz\n"));
    assert_non_null(strstr(text.c_str(), " gem0_tx                  0 Hz (stopped)\n"));
}

void names_fill_the_answer_without_a_status(void **) {
    Fw fw;
    const Words words = fw.call(35, {1, 56});
    const std::array<std::uint8_t, 16> expected = {'u', 'a', 'r', 't', '0', '_', 'r', 'e', 'f'};
    assert_memory_equal(words.data(), expected.data(), 16);
    assert_string_equal(fw.name(1, 113).c_str(), "pss_ref_clk");
    assert_string_equal(fw.name(1, 128).c_str(), "mio_clk_50_51");
    assert_string_equal(fw.name(1, 206).c_str(), "mio_clk_77");
    assert_string_equal(fw.name(1, 207).c_str(), "END_OF_CLK");
    assert_string_equal(fw.name(1, 208).c_str(), "");
    assert_string_equal(fw.name(1, 35).c_str(), "");  // not connected in the chip
    assert_string_equal(fw.name(1, 103).c_str(), ""); // the processors' own
}

void topology_words(void **) {
    Fw fw;
    // UART0: mux, two six-bit dividers that start at one and may be zero, gate
    Words words = fw.call(35, {2, 56, 0});
    assert_int_equal(words[1], 0x0000A001);
    assert_int_equal(words[2], 0x0500A004);
    assert_int_equal(words[3], 0x0500A405);
    words = fw.call(35, {2, 56, 3});
    assert_int_equal(words[1], 0x00002506);
    assert_int_equal(words[2], 0);
    words = fw.call(35, {2, 56, 0xFFFFFFFE});
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], 0);
    // the display's dividers sit behind a fractional PLL
    assert_int_equal(fw.call(35, {2, 16, 0})[2] & 0xF0, 0x10);
}

void parent_words(void **) {
    Fw fw;
    Words words = fw.call(35, {4, 56, 0});
    assert_int_equal(words[1], 0); // IOPLL
    assert_int_equal(words[2], kDummy);
    assert_int_equal(words[3], 1); // RPLL
    words = fw.call(35, {4, 56, 3});
    assert_int_equal(words[1], 8); // DPLL through its crossing
    assert_int_equal(words[2], kEnd);
    assert_int_equal(fw.call(35, {4, 107, 0})[1], 111 | 3 << 16); // GEM3: after the dividers
    assert_int_equal(fw.call(35, {4, 77, 0})[1], 113 | 5 << 16);  // a pin of the chip
    assert_int_equal(fw.call(35, {4, 56, 0xFFFFFFFF})[1], kEnd);
}

void dividers(void **) {
    Fw fw;
    Tree tree(fw);
    assert_int_equal(fw.value(40, {56}), 0x0001000F);
    assert_int_equal(fw.value(35, {13, 56, kDiv1}), 63);
    assert_int_equal(fw.status(39, {56, 0xFFFF001E}), 0);
    assert_int_equal(fw.value(40, {56}), 0x0001001E);
    assert_int_equal(fw.status(39, {56, 0x0002FFFF}), 0);
    assert_int_equal(fw.value(40, {56}), 0x0002001E);
    assert_int_equal(tree.rate("uart0_ref"), 25'000'000);
    assert_int_equal(fw.value(20, {0xFF5E0074}), 0x01021E00);
    assert_int_equal(fw.status(39, {56, 0xFFFF0040}), kBad);       // six bits
    assert_int_equal(fw.status(39, {56, 0x00020002}), kBad);       // both at once
    assert_int_equal(fw.status(39, {68, 0x0002FFFF}), kNoFeature); // ADMA has one
    assert_int_equal(fw.value(40, {56}), 0x0002001E);
    assert_int_equal(fw.errors.size(), 3);
}

void parents_can_be_changed(void **) {
    Fw fw;
    Tree tree(fw);
    assert_int_equal(fw.status(43, {55, 2}), 0); // SDIO1 from RPLL
    assert_int_equal(fw.value(44, {55}), 2);
    assert_int_equal(tree.rate("sdio1_ref"), 186'575'602);
    assert_int_equal(fw.status(43, {55, 1}), kBad); // not connected
    assert_int_equal(fw.status(43, {55, 4}), kBad);
    assert_int_equal(fw.status(43, {25, 0}), kNoFeature); // a gate only
    assert_int_equal(fw.value(44, {55}), 2);
}

void gates(void **) {
    Fw fw;
    assert_int_equal(fw.value(38, {56}), 1);
    assert_int_equal(fw.status(37, {56}), 0);
    assert_int_equal(fw.value(38, {56}), 0);
    assert_int_equal(fw.value(20, {0xFF5E0074}), 0x00010F00);
    assert_int_equal(fw.status(36, {56}), 0);
    assert_int_equal(fw.value(38, {56}), 1);
    assert_int_equal(fw.value(38, {107}), 1);           // a mux runs
    assert_int_equal(fw.status(36, {107}), kNoFeature); // and has no gate
    // transmit and receive gates of a GEM share its register
    assert_int_equal(fw.status(37, {52}), 0);
    assert_int_equal(fw.value(20, {0xFF5E005C}), 0x02010C00);
}

void clocks_that_are_not_for_guests(void **) {
    Fw fw;
    for (const std::uint32_t id : {21U, 103U, 35U, 207U, ~0U}) { // DDR, APU, none, past the end
        for (const std::uint32_t api : {36U, 37U, 38U, 40U, 44U}) {
            assert_int_equal(fw.status(api, {id}), kBad);
        }
        assert_int_equal(fw.status(39, {id, 0xFFFF0001}), kBad);
        assert_int_equal(fw.status(43, {id, 0}), kBad);
        assert_int_equal(fw.status(35, {2, id, 0}), kBad);
        assert_int_equal(fw.status(35, {4, id, 0}), kBad);
    }
    assert_int_equal(fw.errors.size(), 45);
    assert_int_equal(fw.status(36, {113}), kInput);
    assert_int_equal(fw.status(35, {2, 113, 0}), kInput);
    assert_int_equal(fw.value(35, {5, 21}), 0);
    assert_int_equal(fw.value(35, {5, 113}), 5);
    assert_int_equal(fw.status(35, {5, 207}), kBad);
}

void fractional_pll(void **) {
    Fw fw;
    Tree tree(fw);
    const std::uint32_t vpll_int = 96;
    assert_int_equal(fw.value(34, {0, 9, vpll_int}), 1);
    assert_int_equal(fw.value(34, {0, 11, vpll_int}), 0x8E69);
    // What Linux does for a pixel clock of 148.5 MHz: VCO 2,970 MHz = 89.1 * PSS_REF
    assert_int_equal(fw.status(34, {0, 8, vpll_int, 1}), 0);
    assert_int_equal(fw.status(39, {vpll_int, 89}), 0);
    assert_int_equal(fw.status(34, {0, 10, vpll_int, 6554}), 0);
    assert_int_equal(fw.status(36, {vpll_int}), 0);
    assert_int_equal(tree.rate("vpll_int"), 2'970'000'173);
    assert_int_equal(fw.status(34, {0, 8, vpll_int, 0}), 0);
    assert_int_equal(tree.rate("vpll_int"), 2'966'666'637);
    assert_int_equal(fw.status(34, {0, 8, vpll_int, 2}), kBad);
    assert_int_equal(fw.status(34, {0, 10, vpll_int, 0x10000}), kBad);
    assert_int_equal(fw.status(34, {0, 9, 4}), kBad); // vpll: the output, no PLL
    assert_int_equal(fw.status(39, {vpll_int, 24}), kBad);
    assert_int_equal(fw.status(39, {vpll_int, 126}), kBad);
}

void pll_calls_by_node(void **) {
    Fw fw;
    constexpr std::uint32_t iopll = 54;
    assert_int_equal(fw.value(49, {iopll, 0}), 1);  // halved
    assert_int_equal(fw.value(49, {iopll, 1}), 90); // feedback
    assert_int_equal(fw.value(51, {iopll}), 1);     // integer
    assert_int_equal(fw.value(51, {51}), 2);        // VPLL: fractional
    assert_int_equal(fw.status(48, {51, 1, 100}), 0);
    assert_int_equal(fw.value(40, {96}), 100);
    assert_int_equal(fw.status(50, {51, 0}), 0);
    assert_int_equal(fw.value(51, {51}), 0);
    assert_int_equal(fw.value(38, {96}), 0);
    assert_int_equal(fw.status(36, {96}), 0); // the clock call locks it again
    assert_int_equal(fw.value(51, {51}), 2);
    assert_int_equal(fw.status(48, {51, 1, 24}), kBad);
    assert_int_equal(fw.status(48, {51, 10, 0}), kBad);
    assert_int_equal(fw.status(48, {51, 0, 2}), kBad);
    assert_int_equal(fw.status(49, {51, 10}), kBad);
    assert_int_equal(fw.status(50, {51, 3}), kBad);
    assert_int_equal(fw.status(51, {33}), kBad);
    assert_int_equal(fw.value(49, {51, 9}), 2);  // VPLL_CFG 0x7E4B0C82: resistor
    assert_int_equal(fw.value(49, {51, 5}), 63); // lock delay
}

void wrong_queries(void **) {
    Fw fw;
    for (const std::uint32_t query : {0U, 14U, 15U, ~0U}) {
        assert_int_equal(fw.status(35, {query}), kBad);
    }
    assert_int_equal(fw.status(35, {3, 56}), kBad);         // no fixed factor
    assert_int_equal(fw.status(35, {13, 56, kGate}), kBad); // no divider type
    assert_int_equal(fw.errors.size(), 6);
    const Words half = fw.call(35, {3, 78});
    assert_true(half[0] == 0 && half[1] == 1 && half[2] == 2);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_is_whole),
        cmocka_unit_test(visible_clocks_have_visible_parents),
        cmocka_unit_test(rates_of_a_zcu102),
        cmocka_unit_test(described_rates_agree),
        cmocka_unit_test(names_fill_the_answer_without_a_status),
        cmocka_unit_test(topology_words),
        cmocka_unit_test(parent_words),
        cmocka_unit_test(dividers),
        cmocka_unit_test(parents_can_be_changed),
        cmocka_unit_test(gates),
        cmocka_unit_test(clocks_that_are_not_for_guests),
        cmocka_unit_test(fractional_pll),
        cmocka_unit_test(pll_calls_by_node),
        cmocka_unit_test(wrong_queries),
    };
    return unit::run_group("firmware_clocks", tests);
}
