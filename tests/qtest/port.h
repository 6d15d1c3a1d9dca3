/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The port as software sees it: register names (PG210, PG288, PG451) and what
 * every test does with descriptors.
 */
#ifndef XEOE_QTEST_PORT_H
#define XEOE_QTEST_PORT_H

#include "vm.h"

typedef struct Port {
    Vm *vm;
    uint64_t mac, eoe, mcdma; /* register windows */
} Port;

/* Port 0 or 1 at the addresses of machine xlnx-zcu102-eoe. */
Port port_at(Vm *vm, unsigned index);

/* XXV Ethernet */
enum {
    MAC_RESET = 0x004,
    MAC_RESET_TX = 1U << 31,
    MAC_MODE = 0x008,
    MAC_TX_CONFIG = 0x00c,
    MAC_RX_CONFIG = 0x014,
    MAC_ENABLE = 1 << 0,
    MAC_RX_MTU = 0x018,
    MAC_TICK = 0x020,
    MAC_BLOCK_LOCK = 0x40c,
    MAC_TX_TOTAL = 0x700,
    MAC_TX_65_127 = 0x728,
    MAC_RX_TOTAL = 0x808,
    MAC_LAST_COUNTER = 0x918,
};

/* Ethernet Offload Engine; the blocks of GRO ports 1..15 are 0x40 apart. */
enum {
    EOE_VERSION = 0x00,
    EOE_TX_ERROR = 0x04,
    EOE_RX_CTRL = 0x10,
    EOE_RX_TIMEOUT = 0x14,
    EOE_RX_DROPPED = 0x18,
    EOE_RX_ERROR = 0x1c,
    EOE_RX_NON_GRO = 0x20,
    EOE_RX_TOTAL_GRO = 0x24,
    EOE_CH_CTRL = 0x00,
    EOE_CH_GRO_EN = 1 << 0,
    EOE_CH_STATUS = 0x04,
    EOE_CH_SRC_IP = 0x08,
    EOE_CH_DST_IP = 0x0c,
    EOE_CH_PORTS = 0x10,
    EOE_CH_COUNT = 0x14,
};

/* AXI MCDMA. Channels are numbered 1..16. */
typedef enum Dir { MM2S, S2MM } Dir;

enum {
    CCR = 0x00,
    CCR_RS = 1 << 0,
    CCR_RESET = 1 << 2,
    CSR = 0x04,
    CSR_HALTED = 1 << 0,
    CSR_IDLE = 1 << 1,
    CHEN = 0x08,
    CHSER = 0x0c,
    ERR = 0x10,
    ERR_DMA_INT = 1 << 0,
    ERR_DMA_SLV = 1 << 1,
    ERR_DMA_DEC = 1 << 2,
    ERR_SG_INT = 1 << 4,
    ERR_SG_SLV = 1 << 5,
    ERR_SG_DEC = 1 << 6,
    S2MM_PKTDROP = 0x14,
    MM2S_SERVICED = 0x20,
    S2MM_SERVICED = 0x18,
    MM2S_INTR = 0x28,
    S2MM_INTR = 0x20,
};

enum {
    CH_CR = 0x00,
    CR_RS = 1 << 0,
    CR_OTHER_ERR = 1 << 3,
    CR_PKTDROP = 1 << 4,
    CR_IOC = 1 << 5,
    CR_DELAY = 1 << 6,
    CR_ERR = 1 << 7,
    CR_THRESHOLD_SHIFT = 16,
    CR_DELAY_SHIFT = 24,
    CH_SR = 0x04,
    SR_IDLE = 1 << 0,
    SR_SHORTFALL = 1 << 1,
    SR_OTHER_ERR = 1 << 3,
    SR_PKTDROP = 1 << 4,
    SR_IOC = 1 << 5,
    SR_DELAY = 1 << 6,
    SR_ERR = 1 << 7,
    CH_CURDESC = 0x08,
    CH_TAILDESC = 0x10,
    MM2S_CH_PKTCOUNT = 0x18,
    S2MM_CH_PKTDROP = 0x18,
    S2MM_CH_PKTCOUNT = 0x1c,
};

uint64_t common_reg(const Port *port, Dir dir, uint32_t offset);
uint64_t channel_reg(const Port *port, Dir dir, unsigned channel, uint32_t offset);
/* Number of the interrupt line for vm_irq_level(). */
unsigned channel_line(Dir dir, unsigned channel);

uint32_t common_read(const Port *port, Dir dir, uint32_t offset);
void common_write(const Port *port, Dir dir, uint32_t offset, uint32_t value);
uint32_t channel_read(const Port *port, Dir dir, unsigned channel, uint32_t offset);
void channel_write(const Port *port, Dir dir, unsigned channel, uint32_t offset, uint32_t value);

/* A buffer descriptor as it lies in memory. */
typedef struct Bd {
    uint32_t next, next_msb;
    uint32_t buffer, buffer_msb;
    uint32_t reserved;
    uint32_t control;
    uint32_t word18; /* MM2S sideband control; S2MM status */
    uint32_t word1c; /* MM2S status; S2MM sideband status */
    uint32_t app[5];
    uint32_t user[3];
} Bd;

enum {
    BD_SIZE = 64,
    BD_LENGTH = 0x03ffffff,
    BD_EOF = 1 << 30, /* in control */
    BD_SOF = (int)(1U << 31),
    BD_COMPLETE = (int)(1U << 31), /* in status */
    BD_DEC_ERR = 1 << 30,
    BD_SLV_ERR = 1 << 29,
    BD_INT_ERR = 1 << 28,
    BD_RXSOF = 1 << 27,
    BD_RXEOF = 1 << 26,
};

/* Where the tests keep descriptor n, and its buffer, of a channel. */
uint64_t bd_addr(Dir dir, unsigned channel, unsigned n);
uint64_t buffer_addr(Dir dir, unsigned channel, unsigned n);
enum { BUFFER_SIZE = 0x1000, RING_MAX = 256 };

void bd_put(const Port *port, uint64_t addr, const Bd *bd);
Bd bd_get(const Port *port, uint64_t addr);
uint32_t bd_status(const Port *port, Dir dir, uint64_t addr);

/* Descriptor n of a transmit channel, with len bytes of data in its buffer. */
void tx_fill(const Port *port, unsigned channel, unsigned n, const void *data, size_t len,
             uint32_t flags, uint32_t app0, uint32_t app1);
/* Control words of a packet that the engine shall only give checksums (MTU 1500). */
enum { TX_APP0_PLAIN = 0, TX_APP1_PLAIN = 1500 << 16 | 0x0d00 };
/* Descriptors 0..count-1 of a receive channel, buffers of size bytes. */
void rx_fill(const Port *port, unsigned channel, unsigned count, uint32_t size);

/* Set CURDESC to descriptor 0 and CR to cr with RS; CHEN and CCR.RS as well. */
void channel_start(const Port *port, Dir dir, unsigned channel, uint32_t cr);
/* Write TAILDESC as one 64-bit store. */
void channel_kick(const Port *port, Dir dir, unsigned channel, unsigned tail);

/* Let the port finish what it can do without the clock moving noticeably (1 us). */
void port_settle(const Port *port);
/* Wait until descriptor n is complete (fails the test if it never is); returns its status. */
uint32_t bd_wait(const Port *port, Dir dir, unsigned channel, unsigned n);

/* Transmit data as one packet in descriptor n, tail there. */
void tx_packet(const Port *port, unsigned channel, unsigned n, const void *data, size_t len);
/* Hand a frame to the port's wire and settle. */
void rx_packet(const Port *port, unsigned wire, const void *frame, size_t len);

/* Fail unless the register at addr reads value. */
void expect_reg(const Port *port, const char *what, uint64_t addr, uint32_t value);
/* Fail unless no frame waits on the wire. */
void expect_silence(const Port *port, unsigned wire);

/* Snapshot the MAC's statistics and return the low half of one. */
uint32_t mac_tick_read(const Port *port, uint32_t counter);

/* GRO port n merges UDP to dst_ip:dst_port; 16 fragments of 4 KiB, 3-tuple match. */
void gro_start(const Port *port, unsigned n, uint32_t dst_ip, uint16_t dst_port);

#endif /* XEOE_QTEST_PORT_H */
