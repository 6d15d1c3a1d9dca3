// SPDX-License-Identifier: GPL-2.0-or-later
//
// UG1200, node ids, capabilities and the calls on slave nodes.
#include "nodes.hpp"

#include <algorithm>

namespace zynqmp {

namespace {

constexpr std::array<const char *, kNodes> kNames = {
    "",           "APU",       "APU_0",    "APU_1",    "APU_2",      "APU_3",      "RPU",
    "RPU_0",      "RPU_1",     "PLD",      "FPD",      "OCM_BANK_0", "OCM_BANK_1", "OCM_BANK_2",
    "OCM_BANK_3", "TCM_0_A",   "TCM_0_B",  "TCM_1_A",  "TCM_1_B",    "L2",         "GPU_PP_0",
    "GPU_PP_1",   "USB_0",     "USB_1",    "TTC_0",    "TTC_1",      "TTC_2",      "TTC_3",
    "SATA",       "ETH_0",     "ETH_1",    "ETH_2",    "ETH_3",      "UART_0",     "UART_1",
    "SPI_0",      "SPI_1",     "I2C_0",    "I2C_1",    "SD_0",       "SD_1",       "DP",
    "GDMA",       "ADMA",      "NAND",     "QSPI",     "GPIO",       "CAN_0",      "CAN_1",
    "EXTERN",     "APLL",      "VPLL",     "DPLL",     "RPLL",       "IOPLL",      "DDR",
    "IPI_APU",    "IPI_RPU_0", "GPU",      "PCIE",     "PCAP",       "RTC",        "LPD",
    "VCU",        "IPI_RPU_1", "IPI_PL_0", "IPI_PL_1", "IPI_PL_2",   "IPI_PL_3",   "PL",
    "GEM_TSU",    "SWDT_0",    "SWDT_1",   "CSU",      "PJTAG",      "TRACE",      "TESTSCAN",
};

constexpr std::uint32_t kAllCapabilities = 0xF;
constexpr std::uint32_t kMostQos = 100;

// The caller, what it runs on and what nobody asks for: in use from the start.
constexpr bool in_use_at_boot(std::uint32_t node) {
    constexpr std::array<std::uint32_t, 23> list = {1,  2,  3,  4,  5,  10, 11, 12, 13, 14, 19, 49,
                                                    50, 52, 53, 54, 55, 56, 60, 62, 69, 73, 51};
    return std::find(list.begin(), list.end(), node) != list.end();
}

} // namespace

const char *node_name(std::uint32_t node) {
    return node < kNodes ? kNames[node] : "";
}

void Nodes::reset() {
    for (std::uint32_t node = 0; node < kNodes; ++node) {
        state_[node] = {};
        if (in_use_at_boot(node)) {
            state_[node] = {true, 1, 0, false};
        }
    }
}

bool Nodes::restore(const State &state) {
    for (const NodeState &node : state) {
        if (node.capabilities > kAllCapabilities || node.qos > kMostQos) {
            return false;
        }
    }
    state_ = state;
    return true;
}

bool Nodes::known(const char *call, std::uint32_t node) const {
    if (*node_name(node) == '\0') {
        host_.guest_errorf("%s: there is no node %u", call, node);
        return false;
    }
    return true;
}

Reply Nodes::request(std::uint32_t node, std::uint32_t capabilities, std::uint32_t qos) {
    if (!known("request_node", node)) {
        return Status::invalid_node;
    }
    if (capabilities > kAllCapabilities || qos > kMostQos) {
        host_.guest_errorf("request_node: %s, capabilities 0x%x, quality %u", node_name(node),
                           capabilities, qos);
        return Status::bad_argument;
    }
    if (state_[node].requested) {
        return Status::double_request;
    }
    state_[node].requested = true;
    state_[node].capabilities = static_cast<std::uint8_t>(capabilities);
    state_[node].qos = static_cast<std::uint8_t>(qos);
    host_.changedf("node %s requested, capabilities 0x%x", node_name(node), capabilities);
    return Status::success;
}

Reply Nodes::release(std::uint32_t node) {
    if (!known("release_node", node)) {
        return Status::invalid_node;
    }
    if (!state_[node].requested) {
        host_.guest_errorf("release_node: %s was not requested", node_name(node));
        return Status::no_access;
    }
    state_[node] = {};
    host_.changedf("node %s released", node_name(node));
    return Status::success;
}

Reply Nodes::set_requirement(std::uint32_t node, std::uint32_t capabilities, std::uint32_t qos) {
    if (!known("set_requirement", node)) {
        return Status::invalid_node;
    }
    if (capabilities > kAllCapabilities || qos > kMostQos) {
        host_.guest_errorf("set_requirement: %s, capabilities 0x%x, quality %u", node_name(node),
                           capabilities, qos);
        return Status::bad_argument;
    }
    if (!state_[node].requested) {
        host_.guest_errorf("set_requirement: %s was not requested", node_name(node));
        return Status::no_access;
    }
    state_[node].capabilities = static_cast<std::uint8_t>(capabilities);
    state_[node].qos = static_cast<std::uint8_t>(qos);
    host_.changedf("node %s capabilities 0x%x", node_name(node), capabilities);
    return Status::success;
}

Reply Nodes::set_wakeup_source(std::uint32_t node, std::uint32_t source, std::uint32_t enable) {
    if (!known("set_wakeup_source", node) || !known("set_wakeup_source", source)) {
        return Status::invalid_node;
    }
    if (enable > 1) {
        host_.guest_errorf("set_wakeup_source: enable is %u", enable);
        return Status::bad_argument;
    }
    state_[source].wakes = enable == 1;
    host_.changedf("node %s %s", node_name(source), enable ? "wakes" : "does not wake");
    return Status::success;
}

Reply Nodes::status(std::uint32_t node) const {
    if (!known("get_node_status", node)) {
        return Status::invalid_node;
    }
    const NodeState &found = state_[node];
    const bool powered = found.requested && found.capabilities != 0;
    return Reply::value(powered ? 1 : 0, found.capabilities, found.requested ? 1 : 0);
}

} // namespace zynqmp
