# SPDX-License-Identifier: GPL-2.0-or-later
"""The MCDMA under a driver that is not ours: the kernel's own dmaengine driver."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guest.trees import compile_tree
from tests.rig.kernel_log import reports
from tests.rig.parts import BUILD, CROSS, TOP
from tests.rig.vm import Vm

CHANNELS = 16
NAMES = ", ".join(f'"tx{n}", "rx{n}"' for n in range(1, CHANNELS + 1))
# The binding numbers MM2S channels from 0 and S2MM channels from 16.
DMAS = ", ".join(f"<&mcdma {n}>, <&mcdma {n + 16}>" for n in range(CHANNELS))
TREE = f"""
&eoe0 {{ status = "disabled"; }};
&eoe0_dma {{ status = "disabled"; }};
&axi {{
	mcdma: dma@80030000 {{
		compatible = "xlnx,axi-mcdma-1.00.a";
		reg = <0x0 0x80030000 0x0 0x10000>;
		#dma-cells = <1>;
		xlnx,addrwidth = <40>;
		xlnx,sg-length-width = <23>;
		clocks = <&pl_cpu_clk>;
		clock-names = "s_axi_lite_aclk";
		dma-channel@80030000 {{
			compatible = "xlnx,axi-dma-mm2s-channel";
			dma-channels = <{CHANNELS}>;
			interrupts = <EOE_IRQ16(89)>;
			xlnx,datawidth = <64>;
			xlnx,include-dre;
		}};
		dma-channel@80030500 {{
			compatible = "xlnx,axi-dma-s2mm-channel";
			dma-channels = <{CHANNELS}>;
			interrupts = <EOE_IRQ16(90)>;
			xlnx,datawidth = <64>;
			xlnx,include-dre;
		}};
	}};
	client@80020000 {{
		compatible = "eoe,mcdma-client";
		reg = <0x0 0x80020000 0x0 0x10000>, <0x0 0x80008000 0x0 0x8000>;
		reg-names = "mac", "eoe";
		dmas = {DMAS};
		dma-names = {NAMES};
	}};
}};
"""


@pytest.fixture(scope="module")
def modules() -> Path:
    """The kernel's driver, from its source, and our client of it; warnings fail that."""
    made = BUILD / "interop"
    done = subprocess.run(
        [TOP / "test-images/kernel-files", made, "drivers/dma/dmaengine.h",
         "drivers/dma/xilinx/xilinx_dma.c"],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    source = made / "drivers/dma/xilinx"
    shutil.copy(TOP / "tests/guest/mcdma_client.c", source)
    shutil.copy(TOP / "kernel-driver/eoe_hw.h", source)
    (source / "Kbuild").write_text("obj-m := xilinx_dma.o mcdma_client.o\n")
    done = subprocess.run(
        ["make", "-C", BUILD / "linux/current/headers", f"M={source}", *CROSS, "W=1", "modules"],
        capture_output=True, text=True,
    )  # fmt: skip
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    assert not re.search(r"mcdma_client\.c.*warning", text), text
    return source


def test_kernels_dmaengine_driver_moves_datagrams_on_every_channel(
    boot: Callable[..., Vm], tmp_path: Path, modules: Path
) -> None:
    """All 16 channels at once, one datagram or several of each; and again after both were removed."""
    files: dict[str, Path | bytes] = {
        f"driver/{name}.ko": modules / f"{name}.ko" for name in ("xilinx_dma", "mcdma_client")
    }
    vm = boot(
        dtb=compile_tree(tmp_path / "interop.dtb", TREE), machine="xlnx-zcu102-eoe,placement=fixed",
        options=("eoe.noload",), files=files,
    )  # fmt: skip
    for batch, rounds in ((1, 20), (8, 80), (3, 20)):
        vm.run("dmesg -c >/dev/null; insmod /driver/xilinx_dma.ko")
        vm.run(f"insmod /driver/mcdma_client.ko batch={batch} rounds={rounds}", 60)
        log = vm.dmesg()
        found = re.findall(r"channel (\d+): (\d+) of (\d+) transfers", log)
        assert found == [(str(n), str(rounds), str(rounds)) for n in range(1, CHANNELS + 1)], log
        assert "result: 0" in log and "has errors" not in log, log
        vm.run("rmmod mcdma_client && rmmod xilinx_dma")
        assert not reports(vm.dmesg())
