/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words that go into and come out of buffer descriptors. Pure logic without
 * hardware access, so that it compiles in user space and can be tested there.
 */
#ifndef _EOE_DESC_H
#define _EOE_DESC_H

#include <linux/types.h>

/**
 * struct eoe_tx_words - what the Offload Engine is told about one packet
 * @app0: header and total length; 0 unless the packet is to be cut
 * @app1: segment size and function bits
 */
struct eoe_tx_words {
	u32 app0;
	u32 app1;
};

/**
 * struct eoe_tx_geometry - shape of a packet that the engine shall cut
 * @header: bytes up to the end of the UDP header, VLAN tags and IP options
 *	included
 * @total: bytes of the whole packet, Ethernet header included
 * @gso_size: payload bytes of every segment but the last
 */
struct eoe_tx_geometry {
	u32 header;
	u32 total;
	u32 gso_size;
};

/**
 * struct eoe_rx_words - decoded receive descriptor
 * @len: bytes written to the buffer
 * @complete: the hardware is done with this descriptor
 * @sof: first descriptor of a stream packet
 * @eof: last descriptor of a stream packet
 * @error: any of the three DMA error bits
 */
struct eoe_rx_words {
	u32 len;
	bool complete;
	bool sof;
	bool eof;
	bool error;
};

bool eoe_tx_gso_fits(const struct eoe_tx_geometry *geo);
struct eoe_tx_words eoe_tx_gso_words(const struct eoe_tx_geometry *geo,
				     bool fixed_id);
struct eoe_tx_words eoe_tx_plain_words(u32 mtu, bool csum);
u32 eoe_tx_wire_packets(const struct eoe_tx_geometry *geo);
u32 eoe_tx_control(u32 len, bool first, bool last);
struct eoe_rx_words eoe_rx_decode(u32 status);
u32 eoe_cr_word(u32 frames, u32 timeout);
u32 eoe_usecs_to_timeout(u32 usecs, u32 clk_hz);
u32 eoe_timeout_usecs_max(u32 clk_hz);
u32 eoe_gro_timeout(u32 usecs, u32 clk_hz);

#endif /* _EOE_DESC_H */
