# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of a run, and build/run.json."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from tests.rig.traffic import Row

NAMES = {"tx": "guest to host", "rx": "host to guest"}
HEADER = (
    "direction      ports  payload  offload    Mbit/s  datagrams      lost   syscalls  CPU busy"
)


def line(row: Row) -> str:
    """One row of the table."""
    return (
        f"{NAMES[row.direction]:13s}  {row.ports:5d}  {row.payload:7d}  "
        f"{'on' if row.offload else 'off':7s}  {row.mbps:8.1f}  {row.datagrams:9d}  "
        f"{row.lost:8d}  {row.syscalls:9d}  {row.cpu_busy:6.1f} %"
    )


@dataclass
class Report:
    """What a run was made of and what it measured."""

    qemu: str
    kernel: str
    driver: str
    boot_seconds: float
    rows: list[Row] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Writes the report as JSON; a reader never sees half of it."""
        content = {
            "qemu": self.qemu,
            "kernel": self.kernel,
            "driver": self.driver,
            "boot_seconds": round(self.boot_seconds, 2),
            "rows": [row.as_dict() for row in self.rows],
        }
        partial = path.with_suffix(".new")
        partial.write_text(json.dumps(content, indent=2) + "\n")
        partial.replace(path)
