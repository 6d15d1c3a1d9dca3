// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random packets with random control words through the whole transmit side,
// every frame held against the oracle. EOE_SEED and EOE_PACKETS: random.hpp.
#include "harness.hpp"
#include "oracle.hpp"
#include "random.hpp"

#include <algorithm>

namespace {

using namespace unit;

struct Words {
    std::uint32_t app0 = 0, app1 = 0;
};

/// Control words for a packet: right ones, wrong ones, and noise.
Words random_words(Random &r, std::size_t bytes, std::uint32_t header) {
    Words w;
    const std::uint32_t kind = r.below(10);
    const auto total = static_cast<std::uint32_t>(bytes < 14 ? 0 : bytes - 14);
    if (kind < 5) {
        const auto payload = static_cast<std::uint32_t>(bytes > header ? bytes - header : 1);
        // Segment sizes with every kind of tail: none, one byte, one too few.
        const std::uint32_t count = r.between(1, std::min<std::uint32_t>(payload, 8));
        std::uint32_t segment = payload / count;
        switch (r.below(4)) {
        case 0:
            segment = std::max<std::uint32_t>(1, (payload - 1) / count);
            break;
        case 1:
            segment = (payload + 1) / count;
            break;
        case 2:
            segment = r.between(std::max<std::uint32_t>(1, payload / 8), payload);
            break;
        default:
            break;
        }
        const std::uint32_t mss = std::min<std::uint32_t>(segment + header - 14, 0x3FFF);
        w = {header << 24 | total, mss << 16 | 0x0400 | (r.one_in(2) ? 0x80U : 0U)};
        if (r.one_in(8)) { // one wrong bit
            (r.one_in(2) ? w.app0 : w.app1) ^= 1U << r.below(32);
        }
    } else if (kind < 8) {
        w = {0, kApp1Checksum};
    } else if (kind == 8) {
        w = {0, kApp1Untouched};
    } else {
        w = {static_cast<std::uint32_t>(r.next()), static_cast<std::uint32_t>(r.next())};
        if (r.one_in(2)) {
            w = {(w.app0 & 0xFF000000) | total, w.app1 & ~3U};
        }
    }
    return w;
}

/// Spread a packet over one to four descriptors, at any alignment.
unsigned queue_packet(Random &r, const Ring &ring, unsigned slot, const Bytes &packet,
                      const Words &w) {
    const unsigned pieces = 1 + r.below(std::min<std::size_t>(packet.size(), r.one_in(4) ? 4 : 1));
    std::size_t from = 0;
    for (unsigned i = 0; i < pieces; ++i, ++slot) {
        const std::size_t left = packet.size() - from;
        const std::size_t most = left - (pieces - 1 - i);
        const std::size_t bytes = i + 1 == pieces ? left : 1 + r.below(most);
        const std::uint64_t at = ring.buffer(slot) + r.below(8);
        ring.m.fill(at, std::span{packet}.subspan(from, bytes));
        ring.set(slot, 0x08, static_cast<std::uint32_t>(at));
        ring.set(slot, 0x14,
                 (i == 0 ? kSof : 0) | (i + 1 == pieces ? kEof : 0) |
                     static_cast<std::uint32_t>(bytes));
        ring.set(slot, 0x1C, 0);
        ring.set(slot, 0x20, i == 0 ? w.app0 : 0xFFFFFFFF); // later words must not matter
        ring.set(slot, 0x24, i == 0 ? w.app1 : 0xFFFFFFFF);
        from += bytes;
    }
    return pieces;
}

void transmit(void **) {
    print_seed();
    Random r(seed());
    Machine m;
    m.keep_errors = false;
    const Ring ring{m, kRam + 0x2000, kRam + 0x100000, 0x20000, 16};
    ring.link();
    start_tx(m, 1, ring);
    std::uint64_t errors = 0;
    std::uint64_t frames = 0;
    std::uint64_t bytes = 0;
    unsigned slot = 0;
    for (std::uint64_t i = 0; i < packets(); ++i) {
        std::uint32_t header = 0;
        const std::uint32_t payload = r.one_in(2000) ? r.below(65507) : payload_size(r);
        Bytes packet = random_packet(r, payload, header);
        const Words w = random_words(r, packet.size(), header);
        auto expected = oracle::transmit(packet, w.app0, w.app1);
        // A whole frame of any length passes the engine; the wire takes 16 KiB.
        std::erase_if(expected.frames, [](const Bytes &f) { return f.size() > XEOE_MAX_FRAME; });

        slot += queue_packet(r, ring, slot, packet, w);
        m.sent.clear();
        m.dma64(mm2s(1, kTail), ring.bd(slot - 1));
        m.settle();

        if (m.sent.size() != expected.frames.size()) {
            give_up("number of frames", i, packet,
                    std::to_string(expected.frames.size()) + " expected, got " +
                        std::to_string(m.sent.size()));
        }
        for (std::size_t f = 0; f < m.sent.size(); ++f) {
            if (m.sent[f] != expected.frames[f]) {
                give_up("frame", i, packet, oracle::difference(expected.frames[f], m.sent[f]));
            }
            bytes += m.sent[f].size() + 4;
        }
        frames += expected.frames.size();
        errors += expected.counted_as_error ? 1 : 0;
        if (m.eoe_reg(0x04) != errors) {
            give_up("TX_ERROR_COUNT", i, packet, std::to_string(m.eoe_reg(0x04)));
        }
    }
    m.tick();
    assert_int_equal(m.stat(0x708), frames);
    assert_int_equal(m.stat(0x718), bytes);
    assert_int_equal(m.dma(mm2s(1, 0x18)), packets() & 0xFFFF);
    assert_int_equal(m.dma(kMm2sErr), 0);
    print_message("%llu packets became %llu frames, %llu were refused\n",
                  static_cast<unsigned long long>(packets()),
                  static_cast<unsigned long long>(frames), static_cast<unsigned long long>(errors));
    assert_true(packets() < 1000 || (errors > 0 && frames > packets()));
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(transmit),
    };
    return unit::run_group("properties_tx", tests);
}
