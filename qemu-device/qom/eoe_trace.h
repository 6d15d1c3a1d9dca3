/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace events of the device, known to QEMU's trace core like its own: -trace,
 * the monitor's trace-event and QMP's trace-event-set-state all reach them. What
 * is traced goes to QEMU's log, whichever trace backend QEMU was built with.
 */
#ifndef XEOE_QOM_TRACE_H
#define XEOE_QOM_TRACE_H

#include <stdint.h>

#include "model/events.h"

/* What of the port is being watched; for XeoeHostOps. */
extern uint16_t xeoe_trace_watched[XEOE_EVENTS];

/* Write one event of the object at `path`; the rest is as XeoeHostOps.event has it. */
void xeoe_trace_event(const char *path, XeoeEvent event, const char *what, uint64_t a, uint64_t b,
                      uint64_t c);

/* A firmware call was answered: x0..x3 of the call, x0 and x1 of the answer. */
void xeoe_trace_eemi_call(const char *path, const uint64_t *args, const uint64_t *results);

#endif /* XEOE_QOM_TRACE_H */
