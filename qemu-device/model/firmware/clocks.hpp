// SPDX-License-Identifier: GPL-2.0-or-later
//
// Clock and PLL calls, on the register image.
#ifndef ZYNQMP_FW_CLOCKS_HPP
#define ZYNQMP_FW_CLOCKS_HPP

#include "clock_table.hpp"
#include "eemi.hpp"
#include "host.hpp"
#include "registers.hpp"

#include <cstdint>
#include <optional>

namespace zynqmp {

class Clocks {
public:
    Clocks(Registers &registers, Host &host) : registers_(registers), host_(host) {}

    /// clock_enable and clock_disable. A PLL is taken out of, or put into, reset.
    Reply gate(ClockId id, bool on);
    /// clock_getstate: 1 running, 0 stopped. A clock without a gate runs.
    [[nodiscard]] Reply state(ClockId id) const;
    /// clock_setdivider. `word` has the second divider in its upper half, the
    /// first in its lower half; 0xFFFF leaves one alone. A PLL takes its
    /// feedback divider.
    Reply set_divider(ClockId id, std::uint32_t word);
    [[nodiscard]] Reply divider(ClockId id) const;
    /// clock_setparent, clock_getparent: position of the clock's mux.
    Reply set_parent(ClockId id, std::uint32_t position);
    [[nodiscard]] Reply parent(ClockId id) const;

    /// ioctl: fraction of a PLL, named by its clock id.
    Reply set_fraction_mode(ClockId id, std::uint32_t on);
    [[nodiscard]] Reply fraction_mode(ClockId id) const;
    Reply set_fraction(ClockId id, std::uint32_t data);
    [[nodiscard]] Reply fraction(ClockId id) const;

    /// pll_set_parameter and its kind: a PLL named by its power node.
    Reply set_pll_parameter(std::uint32_t node, std::uint32_t parameter, std::uint32_t value);
    [[nodiscard]] Reply pll_parameter(std::uint32_t node, std::uint32_t parameter) const;
    Reply set_pll_mode(std::uint32_t node, std::uint32_t mode);
    [[nodiscard]] Reply pll_mode(std::uint32_t node) const;

    /// query_data for clocks. `index` counts nodes or parents.
    static Reply name(ClockId id);
    [[nodiscard]] Reply topology(ClockId id, std::uint32_t index) const;
    [[nodiscard]] Reply fixed_factor(ClockId id) const;
    [[nodiscard]] Reply parents(ClockId id, std::uint32_t index) const;
    [[nodiscard]] Reply attributes(ClockId id) const;
    [[nodiscard]] Reply max_divisor(ClockId id, std::uint32_t type) const;

    /// Rate at the clock's output in Hz, 0 if it is gated or nothing drives it.
    [[nodiscard]] std::uint64_t rate(ClockId id) const;

private:
    [[nodiscard]] Status check(const char *call, ClockId id) const;
    [[nodiscard]] const PllSpec *find_pll_node(const char *call, std::uint32_t node) const;
    [[nodiscard]] std::uint64_t rate_after(ClockId id, std::size_t nodes, unsigned depth) const;
    [[nodiscard]] std::uint64_t pll_rate(const PllSpec &pll, std::uint64_t reference) const;
    Status set_fbdiv(const PllSpec &pll, std::uint32_t value);

    Registers &registers_;
    Host &host_;
};

} // namespace zynqmp

#endif
