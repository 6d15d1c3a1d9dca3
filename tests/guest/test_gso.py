# SPDX-License-Identifier: GPL-2.0-or-later
"""UDP segmentation: what one large send looks like on the wire, frame by frame."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from scapy.all import IP, UDP, Dot1Q  # type: ignore[attr-defined]

from tests.guest.guest import PEER_ADDRESS, facts, udp_socket
from tests.guest.guest_udp import pattern
from tests.guest.wire import Capture, Frame, assert_right
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

EVENT = "/sys/kernel/tracing/events/net/net_dev_start_xmit"
TRACE = "/sys/kernel/tracing/trace"


def traced(vm: Vm, command: str) -> list[dict[str, int]]:
    """Runs command; returns what the stack handed to eth0: length, its linear part, gso_size."""
    output = vm.run(
        f"echo >{TRACE}; echo 'name == \"eth0\"' >{EVENT}/filter; echo 1 >{EVENT}/enable\n"
        f"{command}; r=$?\necho 0 >{EVENT}/enable; cat {TRACE}; exit $r"
    ).output
    sent = [fact for fact in facts(output) if "sent" in fact]
    assert sent, output
    packets = []
    for line in output.splitlines():
        found = dict(re.findall(r"(\w+)=(\S+)", line))
        if "gso_size" in found and found.get("protocol") == "0x0800":
            packets.append(
                {
                    "len": int(found["len"]),
                    "linear": int(found["len"]) - int(found["data_len"]),
                    "gso_size": int(found["gso_size"]),
                }
            )
    return packets


def assert_segments(frames: list[Frame], data: bytes, size: int, options: int = 0) -> None:
    """The frames are data cut into size-byte datagrams, headers right, identifiers in a row."""
    cut = [data[start : start + size] for start in range(0, len(data), size)]
    assert [len(frame.payload) for frame in frames] == [len(part) for part in cut]
    for frame, part in zip(frames, cut, strict=True):
        assert frame.payload == part
        assert_right(frame)
        assert frame.packet[IP].len == 28 + options + len(part)
    identifiers = [frame.packet[IP].id for frame in frames]
    steps = {(after - before) & 0x3FFF for before, after in pairwise(identifiers)}
    # The kernel's own segmentation counts on; with DF set it may as well repeat.
    assert steps <= {1} or steps <= {0}, identifiers
    first = frames[0].packet
    for frame in frames:
        packet = frame.packet
        for field in ("src", "dst", "ttl", "tos", "proto", "flags", "frag"):
            assert packet[IP].getfieldval(field) == first[IP].getfieldval(field)
        assert (packet[UDP].sport, packet[UDP].dport) == (first[UDP].sport, first[UDP].dport)


CASES = [
    (1472, 44 * 1472, "44 full segments"),
    (1472, 3 * 1472 + 1, "a tail of one byte"),
    (1200, 54 * 1200, "QUIC's size, full"),
    (1200, 5 * 1200 + 1199, "a tail one short of a segment"),
    (1000, 4 * 1000, "four of 1000"),
    # 65493 + 42 bytes of headers: one more and the stack itself cuts (gso_max_size, 65536).
    (1472, 65493, "the most the stack hands over"),
    (1, 64, "one byte each"),
    (500, 501, "two segments, the second of one byte"),
    (22, 22 * 60, "segments below the minimum frame"),
]


@pytest.mark.parametrize(("size", "total"), [c[:2] for c in CASES], ids=[c[2] for c in CASES])
@pytest.mark.parametrize("hardware", [True, False], ids=["hardware", "software"])
def test_segments_on_the_wire(
    vm: Vm, peer: TapPeer, capture: Capture, size: int, total: int, hardware: bool
) -> None:
    """The engine's frames and the kernel's are judged by the same rules."""
    vm.run(f"ethtool -K eth0 tx-udp-segmentation {'on' if hardware else 'off'}")
    with udp_socket(peer) as sock:
        port = sock.getsockname()[1]
        packets = traced(
            vm, f"guest-udp gso --to {PEER_ADDRESS} --port {port} --total {total} --gso {size}"
        )
        count = -(-total // size)
        got = [sock.recv(65536) for _ in range(count)]
    data = pattern(1, total)
    assert b"".join(got) == data
    assert_segments(capture.select(to_guest=False, port=port), data, size)
    if hardware:
        assert [packet["gso_size"] for packet in packets] == [size], "the stack cut it itself"
    else:
        assert [packet["gso_size"] for packet in packets] == [0] * count


def test_seventeen_fragments(vm: Vm, peer: TapPeer, capture: Capture) -> None:
    """The most pieces an skb may have, each in a page of its own, gathered by the engine."""
    total, size = 17 * 3600, 1472
    with udp_socket(peer) as sock:
        port = sock.getsockname()[1]
        packets = traced(
            vm,
            f"guest-udp gso --to {PEER_ADDRESS} --port {port} --total {total} --gso {size} "
            "--pieces 17",
        )
        got = b"".join(sock.recv(65536) for _ in range(-(-total // size)))
    assert got == pattern(1, total)
    # The linear part is the headers alone, so all of the payload lies in fragments; pieces of
    # 3600 bytes in pages of 4096 cannot touch, so there is one for each of the seventeen.
    assert packets == [{"len": 42 + total, "linear": 42, "gso_size": size}]
    assert_segments(capture.select(to_guest=False, port=port), pattern(1, total), size)


def test_many_sends_in_a_row(vm: Vm, peer: TapPeer, capture: Capture) -> None:
    """Rings wrap several times; every datagram leaves once, whole and in order."""
    rounds, size, total = 40, 1400, 40 * 1400
    with udp_socket(peer) as sock:
        port = sock.getsockname()[1]
        vm.run(
            f"guest-udp gso --to {PEER_ADDRESS} --port {port} --rounds {rounds} "
            f"--total {total} --gso {size}",
            timeout=60,
        )
        got = [sock.recv(65536) for _ in range(rounds * 40)]
    for number in range(rounds):
        assert b"".join(got[number * 40 : number * 40 + 40]) == pattern(number + 1, total)
    for frame in capture.select(to_guest=False, port=port):
        assert_right(frame)


def test_ip_options_are_cut_right(vm: Vm, peer: TapPeer, capture: Capture) -> None:
    size, total = 1400, 4 * 1400 + 7
    with udp_socket(peer) as sock:
        port = sock.getsockname()[1]
        vm.run(
            f"guest-udp gso --to {PEER_ADDRESS} --port {port} --total {total} --gso {size} "
            "--options"
        )
        got = b"".join(sock.recv(65536) for _ in range(5))
    assert got == pattern(1, total)
    assert_segments(capture.select(to_guest=False, port=port), pattern(1, total), size, options=4)


def test_vlan_is_cut_right(vm: Vm, capture: Capture) -> None:
    size, total = 1000, 3 * 1000 + 9
    vm.run(
        "modprobe 8021q 2>/dev/null; ip link add link eth0 name eth0.7 type vlan id 7 && "
        "ip link set eth0.7 up && ip address add 10.70.0.2/24 dev eth0.7 && "
        "ip neigh add 10.70.0.1 lladdr 02:00:00:00:00:09 dev eth0.7"
    )
    try:
        vm.run(f"guest-udp gso --to 10.70.0.1 --port 9 --total {total} --gso {size}")
        assert capture.wait(lambda: len(capture.select(to_guest=False, port=9)) >= 4)
    finally:
        vm.run("ip link del eth0.7")
    frames = capture.select(to_guest=False, port=9)
    assert {frame.packet[Dot1Q].vlan for frame in frames} == {7}
    assert b"".join(frame.payload for frame in frames) == pattern(1, total)
    for frame in frames:
        assert_right(frame)


def test_transmitted_packets_are_wire_packets(vm: Vm, peer: TapPeer, capture: Capture) -> None:
    """tx_packets and tx_bytes count what left, not what the stack handed over."""
    read = "cat /sys/class/net/eth0/statistics/tx_packets /sys/class/net/eth0/statistics/tx_bytes"
    with udp_socket(peer) as sock:
        port = sock.getsockname()[1]
        # Soon after the link comes up IPv6 still announces itself.
        vm.run(f"sysctl -qw net.ipv6.conf.eth0.disable_ipv6=1; ping -c 1 {PEER_ADDRESS}")
        before = [int(word) for word in vm.run(read).output.split()]
        vm.run(f"guest-udp gso --to {PEER_ADDRESS} --port {port} --total 40000 --gso 1000")
        for _ in range(40):
            sock.recv(65536)
        after = [int(word) for word in vm.run(read).output.split()]
        vm.run("sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0")
    assert len(capture.select(to_guest=False, port=port)) == 40
    # An ARP answer may slip in between; nothing else sends.
    assert 40 <= after[0] - before[0] <= 42
    assert 40 * 1042 <= after[1] - before[1] <= 40 * 1042 + 2 * 64
