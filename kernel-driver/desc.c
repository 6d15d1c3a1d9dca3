// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptor and control words of MCDMA (PG288) and Offload Engine (PG451).
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/types.h>

#include "eoe_desc.h"
#include "eoe_hw.h"

#define EOE_ETH_HEADER		14
#define EOE_UDP_HEADER_MIN	42	/* Ethernet + IPv4 + UDP */
#define EOE_TOTAL_MAX		(16 * 1024 * 1024)
#define USECS_MAX		1000000	/* keeps nanoseconds within 32 bits */

/* The engine counts everything after the 14 bytes of Ethernet header. */
static u32 eoe_tx_mss(const struct eoe_tx_geometry *geo)
{
	return geo->gso_size + geo->header - EOE_ETH_HEADER;
}

/**
 * eoe_tx_gso_fits() - can the engine be told to cut this packet?
 * @geo: shape of the packet
 *
 * Return: false when a length does not fit its field; software segmentation
 * has to do it then.
 */
bool eoe_tx_gso_fits(const struct eoe_tx_geometry *geo)
{
	if (geo->header < EOE_UDP_HEADER_MIN || geo->header > EOE_TX_HEADER_MAX)
		return false;
	if (!geo->gso_size || geo->gso_size > EOE_TX_MSS_MAX)
		return false;
	if (geo->total <= geo->header || geo->total >= EOE_TOTAL_MAX)
		return false;
	return eoe_tx_mss(geo) <= EOE_TX_MSS_MAX;
}

/**
 * eoe_tx_gso_words() - control words of a packet to cut (PG451, TX control)
 * @geo: shape of the packet, accepted by eoe_tx_gso_fits()
 * @fixed_id: all segments carry the same IPv4 identification
 *
 * Checksums of every segment are generated as well.
 *
 * Return: APP0 and APP1
 */
struct eoe_tx_words eoe_tx_gso_words(const struct eoe_tx_geometry *geo,
				     bool fixed_id)
{
	u32 total = geo->total - EOE_ETH_HEADER;
	struct eoe_tx_words words = {
		.app0 = FIELD_PREP(EOE_TX_APP0_HEADER, geo->header) |
			FIELD_PREP(EOE_TX_APP0_TOTAL, total & 0xffffff),
		.app1 = FIELD_PREP(EOE_TX_APP1_MSS, eoe_tx_mss(geo)) |
			FIELD_PREP(EOE_TX_APP1_TOTAL_HIGH, total >> 24) |
			EOE_TX_APP1_NO_TSO,
	};

	if (!fixed_id)
		words.app1 |= EOE_TX_APP1_ID_INCREMENT;
	return words;
}

/**
 * eoe_tx_plain_words() - control words of a packet that stays whole
 * @mtu: MTU of the interface; the MSS field has to exceed the stated total 0
 * @csum: generate the TCP or UDP checksum
 *
 * The IPv4 header checksum is the stack's own; with a stated total of 0 the engine
 * may write it once more, to the same value.
 *
 * Return: APP0 and APP1
 */
struct eoe_tx_words eoe_tx_plain_words(u32 mtu, bool csum)
{
	struct eoe_tx_words words = {
		.app0 = 0,
		.app1 = FIELD_PREP(EOE_TX_APP1_MSS, mtu) |
			EOE_TX_APP1_NO_USO | EOE_TX_APP1_NO_TSO |
			EOE_TX_APP1_NO_GSO,
	};

	if (!csum)
		words.app1 |= EOE_TX_APP1_NO_CSUM;
	return words;
}

/**
 * eoe_tx_wire_packets() - frames that a packet becomes on the wire
 * @geo: shape of the packet, accepted by eoe_tx_gso_fits()
 *
 * Return: number of segments, at least 1
 */
u32 eoe_tx_wire_packets(const struct eoe_tx_geometry *geo)
{
	return (geo->total - geo->header + geo->gso_size - 1) / geo->gso_size;
}

/**
 * eoe_tx_control() - control word of a transmit descriptor
 * @len: bytes of the buffer
 * @first: the packet starts in this buffer
 * @last: the packet ends in this buffer
 *
 * Return: the word
 */
u32 eoe_tx_control(u32 len, bool first, bool last)
{
	return FIELD_PREP(MCDMA_BD_LENGTH, len) |
	       (first ? MCDMA_BD_TX_SOF : 0) | (last ? MCDMA_BD_TX_EOF : 0);
}

/**
 * eoe_rx_decode() - take a receive status word apart
 * @status: word as the hardware wrote it
 *
 * Return: its fields; nothing is validated
 */
struct eoe_rx_words eoe_rx_decode(u32 status)
{
	return (struct eoe_rx_words) {
		.len = FIELD_GET(MCDMA_BD_LENGTH, status),
		.complete = status & MCDMA_BD_COMPLETE,
		.sof = status & MCDMA_BD_RX_SOF,
		.eof = status & MCDMA_BD_RX_EOF,
		.error = status & MCDMA_BD_ERRORS,
	};
}

/**
 * eoe_cr_word() - interrupt moderation part of a channel control register
 * @frames: packets per interrupt, 1..255
 * @timeout: delay counts after which fewer packets interrupt, 0 = never
 *
 * Return: threshold and delay fields; the delay interrupt is enabled with them
 */
u32 eoe_cr_word(u32 frames, u32 timeout)
{
	return FIELD_PREP(MCDMA_CR_THRESHOLD, frames) |
	       FIELD_PREP(MCDMA_CR_TIMEOUT, timeout);
}

/* Time in units of @clocks, rounded up and kept within 1..@max. */
static u32 eoe_scale(u32 usecs, u32 clk_hz, u32 clocks, u32 max)
{
	u32 khz = clk_hz / 1000 ? clk_hz / 1000 : 1;
	u32 unit_ns = clocks * 1000000 / khz;
	u32 counts;

	if (!unit_ns || usecs > USECS_MAX)
		return max;
	counts = (usecs * 1000 + unit_ns - 1) / unit_ns;
	if (!counts)
		return 1;
	return counts > max ? max : counts;
}

/**
 * eoe_usecs_to_timeout() - MCDMA delay counts (125 SG clocks each, PG288)
 * @usecs: microseconds
 * @clk_hz: scatter-gather clock
 *
 * Return: 1..255
 */
u32 eoe_usecs_to_timeout(u32 usecs, u32 clk_hz)
{
	return eoe_scale(usecs, clk_hz, MCDMA_TIMEOUT_CLOCKS, MCDMA_TIMEOUT_MAX);
}

/**
 * eoe_timeout_usecs_max() - longest MCDMA interrupt delay
 * @clk_hz: scatter-gather clock
 *
 * Return: microseconds, rounded down
 */
u32 eoe_timeout_usecs_max(u32 clk_hz)
{
	u32 khz = clk_hz / 1000;

	return khz ? MCDMA_TIMEOUT_MAX * MCDMA_TIMEOUT_CLOCKS * 1000 / khz : 0;
}

/**
 * eoe_gro_timeout() - value of RX_TIMEOUT (128 clocks each, PG451)
 * @usecs: how long the engine may hold a datagram back
 * @clk_hz: register clock of the engine, which drives the timer
 *
 * Return: 1..0x3ffff
 */
u32 eoe_gro_timeout(u32 usecs, u32 clk_hz)
{
	return eoe_scale(usecs, clk_hz, EOE_RX_TIMEOUT_CLOCKS,
			 EOE_RX_TIMEOUT_COUNT);
}
