// SPDX-License-Identifier: GPL-2.0-or-later
//
// A guest that writes whatever it likes wherever it likes: nothing may crash,
// loop, or leave its bounds. EOE_SEED and EOE_PACKETS: random.hpp.
#include "harness.hpp"
#include "oracle.hpp"
#include "random.hpp"

#include <algorithm>

namespace {

using namespace unit;

constexpr std::uint64_t kPlayground = 64ULL * 1024; ///< descriptors and buffers, all noise

/// A descriptor somewhere in the playground that is at least half plausible.
void scribble(Random &r, Machine &m) {
    const std::uint64_t at = kRam + 64ULL * r.below(kPlayground / 64);
    std::array<std::uint8_t, 64> noise{};
    r.fill(noise.data(), noise.size());
    m.fill(at, noise);
    if (!r.one_in(8)) {
        m.word(at, static_cast<std::uint32_t>(kRam + 64ULL * r.below(kPlayground / 64)));
        m.word(at + 4, r.one_in(4) ? 8 : 0);
        m.word(at + 8, static_cast<std::uint32_t>(kRam + r.below(kPlayground)));
        m.word(at + 12, 0);
        m.word(at + 0x14, r.below(4) << 30 | r.below(r.one_in(16) ? 0x04000000 : 3000));
        m.word(at + 0x18, 0);
        m.word(at + 0x1C, 0);
    }
}

std::uint32_t likely_value(Random &r) {
    switch (r.below(5)) {
    case 0:
        return static_cast<std::uint32_t>(kRam + r.below(kPlayground));
    case 1:
        return 0x000100F9;
    case 2:
        return 1U << r.below(32);
    case 3:
        return r.below(4);
    default:
        return static_cast<std::uint32_t>(r.next());
    }
}

void hostile_guest(void **) {
    print_seed();
    Random r(seed());
    for (int build = 0; build < 20; ++build) {
        eoe::Config config = eoe::default_config();
        config.addr_width = r.one_in(3) ? 32 : 40;
        config.sg_length_width = r.between(8, 26);
        config.mm2s_dre = r.one_in(2);
        config.s2mm_dre = r.one_in(2);
        config.deliver_bad_frames = r.one_in(2);
        config.eoe = !r.one_in(5);
        Machine m(config);
        m.keep_errors = false;
        m.forget_status = r.one_in(2);
        for (std::uint64_t step = 0; step < packets() / 100; ++step) {
            scribble(r, m);
            const auto block = static_cast<eoe::Block>(r.below(3));
            const std::uint32_t window = block == eoe::Block::mcdma ? 0xA00 : 0x500;
            std::uint32_t value = 0;
            (void)m.port->write(block, 4 * r.below(window / 4), likely_value(r));
            (void)m.port->read(block, 4 * r.below(window / 4), value);
            if (r.one_in(2)) { // aim: a channel that runs
                const std::uint32_t channel =
                    r.one_in(2) ? mm2s(r.between(1, 16)) : s2mm(r.between(1, 16));
                m.dma64(channel + kCur, kRam + 64ULL * r.below(kPlayground / 64));
                m.dma(channel + kCr, 0x000100F9);
                m.dma64(channel + kTail, kRam + 64ULL * r.below(kPlayground / 64));
                m.dma(kMm2sChen, 0xFFFF);
                m.dma(kS2mmChen, 0xFFFF);
                m.dma(kMm2sCcr, 1);
                m.dma(kS2mmCcr, 1);
            }
            if (r.one_in(40)) {
                m.dma(kMm2sCcr, 4);
                m.mac(0x008, 0x40000003);
                m.mac(0x00C, 0x3003);
                m.mac(0x014, 0x33);
                m.mac(0x004, 0);
                m.mac(0x000, 0);
            }
            std::uint32_t header = 0;
            (void)m.port->receive(random_packet(r, payload_size(r), header));
            m.wire_full = r.one_in(4);
            if (r.one_in(3)) {
                m.port->tx_ready();
            }
            for (int slice = 0; slice < 4 && m.deadline != eoe::kNever; ++slice) {
                m.time = std::max(m.time, m.deadline);
                m.deadline = eoe::kNever;
                const std::uint64_t before = m.descriptor_reads;
                m.port->run();
                // Both directions, loopback included, stay within their slices.
                assert_true(m.descriptor_reads - before <= 256 + 16 + 130 * 288);
                assert_true(m.deadline > m.time);
            }
            m.sent.clear();
        }
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(hostile_guest),
    };
    return unit::run_group("hostile", tests);
}
