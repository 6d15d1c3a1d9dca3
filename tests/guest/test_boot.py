# SPDX-License-Identifier: GPL-2.0-or-later
"""The guest boots, the driver binds, and the commands of AMD's page work as written."""

from __future__ import annotations

import re

from tests.guest.guest import PEER_ADDRESS, background
from tests.rig.kernel_log import reports
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm


def test_boot_log_has_no_report(shared_vm: Vm) -> None:
    assert not reports(shared_vm.dmesg())


def test_probe_binds_and_link_is_up(vm: Vm) -> None:
    info = vm.run("ethtool -i eth0").output
    assert re.search(r"^driver: xilinx_axienet_eoe$", info, re.M)
    assert re.search(r"^bus-info: 80020000\.ethernet$", info, re.M)
    link = vm.run("ethtool eth0").output
    assert "Speed: 10000Mb/s" in link
    assert "Duplex: Full" in link
    assert "Link detected: yes" in link


def test_shared_interrupt_lines_have_one_handler_each(vm: Vm) -> None:
    """All MM2S channels share one line and all S2MM channels another, as in AMD's tree."""
    lines = vm.run("grep eth0 /proc/interrupts").output.splitlines()
    assert [line.split()[-1] for line in lines] == ["eth0-tx", "eth0-rx"], lines
    before = [int(line.split()[1]) for line in lines]
    vm.run(f"ping -c 3 -i 0.2 {PEER_ADDRESS}")
    after = [int(line.split()[1]) for line in vm.run("grep eth0 /proc/interrupts").output.splitlines()]
    assert all(new > old for old, new in zip(before, after, strict=True))


def test_mac_address_is_the_trees(vm: Vm) -> None:
    assert vm.run("cat /sys/class/net/eth0/address").output.strip() == "00:0a:35:00:22:01"


def test_ring_size_as_on_amds_page(vm: Vm) -> None:
    vm.run("ifconfig eth0 down && ethtool -G eth0 rx 256 && ifconfig eth0 up")
    rings = vm.run("ethtool -g eth0").output
    current = rings.split("Current hardware settings")[1]
    assert re.search(r"^RX:\s+256$", current, re.M), rings
    vm.run(f"for i in 1 2 3 4 5; do ping -c 1 -W 1 {PEER_ADDRESS} && exit 0; done; exit 1", 15)
    vm.run("ip link set eth0 down && ethtool -G eth0 rx 512 && ip link set eth0 up")
    assert re.search(r"^RX:\s+512$", vm.run("ethtool -g eth0").output.split("Current")[1], re.M)


def test_smp_affinity_can_be_written(vm: Vm) -> None:
    text = vm.run(
        "irq=$(grep eth0 /proc/interrupts | head -n 1 | cut -d: -f1 | tr -d ' ')\n"
        "echo 4 >/proc/irq/$irq/smp_affinity && cat /proc/irq/$irq/smp_affinity\n"
        "echo f >/proc/irq/$irq/smp_affinity"
    ).output
    assert int(text.strip(), 16) == 4


def test_aperf_sends_segments_as_on_amds_page(vm: Vm, peer: TapPeer) -> None:
    """`aperf ... -l 65493 -G 1472`, here for two seconds, against aperf's own server."""
    vm.run("sysctl -w net.core.rmem_max=8388608")
    vm.run("ethtool -N eth0 flow-type udp4 dst-port 5101")
    with background(vm, "taskset -c 0 aperf -s -p 5101", ready=""):
        vm.run("for i in $(seq 100); do ss -Hltn 'sport = :5101' | grep -q . && exit 0; sleep 0.1; "
               "done; exit 1")  # fmt: skip
        # A client that sends to ourselves would prove nothing of the port: the peer's iperf3 does.
        done = peer.run(
            [str(vm.parts.iperf3), "-u", "-c", "10.10.0.2", "-p", "5101", "-b", "20M", "-t", "1",
             "-l", "1472"],
            timeout=30,
        )  # fmt: skip
        assert "receiver" in done.stdout
    server = peer.popen([str(vm.parts.iperf3), "-s", "-1", "-p", "5101"])
    try:
        before = int(vm.run("cat /sys/class/net/eth0/statistics/tx_packets").output)
        output = vm.run(
            f"sleep 1; aperf -i 2 -t 2 -p 5101 -c {PEER_ADDRESS} -b 0M -u -l 65493 -G 1472", 40
        ).output
        sent = int(vm.run("cat /sys/class/net/eth0/statistics/tx_packets").output) - before
        assert "receiver" in output
        assert server.wait(10) == 0
        assert sent > 44, "fewer frames than one block of 65493 bytes has segments"
    finally:
        server.kill()
        server.wait()


def test_mpstat_as_on_amds_page(vm: Vm) -> None:
    output = vm.run("mpstat -P ALL 2 5", 30).output
    assert re.search(r"^Average:\s+3\s", output, re.M), output
