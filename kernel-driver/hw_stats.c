// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that live in the hardware.
 *
 * XXV (PG210) accumulates into 48 bits. A tick moves the accumulators into
 * readable copies and zeroes them, so every reading is the difference to the one
 * before, and tick and reading belong under one lock. The other blocks have
 * plain counters that wrap, or that are cleared by reading.
 */
#include <linux/ethtool.h>

#include "eoe.h"

struct eoe_hw_stat {
	u32 offset;
	char name[ETH_GSTRING_LEN];
};

static const struct eoe_hw_stat eoe_xxv_stats[] = {
	{ 0x648, "mac_rx_framing_errors" },
	{ 0x660, "mac_rx_bad_code" },
	{ 0x6a0, "mac_tx_frame_errors" },
	{ 0x700, "mac_tx_packets" },
	{ 0x708, "mac_tx_good_packets" },
	{ 0x710, "mac_tx_bytes" },
	{ 0x718, "mac_tx_good_bytes" },
	{ 0x720, "mac_tx_64" },
	{ 0x728, "mac_tx_65_127" },
	{ 0x730, "mac_tx_128_255" },
	{ 0x738, "mac_tx_256_511" },
	{ 0x740, "mac_tx_512_1023" },
	{ 0x748, "mac_tx_1024_1518" },
	{ 0x750, "mac_tx_1519_1522" },
	{ 0x758, "mac_tx_1523_1548" },
	{ 0x760, "mac_tx_1549_2047" },
	{ 0x768, "mac_tx_2048_4095" },
	{ 0x770, "mac_tx_4096_8191" },
	{ 0x778, "mac_tx_8192_9215" },
	{ 0x780, "mac_tx_small" },
	{ 0x788, "mac_tx_large" },
	{ 0x7b8, "mac_tx_bad_fcs" },
	{ 0x7d0, "mac_tx_unicast" },
	{ 0x7d8, "mac_tx_multicast" },
	{ 0x7e0, "mac_tx_broadcast" },
	{ 0x7e8, "mac_tx_vlan" },
	{ 0x7f0, "mac_tx_pause" },
	{ 0x7f8, "mac_tx_user_pause" },
	{ 0x808, "mac_rx_packets" },
	{ 0x810, "mac_rx_good_packets" },
	{ 0x818, "mac_rx_bytes" },
	{ 0x820, "mac_rx_good_bytes" },
	{ 0x828, "mac_rx_64" },
	{ 0x830, "mac_rx_65_127" },
	{ 0x838, "mac_rx_128_255" },
	{ 0x840, "mac_rx_256_511" },
	{ 0x848, "mac_rx_512_1023" },
	{ 0x850, "mac_rx_1024_1518" },
	{ 0x858, "mac_rx_1519_1522" },
	{ 0x860, "mac_rx_1523_1548" },
	{ 0x868, "mac_rx_1549_2047" },
	{ 0x870, "mac_rx_2048_4095" },
	{ 0x878, "mac_rx_4096_8191" },
	{ 0x880, "mac_rx_8192_9215" },
	{ 0x888, "mac_rx_small" },
	{ 0x890, "mac_rx_large" },
	{ 0x898, "mac_rx_undersize" },
	{ 0x8a0, "mac_rx_fragment" },
	{ 0x8a8, "mac_rx_oversize" },
	{ 0x8b0, "mac_rx_too_long" },
	{ 0x8b8, "mac_rx_jabber" },
	{ 0x8c0, "mac_rx_bad_fcs" },
	{ 0x8c8, "mac_rx_packet_bad_fcs" },
	{ 0x8d0, "mac_rx_stomped_fcs" },
	{ 0x8d8, "mac_rx_unicast" },
	{ 0x8e0, "mac_rx_multicast" },
	{ 0x8e8, "mac_rx_broadcast" },
	{ 0x8f0, "mac_rx_vlan" },
	{ 0x8f8, "mac_rx_pause" },
	{ 0x900, "mac_rx_user_pause" },
	{ 0x908, "mac_rx_inrange_length" },
	{ 0x910, "mac_rx_truncated" },
};

static const struct eoe_hw_stat eoe_off_stats[] = {
	{ EOE_TX_ERROR_COUNT, "eoe_tx_errors" },
	{ EOE_RX_DROPPED, "eoe_rx_dropped" },
	{ EOE_RX_ERROR, "eoe_rx_csum_errors" },
	{ EOE_RX_NON_GRO, "eoe_rx_non_gro" },
	{ EOE_RX_TOTAL_GRO, "eoe_rx_gro" },
};

#define EOE_STATS_PERIOD	(2 * HZ)

/**
 * eoe_hw_stats_discard() - start counting from here
 * @eoe: the port, freshly reset
 *
 * Before the first tick the copies hold anything; after a reset the plain
 * counters start at 0 again.
 */
void eoe_hw_stats_discard(struct eoe *eoe)
{
	spin_lock_bh(&eoe->stats_lock);
	writel(XXV_TICK_SNAPSHOT, eoe->mac + XXV_TICK);
	memset(eoe->off_last, 0, sizeof(eoe->off_last));
	spin_unlock_bh(&eoe->stats_lock);
}

/*
 * A counter of the MAC may be all ones in its low half, never in its high one,
 * and one of the MCDMA is 16 bits wide. Of the engine's 32 bits nothing is
 * certain, so its version is asked.
 */
static bool eoe_hw_stats_add(struct eoe *eoe)
{
	unsigned int i;

	writel(XXV_TICK_SNAPSHOT, eoe->mac + XXV_TICK);
	for (i = 0; i < EOE_XXV_STATS; i++) {
		void __iomem *reg = eoe->mac + eoe_xxv_stats[i].offset;
		u64 low = readl(reg);
		u32 high = readl(reg + 4);

		if (eoe_gone(high))
			return false;
		eoe->mac_stats[i] += (u64)(high & XXV_STAT_HIGH) << 32 | low;
	}

	for (i = 0; eoe->off && i < EOE_OFF_STATS; i++) {
		u32 now = readl(eoe->off + eoe_off_stats[i].offset);

		if (eoe_gone(now) && eoe_gone(readl(eoe->off + EOE_VERSION)))
			return false;
		eoe->off_stats[i] += now - eoe->off_last[i];
		eoe->off_last[i] = now;
	}

	for (i = 0; i < eoe->cfg.queues; i++) {
		u32 drops = readl(eoe->queue[i].rx.regs + MCDMA_S2MM_CH_PKTDROP);

		if (eoe_gone(drops))
			return false;
		eoe->drops[i] += drops & U16_MAX;
	}
	return true;
}

/**
 * eoe_hw_stats_sample() - add what happened since the last call
 * @eoe: the port, with its registers accessible
 */
void eoe_hw_stats_sample(struct eoe *eoe)
{
	bool answered;

	BUILD_BUG_ON(ARRAY_SIZE(eoe_xxv_stats) != EOE_XXV_STATS);
	BUILD_BUG_ON(ARRAY_SIZE(eoe_off_stats) != EOE_OFF_STATS);

	if (eoe_is_lost(eoe))
		return;
	spin_lock_bh(&eoe->stats_lock);
	answered = eoe_hw_stats_add(eoe);
	spin_unlock_bh(&eoe->stats_lock);
	if (!answered)
		eoe_lost(eoe);
}

/**
 * eoe_hw_stats_refresh() - sample, if the hardware is up
 * @eoe: the port
 */
void eoe_hw_stats_refresh(struct eoe *eoe)
{
	if (test_bit(EOE_RUNNING, &eoe->flags))
		eoe_hw_stats_sample(eoe);
}

/**
 * eoe_hw_stats_work() - sample before a 16-bit counter can wrap unseen
 * @work: embedded in the port
 */
void eoe_hw_stats_work(struct work_struct *work)
{
	struct eoe *eoe = container_of(to_delayed_work(work), struct eoe,
				       stats_work);

	eoe_hw_stats_sample(eoe);
	schedule_delayed_work(&eoe->stats_work, EOE_STATS_PERIOD);
}

/**
 * eoe_mac_stat() - one accumulated counter of the MAC
 * @eoe: the port
 * @offset: register offset
 *
 * Return: its value; 0 for an offset that is not a counter
 */
u64 eoe_mac_stat(struct eoe *eoe, u32 offset)
{
	u64 value = 0;
	unsigned int i;

	for (i = 0; i < EOE_XXV_STATS; i++) {
		if (eoe_xxv_stats[i].offset != offset)
			continue;
		spin_lock_bh(&eoe->stats_lock);
		value = eoe->mac_stats[i];
		spin_unlock_bh(&eoe->stats_lock);
	}
	return value;
}

/**
 * eoe_off_stat() - one accumulated counter of the Offload Engine
 * @eoe: the port
 * @offset: register offset
 *
 * Return: its value
 */
u64 eoe_off_stat(struct eoe *eoe, u32 offset)
{
	u64 value = 0;
	unsigned int i;

	for (i = 0; i < EOE_OFF_STATS; i++) {
		if (eoe_off_stats[i].offset != offset)
			continue;
		spin_lock_bh(&eoe->stats_lock);
		value = eoe->off_stats[i];
		spin_unlock_bh(&eoe->stats_lock);
	}
	return value;
}

/**
 * eoe_hw_stats_strings() - names for ethtool -S
 * @eoe: the port
 * @data: advanced over what is written
 */
void eoe_hw_stats_strings(const struct eoe *eoe, u8 **data)
{
	unsigned int i;

	for (i = 0; eoe->off && i < EOE_OFF_STATS; i++)
		ethtool_puts(data, eoe_off_stats[i].name);
	for (i = 0; i < EOE_XXV_STATS; i++)
		ethtool_puts(data, eoe_xxv_stats[i].name);
}

/**
 * eoe_hw_stats_values() - values in the order of eoe_hw_stats_strings()
 * @eoe: the port
 * @data: where to write
 *
 * Return: behind the last value
 */
u64 *eoe_hw_stats_values(struct eoe *eoe, u64 *data)
{
	spin_lock_bh(&eoe->stats_lock);
	if (eoe->off) {
		memcpy(data, eoe->off_stats, sizeof(eoe->off_stats));
		data += EOE_OFF_STATS;
	}
	memcpy(data, eoe->mac_stats, sizeof(eoe->mac_stats));
	spin_unlock_bh(&eoe->stats_lock);
	return data + EOE_XXV_STATS;
}

/**
 * eoe_hw_stats_count() - number of values
 * @eoe: the port
 *
 * Return: as many as the other two functions write
 */
int eoe_hw_stats_count(const struct eoe *eoe)
{
	return (eoe->off ? EOE_OFF_STATS : 0) + EOE_XXV_STATS;
}
