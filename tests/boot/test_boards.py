# SPDX-License-Identifier: GPL-2.0-or-later
"""Untouched trees of other boards with a port merged in, and many warm reboots: `make test-boot`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guest.conftest import boot, need_tap, parts
from tests.guest.test_firmware import with_port
from tests.rig.kernel_log import reports
from tests.rig.parts import BUILD, Parts
from tests.rig.peer import TapPeer
from tests.rig.vm import READY, Vm

__all__ = ["boot", "need_tap", "parts"]

# Tree, and what comes before the console: the KV260's is the second UART.
BOARDS = {
    "zynqmp-zcu102-rev1.1": (),
    "zynqmp-zcu104-revC": (),
    "zynqmp-zcu106-revA": (),
    "zynqmp-smk-k26-revA-sck-kv-g-revB": ("-serial", "null"),
}
REBOOTS = 20
PING = "ping -c 3 -i 0.2 -W 2 10.10.0.1 && ping -c 3 -i 0.2 -s 1472 -W 2 10.10.0.1"


def tree_of(name: str) -> Path:
    """A tree as it came with the kernel."""
    found = sorted((BUILD / "linux/current/usr/lib").glob(f"*/xilinx/{name}.dtb"))
    if not found:
        pytest.skip(f"the kernel in build/linux/current came without {name}.dtb")
    return found[-1]


@pytest.mark.parametrize("name", BOARDS)
def test_tree_of_another_board_boots_and_its_port_carries_traffic(
    boot: Callable[..., Vm], name: str, tmp_path: Path
) -> None:
    second = BOARDS[name]
    vm = boot(
        dtb=with_port(tree_of(name), tmp_path / "merged.dtb"),
        machine="xlnx-zcu102-eoe,eemi=on",
        options=("console=ttyPS1",) if second else (),
        qemu_arguments=second,
    )
    vm.run(PING)
    assert "Platform Management API v1.1" in vm.dmesg()
    assert not reports(vm.dmesg())
    assert vm.poweroff() == 0


class RebootingVm(Vm):
    """A guest that may restart itself."""

    def command_line(self, image_fd: int, kernel_words: tuple[str, ...]) -> list[str]:
        return [word for word in super().command_line(image_fd, kernel_words)
                if word != "-no-reboot"]  # fmt: skip


def test_guest_reboots_twenty_times(need_tap: None, parts: Parts, tmp_path: Path) -> None:
    own = Parts(dtb=with_port(tree_of("zynqmp-zcu102-rev1.0"), tmp_path / "merged.dtb"))
    with TapPeer() as peer, RebootingVm(
        peer, own, machine="xlnx-zcu102-eoe,eemi=on", logs=BUILD / "log/guest/reboots"
    ) as vm:  # fmt: skip
        vm.wait_ready()
        for _ in range(REBOOTS):
            vm.run(PING)
            # A mark of this boot, which the next one must not have.
            vm.run("[ ! -e /marked ] && touch /marked")
            vm.console.send("reboot -f\n")
            vm.console.wait_for(READY, 120)
            vm.console.attach()
        vm.run(PING)
        assert not reports(vm.dmesg())
        assert vm.poweroff() == 0
