// SPDX-License-Identifier: GPL-2.0-only
/*
 * Software counters, and the view of all counters that ethtool -S and the
 * network stack get.
 */
#include <linux/ethtool.h>

#include "eoe.h"

const char eoe_dma_error_names[EOE_DMA_ERRORS][16] = {
	[EOE_DMA_INT] = "dma_internal",
	[EOE_DMA_SLV] = "dma_slave",
	[EOE_DMA_DEC] = "dma_decode",
	[EOE_SG_INT] = "sg_stale",
	[EOE_SG_SLV] = "sg_slave",
	[EOE_SG_DEC] = "sg_decode",
};

#define EOE_PORT_STATS	(2 + 2 * (EOE_DMA_ERRORS + 1))

/* A counter of a queue: its name, and where it is in the structure it is in. */
struct eoe_queue_stat {
	char name[20];
	size_t offset;
};

#define EOE_STAT(type, field)	{ #field, offsetof(struct type, field) }

static const struct eoe_queue_stat eoe_tx_names[] = {
	EOE_STAT(eoe_tx_stats, csum),
	EOE_STAT(eoe_tx_stats, dropped),
	EOE_STAT(eoe_tx_stats, map_errors),
	EOE_STAT(eoe_tx_stats, stopped),
};

static const struct eoe_queue_stat eoe_done_names[] = {
	EOE_STAT(eoe_tx_done_stats, packets),
	EOE_STAT(eoe_tx_done_stats, bytes),
	EOE_STAT(eoe_tx_done_stats, gso_packets),
	EOE_STAT(eoe_tx_done_stats, gso_wire_packets),
	EOE_STAT(eoe_tx_done_stats, lost),
	EOE_STAT(eoe_tx_done_stats, woken),
};

static const struct eoe_queue_stat eoe_rx_names[] = {
	EOE_STAT(eoe_rx_stats, packets),
	EOE_STAT(eoe_rx_stats, bytes),
	EOE_STAT(eoe_rx_stats, gro_packets),
	EOE_STAT(eoe_rx_stats, gro_wire_packets),
	EOE_STAT(eoe_rx_stats, gro_orphan),
	EOE_STAT(eoe_rx_stats, gro_header),
	EOE_STAT(eoe_rx_stats, gro_total),
	EOE_STAT(eoe_rx_stats, gro_unfinished),
	EOE_STAT(eoe_rx_stats, gro_csum),
	EOE_STAT(eoe_rx_stats, bad_length),
	EOE_STAT(eoe_rx_stats, bd_errors),
	EOE_STAT(eoe_rx_stats, framing),
	EOE_STAT(eoe_rx_stats, alloc_fail),
};

/* Per queue: the three tables and the drops of the MCDMA */
#define EOE_QUEUE_STATS	(ARRAY_SIZE(eoe_tx_names) + \
			 ARRAY_SIZE(eoe_done_names) + \
			 ARRAY_SIZE(eoe_rx_names) + 1)

/**
 * eoe_stats_init() - prepare the counters of every queue
 * @eoe: the port
 */
void eoe_stats_init(struct eoe *eoe)
{
	unsigned int i;

	spin_lock_init(&eoe->stats_lock);
	for (i = 0; i < eoe->cfg.queues; i++) {
		u64_stats_init(&eoe->queue[i].tx_stats.syncp);
		u64_stats_init(&eoe->queue[i].tx_done.syncp);
		u64_stats_init(&eoe->queue[i].rx_stats.syncp);
	}
}

/**
 * eoe_stat_read() - read one counter consistently
 * @syncp: of the structure the counter is in
 * @counter: the counter
 *
 * Return: its value
 */
u64 eoe_stat_read(const struct u64_stats_sync *syncp, const u64_stats_t *counter)
{
	unsigned int start;
	u64 value;

	do {
		start = u64_stats_fetch_begin(syncp);
		value = u64_stats_read(counter);
	} while (u64_stats_fetch_retry(syncp, start));
	return value;
}

static u64 *eoe_stats_table(const struct eoe_queue_stat *table, size_t n,
			    const struct u64_stats_sync *syncp,
			    const void *stats, u64 *data)
{
	size_t i;

	for (i = 0; i < n; i++)
		*data++ = eoe_stat_read(syncp, stats + table[i].offset);
	return data;
}

static void eoe_stats_names(const struct eoe_queue_stat *table, size_t n,
			    const char *prefix, unsigned int queue, u8 **data)
{
	size_t i;

	for (i = 0; i < n; i++)
		ethtool_sprintf(data, "%sq%u_%s", prefix, queue, table[i].name);
}

/**
 * eoe_get_stats64() - ndo_get_stats64
 * @ndev: the interface
 * @s: filled
 */
void eoe_get_stats64(struct net_device *ndev, struct rtnl_link_stats64 *s)
{
	struct eoe *eoe = netdev_priv(ndev);
	unsigned int i;

	for (i = 0; i < eoe->cfg.queues; i++) {
		const struct eoe_queue *q = &eoe->queue[i];
		const struct eoe_tx_stats *tx = &q->tx_stats;
		const struct eoe_tx_done_stats *done = &q->tx_done;
		const struct eoe_rx_stats *rx = &q->rx_stats;

		s->tx_packets += eoe_stat_read(&done->syncp, &done->packets);
		s->tx_bytes += eoe_stat_read(&done->syncp, &done->bytes);
		s->tx_dropped += eoe_stat_read(&tx->syncp, &tx->dropped) +
				 eoe_stat_read(&done->syncp, &done->lost);
		s->rx_packets += eoe_stat_read(&rx->syncp, &rx->packets);
		s->rx_bytes += eoe_stat_read(&rx->syncp, &rx->bytes);
		s->rx_dropped += eoe_stat_read(&rx->syncp, &rx->alloc_fail);
		s->rx_frame_errors += eoe_stat_read(&rx->syncp, &rx->framing);
		s->rx_missed_errors += READ_ONCE(eoe->drops[i]);
	}

	s->multicast = eoe_mac_stat(eoe, XXV_RX_MULTICAST);
	s->rx_crc_errors = eoe_mac_stat(eoe, XXV_RX_BAD_FCS);
	s->rx_length_errors = eoe_mac_stat(eoe, XXV_RX_UNDERSIZE) +
			      eoe_mac_stat(eoe, XXV_RX_OVERSIZE);
	s->rx_missed_errors += eoe_off_stat(eoe, EOE_RX_DROPPED);
	s->rx_errors = s->rx_crc_errors + s->rx_length_errors +
		       s->rx_frame_errors;
	s->tx_errors = eoe_off_stat(eoe, EOE_TX_ERROR_COUNT);
}

/**
 * eoe_stats_count() - number of ethtool -S values
 * @eoe: the port
 *
 * Return: the number
 */
int eoe_stats_count(const struct eoe *eoe)
{
	return EOE_PORT_STATS + eoe_hw_stats_count(eoe) +
	       eoe->cfg.queues * EOE_QUEUE_STATS;
}

/**
 * eoe_stats_strings() - names of the ethtool -S values
 * @eoe: the port
 * @data: where to write
 */
void eoe_stats_strings(const struct eoe *eoe, u8 *data)
{
	unsigned int i, dir;

	ethtool_puts(&data, "resets");
	ethtool_puts(&data, "tx_timeouts");
	for (dir = 0; dir < 2; dir++) {
		const char *prefix = dir ? "rx" : "tx";

		ethtool_sprintf(&data, "%s_error_irqs", prefix);
		for (i = 0; i < EOE_DMA_ERRORS; i++)
			ethtool_sprintf(&data, "%s_err_%s", prefix,
					eoe_dma_error_names[i]);
	}
	eoe_hw_stats_strings(eoe, &data);
	for (i = 0; i < eoe->cfg.queues; i++) {
		eoe_stats_names(eoe_done_names, ARRAY_SIZE(eoe_done_names),
				"tx", i, &data);
		eoe_stats_names(eoe_tx_names, ARRAY_SIZE(eoe_tx_names), "tx",
				i, &data);
		eoe_stats_names(eoe_rx_names, ARRAY_SIZE(eoe_rx_names), "rx",
				i, &data);
		ethtool_sprintf(&data, "rxq%u_no_descriptor", i);
	}
}

/**
 * eoe_stats_values() - the ethtool -S values
 * @eoe: the port
 * @data: where to write
 */
void eoe_stats_values(struct eoe *eoe, u64 *data)
{
	unsigned int i, dir;

	eoe_hw_stats_refresh(eoe);

	*data++ = eoe->reset_count;
	*data++ = atomic64_read(&eoe->tx_timeouts);
	for (dir = 0; dir < 2; dir++) {
		*data++ = atomic64_read(&eoe->irq_errors[dir]);
		for (i = 0; i < EOE_DMA_ERRORS; i++)
			*data++ = atomic64_read(&eoe->dma_errors[dir][i]);
	}
	data = eoe_hw_stats_values(eoe, data);
	for (i = 0; i < eoe->cfg.queues; i++) {
		const struct eoe_queue *q = &eoe->queue[i];

		data = eoe_stats_table(eoe_done_names,
				       ARRAY_SIZE(eoe_done_names),
				       &q->tx_done.syncp, &q->tx_done, data);
		data = eoe_stats_table(eoe_tx_names, ARRAY_SIZE(eoe_tx_names),
				       &q->tx_stats.syncp, &q->tx_stats, data);
		data = eoe_stats_table(eoe_rx_names, ARRAY_SIZE(eoe_rx_names),
				       &q->rx_stats.syncp, &q->rx_stats, data);
		*data++ = READ_ONCE(eoe->drops[i]);
	}
}
