/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trace events of the port: each way to switch them on, and what they say of a packet's fate. */
#include "suite.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"
#include "port.h"

enum { MERGED_PORT = 5101, UDP_LEN = 100 };

/* Fail unless the log says this, by now. */
static void expect_log(Vm *vm, const char *line) {
    g_autofree char *log = vm_log(vm);

    if (!strstr(log, line)) {
        fail_msg("'%s' is not in the log:\n%s", line, log);
    }
}

static void expect_no_log(Vm *vm, const char *text) {
    g_autofree char *log = vm_log(vm);

    if (strstr(log, text)) {
        fail_msg("'%s' is in the log:\n%s", text, log);
    }
}

static void send_one(const Port *port) {
    Udp udp = udp_default(UDP_LEN);
    uint8_t frame[FRAME_MAX];

    channel_start(port, MM2S, 3, 1 << CR_THRESHOLD_SHIFT | CR_IOC);
    tx_packet(port, 3, 0, frame, udp_build(&udp, frame));
    bd_wait(port, MM2S, 3, 0);
}

/* -trace takes names and patterns, as for any of QEMU's own events; what was not asked for is
 * quiet. */
static void trace_option_follows_a_packet_out(Vm *vm) {
    Port port = port_at(vm, 0);

    send_one(&port);
    expect_log(vm, "xlnx_eoe_descriptor_fetched /machine/eoe-port0 mm2s channel 3 at 0x");
    expect_log(vm, "xlnx_eoe_descriptor_done /machine/eoe-port0 mm2s channel 3 at 0x");
    expect_log(vm, "xlnx_eoe_tx_packet /machine/eoe-port0 mm2s 142 bytes, APP0 0x00000000 "
                   "APP1 0x05dc0d00\n");
    expect_log(vm, "xlnx_eoe_frame_sent /machine/eoe-port0 wire 142 bytes\n");
    expect_log(vm, "xlnx_eoe_interrupt /machine/eoe-port0 mm2s channel 3 level 1\n");
    expect_no_log(vm, "xlnx_eoe_reg_");
}

static void trace_tells_what_became_of_frames(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(UDP_LEN);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    rx_packet(&port, 0, frame, len);
    expect_log(vm, "xlnx_eoe_frame_received /machine/eoe-port0 wire 142 bytes\n");
    expect_log(vm, "xlnx_eoe_rx_whole /machine/eoe-port0 not merged, 142 bytes\n");
    expect_log(vm, "xlnx_eoe_rx_dropped /machine/eoe-port0 no descriptor, 142 bytes\n");

    for (unsigned n = 1; n <= 2; n++) {
        rx_fill(&port, n, 8, BUFFER_SIZE);
        channel_start(&port, S2MM, n, 1 << CR_THRESHOLD_SHIFT);
        channel_kick(&port, S2MM, n, 7);
    }
    gro_start(&port, 1, udp.dst_ip, MERGED_PORT);
    rx_packet(&port, 0, frame, len);
    expect_log(vm, "xlnx_eoe_gro_begun /machine/eoe-port0 port 1, 100 bytes\n");
    rx_packet(&port, 0, frame, len);
    expect_log(vm, "xlnx_eoe_gro_joined /machine/eoe-port0 port 1, 100 bytes, 100 so far\n");
    vm_clock_step(vm, 6 * 1000 * 1000);
    expect_log(vm, "xlnx_eoe_gro_ended /machine/eoe-port0 timeout, port 1, 200 bytes\n");
    expect_log(vm, "xlnx_eoe_rx_packet /machine/eoe-port0 s2mm channel 2, 200 bytes\n");

    udp.src_port++;
    rx_packet(&port, 0, frame, len);
    len = udp_build(&udp, frame);
    rx_packet(&port, 0, frame, len);
    expect_log(vm, "xlnx_eoe_gro_ended /machine/eoe-port0 another source, port 1, 100 bytes\n");
    frame[UDP_FRAME_HEADER]++;
    rx_packet(&port, 0, frame, len);
    expect_log(vm, "xlnx_eoe_gro_ended /machine/eoe-port0 bad checksum, port 1, 100 bytes\n");
}

static void trace_tells_resets_and_halts(Vm *vm) {
    Port port = port_at(vm, 0);

    vm_qmp(vm, "{'execute': 'set_link', 'arguments': {'name': 'wire0', 'up': false}}");
    expect_log(vm, "xlnx_eoe_link /machine/eoe-port0 down\n");
    channel_start(&port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
    vm_fill(vm, bd_addr(MM2S, 1, 0), 0, BD_SIZE);
    channel_kick(&port, MM2S, 1, 0);
    port_settle(&port);
    expect_log(vm, "xlnx_eoe_halted /machine/eoe-port0 mm2s channel 1 descriptor 0x");
    common_write(&port, MM2S, CCR, CCR_RESET);
    expect_log(vm, "xlnx_eoe_reg_write /machine/eoe-port0 mcdma 0x0000 gets 0x00000004\n");
    expect_log(vm, "xlnx_eoe_reset /machine/eoe-port0 mcdma\n");
    vm_reset(vm);
    expect_log(vm, "xlnx_eoe_reset /machine/eoe-port0 port\n");
}

/* Both monitors switch events on and off while the machine runs. */
static void trace_is_switched_by_the_monitors(Vm *vm) {
    Port port = port_at(vm, 0);
    const char *state;

    vm_readl(vm, port.mac + 0x024);
    expect_no_log(vm, "xlnx_eoe_");
    vm_qmp(vm, "{'execute': 'trace-event-set-state', "
               "'arguments': {'name': 'xlnx_eoe_reg_read', 'enable': true}}");
    state = vm_qmp(vm, "{'execute': 'trace-event-get-state', "
                       "'arguments': {'name': 'xlnx_eoe_reg_*'}}");
    assert_non_null(strstr(state, "{\"name\": \"xlnx_eoe_reg_read\", \"state\": \"enabled\"}"));
    assert_non_null(strstr(state, "{\"name\": \"xlnx_eoe_reg_write\", \"state\": \"disabled\"}"));
    vm_readl(vm, port.mac + 0x024);
    expect_log(vm, "xlnx_eoe_reg_read /machine/eoe-port0 xxv 0x0024 is 0x00000104\n");
    expect_no_log(vm, "xlnx_eoe_reg_write");

    vm_qmp(vm, "{'execute': 'human-monitor-command', "
               "'arguments': {'command-line': 'trace-event xlnx_eoe_reg_write on'}}");
    vm_writel(vm, port.eoe + EOE_RX_TIMEOUT, 0x123);
    expect_log(vm, "xlnx_eoe_reg_write /machine/eoe-port0 eoe 0x0014 gets 0x00000123\n");
    vm_qmp(vm, "{'execute': 'human-monitor-command', "
               "'arguments': {'command-line': 'trace-event xlnx_eoe_* off'}}");
    vm_writel(vm, port.eoe + EOE_RX_TIMEOUT, 0x124);
    expect_no_log(vm, "gets 0x00000124");
}

static void trace_help_lists_the_events(Vm *vm G_GNUC_UNUSED) {
    const char *const args[] = {"-trace", "help", NULL};
    g_autofree char *output = NULL;

    assert_int_equal(vm_run_launcher(args, NULL, &output), 0);
    assert_non_null(strstr(output, "\nxlnx_eoe_gro_ended\n"));
    assert_non_null(strstr(output, "\nxlnx_eoe_eemi_call\n"));
}

static const VmOptions packets = {
    .wires = 1,
    .args = (const char *const[]){"-trace", "xlnx_eoe_descriptor*", "-trace", "xlnx_eoe_interrupt",
                                  "-trace", "xlnx_eoe_tx_packet", "-trace", "xlnx_eoe_frame_sent",
                                  NULL}};
static const VmOptions everything = {.wires = 1,
                                     .args = (const char *const[]){"-trace", "xlnx_eoe_*", NULL}};
static const VmOptions one_wire = {.wires = 1};

static const Test tests[] = {
    {"trace_option_follows_a_packet_out", &packets, trace_option_follows_a_packet_out},
    {"trace_tells_what_became_of_frames", &everything, trace_tells_what_became_of_frames},
    {"trace_tells_resets_and_halts", &everything, trace_tells_resets_and_halts},
    {"trace_is_switched_by_the_monitors", &one_wire, trace_is_switched_by_the_monitors},
    {"trace_help_lists_the_events", NULL, trace_help_lists_the_events},
};

const Suite trace_suite = {tests, G_N_ELEMENTS(tests)};
