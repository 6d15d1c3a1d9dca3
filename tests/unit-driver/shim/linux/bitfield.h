/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel refuses at compile time what does not fit a field; here it stops
 * the test that tried.
 */
#ifndef SHIM_LINUX_BITFIELD_H
#define SHIM_LINUX_BITFIELD_H

#include <stdlib.h>

#include <linux/types.h>

static inline u32 shim_field_prep(u32 mask, u32 value)
{
	unsigned int shift = __builtin_ctz(mask);

	if (value & ~(mask >> shift))
		abort();
	return value << shift;
}

#define FIELD_PREP(mask, value) shim_field_prep(mask, value)
#define FIELD_GET(mask, word) (((u32)(word) & (mask)) >> __builtin_ctz(mask))

#endif
