// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check and repair of the header in front of merged datagrams (PG451, UDP GRO).
 *
 * The engine hands over the first datagram's header unchanged, and the total
 * length and IPv4 checksum of the merge in APP1. Offsets are fixed, because it
 * merges neither VLAN tags nor IP options; a header that has them is refused.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/types.h>

#include "eoe_gro.h"
#include "eoe_hw.h"

#define ETH_TYPE	12
#define IP		14
#define IP_VERSION_IHL	(IP + 0)
#define IP_TOTAL	(IP + 2)
#define IP_FRAGMENT	(IP + 6)
#define IP_PROTOCOL	(IP + 9)
#define IP_CHECK	(IP + 10)
#define IP_SADDR	(IP + 12)
#define UDP		34
#define UDP_LEN		(UDP + 4)
#define UDP_CHECK	(UDP + 6)

#define IP_UDP_HEADERS	28
#define UDP_HEADER	8
#define IP_MORE_OR_OFFSET 0x3fff

static u16 get16(const u8 *p)
{
	return p[0] << 8 | p[1];
}

static void put16(u8 *p, u16 value)
{
	p[0] = value >> 8;
	p[1] = value & 0xff;
}

static u32 sum16(const u8 *p, u32 len)
{
	u32 sum = 0;
	u32 i;

	for (i = 0; i < len; i += 2)
		sum += get16(p + i);
	return sum;
}

static u16 fold(u32 sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/**
 * eoe_gro_header_ok() - is this a header the engine may have put in front?
 * @header: bytes of the header descriptor
 * @len: how many there are
 *
 * The destination port is not compared: a rule may have changed while its last
 * merge was on the way, and the socket lookup decides anyway.
 *
 * Return: true for IPv4 without options or fragmentation and UDP, with lengths
 * that agree with each other
 */
bool eoe_gro_header_ok(const u8 *header, u32 len)
{
	u16 total;

	if (len != EOE_GRO_HEADER)
		return false;
	if (get16(header + ETH_TYPE) != 0x0800 || header[IP_VERSION_IHL] != 0x45)
		return false;
	if (header[IP_PROTOCOL] != 17)
		return false;
	if (get16(header + IP_FRAGMENT) & IP_MORE_OR_OFFSET)
		return false;

	total = get16(header + IP_TOTAL);
	if (total <= IP_UDP_HEADERS)
		return false;
	return get16(header + UDP_LEN) == total - (IP_UDP_HEADERS - UDP_HEADER);
}

/* Ones' complement sum of the UDP pseudo header, as CHECKSUM_PARTIAL wants it */
static u16 pseudo_sum(const u8 *header, u16 udp_len)
{
	return fold(sum16(header + IP_SADDR, 8) + 17 + udp_len);
}

/**
 * eoe_gro_repair() - make the first header fit everything that was merged
 * @header: a header accepted by eoe_gro_header_ok()
 * @payload: payload bytes received after it
 * @app1: word of the last descriptor: checksum and IPv4 total length
 * @res: filled when the merge is good
 *
 * A merge of several datagrams gets the new lengths, a correct IPv4 checksum
 * and, in the UDP checksum, the pseudo header sum that CHECKSUM_PARTIAL
 * expects. A single datagram keeps the checksum it came with.
 *
 * Return: the verdict; the header is unchanged unless it is EOE_GRO_MERGED
 */
enum eoe_gro_verdict eoe_gro_repair(u8 *header, u32 payload, u32 app1,
				    struct eoe_gro_result *res)
{
	u32 total = FIELD_GET(EOE_RX_APP1_TOTAL, app1);
	u32 first = get16(header + IP_TOTAL);
	u16 check;

	if (total != payload + IP_UDP_HEADERS)
		return EOE_GRO_BAD_TOTAL;
	if (first <= IP_UDP_HEADERS)
		return EOE_GRO_BAD_HEADER;
	if (first > total)
		return EOE_GRO_BAD_TOTAL;

	res->gso_size = first - IP_UDP_HEADERS;
	res->segments = (payload + res->gso_size - 1) / res->gso_size;
	if (first == total) {
		res->csum_differs = FIELD_GET(EOE_RX_APP1_CHECKSUM, app1) !=
				    get16(header + IP_CHECK);
		return EOE_GRO_SINGLE;
	}

	put16(header + IP_TOTAL, total);
	put16(header + IP_CHECK, 0);
	check = ~fold(sum16(header + IP, 20));
	put16(header + IP_CHECK, check);
	res->csum_differs = FIELD_GET(EOE_RX_APP1_CHECKSUM, app1) != check;
	put16(header + UDP_LEN, payload + UDP_HEADER);
	put16(header + UDP_CHECK, pseudo_sum(header, payload + UDP_HEADER));
	return EOE_GRO_MERGED;
}
