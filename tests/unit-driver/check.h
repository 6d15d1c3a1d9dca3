/* SPDX-License-Identifier: GPL-2.0-only */
/* CMocka with what it wants included before it. */
#ifndef CHECK_H
#define CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#endif
