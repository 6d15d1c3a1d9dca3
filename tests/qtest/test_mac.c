/* SPDX-License-Identifier: GPL-2.0-or-later */
/* XXV Ethernet (PG210): link state, statistics, enables and resets. */
#include "suite.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"
#include "port.h"

static const uint32_t DONE = (uint32_t)BD_COMPLETE;

static void set_link(Vm *vm, bool up) {
    const char *answer =
        vm_qmp(vm, up ? "{'execute': 'set_link', 'arguments': {'name': 'wire0', 'up': true}}"
                      : "{'execute': 'set_link', 'arguments': {'name': 'wire0', 'up': false}}");

    assert_non_null(strstr(answer, "return"));
}

static void start(const Port *port) {
    rx_fill(port, 1, 64, BUFFER_SIZE);
    channel_start(port, S2MM, 1, 1 << CR_THRESHOLD_SHIFT);
    channel_kick(port, S2MM, 1, 63);
    channel_start(port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
}

static void send_frames(const Port *port, unsigned first, unsigned count) {
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    for (unsigned n = first; n < first + count; n++) {
        tx_packet(port, 1, n, frame, len);
        bd_wait(port, MM2S, 1, n);
        assert_int_equal(vm_wire_recv(port->vm, 0, frame, sizeof(frame)), len);
        udp_expect(&udp, frame, len);
    }
}

static void receive_frames(const Port *port, unsigned count) {
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    while (count--) {
        rx_packet(port, 0, frame, len);
    }
}

/* Link */

static void selfcheck_block_lock_after_flap(Vm *vm) {
    Port port = port_at(vm, 0);
    uint64_t lock = port.mac + MAC_BLOCK_LOCK;

    expect_reg(&port, "STAT_RX_BLOCK_LOCK", lock, 1);
    set_link(vm, false);
    set_link(vm, true);
    expect_reg(&port, "STAT_RX_BLOCK_LOCK", lock, 0);
    expect_reg(&port, "STAT_RX_BLOCK_LOCK", lock, 1);
    /* As long as the cable is out it stays 0. */
    set_link(vm, false);
    expect_reg(&port, "STAT_RX_BLOCK_LOCK", lock, 0);
    expect_reg(&port, "STAT_RX_BLOCK_LOCK", lock, 0);
    set_link(vm, true);
    expect_reg(&port, "STAT_RX_BLOCK_LOCK", lock, 0);
    expect_reg(&port, "STAT_RX_BLOCK_LOCK", lock, 1);
}

static void link_down_stops_reception(Vm *vm) {
    Port port = port_at(vm, 0);

    start(&port);
    set_link(vm, false);
    receive_frames(&port, 1);
    assert_int_equal(bd_status(&port, S2MM, bd_addr(S2MM, 1, 0)), 0);
    set_link(vm, true);
    receive_frames(&port, 1);
    assert_true(bd_wait(&port, S2MM, 1, 0) & DONE);
    assert_int_equal(bd_status(&port, S2MM, bd_addr(S2MM, 1, 1)), 0);
}

/* Statistics */

static void selfcheck_tick_holds_delta(Vm *vm) {
    Port port = port_at(vm, 0);

    start(&port);
    send_frames(&port, 0, 3);
    assert_int_equal(vm_readl(vm, port.mac + MAC_TX_TOTAL), 0);
    assert_int_equal(mac_tick_read(&port, MAC_TX_TOTAL), 3);
    assert_int_equal(vm_readl(vm, port.mac + MAC_TX_TOTAL), 3);
    send_frames(&port, 3, 2);
    receive_frames(&port, 4);
    assert_int_equal(mac_tick_read(&port, MAC_TX_TOTAL), 2);
    assert_int_equal(vm_readl(vm, port.mac + MAC_RX_TOTAL), 4);
    assert_int_equal(mac_tick_read(&port, MAC_TX_TOTAL), 0);
}

static void selfcheck_tx_reset_pulse(Vm *vm) {
    Port port = port_at(vm, 0);

    start(&port);
    send_frames(&port, 0, 3);
    receive_frames(&port, 4);
    vm_writel(vm, port.mac + MAC_RESET, MAC_RESET_TX);
    vm_writel(vm, port.mac + MAC_RESET, 0);
    send_frames(&port, 3, 1);
    receive_frames(&port, 1);
    assert_int_equal(mac_tick_read(&port, MAC_TX_TOTAL), 1);
    assert_int_equal(vm_readl(vm, port.mac + MAC_RX_TOTAL), 5);
}

/* Enables */

static void selfcheck_rx_disabled_mac(Vm *vm) {
    Port port = port_at(vm, 0);
    uint32_t config = vm_readl(vm, port.mac + MAC_RX_CONFIG);

    start(&port);
    mac_tick_read(&port, MAC_RX_TOTAL);
    vm_writel(vm, port.mac + MAC_RX_CONFIG, config & ~(uint32_t)MAC_ENABLE);
    receive_frames(&port, 3);
    assert_int_equal(bd_status(&port, S2MM, bd_addr(S2MM, 1, 0)), 0);
    assert_int_equal(common_read(&port, S2MM, S2MM_PKTDROP), 0);
    assert_int_equal(channel_read(&port, S2MM, 1, S2MM_CH_PKTCOUNT), 0);
    vm_writel(vm, port.mac + MAC_TICK, 1);
    /* 0x500 counts clock cycles, frames or none. */
    for (uint32_t offset = MAC_TX_TOTAL; offset <= MAC_LAST_COUNTER; offset += 8) {
        expect_reg(&port, "statistics counter", port.mac + offset, 0);
    }
    expect_reg(&port, "RX_NON_GRO", port.eoe + EOE_RX_NON_GRO, 0);

    vm_writel(vm, port.mac + MAC_RX_CONFIG, config);
    receive_frames(&port, 1);
    assert_true(bd_wait(&port, S2MM, 1, 0) & DONE);
    assert_int_equal(mac_tick_read(&port, MAC_RX_TOTAL), 1);
}

/* A disabled transmitter keeps what it is given until it is enabled. */
static void tx_waits_for_its_enable(Vm *vm) {
    Port port = port_at(vm, 0);
    uint32_t config = vm_readl(vm, port.mac + MAC_TX_CONFIG);
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    start(&port);
    vm_writel(vm, port.mac + MAC_TX_CONFIG, config & ~(uint32_t)MAC_ENABLE);
    tx_packet(&port, 1, 0, frame, len);
    port_settle(&port);
    expect_silence(&port, 0);
    vm_writel(vm, port.mac + MAC_TX_CONFIG, config);
    bd_wait(&port, MM2S, 1, 0);
    assert_int_equal(vm_wire_recv(vm, 0, frame, sizeof(frame)), len);
    udp_expect(&udp, frame, len);
}

/* Length limits, both with FCS: 64 and RX_MTU. */
static void rx_length_limits(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t frame[FRAME_MAX];
    Udp udp = udp_default(1500 - IP_HEADER - UDP_HEADER);
    size_t len = udp_build(&udp, frame);

    start(&port);
    vm_writel(vm, port.mac + MAC_RX_MTU, 1518 << 16 | 64);
    rx_packet(&port, 0, frame, 59);
    udp.len++;
    assert_int_equal(udp_build(&udp, frame), len + 1);
    rx_packet(&port, 0, frame, len + 1);
    assert_int_equal(bd_status(&port, S2MM, bd_addr(S2MM, 1, 0)), 0);
    udp.len--;
    udp_build(&udp, frame);
    rx_packet(&port, 0, frame, len);
    assert_int_equal(bd_wait(&port, S2MM, 1, 0) & BD_LENGTH, len);
    assert_int_equal(mac_tick_read(&port, 0x810), 1); /* good */
    expect_reg(&port, "RX undersize", port.mac + 0x898, 1);
    expect_reg(&port, "RX oversize", port.mac + 0x8a8, 1);
    expect_reg(&port, "RX total", port.mac + MAC_RX_TOTAL, 3);
}

static const VmOptions one_port = {.wires = 1};

static const Test tests[] = {
    {"selfcheck_block_lock_after_flap", &one_port, selfcheck_block_lock_after_flap},
    {"selfcheck_tick_holds_delta", &one_port, selfcheck_tick_holds_delta},
    {"selfcheck_rx_disabled_mac", &one_port, selfcheck_rx_disabled_mac},
    {"selfcheck_tx_reset_pulse", &one_port, selfcheck_tx_reset_pulse},
    {"link_down_stops_reception", &one_port, link_down_stops_reception},
    {"tx_waits_for_its_enable", &one_port, tx_waits_for_its_enable},
    {"rx_length_limits", &one_port, rx_length_limits},
};

const Suite mac_suite = {tests, G_N_ELEMENTS(tests)};
