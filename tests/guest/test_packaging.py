# SPDX-License-Identifier: GPL-2.0-or-later
"""The ways others build the driver: Yocto's, DKMS's and the kernel's. Needs no guest."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.rig.parts import BUILD, CROSS, TOP

HEADERS = BUILD / "linux/current/headers"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The driver's directory, where it may be written to."""
    shutil.copytree(TOP / "kernel-driver", tmp_path / "source")
    return tmp_path / "source"


def run(*command: str | Path, cwd: Path) -> None:
    """Runs a command; its output is the failure's."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_yoctos_variables_build_install_and_clean(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "image"
    make = ("make", f"KERNEL_SRC={HEADERS}", *CROSS)
    before = {path.name for path in source.iterdir()}
    run(*make, cwd=source)
    run(*make, "modules_install", f"INSTALL_MOD_PATH={target}", "DEPMOD=true", cwd=source)
    assert list(target.rglob("xilinx_axienet_eoe.ko*"))
    run(*make, "clean", cwd=source)
    assert {path.name for path in source.iterdir()} == before


def test_recipe_names_the_licence_as_it_is(source: Path) -> None:
    recipe = (source / "xilinx-axienet-eoe.bb").read_text()
    found = re.search(r"file://(\S+);beginline=1;endline=1;md5=(\w+)", recipe)
    assert found
    first = (source / found[1]).read_bytes().splitlines(keepends=True)[0]
    assert hashlib.md5(first).hexdigest() == found[2]


def test_dkms_commands_build_what_they_say(source: Path) -> None:
    """dkms.conf is shell; this does what dkms does with it."""
    script = (
        "set -e; . ./dkms.conf; [ -n \"$PACKAGE_NAME\" ] && [ -n \"$PACKAGE_VERSION\" ]; "
        'eval "${MAKE[0]} $CROSS"; [ -e "${BUILT_MODULE_NAME[0]}.ko" ]; eval "$CLEAN $CROSS"; '
        '[ ! -e "${BUILT_MODULE_NAME[0]}.ko" ]'
    )
    run("env", f"kernel_source_dir={HEADERS}", f"CROSS={' '.join(CROSS)}", "bash", "-c", script,
        cwd=source)  # fmt: skip
