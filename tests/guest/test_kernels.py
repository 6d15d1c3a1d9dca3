# SPDX-License-Identifier: GPL-2.0-or-later
"""Another kernel than the guest's own, and memory where the MCDMA cannot reach it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.guest.conftest import LOGS, tool_files
from tests.guest.guest import REACHED, counters
from tests.guest.test_ethtool import outcomes
from tests.guest.test_ports import FEWER
from tests.guest.trees import compile_tree
from tests.rig.kernel_log import reports
from tests.rig.parts import BUILD, TOP, Parts
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm


def smoke(vm: Vm, peer: TapPeer) -> None:
    """Packets of all sizes both ways, cut and merged ones among them, and the self-test."""
    vm.run(REACHED, 60)
    vm.run("ethtool -N eth0 flow-type udp4 dst-port 5101")
    assert re.search(r"^\d+ RX rings available\n.*Dest port: 5101", vm.run("ethtool -n eth0").output, re.S)
    for port, more in ((5102, ["-R"]), (5101, [])):
        before = counters(vm)
        vm.run(f"iperf3 -s -1 -D -p {port} && sleep 1")
        peer.run(
            [str(vm.parts.iperf3), "-u", "-c", "10.10.0.2", "-p", str(port), "-b", "50M", "-t", "2",
             "-l", "1400", *more],
            timeout=60,
        )  # fmt: skip
        after = counters(vm)
        assert sum(after[n] - before[n] for n in after if re.fullmatch(r"[rt]xq\d+_packets", n)) > 2000
    text = vm.run("ethtool -t eth0 offline", 60).output
    assert set(outcomes(text).values()) == {0}, text
    vm.run("ethtool -G eth0 rx 48 && ip link set eth0 down && ip link set eth0 up")
    vm.run(REACHED, 60)
    vm.run("rmmod xilinx_axienet_eoe")
    assert not reports(vm.dmesg())


@pytest.fixture(scope="module")
def newest() -> Parts:
    """The archive's newest kernel with a driver compiled for it; warnings fail that."""
    done = subprocess.run(
        [TOP / "test-images/kernel-matrix", "--newest"],
        capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    made = BUILD / "newest"
    if done.returncode != 0 and "FAILED" not in done.stdout and "warnings" not in done.stdout:
        pytest.skip(f"the newest kernel cannot be had here: {(done.stdout + done.stderr)[-300:]}")
    assert done.returncode == 0, done.stdout
    return Parts(kernel=made / "Image", initrd=made / "initrd.cpio.gz",
                 driver=made / "xilinx_axienet_eoe.ko")  # fmt: skip


def test_newest_kernel_compiles_boots_and_moves_packets(need_tap: None, newest: Parts) -> None:
    with TapPeer() as cable, Vm(cable, newest, files=tool_files(), logs=LOGS / "newest") as vm:
        vm.wait_ready(180)
        own = Parts()
        assert vm.run("uname -r").output.strip() != own.kernel.resolve().name.removeprefix("vmlinuz-")
        smoke(vm, cable)


def test_bounce_buffers_with_a_32_bit_engine(need_tap: None, tmp_path: Path) -> None:
    """Every buffer is copied to memory below 4 GiB and back, as if all others were above it."""
    own = Parts(dtb=compile_tree(tmp_path / "narrow.dtb", FEWER))
    arguments = (
        "-global", "xlnx-eoe-port.addr-width=32",
        "-global", "xlnx-eoe-port.num-mm2s-channels=4",
        "-global", "xlnx-eoe-port.num-s2mm-channels=4",
        "-global", "xlnx-eoe-port.eoe-gro-ports=3",
    )  # fmt: skip
    with TapPeer() as cable, Vm(
        cable, own, files=tool_files(), logs=LOGS / "swiotlb", qemu_arguments=arguments,
        # 16 MiB; left to itself the kernel sets one aside here, too little for two sets of rings.
        options=("swiotlb=8192,force", "eoe.noup"),
    ) as vm:  # fmt: skip
        vm.wait_ready()
        vm.run("ethtool -G eth0 rx 64 && ip link set eth0 up")
        smoke(vm, cable)
        used = vm.run("cat /sys/kernel/debug/swiotlb/io_tlb_used_hiwater 2>/dev/null; "
                      "mount -t debugfs d /sys/kernel/debug 2>/dev/null; "
                      "cat /sys/kernel/debug/swiotlb/io_tlb_used_hiwater")  # fmt: skip
        assert int(used.output.split()[-1]) > 0, "nothing was bounced"
