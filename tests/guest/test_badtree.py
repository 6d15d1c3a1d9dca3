# SPDX-License-Identifier: GPL-2.0-or-later
"""Device trees with a mistake in them: the probe fails with a sentence and keeps nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.guest.trees import compile_tree, port_node
from tests.rig.kernel_log import reports
from tests.rig.vm import Vm

DRIVER = "/driver/xilinx_axienet_eoe.ko"

# Name of the bad node, what is wrong with it, and a word its sentence has to have.
MISTAKES: dict[str, tuple[dict[str, str | None], str]] = {
    "no-eoe-region": ({"reg": "<0x0 0x80020000 0x0 0x10000>", "reg-names": '"mac"'}, '"eoe"'),
    "no-mac-region": ({"reg": None, "reg-names": None}, "reg"),
    "channel-zero": ({"xlnx,num-queues": "/bits/ 16 <2>", "xlnx,channel-ids": '"0", "1"'},
                     "channel"),
    "channel-17": ({"xlnx,num-queues": "/bits/ 16 <2>", "xlnx,channel-ids": '"1", "11"'},
                   "channel"),
    "channel-twice": ({"xlnx,num-queues": "/bits/ 16 <3>", "xlnx,channel-ids": '"1", "2", "2"'},
                      "channel"),
    "channel-not-a-number": ({"xlnx,num-queues": "/bits/ 16 <2>",
                              "xlnx,channel-ids": '"1", "two"'}, "channel"),
    "no-channel-ids": ({"xlnx,channel-ids": None}, "channel-ids"),
    "fewer-ids-than-queues": ({"xlnx,channel-ids": '"1", "2"'}, "channel|queue"),
    "seventeen-queues": ({"xlnx,num-queues": "/bits/ 16 <17>"}, "queue"),
    "no-queues": ({"xlnx,num-queues": "/bits/ 16 <0>"}, "queue"),
    "no-mcdma": ({"axistream-connected": None}, "axistream-connected"),
    "mcdma-is-a-clock": ({"axistream-connected": "<&pl_clk>"}, "axistream-connected"),
    "mcdma-is-a-uart": ({"axistream-connected": "<&uart1>"}, "axistream-connected"),
    "unknown-tx-offload": ({"xlnx,tx-hw-offload": "<3>"}, "tx-hw-offload"),
    "unknown-rx-offload": ({"xlnx,rx-hw-offload": "<9>"}, "rx-hw-offload"),
    "no-interrupts": ({"interrupts": None, "interrupt-names": None}, "interrupt|IRQ|irq"),
    "interrupt-name-missing": ({"interrupts": "<EOE_IRQ16(89)>",
                                "interrupt-names": "EOE_NAMES16(mm2s)"}, "interrupt|IRQ|irq"),
    "no-phy-mode": ({"phy-mode": None}, "phy-mode|phy"),
    "address-width-20": ({"axistream-connected": "<&narrow_dma>"}, "addrwidth"),
}  # fmt: skip

NARROW_DMA = """
	narrow_dma: dma-controller@80030000-narrow {
		compatible = "xlnx,eth-mcdma";
		reg = <0x0 0x80030000 0x0 0x10000>;
		xlnx,addrwidth = <20>;
		xlnx,include-dre;
	};
"""


def test_every_mistake_fails_with_a_sentence_and_no_leak(
    boot: Callable[..., Vm], tmp_path: Path
) -> None:
    """One tree holds all bad nodes and no good one, so none can block another."""
    nodes = "\n".join(port_node(name, changes) for name, (changes, _) in MISTAKES.items())
    tree = compile_tree(
        tmp_path / "bad.dtb",
        f'&eoe0 {{ status = "disabled"; }};\n&axi {{\n{nodes}\n{NARROW_DMA}\n}};',
    )
    vm = boot(dtb=tree, machine="xlnx-zcu102-eoe,placement=fixed", options=("eoe.noload",))
    vm.run("for m in phylink; do modprobe $m 2>/dev/null; done; dmesg -c >/dev/null")
    vm.run(f"insmod {DRIVER}")
    log = vm.dmesg()
    for name, (_, word) in MISTAKES.items():
        # The device's name has the address first, or last where the node has no reg. What the
        # driver core adds to every failed probe is not the driver's sentence.
        lines = [
            line for line in log.splitlines()
            if re.search(rf"80020000\.{name}: error|{name}@80020000: error", line)
        ]  # fmt: skip
        assert lines, f"{name}: the driver said nothing\n{log}"
        assert re.search(word, " ".join(lines)), f"{name}: {lines}"
    bound = vm.run("ls /sys/bus/platform/drivers/xilinx_axienet_eoe/").output
    assert "80020000" not in bound, bound
    assert not reports(log)

    # A hundred failed rounds of all of them leave memory where it was.
    used = (
        "echo 3 >/proc/sys/vm/drop_caches; sleep 1\n"
        "awk '/^(Slab|VmallocUsed|PageTables|Percpu):/ { sum += $2 } END { print sum }' "
        "/proc/meminfo; grep -c 80020000 /proc/iomem; ls /sys/class/net | wc -l"
    )
    rounds = (
        f"i=0; while [ $i -lt $n ]; do rmmod xilinx_axienet_eoe && insmod {DRIVER} || exit; "
        "i=$((i+1)); done"
    )
    vm.run(f"n=20; {rounds}", 120)  # caches of the core reach their size
    before = [int(word) for word in vm.run(used, check=False).output.split()]
    vm.run(f"n=100; {rounds}", 400)
    after = [int(word) for word in vm.run(used, check=False).output.split()]
    assert after[1:] == before[1:]
    # Three kilobytes forgotten a round, by all nodes together, would show.
    assert after[0] - before[0] < 300, f"{after[0] - before[0]} KiB more in use"
    assert not reports(vm.dmesg())
