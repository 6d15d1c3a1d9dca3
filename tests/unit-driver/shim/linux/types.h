/* SPDX-License-Identifier: GPL-2.0-only */
/* As much of the kernel's types as the driver's pure logic uses. */
#ifndef SHIM_LINUX_TYPES_H
#define SHIM_LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef uint32_t __le32;
typedef uint64_t __le64;

#define __packed __attribute__((packed))
#define __aligned(x) __attribute__((aligned(x)))

#endif
