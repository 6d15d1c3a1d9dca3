// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C door (capi.h) to eoe::Port.
#include "capi.h"

#include "capture.hpp"
#include "config.hpp"
#include "host.hpp"
#include "port.hpp"

#include <memory>
#include <new>

namespace {

eoe::Bus from_c(XeoeBus answer) {
    switch (answer) {
    case XEOE_BUS_OK:
        return eoe::Bus::ok;
    case XEOE_BUS_DECERR:
        return eoe::Bus::decerr;
    case XEOE_BUS_SLVERR:
        break;
    }
    return eoe::Bus::slverr;
}

XeoeBus to_c(eoe::Bus answer) {
    switch (answer) {
    case eoe::Bus::ok:
        return XEOE_BUS_OK;
    case eoe::Bus::decerr:
        return XEOE_BUS_DECERR;
    case eoe::Bus::slverr:
        break;
    }
    return XEOE_BUS_SLVERR;
}

eoe::Block from_c(XeoeBlock block) {
    switch (block) {
    case XEOE_MAC:
        return eoe::Block::mac;
    case XEOE_EOE:
        return eoe::Block::eoe;
    case XEOE_MCDMA:
        break;
    }
    return eoe::Block::mcdma;
}

/// A Host made of the C callbacks.
class CHost final : public eoe::Host {
public:
    CHost(const XeoeConfig &config, const XeoeHostOps &ops, void *opaque)
        : ops_(ops), opaque_(opaque) {
        watch(ops.event ? ops.watched : nullptr);
        if (ops.stream_packet) {
            capture_.reset(new (std::nothrow) eoe::StreamCapture(config.eoe));
            capture(capture_ != nullptr);
        }
    }

    eoe::Bus dma_read(eoe::GuestAddr from, std::span<std::uint8_t> to) override {
        return from_c(ops_.dma_read(opaque_, from.value, to.data(), to.size()));
    }
    eoe::Bus dma_write(eoe::GuestAddr to, std::span<const std::uint8_t> from) override {
        return from_c(ops_.dma_write(opaque_, to.value, from.data(), from.size()));
    }
    bool send_frame(std::span<const std::uint8_t> frame) override {
        return ops_.send_frame(opaque_, frame.data(), frame.size());
    }
    void rx_ready() override { ops_.rx_ready(opaque_); }
    void set_irq(eoe::Dir dir, unsigned channel, bool level) override {
        ops_.set_irq(opaque_, dir == eoe::Dir::mm2s ? XEOE_MM2S : XEOE_S2MM, channel, level);
    }
    eoe::Nanos now() override { return eoe::Nanos{ops_.now_ns(opaque_)}; }
    void set_deadline(eoe::Nanos deadline) override {
        ops_.set_deadline(opaque_, deadline.count());
    }
    void guest_error(const char *text) override { ops_.guest_error(opaque_, text); }

protected:
    void report(XeoeEvent event, const char *what, std::uint64_t a, std::uint64_t b,
                std::uint64_t c) override {
        ops_.event(opaque_, event, what, a, b, c);
    }
    void capture_tx(std::span<const std::uint8_t> packet) override {
        ops_.stream_packet(opaque_, XEOE_MM2S, packet.data(), packet.size());
    }
    void capture_rx(const eoe::StreamPiece &piece) override {
        const auto packet = capture_->stored(piece);
        if (!packet.empty()) {
            ops_.stream_packet(opaque_, XEOE_S2MM, packet.data(), packet.size());
        }
    }

private:
    std::unique_ptr<eoe::StreamCapture> capture_;
    XeoeHostOps ops_;
    void *opaque_;
};

static_assert(eoe::kNever.count() == INT64_MAX, "capi.h promises INT64_MAX for never");

bool complete(const XeoeHostOps &ops) {
    return ops.dma_read && ops.dma_write && ops.send_frame && ops.rx_ready && ops.set_irq &&
           ops.now_ns && ops.set_deadline && ops.guest_error;
}

} // namespace

struct XeoePort {
    XeoePort(const XeoeConfig &config, const XeoeHostOps &ops, void *opaque)
        : host(config, ops, opaque), port(config, host) {}
    CHost host;
    eoe::Port port;
};

XeoeConfig xeoe_config_default(void) {
    return eoe::default_config();
}

XeoePort *xeoe_port_new(const XeoeConfig *config, const XeoeHostOps *ops, void *opaque, char *err,
                        size_t err_size) {
    const std::span<char> error{err, err ? err_size : 0};
    if (!eoe::check_config(*config, error)) {
        return nullptr;
    }
    XeoePort *port = complete(*ops) ? new (std::nothrow) XeoePort(*config, *ops, opaque) : nullptr;
    if (!port) {
        eoe::put_error(error, complete(*ops) ? "out of memory" : "a host callback is missing");
    }
    return port;
}

void xeoe_port_free(XeoePort *port) {
    delete port;
}

void xeoe_port_reset(XeoePort *port) {
    port->port.reset();
}

XeoeBus xeoe_port_read(XeoePort *port, XeoeBlock block, uint32_t offset, uint32_t *value) {
    return to_c(port->port.read(from_c(block), offset, *value));
}

XeoeBus xeoe_port_write(XeoePort *port, XeoeBlock block, uint32_t offset, uint32_t value) {
    return to_c(port->port.write(from_c(block), offset, value));
}

bool xeoe_port_can_receive(const XeoePort *port) {
    return port->port.can_receive();
}

XeoeRx xeoe_port_receive(XeoePort *port, const uint8_t *frame, size_t len) {
    return port->port.receive({frame, len}) ? XEOE_RX_DONE : XEOE_RX_BUSY;
}

void xeoe_port_tx_ready(XeoePort *port) {
    port->port.tx_ready();
}

void xeoe_port_run(XeoePort *port) {
    port->port.run();
}

void xeoe_port_set_link(XeoePort *port, bool up) {
    port->port.set_link(up);
}

bool xeoe_port_fault_add(XeoePort *port, const char *rule, char *err, size_t err_size) {
    return port->port.add_fault(rule, {err, err_size});
}

bool xeoe_port_faults_clear(XeoePort *port, const char *which, char *err, size_t err_size) {
    return port->port.clear_faults(which, {err, err_size});
}

size_t xeoe_port_faults_list(XeoePort *port, char *text, size_t size) {
    return port->port.list_faults({text, size});
}
