// SPDX-License-Identifier: GPL-2.0-only
/*
 * XXV Ethernet with AXI MCDMA and Ethernet Offload Engine: probe and remove.
 */
#include <linux/clk.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/of_address.h>
#include <linux/of_net.h>
#include <linux/platform_device.h>
#include <linux/rtnetlink.h>

#include "eoe.h"

/* Where the tree names no clock: what the example designs run at. */
#define EOE_SG_CLOCK_DEFAULT	125000000
#define EOE_AXI_CLOCK_DEFAULT	100000000

static void eoe_clk_put(void *clk)
{
	clk_disable_unprepare(clk);
	clk_put(clk);
}

/* The clock that something is counted with, by its names. */
static const char * const eoe_sg_clock[] = { "m_axi_sg_aclk", NULL };
/* The vendor's binding, and mainline's. */
static const char * const eoe_axi_clock[] = { "s_axi_aclk", "s_axi", NULL };

static bool eoe_clock_is(const struct device_node *np, unsigned int i,
			 const char * const *names)
{
	const char *name;

	if (of_property_read_string_index(np, "clock-names", i, &name))
		return false;
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* Both nodes' clocks are this driver's business; the MCDMA has no other. */
static int eoe_clocks(struct device *dev, struct device_node *np,
		      const char * const *names, u32 *hz)
{
	unsigned int i;
	int ret;

	for (i = 0; ; i++) {
		struct clk *clk = of_clk_get(np, i);

		if (PTR_ERR(clk) == -ENOENT || PTR_ERR(clk) == -EINVAL)
			return 0;
		if (IS_ERR(clk))
			return dev_err_probe(dev, PTR_ERR(clk),
					     "clock %u of %pOF\n", i, np);
		ret = clk_prepare_enable(clk);
		if (ret) {
			clk_put(clk);
			return dev_err_probe(dev, ret,
					     "cannot enable clock %u of %pOF\n",
					     i, np);
		}
		ret = devm_add_action_or_reset(dev, eoe_clk_put, clk);
		if (ret)
			return ret;

		if (eoe_clock_is(np, i, names) && clk_get_rate(clk))
			*hz = min_t(unsigned long, clk_get_rate(clk), U32_MAX);
	}
}

static void __iomem *eoe_map(struct device *dev, struct resource *res,
			     const char *what, resource_size_t min)
{
	void __iomem *regs;

	if (!res) {
		dev_err_probe(dev, -EINVAL, "no \"%s\" register region\n",
			      what);
		return IOMEM_ERR_PTR(-EINVAL);
	}
	if (resource_size(res) < min) {
		dev_err_probe(dev, -EINVAL,
			      "\"%s\" register region %pR is too small\n",
			      what, res);
		return IOMEM_ERR_PTR(-EINVAL);
	}
	regs = devm_ioremap_resource(dev, res);
	if (IS_ERR(regs))
		dev_err_probe(dev, PTR_ERR(regs),
			      "\"%s\" register region %pR cannot be mapped\n",
			      what, res);
	return regs;
}

static int eoe_map_dma(struct eoe *eoe, struct device_node *np)
{
	struct resource res;
	int ret;

	ret = of_address_to_resource(np, 0, &res);
	if (ret)
		return dev_err_probe(eoe->dev, ret, "%pOF has no reg\n", np);
	eoe->dma = eoe_map(eoe->dev, &res, "mcdma", MCDMA_MIN_SIZE);
	return PTR_ERR_OR_ZERO(eoe->dma);
}

static int eoe_map_all(struct eoe *eoe, struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct resource *mac, *off;
	struct device_node *np;
	int ret;

	mac = platform_get_resource_byname(pdev, IORESOURCE_MEM, "mac");
	if (!mac)
		mac = platform_get_resource(pdev, IORESOURCE_MEM, 0);
	eoe->mac = eoe_map(dev, mac, "mac", XXV_MIN_SIZE);
	if (IS_ERR(eoe->mac))
		return PTR_ERR(eoe->mac);

	off = platform_get_resource_byname(pdev, IORESOURCE_MEM, "eoe");
	if (off) {
		eoe->off = eoe_map(dev, off, "eoe", EOE_MIN_SIZE);
		if (IS_ERR(eoe->off))
			return PTR_ERR(eoe->off);
	}

	np = eoe_dt_dma_node(dev);
	eoe->cfg.sg_clk_hz = EOE_SG_CLOCK_DEFAULT;
	eoe->cfg.axi_clk_hz = EOE_AXI_CLOCK_DEFAULT;
	ret = eoe_map_dma(eoe, np);
	if (!ret)
		ret = eoe_clocks(dev, np, eoe_sg_clock, &eoe->cfg.sg_clk_hz);
	of_node_put(np);
	if (ret)
		return ret;
	return eoe_clocks(dev, dev->of_node, eoe_axi_clock,
			  &eoe->cfg.axi_clk_hz);
}

static void eoe_chan_init(struct eoe *eoe, struct eoe_chan *chan,
			  unsigned int queue, bool rx)
{
	unsigned int base = rx ? MCDMA_S2MM : MCDMA_MM2S;

	chan->eoe = eoe;
	chan->id = eoe->cfg.channel[queue];
	chan->queue = queue;
	chan->rx = rx;
	chan->regs = eoe->dma + MCDMA_CHAN(base, chan->id);
	spin_lock_init(&chan->lock);
}

static void eoe_queues_init(struct eoe *eoe)
{
	unsigned int i;

	for (i = 0; i < eoe->cfg.queues; i++) {
		struct eoe_queue *q = &eoe->queue[i];

		eoe_chan_init(eoe, &q->tx, i, false);
		eoe_chan_init(eoe, &q->rx, i, true);
		timer_setup(&q->refill, eoe_rx_refill_timer, 0);
	}
}

static int eoe_address(struct eoe *eoe)
{
	int ret = of_get_ethdev_address(eoe->dev->of_node, eoe->ndev);

	if (ret == -EPROBE_DEFER)
		return dev_err_probe(eoe->dev, ret, "MAC address\n");
	if (ret) {
		eth_hw_addr_random(eoe->ndev);
		dev_info(eoe->dev, "no MAC address in the tree, using %pM\n",
			 eoe->ndev->dev_addr);
	}
	return 0;
}

static int eoe_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct eoe_config cfg = {};
	struct net_device *ndev;
	struct eoe *eoe;
	int ret;

	ret = eoe_dt_parse(dev, &cfg);
	if (ret)
		return ret;

	ndev = devm_alloc_etherdev_mqs(dev, sizeof(*eoe), cfg.queues,
				       cfg.queues);
	if (!ndev)
		return -ENOMEM;
	SET_NETDEV_DEV(ndev, dev);
	platform_set_drvdata(pdev, ndev);
	eoe = netdev_priv(ndev);
	eoe->dev = dev;
	eoe->ndev = ndev;
	eoe->cfg = cfg;
	eoe->queues = cfg.queues;
	INIT_WORK(&eoe->reset_work, eoe_reset_work);
	INIT_DELAYED_WORK(&eoe->stats_work, eoe_hw_stats_work);
	eoe_stats_init(eoe);

	ret = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(cfg.dma_width));
	if (ret)
		return dev_err_probe(dev, ret,
				     "no DMA with %u address bits\n",
				     cfg.dma_width);
	ret = eoe_map_all(eoe, pdev);
	if (ret)
		return ret;
	ret = eoe_address(eoe);
	if (ret)
		return ret;
	ret = eoe_offload_identify(eoe);
	if (ret)
		return ret;
	ret = eoe_mac_identify(eoe);
	if (ret)
		return ret;
	ret = eoe_dma_reset(eoe);
	if (ret)
		return ret;

	/* From here on there is something to undo that devm does not know. */
	eoe_queues_init(eoe);
	ret = eoe_irq_init(eoe);
	if (ret)
		return ret;
	ret = eoe_rules_init(eoe);
	if (ret)
		return ret;
	eoe_netdev_init(eoe);
	ret = eoe_link_init(eoe);
	if (ret)
		goto err_rules;
	ret = eoe_health_init(eoe);
	if (ret)
		goto err_link;
	ret = register_netdev(ndev);
	if (ret) {
		dev_err_probe(dev, ret, "cannot register the interface\n");
		goto err_health;
	}
	netdev_info(ndev, "xxv %u.%u, %u queues, tx offload %u, rx offload %u\n",
		    eoe->mac_version >> 8, eoe->mac_version & 0xff, cfg.queues,
		    cfg.tx_offload, cfg.rx_offload);
	return 0;

err_health:
	eoe_health_exit(eoe);
err_link:
	eoe_link_exit(eoe);
err_rules:
	eoe_rules_exit(eoe);
	return ret;
}

static void eoe_remove(struct platform_device *pdev)
{
	struct net_device *ndev = platform_get_drvdata(pdev);
	struct eoe *eoe = netdev_priv(ndev);

	/* Closes the interface, and with it everything that runs. */
	unregister_netdev(ndev);
	cancel_work_sync(&eoe->reset_work);
	eoe_health_exit(eoe);
	eoe_rules_exit(eoe);
	eoe_link_exit(eoe);
}

/* The next kernel must not find an engine that writes to its memory. */
static void eoe_shutdown(struct platform_device *pdev)
{
	struct net_device *ndev = platform_get_drvdata(pdev);

	rtnl_lock();
	netif_device_detach(ndev);
	if (netif_running(ndev))
		dev_close(ndev);
	rtnl_unlock();
}

static const struct of_device_id eoe_of_match[] = {
	{ .compatible = "xlnx,xxv-ethernet-4.1" },
	{ .compatible = "xlnx,xxv-ethernet-1.0" },
	{}
};
MODULE_DEVICE_TABLE(of, eoe_of_match);

static struct platform_driver eoe_driver = {
	.probe = eoe_probe,
	EOE_PLATFORM_REMOVE(eoe_remove),
	.shutdown = eoe_shutdown,
	.driver = {
		.name = EOE_DRIVER_NAME,
		.of_match_table = eoe_of_match,
		.pm = pm_sleep_ptr(&eoe_pm_ops),
	},
};
module_platform_driver(eoe_driver);

MODULE_DESCRIPTION("Xilinx XXV Ethernet with AXI MCDMA and Ethernet Offload Engine");
MODULE_LICENSE("GPL");
