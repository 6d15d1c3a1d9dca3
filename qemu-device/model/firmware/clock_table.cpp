// SPDX-License-Identifier: GPL-2.0-or-later
//
// Clocks of the Zynq UltraScale+ MPSoC. Registers, fields and mux positions: UG1087
// (CRF_APB, CRL_APB, IOU_SLCR) and UG1085, clocking chapter. Ids:
// include/dt-bindings/clock/xlnx-zynqmp-clk.h. Names and flags are part of the interface to
// Linux: drivers/clk/zynqmp, and the clock service of Trusted Firmware-A.
#include "clock_table.hpp"

#include <array>

namespace zynqmp {

namespace {

using P = ClockParent;
using N = ClockNode;
namespace f = clk_flag;

constexpr Field kMux{0, 3};
constexpr Field kDiv1{8, 6};
constexpr Field kDiv2{16, 6};
constexpr std::uint32_t kDivider = div_flag::one_based | div_flag::allow_zero;
// Linux keeps this bit of the flags for "basic clock type"; it has no effect there.
constexpr std::uint32_t kBasic = 1U << 5;
constexpr std::uint32_t kFixedMux = f::no_reparent | kBasic;
constexpr std::uint32_t kThroughMux = f::set_rate_parent | kFixedMux;

constexpr N mux(Field field, std::uint32_t flags) {
    return {NodeType::mux, field, flags, 0, 0};
}
constexpr N div1(std::uint32_t flags) {
    return {NodeType::div1, kDiv1, flags | kBasic, kDivider, 0};
}
constexpr N div2(std::uint32_t flags) {
    return {NodeType::div2, kDiv2, flags | f::set_rate_parent | kBasic, kDivider, 0};
}
constexpr N gate(unsigned bit, std::uint32_t flags = f::set_rate_parent) {
    return {NodeType::gate, {bit, 1}, flags | kBasic, 0, 0};
}
constexpr N fractional(N node) {
    node.flags |= f::set_rate_parent;
    node.custom_flags = div_flag::custom_frac;
    return node;
}

// Gating while the rate changes is asked for where the divider is not glitch free.
constexpr std::uint32_t kSafeGate = f::set_rate_parent | f::set_rate_gate;
constexpr std::uint32_t kBusGate = f::set_rate_parent | f::ignore_unused;

// Shapes.
constexpr N kPll[] = {{NodeType::pll, {}, f::no_reparent, 0, 0}};
constexpr N kPllKept[] = {{NodeType::pll, {}, f::no_reparent | f::ignore_unused, 0, 0}};
constexpr N kPllPre[] = {mux(pll_field::pre_src, kBasic)};
constexpr N kPllHalf[] = {{NodeType::fixed_factor, {}, f::no_reparent | f::set_rate_parent, 0, 0}};
constexpr N kPllDiv2[] = {mux(pll_field::div2, kThroughMux)};
constexpr N kPllPost[] = {mux(pll_field::post_src, kBasic)};
constexpr N kPllOut[] = {mux(pll_field::bypass, kThroughMux)};
constexpr N kCrossing[] = {div1(0)};
constexpr N kCrossingThrough[] = {div1(f::set_rate_parent)};
constexpr N kMuxDiv[] = {mux(kMux, kFixedMux), div1(f::no_reparent)};
constexpr N kMuxDivGate[] = {mux(kMux, kFixedMux), div1(f::no_reparent), gate(24, kSafeGate)};
constexpr N kMuxDivBusGate[] = {mux(kMux, kFixedMux), div1(f::no_reparent), gate(24, kBusGate)};
constexpr N kPeripheral[] = {mux(kMux, kFixedMux), div1(f::no_reparent), div2(f::no_reparent),
                             gate(24, kSafeGate)};
constexpr N kUsb[] = {mux(kMux, kFixedMux), div1(f::no_reparent), div2(f::no_reparent),
                      gate(25, kSafeGate)};
constexpr N kFabric[] = {mux(kMux, kFixedMux), div1(0), div2(0), gate(24)};
constexpr N kVideo[] = {fractional(mux(kMux, kFixedMux)), fractional(div1(f::no_reparent)),
                        fractional(div2(f::no_reparent)), gate(24, kSafeGate)};
constexpr N kAcpu[] = {mux(kMux, kFixedMux), div1(0)};
constexpr N kAcpuFull[] = {gate(24, kBusGate)};
constexpr N kAcpuHalf[] = {{NodeType::fixed_factor, {}, 0, 0, 0}, gate(25, kBusGate)};
constexpr N kDdr[] = {mux(kMux, kFixedMux), div1(f::is_critical)};
constexpr N kTimestamp[] = {mux(kMux, kFixedMux), div1(0), gate(24, kBusGate)};
constexpr N kGateBit25[] = {gate(25)};
constexpr N kGateBit26[] = {gate(26)};
constexpr N kGemRx[] = {gate(26, 0)};
constexpr N kR5Core[] = {gate(25, f::ignore_unused)};
constexpr N kGemUngated[] = {mux(kMux, kFixedMux), div1(f::no_reparent), div2(f::no_reparent)};
constexpr N kGemRef[4][1] = {{mux({1, 1}, kThroughMux)},
                             {mux({6, 1}, kThroughMux)},
                             {mux({11, 1}, kThroughMux)},
                             {mux({16, 1}, kThroughMux)}};
constexpr N kGemTsu[] = {mux({20, 2}, kThroughMux)};
constexpr N kWatchdog[] = {mux({0, 1}, kThroughMux)};
constexpr N kDll[] = {mux(kMux, kThroughMux)};
constexpr N kCan0Mio[] = {mux({0, 7}, kThroughMux)};
constexpr N kCan1Mio[] = {mux({15, 7}, kThroughMux)};
constexpr N kCan0[] = {mux({7, 1}, kThroughMux)};
constexpr N kCan1[] = {mux({22, 1}, kThroughMux)};

// Parents. Position 1 of nearly every mux is not connected.
template <std::size_t count> constexpr std::array<P, count> outputs(const ClockId (&ids)[count]) {
    std::array<P, count> list{};
    for (std::size_t i = 0; i < count; ++i) {
        list[i] = P::output(ids[i]);
    }
    return list;
}
constexpr std::array<P, 4> mux4(ClockId at0, ClockId at2, ClockId at3) {
    return {P::output(at0), P::none(), P::output(at2), P::output(at3)};
}
constexpr std::array<P, 8> kReferences = {P::input(clk::pss_ref), P::input(clk::pss_ref),
                                          P::input(clk::pss_ref), P::input(clk::pss_ref),
                                          P::input(clk::video),   P::input(clk::pss_alt_ref),
                                          P::input(clk::aux_ref), P::input(clk::gt_crx_ref)};
constexpr auto kFromAcpu = mux4(clk::apll, clk::dpll, clk::vpll);
constexpr auto kFromIopllDpllApll = mux4(clk::iopll_to_fpd, clk::dpll, clk::apll);
constexpr auto kFromVpll = mux4(clk::vpll, clk::dpll, clk::rpll_to_fpd);
constexpr auto kFromApllVpll = mux4(clk::apll, clk::vpll, clk::dpll);
constexpr auto kFromApllIopll = mux4(clk::apll, clk::iopll_to_fpd, clk::dpll);
constexpr auto kFromIopllVpll = mux4(clk::iopll_to_fpd, clk::vpll, clk::dpll);
constexpr auto kFromIopllApll = mux4(clk::iopll_to_fpd, clk::apll, clk::dpll);
constexpr auto kFromIopllRpll = mux4(clk::iopll_to_fpd, clk::rpll_to_fpd, clk::dpll);
constexpr auto kFromDdr = outputs({clk::dpll, clk::vpll});
constexpr auto kFromRpllLpd = mux4(clk::rpll, clk::iopll, clk::dpll_to_lpd);
constexpr auto kFromIopllLpd = mux4(clk::iopll, clk::rpll, clk::dpll_to_lpd);
constexpr auto kFromSdio = mux4(clk::iopll, clk::rpll, clk::vpll_to_lpd);
constexpr auto kFromDll = outputs({clk::iopll, clk::rpll});
constexpr std::array<P, 8> kFromTimestamp = {P::output(clk::iopll),  P::none(),
                                             P::output(clk::rpll),   P::output(clk::dpll_to_lpd),
                                             P::input(clk::pss_ref), P::input(clk::pss_ref),
                                             P::input(clk::pss_ref), P::input(clk::pss_ref)};
constexpr std::array<P, 1> kFromAcpuDivider = {P::after_node(clk::acpu, 2)};
constexpr std::array<P, 1> kFromGpuDivider = {P::after_node(clk::gpu_ref, 2)};
constexpr std::array<P, 1> kFromR5Divider = {P::after_node(clk::cpu_r5, 2)};
constexpr std::array<P, 4> kFromTsu = {P::output(clk::gem_tsu_ref), P::output(clk::gem_tsu_ref),
                                       P::input(clk::mio0 + 26), P::input(clk::mio_50_51)};
constexpr std::array<P, 2> kFromFpdWdt = {P::output(clk::topsw_lsbus), P::input(clk::swdt0_ext)};
constexpr std::array<P, 2> kFromLpdWdt = {P::output(clk::lpd_lsbus), P::input(clk::swdt1_ext)};
constexpr auto kFromCan0 = outputs({clk::can0_ref, clk::can0_mio});
constexpr auto kFromCan1 = outputs({clk::can1_ref, clk::can1_mio});

constexpr std::array<P, 78> all_mio() {
    std::array<P, 78> list{};
    for (ClockId pin = 0; pin < list.size(); ++pin) {
        list[pin] = P::input(clk::mio0 + pin);
    }
    return list;
}
constexpr auto kFromMio = all_mio();

// Parents of the numbered clocks that only differ in the number.
struct PllParents {
    std::array<P, 1> pll;
    std::array<P, 1> half;
    std::array<P, 2> div2;
    std::array<P, 2> out;
};
constexpr PllParents pll_parents(ClockId first) {
    return {outputs({first + 1}), outputs({first}), outputs({first, first + 2}),
            outputs({first + 3, first + 4})};
}
constexpr std::array<ClockId, 5> kPllFirst = {clk::iopll_int, clk::rpll_int, clk::apll_int,
                                              clk::dpll_int, clk::vpll_int};
constexpr std::array<PllParents, 5> kPllParents = {
    pll_parents(kPllFirst[0]), pll_parents(kPllFirst[1]), pll_parents(kPllFirst[2]),
    pll_parents(kPllFirst[3]), pll_parents(kPllFirst[4])};

constexpr std::array<std::array<P, 1>, 5> kFromPll = {outputs({clk::iopll}), outputs({clk::rpll}),
                                                      outputs({clk::apll}), outputs({clk::dpll}),
                                                      outputs({clk::vpll})};

constexpr std::array<std::array<P, 2>, 4> gem_ref_parents() {
    std::array<std::array<P, 2>, 4> list{};
    for (ClockId i = 0; i < 4; ++i) {
        list[i] = {P::after_node(clk::gem0_ref_ung + i, 3), P::input(clk::gem0_tx_ext + i)};
    }
    return list;
}
constexpr auto kFromGemRef = gem_ref_parents();
constexpr std::array<std::array<P, 1>, 4> kFromGemTx = {
    outputs({clk::gem0_ref}), outputs({clk::gem1_ref}), outputs({clk::gem2_ref}),
    outputs({clk::gem3_ref})};
constexpr std::array<std::array<P, 1>, 4> kFromGemRx = {
    std::array{P::input(clk::gem0_rx_ext)}, std::array{P::input(clk::gem1_rx_ext)},
    std::array{P::input(clk::gem2_rx_ext)}, std::array{P::input(clk::gem3_rx_ext)}};

constexpr std::uint32_t kCrf = 0xFD1A0000;
constexpr std::uint32_t kCrl = 0xFF5E0000;
constexpr std::uint32_t kSlcr = 0xFF180000;

constexpr std::array<PllSpec, 5> kPlls = {{
    {54, clk::iopll_int, {kCrl + 0x20}, {kCrl + 0x24}, {kCrl + 0x28}},
    {53, clk::rpll_int, {kCrl + 0x30}, {kCrl + 0x34}, {kCrl + 0x38}},
    {50, clk::apll_int, {kCrf + 0x20}, {kCrf + 0x24}, {kCrf + 0x28}},
    {52, clk::dpll_int, {kCrf + 0x2C}, {kCrf + 0x30}, {kCrf + 0x34}},
    {51, clk::vpll_int, {kCrf + 0x38}, {kCrf + 0x3C}, {kCrf + 0x40}},
}};

struct PllNames {
    const char *out, *pll, *pre, *half, *div2, *post;
};
constexpr std::array<PllNames, 5> kPllNames = {{
    {"iopll", "iopll_int", "iopll_pre_src", "iopll_half", "iopll_int_mux", "iopll_post_src"},
    {"rpll", "rpll_int", "rpll_pre_src", "rpll_half", "rpll_int_mux", "rpll_post_src"},
    {"apll", "apll_int", "apll_pre_src", "apll_half", "apll_int_mux", "apll_post_src"},
    {"dpll", "dpll_int", "dpll_pre_src", "dpll_half", "dpll_int_mux", "dpll_post_src"},
    {"vpll", "vpll_int", "vpll_pre_src", "vpll_half", "vpll_int_mux", "vpll_post_src"},
}};

using Table = std::array<ClockSpec, kFirstInput>;

constexpr void add_plls(Table &t) {
    for (std::size_t i = 0; i < kPlls.size(); ++i) {
        const ClockId first = kPllFirst[i];
        const Address at = kPlls[i].control;
        const PllNames &name = kPllNames[i];
        // Linux must not stop the PLLs of the processors and the display.
        const bool kept = i == 2 || i == 4;
        t[first] = {name.pll, at, kept ? std::span(kPllKept) : std::span(kPll), kPllParents[i].pll};
        t[first + 1] = {name.pre, at, kPllPre, kReferences};
        t[first + 2] = {name.half, at, kPllHalf, kPllParents[i].half};
        t[first + 3] = {name.div2, at, kPllDiv2, kPllParents[i].div2};
        t[first + 4] = {name.post, at, kPllPost, kReferences};
        t[clk::iopll + i] = {name.out, at, kPllOut, kPllParents[i].out};
    }
    t[clk::iopll_to_fpd] = {"iopll_to_fpd", {kCrl + 0x44}, kCrossing, kFromPll[0]};
    t[clk::rpll_to_fpd] = {"rpll_to_fpd", {kCrl + 0x48}, kCrossingThrough, kFromPll[1]};
    t[clk::apll_to_lpd] = {"apll_to_lpd", {kCrf + 0x48}, kCrossing, kFromPll[2], true};
    t[clk::dpll_to_lpd] = {"dpll_to_lpd", {kCrf + 0x4C}, kCrossing, kFromPll[3]};
    t[clk::vpll_to_lpd] = {"vpll_to_lpd", {kCrf + 0x50}, kCrossing, kFromPll[4]};
}

constexpr void add_full_power_domain(Table &t) {
    t[clk::acpu] = {"acpu", {kCrf + 0x60}, kAcpu, kFromAcpu};
    t[clk::acpu_full] = {"acpu_full", {kCrf + 0x60}, kAcpuFull, kFromAcpuDivider, true};
    t[clk::acpu_half] = {"acpu_half", {kCrf + 0x60}, kAcpuHalf, kFromAcpuDivider, true};
    t[clk::dbg_trace] = {"dbg_trace", {kCrf + 0x64}, kMuxDivGate, kFromIopllDpllApll, true};
    t[clk::dbg_fpd] = {"dbg_fpd", {kCrf + 0x68}, kMuxDivGate, kFromIopllDpllApll, true};
    t[clk::dbg_tstmp] = {"dbg_tstmp", {kCrf + 0xF8}, kMuxDiv, kFromIopllDpllApll, true};
    t[clk::dp_video_ref] = {"dp_video_ref", {kCrf + 0x70}, kVideo, kFromVpll};
    t[clk::dp_audio_ref] = {"dp_audio_ref", {kCrf + 0x74}, kVideo, kFromVpll};
    t[clk::dp_stc_ref] = {"dp_stc_ref", {kCrf + 0x7C}, kPeripheral, kFromVpll};
    t[clk::ddr_ref] = {"ddr_ref", {kCrf + 0x80}, kDdr, kFromDdr, true};
    t[clk::gpu_ref] = {"gpu_ref", {kCrf + 0x84}, kMuxDivGate, kFromIopllVpll};
    t[clk::gpu_pp0_ref] = {"gpu_pp0_ref", {kCrf + 0x84}, kGateBit25, kFromGpuDivider};
    t[clk::gpu_pp1_ref] = {"gpu_pp1_ref", {kCrf + 0x84}, kGateBit26, kFromGpuDivider};
    t[clk::sata_ref] = {"sata_ref", {kCrf + 0xA0}, kMuxDivGate, kFromIopllApll};
    t[clk::pcie_ref] = {"pcie_ref", {kCrf + 0xB4}, kMuxDivGate, kFromIopllRpll};
    t[clk::gdma_ref] = {"gdma_ref", {kCrf + 0xB8}, kMuxDivGate, kFromApllVpll};
    t[clk::dpdma_ref] = {"dpdma_ref", {kCrf + 0xBC}, kMuxDivGate, kFromApllVpll};
    t[clk::topsw_main] = {"topsw_main", {kCrf + 0xC0}, kMuxDivBusGate, kFromApllVpll, true};
    t[clk::topsw_lsbus] = {"topsw_lsbus", {kCrf + 0xC4}, kMuxDivBusGate, kFromApllIopll};
    t[clk::gtgref0_ref] = {"gtgref0_ref", {kCrf + 0xC8}, kMuxDivGate, kFromIopllApll, true};
    t[clk::fpd_wdt] = {"fpd_wdt", {0xFD610100}, kWatchdog, kFromFpdWdt};
}

constexpr void add_low_power_domain(Table &t) {
    const auto peripheral = [&t](ClockId id, const char *name, std::uint32_t offset) {
        t[id] = {name, {kCrl + offset}, kPeripheral, kFromIopllLpd};
    };
    peripheral(clk::qspi_ref, "qspi_ref", 0x68);
    t[clk::sdio0_ref] = {"sdio0_ref", {kCrl + 0x6C}, kPeripheral, kFromSdio};
    t[clk::sdio1_ref] = {"sdio1_ref", {kCrl + 0x70}, kPeripheral, kFromSdio};
    peripheral(clk::uart0_ref, "uart0_ref", 0x74);
    peripheral(clk::uart1_ref, "uart1_ref", 0x78);
    peripheral(clk::spi0_ref, "spi0_ref", 0x7C);
    peripheral(clk::spi1_ref, "spi1_ref", 0x80);
    peripheral(clk::can0_ref, "can0_ref", 0x84);
    peripheral(clk::can1_ref, "can1_ref", 0x88);
    peripheral(clk::nand_ref, "nand_ref", 0xB4);
    peripheral(clk::gem_tsu_ref, "gem_tsu_ref", 0x100);
    peripheral(clk::i2c0_ref, "i2c0_ref", 0x120);
    peripheral(clk::i2c1_ref, "i2c1_ref", 0x124);
    t[clk::ams_ref] = {"ams_ref", {kCrl + 0x108}, kPeripheral, kFromRpllLpd};
    t[clk::usb3_dual_ref] = {"usb3_dual_ref", {kCrl + 0x4C}, kUsb, kFromIopllLpd};
    t[clk::usb0_bus_ref] = {"usb0_bus_ref", {kCrl + 0x60}, kUsb, kFromIopllLpd};
    t[clk::usb1_bus_ref] = {"usb1_bus_ref", {kCrl + 0x64}, kUsb, kFromIopllLpd};
    t[clk::pl0_ref] = {"pl0_ref", {kCrl + 0xC0}, kFabric, kFromIopllLpd};
    t[clk::pl1_ref] = {"pl1_ref", {kCrl + 0xC4}, kFabric, kFromIopllLpd};
    t[clk::pl2_ref] = {"pl2_ref", {kCrl + 0xC8}, kFabric, kFromIopllLpd};
    t[clk::pl3_ref] = {"pl3_ref", {kCrl + 0xCC}, kFabric, kFromIopllLpd};
    t[clk::cpu_r5] = {"cpu_r5", {kCrl + 0x90}, kMuxDivBusGate, kFromRpllLpd, true};
    t[clk::cpu_r5_core] = {"cpu_r5_core", {kCrl + 0x90}, kR5Core, kFromR5Divider, true};
    t[clk::iou_switch] = {"iou_switch", {kCrl + 0x9C}, kMuxDivBusGate, kFromRpllLpd, true};
    t[clk::csu_pll] = {"csu_pll", {kCrl + 0xA0}, kMuxDivGate, kFromIopllLpd, true};
    t[clk::pcap] = {"pcap", {kCrl + 0xA4}, kMuxDivGate, kFromIopllLpd, true};
    t[clk::lpd_switch] = {"lpd_switch", {kCrl + 0xA8}, kMuxDivBusGate, kFromRpllLpd, true};
    t[clk::lpd_lsbus] = {"lpd_lsbus", {kCrl + 0xAC}, kMuxDivBusGate, kFromRpllLpd};
    t[clk::dbg_lpd] = {"dbg_lpd", {kCrl + 0xB0}, kMuxDivGate, kFromRpllLpd, true};
    t[clk::adma_ref] = {"adma_ref", {kCrl + 0xB8}, kMuxDivGate, kFromRpllLpd};
    t[clk::dll_ref] = {"dll_ref", {kCrl + 0x104}, kDll, kFromDll, true};
    t[clk::timestamp_ref] = {"timestamp_ref", {kCrl + 0x128}, kTimestamp, kFromTimestamp, true};
    t[clk::lpd_wdt] = {"lpd_wdt", {kSlcr + 0x300}, kWatchdog, kFromLpdWdt};
}

constexpr void add_gem_and_can(Table &t) {
    constexpr std::array<const char *, 4> ungated = {"gem0_ref_ung", "gem1_ref_ung", "gem2_ref_ung",
                                                     "gem3_ref_ung"};
    constexpr std::array<const char *, 4> ref = {"gem0_ref", "gem1_ref", "gem2_ref", "gem3_ref"};
    constexpr std::array<const char *, 4> tx = {"gem0_tx", "gem1_tx", "gem2_tx", "gem3_tx"};
    constexpr std::array<const char *, 4> rx = {"gem0_rx", "gem1_rx", "gem2_rx", "gem3_rx"};
    for (ClockId i = 0; i < 4; ++i) {
        const Address at{kCrl + 0x50 + 4 * i};
        t[clk::gem0_ref_ung + i] = {ungated[i], at, kGemUngated, kFromIopllLpd};
        t[clk::gem0_ref + i] = {ref[i], reg::iou_gem_clk_ctrl, kGemRef[i], kFromGemRef[i]};
        t[clk::gem0_tx + i] = {tx[i], at, kGateBit25, kFromGemTx[i]};
        t[clk::gem0_rx + i] = {rx[i], at, kGemRx, kFromGemRx[i]};
    }
    t[clk::gem_tsu] = {"gem_tsu", reg::iou_gem_clk_ctrl, kGemTsu, kFromTsu};
    t[clk::can0_mio] = {"can0_mio", reg::iou_can_mio_ctrl, kCan0Mio, kFromMio};
    t[clk::can1_mio] = {"can1_mio", reg::iou_can_mio_ctrl, kCan1Mio, kFromMio};
    t[clk::can0] = {"can0", reg::iou_can_mio_ctrl, kCan0, kFromCan0};
    t[clk::can1] = {"can1", reg::iou_can_mio_ctrl, kCan1, kFromCan1};
}

constexpr Table make_table() {
    Table t{};
    add_plls(t);
    add_full_power_domain(t);
    add_low_power_domain(t);
    add_gem_and_can(t);
    return t;
}
constexpr Table kTable = make_table();

struct Input {
    const char *name;
    std::uint64_t hz;
};
// Oscillators of the board: UG1182, and arch/arm64/boot/dts/xilinx/zynqmp-clk-ccf.dtsi.
constexpr std::array<Input, 16> kInputs = {{
    {"pss_ref_clk", 33'333'333},
    {"video_clk", 27'000'000},
    {"pss_alt_ref_clk", 0},
    {"aux_ref_clk", 27'000'000},
    {"gt_crx_ref_clk", 108'000'000},
    {"swdt0_ext_clk", 0},
    {"swdt1_ext_clk", 0},
    {"gem0_tx_ext", 0},
    {"gem1_tx_ext", 0},
    {"gem2_tx_ext", 0},
    {"gem3_tx_ext", 0},
    {"gem0_rx_ext", 0},
    {"gem1_rx_ext", 0},
    {"gem2_rx_ext", 0},
    // The PHY's receive clock at 1 Gbit/s.
    {"gem3_rx_ext", 125'000'000},
    {"mio_clk_50_51", 0},
}};

struct MioName {
    char text[16];
};
constexpr std::array<MioName, 78> mio_names() {
    std::array<MioName, 78> names{};
    for (unsigned pin = 0; pin < names.size(); ++pin) {
        char *out = names[pin].text;
        for (const char c : {'m', 'i', 'o', '_', 'c', 'l', 'k', '_'}) {
            *out++ = c;
        }
        if (pin >= 10) {
            *out++ = static_cast<char>('0' + pin / 10);
        }
        *out = static_cast<char>('0' + pin % 10);
    }
    return names;
}
constexpr auto kMioNames = mio_names();

constexpr ClockSpec kNoClock{};

} // namespace

const ClockSpec &clock_spec(ClockId id) {
    return id < kTable.size() ? kTable[id] : kNoClock;
}

const char *clock_name(ClockId id) {
    if (id < kFirstInput) {
        return kTable[id].name;
    }
    if (id < clk::mio0) {
        return kInputs[id - kFirstInput].name;
    }
    return id < kClocks ? kMioNames[id - clk::mio0].text : "";
}

std::uint64_t input_rate(ClockId id) {
    return id >= kFirstInput && id < clk::mio0 ? kInputs[id - kFirstInput].hz : 0;
}

std::span<const PllSpec, 5> pll_table() {
    return kPlls;
}

} // namespace zynqmp
