# SPDX-License-Identifier: GPL-2.0-or-later
"""Hardware GRO: what sockets see of a train of datagrams the engine has merged."""

from __future__ import annotations

import hashlib
import socket

import pytest
from scapy.all import IP, UDP, Ether, Raw, fragment  # type: ignore[attr-defined]

from tests.guest.guest import (
    GUEST_ADDRESS,
    PEER_ADDRESS,
    background,
    counters,
    facts,
    gained,
    udp_socket,
)
from tests.guest.guest_udp import pattern
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

PORT = 5101
GUEST_MAC = "00:0a:35:00:22:01"


def digest(data: bytes) -> str:
    return hashlib.sha1(data).hexdigest()[:16]


def rule(vm: Vm, port: int = PORT) -> None:
    vm.run(f"ethtool -N eth0 flow-type udp4 dst-port {port}")


def received(
    vm: Vm, peer: TapPeer, sizes: list[int], gro: bool, port: int = PORT
) -> tuple[list[dict[str, object]], dict[str, int]]:
    """Sends pattern(n, sizes[n]) in one burst; returns the guest's receive calls and counters."""
    flag = "--gro" if gro else ""
    before = counters(vm)
    with (
        background(vm, f"guest-udp recv --port {port} --bytes {sum(sizes)} {flag}") as receiver,
        udp_socket(peer) as sock,
    ):
        sock.connect((GUEST_ADDRESS, port))
        for number, size in enumerate(sizes):
            sock.send(pattern(number, size))
        seen = facts(receiver.output(30))
    return [fact for fact in seen if "sha" in fact], gained(before, counters(vm))


TRAINS = {
    "lone": [1000],
    "equal": [1400] * 12,
    "last shorter": [1400] * 7 + [123],
    "full size": [1472] * 40,
    "QUIC": [1200] * 50,
    "small": [8] * 60,
    "one byte": [1] * 30,
}


@pytest.mark.parametrize("sizes", TRAINS.values(), ids=TRAINS.keys())
def test_plain_socket_sees_each_datagram(vm: Vm, peer: TapPeer, sizes: list[int]) -> None:
    rule(vm)
    calls, moved = received(vm, peer, sizes, gro=False)
    assert [call["len"] for call in calls] == sizes
    assert [call["sha"] for call in calls] == [
        digest(pattern(number, size)) for number, size in enumerate(sizes)
    ]
    # The engine did it: its own counter of datagrams accepted for merging says so.
    assert moved.get("eoe_rx_gro", 0) == len(sizes), moved


@pytest.mark.parametrize("sizes", TRAINS.values(), ids=TRAINS.keys())
def test_gro_socket_sees_merges_and_their_size(vm: Vm, peer: TapPeer, sizes: list[int]) -> None:
    rule(vm)
    calls, moved = received(vm, peer, sizes, gro=True)
    whole = b"".join(pattern(number, size) for number, size in enumerate(sizes))
    at = 0
    for call in calls:
        length = int(str(call["len"]))
        part = whole[at : at + length]
        assert call["sha"] == digest(part), f"bytes {at}.. of the train"
        at += length
        if length > sizes[0]:
            assert call["gro"] == sizes[0]
    assert at == len(whole)
    assert moved.get("eoe_rx_gro", 0) == len(sizes), moved


def test_merging_saves_packets(vm: Vm, peer: TapPeer) -> None:
    """A long train reaches the stack in fewer pieces than it has datagrams."""
    rule(vm)
    calls, _ = received(vm, peer, [1472] * 400, gro=True)
    assert sum(int(str(call["len"])) for call in calls) == 400 * 1472
    assert len(calls) < 400 / 4, f"{len(calls)} receive calls for 400 datagrams"


def test_port_without_rule_is_not_merged(vm: Vm, peer: TapPeer) -> None:
    rule(vm)
    sizes = [700] * 20
    calls, moved = received(vm, peer, sizes, gro=False, port=PORT + 1)
    assert [call["len"] for call in calls] == sizes
    assert "eoe_rx_gro" not in moved
    assert moved.get("eoe_rx_non_gro", 0) >= len(sizes)


def test_fifteen_ports_at_once(vm: Vm, peer: TapPeer) -> None:
    ports = [6001 + n for n in range(15)]
    vm.run("; ".join(f"ethtool -N eth0 flow-type udp4 dst-port {port} || exit" for port in ports))
    count, size = 12, 1111
    script = " & ".join(
        f"guest-udp recv --port {port} --bytes {count * size} --timeout 15 >/tmp/recv.{port}"
        for port in ports
    )
    with background(vm, f"sh -c '{script} & wait'", ready=""):
        vm.run(
            f"for port in {' '.join(map(str, ports))}; do for i in $(seq 300); do "
            "grep -q ready /tmp/recv.$port && continue 2; sleep 0.1; done; exit 1; done",
            timeout=60,
        )
        with udp_socket(peer) as sock:
            for number in range(count):
                for port in ports:
                    sock.sendto(pattern(number + port, size), (GUEST_ADDRESS, port))
        for port in ports:
            text = vm.run(
                f"for i in $(seq 200); do grep -q total /tmp/recv.{port} && break; sleep 0.1; done; "
                f"cat /tmp/recv.{port}"
            ).output
            calls = [fact for fact in facts(text) if "sha" in fact]
            assert [call["sha"] for call in calls] == [
                digest(pattern(number + port, size)) for number in range(count)
            ], f"port {port}"


def test_bad_checksum_on_a_merging_port_is_not_delivered(vm: Vm, peer: TapPeer) -> None:
    """The engine passes it unmerged, the stack finds it wrong; the others arrive."""
    rule(vm)
    sizes = 500

    def frame(number: int, spoil: bool) -> bytes:
        packet = Ether(dst=GUEST_MAC, src="02:00:00:00:00:01") / IP(
            src=PEER_ADDRESS, dst=GUEST_ADDRESS
        ) / UDP(sport=4000, dport=PORT) / Raw(pattern(number, sizes))  # fmt: skip
        data = bytearray(bytes(packet))
        if spoil:
            data[-1] ^= 0xFF
        return bytes(data)

    before = counters(vm)
    with (
        background(vm, f"guest-udp recv --port {PORT} --bytes {4 * sizes} --timeout 3") as receiver,
        peer.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as raw,
    ):
        raw.bind(("tap0", 0))
        for number in range(5):
            raw.send(frame(number, spoil=number == 2))
        calls = [fact for fact in facts(receiver.output(20)) if "sha" in fact]
    assert [call["sha"] for call in calls] == [
        digest(pattern(number, sizes)) for number in (0, 1, 3, 4)
    ]
    assert gained(before, counters(vm)).get("eoe_rx_csum_errors") == 1


def test_other_kinds_on_a_merging_port_arrive(vm: Vm, peer: TapPeer) -> None:
    """IP options, fragments, no UDP checksum, no payload: unmerged, unharmed."""
    rule(vm)
    base = IP(src=PEER_ADDRESS, dst=GUEST_ADDRESS)
    options = IP(src=PEER_ADDRESS, dst=GUEST_ADDRESS, options=[b"\x94\x04\x00\x00"])
    udp = UDP(sport=4000, dport=PORT)
    packets = [
        options / udp / Raw(pattern(0, 300)),
        base / UDP(sport=4000, dport=PORT, chksum=0) / Raw(pattern(1, 301)),
        *fragment(base / udp / Raw(pattern(2, 3000)), fragsize=1400),
        base / udp / Raw(pattern(3, 303)),
    ]
    with (
        background(vm, f"guest-udp recv --port {PORT} --bytes 3904 --timeout 4") as receiver,
        peer.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as raw,
    ):
        raw.bind(("tap0", 0))
        for packet in packets:
            raw.send(bytes(Ether(dst=GUEST_MAC, src="02:00:00:00:00:01") / packet))
        calls = [fact for fact in facts(receiver.output(20)) if "sha" in fact]
    assert sorted(str(call["sha"]) for call in calls) == sorted(
        digest(pattern(number, size)) for number, size in ((0, 300), (1, 301), (2, 3000), (3, 303))
    )


def test_two_senders_on_one_port_are_kept_apart(vm: Vm, peer: TapPeer) -> None:
    rule(vm)
    count, size = 20, 600
    with (
        background(
            vm, f"guest-udp recv --port {PORT} --bytes {2 * count * size} --timeout 5"
        ) as receiver,
        udp_socket(peer) as one,
        udp_socket(peer) as two,
    ):
        for number in range(count):
            one.sendto(pattern(number, size), (GUEST_ADDRESS, PORT))
            two.sendto(pattern(1000 + number, size), (GUEST_ADDRESS, PORT))
        sources = {one.getsockname()[1]: 0, two.getsockname()[1]: 1000}
        calls = [fact for fact in facts(receiver.output(20)) if "sha" in fact]
    assert len(calls) == 2 * count
    for port, first in sources.items():
        mine = [call["sha"] for call in calls if call["from"][1] == port]  # type: ignore[index]
        assert mine == [digest(pattern(first + n, size)) for n in range(count)]
