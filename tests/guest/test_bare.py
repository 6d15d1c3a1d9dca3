# SPDX-License-Identifier: GPL-2.0-or-later
"""Without an operating system: two ports back to back that repeat exactly, and a chain without end."""

from __future__ import annotations

import struct
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from scapy.all import IP, UDP, Ether, Raw  # type: ignore[attr-defined]

from tests.guest.bare import (
    CCR,
    CHEN,
    COMPLETE,
    ENGINE,
    EOF,
    ERR,
    LENGTH,
    MAC,
    MCDMA,
    MM2S,
    NEXT_PORT,
    S2MM,
    SOF,
    Bare,
    Image,
    descriptor,
)
from tests.guest.qtest import Bus

SIZE = 1000  # bytes of a datagram's payload
HEADER = 42  # Ethernet, IPv4 and UDP
CHECKSUMS_ONLY = 1500 << 16 | 0x0D00  # APP1
SLOTS = 16  # descriptors of a ring
MERGE_ENDS = 1 << 29  # in APP0


def ring(direction: int, channel: int, n: int = 0) -> int:
    return 0x100000 + (0x80000 if direction else 0) + channel * 0x4000 + n % SLOTS * 64


def buffer(direction: int, channel: int, n: int) -> int:
    return (0x300000 if direction else 0x200000) + channel * 0x10000 + n * (0x1000 if direction else 0x4000)


def payload(count: int, seed: int) -> bytes:
    return bytes((seed + 7 * n) & 0xFF for n in range(count * SIZE))


def datagram(host: int, port: int, content: bytes) -> bytes:
    """From the other of the two hosts 10.10.0.2 and 10.10.0.3."""
    addresses = IP(src=f"10.10.0.{5 - host}", dst=f"10.10.0.{host}")
    return bytes(Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / addresses
                 / UDP(sport=40000, dport=port) / Raw(content))  # fmt: skip


class Traffic(Image):
    """Both ports send packets to be cut; the first one three more, each a frame, on another channel."""

    def __init__(self, pause: int) -> None:
        super().__init__()
        for port in (0, 1):
            self.store(MCDMA + port * NEXT_PORT + MM2S + CHEN, 0xFFFF)
            self.store(MCDMA + port * NEXT_PORT + S2MM + CHEN, 0xFFFF)
            self.store(ENGINE + port * NEXT_PORT + 0x10, 0x1010000A)  # 16 fragments of 4 KiB
            self.store(ENGINE + port * NEXT_PORT + 0x14, 39)  # 50 us
        self.merge(0, 1, 0x0A0A0002, 5101)
        self.merge(1, 2, 0x0A0A0003, 5102)
        for port, channel in ((0, 2), (1, 1), (1, 3)):
            for n in range(SLOTS):
                where = descriptor(ring(S2MM, channel, n + 1), buffer(S2MM, channel, n), 0x1000)
                self.put(ring(S2MM, channel, n), where)
            self.start(port, S2MM, channel, ring(S2MM, channel))
            self.kick(port, S2MM, channel, ring(S2MM, channel, SLOTS - 1))
        self.packet(1, 0, datagram(3, 5102, payload(8, 1)), cut=True)
        self.packet(2, 0, datagram(2, 5101, payload(6, 2)), cut=True)
        for n in range(3):
            self.packet(5, n, datagram(3, 9, payload(1, n)))
        for port, channel in ((0, 1), (1, 2), (0, 5)):
            self.start(port, MM2S, channel, ring(MM2S, channel))
        self.kick(0, MM2S, 1, ring(MM2S, 1))
        self.wait(pause)
        self.kick(1, MM2S, 2, ring(MM2S, 2))
        self.kick(0, MM2S, 5, ring(MM2S, 5, 2))

    def merge(self, port: int, number: int, address: int, udp_port: int) -> None:
        block = ENGINE + port * NEXT_PORT + 0x40 * number
        self.store(block + 0x0C, address)
        self.store(block + 0x10, udp_port << 16)
        self.store(block + 0x00, 17 << 24 | 1)

    def packet(self, channel: int, n: int, content: bytes, cut: bool = False) -> None:
        app0 = HEADER << 24 | len(content) - 14 if cut else 0
        app1 = SIZE + HEADER - 14 << 16 if cut else CHECKSUMS_ONLY
        where = buffer(MM2S, channel, n)
        self.put(where, content)
        control = SOF | EOF | len(content)
        self.put(ring(MM2S, channel, n), descriptor(ring(MM2S, channel, n + 1), where, control, app0, app1))


@dataclass
class Run:
    """All there is to see of a run."""

    memory: bytes
    captures: list[bytes]  # the cable, and each port's packets on software's side

    def received(self, channel: int) -> list[tuple[int, int, bytes]]:
        """Status, APP0 and content of the descriptors that have been filled."""
        found = []
        for n in range(SLOTS):
            status, _, app0 = struct.unpack_from("<III", self.memory, ring(S2MM, channel, n) + 0x18)
            if status & COMPLETE:
                at = buffer(S2MM, channel, n)
                found.append((status, app0, self.memory[at : at + (status & LENGTH)]))
        return found

    def merged(self, channel: int) -> bool:
        return any(app0 & MERGE_ENDS for _, app0, _ in self.received(channel))


def records(capture: bytes) -> list[tuple[bytes, bytes]]:
    """Time and frame of each (pcap-savefile(5))."""
    found, at = [], 24
    while at < len(capture):
        (length,) = struct.unpack_from("<I", capture, at + 8)
        found.append((capture[at : at + 8], capture[at + 16 : at + 16 + length]))
        at += 16 + length
    return found


def run(directory: Path, pause: int = 1000) -> Run:
    """One run under -icount, from the start of QEMU until all has arrived."""
    directory.mkdir()
    files = [directory / name for name in ("wire.pcap", "first.pcap", "second.pcap")]
    arguments = (
        "-icount", "shift=3,sleep=off", "-rtc", "base=2026-01-01T00:00:00,clock=vm",
        "-netdev", "hubport,id=h0,hubid=0", "-netdev", "hubport,id=h1,hubid=0",
        "-device", f"xlnx-eoe-port,netdev=h0,pcap-stream={files[1]}",
        "-device", f"xlnx-eoe-port,netdev=h1,pcap-stream={files[2]}",
        "-object", f"filter-dump,id=dump,netdev=h0,file={files[0]}",
    )  # fmt: skip
    with Bare(Traffic(pause), directory, "xlnx-zcu102-eoe,ports=0", arguments) as machine:
        end = time.monotonic() + 60
        while True:
            seen = Run(machine.memory(), [])
            if seen.merged(2) and seen.merged(3) and len(seen.received(1)) == 3:
                break
            assert time.monotonic() < end, machine.log()
            time.sleep(0.05)
        assert "eoe" not in machine.log() and "mcdma" not in machine.log(), machine.log()
    seen.captures = [file.read_bytes() for file in files]
    return seen


def test_two_ports_back_to_back_repeat_exactly(tmp_path: Path) -> None:
    """Memory with its descriptors, and every frame with its time, are the same twice."""
    first, second = run(tmp_path / "first"), run(tmp_path / "second")
    assert first.memory == second.memory
    for one, other in zip(first.captures, second.captures, strict=True):
        assert records(one) == records(other)
        assert one == other
    # What is compared is the traffic meant.
    assert b"".join(content for _, _, content in first.received(3)[1:]) == payload(8, 1)
    assert b"".join(content for _, _, content in first.received(2)[1:]) == payload(6, 2)
    for n, (_, _, content) in enumerate(first.received(1)):
        assert content[HEADER:] == payload(1, n)
    assert [len(records(capture)) for capture in first.captures] == [8 + 6 + 3, 1 + 3 + 1, 1 + 3 + 1]
    # And a run that is a little different is seen to be.
    later = run(tmp_path / "later", pause=1001)
    assert later.memory[0x100000:] == first.memory[0x100000:]
    for one, other in zip(first.captures, later.captures, strict=True):
        assert [frame for _, frame in records(one)] == [frame for _, frame in records(other)]
    assert records(first.captures[1])[0] == records(later.captures[1])[0]
    assert records(first.captures[2]) != records(later.captures[2])


def chain_without_end() -> Image:
    """Each packet, looped back, makes the descriptors new that the next one and the one after need.

    The engine halts at a descriptor that is complete already, so that no chain of
    transmit descriptors alone can go round for ever.
    """
    image = Image()
    lower, upper = 0x100000, 0x100080  # a transmit and a receive descriptor each
    for here, there in ((lower, upper), (upper, lower)):
        copy = 0x100000 + here
        # The packet that makes this pair new goes to the receive descriptor of the other one.
        pair = descriptor(there, copy, SOF | EOF | 128, 0, CHECKSUMS_ONLY | 0x200)
        pair += descriptor(there + 64, there, 128)
        image.put(here, pair)
        image.put(copy, pair)
    image.store(MAC + 0x008, 0xC0000000)  # loopback
    for direction, head in ((S2MM, upper + 64), (MM2S, lower)):
        image.store(MCDMA + direction + CHEN, 1)
        image.start(0, direction, 1, head)
        image.kick(0, direction, 1, 0x180000)  # never reached
    return image


def test_monitor_answers_while_a_chain_has_no_end(tmp_path: Path) -> None:
    """Each slice of work is bounded, and QEMU has its turn between two of them."""
    bus = Bus()
    packets = MCDMA + MM2S + 0x40 + 0x18
    try:
        with Bare(chain_without_end(), tmp_path, arguments=bus.arguments, pass_fds=(bus.fd,)) as machine:
            end = time.monotonic() + 30
            while not bus.readl(packets):
                assert time.monotonic() < end, machine.log()
            waits, counts = [], []
            while len(waits) < 200:
                began = time.monotonic()
                assert machine.qmp("query-status")["running"]  # type: ignore[index]
                waits.append(time.monotonic() - began)
                counts.append(bus.readl(packets))
            assert max(waits) < 1, waits
            assert sum(one != other for one, other in pairwise(counts)) > 190, counts
            assert (bus.readl(MCDMA + MM2S + ERR), bus.readl(MCDMA + S2MM + ERR)) == (0, 0)
            # Software can end it.
            bus.writel(MCDMA + MM2S + CCR, 1 << 2)
            assert bus.readl(packets) == 0
            time.sleep(0.2)
            assert bus.readl(packets) == 0
    finally:
        bus.close()
