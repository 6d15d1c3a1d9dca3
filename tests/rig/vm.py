# SPDX-License-Identifier: GPL-2.0-or-later
"""One run of the emulator: start, console, QMP, stop."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from pathlib import Path

from tests.rig import console as serial
from tests.rig.console import GuestDied, GuestError, Result
from tests.rig.parts import BUILD, Parts
from tests.rig.peer import Peer, die_with_parent

READY = r"eoe-guest: ready after ([0-9.]+) s[^\r\n]*"
MACHINE = "xlnx-zcu102-eoe"


class Vm:
    """A guest. Use as a context manager; the emulator never outlives it.

    options are kernel command line words (eoe.noload, eoe.noup, ...); files go into
    the guest's root by their path; qemu_arguments are added to QEMU's, which inherits
    pass_fds; console.log and qemu.log are written into the directory logs.
    """

    def __init__(
        self,
        peer: Peer | None = None,
        parts: Parts | None = None,
        options: tuple[str, ...] = (),
        files: dict[str, Path | bytes] | None = None,
        machine: str = MACHINE,
        ports: int = 1,
        qemu_arguments: tuple[str, ...] = (),
        logs: Path = BUILD / "log" / "run",
        smp: int = 4,
        pass_fds: tuple[int, ...] = (),
    ) -> None:
        self.peer = peer
        self.parts = parts or Parts()
        self.options = options
        self.files = files or {}
        self.machine = machine
        self.ports = ports
        self.qemu_arguments = qemu_arguments
        self.logs = logs
        self.smp = smp
        self.pass_fds = pass_fds
        self.boot_seconds: float | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._console: serial.Console | None = None
        self._qmp: Qmp | None = None
        self._started = 0.0

    def command_line(self, image_fd: int, kernel_words: tuple[str, ...]) -> list[str]:
        """QEMU's whole command line but for the character devices."""
        network: list[str] = []
        if self.peer:
            for port in range(self.ports):
                network += self.peer.qemu_arguments(port)
        else:
            network = ["-nic", "none"]
        words = " ".join(("console=ttyPS0", "panic=-1", *kernel_words, *self.options))
        command = [
            str(self.parts.launcher), "-M", self.machine, "-smp", str(self.smp), "-m", "1G",
            "-kernel", str(self.parts.kernel), "-initrd", f"/proc/self/fd/{image_fd}",
            "-dtb", str(self.parts.dtb), "-append", words,
            "-display", "none", "-audio", "none", "-no-reboot", *network, *self.qemu_arguments,
        ]  # fmt: skip
        return self.peer.command(command) if self.peer else command

    def image_fd(self) -> int:
        """The initrd in memory: there is no file to leave behind."""
        number = os.memfd_create("initrd", 0)
        with os.fdopen(os.dup(number), "wb") as handle:
            handle.write(self.parts.image(self.files))
        return number

    def start(self) -> None:
        """Starts the emulator with the console in our hands."""
        self.logs.mkdir(parents=True, exist_ok=True)
        image = self.image_fd()
        self._console, console_fd = serial.pair(self.logs / "console.log")
        ours, theirs = socket.socketpair()
        command = [
            *self.command_line(image, ("eoe.harness",)),
            "-chardev", f"socket,id=console,fd={console_fd}", "-serial", "chardev:console",
            "-chardev", f"socket,id=qmp,fd={theirs.fileno()}",
            "-mon", "chardev=qmp,mode=control", "-monitor", "none",
        ]  # fmt: skip
        self._started = time.monotonic()
        with (self.logs / "qemu.log").open("wb") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(image, console_fd, theirs.fileno(), *self.pass_fds),
                preexec_fn=die_with_parent,
                # Ctrl-C is ours to handle.
                process_group=0,
            )
        os.close(image)
        os.close(console_fd)
        theirs.close()
        self._qmp = Qmp(ours)

    @property
    def pid(self) -> int:
        """The emulator's process id."""
        assert self._process
        return self._process.pid

    @property
    def console(self) -> serial.Console:
        """The serial console."""
        assert self._console
        return self._console

    def __enter__(self) -> Vm:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the emulator at once."""
        if self._process and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        if self._console:
            self._console.close()
            self._console = None
        if self._qmp:
            self._qmp.close()
            self._qmp = None

    def qemu_log(self) -> str:
        """What the emulator itself has said."""
        return (self.logs / "qemu.log").read_text(errors="replace")

    def wait_ready(self, timeout: float = 90) -> None:
        """Waits for the guest's shell; sets boot_seconds (host time since start)."""
        try:
            self.console.wait_for(READY if self._own_image() else r"[#$] $", timeout)
            self.boot_seconds = time.monotonic() - self._started
            if not self._own_image():
                self._quieten()
            self.console.attach()
        except GuestDied as error:
            raise GuestDied(f"{error}\n{self.qemu_log()}".strip()) from None

    def _own_image(self) -> bool:
        return not os.environ.get("INITRD")

    def _quieten(self) -> None:
        """Makes another image's interactive shell as bare as our own image's."""
        self.console.send(
            "dmesg -n 1; exec sh -c 'stty raw -echo; while read -r line; do eval \"$line\"; done'\n"
        )
        time.sleep(1)

    def run(self, script: str, timeout: float = 30, check: bool = True) -> Result:
        """Runs a shell script in the guest; with check, a failure is a GuestError."""
        result = self.console.run(script, timeout)
        if check and result.status != 0:
            raise GuestError(f"exit {result.status} from: {script}\n{result.output}")
        return result

    def dmesg(self) -> str:
        """The kernel's messages so far."""
        return self.run("dmesg").output

    def qmp(self, command: str, **arguments: object) -> object:
        """Runs a QMP command and returns what it answers."""
        assert self._qmp
        return self._qmp.run(command, arguments)

    def poweroff(self, timeout: float = 15) -> int:
        """Lets the guest power itself off; returns the emulator's exit status."""
        assert self._process
        self.console.send("poweroff -f\n")
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise GuestError(f"the guest did not power off in {timeout:g} s") from None


class Qmp:
    """The emulator's control socket; connected when first used."""

    def __init__(self, end: socket.socket) -> None:
        end.settimeout(20)
        self._end = end
        self._lines = end.makefile("rb")
        self._ready = False

    def close(self) -> None:
        self._lines.close()
        self._end.close()

    def run(self, command: str, arguments: dict[str, object]) -> object:
        if not self._ready:
            self._lines.readline()  # the greeting
            self._ready = True
            self.run("qmp_capabilities", {})
        request = {"execute": command, "arguments": arguments}
        self._end.sendall(json.dumps(request).encode() + b"\n")
        while line := self._lines.readline():
            answer = json.loads(line)
            if "error" in answer:
                raise GuestError(f"QMP {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]
        raise GuestDied(f"the emulator ended during QMP {command}")
