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
 */
void eoe_fail(struct eoe *eoe)
{
	if (!test_and_set_bit(EOE_FAILED, &eoe->flags))
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
	if (ring)
		netdev_err(ndev, "queue %u: next %u, oldest %u of %u\n", txqueue,
			   ring->use, ring->clean, ring->count);
	eoe_fail(eoe);
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

/**
 * eoe_reset_work() - stop, rewind and start the engine
 * @work: embedded in the port
 */
void eoe_reset_work(struct work_struct *work)
{
	struct eoe *eoe = container_of(work, struct eoe, reset_work);
	struct net_device *ndev = eoe->ndev;

	rtnl_lock();
	/* A down and up may have cured it already. */
	if (!test_bit(EOE_RUNNING, &eoe->flags) ||
	    !test_bit(EOE_FAILED, &eoe->flags))
		goto out;

	eoe_stop(eoe);
	if (!eoe_reset_allowed(eoe)) {
		netdev_err(ndev,
			   "keeps failing; set the interface down and up to try again\n");
		phylink_stop(eoe->phylink);
		goto out;
	}
	eoe->reset_count++;
	eoe_rings_rewind(eoe);
	if (!eoe_resume(eoe))
		netdev_info(ndev, "engine was reset\n");
out:
	rtnl_unlock();
}
