# SPDX-License-Identifier: GPL-2.0-or-later
"""Two ports, and trees other than the full one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.guest.trees import compile_tree
from tests.rig.kernel_log import reports
from tests.rig.vm import Vm

SECOND = """
&axi {
	eoe1_dma: dma-controller@80070000 {
		compatible = "xlnx,eth-mcdma";
		reg = <0x0 0x80070000 0x0 0x10000>;
		/* The older generators' one-byte cell. */
		xlnx,addrwidth = /bits/ 8 <40>;
		xlnx,include-dre;
	};

	eoe1: ethernet@80060000 {
		compatible = "xlnx,xxv-ethernet-1.0";
		reg = <0x0 0x80060000 0x0 0x10000>, <0x0 0x80048000 0x0 0x8000>;
		reg-names = "mac", "eoe";
		interrupts = <EOE_IRQ16(91)>, <EOE_IRQ16(92)>;
		interrupt-names = EOE_NAMES16(mm2s), EOE_NAMES16(s2mm);
		clocks = <&pl_cpu_clk>, <&pl_clk>, <&pl_cpu_clk>;
		clock-names = "s_axi_aclk", "rx_core_clk", "dclk";
		axistream-connected = <&eoe1_dma>;
		phy-mode = "10gbase-r";
		managed = "in-band-status";
		xlnx,num-queues = /bits/ 16 <16>;
		xlnx,channel-ids = EOE_IDS16;
		xlnx,rxmem = <0x8000>;
		xlnx,has-hw-offload;
		xlnx,tx-hw-offload = <2>;
		xlnx,rx-hw-offload = <2>;
	};
};
"""

# Placed as another design may have it: elsewhere, and with an interrupt for every channel.
FEWER = """
&eoe0 {
	reg = <0x0 0xa0140000 0x0 0x10000>, <0x0 0xa0108000 0x0 0x8000>;
	xlnx,num-queues = /bits/ 16 <4>;
	xlnx,channel-ids = "1", "2", "3", "4";
	xlnx,gro-ports = <3>;
	interrupts = <0 104 4>, <0 105 4>, <0 106 4>, <0 107 4>,
		<0 96 4>, <0 95 4>, <0 94 4>, <0 93 4>;
	interrupt-names = "mm2s_ch1_introut", "mm2s_ch2_introut", "mm2s_ch3_introut",
		"mm2s_ch4_introut", "s2mm_ch1_introut", "s2mm_ch2_introut", "s2mm_ch3_introut",
		"s2mm_ch4_introut";
};
&eoe0_dma {
	reg = <0x0 0xa0150000 0x0 0x10000>;
	xlnx,addrwidth = <32>;
};
"""

PLAIN = """
&eoe0 {
	reg = <0x0 0x80020000 0x0 0x10000>;
	reg-names = "mac";
	xlnx,tx-hw-offload = <0>;
	xlnx,rx-hw-offload = <0>;
	/delete-property/ xlnx,has-hw-offload;
	/delete-property/ local-mac-address;
	xlnx,num-queues = /bits/ 16 <1>;
	xlnx,channel-ids = "1";
	interrupts = <0 89 4>, <0 90 4>;
	interrupt-names = "mm2s_ch1_introut", "s2mm_ch1_introut";
};
"""


def test_second_port_carries_traffic_beside_the_first(
    boot: Callable[..., Vm], tmp_path: Path
) -> None:
    tree = compile_tree(tmp_path / "two.dtb", SECOND)
    vm = boot(dtb=tree, ports=2)
    vm.run("ip address add 10.10.1.2/24 dev eth1 && ip link set eth1 up; sleep 1")
    for _ in range(2):
        vm.run("ping -c 3 -i 0.2 -W 2 -I eth0 10.10.0.1 && ping -c 3 -i 0.2 -W 2 -I eth1 10.10.1.1")
        vm.run("ethtool -N eth1 flow-type udp4 dst-port 5101 && ethtool -N eth1 delete 1")
        vm.run("rmmod xilinx_axienet_eoe && insmod /driver/xilinx_axienet_eoe.ko && "
               "ip address add 10.10.0.2/24 dev eth0 && ip link set eth0 up && "
               "ip address add 10.10.1.2/24 dev eth1 && ip link set eth1 up; sleep 1")  # fmt: skip
    assert not reports(vm.dmesg())


def test_four_channels_and_32_bit_addresses(boot: Callable[..., Vm], tmp_path: Path) -> None:
    """Three GRO ports are all there are; descriptors stay below 4 GiB with one-word pointers."""
    tree = compile_tree(tmp_path / "four.dtb", FEWER)
    vm = boot(dtb=tree)
    for name, value in {
        "addr-width": 32, "num-mm2s-channels": 4, "num-s2mm-channels": 4, "eoe-gro-ports": 3,
    }.items():  # fmt: skip
        assert vm.qmp("qom-get", path="/machine/eoe-port0", property=name) == value
    vm.run("ping -c 3 -i 0.2 -W 2 10.10.0.1 && ping -c 3 -i 0.2 -s 1472 -W 2 10.10.0.1")
    vm.run("for p in 1 2 3; do ethtool -N eth0 flow-type udp4 dst-port $p || exit; done")
    full = vm.run("ethtool -N eth0 flow-type udp4 dst-port 4", check=False)
    assert full.status != 0
    assert "No space" in full.output
    # The channels' interrupts came where the tree has them: 32 is the GIC's first shared one.
    counts = vm.run("grep -E ' (13[6-9]|12[5-8]) Level' /proc/interrupts").output
    assert len(counts.splitlines()) == 8, counts
    assert not reports(vm.dmesg())


def test_plain_mac_without_offload_engine(boot: Callable[..., Vm], tmp_path: Path) -> None:
    """One channel, no EOE: a plain NIC, with a random address and no offload to boast of."""
    tree = compile_tree(tmp_path / "plain.dtb", PLAIN)
    vm = boot(dtb=tree)
    vm.run("ping -c 3 -i 0.2 -W 2 10.10.0.1 && ping -c 3 -i 0.2 -s 1472 -W 2 10.10.0.1")
    features = vm.run("ethtool -k eth0").output
    assert "tx-udp-segmentation: off [fixed]" in features
    assert "tx-checksum-ipv4: off [fixed]" in features
    rule = vm.run("ethtool -N eth0 flow-type udp4 dst-port 5101", check=False)
    assert rule.status != 0
    assert not reports(vm.dmesg())
