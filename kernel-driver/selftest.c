// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool -t. Online: do the blocks answer, is there a link. Offline besides: do
 * registers keep patterns, and do frames come back through memory, engine and a
 * MAC that is looped inside the chip.
 */
#include <linux/completion.h>
#include <linux/ethtool.h>
#include <linux/etherdevice.h>

#include "eoe.h"

#define EOE_TEST_PROTOCOL	0x88b5	/* IEEE 802: local experiments */
#define EOE_TEST_WAIT		(2 * HZ)

enum eoe_test {
	EOE_TEST_ANSWER,
	EOE_TEST_LINK,
	EOE_TEST_REGISTERS,
	EOE_TEST_LOOPBACK,
	EOE_TESTS,
};

static const char eoe_test_names[EOE_TESTS][ETH_GSTRING_LEN] = {
	[EOE_TEST_ANSWER] = "blocks answer   (online)",
	[EOE_TEST_LINK] = "link            (online)",
	[EOE_TEST_REGISTERS] = "registers      (offline)",
	[EOE_TEST_LOOPBACK] = "loopback       (offline)",
};

/* Lengths without FCS: what needs padding, one buffer, the largest plain one. */
static const u16 eoe_test_lengths[] = { 60, 61, 1024, 1514 };

/**
 * struct eoe_loopback - frames under way in a loopback test
 * @done: the last frame has come back
 * @next: frame expected, index of the lengths
 * @bad: frames that came back wrong
 */
struct eoe_loopback {
	struct completion done;
	unsigned int next;
	unsigned int bad;
};

static u8 eoe_test_byte(unsigned int frame, unsigned int i)
{
	return i * 7 + frame * 31 + (i >> 8);
}

static bool eoe_test_frame_good(const struct sk_buff *skb, unsigned int frame)
{
	unsigned int len = eoe_test_lengths[frame];
	unsigned int i;
	u8 byte;

	/* The engine fills short frames up, so longer is right. */
	if (skb->len < len)
		return false;
	for (i = ETH_HLEN; i < len; i++)
		if (skb_copy_bits(skb, i, &byte, 1) ||
		    byte != eoe_test_byte(frame, i))
			return false;
	return true;
}

/**
 * eoe_test_receive() - a frame came back during a loopback test
 * @eoe: the port
 * @skb: the frame, Ethernet header first; freed
 */
void eoe_test_receive(struct eoe *eoe, struct sk_buff *skb)
{
	struct eoe_loopback *test = READ_ONCE(eoe->loopback);
	const struct ethhdr *eth = (const struct ethhdr *)skb->data;

	if (test && skb_headlen(skb) >= ETH_HLEN &&
	    eth->h_proto == htons(EOE_TEST_PROTOCOL) &&
	    test->next < ARRAY_SIZE(eoe_test_lengths)) {
		if (!eoe_test_frame_good(skb, test->next))
			test->bad++;
		if (++test->next == ARRAY_SIZE(eoe_test_lengths))
			complete(&test->done);
	}
	dev_kfree_skb_any(skb);
}

static int eoe_test_send(struct eoe *eoe, unsigned int frame)
{
	struct netdev_queue *txq = netdev_get_tx_queue(eoe->ndev, 0);
	unsigned int len = eoe_test_lengths[frame];
	struct ethhdr *eth;
	struct sk_buff *skb;
	unsigned int i;
	u8 *data;

	skb = netdev_alloc_skb(eoe->ndev, len);
	if (!skb)
		return -ENOMEM;
	data = skb_put(skb, len);
	for (i = ETH_HLEN; i < len; i++)
		data[i] = eoe_test_byte(frame, i);
	eth = (struct ethhdr *)data;
	ether_addr_copy(eth->h_dest, eoe->ndev->dev_addr);
	ether_addr_copy(eth->h_source, eoe->ndev->dev_addr);
	eth->h_proto = htons(EOE_TEST_PROTOCOL);
	skb_reset_mac_header(skb);
	skb_set_queue_mapping(skb, 0);

	__netif_tx_lock_bh(txq);
	if (eoe_xmit(skb, eoe->ndev) != NETDEV_TX_OK)
		kfree_skb(skb);
	__netif_tx_unlock_bh(txq);
	return 0;
}

/* Called on a stopped port; leaves it stopped. */
static int eoe_test_loopback(struct eoe *eoe)
{
	struct eoe_loopback test = {};
	unsigned int i;
	int ret;

	init_completion(&test.done);
	WRITE_ONCE(eoe->loopback, &test);
	set_bit(EOE_LOOPBACK, &eoe->flags);
	eoe_rings_rewind(eoe);
	ret = eoe_start(eoe);
	if (!ret) {
		/* A completion must not wake the stack's queues. */
		set_bit(EOE_TX_HELD, &eoe->flags);
		for (i = 0; i < ARRAY_SIZE(eoe_test_lengths) && !ret; i++)
			ret = eoe_test_send(eoe, i);
		if (!ret &&
		    !wait_for_completion_timeout(&test.done, EOE_TEST_WAIT))
			ret = -ETIMEDOUT;
		eoe_stop(eoe);
	}
	clear_bit(EOE_LOOPBACK, &eoe->flags);
	/* No poll runs any more that could look at it. */
	WRITE_ONCE(eoe->loopback, NULL);
	if (ret || test.bad)
		netdev_err(eoe->ndev,
			   "loopback: %u of %zu frames came back, %u wrong (%d)\n",
			   test.next, ARRAY_SIZE(eoe_test_lengths), test.bad,
			   ret);
	return ret ?: test.bad ? -EIO : 0;
}

static int eoe_test_register(struct eoe *eoe, void __iomem *reg, u32 mask,
			     const char *what)
{
	static const u32 patterns[] = {
		0, 0xffffffff, 0x55555555, 0xaaaaaaaa, 0x0f0f3cc3,
	};
	u32 before = readl(reg);
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		u32 value;

		writel(patterns[i] & mask, reg);
		value = readl(reg) & mask;
		if (value != (patterns[i] & mask)) {
			netdev_err(eoe->ndev, "%s: wrote 0x%08x, read 0x%08x\n",
				   what, patterns[i] & mask, value);
			ret = -EIO;
			break;
		}
	}
	writel(before, reg);
	return ret;
}

/* Called on a stopped port, which programs all of these when it starts. */
static int eoe_test_registers(struct eoe *eoe)
{
	u8 id = eoe->cfg.channel[0];
	int ret;

	/* Current descriptors can be written in an engine just reset. */
	ret = eoe_dma_reset(eoe);
	if (ret)
		return ret;
	ret = eoe_test_register(eoe, eoe->mac + XXV_RX_MTU,
				XXV_RX_MTU_MIN | XXV_RX_MTU_MAX,
				"MAC RX_MTU") ?:
	      eoe_test_register(eoe, eoe->dma + MCDMA_CHAN(MCDMA_MM2S, id) +
				MCDMA_CURDESC, GENMASK(31, 6),
				"MM2S current descriptor") ?:
	      eoe_test_register(eoe, eoe->dma + MCDMA_CHAN(MCDMA_S2MM, id) +
				MCDMA_CURDESC, GENMASK(31, 6),
				"S2MM current descriptor");
	if (ret || !eoe->off || eoe->cfg.rx_offload != 2)
		return ret;
	return eoe_test_register(eoe, eoe->off + EOE_RX_TIMEOUT,
				 EOE_RX_TIMEOUT_COUNT, "engine timeout") ?:
	       eoe_test_register(eoe, eoe->off + EOE_PORT(1) + EOE_PORT_DST_IP,
				 U32_MAX, "engine port address");
}

static int eoe_test_answer(struct eoe *eoe)
{
	u32 rev = readl(eoe->mac + XXV_REVISION);

	if (eoe_gone(rev) || !rev ||
	    eoe_gone(readl(eoe->dma + MCDMA_MM2S + MCDMA_CSR)) ||
	    eoe_gone(readl(eoe->dma + MCDMA_S2MM + MCDMA_CSR)))
		return -ENODEV;
	return eoe->off ? eoe_offload_identify(eoe) : 0;
}

static void eoe_test_offline(struct eoe *eoe, u64 *data)
{
	bool running = test_bit(EOE_RUNNING, &eoe->flags);

	if (running) {
		phylink_stop(eoe->phylink);
		eoe_stop(eoe);
	}
	data[EOE_TEST_REGISTERS] = !!eoe_test_registers(eoe);
	/* Without rings there is nowhere to put a frame. */
	if (running) {
		data[EOE_TEST_LOOPBACK] = !!eoe_test_loopback(eoe);
		eoe_rings_rewind(eoe);
		if (!eoe_resume(eoe))
			phylink_start(eoe->phylink);
	}
}

/**
 * eoe_self_test() - ethtool -t
 * @ndev: the interface; called with RTNL held
 * @etest: what is asked for, and whether all is well
 * @data: of each test, 0 or 1 for failed
 *
 * Offline tests of an interface that is down leave the loopback out.
 */
void eoe_self_test(struct net_device *ndev, struct ethtool_test *etest,
		   u64 *data)
{
	struct eoe *eoe = netdev_priv(ndev);
	unsigned int i;

	memset(data, 0, EOE_TESTS * sizeof(*data));
	data[EOE_TEST_ANSWER] = !!eoe_test_answer(eoe);
	data[EOE_TEST_LINK] = netif_running(ndev) && !eoe_mac_link(eoe);
	if (etest->flags & ETH_TEST_FL_OFFLINE)
		eoe_test_offline(eoe, data);
	for (i = 0; i < EOE_TESTS; i++)
		if (data[i])
			etest->flags |= ETH_TEST_FL_FAILED;
}

/**
 * eoe_self_test_count() - number of tests
 *
 * Return: values eoe_self_test() writes
 */
int eoe_self_test_count(void)
{
	return EOE_TESTS;
}

/**
 * eoe_self_test_strings() - names of the tests
 * @data: where to write
 */
void eoe_self_test_strings(u8 *data)
{
	memcpy(data, eoe_test_names, sizeof(eoe_test_names));
}
