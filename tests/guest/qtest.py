# SPDX-License-Identifier: GPL-2.0-or-later
"""A hand on the machine's bus while the guest runs: QEMU's qtest protocol beside TCG.

Tests use it to break the port behind the driver's back, which healthy hardware
never does. Protocol: docs/devel/testing/qtest.rst in QEMU's source.
"""

from __future__ import annotations

import socket

MCDMA = 0x80030000
S2MM = 0x500


class Bus:
    """One connection; give `arguments` and `fd` to the emulator before it starts."""

    def __init__(self) -> None:
        self._end, self._theirs = socket.socketpair()
        self._end.settimeout(20)
        self._lines = self._end.makefile("r")
        self.fd = self._theirs.fileno()
        self.arguments = (
            "-chardev", f"socket,id=bus,fd={self.fd}", "-qtest", "chardev:bus",
            "-qtest-log", "none",
        )  # fmt: skip

    def close(self) -> None:
        """Ends the connection; the guest goes on."""
        self._lines.close()
        self._end.close()
        self._theirs.close()

    def _ask(self, command: str) -> list[str]:
        self._end.sendall(command.encode() + b"\n")
        while line := self._lines.readline():
            words = line.split()
            if words and words[0] == "OK":
                return words[1:]
            if words and words[0] in ("FAIL", "ERR"):
                break
        raise RuntimeError(f"qtest {command}: {line}")

    def readl(self, address: int) -> int:
        """A 32-bit read on the system bus."""
        return int(self._ask(f"readl {address:#x}")[0], 16)

    def writel(self, address: int, value: int) -> None:
        """A 32-bit write on the system bus."""
        self._ask(f"writel {address:#x} {value:#x}")

    def readq(self, address: int) -> int:
        """A 64-bit read on the system bus."""
        return int(self._ask(f"readq {address:#x}")[0], 16)
