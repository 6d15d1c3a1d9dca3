// SPDX-License-Identifier: GPL-2.0-or-later
//
// libFuzzer target: any bytes as a sequence of secure monitor calls. Checked after each
// input: the state can be saved, loaded elsewhere and is the same there, and text about it ends.
#include "fw_capi.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

const XfwHostOps kOps = {
    .shutdown = [](void *, XfwShutdown) {},
    .guest_error = [](void *, const char *) {},
    .wants_changes = [](void *) { return true; },
    .changed = [](void *, const char *) {},
};

class Firmware {
public:
    Firmware() {
        const XfwIdentity identity = xfw_identity_default();
        firmware = xfw_new(&identity, &kOps, nullptr);
        require(firmware != nullptr);
    }
    ~Firmware() { xfw_free(firmware); }
    Firmware(const Firmware &) = delete;
    Firmware &operator=(const Firmware &) = delete;

    static void require(bool condition) {
        if (!condition) {
            std::abort();
        }
    }

    XfwFirmware *firmware;
};

/// Reads the input as numbers; zeroes behind its end.
class Input {
public:
    Input(const std::uint8_t *data, std::size_t size) : data_(data), left_(size) {}

    [[nodiscard]] bool done() const { return left_ == 0; }

    std::uint32_t take(std::size_t bytes) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < bytes && left_ > 0; ++i, --left_) {
            value |= std::uint32_t{*data_++} << 8 * i;
        }
        return value;
    }

    /// A word of a size the input chooses, so that short inputs reach small ids.
    std::uint32_t word() {
        constexpr std::array<std::size_t, 4> sizes = {1, 2, 4, 4};
        return take(sizes[take(1) % sizes.size()]);
    }

private:
    const std::uint8_t *data_;
    std::size_t left_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    Firmware fw;
    Input input(data, size);
    while (!input.done()) {
        std::array<std::uint64_t, XFW_SMC_ARGS> args{};
        std::array<std::uint64_t, XFW_SMC_RESULTS> results{};
        args[0] = 0xC2000000 | input.take(2) % 0x12000;
        for (std::size_t i = 1; i < 4; ++i) {
            args[i] = input.word();
            args[i] |= std::uint64_t{input.word()} << 32;
        }
        xfw_smc(fw.firmware, args.data(), results.data());
    }

    std::array<std::uint8_t, XFW_SAVED_SIZE> saved{};
    std::array<std::uint8_t, XFW_SAVED_SIZE> again{};
    xfw_save(fw.firmware, saved.data());
    Firmware other;
    Firmware::require(xfw_load(other.firmware, saved.data()));
    xfw_save(other.firmware, again.data());
    Firmware::require(saved == again);

    std::array<char, 512> text{};
    for (const XfwPart part : {XFW_CLOCKS, XFW_NODES, XFW_RESETS, XFW_PINS}) {
        static_cast<void>(xfw_describe(fw.firmware, part, text.data(), text.size()));
        Firmware::require(std::memchr(text.data(), 0, text.size()) != nullptr);
    }

    // Bytes that nobody saved: refused, or a state that can be saved.
    std::array<std::uint8_t, XFW_SAVED_SIZE> made = saved;
    for (std::size_t i = 0; i < size; ++i) {
        made[i % made.size()] ^= data[i];
    }
    if (xfw_load(other.firmware, made.data())) {
        static_cast<void>(xfw_describe(other.firmware, XFW_CLOCKS, text.data(), text.size()));
        static_cast<void>(xfw_describe(other.firmware, XFW_PINS, text.data(), text.size()));
    }
    return 0;
}
