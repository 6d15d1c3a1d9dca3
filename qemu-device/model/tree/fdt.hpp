// SPDX-License-Identifier: GPL-2.0-or-later
//
// What libfdt leaves to its user: inherited properties, addresses through `ranges`,
// interrupts through their parent (Devicetree Specification 0.4, chapter 2).
#ifndef XTREE_FDT_HPP
#define XTREE_FDT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace xtree {

/// Big-endian cells of a property.
class Cells {
public:
    Cells() = default;
    explicit Cells(std::span<const std::byte> bytes) : bytes_(bytes) {}

    /// Whole cells there are.
    [[nodiscard]] std::size_t size() const { return bytes_.size() / 4; }
    /// Whether the property is a whole number of cells.
    [[nodiscard]] bool whole() const { return bytes_.size() % 4 == 0; }
    /// Cell at `index`, which exists.
    [[nodiscard]] std::uint32_t at(std::size_t index) const;
    /// A number of `cells` (0..2) cells at `index`, which exist.
    [[nodiscard]] std::uint64_t number(std::size_t index, std::size_t cells) const;

private:
    std::span<const std::byte> bytes_;
};

struct Region {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
};

/// One interrupt specifier and the controller it is for.
struct Interrupt {
    int controller = -1;
    Cells cells;
    std::size_t first = 0;
};

/// Whether fdt_check_full() may look at a tree: each property and name of it ends inside. Up to
/// 1.6.1, libfdt adds a length to an offset unseen, and one just below 4 GiB leads it back to
/// where it has been, for ever. A header that is broken itself is left to fdt_check_full().
[[nodiscard]] bool ends_hold(std::span<const std::byte> blob);

/// A tree that ends_hold() and fdt_check_full() have passed. Nodes are libfdt's offsets.
class Tree {
public:
    explicit Tree(const void *blob) : blob_(blob) {}

    [[nodiscard]] const void *blob() const { return blob_; }

    /// A property's bytes, if the node has it.
    [[nodiscard]] std::optional<std::span<const std::byte>> property(int node,
                                                                     const char *name) const;
    /// Index of `text` in a list of strings.
    [[nodiscard]] std::optional<std::size_t> index_of(int node, const char *name,
                                                      std::string_view text) const;
    [[nodiscard]] bool compatible(int node, const char *name) const;
    /// Whether the node and all above it are in use.
    [[nodiscard]] bool enabled(int node) const;
    /// The node a one-cell property points to.
    [[nodiscard]] std::optional<int> pointed_to(int node, const char *name) const;

    /// Region `index` of `reg` as the CPU sees it; nothing if there is none, or no way to it.
    [[nodiscard]] std::optional<Region> region(int node, std::size_t index) const;
    /// Interrupt `index` of `interrupts-extended` or `interrupts`.
    [[nodiscard]] std::optional<Interrupt> interrupt(int node, std::size_t index) const;

private:
    [[nodiscard]] std::size_t cell_count(int node, const char *name, std::size_t fallback) const;
    [[nodiscard]] int interrupt_parent(int node) const; // negative if there is none
    [[nodiscard]] std::optional<std::uint64_t> through_bus(int bus, int above, Region region) const;

    const void *blob_;
};

} // namespace xtree

#endif
