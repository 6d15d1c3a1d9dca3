// SPDX-License-Identifier: GPL-2.0-or-later
//
// Transmit half of the MCDMA fed with wrong descriptors: every error halts the
// direction as documented, a reset recovers it, and no chain holds up a slice.
#include "harness.hpp"
#include "oracle.hpp"

#include <algorithm>

namespace {

using namespace unit;

constexpr std::uint32_t kBdStatus = 0x1C;

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

} // namespace

int main() {
    const CMUnitTest tests[] = {
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
    };
    return unit::run_group("mm2s_errors", tests);
}
