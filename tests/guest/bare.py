# SPDX-License-Identifier: GPL-2.0-or-later
"""The machine with a program of a few instructions in place of an operating system.

It stores words where it is told to, then sleeps. Such a run does the same in every
detail each time, which no kernel does.
"""

from __future__ import annotations

import socket
import struct
import subprocess
from pathlib import Path

from tests.rig.parts import Parts
from tests.rig.peer import die_with_parent
from tests.rig.vm import Qmp

RAM = 0x400000  # what an image covers
TABLE = 0x10000
PROGRAM = (
    0xD2A00020,  # 00  mov x0, #TABLE
    0xA8C10801,  # 04  ldp x1, x2, [x0], #16
    0xB4000101,  # 08  cbz x1, 28
    0xF100043F,  # 0c  cmp x1, #1
    0x54000060,  # 10  b.eq 1c
    0xB9000022,  # 14  str w2, [x1]
    0x17FFFFFB,  # 18  b 04
    0xF1000442,  # 1c  subs x2, x2, #1
    0x54FFFFE1,  # 20  b.ne 1c
    0x17FFFFF8,  # 24  b 04
    0xD503207F,  # 28  wfi
    0x17FFFFFF,  # 2c  b 28
)

# AXI MCDMA (PG288) and what lies beside it; the second port is 0x40000 further on.
MAC, ENGINE, MCDMA, NEXT_PORT = 0x80020000, 0x80008000, 0x80030000, 0x40000
MM2S, S2MM = 0x000, 0x500
CCR, CHEN, ERR = 0x00, 0x08, 0x10
CR, CURDESC, TAILDESC = 0x00, 0x08, 0x10
RUN = 1
THRESHOLD_1 = 1 << 16
SOF, EOF, COMPLETE = 1 << 31, 1 << 30, 1 << 31
LENGTH = 0x03FFFFFF


def descriptor(following: int, buffer: int, control: int, app0: int = 0, app1: int = 0) -> bytes:
    """A descriptor nobody has used."""
    return struct.pack("<16I", following, 0, buffer, 0, 0, control, 0, 0, app0, app1, *[0] * 6)


class Image:
    """Memory as it is at the start, and what the program does."""

    def __init__(self) -> None:
        self.memory = bytearray(RAM)
        self.put(0, struct.pack(f"<{len(PROGRAM)}I", *PROGRAM))
        self._end = TABLE

    def put(self, address: int, content: bytes) -> None:
        """Places content in memory."""
        self.memory[address : address + len(content)] = content

    def _step(self, what: int, how: int) -> None:
        self.put(self._end, struct.pack("<QQ", what, how))
        self._end += 16

    def store(self, address: int, value: int) -> None:
        """The program's next step is to store a word."""
        self._step(address, value)

    def wait(self, rounds: int) -> None:
        """The program's next step is to count to a number, two instructions each."""
        self._step(1, rounds)

    def start(self, port: int, direction: int, channel: int, first: int) -> None:
        """The program's next steps start a channel at a descriptor."""
        base = MCDMA + port * NEXT_PORT + direction
        self.store(base + 0x40 * channel + CURDESC, first)
        self.store(base + 0x40 * channel + CR, THRESHOLD_1 | RUN)
        self.store(base + CCR, RUN)

    def kick(self, port: int, direction: int, channel: int, tail: int) -> None:
        """The program's next steps hand descriptors over; the upper half starts the channel."""
        register = MCDMA + port * NEXT_PORT + direction + 0x40 * channel + TAILDESC
        self.store(register, tail)
        self.store(register + 4, 0)


class Bare:
    """One run of an image. Use as a context manager."""

    def __init__(
        self,
        image: Image,
        directory: Path,
        machine: str = "xlnx-zcu102-eoe",
        arguments: tuple[str, ...] = (),
        pass_fds: tuple[int, ...] = (),
    ) -> None:
        self._memory = directory / "memory"
        self._log = directory / "qemu.log"
        ours, theirs = socket.socketpair()
        self._memory.write_bytes(image.memory)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    str(Parts().launcher), "-M", machine, "-accel", "tcg", "-m", "256M", "-nodefaults",
                    "-display", "none", "-audio", "none", "-d", "guest_errors",
                    "-device", f"loader,file={self._memory},addr=0,cpu-num=0,force-raw=on",
                    "-chardev", f"socket,id=qmp,fd={theirs.fileno()}",
                    "-mon", "chardev=qmp,mode=control", *arguments,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs.fileno(), *pass_fds),
                preexec_fn=die_with_parent,
            )  # fmt: skip
        theirs.close()
        self._qmp = Qmp(ours)

    def __enter__(self) -> Bare:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._qmp.close()

    def qmp(self, command: str, **arguments: object) -> object:
        """Runs a QMP command and returns what it answers."""
        return self._qmp.run(command, arguments)

    def memory(self) -> bytes:
        """What is in memory now."""
        self.qmp("pmemsave", val=0, size=RAM, filename=str(self._memory))
        return self._memory.read_bytes()

    def log(self) -> str:
        """What QEMU has said, mistakes of the program included."""
        return self._log.read_text(errors="replace")
