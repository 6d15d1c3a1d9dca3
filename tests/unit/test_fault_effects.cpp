// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each kind of fault looks like in frames, registers and descriptors.
#include "harness.hpp"
#include "oracle.hpp"

#include <string>

namespace {

using namespace unit;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint32_t kTxStatus = 0x1C, kRxStatus = 0x18;
constexpr std::uint32_t kRxBadFcs = 0x8C0, kRxPacketBadFcs = 0x8C8, kRxTotal = 0x808,
                        kRxGood = 0x810, kRxUndersize = 0x898;
constexpr std::uint32_t kEoeRxErrors = 0x1C, kEoeNonGro = 0x20;
constexpr std::uint32_t kBlockLock = 0x40C, kGtStatus = 0x4A0;

/// A machine with 64 descriptors each way on channels 1 and 2.
struct Bench {
    Bench() {
        for (unsigned n = 1; n <= 2; ++n) {
            start(n);
        }
    }
    void start(unsigned n) {
        tx(n).link();
        start_tx(m, n, tx(n));
        rx(n).receive();
        start_rx(m, n, rx(n), 63);
    }
    [[nodiscard]] Ring tx(unsigned n) { return tx_ring(m, n, 64); }
    [[nodiscard]] Ring rx(unsigned n) { return rx_ring(m, n, 64); }
    void fault(const char *rule) {
        std::array<char, 300> error{};
        if (!m.port->add_fault(rule, error)) {
            fail_msg("%s: %s", rule, error.data());
        }
    }
    void clear() {
        std::array<char, 100> error{};
        assert_true(m.port->clear_faults("all", error));
    }
    [[nodiscard]] std::string list() {
        std::array<char, XEOE_FAULT_LIST_BYTES> text{};
        (void)m.port->list_faults(text);
        return text.data();
    }
    void send(unsigned n, unsigned i, const Bytes &bytes) { unit::send(m, n, tx(n), i, bytes); }
    [[nodiscard]] std::uint32_t tx_status(unsigned n, unsigned i) {
        return tx(n).get(i, kTxStatus);
    }
    [[nodiscard]] std::uint32_t rx_status(unsigned i) { return rx(1).get(i, kRxStatus); }
    [[nodiscard]] Bytes received(unsigned i) {
        assert_int_equal(rx_status(i) >> 26, 0x23);
        return m.copy(rx(1).buffer(i), rx_status(i) & 0x03FFFFFF);
    }
    [[nodiscard]] std::uint32_t causes(unsigned n) { return m.dma(mm2s(n, kSr)) & 0xF8; }
    [[nodiscard]] bool line(unsigned n) const { return m.irq(eoe::Dir::mm2s, n); }

    Machine m;
};

Bytes datagram(std::size_t payload) {
    oracle::Datagram g;
    for (std::size_t i = 0; i < payload; ++i) {
        g.payload.push_back(static_cast<std::uint8_t>(i));
    }
    return oracle::frame_of(g);
}

/// Bytes in which two frames of one length differ.
std::vector<std::size_t> differences(const Bytes &a, const Bytes &b) {
    assert_int_equal(a.size(), b.size());
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i]) {
            at.push_back(i);
        }
    }
    return at;
}

// Frames

void dropped_frames_are_seen_by_nobody(void **) {
    Bench b;
    b.fault("kind=drop,dir=rx,count=1");
    b.fault("kind=drop,dir=tx,count=1");
    assert_true(deliver(b.m, plain_frame(100)));
    b.send(1, 0, plain_frame(100));
    b.m.tick();
    assert_int_equal(b.m.stat(kRxTotal), 0);
    assert_int_equal(b.rx_status(0), 0);
    assert_int_equal(b.m.sent.size(), 0);
    assert_int_equal(b.tx_status(1, 0), 0x80000064); // the port knows of nothing
    assert_true(deliver(b.m, plain_frame(100)));
    b.send(1, 1, plain_frame(100));
    assert_int_equal(b.received(0).size(), 100);
    assert_int_equal(b.m.sent.size(), 1);
}

void a_corrupt_payload_differs_in_one_byte_behind_the_headers(void **) {
    Bench b;
    b.fault("kind=corrupt-payload,dir=rx");
    b.fault("kind=corrupt-payload,dir=tx");
    const Bytes good = datagram(100);
    std::vector<std::size_t> places;
    for (unsigned i = 0; i < 20; ++i) {
        assert_true(deliver(b.m, good));
        const auto in = differences(b.received(i), good);
        assert_int_equal(in.size(), 1);
        assert_in_range(in[0], 42, 141);
        places.push_back(in[0]);
        b.send(1, i, good);
        const auto out = differences(b.m.sent[i], good);
        assert_int_equal(out.size(), 1);
        assert_in_range(out[0], 42, 141);
    }
    std::sort(places.begin(), places.end());
    assert_true(places.front() != places.back());
    assert_int_equal(b.m.eoe_reg(kEoeRxErrors), 20);
    // The packet in guest memory is as it was.
    assert_true(b.m.copy(b.tx(1).buffer(0), good.size()) == good);
    // Padding is not payload.
    Bytes little = datagram(1);
    little.resize(60);
    assert_true(deliver(b.m, little));
    assert_int_equal(differences(b.received(20), little).at(0), 42);
    // What is no IPv4 is taken for payload behind the Ethernet header; a frame
    // that ends there has none.
    b.send(1, 20, plain_frame(64));
    assert_int_equal(differences(b.m.sent.at(20), plain_frame(64)).size(), 1);
}

void a_corrupt_checksum_is_counted_by_the_engine(void **) {
    Bench b;
    b.fault("kind=corrupt-checksum,dir=rx,count=1");
    const Bytes good = datagram(100);
    assert_true(deliver(b.m, good));
    assert_int_equal(b.m.eoe_reg(kEoeRxErrors), 1);
    assert_int_equal(b.m.eoe_reg(kEoeNonGro), 1); // it goes up all the same
    Bytes wrong = good;
    wrong[40] ^= 0x55;
    wrong[41] ^= 0x55;
    assert_true(b.received(0) == wrong);

    b.fault("kind=corrupt-checksum,dir=rx,checksum=ip,count=1");
    assert_true(deliver(b.m, good));
    assert_int_equal(b.m.eoe_reg(kEoeRxErrors), 2);
    wrong = good;
    wrong[24] ^= 0x55;
    wrong[25] ^= 0x55;
    assert_true(b.received(1) == wrong);

    b.fault("kind=corrupt-checksum,dir=tx,count=1");
    b.send(1, 0, good);
    b.send(1, 1, good);
    assert_true(b.m.sent[0] != good && b.m.sent[1] == good);
}

void a_corrupt_checksum_is_never_the_one_that_means_none(void **) {
    Bench b;
    b.fault("kind=corrupt-checksum,dir=rx");
    Bytes frame = datagram(100);
    frame[40] = 0x55; // flipped the usual way it would be zero
    frame[41] = 0x55;
    assert_true(deliver(b.m, frame));
    assert_int_equal(b.received(0)[40], 0xFF);
    assert_int_equal(b.received(0)[41], 0xFF);
    assert_int_equal(b.m.eoe_reg(kEoeRxErrors), 1);
}

void a_truncated_frame_keeps_its_front(void **) {
    Bench b;
    b.fault("kind=truncate,dir=rx,bytes=70,count=1");
    b.fault("kind=truncate,dir=tx,count=1");
    const Bytes good = datagram(100);
    assert_true(deliver(b.m, good));
    assert_true(b.received(0) == Bytes(good.begin(), good.begin() + 70));
    b.send(1, 0, good);
    assert_true(b.m.sent.at(0) == Bytes(good.begin(), good.begin() + 71));
    // Below the minimum the MAC drops it.
    b.fault("kind=truncate,dir=rx,bytes=30,count=1");
    assert_true(deliver(b.m, good));
    b.m.tick();
    assert_int_equal(b.m.stat(kRxUndersize), 1);
    assert_int_equal(b.rx_status(1), 0);
    // One that is shorter already does not use the rule up.
    b.fault("kind=truncate,dir=rx,bytes=100,count=1");
    assert_true(deliver(b.m, plain_frame(100)));
    assert_true(b.list().find("rule=4 fired=0") != std::string::npos);
}

void a_duplicate_comes_twice(void **) {
    Bench b;
    b.fault("kind=duplicate,dir=rx,count=1");
    b.fault("kind=duplicate,dir=tx,count=1");
    assert_true(deliver(b.m, plain_frame(100)));
    assert_true(b.received(0) == plain_frame(100));
    assert_true(b.received(1) == plain_frame(100));
    b.send(1, 0, plain_frame(90));
    assert_int_equal(b.m.sent.size(), 2);
    assert_true(b.m.sent[1] == plain_frame(90));
    b.m.tick();
    assert_int_equal(b.m.stat(kRxTotal), 2);
}

void rules_add_up(void **) {
    Bench b;
    b.fault("kind=truncate,dir=rx,bytes=80");
    b.fault("kind=corrupt-payload,dir=rx");
    b.fault("kind=duplicate,dir=rx");
    assert_true(deliver(b.m, plain_frame(1000)));
    assert_int_equal(b.received(0).size(), 80);
    assert_true(b.received(0) == b.received(1));
    assert_true(b.received(0) != plain_frame(80));
}

void a_bad_fcs_is_counted_and_dropped(void **) {
    Bench b;
    b.fault("kind=bad-fcs,count=1");
    assert_true(deliver(b.m, plain_frame(100)));
    assert_true(deliver(b.m, plain_frame(100)));
    b.m.tick();
    assert_int_equal(b.m.stat(kRxTotal), 2);
    assert_int_equal(b.m.stat(kRxGood), 1);
    assert_int_equal(b.m.stat(kRxBadFcs), 1);
    assert_int_equal(b.m.stat(kRxPacketBadFcs), 1);
    assert_int_equal(b.received(0).size(), 100);
    assert_int_equal(b.rx_status(1), 0);
}

void faults_reach_frames_in_loopback(void **) {
    Bench b;
    b.m.mac(0x008, 0xC0000003);
    b.fault("kind=corrupt-payload,dir=tx,count=1");
    b.fault("kind=truncate,dir=rx,bytes=80,count=1");
    b.send(1, 0, plain_frame(200));
    assert_int_equal(b.received(0).size(), 80);
}

// Descriptors: error name, bit of ERR, bit of the status word or 0 where none is written.

struct BdCase {
    const char *name;
    std::uint32_t err;
    std::uint32_t status;
};
constexpr BdCase kBdCases[] = {
    {"dma-internal", 0x01, 0x90000000},
    {"dma-slave", 0x02, 0xA0000000},
    {"dma-decode", 0x04, 0xC0000000},
    {"sg-internal", 0x10, 0},
    {"sg-slave", 0x20, 0},
    {"sg-decode", 0x40, 0},
};

void transmit_descriptor_errors(void **) {
    for (const BdCase &c : kBdCases) {
        Bench b;
        b.fault((std::string("kind=bd-error,dir=mm2s,channel=2,count=1,error=") + c.name).c_str());
        b.send(1, 0, plain_frame(100)); // another channel
        assert_int_equal(b.m.sent.size(), 1);
        b.send(2, 0, plain_frame(100));
        assert_int_equal(b.m.sent.size(), 1);
        assert_int_equal(b.m.dma(kMm2sErr), c.err);
        assert_int_equal(b.m.dma(kMm2sCcr), 0);
        assert_int_equal(b.m.dma(kMm2sCsr), 0x1);
        assert_int_equal(b.tx_status(2, 0), c.status);
        assert_int_equal(b.causes(2), 0x80);
        assert_int_equal(b.causes(1) & 0x88, 0x08);
        assert_true(b.line(2));
        assert_int_equal(b.m.dma(kS2mmErr), 0);
        b.m.dma(kMm2sCcr, 4);
        assert_int_equal(b.m.dma(kMm2sErr), 0);
        b.start(2);
        b.send(2, 0, plain_frame(100));
        assert_int_equal(b.m.sent.size(), 2);
    }
}

void receive_descriptor_errors(void **) {
    for (const BdCase &c : kBdCases) {
        Bench b;
        b.fault((std::string("kind=bd-error,dir=s2mm,channel=1,count=1,error=") + c.name).c_str());
        // The first descriptor was fetched before the rule came, so errors of
        // fetching hit the second.
        for (int i = 0; i < 2; ++i) {
            (void)deliver(b.m, plain_frame(100));
        }
        const unsigned hit = (c.err & 0x06) != 0 ? 0 : 1;
        assert_int_equal(b.m.dma(kS2mmErr), c.err);
        assert_int_equal(b.m.dma(kS2mmCcr), 0);
        assert_int_equal(b.m.dma(kS2mmCsr), 0x1);
        assert_int_equal(b.rx_status(hit), c.status);
        assert_int_equal(b.m.dma(s2mm(1, kSr)) & 0x88, 0x80);
        assert_int_equal(b.m.dma(s2mm(2, kSr)) & 0x88, 0x08);
        assert_int_equal(b.m.dma(kMm2sErr), 0);
        b.m.dma(kS2mmCcr, 4);
        b.start(1);
        assert_true(deliver(b.m, plain_frame(100)));
        assert_int_equal(b.received(0).size(), 100);
    }
}

// Interrupts

void a_lost_interrupt_comes_with_the_next_cause(void **) {
    Bench b;
    b.fault("kind=irq-lost,dir=mm2s,channel=1,count=1");
    b.send(1, 0, plain_frame(100));
    assert_int_equal(b.causes(1), 0x20);
    assert_int_equal(b.m.dma(0x28), 1); // the registers say so, the line does not
    assert_false(b.line(1));
    b.m.advance(seconds{10});
    assert_false(b.line(1));
    b.send(2, 0, plain_frame(100)); // somebody else's
    assert_true(b.line(2));
    assert_false(b.line(1));
    b.send(1, 1, plain_frame(100));
    assert_true(b.line(1));
    b.m.dma(mm2s(1, kSr), 0x20);
    assert_false(b.line(1));
}

void a_lost_interrupt_is_over_when_its_cause_is(void **) {
    Bench b;
    b.fault("kind=irq-lost,dir=mm2s,channel=1,count=1");
    b.send(1, 0, plain_frame(100));
    b.m.dma(mm2s(1, kSr), 0x20); // a poll found it
    b.send(1, 1, plain_frame(100));
    assert_true(b.line(1));
}

void a_line_that_is_up_loses_nothing(void **) {
    Bench b;
    b.send(1, 0, plain_frame(100));
    assert_true(b.line(1));
    b.fault("kind=irq-lost,dir=mm2s");
    assert_true(b.line(1));
    b.send(1, 1, plain_frame(100));
    assert_true(b.line(1));
    assert_true(b.list().find("fired=0") != std::string::npos);
}

void clearing_gives_lost_interrupts_back(void **) {
    Bench b;
    b.fault("kind=irq-lost,dir=mm2s");
    b.send(1, 0, plain_frame(100));
    b.send(1, 1, plain_frame(100));
    assert_false(b.line(1));
    b.clear();
    assert_true(b.line(1));
}

void a_late_interrupt_comes_after_its_time(void **) {
    Bench b;
    b.fault("kind=irq-late,dir=mm2s,channel=1,hold=250us,count=1");
    b.send(1, 0, plain_frame(100));
    assert_int_equal(b.causes(1), 0x20);
    b.m.advance(microseconds{249});
    assert_false(b.line(1));
    b.m.advance(microseconds{2});
    assert_true(b.line(1));
    b.m.dma(mm2s(1, kSr), 0x20);
    b.send(1, 1, plain_frame(100));
    assert_true(b.line(1));
}

void a_spurious_interrupt_ends_when_software_looks(void **) {
    Bench b;
    b.fault("kind=irq-spurious,dir=mm2s,channel=3,count=2,every=1s,after=1ms,hold=10ms");
    b.m.advance(microseconds{999});
    assert_false(b.line(3));
    b.m.advance(microseconds{2});
    assert_true(b.line(3));
    assert_int_equal(b.m.dma(0x28), 0);
    assert_true(b.line(3));
    assert_int_equal(b.m.dma(mm2s(3, kSr)), 0x1);
    assert_false(b.line(3));
    b.m.advance(seconds{1}); // the second; nobody looks
    assert_true(b.line(3));
    b.m.advance(milliseconds{10});
    assert_false(b.line(3));
    b.m.advance(seconds{5});
    assert_false(b.line(3));
    assert_true(b.list().find("fired=2 state=ended") != std::string::npos);
    assert_true(b.m.deadline == eoe::kNever);
}

void periods_slept_through_are_not_made_up_for(void **) {
    Bench b;
    b.fault("kind=irq-spurious,dir=mm2s,channel=3,every=1us");
    b.m.time += std::chrono::hours{1};
    b.m.settle();
    assert_true(b.list().find("fired=1 ") != std::string::npos);
}

// Channels and doorbells

void a_stalled_channel_waits_and_the_others_go_on(void **) {
    Bench b;
    b.fault("kind=stall,dir=mm2s,channel=1,hold=3ms,count=1");
    b.send(1, 0, plain_frame(100));
    b.send(2, 0, plain_frame(100));
    assert_int_equal(b.tx_status(1, 0), 0);
    assert_int_equal(b.tx_status(2, 0), 0x80000064);
    assert_int_equal(b.m.dma(mm2s(1, kSr)) & 1, 0);
    assert_int_equal(b.m.dma(kMm2sCsr), 0);
    b.m.advance(milliseconds{2});
    assert_int_equal(b.tx_status(1, 0), 0);
    b.m.advance(milliseconds{1});
    assert_int_equal(b.tx_status(1, 0), 0x80000064);
    assert_int_equal(b.m.sent.size(), 2);
}

void a_stall_without_end_is_cured_by_a_reset(void **) {
    Bench b;
    b.fault("kind=stall,dir=mm2s,count=1");
    b.send(1, 0, plain_frame(100));
    b.m.advance(seconds{100});
    b.send(1, 1, plain_frame(100));
    assert_int_equal(b.m.sent.size(), 0);
    assert_true(b.m.deadline == eoe::kNever);
    b.m.dma(kMm2sCcr, 4);
    b.start(1);
    b.send(1, 0, plain_frame(100));
    assert_int_equal(b.m.sent.size(), 1);
}

void a_stalled_receive_channel_holds_frames_back(void **) {
    Bench b;
    b.fault("kind=stall,dir=s2mm,channel=1,for=5ms");
    b.m.dma64(s2mm(1, kTail), b.rx(1).bd(63));
    assert_true(deliver(b.m, plain_frame(100)));
    assert_int_equal(b.rx_status(0), 0);
    assert_false(b.m.port->receive(plain_frame(100)));
    const int before = b.m.rx_readies;
    b.m.advance(milliseconds{5});
    assert_int_equal(b.received(0).size(), 100);
    assert_int_equal(b.m.rx_readies, before + 1);
    assert_int_equal(b.m.dma(kS2mmDrop), 0);
}

void work_is_done_before_the_doorbell_write_returns(void **) {
    Bench b;
    const Ring ring = b.tx(1);
    ring.transmit(0, plain_frame(100), kSof | kEof, 0, kApp1Untouched);
    ring.transmit(1, plain_frame(100), kSof | kEof, 0, kApp1Untouched);
    b.m.dma(mm2s(1, kTail), static_cast<std::uint32_t>(ring.bd(0)));
    b.m.dma(mm2s(1, kTail + 4), 0);
    assert_int_equal(b.tx_status(1, 0), 0); // later, as a rule
    b.m.settle();
    b.fault("kind=sync,dir=mm2s,channel=1,count=1");
    b.m.dma(mm2s(1, kTail), static_cast<std::uint32_t>(ring.bd(1)));
    assert_int_equal(b.tx_status(1, 1), 0); // the low half triggers nothing
    b.m.dma(mm2s(1, kSr), 0x20);
    assert_false(b.line(1));
    b.m.dma(mm2s(1, kTail + 4), 0);
    assert_int_equal(b.tx_status(1, 1), 0x80000064);
    assert_true(b.line(1));
    assert_int_equal(b.m.sent.size(), 2);
    b.m.settle();
}

// Link, resets, engine

void block_lock_goes_and_comes_back(void **) {
    Bench b;
    (void)b.m.mac(kBlockLock);
    assert_int_equal(b.m.mac(kBlockLock), 1);
    b.fault("kind=block-lock,after=1ms,hold=2ms");
    b.m.advance(microseconds{1500});
    assert_int_equal(b.m.mac(kBlockLock), 0);
    assert_int_equal(b.m.mac(0x404) & 0xC0, 0xC0); // local fault, internal too
    assert_true(deliver(b.m, plain_frame(100)));   // lost
    assert_int_equal(b.rx_status(0), 0);
    b.m.advance(milliseconds{2});
    assert_int_equal(b.m.mac(kBlockLock), 0); // latched
    assert_int_equal(b.m.mac(kBlockLock), 1);
    assert_true(deliver(b.m, plain_frame(100)));
    assert_int_equal(b.received(0).size(), 100);
}

void a_loss_nobody_watched_is_latched(void **) {
    Bench b;
    (void)b.m.mac(kBlockLock);
    b.fault("kind=block-lock,hold=10us");
    b.m.advance(milliseconds{1});
    assert_int_equal(b.m.mac(kBlockLock), 0);
    assert_int_equal(b.m.mac(kBlockLock), 1);
}

void clearing_brings_block_lock_back(void **) {
    Bench b;
    b.fault("kind=block-lock");
    b.m.settle();
    (void)b.m.mac(kBlockLock);
    assert_int_equal(b.m.mac(kBlockLock), 0);
    b.clear();
    b.m.settle();
    (void)b.m.mac(kBlockLock);
    assert_int_equal(b.m.mac(kBlockLock), 1);
    b.m.advance(seconds{1});
    assert_true(b.m.deadline == eoe::kNever);
}

void a_slow_reset_ends_by_itself(void **) {
    Bench b;
    b.fault("kind=dma-reset,hold=20ms,count=1");
    b.m.dma(kMm2sCcr, 4);
    assert_int_equal(b.m.dma(kMm2sCcr), 0x4);
    assert_int_equal(b.m.dma(kS2mmCcr), 0x4);
    b.m.dma(kMm2sCcr, 1);       // ignored
    b.m.dma(kMm2sChen, 0xFFFF); // so is this
    b.m.advance(milliseconds{19});
    assert_int_equal(b.m.dma(kMm2sCcr), 0x4);
    b.m.advance(milliseconds{1});
    assert_int_equal(b.m.dma(kMm2sCcr), 0);
    assert_int_equal(b.m.dma(kMm2sChen), 0);
    b.start(1);
    b.send(1, 0, plain_frame(100));
    assert_int_equal(b.m.sent.size(), 1);
}

void a_stuck_reset_is_cured_by_the_next(void **) {
    Bench b;
    b.fault("kind=dma-reset,count=2");
    b.m.dma(kS2mmCcr, 4);
    b.m.advance(seconds{100});
    assert_int_equal(b.m.dma(kS2mmCcr), 0x4);
    b.m.dma(kS2mmCcr, 4);
    assert_int_equal(b.m.dma(kS2mmCcr), 0x4);
    b.m.dma(kS2mmCcr, 4);
    assert_int_equal(b.m.dma(kS2mmCcr), 0);
}

void the_transceivers_stay_in_reset(void **) {
    Bench b;
    assert_int_equal(b.m.mac(kGtStatus), 0x3);
    b.fault("kind=gt-reset,hold=50ms,count=1");
    b.m.mac(0x000, 1);
    b.m.mac(0x000, 0);
    assert_int_equal(b.m.mac(kGtStatus), 0);
    (void)b.m.mac(kBlockLock);
    assert_int_equal(b.m.mac(kBlockLock), 0);
    b.m.advance(milliseconds{49});
    assert_int_equal(b.m.mac(kGtStatus), 0);
    b.m.advance(milliseconds{1});
    assert_int_equal(b.m.mac(kGtStatus), 0x3);
    (void)b.m.mac(kBlockLock);
    assert_int_equal(b.m.mac(kBlockLock), 1);
    b.m.mac(0x000, 1);
    b.m.mac(0x000, 0);
    assert_int_equal(b.m.mac(kGtStatus), 0x3);
}

void a_gro_port_stays_busy(void **) {
    Bench b;
    const auto control = [&b](unsigned k, std::uint32_t value) { b.m.eoe_reg(0x40 * k, value); };
    const auto busy = [&b](unsigned k) { return b.m.eoe_reg(0x40 * k + 4); };
    b.fault("kind=gro-busy,port=2,hold=5ms,count=1");
    for (unsigned k = 1; k <= 2; ++k) {
        control(k, 0x11000001);
        assert_int_equal(busy(k), 0);
        control(k, 0x11000000);
        assert_int_equal(busy(k), k == 2 ? 1 : 0);
    }
    b.m.advance(milliseconds{5});
    assert_int_equal(busy(2), 0);
    // Without end: until the reset that reaches the engine's streams.
    b.fault("kind=gro-busy,count=1");
    control(1, 0x11000001);
    control(1, 0x11000000);
    b.m.advance(seconds{10});
    assert_int_equal(busy(1), 1);
    b.m.dma(kMm2sCcr, 4);
    assert_int_equal(busy(1), 0);
}

void a_port_that_is_gone_answers_nothing_and_stands_still(void **) {
    Bench b;
    b.fault("kind=gone,hold=2ms");
    b.m.settle();
    assert_int_equal(b.m.dma(kMm2sCcr), 0xFFFFFFFF);
    assert_int_equal(b.m.mac(kBlockLock), 0xFFFFFFFF);
    assert_int_equal(b.m.eoe_reg(kEoeNonGro), 0xFFFFFFFF);
    // Neither a frame nor a descriptor nor a reset gets in.
    assert_false(deliver(b.m, plain_frame(100)));
    b.send(1, 0, plain_frame(100));
    b.m.dma(kMm2sCcr, 4);
    b.m.tick();
    assert_int_equal(b.m.sent.size(), 0);
    assert_int_equal(b.tx_status(1, 0), 0);
    b.m.advance(milliseconds{2});
    // It goes on where it stood: still running, and the doorbell was not heard.
    assert_int_equal(b.m.dma(kMm2sCcr), 1);
    assert_int_equal(b.m.sent.size(), 0);
    assert_true(deliver(b.m, plain_frame(100)));
    assert_int_equal(b.received(0).size(), 100);
    b.send(1, 1, plain_frame(100));
    b.m.tick();
    assert_int_equal(b.m.sent.size(), 2);
}

void removing_the_rule_brings_the_port_back(void **) {
    Bench b;
    b.fault("kind=gone");
    b.m.advance(seconds{10});
    assert_int_equal(b.m.dma(kMm2sCcr), 0xFFFFFFFF);
    b.clear();
    b.m.settle();
    assert_int_equal(b.m.dma(kMm2sCcr), 1);
    b.fault("kind=gone");
    b.m.settle();
    assert_int_equal(b.m.dma(kMm2sCcr), 0xFFFFFFFF);
    b.m.port->reset();
    assert_int_equal(b.m.dma(kMm2sCcr), 0);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(dropped_frames_are_seen_by_nobody),
        cmocka_unit_test(a_corrupt_payload_differs_in_one_byte_behind_the_headers),
        cmocka_unit_test(a_corrupt_checksum_is_counted_by_the_engine),
        cmocka_unit_test(a_corrupt_checksum_is_never_the_one_that_means_none),
        cmocka_unit_test(a_truncated_frame_keeps_its_front),
        cmocka_unit_test(a_duplicate_comes_twice),
        cmocka_unit_test(rules_add_up),
        cmocka_unit_test(a_bad_fcs_is_counted_and_dropped),
        cmocka_unit_test(faults_reach_frames_in_loopback),
        cmocka_unit_test(transmit_descriptor_errors),
        cmocka_unit_test(receive_descriptor_errors),
        cmocka_unit_test(a_lost_interrupt_comes_with_the_next_cause),
        cmocka_unit_test(a_lost_interrupt_is_over_when_its_cause_is),
        cmocka_unit_test(a_line_that_is_up_loses_nothing),
        cmocka_unit_test(clearing_gives_lost_interrupts_back),
        cmocka_unit_test(a_late_interrupt_comes_after_its_time),
        cmocka_unit_test(a_spurious_interrupt_ends_when_software_looks),
        cmocka_unit_test(periods_slept_through_are_not_made_up_for),
        cmocka_unit_test(a_stalled_channel_waits_and_the_others_go_on),
        cmocka_unit_test(a_stall_without_end_is_cured_by_a_reset),
        cmocka_unit_test(a_stalled_receive_channel_holds_frames_back),
        cmocka_unit_test(work_is_done_before_the_doorbell_write_returns),
        cmocka_unit_test(block_lock_goes_and_comes_back),
        cmocka_unit_test(a_loss_nobody_watched_is_latched),
        cmocka_unit_test(clearing_brings_block_lock_back),
        cmocka_unit_test(a_slow_reset_ends_by_itself),
        cmocka_unit_test(a_stuck_reset_is_cured_by_the_next),
        cmocka_unit_test(the_transceivers_stay_in_reset),
        cmocka_unit_test(a_gro_port_stays_busy),
        cmocka_unit_test(a_port_that_is_gone_answers_nothing_and_stands_still),
        cmocka_unit_test(removing_the_rule_brings_the_port_back),
    };
    return unit::run_group("fault_effects", tests);
}
