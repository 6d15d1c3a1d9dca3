// SPDX-License-Identifier: GPL-2.0-or-later
//
// A firmware behind its C door, as the tests of it use it.
#ifndef UNIT_FW_HARNESS_HPP
#define UNIT_FW_HARNESS_HPP

#include "fw_capi.h"
#include "group.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace fw_unit {

/// The four words of an answer.
using Words = std::array<std::uint32_t, 4>;

class Fw {
public:
    Fw() : Fw(xfw_identity_default()) {}
    explicit Fw(const XfwIdentity &identity) {
        const XfwHostOps ops = {
            .shutdown =
                [](void *self, XfwShutdown what) {
                    static_cast<Fw *>(self)->shutdowns.push_back(what);
                },
            .guest_error =
                [](void *self, const char *text) {
                    static_cast<Fw *>(self)->errors.emplace_back(text);
                },
            .wants_changes = [](void *self) { return static_cast<Fw *>(self)->listening; },
            .changed =
                [](void *self, const char *text) {
                    static_cast<Fw *>(self)->changes.emplace_back(text);
                },
        };
        firmware = xfw_new(&identity, &ops, this);
        assert_non_null(firmware);
    }
    ~Fw() { xfw_free(firmware); }
    Fw(const Fw &) = delete;
    Fw &operator=(const Fw &) = delete;

    /// x0..x3 of any call.
    std::array<std::uint64_t, 4> smc(std::uint64_t id,
                                     std::initializer_list<std::uint64_t> args = {}) {
        std::array<std::uint64_t, XFW_SMC_ARGS> in{id};
        std::copy(args.begin(), args.end(), in.begin() + 1);
        std::array<std::uint64_t, XFW_SMC_RESULTS> out{};
        xfw_smc(firmware, in.data(), out.data());
        return out;
    }

    /// A firmware call, words packed in pairs as Linux does it.
    Words call(std::uint32_t api, std::initializer_list<std::uint32_t> args = {}) {
        std::array<std::uint64_t, XFW_SMC_ARGS> in{0xC2000000 + api};
        std::size_t i = 0;
        for (const std::uint32_t word : args) {
            in[1 + i / 2] |= std::uint64_t{word} << (i % 2 * 32);
            ++i;
        }
        std::array<std::uint64_t, XFW_SMC_RESULTS> out{};
        xfw_smc(firmware, in.data(), out.data());
        return {static_cast<std::uint32_t>(out[0]), static_cast<std::uint32_t>(out[0] >> 32),
                static_cast<std::uint32_t>(out[1]), static_cast<std::uint32_t>(out[1] >> 32)};
    }

    std::uint32_t status(std::uint32_t api, std::initializer_list<std::uint32_t> args = {}) {
        return call(api, args)[0];
    }
    /// The first word of payload of a call that must succeed.
    std::uint32_t value(std::uint32_t api, std::initializer_list<std::uint32_t> args = {}) {
        const Words words = call(api, args);
        assert_int_equal(words[0], 0);
        return words[1];
    }

    /// 16 bytes of text of a query that answers a name.
    std::string name(std::uint32_t query, std::uint32_t id) {
        const Words words = call(35, {query, id});
        std::array<char, 17> text{};
        std::memcpy(text.data(), words.data(), 16);
        return text.data();
    }

    std::string describe(XfwPart part) {
        std::string text(xfw_describe(firmware, part, nullptr, 0) + 1, '?');
        static_cast<void>(xfw_describe(firmware, part, text.data(), text.size()));
        text.pop_back();
        return text;
    }

    std::array<std::uint8_t, XFW_SAVED_SIZE> save() {
        std::array<std::uint8_t, XFW_SAVED_SIZE> bytes{};
        xfw_save(firmware, bytes.data());
        return bytes;
    }

    XfwFirmware *firmware = nullptr;
    std::vector<XfwShutdown> shutdowns;
    std::vector<std::string> errors;
    std::vector<std::string> changes;
    bool listening = false;
};

} // namespace fw_unit

#endif
