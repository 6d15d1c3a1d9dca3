// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool, but for the rules (rules.c) and the counters (stats.c).
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
	return eoe_resize(eoe, ring->tx_pending, ring->rx_pending);
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
	ch->combined_count = eoe->cfg.queues;
}

static int eoe_get_sset_count(struct net_device *ndev, int sset)
{
	return sset == ETH_SS_STATS ? eoe_stats_count(netdev_priv(ndev)) :
				      -EOPNOTSUPP;
}

static void eoe_get_strings(struct net_device *ndev, u32 sset, u8 *data)
{
	if (sset == ETH_SS_STATS)
		eoe_stats_strings(netdev_priv(ndev), data);
}

static void eoe_get_ethtool_stats(struct net_device *ndev,
				  struct ethtool_stats *stats, u64 *data)
{
	eoe_stats_values(netdev_priv(ndev), data);
}

static void eoe_get_eth_mac_stats(struct net_device *ndev,
				  struct ethtool_eth_mac_stats *s)
{
	struct eoe *eoe = netdev_priv(ndev);

	if (test_bit(EOE_RUNNING, &eoe->flags))
		eoe_hw_stats_sample(eoe);
	s->FramesTransmittedOK = eoe_mac_stat(eoe, 0x708);
	s->OctetsTransmittedOK = eoe_mac_stat(eoe, 0x718);
	s->MulticastFramesXmittedOK = eoe_mac_stat(eoe, 0x7d8);
	s->BroadcastFramesXmittedOK = eoe_mac_stat(eoe, 0x7e0);
	s->FramesReceivedOK = eoe_mac_stat(eoe, 0x810);
	s->OctetsReceivedOK = eoe_mac_stat(eoe, 0x820);
	s->MulticastFramesReceivedOK = eoe_mac_stat(eoe, 0x8e0);
	s->BroadcastFramesReceivedOK = eoe_mac_stat(eoe, 0x8e8);
	s->FrameCheckSequenceErrors = eoe_mac_stat(eoe, 0x8c0);
	s->InRangeLengthErrors = eoe_mac_stat(eoe, 0x908);
	s->FrameTooLongErrors = eoe_mac_stat(eoe, 0x8a8);
}

/* The ranges of PG210; the one before the last is 4096 to 8191. */
static const struct ethtool_rmon_hist_range eoe_rmon_ranges[] = {
	{ 0, 64 }, { 65, 127 }, { 128, 255 }, { 256, 511 }, { 512, 1023 },
	{ 1024, 1518 }, { 1519, 1522 }, { 1523, 1548 }, { 1549, 2047 },
	{ 2048, 4095 }, { 4096, 8191 }, { 8192, 9215 },
	{}
};

#define XXV_TX_HISTOGRAM	0x720
#define XXV_RX_HISTOGRAM	0x828
#define XXV_HISTOGRAM_STRIDE	8

static void eoe_get_rmon_stats(struct net_device *ndev,
			       struct ethtool_rmon_stats *s,
			       const struct ethtool_rmon_hist_range **ranges)
{
	struct eoe *eoe = netdev_priv(ndev);
	unsigned int i;

	/* The kernel has room for fewer ranges than the MAC counts. */
	unsigned int n = min_t(unsigned int, ETHTOOL_RMON_HIST_MAX,
			       ARRAY_SIZE(eoe_rmon_ranges) - 1);

	if (test_bit(EOE_RUNNING, &eoe->flags))
		eoe_hw_stats_sample(eoe);
	s->undersize_pkts = eoe_mac_stat(eoe, 0x898);
	s->oversize_pkts = eoe_mac_stat(eoe, 0x8a8);
	s->fragments = eoe_mac_stat(eoe, 0x8a0);
	s->jabbers = eoe_mac_stat(eoe, 0x8b8);
	for (i = 0; i < n; i++) {
		u32 offset = i * XXV_HISTOGRAM_STRIDE;

		s->hist[i] = eoe_mac_stat(eoe, XXV_RX_HISTOGRAM + offset);
		s->hist_tx[i] = eoe_mac_stat(eoe, XXV_TX_HISTOGRAM + offset);
	}
	*ranges = eoe_rmon_ranges;
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

	return phylink_ethtool_nway_reset(eoe->phylink);
}

const struct ethtool_ops eoe_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_USECS |
				     ETHTOOL_COALESCE_MAX_FRAMES,
	.get_drvinfo = eoe_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = eoe_get_link_ksettings,
	.set_link_ksettings = eoe_set_link_ksettings,
	.nway_reset = eoe_nway_reset,
	.get_ringparam = eoe_get_ringparam,
	.set_ringparam = eoe_set_ringparam,
	.get_coalesce = eoe_get_coalesce,
	.set_coalesce = eoe_set_coalesce,
	.get_channels = eoe_get_channels,
	.get_sset_count = eoe_get_sset_count,
	.get_strings = eoe_get_strings,
	.get_ethtool_stats = eoe_get_ethtool_stats,
	.get_eth_mac_stats = eoe_get_eth_mac_stats,
	.get_rmon_stats = eoe_get_rmon_stats,
	.get_rxnfc = eoe_rules_get,
	.set_rxnfc = eoe_rules_set,
	.get_ts_info = ethtool_op_get_ts_info,
};
