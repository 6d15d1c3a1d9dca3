# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs commands in the guest over its serial console.

All the guest needs is a root shell. A command is sent as one line of plain characters;
its answer is framed by a word made for that one command, so output of any kind, and
kernel messages before it, cannot be mistaken for it.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# A serial port has no flow control towards the guest; its buffer is one page.
CHUNK = 2000
TAIL = 4000
LONGEST_MATCH = 200
# How many times as long a guest may take: a debug kernel's is slow.
PATIENCE = float(os.environ.get("EOE_PATIENCE", "1"))
# Bytes that printf %b and a quoted argument leave as they are.
PLAIN = set(
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-./=:,@{}()[]|&;$<>!+"
)

# eoe_put adds to the script, eoe_do SECONDS runs it and frames what it prints. Starting a
# program costs tens of milliseconds here, so this is all built-ins of any POSIX shell,
# but for what runs the script and shows its output.
SETUP = (
    "eoe_put() { printf '%b' \"$2\" >>/tmp/.eoe.c; }",
    'eoe_do() { timeout "$2" sh /tmp/.eoe.c >/tmp/.eoe.o 2>&1 </dev/null; r=$?; : >/tmp/.eoe.c; '
    "printf '\\n@%s:\\n' $1; cat /tmp/.eoe.o; printf '\\n@%s=%d\\n' $1 $r; }",
)


def escaped(script: str) -> str:
    """A script as an argument of printf %b: no quote, backslash or line end is left in it."""
    return "".join(
        chr(byte) if byte in PLAIN else f"\\0{byte:03o}" for byte in script.encode()
    )


class GuestError(Exception):
    """A command failed in the guest, or the guest did not do what it should."""


class GuestTimeout(GuestError):
    """The guest did not answer in time."""


class GuestDied(GuestError):
    """The emulator ended while an answer was expected."""


@dataclass(frozen=True)
class Result:
    """Exit status, and standard output and error together, of a command in the guest."""

    status: int
    output: str

    def __bool__(self) -> bool:
        return self.status == 0


class Console:
    """The host's end of the guest's serial console; everything received is logged."""

    def __init__(self, end: socket.socket, log: Path) -> None:
        self._end = end
        self._log = log.open("wb", buffering=0)
        self._buffer = bytearray()
        self._changed = threading.Condition()
        self._closed = False
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._prefix = secrets.token_hex(3)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while True:
            try:
                data = self._end.recv(65536)
            except OSError:
                data = b""
            with self._changed:
                if data:
                    self._log.write(data)
                    self._buffer += data
                else:
                    self._closed = True
                self._changed.notify_all()
            if not data:
                return

    def close(self) -> None:
        """Ends the connection."""
        with contextlib.suppress(OSError):
            self._end.shutdown(socket.SHUT_RDWR)
        self._end.close()
        self._thread.join(5)
        self._log.close()

    def tail(self) -> str:
        """What came last and has not been taken as an answer."""
        with self._changed:
            return self._buffer[-TAIL:].decode(errors="replace")

    def _wait(self, pattern: bytes, timeout: float, what: str) -> tuple[bytes, re.Match[bytes]]:
        """Waits for pattern, drops everything up to its end; returns what was before it, and it."""
        deadline = time.monotonic() + timeout * PATIENCE
        compiled = re.compile(pattern)
        searched = 0
        with self._changed:
            while True:
                found = compiled.search(self._buffer, searched)
                if found:
                    taken = bytes(self._buffer[: found.end()])
                    start = found.start()
                    # The match must not refer to the buffer, which is cut now.
                    del found
                    match = compiled.search(taken, searched)
                    del self._buffer[: len(taken)]
                    assert match
                    return taken[:start], match
                searched = max(0, len(self._buffer) - LONGEST_MATCH)
                left = deadline - time.monotonic()
                if self._closed:
                    raise GuestDied(f"the guest ended during: {what}\n{self._tail_locked()}")
                if left <= 0:
                    raise GuestTimeout(f"no answer in {timeout:g} s: {what}\n{self._tail_locked()}")
                self._changed.wait(left)

    def _tail_locked(self) -> str:
        return self._buffer[-TAIL:].decode(errors="replace")

    def wait_for(self, pattern: str, timeout: float) -> str:
        """Waits until the guest has printed pattern (a regular expression); returns it."""
        _, match = self._wait(pattern.encode(), timeout, f"waiting for {pattern}")
        return match.group(0).decode(errors="replace")

    def send(self, text: str) -> None:
        """Types text."""
        self._end.sendall(text.encode())

    def attach(self) -> None:
        """Makes the shell at the other end take commands from run()."""
        for line in SETUP:
            self.send(line + "\n")
        self.run("true", 20)

    def run(self, script: str, timeout: float = 30) -> Result:
        """Runs a shell script of any length; it is stopped in the guest after timeout seconds.

        Seconds are PATIENCE times as long.
        """
        with self._lock:
            nonce = f"{self._prefix}{next(self._numbers)}"
            mark = re.escape(f"@{nonce}".encode())
            what = script if len(script) < 200 else script[:200] + "..."
            pieces = [*_pieces(escaped(script), CHUNK)]
            for piece in pieces[:-1]:
                # One at a time: the answer says that the guest's buffer is empty again.
                self.send(f"eoe_put {nonce} '{piece}'; printf '\\n@%s+\\n' {nonce}\n")
                self._wait(rb"\n%s\+\r?\n" % mark, 20, what)
            self.send(f"eoe_put {nonce} '{pieces[-1]}'; eoe_do {nonce} {timeout * PATIENCE:g}\n")
            self._wait(rb"\n%s:\r?\n" % mark, timeout + 15, what)
            # The rest follows as fast as a serial port is.
            output, status = self._wait(rb"\r?\n%s=(\d+)\r?\n" % mark, 30, what)
            return Result(int(status.group(1)), output.decode(errors="replace"))


def _pieces(text: str, size: int) -> Iterator[str]:
    """Text in pieces of about size, none of which ends within an escape."""
    start = 0
    while start == 0 or start < len(text):
        end = start + size
        # An escape is at most five characters long.
        cut = text.rfind("\\", max(start, end - 4), end)
        if end < len(text) and cut > start:
            end = cut
        yield text[start:end]
        start = end


def pair(log: Path) -> tuple[Console, int]:
    """A console and the file descriptor for the emulator's end; the caller closes the latter."""
    ours, theirs = socket.socketpair()
    number = os.dup(theirs.fileno())
    theirs.close()
    return Console(ours, log), number
