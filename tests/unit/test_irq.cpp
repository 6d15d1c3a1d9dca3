// SPDX-License-Identifier: GPL-2.0-or-later
//
// Interrupts: coalescing by count and by time, acknowledging, masking, lines.
#include "harness.hpp"

namespace {

using namespace unit;
using std::chrono::microseconds;

constexpr std::uint32_t cr(std::uint32_t threshold, std::uint32_t delay) {
    return delay << 24 | threshold << 16 | 0xF9;
}

/// A channel that is ready to send, with the given CR.
struct Sender {
    explicit Sender(std::uint32_t control, const eoe::Config &config = eoe::default_config())
        : m(config), ring(tx_ring(m, 1, 64)) {
        ring.link();
        start_tx(m, 1, ring, control);
    }
    void send() {
        unit::send(m, 1, ring, next, plain_frame(64));
        ++next;
    }
    [[nodiscard]] std::uint32_t causes() { return m.dma(mm2s(1, kSr)) & 0xF8; }
    [[nodiscard]] bool line() const { return m.irq(eoe::Dir::mm2s, 1); }

    Machine m;
    Ring ring;
    unsigned next = 0;
};

void threshold_of_one(void **) {
    Sender s(cr(1, 0));
    s.send();
    assert_int_equal(s.causes(), 0x20);
    assert_true(s.line());
}

void threshold_of_four_without_delay(void **) {
    Sender s(cr(4, 0));
    for (int i = 0; i < 3; ++i) {
        s.send();
        assert_int_equal(s.m.dma(mm2s(1, kSr)) >> 16 & 0xFF, 3 - i); // packets to go
    }
    s.m.advance(std::chrono::seconds{1});
    assert_false(s.line());
    assert_int_equal(s.causes(), 0);
    s.send();
    assert_int_equal(s.causes(), 0x20);
    assert_int_equal(s.m.dma(mm2s(1, kSr)) >> 16 & 0xFF, 4); // reloaded
}

void delay_catches_the_rest(void **) {
    Sender s(cr(4, 1)); // 1 us at 125 MHz
    for (int i = 0; i < 3; ++i) {
        s.send();
    }
    assert_false(s.line());
    s.m.advance(microseconds{2});
    assert_int_equal(s.causes(), 0x40);
    assert_true(s.line());
    s.m.dma(mm2s(1, kSr), 0x40);
    s.m.advance(std::chrono::seconds{1});
    assert_int_equal(s.causes(), 0); // once only
    assert_int_equal(s.m.dma(mm2s(1, kSr)) >> 16 & 0xFF, 4);
}

void delay_counts_125_clocks(void **) {
    eoe::Config config = eoe::default_config();
    config.sg_clock_hz = 100'000'000;
    Sender s(cr(2, 40), config); // 40 * 1.25 us
    s.send();
    s.m.advance(microseconds{25});
    assert_int_equal(s.m.dma(mm2s(1, kSr)) >> 24, 20); // counts so far
    s.m.advance(microseconds{24});
    assert_int_equal(s.causes(), 0);
    s.m.advance(microseconds{2});
    assert_int_equal(s.causes(), 0x40);
    assert_int_equal(s.m.dma(mm2s(1, kSr)) >> 24, 0);
}

void delay_restarts_with_every_packet(void **) {
    Sender s(cr(100, 50));
    for (int i = 0; i < 5; ++i) {
        s.send();
        s.m.advance(microseconds{40});
        assert_int_equal(s.causes(), 0);
    }
    s.m.advance(microseconds{20});
    assert_int_equal(s.causes(), 0x40);
}

void reaching_the_threshold_stops_the_delay(void **) {
    Sender s(cr(2, 10));
    s.send();
    s.send();
    assert_int_equal(s.causes(), 0x20);
    s.m.dma(mm2s(1, kSr), 0x20);
    s.m.advance(microseconds{100});
    assert_int_equal(s.causes(), 0);
}

void threshold_zero_counts_as_one(void **) {
    Sender s(cr(0, 0));
    s.send();
    assert_int_equal(s.causes(), 0x20);
}

void writing_cr_starts_over(void **) {
    Sender s(cr(2, 0));
    s.send();
    s.m.dma(mm2s(1, kCr), cr(2, 0));
    s.send();
    assert_int_equal(s.causes(), 0);
    s.send();
    assert_int_equal(s.causes(), 0x20);
}

void writing_cr_keeps_a_running_delay_going(void **) {
    Sender s(cr(8, 10));
    s.send();
    s.m.advance(microseconds{8});
    s.m.dma(mm2s(1, kCr), cr(8, 10) & ~0xE8U); // mask, as a poll loop does
    s.m.dma(mm2s(1, kCr), cr(8, 10));
    s.m.advance(microseconds{8});
    assert_int_equal(s.causes(), 0);
    s.m.advance(microseconds{4});
    assert_int_equal(s.causes(), 0x40);
    // With the delay set to zero it ends.
    s.m.dma(mm2s(1, kSr), 0xFF);
    s.send();
    s.m.dma(mm2s(1, kCr), cr(8, 0));
    s.m.advance(std::chrono::seconds{1});
    assert_int_equal(s.causes(), 0);
}

void acknowledge_clears_only_what_is_written(void **) {
    Sender s(cr(2, 1));
    s.send();
    s.m.advance(microseconds{5});
    s.send();
    s.send();
    assert_int_equal(s.causes(), 0x60);
    s.m.dma(mm2s(1, kSr), 0x40);
    assert_int_equal(s.causes(), 0x20);
    assert_true(s.line());
    s.m.dma(mm2s(1, kSr), 0x0F); // nothing of this is W1C
    assert_int_equal(s.causes(), 0x20);
    s.m.dma(mm2s(1, kSr), 0x20);
    assert_int_equal(s.causes(), 0);
    assert_false(s.line());
}

void masking_drops_the_line_and_keeps_the_status(void **) {
    Sender s(cr(1, 0));
    s.m.dma(mm2s(1, kCr), cr(1, 0) & ~0x20U);
    s.send();
    assert_int_equal(s.causes(), 0x20);
    assert_false(s.line());
    assert_int_equal(s.m.dma(0x28), 0);
    s.m.dma(mm2s(1, kCr), cr(1, 0));
    assert_true(s.line());
    assert_int_equal(s.m.dma(0x28), 1);
    s.m.dma(mm2s(1, kCr), cr(1, 0) & ~0x20U);
    assert_false(s.line());
}

void line_stays_up_until_the_last_cause_goes(void **) {
    Sender s(cr(1, 0));
    s.send();
    const int changes = s.m.irq_changes;
    s.send();
    assert_int_equal(s.m.irq_changes, changes); // level, not edges
    s.m.dma(mm2s(1, kSr), 0x20);
    assert_int_equal(s.m.irq_changes, changes + 1);
}

void single_interrupt_build(void **) {
    eoe::Config config = eoe::default_config();
    config.single_intr = true;
    Machine m(config);
    const Ring three = tx_ring(m, 3);
    const Ring five = tx_ring(m, 5);
    three.link();
    five.link();
    start_tx(m, 3, three);
    start_tx(m, 5, five);
    send(m, 3, three, 0, plain_frame(64));
    send(m, 5, five, 0, plain_frame(64));
    assert_true(m.irq(eoe::Dir::mm2s, 1));
    assert_false(m.irq(eoe::Dir::mm2s, 3));
    assert_int_equal(m.irq_changes, 1);
    assert_int_equal(m.dma(0x28), 0x14);
    m.dma(mm2s(3, kSr), 0x20);
    assert_true(m.irq(eoe::Dir::mm2s, 1));
    m.dma(mm2s(5, kSr), 0x20);
    assert_false(m.irq(eoe::Dir::mm2s, 1));
    assert_false(m.irq(eoe::Dir::s2mm, 1));
}

void receive_counts_packets_not_descriptors(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 128, 64};
    ring.receive();
    start_rx(m, 1, ring, 63, cr(2, 0));
    assert_true(deliver(m, plain_frame(1000)));
    assert_int_equal(m.dma(s2mm(1, kSr)) & 0xF8, 0);
    assert_true(deliver(m, plain_frame(1000)));
    assert_int_equal(m.dma(s2mm(1, kSr)) & 0xF8, 0x20);
    assert_true(m.irq(eoe::Dir::s2mm, 1));
}

void reset_lowers_every_line(void **) {
    Machine m;
    const Ring tx = tx_ring(m, 2);
    const Ring rx = rx_ring(m, 1);
    tx.link();
    rx.receive();
    start_tx(m, 2, tx);
    start_rx(m, 1, rx, 15);
    send(m, 2, tx, 0, plain_frame(64));
    assert_true(deliver(m, plain_frame(64)));
    assert_true(m.irq(eoe::Dir::mm2s, 2) && m.irq(eoe::Dir::s2mm, 1));
    m.dma(kS2mmCcr, 4);
    assert_false(m.irq(eoe::Dir::mm2s, 2) || m.irq(eoe::Dir::s2mm, 1));
}

void reset_stops_a_running_delay(void **) {
    Sender s(cr(8, 10));
    s.send();
    s.m.dma(kMm2sCcr, 4);
    s.m.advance(microseconds{100});
    assert_int_equal(s.m.dma(mm2s(1, kSr)), 1);
}

void a_late_run_still_expires_the_delay(void **) {
    Sender s(cr(8, 10));
    s.send();
    s.m.time += microseconds{500}; // the host was busy
    s.m.settle();
    assert_int_equal(s.causes(), 0x40);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(threshold_of_one),
        cmocka_unit_test(threshold_of_four_without_delay),
        cmocka_unit_test(delay_catches_the_rest),
        cmocka_unit_test(delay_counts_125_clocks),
        cmocka_unit_test(delay_restarts_with_every_packet),
        cmocka_unit_test(reaching_the_threshold_stops_the_delay),
        cmocka_unit_test(threshold_zero_counts_as_one),
        cmocka_unit_test(writing_cr_starts_over),
        cmocka_unit_test(writing_cr_keeps_a_running_delay_going),
        cmocka_unit_test(acknowledge_clears_only_what_is_written),
        cmocka_unit_test(masking_drops_the_line_and_keeps_the_status),
        cmocka_unit_test(line_stays_up_until_the_last_cause_goes),
        cmocka_unit_test(single_interrupt_build),
        cmocka_unit_test(receive_counts_packets_not_descriptors),
        cmocka_unit_test(reset_lowers_every_line),
        cmocka_unit_test(reset_stops_a_running_delay),
        cmocka_unit_test(a_late_run_still_expires_the_delay),
    };
    return unit::run_group("irq", tests);
}
