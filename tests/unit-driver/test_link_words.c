// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pause and negotiation words against literals, PG210 "Register Space".
 */
#include "check.h"

#include "eoe_link.h"

static void control_enables_and_seeds(void **state)
{
	(void)state;
	/* seed 0x5b in 9:2, enable in 0 */
	assert_int_equal(eoe_an_control(0x5b, false), 0x16d);
	assert_int_equal(eoe_an_control(0x5b, true), 0x96d);
	assert_int_equal(eoe_an_control(0xff, false), 0x3fd);
	assert_int_equal(eoe_an_control(0x01, false), 0x005);
}

static void pause_is_offered_as_asked(void **state)
{
	(void)state;
	assert_int_equal(eoe_an_advertise(false, false), 0);
	assert_int_equal(eoe_an_advertise(true, false), 1);
	assert_int_equal(eoe_an_advertise(false, true), 2);
	assert_int_equal(eoe_an_advertise(true, true), 3);
}

static void ability_follows_the_speed(void **state)
{
	(void)state;
	assert_int_equal(eoe_an_ability(true), 0x004);
	assert_int_equal(eoe_an_ability(false), 0x600);
}

static void nothing_counts_before_the_end(void **state)
{
	/* everything but bit 2, complete */
	struct eoe_an_state an = eoe_an_decode(0xfffffffb);

	(void)state;
	assert_false(an.complete);
	assert_true(an.lp_able);
	assert_false(an.tx_pause);
	assert_false(an.rx_pause);
	assert_false(an.lp_pause);
	assert_false(an.lp_asym);
}

static void each_bit_is_its_own(void **state)
{
	struct eoe_an_state an;

	(void)state;
	an = eoe_an_decode(0x004);
	assert_true(an.complete);
	assert_false(an.tx_pause || an.rx_pause || an.lp_able || an.lp_pause ||
		     an.lp_asym);
	assert_true(eoe_an_decode(0x014).tx_pause);
	assert_false(eoe_an_decode(0x014).rx_pause);
	assert_true(eoe_an_decode(0x024).rx_pause);
	assert_false(eoe_an_decode(0x024).tx_pause);
	assert_true(eoe_an_decode(0x104).lp_pause);
	assert_true(eoe_an_decode(0x204).lp_asym);
	assert_false(eoe_an_decode(0x204).lp_pause);
}

static void pause_words(void **state)
{
	(void)state;
	assert_int_equal(eoe_pause_tx_word(false), 0);
	assert_int_equal(eoe_pause_tx_word(true), 0x100);
	assert_int_equal(eoe_pause_rx_word(false), 0);
	/* global pause, and frames of its kind; none forwarded */
	assert_int_equal(eoe_pause_rx_word(true), 0x1100);
	assert_int_equal(eoe_pause_rx_checks(false), 0);
	assert_int_equal(eoe_pause_rx_checks(true), 0x6400);
}

static void address_in_two_words(void **state)
{
	static const u8 pause[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };
	static const u8 high[6] = { 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa };
	u32 words[2];

	(void)state;
	eoe_mac_words(pause, words);
	assert_int_equal(words[0], 0xc2000001);
	assert_int_equal(words[1], 0x0180);
	eoe_mac_words(high, words);
	assert_int_equal(words[0], 0xfdfcfbfa);
	assert_int_equal(words[1], 0xfffe);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(control_enables_and_seeds),
		cmocka_unit_test(pause_is_offered_as_asked),
		cmocka_unit_test(ability_follows_the_speed),
		cmocka_unit_test(nothing_counts_before_the_end),
		cmocka_unit_test(each_bit_is_its_own),
		cmocka_unit_test(pause_words),
		cmocka_unit_test(address_in_two_words),
	};

	return cmocka_run_group_tests_name("driver-link_words", tests, NULL, NULL);
}
