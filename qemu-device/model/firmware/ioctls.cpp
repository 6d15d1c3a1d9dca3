// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ids and arguments: include/linux/firmware/xlnx-zynqmp.h (enum pm_ioctl_id and the
// enumerations below it). Registers: UG1087, IOU_SLCR, RPU, PMU_GLOBAL, AFIFM.
#include "ioctls.hpp"

#include "nodes.hpp"

namespace zynqmp {

namespace {

constexpr std::uint32_t kStorageWords = 4;

constexpr Field kRpuSplit{3, 1};
constexpr Field kRpuClamp{4, 1};
constexpr Field kTcmCombined{6, 1};
constexpr Field kHighVectors{2, 1};
constexpr Address kRstLpdTop{0xFF5E023C};
constexpr Field kRpuAmbaReset{2, 1};

/// Second SD controller: the same field in the upper half of the register.
constexpr unsigned sd_shift(std::uint32_t node) {
    return node == node::sd_1 ? 16 : 0;
}
constexpr Field in_half(Field field, std::uint32_t node) {
    return {field.shift + sd_shift(node), field.width};
}
constexpr bool is_sd(std::uint32_t node) {
    return node == node::sd_0 || node == node::sd_1;
}

constexpr Field kDllReset{2, 1};
constexpr Field kInputSelect{0, 8};
constexpr Field kInputEnable{8, 1};
constexpr Field kOutputSelect{0, 6};
constexpr Field kOutputEnable{6, 1};
constexpr Field kBaseClock{7, 8};
constexpr Field kEightBit{2, 1};
constexpr Field kSlotType{12, 2};

constexpr std::array<Ioctl, 22> kSupported = {
    Ioctl::get_rpu_mode,       Ioctl::set_rpu_mode,       Ioctl::rpu_boot_address,
    Ioctl::tcm_comb,           Ioctl::tapdelay_bypass,    Ioctl::sd_dll_reset,
    Ioctl::sd_tapdelay,        Ioctl::set_pll_frac_mode,  Ioctl::get_pll_frac_mode,
    Ioctl::set_pll_frac_data,  Ioctl::get_pll_frac_data,  Ioctl::write_ggs,
    Ioctl::read_ggs,           Ioctl::write_pggs,         Ioctl::read_pggs,
    Ioctl::ulpi_reset,         Ioctl::set_boot_health,    Ioctl::afi,
    Ioctl::set_feature_config, Ioctl::get_feature_config, Ioctl::set_sd_config,
    Ioctl::set_gem_config,
};

} // namespace

std::array<std::uint32_t, 2> Ioctls::supported() {
    std::array<std::uint32_t, 2> mask{};
    for (const Ioctl id : kSupported) {
        const auto bit = static_cast<std::uint32_t>(id);
        mask[bit / 32] |= 1U << bit % 32;
    }
    return mask;
}

Status Ioctls::bad(std::uint32_t id, std::uint32_t node, std::uint32_t first,
                   std::uint32_t second) {
    host_.guest_errorf("ioctl %u: node %u, arguments 0x%x 0x%x", id, node, first, second);
    return Status::bad_argument;
}

Reply Ioctls::call(std::uint32_t node, std::uint32_t id, std::uint32_t first,
                   std::uint32_t second) {
    Status status = Status::success;
    switch (static_cast<Ioctl>(id)) {
    case Ioctl::get_rpu_mode:
        return Reply::value(registers_.get(reg::rpu_glbl_cntl, kRpuSplit));
    case Ioctl::set_rpu_mode:
        status = rpu_mode(first);
        break;
    case Ioctl::rpu_boot_address:
        status = rpu_boot_address(node, first);
        break;
    case Ioctl::tcm_comb:
        status = tcm(first);
        break;
    case Ioctl::tapdelay_bypass:
        status = tap_bypass(first, second);
        break;
    case Ioctl::sd_dll_reset:
        status = sd_dll_reset(node, first);
        break;
    case Ioctl::sd_tapdelay:
        status = sd_tap(node, first, second);
        break;
    case Ioctl::set_pll_frac_mode:
        return clocks_.set_fraction_mode(first, second);
    case Ioctl::get_pll_frac_mode:
        return clocks_.fraction_mode(first);
    case Ioctl::set_pll_frac_data:
        return clocks_.set_fraction(first, second);
    case Ioctl::get_pll_frac_data:
        return clocks_.fraction(first);
    case Ioctl::write_ggs:
        status = storage(reg::pmu_ggs0, first, second);
        break;
    case Ioctl::write_pggs:
        status = storage(reg::pmu_pggs0, first, second);
        break;
    case Ioctl::read_ggs:
    case Ioctl::read_pggs:
        if (first < kStorageWords) {
            const Address base =
                static_cast<Ioctl>(id) == Ioctl::read_ggs ? reg::pmu_ggs0 : reg::pmu_pggs0;
            return Reply::value(registers_.read({base.value + 4 * first}));
        }
        status = Status::bad_argument;
        break;
    case Ioctl::ulpi_reset:
        // The wire of the USB PHY's reset goes low and ends up driven high.
        registers_.write(reg::crl_boot_pin_ctrl, 0xF0F, 0x202);
        break;
    case Ioctl::set_boot_health:
        registers_.set(reg::pmu_ggs4, {0, 1}, first & 1);
        break;
    case Ioctl::afi:
        status = afi(first, second);
        break;
    case Ioctl::set_feature_config:
    case Ioctl::get_feature_config:
        if (first == 0 || first >= features_.size()) {
            status = Status::bad_argument;
        } else if (static_cast<Ioctl>(id) == Ioctl::get_feature_config) {
            return Reply::value(features_[first]);
        } else {
            features_[first] = second;
        }
        break;
    case Ioctl::set_sd_config:
        status = sd_config(node, first, second);
        break;
    case Ioctl::set_gem_config:
        status = gem_config(node, first, second);
        break;
    default:
        return Status::no_feature;
    }
    return status == Status::bad_argument ? bad(id, node, first, second) : status;
}

// ---- Real-time processors: only the registers, nothing runs there ------------

Status Ioctls::rpu_mode(std::uint32_t mode) {
    if (mode > 1) {
        return Status::bad_argument;
    }
    if (registers_.get(kRstLpdTop, kRpuAmbaReset)) {
        host_.guest_errorf("set RPU mode: the RPU's interconnect is in reset");
        return Status::no_access;
    }
    registers_.set(reg::rpu_glbl_cntl, kRpuSplit, mode);
    registers_.set(reg::rpu_glbl_cntl, kRpuClamp, 1 - mode);
    registers_.set(reg::rpu_glbl_cntl, kTcmCombined, 1 - mode);
    return Status::success;
}

Status Ioctls::rpu_boot_address(std::uint32_t node, std::uint32_t high) {
    if ((node != node::rpu_0 && node != node::rpu_1) || high > 1) {
        return Status::bad_argument;
    }
    registers_.set(node == node::rpu_0 ? reg::rpu0_cfg : reg::rpu1_cfg, kHighVectors, high);
    return Status::success;
}

Status Ioctls::tcm(std::uint32_t combined) {
    if (combined > 1) {
        return Status::bad_argument;
    }
    registers_.set(reg::rpu_glbl_cntl, kTcmCombined, combined);
    return Status::success;
}

// ---- SD, QSPI and NAND timing: kept, without effect on an emulated card --------

Status Ioctls::tap_bypass(std::uint32_t type, std::uint32_t on) {
    constexpr std::uint32_t types = 3; // NAND data strobe in, out; QSPI
    if (type >= types || on > 1) {
        return Status::bad_argument;
    }
    registers_.set(reg::iou_tapdly_bypass, {type, 1}, on);
    return Status::success;
}

Status Ioctls::sd_dll_reset(std::uint32_t node, std::uint32_t action) {
    enum : std::uint32_t { assert_it, release, pulse };
    if (!is_sd(node) || action > pulse) {
        return Status::bad_argument;
    }
    registers_.set(reg::iou_sd_dll_ctrl, in_half(kDllReset, node), action == assert_it ? 1 : 0);
    return Status::success;
}

Status Ioctls::sd_tap(std::uint32_t node, std::uint32_t type, std::uint32_t value) {
    enum : std::uint32_t { input, output };
    const Field field = type == input ? kInputSelect : kOutputSelect;
    if (!is_sd(node) || type > output || value > field.max()) {
        return Status::bad_argument;
    }
    const Address where = type == input ? reg::iou_sd_itapdly : reg::iou_sd_otapdlysel;
    registers_.set(where, in_half(field, node), value);
    registers_.set(where, in_half(type == input ? kInputEnable : kOutputEnable, node),
                   type == input && value != 0 ? 1 : 0);
    return Status::success;
}

Status Ioctls::sd_config(std::uint32_t node, std::uint32_t config, std::uint32_t value) {
    enum : std::uint32_t { none, emmc, base_clock, eight_bit, slot_type };
    Address where;
    Field field;
    switch (config) {
    case emmc:
        // The select of the second controller is not in the upper half, but bit 15.
        where = reg::iou_sd_ctrl;
        field = {node == node::sd_1 ? 15U : 0U, 1};
        break;
    case base_clock:
        where = reg::iou_sd_config1;
        field = in_half(kBaseClock, node);
        break;
    case eight_bit:
        where = reg::iou_sd_config2;
        field = in_half(kEightBit, node);
        break;
    case slot_type:
        where = reg::iou_sd_config2;
        field = in_half(kSlotType, node);
        break;
    default:
        return Status::bad_argument;
    }
    if (!is_sd(node) || value > field.max()) {
        return Status::bad_argument;
    }
    registers_.set(where, field, value);
    return Status::success;
}

Status Ioctls::gem_config(std::uint32_t node, std::uint32_t config, std::uint32_t value) {
    // MODEL: one bit for SGMII, one for a fixed link, two a controller, in GEM_CTRL.
    if (node < node::eth_0 || node > node::eth_3 || config < 1 || config > 2 || value > 1) {
        return Status::bad_argument;
    }
    registers_.set(reg::iou_gem_ctrl, {2 * (node - node::eth_0) + config - 1, 1}, value);
    return Status::success;
}

// ---- Others -----------------------------------------------------------------

Status Ioctls::afi(std::uint32_t index, std::uint32_t value) {
    // Read and write control of seven interfaces, then the two width registers.
    constexpr std::array<std::uint32_t, 16> where = {
        0xFD360000, 0xFD360014, 0xFD370000, 0xFD370014, 0xFD380000, 0xFD380014,
        0xFD390000, 0xFD390014, 0xFD3A0000, 0xFD3A0014, 0xFD3B0000, 0xFD3B0014,
        0xFF9B0000, 0xFF9B0014, 0xFD615000, 0xFF419000};
    constexpr std::uint32_t widths = 14;
    if (index >= where.size()) {
        return Status::bad_argument;
    }
    registers_.write({where[index]}, index < widths ? 0x3 : 0xF00, value);
    return Status::success;
}

Status Ioctls::storage(Address first, std::uint32_t index, std::uint32_t value) {
    if (index >= kStorageWords) {
        return Status::bad_argument;
    }
    registers_.write({first.value + 4 * index}, ~0U, value);
    return Status::success;
}

} // namespace zynqmp
