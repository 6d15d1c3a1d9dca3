/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only place that knows how QEMU's internal interfaces differ between
 * releases. Include it first: it brings qemu/osdep.h. Compiled and run with
 * 10.0, compiled with 10.2; what is said about others (8.2 to 11.x) is not tried.
 */
#ifndef XEOE_QOM_COMPAT_H
#define XEOE_QOM_COMPAT_H

/* What TCG's header may ask since 10.1: code of the system emulator, not of a target. */
#ifndef COMPILING_SYSTEM_VS_USER
#define COMPILING_SYSTEM_VS_USER
#endif

#include "qemu/osdep.h"

#define XEOE_QEMU_AT_LEAST(major, minor)                                                           \
    (QEMU_VERSION_MAJOR > (major) ||                                                               \
     (QEMU_VERSION_MAJOR == (major) && QEMU_VERSION_MINOR >= (minor)))

/* hw/ headers moved to hw/core/ in 11.0. */
#if __has_include("hw/core/sysbus.h")
#include "hw/core/boards.h"
#include "hw/core/hotplug.h"
#include "hw/core/irq.h"
#include "hw/core/or-irq.h"
#include "hw/core/qdev-properties.h"
#include "hw/core/sysbus.h"
#else
#include "hw/boards.h"
#include "hw/hotplug.h"
#include "hw/irq.h"
#include "hw/or-irq.h"
#include "hw/qdev-properties.h"
#include "hw/sysbus.h"
#endif

/* The address space headers moved from exec/ to system/ in 10.1. */
#if __has_include("system/address-spaces.h")
#include "system/address-spaces.h"
#include "system/memory.h"
#else
#include "exec/address-spaces.h"
#include "exec/memory.h"
#endif

/* The same move took these from sysemu/, in 10.0. */
#if __has_include("system/runstate.h")
#include "system/device_tree.h"
#include "system/runstate.h"
#else
#include "sysemu/device_tree.h"
#include "sysemu/runstate.h"
#endif

/* TCG's operations moved in 10.0. */
#if __has_include("accel/tcg/cpu-ops.h")
#include "accel/tcg/cpu-ops.h"
#else
#include "hw/core/tcg-cpu-ops.h"
#endif

#include "hw/resettable.h"
#include "migration/vmstate.h"
#include "net/net.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "qemu/timer.h"

/* Class data and interface lists became const in 10.1. */
#if XEOE_QEMU_AT_LEAST(10, 1)
typedef const void XeoeClassData;
#define XEOE_INTERFACE_LIST (const InterfaceInfo[])
#else
typedef void XeoeClassData;
#define XEOE_INTERFACE_LIST (InterfaceInfo[])
#endif

/* Property lists became const, and lost their end mark, in 10.0. */
#if XEOE_QEMU_AT_LEAST(10, 0)
#define XEOE_PROPERTY_LIST static const Property
#define XEOE_PROPERTY_LIST_END
#else
#define XEOE_PROPERTY_LIST static Property
#define XEOE_PROPERTY_LIST_END DEFINE_PROP_END_OF_LIST(),
#endif

/* Reset phases learnt the kind of reset in 9.1. */
#if XEOE_QEMU_AT_LEAST(9, 1)
#define XEOE_RESET_PHASE_ARGS Object *obj, ResetType type G_GNUC_UNUSED
#else
#define XEOE_RESET_PHASE_ARGS Object *obj
#endif

/* Hand the next `-nic ...,model=TYPE` to dev, if there is one (9.0 and later). */
static inline void xeoe_compat_take_nic(DeviceState *dev) {
#if XEOE_QEMU_AT_LEAST(9, 0)
    qemu_configure_nic_device(dev, false, NULL);
#else
    (void)dev;
#endif
}

#endif /* XEOE_QOM_COMPAT_H */
