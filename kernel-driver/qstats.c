// SPDX-License-Identifier: GPL-2.0-only
/*
 * Queue statistics for netdev-genl, on kernels that have them.
 */
#include <net/netdev_queues.h>

#include "eoe.h"

static void eoe_qstats_rx(struct net_device *ndev, int queue,
			  struct netdev_queue_stats_rx *stats)
{
	struct eoe *eoe = netdev_priv(ndev);
	const struct eoe_rx_stats *s = &eoe->queue[queue].rx_stats;

	stats->packets = eoe_stat_read(&s->syncp, &s->packets);
	stats->bytes = eoe_stat_read(&s->syncp, &s->bytes);
	stats->alloc_fail = eoe_stat_read(&s->syncp, &s->alloc_fail);
	stats->hw_drop_overruns = READ_ONCE(eoe->drops[queue]);
	stats->hw_drops = stats->hw_drop_overruns;
	stats->hw_gro_packets = eoe_stat_read(&s->syncp, &s->gro_packets);
	stats->hw_gro_bytes = eoe_stat_read(&s->syncp, &s->gro_bytes);
	stats->hw_gro_wire_packets = eoe_stat_read(&s->syncp,
						   &s->gro_wire_packets);
	stats->hw_gro_wire_bytes = stats->hw_gro_bytes + EOE_GRO_HEADER *
		(stats->hw_gro_wire_packets - stats->hw_gro_packets);
}

static void eoe_qstats_tx(struct net_device *ndev, int queue,
			  struct netdev_queue_stats_tx *stats)
{
	struct eoe *eoe = netdev_priv(ndev);
	const struct eoe_tx_done_stats *d = &eoe->queue[queue].tx_done;
	const struct eoe_tx_stats *s = &eoe->queue[queue].tx_stats;

	stats->packets = eoe_stat_read(&d->syncp, &d->packets);
	stats->bytes = eoe_stat_read(&d->syncp, &d->bytes);
	stats->needs_csum = eoe_stat_read(&s->syncp, &s->csum);
	stats->hw_gso_packets = eoe_stat_read(&d->syncp, &d->gso_packets);
	stats->hw_gso_bytes = eoe_stat_read(&d->syncp, &d->gso_bytes);
	stats->hw_gso_wire_packets = eoe_stat_read(&d->syncp,
						   &d->gso_wire_packets);
	stats->hw_gso_wire_bytes = eoe_stat_read(&d->syncp,
						 &d->gso_wire_bytes);
	stats->stop = eoe_stat_read(&s->syncp, &s->stopped);
	stats->wake = eoe_stat_read(&d->syncp, &d->woken);
}

/* What queues have counted that are not in use any more. */
static void eoe_qstats_base(struct net_device *ndev,
			    struct netdev_queue_stats_rx *rx,
			    struct netdev_queue_stats_tx *tx)
{
	struct eoe *eoe = netdev_priv(ndev);
	struct netdev_queue_stats_rx r;
	struct netdev_queue_stats_tx t;
	unsigned int i;

	rx->packets = 0;
	rx->bytes = 0;
	rx->alloc_fail = 0;
	rx->hw_drops = 0;
	rx->hw_drop_overruns = 0;
	rx->hw_gro_packets = 0;
	rx->hw_gro_bytes = 0;
	rx->hw_gro_wire_packets = 0;
	rx->hw_gro_wire_bytes = 0;
	tx->packets = 0;
	tx->bytes = 0;
	tx->needs_csum = 0;
	tx->hw_gso_packets = 0;
	tx->hw_gso_bytes = 0;
	tx->hw_gso_wire_packets = 0;
	tx->hw_gso_wire_bytes = 0;
	tx->stop = 0;
	tx->wake = 0;

	for (i = eoe->queues; i < eoe->cfg.queues; i++) {
		eoe_qstats_rx(ndev, i, &r);
		rx->packets += r.packets;
		rx->bytes += r.bytes;
		rx->alloc_fail += r.alloc_fail;
		rx->hw_drops += r.hw_drops;
		rx->hw_drop_overruns += r.hw_drop_overruns;
		rx->hw_gro_packets += r.hw_gro_packets;
		rx->hw_gro_bytes += r.hw_gro_bytes;
		rx->hw_gro_wire_packets += r.hw_gro_wire_packets;
		rx->hw_gro_wire_bytes += r.hw_gro_wire_bytes;

		eoe_qstats_tx(ndev, i, &t);
		tx->packets += t.packets;
		tx->bytes += t.bytes;
		tx->needs_csum += t.needs_csum;
		tx->hw_gso_packets += t.hw_gso_packets;
		tx->hw_gso_bytes += t.hw_gso_bytes;
		tx->hw_gso_wire_packets += t.hw_gso_wire_packets;
		tx->hw_gso_wire_bytes += t.hw_gso_wire_bytes;
		tx->stop += t.stop;
		tx->wake += t.wake;
	}
}

static const struct netdev_stat_ops eoe_stat_ops = {
	.get_queue_stats_rx = eoe_qstats_rx,
	.get_queue_stats_tx = eoe_qstats_tx,
	.get_base_stats = eoe_qstats_base,
};

/**
 * eoe_qstats_attach() - offer queue statistics
 * @ndev: the interface, not yet registered
 */
void eoe_qstats_attach(struct net_device *ndev)
{
	ndev->stat_ops = &eoe_stat_ops;
}
