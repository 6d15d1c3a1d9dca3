/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ethernet Offload Engine (PG451): segmentation and checksums on the wire,
 * merging as the descriptors show it.
 */
#include "suite.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"
#include "port.h"

enum {
    APP0_SOP = 1 << 30,
    APP0_EOP = 1 << 29,
    MERGED_PORT = 5101,
    MERGE_CHANNEL = 2, /* GRO port 1 */
    TIMEOUT_MS = 6,    /* RX_TIMEOUT after power-up: 4096 x 128 clocks at 100 MHz, 5.24 ms */
};

static const uint32_t WHOLE = (uint32_t)(BD_SOF | BD_EOF);
static const uint32_t DONE = (uint32_t)BD_COMPLETE;

/* Registers */

static void selfcheck_eoe_power_up_values(Vm *vm) {
    Port port = port_at(vm, 0);

    expect_reg(&port, "VERSION", port.eoe + EOE_VERSION, 0x01000000);
    expect_reg(&port, "RX_COMMON_CTRL", port.eoe + EOE_RX_CTRL, 0x10000002);
    expect_reg(&port, "RX_TIMEOUT", port.eoe + EOE_RX_TIMEOUT, 0x00001000);
}

static void selfcheck_rx_timeout_mask(Vm *vm) {
    Port port = port_at(vm, 0);

    vm_writel(vm, port.eoe + EOE_RX_TIMEOUT, 0xffffffff);
    expect_reg(&port, "RX_TIMEOUT", port.eoe + EOE_RX_TIMEOUT, 0x0003ffff);
}

static void selfcheck_gro_en_after_mcdma_reset(Vm *vm) {
    Port port = port_at(vm, 0);
    uint64_t block = port.eoe + 0x40 * 1;

    gro_start(&port, 1, 0x0a0a0002, MERGED_PORT);
    vm_writel(vm, block + EOE_CH_SRC_IP, 0x0a0a0001);
    expect_reg(&port, "CH1_CTRL", block + EOE_CH_CTRL, 0x11000001);
    common_write(&port, S2MM, CCR, CCR_RESET);
    expect_reg(&port, "CH1_CTRL", block + EOE_CH_CTRL, 0x11000000);
    expect_reg(&port, "CH1_SRC_IP", block + EOE_CH_SRC_IP, 0x0a0a0001);
    expect_reg(&port, "CH1_DST_IP", block + EOE_CH_DST_IP, 0x0a0a0002);
    expect_reg(&port, "CH1_PORTS", block + EOE_CH_PORTS, MERGED_PORT << 16);
    expect_reg(&port, "RX_COMMON_CTRL", port.eoe + EOE_RX_CTRL, 0x1010000a);
}

/* Transmit */

static void start_tx(const Port *port) {
    channel_start(port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
}

static void selfcheck_tx_padding_and_bin(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(0);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    start_tx(&port);
    mac_tick_read(&port, MAC_TX_TOTAL);
    assert_int_equal(len, 42);
    tx_packet(&port, 1, 0, frame, len);
    bd_wait(&port, MM2S, 1, 0);
    assert_int_equal(vm_wire_recv(vm, 0, frame, sizeof(frame)), 64);
    udp_expect(&udp, frame, 64);
    assert_int_equal(mac_tick_read(&port, MAC_TX_65_127), 1);
    assert_int_equal(vm_readl(vm, port.mac + MAC_TX_TOTAL), 1);
}

/* Software may leave both checksums empty. */
static void tx_fills_in_checksums(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(333);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    put_be16(frame + ETH_HEADER + 10, 0);
    put_be16(frame + ETH_HEADER + IP_HEADER + 6, 0);
    start_tx(&port);
    tx_packet(&port, 1, 0, frame, len);
    bd_wait(&port, MM2S, 1, 0);
    assert_int_equal(vm_wire_recv(vm, 0, frame, sizeof(frame)), len);
    udp_expect(&udp, frame, len);
}

/* With APP1 b9 set a packet leaves as it came, however wrong. */
static void tx_leaves_packets_alone(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(333);
    uint8_t frame[FRAME_MAX], sent[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    put_be16(frame + ETH_HEADER + IP_HEADER + 6, 0x1111);
    start_tx(&port);
    tx_fill(&port, 1, 0, frame, len, WHOLE, TX_APP0_PLAIN, TX_APP1_PLAIN | 1 << 9);
    channel_kick(&port, MM2S, 1, 0);
    bd_wait(&port, MM2S, 1, 0);
    assert_int_equal(vm_wire_recv(vm, 0, sent, sizeof(sent)), len);
    assert_memory_equal(sent, frame, len);
}

/* Send `total` payload bytes to be cut every `size`; flags are APP1's above the MSS. */
static void send_gso(const Port *port, size_t total, unsigned size, uint32_t flags) {
    Udp whole = udp_default(total);
    uint8_t packet[FRAME_MAX];
    size_t len = udp_build(&whole, packet);
    uint32_t app0 = UDP_FRAME_HEADER << 24 | (uint32_t)(len - ETH_HEADER);
    uint32_t app1 = (size + IP_HEADER + UDP_HEADER) << 16 | flags;

    /* What a stack leaves to the hardware: header checksums are unset or partial. */
    put_be16(packet + ETH_HEADER + 10, 0);
    put_be16(packet + ETH_HEADER + IP_HEADER + 6, 0x1234);
    tx_fill(port, 1, 0, packet, UDP_FRAME_HEADER, (uint32_t)BD_SOF, app0, app1);
    tx_fill(port, 1, 1, packet + UDP_FRAME_HEADER, total, BD_EOF, 0, 0);
    channel_kick(port, MM2S, 1, 1);
    bd_wait(port, MM2S, 1, 1);
}

/* Expect the datagrams that software would have made of the same bytes. */
static void expect_segments(const Port *port, size_t total, unsigned size, bool count_up) {
    uint8_t frame[FRAME_MAX];
    uint8_t seed = udp_default(0).seed;
    uint16_t id = udp_default(0).id;

    for (size_t at = 0; at < total; at += size, id += count_up) {
        Udp udp = udp_default(MIN(size, total - at));
        size_t len;

        udp.seed = (uint8_t)(seed + 7 * at);
        udp.id = id;
        len = vm_wire_recv(port->vm, 0, frame, sizeof(frame));
        if (!len) {
            fail_msg("the segment at byte %zu did not come", at);
        }
        udp_expect(&udp, frame, len);
        assert_int_equal(len, MAX(64, UDP_FRAME_HEADER + udp.len));
    }
    port_settle(port);
    expect_silence(port, 0);
    expect_reg(port, "TX_ERROR_COUNT", port->eoe + EOE_TX_ERROR, 0);
}

/* Bit 10: no TCP segmentation; the zeros ask for UDP segmentation and checksums. */
static void selfcheck_udp_gso(Vm *vm) {
    Port port = port_at(vm, 0);

    start_tx(&port);
    send_gso(&port, 4000, 1000, 1 << 10);
    expect_segments(&port, 4000, 1000, false);
}

static void gso_with_counting_ids_and_short_tail(Vm *vm) {
    Port port = port_at(vm, 0);

    start_tx(&port);
    send_gso(&port, 3001, 1000, 1 << 10 | 1 << 7);
    expect_segments(&port, 3001, 1000, true);
}

static void gso_length_mismatch_is_counted(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(4000);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    start_tx(&port);
    tx_fill(&port, 1, 0, frame, len, WHOLE,
            UDP_FRAME_HEADER << 24 | (uint32_t)(len - ETH_HEADER + 1), 1028U << 16 | 1 << 10);
    channel_kick(&port, MM2S, 1, 0);
    bd_wait(&port, MM2S, 1, 0);
    port_settle(&port);
    expect_reg(&port, "TX_ERROR_COUNT", port.eoe + EOE_TX_ERROR, 1);
    expect_silence(&port, 0);
}

/* Receive */

static void start_rx(const Port *port, unsigned channel) {
    rx_fill(port, channel, 64, BUFFER_SIZE);
    channel_start(port, S2MM, channel, 1 << CR_THRESHOLD_SHIFT | CR_IOC);
    channel_kick(port, S2MM, channel, 63);
}

static void start_merging(const Port *port) {
    start_rx(port, 1);
    start_rx(port, MERGE_CHANNEL);
    gro_start(port, 1, 0x0a0a0002, MERGED_PORT);
}

static void receive_udp(const Port *port, const Udp *udp) {
    uint8_t frame[FRAME_MAX];

    rx_packet(port, 0, frame, udp_build_padded(udp, frame));
}

/* Expect descriptor n of the merging channel to hold one stream packet. */
static Bd expect_part(const Port *port, unsigned n, size_t len, uint32_t marks) {
    Bd bd;

    bd_wait(port, S2MM, MERGE_CHANNEL, n);
    bd = bd_get(port, bd_addr(S2MM, MERGE_CHANNEL, n));
    if (bd.word18 != (DONE | BD_RXSOF | BD_RXEOF | len)) {
        fail_msg("descriptor %u: status 0x%08x, expected %zu bytes", n, bd.word18, len);
    }
    if ((bd.app[0] & (APP0_SOP | APP0_EOP)) != marks) {
        fail_msg("descriptor %u: APP0 0x%08x, expected marks 0x%08x", n, bd.app[0], marks);
    }
    /* The sideband word says which GRO port it is. */
    assert_int_equal(bd.word1c >> 16 & 0xf, MERGE_CHANNEL - 1);
    return bd;
}

static void expect_payload(const Port *port, unsigned n, size_t len, size_t at) {
    uint8_t stored[BUFFER_SIZE];
    uint8_t seed = udp_default(0).seed;

    vm_read(port->vm, buffer_addr(S2MM, MERGE_CHANNEL, n), stored, len);
    for (size_t i = 0; i < len; i++) {
        if (stored[i] != (uint8_t)(seed + 7 * (at + i))) {
            fail_msg("merged payload differs at byte %zu", at + i);
        }
    }
}

static void expect_header(const Port *port, unsigned n, const Udp *first) {
    uint8_t frame[FRAME_MAX], stored[UDP_FRAME_HEADER];

    udp_build(first, frame);
    vm_read(port->vm, buffer_addr(S2MM, MERGE_CHANNEL, n), stored, sizeof(stored));
    assert_memory_equal(stored, frame, sizeof(stored));
}

/* The last descriptor tells the merged length and the checksum a header with it has. */
static void expect_total(const Bd *end, const Udp *first, size_t payload) {
    uint8_t frame[FRAME_MAX];
    uint16_t total = (uint16_t)(IP_HEADER + UDP_HEADER + payload);

    udp_build(first, frame);
    put_be16(frame + ETH_HEADER + 2, total);
    put_be16(frame + ETH_HEADER + 10, 0);
    assert_int_equal(end->app[1] & 0xffff, total);
    assert_int_equal(end->app[1] >> 16, ip_checksum(frame + ETH_HEADER));
}

static void selfcheck_udp_gro(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(1400);
    Udp first = udp;
    Bd end;

    start_merging(&port);
    for (unsigned i = 0; i < 3; i++) {
        udp.seed = (uint8_t)(first.seed + 7 * 1400 * i);
        udp.id = (uint16_t)(first.id + i);
        receive_udp(&port, &udp);
    }
    expect_part(&port, 0, 42, APP0_SOP);
    expect_header(&port, 0, &first);
    expect_part(&port, 1, 4096, 0);
    vm_clock_step(vm, TIMEOUT_MS * 1000000);
    end = expect_part(&port, 2, 104, APP0_EOP);
    assert_int_equal(end.app[1] & 0xffff, 4228);
    expect_total(&end, &first, 4200);
    expect_payload(&port, 1, 4096, 0);
    expect_payload(&port, 2, 104, 4096);
    expect_reg(&port, "CH1_GRO_COUNT", port.eoe + 0x40 + EOE_CH_COUNT, 3);
    expect_reg(&port, "RX_TOTAL_GRO", port.eoe + EOE_RX_TOTAL_GRO, 3);
    expect_reg(&port, "RX_NON_GRO", port.eoe + EOE_RX_NON_GRO, 0);
}

static void selfcheck_non_matching_port(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(1400);
    uint8_t stored[FRAME_MAX];
    Bd bd;

    start_merging(&port);
    udp.dst_port = MERGED_PORT + 1;
    receive_udp(&port, &udp);
    assert_int_equal(bd_wait(&port, S2MM, 1, 0), DONE | BD_RXSOF | BD_RXEOF | 1442);
    bd = bd_get(&port, bd_addr(S2MM, 1, 0));
    assert_int_equal(bd.word1c >> 16 & 0xf, 0);
    assert_int_equal(bd.app[0] & (APP0_SOP | APP0_EOP), APP0_SOP | APP0_EOP);
    vm_read(vm, buffer_addr(S2MM, 1, 0), stored, 1442);
    udp_expect(&udp, stored, 1442);
    assert_int_equal(bd_status(&port, S2MM, bd_addr(S2MM, MERGE_CHANNEL, 0)), 0);
    expect_reg(&port, "RX_NON_GRO", port.eoe + EOE_RX_NON_GRO, 1);
    expect_reg(&port, "RX_TOTAL_GRO", port.eoe + EOE_RX_TOTAL_GRO, 0);
}

/* 39 x 128 clocks at 100 MHz are 49.92 us. */
static void selfcheck_lone_datagram_timeout(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(5);
    uint64_t payload = bd_addr(S2MM, MERGE_CHANNEL, 1);
    Bd end;

    vm_writel(vm, port.eoe + EOE_RX_TIMEOUT, 39);
    start_merging(&port);
    receive_udp(&port, &udp); /* settles for 1 us */
    expect_part(&port, 0, 42, APP0_SOP);
    vm_clock_step(vm, 48000);
    assert_int_equal(bd_status(&port, S2MM, payload), 0);
    vm_clock_step(vm, 2000);
    assert_true(bd_status(&port, S2MM, payload) & DONE);
    /* Ethernet padding is not payload. */
    end = expect_part(&port, 1, 5, APP0_EOP);
    expect_total(&end, &udp, 5);
    expect_payload(&port, 1, 5, 0);
}

/* Clearing gro_en delivers what is held. */
static void disabling_a_port_flushes_it(Vm *vm) {
    Port port = port_at(vm, 0);
    uint64_t block = port.eoe + 0x40;
    Udp udp = udp_default(700);
    Bd end;

    start_merging(&port);
    receive_udp(&port, &udp);
    vm_writel(vm, block + EOE_CH_CTRL, 0x11000000);
    port_settle(&port);
    end = expect_part(&port, 1, 700, APP0_EOP);
    expect_total(&end, &udp, 700);
    expect_reg(&port, "CH1_STATUS", block + EOE_CH_STATUS, 0);
    receive_udp(&port, &udp);
    bd_wait(&port, S2MM, 1, 0);
    expect_reg(&port, "RX_NON_GRO", port.eoe + EOE_RX_NON_GRO, 1);
}

static void bad_checksum_ends_the_merge(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(700);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    start_merging(&port);
    rx_packet(&port, 0, frame, len);
    frame[len - 1] ^= 1;
    rx_packet(&port, 0, frame, len);
    expect_part(&port, 1, 700, APP0_EOP);
    assert_int_equal(bd_wait(&port, S2MM, 1, 0), DONE | BD_RXSOF | BD_RXEOF | len);
    expect_reg(&port, "RX_ERROR", port.eoe + EOE_RX_ERROR, 1);
    expect_reg(&port, "CH1_GRO_COUNT", port.eoe + 0x40 + EOE_CH_COUNT, 1);
}

/* Sixteen fragments of 4 KiB end a merge; 65535 bytes do before that. */
static void merge_stays_below_64k(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(1400);
    size_t merged = 0;
    unsigned n = 1;
    Bd bd;

    start_merging(&port);
    for (unsigned i = 0; i < 50; i++) {
        receive_udp(&port, &udp);
    }
    expect_part(&port, 0, 42, APP0_SOP);
    do {
        bd_wait(&port, S2MM, MERGE_CHANNEL, n);
        bd = bd_get(&port, bd_addr(S2MM, MERGE_CHANNEL, n));
        merged += bd.word18 & BD_LENGTH;
        n++;
    } while (!(bd.app[0] & APP0_EOP));
    /* 46 x 1400 + 28 fits 16 bits, 47 x 1400 + 28 does not. */
    assert_int_equal(merged, 46 * 1400);
    expect_total(&bd, &udp, merged);
    expect_part(&port, n, 42, APP0_SOP);
}

static void each_gro_port_has_its_channel(Vm *vm) {
    Port port = port_at(vm, 0);

    for (unsigned n = 1; n <= 15; n++) {
        start_rx(&port, n + 1);
        gro_start(&port, n, 0x0a0a0002, (uint16_t)(6000 + n));
    }
    for (unsigned n = 1; n <= 15; n++) {
        Udp udp = udp_default(100);

        udp.dst_port = (uint16_t)(6000 + n);
        receive_udp(&port, &udp);
        assert_int_equal(bd_wait(&port, S2MM, n + 1, 0), DONE | BD_RXSOF | BD_RXEOF | 42);
        assert_int_equal(bd_get(&port, bd_addr(S2MM, n + 1, 0)).word1c >> 16 & 0xf, n);
        expect_reg(&port, "GRO_COUNT", port.eoe + 0x40 * n + EOE_CH_COUNT, 1);
        assert_true(vm_irq_level(vm, channel_line(S2MM, n + 1)));
    }
}

static const VmOptions one_port = {.wires = 1};

static const Test tests[] = {
    {"selfcheck_eoe_power_up_values", &one_port, selfcheck_eoe_power_up_values},
    {"selfcheck_rx_timeout_mask", &one_port, selfcheck_rx_timeout_mask},
    {"selfcheck_gro_en_after_mcdma_reset", &one_port, selfcheck_gro_en_after_mcdma_reset},
    {"selfcheck_tx_padding_and_bin", &one_port, selfcheck_tx_padding_and_bin},
    {"selfcheck_udp_gso", &one_port, selfcheck_udp_gso},
    {"selfcheck_udp_gro", &one_port, selfcheck_udp_gro},
    {"selfcheck_non_matching_port", &one_port, selfcheck_non_matching_port},
    {"selfcheck_lone_datagram_timeout", &one_port, selfcheck_lone_datagram_timeout},
    {"tx_fills_in_checksums", &one_port, tx_fills_in_checksums},
    {"tx_leaves_packets_alone", &one_port, tx_leaves_packets_alone},
    {"gso_with_counting_ids_and_short_tail", &one_port, gso_with_counting_ids_and_short_tail},
    {"gso_length_mismatch_is_counted", &one_port, gso_length_mismatch_is_counted},
    {"disabling_a_port_flushes_it", &one_port, disabling_a_port_flushes_it},
    {"bad_checksum_ends_the_merge", &one_port, bad_checksum_ends_the_merge},
    {"merge_stays_below_64k", &one_port, merge_stays_below_64k},
    {"each_gro_port_has_its_channel", &one_port, each_gro_port_has_its_channel},
};

const Suite eoe_suite = {tests, G_N_ELEMENTS(tests)};
