// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts. Designs route one line per channel or one per direction; channels
 * that share a line share a handler, which asks the engine who it was.
 */
#include <linux/cpumask.h>
#include <linux/interrupt.h>

#include "eoe.h"

#define EOE_SR_PACKETS	(MCDMA_SR_IOC | MCDMA_SR_DELAY)

/*
 * What is not enabled is not looked at: on a shared line the status of a masked
 * channel is none of this interrupt's business. What is enabled is always dealt
 * with, also while the port stops: the line stays up until it is.
 */
static bool eoe_irq_channel(struct eoe_chan *chan)
{
	u32 sr = readl(chan->regs + MCDMA_SR);

	if (eoe_gone(sr)) {
		eoe_lost(chan->eoe);
		return false;
	}
	/* The enables stand at the same bits as what they enable. */
	sr &= READ_ONCE(chan->enabled);
	if (!sr)
		return false;

	writel(sr, chan->regs + MCDMA_SR);
	if (sr & MCDMA_SR_ERROR) {
		struct eoe *eoe = chan->eoe;

		atomic64_inc(&eoe->irq_errors[chan->rx]);
		eoe_dma_count_errors(eoe, chan->rx);
		eoe_fail(eoe, chan->rx);
		eoe_dma_cr_write(chan, false);
	}
	if (sr & EOE_SR_PACKETS) {
		eoe_irq_off(chan);
		/* A queue that is not in use has no NAPI, whatever its line says. */
		if (test_bit(EOE_RUNNING, &chan->eoe->flags) &&
		    chan->queue < chan->eoe->queues)
			napi_schedule(&chan->napi);
	}
	return true;
}

static irqreturn_t eoe_irq_handler(int virq, void *data)
{
	struct eoe_irq *irq = data;
	struct eoe *eoe = irq->eoe;
	bool handled = false;
	u32 who = 0;
	unsigned int i;

	if (eoe_is_lost(eoe))
		return IRQ_NONE;
	if (irq->nchan > 1)
		who = readl(eoe->dma + (irq->rx ? MCDMA_S2MM_INTR_STATUS :
						  MCDMA_MM2S_INTR_STATUS));
	/* No answer: ask every channel. */
	if (!who)
		who = U32_MAX;

	for (i = 0; i < irq->nchan; i++)
		if (who & BIT(irq->chan[i]->id - 1))
			handled |= eoe_irq_channel(irq->chan[i]);
	return IRQ_RETVAL(handled);
}

/**
 * eoe_irq_off() - mask the packet interrupts of a channel
 * @chan: the channel
 */
void eoe_irq_off(struct eoe_chan *chan)
{
	eoe_dma_cr_write(chan, false);
}

/**
 * eoe_irq_rearm() - end of polling: unmask the packet interrupts
 * @chan: the channel
 *
 * What was signalled while polling is acknowledged first. The hardware does not
 * raise it again, so the caller has to look at its ring once more afterwards.
 */
void eoe_irq_rearm(struct eoe_chan *chan)
{
	if (!eoe_is_lost(chan->eoe))
		writel(EOE_SR_PACKETS, chan->regs + MCDMA_SR);
	eoe_dma_cr_write(chan, true);
}

static void eoe_irq_add(struct eoe *eoe, struct eoe_chan *chan, int virq)
{
	struct eoe_irq *irq;
	unsigned int i;

	for (i = 0; i < eoe->nirq; i++) {
		irq = &eoe->irq[i];
		if (irq->virq == virq && irq->rx == chan->rx) {
			irq->chan[irq->nchan++] = chan;
			return;
		}
	}
	irq = &eoe->irq[eoe->nirq++];
	irq->eoe = eoe;
	irq->virq = virq;
	irq->rx = chan->rx;
	irq->nchan = 1;
	irq->chan[0] = chan;
}

/**
 * eoe_irq_init() - find out which channels share a line
 * @eoe: the port
 *
 * Return: 0 or -ENOMEM
 */
int eoe_irq_init(struct eoe *eoe)
{
	unsigned int i;

	eoe->irq = devm_kcalloc(eoe->dev, 2 * eoe->cfg.queues,
				sizeof(*eoe->irq), GFP_KERNEL);
	if (!eoe->irq)
		return -ENOMEM;
	for (i = 0; i < eoe->cfg.queues; i++) {
		eoe_irq_add(eoe, &eoe->queue[i].tx, eoe->cfg.tx_irq[i]);
		eoe_irq_add(eoe, &eoe->queue[i].rx, eoe->cfg.rx_irq[i]);
	}
	return 0;
}

static void eoe_irq_release(struct eoe *eoe, unsigned int count)
{
	while (count--) {
		irq_update_affinity_hint(eoe->irq[count].virq, NULL);
		free_irq(eoe->irq[count].virq, &eoe->irq[count]);
	}
}

/**
 * eoe_irq_request() - request every line
 * @eoe: the port
 *
 * Return: 0 or the error of request_irq(); then no line is held
 */
int eoe_irq_request(struct eoe *eoe)
{
	unsigned int i, cpu;
	int ret;

	for (i = 0; i < eoe->nirq; i++) {
		struct eoe_irq *irq = &eoe->irq[i];
		const char *dir = irq->rx ? "rx" : "tx";

		/* "eth0-rx" for all queues, "eth0-rx-3" for one of them, */
		if (irq->nchan == eoe->cfg.queues)
			snprintf(irq->name, sizeof(irq->name), "%s-%s",
				 eoe->ndev->name, dir);
		else	/* and "eth0-rx-3+" for 3 and others. */
			snprintf(irq->name, sizeof(irq->name), "%s-%s-%u%s",
				 eoe->ndev->name, dir, irq->chan[0]->queue,
				 irq->nchan > 1 ? "+" : "");

		ret = request_irq(irq->virq, eoe_irq_handler, IRQF_SHARED,
				  irq->name, irq);
		if (ret) {
			netdev_err(eoe->ndev, "cannot use interrupt %d: %d\n",
				   irq->virq, ret);
			eoe_irq_release(eoe, i);
			return ret;
		}
		if (irq->nchan == 1) {
			cpu = cpumask_local_spread(irq->chan[0]->queue,
						   NUMA_NO_NODE);
			irq_update_affinity_hint(irq->virq, cpumask_of(cpu));
		}
	}
	return 0;
}

/**
 * eoe_irq_free() - give every line back
 * @eoe: the port
 */
void eoe_irq_free(struct eoe *eoe)
{
	eoe_irq_release(eoe, eoe->nirq);
}
