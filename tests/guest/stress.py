# SPDX-License-Identifier: GPL-2.0-or-later
"""Everything at once, in an order a seed decides: `make stress MINUTES=10 SEED=1`.

Datagrams go both ways as fast as they can while the interface is reconfigured, unloaded,
unplugged and broken. Afterwards everything must be as it was at the start.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.guest.guest import (
    GUEST_ADDRESS,
    PEER_ADDRESS,
    REACHED,
    background,
    facts,
    flood,
    leaks,
    udp_socket,
)
from tests.rig import signals
from tests.rig.console import PATIENCE
from tests.rig.kernel_log import reports
from tests.rig.parts import BUILD, Parts
from tests.rig.peer import TAP, TapPeer, tap_possible
from tests.rig.traffic import Case, Traffic, TrafficError
from tests.rig.vm import Vm

BIND = "/sys/bus/platform/drivers/xilinx_axienet_eoe"
DEVICE = "80020000.ethernet"
PORT = "/machine/eoe-port0"
ADDRESS = f"ip address replace {GUEST_ADDRESS}/24 dev eth0 && ip link set eth0 up"
RELOAD = f"rmmod xilinx_axienet_eoe && load-driver && {ADDRESS}"
DEBUG = "/sys/kernel/debug"
DMA_API = f"{DEBUG}/dma-api"

# What it needs in the guest beside the tests' own program.
FILES: dict[str, Path | bytes] = {
    "usr/bin/guest-pools": Path(__file__).with_name("guest_pools.py")
}

# Lines that the injected faults bring about by themselves.
PROVOKED = re.compile("NETDEV WATCHDOG")
# A device that loses its clocks leaves its interrupt lines as they were. One that was up stays
# up, until the kernel gives up on it; a handler that finds the device gone can do nothing.
STUCK_LINE = re.compile(r"irq \d+: nobody cared|Call trace:")
# Afterwards the port may be this much slower: the emulator's speed is that of a busy host.
SLOWER = 0.5
TRIES = 4
# A ring of 512 pages is 2048 KiB.
FORGOTTEN_KIB = 2048
# The datagrams that are counted: in, and out in sends that the engine cuts.
SIZE = 1000
COUNTED = 400
ROUNDS = 5
SEGMENTS = 40

FRAME_FAULTS = ("drop", "corrupt-payload", "corrupt-checksum", "truncate", "duplicate")
BD_ERRORS = ("dma-internal", "sg-internal", "sg-slave", "sg-decode", "dma-slave", "dma-decode")
DIRECTIONS = ("rx", "tx")


def any_fault(rng: random.Random) -> str:
    """One rule of docs/faults.md; each ends by itself within two seconds."""
    way = f"dir={rng.choice(DIRECTIONS)}"
    kind = rng.choice((
        *(f"{frame},{way},probability=0.1,seed={rng.randrange(1, 1000)}" for frame in FRAME_FAULTS),
        "bad-fcs,count=50",
        *(f"bd-error,{way},error={error},count=1" for error in BD_ERRORS),
        f"irq-lost,{way},channel=1,count=2",
        f"irq-late,{way},channel=1,hold={rng.randrange(1, 50)}ms",
        f"irq-spurious,{way},channel=1,every=20ms",
        f"stall,{way},channel=1,hold={rng.randrange(10, 500)}ms,count=1",
        f"sync,{way},channel=1,count=100",
        "block-lock,hold=300ms",
        "dma-reset,hold=100ms",
        "gt-reset,hold=100ms",
        "gro-busy,hold=100ms",
    ))  # fmt: skip
    return f"kind={kind},for=1s"


class StressError(Exception):
    """Something is not as it was."""


def unaccounted(gained: dict[str, int], received: object, arrived: int) -> list[str]:
    """Where datagrams are missing, or too many: what counts() has gained, and both sockets."""
    holds = {
        "guest's socket": received == COUNTED * SIZE,
        "peer's socket": arrived == ROUNDS * SEGMENTS,
        "guest's UDP in": gained["in"] == COUNTED and gained["in lost"] == 0,
        "guest's UDP out": gained["out"] == ROUNDS,
        "cable to interface": gained["put on the cable"]
        == gained["received"] + gained["receive losses"],
        "interface to cable": gained["taken from the cable"] == gained["sent"],
    }
    return [name for name, true in holds.items() if not true]


class Stress:
    """One run against a guest that has the interface up."""

    def __init__(self, vm: Vm, peer: TapPeer, seed: int) -> None:
        self.vm = vm
        self.peer = peer
        self.rng = random.Random(seed)
        self.done: dict[str, int] = {}
        self.excused = 0
        # Kernel messages that have been taken out of the guest.
        self.log = ""
        self._broken_until = 0.0
        self._traffic = Traffic(vm, peer)
        self.actions: dict[str, Callable[[], None]] = {
            "down and up": lambda: self.guest("ip link set eth0 down && ip link set eth0 up"),
            "reload": lambda: self.guest(RELOAD),
            "rebind": self.rebind,
            "rings": self.rings,
            "queues": lambda: self.guest(f"ethtool -L eth0 combined {self.rng.randrange(5, 17)}"),
            "coalescing": self.coalescing,
            "features": self.features,
            "rules": self.rules,
            "mtu": lambda: self.guest(f"ip link set eth0 mtu {self.rng.choice((576, 1500, 4000))}"),
            "address": self.address,
            "cable": self.cable,
            "fault": self.fault,
            "gone": self.gone,
        }
        # A debug kernel can refuse memory.
        look = f"mount -t debugfs none {DEBUG} 2>/dev/null; [ -e {DEBUG}/failslab ]"
        if vm.run(look, check=False).status == 0:
            self.actions["no memory"] = self.no_memory

    # ---- what is done to it -------------------------------------------------

    def guest(self, script: str) -> None:
        """Runs script, which may only fail while a fault is at work."""
        result = self.vm.run(script, 60, check=False)
        if result.status == 0:
            return
        if time.monotonic() > self._broken_until:
            raise StressError(f"exit {result.status} from: {script}\n{result.output}")
        # It may have been stopped half-way, without an interface even.
        self.excused += 1
        self.clear()
        self.vm.run(f"rmmod xilinx_axienet_eoe 2>/dev/null; load-driver && {ADDRESS}", 60)

    def rebind(self) -> None:
        # Whatever an earlier step has left.
        self.guest(
            f"cd {BIND} && {{ [ ! -e {DEVICE} ] || echo {DEVICE} >unbind; }} && "
            f"echo {DEVICE} >bind && {ADDRESS}"
        )

    def rings(self) -> None:
        receive, transmit = (self.rng.choice((64, 100, 256, 512, 1024)) for _ in range(2))
        self.guest(f"ethtool -G eth0 rx {receive} tx {transmit}")

    def coalescing(self) -> None:
        usecs, frames = self.rng.randrange(10, 200), self.rng.randrange(1, 200)
        self.guest(f"ethtool -C eth0 rx-usecs {usecs} rx-frames {frames} tx-frames {frames}")

    def features(self) -> None:
        name = self.rng.choice(("tx-udp-segmentation", "gro", "tx"))
        self.guest(f"ethtool -K eth0 {name} {self.rng.choice(('on', 'off'))}")

    def rules(self) -> None:
        place = self.rng.randrange(1, 5)
        self.guest(
            f"ethtool -N eth0 delete {place} 2>/dev/null; "
            f"ethtool -N eth0 flow-type udp4 dst-port {5100 + place} loc {place}"
        )

    def address(self) -> None:
        other = f"10.10.0.{self.rng.randrange(10, 250)}/24"
        self.guest(f"ip address add {other} dev eth0 && ip address del {other} dev eth0")

    def cable(self) -> None:
        self.vm.qmp("set_link", name="net0", up=False)
        time.sleep(self.rng.uniform(0, 1))
        self.vm.qmp("set_link", name="net0", up=True)

    def fault(self) -> None:
        self._inject(any_fault(self.rng))

    def gone(self) -> None:
        self._inject("kind=gone")
        time.sleep(self.rng.uniform(0, 3))
        self._check_reports("gone", STUCK_LINE)
        # What is excused here is excused nowhere else.
        self.log += self.vm.run("dmesg -c").output
        self.clear()
        self.rebind()

    def _inject(self, rule: str) -> None:
        # Ends after one virtual second; the driver then has time to reset and start again.
        self._broken_until = time.monotonic() + 3 * PATIENCE
        self.vm.qmp("qom-set", path=PORT, property="fault", value=rule)

    def no_memory(self) -> None:
        """Every tenth allocation that may not wait fails, as those of the data path are."""
        self._broken_until = time.monotonic() + 3 * PATIENCE
        self.vm.run(
            f"cd {DEBUG} && for f in failslab fail_page_alloc; do echo Y >$f/ignore-gfp-wait && "
            "echo 0 >$f/verbose && echo 200 >$f/times && echo 10 >$f/probability || exit; done; "
            "[ ! -e fail_page_alloc/min-order ] || echo 0 >fail_page_alloc/min-order; sleep 1; "
            "echo 0 >failslab/probability; echo 0 >fail_page_alloc/probability"
        )

    def clear(self) -> None:
        """Takes all rules of faults away."""
        self.vm.qmp("qom-set", path=PORT, property="faults-clear", value="all")

    # ---- what is measured -----------------------------------------------------

    def emulator_seconds(self) -> float:
        """CPU time of the emulator so far: what else the host does is not in it."""
        fields = Path(f"/proc/{self.vm.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rate(self, direction: str) -> float:
        """Datagrams for each second of the emulator's CPU time."""
        case = Case(direction, 1, 1472, offload=True)
        for attempt in range(TRIES):
            start = self.emulator_seconds()
            try:
                row = self._traffic.measure(case, 2)
            except TrafficError:
                if attempt == TRIES - 1:
                    raise
                continue
            return row.datagrams / (self.emulator_seconds() - start)
        raise AssertionError("not reached")

    def rates(self) -> dict[str, float]:
        """Of both directions; the first receiving run also finds out what the guest takes."""
        return {way: self.rate(way) for way in ("rx", "rx", "tx")}

    def without_driver(self) -> tuple[int, int]:
        """Free KiB and page pools while the driver is out; it is back afterwards."""
        self.vm.run("rmmod xilinx_axienet_eoe && echo 3 >/proc/sys/vm/drop_caches && sleep 1")
        free = self.vm.run("awk '/^MemFree:/ { print $2 }' /proc/meminfo").output
        pools = self.vm.run("python3 /usr/bin/guest-pools", 60).output
        self.vm.run(f"load-driver && {ADDRESS}", 60)
        return int(free), int(pools)

    def dma_entries(self) -> int | None:
        """Mappings in use, where the kernel counts them: a debug kernel does."""
        read = f"mount -t debugfs none {DEBUG} 2>/dev/null; cat {DMA_API}/"
        result = self.vm.run(
            f"{read}nr_total_entries && cat {DMA_API}/num_free_entries", check=False
        )
        if result.status != 0:
            return None
        total, free = (int(word) for word in result.output.split())
        return total - free

    def counts(self) -> dict[str, int]:
        """Frames at the cable's far end, at the interface, and datagrams at the sockets."""
        names = ("rx_packets", "rx_dropped", "rx_errors", "rx_missed_errors", "tx_packets")
        read = self.vm.run(f"cd /sys/class/net/eth0/statistics && cat {' '.join(names)}").output
        near = dict(zip(names, map(int, read.split()), strict=True))
        (far,) = json.loads(self.peer.run(["ip", "-j", "-s", "link", "show", TAP]).stdout)
        lines = [
            line.split() for line in self.vm.run("cat /proc/net/snmp").output.splitlines()
            if line.startswith("Udp:")
        ]  # fmt: skip
        udp = dict(zip(lines[0][1:], map(int, lines[1][1:]), strict=True))
        return {
            "put on the cable": far["stats64"]["tx"]["packets"],
            "taken from the cable": far["stats64"]["rx"]["packets"],
            "received": near["rx_packets"],
            "receive losses": near["rx_dropped"] + near["rx_errors"] + near["rx_missed_errors"],
            "sent": near["tx_packets"],
            "in": udp["InDatagrams"],
            "in lost": udp["InErrors"],
            "out": udp["OutDatagrams"],
        }

    def check_counters(self) -> None:
        """A known number of datagrams each way, found again at every place they pass."""
        self.vm.run(REACHED, 60)
        self.vm.run("ethtool -S eth0 >/dev/null; sleep 0.5")
        before = self.counts()
        command = f"guest-udp recv --port 7777 --bytes {COUNTED * SIZE} --timeout 20"
        with udp_socket(self.peer) as sock, background(self.vm, command) as receiver:
            for number in range(COUNTED):
                sock.sendto(bytes(SIZE), (GUEST_ADDRESS, 7777))
                if number % 16 == 15:
                    time.sleep(0.02)
            seen = facts(receiver.output(60))[-1]
        with udp_socket(self.peer, 9000) as sock:
            self.vm.run(
                f"guest-udp gso --to {PEER_ADDRESS} --port 9000 --total {SEGMENTS * SIZE} "
                f"--gso {SIZE} --rounds {ROUNDS}"
            )
            arrived = 0
            with contextlib.suppress(TimeoutError):
                while arrived < ROUNDS * SEGMENTS:
                    arrived += len(sock.recv(2 * SIZE)) == SIZE
        self.vm.run("ethtool -S eth0 >/dev/null; sleep 0.5")
        after = self.counts()
        gained = {name: after[name] - before[name] for name in after}
        wrong = unaccounted(gained, seen["total"], arrived)
        if wrong:
            raise StressError(f"counters that do not add up: {', '.join(wrong)}: {gained}")

    # ---- the run ----------------------------------------------------------------

    def run(self, seconds: float) -> None:
        """Raises StressError, with what is wrong, or GuestError."""
        vm = self.vm
        self._traffic.prepare()
        vm.run(REACHED, 60)
        first = self.rates()
        # The kernel keeps what a flood needs once; only what comes on top is looked for.
        with flood(self.peer, vm):
            vm.run("sleep 3")
        (free, pools), mappings = self.without_driver(), self.dma_entries()
        vm.run("dmesg -c >/dev/null")
        say(f"before: {first} datagrams per CPU second, {free} KiB and {pools} "
            f"page pools without the driver, DMA mappings: "
            f"{'not counted by this kernel' if mappings is None else mappings}")  # fmt: skip

        try:
            with flood(self.peer, vm):
                self._shake(seconds)
        finally:
            self.clear()
            vm.qmp("set_link", name="net0", up=True)
        did = ", ".join(f"{name} {times}" for name, times in sorted(self.done.items()))
        say(f"{did}; {self.excused} stopped by a fault")
        self._broken_until = 0.0
        self.guest(
            "ip link set eth0 down && ip link set eth0 mtu 1500 && ethtool -L eth0 combined 16 && "
            "ethtool -G eth0 rx 256 tx 256 && ethtool -K eth0 tx on tx-udp-segmentation on gro on "
            "&& ethtool -C eth0 rx-usecs 50 rx-frames 16 tx-usecs 50 tx-frames 24 && ip link set eth0 up"
        )
        for place in range(1, 5):
            vm.run(f"ethtool -N eth0 delete {place}", check=False)
        vm.run(REACHED, 60)
        self._same_as(first, free, pools, mappings)

    def _shake(self, seconds: float) -> None:
        names = sorted(self.actions)
        end = time.monotonic() + seconds
        # Each once first, in an order of the seed's.
        queue = self.rng.sample(names, len(names))
        while queue or time.monotonic() < end:
            name = queue.pop() if queue else self.rng.choice(names)
            self.done[name] = self.done.get(name, 0) + 1
            self.actions[name]()
            time.sleep(self.rng.uniform(0, 0.3))
            self._check_reports(name)

    def _check_reports(self, name: str, excused: re.Pattern[str] = PROVOKED) -> None:
        """Whether the kernel has said what no healthy run has, faults or not."""
        bad = [
            line for line in reports(self.vm.dmesg())
            if not PROVOKED.search(line) and not excused.search(line)
        ]  # fmt: skip
        if bad:
            raise StressError(f"the kernel reported, after '{name}':\n" + "\n".join(bad))

    def _same_as(
        self, first: dict[str, float], free: int, pools: int, mappings: int | None
    ) -> None:
        self.check_counters()
        wrong = []
        again: dict[str, float] = {}
        for _ in range(TRIES):
            for way, figure in self.rates().items():
                again[way] = max(figure, again.get(way, 0.0))
            if all(again[way] >= SLOWER * first[way] for way in first):
                break
        else:
            wrong.append(f"traffic: {again} datagrams per CPU second, {first} at first")
        (free_now, pools_now), mappings_now = self.without_driver(), self.dma_entries()
        say(f"after: {again} datagrams per CPU second, {free_now} KiB and {pools_now} "
            f"page pools without the driver, DMA mappings: {mappings_now}")  # fmt: skip
        if free - free_now >= FORGOTTEN_KIB:
            wrong.append(f"{free - free_now} KiB less memory than at first")
        if pools_now != pools:
            wrong.append(f"{pools_now} page pools without the driver, {pools} at first")
        if mappings is not None and mappings_now != mappings:
            wrong.append(f"{mappings_now} DMA mappings in use, {mappings} at first")
        wrong += leaks(self.vm).splitlines()
        self._check_reports("the end")
        if wrong:
            raise StressError("\n".join(wrong))


def say(text: str) -> None:
    """One line of progress."""
    print(text, flush=True)


def main() -> int:
    """Boots a guest and runs for the time the command line says."""
    signals.end_cleanly()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    reason = tap_possible()
    if reason:
        say(f"error: needs a TAP device: {reason}")
        return 1
    seed = options.seed if options.seed is not None else secrets.randbelow(1 << 32)
    say(f"seed {seed}, {options.minutes:g} minutes (console: build/log/stress/console.log)")
    files: dict[str, Path | bytes] = {
        "usr/bin/guest-udp": Path(__file__).with_name("guest_udp.py"),
        **FILES,
    }
    with TapPeer() as peer, Vm(peer, Parts(), files=files, logs=BUILD / "log/stress") as vm:
        vm.wait_ready()
        stress = Stress(vm, peer, seed)
        try:
            stress.run(options.minutes * 60)
        except StressError as error:
            say(f"FAILED (seed {seed}): {error}")
            (BUILD / "log/stress/dmesg.log").write_text(stress.log + vm.dmesg())
            return 1
    say(f"passed (seed {seed})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
