# SPDX-License-Identifier: GPL-2.0-or-later
"""Fault rules of a running guest's port (docs/faults.md)."""

from __future__ import annotations

import re

from tests.rig.vm import Vm

PORT = "/machine/eoe-port0"


class Faults:
    """The rules of one port."""

    def __init__(self, vm: Vm, path: str = PORT) -> None:
        self.vm = vm
        self.path = path

    def add(self, rule: str) -> int:
        """Adds a rule; returns its number."""
        self.vm.qmp("qom-set", path=self.path, property="fault", value=rule)
        return max(self._lines())

    def clear(self, which: str = "all") -> None:
        """Removes the rule of that number, or all."""
        self.vm.qmp("qom-set", path=self.path, property="faults-clear", value=which)

    def fired(self, number: int) -> int:
        """How often a rule has fired."""
        return self._lines()[number]

    def _lines(self) -> dict[int, int]:
        text = str(self.vm.qmp("qom-get", path=self.path, property="faults"))
        return {int(n): int(f) for n, f in re.findall(r"^rule=(\d+) fired=(\d+) ", text, re.M)}
