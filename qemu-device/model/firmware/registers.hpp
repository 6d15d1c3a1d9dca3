// SPDX-License-Identifier: GPL-2.0-or-later
//
// The chip's control registers that firmware owns, as an image. Clocks, resets
// and the SD, RPU and storage settings have no other state: a call, and a guest
// that reads or writes the register through the firmware, see the same bits.
#ifndef ZYNQMP_FW_REGISTERS_HPP
#define ZYNQMP_FW_REGISTERS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace zynqmp {

/// A bus address of the low 4 GiB.
struct Address {
    std::uint32_t value = 0;
    friend constexpr bool operator==(Address, Address) = default;
};

/// One register. `boot` is its content when the boot loader is done with a
/// ZCU102; `writable` the bits a guest may change through the firmware.
struct RegisterSpec {
    std::uint32_t address = 0;
    std::uint32_t boot = 0;
    std::uint32_t writable = 0;
    const char *name = "";
};

inline constexpr std::size_t kRegisters = 147;

/// All registers, by rising address.
[[nodiscard]] std::span<const RegisterSpec, kRegisters> register_table();

/// A field of a register, at most 32 bits wide.
struct Field {
    unsigned shift = 0;
    unsigned width = 0;
    [[nodiscard]] constexpr std::uint32_t max() const {
        return width >= 32 ? ~0U : (1U << width) - 1U;
    }
    [[nodiscard]] constexpr std::uint32_t mask() const { return max() << shift; }
};

class Registers {
public:
    using Image = std::array<std::uint32_t, kRegisters>;

    Registers();

    /// Content after the boot loader. Storage that survives a reset is kept
    /// unless `power_on`.
    void reset(bool power_on);

    /// Index of the register at `address`, if firmware knows one there.
    [[nodiscard]] static std::optional<std::size_t> find(Address address);

    /// Access by an address of the table; an address outside it reads zero and
    /// ignores writes. No permission is checked.
    [[nodiscard]] std::uint32_t read(Address address) const;
    void write(Address address, std::uint32_t mask, std::uint32_t value);

    [[nodiscard]] std::uint32_t get(Address address, Field field) const {
        return (read(address) >> field.shift) & field.max();
    }
    void set(Address address, Field field, std::uint32_t value) {
        write(address, field.mask(), value << field.shift);
    }

    [[nodiscard]] const Image &image() const { return image_; }
    void restore(const Image &image) { image_ = image; }

private:
    Image image_{};
};

// Registers that calls other than the clock and reset calls use (UG1087).
namespace reg {
inline constexpr Address iou_can_mio_ctrl{0xFF180304};
inline constexpr Address iou_gem_clk_ctrl{0xFF180308};
inline constexpr Address iou_sd_itapdly{0xFF180314};
inline constexpr Address iou_sd_otapdlysel{0xFF180318};
inline constexpr Address iou_sd_dll_ctrl{0xFF180358};
inline constexpr Address iou_sd_ctrl{0xFF180310};
inline constexpr Address iou_sd_config1{0xFF18031C};
inline constexpr Address iou_sd_config2{0xFF180320};
inline constexpr Address iou_gem_ctrl{0xFF180360};
inline constexpr Address iou_tapdly_bypass{0xFF180390};
inline constexpr Address crl_boot_mode{0xFF5E0200};
inline constexpr Address crl_boot_pin_ctrl{0xFF5E0250};
inline constexpr Address rpu_glbl_cntl{0xFF9A0000};
inline constexpr Address rpu0_cfg{0xFF9A0100};
inline constexpr Address rpu1_cfg{0xFF9A0200};
inline constexpr Address csu_idcode{0xFFCA0040};
inline constexpr Address csu_version{0xFFCA0044};
inline constexpr Address pmu_ggs0{0xFFD80030};
inline constexpr Address pmu_ggs4{0xFFD80040};
inline constexpr Address pmu_pggs0{0xFFD80050};
} // namespace reg

} // namespace zynqmp

#endif
