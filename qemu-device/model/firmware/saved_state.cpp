// SPDX-License-Identifier: GPL-2.0-or-later
//
// The firmware's state as bytes: little endian, in a fixed order, a version first.
#include "firmware.hpp"

namespace zynqmp {

namespace {

constexpr std::uint32_t kSavedVersion = 1;

class Writer {
public:
    explicit Writer(std::span<std::uint8_t> to) : to_(to) {}
    void byte(std::uint8_t value) { to_[at_++] = value; }
    void word(std::uint32_t value) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            byte(static_cast<std::uint8_t>(value >> shift));
        }
    }

private:
    std::span<std::uint8_t> to_;
    std::size_t at_ = 0;
};

class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> from) : from_(from) {}
    std::uint8_t byte() { return from_[at_++]; }
    std::uint32_t word() {
        std::uint32_t value = 0;
        for (unsigned shift = 0; shift < 32; shift += 8) {
            value |= std::uint32_t{byte()} << shift;
        }
        return value;
    }

private:
    std::span<const std::uint8_t> from_;
    std::size_t at_ = 0;
};

} // namespace

void Firmware::save(std::span<std::uint8_t, kSavedSize> to) const {
    Writer out(to);
    out.word(kSavedVersion);
    for (const std::uint32_t value : registers_.image()) {
        out.word(value);
    }
    for (const Pin &pin : pins_.state()) {
        out.byte(pin.requested ? 1 : 0);
        out.byte(pin.function);
        for (const std::uint8_t value : pin.parameter) {
            out.byte(value);
        }
    }
    for (const NodeState &node : nodes_.state()) {
        out.byte(node.requested ? 1 : 0);
        out.byte(node.capabilities);
        out.byte(node.qos);
        out.byte(node.wakes ? 1 : 0);
    }
    out.word(resets_.fabric().gpo3);
    out.byte(resets_.fabric().ps_pl);
    for (const std::uint32_t value : ioctls_.features()) {
        out.word(value);
    }
    out.word(suspend_mode_);
    out.word(shutdown_scope_);
}

bool Firmware::load(std::span<const std::uint8_t, kSavedSize> from) {
    Reader in(from);
    if (in.word() != kSavedVersion) {
        return false;
    }
    Registers::Image image{};
    for (std::uint32_t &value : image) {
        value = in.word();
    }
    Pins::State pins{};
    for (Pin &pin : pins) {
        pin.requested = in.byte() != 0;
        pin.function = in.byte();
        for (std::uint8_t &value : pin.parameter) {
            value = in.byte();
        }
    }
    Nodes::State nodes{};
    for (NodeState &node : nodes) {
        node.requested = in.byte() != 0;
        node.capabilities = in.byte();
        node.qos = in.byte();
        node.wakes = in.byte() != 0;
    }
    FabricResets fabric;
    fabric.gpo3 = in.word();
    fabric.ps_pl = in.byte();
    Ioctls::Features features{};
    for (std::uint32_t &value : features) {
        value = in.word();
    }
    const std::uint32_t suspend_mode = in.word();
    const std::uint32_t shutdown_scope = in.word();

    const Pins::State pins_before = pins_.state();
    if (!pins_.restore(pins)) {
        return false;
    }
    if (!nodes_.restore(nodes)) {
        // Bytes that were just saved are in range.
        static_cast<void>(pins_.restore(pins_before));
        return false;
    }
    registers_.restore(image);
    resets_.restore(fabric);
    ioctls_.restore(features);
    suspend_mode_ = suspend_mode;
    shutdown_scope_ = shutdown_scope;
    return true;
}

} // namespace zynqmp
