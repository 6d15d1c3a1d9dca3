// SPDX-License-Identifier: GPL-2.0-or-later
//
// CMocka, and how every suite runs its group.
#ifndef UNIT_GROUP_HPP
#define UNIT_GROUP_HPP

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ios> // before cmocka.h, whose fail() is a macro
#include <span>

extern "C" {
#include <cmocka.h>
}

namespace unit {

/// Run a group under the name it has in CMocka's XML; the environment's
/// UNIT_TEST, a pattern with * and ?, chooses among its tests. The number of
/// tests that failed.
inline int run_group(const char *name, std::span<const CMUnitTest> tests) {
    if (const char *filter = std::getenv("UNIT_TEST")) {
        cmocka_set_test_filter(filter);
    }
    return _cmocka_run_group_tests(name, tests.data(), tests.size(), nullptr, nullptr);
}

} // namespace unit

#endif
