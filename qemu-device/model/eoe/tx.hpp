// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_EOE_TX_HPP
#define XEOE_EOE_TX_HPP

#include "config.hpp"
#include "host.hpp"
#include "packet/ipv4.hpp"
#include "stream.hpp"

#include <span>

namespace eoe {

/// The transmit half of the engine (PG451): one packet in, one frame or a run
/// of UDP segments out. Frames are made one at a time when asked for, in the
/// buffer the packet lies in.
class EoeTx {
public:
    /// Output frames are at least this long on the stream (PG451).
    static constexpr std::size_t kMinOutput = 64;

    /// `buffer` is where packets arrive; it must have kMinOutput spare bytes
    /// behind the longest packet.
    EoeTx(const Config &config, Host &host, std::span<std::uint8_t> buffer);

    /// Stream reset: the packet in hand and the counter are gone.
    void reset();

    /// A packet of `bytes` stands at the start of the buffer. It may turn out
    /// to disagree with its control words and be dropped.
    void accept(std::size_t bytes, const AppWords &app);
    /// A packet was too long for the buffer.
    void reject() { ++errors_; }

    [[nodiscard]] bool has_frame() const { return job_.kind != Kind::none; }
    /// The next frame for the MAC; only when has_frame(). Valid until the next
    /// call of anything here.
    [[nodiscard]] std::span<const std::uint8_t> next_frame();

    /// TX_ERROR_COUNT.
    [[nodiscard]] std::uint32_t errors() const { return errors_; }

private:
    enum class Kind : std::uint8_t { none, whole, segments };

    /// APP0 and APP1 taken apart.
    struct Control {
        std::size_t header = 0;
        std::size_t total = 0; ///< behind the Ethernet header; 0 = below MSS
        std::size_t mss = 0;
        bool segment_udp = false;
        bool checksum = false;
        bool increment_id = false;
    };

    static constexpr std::size_t kMaxHeader = 255; ///< APP0 has eight bits

    /// The packet in hand.
    struct Job {
        Kind kind = Kind::none;
        std::size_t bytes = 0;
        std::size_t header = 0;  ///< bytes copied in front of every segment
        std::size_t segment = 0; ///< payload bytes of a full segment
        std::size_t sent = 0;    ///< payload bytes already sent
        std::uint16_t index = 0;
        bool checksum = false;
        bool increment_id = false;
        Ipv4Headers headers;
        std::array<std::uint8_t, kMaxHeader> saved{}; ///< header of the packet
    };

    [[nodiscard]] static Control decode(const AppWords &app);
    void drop(const char *why, std::size_t bytes, const Control &control);
    void accept_segments(std::size_t bytes, const Control &control, const Ipv4Headers &headers);
    void offload_checksums(std::span<std::uint8_t> packet, const Control &control);
    [[nodiscard]] std::span<const std::uint8_t> next_segment();
    [[nodiscard]] std::span<const std::uint8_t> pad(std::span<std::uint8_t> frame);

    bool built_;
    bool built_gso_;
    Host &host_;
    std::span<std::uint8_t> buffer_;
    Job job_;
    std::array<std::uint8_t, kMinOutput> short_frame_{};
    std::uint32_t errors_ = 0;
};

} // namespace eoe

#endif
