# SPDX-License-Identifier: GPL-2.0-or-later
"""The recogniser of kernel reports, against lines as kernels print them. Needs no guest."""

from __future__ import annotations

import pytest

from tests.rig.kernel_log import reports

REPORTS = (
    "WARNING: CPU: 1 PID: 97 at net/core/page_pool.c:1012 page_pool_destroy+0x134/0x1a8",
    "WARNING: possible circular locking dependency detected",
    "WARNING: inconsistent lock state",
    "======================================================\nWARNING: suspicious RCU usage",
    "inconsistent {HARDIRQ-ON-W} -> {IN-HARDIRQ-W} usage.\n[ BUG: Invalid wait context ]",
    "BUG: KASAN: slab-use-after-free in eoe_poll+0x1c/0x40 [xilinx_axienet_eoe]",
    "KASAN: null-ptr-deref in range [0x0000000000000008-0x000000000000000f]",
    "BUG: sleeping function called from invalid context at mm/page_alloc.c:4720",
    "BUG: scheduling while atomic: swapper/0/0/0x00000002",
    "BUG kmalloc-64 (Not tainted): Right Redzone overwritten",
    "BUG kmalloc-2k (Tainted: G           O     ): Poison overwritten",
    "kernel BUG at lib/dynamic_queue_limits.c:99!",
    "Internal error: Oops: 0000000096000004 [#1] PREEMPT SMP",
    "Internal error: Oops - BUG: 00000000f2000800 [#1] SMP",
    "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000018",
    "Unable to handle kernel paging request at virtual address dfff800000000003",
    "SError Interrupt on CPU2, code 0x00000000be000011 -- SError",
    "Call trace:",
    "kmemleak: 2 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
    "unreferenced object 0xffff000003a1c400 (size 256):",
    "DMA-API: xilinx_axienet_eoe 80020000.ethernet: device driver failed to check map error"
    "[device address=0x0000000002b2a000] [size=1514 bytes] [mapped as single]",
    "DMA-API: xilinx_axienet_eoe 80020000.ethernet: cacheline tracking EEXIST, overlapping mappings"
    " aren't supported",
    "UBSAN: array-index-out-of-bounds in drivers/net/x.c:12:9",
    "UBSAN: shift-out-of-bounds in kernel-driver/desc.c:40:12",
    "ODEBUG: free active (active state 0) object: ffff0000 object type: timer_list hint: x+0x0/0x8",
    "refcount_t: underflow; use-after-free.",
    "page_pool_release_retry() stalled pool shutdown: id 9, 3 inflight 60 sec",
    "unregister_netdevice: waiting for eth0 to become free. Usage count = 2",
    "INFO: task ip:312 blocked for more than 120 seconds.",
    "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
    "rcu: INFO: rcu_sched self-detected stall on CPU",
    "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [ksoftirqd/0:14]",
    "NETDEV WATCHDOG: CPU: 0: transmit queue 0 timed out 5120 ms",
    "irq 47: nobody cared (try booting with the \"irqpoll\" option)",
    "list_del corruption. prev->next should be ffff0000031a2c08, but was dead000000000100",
    "BUG: Bad page state in process iperf3  pfn:04c1f",
    "BUG: MAX_LOCKDEP_CHAINS too low!",
    "WARNING: lock held when returning to user space!",
)

# What the same kernels say of themselves when all is well.
HEALTHY = (
    "kasan: KernelAddressSanitizer initialized (generic)",
    "kmemleak: Kernel memory leak detector initialized (mem pool available: 38241)",
    "kmemleak: Automatic memory scanning thread started",
    "DMA-API: preallocated 65536 debug entries",
    "DMA-API: debugging enabled by kernel config",
    "ODEBUG: selftest passed",
    "Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar",
    " memory used by lock dependency info: 7813 kB",
    "rcu: \tRCU lockdep checking is enabled.",
    "rcu: \tRCU event tracing is enabled.",
    "Running RCU self tests",
    "xilinx_axienet_eoe 80020000.ethernet eth0: Link is Up - 10Gbps/Full - flow control off",
    "rcu: Hierarchical SRCU implementation.",
    "audit: type=2000 audit(0.148:1): state=initialized audit_enabled=0 res=1",
)


@pytest.mark.parametrize("line", REPORTS)
def test_a_report_is_recognised(line: str) -> None:
    assert reports(f"[    3.1] a line before\n[    3.2] {line}\n[    3.3] and one behind\n")


@pytest.mark.parametrize("line", HEALTHY)
def test_a_healthy_line_is_no_report(line: str) -> None:
    assert not reports(f"[    0.1] {line}")
