# SPDX-License-Identifier: GPL-2.0-or-later
"""Inputs the fuzz targets begin with: what a driver does, in each target's own coding."""

from __future__ import annotations

import struct
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
MAC, EOE, MCDMA = range(3)  # eoe::Block
SOF, EOF = 2, 1  # a descriptor's markers in fuzz_registers
GSO_WORDS = (42 << 24 | 4028, 1028 << 16 | 0x0400)  # 4 x 1000 bytes
CHECKSUM_WORDS = (0, 0x05DC0D00)


def datagram(port: int, payload: bytes, length: int | None = None, options: int = 0) -> bytes:
    """A datagram as datagram() of world.hpp reads it; `options` in units of four bytes."""
    bits = (port & 0xF) | (0x80 if options else 0)
    size = len(payload) if length is None else length
    extra = bytes([options]) if options else b""
    return bytes([bits]) + extra + bytes([0]) + struct.pack("<HHB", 7, size, len(payload)) + payload


def frame(port: int, payload: bytes) -> bytes:
    """The same as bytes on the wire, with no UDP checksum."""
    total = 28 + len(payload)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, total, 1, 0x4000, 64, 17, 0,
                     bytes([10, 10, 0, 1]), bytes([10, 10, 0, 2]))  # fmt: skip
    words = sum(struct.unpack(">10H", ip))
    words = (words & 0xFFFF) + (words >> 16)
    ip = ip[:10] + struct.pack(">H", ~words & 0xFFFF) + ip[12:]
    udp = struct.pack(">HHHH", 40000, 5100 + port, 8 + len(payload), 0)
    return bytes(range(12)) + b"\x08\x00" + ip + udp + payload


class Steps:
    """The steps of fuzz_registers, one after the other."""

    def __init__(self, build: int) -> None:
        self.made = bytes([build])

    def write(self, block: int, offset: int, value: int) -> Steps:
        """A register."""
        self.made += struct.pack("<BHI", 0, offset // 4 * 3 + block, value)
        return self

    def read(self, block: int, offset: int) -> Steps:
        """A register."""
        self.made += struct.pack("<BH", 3, offset // 4 * 3 + block)
        return self

    def descriptor(
        self, at: int, following: int, buffer: int, markers: int, length: int,
        words: tuple[int, int] = (0, 0),
    ) -> Steps:  # fmt: skip
        """A descriptor; an odd length may have 22 bits, an even one 12."""
        control = (markers | length << 2).to_bytes(3, "little")
        self.made += struct.pack("<BHHH3sII", 4, at, following, buffer, control, *words)
        return self

    def channel(self, number: int, transmit: bool, current: int, tail: int) -> Steps:
        """Start one with both enables set."""
        self.made += struct.pack("<BBHBH", 7, number - 1 | (16 if transmit else 0), current, 1, tail)
        return self

    def memory(self, at: int, content: bytes) -> Steps:
        """Bytes for a buffer."""
        self.made += struct.pack("<BHB", 9, at, len(content)) + content
        return self

    def receive(self, content: bytes) -> Steps:
        """A frame from the wire."""
        self.made += struct.pack("<BH", 10, len(content)) + content
        return self

    def other(self, *numbers: int) -> Steps:
        """Any step, as it is coded."""
        self.made += bytes(numbers)
        return self


def sent(build: int) -> Steps:
    """A packet of three descriptors."""
    return (
        Steps(build)
        .memory(0x8000, frame(1, b"to be sent" * 8))
        .descriptor(0x1000, 0x1040, 0x8000, SOF, 48, CHECKSUM_WORDS)
        .descriptor(0x1040, 0x1080, 0x8030, 0, 40)
        .descriptor(0x1080, 0x10C0, 0x8058, EOF, 32)
        .channel(1, True, 0x1000, 0x1080)
        .other(14, 12)
        .read(MCDMA, 0x044)
        .write(MCDMA, 0x044, 0xF8)
    )


def ring(steps: Steps, number: int, count: int = 4) -> Steps:
    """Empty receive buffers on a channel."""
    base = 0x2000 + 0x200 * number
    for i in range(count):
        steps.descriptor(base + 64 * i, base + 64 * (i + 1), 0x6000 + 0x800 * i, 0, 1024)
    return steps.channel(number, False, base, base + 64 * (count - 1))


def merged(build: int) -> Steps:
    """A GRO port with two datagrams, and what they end with."""
    steps = ring(ring(Steps(build), 1), 3)
    steps.write(EOE, 0x10, 0x1010000A).write(EOE, 0x14, 1)
    steps.write(EOE, 0x8C, 0x0A0A0002).write(EOE, 0x90, 5102 << 16).write(EOE, 0x80, 0x11000001)
    for _ in range(2):
        steps.receive(frame(2, b"x" * 600)).other(14, 20)
    return steps.write(EOE, 0x80, 0x11000000).read(EOE, 0x84).read(EOE, 0x24)


def registers() -> dict[str, bytes]:
    """Seeds of fuzz_registers."""
    loop = ring(Steps(0), 1).write(MAC, 0x008, 0xC0000003)
    loop.memory(0x8000, frame(1, b"round" * 20)).descriptor(0x1000, 0x1040, 0x8000, SOF | EOF, 142)
    stale = sent(0).descriptor(0x1000, 0x1000, 0x8000, SOF | EOF, 0).channel(2, True, 0x1000, 0x1000)
    return {
        **{f"sent{i}": sent(i).made for i in range(16)},
        **{f"merged{i}": merged(i).made for i in range(16)},
        "loop": loop.channel(1, True, 0x1000, 0x1000).other(14, 10).made,
        "self-linked": stale.made,
        "no-ring": Steps(0).receive(frame(1, b"nobody")).read(MCDMA, 0x514).made,
        "stalled": sent(1).other(11, 15, 1, 12, 13, 0, 13, 1, 15, 0).made,
    }


def rx() -> dict[str, bytes]:
    """Seeds of fuzz_rx: settings, then frames with their flags."""
    def train(settings: int, *datagrams: bytes, flags: int = 0) -> bytes:
        return struct.pack("<H", settings) + b"".join(
            struct.pack("<H", flags) + each for each in datagrams
        )

    whole = frame(3, b"as bytes" * 9)
    return {
        "one": train(0x1F1, datagram(1, b"alone"), flags=0xC000),
        "train": train(0x1F1, *[datagram(2, b"abcd", 1400)] * 12),
        "small-fragments": train(0x0F1, *[datagram(2, b"abcd", 1400)] * 40),
        "jumbo": train(0x1F1, *[datagram(4, b"0123456789", 8900)] * 8, flags=0x1000),
        "mixed": train(0x171, *[datagram(i % 16, b"mixed", 40 * i) for i in range(24)]),
        "five-tuple": train(0x1F1 & ~0x200, *[datagram(2, b"abcd", 700)] * 4),
        "tiny-buffers": train(0x1F0, *[datagram(5, b"cut up", 900)] * 6),
        "damaged": train(0x1F1, *[datagram(6, b"bad", 300) + bytes([30 + i]) for i in range(9)], flags=0x804),
        "options": train(0x1F1, datagram(1, b"options", 100, options=5), datagram(1, b"x", 9)),
        "bytes": struct.pack("<HH", 0x1F1, 0x2000 | len(whole)) + whole,
    }  # fmt: skip


def tx() -> dict[str, bytes]:
    """Seeds of fuzz_tx: cut, words, packet."""
    def packet(bits: int, cut: int, words: tuple[int, int], content: bytes) -> bytes:
        return struct.pack("<BHII", bits, cut, *words) + content

    raw = frame(1, b"plain" * 30)
    return {
        "gso": packet(3, 0xFFFF, GSO_WORDS, datagram(1, b"0123", 4000)),
        "gso-pieces": packet(3, 999, GSO_WORDS, datagram(1, b"0123", 4000)),
        "gso-ids": packet(7, 99, (GSO_WORDS[0], GSO_WORDS[1] | 0x80), datagram(1, b"0123", 4001)),
        "gso-largest": packet(7, 0xFFFF, GSO_WORDS, datagram(1, b"0123", 65507)),
        "gso-options": packet(3, 9999, (62 << 24, 1048 << 16 | 0x0400), datagram(1, b"o", 3000, 5)),
        "gso-bad-length": packet(2, 0xFFFF, GSO_WORDS, datagram(1, b"0123", 3999)),
        "checksum": packet(2, 60, CHECKSUM_WORDS, datagram(1, b"check", 1400)),
        "untouched": packet(2, 0xFFFF, (0, 0x05DC0F00), datagram(1, b"left", 30)),
        "raw": packet(0x10, 0xFFFF, CHECKSUM_WORDS, struct.pack("<HH", len(raw), len(raw)) + raw),
        "short": packet(0xF0, 0xFFFF, CHECKSUM_WORDS, struct.pack("<HH", 20, 20) + raw[:20]),
    }


def firmware() -> dict[str, bytes]:
    """Seeds of fuzz_firmware: calls of the EEMI interface with small arguments."""
    def call(function: int, *arguments: int) -> bytes:
        made = struct.pack("<H", function)
        for word in (*arguments, *[0] * (6 - len(arguments))):
            made += bytes([2]) + struct.pack("<I", word)
        return made

    # Each function by itself, and clocks, pins and resets with their first identifiers.
    calls = [call(function) for function in range(1, 75)]
    known = [call(function, i, 1) for function in (8, 13, 17, 24, 28, 36, 39, 41) for i in range(40)]
    return {"each": b"".join(calls), "known": b"".join(known),
            **{f"call{i}": each for i, each in enumerate(calls)}}  # fmt: skip


def tree() -> dict[str, bytes]:
    """Seeds of fuzz_tree: the trees of this build."""
    return {path.stem: path.read_bytes() for path in sorted((TOP / "build/dtb").glob("*.dtb"))}


SEEDS = {"firmware": firmware, "registers": registers, "rx": rx, "tree": tree, "tx": tx}


def write(target: str, directory: Path) -> int:
    """Write a target's seeds; how many they are."""
    directory.mkdir(parents=True, exist_ok=True)
    made = SEEDS[target]()
    for name, content in made.items():
        (directory / name).write_bytes(content)
    return len(made)
