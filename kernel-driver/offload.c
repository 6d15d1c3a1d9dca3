// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of the Ethernet Offload Engine (PG451).
 */
#include <linux/iopoll.h>

#include "eoe.h"

#define EOE_DRAIN_POLL_US	10
#define EOE_DRAIN_US		1000
#define EOE_MAJOR_VERSION	1

#define EOE_PORT_OFF	FIELD_PREP(EOE_PORT_PROTOCOL, IPPROTO_UDP)

/**
 * eoe_offload_identify() - is the engine there, and one this driver knows?
 * @eoe: the port; without an engine this succeeds
 *
 * Return: 0 or -ENODEV after a message
 */
int eoe_offload_identify(struct eoe *eoe)
{
	u32 version;

	if (!eoe->off)
		return 0;
	version = readl(eoe->off + EOE_VERSION);
	if (eoe_gone(version) || !version)
		return dev_err_probe(eoe->dev, -ENODEV,
				     "no Offload Engine answers in the \"eoe\" region\n");
	if (FIELD_GET(EOE_VERSION_MAJOR, version) != EOE_MAJOR_VERSION)
		return dev_err_probe(eoe->dev, -ENODEV,
				     "Offload Engine version 0x%08x is not known\n",
				     version);
	return 0;
}

/**
 * eoe_offload_set_timeout() - program how long a datagram may be held back
 * @eoe: the port; taken from ethtool -C rx-usecs
 */
void eoe_offload_set_timeout(struct eoe *eoe)
{
	if (eoe->off && eoe->cfg.rx_offload == 2)
		writel(eoe_gro_timeout(eoe->rx_coal.usecs, eoe->cfg.axi_clk_hz),
		       eoe->off + EOE_RX_TIMEOUT);
}

/**
 * eoe_offload_configure() - program what all ports share
 * @eoe: the port, no receive port enabled
 */
void eoe_offload_configure(struct eoe *eoe)
{
	if (!eoe->off || !eoe->cfg.rx_offload)
		return;
	writel(FIELD_PREP(EOE_RX_MAX_FRAGMENTS, EOE_MAX_FRAGMENTS) |
	       FIELD_PREP(EOE_RX_FRAGMENT_SIZE, EOE_RX_FRAGMENT_4K) |
	       EOE_RX_TUPLE_3 | EOE_RX_CSUM_ENABLE,
	       eoe->off + EOE_RX_COMMON_CTRL);
	eoe_offload_set_timeout(eoe);
}

/**
 * eoe_port_disable() - stop merging on a receive port and wait until it drained
 * @eoe: the port
 * @k: receive port, 1..15
 *
 * Sleeps.
 *
 * Return: 0, -EBUSY: the port must not be programmed, or -ENODEV
 */
int eoe_port_disable(struct eoe *eoe, unsigned int k)
{
	void __iomem *regs = eoe->off + EOE_PORT(k);
	u32 status;

	if (eoe_is_lost(eoe))
		return -ENODEV;
	writel(EOE_PORT_OFF, regs + EOE_PORT_CTRL);
	/* Into a halted engine nothing drains; its reset is due anyway. */
	if (test_bit(EOE_FAILED, &eoe->flags))
		return -EBUSY;
	if (readl_poll_timeout(regs + EOE_PORT_STATUS, status,
			       !(status & EOE_PORT_BUSY), EOE_DRAIN_POLL_US,
			       EOE_DRAIN_US)) {
		if (eoe_gone(status)) {
			eoe_lost(eoe);
			return -ENODEV;
		}
		netdev_warn(eoe->ndev, "GRO port %u does not drain\n", k);
		return -EBUSY;
	}
	return 0;
}

/**
 * eoe_port_enable() - merge datagrams to one UDP port of our address
 * @eoe: the port
 * @k: receive port, 1..15, disabled and drained
 * @dport: UDP destination port, host order
 */
void eoe_port_enable(struct eoe *eoe, unsigned int k, u16 dport)
{
	void __iomem *regs = eoe->off + EOE_PORT(k);

	writel(0, regs + EOE_PORT_SRC_IP);
	writel(be32_to_cpu(eoe->addr), regs + EOE_PORT_DST_IP);
	writel(FIELD_PREP(EOE_PORT_DST_PORT, dport), regs + EOE_PORT_PORTS);
	/* Last: from here on it matches. */
	writel(EOE_PORT_OFF | EOE_PORT_GRO_EN, regs + EOE_PORT_CTRL);
}
