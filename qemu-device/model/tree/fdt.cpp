// SPDX-License-Identifier: GPL-2.0-or-later
#include "fdt.hpp"

#include <algorithm>
#include <libfdt.h>

namespace xtree {

namespace {

// Address and size cells a bus may have; PCI's three are no path to a port.
constexpr std::size_t kMaxCells = 2;

// First version whose properties are aligned to cells alone (Devicetree Specification 0.4, 5.2).
constexpr std::uint32_t kPlainVersion = 16;

/// Cells that `bytes` bytes take.
constexpr std::size_t cells_of(std::size_t bytes) {
    return (bytes + 3) / 4;
}

} // namespace

std::uint32_t Cells::at(std::size_t index) const {
    std::uint32_t value = 0;
    for (const std::byte byte : bytes_.subspan(index * 4, 4)) {
        value = value << 8 | std::to_integer<std::uint32_t>(byte);
    }
    return value;
}

std::uint64_t Cells::number(std::size_t index, std::size_t cells) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < cells; ++i) {
        value = value << 32 | at(index + i);
    }
    return value;
}

bool ends_hold(std::span<const std::byte> blob) {
    if (blob.size() < sizeof(fdt_header) || fdt_check_header(blob.data()) != 0) {
        return true;
    }
    const std::size_t first = fdt_off_dt_struct(blob.data());
    const std::size_t last = std::min<std::size_t>(blob.size(), fdt_totalsize(blob.data()));
    if (fdt_version(blob.data()) < kPlainVersion || first > last) {
        return false;
    }
    const auto structure = blob.subspan(first, last - first);
    const Cells cells(structure);
    for (std::size_t at = 0; at < cells.size();) {
        const std::uint32_t tag = cells.at(at++);
        std::size_t length = 0;
        if (tag == FDT_BEGIN_NODE) {
            const auto name = structure.subspan(at * 4);
            const auto end = std::find(name.begin(), name.end(), std::byte{0});
            length = static_cast<std::size_t>(end - name.begin()) + 1;
        } else if (tag == FDT_PROP && cells.size() - at >= 2) {
            length = cells.at(at);
            at += 2;
        } else if (tag != FDT_END_NODE && tag != FDT_NOP) {
            return tag != FDT_PROP; // the end, or no tag at all
        }
        if (cells_of(length) > cells.size() - at) {
            return false;
        }
        at += cells_of(length);
    }
    return true;
}

std::optional<std::span<const std::byte>> Tree::property(int node, const char *name) const {
    int length = 0;
    const void *const value = fdt_getprop(blob_, node, name, &length);
    if (value == nullptr || length < 0) {
        return std::nullopt;
    }
    return std::span(static_cast<const std::byte *>(value), static_cast<std::size_t>(length));
}

std::optional<std::size_t> Tree::index_of(int node, const char *name, std::string_view text) const {
    for (int i = 0;; ++i) {
        int length = 0;
        const char *const found = fdt_stringlist_get(blob_, node, name, i, &length);
        if (found == nullptr) {
            return std::nullopt;
        }
        if (std::string_view(found, static_cast<std::size_t>(length)) == text) {
            return static_cast<std::size_t>(i);
        }
    }
}

bool Tree::compatible(int node, const char *name) const {
    return fdt_node_check_compatible(blob_, node, name) == 0;
}

bool Tree::enabled(int node) const {
    for (; node >= 0; node = fdt_parent_offset(blob_, node)) {
        if (property(node, "status") && !index_of(node, "status", "okay") &&
            !index_of(node, "status", "ok")) {
            return false;
        }
    }
    return true;
}

std::optional<int> Tree::pointed_to(int node, const char *name) const {
    const auto bytes = property(node, name);
    if (!bytes || bytes->size() < 4) {
        return std::nullopt;
    }
    const int target = fdt_node_offset_by_phandle(blob_, Cells(*bytes).at(0));
    return target < 0 ? std::nullopt : std::optional(target);
}

std::size_t Tree::cell_count(int node, const char *name, std::size_t fallback) const {
    const auto bytes = property(node, name);
    if (!bytes) {
        return fallback;
    }
    return bytes->size() == 4 ? Cells(*bytes).at(0) : SIZE_MAX;
}

std::optional<std::uint64_t> Tree::through_bus(int bus, int above, Region region) const {
    const auto bytes = property(bus, "ranges");
    if (!bytes) {
        return std::nullopt; // the bus is not mapped into its parent
    }
    if (bytes->empty()) {
        return region.base;
    }
    const std::size_t child = cell_count(bus, "#address-cells", 2);
    const std::size_t size = cell_count(bus, "#size-cells", 1);
    const std::size_t parent = cell_count(above, "#address-cells", 2);
    if (child > kMaxCells || size > kMaxCells || parent > kMaxCells) {
        return std::nullopt;
    }
    const Cells cells(*bytes);
    const std::size_t entry = child + parent + size;
    for (std::size_t i = 0; entry != 0 && i + entry <= cells.size(); i += entry) {
        const std::uint64_t from = cells.number(i, child);
        const std::uint64_t to = cells.number(i + child, parent);
        const std::uint64_t length = cells.number(i + child + parent, size);
        if (region.base >= from && region.size <= length &&
            region.base - from <= length - region.size) {
            return to + (region.base - from);
        }
    }
    return std::nullopt;
}

std::optional<Region> Tree::region(int node, std::size_t index) const {
    int bus = fdt_parent_offset(blob_, node);
    const auto bytes = property(node, "reg");
    if (bus < 0 || !bytes) {
        return std::nullopt;
    }
    const std::size_t address = cell_count(bus, "#address-cells", 2);
    const std::size_t size = cell_count(bus, "#size-cells", 1);
    if (address > kMaxCells || size > kMaxCells || address + size == 0) {
        return std::nullopt;
    }
    const Cells cells(*bytes);
    if (!cells.whole() || index >= cells.size() / (address + size)) {
        return std::nullopt;
    }
    const std::size_t first = index * (address + size);
    Region region{cells.number(first, address), cells.number(first + address, size)};
    for (int above = fdt_parent_offset(blob_, bus); above >= 0;
         bus = above, above = fdt_parent_offset(blob_, bus)) {
        const auto base = through_bus(bus, above, region);
        if (!base) {
            return std::nullopt;
        }
        region.base = *base;
    }
    return region;
}

int Tree::interrupt_parent(int node) const {
    for (; node >= 0; node = fdt_parent_offset(blob_, node)) {
        if (property(node, "interrupt-parent")) {
            return pointed_to(node, "interrupt-parent").value_or(-1);
        }
    }
    return -1;
}

std::optional<Interrupt> Tree::interrupt(int node, std::size_t index) const {
    const auto extended = property(node, "interrupts-extended");
    const auto bytes = extended ? extended : property(node, "interrupts");
    if (!bytes || bytes->size() % 4 != 0) {
        return std::nullopt;
    }
    const Cells cells(*bytes);
    int controller = extended ? -1 : interrupt_parent(node);
    for (std::size_t at = 0; at < cells.size();) {
        if (extended) {
            controller = fdt_node_offset_by_phandle(blob_, cells.at(at++));
        }
        const std::size_t width =
            controller >= 0 ? cell_count(controller, "#interrupt-cells", 0) : 0;
        if (width == 0 || width > cells.size() - at) {
            return std::nullopt;
        }
        if (index-- == 0) {
            return Interrupt{controller, cells, at};
        }
        at += width;
    }
    return std::nullopt;
}

} // namespace xtree
