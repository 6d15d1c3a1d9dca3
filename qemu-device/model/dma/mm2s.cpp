// SPDX-License-Identifier: GPL-2.0-or-later
#include "dma/mm2s.hpp"

#include "packet/bytes.hpp"

#include <bit>
#include <cinttypes>

namespace eoe {

using namespace mcdma;

namespace {

/// SCHD_TYPE in the order embeddedsw enumerates it; 3 is treated as 0.
enum class Schedule : std::uint32_t { fixed = 0, round_robin = 1, round_robin_priority = 2 };

} // namespace

Mm2s::Mm2s(const Config &config, Host &host, Faults &faults, std::span<std::uint8_t> buffer)
    : d(Dir::mm2s, config, host, faults), host_(host), faults_(faults), buffer_(buffer) {}

void Mm2s::reset() {
    d.reset();
    gather_ = Gather{};
    turn_ = Turn{};
}

std::uint32_t Mm2s::eligible() const {
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < d.channels(); ++i) {
        mask |= std::uint32_t{d.ch[i].running() && d.ch[i].ready()} << i;
    }
    return mask & d.s.enabled & ~faults_.stalled(Dir::mm2s);
}

bool Mm2s::has_work() const {
    if (!d.s.run) {
        return false;
    }
    return gather_.open ? d.ch[gather_.channel].ready() : eligible() != 0;
}

std::uint8_t Mm2s::weight(unsigned channel) const {
    const std::uint32_t field = d.s.weights[channel / 8] >> (4 * (channel % 8)) & 0xF;
    return static_cast<std::uint8_t>(field == 0 ? 1 : field); // MODEL: zero counts as one
}

// MODEL: weights count packets.
unsigned Mm2s::pick_round_robin(std::uint32_t from) {
    if ((from >> turn_.channel & 1) == 0 || turn_.credit[turn_.channel] == 0) {
        const std::uint32_t behind = from & ~((2U << turn_.channel) - 1);
        turn_.channel = static_cast<unsigned>(std::countr_zero(behind != 0 ? behind : from));
        turn_.credit[turn_.channel] = weight(turn_.channel);
    }
    --turn_.credit[turn_.channel];
    return turn_.channel;
}

// MODEL: every channel spends its weight before any gets a new one; among
// those with something left the lowest number wins.
unsigned Mm2s::pick_by_credit(std::uint32_t from) {
    std::uint32_t able = 0;
    for (unsigned i = 0; i < d.channels(); ++i) {
        able |= std::uint32_t{turn_.credit[i] != 0} << i;
    }
    able &= from;
    if (able == 0) {
        for (unsigned i = 0; i < d.channels(); ++i) {
            turn_.credit[i] = weight(i);
        }
        able = from;
    }
    const auto channel = static_cast<unsigned>(std::countr_zero(able));
    --turn_.credit[channel];
    return channel;
}

unsigned Mm2s::pick(std::uint32_t from) {
    switch (Schedule{d.s.schedule}) {
    case Schedule::round_robin:
        return pick_round_robin(from);
    case Schedule::round_robin_priority:
        return pick_by_credit(from);
    case Schedule::fixed:
        break;
    }
    return static_cast<unsigned>(std::countr_zero(from));
}

void Mm2s::open(unsigned channel) {
    gather_ = Gather{};
    gather_.open = true;
    gather_.channel = channel;
    // A first descriptor with SOF turns this round (pair_markers).
    gather_.discard = true;
    d.serving(channel);
}

// PG288 leaves wrong pairing undefined. MODEL: what comes before a SOF is
// thrown away, a second SOF starts the packet over; descriptors complete as
// usual, so software keeps its ring.
void Mm2s::pair_markers(const bd::Descriptor &descriptor) {
    const bool first = gather_.bytes == 0 && !gather_.overflow;
    if (descriptor.sof) {
        if (!first) {
            host_.guest_errorf("mcdma: mm2s channel %u descriptor 0x%" PRIx64
                               ": SOF inside a packet, %zu bytes dropped",
                               gather_.channel + 1, descriptor.self.value, gather_.bytes);
        }
        gather_.bytes = 0;
        gather_.overflow = false;
        gather_.discard = false;
        gather_.app = descriptor.app;
    } else if (first) {
        host_.guest_errorf("mcdma: mm2s channel %u descriptor 0x%" PRIx64
                           ": packet without SOF is dropped",
                           gather_.channel + 1, descriptor.self.value);
    }
}

bool Mm2s::load(const bd::Descriptor &descriptor, Budget &budget) {
    if (gather_.overflow || descriptor.length > buffer_.size() - gather_.bytes) {
        gather_.overflow = true;
        return true;
    }
    budget.bytes -= descriptor.length;
    const Bus answer = faults_.data_answer(
        Dir::mm2s, gather_.channel,
        host_.dma_read(descriptor.buffer, buffer_.subspan(gather_.bytes, descriptor.length)));
    if (answer != Bus::ok) {
        d.data_error(gather_.channel, answer);
        return false;
    }
    gather_.bytes += descriptor.length;
    return true;
}

bool Mm2s::transfer(Budget &budget) {
    --budget.descriptors;
    Channel &channel = d.ch[gather_.channel];
    if (!d.fetch(gather_.channel)) {
        return false;
    }
    const bd::Descriptor &descriptor = channel.s.bd;
    pair_markers(descriptor);
    if (!load(descriptor, budget)) {
        return false;
    }
    std::array<std::uint8_t, 4> status{};
    store_le32(status.data(), bd::kComplete | descriptor.length);
    if (!d.write_back(gather_.channel, bd::kTxStatus, status)) {
        return false;
    }
    host_.trace(XEOE_EV_descriptor_done, d.name(), gather_.channel + 1, descriptor.self.value,
                descriptor.length);
    channel.advance();
    return true;
}

void Mm2s::leave_channel(unsigned channel) {
    gather_.open = false;
    if (!d.ch[channel].running()) {
        d.ch[channel].stop();
    }
}

Mm2s::Step Mm2s::step(Budget &budget, Packet &packet) {
    while (has_work()) {
        if (!budget.left()) {
            return Step::more;
        }
        if (!gather_.open) {
            open(pick(eligible()));
        }
        const unsigned number = gather_.channel;
        Channel &channel = d.ch[number];
        if (!transfer(budget)) {
            gather_ = Gather{};
            return Step::nothing;
        }
        if (channel.s.bd.eof) {
            channel.packet_done(host_.now());
            leave_channel(number);
            if (gather_.discard) {
                host_.trace(XEOE_EV_tx_dropped, "no SOF", channel.s.bd.length);
                continue;
            }
            if (gather_.overflow) {
                host_.guest_errorf("mcdma: mm2s channel %u: packet exceeds %zu bytes, dropped",
                                   number + 1, buffer_.size());
                host_.trace(XEOE_EV_tx_dropped, "too long", gather_.bytes);
                return Step::too_long;
            }
            host_.trace(XEOE_EV_tx_packet, "mm2s", gather_.bytes, gather_.app[0], gather_.app[1]);
            host_.loaded(buffer_.first(gather_.bytes));
            packet = {gather_.bytes, gather_.app};
            return Step::packet;
        }
        if (channel.s.idle && !channel.running()) {
            // Stopped in the middle of a packet that ends nowhere.
            leave_channel(number);
        }
    }
    return Step::nothing;
}

void Mm2s::control_written(unsigned channel, bool was_running) {
    const Channel &c = d.ch[channel];
    if (!was_running || c.running()) {
        return;
    }
    // PG288: fetching stops after the packet in hand, if that has an end.
    if (!gather_.open || gather_.channel != channel || c.s.idle || !d.s.run) {
        give_up(channel);
    }
}

void Mm2s::give_up(unsigned channel) {
    if (gather_.channel == channel) {
        gather_.open = false;
    }
    d.ch[channel].stop();
}

} // namespace eoe
