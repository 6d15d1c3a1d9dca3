/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the launcher and the module say when they cannot work. */
#include "suite.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void expect_end(const char *const *env, const char *const *args, int status,
                       const char *sentence) {
    g_autofree char *output = NULL;
    int found = vm_run_launcher(args, env, &output);

    if (found != status || !strstr(output, sentence)) {
        fail_msg("exit status %d, expected %d and '%s':\n%s", found, status, sentence, output);
    }
}

static const char *const machines[] = {"-M", "help", NULL};

static void launcher_passes_options_on(Vm *vm G_GNUC_UNUSED) {
    expect_end(NULL, machines, 0, "xlnx-zcu102-eoe");
}

/* FAKE_QEMU is a program that answers --version as QEMU does, with another number. */
static void launcher_refuses_another_version(Vm *vm G_GNUC_UNUSED) {
    const char *const env[] = {"QEMU=" XEOE_FAKE_QEMU, NULL};

    expect_end(env, machines, 1, "is 9.9.9; build it again");
}

/* Loaded without the launcher's check, the module itself refuses. */
static void module_refuses_another_version(Vm *vm G_GNUC_UNUSED) {
    g_autofree char *link = g_build_filename(g_get_tmp_dir(), "xeoe-qtest-XXXXXX", NULL);
    g_autofree char *module = NULL;
    g_autofree char *variable = NULL;
    g_autofree char *output = NULL;
    const char *no_args[] = {NULL};
    int status;

    /* A copy without the version file beside it. */
    assert_non_null(g_mkdtemp(link));
    module = g_build_filename(link, "copy.so", NULL);
    {
        g_autofree char *bytes = NULL;
        gsize len;

        assert_true(g_file_get_contents(g_getenv("XLNX_EOE_MODULE"), &bytes, &len, NULL));
        assert_true(g_file_set_contents(module, bytes, (gssize)len, NULL));
    }
    variable = g_strconcat("XLNX_EOE_MODULE=", module, NULL);
    {
        const char *const env[] = {variable, "XLNX_EOE_PRELOAD=", "QEMU=" XEOE_FAKE_QEMU, NULL};

        status = vm_run_launcher(no_args, env, &output);
    }
    g_remove(module);
    g_rmdir(link);
    if (status != 1 || !strstr(output, "cannot be loaded into QEMU 9.9.9")) {
        fail_msg("exit status %d, expected 1 and a refusal:\n%s", status, output);
    }
}

static void launcher_names_a_missing_emulator(Vm *vm G_GNUC_UNUSED) {
    const char *const env[] = {"QEMU=no-such-emulator", NULL};

    expect_end(env, machines, 1, "no-such-emulator is not found");
}

static void launcher_names_a_missing_module(Vm *vm G_GNUC_UNUSED) {
    const char *const env[] = {"QEMU=" XEOE_FAKE_QEMU, "XLNX_EOE_MODULE=/no/such/module.so", NULL};

    expect_end(env, machines, 1, "/no/such/module.so, which cannot be read");
}

/* Programs that QEMU starts must not get the module loaded into them. */
static void module_stays_out_of_children(Vm *vm G_GNUC_UNUSED) {
    const char *const args[] = {
        "-M",        "xlnx-zcu102-eoe",
        "-accel",    "qtest",
        "-display",  "none",
        "-audio",    "none",
        "-incoming", "exec:echo child sees [$LD_PRELOAD] >&2; kill -KILL $PPID",
        NULL};
    g_autofree char *output = NULL;

    /* The child ends QEMU, which would wait for machine state from it. */
    vm_run_launcher(args, NULL, &output);
    if (!strstr(output, "child sees []")) {
        fail_msg("a child of QEMU did not run, or saw LD_PRELOAD:\n%s", output);
    }
}

static const Test tests[] = {
    {"launcher_passes_options_on", NULL, launcher_passes_options_on},
    {"launcher_refuses_another_version", NULL, launcher_refuses_another_version},
    {"launcher_names_a_missing_emulator", NULL, launcher_names_a_missing_emulator},
    {"launcher_names_a_missing_module", NULL, launcher_names_a_missing_module},
    {"module_refuses_another_version", NULL, module_refuses_another_version},
    {"module_stays_out_of_children", NULL, module_stays_out_of_children},
};

const Suite launcher_suite = {tests, G_N_ELEMENTS(tests)};
