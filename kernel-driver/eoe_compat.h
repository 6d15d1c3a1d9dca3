/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernels 6.6 and 7.x, and nowhere else.
 */
#ifndef _EOE_COMPAT_H
#define _EOE_COMPAT_H

#include <linux/version.h>

/* First, before anything an older kernel does not have. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#error "xilinx_axienet_eoe needs Linux 6.6 or newer"
#endif

#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/phylink.h>
#include <linux/skbuff.h>
#include <linux/timer.h>
#include <net/devlink.h>
#include <net/page_pool/helpers.h>

/* Until 6.6 a pool had to say that its pages would be split. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#define EOE_PP_FLAG_FRAG 0
#else
#define EOE_PP_FLAG_FRAG PP_FLAG_PAGE_FRAG
#endif

/**
 * eoe_pp_set_owner() - tell netdev-genl whose page_pool this is, where it asks
 * @pp: parameters of the pool
 * @ndev: network device
 * @queue: receive queue of that device
 */
static inline void eoe_pp_set_owner(struct page_pool_params *pp,
				    struct net_device *ndev, unsigned int queue)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	pp->netdev = ndev;
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	pp->queue_idx = queue;
#endif
}

/**
 * eoe_queue_set_napi() - connect a queue with its NAPI for netdev-genl
 * @ndev: network device
 * @queue: index of the queue
 * @rx: a receive queue
 * @napi: its NAPI, or NULL to disconnect
 *
 * Called with RTNL held.
 */
static inline void eoe_queue_set_napi(struct net_device *ndev,
				      unsigned int queue, bool rx,
				      struct napi_struct *napi)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	netif_queue_set_napi(ndev, queue,
			     rx ? NETDEV_QUEUE_TYPE_RX : NETDEV_QUEUE_TYPE_TX,
			     napi);
#endif
}

/**
 * eoe_napi_add() - list a NAPI whose settings outlive it
 * @ndev: the device
 * @napi: NAPI of a receive queue
 * @poll: its poll function
 * @index: the queue's number
 */
static inline void eoe_napi_add(struct net_device *ndev,
				struct napi_struct *napi,
				int (*poll)(struct napi_struct *, int),
				int index)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	netif_napi_add_config(ndev, napi, poll, index);
#else
	netif_napi_add(ndev, napi, poll);
#endif
}

/**
 * eoe_napi_set_irq() - name the interrupt of a NAPI for netdev-genl
 * @napi: NAPI, just added
 * @virq: its interrupt
 */
static inline void eoe_napi_set_irq(struct napi_struct *napi, int virq)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	netif_napi_set_irq(napi, virq);
#endif
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define ethtool_puts(data, str) ethtool_sprintf(data, "%s", str)
#endif

/* The PCS learns the negotiation mode since 6.14. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0)
#define EOE_PCS_GET_STATE(name) \
	name(struct phylink_pcs *pcs, unsigned int neg_mode, \
	     struct phylink_link_state *state)
#else
#define EOE_PCS_GET_STATE(name) \
	name(struct phylink_pcs *pcs, struct phylink_link_state *state)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define timer_container_of(var, callback_timer, field) \
	from_timer(var, callback_timer, field)
#endif

/* The callback without a return value took over the name in 6.11. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define EOE_PLATFORM_REMOVE(fn) .remove = fn
#else
#define EOE_PLATFORM_REMOVE(fn) .remove_new = fn
#endif

/**
 * eoe_health_reporter_create() - make a devlink health reporter
 * @devlink: instance
 * @ops: what it can do
 * @priv: whose reporter it is
 *
 * The grace period, 0, has become a member of the operations in 6.18.
 *
 * Return: the reporter or an error pointer
 */
static inline struct devlink_health_reporter *
eoe_health_reporter_create(struct devlink *devlink,
			   const struct devlink_health_reporter_ops *ops,
			   void *priv)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
	return devlink_health_reporter_create(devlink, ops, priv);
#else
	return devlink_health_reporter_create(devlink, ops, 0, priv);
#endif
}

/* Asked for by a call of its own; kernels before 7.0 can do with get_rxnfc. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
#define EOE_ETHTOOL_RX_RING_COUNT(fn) .get_rx_ring_count = fn,
#else
#define EOE_ETHTOOL_RX_RING_COUNT(fn)
#endif

/* netdev-genl queue statistics; the reader of them is compiled since 6.11. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
void eoe_qstats_attach(struct net_device *ndev);
#else
static inline void eoe_qstats_attach(struct net_device *ndev)
{
}
#endif

#endif /* _EOE_COMPAT_H */
