// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sleep of the machine. Nothing is expected of the hardware afterwards: it is set
 * up as if it had lost everything. Rings and their buffers stay in memory.
 */
#include <linux/pm.h>
#include <linux/rtnetlink.h>

#include "eoe.h"

static int eoe_suspend(struct device *dev)
{
	struct net_device *ndev = dev_get_drvdata(dev);
	struct eoe *eoe = netdev_priv(ndev);

	rtnl_lock();
	netif_device_detach(ndev);
	if (test_bit(EOE_RUNNING, &eoe->flags)) {
		phylink_stop(eoe->phylink);
		eoe_stop(eoe);
	}
	rtnl_unlock();
	return 0;
}

static int eoe_wake(struct device *dev)
{
	struct net_device *ndev = dev_get_drvdata(dev);
	struct eoe *eoe = netdev_priv(ndev);
	int ret = 0;

	rtnl_lock();
	if (test_bit(EOE_LOST, &eoe->flags))
		goto out;
	if (netif_running(ndev)) {
		eoe_mac_gt_reset(eoe);
		eoe->resets = 0;
		ret = eoe_restart(eoe);
		if (!ret)
			eoe_health_good(eoe);
	}
	/* Also after a failure, so that down and up can cure it. */
	netif_device_attach(ndev);
out:
	rtnl_unlock();
	return ret;
}

DEFINE_SIMPLE_DEV_PM_OPS(eoe_pm_ops, eoe_suspend, eoe_wake);
