# SPDX-License-Identifier: GPL-2.0-or-later
"""Pause, negotiation and fixed links; the cable itself is in test_lifecycle."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.guest.guest import REACHED
from tests.guest.test_ports import SECOND
from tests.guest.trees import compile_tree
from tests.rig.kernel_log import reports
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

MAC, ENGINE, DMA = 0, 1, 2  # blocks of `ethtool -d`
TX_PAUSE, RX_PAUSE, AN_CONTROL = 0x040, 0x094, 0x0E0
GLOBAL_PAUSE = 1 << 8


def registers(vm: Vm, interface: str = "eth0") -> dict[tuple[int, int], int]:
    """`ethtool -d`, by block and offset."""
    text = vm.run(f"ethtool -d {interface} raw on | busybox od -An -v -tx4").output
    words = [int(word, 16) for word in text.split() if re.fullmatch("[0-9a-f]{8}", word)]
    assert words, text
    found: dict[tuple[int, int], int] = {}
    for tag, value in zip(words[::2], words[1::2], strict=True):
        # The first entry is the MAC's at 0; what follows the last is zeros.
        if tag or not found:
            found[tag >> 24, tag & 0xFFFFFF] = value
    return found


def pause_frames(vm: Vm) -> dict[str, int]:
    """What `ethtool -I -a` has counted."""
    text = vm.run("ethtool -I -a eth0").output
    return {name: int(value) for name, value in re.findall(r"(\w+_pause_frames): (\d+)", text)}


def settle(vm: Vm, condition: str) -> None:
    """Waits for the link to follow what was asked for."""
    vm.run(f"for i in $(seq 80); do {condition} && exit 0; sleep 0.1; done; exit 1", 40)


@pytest.fixture
def no_pause(vm: Vm) -> Iterator[Vm]:
    """The shared guest, without pause again afterwards."""
    yield vm
    vm.run("ethtool -A eth0 autoneg on rx off tx off")
    vm.run(REACHED, 60)


def test_pause_reaches_the_registers_and_survives_restarts(no_pause: Vm) -> None:
    vm = no_pause
    assert registers(vm)[MAC, RX_PAUSE] & GLOBAL_PAUSE == 0
    for tx, rx in (("on", "off"), ("off", "on"), ("on", "on")):
        vm.run(f"ethtool -A eth0 autoneg off rx {rx} tx {tx}")
        text = vm.run("ethtool -a eth0").output
        assert re.search(rf"^RX:\s+{rx}$", text, re.M), text
        assert re.search(rf"^TX:\s+{tx}$", text, re.M), text
        vm.run(REACHED, 60)
        found = registers(vm)
        assert bool(found[MAC, TX_PAUSE] & GLOBAL_PAUSE) == (tx == "on")
        assert bool(found[MAC, RX_PAUSE] & GLOBAL_PAUSE) == (rx == "on")
    # The engine's reset takes the MAC along.
    vm.run("ethtool -G eth0 rx 512 && ethtool -G eth0 rx 256 && ip link set eth0 down && "
           "ip link set eth0 up")  # fmt: skip
    vm.run(REACHED, 60)
    found = registers(vm)
    assert found[MAC, TX_PAUSE] & GLOBAL_PAUSE and found[MAC, RX_PAUSE] & GLOBAL_PAUSE
    vm.run("ethtool -A eth0 rx off tx off")
    vm.run(REACHED, 60)
    found = registers(vm)
    assert not (found[MAC, TX_PAUSE] | found[MAC, RX_PAUSE]) & GLOBAL_PAUSE


def test_pause_frames_are_counted(no_pause: Vm, peer: TapPeer) -> None:
    vm = no_pause
    vm.run("ethtool -A eth0 autoneg off rx on tx off")
    vm.run(REACHED, 60)
    before = pause_frames(vm)
    # A pause of no quanta: it ends the pause, so nothing has to wait.
    frame = bytes.fromhex("0180c2000001" "020000000001" "8808" "0001" "0000") + bytes(42)
    wire = peer.socket(socket.AF_PACKET, socket.SOCK_RAW)
    wire.bind(("tap0", 0))
    for _ in range(5):
        wire.send(frame)
    wire.close()
    for _ in range(30):
        after = pause_frames(vm)
        if after["rx_pause_frames"] - before["rx_pause_frames"] >= 5:
            break
    assert after["rx_pause_frames"] - before["rx_pause_frames"] == 5
    assert after["tx_pause_frames"] == before["tx_pause_frames"]


NEGOTIATING_AND_FIXED = (
    SECOND
    + """
&eoe1 {
	/delete-property/ managed;
	fixed-link {
		speed = <10000>;
		full-duplex;
	};
};

&eoe0 {
	phy-mode = "10gbase-kr";
	xlnx,has-auto-neg;
	/* The names of mainline's binding. */
	clock-names = "s_axi", "rx_core", "drp";
};
"""
)


def test_negotiation_and_a_fixed_link(boot: Callable[..., Vm], tmp_path: Path) -> None:
    """Port 0 negotiates, port 1 is told."""
    tree = compile_tree(tmp_path / "an.dtb", NEGOTIATING_AND_FIXED)
    vm = boot(dtb=tree, ports=2)
    vm.run(REACHED, 60)
    text = vm.run("ethtool eth0").output
    assert "Supports auto-negotiation: Yes" in text
    assert "Link partner advertised auto-negotiation: Yes" in text, text
    assert registers(vm)[MAC, AN_CONTROL] & 0x3 == 1, "enabled, not bypassed"
    seed = registers(vm)[MAC, AN_CONTROL] >> 2 & 0xFF
    assert seed != 0
    # The emulator's partner agrees to what it is offered.
    vm.run("ethtool -A eth0 autoneg on rx on tx on && ethtool -r eth0")
    settle(vm, "ethtool -a eth0 | grep -q 'RX negotiated: *on'")
    settle(vm, "dmesg | grep -q 'eth0: Link is Up.*flow control rx/tx'")
    found = registers(vm)
    assert found[MAC, TX_PAUSE] & found[MAC, RX_PAUSE] & GLOBAL_PAUSE
    vm.run("ethtool -s eth0 autoneg off speed 10000 duplex full")
    settle(vm, "[ $(cat /sys/class/net/eth0/carrier) = 1 ]")
    assert registers(vm)[MAC, AN_CONTROL] & 0x3 == 2, "bypassed, not enabled"
    vm.run(REACHED, 60)

    # A fixed link is up whatever the cable does, and never complains.
    vm.run("ip link set eth1 up")
    settle(vm, "[ $(cat /sys/class/net/eth1/carrier) = 1 ]")
    vm.qmp("set_link", name="net1", up=False)
    vm.run("sleep 2; [ $(cat /sys/class/net/eth1/carrier) = 1 ]")
    vm.run("ip link set eth1 down && ip link set eth1 up")
    assert not reports(vm.dmesg())

