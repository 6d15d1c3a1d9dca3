// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pin calls: who holds a pin, its function, its electrical settings.
#ifndef ZYNQMP_FW_PINS_HPP
#define ZYNQMP_FW_PINS_HPP

#include "eemi.hpp"
#include "host.hpp"
#include "pin_table.hpp"

#include <array>
#include <cstdint>

namespace zynqmp {

/// Parameters of a pin (UG1200, pin control configuration parameters).
enum class PinParameter : std::uint32_t {
    slew_rate,      ///< 0 fast, 1 slow
    bias,           ///< 0 no pull resistor, 1 has one
    pull,           ///< 0 down, 1 up
    schmitt,        ///< 0 CMOS input, 1 Schmitt trigger
    drive_strength, ///< 0..3: 2, 4, 8, 12 mA
    voltage,        ///< 0 LVCMOS33, 1 LVCMOS18; the board decides, read only
    tri_state,      ///< 0 drives, 1 high impedance
};
inline constexpr std::size_t kPinParameters = 7;

struct Pin {
    bool requested = false;
    std::uint8_t function = 0;
    std::array<std::uint8_t, kPinParameters> parameter{};
};

class Pins {
public:
    using State = std::array<Pin, kPins>;

    explicit Pins(Host &host) : host_(host) { reset(); }

    /// What the boot loader leaves: all pins plain GPIO, 12 mA, slow, pulled up.
    void reset();

    Reply request(std::uint32_t pin);
    Reply release(std::uint32_t pin);
    Reply set_function(std::uint32_t pin, std::uint32_t function);
    [[nodiscard]] Reply function(std::uint32_t pin) const;
    Reply set_parameter(std::uint32_t pin, std::uint32_t parameter, std::uint32_t value);
    [[nodiscard]] Reply parameter(std::uint32_t pin, std::uint32_t parameter) const;

    /// query_data for pins. Names are text only; six 16-bit group numbers an answer.
    [[nodiscard]] Reply num_groups(std::uint32_t function) const;
    static Reply name(std::uint32_t function);
    [[nodiscard]] Reply function_groups(std::uint32_t function, std::uint32_t index) const;
    [[nodiscard]] Reply pin_groups(std::uint32_t pin, std::uint32_t index) const;

    [[nodiscard]] const State &state() const { return state_; }
    /// False, and nothing changes, if a field is out of range.
    [[nodiscard]] bool restore(const State &state);

private:
    [[nodiscard]] bool known(const char *call, std::uint32_t pin) const;

    Host &host_;
    State state_{};
};

} // namespace zynqmp

#endif
