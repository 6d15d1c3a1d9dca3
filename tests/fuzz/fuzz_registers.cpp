// SPDX-License-Identifier: GPL-2.0-or-later
//
// libFuzzer target: a guest that does what it likes. The input is a list of register
// accesses, stores to descriptors and buffers, frames, and time passing.
#include "world.hpp"

#include <memory>

namespace {

using namespace fuzz;

constexpr std::uint64_t kPlayground = 0x10000; ///< descriptors and buffers, bytes

/// Builds that differ in what the guest can reach; all of them kept, since a port costs more
/// to make than to run.
constexpr unsigned kBuilds = 16;

eoe::Config build(unsigned i) {
    constexpr std::array<std::uint32_t, 4> address_widths = {40, 32, 48, 64};
    constexpr std::array<std::uint32_t, 4> length_widths = {26, 23, 14, 8};
    eoe::Config config = eoe::default_config();
    config.addr_width = address_widths[i % 4];
    config.sg_length_width = length_widths[i / 4];
    config.num_mm2s_channels = i % 3 == 2 ? 3 : 16;
    config.num_s2mm_channels = i % 5 == 4 ? 2 : 16;
    config.eoe_gro_ports = config.num_s2mm_channels - 1;
    config.mm2s_dre = i % 4 != 1;
    config.s2mm_dre = i % 4 != 2;
    config.status_stream = i % 7 != 5;
    config.eoe = i % 8 != 7;
    config.deliver_bad_frames = i % 2 != 0;
    config.single_intr = i % 4 == 3;
    config.gro_mix_sources = i % 3 == 1;
    std::array<char, 200> error{};
    require(eoe::check_config(config, error));
    return config;
}

World &world_of(unsigned i) {
    static std::array<std::unique_ptr<World>, kBuilds> worlds;
    if (!worlds[i]) {
        worlds[i] = std::make_unique<World>(build(i));
    }
    worlds[i]->power_on(kPlayground);
    return *worlds[i];
}

std::uint64_t place(Input &input) {
    const std::uint32_t where = input.take(2);
    switch (where & 0xF) {
    case 1:
        return kSlaveError + (where & 0xFFC0);
    case 2:
        return kOwnRegisters + (where & 0xFC0);
    case 3:
        return std::uint64_t{input.take(4)} << 16;
    case 4:
        return kRamHigh + (where & 0xFFC0);
    case 5:
        return kRam + kRamBytes - 16;
    default:
        return kRam + where % kPlayground;
    }
}

void descriptor(Input &input, World &world) {
    const std::uint64_t at = kRam + input.take(2) % kPlayground / 64 * 64;
    const std::uint64_t next = place(input);
    const std::uint64_t buffer = place(input);
    const std::uint32_t control = input.take(3);
    world.word(at + 0x00, static_cast<std::uint32_t>(next));
    world.word(at + 0x04, static_cast<std::uint32_t>(next >> 32));
    world.word(at + 0x08, static_cast<std::uint32_t>(buffer));
    world.word(at + 0x0C, static_cast<std::uint32_t>(buffer >> 32));
    world.word(at + 0x14,
               (control & 3) << 30 | (control >> 2 & ((control & 4) != 0 ? ~0U : 0xFFF)));
    world.word(at + 0x18, 0);
    world.word(at + 0x1C, 0);
    world.word(at + 0x20, input.take(4));
    world.word(at + 0x24, input.take(4));
}

/// A channel that runs from one place in the playground to another.
void channel(Input &input, World &world) {
    const std::uint32_t which = input.take(1);
    const std::uint32_t base = (which & 16) != 0 ? mm2s(which & 15) : s2mm(which & 15);
    world.write(eoe::Block::mcdma, base + 0x00, 0);
    world.write(eoe::Block::mcdma, base + 0x08, kRam + (input.take(2) & 0xFFC0));
    world.write(eoe::Block::mcdma, base + 0x0C, 0);
    world.write(eoe::Block::mcdma, base + 0x00, 0x000000F9 | input.take(1) << 16);
    world.write(eoe::Block::mcdma, 0x008, 0xFFFF);
    world.write(eoe::Block::mcdma, 0x508, 0xFFFF);
    world.write(eoe::Block::mcdma, 0x000, 1);
    world.write(eoe::Block::mcdma, 0x500, 1);
    world.write(eoe::Block::mcdma, base + 0x10, kRam + (input.take(2) & 0xFFC0));
    world.write(eoe::Block::mcdma, base + 0x14, 0);
}

void access(Input &input, World &world, bool write) {
    const std::uint32_t where = input.take(2);
    const auto block = static_cast<eoe::Block>(where % 3);
    const std::uint32_t window = block == eoe::Block::eoe ? XEOE_EOE_WINDOW : XEOE_MAC_WINDOW;
    const std::uint32_t offset = where / 3 * 4 % window;
    if (write) {
        world.write(block, offset, input.take(4));
        return;
    }
    std::uint32_t value = 0;
    static_cast<void>(world.port.read(block, offset, value));
}

void step(Input &input, World &world) {
    switch (input.take(1) % 16) {
    case 0:
    case 1:
    case 2:
        access(input, world, true);
        break;
    case 3:
        access(input, world, false);
        break;
    case 4:
    case 5:
    case 6:
        descriptor(input, world);
        break;
    case 7:
    case 8:
        channel(input, world);
        break;
    case 9: { // bytes anywhere in the playground
        const std::uint64_t at = kRam + input.take(2) % kPlayground;
        const auto bytes = input.bytes_of(input.take(1));
        std::copy(bytes.begin(), bytes.end(), world.ram(at));
        break;
    }
    case 10: {
        const std::uint32_t length = input.take(2);
        static_cast<void>(world.port.receive(input.bytes_of(length)));
        break;
    }
    case 11:
        world.wire_full = !world.wire_full;
        break;
    case 12:
        world.port.tx_ready();
        break;
    case 13:
        world.port.set_link((input.take(1) & 1) != 0);
        break;
    case 14:
        world.advance(eoe::Nanos{1ULL << (input.take(1) % 32)}, 8);
        break;
    default: {
        const std::uint32_t which = input.take(1);
        if (which == 0) {
            world.port.reset();
        } else if (which == 1) {
            world.write(eoe::Block::mcdma, 0x000, 4);
        } else { // what stalls the transmitter goes
            world.write(eoe::Block::mac, 0x000, 0);
            world.write(eoe::Block::mac, 0x004, 0);
            world.write(eoe::Block::mac, 0x008, 0x40000003 | (which & 1) << 31);
            world.write(eoe::Block::mac, 0x00C, 0x3003);
            world.write(eoe::Block::mac, 0x014, 0x33);
        }
        break;
    }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    Input input(data, size);
    World &world = world_of(input.take(1) % kBuilds);
    while (!input.done()) {
        step(input, world);
        world.advance(eoe::Nanos{200}, 4);
    }
    // A reset of the engine brings it back whatever came before.
    world.write(eoe::Block::mcdma, 0x500, 4);
    std::uint32_t value = 0;
    require(world.port.read(eoe::Block::mcdma, 0x004, value) == eoe::Bus::ok && value == 1);
    require(world.port.read(eoe::Block::mcdma, 0x510, value) == eoe::Bus::ok && value == 0);
    return 0;
}
