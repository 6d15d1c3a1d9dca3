// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every value of the MCDMA's build parameters (PG288, customization parameters):
// what a guest sees of each.
#include "harness.hpp"
#include "oracle.hpp"

namespace {

using namespace unit;

constexpr std::uint32_t kRxStatus = 0x18, kTxStatus = 0x1C;

void every_address_width(void **) {
    for (std::uint32_t width = 32; width <= 64; ++width) {
        eoe::Config config = eoe::default_config();
        config.addr_width = width;
        Machine m(config);
        const std::uint32_t upper = width == 64   ? 0xFFFFFFFF
                                    : width == 32 ? 0
                                                  : (1U << (width - 32)) - 1;
        for (const std::uint32_t pointer :
             {mm2s(1, kCur), mm2s(16, kTail), s2mm(1, kCur), s2mm(16, kTail)}) {
            m.dma(pointer, 0xFFFFFFFF);
            m.dma(pointer + 4, 0xFFFFFFFF);
            assert_int_equal(m.dma(pointer), 0xFFFFFFC0);
            assert_int_equal(m.dma(pointer + 4), upper);
        }
        // A ring above 4 GiB where the address bits reach it (its 36th is the highest).
        const std::uint64_t ram = width >= 36 ? kRamHigh : kRam;
        const Ring ring{m, ram + 0x2000, ram + 0x100000, 0x2000, 4};
        ring.link();
        start_tx(m, 1, ring);
        ring.transmit(0, plain_frame(100), kSof | kEof, 0, kApp1Untouched);
        m.dma(mm2s(1, kTail), static_cast<std::uint32_t>(ring.bd(0)));
        m.settle();
        assert_int_equal(m.sent.size(), width == 32 ? 1 : 0);
        m.dma(mm2s(1, kTail) + 4, static_cast<std::uint32_t>(ring.bd(0) >> 32));
        m.settle();
        assert_int_equal(m.sent.size(), 1);
        assert_int_equal(ring.get(0, kTxStatus), 0x80000064);
    }
}

void every_length_width(void **) {
    for (std::uint32_t width = 8; width <= 26; ++width) {
        eoe::Config config = eoe::default_config();
        config.sg_length_width = width;
        Machine m(config);
        // The bit above the field (of 26: the first reserved one) is not looked at.
        const std::uint32_t above = 1U << width;
        const Ring tx = tx_ring(m);
        const Ring rx = rx_ring(m);
        tx.link();
        rx.receive();
        start_tx(m, 1, tx);
        tx.transmit(0, plain_frame(100), kSof | kEof | above, 0, kApp1Untouched);
        m.dma64(mm2s(1, kTail), tx.bd(0));
        m.settle();
        assert_int_equal(m.sent.size(), 1);
        assert_int_equal(m.sent[0].size(), 100);
        assert_int_equal(tx.get(0, kTxStatus), 0x80000064);
        rx.set(0, 0x14, above | 200);
        rx.set(1, 0x14, above | 200);
        start_rx(m, 1, rx, 1);
        assert_true(deliver(m, plain_frame(250)));
        assert_int_equal(rx.get(0, kRxStatus), 0x880000C8);
        assert_int_equal(rx.get(1, kRxStatus), 0x84000032);
        // The longest buffer the field can say that fits into memory.
        const std::uint32_t longest = std::min(above - 1, 0x1000U);
        m.dma(kMm2sCcr, 4);
        rx.receive();
        rx.set(0, 0x14, longest);
        start_rx(m, 1, rx, 0);
        assert_true(deliver(m, plain_frame(longest)));
        assert_int_equal(rx.get(0, kRxStatus), 0x8C000000 | longest);
    }
}

void every_number_of_channels(void **) {
    for (unsigned count = 1; count <= 16; ++count) {
        eoe::Config config = eoe::default_config();
        config.num_mm2s_channels = count;
        config.num_s2mm_channels = count;
        config.eoe_rx_gro = count > 1;
        config.eoe_gro_ports = count > 1 ? count - 1 : 1;
        Machine m(config);
        m.dma(kMm2sChen, 0xFFFF);
        m.dma(kS2mmChen, 0xFFFF);
        const std::uint32_t built = (1U << count) - 1;
        assert_int_equal(m.dma(kMm2sChen), built);
        assert_int_equal(m.dma(kS2mmChen), built);
        for (unsigned n = 1; n <= 16; ++n) {
            m.dma(mm2s(n, kCr), 0x00420000);
            m.dma(s2mm(n, kCr), 0x00430000);
            assert_int_equal(m.dma(mm2s(n, kCr)), n <= count ? 0x00420000 : 0);
            assert_int_equal(m.dma(s2mm(n, kCr)), n <= count ? 0x00430000 : 0);
        }
        // The last channel sends, and receives what its GRO port or nobody's matches.
        const Ring tx = tx_ring(m, count);
        const Ring rx = rx_ring(m, count);
        tx.link();
        rx.receive();
        start_tx(m, count, tx);
        send(m, count, tx, 0, plain_frame(80));
        assert_int_equal(m.sent.size(), 1);
        start_rx(m, count, rx, 15);
        oracle::Datagram g;
        g.payload.assign(100, 0x5A);
        if (count > 1) {
            const std::uint32_t block = 0x40 * (count - 1);
            m.eoe_reg(block + 0x0C, 0x0A0A0002);
            m.eoe_reg(block + 0x10, 5101U << 16);
            m.eoe_reg(block + 0x00, 0x11000001);
        }
        assert_true(deliver(m, oracle::frame_of(g)));
        assert_int_equal(rx.get(0, kRxStatus), count > 1 ? 0x8C00002A : 0x8C00008E);
        assert_true(m.irq(eoe::Dir::mm2s, count));
        assert_true(m.irq(eoe::Dir::s2mm, count));
    }
}

void length_in_app4(void **) {
    struct Case {
        std::uint32_t width;
        std::size_t bytes;
        std::uint32_t app4;
    };
    // As many bits as the length field, 16 at most.
    for (const Case &c : {Case{26, 1500, 1500}, Case{8, 0x1FF, 0xFF}, Case{8, 0x201, 0x01}}) {
        eoe::Config config = eoe::default_config();
        config.stsapp_length = true;
        config.sg_length_width = c.width;
        Machine m(config);
        const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 0x80, 16};
        ring.receive();
        for (unsigned i = 0; i < 16; ++i) {
            ring.set(i, 0x30, 0x11111111);
        }
        start_rx(m, 1, ring, 15);
        assert_true(deliver(m, plain_frame(c.bytes)));
        const auto last = static_cast<unsigned>((c.bytes - 1) / 0x80);
        assert_int_equal(ring.get(last, kRxStatus) >> 26, 0x21); // complete, EOF
        assert_int_equal(ring.get(last, 0x30), c.app4);
        assert_int_equal(ring.get(0, 0x30), 0);
    }
    Machine without;
    const Ring ring = rx_ring(without);
    ring.receive();
    ring.set(0, 0x30, 0x11111111);
    start_rx(without, 1, ring, 15);
    assert_true(deliver(without, plain_frame(100)));
    assert_int_equal(ring.get(0, 0x30), 0);
}

void weights_of_channels_9_to_16(void **) {
    Machine m;
    m.dma(0x14, 1);
    m.dma(0x18, 0xFFFFFFFF); // of the channels 1 to 8, which have nothing
    m.dma(0x1C, 0x30000002); // channel 9: 2, channel 16: 3
    m.dma(kMm2sCcr, 1);
    for (const unsigned n : {9U, 16U}) {
        const Ring ring{m, kRam + 0x2000ULL * n, kRam + 0x100000 + 0x2000ULL * n, 0x200, 8};
        ring.link();
        for (unsigned i = 0; i < 8; ++i) {
            ring.transmit(i, plain_frame(100 + n), kSof | kEof, 0, kApp1Untouched);
        }
        m.dma64(mm2s(n, kCur), ring.bd(0));
        m.dma(mm2s(n, kCr), kCrRun);
        m.dma64(mm2s(n, kTail), ring.bd(7));
    }
    m.dma(kMm2sChen, 0xFFFF);
    m.settle();
    assert_int_equal(m.sent.size(), 16);
    constexpr std::array<unsigned, 12> order = {9, 9, 16, 16, 16, 9, 9, 16, 16, 16, 9, 9};
    for (std::size_t i = 0; i < order.size(); ++i) {
        assert_int_equal(m.sent[i].size(), 100 + order[i]);
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(every_address_width),         cmocka_unit_test(every_length_width),
        cmocka_unit_test(every_number_of_channels),    cmocka_unit_test(length_in_app4),
        cmocka_unit_test(weights_of_channels_9_to_16),
    };
    return unit::run_group("builds", tests);
}
