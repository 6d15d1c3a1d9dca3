// SPDX-License-Identifier: GPL-2.0-or-later
#include "host.hpp"

#include <cstdarg>
#include <cstdio>

namespace zynqmp {

namespace {
constexpr unsigned kTextSize = 201;
}

void Host::guest_errorf(const char *format, ...) {
    char text[kTextSize];
    std::va_list args;
    va_start(args, format);
    static_cast<void>(std::vsnprintf(text, sizeof(text), format, args));
    va_end(args);
    guest_error(text);
}

void Host::changedf(const char *format, ...) {
    if (!wants_changes()) {
        return;
    }
    char text[kTextSize];
    std::va_list args;
    va_start(args, format);
    static_cast<void>(std::vsnprintf(text, sizeof(text), format, args));
    va_end(args);
    changed(text);
}

} // namespace zynqmp
