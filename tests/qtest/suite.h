/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests, one list per file. A test's name is its identity: keep it. */
#ifndef XEOE_QTEST_SUITE_H
#define XEOE_QTEST_SUITE_H

#include <stddef.h>

#include "vm.h"

typedef struct Test {
    const char *name;
    const VmOptions *options; /* QEMU to start for it; NULL: none */
    void (*run)(Vm *vm);
} Test;

typedef struct Suite {
    const Test *tests;
    size_t count;
} Suite;

extern const Suite registers_suite;
extern const Suite mcdma_suite;
extern const Suite eoe_suite;
extern const Suite mac_suite;
extern const Suite machine_suite;
extern const Suite host_suite;
extern const Suite launcher_suite;
extern const Suite trace_suite;
extern const Suite pcap_suite;
extern const Suite faults_suite;

#endif /* XEOE_QTEST_SUITE_H */
