/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decisions a port reports to whoever watches: name, and how its line reads.
 * Every event carries one constant string and up to three numbers, in this order:
 * `what` (%s), a, b, c. Channels are numbered from 1, as in PG288.
 */
#ifndef XEOE_EVENTS_H
#define XEOE_EVENTS_H

/* This is a C header. NOLINTBEGIN(modernize-*) */

#include <inttypes.h>

/* clang-format off */
#define XEOE_FOR_EACH_EVENT(E)                                                                     \
    E(reg_read, "%s 0x%04" PRIx64 " is 0x%08" PRIx64)                                              \
    E(reg_write, "%s 0x%04" PRIx64 " gets 0x%08" PRIx64)                                           \
    E(descriptor_fetched, "%s channel %" PRIu64 " at 0x%" PRIx64 " length %" PRIu64)               \
    E(descriptor_done, "%s channel %" PRIu64 " at 0x%" PRIx64 " length %" PRIu64)                  \
    E(halted, "%s channel %" PRIu64 " descriptor 0x%" PRIx64 " error 0x%02" PRIx64)                \
    E(interrupt, "%s channel %" PRIu64 " level %" PRIu64)                                          \
    E(tx_packet, "%s %" PRIu64 " bytes, APP0 0x%08" PRIx64 " APP1 0x%08" PRIx64)                   \
    E(tx_dropped, "%s, %" PRIu64 " bytes")                                                         \
    E(frame_sent, "%s %" PRIu64 " bytes")                                                          \
    E(frame_received, "%s %" PRIu64 " bytes")                                                      \
    E(frame_refused, "%s")                                                                         \
    E(rx_dropped, "%s, %" PRIu64 " bytes")                                                         \
    E(rx_whole, "%s, %" PRIu64 " bytes")                                                           \
    E(gro_begun, "%s %" PRIu64 ", %" PRIu64 " bytes")                                              \
    E(gro_joined, "%s %" PRIu64 ", %" PRIu64 " bytes, %" PRIu64 " so far")                         \
    E(gro_ended, "%s, port %" PRIu64 ", %" PRIu64 " bytes")                                        \
    E(rx_waits, "%s channel %" PRIu64 " has no descriptor for the rest of its packet")              \
    E(rx_packet, "%s channel %" PRIu64 ", %" PRIu64 " bytes")                                      \
    E(reset, "%s")                                                                                 \
    E(link, "%s")                                                                                  \
    E(fault, "%s rule %" PRIu64 " fires, number %" PRIu64)
/* clang-format on */

typedef enum XeoeEvent {
#define E(name, format) XEOE_EV_##name,
    XEOE_FOR_EACH_EVENT(E)
#undef E
        XEOE_EVENTS
} XeoeEvent;

/* NOLINTEND(modernize-*) */

#endif /* XEOE_EVENTS_H */
