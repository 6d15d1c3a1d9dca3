# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures UDP traffic between the guest and its peer with iperf3.

Every figure is counted where it happens: Mbit/s, datagrams and loss by the
receiving iperf3, system calls by the guest kernel's raw_syscalls tracepoint,
CPU time by the guest's /proc/stat over half the run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.rig.parts import Parts
from tests.rig.peer import PEER_ADDRESS, Peer
from tests.rig.vm import Vm

FIRST_PORT = 5101
# How long a case is measured; a whole run with its twelve cases is to take less than a minute.
SECONDS = int(os.environ.get("TIME") or 1)
# A run begins with setting the connection up; after that, CPU time is taken over this share.
SETTLE = 0.25
SAMPLE = 0.5
# What the guest is offered to find out what it takes, without and with offload, in bit/s
# over all ports. Where nearly all of it arrives, more is tried; a flood from the start
# would drown the datagrams with which iperf3's streams begin.
PROBE = {False: 200e6, True: 800e6}
PROBE_STEP = 2.5
PROBES = 3
NEARLY_ALL = 0.95
# The share of what the guest takes that it is offered for the measurement.
OFFERED = 0.8
# How long after its time iperf3 may take to end.
PATIENCE = 15
# Room asked for in sockets: a burst of a whole time slice, if the host allows it.
SOCKET_BYTES = 4 << 20
HIST = "/sys/kernel/tracing/events/raw_syscalls/sys_enter"
KEY = 'hist:keys=common_pid if comm == "iperf3"'
COUNT = f"echo '{KEY}' >{HIST}/trigger"
UNCOUNT = f"echo '!{KEY}' >{HIST}/trigger"
LOG = "/tmp/iperf.log."
PIDS = "/tmp/iperf.pids"


class TrafficError(Exception):
    """iperf3 could not do its run."""


@dataclass(frozen=True)
class Case:
    """What to measure. direction is the guest's: tx leaves it, rx enters it."""

    direction: str
    ports: int
    payload: int
    offload: bool

    def __str__(self) -> str:
        names = {"tx": "guest to host", "rx": "host to guest"}
        ports = "1 port" if self.ports == 1 else f"{self.ports} ports"
        offload = "on" if self.offload else "off"
        return f"{names[self.direction]}, {ports}, {self.payload} bytes, offload {offload}"


@dataclass(frozen=True)
class Row:
    """What was measured.

    datagrams were received, lost were not; mbps is 10^6 bits of UDP payload received a
    second; syscalls are those of the guest's iperf3 processes, over the whole run;
    cpu_busy is the busy share of all the guest's CPUs, 0..100.
    """

    direction: str
    ports: int
    payload: int
    offload: bool
    mbps: float
    datagrams: int
    lost: int
    syscalls: int
    cpu_busy: float

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


def standard_cases() -> list[Case]:
    """The table: both payloads, offload off and on, out of and into the guest."""
    return [
        Case(direction, ports, payload, offload)
        for direction, ports in (("tx", 1), ("rx", 1), ("rx", 4))
        for payload in (1472, 1200)
        for offload in (False, True)
    ]


class Traffic:
    """Runs cases against one guest."""

    def __init__(self, vm: Vm, peer: Peer, parts: Parts | None = None) -> None:
        self._vm = vm
        self._peer = peer
        self._iperf3 = str((parts or vm.parts).iperf3)
        self._rates: dict[tuple[int, bool], float] = {}
        # iperf3 asks for the same on both sides and fails if it does not get it.
        self._window = str(min(SOCKET_BYTES, *map(_host_limit, ("rmem_max", "wmem_max"))))

    def prepare(self) -> None:
        """Room for bursts in the guest's sockets."""
        self._vm.run("sysctl -qw net.core.rmem_max=8388608 net.core.wmem_max=8388608")

    def measure(self, case: Case, seconds: int = SECONDS) -> Row:
        """Sets the offload as the case says and measures it."""
        self._set_offload(case)
        if case.direction == "tx":
            return self._send(case, seconds)
        return self._receive(case, seconds)

    # ---- settings ---------------------------------------------------------

    def _set_offload(self, case: Case) -> None:
        state = "on" if case.offload else "off"
        rules = ""
        if case.direction == "rx" and case.offload:
            rules = " ".join(str(FIRST_PORT + n) for n in range(case.ports))
        self._vm.run(
            f"ethtool -K eth0 tx-udp-segmentation {state} || exit\n"
            # Rules from the last case; the numbers are the rules' locations.
            "for rule in $(ethtool -n eth0 | sed -n 's/^Filter: //p'); do\n"
            "  ethtool -N eth0 delete $rule || exit\n"
            "done\n"
            f"for port in {rules}; do\n"
            "  ethtool -N eth0 flow-type udp4 dst-port $port >/dev/null || exit\n"
            "done\n"
        )

    # ---- guest to host ----------------------------------------------------

    def _send(self, case: Case, seconds: int) -> Row:
        server = self._peer.popen(
            [self._iperf3, "-s", "-1", "-J", "-p", str(FIRST_PORT)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._wait_listening()
            offload = " --gsro" if case.offload else ""
            self._start(
                f"-u -c {PEER_ADDRESS} -p {FIRST_PORT} -b 0 -t {seconds} "
                f"-l {case.payload} -w {self._window}{offload}"
            )
            time.sleep(SETTLE)
            busy = self._cpu_busy(SAMPLE * seconds)
            syscalls = self._finish(seconds)
            output, _ = server.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            log = self._vm.run(f"cat {LOG}*", check=False).output
            raise TrafficError(f"{case}: iperf3's server saw no end of the run\n{log}") from None
        finally:
            _end(server)
        return self._row(case, [_report(output, case)], syscalls, busy)

    def _wait_listening(self) -> None:
        """Until iperf3 at this end listens; its own message comes too late in a pipe."""
        for _ in range(100):
            listening = self._peer.run(["ss", "-Hltn", f"sport = :{FIRST_PORT}"]).stdout
            if listening.strip():
                return
            time.sleep(0.05)
        raise TrafficError("iperf3's server does not start")

    # ---- host to guest ----------------------------------------------------

    def _receive(self, case: Case, seconds: int) -> Row:
        """Offers a little less than the guest takes: what it takes is found once a setting."""
        key = (case.ports, case.offload)
        if key not in self._rates:
            self._rates[key] = OFFERED * self._capacity(case) / case.ports
        bits = max(self._rates[key] * case.payload * 8, 1e6)
        try:
            return self._receive_at(case, seconds, bits)
        except TrafficError:
            # A stream that lost its first datagram never starts; that is iperf3's, not the port's.
            return self._receive_at(case, seconds, bits / 2)

    def _capacity(self, case: Case) -> float:
        """Datagrams a second, over all ports, that arrive when more are sent."""
        # Several ports take at least about what one takes.
        known = self._rates.get((1, case.offload))
        rate = known / OFFERED * case.payload * 8 * 1.5 if known else PROBE[case.offload]
        arrived = 0.0
        for _ in range(PROBES):
            try:
                row = self._receive_at(case, 1, rate / case.ports, sample=False)
            except TrafficError:
                if arrived:
                    break
                rate /= PROBE_STEP
                continue
            arrived = max(arrived, row.mbps * 1e6 / (case.payload * 8))
            if row.datagrams < NEARLY_ALL * (row.datagrams + row.lost):
                break
            rate *= PROBE_STEP
        return arrived

    def _receive_at(self, case: Case, seconds: int, rate: float, sample: bool = True) -> Row:
        """A run at rate bit/s a port; without sample, the row's CPU time is not measured."""
        ports = [FIRST_PORT + n for n in range(case.ports)]
        self._start(*(f"-s -1 -p {port}" for port in ports), listening=ports)
        offload = ["--gsro"] if case.offload else []
        clients = []
        try:
            for port in ports:
                host, there = self._peer.guest_endpoint(port)
                clients.append(
                    self._peer.popen(
                        [self._iperf3, "-u", "-J", "-c", host, "-p", str(there),
                         "-b", f"{rate:.0f}", "-t", str(seconds), "-l", str(case.payload),
                         "-w", self._window, *offload],
                        stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL,
                    )
                )  # fmt: skip
            time.sleep(SETTLE)
            busy = self._cpu_busy(SAMPLE * seconds) if sample else 0.0
            outputs = [client.communicate(timeout=seconds + PATIENCE)[0] for client in clients]
            reports = [_report(output, case) for output in outputs]
            syscalls = self._finish(seconds)
        except (subprocess.TimeoutExpired, TrafficError) as error:
            self._vm.run(f"kill $(cat {PIDS}); {UNCOUNT}", check=False)
            if isinstance(error, TrafficError):
                raise
            raise TrafficError(f"{case}: iperf3 did not end") from None
        finally:
            for client in clients:
                _end(client)
        return self._row(case, reports, syscalls, busy)

    # ---- the guest's side -------------------------------------------------

    def _start(self, *arguments: str, listening: list[int] | None = None) -> None:
        """Starts an iperf3 for each of arguments, counting system calls from before that."""
        script = f"rm -f {LOG}* {PIDS}; {COUNT} || exit\n"
        for number, one in enumerate(arguments):
            script += f"iperf3 {one} >{LOG}{number} 2>&1 & echo $! >>{PIDS}\n"
        if listening:
            ports = f"sport >= :{listening[0]} and sport <= :{listening[-1]}"
            script += (
                f"for i in $(seq 100); do [ $(ss -Hltn '{ports}' | wc -l) -ge {len(listening)} ] "
                f"&& exit 0; sleep 0.05; done; cat {LOG}*; exit 1"
            )
        self._vm.run(script)

    def _finish(self, seconds: int) -> int:
        """Waits for the end of what _start() has started; returns the number of system calls."""
        result = self._vm.run(
            f"pids=$(cat {PIDS})\n"
            f"for i in $(seq {(seconds + 8) * 10}); do\n"
            "  alive=0; for pid in $pids; do kill -0 $pid 2>/dev/null && alive=1; done\n"
            f"  [ $alive = 1 ] || {{ cat {HIST}/hist; {UNCOUNT}; exit 0; }}\n"
            "  sleep 0.1\n"
            f"done; kill $pids; {UNCOUNT}; cat {LOG}*; exit 1",
            timeout=seconds + PATIENCE,
            check=False,
        )
        if result.status != 0:
            raise TrafficError(f"iperf3 in the guest did not end\n{result.output[-500:]}")
        hits = re.findall(r"^\s*Hits: (\d+)", result.output, re.MULTILINE)
        if not hits:
            raise TrafficError(f"the guest's tracer counted nothing\n{result.output[-500:]}")
        return int(hits[-1])

    def _cpu_busy(self, seconds: float) -> float:
        """Busy share of all CPUs over that time from now on, in percent."""
        read = "read -r line </proc/stat; echo $line"
        text = self._vm.run(f"{read}; sleep {seconds:g}; {read}").output
        first, last = (
            [int(word) for word in line.split()[1:9]] for line in text.strip().splitlines()
        )
        spent = [after - before for before, after in zip(first, last, strict=True)]
        # proc(5): user nice system idle iowait irq softirq steal
        total = sum(spent)
        return 100.0 * (total - spent[3] - spent[4]) / total if total else 0.0

    @staticmethod
    def _row(case: Case, reports: list[dict[str, float]], syscalls: int, busy: float) -> Row:
        lost = sum(int(report["lost"]) for report in reports)
        return Row(
            **asdict(case),
            mbps=round(sum(report["mbps"] for report in reports), 1),
            datagrams=sum(int(report["packets"]) for report in reports) - lost,
            lost=lost,
            syscalls=syscalls,
            cpu_busy=round(busy, 1),
        )


def _host_limit(name: str) -> int:
    """A limit of the host's sockets. It holds for all namespaces, so it is left as it is."""
    return int(Path("/proc/sys/net/core", name).read_text())


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stdout:
        process.stdout.close()


def _report(output: bytes, case: Case) -> dict[str, float]:
    """The receiver's side of iperf3's JSON report."""
    try:
        report = json.loads(output)
    except ValueError:
        raise TrafficError(f"{case}: iperf3 said {output.decode(errors='replace')!r}") from None
    if "error" in report:
        raise TrafficError(f"{case}: iperf3: {report['error']}")
    end = report["end"]
    # A client has both sides; a server's own report is the receiver's.
    received = end.get("sum_received") or end["sum"]
    return {
        "mbps": received["bits_per_second"] / 1e6,
        "packets": received["packets"],
        "lost": received["lost_packets"],
    }

