// SPDX-License-Identifier: GPL-2.0-or-later
//
// The XXV MAC alone: registers, link state with its latches, FCS, lengths and
// every counter that a frame can move.
#include "harness.hpp"
#include "oracle.hpp"

#include "mac/xxv.hpp"

#include <algorithm>

namespace {

using namespace unit;
using eoe::Bus;

/// A MAC on a machine whose port is not used.
struct Bench {
    explicit Bench(const eoe::Config &c = eoe::default_config())
        : config(c), mac(config, m, faults) {
        mac.reset();
    }
    std::uint32_t get(std::uint32_t offset) {
        std::uint32_t value = 0;
        assert_int_equal(mac.read(offset, value), Bus::ok);
        return value;
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        assert_int_equal(mac.write(offset, value), Bus::ok);
    }
    /// A counter since the last call for any counter's tick().
    std::uint64_t stat(std::uint32_t offset) {
        return get(offset) | std::uint64_t{get(offset + 4)} << 32;
    }
    void tick() { set(0x020, 1); }

    eoe::Config config;
    Machine m;
    eoe::Faults faults{m};
    eoe::Xxv mac;
};

/// A frame whose FCS a well-known program agrees with.
const Bytes kKnownFrame = {
    0x00, 0x0A, 0xE6, 0xF0, 0x05, 0xA3, 0x00, 0x12, 0x34, 0x56, 0x78, 0x90, 0x08, 0x00, 0x45, 0x00,
    0x00, 0x30, 0xB3, 0xFE, 0x00, 0x00, 0x80, 0x11, 0x72, 0xBA, 0x0A, 0x00, 0x00, 0x03, 0x0A, 0x00,
    0x00, 0x02, 0x04, 0x00, 0x04, 0x00, 0x00, 0x1C, 0x89, 0x4D, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05,
    0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x13};

/// CRC-32 bit by bit (IEEE 802.3, 3.2.9): remainder of a long division.
std::uint32_t crc_by_division(const Bytes &bytes) {
    std::uint32_t remainder = 0xFFFFFFFF;
    for (const std::uint8_t byte : bytes) {
        for (int bit = 0; bit < 8; ++bit) {
            const std::uint32_t in = byte >> bit & 1;
            const std::uint32_t out = remainder >> 31;
            remainder = remainder << 1 ^ (in != out ? 0x04C11DB7 : 0);
        }
    }
    std::uint32_t reflected = 0;
    for (int bit = 0; bit < 32; ++bit) {
        reflected |= (remainder >> bit & 1) << (31 - bit);
    }
    return ~reflected;
}

Bytes with_fcs(Bytes frame) {
    const std::uint32_t crc = crc_by_division(frame);
    for (int i = 0; i < 4; ++i) {
        frame.push_back(static_cast<std::uint8_t>(crc >> (8 * i)));
    }
    return frame;
}

struct Row {
    std::uint32_t offset, reset, writable;
};

constexpr Row kRows[] = {
    {0x000, 0, 0x7},
    {0x004, 0, 0xE0000001},
    {0x008, 0x40000003, 0xC0000003},
    {0x00C, 0x00003003, 0x0087FC3F},
    {0x014, 0x00000033, 0x00003BFF},
    {0x018, 0x25800040, 0x7FFF00FF},
    {0x01C, 0x4FFF4FFF, 0xFFFFFFFF},
    {0x020, 0, 0},
    {0x024, 0x00000104, 0},
    {0x038, 0, 0x07FF0005},
    {0x040, 0, 0x1FF},
    {0x054, 0, 0xFFFF},
    {0x06C, 0x01018808, 0xFFFFFFFF},
    {0x070, 0x00018808, 0xFFFFFFFF},
    {0x094, 0, 0x7FFF},
    {0x09C, 0x01018808, 0xFFFFFFFF},
    {0x0A0, 0x00018808, 0xFFFFFFFF},
    {0x0A4, 0x88088808, 0xFFFFFFFF},
    {0x0A8, 0x01010101, 0xFFFFFFFF},
    {0x0AC, 0x00060001, 0xFFFFFFFF},
    {0x0D0, 0, 0x2F},
    {0x0D4, 0, 0x7},
    {0x0E0, 0x2, 0x1FFF},
    {0x0E4, 0, 0x003F0003},
    {0x134, 0, 0xFFFFFFFF},
    {0x138, 0, 0},
    {0x400, 0, 0},
    {0x408, 0, 0},
    {0x458, 0, 0},
    {0x498, 0x1, 0},
    {0x4A0, 0x3, 0},
};

void reset_values_and_masks(void **) {
    for (const Row &row : kRows) {
        Bench b;
        assert_int_equal(b.get(row.offset), row.reset);
        b.set(row.offset, 0xFFFFFFFF);
        assert_int_equal(b.get(row.offset), row.writable != 0 ? row.writable : row.reset);
        if (row.writable != 0) {
            b.set(row.offset, 0);
            assert_int_equal(b.get(row.offset), 0);
        }
        b.mac.reset();
        assert_int_equal(b.get(row.offset), row.reset);
    }
}

void unmapped_offsets_answer_as_mode_says(void **) {
    Bench b;
    std::uint32_t value = 1;
    assert_int_equal(b.mac.read(0x010, value), Bus::slverr);
    assert_int_equal(value, 0);
    assert_int_equal(b.mac.write(0x010, 1), Bus::slverr);
    assert_int_equal(b.mac.read(0xFFFC, value), Bus::slverr);
    b.set(0x008, 0x40000002);
    assert_int_equal(b.mac.write(0x010, 1), Bus::ok);
    assert_int_equal(b.mac.read(0x010, value), Bus::slverr);
    b.set(0x008, 0x40000001);
    assert_int_equal(b.mac.write(0x010, 1), Bus::slverr);
    assert_int_equal(b.mac.read(0x010, value), Bus::ok);
    assert_int_equal(value, 0);
    assert_int_equal(b.m.errors.size(), 7);
}

void every_offset_answers(void **) {
    Bench b;
    b.m.keep_errors = false;
    for (std::uint32_t offset = 0; offset < XEOE_MAC_WINDOW; offset += 4) {
        std::uint32_t value = 0;
        (void)b.mac.read(offset, value);
        (void)b.mac.write(offset, 0xFFFFFFFF);
        (void)b.mac.read(offset, value);
        (void)b.mac.write(offset, 0);
    }
}

// Link

void gt_reset_pulse(void **) {
    Bench b;
    b.set(0x000, 1);
    assert_int_equal(b.get(0x000), 1);
    assert_int_equal(b.get(0x4A0), 0);
    b.m.time += std::chrono::microseconds{900};
    assert_int_equal(b.get(0x000), 1);
    b.set(0x000, 0);
    assert_int_equal(b.get(0x4A0), 3);
}

void gt_reset_clears_itself(void **) {
    Bench b;
    b.set(0x000, 1);
    assert_true(b.mac.deadline() == b.m.time + std::chrono::milliseconds{1});
    b.m.time += std::chrono::milliseconds{1};
    assert_int_equal(b.get(0x000), 0);
    assert_int_equal(b.get(0x4A0), 3);
    assert_true(b.mac.deadline() == eoe::kNever);
}

void gt_reset_halves(void **) {
    Bench b;
    b.set(0x000, 2);
    assert_int_equal(b.get(0x4A0), 1);
    assert_true(b.mac.tx_open());
    b.set(0x000, 4);
    assert_int_equal(b.get(0x4A0), 2);
    assert_false(b.mac.tx_open());
}

void old_cores_have_no_gt_status(void **) {
    for (const std::uint32_t revision : {0x00000001U, 0x00000103U, 0x01000203U, 0x00000203U}) {
        eoe::Config config = eoe::default_config();
        config.mac_revision = revision;
        Bench b(config);
        assert_int_equal(b.get(0x024), revision);
        assert_int_equal(b.get(0x4A0), (revision & 0xFFFF) == 0x0203 ? 3 : 0);
    }
}

void block_lock_latches_low(void **) {
    Bench b;
    assert_int_equal(b.get(0x40C), 1);
    b.mac.set_link(false);
    assert_int_equal(b.get(0x40C), 0);
    assert_int_equal(b.get(0x40C), 0);
    b.mac.set_link(true);
    assert_int_equal(b.get(0x40C), 0); // it was lost since the last read
    assert_int_equal(b.get(0x40C), 1);
    b.mac.set_link(false);
    b.mac.set_link(true);
    assert_int_equal(b.get(0x40C), 0);
    assert_int_equal(b.get(0x40C), 1);
}

void rx_status_latches_both_ways(void **) {
    Bench b;
    assert_int_equal(b.get(0x404), 0x000); // documented default 0
    assert_int_equal(b.get(0x404), 0x001);
    b.mac.set_link(false);
    b.mac.set_link(true);
    assert_int_equal(b.get(0x404), 0x0C0); // good lost, local faults seen
    assert_int_equal(b.get(0x404), 0x001);
}

void gt_reset_loses_lock(void **) {
    Bench b;
    b.set(0x000, 1);
    b.set(0x000, 0);
    assert_int_equal(b.get(0x40C), 0);
    assert_int_equal(b.get(0x40C), 1);
    assert_int_equal(b.get(0x404) & 1, 0);
    assert_int_equal(b.get(0x404) & 1, 1);
}

void serdes_reset_holds_lock_down(void **) {
    Bench b;
    b.set(0x004, 1);
    assert_int_equal(b.get(0x40C), 0);
    assert_int_equal(b.get(0x40C), 0);
    assert_false(b.mac.receive(plain_frame(64)).deliver);
    b.set(0x004, 0);
    (void)b.get(0x40C);
    assert_int_equal(b.get(0x40C), 1);
}

void speed_register(void **) {
    eoe::Config config = eoe::default_config();
    assert_int_equal(Bench(config).get(0x498), 1);
    config.mac_25g = true;
    assert_int_equal(Bench(config).get(0x498), 0);
}

void autonegotiation(void **) {
    Bench b;
    b.set(0x0F8, 0x6);
    b.set(0x0E4, 0x1);
    b.set(0x0E0, 0x16D); // linux-xlnx: enable, no bypass, seed 0x5B
    assert_int_equal(b.get(0x458), 1U << 2 | 1U << 4 | 1U << 5 | 1U << 6 | 1U << 7 | 1U << 8);
    assert_int_equal(b.get(0x45C), 0x6);
    b.mac.set_link(false);
    (void)b.get(0x458);
    assert_int_equal(b.get(0x458), 0);
    b.mac.set_link(true);
    b.set(0x0E0, 0x1); // a zero seed never gets there
    (void)b.get(0x458);
    assert_int_equal(b.get(0x458), 0);
    b.set(0x0E0, 0x16F); // bypass
    assert_int_equal(b.get(0x458), 0);
    assert_int_equal(b.get(0x40C) | b.get(0x40C), 1); // the link does not depend on it
}

void link_training(void **) {
    Bench b;
    assert_int_equal(b.get(0x46C), 0);
    b.set(0x100, 1);
    assert_int_equal(b.get(0x46C), 1);
    assert_int_equal(b.get(0x468), 0x10000);
    b.mac.set_link(false);
    assert_int_equal(b.get(0x46C), 0);
}

// Receive

void receive_strips_and_counts_fcs(void **) {
    Bench b;
    const auto r = b.mac.receive(plain_frame(100));
    assert_true(r.deliver);
    assert_false(r.bad);
    assert_int_equal(r.data.size(), 100);
    b.tick();
    assert_int_equal(b.stat(0x808), 1);
    assert_int_equal(b.stat(0x810), 1);
    assert_int_equal(b.stat(0x818), 104);
    assert_int_equal(b.stat(0x820), 104);
    assert_int_equal(b.stat(0x830), 1); // 65..127
    assert_int_equal(b.stat(0x8D8), 1); // unicast
}

void receive_keeps_fcs_when_told(void **) {
    Bench b;
    b.set(0x014, 0x31); // delete_fcs off
    const auto r = b.mac.receive(kKnownFrame);
    assert_true(r.deliver);
    const Bytes expected = with_fcs(kKnownFrame);
    assert_string_equal(oracle::difference(expected, {r.data.begin(), r.data.end()}).c_str(), "");
    // The worked example everyone checks a CRC with.
    const Bytes digits = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
    assert_int_equal(crc_by_division(digits), 0xCBF43926);
}

void receive_disabled_is_silent(void **) {
    Bench b;
    b.set(0x014, 0x32);
    assert_false(b.mac.receive(plain_frame(100)).deliver);
    b.tick();
    for (std::uint32_t offset = 0x808; offset <= 0x918; offset += 8) {
        assert_int_equal(b.stat(offset), 0);
    }
    b.set(0x014, 0x33);
    b.mac.set_link(false);
    assert_false(b.mac.receive(plain_frame(100)).deliver);
    b.tick();
    assert_int_equal(b.stat(0x808), 0);
}

void histogram_edges(void **) {
    static constexpr struct {
        std::size_t bytes; // with FCS
        std::uint32_t rx_bin;
    } edges[] = {{64, 0x828},   {65, 0x830},   {127, 0x830},  {128, 0x838},  {255, 0x838},
                 {256, 0x840},  {511, 0x840},  {512, 0x848},  {1023, 0x848}, {1024, 0x850},
                 {1518, 0x850}, {1519, 0x858}, {1522, 0x858}, {1523, 0x860}, {1548, 0x860},
                 {1549, 0x868}, {2047, 0x868}, {2048, 0x870}, {4095, 0x870}, {4096, 0x878},
                 {8191, 0x878}, {8192, 0x880}, {9215, 0x880}, {9216, 0x890}};
    for (const auto &edge : edges) {
        Bench b;
        assert_true(b.mac.receive(plain_frame(edge.bytes - 4)).deliver);
        assert_int_equal(b.mac.transmit(plain_frame(edge.bytes - 4)).size(), edge.bytes - 4);
        b.tick();
        for (std::uint32_t bin = 0x828; bin <= 0x890; bin += 8) {
            assert_int_equal(b.stat(bin), bin == edge.rx_bin ? 1 : 0);
            // TX has the same order 0x108 below.
            assert_int_equal(b.stat(bin - 0x108), bin == edge.rx_bin ? 1 : 0);
        }
    }
}

void receive_length_limits(void **) {
    Bench b;
    assert_true(b.mac.receive(plain_frame(9596)).deliver);
    assert_false(b.mac.receive(plain_frame(9597)).deliver);
    b.tick();
    assert_int_equal(b.stat(0x808), 2);
    assert_int_equal(b.stat(0x810), 1);
    assert_int_equal(b.stat(0x8A8), 1); // oversize
    assert_int_equal(b.stat(0x910), 1); // truncated
    assert_int_equal(b.stat(0x890), 2); // large, good and bad

    assert_false(b.mac.receive(plain_frame(59)).deliver);
    b.tick();
    assert_int_equal(b.stat(0x808), 1);
    assert_int_equal(b.stat(0x888), 1); // small
    assert_int_equal(b.stat(0x898), 1); // undersize
    assert_int_equal(b.stat(0x8D8), 0);

    b.set(0x018, 1518U << 16 | 100);
    assert_true(b.mac.receive(plain_frame(1514)).deliver);
    assert_false(b.mac.receive(plain_frame(1515)).deliver);
    assert_true(b.mac.receive(plain_frame(96)).deliver);
    assert_false(b.mac.receive(plain_frame(95)).deliver);
    b.tick();
    assert_int_equal(b.stat(0x810), 2);
    assert_int_equal(b.stat(0x898), 1);
    assert_int_equal(b.stat(0x8A8), 1);
    assert_int_equal(b.stat(0x890), 0);
}

void bad_frames_can_be_delivered(void **) {
    eoe::Config config = eoe::default_config();
    config.deliver_bad_frames = true;
    Bench b(config);
    const auto runt = b.mac.receive(plain_frame(40));
    assert_true(runt.deliver && runt.bad);
    assert_int_equal(runt.data.size(), 40);
    const auto tiny = b.mac.receive(plain_frame(3)); // 7 bytes: no FCS is cut off
    assert_true(tiny.deliver && tiny.bad);
    assert_int_equal(tiny.data.size(), 7);
    const auto empty = b.mac.receive({});
    assert_true(empty.deliver && empty.bad);
    assert_int_equal(empty.data.size(), 4);
}

void address_and_type_counters(void **) {
    Bench b;
    Bytes unicast = plain_frame(100);
    Bytes multicast = unicast;
    multicast[0] = 0x33;
    Bytes broadcast = unicast;
    std::fill_n(broadcast.begin(), 6, 0xFF);
    Bytes vlan = unicast;
    vlan[12] = 0x81;
    vlan[13] = 0x00;
    Bytes pause = plain_frame(60);
    pause[12] = 0x88;
    pause[13] = 0x08;
    for (const Bytes &frame : {unicast, multicast, broadcast, vlan, pause}) {
        assert_true(b.mac.receive(frame).deliver);
        assert_true(!b.mac.transmit(frame).empty());
    }
    b.tick();
    assert_int_equal(b.stat(0x8D8), 3);
    assert_int_equal(b.stat(0x8E0), 1);
    assert_int_equal(b.stat(0x8E8), 1);
    assert_int_equal(b.stat(0x8F0), 1);
    assert_int_equal(b.stat(0x8F8), 1);
    assert_int_equal(b.stat(0x7D0), 3);
    assert_int_equal(b.stat(0x7D8), 1);
    assert_int_equal(b.stat(0x7E0), 1);
    assert_int_equal(b.stat(0x7E8), 1);
    assert_int_equal(b.stat(0x7F0), 1);
}

void pause_frames_are_consumed_when_enabled(void **) {
    Bench b;
    Bytes pause = plain_frame(60);
    pause[12] = 0x88;
    pause[13] = 0x08;
    b.set(0x094, 0x100);
    assert_false(b.mac.receive(pause).deliver);
    b.set(0x094, 0x300); // forward
    assert_true(b.mac.receive(pause).deliver);
    b.tick();
    assert_int_equal(b.stat(0x8F8), 2);
    pause.resize(61); // a control frame of the wrong length is bad
    assert_false(b.mac.receive(pause).deliver);
    b.tick();
    assert_int_equal(b.stat(0x808), 1);
    assert_int_equal(b.stat(0x810), 0);
}

void length_field_error_is_counted(void **) {
    Bench b;
    Bytes frame = plain_frame(114);
    frame[12] = 0;
    frame[13] = 100;
    assert_true(b.mac.receive(frame).deliver);
    frame[13] = 99;
    assert_true(b.mac.receive(frame).deliver);
    b.tick();
    assert_int_equal(b.stat(0x908), 1);
    assert_int_equal(b.stat(0x810), 2);
}

// Transmit

void transmit_appends_fcs_in_the_counters(void **) {
    Bench b;
    assert_int_equal(b.mac.transmit(plain_frame(60)).size(), 60);
    b.tick();
    assert_int_equal(b.stat(0x700), 1);
    assert_int_equal(b.stat(0x708), 1);
    assert_int_equal(b.stat(0x710), 64);
    assert_int_equal(b.stat(0x718), 64);
    assert_int_equal(b.stat(0x720), 1);
}

void transmit_checks_fcs_from_the_stream(void **) {
    Bench b;
    b.set(0x00C, 0x3001); // no insertion
    Bytes stream = with_fcs(kKnownFrame);
    const auto out = b.mac.transmit(stream);
    assert_string_equal(oracle::difference(kKnownFrame, {out.begin(), out.end()}).c_str(), "");
    stream[20] ^= 1;
    assert_true(b.mac.transmit(stream).empty());
    b.tick();
    assert_int_equal(b.stat(0x700), 2);
    assert_int_equal(b.stat(0x708), 1);
    assert_int_equal(b.stat(0x7B8), 1);
    assert_int_equal(b.stat(0x6A0), 1);
    b.set(0x00C, 0x3005); // ignore_fcs: not counted, still no use to a receiver
    assert_true(b.mac.transmit(stream).empty());
    b.tick();
    assert_int_equal(b.stat(0x7B8), 0);
    for (std::size_t bytes = 0; bytes < 8; ++bytes) {
        assert_true(b.mac.transmit(std::span{stream}.first(bytes)).empty());
    }
}

void transmit_runts_do_not_arrive(void **) {
    Bench b;
    assert_true(b.mac.transmit(plain_frame(59)).empty());
    assert_true(b.mac.transmit({}).empty());
    b.tick();
    assert_int_equal(b.stat(0x700), 2);
    assert_int_equal(b.stat(0x708), 0);
    assert_int_equal(b.stat(0x780), 2); // small
}

void transmitter_states(void **) {
    Bench b;
    assert_true(b.mac.tx_open());
    for (const std::uint32_t config : {0x3002U, 0x300BU, 0x3013U, 0x3023U}) {
        b.set(0x00C, config);
        assert_false(b.mac.tx_open());
    }
    b.set(0x00C, 0x3003);
    assert_true(b.mac.tx_open());
    for (const std::uint32_t reset : {0x20000000U, 0x80000000U}) {
        b.set(0x004, reset);
        assert_false(b.mac.tx_open());
    }
    b.set(0x004, 0);
    assert_true(b.mac.tx_open());
}

// Statistics as a whole

void ticks_give_deltas(void **) {
    Bench b;
    assert_int_equal(b.stat(0x808), 0);
    (void)b.mac.receive(plain_frame(60));
    (void)b.mac.receive(plain_frame(60));
    assert_int_equal(b.stat(0x808), 0); // not before the tick
    b.tick();
    assert_int_equal(b.stat(0x808), 2);
    assert_int_equal(b.stat(0x808), 2); // as often as you like
    (void)b.mac.receive(plain_frame(60));
    b.tick();
    assert_int_equal(b.stat(0x808), 1);
    b.tick();
    assert_int_equal(b.stat(0x808), 0);
}

void tick_register_needs_mode(void **) {
    Bench b;
    b.set(0x008, 0x3); // pm_tick pin
    (void)b.mac.receive(plain_frame(60));
    b.tick();
    assert_int_equal(b.stat(0x808), 0);
    b.set(0x008, 0x40000003);
    b.tick();
    assert_int_equal(b.stat(0x808), 1);
}

void resets_clear_their_half(void **) {
    static constexpr struct {
        std::uint32_t reset;
        std::uint64_t tx, rx;
    } cases[] = {{0x80000000, 0, 1}, {0x40000000, 1, 0}, {0xC0000000, 0, 0}};
    for (const auto &c : cases) {
        Bench b;
        (void)b.mac.receive(plain_frame(60));
        (void)b.mac.transmit(plain_frame(60));
        b.set(0x004, c.reset);
        b.set(0x004, 0);
        b.tick();
        assert_int_equal(b.stat(0x700), c.tx);
        assert_int_equal(b.stat(0x808), c.rx);
    }
}

void rx_reset_clears_rx_status(void **) {
    Bench b;
    b.mac.set_link(false);
    b.mac.set_link(true);
    b.set(0x004, 0x40000000);
    b.set(0x004, 0);
    assert_int_equal(b.get(0x404) & 1, 0);
    assert_int_equal(b.get(0x404), 1);
}

void datapath_reset_keeps_the_configuration(void **) {
    Bench b;
    b.set(0x018, 0x05F20040);
    (void)b.mac.receive(plain_frame(60));
    (void)b.mac.transmit(plain_frame(60));
    b.mac.datapath_reset();
    b.tick();
    assert_int_equal(b.stat(0x700), 0);
    assert_int_equal(b.stat(0x808), 0);
    assert_int_equal(b.get(0x018), 0x05F20040);
}

void counters_saturate(void **) {
    eoe::xxv::Stats stats;
    stats.add(eoe::xxv::Stat::rx_bytes, 0xFFFFFFFFFFF0);
    stats.add(eoe::xxv::Stat::rx_bytes, 0x20);
    stats.tick(eoe::Nanos{0}, false);
    assert_int_equal(stats.read(0x818), 0xFFFFFFFF);
    assert_int_equal(stats.read(0x81C), 0xFFFF);
    stats.add(eoe::xxv::Stat::rx_bytes, ~std::uint64_t{0});
    stats.add(eoe::xxv::Stat::rx_bytes, ~std::uint64_t{0});
    stats.tick(eoe::Nanos{0}, false);
    assert_int_equal(stats.read(0x81C), 0xFFFF);
}

void cycle_counter(void **) {
    Bench b;
    b.tick();
    b.m.time += std::chrono::milliseconds{1};
    b.tick();
    assert_int_equal(b.stat(0x500), 156250);
    eoe::Config config = eoe::default_config();
    config.mac_25g = true;
    Bench fast(config);
    fast.tick();
    fast.m.time += std::chrono::milliseconds{1};
    fast.tick();
    assert_int_equal(fast.stat(0x500), 390625);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(reset_values_and_masks),
        cmocka_unit_test(unmapped_offsets_answer_as_mode_says),
        cmocka_unit_test(every_offset_answers),
        cmocka_unit_test(gt_reset_pulse),
        cmocka_unit_test(gt_reset_clears_itself),
        cmocka_unit_test(gt_reset_halves),
        cmocka_unit_test(old_cores_have_no_gt_status),
        cmocka_unit_test(block_lock_latches_low),
        cmocka_unit_test(rx_status_latches_both_ways),
        cmocka_unit_test(gt_reset_loses_lock),
        cmocka_unit_test(serdes_reset_holds_lock_down),
        cmocka_unit_test(speed_register),
        cmocka_unit_test(autonegotiation),
        cmocka_unit_test(link_training),
        cmocka_unit_test(receive_strips_and_counts_fcs),
        cmocka_unit_test(receive_keeps_fcs_when_told),
        cmocka_unit_test(receive_disabled_is_silent),
        cmocka_unit_test(histogram_edges),
        cmocka_unit_test(receive_length_limits),
        cmocka_unit_test(bad_frames_can_be_delivered),
        cmocka_unit_test(address_and_type_counters),
        cmocka_unit_test(pause_frames_are_consumed_when_enabled),
        cmocka_unit_test(length_field_error_is_counted),
        cmocka_unit_test(transmit_appends_fcs_in_the_counters),
        cmocka_unit_test(transmit_checks_fcs_from_the_stream),
        cmocka_unit_test(transmit_runts_do_not_arrive),
        cmocka_unit_test(transmitter_states),
        cmocka_unit_test(ticks_give_deltas),
        cmocka_unit_test(tick_register_needs_mode),
        cmocka_unit_test(resets_clear_their_half),
        cmocka_unit_test(rx_reset_clears_rx_status),
        cmocka_unit_test(datapath_reset_keeps_the_configuration),
        cmocka_unit_test(counters_saturate),
        cmocka_unit_test(cycle_counter),
    };
    return unit::run_group("xxv", tests);
}
