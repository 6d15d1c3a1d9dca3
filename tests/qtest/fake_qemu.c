/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that claims to be QEMU 9.9.9, to the launcher (--version) and to a
 * module loaded into it (qmp_query_version, in the form QEMU gives it). The
 * other symbols are those whose addresses the dynamic linker needs before the
 * module can say anything.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Triple {
    int64_t major, minor, micro;
} Triple;

typedef struct Info {
    Triple *qemu;
    char *package;
} Info;

Info *qmp_query_version(void **errp);

Info *qmp_query_version(void **errp) {
    static Triple triple = {9, 9, 9};
    static Info info = {&triple, NULL};

    (void)errp;
    return &info;
}

char address_space_memory[1], error_abort[1], error_fatal[1], qemu_loglevel[4], cpus_queue[16];
char qdev_prop_bool[1], qdev_prop_uint32[1], qdev_prop_uint64[1];
char g_free[1], qdev_prop_macaddr[1], qdev_prop_netdev[1], qdev_prop_string[1];
char vmstate_info_bool[1], vmstate_info_uint8[1];

void register_module_init(void (*fn)(void), int type);

void register_module_init(void (*fn)(void), int type) {
    (void)fn;
    (void)type;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--version")) {
        puts("QEMU emulator version 9.9.9");
        return 0;
    }
    puts("the module did not refuse");
    return 0;
}
