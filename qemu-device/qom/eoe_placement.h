/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the machine's Ethernet ports sit and how they are built: as the guest's device
 * tree says, or at fixed places.
 */
#ifndef XEOE_QOM_EOE_PLACEMENT_H
#define XEOE_QOM_EOE_PLACEMENT_H

#include "qemu/osdep.h"

#include "model/tree/tree_capi.h"

/* Read the tree in a file; an unreadable or wrong one is an error that names it. */
bool xeoe_placement_read(const char *filename, XtreePlacement *placement, Error **errp);

/*
 * Give a device that is not realized the build parameters of a port in the tree, but for
 * those the command line sets with -global.
 */
void xeoe_placement_configure(DeviceState *dev, const XtreePort *port);

#endif /* XEOE_QOM_EOE_PLACEMENT_H */
