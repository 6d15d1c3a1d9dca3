/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures on both sides of the engine: filter-dump on the network backend has the
 * wire, pcap-stream what software gave and got.
 */
#include "suite.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"
#include "port.h"

enum { MERGED_PORT = 5101, SIZE = 1000, SEGMENTS = 3, TOTAL = SIZE * SEGMENTS, RECORDS = 16 };

/* pcap-savefile(5): magic numbers for microseconds and nanoseconds, header sizes. */
static const uint32_t MICROSECONDS = 0xa1b2c3d4, NANOSECONDS = 0xa1b23c4d;
enum { FILE_HEADER = 24, RECORD_HEADER = 16, ETHERNET = 1 };

typedef struct Capture {
    char *bytes;
    unsigned count;
    struct {
        const uint8_t *frame;
        size_t len;
        uint64_t ns;
    } records[RECORDS];
} Capture;

static uint32_t word(const char *bytes, size_t at) {
    uint32_t value;

    memcpy(&value, bytes + at, sizeof(value));
    return value;
}

static Capture capture_read(const char *path) {
    Capture c = {0};
    size_t size, at = FILE_HEADER;
    uint64_t unit;

    assert_true(g_file_get_contents(path, &c.bytes, &size, NULL));
    assert_true(size >= FILE_HEADER);
    assert_true(word(c.bytes, 0) == MICROSECONDS || word(c.bytes, 0) == NANOSECONDS);
    unit = word(c.bytes, 0) == NANOSECONDS ? 1 : 1000;
    assert_int_equal(word(c.bytes, 4), 4 << 16 | 2);
    assert_int_equal(word(c.bytes, 20), ETHERNET);
    while (at < size) {
        assert_true(size - at >= RECORD_HEADER && c.count < RECORDS);
        c.records[c.count].ns = word(c.bytes, at) * 1000000000ULL + word(c.bytes, at + 4) * unit;
        c.records[c.count].len = word(c.bytes, at + 8);
        assert_int_equal(word(c.bytes, at + 8), word(c.bytes, at + 12));
        at += RECORD_HEADER;
        c.records[c.count].frame = (const uint8_t *)c.bytes + at;
        at += c.records[c.count].len;
        assert_true(at <= size);
        c.count++;
    }
    return c;
}

/* The whole packet, and its datagrams, whose payloads follow each other. */
static size_t datagram(unsigned n, uint8_t *frame) {
    Udp udp = udp_default(SIZE);

    udp.seed = (uint8_t)(udp.seed + 7 * SIZE * n);
    return udp_build(&udp, frame);
}

static void send_and_receive(Vm *vm) {
    Port port = port_at(vm, 0);
    Udp whole = udp_default(TOTAL);
    uint8_t frame[FRAME_MAX];
    size_t len = udp_build(&whole, frame);

    channel_start(&port, MM2S, 1, 1 << CR_THRESHOLD_SHIFT);
    tx_fill(&port, 1, 0, frame, len, (uint32_t)(BD_SOF | BD_EOF),
            UDP_FRAME_HEADER << 24 | (uint32_t)(len - ETH_HEADER),
            (SIZE + IP_HEADER + UDP_HEADER) << 16);
    channel_kick(&port, MM2S, 1, 0);
    bd_wait(&port, MM2S, 1, 0);

    rx_fill(&port, 2, 8, BUFFER_SIZE);
    channel_start(&port, S2MM, 2, 1 << CR_THRESHOLD_SHIFT);
    channel_kick(&port, S2MM, 2, 7);
    gro_start(&port, 1, whole.dst_ip, MERGED_PORT);
    for (unsigned n = 0; n < SEGMENTS; n++) {
        rx_packet(&port, 0, frame, datagram(n, frame));
    }
    vm_clock_step(vm, 6 * 1000 * 1000);
    port_settle(&port);
}

static void expect_wire(const char *path) {
    Capture wire = capture_read(path);

    assert_int_equal(wire.count, 2 * SEGMENTS);
    for (unsigned i = 0; i < wire.count; i++) {
        Udp udp = udp_default(SIZE);

        udp.seed = (uint8_t)(udp.seed + 7 * SIZE * (i % SEGMENTS));
        udp_expect(&udp, wire.records[i].frame, wire.records[i].len);
    }
    g_free(wire.bytes);
}

/* One packet as software gave it, one as it gets it: the same but for the UDP checksum. */
static void expect_stream(const char *path) {
    Capture stream = capture_read(path);
    Udp whole = udp_default(TOTAL);
    uint8_t expected[FRAME_MAX];
    size_t len = udp_build(&whole, expected), checksum = ETH_HEADER + IP_HEADER + 6;

    assert_int_equal(stream.count, 2);
    assert_int_equal(stream.records[0].len, len);
    assert_memory_equal(stream.records[0].frame, expected, len);
    assert_int_equal(stream.records[1].len, len);
    assert_memory_equal(stream.records[1].frame, expected, checksum);
    assert_memory_equal(stream.records[1].frame + checksum + 2, expected + checksum + 2,
                        len - checksum - 2);
    assert_true(stream.records[1].ns > stream.records[0].ns);
    g_free(stream.bytes);
}

static void pcap_on_both_sides_of_the_engine(Vm *vm G_GNUC_UNUSED) {
    g_autofree char *dir = g_dir_make_tmp("xeoe-pcap-XXXXXX", NULL);
    g_autofree char *wire = g_build_filename(dir, "wire.pcap", NULL);
    g_autofree char *stream = g_build_filename(dir, "stream.pcap", NULL);
    g_autofree char *dump = g_strconcat("filter-dump,id=dump,netdev=wire0,file=", wire, NULL);
    g_autofree char *global = g_strconcat("xlnx-eoe-port.pcap-stream=", stream, NULL);
    const char *const args[] = {"-object", dump, "-global", global, NULL};
    const VmOptions options = {.wires = 1, .args = args};
    Vm *own = vm_start("pcap_on_both_sides_of_the_engine", &options);

    send_and_receive(own);
    expect_wire(wire);
    expect_stream(stream);
    vm_stop(own);
    g_unlink(wire);
    g_unlink(stream);
    g_rmdir(dir);
}

static void expect_refusal(const char *machine, const char *path, const char *sentence) {
    g_autofree char *global = g_strconcat("xlnx-eoe-port.pcap-stream=", path, NULL);
    const char *const args[] = {"-M",     machine, "-accel",      "qtest",   "-display", "none",
                                "-audio", "none",  "-nodefaults", "-global", global,     NULL};
    g_autofree char *output = NULL;
    int status = vm_run_launcher(args, NULL, &output);

    if (status != 1 || !strstr(output, sentence)) {
        fail_msg("exit status %d, expected 1 and '%s':\n%s", status, sentence, output);
    }
}

static void pcap_refuses_a_file_it_cannot_have(Vm *vm G_GNUC_UNUSED) {
    g_autofree char *dir = g_dir_make_tmp("xeoe-pcap-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(dir, "both.pcap", NULL);

    expect_refusal("xlnx-zcu102-eoe", dir, dir);
    expect_refusal("xlnx-zcu102-eoe,ports=2", file, "is in use by another port");
    g_unlink(file);
    g_rmdir(dir);
}

static const Test tests[] = {
    {"pcap_on_both_sides_of_the_engine", NULL, pcap_on_both_sides_of_the_engine},
    {"pcap_refuses_a_file_it_cannot_have", NULL, pcap_refuses_a_file_it_cannot_have},
};

const Suite pcap_suite = {tests, G_N_ELEMENTS(tests)};
