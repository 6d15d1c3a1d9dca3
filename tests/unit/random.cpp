// SPDX-License-Identifier: GPL-2.0-or-later
#include "random.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace unit {

namespace {

std::uint64_t from_environment(const char *name, std::uint64_t otherwise) {
    const char *text = std::getenv(name);
    return text != nullptr && *text != 0 ? std::strtoull(text, nullptr, 0) : otherwise;
}

void damage(Random &r, Bytes &frame) {
    // One header byte, or the frame cut short.
    if (r.one_in(3) && frame.size() > 1) {
        frame.resize(1 + r.below(frame.size() - 1));
    } else {
        frame[12 + r.below(std::min<std::size_t>(frame.size() - 12, 32))] ^=
            static_cast<std::uint8_t>(1U << r.below(8));
    }
}

} // namespace

std::uint64_t seed() {
    static const std::uint64_t value = from_environment("EOE_SEED", std::random_device{}());
    return value;
}

std::uint64_t packets() {
    return from_environment("EOE_PACKETS", 1'000'000);
}

void print_seed() {
    print_message("EOE_SEED=%llu\n", static_cast<unsigned long long>(seed()));
}

std::uint64_t Random::next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

void Random::fill(std::uint8_t *at, std::size_t bytes) {
    for (; bytes >= 8; bytes -= 8, at += 8) {
        const std::uint64_t word = next();
        std::memcpy(at, &word, 8);
    }
    for (std::uint64_t word = next(); bytes > 0; --bytes, word >>= 8) {
        *at++ = static_cast<std::uint8_t>(word);
    }
}

std::uint32_t payload_size(Random &r) {
    switch (r.below(64)) {
    case 0:
        return r.below(8900); // with headers still within a 9000 build
    case 1:
    case 2:
    case 3:
        return r.between(1400, 1472);
    case 4:
    case 5:
        return r.below(4);
    default:
        return r.below(300);
    }
}

oracle::Datagram random_datagram(Random &r, std::uint32_t payload) {
    oracle::Datagram g;
    g.tos = static_cast<int>(r.below(256));
    g.id = static_cast<int>(r.below(65536));
    g.ttl = static_cast<int>(r.below(256));
    g.source = 0x0A0A0000 + r.below(256);
    g.destination = 0x0A0A0002;
    g.source_port = static_cast<int>(r.below(65536));
    g.destination_port = static_cast<int>(r.below(65536));
    g.payload.resize(payload);
    r.fill(g.payload.data(), payload);
    return g;
}

Bytes random_packet(Random &r, std::uint32_t payload, std::uint32_t &header) {
    oracle::Datagram g = random_datagram(r, payload);
    if (r.one_in(10)) {
        g.options.resize(std::size_t{4} * r.between(1, 10));
        r.fill(g.options.data(), g.options.size());
    }
    if (r.one_in(20)) {
        g.fragment = static_cast<int>(r.below(65536));
    }
    header = static_cast<std::uint32_t>(42 + g.options.size());
    Bytes frame = oracle::frame_of(g);
    const std::uint32_t kind = r.below(40);
    if (kind < 6) {
        frame[23] = 6; // TCP, maybe too short for one
    } else if (kind == 6) {
        const Bytes tag = {0x81, 0x00, 0x00, static_cast<std::uint8_t>(r.below(256))};
        frame.insert(frame.begin() + 12, tag.begin(), tag.end());
    } else if (kind == 7) {
        frame[12] = 0x86;
        frame[13] = 0xDD;
        frame[14] = 0x60;
    } else if (kind == 8) {
        r.fill(frame.data(), frame.size());
    } else if (kind < 12) {
        damage(r, frame);
    }
    return frame;
}

void give_up(const char *what, std::uint64_t index, const Bytes &packet,
             const std::string &detail) {
    std::fprintf(stderr, "EOE_SEED=%llu packet %llu: %s: %s\n",
                 static_cast<unsigned long long>(seed()), static_cast<unsigned long long>(index),
                 what, detail.c_str());
    for (std::size_t i = 0; i < packet.size() && i < 96; ++i) {
        std::fprintf(stderr, "%02x%s", packet[i], i % 16 == 15 ? "\n" : " ");
    }
    std::fprintf(stderr, "\n");
    fail();
    std::abort(); // fail() does not return
}

} // namespace unit
