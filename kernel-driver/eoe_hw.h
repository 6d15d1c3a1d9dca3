/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers and buffer descriptors of the three blocks behind one port:
 * AXI MCDMA (PG288), Ethernet Offload Engine (PG451) and XXV Ethernet (PG210).
 * Hardware facts only; nothing here knows about the driver.
 */
#ifndef _EOE_HW_H
#define _EOE_HW_H

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/types.h>

#define EOE_MAX_CHANNELS		16

/* ---- AXI MCDMA, PG288 register space ---------------------------------- */

#define MCDMA_MIN_SIZE			0x960
#define MCDMA_MM2S			0x000
#define MCDMA_S2MM			0x500

/* Common registers; same offset from either direction's base. */
#define MCDMA_CCR			0x00
#define   MCDMA_CCR_RS			BIT(0)
#define   MCDMA_CCR_RESET		BIT(2)
#define MCDMA_CSR			0x04
#define   MCDMA_CSR_HALTED		BIT(0)
#define   MCDMA_CSR_IDLE		BIT(1)
#define MCDMA_CHEN			0x08
#define MCDMA_ERR			0x10
#define   MCDMA_ERR_DMA_INT		BIT(0)
#define   MCDMA_ERR_DMA_SLV		BIT(1)
#define   MCDMA_ERR_DMA_DEC		BIT(2)
#define   MCDMA_ERR_SG_INT		BIT(4)
#define   MCDMA_ERR_SG_SLV		BIT(5)
#define   MCDMA_ERR_SG_DEC		BIT(6)
#define   MCDMA_ERR_ALL			(GENMASK(2, 0) | GENMASK(6, 4))

/* Common registers that differ between the directions; absolute offsets. */
#define MCDMA_MM2S_SCHD_TYPE		0x014
#define   MCDMA_SCHD_WRR		1
#define MCDMA_MM2S_WRR_REG1		0x018
#define MCDMA_MM2S_WRR_REG2		0x01c
#define   MCDMA_WRR_EQUAL		0x11111111
#define MCDMA_MM2S_INTR_STATUS		0x028
#define MCDMA_S2MM_PKTDROP		0x514
#define MCDMA_S2MM_INTR_STATUS		0x520

/* Channel n (1..16) of the direction whose common registers are at @base. */
#define MCDMA_CHAN(base, n)		((base) + 0x40 * (n))

#define MCDMA_CR			0x00
#define   MCDMA_CR_RS			BIT(0)
#define   MCDMA_CR_IOC			BIT(5)
#define   MCDMA_CR_DELAY		BIT(6)
#define   MCDMA_CR_ERROR		BIT(7)
#define   MCDMA_CR_THRESHOLD		GENMASK(23, 16)
#define   MCDMA_CR_TIMEOUT		GENMASK(31, 24)
#define MCDMA_SR			0x04
#define   MCDMA_SR_IDLE			BIT(0)
#define   MCDMA_SR_OTHER_ERROR		BIT(3)
#define   MCDMA_SR_IOC			BIT(5)
#define   MCDMA_SR_DELAY		BIT(6)
#define   MCDMA_SR_ERROR		BIT(7)
#define MCDMA_CURDESC			0x08
#define MCDMA_TAILDESC			0x10
#define MCDMA_S2MM_CH_PKTDROP		0x18	/* 15:0, cleared by read */

#define MCDMA_THRESHOLD_MAX		255
#define MCDMA_TIMEOUT_MAX		255
#define MCDMA_TIMEOUT_CLOCKS		125	/* SG clocks per delay count */

/**
 * struct mcdma_bd - buffer descriptor, PG288 "Scatter Gather Descriptor"
 * @next: address of the next descriptor, low half first
 * @addr: address of the buffer, low half first
 * @rsvd: not used by the hardware
 * @control: length, and for transmit start and end of frame
 * @tx_sideband_rx_status: receive: status word; transmit: TID and TUSER
 * @tx_status_rx_sideband: transmit: status word; receive: TID, TDEST, TUSER
 * @app: words exchanged with the control and status streams
 * @sw: free for software, ignored by the hardware
 *
 * The status word stands at another offset in each direction.
 */
struct mcdma_bd {
	__le64 next;
	__le64 addr;
	__le32 rsvd;
	__le32 control;
	__le32 tx_sideband_rx_status;
	__le32 tx_status_rx_sideband;
	__le32 app[5];
	__le32 sw[3];
} __packed __aligned(64);

#define MCDMA_BD_LENGTH			GENMASK(22, 0)
#define MCDMA_BD_TX_SOF			BIT(31)
#define MCDMA_BD_TX_EOF			BIT(30)
#define MCDMA_BD_COMPLETE		BIT(31)
#define MCDMA_BD_DEC_ERR		BIT(30)
#define MCDMA_BD_SLV_ERR		BIT(29)
#define MCDMA_BD_INT_ERR		BIT(28)
#define MCDMA_BD_ERRORS			GENMASK(30, 28)
#define MCDMA_BD_RX_SOF			BIT(27)
#define MCDMA_BD_RX_EOF			BIT(26)

/* The stream toward memory is this many bytes wide (PG451). */
#define EOE_STREAM_BYTES		8

/* ---- Ethernet Offload Engine, PG451 ------------------------------------ */

#define EOE_MIN_SIZE			0x3d8
#define EOE_VERSION			0x00
#define   EOE_VERSION_MAJOR		GENMASK(31, 24)
#define EOE_TX_ERROR_COUNT		0x04
#define EOE_RX_COMMON_CTRL		0x10
#define   EOE_RX_MAX_FRAGMENTS		GENMASK(31, 24)
#define   EOE_RX_FRAGMENT_SIZE		GENMASK(23, 20)
#define     EOE_RX_FRAGMENT_4K		1
#define   EOE_RX_TUPLE_3		BIT(3)
#define   EOE_RX_CSUM_ENABLE		BIT(1)
#define EOE_RX_TIMEOUT			0x14
#define   EOE_RX_TIMEOUT_COUNT		GENMASK(17, 0)
#define   EOE_RX_TIMEOUT_CLOCKS		128
#define EOE_RX_DROPPED			0x18
#define EOE_RX_ERROR			0x1c
#define EOE_RX_NON_GRO			0x20
#define EOE_RX_TOTAL_GRO		0x24

/* Receive port k (1..15) */
#define EOE_PORT(k)			(0x40 * (k))
#define EOE_PORT_CTRL			0x00
#define   EOE_PORT_PROTOCOL		GENMASK(31, 24)
#define   EOE_PORT_GRO_EN		BIT(0)
#define EOE_PORT_STATUS			0x04
#define   EOE_PORT_BUSY			BIT(0)
#define EOE_PORT_SRC_IP			0x08
#define EOE_PORT_DST_IP			0x0c
#define EOE_PORT_PORTS			0x10
#define   EOE_PORT_DST_PORT		GENMASK(31, 16)
#define   EOE_PORT_SRC_PORT		GENMASK(15, 0)
#define EOE_PORT_GRO_COUNT		0x14

#define EOE_MAX_GRO_PORTS		15
#define EOE_FRAGMENT_BYTES		4096
#define EOE_MAX_FRAGMENTS		16

/* Transmit control words, APP0 and APP1 of the first descriptor */
#define EOE_TX_APP0_HEADER		GENMASK(31, 24)
#define EOE_TX_APP0_TOTAL		GENMASK(23, 0)
#define EOE_TX_APP1_MSS			GENMASK(29, 16)
#define EOE_TX_APP1_NO_USO		BIT(11)
#define EOE_TX_APP1_NO_TSO		BIT(10)
#define EOE_TX_APP1_NO_CSUM		BIT(9)
#define EOE_TX_APP1_NO_GSO		BIT(8)
#define EOE_TX_APP1_ID_INCREMENT	BIT(7)
#define EOE_TX_APP1_TOTAL_HIGH		GENMASK(1, 0)
#define EOE_TX_MSS_MAX			9000
#define EOE_TX_HEADER_MAX		255

/* Receive status words, APP0 and APP1 of the descriptor with RXEOF */
#define EOE_RX_APP0_START		BIT(30)
#define EOE_RX_APP0_END			BIT(29)
#define EOE_RX_APP1_CHECKSUM		GENMASK(31, 16)
#define EOE_RX_APP1_TOTAL		GENMASK(15, 0)

/* ---- XXV Ethernet, PG210 ----------------------------------------------- */

#define XXV_MIN_SIZE			0x920
#define XXV_GT_RESET			0x000
#define   XXV_GT_RESET_ALL		BIT(0)
#define XXV_MODE			0x008
#define   XXV_MODE_TICK_REGISTER	BIT(30)
#define   XXV_MODE_LOOPBACK		BIT(31)
#define XXV_TX_CONFIG			0x00c
#define   XXV_TX_ENABLE			BIT(0)
#define   XXV_TX_FCS_INSERT		BIT(1)
#define   XXV_TX_IPG			GENMASK(13, 10)
#define XXV_RX_CONFIG			0x014
#define   XXV_RX_ENABLE			BIT(0)
#define   XXV_RX_FCS_DELETE		BIT(1)
#define   XXV_RX_CHECK_SFD		BIT(4)
#define   XXV_RX_CHECK_PREAMBLE		BIT(5)
#define XXV_RX_MTU			0x018
#define   XXV_RX_MTU_MIN		GENMASK(7, 0)
#define   XXV_RX_MTU_MAX		GENMASK(30, 16)
#define XXV_VL_LENGTH			0x01c
#define XXV_TICK			0x020
#define   XXV_TICK_SNAPSHOT		BIT(0)
#define XXV_REVISION			0x024
#define   XXV_REVISION_MAJOR		GENMASK(7, 0)
#define   XXV_REVISION_MINOR		GENMASK(15, 8)
#define XXV_TX_PAUSE			0x040
#define   XXV_PAUSE_GLOBAL		BIT(8)
#define XXV_TX_PAUSE_REFRESH		0x054	/* of the global timer */
#define XXV_TX_PAUSE_QUANTA		0x068
#define XXV_TX_PAUSE_DA			0x074	/* low word, then high */
#define XXV_TX_PAUSE_SA			0x07c
#define XXV_RX_PAUSE			0x094
#define   XXV_PAUSE_RX_GPP		BIT(12)
#define XXV_RX_PAUSE_CHECKS		0x098
#define   XXV_PAUSE_CHECK_MCAST		BIT(10)
#define   XXV_PAUSE_CHECK_TYPE		BIT(13)
#define   XXV_PAUSE_CHECK_OPCODE	BIT(14)
#define XXV_RX_PAUSE_DA			0x0b8	/* multicast */
#define XXV_AN_CONTROL			0x0e0
#define   XXV_AN_ENABLE			BIT(0)
#define   XXV_AN_BYPASS			BIT(1)
#define   XXV_AN_NONCE_SEED		GENMASK(9, 2)
#define   XXV_AN_RESTART		BIT(11)
#define XXV_AN_ADVERTISE		0x0e4
#define   XXV_AN_ADV_PAUSE		BIT(0)
#define   XXV_AN_ADV_ASYM		BIT(1)
#define XXV_AN_ABILITY			0x0f8	/* bits as in AN_PARTNER */
#define   XXV_AN_10G_KR			BIT(2)
#define   XXV_AN_25G_KRCR_S		BIT(9)
#define   XXV_AN_25G_KRCR		BIT(10)
#define XXV_LT_CONTROL			0x100
#define   XXV_LT_ENABLE			BIT(0)
#define XXV_LT_TRAINED			0x104
#define   XXV_LT_IS_TRAINED		BIT(0)
#define XXV_LT_SEED			0x110
#define   XXV_LT_SEED_VALUE		0x605
#define XXV_RX_STATUS			0x404
#define   XXV_RX_STATUS_OK		BIT(0)
#define XXV_BLOCK_LOCK			0x40c
#define   XXV_BLOCK_LOCK_OK		BIT(0)
#define XXV_AN_STATUS			0x458
#define   XXV_AN_COMPLETE		BIT(2)
#define   XXV_AN_TX_PAUSE		BIT(4)
#define   XXV_AN_RX_PAUSE		BIT(5)
#define   XXV_AN_LP_ABLE		BIT(7)
#define   XXV_AN_LP_PAUSE		BIT(8)
#define   XXV_AN_LP_ASYM		BIT(9)
#define XXV_AN_PARTNER			0x45c
#define XXV_CORE_SPEED			0x498
#define   XXV_CORE_SPEED_10G		BIT(0)
#define   XXV_CORE_SPEED_SWITCHABLE	BIT(1)
#define XXV_GT_STATUS			0x4a0
#define   XXV_GT_RESET_DONE		GENMASK(1, 0)

/* Statistics (PG210 "Statistics Counters"): 32 bits here, 16 more at offset + 4 */
#define XXV_STAT_HIGH			GENMASK(15, 0)
#define XXV_TX_GOOD_PACKETS		0x708
#define XXV_TX_GOOD_BYTES		0x718
#define XXV_TX_HISTOGRAM		0x720
#define XXV_TX_MULTICAST		0x7d8
#define XXV_TX_BROADCAST		0x7e0
#define XXV_TX_PAUSE_FRAMES		0x7f0
#define XXV_RX_GOOD_PACKETS		0x810
#define XXV_RX_GOOD_BYTES		0x820
#define XXV_RX_HISTOGRAM		0x828
#define XXV_RX_UNDERSIZE		0x898
#define XXV_RX_FRAGMENT			0x8a0
#define XXV_RX_OVERSIZE			0x8a8
#define XXV_RX_JABBER			0x8b8
#define XXV_RX_BAD_FCS			0x8c0
#define XXV_RX_MULTICAST		0x8e0
#define XXV_RX_BROADCAST		0x8e8
#define XXV_RX_PAUSE_FRAMES		0x8f8
#define XXV_RX_INRANGE			0x908
#define XXV_HISTOGRAM_BINS		12
#define XXV_HISTOGRAM_STRIDE		8

#endif /* _EOE_HW_H */
