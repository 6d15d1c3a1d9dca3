# SPDX-License-Identifier: GPL-2.0-or-later
"""Frames on the cable: taking them, keeping them, and judging them.

What a frame should look like is asked of scapy, which shares no code with the
model: a frame is right when rebuilding it from its own fields, lengths and
checksums left to scapy, gives the same bytes.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scapy.all import IP, UDP, Ether, Padding, wrpcap  # type: ignore[attr-defined]

from tests.rig.peer import TapPeer

ETH_P_ALL = 3
IPV4_OR_VLAN = (b"\x08\x00", b"\x81\x00")
PACKET_OUTGOING = 4
SOL_PACKET = 263
PACKET_STATISTICS = 6
PACKET_AUXDATA = 8
TP_STATUS_VLAN_VALID = 1 << 4
SO_RCVBUFFORCE = 33  # <asm-generic/socket.h>


@dataclass(frozen=True)
class Frame:
    """One frame without FCS; to_guest tells its direction."""

    data: bytes
    to_guest: bool
    time: float

    @property
    def packet(self) -> Ether:
        """The frame as scapy reads it."""
        return Ether(self.data)

    @property
    def payload(self) -> bytes:
        """UDP payload, by the UDP length field."""
        packet = self.packet
        return bytes(packet[UDP].payload)[: packet[UDP].len - 8]


class Capture:
    """Takes every frame that passes the peer's end of cable number port.

    A context manager. A capture that could not keep up fails the test that uses it,
    since "not seen" would then prove nothing.
    """

    def __init__(self, peer: TapPeer, port: int = 0) -> None:
        self._socket = peer.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 256 << 20)
        # The kernel takes a VLAN tag out of the frame; it comes back beside it.
        self._socket.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
        self._socket.bind((f"tap{port}", ETH_P_ALL))
        self._socket.settimeout(0.1)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._take, daemon=True)
        self.frames: list[Frame] = []

    def _take(self) -> None:
        while not self._stop.is_set():
            try:
                data, control, _, address = self._socket.recvmsg(65536, 64)
            except TimeoutError:
                continue
            for level, kind, value in control:
                if (level, kind) == (SOL_PACKET, PACKET_AUXDATA):
                    data = with_tag(data, value)
            self.frames.append(Frame(data, address[2] == PACKET_OUTGOING, time.time()))

    def __enter__(self) -> Capture:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        dropped = int.from_bytes(
            self._socket.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8)[4:8], "little"
        )
        self._socket.close()
        if dropped:
            raise RuntimeError(f"the capture itself lost {dropped} frames")

    def save(self, path: Path) -> None:
        """Writes what was taken as a pcap file."""
        if self.frames:
            wrpcap(str(path), [frame.packet for frame in list(self.frames)])

    def select(self, to_guest: bool, port: int | None = None) -> list[Frame]:
        """UDP frames of one direction, and of one destination port if given."""
        found = []
        for frame in list(self.frames):
            if frame.to_guest != to_guest or frame.data[12:14] not in IPV4_OR_VLAN:
                continue
            packet = frame.packet
            if UDP in packet and (port is None or packet[UDP].dport == port):
                found.append(frame)
        return found

    def wait(self, enough: Callable[[], bool], timeout: float = 10) -> bool:
        """Waits until enough() is true."""
        deadline = time.monotonic() + timeout
        while not enough():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True


def with_tag(data: bytes, auxdata: bytes) -> bytes:
    """The frame with the VLAN tag that struct tpacket_auxdata of <linux/if_packet.h> holds."""
    status, _, _, _, _, tag, kind = struct.unpack("=IIIHHHH", auxdata[:20])
    if not status & TP_STATUS_VLAN_VALID:
        return data
    return data[:12] + struct.pack("!HH", kind, tag) + data[12:]


def rebuilt(data: bytes) -> bytes:
    """The frame as scapy would have sent it: lengths and checksums its own."""
    packet = Ether(data)
    for layer, fields in ((IP, ("len", "chksum")), (UDP, ("len", "chksum"))):
        if layer in packet:
            for field in fields:
                delattr(packet[layer], field)
    padding = bytes(packet[Padding]) if Padding in packet else b""
    if Padding in packet:
        packet[Padding].underlayer.remove_payload()
    return bytes(packet) + padding


def assert_right(frame: Frame) -> None:
    """Lengths and checksums are right, and padding is zeros up to the minimum frame."""
    data = frame.data
    assert rebuilt(data) == data, f"wrong length or checksum in {data[:60].hex()}"
    packet = frame.packet
    padding = bytes(packet[Padding]) if Padding in packet else b""
    assert not padding.strip(b"\0"), f"padding is not zero in {data[:64].hex()}"
    assert len(data) >= 60, f"{len(data)} bytes on the wire"
