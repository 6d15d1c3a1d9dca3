// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers of the ZynqMP platform firmware interface. API ids, node ids and
// arguments: UG1200 "Embedded Energy Management Interface", API functions. Ids
// that trusted firmware answers itself, and the values Linux knows:
// include/linux/firmware/xlnx-zynqmp.h.
#ifndef ZYNQMP_FW_EEMI_HPP
#define ZYNQMP_FW_EEMI_HPP

#include <array>
#include <cstdint>

namespace zynqmp {

/// What a call answers in its first word.
enum class Status : std::uint32_t {
    success = 0,
    bad_argument = 1,
    not_supported = 4, ///< the clock is an input of the chip
    no_feature = 19,
    internal = 2000,
    no_access = 2002,
    invalid_node = 2003,
    double_request = 2004,
};

/// One call after marshalling: 32-bit words, as the firmware sees them.
using Args = std::array<std::uint32_t, 6>;

/// Status and three words of payload. A name query fills all four with text.
struct Reply {
    std::array<std::uint32_t, 4> word{};

    Reply() = default;
    Reply(Status status) : word{static_cast<std::uint32_t>(status)} {} // NOLINT: an answer is one
    static Reply value(std::uint32_t first, std::uint32_t second = 0, std::uint32_t third = 0) {
        Reply reply;
        reply.word = {0, first, second, third};
        return reply;
    }
};

/// API ids (the low 16 bits of the function id).
enum class Api : std::uint32_t {
    get_api_version = 1,
    set_configuration = 2,
    get_node_status = 3,
    get_operating_characteristic = 4,
    register_notifier = 5,
    request_suspend = 6,
    self_suspend = 7,
    force_powerdown = 8,
    abort_suspend = 9,
    request_wakeup = 10,
    set_wakeup_source = 11,
    system_shutdown = 12,
    request_node = 13,
    release_node = 14,
    set_requirement = 15,
    set_max_latency = 16,
    reset_assert = 17,
    reset_get_status = 18,
    mmio_write = 19,
    mmio_read = 20,
    init_finalize = 21,
    fpga_load = 22,
    fpga_get_status = 23,
    get_chipid = 24,
    secure_rsa_aes = 25,
    secure_sha = 26,
    secure_rsa = 27,
    pinctrl_request = 28,
    pinctrl_release = 29,
    pinctrl_get_function = 30,
    pinctrl_set_function = 31,
    pinctrl_config_param_get = 32,
    pinctrl_config_param_set = 33,
    ioctl = 34,
    query_data = 35,
    clock_enable = 36,
    clock_disable = 37,
    clock_getstate = 38,
    clock_setdivider = 39,
    clock_getdivider = 40,
    clock_setrate = 41,
    clock_getrate = 42,
    clock_setparent = 43,
    clock_getparent = 44,
    secure_image = 45,
    fpga_read = 46,
    secure_aes = 47,
    pll_set_parameter = 48,
    pll_get_parameter = 49,
    pll_set_mode = 50,
    pll_get_mode = 51,
    register_access = 52,
    efuse_access = 53,
    feature_check = 63,
    // Answered by trusted firmware on a board.
    get_callback_data = 0xa01,
    set_suspend_mode = 0xa02,
    get_trustzone_version = 0xa03,
    register_sgi = 0xa04,
};

/// First argument of query_data.
enum class Query : std::uint32_t {
    clock_name = 1,
    clock_topology = 2,
    clock_fixed_factor = 3,
    clock_parents = 4,
    clock_attributes = 5,
    num_pins = 6,
    num_functions = 7,
    num_function_groups = 8,
    function_name = 9,
    function_groups = 10,
    pin_groups = 11,
    num_clocks = 12,
    clock_max_divisor = 13,
};

/// Second argument of ioctl.
enum class Ioctl : std::uint32_t {
    get_rpu_mode = 0,
    set_rpu_mode = 1,
    rpu_boot_address = 2,
    tcm_comb = 3,
    tapdelay_bypass = 4,
    sd_dll_reset = 6,
    sd_tapdelay = 7,
    set_pll_frac_mode = 8,
    get_pll_frac_mode = 9,
    set_pll_frac_data = 10,
    get_pll_frac_data = 11,
    write_ggs = 12,
    read_ggs = 13,
    write_pggs = 14,
    read_pggs = 15,
    ulpi_reset = 16,
    set_boot_health = 17,
    afi = 18,
    set_feature_config = 26,
    get_feature_config = 27,
    set_sd_config = 30,
    set_gem_config = 31,
};

/// Versions, major in the upper half. UG1200: EEMI 1.1; trusted firmware: 1.0.
inline constexpr std::uint32_t kApiVersion = 0x00010001;
inline constexpr std::uint32_t kTrustzoneVersion = 0x00010000;

} // namespace zynqmp

#endif
