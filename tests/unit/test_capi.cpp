// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C door: configurations it refuses, and that every call and callback
// reaches the other side.
#include "harness.hpp"

#include <cstring>
#include <limits>

namespace {

using namespace unit;

/// A host in C terms that notes who was called.
struct CHost {
    std::array<std::uint8_t, 0x10000> memory{};
    std::size_t frames = 0;
    std::size_t frame_bytes = 0;
    int rx_readies = 0;
    int irqs[2] = {};
    unsigned irq_channel = 99;
    std::int64_t now = 5000;
    std::int64_t deadline = std::numeric_limits<std::int64_t>::max();
    int errors = 0;
    int events[XEOE_EVENTS] = {};
    XeoePort *port = nullptr;
};

CHost &self(void *opaque) {
    return *static_cast<CHost *>(opaque);
}

XeoeBus dma_read(void *opaque, std::uint64_t address, void *buffer, std::size_t bytes) {
    if (address > sizeof(CHost::memory) - bytes) {
        return XEOE_BUS_DECERR;
    }
    std::memcpy(buffer, self(opaque).memory.data() + address, bytes);
    return XEOE_BUS_OK;
}

XeoeBus dma_write(void *opaque, std::uint64_t address, const void *buffer, std::size_t bytes) {
    if (address > sizeof(CHost::memory) - bytes) {
        return XEOE_BUS_SLVERR;
    }
    std::memcpy(self(opaque).memory.data() + address, buffer, bytes);
    return XEOE_BUS_OK;
}

bool send_frame(void *opaque, const std::uint8_t *frame, std::size_t bytes) {
    (void)frame;
    ++self(opaque).frames;
    self(opaque).frame_bytes = bytes;
    return false;
}

void rx_ready(void *opaque) {
    ++self(opaque).rx_readies;
}

void set_irq(void *opaque, XeoeDir dir, unsigned channel, bool level) {
    self(opaque).irqs[dir] = level ? 1 : 0;
    self(opaque).irq_channel = channel;
}

std::int64_t now_ns(void *opaque) {
    return self(opaque).now;
}

void set_deadline(void *opaque, std::int64_t deadline) {
    self(opaque).deadline = deadline;
}

void guest_error(void *opaque, const char *text) {
    assert_null(std::strchr(text, '\n'));
    ++self(opaque).errors;
}

void event(void *opaque, XeoeEvent event, const char *what, std::uint64_t, std::uint64_t,
           std::uint64_t) {
    assert_null(std::strchr(what, '\n'));
    ++self(opaque).events[event];
}

/// Nobody watches events.
constexpr XeoeHostOps kOps = {dma_read,     dma_write,   send_frame, rx_ready, set_irq, now_ns,
                              set_deadline, guest_error, nullptr,    nullptr,  nullptr};

XeoePort *make(const XeoeConfig &config, CHost &host) {
    char error[200] = "";
    XeoePort *port = xeoe_port_new(&config, &kOps, &host, error, sizeof(error));
    assert_non_null(port);
    return port;
}

void refuse(const XeoeConfig &config, const char *field) {
    CHost host;
    char error[200] = "";
    assert_null(xeoe_port_new(&config, &kOps, &host, error, sizeof(error)));
    assert_non_null(std::strstr(error, field));
    assert_true(std::strlen(error) > std::strlen(field) + 10); // a sentence, not a name
}

void default_configuration(void **) {
    const XeoeConfig config = xeoe_config_default();
    assert_int_equal(config.num_mm2s_channels, 16);
    assert_int_equal(config.num_s2mm_channels, 16);
    assert_int_equal(config.eoe_gro_ports, 15);
    CHost host;
    xeoe_port_free(make(config, host));
}

void refused_configurations(void **) {
    const XeoeConfig good = xeoe_config_default();
    struct Case {
        const char *field;
        std::uint64_t low, high;
        void (*set)(XeoeConfig &, std::uint64_t);
    };
#define FIELD(name, low, high)                                                                     \
    Case {                                                                                         \
#name, low, high,                                                                          \
            [](XeoeConfig & c, std::uint64_t v) { c.name = static_cast<decltype(c.name)>(v); }     \
    }
    const Case cases[] = {
        FIELD(num_mm2s_channels, 1, 16),
        FIELD(num_s2mm_channels, 1, 16),
        FIELD(addr_width, 32, 64),
        FIELD(sg_length_width, 8, 26),
        FIELD(sg_clock_hz, 1000000, 1000000000),
        FIELD(eoe_gro_ports, 1, 15),
        FIELD(eoe_timer_hz, 1000000, 1000000000),
    };
#undef FIELD
    for (const Case &c : cases) {
        for (const std::uint64_t bad : {std::uint64_t{0}, c.low - 1, c.high + 1}) {
            XeoeConfig config = good;
            c.set(config, bad);
            refuse(config, c.field);
        }
        for (const std::uint64_t fine : {c.low, c.high}) {
            XeoeConfig config = good;
            config.eoe_rx_gro = std::strcmp(c.field, "num_s2mm_channels") != 0;
            c.set(config, fine);
            CHost host;
            xeoe_port_free(make(config, host));
        }
    }
    XeoeConfig config = good;
    config.eoe_mtu = 1501;
    refuse(config, "eoe_mtu");
    config = good;
    config.num_s2mm_channels = 15;
    refuse(config, "eoe_gro_ports");
}

void error_text_is_cut_to_its_buffer(void **) {
    XeoeConfig config = xeoe_config_default();
    config.addr_width = 31;
    CHost host;
    char error[8];
    std::memset(error, 'x', sizeof(error));
    assert_null(xeoe_port_new(&config, &kOps, &host, error, 5));
    assert_int_equal(std::strlen(error), 4);
    assert_int_equal(error[5], 'x');
    assert_null(xeoe_port_new(&config, &kOps, &host, nullptr, 0));
}

void missing_callback(void **) {
    const XeoeConfig config = xeoe_config_default();
    XeoeHostOps ops = kOps;
    ops.rx_ready = nullptr;
    CHost host;
    char error[200] = "";
    assert_null(xeoe_port_new(&config, &ops, &host, error, sizeof(error)));
    assert_string_equal(error, "a host callback is missing");
}

void put32(CHost &host, std::size_t address, std::uint32_t value) {
    std::memcpy(&host.memory[address], &value, 4);
}

void every_call_reaches_the_model(void **) {
    CHost host;
    XeoePort *port = make(xeoe_config_default(), host);
    std::uint32_t value = 0;
    assert_int_equal(xeoe_port_read(port, XEOE_MAC, 0x024, &value), XEOE_BUS_OK);
    assert_int_equal(value, 0x00000104);
    assert_int_equal(xeoe_port_read(port, XEOE_EOE, 0x00, &value), XEOE_BUS_OK);
    assert_int_equal(value, 0x01000000);
    assert_int_equal(xeoe_port_read(port, XEOE_MCDMA, 0x04, &value), XEOE_BUS_OK);
    assert_int_equal(value, 1);
    assert_int_equal(xeoe_port_read(port, XEOE_MAC, 0x010, &value), XEOE_BUS_SLVERR);
    assert_int_equal(host.errors, 1);

    // Two frames; the wire is full after the first.
    put32(host, 0x000, 0x40);
    put32(host, 0x008, 0x1000);
    put32(host, 0x014, 0xC0000000 | 100);
    put32(host, 0x024, 0x200);
    put32(host, 0x040, 0x80);
    put32(host, 0x048, 0x1000);
    put32(host, 0x054, 0xC0000000 | 101);
    put32(host, 0x064, 0x200);
    const auto dma = [&](std::uint32_t offset, std::uint32_t v) {
        assert_int_equal(xeoe_port_write(port, XEOE_MCDMA, offset, v), XEOE_BUS_OK);
    };
    dma(0x08, 1);
    dma(0x48, 0);
    dma(0x40, 0x00010021);
    dma(0x00, 1);
    dma(0x50, 0x40);
    dma(0x54, 0);
    assert_int_equal(host.deadline, 5000);
    xeoe_port_run(port);
    assert_int_equal(host.frames, 1);
    assert_int_equal(host.frame_bytes, 100);
    assert_int_equal(host.irqs[XEOE_MM2S], 1);
    assert_int_equal(host.irq_channel, 0);
    xeoe_port_tx_ready(port);
    xeoe_port_run(port);
    assert_int_equal(host.frames, 2);

    // A frame bigger than its only buffer: busy until the ring goes on.
    put32(host, 0x100, 0x140);
    put32(host, 0x108, 0x2000);
    put32(host, 0x114, 64);
    put32(host, 0x140, 0x180);
    put32(host, 0x148, 0x2100);
    put32(host, 0x154, 64);
    dma(0x508, 1);
    dma(0x548, 0x100);
    dma(0x540, 0x00010021);
    dma(0x500, 1);
    dma(0x550, 0x100);
    dma(0x554, 0);
    xeoe_port_run(port);
    const std::array<std::uint8_t, 100> frame{};
    assert_true(xeoe_port_can_receive(port));
    assert_int_equal(xeoe_port_receive(port, frame.data(), frame.size()), XEOE_RX_DONE);
    assert_false(xeoe_port_can_receive(port));
    assert_int_equal(xeoe_port_receive(port, frame.data(), frame.size()), XEOE_RX_BUSY);
    dma(0x550, 0x140);
    dma(0x554, 0);
    xeoe_port_run(port);
    assert_int_equal(host.rx_readies, 1);
    assert_int_equal(host.irqs[XEOE_S2MM], 1);

    xeoe_port_set_link(port, false);
    assert_int_equal(xeoe_port_read(port, XEOE_MAC, 0x40C, &value), XEOE_BUS_OK);
    assert_int_equal(value, 0);
    xeoe_port_reset(port);
    assert_int_equal(host.irqs[XEOE_MM2S] + host.irqs[XEOE_S2MM], 0);
    assert_int_equal(xeoe_port_read(port, XEOE_MCDMA, 0x50, &value), XEOE_BUS_OK);
    assert_int_equal(value, 0);
    xeoe_port_free(port);
    xeoe_port_free(nullptr);
}

void events_are_reported_while_watched(void **) {
    CHost host;
    std::uint16_t watched[XEOE_EVENTS] = {};
    XeoeHostOps ops = kOps;
    ops.watched = watched;
    ops.event = event;
    const XeoeConfig config = xeoe_config_default();
    XeoePort *port = xeoe_port_new(&config, &ops, &host, nullptr, 0);
    assert_non_null(port);
    std::uint32_t value = 0;
    const auto access = [&] {
        assert_int_equal(xeoe_port_read(port, XEOE_MAC, 0x024, &value), XEOE_BUS_OK);
        assert_int_equal(xeoe_port_write(port, XEOE_MCDMA, 0x08, 1), XEOE_BUS_OK);
    };
    access();
    assert_int_equal(host.events[XEOE_EV_reg_read] + host.events[XEOE_EV_reg_write], 0);
    watched[XEOE_EV_reg_write] = 1;
    access();
    assert_int_equal(host.events[XEOE_EV_reg_read], 0);
    assert_int_equal(host.events[XEOE_EV_reg_write], 1);
    watched[XEOE_EV_reg_write] = 0;
    access();
    assert_int_equal(host.events[XEOE_EV_reg_write], 1);
    xeoe_port_free(port);
}

void bus_answers_of_the_host_are_told_apart(void **) {
    static constexpr struct {
        bool descriptor;
        std::uint32_t err;
    } cases[] = {{true, 0x40}, {false, 0x04}};
    for (const auto &c : cases) {
        CHost host;
        XeoePort *port = make(xeoe_config_default(), host);
        put32(host, 0x008, 0x00FFFFF8); // outside
        put32(host, 0x014, 0xC0000000 | 100);
        const std::uint32_t descriptor = c.descriptor ? 0x00FFFFC0 : 0;
        const auto dma = [&](std::uint32_t offset, std::uint32_t v) {
            assert_int_equal(xeoe_port_write(port, XEOE_MCDMA, offset, v), XEOE_BUS_OK);
        };
        dma(0x08, 1);
        dma(0x48, descriptor);
        dma(0x40, 0x00010001);
        dma(0x00, 1);
        dma(0x50, descriptor);
        dma(0x54, 0);
        xeoe_port_run(port);
        std::uint32_t value = 0;
        assert_int_equal(xeoe_port_read(port, XEOE_MCDMA, 0x10, &value), XEOE_BUS_OK);
        assert_int_equal(value, c.err);
        xeoe_port_free(port);
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(default_configuration),
        cmocka_unit_test(refused_configurations),
        cmocka_unit_test(error_text_is_cut_to_its_buffer),
        cmocka_unit_test(missing_callback),
        cmocka_unit_test(every_call_reaches_the_model),
        cmocka_unit_test(events_are_reported_while_watched),
        cmocka_unit_test(bus_answers_of_the_host_are_told_apart),
    };
    return unit::run_group("capi", tests);
}
