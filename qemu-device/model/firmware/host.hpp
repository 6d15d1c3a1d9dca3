// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the firmware needs from the machine around it.
#ifndef ZYNQMP_FW_HOST_HPP
#define ZYNQMP_FW_HOST_HPP

namespace zynqmp {

/// How far a shutdown call goes.
enum class Shutdown { power_off, restart };

class Host {
public:
    Host() = default;
    Host(const Host &) = delete;
    Host &operator=(const Host &) = delete;
    virtual ~Host() = default;

    /// Switch the machine off or restart it. May return before that has happened.
    virtual void shutdown(Shutdown what) = 0;
    /// The guest broke a rule of the interface; one line of text.
    virtual void guest_error(const char *text) = 0;
    /// A power domain, reset, clock or pin changed; one line of text. Called
    /// only while wants_changes() says so.
    virtual void changed(const char *text) = 0;
    [[nodiscard]] virtual bool wants_changes() const = 0;

    /// guest_error() and changed() with a format; the text is cut at 200 bytes.
    [[gnu::format(printf, 2, 3)]] void guest_errorf(const char *format, ...);
    [[gnu::format(printf, 2, 3)]] void changedf(const char *format, ...);
};

} // namespace zynqmp

#endif
