// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reception: buffers from page_pool, and packets of the ordinary channels. Those
 * of GRO channels are put together in gro.c.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>

#include "eoe.h"

/* How soon to look again when there was no memory for a single buffer. */
#define EOE_RX_RETRY	msecs_to_jiffies(10)

static u16 eoe_rx_next(const struct eoe_rx_ring *ring, u16 i)
{
	return i + 1 == ring->count ? 0 : i + 1;
}

/* Descriptors that could get a buffer; one stays empty to tell full from none. */
static unsigned int eoe_rx_empty(const struct eoe_rx_ring *ring)
{
	int filled = ring->use - ring->clean;

	if (filled < 0)
		filled += ring->count;
	return ring->count - 1 - filled;
}

static bool eoe_rx_get(struct eoe_rx_ring *ring, struct eoe_rx_buf *buf,
		       gfp_t gfp)
{
	if (PAGE_SIZE == EOE_RX_SLICE) {
		buf->offset = 0;
		buf->page = page_pool_alloc_pages(ring->pool, gfp);
	} else {
		buf->page = page_pool_alloc_frag(ring->pool, &buf->offset,
						 EOE_RX_SLICE, gfp);
	}
	return buf->page;
}

/**
 * eoe_rx_post() - write a descriptor for its buffer
 * @ring: the ring
 * @i: index of a descriptor that has a buffer
 */
void eoe_rx_post(struct eoe_rx_ring *ring, u16 i)
{
	const struct eoe_rx_buf *buf = &ring->buf[i];
	struct mcdma_bd *bd = &ring->bd[i];

	bd->addr = cpu_to_le64(page_pool_get_dma_addr(buf->page) +
			       buf->offset + ring->headroom);
	bd->control = cpu_to_le32(ring->len);
	WRITE_ONCE(bd->tx_sideband_rx_status, 0);
}

/**
 * eoe_rx_refill() - give every empty descriptor a buffer
 * @ring: the ring
 * @gfp: GFP_KERNEL only where sleeping is allowed
 *
 * Descriptors are complete in memory when this returns; telling the hardware is
 * up to the caller. After a failure the ring has fewer buffers, and is
 * otherwise in order.
 *
 * Return: 0 or -ENOMEM
 */
int eoe_rx_refill(struct eoe_rx_ring *ring, gfp_t gfp)
{
	unsigned int n = eoe_rx_empty(ring);

	while (n--) {
		if (unlikely(!eoe_rx_get(ring, &ring->buf[ring->use], gfp)))
			return -ENOMEM;
		eoe_rx_post(ring, ring->use);
		ring->use = eoe_rx_next(ring, ring->use);
	}
	return 0;
}

static void eoe_rx_replenish(struct eoe_queue *q, struct eoe_rx_ring *ring)
{
	u16 before = ring->use;

	if (eoe_rx_refill(ring, GFP_ATOMIC | __GFP_NOWARN)) {
		eoe_count(&q->rx_stats.syncp, &q->rx_stats.alloc_fail, 1);
		/* An empty ring never interrupts, so nothing else would. */
		mod_timer(&q->refill, jiffies + EOE_RX_RETRY);
	}
	if (ring->use != before) {
		u16 last = (ring->use ?: ring->count) - 1;

		eoe_dma_tail(&q->rx, ring->bd_dma + last * sizeof(*ring->bd));
	}
}

/**
 * eoe_rx_stock() - give a running queue its first buffers
 * @q: a queue whose receive ring may be empty; sleeps
 *
 * GRO channels without a rule receive nothing, and have no buffers until there
 * is one. What cannot be had now the poll goes on asking for.
 */
void eoe_rx_stock(struct eoe_queue *q)
{
	struct eoe_rx_ring *ring = q->rx_ring;
	u16 last;

	if (ring->use != ring->clean)
		return;

	napi_disable(&q->rx.napi);
	eoe_rx_refill(ring, GFP_KERNEL);
	last = (ring->use ?: ring->count) - 1;
	if (ring->use != ring->clean)
		eoe_dma_tail(&q->rx, ring->bd_dma + last * sizeof(*ring->bd));
	napi_enable(&q->rx.napi);

	/* An interrupt meanwhile has masked the channel and scheduled nothing. */
	local_bh_disable();
	eoe_irq_off(&q->rx);
	napi_schedule(&q->rx.napi);
	local_bh_enable();
}

/**
 * eoe_rx_refill_timer() - try again to get buffers
 * @t: timer of the queue
 */
void eoe_rx_refill_timer(struct timer_list *t)
{
	struct eoe_queue *q = timer_container_of(q, t, refill);

	eoe_irq_off(&q->rx);
	napi_schedule(&q->rx.napi);
}

/**
 * eoe_rx_data() - where the hardware wrote
 * @ring: the ring
 * @buf: a buffer of it
 *
 * Return: address of the first byte
 */
void *eoe_rx_data(const struct eoe_rx_ring *ring, const struct eoe_rx_buf *buf)
{
	return page_address(buf->page) + buf->offset + ring->headroom;
}

/**
 * eoe_rx_sync() - let the CPU see what the hardware wrote
 * @ring: the ring
 * @buf: a buffer of it
 * @len: bytes written
 */
void eoe_rx_sync(const struct eoe_rx_ring *ring, const struct eoe_rx_buf *buf,
		 u32 len)
{
	dma_sync_single_range_for_cpu(ring->pool->p.dev,
				      page_pool_get_dma_addr(buf->page),
				      buf->offset + ring->headroom, len,
				      DMA_FROM_DEVICE);
}

/**
 * eoe_rx_recycle() - give a buffer back unused
 * @ring: the ring
 * @buf: a buffer of it
 * @direct: called from the poll of this ring
 */
void eoe_rx_recycle(struct eoe_rx_ring *ring, struct eoe_rx_buf *buf,
		    bool direct)
{
	page_pool_put_full_page(ring->pool, buf->page, direct);
	buf->page = NULL;
}

/**
 * eoe_rx_add_frag() - hand a buffer over to a packet
 * @ring: the ring
 * @buf: a buffer of it
 * @skb: a packet whose pages are recycled
 * @len: bytes of data
 */
void eoe_rx_add_frag(struct eoe_rx_ring *ring, struct eoe_rx_buf *buf,
		     struct sk_buff *skb, u32 len)
{
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, buf->page,
			buf->offset + ring->headroom, len, EOE_RX_SLICE);
	buf->page = NULL;
}

/**
 * eoe_rx_first() - make a packet of its first buffer
 * @q: the queue
 * @ring: its ring
 * @buf: the buffer, synchronised; used up or recycled in any case
 * @len: bytes of data
 *
 * Return: the packet, or NULL
 */
struct sk_buff *eoe_rx_first(struct eoe_queue *q, struct eoe_rx_ring *ring,
			     struct eoe_rx_buf *buf, u32 len)
{
	struct sk_buff *skb;

	/* A whole page in front of a socket for a few bytes is a bad deal. */
	if (len <= EOE_RX_COPYBREAK || !ring->headroom) {
		skb = napi_alloc_skb(&q->rx.napi, len);
		if (likely(skb))
			skb_put_data(skb, eoe_rx_data(ring, buf), len);
		eoe_rx_recycle(ring, buf, true);
	} else {
		skb = napi_build_skb(page_address(buf->page) + buf->offset,
				     EOE_RX_SLICE);
		if (likely(skb)) {
			skb_reserve(skb, ring->headroom);
			skb_put(skb, len);
			skb_mark_for_recycle(skb);
			buf->page = NULL;
		} else {
			eoe_rx_recycle(ring, buf, true);
		}
	}
	if (unlikely(!skb))
		eoe_count(&q->rx_stats.syncp, &q->rx_stats.alloc_fail, 1);
	return skb;
}

/**
 * eoe_rx_deliver() - count a finished packet and give it to the stack
 * @q: the queue
 * @skb: the packet, Ethernet header first
 * @datagrams: frames it came from
 */
void eoe_rx_deliver(struct eoe_queue *q, struct sk_buff *skb,
		    unsigned int datagrams)
{
	struct eoe_rx_stats *s = &q->rx_stats;

	if (unlikely(test_bit(EOE_LOOPBACK, &q->rx.eoe->flags))) {
		eoe_test_receive(q->rx.eoe, skb);
		return;
	}
	u64_stats_update_begin(&s->syncp);
	u64_stats_add(&s->packets, datagrams);
	u64_stats_add(&s->bytes,
		      skb->len + (datagrams - 1) * EOE_GRO_HEADER);
	if (datagrams > 1) {
		u64_stats_inc(&s->gro_packets);
		u64_stats_add(&s->gro_wire_packets, datagrams);
		u64_stats_add(&s->gro_bytes, skb->len);
	}
	u64_stats_update_end(&s->syncp);

	skb_record_rx_queue(skb, q->rx.queue);
	skb->protocol = eth_type_trans(skb, q->rx.eoe->ndev);
	napi_gro_receive(&q->rx.napi, skb);
}

static void eoe_rx_abandon(struct eoe_rx_ring *ring, bool eof)
{
	if (ring->skb)
		dev_kfree_skb_any(ring->skb);
	ring->skb = NULL;
	ring->skip = !eof;
}

/* A descriptor of an ordinary channel: (part of) a frame as it was on the wire */
static void eoe_rx_plain_bd(struct eoe_queue *q, struct eoe_rx_ring *ring,
			    struct eoe_rx_buf *buf,
			    const struct eoe_rx_words *words)
{
	struct eoe_rx_stats *s = &q->rx_stats;
	u32 min = words->sof ? ETH_HLEN : 1;

	if (words->sof) {
		if (unlikely(ring->skb)) {
			eoe_count(&s->syncp, &s->framing, 1);
			eoe_rx_abandon(ring, true);
		}
		ring->skip = false;
	} else if (unlikely(!ring->skb)) {
		if (!ring->skip)
			eoe_count(&s->syncp, &s->framing, 1);
		goto drop;
	}
	if (unlikely(words->len < min || words->len > ring->len)) {
		eoe_count(&s->syncp, &s->bad_length, 1);
		goto drop;
	}

	eoe_rx_sync(ring, buf, words->len);
	if (words->sof) {
		/* More buffers follow, which the copy could not take over. */
		ring->skb = eoe_rx_first(q, ring, buf, words->len);
		if (unlikely(!ring->skb)) {
			ring->skip = !words->eof;
			return;
		}
		if (unlikely(!words->eof))
			skb_mark_for_recycle(ring->skb);
	} else {
		if (unlikely(skb_shinfo(ring->skb)->nr_frags == MAX_SKB_FRAGS)) {
			eoe_count(&s->syncp, &s->bad_length, 1);
			goto drop;
		}
		eoe_rx_add_frag(ring, buf, ring->skb, words->len);
	}
	if (words->eof) {
		eoe_rx_deliver(q, ring->skb, 1);
		ring->skb = NULL;
	}
	return;

drop:
	eoe_rx_recycle(ring, buf, true);
	eoe_rx_abandon(ring, words->eof);
}

static bool eoe_rx_complete(const struct eoe_rx_ring *ring)
{
	u32 status;

	if (ring->clean == ring->use)
		return false;
	status = le32_to_cpu(READ_ONCE(ring->bd[ring->clean].tx_sideband_rx_status));
	return status & MCDMA_BD_COMPLETE;
}

static void eoe_rx_one(struct eoe_queue *q, struct eoe_rx_ring *ring, u32 status)
{
	struct mcdma_bd *bd = &ring->bd[ring->clean];
	struct eoe_rx_buf *buf = &ring->buf[ring->clean];
	struct eoe_rx_words words = eoe_rx_decode(status);

	ring->clean = eoe_rx_next(ring, ring->clean);
	if (unlikely(words.error)) {
		eoe_count(&q->rx_stats.syncp, &q->rx_stats.bd_errors, 1);
		eoe_rx_recycle(ring, buf, true);
		eoe_rx_abandon(ring, words.eof);
	} else if (ring->gro) {
		eoe_gro_bd(q, ring, buf, &words,
			   le32_to_cpu(READ_ONCE(bd->app[0])),
			   le32_to_cpu(READ_ONCE(bd->app[1])));
	} else {
		eoe_rx_plain_bd(q, ring, buf, &words);
	}
}

/**
 * eoe_rx_poll() - NAPI poll of a receive channel
 * @napi: embedded in the channel
 * @budget: descriptors to look at; 0 touches nothing
 *
 * Return: descriptors handled
 */
int eoe_rx_poll(struct napi_struct *napi, int budget)
{
	struct eoe_chan *chan = container_of(napi, struct eoe_chan, napi);
	struct eoe_queue *q = &chan->eoe->queue[chan->queue];
	struct eoe_rx_ring *ring = q->rx_ring;
	int work = 0;

	if (unlikely(!budget))
		return 0;

	while (work < budget && ring->clean != ring->use) {
		struct mcdma_bd *bd = &ring->bd[ring->clean];
		u32 status = le32_to_cpu(READ_ONCE(bd->tx_sideband_rx_status));

		if (!(status & MCDMA_BD_COMPLETE))
			break;
		/* The status word is written last; read nothing before it. */
		dma_rmb();
		eoe_rx_one(q, ring, status);
		work++;
		if (eoe_rx_empty(ring) >= ring->count / 2)
			eoe_rx_replenish(q, ring);
	}
	if (eoe_rx_empty(ring) >= EOE_RX_REFILL_BATCH)
		eoe_rx_replenish(q, ring);

	if (work < budget && napi_complete_done(napi, work)) {
		eoe_irq_rearm(chan);
		if (eoe_rx_complete(ring)) {
			eoe_irq_off(chan);
			napi_schedule(napi);
		}
	}
	return work;
}
