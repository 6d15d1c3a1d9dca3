// SPDX-License-Identifier: GPL-2.0-or-later
//
// Build parameters of the offload engine (PG451) and what one of them decides:
// fragment sizes and counts, the jumbo build, and tagged or IPv6 packets in each.
#include "harness.hpp"
#include "oracle.hpp"

namespace {

using namespace unit;
using std::chrono::milliseconds;

constexpr std::uint32_t kApp0Start = 1U << 30, kApp0End = 1U << 29;
constexpr std::uint32_t kCommon = 0x10, kErrors = 0x1C, kNonGro = 0x20, kTotalGro = 0x24;
constexpr std::uint32_t kRxStatus = 0x18, kRxApp0 = 0x20, kRxApp1 = 0x24;

Bytes datagram(std::size_t payload, std::uint8_t first = 0) {
    oracle::Datagram g;
    for (std::size_t i = 0; i < payload; ++i) {
        g.payload.push_back(static_cast<std::uint8_t>(first + i * 13));
    }
    return oracle::frame_of(g);
}

/// Receive rings on channels 1 and 2, and a GRO port that merges to the latter.
struct Receiver {
    explicit Receiver(const eoe::Config &config, std::uint32_t common = 0x1010000A) : m(config) {
        for (unsigned n = 1; n <= 2; ++n) {
            const Ring ring = rx_ring(m, n, 64);
            ring.receive();
            start_rx(m, n, ring, 63);
        }
        m.eoe_reg(kCommon, common);
        m.eoe_reg(0x4C, 0x0A0A0002);
        m.eoe_reg(0x50, 5101U << 16);
        m.eoe_reg(0x40, 0x11000001);
    }

    /// Lengths of the pieces of the merge on channel 2, and all their bytes.
    struct Merge {
        std::vector<std::size_t> pieces;
        Bytes payload;
        std::uint32_t total = 0; ///< IPv4 length at the end; 0: it has none yet
    };
    [[nodiscard]] Merge merge() {
        Merge found;
        const Ring ring = rx_ring(m, 2, 64);
        for (unsigned i = 0; i < 64 && (ring.get(i, kRxStatus) & kDone) != 0; ++i) {
            const std::uint32_t length = ring.get(i, kRxStatus) & 0x03FFFFFF;
            found.pieces.push_back(length);
            if (i == 0) {
                assert_int_equal(ring.get(i, kRxApp0), kApp0Start);
                continue;
            }
            const Bytes piece = m.copy(ring.buffer(i), length);
            found.payload.insert(found.payload.end(), piece.begin(), piece.end());
            if ((ring.get(i, kRxApp0) & kApp0End) != 0) {
                found.total = ring.get(i, kRxApp1) & 0xFFFF;
                break;
            }
            assert_int_equal(ring.get(i, kRxApp0), 0);
        }
        return found;
    }

    Machine m;
};

void every_fragment_size_and_count(void **) {
    struct Case {
        std::uint32_t common;
        std::size_t fragment;
        std::size_t datagrams; ///< of 1024 bytes in a merge
    };
    // What 16 fragments of 4 KiB hold is more than an IPv4 length can say: 63 fit.
    for (const Case &c : {Case{0x0800000A, 2048, 16}, Case{0x1000000A, 2048, 32},
                          Case{0x0810000A, 4096, 32}, Case{0x1010000A, 4096, 63}}) {
        Receiver r(eoe::default_config(), c.common);
        Bytes expected;
        for (std::size_t i = 0; i < c.datagrams; ++i) {
            assert_int_equal(r.merge().total, 0);
            const Bytes frame = datagram(1024, static_cast<std::uint8_t>(i));
            expected.insert(expected.end(), frame.begin() + 42, frame.end());
            assert_true(deliver(r.m, frame));
        }
        assert_true(deliver(r.m, datagram(1024)));
        const auto merge = r.merge();
        assert_int_equal(merge.total, c.datagrams * 1024 + 28);
        assert_string_equal(oracle::difference(expected, merge.payload).c_str(), "");
        assert_int_equal(merge.pieces.size(),
                         1 + (c.datagrams * 1024 + c.fragment - 1) / c.fragment);
        assert_int_equal(merge.pieces[0], 42);
        for (std::size_t i = 1; i + 1 < merge.pieces.size(); ++i) {
            assert_int_equal(merge.pieces[i], c.fragment);
        }
    }
}

void jumbo_packets_are_merged(void **) {
    Receiver r(eoe::default_config());
    r.m.mac(0x018, 9018U << 16 | 64); // RX_MTU, with FCS
    Bytes expected;
    for (std::uint8_t i = 0; i < 3; ++i) {
        const Bytes frame = datagram(8972, i); // 9000 bytes of IPv4
        expected.insert(expected.end(), frame.begin() + 42, frame.end());
        assert_true(deliver(r.m, frame));
    }
    r.m.advance(milliseconds{6});
    const auto merge = r.merge();
    assert_int_equal(merge.total, 3 * 8972 + 28);
    assert_string_equal(oracle::difference(expected, merge.payload).c_str(), "");
    assert_int_equal(merge.pieces.size(), 8); // the header, six fragments of 4 KiB, the rest
    assert_int_equal(merge.pieces[7], 3 * 8972 - 6 * 4096);
}

void packets_are_cut_into_jumbo_frames(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 0x8000, 4};
    ring.link();
    start_tx(m, 1, ring);
    const Bytes packet = datagram(2 * 8972 + 100);
    send(m, 1, ring, 0, packet, 42U << 24 | static_cast<std::uint32_t>(packet.size() - 14),
         9000U << 16);
    assert_int_equal(m.sent.size(), 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const Bytes &frame = m.sent[i];
        assert_int_equal(frame.size(), i < 2 ? 9014 : 142);
        assert_int_equal(oracle::checksum(Bytes(frame.begin() + 14, frame.begin() + 34)), 0);
        assert_true(oracle::judge(frame).checksums_good);
        const auto from = packet.begin() + 42 + static_cast<std::ptrdiff_t>(i * 8972);
        const auto bytes = static_cast<std::ptrdiff_t>(frame.size() - 42);
        assert_string_equal(
            oracle::difference(Bytes(from, from + bytes), Bytes(frame.begin() + 42, frame.end()))
                .c_str(),
            "");
    }
}

/// A UDP datagram that is right, but for tags in front of it or another version of IP.
std::vector<Bytes> not_plain_ipv4() {
    const Bytes good = datagram(100);
    const auto tagged = [&](const Bytes &tags) {
        Bytes packet = good;
        packet.insert(packet.begin() + 12, tags.begin(), tags.end());
        return packet;
    };
    // RFC 8200: the header is 40 bytes; next header 17, port 5101.
    Bytes six(good.begin(), good.begin() + 12);
    const Bytes header = {0x86, 0xDD, 0x60, 0, 0, 0, 0, 108, 17, 64};
    six.insert(six.end(), header.begin(), header.end());
    six.resize(six.size() + 32, 0xFD);
    six.insert(six.end(), good.begin() + 34, good.end());
    return {tagged({0x81, 0x00, 0x00, 0x05}), tagged({0x88, 0xA8, 0x00, 0x07}),
            tagged({0x88, 0xA8, 0x00, 0x07, 0x81, 0x00, 0x00, 0x05}),
            tagged({0x81, 0x00, 0x00, 0x07, 0x81, 0x00, 0x00, 0x05}), six};
}

/// Both variants of both halves.
std::vector<eoe::Config> variants() {
    std::vector<eoe::Config> all;
    for (const bool gso : {false, true}) {
        for (const bool gro : {false, true}) {
            eoe::Config config = eoe::default_config();
            config.eoe_tx_gso = gso;
            config.eoe_rx_gro = gro;
            all.push_back(config);
        }
    }
    return all;
}

void tags_and_ipv6_are_received_whole(void **) {
    for (const eoe::Config &config : variants()) {
        Receiver r(config);
        const Ring ring = rx_ring(r.m, 1, 64);
        unsigned n = 0;
        for (Bytes packet : not_plain_ipv4()) {
            for (const std::uint8_t flip : {0, 1}) {
                packet.back() ^= flip; // no checksum is looked at either
                assert_true(deliver(r.m, packet));
                assert_int_equal(ring.get(n, kRxStatus), 0x8C000000 | packet.size());
                assert_string_equal(
                    oracle::difference(packet, r.m.copy(ring.buffer(n), packet.size())).c_str(),
                    "");
                ++n;
            }
        }
        assert_int_equal(r.m.eoe_reg(kNonGro), n);
        assert_int_equal(r.m.eoe_reg(kTotalGro), 0);
        assert_int_equal(r.m.eoe_reg(kErrors), 0);
    }
}

void tags_and_ipv6_are_sent_as_they_are(void **) {
    for (const eoe::Config &config : variants()) {
        for (Bytes packet : not_plain_ipv4()) {
            packet.back() ^= 1; // the checksum would be put right
            const auto total = static_cast<std::uint32_t>(packet.size() - 14);
            // Checksums only, and cut at an MSS below its length.
            for (const std::uint32_t app1 : {kApp1Checksum, 68U << 16}) {
                Machine m(config);
                const Ring ring = tx_ring(m);
                ring.link();
                start_tx(m, 1, ring);
                send(m, 1, ring, 0, packet, app1 == kApp1Checksum ? 0 : 42U << 24 | total, app1);
                assert_int_equal(m.sent.size(), 1);
                assert_string_equal(oracle::difference(packet, m.sent[0]).c_str(), "");
            }
        }
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(every_fragment_size_and_count),
        cmocka_unit_test(jumbo_packets_are_merged),
        cmocka_unit_test(packets_are_cut_into_jumbo_frames),
        cmocka_unit_test(tags_and_ipv6_are_received_whole),
        cmocka_unit_test(tags_and_ipv6_are_sent_as_they_are),
    };
    return unit::run_group("eoe_builds", tests);
}
