// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C door (fw_capi.h) to zynqmp::Firmware.
#include "fw_capi.h"

#include "describe.hpp"
#include "firmware.hpp"

#include <algorithm>
#include <new>
#include <span>

static_assert(XFW_SAVED_SIZE == zynqmp::kSavedSize);

namespace {

/// A Host made of the C callbacks.
class CHost final : public zynqmp::Host {
public:
    CHost(const XfwHostOps &ops, void *opaque) : ops_(ops), opaque_(opaque) {}

    void shutdown(zynqmp::Shutdown what) override {
        ops_.shutdown(opaque_, what == zynqmp::Shutdown::power_off ? XFW_POWER_OFF : XFW_RESTART);
    }
    void guest_error(const char *text) override { ops_.guest_error(opaque_, text); }
    void changed(const char *text) override { ops_.changed(opaque_, text); }
    [[nodiscard]] bool wants_changes() const override { return ops_.wants_changes(opaque_); }

private:
    XfwHostOps ops_;
    void *opaque_;
};

} // namespace

struct XfwFirmware {
    XfwFirmware(const zynqmp::Identity &identity, const XfwHostOps &ops, void *opaque)
        : host(ops, opaque), firmware(identity, host) {}
    CHost host;
    zynqmp::Firmware firmware;
};

XfwIdentity xfw_identity_default(void) {
    return {0x24738093, 0x3003, 0xE};
}

XfwFirmware *xfw_new(const XfwIdentity *identity, const XfwHostOps *ops, void *opaque) {
    if (!ops->shutdown || !ops->guest_error || !ops->wants_changes || !ops->changed) {
        return nullptr;
    }
    return new (std::nothrow)
        XfwFirmware({identity->idcode, identity->version, identity->boot_mode}, *ops, opaque);
}

void xfw_free(XfwFirmware *firmware) {
    delete firmware;
}

void xfw_reset(XfwFirmware *firmware, bool power_on) {
    firmware->firmware.reset(power_on);
}

bool xfw_owns(uint64_t x0) {
    // Bit 31 fast call, bit 30 either convention, bits 29..24 owner.
    return (x0 & 0xBF000000) == 0x82000000;
}

void xfw_smc(XfwFirmware *firmware, const uint64_t args[XFW_SMC_ARGS],
             uint64_t results[XFW_SMC_RESULTS]) {
    zynqmp::SmcArgs in{};
    std::copy_n(args, in.size(), in.begin());
    const zynqmp::SmcReply out = firmware->firmware.smc(in);
    std::copy(out.begin(), out.end(), results);
}

size_t xfw_describe(const XfwFirmware *firmware, XfwPart part, char *text, size_t size) {
    const std::span<char> to{text, size};
    switch (part) {
    case XFW_CLOCKS:
        return zynqmp::describe_clocks(firmware->firmware, to);
    case XFW_NODES:
        return zynqmp::describe_nodes(firmware->firmware, to);
    case XFW_RESETS:
        return zynqmp::describe_resets(firmware->firmware, to);
    case XFW_PINS:
        break;
    }
    return zynqmp::describe_pins(firmware->firmware, to);
}

void xfw_save(const XfwFirmware *firmware, uint8_t to[XFW_SAVED_SIZE]) {
    firmware->firmware.save(std::span<std::uint8_t, zynqmp::kSavedSize>(to, zynqmp::kSavedSize));
}

bool xfw_load(XfwFirmware *firmware, const uint8_t from[XFW_SAVED_SIZE]) {
    return firmware->firmware.load(
        std::span<const std::uint8_t, zynqmp::kSavedSize>(from, zynqmp::kSavedSize));
}
