/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A capture file in libpcap's format, with nanoseconds of the virtual clock. */
#ifndef XEOE_QOM_EOE_PCAP_H
#define XEOE_QOM_EOE_PCAP_H

#include "qapi/error.h"

typedef struct XeoePcap XeoePcap;

/* Make the file anew. NULL, with the reason in errp, if it cannot be written or is in use. */
XeoePcap *xeoe_pcap_open(const char *path, Error **errp);
void xeoe_pcap_close(XeoePcap *pcap);

/* Add an Ethernet frame without FCS. A failure ends the capture with one warning. */
void xeoe_pcap_write(XeoePcap *pcap, int64_t now_ns, const void *frame, size_t len);

#endif /* XEOE_QOM_EOE_PCAP_H */
