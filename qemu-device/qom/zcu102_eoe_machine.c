/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xlnx-zcu102-eoe: QEMU's own ZCU102 with Ethernet ports in the programmable
 * logic. They sit where the guest's device tree has them, else in the slots of the
 * table below. Every port, whether the machine makes it or the command line asks for
 * it with -device, takes the next free place.
 */
#include "compat.h"

#include "eoe_placement.h"
#include "eoe_port.h"
#include "model/capi.h"
#include "qapi/qapi-visit-common.h"
#include "qemu/error-report.h"
#include "zynqmp_firmware.h"

#define TYPE_ZCU102 MACHINE_TYPE_NAME("xlnx-zcu102")
#define TYPE_ZCU102_EOE MACHINE_TYPE_NAME("xlnx-zcu102-eoe")
#define TYPE_ZCU102_EOE_BOARD "xlnx-zcu102-eoe-board"

/* Names of the board object and of the firmware below the machine. */
#define BOARD_CHILD "eoe-board"
#define FIRMWARE_CHILD "eemi-service"

/* A direction's channels share one interrupt, or spread over a group of eight. */
enum { MAX_PORTS = XTREE_MAX_PORTS, SPI_GROUP = 8 };

/* Shared peripheral interrupts of the chip; the model checks that a tree's are the logic's. */
enum { SPI_COUNT = 128 };

/*
 * Where a port sits. MAC and EOE of port 0 are where AMD's EOE example tree has
 * them. Interrupts are numbers of shared peripheral interrupts; the logic has
 * 89..96 and 104..111 (UG1085, system interrupts).
 */
static const struct {
    hwaddr base[XEOE_MCDMA + 1];
    unsigned spi[XEOE_S2MM + 1];
} slots[MAX_PORTS] = {
    {
        .base = {[XEOE_MAC] = 0x80020000, [XEOE_EOE] = 0x80008000, [XEOE_MCDMA] = 0x80030000},
        .spi = {[XEOE_MM2S] = 89, [XEOE_S2MM] = 90},
    },
    {
        .base = {[XEOE_MAC] = 0x80060000, [XEOE_EOE] = 0x80048000, [XEOE_MCDMA] = 0x80070000},
        .spi = {[XEOE_MM2S] = 91, [XEOE_S2MM] = 92},
    },
};

/* First interrupt of each direction with irq-mode=per-channel. */
static const unsigned spread_spi[] = {[XEOE_MM2S] = 89, [XEOE_S2MM] = 104};

/*
 * State of our own. It lives in a child object because the size of the parent
 * machine's instance is known to nobody outside QEMU.
 */
OBJECT_DECLARE_SIMPLE_TYPE(Zcu102EoeBoard, ZCU102_EOE_BOARD)

struct Zcu102EoeBoard {
    Object parent_obj;

    uint8_t ports; /* that the machine makes */
    bool ports_given;
    bool per_channel; /* irq-mode */
    bool irq_mode_given;
    OnOffAuto eemi;
    char *placement; /* auto, fixed, or the name of a tree */
    XtreePlacement tree;
    unsigned placed;
    DeviceState *gates[SPI_COUNT]; /* an OR gate before each interrupt in use */
    unsigned sources[SPI_COUNT];   /* taken inputs of it */
};

typedef struct Zcu102EoeClass {
    MachineClass parent_class;
    void (*parent_init)(MachineState *machine);
} Zcu102EoeClass;

DECLARE_CLASS_CHECKERS(Zcu102EoeClass, ZCU102_EOE, TYPE_ZCU102_EOE)

static Zcu102EoeBoard *board_of(Object *machine) {
    return ZCU102_EOE_BOARD(object_resolve_path_component(machine, BOARD_CHILD));
}

/* An OR gate of the machine, before something else's input. */
static DeviceState *make_gate(Object *machine, const char *name, unsigned lines, qemu_irq out) {
    DeviceState *gate = qdev_new(TYPE_OR_IRQ);

    qdev_prop_set_uint16(gate, "num-lines", lines);
    object_property_add_child(machine, name, OBJECT(gate));
    qdev_realize_and_unref(gate, NULL, &error_fatal);
    qdev_connect_gpio_out(gate, 0, out);
    return gate;
}

/* An input of the gate before an interrupt: one for each port and direction. */
static qemu_irq gate_input(Object *machine, Zcu102EoeBoard *board, unsigned spi) {
    if (!board->gates[spi]) {
        Object *soc = object_resolve_path_component(machine, "soc");
        DeviceState *gic = DEVICE(object_resolve_path_component(soc, "gic"));
        g_autofree char *name = g_strdup_printf("eoe-irq%u", spi);

        board->gates[spi] =
            make_gate(machine, name, MAX_PORTS * (XEOE_S2MM + 1), qdev_get_gpio_in(gic, spi));
    }
    return qdev_get_gpio_in(board->gates[spi], board->sources[spi]++);
}

/*
 * Wire one direction of a port: channel n + 1 interrupts spi[n]. Channels with the same
 * interrupt come together in an OR gate.
 */
static void connect_irqs(Object *machine, Zcu102EoeBoard *board, SysBusDevice *port, unsigned slot,
                         XeoeDir dir, const uint32_t spi[XEOE_MAX_CHANNELS]) {
    unsigned channel;
    unsigned first;

    for (first = 0; first < XEOE_MAX_CHANNELS; first++) {
        g_autofree char *name = g_strdup_printf("eoe%u-%s-ch%u-irq", slot,
                                                dir == XEOE_MM2S ? "mm2s" : "s2mm", first + 1);
        DeviceState *gate;
        bool seen = spi[first] == XTREE_NO_SPI;

        for (channel = 0; channel < first; channel++) {
            seen = seen || spi[channel] == spi[first];
        }
        if (seen) {
            continue;
        }
        gate = make_gate(machine, name, XEOE_MAX_CHANNELS, gate_input(machine, board, spi[first]));
        for (channel = first; channel < XEOE_MAX_CHANNELS; channel++) {
            if (spi[channel] == spi[first]) {
                sysbus_connect_irq(port, dir * XEOE_MAX_CHANNELS + channel,
                                   qdev_get_gpio_in(gate, channel));
            }
        }
    }
}

/* The interrupts of a direction where no tree names them. */
static void fixed_spi(const Zcu102EoeBoard *board, unsigned slot, XeoeDir dir,
                      uint32_t spi[XEOE_MAX_CHANNELS]) {
    unsigned channel;

    for (channel = 0; channel < XEOE_MAX_CHANNELS; channel++) {
        spi[channel] =
            board->per_channel ? spread_spi[dir] + channel % SPI_GROUP : slots[slot].spi[dir];
    }
}

static void place_port(Object *machine, Zcu102EoeBoard *board, SysBusDevice *port) {
    unsigned slot = board->placed++;
    const XtreePort *tree = slot < board->tree.ports ? &board->tree.port[slot] : NULL;
    XeoeBlock block;
    XeoeDir dir;

    for (block = XEOE_MAC; block <= XEOE_MCDMA; block++) {
        /* A tree without an engine has no place for one. */
        if (!tree || block != XEOE_EOE || tree->config.eoe) {
            sysbus_mmio_map(port, block, tree ? tree->base[block] : slots[slot].base[block]);
        }
    }
    for (dir = XEOE_MM2S; dir <= XEOE_S2MM; dir++) {
        uint32_t spi[XEOE_MAX_CHANNELS];

        if (tree && !board->irq_mode_given) {
            memcpy(spi, tree->spi[dir], sizeof(spi));
        } else {
            fixed_spi(board, slot, dir, spi);
        }
        connect_irqs(machine, board, port, slot, dir, spi);
    }
}

/*
 * Look into the device tree before anything is placed. How many ports there are is the
 * tree's to say, unless the command line does.
 */
static void read_tree(MachineState *machine, Zcu102EoeBoard *board) {
    const char *file = g_str_equal(board->placement, "auto") ? machine->dtb : board->placement;

    if (!file || g_str_equal(file, "fixed")) {
        return;
    }
    if (!xeoe_placement_read(file, &board->tree, &error_fatal)) {
        return;
    }
    if (!board->tree.ports && !board->ports_given) {
        info_report("%s has no Ethernet port in the programmable logic, so none is built "
                    "(ports=1 builds one at its fixed place)",
                    file);
    }
    if (!board->ports_given) {
        board->ports = board->tree.ports;
    }
}

/* Plugging */

static void machine_pre_plug(HotplugHandler *handler, DeviceState *dev, Error **errp) {
    Zcu102EoeBoard *board = board_of(OBJECT(handler));

    if (SYS_BUS_DEVICE(dev)->mmio[XEOE_MAC].memory->container) {
        /* Its windows and interrupts are where they were. */
        error_setg(errp, "an Ethernet port whose `realized` was set off cannot come back");
    } else if (board->per_channel && board->placed == 1) {
        error_setg(errp, "irq-mode=per-channel leaves interrupts for one Ethernet port only; "
                         "use irq-mode=shared for two");
    } else if (board->placed == MAX_PORTS) {
        error_setg(errp, "the board has room for %d Ethernet ports, and both places are taken",
                   MAX_PORTS);
    }
}

static void machine_plug(HotplugHandler *handler, DeviceState *dev, Error **errp G_GNUC_UNUSED) {
    place_port(OBJECT(handler), board_of(OBJECT(handler)), SYS_BUS_DEVICE(dev));
}

static HotplugHandler *machine_hotplug_handler(MachineState *machine, DeviceState *dev) {
    return object_dynamic_cast(OBJECT(dev), TYPE_XLNX_EOE_PORT) ? HOTPLUG_HANDLER(machine) : NULL;
}

/* Properties */

/* The board is built of them once. */
static bool may_set(const char *name, Error **errp) {
    if (phase_check(PHASE_MACHINE_INITIALIZED)) {
        error_setg(errp, "%s can only be set on the command line", name);
        return false;
    }
    return true;
}

static void get_ports(Object *obj, Visitor *v, const char *name, void *opaque G_GNUC_UNUSED,
                      Error **errp) {
    visit_type_uint8(v, name, &board_of(obj)->ports, errp);
}

static void set_ports(Object *obj, Visitor *v, const char *name, void *opaque G_GNUC_UNUSED,
                      Error **errp) {
    uint8_t ports;

    if (!may_set(name, errp) || !visit_type_uint8(v, name, &ports, errp)) {
        return;
    }
    if (ports > MAX_PORTS) {
        error_setg(errp, "ports must be 0..%d, not %u", MAX_PORTS, ports);
        return;
    }
    board_of(obj)->ports = ports;
    board_of(obj)->ports_given = true;
}

static char *get_irq_mode(Object *obj, Error **errp G_GNUC_UNUSED) {
    return g_strdup(board_of(obj)->per_channel ? "per-channel" : "shared");
}

static void set_irq_mode(Object *obj, const char *value, Error **errp) {
    if (!may_set("irq-mode", errp)) {
        return;
    }
    if (!g_str_equal(value, "shared") && !g_str_equal(value, "per-channel")) {
        error_setg(errp, "irq-mode must be shared or per-channel, not '%s'", value);
        return;
    }
    board_of(obj)->per_channel = g_str_equal(value, "per-channel");
    board_of(obj)->irq_mode_given = true;
}

static char *get_placement(Object *obj, Error **errp G_GNUC_UNUSED) {
    return g_strdup(board_of(obj)->placement);
}

static void set_placement(Object *obj, const char *value, Error **errp) {
    if (!may_set("placement", errp)) {
        return;
    }
    g_free(board_of(obj)->placement);
    board_of(obj)->placement = g_strdup(value);
}

static void get_eemi(Object *obj, Visitor *v, const char *name, void *opaque G_GNUC_UNUSED,
                     Error **errp) {
    visit_type_OnOffAuto(v, name, &board_of(obj)->eemi, errp);
}

static void set_eemi(Object *obj, Visitor *v, const char *name, void *opaque G_GNUC_UNUSED,
                     Error **errp) {
    if (may_set(name, errp)) {
        visit_type_OnOffAuto(v, name, &board_of(obj)->eemi, errp);
    }
}

/* Machine */

static bool wants_firmware(MachineState *machine, OnOffAuto eemi) {
    switch (eemi) {
    case ON_OFF_AUTO_ON:
        return zynqmp_firmware_possible(machine, &error_fatal);
    case ON_OFF_AUTO_AUTO:
        return zynqmp_firmware_possible(machine, NULL);
    default:
        return false;
    }
}

static void machine_init(MachineState *machine) {
    Zcu102EoeBoard *board = board_of(OBJECT(machine));
    void (*parent_init)(MachineState *) = ZCU102_EOE_GET_CLASS(machine)->parent_init;
    unsigned i;

    read_tree(machine, board);
    if (wants_firmware(machine, board->eemi)) {
        zynqmp_firmware_init_machine(machine, parent_init, FIRMWARE_CHILD);
    } else {
        parent_init(machine);
    }

    for (i = 0; i < board->ports; i++) {
        g_autofree char *name = g_strdup_printf("eoe-port%u", i);
        DeviceState *dev = qdev_new(TYPE_XLNX_EOE_PORT);

        object_property_add_child(OBJECT(machine), name, OBJECT(dev));
        xeoe_compat_take_nic(dev);
        if (i < board->tree.ports) {
            xeoe_placement_configure(dev, &board->tree.port[i]);
        }
        sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
    }
}

static void machine_instance_init(Object *obj) {
    Object *board = object_new(TYPE_ZCU102_EOE_BOARD);

    ZCU102_EOE_BOARD(board)->ports = 1;
    ZCU102_EOE_BOARD(board)->eemi = ON_OFF_AUTO_AUTO;
    ZCU102_EOE_BOARD(board)->placement = g_strdup("auto");
    object_property_add_child(obj, BOARD_CHILD, board);
    object_unref(board);
}

static void machine_class_init(ObjectClass *oc, XeoeClassData *data G_GNUC_UNUSED) {
    MachineClass *mc = MACHINE_CLASS(oc);
    HotplugHandlerClass *hc = HOTPLUG_HANDLER_CLASS(oc);

    mc->desc = "Xilinx ZynqMP ZCU102 board with 10G/25G Ethernet and offload engine "
               "in the programmable logic";
    ZCU102_EOE_CLASS(oc)->parent_init = mc->init;
    mc->init = machine_init;
    mc->get_hotplug_handler = machine_hotplug_handler;
    hc->pre_plug = machine_pre_plug;
    hc->plug = machine_plug;
    machine_class_allow_dynamic_sysbus_dev(mc, TYPE_XLNX_EOE_PORT);

    object_class_property_add(oc, "ports", "uint8", get_ports, set_ports, NULL, NULL);
    object_class_property_set_description(
        oc, "ports",
        "Ethernet ports made by the machine, 0..2 (default: those "
        "of the device tree, without one 1); "
        "0 leaves both places to -device xlnx-eoe-port");
    object_class_property_add_str(oc, "irq-mode", get_irq_mode, set_irq_mode);
    object_class_property_set_description(oc, "irq-mode",
                                          "shared: one interrupt per port and direction (default); "
                                          "per-channel: eight per direction, one port only");
    object_class_property_add_str(oc, "placement", get_placement, set_placement);
    object_class_property_set_description(
        oc, "placement",
        "auto: ports are built as the tree of -dtb says (default); fixed: at their fixed "
        "places; else the file name of a device tree to go by");
    object_class_property_add(oc, "eemi", "OnOffAuto", get_eemi, set_eemi, NULL, NULL);
    object_class_property_set_description(
        oc, "eemi", "answer platform firmware calls; auto (default): with TCG and secure=off");
}

static void board_finalize(Object *obj) {
    g_free(ZCU102_EOE_BOARD(obj)->placement);
}

static const TypeInfo board_type = {
    .name = TYPE_ZCU102_EOE_BOARD,
    .parent = TYPE_OBJECT,
    .instance_finalize = board_finalize,
    .instance_size = sizeof(Zcu102EoeBoard),
};

static const TypeInfo machine_type = {
    .name = TYPE_ZCU102_EOE,
    .parent = TYPE_ZCU102,
    .instance_init = machine_instance_init,
    .class_size = sizeof(Zcu102EoeClass),
    .class_init = machine_class_init,
    .interfaces = XEOE_INTERFACE_LIST{{TYPE_HOTPLUG_HANDLER}, {}},
};

static void machine_register_types(void) {
    type_register_static(&board_type);
    type_register_static(&machine_type);
}

type_init(machine_register_types)
