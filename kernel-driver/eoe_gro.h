/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Headers of datagrams that the Offload Engine merged. Pure logic, see
 * eoe_desc.h.
 */
#ifndef _EOE_GRO_H
#define _EOE_GRO_H

#include <linux/types.h>

#define EOE_GRO_HEADER	42	/* Ethernet + IPv4 without options + UDP */

/**
 * enum eoe_gro_verdict - what became of a merge
 * @EOE_GRO_SINGLE: one datagram; its header already fits
 * @EOE_GRO_MERGED: several datagrams; the header was repaired
 * @EOE_GRO_BAD_HEADER: not Ethernet, IPv4 and UDP as the engine merges them
 * @EOE_GRO_BAD_TOTAL: the stated total is not what was received
 */
enum eoe_gro_verdict {
	EOE_GRO_SINGLE,
	EOE_GRO_MERGED,
	EOE_GRO_BAD_HEADER,
	EOE_GRO_BAD_TOTAL,
};

/**
 * struct eoe_gro_result - numbers for the network stack
 * @gso_size: payload of the first datagram, and of all but the last
 * @segments: number of datagrams
 * @csum_differs: the engine's IPv4 checksum is not the right one; the repaired
 *	header carries the right one
 */
struct eoe_gro_result {
	u16 gso_size;
	u16 segments;
	bool csum_differs;
};

bool eoe_gro_header_ok(const u8 *header, u32 len);
enum eoe_gro_verdict eoe_gro_repair(u8 *header, u32 payload, u32 app1,
				    struct eoe_gro_result *res);

#endif /* _EOE_GRO_H */
