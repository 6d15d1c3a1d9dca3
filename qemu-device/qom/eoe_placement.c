/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Brings a device tree to its reader, and what it read to a port's properties. */
#include "compat.h"

#include "eoe_placement.h"

#include "eoe_port.h"
#include "qemu/config-file.h"
#include "qemu/option.h"

bool xeoe_placement_read(const char *filename, XtreePlacement *placement, Error **errp) {
    g_autofree char *blob = NULL;
    g_autoptr(GError) problem = NULL;
    char sentence[256];
    gsize size;

    if (!g_file_get_contents(filename, &blob, &size, &problem)) {
        error_setg(errp, "%s", problem->message);
        return false;
    }
    if (!xtree_read(blob, size, placement, sentence, sizeof(sentence))) {
        error_setg(errp, "%s: %s", filename, sentence);
        error_append_hint(errp, "The ports are built as the tree says; placement=fixed "
                                "builds them at their fixed places.\n");
        return false;
    }
    return true;
}

static int is_global(void *name, QemuOpts *opts, Error **errp G_GNUC_UNUSED) {
    const char *driver = qemu_opt_get(opts, "driver");
    const char *property = qemu_opt_get(opts, "property");

    return driver && property && g_str_equal(driver, TYPE_XLNX_EOE_PORT) &&
           g_str_equal(property, name);
}

static bool on_command_line(const char *property) {
    return qemu_opts_foreach(qemu_find_opts("global"), is_global, (void *)property, NULL) != 0;
}

void xeoe_placement_configure(DeviceState *dev, const XtreePort *port) {
    const XeoeConfig *c = &port->config;
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {
        {"num-mm2s-channels", c->num_mm2s_channels},
        {"num-s2mm-channels", c->num_s2mm_channels},
        {"addr-width", c->addr_width},
        {"eoe-gro-ports", c->eoe_gro_ports},
    };
    const struct {
        const char *name;
        bool value;
    } switches[] = {
        {"include-mm2s-dre", c->mm2s_dre},
        {"include-s2mm-dre", c->s2mm_dre},
        {"eoe", c->eoe},
        {"eoe-tx-gso", c->eoe_tx_gso},
        {"eoe-rx-gro", c->eoe_rx_gro},
        {"mac-25g", c->mac_25g},
    };
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(numbers); i++) {
        if (!on_command_line(numbers[i].name)) {
            object_property_set_uint(OBJECT(dev), numbers[i].name, numbers[i].value, &error_abort);
        }
    }
    for (i = 0; i < ARRAY_SIZE(switches); i++) {
        if (!on_command_line(switches[i].name)) {
            object_property_set_bool(OBJECT(dev), switches[i].name, switches[i].value,
                                     &error_abort);
        }
    }
}
