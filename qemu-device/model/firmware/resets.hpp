// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reset calls. Nearly every reset is one bit of the register image.
#ifndef ZYNQMP_FW_RESETS_HPP
#define ZYNQMP_FW_RESETS_HPP

#include "eemi.hpp"
#include "host.hpp"
#include "registers.hpp"

#include <cstdint>

namespace zynqmp {

/// Reset ids: include/dt-bindings/reset/xlnx-zynqmp-resets.h, counted from 1000.
inline constexpr std::uint32_t kFirstReset = 1000;
inline constexpr std::uint32_t kResets = 120;

/// Name of the reset with this id; "" if there is none.
[[nodiscard]] const char *reset_name(std::uint32_t id);

/// Resets of the programmable logic that are wires, not register bits.
struct FabricResets {
    std::uint32_t gpo3 = 0; ///< 32 wires of the platform management unit
    std::uint8_t ps_pl = 0; ///< four wires of the GPIO block
};

class Resets {
public:
    Resets(Registers &registers, Host &host) : registers_(registers), host_(host) {}

    void reset() { fabric_ = {}; }

    /// action: 0 release, 1 assert, 2 pulse.
    Reply assert_reset(std::uint32_t id, std::uint32_t action);
    /// 1 while asserted.
    [[nodiscard]] Reply status(std::uint32_t id) const;

    [[nodiscard]] bool asserted(std::uint32_t id) const;

    [[nodiscard]] const FabricResets &fabric() const { return fabric_; }
    void restore(const FabricResets &fabric) { fabric_ = fabric; }

private:
    Registers &registers_;
    Host &host_;
    FabricResets fabric_;
};

} // namespace zynqmp

#endif
