/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zynqmp-firmware: brings a guest's firmware calls to the model behind fw_capi.h.
 * What a call does is decided there.
 *
 * QEMU treats every SMC as PSCI while that is its conduit, and refuses other ids.
 * The call is caught one step earlier: the Cortex-A53 class gets a copy of its TCG
 * operations in which the exception entry looks at the id first.
 */
#include "compat.h"

#include "eoe_trace.h"
#include "zynqmp_firmware.h"

#include "hw/arm/boot.h"
#include "qapi/qapi-types-run-state.h"
#include "qemu/bswap.h"
#include "qemu/error-report.h"
#include "qemu/units.h"

#include "model/firmware/fw_capi.h"

/*
 * EXCP_SMC and QEMU_PSCI_CONDUIT_SMC of target/arm/cpu.h, which cannot be included
 * outside the target's own code. They have not changed since 2014.
 */
enum { EXCEPTION_SMC = 13, PSCI_CONDUIT_SMC = 1 };

/* DDR is at 0 up to 2 GiB, the rest of it at 0x8_0000_0000 (UG1085, system addresses). */
#define DDR_LOW_SIZE (2 * GiB)
#define DDR_HIGH_BASE 0x800000000ULL

OBJECT_DECLARE_SIMPLE_TYPE(ZynqmpFirmware, ZYNQMP_FIRMWARE)

struct ZynqmpFirmware {
    SysBusDevice parent_obj;

    XfwFirmware *model;
    bool log_changes;
    bool was_reset; /* once: the next one is not a power-on reset */
    uint8_t saved[XFW_SAVED_SIZE];
};

/* A class has no room for a pointer of ours, and there is one machine in a process. */
static struct {
    ZynqmpFirmware *device;
    TCGCPUOps ops;
    void (*do_interrupt)(CPUState *cpu);
} caught;

/* What the model asks of QEMU (XfwHostOps) */

static void host_shutdown(void *opaque G_GNUC_UNUSED, XfwShutdown what) {
    if (what == XFW_POWER_OFF) {
        qemu_system_shutdown_request(SHUTDOWN_CAUSE_GUEST_SHUTDOWN);
    } else {
        qemu_system_reset_request(SHUTDOWN_CAUSE_GUEST_RESET);
    }
}

static void host_guest_error(void *opaque, const char *text) {
    qemu_log_mask(LOG_GUEST_ERROR, "%s: %s\n", DEVICE(opaque)->canonical_path, text);
}

static bool host_wants_changes(void *opaque) {
    return ZYNQMP_FIRMWARE(opaque)->log_changes;
}

static void host_changed(void *opaque, const char *text) {
    qemu_log("%s: %s\n", DEVICE(opaque)->canonical_path, text);
}

static const XfwHostOps host_ops = {
    .shutdown = host_shutdown,
    .guest_error = host_guest_error,
    .wants_changes = host_wants_changes,
    .changed = host_changed,
};

/* Catching calls */

static uint64_t read_x(CPUState *cpu, GByteArray *buffer, int n) {
    g_byte_array_set_size(buffer, 0);
    return cpu->cc->gdb_read_register(cpu, buffer, n) == 8 ? ldq_le_p(buffer->data) : 0;
}

static void write_x(CPUState *cpu, int n, uint64_t value) {
    uint8_t bytes[8];

    stq_le_p(bytes, value);
    cpu->cc->gdb_write_register(cpu, bytes, n);
}

/*
 * Runs under the big lock. The program counter is behind the instruction already,
 * so returning is all it takes to return from the call.
 */
static void do_interrupt(CPUState *cpu) {
    uint64_t args[XFW_SMC_ARGS];
    uint64_t results[XFW_SMC_RESULTS];
    g_autoptr(GByteArray) buffer = NULL;
    int i;

    if (cpu->exception_index != EXCEPTION_SMC || !caught.device->model) {
        caught.do_interrupt(cpu);
        return;
    }
    buffer = g_byte_array_sized_new(8);
    args[0] = read_x(cpu, buffer, 0);
    if (!xfw_owns(args[0])) {
        caught.do_interrupt(cpu);
        return;
    }
    for (i = 1; i < XFW_SMC_ARGS; i++) {
        args[i] = read_x(cpu, buffer, i);
    }
    xfw_smc(caught.device->model, args, results);
    xeoe_trace_eemi_call(DEVICE(caught.device)->canonical_path, args, results);
    for (i = 0; i < XFW_SMC_RESULTS; i++) {
        write_x(cpu, i, results[i]);
    }
}

/* Before any CPU is made: each takes the operations of its class. */
static void catch_calls(void) {
    CPUClass *cc = CPU_CLASS(object_class_by_name("cortex-a53-arm-cpu"));

    caught.ops = *cc->tcg_ops;
    caught.do_interrupt = caught.ops.do_interrupt;
    caught.ops.do_interrupt = do_interrupt;
    cc->tcg_ops = &caught.ops;
}

/* Boot */

static void modify_dtb(const struct arm_boot_info *info, void *fdt) {
    /* QEMU has written one node that begins at 0, and dropped the tree's own. */
    g_autofree char *path = g_strdup_printf("/memory@%" PRIx64, (uint64_t)info->loader_start);
    uint32_t address_cells = qemu_fdt_getprop_cell(fdt, "/", "#address-cells", NULL, &error_fatal);
    uint32_t size_cells = qemu_fdt_getprop_cell(fdt, "/", "#size-cells", NULL, &error_fatal);

    if (info->ram_size <= DDR_LOW_SIZE) {
        return;
    }
    if (address_cells < 2) {
        error_report("The device tree has one address cell, which cannot name the memory "
                     "above 4 GiB; use -m 2G or less.");
        exit(1);
    }
    qemu_fdt_setprop_sized_cells(fdt, path, "reg", address_cells, (uint64_t)0, size_cells,
                                 DDR_LOW_SIZE, address_cells, DDR_HIGH_BASE, size_cells,
                                 info->ram_size - DDR_LOW_SIZE);
}

bool zynqmp_firmware_possible(MachineState *machine, Error **errp) {
    if (object_property_get_bool(OBJECT(machine), "secure", &error_abort)) {
        error_setg(errp, "eemi=on answers for firmware that a guest with secure=on brings itself");
        return false;
    }
    if (!object_dynamic_cast(OBJECT(machine->accelerator), "tcg-accel")) {
        error_setg(errp, "eemi=on needs -accel tcg");
        return false;
    }
    return true;
}

void zynqmp_firmware_init_machine(MachineState *machine, void (*init)(MachineState *),
                                  const char *child) {
    static struct arm_boot_info boot_info;
    char *kernel = machine->kernel_filename;
    char *dtb = machine->dtb;
    DeviceState *dev;

    catch_calls();

    /* With nothing to load, the board does not touch the device tree. */
    machine->kernel_filename = NULL;
    machine->dtb = NULL;
    init(machine);
    machine->kernel_filename = kernel;
    machine->dtb = dtb;

    dev = qdev_new(TYPE_ZYNQMP_FIRMWARE);
    object_property_add_child(OBJECT(machine), child, OBJECT(dev));
    sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
    caught.device = ZYNQMP_FIRMWARE(dev);

    if (kernel || dtb) {
        boot_info.ram_size = machine->ram_size;
        boot_info.psci_conduit = PSCI_CONDUIT_SMC;
        boot_info.modify_dtb = modify_dtb;
        arm_load_kernel(ARM_CPU(first_cpu), machine, &boot_info);
    }
}

/* What a person may look at: qom-get /machine/NAME clocks, and so on. */

static char *describe(Object *obj, XfwPart part) {
    ZynqmpFirmware *s = ZYNQMP_FIRMWARE(obj);
    size_t size = s->model ? xfw_describe(s->model, part, NULL, 0) + 1 : 1;
    char *text = g_malloc0(size);

    if (s->model) {
        xfw_describe(s->model, part, text, size);
    }
    return text;
}

static char *get_clocks(Object *obj, Error **errp G_GNUC_UNUSED) {
    return describe(obj, XFW_CLOCKS);
}

static char *get_nodes(Object *obj, Error **errp G_GNUC_UNUSED) {
    return describe(obj, XFW_NODES);
}

static char *get_resets(Object *obj, Error **errp G_GNUC_UNUSED) {
    return describe(obj, XFW_RESETS);
}

static char *get_pins(Object *obj, Error **errp G_GNUC_UNUSED) {
    return describe(obj, XFW_PINS);
}

static bool get_log_changes(Object *obj, Error **errp G_GNUC_UNUSED) {
    return ZYNQMP_FIRMWARE(obj)->log_changes;
}

static void set_log_changes(Object *obj, bool value, Error **errp G_GNUC_UNUSED) {
    ZYNQMP_FIRMWARE(obj)->log_changes = value;
}

/* Device */

static void firmware_reset_hold(XEOE_RESET_PHASE_ARGS) {
    ZynqmpFirmware *s = ZYNQMP_FIRMWARE(obj);

    if (!s->model) {
        return;
    }
    xfw_reset(s->model, !s->was_reset);
    s->was_reset = true;
}

static void firmware_realize(DeviceState *dev, Error **errp) {
    ZynqmpFirmware *s = ZYNQMP_FIRMWARE(dev);
    const XfwIdentity identity = xfw_identity_default();

    s->model = xfw_new(&identity, &host_ops, s);
    if (!s->model) {
        error_setg(errp, "no memory for the firmware's state");
    }
}

static void firmware_unrealize(DeviceState *dev) {
    ZynqmpFirmware *s = ZYNQMP_FIRMWARE(dev);

    xfw_free(s->model);
    s->model = NULL;
}

static int firmware_pre_save(void *opaque) {
    ZynqmpFirmware *s = opaque;

    xfw_save(s->model, s->saved);
    return 0;
}

static int firmware_post_load(void *opaque, int version_id G_GNUC_UNUSED) {
    ZynqmpFirmware *s = opaque;

    return xfw_load(s->model, s->saved) ? 0 : -EINVAL;
}

static const VMStateDescription firmware_vmstate = {
    .name = TYPE_ZYNQMP_FIRMWARE,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = firmware_pre_save,
    .post_load = firmware_post_load,
    .fields =
        (const VMStateField[]){
            VMSTATE_UINT8_ARRAY(saved, ZynqmpFirmware, XFW_SAVED_SIZE),
            VMSTATE_BOOL(was_reset, ZynqmpFirmware),
            VMSTATE_END_OF_LIST(),
        },
};

static void firmware_class_init(ObjectClass *oc, XeoeClassData *data G_GNUC_UNUSED) {
    static const struct {
        const char *name;
        char *(*get)(Object *obj, Error **errp);
        const char *text;
    } parts[] = {
        {"clocks", get_clocks, "rate of every clock in Hz"},
        {"nodes", get_nodes, "power nodes that are in use"},
        {"resets", get_resets, "resets that are asserted"},
        {"pins", get_pins, "function and settings of every MIO pin"},
    };
    DeviceClass *dc = DEVICE_CLASS(oc);
    unsigned i;

    dc->desc = "ZynqMP platform firmware (EEMI calls)";
    dc->realize = firmware_realize;
    dc->unrealize = firmware_unrealize;
    dc->vmsd = &firmware_vmstate;
    dc->user_creatable = false;
    RESETTABLE_CLASS(oc)->phases.hold = firmware_reset_hold;

    for (i = 0; i < ARRAY_SIZE(parts); i++) {
        object_class_property_add_str(oc, parts[i].name, parts[i].get, NULL);
        object_class_property_set_description(oc, parts[i].name, parts[i].text);
    }
    object_class_property_add_bool(oc, "log-changes", get_log_changes, set_log_changes);
    object_class_property_set_description(
        oc, "log-changes", "log every change of a clock, node, reset or pin (default off)");
}

static const TypeInfo firmware_type = {
    .name = TYPE_ZYNQMP_FIRMWARE,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(ZynqmpFirmware),
    .class_init = firmware_class_init,
};

static void firmware_register_types(void) {
    type_register_static(&firmware_type);
}

type_init(firmware_register_types)
