// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool, but for the rules (rules.c), the counters (stats.c, stat_groups.c), the
 * registers (regs.c) and the self-test (selftest.c).
 */
#include <linux/ethtool.h>

#include "eoe.h"

static void eoe_get_drvinfo(struct net_device *ndev,
			    struct ethtool_drvinfo *info)
{
	struct eoe *eoe = netdev_priv(ndev);

	strscpy(info->driver, EOE_DRIVER_NAME, sizeof(info->driver));
	snprintf(info->fw_version, sizeof(info->fw_version), "xxv %u.%u",
		 eoe->mac_version >> 8, eoe->mac_version & 0xff);
	strscpy(info->bus_info, dev_name(eoe->dev), sizeof(info->bus_info));
}

static void eoe_get_ringparam(struct net_device *ndev,
			      struct ethtool_ringparam *ring,
			      struct kernel_ethtool_ringparam *kernel_ring,
			      struct netlink_ext_ack *extack)
{
	struct eoe *eoe = netdev_priv(ndev);

	ring->rx_max_pending = EOE_RING_MAX;
	ring->tx_max_pending = EOE_RING_MAX;
	ring->rx_pending = eoe->rx_count;
	ring->tx_pending = eoe->tx_count;
}

static int eoe_set_ringparam(struct net_device *ndev,
			     struct ethtool_ringparam *ring,
			     struct kernel_ethtool_ringparam *kernel_ring,
			     struct netlink_ext_ack *extack)
{
	struct eoe *eoe = netdev_priv(ndev);

	if (ring->rx_mini_pending || ring->rx_jumbo_pending)
		return -EINVAL;
	if (ring->rx_pending < EOE_RX_RING_MIN) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "rx must be at least %u",
				       EOE_RX_RING_MIN);
		return -EINVAL;
	}
	if (ring->tx_pending < EOE_TX_RING_MIN) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "tx must be at least %u, two of the largest packets",
				       EOE_TX_RING_MIN);
		return -EINVAL;
	}
	if (ring->rx_pending == eoe->rx_count &&
	    ring->tx_pending == eoe->tx_count)
		return 0;
	return eoe_resize(eoe, eoe->queues, ring->tx_pending,
			  ring->rx_pending);
}

static int eoe_get_coalesce(struct net_device *ndev,
			    struct ethtool_coalesce *coal,
			    struct kernel_ethtool_coalesce *kernel_coal,
			    struct netlink_ext_ack *extack)
{
	struct eoe *eoe = netdev_priv(ndev);

	coal->rx_coalesce_usecs = eoe->rx_coal.usecs;
	coal->rx_max_coalesced_frames = eoe->rx_coal.frames;
	coal->tx_coalesce_usecs = eoe->tx_coal.usecs;
	coal->tx_max_coalesced_frames = eoe->tx_coal.frames;
	return 0;
}

static int eoe_check_coalesce(struct eoe *eoe, const char *dir, u32 usecs,
			      u32 frames, struct netlink_ext_ack *extack)
{
	u32 max = eoe_timeout_usecs_max(eoe->cfg.sg_clk_hz);

	if (usecs > max) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "%s-usecs is at most %u", dir,
				       max);
		return -ERANGE;
	}
	if (!frames || frames > MCDMA_THRESHOLD_MAX) {
		NL_SET_ERR_MSG_FMT_MOD(extack, "%s-frames must be 1 to %u",
				       dir, MCDMA_THRESHOLD_MAX);
		return -ERANGE;
	}
	/* The last packets of a burst would wait for ever. */
	if (frames > 1 && !usecs) {
		NL_SET_ERR_MSG_FMT_MOD(extack,
				       "%s-frames above 1 needs %s-usecs",
				       dir, dir);
		return -EINVAL;
	}
	return 0;
}

static int eoe_set_coalesce(struct net_device *ndev,
			    struct ethtool_coalesce *coal,
			    struct kernel_ethtool_coalesce *kernel_coal,
			    struct netlink_ext_ack *extack)
{
	struct eoe *eoe = netdev_priv(ndev);
	int ret;

	ret = eoe_check_coalesce(eoe, "rx", coal->rx_coalesce_usecs,
				 coal->rx_max_coalesced_frames, extack);
	if (ret)
		return ret;
	ret = eoe_check_coalesce(eoe, "tx", coal->tx_coalesce_usecs,
				 coal->tx_max_coalesced_frames, extack);
	if (ret)
		return ret;

	eoe->rx_coal.usecs = coal->rx_coalesce_usecs;
	eoe->rx_coal.frames = coal->rx_max_coalesced_frames;
	eoe->tx_coal.usecs = coal->tx_coalesce_usecs;
	eoe->tx_coal.frames = coal->tx_max_coalesced_frames;
	eoe_dma_set_moderation(eoe);
	if (test_bit(EOE_RUNNING, &eoe->flags))
		eoe_offload_set_timeout(eoe);
	return 0;
}

static void eoe_get_channels(struct net_device *ndev,
			     struct ethtool_channels *ch)
{
	struct eoe *eoe = netdev_priv(ndev);

	ch->max_combined = eoe->cfg.queues;
	ch->combined_count = eoe->queues;
}

/* A queue is a pair of channels, and what leaves is the last of them. */
static int eoe_set_channels(struct net_device *ndev,
			    struct ethtool_channels *ch)
{
	struct eoe *eoe = netdev_priv(ndev);
	unsigned int i;

	/* Numbers above the largest do not get here. */
	if (!ch->combined_count)
		return -EINVAL;
	for (i = ch->combined_count; i < eoe->queues; i++) {
		if (!eoe_queue_is_gro(eoe, i) && eoe->cfg.rx_offload == 2) {
			netdev_info(ndev, "queue %u takes all that no rule is for\n", i);
			return -EINVAL;
		}
		if (eoe_rule_get(&eoe->rules, i)) {
			netdev_info(ndev, "rule %u needs its queue\n", i);
			return -EBUSY;
		}
	}
	if (ch->combined_count == eoe->queues)
		return 0;
	return eoe_resize(eoe, ch->combined_count, eoe->tx_count,
			  eoe->rx_count);
}

static int eoe_get_sset_count(struct net_device *ndev, int sset)
{
	switch (sset) {
	case ETH_SS_STATS:
		return eoe_stats_count(netdev_priv(ndev));
	case ETH_SS_TEST:
		return eoe_self_test_count();
	default:
		return -EOPNOTSUPP;
	}
}

static void eoe_get_strings(struct net_device *ndev, u32 sset, u8 *data)
{
	if (sset == ETH_SS_STATS)
		eoe_stats_strings(netdev_priv(ndev), data);
	else if (sset == ETH_SS_TEST)
		eoe_self_test_strings(data);
}

static void eoe_get_ethtool_stats(struct net_device *ndev,
				  struct ethtool_stats *stats, u64 *data)
{
	eoe_stats_values(netdev_priv(ndev), data);
}

static int eoe_get_link_ksettings(struct net_device *ndev,
				  struct ethtool_link_ksettings *ks)
{
	struct eoe *eoe = netdev_priv(ndev);

	return phylink_ethtool_ksettings_get(eoe->phylink, ks);
}

static int eoe_set_link_ksettings(struct net_device *ndev,
				  const struct ethtool_link_ksettings *ks)
{
	struct eoe *eoe = netdev_priv(ndev);

	return phylink_ethtool_ksettings_set(eoe->phylink, ks);
}

static int eoe_nway_reset(struct net_device *ndev)
{
	struct eoe *eoe = netdev_priv(ndev);

	/* phylink restarts a PCS in its BASE-X modes only. */
	if (eoe->cfg.autoneg && netif_running(ndev))
		eoe_mac_an_restart(eoe);
	return phylink_ethtool_nway_reset(eoe->phylink);
}

static void eoe_get_pauseparam(struct net_device *ndev,
			       struct ethtool_pauseparam *pause)
{
	struct eoe *eoe = netdev_priv(ndev);

	phylink_ethtool_get_pauseparam(eoe->phylink, pause);
}

static int eoe_set_pauseparam(struct net_device *ndev,
			      struct ethtool_pauseparam *pause)
{
	struct eoe *eoe = netdev_priv(ndev);

	return phylink_ethtool_set_pauseparam(eoe->phylink, pause);
}

const struct ethtool_ops eoe_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_USECS |
				     ETHTOOL_COALESCE_MAX_FRAMES,
	.get_drvinfo = eoe_get_drvinfo,
	.get_regs_len = eoe_get_regs_len,
	.get_regs = eoe_get_regs,
	.self_test = eoe_self_test,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = eoe_get_link_ksettings,
	.set_link_ksettings = eoe_set_link_ksettings,
	.nway_reset = eoe_nway_reset,
	.get_pauseparam = eoe_get_pauseparam,
	.set_pauseparam = eoe_set_pauseparam,
	.get_pause_stats = eoe_get_pause_stats,
	.get_ringparam = eoe_get_ringparam,
	.set_ringparam = eoe_set_ringparam,
	.get_coalesce = eoe_get_coalesce,
	.set_coalesce = eoe_set_coalesce,
	.get_channels = eoe_get_channels,
	.set_channels = eoe_set_channels,
	.get_sset_count = eoe_get_sset_count,
	.get_strings = eoe_get_strings,
	.get_ethtool_stats = eoe_get_ethtool_stats,
	.get_eth_mac_stats = eoe_get_eth_mac_stats,
	.get_rmon_stats = eoe_get_rmon_stats,
	EOE_ETHTOOL_RX_RING_COUNT(eoe_rx_ring_count)
	.get_rxnfc = eoe_rules_get,
	.set_rxnfc = eoe_rules_set,
	.get_ts_info = ethtool_op_get_ts_info,
};
