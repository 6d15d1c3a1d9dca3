// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef XEOE_DMA_MCDMA_HPP
#define XEOE_DMA_MCDMA_HPP

#include "dma/mm2s.hpp"
#include "dma/s2mm.hpp"

namespace eoe {

/// AXI MCDMA (PG288): the register window over both directions, and the
/// interrupt lines. Work is done by mm2s and s2mm when the port says so.
class Mcdma {
public:
    Mcdma(const Config &config, Host &host, Faults &faults, std::span<std::uint8_t> tx_buffer,
          StreamFifo &rx);

    void reset();
    [[nodiscard]] std::uint32_t read(std::uint32_t offset);

    enum class Effect : std::uint8_t { none, reset };
    /// `reset`: the whole engine was reset and its reset outputs pulsed.
    [[nodiscard]] Effect write(std::uint32_t offset, std::uint32_t value);

    void run_delays(Nanos now);
    [[nodiscard]] Nanos deadline() const;
    /// Bring the interrupt lines to what the registers say.
    void update_irq();

    Mm2s mm2s;
    S2mm s2mm;

private:
    /// What an offset points at.
    struct Target {
        Dir dir = Dir::mm2s;
        bool common = false;
        unsigned channel = 0;
        const Reg *reg = nullptr;
    };

    [[nodiscard]] Target decode(std::uint32_t offset) const;
    [[nodiscard]] Direction &direction(Dir dir) { return dir == Dir::mm2s ? mm2s.d : s2mm.d; }
    [[nodiscard]] const Direction &direction(Dir dir) const {
        return dir == Dir::mm2s ? mm2s.d : s2mm.d;
    }
    [[nodiscard]] std::uint32_t read_common(const Target &target);
    [[nodiscard]] std::uint32_t read_channel(const Target &target);
    [[nodiscard]] Effect write_common(const Target &target, std::uint32_t value);
    void write_channel(const Target &target, std::uint32_t value);
    void write_control(const Target &target, std::uint32_t value);
    void write_current(const Target &target, std::uint32_t value);
    void write_tail(const Target &target, std::uint32_t value);
    [[nodiscard]] static std::uint32_t *storage(Direction &d, const Target &target);
    void drive(Dir dir, std::uint32_t &driven);

    Host &host_;
    Faults &faults_;
    bool single_intr_;
    std::uint32_t sg_cache_ = 0;
    std::uint32_t mm2s_lines_ = 0; ///< as last driven
    std::uint32_t s2mm_lines_ = 0;
};

} // namespace eoe

#endif
