# SPDX-License-Identifier: GPL-2.0-or-later
"""The driver meets every fault the port can be told to have, and traffic comes back."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.guest.conftest import LOGS, tool_files
from tests.guest.faults import Faults
from tests.guest.guest import (
    GUEST_ADDRESS,
    PEER_ADDRESS,
    REACHED,
    Background,
    background,
    counters,
    gained,
    udp_socket,
)
from tests.rig.kernel_log import reports
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

TOOL = Path(__file__).parents[2] / "qemu-device/bin/eoe-fault"
BIG = 600  # bytes of payload that only the frames meant have
QUEUES = "/sys/class/net/eth0/queues"
DOWN_UP = "{ ip link set eth0 down; ip link set eth0 up; }"

BD_ERRORS = {
    "dma-internal": "dma_internal",
    "dma-slave": "dma_slave",
    "dma-decode": "dma_decode",
    "sg-internal": "sg_stale",
    "sg-slave": "sg_slave",
    "sg-decode": "sg_decode",
}


@pytest.fixture(scope="module")
def qmp_socket() -> Iterator[Path]:
    """Where the tool reaches this module's guest."""
    with tempfile.TemporaryDirectory() as directory:
        yield Path(directory) / "qmp"


@pytest.fixture(scope="module")
def faulty_vm(need_tap: None, parts: object, qmp_socket: Path) -> Iterator[Vm]:
    """A guest of this module's own."""
    with TapPeer() as cable, Vm(
        cable, files=tool_files(), logs=LOGS / "faults",
        qemu_arguments=("-qmp", f"unix:{qmp_socket},server=on,wait=off"),
    ) as made:  # fmt: skip
        made.wait_ready()
        yield made


@pytest.fixture
def vm(faulty_vm: Vm) -> Iterator[Vm]:
    """That guest: reachable and merging behind every test, with nothing to report."""
    Faults(faulty_vm).clear()
    faulty_vm.run(
        f"ping -c 1 -W 1 {PEER_ADDRESS} >/dev/null || {DOWN_UP}\n"
        "ethtool -n eth0 | grep -q '^Filter: 1' || ethtool -N eth0 flow-type udp4 dst-port 5101\n"
        f"dmesg -c >/dev/null\n{REACHED}", 90,
    )  # fmt: skip
    yield faulty_vm
    Faults(faulty_vm).clear()
    faulty_vm.run(REACHED, 90)
    before = counters(faulty_vm)
    datagrams(faulty_vm, 5, port=5101, size=100)
    wait_for(faulty_vm, before, "eoe_rx_gro", 5)
    # That the transmit watchdog fires is what some of these tests are about.
    bad = [line for line in reports(faulty_vm.dmesg()) if "NETDEV WATCHDOG" not in line]
    assert not bad, bad


@pytest.fixture
def faults(vm: Vm) -> Faults:
    """The rules of that guest's port."""
    return Faults(vm)


def datagrams(vm: Vm, count: int, port: int = 5999, size: int = BIG) -> None:
    """The peer sends; nobody need listen."""
    assert isinstance(vm.peer, TapPeer)
    with udp_socket(vm.peer) as sock:
        for _ in range(count):
            sock.sendto(b"f" * size, (GUEST_ADDRESS, port))


def ping(vm: Vm, arguments: str, timeout: float = 60) -> tuple[int, int, float]:
    """Answers, duplicates among them, and the longest time in ms."""
    text = vm.run(f"ping -W 5 {arguments} {PEER_ADDRESS}", timeout, check=False).output
    answers = re.search(r"(\d+) received", text)
    doubled = re.search(r"\+(\d+) duplicates", text)
    slowest = re.search(r"= [\d.]+/[\d.]+/([\d.]+)/", text)
    assert answers, text
    return (
        int(answers[1]), int(doubled[1]) if doubled else 0, float(slowest[1]) if slowest else 0,
    )  # fmt: skip


def snmp(vm: Vm, group: str, name: str) -> int:
    """A counter of /proc/net/snmp or netstat."""
    rows = [line.split() for line in vm.run("cat /proc/net/snmp /proc/net/netstat").output.splitlines()]
    heads, values = [row for row in rows if row and row[0] == f"{group}:"]
    return int(values[heads.index(name)])


def until(vm: Vm, condition: str, seconds: float) -> None:
    """Waits in the guest for a shell condition."""
    vm.run(
        f"for i in $(seq {int(seconds * 5)}); do {condition} && exit 0; sleep 0.2; done\n"
        "ethtool -S eth0 | grep -E 'reset|err|timeout'; dmesg | tail -5; exit 1",
        timeout=seconds * 2 + 30,
    )


def wait_for(
    vm: Vm, before: dict[str, int], name: str, amount: int = 1, seconds: float = 15
) -> dict[str, int]:
    """Waits until a counter has gained so much; returns what all have gained."""
    value = f"$(ethtool -S eth0 | sed -n 's/^ *{name}: //p')"
    until(vm, f"[ {value} -ge {before[name] + amount} ]", seconds)
    return gained(before, counters(vm))


def pings(vm: Vm) -> AbstractContextManager[Background]:
    """Something to send and to answer, in the background, while something is broken.

    Only a queue that is stopped has a watchdog, so this can fill a ring: ping's own limit is a few
    packets under way.
    """
    return background(vm, f"ping -i 0.01 -s 500 -S 1000000 -w 60 {PEER_ADDRESS}", ready="")


# The cable


@pytest.mark.parametrize("direction", ["rx", "tx"])
def test_dropped_frames_are_missed(vm: Vm, faults: Faults, direction: str) -> None:
    rule = faults.add(f"kind=drop,dir={direction},min-bytes={BIG},count=10")
    assert ping(vm, f"-c 40 -i 0.02 -s {BIG}")[0] == 30
    assert faults.fired(rule) == 10


@pytest.mark.parametrize("direction", ["rx", "tx"])
def test_doubled_frames_are_seen_twice(vm: Vm, faults: Faults, direction: str) -> None:
    faults.add(f"kind=duplicate,dir={direction},min-bytes={BIG},count=7")
    assert ping(vm, f"-c 20 -i 0.05 -s {BIG}")[:2] == (20, 7)


@pytest.mark.parametrize("kind", ["corrupt-checksum", "corrupt-payload"])
def test_wrong_checksums_reach_no_socket(vm: Vm, faults: Faults, kind: str) -> None:
    before = counters(vm)
    udp_errors = snmp(vm, "Udp", "InCsumErrors")
    rule = faults.add(f"kind={kind},dir=rx,min-bytes={BIG},count=20,seed=5")
    datagrams(vm, 50)
    moved = wait_for(vm, before, "eoe_rx_csum_errors", 20)
    assert faults.fired(rule) == moved["eoe_rx_csum_errors"] == 20
    assert snmp(vm, "Udp", "InCsumErrors") - udp_errors == 20


def test_wrong_ip_checksums_are_counted(vm: Vm, faults: Faults) -> None:
    before = counters(vm)
    ip_errors = snmp(vm, "IpExt", "InCsumErrors")
    faults.add(f"kind=corrupt-checksum,checksum=ip,dir=rx,min-bytes={BIG},count=20")
    datagrams(vm, 50)
    assert wait_for(vm, before, "eoe_rx_csum_errors", 20)["eoe_rx_csum_errors"] == 20
    assert snmp(vm, "IpExt", "InCsumErrors") - ip_errors == 20


def test_truncated_frames_are_counted(vm: Vm, faults: Faults) -> None:
    before = counters(vm)
    cut = snmp(vm, "IpExt", "InTruncatedPkts")
    faults.add(f"kind=truncate,dir=rx,min-bytes={BIG},count=10,bytes=300")
    faults.add(f"kind=truncate,dir=rx,min-bytes={BIG},count=5,bytes=40")
    datagrams(vm, 30)
    assert wait_for(vm, before, "mac_rx_undersize", 5)["mac_rx_undersize"] == 5
    assert snmp(vm, "IpExt", "InTruncatedPkts") - cut == 10


def test_bad_fcs_is_a_crc_error(vm: Vm, faults: Faults) -> None:
    before = counters(vm)
    faults.add(f"kind=bad-fcs,min-bytes={BIG},count=5")
    assert ping(vm, f"-c 20 -i 0.02 -s {BIG}")[0] == 15
    moved = gained(before, counters(vm))
    assert (moved.get("mac_rx_bad_fcs"), moved.get("mac_rx_packet_bad_fcs")) == (5, 5)


def test_random_loss_repeats_with_its_seed(vm: Vm, faults: Faults) -> None:
    """The same seed loses the same datagrams; another one others."""
    seen = []
    for seed in (1, 1, 2):
        rule = faults.add(f"kind=drop,dir=tx,min-bytes={BIG},probability=0.2,seed={seed}")
        text = vm.run(f"ping -c 60 -i 0.01 -W 1 -s {BIG} {PEER_ADDRESS}", check=False).output
        answered = tuple(sorted({int(n) for n in re.findall(r"icmp_seq=(\d+)", text)}))
        assert faults.fired(rule) + len(answered) == 60
        seen.append(answered)
        faults.clear()
    assert seen[0] == seen[1] != seen[2]
    assert len(seen[0]) < 60


# The engine


@pytest.mark.parametrize("direction", ["mm2s", "s2mm"])
def test_each_descriptor_error_is_cured(vm: Vm, faults: Faults, direction: str) -> None:
    # Ten resets in ten seconds are allowed; down and up begins anew.
    vm.run(f"{DOWN_UP}; {REACHED}", 90)
    side = "tx" if direction == "mm2s" else "rx"
    with pings(vm):
        # Each is met by traffic that the reset before it has brought back.
        for error, counter in BD_ERRORS.items():
            before = counters(vm)
            rule = faults.add(f"kind=bd-error,dir={direction},error={error},count=1")
            moved = wait_for(vm, before, "resets")
            assert moved.get(f"{side}_err_{counter}") == 1, (error, moved)
            assert moved["resets"] == faults.fired(rule) == 1, (error, moved)


def test_error_on_a_merging_channel_is_cured(vm: Vm, faults: Faults) -> None:
    """Channel 2 is where the rule on port 5101 merges to."""
    before = counters(vm)
    faults.add("kind=bd-error,dir=s2mm,channel=2,error=dma-slave,count=1")
    ping(vm, "-c 3 -i 0.1")
    assert gained(before, counters(vm)).get("resets") is None
    datagrams(vm, 20, port=5101)
    moved = wait_for(vm, before, "resets")
    assert moved.get("rx_err_dma_slave") == 1, moved


def test_stalled_channel_is_cured_by_the_watchdog(vm: Vm, faults: Faults) -> None:
    before = counters(vm)
    rule = faults.add("kind=stall,dir=mm2s,count=1")
    with pings(vm):
        moved = wait_for(vm, before, "resets", seconds=30)
    assert moved.get("tx_timeouts", 0) >= 1, moved
    assert faults.fired(rule) == 1


def test_stalled_receive_channel_loses_nothing(vm: Vm, faults: Faults) -> None:
    before = counters(vm)
    rule = faults.add("kind=stall,dir=s2mm,channel=1,hold=1s,count=1")
    answers, _, slowest = ping(vm, "-c 300 -i 0.01")
    assert (faults.fired(rule), answers) == (1, 300)
    assert slowest > 500
    assert "resets" not in gained(before, counters(vm))


def test_completion_inside_the_doorbell_write(vm: Vm, faults: Faults) -> None:
    """The engine is done, and its interrupt up, before the store that started it has ended."""
    rule = faults.add("kind=sync,dir=mm2s")
    other = faults.add("kind=sync,dir=s2mm")
    before = counters(vm)
    assert ping(vm, "-c 300 -i 0.01 -s 1400")[0] == 300
    datagrams(vm, 2000)
    vm.run(REACHED, 60)
    assert faults.fired(rule) >= 300
    assert faults.fired(other) >= 1
    moved = gained(before, counters(vm))
    assert "resets" not in moved and "tx_timeouts" not in moved, moved


# Interrupts


@pytest.mark.parametrize("direction", ["mm2s", "s2mm"])
def test_lost_interrupt_is_made_up_for_by_the_next(vm: Vm, faults: Faults, direction: str) -> None:
    """The next packet of the same queue, that is; if there is none, see the test below."""
    # One queue, with room for four: one that is stopped has no next.
    vm.run(f"for limit in {QUEUES}/tx-*/byte_queue_limits/limit_min; do echo 1000 >$limit; done")
    before = counters(vm)
    command = f"taskset -c 1 ping -c 15 -i 0.2 -W 5 {PEER_ADDRESS}"
    with background(vm, command, ready="icmp_seq=2") as running:
        rule = faults.add(f"kind=irq-lost,dir={direction},count=3")
        assert " 15 received" in running.output()
    assert faults.fired(rule) == 3
    assert "resets" not in gained(before, counters(vm))


def test_no_transmit_interrupt_at_all_is_cured_by_the_watchdog(vm: Vm, faults: Faults) -> None:
    before = counters(vm)
    rule = faults.add("kind=irq-lost,dir=mm2s")
    with pings(vm):
        moved = wait_for(vm, before, "resets", seconds=30)
    assert moved.get("tx_timeouts", 0) >= 1, moved
    assert faults.fired(rule) >= 1


def test_late_interrupt_only_costs_time(vm: Vm, faults: Faults) -> None:
    rule = faults.add("kind=irq-late,dir=s2mm,channel=1,hold=300ms,count=1")
    answers, _, slowest = ping(vm, "-c 4 -i 0.5")
    assert (faults.fired(rule), answers) == (1, 4)
    assert slowest > 250


def test_spurious_interrupts_are_nobody_s(vm: Vm, faults: Faults) -> None:
    """Each is answered once, with "not mine", and the line is given up on for none of it."""

    def taken() -> int:
        lines = vm.run("cat /proc/interrupts").output.splitlines()
        numbers = [line.split()[1:5] for line in lines if re.search(r"\beth0-tx", line)]
        return sum(int(n) for line in numbers for n in line)

    before, start = counters(vm), taken()
    rule = faults.add("kind=irq-spurious,dir=mm2s,channel=3,count=20,every=50ms,hold=1s")
    vm.run("sleep 1.5")
    assert faults.fired(rule) == 20
    assert taken() - start >= 10
    assert "resets" not in gained(before, counters(vm))


# Link and resets


def test_carrier_follows_block_lock(vm: Vm, faults: Faults) -> None:
    carrier = "[ $(cat /sys/class/net/eth0/carrier) = {} ]"
    rule = faults.add("kind=block-lock,hold=4s")
    until(vm, carrier.format(0), 10)
    until(vm, carrier.format(1), 20)
    assert faults.fired(rule) == 1
    log = vm.dmesg()
    assert "Link is Down" in log and "Link is Up" in log


def test_slow_reset_is_waited_for(vm: Vm, faults: Faults) -> None:
    before = counters(vm)
    rule = faults.add("kind=dma-reset,hold=5ms")
    faults.add("kind=bd-error,dir=mm2s,error=dma-slave,count=1")
    vm.run(f"ping -c 3 -i 0.2 -W 1 {PEER_ADDRESS}", check=False)
    wait_for(vm, before, "resets")
    vm.run(REACHED, 60)
    assert faults.fired(rule) == 2  # one to stop the engine, one to start it
    assert "does not leave reset" not in vm.dmesg()


def test_stuck_reset_is_given_up_on(vm: Vm, faults: Faults) -> None:
    """Bounded, said, and cured by down and up once the hardware is well again."""
    faults.add("kind=dma-reset")
    faults.add("kind=bd-error,dir=mm2s,error=dma-slave,count=1")
    vm.run(f"ping -c 3 -i 0.2 -W 1 {PEER_ADDRESS}", check=False)
    until(vm, "dmesg | grep -q 'engine does not start again: -110'", 15)
    assert "MCDMA does not leave reset" in vm.dmesg()
    assert vm.run("ip link set eth0 down; ip link set eth0 up", check=False).status != 0
    faults.clear()
    vm.run("ip link set eth0 down; ip link set eth0 up")


def test_one_stuck_reset_is_cured_by_the_next(vm: Vm, faults: Faults) -> None:
    before = counters(vm)
    faults.add("kind=dma-reset,count=1")
    faults.add("kind=bd-error,dir=s2mm,error=dma-slave,count=1")
    vm.run(f"ping -c 3 -i 0.2 -W 1 {PEER_ADDRESS}", check=False)
    wait_for(vm, before, "resets")
    assert "MCDMA does not leave reset" in vm.dmesg()


def test_transceivers_stuck_in_reset_keep_the_carrier_off(vm: Vm, faults: Faults) -> None:
    rule = faults.add("kind=gt-reset,count=1")
    vm.run("ip link set eth0 down; ip link set eth0 up", 30)
    assert faults.fired(rule) == 1
    assert "transceiver still in reset" in vm.dmesg()
    assert vm.run("sleep 2; cat /sys/class/net/eth0/carrier").output.strip() == "0"
    faults.clear()
    until(vm, "[ $(cat /sys/class/net/eth0/carrier) = 1 ]", 15)


# Offload engine


def test_busy_merging_port_is_not_waited_for_for_ever(vm: Vm, faults: Faults) -> None:
    rule = faults.add("kind=gro-busy")
    vm.run("ethtool -N eth0 delete 1; ip link set eth0 down; ip link set eth0 up", 30, check=False)
    assert faults.fired(rule) >= 1
    assert "does not drain" in vm.dmesg()
    faults.clear()
    vm.run(
        "ethtool -n eth0 | grep -q '^Filter: 1' && ethtool -N eth0 delete 1\n"
        "ethtool -N eth0 flow-type udp4 dst-port 5101"
    )


# The tool


def test_tool_adds_lists_and_clears(vm: Vm, qmp_socket: Path) -> None:
    def tool(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(TOOL), "--qmp", str(qmp_socket), *arguments], capture_output=True, text=True, timeout=60
        )

    assert tool("add", f"kind=drop,dir=tx,min-bytes={BIG},count=2", "kind=bad-fcs,count=1").returncode == 0
    assert ping(vm, f"-c 5 -i 0.1 -s {BIG}")[0] == 2
    first, second = json.loads(tool("list", "--json").stdout)
    assert (first["fired"], first["state"]) == ("2", "ended")
    assert (second["rule"], second["fired"]) == ("kind=bad-fcs,count=1", "1")
    assert tool("clear", second["number"]).returncode == 0
    assert "bad-fcs" not in tool("list").stdout
    # All or none.
    refused = tool("add", "kind=duplicate,dir=rx", "kind=drop,dir=up")
    assert (refused.returncode, refused.stderr) == (
        1, "eoe-fault: dir is 'up' but must be one of mm2s, s2mm, tx, rx\n",
    )  # fmt: skip
    assert "duplicate" not in tool("list").stdout
    assert tool("clear").returncode == 0
    assert json.loads(tool("list", "--json").stdout) == []
    nobody = subprocess.run(
        [str(TOOL), "--qmp", f"{qmp_socket}.none", "list"], capture_output=True, text=True
    )
    assert nobody.returncode == 1 and "cannot talk to QEMU" in nobody.stderr
