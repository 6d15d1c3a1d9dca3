// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transmission: an skb becomes one chain of descriptors, head first.
 */
#include <linux/dma-mapping.h>
#include <linux/ip.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/netdev_queues.h>

#include "eoe.h"

/* Completions handled before other softirq work gets a turn. */
#define EOE_TX_POLL_PACKETS	256

static u16 eoe_tx_next(const struct eoe_tx_ring *ring, u16 i)
{
	return i + 1 == ring->count ? 0 : i + 1;
}

/* Called by xmit and by the poll, each of which owns one of the indices. */
static unsigned int eoe_tx_avail(const struct eoe_tx_ring *ring)
{
	int used = READ_ONCE(ring->use) - READ_ONCE(ring->clean);

	if (used < 0)
		used += ring->count;
	return ring->count - 1 - used;
}

static void eoe_tx_unmap(struct device *dev, struct eoe_tx_buf *buf)
{
	switch (buf->type) {
	case EOE_TX_NONE:
		return;
	case EOE_TX_PAGE:
		dma_unmap_page(dev, buf->dma, buf->len, DMA_TO_DEVICE);
		break;
	case EOE_TX_BOUNCE:
		dma_unmap_single(dev, buf->dma, buf->len, DMA_TO_DEVICE);
		kfree(buf->bounce);
		buf->bounce = NULL;
		break;
	case EOE_TX_SINGLE:
		dma_unmap_single(dev, buf->dma, buf->len, DMA_TO_DEVICE);
		break;
	}
	buf->type = EOE_TX_NONE;
}

/* Shape of a packet to cut; false when the engine cannot do it. */
static bool eoe_tx_geometry(const struct sk_buff *skb,
			    struct eoe_tx_geometry *geo)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);

	if (!(shinfo->gso_type & SKB_GSO_UDP_L4))
		return false;
	geo->header = skb_transport_offset(skb) + sizeof(struct udphdr);
	geo->total = skb->len;
	geo->gso_size = shinfo->gso_size;
	return eoe_tx_gso_fits(geo);
}

/*
 * The engine finds TCP and UDP itself, in IPv4 that is not fragmented and, as
 * nothing says otherwise, right behind 14 bytes of Ethernet header. What it would
 * not find, or would find elsewhere than the stack does, is not for it.
 */
static bool eoe_tx_csum_possible(const struct sk_buff *skb)
{
	const struct iphdr *iph;
	struct iphdr copy;

	if (skb->encapsulation || skb_vlan_tagged(skb) ||
	    skb->protocol != htons(ETH_P_IP) ||
	    skb_network_offset(skb) != ETH_HLEN)
		return false;
	if (skb_checksum_start_offset(skb) != skb_transport_offset(skb))
		return false;
	iph = skb_header_pointer(skb, skb_network_offset(skb), sizeof(copy),
				 &copy);
	if (!iph || iph->version != 4 || ip_is_fragment(iph))
		return false;
	if (skb_network_header_len(skb) != iph->ihl * 4)
		return false;

	switch (iph->protocol) {
	case IPPROTO_UDP:
		return skb->csum_offset == offsetof(struct udphdr, check);
	case IPPROTO_TCP:
		return skb->csum_offset == offsetof(struct tcphdr, check);
	default:
		return false;
	}
}

/**
 * eoe_features_check() - take away offloads the engine has no field for
 * @skb: packet about to be sent
 * @ndev: the interface
 * @features: offloads the stack would use
 *
 * Return: those it may use; the stack does the rest in software
 */
netdev_features_t eoe_features_check(struct sk_buff *skb,
				     struct net_device *ndev,
				     netdev_features_t features)
{
	struct eoe_tx_geometry geo;

	if (skb->ip_summed == CHECKSUM_PARTIAL && !eoe_tx_csum_possible(skb))
		return features & ~(NETIF_F_CSUM_MASK | NETIF_F_GSO_MASK);
	if (skb_is_gso(skb) && (skb->ip_summed != CHECKSUM_PARTIAL ||
				!eoe_tx_geometry(skb, &geo)))
		return features & ~NETIF_F_GSO_MASK;
	return features;
}

static bool eoe_tx_map(struct eoe *eoe, struct sk_buff *skb, int frag,
		       struct eoe_tx_buf *buf)
{
	if (frag < 0 && eoe->cfg.dre) {
		buf->type = EOE_TX_SINGLE;
		buf->len = skb_headlen(skb);
		buf->dma = dma_map_single(eoe->dev, skb->data, buf->len,
					  DMA_TO_DEVICE);
	} else if (frag < 0) {
		/* Without DRE a buffer has to start on a stream word. */
		buf->len = skb->len;
		buf->bounce = kmalloc(round_up(buf->len, EOE_STREAM_BYTES),
				      GFP_ATOMIC | __GFP_NOWARN);
		if (!buf->bounce)
			return false;
		skb_copy_bits(skb, 0, buf->bounce, buf->len);
		buf->type = EOE_TX_BOUNCE;
		buf->dma = dma_map_single(eoe->dev, buf->bounce, buf->len,
					  DMA_TO_DEVICE);
		if (dma_mapping_error(eoe->dev, buf->dma))
			kfree(buf->bounce);
	} else {
		skb_frag_t *f = &skb_shinfo(skb)->frags[frag];

		buf->type = EOE_TX_PAGE;
		buf->len = skb_frag_size(f);
		buf->dma = skb_frag_dma_map(eoe->dev, f, 0, buf->len,
					    DMA_TO_DEVICE);
	}

	if (dma_mapping_error(eoe->dev, buf->dma)) {
		buf->type = EOE_TX_NONE;
		return false;
	}
	return true;
}

static void eoe_tx_fill(struct mcdma_bd *bd, const struct eoe_tx_buf *buf,
			const struct eoe_tx_words *words, bool first, bool last)
{
	bd->addr = cpu_to_le64(buf->dma);
	bd->control = cpu_to_le32(eoe_tx_control(buf->len, first, last));
	bd->tx_sideband_rx_status = 0;
	WRITE_ONCE(bd->tx_status_rx_sideband, 0);
	if (first) {
		bd->app[0] = cpu_to_le32(words->app0);
		bd->app[1] = cpu_to_le32(words->app1);
	}
}

/*
 * Fill descriptors for the whole packet; on failure nothing stays mapped.
 * Returns the index after the last descriptor, or a negative error.
 */
static int eoe_tx_chain(struct eoe *eoe, struct eoe_tx_ring *ring,
			struct sk_buff *skb, const struct eoe_tx_words *words)
{
	int frags = eoe->cfg.dre ? skb_shinfo(skb)->nr_frags : 0;
	u16 first = ring->use;
	u16 i = first;
	int f;

	for (f = -1; f < frags; f++) {
		if (!eoe_tx_map(eoe, skb, f, &ring->buf[i]))
			goto unwind;
		eoe_tx_fill(&ring->bd[i], &ring->buf[i], words, f < 0,
			    f == frags - 1);
		ring->buf[first].last = i;
		i = eoe_tx_next(ring, i);
	}
	return i;

unwind:
	while (i != first) {
		i = i ? i - 1 : ring->count - 1;
		eoe_tx_unmap(eoe->dev, &ring->buf[i]);
	}
	return -ENOMEM;
}

static void eoe_tx_kick(struct eoe_tx_ring *ring)
{
	u16 last = (ring->use ?: ring->count) - 1;

	if (!ring->unkicked)
		return;
	ring->unkicked = false;
	eoe_dma_tail(&ring->q->tx, ring->bd_dma + last * sizeof(*ring->bd));
}

/* What is on the wire, stored for the completion. */
static void eoe_tx_account(struct eoe_tx_buf *buf, struct sk_buff *skb,
			   const struct eoe_tx_geometry *geo)
{
	buf->skb = skb;
	buf->bytes = skb->len;
	buf->wire_packets = geo ? eoe_tx_wire_packets(geo) : 1;
	buf->wire_bytes = skb->len;
	if (geo)
		buf->wire_bytes += (buf->wire_packets - 1) * geo->header;
}

static netdev_tx_t eoe_tx_drop(struct eoe_tx_ring *ring, struct sk_buff *skb)
{
	eoe_count(&ring->q->tx_stats.syncp, &ring->q->tx_stats.dropped, 1);
	dev_kfree_skb_any(skb);
	/* Packets queued before this one may have counted on it for the kick. */
	if (!netdev_xmit_more())
		eoe_tx_kick(ring);
	return NETDEV_TX_OK;
}

/**
 * eoe_xmit() - ndo_start_xmit
 * @skb: the packet
 * @ndev: the interface
 *
 * Return: NETDEV_TX_OK; NETDEV_TX_BUSY only should the queue not have been
 * stopped in time
 */
netdev_tx_t eoe_xmit(struct sk_buff *skb, struct net_device *ndev)
{
	u16 queue = skb_get_queue_mapping(skb);
	struct eoe *eoe = netdev_priv(ndev);
	struct eoe_queue *q = &eoe->queue[queue];
	struct eoe_tx_ring *ring = q->tx_ring;
	struct netdev_queue *txq = netdev_get_tx_queue(ndev, queue);
	struct eoe_tx_words words = {};
	struct eoe_tx_geometry geo;
	bool gso = skb_is_gso(skb);
	bool csum = skb->ip_summed == CHECKSUM_PARTIAL;
	u16 first = ring->use;
	int next;

	if (unlikely(eoe_tx_avail(ring) < EOE_TX_PACKET_MAX)) {
		netif_tx_stop_queue(txq);
		return NETDEV_TX_BUSY;
	}

	/*
	 * Padding must not become payload of a packet to cut; the engine pads
	 * what it cuts. Frees the packet itself when it fails.
	 */
	if (!gso && skb_put_padto(skb, ETH_ZLEN)) {
		eoe_count(&q->tx_stats.syncp, &q->tx_stats.dropped, 1);
		if (!netdev_xmit_more())
			eoe_tx_kick(ring);
		return NETDEV_TX_OK;
	}

	if (gso && unlikely(!eoe_tx_geometry(skb, &geo)))
		return eoe_tx_drop(ring, skb);
	if (gso)
		words = eoe_tx_gso_words(&geo, skb_shinfo(skb)->gso_type &
					       SKB_GSO_TCP_FIXEDID);
	else if (eoe->off)
		words = eoe_tx_plain_words(ndev->mtu, csum);

	next = eoe_tx_chain(eoe, ring, skb, &words);
	if (unlikely(next < 0)) {
		eoe_count(&q->tx_stats.syncp, &q->tx_stats.map_errors, 1);
		return eoe_tx_drop(ring, skb);
	}
	eoe_tx_account(&ring->buf[first], skb, gso ? &geo : NULL);
	/* The poll must not see the index before what it stands for. */
	smp_store_release(&ring->use, next);
	ring->unkicked = true;
	if (csum)
		eoe_count(&q->tx_stats.syncp, &q->tx_stats.csum, 1);
	skb_tx_timestamp(skb);

	if (!netif_txq_maybe_stop(txq, eoe_tx_avail(ring), EOE_TX_STOP,
				  EOE_TX_WAKE))
		eoe_count(&q->tx_stats.syncp, &q->tx_stats.stopped, 1);
	if (__netdev_tx_sent_queue(txq, ring->buf[first].bytes,
				   netdev_xmit_more()))
		eoe_tx_kick(ring);
	return NETDEV_TX_OK;
}

static bool eoe_tx_complete(const struct eoe_tx_ring *ring, u16 clean)
{
	const struct mcdma_bd *bd = &ring->bd[ring->buf[clean].last];

	return le32_to_cpu(READ_ONCE(bd->tx_status_rx_sideband)) &
	       MCDMA_BD_COMPLETE;
}

static bool eoe_tx_pending(const struct eoe_tx_ring *ring)
{
	/* Pairs with the release in eoe_tx_chain(). */
	return ring->clean != smp_load_acquire(&ring->use) &&
	       eoe_tx_complete(ring, ring->clean);
}

/* Release one packet; returns the index after it. */
static u16 eoe_tx_release(struct eoe_tx_ring *ring, u16 i, int budget)
{
	struct eoe_tx_buf *head = &ring->buf[i];
	struct device *dev = ring->q->tx.eoe->dev;
	u16 end = eoe_tx_next(ring, head->last);

	for (; i != end; i = eoe_tx_next(ring, i))
		eoe_tx_unmap(dev, &ring->buf[i]);
	napi_consume_skb(head->skb, budget);
	head->skb = NULL;
	return end;
}

static bool eoe_tx_clean(struct eoe_tx_ring *ring, int budget)
{
	struct eoe_queue *q = ring->q;
	struct netdev_queue *txq = netdev_get_tx_queue(q->tx.eoe->ndev,
						       q->tx.queue);
	struct eoe_tx_done_stats *s = &q->tx_done;
	u32 wire_packets = 0, wire_bytes = 0, gso = 0, gso_bytes = 0;
	u32 gso_wire = 0, gso_wire_bytes = 0;
	unsigned int packets = 0, bytes = 0;
	u16 clean = ring->clean;
	u16 use;

	/* Pairs with the release in eoe_tx_chain(). */
	use = smp_load_acquire(&ring->use);
	while (clean != use && packets < EOE_TX_POLL_PACKETS) {
		const struct eoe_tx_buf *head = &ring->buf[clean];

		if (!eoe_tx_complete(ring, clean))
			break;
		/* Nothing of the entry before the word that completes it. */
		dma_rmb();
		packets++;
		bytes += head->bytes;
		wire_packets += head->wire_packets;
		wire_bytes += head->wire_bytes;
		if (head->wire_packets > 1) {
			gso++;
			gso_bytes += head->bytes;
			gso_wire += head->wire_packets;
			gso_wire_bytes += head->wire_bytes;
		}
		clean = eoe_tx_release(ring, clean, budget);
	}
	if (!packets)
		return false;

	/* Pairs with the re-check in netif_txq_maybe_stop(). */
	smp_store_release(&ring->clean, clean);

	u64_stats_update_begin(&s->syncp);
	u64_stats_add(&s->packets, wire_packets);
	u64_stats_add(&s->bytes, wire_bytes);
	u64_stats_add(&s->gso_packets, gso);
	u64_stats_add(&s->gso_bytes, gso_bytes);
	u64_stats_add(&s->gso_wire_packets, gso_wire);
	u64_stats_add(&s->gso_wire_bytes, gso_wire_bytes);
	u64_stats_update_end(&s->syncp);

	if (!__netif_txq_completed_wake(txq, packets, bytes, eoe_tx_avail(ring),
					EOE_TX_WAKE,
					test_bit(EOE_TX_HELD,
						 &q->tx.eoe->flags)))
		eoe_count(&s->syncp, &s->woken, 1);
	return packets == EOE_TX_POLL_PACKETS;
}

/**
 * eoe_tx_poll() - NAPI poll of a transmit channel
 * @napi: embedded in the channel
 * @budget: 0 when called for netpoll
 *
 * Return: @budget when there is more to do
 */
int eoe_tx_poll(struct napi_struct *napi, int budget)
{
	struct eoe_chan *chan = container_of(napi, struct eoe_chan, napi);
	struct eoe_tx_ring *ring = chan->eoe->queue[chan->queue].tx_ring;

	if (eoe_tx_clean(ring, budget))
		return budget;
	if (!budget)
		return 0;
	if (napi_complete_done(napi, 0)) {
		eoe_irq_rearm(chan);
		if (eoe_tx_pending(ring)) {
			eoe_irq_off(chan);
			napi_schedule(napi);
		}
	}
	return 0;
}

/**
 * eoe_tx_drain() - throw away every packet of a ring the hardware left
 * @ring: the ring; neither xmit nor poll uses it
 */
void eoe_tx_drain(struct eoe_tx_ring *ring)
{
	unsigned int lost = 0;

	while (ring->clean != ring->use) {
		ring->clean = eoe_tx_release(ring, ring->clean, 0);
		lost++;
	}
	ring->clean = 0;
	ring->use = 0;
	ring->unkicked = false;
	eoe_count(&ring->q->tx_done.syncp, &ring->q->tx_done.lost, lost);
}
