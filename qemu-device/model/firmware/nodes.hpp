// SPDX-License-Identifier: GPL-2.0-or-later
//
// Power nodes: who asked for what.
#ifndef ZYNQMP_FW_NODES_HPP
#define ZYNQMP_FW_NODES_HPP

#include "eemi.hpp"
#include "host.hpp"

#include <array>
#include <cstdint>

namespace zynqmp {

inline constexpr std::uint32_t kNodes = 77;

namespace node {
inline constexpr std::uint32_t sd_0 = 39;
inline constexpr std::uint32_t sd_1 = 40;
inline constexpr std::uint32_t eth_0 = 29;
inline constexpr std::uint32_t eth_3 = 32;
inline constexpr std::uint32_t rpu_0 = 7;
inline constexpr std::uint32_t rpu_1 = 8;
} // namespace node

/// Name of a node as UG1200 writes it; "" if there is none.
[[nodiscard]] const char *node_name(std::uint32_t node);

/// What the APU subsystem wants of a node.
struct NodeState {
    bool requested = false;
    std::uint8_t capabilities = 0; ///< bits: 0 access, 1 context, 2 wake-up, 3 unusable
    std::uint8_t qos = 0;          ///< percent
    bool wakes = false;            ///< source of a wake-up
};

class Nodes {
public:
    using State = std::array<NodeState, kNodes>;

    explicit Nodes(Host &host) : host_(host) { reset(); }

    /// What the boot loader leaves: processors, memory and interconnect in use.
    void reset();

    Reply request(std::uint32_t node, std::uint32_t capabilities, std::uint32_t qos);
    Reply release(std::uint32_t node);
    Reply set_requirement(std::uint32_t node, std::uint32_t capabilities, std::uint32_t qos);
    Reply set_wakeup_source(std::uint32_t node, std::uint32_t source, std::uint32_t enable);
    /// Status (0 off, 1 on), capabilities asked for, and use (0 nobody, 1 the caller).
    [[nodiscard]] Reply status(std::uint32_t node) const;

    /// Whether the node may be named in a call; complains if not.
    [[nodiscard]] bool known(const char *call, std::uint32_t node) const;

    [[nodiscard]] const State &state() const { return state_; }
    [[nodiscard]] bool restore(const State &state);

private:
    Host &host_;
    State state_{};
};

} // namespace zynqmp

#endif
