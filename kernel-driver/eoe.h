/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Driver structures and the interfaces between its files. Hardware is in
 * eoe_hw.h.
 */
#ifndef _EOE_H
#define _EOE_H

#include <linux/bpf.h>
#include <linux/if_vlan.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/phylink.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/u64_stats_sync.h>
#include <linux/workqueue.h>

#include "eoe_compat.h"
#include "eoe_desc.h"
#include "eoe_gro.h"
#include "eoe_hw.h"
#include "eoe_link.h"
#include "eoe_rules.h"

#define EOE_DRIVER_NAME		"xilinx_axienet_eoe"

#define EOE_MAX_QUEUES		EOE_MAX_CHANNELS

/*
 * Ring sizes. A transmit ring must hold two of the largest packets, one
 * descriptor per fragment and one for the head, so that stopping with room for
 * one and waking with room for two is possible.
 */
#define EOE_TX_PACKET_MAX	(MAX_SKB_FRAGS + 1)
#define EOE_TX_STOP		EOE_TX_PACKET_MAX
#define EOE_TX_WAKE		(2 * EOE_TX_PACKET_MAX)
#define EOE_TX_RING_MIN		max(64, EOE_TX_WAKE + 1)
#define EOE_RX_RING_MIN		32
#define EOE_RING_MAX		4096
#define EOE_TX_RING_DEFAULT	256
#define EOE_RX_RING_DEFAULT	256

/*
 * One receive buffer is a 4 KiB slice of page_pool memory. Ordinary channels
 * leave headroom for XDP and room for skb_shared_info, so that build_skb()
 * works in place; GRO channels use the whole slice for one engine fragment.
 */
#define EOE_RX_SLICE		4096
#define EOE_RX_HEADROOM		XDP_PACKET_HEADROOM
#define EOE_RX_PLAIN_LEN	round_down(SKB_WITH_OVERHEAD(EOE_RX_SLICE) - \
					   EOE_RX_HEADROOM, EOE_STREAM_BYTES)
#define EOE_RX_COPYBREAK	256

/* Descriptors in a reception are refilled and published this many at once. */
#define EOE_RX_REFILL_BATCH	16

#define EOE_ETH_OVERHEAD	(ETH_HLEN + VLAN_HLEN + ETH_FCS_LEN)
#define EOE_MTU_MAX		9000

#define EOE_USECS_DEFAULT	50
#define EOE_RX_FRAMES_DEFAULT	16
#define EOE_TX_FRAMES_DEFAULT	24

struct devlink;
struct devlink_health_reporter;
struct eoe;
struct eoe_loopback;
struct eoe_queue;

/**
 * struct eoe_config - what the device tree says about a port
 * @queues: receive and transmit queues
 * @channel: MCDMA channel (1..16) of each queue
 * @tx_irq: interrupt of each transmit channel
 * @rx_irq: interrupt of each receive channel
 * @dma_width: address bits of the MCDMA
 * @dre: buffers may start at any address
 * @tx_offload: 0 none, 1 checksum, 2 checksum and segmentation
 * @rx_offload: 0 none, 1 checksum, 2 checksum and GRO
 * @rxmem: largest frame the receive memory takes, FCS included
 * @phy_mode: interface mode
 * @autoneg: the core was built with autonegotiation
 * @sg_clk_hz: clock of the MCDMA interrupt delay counter
 * @axi_clk_hz: register clock, which drives the GRO timeout
 */
struct eoe_config {
	unsigned int queues;
	u8 channel[EOE_MAX_QUEUES];
	int tx_irq[EOE_MAX_QUEUES];
	int rx_irq[EOE_MAX_QUEUES];
	unsigned int dma_width;
	bool dre;
	u32 tx_offload;
	u32 rx_offload;
	u32 rxmem;
	phy_interface_t phy_mode;
	bool autoneg;
	u32 sg_clk_hz;
	u32 axi_clk_hz;
};

/**
 * struct eoe_chan - one MCDMA channel of one direction and its NAPI
 * @eoe: the port
 * @regs: channel registers
 * @napi: poll instance
 * @lock: serialises writers of CR: interrupt, poll and ethtool
 * @cr: moderation fields of CR
 * @enabled: interrupt enables that stand in CR
 * @id: channel number, 1..16
 * @queue: index of the queue
 * @rx: receive direction
 */
struct eoe_chan {
	struct eoe *eoe;
	void __iomem *regs;
	struct napi_struct napi;
	spinlock_t lock; /* writers of CR */
	u32 cr;
	u32 enabled;
	u8 id;
	u8 queue;
	bool rx;
};

/**
 * enum eoe_tx_type - what a transmit ring entry has to release
 * @EOE_TX_NONE: nothing
 * @EOE_TX_SINGLE: a single mapping
 * @EOE_TX_PAGE: a page mapping
 * @EOE_TX_BOUNCE: a single mapping of an aligned copy
 */
enum eoe_tx_type {
	EOE_TX_NONE,
	EOE_TX_SINGLE,
	EOE_TX_PAGE,
	EOE_TX_BOUNCE,
};

/**
 * struct eoe_tx_buf - shadow of a transmit descriptor
 * @type: how @dma was mapped
 * @last: index of the packet's last descriptor, valid in its first
 * @len: mapped length
 * @dma: mapped address
 * @skb: the packet, in its first descriptor only
 * @bounce: aligned copy, %EOE_TX_BOUNCE only
 * @bytes: bytes reported to BQL, in the first descriptor
 * @wire_packets: frames on the wire, in the first descriptor
 * @wire_bytes: their bytes, in the first descriptor
 *
 * Everything a completion needs is stored at transmit; nothing is read back
 * from the descriptor but its status.
 */
struct eoe_tx_buf {
	enum eoe_tx_type type;
	u16 last;
	u32 len;
	dma_addr_t dma;
	struct sk_buff *skb;
	void *bounce;
	u32 bytes;
	u32 wire_packets;
	u32 wire_bytes;
};

/**
 * struct eoe_tx_ring - transmit descriptors of one channel
 * @q: the queue it belongs to
 * @bd: descriptors
 * @bd_dma: their address
 * @buf: shadow entries
 * @count: number of descriptors; one is always left free
 * @use: next descriptor to fill, written by xmit
 * @clean: next descriptor to complete, written by the poll
 * @unkicked: descriptors were filled but the hardware not told
 */
struct eoe_tx_ring {
	struct eoe_queue *q;
	struct mcdma_bd *bd;
	dma_addr_t bd_dma;
	struct eoe_tx_buf *buf;
	u16 count;
	u16 use;
	bool unkicked;
	u16 clean ____cacheline_aligned_in_smp;
};

/**
 * struct eoe_rx_buf - shadow of a receive descriptor
 * @page: page_pool page, NULL when the descriptor has no buffer
 * @offset: start of the slice in the page
 */
struct eoe_rx_buf {
	struct page *page;
	u32 offset;
};

/**
 * struct eoe_rx_ring - receive descriptors of one channel
 * @bd: descriptors
 * @bd_dma: their address
 * @buf: shadow entries
 * @pool: where buffers come from
 * @count: number of descriptors; one is always left free
 * @use: next descriptor to give a buffer
 * @clean: next descriptor to look at
 * @gro: channel of a GRO port
 * @headroom: bytes left free in front of the data
 * @len: bytes of a slice given to the hardware
 * @skb: packet under construction, or NULL
 * @payload: GRO: payload bytes collected in @skb
 * @skip: throw descriptors away until the packet ends
 */
struct eoe_rx_ring {
	struct mcdma_bd *bd;
	dma_addr_t bd_dma;
	struct eoe_rx_buf *buf;
	struct page_pool *pool;
	u16 count;
	u16 use;
	u16 clean;
	bool gro;
	u16 headroom;
	u16 len;
	struct sk_buff *skb;
	u32 payload;
	bool skip;
};

/**
 * struct eoe_tx_stats - counters of a transmit queue, kept by xmit
 * @syncp: for 64-bit counters on 32-bit machines
 * @csum: packets whose checksum was left to the engine
 * @dropped: packets dropped: mapping or allocation failed, or cannot be sent
 * @map_errors: mappings that failed
 * @stopped: queue stopped for lack of descriptors
 */
struct eoe_tx_stats {
	struct u64_stats_sync syncp;
	u64_stats_t csum;
	u64_stats_t dropped;
	u64_stats_t map_errors;
	u64_stats_t stopped;
};

/**
 * struct eoe_tx_done_stats - counters of a transmit queue, kept by completion
 * @syncp: for 64-bit counters on 32-bit machines
 * @packets: frames on the wire
 * @bytes: their bytes without FCS
 * @gso_packets: packets cut by the engine
 * @gso_bytes: their bytes before they were cut
 * @gso_wire_packets: frames they became
 * @gso_wire_bytes: bytes of these frames
 * @lost: packets thrown away by a reset or when the interface went down
 * @woken: queue woken again
 */
struct eoe_tx_done_stats {
	struct u64_stats_sync syncp;
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t gso_packets;
	u64_stats_t gso_bytes;
	u64_stats_t gso_wire_packets;
	u64_stats_t gso_wire_bytes;
	u64_stats_t lost;
	u64_stats_t woken;
};

/**
 * struct eoe_rx_stats - counters of a receive queue
 * @syncp: for 64-bit counters on 32-bit machines
 * @packets: frames, a merge counted as the datagrams in it
 * @bytes: their bytes
 * @gro_packets: packets of several datagrams handed up
 * @gro_wire_packets: datagrams in them
 * @gro_bytes: bytes of those packets as handed up
 * @gro_orphan: payload without a header descriptor in front
 * @gro_header: header that is not one of a merged datagram
 * @gro_total: stated and received length disagree, or too many fragments
 * @gro_unfinished: header arrived before the end of the previous merge
 * @gro_csum: engine's IPv4 checksum was not the right one
 * @bad_length: length in a descriptor larger than its buffer, or none
 * @bd_errors: descriptors with an error bit
 * @framing: start and end of a packet do not pair up
 * @alloc_fail: buffers or skbs that could not be had
 */
struct eoe_rx_stats {
	struct u64_stats_sync syncp;
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t gro_packets;
	u64_stats_t gro_wire_packets;
	u64_stats_t gro_bytes;
	u64_stats_t gro_orphan;
	u64_stats_t gro_header;
	u64_stats_t gro_total;
	u64_stats_t gro_unfinished;
	u64_stats_t gro_csum;
	u64_stats_t bad_length;
	u64_stats_t bd_errors;
	u64_stats_t framing;
	u64_stats_t alloc_fail;
};

/**
 * struct eoe_queue - a receive and a transmit channel of the same number
 * @tx: transmit channel
 * @rx: receive channel
 * @tx_ring: transmit ring while the interface is up
 * @rx_ring: receive ring while the interface is up
 * @tx_stats: counters of xmit; all counters survive the ring
 * @tx_done: counters of transmit completion
 * @rx_stats: counters of reception
 * @refill: looks again when no receive buffer could be had
 */
struct eoe_queue {
	struct eoe_chan tx;
	struct eoe_chan rx;
	struct eoe_tx_ring *tx_ring;
	struct eoe_rx_ring *rx_ring;
	struct eoe_tx_stats tx_stats;
	struct eoe_tx_done_stats tx_done;
	struct eoe_rx_stats rx_stats;
	struct timer_list refill;
};

/**
 * struct eoe_irq - one interrupt line of one direction
 * @eoe: the port
 * @name: as /proc/interrupts shows it
 * @virq: Linux interrupt number
 * @rx: receive direction
 * @nchan: channels that share the line
 * @chan: these channels
 */
struct eoe_irq {
	struct eoe *eoe;
	char name[IFNAMSIZ + 16];
	int virq;
	bool rx;
	unsigned int nchan;
	struct eoe_chan *chan[EOE_MAX_QUEUES];
};

/**
 * struct eoe_rings - every ring of the port, so that a set can be swapped
 * @tx: transmit rings
 * @rx: receive rings
 */
struct eoe_rings {
	struct eoe_tx_ring *tx[EOE_MAX_QUEUES];
	struct eoe_rx_ring *rx[EOE_MAX_QUEUES];
};

/**
 * struct eoe_coalesce - interrupt moderation of one direction
 * @usecs: microseconds
 * @frames: packets; on GRO channels stream packets, that is descriptors
 */
struct eoe_coalesce {
	u32 usecs;
	u32 frames;
};

/**
 * enum eoe_dma_error - kinds of MCDMA errors, in the order of the ERR bits
 * @EOE_DMA_INT: internal error or bad length of a buffer
 * @EOE_DMA_SLV: slave error on data
 * @EOE_DMA_DEC: no such data address
 * @EOE_SG_INT: stale descriptor
 * @EOE_SG_SLV: slave error on a descriptor
 * @EOE_SG_DEC: no such descriptor address
 * @EOE_DMA_ERRORS: number of kinds
 */
enum eoe_dma_error {
	EOE_DMA_INT,
	EOE_DMA_SLV,
	EOE_DMA_DEC,
	EOE_SG_INT,
	EOE_SG_SLV,
	EOE_SG_DEC,
	EOE_DMA_ERRORS,
};

#define EOE_XXV_STATS	62
#define EOE_OFF_STATS	5

/**
 * enum eoe_flag - bits of &eoe->flags
 * @EOE_RUNNING: rings and hardware are set up
 * @EOE_TX_HELD: the transmit queues stay stopped whatever completes
 * @EOE_FAILED: an error was seen; interrupts stay off until the reset
 * @EOE_FAILED_TX: of transmission, and not reported yet
 * @EOE_FAILED_RX: the same of reception
 * @EOE_LOST: the registers do not answer; none is touched any more
 * @EOE_LOOPBACK: what is sent comes back, to the self-test alone
 */
enum eoe_flag {
	EOE_RUNNING,
	EOE_TX_HELD,
	EOE_FAILED,
	EOE_FAILED_TX,
	EOE_FAILED_RX,
	EOE_LOST,
	EOE_LOOPBACK,
};

/**
 * struct eoe - one port
 * @dev: the platform device
 * @ndev: its network device
 * @cfg: from the device tree
 * @mac: XXV registers
 * @dma: MCDMA registers
 * @off: Offload Engine registers, NULL without one
 * @mac_version: XXV IP version, major << 8 | minor
 * @flags: see &enum eoe_flag
 * @queue: one per channel pair
 * @queues: how many of them are in use, from the first
 * @irq: interrupt lines, grouped by number
 * @nirq: how many
 * @tx_count: descriptors of each transmit ring
 * @rx_count: descriptors of each receive ring
 * @tx_coal: transmit interrupt moderation
 * @rx_coal: receive interrupt moderation
 * @phylink: link state machine
 * @phylink_config: its configuration
 * @pcs: the PCS inside XXV
 * @an_seed: nonce seed of negotiation
 * @pause_lock: the pause registers and what follows
 * @tx_pause: send pause frames
 * @rx_pause: obey pause frames
 * @pause_used: pause was wanted once, so the registers are written
 * @loopback: self-test under way, with %EOE_LOOPBACK
 * @devlink: instance of the device
 * @reporter: its health reporters, by direction (0 transmit)
 * @reset_work: brings the engine back after an error
 * @resets: resets since @reset_start
 * @reset_start: 64-bit jiffies of the first of them
 * @reset_count: resets since probe
 * @tx_timeouts: transmit watchdog timeouts
 * @dma_errors: errors seen, by direction (0 transmit) and kind
 * @irq_errors: error interrupts, by direction
 * @rule_lock: the rule table and the ports' registers
 * @rules: receive ports
 * @addr: IPv4 address the ports match; 0 = none, ports off
 * @ports_on: the engine may be programmed: interface up, GRO on
 * @inet_nb: follows the interface's addresses
 * @stats_lock: the XXV tick, its readable copies and @mac_stats
 * @stats_work: samples before a counter can saturate
 * @mac_stats: XXV counters since probe
 * @off_stats: Offload Engine counters since probe
 * @off_last: their last readings
 * @drops: packets the MCDMA dropped for lack of descriptors, by queue
 */
struct eoe {
	struct device *dev;
	struct net_device *ndev;
	struct eoe_config cfg;
	void __iomem *mac;
	void __iomem *dma;
	void __iomem *off;
	u16 mac_version;
	unsigned long flags;
	struct eoe_queue queue[EOE_MAX_QUEUES];
	unsigned int queues;
	struct eoe_irq *irq;
	unsigned int nirq;
	u32 tx_count;
	u32 rx_count;
	struct eoe_coalesce tx_coal;
	struct eoe_coalesce rx_coal;
	struct phylink *phylink;
	struct phylink_config phylink_config;
	struct phylink_pcs pcs;
	u8 an_seed;
	spinlock_t pause_lock; /* pause registers */
	bool tx_pause;
	bool rx_pause;
	bool pause_used;
	struct eoe_loopback *loopback;
	struct devlink *devlink;
	struct devlink_health_reporter *reporter[2];
	struct work_struct reset_work;
	unsigned int resets;
	u64 reset_start;
	u64 reset_count;
	atomic64_t tx_timeouts;
	atomic64_t dma_errors[2][EOE_DMA_ERRORS];
	atomic64_t irq_errors[2];
	struct mutex rule_lock; /* rules and port registers */
	struct eoe_rule_table rules;
	__be32 addr;
	bool ports_on;
	struct notifier_block inet_nb;
	spinlock_t stats_lock; /* XXV tick and its copies */
	struct delayed_work stats_work;
	u64 mac_stats[EOE_XXV_STATS];
	u64 off_stats[EOE_OFF_STATS];
	u32 off_last[EOE_OFF_STATS];
	u64 drops[EOE_MAX_QUEUES];
};

/* A register that reads all ones where it cannot: the device is gone. */
static inline bool eoe_gone(u32 value)
{
	return value == U32_MAX;
}

/* Nothing may be written to a device that is gone. */
static inline bool eoe_is_lost(const struct eoe *eoe)
{
	return test_bit(EOE_LOST, &eoe->flags);
}

/* The queue's channel belongs to a GRO port, and GRO is built in. */
static inline bool eoe_queue_is_gro(const struct eoe *eoe, unsigned int queue)
{
	return eoe->cfg.rx_offload == 2 && eoe->cfg.channel[queue] > 1;
}

/* dt.c */
int eoe_dt_parse(struct device *dev, struct eoe_config *cfg);
struct device_node *eoe_dt_dma_node(struct device *dev);

/* main.c, netdev.c */
extern const struct net_device_ops eoe_netdev_ops;
void eoe_netdev_init(struct eoe *eoe);
int eoe_start(struct eoe *eoe);
void eoe_stop(struct eoe *eoe);
int eoe_resume(struct eoe *eoe);
int eoe_restart(struct eoe *eoe);
int eoe_resize(struct eoe *eoe, unsigned int queues, u32 tx_count,
	       u32 rx_count);

/* rings.c */
int eoe_rings_alloc(struct eoe *eoe, struct eoe_rings *rings,
		    unsigned int queues, u32 tx_count,
		    u32 rx_count);
void eoe_rings_free(struct eoe *eoe, struct eoe_rings *rings);
void eoe_rings_swap(struct eoe *eoe, struct eoe_rings *rings);
void eoe_rings_rewind(struct eoe *eoe);

/* tx.c */
netdev_tx_t eoe_xmit(struct sk_buff *skb, struct net_device *ndev);
netdev_features_t eoe_features_check(struct sk_buff *skb,
				     struct net_device *ndev,
				     netdev_features_t features);
int eoe_tx_poll(struct napi_struct *napi, int budget);
void eoe_tx_drain(struct eoe_tx_ring *ring);

/* rx.c */
int eoe_rx_poll(struct napi_struct *napi, int budget);
void eoe_rx_post(struct eoe_rx_ring *ring, u16 i);
int eoe_rx_refill(struct eoe_rx_ring *ring, gfp_t gfp);
void eoe_rx_stock(struct eoe_queue *q);
void eoe_rx_refill_timer(struct timer_list *t);
void *eoe_rx_data(const struct eoe_rx_ring *ring, const struct eoe_rx_buf *buf);
void eoe_rx_sync(const struct eoe_rx_ring *ring, const struct eoe_rx_buf *buf,
		 u32 len);
void eoe_rx_recycle(struct eoe_rx_ring *ring, struct eoe_rx_buf *buf,
		    bool direct);
void eoe_rx_add_frag(struct eoe_rx_ring *ring, struct eoe_rx_buf *buf,
		     struct sk_buff *skb, u32 len);
struct sk_buff *eoe_rx_first(struct eoe_queue *q, struct eoe_rx_ring *ring,
			     struct eoe_rx_buf *buf, u32 len);
void eoe_rx_deliver(struct eoe_queue *q, struct sk_buff *skb,
		    unsigned int datagrams);

/* gro.c */
void eoe_gro_bd(struct eoe_queue *q, struct eoe_rx_ring *ring,
		struct eoe_rx_buf *buf, const struct eoe_rx_words *words,
		u32 app0, u32 app1);

/* irq.c */
int eoe_irq_init(struct eoe *eoe);
int eoe_irq_request(struct eoe *eoe);
void eoe_irq_free(struct eoe *eoe);
void eoe_irq_off(struct eoe_chan *chan);
void eoe_irq_rearm(struct eoe_chan *chan);

/* mcdma.c */
int eoe_dma_reset(struct eoe *eoe);
int eoe_dma_start(struct eoe *eoe);
void eoe_dma_stop(struct eoe *eoe);
void eoe_dma_tail(struct eoe_chan *chan, dma_addr_t bd);
void eoe_dma_set_moderation(struct eoe *eoe);
void eoe_dma_cr_write(struct eoe_chan *chan, bool irq_on);
void eoe_dma_count_errors(struct eoe *eoe, bool rx);

/* reset.c */
void eoe_reset_work(struct work_struct *work);
void eoe_fail(struct eoe *eoe, bool rx);
void eoe_lost(struct eoe *eoe);
int eoe_recover(struct eoe *eoe, bool automatic);
void eoe_tx_timeout(struct net_device *ndev, unsigned int txqueue);

/* health.c */
#if IS_ENABLED(CONFIG_NET_DEVLINK)
int eoe_health_init(struct eoe *eoe);
void eoe_health_exit(struct eoe *eoe);
void eoe_health_report(struct eoe *eoe, bool rx);
void eoe_health_good(struct eoe *eoe);
#else
static inline int eoe_health_init(struct eoe *eoe)
{
	return 0;
}

static inline void eoe_health_exit(struct eoe *eoe)
{
}

static inline void eoe_health_report(struct eoe *eoe, bool rx)
{
	eoe_recover(eoe, true);
}

static inline void eoe_health_good(struct eoe *eoe)
{
}
#endif

/* power.c */
extern const struct dev_pm_ops eoe_pm_ops;

/* mac.c */
int eoe_mac_identify(struct eoe *eoe);
void eoe_mac_gt_reset(struct eoe *eoe);
void eoe_mac_configure(struct eoe *eoe);
void eoe_mac_enable(struct eoe *eoe, bool tx, bool rx);
bool eoe_mac_link(struct eoe *eoe);
int eoe_mac_speed(struct eoe *eoe);
u32 eoe_mac_max_frame(const struct eoe *eoe);
bool eoe_mac_has_gt_status(const struct eoe *eoe);
void eoe_mac_apply_pause(struct eoe *eoe);
void eoe_mac_set_pause(struct eoe *eoe, bool tx, bool rx);
void eoe_mac_an_config(struct eoe *eoe, bool on, bool pause, bool asym);
void eoe_mac_an_restart(struct eoe *eoe);
struct eoe_an_state eoe_mac_an_state(struct eoe *eoe);

/* hw_stats.c */
void eoe_hw_stats_discard(struct eoe *eoe);
void eoe_hw_stats_sample(struct eoe *eoe);
void eoe_hw_stats_refresh(struct eoe *eoe);
void eoe_hw_stats_work(struct work_struct *work);
void eoe_hw_stats_strings(const struct eoe *eoe, u8 **data);
u64 *eoe_hw_stats_values(struct eoe *eoe, u64 *data);
int eoe_hw_stats_count(const struct eoe *eoe);
u64 eoe_mac_stat(struct eoe *eoe, u32 offset);
u64 eoe_off_stat(struct eoe *eoe, u32 offset);

/* link.c */
int eoe_link_init(struct eoe *eoe);
void eoe_link_exit(struct eoe *eoe);

/* offload.c */
int eoe_offload_identify(struct eoe *eoe);
void eoe_offload_configure(struct eoe *eoe);
void eoe_offload_set_timeout(struct eoe *eoe);
int eoe_port_disable(struct eoe *eoe, unsigned int k);
void eoe_port_enable(struct eoe *eoe, unsigned int k, u16 dport);

/* rules.c */
int eoe_rules_init(struct eoe *eoe);
void eoe_rules_exit(struct eoe *eoe);
void eoe_rules_start(struct eoe *eoe);
void eoe_rules_stop(struct eoe *eoe);
void eoe_rules_set_usable(struct eoe *eoe);
u32 eoe_rx_ring_count(struct net_device *ndev);
int eoe_rules_get(struct net_device *ndev, struct ethtool_rxnfc *info,
		  u32 *locations);
int eoe_rules_set(struct net_device *ndev, struct ethtool_rxnfc *info);

/* stats.c */
extern const char eoe_dma_error_names[EOE_DMA_ERRORS][16];
void eoe_stats_init(struct eoe *eoe);
u64 eoe_stat_read(const struct u64_stats_sync *syncp,
		  const u64_stats_t *counter);
void eoe_get_stats64(struct net_device *ndev, struct rtnl_link_stats64 *s);
int eoe_stats_count(const struct eoe *eoe);
void eoe_stats_strings(const struct eoe *eoe, u8 *data);
void eoe_stats_values(struct eoe *eoe, u64 *data);

/* stat_groups.c */
void eoe_get_eth_mac_stats(struct net_device *ndev,
			   struct ethtool_eth_mac_stats *s);
void eoe_get_pause_stats(struct net_device *ndev,
			 struct ethtool_pause_stats *s);
void eoe_get_rmon_stats(struct net_device *ndev, struct ethtool_rmon_stats *s,
			const struct ethtool_rmon_hist_range **ranges);

/* regs.c */
int eoe_get_regs_len(struct net_device *ndev);
void eoe_get_regs(struct net_device *ndev, struct ethtool_regs *info,
		  void *data);

/* selftest.c */
void eoe_test_receive(struct eoe *eoe, struct sk_buff *skb);
void eoe_self_test(struct net_device *ndev, struct ethtool_test *etest,
		   u64 *data);
int eoe_self_test_count(void);
void eoe_self_test_strings(u8 *data);

/* ethtool.c */
extern const struct ethtool_ops eoe_ethtool_ops;

/* Count one event; the counters of a structure have one writer. */
static inline void eoe_count(struct u64_stats_sync *syncp, u64_stats_t *counter,
			     unsigned int n)
{
	u64_stats_update_begin(syncp);
	u64_stats_add(counter, n);
	u64_stats_update_end(syncp);
}

#endif /* _EOE_H */
