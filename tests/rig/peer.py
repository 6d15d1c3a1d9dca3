# SPDX-License-Identifier: GPL-2.0-or-later
"""The other end of the guest's cable.

TapPeer is a network namespace with a TAP device in it: real tools, raw frames,
root only. UserPeer is QEMU's user-mode network: no privilege, no raw frames.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import socket
import subprocess
import threading
from abc import ABC, abstractmethod
from pathlib import Path

GUEST_ADDRESS = "10.10.0.2"
PEER_ADDRESS = "10.10.0.1"
PREFIX = "eoe-"
TAP = "tap0"
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
SIGKILL = 9

_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent() -> None:
    """For preexec_fn: the child is killed when this process ends, however it ends."""
    _libc.prctl(PR_SET_PDEATHSIG, SIGKILL)


class Peer(ABC):
    """What both kinds have. Use as a context manager, so that nothing stays behind."""

    @staticmethod
    def create(kind: str | None = None) -> Peer:
        """The kind named ("tap", "user"), or NET's, or the best this user may have."""
        kind = kind or os.environ.get("NET") or ("tap" if tap_possible() is None else "user")
        if kind == "tap":
            reason = tap_possible()
            if reason:
                raise RuntimeError(f"no TAP device here: {reason}; NET=user does without")
            return TapPeer()
        if kind == "user":
            return UserPeer()
        raise RuntimeError(f"NET={kind}: it is tap or user")

    @abstractmethod
    def qemu_arguments(self, port: int) -> list[str]:
        """QEMU options that put cable number port in."""

    @abstractmethod
    def command(self, arguments: list[str]) -> list[str]:
        """The command line that runs arguments at this end."""

    @abstractmethod
    def guest_endpoint(self, port: int) -> tuple[str, int]:
        """Where a program at this end reaches port of the guest."""

    @abstractmethod
    def close(self) -> None:
        """Takes everything away again."""

    @property
    @abstractmethod
    def description(self) -> str:
        """What it is and how to use it by hand, for people."""

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def popen(self, arguments: list[str], **options: object) -> subprocess.Popen[bytes]:
        """Starts a program at this end; it does not outlive this process."""
        return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
            self.command(arguments), preexec_fn=die_with_parent, **options
        )

    def run(
        self, arguments: list[str], timeout: float = 30, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program at this end and returns its output."""
        return subprocess.run(
            self.command(arguments), timeout=timeout, check=check, capture_output=True, text=True
        )


def tap_possible() -> str | None:
    """None if namespaces and TAP devices can be had, else why not."""
    if os.geteuid() != 0:
        return "not root"
    if not os.path.exists("/dev/net/tun"):
        return "/dev/net/tun is missing"
    return None


_created = 0


class TapPeer(Peer):
    """A namespace of its own name per process and use, with cables tap0, tap1, ..."""

    def __init__(self, ports: int = 1) -> None:
        global _created
        remove_stale_namespaces()
        _created += 1
        self.name = f"{PREFIX}{os.getpid()}" + (f"-{_created}" if _created > 1 else "")
        self.ports = ports
        _checked(["ip", "netns", "add", self.name])
        try:
            # Less noise on the cable; a host without IPv6 has no such setting.
            quiet = [f"net.ipv6.conf.{which}.disable_ipv6=1" for which in ("all", "default")]
            self.run(["sysctl", "-qw", *quiet], check=False)
            self._ip("link", "set", "lo", "up")
            for port in range(ports):
                tap = f"tap{port}"
                self._ip("tuntap", "add", "dev", tap, "mode", "tap")
                self._ip("address", "add", f"10.10.{port}.1/24", "dev", tap)
                self._ip("link", "set", tap, "up", "txqueuelen", "1000")
        except BaseException:
            self.close()
            raise

    def _ip(self, *arguments: str) -> None:
        _checked(self.command(["ip", *arguments]))

    def qemu_arguments(self, port: int) -> list[str]:
        # The id is for set_link, which pulls the cable.
        tap = f"id=net{port},ifname=tap{port},script=no,downscript=no"
        return ["-nic", f"tap,{tap},model=xlnx-eoe-port"]

    def command(self, arguments: list[str]) -> list[str]:
        # Not `ip netns exec` or `ip -n`: both want a mount namespace, which not every
        # container or chroot can have.
        return ["nsenter", f"--net=/run/netns/{self.name}", *arguments]

    def guest_endpoint(self, port: int) -> tuple[str, int]:
        return GUEST_ADDRESS, port

    @property
    def description(self) -> str:
        return f"namespace {self.name} ({PEER_ADDRESS} on {TAP}): ip netns exec {self.name} bash"

    def socket(self, family: int, kind: int, protocol: int = 0) -> socket.socket:
        """A socket that lives in the namespace, for frames or datagrams from this program."""
        made: list[socket.socket | OSError] = []

        def make() -> None:
            # Only this short-lived thread enters the namespace.
            with open(f"/run/netns/{self.name}", "rb") as handle:
                if _libc.setns(handle.fileno(), CLONE_NEWNET) != 0:
                    made.append(OSError(ctypes.get_errno(), "setns"))
                    return
            try:
                made.append(socket.socket(family, kind, protocol))
            except OSError as error:
                made.append(error)

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        if isinstance(made[0], OSError):
            raise made[0]
        return made[0]

    def close(self) -> None:
        _remove_namespace(self.name)


class UserPeer(Peer):
    """QEMU's own network: guest ports 5101..5104 appear on free ports of the host's loopback."""

    FORWARDED = range(5101, 5105)

    def __init__(self) -> None:
        self._ports = {port: _free_port() for port in self.FORWARDED}

    def qemu_arguments(self, port: int) -> list[str]:
        forwards = "".join(
            f",hostfwd={protocol}:127.0.0.1:{here}-{GUEST_ADDRESS}:{there}"
            for there, here in self._ports.items()
            for protocol in ("tcp", "udp")
        )
        network = f"net=10.10.{port}.0/24,host=10.10.{port}.1"
        return ["-nic", f"user,model=xlnx-eoe-port,{network}{forwards if port == 0 else ''}"]

    def command(self, arguments: list[str]) -> list[str]:
        return arguments

    def guest_endpoint(self, port: int) -> tuple[str, int]:
        return "127.0.0.1", self._ports[port]

    @property
    def description(self) -> str:
        ports = ", ".join(f"{there} at 127.0.0.1:{here}" for there, here in self._ports.items())
        return f"QEMU's user-mode network; the guest's ports: {ports}; the host is {PEER_ADDRESS}"

    def close(self) -> None:
        pass


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _checked(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")


def _remove_namespace(name: str) -> None:
    pids = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True).stdout
    for pid in pids.split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), SIGKILL)
    subprocess.run(["ip", "netns", "del", name], capture_output=True)


def remove_stale_namespaces() -> None:
    """Removes namespaces of ours whose process was killed before it could."""
    for path in Path("/run/netns").glob(f"{PREFIX}*"):
        owner = re.fullmatch(rf"{PREFIX}(\d+)(-\d+)?", path.name)
        if owner and not os.path.exists(f"/proc/{owner.group(1)}"):
            _remove_namespace(path.name)
