// SPDX-License-Identifier: GPL-2.0-only
/*
 * devlink health: a reporter for each direction of the engine. It keeps what the
 * engine looked like when it failed, and decides whether it is reset by itself.
 */
#include <linux/rtnetlink.h>
#include <net/devlink.h>

#include "eoe.h"

static struct eoe_chan *eoe_health_chan(struct eoe *eoe, unsigned int queue,
					bool rx)
{
	return rx ? &eoe->queue[queue].rx : &eoe->queue[queue].tx;
}

static void eoe_health_reg(struct devlink_fmsg *fmsg, const char *name,
			   void __iomem *reg)
{
	devlink_fmsg_u32_pair_put(fmsg, name, readl(reg));
}

static const char *eoe_health_state(const struct eoe *eoe)
{
	if (test_bit(EOE_LOST, &eoe->flags))
		return "gone";
	if (!netif_running(eoe->ndev))
		return "down";
	if (!test_bit(EOE_RUNNING, &eoe->flags))
		return "stopped";
	return test_bit(EOE_FAILED, &eoe->flags) ? "failed" : "running";
}

/* Indices of a ring, and where its descriptors are; nothing while there is none. */
static struct mcdma_bd *eoe_health_ring(const struct eoe_queue *q, bool rx,
					struct devlink_fmsg *fmsg,
					dma_addr_t *dma, u16 *count)
{
	const struct eoe_rx_ring *r = q->rx_ring;
	const struct eoe_tx_ring *t = q->tx_ring;

	if (rx ? !r : !t)
		return NULL;
	*dma = rx ? r->bd_dma : t->bd_dma;
	*count = rx ? r->count : t->count;
	devlink_fmsg_u32_pair_put(fmsg, "descriptors", *count);
	devlink_fmsg_u32_pair_put(fmsg, "next", rx ? r->use : t->use);
	devlink_fmsg_u32_pair_put(fmsg, "oldest", rx ? r->clean : t->clean);
	return rx ? r->bd : t->bd;
}

static void eoe_health_dump_queue(struct eoe *eoe, unsigned int queue, bool rx,
				  struct devlink_fmsg *fmsg)
{
	const struct eoe_chan *chan = eoe_health_chan(eoe, queue, rx);
	u64 current_bd = lo_hi_readq(chan->regs + MCDMA_CURDESC);
	u64 tail_bd = lo_hi_readq(chan->regs + MCDMA_TAILDESC);
	struct mcdma_bd *bd;
	dma_addr_t dma;
	u16 count;

	devlink_fmsg_obj_nest_start(fmsg);
	devlink_fmsg_u32_pair_put(fmsg, "queue", queue);
	devlink_fmsg_u32_pair_put(fmsg, "channel", chan->id);
	eoe_health_reg(fmsg, "CR", chan->regs + MCDMA_CR);
	eoe_health_reg(fmsg, "SR", chan->regs + MCDMA_SR);
	devlink_fmsg_u64_pair_put(fmsg, "CURDESC", current_bd);
	devlink_fmsg_u64_pair_put(fmsg, "TAILDESC", tail_bd);
	bd = eoe_health_ring(&eoe->queue[queue], rx, fmsg, &dma, &count);
	/* The one the channel is at, if it is one of ours. */
	if (bd && current_bd >= dma && (current_bd - dma) / sizeof(*bd) < count)
		devlink_fmsg_binary_pair_put(fmsg, "descriptor",
					     &bd[(current_bd - dma) / sizeof(*bd)],
					     sizeof(*bd));
	devlink_fmsg_obj_nest_end(fmsg);
}

static int eoe_health_dump(struct eoe *eoe, struct devlink_fmsg *fmsg, bool rx)
{
	void __iomem *base = eoe->dma + (rx ? MCDMA_S2MM : MCDMA_MM2S);
	unsigned int i;

	rtnl_lock();
	devlink_fmsg_string_pair_put(fmsg, "state", eoe_health_state(eoe));
	if (test_bit(EOE_LOST, &eoe->flags))
		goto out;
	eoe_health_reg(fmsg, "CCR", base + MCDMA_CCR);
	eoe_health_reg(fmsg, "CSR", base + MCDMA_CSR);
	eoe_health_reg(fmsg, "CHEN", base + MCDMA_CHEN);
	eoe_health_reg(fmsg, "ERR", base + MCDMA_ERR);
	devlink_fmsg_arr_pair_nest_start(fmsg, "queues");
	for (i = 0; i < eoe->queues; i++)
		eoe_health_dump_queue(eoe, i, rx, fmsg);
	devlink_fmsg_arr_pair_nest_end(fmsg);
out:
	rtnl_unlock();
	return 0;
}

/* No register is read here: what is asked is what the driver knows. */
static int eoe_health_diagnose(struct eoe *eoe, struct devlink_fmsg *fmsg,
			       bool rx)
{
	unsigned int i;
	dma_addr_t dma;
	u16 count;

	rtnl_lock();
	devlink_fmsg_string_pair_put(fmsg, "state", eoe_health_state(eoe));
	devlink_fmsg_u64_pair_put(fmsg, "resets", eoe->reset_count);
	devlink_fmsg_u64_pair_put(fmsg, "error_irqs",
				  atomic64_read(&eoe->irq_errors[rx]));
	for (i = 0; i < EOE_DMA_ERRORS; i++)
		devlink_fmsg_u64_pair_put(fmsg, eoe_dma_error_names[i],
					  atomic64_read(&eoe->dma_errors[rx][i]));
	if (!rx)
		devlink_fmsg_u64_pair_put(fmsg, "timeouts",
					  atomic64_read(&eoe->tx_timeouts));
	devlink_fmsg_arr_pair_nest_start(fmsg, "queues");
	for (i = 0; i < eoe->queues; i++) {
		devlink_fmsg_obj_nest_start(fmsg);
		devlink_fmsg_u32_pair_put(fmsg, "queue", i);
		devlink_fmsg_u32_pair_put(fmsg, "channel", eoe->cfg.channel[i]);
		eoe_health_ring(&eoe->queue[i], rx, fmsg, &dma, &count);
		devlink_fmsg_obj_nest_end(fmsg);
	}
	devlink_fmsg_arr_pair_nest_end(fmsg);
	rtnl_unlock();
	return 0;
}

/* The kernel passes on what the report came with; a person's wish has nothing. */
static int eoe_health_recover(struct devlink_health_reporter *reporter,
			      void *context, struct netlink_ext_ack *extack)
{
	return eoe_recover(devlink_health_reporter_priv(reporter), context);
}

static int eoe_tx_health_dump(struct devlink_health_reporter *reporter,
			      struct devlink_fmsg *fmsg, void *context,
			      struct netlink_ext_ack *extack)
{
	return eoe_health_dump(devlink_health_reporter_priv(reporter), fmsg,
			       false);
}

static int eoe_rx_health_dump(struct devlink_health_reporter *reporter,
			      struct devlink_fmsg *fmsg, void *context,
			      struct netlink_ext_ack *extack)
{
	return eoe_health_dump(devlink_health_reporter_priv(reporter), fmsg,
			       true);
}

static int eoe_tx_health_diagnose(struct devlink_health_reporter *reporter,
				  struct devlink_fmsg *fmsg,
				  struct netlink_ext_ack *extack)
{
	return eoe_health_diagnose(devlink_health_reporter_priv(reporter), fmsg,
				   false);
}

static int eoe_rx_health_diagnose(struct devlink_health_reporter *reporter,
				  struct devlink_fmsg *fmsg,
				  struct netlink_ext_ack *extack)
{
	return eoe_health_diagnose(devlink_health_reporter_priv(reporter), fmsg,
				   true);
}

static const struct devlink_health_reporter_ops eoe_health_ops[2] = {
	{
		.name = "tx",
		.recover = eoe_health_recover,
		.dump = eoe_tx_health_dump,
		.diagnose = eoe_tx_health_diagnose,
	}, {
		.name = "rx",
		.recover = eoe_health_recover,
		.dump = eoe_rx_health_dump,
		.diagnose = eoe_rx_health_diagnose,
	},
};

static const struct devlink_ops eoe_devlink_ops = {};

/**
 * eoe_health_report() - tell devlink of a failure, which has it recovered
 * @eoe: the port; called without RTNL
 * @rx: receive direction
 */
void eoe_health_report(struct eoe *eoe, bool rx)
{
	devlink_health_report(eoe->reporter[rx],
			      rx ? "receive failed" : "transmit failed", eoe);
}

/**
 * eoe_health_good() - a start from scratch has cured what devlink knows of
 * @eoe: the port, registered
 */
void eoe_health_good(struct eoe *eoe)
{
	unsigned int rx;

	for (rx = 0; rx < 2; rx++)
		devlink_health_reporter_state_update(eoe->reporter[rx],
						     DEVLINK_HEALTH_REPORTER_STATE_HEALTHY);
}

/**
 * eoe_health_init() - create the devlink instance and its reporters
 * @eoe: the port, not yet registered
 *
 * Return: 0 or a negative error
 */
int eoe_health_init(struct eoe *eoe)
{
	struct devlink_health_reporter *reporter;
	unsigned int rx;

	eoe->devlink = devlink_alloc(&eoe_devlink_ops, 0, eoe->dev);
	if (!eoe->devlink)
		return -ENOMEM;
	for (rx = 0; rx < 2; rx++) {
		reporter = eoe_health_reporter_create(eoe->devlink,
						      &eoe_health_ops[rx], eoe);
		if (IS_ERR(reporter)) {
			if (rx)
				devlink_health_reporter_destroy(eoe->reporter[0]);
			devlink_free(eoe->devlink);
			return PTR_ERR(reporter);
		}
		eoe->reporter[rx] = reporter;
	}
	devlink_register(eoe->devlink);
	return 0;
}

/**
 * eoe_health_exit() - destroy the devlink instance
 * @eoe: the port, unregistered; nothing fails any more
 */
void eoe_health_exit(struct eoe *eoe)
{
	unsigned int rx;

	devlink_unregister(eoe->devlink);
	for (rx = 0; rx < 2; rx++)
		devlink_health_reporter_destroy(eoe->reporter[rx]);
	devlink_free(eoe->devlink);
}
