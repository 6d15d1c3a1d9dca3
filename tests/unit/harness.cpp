// SPDX-License-Identifier: GPL-2.0-or-later
#include "harness.hpp"

#include <algorithm>
#include <cstring>

namespace unit {

using eoe::Bus;

namespace {

/// Slices a test may cause at one point in time before it counts as a loop.
constexpr int kSlices = 20000;

constexpr std::uint32_t kMcdmaWindow = 0x10000;

} // namespace

Machine::Machine(const eoe::Config &config) : memory_(kRamBytes) {
    port = std::make_unique<eoe::Port>(config, *this);
}

Bus Machine::reach(std::uint64_t address, std::size_t bytes, std::uint8_t *&at) {
    const std::uint64_t base = address >= kRamHigh ? kRamHigh : kRam;
    if (address >= base && address - base <= kRamBytes && bytes <= kRamBytes - (address - base)) {
        at = memory_.data() + (address - base);
        return Bus::ok;
    }
    return address >= kSlaveError && address < kSlaveError + kRamBytes ? Bus::slverr : Bus::decerr;
}

Bus Machine::dma_read(eoe::GuestAddr from, std::span<std::uint8_t> to) {
    descriptor_reads += to.size() == 0x34 ? 1 : 0;
    if (from.value >= kOwnRegisters && from.value < kOwnRegisters + kMcdmaWindow) {
        std::uint32_t value = 0;
        own_register_answer = port->read(
            eoe::Block::mcdma, static_cast<std::uint32_t>(from.value - kOwnRegisters), value);
        return own_register_answer;
    }
    std::uint8_t *at = nullptr;
    const Bus answer = reach(from.value, to.size(), at);
    if (answer == Bus::ok) {
        std::memcpy(to.data(), at, to.size());
    }
    return answer;
}

Bus Machine::dma_write(eoe::GuestAddr to, std::span<const std::uint8_t> from) {
    if (to.value >= kOwnRegisters && to.value < kOwnRegisters + kMcdmaWindow) {
        own_register_answer =
            port->write(eoe::Block::mcdma, static_cast<std::uint32_t>(to.value - kOwnRegisters), 4);
        return own_register_answer;
    }
    std::uint8_t *at = nullptr;
    const Bus answer = reach(to.value, from.size(), at);
    if (answer == Bus::ok && !(forget_status && from.size() == 4)) {
        std::memcpy(at, from.data(), from.size());
    }
    return answer;
}

bool Machine::send_frame(std::span<const std::uint8_t> frame) {
    sent.emplace_back(frame.begin(), frame.end());
    return !wire_full;
}

void Machine::set_irq(eoe::Dir dir, unsigned channel, bool level) {
    bool &line = lines[static_cast<std::size_t>(dir)][channel];
    assert_int_not_equal(line, level); // "called on changes only"
    line = level;
    ++irq_changes;
}

void Machine::guest_error(const char *text) {
    if (keep_errors) {
        errors.emplace_back(text);
    }
}

std::uint32_t Machine::reg(eoe::Block block, std::uint32_t offset) {
    std::uint32_t value = 0;
    assert_int_equal(port->read(block, offset, value), Bus::ok);
    return value;
}

void Machine::reg(eoe::Block block, std::uint32_t offset, std::uint32_t value) {
    assert_int_equal(port->write(block, offset, value), Bus::ok);
}

void Machine::dma64(std::uint32_t offset, std::uint64_t value) {
    dma(offset, static_cast<std::uint32_t>(value));
    dma(offset + 4, static_cast<std::uint32_t>(value >> 32));
}

void Machine::settle() {
    for (int slice = 0; deadline <= time + eoe::Nanos{1}; ++slice) {
        assert_true(slice < kSlices);
        time = std::max(time, deadline);
        deadline = eoe::kNever;
        port->run();
        deadline_not_ahead |= deadline <= time;
    }
}

void Machine::advance(eoe::Nanos by) {
    const eoe::Nanos until = time + by;
    for (int slice = 0; deadline <= until; ++slice) {
        assert_true(slice < kSlices);
        time = std::max(time, deadline);
        deadline = eoe::kNever;
        port->run();
        deadline_not_ahead |= deadline <= time;
    }
    time = until;
}

std::uint64_t Machine::stat(std::uint32_t offset) {
    const std::uint64_t low = mac(offset);
    return low | std::uint64_t{mac(offset + 4)} << 32;
}

std::uint8_t *Machine::ram(std::uint64_t address) {
    std::uint8_t *at = nullptr;
    assert_int_equal(reach(address, 1, at), Bus::ok);
    return at;
}

std::uint32_t Machine::word(std::uint64_t address) {
    const std::uint8_t *p = ram(address);
    return p[0] | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[3]} << 24;
}

void Machine::word(std::uint64_t address, std::uint32_t value) {
    std::uint8_t *p = ram(address);
    for (int i = 0; i < 4; ++i) {
        p[i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

void Machine::fill(std::uint64_t address, std::span<const std::uint8_t> bytes) {
    if (!bytes.empty()) {
        (void)ram(address + bytes.size() - 1);
        std::memcpy(ram(address), bytes.data(), bytes.size());
    }
}

Bytes Machine::copy(std::uint64_t address, std::size_t bytes) {
    if (bytes == 0) {
        return {};
    }
    (void)ram(address + bytes - 1);
    const std::uint8_t *p = ram(address);
    return {p, p + bytes};
}

std::uint32_t mm2s(unsigned n, std::uint32_t offset) {
    return 0x40 * n + offset;
}

std::uint32_t s2mm(unsigned n, std::uint32_t offset) {
    return 0x500 + 0x40 * n + offset;
}

void Ring::link() const {
    for (unsigned i = 0; i < count; ++i) {
        for (std::uint32_t offset = 0; offset < 64; offset += 4) {
            set(i, offset, 0);
        }
        set(i, 0x00, static_cast<std::uint32_t>(bd(i + 1)));
        set(i, 0x04, static_cast<std::uint32_t>(bd(i + 1) >> 32));
        set(i, 0x08, static_cast<std::uint32_t>(buffer(i)));
        set(i, 0x0C, static_cast<std::uint32_t>(buffer(i) >> 32));
    }
}

void Ring::receive() const {
    link();
    for (unsigned i = 0; i < count; ++i) {
        set(i, 0x14, buffer_size);
    }
}

void Ring::transmit(unsigned i, std::span<const std::uint8_t> bytes, std::uint32_t markers,
                    std::uint32_t app0, std::uint32_t app1) const {
    m.fill(buffer(i), bytes);
    set(i, 0x14, markers | static_cast<std::uint32_t>(bytes.size()));
    set(i, 0x1C, 0);
    set(i, 0x20, app0);
    set(i, 0x24, app1);
}

Ring tx_ring(Machine &m, unsigned n, unsigned count) {
    return {m, kRam + 0x2000ULL * n, kRam + 0x100000 + 0x20000ULL * (n % 8), 0x2000, count};
}

Ring rx_ring(Machine &m, unsigned n, unsigned count) {
    return {m, kRam + 0x40000 + 0x2000ULL * n, kRam + 0x200000 + 0x10000ULL * n, 4096, count};
}

void start_tx(Machine &m, unsigned n, const Ring &ring, std::uint32_t cr) {
    m.dma(kMm2sChen, 0xFFFF);
    m.dma64(mm2s(n, kCur), ring.bd(0));
    m.dma(mm2s(n, kCr), cr);
    m.dma(kMm2sCcr, 1);
}

void start_rx(Machine &m, unsigned n, const Ring &ring, unsigned last, std::uint32_t cr) {
    m.dma(kS2mmChen, 0xFFFF);
    m.dma64(s2mm(n, kCur), ring.bd(0));
    m.dma(s2mm(n, kCr), cr);
    m.dma(kS2mmCcr, 1);
    m.dma64(s2mm(n, kTail), ring.bd(last));
    m.settle();
}

void stop_both(Machine &m, std::uint32_t ccr, std::uint32_t cr, bool direction_first) {
    if (direction_first) {
        m.dma(ccr, 0);
    }
    m.dma(cr, kCrRun & ~1U);
    if (!direction_first) {
        m.dma(ccr, 0);
    }
}

void send(Machine &m, unsigned n, const Ring &ring, unsigned i, std::span<const std::uint8_t> bytes,
          std::uint32_t app0, std::uint32_t app1) {
    ring.transmit(i, bytes, kSof | kEof, app0, app1);
    m.dma64(mm2s(n, kTail), ring.bd(i));
    m.settle();
}

bool deliver(Machine &m, std::span<const std::uint8_t> frame) {
    const bool taken = m.port->receive(frame);
    m.settle();
    return taken;
}

Bytes plain_frame(std::size_t bytes) {
    static constexpr std::array<std::uint8_t, 14> header = {0x02, 0, 0, 0, 0,    0x01, 0x02,
                                                            0,    0, 0, 0, 0x02, 0x88, 0xB5};
    Bytes frame(header.begin(), header.end());
    for (std::size_t i = frame.size(); i < bytes; ++i) {
        frame.push_back(static_cast<std::uint8_t>(i));
    }
    frame.resize(bytes);
    return frame;
}

} // namespace unit
