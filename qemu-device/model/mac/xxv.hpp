// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_MAC_XXV_HPP
#define XEOE_MAC_XXV_HPP

#include "config.hpp"
#include "fault/faults.hpp"
#include "host.hpp"
#include "mac/xxv_regs.hpp"
#include "mac/xxv_stats.hpp"

#include <vector>

namespace eoe {

/// One XXV Ethernet port (PG210): registers, link state, FCS, length checks
/// and statistics. It holds no frames: what goes in comes out of the same call.
class Xxv {
public:
    Xxv(const Config &config, Host &host, Faults &faults);

    /// s_axi_aresetn: everything at its documented default.
    void reset();
    [[nodiscard]] Bus read(std::uint32_t offset, std::uint32_t &value);
    [[nodiscard]] Bus write(std::uint32_t offset, std::uint32_t value);

    void set_link(bool up);
    /// GT reset time passes; due at deadline().
    void run();
    [[nodiscard]] Nanos deadline() const { return gt_done_; }

    /// May a frame leave now? False stalls the transmit stream (MODEL: a
    /// disabled transmitter stalls, it does not drop).
    [[nodiscard]] bool tx_open() const;
    /// Transmit frames come back in instead of reaching the wire.
    [[nodiscard]] bool loopback() const;

    /// A frame from the transmit stream. Returns what a receiver at the other
    /// end would take (no FCS), or nothing when the frame left in a shape any
    /// receiver discards.
    [[nodiscard]] std::span<const std::uint8_t> transmit(std::span<const std::uint8_t> stream);

    /// What happened to a frame from the wire.
    struct Received {
        bool deliver = false;
        bool bad = false;                   ///< tuser on the last beat
        std::span<const std::uint8_t> data; ///< valid until the next call
    };
    /// A frame (no FCS) from the wire or the loopback.
    [[nodiscard]] Received receive(std::span<const std::uint8_t> frame, bool good_fcs = true);
    /// Block lock may have come or gone.
    void lock_changed() { update_latches(); }

    /// The MCDMA's reset outputs reach the datapath: the counters start again
    /// (MODEL: configuration and status stay).
    void datapath_reset();

private:
    [[nodiscard]] std::uint32_t &reg(std::uint32_t offset);
    [[nodiscard]] std::uint32_t reg(std::uint32_t offset) const;
    [[nodiscard]] bool gt_rx_held() const;
    [[nodiscard]] bool gt_tx_held() const;
    [[nodiscard]] bool rx_held() const;
    [[nodiscard]] bool block_lock() const;
    [[nodiscard]] bool an_complete() const;
    [[nodiscard]] bool has_gt_status() const;
    [[nodiscard]] std::uint32_t live(std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t read_register(std::uint16_t index);
    void update_latches();
    void reset_latches();
    void written(std::uint32_t offset, std::uint32_t value);
    [[nodiscard]] bool consumed_by_flow_control(const xxv::FrameFacts &facts) const;

    const Config &config_;
    Host &host_;
    Faults &faults_;
    std::array<std::uint32_t, xxv::kRegs.size()> regs_{}; ///< values; latches for status
    xxv::Stats stats_;
    bool cable_ = true;
    Nanos gt_done_ = kNever;
    std::vector<std::uint8_t> with_fcs_; ///< a received frame whose FCS is kept
};

} // namespace eoe

#endif
