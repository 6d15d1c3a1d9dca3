// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ioctl call: settings of single devices.
#ifndef ZYNQMP_FW_IOCTLS_HPP
#define ZYNQMP_FW_IOCTLS_HPP

#include "clocks.hpp"
#include "eemi.hpp"
#include "host.hpp"
#include "registers.hpp"

#include <array>
#include <cstdint>

namespace zynqmp {

/// Settings of the firmware's own features; number 0 is none.
inline constexpr std::size_t kFeatureConfigs = 8;

class Ioctls {
public:
    using Features = std::array<std::uint32_t, kFeatureConfigs>;

    Ioctls(Registers &registers, Clocks &clocks, Host &host)
        : registers_(registers), clocks_(clocks), host_(host) {}

    void reset() { features_ = {}; }

    Reply call(std::uint32_t node, std::uint32_t id, std::uint32_t first, std::uint32_t second);

    /// Ids call() answers, one bit each, as feature_check reports them.
    [[nodiscard]] static std::array<std::uint32_t, 2> supported();

    [[nodiscard]] const Features &features() const { return features_; }
    void restore(const Features &features) { features_ = features; }

private:
    Status bad(std::uint32_t id, std::uint32_t node, std::uint32_t first, std::uint32_t second);
    Status rpu_mode(std::uint32_t mode);
    Status rpu_boot_address(std::uint32_t node, std::uint32_t high);
    Status tcm(std::uint32_t combined);
    Status tap_bypass(std::uint32_t type, std::uint32_t on);
    Status sd_dll_reset(std::uint32_t node, std::uint32_t action);
    Status sd_tap(std::uint32_t node, std::uint32_t type, std::uint32_t value);
    Status sd_config(std::uint32_t node, std::uint32_t config, std::uint32_t value);
    Status gem_config(std::uint32_t node, std::uint32_t config, std::uint32_t value);
    Status afi(std::uint32_t index, std::uint32_t value);
    Status storage(Address first, std::uint32_t index, std::uint32_t value);

    Registers &registers_;
    Clocks &clocks_;
    Host &host_;
    Features features_{};
};

} // namespace zynqmp

#endif
