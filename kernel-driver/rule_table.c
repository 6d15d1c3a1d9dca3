// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a rule goes and why it is refused.
 */
#include <linux/errno.h>
#include <linux/types.h>

#include "eoe_rules.h"

static bool usable(const struct eoe_rule_table *table, u32 location)
{
	return location < EOE_RULE_SLOTS && table->usable >> location & 1;
}

/**
 * eoe_rule_place() - find the location for a new rule
 * @table: the rules there are
 * @location: location asked for, or %EOE_RULE_ANY
 * @port: UDP destination port, host order
 *
 * A rule at an occupied location replaces the one there, as ethtool says.
 *
 * Return: the location, or -EINVAL for port 0 or a location without a GRO
 * channel, -EEXIST when a rule for this port exists, -ENOSPC when no location
 * is free
 */
int eoe_rule_place(const struct eoe_rule_table *table, u32 location, u16 port)
{
	u32 i;

	if (!port)
		return -EINVAL;
	if (location != EOE_RULE_ANY && !usable(table, location))
		return -EINVAL;

	for (i = 0; i < EOE_RULE_SLOTS; i++)
		if (usable(table, i) && table->port[i] == port)
			return -EEXIST;

	if (location != EOE_RULE_ANY)
		return location;

	for (i = 0; i < EOE_RULE_SLOTS; i++)
		if (usable(table, i) && !table->port[i])
			return i;
	return -ENOSPC;
}

/**
 * eoe_rule_set() - write or, with port 0, delete a rule
 * @table: the rules
 * @location: a location eoe_rule_place() returned or eoe_rule_get() knows
 * @port: UDP destination port, host order
 */
void eoe_rule_set(struct eoe_rule_table *table, u32 location, u16 port)
{
	if (usable(table, location))
		table->port[location] = port;
}

/**
 * eoe_rule_get() - the rule at a location
 * @table: the rules
 * @location: any number
 *
 * Return: UDP destination port, 0 when there is no rule
 */
u16 eoe_rule_get(const struct eoe_rule_table *table, u32 location)
{
	return usable(table, location) ? table->port[location] : 0;
}

/**
 * eoe_rule_count() - number of rules
 * @table: the rules
 *
 * Return: 0..15
 */
u32 eoe_rule_count(const struct eoe_rule_table *table)
{
	u32 count = 0;
	u32 i;

	for (i = 0; i < EOE_RULE_SLOTS; i++)
		if (eoe_rule_get(table, i))
			count++;
	return count;
}

/**
 * eoe_rule_size() - one more than the largest usable location
 * @table: the rules
 *
 * Return: 0..16; 0 when no location is usable
 */
u32 eoe_rule_size(const struct eoe_rule_table *table)
{
	u32 size = EOE_RULE_SLOTS;

	while (size && !usable(table, size - 1))
		size--;
	return size;
}
