/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qtest-eoe [--list] [--junit FILE] [PATTERN]
 *
 * Runs the tests whose names match PATTERN (* and ? as in the shell; default
 * all). Every test has a QEMU of its own, whose output stays in
 * $XEOE_QTEST_LOGS (default qtest-logs)/<test>.log; with XEOE_QTEST_TRACE set,
 * every qtest command is in there too.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite.h"

typedef struct Run {
    const Test *test;
    Vm *vm;
} Run;

static int setup(void **state) {
    Run *run = *state;

    /* Also where CMocka's own report goes to a file. */
    fprintf(stderr, "qtest: %s\n", run->test->name);
    return 0;
}

/* Starting QEMU is part of the test: a device that cannot start is a failure of it. */
static void run_case(void **state) {
    Run *run = *state;

    if (run->test->options) {
        run->vm = vm_start(run->test->name, run->test->options);
    }
    run->test->run(run->vm);
}

static int teardown(void **state) {
    Run *run = *state;

    vm_stop(run->vm);
    run->vm = NULL;
    return 0;
}

static void report_to(const char *file) {
    g_autofree char *dir = g_path_get_dirname(file);

    if (g_mkdir_with_parents(dir, 0755)) {
        g_error("cannot make directory %s", dir);
    }
    /* CMocka would append to what an earlier run left. */
    g_unlink(file);
    g_setenv("CMOCKA_MESSAGE_OUTPUT", "XML", TRUE);
    g_setenv("CMOCKA_XML_FILE", file, TRUE);
}

/* Exit status that meson and automake take for a skipped test. */
enum { SKIPPED = 77 };

static bool have_qemu(void) {
    const char *name = g_getenv("QEMU");
    g_autofree char *path = g_find_program_in_path(name && *name ? name : "qemu-system-aarch64");

    if (!path) {
        g_printerr("SKIPPED: there is no %s to test in; install qemu-system-arm or set QEMU\n",
                   name && *name ? name : "qemu-system-aarch64");
    }
    return path;
}

static int use_default(const char *variable, const char *value) {
    return g_setenv(variable, value, FALSE) ? 0 : -1;
}

int main(int argc, char **argv) {
    const Suite *suites[] = {&registers_suite, &mcdma_suite, &eoe_suite,      &mac_suite,
                             &machine_suite,   &host_suite,  &launcher_suite, &trace_suite,
                             &pcap_suite,      &faults_suite};
    g_autoptr(GArray) tests = g_array_new(FALSE, TRUE, sizeof(struct CMUnitTest));
    g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *junit = NULL;
    gboolean list = FALSE;
    const GOptionEntry entries[] = {
        {"list", 0, 0, G_OPTION_ARG_NONE, &list, "print the names of the tests", NULL},
        {"junit", 0, 0, G_OPTION_ARG_FILENAME, &junit, "write a JUnit report", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new("[PATTERN]");
    g_autoptr(GError) error = NULL;

    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error)) {
        g_printerr("%s\n", error->message);
        return 2;
    }
    /* Where this build's own parts are, unless the caller names others. */
    if (use_default("XLNX_EOE_MODULE", XEOE_MODULE) ||
        use_default("XLNX_EOE_PRELOAD", XEOE_QTEST_ACCEL)) {
        return 2;
    }
    for (size_t s = 0; s < G_N_ELEMENTS(suites); s++) {
        for (size_t i = 0; i < suites[s]->count; i++) {
            const Test *test = &suites[s]->tests[i];
            struct CMUnitTest unit = {test->name, run_case, setup, teardown, NULL};
            Run *run;

            if (argc > 1 && !g_pattern_match_simple(argv[1], test->name)) {
                continue;
            }
            if (list) {
                puts(test->name);
            }
            run = g_new0(Run, 1);
            run->test = test;
            g_ptr_array_add(runs, run);
            unit.initial_state = run;
            g_array_append_val(tests, unit);
        }
    }
    if (list) {
        return 0;
    }
    if (!tests->len) {
        g_printerr("no test is called %s\n", argc > 1 ? argv[1] : "anything");
        return 2;
    }
    if (!have_qemu()) {
        return SKIPPED;
    }
    if (junit) {
        report_to(junit);
    }
    return _cmocka_run_group_tests("qtest", (const struct CMUnitTest *)(void *)tests->data,
                                   tests->len, NULL, NULL)
               ? 1
               : 0;
}
