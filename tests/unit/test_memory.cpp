// SPDX-License-Identifier: GPL-2.0-or-later
//
// The model's memory does not depend on traffic: once a port is made, nothing is
// allocated any more, whatever moves through it. EOE_PACKETS: random.hpp; a run
// under valgrind's massif with different numbers of packets has the same peak.
#include "random.hpp"

#include <new>

namespace {

/// Every allocation of this program, the model's included.
std::uint64_t allocations = 0;

} // namespace

// Not inlined: the compiler would take malloc() and delete for a mismatch.
[[gnu::noinline]] void *operator new(std::size_t bytes) {
    ++allocations;
    void *made = std::malloc(bytes);
    if (made == nullptr) {
        std::abort();
    }
    return made;
}

[[gnu::noinline]] void operator delete(void *at) noexcept {
    std::free(at);
}

[[gnu::noinline]] void operator delete(void *at, std::size_t) noexcept {
    std::free(at);
}

namespace {

using namespace unit;

constexpr unsigned kRing = 16;

/// Memory and wire that allocate nothing either.
class Fixed final : public eoe::Host {
public:
    eoe::Bus dma_read(eoe::GuestAddr from, std::span<std::uint8_t> to) override {
        std::copy_n(at(from), to.size(), to.data());
        return eoe::Bus::ok;
    }
    eoe::Bus dma_write(eoe::GuestAddr to, std::span<const std::uint8_t> from) override {
        std::copy(from.begin(), from.end(), at(to));
        return eoe::Bus::ok;
    }
    bool send_frame(std::span<const std::uint8_t>) override {
        ++sent;
        return true;
    }
    void rx_ready() override {}
    void set_irq(eoe::Dir, unsigned, bool) override {}
    eoe::Nanos now() override { return time; }
    void set_deadline(eoe::Nanos when) override { deadline = when; }
    void guest_error(const char *) override { ++errors; }

    void word(std::uint64_t address, std::uint32_t value) {
        for (unsigned i = 0; i < 4; ++i) {
            at({address})[i] = static_cast<std::uint8_t>(value >> (8 * i));
        }
    }
    [[nodiscard]] std::uint8_t *at(eoe::GuestAddr address) {
        return &memory[address.value % memory.size()];
    }

    std::uint64_t sent = 0;
    std::uint64_t errors = 0;
    eoe::Nanos time{1};
    eoe::Nanos deadline = eoe::kNever;
    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(1024UL * 1024 + 256UL * 1024);
};

struct Traffic {
    Fixed host;
    eoe::Port port{eoe::default_config(), host};

    void write(eoe::Block block, std::uint32_t offset, std::uint32_t value) {
        (void)port.write(block, offset, value);
    }
    void settle() {
        while (host.deadline <= host.time + std::chrono::milliseconds(10)) {
            host.time = std::max(host.time, host.deadline);
            host.deadline = eoe::kNever;
            port.run();
        }
    }
    static std::uint64_t bd(bool receive, unsigned i) {
        return 0x1000 + (receive ? 0x1000 : 0) + 64ULL * (i % kRing);
    }
    void channel(std::uint32_t base, bool receive, unsigned tail) {
        write(eoe::Block::mcdma, base + kTail, static_cast<std::uint32_t>(bd(receive, tail)));
        write(eoe::Block::mcdma, base + kTail + 4, 0);
    }
    void start() {
        for (const bool receive : {false, true}) {
            for (unsigned i = 0; i < kRing; ++i) {
                host.word(bd(receive, i), static_cast<std::uint32_t>(bd(receive, i + 1)));
            }
            const std::uint32_t base = receive ? s2mm(2) : mm2s(1);
            write(eoe::Block::mcdma, base + kCur, static_cast<std::uint32_t>(bd(receive, 0)));
            write(eoe::Block::mcdma, base + kCr, kCrRun);
            write(eoe::Block::mcdma, receive ? kS2mmChen : kMm2sChen, 0xFFFF);
            write(eoe::Block::mcdma, receive ? kS2mmCcr : kMm2sCcr, 1);
        }
        write(eoe::Block::eoe, 0x10, 0x1010000A);
        write(eoe::Block::eoe, 0x4C, 0x0A0A0002);
        write(eoe::Block::eoe, 0x50, 5101U << 16);
        write(eoe::Block::eoe, 0x40, 0x11000001);
    }
    /// One GSO packet out, and datagrams that merge in.
    void round(unsigned i, std::span<const std::uint8_t> packet,
               std::span<const std::uint8_t> frame) {
        const std::uint64_t out = bd(false, i);
        host.word(out + 0x08, 0x40000);
        host.word(out + 0x14, kSof | kEof | static_cast<std::uint32_t>(packet.size()));
        host.word(out + 0x1C, 0);
        host.word(out + 0x20, 42U << 24 | static_cast<std::uint32_t>(packet.size() - 14));
        host.word(out + 0x24, 1028U << 16 | 0x0400);
        std::copy(packet.begin(), packet.end(), host.at({0x40000}));
        channel(mm2s(1), false, i);
        settle();
        for (unsigned k = 0; k < kRing; ++k) {
            host.word(bd(true, k) + 0x08, 0x80000 + 0x1000 * k);
            host.word(bd(true, k) + 0x14, 0x1000);
            host.word(bd(true, k) + 0x18, 0);
        }
        channel(s2mm(2), true, kRing + in_next - 2);
        for (int k = 0; k < 4; ++k) {
            (void)port.receive(frame);
            port.run();
        }
        settle();
        // A header, one fragment of 4 KiB and the rest.
        in_next = (in_next + 3) % kRing;
    }
    unsigned in_next = 0;
};

void traffic_allocates_nothing(void **) {
    oracle::Datagram g;
    g.payload.assign(8000, 0x33);
    const Bytes packet = oracle::frame_of(g);
    g.payload.assign(1400, 0x44);
    const Bytes frame = oracle::frame_of(g);
    auto traffic = std::make_unique<Traffic>();
    traffic->start();
    const std::uint64_t rounds = std::max<std::uint64_t>(packets() / 100, 16);
    const std::uint64_t before = allocations;
    assert_true(before > 0); // they are counted
    for (unsigned i = 0; i < rounds; ++i) {
        traffic->round(i, packet, frame);
    }
    assert_int_equal(allocations, before);
    assert_int_equal(traffic->host.sent, 8 * rounds);
    assert_int_equal(traffic->host.errors, 0);
    std::uint32_t merged = 0;
    assert_int_equal(traffic->port.read(eoe::Block::eoe, 0x24, merged), eoe::Bus::ok);
    assert_int_equal(merged, 4 * rounds);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(traffic_allocates_nothing),
    };
    return unit::run_group("memory", tests);
}
