// SPDX-License-Identifier: GPL-2.0-only
/*
 * XXV Ethernet (PG210): bring-up and link status.
 */
#include <linux/iopoll.h>

#include "eoe.h"

#define XXV_VERSION(major, minor)	((major) << 8 | (minor))
#define XXV_GT_POLL_US			10
#define XXV_GT_DONE_US			10000
#define XXV_MIN_FRAME			64
#define XXV_IPG				12

/* Registers of configuration are written in full; these bits never change. */
#define XXV_TX_BASE	(XXV_TX_FCS_INSERT | FIELD_PREP(XXV_TX_IPG, XXV_IPG))
#define XXV_RX_BASE	(XXV_RX_FCS_DELETE | XXV_RX_CHECK_SFD | \
			 XXV_RX_CHECK_PREAMBLE)

/* GT_STATUS exists since 3.2 of the IP. */
static bool eoe_mac_has_gt_status(const struct eoe *eoe)
{
	return eoe->mac_version >= XXV_VERSION(3, 2);
}

/**
 * eoe_mac_identify() - read the version of the IP
 * @eoe: the port
 */
void eoe_mac_identify(struct eoe *eoe)
{
	u32 rev = readl(eoe->mac + XXV_REVISION);

	eoe->mac_version = XXV_VERSION(FIELD_GET(XXV_REVISION_MAJOR, rev),
				       FIELD_GET(XXV_REVISION_MINOR, rev));
}

/**
 * eoe_mac_gt_reset() - reset the transceiver
 * @eoe: the port
 *
 * Sleeps. That a transceiver without a partner does not come out of reset is no
 * error: the link stays down until there is one.
 */
void eoe_mac_gt_reset(struct eoe *eoe)
{
	u32 done;

	writel(XXV_GT_RESET_ALL, eoe->mac + XXV_GT_RESET);
	usleep_range(1000, 2000);
	writel(0, eoe->mac + XXV_GT_RESET);

	if (!eoe_mac_has_gt_status(eoe))
		return;
	if (readl_poll_timeout(eoe->mac + XXV_GT_STATUS, done,
			       (done & XXV_GT_RESET_DONE) == XXV_GT_RESET_DONE,
			       XXV_GT_POLL_US, XXV_GT_DONE_US))
		netdev_info(eoe->ndev,
			    "transceiver still in reset (0x%x), no cable?\n",
			    done);
}

/**
 * eoe_mac_max_frame() - largest frame to receive
 * @eoe: the port
 *
 * Return: bytes with VLAN tag and FCS
 */
u32 eoe_mac_max_frame(const struct eoe *eoe)
{
	return max_t(u32, eoe->ndev->mtu, ETH_DATA_LEN) + EOE_ETH_OVERHEAD;
}

/**
 * eoe_mac_configure() - program everything but the enables
 * @eoe: the port, data path idle
 */
void eoe_mac_configure(struct eoe *eoe)
{
	writel(XXV_MODE_TICK_REGISTER | XXV_MODE_SLVERR, eoe->mac + XXV_MODE);
	writel(FIELD_PREP(XXV_RX_MTU_MIN, XXV_MIN_FRAME) |
	       FIELD_PREP(XXV_RX_MTU_MAX, eoe_mac_max_frame(eoe)),
	       eoe->mac + XXV_RX_MTU);
	eoe_mac_enable(eoe, false, false);
}

/**
 * eoe_mac_enable() - let frames through
 * @eoe: the port
 * @tx: transmit; turn it off only when nothing is queued, as the stream stalls
 * @rx: receive
 */
void eoe_mac_enable(struct eoe *eoe, bool tx, bool rx)
{
	writel(XXV_TX_BASE | (tx ? XXV_TX_ENABLE : 0),
	       eoe->mac + XXV_TX_CONFIG);
	writel(XXV_RX_BASE | (rx ? XXV_RX_ENABLE : 0),
	       eoe->mac + XXV_RX_CONFIG);
}

/* Latched low: the first read tells the past, the second the present. */
static bool eoe_mac_live(struct eoe *eoe, u32 reg, u32 bit)
{
	readl(eoe->mac + reg);
	return readl(eoe->mac + reg) & bit;
}

/**
 * eoe_mac_link() - is there a partner?
 * @eoe: the port
 *
 * Return: true when the receiver has block lock and reports a good link now
 */
bool eoe_mac_link(struct eoe *eoe)
{
	if (eoe_mac_has_gt_status(eoe) &&
	    (readl(eoe->mac + XXV_GT_STATUS) & XXV_GT_RESET_DONE) !=
	    XXV_GT_RESET_DONE)
		return false;
	return eoe_mac_live(eoe, XXV_BLOCK_LOCK, XXV_BLOCK_LOCK_OK) &&
	       eoe_mac_live(eoe, XXV_RX_STATUS, XXV_RX_STATUS_OK);
}

/**
 * eoe_mac_speed() - line rate of the core
 * @eoe: the port
 *
 * Return: Mbit/s
 */
int eoe_mac_speed(struct eoe *eoe)
{
	return readl(eoe->mac + XXV_CORE_SPEED) & XXV_CORE_SPEED_10G ?
	       SPEED_10000 : SPEED_25000;
}
