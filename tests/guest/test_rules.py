# SPDX-License-Identifier: GPL-2.0-or-later
"""`ethtool -N` and `-n`: what is taken, what is refused and how, and what survives."""

from __future__ import annotations

import re

import pytest

from tests.guest.guest import GUEST_ADDRESS, PEER_ADDRESS, counters, gained, udp_socket
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm


def rules(vm: Vm) -> dict[int, int]:
    """Location and destination port of every rule."""
    text = vm.run("ethtool -n eth0").output
    return {
        int(location): int(port)
        for location, port in re.findall(r"Filter: (\d+).*?Dest port: (\d+)", text, re.S)
    }


def add(vm: Vm, words: str) -> tuple[int, str]:
    result = vm.run(f"ethtool -N eth0 {words}", check=False)
    return result.status, result.output


def merged(vm: Vm, peer: TapPeer, port: int, count: int = 5) -> int:
    """How many of count datagrams to port the engine merged."""
    before = counters(vm)
    with udp_socket(peer) as sock:
        for _ in range(count):
            sock.sendto(b"x" * 100, (GUEST_ADDRESS, port))
    vm.run("sleep 0.3")
    return gained(before, counters(vm)).get("eoe_rx_gro", 0)


def test_any_location_fills_from_one(vm: Vm) -> None:
    for port in (5101, 5102, 5103):
        status, output = add(vm, f"flow-type udp4 dst-port {port}")
        assert status == 0, output
    assert sorted(rules(vm).values()) == [5101, 5102, 5103]
    assert set(rules(vm)) <= set(range(1, 16))
    assert len(rules(vm)) == 3


def test_location_can_be_chosen_and_replaced(vm: Vm) -> None:
    assert add(vm, "flow-type udp4 dst-port 5101 loc 7")[0] == 0
    assert rules(vm) == {7: 5101}
    assert add(vm, "flow-type udp4 dst-port 5102 loc 7")[0] == 0
    assert rules(vm) == {7: 5102}
    assert add(vm, "delete 7")[0] == 0
    assert rules(vm) == {}


def test_deleting_nothing_is_an_error(vm: Vm) -> None:
    assert add(vm, "delete 3")[0] != 0


def test_sixteenth_rule_finds_no_room(vm: Vm) -> None:
    for number in range(15):
        assert add(vm, f"flow-type udp4 dst-port {6000 + number}")[0] == 0
    status, output = add(vm, "flow-type udp4 dst-port 6100")
    assert status != 0
    assert "No space" in output, output
    assert len(rules(vm)) == 15


def test_same_port_twice_exists(vm: Vm) -> None:
    assert add(vm, "flow-type udp4 dst-port 5101 loc 2")[0] == 0
    status, output = add(vm, "flow-type udp4 dst-port 5101 loc 3")
    assert status != 0
    assert "exists" in output, output
    assert rules(vm) == {2: 5101}


@pytest.mark.parametrize(
    "words",
    [
        "flow-type tcp4 dst-port 5101",
        "flow-type udp6 dst-port 5101",
        "flow-type udp4 src-port 5101",
        "flow-type udp4 dst-port 5101 src-port 9",
        "flow-type udp4 dst-port 5101 src-ip 10.10.0.1",
        "flow-type udp4 dst-port 5101 tos 4",
        "flow-type udp4 dst-port 5101 m 0x00ff",
        "flow-type udp4 dst-port 5101 vlan 5",
        "flow-type udp4",
        "flow-type udp4 dst-port 0",
        "flow-type udp4 dst-port 5101 loc 0",
        "flow-type udp4 dst-port 5101 loc 16",
        "flow-type udp4 dst-port 5101 loc 4000000000",
        "flow-type udp4 dst-port 5101 action -1",
        "flow-type ether dst 00:0a:35:00:22:01",
    ],
)
def test_what_the_engine_cannot_do_is_refused(vm: Vm, words: str) -> None:
    status, output = add(vm, words)
    assert status != 0, output
    assert output.strip()
    assert rules(vm) == {}


def test_edge_ports_are_taken(vm: Vm) -> None:
    for port in (1, 65535):
        assert add(vm, f"flow-type udp4 dst-port {port}")[0] == 0
    assert sorted(rules(vm).values()) == [1, 65535]


@pytest.mark.parametrize(
    "disturbance",
    [
        "ip link set eth0 down; ip link set eth0 up",
        "ethtool -G eth0 rx 256; ethtool -G eth0 rx 512",
        "ethtool -C eth0 rx-usecs 60; ethtool -C eth0 rx-usecs 50",
        "ip link set eth0 mtu 1400; ip link set eth0 mtu 1500",
    ],
)
def test_rules_survive(vm: Vm, peer: TapPeer, disturbance: str) -> None:
    assert add(vm, "flow-type udp4 dst-port 5101 loc 4")[0] == 0
    assert merged(vm, peer, 5101) == 5
    vm.run(disturbance)
    vm.run(f"for i in $(seq 20); do ping -c 1 -W 1 {PEER_ADDRESS} && exit 0; done; exit 1", 40)
    assert rules(vm) == {4: 5101}
    assert merged(vm, peer, 5101) == 5


def test_deleted_rule_merges_no_more(vm: Vm, peer: TapPeer) -> None:
    assert add(vm, "flow-type udp4 dst-port 5101 loc 4")[0] == 0
    assert merged(vm, peer, 5101) == 5
    assert add(vm, "delete 4")[0] == 0
    assert merged(vm, peer, 5101) == 0


def test_rules_follow_the_address(vm: Vm, peer: TapPeer) -> None:
    """Ports merge what is sent to the interface's address, whichever that is now."""
    assert add(vm, "flow-type udp4 dst-port 5101")[0] == 0
    assert merged(vm, peer, 5101) == 5
    vm.run("ip address del 10.10.0.2/24 dev eth0; ip address add 10.10.0.9/24 dev eth0")
    try:
        before = counters(vm)
        with udp_socket(peer) as sock:
            for _ in range(5):
                sock.sendto(b"y" * 100, ("10.10.0.9", 5101))
        vm.run("sleep 0.3")
        assert gained(before, counters(vm)).get("eoe_rx_gro", 0) == 5
    finally:
        vm.run("ip address del 10.10.0.9/24 dev eth0; ip address add 10.10.0.2/24 dev eth0")
    assert merged(vm, peer, 5101) == 5
