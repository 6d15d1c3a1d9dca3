// SPDX-License-Identifier: GPL-2.0-or-later
//
// What should come out, worked out again from RFC 768, RFC 791 and the meaning
// of the APP words, with none of the model's code: packets are taken apart
// into fields and lists of bytes and written out anew, and checksums are added
// up byte by byte. Slow and plain on purpose.
#ifndef UNIT_ORACLE_HPP
#define UNIT_ORACLE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oracle {

using Bytes = std::vector<std::uint8_t>;

/// A UDP datagram over IPv4 as its sender means it.
struct Datagram {
    Bytes ethernet = {0x02, 0, 0, 0, 0, 0x01, 0x02, 0, 0, 0, 0, 0x02}; ///< both addresses
    int tos = 0;
    int id = 0;
    int fragment = 0x4000; ///< flags and offset: don't fragment
    int ttl = 64;
    std::uint32_t source = 0x0A0A0001;
    std::uint32_t destination = 0x0A0A0002;
    Bytes options;
    int source_port = 40000;
    int destination_port = 5101;
    Bytes payload;
    bool udp_checksum = true; ///< false: zero, none made
};

/// The frame for it, all lengths and checksums right, not padded.
[[nodiscard]] Bytes frame_of(const Datagram &datagram);
/// RFC 1071 checksum of bytes at even offsets.
[[nodiscard]] int checksum(const Bytes &bytes);

/// A frame taken apart as far as it is IPv4 with TCP or UDP and no fragment.
struct Dissected {
    Bytes ethernet; ///< 14 bytes
    Bytes ip;       ///< header with options
    int protocol = 0;
    Bytes behind_ip; ///< transport header and all that follows
};
[[nodiscard]] std::optional<Dissected> dissect(const Bytes &frame);

/// What the engine makes of a transmit packet.
struct Expected {
    bool counted_as_error = false;
    std::vector<Bytes> frames;
};
/// `gso_built` false: a build that ignores the control words.
[[nodiscard]] Expected transmit(const Bytes &packet, std::uint32_t app0, std::uint32_t app1,
                                bool gso_built = true);

/// How a received frame is to be treated.
struct Verdict {
    bool offloadable = false;   ///< the engine looks into it at all
    bool checksums_good = true; ///< meaningless otherwise
    bool mergeable = false;     ///< plain UDP with payload and a checksum
    std::uint32_t destination = 0;
    int destination_port = 0;
    std::uint32_t source = 0;
    int source_port = 0;
    Bytes payload;
};
[[nodiscard]] Verdict judge(const Bytes &frame);

/// A packet on the receive stream.
struct StreamPacket {
    Bytes data;
    std::uint32_t app0 = 0, app1 = 0;
};

/// Which datagrams a GRO port merges, and what it then delivers. It keeps whole
/// datagrams and cuts them up only when the merge is over.
class Merger {
public:
    struct Rules {
        std::size_t fragment = 4096;
        std::size_t fragments = 16;
        bool mix_sources = false;
        bool equal_size = false;
    };

    /// False: no merge can hold it.
    [[nodiscard]] bool offer(const Bytes &frame, const Verdict &verdict, const Rules &rules);
    /// The merge ends here (timeout, checksum error, port closed).
    void end();
    [[nodiscard]] bool open() const { return !merged_.empty(); }

    std::vector<StreamPacket> delivered; ///< of finished merges, in order

private:
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] bool belongs(const Verdict &verdict) const;

    Rules rules_;
    Bytes header_;
    std::vector<Verdict> merged_;
};

/// "" or the first difference, in words.
[[nodiscard]] std::string difference(const Bytes &expected, const Bytes &got);

} // namespace oracle

#endif
