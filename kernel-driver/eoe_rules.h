/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table of receive ports, one per queue that has a GRO channel. Pure logic, see
 * eoe_desc.h; rules.c connects it with ethtool and the hardware.
 */
#ifndef _EOE_RULES_H
#define _EOE_RULES_H

#include <linux/types.h>

#define EOE_RULE_SLOTS	16
#define EOE_RULE_ANY	0xffffffffU

/**
 * struct eoe_rule_table - rules by location; a location is a queue number
 * @usable: bit per location whose channel is a GRO port
 * @port: UDP destination port by location, host order, 0 = no rule
 */
struct eoe_rule_table {
	u32 usable;
	u16 port[EOE_RULE_SLOTS];
};

int eoe_rule_place(const struct eoe_rule_table *table, u32 location, u16 port);
void eoe_rule_set(struct eoe_rule_table *table, u32 location, u16 port);
u16 eoe_rule_get(const struct eoe_rule_table *table, u32 location);
u32 eoe_rule_count(const struct eoe_rule_table *table);
u32 eoe_rule_size(const struct eoe_rule_table *table);

#endif /* _EOE_RULES_H */
