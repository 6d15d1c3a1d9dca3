// SPDX-License-Identifier: GPL-2.0-or-later
//
// Receive half of the offload engine: classification, and the merging of UDP
// datagrams as a driver sees it in its descriptors.
#include "harness.hpp"
#include "oracle.hpp"

#include <algorithm>

namespace {

using namespace unit;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::uint32_t kApp0Start = 1U << 30, kApp0End = 1U << 29;
constexpr std::uint32_t kTxErrors = 0x04, kCommon = 0x10, kTimeout = 0x14, kDropped = 0x18,
                        kErrors = 0x1C, kNonGro = 0x20, kTotalGro = 0x24;

constexpr std::uint32_t port_reg(unsigned k, std::uint32_t offset) {
    return 0x40 * k + offset;
}

/// A machine with receive rings on channels 1..4 and GRO as linux sets it up.
struct Bench {
    explicit Bench(const eoe::Config &config = eoe::default_config()) : m(config) {
        for (unsigned n = 1; n <= 4; ++n) {
            const Ring ring = rx_ring(m, n, 64);
            ring.receive();
            start_rx(m, n, ring, 63);
            seen[n - 1] = 0;
        }
        m.eoe_reg(kCommon, 0x1010000A); // 16 fragments of 4 KiB, 3-tuple
    }
    void open_port(unsigned k, std::uint32_t destination_port, std::uint32_t ip = 0x0A0A0002) {
        m.eoe_reg(port_reg(k, 0x0C), ip);
        m.eoe_reg(port_reg(k, 0x10), destination_port << 16);
        m.eoe_reg(port_reg(k, 0x00), 0x11000001);
    }
    /// Take the next completed descriptor of channel n, or fail.
    struct Packet {
        Bytes data;
        std::uint32_t app0 = 0, app1 = 0, sideband = 0;
    };
    [[nodiscard]] bool pending(unsigned n) {
        return (rx_ring(m, n, 64).get(seen[n - 1], 0x18) & kDone) != 0;
    }
    Packet take(unsigned n) {
        const Ring ring = rx_ring(m, n, 64);
        const unsigned i = seen[n - 1]++;
        const std::uint32_t status = ring.get(i, 0x18);
        assert_int_equal(status >> 26, 0x23); // complete, SOF, EOF, no error
        return {m.copy(ring.buffer(i), status & 0x03FFFFFF), ring.get(i, 0x20), ring.get(i, 0x24),
                ring.get(i, 0x1C)};
    }
    void in(const Bytes &frame) { assert_true(deliver(m, frame)); }

    Machine m;
    std::array<unsigned, 4> seen{};
};

oracle::Datagram datagram(std::size_t payload, int port = 5101, std::uint8_t first = 0) {
    oracle::Datagram g;
    g.destination_port = port;
    for (std::size_t i = 0; i < payload; ++i) {
        g.payload.push_back(static_cast<std::uint8_t>(first + i * 13));
    }
    return g;
}

Bytes frame(std::size_t payload, int port = 5101, std::uint8_t first = 0) {
    Bytes f = oracle::frame_of(datagram(payload, port, first));
    f.resize(std::max<std::size_t>(60, f.size()), 0);
    return f;
}

/// Check the end packet's APP words against the header that was delivered.
void check_end(const Bench::Packet &header, const Bench::Packet &end, std::size_t payload) {
    assert_int_equal(end.app0, kApp0End);
    assert_int_equal(end.app1 & 0xFFFF, payload + 28);
    Bytes ip(header.data.begin() + 14, header.data.begin() + 34);
    ip[2] = static_cast<std::uint8_t>((payload + 28) >> 8);
    ip[3] = static_cast<std::uint8_t>(payload + 28);
    ip[10] = static_cast<std::uint8_t>(end.app1 >> 24);
    ip[11] = static_cast<std::uint8_t>(end.app1 >> 16);
    assert_int_equal(oracle::checksum(ip), 0);
}

void registers(void **) {
    static constexpr struct {
        std::uint32_t offset, reset, writable;
    } rows[] = {
        {0x00, 0x01000000, 0},
        {0x04, 0, 0},
        {0x08, 0, 0},
        {0x0C, 0, 0},
        {0x10, 0x10000002, 0xFFF0000A},
        {0x14, 0x1000, 0x3FFFF},
        {0x18, 0, 0},
        {0x1C, 0, 0},
        {0x20, 0, 0},
        {0x24, 0, 0},
        {0x28, 0, 0},
        {0x3C, 0, 0},
    };
    static constexpr struct {
        std::uint32_t offset, reset, writable;
    } port_rows[] = {
        {0x00, 0x11000000, 0xFF000001}, {0x04, 0, 0}, {0x08, 0, 0xFFFFFFFF}, {0x0C, 0, 0xFFFFFFFF},
        {0x10, 0, 0xFFFFFFFF},          {0x14, 0, 0}, {0x18, 0, 0},          {0x3C, 0, 0},
    };
    Machine m;
    const auto check = [&m](std::uint32_t offset, std::uint32_t reset, std::uint32_t writable) {
        assert_int_equal(m.eoe_reg(offset), reset);
        m.eoe_reg(offset, 0xFFFFFFFF);
        assert_int_equal(m.eoe_reg(offset), writable != 0 ? writable : reset);
        m.eoe_reg(offset, 0);
        assert_int_equal(m.eoe_reg(offset), writable != 0 ? 0 : reset);
    };
    for (const auto &row : rows) {
        check(row.offset, row.reset, row.writable);
    }
    for (unsigned k = 1; k <= 15; ++k) {
        for (const auto &row : port_rows) {
            check(port_reg(k, row.offset), row.reset, row.writable);
        }
    }
    m.port->reset();
    for (const auto &row : rows) {
        assert_int_equal(m.eoe_reg(row.offset), row.reset);
    }
    for (std::uint32_t offset = 0; offset < XEOE_EOE_WINDOW; offset += 4) {
        (void)m.eoe_reg(offset);
        m.eoe_reg(offset, 0xFFFFFFFF);
        m.eoe_reg(offset, 0);
    }
}

void ports_that_are_not_built(void **) {
    eoe::Config config = eoe::default_config();
    config.eoe_gro_ports = 2;
    Machine m(config);
    assert_int_equal(m.eoe_reg(port_reg(2, 0)), 0x11000000);
    m.eoe_reg(port_reg(3, 0), 0x11000001);
    assert_int_equal(m.eoe_reg(port_reg(3, 0)), 0);
}

void three_datagrams_become_header_fragment_end(void **) {
    Bench b;
    b.open_port(1, 5101);
    Bytes payload;
    for (std::uint8_t i = 0; i < 3; ++i) {
        const auto g = datagram(1400, 5101, i);
        payload.insert(payload.end(), g.payload.begin(), g.payload.end());
        b.in(oracle::frame_of(g));
        assert_true(b.pending(2)); // the header is there at once
    }
    b.m.advance(milliseconds{6});
    const auto header = b.take(2);
    const auto middle = b.take(2);
    const auto end = b.take(2);
    assert_false(b.pending(2));
    assert_int_equal(header.app0, kApp0Start);
    assert_int_equal(header.app1, 0);
    const Bytes first = frame(1400);
    assert_string_equal(
        oracle::difference(Bytes(first.begin(), first.begin() + 42), header.data).c_str(), "");
    assert_int_equal(header.sideband, 0x00010000); // TDEST 1
    assert_int_equal(middle.data.size(), 4096);
    assert_int_equal(middle.app0, 0);
    assert_int_equal(middle.app1, 0);
    assert_int_equal(end.data.size(), 104);
    assert_int_equal(end.app1 & 0xFFFF, 4228);
    check_end(header, end, 4200);
    Bytes got = middle.data;
    got.insert(got.end(), end.data.begin(), end.data.end());
    assert_string_equal(oracle::difference(payload, got).c_str(), "");
    assert_int_equal(b.m.eoe_reg(kTotalGro), 3);
    assert_int_equal(b.m.eoe_reg(port_reg(1, 0x14)), 3);
    assert_int_equal(b.m.eoe_reg(kNonGro), 0);
    assert_int_equal(b.m.dma(s2mm(2, 0x1C)), 3); // one stream packet each
}

void lone_datagram_waits_for_the_timeout(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.in(frame(100));
    const auto header = b.take(2);
    assert_int_equal(header.data.size(), 42);
    b.m.advance(microseconds{5242});
    assert_false(b.pending(2));
    b.m.advance(microseconds{1}); // 0x1000 * 128 / 100 MHz = 5242.88 us
    const auto end = b.take(2);
    check_end(header, end, 100);
    assert_int_equal(end.data.size(), 100);
}

void timeout_can_be_programmed(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.m.eoe_reg(kTimeout, 39);
    b.in(frame(100));
    (void)b.take(2);
    b.m.advance(microseconds{40});
    b.in(frame(100)); // starts it again
    b.m.advance(microseconds{40});
    assert_false(b.pending(2));
    b.m.advance(microseconds{10});
    assert_int_equal(b.take(2).data.size(), 200);
    b.m.eoe_reg(kTimeout, 0); // never
    b.in(frame(100));
    (void)b.take(2);
    b.m.advance(std::chrono::seconds{10});
    assert_false(b.pending(2));
}

void padding_is_removed(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.in(frame(1));
    b.in(frame(2));
    b.m.advance(milliseconds{6});
    const auto header = b.take(2);
    check_end(header, b.take(2), 3);
}

void channel_follows_the_port_number(void **) {
    Bench b;
    b.open_port(1, 1000);
    b.open_port(2, 2000);
    b.open_port(3, 3000);
    b.in(frame(10, 3000));
    b.in(frame(10, 2000));
    b.in(frame(10, 1000));
    b.in(frame(10, 4000));
    for (unsigned n = 2; n <= 4; ++n) {
        const auto header = b.take(n);
        assert_int_equal(header.data.size(), 42);
        assert_int_equal(header.sideband, (n - 1) << 16);
        assert_int_equal(header.data[36] << 8 | header.data[37], 1000 * (n - 1));
    }
    const auto other = b.take(1);
    assert_int_equal(other.data.size(), 60);
    assert_int_equal(other.app0, kApp0Start | kApp0End);
    assert_int_equal(b.m.eoe_reg(kNonGro), 1);
}

void whole_frames_carry_length_and_checksum(void **) {
    Bench b;
    const Bytes f = frame(100);
    b.in(f);
    const auto p = b.take(1);
    assert_string_equal(oracle::difference(f, p.data).c_str(), "");
    assert_int_equal(p.app1, std::uint32_t{f[24]} << 24 | std::uint32_t{f[25]} << 16 | 128);
    b.in(plain_frame(100));
    assert_int_equal(b.take(1).app1, 0);
}

void port_fields_must_match(void **) {
    Bench b;
    b.open_port(1, 5101);
    auto other_ip = datagram(100);
    other_ip.destination ^= 1;
    b.in(oracle::frame_of(other_ip));
    b.in(frame(100, 5102));
    Bytes tcp = frame(100);
    tcp[23] = 6;
    b.in(tcp);
    b.m.eoe_reg(port_reg(1, 0), 0x06000001); // another protocol is configured
    b.in(frame(100));
    b.m.eoe_reg(port_reg(1, 0), 0x11000000); // disabled
    b.in(frame(100));
    for (int i = 0; i < 5; ++i) {
        (void)b.take(1);
    }
    assert_false(b.pending(2));
}

void five_tuple(void **) {
    eoe::Config config = eoe::default_config();
    config.eoe_hash_5tuple = true;
    Bench b(config);
    b.m.eoe_reg(kCommon, 0x10100002); // b3 = 0
    b.open_port(1, 5101);
    b.in(frame(100)); // source fields are zero in the port
    (void)b.take(1);
    b.m.eoe_reg(port_reg(1, 0x08), 0x0A0A0001);
    b.m.eoe_reg(port_reg(1, 0x10), 5101U << 16 | 40000);
    b.in(frame(100));
    assert_int_equal(b.take(2).data.size(), 42);
    auto other = datagram(100);
    other.source_port = 40001;
    b.in(oracle::frame_of(other));
    (void)b.take(1);
    b.m.eoe_reg(kCommon, 0x1010000A); // back to 3-tuple
    b.in(oracle::frame_of(other));
    (void)b.take(2); // end of the first
    assert_int_equal(b.take(2).data.size(), 42);
}

// What is not merged

void odd_packets_pass_unmerged(void **) {
    Bench b;
    b.open_port(1, 5101);
    auto options = datagram(100);
    options.options = {1, 1, 1, 1};
    auto unsummed = datagram(100);
    unsummed.udp_checksum = false;
    Bytes vlan = frame(100);
    const Bytes tag = {0x81, 0x00, 0x00, 0x05};
    vlan.insert(vlan.begin() + 12, tag.begin(), tag.end());
    auto fragment = datagram(100);
    fragment.fragment = 0x2000;
    auto last_fragment = datagram(100);
    last_fragment.fragment = 0x0010;
    Bytes six = plain_frame(100);
    six[12] = 0x86;
    six[13] = 0xDD;
    // The IPv4 length says more than the UDP one; the checksum is right.
    Bytes longer = oracle::frame_of(datagram(100));
    {
        auto g = datagram(100);
        g.payload.resize(104, 0);
        const Bytes big = oracle::frame_of(g);
        Bytes ip(big.begin() + 14, big.begin() + 34);
        std::copy(ip.begin(), ip.end(), longer.begin() + 14);
        longer.resize(longer.size() + 4, 0);
    }
    const Bytes packets[] = {oracle::frame_of(options),
                             oracle::frame_of(unsummed),
                             vlan,
                             oracle::frame_of(fragment),
                             oracle::frame_of(last_fragment),
                             six,
                             frame(0),
                             longer};
    for (const Bytes &packet : packets) {
        b.in(packet);
        assert_string_equal(oracle::difference(packet, b.take(1).data).c_str(), "");
    }
    assert_false(b.pending(2));
    assert_int_equal(b.m.eoe_reg(kNonGro), 8);
    assert_int_equal(b.m.eoe_reg(kErrors), 0);
}

void lying_lengths_pass_unmerged(void **) {
    Bench b;
    b.open_port(1, 5101);
    const Bytes good = oracle::frame_of(datagram(100));
    const auto changed = [&](std::size_t offset, std::uint8_t high, std::uint8_t low) {
        Bytes packet = good;
        packet[offset] = high;
        packet[offset + 1] = low;
        return packet;
    };
    const Bytes packets[] = {
        changed(16, 0xFF, 0xFF), changed(16, 0, 129),  changed(16, 0, 27),   changed(16, 0, 0),
        changed(38, 0xFF, 0xFF), changed(38, 0, 109),  changed(38, 0, 7),    changed(38, 0, 0),
        changed(14, 0x4F, 0),    changed(14, 0x44, 0), changed(14, 0x00, 0),
    };
    for (const Bytes &packet : packets) {
        b.in(packet);
        assert_string_equal(oracle::difference(packet, b.take(1).data).c_str(), "");
    }
    assert_false(b.pending(2));
}

void truncated_frames(void **) {
    Bench b;
    b.open_port(1, 5101);
    const Bytes good = oracle::frame_of(datagram(100));
    for (std::size_t bytes = 60; bytes < good.size(); ++bytes) {
        b.in(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(bytes)));
        (void)b.take(1);
        if (bytes % 60 == 0) { // keep the ring full
            for (unsigned i = 0; i < 64; ++i) {
                rx_ring(b.m, 1, 64).set(i, 0x18, 0);
            }
            b.m.dma64(s2mm(1, kTail), rx_ring(b.m, 1, 64).bd(b.seen[0] + 62));
        }
        b.seen[0] %= 64;
    }
    assert_false(b.pending(2));
}

void checksum_errors(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.in(frame(100));
    const auto header = b.take(2);
    Bytes bad = frame(100);
    bad[60] ^= 1;
    b.in(bad);
    check_end(header, b.take(2), 100); // the merge ends
    assert_string_equal(oracle::difference(bad, b.take(1).data).c_str(), "");
    Bytes bad_ip = frame(100);
    bad_ip[22] ^= 1; // TTL
    b.in(bad_ip);
    (void)b.take(1);
    assert_int_equal(b.m.eoe_reg(kErrors), 2);
    assert_int_equal(b.m.eoe_reg(kNonGro), 2);
    assert_int_equal(b.m.eoe_reg(kTotalGro), 1);
}

void checksums_disabled(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.m.eoe_reg(kCommon, 0x10100008);
    Bytes bad = frame(100);
    bad[60] ^= 1;
    b.in(bad);
    b.in(frame(100));
    (void)b.take(1);
    (void)b.take(1);
    assert_false(b.pending(2));
    assert_int_equal(b.m.eoe_reg(kErrors), 0);
}

void checksum_only_build(void **) {
    eoe::Config config = eoe::default_config();
    config.eoe_rx_gro = false;
    Bench b(config);
    b.m.eoe_reg(port_reg(1, 0), 0x11000001);
    assert_int_equal(b.m.eoe_reg(port_reg(1, 0)), 0);
    b.in(frame(100));
    assert_int_equal(b.take(1).app0, kApp0Start | kApp0End);
    Bytes bad = frame(100);
    bad[60] ^= 1;
    b.in(bad);
    (void)b.take(1);
    assert_int_equal(b.m.eoe_reg(kErrors), 1);
    assert_int_equal(b.m.eoe_reg(kNonGro), 2);
}

void without_engine(void **) {
    eoe::Config config = eoe::default_config();
    config.eoe = false;
    Machine m(config);
    std::uint32_t value = 0;
    assert_int_equal(m.port->read(eoe::Block::eoe, 0, value), eoe::Bus::decerr);
    assert_int_equal(m.port->write(eoe::Block::eoe, 0x10, 0), eoe::Bus::decerr);
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    assert_true(deliver(m, frame(100)));
    assert_int_equal(ring.get(0, 0x18), 0x8C000000 | 142);
    assert_int_equal(ring.get(0, 0x20), 0);
}

// Ends of a merge

void fragment_limit(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.m.eoe_reg(kCommon, 0x0800000A); // 8 fragments of 2 KiB
    for (int i = 0; i < 16; ++i) {
        b.in(frame(1024));
    }
    const auto header = b.take(2);
    for (int i = 0; i < 7; ++i) {
        const auto p = b.take(2);
        assert_int_equal(p.data.size(), 2048);
        assert_int_equal(p.app0, 0);
    }
    const auto end = b.take(2); // at once: exactly full
    assert_int_equal(end.data.size(), 2048);
    check_end(header, end, 16384);
}

void datagram_that_would_pass_the_limit_starts_a_new_merge(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.m.eoe_reg(kCommon, 0x0800000A);
    for (int i = 0; i < 12; ++i) {
        b.in(frame(1400)); // 11 * 1400 = 15400, 12 * 1400 = 16800
    }
    const auto header = b.take(2);
    for (int i = 0; i < 7; ++i) {
        assert_int_equal(b.take(2).data.size(), 2048);
    }
    check_end(header, b.take(2), 15400);
    assert_int_equal(b.take(2).data.size(), 42);
    assert_false(b.pending(2));
}

void ip_length_limit(void **) {
    // 44 * 1472 = 64768. Up to 65507 the total fits 16 bits; 65508 would still
    // fit sixteen fragments.
    for (const std::size_t last : {739U, 740U}) {
        Bench b;
        b.open_port(1, 5101);
        for (int i = 0; i < 44; ++i) {
            b.in(frame(1472));
        }
        b.in(frame(last));
        b.m.advance(milliseconds{6});
        const auto header = b.take(2);
        for (int i = 0; i < 15; ++i) {
            assert_int_equal(b.take(2).data.size(), 4096);
        }
        check_end(header, b.take(2), last == 739 ? 65507 : 64768);
        assert_int_equal(b.pending(2), last == 740);
    }
}

void datagram_no_merge_can_hold(void **) {
    Bench b;
    b.m.eoe_reg(kCommon, 0x0100000A); // one fragment of 2 KiB
    b.open_port(1, 5101);
    b.in(frame(2049));
    assert_int_equal(b.take(1).data.size(), 42 + 2049);
    assert_false(b.pending(2));
    b.in(frame(2048)); // exactly one: header and end
    const auto header = b.take(2);
    check_end(header, b.take(2), 2048);
}

void another_source_starts_a_new_merge(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.in(frame(100));
    auto other = datagram(100);
    other.source_port = 1;
    b.in(oracle::frame_of(other));
    other.source = 0x0A0A0009;
    b.in(oracle::frame_of(other));
    for (int i = 0; i < 2; ++i) {
        const auto header = b.take(2);
        check_end(header, b.take(2), 100);
    }
    assert_int_equal(b.take(2).data.size(), 42);

    eoe::Config config = eoe::default_config();
    config.gro_mix_sources = true;
    Bench mixed(config);
    mixed.open_port(1, 5101);
    mixed.in(frame(100));
    mixed.in(oracle::frame_of(other));
    (void)mixed.take(2);
    assert_false(mixed.pending(2));
}

void another_size(void **) {
    Bench b;
    b.open_port(1, 5101);
    for (const std::size_t payload : {100U, 50U, 200U}) {
        b.in(frame(payload));
    }
    (void)b.take(2);
    assert_false(b.pending(2));

    eoe::Config config = eoe::default_config();
    config.gro_equal_size = true;
    Bench strict(config);
    strict.open_port(1, 5101);
    for (const std::size_t payload : {100U, 100U, 50U, 60U, 61U}) {
        strict.in(frame(payload));
    }
    auto header = strict.take(2);
    check_end(header, strict.take(2), 250); // a shorter one belongs to it and ends it
    header = strict.take(2);
    check_end(header, strict.take(2), 60); // a longer one does not
    assert_int_equal(strict.take(2).data.size(), 42);
}

void disabling_a_port_drains_it(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.in(frame(100));
    const auto header = b.take(2);
    assert_int_equal(b.m.eoe_reg(port_reg(1, 4)), 0); // enabled: not "draining"
    b.m.eoe_reg(port_reg(1, 0), 0x11000000);
    assert_int_equal(b.m.eoe_reg(port_reg(1, 4)), 1);
    b.m.settle();
    assert_int_equal(b.m.eoe_reg(port_reg(1, 4)), 0);
    check_end(header, b.take(2), 100);
    b.in(frame(100));
    (void)b.take(1);
}

void draining_waits_for_descriptors(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 42, 8};
    ring.receive();
    start_rx(m, 2, ring, 1);
    m.eoe_reg(port_reg(1, 0x0C), 0x0A0A0002);
    m.eoe_reg(port_reg(1, 0x10), 5101U << 16);
    m.eoe_reg(port_reg(1, 0x00), 0x11000001);
    assert_true(deliver(m, frame(100)));
    m.eoe_reg(port_reg(1, 0x00), 0x11000000);
    m.settle();
    assert_int_equal(ring.get(1, 0x18), 0x88000000 | 42); // 58 bytes are left
    assert_int_equal(m.eoe_reg(port_reg(1, 4)), 1);
    assert_false(m.port->can_receive());
    const std::size_t before = m.errors.size();
    m.eoe_reg(port_reg(1, 0x00), 0x11000001); // must not be done now
    assert_int_equal(m.errors.size(), before + 1);
    m.eoe_reg(port_reg(1, 0x00), 0x11000000);
    m.dma64(s2mm(2, kTail), ring.bd(7));
    m.settle();
    assert_int_equal(m.eoe_reg(port_reg(1, 4)), 0);
    assert_int_equal(ring.get(3, 0x18), 0x84000000 | 16);
    assert_int_equal(ring.get(3, 0x20), kApp0End);
}

void shortfall_on_one_channel_holds_the_others(void **) {
    Machine m;
    const Ring small{m, kRam + 0x2000, kRam + 0x100000, 40, 8};
    small.receive();
    const Ring other = rx_ring(m, 1);
    other.receive();
    start_rx(m, 2, small, 0);
    start_rx(m, 1, other, 15);
    m.eoe_reg(port_reg(1, 0x0C), 0x0A0A0002);
    m.eoe_reg(port_reg(1, 0x10), 5101U << 16);
    m.eoe_reg(port_reg(1, 0x00), 0x11000001);
    assert_true(deliver(m, frame(100))); // the header does not fit one buffer
    assert_int_equal(m.dma(s2mm(2, kSr)) & 3, 3);
    assert_false(deliver(m, plain_frame(100)));
    m.dma64(s2mm(2, kTail), small.bd(7));
    m.settle();
    assert_int_equal(m.rx_readies, 1);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(other.get(0, 0x18), 0x8C000064);
}

void timeout_while_blocked_comes_later(void **) {
    Machine m;
    const Ring small{m, kRam + 0x2000, kRam + 0x100000, 40, 16};
    small.receive();
    start_rx(m, 2, small, 0);
    m.eoe_reg(port_reg(1, 0x0C), 0x0A0A0002);
    m.eoe_reg(port_reg(1, 0x10), 5101U << 16);
    m.eoe_reg(port_reg(1, 0x00), 0x11000001);
    assert_true(deliver(m, frame(100)));
    m.advance(milliseconds{20});
    m.dma64(s2mm(2, kTail), small.bd(15));
    m.settle();
    assert_true(m.port->can_receive());
    assert_int_equal(small.get(4, 0x20), kApp0End);
}

void stream_reset_keeps_the_rules(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.m.eoe_reg(kTimeout, 77);
    b.in(frame(100));
    Bytes bad = frame(100);
    bad[60] ^= 1;
    b.in(bad);
    b.in(frame(100));
    b.m.dma(kS2mmCcr, 4);
    assert_int_equal(b.m.eoe_reg(port_reg(1, 0x00)), 0x11000000);
    assert_int_equal(b.m.eoe_reg(port_reg(1, 0x0C)), 0x0A0A0002);
    assert_int_equal(b.m.eoe_reg(port_reg(1, 0x10)), 5101U << 16);
    assert_int_equal(b.m.eoe_reg(port_reg(1, 0x14)), 0);
    assert_int_equal(b.m.eoe_reg(port_reg(1, 0x04)), 0);
    assert_int_equal(b.m.eoe_reg(kTimeout), 77);
    assert_int_equal(b.m.eoe_reg(kCommon), 0x1010000A);
    for (const std::uint32_t counter : {kTxErrors, kDropped, kErrors, kNonGro, kTotalGro}) {
        assert_int_equal(b.m.eoe_reg(counter), 0);
    }
    b.m.advance(milliseconds{20}); // nothing is left to time out
    assert_int_equal(b.m.dma(s2mm(2, 0x1C)), 0);
}

void limits_of_a_running_merge_stay(void **) {
    Bench b;
    b.open_port(1, 5101);
    b.in(frame(1000));
    b.m.eoe_reg(kCommon, 0x0800000A); // another port's set-up in the middle
    for (int i = 0; i < 4; ++i) {
        b.in(frame(1000));
    }
    (void)b.take(2);
    assert_int_equal(b.take(2).data.size(), 4096);
}

void odd_limits_are_survived(void **) {
    for (const std::uint32_t common : {0x0000000AU, 0xFFF0000AU, 0x0110000AU, 0x00F0000AU}) {
        Bench b;
        b.open_port(1, 5101);
        b.m.eoe_reg(kCommon, common);
        assert_true(!b.m.errors.empty());
        for (int i = 0; i < 20; ++i) {
            b.in(frame(1000, 5101, static_cast<std::uint8_t>(i)));
        }
        b.m.advance(milliseconds{6});
        assert_int_equal(b.take(2).data.size(), 42);
        assert_int_equal(b.m.eoe_reg(kTotalGro), 20);
    }
}

void full_fifo_drops_and_counts(void **) {
    Machine m;
    eoe::StreamFifo fifo(8192);
    eoe::Faults faults(m);
    eoe::EoeRx rx(eoe::default_config(), m, faults, fifo);
    const Bytes f = frame(1400);
    for (int i = 0; i < 10; ++i) {
        rx.receive(f, false);
    }
    assert_true(rx.s.dropped > 0);
    assert_int_equal(rx.s.dropped + rx.s.non_gro, 10);
}

// PG451, C_MTU_SIZE: no packet above it is expected.
void longer_frames_than_built_are_dropped(void **) {
    for (const std::uint32_t mtu : {1500U, 9000U}) {
        eoe::Config config = eoe::default_config();
        config.eoe_mtu = mtu;
        Bench b(config);
        b.in(plain_frame(mtu + 14 + 8)); // full, with two VLAN tags
        assert_int_equal(b.m.eoe_reg(kDropped), 0);
        assert_int_equal(b.m.eoe_reg(kNonGro), 1);
        b.in(plain_frame(mtu + 14 + 9));
        assert_int_equal(b.m.eoe_reg(kDropped), 1);
        assert_int_equal(b.m.eoe_reg(kNonGro), 1);
        assert_int_equal(b.m.dma(kS2mmDrop), 0); // it never got there
        b.m.dma(kS2mmCcr, 4);
        assert_int_equal(b.m.eoe_reg(kDropped), 0);
    }
}

void a_longer_datagram_leaves_the_merge_alone(void **) {
    eoe::Config config = eoe::default_config();
    config.eoe_mtu = 1500;
    Bench b(config);
    b.open_port(1, 5101);
    b.in(frame(1400));
    b.in(frame(1481)); // 1523 bytes
    b.in(frame(1400, 5101, 7));
    b.m.advance(milliseconds(6));
    assert_int_equal(b.m.eoe_reg(kDropped), 1);
    assert_int_equal(b.m.eoe_reg(kTotalGro), 2);
    assert_int_equal(b.take(2).data.size(), 42);
    const auto end = b.take(2);
    assert_int_equal(end.data.size(), 2800);
    assert_int_equal(end.app1 & 0xFFFF, 2828);
    assert_false(b.pending(1));
}

void bad_frames_are_marked_and_left_alone(void **) {
    eoe::Config config = eoe::default_config();
    config.deliver_bad_frames = true;
    Bench b(config);
    b.open_port(1, 5101);
    Bytes f = oracle::frame_of(datagram(8)); // 50 bytes: a runt
    b.in(f);
    const auto p = b.take(1);
    assert_int_equal(p.sideband, 1);
    assert_int_equal(p.data.size(), 50);
    assert_int_equal(b.m.eoe_reg(kNonGro), 1);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(registers),
        cmocka_unit_test(ports_that_are_not_built),
        cmocka_unit_test(three_datagrams_become_header_fragment_end),
        cmocka_unit_test(lone_datagram_waits_for_the_timeout),
        cmocka_unit_test(timeout_can_be_programmed),
        cmocka_unit_test(padding_is_removed),
        cmocka_unit_test(channel_follows_the_port_number),
        cmocka_unit_test(whole_frames_carry_length_and_checksum),
        cmocka_unit_test(port_fields_must_match),
        cmocka_unit_test(five_tuple),
        cmocka_unit_test(odd_packets_pass_unmerged),
        cmocka_unit_test(lying_lengths_pass_unmerged),
        cmocka_unit_test(truncated_frames),
        cmocka_unit_test(checksum_errors),
        cmocka_unit_test(checksums_disabled),
        cmocka_unit_test(checksum_only_build),
        cmocka_unit_test(without_engine),
        cmocka_unit_test(fragment_limit),
        cmocka_unit_test(datagram_that_would_pass_the_limit_starts_a_new_merge),
        cmocka_unit_test(ip_length_limit),
        cmocka_unit_test(datagram_no_merge_can_hold),
        cmocka_unit_test(another_source_starts_a_new_merge),
        cmocka_unit_test(another_size),
        cmocka_unit_test(disabling_a_port_drains_it),
        cmocka_unit_test(draining_waits_for_descriptors),
        cmocka_unit_test(shortfall_on_one_channel_holds_the_others),
        cmocka_unit_test(timeout_while_blocked_comes_later),
        cmocka_unit_test(stream_reset_keeps_the_rules),
        cmocka_unit_test(limits_of_a_running_merge_stay),
        cmocka_unit_test(odd_limits_are_survived),
        cmocka_unit_test(full_fifo_drops_and_counts),
        cmocka_unit_test(longer_frames_than_built_are_dropped),
        cmocka_unit_test(a_longer_datagram_leaves_the_merge_alone),
        cmocka_unit_test(bad_frames_are_marked_and_left_alone),
    };
    return unit::run_group("eoe_gro", tests);
}
