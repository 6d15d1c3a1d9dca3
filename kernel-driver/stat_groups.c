// SPDX-License-Identifier: GPL-2.0-only
/*
 * The MAC's counters in the groups ethtool -S --groups and -I -a know.
 */
#include <linux/ethtool.h>

#include "eoe.h"

/**
 * eoe_get_eth_mac_stats() - IEEE 802.3 30.3.1.1
 * @ndev: the interface
 * @s: filled
 */
void eoe_get_eth_mac_stats(struct net_device *ndev,
			   struct ethtool_eth_mac_stats *s)
{
	struct eoe *eoe = netdev_priv(ndev);

	eoe_hw_stats_refresh(eoe);
	s->FramesTransmittedOK = eoe_mac_stat(eoe, XXV_TX_GOOD_PACKETS);
	s->OctetsTransmittedOK = eoe_mac_stat(eoe, XXV_TX_GOOD_BYTES);
	s->MulticastFramesXmittedOK = eoe_mac_stat(eoe, XXV_TX_MULTICAST);
	s->BroadcastFramesXmittedOK = eoe_mac_stat(eoe, XXV_TX_BROADCAST);
	s->FramesReceivedOK = eoe_mac_stat(eoe, XXV_RX_GOOD_PACKETS);
	s->OctetsReceivedOK = eoe_mac_stat(eoe, XXV_RX_GOOD_BYTES);
	s->MulticastFramesReceivedOK = eoe_mac_stat(eoe, XXV_RX_MULTICAST);
	s->BroadcastFramesReceivedOK = eoe_mac_stat(eoe, XXV_RX_BROADCAST);
	s->FrameCheckSequenceErrors = eoe_mac_stat(eoe, XXV_RX_BAD_FCS);
	s->InRangeLengthErrors = eoe_mac_stat(eoe, XXV_RX_INRANGE);
	s->FrameTooLongErrors = eoe_mac_stat(eoe, XXV_RX_OVERSIZE);
}

/**
 * eoe_get_pause_stats() - pause frames
 * @ndev: the interface
 * @s: filled
 */
void eoe_get_pause_stats(struct net_device *ndev, struct ethtool_pause_stats *s)
{
	struct eoe *eoe = netdev_priv(ndev);

	eoe_hw_stats_refresh(eoe);
	s->tx_pause_frames = eoe_mac_stat(eoe, XXV_TX_PAUSE_FRAMES);
	s->rx_pause_frames = eoe_mac_stat(eoe, XXV_RX_PAUSE_FRAMES);
}

/*
 * The MAC counts more ranges than the kernel has room for, so the three between
 * 1519 and 2047 are one.
 */
static const struct ethtool_rmon_hist_range eoe_rmon_ranges[] = {
	{ 64, 64 }, { 65, 127 }, { 128, 255 }, { 256, 511 }, { 512, 1023 },
	{ 1024, 1518 }, { 1519, 2047 }, { 2048, 4095 }, { 4096, 8191 },
	{ 8192, 9215 },
	{}
};

/* Which of the ranges above the bins of the MAC are in */
static const u8 eoe_rmon_range_of[XXV_HISTOGRAM_BINS] = {
	0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 8, 9,
};

static void eoe_rmon_histogram(struct eoe *eoe, u32 base, u64 *hist)
{
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(eoe_rmon_ranges) - 1 > ETHTOOL_RMON_HIST_MAX);
	for (i = 0; i < ARRAY_SIZE(eoe_rmon_ranges) - 1; i++)
		hist[i] = 0;
	for (i = 0; i < XXV_HISTOGRAM_BINS; i++)
		hist[eoe_rmon_range_of[i]] +=
			eoe_mac_stat(eoe, base + i * XXV_HISTOGRAM_STRIDE);
}

/**
 * eoe_get_rmon_stats() - RFC 2819 etherStatsTable
 * @ndev: the interface
 * @s: filled
 * @ranges: of the histograms
 */
void eoe_get_rmon_stats(struct net_device *ndev, struct ethtool_rmon_stats *s,
			const struct ethtool_rmon_hist_range **ranges)
{
	struct eoe *eoe = netdev_priv(ndev);

	eoe_hw_stats_refresh(eoe);
	s->undersize_pkts = eoe_mac_stat(eoe, XXV_RX_UNDERSIZE);
	s->oversize_pkts = eoe_mac_stat(eoe, XXV_RX_OVERSIZE);
	s->fragments = eoe_mac_stat(eoe, XXV_RX_FRAGMENT);
	s->jabbers = eoe_mac_stat(eoe, XXV_RX_JABBER);
	eoe_rmon_histogram(eoe, XXV_RX_HISTOGRAM, s->hist);
	eoe_rmon_histogram(eoe, XXV_TX_HISTOGRAM, s->hist_tx);
	*ranges = eoe_rmon_ranges;
}
