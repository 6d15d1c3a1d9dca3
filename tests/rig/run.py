# SPDX-License-Identifier: GPL-2.0-or-later
"""`make run`: boots the guest, moves traffic, prints the table, writes build/run.json."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.rig import report, signals
from tests.rig.console import GuestError
from tests.rig.parts import BUILD, Parts
from tests.rig.peer import PEER_ADDRESS, Peer
from tests.rig.traffic import Traffic, TrafficError, standard_cases
from tests.rig.vm import Vm


def say(text: str) -> None:
    """One line of progress."""
    print(text, flush=True)


@contextmanager
def progress(text: str) -> Iterator[None]:
    """Says text, and every five seconds for how long it has been going on."""
    say(text)
    done = threading.Event()
    start = time.monotonic()

    def tick() -> None:
        while not done.wait(5):
            say(f"  {time.monotonic() - start:.0f} s")

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def qemu_version(parts: Parts) -> str:
    """The emulator's version, as it says itself."""
    done = subprocess.run([parts.launcher, "--version"], capture_output=True, text=True)
    if done.returncode != 0:
        raise GuestError(done.stderr.strip() or "the emulator does not start")
    return done.stdout.splitlines()[0].removeprefix("QEMU emulator version ").strip()


def check_driver(vm: Vm) -> str:
    """The driver's name and version from ethtool; says why there is none."""
    info = vm.run("ethtool -i eth0", check=False)
    if info.status != 0:
        raise GuestError(f"no interface eth0 in the guest:\n{vm.dmesg()[-2000:]}")
    fields = dict(line.split(": ", 1) for line in info.output.splitlines() if ": " in line)
    return f"{fields.get('driver', '?')} {fields.get('version', '?')}"


def session(parts: Parts) -> bool:
    """One whole run; whether traffic has moved in every case."""
    qemu = qemu_version(parts)
    with Peer.create() as peer, Vm(peer=peer, parts=parts) as vm:
        say(f"peer: {peer.description}")
        with progress(f"booting on QEMU {qemu} (console: build/log/run/console.log)"):
            vm.wait_ready()
        assert vm.boot_seconds is not None
        kernel = vm.run("uname -r").output.strip()
        driver = check_driver(vm)
        say(f"guest is up after {vm.boot_seconds:.1f} s: Linux {kernel}, {driver}")
        ping = vm.run(f"ping -c 3 -i 0.2 -w 10 {PEER_ADDRESS}", check=False)
        if ping.status != 0:
            raise GuestError(f"the peer does not answer:\n{ping.output}")
        say("ping: " + ping.output.strip().splitlines()[-1])
        result = report.Report(qemu, kernel, driver, vm.boot_seconds)
        complete = measure_all(vm, peer, result)
        result.write(BUILD / "run.json")
        vm.poweroff()
    say(f"written: build/run.json ({len(result.rows)} rows)")
    return complete


def measure_all(vm: Vm, peer: Peer, result: report.Report) -> bool:
    """Runs every case, with a line of the table for each; whether all have moved traffic."""
    traffic = Traffic(vm, peer)
    traffic.prepare()
    say("\n" + report.HEADER)
    complete = True
    for case in standard_cases():
        try:
            row = traffic.measure(case)
        except (TrafficError, GuestError) as error:
            say(f"{case}: {error}")
            complete = False
            continue
        result.rows.append(row)
        say(report.line(row))
        if row.datagrams == 0:
            say("  no traffic has arrived")
            complete = False
    return complete


def main() -> int:
    """Exit status 0 only if every row of the table has traffic in it."""
    signals.end_cleanly()
    parts = Parts()
    missing = parts.missing()
    if missing:
        say("missing: " + ", ".join(map(str, missing)) + "; 'make all' builds them")
        return 1
    try:
        return 0 if session(parts) else 1
    except (GuestError, RuntimeError) as error:
        say(f"error: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
