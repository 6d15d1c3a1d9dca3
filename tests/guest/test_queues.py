# SPDX-License-Identifier: GPL-2.0-or-later
"""ethtool -L: fewer and more queues, under traffic, with rules where they are."""

from __future__ import annotations

import re

import pytest

from tests.guest.guest import REACHED, counters
from tests.guest.test_lifecycle import flood
from tests.guest.test_rules import merged
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

COUNT = "ls -d /sys/class/net/eth0/queues/rx-* | wc -l; ls -d /sys/class/net/eth0/queues/tx-* | wc -l"


def use(vm: Vm, count: int) -> None:
    """Changes the number of queues and looks at what the stack makes of it."""
    vm.run(f"ethtool -L eth0 combined {count}")
    assert vm.run(COUNT).output.split() == [str(count)] * 2
    text = vm.run("ethtool -l eth0; ethtool -n eth0").output
    assert [int(n) for n in re.findall(r"^Combined:\s+(\d+)", text, re.MULTILINE)] == [16, count]
    assert f"{count} RX rings available" in text


@pytest.fixture
def all_queues(vm: Vm) -> Vm:
    """The guest, whose queues are all in use again afterwards."""
    yield vm
    vm.run("for n in $(ethtool -n eth0 | sed -n 's/^Filter: //p'); do ethtool -N eth0 delete $n; done; "
           "ethtool -L eth0 combined 16 2>/dev/null; ip link set eth0 up")  # fmt: skip


def test_rules_hold_their_queues(all_queues: Vm, peer: TapPeer) -> None:
    vm = all_queues
    vm.run("for n in 3 15; do ethtool -N eth0 flow-type udp4 dst-port $((5100 + n)) loc $n || exit; done")
    refused = vm.run("ethtool -L eth0 combined 15", check=False)
    # From 6.12 on, the core has looked before the driver can.
    assert refused.status != 0 and re.search("busy|ntuple", refused.output), refused.output
    vm.run("ethtool -N eth0 delete 15")
    use(vm, 4)
    assert merged(vm, peer, 5103) == 5
    # No room beyond: two queues are free, and none above can be named.
    assert vm.run("ethtool -N eth0 flow-type udp4 dst-port 9 loc 4", check=False).status != 0
    assert vm.run("ethtool -N eth0 flow-type udp4 dst-port 9 action 4", check=False).status != 0
    vm.run("for p in 1 2; do ethtool -N eth0 flow-type udp4 dst-port $p || exit; done")
    full = vm.run("ethtool -N eth0 flow-type udp4 dst-port 4", check=False)
    assert full.status != 0, full.output
    use(vm, 16)
    vm.run("ethtool -N eth0 flow-type udp4 dst-port 5115 loc 15")
    assert merged(vm, peer, 5103) == 5 and merged(vm, peer, 5115) == 5


def test_numbers_that_make_no_sense_change_nothing(all_queues: Vm) -> None:
    for words in ("combined 0", "combined 17", "rx 1", "tx 3", "other 1"):
        assert all_queues.run(f"ethtool -L eth0 {words}", check=False).status != 0, words
    assert all_queues.run(COUNT).output.split() == ["16", "16"]
    all_queues.run(REACHED, 60)


def test_every_number_under_traffic(all_queues: Vm, peer: TapPeer) -> None:
    vm = all_queues
    vm.run("ethtool -N eth0 flow-type udp4 dst-port 5101 loc 1")
    with flood(peer, vm):
        for count in (2, 16, 7, 3, 16):
            use(vm, count)
    vm.run(REACHED, 60)
    assert merged(vm, peer, 5101) == 5
    vm.run("ethtool -N eth0 delete 1")
    use(vm, 1)
    vm.run(REACHED, 60)


def test_set_while_down_and_kept(all_queues: Vm, peer: TapPeer) -> None:
    vm = all_queues
    before = counters(vm)
    vm.run("ip link set eth0 down")
    use(vm, 5)
    vm.run("ip link set eth0 up && ethtool -G eth0 rx 128 && ip link set eth0 down && ip link set eth0 up")
    assert vm.run(COUNT).output.split() == ["5", "5"]
    vm.run("ethtool -N eth0 flow-type udp4 dst-port 5101 loc 4")
    vm.run(REACHED, 60)
    assert merged(vm, peer, 5101) == 5
    # What queues have counted that are no longer used still counts.
    after = counters(vm)
    assert all(after[name] >= before[name] for name in before if name.endswith("_packets"))


def test_threaded_napi_ends_with_any_number_of_queues(all_queues: Vm) -> None:
    """Kernels from 6.17 on wait for every listed NAPI, for ever if one is off."""
    vm = all_queues
    threads = "ps w | grep -c '[n]api/eth0-'"
    for change in (
        "ethtool -L eth0 combined 2",
        "ip link set eth0 down",
        "ip link set eth0 up",
        "ethtool -L eth0 combined 16",
    ):
        vm.run("echo 1 > /sys/class/net/eth0/threaded", 20, check=False)
        vm.run(change, 60)
        # While the interface is down there is no NAPI, and the answer is EOPNOTSUPP.
        off = vm.run("echo 0 > /sys/class/net/eth0/threaded", 20, check=False)
        assert (off.status == 0) == ("down" not in change), off.output
    vm.run("echo 1 > /sys/class/net/eth0/threaded")
    assert vm.run(threads).output.strip() == "32"  # transmit queues have their own
    vm.run(REACHED, 60)
    vm.run("echo 0 > /sys/class/net/eth0/threaded", 20)
    vm.run(REACHED, 60)
