# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs commands in the guest over its serial console.

All the guest needs is a root shell. Commands are sent base64 encoded, one line
each; the answer is framed by a word made for that one command, so output of any
kind, and kernel messages before it, cannot be mistaken for it.
"""

from __future__ import annotations

import base64
import itertools
import os
import re
import secrets
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path

# A serial port has no flow control towards the guest; its buffer is one page.
LINE_LIMIT = 3000
CHUNK = 2000
TAIL = 4000

# eoe_do NONCE SECONDS runs the script in /tmp/.eoe.c and frames what it prints.
SETUP = (
    "eoe_put() { echo \"$2\" | base64 -d >>/tmp/.eoe.c; printf '\\n@%s 0 0\\n\\n@%s.\\n' $1 $1; }",
    'eoe_do() { timeout "$2" sh /tmp/.eoe.c >/tmp/.eoe.o 2>&1 </dev/null; r=$?; rm -f /tmp/.eoe.c; '
    "printf '\\n@%s %d %d\\n' $1 $r $(wc -c </tmp/.eoe.o); cat /tmp/.eoe.o; "
    "printf '\\n@%s.\\n' $1; }",
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
        try:
            self._end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._end.close()
        self._thread.join(5)
        self._log.close()

    def tail(self) -> str:
        """What came last and has not been taken as an answer."""
        with self._changed:
            return self._buffer[-TAIL:].decode(errors="replace")

    def _wait(self, pattern: bytes, timeout: float, what: str) -> re.Match[bytes]:
        """Waits for pattern, drops everything up to its end, returns the match."""
        deadline = time.monotonic() + timeout
        compiled = re.compile(pattern)
        with self._changed:
            while True:
                found = compiled.search(self._buffer)
                if found:
                    copy = compiled.match(bytes(found.group(0)))
                    del self._buffer[: found.end()]
                    return copy or found
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
        return self._wait(pattern.encode(), timeout, f"waiting for {pattern}").group(0).decode(
            errors="replace"
        )

    def send(self, text: str) -> None:
        """Types text."""
        self._end.sendall(text.encode())

    def attach(self) -> None:
        """Makes the shell at the other end take commands from run()."""
        for line in SETUP:
            self.send(line + "\n")
        self.run("true", 20)

    def _frame(self, line: str, nonce: str, timeout: float, what: str) -> Result:
        self.send(line + "\n")
        head = self._wait(
            rb"\n@%s (\d+) (\d+)\r?\n" % nonce.encode(), timeout, what
        )
        status, length = int(head.group(1)), int(head.group(2))
        body = self._wait(
            rb"(?s).{%d}\r?\n@%s\.\r?\n" % (length, nonce.encode()), 20 + length / 50000, what
        ).group(0)
        return Result(status, body[:length].decode(errors="replace"))

    def _nonce(self) -> str:
        return f"{self._prefix}{next(self._numbers)}"

    def run(self, script: str, timeout: float = 30) -> Result:
        """Runs a shell script of any length; it is stopped in the guest after timeout seconds."""
        with self._lock:
            encoded = base64.b64encode(script.encode()).decode()
            for start in range(0, len(encoded), CHUNK):
                nonce = self._nonce()
                self._frame(
                    f"eoe_put {nonce} {encoded[start : start + CHUNK]}", nonce, 20, "sending a command"
                )
            nonce = self._nonce()
            what = script if len(script) < 200 else script[:200] + "..."
            return self._frame(f"eoe_do {nonce} {timeout:g}", nonce, timeout + 15, what)


def pair(log: Path) -> tuple[Console, int]:
    """A console and the file descriptor for the emulator's end; the caller closes the latter."""
    ours, theirs = socket.socketpair()
    number = os.dup(theirs.fileno())
    theirs.close()
    return Console(ours, log), number
