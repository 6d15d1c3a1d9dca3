// SPDX-License-Identifier: GPL-2.0-or-later
#include "dma/mcdma.hpp"

#include <algorithm>
#include <utility>

namespace eoe {

using namespace mcdma;

namespace {

/// U15: its layout is embeddedsw's, its reset value is not known (MODEL: 0).
constexpr Reg kSgCacheReg{.offset = kSgCacheUser, .name = "SG_CACHE_USER", .rw = 0x000F000F};

/// The debug observers: documented to exist, layout unknown (MODEL: 0).
constexpr Reg kObserverReg{.name = "observer"};

template <std::size_t N, std::size_t Words>
const Reg *lookup(const std::array<Reg, N> &table, const std::array<std::uint16_t, Words> &map,
                  std::uint32_t offset) {
    const std::uint16_t index = find_register(map, offset);
    return index == kNoReg ? nullptr : &table[index];
}

constexpr GuestAddr with_low(GuestAddr address, std::uint32_t low) {
    return {(address.value & ~std::uint64_t{0xFFFFFFFF}) | low};
}

constexpr GuestAddr with_high(GuestAddr address, std::uint32_t high) {
    return {(address.value & 0xFFFFFFFF) | std::uint64_t{high} << 32};
}

constexpr std::uint32_t low(GuestAddr address) {
    return static_cast<std::uint32_t>(address.value);
}

constexpr std::uint32_t high(GuestAddr address) {
    return static_cast<std::uint32_t>(address.value >> 32);
}

} // namespace

Mcdma::Mcdma(const Config &config, Host &host, Faults &faults, std::span<std::uint8_t> tx_buffer,
             StreamFifo &rx)
    : mm2s(config, host, faults, tx_buffer), s2mm(config, host, faults, rx), host_(host),
      faults_(faults), single_intr_(config.single_intr) {}

void Mcdma::reset() {
    mm2s.reset();
    s2mm.reset();
    sg_cache_ = 0;
    faults_.engine_reset();
}

Mcdma::Target Mcdma::decode(std::uint32_t offset) const {
    Target t;
    if (offset == kSgCacheUser) {
        t.reg = &kSgCacheReg;
        return t;
    }
    if (offset - kMm2sObservers < kObserverBytes || offset - kS2mmObservers < kObserverBytes) {
        t.reg = &kObserverReg;
        return t;
    }
    t.dir = offset < kS2mmCommon ? Dir::mm2s : Dir::s2mm;
    const std::uint32_t base = t.dir == Dir::mm2s ? 0 : kS2mmCommon;
    const std::uint32_t inside = offset - base;
    if (inside < kMm2sChannels) {
        t.common = true;
        t.reg = t.dir == Dir::mm2s ? lookup(kMm2sCommonRegs, kMm2sCommonMap, inside)
                                   : lookup(kS2mmCommonRegs, kS2mmCommonMap, inside);
        return t;
    }
    t.channel = (inside - kMm2sChannels) / kChannelStride;
    if (t.channel < direction(t.dir).channels()) {
        const std::uint32_t at = inside % kChannelStride;
        t.reg = t.dir == Dir::mm2s ? lookup(kMm2sChannelRegs, kMm2sChannelMap, at)
                                   : lookup(kS2mmChannelRegs, kS2mmChannelMap, at);
    }
    return t;
}

// Reads

std::uint32_t Mcdma::read(std::uint32_t offset) {
    const Target t = decode(offset);
    if (t.reg == nullptr) {
        host_.guest_errorf("mcdma: read of 0x%03x, where no register is", offset);
        return 0;
    }
    if (t.reg == &kSgCacheReg) {
        return sg_cache_;
    }
    if (t.reg == &kObserverReg) {
        return 0;
    }
    return t.common ? read_common(t) : read_channel(t);
}

/// The plain read/write fields of a common block.
std::uint32_t *Mcdma::storage(Direction &d, const Target &target) {
    if (target.reg->offset == common::channel_enable) {
        return &d.s.enabled;
    }
    if (target.dir == Dir::s2mm) {
        return target.reg->offset == common::s2mm_cache ? &d.s.cache : nullptr;
    }
    switch (target.reg->offset) {
    case common::mm2s_schedule:
        return &d.s.schedule;
    case common::mm2s_weights_low:
        return &d.s.weights[0];
    case common::mm2s_weights_high:
        return &d.s.weights[1];
    case common::mm2s_cache:
        return &d.s.cache;
    default:
        return nullptr;
    }
}

std::uint32_t Mcdma::read_common(const Target &t) {
    Direction &d = direction(t.dir);
    if (const std::uint32_t *field = storage(d, t)) {
        return *field;
    }
    switch (t.reg->offset) {
    case common::control:
        return (d.s.run ? ccr::run : 0) | (faults_.dma_held() ? ccr::reset : 0);
    case common::status:
        return d.status();
    case common::channel_in_progress:
        return d.s.in_progress;
    case common::error:
        return d.s.errors;
    default:
        break;
    }
    const std::uint32_t interrupts =
        t.dir == Dir::mm2s ? common::mm2s_interrupts : common::s2mm_interrupts;
    if (t.reg->offset == interrupts) {
        return d.interrupts();
    }
    if (t.reg->rc != 0) {
        return std::exchange(d.s.serviced, d.s.serviced & ~t.reg->rc);
    }
    return d.s.dropped;
}

std::uint32_t Mcdma::read_channel(const Target &t) {
    ChannelState &c = direction(t.dir).ch[t.channel].s;
    switch (t.reg->offset) {
    case chan::control:
        return c.cr;
    case chan::status:
        faults_.status_read(t.dir, t.channel);
        return direction(t.dir).ch[t.channel].read_status(host_.now());
    case chan::current_lsb:
        return low(c.current);
    case chan::current_msb:
        return high(c.current);
    case chan::tail_lsb:
        return low(c.tail_reg);
    case chan::tail_msb:
        return high(c.tail_reg);
    default:
        break;
    }
    if (t.reg->rc != 0) {
        return std::exchange(c.dropped, std::uint16_t{0});
    }
    return c.packets;
}

// Writes

Mcdma::Effect Mcdma::write(std::uint32_t offset, std::uint32_t value) {
    const Target t = decode(offset);
    if (t.reg == nullptr || (t.reg->rw | t.reg->w1c | t.reg->sc) == 0) {
        host_.guest_errorf("mcdma: write of 0x%08x to 0x%03x, %s", value, offset,
                           t.reg == nullptr ? "where no register is" : "a read-only register");
        return Effect::none;
    }
    if (faults_.dma_held() && !(t.common && t.reg->offset == common::control)) {
        host_.guest_errorf("mcdma: write of 0x%08x to 0x%03x during reset", value, offset);
        return Effect::none;
    }
    if (t.reg == &kSgCacheReg) {
        sg_cache_ = apply_write(*t.reg, sg_cache_, value);
        return Effect::none;
    }
    if (t.common) {
        return write_common(t, value);
    }
    write_channel(t, value);
    return Effect::none;
}

Mcdma::Effect Mcdma::write_common(const Target &t, std::uint32_t value) {
    Direction &d = direction(t.dir);
    if (std::uint32_t *field = storage(d, t)) {
        *field = apply_write(*t.reg, *field, value);
        if (t.reg->offset == common::channel_enable) {
            const std::uint32_t built = (1U << d.channels()) - 1;
            if ((*field & ~built) != 0) {
                host_.guest_errorf("mcdma: %s CHEN 0x%04x enables channels that are not built",
                                   d.name(), *field);
            }
            *field &= built;
        }
        return Effect::none;
    }
    // Only the control register is left. PG021: either half resets both.
    if ((value & ccr::reset) != 0) {
        reset();
        faults_.dma_reset_begun();
        return Effect::reset;
    }
    if (faults_.dma_held()) {
        return Effect::none;
    }
    if ((value & ccr::run) != 0 && d.dead()) {
        host_.guest_errorf("mcdma: %s cannot run before the error 0x%02x is reset", d.name(),
                           d.s.errors);
        return Effect::none;
    }
    const bool was_running = std::exchange(d.s.run, (value & ccr::run) != 0);
    // A stopped channel was to end with its packet, which now ends nowhere.
    for (unsigned i = 0; was_running && !d.s.run && i < d.channels(); ++i) {
        if (d.ch[i].running()) {
            continue;
        }
        if (t.dir == Dir::mm2s) {
            mm2s.give_up(i);
        } else {
            s2mm.give_up(i);
        }
    }
    return Effect::none;
}

void Mcdma::write_channel(const Target &t, std::uint32_t value) {
    switch (t.reg->offset) {
    case chan::control:
        write_control(t, value);
        break;
    case chan::status:
        direction(t.dir).ch[t.channel].acknowledge(value & t.reg->w1c);
        break;
    case chan::current_lsb:
    case chan::current_msb:
        write_current(t, value);
        break;
    default:
        write_tail(t, value);
        break;
    }
}

void Mcdma::write_control(const Target &t, std::uint32_t value) {
    Channel &c = direction(t.dir).ch[t.channel];
    const bool was_running = c.running();
    c.write_control(apply_write(*t.reg, c.s.cr, value), host_.now());
    if (t.dir == Dir::mm2s) {
        mm2s.control_written(t.channel, was_running);
    } else {
        s2mm.control_written(t.channel, was_running);
    }
}

void Mcdma::write_current(const Target &t, std::uint32_t value) {
    const Direction &d = direction(t.dir);
    Channel &c = direction(t.dir).ch[t.channel];
    if (c.running()) {
        host_.guest_errorf("mcdma: %s channel %u: CURDESC written while CR.RS is set", d.name(),
                           t.channel + 1);
        return;
    }
    if ((value & ~t.reg->rw) != 0) {
        host_.guest_errorf("mcdma: %s channel %u: CURDESC 0x%08x is not a multiple of 64", d.name(),
                           t.channel + 1, value);
    }
    const std::uint32_t masked = value & t.reg->rw;
    c.s.current = d.on_bus((t.reg->offset == chan::current_lsb ? with_low(c.s.current, masked)
                                                               : with_high(c.s.current, masked))
                               .value);
    c.s.next = c.s.current;
    c.s.fetched = false;
}

void Mcdma::write_tail(const Target &t, std::uint32_t value) {
    const Direction &d = direction(t.dir);
    Channel &c = direction(t.dir).ch[t.channel];
    const bool is_low = t.reg->offset == chan::tail_lsb;
    if ((value & ~t.reg->rw) != 0) {
        host_.guest_errorf("mcdma: %s channel %u: TAILDESC 0x%08x is not a multiple of 64",
                           d.name(), t.channel + 1, value);
    }
    const std::uint32_t masked = value & t.reg->rw;
    c.s.tail_reg =
        d.on_bus((is_low ? with_low(c.s.tail_reg, masked) : with_high(c.s.tail_reg, masked)).value);
    // The half that completes the address is the trigger.
    if (is_low != d.wide()) {
        if (!c.running()) {
            host_.guest_errorf("mcdma: %s channel %u: TAILDESC written while CR.RS is clear starts "
                               "nothing",
                               d.name(), t.channel + 1);
        }
        c.tail_written();
        faults_.doorbell(t.dir, t.channel);
    }
}

// Time and interrupts

void Mcdma::run_delays(Nanos now) {
    mm2s.d.run_delays(now);
    s2mm.d.run_delays(now);
}

Nanos Mcdma::deadline() const {
    return std::min(mm2s.d.deadline(), s2mm.d.deadline());
}

void Mcdma::drive(Dir dir, std::uint32_t &driven) {
    Direction &d = direction(dir);
    const std::uint32_t fresh = faults_.armed() ? d.take_raised() : 0;
    std::uint32_t wanted = faults_.lines(dir, d.interrupts(), fresh);
    if (single_intr_) {
        wanted = wanted != 0 ? 1 : 0;
    }
    for (unsigned i = 0; i < kChannels; ++i) {
        if (((wanted ^ driven) >> i & 1) != 0) {
            host_.trace(XEOE_EV_interrupt, direction(dir).name(), i + 1, wanted >> i & 1);
            host_.set_irq(dir, i, (wanted >> i & 1) != 0);
        }
    }
    driven = wanted;
}

void Mcdma::update_irq() {
    drive(Dir::mm2s, mm2s_lines_);
    drive(Dir::s2mm, s2mm_lines_);
}

} // namespace eoe
