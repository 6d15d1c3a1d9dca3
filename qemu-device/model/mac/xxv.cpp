// SPDX-License-Identifier: GPL-2.0-or-later
#include "mac/xxv.hpp"

#include "packet/bytes.hpp"
#include "packet/checksum.hpp"
#include "packet/ipv4.hpp"

#include <algorithm>

namespace eoe {

using namespace xxv;

namespace {

constexpr std::size_t kFcs = 4;
constexpr std::size_t kMinFrame = 64; ///< with FCS
/// PG210: no FCS is stripped from frames shorter than this.
constexpr std::size_t kStripFrom = 8;
constexpr std::uint16_t kMaxLengthField = 1500;

/// Software pulses GT_RESET; a core that clears it by itself does so when the
/// transceiver reports done. MODEL: after this long.
constexpr Nanos kGtResetTime = std::chrono::milliseconds{1};

/// STAT_GT_WIZ came with IP v3.2 (REVISION: 7:0 major, 15:8 minor).
constexpr std::uint32_t kGtStatusSince = 0x0302;

} // namespace

Xxv::Xxv(const Config &config, Host &host, Faults &faults)
    : config_(config), host_(host), faults_(faults), with_fcs_(XEOE_MAX_FRAME + kFcs) {
    reset();
}

std::uint32_t &Xxv::reg(std::uint32_t offset) {
    return regs_[kRegMap[offset / 4]];
}

std::uint32_t Xxv::reg(std::uint32_t offset) const {
    return regs_[kRegMap[offset / 4]];
}

void Xxv::reset() {
    std::transform(kRegs.begin(), kRegs.end(), regs_.begin(), [](const Reg &r) { return r.reset; });
    stats_.reset(host_.now());
    gt_done_ = kNever;
    update_latches();
}

// Link state

bool Xxv::gt_rx_held() const {
    return (reg(kGtReset) & (gt_reset::all | gt_reset::rx)) != 0 || faults_.gt_held();
}

bool Xxv::gt_tx_held() const {
    return (reg(kGtReset) & (gt_reset::all | gt_reset::tx)) != 0 || faults_.gt_held();
}

bool Xxv::rx_held() const {
    return gt_rx_held() || (reg(kReset) & (reset::rx_serdes | reset::rx)) != 0;
}

bool Xxv::block_lock() const {
    return (cable_ || loopback()) && !rx_held() && !faults_.lock_lost();
}

bool Xxv::loopback() const {
    return (reg(kMode) & mode::loopback) != 0;
}

bool Xxv::an_complete() const {
    // MODEL: negotiation ends at once, and never with the forbidden zero seed.
    const std::uint32_t control = reg(kAnControl1);
    return (control & an::enable) != 0 && (control & an::bypass) == 0 &&
           (control & an::nonce_seed) != 0 && block_lock();
}

bool Xxv::has_gt_status() const {
    const std::uint32_t major = config_.mac_revision & 0xFF;
    const std::uint32_t minor = config_.mac_revision >> 8 & 0xFF;
    return (major << 8 | minor) >= kGtStatusSince;
}

std::uint32_t Xxv::live(std::uint32_t offset) const {
    switch (offset) {
    case kRevision:
        return config_.mac_revision;
    case kRxStatus:
        return block_lock() ? rx_status::good
                            : rx_status::local_fault | rx_status::internal_local_fault;
    case kBlockLock:
    case kRxValidCtrlCode:
        return block_lock() ? 1 : 0;
    case kAnStatus: {
        if (!an_complete()) {
            return 0;
        }
        // MODEL: the partner offers what we offer.
        const std::uint32_t own = reg(kAnControl2);
        std::uint32_t status = an::complete | an::partner_ability_valid | an::partner_able;
        if ((own & an::advertise_pause) != 0) {
            status |= an::partner_pause | an::tx_pause | an::rx_pause;
        }
        if ((own & an::advertise_asm_dir) != 0) {
            status |= an::partner_asm_dir;
        }
        return status;
    }
    case kAnPartner:
        return an_complete() ? reg(kAnAbility) : 0;
    case kLtStatus2:
        return (reg(kLtControl) & kLtEnable) != 0 && block_lock() ? kLtFrameLock : 0;
    case kLtStatus3:
        return (reg(kLtControl) & kLtEnable) != 0 && block_lock() ? kLtSignalDetect : 0;
    case kCoreSpeed:
        return config_.mac_25g ? 0 : kSpeed10G;
    case kGtWizStatus:
        return !has_gt_status()
                   ? 0
                   : (gt_tx_held() ? 0 : kGtTxResetDone) | (gt_rx_held() ? 0 : kGtRxResetDone);
    default:
        return 0;
    }
}

void Xxv::update_latches() {
    for (std::size_t i = 0; i < kRegs.size(); ++i) {
        const Reg &r = kRegs[i];
        if ((r.ll | r.lh) != 0) {
            const std::uint32_t now = live(r.offset);
            regs_[i] = (regs_[i] & (now | ~r.ll)) | (now & r.lh);
        }
    }
}

void Xxv::reset_latches() {
    for (std::size_t i = 0; i < kRegs.size(); ++i) {
        if (((kRegs[i].ll | kRegs[i].lh) != 0)) {
            regs_[i] = kRegs[i].reset;
        }
    }
    update_latches();
}

void Xxv::set_link(bool up) {
    cable_ = up;
    update_latches();
}

void Xxv::run() {
    if (host_.now() >= gt_done_) {
        gt_done_ = kNever;
        reg(kGtReset) = 0;
        update_latches();
    }
}

// Registers

Bus Xxv::read(std::uint32_t offset, std::uint32_t &value) {
    run();
    value = 0;
    if (Stats::covers(offset)) {
        value = stats_.read(offset);
        return Bus::ok;
    }
    const std::uint16_t index = find_register(kRegMap, offset);
    if (index == kNoReg) {
        host_.guest_errorf("xxv: read of 0x%03x, where no register is", offset);
        return (reg(kMode) & mode::read_slverr) != 0 ? Bus::slverr : Bus::ok;
    }
    value = read_register(index);
    return Bus::ok;
}

std::uint32_t Xxv::read_register(std::uint16_t index) {
    const Reg &r = kRegs[index];
    const std::uint32_t latch = r.ll | r.lh;
    if (latch != 0) {
        const std::uint32_t now = live(r.offset);
        const std::uint32_t value = (regs_[index] & latch) | (now & ~latch);
        regs_[index] = now & latch;
        return value;
    }
    return r.rw != 0 ? regs_[index] : live(r.offset);
}

Bus Xxv::write(std::uint32_t offset, std::uint32_t value) {
    run();
    const std::uint16_t index = find_register(kRegMap, offset);
    if (index == kNoReg && !Stats::covers(offset)) {
        host_.guest_errorf("xxv: write of 0x%08x to 0x%03x, where no register is", value, offset);
        return (reg(kMode) & mode::write_slverr) != 0 ? Bus::slverr : Bus::ok;
    }
    if (index == kNoReg || (kRegs[index].rw | kRegs[index].sc) == 0) {
        host_.guest_errorf("xxv: write of 0x%08x to the read-only register at 0x%03x", value,
                           offset);
        return Bus::ok;
    }
    regs_[index] = apply_write(kRegs[index], regs_[index], value);
    written(offset, value);
    return Bus::ok;
}

void Xxv::written(std::uint32_t offset, std::uint32_t value) {
    switch (offset) {
    case kTick:
        if ((value & 1) != 0 && (reg(kMode) & mode::tick_by_register) != 0) {
            stats_.tick(host_.now(), config_.mac_25g);
        }
        break;
    case kAnControl1:
        if ((value & an::enable) != 0 && (value & (an::bypass | an::nonce_seed)) == 0) {
            host_.guest_errorf("xxv: negotiation enabled with a nonce seed of zero");
        }
        update_latches();
        break;
    case kGtReset:
        if (reg(kGtReset) != 0) {
            faults_.gt_reset_begun();
        }
        gt_done_ = reg(kGtReset) != 0 ? host_.now() + kGtResetTime : kNever;
        update_latches();
        break;
    case kReset:
        if ((value & reset::tx) != 0) {
            stats_.clear_tx();
        }
        if ((value & reset::rx) != 0) {
            stats_.clear_rx(host_.now());
            reset_latches();
        }
        update_latches();
        break;
    default:
        update_latches();
        break;
    }
}

void Xxv::datapath_reset() {
    stats_.clear_tx();
    stats_.clear_rx(host_.now());
}

// Datapath

bool Xxv::tx_open() const {
    // MODEL: LFI, RFI and idle take the line, so frames wait for their end.
    constexpr std::uint32_t line_taken =
        tx_config::send_lfi | tx_config::send_rfi | tx_config::send_idle;
    const std::uint32_t config = reg(kTxConfig);
    return (config & tx_config::enable) != 0 && (config & line_taken) == 0 && !gt_tx_held() &&
           (reg(kReset) & (reset::tx | reset::tx_serdes)) == 0;
}

std::span<const std::uint8_t> Xxv::transmit(std::span<const std::uint8_t> stream) {
    const bool insert = (reg(kTxConfig) & tx_config::insert_fcs) != 0;
    const std::size_t wire_bytes = insert ? stream.size() + kFcs : stream.size();
    const std::size_t payload = wire_bytes < kFcs ? 0 : wire_bytes - kFcs;
    const auto frame = stream.first(payload);

    bool fcs_good = true;
    if (!insert) {
        fcs_good = wire_bytes >= kFcs && load_le32(stream.data() + payload) == ethernet_crc(frame);
        if (!fcs_good && (reg(kTxConfig) & tx_config::ignore_fcs) == 0) {
            stats_.add(Stat::tx_bad_fcs);
        }
    }
    const bool good =
        fcs_good && wire_bytes >= kMinFrame && frame.size() <= std::size_t{XEOE_MAX_FRAME};
    stats_.add_tx_frame(frame_facts(frame, wire_bytes, good));
    if (!good) {
        // MODEL: it left, and whoever is at the other end throws it away.
        stats_.add(Stat::tx_frame_error);
        host_.guest_errorf("xxv: sent a frame of %zu bytes with %s FCS that no receiver accepts",
                           wire_bytes, fcs_good ? "good" : "bad");
        return {};
    }
    return frame;
}

bool Xxv::consumed_by_flow_control(const FrameFacts &facts) const {
    const std::uint32_t control = reg(kRxFlowControl1);
    return facts.ether_type == kTypeMacControl && (control & flow_control::pause_enable) != 0 &&
           (control & flow_control::forward) == 0;
}

Xxv::Received Xxv::receive(std::span<const std::uint8_t> frame, bool good_fcs) {
    run();
    if (!block_lock() || (reg(kRxConfig) & rx_config::enable) == 0 ||
        frame.size() > std::size_t{XEOE_MAX_FRAME}) {
        return {};
    }
    const std::uint32_t mtu = reg(kRxMtu);
    const std::size_t shortest = mtu & 0xFF;
    const std::size_t longest = mtu >> 16;
    const std::size_t wire_bytes = frame.size() + kFcs;

    // Frames from the host have no FCS; theirs is right unless a fault says no.
    FrameFacts facts = frame_facts(frame, wire_bytes, good_fcs);
    if (!good_fcs) {
        stats_.add(Stat::rx_bad_fcs);
        if (wire_bytes >= kMinFrame && wire_bytes <= longest) {
            stats_.add(Stat::rx_packet_bad_fcs);
        }
    }
    if (wire_bytes > longest) {
        stats_.add(Stat::rx_oversize);
        stats_.add(Stat::rx_truncated);
        facts.good = false;
    }
    if (wire_bytes < shortest) {
        stats_.add(Stat::rx_undersize);
        facts.good = false;
    }
    if (wire_bytes < kMinFrame) {
        facts.good = false;
    }
    if (facts.ether_type == kTypeMacControl && wire_bytes != kMinFrame) {
        facts.good = false;
    }
    if (facts.good && facts.ether_type <= kMaxLengthField && wire_bytes > kMinFrame &&
        facts.ether_type != frame.size() - kEthHeader) {
        stats_.add(Stat::rx_in_range_error);
    }
    stats_.add_rx_frame(facts);

    if ((!facts.good && !config_.deliver_bad_frames) || consumed_by_flow_control(facts)) {
        return {};
    }
    if ((reg(kRxConfig) & rx_config::delete_fcs) != 0 && wire_bytes >= kStripFrom) {
        return {true, !facts.good, frame};
    }
    std::copy(frame.begin(), frame.end(), with_fcs_.begin());
    store_le32(&with_fcs_[frame.size()], ethernet_crc(frame));
    return {true, !facts.good, std::span{with_fcs_}.first(wire_bytes)};
}

} // namespace eoe
