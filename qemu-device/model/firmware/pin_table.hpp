// SPDX-License-Identifier: GPL-2.0-or-later
//
// The 78 multiplexed pins: functions, and the groups of pins a function can use.
#ifndef ZYNQMP_FW_PIN_TABLE_HPP
#define ZYNQMP_FW_PIN_TABLE_HPP

#include <cstdint>

namespace zynqmp {

inline constexpr std::uint32_t kPins = 78;
inline constexpr std::uint32_t kFunctions = 57;

/// Name of a function, at most 15 characters; "" if there is none.
[[nodiscard]] const char *function_name(std::uint32_t function);

/// Groups are numbered through all functions, in the order of the functions.
[[nodiscard]] std::uint32_t first_group(std::uint32_t function);
[[nodiscard]] std::uint32_t group_count(std::uint32_t function);
[[nodiscard]] std::uint32_t total_groups();

/// Whether a group has this pin; false for numbers that are none.
[[nodiscard]] bool group_has(std::uint32_t group, std::uint32_t pin);

/// Whether the function can use this pin in some group.
[[nodiscard]] bool function_uses(std::uint32_t function, std::uint32_t pin);

} // namespace zynqmp

#endif
