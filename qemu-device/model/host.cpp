// SPDX-License-Identifier: GPL-2.0-or-later
#include "host.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace eoe {

void Host::guest_errorf(const char *format, ...) {
    std::array<char, 200> text{};
    va_list args;
    va_start(args, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start() is right above
    (void)std::vsnprintf(text.data(), text.size(), format, args);
    va_end(args);
    guest_error(text.data());
}

} // namespace eoe
