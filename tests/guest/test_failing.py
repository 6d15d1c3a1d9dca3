# SPDX-License-Identifier: GPL-2.0-or-later
"""Every allocation and mapping of the driver fails once, and again and again.

The driver is the one under test, compiled with tests/guest/failing_driver in front, which refuses
what it is told to and counts what the driver holds.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guest.conftest import LOGS, reports, tool_files
from tests.guest.guest import GUEST_ADDRESS, PEER_ADDRESS, REACHED, counters, gained, udp_socket
from tests.guest.test_lifecycle import flood
from tests.guest.trees import compile_tree
from tests.rig.parts import BUILD, TOP, Parts
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

MODULE = "/driver/xilinx_axienet_eoe.ko"
PARAMETERS = "/sys/module/xilinx_axienet_eoe/parameters"
# Memory, coherent memory, mappings, page pools, interrupts.
NOTHING = "0 0 0 0 0"

# One ordinary and one merging queue: few calls, and each kind among them.
TWO_QUEUES = """
&eoe0 {
	xlnx,num-queues = /bits/ 16 <2>;
	xlnx,channel-ids = "1", "2";
};
"""
NO_DRE = TWO_QUEUES + "&eoe0_dma { /delete-property/ xlnx,include-dre; };\n"

# Shell functions of the loops below. What a test prints first is kept.
TOOLS = f"""
P={PARAMETERS}
failed() {{ awk '{{ n += $3 }} END {{ print n + 0 }}' $P/fail_points; }}
die() {{ echo "call $n: $*"; cat $P/fail_points $P/fail_held; dmesg | tail -n 5; exit 1; }}
set_at() {{ echo $1 >$P/fail_at; }}
held() {{ cat $P/fail_held; }}
"""


@pytest.fixture(scope="module")
def driver() -> Path:
    done = subprocess.run(
        ["make", "failing-driver"], cwd=TOP, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return BUILD / "failing-driver/xilinx_axienet_eoe.ko"


def small_port(driver: Path, name: str, tree: str) -> Iterator[Vm]:
    parts = Parts(dtb=compile_tree(BUILD / "tmp" / f"{name}.dtb", tree), driver=driver)
    with TapPeer() as cable, Vm(cable, parts, files=tool_files(), logs=LOGS / name) as made:
        made.wait_ready()
        yield made


@pytest.fixture(scope="module")
def small(need_tap: None, driver: Path) -> Iterator[Vm]:
    """A guest whose port has two queues and can be made to fail."""
    yield from small_port(driver, "failing", TWO_QUEUES)


@pytest.fixture(scope="module")
def failed() -> set[str]:
    """Names of the calls that have failed so far; the last test looks for the missing."""
    return set()


@pytest.fixture
def vm(small: Vm, failed: set[str]) -> Iterator[Vm]:
    """That guest, up, with small rings and a rule; fit and holding nothing too much after."""
    small.run(
        f"[ -e /sys/class/net/eth0 ] || insmod {MODULE}\n"
        "dmesg -c >/dev/null\n"
        "ip link set eth0 down; ethtool -G eth0 rx 32 tx 64\n"
        "ip address show dev eth0 | grep -q 10.10.0.2 || ip address add 10.10.0.2/24 dev eth0\n"
        "ethtool -n eth0 | grep -q '^Filter: 1' || "
        "ethtool -N eth0 flow-type udp4 dst-port 5101 loc 1 || exit\n"
        "ip link set eth0 up",
        60,
    )
    small.run(REACHED, 60)
    yield small
    refuse(small, "", 0)
    small.run(REACHED, 60)
    assert merged(small) == 5
    small.run("ip link set eth0 down")
    assert small.run(f"cat {PARAMETERS}/fail_held").output.strip() == NOTHING
    failed |= set(re.findall(r"^(\w+) \d+ [1-9]", points(small), re.M))
    bad = reports(small.dmesg())
    assert not bad, bad


def points(vm: Vm) -> str:
    return vm.run(f"cat {PARAMETERS}/fail_points").output


def refuse(vm: Vm, only: str, every: int) -> None:
    """From now on one in `every` calls of that name (of all: "") fails; 0: none."""
    vm.run(
        f"cd {PARAMETERS}; echo 0 >fail_at; echo '{only}' >fail_only; echo {every} >fail_every"
    )


def merged(vm: Vm) -> int:
    """Of five datagrams to the rule's port, how many the engine merged."""
    before = counters(vm)
    assert isinstance(vm.peer, TapPeer)
    with udp_socket(vm.peer) as sock:
        for _ in range(5):
            sock.sendto(b"m" * 100, (GUEST_ADDRESS, 5101))
    vm.run("sleep 0.3")
    return gained(before, counters(vm)).get("eoe_rx_gro", 0)


def calls_failed(output: str) -> int:
    found = re.search(r"^calls (\d+)$", output, re.M)
    assert found, output
    return int(found[1])


def test_probe_fails_at_every_call(vm: Vm, failed: set[str]) -> None:
    """No interface and nothing held, whichever call fails; then one that works."""
    output = vm.run(
        f"{TOOLS}\nn=0\n"
        "while [ $n -lt 100 ]; do\n"
        "  rmmod xilinx_axienet_eoe || die rmmod\n"
        f"  n=$((n + 1)); insmod {MODULE} fail_at=$n || die insmod\n"
        "  [ $(failed) -gt 0 ] || { echo calls $((n - 1)); break; }\n"
        "  awk '$3 { print \"failed\", $1 }' $P/fail_points\n"
        "  [ ! -e /sys/class/net/eth0 ] || die interface\n"
        f"  [ \"$(held)\" = '{NOTHING}' ] || die held\n"
        "done\n"
        "set_at 0\n"
        "ip address add 10.10.0.2/24 dev eth0 && ip link set eth0 up && "
        "ethtool -N eth0 flow-type udp4 dst-port 5101 loc 1",
        120,
    ).output
    assert calls_failed(output) >= 12, output
    failed |= set(re.findall(r"^failed (\w+)$", output, re.M))


# Each call of a name in turn; of buffers, which are all alike, every fifteenth.
RING_CALLS = "kzalloc kvcalloc dma_alloc_coherent page_pool_create page_pool_alloc_pages"
EACH = """
count=0
for name in %s; do
  echo $name >$P/fail_only; n=0; step=1
  [ $name != page_pool_alloc_pages ] || step=15
  while n=$((n + step)); [ $n -lt 100 ]; do
    before=$(failed); set_at $n
    %s
    [ $(failed) -gt $before ] || break
    count=$((count + 1))
  done
  [ $n -gt $step ] || die $name never failed
done
echo >$P/fail_only; echo calls $count
"""


def test_up_fails_at_every_call(vm: Vm) -> None:
    """Down and holding nothing, or up and working; the next attempt always works."""
    names = f"{RING_CALLS} request_irq phylink_of_phy_connect"
    attempt = (
        "ip link set eth0 down || die down\n"
        f"[ \"$(held)\" = '{NOTHING}' ] || die held when down\n"
        "set_at $n; ip link set eth0 up 2>/dev/null; up=$?; set_at 0\n"
        f"[ $up = 0 ] || [ \"$(held)\" = '{NOTHING}' ] || die held after failure\n"
        "[ $up != 0 ] || [ $(failed) = $before ] || die up without $name"
    )
    output = vm.run(TOOLS + EACH % (names, attempt), 200).output
    # Of two queues: 2 rings and 2 shadows each, their descriptors, a pool each, and two lines;
    # one link; buffers 15, 30, 45, 60 of 62.
    assert calls_failed(output) == 4 + 4 + 4 + 2 + 2 + 1 + 4, output


def test_resize_fails_at_every_call(vm: Vm) -> None:
    """The old rings go on, and nothing of the new ones is kept."""
    attempt = (
        # Always another size, which takes no other number of calls.
        "size=$((size + 1)); ethtool -G eth0 tx $size 2>/dev/null; changed=$?; set_at 0\n"
        "[ $changed != 0 ] || [ $(failed) = $before ] || die changed without $name\n"
        "[ \"$(kept)\" = \"$rings\" ] || die kept, was $rings\n"
        "[ $((count % 5)) != 0 ] || ping -c 1 -W 2 10.10.0.1 >/dev/null || die no traffic"
    )
    kept = "kept() { held | cut -d' ' -f1,2,4,5; }\nrings=$(kept); size=64\n"
    output = vm.run(TOOLS + kept + EACH % (RING_CALLS, attempt), 200).output
    assert calls_failed(output) == 4 + 4 + 4 + 2 + 4, output


def test_a_rule_without_memory_works_when_there_is_some(vm: Vm) -> None:
    for count in (1, 2, 31):
        vm.run(
            f"{TOOLS}\nn={count}\n"
            "ethtool -N eth0 delete 1 && ip link set eth0 down && ip link set eth0 up || die\n"
            f"echo page_pool_alloc_pages >$P/fail_only; set_at {count}; before=$(failed)\n"
            "ethtool -N eth0 flow-type udp4 dst-port 5101 loc 1 || die refused\n"
            "[ $(failed) -gt $before ] || die nothing has failed; echo >$P/fail_only"
        )
        assert merged(vm) == 5
    # For as long as there is none, nothing is merged and nothing breaks.
    vm.run("ethtool -N eth0 delete 1 && ip link set eth0 down && ip link set eth0 up")
    refuse(vm, "page_pool_alloc_pages", 1)
    vm.run("ethtool -N eth0 flow-type udp4 dst-port 5101 loc 1")
    assert merged(vm) <= 5
    refuse(vm, "", 0)
    vm.run("sleep 0.2")
    assert merged(vm) == 5


# What fails in reception, and who counts it.
RECEIVING = {
    "page_pool_alloc_pages": r"rxq\d_alloc_fail",
    "napi_alloc_skb": r"rxq\d_alloc_fail",
    "napi_build_skb": r"rxq0_alloc_fail",
}


def assert_counted(counter: str, before: dict[str, int], after: dict[str, int]) -> None:
    moved = gained(before, after)
    assert sum(n for key, n in moved.items() if re.fullmatch(counter, key)) > 10, moved
    assert "resets" not in moved, moved
    assert "tx_timeouts" not in moved, moved


@pytest.mark.parametrize(("name", "counter"), RECEIVING.items(), ids=RECEIVING.keys())
def test_reception_with_failures(vm: Vm, name: str, counter: str) -> None:
    """One in seven fails, then every one; when it ends all goes on by itself."""
    assert isinstance(vm.peer, TapPeer)
    before = counters(vm)
    with flood(vm.peer, vm):
        for every in (7, 1):
            refuse(vm, name, every)
            vm.run("sleep 1")
        refuse(vm, "", 0)
    assert_counted(counter, before, counters(vm))


# The same of transmission.
SENDING = {
    "dma_map_single": r"txq\d_map_errors",
    "skb_frag_dma_map": r"txq\d_map_errors",
    "skb_put_padto": r"txq\d_dropped",
}


@pytest.mark.parametrize(("name", "counter"), SENDING.items(), ids=SENDING.keys())
def test_transmission_with_failures(vm: Vm, name: str, counter: str) -> None:
    """Packets of one piece and of many, one in seven and then each of them refused."""
    before = counters(vm)
    for every in (7, 1):
        refuse(vm, name, every)
        vm.run(
            f"ping -f -q -w 1 {PEER_ADDRESS} >/dev/null &\n"
            f"guest-udp gso --to {PEER_ADDRESS} --port 9 --rounds 100 --total 60000 --gso 1400; wait"
        )
    refuse(vm, "", 0)
    assert_counted(counter, before, counters(vm))


def test_self_test_without_memory_fails_and_no_more(vm: Vm) -> None:
    refuse(vm, "netdev_alloc_skb", 1)
    assert vm.run("ethtool -t eth0 offline", 60, check=False).status != 0
    refuse(vm, "", 0)
    vm.run("ethtool -t eth0 offline", 60)


def test_without_dre_packets_are_copied(need_tap: None, driver: Path, failed: set[str]) -> None:
    """Each packet is copied to where it may start, which needs memory of its own."""
    for vm in small_port(driver, "failing-no-dre", NO_DRE):
        assert "scatter-gather: off [fixed]" in vm.run("ethtool -k eth0").output
        vm.run(REACHED, 60)
        vm.run("for s in 1 17 100 1400; do ping -c 2 -W 2 -s $s 10.10.0.1 || exit; done")
        for name, counter in (("kmalloc", "map_errors"), ("dma_map_single", "map_errors")):
            before = counters(vm)
            refuse(vm, name, 3)
            vm.run("ping -c 20 -i 0.05 -W 1 10.10.0.1", check=False)
            refuse(vm, "", 0)
            moved = gained(before, counters(vm))
            lost = sum(n for key, n in moved.items() if key.endswith(counter))
            assert lost >= 5, moved
            vm.run(REACHED, 60)
        failed |= set(re.findall(r"^(\w+) \d+ [1-9]", points(vm), re.M))
        vm.run("ip link set eth0 down")
        assert vm.run(f"cat {PARAMETERS}/fail_held").output.strip() == NOTHING
        assert not reports(vm.dmesg())


def test_no_call_was_left_out(failed: set[str], request: pytest.FixtureRequest) -> None:
    """Each name in fail_points.h has failed in one of the tests above."""
    ran = {item.originalname for item in request.session.items if item.module is request.module}
    if not ran >= {name for name in dir(request.module) if name.startswith("test_")}:
        pytest.skip("needs every test of this file to have run")
    text = (TOP / "tests/guest/failing_driver/fail_points.h").read_text()
    assert set(re.findall(r'fail_point\("(\w+)"\)', text)) - failed == set()
