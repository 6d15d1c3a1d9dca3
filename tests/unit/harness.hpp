// SPDX-License-Identifier: GPL-2.0-or-later
//
// A machine small enough to see through: memory, a wire, a clock that moves
// when told, and the few lines of driver that every suite needs.
#ifndef UNIT_HARNESS_HPP
#define UNIT_HARNESS_HPP

#include "capi.h"
#include "config.hpp"
#include "group.hpp"
#include "host.hpp"
#include "port.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace unit {

using Bytes = std::vector<std::uint8_t>;

// Guest memory: the same 4 MiB below and above 4 GiB.
inline constexpr std::uint64_t kRam = 0x10000000;
inline constexpr std::uint64_t kRamHigh = 0x810000000;
inline constexpr std::uint64_t kRamBytes = 4ULL * 1024 * 1024;
/// Accesses here are refused by a slave.
inline constexpr std::uint64_t kSlaveError = 0x50000000;
/// Accesses here land in the MCDMA's own registers.
inline constexpr std::uint64_t kOwnRegisters = 0x80030000;
/// Nothing answers here.
inline constexpr std::uint64_t kNowhere = 0x70000000;

class Machine final : public eoe::Host {
public:
    explicit Machine(const eoe::Config &config = eoe::default_config());

    // What the port sees
    eoe::Bus dma_read(eoe::GuestAddr from, std::span<std::uint8_t> to) override;
    eoe::Bus dma_write(eoe::GuestAddr to, std::span<const std::uint8_t> from) override;
    bool send_frame(std::span<const std::uint8_t> frame) override;
    void rx_ready() override { ++rx_readies; }
    void set_irq(eoe::Dir dir, unsigned channel, bool level) override;
    eoe::Nanos now() override { return time; }
    void set_deadline(eoe::Nanos at) override { deadline = at; }
    void guest_error(const char *text) override;

    // What a test does
    [[nodiscard]] std::uint32_t mac(std::uint32_t offset) { return reg(eoe::Block::mac, offset); }
    [[nodiscard]] std::uint32_t eoe_reg(std::uint32_t offset) {
        return reg(eoe::Block::eoe, offset);
    }
    [[nodiscard]] std::uint32_t dma(std::uint32_t offset) { return reg(eoe::Block::mcdma, offset); }
    void mac(std::uint32_t offset, std::uint32_t value) { reg(eoe::Block::mac, offset, value); }
    void eoe_reg(std::uint32_t offset, std::uint32_t value) { reg(eoe::Block::eoe, offset, value); }
    void dma(std::uint32_t offset, std::uint32_t value) { reg(eoe::Block::mcdma, offset, value); }
    /// A 64-bit store as the bus splits it.
    void dma64(std::uint32_t offset, std::uint64_t value);

    /// Run what is due now, a few nanoseconds of slices included; fails the
    /// test if the port never comes to rest.
    void settle();
    /// Let time pass, running every deadline on the way.
    void advance(eoe::Nanos by);
    /// A 48-bit statistic as last ticked.
    [[nodiscard]] std::uint64_t stat(std::uint32_t offset);
    void tick() { mac(0x020, 1); }

    [[nodiscard]] std::uint8_t *ram(std::uint64_t address);
    [[nodiscard]] std::uint32_t word(std::uint64_t address);
    void word(std::uint64_t address, std::uint32_t value);
    void fill(std::uint64_t address, std::span<const std::uint8_t> bytes);
    [[nodiscard]] Bytes copy(std::uint64_t address, std::size_t bytes);

    [[nodiscard]] bool irq(eoe::Dir dir, unsigned channel) const {
        return lines[static_cast<std::size_t>(dir)][channel - 1];
    }

    eoe::Nanos time{1'000'000};
    eoe::Nanos deadline = eoe::kNever;
    std::vector<Bytes> sent;
    bool wire_full = false; ///< answer of send_frame
    int rx_readies = 0;
    int irq_changes = 0;
    std::array<std::array<bool, 16>, 2> lines{};
    std::vector<std::string> errors;
    bool keep_errors = true;
    bool forget_status = false; ///< lose the single-word writes of status words
    std::uint64_t descriptor_reads = 0;
    eoe::Bus own_register_answer = eoe::Bus::ok;
    /// Deadline asked for while run() was on the stack; must lie ahead.
    bool deadline_not_ahead = false;

    std::unique_ptr<eoe::Port> port;

private:
    [[nodiscard]] std::uint32_t reg(eoe::Block block, std::uint32_t offset);
    void reg(eoe::Block block, std::uint32_t offset, std::uint32_t value);
    [[nodiscard]] eoe::Bus reach(std::uint64_t address, std::size_t bytes, std::uint8_t *&at);

    std::vector<std::uint8_t> memory_;
};

// Registers of channel n (1-based).
[[nodiscard]] std::uint32_t mm2s(unsigned n, std::uint32_t offset = 0);
[[nodiscard]] std::uint32_t s2mm(unsigned n, std::uint32_t offset = 0);
inline constexpr std::uint32_t kCr = 0x00, kSr = 0x04, kCur = 0x08, kTail = 0x10;
inline constexpr std::uint32_t kMm2sCcr = 0x00, kMm2sCsr = 0x04, kMm2sChen = 0x08, kMm2sErr = 0x10;
inline constexpr std::uint32_t kS2mmCcr = 0x500, kS2mmCsr = 0x504, kS2mmChen = 0x508,
                               kS2mmErr = 0x510, kS2mmDrop = 0x514;
inline constexpr std::uint32_t kSof = 1U << 31, kEof = 1U << 30, kDone = 1U << 31;
/// RS with every interrupt enabled and threshold 1.
inline constexpr std::uint32_t kCrRun = 0x000100F9;

/// A ring of descriptors in guest memory with one buffer each.
struct Ring {
    Machine &m;
    std::uint64_t base;        ///< first descriptor
    std::uint64_t buffers;     ///< first buffer
    std::uint32_t buffer_size; ///< and stride
    unsigned count;

    [[nodiscard]] std::uint64_t bd(unsigned i) const {
        return base + 64ULL * (i % std::max(count, 1U));
    }
    [[nodiscard]] std::uint64_t buffer(unsigned i) const {
        return buffers + std::uint64_t{buffer_size} * (i % count);
    }
    [[nodiscard]] std::uint32_t get(unsigned i, std::uint32_t offset) const {
        return m.word(bd(i) + offset);
    }
    void set(unsigned i, std::uint32_t offset, std::uint32_t value) const {
        m.word(bd(i) + offset, value);
    }
    /// Chain the descriptors, all fields else zero.
    void link() const;
    /// link() and make every descriptor an empty receive buffer.
    void receive() const;
    /// Make descriptor i a piece of a transmit packet.
    void transmit(unsigned i, std::span<const std::uint8_t> bytes, std::uint32_t markers,
                  std::uint32_t app0 = 0, std::uint32_t app1 = 0) const;
};

/// Standard places for the rings of channel n.
[[nodiscard]] Ring tx_ring(Machine &m, unsigned n = 1, unsigned count = 16);
[[nodiscard]] Ring rx_ring(Machine &m, unsigned n = 1, unsigned count = 16);

/// PG288 order, all channels enabled: pointers, CR, CCR; no tail yet.
void start_tx(Machine &m, unsigned n, const Ring &ring, std::uint32_t cr = kCrRun);
/// The same for receive, with a tail at descriptor `last`.
void start_rx(Machine &m, unsigned n, const Ring &ring, unsigned last, std::uint32_t cr = kCrRun);

/// APP1 of a packet that wants checksums only (MTU 1500).
inline constexpr std::uint32_t kApp1Checksum = 0x05DC0D00;
/// APP1 that leaves a packet alone.
inline constexpr std::uint32_t kApp1Untouched = kApp1Checksum | 0x200;

/// Clear the channel's and its direction's RS, in either order.
void stop_both(Machine &m, std::uint32_t ccr, std::uint32_t cr, bool direction_first);

/// Send one single-descriptor packet on channel n with ring slot i and settle.
void send(Machine &m, unsigned n, const Ring &ring, unsigned i, std::span<const std::uint8_t> bytes,
          std::uint32_t app0 = 0, std::uint32_t app1 = kApp1Untouched);

/// Offer a frame from the wire and settle; true if it was taken.
bool deliver(Machine &m, std::span<const std::uint8_t> frame);

/// Bytes 0, 1, 2, ... behind a fixed unicast Ethernet header of a local
/// experimental type.
[[nodiscard]] Bytes plain_frame(std::size_t bytes);

} // namespace unit

#endif
