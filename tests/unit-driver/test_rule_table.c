// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where rules go and why they are refused.
 */
#include <errno.h>

#include "check.h"

#include "eoe_rules.h"

/* Queue 0 is channel 1, queues 1 to 15 are GRO channels. */
#define ALL_BUT_FIRST 0xfffe

static void any_takes_the_lowest_free(void **state)
{
	struct eoe_rule_table t = { .usable = ALL_BUT_FIRST };

	(void)state;
	assert_int_equal(eoe_rule_place(&t, EOE_RULE_ANY, 5101), 1);
	eoe_rule_set(&t, 1, 5101);
	assert_int_equal(eoe_rule_place(&t, EOE_RULE_ANY, 5102), 2);
	eoe_rule_set(&t, 2, 5102);
	eoe_rule_set(&t, 1, 0);
	assert_int_equal(eoe_rule_place(&t, EOE_RULE_ANY, 5103), 1);
}

static void sixteenth_rule_has_no_place(void **state)
{
	struct eoe_rule_table t = { .usable = ALL_BUT_FIRST };
	int i;

	(void)state;
	for (i = 1; i <= 15; i++) {
		assert_int_equal(eoe_rule_place(&t, EOE_RULE_ANY, 6000 + i), i);
		eoe_rule_set(&t, i, 6000 + i);
	}
	assert_int_equal(eoe_rule_count(&t), 15);
	assert_int_equal(eoe_rule_place(&t, EOE_RULE_ANY, 7000), -ENOSPC);
	/* but a duplicate is one first of all */
	assert_int_equal(eoe_rule_place(&t, EOE_RULE_ANY, 6007), -EEXIST);
}

static void duplicates(void **state)
{
	struct eoe_rule_table t = { .usable = ALL_BUT_FIRST };

	(void)state;
	eoe_rule_set(&t, 3, 5101);
	assert_int_equal(eoe_rule_place(&t, EOE_RULE_ANY, 5101), -EEXIST);
	assert_int_equal(eoe_rule_place(&t, 4, 5101), -EEXIST);
	assert_int_equal(eoe_rule_place(&t, 3, 5101), -EEXIST);
}

static void occupied_location_is_replaced(void **state)
{
	struct eoe_rule_table t = { .usable = ALL_BUT_FIRST };

	(void)state;
	eoe_rule_set(&t, 3, 5101);
	assert_int_equal(eoe_rule_place(&t, 3, 5102), 3);
	eoe_rule_set(&t, 3, 5102);
	assert_int_equal(eoe_rule_get(&t, 3), 5102);
	assert_int_equal(eoe_rule_count(&t), 1);
}

static void locations_without_a_gro_channel(void **state)
{
	/* channel 1 sits on queue 2; there are four queues */
	struct eoe_rule_table t = { .usable = 0x000b };

	(void)state;
	assert_int_equal(eoe_rule_place(&t, 2, 5101), -EINVAL);
	assert_int_equal(eoe_rule_place(&t, 4, 5101), -EINVAL);
	assert_int_equal(eoe_rule_place(&t, 16, 5101), -EINVAL);
	assert_int_equal(eoe_rule_place(&t, 0xfffffffe, 5101), -EINVAL);
	assert_int_equal(eoe_rule_place(&t, 0, 5101), 0);
	assert_int_equal(eoe_rule_size(&t), 4);
	eoe_rule_set(&t, 2, 5101);
	eoe_rule_set(&t, 40, 5101);
	assert_int_equal(eoe_rule_count(&t), 0);
	assert_int_equal(eoe_rule_get(&t, 0xffffffff), 0);
}

static void port_range(void **state)
{
	struct eoe_rule_table t = { .usable = ALL_BUT_FIRST };

	(void)state;
	assert_int_equal(eoe_rule_place(&t, 1, 0), -EINVAL);
	assert_int_equal(eoe_rule_place(&t, 1, 1), 1);
	assert_int_equal(eoe_rule_place(&t, 1, 65535), 1);
	eoe_rule_set(&t, 1, 65535);
	assert_int_equal(eoe_rule_get(&t, 1), 65535);
}

static void nothing_usable(void **state)
{
	struct eoe_rule_table t = { .usable = 0 };

	(void)state;
	assert_int_equal(eoe_rule_size(&t), 0);
	assert_int_equal(eoe_rule_place(&t, EOE_RULE_ANY, 5101), -ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_takes_the_lowest_free),
		cmocka_unit_test(sixteenth_rule_has_no_place),
		cmocka_unit_test(duplicates),
		cmocka_unit_test(occupied_location_is_replaced),
		cmocka_unit_test(locations_without_a_gro_channel),
		cmocka_unit_test(port_range),
		cmocka_unit_test(nothing_usable),
	};

	return cmocka_run_group_tests_name("driver-rule_table", tests, NULL, NULL);
}
