// SPDX-License-Identifier: GPL-2.0-or-later
//
// The machine around a port for the fuzzers: memory, bus errors and a clock; and
// the input read as numbers. What must hold whatever the input does is checked here.
#ifndef FUZZ_WORLD_HPP
#define FUZZ_WORLD_HPP

#include "../unit/oracle.hpp"
#include "port.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace fuzz {

/// Ends the run as a finding.
inline void require(bool condition, int line = __builtin_LINE()) {
    if (!condition) {
        std::fprintf(stderr, "require() on line %d\n", line);
        std::abort();
    }
}

/// Reads the input as numbers; zeroes behind its end.
class Input {
public:
    Input(const std::uint8_t *data, std::size_t size) : rest_(data, size) {}

    [[nodiscard]] bool done() const { return rest_.empty(); }

    [[nodiscard]] std::uint32_t take(std::size_t bytes) {
        std::uint32_t value = 0;
        const auto taken = bytes_of(bytes);
        for (std::size_t i = 0; i < taken.size(); ++i) {
            value |= std::uint32_t{taken[i]} << 8 * i;
        }
        return value;
    }
    /// Up to `count` bytes.
    [[nodiscard]] std::span<const std::uint8_t> bytes_of(std::size_t count) {
        const auto taken = rest_.first(std::min(count, rest_.size()));
        rest_ = rest_.subspan(taken.size());
        return taken;
    }

private:
    std::span<const std::uint8_t> rest_;
};

inline constexpr std::uint64_t kRam = 0x10000000;      ///< seen here ...
inline constexpr std::uint64_t kRamHigh = 0x810000000; ///< ... and above 4 GiB
inline constexpr std::uint64_t kRamBytes = 0x100000;
inline constexpr std::uint64_t kSlaveError = 0x50000000;   ///< 64 KiB refused by a slave
inline constexpr std::uint64_t kOwnRegisters = 0x80030000; ///< the MCDMA's own window

class World final : public eoe::Host {
public:
    explicit World(const eoe::Config &config) : port(config, *this), memory_(kRamBytes) {}

    /// As new: making one anew costs more than a run. The first `used` bytes of memory are cleared.
    void power_on(std::size_t used) {
        port.reset();
        port.set_link(true);
        wire_full = false;
        port.tx_ready();
        for (const auto &lines : lines_) {
            require(std::none_of(lines.begin(), lines.end(), [](bool line) { return line; }));
        }
        std::fill_n(memory_.begin(), used, std::uint8_t{0});
        sent.clear();
    }

    eoe::Bus dma_read(eoe::GuestAddr from, std::span<std::uint8_t> to) override {
        ++reads;
        std::uint8_t *at = nullptr;
        const eoe::Bus answer = reach(from.value, to.size(), at);
        if (at != nullptr) {
            std::memcpy(to.data(), at, to.size());
        }
        return answer;
    }
    eoe::Bus dma_write(eoe::GuestAddr to, std::span<const std::uint8_t> from) override {
        std::uint8_t *at = nullptr;
        const eoe::Bus answer = reach(to.value, from.size(), at);
        if (at != nullptr) {
            std::memcpy(at, from.data(), from.size());
        }
        return answer;
    }
    bool send_frame(std::span<const std::uint8_t> frame) override {
        require(!frame.empty() && frame.size() <= XEOE_MAX_FRAME);
        if (keep_frames) {
            sent.emplace_back(frame.begin(), frame.end());
        }
        return !wire_full;
    }
    void rx_ready() override {}
    void set_irq(eoe::Dir dir, unsigned channel, bool level) override {
        bool &line = lines_[static_cast<std::size_t>(dir)][channel];
        require(channel < 16 && line != level);
        line = level;
    }
    eoe::Nanos now() override { return time_; }
    void set_deadline(eoe::Nanos deadline) override { deadline_ = deadline; }
    void guest_error(const char *text) override {
        require(std::strchr(text, '\n') == nullptr && std::strlen(text) < 256);
    }

    [[nodiscard]] std::uint8_t *ram(std::uint64_t address) { return &memory_[address - kRam]; }
    [[nodiscard]] std::uint32_t word(std::uint64_t address) {
        std::uint32_t value = 0;
        std::memcpy(&value, ram(address), sizeof value);
        return value;
    }
    void word(std::uint64_t address, std::uint32_t value) {
        std::memcpy(ram(address), &value, sizeof value);
    }
    void write(eoe::Block block, std::uint32_t offset, std::uint32_t value) {
        static_cast<void>(port.write(block, offset, value));
    }

    /// Run what is due within `by`, at most `slices` times; the rest stays asked for.
    void advance(eoe::Nanos by, int slices) {
        const eoe::Nanos end = time_ + by;
        for (int i = 0; i < slices && deadline_ <= end; ++i) {
            time_ = std::max(time_, deadline_);
            deadline_ = eoe::kNever;
            const std::uint64_t before = reads;
            port.run();
            // Two slices of descriptors, each at most two reads, and what ends them.
            require(reads - before <= 4 * 256 + 64);
            require(deadline_ > time_);
        }
        time_ = std::max(time_, end);
    }

    eoe::Port port;
    std::vector<std::vector<std::uint8_t>> sent;
    bool keep_frames = false;
    bool wire_full = false;
    std::uint64_t reads = 0;

private:
    eoe::Bus reach(std::uint64_t address, std::size_t bytes, std::uint8_t *&at) {
        const std::uint64_t base = address >= kRamHigh ? kRamHigh : kRam;
        if (address >= base && address - base < kRamBytes &&
            bytes <= kRamBytes - (address - base)) {
            at = &memory_[address - base];
            return eoe::Bus::ok;
        }
        if (address >= kOwnRegisters && address - kOwnRegisters < XEOE_MCDMA_WINDOW) {
            std::uint32_t value = 0;
            const auto offset = static_cast<std::uint32_t>(address - kOwnRegisters) & 0xFFC;
            require(port.write(eoe::Block::mcdma, offset, 1) == eoe::Bus::slverr);
            return port.read(eoe::Block::mcdma, offset, value);
        }
        return address >= kSlaveError && address - kSlaveError < 0x10000 ? eoe::Bus::slverr
                                                                         : eoe::Bus::decerr;
    }

    std::vector<std::uint8_t> memory_;
    std::array<std::array<bool, 16>, 2> lines_{};
    eoe::Nanos time_{1'000'000};
    eoe::Nanos deadline_ = eoe::kNever;
};

/// Registers of channel index `i` (0..15).
[[nodiscard]] constexpr std::uint32_t mm2s(unsigned i) {
    return 0x40 + 0x40 * i;
}
[[nodiscard]] constexpr std::uint32_t s2mm(unsigned i) {
    return 0x540 + 0x40 * i;
}

/// `given` over and over, up to `bytes`: long packets need not be long inputs.
[[nodiscard]] inline std::vector<std::uint8_t> stretched(std::span<const std::uint8_t> given,
                                                         std::size_t bytes) {
    std::vector<std::uint8_t> made(std::max(bytes, given.size()));
    for (std::size_t done = 0; done < made.size() && !given.empty(); done += given.size()) {
        std::copy_n(given.begin(), std::min(given.size(), made.size() - done),
                    made.begin() + static_cast<std::ptrdiff_t>(done));
    }
    return made;
}

/// A datagram that is right in itself, as the input chooses its fields.
[[nodiscard]] inline std::vector<std::uint8_t> datagram(Input &input, std::size_t max_payload) {
    oracle::Datagram made;
    const std::uint32_t bits = input.take(1);
    made.destination_port = 5100 + static_cast<int>(bits & 0xF);
    made.source_port = (bits & 0x10) != 0 ? 40001 : 40000;
    made.udp_checksum = (bits & 0x60) != 0x60;
    made.options.resize((bits & 0x80) != 0 ? 4 * (input.take(1) % 11) : 0, 1);
    made.fragment = static_cast<int>(input.take(1) % 8 == 7 ? input.take(2) : 0x4000);
    made.id = static_cast<int>(input.take(2));
    const std::size_t length = input.take(2) % (max_payload + 1);
    made.payload = stretched(input.bytes_of(input.take(1)), length);
    if (made.payload.size() > length) {
        made.payload.resize(length);
    }
    return oracle::frame_of(made);
}

} // namespace fuzz

#endif
