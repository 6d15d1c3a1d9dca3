// SPDX-License-Identifier: GPL-2.0-only
/*
 * XXV Ethernet (PG210): bring-up, link status, pause and negotiation.
 */
#include <linux/iopoll.h>

#include "eoe.h"

#define XXV_VERSION(major, minor)	((major) << 8 | (minor))

/* IEEE 802.3 annex 31B.1: where pause frames go */
static const u8 eoe_pause_address[ETH_ALEN] = { 0x01, 0x80, 0xc2, 0, 0, 0x01 };

#define XXV_GT_POLL_US			10
#define XXV_GT_DONE_US			10000
#define XXV_MIN_FRAME			64
#define XXV_IPG				12
#define XXV_PAUSE_QUANTA		0xffff	/* as long as a pause can be */
#define XXV_PAUSE_REFRESH		0x7fff	/* asked for again before it ends */

/* Registers of configuration are written in full; these bits never change. */
#define XXV_TX_BASE	(XXV_TX_FCS_INSERT | FIELD_PREP(XXV_TX_IPG, XXV_IPG))
#define XXV_RX_BASE	(XXV_RX_FCS_DELETE | XXV_RX_CHECK_SFD | \
			 XXV_RX_CHECK_PREAMBLE)

/**
 * eoe_mac_has_gt_status() - GT_STATUS exists since 3.2 of the IP
 * @eoe: the port
 *
 * Return: whether it may be read
 */
bool eoe_mac_has_gt_status(const struct eoe *eoe)
{
	return eoe->mac_version >= XXV_VERSION(3, 2);
}

static void eoe_mac_mode(struct eoe *eoe)
{
	/*
	 * Without the two bits for it, a register that was not built reads as 0
	 * instead of ending in a bus error, which stops the machine.
	 */
	writel(XXV_MODE_TICK_REGISTER |
	       (test_bit(EOE_LOOPBACK, &eoe->flags) ? XXV_MODE_LOOPBACK : 0),
	       eoe->mac + XXV_MODE);
}

/**
 * eoe_mac_identify() - read the version of the IP
 * @eoe: the port
 *
 * Return: 0, or -ENODEV after a message
 */
int eoe_mac_identify(struct eoe *eoe)
{
	u32 rev = readl(eoe->mac + XXV_REVISION);

	if (eoe_gone(rev))
		return dev_err_probe(eoe->dev, -ENODEV,
				     "no MAC answers in the \"mac\" region\n");
	eoe_mac_mode(eoe);
	eoe->mac_version = XXV_VERSION(FIELD_GET(XXV_REVISION_MAJOR, rev),
				       FIELD_GET(XXV_REVISION_MINOR, rev));
	return 0;
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
	eoe_mac_mode(eoe);
	writel(FIELD_PREP(XXV_RX_MTU_MIN, XXV_MIN_FRAME) |
	       FIELD_PREP(XXV_RX_MTU_MAX, eoe_mac_max_frame(eoe)),
	       eoe->mac + XXV_RX_MTU);
	eoe_mac_enable(eoe, false, false);
	eoe_mac_apply_pause(eoe);
}

/**
 * eoe_mac_enable() - let frames through
 * @eoe: the port
 * @tx: transmit; turn it off only when nothing is queued, as the stream stalls
 * @rx: receive
 */
void eoe_mac_enable(struct eoe *eoe, bool tx, bool rx)
{
	if (eoe_is_lost(eoe))
		return;
	writel(XXV_TX_BASE | (tx ? XXV_TX_ENABLE : 0),
	       eoe->mac + XXV_TX_CONFIG);
	writel(XXV_RX_BASE | (rx ? XXV_RX_ENABLE : 0),
	       eoe->mac + XXV_RX_CONFIG);
}

/* All the bits of a status register; none of a device that is gone. */
static bool eoe_mac_has(struct eoe *eoe, u32 reg, u32 bits)
{
	u32 value = readl(eoe->mac + reg);

	if (eoe_gone(value)) {
		eoe_lost(eoe);
		return false;
	}
	return (value & bits) == bits;
}

/* Latched low: the first read tells the past, the second the present. */
static bool eoe_mac_live(struct eoe *eoe, u32 reg, u32 bit)
{
	readl(eoe->mac + reg);
	return eoe_mac_has(eoe, reg, bit);
}

/**
 * eoe_mac_link() - is there a partner?
 * @eoe: the port
 *
 * Return: true when the receiver has block lock and reports a good link now
 */
bool eoe_mac_link(struct eoe *eoe)
{
	if (eoe_is_lost(eoe))
		return false;
	if (eoe_mac_has_gt_status(eoe) &&
	    !eoe_mac_has(eoe, XXV_GT_STATUS, XXV_GT_RESET_DONE))
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

static void eoe_mac_write_pair(struct eoe *eoe, u32 reg, const u8 *addr)
{
	u32 words[2];

	eoe_mac_words(addr, words);
	writel(words[0], eoe->mac + reg);
	writel(words[1], eoe->mac + reg + 4);
}

/**
 * eoe_mac_apply_pause() - program &eoe->tx_pause and &eoe->rx_pause
 * @eoe: the port
 *
 * The registers are reserved in a core without flow control, so a port that has
 * never been asked for pause leaves them alone. Called by the link and by a
 * restart, hence the lock.
 */
void eoe_mac_apply_pause(struct eoe *eoe)
{
	u32 tx, rx, kept_tx, kept_rx;

	spin_lock_bh(&eoe->pause_lock);
	tx = eoe_pause_tx_word(eoe->tx_pause);
	rx = eoe_pause_rx_word(eoe->rx_pause);
	if ((!tx && !rx && !eoe->pause_used) || eoe_is_lost(eoe))
		goto out;
	eoe->pause_used = true;
	writel(XXV_PAUSE_REFRESH, eoe->mac + XXV_TX_PAUSE_REFRESH);
	writel(XXV_PAUSE_QUANTA, eoe->mac + XXV_TX_PAUSE_QUANTA);
	eoe_mac_write_pair(eoe, XXV_TX_PAUSE_DA, eoe_pause_address);
	eoe_mac_write_pair(eoe, XXV_TX_PAUSE_SA, eoe->ndev->dev_addr);
	eoe_mac_write_pair(eoe, XXV_RX_PAUSE_DA, eoe_pause_address);
	writel(eoe_pause_rx_checks(rx), eoe->mac + XXV_RX_PAUSE_CHECKS);
	writel(tx, eoe->mac + XXV_TX_PAUSE);
	writel(rx, eoe->mac + XXV_RX_PAUSE);
	kept_tx = readl(eoe->mac + XXV_TX_PAUSE);
	kept_rx = readl(eoe->mac + XXV_RX_PAUSE);
	if (eoe_gone(kept_tx) || eoe_gone(kept_rx))
		eoe_lost(eoe);
	else if (kept_tx != tx || kept_rx != rx)
		netdev_warn_once(eoe->ndev,
				 "the core was built without flow control, no pause\n");
out:
	spin_unlock_bh(&eoe->pause_lock);
}

/**
 * eoe_mac_set_pause() - switch flow control
 * @eoe: the port
 * @tx: send pause frames
 * @rx: obey them
 */
void eoe_mac_set_pause(struct eoe *eoe, bool tx, bool rx)
{
	spin_lock_bh(&eoe->pause_lock);
	eoe->tx_pause = tx;
	eoe->rx_pause = rx;
	spin_unlock_bh(&eoe->pause_lock);
	eoe_mac_apply_pause(eoe);
}

/**
 * eoe_mac_an_config() - start negotiation, or link without it
 * @eoe: the port; its core was built with autonegotiation
 * @on: negotiate
 * @pause: offer symmetric pause
 * @asym: offer asymmetric pause
 */
void eoe_mac_an_config(struct eoe *eoe, bool on, bool pause, bool asym)
{
	if (!on) {
		writel(0, eoe->mac + XXV_LT_CONTROL);
		writel(XXV_AN_BYPASS, eoe->mac + XXV_AN_CONTROL);
		return;
	}
	writel(eoe_an_ability(eoe_mac_speed(eoe) == SPEED_10000),
	       eoe->mac + XXV_AN_ABILITY);
	writel(eoe_an_advertise(pause, asym), eoe->mac + XXV_AN_ADVERTISE);
	writel(XXV_LT_SEED_VALUE, eoe->mac + XXV_LT_SEED);
	writel(XXV_LT_IS_TRAINED, eoe->mac + XXV_LT_TRAINED);
	writel(XXV_LT_ENABLE, eoe->mac + XXV_LT_CONTROL);
	eoe_mac_an_restart(eoe);
}

/**
 * eoe_mac_an_restart() - negotiate again
 * @eoe: the port; its core was built with autonegotiation
 *
 * The restart bit does not clear itself.
 */
void eoe_mac_an_restart(struct eoe *eoe)
{
	writel(eoe_an_control(eoe->an_seed, true), eoe->mac + XXV_AN_CONTROL);
	writel(eoe_an_control(eoe->an_seed, false), eoe->mac + XXV_AN_CONTROL);
}

/**
 * eoe_mac_an_state() - what negotiation has come to
 * @eoe: the port; its core was built with autonegotiation
 *
 * Return: the state now; bits latched earlier are read away
 */
struct eoe_an_state eoe_mac_an_state(struct eoe *eoe)
{
	readl(eoe->mac + XXV_AN_STATUS);
	return eoe_an_decode(readl(eoe->mac + XXV_AN_STATUS));
}
