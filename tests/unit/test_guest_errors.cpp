// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rules of the hardware that only the log tells a guest of: one line for each breach,
// none for what is right beside it.
#include "harness.hpp"

#include <cstring>

namespace {

using namespace unit;

constexpr std::uint32_t kPort1 = 0x40;
constexpr std::uint32_t kPort2 = 0x80;
constexpr std::uint32_t kUdpEnabled = 0x11000001;

void expect_error(Machine &m, const char *text) {
    assert_int_equal(m.errors.size(), 1);
    assert_non_null(std::strstr(m.errors[0].c_str(), text));
    m.errors.clear();
}

void reads_of_nothing(void **) {
    Machine m;
    std::uint32_t value = 0;
    assert_true(m.port->read(eoe::Block::eoe, 0x028, value) == eoe::Bus::ok);
    expect_error(m, "eoe: read of 0x028");
}

void channels_that_are_not_built(void **) {
    eoe::Config config = eoe::default_config();
    config.num_mm2s_channels = 4;
    Machine m(config);
    m.dma(kMm2sChen, 0xF);
    assert_int_equal(m.errors.size(), 0);
    m.dma(kMm2sChen, 0x1F);
    expect_error(m, "CHEN 0x001f enables channels that are not built");
}

void a_tail_before_the_channel_runs(void **) {
    Machine m;
    m.dma(mm2s(3, kTail), 0x1000);
    m.dma(mm2s(3, kTail) + 4, 0);
    expect_error(m, "mm2s channel 3: TAILDESC written while CR.RS is clear");
}

void addresses_beyond_those_built(void **) {
    eoe::Config config = eoe::default_config();
    config.addr_width = 33;
    Machine m(config);
    Ring ring = tx_ring(m, 1, 4);
    ring.link();
    start_tx(m, 1, ring);
    send(m, 1, ring, 0, plain_frame(64));
    assert_int_equal(m.errors.size(), 0);
    ring.transmit(1, plain_frame(64), kSof | kEof, 0, kApp1Untouched);
    ring.set(1, 0x0C, 2); // bit 33 of the buffer's address
    m.dma(mm2s(1, kTail), static_cast<std::uint32_t>(ring.bd(1)));
    m.dma(mm2s(1, kTail) + 4, 0);
    m.settle();
    expect_error(m, "an address beyond those built");
}

void ports_that_match_the_same(void **) {
    Machine m;
    for (const std::uint32_t port : {kPort1, kPort2}) {
        m.eoe_reg(port + 0x08, port); // the source does not count in 3-tuple mode
        m.eoe_reg(port + 0x0C, 0x0A0A0002);
        m.eoe_reg(port + 0x10, 5101U << 16 | port);
    }
    m.eoe_reg(kPort1, kUdpEnabled);
    assert_int_equal(m.errors.size(), 0);
    m.eoe_reg(kPort2, kUdpEnabled);
    expect_error(m, "GRO ports 1 and 2 match the same packets");

    m.eoe_reg(kPort2, 0x11000000);
    m.eoe_reg(kPort2 + 0x10, 5102U << 16);
    m.eoe_reg(kPort2, kUdpEnabled);
    assert_int_equal(m.errors.size(), 0);
}

void negotiation_with_a_zero_seed(void **) {
    Machine m;
    m.mac(0x0E0, 0x16D);
    m.mac(0x0E0, 0x003); // bypassed
    assert_int_equal(m.errors.size(), 0);
    m.mac(0x0E0, 0x001);
    expect_error(m, "nonce seed of zero");
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(reads_of_nothing),
        cmocka_unit_test(channels_that_are_not_built),
        cmocka_unit_test(a_tail_before_the_channel_runs),
        cmocka_unit_test(addresses_beyond_those_built),
        cmocka_unit_test(ports_that_match_the_same),
        cmocka_unit_test(negotiation_with_a_zero_seed),
    };
    return unit::run_group("guest_errors", tests);
}
