// SPDX-License-Identifier: GPL-2.0-or-later
//
// Transmit half of the offload engine: literal control words first, then every
// frame held against the oracle.
#include "harness.hpp"
#include "oracle.hpp"

#include "eoe/tx.hpp"

#include <algorithm>

namespace {

using namespace unit;

/// The transmit half asks its host for nothing but to pass on complaints.
class Silent final : public eoe::Host {
public:
    eoe::Bus dma_read(eoe::GuestAddr, std::span<std::uint8_t>) override { return eoe::Bus::decerr; }
    eoe::Bus dma_write(eoe::GuestAddr, std::span<const std::uint8_t>) override {
        return eoe::Bus::decerr;
    }
    bool send_frame(std::span<const std::uint8_t>) override { return true; }
    void rx_ready() override {}
    void set_irq(eoe::Dir, unsigned, bool) override {}
    eoe::Nanos now() override { return {}; }
    void set_deadline(eoe::Nanos) override {}
    void guest_error(const char *) override {}
};

/// The transmit half over a buffer of its own.
struct Bench {
    explicit Bench(const eoe::Config &config = eoe::default_config(), std::size_t longest = 8192)
        : buffer(longest + eoe::EoeTx::kMinOutput), tx(config, m, buffer) {}

    std::vector<Bytes> send(const Bytes &packet, std::uint32_t app0, std::uint32_t app1) {
        std::copy(packet.begin(), packet.end(), buffer.begin());
        tx.accept(packet.size(), {app0, app1});
        std::vector<Bytes> frames;
        while (tx.has_frame()) {
            const auto frame = tx.next_frame();
            frames.emplace_back(frame.begin(), frame.end());
        }
        return frames;
    }

    Silent m;
    Bytes buffer;
    eoe::EoeTx tx;
};

/// Send it and hold the result against the oracle; returns the frames.
std::vector<Bytes> check(const Bytes &packet, std::uint32_t app0, std::uint32_t app1,
                         const eoe::Config &config = eoe::default_config()) {
    Bench b(config, packet.size());
    auto got = b.send(packet, app0, app1);
    const auto expected = oracle::transmit(packet, app0, app1, config.eoe_tx_gso);
    assert_int_equal(b.tx.errors(), expected.counted_as_error ? 1 : 0);
    assert_int_equal(got.size(), expected.frames.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        assert_string_equal(oracle::difference(expected.frames[i], got[i]).c_str(), "");
    }
    return got;
}

oracle::Datagram datagram(std::size_t payload) {
    oracle::Datagram g;
    for (std::size_t i = 0; i < payload; ++i) {
        g.payload.push_back(static_cast<std::uint8_t>(i * 7 + 3));
    }
    return g;
}

/// What a stack hands down: both checksums unset.
Bytes unsealed(const oracle::Datagram &g) {
    Bytes frame = oracle::frame_of(g);
    const std::size_t udp = 34 + g.options.size();
    frame[24] = frame[25] = 0xEE;
    frame[udp + 6] = frame[udp + 7] = 0xDD;
    return frame;
}

std::uint32_t app0_for(std::size_t header, std::size_t packet) {
    return static_cast<std::uint32_t>(header << 24 | (packet - 14));
}

constexpr std::uint32_t gso(std::uint32_t mss) {
    return mss << 16 | 0x0400;
}

// Checksums

void literal_datagram(void **) {
    // 10.10.0.1:40000 -> 10.10.0.2:5101, "hello, world"; sums done by hand.
    const Bytes packet = {0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00,
                          0x02, 0x08, 0x00, 0x45, 0x00, 0x00, 0x28, 0x12, 0x34, 0x40, 0x00,
                          0x40, 0x11, 0x00, 0x00, 0x0A, 0x0A, 0x00, 0x01, 0x0A, 0x0A, 0x00,
                          0x02, 0x9C, 0x40, 0x13, 0xED, 0x00, 0x14, 0x00, 0x00, 'h',  'e',
                          'l',  'l',  'o',  ',',  ' ',  'w',  'o',  'r',  'l',  'd'};
    // IPv4: 4500+0028+1234+4000+4011+0A0A+0001+0A0A+0002 = EB84, complement 147B.
    const auto frames = check(packet, 0, 0x05DC0D00);
    assert_int_equal(frames.size(), 1);
    assert_int_equal(frames[0].size(), 64);
    assert_int_equal(frames[0][24] << 8 | frames[0][25], 0x147B);
    std::uint32_t sum = 0x0A0A + 0x0001 + 0x0A0A + 0x0002 + 0x0011 + 0x0014 + 0x9C40 + 0x13ED +
                        0x0014 + 0x6865 + 0x6C6C + 0x6F2C + 0x2077 + 0x6F72 + 0x6C64;
    sum = (sum & 0xFFFF) + (sum >> 16);
    assert_int_equal(frames[0][40] << 8 | frames[0][41], 0xFFFF - sum);
    for (std::size_t i = packet.size(); i < 64; ++i) {
        assert_int_equal(frames[0][i], 0);
    }
}

void checksums_of_every_payload_size(void **) {
    for (std::size_t payload = 0; payload <= 1472; ++payload) {
        const auto g = datagram(payload);
        const auto frames = check(unsealed(g), 0, kApp1Checksum);
        Bytes expected = oracle::frame_of(g);
        expected.resize(std::max<std::size_t>(64, expected.size()), 0);
        assert_string_equal(oracle::difference(expected, frames[0]).c_str(), "");
    }
}

void udp_sum_of_zero_is_sent_as_ones(void **) {
    auto g = datagram(10);
    // Choose the last word so that everything sums to all ones.
    g.payload[8] = g.payload[9] = 0;
    const Bytes frame = oracle::frame_of(g);
    g.payload[8] = frame[40];
    g.payload[9] = frame[41];
    const auto frames = check(unsealed(g), 0, kApp1Checksum);
    assert_int_equal(frames[0][40], 0xFF);
    assert_int_equal(frames[0][41], 0xFF);
}

void options_are_part_of_the_header(void **) {
    auto g = datagram(100);
    g.options = {7, 7, 4, 0, 0, 0, 0, 0};
    const auto frames = check(unsealed(g), 0, kApp1Checksum);
    assert_string_equal(oracle::difference(oracle::frame_of(g), frames[0]).c_str(), "");
}

void tcp(void **) {
    Bytes packet = oracle::frame_of(datagram(60));
    packet[23] = 6;
    const auto frames = check(packet, 0, kApp1Checksum);
    assert_int_not_equal(packet[50] << 8 | packet[51], frames[0][50] << 8 | frames[0][51]);
    // A segmentation request for TCP is not supported: the checksum path.
    const auto same = check(packet, app0_for(54, packet.size()), 60U << 16);
    assert_int_equal(same.size(), 1);
}

void software_padding_is_not_summed(void **) {
    const auto g = datagram(2);
    Bytes packet = unsealed(g);
    packet.resize(60, 0xA5); // a driver's padding, not even zero
    Bytes expected = oracle::frame_of(g);
    expected.resize(60, 0xA5);
    expected.resize(64, 0);
    assert_string_equal(oracle::difference(expected, check(packet, 0, kApp1Checksum)[0]).c_str(),
                        "");
}

void what_is_not_eligible_passes_untouched(void **) {
    const Bytes good = unsealed(datagram(50));
    const auto changed = [&](std::size_t offset, std::uint8_t value) {
        Bytes packet = good;
        packet[offset] = value;
        return packet;
    };
    Bytes vlan = good;
    const Bytes tag = {0x81, 0x00, 0x00, 0x05};
    vlan.insert(vlan.begin() + 12, tag.begin(), tag.end());
    const Bytes packets[] = {
        changed(12, 0x86),                      // not IPv4
        changed(14, 0x65),                      // version 6
        changed(14, 0x44),                      // header of 16 bytes
        changed(14, 0x4F),                      // header of 60 bytes: UDP lies outside
        changed(20, 0x20),                      // more fragments
        changed(21, 0x01),                      // fragment offset
        changed(23, 1),                         // ICMP
        changed(17, 0xFF),                      // total beyond the frame
        changed(17, 0x1B),                      // total too short for UDP
        changed(38, 0x01),                      // UDP length beyond the packet
        changed(39, 0x07),                      // UDP length below its header
        Bytes(good.begin(), good.begin() + 41), // cut in the UDP header
        Bytes(good.begin(), good.begin() + 13),
        vlan,
    };
    for (const Bytes &packet : packets) {
        const auto frames = check(packet, 0, kApp1Checksum);
        Bytes expected = packet;
        expected.resize(std::max<std::size_t>(64, packet.size()), 0);
        assert_string_equal(oracle::difference(expected, frames[0]).c_str(), "");
    }
    const auto frames = check(good, 0, kApp1Untouched); // b9
    assert_string_equal(oracle::difference(good, frames[0]).c_str(), "");
}

void header_checksum_needs_a_total_below_the_mss(void **) {
    const Bytes packet = unsealed(datagram(500));
    const auto total = static_cast<std::uint32_t>(packet.size() - 14);
    // Not GSO (b8), total stated, MSS equal to it and one above.
    const auto kept = check(packet, 42U << 24 | total, total << 16 | 0x0D00);
    assert_int_equal(kept[0][24], 0xEE);
    const auto done = check(packet, 42U << 24 | total, (total + 1) << 16 | 0x0D00);
    assert_string_equal(oracle::difference(oracle::frame_of(datagram(500)), done[0]).c_str(), "");
}

// Segmentation

void four_segments_of_a_thousand(void **) {
    auto g = datagram(4000);
    g.id = 0x1234;
    const Bytes packet = unsealed(g);
    const auto frames = check(packet, app0_for(42, packet.size()), gso(1028));
    assert_int_equal(frames.size(), 4);
    for (std::size_t i = 0; i < 4; ++i) {
        oracle::Datagram piece = g;
        piece.payload.assign(g.payload.begin() + static_cast<std::ptrdiff_t>(1000 * i),
                             g.payload.begin() + static_cast<std::ptrdiff_t>(1000 * (i + 1)));
        assert_string_equal(oracle::difference(oracle::frame_of(piece), frames[i]).c_str(), "");
    }
}

void literal_control_words(void **) {
    // 42-byte header, 1500 payload bytes, MSS 1028: APP0 2A 0005F8, APP1 0404 0400.
    const Bytes packet = unsealed(datagram(1500));
    const auto frames = check(packet, 0x2A0005F8, 0x04040400);
    assert_int_equal(frames.size(), 2);
    assert_int_equal(frames[0].size(), 1042);
    assert_int_equal(frames[1].size(), 542);
}

void every_tail(void **) {
    constexpr std::size_t kSegment = 100;
    for (std::size_t payload = 2 * kSegment; payload <= 3 * kSegment; ++payload) {
        const Bytes packet = unsealed(datagram(payload));
        const auto frames = check(packet, app0_for(42, packet.size()),
                                  gso(static_cast<std::uint32_t>(kSegment + 28)));
        assert_int_equal(frames.size(), (payload + kSegment - 1) / kSegment);
    }
}

void every_segment_size(void **) {
    const Bytes packet = unsealed(datagram(600));
    for (std::uint32_t mss = 29; mss <= 640; ++mss) {
        (void)check(packet, app0_for(42, packet.size()), gso(mss));
    }
}

void one_byte_segments_are_padded_one_by_one(void **) {
    const auto g = datagram(30);
    const Bytes packet = unsealed(g);
    const auto frames = check(packet, app0_for(42, packet.size()), gso(29));
    assert_int_equal(frames.size(), 30);
    for (std::size_t i = 0; i < 30; ++i) {
        assert_int_equal(frames[i].size(), 64);
        assert_int_equal(frames[i][42], g.payload[i]);
        assert_int_equal(frames[i][43], 0);
    }
}

void ids(void **) {
    auto g = datagram(300);
    g.id = 0x7FFE;
    const Bytes packet = unsealed(g);
    const auto same = check(packet, app0_for(42, packet.size()), gso(128));
    const auto counted = check(packet, app0_for(42, packet.size()), gso(128) | 0x80);
    constexpr int expected[] = {0x7FFE, 0x7FFF, 0x4000}; // the upper two bits stay
    for (std::size_t i = 0; i < 3; ++i) {
        assert_int_equal(same[i][18] << 8 | same[i][19], 0x7FFE);
        assert_int_equal(counted[i][18] << 8 | counted[i][19], expected[i]);
    }
}

void segments_with_options(void **) {
    auto g = datagram(300);
    g.options = {1, 1, 1, 1};
    const Bytes packet = unsealed(g);
    assert_int_equal(check(packet, app0_for(46, packet.size()), gso(132)).size(), 3);
}

void total_at_and_below_the_mss(void **) {
    const Bytes packet = unsealed(datagram(500));
    const auto total = static_cast<std::uint32_t>(packet.size() - 14);
    for (const std::uint32_t mss : {total - 1, total, total + 1}) {
        const auto frames = check(packet, app0_for(42, packet.size()), gso(mss));
        assert_int_equal(frames.size(), mss < total ? 2 : 1);
    }
}

void the_largest_packet(void **) {
    oracle::Datagram g = datagram(60000);
    Bytes packet = unsealed(g);
    packet.resize(42 + 200000, 0x11); // the IPv4 length cannot say this; APP0 does
    const auto frames = check(packet, app0_for(42, packet.size()), gso(1500));
    assert_int_equal(frames.size(), (200000 + 1471) / 1472);
}

void not_eligible_for_segmentation(void **) {
    Bytes packet = unsealed(datagram(500));
    packet[20] = 0x20; // a fragment
    const auto frames = check(packet, app0_for(42, packet.size()), gso(128));
    assert_int_equal(frames.size(), 1);
    assert_string_equal(oracle::difference(packet, frames[0]).c_str(), "");
}

void segmentation_switches(void **) {
    const Bytes packet = unsealed(datagram(500));
    for (const std::uint32_t off : {0x100U, 0x800U, 0x900U}) {
        assert_int_equal(check(packet, app0_for(42, packet.size()), gso(128) | off).size(), 1);
    }
    // APP0 = 0 says "below the MSS".
    assert_int_equal(check(packet, 0, gso(128)).size(), 1);
    // Without checksums (b9) the UDP one stays, the IPv4 one follows the length.
    const auto frames = check(packet, app0_for(42, packet.size()), gso(128) | 0x200);
    assert_int_equal(frames[1][40], 0xDD);
    assert_int_equal(oracle::checksum(Bytes(frames[1].begin() + 14, frames[1].begin() + 34)), 0);
}

void checksum_only_build_ignores_the_words(void **) {
    eoe::Config config = eoe::default_config();
    config.eoe_tx_gso = false;
    const Bytes packet = unsealed(datagram(500));
    for (const std::uint32_t app1 : {gso(128), kApp1Untouched, 0xFFFFFFFFU, 0U}) {
        const auto frames = check(packet, 0x12345678, app1, config);
        assert_string_equal(oracle::difference(oracle::frame_of(datagram(500)), frames[0]).c_str(),
                            "");
    }
}

void no_engine_no_change(void **) {
    eoe::Config config = eoe::default_config();
    config.eoe = false;
    Bench b(config);
    const Bytes packet = unsealed(datagram(2));
    const auto frames = b.send(packet, app0_for(42, packet.size()), gso(128));
    assert_int_equal(frames.size(), 1);
    assert_string_equal(oracle::difference(packet, frames[0]).c_str(), ""); // not even padding
}

// Errors

void length_mismatch_is_dropped_and_counted(void **) {
    const Bytes packet = unsealed(datagram(500));
    for (const std::size_t lie : {packet.size() - 1, packet.size() + 1, packet.size() + 100000}) {
        assert_int_equal(check(packet, app0_for(42, lie), gso(128)).size(), 0);
        assert_int_equal(check(packet, app0_for(42, lie), kApp1Checksum).size(), 0);
    }
    // Bits 25:24 of the total stand in APP1.
    assert_int_equal(check(packet, app0_for(42, packet.size()), gso(128) | 1).size(), 0);
}

void impossible_headers_are_dropped_and_counted(void **) {
    const Bytes packet = unsealed(datagram(500));
    for (const std::size_t header : {0U, 14U, 28U, 41U, 43U, 46U, 255U}) {
        assert_int_equal(check(packet, app0_for(header, packet.size()), gso(128)).size(), 0);
    }
    for (const std::uint32_t mss : {0U, 1U, 27U, 28U}) {
        assert_int_equal(check(packet, app0_for(42, packet.size()), gso(mss)).size(), 0);
    }
    assert_int_equal(check(packet, app0_for(42, packet.size()), gso(29)).size(), 500);
}

void smallest_packets(void **) {
    for (std::size_t bytes = 1; bytes < 64; ++bytes) {
        const Bytes packet(bytes, 0x45);
        for (const std::uint32_t app1 : {kApp1Checksum, gso(29), 0U}) {
            (void)check(packet, 0, app1);
            (void)check(packet, app0_for(42, std::max<std::size_t>(bytes, 14)), app1);
        }
    }
}

void reset_forgets_the_packet_and_the_count(void **) {
    Bench b;
    const Bytes packet = unsealed(datagram(500));
    std::copy(packet.begin(), packet.end(), b.buffer.begin());
    b.tx.accept(packet.size(), {app0_for(42, packet.size()), gso(128)});
    (void)b.tx.next_frame();
    assert_true(b.tx.has_frame());
    b.tx.reject();
    b.tx.reset();
    assert_false(b.tx.has_frame());
    assert_int_equal(b.tx.errors(), 0);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(literal_datagram),
        cmocka_unit_test(checksums_of_every_payload_size),
        cmocka_unit_test(udp_sum_of_zero_is_sent_as_ones),
        cmocka_unit_test(options_are_part_of_the_header),
        cmocka_unit_test(tcp),
        cmocka_unit_test(software_padding_is_not_summed),
        cmocka_unit_test(what_is_not_eligible_passes_untouched),
        cmocka_unit_test(header_checksum_needs_a_total_below_the_mss),
        cmocka_unit_test(four_segments_of_a_thousand),
        cmocka_unit_test(literal_control_words),
        cmocka_unit_test(every_tail),
        cmocka_unit_test(every_segment_size),
        cmocka_unit_test(one_byte_segments_are_padded_one_by_one),
        cmocka_unit_test(ids),
        cmocka_unit_test(segments_with_options),
        cmocka_unit_test(total_at_and_below_the_mss),
        cmocka_unit_test(the_largest_packet),
        cmocka_unit_test(not_eligible_for_segmentation),
        cmocka_unit_test(segmentation_switches),
        cmocka_unit_test(checksum_only_build_ignores_the_words),
        cmocka_unit_test(no_engine_no_change),
        cmocka_unit_test(length_mismatch_is_dropped_and_counted),
        cmocka_unit_test(impossible_headers_are_dropped_and_counted),
        cmocka_unit_test(smallest_packets),
        cmocka_unit_test(reset_forgets_the_packet_and_the_count),
    };
    return unit::run_group("eoe_tx", tests);
}
