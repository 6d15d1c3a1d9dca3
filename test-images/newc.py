# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes "newc" cpio archives, the format of an initramfs.

Layout: Documentation/driver-api/early-userspace/buffer-format.rst of the kernel.
Times are zero and the owner is root, so equal inputs make equal bytes, and no
privilege is needed for a device node.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

MAGIC = b"070701"
ALIGNMENT = 4


class Archive:
    """Names and what they hold; directories on the way to a name are added by themselves."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[int, bytes | Path, tuple[int, int]]] = {}

    def _add(
        self, name: str, mode: int, content: bytes | Path, device: tuple[int, int] = (0, 0)
    ) -> None:
        name = name.strip("/")
        parent = os.path.dirname(name)
        if parent and parent not in self._entries:
            self._add(parent, stat.S_IFDIR | 0o755, b"")
        self._entries.setdefault(name, (mode, content, device))

    def text(self, name: str, content: str | bytes, mode: int = 0o644) -> None:
        """A file with the given content."""
        data = content.encode() if isinstance(content, str) else content
        self._add(name, stat.S_IFREG | mode, data)

    def file(self, name: str, source: Path, mode: int | None = None) -> None:
        """A copy of source, read when the archive is made."""
        permissions = source.stat().st_mode & 0o755 if mode is None else mode
        self._add(name, stat.S_IFREG | permissions, source)

    def link(self, name: str, target: str) -> None:
        """A symbolic link."""
        self._add(name, stat.S_IFLNK | 0o777, target.encode())

    def directory(self, name: str) -> None:
        """A directory."""
        self._add(name, stat.S_IFDIR | 0o755, b"")

    def character_device(self, name: str, major: int, minor: int) -> None:
        """A character device node for root alone."""
        self._add(name, stat.S_IFCHR | 0o600, b"", (major, minor))

    def has(self, name: str) -> bool:
        """Whether the name is taken."""
        return name in self._entries

    def to_bytes(self) -> bytes:
        """The archive, a multiple of four bytes long, so that others may follow it."""
        out = bytearray()
        for inode, name in enumerate(sorted(self._entries), 1):
            mode, content, device = self._entries[name]
            data = content.read_bytes() if isinstance(content, Path) else content
            _append(out, name, inode, mode, data, device)
        _append(out, "TRAILER!!!", 0, 0, b"", (0, 0))
        return bytes(out)


def _append(
    out: bytearray, name: str, inode: int, mode: int, data: bytes, device: tuple[int, int]
) -> None:
    encoded = name.encode() + b"\0"
    # inode, mode, uid, gid, links, time, size, device of the file, device it is, name, check
    fields = (inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(encoded), 0)
    out += MAGIC + b"".join(b"%08X" % field for field in fields) + encoded
    out += bytes(-len(out) % ALIGNMENT)
    out += data
    out += bytes(-len(out) % ALIGNMENT)
