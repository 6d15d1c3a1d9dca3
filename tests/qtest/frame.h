/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UDP/IPv4 frames for the wire: builds them with right checksums, and checks
 * those that come back. Written from RFC 768, 791 and 1071, sharing nothing
 * with the model.
 */
#ifndef XEOE_QTEST_FRAME_H
#define XEOE_QTEST_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_MAX = 16384,
    ETH_HEADER = 14,
    IP_HEADER = 20,
    UDP_HEADER = 8,
    UDP_FRAME_HEADER = ETH_HEADER + IP_HEADER + UDP_HEADER,
    ETH_MIN = 60, /* without FCS (IEEE 802.3, 4.4.2) */
};

typedef struct Udp {
    uint32_t src_ip, dst_ip;
    uint16_t src_port, dst_port;
    uint16_t id;
    size_t len;   /* of the payload */
    uint8_t seed; /* payload byte n is seed + 7 * n */
} Udp;

/* Addresses as on the test network, ports 40000 to 5101. */
Udp udp_default(size_t len);

/* Build the frame without padding; returns its length. */
size_t udp_build(const Udp *udp, uint8_t *frame);

/* As udp_build(), padded to what Ethernet carries. */
size_t udp_build_padded(const Udp *udp, uint8_t *frame);

/* Fail the test unless frame is exactly what udp_build() makes, zeros behind it allowed. */
void udp_expect(const Udp *udp, const uint8_t *frame, size_t len);

/* One's complement sum of the IPv4 header at ip, which is 0 if its checksum is right. */
uint16_t ip_checksum(const uint8_t *ip);

void put_be16(uint8_t *p, uint16_t value);
uint16_t get_be16(const uint8_t *p);

#endif /* XEOE_QTEST_FRAME_H */
