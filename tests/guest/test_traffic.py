# SPDX-License-Identifier: GPL-2.0-or-later
"""Ordinary traffic both ways: ARP, ICMP, TCP, and UDP of every payload size, to the byte."""

from __future__ import annotations

import hashlib
import json
import re
import socket

import pytest
from scapy.all import ARP, IP, UDP, Dot1Q, Ether, Raw  # type: ignore[attr-defined]

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
from tests.guest.wire import Capture, assert_right
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

LARGEST = 1472  # MTU 1500 less IPv4 and UDP headers


def test_ping_of_all_kinds(vm: Vm, peer: TapPeer) -> None:
    for size in (0, 1, 17, 18, 56, 1472, 1473, 8000):
        vm.run(f"ping -c 3 -i 0.2 -W 2 -s {size} {PEER_ADDRESS}", 20)
        peer.run(["ping", "-c", "3", "-i", "0.2", "-W", "2", "-s", str(size), GUEST_ADDRESS])


def test_arp_is_padded_to_the_minimum(vm: Vm, capture: Capture) -> None:
    vm.run(f"ip neigh flush dev eth0; ping -c 1 -W 2 {PEER_ADDRESS}")
    requests = [
        frame for frame in capture.frames
        if not frame.to_guest and ARP in frame.packet and frame.packet[ARP].op == 1
    ]  # fmt: skip
    assert requests
    # 42 bytes of ARP: the driver pads to 60, the EOE to 64 on its stream (PG451).
    assert {len(frame.data) for frame in requests} == {64}
    assert not any(requests[0].data[42:])


@pytest.mark.parametrize("to_guest", [False, True], ids=["out", "in"])
def test_tcp_moves_a_file_unchanged(vm: Vm, peer: TapPeer, to_guest: bool) -> None:
    size = 8 << 20
    data = b"".join(pattern(n, 1 << 16) for n in range(size >> 16))
    with peer.socket(socket.AF_INET, socket.SOCK_STREAM) as server:
        server.bind((PEER_ADDRESS, 0))
        server.listen(1)
        server.settimeout(30)
        port = server.getsockname()[1]
        count = 0 if to_guest else size >> 16
        command = f"guest-udp stream --to {PEER_ADDRESS} --port {port} --count {count}"
        with background(vm, command, ready="") as client:
            connection, _ = server.accept()
            with connection:
                connection.settimeout(60)
                if to_guest:
                    connection.sendall(data)
                    connection.shutdown(socket.SHUT_WR)
                    assert facts(client.output(60)) == [{"sha": hashlib.sha1(data).hexdigest()}]
                else:
                    got = bytearray()
                    while part := connection.recv(1 << 20):
                        got += part
                    assert bytes(got) == data


def test_udp_of_every_size_both_ways(vm: Vm, peer: TapPeer, capture: Capture) -> None:
    """Each size 0..1472 goes in and comes back; sockets and wire agree to the byte."""
    port = 7001
    count = LARGEST + 1
    before = counters(vm)
    with (
        background(vm, f"guest-udp echo --port {port} --count {count} --timeout 30") as echo,
        udp_socket(peer) as sock,
    ):
        sock.settimeout(5)
        mine = sock.getsockname()[1]
        for size in range(count):
            sent = pattern(size, size)
            sock.sendto(sent, (GUEST_ADDRESS, port))
            got, source = sock.recvfrom(65536)
            assert (got, source) == (sent, (GUEST_ADDRESS, port)), f"payload of {size} bytes"
        assert facts(echo.output())[-1] == {"echoed": count}

    inward = capture.select(to_guest=True, port=port)
    outward = capture.select(to_guest=False, port=mine)
    assert len(inward) == len(outward) == count
    for size, frame in enumerate(outward):
        assert frame.payload == pattern(size, size)
        assert_right(frame)
        # IPv4 and UDP headers are 28 bytes; below 46 of both, the EOE fills 64 on the stream.
        assert len(frame.data) == max(64, 42 + size), size
    moved = gained(before, counters(vm))
    assert not {name: n for name, n in moved.items() if re.search("err|drop|bad", name)}, moved


def drop_counts(vm: Vm, peer: TapPeer) -> dict[str, int]:
    """Every place on the way in that may drop a datagram, with what it has counted so far."""
    found = {
        name: value
        for name, value in counters(vm).items()
        if name.endswith("_no_descriptor") or name == "eoe_rx_dropped"
    }
    udp = [line.split() for line in vm.run("grep ^Udp: /proc/net/snmp").output.splitlines()]
    found["socket"] = int(dict(zip(*udp, strict=True))["RcvbufErrors"])
    # /sys shows the namespace it was mounted in, which is not the peer's.
    link = json.loads(peer.run(["ip", "-s", "-j", "link", "show", "tap0"]).stdout)[0]
    found["tap"] = int(link["stats64"]["tx"]["dropped"])
    return found


def test_burst_in_keeps_order_and_accounts_for_every_loss(vm: Vm, peer: TapPeer) -> None:
    """Far more frames than there are descriptors, as fast as the peer can."""
    port, count, size = 7002, 5000, 1000
    before = drop_counts(vm, peer)
    with (
        background(
            vm, f"guest-udp recv --port {port} --bytes {count * size} --timeout 3"
        ) as receiver,
        udp_socket(peer) as sock,
    ):
        for number in range(count):
            sock.sendto(pattern(number, size), (GUEST_ADDRESS, port))
        seen = facts(receiver.output(60))
    place = {hashlib.sha1(pattern(n, size)).hexdigest()[:16]: n for n in range(count)}
    numbers = [place[str(fact["sha"])] for fact in seen if "sha" in fact]
    assert numbers == sorted(set(numbers)), "datagrams twice or out of order"
    assert numbers
    lost = gained(before, drop_counts(vm, peer))
    assert len(numbers) + sum(lost.values()) == count, lost


def test_checksum_offload_off_shows_on_the_wire(vm: Vm, peer: TapPeer, capture: Capture) -> None:
    """With `ethtool -K tx off` the stack's own checksums leave, and they are right as well."""
    vm.run("ethtool -K eth0 tx off")
    with udp_socket(peer) as sock:
        port = sock.getsockname()[1]
        vm.run(f"guest-udp send --to {PEER_ADDRESS} --port {port} --first 100 --last 120")
        for number in range(100, 121):
            assert sock.recv(65536) == pattern(number, number)
    frames = capture.select(to_guest=False, port=port)
    assert len(frames) == 21
    for frame in frames:
        assert_right(frame)


def test_udp_without_checksum_stays_without(vm: Vm, peer: TapPeer, capture: Capture) -> None:
    """The stack asked for no checksum: the engine must not make one."""
    with udp_socket(peer) as sock:
        port = sock.getsockname()[1]
        vm.run(
            f"guest-udp send --no-check --to {PEER_ADDRESS} --port {port} --first 5 --last 9"
        )
        for number in range(5, 10):
            assert sock.recv(65536) == pattern(number, number)
    frames = capture.select(to_guest=False, port=port)
    assert [frame.packet[UDP].chksum for frame in frames] == [0] * 5


def test_ip_options_and_vlan_leave_right(vm: Vm, peer: TapPeer, capture: Capture) -> None:
    vm.run("modprobe 8021q 2>/dev/null; true")
    vm.run(
        f"ping -c 2 -i 0.2 -R {PEER_ADDRESS} >/dev/null; "  # record route: 40 bytes of options
        "ip link add link eth0 name eth0.5 type vlan id 5 && ip link set eth0.5 up && "
        "ip address add 10.50.0.2/24 dev eth0.5 && "
        "ip neigh add 10.50.0.1 lladdr 02:00:00:00:00:09 dev eth0.5"
    )
    try:
        vm.run("guest-udp send --to 10.50.0.1 --port 9 --first 700 --last 703")
        assert capture.wait(lambda: len(capture.select(to_guest=False, port=9)) == 4)
    finally:
        vm.run("ip link del eth0.5")
    for number, frame in enumerate(capture.select(to_guest=False, port=9), 700):
        assert frame.packet[Dot1Q].vlan == 5
        assert frame.payload == pattern(number, number)
        assert_right(frame)


def test_short_and_odd_frames_from_the_wire_do_no_harm(vm: Vm, peer: TapPeer) -> None:
    """Runts, lies about lengths, foreign types: the guest goes on as before."""
    header = Ether(dst="00:0a:35:00:22:01", src="02:00:00:00:00:01")
    ip = IP(src=PEER_ADDRESS, dst=GUEST_ADDRESS)
    hostile = [
        bytes(header),
        bytes(header / ip)[:20],
        bytes(header / ip / UDP(dport=9, len=4)),
        bytes(header / ip / UDP(dport=9, len=65535) / Raw(b"x" * 30)),
        bytes(header / IP(src=PEER_ADDRESS, dst=GUEST_ADDRESS, len=20) / UDP(dport=9) / b"yy"),
        bytes(header / IP(src=PEER_ADDRESS, dst=GUEST_ADDRESS, ihl=15) / UDP(dport=9)),
        bytes(header / IP(src=PEER_ADDRESS, dst=GUEST_ADDRESS, ihl=3) / UDP(dport=9)),
        bytes(header / IP(version=7, src=PEER_ADDRESS, dst=GUEST_ADDRESS) / UDP(dport=9)),
        bytes(Ether(dst="ff:ff:ff:ff:ff:ff", type=0x88B5)) + bytes(range(200)),
        bytes(header) + b"\xff" * 1486,
    ]
    with peer.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as raw:
        raw.bind(("tap0", 0))
        for frame in hostile * 5:
            raw.send(frame)
    vm.run(f"ping -c 2 -i 0.2 -W 2 {PEER_ADDRESS}")
