# SPDX-License-Identifier: GPL-2.0-or-later
"""The binding in dts/bindings, and the trees against it. Needs no guest."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.guest.trees import compile_tree
from tests.rig.parts import BUILD, TOP

TOOLS = BUILD / "dt-schema" / "usr" / "bin" / "dt-validate"


def check(*trees: Path) -> subprocess.CompletedProcess[str]:
    """Runs dt-check; skips if the tools cannot be had."""
    done = subprocess.run(
        [TOP / "test-images/dt-check", *trees], capture_output=True, text=True, timeout=300
    )
    if not TOOLS.exists():
        pytest.skip(f"dt-schema cannot be had here: {(done.stdout + done.stderr)[-300:]}")
    return done


def test_binding_and_tree_agree() -> None:
    done = check(BUILD / "dtb/zcu102-eoe.dtb")
    assert done.returncode == 0, done.stdout + done.stderr


# A change to the tree, and the property the answer has to name.
MISTAKES = {
    "xlnx,rx-hw-offload": "xlnx,rx-hw-offload = <7>;",
    "xlnx,channel-ids": 'xlnx,channel-ids = "1", "11";',
    "phy-mode": 'phy-mode = "sgmii";',
    "xlnx,no-such-thing": "xlnx,no-such-thing;",
    "axistream-connected": "/delete-property/ axistream-connected;",
}


def test_binding_finds_mistakes(tmp_path: Path) -> None:
    trees = [
        compile_tree(tmp_path / f"{name.replace(',', '-')}.dtb", f"&eoe0 {{ {text} }};")
        for name, text in MISTAKES.items()
    ]
    done = check(*trees)
    assert done.returncode == 1
    for name, tree in zip(MISTAKES, trees, strict=True):
        about = [line for line in done.stdout.splitlines() if tree.name in line]
        assert any(name in line for line in about), (name, done.stdout)
