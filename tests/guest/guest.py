# SPDX-License-Identifier: GPL-2.0-or-later
"""Small things the tests ask of a guest and of its peer."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.rig.console import PATIENCE
from tests.rig.peer import GUEST_ADDRESS, PEER_ADDRESS, TapPeer
from tests.rig.vm import Vm

SO_RCVBUFFORCE = 33  # <asm-generic/socket.h>; absent from Python's socket module

# Succeeds once the peer answers.
REACHED = f"for i in $(seq 50); do ping -c 1 -W 1 {PEER_ADDRESS} >/dev/null && exit 0; done; exit 1"

__all__ = [
    "GUEST_ADDRESS",
    "PEER_ADDRESS",
    "REACHED",
    "Background",
    "background",
    "counters",
    "facts",
    "flood",
    "gained",
    "leaks",
    "udp_socket",
]


def counters(vm: Vm, interface: str = "eth0") -> dict[str, int]:
    """`ethtool -S`, by name."""
    text = vm.run(f"ethtool -S {interface}").output
    return {
        name.strip(): int(value) for name, value in re.findall(r"^\s+(\S[^:]*): (\d+)$", text, re.M)
    }


def gained(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """What the counters that moved have gained."""
    return {
        name: after[name] - before.get(name, 0)
        for name in after
        if after[name] != before.get(name, 0)
    }


def facts(output: str) -> list[dict[str, object]]:
    """The JSON lines guest-udp printed."""
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


@dataclass
class Background:
    """A program running in the guest."""

    vm: Vm
    pid: int
    log: str
    _done: list[str] = field(default_factory=list)

    def output(self, timeout: float = 30) -> str:
        """Waits for its end and returns what it printed."""
        if not self._done:
            tries = int(timeout * PATIENCE * 10)
            self.vm.run(
                f"for i in $(seq {tries}); do kill -0 {self.pid} 2>/dev/null || exit 0; sleep 0.1; "
                f"done; cat {self.log}; kill {self.pid}; exit 1",
                timeout=timeout + 10,
            )
            self._done.append(self.vm.run(f"cat {self.log}").output)
        return self._done[0]

    def stop(self) -> None:
        """Ends it if it still runs."""
        self.vm.run(f"kill {self.pid} 2>/dev/null; true")


@contextmanager
def background(vm: Vm, command: str, ready: str = "ready") -> Iterator[Background]:
    """Starts command in the guest and waits until its output shows ready ("" does not wait)."""
    log = f"/tmp/background.{time.monotonic_ns()}"
    pid = int(vm.run(f"{command} >{log} 2>&1 </dev/null & echo $!").output.split()[-1])
    running = Background(vm, pid, log)
    try:
        if ready:
            # The first start of Python in a fresh guest compiles its library: slow on a busy host.
            vm.run(
                f"for i in $(seq 600); do grep -q {ready} {log} && exit 0; "
                f"kill -0 {pid} 2>/dev/null || break; sleep 0.1; done; cat {log}; exit 1",
                timeout=100,
            )
        yield running
    finally:
        running.stop()


def udp_socket(peer: TapPeer, port: int = 0, address: str = PEER_ADDRESS) -> socket.socket:
    """A UDP socket at the peer's end; ten seconds' patience."""
    made = peer.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
    made.bind((address, port))
    made.settimeout(10)
    return made


LEAKS = """mount -t debugfs none /sys/kernel/debug 2>/dev/null
cd /sys/kernel/debug 2>/dev/null && [ -e kmemleak ] || exit 0
sleep 6
echo scan >kmemleak
cat kmemleak"""


def leaks(vm: Vm) -> str:
    """What kmemleak has to report, where the kernel has it; the driver may be in or out.

    An object younger than five seconds is none yet.
    """
    return vm.run(LEAKS, 180).output.strip()


@contextmanager
def flood(peer: TapPeer, vm: Vm) -> Iterator[None]:
    """Datagrams in as fast as the peer can send them, and large sends out without end.

    A guest that is slow (PATIENCE) would do nothing but receive: it gets 600 a second.
    """
    stop = threading.Event()

    def send() -> None:
        with udp_socket(peer) as sock:
            while not stop.is_set():
                for port in (5101, 5102, 7777):
                    try:
                        sock.sendto(b"f" * 1400, (GUEST_ADDRESS, port))
                    except OSError:
                        stop.wait(0.01)
                if PATIENCE > 1:
                    stop.wait(0.005)

    peer.run(["ip", "neigh", "replace", GUEST_ADDRESS, "lladdr", "00:0a:35:00:22:01",
              "dev", "tap0"])  # fmt: skip
    thread = threading.Thread(target=send)
    thread.start()
    sender = (
        f"sh -c 'while :; do guest-udp gso --to {PEER_ADDRESS} --port 9 --total 60000 --gso 1400 "
        "|| sleep 0.1; done'"
    )
    try:
        with background(vm, sender, ready=""):
            yield
    finally:
        stop.set()
        thread.join()
        peer.run(["ip", "neigh", "del", GUEST_ADDRESS, "dev", "tap0"])
