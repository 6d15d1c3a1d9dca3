// SPDX-License-Identifier: GPL-2.0-or-later
//
// Transmit half of the MCDMA: what leaves, when, from which channel, and what
// the descriptors say afterwards.
#include "harness.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <cstring>

namespace {

using namespace unit;

constexpr std::uint32_t kBdStatus = 0x1C;

eoe::Config without_engine() {
    eoe::Config config = eoe::default_config();
    config.eoe = false;
    return config;
}

Bytes from_to(const Bytes &bytes, std::size_t from, std::size_t to) {
    return {bytes.begin() + static_cast<std::ptrdiff_t>(from),
            bytes.begin() + static_cast<std::ptrdiff_t>(to)};
}

void one_descriptor_packet(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    const Bytes frame = plain_frame(100);
    send(m, 1, ring, 0, frame);
    assert_int_equal(m.sent.size(), 1);
    assert_string_equal(oracle::difference(frame, m.sent[0]).c_str(), "");
    assert_int_equal(ring.get(0, kBdStatus), 0x80000064);
    assert_int_equal(m.dma(mm2s(1, 0x18)), 1); // PKTCOUNT
    assert_int_equal(m.dma(0x0C), 0x1);        // CHSER
    assert_int_equal(m.dma(0x20), 0x1);        // CHANNELS_SERVICED ...
    assert_int_equal(m.dma(0x20), 0x0);        // ... cleared by the read
    assert_false(m.deadline_not_ahead);
}

void three_descriptors_one_frame_one_interrupt(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    const Bytes frame = plain_frame(300);
    ring.transmit(0, from_to(frame, 0, 14), kSof, 0, kApp1Untouched);
    ring.transmit(1, from_to(frame, 14, 114), 0);
    ring.transmit(2, from_to(frame, 114, 300), kEof);
    m.dma64(mm2s(1, kTail), ring.bd(2));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_string_equal(oracle::difference(frame, m.sent[0]).c_str(), "");
    assert_int_equal(ring.get(0, kBdStatus), 0x80000000 | 14);
    assert_int_equal(ring.get(1, kBdStatus), 0x80000000 | 100);
    assert_int_equal(ring.get(2, kBdStatus), 0x80000000 | 186);
    assert_int_equal(m.dma(mm2s(1, kSr)) & 0xFF, 0x21); // IOC and idle
    assert_int_equal(m.irq_changes, 1);
    assert_int_equal(m.dma(kMm2sCsr), 0x2);
    assert_int_equal(m.dma(mm2s(1, 0x18)), 1);
}

void app_words_come_from_the_first_descriptor(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    oracle::Datagram g;
    g.payload.assign(100, 0x5A);
    Bytes frame = oracle::frame_of(g);
    frame[40] ^= 0xFF; // the UDP checksum is to be made right
    ring.transmit(0, from_to(frame, 0, 60), kSof, 0, kApp1Checksum);
    ring.transmit(1, from_to(frame, 60, frame.size()), kEof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), ring.bd(1));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_string_equal(oracle::difference(oracle::frame_of(g), m.sent[0]).c_str(), "");
}

void wide_pointers_trigger_on_the_upper_half(void **) {
    Machine m; // 40 bits
    const Ring ring{m, kRamHigh + 0x2000, kRamHigh + 0x100000, 0x1000, 8};
    ring.link();
    m.dma(kMm2sChen, 1);
    m.dma64(mm2s(1, kCur), ring.bd(0));
    m.dma(mm2s(1, kCr), kCrRun);
    m.dma(kMm2sCcr, 1);
    ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    m.dma(mm2s(1, kTail), static_cast<std::uint32_t>(ring.bd(0)));
    m.settle();
    assert_int_equal(m.sent.size(), 0);
    assert_int_equal(m.dma(mm2s(1, kSr)) & 1, 1);
    m.dma(mm2s(1, kTail + 4), static_cast<std::uint32_t>(ring.bd(0) >> 32));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_int_equal(m.dma(mm2s(1, kCur)), static_cast<std::uint32_t>(ring.bd(0)));
    assert_int_equal(m.dma(mm2s(1, kCur + 4)), 0x8);
    // A later tail whose low half alone has been written moves nothing.
    ring.transmit(1, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), ring.bd(1));
    m.settle();
    assert_int_equal(m.sent.size(), 2);
}

void narrow_pointers_trigger_on_the_lower_half(void **) {
    eoe::Config config = eoe::default_config();
    config.addr_width = 32;
    Machine m(config);
    const Ring ring = tx_ring(m);
    ring.link();
    for (unsigned i = 0; i < ring.count; ++i) {
        ring.set(i, 0x04, 0xDEAD); // not wired
        ring.set(i, 0x0C, 0xBEEF);
    }
    m.dma(kMm2sChen, 1);
    m.dma(mm2s(1, kCur), static_cast<std::uint32_t>(ring.bd(0)));
    m.dma(mm2s(1, kCr), kCrRun);
    m.dma(kMm2sCcr, 1);
    ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    ring.transmit(1, plain_frame(65), kSof | kEof, 0, kApp1Untouched);
    m.dma(mm2s(1, kTail), static_cast<std::uint32_t>(ring.bd(1)));
    m.settle();
    assert_int_equal(m.sent.size(), 2);
    m.dma(mm2s(1, kTail + 4), 0); // harmless
    m.settle();
    assert_int_equal(m.sent.size(), 2);
    assert_int_equal(m.dma(mm2s(1, kTail + 4)), 0);
    assert_int_equal(m.dma(kMm2sErr), 0);
}

// The orders of PG288, linux-xlnx, mainline dmaengine, embeddedsw and U-Boot.
void five_bring_up_orders(void **) {
    for (int order = 0; order < 5; ++order) {
        Machine m;
        const Ring ring = tx_ring(m);
        ring.link();
        ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
        const std::uint32_t irq = kCrRun & ~1U;
        const auto cur = [&] { m.dma64(mm2s(1, kCur), ring.bd(0)); };
        const auto tail = [&] { m.dma64(mm2s(1, kTail), ring.bd(0)); };
        switch (order) {
        case 0:
            m.dma(kMm2sChen, 1);
            cur();
            m.dma(mm2s(1, kCr), 1);
            m.dma(kMm2sCcr, 1);
            m.dma(mm2s(1, kCr), kCrRun);
            tail();
            break;
        case 1:
            m.dma(mm2s(1, kCr), irq);
            cur();
            m.dma(kMm2sCcr, 1);
            m.dma(mm2s(1, kCr), m.dma(mm2s(1, kCr)) | 1);
            m.dma(kMm2sChen, 1);
            tail();
            break;
        case 2:
            m.dma(mm2s(1, kCr), irq);
            cur();
            m.dma(kMm2sChen, 1);
            m.dma(mm2s(1, kCr), m.dma(mm2s(1, kCr)) | 1);
            m.dma(kMm2sCcr, 1);
            assert_int_equal(m.dma(kMm2sCsr) & 1, 0);
            tail();
            break;
        case 3:
            cur();
            m.dma(kMm2sCcr, 1);
            assert_int_equal(m.dma(kMm2sCsr) & 1, 0);
            m.dma(mm2s(1, kCr), kCrRun);
            tail();
            m.settle();
            assert_int_equal(m.sent.size(), 0);
            m.dma(kMm2sChen, 1);
            break;
        default:
            m.dma(kMm2sChen, 1);
            cur();
            m.dma(kMm2sCcr, 1);
            m.dma(mm2s(1, kCr), irq);
            m.dma(mm2s(1, kCr), m.dma(mm2s(1, kCr)) | 1);
            tail();
            break;
        }
        m.settle();
        assert_int_equal(m.sent.size(), 1);
        assert_int_equal(m.dma(kMm2sCsr), 0x2);
        assert_int_equal(m.errors.size(), 0);
    }
}

void u_boot_restarts_a_channel_without_reset(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 1, 2);
    ring.link();
    start_tx(m, 1, ring);
    for (int round = 0; round < 3; ++round) {
        m.dma(mm2s(1, kSr), 0xF8);
        m.dma(mm2s(1, kCr), kCrRun & ~1U);
        assert_int_equal(m.dma(mm2s(1, kSr)) & 1, 1);
        ring.transmit(0, plain_frame(64), kSof, 0, kApp1Untouched);
        ring.transmit(1, plain_frame(64), kEof);
        m.dma64(mm2s(1, kCur), ring.bd(0));
        m.dma(mm2s(1, kCr), kCrRun);
        m.dma64(mm2s(1, kTail), ring.bd(1));
        m.settle();
        assert_int_equal(m.sent.size(), round + 1);
        assert_int_equal(m.sent.back().size(), 128);
    }
}

void tail_without_run_only_records(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    m.dma(kMm2sChen, 1);
    m.dma64(mm2s(1, kCur), ring.bd(0));
    m.dma(kMm2sCcr, 1);
    m.dma64(mm2s(1, kTail), ring.bd(0));
    m.dma(mm2s(1, kCr), kCrRun);
    m.settle();
    assert_int_equal(m.sent.size(), 0);
    m.dma64(mm2s(1, kTail), ring.bd(0));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
}

void tail_before_common_run_starts_with_it(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    m.dma(kMm2sChen, 1);
    m.dma64(mm2s(1, kCur), ring.bd(0));
    m.dma(mm2s(1, kCr), kCrRun);
    m.dma64(mm2s(1, kTail), ring.bd(0));
    m.settle();
    assert_int_equal(m.sent.size(), 0);
    m.dma(kMm2sCcr, 1);
    m.settle();
    assert_int_equal(m.sent.size(), 1);
}

void disabled_channel_waits(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    m.dma(kMm2sChen, 0);
    send(m, 1, ring, 0, plain_frame(64));
    assert_int_equal(m.sent.size(), 0);
    assert_int_equal(ring.get(0, kBdStatus), 0);
    m.dma(kMm2sChen, 1);
    m.settle();
    assert_int_equal(m.sent.size(), 1);
}

void disabling_a_channel_waits_for_the_packet_in_hand(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    const Bytes frame = plain_frame(100);
    ring.transmit(0, std::span{frame}.first(60), kSof, 0, kApp1Untouched);
    ring.transmit(1, std::span{frame}.subspan(60), kEof);
    ring.transmit(2, frame, kSof | kEof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), ring.bd(0));
    m.settle();
    m.dma(kMm2sChen, 0);
    m.dma64(mm2s(1, kTail), ring.bd(2));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_string_equal(oracle::difference(frame, m.sent[0]).c_str(), "");
    m.dma(kMm2sChen, 1);
    m.settle();
    assert_int_equal(m.sent.size(), 2);
}

void halt_and_resume_of_the_direction(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    m.dma(kMm2sCcr, 0);
    assert_int_equal(m.dma(kMm2sCsr), 0x1);
    send(m, 1, ring, 0, plain_frame(64));
    assert_int_equal(m.sent.size(), 0);
    m.dma(kMm2sCcr, 1);
    m.settle();
    assert_int_equal(m.sent.size(), 1);
}

void csr_after_run_without_tail(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    assert_int_equal(m.dma(kMm2sCsr), 0x1);
    start_tx(m, 1, ring);
    assert_int_equal(m.dma(kMm2sCsr) & 1, 0);
    assert_int_equal(m.dma(mm2s(1, kSr)) & 1, 1);
}

void current_descriptor_is_locked_while_running(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    m.dma(mm2s(1, kCur), 0x12345640);
    assert_int_equal(m.dma(mm2s(1, kCur)), static_cast<std::uint32_t>(ring.bd(0)));
    assert_int_equal(m.errors.size(), 1);
    assert_non_null(strstr(m.errors[0].c_str(), "CURDESC"));
}

// Markers

void second_sof_starts_over(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    ring.transmit(0, plain_frame(50), kSof, 0, kApp1Untouched);
    ring.transmit(1, plain_frame(70), kSof | kEof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), ring.bd(1));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_int_equal(m.sent[0].size(), 70);
    assert_int_equal(m.errors.size(), 1);
    assert_int_equal(ring.get(0, kBdStatus), 0x80000000 | 50);
}

void packet_without_sof_is_dropped(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    ring.transmit(0, plain_frame(50), 0);
    ring.transmit(1, plain_frame(50), kEof);
    ring.transmit(2, plain_frame(70), kSof | kEof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), ring.bd(2));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_int_equal(m.sent[0].size(), 70);
    assert_int_equal(m.errors.size(), 1);
    assert_int_equal(ring.get(1, kBdStatus), 0x80000000 | 50);
    assert_int_equal(m.dma(mm2s(1, 0x18)), 2);
}

void packet_waits_for_its_end_and_holds_the_mover(void **) {
    Machine m;
    const Ring one = tx_ring(m, 1);
    const Ring two = tx_ring(m, 2);
    one.link();
    two.link();
    start_tx(m, 1, one);
    start_tx(m, 2, two);
    one.transmit(0, plain_frame(64), kSof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), one.bd(0));
    m.settle();
    assert_int_equal(m.dma(mm2s(1, kSr)) & 1, 1);
    send(m, 2, two, 0, plain_frame(80));
    assert_int_equal(m.sent.size(), 0);
    one.transmit(1, plain_frame(10), kEof);
    m.dma64(mm2s(1, kTail), one.bd(1));
    m.settle();
    assert_int_equal(m.sent.size(), 2);
    assert_int_equal(m.sent[0].size(), 74);
    assert_int_equal(m.sent[1].size(), 80);
}

void stopping_a_channel_frees_the_mover(void **) {
    Machine m;
    const Ring one = tx_ring(m, 1);
    const Ring two = tx_ring(m, 2);
    one.link();
    two.link();
    start_tx(m, 1, one);
    start_tx(m, 2, two);
    one.transmit(0, plain_frame(64), kSof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), one.bd(0));
    m.settle();
    send(m, 2, two, 0, plain_frame(80));
    m.dma(mm2s(1, kCr), kCrRun & ~1U);
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_int_equal(m.sent[0].size(), 80);
}

void packet_longer_than_the_gather_buffer(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 0x10000, 8};
    ring.link();
    start_tx(m, 1, ring);
    const Bytes piece(0x10000, 0xAA);
    for (unsigned i = 0; i < 5; ++i) {
        ring.transmit(i, piece, i == 0 ? kSof : i == 4 ? kEof : 0, 0, kApp1Untouched);
    }
    ring.transmit(5, plain_frame(70), kSof | kEof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), ring.bd(5));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_int_equal(m.sent[0].size(), 70);
    assert_int_equal(m.eoe_reg(0x04), 1);
    assert_int_equal(ring.get(4, kBdStatus), 0x80010000);
}

void longest_length_field_is_not_followed(void **) {
    eoe::Config config = eoe::default_config();
    config.sg_length_width = 26;
    Machine m(config);
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    ring.set(0, 0x14, kSof | kEof | 0x03FFFFFF);
    m.dma64(mm2s(1, kTail), ring.bd(0));
    m.settle();
    assert_int_equal(m.sent.size(), 0);
    assert_int_equal(m.eoe_reg(0x04), 1);
    assert_int_equal(m.dma(kMm2sErr), 0);
}

void frame_longer_than_the_wire_takes(void **) {
    Machine m(without_engine());
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 0x8000, 8};
    ring.link();
    start_tx(m, 1, ring);
    send(m, 1, ring, 0, plain_frame(16384));
    assert_int_equal(m.sent.size(), 1);
    send(m, 1, ring, 1, plain_frame(16385));
    assert_int_equal(m.sent.size(), 1);
    m.tick();
    assert_int_equal(m.stat(0x700), 2);
    assert_int_equal(m.stat(0x708), 1);
    assert_int_equal(m.stat(0x6A0), 1);
}

// Back-pressure and scheduling

void full_wire_pauses(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    m.wire_full = true;
    for (unsigned i = 0; i < 4; ++i) {
        ring.transmit(i, plain_frame(64 + i), kSof | kEof, 0, kApp1Untouched);
    }
    m.dma64(mm2s(1, kTail), ring.bd(3));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_int_equal(ring.get(1, kBdStatus), 0); // not touched while the wire is full
    m.wire_full = false;
    m.port->tx_ready();
    m.settle();
    assert_int_equal(m.sent.size(), 4);
}

/// Give every channel 1..count eight packets whose length names the channel
/// and return the order in which the channels were served.
std::vector<unsigned> service_order(std::uint32_t schedule, std::uint32_t weights, unsigned count) {
    Machine m;
    m.dma(0x14, schedule);
    m.dma(0x18, weights);
    m.dma(kMm2sCcr, 1);
    m.dma(kMm2sChen, 0);
    for (unsigned n = 1; n <= count; ++n) {
        const Ring ring = tx_ring(m, n);
        ring.link();
        for (unsigned i = 0; i < 8; ++i) {
            ring.transmit(i, plain_frame(100 + n), kSof | kEof, 0, kApp1Untouched);
        }
        m.dma64(mm2s(n, kCur), ring.bd(0));
        m.dma(mm2s(n, kCr), kCrRun);
        m.dma64(mm2s(n, kTail), ring.bd(7));
    }
    m.settle();
    assert_int_equal(m.sent.size(), 0);
    m.dma(kMm2sChen, 0xFFFF);
    m.settle();
    assert_int_equal(m.sent.size(), 8 * count);
    std::vector<unsigned> order;
    for (const Bytes &frame : m.sent) {
        order.push_back(static_cast<unsigned>(frame.size()) - 100);
    }
    return order;
}

void expect_order(const std::vector<unsigned> &order, std::initializer_list<unsigned> head) {
    std::size_t i = 0;
    for (const unsigned channel : head) {
        assert_int_equal(order[i++], channel);
    }
}

void fixed_priority(void **) {
    const auto order = service_order(0, 0, 3);
    expect_order(order, {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3});
    expect_order(service_order(3, 0, 2), {1, 1, 1, 1, 1, 1, 1, 1, 2}); // reserved code
}

void weighted_round_robin(void **) {
    expect_order(service_order(1, 0x213, 3), {1, 1, 1, 2, 3, 3, 1, 1, 1, 2, 3, 3, 1, 1, 2, 3, 3});
    expect_order(service_order(1, 0, 3), {1, 2, 3, 1, 2, 3}); // weight 0 counts as 1
}

void weighted_round_robin_with_priority(void **) {
    expect_order(service_order(2, 0x213, 3), {1, 1, 1, 2, 3, 3, 1, 1, 1, 2, 3, 3});
}

void all_sixteen_channels(void **) {
    Machine m;
    for (unsigned n = 1; n <= 16; ++n) {
        const Ring ring{m, kRam + 0x2000ULL * n, kRam + 0x100000 + 0x1000ULL * n, 0x1000, 1};
        ring.link();
        start_tx(m, n, ring);
        send(m, n, ring, 0, plain_frame(63 + n));
        assert_int_equal(m.sent.size(), n);
        assert_true(m.irq(eoe::Dir::mm2s, n));
        assert_int_equal(m.dma(0x0C), 1U << (n - 1));
    }
    assert_int_equal(m.dma(0x28), 0xFFFF);
    assert_int_equal(m.dma(0x20), 0xFFFF);
}

void packet_count_wraps(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 1, 1);
    ring.link();
    start_tx(m, 1, ring);
    for (unsigned i = 0; i < 0x10001; ++i) {
        send(m, 1, ring, 0, plain_frame(64));
        m.sent.clear();
    }
    assert_int_equal(m.dma(mm2s(1, 0x18)), 1);
}

void halting_a_stopped_channels_direction_forgets_its_packet(void **) {
    for (const bool direction_first : {false, true}) {
        Machine m;
        const Ring old{m, kRam + 0x2000, kRam + 0x100000, 64, 600};
        const Ring fresh{m, kRam + 0x40000, kRam + 0x380000, 256, 4};
        old.link();
        fresh.link();
        for (unsigned i = 0; i < 600; ++i) {
            old.transmit(i, Bytes(1, 0x55), i == 0 ? kSof : (i == 599 ? kEof : 0));
        }
        start_tx(m, 1, old);
        m.dma64(mm2s(1, kTail), old.bd(599));
        m.port->run(); // one slice: the packet is open
        assert_int_equal(old.get(0, 0x1C), 0x80000001);
        assert_int_equal(old.get(599, 0x1C), 0);
        stop_both(m, kMm2sCcr, mm2s(1, kCr), direction_first);
        assert_int_equal(m.dma(mm2s(1, kSr)) & 1, 1);
        m.dma64(mm2s(1, kCur), fresh.bd(0));
        m.dma(kMm2sCcr, 1);
        const std::uint64_t before = m.descriptor_reads;
        m.settle();
        assert_int_equal(m.descriptor_reads, before);
        // Nothing of the old packet is in front of the next one.
        m.dma(mm2s(1, kCr), kCrRun);
        const Bytes frame = plain_frame(100);
        fresh.transmit(0, frame, kSof | kEof, 0, kApp1Untouched);
        m.dma64(mm2s(1, kTail), fresh.bd(0));
        m.settle();
        assert_int_equal(m.sent.size(), 1);
        assert_string_equal(oracle::difference(frame, m.sent[0]).c_str(), "");
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(one_descriptor_packet),
        cmocka_unit_test(three_descriptors_one_frame_one_interrupt),
        cmocka_unit_test(app_words_come_from_the_first_descriptor),
        cmocka_unit_test(wide_pointers_trigger_on_the_upper_half),
        cmocka_unit_test(narrow_pointers_trigger_on_the_lower_half),
        cmocka_unit_test(five_bring_up_orders),
        cmocka_unit_test(u_boot_restarts_a_channel_without_reset),
        cmocka_unit_test(tail_without_run_only_records),
        cmocka_unit_test(tail_before_common_run_starts_with_it),
        cmocka_unit_test(disabled_channel_waits),
        cmocka_unit_test(disabling_a_channel_waits_for_the_packet_in_hand),
        cmocka_unit_test(halt_and_resume_of_the_direction),
        cmocka_unit_test(csr_after_run_without_tail),
        cmocka_unit_test(current_descriptor_is_locked_while_running),
        cmocka_unit_test(second_sof_starts_over),
        cmocka_unit_test(packet_without_sof_is_dropped),
        cmocka_unit_test(packet_waits_for_its_end_and_holds_the_mover),
        cmocka_unit_test(stopping_a_channel_frees_the_mover),
        cmocka_unit_test(packet_longer_than_the_gather_buffer),
        cmocka_unit_test(longest_length_field_is_not_followed),
        cmocka_unit_test(frame_longer_than_the_wire_takes),
        cmocka_unit_test(full_wire_pauses),
        cmocka_unit_test(fixed_priority),
        cmocka_unit_test(weighted_round_robin),
        cmocka_unit_test(weighted_round_robin_with_priority),
        cmocka_unit_test(all_sixteen_channels),
        cmocka_unit_test(packet_count_wraps),
        cmocka_unit_test(halting_a_stopped_channels_direction_forgets_its_packet),
    };
    return unit::run_group("mm2s", tests);
}
