/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes the device a module for a stock QEMU: it is loaded with LD_PRELOAD,
 * and refuses any QEMU but the one whose headers it was compiled with, because
 * the layout of QEMU's structures is no stable interface.
 *
 * Not part of a build inside a QEMU source tree.
 */
#include "compat.h"

#include <dlfcn.h>

#include "qapi/qapi-types-control.h"

static G_NORETURN void refuse(const char *found) {
    fprintf(stderr,
            "xlnx-eoe.so was built for QEMU %d.%d.%d and cannot be loaded into %s; "
            "build it again for that version.\n",
            QEMU_VERSION_MAJOR, QEMU_VERSION_MINOR, QEMU_VERSION_MICRO, found);
    _exit(1);
}

/*
 * Runs before the other constructors here, hence before anything of QEMU is
 * called whose meaning may have changed. The version query itself has kept its
 * form since 2015.
 */
static void __attribute__((constructor(101))) module_loaded(void) {
    VersionInfo *(*query_version)(Error **) =
        (VersionInfo * (*)(Error **)) dlsym(RTLD_DEFAULT, "qmp_query_version");
    VersionInfo *info;
    VersionTriple *found;

    if (!query_version) {
        refuse("a program that is not QEMU");
    }
    info = query_version(NULL);
    found = info->qemu;
    if (found->major != QEMU_VERSION_MAJOR || found->minor != QEMU_VERSION_MINOR ||
        found->micro != QEMU_VERSION_MICRO) {
        char version[64];

        snprintf(version, sizeof(version), "QEMU %" PRId64 ".%" PRId64 ".%" PRId64, found->major,
                 found->minor, found->micro);
        refuse(version);
    }
    qapi_free_VersionInfo(info);

    /* Programs that QEMU starts (helpers, scripts) have no use for the module. */
    unsetenv("LD_PRELOAD");
}
