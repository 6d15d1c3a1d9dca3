# SPDX-License-Identifier: GPL-2.0-or-later
"""The distribution's own ZCU102 tree, untouched: the machine answers its firmware calls."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guest.trees import DTS
from tests.rig.kernel_log import reports
from tests.rig.parts import BUILD
from tests.rig.vm import Vm

MACHINE = "xlnx-zcu102-eoe,eemi=on"
SERVICE = "/machine/eemi-service"

# Hz, as Linux computes them from 33.333 MHz and what the board's boot loader sets up.
RATES = {
    "iopll": 1499999985,
    "apll": 1199999988,
    "acpu": 1199999988,
    "uart0_ref": 99999999,
    "gem3_ref": 124999999,
    "sdio1_ref": 187499999,
    "qspi_ref": 299999997,
    "i2c0_ref": 99999999,
    "usb3_dual_ref": 20000000,
    "lpd_lsbus": 99999999,
    "pl0_ref": 99999999,
}

LABELS = """
gic: &{/axi/interrupt-controller@f9010000} { };
zynqmp_clk: &{/firmware/zynqmp-firmware/clock-controller} { };
"""

# As AMD's generator writes it: the port runs on a clock of the processing system, at a rate.
FABRIC_CLOCK = """
&eoe0 {
	clocks = <&zynqmp_clk 71>, <&zynqmp_clk 71>, <&zynqmp_clk 71>;
	assigned-clocks = <&zynqmp_clk 71>;
	assigned-clock-rates = <50000000>;
};
"""


@pytest.fixture(scope="session")
def stock_tree() -> Path:
    """zynqmp-zcu102-rev1.0.dtb as it came with the kernel."""
    found = sorted((BUILD / "linux/current/usr/lib").glob("*/xilinx/zynqmp-zcu102-rev1.0.dtb"))
    if not found:
        pytest.skip("the kernel in build/linux/current came without device trees")
    return found[-1]


def with_port(stock: Path, target: Path, more: str = FABRIC_CLOCK) -> Path:
    """The stock tree with the board overlay merged in, and more source behind it.

    The distribution builds its trees without symbols, so the overlay cannot be applied to the
    blob: it is compiled behind the tree's source, with the labels it needs given to their nodes.
    """
    source = subprocess.run(
        ["dtc", "-q", "-I", "dtb", "-O", "dts", str(stock)],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    overlay = (DTS / "eoe-overlay.dtso").read_text()
    body = overlay.replace("/dts-v1/;", "").replace("/plugin/;", "")
    assert body != overlay
    text = subprocess.run(
        ["cpp", "-nostdinc", "-undef", "-D__DTS__", "-x", "assembler-with-cpp", "-I", str(DTS),
         "-"],
        check=True, input=body, capture_output=True, text=True,
    ).stdout  # fmt: skip
    subprocess.run(
        ["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", str(target), "-"],
        check=True, input=source + LABELS + text + more, text=True,
    )  # fmt: skip
    return target


def clock_summary(vm: Vm) -> dict[str, int]:
    """Rate in Hz of every clock the kernel has."""
    text = vm.run(
        "mountpoint -q /sys/kernel/debug || mount -t debugfs d /sys/kernel/debug\n"
        "cat /sys/kernel/debug/clk/clk_summary"
    ).output
    rates = re.findall(r"^ *(\S+) +\d+ +\d+ +\d+ +(\d+) ", text, re.M)
    return {name: int(rate) for name, rate in rates}


def test_untouched_tree_boots_with_the_clocks_and_pins_of_the_board(
    boot: Callable[..., Vm], stock_tree: Path
) -> None:
    vm = boot(dtb=stock_tree, machine=MACHINE, options=("eoe.noload",))
    model = vm.run("tr -d '\\0' </proc/device-tree/model").output
    assert model.startswith("ZynqMP ZCU102 Rev1.0"), model

    rates = clock_summary(vm)
    assert {name: rates.get(name) for name in RATES} == RATES

    pins = vm.run("cat /sys/kernel/debug/pinctrl/*zynqmp_pinctrl/pinmux-pins").output
    assert re.search(r"\(MIO18\): ff000000.serial .*function uart0 group uart0_4_grp", pins), pins

    # A board without that design in its logic has no port either.
    assert "has no Ethernet port in the programmable logic, so none is built" in vm.qemu_log()
    log = vm.dmesg()
    assert "Platform Management API v1.1" in log
    assert not reports(log)
    # What the emulator thinks of it: the console's clock runs, its node and pins are in use.
    shown = {
        part: str(vm.qmp("qom-get", path=SERVICE, property=part))
        for part in ("clocks", "nodes", "pins", "resets")
    }
    assert "uart0_ref         99999999 Hz\n" in shown["clocks"]
    assert "33 UART_0 " in shown["nodes"]
    assert re.search(r"MIO18 uart0 .* requested\n", shown["pins"])
    assert "1034 UART0" not in shown["resets"]

    vm.qmp("trace-event-set-state", name="xlnx_eoe_eemi_call", enable=True)
    vm.run("cat /sys/kernel/debug/pinctrl/*zynqmp_pinctrl/pinconf-pins")
    # PM_PINCTRL_CONFIG_PARAM_GET is call 32, in the SMC range of the silicon partner (UG1200).
    assert re.search(
        rf"xlnx_eoe_eemi_call {SERVICE} 0xc2000020 \S+ \S+ \S+ answers \S+ \S+\n", vm.qemu_log()
    )
    assert vm.poweroff() == 0


def test_port_in_the_merged_tree_carries_traffic(
    boot: Callable[..., Vm], stock_tree: Path, tmp_path: Path
) -> None:
    vm = boot(dtb=with_port(stock_tree, tmp_path / "merged.dtb"), machine=MACHINE)
    vm.run("ping -c 3 -i 0.2 -W 2 10.10.0.1 && ping -c 3 -i 0.2 -s 1472 -W 2 10.10.0.1")
    assert vm.peer
    vm.peer.run(["ping", "-c", "3", "-i", "0.2", "-W", "2", "10.10.0.2"])
    assert "tx-udp-segmentation: on" in vm.run("ethtool -k eth0").output
    # The rate the tree asks for, from the dividers the kernel chose; it was 100 MHz.
    before = clock_summary(vm)
    assert abs(before["pl0_ref"] - 50_000_000) < 10
    shown = re.search(
        r" pl0_ref +(\d+) Hz", str(vm.qmp("qom-get", path=SERVICE, property="clocks"))
    )
    assert shown and abs(int(shown[1]) - 50_000_000) < 10
    # Rates survive the driver going and coming.
    vm.run(
        "rmmod xilinx_axienet_eoe && load-driver && ip address add 10.10.0.2/24 dev eth0 && "
        "ip link set eth0 up && sleep 1 && ping -c 2 -W 2 10.10.0.1"
    )
    assert clock_summary(vm) == before
    assert not reports(vm.dmesg())
    assert vm.poweroff() == 0


def test_memory_above_two_gigabytes_is_named_where_it_is_and_reached_by_dma(
    boot: Callable[..., Vm], stock_tree: Path, tmp_path: Path
) -> None:
    tree = with_port(stock_tree, tmp_path / "wide.dtb", "&eoe0_dma { xlnx,addrwidth = <64>; };")
    # Later options win: the rig asks for 1 GiB.
    vm = boot(dtb=tree, machine=MACHINE, qemu_arguments=("-m", "5G"))
    iomem = vm.run("cat /proc/iomem").output
    ranges = re.findall(r"^([0-9a-f]+)-([0-9a-f]+) : System RAM", iomem, re.M)
    ends = [(int(first, 16), int(last, 16)) for first, last in ranges]
    assert max(last for first, last in ends if first < 2**31) == 2**31 - 1
    assert (0x8_0000_0000, 0x8_BFFF_FFFF) in ends
    # Free memory is above 4 GiB first, and so are the buffers.
    vm.run("ping -c 3 -i 0.2 -W 2 10.10.0.1 && ping -c 3 -i 0.2 -s 1472 -W 2 10.10.0.1")
    assert vm.qmp("qom-get", path="/machine/eoe-port0", property="addr-width") == 64
    assert not reports(vm.dmesg())


def test_own_tree_boots_without_the_service(boot: Callable[..., Vm]) -> None:
    """The emulator's tree has no firmware node: with it, all other tests boot; this is without."""
    vm = boot(machine="xlnx-zcu102-eoe,eemi=off")
    vm.run("ping -c 2 -i 0.2 -W 2 10.10.0.1")
    assert vm.poweroff() == 0
