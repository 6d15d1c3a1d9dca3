// SPDX-License-Identifier: GPL-2.0-or-later
//
// Transmit half of the MCDMA: what leaves, what the descriptors say afterwards,
// and what goes wrong when they are wrong.
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

// Errors. Each halts the direction until a reset.

void expect_halt(Machine &m, std::uint32_t err, unsigned channel) {
    assert_int_equal(m.dma(kMm2sErr), err);
    assert_int_equal(m.dma(kMm2sCcr), 0);
    assert_int_equal(m.dma(kMm2sCsr), 0x1);
    for (unsigned n = 1; n <= 16; ++n) {
        assert_int_equal(m.dma(mm2s(n, kSr)) & 0x88, n == channel ? 0x80 : 0x08);
    }
    assert_true(m.irq(eoe::Dir::mm2s, channel));
    m.dma(kMm2sCcr, 1); // does not help
    assert_int_equal(m.dma(kMm2sCcr), 0);
    m.dma(kMm2sCcr, 4);
    assert_int_equal(m.dma(kMm2sCcr), 0);
    assert_int_equal(m.dma(kMm2sErr), 0);
    assert_int_equal(m.dma(mm2s(channel, kSr)), 0x1);
    assert_false(m.irq(eoe::Dir::mm2s, channel));
    // After the reset it works again.
    const std::size_t before = m.sent.size();
    const Ring ring = tx_ring(m, channel);
    ring.link();
    start_tx(m, channel, ring);
    send(m, channel, ring, 0, plain_frame(80));
    assert_int_equal(m.sent.size(), before + 1);
}

void stale_descriptor(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 3);
    ring.link();
    start_tx(m, 3, ring);
    ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    ring.set(0, kBdStatus, kDone);
    m.dma64(mm2s(3, kTail), ring.bd(0));
    m.settle();
    assert_int_equal(m.sent.size(), 0);
    assert_int_equal(ring.get(0, kBdStatus), kDone);
    expect_halt(m, 0x10, 3);
}

void zero_length(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 2);
    ring.link();
    start_tx(m, 2, ring);
    send(m, 2, ring, 0, {});
    assert_int_equal(ring.get(0, kBdStatus) >> 28 & 1, 1);
    expect_halt(m, 0x01, 2);
}

void length_is_cut_to_the_built_width(void **) {
    eoe::Config config = eoe::default_config();
    config.sg_length_width = 8;
    Machine m(config);
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    ring.transmit(0, plain_frame(100), kSof | kEof, 0, kApp1Untouched);
    ring.set(0, 0x14, kSof | kEof | 0x03FFFF00 | 100);
    m.dma64(mm2s(1, kTail), ring.bd(0));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_int_equal(m.sent[0].size(), 100);
    assert_int_equal(ring.get(0, kBdStatus), 0x80000064);
}

void data_address_errors(void **) {
    static const struct {
        std::uint64_t address;
        std::uint32_t err, bd;
    } cases[] = {{kNowhere, 0x04, 1U << 30}, {kSlaveError, 0x02, 1U << 29}};
    for (const auto &c : cases) {
        Machine m;
        const Ring ring = tx_ring(m, 1);
        ring.link();
        start_tx(m, 1, ring);
        ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
        ring.set(0, 0x08, static_cast<std::uint32_t>(c.address));
        ring.set(0, 0x0C, 0);
        m.dma64(mm2s(1, kTail), ring.bd(0));
        m.settle();
        assert_int_equal(ring.get(0, kBdStatus) & 0x70000000, c.bd);
        expect_halt(m, c.err, 1);
    }
}

void buffer_that_runs_off_the_end_of_memory(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 1);
    ring.link();
    start_tx(m, 1, ring);
    ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    ring.set(0, 0x08, kRam + kRamBytes - 32);
    m.dma64(mm2s(1, kTail), ring.bd(0));
    m.settle();
    expect_halt(m, 0x04, 1);
}

void descriptor_address_errors(void **) {
    static const struct {
        std::uint64_t address;
        std::uint32_t err;
    } cases[] = {{kNowhere, 0x40}, {kSlaveError, 0x20}};
    for (const auto &c : cases) {
        Machine m;
        m.dma(kMm2sChen, 0xFFFF);
        m.dma64(mm2s(5, kCur), c.address);
        m.dma(mm2s(5, kCr), kCrRun);
        m.dma(kMm2sCcr, 1);
        m.dma64(mm2s(5, kTail), c.address);
        m.settle();
        expect_halt(m, c.err, 5);
    }
}

void next_pointer_leads_nowhere(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 1);
    ring.link();
    start_tx(m, 1, ring);
    ring.set(0, 0x00, kNowhere);
    ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), ring.bd(1));
    m.settle();
    assert_int_equal(m.sent.size(), 1); // the good one went out
    expect_halt(m, 0x40, 1);
}

void unaligned_next_pointer_is_cut(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 1);
    ring.link();
    start_tx(m, 1, ring);
    ring.set(0, 0x00, static_cast<std::uint32_t>(ring.bd(1)) | 0x3F);
    ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    ring.transmit(1, plain_frame(65), kSof | kEof, 0, kApp1Untouched);
    m.dma64(mm2s(1, kTail), ring.bd(1));
    m.settle();
    assert_int_equal(m.sent.size(), 2);
    assert_int_equal(m.errors.size(), 1);
}

void dma_into_own_registers_is_refused(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 1);
    ring.link();
    start_tx(m, 1, ring);
    ring.transmit(0, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    ring.set(0, 0x08, kOwnRegisters);
    ring.set(0, 0x0C, 0);
    m.dma64(mm2s(1, kTail), ring.bd(0));
    m.settle();
    assert_int_equal(m.own_register_answer, eoe::Bus::slverr);
    expect_halt(m, 0x02, 1);
}

void without_dre_buffers_must_be_aligned(void **) {
    eoe::Config config = eoe::default_config();
    config.mm2s_dre = false;
    Machine m(config);
    const Ring ring = tx_ring(m, 1);
    ring.link();
    start_tx(m, 1, ring);
    send(m, 1, ring, 0, plain_frame(64));
    assert_int_equal(m.sent.size(), 1);
    ring.transmit(1, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    ring.set(1, 0x08, static_cast<std::uint32_t>(ring.buffer(1)) + 4);
    m.dma64(mm2s(1, kTail), ring.bd(1));
    m.settle();
    assert_int_equal(ring.get(1, kBdStatus) >> 28 & 1, 1);
    expect_halt(m, 0x01, 1);
}

void unaligned_buffer_with_dre(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 1);
    ring.link();
    start_tx(m, 1, ring);
    const Bytes frame = plain_frame(99);
    ring.transmit(0, frame, kSof | kEof, 0, kApp1Untouched);
    m.fill(ring.buffer(0) + 3, frame);
    ring.set(0, 0x08, static_cast<std::uint32_t>(ring.buffer(0)) + 3);
    m.dma64(mm2s(1, kTail), ring.bd(0));
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    assert_string_equal(oracle::difference(frame, m.sent[0]).c_str(), "");
}

// Walks that would not end.

void self_linked_descriptor_runs_once(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 1, 1);
    ring.link();
    start_tx(m, 1, ring);
    for (int i = 1; i <= 3; ++i) {
        send(m, 1, ring, 0, plain_frame(64));
        assert_int_equal(m.sent.size(), i);
    }
}

void tail_outside_the_chain_ends_at_a_finished_descriptor(void **) {
    Machine m;
    const Ring ring = tx_ring(m, 1, 8);
    ring.link();
    for (unsigned i = 0; i < ring.count; ++i) {
        ring.transmit(i, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    }
    start_tx(m, 1, ring);
    m.dma64(mm2s(1, kTail), ring.bd(0) + 0x10000);
    m.settle();
    assert_int_equal(m.sent.size(), 8);
    expect_halt(m, 0x10, 1);
}

void endless_ring_is_worked_in_slices(void **) {
    Machine m;
    m.keep_errors = false;
    m.forget_status = true; // completion never shows, so the walk never ends
    const Ring ring = tx_ring(m, 1, 1);
    ring.link();
    start_tx(m, 1, ring);
    ring.transmit(0, plain_frame(8), 0);
    m.dma64(mm2s(1, kTail), ring.bd(0) + 0x10000);
    for (int i = 0; i < 100; ++i) {
        assert_true(m.deadline != eoe::kNever);
        m.time = std::max(m.time, m.deadline);
        m.deadline = eoe::kNever;
        const std::uint64_t before = m.descriptor_reads;
        m.port->run();
        assert_true(m.descriptor_reads > before);
        assert_true(m.descriptor_reads - before <= 256);
        assert_true(m.deadline > m.time);
    }
    m.dma(kMm2sCcr, 4);
    m.settle();
    assert_true(m.deadline == eoe::kNever);
}

void long_backlog_takes_several_slices(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 0x100, 1000};
    ring.link();
    for (unsigned i = 0; i < ring.count; ++i) {
        ring.transmit(i, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    }
    start_tx(m, 1, ring);
    m.dma64(mm2s(1, kTail), ring.bd(999));
    m.time = m.deadline;
    m.port->run();
    assert_true(m.sent.size() <= 256);
    assert_true(m.deadline > m.time);
    m.settle();
    assert_int_equal(m.sent.size(), 1000);
    assert_false(m.deadline_not_ahead);
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
        cmocka_unit_test(halt_and_resume_of_the_direction),
        cmocka_unit_test(csr_after_run_without_tail),
        cmocka_unit_test(current_descriptor_is_locked_while_running),
        cmocka_unit_test(stale_descriptor),
        cmocka_unit_test(zero_length),
        cmocka_unit_test(length_is_cut_to_the_built_width),
        cmocka_unit_test(data_address_errors),
        cmocka_unit_test(buffer_that_runs_off_the_end_of_memory),
        cmocka_unit_test(descriptor_address_errors),
        cmocka_unit_test(next_pointer_leads_nowhere),
        cmocka_unit_test(unaligned_next_pointer_is_cut),
        cmocka_unit_test(dma_into_own_registers_is_refused),
        cmocka_unit_test(without_dre_buffers_must_be_aligned),
        cmocka_unit_test(unaligned_buffer_with_dre),
        cmocka_unit_test(self_linked_descriptor_runs_once),
        cmocka_unit_test(tail_outside_the_chain_ends_at_a_finished_descriptor),
        cmocka_unit_test(endless_ring_is_worked_in_slices),
        cmocka_unit_test(long_backlog_takes_several_slices),
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
    };
    return UNIT_RUN("mm2s", tests);
}
