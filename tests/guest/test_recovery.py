# SPDX-License-Identifier: GPL-2.0-or-later
"""The engine fails under the driver: it is counted, said, and cured, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.guest.conftest import LOGS, tool_files
from tests.guest.guest import GUEST_ADDRESS, PEER_ADDRESS, counters, gained, udp_socket
from tests.guest.qtest import MCDMA, S2MM, Bus
from tests.rig.kernel_log import reports
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

CONTROL = 0x00
CHEN = 0x08
CHANNEL = 0x40  # channel 1, and the distance from each to the next
CURDESC = 0x08
BD_RX_STATUS = 0x18
BD_CONTROL = 0x14
COMPLETE = 1 << 31

REACHED = (
    f"for i in $(seq 40); do ping -c 1 -W 1 {PEER_ADDRESS} >/dev/null && exit 0; sleep 0.2; done; "
    "exit 1"
)


@pytest.fixture(scope="module")
def bus(need_tap: None) -> Iterator[Bus]:
    """A hand on the bus of this module's guest."""
    made = Bus()
    yield made
    made.close()


@pytest.fixture(scope="module")
def broken_vm(bus: Bus, parts: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vm]:
    """A guest of this module's own, whose port is broken again and again."""
    with TapPeer() as cable, Vm(
        cable, files=tool_files(), logs=LOGS / "recovery", qemu_arguments=bus.arguments,
        pass_fds=(bus.fd,),
    ) as made:  # fmt: skip
        made.wait_ready()
        yield made


@pytest.fixture
def healthy(broken_vm: Vm) -> Iterator[Vm]:
    """That guest, with a rule, reachable before and after, and with nothing to report."""
    broken_vm.run(REACHED, 60)
    broken_vm.run(
        "ethtool -n eth0 | grep -q '^Filter: 1' || ethtool -N eth0 flow-type udp4 dst-port 5101"
    )
    # Recovery is bounded: ten resets in ten seconds. One test must not use up another's.
    broken_vm.run("sleep 1; dmesg -c >/dev/null")
    yield broken_vm
    broken_vm.run(REACHED, 60)
    assert "Dest port: 5101" in broken_vm.run("ethtool -n eth0").output
    assert merges(broken_vm), "the rule is listed but merges no more"
    # A transmit watchdog firing is what one of these tests is about.
    bad = [line for line in reports(broken_vm.dmesg()) if "NETDEV WATCHDOG" not in line]
    assert not bad, bad


def merges(vm: Vm) -> bool:
    before = counters(vm)
    assert isinstance(vm.peer, TapPeer)
    with udp_socket(vm.peer) as sock:
        for _ in range(5):
            sock.sendto(b"m" * 100, (GUEST_ADDRESS, 5101))
    vm.run("sleep 0.3")
    return gained(before, counters(vm)).get("eoe_rx_gro", 0) == 5


def wait_for_reset(vm: Vm, before: dict[str, int], seconds: float) -> dict[str, int]:
    """Waits for the driver's reset counter to move; returns what all counters gained."""
    vm.run(
        f"for i in $(seq {int(seconds * 5)}); do\n"
        f"  n=$(ethtool -S eth0 | sed -n 's/^ *resets: //p'); [ $n -gt {before['resets']} ] && exit 0\n"
        "  sleep 0.2\ndone; ethtool -S eth0 | grep -E 'reset|err|timeout'; exit 1",
        timeout=seconds + 30,
    )
    return gained(before, counters(vm))


def next_descriptor(bus: Bus) -> int:
    """A descriptor of receive channel 1 that is used within the next two packets.

    CURDESC is the descriptor in use: the last one done, or the first to come.
    """
    register = MCDMA + S2MM + CHANNEL + CURDESC
    current = bus.readl(register) | bus.readl(register + 4) << 32
    return bus.readl(current) | bus.readl(current + 4) << 32


# What is written over the channel's next descriptor, and what the driver must call it.
RX_FAULTS = {
    "zero length": (BD_CONTROL, 0, "rx_err_dma_internal"),
    "stale": (BD_RX_STATUS, COMPLETE, "rx_err_sg_stale"),
    "buffer nowhere": (0x0C, 0xFF, "rx_err_dma_decode"),
}


@pytest.mark.parametrize("fault", RX_FAULTS.values(), ids=RX_FAULTS.keys())
def test_receive_descriptor_error_is_cured(
    healthy: Vm, bus: Bus, fault: tuple[int, int, str]
) -> None:
    offset, value, counter = fault
    before = counters(healthy)
    bus.writel(next_descriptor(bus) + offset, value)
    healthy.run(f"ping -c 3 -i 0.2 -W 1 {PEER_ADDRESS}", check=False)
    moved = wait_for_reset(healthy, before, 10)
    assert moved.get(counter) == 1, moved
    assert moved["resets"] == 1, moved


def test_engine_reset_behind_the_back_is_cured(healthy: Vm, bus: Bus) -> None:
    """All registers are at reset: nothing completes any more, which only the watchdog sees."""
    before = counters(healthy)
    bus.writel(MCDMA + CONTROL, 1 << 2)
    # Something must be waiting to be sent for the watchdog to look.
    healthy.run(f"ping -i 0.5 -w 12 {PEER_ADDRESS} >/dev/null 2>&1 &")
    moved = wait_for_reset(healthy, before, 25)
    assert moved.get("tx_timeouts", 0) >= 1, moved


def test_stopped_channels_are_cured(healthy: Vm, bus: Bus) -> None:
    """MM2S channels that are no longer served: descriptors stay, the watchdog sees it."""
    before = counters(healthy)
    bus.writel(MCDMA + CHEN, 0)
    healthy.run(f"ping -i 0.5 -w 12 {PEER_ADDRESS} >/dev/null 2>&1 &")
    moved = wait_for_reset(healthy, before, 25)
    assert moved.get("tx_timeouts", 0) >= 1, moved


def test_resets_are_bounded(healthy: Vm, bus: Bus) -> None:
    """A fault that is always there does not keep the machine busy for ever; down and up helps."""
    before = counters(healthy)["resets"]
    for _ in range(14):
        bus.writel(next_descriptor(bus) + BD_CONTROL, 0)
        healthy.run(f"ping -c 3 -i 0.2 -W 1 {PEER_ADDRESS} >/dev/null", check=False)
    resets = counters(healthy)["resets"] - before
    assert 1 <= resets <= 20, resets
    healthy.run("ip link set eth0 down; ip link set eth0 up")


def test_down_and_up_while_halted(healthy: Vm, bus: Bus) -> None:
    """The interface goes down while the engine is dead; it must neither hang nor leak."""
    for _ in range(3):
        bus.writel(next_descriptor(bus) + BD_RX_STATUS, COMPLETE)
        healthy.run(
            f"ping -c 1 -W 1 {PEER_ADDRESS} >/dev/null & ip link set eth0 down; "
            "ip link set eth0 up"
        )
