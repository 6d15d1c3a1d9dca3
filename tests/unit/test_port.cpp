// SPDX-License-Identifier: GPL-2.0-or-later
//
// The blocks together: frames all the way through, what a reset reaches, what
// stalls and what resumes, and time.
#include "harness.hpp"
#include "oracle.hpp"

#include <algorithm>

namespace {

using namespace unit;
using std::chrono::milliseconds;

Bytes udp_frame(std::size_t payload) {
    oracle::Datagram g;
    g.payload.assign(payload, 0x3C);
    return oracle::frame_of(g);
}

void a_short_datagram_is_padded_on_the_wire(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    send(m, 1, ring, 0, udp_frame(0), 0, kApp1Checksum);
    assert_int_equal(m.sent.size(), 1);
    assert_int_equal(m.sent[0].size(), 64);
    m.tick();
    assert_int_equal(m.stat(0x710), 68);
    assert_int_equal(m.stat(0x728), 1); // 65..127 with FCS
    assert_int_equal(m.stat(0x720), 0);
}

void gso_through_all_blocks(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    const Bytes packet = udp_frame(4000);
    const std::uint32_t app0 = 42U << 24 | static_cast<std::uint32_t>(packet.size() - 14);
    send(m, 1, ring, 0, packet, app0, 1028U << 16 | 0x0400);
    const auto expected = oracle::transmit(packet, app0, 1028U << 16 | 0x0400);
    assert_int_equal(m.sent.size(), 4);
    for (std::size_t i = 0; i < 4; ++i) {
        assert_string_equal(oracle::difference(expected.frames[i], m.sent[i]).c_str(), "");
    }
    m.tick();
    assert_int_equal(m.stat(0x700), 4);
    assert_int_equal(m.dma(mm2s(1, 0x18)), 1);
    assert_int_equal(m.dma(mm2s(1, kSr)) & 0x20, 0x20);
}

void wire_fills_up_in_the_middle_of_a_gso_packet(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    m.wire_full = true;
    const Bytes packet = udp_frame(4000);
    const std::uint32_t app0 = 42U << 24 | static_cast<std::uint32_t>(packet.size() - 14);
    ring.transmit(1, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    send(m, 1, ring, 0, packet, app0, 1028U << 16 | 0x0400);
    m.dma64(mm2s(1, kTail), ring.bd(1));
    for (std::size_t n = 1; n <= 4; ++n) {
        m.settle();
        assert_int_equal(m.sent.size(), n);
        m.port->tx_ready();
    }
    m.settle();
    assert_int_equal(m.sent.size(), 5);
    assert_int_equal(m.sent[4].size(), 64);
}

void disabled_transmitter_stalls(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    m.mac(0x00C, 0x3002);
    send(m, 1, ring, 0, plain_frame(64));
    assert_int_equal(m.sent.size(), 0);
    assert_int_equal(ring.get(0, 0x1C), 0);
    assert_true(m.deadline == eoe::kNever); // and nobody spins
    m.mac(0x00C, 0x3003);
    m.settle();
    assert_int_equal(m.sent.size(), 1);
    // The GT reset of the bring-up sequences stalls too.
    m.mac(0x000, 1);
    send(m, 1, ring, 1, plain_frame(64));
    assert_int_equal(m.sent.size(), 1);
    m.advance(milliseconds{2});
    assert_int_equal(m.sent.size(), 2);
}

void receiver_disabled_leaves_no_trace(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    m.mac(0x014, 0x32);
    assert_true(deliver(m, plain_frame(100)));
    m.tick();
    assert_int_equal(ring.get(0, 0x18), 0);
    assert_int_equal(m.stat(0x808), 0);
    assert_int_equal(m.dma(kS2mmDrop), 0);
    assert_int_equal(m.eoe_reg(0x20), 0);
}

void kept_fcs_reaches_memory(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    m.mac(0x014, 0x31);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(ring.get(0, 0x18), 0x8C000000 | 104);
}

void loopback(void **) {
    Machine m;
    const Ring tx = tx_ring(m);
    const Ring rx = rx_ring(m, 1, 16);
    tx.link();
    rx.receive();
    start_tx(m, 1, tx);
    start_rx(m, 1, rx, 15);
    m.port->set_link(false);
    m.mac(0x008, 0xC0000003);
    (void)m.mac(0x40C);
    assert_int_equal(m.mac(0x40C), 1); // the cable does not matter
    const Bytes packet = udp_frame(4000);
    const std::uint32_t app0 = 42U << 24 | static_cast<std::uint32_t>(packet.size() - 14);
    send(m, 1, tx, 0, packet, app0, 1028U << 16 | 0x0400);
    const auto expected = oracle::transmit(packet, app0, 1028U << 16 | 0x0400);
    assert_int_equal(m.sent.size(), 0);
    for (unsigned i = 0; i < 4; ++i) {
        assert_int_equal(rx.get(i, 0x18), 0x8C000000 | 1042);
        assert_string_equal(
            oracle::difference(expected.frames[i], m.copy(rx.buffer(i), 1042)).c_str(), "");
    }
    assert_true(deliver(m, plain_frame(100))); // the wire is not heard
    assert_int_equal(rx.get(4, 0x18), 0);
}

/// Both directions of channel 1 with the MAC looped, receive descriptors up to `last`.
void start_loopback(Machine &m, const Ring &tx, const Ring &rx, unsigned last) {
    tx.link();
    rx.receive();
    start_tx(m, 1, tx);
    start_rx(m, 1, rx, last);
    m.mac(0x008, 0xC0000003);
}

void loopback_waits_for_receive_descriptors(void **) {
    Machine m;
    const Ring tx = tx_ring(m);
    const Ring rx{m, kRam + 0x40000, kRam + 0x200000, 64, 64};
    start_loopback(m, tx, rx, 0);
    for (unsigned i = 0; i < 3; ++i) {
        tx.transmit(i, plain_frame(100 + i), kSof | kEof, 0, kApp1Untouched);
    }
    m.dma64(mm2s(1, kTail), tx.bd(2));
    m.settle();
    assert_int_equal(tx.get(1, 0x1C), 0);
    m.dma64(s2mm(1, kTail), rx.bd(63));
    m.settle();
    assert_int_equal(tx.get(2, 0x1C), 0x80000000 | 102);
    assert_int_equal(rx.get(1, 0x18), 0x84000000 | 36);
    assert_int_equal(rx.get(5, 0x18), 0x84000000 | 38);
}

void loopback_does_one_slice_a_run(void **) {
    Machine m;
    const Ring tx = tx_ring(m, 1, 128);
    const Ring rx{m, kRam + 0x40000, kRam + 0x300000, 1, 1400};
    start_loopback(m, tx, rx, 1399);
    for (unsigned i = 0; i < 16; ++i) {
        tx.transmit(i, plain_frame(80), kSof | kEof, 0, kApp1Untouched);
    }
    m.dma64(mm2s(1, kTail), tx.bd(15));
    const std::uint64_t before = m.descriptor_reads;
    m.port->run();
    // 256 descriptors back, and those of the frames on their way out.
    assert_true(m.descriptor_reads - before <= 256 + 16 + 1);
    m.settle();
    assert_int_equal(rx.get(1279, 0x18), 0x84000001);
}

void engine_reset_reaches_the_other_blocks(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring);
    m.mac(0x018, 0x05F20040);
    // One packet stays in the engine because the wire is full.
    m.wire_full = true;
    const Bytes packet = udp_frame(4000);
    send(m, 1, ring, 0, packet, 42U << 24 | static_cast<std::uint32_t>(packet.size() - 14),
         1028U << 16 | 0x0400);
    send(m, 1, ring, 1, packet, 42U << 24 | 1, 0x0400); // waits
    assert_true(deliver(m, plain_frame(100)));
    m.dma(kS2mmCcr, 4);
    m.wire_full = false;
    m.port->tx_ready();
    m.settle();
    assert_int_equal(m.sent.size(), 1); // the rest of the segments is gone
    m.tick();
    assert_int_equal(m.stat(0x700), 0);
    assert_int_equal(m.stat(0x808), 0);
    assert_int_equal(m.mac(0x018), 0x05F20040);
    assert_int_equal(m.dma(kS2mmDrop), 0);
}

void power_on_reset(void **) {
    Machine m;
    const Ring ring = tx_ring(m);
    ring.link();
    start_tx(m, 1, ring, kCrRun | 10U << 24);
    send(m, 1, ring, 0, plain_frame(64));
    m.mac(0x018, 0x05F20040);
    m.eoe_reg(0x10, 0x0810000A);
    m.port->reset();
    assert_true(m.deadline == eoe::kNever);
    assert_false(m.irq(eoe::Dir::mm2s, 1));
    assert_int_equal(m.mac(0x018), 0x25800040);
    assert_int_equal(m.eoe_reg(0x10), 0x10000002);
    assert_int_equal(m.dma(mm2s(1, kCr)), 0x00010000);
    assert_int_equal(m.stat(0x700), 0);
}

// linux-xlnx and the mainline submission, as far as they touch registers.
void both_link_up_sequences(void **) {
    Machine m;
    assert_int_equal(m.mac(0x024), 0x00000104);
    assert_int_equal(m.mac(0x498), 1);
    m.mac(0x000, m.mac(0x000) | 1);
    m.advance(milliseconds{1});
    m.mac(0x000, m.mac(0x000) & ~1U);
    m.dma(kMm2sCcr, 4);
    assert_int_equal(m.dma(kMm2sCcr) & 4, 0);
    assert_int_equal(m.mac(0x4A0), 3);
    std::uint32_t lock = 0;
    for (int polls = 0; polls < 2; ++polls) {
        lock = m.mac(0x40C);
    }
    assert_int_equal(lock & 1, 1);
    m.mac(0x00C, (m.mac(0x00C) & ~1U) | 2);
    m.mac(0x014, (m.mac(0x014) & ~1U) | 2);
    m.mac(0x00C, m.mac(0x00C) | 1);
    m.mac(0x014, m.mac(0x014) | 1);
    (void)m.mac(0x404); // the first read reports the past
    assert_int_equal(m.mac(0x404) & 1, 1);
    const Ring tx = tx_ring(m);
    const Ring rx = rx_ring(m);
    tx.link();
    rx.receive();
    start_tx(m, 1, tx);
    start_rx(m, 1, rx, 15);
    send(m, 1, tx, 0, plain_frame(64));
    assert_int_equal(m.sent.size(), 1);
    assert_true(deliver(m, plain_frame(64)));
    assert_int_equal(rx.get(0, 0x18), 0x8C000040);
    assert_int_equal(m.errors.size(), 0);
}

void a_flap_of_the_peer(void **) {
    Machine m;
    m.port->set_link(false);
    m.port->set_link(true);
    assert_int_equal(m.mac(0x40C), 0);
    assert_int_equal(m.mac(0x40C), 1);
}

void link_down_drops_silently(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    m.port->set_link(false);
    assert_true(deliver(m, plain_frame(100)));
    m.tick();
    assert_int_equal(m.stat(0x808), 0);
    assert_int_equal(ring.get(0, 0x18), 0);
}

void registers_are_untouched_by_reads_of_others(void **) {
    Machine m;
    std::uint32_t value = 7;
    assert_int_equal(m.port->read(eoe::Block::mac, 0x010, value), eoe::Bus::slverr);
    assert_int_equal(value, 0);
    m.mac(0x008, 0x40000000);
    assert_int_equal(m.port->read(eoe::Block::mac, 0x010, value), eoe::Bus::ok);
}

void clock_that_stands_still_cannot_loop(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 0x100, 2000};
    ring.link();
    for (unsigned i = 0; i < ring.count; ++i) {
        ring.transmit(i, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    }
    start_tx(m, 1, ring);
    m.dma64(mm2s(1, kTail), ring.bd(1999));
    assert_true(m.deadline <= m.time);
    m.deadline = eoe::kNever;
    m.port->run();
    assert_true(m.deadline > m.time);
    // A second run at the same instant is allowed and asks for later again.
    m.deadline = eoe::kNever;
    m.port->run();
    assert_true(m.deadline > m.time);
    m.settle();
    assert_int_equal(m.sent.size(), 2000);
}

void run_without_reason_is_harmless(void **) {
    Machine m;
    for (int i = 0; i < 10; ++i) {
        m.port->run();
    }
    assert_int_equal(m.descriptor_reads, 0);
    assert_true(m.deadline == eoe::kNever);
}

void both_directions_at_once(void **) {
    Machine m;
    const Ring tx = tx_ring(m);
    const Ring rx = rx_ring(m);
    tx.link();
    rx.receive();
    start_tx(m, 1, tx);
    start_rx(m, 1, rx, 15);
    for (unsigned i = 0; i < 15; ++i) {
        tx.transmit(i, plain_frame(100 + i), kSof | kEof, 0, kApp1Untouched);
        m.dma64(mm2s(1, kTail), tx.bd(i));
        assert_true(m.port->receive(plain_frame(200 + i)));
        m.settle();
        assert_int_equal(m.sent.size(), i + 1);
        assert_int_equal(rx.get(i, 0x18), 0x8C000000 | (200 + i));
    }
}

void oversize_frame_from_the_wire(void **) {
    eoe::Config config = eoe::default_config();
    config.eoe = false; // which would drop them all
    Machine m(config);
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    m.mac(0x018, 0x7FFF0040);
    assert_true(deliver(m, plain_frame(16384)));
    assert_true(deliver(m, plain_frame(16385)));
    assert_true(deliver(m, plain_frame(100000)));
    assert_true(deliver(m, {}));
    assert_int_equal(ring.get(3, 0x18), 0x84000000 | 4096);
    assert_int_equal(ring.get(4, 0x18), 0);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_short_datagram_is_padded_on_the_wire),
        cmocka_unit_test(gso_through_all_blocks),
        cmocka_unit_test(wire_fills_up_in_the_middle_of_a_gso_packet),
        cmocka_unit_test(disabled_transmitter_stalls),
        cmocka_unit_test(receiver_disabled_leaves_no_trace),
        cmocka_unit_test(kept_fcs_reaches_memory),
        cmocka_unit_test(loopback),
        cmocka_unit_test(loopback_waits_for_receive_descriptors),
        cmocka_unit_test(loopback_does_one_slice_a_run),
        cmocka_unit_test(engine_reset_reaches_the_other_blocks),
        cmocka_unit_test(power_on_reset),
        cmocka_unit_test(both_link_up_sequences),
        cmocka_unit_test(a_flap_of_the_peer),
        cmocka_unit_test(link_down_drops_silently),
        cmocka_unit_test(registers_are_untouched_by_reads_of_others),
        cmocka_unit_test(clock_that_stands_still_cannot_loop),
        cmocka_unit_test(run_without_reason_is_harmless),
        cmocka_unit_test(both_directions_at_once),
        cmocka_unit_test(oversize_frame_from_the_wire),
    };
    return unit::run_group("port", tests);
}
