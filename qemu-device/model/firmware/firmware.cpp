// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which call is answered by whom. Function ids and argument packing: SMC Calling
// Convention (ARM DEN 0028) and UG1200, "EEMI API over SMC"; what is not answered gets
// "no feature", which every client takes for an older firmware.
#include "firmware.hpp"

#include <algorithm>

namespace zynqmp {

namespace {

// Function id: bits 15..12 choose the service, bits 11..0 the call.
constexpr std::uint32_t kServiceMask = 0x00FFF000;
constexpr std::uint32_t kServiceFirmware = 0x0000;
constexpr std::uint32_t kServiceMailbox = 0x1000;
constexpr std::uint32_t kCallMask = 0x0FFF;
constexpr std::uint64_t kUnknownFunction = ~std::uint64_t{0};

// Calls on an inter-processor mailbox: open, release, status, notify,
// acknowledge, enable interrupt, disable interrupt (drivers/mailbox/zynqmp-ipi-mailbox.c).
constexpr std::uint32_t kMailboxCalls = 7;

// General service queries of the calling convention.
constexpr std::uint32_t kServiceUid = 0x8200FF01;
constexpr std::uint32_t kServiceVersion = 0x8200FF03;
// 0.1: calls have no pass-through form; Linux 6.18 and later ask.
constexpr std::uint64_t kServiceMinor = 1;
// The identity Trusted Firmware-A gives this service on ZynqMP.
constexpr SmcReply kUid = {0x2A1B9B5C, 0x40238605, 0x25B91BA6, 0xA5E32D82};

constexpr std::uint32_t kFpgaDone = 1U << 3;
constexpr std::uint32_t kFpgaInitialised = 1U << 2;

SmcReply pack(const Reply &reply) {
    const auto pair = [&reply](std::size_t i) {
        return reply.word[i] | std::uint64_t{reply.word[i + 1]} << 32;
    };
    return {pair(0), pair(2), 0, 0};
}

} // namespace

/// One row a call: who answers, which version feature_check reports.
struct Firmware::Call {
    Api api;
    std::uint32_t version;
    Handler handler;
};

// Version 2: pins can be tri-stated; queries and ioctls report which ids they know.
const Firmware::Call Firmware::kCalls[] = {
    {Api::get_api_version, 1, &Firmware::api_version},
    {Api::set_configuration, 1, &Firmware::accept},
    {Api::get_node_status, 1, &Firmware::node_status},
    {Api::register_notifier, 1, &Firmware::register_notifier},
    {Api::set_wakeup_source, 1, &Firmware::set_wakeup_source},
    {Api::system_shutdown, 1, &Firmware::system_shutdown},
    {Api::request_node, 1, &Firmware::request_node},
    {Api::release_node, 1, &Firmware::release_node},
    {Api::set_requirement, 1, &Firmware::set_requirement},
    {Api::reset_assert, 1, &Firmware::reset_assert},
    {Api::reset_get_status, 1, &Firmware::reset_status},
    {Api::mmio_write, 1, &Firmware::mmio_write},
    {Api::mmio_read, 1, &Firmware::mmio_read},
    {Api::init_finalize, 1, &Firmware::accept},
    {Api::fpga_get_status, 1, &Firmware::fpga_status},
    {Api::get_chipid, 1, &Firmware::chip_id},
    {Api::pinctrl_request, 1, &Firmware::pin_request},
    {Api::pinctrl_release, 1, &Firmware::pin_release},
    {Api::pinctrl_get_function, 1, &Firmware::pin_function},
    {Api::pinctrl_set_function, 1, &Firmware::pin_set_function},
    {Api::pinctrl_config_param_get, 1, &Firmware::pin_parameter},
    {Api::pinctrl_config_param_set, 2, &Firmware::pin_set_parameter},
    {Api::ioctl, 2, &Firmware::ioctl},
    {Api::query_data, 2, &Firmware::query_data},
    {Api::clock_enable, 1, &Firmware::clock_enable},
    {Api::clock_disable, 1, &Firmware::clock_disable},
    {Api::clock_getstate, 1, &Firmware::clock_state},
    {Api::clock_setdivider, 1, &Firmware::clock_set_divider},
    {Api::clock_getdivider, 1, &Firmware::clock_divider},
    {Api::clock_setparent, 1, &Firmware::clock_set_parent},
    {Api::clock_getparent, 1, &Firmware::clock_parent},
    {Api::pll_set_parameter, 1, &Firmware::pll_set_parameter},
    {Api::pll_get_parameter, 1, &Firmware::pll_parameter},
    {Api::pll_set_mode, 1, &Firmware::pll_set_mode},
    {Api::pll_get_mode, 1, &Firmware::pll_mode},
    {Api::feature_check, 2, &Firmware::feature_check},
    {Api::set_suspend_mode, 1, &Firmware::set_suspend_mode},
    {Api::get_trustzone_version, 1, &Firmware::trustzone_version},
    {Api::get_callback_data, 1, &Firmware::accept},
};

const Firmware::Call *Firmware::find(Api api) {
    const auto *const at = std::find_if(std::begin(kCalls), std::end(kCalls),
                                        [api](const Call &call) { return call.api == api; });
    return at == std::end(kCalls) ? nullptr : at;
}

Firmware::Firmware(const Identity &identity, Host &host) : identity_(identity), host_(host) {
    reset(true);
}

void Firmware::reset(bool power_on) {
    registers_.reset(power_on);
    registers_.write(reg::csu_idcode, ~0U, identity_.idcode);
    registers_.write(reg::csu_version, ~0U, identity_.version);
    registers_.write(reg::crl_boot_mode, 0xF, identity_.boot_mode);
    pins_.reset();
    nodes_.reset();
    resets_.reset();
    ioctls_.reset();
    suspend_mode_ = 0;
    shutdown_scope_ = 0;
}

SmcReply Firmware::smc(const SmcArgs &args) {
    const auto id = static_cast<std::uint32_t>(args[0]);
    const std::uint32_t number = id & kCallMask;
    if ((id & kServiceMask) == kServiceFirmware) {
        const auto low = [&args](std::size_t i) { return static_cast<std::uint32_t>(args[i]); };
        const auto high = [&args](std::size_t i) {
            return static_cast<std::uint32_t>(args[i] >> 32);
        };
        return pack(
            call(static_cast<Api>(number), {low(1), high(1), low(2), high(2), low(3), high(3)}));
    }
    if ((id & kServiceMask) == kServiceMailbox && number < kMailboxCalls) {
        // The mailbox exists, and never has a message.
        return {};
    }
    if (id == kServiceVersion) {
        return {0, kServiceMinor, 0, 0};
    }
    if (id == kServiceUid) {
        return kUid;
    }
    host_.guest_errorf("secure monitor call 0x%08x is unknown", id);
    return {kUnknownFunction, 0, 0, 0};
}

Reply Firmware::call(Api api, const Args &args) {
    const Call *found = find(api);
    if (!found) {
        // Asking and getting no answer is how clients find out, so no complaint.
        return Status::no_feature;
    }
    return (this->*found->handler)(args);
}

// ---- Versions and features ----------------------------------------------------

Reply Firmware::api_version(const Args &) {
    return Reply::value(kApiVersion);
}

Reply Firmware::trustzone_version(const Args &) {
    return Reply::value(kTrustzoneVersion);
}

Reply Firmware::chip_id(const Args &) {
    return Reply::value(identity_.idcode, identity_.version);
}

Reply Firmware::feature_check(const Args &args) {
    const Call *found = find(static_cast<Api>(args[0]));
    if (!found) {
        return Status::no_feature;
    }
    if (found->api == Api::ioctl) {
        const auto mask = Ioctls::supported();
        return Reply::value(found->version, mask[0], mask[1]);
    }
    if (found->api == Api::query_data) {
        constexpr auto first = static_cast<std::uint32_t>(Query::clock_name);
        constexpr auto last = static_cast<std::uint32_t>(Query::clock_max_divisor);
        return Reply::value(found->version, (1U << (last + 1)) - (1U << first));
    }
    return Reply::value(found->version);
}

Reply Firmware::query_data(const Args &args) {
    switch (static_cast<Query>(args[0])) {
    case Query::clock_name:
        return Clocks::name(args[1]);
    case Query::clock_topology:
        return clocks_.topology(args[1], args[2]);
    case Query::clock_fixed_factor:
        return clocks_.fixed_factor(args[1]);
    case Query::clock_parents:
        return clocks_.parents(args[1], args[2]);
    case Query::clock_attributes:
        return clocks_.attributes(args[1]);
    case Query::num_pins:
        return Reply::value(kPins);
    case Query::num_functions:
        return Reply::value(kFunctions);
    case Query::num_function_groups:
        return pins_.num_groups(args[1]);
    case Query::function_name:
        return Pins::name(args[1]);
    case Query::function_groups:
        return pins_.function_groups(args[1], args[2]);
    case Query::pin_groups:
        return pins_.pin_groups(args[1], args[2]);
    case Query::num_clocks:
        return Reply::value(kClocks);
    case Query::clock_max_divisor:
        return clocks_.max_divisor(args[1], args[2]);
    }
    host_.guest_errorf("query_data: there is no query %u", args[0]);
    return Status::bad_argument;
}

// ---- System -------------------------------------------------------------------

Reply Firmware::accept(const Args &) {
    return Status::success;
}

Reply Firmware::register_notifier(const Args &args) {
    // Nodes do not change by themselves here, so nobody is ever called back.
    return nodes_.known("register_notifier", args[0]) ? Status::success : Status::invalid_node;
}

Reply Firmware::set_suspend_mode(const Args &args) {
    if (args[0] > 1) {
        host_.guest_errorf("set_suspend_mode: there is no mode %u", args[0]);
        return Status::bad_argument;
    }
    suspend_mode_ = args[0];
    return Status::success;
}

Reply Firmware::system_shutdown(const Args &args) {
    enum : std::uint32_t { power_off, restart, set_scope };
    constexpr std::uint32_t scopes = 3; // subsystem, processing system, system
    if (args[0] > set_scope || args[1] >= scopes) {
        host_.guest_errorf("system_shutdown: type %u, scope %u", args[0], args[1]);
        return Status::bad_argument;
    }
    if (args[0] == set_scope) {
        shutdown_scope_ = args[1];
    } else {
        host_.shutdown(args[0] == power_off ? Shutdown::power_off : Shutdown::restart);
    }
    return Status::success;
}

Reply Firmware::fpga_status(const Args &) {
    // The emulated logic is always there.
    return Reply::value(kFpgaDone | kFpgaInitialised);
}

Reply Firmware::mmio_read(const Args &args) {
    if (!Registers::find({args[0]})) {
        host_.guest_errorf("mmio_read: 0x%08x is not open to guests", args[0]);
        return Status::no_access;
    }
    return Reply::value(registers_.read({args[0]}));
}

Reply Firmware::mmio_write(const Args &args) {
    const auto index = Registers::find({args[0]});
    const std::uint32_t writable = index ? register_table()[*index].writable : 0;
    if (writable == 0) {
        host_.guest_errorf("mmio_write: 0x%08x is not open to guests", args[0]);
        return Status::no_access;
    }
    registers_.write({args[0]}, args[1] & writable, args[2]);
    host_.changedf("register %s = 0x%08x", register_table()[*index].name,
                   registers_.read({args[0]}));
    return Status::success;
}

// ---- Calls that belong to one part ----------------------------------------------

Reply Firmware::node_status(const Args &args) {
    return nodes_.status(args[0]);
}
Reply Firmware::request_node(const Args &args) {
    return nodes_.request(args[0], args[1], args[2]);
}
Reply Firmware::release_node(const Args &args) {
    return nodes_.release(args[0]);
}
Reply Firmware::set_requirement(const Args &args) {
    return nodes_.set_requirement(args[0], args[1], args[2]);
}
Reply Firmware::set_wakeup_source(const Args &args) {
    return nodes_.set_wakeup_source(args[0], args[1], args[2]);
}
Reply Firmware::reset_assert(const Args &args) {
    return resets_.assert_reset(args[0], args[1]);
}
Reply Firmware::reset_status(const Args &args) {
    return resets_.status(args[0]);
}
Reply Firmware::pin_request(const Args &args) {
    return pins_.request(args[0]);
}
Reply Firmware::pin_release(const Args &args) {
    return pins_.release(args[0]);
}
Reply Firmware::pin_function(const Args &args) {
    return pins_.function(args[0]);
}
Reply Firmware::pin_set_function(const Args &args) {
    return pins_.set_function(args[0], args[1]);
}
Reply Firmware::pin_parameter(const Args &args) {
    return pins_.parameter(args[0], args[1]);
}
Reply Firmware::pin_set_parameter(const Args &args) {
    return pins_.set_parameter(args[0], args[1], args[2]);
}
Reply Firmware::clock_enable(const Args &args) {
    return clocks_.gate(args[0], true);
}
Reply Firmware::clock_disable(const Args &args) {
    return clocks_.gate(args[0], false);
}
Reply Firmware::clock_state(const Args &args) {
    return clocks_.state(args[0]);
}
Reply Firmware::clock_set_divider(const Args &args) {
    return clocks_.set_divider(args[0], args[1]);
}
Reply Firmware::clock_divider(const Args &args) {
    return clocks_.divider(args[0]);
}
Reply Firmware::clock_set_parent(const Args &args) {
    return clocks_.set_parent(args[0], args[1]);
}
Reply Firmware::clock_parent(const Args &args) {
    return clocks_.parent(args[0]);
}
Reply Firmware::pll_set_parameter(const Args &args) {
    return clocks_.set_pll_parameter(args[0], args[1], args[2]);
}
Reply Firmware::pll_parameter(const Args &args) {
    return clocks_.pll_parameter(args[0], args[1]);
}
Reply Firmware::pll_set_mode(const Args &args) {
    return clocks_.set_pll_mode(args[0], args[1]);
}
Reply Firmware::pll_mode(const Args &args) {
    return clocks_.pll_mode(args[0]);
}
Reply Firmware::ioctl(const Args &args) {
    return ioctls_.call(args[0], args[1], args[2], args[3]);
}

} // namespace zynqmp
