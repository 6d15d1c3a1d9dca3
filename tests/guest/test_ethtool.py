# SPDX-License-Identifier: GPL-2.0-or-later
"""What ethtool shows: counters in groups, registers, the self-test, and clean answers."""

from __future__ import annotations

import json
import re

import pytest

from tests.guest.guest import GUEST_ADDRESS, REACHED, counters, gained, udp_socket
from tests.guest.test_link import DMA, ENGINE, MAC, registers
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

REVISION, ENGINE_VERSION = 0x024, 0x00


def groups(vm: Vm) -> dict[str, dict[str, object]]:
    """The standard groups of `ethtool -S`."""
    text = vm.run("ethtool --json -S eth0 --groups eth-mac rmon").output
    return json.loads(text)[0]  # type: ignore[no-any-return]


def histogram(group: dict[str, object], key: str) -> dict[tuple[int, int], int]:
    """A histogram of the rmon group by its ranges."""
    bins = group["rmon"][key]  # type: ignore[index]
    return {(one["low"], one["high"]): one["val"] for one in bins}


def test_groups_count_what_the_wire_carries(vm: Vm, peer: TapPeer) -> None:
    """Every length once, in its range, up and down; wire packets as packets."""
    vm.run("ip link set eth0 mtu 9000")
    peer.run(["ip", "link", "set", "tap0", "mtu", "9000"])
    try:
        vm.run(REACHED, 60)
        # UDP payloads whose frames, 46 bytes longer with FCS, fall into ranges of their own.
        lengths = {20: (65, 127), 300: (256, 511), 1476: (1519, 2047), 5000: (4096, 8191),
                   8500: (8192, 9215)}  # fmt: skip
        sender = udp_socket(peer)
        before, link_before = groups(vm), counters(vm)
        for length in lengths:
            for _ in range(3):
                sender.sendto(bytes(length), (GUEST_ADDRESS, 7001))
        vm.run("sleep 1")
        after, link = groups(vm), gained(link_before, counters(vm))
        sender.close()
        grown = {
            key: value - histogram(before, "rx-pktsNtoM")[key]
            for key, value in histogram(after, "rx-pktsNtoM").items()
        }
        for length, key in lengths.items():
            # Announcements and refusals are small; the others are ours alone.
            assert grown[key] >= 3, (length, grown)
        assert grown[1519, 2047] == grown[4096, 8191] == grown[8192, 9215] == 3, grown
        frames = after["eth-mac"]["FramesReceivedOK"] - before["eth-mac"]["FramesReceivedOK"]  # type: ignore[operator]
        assert sum(grown.values()) == frames, "each frame is in one range"
        assert link["rxq0_packets"] == link["mac_rx_packets"], link
    finally:
        peer.run(["ip", "link", "set", "tap0", "mtu", "1500"])
        vm.run("ip link set eth0 mtu 1500")


def test_link_statistics_agree_with_the_queues(vm: Vm) -> None:
    vm.run("ping -c 20 -i 0.02 10.10.0.1")
    text = vm.run("ip -s -s -j link show eth0; echo; ethtool -S eth0").output
    stats = json.loads(text[text.index("[") :].split("\n")[0])[0]["stats64"]
    own = counters(vm)
    queues = range(16)
    assert stats["tx"]["packets"] <= sum(own[f"txq{q}_packets"] for q in queues)
    assert stats["rx"]["packets"] <= sum(own[f"rxq{q}_packets"] for q in queues)
    # What the engine has dropped is missed, and not a second time something else.
    assert stats["rx"].get("fifo_errors", 0) == 0


def test_dump_has_the_real_registers(vm: Vm) -> None:
    found = registers(vm)
    version = vm.run("ethtool -i eth0 | sed -n 's/^firmware-version: xxv //p'").output.strip()
    revision = found[MAC, REVISION]
    assert f"{revision & 0xFF}.{revision >> 8 & 0xFF}" == version
    assert found[ENGINE, ENGINE_VERSION] >> 24 == 1
    assert found[DMA, 0x000] & 1 and found[DMA, 0x500] & 1, "both directions run"
    assert found[DMA, 0x508] == 0xFFFF, "all channels are enabled"
    assert found[DMA, 0x540 + 0x08], "the first receive channel has a descriptor"
    # Reading must not change what is counted: what is cleared by reading is not among them.
    assert (DMA, 0x558) not in found
    again = registers(vm)
    assert found.keys() == again.keys()
    vm.run("ip link set eth0 down")
    assert registers(vm)[MAC, REVISION] == revision
    vm.run("ip link set eth0 up")
    vm.run(REACHED, 60)


def outcomes(text: str) -> dict[str, int]:
    """The values of a self-test by name."""
    return {name: int(value) for name, value in re.findall(r"^(\w+(?: \w+)?)\s+\(\w+\)\s+(\d+)", text, re.M)}


def test_self_test_passes_and_leaves_all_as_it_was(vm: Vm) -> None:
    vm.run("ethtool -N eth0 flow-type udp4 dst-port 5101 loc 3")
    vm.run("ethtool -C eth0 rx-usecs 40")
    before = counters(vm)
    text = vm.run("ethtool -t eth0 offline", 60).output
    assert "PASS" in text
    assert outcomes(text) == {"blocks answer": 0, "link": 0, "registers": 0, "loopback": 0}, text
    after = gained(before, counters(vm))
    assert after["mac_tx_packets"] >= 4 and after["mac_rx_packets"] >= 4, "frames went round"
    assert "Dest port: 5101" in vm.run("ethtool -n eth0 rule 3").output
    assert re.search(r"^rx-usecs:\s+40", vm.run("ethtool -c eth0").output, re.M)
    vm.run("ethtool -C eth0 rx-usecs 50")
    vm.run(REACHED, 60)
    text = vm.run("ethtool -t eth0 online").output
    assert "PASS" in text and outcomes(text)["loopback"] == 0


def test_self_test_without_cable(vm: Vm) -> None:
    """The link fails, the loop inside the chip does not."""
    vm.qmp("set_link", name="net0", up=False)
    try:
        text = vm.run("ethtool -t eth0 offline", 60, check=False).output
        assert "FAIL" in text
        assert outcomes(text) == {"blocks answer": 0, "link": 1, "registers": 0, "loopback": 0}, text
    finally:
        vm.qmp("set_link", name="net0", up=True)
    vm.run(REACHED, 60)


def test_self_test_while_down(vm: Vm) -> None:
    vm.run("ip link set eth0 down")
    text = vm.run("ethtool -t eth0 offline", 60).output
    assert outcomes(text)["registers"] == 0
    assert "UP" not in vm.run("ip -o link show eth0 | cut -d'>' -f1").output
    vm.run("ip link set eth0 up")
    vm.run(REACHED, 60)


QUERIES = """-i -a -c -g -k -l -n -P -S -T -d --phy-statistics --show-fec --show-eee --show-priv-flags
    --show-rxfh --show-tunnels --show-module --get-phy-tunable -m""".split()


@pytest.mark.parametrize("state", ["up", "down"])
def test_every_query_answers(vm: Vm, state: str) -> None:
    """An answer or "not supported": no other error, and nothing in the log (the fixture looks)."""
    vm.run(f"ip link set eth0 {state}")
    supported = {"-i", "-a", "-c", "-g", "-k", "-l", "-n", "-P", "-S", "-T", "-d"}
    for query in QUERIES:
        more = " downshift" if query == "--get-phy-tunable" else ""
        result = vm.run(f"ethtool {query} eth0{more} 2>&1", check=False)
        if query in supported:
            assert result.status == 0, (query, result.output)
        elif result.status:
            assert re.search(r"not supported|no .*available|No such|bad command line|not available",
                             result.output, re.I), (query, result.output)  # fmt: skip
    stamps = vm.run("ethtool -T eth0").output
    assert re.search("software-transmit", stamps) and re.search("software-receive", stamps)
    vm.run("ip link set eth0 up")
