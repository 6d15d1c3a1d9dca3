// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random frames through the whole receive side: what the driver finds in its
// descriptors is what the oracle's merger foretells, and the counters add up.
// EOE_SEED and EOE_PACKETS: random.hpp.
#include "harness.hpp"
#include "oracle.hpp"
#include "random.hpp"

#include <algorithm>
#include <deque>

namespace {

using namespace unit;

constexpr unsigned kPorts = 4;
constexpr unsigned kRxSlots = 64;

/// What the driver side collects and what the oracle expects, side by side.
class Receiver {
public:
    Receiver(std::uint64_t start, const eoe::Config &config)
        : r(start), m(config), rules{.mix_sources = config.gro_mix_sources,
                                     .equal_size = config.gro_equal_size} {
        m.keep_errors = false;
        m.mac(0x018, 0x40000040);
        for (unsigned n = 1; n <= kPorts + 1; ++n) {
            const Ring ring = rings(n);
            ring.receive();
            start_rx(m, n, ring, kRxSlots - 1);
        }
        for (unsigned k = 1; k <= kPorts; ++k) {
            m.eoe_reg(0x40 * k + 0x0C, 0x0A0A0002);
            m.eoe_reg(0x40 * k + 0x10, (5100 + k) << 16);
            enable(k, true);
        }
        limits(16, 1);
        m.eoe_reg(0x14, kTimeout);
    }

    void step(std::uint64_t index) {
        if (r.one_in(50)) {
            change_something();
        }
        if (r.one_in(6)) {
            pass_time(r.one_in(4) ? 100'000 : r.below(2000));
        }
        frame_in(index);
        collect(index);
    }

    void finish(std::uint64_t count) {
        for (unsigned k = 1; k <= kPorts; ++k) {
            enable(k, false);
        }
        m.settle();
        collect(count);
        for (unsigned k = 1; k <= kPorts; ++k) {
            assert_int_equal(m.eoe_reg(0x40 * k + 0x14), merged_[k] & 0xFFFF);
            assert_int_equal(m.eoe_reg(0x40 * k + 0x04), 0);
        }
        assert_true(whole_.empty());
        assert_int_equal(m.eoe_reg(0x1C), errors_);
        assert_int_equal(m.eoe_reg(0x20), non_gro_);
        assert_int_equal(m.eoe_reg(0x24), merged_[1] + merged_[2] + merged_[3] + merged_[4]);
        assert_int_equal(m.eoe_reg(0x18), 0);
        assert_int_equal(m.dma(kS2mmDrop), 0);
        assert_int_equal(m.dma(kS2mmErr), 0);
        m.tick();
        assert_int_equal(m.stat(0x810), good_);
        print_message("%llu packets: %llu merged, %llu not, %llu with checksum errors\n",
                      static_cast<unsigned long long>(count),
                      static_cast<unsigned long long>(m.eoe_reg(0x24)),
                      static_cast<unsigned long long>(non_gro_),
                      static_cast<unsigned long long>(errors_));
        assert_true(count < 1000 || (errors_ > 0 && non_gro_ > 0 && merged_[1] > 0));
    }

private:
    static constexpr std::uint32_t kTimeout = 39; // 49920 ns

    [[nodiscard]] Ring rings(unsigned n) {
        return {m, kRam + 0x40000 + 0x2000ULL * n, kRam + 0x100000 + 0x40000ULL * n,
                n == 1 ? 2048U : 4096U, kRxSlots};
    }

    void enable(unsigned k, bool on) {
        m.eoe_reg(0x40 * k, 0x11000000 | (on ? 1 : 0));
        if (enabled_[k] && !on) {
            mergers_[k].end();
        }
        enabled_[k] = on;
        m.settle();
    }

    void limits(std::uint32_t fragments, std::uint32_t size) {
        rules.fragments = fragments;
        rules.fragment = size == 0 ? 2048 : 4096;
        checksum_on_ = !r.one_in(10);
        m.eoe_reg(0x10, fragments << 24 | size << 20 | 8 | (checksum_on_ ? 2 : 0));
    }

    void change_something() {
        switch (r.below(3)) {
        case 0:
            limits(r.one_in(2) ? 8 : 16, r.below(2));
            break;
        default:
            const unsigned k = r.between(1, kPorts);
            enable(k, !enabled_[k] || r.one_in(2));
            break;
        }
    }

    void pass_time(std::uint32_t ns) {
        m.advance(eoe::Nanos{ns});
        for (unsigned k = 1; k <= kPorts; ++k) {
            if (mergers_[k].open() && m.time >= due_[k]) {
                mergers_[k].end();
            }
        }
    }

    Bytes make_frame() {
        if (r.one_in(5)) {
            std::uint32_t header = 0;
            Bytes frame = random_packet(r, payload_size(r), header);
            if (r.one_in(3) && frame.size() > 38) { // aim it at a port
                frame[36] = 5101 >> 8;
                frame[37] = static_cast<std::uint8_t>(5101 + r.below(kPorts));
            }
            return frame;
        }
        oracle::Datagram g = random_datagram(r, payload_size(r));
        g.destination_port = static_cast<int>(5101 + r.below(kPorts + 1));
        // Few flows, so that merges grow.
        g.source = 0x0A0A0001;
        g.source_port = r.one_in(30) ? 40001 : 40000;
        g.udp_checksum = !r.one_in(100);
        Bytes frame = oracle::frame_of(g);
        if (r.one_in(50)) {
            frame[14 + r.below(frame.size() - 14)] ^= static_cast<std::uint8_t>(1 + r.below(255));
        }
        return frame;
    }

    [[nodiscard]] unsigned port_for(const oracle::Verdict &v) const {
        const int k = v.destination_port - 5100;
        return v.destination == 0x0A0A0002 && k >= 1 && k <= static_cast<int>(kPorts) &&
                       enabled_[static_cast<std::size_t>(k)]
                   ? static_cast<unsigned>(k)
                   : 0;
    }

    void frame_in(std::uint64_t index) {
        Bytes frame = make_frame();
        if (frame.size() < 60) {
            frame.resize(60, static_cast<std::uint8_t>(r.next()));
        }
        ++good_;
        if (frame[12] == 0x88 && frame[13] == 0x08) {
            frame[13] = 0x09; // MAC control frames are another story
        }
        const auto v = oracle::judge(frame);
        const bool udp = v.offloadable && frame[23] == 17;
        const unsigned k = udp ? port_for(v) : 0;
        bool merged = false;
        if (v.offloadable && checksum_on_) {
            if (!v.checksums_good) {
                ++errors_;
                mergers_[k].end(); // index 0 never holds anything
            } else if (k != 0 && v.mergeable) {
                merged = mergers_[k].offer(frame, v, rules);
                due_[k] = m.time + eoe::Nanos{kTimeout * 1280};
            }
        }
        if (merged) {
            ++merged_[k];
        } else {
            ++non_gro_;
            whole_.push_back(frame);
        }
        if (!m.port->receive(frame)) {
            give_up("refused", index, frame, "the port has descriptors");
        }
        if (m.deadline <= m.time + eoe::Nanos{1}) {
            m.settle();
        }
        last_ = frame;
    }

    void collect(std::uint64_t index) {
        for (unsigned n = 1; n <= kPorts + 1; ++n) {
            const Ring ring = rings(n);
            bool moved = false;
            while ((ring.get(seen_[n], 0x18) & kDone) != 0) {
                take(index, n, ring);
                moved = true;
            }
            if (moved) {
                m.dma64(s2mm(n, kTail), ring.bd(seen_[n] + kRxSlots - 1));
                m.settle();
            }
            if (n > 1) {
                compare_port(index, n - 1);
            }
        }
    }

    void take(std::uint64_t index, unsigned n, const Ring &ring) {
        const unsigned slot = seen_[n]++;
        const std::uint32_t status = ring.get(slot, 0x18);
        const std::size_t bytes = status & 0x03FFFFFF;
        oracle::StreamPacket &p = partial_[n];
        if ((status & 0x70000000) != 0 || ((status >> 27 & 1) != 0) != p.data.empty() ||
            ring.get(slot, 0x1C) != (n - 1) << 16) {
            give_up("descriptor", index, last_, std::to_string(status));
        }
        const std::uint8_t *at = m.ram(ring.buffer(slot));
        p.data.insert(p.data.end(), at, at + bytes);
        p.app0 = ring.get(slot, 0x20);
        p.app1 = ring.get(slot, 0x24);
        ring.set(slot, 0x18, 0);
        if ((status >> 26 & 1) == 0) {
            if ((p.app0 | p.app1) != 0) {
                give_up("APP words before the last descriptor", index, last_, "");
            }
            return;
        }
        if (n > 1) {
            got_[n - 1].push_back(std::move(p));
        } else {
            compare_whole(index, p);
        }
        p = {};
    }

    void compare_whole(std::uint64_t index, const oracle::StreamPacket &p) {
        if (whole_.empty()) {
            give_up("unexpected frame on channel 1", index, p.data, "");
        }
        const Bytes &expected = whole_.front();
        std::uint32_t app1 = 0;
        if (expected[12] == 8 && expected[13] == 0) {
            app1 = std::uint32_t{expected[24]} << 24 | std::uint32_t{expected[25]} << 16 |
                   std::uint32_t{expected[16]} << 8 | expected[17];
        }
        if (p.data != expected || p.app0 != 0x60000000 || p.app1 != app1) {
            give_up("frame on channel 1", index, expected, oracle::difference(expected, p.data));
        }
        whole_.pop_front();
    }

    /// Finished merges must have been delivered, each packet as foretold.
    void compare_port(std::uint64_t index, unsigned k) {
        auto &expected = mergers_[k].delivered;
        auto &got = got_[k];
        if (got.size() < expected.size()) {
            give_up("merge not delivered", index, last_,
                    std::to_string(expected.size()) + " packets expected, got " +
                        std::to_string(got.size()));
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (got[i].data != expected[i].data || got[i].app0 != expected[i].app0 ||
                got[i].app1 != expected[i].app1) {
                give_up("stream packet", index, last_,
                        oracle::difference(expected[i].data, got[i].data) + ", APP0 " +
                            std::to_string(got[i].app0));
            }
        }
        got.erase(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(expected.size()));
        expected.clear();
        if (mergers_[k].open() != !got.empty()) {
            give_up("header of an open merge", index, last_, std::to_string(got.size()));
        }
    }

    Random r;
    Machine m;
    oracle::Merger::Rules rules;
    std::array<oracle::Merger, kPorts + 1> mergers_;
    std::array<bool, kPorts + 1> enabled_{};
    std::array<eoe::Nanos, kPorts + 1> due_{};
    std::array<std::uint64_t, kPorts + 1> merged_{};
    std::array<unsigned, kPorts + 2> seen_{};
    std::array<oracle::StreamPacket, kPorts + 2> partial_;
    std::array<std::vector<oracle::StreamPacket>, kPorts + 1> got_;
    std::deque<Bytes> whole_;
    Bytes last_;
    bool checksum_on_ = true;
    std::uint64_t errors_ = 0;
    std::uint64_t non_gro_ = 0;
    std::uint64_t good_ = 0;
};

void receive_with(const eoe::Config &config, std::uint64_t count) {
    print_seed();
    Receiver receiver(seed(), config);
    for (std::uint64_t i = 0; i < count; ++i) {
        receiver.step(i);
    }
    receiver.finish(count);
}

void receive(void **) {
    receive_with(eoe::default_config(), packets() * 8 / 10);
}

void receive_mixing_sources(void **) {
    eoe::Config config = eoe::default_config();
    config.gro_mix_sources = true;
    receive_with(config, packets() / 10);
}

void receive_equal_sizes(void **) {
    eoe::Config config = eoe::default_config();
    config.gro_equal_size = true;
    receive_with(config, packets() / 10);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(receive),
        cmocka_unit_test(receive_mixing_sources),
        cmocka_unit_test(receive_equal_sizes),
    };
    return unit::run_group("properties_rx", tests);
}
