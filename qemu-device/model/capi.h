/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one door between the C++ device model and whatever hosts it.
 *
 * QEMU's headers do not compile as C++, so the QOM shim is C and talks to the
 * model through these functions only. The unit tests, the fuzzers and the
 * benchmarks use the same model through the C++ class behind them (port.hpp).
 *
 * Threading: a port is not locked. The host calls it from one thread at a
 * time; in QEMU that is whoever holds the big lock.
 *
 * Reentrancy: no function of a port may be called from inside one of its own
 * host callbacks, with one exception: the register accessors answer
 * XEOE_BUS_SLVERR when the port is in the middle of its own DMA, so that DMA
 * aimed at the device's own registers is harmless.
 */
#ifndef XEOE_CAPI_H
#define XEOE_CAPI_H

/* This is a C header. NOLINTBEGIN(modernize-*) */

#include "events.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Channels of AXI MCDMA per direction (PG288) and GRO ports of the EOE (PG451). */
enum { XEOE_MAX_CHANNELS = 16, XEOE_MAX_GRO_PORTS = 15 };

/* Largest frame, in bytes without FCS, that a port sends or accepts. */
enum { XEOE_MAX_FRAME = 16384 };

/* Sizes in bytes of the register windows. */
enum {
    XEOE_MAC_WINDOW = 0x10000,
    XEOE_EOE_WINDOW = 0x8000,
    XEOE_MCDMA_WINDOW = 0x10000,
};

typedef enum XeoeBlock { XEOE_MAC, XEOE_EOE, XEOE_MCDMA } XeoeBlock;

/* Answer of a bus access, in AXI's terms (AMBA AXI, response signalling). */
typedef enum XeoeBus { XEOE_BUS_OK, XEOE_BUS_SLVERR, XEOE_BUS_DECERR } XeoeBus;

/* MM2S reads memory and transmits; S2MM receives and writes memory. */
typedef enum XeoeDir { XEOE_MM2S, XEOE_S2MM } XeoeDir;

typedef enum XeoeRx {
    XEOE_RX_DONE, /* the frame was taken or counted as dropped */
    XEOE_RX_BUSY, /* not looked at: offer it again after rx_ready() */
} XeoeRx;

/*
 * Build parameters of the three IP cores and the model's own switches. Start
 * from xeoe_config_default(); xeoe_port_new() checks every field.
 */
typedef struct XeoeConfig {
    /* AXI MCDMA (PG288, customization parameters) */
    uint32_t num_mm2s_channels; /* 1..16 */
    uint32_t num_s2mm_channels; /* 1..16 */
    uint32_t addr_width;        /* bits, 32..64 */
    uint32_t sg_length_width;   /* bits, 8..26 */
    bool mm2s_dre;              /* unaligned TX buffers allowed */
    bool s2mm_dre;              /* unaligned RX buffers allowed */
    bool single_intr;           /* one merged interrupt per direction (channel 1's line) */
    bool status_stream;         /* APP words come with received packets */
    bool stsapp_length;         /* ... and APP4 carries the packet's length */
    uint64_t sg_clock_hz;       /* unit of the delay interrupt is 125 periods */

    /* EOE (PG451, customization parameters) */
    bool eoe;               /* false: MAC and MCDMA only, all traffic on channel 1 */
    bool eoe_tx_gso;        /* C_TX_HW_OFFLOAD: false checksum only, true checksum and GSO */
    bool eoe_rx_gro;        /* C_RX_HW_OFFLOAD: false checksum only, true checksum and GRO */
    uint32_t eoe_gro_ports; /* C_RX_NUM_PORTS, 1..15 */
    bool eoe_hash_5tuple;   /* C_RX_HASH_TYPE */
    uint32_t eoe_mtu;       /* C_MTU_SIZE: 1500 or 9000 */
    uint64_t eoe_timer_hz;  /* clock of RX_TIMEOUT (s_axi_cpu_clk) */
    bool gro_mix_sources;   /* merge across source address and port in 3-tuple mode */
    bool gro_equal_size;    /* end a merge at a datagram of another size */

    /* XXV Ethernet (PG210) */
    uint32_t mac_revision;   /* REVISION register, 0x00000104 is v4.1 */
    bool mac_25g;            /* core speed reported in STAT_CORE_SPEED: false 10G, true 25G */
    bool deliver_bad_frames; /* hand bad frames on with sideband bit 0 set instead of dropping */
} XeoeConfig;

/*
 * What a port asks of its host. Every pointer must be set unless it says otherwise;
 * opaque is passed through.
 */
typedef struct XeoeHostOps {
    /*
     * Copy len bytes between guest memory and buf. Either all bytes are moved
     * and XEOE_BUS_OK is returned, or the answer says why not and buf's
     * content is undefined.
     */
    XeoeBus (*dma_read)(void *opaque, uint64_t addr, void *buf, size_t len);
    XeoeBus (*dma_write)(void *opaque, uint64_t addr, const void *buf, size_t len);

    /*
     * Put one frame (no FCS) on the wire. The frame is always consumed; false
     * means the wire is full: the port sends nothing more until the host
     * calls xeoe_port_tx_ready().
     */
    bool (*send_frame)(void *opaque, const uint8_t *frame, size_t len);

    /* Frames refused with XEOE_RX_BUSY may be offered again. Do not offer them
     * from inside this call. */
    void (*rx_ready)(void *opaque);

    /* Drive an interrupt line. channel is 0-based. Called on changes only. */
    void (*set_irq)(void *opaque, XeoeDir dir, unsigned channel, bool level);

    /* Time in nanoseconds on the machine's virtual clock. */
    int64_t (*now_ns)(void *opaque);

    /*
     * Call xeoe_port_run() once when now_ns() reaches deadline; replaces the
     * earlier request. INT64_MAX cancels. Never call it from inside this call.
     */
    void (*set_deadline)(void *opaque, int64_t deadline_ns);

    /* The guest broke a rule of the hardware; text is one line without newline. */
    void (*guest_error)(void *opaque, const char *text);

    /*
     * What the port decides, for events.h's event whose word in `watched` is not
     * zero when it happens. Both may be NULL: nobody watches.
     */
    const uint16_t *watched; /* XEOE_EVENTS words */
    void (*event)(void *opaque, XeoeEvent event, const char *what, uint64_t a, uint64_t b,
                  uint64_t c);

    /*
     * A packet as software sees it: before segmentation (MM2S), after merging and
     * with the headers of the merged packet (S2MM). NULL: nobody looks.
     */
    void (*stream_packet)(void *opaque, XeoeDir dir, const uint8_t *packet, size_t len);
} XeoeHostOps;

typedef struct XeoePort XeoePort;

XeoeConfig xeoe_config_default(void);

/*
 * Make a port in its reset state. On a bad configuration returns NULL and
 * writes a sentence that names the field and its range to err.
 */
XeoePort *xeoe_port_new(const XeoeConfig *config, const XeoeHostOps *ops, void *opaque, char *err,
                        size_t err_size);
void xeoe_port_free(XeoePort *port);

/* Power-on reset: every register and counter of the three blocks, all lines low. */
void xeoe_port_reset(XeoePort *port);

/* 32-bit register access; offset is a multiple of 4 inside the block's window. */
XeoeBus xeoe_port_read(XeoePort *port, XeoeBlock block, uint32_t offset, uint32_t *value);
XeoeBus xeoe_port_write(XeoePort *port, XeoeBlock block, uint32_t offset, uint32_t value);

/* A frame from the wire (no FCS). */
bool xeoe_port_can_receive(const XeoePort *port);
XeoeRx xeoe_port_receive(XeoePort *port, const uint8_t *frame, size_t len);

/* The wire takes frames again. */
void xeoe_port_tx_ready(XeoePort *port);

/* The deadline asked for with set_deadline() has come. Work per call is bounded. */
void xeoe_port_run(XeoePort *port);

/* Cable in or out. A new port has the cable in. */
void xeoe_port_set_link(XeoePort *port, bool up);

/* Room for what xeoe_port_faults_list() writes at most and for the longest
 * sentence about a rule, in bytes. */
enum { XEOE_FAULT_LIST_BYTES = 16384, XEOE_FAULT_SENTENCE_BYTES = 400 };

/*
 * Fault injection, for the person who tests a driver: add a rule, which is text
 * ("kind=drop,dir=rx,count=3"); remove one by its number or "all"; list them, a
 * line each. On a bad text these return false and write a sentence that names
 * the field to err. docs/faults.md has the fields.
 */
bool xeoe_port_fault_add(XeoePort *port, const char *rule, char *err, size_t err_size);
bool xeoe_port_faults_clear(XeoePort *port, const char *which, char *err, size_t err_size);
size_t xeoe_port_faults_list(XeoePort *port, char *text, size_t size);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */

#endif /* XEOE_CAPI_H */
