// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethtool -N: which UDP ports the Offload Engine merges, and on which queue.
 *
 * The table outlives everything but the device. It is in the hardware while the
 * interface is up, has an IPv4 address and rx-gro-hw is on.
 */
#include <linux/ethtool.h>
#include <linux/inetdevice.h>

#include "eoe.h"

/* Location, queue and receive port are three names with a fixed relation. */
static unsigned int eoe_rule_k(const struct eoe *eoe, unsigned int location)
{
	return eoe->cfg.channel[location] - 1;
}

static int eoe_rule_program(struct eoe *eoe, unsigned int location)
{
	unsigned int k = eoe_rule_k(eoe, location);
	u16 port = eoe_rule_get(&eoe->rules, location);
	int ret;

	lockdep_assert_held(&eoe->rule_lock);
	if (!eoe->ports_on)
		return 0;
	ret = eoe_port_disable(eoe, k);
	if (ret || !port || !eoe->addr)
		return ret;
	eoe_rx_stock(&eoe->queue[location]);
	eoe_port_enable(eoe, k, port);
	return 0;
}

static void eoe_rules_program_all(struct eoe *eoe)
{
	unsigned int i;

	for (i = 0; i < EOE_RULE_SLOTS; i++)
		if (eoe->rules.usable & BIT(i) && eoe_rule_program(eoe, i))
			netdev_err(eoe->ndev, "rule %u is not active\n", i);
}

/* The first address of the interface, whichever was added last. */
static __be32 eoe_first_address(const struct net_device *ndev)
{
	const struct in_device *in_dev;
	const struct in_ifaddr *ifa;
	__be32 addr = 0;

	rcu_read_lock();
	in_dev = __in_dev_get_rcu(ndev);
	ifa = in_dev ? rcu_dereference(in_dev->ifa_list) : NULL;
	if (ifa)
		addr = ifa->ifa_local;
	rcu_read_unlock();
	return addr;
}

static int eoe_inetaddr_event(struct notifier_block *nb, unsigned long event,
			      void *data)
{
	struct eoe *eoe = container_of(nb, struct eoe, inet_nb);
	const struct in_ifaddr *ifa = data;
	__be32 addr;

	if (ifa->ifa_dev->dev != eoe->ndev)
		return NOTIFY_DONE;

	mutex_lock(&eoe->rule_lock);
	addr = eoe_first_address(eoe->ndev);
	if (addr != eoe->addr) {
		eoe->addr = addr;
		eoe_rules_program_all(eoe);
	}
	mutex_unlock(&eoe->rule_lock);
	return NOTIFY_DONE;
}

/**
 * eoe_rules_start() - bring the rules into the hardware
 * @eoe: the port, engine freshly reset or ports disabled
 *
 * Does nothing while rx-gro-hw is off.
 */
void eoe_rules_start(struct eoe *eoe)
{
	if (eoe->cfg.rx_offload != 2 ||
	    !(eoe->ndev->features & NETIF_F_GRO_HW))
		return;
	mutex_lock(&eoe->rule_lock);
	eoe->ports_on = true;
	eoe->addr = eoe_first_address(eoe->ndev);
	eoe_rules_program_all(eoe);
	mutex_unlock(&eoe->rule_lock);
}

/**
 * eoe_rules_stop() - take the rules out of the hardware and let it drain
 * @eoe: the port
 */
void eoe_rules_stop(struct eoe *eoe)
{
	unsigned int i;

	mutex_lock(&eoe->rule_lock);
	if (eoe->ports_on)
		for (i = 0; i < EOE_RULE_SLOTS; i++)
			if (eoe->rules.usable & BIT(i))
				eoe_port_disable(eoe, eoe_rule_k(eoe, i));
	eoe->ports_on = false;
	mutex_unlock(&eoe->rule_lock);
}

/* This part of ethtool has no netlink message to carry a reason. */
static int eoe_rule_refuse(struct eoe *eoe, int err, const char *why)
{
	if (net_ratelimit())
		netdev_info(eoe->ndev, "rule refused: %s\n", why);
	return err;
}

static int eoe_rule_check(struct eoe *eoe, const struct ethtool_rx_flow_spec *fs)
{
	const struct ethtool_tcpip4_spec *mask = &fs->m_u.udp_ip4_spec;

	if (fs->flow_type != UDP_V4_FLOW)
		return eoe_rule_refuse(eoe, -EOPNOTSUPP,
				       "only flow-type udp4 without extensions");
	if (mask->ip4src || mask->ip4dst || mask->psrc || mask->tos)
		return eoe_rule_refuse(eoe, -EOPNOTSUPP,
				       "only dst-port can be matched");
	if (!mask->pdst)
		return eoe_rule_refuse(eoe, -EINVAL, "dst-port is missing");
	if (mask->pdst != htons(U16_MAX))
		return eoe_rule_refuse(eoe, -EOPNOTSUPP,
				       "dst-port cannot be masked");
	if (!fs->h_u.udp_ip4_spec.pdst)
		return eoe_rule_refuse(eoe, -EINVAL, "dst-port 0");
	if (fs->ring_cookie >= eoe->queues)
		return eoe_rule_refuse(eoe, -EOPNOTSUPP,
				       "action is neither 0 nor a queue");
	return 0;
}

/*
 * The location is the queue. Action 0 is what ethtool sends when none was given;
 * any other action has to agree, or picks the location.
 */
static int eoe_rule_location(struct eoe *eoe,
			     const struct ethtool_rx_flow_spec *fs,
			     u32 *location)
{
	if (fs->location == RX_CLS_LOC_ANY) {
		*location = fs->ring_cookie ? fs->ring_cookie : EOE_RULE_ANY;
		return 0;
	}
	if (fs->location & RX_CLS_LOC_SPECIAL)
		return eoe_rule_refuse(eoe, -EOPNOTSUPP,
				       "special location other than any");
	if (fs->ring_cookie && fs->ring_cookie != fs->location)
		return eoe_rule_refuse(eoe, -EINVAL,
				       "action differs from the location, which is the queue");
	*location = fs->location;
	return 0;
}

static int eoe_rule_insert(struct eoe *eoe, struct ethtool_rx_flow_spec *fs)
{
	u16 port = ntohs(fs->h_u.udp_ip4_spec.pdst);
	u32 location;
	int ret;

	ret = eoe_rule_check(eoe, fs);
	if (ret)
		return ret;
	ret = eoe_rule_location(eoe, fs, &location);
	if (ret)
		return ret;

	mutex_lock(&eoe->rule_lock);
	ret = eoe_rule_place(&eoe->rules, location, port);
	if (ret >= 0) {
		fs->location = ret;
		eoe_rule_set(&eoe->rules, fs->location, port);
		ret = eoe_rule_program(eoe, fs->location);
		/* What fails because a reset is due, the reset repeats. */
		if (test_bit(EOE_FAILED, &eoe->flags))
			ret = 0;
		if (ret)
			eoe_rule_set(&eoe->rules, fs->location, 0);
	}
	mutex_unlock(&eoe->rule_lock);

	switch (ret) {
	case -EEXIST:
		return eoe_rule_refuse(eoe, ret, "there is one for this port");
	case -ENOSPC:
		return eoe_rule_refuse(eoe, ret, "no GRO channel is free");
	case -EINVAL:
		return eoe_rule_refuse(eoe, ret,
				       "no GRO channel at this location");
	default:
		return ret;
	}
}

static int eoe_rule_delete(struct eoe *eoe, u32 location)
{
	int ret = -ENOENT;

	mutex_lock(&eoe->rule_lock);
	if (eoe_rule_get(&eoe->rules, location)) {
		eoe_rule_set(&eoe->rules, location, 0);
		eoe_rule_program(eoe, location);
		ret = 0;
	}
	mutex_unlock(&eoe->rule_lock);
	return ret;
}

/**
 * eoe_rules_set() - ethtool set_rxnfc
 * @ndev: the interface
 * @info: request
 *
 * Return: 0 or a negative error
 */
int eoe_rules_set(struct net_device *ndev, struct ethtool_rxnfc *info)
{
	struct eoe *eoe = netdev_priv(ndev);

	if (eoe->cfg.rx_offload != 2)
		return -EOPNOTSUPP;
	switch (info->cmd) {
	case ETHTOOL_SRXCLSRLINS:
		return eoe_rule_insert(eoe, &info->fs);
	case ETHTOOL_SRXCLSRLDEL:
		return eoe_rule_delete(eoe, info->fs.location);
	default:
		return -EOPNOTSUPP;
	}
}

static int eoe_rules_get_one(struct eoe *eoe, struct ethtool_rx_flow_spec *fs)
{
	u32 location = fs->location;
	u16 port = eoe_rule_get(&eoe->rules, location);

	if (!port)
		return -ENOENT;
	memset(fs, 0, sizeof(*fs));
	fs->location = location;
	fs->flow_type = UDP_V4_FLOW;
	fs->h_u.udp_ip4_spec.pdst = htons(port);
	fs->m_u.udp_ip4_spec.pdst = htons(U16_MAX);
	fs->ring_cookie = location;
	return 0;
}

static int eoe_rules_get_all(struct eoe *eoe, struct ethtool_rxnfc *info,
			     u32 *locations)
{
	u32 n = 0;
	u32 i;

	info->data = eoe_rule_size(&eoe->rules);
	for (i = 0; i < EOE_RULE_SLOTS; i++) {
		if (!eoe_rule_get(&eoe->rules, i))
			continue;
		if (n == info->rule_cnt)
			return -EMSGSIZE;
		locations[n++] = i;
	}
	info->rule_cnt = n;
	return 0;
}

/**
 * eoe_rx_ring_count() - ethtool get_rx_ring_count
 * @ndev: the interface
 *
 * Return: receive queues
 */
u32 eoe_rx_ring_count(struct net_device *ndev)
{
	struct eoe *eoe = netdev_priv(ndev);

	return eoe->queues;
}

/**
 * eoe_rules_get() - ethtool get_rxnfc
 * @ndev: the interface
 * @info: request and answer
 * @locations: array of @info->rule_cnt entries for ETHTOOL_GRXCLSRLALL
 *
 * Return: 0 or a negative error
 */
int eoe_rules_get(struct net_device *ndev, struct ethtool_rxnfc *info,
		  u32 *locations)
{
	struct eoe *eoe = netdev_priv(ndev);
	int ret = 0;

	if (info->cmd == ETHTOOL_GRXRINGS) {
		info->data = eoe_rx_ring_count(ndev);
		return 0;
	}
	if (eoe->cfg.rx_offload != 2)
		return -EOPNOTSUPP;

	mutex_lock(&eoe->rule_lock);
	switch (info->cmd) {
	case ETHTOOL_GRXCLSRLCNT:
		info->rule_cnt = eoe_rule_count(&eoe->rules);
		info->data = eoe_rule_size(&eoe->rules) | RX_CLS_LOC_SPECIAL;
		break;
	case ETHTOOL_GRXCLSRULE:
		ret = eoe_rules_get_one(eoe, &info->fs);
		break;
	case ETHTOOL_GRXCLSRLALL:
		ret = eoe_rules_get_all(eoe, info, locations);
		break;
	default:
		ret = -EOPNOTSUPP;
	}
	mutex_unlock(&eoe->rule_lock);
	return ret;
}

/**
 * eoe_rules_set_usable() - allow rules on the GRO queues in use
 * @eoe: the port
 */
void eoe_rules_set_usable(struct eoe *eoe)
{
	u32 usable = 0;
	unsigned int i;

	for (i = 0; i < eoe->queues; i++)
		if (eoe_queue_is_gro(eoe, i))
			usable |= BIT(i);
	mutex_lock(&eoe->rule_lock);
	eoe->rules.usable = usable;
	mutex_unlock(&eoe->rule_lock);
}

/**
 * eoe_rules_init() - empty table; start following the interface's address
 * @eoe: the port, about to be registered
 *
 * Return: 0 or a negative error
 */
int eoe_rules_init(struct eoe *eoe)
{
	mutex_init(&eoe->rule_lock);
	eoe_rules_set_usable(eoe);
	eoe->inet_nb.notifier_call = eoe_inetaddr_event;
	return register_inetaddr_notifier(&eoe->inet_nb);
}

/**
 * eoe_rules_exit() - stop following the interface's address
 * @eoe: the port
 */
void eoe_rules_exit(struct eoe *eoe)
{
	unregister_inetaddr_notifier(&eoe->inet_nb);
	mutex_destroy(&eoe->rule_lock);
}
