// SPDX-License-Identifier: GPL-2.0-only
/*
 * Headers in front of merged datagrams.
 */
#include "check.h"

#include "eoe_gro.h"

/*
 * 10.10.0.1:40000 to 10.10.0.2:5101, DF, TTL 64, 1400 bytes of payload:
 * IP total 1428 = 0x594, UDP length 1408 = 0x580.
 */
static const u8 first[EOE_GRO_HEADER] = {
	0x00, 0x0a, 0x35, 0x00, 0x22, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01,
	0x08, 0x00,
	0x45, 0x00, 0x05, 0x94, 0x12, 0x34, 0x40, 0x00, 0x40, 0x11, 0x0f, 0x0f,
	0x0a, 0x0a, 0x00, 0x01, 0x0a, 0x0a, 0x00, 0x02,
	0x9c, 0x40, 0x13, 0xed, 0x05, 0x80, 0xab, 0xcd,
};

static void three_datagrams(void **state)
{
	struct eoe_gro_result res;
	u8 h[EOE_GRO_HEADER];

	(void)state;
	memcpy(h, first, sizeof(h));
	/* 3 * 1400 + 28 = 4228 = 0x1084; its IPv4 checksum is 0x041f */
	assert_int_equal(eoe_gro_repair(h, 4200, 0x041f1084, &res),
			 EOE_GRO_MERGED);
	assert_int_equal(res.gso_size, 1400);
	assert_int_equal(res.segments, 3);
	assert_false(res.csum_differs);
	assert_memory_equal(h, first, 16);
	assert_memory_equal(h + 16, "\x10\x84", 2);
	assert_memory_equal(h + 18, first + 18, 6);
	assert_memory_equal(h + 24, "\x04\x1f", 2);
	assert_memory_equal(h + 26, first + 26, 12);
	/* 4208 = 0x1070, then the pseudo header sum, not complemented */
	assert_memory_equal(h + 38, "\x10\x70\x24\x98", 4);
}

static void wrong_hardware_checksum_is_replaced(void **state)
{
	struct eoe_gro_result res;
	u8 h[EOE_GRO_HEADER];

	(void)state;
	memcpy(h, first, sizeof(h));
	assert_int_equal(eoe_gro_repair(h, 4200, 0x1f041084, &res),
			 EOE_GRO_MERGED);
	assert_true(res.csum_differs);
	assert_memory_equal(h + 24, "\x04\x1f", 2);
}

static void lone_datagram_keeps_its_header(void **state)
{
	struct eoe_gro_result res;
	u8 h[EOE_GRO_HEADER];

	(void)state;
	memcpy(h, first, sizeof(h));
	assert_int_equal(eoe_gro_repair(h, 1400, 0x0f0f0594, &res),
			 EOE_GRO_SINGLE);
	assert_int_equal(res.gso_size, 1400);
	assert_int_equal(res.segments, 1);
	assert_false(res.csum_differs);
	assert_memory_equal(h, first, sizeof(h));
	assert_int_equal(eoe_gro_repair(h, 1400, 0x0f0e0594, &res),
			 EOE_GRO_SINGLE);
	assert_true(res.csum_differs);
}

static void last_datagram_shorter(void **state)
{
	struct eoe_gro_result res;
	u8 h[EOE_GRO_HEADER];

	(void)state;
	memcpy(h, first, sizeof(h));
	/* 1401 + 28 = 1429 = 0x595 */
	assert_int_equal(eoe_gro_repair(h, 1401, 0x0f0e0595, &res),
			 EOE_GRO_MERGED);
	assert_int_equal(res.gso_size, 1400);
	assert_int_equal(res.segments, 2);
}

static void largest_merge(void **state)
{
	struct eoe_gro_result res;
	u8 h[EOE_GRO_HEADER];

	(void)state;
	memcpy(h, first, sizeof(h));
	assert_int_equal(eoe_gro_repair(h, 65507, 0x14a3ffff, &res),
			 EOE_GRO_MERGED);
	assert_int_equal(res.segments, 47);
	assert_memory_equal(h + 38, "\xff\xeb\x14\x14", 4);
}

static void total_that_disagrees(void **state)
{
	struct eoe_gro_result res;
	u8 h[EOE_GRO_HEADER];

	(void)state;
	memcpy(h, first, sizeof(h));
	assert_int_equal(eoe_gro_repair(h, 4199, 0x041f1084, &res),
			 EOE_GRO_BAD_TOTAL);
	assert_int_equal(eoe_gro_repair(h, 4201, 0x041f1084, &res),
			 EOE_GRO_BAD_TOTAL);
	/* more than 16 bits can say, though the low 16 agree */
	assert_int_equal(eoe_gro_repair(h, 65536 + 4200, 0x041f1084, &res),
			 EOE_GRO_BAD_TOTAL);
	/* less than the first datagram alone */
	assert_int_equal(eoe_gro_repair(h, 1399, 0x00000593, &res),
			 EOE_GRO_BAD_TOTAL);
	assert_int_equal(eoe_gro_repair(h, 0, 0x0000001c, &res),
			 EOE_GRO_BAD_TOTAL);
	assert_memory_equal(h, first, sizeof(h));
}

static void header_changed_after_the_check(void **state)
{
	struct eoe_gro_result res;
	u8 h[EOE_GRO_HEADER];

	(void)state;
	memcpy(h, first, sizeof(h));
	h[16] = 0;
	h[17] = 28;
	assert_int_equal(eoe_gro_repair(h, 4200, 0x041f1084, &res),
			 EOE_GRO_BAD_HEADER);
}

static void good_header(void **state)
{
	(void)state;
	assert_true(eoe_gro_header_ok(first, 42));
}

static void header_length(void **state)
{
	u8 long_one[64] = { 0 };

	(void)state;
	memcpy(long_one, first, sizeof(first));
	assert_false(eoe_gro_header_ok(first, 41));
	assert_false(eoe_gro_header_ok(first, 0));
	assert_false(eoe_gro_header_ok(long_one, 43));
	assert_false(eoe_gro_header_ok(long_one, 60));
}

/* One byte changed at a time */
static void foreign_headers(void **state)
{
	static const struct {
		u8 at;
		u8 value;
	} changes[] = {
		{ 12, 0x86 },	/* not IPv4 */
		{ 13, 0x06 },	/* ARP */
		{ 14, 0x46 },	/* IP options */
		{ 14, 0x65 },	/* version 6 */
		{ 20, 0x60 },	/* more fragments */
		{ 21, 0x01 },	/* fragment offset */
		{ 23, 0x06 },	/* TCP */
		{ 16, 0x00 },	/* IP and UDP length disagree */
		{ 39, 0x81 },	/* likewise */
	};
	u8 h[EOE_GRO_HEADER];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		memcpy(h, first, sizeof(h));
		h[changes[i].at] = changes[i].value;
		assert_false(eoe_gro_header_ok(h, sizeof(h)));
	}
}

static void header_without_payload(void **state)
{
	u8 h[EOE_GRO_HEADER];

	(void)state;
	memcpy(h, first, sizeof(h));
	h[16] = 0;
	h[17] = 28;
	h[38] = 0;
	h[39] = 8;
	assert_false(eoe_gro_header_ok(h, sizeof(h)));
	h[17] = 29;
	h[39] = 9;
	assert_true(eoe_gro_header_ok(h, sizeof(h)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_datagrams),
		cmocka_unit_test(wrong_hardware_checksum_is_replaced),
		cmocka_unit_test(lone_datagram_keeps_its_header),
		cmocka_unit_test(last_datagram_shorter),
		cmocka_unit_test(largest_merge),
		cmocka_unit_test(total_that_disagrees),
		cmocka_unit_test(header_changed_after_the_check),
		cmocka_unit_test(good_header),
		cmocka_unit_test(header_length),
		cmocka_unit_test(foreign_headers),
		cmocka_unit_test(header_without_payload),
	};

	return cmocka_run_group_tests_name("driver-gro_hdr", tests, NULL, NULL);
}
