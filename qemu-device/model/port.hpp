// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_PORT_HPP
#define XEOE_PORT_HPP

#include "config.hpp"
#include "host.hpp"

namespace eoe {

/// The register block an access is for.
enum class Block : std::uint8_t { mac, eoe, mcdma };

/// One Ethernet port: MAC, offload engine and DMA wired together.
class Port {
public:
    /// `config` must have passed check_config(); `host` must outlive the port.
    Port(const Config &config, Host &host);

    void reset();
    [[nodiscard]] Bus read(Block block, std::uint32_t offset, std::uint32_t &value);
    [[nodiscard]] Bus write(Block block, std::uint32_t offset, std::uint32_t value);
    [[nodiscard]] bool can_receive() const;
    /// False: not looked at, offer it again after Host::rx_ready().
    [[nodiscard]] bool receive(std::span<const std::uint8_t> frame);
    void tx_ready();
    void run();
    void set_link(bool up);

private:
    Config config_;
    Host &host_;
    bool link_up_ = true;
};

} // namespace eoe

#endif
