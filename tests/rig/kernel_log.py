# SPDX-License-Identifier: GPL-2.0-or-later
"""What a kernel says when something is wrong, as arm64 spells it; the one place that knows."""

from __future__ import annotations

import re

_SIGNS = (
    # Any kernel: oopses, warnings, stalls.
    r"WARNING:",
    r"\bBUG:",
    r"kernel BUG at",
    r"Internal error",
    r"Oops",
    r"Unable to handle kernel",
    r"Kernel panic",
    r"Call trace:",
    r"SError Interrupt",
    r"Bad mode in",
    r"rcu:.*stall",
    r"rcu_\w+ (self-)?detected (expedited )?stall",
    r"soft lockup",
    r"hung task",
    r"blocked for more than",
    r"scheduling while atomic",
    r"bad: scheduling from the idle thread",
    r"irq \d+: nobody cared",
    r"unexpected.*IRQ",
    r"list_(add|del) corruption",
    r"Bad page state",
    # The network.
    r"NETDEV WATCHDOG",
    r"page_pool.*stalled",
    r"unregister_netdevice: waiting for",
    r"ref_tracker:",
    r"refcount_t",
    # Debug kernels. The name alone is no sign: each of them announces itself at boot.
    r"KASAN: ",
    r"UBSAN: ",
    r"ODEBUG: (?!selftest passed)",
    r"BUG \S+ \((Not t|T)ainted",  # SLUB
    r"Objects remaining in",
    r"kmemleak: \d+ new suspected memory leaks",
    r"unreferenced object 0x",
    r"DMA-API: (?!preallocated|debugging (enabled|disabled))",
    r"possible (circular locking|recursive locking|irq lock inversion)",
    r"inconsistent lock state",
    r"HARDIRQ-safe -> HARDIRQ-unsafe|SOFTIRQ-safe -> SOFTIRQ-unsafe",
    r"held lock freed",
    r"lock held when returning to user space",
    r"bad unlock balance",
    r"Invalid wait context",
    r"suspicious RCU usage",
    r"DEBUG_LOCKS_WARN_ON",
    r"MAX_LOCKDEP_\w+ too low",
    r"sleeping function called from invalid context",
)
REPORT = re.compile("|".join(_SIGNS))


def reports(dmesg: str) -> list[str]:
    """Lines of a kernel log that no healthy run has."""
    return [line for line in dmesg.splitlines() if REPORT.search(line)]
