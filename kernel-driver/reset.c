// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recovery. Only a reset of the whole engine brings a halted direction back;
 * rings, buffers, rules and settings stay, so it needs no memory.
 */
#include <linux/rtnetlink.h>

#include "eoe.h"

/* More resets than this in that time, and the hardware is left in peace. */
#define EOE_RESETS_MAX		10
#define EOE_RESETS_PERIOD	(10 * HZ)

/**
 * eoe_fail() - an error was seen that only a reset cures
 * @eoe: the port; any context
 * @rx: reception failed
 */
void eoe_fail(struct eoe *eoe, bool rx)
{
	/* Both at once: to the work a failure without a direction is an old one. */
	set_mask_bits(&eoe->flags, 0, BIT(EOE_FAILED) |
		      BIT(rx ? EOE_FAILED_RX : EOE_FAILED_TX));
	schedule_work(&eoe->reset_work);
}

/**
 * eoe_lost() - the registers do not answer
 * @eoe: the port, registered; any context
 *
 * The interface goes for good; only a new probe brings it back.
 */
void eoe_lost(struct eoe *eoe)
{
	if (test_and_set_bit(EOE_LOST, &eoe->flags))
		return;
	set_bit(EOE_FAILED, &eoe->flags);
	netdev_err(eoe->ndev, "registers do not answer, the device is gone\n");
	schedule_work(&eoe->reset_work);
}

/**
 * eoe_tx_timeout() - ndo_tx_timeout
 * @ndev: the interface
 * @txqueue: queue that made no progress
 */
void eoe_tx_timeout(struct net_device *ndev, unsigned int txqueue)
{
	struct eoe *eoe = netdev_priv(ndev);
	struct eoe_tx_ring *ring = eoe->queue[txqueue].tx_ring;

	/* A queue held for a restart is not hanging. */
	if (test_bit(EOE_TX_HELD, &eoe->flags))
		return;
	atomic64_inc(&eoe->tx_timeouts);
	if (ring && net_ratelimit())
		netdev_err(ndev, "queue %u: next %u, oldest %u of %u\n", txqueue,
			   ring->use, ring->clean, ring->count);
	eoe_fail(eoe, false);
}

static bool eoe_reset_allowed(struct eoe *eoe)
{
	u64 now = get_jiffies_64();

	if (time_after64(now, eoe->reset_start + EOE_RESETS_PERIOD)) {
		eoe->reset_start = now;
		eoe->resets = 0;
	}
	return eoe->resets++ < EOE_RESETS_MAX;
}

static void eoe_give_up(struct eoe *eoe, const char *why)
{
	eoe_stop(eoe);
	phylink_stop(eoe->phylink);
	netdev_err(eoe->ndev,
		   "%s; recover it with devlink, or set the interface down and up\n",
		   why);
}

static int eoe_recover_locked(struct eoe *eoe, bool automatic)
{
	bool running = test_bit(EOE_RUNNING, &eoe->flags);
	int ret;

	if (eoe_is_lost(eoe))
		return -ENODEV;
	/* Down and up, or the other direction's reset, may have cured it. */
	if (!netif_running(eoe->ndev) ||
	    (running && !test_bit(EOE_FAILED, &eoe->flags)))
		return 0;
	if (!netif_device_present(eoe->ndev))
		return -EBUSY;
	if (!automatic) {
		eoe->resets = 0;
	} else if (!running) {
		return -EIO;
	} else if (!eoe_reset_allowed(eoe)) {
		eoe_give_up(eoe, "keeps failing");
		return -EIO;
	}

	eoe->reset_count++;
	if (running) {
		eoe_stop(eoe);
		eoe_rings_rewind(eoe);
		ret = eoe_resume(eoe);
	} else {
		ret = eoe_restart(eoe);
	}
	if (!ret)
		netdev_info(eoe->ndev, "engine was reset\n");
	return ret;
}

/**
 * eoe_recover() - stop, rewind and start an engine that has failed
 * @eoe: the port; called without RTNL
 * @automatic: nobody asked, so it is bounded, and what was given up stays so
 *
 * Return: 0 when the engine runs or need not, or a negative error
 */
int eoe_recover(struct eoe *eoe, bool automatic)
{
	int ret;

	rtnl_lock();
	ret = eoe_recover_locked(eoe, automatic);
	rtnl_unlock();
	return ret;
}

/* With the interrupts given back, a line that is stuck harms nobody. */
static void eoe_detach(struct eoe *eoe)
{
	netif_device_detach(eoe->ndev);
	if (netif_running(eoe->ndev))
		dev_close(eoe->ndev);
}

/* Failed, reported, and still not recovered: devlink was told not to. */
static bool eoe_left_alone(const struct eoe *eoe)
{
	unsigned long of = BIT(EOE_RUNNING) | BIT(EOE_FAILED) |
			   BIT(EOE_FAILED_TX) | BIT(EOE_FAILED_RX);

	return (READ_ONCE(eoe->flags) & of) ==
	       (BIT(EOE_RUNNING) | BIT(EOE_FAILED));
}

/**
 * eoe_reset_work() - report what has failed, and see what came of it
 * @work: embedded in the port
 */
void eoe_reset_work(struct work_struct *work)
{
	struct eoe *eoe = container_of(work, struct eoe, reset_work);

	/* devlink's lock is taken outside RTNL, which recovery takes. */
	if (test_and_clear_bit(EOE_FAILED_TX, &eoe->flags))
		eoe_health_report(eoe, false);
	if (test_and_clear_bit(EOE_FAILED_RX, &eoe->flags))
		eoe_health_report(eoe, true);

	rtnl_lock();
	if (eoe_is_lost(eoe))
		eoe_detach(eoe);
	else if (eoe_left_alone(eoe))
		eoe_give_up(eoe, "failed and is not to recover by itself");
	rtnl_unlock();
}
