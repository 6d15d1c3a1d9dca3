// SPDX-License-Identifier: GPL-2.0-or-later
#include "port.hpp"

namespace eoe {

Port::Port(const Config &config, Host &host) : config_(config), host_(host) {}

void Port::reset() {
    host_.set_deadline(kNever);
}

// No block is wired in yet: the bus finds nobody at home.
Bus Port::read(Block, std::uint32_t, std::uint32_t &value) {
    value = 0;
    return Bus::decerr;
}

Bus Port::write(Block, std::uint32_t, std::uint32_t) {
    return Bus::decerr;
}

bool Port::can_receive() const {
    return true;
}

bool Port::receive(std::span<const std::uint8_t>) {
    return true;
}

void Port::tx_ready() {}

void Port::run() {}

void Port::set_link(bool up) {
    link_up_ = up;
}

} // namespace eoe
