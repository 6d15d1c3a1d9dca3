/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xlnx-eoe-port: translates between QEMU and the C++ model behind capi.h.
 * What the hardware does is decided there; nothing here knows a register.
 *
 * Three rules shape this file:
 * - The model may not be entered from inside one of its own callbacks, yet a
 *   network peer can call back at any depth. Such calls are noted and made
 *   later, from a timer.
 * - Timers run on the virtual clock, not bottom halves: they repeat exactly
 *   under -icount, and stand still while the machine is stopped.
 * - DMA may be aimed at this device's own registers. QEMU's reentrancy guard is
 *   held whenever the model runs, so the memory core refuses such an access.
 */
#include "compat.h"

#include "eoe_pcap.h"
#include "eoe_port.h"
#include "eoe_trace.h"
#include "model/capi.h"

OBJECT_DECLARE_SIMPLE_TYPE(XlnxEoePort, XLNX_EOE_PORT)

enum { BLOCKS = XEOE_MCDMA + 1, DIRECTIONS = XEOE_S2MM + 1 };

/* Calls into the model that had to wait. */
enum {
    DEFER_LINK = 1 << 0,
    DEFER_TX_READY = 1 << 1,
    DEFER_FLUSH_RX = 1 << 2,
};

typedef struct XlnxEoeWindow {
    MemoryRegion region;
    XlnxEoePort *port;
    XeoeBlock block;
} XlnxEoeWindow;

struct XlnxEoePort {
    SysBusDevice parent_obj;

    XlnxEoeWindow windows[BLOCKS];
    qemu_irq irqs[DIRECTIONS][XEOE_MAX_CHANNELS];
    NICState *nic;
    NICConf nic_conf;

    char *pcap_file; /* pcap-stream */
    XeoePcap *pcap;

    GPtrArray *early_faults; /* rules given before there is a model */

    XeoeConfig config;
    XeoePort *model;
    bool in_model;
    /* The network still holds a frame of ours; it tells when it took it. */
    bool wire_full;

    QEMUTimer *run_timer;
    QEMUTimer *deferred_timer;
    unsigned deferred;
};

/* Entering and leaving the model */

static bool model_enter(XlnxEoePort *s) {
    bool *guard = &DEVICE(s)->mem_reentrancy_guard.engaged_in_io;
    bool held = *guard;

    *guard = true;
    s->in_model = true;
    return held;
}

static void model_leave(XlnxEoePort *s, bool guard_was_held) {
    s->in_model = false;
    DEVICE(s)->mem_reentrancy_guard.engaged_in_io = guard_was_held;
}

static int64_t virtual_now(void) {
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void defer(XlnxEoePort *s, unsigned what) {
    s->deferred |= what;
    timer_mod(s->deferred_timer, virtual_now());
}

static void apply_link(XlnxEoePort *s) {
    bool held = model_enter(s);

    xeoe_port_set_link(s->model, !qemu_get_queue(s->nic)->link_down);
    model_leave(s, held);
}

static void deferred_expired(void *opaque) {
    XlnxEoePort *s = opaque;
    unsigned what = s->deferred;

    s->deferred = 0;
    if (!s->nic) {
        return;
    }
    if (what & DEFER_LINK) {
        apply_link(s);
    }
    if (what & DEFER_TX_READY) {
        bool held = model_enter(s);

        xeoe_port_tx_ready(s->model);
        model_leave(s, held);
    }
    if (what & DEFER_FLUSH_RX) {
        qemu_flush_queued_packets(qemu_get_queue(s->nic));
    }
}

static void run_expired(void *opaque) {
    XlnxEoePort *s = opaque;
    bool held = model_enter(s);

    xeoe_port_run(s->model);
    model_leave(s, held);
}

/* What the model asks of QEMU (XeoeHostOps) */

static XeoeBus bus_answer(MemTxResult result) {
    if (result == MEMTX_OK) {
        return XEOE_BUS_OK;
    }
    /* A long transfer can fail in several ways at once; nothing there is the weakest. */
    return result == MEMTX_DECODE_ERROR ? XEOE_BUS_DECERR : XEOE_BUS_SLVERR;
}

/* The memory core does not expect a transfer that wraps round the address space. */
static bool dma_wraps(uint64_t addr, size_t len) {
    return len && addr + (len - 1) < addr;
}

static XeoeBus host_dma_read(void *opaque G_GNUC_UNUSED, uint64_t addr, void *buf, size_t len) {
    if (dma_wraps(addr, len)) {
        return XEOE_BUS_DECERR;
    }
    return bus_answer(
        address_space_rw(&address_space_memory, addr, MEMTXATTRS_UNSPECIFIED, buf, len, false));
}

static XeoeBus host_dma_write(void *opaque G_GNUC_UNUSED, uint64_t addr, const void *buf,
                              size_t len) {
    if (dma_wraps(addr, len)) {
        return XEOE_BUS_DECERR;
    }
    return bus_answer(
        address_space_write(&address_space_memory, addr, MEMTXATTRS_UNSPECIFIED, buf, len));
}

static void frame_sent(NetClientState *nc, ssize_t len G_GNUC_UNUSED) {
    XlnxEoePort *s = qemu_get_nic_opaque(nc);

    s->wire_full = false;
    defer(s, DEFER_TX_READY);
}

static bool host_send_frame(void *opaque, const uint8_t *frame, size_t len) {
    XlnxEoePort *s = opaque;

    if (!s->nic) {
        return true;
    }
    if (s->wire_full) {
        /* QEMU queues without limit, so a second frame may not follow. */
        return false;
    }
    s->wire_full = qemu_send_packet_async(qemu_get_queue(s->nic), frame, len, frame_sent) == 0;
    return !s->wire_full;
}

static void host_rx_ready(void *opaque) {
    defer(opaque, DEFER_FLUSH_RX);
}

static void host_set_irq(void *opaque, XeoeDir dir, unsigned channel, bool level) {
    XlnxEoePort *s = opaque;

    qemu_set_irq(s->irqs[dir][channel], level);
}

static int64_t host_now_ns(void *opaque G_GNUC_UNUSED) {
    return virtual_now();
}

static void host_set_deadline(void *opaque, int64_t deadline_ns) {
    XlnxEoePort *s = opaque;

    if (deadline_ns == INT64_MAX) {
        timer_del(s->run_timer);
        return;
    }
    /*
     * QEMU runs expired timers until none is left. Where the virtual clock
     * stands still meanwhile, a port that always has more to do would keep
     * it there for ever; one nanosecond later is the next round.
     */
    timer_mod(s->run_timer, MAX(deadline_ns, virtual_now() + 1));
}

static void host_guest_error(void *opaque, const char *text) {
    XlnxEoePort *s = opaque;

    qemu_log_mask(LOG_GUEST_ERROR, "%s: %s\n", DEVICE(s)->canonical_path, text);
}

static void host_event(void *opaque, XeoeEvent event, const char *what, uint64_t a, uint64_t b,
                       uint64_t c) {
    XlnxEoePort *s = opaque;

    xeoe_trace_event(DEVICE(s)->canonical_path, event, what, a, b, c);
}

static void host_stream_packet(void *opaque, XeoeDir dir G_GNUC_UNUSED, const uint8_t *packet,
                               size_t len) {
    XlnxEoePort *s = opaque;

    xeoe_pcap_write(s->pcap, virtual_now(), packet, len);
}

static const XeoeHostOps host_ops = {
    .dma_read = host_dma_read,
    .dma_write = host_dma_write,
    .send_frame = host_send_frame,
    .rx_ready = host_rx_ready,
    .set_irq = host_set_irq,
    .now_ns = host_now_ns,
    .set_deadline = host_set_deadline,
    .guest_error = host_guest_error,
    .watched = xeoe_trace_watched,
    .event = host_event,
};

/*
 * Registers
 *
 * The windows stay in the map, and reset comes, when a management tool has set
 * `realized` off: the port is gone then.
 */

/*
 * An error reaches the guest as a data abort where the machine lets it. QEMU's
 * ZCU102 does not (ignore_memory_transaction_failures): there the value stands.
 */
static MemTxResult bus_result(XeoeBus answer) {
    switch (answer) {
    case XEOE_BUS_OK:
        return MEMTX_OK;
    case XEOE_BUS_SLVERR:
        return MEMTX_ERROR;
    case XEOE_BUS_DECERR:
        break;
    }
    return MEMTX_DECODE_ERROR;
}

static MemTxResult window_read(void *opaque, hwaddr offset, uint64_t *data,
                               unsigned size G_GNUC_UNUSED, MemTxAttrs attrs G_GNUC_UNUSED) {
    XlnxEoeWindow *w = opaque;
    uint32_t value = 0;
    XeoeBus answer;
    bool held;

    if (!w->port->model) {
        *data = 0;
        return MEMTX_DECODE_ERROR;
    }
    held = model_enter(w->port);
    answer = xeoe_port_read(w->port->model, w->block, offset, &value);
    model_leave(w->port, held);
    *data = value;
    return bus_result(answer);
}

static MemTxResult window_write(void *opaque, hwaddr offset, uint64_t data,
                                unsigned size G_GNUC_UNUSED, MemTxAttrs attrs G_GNUC_UNUSED) {
    XlnxEoeWindow *w = opaque;
    XeoeBus answer;
    bool held;

    if (!w->port->model) {
        return MEMTX_DECODE_ERROR;
    }
    held = model_enter(w->port);
    answer = xeoe_port_write(w->port->model, w->block, offset, data);
    model_leave(w->port, held);
    return bus_result(answer);
}

/*
 * AXI4-Lite registers are 32 bits wide; the memory core turns a 64-bit access
 * of the CPU into two, low word first.
 */
static const MemoryRegionOps window_ops = {
    .read_with_attrs = window_read,
    .write_with_attrs = window_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {.min_access_size = 4, .max_access_size = 8},
    .impl = {.min_access_size = 4, .max_access_size = 4},
};

/* Network backend */

static bool nic_can_receive(NetClientState *nc) {
    XlnxEoePort *s = qemu_get_nic_opaque(nc);

    if (s->in_model) {
        defer(s, DEFER_FLUSH_RX);
        return false;
    }
    return xeoe_port_can_receive(s->model);
}

static ssize_t nic_receive(NetClientState *nc, const uint8_t *frame, size_t len) {
    XlnxEoePort *s = qemu_get_nic_opaque(nc);
    XeoeRx answer;
    bool held;

    if (s->in_model) {
        defer(s, DEFER_FLUSH_RX);
        return 0;
    }
    held = model_enter(s);
    answer = xeoe_port_receive(s->model, frame, len);
    model_leave(s, held);
    return answer == XEOE_RX_DONE ? (ssize_t)len : 0;
}

static void nic_link_status_changed(NetClientState *nc) {
    XlnxEoePort *s = qemu_get_nic_opaque(nc);

    /* At once if possible: two changes in a row must both be seen. */
    if (s->in_model) {
        defer(s, DEFER_LINK);
    } else {
        apply_link(s);
    }
}

static void nic_cleanup(NetClientState *nc) {
    XlnxEoePort *s = qemu_get_nic_opaque(nc);

    s->nic = NULL;
}

static NetClientInfo nic_info = {
    .type = NET_CLIENT_DRIVER_NIC,
    .size = sizeof(NICState),
    .can_receive = nic_can_receive,
    .receive = nic_receive,
    .link_status_changed = nic_link_status_changed,
    .cleanup = nic_cleanup,
};

/* Device */

static void port_reset_hold(XEOE_RESET_PHASE_ARGS) {
    XlnxEoePort *s = XLNX_EOE_PORT(obj);
    bool held;

    if (!s->model) {
        return;
    }
    held = model_enter(s);
    xeoe_port_reset(s->model);
    model_leave(s, held);
}

static void port_init(Object *obj) {
    static const struct {
        const char *name;
        uint64_t size;
    } layout[BLOCKS] = {
        [XEOE_MAC] = {"xlnx-eoe-port.mac", XEOE_MAC_WINDOW},
        [XEOE_EOE] = {"xlnx-eoe-port.eoe", XEOE_EOE_WINDOW},
        [XEOE_MCDMA] = {"xlnx-eoe-port.mcdma", XEOE_MCDMA_WINDOW},
    };
    XlnxEoePort *s = XLNX_EOE_PORT(obj);
    SysBusDevice *sbd = SYS_BUS_DEVICE(obj);
    unsigned i;

    s->early_faults = g_ptr_array_new_with_free_func(g_free);
    for (i = 0; i < BLOCKS; i++) {
        XlnxEoeWindow *w = &s->windows[i];

        w->port = s;
        w->block = i;
        memory_region_init_io(&w->region, obj, &window_ops, w, layout[i].name, layout[i].size);
        sysbus_init_mmio(sbd, &w->region);
    }
    for (i = 0; i < DIRECTIONS * XEOE_MAX_CHANNELS; i++) {
        sysbus_init_irq(sbd, &s->irqs[i / XEOE_MAX_CHANNELS][i % XEOE_MAX_CHANNELS]);
    }
}

/* Fault injection: rules as text, which only the model understands. */

typedef bool FaultChange(XeoePort *model, const char *text, char *err, size_t err_size);

static void change_faults(XlnxEoePort *s, FaultChange *change, const char *text, Error **errp) {
    char sentence[XEOE_FAULT_SENTENCE_BYTES];
    bool held = model_enter(s);
    bool changed = change(s->model, text, sentence, sizeof(sentence));

    model_leave(s, held);
    if (!changed) {
        error_setg(errp, "%s", sentence);
    }
}

static void set_fault(Object *obj, const char *rule, Error **errp) {
    XlnxEoePort *s = XLNX_EOE_PORT(obj);

    if (s->model) {
        change_faults(s, xeoe_port_fault_add, rule, errp);
    } else {
        /* The command line; realize will say if they are good. */
        g_ptr_array_add(s->early_faults, g_strdup(rule));
    }
}

static void set_faults_clear(Object *obj, const char *which, Error **errp) {
    XlnxEoePort *s = XLNX_EOE_PORT(obj);

    if (s->model) {
        change_faults(s, xeoe_port_faults_clear, which, errp);
    } else {
        error_setg(errp, "there are no rules before the port is realized");
    }
}

static char *get_faults(Object *obj, Error **errp G_GNUC_UNUSED) {
    XlnxEoePort *s = XLNX_EOE_PORT(obj);
    char *text = g_malloc0(XEOE_FAULT_LIST_BYTES);

    if (s->model) {
        xeoe_port_faults_list(s->model, text, XEOE_FAULT_LIST_BYTES);
    }
    return text;
}

static bool apply_early_faults(XlnxEoePort *s, Error **errp) {
    guint i;

    for (i = 0; i < s->early_faults->len; i++) {
        char sentence[XEOE_FAULT_SENTENCE_BYTES];
        const char *rule = g_ptr_array_index(s->early_faults, i);

        if (!xeoe_port_fault_add(s->model, rule, sentence, sizeof(sentence))) {
            error_setg(errp, "fault=%s: %s", rule, sentence);
            return false;
        }
    }
    return true;
}

static void add_fault_properties(ObjectClass *oc) {
    object_class_property_add_str(oc, "fault", NULL, set_fault);
    object_class_property_set_description(
        oc, "fault", "adds a fault rule, as kind=drop,dir=rx,count=3 (docs/faults.md); write only");
    object_class_property_add_str(oc, "faults", get_faults, NULL);
    object_class_property_set_description(
        oc, "faults", "the fault rules, a line each, with how often each has fired; read only");
    object_class_property_add_str(oc, "faults-clear", NULL, set_faults_clear);
    object_class_property_set_description(
        oc, "faults-clear", "removes the fault rule of that number, or all; write only");
}

static void port_finalize(Object *obj) {
    XlnxEoePort *s = XLNX_EOE_PORT(obj);

    g_ptr_array_unref(s->early_faults);
}

static void port_realize(DeviceState *dev, Error **errp) {
    XlnxEoePort *s = XLNX_EOE_PORT(dev);
    XeoeHostOps ops = host_ops;
    char sentence[256];

    if (s->pcap_file) {
        s->pcap = xeoe_pcap_open(s->pcap_file, errp);
        if (!s->pcap) {
            return;
        }
        ops.stream_packet = host_stream_packet;
    }
    s->run_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, run_expired, s);
    s->deferred_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, deferred_expired, s);
    s->model = xeoe_port_new(&s->config, &ops, s, sentence, sizeof(sentence));
    if (!s->model) {
        error_setg(errp, "%s", sentence);
    } else if (!apply_early_faults(s, errp)) {
        xeoe_port_free(s->model);
        s->model = NULL;
    }
    if (!s->model) {
        timer_free(s->run_timer);
        timer_free(s->deferred_timer);
        g_clear_pointer(&s->pcap, xeoe_pcap_close);
        return;
    }
    qemu_macaddr_default_if_unset(&s->nic_conf.macaddr);
    s->nic = qemu_new_nic(&nic_info, &s->nic_conf, object_get_typename(OBJECT(dev)), dev->id,
                          &dev->mem_reentrancy_guard, s);
    qemu_format_nic_info_str(qemu_get_queue(s->nic), s->nic_conf.macaddr.a);
}

static void port_unrealize(DeviceState *dev) {
    XlnxEoePort *s = XLNX_EOE_PORT(dev);

    /* The network hands back queued frames here, so the timers go last. */
    if (s->nic) {
        qemu_del_nic(s->nic);
    }
    /* No line stays up behind it. */
    xeoe_port_reset(s->model);
    xeoe_port_free(s->model);
    s->model = NULL;
    g_clear_pointer(&s->pcap, xeoe_pcap_close);
    timer_free(s->run_timer);
    timer_free(s->deferred_timer);
}

/*
 * Build parameters: property name, field of XeoeConfig, kind, what it means.
 * Defaults and ranges are the model's.
 */
#define FOR_EACH_PARAMETER(P)                                                                      \
    P("num-mm2s-channels", num_mm2s_channels, uint32, "MCDMA transmit channels built, 1..16")      \
    P("num-s2mm-channels", num_s2mm_channels, uint32, "MCDMA receive channels built, 1..16")       \
    P("addr-width", addr_width, uint32, "MCDMA address width in bits, 32..64")                     \
    P("sg-length-width", sg_length_width, uint32, "bits of a descriptor's length field, 8..26")    \
    P("include-mm2s-dre", mm2s_dre, bool, "transmit buffers may start at any byte")                \
    P("include-s2mm-dre", s2mm_dre, bool, "receive buffers may start at any byte")                 \
    P("single-intr", single_intr, bool, "one merged interrupt per direction, on channel 1's line") \
    P("status-stream", status_stream, bool, "received packets carry APP words")                    \
    P("sg-use-stsapp-length", stsapp_length, bool, "APP4 of a received packet is its length")      \
    P("sg-clock-hz", sg_clock_hz, uint64,                                                          \
      "scatter-gather clock in Hz; 125 periods are one unit of the interrupt delay")               \
    P("eoe", eoe, bool, "build the offload engine; off connects the MAC to MCDMA channel 1")       \
    P("eoe-tx-gso", eoe_tx_gso, bool, "transmit segmentation built (off: checksum only)")          \
    P("eoe-rx-gro", eoe_rx_gro, bool, "receive merging built (off: checksum only)")                \
    P("eoe-gro-ports", eoe_gro_ports, uint32, "receive merging ports built, 1..15")                \
    P("eoe-hash-5tuple", eoe_hash_5tuple, bool, "match source address and port as well")           \
    P("eoe-mtu", eoe_mtu, uint32, "largest packet the engine is built for, 1500 or 9000")          \
    P("eoe-timer-hz", eoe_timer_hz, uint64, "clock of the engine's RX_TIMEOUT in Hz")              \
    P("gro-mix-sources", gro_mix_sources, bool, "merge datagrams of different senders")            \
    P("gro-equal-size", gro_equal_size, bool, "end a merge at a datagram of another size")         \
    P("mac-revision", mac_revision, uint32, "value of the MAC's REVISION register")                \
    P("mac-25g", mac_25g, bool, "core speed the MAC reports: off 10G, on 25G")                     \
    P("deliver-bad-frames", deliver_bad_frames, bool,                                              \
      "store bad frames with sideband bit 0 set instead of dropping them")

#define uint32_type uint32_t
#define uint64_type uint64_t
#define bool_type bool

/* clang-format off */
XEOE_PROPERTY_LIST port_properties[] = {
    DEFINE_NIC_PROPERTIES(XlnxEoePort, nic_conf),
    DEFINE_PROP_STRING("pcap-stream", XlnxEoePort, pcap_file),
#define P(name, field, kind, text)                                                                 \
    DEFINE_PROP(name, XlnxEoePort, config.field, qdev_prop_##kind, kind##_type),
    FOR_EACH_PARAMETER(P)
#undef P
    XEOE_PROPERTY_LIST_END
};
/* clang-format on */

static void describe_uint32(ObjectProperty *property, uint32_t value) {
    object_property_set_default_uint(property, value);
}

static void describe_uint64(ObjectProperty *property, uint64_t value) {
    object_property_set_default_uint(property, value);
}

static void describe_bool(ObjectProperty *property, bool value) {
    object_property_set_default_bool(property, value);
}

static void add_properties(ObjectClass *oc) {
    const XeoeConfig defaults = xeoe_config_default();

    device_class_set_props(DEVICE_CLASS(oc), port_properties);
#define P(name, field, kind, text)                                                                 \
    describe_##kind(object_class_property_find(oc, name), defaults.field);                         \
    object_class_property_set_description(oc, name, text);
    FOR_EACH_PARAMETER(P)
#undef P
    object_class_property_set_description(
        oc, "pcap-stream",
        "file for the packets between engine and memory, before segmentation and after merging");
    object_class_property_set_description(oc, "netdev", "network backend at the other end");
    object_class_property_set_description(oc, "mac", "address shown by info network only");
}

static const VMStateDescription port_vmstate = {
    .name = TYPE_XLNX_EOE_PORT,
    .unmigratable = 1,
};

static void port_class_init(ObjectClass *oc, XeoeClassData *data G_GNUC_UNUSED) {
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "Xilinx XXV Ethernet port with offload engine and multichannel DMA";
    dc->realize = port_realize;
    dc->unrealize = port_unrealize;
    dc->vmsd = &port_vmstate;
    dc->user_creatable = true;
    dc->hotpluggable = false;
    set_bit(DEVICE_CATEGORY_NETWORK, dc->categories);
    RESETTABLE_CLASS(oc)->phases.hold = port_reset_hold;
    add_properties(oc);
    add_fault_properties(oc);
}

static const TypeInfo port_type = {
    .name = TYPE_XLNX_EOE_PORT,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(XlnxEoePort),
    .instance_init = port_init,
    .instance_finalize = port_finalize,
    .class_init = port_class_init,
};

static void port_register_types(void) {
    type_register_static(&port_type);
}

type_init(port_register_types)
