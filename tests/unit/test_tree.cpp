// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ports as a device tree names them: placement, build parameters, and a sentence for
// every property that is wrong.
#include "group.hpp"
#include "tree_capi.h"

#include <libfdt.h>

#include <array>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

using Bytes = std::string;
using Node = std::map<std::string, Bytes>;

Bytes cells(std::initializer_list<std::uint32_t> values) {
    Bytes bytes;
    for (const std::uint32_t v : values) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes += static_cast<char>(v >> shift);
        }
    }
    return bytes;
}

Bytes strings(std::initializer_list<const char *> values) {
    Bytes bytes;
    for (const char *v : values) {
        bytes += v;
        bytes += '\0';
    }
    return bytes;
}

/// A ZynqMP tree as far as ports are concerned. Change what a test is about.
struct TestTree {
    Node root{{"#address-cells", cells({2})},
              {"#size-cells", cells({2})},
              {"interrupt-parent", cells({1})}};
    Node gic{{"compatible", strings({"arm,gic-400"})},
             {"phandle", cells({1})},
             {"interrupt-controller", {}},
             {"#interrupt-cells", cells({3})}};
    Node bus{{"#address-cells", cells({2})}, {"#size-cells", cells({2})}, {"ranges", {}}};
    std::vector<Node> dmas{dma(2, 0x80030000)};
    std::vector<Node> ports{port(2, 0x80020000, 0x80008000)};

    static Node dma(std::uint32_t phandle, std::uint32_t base) {
        return {{"compatible", strings({"xlnx,eth-mcdma"})},
                {"phandle", cells({phandle})},
                {"reg", cells({0, base, 0, 0x10000})},
                {"xlnx,addrwidth", cells({40})},
                {"xlnx,include-dre", {}}};
    }

    static Node port(std::uint32_t dma, std::uint32_t mac, std::uint32_t eoe) {
        return {{"compatible", strings({"xlnx,xxv-ethernet-4.1", "xlnx,xxv-ethernet-1.0"})},
                {"reg", cells({0, mac, 0, 0x10000, 0, eoe, 0, 0x8000})},
                {"reg-names", strings({"mac", "eoe"})},
                {"interrupts", cells({0, 89, 4, 0, 90, 4, 0, 91, 4, 0, 104, 4})},
                {"interrupt-names", strings({"mm2s_ch1_introut", "s2mm_ch1_introut",
                                             "mm2s_ch10_introut", "s2mm_ch10_introut"})},
                {"axistream-connected", cells({dma})},
                {"phy-mode", strings({"10gbase-r"})},
                {"xlnx,num-queues", Bytes("\0\2", 2)},
                {"xlnx,channel-ids", strings({"1", "a"})},
                {"xlnx,tx-hw-offload", cells({2})},
                {"xlnx,rx-hw-offload", cells({2})}};
    }

    static void put(void *fdt, const std::string &name, const Node &node, bool close = true) {
        assert_int_equal(fdt_begin_node(fdt, name.c_str()), 0);
        for (const auto &[key, value] : node) {
            assert_int_equal(
                fdt_property(fdt, key.c_str(), value.data(), static_cast<int>(value.size())), 0);
        }
        if (close) {
            assert_int_equal(fdt_end_node(fdt), 0);
        }
    }

    [[nodiscard]] std::vector<char> blob() const {
        std::vector<char> space(16384);
        void *const fdt = space.data();
        assert_int_equal(fdt_create(fdt, static_cast<int>(space.size())), 0);
        assert_int_equal(fdt_finish_reservemap(fdt), 0);
        put(fdt, "", root, false);
        put(fdt, "gic", gic);
        put(fdt, "bus", bus, false);
        for (std::size_t i = 0; i < dmas.size(); ++i) {
            put(fdt, "dma" + std::to_string(i), dmas[i]);
        }
        for (std::size_t i = 0; i < ports.size(); ++i) {
            put(fdt, "ethernet" + std::to_string(i), ports[i]);
        }
        assert_int_equal(fdt_end_node(fdt), 0);
        assert_int_equal(fdt_end_node(fdt), 0);
        assert_int_equal(fdt_finish(fdt), 0);
        space.resize(fdt_totalsize(fdt));
        return space;
    }
};

XtreePlacement accepted(const TestTree &tree) {
    XtreePlacement placement;
    std::array<char, 256> error{};
    const auto blob = tree.blob();
    if (!xtree_read(blob.data(), blob.size(), &placement, error.data(), error.size())) {
        fail_msg("refused: %s", error.data());
    }
    return placement;
}

void refused(const TestTree &tree, const char *words) {
    XtreePlacement placement;
    std::array<char, 256> error{};
    const auto blob = tree.blob();
    if (xtree_read(blob.data(), blob.size(), &placement, error.data(), error.size())) {
        fail_msg("accepted, where '%s' was expected", words);
    }
    if (std::strstr(error.data(), words) == nullptr) {
        fail_msg("'%s' is not in: %s", words, error.data());
    }
}

void port_is_where_the_tree_has_it(void **) {
    const XtreePlacement found = accepted(TestTree());
    assert_int_equal(found.ports, 1);
    const XtreePort &port = found.port[0];
    assert_true(port.base[XEOE_MAC] == 0x80020000 && port.base[XEOE_EOE] == 0x80008000);
    assert_true(port.base[XEOE_MCDMA] == 0x80030000);
    assert_int_equal(port.spi[XEOE_MM2S][0], 89);
    assert_int_equal(port.spi[XEOE_S2MM][0], 90);
    assert_int_equal(port.spi[XEOE_MM2S][9], 91);
    assert_int_equal(port.spi[XEOE_S2MM][9], 104);
    assert_int_equal(port.spi[XEOE_S2MM][1], XTREE_NO_SPI);
    // Channel a is the tenth; its nine GRO ports need channels 2 to 10.
    assert_int_equal(port.config.num_mm2s_channels, 10);
    assert_int_equal(port.config.num_s2mm_channels, 10);
    assert_int_equal(port.config.eoe_gro_ports, 9);
    assert_int_equal(port.config.addr_width, 40);
    assert_true(port.config.mm2s_dre && port.config.s2mm_dre);
    assert_true(port.config.eoe && port.config.eoe_tx_gso && port.config.eoe_rx_gro);
    assert_false(port.config.mac_25g);
}

void addresses_go_through_the_ranges_of_every_bus(void **) {
    TestTree tree;
    tree.bus["#address-cells"] = cells({1});
    tree.bus["#size-cells"] = cells({1});
    tree.bus["ranges"] = cells({0, 0x4, 0x10000000, 0x100000});
    tree.dmas[0]["reg"] = cells({0x30000, 0x10000});
    tree.ports[0]["reg"] = cells({0x8000, 0x8000, 0x20000, 0x10000});
    tree.ports[0]["reg-names"] = strings({"eoe", "mac"});
    const XtreePlacement found = accepted(tree);
    assert_true(found.port[0].base[XEOE_MAC] == 0x410020000);
    assert_true(found.port[0].base[XEOE_EOE] == 0x410008000);
    assert_true(found.port[0].base[XEOE_MCDMA] == 0x410030000);
    tree.bus["ranges"] = cells({0, 0x4, 0x10000000, 0x30000});
    refused(tree, "/bus/ethernet0: no address of the MCDMA");
    tree.bus.erase("ranges");
    refused(tree, "no address of the MAC");
}

void a_build_with_less(void **) {
    TestTree tree;
    Node &port = tree.ports[0];
    port["xlnx,num-queues"] = cells({1});
    port["xlnx,rx-hw-offload"] = cells({1});
    port["xlnx,tx-hw-offload"] = Bytes("\1", 1);
    port["phy-mode"] = strings({"25gbase-r"});
    tree.dmas[0].erase("xlnx,include-dre");
    tree.dmas[0]["xlnx,addrwidth"] = Bytes(1, char{64});
    const XeoeConfig config = accepted(tree).port[0].config;
    assert_int_equal(config.num_mm2s_channels, 1);
    assert_int_equal(config.num_s2mm_channels, 1);
    assert_true(config.eoe && !config.eoe_tx_gso && !config.eoe_rx_gro);
    assert_false(config.mm2s_dre || config.s2mm_dre);
    assert_int_equal(config.addr_width, 64);
    assert_true(config.mac_25g);
    tree.dmas[0].erase("xlnx,addrwidth");
    assert_int_equal(accepted(tree).port[0].config.addr_width, 32);
}

void merging_ports_tell_of_channels_that_no_queue_uses(void **) {
    TestTree tree;
    tree.ports[0]["xlnx,num-queues"] = cells({1});
    assert_int_equal(accepted(tree).port[0].config.num_s2mm_channels, 2);
    tree.ports[0]["xlnx,gro-ports"] = cells({15});
    const XeoeConfig config = accepted(tree).port[0].config;
    assert_int_equal(config.num_mm2s_channels, 1);
    assert_int_equal(config.num_s2mm_channels, 16);
    assert_int_equal(config.eoe_gro_ports, 15);
}

void interrupts_extended(void **) {
    TestTree tree;
    tree.root.erase("interrupt-parent");
    tree.ports[0].erase("interrupts");
    tree.ports[0]["interrupts-extended"] =
        cells({1, 0, 96, 4, 1, 0, 111, 4, 1, 0, 90, 4, 1, 0, 90, 4});
    const XtreePlacement found = accepted(tree);
    assert_int_equal(found.port[0].spi[XEOE_MM2S][0], 96);
    assert_int_equal(found.port[0].spi[XEOE_S2MM][0], 111);
    assert_int_equal(found.port[0].spi[XEOE_S2MM][9], 90);
}

void two_ports_and_no_more(void **) {
    TestTree tree;
    tree.dmas.push_back(TestTree::dma(3, 0x80070000));
    tree.ports.push_back(TestTree::port(3, 0x80060000, 0x80048000));
    assert_int_equal(accepted(tree).ports, 2);
    assert_true(accepted(tree).port[1].base[XEOE_MCDMA] == 0x80070000);
    tree.dmas[1]["reg"] = cells({0, 0x80028000, 0, 0x10000});
    refused(tree, "the MAC at 0x80020000 and the MCDMA at 0x80028000 overlap");
    tree.dmas[1] = TestTree::dma(3, 0x80070000);
    tree.dmas.push_back(TestTree::dma(4, 0x800B0000));
    tree.ports.push_back(TestTree::port(4, 0x800A0000, 0x80088000));
    refused(tree, "more than 2");
    tree.ports[0]["status"] = strings({"disabled"});
    assert_int_equal(accepted(tree).ports, 2);
}

void a_tree_without_ports(void **) {
    TestTree tree;
    tree.bus["status"] = strings({"disabled"});
    assert_int_equal(accepted(tree).ports, 0);
    tree = {};
    tree.ports[0].erase("axistream-connected"); // a MAC on another DMA
    tree.ports[0]["reg-names"] = strings({"mac"});
    assert_int_equal(accepted(tree).ports, 0);
    tree.ports.clear();
    assert_int_equal(accepted(tree).ports, 0);
}

struct Mistake {
    const char *property;
    Bytes value;
    const char *words;
};

void every_wrong_property_of_a_port_has_a_sentence(void **) {
    const Mistake mistakes[] = {
        {"axistream-connected", cells({1}), "axistream-connected does not point"},
        {"axistream-connected", cells({77}), "axistream-connected does not point"},
        {"axistream-connected", Bytes("\0\0", 2), "axistream-connected does not point"},
        {"reg", cells({0, 0x80020000, 0, 0x10000}), "reg has no region 1"},
        {"reg", Bytes("\0\0\0", 3), "reg has no region 0"},
        {"reg", cells({0, 0xFF000000, 0, 0x10000, 0, 0x80008000, 0, 0x8000}),
         "the MAC at 0xff000000 is not in the programmable logic"},
        {"reg", cells({0, 0x9FFF8000, 0, 0x8000, 0, 0x80008000, 0, 0x8000}),
         "the MAC at 0x9fff8000 is not in the programmable logic"},
        {"reg", cells({~0U, ~0U, 0, 0x10000, 0, 0x80008000, 0, 0x8000}), "not in the programmable"},
        {"reg", cells({0, 0x80020004, 0, 0x10000, 0, 0x80008000, 0, 0x8000}), "begin at a page"},
        {"reg-names", strings({"mac"}), "no \"eoe\" region"},
        {"interrupts", cells({0, 89, 4}), "interrupt s2mm_ch1_introut is missing"},
        {"interrupts", Bytes("\0\0\0\1\0", 5), "interrupt mm2s_ch1_introut is missing"},
        {"interrupts", cells({1, 9, 4, 0, 90, 4, 0, 91, 4, 0, 92, 4}), "not a shared peripheral"},
        {"interrupts", cells({0, 88, 4, 0, 90, 4, 0, 91, 4, 0, 92, 4}), "is 88, the programmable"},
        {"interrupt-names", strings({"mm2s_ch1_introut"}), "no interrupt is named s2mm_ch1"},
        {"interrupt-names", Bytes("mm2s"), "no interrupt is named mm2s_ch1"},
        {"interrupt-parent", cells({2}), "not one of the GIC"},
        {"interrupt-parent", cells({99}), "not one of the GIC"},
        {"xlnx,num-queues", cells({0}), "xlnx,num-queues is 0, must be 1 to 16"},
        {"xlnx,num-queues", cells({3}), "but xlnx,channel-ids names 2"},
        {"xlnx,num-queues", cells({1, 2}), "xlnx,num-queues is not one number"},
        {"xlnx,channel-ids", strings({"1", "11"}), "entry 1 must be hexadecimal"},
        {"xlnx,channel-ids", strings({"", "2"}), "entry 0 must be hexadecimal"},
        {"xlnx,channel-ids", strings({"1", "1"}), "names channel 1 twice"},
        {"xlnx,channel-ids", Bytes("12"), "missing or not a list"},
        {"xlnx,channel-ids", {}, "missing or not a list"},
        {"xlnx,tx-hw-offload", cells({3}), "xlnx,tx-hw-offload is 3, must be 0 to 2"},
        {"xlnx,rx-hw-offload", {}, "xlnx,rx-hw-offload is not one number"},
        {"xlnx,gro-ports", cells({16}), "xlnx,gro-ports is 16, must be 1 to 15"},
    };
    for (const Mistake &m : mistakes) {
        TestTree tree;
        tree.ports[0][m.property] = m.value;
        refused(tree, m.words);
        // Nobody looks at a node that is not in use.
        tree.ports[0]["status"] = strings({"disabled"});
        assert_int_equal(accepted(tree).ports, 0);
    }
    TestTree tree;
    tree.dmas[0]["xlnx,addrwidth"] = cells({31});
    refused(tree, "xlnx,addrwidth is 31, must be 32 to 64");
    tree = {};
    tree.gic["#interrupt-cells"] = cells({0});
    refused(tree, "missing or not one of the GIC");
    tree = {};
    tree.bus["#address-cells"] = cells({3});
    refused(tree, "no address of the MAC");
}

/// Cut, and with bytes changed: an answer or a sentence, and the sanitizers stay quiet.
void broken_blobs(void **) {
    const auto whole = TestTree().blob();
    XtreePlacement placement;
    std::array<char, 128> error{};
    for (std::size_t size = 0; size < whole.size(); size += 3) {
        const std::vector<char> cut(whole.begin(), whole.begin() + static_cast<long>(size));
        assert_false(xtree_read(cut.data(), cut.size(), &placement, error.data(), error.size()));
        assert_non_null(std::strstr(error.data(), "the device tree is broken"));
    }
    std::mt19937 random(20260101);
    unsigned refusals = 0;
    for (unsigned round = 0; round < 20000; ++round) {
        auto blob = whole;
        for (unsigned n = 1 + random() % 3; n > 0; --n) {
            blob[random() % blob.size()] = static_cast<char>(random());
        }
        error = {};
        if (!xtree_read(blob.data(), blob.size(), &placement, error.data(), error.size())) {
            assert_true(error[0] != '\0');
            ++refusals;
        }
    }
    assert_in_range(refusals, 1000, 19999);
}

/// Lengths that lead libfdt's sum of offsets back, past the end or out of the sign.
void a_property_longer_than_the_tree(void **) {
    const auto whole = TestTree().blob();
    XtreePlacement placement;
    std::array<char, 128> error{};
    int properties = 0;
    for (int node = 0, depth = 0; node >= 0; node = fdt_next_node(whole.data(), node, &depth)) {
        int at = 0;
        fdt_for_each_property_offset(at, whole.data(), node) {
            for (const std::uint32_t length : {0xffffffffU, 0xfffffff8U, 0xfffffff4U, 0xfffffff0U,
                                               0xffffff00U, 0x80000000U, 0x7fffffffU, 0x10000U}) {
                auto blob = whole;
                const Bytes word = cells({length});
                const int field = fdt_off_dt_struct(blob.data()) + at + 4;
                std::copy(word.begin(), word.end(), blob.begin() + field);
                error = {};
                assert_false(
                    xtree_read(blob.data(), blob.size(), &placement, error.data(), error.size()));
                assert_non_null(std::strstr(error.data(), "the device tree is broken"));
            }
            ++properties;
        }
    }
    assert_in_range(properties, 20, 40);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(port_is_where_the_tree_has_it),
        cmocka_unit_test(addresses_go_through_the_ranges_of_every_bus),
        cmocka_unit_test(a_build_with_less),
        cmocka_unit_test(merging_ports_tell_of_channels_that_no_queue_uses),
        cmocka_unit_test(interrupts_extended),
        cmocka_unit_test(two_ports_and_no_more),
        cmocka_unit_test(a_tree_without_ports),
        cmocka_unit_test(every_wrong_property_of_a_port_has_a_sentence),
        cmocka_unit_test(broken_blobs),
        cmocka_unit_test(a_property_longer_than_the_tree),
    };
    return unit::run_group("tree", tests);
}
