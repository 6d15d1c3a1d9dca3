# SPDX-License-Identifier: GPL-2.0-or-later
"""Another driver has the port: eoe-takeover moves it here, and back."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.guest.conftest import LOGS
from tests.guest.guest import REACHED
from tests.rig.kernel_log import reports
from tests.rig.parts import BUILD, CROSS, TOP, Parts
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

DEVICE = "80020000.ethernet"
OURS = "xilinx_axienet_eoe"
BOUND = f"basename $(readlink /sys/bus/platform/devices/{DEVICE}/driver)"


@pytest.fixture
def standin(tmp_path: Path) -> Path:
    """A module that binds to the port's older name, built for the guest's kernel."""
    shutil.copy(Path(__file__).with_name("standin.c"), tmp_path / "standin.c")
    (tmp_path / "Kbuild").write_text("obj-m := standin.o\n")
    done = subprocess.run(
        ["make", "-C", BUILD / "linux/current/headers", f"M={tmp_path}", *CROSS, "modules"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return tmp_path / "standin.ko"


def test_takeover_and_back(need_tap: None, parts: Parts, standin: Path) -> None:
    files: dict[str, Path | bytes] = {
        "driver/standin.ko": standin,
        "usr/bin/eoe-takeover": (TOP / "kernel-driver/tools/eoe-takeover").read_bytes(),
    }
    with TapPeer() as cable, Vm(
        cable, parts, options=("eoe.noload",), files=files, logs=LOGS / "takeover"
    ) as vm:
        vm.wait_ready()
        script = "sh /usr/bin/eoe-takeover"
        refused = vm.run(f"insmod /driver/standin.ko && {script} take {DEVICE}", check=False)
        assert refused.status != 0 and "not loaded" in refused.output
        # Ours comes second and gets nothing by itself.
        vm.run("for m in phylink; do modprobe $m 2>/dev/null; done; insmod /driver/xilinx_axienet_eoe.ko")
        assert vm.run(BOUND).output.strip() == "standin"
        for _ in range(3):
            vm.run(f"{script} take {DEVICE}")
            assert vm.run(BOUND).output.strip() == OURS
            vm.run(f"{script} take {DEVICE}")  # once more changes nothing
            vm.run("ip address add 10.10.0.2/24 dev eth0 && ip link set eth0 up")
            vm.run(REACHED, 60)
            vm.run(f"{script} back {DEVICE}")
            assert vm.run(BOUND).output.strip() == "standin"
            assert vm.run(f"cat /sys/bus/platform/devices/{DEVICE}/driver_override").output.strip() in (
                "", "(null)")  # fmt: skip
            vm.run("[ ! -e /sys/class/net/eth0 ]")
        unknown = vm.run(f"{script} back {DEVICE}", check=False)
        assert unknown.status != 0
        missing = vm.run(f"{script} take 1234.ethernet", check=False)
        assert missing.status != 0 and "no platform device" in missing.output
        assert not reports(vm.dmesg())
