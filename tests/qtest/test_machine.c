/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine xlnx-zcu102-eoe: where ports sit, how their interrupts reach the
 * interrupt controller, and which command lines it refuses.
 */
#include "suite.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"
#include "port.h"

/* Interrupts of the programmable logic: UG1085, PL to PS groups 0 and 1. */
enum { GROUP_0 = 89, GROUP_1 = 104, GROUP_SIZE = 8 };

/* Fail unless, of the logic's interrupts, exactly spi is pending (0: none). */
static void expect_spi(Vm *vm, unsigned spi) {
    static const unsigned groups[] = {GROUP_0, GROUP_1};

    for (unsigned g = 0; g < G_N_ELEMENTS(groups); g++) {
        for (unsigned i = groups[g]; i < groups[g] + GROUP_SIZE; i++) {
            if (vm_spi_pending(vm, i) != (i == spi)) {
                fail_msg("interrupt %u is %s, where %u was expected", i,
                         i == spi ? "low" : "pending", spi);
            }
        }
    }
}

static void expect_tx_interrupt(const Port *port, unsigned channel, unsigned spi) {
    uint8_t data[64] = {0};

    channel_start(port, MM2S, channel, 1 << CR_THRESHOLD_SHIFT | CR_IOC);
    tx_packet(port, channel, 0, data, sizeof(data));
    bd_wait(port, MM2S, channel, 0);
    expect_spi(port->vm, spi);
    channel_write(port, MM2S, channel, CH_SR, SR_IOC);
    expect_spi(port->vm, 0);
}

/* Reception is made to fail, which needs no wire: a descriptor that is complete already. */
static void expect_rx_interrupt(const Port *port, unsigned channel, unsigned spi) {
    rx_fill(port, channel, 1, BUFFER_SIZE);
    vm_writel(port->vm, bd_addr(S2MM, channel, 0) + 0x18, (uint32_t)BD_COMPLETE);
    channel_start(port, S2MM, channel, 1 << CR_THRESHOLD_SHIFT | CR_ERR);
    channel_kick(port, S2MM, channel, 0);
    port_settle(port);
    expect_spi(port->vm, spi);
    channel_write(port, S2MM, channel, CH_SR, SR_ERR);
    expect_spi(port->vm, 0);
    common_write(port, S2MM, CCR, CCR_RESET);
}

static void irq_shared_by_all_channels(Vm *vm) {
    Port port = port_at(vm, 0);

    for (unsigned n = 1; n <= 16; n++) {
        expect_tx_interrupt(&port, n, 89);
        expect_rx_interrupt(&port, n, 90);
    }
}

/* The line stays up until the last channel is acknowledged. */
static void irq_shared_line_is_an_or(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t data[64] = {0};

    for (unsigned n = 1; n <= 16; n += 15) {
        channel_start(&port, MM2S, n, 1 << CR_THRESHOLD_SHIFT | CR_IOC);
        tx_packet(&port, n, 0, data, sizeof(data));
        bd_wait(&port, MM2S, n, 0);
    }
    expect_spi(vm, 89);
    channel_write(&port, MM2S, 1, CH_SR, SR_IOC);
    expect_spi(vm, 89);
    channel_write(&port, MM2S, 16, CH_SR, SR_IOC);
    expect_spi(vm, 0);
}

static void irq_of_the_second_port(Vm *vm) {
    Port second = port_at(vm, 1);
    Port first = port_at(vm, 0);

    expect_tx_interrupt(&second, 1, 91);
    expect_rx_interrupt(&second, 1, 92);
    expect_tx_interrupt(&first, 1, 89);
    expect_rx_interrupt(&first, 1, 90);
}

static void irq_per_channel(Vm *vm) {
    Port port = port_at(vm, 0);

    for (unsigned n = 1; n <= 16; n++) {
        expect_tx_interrupt(&port, n, 89 + (n - 1) % 8);
        expect_rx_interrupt(&port, n, 104 + (n - 1) % 8);
    }
}

/* Frames of each port stay on its own wire. */
static void second_port_has_its_own_wire(Vm *vm) {
    for (unsigned i = 0; i < 2; i++) {
        Port port = port_at(vm, i);
        Udp udp = udp_default(100 + i);
        uint8_t frame[FRAME_MAX];
        size_t len = udp_build(&udp, frame);

        channel_start(&port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
        tx_packet(&port, 1, 0, frame, len);
        bd_wait(&port, MM2S, 1, 0);
        assert_int_equal(vm_wire_recv(vm, i, frame, sizeof(frame)), len);
        udp_expect(&udp, frame, len);
        expect_silence(&port, 1 - i);

        rx_fill(&port, 1, 1, BUFFER_SIZE);
        channel_start(&port, S2MM, 1, 1 << CR_THRESHOLD_SHIFT);
        channel_kick(&port, S2MM, 1, 0);
        rx_packet(&port, i, frame, len);
        assert_int_equal(bd_wait(&port, S2MM, 1, 0) & BD_LENGTH, len);
    }
}

/* -netdev X -device xlnx-eoe-port,netdev=X takes the first free place. */
static void device_option_places_a_port(Vm *vm) {
    Port port = port_at(vm, 0);

    expect_tx_interrupt(&port, 1, 89);
    assert_true(vm_wire_recv(vm, 0, &(uint8_t[64]){0}, 64) > 0);
    expect_reg(&port, "REVISION", port.mac + 0x024, 0x00000104);
}

static void device_option_fills_the_second_place(Vm *vm) {
    Port port = port_at(vm, 1);

    expect_reg(&port, "REVISION", port.mac + 0x024, 0x00000203);
    expect_tx_interrupt(&port, 1, 91);
}

/* A GEM takes a -nic that is not meant for the port. */
static void gem_keeps_its_nic(Vm *vm) {
    const char *network = vm_qmp(vm, "{'execute': 'human-monitor-command', "
                                     "'arguments': {'command-line': 'info network'}}");
    const char *gem = strstr(network, "cadence_gem.0");
    const char *port = strstr(network, "xlnx-eoe-port.0");

    assert_non_null(gem);
    assert_non_null(port);
    assert_true(g_str_has_prefix(strstr(gem, "\\\\ "), "\\\\ forgem"));
    assert_true(g_str_has_prefix(strstr(port, "\\\\ "), "\\\\ forport"));
}

static void port_works_without_a_netdev(Vm *vm) {
    Port port = port_at(vm, 0);

    expect_tx_interrupt(&port, 1, 89);
    expect_reg(&port, "STAT_RX_BLOCK_LOCK", port.mac + MAC_BLOCK_LOCK, 1);
}

/* What a management tool may try while the machine runs. */

static void expect_qmp_error(Vm *vm, const char *command, const char *sentence) {
    const char *answer = vm_qmp(vm, command);

    if (!strstr(answer, sentence)) {
        fail_msg("'%s' was answered with %s", command, answer);
    }
}

static void board_is_built_once(Vm *vm) {
    static const char *const settings[] = {
        "'property': 'ports', 'value': 2",
        "'property': 'irq-mode', 'value': 'per-channel'",
        "'property': 'placement', 'value': 'fixed'",
        "'property': 'eemi', 'value': 'off'",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(settings); i++) {
        g_autofree char *command = g_strdup_printf(
            "{'execute': 'qom-set', 'arguments': {'path': '/machine', %s}}", settings[i]);

        expect_qmp_error(vm, command, "can only be set on the command line");
    }
    expect_qmp_error(vm,
                     "{'execute': 'qom-set', 'arguments': {'path': '/machine/eoe-port0', "
                     "'property': 'addr-width', 'value': 32}}",
                     "after it was realized");
    expect_qmp_error(vm,
                     "{'execute': 'device_add', 'arguments': {'driver': 'xlnx-eoe-port', "
                     "'id': 'late'}}",
                     "\"error\"");
    expect_qmp_error(vm, "{'execute': 'device_del', 'arguments': {'id': '/machine/eoe-port0'}}",
                     "\"error\"");
}

/* The port without its back end: frames go nowhere, nothing else changes. */
static void netdev_taken_away(Vm *vm) {
    Port port = port_at(vm, 0);

    vm_qmp(vm, "{'execute': 'netdev_del', 'arguments': {'id': 'wire0'}}");
    for (unsigned n = 1; n <= 2; n++) {
        expect_tx_interrupt(&port, n, 89);
    }
    vm_reset(vm);
    expect_tx_interrupt(&port, 1, 89);
}

/* Setting `realized` off is a way to break things that QEMU leaves open; the port ends quietly. */
static void realized_set_off(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t data[64] = {0};

    channel_start(&port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT | CR_IOC);
    tx_packet(&port, 1, 0, data, sizeof(data));
    bd_wait(&port, MM2S, 1, 0);
    expect_spi(vm, 89);
    vm_qmp(vm, "{'execute': 'qom-set', 'arguments': {'path': '/machine/eoe-port0', "
               "'property': 'realized', 'value': false}}");
    expect_spi(vm, 0);
    assert_int_equal(vm_readl(vm, port.mac + 0x024), 0);
    vm_writel(vm, port.mcdma, CCR_RESET);
    vm_reset(vm);
    vm_clock_step(vm, 1000 * 1000);
    expect_qmp_error(vm,
                     "{'execute': 'qom-set', 'arguments': {'path': '/machine/eoe-port0', "
                     "'property': 'realized', 'value': true}}",
                     "cannot come back");
    assert_int_equal(vm_readl(vm, port.mac + 0x024), 0);
}

/* Refusals: QEMU ends with a sentence. */

static void expect_refusal(const char *const *args, const char *sentence) {
    g_autofree char *output = NULL;
    int status = vm_run_launcher(args, NULL, &output);

    if (status != 1 || !strstr(output, sentence)) {
        fail_msg("exit status %d, expected 1 and '%s':\n%s", status, sentence, output);
    }
}

#define COMMON "-accel", "qtest", "-display", "none", "-audio", "none", "-nodefaults"

static void refuses_a_third_port(Vm *vm G_GNUC_UNUSED) {
    const char *const args[] = {"-M",      "xlnx-zcu102-eoe,ports=2", COMMON,
                                "-device", "xlnx-eoe-port",           NULL};

    expect_refusal(args, "room for 2 Ethernet ports");
}

static void refuses_two_ports_per_channel(Vm *vm G_GNUC_UNUSED) {
    const char *const args[] = {"-M", "xlnx-zcu102-eoe,ports=2,irq-mode=per-channel", COMMON, NULL};

    expect_refusal(args, "irq-mode=per-channel leaves interrupts for one Ethernet port only");
}

static void refuses_ids_and_back_ends_used_twice(Vm *vm G_GNUC_UNUSED) {
    const char *const ids[] = {
        "-M",      "xlnx-zcu102-eoe,ports=0", COMMON, "-device", "xlnx-eoe-port,id=a",
        "-device", "xlnx-eoe-port,id=a",      NULL};
    const char *const wires[] = {"-M",
                                 "xlnx-zcu102-eoe,ports=0",
                                 COMMON,
                                 "-netdev",
                                 "hubport,id=h,hubid=0",
                                 "-device",
                                 "xlnx-eoe-port,netdev=h",
                                 "-device",
                                 "xlnx-eoe-port,netdev=h",
                                 NULL};

    expect_refusal(ids, "uplicate");
    expect_refusal(wires, "in use");
}

static void refuses_bad_machine_properties(Vm *vm G_GNUC_UNUSED) {
    const char *const ports[] = {"-M", "xlnx-zcu102-eoe,ports=3", COMMON, NULL};
    const char *const mode[] = {"-M", "xlnx-zcu102-eoe,irq-mode=edge", COMMON, NULL};

    expect_refusal(ports, "ports must be 0..2, not 3");
    expect_refusal(mode, "irq-mode must be shared or per-channel, not 'edge'");
}

static void refuses_bad_port_properties(Vm *vm G_GNUC_UNUSED) {
    static const char *const bad[] = {
        "num-mm2s-channels=17", "num-s2mm-channels=0", "addr-width=31", "sg-length-width=7",
        "eoe-gro-ports=16",     "eoe-mtu=1600",        "sg-clock-hz=0", "eoe-timer-hz=0",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *device = g_strconcat("xlnx-eoe-port,", bad[i], NULL);
        g_auto(GStrv) pair = g_strsplit(bad[i], "=", 2);
        const char *const args[] = {"-M", "xlnx-zcu102-eoe,ports=0", COMMON, "-device", device,
                                    NULL};

        /* The sentence names the field as the model does. */
        g_strdelimit(pair[0], "-", '_');
        expect_refusal(args, pair[0]);
    }
}

static void properties_are_described(Vm *vm G_GNUC_UNUSED) {
    const char *const machine[] = {"-M", "xlnx-zcu102-eoe,help", NULL};
    const char *const device[] = {"-device", "xlnx-eoe-port,help", NULL};
    static const char *const names[] = {
        "addr-width=", "eoe-gro-ports=", "gro-mix-sources=", "deliver-bad-frames=", "netdev="};
    g_autofree char *text = NULL;
    g_autofree char *more = NULL;
    g_auto(GStrv) lines = NULL;

    assert_int_equal(vm_run_launcher(machine, NULL, &text), 0);
    assert_non_null(strstr(text, "Ethernet ports made by the machine"));
    assert_non_null(strstr(text, "one interrupt per port and direction"));
    assert_int_equal(vm_run_launcher(device, NULL, &more), 0);
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!strstr(more, names[i])) {
            fail_msg("-device xlnx-eoe-port,help does not speak of %s", names[i]);
        }
    }
    lines = g_strsplit(more, "\n", 0);
    for (char **line = lines; *line; line++) {
        /* Links and children are QEMU's own: interrupt lines and memory regions. */
        bool ours = strchr(*line, '=') && !strstr(*line, "=<link<") && !strstr(*line, "=<child<");

        if (ours && !strstr(*line, " - ")) {
            fail_msg("no description: %s", *line);
        }
    }
}

static const VmOptions no_wire = {.wires = 0};
static const VmOptions one_wire = {.wires = 1};
static const VmOptions two_ports = {.machine = "xlnx-zcu102-eoe,ports=2", .wires = 2};
static const VmOptions per_channel = {.machine = "xlnx-zcu102-eoe,irq-mode=per-channel"};
static const VmOptions by_device = {
    .machine = "xlnx-zcu102-eoe,ports=0", .wires = 1, .device_style = true};
static const VmOptions mixed = {
    .args = (const char *const[]){"-device", "xlnx-eoe-port,mac-revision=0x203", NULL}};
static const VmOptions with_gem = {
    .args = (const char *const[]){"-nic", "user,id=forport,model=xlnx-eoe-port", "-nic",
                                  "user,id=forgem", NULL}};

static const Test tests[] = {
    {"irq_shared_by_all_channels", &no_wire, irq_shared_by_all_channels},
    {"irq_shared_line_is_an_or", &no_wire, irq_shared_line_is_an_or},
    {"irq_of_the_second_port", &two_ports, irq_of_the_second_port},
    {"irq_per_channel", &per_channel, irq_per_channel},
    {"second_port_has_its_own_wire", &two_ports, second_port_has_its_own_wire},
    {"device_option_places_a_port", &by_device, device_option_places_a_port},
    {"device_option_fills_the_second_place", &mixed, device_option_fills_the_second_place},
    {"gem_keeps_its_nic", &with_gem, gem_keeps_its_nic},
    {"port_works_without_a_netdev", &no_wire, port_works_without_a_netdev},
    {"board_is_built_once", &no_wire, board_is_built_once},
    {"netdev_taken_away", &one_wire, netdev_taken_away},
    {"realized_set_off", &no_wire, realized_set_off},
    {"refuses_ids_and_back_ends_used_twice", NULL, refuses_ids_and_back_ends_used_twice},
    {"refuses_a_third_port", NULL, refuses_a_third_port},
    {"refuses_two_ports_per_channel", NULL, refuses_two_ports_per_channel},
    {"refuses_bad_machine_properties", NULL, refuses_bad_machine_properties},
    {"refuses_bad_port_properties", NULL, refuses_bad_port_properties},
    {"properties_are_described", NULL, properties_are_described},
};

const Suite machine_suite = {tests, G_N_ELEMENTS(tests)};
