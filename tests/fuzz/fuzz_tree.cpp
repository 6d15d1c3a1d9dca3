// SPDX-License-Identifier: GPL-2.0-or-later
//
// libFuzzer target: any bytes as a device tree. Checked: what is accepted lies in the
// programmable logic and has a configuration in range, what is refused has a sentence.
// Start it with a corpus of real trees (build/dtb/*.dtb): random bytes are no tree.
#include "tree_capi.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    XtreePlacement placement;
    std::array<char, 64> error{}; // short: every sentence must be cut to fit
    if (!xtree_read(data, size, &placement, error.data(), error.size())) {
        require(error[0] != '\0' && error.back() == '\0');
        return 0;
    }
    require(placement.ports <= XTREE_MAX_PORTS);
    for (unsigned i = 0; i < placement.ports; ++i) {
        const XtreePort &port = placement.port[i];
        require(xtree_in_logic(XEOE_MAC, port.base[XEOE_MAC]));
        require(xtree_in_logic(XEOE_MCDMA, port.base[XEOE_MCDMA]));
        require(port.config.addr_width >= 32 && port.config.addr_width <= 64);
        require(port.config.num_s2mm_channels <= XEOE_MAX_CHANNELS);
        require(port.config.eoe_gro_ports <= XEOE_MAX_GRO_PORTS);
    }
    return 0;
}
