/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "port.h"

#include <glib.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

G_STATIC_ASSERT(sizeof(Bd) == BD_SIZE);

Port port_at(Vm *vm, unsigned index) {
    static const Port places[] = {
        {.mac = 0x80020000, .eoe = 0x80008000, .mcdma = 0x80030000},
        {.mac = 0x80060000, .eoe = 0x80048000, .mcdma = 0x80070000},
    };
    Port port = places[index];

    port.vm = vm;
    return port;
}

/* Registers */

uint64_t common_reg(const Port *port, Dir dir, uint32_t offset) {
    return port->mcdma + (dir == S2MM ? 0x500 : 0) + offset;
}

uint64_t channel_reg(const Port *port, Dir dir, unsigned channel, uint32_t offset) {
    return common_reg(port, dir, 0x40 * channel + offset);
}

unsigned channel_line(Dir dir, unsigned channel) {
    return (dir == S2MM ? 16 : 0) + channel - 1;
}

uint32_t common_read(const Port *port, Dir dir, uint32_t offset) {
    return vm_readl(port->vm, common_reg(port, dir, offset));
}

void common_write(const Port *port, Dir dir, uint32_t offset, uint32_t value) {
    vm_writel(port->vm, common_reg(port, dir, offset), value);
}

uint32_t channel_read(const Port *port, Dir dir, unsigned channel, uint32_t offset) {
    return vm_readl(port->vm, channel_reg(port, dir, channel, offset));
}

void channel_write(const Port *port, Dir dir, unsigned channel, uint32_t offset, uint32_t value) {
    vm_writel(port->vm, channel_reg(port, dir, channel, offset), value);
}

void expect_reg(const Port *port, const char *what, uint64_t addr, uint32_t value) {
    uint32_t found = vm_readl(port->vm, addr);

    if (found != value) {
        fail_msg("%s at 0x%" PRIx64 " reads 0x%08x, expected 0x%08x", what, addr, found, value);
    }
}

uint32_t mac_tick_read(const Port *port, uint32_t counter) {
    vm_writel(port->vm, port->mac + MAC_TICK, 1);
    return vm_readl(port->vm, port->mac + counter);
}

void gro_start(const Port *port, unsigned n, uint32_t dst_ip, uint16_t dst_port) {
    uint64_t block = port->eoe + 0x40 * n;

    vm_writel(port->vm, port->eoe + EOE_RX_CTRL, 0x1010000a);
    vm_writel(port->vm, block + EOE_CH_DST_IP, dst_ip);
    vm_writel(port->vm, block + EOE_CH_PORTS, (uint32_t)dst_port << 16);
    vm_writel(port->vm, block + EOE_CH_CTRL, 17U << 24 | EOE_CH_GRO_EN);
}

/* Descriptors: 256 of each channel in RAM from 16 MiB on, buffers from 64 MiB on */

uint64_t bd_addr(Dir dir, unsigned channel, unsigned n) {
    return 0x01000000 + (dir == S2MM ? 0x00100000U : 0) + (channel - 1) * 0x4000U + n * BD_SIZE;
}

uint64_t buffer_addr(Dir dir, unsigned channel, unsigned n) {
    return 0x04000000 + (dir == S2MM ? 0x02000000U : 0) + (channel - 1) * 0x100000U +
           n * (uint64_t)BUFFER_SIZE;
}

/* Host and guest are little endian, or this would have to swap. */
G_STATIC_ASSERT(G_BYTE_ORDER == G_LITTLE_ENDIAN);

void bd_put(const Port *port, uint64_t addr, const Bd *bd) {
    vm_write(port->vm, addr, bd, sizeof(*bd));
}

Bd bd_get(const Port *port, uint64_t addr) {
    Bd bd;

    vm_read(port->vm, addr, &bd, sizeof(bd));
    return bd;
}

uint32_t bd_status(const Port *port, Dir dir, uint64_t addr) {
    return vm_readl(port->vm, addr + (dir == S2MM ? 0x18 : 0x1c));
}

void tx_fill(const Port *port, unsigned channel, unsigned n, const void *data, size_t len,
             uint32_t flags, uint32_t app0, uint32_t app1) {
    uint64_t buffer = buffer_addr(MM2S, channel, n);
    Bd bd = {
        .next = (uint32_t)bd_addr(MM2S, channel, (n + 1) % RING_MAX),
        .buffer = (uint32_t)buffer,
        .control = flags | (uint32_t)len,
        .app = {app0, app1},
    };

    if (len) {
        vm_write(port->vm, buffer, data, len);
    }
    bd_put(port, bd_addr(MM2S, channel, n), &bd);
}

void rx_fill(const Port *port, unsigned channel, unsigned count, uint32_t size) {
    for (unsigned n = 0; n < count; n++) {
        Bd bd = {
            .next = (uint32_t)bd_addr(S2MM, channel, (n + 1) % RING_MAX),
            .buffer = (uint32_t)buffer_addr(S2MM, channel, n),
            .control = size,
            /* What the engine has to overwrite. */
            .word1c = 0xdeadbeef,
            .app = {0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef},
        };

        bd_put(port, bd_addr(S2MM, channel, n), &bd);
    }
}

void channel_start(const Port *port, Dir dir, unsigned channel, uint32_t cr) {
    common_write(port, dir, CHEN, common_read(port, dir, CHEN) | 1U << (channel - 1));
    vm_writeq(port->vm, channel_reg(port, dir, channel, CH_CURDESC), bd_addr(dir, channel, 0));
    channel_write(port, dir, channel, CH_CR, cr | CR_RS);
    common_write(port, dir, CCR, CCR_RS);
}

void channel_kick(const Port *port, Dir dir, unsigned channel, unsigned tail) {
    vm_writeq(port->vm, channel_reg(port, dir, channel, CH_TAILDESC), bd_addr(dir, channel, tail));
}

void port_settle(const Port *port) {
    vm_clock_step(port->vm, 1000);
}

uint32_t bd_wait(const Port *port, Dir dir, unsigned channel, unsigned n) {
    uint64_t addr = bd_addr(dir, channel, n);
    uint32_t status = 0;

    for (unsigned tries = 0; tries < 100; tries++) {
        status = bd_status(port, dir, addr);
        if (status & (uint32_t)BD_COMPLETE) {
            return status;
        }
        vm_clock_step(port->vm, 100);
    }
    fail_msg("%s descriptor %u of channel %u is not complete after 10 us: status 0x%08x, "
             "CSR 0x%x, ERR 0x%x",
             dir == S2MM ? "receive" : "transmit", n, channel, status, common_read(port, dir, CSR),
             common_read(port, dir, ERR));
    return 0;
}

void tx_packet(const Port *port, unsigned channel, unsigned n, const void *data, size_t len) {
    tx_fill(port, channel, n, data, len, (uint32_t)(BD_SOF | BD_EOF), TX_APP0_PLAIN, TX_APP1_PLAIN);
    channel_kick(port, MM2S, channel, n);
}

void rx_packet(const Port *port, unsigned wire, const void *frame, size_t len) {
    if (!vm_wire_send(port->vm, wire, frame, len)) {
        fail_msg("the port does not take a frame of %zu bytes off the wire", len);
    }
    port_settle(port);
}

void expect_silence(const Port *port, unsigned wire) {
    uint8_t frame[16384];
    size_t len = vm_wire_poll(port->vm, wire, frame, sizeof(frame));

    if (len) {
        fail_msg("the port sent a frame of %zu bytes where none was due", len);
    }
}
