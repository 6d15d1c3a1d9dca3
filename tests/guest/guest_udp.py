#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The end of the traffic that runs inside the guest: real sockets, and nothing but them.

The tests run it by name on the guest's console and read one JSON line a fact.
The payload of datagram n is pattern(n, size), known to both ends, so neither
has to ship the other what it should have seen.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import mmap
import socket
import struct
import sys
import time

# <linux/udp.h>, <linux/socket.h>, <asm-generic/socket.h>: absent from Python's socket module.
SOL_UDP = 17
UDP_SEGMENT = 103
UDP_GRO = 104
SO_ZEROCOPY = 60
MSG_ZEROCOPY = 0x4000000
PAGE = 4096


def pattern(number: int, size: int) -> bytes:
    """Bytes of datagram `number`; any two numbers differ from the first byte on."""
    return hashlib.shake_128(struct.pack("!I", number)).digest(size)


def digest(data: bytes) -> str:
    """Short name of a payload, enough to compare two of them."""
    return hashlib.sha1(data).hexdigest()[:16]


def say(**facts: object) -> None:
    """Print one JSON line at once."""
    print(json.dumps(facts), flush=True)


def bound_socket(port: int) -> socket.socket:
    """A UDP socket on every address with room for a whole burst."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    sock.bind(("0.0.0.0", port))
    return sock


def echo(args: argparse.Namespace) -> None:
    """Send every datagram back to where it came from, `count` times."""
    sock = bound_socket(args.port)
    say(ready=True)
    # The clock starts with the first datagram: the peer starts when it has read "ready".
    sock.settimeout(args.timeout)
    done = 0
    try:
        while done < args.count:
            data, source = sock.recvfrom(65536)
            sock.sendto(data, source)
            done += 1
    except TimeoutError:
        pass
    say(echoed=done)


def recv(args: argparse.Namespace) -> None:
    """Report what each receive call returned: size, digest, and UDP_GRO's segment size."""
    sock = bound_socket(args.port)
    if args.gro:
        sock.setsockopt(SOL_UDP, UDP_GRO, 1)
    say(ready=True)
    sock.settimeout(args.timeout)
    total = 0
    calls = 0
    reports: list[dict[str, object]] = []
    try:
        while total < args.bytes:
            data, control, _, source = sock.recvmsg(1 << 17, 64)
            gro = 0
            for level, kind, value in control:
                if level == SOL_UDP and kind == UDP_GRO:
                    gro = struct.unpack("i", value[:4])[0]
            total += len(data)
            calls += 1
            reports.append(
                {"len": len(data), "gro": gro, "sha": digest(data), "from": list(source)}
            )
    except TimeoutError:
        pass
    for report in reports:
        say(**report)
    say(total=total, calls=calls)


def send(args: argparse.Namespace) -> None:
    """Send datagrams number first..last, each of its own size or of one size."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    if args.source_port:
        sock.bind(("0.0.0.0", args.source_port))
    sock.connect((args.to, args.port))
    if args.no_check:
        sock.setsockopt(socket.SOL_SOCKET, 11, 1)  # SO_NO_CHECK
    sent = 0
    for number in range(args.first, args.last + 1):
        sock.send(pattern(number, number if args.size is None else args.size))
        sent += 1
        if args.pause:
            time.sleep(args.pause)
    say(sent=sent)


def stream(args: argparse.Namespace) -> None:
    """Write patterns 0..count-1, 64 KiB each, to a TCP connection, or name what comes from one."""
    with socket.create_connection((args.to, args.port)) as sock:
        if args.count:
            for number in range(args.count):
                sock.sendall(pattern(number, 1 << 16))
            return
        seen = hashlib.sha1()
        while data := sock.recv(1 << 18):
            seen.update(data)
        say(sha=seen.hexdigest())


def scattered(data: bytes, pieces: int) -> list[memoryview]:
    """`data` cut into pieces that lie in pages no two of which are neighbours."""
    step = -(-len(data) // pieces)
    if step > PAGE:
        raise SystemExit(f"{len(data)} bytes do not fit {pieces} pages of {PAGE}")
    area = mmap.mmap(-1, 2 * pieces * PAGE)
    view = memoryview(area)
    out = []
    for index in range(pieces):
        part = data[index * step : (index + 1) * step]
        start = 2 * index * PAGE
        view[start : start + len(part)] = part
        view[start + PAGE] = 1  # touch the page between, so that it takes a frame too
        out.append(view[start : start + len(part)])
    return out


def gso(args: argparse.Namespace) -> None:
    """UDP_SEGMENT sends of pattern(number, total), pattern(number + 1, total) and so on."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(("0.0.0.0", args.source_port))
    sock.connect((args.to, args.port))
    sock.setsockopt(SOL_UDP, UDP_SEGMENT, args.gso)
    if args.ttl:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, args.ttl)
    if args.options:
        # Router alert (RFC 2113) padded by nothing: four bytes of IP options.
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_OPTIONS, bytes([148, 4, 0, 0]))
    sent = 0
    for number in range(args.number, args.number + args.rounds):
        data = pattern(number, args.total)
        if args.pieces:
            sock.setsockopt(socket.SOL_SOCKET, SO_ZEROCOPY, 1)
            sent += sock.sendmsg(scattered(data, args.pieces), [], MSG_ZEROCOPY)
            # The pages belong to the kernel until its notice comes back.
            time.sleep(0.5)
        else:
            sent += sock.send(data)
    say(sent=sent)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)

    sub = commands.add_parser("echo")
    sub.set_defaults(run=echo)
    sub.add_argument("--port", type=int, required=True)
    sub.add_argument("--count", type=int, required=True)
    sub.add_argument("--timeout", type=float, default=20)

    sub = commands.add_parser("recv")
    sub.set_defaults(run=recv)
    sub.add_argument("--port", type=int, required=True)
    sub.add_argument("--bytes", type=int, required=True)
    sub.add_argument("--timeout", type=float, default=10)
    sub.add_argument("--gro", action="store_true")

    sub = commands.add_parser("send")
    sub.set_defaults(run=send)
    sub.add_argument("--to", required=True)
    sub.add_argument("--port", type=int, required=True)
    sub.add_argument("--source-port", type=int, default=0)
    sub.add_argument("--first", type=int, required=True)
    sub.add_argument("--last", type=int, required=True)
    sub.add_argument("--size", type=int)
    sub.add_argument("--pause", type=float, default=0)
    sub.add_argument("--no-check", action="store_true")

    sub = commands.add_parser("gso")
    sub.set_defaults(run=gso)
    sub.add_argument("--to", required=True)
    sub.add_argument("--port", type=int, required=True)
    sub.add_argument("--source-port", type=int, default=0)
    sub.add_argument("--number", type=int, default=1)
    sub.add_argument("--rounds", type=int, default=1)
    sub.add_argument("--total", type=int, required=True)
    sub.add_argument("--gso", type=int, required=True)
    sub.add_argument("--pieces", type=int, default=0)
    sub.add_argument("--ttl", type=int, default=0)
    sub.add_argument("--options", action="store_true")

    sub = commands.add_parser("stream")
    sub.set_defaults(run=stream)
    sub.add_argument("--to", required=True)
    sub.add_argument("--port", type=int, required=True)
    sub.add_argument("--count", type=int, default=0, help="0: receive")

    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    sys.exit(main())
