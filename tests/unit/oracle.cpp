// SPDX-License-Identifier: GPL-2.0-or-later
#include "oracle.hpp"

#include <algorithm>
#include <cstdio>

namespace oracle {

namespace {

int u16(const Bytes &bytes, int offset) {
    return bytes[static_cast<std::size_t>(offset)] * 256 +
           bytes[static_cast<std::size_t>(offset) + 1];
}

std::uint32_t u32(const Bytes &bytes, int offset) {
    return static_cast<std::uint32_t>(u16(bytes, offset)) * 65536U +
           static_cast<std::uint32_t>(u16(bytes, offset + 2));
}

void append(Bytes &to, const Bytes &more) {
    to.insert(to.end(), more.begin(), more.end());
}

void append16(Bytes &to, int value) {
    to.push_back(static_cast<std::uint8_t>(value / 256 % 256));
    to.push_back(static_cast<std::uint8_t>(value % 256));
}

void append32(Bytes &to, std::uint32_t value) {
    append16(to, static_cast<int>(value / 65536U));
    append16(to, static_cast<int>(value % 65536U));
}

Bytes part(const Bytes &bytes, int from, int count) {
    return {bytes.begin() + from, bytes.begin() + from + count};
}

int size(const Bytes &bytes) {
    return static_cast<int>(bytes.size());
}

Bytes with16(Bytes bytes, int offset, int value) {
    bytes[static_cast<std::size_t>(offset)] = static_cast<std::uint8_t>(value / 256);
    bytes[static_cast<std::size_t>(offset) + 1] = static_cast<std::uint8_t>(value % 256);
    return bytes;
}

/// The IPv4 header with its checksum made right.
Bytes sealed_ip(const Bytes &header) {
    const Bytes zeroed = with16(header, 10, 0);
    return with16(zeroed, 10, checksum(zeroed));
}

/// Addresses from an IPv4 header, protocol and length: what RFC 768 and 793
/// put in front of the segment before summing.
Bytes pseudo_header(const Bytes &ip, int protocol, int length) {
    Bytes p = part(ip, 12, 8);
    p.push_back(0);
    p.push_back(static_cast<std::uint8_t>(protocol));
    append16(p, length);
    return p;
}

/// The transport segment with its checksum made right.
Bytes sealed_segment(const Bytes &ip, int protocol, const Bytes &segment) {
    const int field = protocol == 17 ? 6 : 16;
    const Bytes zeroed = with16(segment, field, 0);
    Bytes summed = pseudo_header(ip, protocol, size(segment));
    append(summed, zeroed);
    int sum = checksum(summed);
    if (protocol == 17 && sum == 0) {
        sum = 0xFFFF;
    }
    return with16(zeroed, field, sum);
}

/// Bytes of the transport segment the lengths in the headers claim, or -1
/// when they contradict each other or the frame.
int segment_length(const Dissected &d) {
    const int claimed = u16(d.ip, 2) - size(d.ip);
    const int least = d.protocol == 17 ? 8 : 20;
    if (claimed < least || claimed > size(d.behind_ip)) {
        return -1;
    }
    if (d.protocol != 17) {
        return claimed;
    }
    const int udp = u16(d.behind_ip, 4);
    return udp < 8 || udp > claimed ? -1 : udp;
}

Bytes padded(Bytes frame) {
    if (frame.size() < 64) {
        frame.resize(64, 0);
    }
    return frame;
}

struct Words {
    int header, total, mss;
    bool wants_udp_segments, wants_checksums, counts_ids;
};

Words words(std::uint32_t app0, std::uint32_t app1) {
    return {
        static_cast<int>(app0 / 0x1000000U),
        static_cast<int>(app0 % 0x1000000U + app1 % 4U * 0x1000000U),
        static_cast<int>(app1 / 0x10000U % 0x4000U),
        app1 / 0x800U % 2U == 0 && app1 / 0x100U % 2U == 0,
        app1 / 0x200U % 2U == 0,
        app1 / 0x80U % 2U == 1,
    };
}

Bytes whole(const Bytes &packet, bool checksums, bool ip_checksum) {
    const auto d = dissect(packet);
    const int length = d ? segment_length(*d) : -1;
    if (!checksums || length < 0) {
        return packet;
    }
    Bytes frame = d->ethernet;
    append(frame, ip_checksum ? sealed_ip(d->ip) : d->ip);
    append(frame, sealed_segment(d->ip, d->protocol, part(d->behind_ip, 0, length)));
    append(frame, part(d->behind_ip, length, size(d->behind_ip) - length));
    return frame;
}

std::vector<Bytes> segments(const Dissected &d, const Words &w) {
    const int room = w.mss - (w.header - 14);
    const int bytes = size(d.behind_ip) - 8;
    const int first_id = u16(d.ip, 4);
    std::vector<Bytes> frames;
    for (int from = 0, n = 0; from < bytes; from += room, ++n) {
        const int count = std::min(room, bytes - from);
        Bytes ip = with16(d.ip, 2, size(d.ip) + 8 + count);
        if (w.counts_ids) {
            ip = with16(ip, 4, first_id / 0x4000 * 0x4000 + (first_id + n) % 0x4000);
        }
        ip = sealed_ip(ip);
        Bytes segment = with16(part(d.behind_ip, 0, 8), 4, 8 + count);
        append(segment, part(d.behind_ip, 8 + from, count));
        if (w.wants_checksums) {
            segment = sealed_segment(ip, 17, segment);
        }
        Bytes frame = d.ethernet;
        append(frame, ip);
        append(frame, segment);
        frames.push_back(padded(frame));
    }
    return frames;
}

} // namespace

int checksum(const Bytes &bytes) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        sum += i % 2 == 0 ? bytes[i] * 256U : bytes[i];
        if (sum > 0xFFFF) {
            sum -= 0xFFFF; // end-around carry
        }
    }
    return static_cast<int>(0xFFFF - sum);
}

Bytes frame_of(const Datagram &g) {
    Bytes ip;
    ip.push_back(static_cast<std::uint8_t>(0x45 + g.options.size() / 4));
    ip.push_back(static_cast<std::uint8_t>(g.tos));
    append16(ip, 20 + size(g.options) + 8 + size(g.payload));
    append16(ip, g.id);
    append16(ip, g.fragment);
    ip.push_back(static_cast<std::uint8_t>(g.ttl));
    ip.push_back(17);
    append16(ip, 0);
    append32(ip, g.source);
    append32(ip, g.destination);
    append(ip, g.options);
    ip = sealed_ip(ip);

    Bytes udp;
    append16(udp, g.source_port);
    append16(udp, g.destination_port);
    append16(udp, 8 + size(g.payload));
    append16(udp, 0);
    append(udp, g.payload);

    Bytes frame = g.ethernet;
    append16(frame, 0x0800);
    append(frame, ip);
    append(frame, g.udp_checksum ? sealed_segment(ip, 17, udp) : udp);
    return frame;
}

std::optional<Dissected> dissect(const Bytes &frame) {
    if (frame.size() < 34 || u16(frame, 12) != 0x0800 || frame[14] / 16 != 4) {
        return std::nullopt;
    }
    const int ip_bytes = frame[14] % 16 * 4;
    const int protocol = frame[23];
    if (ip_bytes < 20 || (protocol != 17 && protocol != 6) || u16(frame, 20) % 0x4000 != 0 ||
        size(frame) < 14 + ip_bytes + (protocol == 17 ? 8 : 20)) {
        return std::nullopt;
    }
    return Dissected{part(frame, 0, 14), part(frame, 14, ip_bytes), protocol,
                     part(frame, 14 + ip_bytes, size(frame) - 14 - ip_bytes)};
}

Expected transmit(const Bytes &packet, std::uint32_t app0, std::uint32_t app1, bool gso_built) {
    Words w = words(app0, app1);
    if (!gso_built) {
        w = {0, 0, 0, false, true, false};
    }
    if (w.total != 0 && w.total != size(packet) - 14) {
        return {true, {}};
    }
    if (w.wants_udp_segments && w.total != 0 && w.total >= w.mss) {
        const auto d = dissect(packet);
        if (d && d->protocol == 17) {
            const bool possible = w.header == 14 + size(d->ip) + 8 && w.mss > w.header - 14;
            return possible ? Expected{false, segments(*d, w)} : Expected{true, {}};
        }
    }
    const bool ip_checksum = w.total == 0 || w.total < w.mss;
    return {false, {padded(whole(packet, w.wants_checksums, ip_checksum))}};
}

Verdict judge(const Bytes &frame) {
    Verdict v;
    const auto d = dissect(frame);
    const int length = d ? segment_length(*d) : -1;
    if (length < 0) {
        return v;
    }
    v.offloadable = true;
    v.source = u32(d->ip, 12);
    v.destination = u32(d->ip, 16);
    v.source_port = u16(d->behind_ip, 0);
    v.destination_port = u16(d->behind_ip, 2);
    const Bytes segment = part(d->behind_ip, 0, length);
    const bool unsummed = d->protocol == 17 && u16(segment, 6) == 0;
    Bytes summed = pseudo_header(d->ip, d->protocol, length);
    append(summed, segment);
    // A range that holds its own checksum sums up to all ones, so to zero here.
    v.checksums_good = checksum(d->ip) == 0 && (unsummed || checksum(summed) == 0);
    if (d->protocol == 17) {
        v.payload = part(segment, 8, length - 8);
        v.mergeable = d->ip.size() == 20 && length > 8 && !unsummed && length == u16(d->ip, 2) - 20;
    }
    return v;
}

std::size_t Merger::bytes() const {
    std::size_t sum = 0;
    for (const Verdict &v : merged_) {
        sum += v.payload.size();
    }
    return sum;
}

bool Merger::belongs(const Verdict &v) const {
    const Verdict &first = merged_.front();
    const std::size_t together = bytes() + v.payload.size();
    const bool same_source = v.source == first.source && v.source_port == first.source_port;
    const bool fits = together <= rules_.fragment * rules_.fragments && together + 28 <= 65535;
    return fits && (rules_.mix_sources || same_source) &&
           (!rules_.equal_size || v.payload.size() <= first.payload.size());
}

bool Merger::offer(const Bytes &frame, const Verdict &v, const Rules &rules) {
    if (v.payload.size() > rules.fragment * rules.fragments || v.payload.size() + 28 > 65535) {
        return false;
    }
    if (open() && !belongs(v)) {
        end();
    }
    if (!open()) {
        rules_ = rules;
        header_ = part(frame, 0, 42);
    }
    merged_.push_back(v);
    if (bytes() == rules_.fragment * rules_.fragments ||
        (rules_.equal_size && v.payload.size() < merged_.front().payload.size())) {
        end();
    }
    return true;
}

void Merger::end() {
    if (!open()) {
        return;
    }
    Bytes all;
    for (const Verdict &v : merged_) {
        append(all, v.payload);
    }
    delivered.push_back({header_, 1U << 30, 0});
    const int fragment = static_cast<int>(rules_.fragment);
    int from = 0;
    for (; size(all) - from > fragment; from += fragment) {
        delivered.push_back({part(all, from, fragment), 0, 0});
    }
    const int total = 28 + size(all);
    const Bytes ip = sealed_ip(with16(part(header_, 14, 20), 2, total));
    delivered.push_back(
        {part(all, from, size(all) - from), 1U << 29,
         static_cast<std::uint32_t>(u16(ip, 10)) * 65536U + static_cast<std::uint32_t>(total)});
    merged_.clear();
}

std::string difference(const Bytes &expected, const Bytes &got) {
    char text[160];
    const std::size_t common = std::min(expected.size(), got.size());
    for (std::size_t i = 0; i < common; ++i) {
        if (expected[i] != got[i]) {
            (void)std::snprintf(text, sizeof(text),
                                "byte %zu of %zu: expected 0x%02x, got 0x%02x (got %zu bytes)", i,
                                expected.size(), expected[i], got[i], got.size());
            return text;
        }
    }
    if (expected.size() != got.size()) {
        (void)std::snprintf(text, sizeof(text), "expected %zu bytes, got %zu", expected.size(),
                            got.size());
        return text;
    }
    return {};
}

} // namespace oracle
