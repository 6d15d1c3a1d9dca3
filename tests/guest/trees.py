# SPDX-License-Identifier: GPL-2.0-or-later
"""Device trees made for a test: dts/ as it is, and text behind it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.rig.parts import TOP

DTS = TOP / "dts"

# A port's properties as text; a test replaces (or with None removes) some.
PORT: dict[str, str | None] = {
    "compatible": '"xlnx,xxv-ethernet-4.1", "xlnx,xxv-ethernet-1.0"',
    "reg": "<0x0 0x80020000 0x0 0x10000>, <0x0 0x80008000 0x0 0x8000>",
    "reg-names": '"mac", "eoe"',
    "interrupts": "<EOE_IRQ16(89)>, <EOE_IRQ16(90)>",
    "interrupt-names": "EOE_NAMES16(mm2s), EOE_NAMES16(s2mm)",
    "clocks": "<&pl_cpu_clk>, <&pl_clk>, <&pl_cpu_clk>",
    "clock-names": '"s_axi_aclk", "rx_core_clk", "dclk"',
    "axistream-connected": "<&eoe0_dma>",
    "local-mac-address": "[00 0a 35 00 22 01]",
    "phy-mode": '"10gbase-r"',
    "managed": '"in-band-status"',
    "xlnx,num-queues": "/bits/ 16 <16>",
    "xlnx,channel-ids": "EOE_IDS16",
    "xlnx,rxmem": "<0x8000>",
    "xlnx,has-hw-offload": "",
    "xlnx,tx-hw-offload": "<2>",
    "xlnx,rx-hw-offload": "<2>",
}


def port_node(name: str, changes: dict[str, str | None]) -> str:
    """A node for the bus: a port with changed properties."""
    lines = [f"\t{name}@80020000 {{"]
    for key, value in {**PORT, **changes}.items():
        if value is not None:
            lines.append(f"\t\t{key} = {value};" if value else f"\t\t{key};")
    return "\n".join([*lines, "\t};"])


def compile_tree(target: Path, more: str) -> Path:
    """The emulator's tree with more device tree source behind it, as target."""
    source = target.with_suffix(".dts")
    target.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(f'#include "zcu102-eoe.dts"\n{more}\n')
    text = subprocess.run(
        ["cpp", "-nostdinc", "-undef", "-D__DTS__", "-x", "assembler-with-cpp", "-I", str(DTS),
         str(source)],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    subprocess.run(
        ["dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", str(target), "-"],
        check=True, input=text, text=True,
    )  # fmt: skip
    return target
