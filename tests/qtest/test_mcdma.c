/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AXI MCDMA (PG288): what one self-check line each says about descriptors,
 * interrupts, errors and reset, and that hostile descriptors end in a status
 * bit.
 */
#include "suite.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"
#include "port.h"

enum { THRESHOLD_1 = 1 << CR_THRESHOLD_SHIFT, NOWHERE = 0xa0000000 };

static const uint32_t WHOLE = (uint32_t)(BD_SOF | BD_EOF);
static const uint32_t DONE = (uint32_t)BD_COMPLETE;

static void expect_frame(Vm *vm, const Udp *udp) {
    uint8_t frame[FRAME_MAX];
    size_t len = vm_wire_recv(vm, 0, frame, sizeof(frame));

    if (!len) {
        fail_msg("no frame came");
    }
    udp_expect(udp, frame, len);
}

static void put_bd(const Port *port, unsigned n, const void *data, size_t len, uint32_t flags) {
    tx_fill(port, 1, n, data, len, flags, TX_APP0_PLAIN, TX_APP1_PLAIN);
}

/* Descriptor pointers */

static void selfcheck_tail_in_one_64bit_store(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    channel_start(&port, MM2S, 1, THRESHOLD_1);
    tx_packet(&port, 1, 0, frame, len);
    assert_int_equal(bd_wait(&port, MM2S, 1, 0), DONE | len);
    expect_frame(vm, &udp);
    port_settle(&port);
    expect_silence(&port, 0);
    assert_int_equal(channel_read(&port, MM2S, 1, MM2S_CH_PKTCOUNT), 1);
}

/* The same with two 32-bit stores: nothing may start at the first. */
static void tail_in_two_32bit_stores(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    channel_start(&port, MM2S, 1, THRESHOLD_1);
    put_bd(&port, 0, frame, len, WHOLE);
    channel_write(&port, MM2S, 1, CH_TAILDESC, (uint32_t)bd_addr(MM2S, 1, 0));
    port_settle(&port);
    expect_silence(&port, 0);
    channel_write(&port, MM2S, 1, CH_TAILDESC + 4, 0);
    bd_wait(&port, MM2S, 1, 0);
    expect_frame(vm, &udp);
}

/* With 32 address bits the low half alone starts the channel. */
static void tail_with_32bit_addresses(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    channel_start(&port, MM2S, 1, THRESHOLD_1);
    put_bd(&port, 0, frame, len, WHOLE);
    channel_write(&port, MM2S, 1, CH_TAILDESC, (uint32_t)bd_addr(MM2S, 1, 0));
    bd_wait(&port, MM2S, 1, 0);
    expect_frame(vm, &udp);
    channel_write(&port, MM2S, 1, CH_TAILDESC + 4, 0);
    port_settle(&port);
    expect_silence(&port, 0);
}

static void curdesc_is_locked_while_running(Vm *vm) {
    Port port = port_at(vm, 0);
    g_autofree char *log = NULL;

    channel_start(&port, MM2S, 1, THRESHOLD_1);
    vm_writeq(vm, channel_reg(&port, MM2S, 1, CH_CURDESC), 0x02000000);
    assert_int_equal(vm_readq(vm, channel_reg(&port, MM2S, 1, CH_CURDESC)), bd_addr(MM2S, 1, 0));
    log = vm_log(vm);
    assert_non_null(strstr(log, "CURDESC"));
}

/* Packets of several descriptors */

static void selfcheck_tx_three_bds_one_frame(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(1000);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);
    unsigned line = channel_line(MM2S, 1);

    channel_start(&port, MM2S, 1, THRESHOLD_1 | CR_IOC);
    put_bd(&port, 0, frame, 42, (uint32_t)BD_SOF);
    put_bd(&port, 1, frame + 42, 500, 0);
    put_bd(&port, 2, frame + 542, len - 542, BD_EOF);
    channel_kick(&port, MM2S, 1, 2);
    assert_int_equal(bd_wait(&port, MM2S, 1, 2), DONE | (len - 542));
    assert_int_equal(bd_wait(&port, MM2S, 1, 1), DONE | 500);
    assert_int_equal(bd_wait(&port, MM2S, 1, 0), DONE | 42);
    expect_frame(vm, &udp);
    expect_silence(&port, 0);
    assert_int_equal(channel_read(&port, MM2S, 1, MM2S_CH_PKTCOUNT), 1);
    assert_int_equal(vm_irq_raises(vm, line), 1);
    assert_true(channel_read(&port, MM2S, 1, CH_SR) & SR_IOC);
}

/* Interrupts */

static void send_three(const Port *port, unsigned first) {
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    for (unsigned n = first; n < first + 3; n++) {
        tx_packet(port, 1, n, frame, len);
        bd_wait(port, MM2S, 1, n);
        expect_frame(port->vm, &udp);
    }
}

static void selfcheck_tx_threshold_and_delay(Vm *vm) {
    const uint32_t cr = CR_RS | 4 << CR_THRESHOLD_SHIFT | CR_IOC | CR_DELAY;
    Port port = port_at(vm, 0);
    unsigned line = channel_line(MM2S, 1);

    channel_start(&port, MM2S, 1, cr);
    send_three(&port, 0);
    vm_clock_step(vm, 1000000);
    assert_false(vm_irq_level(vm, line));
    assert_int_equal(vm_irq_raises(vm, line), 0);

    channel_write(&port, MM2S, 1, CH_CR, cr | 1 << CR_DELAY_SHIFT);
    send_three(&port, 3);
    vm_clock_step(vm, 1000000);
    assert_int_equal(vm_irq_raises(vm, line), 1);
    assert_int_equal(channel_read(&port, MM2S, 1, CH_SR) & (SR_IOC | SR_DELAY), SR_DELAY);
}

/* A delay of 40 is 40 x 125 SG clocks at 125 MHz, 40 us after the last packet. */
static void delay_counts_sg_clocks(Vm *vm) {
    Port port = port_at(vm, 0);
    unsigned line = channel_line(MM2S, 1);

    channel_start(&port, MM2S, 1,
                  4 << CR_THRESHOLD_SHIFT | CR_IOC | CR_DELAY | 40 << CR_DELAY_SHIFT);
    send_three(&port, 0);
    vm_clock_step(vm, 39900);
    assert_false(vm_irq_level(vm, line));
    vm_clock_step(vm, 200);
    assert_true(vm_irq_level(vm, line));
}

static void irq_level_acknowledge_and_mask(Vm *vm) {
    Port port = port_at(vm, 0);
    unsigned line = channel_line(MM2S, 1);

    channel_start(&port, MM2S, 1, THRESHOLD_1 | CR_IOC);
    send_three(&port, 0);
    assert_true(vm_irq_level(vm, line));
    assert_int_equal(vm_irq_raises(vm, line), 1);
    assert_int_equal(common_read(&port, MM2S, MM2S_INTR), 1);

    /* Masking lowers the line and keeps the status. */
    channel_write(&port, MM2S, 1, CH_CR, CR_RS | THRESHOLD_1);
    assert_false(vm_irq_level(vm, line));
    assert_true(channel_read(&port, MM2S, 1, CH_SR) & SR_IOC);
    assert_int_equal(common_read(&port, MM2S, MM2S_INTR), 0);
    channel_write(&port, MM2S, 1, CH_CR, CR_RS | THRESHOLD_1 | CR_IOC);
    assert_true(vm_irq_level(vm, line));

    /* Zeros acknowledge nothing, ones only themselves. */
    channel_write(&port, MM2S, 1, CH_SR, 0);
    assert_true(vm_irq_level(vm, line));
    channel_write(&port, MM2S, 1, CH_SR, SR_DELAY | SR_ERR);
    assert_true(vm_irq_level(vm, line));
    channel_write(&port, MM2S, 1, CH_SR, SR_IOC);
    assert_false(vm_irq_level(vm, line));
    assert_false(channel_read(&port, MM2S, 1, CH_SR) & SR_IOC);
}

/* Each channel and direction has its own line. */
static void irq_line_of_every_channel(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t data[64] = {0};

    for (unsigned n = 1; n <= 16; n++) {
        unsigned line = channel_line(MM2S, n);

        channel_start(&port, MM2S, n, THRESHOLD_1 | CR_IOC);
        tx_packet(&port, n, 0, data, sizeof(data));
        bd_wait(&port, MM2S, n, 0);
        for (unsigned other = 0; other < VM_MAX_LINES; other++) {
            assert_int_equal(vm_irq_level(vm, other), other == line);
        }
        assert_int_equal(common_read(&port, MM2S, MM2S_INTR), 1U << (n - 1));
        channel_write(&port, MM2S, n, CH_SR, SR_IOC);
        assert_false(vm_irq_level(vm, line));
    }
}

/* Receive */

static void selfcheck_rx_ring_empty_drops(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    rx_fill(&port, 1, 1, BUFFER_SIZE);
    channel_start(&port, S2MM, 1, THRESHOLD_1 | CR_PKTDROP | 1 << 8);
    rx_packet(&port, 0, frame, len);
    assert_true(vm_irq_level(vm, channel_line(S2MM, 1)));
    assert_int_equal(common_read(&port, S2MM, S2MM_PKTDROP), 1);
    assert_int_equal(channel_read(&port, S2MM, 1, S2MM_CH_PKTDROP), 1);
    assert_int_equal(channel_read(&port, S2MM, 1, S2MM_CH_PKTDROP), 0);
    assert_int_equal(common_read(&port, S2MM, S2MM_PKTDROP), 1);
    assert_int_equal(bd_status(&port, S2MM, bd_addr(S2MM, 1, 0)), 0);
}

static void selfcheck_rx_channel_disabled_drops(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    rx_fill(&port, 1, 4, BUFFER_SIZE);
    channel_start(&port, S2MM, 1, THRESHOLD_1);
    channel_kick(&port, S2MM, 1, 3);
    common_write(&port, S2MM, CHEN, 0);
    rx_packet(&port, 0, frame, len);
    assert_int_equal(common_read(&port, S2MM, S2MM_PKTDROP), 1);
    for (unsigned n = 0; n < 4; n++) {
        Bd bd = bd_get(&port, bd_addr(S2MM, 1, n));

        assert_int_equal(bd.word18, 0);
        assert_int_equal(bd.word1c, 0xdeadbeef);
    }
    /* From the next packet on it takes them. */
    common_write(&port, S2MM, CHEN, 1);
    rx_packet(&port, 0, frame, len);
    bd_wait(&port, S2MM, 1, 0);
    assert_int_equal(common_read(&port, S2MM, S2MM_PKTDROP), 1);
}

static void rx_status_of_a_whole_frame(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(1000);
    uint8_t frame[FRAME_MAX], stored[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    rx_fill(&port, 1, 2, BUFFER_SIZE);
    channel_start(&port, S2MM, 1, THRESHOLD_1 | CR_IOC);
    channel_kick(&port, S2MM, 1, 1);
    rx_packet(&port, 0, frame, len);
    assert_int_equal(bd_wait(&port, S2MM, 1, 0), DONE | BD_RXSOF | BD_RXEOF | len);
    vm_read(vm, buffer_addr(S2MM, 1, 0), stored, len + 1);
    udp_expect(&udp, stored, len);
    assert_int_equal(stored[len], 0); /* nothing behind the frame is touched */
    assert_int_equal(bd_get(&port, bd_addr(S2MM, 1, 0)).word1c, 0);
    assert_true(vm_irq_level(vm, channel_line(S2MM, 1)));
    assert_int_equal(channel_read(&port, S2MM, 1, S2MM_CH_PKTCOUNT), 1);
}

static void selfcheck_rx_two_bds_app_words(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(1000);
    uint8_t frame[FRAME_MAX], stored[FRAME_MAX];
    size_t len = udp_build(&udp, frame);
    Bd first, second;

    rx_fill(&port, 1, 4, 512);
    channel_start(&port, S2MM, 1, THRESHOLD_1);
    channel_kick(&port, S2MM, 1, 3);
    rx_packet(&port, 0, frame, len);
    bd_wait(&port, S2MM, 1, 2);
    first = bd_get(&port, bd_addr(S2MM, 1, 0));
    assert_int_equal(first.word18, DONE | BD_RXSOF | 512);
    assert_int_equal(bd_status(&port, S2MM, bd_addr(S2MM, 1, 1)), DONE | 512);
    second = bd_get(&port, bd_addr(S2MM, 1, 2));
    assert_int_equal(second.word18, DONE | BD_RXEOF | (len - 1024));
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(first.app[i], 0);
    }
    /* Both marks of a packet that is its own beginning and end. */
    assert_int_equal(second.app[0] & (1U << 30 | 1U << 29), 1U << 30 | 1U << 29);
    assert_int_equal(second.app[1] & 0xffff, len - ETH_HEADER);
    vm_read(vm, buffer_addr(S2MM, 1, 0), stored, 512);
    vm_read(vm, buffer_addr(S2MM, 1, 1), stored + 512, 512);
    vm_read(vm, buffer_addr(S2MM, 1, 2), stored + 1024, len - 1024);
    udp_expect(&udp, stored, len);
}

/* A frame that outgrows the ring waits for more descriptors instead of being dropped. */
static void rx_shortfall_waits_for_descriptors(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(1000);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    rx_fill(&port, 1, 4, 512);
    channel_start(&port, S2MM, 1, THRESHOLD_1);
    channel_kick(&port, S2MM, 1, 0);
    rx_packet(&port, 0, frame, len);
    bd_wait(&port, S2MM, 1, 0);
    assert_true(channel_read(&port, S2MM, 1, CH_SR) & SR_SHORTFALL);
    channel_kick(&port, S2MM, 1, 3);
    assert_int_equal(bd_wait(&port, S2MM, 1, 2), DONE | BD_RXEOF | (len - 1024));
    assert_false(channel_read(&port, S2MM, 1, CH_SR) & SR_SHORTFALL);
    assert_int_equal(common_read(&port, S2MM, S2MM_PKTDROP), 0);
}

/* Errors */

/* What the whole direction shows after an error on channel 1. */
static void expect_dead(const Port *port, Dir dir, uint32_t error) {
    assert_int_equal(common_read(port, dir, ERR), error);
    assert_int_equal(common_read(port, dir, CCR) & CCR_RS, 0);
    assert_int_equal(common_read(port, dir, CSR), CSR_HALTED);
    assert_true(channel_read(port, dir, 1, CH_SR) & SR_ERR);
    assert_false(channel_read(port, dir, 1, CH_SR) & SR_OTHER_ERR);
    for (unsigned n = 2; n <= 16; n++) {
        assert_int_equal(channel_read(port, dir, n, CH_SR) & (SR_ERR | SR_OTHER_ERR), SR_OTHER_ERR);
    }
    /* Only a reset revives it. */
    common_write(port, dir, CCR, CCR_RS);
    assert_int_equal(common_read(port, dir, CCR) & CCR_RS, 0);
    common_write(port, dir, CCR, CCR_RESET);
    common_write(port, dir, CCR, CCR_RS);
    assert_int_equal(common_read(port, dir, CCR), CCR_RS);
    assert_int_equal(common_read(port, dir, ERR), 0);
}

static void selfcheck_stale_bd_halts(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t data[64] = {0};

    channel_start(&port, MM2S, 1, THRESHOLD_1 | CR_ERR);
    channel_write(&port, MM2S, 2, CH_CR, CR_RS | THRESHOLD_1 | CR_OTHER_ERR);
    put_bd(&port, 0, data, sizeof(data), WHOLE);
    vm_writel(vm, bd_addr(MM2S, 1, 0) + 0x1c, DONE | sizeof(data));
    channel_kick(&port, MM2S, 1, 0);
    port_settle(&port);
    expect_silence(&port, 0);
    assert_true(vm_irq_level(vm, channel_line(MM2S, 1)));
    assert_true(vm_irq_level(vm, channel_line(MM2S, 2)));
    expect_dead(&port, MM2S, ERR_SG_INT);

    /* The receive side looks at its own status word. */
    rx_fill(&port, 1, 1, BUFFER_SIZE);
    vm_writel(vm, bd_addr(S2MM, 1, 0) + 0x18, DONE);
    channel_start(&port, S2MM, 1, THRESHOLD_1);
    channel_kick(&port, S2MM, 1, 0);
    port_settle(&port);
    expect_dead(&port, S2MM, ERR_SG_INT);
}

static void selfcheck_zero_length_bd_halts(Vm *vm) {
    Port port = port_at(vm, 0);

    channel_start(&port, MM2S, 1, THRESHOLD_1);
    put_bd(&port, 0, NULL, 0, WHOLE);
    channel_kick(&port, MM2S, 1, 0);
    port_settle(&port);
    expect_silence(&port, 0);
    assert_true(bd_status(&port, MM2S, bd_addr(MM2S, 1, 0)) & BD_INT_ERR);
    expect_dead(&port, MM2S, ERR_DMA_INT);
}

/* Transmit one descriptor whose buffer is at addr and expect it to fail. */
static void tx_from(const Port *port, uint64_t addr, uint32_t bd_error, uint32_t error) {
    Bd bd = {
        .buffer = (uint32_t)addr,
        .buffer_msb = (uint32_t)(addr >> 32),
        .control = WHOLE | 64,
        .app = {TX_APP0_PLAIN, TX_APP1_PLAIN},
    };

    channel_start(port, MM2S, 1, THRESHOLD_1);
    bd_put(port, bd_addr(MM2S, 1, 0), &bd);
    channel_kick(port, MM2S, 1, 0);
    port_settle(port);
    expect_silence(port, 0);
    assert_int_equal(bd_status(port, MM2S, bd_addr(MM2S, 1, 0)) &
                         (BD_INT_ERR | BD_SLV_ERR | BD_DEC_ERR),
                     bd_error);
    expect_dead(port, MM2S, error);
}

static void buffer_where_nothing_is(Vm *vm) {
    Port port = port_at(vm, 0);

    tx_from(&port, NOWHERE, BD_DEC_ERR, ERR_DMA_DEC);
    tx_from(&port, 0xffffffffe0ULL, BD_DEC_ERR, ERR_DMA_DEC);
}

static void descriptor_where_nothing_is(Vm *vm) {
    Port port = port_at(vm, 0);

    channel_start(&port, MM2S, 1, THRESHOLD_1);
    channel_write(&port, MM2S, 1, CH_CR, THRESHOLD_1);
    vm_writeq(vm, channel_reg(&port, MM2S, 1, CH_CURDESC), NOWHERE);
    channel_write(&port, MM2S, 1, CH_CR, CR_RS | THRESHOLD_1);
    vm_writeq(vm, channel_reg(&port, MM2S, 1, CH_TAILDESC), NOWHERE);
    port_settle(&port);
    expect_dead(&port, MM2S, ERR_SG_DEC);
}

static void dma_into_own_registers(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp udp = udp_default(100);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    /* Reading a buffer from them. */
    tx_from(&port, port.mac, BD_SLV_ERR, ERR_DMA_SLV);
    tx_from(&port, port.mcdma, BD_SLV_ERR, ERR_DMA_SLV);

    /* Storing a frame over them. */
    Bd bd = {.buffer = (uint32_t)port.mcdma, .control = BUFFER_SIZE};
    bd_put(&port, bd_addr(S2MM, 1, 0), &bd);
    channel_start(&port, S2MM, 1, THRESHOLD_1);
    channel_kick(&port, S2MM, 1, 0);
    rx_packet(&port, 0, frame, len);
    assert_true(bd_status(&port, S2MM, bd_addr(S2MM, 1, 0)) & BD_SLV_ERR);
    expect_dead(&port, S2MM, ERR_DMA_SLV);

    /* Descriptors in them. */
    channel_start(&port, MM2S, 1, THRESHOLD_1);
    channel_write(&port, MM2S, 1, CH_CR, THRESHOLD_1);
    vm_writeq(vm, channel_reg(&port, MM2S, 1, CH_CURDESC), port.mcdma);
    channel_write(&port, MM2S, 1, CH_CR, CR_RS | THRESHOLD_1);
    vm_writeq(vm, channel_reg(&port, MM2S, 1, CH_TAILDESC), port.mcdma);
    port_settle(&port);
    expect_dead(&port, MM2S, ERR_SG_SLV);
}

/* Chains */

static void self_linked_chain_ends(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t data[64] = {0};
    uint64_t self = bd_addr(MM2S, 1, 0);

    channel_start(&port, MM2S, 1, THRESHOLD_1);
    put_bd(&port, 0, data, sizeof(data), WHOLE);
    vm_writel(vm, self, (uint32_t)self);
    /* The tail is not in the chain. */
    channel_kick(&port, MM2S, 1, 9);
    port_settle(&port);
    assert_non_null(strstr(vm_qmp(vm, "{'execute': 'query-status'}"), "running"));
    expect_dead(&port, MM2S, ERR_SG_INT);
}

/* Work per instant of the virtual clock is bounded: QEMU stays reachable, and all gets done. */
static void long_chain_is_done_in_slices(Vm *vm) {
    enum { COUNT = 100000, CHUNK = 1000 };
    Port port = port_at(vm, 0);
    uint64_t base = bd_addr(MM2S, 1, 0); /* the test's own, longer ring */
    uint64_t last = base + (uint64_t)(COUNT - 1) * BD_SIZE;
    g_autofree Bd *bds = g_new0(Bd, CHUNK);
    unsigned steps = 0;

    for (unsigned n = 0; n < COUNT; n++) {
        bds[n % CHUNK] = (Bd){
            .next = (uint32_t)(base + (uint64_t)(n + 1) * BD_SIZE),
            .buffer = 0x08000000,
            .control = WHOLE | 64,
            .app = {TX_APP0_PLAIN, TX_APP1_PLAIN},
        };
        if (n % CHUNK == CHUNK - 1) {
            vm_write(vm, base + (uint64_t)(n + 1 - CHUNK) * BD_SIZE, bds, CHUNK * BD_SIZE);
        }
    }
    channel_start(&port, MM2S, 1, THRESHOLD_1);
    vm_writeq(vm, channel_reg(&port, MM2S, 1, CH_TAILDESC), last);
    while (!(bd_status(&port, MM2S, last) & DONE)) {
        vm_clock_step(vm, 1);
        assert_non_null(strstr(vm_qmp(vm, "{'execute': 'query-status'}"), "running"));
        if (++steps > COUNT) {
            fail_msg("%d descriptors are not done after %u slices", COUNT, steps);
        }
    }
    assert_true(steps >= 10);
    assert_int_equal(channel_read(&port, MM2S, 1, MM2S_CH_PKTCOUNT), COUNT % 65536);
}

/* Reset and run state */

static void selfcheck_mcdma_reset_from_mm2s(Vm *vm) {
    Port port = port_at(vm, 0);

    rx_fill(&port, 3, 4, BUFFER_SIZE);
    channel_start(&port, S2MM, 3, THRESHOLD_1 | CR_IOC);
    channel_kick(&port, S2MM, 3, 3);
    assert_int_equal(common_read(&port, S2MM, CSR) & CSR_HALTED, 0);
    common_write(&port, MM2S, CCR, CCR_RESET);
    assert_int_equal(common_read(&port, MM2S, CCR), 0);
    assert_int_equal(common_read(&port, S2MM, CCR), 0);
    assert_int_equal(common_read(&port, S2MM, CSR), CSR_HALTED);
    assert_int_equal(common_read(&port, S2MM, CHEN), 0);
    assert_int_equal(channel_read(&port, S2MM, 3, CH_CR), 0x00010000);
    assert_int_equal(vm_readq(vm, channel_reg(&port, S2MM, 3, CH_CURDESC)), 0);
    assert_int_equal(vm_readq(vm, channel_reg(&port, S2MM, 3, CH_TAILDESC)), 0);
}

static void selfcheck_csr_idle_and_halted(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t data[64] = {0};

    assert_int_equal(common_read(&port, MM2S, CSR), CSR_HALTED);
    channel_start(&port, MM2S, 1, THRESHOLD_1);
    assert_int_equal(common_read(&port, MM2S, CSR) & CSR_HALTED, 0);
    tx_packet(&port, 1, 0, data, sizeof(data));
    bd_wait(&port, MM2S, 1, 0);
    assert_int_equal(common_read(&port, MM2S, CSR), CSR_IDLE);
    common_write(&port, MM2S, CCR, 0);
    assert_int_equal(common_read(&port, MM2S, CSR), CSR_HALTED);
}

static const VmOptions one_port = {.wires = 1};
static const VmOptions no_wire = {.wires = 0};
static const VmOptions width_32 = {
    .wires = 1, .args = (const char *const[]){"-global", "xlnx-eoe-port.addr-width=32", NULL}};

static const Test tests[] = {
    {"selfcheck_tail_in_one_64bit_store", &one_port, selfcheck_tail_in_one_64bit_store},
    {"selfcheck_tx_three_bds_one_frame", &one_port, selfcheck_tx_three_bds_one_frame},
    {"selfcheck_tx_threshold_and_delay", &one_port, selfcheck_tx_threshold_and_delay},
    {"selfcheck_rx_ring_empty_drops", &one_port, selfcheck_rx_ring_empty_drops},
    {"selfcheck_rx_channel_disabled_drops", &one_port, selfcheck_rx_channel_disabled_drops},
    {"selfcheck_stale_bd_halts", &one_port, selfcheck_stale_bd_halts},
    {"selfcheck_zero_length_bd_halts", &one_port, selfcheck_zero_length_bd_halts},
    {"selfcheck_rx_two_bds_app_words", &one_port, selfcheck_rx_two_bds_app_words},
    {"selfcheck_mcdma_reset_from_mm2s", &one_port, selfcheck_mcdma_reset_from_mm2s},
    {"selfcheck_csr_idle_and_halted", &one_port, selfcheck_csr_idle_and_halted},
    {"tail_in_two_32bit_stores", &one_port, tail_in_two_32bit_stores},
    {"tail_with_32bit_addresses", &width_32, tail_with_32bit_addresses},
    {"curdesc_is_locked_while_running", &one_port, curdesc_is_locked_while_running},
    {"delay_counts_sg_clocks", &one_port, delay_counts_sg_clocks},
    {"irq_level_acknowledge_and_mask", &one_port, irq_level_acknowledge_and_mask},
    {"irq_line_of_every_channel", &no_wire, irq_line_of_every_channel},
    {"rx_status_of_a_whole_frame", &one_port, rx_status_of_a_whole_frame},
    {"rx_shortfall_waits_for_descriptors", &one_port, rx_shortfall_waits_for_descriptors},
    {"buffer_where_nothing_is", &one_port, buffer_where_nothing_is},
    {"descriptor_where_nothing_is", &one_port, descriptor_where_nothing_is},
    {"dma_into_own_registers", &one_port, dma_into_own_registers},
    {"self_linked_chain_ends", &no_wire, self_linked_chain_ends},
    {"long_chain_is_done_in_slices", &no_wire, long_chain_is_done_in_slices},
};

const Suite mcdma_suite = {tests, G_N_ELEMENTS(tests)};
