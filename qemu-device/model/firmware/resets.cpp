// SPDX-License-Identifier: GPL-2.0-or-later
//
// UG1200, reset API functions. Which bit a reset is: UG1087, RST_FPD_TOP, RST_FPD_APU,
// RST_DDR_SS, RST_LPD_IOU0, RST_LPD_IOU2, RST_LPD_TOP, RST_LPD_DBG and the PLL controls.
//
// The emulated peripherals do not see these bits: a reset is recorded, and the device
// goes on (the drivers initialise their devices after it anyway).
#include "resets.hpp"

#include <algorithm>
#include <array>

namespace zynqmp {

namespace {

enum class Kind : std::uint8_t {
    bit,     ///< a bit of a register
    barred,  ///< a bit the caller may not touch: it stands on it
    system,  ///< restarts the machine
    gpo3,    ///< wires to the programmable logic
    ps_pl,   ///< the same, through the GPIO block
    unknown, ///< in the list of ids, but nothing there to reset
};

struct Spec {
    const char *name = "";
    Kind kind = Kind::unknown;
    Address where;
    unsigned bit = 0;
};

constexpr Address kFpdTop{0xFD1A0100};
constexpr Address kFpdApu{0xFD1A0104};
constexpr Address kDdr{0xFD1A0108};
constexpr Address kIou0{0xFF5E0230};
constexpr Address kIou2{0xFF5E0238};
constexpr Address kLpdTop{0xFF5E023C};
constexpr Address kDebug{0xFF5E0240};

constexpr std::uint32_t kGpo3First = 1081;
constexpr std::uint32_t kPsPlFirst = 1116;

// 1000..1080, in the order of the ids.
constexpr std::array<Spec, 81> kBits = {{
    {"PCIE_CFG", Kind::bit, kFpdTop, 17},
    {"PCIE_BRIDGE", Kind::bit, kFpdTop, 18},
    {"PCIE_CTRL", Kind::bit, kFpdTop, 19},
    {"DP", Kind::bit, kFpdTop, 16},
    {"SWDT_CRF", Kind::bit, kFpdTop, 15},
    {"AFI_FM5", Kind::bit, kFpdTop, 12},
    {"AFI_FM4", Kind::bit, kFpdTop, 11},
    {"AFI_FM3", Kind::bit, kFpdTop, 10},
    {"AFI_FM2", Kind::bit, kFpdTop, 9},
    {"AFI_FM1", Kind::bit, kFpdTop, 8},
    {"AFI_FM0", Kind::bit, kFpdTop, 7},
    {"GDMA", Kind::bit, kFpdTop, 6},
    {"GPU_PP1", Kind::bit, kFpdTop, 5},
    {"GPU_PP0", Kind::bit, kFpdTop, 4},
    {"GPU", Kind::bit, kFpdTop, 3},
    {"GT", Kind::bit, kFpdTop, 2},
    {"SATA", Kind::bit, kFpdTop, 1},
    {"ACPU3_PWRON", Kind::barred, kFpdApu, 13},
    {"ACPU2_PWRON", Kind::barred, kFpdApu, 12},
    {"ACPU1_PWRON", Kind::barred, kFpdApu, 11},
    {"ACPU0_PWRON", Kind::barred, kFpdApu, 10},
    {"APU_L2", Kind::barred, kFpdApu, 8},
    {"ACPU3", Kind::barred, kFpdApu, 3},
    {"ACPU2", Kind::barred, kFpdApu, 2},
    {"ACPU1", Kind::barred, kFpdApu, 1},
    {"ACPU0", Kind::barred, kFpdApu, 0},
    {"DDR", Kind::barred, kDdr, 3},
    {"APM_FPD", Kind::bit, kDdr, 2},
    {"SOFT", Kind::system, {}, 0},
    {"GEM0", Kind::bit, kIou0, 0},
    {"GEM1", Kind::bit, kIou0, 1},
    {"GEM2", Kind::bit, kIou0, 2},
    {"GEM3", Kind::bit, kIou0, 3},
    {"QSPI", Kind::bit, kIou2, 0},
    {"UART0", Kind::bit, kIou2, 1},
    {"UART1", Kind::bit, kIou2, 2},
    {"SPI0", Kind::bit, kIou2, 3},
    {"SPI1", Kind::bit, kIou2, 4},
    {"SDIO0", Kind::bit, kIou2, 5},
    {"SDIO1", Kind::bit, kIou2, 6},
    {"CAN0", Kind::bit, kIou2, 7},
    {"CAN1", Kind::bit, kIou2, 8},
    {"I2C0", Kind::bit, kIou2, 9},
    {"I2C1", Kind::bit, kIou2, 10},
    {"TTC0", Kind::bit, kIou2, 11},
    {"TTC1", Kind::bit, kIou2, 12},
    {"TTC2", Kind::bit, kIou2, 13},
    {"TTC3", Kind::bit, kIou2, 14},
    {"SWDT_CRL", Kind::bit, kIou2, 15},
    {"NAND", Kind::bit, kIou2, 16},
    {"ADMA", Kind::bit, kIou2, 17},
    {"GPIO", Kind::bit, kIou2, 18},
    {"IOU_CC", Kind::bit, kIou2, 19},
    {"TIMESTAMP", Kind::barred, kIou2, 20},
    {"RPU_R50", Kind::bit, kLpdTop, 0},
    {"RPU_R51", Kind::bit, kLpdTop, 1},
    {"RPU_AMBA", Kind::bit, kLpdTop, 2},
    {"OCM", Kind::barred, kLpdTop, 3},
    {"RPU_PGE", Kind::bit, kLpdTop, 4},
    {"USB0_CORERESET", Kind::bit, kLpdTop, 6},
    {"USB1_CORERESET", Kind::bit, kLpdTop, 7},
    {"USB0_HIBERRESET", Kind::bit, kLpdTop, 8},
    {"USB1_HIBERRESET", Kind::bit, kLpdTop, 9},
    {"USB0_APB", Kind::bit, kLpdTop, 10},
    {"USB1_APB", Kind::bit, kLpdTop, 11},
    {"IPI", Kind::barred, kLpdTop, 14},
    {"APM_LPD", Kind::bit, kLpdTop, 15},
    {"RTC", Kind::bit, kLpdTop, 16},
    {"SYSMON", Kind::barred, kLpdTop, 17},
    {"AFI_FM6", Kind::bit, kLpdTop, 19},
    {"LPD_SWDT", Kind::bit, kLpdTop, 20},
    {"FPD", Kind::barred, kLpdTop, 23},
    {"RPU_DBG1", Kind::bit, kDebug, 5},
    {"RPU_DBG0", Kind::bit, kDebug, 4},
    {"DBG_LPD", Kind::bit, kDebug, 1},
    {"DBG_FPD", Kind::bit, kDebug, 0},
    {"APLL", Kind::barred, {0xFD1A0020}, 0},
    {"DPLL", Kind::barred, {0xFD1A002C}, 0},
    {"VPLL", Kind::bit, {0xFD1A0038}, 0},
    {"IOPLL", Kind::barred, {0xFF5E0020}, 0},
    {"RPLL", Kind::bit, {0xFF5E0030}, 0},
}};
static_assert(kFirstReset + kBits.size() == kGpo3First);

constexpr Spec kGpo3 = {"GPO3_PL", Kind::gpo3, {}, 0};
constexpr Spec kPsPl = {"PS_PL", Kind::ps_pl, {}, 0};
constexpr std::array<Spec, 3> kSpecials = {{
    {"RPU_LS", Kind::unknown, {}, 0},
    {"PS_ONLY", Kind::system, {}, 0},
    {"PL", Kind::unknown, {}, 0},
}};
constexpr Spec kNone{};

const Spec &find(std::uint32_t id) {
    if (id < kFirstReset || id >= kFirstReset + kResets) {
        return kNone;
    }
    if (id < kGpo3First) {
        return kBits[id - kFirstReset];
    }
    if (id < kGpo3First + 32) {
        return kGpo3;
    }
    return id < kPsPlFirst ? kSpecials[id - kGpo3First - 32] : kPsPl;
}

enum Action : std::uint32_t { kRelease, kAssert, kPulse };

} // namespace

const char *reset_name(std::uint32_t id) {
    return find(id).name;
}

bool Resets::asserted(std::uint32_t id) const {
    const Spec &spec = find(id);
    switch (spec.kind) {
    case Kind::bit:
    case Kind::barred:
        return registers_.get(spec.where, {spec.bit, 1}) != 0;
    case Kind::gpo3:
        return (fabric_.gpo3 >> (id - kGpo3First) & 1) != 0;
    case Kind::ps_pl:
        return (fabric_.ps_pl >> (id - kPsPlFirst) & 1) != 0;
    case Kind::system:
    case Kind::unknown:
        break;
    }
    return false;
}

Reply Resets::status(std::uint32_t id) const {
    if (*reset_name(id) == '\0') {
        host_.guest_errorf("reset_get_status: there is no reset %u", id);
        return Status::bad_argument;
    }
    return Reply::value(asserted(id) ? 1 : 0);
}

Reply Resets::assert_reset(std::uint32_t id, std::uint32_t action) {
    const Spec &spec = find(id);
    if (*spec.name == '\0' || action > kPulse) {
        host_.guest_errorf("reset_assert: reset %u, action %u", id, action);
        return Status::bad_argument;
    }
    // A pulse is over before the call returns.
    const std::uint32_t level = action == kAssert ? 1 : 0;
    switch (spec.kind) {
    case Kind::bit:
        registers_.set(spec.where, {spec.bit, 1}, level);
        break;
    case Kind::barred:
        host_.guest_errorf("reset_assert: %s would stop the caller", spec.name);
        return Status::no_access;
    case Kind::system:
        if (action != kRelease) {
            host_.shutdown(Shutdown::restart);
        }
        break;
    case Kind::gpo3: {
        const std::uint32_t bit = 1U << (id - kGpo3First);
        fabric_.gpo3 = level ? fabric_.gpo3 | bit : fabric_.gpo3 & ~bit;
        break;
    }
    case Kind::ps_pl: {
        const auto bit = static_cast<std::uint8_t>(1U << (id - kPsPlFirst));
        fabric_.ps_pl =
            static_cast<std::uint8_t>(level ? fabric_.ps_pl | bit : fabric_.ps_pl & ~bit);
        break;
    }
    case Kind::unknown:
        return Status::no_feature;
    }
    host_.changedf("reset %u (%s) %s", id, spec.name,
                   action == kPulse ? "pulsed"
                   : level          ? "asserted"
                                    : "released");
    return Status::success;
}

} // namespace zynqmp
