// SPDX-License-Identifier: GPL-2.0-only
/*
 * AXI MCDMA engine (PG288): reset, start, stop, doorbells, moderation.
 *
 * A reset through either direction resets everything, so there is no such thing
 * as resetting one queue. After it no register is known: every one in use is
 * written in full, never read, changed and written back.
 */
#include <linux/iopoll.h>

#include "eoe.h"

#define MCDMA_RESET_US		50000
#define MCDMA_HALT_US		10000
#define MCDMA_POLL_US		10

#define MCDMA_CR_PACKET_IRQS	(MCDMA_CR_IOC | MCDMA_CR_DELAY)

static void __iomem *eoe_dma_base(const struct eoe *eoe, bool rx)
{
	return eoe->dma + (rx ? MCDMA_S2MM : MCDMA_MM2S);
}

static struct eoe_chan *eoe_chan_of(struct eoe *eoe, unsigned int queue, bool rx)
{
	return rx ? &eoe->queue[queue].rx : &eoe->queue[queue].tx;
}

static u32 eoe_dma_channel_mask(const struct eoe *eoe)
{
	u32 mask = 0;
	unsigned int i;

	for (i = 0; i < eoe->queues; i++)
		mask |= BIT(eoe->cfg.channel[i] - 1);
	return mask;
}

/* One 64-bit store, unless the engine has no upper half to write to. */
static void eoe_dma_write_pointer(struct eoe *eoe, void __iomem *reg,
				  dma_addr_t addr)
{
	if (eoe->cfg.dma_width > 32)
		writeq(addr, reg);
	else
		writel(lower_32_bits(addr), reg);
}

/**
 * eoe_dma_tail() - let a channel run up to and including a descriptor
 * @chan: the channel
 * @bd: address of the descriptor
 */
void eoe_dma_tail(struct eoe_chan *chan, dma_addr_t bd)
{
	eoe_dma_write_pointer(chan->eoe, chan->regs + MCDMA_TAILDESC, bd);
}

static void eoe_dma_cr_write_locked(struct eoe_chan *chan, bool irq_on)
{
	u32 enabled = 0;

	if (test_bit(EOE_RUNNING, &chan->eoe->flags) &&
	    !test_bit(EOE_FAILED, &chan->eoe->flags)) {
		enabled = MCDMA_CR_ERROR;
		if (irq_on)
			enabled |= MCDMA_CR_PACKET_IRQS;
	}
	WRITE_ONCE(chan->enabled, enabled);
	if (eoe_is_lost(chan->eoe))
		return;
	writel(chan->cr | MCDMA_CR_RS | enabled, chan->regs + MCDMA_CR);
}

/**
 * eoe_dma_cr_write() - write the control register of a channel
 * @chan: the channel
 * @irq_on: enable packet interrupts
 *
 * Nothing is enabled unless the port runs and is free of errors; the error
 * interrupt stays enabled while packet interrupts are masked for polling.
 */
void eoe_dma_cr_write(struct eoe_chan *chan, bool irq_on)
{
	unsigned long flags;

	spin_lock_irqsave(&chan->lock, flags);
	eoe_dma_cr_write_locked(chan, irq_on);
	spin_unlock_irqrestore(&chan->lock, flags);
}

static u32 eoe_dma_moderation(const struct eoe *eoe,
			      const struct eoe_coalesce *coal)
{
	/* Without packets per interrupt above 1 the delay has nothing to do. */
	u32 timeout = coal->usecs ? eoe_usecs_to_timeout(coal->usecs,
							 eoe->cfg.sg_clk_hz) : 0;

	return eoe_cr_word(coal->frames, timeout);
}

/**
 * eoe_dma_set_moderation() - put new ethtool -C values into effect
 * @eoe: the port, up or down
 */
void eoe_dma_set_moderation(struct eoe *eoe)
{
	unsigned int i, rx;

	for (i = 0; i < eoe->queues; i++) {
		for (rx = 0; rx < 2; rx++) {
			struct eoe_chan *chan = eoe_chan_of(eoe, i, rx);
			unsigned long flags;

			spin_lock_irqsave(&chan->lock, flags);
			chan->cr = eoe_dma_moderation(eoe, rx ? &eoe->rx_coal :
								&eoe->tx_coal);
			/* Masked for a poll stays masked, and the reverse. */
			if (test_bit(EOE_RUNNING, &eoe->flags))
				eoe_dma_cr_write_locked(chan, chan->enabled &
							MCDMA_CR_PACKET_IRQS);
			spin_unlock_irqrestore(&chan->lock, flags);
		}
	}
}

/**
 * eoe_dma_reset() - reset the whole engine
 * @eoe: the port
 *
 * The reset outputs usually reset the MAC data path and the Offload Engine's
 * streams too; both have to be set up again afterwards.
 *
 * Return: 0, -ENODEV when the registers do not answer, -ETIMEDOUT
 */
int eoe_dma_reset(struct eoe *eoe)
{
	unsigned int rx;
	u32 ccr;
	int ret;

	writel(MCDMA_CCR_RESET, eoe_dma_base(eoe, false) + MCDMA_CCR);
	for (rx = 0; rx < 2; rx++) {
		ret = readl_poll_timeout(eoe_dma_base(eoe, rx) + MCDMA_CCR, ccr,
					 !(ccr & MCDMA_CCR_RESET),
					 MCDMA_POLL_US, MCDMA_RESET_US);
		if (ret) {
			dev_err(eoe->dev, eoe_gone(ccr) ?
				"no MCDMA answers\n" :
				"MCDMA does not leave reset\n");
			return eoe_gone(ccr) ? -ENODEV : ret;
		}
	}
	return 0;
}

static int eoe_dma_start_direction(struct eoe *eoe, bool rx)
{
	void __iomem *base = eoe_dma_base(eoe, rx);
	unsigned int i;
	u32 csr;
	int ret;

	for (i = 0; i < eoe->queues; i++) {
		struct eoe_chan *chan = eoe_chan_of(eoe, i, rx);
		struct eoe_rx_ring *r = eoe->queue[i].rx_ring;
		struct eoe_tx_ring *t = eoe->queue[i].tx_ring;
		dma_addr_t first = rx ? r->bd_dma + r->clean * sizeof(*r->bd) :
					t->bd_dma + t->use * sizeof(*t->bd);

		writel(chan->cr, chan->regs + MCDMA_CR);
		eoe_dma_write_pointer(eoe, chan->regs + MCDMA_CURDESC, first);
	}

	writel(eoe_dma_channel_mask(eoe), base + MCDMA_CHEN);
	for (i = 0; i < eoe->queues; i++)
		eoe_dma_cr_write(eoe_chan_of(eoe, i, rx), true);

	writel(MCDMA_CCR_RS, base + MCDMA_CCR);
	ret = readl_poll_timeout(base + MCDMA_CSR, csr,
				 !(csr & MCDMA_CSR_HALTED), MCDMA_POLL_US,
				 MCDMA_HALT_US);
	if (ret && eoe_gone(csr))
		return -ENODEV;
	if (ret)
		dev_err(eoe->dev, "MCDMA %s direction does not start\n",
			rx ? "receive" : "transmit");
	return ret;
}

/**
 * eoe_dma_start() - start every channel of a freshly reset engine
 * @eoe: the port; its receive rings are filled, its transmit rings empty
 *
 * Pointers before run bits before tails: a tail written to a stopped channel is
 * not known to start anything later.
 *
 * Return: 0, -ENODEV when the registers do not answer, -ETIMEDOUT
 */
int eoe_dma_start(struct eoe *eoe)
{
	unsigned int i;
	int ret;

	writel(MCDMA_SCHD_WRR, eoe->dma + MCDMA_MM2S_SCHD_TYPE);
	writel(MCDMA_WRR_EQUAL, eoe->dma + MCDMA_MM2S_WRR_REG1);
	writel(MCDMA_WRR_EQUAL, eoe->dma + MCDMA_MM2S_WRR_REG2);

	ret = eoe_dma_start_direction(eoe, true);
	if (ret)
		return ret;
	ret = eoe_dma_start_direction(eoe, false);
	if (ret)
		return ret;

	for (i = 0; i < eoe->queues; i++) {
		struct eoe_rx_ring *ring = eoe->queue[i].rx_ring;
		u16 last = (ring->use ?: ring->count) - 1;

		if (ring->use != ring->clean)
			eoe_dma_tail(&eoe->queue[i].rx,
				     ring->bd_dma + last * sizeof(*ring->bd));
	}
	return 0;
}

/**
 * eoe_dma_stop() - stop every channel; memory may be freed afterwards
 * @eoe: the port
 *
 * The reset at the end waits for transfers in flight, whatever the orderly stop
 * before it achieved.
 */
void eoe_dma_stop(struct eoe *eoe)
{
	unsigned int i, rx;
	u32 csr;

	if (eoe_is_lost(eoe))
		return;
	for (rx = 0; rx < 2; rx++) {
		void __iomem *base = eoe_dma_base(eoe, rx);

		for (i = 0; i < eoe->cfg.queues; i++)
			writel(0, eoe_chan_of(eoe, i, rx)->regs + MCDMA_CR);
		writel(0, base + MCDMA_CHEN);
		writel(0, base + MCDMA_CCR);
		if (readl_poll_timeout(base + MCDMA_CSR, csr,
				       csr & MCDMA_CSR_HALTED, MCDMA_POLL_US,
				       MCDMA_HALT_US))
			dev_warn(eoe->dev, "MCDMA %s direction does not halt\n",
				 rx ? "receive" : "transmit");
	}
	eoe_dma_reset(eoe);
}

/**
 * eoe_dma_count_errors() - count what the error register of a direction says
 * @eoe: the port
 * @rx: receive direction
 */
void eoe_dma_count_errors(struct eoe *eoe, bool rx)
{
	static const u32 bits[EOE_DMA_ERRORS] = {
		[EOE_DMA_INT] = MCDMA_ERR_DMA_INT,
		[EOE_DMA_SLV] = MCDMA_ERR_DMA_SLV,
		[EOE_DMA_DEC] = MCDMA_ERR_DMA_DEC,
		[EOE_SG_INT] = MCDMA_ERR_SG_INT,
		[EOE_SG_SLV] = MCDMA_ERR_SG_SLV,
		[EOE_SG_DEC] = MCDMA_ERR_SG_DEC,
	};
	u32 err = readl(eoe_dma_base(eoe, rx) + MCDMA_ERR);
	unsigned int i;

	if (eoe_gone(err)) {
		eoe_lost(eoe);
		return;
	}
	for (i = 0; i < EOE_DMA_ERRORS; i++)
		if (err & bits[i])
			atomic64_inc(&eoe->dma_errors[rx][i]);
	if (net_ratelimit())
		netdev_err(eoe->ndev, "MCDMA %s error 0x%02x\n",
			   rx ? "receive" : "transmit", err);
}
