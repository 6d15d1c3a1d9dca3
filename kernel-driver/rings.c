// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of the descriptor rings. A whole set is made and thrown away at once,
 * so that a set of another size can be ready before the old one goes.
 */
#include <linux/dma-mapping.h>

#include "eoe.h"

static void eoe_bd_link(struct mcdma_bd *bd, u32 count, dma_addr_t dma)
{
	u32 i;

	for (i = 0; i < count; i++)
		bd[i].next = cpu_to_le64(dma + (i + 1) % count * sizeof(*bd));
}

static struct mcdma_bd *eoe_bd_alloc(struct device *dev, u32 count,
				     dma_addr_t *dma)
{
	struct mcdma_bd *bd;

	bd = dma_alloc_coherent(dev, array_size(count, sizeof(*bd)), dma,
				GFP_KERNEL);
	if (!bd)
		return NULL;
	eoe_bd_link(bd, count, *dma);
	return bd;
}

static void eoe_bd_free(struct device *dev, u32 count, struct mcdma_bd *bd,
			dma_addr_t dma)
{
	dma_free_coherent(dev, array_size(count, sizeof(*bd)), bd, dma);
}

static struct eoe_tx_ring *eoe_tx_ring_alloc(struct eoe *eoe,
					     unsigned int queue, u32 count)
{
	struct eoe_tx_ring *ring = kzalloc(sizeof(*ring), GFP_KERNEL);

	if (!ring)
		return NULL;
	ring->q = &eoe->queue[queue];
	ring->count = count;
	ring->buf = kvcalloc(count, sizeof(*ring->buf), GFP_KERNEL);
	if (!ring->buf)
		goto err_ring;
	ring->bd = eoe_bd_alloc(eoe->dev, count, &ring->bd_dma);
	if (!ring->bd)
		goto err_buf;
	return ring;

err_buf:
	kvfree(ring->buf);
err_ring:
	kfree(ring);
	return NULL;
}

static void eoe_tx_ring_free(struct eoe *eoe, struct eoe_tx_ring *ring)
{
	if (!ring)
		return;
	eoe_tx_drain(ring);
	eoe_bd_free(eoe->dev, ring->count, ring->bd, ring->bd_dma);
	kvfree(ring->buf);
	kfree(ring);
}

static struct page_pool *eoe_pool_create(struct eoe *eoe, unsigned int queue,
					 const struct eoe_rx_ring *ring)
{
	/* Pages that are split are synchronised as a whole. */
	bool split = PAGE_SIZE > EOE_RX_SLICE;
	struct page_pool_params pp = {
		.flags = PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV |
			 (split ? EOE_PP_FLAG_FRAG : 0),
		.pool_size = DIV_ROUND_UP(ring->count * EOE_RX_SLICE, PAGE_SIZE),
		.nid = NUMA_NO_NODE,
		.dev = eoe->dev,
		.napi = &eoe->queue[queue].rx.napi,
		.dma_dir = DMA_FROM_DEVICE,
		.offset = split ? 0 : ring->headroom,
		.max_len = split ? PAGE_SIZE : ring->len,
	};

	eoe_pp_set_owner(&pp, eoe->ndev, queue);
	return page_pool_create(&pp);
}

static void eoe_rx_ring_free(struct eoe *eoe, struct eoe_rx_ring *ring)
{
	u16 i;

	if (!ring)
		return;
	kfree_skb(ring->skb);
	for (i = 0; i < ring->count; i++)
		if (ring->buf[i].page)
			eoe_rx_recycle(ring, &ring->buf[i], false);
	page_pool_destroy(ring->pool);
	eoe_bd_free(eoe->dev, ring->count, ring->bd, ring->bd_dma);
	kvfree(ring->buf);
	kfree(ring);
}

static struct eoe_rx_ring *eoe_rx_ring_alloc(struct eoe *eoe,
					     unsigned int queue, u32 count)
{
	struct eoe_rx_ring *ring = kzalloc(sizeof(*ring), GFP_KERNEL);

	if (!ring)
		return NULL;
	ring->count = count;
	ring->gro = eoe_queue_is_gro(eoe, queue);
	ring->headroom = ring->gro ? 0 : EOE_RX_HEADROOM;
	ring->len = ring->gro ? EOE_RX_SLICE : EOE_RX_PLAIN_LEN;

	ring->buf = kvcalloc(count, sizeof(*ring->buf), GFP_KERNEL);
	if (!ring->buf)
		goto err_ring;
	ring->bd = eoe_bd_alloc(eoe->dev, count, &ring->bd_dma);
	if (!ring->bd)
		goto err_buf;
	ring->pool = eoe_pool_create(eoe, queue, ring);
	if (IS_ERR(ring->pool))
		goto err_bd;

	/* See eoe_rx_stock(). */
	if (ring->gro && !eoe_rule_get(&eoe->rules, queue))
		return ring;
	if (eoe_rx_refill(ring, GFP_KERNEL)) {
		eoe_rx_ring_free(eoe, ring);
		return NULL;
	}
	return ring;

err_bd:
	eoe_bd_free(eoe->dev, ring->count, ring->bd, ring->bd_dma);
err_buf:
	kvfree(ring->buf);
err_ring:
	kfree(ring);
	return NULL;
}

/**
 * eoe_rings_free() - free a set of rings and every packet in them
 * @eoe: the port; no hardware and no poll uses the set
 * @rings: the set, may be incomplete
 */
void eoe_rings_free(struct eoe *eoe, struct eoe_rings *rings)
{
	unsigned int i;

	for (i = 0; i < eoe->cfg.queues; i++) {
		eoe_tx_ring_free(eoe, rings->tx[i]);
		eoe_rx_ring_free(eoe, rings->rx[i]);
		rings->tx[i] = NULL;
		rings->rx[i] = NULL;
	}
}

/**
 * eoe_rings_alloc() - make a set of rings, those that receive filled
 * @eoe: the port
 * @rings: filled; queues beyond @queues have none
 * @queues: number of queues
 * @tx_count: descriptors of each transmit ring
 * @rx_count: descriptors of each receive ring
 *
 * Return: 0, or -ENOMEM with nothing allocated
 */
int eoe_rings_alloc(struct eoe *eoe, struct eoe_rings *rings,
		    unsigned int queues, u32 tx_count, u32 rx_count)
{
	unsigned int i;

	memset(rings, 0, sizeof(*rings));
	for (i = 0; i < queues; i++) {
		rings->tx[i] = eoe_tx_ring_alloc(eoe, i, tx_count);
		rings->rx[i] = eoe_rx_ring_alloc(eoe, i, rx_count);
		if (!rings->tx[i] || !rings->rx[i]) {
			eoe_rings_free(eoe, rings);
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * eoe_rings_swap() - put a set of rings in place of another
 * @eoe: the port, stopped
 * @rings: the new set; receives the old one
 */
void eoe_rings_swap(struct eoe *eoe, struct eoe_rings *rings)
{
	unsigned int i;

	for (i = 0; i < eoe->cfg.queues; i++) {
		swap(eoe->queue[i].tx_ring, rings->tx[i]);
		swap(eoe->queue[i].rx_ring, rings->rx[i]);
	}
}

/**
 * eoe_rings_rewind() - make the rings fit for a freshly reset engine
 * @eoe: the port, stopped
 *
 * Descriptors are written anew from what the driver keeps: whatever made the
 * engine fail may be in them. Receive buffers stay where they are, so this needs
 * no memory and cannot fail. Packets that were under way are gone.
 */
void eoe_rings_rewind(struct eoe *eoe)
{
	unsigned int i;
	u16 j;

	for (i = 0; i < eoe->queues; i++) {
		struct eoe_rx_ring *rx = eoe->queue[i].rx_ring;
		struct eoe_tx_ring *tx = eoe->queue[i].tx_ring;

		eoe_tx_drain(tx);
		eoe_bd_link(tx->bd, tx->count, tx->bd_dma);
		eoe_bd_link(rx->bd, rx->count, rx->bd_dma);
		netdev_tx_reset_queue(netdev_get_tx_queue(eoe->ndev, i));

		kfree_skb(rx->skb);
		rx->skb = NULL;
		rx->skip = false;
		for (j = 0; j < rx->count; j++)
			if (rx->buf[j].page)
				eoe_rx_post(rx, j);
	}
}
