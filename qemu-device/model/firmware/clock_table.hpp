// SPDX-License-Identifier: GPL-2.0-or-later
//
// The chip's clocks: ids, names, what each is made of and where its bits are.
#ifndef ZYNQMP_FW_CLOCK_TABLE_HPP
#define ZYNQMP_FW_CLOCK_TABLE_HPP

#include "registers.hpp"

#include <cstdint>
#include <span>

namespace zynqmp {

/// Clock ids: include/dt-bindings/clock/xlnx-zynqmp-clk.h; inputs of the chip
/// follow the outputs.
using ClockId = std::uint32_t;

inline constexpr ClockId kFirstInput = 113;
inline constexpr ClockId kClocks = 207;

namespace clk {
enum : ClockId {
    iopll,
    rpll,
    apll,
    dpll,
    vpll,
    iopll_to_fpd,
    rpll_to_fpd,
    apll_to_lpd,
    dpll_to_lpd,
    vpll_to_lpd,
    acpu,
    acpu_half,
    dbg_fpd,
    dbg_lpd,
    dbg_trace,
    dbg_tstmp,
    dp_video_ref,
    dp_audio_ref,
    dp_stc_ref,
    gdma_ref,
    dpdma_ref,
    ddr_ref,
    sata_ref,
    pcie_ref,
    gpu_ref,
    gpu_pp0_ref,
    gpu_pp1_ref,
    topsw_main,
    topsw_lsbus,
    gtgref0_ref,
    lpd_switch,
    lpd_lsbus,
    usb0_bus_ref,
    usb1_bus_ref,
    usb3_dual_ref,
    usb0,
    usb1,
    cpu_r5,
    cpu_r5_core,
    csu_spb,
    csu_pll,
    pcap,
    iou_switch,
    gem_tsu_ref,
    gem_tsu,
    gem0_tx,
    gem1_tx,
    gem2_tx,
    gem3_tx,
    gem0_rx,
    gem1_rx,
    gem2_rx,
    gem3_rx,
    qspi_ref,
    sdio0_ref,
    sdio1_ref,
    uart0_ref,
    uart1_ref,
    spi0_ref,
    spi1_ref,
    nand_ref,
    i2c0_ref,
    i2c1_ref,
    can0_ref,
    can1_ref,
    can0,
    can1,
    dll_ref,
    adma_ref,
    timestamp_ref,
    ams_ref,
    pl0_ref,
    pl1_ref,
    pl2_ref,
    pl3_ref,
    fpd_wdt,
    iopll_int,
    iopll_pre_src,
    iopll_half,
    iopll_int_mux,
    iopll_post_src,
    rpll_int,
    rpll_pre_src,
    rpll_half,
    rpll_int_mux,
    rpll_post_src,
    apll_int,
    apll_pre_src,
    apll_half,
    apll_int_mux,
    apll_post_src,
    dpll_int,
    dpll_pre_src,
    dpll_half,
    dpll_int_mux,
    dpll_post_src,
    vpll_int,
    vpll_pre_src,
    vpll_half,
    vpll_int_mux,
    vpll_post_src,
    can0_mio,
    can1_mio,
    acpu_full,
    gem0_ref,
    gem1_ref,
    gem2_ref,
    gem3_ref,
    gem0_ref_ung,
    gem1_ref_ung,
    gem2_ref_ung,
    gem3_ref_ung,
    lpd_wdt,
    pss_ref,
    video,
    pss_alt_ref,
    aux_ref,
    gt_crx_ref,
    swdt0_ext,
    swdt1_ext,
    gem0_tx_ext,
    gem1_tx_ext,
    gem2_tx_ext,
    gem3_tx_ext,
    gem0_rx_ext,
    gem1_rx_ext,
    gem2_rx_ext,
    gem3_rx_ext,
    mio_50_51,
    mio0,
    mio77 = mio0 + 77,
};
static_assert(lpd_wdt == 112 && pss_ref == kFirstInput && mio77 + 1 == kClocks);
} // namespace clk

/// Values of the topology word's type field.
enum class NodeType : std::uint8_t {
    none,
    mux,
    pll,
    fixed_factor, ///< half of its parent: the only factor there is
    div1,
    div2,
    gate,
};

/// Linux clock flags (topology word, bits 8..23).
namespace clk_flag {
inline constexpr std::uint32_t set_rate_gate = 1U << 0;
inline constexpr std::uint32_t set_rate_parent = 1U << 2;
inline constexpr std::uint32_t ignore_unused = 1U << 3;
inline constexpr std::uint32_t no_reparent = 1U << 7;
inline constexpr std::uint32_t is_critical = 1U << 11;
} // namespace clk_flag

/// Divider flags (topology word, bits 24..31), and the fraction mark (bits 4..7).
namespace div_flag {
inline constexpr std::uint32_t one_based = 1U << 0;
inline constexpr std::uint32_t allow_zero = 1U << 2;
inline constexpr std::uint32_t custom_frac = 1U << 0;
} // namespace div_flag

/// One element of a clock, from its parents to its output.
struct ClockNode {
    NodeType type = NodeType::none;
    Field field;
    std::uint32_t flags = 0;
    std::uint32_t type_flags = 0;
    std::uint32_t custom_flags = 0;

    /// The word query_data answers for it.
    [[nodiscard]] constexpr std::uint32_t topology_word() const {
        return static_cast<std::uint32_t>(type) | custom_flags << 4 | flags << 8 | type_flags << 24;
    }
};

/// A parent: the whole of another clock, that clock after its node'th element,
/// an input of the chip, or a mux position that is not connected.
struct ClockParent {
    std::uint32_t word = 0;

    static constexpr ClockParent output(ClockId id) { return {id}; }
    static constexpr ClockParent after_node(ClockId id, std::uint32_t node) {
        return {id | node << 16};
    }
    static constexpr ClockParent input(ClockId id) { return {id | 5U << 16}; }
    static constexpr ClockParent none() { return {0xFFFFFFFE}; }

    [[nodiscard]] constexpr bool connected() const { return word != none().word; }
    [[nodiscard]] constexpr ClockId id() const { return word & 0xFFFF; }
    /// 0: all nodes.
    [[nodiscard]] constexpr std::uint32_t nodes() const {
        const std::uint32_t flag = word >> 16;
        return flag <= 4 ? flag : 0;
    }
};

struct ClockSpec {
    const char *name = ""; ///< at most 15 characters; empty: there is no such clock
    Address control;
    std::span<const ClockNode> nodes;
    std::span<const ClockParent> parents;
    /// Guests may not see it: the system stops if they gate it.
    bool internal = false;
};

/// An output clock; an empty name for an unused id. Any id may be asked for.
[[nodiscard]] const ClockSpec &clock_spec(ClockId id);

/// Name of any clock, inputs included; "" if there is none with this id.
[[nodiscard]] const char *clock_name(ClockId id);

/// Rate of an input in Hz; 0 if nothing drives it on a ZCU102.
[[nodiscard]] std::uint64_t input_rate(ClockId id);

/// The five PLLs: power node (UG1200), PLL clock and registers.
struct PllSpec {
    std::uint32_t node = 0;
    ClockId clock = 0;
    Address control;
    Address config;
    Address fraction;
};
[[nodiscard]] std::span<const PllSpec, 5> pll_table();

/// Fields of a PLL's registers (UG1087 IOPLL_CTRL, IOPLL_CFG, IOPLL_FRAC_CFG).
namespace pll_field {
inline constexpr Field reset{0, 1};
inline constexpr Field bypass{3, 1};
inline constexpr Field fbdiv{8, 7};
inline constexpr Field div2{16, 1};
inline constexpr Field pre_src{20, 3};
inline constexpr Field post_src{24, 3};
inline constexpr Field res{0, 4};
inline constexpr Field cp{5, 4};
inline constexpr Field lfhf{10, 2};
inline constexpr Field lock_cnt{13, 10};
inline constexpr Field lock_dly{25, 7};
inline constexpr Field frac_data{0, 16};
inline constexpr Field frac_enable{31, 1};
} // namespace pll_field

} // namespace zynqmp

#endif
