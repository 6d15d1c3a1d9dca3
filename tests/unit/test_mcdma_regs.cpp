// SPDX-License-Identifier: GPL-2.0-or-later
//
// The MCDMA's registers as numbers: reset values, masks, clearing by read, and
// what a reset leaves of them. Expectations are literals, not the model's table.
#include "harness.hpp"

#include <cstring>

namespace {

using namespace unit;

struct Row {
    std::uint32_t offset, reset, writable;
};

// CCR is left out of the write test: its bits act.
constexpr Row kCommon[] = {
    {0x000, 0, 0}, {0x004, 1, 0},      {0x008, 0, 0xFFFF},     {0x00C, 0, 0},
    {0x010, 0, 0}, {0x014, 0, 0x3},    {0x018, 0, 0xFFFFFFFF}, {0x01C, 0, 0xFFFFFFFF},
    {0x020, 0, 0}, {0x024, 3, 0x0F0F}, {0x028, 0, 0},          {0x4B0, 0, 0x000F000F},
    {0x500, 0, 0}, {0x504, 1, 0},      {0x508, 0, 0xFFFF},     {0x50C, 0, 0},
    {0x510, 0, 0}, {0x514, 0, 0},      {0x518, 0, 0},          {0x51C, 3, 0x0F0F},
    {0x520, 0, 0},
};

// Of a channel; 40 address bits.
constexpr Row kMm2sChannel[] = {
    {0x00, 0x00010000, 0xFFFF00E9}, {0x04, 1, 0},    {0x08, 0, 0xFFFFFFC0}, {0x0C, 0, 0xFF},
    {0x10, 0, 0xFFFFFFC0},          {0x14, 0, 0xFF}, {0x18, 0, 0},
};
constexpr Row kS2mmChannel[] = {
    {0x00, 0x00010000, 0xFFFFFFF9}, {0x04, 1, 0},    {0x08, 0, 0xFFFFFFC0}, {0x0C, 0, 0xFF},
    {0x10, 0, 0xFFFFFFC0},          {0x14, 0, 0xFF}, {0x18, 0, 0},          {0x1C, 0, 0},
};

template <typename Check> void every_register(Check check) {
    for (const Row &row : kCommon) {
        check(row);
    }
    for (unsigned n = 1; n <= 16; ++n) {
        for (Row row : kMm2sChannel) {
            row.offset += mm2s(n);
            check(row);
        }
        for (Row row : kS2mmChannel) {
            row.offset += s2mm(n);
            check(row);
        }
    }
}

void reset_values(void **) {
    Machine m;
    every_register([&](const Row &row) { assert_int_equal(m.dma(row.offset), row.reset); });
    assert_int_equal(m.errors.size(), 0);
}

void only_documented_bits_can_be_written(void **) {
    Machine m;
    every_register([&](const Row &row) {
        if (row.offset % 0x500 == 0) {
            return;
        }
        // CR.RS locks CURDESC and is tested elsewhere.
        const bool is_cr = row.writable == 0xFFFF00E9 || row.writable == 0xFFFFFFF9;
        const std::uint32_t ones = is_cr ? 0xFFFFFFFE : 0xFFFFFFFF;
        m.dma(row.offset, ones);
        if (row.writable != 0) {
            assert_int_equal(m.dma(row.offset), ones & row.writable);
            m.dma(row.offset, 0);
            assert_int_equal(m.dma(row.offset), 0);
        } else if (row.reset != m.dma(row.offset)) {
            // SR shows the reloaded packet counter after CR was written
            assert_int_equal(m.dma(row.offset) & 0xFFFF, row.reset);
        }
    });
}

void reset_through_either_half_restores_everything(void **) {
    for (const std::uint32_t ccr : {kMm2sCcr, kS2mmCcr}) {
        Machine m;
        every_register([&](const Row &row) {
            if (row.writable != 0) {
                m.dma(row.offset, 0xFFFFFFFF);
            }
        });
        m.dma(kMm2sCcr, 1);
        m.dma(kS2mmCcr, 1);
        m.dma(ccr, 5);
        every_register([&](const Row &row) { assert_int_equal(m.dma(row.offset), row.reset); });
        m.settle();
        assert_int_equal(m.descriptor_reads, 0);
    }
}

void reset_through_mm2s_stops_a_running_s2mm(void **) {
    Machine m;
    const Ring ring = rx_ring(m);
    ring.receive();
    start_rx(m, 1, ring, 15);
    m.dma(kMm2sCcr, 4);
    assert_int_equal(m.dma(kS2mmCsr), 1);
    assert_int_equal(m.dma(kS2mmChen), 0);
    assert_int_equal(m.dma(s2mm(1, kCr)), 0x00010000);
    assert_int_equal(m.dma(s2mm(1, kCur)), 0);
    assert_int_equal(m.dma(s2mm(1, kTail)), 0);
    assert_true(deliver(m, plain_frame(64)));
    assert_int_equal(ring.get(0, 0x18), 0);
}

void narrow_build_has_no_upper_halves(void **) {
    eoe::Config config = eoe::default_config();
    config.addr_width = 32;
    Machine m(config);
    for (const std::uint32_t offset :
         {mm2s(1, 0x0C), mm2s(1, 0x14), s2mm(16, 0x0C), s2mm(16, 0x14)}) {
        m.dma(offset, 0xFFFFFFFF);
        assert_int_equal(m.dma(offset), 0);
    }
}

void widest_build_has_whole_upper_halves(void **) {
    eoe::Config config = eoe::default_config();
    config.addr_width = 64;
    Machine m(config);
    m.dma(mm2s(1, 0x0C), 0xFFFFFFFF);
    assert_int_equal(m.dma(mm2s(1, 0x0C)), 0xFFFFFFFF);
}

void channels_that_are_not_built(void **) {
    eoe::Config config = eoe::default_config();
    config.num_mm2s_channels = 2;
    config.num_s2mm_channels = 3;
    config.eoe_gro_ports = 2;
    Machine m(config);
    m.dma(kMm2sChen, 0xFFFF);
    assert_int_equal(m.dma(kMm2sChen), 0x3);
    m.dma(kS2mmChen, 0xFFFF);
    assert_int_equal(m.dma(kS2mmChen), 0x7);
    m.dma(mm2s(3, kCr), 0xFFFFFFFF);
    assert_int_equal(m.dma(mm2s(3, kCr)), 0);
    assert_int_equal(m.dma(mm2s(3, kSr)), 0);
    assert_int_equal(m.dma(s2mm(3, kSr)), 1);
    assert_int_equal(m.dma(s2mm(4, kSr)), 0);
    assert_true(!m.errors.empty());
}

void every_offset_answers(void **) {
    Machine m;
    for (std::uint32_t offset = 0; offset < XEOE_MCDMA_WINDOW; offset += 4) {
        (void)m.dma(offset);
        m.dma(offset, 0xFFFFFFFF);
        m.dma(offset, 0);
        m.settle();
    }
}

void unaligned_pointers_are_cut_and_logged(void **) {
    Machine m;
    m.dma(mm2s(1, kCur), 0x1000007F);
    assert_int_equal(m.dma(mm2s(1, kCur)), 0x10000040);
    m.dma(mm2s(1, kTail), 0x100000BF);
    assert_int_equal(m.dma(mm2s(1, kTail)), 0x10000080);
    assert_int_equal(m.errors.size(), 2);
}

void common_run_bit(void **) {
    Machine m;
    for (const std::uint32_t base : {0x000U, 0x500U}) {
        m.dma(base, 1);
        assert_int_equal(m.dma(base), 1);
        assert_int_equal(m.dma(base + 4) & 1, 0);
        m.dma(base, 0);
        assert_int_equal(m.dma(base), 0);
        assert_int_equal(m.dma(base + 4), 1);
        m.dma(base, 4); // reads back as done at once
        assert_int_equal(m.dma(base), 0);
    }
}

void read_only_registers_ignore_writes(void **) {
    Machine m;
    for (const std::uint32_t offset : {0x04U, 0x0CU, 0x10U, 0x20U, 0x28U, 0x514U, mm2s(1, 0x18)}) {
        const std::uint32_t before = m.dma(offset);
        m.dma(offset, 0xFFFFFFFF);
        assert_int_equal(m.dma(offset), before);
    }
    assert_int_equal(m.errors.size(), 7);
    assert_non_null(std::strstr(m.errors[0].c_str(), "0x004"));
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(reset_values),
        cmocka_unit_test(only_documented_bits_can_be_written),
        cmocka_unit_test(reset_through_either_half_restores_everything),
        cmocka_unit_test(reset_through_mm2s_stops_a_running_s2mm),
        cmocka_unit_test(narrow_build_has_no_upper_halves),
        cmocka_unit_test(widest_build_has_whole_upper_halves),
        cmocka_unit_test(channels_that_are_not_built),
        cmocka_unit_test(every_offset_answers),
        cmocka_unit_test(unaligned_pointers_are_cut_and_logged),
        cmocka_unit_test(common_run_bit),
        cmocka_unit_test(read_only_registers_ignore_writes),
    };
    return unit::run_group("mcdma_regs", tests);
}
