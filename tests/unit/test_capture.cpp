// SPDX-License-Identifier: GPL-2.0-or-later
//
// Stored pieces joined to packets for a capture.
#include "capture.hpp"

#include "harness.hpp"

namespace {

using namespace unit;

constexpr std::uint32_t kStart = 0x40000000;
constexpr std::uint32_t kEnd = 0x20000000;
constexpr std::size_t kHeaders = 42;

std::vector<std::uint8_t> bytes(std::size_t count, std::uint8_t value) {
    std::vector<std::uint8_t> made(count, value);
    return made;
}

void whole_packets_pass(void **) {
    const auto data = bytes(60, 1);
    eoe::StreamCapture with_engine(true);
    assert_int_equal(with_engine.stored({0, kStart | kEnd, 0, data}).size(), 60);
    eoe::StreamCapture without(false);
    assert_int_equal(without.stored({0, 0, 0, data}).size(), 60);
}

void pieces_are_joined_per_channel(void **) {
    eoe::StreamCapture capture(true);
    const auto headers = bytes(kHeaders, 0);
    const auto two = bytes(100, 2);
    const auto three = bytes(50, 3);
    assert_true(capture.stored({1, kStart, 0, headers}).empty());
    assert_true(capture.stored({2, kStart, 0, headers}).empty());
    assert_true(capture.stored({1, 0, 0, two}).empty());
    const auto other = capture.stored({2, kEnd, 0x1234004E, three});
    assert_int_equal(other.size(), kHeaders + 50);
    assert_int_equal(other[kHeaders], 3);
    const auto packet = capture.stored({1, kEnd, 0xABCD00B2, three});
    assert_int_equal(packet.size(), kHeaders + 150);
    assert_int_equal(packet[kHeaders], 2);
    assert_int_equal(packet[kHeaders + 100], 3);
    // IPv4 total length and checksum come with the end, the UDP length follows.
    assert_int_equal(packet[16] << 8 | packet[17], 0x00B2);
    assert_int_equal(packet[24] << 8 | packet[25], 0xABCD);
    assert_int_equal(packet[38] << 8 | packet[39], 0x00B2 - 20);
}

void pieces_without_a_start_are_left_out(void **) {
    eoe::StreamCapture capture(true);
    const auto data = bytes(100, 2);
    assert_true(capture.stored({5, 0, 0, data}).empty());
    assert_true(capture.stored({5, kEnd, 0, data}).empty());
    // Too short for the headers that would be completed.
    const auto tiny = bytes(10, 0);
    assert_true(capture.stored({5, kStart, 0, tiny}).empty());
    assert_true(capture.stored({5, kEnd, 0, tiny}).empty());
}

void endless_pieces_are_given_up(void **) {
    eoe::StreamCapture capture(true);
    const auto data = bytes(4096, 2);
    assert_true(capture.stored({15, kStart, 0, data}).empty());
    for (int i = 0; i < 40; ++i) {
        assert_true(capture.stored({15, 0, 0, data}).empty());
    }
    assert_true(capture.stored({15, kEnd, 0, data}).empty());
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(whole_packets_pass),
        cmocka_unit_test(pieces_are_joined_per_channel),
        cmocka_unit_test(pieces_without_a_start_are_left_out),
        cmocka_unit_test(endless_pieces_are_given_up),
    };
    return unit::run_group("capture", tests);
}
