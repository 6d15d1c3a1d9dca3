// SPDX-License-Identifier: GPL-2.0-or-later
//
// libFuzzer target: frames from the wire into sixteen rings, with GRO on fifteen ports.
// What lies in memory must hang together: pieces of a packet in order, lengths within
// buffers, and the engine's length of a merge the sum of what was stored.
#include "world.hpp"

namespace {

using namespace fuzz;

constexpr unsigned kChannels = 16;
constexpr unsigned kDescriptors = 8; ///< per ring
constexpr std::uint32_t kSof = 1U << 27, kEof = 1U << 26, kDone = 1U << 31;
constexpr std::uint32_t kMergeFirst = 1U << 30, kMergeLast = 1U << 29; ///< APP0 (PG451, GRO)

constexpr std::uint64_t descriptor(unsigned channel, unsigned i) {
    return kRam + 64ULL * (channel * kDescriptors + i % kDescriptors);
}

/// One ring and what its reader has seen of the packet in progress.
struct Ring {
    unsigned next = 0;
    bool open = false;    ///< between SOF and EOF
    bool merging = false; ///< between first and last of a merge
    std::uint32_t bytes = 0;
};

class Receiver {
public:
    Receiver(World &world, std::uint32_t bits)
        : world_(world), buffer_(bits % 16 == 0 ? 100 : 4096 + (bits & 0xF) * 8) {
        for (unsigned c = 0; c < kChannels; ++c) {
            for (unsigned i = 0; i < kDescriptors; ++i) {
                empty(c, i);
            }
            const std::uint32_t base = s2mm(c);
            world_.write(eoe::Block::mcdma, base + 0x08,
                         static_cast<std::uint32_t>(descriptor(c, 0)));
            world_.write(eoe::Block::mcdma, base + 0x0C, 0);
            world_.write(eoe::Block::mcdma, base + 0x00, 0x000100F9);
        }
        world_.write(eoe::Block::mcdma, 0x508, 0xFFFF);
        world_.write(eoe::Block::mcdma, 0x500, 1);
        for (unsigned c = 0; c < kChannels; ++c) {
            tail(c, kDescriptors - 2);
        }
        // Fragments of 2 or 4 KiB, 1 to 16 of them, checksums, 3- or 5-tuple.
        world_.write(eoe::Block::eoe, 0x10,
                     ((bits >> 4 & 0xF) + 1) << 24 | (bits >> 8 & 1) << 20 | (bits >> 9 & 1) << 3 |
                         2);
        world_.write(eoe::Block::eoe, 0x14, 16);
        for (std::uint32_t k = 1; k < kChannels; ++k) {
            world_.write(eoe::Block::eoe, 0x40 * k + 0x08, 0x0A0A0001);
            world_.write(eoe::Block::eoe, 0x40 * k + 0x0C, 0x0A0A0002);
            world_.write(eoe::Block::eoe, 0x40 * k + 0x10, 40000U << 16 | (5100 + k));
            world_.write(eoe::Block::eoe, 0x40 * k + 0x00, 17U << 24 | 1);
        }
    }

    /// Takes what has been stored, and gives the descriptors back.
    void harvest() {
        for (unsigned c = 0; c < kChannels; ++c) {
            Ring &ring = rings_[c];
            unsigned taken = 0;
            while (take(c, ring)) {
                empty(c, ring.next);
                ring.next = (ring.next + 1) % kDescriptors;
                ++taken;
            }
            if (taken != 0) {
                tail(c, ring.next + kDescriptors - 2);
            }
        }
    }

private:
    void empty(unsigned c, unsigned i) {
        const std::uint64_t at = descriptor(c, i);
        world_.word(at + 0x00, static_cast<std::uint32_t>(descriptor(c, i + 1)));
        world_.word(at + 0x04, 0);
        world_.word(at + 0x08,
                    static_cast<std::uint32_t>(kRam + 0x4000 +
                                               0x1400ULL * (c * kDescriptors + i % kDescriptors)));
        world_.word(at + 0x0C, 0);
        world_.word(at + 0x14, buffer_);
        world_.word(at + 0x18, 0);
    }

    void tail(unsigned c, unsigned i) {
        world_.write(eoe::Block::mcdma, s2mm(c) + 0x10,
                     static_cast<std::uint32_t>(descriptor(c, i)));
        world_.write(eoe::Block::mcdma, s2mm(c) + 0x14, 0);
    }

    bool take(unsigned c, Ring &ring) {
        const std::uint64_t at = descriptor(c, ring.next);
        const std::uint32_t status = world_.word(at + 0x18);
        if ((status & kDone) == 0) {
            return false;
        }
        const std::uint32_t length = status & 0x03FFFFFF;
        require((status & 0x70000000) == 0);           // no error
        require(length > 0 && length <= buffer_);      // inside its buffer
        require(((status & kSof) != 0) == !ring.open); // pieces in order
        require((world_.word(at + 0x1C) >> 16 & 0x1F) == c);
        ring.bytes += length;
        ring.open = (status & kEof) == 0;
        if (ring.open) {
            return true;
        }
        // A whole frame is marked as both. A merge is a packet with its header, marked first, and
        // some with payload, of which the last is marked and says what the IP length is.
        const std::uint32_t app0 = world_.word(at + 0x20);
        if (c == 0) {
            require((app0 & kMergeFirst) != 0 && (app0 & kMergeLast) != 0);
            return true;
        }
        require(ring.merging != ((app0 & kMergeFirst) != 0));
        ring.merging = true;
        if ((app0 & kMergeLast) != 0) {
            require((world_.word(at + 0x24) & 0xFFFF) == ring.bytes - 14);
            ring.merging = false;
        }
        if (!ring.merging) {
            ring.bytes = 0;
        }
        return true;
    }

    World &world_;
    std::uint32_t buffer_;
    std::array<Ring, kChannels> rings_{};
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    Input input(data, size);
    static World world(eoe::default_config());
    world.power_on(0x4000);
    Receiver receiver(world, input.take(2));
    while (!input.done()) {
        const std::uint32_t head = input.take(2);
        if ((head & 0x2000) != 0) { // bytes as they come
            const auto frame = input.bytes_of(head & 0x7FF);
            if (!frame.empty()) {
                static_cast<void>(world.port.receive(frame));
            }
        } else { // a datagram, and perhaps a fault in it
            auto frame = datagram(input, (head & 0x1000) != 0 ? 9000 : 1472);
            if ((head & 0x800) != 0) {
                frame[input.take(1) % frame.size()] ^= static_cast<std::uint8_t>(1U << (head & 7));
            }
            static_cast<void>(world.port.receive(frame));
        }
        // Nothing, a moment, or longer than any merge waits.
        constexpr std::array<std::int64_t, 4> pauses = {0, 100, 10'000, 10'000'000};
        world.advance(eoe::Nanos{pauses[head >> 14]}, 16);
        receiver.harvest();
        std::uint32_t errors = 0;
        require(world.port.read(eoe::Block::mcdma, 0x510, errors) == eoe::Bus::ok && errors == 0);
    }
    // Every merge ends, and the port comes to rest.
    for (int i = 0; i < 64 && (i < 2 || !world.port.can_receive()); ++i) {
        world.advance(eoe::Nanos{1'000'000}, 16);
        receiver.harvest();
    }
    require(world.port.can_receive());
    return 0;
}
