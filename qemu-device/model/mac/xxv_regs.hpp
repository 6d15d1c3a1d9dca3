// SPDX-License-Identifier: GPL-2.0-or-later
//
// XXV Ethernet: PG210 "Register Space" (v4.1); registers that only sibling
// cores document keep the layout of those guides. Statistics: xxv_stats.hpp.
#ifndef XEOE_MAC_XXV_REGS_HPP
#define XEOE_MAC_XXV_REGS_HPP

#include "util/reg.hpp"

namespace eoe::xxv {

enum Offset : std::uint32_t {
    kGtReset = 0x000,
    kReset = 0x004,
    kMode = 0x008,
    kTxConfig = 0x00C,
    kRxConfig = 0x014,
    kRxMtu = 0x018,
    kTick = 0x020,
    kRevision = 0x024,
    kRxFlowControl1 = 0x094,
    kAnControl1 = 0x0E0,
    kAnControl2 = 0x0E4,
    kAnAbility = 0x0F8,
    kLtControl = 0x100,
    kTxStatus = 0x400,
    kRxStatus = 0x404,
    kBlockLock = 0x40C,
    kAnStatus = 0x458,
    kAnPartner = 0x45C,
    kLtStatus2 = 0x468,
    kLtStatus3 = 0x46C,
    kRxValidCtrlCode = 0x494,
    kCoreSpeed = 0x498,
    kGtWizStatus = 0x4A0,
};

namespace gt_reset {
inline constexpr std::uint32_t all = 1U << 0;
inline constexpr std::uint32_t rx = 1U << 1;
inline constexpr std::uint32_t tx = 1U << 2;
} // namespace gt_reset

namespace reset {
inline constexpr std::uint32_t rx_serdes = 1U << 0;
inline constexpr std::uint32_t an = 1U << 28;
inline constexpr std::uint32_t tx_serdes = 1U << 29;
inline constexpr std::uint32_t rx = 1U << 30;
inline constexpr std::uint32_t tx = 1U << 31;
} // namespace reset

namespace mode {
inline constexpr std::uint32_t write_slverr = 1U << 0;
inline constexpr std::uint32_t read_slverr = 1U << 1;
inline constexpr std::uint32_t tick_by_register = 1U << 30;
inline constexpr std::uint32_t loopback = 1U << 31;
} // namespace mode

namespace tx_config {
inline constexpr std::uint32_t enable = 1U << 0;
inline constexpr std::uint32_t insert_fcs = 1U << 1;
inline constexpr std::uint32_t ignore_fcs = 1U << 2;
inline constexpr std::uint32_t send_lfi = 1U << 3;
inline constexpr std::uint32_t send_rfi = 1U << 4;
inline constexpr std::uint32_t send_idle = 1U << 5;
} // namespace tx_config

namespace rx_config {
inline constexpr std::uint32_t enable = 1U << 0;
inline constexpr std::uint32_t delete_fcs = 1U << 1;
} // namespace rx_config

namespace flow_control {
inline constexpr std::uint32_t pause_enable = 0x1FF;
inline constexpr std::uint32_t forward = 1U << 9;
} // namespace flow_control

namespace rx_status {
inline constexpr std::uint32_t good = 1U << 0;
inline constexpr std::uint32_t local_fault = 1U << 6;
inline constexpr std::uint32_t internal_local_fault = 1U << 7;
} // namespace rx_status

namespace an {
inline constexpr std::uint32_t enable = 1U << 0;
inline constexpr std::uint32_t bypass = 1U << 1;
inline constexpr std::uint32_t nonce_seed = 0x3FC;
inline constexpr std::uint32_t advertise_pause = 1U << 0;
inline constexpr std::uint32_t advertise_asm_dir = 1U << 1;

inline constexpr std::uint32_t complete = 1U << 2;
inline constexpr std::uint32_t tx_pause = 1U << 4;
inline constexpr std::uint32_t rx_pause = 1U << 5;
inline constexpr std::uint32_t partner_ability_valid = 1U << 6;
inline constexpr std::uint32_t partner_able = 1U << 7;
inline constexpr std::uint32_t partner_pause = 1U << 8;
inline constexpr std::uint32_t partner_asm_dir = 1U << 9;
} // namespace an

inline constexpr std::uint32_t kLtEnable = 1U << 0;
inline constexpr std::uint32_t kLtFrameLock = 1U << 16;
inline constexpr std::uint32_t kLtSignalDetect = 1U << 0;
inline constexpr std::uint32_t kGtTxResetDone = 1U << 0;
inline constexpr std::uint32_t kGtRxResetDone = 1U << 1;
inline constexpr std::uint32_t kSpeed10G = 1U << 0;

inline constexpr std::uint32_t kAll = 0xFFFFFFFF;

inline constexpr auto kRegs = std::to_array<Reg>({
    {.offset = kGtReset, .name = "GT_RESET", .rw = 0x7},
    {.offset = kReset, .name = "RESET", .rw = 0xE0000001, .sc = reset::an},
    {.offset = kMode, .name = "MODE", .reset = 0x40000003, .rw = 0xC0000003},
    {.offset = kTxConfig, .name = "TX_REG1", .reset = 0x00003003, .rw = 0x0087FC3F},
    {.offset = kRxConfig, .name = "RX_REG1", .reset = 0x00000033, .rw = 0x00003BFF},
    {.offset = kRxMtu, .name = "RX_MTU", .reset = 0x25800040, .rw = 0x7FFF00FF},
    {.offset = 0x01C, .name = "VL_LENGTH", .reset = 0x4FFF4FFF, .rw = kAll},
    {.offset = kTick, .name = "TICK", .sc = 0x1},
    {.offset = kRevision, .name = "REVISION"},
    {.offset = 0x028, .name = "TX_TEST_PAT_SEED_A_LSB", .rw = kAll},
    {.offset = 0x02C, .name = "TX_TEST_PAT_SEED_A_MSB", .rw = kAll},
    {.offset = 0x030, .name = "TX_TEST_PAT_SEED_B_LSB", .rw = kAll},
    {.offset = 0x034, .name = "TX_TEST_PAT_SEED_B_MSB", .rw = kAll},
    {.offset = 0x038, .name = "1588", .rw = 0x07FF0005},
    {.offset = 0x040, .name = "TX_FLOW_CONTROL_REG1", .rw = 0x1FF},
    {.offset = 0x044, .name = "TX_REFRESH_REG1", .rw = kAll},
    {.offset = 0x048, .name = "TX_REFRESH_REG2", .rw = kAll},
    {.offset = 0x04C, .name = "TX_REFRESH_REG3", .rw = kAll},
    {.offset = 0x050, .name = "TX_REFRESH_REG4", .rw = kAll},
    {.offset = 0x054, .name = "TX_REFRESH_REG5", .rw = 0xFFFF},
    {.offset = 0x058, .name = "TX_QUANTA_REG1", .rw = kAll},
    {.offset = 0x05C, .name = "TX_QUANTA_REG2", .rw = kAll},
    {.offset = 0x060, .name = "TX_QUANTA_REG3", .rw = kAll},
    {.offset = 0x064, .name = "TX_QUANTA_REG4", .rw = kAll},
    {.offset = 0x068, .name = "TX_QUANTA_REG5", .rw = 0xFFFF},
    {.offset = 0x06C, .name = "TX_PPP_ETYPE_OP", .reset = 0x01018808, .rw = kAll},
    {.offset = 0x070, .name = "TX_GPP_ETYPE_OP", .reset = 0x00018808, .rw = kAll},
    {.offset = 0x074, .name = "TX_GPP_DA_LSB", .rw = kAll},
    {.offset = 0x078, .name = "TX_GPP_DA_MSB", .rw = 0xFFFF},
    {.offset = 0x07C, .name = "TX_GPP_SA_LSB", .rw = kAll},
    {.offset = 0x080, .name = "TX_GPP_SA_MSB", .rw = 0xFFFF},
    {.offset = 0x084, .name = "TX_PPP_DA_LSB", .rw = kAll},
    {.offset = 0x088, .name = "TX_PPP_DA_MSB", .rw = 0xFFFF},
    {.offset = 0x08C, .name = "TX_PPP_SA_LSB", .rw = kAll},
    {.offset = 0x090, .name = "TX_PPP_SA_MSB", .rw = 0xFFFF},
    {.offset = kRxFlowControl1, .name = "RX_FLOW_CONTROL_REG1", .rw = 0x7FFF},
    {.offset = 0x098, .name = "RX_FLOW_CONTROL_REG2", .rw = 0xFFFFF},
    {.offset = 0x09C, .name = "RX_PPP_ETYPE_OP", .reset = 0x01018808, .rw = kAll},
    {.offset = 0x0A0, .name = "RX_GPP_ETYPE_OP", .reset = 0x00018808, .rw = kAll},
    {.offset = 0x0A4, .name = "RX_GCP_PCP_ETYPE", .reset = 0x88088808, .rw = kAll},
    {.offset = 0x0A8, .name = "RX_PCP_OP", .reset = 0x01010101, .rw = kAll},
    {.offset = 0x0AC, .name = "RX_GCP_OP", .reset = 0x00060001, .rw = kAll},
    {.offset = 0x0B0, .name = "RX_PAUSE_DA_UCAST_LSB", .rw = kAll},
    {.offset = 0x0B4, .name = "RX_PAUSE_DA_UCAST_MSB", .rw = 0xFFFF},
    {.offset = 0x0B8, .name = "RX_PAUSE_DA_MCAST_LSB", .rw = kAll},
    {.offset = 0x0BC, .name = "RX_PAUSE_DA_MCAST_MSB", .rw = 0xFFFF},
    {.offset = 0x0C0, .name = "RX_PAUSE_SA_LSB", .rw = kAll},
    {.offset = 0x0C4, .name = "RX_PAUSE_SA_MSB", .rw = 0xFFFF},
    {.offset = 0x0C8, .name = "USXGMII_AN", .rw = 0xDE0107E1},
    {.offset = 0x0D0, .name = "RSFEC", .rw = 0x2F},
    {.offset = 0x0D4, .name = "FEC", .rw = 0x7},
    {.offset = kAnControl1, .name = "AN_CONTROL_REG1", .reset = 0x2, .rw = 0x1FFF},
    {.offset = kAnControl2, .name = "AN_CONTROL_REG2", .rw = 0x003F0003},
    {.offset = kAnAbility, .name = "AN_ABILITY", .rw = 0x00FFFFFF},
    {.offset = kLtControl, .name = "LT_CONTROL_REG1", .rw = 0x3},
    {.offset = 0x104, .name = "LT_TRAINED", .rw = 0x1},
    {.offset = 0x108, .name = "LT_PRESET", .rw = 0x1},
    {.offset = 0x10C, .name = "LT_INIT", .rw = 0x1},
    {.offset = 0x110, .name = "LT_SEED_REG0", .rw = 0x7FF},
    {.offset = 0x130, .name = "LT_COEFFICIENT_REG0", .rw = 0xFFF},
    {.offset = 0x134, .name = "USER_REG_0", .rw = kAll},
    {.offset = 0x138, .name = "SWITCH_CORE_SPEED", .sc = 0x1},
    {.offset = 0x13C, .name = "1588_32BIT", .rw = kAll},
    {.offset = 0x140, .name = "TX_1588", .rw = kAll},
    {.offset = 0x144, .name = "RX_1588", .rw = kAll},
    {.offset = 0x14C, .name = "TSN", .rw = kAll},
    {.offset = 0x154, .name = "GTWIZ_CTRL", .rw = kAll},

    // Status. Where a latch starts is its reset value (PG210: 0x40C 1, 0x404 0).
    {.offset = kTxStatus, .name = "STAT_TX_STATUS_REG1", .lh = 0x1},
    {.offset = kRxStatus, .name = "STAT_RX_STATUS_REG1", .lh = 0xFF0, .ll = 0x1},
    {.offset = 0x408, .name = "STAT_STATUS_REG1"},
    {.offset = kBlockLock, .name = "STAT_RX_BLOCK_LOCK", .reset = 0x1, .ll = 0x1},
    {.offset = 0x43C, .name = "STAT_RX_RSFEC"},
    {.offset = 0x448, .name = "STAT_RX_FEC"},
    {.offset = 0x44C, .name = "STAT_TX_RSFEC"},
    {.offset = 0x450, .name = "STAT_TX_FLOW_CONTROL_REG1"},
    {.offset = 0x454, .name = "STAT_RX_FLOW_CONTROL_REG1"},
    {.offset = kAnStatus, .name = "STAT_AN_STATUS", .lh = an::partner_ability_valid},
    {.offset = kAnPartner, .name = "STAT_AN_ABILITY"},
    {.offset = 0x460, .name = "STAT_AN_LINK_CTL"},
    {.offset = 0x464, .name = "STAT_LT_STATUS1"},
    {.offset = kLtStatus2, .name = "STAT_LT_STATUS2"},
    {.offset = kLtStatus3, .name = "STAT_LT_STATUS3"},
    {.offset = 0x470, .name = "STAT_LT_STATUS4"},
    {.offset = 0x474, .name = "STAT_LT_COEFFICIENT0"},
    {.offset = kRxValidCtrlCode, .name = "STAT_RX_VALID_CTRL_CODE", .lh = 0x1},
    {.offset = kCoreSpeed, .name = "STAT_CORE_SPEED"},
    {.offset = 0x49C, .name = "STAT_TSN"},
    {.offset = kGtWizStatus, .name = "STAT_GT_WIZ"},
    {.offset = 0x9F0, .name = "STAT_AN_LINK_CTL2"},
});

inline constexpr std::size_t kWindowWords = 0xA00 / 4;
inline constexpr auto kRegMap = map_registers<kWindowWords>(kRegs);

} // namespace eoe::xxv

#endif
