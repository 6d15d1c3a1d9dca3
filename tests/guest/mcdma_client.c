// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client of a dmaengine driver for AXI MCDMA. What it sends on MM2S channel n
 * comes back through the MAC's loopback on S2MM channel n: channel 1 as whole frames,
 * every other one through the EOE port that leads to it, merged. Everything received
 * is compared with what was sent.
 *
 * Runs when it is bound to its node, and says per channel what has passed.
 */
#include <linux/bitfield.h>
#include <linux/completion.h>
#include <linux/dma-mapping.h>
#include <linux/dmaengine.h>
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/scatterlist.h>
#include <linux/udp.h>
#include <net/checksum.h>
#include <net/ip.h>

#include "eoe_hw.h"

#define BUFFER		EOE_FRAGMENT_BYTES
#define PAYLOAD_MAX	1472
#define BATCH_MAX	8
#define MERGED_MAX	(BATCH_MAX * PAYLOAD_MAX)
#define HEADER		(ETH_HLEN + sizeof(struct iphdr) + sizeof(struct udphdr))
#define HOME		0xc0a80a02	/* 192.168.10.2 */
#define PEER		0xc0a80a01
#define FIRST_PORT	5000

static unsigned int rounds = 40;
module_param(rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "datagrams sent on each channel");

static unsigned int batch = 1;
module_param(batch, uint, 0444);
MODULE_PARM_DESC(batch, "datagrams of a channel under way at once, and in one merge; at most 8");

/* One buffer given to the engine, and what became of it. */
struct piece {
	struct scatterlist sg;
	u8 *data;
	struct completion done;
	u32 residue;
	bool failed;
};

/* An MM2S channel and the S2MM channel it comes back on. */
struct lane {
	unsigned int number;	/* of the channel, 1..16 */
	struct dma_chan *tx, *rx;
	struct piece sent[BATCH_MAX];
	struct piece received[BATCH_MAX];
	unsigned int expected;	/* how many of received are wanted */
	u8 *merged;
	unsigned int passed;
	u64 bytes;
};

struct client {
	struct device *dev;
	void __iomem *mac, *eoe;
	struct lane lanes[EOE_MAX_CHANNELS];
};

static void piece_done(void *data, const struct dmaengine_result *result)
{
	struct piece *piece = data;

	piece->failed = result->result != DMA_TRANS_NOERROR;
	piece->residue = result->residue;
	complete(&piece->done);
}

/* Gives @piece's first @length bytes to @chan; the mapping ends with piece_wait(). */
static int piece_submit(struct dma_chan *chan, struct piece *piece, u32 length,
			enum dma_transfer_direction direction, u32 *app)
{
	struct dma_async_tx_descriptor *desc;

	sg_init_one(&piece->sg, piece->data, length);
	if (!dma_map_sg(chan->device->dev, &piece->sg, 1,
			direction == DMA_MEM_TO_DEV ? DMA_TO_DEVICE : DMA_FROM_DEVICE))
		return -ENOMEM;
	/* dmaengine_prep_slave_sg() has no argument for the APP words. */
	desc = chan->device->device_prep_slave_sg(chan, &piece->sg, 1, direction,
						  DMA_PREP_INTERRUPT | DMA_CTRL_ACK, app);
	if (!desc)
		return -EIO;
	reinit_completion(&piece->done);
	desc->callback_result = piece_done;
	desc->callback_param = piece;
	return dma_submit_error(dmaengine_submit(desc)) ? -EIO : 0;
}

/* Waits for @piece; the number of bytes that were moved, or an error. */
static int piece_wait(struct dma_chan *chan, struct piece *piece, bool tx)
{
	bool done = wait_for_completion_timeout(&piece->done, 5 * HZ);

	if (!done)
		dmaengine_terminate_sync(chan);
	dma_unmap_sg(chan->device->dev, &piece->sg, 1, tx ? DMA_TO_DEVICE : DMA_FROM_DEVICE);
	if (!done)
		return -ETIMEDOUT;
	if (piece->failed)
		return -EIO;
	return sg_dma_len(&piece->sg) - piece->residue;
}

static u8 pattern(const struct lane *lane, unsigned int round, unsigned int at)
{
	return lane->number * 37 + round * 11 + at * 7 + (at >> 8);
}

static unsigned int payload_length(const struct lane *lane, unsigned int round)
{
	return 1 + (lane->number * 131 + round * 389) % PAYLOAD_MAX;
}

/* Writes a datagram without its checksums, which are left to the engine. */
static void make_frame(u8 *frame, const struct lane *lane, unsigned int round)
{
	unsigned int length = payload_length(lane, round);
	struct iphdr *ip = (struct iphdr *)(frame + ETH_HLEN);
	struct udphdr *udp = (struct udphdr *)(ip + 1);
	unsigned int at;

	memset(frame, 0, HEADER);
	memcpy(frame, "\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00", ETH_HLEN);
	ip->version = 4;
	ip->ihl = 5;
	ip->tot_len = htons(HEADER - ETH_HLEN + length);
	ip->id = htons(round);
	ip->ttl = 64;
	ip->protocol = IPPROTO_UDP;
	ip->saddr = htonl(PEER);
	ip->daddr = htonl(HOME);
	udp->source = htons(40000);
	udp->dest = htons(FIRST_PORT + lane->number);
	udp->len = htons(sizeof(*udp) + length);
	for (at = 0; at < length; at++)
		frame[HEADER + at] = pattern(lane, round, at);
}

/* Whether @head (HEADER bytes) is what make_frame() made, with right checksums. */
static bool header_fits(const u8 *head, const u8 *sent, unsigned int length)
{
	u8 copy[HEADER];
	struct iphdr *ip = (struct iphdr *)(copy + ETH_HLEN);
	struct udphdr *udp = (struct udphdr *)(ip + 1);
	__wsum sum;

	memcpy(copy, head, HEADER);
	if (ip_fast_csum(ip, ip->ihl))
		return false;
	sum = csum_partial(udp, sizeof(*udp), csum_partial(sent + HEADER, length, 0));
	if (!udp->check || csum_tcpudp_magic(ip->saddr, ip->daddr, sizeof(*udp) + length,
					     IPPROTO_UDP, sum))
		return false;
	ip->check = 0;
	udp->check = 0;
	return !memcmp(copy, sent, HEADER);
}

/* Channel 1: each frame for itself, padded to the shortest of the wire. */
static bool frames_fit(struct lane *lane, unsigned int first, unsigned int count, const int *got)
{
	unsigned int slot;

	for (slot = 0; slot < count; slot++) {
		unsigned int length = payload_length(lane, first + slot);
		const u8 *sent = lane->sent[slot].data, *data = lane->received[slot].data;

		if (got[slot] != max(HEADER + length, 64) ||
		    !header_fits(data, sent, length) ||
		    memcmp(data + HEADER, sent + HEADER, length))
			return false;
	}
	return true;
}

/* Any other channel: the first header alone, then all payloads in fragments. */
static bool merge_fits(struct lane *lane, unsigned int first, unsigned int count, const int *got)
{
	unsigned int piece, slot, length, from, at = 0;

	if (got[0] != HEADER ||
	    !header_fits(lane->received[0].data, lane->sent[0].data, payload_length(lane, first)))
		return false;
	for (piece = 1; piece < lane->expected; piece++) {
		if (piece + 1 < lane->expected && got[piece] != EOE_FRAGMENT_BYTES)
			return false;
		if (at + got[piece] > MERGED_MAX)
			return false;
		memcpy(lane->merged + at, lane->received[piece].data, got[piece]);
		at += got[piece];
	}
	for (slot = 0, from = 0; slot < count; slot++, from += length) {
		length = payload_length(lane, first + slot);
		if (from + length > at ||
		    memcmp(lane->merged + from, lane->sent[slot].data + HEADER, length))
			return false;
	}
	return from == at;
}

/* Loopback in the MAC; EOE port k takes the datagrams for channel k + 1. */
static void set_up(struct client *client)
{
	unsigned int k;

	writel(XXV_MODE_TICK_REGISTER | XXV_MODE_LOOPBACK, client->mac + XXV_MODE);
	writel(XXV_TX_ENABLE | XXV_TX_FCS_INSERT, client->mac + XXV_TX_CONFIG);
	writel(XXV_RX_ENABLE | XXV_RX_FCS_DELETE, client->mac + XXV_RX_CONFIG);
	writel(FIELD_PREP(EOE_RX_MAX_FRAGMENTS, EOE_MAX_FRAGMENTS) |
	       FIELD_PREP(EOE_RX_FRAGMENT_SIZE, EOE_RX_FRAGMENT_4K) |
	       EOE_RX_TUPLE_3 | EOE_RX_CSUM_ENABLE, client->eoe + EOE_RX_COMMON_CTRL);
	/* Merges end when their port is closed, not by the clock: see end_merges(). */
	writel(0, client->eoe + EOE_RX_TIMEOUT);
	for (k = 1; k < EOE_MAX_CHANNELS; k++) {
		void __iomem *port = client->eoe + EOE_PORT(k);

		writel(HOME, port + EOE_PORT_DST_IP);
		writel(FIELD_PREP(EOE_PORT_DST_PORT, FIRST_PORT + k + 1), port + EOE_PORT_PORTS);
	}
}

static void open_ports(struct client *client, bool open)
{
	u32 control = FIELD_PREP(EOE_PORT_PROTOCOL, IPPROTO_UDP);
	unsigned int k;

	if (open)
		control |= EOE_PORT_GRO_EN;
	for (k = 1; k < EOE_MAX_CHANNELS; k++)
		writel(control, client->eoe + EOE_PORT(k) + EOE_PORT_CTRL);
}

/* Once @count more datagrams have been merged, closes the ports, which delivers them. */
static int end_merges(struct client *client, unsigned int before, unsigned int count)
{
	u32 value;
	int err;

	err = readl_poll_timeout(client->eoe + EOE_RX_TOTAL_GRO, value, value - before == count,
				 1000, 5000000);
	if (err)
		dev_err(client->dev, "%u of %u datagrams were merged\n", value - before, count);
	open_ports(client, false);
	return err;
}

/* Posts buffers for @count datagrams, and sends them. */
static int lane_start(struct lane *lane, unsigned int first, unsigned int count)
{
	/* No segmentation, but checksums: see "Transmit control words" in eoe_hw.h. */
	u32 app[5] = { 0, EOE_TX_APP1_NO_USO | EOE_TX_APP1_NO_TSO | EOE_TX_APP1_NO_GSO };
	unsigned int slot, length = 0;
	int err = 0;

	for (slot = 0; slot < count; slot++)
		length += payload_length(lane, first + slot);
	lane->expected = lane->number == 1 ? count : 1 + DIV_ROUND_UP(length, EOE_FRAGMENT_BYTES);
	for (slot = 0; slot < lane->expected && !err; slot++)
		err = piece_submit(lane->rx, &lane->received[slot], BUFFER, DMA_DEV_TO_MEM, NULL);
	dma_async_issue_pending(lane->rx);
	for (slot = 0; slot < count && !err; slot++) {
		make_frame(lane->sent[slot].data, lane, first + slot);
		err = piece_submit(lane->tx, &lane->sent[slot],
				   HEADER + payload_length(lane, first + slot), DMA_MEM_TO_DEV,
				   app);
	}
	dma_async_issue_pending(lane->tx);
	return err;
}

/* Waits for what lane_start() began to be sent. */
static int lane_sent(struct lane *lane, unsigned int count)
{
	unsigned int slot;
	int err = 0;

	for (slot = 0; slot < count && err >= 0; slot++)
		err = piece_wait(lane->tx, &lane->sent[slot], true);
	return min(err, 0);
}

/* Waits for what came back, and compares it. */
static int lane_finish(struct lane *lane, unsigned int first, unsigned int count)
{
	int got[BATCH_MAX];
	unsigned int slot;

	for (slot = 0; slot < lane->expected; slot++) {
		got[slot] = piece_wait(lane->rx, &lane->received[slot], false);
		if (got[slot] < 0)
			return got[slot];
	}
	if (lane->number == 1 ? !frames_fit(lane, first, count, got) :
				!merge_fits(lane, first, count, got))
		return -EBADMSG;
	for (slot = 0; slot < count; slot++) {
		lane->passed++;
		lane->bytes += payload_length(lane, first + slot);
	}
	return 0;
}

/* @count datagrams on every channel, all under way together. */
static int run_rounds(struct client *client, unsigned int first, unsigned int count)
{
	unsigned int before = readl(client->eoe + EOE_RX_TOTAL_GRO);
	struct lane *lane, *end = client->lanes + EOE_MAX_CHANNELS;
	int err = 0;

	open_ports(client, true);
	for (lane = client->lanes; lane < end && !err; lane++)
		err = lane_start(lane, first, count);
	for (lane = client->lanes; lane < end && !err; lane++) {
		err = lane_sent(lane, count);
		if (err)
			dev_err(client->dev, "channel %u: sending failed (%d)\n", lane->number,
				err);
	}
	if (!err)
		err = end_merges(client, before, count * (EOE_MAX_CHANNELS - 1));
	for (lane = client->lanes; lane < end && !err; lane++) {
		err = lane_finish(lane, first, count);
		if (err)
			dev_err(client->dev, "channel %u round %u: receiving failed (%d)\n",
				lane->number, first, err);
	}
	return err;
}

static void release_all(void *data)
{
	struct client *client = data;
	unsigned int n;

	for (n = 0; n < EOE_MAX_CHANNELS; n++) {
		if (client->lanes[n].tx)
			dma_release_channel(client->lanes[n].tx);
		if (client->lanes[n].rx)
			dma_release_channel(client->lanes[n].rx);
	}
}

static int piece_init(struct device *dev, struct piece *piece)
{
	init_completion(&piece->done);
	piece->data = devm_kzalloc(dev, BUFFER, GFP_KERNEL);
	return piece->data ? 0 : -ENOMEM;
}

static struct dma_chan *channel(struct device *dev, const char *direction, unsigned int number)
{
	char name[8];

	snprintf(name, sizeof(name), "%s%u", direction, number);
	return dma_request_chan(dev, name);
}

static int lane_init(struct device *dev, struct lane *lane, unsigned int number)
{
	unsigned int slot;
	int err = 0;

	lane->number = number;
	lane->tx = channel(dev, "tx", number);
	if (IS_ERR(lane->tx)) {
		err = PTR_ERR(lane->tx);
		lane->tx = NULL;
		return err;
	}
	lane->rx = channel(dev, "rx", number);
	if (IS_ERR(lane->rx)) {
		err = PTR_ERR(lane->rx);
		lane->rx = NULL;
		return err;
	}
	lane->merged = devm_kzalloc(dev, MERGED_MAX, GFP_KERNEL);
	if (!lane->merged)
		return -ENOMEM;
	for (slot = 0; slot < BATCH_MAX && !err; slot++) {
		err = piece_init(dev, &lane->sent[slot]);
		if (!err)
			err = piece_init(dev, &lane->received[slot]);
	}
	return err;
}

static int client_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct client *client;
	unsigned int n, round;
	int err;

	if (!batch || batch > BATCH_MAX)
		return -EINVAL;
	client = devm_kzalloc(dev, sizeof(*client), GFP_KERNEL);
	if (!client)
		return -ENOMEM;
	client->dev = dev;
	client->mac = devm_platform_ioremap_resource_byname(pdev, "mac");
	if (IS_ERR(client->mac))
		return PTR_ERR(client->mac);
	client->eoe = devm_platform_ioremap_resource_byname(pdev, "eoe");
	if (IS_ERR(client->eoe))
		return PTR_ERR(client->eoe);
	err = devm_add_action_or_reset(dev, release_all, client);
	for (n = 0; n < EOE_MAX_CHANNELS && !err; n++)
		err = lane_init(dev, &client->lanes[n], n + 1);
	if (err)
		return dev_err_probe(dev, err, "cannot have all channels\n");

	set_up(client);
	for (round = 0; round < rounds && !err; round += batch)
		err = run_rounds(client, round, min(batch, rounds - round));
	for (n = 0; n < EOE_MAX_CHANNELS; n++)
		dev_info(dev, "channel %u: %u of %u transfers, %llu bytes\n", n + 1,
			 client->lanes[n].passed, rounds, client->lanes[n].bytes);
	dev_info(dev, "result: %d\n", err);
	return err;
}

static const struct of_device_id client_match[] = {
	{ .compatible = "eoe,mcdma-client" },
	{}
};
MODULE_DEVICE_TABLE(of, client_match);

static struct platform_driver client_driver = {
	.probe = client_probe,
	.driver = {
		.name = "mcdma_client",
		.of_match_table = client_match,
	},
};
module_platform_driver(client_driver);

MODULE_DESCRIPTION("Moves datagrams through an AXI MCDMA and back");
MODULE_LICENSE("GPL");
