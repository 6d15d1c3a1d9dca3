/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads from a user's device tree what Ethernet ports the programmable logic holds:
 * where they are, what they interrupt, how they are built.
 */
#ifndef XTREE_CAPI_H
#define XTREE_CAPI_H

/* This is a C header. NOLINTBEGIN(modernize-*) */

#include "../capi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XTREE_MAX_PORTS = 2 };

/* A channel that interrupts nobody. */
#define XTREE_NO_SPI UINT32_MAX

typedef struct XtreePort {
    uint64_t base[XEOE_MCDMA + 1];                  /* bus addresses, by XeoeBlock */
    uint32_t spi[XEOE_S2MM + 1][XEOE_MAX_CHANNELS]; /* by direction and channel - 1 */
    /* As the tree says; fields it says nothing about have their default. */
    XeoeConfig config;
} XtreePort;

typedef struct XtreePlacement {
    unsigned ports;
    XtreePort port[XTREE_MAX_PORTS];
} XtreePlacement;

/*
 * Read the enabled ports of a flattened tree of `size` bytes, in the tree's order. A tree
 * without one has none, which is no error. A tree that is broken, or says something of a
 * port that cannot be built, returns false and leaves a sentence in err that names the
 * node and the property.
 */
bool xtree_read(const void *blob, size_t size, XtreePlacement *placement, char *err,
                size_t err_size);

/* Whether a region of the size of this block would lie in the programmable logic (UG1085,
 * system address map). */
bool xtree_in_logic(XeoeBlock block, uint64_t base);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */

#endif /* XTREE_CAPI_H */
