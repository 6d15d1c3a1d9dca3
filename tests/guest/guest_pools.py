#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints how many page pools the kernel has; runs inside the guest.

They are asked for over generic netlink, as the kernel's netdev.yaml describes. A pool whose
owner is gone while pages are still out is among them: it has moved to the loopback interface.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator

NETLINK_GENERIC = 16  # <linux/netlink.h>; absent from Python's socket module
NLM_F_REQUEST = 1
NLM_F_DUMP = 0x300
NLMSG_ERROR = 2
NLMSG_DONE = 3
# <linux/genetlink.h>
GENL_ID_CTRL = 16
CTRL_CMD_GETFAMILY = 3
CTRL_ATTR_FAMILY_ID = 1
CTRL_ATTR_FAMILY_NAME = 2
# <linux/netdev.h>
NETDEV_CMD_PAGE_POOL_GET = 5

HEADER = struct.Struct("=IHHII")
COMMAND = struct.Struct("=BBxx")
ATTRIBUTE = struct.Struct("=HH")


def ask(sock: socket.socket, family: int, flags: int, command: int, body: bytes) -> Iterator[bytes]:
    """Attributes of each message that comes back."""
    size = HEADER.size + COMMAND.size + len(body)
    sock.send(HEADER.pack(size, family, NLM_F_REQUEST | flags, 1, 0) + COMMAND.pack(command, 1) + body)
    while True:
        data = sock.recv(1 << 16)
        while data:
            size, kind, _, _, _ = HEADER.unpack_from(data)
            if kind == NLMSG_DONE:
                return
            if kind == NLMSG_ERROR:
                (error,) = struct.unpack_from("=i", data, HEADER.size)
                raise OSError(-error, "the kernel refuses")
            yield data[HEADER.size + COMMAND.size : size]
            data = data[(size + 3) & ~3 :]
        if not flags:
            return


def attribute(attributes: bytes, wanted: int) -> bytes:
    """The value of one of the attributes."""
    while attributes:
        size, kind = ATTRIBUTE.unpack_from(attributes)
        if kind == wanted:
            return attributes[ATTRIBUTE.size : size]
        attributes = attributes[(size + 3) & ~3 :]
    raise LookupError(f"no attribute {wanted}")


def pools() -> int:
    """How many there are, of all devices."""
    name = b"netdev\0"
    body = ATTRIBUTE.pack(ATTRIBUTE.size + len(name), CTRL_ATTR_FAMILY_NAME) + name
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC) as sock:
        body += bytes(-len(body) % 4)
        (answer,) = ask(sock, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY, body)
        (family,) = struct.unpack("=H", attribute(answer, CTRL_ATTR_FAMILY_ID))
        return sum(1 for _ in ask(sock, family, NLM_F_DUMP, NETDEV_CMD_PAGE_POOL_GET, b""))


if __name__ == "__main__":
    print(pools())
