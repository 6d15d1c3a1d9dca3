# SPDX-License-Identifier: GPL-2.0-or-later
"""What outlives a failure or a sleep, who is told of it, and a device that is gone."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.guest.conftest import LOGS, tool_files
from tests.guest.guest import GUEST_ADDRESS, PEER_ADDRESS, REACHED, counters, gained, udp_socket
from tests.guest.qtest import MCDMA, S2MM, Bus
from tests.rig.kernel_log import reports
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

DEVICE = "platform/80020000.ethernet"
DRIVER = "/sys/bus/platform/drivers/xilinx_axienet_eoe"
MAC = 0x80020000
ENGINE = 0x80008000
RX_MTU = 0x018
RX_TIMEOUT = 0x14
GRO_PORT_1 = 0x40
MODERATION = 0xFFFF0000  # of a channel's CR: packets for an interrupt, delay

# What must be as it was, by name, address and bits.
SETTINGS = {
    "largest frame": (MAC + RX_MTU, 0xFFFFFFFF),
    "transmit moderation": (MCDMA + 0x40, MODERATION),
    "receive moderation": (MCDMA + S2MM + 0x40, MODERATION),
    "GRO timeout": (ENGINE + RX_TIMEOUT, 0xFFFFFFFF),
    "GRO port control": (ENGINE + GRO_PORT_1, 0xFFFFFFFF),
    "GRO port address": (ENGINE + GRO_PORT_1 + 0x0C, 0xFFFFFFFF),
    "GRO port number": (ENGINE + GRO_PORT_1 + 0x10, 0xFFFFFFFF),
}


@pytest.fixture(scope="module")
def bus(need_tap: None) -> Iterator[Bus]:
    made = Bus()
    yield made
    made.close()


@pytest.fixture(scope="module")
def own_vm(bus: Bus, parts: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vm]:
    """A guest of this module's own, with settings that are not the driver's defaults."""
    with TapPeer() as cable, Vm(
        cable, files=tool_files(), logs=LOGS / "health", qemu_arguments=bus.arguments,
        pass_fds=(bus.fd,),
    ) as made:  # fmt: skip
        made.wait_ready()
        configure(made)
        yield made


def configure(vm: Vm) -> None:
    vm.run(
        "ip link set eth0 mtu 4000 && ethtool -G eth0 rx 128 tx 96 && "
        "ethtool -C eth0 rx-usecs 30 rx-frames 8 tx-usecs 20 tx-frames 4 && "
        "ethtool -N eth0 flow-type udp4 dst-port 5101 loc 1"
    )
    vm.run(REACHED, 60)


@pytest.fixture
def vm(own_vm: Vm) -> Iterator[Vm]:
    """That guest, in order before and after, with no rule of faults left."""
    # Ten resets in ten seconds are allowed; down and up begins anew.
    own_vm.run("ip link set eth0 down && ip link set eth0 up && dmesg -c >/dev/null")
    own_vm.run(REACHED, 60)
    yield own_vm
    clear_faults(own_vm)
    own_vm.run(REACHED, 60)
    bad = [line for line in reports(own_vm.dmesg()) if "NETDEV WATCHDOG" not in line]
    assert not bad, bad


def fault(vm: Vm, rule: str) -> None:
    vm.qmp("qom-set", path="/machine/eoe-port0", property="fault", value=rule)


def clear_faults(vm: Vm) -> None:
    vm.qmp("qom-set", path="/machine/eoe-port0", property="faults-clear", value="all")


def reporter(vm: Vm, name: str) -> dict[str, object]:
    """What `devlink health show` says of one reporter."""
    found = json.loads(vm.run(f"devlink -j health show {DEVICE} reporter {name}").output)
    (only,) = found["health"][DEVICE]
    assert only["reporter"] == name
    return only


def wait_for(vm: Vm, test: str, seconds: int) -> None:
    vm.run(
        f"for i in $(seq {seconds * 5}); do {test} && exit 0; sleep 0.2; done; "
        "dmesg | tail -n 20; exit 1",
        seconds + 40,
    )


def wait_for_reset(vm: Vm, before: dict[str, int], seconds: int = 10) -> dict[str, int]:
    """Waits until the driver has counted a reset; what the counters have gained."""
    test = f"[ $(ethtool -S eth0 | sed -n 's/^ *resets: //p') -gt {before['resets']} ]"
    wait_for(vm, test, seconds)
    return gained(before, counters(vm))


@contextmanager
def nothing_changes(vm: Vm, bus: Bus) -> Iterator[None]:
    """Settings, rules and traffic are the same behind the block as in front of it."""
    read = (
        "ethtool -g eth0; ethtool -c eth0; ethtool -n eth0; ethtool -a eth0; "
        "ip -4 -o address show dev eth0; cat /sys/class/net/eth0/mtu"
    )

    def registers() -> dict[str, int]:
        return {name: bus.readl(at) & bits for name, (at, bits) in SETTINGS.items()}

    before, text = registers(), vm.run(read).output
    assert before["largest frame"] >> 16 == 4022
    yield
    vm.run(REACHED, 60)
    assert registers() == before
    assert vm.run(read).output == text
    assert merged(vm) == 5
    # Cut, sent and received in the size the MTU allows.
    vm.run(f"ping -c 2 -W 2 -s 3972 -M do {PEER_ADDRESS}")


def merged(vm: Vm) -> int:
    """Of five datagrams to the rule's port, how many the engine merged."""
    before = counters(vm)
    assert isinstance(vm.peer, TapPeer)
    with udp_socket(vm.peer) as sock:
        for _ in range(5):
            sock.sendto(b"m" * 100, (GUEST_ADDRESS, 5101))
    vm.run("sleep 0.3")
    return gained(before, counters(vm)).get("eoe_rx_gro", 0)


@pytest.fixture(autouse=True)
def wide_cable(own_vm: Vm) -> None:
    assert isinstance(own_vm.peer, TapPeer)
    own_vm.peer.run(["ip", "link", "set", "tap0", "mtu", "4000"])


# Every kind of error is provoked in test_faults; one of each direction does here.
CAUSES = {
    "transmit error": ("kind=bd-error,dir=mm2s,error=dma-decode,count=1", "tx_err_dma_decode", 10),
    "receive error": ("kind=bd-error,dir=s2mm,error=dma-slave,count=1", "rx_err_dma_slave", 10),
    "transmit timeout": ("kind=stall,dir=mm2s,for=2s,hold=60s", "tx_timeouts", 25),
}


@pytest.mark.parametrize("cause", CAUSES.values(), ids=CAUSES.keys())
def test_settings_outlive_a_reset(vm: Vm, bus: Bus, cause: tuple[str, str, int]) -> None:
    rule, counter, seconds = cause
    with nothing_changes(vm, bus):
        before = counters(vm)
        fault(vm, rule)
        vm.run(f"ping -i 0.2 -w {seconds} {PEER_ADDRESS} >/dev/null 2>&1 &")
        moved = wait_for_reset(vm, before, seconds)
        assert moved["resets"] == 1, moved
        assert moved[counter] >= 1, moved


def test_reporters_tell_of_a_failure(vm: Vm) -> None:
    rx_before = reporter(vm, "rx")
    before = reporter(vm, "tx")
    assert before["state"] == "healthy"
    assert before["auto_recover"] and before["auto_dump"]
    vm.run(f"devlink health dump clear {DEVICE} reporter tx", check=False)
    errors = counters(vm)

    fault(vm, "kind=bd-error,dir=mm2s,error=sg-slave,count=1")
    vm.run(f"ping -c 5 -i 0.2 -W 1 {PEER_ADDRESS} >/dev/null", check=False)
    wait_for_reset(vm, errors)
    vm.run(REACHED, 60)
    after = reporter(vm, "tx")
    assert after["state"] == "healthy"
    for count in ("error", "recover"):
        assert after[count] == before[count] + 1, (before, after)
    assert {k: v for k, v in reporter(vm, "rx").items() if "dump" not in k} == {
        k: v for k, v in rx_before.items() if "dump" not in k
    }

    # Taken before the reset: the direction has halted, and says why.
    dump = json.loads(vm.run(f"devlink -j health dump show {DEVICE} reporter tx").output)
    assert dump["state"] == "failed"
    assert dump["ERR"] & 1 << 5, dump
    assert dump["CSR"] & 1, dump
    assert [queue["channel"] for queue in dump["queues"]] == list(range(1, 17))
    first = dump["queues"][0]
    assert first["descriptors"] == 96
    assert len(first["descriptor"]) == 64
    told = json.loads(vm.run(f"devlink -j health diagnose {DEVICE} reporter tx").output)
    assert told["state"] == "running"
    assert told["sg_slave"] == errors["tx_err_sg_slave"] + 1
    assert told["resets"] == errors["resets"] + 1
    assert len(told["queues"]) == 16


def test_recovery_can_be_left_to_a_person(vm: Vm, bus: Bus) -> None:
    auto = f"devlink health set {DEVICE} reporter rx auto_recover"
    with nothing_changes(vm, bus):
        before = counters(vm)["resets"]
        vm.run(f"{auto} false")
        fault(vm, "kind=bd-error,dir=s2mm,error=dma-internal,count=1")
        vm.run(f"ping -i 0.2 -w 4 {PEER_ADDRESS} >/dev/null 2>&1 &")
        # An interface that does nothing must not look as if it did.
        wait_for(vm, "[ $(cat /sys/class/net/eth0/carrier) = 0 ]", 10)
        assert reporter(vm, "rx")["state"] == "error"
        assert counters(vm)["resets"] == before
        vm.run(f"devlink health recover {DEVICE} reporter rx")
        assert reporter(vm, "rx")["state"] == "healthy"
        assert counters(vm)["resets"] == before + 1
        # Down and up is another way, after which the reporter works as before.
        fault(vm, "kind=bd-error,dir=s2mm,error=dma-internal,count=1")
        vm.run(f"ping -i 0.2 -w 4 {PEER_ADDRESS} >/dev/null 2>&1 &")
        wait_for(vm, "[ $(cat /sys/class/net/eth0/carrier) = 0 ]", 10)
        vm.run(f"ip link set eth0 down && ip link set eth0 up && {auto} true")
        assert reporter(vm, "rx")["state"] == "healthy"


def test_errors_without_end_are_given_up(vm: Vm, bus: Bus) -> None:
    """Every start fails at once: bounded in resets and in what the log says; devlink restarts it."""
    with nothing_changes(vm, bus):
        before = counters(vm)
        fault(vm, "kind=bd-error,dir=s2mm,error=sg-decode")
        vm.run(f"ping -c 3 -i 0.2 -W 1 {PEER_ADDRESS} >/dev/null", check=False)
        wait_for(vm, "dmesg | grep -q 'keeps failing'", 20)
        vm.run("sleep 2")
        moved = gained(before, counters(vm))
        assert moved["resets"] == 10, moved
        assert 11 <= moved["rx_err_sg_decode"] <= 11 * 16, moved
        log = vm.dmesg()
        assert log.count("keeps failing") == 1
        # The kernel's own limit is ten in five seconds.
        assert 1 <= log.count("MCDMA receive error") <= 30, log
        assert reporter(vm, "rx")["state"] == "error"
        clear_faults(vm)
        vm.run(f"devlink health recover {DEVICE} reporter rx")


def test_settings_outlive_sleep(vm: Vm, bus: Bus) -> None:
    """The kernel's own test: devices sleep and wake, with packets on their way.

    While it sleeps the port forgets what it was told, as it does without power.
    """
    assert isinstance(vm.peer, TapPeer)
    with nothing_changes(vm, bus), udp_socket(vm.peer) as sock:
        before = counters(vm)
        vm.run(
            f"ping -f -w 12 {PEER_ADDRESS} >/dev/null 2>&1 &\n"
            "echo 3 >/sys/module/suspend/parameters/pm_test_delay; echo devices >/sys/power/pm_test\n"
            "(sleep 0.5; echo freeze >/sys/power/state) >/dev/null 2>&1 &"
        )
        patience = time.monotonic() + 40
        while bus.readl(MCDMA + S2MM) & 1:
            assert time.monotonic() < patience, "the port does not go to sleep"
            sock.sendto(b"s" * 1000, (GUEST_ADDRESS, 5101))
        for name in ("largest frame", "GRO timeout", "GRO port number", "GRO port address"):
            bus.writel(SETTINGS[name][0], 0)
        while not bus.readl(MCDMA + S2MM) & 1:
            assert time.monotonic() < patience, "the port does not wake"
        # The console, which sleeps as well, takes no command until it is awake.
        time.sleep(2)
        wait_for(vm, "dmesg | grep -q 'PM: suspend exit'", 10)
        assert "Waiting for 3 second" in vm.dmesg()
        vm.run("echo none >/sys/power/pm_test")
        assert counters(vm)["tx_timeouts"] == before["tx_timeouts"]
        assert counters(vm)["resets"] == before["resets"]


def test_sleep_of_an_interface_that_is_down(vm: Vm) -> None:
    vm.run(
        "echo 1 >/sys/module/suspend/parameters/pm_test_delay; echo devices >/sys/power/pm_test; "
        "ip link set eth0 down; echo freeze >/sys/power/state && echo none >/sys/power/pm_test && "
        "ip -o link show eth0 | grep -vq ',UP' && ip link set eth0 up",
        60,
    )
    vm.run(REACHED, 60)


def rebind(vm: Vm) -> None:
    """Out and in again: what was set by hand has to be set again."""
    vm.run(
        f"cd {DRIVER}; [ ! -e 80020000.ethernet ] || echo 80020000.ethernet >unbind; "
        "echo 80020000.ethernet >bind && "
        "ip address add 10.10.0.2/24 dev eth0 && ip link set eth0 up"
    )
    configure(vm)


GONE = "dmesg | grep -q 'the device is gone'"


def test_device_that_is_gone_is_detached(vm: Vm) -> None:
    vm.run("ping -i 0.2 -w 30 -q 10.10.0.1 >/dev/null 2>&1 &")
    fault(vm, "kind=gone")
    # Nobody has to ask: the link is looked at every second.
    wait_for(vm, GONE, 10)
    wait_for(vm, "[ ! -e /sys/class/net/eth0/carrier ] || ! cat /sys/class/net/eth0/carrier", 5)
    log = vm.dmesg()
    assert log.count("the device is gone") == 1
    assert not [line for line in log.splitlines() if "MCDMA" in line or "drain" in line], log
    # All ones have been counted as nothing.
    (link,) = json.loads(vm.run("ip -j -s link show eth0").output)
    numbers = [n for way in link["stats64"].values() for n in way.values()]
    assert max(numbers) < 1 << 40, link
    assert vm.run("ip link set eth0 up", check=False).status != 0
    assert vm.run("ethtool -S eth0", check=False).status != 0
    told = json.loads(vm.run(f"devlink -j health diagnose {DEVICE} reporter rx").output)
    assert told["state"] == "gone"
    # It can still be removed, and found missing.
    vm.run(f"echo 80020000.ethernet >{DRIVER}/unbind; [ ! -e /sys/class/net/eth0 ]")
    vm.run(f"echo 80020000.ethernet >{DRIVER}/bind", check=False)
    wait_for(vm, "dmesg | grep -q ' answers in the'", 5)
    clear_faults(vm)
    rebind(vm)


def test_device_that_is_gone_while_down_does_not_come_up(vm: Vm) -> None:
    vm.run("ip link set eth0 down")
    fault(vm, "kind=gone")
    assert "No such device" in vm.run("ip link set eth0 up", check=False).output
    wait_for(vm, GONE, 5)
    clear_faults(vm)
    rebind(vm)
