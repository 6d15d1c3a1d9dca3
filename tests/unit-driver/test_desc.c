// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptor and control words, against literals a reader can hold against the
 * tables of PG288 and PG451.
 */
#include "check.h"

#include "eoe_desc.h"
#include "eoe_hw.h"

/* Four segments of 1000 bytes behind a plain 42-byte header. */
static const struct eoe_tx_geometry plain = {
	.header = 42, .total = 4042, .gso_size = 1000,
};

static void gso_words_of_a_plain_header(void **state)
{
	struct eoe_tx_words w;

	(void)state;
	assert_true(eoe_tx_gso_fits(&plain));
	w = eoe_tx_gso_words(&plain, false);
	/* header 42 = 0x2a; 4042 - 14 = 4028 = 0xfbc */
	assert_int_equal(w.app0, 0x2a000fbc);
	/* MSS 1028 = 0x404; b10 no TSO, b7 id counts */
	assert_int_equal(w.app1, 0x04040480);
	assert_int_equal(eoe_tx_gso_words(&plain, true).app1, 0x04040400);
	assert_int_equal(eoe_tx_wire_packets(&plain), 4);
}

static void gso_mss_follows_the_real_header(void **state)
{
	/* 40 bytes of IP options: 14 + 60 + 8 */
	const struct eoe_tx_geometry options = {
		.header = 82, .total = 82 + 2401, .gso_size = 1200,
	};
	struct eoe_tx_words w;

	(void)state;
	assert_true(eoe_tx_gso_fits(&options));
	w = eoe_tx_gso_words(&options, false);
	/* 82 = 0x52; 2483 - 14 = 2469 = 0x9a5 */
	assert_int_equal(w.app0, 0x520009a5);
	/* 1200 + 68 = 1268 = 0x4f4 */
	assert_int_equal(w.app1, 0x04f40480);
	/* two full ones and one byte */
	assert_int_equal(eoe_tx_wire_packets(&options), 3);
}

static void gso_total_above_24_bits_is_split(void **state)
{
	const struct eoe_tx_geometry big = {
		.header = 42, .total = 16 * 1024 * 1024 - 1, .gso_size = 8000,
	};
	struct eoe_tx_words w;

	(void)state;
	assert_true(eoe_tx_gso_fits(&big));
	w = eoe_tx_gso_words(&big, false);
	assert_int_equal(w.app0, 0x2afffff1);
	assert_int_equal(w.app1 & 3, 0);
}

static void gso_limits(void **state)
{
	struct eoe_tx_geometry g = plain;

	(void)state;
	g.gso_size = 9000 - 28;
	g.total = 42 + 2 * g.gso_size;
	assert_true(eoe_tx_gso_fits(&g));
	assert_int_equal(eoe_tx_gso_words(&g, true).app1, 0x23280400);
	g.gso_size++;
	assert_false(eoe_tx_gso_fits(&g));
	g.gso_size = 0xffffffff;
	assert_false(eoe_tx_gso_fits(&g));
	g.gso_size = 0;
	assert_false(eoe_tx_gso_fits(&g));

	g = plain;
	g.gso_size = 1;
	assert_true(eoe_tx_gso_fits(&g));
	g.header = 255;
	assert_true(eoe_tx_gso_fits(&g));
	g.header = 256;
	assert_false(eoe_tx_gso_fits(&g));
	g.header = 41;
	assert_false(eoe_tx_gso_fits(&g));

	g = plain;
	g.total = 42;
	assert_false(eoe_tx_gso_fits(&g));
	g.total = 16 * 1024 * 1024;
	assert_false(eoe_tx_gso_fits(&g));
}

static void wire_packets_at_the_edges(void **state)
{
	struct eoe_tx_geometry g = plain;

	(void)state;
	g.total = 42 + 1000;
	assert_int_equal(eoe_tx_wire_packets(&g), 1);
	g.total = 42 + 1001;
	assert_int_equal(eoe_tx_wire_packets(&g), 2);
	g.total = 42 + 1999;
	assert_int_equal(eoe_tx_wire_packets(&g), 2);
	g.total = 42 + 2000;
	assert_int_equal(eoe_tx_wire_packets(&g), 2);
}

static void plain_words(void **state)
{
	(void)state;
	/* 1500 = 0x5dc; b11, b10, b8: nothing to cut */
	assert_int_equal(eoe_tx_plain_words(1500, true).app0, 0);
	assert_int_equal(eoe_tx_plain_words(1500, true).app1, 0x05dc0d00);
	/* b9: leave the checksum alone */
	assert_int_equal(eoe_tx_plain_words(1500, false).app1, 0x05dc0f00);
	assert_int_equal(eoe_tx_plain_words(9000, true).app1, 0x23280d00);
}

static void control_word(void **state)
{
	(void)state;
	assert_int_equal(eoe_tx_control(60, true, true), 0xc000003c);
	assert_int_equal(eoe_tx_control(54, true, false), 0x80000036);
	assert_int_equal(eoe_tx_control(4096, false, false), 0x00001000);
	assert_int_equal(eoe_tx_control(1, false, true), 0x40000001);
}

static void receive_status(void **state)
{
	/* What silicon writes for one packet of 2048 bytes in one buffer */
	struct eoe_rx_words w = eoe_rx_decode(0x8c000800);

	(void)state;
	assert_int_equal(w.len, 2048);
	assert_true(w.complete);
	assert_true(w.sof);
	assert_true(w.eof);
	assert_false(w.error);

	w = eoe_rx_decode(0x88001000);
	assert_true(w.sof);
	assert_false(w.eof);
	w = eoe_rx_decode(0x84000001);
	assert_false(w.sof);
	assert_true(w.eof);
	assert_int_equal(w.len, 1);
	assert_false(eoe_rx_decode(0x0c000800).complete);
	assert_true(eoe_rx_decode(0x90000000).error);
	assert_true(eoe_rx_decode(0xa0000000).error);
	assert_true(eoe_rx_decode(0xc0000000).error);
	/* reserved bits above the length are not part of it */
	assert_int_equal(eoe_rx_decode(0x83800010).len, 16);
}

static void moderation(void **state)
{
	(void)state;
	assert_int_equal(eoe_cr_word(16, 50), 0x32100000);
	assert_int_equal(eoe_cr_word(255, 255), 0xffff0000);
	assert_int_equal(eoe_cr_word(1, 0), 0x00010000);

	/* 125 clocks at 125 MHz are 1 us, at 100 MHz 1.25 us */
	assert_int_equal(eoe_usecs_to_timeout(50, 125000000), 50);
	assert_int_equal(eoe_usecs_to_timeout(50, 100000000), 40);
	assert_int_equal(eoe_usecs_to_timeout(1, 100000000), 1);
	assert_int_equal(eoe_usecs_to_timeout(0, 125000000), 1);
	assert_int_equal(eoe_usecs_to_timeout(255, 125000000), 255);
	assert_int_equal(eoe_usecs_to_timeout(256, 125000000), 255);
	assert_int_equal(eoe_usecs_to_timeout(0xffffffff, 125000000), 255);
	assert_int_equal(eoe_timeout_usecs_max(125000000), 255);
	assert_int_equal(eoe_timeout_usecs_max(100000000), 318);
	assert_int_equal(eoe_timeout_usecs_max(250000000), 127);
	assert_int_equal(eoe_timeout_usecs_max(0), 0);
}

static void gro_timeout(void **state)
{
	(void)state;
	/* 128 clocks at 100 MHz are 1.28 us */
	assert_int_equal(eoe_gro_timeout(50, 100000000), 40);
	assert_int_equal(eoe_gro_timeout(0, 100000000), 1);
	assert_int_equal(eoe_gro_timeout(1000000, 100000000), 0x3ffff);
	assert_int_equal(eoe_gro_timeout(128, 100000000), 100);
}

static void descriptor_layout(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct mcdma_bd), 64);
	assert_int_equal(offsetof(struct mcdma_bd, addr), 0x08);
	assert_int_equal(offsetof(struct mcdma_bd, control), 0x14);
	assert_int_equal(offsetof(struct mcdma_bd, tx_sideband_rx_status), 0x18);
	assert_int_equal(offsetof(struct mcdma_bd, tx_status_rx_sideband), 0x1c);
	assert_int_equal(offsetof(struct mcdma_bd, app), 0x20);
}

static void register_addresses(void **state)
{
	(void)state;
	assert_int_equal(MCDMA_CHAN(MCDMA_MM2S, 1), 0x040);
	assert_int_equal(MCDMA_CHAN(MCDMA_MM2S, 16), 0x400);
	assert_int_equal(MCDMA_CHAN(MCDMA_S2MM, 1), 0x540);
	assert_int_equal(MCDMA_CHAN(MCDMA_S2MM, 16), 0x900);
	assert_int_equal(EOE_PORT(1), 0x40);
	assert_int_equal(EOE_PORT(15), 0x3c0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gso_words_of_a_plain_header),
		cmocka_unit_test(gso_mss_follows_the_real_header),
		cmocka_unit_test(gso_total_above_24_bits_is_split),
		cmocka_unit_test(gso_limits),
		cmocka_unit_test(wire_packets_at_the_edges),
		cmocka_unit_test(plain_words),
		cmocka_unit_test(control_word),
		cmocka_unit_test(receive_status),
		cmocka_unit_test(moderation),
		cmocka_unit_test(gro_timeout),
		cmocka_unit_test(descriptor_layout),
		cmocka_unit_test(register_addresses),
	};

	return cmocka_run_group_tests_name("driver-desc", tests, NULL, NULL);
}
