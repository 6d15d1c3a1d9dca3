// SPDX-License-Identifier: GPL-2.0-or-later
//
// The firmware's state as text, for whoever debugs a guest.
#ifndef ZYNQMP_FW_DESCRIBE_HPP
#define ZYNQMP_FW_DESCRIBE_HPP

#include "firmware.hpp"

#include <cstddef>
#include <span>

namespace zynqmp {

/// Write lines of text to `to`, cut to fit and terminated. Return the length the whole
/// text has, without the terminator.
///
/// Clocks: id, name, rate in Hz, running or stopped. Inputs of the chip are left out.
std::size_t describe_clocks(const Firmware &firmware, std::span<char> to);
/// Nodes in use, resets asserted, pins with their function and settings.
std::size_t describe_nodes(const Firmware &firmware, std::span<char> to);
std::size_t describe_resets(const Firmware &firmware, std::span<char> to);
std::size_t describe_pins(const Firmware &firmware, std::span<char> to);

} // namespace zynqmp

#endif
