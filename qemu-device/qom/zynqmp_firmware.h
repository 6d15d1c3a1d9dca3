/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ZynqMP platform firmware (EEMI) answered by the machine: secure monitor calls
 * of the silicon partner's range never reach the guest's EL3, there is none.
 */
#ifndef XEOE_QOM_ZYNQMP_FIRMWARE_H
#define XEOE_QOM_ZYNQMP_FIRMWARE_H

#include "qemu/osdep.h"

#include "hw/core/cpu.h"

#define TYPE_ZYNQMP_FIRMWARE "zynqmp-firmware"

/*
 * Whether the service can work in this machine: it needs TCG, and a guest that
 * has EL3 (secure=on) brings firmware of its own. If not, says why in errp.
 */
bool zynqmp_firmware_possible(MachineState *machine, Error **errp);

/*
 * Run the ZCU102's own init, then put the service into the machine and load the
 * guest's kernel and device tree: the tree keeps its firmware node, and names
 * memory where it is. The service becomes the machine's child `child`.
 */
void zynqmp_firmware_init_machine(MachineState *machine, void (*init)(MachineState *),
                                  const char *child);

#endif /* XEOE_QOM_ZYNQMP_FIRMWARE_H */
