// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_EOE_EOE_HPP
#define XEOE_EOE_EOE_HPP

#include "eoe/rx.hpp"
#include "eoe/tx.hpp"

namespace eoe {

/// The Ethernet Offload Engine (PG451): its registers over the two halves.
class Eoe {
public:
    Eoe(const Config &config, Host &host, Faults &faults, std::span<std::uint8_t> tx_buffer,
        StreamFifo &rx_fifo);

    void reset();
    void stream_reset();
    [[nodiscard]] std::uint32_t read(std::uint32_t offset) const;
    void write(std::uint32_t offset, std::uint32_t value);

    EoeTx tx;
    EoeRx rx;

private:
    /// Register at `offset` and the GRO port (1-based) it belongs to, 0 for
    /// the common block; null where none is.
    [[nodiscard]] const Reg *decode(std::uint32_t offset, unsigned &k) const;
    [[nodiscard]] std::uint32_t read_port(unsigned k, std::uint32_t offset) const;
    void write_port(unsigned k, const Reg &reg, std::uint32_t value);
    void write_common_ctrl(std::uint32_t value);

    Host &host_;
};

} // namespace eoe

#endif
