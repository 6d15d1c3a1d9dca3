// SPDX-License-Identifier: GPL-2.0-or-later
#include "port.hpp"

#include <algorithm>
#include <utility>

namespace eoe {

namespace {

/// One slice of each direction: enough for two 64 KiB GSO packets, small
/// enough that the machine around us stays responsive.
constexpr Budget kSlice{256, std::int64_t{128} * 1024};
constexpr int kFramesPerSlice = 128;

const char *name_of(Block block) {
    switch (block) {
    case Block::mac:
        return "xxv";
    case Block::eoe:
        return "eoe";
    case Block::mcdma:
        break;
    }
    return "mcdma";
}

} // namespace

/// Marks the port as moving data, so that DMA aimed at its own registers is
/// refused (and nothing is entered twice).
class Port::Active {
public:
    explicit Active(Port &port) : port_(port) { port_.active_ = true; }
    Active(const Active &) = delete;
    Active &operator=(const Active &) = delete;
    ~Active() { port_.active_ = false; }

private:
    Port &port_;
};

Port::Port(const Config &config, Host &host)
    : config_(config), host_(host), tx_packet_(kMaxTxPacket + EoeTx::kMinOutput),
      fifo_(kRxFifoBytes), faults_(host), mac_(config_, host, faults_),
      eoe_(config_, host, faults_, tx_packet_, fifo_),
      mcdma_(config_, host, faults_, std::span{tx_packet_}.first(kMaxTxPacket), fifo_) {}

void Port::reset() {
    host_.trace(XEOE_EV_reset, "port");
    faults_.power_on();
    mac_.reset();
    eoe_.reset();
    mcdma_.reset();
    asked_ = kNever;
    host_.set_deadline(kNever);
    settle(host_.now());
}

// Registers

Bus Port::read(Block block, std::uint32_t offset, std::uint32_t &value) {
    value = 0;
    if (active_) {
        host_.guest_errorf("port: DMA reads the port's own registers");
        return Bus::slverr;
    }
    const Bus answer = read_block(block, offset, value);
    host_.trace(XEOE_EV_reg_read, name_of(block), offset, value);
    return answer;
}

Bus Port::read_block(Block block, std::uint32_t offset, std::uint32_t &value) {
    if (faults_.gone()) {
        value = ~std::uint32_t{0};
        return Bus::ok;
    }
    switch (block) {
    case Block::mac: {
        const Bus answer = mac_.read(offset, value);
        settle(host_.now());
        return answer;
    }
    case Block::eoe:
        if (!config_.eoe) {
            return Bus::decerr;
        }
        value = eoe_.read(offset);
        return Bus::ok;
    case Block::mcdma:
        value = mcdma_.read(offset);
        if (faults_.armed()) {
            settle(host_.now()); // a look at the status ends a spurious interrupt
        }
        return Bus::ok;
    }
    return Bus::decerr;
}

Bus Port::write(Block block, std::uint32_t offset, std::uint32_t value) {
    if (active_) {
        host_.guest_errorf("port: DMA writes the port's own registers");
        return Bus::slverr;
    }
    host_.trace(XEOE_EV_reg_write, name_of(block), offset, value);
    if (faults_.gone()) {
        return Bus::ok;
    }
    Bus answer = Bus::ok;
    switch (block) {
    case Block::mac:
        answer = mac_.write(offset, value);
        break;
    case Block::eoe:
        if (!config_.eoe) {
            return Bus::decerr;
        }
        eoe_.write(offset, value);
        break;
    case Block::mcdma:
        if (mcdma_.write(offset, value) == Mcdma::Effect::reset) {
            host_.trace(XEOE_EV_reset, "mcdma");
            // The reset outputs reach the streams of both other blocks.
            eoe_.stream_reset();
            mac_.datapath_reset();
        }
        if (faults_.take_sync()) {
            run();
        }
        break;
    }
    settle(host_.now());
    return answer;
}

// Frames

void Port::take_in(std::span<const std::uint8_t> frame) {
    host_.trace(XEOE_EV_frame_received, mac_.loopback() ? "looped" : "wire", frame.size());
    const FrameFate fate = faults_.frame(Dir::s2mm, frame);
    for (unsigned i = 0; i < fate.copies; ++i) {
        const Xxv::Received received = mac_.receive(fate.data, fate.good_fcs);
        if (received.deliver) {
            eoe_.rx.receive(received.data, received.bad);
        } else {
            host_.trace(XEOE_EV_rx_dropped, "by the MAC", fate.data.size());
        }
    }
}

bool Port::receive(std::span<const std::uint8_t> frame) {
    if (!can_receive()) {
        host_.trace(XEOE_EV_frame_refused, "the FIFO has not run empty");
        rx_open_ = false;
        return false;
    }
    {
        const Active active(*this);
        if (!mac_.loopback()) {
            take_in(frame);
            Budget budget = kSlice;
            mcdma_.s2mm.service(budget);
        }
    }
    settle(host_.now() + Nanos{1});
    return true;
}

void Port::transmit(std::span<const std::uint8_t> frame) {
    const auto sent = mac_.transmit(frame);
    if (sent.empty()) {
        host_.trace(XEOE_EV_tx_dropped, "by the MAC", frame.size());
        return;
    }
    host_.trace(XEOE_EV_frame_sent, mac_.loopback() ? "looped" : "wire", sent.size());
    const FrameFate fate = faults_.frame(Dir::mm2s, sent);
    for (unsigned i = 0; i < fate.copies; ++i) {
        if (mac_.loopback()) {
            take_in(fate.data);
        } else if (!wire_full_) {
            wire_full_ = !host_.send_frame(fate.data);
        }
    }
}

// In loopback the receive side takes a frame only when it has run empty, as
// with frames from the wire.
bool Port::tx_may_move() const {
    return mac_.tx_open() && (mac_.loopback() ? fifo_.empty() : !wire_full_);
}

void Port::move_tx(Budget &back) {
    Budget budget = kSlice;
    int frames = kFramesPerSlice;
    while (tx_may_move() && frames > 0) {
        if (eoe_.tx.has_frame()) {
            --frames;
            transmit(eoe_.tx.next_frame());
            if (mac_.loopback()) {
                mcdma_.s2mm.service(back);
            }
            continue;
        }
        Mm2s::Packet packet;
        switch (mcdma_.mm2s.step(budget, packet)) {
        case Mm2s::Step::packet:
            eoe_.tx.accept(packet.bytes, packet.app);
            break;
        case Mm2s::Step::too_long:
            eoe_.tx.reject();
            break;
        case Mm2s::Step::nothing:
        case Mm2s::Step::more:
            return;
        }
    }
}

void Port::run() {
    if (active_) {
        return;
    }
    asked_ = kNever;
    const Nanos now = host_.now();
    {
        const Active active(*this);
        if (faults_.run()) {
            mac_.lock_changed();
        }
        if (!faults_.gone()) {
            mac_.run();
            mcdma_.run_delays(now);
            eoe_.rx.run(now);
            Budget back = kSlice;
            mcdma_.s2mm.service(back);
            move_tx(back);
        }
    }
    settle(host_.now() + Nanos{1});
}

void Port::tx_ready() {
    wire_full_ = false;
    settle(host_.now());
}

void Port::set_link(bool up) {
    host_.trace(XEOE_EV_link, up ? "up" : "down");
    mac_.set_link(up);
    settle(host_.now());
}

// Fault injection

bool Port::add_fault(const char *text, std::span<char> error) {
    const bool added = faults_.add(text, error);
    settle(host_.now());
    return added;
}

bool Port::clear_faults(const char *which, std::span<char> error) {
    const bool cleared = faults_.clear(which, error);
    settle(host_.now());
    return cleared;
}

// What follows from the state

bool Port::has_work() const {
    return !faults_.gone() && (mcdma_.s2mm.has_work() || eoe_.rx.has_work() ||
                               (tx_may_move() && (eoe_.tx.has_frame() || mcdma_.mm2s.has_work())));
}

Nanos Port::deadline() const {
    if (faults_.gone()) {
        return faults_.deadline();
    }
    return std::min({faults_.deadline(), mac_.deadline(), mcdma_.deadline(), eoe_.rx.deadline()});
}

void Port::settle(Nanos earliest) {
    if (active_) {
        return;
    }
    mcdma_.update_irq();
    // A deadline that moved back is left alone: run() comes early, finds nothing
    // due and asks again, which is cheaper than moving a timer for every packet.
    const Nanos wanted = has_work() ? earliest : std::max(deadline(), earliest);
    if (wanted < asked_) {
        asked_ = wanted;
        host_.set_deadline(wanted);
    }
    const bool was_open = std::exchange(rx_open_, can_receive());
    if (rx_open_ && !was_open) {
        host_.rx_ready();
    }
}

} // namespace eoe
