// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_PORT_HPP
#define XEOE_PORT_HPP

#include "config.hpp"
#include "dma/mcdma.hpp"
#include "eoe/eoe.hpp"
#include "host.hpp"
#include "mac/xxv.hpp"
#include "stream.hpp"

#include <vector>

namespace eoe {

/// The register block an access is for.
enum class Block : std::uint8_t { mac, eoe, mcdma };

/// One Ethernet port: MAC, offload engine and DMA wired together.
///
/// Register writes only change state; frames and descriptors move in run() and
/// receive(), a bounded slice at a time. What is left is asked for again with
/// Host::set_deadline(), from inside run() always for a later time than now, so
/// that a clock standing still during a callback cannot loop.
class Port {
public:
    /// Longest packet the transmit side gathers, in bytes (MODEL: a longer one
    /// is dropped and counted in TX_ERROR_COUNT).
    static constexpr std::size_t kMaxTxPacket = std::size_t{256} * 1024;
    /// Room between engine and MCDMA on the receive side, in bytes.
    static constexpr std::size_t kRxFifoBytes = std::size_t{128} * 1024;

    /// `config` must have passed check_config(); `host` must outlive the port.
    Port(const Config &config, Host &host);
    Port(const Port &) = delete;
    Port &operator=(const Port &) = delete;
    ~Port() = default;

    /// Power-on reset of the three blocks.
    void reset();
    /// 32-bit register accesses. slverr while the port's own DMA is under way
    /// (it was aimed at the port), decerr where no block is built.
    [[nodiscard]] Bus read(Block block, std::uint32_t offset, std::uint32_t &value);
    [[nodiscard]] Bus write(Block block, std::uint32_t offset, std::uint32_t value);

    [[nodiscard]] bool can_receive() const { return !active_ && !faults_.gone() && fifo_.empty(); }
    /// False: not looked at, offer it again after Host::rx_ready().
    [[nodiscard]] bool receive(std::span<const std::uint8_t> frame);
    /// The wire takes frames again.
    void tx_ready();
    /// The deadline has come.
    void run();
    void set_link(bool up);

    /// Fault injection; see Faults for the texts.
    [[nodiscard]] bool add_fault(const char *text, std::span<char> error);
    [[nodiscard]] bool clear_faults(const char *which, std::span<char> error);
    std::size_t list_faults(std::span<char> to) { return faults_.list(to); }

private:
    class Active;

    Bus read_block(Block block, std::uint32_t offset, std::uint32_t &value);
    [[nodiscard]] bool tx_may_move() const;
    [[nodiscard]] bool has_work() const;
    /// `back` is what the receive side may still do, for frames looped back.
    void move_tx(Budget &back);
    void transmit(std::span<const std::uint8_t> frame);
    void take_in(std::span<const std::uint8_t> frame);
    [[nodiscard]] Nanos deadline() const;
    /// Outputs follow the state: lines, flow control, deadline. Work that is
    /// left is asked for at `earliest`.
    void settle(Nanos earliest);

    Config config_;
    Host &host_;
    std::vector<std::uint8_t> tx_packet_;
    StreamFifo fifo_;
    Faults faults_;
    Xxv mac_;
    Eoe eoe_;
    Mcdma mcdma_;

    bool active_ = false;    ///< frames or descriptors are moving right now
    bool wire_full_ = false; ///< until tx_ready()
    bool rx_open_ = true;    ///< what the host was last led to believe
    Nanos asked_ = kNever;   ///< deadline the host knows of
};

} // namespace eoe

#endif
