/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The port at QEMU's network layer: a wire that is full, a reset amid traffic, a hub. */
#include "suite.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"
#include "port.h"

static const uint32_t DONE = (uint32_t)BD_COMPLETE;
enum { FRAMES = RING_MAX, PAYLOAD = 1472 };

static Udp numbered(unsigned n) {
    Udp udp = udp_default(PAYLOAD);

    udp.id = (uint16_t)n;
    udp.seed = (uint8_t)n;
    return udp;
}

static void queue_frames(const Port *port) {
    uint8_t frame[FRAME_MAX];

    channel_start(port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
    for (unsigned n = 0; n < FRAMES; n++) {
        Udp udp = numbered(n);

        tx_fill(port, 1, n, frame, udp_build(&udp, frame), (uint32_t)(BD_SOF | BD_EOF),
                TX_APP0_PLAIN, TX_APP1_PLAIN);
    }
    channel_kick(port, MM2S, 1, FRAMES - 1);
    for (unsigned i = 0; i < 10; i++) {
        port_settle(port);
    }
}

/* A reader that falls behind stops the port; nothing is lost or changes places. */
static void full_wire_stalls_and_resumes(Vm *vm) {
    Port port = port_at(vm, 0);
    uint64_t last = bd_addr(MM2S, 1, FRAMES - 1);
    uint8_t frame[FRAME_MAX];

    queue_frames(&port);
    /* The socket holds far less than the 384 KB that are queued. */
    assert_false(bd_status(&port, MM2S, last) & DONE);
    assert_int_equal(common_read(&port, MM2S, CSR), 0);
    for (unsigned n = 0; n < FRAMES; n++) {
        Udp udp = numbered(n);
        size_t len = 0;

        for (unsigned tries = 0; !len && tries < 1000; tries++) {
            vm_clock_step(vm, 100);
            len = vm_wire_poll(vm, 0, frame, sizeof(frame));
            if (!len) {
                g_usleep(1000);
            }
        }
        if (!len) {
            fail_msg("frame %u did not come after the wire had room again", n);
        }
        udp_expect(&udp, frame, len);
    }
    bd_wait(&port, MM2S, 1, FRAMES - 1);
    expect_silence(&port, 0);
}

/* A reset while the wire is full leaves a port that works. */
static void reset_while_the_wire_is_full(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t frame[FRAME_MAX];
    Udp udp = udp_default(77);
    size_t len = udp_build(&udp, frame), got;
    bool came = false;

    queue_frames(&port);
    vm_reset(vm);
    expect_reg(&port, "MM2S CSR", common_reg(&port, MM2S, CSR), CSR_HALTED);
    /* Take what had left before; QEMU says when there is room. */
    for (unsigned quiet = 0; quiet < 100;) {
        vm_clock_step(vm, 100);
        quiet = vm_wire_poll(vm, 0, frame, sizeof(frame)) ? 0 : quiet + 1;
        g_usleep(100);
    }
    udp_build(&udp, frame);
    channel_start(&port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
    tx_packet(&port, 1, 0, frame, len);
    bd_wait(&port, MM2S, 1, 0);
    got = vm_wire_recv(vm, 0, frame, sizeof(frame));
    assert_int_equal(got, len);
    udp_expect(&udp, frame, got);

    rx_fill(&port, 1, 1, BUFFER_SIZE);
    channel_start(&port, S2MM, 1, 1 << CR_THRESHOLD_SHIFT);
    channel_kick(&port, S2MM, 1, 0);
    rx_packet(&port, 0, frame, len);
    came = bd_wait(&port, S2MM, 1, 0) & DONE;
    assert_true(came);
}

/* While the receive side waits for descriptors, frames wait in QEMU and none is lost. */
static void frames_wait_behind_a_shortfall(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t frame[FRAME_MAX];
    Udp first = numbered(1), second = numbered(2);
    size_t len = udp_build(&first, frame);

    rx_fill(&port, 1, 8, 512);
    channel_start(&port, S2MM, 1, 1 << CR_THRESHOLD_SHIFT);
    channel_kick(&port, S2MM, 1, 0);
    rx_packet(&port, 0, frame, len);
    assert_true(channel_read(&port, S2MM, 1, CH_SR) & SR_SHORTFALL);
    udp_build(&second, frame);
    vm_wire_send(vm, 0, frame, len);
    port_settle(&port);
    /* The first takes descriptors 0..2, the second 3..5. */
    channel_kick(&port, S2MM, 1, 7);
    bd_wait(&port, S2MM, 1, 2);
    for (unsigned tries = 0; tries < 1000 && !(bd_status(&port, S2MM, bd_addr(S2MM, 1, 5)) & DONE);
         tries++) {
        vm_clock_step(vm, 100);
        g_usleep(1000);
    }
    for (unsigned n = 0; n < 6; n++) {
        vm_read(vm, buffer_addr(S2MM, 1, n), frame + 512 * (n % 3), n % 3 == 2 ? len - 1024 : 512);
        if (n % 3 == 2) {
            udp_expect(n == 2 ? &first : &second, frame, len);
        }
    }
    assert_int_equal(common_read(&port, S2MM, S2MM_PKTDROP), 0);
}

/* A reset does not leave the wire blocked by what waited before it. */
static void reset_while_frames_wait(Vm *vm) {
    Port port = port_at(vm, 0);
    uint8_t frame[FRAME_MAX];
    Udp old = numbered(1), new = numbered(3);
    size_t len = udp_build(&old, frame);

    rx_fill(&port, 1, 8, 512);
    channel_start(&port, S2MM, 1, 1 << CR_THRESHOLD_SHIFT);
    channel_kick(&port, S2MM, 1, 0);
    /* Until the port takes no more; at most what fits any FIFO and the socket. */
    for (unsigned n = 0; n < 1000 && vm_wire_try(vm, 0, frame, len); n++) {
    }
    vm_reset(vm);
    port_settle(&port);
    if (!vm_wire_drained(vm, 0)) {
        fail_msg("frames from before the reset still block the wire");
    }
    port_settle(&port);
    udp_build(&new, frame);
    rx_fill(&port, 1, 1, BUFFER_SIZE);
    channel_start(&port, S2MM, 1, 1 << CR_THRESHOLD_SHIFT);
    channel_kick(&port, S2MM, 1, 0);
    rx_packet(&port, 0, frame, len);
    assert_int_equal(bd_wait(&port, S2MM, 1, 0) & BD_LENGTH, len);
    vm_read(vm, buffer_addr(S2MM, 1, 0), frame, len);
    udp_expect(&new, frame, len);
}

/* Two ports on one hub: what one sends enters the other while the first is still at it. */
static void start_hub_pair(const Port *from, const Port *to, uint64_t buffer) {
    Bd bd = {.buffer = (uint32_t)buffer, .control = BUFFER_SIZE};

    bd_put(to, bd_addr(S2MM, 1, 0), &bd);
    channel_start(to, S2MM, 1, 1 << CR_THRESHOLD_SHIFT);
    channel_kick(to, S2MM, 1, 0);
    channel_start(from, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
}

static void ports_talk_over_a_hub(Vm *vm) {
    uint8_t frame[FRAME_MAX];

    for (unsigned i = 0; i < 2; i++) {
        Port from = port_at(vm, i), to = port_at(vm, 1 - i);
        Udp udp = numbered(i);
        size_t len = udp_build(&udp, frame);

        start_hub_pair(&from, &to, buffer_addr(S2MM, 1, 0));
        tx_packet(&from, 1, 0, frame, len);
        bd_wait(&from, MM2S, 1, 0);
        assert_int_equal(bd_wait(&to, S2MM, 1, 0) & BD_LENGTH, len);
        vm_read(vm, buffer_addr(S2MM, 1, 0), frame, len);
        udp_expect(&udp, frame, len);
        common_write(&to, S2MM, CCR, CCR_RESET);
        common_write(&from, S2MM, CCR, CCR_RESET);
    }
}

/* As above, with the receiver's buffer in the registers of the sender. */
static void dma_into_the_sender_is_refused(Vm *vm) {
    Port from = port_at(vm, 0), to = port_at(vm, 1);
    Udp udp = numbered(0);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&udp, frame);

    start_hub_pair(&from, &to, from.mcdma);
    tx_packet(&from, 1, 0, frame, len);
    bd_wait(&from, MM2S, 1, 0);
    assert_true(bd_status(&to, S2MM, bd_addr(S2MM, 1, 0)) & BD_SLV_ERR);
    assert_int_equal(common_read(&to, S2MM, ERR), ERR_DMA_SLV);
    assert_int_equal(common_read(&from, MM2S, CCR), CCR_RS);
    assert_int_equal(common_read(&from, MM2S, ERR), 0);
}

static const VmOptions one_port = {.wires = 1};
static const VmOptions hub = {
    .machine = "xlnx-zcu102-eoe,ports=2",
    .args = (const char *const[]){
        "-netdev", "hubport,id=h0,hubid=0", "-netdev", "hubport,id=h1,hubid=0", "-net",
        "nic,netdev=h0,model=xlnx-eoe-port", "-net", "nic,netdev=h1,model=xlnx-eoe-port", NULL}};

static const Test tests[] = {
    {"full_wire_stalls_and_resumes", &one_port, full_wire_stalls_and_resumes},
    {"reset_while_the_wire_is_full", &one_port, reset_while_the_wire_is_full},
    {"frames_wait_behind_a_shortfall", &one_port, frames_wait_behind_a_shortfall},
    {"reset_while_frames_wait", &one_port, reset_while_frames_wait},
    {"ports_talk_over_a_hub", &hub, ports_talk_over_a_hub},
    {"dma_into_the_sender_is_refused", &hub, dma_into_the_sender_is_refused},
};

const Suite host_suite = {tests, G_N_ELEMENTS(tests)};
