// SPDX-License-Identifier: GPL-2.0-or-later
//
// The properties are those of the Linux binding of this hardware; the driver beside
// this model reads the same ones.
#include "tree_capi.h"

#include "fdt.hpp"

#include <libfdt.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <optional>

namespace xtree {

namespace {

constexpr std::array kPortCompatible = {"xlnx,xxv-ethernet-1.0"};
constexpr std::array kDmaCompatible = {"xlnx,eth-mcdma", "xlnx,axi-mcdma-1.00.a", "xlnx,eth-dma"};
constexpr std::array kGicCompatible = {"arm,gic-400", "arm,cortex-a15-gic", "arm,cortex-a9-gic"};

constexpr std::array<std::uint64_t, XEOE_MCDMA + 1> kWindow = {XEOE_MAC_WINDOW, XEOE_EOE_WINDOW,
                                                               XEOE_MCDMA_WINDOW};
constexpr std::array<const char *, XEOE_MCDMA + 1> kBlockName = {"MAC", "EOE", "MCDMA"};

// What the processing system hands on to the logic (UG1085, system address map).
struct Aperture {
    std::uint64_t first;
    std::uint64_t last;
};
constexpr std::array<Aperture, 4> kLogic = {{
    {0x80000000, 0x9FFFFFFF},     // M_AXI_HPM0_LPD
    {0xA0000000, 0xBFFFFFFF},     // M_AXI_HPM0_FPD and HPM1_FPD
    {0x400000000, 0x5FFFFFFFF},   // the same, 4 GiB each
    {0x1000000000, 0x7FFFFFFFFF}, // the same, 224 GiB each
}};

// Shared peripheral interrupts from the logic (UG1085, system interrupts).
constexpr bool from_logic(std::uint32_t spi) {
    return (spi >= 89 && spi <= 96) || (spi >= 104 && spi <= 111);
}

template <typename Names> bool any_compatible(const Tree &tree, int node, const Names &names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const char *name) { return tree.compatible(node, name); });
}

/// Reads one port. Every step returns false after it has left a sentence.
class Reader {
public:
    Reader(const Tree &tree, int node, std::span<char> error)
        : tree_(tree), node_(node), error_(error) {}

    bool read(XtreePort &port) {
        port.config = xeoe_config_default();
        return dma(port) && offload(port) && regions(port) && channels(port) && build(port);
    }

private:
    __attribute__((format(printf, 2, 3))) bool fail(const char *format, ...) {
        std::array<char, 160> path{};
        if (fdt_get_path(tree_.blob(), node_, path.data(), path.size()) != 0) {
            (void)std::snprintf(path.data(), path.size(), "%s",
                                fdt_get_name(tree_.blob(), node_, nullptr));
        }
        std::array<char, 256> text{};
        va_list args;
        va_start(args, format);
        (void)std::vsnprintf(text.data(), text.size(), format, args);
        va_end(args);
        (void)std::snprintf(error_.data(), error_.size(), "%s: %s", path.data(), text.data());
        return false;
    }

    /// A number that generators have written with one, two or four bytes.
    bool number(int node, const char *name, std::uint32_t fallback, std::uint32_t low,
                std::uint32_t high, std::uint32_t &value) {
        const auto bytes = tree_.property(node, name);
        value = fallback;
        if (bytes) {
            if (bytes->size() != 1 && bytes->size() != 2 && bytes->size() != 4) {
                return fail("%s is not one number", name);
            }
            value = 0;
            for (const std::byte byte : *bytes) {
                value = value << 8 | std::to_integer<std::uint32_t>(byte);
            }
        }
        if (value < low || value > high) {
            return fail("%s is %" PRIu32 ", must be %" PRIu32 " to %" PRIu32, name, value, low,
                        high);
        }
        return true;
    }

    bool dma(XtreePort &port) {
        const auto target = tree_.pointed_to(node_, "axistream-connected");
        if (!target || !any_compatible(tree_, *target, kDmaCompatible)) {
            return fail("axistream-connected does not point to an AXI MCDMA node");
        }
        dma_ = *target;
        port.config.mm2s_dre = tree_.property(dma_, "xlnx,include-dre").has_value();
        port.config.s2mm_dre = port.config.mm2s_dre;
        return number(dma_, "xlnx,addrwidth", 32, 32, 64, port.config.addr_width);
    }

    bool offload(XtreePort &port) {
        std::uint32_t tx = 0;
        std::uint32_t rx = 0;
        if (!number(node_, "xlnx,tx-hw-offload", 0, 0, 2, tx) ||
            !number(node_, "xlnx,rx-hw-offload", 0, 0, 2, rx)) {
            return false;
        }
        port.config.eoe = tree_.index_of(node_, "reg-names", "eoe").has_value();
        port.config.eoe_tx_gso = tx == 2;
        port.config.eoe_rx_gro = rx == 2;
        if (!port.config.eoe && (tx != 0 || rx != 0)) {
            return fail("offload is declared but reg-names has no \"eoe\" region");
        }
        return true;
    }

    bool region(XeoeBlock block, int node, std::size_t index, XtreePort &port) {
        const auto found = tree_.region(node, index);
        if (!found) {
            return fail("no address of the %s: reg has no region %zu, or ranges do not map it",
                        kBlockName.at(block), index);
        }
        if (!xtree_in_logic(block, found->base)) {
            return fail("the %s at 0x%" PRIx64 " is not in the programmable logic's address space",
                        kBlockName.at(block), found->base);
        }
        if (found->base % 0x1000 != 0) {
            return fail("the %s at 0x%" PRIx64 " does not begin at a page", kBlockName.at(block),
                        found->base);
        }
        port.base[block] = found->base;
        return true;
    }

    bool regions(XtreePort &port) {
        const std::size_t mac = tree_.index_of(node_, "reg-names", "mac").value_or(0);
        if (!region(XEOE_MAC, node_, mac, port) || !region(XEOE_MCDMA, dma_, 0, port)) {
            return false;
        }
        if (!port.config.eoe) {
            return true;
        }
        return region(XEOE_EOE, node_, *tree_.index_of(node_, "reg-names", "eoe"), port);
    }

    bool spi(const char *direction, unsigned channel, std::uint32_t &spi) {
        std::array<char, 24> name{};
        (void)std::snprintf(name.data(), name.size(), "%s_ch%u_introut", direction, channel);
        const auto index = tree_.index_of(node_, "interrupt-names", name.data());
        if (!index) {
            return fail("no interrupt is named %s", name.data());
        }
        const auto found = tree_.interrupt(node_, *index);
        if (!found || !any_compatible(tree_, found->controller, kGicCompatible)) {
            return fail("interrupt %s is missing or not one of the GIC", name.data());
        }
        if (found->cells.size() - found->first < 3 || found->cells.at(found->first) != 0) {
            return fail("interrupt %s is not a shared peripheral interrupt", name.data());
        }
        spi = found->cells.at(found->first + 1);
        return from_logic(spi) || fail("interrupt %s is %" PRIu32
                                       ", the programmable logic has 89 to 96 and 104 to 111",
                                       name.data(), spi);
    }

    /// Number of a channel from its name in xlnx,channel-ids, hexadecimal; 0 if it is none.
    static unsigned channel_id(std::string_view text) {
        unsigned id = 0;
        if (text.empty() || text.size() > 2) {
            return 0;
        }
        for (const char c : text) {
            const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c;
            const std::size_t digit = std::string_view("0123456789abcdef").find(lower);
            if (digit == std::string_view::npos) {
                return 0;
            }
            id = id * 16 + static_cast<unsigned>(digit);
        }
        return id <= XEOE_MAX_CHANNELS ? id : 0;
    }

    bool channels(XtreePort &port) {
        const int names = fdt_stringlist_count(tree_.blob(), node_, "xlnx,channel-ids");
        if (names <= 0) {
            return fail("xlnx,channel-ids is missing or not a list of strings");
        }
        std::uint32_t queues = 0;
        if (!number(node_, "xlnx,num-queues", std::min<std::uint32_t>(names, XEOE_MAX_CHANNELS), 1,
                    XEOE_MAX_CHANNELS, queues)) {
            return false;
        }
        if (queues > static_cast<std::uint32_t>(names)) {
            return fail("xlnx,num-queues is %" PRIu32 " but xlnx,channel-ids names %d channels",
                        queues, names);
        }
        for (auto &direction : port.spi) {
            std::fill(std::begin(direction), std::end(direction), XTREE_NO_SPI);
        }
        for (std::uint32_t i = 0; i < queues; ++i) {
            int length = 0;
            const char *const text = fdt_stringlist_get(tree_.blob(), node_, "xlnx,channel-ids",
                                                        static_cast<int>(i), &length);
            const unsigned id = text ? channel_id({text, static_cast<std::size_t>(length)}) : 0;
            if (id == 0) {
                return fail("xlnx,channel-ids entry %" PRIu32 " must be hexadecimal 1 to 10", i);
            }
            if (port.spi[XEOE_MM2S][id - 1] != XTREE_NO_SPI) {
                return fail("xlnx,channel-ids names channel %x twice", id);
            }
            if (!spi("mm2s", id, port.spi[XEOE_MM2S][id - 1]) ||
                !spi("s2mm", id, port.spi[XEOE_S2MM][id - 1])) {
                return false;
            }
            highest_ = std::max(highest_, id);
        }
        return true;
    }

    // Each GRO port has a receive channel of its own behind channel 1 (PG451), so a tree that
    // names ports, or merging at all, tells of channels it may not use.
    bool build(XtreePort &port) {
        const unsigned unnamed = std::clamp(highest_ - 1, 1U, unsigned{XEOE_MAX_GRO_PORTS});
        XeoeConfig &config = port.config;
        if (!number(node_, "xlnx,gro-ports", unnamed, 1, XEOE_MAX_GRO_PORTS,
                    config.eoe_gro_ports)) {
            return false;
        }
        config.num_mm2s_channels = highest_;
        config.num_s2mm_channels = highest_;
        if (config.eoe && config.eoe_rx_gro) {
            config.num_s2mm_channels = std::max(highest_, config.eoe_gro_ports + 1);
        }
        config.mac_25g = tree_.index_of(node_, "phy-mode", "25gbase-r").has_value();
        return true;
    }

    const Tree &tree_;
    int node_;
    int dma_ = -1;
    unsigned highest_ = 0;
    std::span<char> error_;
};

bool overlap(std::uint64_t a, std::uint64_t a_size, std::uint64_t b, std::uint64_t b_size) {
    return a < b + b_size && b < a + a_size;
}

/// Two blocks that share addresses, if any do.
bool distinct(const XtreePlacement &placement, std::span<char> error) {
    struct Window {
        std::uint64_t base;
        std::size_t block;
    };
    std::array<Window, kWindow.size() * XTREE_MAX_PORTS> seen{};
    std::size_t count = 0;
    for (unsigned i = 0; i < placement.ports; ++i) {
        for (std::size_t block = 0; block <= XEOE_MCDMA; ++block) {
            if (block == XEOE_EOE && !placement.port[i].config.eoe) {
                continue;
            }
            const Window w{placement.port[i].base[block], block};
            for (const Window &other : std::span(seen).first(count)) {
                if (overlap(w.base, kWindow.at(w.block), other.base, kWindow.at(other.block))) {
                    (void)std::snprintf(
                        error.data(), error.size(),
                        "the %s at 0x%" PRIx64 " and the %s at 0x%" PRIx64 " overlap",
                        kBlockName.at(other.block), other.base, kBlockName.at(block), w.base);
                    return false;
                }
            }
            seen.at(count++) = w;
        }
    }
    return true;
}

bool read(const void *blob, XtreePlacement &placement, std::span<char> error) {
    const Tree tree(blob);
    for (const char *name : kPortCompatible) {
        for (int node = fdt_node_offset_by_compatible(blob, -1, name); node >= 0;
             node = fdt_node_offset_by_compatible(blob, node, name)) {
            // A MAC on another kind of DMA is no port of this model.
            const bool other = !tree.property(node, "axistream-connected") &&
                               !tree.index_of(node, "reg-names", "eoe");
            if (!tree.enabled(node) || other) {
                continue;
            }
            if (placement.ports == XTREE_MAX_PORTS) {
                (void)std::snprintf(error.data(), error.size(),
                                    "the tree has more than %d Ethernet ports in use",
                                    XTREE_MAX_PORTS);
                return false;
            }
            if (!Reader(tree, node, error).read(placement.port[placement.ports])) {
                return false;
            }
            ++placement.ports;
        }
    }
    return distinct(placement, error);
}

} // namespace

} // namespace xtree

bool xtree_in_logic(XeoeBlock block, uint64_t base) {
    return std::any_of(xtree::kLogic.begin(), xtree::kLogic.end(), [&](const auto &aperture) {
        return base >= aperture.first && base <= aperture.last - (xtree::kWindow.at(block) - 1);
    });
}

bool xtree_read(const void *blob, size_t size, XtreePlacement *placement, char *err,
                size_t err_size) {
    const std::span<char> error(err, err_size);
    *placement = {};
    const bool held = xtree::ends_hold(std::span(static_cast<const std::byte *>(blob), size));
    const int broken = held ? fdt_check_full(blob, size) : -FDT_ERR_BADSTRUCTURE;
    if (broken != 0) {
        (void)std::snprintf(err, err_size, "the device tree is broken: %s", fdt_strerror(broken));
        return false;
    }
    return xtree::read(blob, *placement, error);
}
