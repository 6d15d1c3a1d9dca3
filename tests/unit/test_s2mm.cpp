// SPDX-License-Identifier: GPL-2.0-or-later
//
// Receive half of the MCDMA: where frames land, what is dropped, and what
// waits. Frames are of a type the engine passes untouched on TDEST 0.
#include "harness.hpp"
#include "oracle.hpp"

#include <algorithm>
#include <cstring>

namespace {

using namespace unit;

constexpr std::uint32_t kBdStatus = 0x18, kSideband = 0x1C, kApp0 = 0x20;
constexpr std::uint32_t kChannelDrops = 0x18, kChannelPackets = 0x1C;

void whole_frame_in_one_descriptor(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    const Bytes frame = plain_frame(2048);
    assert_true(deliver(m, frame));
    assert_int_equal(ring.get(0, kBdStatus), 0x8C000800); // as seen on silicon
    assert_int_equal(ring.get(0, kSideband), 0);
    assert_int_equal(ring.get(0, kApp0), 0x60000000);
    assert_string_equal(oracle::difference(frame, m.copy(ring.buffer(0), 2048)).c_str(), "");
    assert_int_equal(m.dma(s2mm(1, kChannelPackets)), 1);
    assert_int_equal(m.dma(0x50C), 1);
    assert_int_equal(m.dma(0x518), 1);
    assert_int_equal(m.dma(0x518), 0);
    assert_true(m.irq(eoe::Dir::s2mm, 1));
    assert_int_equal(m.dma(0x520), 1);
    assert_int_equal(m.dma(kS2mmCsr), 0); // descriptors are left
}

void frame_over_two_descriptors(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 512, 8};
    ring.receive();
    for (unsigned i = 0; i < 8; ++i) {
        ring.set(i, kApp0, 0xFFFFFFFF);
        ring.set(i, kApp0 + 4, 0xFFFFFFFF);
    }
    start_rx(m, 1, ring, 7);
    const Bytes frame = plain_frame(800);
    assert_true(deliver(m, frame));
    assert_int_equal(ring.get(0, kBdStatus), 0x88000000 | 512);
    assert_int_equal(ring.get(1, kBdStatus), 0x84000000 | 288);
    assert_int_equal(ring.get(0, kApp0), 0); // zero until the last
    assert_int_equal(ring.get(0, kApp0 + 4), 0);
    assert_int_equal(ring.get(1, kApp0), 0x60000000);
    Bytes got = m.copy(ring.buffer(0), 512);
    const Bytes rest = m.copy(ring.buffer(1), 288);
    got.insert(got.end(), rest.begin(), rest.end());
    assert_string_equal(oracle::difference(frame, got).c_str(), "");
    // The next frame starts a new descriptor.
    assert_true(deliver(m, plain_frame(512)));
    assert_int_equal(ring.get(2, kBdStatus), 0x8C000000 | 512);
}

void without_status_stream_app_words_stay(void **) {
    eoe::Config config = eoe::default_config();
    config.status_stream = false;
    Machine m(config);
    const Ring ring = rx_ring(m);
    ring.receive();
    ring.set(0, kApp0, 0x12345678);
    start_rx(m, 1, ring, 15);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(ring.get(0, kBdStatus), 0x8C000064);
    assert_int_equal(ring.get(0, kApp0), 0x12345678);
}

// Drops

void drop_with_empty_ring(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    m.dma(kS2mmChen, 1);
    m.dma64(s2mm(1, kCur), ring.bd(0));
    m.dma(s2mm(1, kCr), kCrRun);
    m.dma(kS2mmCcr, 1);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(m.dma(s2mm(1, kSr)) & 0xF0, 0x10);
    assert_true(m.irq(eoe::Dir::s2mm, 1));
    assert_int_equal(m.dma(s2mm(1, kChannelDrops)), 1);
    assert_int_equal(m.dma(s2mm(1, kChannelDrops)), 0);
    assert_int_equal(m.dma(kS2mmDrop), 1);
    assert_int_equal(m.dma(kS2mmDrop), 1);
    assert_int_equal(ring.get(0, kBdStatus), 0);
    assert_true(m.port->can_receive());
}

void drop_while_the_direction_is_halted(void **) {
    Machine m;
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(m.dma(kS2mmDrop), 1);
    assert_int_equal(m.dma(s2mm(1, kChannelDrops)), 1);
    assert_false(m.irq(eoe::Dir::s2mm, 1)); // nothing is enabled
}

void drop_on_a_disabled_channel(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    m.dma(kS2mmChen, 0xFFFE);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(ring.get(0, kBdStatus), 0);
    assert_int_equal(m.dma(kS2mmDrop), 1);
    m.dma(kS2mmChen, 1);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(ring.get(0, kBdStatus), 0x8C000064);
    assert_int_equal(m.dma(kS2mmDrop), 1);
}

void disabling_a_channel_waits_for_the_packet_in_hand(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 256, 8};
    ring.receive();
    start_rx(m, 1, ring, 1);
    assert_true(deliver(m, plain_frame(600))); // 88 bytes are left
    m.dma(kS2mmChen, 0);
    m.dma64(s2mm(1, kTail), ring.bd(4));
    m.settle();
    assert_int_equal(ring.get(2, kBdStatus), 0x84000000 | 88);
    assert_int_equal(m.dma(kS2mmDrop), 0);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(ring.get(3, kBdStatus), 0);
    assert_int_equal(m.dma(kS2mmDrop), 1);
}

void a_disabled_channel_goes_on_fetching(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    ring.set(0, kBdStatus, kDone);
    m.dma64(s2mm(1, kCur), ring.bd(0));
    m.dma(s2mm(1, kCr), kCrRun);
    m.dma(kS2mmCcr, 1);
    m.dma64(s2mm(1, kTail), ring.bd(3));
    m.settle();
    assert_int_equal(m.dma(kS2mmChen), 0);
    assert_int_equal(m.dma(kS2mmErr), 0x10); // it has seen the stale one
}

void drop_after_the_last_descriptor(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 0);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(m.dma(s2mm(1, kSr)) & 1, 1);
    assert_int_equal(m.dma(kS2mmCsr), 0x2);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(m.dma(kS2mmDrop), 1);
    m.dma64(s2mm(1, kTail), ring.bd(1));
    assert_true(deliver(m, plain_frame(101)));
    assert_int_equal(ring.get(1, kBdStatus), 0x8C000065);
}

void drop_threshold(void **) {
    Machine m;
    m.dma(kS2mmChen, 1);
    m.dma(s2mm(1, kCr), 0x00010311); // three drops, packet drop enabled
    m.dma(kS2mmCcr, 1);
    for (int i = 1; i <= 3; ++i) {
        assert_false(m.irq(eoe::Dir::s2mm, 1));
        assert_int_equal(m.dma(s2mm(1, kSr)) >> 8 & 0xFF, i - 1);
        assert_true(deliver(m, plain_frame(64)));
    }
    assert_true(m.irq(eoe::Dir::s2mm, 1));
    m.dma(s2mm(1, kSr), 0x10);
    assert_false(m.irq(eoe::Dir::s2mm, 1));
    assert_int_equal(m.dma(s2mm(1, kSr)) >> 8 & 0xFF, 0);
}

void channel_that_is_not_built(void **) {
    // Straight into the block: a whole port refuses such a build.
    eoe::Config config = eoe::default_config();
    config.num_s2mm_channels = 1;
    config.eoe_rx_gro = false;
    Machine machine(config);
    eoe::StreamFifo fifo(4096);
    eoe::Faults faults(machine);
    eoe::S2mm block(config, machine, faults, fifo);
    assert_true(fifo.push({.tdest = 1}, plain_frame(64)));
    eoe::Budget budget{10, 1000};
    block.service(budget);
    assert_true(fifo.empty());
    assert_int_equal(block.d.s.dropped, 1);
    assert_int_equal(block.d.ch[1].s.dropped, 0);
}

// Shortfall

void packet_waits_for_descriptors(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 256, 8};
    ring.receive();
    start_rx(m, 1, ring, 0);
    const Bytes frame = plain_frame(600);
    assert_true(deliver(m, frame));
    assert_int_equal(ring.get(0, kBdStatus), 0x88000000 | 256);
    assert_int_equal(m.dma(s2mm(1, kSr)) & 3, 3);
    assert_int_equal(m.dma(kS2mmDrop), 0);
    assert_false(m.port->can_receive());
    assert_false(m.port->receive(plain_frame(64)));
    assert_int_equal(m.rx_readies, 0);

    m.dma64(s2mm(1, kTail), ring.bd(1));
    m.settle();
    assert_int_equal(ring.get(1, kBdStatus), 0x80000000 | 256);
    assert_int_equal(m.dma(s2mm(1, kSr)) & 3, 3);
    m.dma64(s2mm(1, kTail), ring.bd(7));
    m.settle();
    assert_int_equal(ring.get(2, kBdStatus), 0x84000000 | 88);
    assert_int_equal(m.dma(s2mm(1, kSr)) & 3, 0);
    assert_int_equal(m.rx_readies, 1);
    assert_true(m.port->can_receive());
    Bytes got;
    for (unsigned i = 0; i < 3; ++i) {
        const Bytes part = m.copy(ring.buffer(i), i == 2 ? 88 : 256);
        got.insert(got.end(), part.begin(), part.end());
    }
    assert_string_equal(oracle::difference(frame, got).c_str(), "");
}

void a_halted_direction_keeps_the_packet_in_hand(void **) {
    Machine m;
    const Ring one{m, kRam + 0x2000, kRam + 0x100000, 256, 8};
    one.receive();
    start_rx(m, 1, one, 0);
    assert_true(deliver(m, plain_frame(600)));
    m.dma(kS2mmCcr, 0); // halt and go on: the packet is still in hand
    m.settle();
    assert_false(m.port->can_receive());
    m.dma(kS2mmCcr, 1);
    m.dma64(s2mm(1, kTail), one.bd(7));
    m.settle();
    assert_true(m.port->can_receive());
    assert_int_equal(one.get(2, kBdStatus), 0x84000000 | 88);
}

void stopping_a_waiting_channel_drops_its_packet(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 256, 8};
    ring.receive();
    start_rx(m, 1, ring, 0);
    assert_true(deliver(m, plain_frame(600)));
    m.dma(s2mm(1, kCr), kCrRun & ~1U);
    m.settle();
    assert_true(m.port->can_receive());
    assert_int_equal(m.rx_readies, 1);
    assert_int_equal(m.dma(kS2mmDrop), 1);
    assert_int_equal(m.dma(s2mm(1, kSr)) & 3, 1);
}

void a_stopped_channel_drops_what_its_ring_cannot_hold(void **) {
    Machine m;
    const Ring tiny{m, kRam + 0x2000, kRam + 0x100000, 1, 600};
    const Ring other = rx_ring(m, 2);
    tiny.receive();
    other.receive();
    start_rx(m, 2, other, 15);
    start_rx(m, 1, tiny, 599);
    assert_true(m.port->receive(plain_frame(1000)));
    assert_false(m.port->can_receive()); // a slice has gone, descriptors are left
    m.dma(s2mm(1, kCr), kCrRun & ~1U);
    m.settle();
    assert_true(m.port->can_receive());
    assert_int_equal(m.dma(kS2mmDrop), 1);
    assert_int_equal(m.dma(s2mm(1, kSr)) & 3, 1);
    assert_int_equal(tiny.get(599, kBdStatus), 0x80000001);
}

void halting_a_stopped_channels_direction_drops_its_packet(void **) {
    for (const bool direction_first : {false, true}) {
        Machine m;
        const Ring tiny{m, kRam + 0x2000, kRam + 0x100000, 1, 1200};
        const Ring fresh = rx_ring(m, 2);
        tiny.receive();
        fresh.receive();
        start_rx(m, 1, tiny, 1199);
        assert_true(m.port->receive(plain_frame(1000)));
        stop_both(m, kS2mmCcr, s2mm(1, kCr), direction_first);
        assert_true(m.port->can_receive());
        assert_int_equal(m.dma(kS2mmDrop), 1);
        assert_int_equal(m.dma(s2mm(1, kSr)) & 3, 1);
        // A new ring is not touched before the channel is told to run.
        m.dma64(s2mm(1, kCur), fresh.bd(0));
        m.dma(kS2mmCcr, 1);
        const std::uint64_t before = m.descriptor_reads;
        m.settle();
        assert_int_equal(m.descriptor_reads, before);
    }
}

void reset_drops_what_waits(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 256, 8};
    ring.receive();
    start_rx(m, 1, ring, 0);
    assert_true(deliver(m, plain_frame(600)));
    m.dma(kMm2sCcr, 4);
    m.settle();
    assert_true(m.port->can_receive());
    assert_int_equal(m.rx_readies, 1);
    ring.receive();
    start_rx(m, 1, ring, 7);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(ring.get(0, kBdStatus), 0x8C000064);
}

void many_tiny_buffers_take_several_slices(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 8, 1200};
    ring.receive();
    start_rx(m, 1, ring, 1199);
    const Bytes frame = plain_frame(9000);
    const std::uint64_t before = m.descriptor_reads;
    assert_true(m.port->receive(frame));
    assert_true(m.descriptor_reads - before <= 257);
    assert_false(m.port->can_receive());
    assert_true(m.deadline > m.time);
    m.settle();
    assert_true(m.port->can_receive());
    assert_string_equal(oracle::difference(frame, m.copy(ring.buffers, 9000)).c_str(), "");
    assert_int_equal(ring.get(1124, kBdStatus), 0x84000008);
    assert_false(m.deadline_not_ahead);
}

void single_byte_buffers(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 1, 64};
    ring.receive();
    start_rx(m, 1, ring, 63);
    const Bytes frame = plain_frame(60);
    assert_true(deliver(m, frame));
    assert_string_equal(oracle::difference(frame, m.copy(ring.buffers, 60)).c_str(), "");
    assert_int_equal(ring.get(0, kBdStatus), 0x88000001);
    assert_int_equal(ring.get(30, kBdStatus), 0x80000001);
    assert_int_equal(ring.get(59, kBdStatus), 0x84000001);
}

// Errors

void expect_halt(Machine &m, std::uint32_t err, unsigned channel) {
    assert_int_equal(m.dma(kS2mmErr), err);
    assert_int_equal(m.dma(kS2mmCcr), 0);
    assert_int_equal(m.dma(kS2mmCsr), 0x1);
    for (unsigned n = 1; n <= 16; ++n) {
        assert_int_equal(m.dma(s2mm(n, kSr)) & 0x88, n == channel ? 0x80 : 0x08);
    }
    assert_true(m.irq(eoe::Dir::s2mm, channel));
    // Frames are dropped and counted while it is dead.
    const std::uint32_t drops = m.dma(kS2mmDrop);
    assert_true(deliver(m, plain_frame(64)));
    assert_int_equal(m.dma(kS2mmDrop), drops + 1);
    m.dma(kS2mmCcr, 1);
    assert_int_equal(m.dma(kS2mmCcr), 0);
    m.dma(kS2mmCcr, 4);
    assert_int_equal(m.dma(kS2mmErr), 0);
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(ring.get(0, kBdStatus), 0x8C000064);
}

void stale_descriptor_halts_when_handed_over(void **) {
    Machine m;
    const Ring ring = rx_ring(m, 4);
    ring.receive();
    ring.set(0, kBdStatus, kDone);
    start_rx(m, 4, ring, 15);
    expect_halt(m, 0x10, 4);
}

void stale_check_looks_at_the_receive_status_word(void **) {
    Machine m;
    const Ring ring = rx_ring(m, 1);
    ring.receive();
    ring.set(0, kSideband, kDone); // the transmit status word: nothing here
    start_rx(m, 1, ring, 15);
    assert_int_equal(m.dma(kS2mmErr), 0);
}

void zero_length_buffer(void **) {
    Machine m;
    const Ring ring = rx_ring(m, 2);
    ring.receive();
    ring.set(0, 0x14, 0);
    start_rx(m, 2, ring, 15);
    assert_int_equal(ring.get(0, kBdStatus) >> 28 & 1, 1);
    expect_halt(m, 0x01, 2);
}

void buffer_address_errors(void **) {
    static const struct {
        std::uint64_t address;
        std::uint32_t err, bd;
    } cases[] = {
        {kNowhere, 0x04, 1U << 30}, {kSlaveError, 0x02, 1U << 29}, {kOwnRegisters, 0x02, 1U << 29}};
    for (const auto &c : cases) {
        Machine m;
        const Ring ring = rx_ring(m, 1);
        ring.receive();
        ring.set(0, 0x08, static_cast<std::uint32_t>(c.address));
        ring.set(0, 0x0C, 0);
        start_rx(m, 1, ring, 15);
        assert_true(deliver(m, plain_frame(100)));
        assert_int_equal(ring.get(0, kBdStatus) & 0x70000000, c.bd);
        assert_true(m.port->can_receive());
        expect_halt(m, c.err, 1);
    }
}

void descriptor_address_errors(void **) {
    static const struct {
        std::uint64_t address;
        std::uint32_t err;
    } cases[] = {{kNowhere, 0x40}, {kSlaveError, 0x20}};
    for (const auto &c : cases) {
        Machine m;
        m.dma(kS2mmChen, 0xFFFF);
        m.dma64(s2mm(16, kCur), c.address);
        m.dma(s2mm(16, kCr), kCrRun);
        m.dma(kS2mmCcr, 1);
        m.dma64(s2mm(16, kTail), c.address);
        m.settle();
        expect_halt(m, c.err, 16);
    }
}

void error_in_the_middle_of_a_packet(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 256, 8};
    ring.receive();
    ring.set(1, 0x14, 0);
    start_rx(m, 1, ring, 7);
    assert_true(deliver(m, plain_frame(600)));
    assert_int_equal(m.dma(kS2mmDrop), 1);
    assert_true(m.port->can_receive());
    expect_halt(m, 0x01, 1);
}

void without_dre_buffers_must_be_aligned(void **) {
    eoe::Config config = eoe::default_config();
    config.s2mm_dre = false;
    Machine m(config);
    const Ring ring = rx_ring(m, 1);
    ring.receive();
    ring.set(1, 0x08, static_cast<std::uint32_t>(ring.buffer(1)) + 2);
    start_rx(m, 1, ring, 15);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(ring.get(0, kBdStatus), 0x8C000064);
    assert_int_equal(ring.get(1, kBdStatus) >> 28 & 1, 1);
    expect_halt(m, 0x01, 1);
}

void unaligned_buffer_with_dre(void **) {
    Machine m;
    const Ring ring = rx_ring(m, 1);
    ring.receive();
    ring.set(0, 0x08, static_cast<std::uint32_t>(ring.buffer(0)) + 2);
    start_rx(m, 1, ring, 15);
    const Bytes frame = plain_frame(100);
    assert_true(deliver(m, frame));
    assert_string_equal(oracle::difference(frame, m.copy(ring.buffer(0) + 2, 100)).c_str(), "");
}

void nothing_is_written_past_the_buffer(void **) {
    Machine m;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 256, 8};
    ring.receive();
    for (unsigned i = 0; i < 8; ++i) {
        ring.set(i, 0x14, 100);
        m.word(ring.buffer(i) + 100, 0xDEADBEEF);
        ring.set(i, 0x34, 0xCAFEF00D); // software's own words
        ring.set(i, 0x14, 100);
    }
    start_rx(m, 1, ring, 7);
    assert_true(deliver(m, plain_frame(350)));
    for (unsigned i = 0; i < 4; ++i) {
        assert_int_equal(m.word(ring.buffer(i) + 100), 0xDEADBEEF);
        assert_int_equal(ring.get(i, 0x34), 0xCAFEF00D);
        assert_int_equal(ring.get(i, 0x14), 100);
    }
}

void self_linked_descriptor_runs_once(void **) {
    Machine m;
    const Ring ring = rx_ring(m, 1, 1);
    ring.receive();
    start_rx(m, 1, ring, 0);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(m.dma(s2mm(1, kSr)) & 1, 1);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(m.dma(kS2mmDrop), 1);
    ring.set(0, kBdStatus, 0);
    m.dma64(s2mm(1, kTail), ring.bd(0));
    assert_true(deliver(m, plain_frame(101)));
    assert_int_equal(ring.get(0, kBdStatus), 0x8C000065);
}

void current_descriptor_can_be_read_back(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    for (unsigned i = 0; i < 3; ++i) {
        assert_int_equal(m.dma(s2mm(1, kCur)), static_cast<std::uint32_t>(ring.bd(i)));
        assert_true(deliver(m, plain_frame(100)));
    }
}

void stop_and_go_on_with_a_new_ring(void **) {
    Machine m;
    const Ring old = rx_ring(m, 1);
    const Ring fresh = rx_ring(m, 2);
    old.receive();
    fresh.receive();
    start_rx(m, 1, old, 15);
    assert_true(deliver(m, plain_frame(100)));
    m.dma(s2mm(1, kCr), kCrRun & ~1U);
    assert_int_equal(m.dma(s2mm(1, kSr)) & 1, 1);
    assert_true(deliver(m, plain_frame(100)));
    assert_int_equal(m.dma(kS2mmDrop), 1);
    m.dma64(s2mm(1, kCur), fresh.bd(0));
    m.dma(s2mm(1, kCr), kCrRun);
    m.dma64(s2mm(1, kTail), fresh.bd(15));
    assert_true(deliver(m, plain_frame(101)));
    assert_int_equal(old.get(1, kBdStatus), 0);
    assert_int_equal(fresh.get(0, kBdStatus), 0x8C000065);
}

// PG288, and what four kinds of software do: all of them must end with a channel that receives.
void five_bring_up_orders(void **) {
    for (int order = 0; order < 5; ++order) {
        Machine m;
        const Ring ring = rx_ring(m);
        ring.receive();
        const std::uint32_t irq = kCrRun & ~1U;
        const auto cur = [&] { m.dma64(s2mm(1, kCur), ring.bd(0)); };
        const auto tail = [&] { m.dma64(s2mm(1, kTail), ring.bd(15)); };
        switch (order) {
        case 0:
            m.dma(kS2mmChen, 1);
            cur();
            m.dma(s2mm(1, kCr), 1);
            m.dma(kS2mmCcr, 1);
            m.dma(s2mm(1, kCr), kCrRun);
            tail();
            break;
        case 1:
            m.dma(s2mm(1, kCr), irq);
            cur();
            m.dma(kS2mmCcr, 1);
            m.dma(s2mm(1, kCr), m.dma(s2mm(1, kCr)) | 1);
            tail();
            // Until its bit is set, what comes is dropped whole.
            assert_true(deliver(m, plain_frame(200)));
            assert_int_equal(m.dma(kS2mmDrop), 1);
            m.dma(kS2mmChen, 1);
            break;
        case 2:
            m.dma(s2mm(1, kCr), irq);
            cur();
            m.dma(kS2mmChen, 1);
            m.dma(s2mm(1, kCr), m.dma(s2mm(1, kCr)) | 1);
            m.dma(kS2mmCcr, 1);
            assert_int_equal(m.dma(kS2mmCsr) & 1, 0);
            tail();
            break;
        case 3:
            cur();
            m.dma(kS2mmCcr, 1);
            assert_int_equal(m.dma(kS2mmCsr) & 1, 0);
            m.dma(s2mm(1, kCr), kCrRun);
            tail();
            m.dma(kS2mmChen, 1);
            break;
        default:
            m.dma(kS2mmChen, 1);
            cur();
            m.dma(kS2mmCcr, 1);
            m.dma(s2mm(1, kCr), irq);
            m.dma(s2mm(1, kCr), m.dma(s2mm(1, kCr)) | 1);
            tail();
            break;
        }
        m.settle();
        assert_int_equal(m.dma(s2mm(1, kSr)) & 1, 0);
        assert_true(deliver(m, plain_frame(100)));
        assert_int_equal(ring.get(0, kBdStatus), 0x8C000064);
        assert_int_equal(ring.get(1, kBdStatus), 0);
        assert_true(m.irq(eoe::Dir::s2mm, 1));
        assert_int_equal(m.errors.size(), 0);
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(five_bring_up_orders),
        cmocka_unit_test(whole_frame_in_one_descriptor),
        cmocka_unit_test(frame_over_two_descriptors),
        cmocka_unit_test(without_status_stream_app_words_stay),
        cmocka_unit_test(drop_with_empty_ring),
        cmocka_unit_test(drop_while_the_direction_is_halted),
        cmocka_unit_test(drop_on_a_disabled_channel),
        cmocka_unit_test(disabling_a_channel_waits_for_the_packet_in_hand),
        cmocka_unit_test(a_disabled_channel_goes_on_fetching),
        cmocka_unit_test(drop_after_the_last_descriptor),
        cmocka_unit_test(drop_threshold),
        cmocka_unit_test(channel_that_is_not_built),
        cmocka_unit_test(packet_waits_for_descriptors),
        cmocka_unit_test(a_halted_direction_keeps_the_packet_in_hand),
        cmocka_unit_test(stopping_a_waiting_channel_drops_its_packet),
        cmocka_unit_test(a_stopped_channel_drops_what_its_ring_cannot_hold),
        cmocka_unit_test(halting_a_stopped_channels_direction_drops_its_packet),
        cmocka_unit_test(reset_drops_what_waits),
        cmocka_unit_test(many_tiny_buffers_take_several_slices),
        cmocka_unit_test(single_byte_buffers),
        cmocka_unit_test(stale_descriptor_halts_when_handed_over),
        cmocka_unit_test(stale_check_looks_at_the_receive_status_word),
        cmocka_unit_test(zero_length_buffer),
        cmocka_unit_test(buffer_address_errors),
        cmocka_unit_test(descriptor_address_errors),
        cmocka_unit_test(error_in_the_middle_of_a_packet),
        cmocka_unit_test(without_dre_buffers_must_be_aligned),
        cmocka_unit_test(unaligned_buffer_with_dre),
        cmocka_unit_test(nothing_is_written_past_the_buffer),
        cmocka_unit_test(self_linked_descriptor_runs_once),
        cmocka_unit_test(current_descriptor_can_be_read_back),
        cmocka_unit_test(stop_and_go_on_with_a_new_ring),
    };
    return unit::run_group("s2mm", tests);
}
