// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packets of the GRO channels (PG451, UDP GRO).
 *
 * The engine sends the header of the first datagram, then the payload of all of
 * them in fragments. It may go on merging when a datagram has another size than
 * the first: nothing it reports tells where the boundaries are, so the driver
 * publishes the first size, which is right when only the last one is shorter.
 */
#include <linux/etherdevice.h>
#include <linux/udp.h>

#include "eoe.h"

static void eoe_gro_abandon(struct eoe_rx_ring *ring)
{
	if (ring->skb)
		dev_kfree_skb_any(ring->skb);
	ring->skb = NULL;
	ring->skip = true;
}

static void eoe_gro_header(struct eoe_queue *q, struct eoe_rx_ring *ring,
			   struct eoe_rx_buf *buf, u32 len)
{
	struct eoe_rx_stats *s = &q->rx_stats;
	const u8 *header = eoe_rx_data(ring, buf);
	struct sk_buff *skb;

	if (unlikely(!eoe_gro_header_ok(header, len))) {
		eoe_count(&s->syncp, &s->gro_header, 1);
		ring->skip = true;
		goto out;
	}

	/* Room for the payload of a lone small datagram, too. */
	skb = napi_alloc_skb(&q->rx.napi, EOE_GRO_HEADER + EOE_RX_COPYBREAK);
	if (unlikely(!skb)) {
		eoe_count(&s->syncp, &s->alloc_fail, 1);
		ring->skip = true;
		goto out;
	}
	skb_put_data(skb, header, EOE_GRO_HEADER);
	ring->skb = skb;
	ring->payload = 0;
	ring->skip = false;
out:
	eoe_rx_recycle(ring, buf, true);
}

/* The packet as if the stack itself had merged it. */
static void eoe_gro_publish(struct sk_buff *skb,
			    const struct eoe_gro_result *res)
{
	unsigned int headroom = skb_headroom(skb);

	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = headroom + EOE_GRO_HEADER - sizeof(struct udphdr);
	skb->csum_offset = offsetof(struct udphdr, check);
	skb_shinfo(skb)->gso_size = res->gso_size;
	skb_shinfo(skb)->gso_segs = res->segments;
	skb_shinfo(skb)->gso_type = SKB_GSO_UDP_L4;
}

static void eoe_gro_finish(struct eoe_queue *q, struct eoe_rx_ring *ring,
			   u32 app1)
{
	struct eoe_rx_stats *s = &q->rx_stats;
	struct sk_buff *skb = ring->skb;
	struct eoe_gro_result res;

	switch (eoe_gro_repair(skb->data, ring->payload, app1, &res)) {
	case EOE_GRO_BAD_HEADER:
		eoe_count(&s->syncp, &s->gro_header, 1);
		eoe_gro_abandon(ring);
		return;
	case EOE_GRO_BAD_TOTAL:
		eoe_count(&s->syncp, &s->gro_total, 1);
		eoe_gro_abandon(ring);
		return;
	case EOE_GRO_SINGLE:
		skb->ip_summed = CHECKSUM_UNNECESSARY;
		break;
	case EOE_GRO_MERGED:
		eoe_gro_publish(skb, &res);
		break;
	}
	if (unlikely(res.csum_differs))
		eoe_count(&s->syncp, &s->gro_csum, 1);
	ring->skb = NULL;
	eoe_rx_deliver(q, skb, res.segments);
}

static void eoe_gro_payload(struct eoe_queue *q, struct eoe_rx_ring *ring,
			    struct eoe_rx_buf *buf, u32 len, bool end)
{
	struct sk_buff *skb = ring->skb;

	if (!ring->payload && end && len <= EOE_RX_COPYBREAK) {
		skb_put_data(skb, eoe_rx_data(ring, buf), len);
		eoe_rx_recycle(ring, buf, true);
	} else {
		skb_mark_for_recycle(skb);
		eoe_rx_add_frag(ring, buf, skb, len);
	}
	ring->payload += len;
}

/**
 * eoe_gro_bd() - one descriptor of a GRO channel
 * @q: the queue
 * @ring: its ring
 * @buf: buffer of the descriptor; used up or recycled
 * @words: decoded status, without error bits
 * @app0: start and end of a merge
 * @app1: with the end: IPv4 total length and checksum
 *
 * Whatever does not fit is counted and dropped up to the next start.
 */
void eoe_gro_bd(struct eoe_queue *q, struct eoe_rx_ring *ring,
		struct eoe_rx_buf *buf, const struct eoe_rx_words *words,
		u32 app0, u32 app1)
{
	struct eoe_rx_stats *s = &q->rx_stats;
	bool start = app0 & EOE_RX_APP0_START;
	bool end = app0 & EOE_RX_APP0_END;
	struct sk_buff *skb;

	/* A buffer holds a whole fragment, so each is a packet of its own. */
	if (unlikely(!words->sof || !words->eof)) {
		eoe_count(&s->syncp, &s->framing, 1);
		goto drop;
	}
	if (unlikely(!words->len || words->len > ring->len)) {
		eoe_count(&s->syncp, &s->bad_length, 1);
		goto drop;
	}
	eoe_rx_sync(ring, buf, words->len);

	if (start) {
		if (unlikely(ring->skb)) {
			eoe_count(&s->syncp, &s->gro_unfinished, 1);
			eoe_gro_abandon(ring);
		}
		if (!end) {
			eoe_gro_header(q, ring, buf, words->len);
			return;
		}
		/* Start and end at once: a frame that was not merged. */
		if (unlikely(words->len < ETH_HLEN)) {
			eoe_count(&s->syncp, &s->bad_length, 1);
			goto drop;
		}
		skb = eoe_rx_first(q, ring, buf, words->len);
		if (skb)
			eoe_rx_deliver(q, skb, 1);
		return;
	}

	if (unlikely(!ring->skb)) {
		if (!ring->skip)
			eoe_count(&s->syncp, &s->gro_orphan, 1);
		goto drop;
	}
	if (unlikely(skb_shinfo(ring->skb)->nr_frags == EOE_MAX_FRAGMENTS)) {
		eoe_count(&s->syncp, &s->gro_total, 1);
		goto drop;
	}
	eoe_gro_payload(q, ring, buf, words->len, end);
	if (end) {
		eoe_gro_finish(q, ring, app1);
		/* Good or bad, the merge is over. */
		ring->skip = false;
	}
	return;

drop:
	eoe_rx_recycle(ring, buf, true);
	eoe_gro_abandon(ring);
	ring->skip = !end;
}
