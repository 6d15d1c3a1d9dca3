/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Put in front of every file of the driver: what it asks the kernel for can be
 * refused, and what it holds is counted. The driver itself knows nothing of this.
 */
#ifndef FAIL_POINTS_H
#define FAIL_POINTS_H

/*
 * All that the driver includes and that has to do with memory comes first: the
 * names below are for the driver, not for the kernel's own inline functions.
 */
#include <linux/clk.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/inetdevice.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/of_address.h>
#include <linux/of_net.h>
#include <linux/phylink.h>
#include <linux/platform_device.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/devlink.h>
#include <net/netdev_queues.h>
#include <net/page_pool/helpers.h>

/* What the driver may hold; each is 0 when it holds nothing. */
enum fail_held {
	FAIL_MEMORY,
	FAIL_COHERENT,
	FAIL_MAPPING,
	FAIL_POOL,
	FAIL_IRQ,
	FAIL_HELD,
};

/* Shall this call be refused? Counts it either way. */
bool fail_point(const char *name);
void fail_hold(enum fail_held what, int change);

static inline void *fail_keep(enum fail_held what, void *got)
{
	if (!IS_ERR_OR_NULL(got))
		fail_hold(what, 1);
	return got;
}

static inline void *fail_kzalloc(size_t size, gfp_t gfp)
{
	return fail_point("kzalloc") ? NULL :
	       fail_keep(FAIL_MEMORY, kzalloc(size, gfp));
}

static inline void *fail_kmalloc(size_t size, gfp_t gfp)
{
	return fail_point("kmalloc") ? NULL :
	       fail_keep(FAIL_MEMORY, kmalloc(size, gfp));
}

static inline void *fail_kvcalloc(size_t n, size_t size, gfp_t gfp)
{
	return fail_point("kvcalloc") ? NULL :
	       fail_keep(FAIL_MEMORY, kvcalloc(n, size, gfp));
}

static inline void fail_kfree(const void *p)
{
	if (p)
		fail_hold(FAIL_MEMORY, -1);
	kfree(p);
}

static inline void fail_kvfree(const void *p)
{
	if (p)
		fail_hold(FAIL_MEMORY, -1);
	kvfree(p);
}

static inline void *fail_devm_kcalloc(struct device *dev, size_t n, size_t size,
				      gfp_t gfp)
{
	return fail_point("devm_kcalloc") ? NULL :
	       devm_kcalloc(dev, n, size, gfp);
}

static inline void *fail_dma_alloc(struct device *dev, size_t size,
				   dma_addr_t *dma, gfp_t gfp)
{
	return fail_point("dma_alloc_coherent") ? NULL :
	       fail_keep(FAIL_COHERENT, dma_alloc_coherent(dev, size, dma, gfp));
}

static inline void fail_dma_free(struct device *dev, size_t size, void *p,
				 dma_addr_t dma)
{
	fail_hold(FAIL_COHERENT, -1);
	dma_free_coherent(dev, size, p, dma);
}

static inline dma_addr_t fail_mapped(struct device *dev, dma_addr_t dma)
{
	if (!dma_mapping_error(dev, dma))
		fail_hold(FAIL_MAPPING, 1);
	return dma;
}

static inline dma_addr_t fail_map_single(struct device *dev, void *p, size_t len,
					 enum dma_data_direction dir)
{
	return fail_point("dma_map_single") ? DMA_MAPPING_ERROR :
	       fail_mapped(dev, dma_map_single(dev, p, len, dir));
}

static inline dma_addr_t fail_map_frag(struct device *dev,
				       const skb_frag_t *frag, size_t offset,
				       size_t len, enum dma_data_direction dir)
{
	return fail_point("skb_frag_dma_map") ? DMA_MAPPING_ERROR :
	       fail_mapped(dev, skb_frag_dma_map(dev, frag, offset, len, dir));
}

static inline void fail_unmap_single(struct device *dev, dma_addr_t dma,
				     size_t len, enum dma_data_direction dir)
{
	fail_hold(FAIL_MAPPING, -1);
	dma_unmap_single(dev, dma, len, dir);
}

static inline void fail_unmap_page(struct device *dev, dma_addr_t dma,
				   size_t len, enum dma_data_direction dir)
{
	fail_hold(FAIL_MAPPING, -1);
	dma_unmap_page(dev, dma, len, dir);
}

static inline struct page_pool *
fail_pool_create(const struct page_pool_params *params)
{
	return fail_point("page_pool_create") ? ERR_PTR(-ENOMEM) :
	       fail_keep(FAIL_POOL, page_pool_create(params));
}

static inline void fail_pool_destroy(struct page_pool *pool)
{
	if (pool)
		fail_hold(FAIL_POOL, -1);
	page_pool_destroy(pool);
}

static inline struct page *fail_pool_page(struct page_pool *pool, gfp_t gfp)
{
	return fail_point("page_pool_alloc_pages") ? NULL :
	       page_pool_alloc_pages(pool, gfp);
}

static inline struct sk_buff *fail_napi_alloc(struct napi_struct *napi,
					      unsigned int len)
{
	return fail_point("napi_alloc_skb") ? NULL : napi_alloc_skb(napi, len);
}

static inline struct sk_buff *fail_napi_build(void *data, unsigned int len)
{
	return fail_point("napi_build_skb") ? NULL : napi_build_skb(data, len);
}

static inline struct sk_buff *fail_netdev_alloc(struct net_device *ndev,
						unsigned int len)
{
	return fail_point("netdev_alloc_skb") ? NULL :
	       netdev_alloc_skb(ndev, len);
}

/* Frees the packet when it fails. */
static inline int fail_padto(struct sk_buff *skb, unsigned int len)
{
	if (fail_point("skb_put_padto")) {
		dev_kfree_skb_any(skb);
		return -ENOMEM;
	}
	return skb_put_padto(skb, len);
}

static inline int fail_request_irq(unsigned int irq, irq_handler_t handler,
				   unsigned long flags, const char *name,
				   void *dev)
{
	int ret = fail_point("request_irq") ? -ENOMEM :
		  request_irq(irq, handler, flags, name, dev);

	if (!ret)
		fail_hold(FAIL_IRQ, 1);
	return ret;
}

static inline const void *fail_free_irq(unsigned int irq, void *dev)
{
	fail_hold(FAIL_IRQ, -1);
	return free_irq(irq, dev);
}

static inline int fail_devm_action(struct device *dev, void (*action)(void *),
				   void *data)
{
	if (fail_point("devm_add_action_or_reset")) {
		action(data);
		return -ENOMEM;
	}
	return devm_add_action_or_reset(dev, action, data);
}

static inline struct net_device *fail_etherdev(struct device *dev, int size,
					       unsigned int tx, unsigned int rx)
{
	return fail_point("devm_alloc_etherdev_mqs") ? NULL :
	       devm_alloc_etherdev_mqs(dev, size, tx, rx);
}

static inline struct devlink *fail_devlink(const struct devlink_ops *ops,
					   size_t size, struct device *dev)
{
	return fail_point("devlink_alloc") ? NULL : devlink_alloc(ops, size, dev);
}

static inline struct phylink *
fail_phylink(struct phylink_config *config, const struct fwnode_handle *node,
	     phy_interface_t interface, const struct phylink_mac_ops *ops)
{
	return fail_point("phylink_create") ? ERR_PTR(-ENOMEM) :
	       phylink_create(config, node, interface, ops);
}

#undef kzalloc
#undef kmalloc
#undef kvcalloc
#undef dma_map_single
#undef dma_unmap_single
#undef dma_unmap_page
#undef devm_add_action_or_reset
#define kzalloc			fail_kzalloc
#define kmalloc			fail_kmalloc
#define kvcalloc		fail_kvcalloc
#define kfree			fail_kfree
#define kvfree			fail_kvfree
#define devm_kcalloc		fail_devm_kcalloc
#define dma_alloc_coherent	fail_dma_alloc
#define dma_free_coherent	fail_dma_free
#define dma_map_single		fail_map_single
#define skb_frag_dma_map	fail_map_frag
#define dma_unmap_single	fail_unmap_single
#define dma_unmap_page		fail_unmap_page
#define page_pool_create	fail_pool_create
#define page_pool_destroy	fail_pool_destroy
#define page_pool_alloc_pages	fail_pool_page
#define napi_alloc_skb		fail_napi_alloc
#define napi_build_skb		fail_napi_build
#define netdev_alloc_skb	fail_netdev_alloc
#define skb_put_padto		fail_padto
#define request_irq		fail_request_irq
#define free_irq		fail_free_irq
#define devm_add_action_or_reset fail_devm_action
#define devm_alloc_etherdev_mqs	fail_etherdev
#define devlink_alloc		fail_devlink
#define phylink_create		fail_phylink

#define register_inetaddr_notifier(nb) \
	(fail_point("register_inetaddr_notifier") ? -ENOMEM : \
						    register_inetaddr_notifier(nb))
#define phylink_of_phy_connect(pl, node, flags) \
	(fail_point("phylink_of_phy_connect") ? -ENOMEM : \
						phylink_of_phy_connect(pl, node, flags))
#define register_netdev(ndev) \
	(fail_point("register_netdev") ? -ENOMEM : register_netdev(ndev))
#define devm_ioremap_resource(dev, res) \
	(fail_point("devm_ioremap_resource") ? IOMEM_ERR_PTR(-ENOMEM) : \
					       devm_ioremap_resource(dev, res))
#define clk_prepare_enable(clk) \
	(fail_point("clk_prepare_enable") ? -ENOMEM : clk_prepare_enable(clk))
#define dma_set_mask_and_coherent(dev, mask) \
	(fail_point("dma_set_mask_and_coherent") ? -EIO : \
						   dma_set_mask_and_coherent(dev, mask))
#define devlink_health_reporter_create(...) \
	(fail_point("devlink_health_reporter_create") ? ERR_PTR(-ENOMEM) : \
	 devlink_health_reporter_create(__VA_ARGS__))

#endif /* FAIL_POINTS_H */
