/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frame.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

void put_be16(uint8_t *p, uint16_t value) {
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
}

uint16_t get_be16(const uint8_t *p) {
    return (uint16_t)(p[0] << 8 | p[1]);
}

static void put_be32(uint8_t *p, uint32_t value) {
    put_be16(p, (uint16_t)(value >> 16));
    put_be16(p + 2, (uint16_t)value);
}

/* RFC 1071, byte pairs added up; an odd last byte counts as if a zero followed. */
static uint32_t sum(const uint8_t *p, size_t len, uint32_t start) {
    for (; len > 1; p += 2, len -= 2) {
        start += get_be16(p);
    }
    return len ? start + (uint32_t)(p[0] << 8) : start;
}

static uint16_t fold(uint32_t total) {
    while (total >> 16) {
        total = (total & 0xffff) + (total >> 16);
    }
    return (uint16_t)~total;
}

uint16_t ip_checksum(const uint8_t *ip) {
    return fold(sum(ip, IP_HEADER, 0));
}

Udp udp_default(size_t len) {
    return (Udp){
        .src_ip = 0x0a0a0001,
        .dst_ip = 0x0a0a0002,
        .src_port = 40000,
        .dst_port = 5101,
        .id = 0x1234,
        .len = len,
        .seed = 1,
    };
}

size_t udp_build(const Udp *udp, uint8_t *frame) {
    static const uint8_t addresses[] = {0x52, 0x54, 0x00, 0x12, 0x34, 0x56,
                                        0x52, 0x54, 0x00, 0x65, 0x43, 0x21};
    uint8_t *ip = frame + ETH_HEADER;
    uint8_t *header = ip + IP_HEADER;
    uint8_t *payload = header + UDP_HEADER;
    uint16_t udp_len = (uint16_t)(UDP_HEADER + udp->len);
    uint16_t checksum;

    memcpy(frame, addresses, sizeof(addresses));
    put_be16(frame + 12, 0x0800);
    memset(ip, 0, IP_HEADER);
    ip[0] = 0x45;
    put_be16(ip + 2, (uint16_t)(IP_HEADER + udp_len));
    put_be16(ip + 4, udp->id);
    ip[8] = 64;
    ip[9] = 17;
    put_be32(ip + 12, udp->src_ip);
    put_be32(ip + 16, udp->dst_ip);
    put_be16(ip + 10, ip_checksum(ip));

    put_be16(header, udp->src_port);
    put_be16(header + 2, udp->dst_port);
    put_be16(header + 4, udp_len);
    put_be16(header + 6, 0);
    for (size_t i = 0; i < udp->len; i++) {
        payload[i] = (uint8_t)(udp->seed + 7 * i);
    }
    /* Pseudo header: addresses, protocol, UDP length. */
    checksum = fold(sum(header, udp_len, sum(ip + 12, 8, 17U + udp_len)));
    put_be16(header + 6, checksum ? checksum : 0xffff);
    return UDP_FRAME_HEADER + udp->len;
}

size_t udp_build_padded(const Udp *udp, uint8_t *frame) {
    size_t len = udp_build(udp, frame);

    if (len < ETH_MIN) {
        memset(frame + len, 0, ETH_MIN - len);
        len = ETH_MIN;
    }
    return len;
}

void udp_expect(const Udp *udp, const uint8_t *frame, size_t len) {
    g_autofree uint8_t *wanted = g_malloc0(FRAME_MAX);
    size_t built = udp_build(udp, wanted);

    if (len < built || len > FRAME_MAX) {
        fail_msg("a frame of %zu bytes where %zu were expected", len, built);
    }
    for (size_t i = 0; i < len; i++) {
        if (frame[i] != wanted[i]) {
            fail_msg("byte %zu of the frame is 0x%02x, expected 0x%02x", i, frame[i], wanted[i]);
        }
    }
}
