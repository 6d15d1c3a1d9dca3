/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fault rules by each way that leads to them: QMP, the human monitor, the command line. */
#include "suite.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"
#include "port.h"

#define PORT0 "'path': '/machine/eoe-port0'"

static void expect_answer(const char *answer, const char *part) {
    if (!strstr(answer, part)) {
        fail_msg("'%s' is not in the answer %s", part, answer);
    }
}

static const char *set_property(Vm *vm, const char *property, const char *value) {
    g_autofree char *json = g_strdup_printf("{'execute': 'qom-set', 'arguments': {" PORT0
                                            ", 'property': '%s', 'value': '%s'}}",
                                            property, value);

    return vm_qmp(vm, json);
}

static const char *faults(Vm *vm) {
    return vm_qmp(vm, "{'execute': 'qom-get', 'arguments': {" PORT0 ", 'property': 'faults'}}");
}

static const char *human(Vm *vm, const char *command) {
    g_autofree char *json = g_strdup_printf("{'execute': 'human-monitor-command', 'arguments': "
                                            "{'command-line': '%s'}}",
                                            command);

    return vm_qmp(vm, json);
}

static bool transmits(const Port *port, unsigned slot) {
    uint8_t frame[FRAME_MAX], seen[FRAME_MAX];
    Udp udp = udp_default(100);

    tx_packet(port, 1, slot, frame, udp_build(&udp, frame));
    bd_wait(port, MM2S, 1, slot);
    return vm_wire_poll(port->vm, 0, seen, sizeof(seen)) != 0;
}

static void faults_are_set_through_qmp(Vm *vm) {
    Port port = port_at(vm, 0);

    channel_start(&port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
    expect_answer(faults(vm), "{\"return\": \"\"}");
    expect_answer(set_property(vm, "fault", "kind=drop,dir=tx,count=2"), "{\"return\": {}}");
    expect_answer(set_property(vm, "fault", "kind=irq-late,dir=mm2s,hold=5ms"), "{\"return\": {}}");
    assert_false(transmits(&port, 0));
    assert_false(transmits(&port, 1));
    assert_true(transmits(&port, 2));
    expect_answer(faults(vm), "\"rule=1 fired=2 state=ended kind=drop,dir=tx,count=2\\n"
                              "rule=2 fired=0 state=active kind=irq-late,dir=mm2s,hold=5ms\"");
    expect_answer(set_property(vm, "faults-clear", "2"), "{\"return\": {}}");
    expect_answer(faults(vm),
                  "{\"return\": \"rule=1 fired=2 state=ended kind=drop,dir=tx,count=2\"}");
    expect_answer(set_property(vm, "faults-clear", "all"), "{\"return\": {}}");
    expect_answer(faults(vm), "{\"return\": \"\"}");
}

static void bad_faults_are_refused_through_qmp(Vm *vm) {
    expect_answer(set_property(vm, "fault", "kind=drop,dir=rx,channel=1"),
                  "\"desc\": \"channel does not go with kind=drop\"");
    expect_answer(set_property(vm, "fault", "kind=stall,dir=mm2s,channel=17"),
                  "\"desc\": \"channel is '17' but must be a number between 1 and 16\"");
    expect_answer(set_property(vm, "faults-clear", "7"),
                  "\"desc\": \"'7' is neither \\\"all\\\" nor the number of a rule\"");
    expect_answer(set_property(vm, "faults", "kind=drop,dir=rx"), "\"error\"");
    expect_answer(faults(vm), "{\"return\": \"\"}");
}

static void faults_are_set_through_the_human_monitor(Vm *vm) {
    static const uint8_t payload[64];
    Port port = port_at(vm, 0);

    expect_answer(human(vm, "qom-set /machine/eoe-port0 fault "
                            "kind=bd-error,dir=mm2s,channel=1,error=dma-decode,count=1"),
                  "{\"return\": \"\"}");
    channel_start(&port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
    assert_int_equal(common_read(&port, MM2S, ERR), 0);
    tx_fill(&port, 1, 0, payload, sizeof(payload), (uint32_t)(BD_SOF | BD_EOF), TX_APP0_PLAIN,
            TX_APP1_PLAIN);
    channel_kick(&port, MM2S, 1, 0);
    port_settle(&port);
    assert_int_equal(common_read(&port, MM2S, ERR), ERR_DMA_DEC);
    assert_int_equal(common_read(&port, MM2S, CSR), CSR_HALTED);
    assert_int_equal(bd_status(&port, MM2S, bd_addr(MM2S, 1, 0)), 0xC0000000);
    expect_answer(human(vm, "qom-get /machine/eoe-port0 faults"), "rule=1 fired=1 state=ended ");
    expect_answer(human(vm, "qom-set /machine/eoe-port0 fault kind=melt"),
                  "Error: kind is 'melt' but must be one of drop, ");
    expect_answer(human(vm, "qom-set /machine/eoe-port0 faults-clear all"), "{\"return\": \"\"}");
    expect_answer(faults(vm), "{\"return\": \"\"}");
}

/* Times count on the virtual clock, from the moment the rule is made. */
static void faults_from_the_command_line(Vm *vm) {
    Port port = port_at(vm, 0);

    expect_answer(faults(vm), "rule=1 fired=0 state=waiting "
                              "kind=drop,dir=tx,count=1,after=10ms\\nrule=2 ");
    channel_start(&port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
    assert_true(transmits(&port, 0));
    vm_clock_step(vm, 10 * 1000 * 1000);
    assert_false(transmits(&port, 1));
    assert_true(transmits(&port, 2));
}

static void faults_outlive_system_reset(Vm *vm) {
    Port port = port_at(vm, 0);

    expect_answer(set_property(vm, "fault", "kind=block-lock"), "{\"return\": {}}");
    port_settle(&port);
    (void)vm_readl(vm, port.mac + MAC_BLOCK_LOCK);
    assert_int_equal(vm_readl(vm, port.mac + MAC_BLOCK_LOCK), 0);
    vm_reset(vm);
    (void)vm_readl(vm, port.mac + MAC_BLOCK_LOCK);
    assert_int_equal(vm_readl(vm, port.mac + MAC_BLOCK_LOCK), 0);
    expect_answer(set_property(vm, "faults-clear", "all"), "{\"return\": {}}");
    port_settle(&port);
    (void)vm_readl(vm, port.mac + MAC_BLOCK_LOCK);
    assert_int_equal(vm_readl(vm, port.mac + MAC_BLOCK_LOCK), 1);
}

static void bad_faults_on_the_command_line_end_the_start(Vm *vm) {
    const char *const args[] = {
        "-M",       "xlnx-zcu102-eoe",
        "-display", "none",
        "-audio",   "none",
        "-monitor", "none",
        "-serial",  "none",
        "-global",  "xlnx-eoe-port.fault=kind=drop,dir=up",
        NULL,
    };
    g_autofree char *output = NULL;

    (void)vm;
    assert_int_not_equal(vm_run_launcher(args, NULL, &output), 0);
    expect_answer(output, "fault=kind=drop,dir=up: dir is 'up' but must be one of mm2s, s2mm, tx, "
                          "rx");
}

static const VmOptions one_wire = {.wires = 1};
static const char *const fault_args[] = {
    "-global", "xlnx-eoe-port.fault=kind=drop,dir=tx,count=1,after=10ms",
    "-global", "xlnx-eoe-port.fault=kind=duplicate,dir=rx",
    NULL,
};
static const VmOptions with_faults = {.wires = 1, .args = fault_args};

static const Test tests[] = {
    {"faults_are_set_through_qmp", &one_wire, faults_are_set_through_qmp},
    {"bad_faults_are_refused_through_qmp", &one_wire, bad_faults_are_refused_through_qmp},
    {"faults_are_set_through_the_human_monitor", &one_wire,
     faults_are_set_through_the_human_monitor},
    {"faults_from_the_command_line", &with_faults, faults_from_the_command_line},
    {"faults_outlive_system_reset", &one_wire, faults_outlive_system_reset},
    {"bad_faults_on_the_command_line_end_the_start", NULL,
     bad_faults_on_the_command_line_end_the_start},
};

const Suite faults_suite = {tests, G_N_ELEMENTS(tests)};
