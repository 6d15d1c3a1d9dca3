// SPDX-License-Identifier: GPL-2.0-or-later
//
// libFuzzer target: packets in pieces with any control words. The frames that leave are
// held against the oracle of the unit tests, which shares no code with the model.
#include "world.hpp"

namespace {

using namespace fuzz;

constexpr std::uint64_t kDescriptors = kRam;
constexpr std::uint64_t kBuffers = kRam + 0x8000;
constexpr unsigned kMaxPieces = 17;

/// Writes the packet behind its descriptors, cut into pieces; how many they are.
unsigned lay_out(World &world, std::span<const std::uint8_t> packet, std::uint32_t cut,
                 std::uint32_t app0, std::uint32_t app1) {
    unsigned count = 0;
    std::size_t done = 0;
    while (done < packet.size()) {
        const std::size_t rest = packet.size() - done;
        const bool last_chance = count + 1 == kMaxPieces;
        const std::size_t length = last_chance ? rest : std::min<std::size_t>(rest, 1 + cut);
        const std::uint64_t at = kDescriptors + 64ULL * count;
        world.word(at + 0x00, static_cast<std::uint32_t>(at + 64));
        world.word(at + 0x04, 0);
        world.word(at + 0x08, static_cast<std::uint32_t>(kBuffers + done));
        world.word(at + 0x0C, 0);
        world.word(at + 0x14, static_cast<std::uint32_t>(length) | (done == 0 ? 1U << 31 : 0) |
                                  (length == rest ? 1U << 30 : 0));
        world.word(at + 0x1C, 0);
        // Only the first descriptor's words count.
        world.word(at + 0x20, done == 0 ? app0 : ~app0);
        world.word(at + 0x24, done == 0 ? app1 : ~app1);
        done += length;
        ++count;
    }
    std::copy(packet.begin(), packet.end(), world.ram(kBuffers));
    return count;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    Input input(data, size);
    static World world(eoe::default_config());
    world.power_on(0x1000);
    world.keep_frames = true;
    const std::uint32_t bits = input.take(1);
    const std::uint32_t cut = input.take(2);
    std::uint32_t app0 = input.take(4);
    const std::uint32_t app1 = input.take(4);

    // The largest take long, and have little that others have not.
    const std::uint32_t most = (bits & 4) != 0 ? 65507 : 4000;
    std::vector<std::uint8_t> packet;
    if ((bits & 2) != 0) {
        packet = datagram(input, most);
    } else {
        const std::uint32_t length = input.take(2) % (most + 1);
        packet = stretched(input.bytes_of(input.take(2)), length);
    }
    if (packet.empty()) {
        return 0;
    }
    if ((bits & 1) != 0) { // lengths that agree get past the first check
        app0 = (app0 & 0xFFFF0000) | static_cast<std::uint16_t>(packet.size() - 14);
    }
    const unsigned channel = bits >> 4;
    const unsigned count = lay_out(world, packet, cut, app0, app1);
    const std::uint32_t base = mm2s(channel);
    world.write(eoe::Block::mac, 0x018, 0x3FFF0040);
    world.write(eoe::Block::mcdma, base + 0x08, static_cast<std::uint32_t>(kDescriptors));
    world.write(eoe::Block::mcdma, base + 0x0C, 0);
    world.write(eoe::Block::mcdma, base + 0x00, 0x000100F9);
    world.write(eoe::Block::mcdma, 0x008, 0xFFFF);
    world.write(eoe::Block::mcdma, 0x000, 1);
    world.write(eoe::Block::mcdma, base + 0x10,
                static_cast<std::uint32_t>(kDescriptors + 64ULL * (count - 1)));
    world.write(eoe::Block::mcdma, base + 0x14, 0);
    world.advance(eoe::Nanos{1'000'000}, 1024);

    for (unsigned i = 0; i < count; ++i) { // every descriptor comes back with its length
        const std::uint64_t at = kDescriptors + 64ULL * i;
        require(world.word(at + 0x1C) == (1U << 31 | (world.word(at + 0x14) & 0x03FFFFFF)));
    }
    auto expected = oracle::transmit(packet, app0, app1);
    std::uint32_t errors = 0;
    require(world.port.read(eoe::Block::eoe, 0x04, errors) == eoe::Bus::ok);
    require((errors != 0) == expected.counted_as_error);
    // Longer ones do not leave the MAC.
    std::erase_if(expected.frames, [](const auto &frame) { return frame.size() > XEOE_MAX_FRAME; });
    require(world.sent == expected.frames);
    return 0;
}
