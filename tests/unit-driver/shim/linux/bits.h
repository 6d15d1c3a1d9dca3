/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_BITS_H
#define SHIM_LINUX_BITS_H

#define BIT(n) (1U << (n))
#define GENMASK(high, low) ((~0U >> (31 - (high))) & (~0U << (low)))

#endif
