// SPDX-License-Identifier: GPL-2.0-only
/*
 * The network interface: up, down, and what changes while it is up.
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/of_net.h>

#include "eoe.h"

/* Time for frames already queued to leave when the interface goes down. */
#define EOE_TX_IDLE_TRIES	20

#define EOE_STATS_PERIOD	(2 * HZ)

/*
 * Kernels from 6.17 on wait in `threaded` until every NAPI that is listed is
 * enabled, so one that is off must not be listed.
 */
static void eoe_napi_on(struct eoe *eoe)
{
	struct net_device *ndev = eoe->ndev;
	unsigned int i;

	for (i = 0; i < eoe->queues; i++) {
		struct eoe_queue *q = &eoe->queue[i];

		netif_napi_add_tx(ndev, &q->tx.napi, eoe_tx_poll);
		eoe_napi_set_irq(&q->tx.napi, eoe->cfg.tx_irq[i]);
		eoe_napi_add(ndev, &q->rx.napi, eoe_rx_poll, i);
		eoe_napi_set_irq(&q->rx.napi, eoe->cfg.rx_irq[i]);
		napi_enable(&q->tx.napi);
		napi_enable(&q->rx.napi);
		eoe_queue_set_napi(ndev, i, true, &q->rx.napi);
		eoe_queue_set_napi(ndev, i, false, &q->tx.napi);
	}
}

static void eoe_napi_off(struct eoe *eoe)
{
	struct net_device *ndev = eoe->ndev;
	unsigned int i;

	for (i = 0; i < eoe->queues; i++) {
		struct eoe_queue *q = &eoe->queue[i];

		eoe_queue_set_napi(ndev, i, true, NULL);
		eoe_queue_set_napi(ndev, i, false, NULL);
		napi_disable(&q->tx.napi);
		napi_disable(&q->rx.napi);
		timer_delete_sync(&q->refill);
		__netif_napi_del(&q->tx.napi);
		__netif_napi_del(&q->rx.napi);
	}
	/*
	 * A poll looks at its ring once more after napi_complete_done(), and
	 * what walks the list of NAPIs may still be there.
	 */
	synchronize_net();
}

/**
 * eoe_start() - start engine, MAC and polling on the rings in place
 * @eoe: the port, stopped; interrupts requested; called with RTNL held
 *
 * Return: 0, or a negative error with everything stopped
 */
int eoe_start(struct eoe *eoe)
{
	int ret;

	if (eoe_is_lost(eoe))
		return -ENODEV;
	ret = eoe_dma_reset(eoe);
	if (ret == -ENODEV)
		eoe_lost(eoe);
	if (ret)
		return ret;

	/* The reset has put MAC and Offload Engine streams to defaults. */
	eoe_mac_configure(eoe);
	eoe_hw_stats_discard(eoe);
	eoe_offload_configure(eoe);
	eoe_dma_set_moderation(eoe);

	eoe_napi_on(eoe);
	clear_bit(EOE_FAILED, &eoe->flags);
	clear_bit(EOE_TX_HELD, &eoe->flags);
	set_bit(EOE_RUNNING, &eoe->flags);

	ret = eoe_dma_start(eoe);
	if (ret == -ENODEV)
		eoe_lost(eoe);
	if (ret) {
		eoe_stop(eoe);
		return ret;
	}
	eoe_rules_start(eoe);
	eoe_mac_enable(eoe, true, true);
	schedule_delayed_work(&eoe->stats_work, EOE_STATS_PERIOD);
	return 0;
}

static bool eoe_tx_idle(const struct eoe *eoe)
{
	unsigned int i;

	for (i = 0; i < eoe->queues; i++) {
		const struct eoe_tx_ring *ring = eoe->queue[i].tx_ring;

		if (READ_ONCE(ring->use) != READ_ONCE(ring->clean))
			return false;
	}
	return true;
}

/* To the watchdog a queue that is held looks like one that hangs. */
static void eoe_tx_touch(struct net_device *ndev)
{
	unsigned int i;

	for (i = 0; i < ndev->num_tx_queues; i++)
		WRITE_ONCE(netdev_get_tx_queue(ndev, i)->trans_start, jiffies);
}

/**
 * eoe_resume() - start again after a stop; the stack may send
 * @eoe: the port, stopped; called with RTNL held
 *
 * Return: 0, or a negative error with the link down and everything stopped
 */
int eoe_resume(struct eoe *eoe)
{
	struct net_device *ndev = eoe->ndev;
	int ret;

	ret = eoe_start(eoe);
	if (ret) {
		netdev_err(ndev, "engine does not start again: %d\n", ret);
		phylink_stop(eoe->phylink);
		return ret;
	}
	eoe_tx_touch(ndev);
	netif_tx_wake_all_queues(ndev);
	return 0;
}

/**
 * eoe_restart() - start a port whose link is stopped, too
 * @eoe: the port, up to the user; called with RTNL held
 *
 * Return: 0, or a negative error with the port and its link stopped
 */
int eoe_restart(struct eoe *eoe)
{
	eoe_rings_rewind(eoe);
	phylink_start(eoe->phylink);
	return eoe_resume(eoe);
}

/**
 * eoe_stop() - stop engine, MAC and polling; rings keep what is in them
 * @eoe: the port; called with RTNL held
 *
 * The transmit queues are left stopped.
 */
void eoe_stop(struct eoe *eoe)
{
	unsigned int i;

	/* Nothing new: no packets, no frames from the wire, no merges. */
	set_bit(EOE_TX_HELD, &eoe->flags);
	eoe_tx_touch(eoe->ndev);
	netif_tx_disable(eoe->ndev);
	eoe_mac_enable(eoe, true, false);
	eoe_rules_stop(eoe);
	for (i = 0; i < EOE_TX_IDLE_TRIES && !eoe_tx_idle(eoe) &&
	     !test_bit(EOE_FAILED, &eoe->flags); i++)
		usleep_range(1000, 2000);

	/* All lines down before anything waits for one poll to end. */
	clear_bit(EOE_RUNNING, &eoe->flags);
	for (i = 0; i < eoe->queues; i++) {
		eoe_irq_off(&eoe->queue[i].tx);
		eoe_irq_off(&eoe->queue[i].rx);
	}
	eoe_napi_off(eoe);
	/* A completion may have woken a queue just before it was held. */
	netif_tx_disable(eoe->ndev);

	cancel_delayed_work_sync(&eoe->stats_work);
	eoe_hw_stats_sample(eoe);
	eoe_dma_stop(eoe);
	eoe_mac_enable(eoe, false, false);
}

static int eoe_open(struct net_device *ndev)
{
	struct eoe *eoe = netdev_priv(ndev);
	struct eoe_rings rings;
	int ret;

	ret = eoe_rings_alloc(eoe, &rings, eoe->queues, eoe->tx_count,
			      eoe->rx_count);
	if (ret)
		return ret;
	eoe_rings_swap(eoe, &rings);

	ret = eoe_irq_request(eoe);
	if (ret)
		goto err_rings;
	ret = phylink_of_phy_connect(eoe->phylink, eoe->dev->of_node, 0);
	if (ret)
		goto err_irq;

	eoe_mac_gt_reset(eoe);
	eoe->resets = 0;
	ret = eoe_start(eoe);
	if (ret)
		goto err_phy;

	phylink_start(eoe->phylink);
	eoe_health_good(eoe);
	netif_tx_start_all_queues(ndev);
	return 0;

err_phy:
	phylink_disconnect_phy(eoe->phylink);
err_irq:
	eoe_irq_free(eoe);
err_rings:
	eoe_rings_swap(eoe, &rings);
	eoe_rings_free(eoe, &rings);
	return ret;
}

static int eoe_close(struct net_device *ndev)
{
	struct eoe *eoe = netdev_priv(ndev);
	struct eoe_rings rings = {};
	unsigned int i;

	/* A port that has failed for good has stopped its link already. */
	if (test_bit(EOE_RUNNING, &eoe->flags))
		phylink_stop(eoe->phylink);
	phylink_disconnect_phy(eoe->phylink);
	if (test_bit(EOE_RUNNING, &eoe->flags))
		eoe_stop(eoe);
	eoe_irq_free(eoe);
	eoe_rings_swap(eoe, &rings);
	eoe_rings_free(eoe, &rings);
	for (i = 0; i < eoe->cfg.queues; i++)
		netdev_tx_reset_queue(netdev_get_tx_queue(ndev, i));
	return 0;
}

/* Tells the stack how many queues there are; only more of them can fail. */
static int eoe_set_queues(struct eoe *eoe, unsigned int queues)
{
	int ret = netif_set_real_num_queues(eoe->ndev, queues, queues);

	if (ret)
		return ret;
	eoe->queues = queues;
	eoe_rules_set_usable(eoe);
	return 0;
}

/**
 * eoe_resize() - change number and sizes of the rings, up or down
 * @eoe: the port; called with RTNL held
 * @queues: queues to use; no rule is on any that is left out
 * @tx_count: descriptors of each transmit ring
 * @rx_count: descriptors of each receive ring
 *
 * New rings are made before the old ones are given up. The engine rests
 * meanwhile, because a page_pool must not go while its NAPI is enabled.
 *
 * Return: 0 or a negative error; after -ENOMEM the old rings still run
 */
int eoe_resize(struct eoe *eoe, unsigned int queues, u32 tx_count,
	       u32 rx_count)
{
	bool running = test_bit(EOE_RUNNING, &eoe->flags);
	struct eoe_rings rings = {};
	int ret = 0, err = 0;

	/* A port that has failed starts again with the rings it has. */
	if (!running && netif_running(eoe->ndev) && queues != eoe->queues)
		return -ENETDOWN;
	if (running) {
		eoe_stop(eoe);
		eoe_rings_rewind(eoe);
		ret = eoe_rings_alloc(eoe, &rings, queues, tx_count, rx_count);
	}
	if (!ret && queues != eoe->queues)
		ret = eoe_set_queues(eoe, queues);
	if (!ret) {
		if (running)
			eoe_rings_swap(eoe, &rings);
		eoe->tx_count = tx_count;
		eoe->rx_count = rx_count;
	}
	if (running) {
		eoe_rings_free(eoe, &rings);
		err = eoe_resume(eoe);
	}
	return ret ?: err;
}

static int eoe_change_mtu(struct net_device *ndev, int mtu)
{
	struct eoe *eoe = netdev_priv(ndev);

	WRITE_ONCE(ndev->mtu, mtu);
	if (!test_bit(EOE_RUNNING, &eoe->flags))
		return 0;
	/* The receiver's limit must not change under a frame. */
	eoe_stop(eoe);
	eoe_rings_rewind(eoe);
	return eoe_resume(eoe);
}

static int eoe_set_features(struct net_device *ndev, netdev_features_t features)
{
	struct eoe *eoe = netdev_priv(ndev);
	netdev_features_t changed = ndev->features ^ features;

	if (changed & NETIF_F_GRO_HW && test_bit(EOE_RUNNING, &eoe->flags)) {
		if (features & NETIF_F_GRO_HW) {
			ndev->features |= NETIF_F_GRO_HW;
			eoe_rules_start(eoe);
		} else {
			eoe_rules_stop(eoe);
		}
	}
	return 0;
}

static netdev_features_t eoe_fix_features(struct net_device *ndev,
					  netdev_features_t features)
{
	/* What it merges it has verified; it does not merge unverified. */
	if (!(features & NETIF_F_RXCSUM))
		features &= ~NETIF_F_GRO_HW;
	return features;
}

static int eoe_ioctl(struct net_device *ndev, struct ifreq *ifr, int cmd)
{
	struct eoe *eoe = netdev_priv(ndev);

	return phylink_mii_ioctl(eoe->phylink, ifr, cmd);
}

const struct net_device_ops eoe_netdev_ops = {
	.ndo_open = eoe_open,
	.ndo_stop = eoe_close,
	.ndo_start_xmit = eoe_xmit,
	.ndo_features_check = eoe_features_check,
	.ndo_tx_timeout = eoe_tx_timeout,
	.ndo_get_stats64 = eoe_get_stats64,
	.ndo_change_mtu = eoe_change_mtu,
	.ndo_set_features = eoe_set_features,
	.ndo_fix_features = eoe_fix_features,
	.ndo_eth_ioctl = eoe_ioctl,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static void eoe_features_init(struct eoe *eoe)
{
	struct net_device *ndev = eoe->ndev;
	netdev_features_t toggle = 0;

	if (eoe->cfg.dre)
		toggle |= NETIF_F_SG;
	/*
	 * The engine knows IPv4 only, and eoe_features_check() sees to that. The
	 * stack wants more than NETIF_F_IP_CSUM before it lets UDP be cut.
	 */
	if (eoe->cfg.tx_offload >= 1)
		toggle |= NETIF_F_HW_CSUM;
	/* A packet to cut is larger than an aligned copy should be. */
	if (eoe->cfg.tx_offload == 2 && eoe->cfg.dre)
		toggle |= NETIF_F_GSO_UDP_L4;
	/* Nothing says that the engine looks behind a VLAN tag. */
	ndev->vlan_features = (toggle & NETIF_F_SG) | NETIF_F_HIGHDMA;

	if (eoe->rules.usable) {
		toggle |= NETIF_F_RXCSUM | NETIF_F_GRO_HW;
		ndev->features |= NETIF_F_NTUPLE;
	}
	ndev->hw_features = toggle;
	ndev->features |= toggle | NETIF_F_HIGHDMA;
}

/**
 * eoe_netdev_init() - fill the network device before it is registered
 * @eoe: the port
 */
void eoe_netdev_init(struct eoe *eoe)
{
	struct net_device *ndev = eoe->ndev;

	ndev->netdev_ops = &eoe_netdev_ops;
	ndev->ethtool_ops = &eoe_ethtool_ops;
	ndev->min_mtu = ETH_MIN_MTU;
	ndev->max_mtu = min_t(u32, EOE_MTU_MAX,
			      eoe->cfg.rxmem - EOE_ETH_OVERHEAD);
	ndev->mtu = min_t(u32, ETH_DATA_LEN, ndev->max_mtu);
	ndev->watchdog_timeo = 5 * HZ;
	eoe_qstats_attach(ndev);
	eoe_features_init(eoe);

	eoe->tx_count = EOE_TX_RING_DEFAULT;
	eoe->rx_count = EOE_RX_RING_DEFAULT;
	eoe->tx_coal.usecs = EOE_USECS_DEFAULT;
	eoe->tx_coal.frames = EOE_TX_FRAMES_DEFAULT;
	eoe->rx_coal.usecs = EOE_USECS_DEFAULT;
	eoe->rx_coal.frames = EOE_RX_FRAMES_DEFAULT;
}
