// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_CONFIG_HPP
#define XEOE_CONFIG_HPP

#include "capi.h"

#include <span>

namespace eoe {

/// Build parameters of the cores; the C struct serves both sides of the door.
using Config = XeoeConfig;

/// A full build: 16 channels each way, GSO and GRO on 15 ports, v4.1 at 10G.
[[nodiscard]] Config default_config();

/// Check every field and the combinations of them. Returns true if the
/// configuration can be built; else a sentence naming the field and its range
/// is left in `error` (cut to fit, always terminated).
[[nodiscard]] bool check_config(const Config &config, std::span<char> error);

/// Leave `sentence` in `error`, cut to fit and terminated; nothing if it is empty.
void put_error(std::span<char> error, const char *sentence);

} // namespace eoe

#endif
