// SPDX-License-Identifier: GPL-2.0-or-later
#include "dma/s2mm.hpp"

#include "packet/bytes.hpp"

#include <algorithm>

namespace eoe {

using namespace mcdma;

S2mm::S2mm(const Config &config, Host &host, Faults &faults, StreamFifo &fifo)
    : d(Dir::s2mm, config, host, faults), host_(host), faults_(faults), fifo_(fifo),
      status_stream_(config.status_stream),
      app4_length_(config.stsapp_length ? (1U << std::min(config.sg_length_width, 16U)) - 1 : 0) {}

void S2mm::reset() {
    d.reset();
    fifo_.clear();
    current_ = Current{};
}

bool S2mm::wants_fetch(unsigned channel) const {
    const Channel &c = d.ch[channel];
    return c.ready() && !c.s.fetched &&
           (c.running() || (current_.open && current_.channel == channel));
}

bool S2mm::has_work() const {
    if (d.s.run) {
        for (unsigned i = 0; i < d.channels(); ++i) {
            if (wants_fetch(i)) {
                return true;
            }
        }
    }
    if (fifo_.empty()) {
        return false;
    }
    // A packet in progress waits for a descriptor or for the direction to run;
    // one not yet looked at is either taken or dropped.
    if (!current_.open || d.dead()) {
        return true;
    }
    const Channel &c = d.ch[current_.channel];
    return c.ready() ? d.s.run && !held(current_.channel) : !c.running();
}

// One descriptor ahead, as soon as software hands it over: a bad one halts the
// direction then, not when a packet comes.
void S2mm::prefetch(Budget &budget) {
    for (unsigned i = 0; i < d.channels() && d.s.run; ++i) {
        if (wants_fetch(i)) {
            --budget.descriptors;
            if (!d.fetch(i)) {
                return;
            }
        }
    }
}

void S2mm::drop(unsigned channel) {
    host_.trace(XEOE_EV_rx_dropped, current_.open ? "the channel stopped" : "no descriptor",
                fifo_.front_data().size());
    ++d.s.dropped;
    if (channel < d.channels()) {
        d.ch[channel].packet_dropped();
        d.ch[channel].s.shortfall = false;
    }
    fifo_.pop();
    current_ = Current{};
}

bool S2mm::accept() {
    const unsigned channel = fifo_.front_meta().tdest;
    const bool takes = channel < d.channels() && d.s.run && (d.s.enabled >> channel & 1) != 0 &&
                       d.ch[channel].running() && d.ch[channel].ready();
    if (!takes) {
        drop(channel);
        return false;
    }
    current_ = {true, channel, 0};
    d.serving(channel);
    return true;
}

bool S2mm::complete(std::uint32_t length, bool first, bool last) {
    const unsigned channel = current_.channel;
    const StreamMeta &meta = fifo_.front_meta();
    // Status goes last and by itself: it is what software polls.
    std::array<std::uint8_t, 24> words{};
    store_le32(words.data(), std::uint32_t{meta.tdest} << bd::kSidebandTdestShift | meta.tuser);
    if (last) {
        for (std::size_t i = 0; i < meta.app.size(); ++i) {
            store_le32(&words[4 + 4 * i], meta.app[i]);
        }
        // PG021: the low bits are the length, the others the user's. Both come from the same
        // packet here, so they never disagree (which would be DMAIntErr).
        std::uint8_t *app4 = &words[4 + 4 * 4];
        store_le32(app4,
                   (load_le32(app4) & ~app4_length_) |
                       (static_cast<std::uint32_t>(fifo_.front_data().size()) & app4_length_));
    }
    const std::span<const std::uint8_t> written{words.data(), status_stream_ ? words.size() : 4};
    if (!d.write_back(channel, bd::kRxSideband, written)) {
        return false;
    }
    std::array<std::uint8_t, 4> status{};
    store_le32(status.data(),
               bd::kComplete | (first ? bd::kRxSof : 0) | (last ? bd::kRxEof : 0) | length);
    return d.write_back(channel, bd::kRxStatus, status);
}

bool S2mm::held(unsigned channel) const {
    return (faults_.stalled(Dir::s2mm) >> channel & 1) != 0;
}

bool S2mm::transfer(Budget &budget) {
    Channel &channel = d.ch[current_.channel];
    if (!channel.ready() && !channel.running()) {
        // Stopped with the packet in hand, and the last descriptor is used up.
        give_up(current_.channel);
        return true;
    }
    if (!channel.ready()) {
        // PG288: the engine waits with the packet half stored; nobody else is
        // served meanwhile.
        host_.trace(XEOE_EV_rx_waits, d.name(), current_.channel + 1);
        channel.s.shortfall = true;
        return false;
    }
    if (!d.s.run || held(current_.channel) || (!channel.s.fetched && !d.fetch(current_.channel))) {
        return false;
    }
    const auto rest = fifo_.front_data().subspan(current_.done);
    const auto part = rest.first(std::min<std::size_t>(rest.size(), channel.s.bd.length));
    --budget.descriptors;
    budget.bytes -= static_cast<std::int64_t>(part.size());
    const Bus answer = faults_.data_answer(Dir::s2mm, current_.channel,
                                           host_.dma_write(channel.s.bd.buffer, part));
    if (answer != Bus::ok) {
        d.data_error(current_.channel, answer);
        return false;
    }
    const bool last = part.size() == rest.size();
    if (!complete(static_cast<std::uint32_t>(part.size()), current_.done == 0, last)) {
        return false;
    }
    host_.trace(XEOE_EV_descriptor_done, d.name(), current_.channel + 1, channel.s.bd.self.value,
                part.size());
    current_.done += part.size();
    channel.advance();
    if (last) {
        finish();
    }
    return true;
}

void S2mm::finish() {
    Channel &channel = d.ch[current_.channel];
    host_.trace(XEOE_EV_rx_packet, d.name(), current_.channel + 1, current_.done);
    const StreamMeta &meta = fifo_.front_meta();
    host_.stored({current_.channel, meta.app[0], meta.app[1], fifo_.front_data()});
    channel.s.shortfall = false;
    channel.packet_done(host_.now());
    if (!channel.running()) {
        channel.stop();
    }
    fifo_.pop();
    current_ = Current{};
}

void S2mm::service(Budget &budget) {
    prefetch(budget);
    while (!fifo_.empty() && budget.left()) {
        if (d.dead() && current_.open) {
            drop(current_.channel);
            continue;
        }
        if (!current_.open && !accept()) {
            continue;
        }
        if (!transfer(budget) && !d.dead()) {
            break;
        }
    }
    prefetch(budget);
}

void S2mm::control_written(unsigned channel, bool was_running) {
    const Channel &c = d.ch[channel];
    if (!was_running || c.running()) {
        return;
    }
    if (current_.open && current_.channel == channel && c.ready() && d.s.run) {
        return; // ends with the packet in hand
    }
    give_up(channel);
}

void S2mm::give_up(unsigned channel) {
    if (current_.open && current_.channel == channel) {
        drop(channel); // nobody will ever extend the tail
    }
    d.ch[channel].stop();
}

} // namespace eoe
