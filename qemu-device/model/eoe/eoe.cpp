// SPDX-License-Identifier: GPL-2.0-or-later
#include "eoe/eoe.hpp"

namespace eoe {

using namespace engine;

Eoe::Eoe(const Config &config, Host &host, Faults &faults, std::span<std::uint8_t> tx_buffer,
         StreamFifo &rx_fifo)
    : tx(config, host, tx_buffer), rx(config, host, faults, rx_fifo), host_(host) {}

void Eoe::reset() {
    tx.reset();
    rx.reset();
}

void Eoe::stream_reset() {
    tx.reset();
    rx.stream_reset();
}

const Reg *Eoe::decode(std::uint32_t offset, unsigned &k) const {
    k = offset / kPortStride;
    if (k > rx.ports()) {
        return nullptr;
    }
    const std::uint32_t inside = offset % kPortStride;
    const std::uint16_t index = find_register(k == 0 ? kCommonMap : kPortMap, inside);
    if (index == kNoReg) {
        return nullptr;
    }
    return k == 0 ? &kCommonRegs[index] : &kPortRegs[index];
}

// PG451 does not say what reserved offsets answer. MODEL: zero.
std::uint32_t Eoe::read(std::uint32_t offset) const {
    unsigned k = 0;
    const Reg *reg = decode(offset, k);
    if (reg == nullptr) {
        host_.guest_errorf("eoe: read of 0x%03x, where no register is", offset);
        return 0;
    }
    if (k != 0) {
        return read_port(k, reg->offset);
    }
    switch (reg->offset) {
    case kTxErrorCount:
        return tx.errors();
    case kRxCommonCtrl:
        return rx.s.common_ctrl;
    case kRxTimeout:
        return rx.s.timeout;
    case kRxDropped:
        return rx.s.dropped;
    case kRxError:
        return rx.s.errors;
    case kRxNonGro:
        return rx.s.non_gro;
    case kRxTotalGro:
        return rx.s.total_gro;
    default:
        return reg->reset;
    }
}

std::uint32_t Eoe::read_port(unsigned k, std::uint32_t offset) const {
    const RxState::Port &port = rx.s.ports[k - 1];
    switch (offset) {
    case port::control:
        return port.control;
    case port::status:
        return rx.busy(k) ? kPortBusy : 0;
    case port::source_ip:
        return port.source_ip;
    case port::destination_ip:
        return port.destination_ip;
    case port::ports:
        return port.ports;
    default:
        return port.gro_count;
    }
}

void Eoe::write(std::uint32_t offset, std::uint32_t value) {
    unsigned k = 0;
    const Reg *reg = decode(offset, k);
    if (reg == nullptr || reg->rw == 0) {
        host_.guest_errorf("eoe: write of 0x%08x to 0x%03x, %s", value, offset,
                           reg == nullptr ? "where no register is" : "a read-only register");
    } else if (k != 0) {
        write_port(k, *reg, value);
    } else if (reg->offset == kRxCommonCtrl) {
        write_common_ctrl(apply_write(*reg, rx.s.common_ctrl, value));
    } else {
        rx.s.timeout = apply_write(*reg, rx.s.timeout, value);
    }
}

void Eoe::write_common_ctrl(std::uint32_t value) {
    const std::uint32_t count = value >> common_ctrl::max_fragments_shift;
    const std::uint32_t size = value >> common_ctrl::fragment_size_shift & 0xF;
    if ((count != 8 && count != 16) || size > 1) {
        host_.guest_errorf("eoe: RX_COMMON_CTRL 0x%08x: max_fragments is 8 or 16, fragment size "
                           "0 or 1",
                           value);
    }
    rx.s.common_ctrl = value;
}

void Eoe::write_port(unsigned k, const Reg &reg, std::uint32_t value) {
    RxState::Port &port = rx.s.ports[k - 1];
    switch (reg.offset) {
    case port::control:
        rx.write_port_control(k, apply_write(reg, port.control, value));
        break;
    case port::source_ip:
        port.source_ip = value;
        break;
    case port::destination_ip:
        port.destination_ip = value;
        break;
    default:
        port.ports = value;
        break;
    }
}

} // namespace eoe
