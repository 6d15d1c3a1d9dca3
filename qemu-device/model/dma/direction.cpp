// SPDX-License-Identifier: GPL-2.0-or-later
#include "dma/direction.hpp"

#include "packet/bytes.hpp"

#include <algorithm>
#include <cinttypes>
#include <utility>

namespace eoe {

using namespace mcdma;

namespace {

/// Data width of the streams; without DRE a buffer starts on this boundary.
constexpr std::uint64_t kDataBytes = 8;

std::uint64_t load_address(const std::uint8_t *p) {
    return std::uint64_t{load_le32(p + 4)} << 32 | load_le32(p);
}

} // namespace

Direction::Direction(Dir dir, const Config &config, Host &host, Faults &faults)
    : dir_(dir), host_(host), faults_(faults),
      count_(dir == Dir::mm2s ? config.num_mm2s_channels : config.num_s2mm_channels),
      address_mask_(config.addr_width >= 64 ? ~std::uint64_t{0}
                                            : (std::uint64_t{1} << config.addr_width) - 1),
      length_mask_((1U << config.sg_length_width) - 1), wide_(config.addr_width > 32),
      realigns_(dir == Dir::mm2s ? config.mm2s_dre : config.s2mm_dre) {
    for (Channel &channel : ch) {
        channel.configure(dir == Dir::mm2s ? sr::mm2s_causes : sr::s2mm_causes, config.sg_clock_hz);
    }
}

void Direction::reset() {
    s = DirectionState{};
    for (Channel &channel : ch) {
        channel.reset();
    }
}

std::uint32_t Direction::status() const {
    if (!s.run) {
        return csr::halted;
    }
    for (unsigned i = 0; i < count_; ++i) {
        if ((s.enabled >> i & 1) != 0 && ch[i].running() && !ch[i].s.idle) {
            return 0;
        }
    }
    return csr::idle;
}

std::uint32_t Direction::interrupts() const {
    std::uint32_t asserted = 0;
    for (unsigned i = 0; i < count_; ++i) {
        asserted |= std::uint32_t{ch[i].irq()} << i;
    }
    return asserted;
}

std::uint32_t Direction::take_raised() {
    std::uint32_t raised = 0;
    for (unsigned i = 0; i < count_; ++i) {
        raised |= std::uint32_t{std::exchange(ch[i].s.raised, false)} << i;
    }
    return raised;
}

Nanos Direction::deadline() const {
    Nanos first = kNever;
    for (unsigned i = 0; i < count_; ++i) {
        first = std::min(first, ch[i].s.delay_end);
    }
    return first;
}

void Direction::run_delays(Nanos now) {
    for (unsigned i = 0; i < count_; ++i) {
        ch[i].run_delay(now);
    }
}

void Direction::serving(unsigned channel) {
    s.in_progress = 1U << channel;
    s.serviced |= 1U << channel;
}

void Direction::halt(unsigned channel, std::uint32_t error, const char *why) {
    host_.guest_errorf("mcdma: %s channel %u halts on descriptor 0x%" PRIx64 ": %s", name(),
                       channel + 1, ch[channel].s.current.value, why);
    host_.trace(XEOE_EV_halted, name(), channel + 1, ch[channel].s.current.value, error);
    s.errors |= error;
    s.run = false;
    for (unsigned i = 0; i < count_; ++i) {
        ch[i].raise(i == channel ? sr::error : sr::other_error);
    }
}

void Direction::fail_descriptor(unsigned channel, std::uint32_t error, const char *why) {
    std::array<std::uint8_t, 4> word{};
    store_le32(word.data(), bd::kComplete | error << bd::kErrorShift);
    const std::size_t offset = dir_ == Dir::mm2s ? bd::kTxStatus : bd::kRxStatus;
    if (write_back(channel, offset, word)) {
        halt(channel, error, why);
    }
}

void Direction::data_error(unsigned channel, Bus answer) {
    fail_descriptor(channel, answer == Bus::decerr ? err::dma_decode : err::dma_slave,
                    answer == Bus::decerr ? "no memory at the buffer address"
                                          : "the bus refused the buffer access");
}

bool Direction::write_back(unsigned channel, std::size_t offset,
                           std::span<const std::uint8_t> bytes) {
    const GuestAddr self = ch[channel].s.bd.self;
    const Bus answer = host_.dma_write(on_bus(self.value + offset), bytes);
    if (answer == Bus::ok) {
        return true;
    }
    halt(channel, answer == Bus::decerr ? err::sg_decode : err::sg_slave,
         "the descriptor could not be written back");
    return false;
}

bool Direction::fetch(unsigned channel) {
    ChannelState &c = ch[channel].s;
    c.current = c.next;

    std::array<std::uint8_t, bd::kUsedBytes> raw{};
    const Bus answer = faults_.sg_answer(dir_, channel, host_.dma_read(c.current, raw));
    if (answer != Bus::ok) {
        halt(channel, answer == Bus::decerr ? err::sg_decode : err::sg_slave,
             "the descriptor could not be read");
        return false;
    }

    bd::Descriptor &d = c.bd;
    d.self = c.current;
    const std::uint64_t next = load_address(&raw[bd::kNext]);
    if (next % kDescriptorBytes != 0) {
        host_.guest_errorf("mcdma: %s channel %u descriptor 0x%" PRIx64 ": next pointer 0x%" PRIx64
                           " is not a multiple of 64",
                           name(), channel + 1, d.self.value, next);
    }
    d.next = on_bus(next & ~std::uint64_t{kDescriptorBytes - 1});
    const std::uint64_t buffer = load_address(&raw[bd::kBuffer]);
    d.buffer = on_bus(buffer);
    if (((next | buffer) & ~address_mask_) != 0) {
        host_.guest_errorf("mcdma: %s channel %u descriptor 0x%" PRIx64
                           ": an address beyond those built (next 0x%" PRIx64 ", buffer 0x%" PRIx64
                           ")",
                           name(), channel + 1, d.self.value, next, buffer);
    }
    const std::uint32_t control = load_le32(&raw[bd::kControl]);
    d.length = control & bd::kLengthMask & length_mask_;
    d.sof = (control & bd::kControlSof) != 0;
    d.eof = (control & bd::kControlEof) != 0;
    for (std::size_t i = 0; i < d.app.size(); ++i) {
        d.app[i] = load_le32(&raw[bd::kApp + 4 * i]);
    }

    host_.trace(XEOE_EV_descriptor_fetched, name(), channel + 1, d.self.value, d.length);

    const std::size_t status = dir_ == Dir::mm2s ? bd::kTxStatus : bd::kRxStatus;
    if ((load_le32(&raw[status]) & bd::kComplete) != 0 ||
        faults_.bd_error(dir_, channel, fault::BdError::sg_internal)) {
        halt(channel, err::sg_internal, "it is already marked complete");
        return false;
    }
    if (d.length == 0 || faults_.bd_error(dir_, channel, fault::BdError::dma_internal)) {
        fail_descriptor(channel, err::dma_internal, "its buffer length is zero");
        return false;
    }
    if (!realigns_ && d.buffer.value % kDataBytes != 0) {
        // MODEL: hardware without DRE moves wrong bytes; an error is seen.
        fail_descriptor(channel, err::dma_internal,
                        "its buffer is not aligned to 8 bytes and no DRE is built");
        return false;
    }
    c.fetched = true;
    return true;
}

} // namespace eoe
