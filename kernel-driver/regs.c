// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool -d: registers of the three blocks. What is cleared by reading stays
 * out, but for the link's latches, which the link poll reads every second anyway.
 *
 * Each register is two words: block << 24 | offset, and its value.
 */
#include <linux/ethtool.h>

#include "eoe.h"

#define EOE_REGS_VERSION	1

enum eoe_regs_block {
	EOE_REGS_MAC,
	EOE_REGS_OFFLOAD,
	EOE_REGS_DMA,
};

struct eoe_regs {
	u32 *next;
	u32 *end;
};

static const u16 eoe_mac_regs[] = {
	XXV_GT_RESET, 0x004, XXV_MODE, XXV_TX_CONFIG, XXV_RX_CONFIG, XXV_RX_MTU,
	XXV_VL_LENGTH, XXV_REVISION, XXV_TX_PAUSE, XXV_TX_PAUSE_REFRESH,
	XXV_TX_PAUSE_QUANTA, XXV_RX_PAUSE, XXV_RX_PAUSE_CHECKS, XXV_RX_STATUS,
	XXV_BLOCK_LOCK, XXV_CORE_SPEED,
};

static const u16 eoe_an_regs[] = {
	XXV_AN_CONTROL, XXV_AN_ADVERTISE, XXV_AN_ABILITY, XXV_LT_CONTROL,
	XXV_AN_PARTNER,
};

static const u16 eoe_off_regs[] = {
	EOE_VERSION, EOE_TX_ERROR_COUNT, EOE_RX_COMMON_CTRL, EOE_RX_TIMEOUT,
	EOE_RX_DROPPED, EOE_RX_ERROR, EOE_RX_NON_GRO, EOE_RX_TOTAL_GRO,
};

static const u16 eoe_off_port_regs[] = {
	EOE_PORT_CTRL, EOE_PORT_STATUS, EOE_PORT_SRC_IP, EOE_PORT_DST_IP,
	EOE_PORT_PORTS, EOE_PORT_GRO_COUNT,
};

static const u16 eoe_dma_regs[] = {
	MCDMA_MM2S + MCDMA_CCR, MCDMA_MM2S + MCDMA_CSR, MCDMA_MM2S + MCDMA_CHEN,
	MCDMA_MM2S + MCDMA_ERR, MCDMA_MM2S_SCHD_TYPE, MCDMA_MM2S_WRR_REG1,
	MCDMA_MM2S_WRR_REG2, MCDMA_MM2S_INTR_STATUS,
	MCDMA_S2MM + MCDMA_CCR, MCDMA_S2MM + MCDMA_CSR, MCDMA_S2MM + MCDMA_CHEN,
	MCDMA_S2MM + MCDMA_ERR, MCDMA_S2MM_PKTDROP, MCDMA_S2MM_INTR_STATUS,
};

/* SR clears by writing; the drop counter behind these does so by reading. */
static const u16 eoe_dma_chan_regs[] = {
	MCDMA_CR, MCDMA_SR, MCDMA_CURDESC, MCDMA_CURDESC + 4, MCDMA_TAILDESC,
	MCDMA_TAILDESC + 4,
};

#define EOE_REGS_MAX (ARRAY_SIZE(eoe_mac_regs) + 1 + ARRAY_SIZE(eoe_an_regs) + \
		      ARRAY_SIZE(eoe_off_regs) + \
		      EOE_MAX_GRO_PORTS * ARRAY_SIZE(eoe_off_port_regs) + \
		      ARRAY_SIZE(eoe_dma_regs) + \
		      2 * EOE_MAX_CHANNELS * ARRAY_SIZE(eoe_dma_chan_regs))

static void eoe_regs_read(struct eoe_regs *r, enum eoe_regs_block block,
			  void __iomem *base, u32 start, const u16 *offsets,
			  size_t n)
{
	size_t i;

	for (i = 0; i < n && r->end - r->next >= 2; i++) {
		u32 offset = start + offsets[i];

		*r->next++ = block << 24 | offset;
		*r->next++ = readl(base + offset);
	}
}

/**
 * eoe_get_regs_len() - room for what eoe_get_regs() writes
 * @ndev: the interface
 *
 * Return: bytes
 */
int eoe_get_regs_len(struct net_device *ndev)
{
	return EOE_REGS_MAX * 2 * sizeof(u32);
}

/**
 * eoe_get_regs() - ethtool -d
 * @ndev: the interface
 * @info: version and length; the rest of the buffer stays 0
 * @data: where to write
 */
void eoe_get_regs(struct net_device *ndev, struct ethtool_regs *info,
		  void *data)
{
	static const u16 gt_status = XXV_GT_STATUS;
	struct eoe *eoe = netdev_priv(ndev);
	struct eoe_regs r = {
		.next = data,
		.end = (u32 *)data + EOE_REGS_MAX * 2,
	};
	unsigned int i;

	info->version = EOE_REGS_VERSION;
	memset(data, 0, eoe_get_regs_len(ndev));

	eoe_regs_read(&r, EOE_REGS_MAC, eoe->mac, 0, eoe_mac_regs,
		      ARRAY_SIZE(eoe_mac_regs));
	if (eoe_mac_has_gt_status(eoe))
		eoe_regs_read(&r, EOE_REGS_MAC, eoe->mac, 0, &gt_status, 1);
	if (eoe->cfg.autoneg)
		eoe_regs_read(&r, EOE_REGS_MAC, eoe->mac, 0, eoe_an_regs,
			      ARRAY_SIZE(eoe_an_regs));
	if (eoe->off)
		eoe_regs_read(&r, EOE_REGS_OFFLOAD, eoe->off, 0, eoe_off_regs,
			      ARRAY_SIZE(eoe_off_regs));
	for (i = 1; eoe->off && i <= EOE_MAX_GRO_PORTS; i++)
		eoe_regs_read(&r, EOE_REGS_OFFLOAD, eoe->off, EOE_PORT(i),
			      eoe_off_port_regs, ARRAY_SIZE(eoe_off_port_regs));
	eoe_regs_read(&r, EOE_REGS_DMA, eoe->dma, 0, eoe_dma_regs,
		      ARRAY_SIZE(eoe_dma_regs));
	for (i = 0; i < eoe->cfg.queues; i++) {
		u8 id = eoe->cfg.channel[i];

		eoe_regs_read(&r, EOE_REGS_DMA, eoe->dma,
			      MCDMA_CHAN(MCDMA_MM2S, id), eoe_dma_chan_regs,
			      ARRAY_SIZE(eoe_dma_chan_regs));
		eoe_regs_read(&r, EOE_REGS_DMA, eoe->dma,
			      MCDMA_CHAN(MCDMA_S2MM, id), eoe_dma_chan_regs,
			      ARRAY_SIZE(eoe_dma_chan_regs));
	}
}
