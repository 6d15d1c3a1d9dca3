/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QOM type of one Ethernet port: XXV MAC, Ethernet Offload Engine and AXI
 * MCDMA as one sysbus device.
 *
 * MMIO regions: 0 MAC, 1 EOE, 2 MCDMA (the order of XeoeBlock).
 * Interrupts:   0..15 MM2S channels 1..16, 16..31 S2MM channels 1..16.
 */
#ifndef XEOE_QOM_EOE_PORT_H
#define XEOE_QOM_EOE_PORT_H

#define TYPE_XLNX_EOE_PORT "xlnx-eoe-port"

#endif /* XEOE_QOM_EOE_PORT_H */
