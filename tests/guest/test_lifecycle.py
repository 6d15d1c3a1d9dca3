# SPDX-License-Identifier: GPL-2.0-or-later
"""Up, down, out, in again, cable pulled: under traffic, and with nothing lost for good."""

from __future__ import annotations

import pytest

from tests.guest.guest import PEER_ADDRESS, flood
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

DRIVER = "/driver/xilinx_axienet_eoe.ko"
REACHED = (
    f"for i in $(seq 30); do ping -c 1 -W 1 {PEER_ADDRESS} >/dev/null && exit 0; sleep 0.2; done; "
    "exit 1"
)


def add_rules(vm: Vm) -> None:
    vm.run("for p in 5101 5102; do ethtool -N eth0 flow-type udp4 dst-port $p || exit; done")


def test_down_and_up_under_flood(vm: Vm, peer: TapPeer) -> None:
    add_rules(vm)
    with flood(peer, vm):
        vm.run("for i in $(seq 12); do ip link set eth0 down; ip link set eth0 up; sleep 0.3; done",
               60)  # fmt: skip
    vm.run(REACHED)


def test_unload_and_reload_under_flood(vm: Vm, peer: TapPeer) -> None:
    with flood(peer, vm):
        vm.run(
            "for i in $(seq 8); do\n"
            "  ethtool -N eth0 flow-type udp4 dst-port 5101 || exit\n"
            "  sleep 0.5\n"
            f"  rmmod xilinx_axienet_eoe || exit; insmod {DRIVER} || exit\n"
            "  ip address add 10.10.0.2/24 dev eth0 && ip link set eth0 up || exit\n"
            "  sleep 0.5\n"
            "done",
            90,
        )
    vm.run(REACHED)


def test_unbind_and_bind_under_flood(vm: Vm, peer: TapPeer) -> None:
    with flood(peer, vm):
        vm.run(
            "cd /sys/bus/platform/drivers/xilinx_axienet_eoe\n"
            "for i in $(seq 5); do\n"
            "  echo 80020000.ethernet >unbind || exit; echo 80020000.ethernet >bind || exit\n"
            "  ip address add 10.10.0.2/24 dev eth0 && ip link set eth0 up || exit\n"
            "  sleep 0.5\n"
            "done",
            60,
        )
    vm.run(REACHED)


@pytest.mark.parametrize(
    "change",
    [
        "ethtool -G eth0 rx $((64 << i % 4)) tx $((64 << i % 3))",
        "ethtool -C eth0 rx-usecs $((10 + i)) rx-frames $((1 + i)) tx-frames $((1 + i))",
        "ethtool -K eth0 tx-udp-segmentation $([ $((i % 2)) = 0 ] && echo on || echo off)",
        "ethtool -K eth0 gro $([ $((i % 2)) = 0 ] && echo on || echo off)",
    ],
    ids=["rings", "coalescing", "segmentation", "gro"],
)
def test_settings_change_under_flood(vm: Vm, peer: TapPeer, change: str) -> None:
    add_rules(vm)
    with flood(peer, vm):
        vm.run(f"for i in $(seq 12); do {change} || exit; sleep 0.2; done", 60)
    vm.run("ethtool -G eth0 rx 512 tx 512")
    vm.run(REACHED)


def test_carrier_follows_the_cable(vm: Vm) -> None:
    carrier = "cat /sys/class/net/eth0/carrier"
    wait = "for i in $(seq 50); do [ $(%s) = %d ] && exit 0; sleep 0.1; done; exit 1"
    for _ in range(3):
        vm.qmp("set_link", name="net0", up=False)
        vm.run(wait % (carrier, 0))
        vm.qmp("set_link", name="net0", up=True)
        vm.run(wait % (carrier, 1))
    vm.run(REACHED)


def test_up_without_cable_does_not_fail(vm: Vm) -> None:
    vm.run("ip link set eth0 down")
    vm.qmp("set_link", name="net0", up=False)
    try:
        vm.run("ip link set eth0 up && [ $(cat /sys/class/net/eth0/carrier) = 0 ]")
    finally:
        vm.qmp("set_link", name="net0", up=True)
    vm.run(REACHED)


def test_memory_comes_back(vm: Vm, peer: TapPeer) -> None:
    """Rounds of load, traffic and unload leave the kernel's memory where it was."""
    used = (
        # A sender that is still ending holds more than what is looked for.
        "for i in $(seq 50); do pgrep -f guest-udp >/dev/null || break; sleep 0.1; done\n"
        "rmmod xilinx_axienet_eoe; echo 3 >/proc/sys/vm/drop_caches; sleep 1; "
        "awk '/^MemFree:/ { print $2 }' /proc/meminfo\n"
        f"insmod {DRIVER} && ip address add 10.10.0.2/24 dev eth0 && ip link set eth0 up"
    )

    def round_of_traffic() -> int:
        with flood(peer, vm):
            vm.run("sleep 1")
        # The shell may say first that it has ended the sender.
        return int(vm.run(used).output.split()[-1])

    for _ in range(2):
        round_of_traffic()
    free = [round_of_traffic() for _ in range(4)]
    # One ring of 512 pages is 2048 KiB: a round that forgot one shows.
    assert free[0] - free[-1] < 2048, f"free memory by round: {free} KiB"
