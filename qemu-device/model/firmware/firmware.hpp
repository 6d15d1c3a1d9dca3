// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ZynqMP platform firmware as a guest at EL1 or EL2 meets it: secure monitor calls
// in, replies out. On a board two programs answer them, trusted firmware and the one of the
// platform management unit; here it is one.
#ifndef ZYNQMP_FW_FIRMWARE_HPP
#define ZYNQMP_FW_FIRMWARE_HPP

#include "clocks.hpp"
#include "eemi.hpp"
#include "host.hpp"
#include "ioctls.hpp"
#include "nodes.hpp"
#include "pins.hpp"
#include "registers.hpp"
#include "resets.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace zynqmp {

/// What differs between boards and silicon.
struct Identity {
    std::uint32_t idcode = 0;    ///< CSU IDCODE
    std::uint32_t version = 0;   ///< CSU VERSION
    std::uint32_t boot_mode = 0; ///< BOOT_MODE_USER, 4 bits
};

/// Registers of a secure monitor call, SMC Calling Convention (ARM DEN 0028): the
/// function id and the seven that follow, and the four that come back.
using SmcArgs = std::array<std::uint64_t, 8>;
using SmcReply = std::array<std::uint64_t, 4>;

/// Bytes that save() needs.
inline constexpr std::size_t kSavedSize = 4 + 4 * kRegisters + std::size_t{9} * kPins +
                                          std::size_t{4} * kNodes + 5 + 4 * kFeatureConfigs + 8;

class Firmware {
public:
    Firmware(const Identity &identity, Host &host);

    /// The state the boot loader leaves.
    void reset(bool power_on);

    /// Answer any call whose id lies in the silicon partner's range.
    SmcReply smc(const SmcArgs &args);

    /// The same for one firmware call, after unpacking.
    Reply call(Api api, const Args &args);

    /// All state as bytes that do not depend on compiler or host, and back. load() returns
    /// false and changes nothing if the bytes cannot be a saved state.
    void save(std::span<std::uint8_t, kSavedSize> to) const;
    [[nodiscard]] bool load(std::span<const std::uint8_t, kSavedSize> from);

    [[nodiscard]] const Registers &registers() const { return registers_; }
    [[nodiscard]] const Clocks &clocks() const { return clocks_; }
    [[nodiscard]] const Pins &pins() const { return pins_; }
    [[nodiscard]] const Nodes &nodes() const { return nodes_; }
    [[nodiscard]] const Resets &resets() const { return resets_; }

    using Handler = Reply (Firmware::*)(const Args &);

private:
    Reply api_version(const Args &);
    Reply trustzone_version(const Args &);
    Reply chip_id(const Args &);
    Reply feature_check(const Args &args);
    Reply query_data(const Args &args);
    Reply accept(const Args &);
    Reply register_notifier(const Args &args);
    Reply set_suspend_mode(const Args &args);
    Reply system_shutdown(const Args &args);
    Reply fpga_status(const Args &);
    Reply mmio_read(const Args &args);
    Reply mmio_write(const Args &args);

    Reply node_status(const Args &args);
    Reply request_node(const Args &args);
    Reply release_node(const Args &args);
    Reply set_requirement(const Args &args);
    Reply set_wakeup_source(const Args &args);
    Reply reset_assert(const Args &args);
    Reply reset_status(const Args &args);

    Reply pin_request(const Args &args);
    Reply pin_release(const Args &args);
    Reply pin_function(const Args &args);
    Reply pin_set_function(const Args &args);
    Reply pin_parameter(const Args &args);
    Reply pin_set_parameter(const Args &args);

    Reply clock_enable(const Args &args);
    Reply clock_disable(const Args &args);
    Reply clock_state(const Args &args);
    Reply clock_set_divider(const Args &args);
    Reply clock_divider(const Args &args);
    Reply clock_set_parent(const Args &args);
    Reply clock_parent(const Args &args);
    Reply pll_set_parameter(const Args &args);
    Reply pll_parameter(const Args &args);
    Reply pll_set_mode(const Args &args);
    Reply pll_mode(const Args &args);
    Reply ioctl(const Args &args);

    struct Call;
    static const Call kCalls[];
    [[nodiscard]] static const Call *find(Api api);

    Identity identity_;
    Host &host_;
    Registers registers_;
    Clocks clocks_{registers_, host_};
    Pins pins_{host_};
    Nodes nodes_{host_};
    Resets resets_{registers_, host_};
    Ioctls ioctls_{registers_, clocks_, host_};
    std::uint32_t suspend_mode_ = 0;
    std::uint32_t shutdown_scope_ = 0;
};

} // namespace zynqmp

#endif
