/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat.h"

#include "eoe_trace.h"

#include "trace/control.h"

uint16_t xeoe_trace_watched[XEOE_EVENTS];
static uint16_t eemi_call_watched;

/* The number is the trace core's to give. */
static TraceEvent events[] = {
#define E(event, format)                                                                           \
    {.name = "xlnx_eoe_" #event, .sstate = true, .dstate = &xeoe_trace_watched[XEOE_EV_##event]},
    XEOE_FOR_EACH_EVENT(E)
#undef E
};

static TraceEvent eemi_call = {
    .name = "xlnx_eoe_eemi_call", .sstate = true, .dstate = &eemi_call_watched};

static const char *const formats[] = {
#define E(event, format) "xlnx_eoe_" #event " %s " format "\n",
    XEOE_FOR_EACH_EVENT(E)
#undef E
};

void xeoe_trace_event(const char *path, XeoeEvent event, const char *what, uint64_t a, uint64_t b,
                      uint64_t c) {
    qemu_log(formats[event], path, what, a, b, c);
}

void xeoe_trace_eemi_call(const char *path, const uint64_t *args, const uint64_t *results) {
    if (unlikely(eemi_call_watched)) {
        qemu_log("xlnx_eoe_eemi_call %s 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
                 " answers 0x%" PRIx64 " 0x%" PRIx64 "\n",
                 path, args[0], args[1], args[2], args[3], results[0], results[1]);
    }
}

static void register_events(void) {
    static TraceEvent *group[ARRAY_SIZE(events) + 2];
    size_t i;

    for (i = 0; i < ARRAY_SIZE(events); i++) {
        group[i] = &events[i];
    }
    group[i] = &eemi_call;
    trace_event_register_group(group);
}

trace_init(register_events)
