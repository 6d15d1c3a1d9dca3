# SPDX-License-Identifier: GPL-2.0-or-later
"""A guest on the emulator that `make qemu-tree` has built: `make test-tree`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guest.conftest import boot, need_tap, parts
from tests.guest.guest import PEER_ADDRESS, counters, gained, udp_socket
from tests.guest.guest_udp import pattern
from tests.guest.test_gro import received, rule
from tests.rig.kernel_log import reports
from tests.rig.parts import BUILD
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

__all__ = ["boot", "need_tap", "parts"]

QEMU = BUILD / "qemu-tree/current/qemu-system-aarch64"


def test_traffic_through_the_device_inside_qemu(
    boot: Callable[..., Vm], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QEMU", str(QEMU))
    vm = boot()
    process = Path("/proc") / str(vm.pid)
    assert (process / "exe").resolve() == QEMU.resolve()
    assert "xlnx-eoe" not in (process / "maps").read_text()

    vm.run(f"ping -c 5 -i 0.2 -s 1472 {PEER_ADDRESS}")
    assert isinstance(vm.peer, TapPeer)
    before = counters(vm)
    with udp_socket(vm.peer) as sock:
        port = sock.getsockname()[1]
        vm.run(f"guest-udp gso --to {PEER_ADDRESS} --port {port} --rounds 1 --total 56000 --gso 1400")
        assert b"".join(sock.recv(65536) for _ in range(40)) == pattern(1, 56000)
    # The engine has cut it: one packet in, forty out.
    moved = gained(before, counters(vm))
    cut = [
        sum(moved[name] for name in moved if name.startswith("txq") and name.endswith(kind))
        for kind in ("_gso_packets", "_gso_wire_packets")
    ]
    assert cut == [1, 40], moved

    rule(vm)
    sizes = [1400] * 12
    calls, moved = received(vm, vm.peer, sizes, gro=True)
    assert sum(int(str(call["len"])) for call in calls) == sum(sizes)
    assert moved.get("eoe_rx_gro") == len(sizes), moved
    assert not reports(vm.dmesg())
