// SPDX-License-Identifier: GPL-2.0-only
/*
 * Device tree: every property that is read, and what is wrong with it.
 */
#include <linux/of.h>
#include <linux/of_net.h>
#include <linux/platform_device.h>

#include "eoe.h"

#define EOE_RXMEM_DEFAULT	(ETH_DATA_LEN + EOE_ETH_OVERHEAD)
#define EOE_RXMEM_MIN		(ETH_MIN_MTU + EOE_ETH_OVERHEAD)
#define EOE_DMA_WIDTH_DEFAULT	32

/*
 * Generators have written the same property with cells of 8, 16 and 32 bits, so
 * its length decides.
 */
static int eoe_dt_number(const struct device_node *np, const char *name,
			 u32 *value)
{
	const u8 *p;
	int len;

	p = of_get_property(np, name, &len);
	if (!p)
		return -ENOENT;

	switch (len) {
	case 1:
		*value = p[0];
		return 0;
	case 2:
		*value = p[0] << 8 | p[1];
		return 0;
	case 4:
		*value = be32_to_cpup((const __be32 *)p);
		return 0;
	default:
		return -EINVAL;
	}
}

static int eoe_dt_optional(struct device *dev, const struct device_node *np,
			   const char *name, u32 fallback, u32 *value)
{
	int ret = eoe_dt_number(np, name, value);

	if (ret == -ENOENT) {
		*value = fallback;
		return 0;
	}
	if (ret)
		return dev_err_probe(dev, ret, "%s is not one cell\n", name);
	return 0;
}

static int eoe_dt_channels(struct device *dev, struct eoe_config *cfg)
{
	struct device_node *np = dev->of_node;
	int names = of_property_count_strings(np, "xlnx,channel-ids");
	unsigned long seen = 0;
	const char *name;
	unsigned int i;
	u32 queues;
	u8 id;
	int ret;

	if (names <= 0)
		return dev_err_probe(dev, -EINVAL,
				     "xlnx,channel-ids is missing or not a list of strings\n");

	ret = eoe_dt_optional(dev, np, "xlnx,num-queues",
			      min(names, EOE_MAX_QUEUES), &queues);
	if (ret)
		return ret;
	if (!queues || queues > EOE_MAX_QUEUES)
		return dev_err_probe(dev, -EINVAL,
				     "xlnx,num-queues is %u, must be 1 to %u\n",
				     queues, EOE_MAX_QUEUES);
	if (queues > names)
		return dev_err_probe(dev, -EINVAL,
				     "xlnx,num-queues is %u but xlnx,channel-ids names %d channels\n",
				     queues, names);

	for (i = 0; i < queues; i++) {
		ret = of_property_read_string_index(np, "xlnx,channel-ids", i,
						    &name);
		if (ret || kstrtou8(name, 16, &id) || !id ||
		    id > EOE_MAX_CHANNELS)
			return dev_err_probe(dev, -EINVAL,
					     "xlnx,channel-ids entry %u is \"%s\", must be hexadecimal 1 to 10\n",
					     i, ret ? "" : name);
		if (seen & BIT(id))
			return dev_err_probe(dev, -EINVAL,
					     "xlnx,channel-ids names channel \"%s\" twice\n",
					     name);
		seen |= BIT(id);
		cfg->channel[i] = id;
	}
	cfg->queues = queues;
	return 0;
}

static int eoe_dt_irq(struct device *dev, const char *direction, u8 id)
{
	char name[24];
	int irq;

	snprintf(name, sizeof(name), "%s_ch%u_introut", direction, id);
	irq = platform_get_irq_byname_optional(to_platform_device(dev), name);
	if (irq < 0)
		return dev_err_probe(dev, irq,
				     "no usable interrupt named %s\n", name);
	return irq;
}

static int eoe_dt_irqs(struct device *dev, struct eoe_config *cfg)
{
	unsigned int i;

	for (i = 0; i < cfg->queues; i++) {
		cfg->tx_irq[i] = eoe_dt_irq(dev, "mm2s", cfg->channel[i]);
		if (cfg->tx_irq[i] < 0)
			return cfg->tx_irq[i];
		cfg->rx_irq[i] = eoe_dt_irq(dev, "s2mm", cfg->channel[i]);
		if (cfg->rx_irq[i] < 0)
			return cfg->rx_irq[i];
	}
	return 0;
}

static int eoe_dt_offload(struct device *dev, struct eoe_config *cfg)
{
	struct device_node *np = dev->of_node;
	bool present = of_property_match_string(np, "reg-names", "eoe") >= 0;
	int ret;

	ret = eoe_dt_optional(dev, np, "xlnx,tx-hw-offload", 0,
			      &cfg->tx_offload);
	if (ret)
		return ret;
	ret = eoe_dt_optional(dev, np, "xlnx,rx-hw-offload", 0,
			      &cfg->rx_offload);
	if (ret)
		return ret;
	if (cfg->tx_offload > 2)
		return dev_err_probe(dev, -EINVAL,
				     "xlnx,tx-hw-offload is %u, must be 0, 1 or 2\n",
				     cfg->tx_offload);
	if (cfg->rx_offload > 2)
		return dev_err_probe(dev, -EINVAL,
				     "xlnx,rx-hw-offload is %u, must be 0, 1 or 2\n",
				     cfg->rx_offload);
	if ((cfg->tx_offload || cfg->rx_offload) && !present)
		return dev_err_probe(dev, -EINVAL,
				     "hardware offload is declared but reg-names has no \"eoe\" region\n");
	return 0;
}

/* Names generators have given an MCDMA that feeds an Ethernet MAC. */
static const char * const eoe_dma_compatible[] = {
	"xlnx,eth-mcdma",
	"xlnx,axi-mcdma-1.00.a",
	"xlnx,eth-dma",
	NULL
};

static int eoe_dt_dma(struct device *dev, struct eoe_config *cfg)
{
	struct device_node *np = eoe_dt_dma_node(dev);
	int ret;

	if (!np || !of_device_compatible_match(np, eoe_dma_compatible)) {
		of_node_put(np);
		return dev_err_probe(dev, -ENODEV,
				     "axistream-connected does not point to an MCDMA node\n");
	}

	cfg->dre = of_property_read_bool(np, "xlnx,include-dre");
	ret = eoe_dt_optional(dev, np, "xlnx,addrwidth", EOE_DMA_WIDTH_DEFAULT,
			      &cfg->dma_width);
	of_node_put(np);
	if (ret)
		return ret;
	if (cfg->dma_width < 32 || cfg->dma_width > 64)
		return dev_err_probe(dev, -EINVAL,
				     "xlnx,addrwidth is %u, must be 32 to 64\n",
				     cfg->dma_width);
	return 0;
}

/**
 * eoe_dt_dma_node() - the MCDMA node of a port
 * @dev: the platform device
 *
 * Return: the node with a reference, or NULL
 */
struct device_node *eoe_dt_dma_node(struct device *dev)
{
	return of_parse_phandle(dev->of_node, "axistream-connected", 0);
}

/**
 * eoe_dt_parse() - read and check the device tree
 * @dev: the platform device
 * @cfg: filled; clocks are left alone
 *
 * Return: 0, or a negative error after one message that names the property
 */
int eoe_dt_parse(struct device *dev, struct eoe_config *cfg)
{
	struct device_node *np = dev->of_node;
	int ret;

	ret = eoe_dt_dma(dev, cfg);
	if (ret)
		return ret;
	ret = eoe_dt_channels(dev, cfg);
	if (ret)
		return ret;
	ret = eoe_dt_offload(dev, cfg);
	if (ret)
		return ret;

	ret = of_get_phy_mode(np, &cfg->phy_mode);
	if (ret)
		return dev_err_probe(dev, ret,
				     "phy-mode is missing or unknown\n");
	if (cfg->phy_mode != PHY_INTERFACE_MODE_10GBASER &&
	    cfg->phy_mode != PHY_INTERFACE_MODE_25GBASER &&
	    cfg->phy_mode != PHY_INTERFACE_MODE_10GKR)
		return dev_err_probe(dev, -EINVAL,
				     "phy-mode %s is not one of 10gbase-r, 10gbase-kr, 25gbase-r\n",
				     phy_modes(cfg->phy_mode));

	cfg->autoneg = of_property_read_bool(np, "xlnx,has-auto-neg");

	ret = eoe_dt_optional(dev, np, "xlnx,rxmem", EOE_RXMEM_DEFAULT,
			      &cfg->rxmem);
	if (ret)
		return ret;
	if (cfg->rxmem < EOE_RXMEM_MIN)
		return dev_err_probe(dev, -EINVAL,
				     "xlnx,rxmem is %u, too small for any packet\n",
				     cfg->rxmem);

	return eoe_dt_irqs(dev, cfg);
}
