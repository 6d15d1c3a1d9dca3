# SPDX-License-Identifier: GPL-2.0-or-later
"""Putting the device into a QEMU source tree, and taking it out. Needs no guest, compiles nothing.

`make test-tree` compiles such a tree and runs the qtest suite in what comes of it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.rig.parts import BUILD, TOP

QEMU = BUILD / "qemu/current/src"
DEVICE = TOP / "qemu-device"
# The module and the libraries in it, as meson calls them.
MODULE = ("xlnx-eoe", "eoe_model", "zynqmp_firmware", "xeoe_tree")
# All of a tree that is read or changed.
FILES = ("VERSION", "hw/Kconfig", "hw/meson.build", "configs/devices/aarch64-softmmu/default.mak")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What matters of the distribution's source tree, sharing its files as a hard-linked copy does."""
    into = tmp_path / "qemu"
    for name in FILES:
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(QEMU / name, tmp_path / "original")
        os.link(tmp_path / "original", into / name)
        (tmp_path / "original").rename(tmp_path / name.replace("/", "_"))
    return into


def install(*arguments: str | Path, device: Path = DEVICE) -> subprocess.CompletedProcess[str]:
    """Runs install-into-tree."""
    return subprocess.run(
        [device / "bin/install-into-tree", *arguments], capture_output=True, text=True, check=False
    )


def installed(*arguments: str | Path, device: Path = DEVICE) -> None:
    """Runs install-into-tree, which must succeed and have nothing to say."""
    done = install(*arguments, device=device)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def state(tree: Path) -> dict[str, tuple[int, str | bytes]]:
    """Time of change and content of everything in the tree; of a link, where it leads."""
    found: dict[str, tuple[int, str | bytes]] = {}
    for path in sorted(tree.rglob("*")):
        content = os.readlink(path) if path.is_symlink() else path.is_file() and path.read_bytes()
        found[str(path.relative_to(tree))] = (path.lstat().st_mtime_ns, content or "")
    return found


def contents(tree: Path) -> dict[str, str | bytes]:
    """The same without times."""
    return {name: content for name, (_, content) in state(tree).items()}


def test_tree_gets_what_the_module_is_made_of(tree: Path) -> None:
    installed(tree)
    listed = (tree / "hw/xlnx-eoe/sources.txt").read_text().split()
    targets = json.loads(
        subprocess.run(
            ["meson", "introspect", "--targets", BUILD / "device"], check=True, capture_output=True
        ).stdout
    )
    sources = {
        Path(source)
        for target in targets
        if target["name"] in MODULE
        for group in target["target_sources"]
        for source in group.get("sources", [])
    }
    sources.remove(DEVICE / "qom/module.c")
    assert {(tree / "hw/xlnx-eoe" / name).resolve() for name in listed} == sources
    assert len(listed) == len(sources)
    for name in ("Kconfig", "meson.build"):
        assert (tree / "hw/xlnx-eoe" / name).resolve() == DEVICE / "in-tree" / name
        assert (tree / "hw" / name).read_text().count("xlnx-eoe") == 1


def test_second_time_changes_nothing(tree: Path) -> None:
    installed(tree)
    first = state(tree)
    installed(tree)
    second = state(tree)
    # The links are made anew.
    links = {name for name in first if (tree / name).is_symlink()}
    assert contents(tree) == {name: content for name, (_, content) in first.items()}
    watched = [name for name in first if name not in links and not (tree / name).is_dir()]
    assert [second[name][0] for name in watched] == [first[name][0] for name in watched]


def test_removed_leaves_the_tree_as_it_was(tree: Path, tmp_path: Path) -> None:
    before = contents(tree)
    installed(tree)
    with_device = contents(tree)
    assert with_device != before
    installed("--remove", tree)
    assert contents(tree) == before
    installed("--remove", tree)
    assert contents(tree) == before
    installed(tree)
    assert contents(tree) == with_device
    # Nor is anything written through a link to another tree.
    for name in FILES:
        assert (tmp_path / name.replace("/", "_")).read_bytes() == (QEMU / name).read_bytes()


def test_new_source_is_taken_in_and_meson_told(tree: Path, tmp_path: Path) -> None:
    device = tmp_path / "device"
    shutil.copytree(DEVICE, device)
    installed(tree, device=device)
    os.utime(tree / "hw/meson.build", (0, 0))
    (device / "model/new.cpp").touch()
    installed(tree, device=device)
    assert "model/new.cpp" in (tree / "hw/xlnx-eoe/sources.txt").read_text().split()
    assert (tree / "hw/meson.build").stat().st_mtime > 0


@pytest.mark.parametrize("version", ["7.2.0", "8.1.5", "12.0.0", "1.0", "latest", ""])
def test_version_it_is_not_made_for_is_refused(tree: Path, version: str) -> None:
    (tree / "VERSION").unlink()
    (tree / "VERSION").write_text(f"{version}\n")
    before = state(tree)
    done = install(tree)
    assert done.returncode == 1
    assert f"is QEMU {version or 'without a version'}; the device is for 8.2 to 11.x." in done.stderr
    assert state(tree) == before


@pytest.mark.parametrize("version", ["8.2.0", "9.2.4", "10.0.50", "10.2.2", "11.0.0-rc1", "11.0.93"])
def test_version_it_is_made_for_is_taken(tree: Path, version: str) -> None:
    (tree / "VERSION").unlink()
    (tree / "VERSION").write_text(f"{version}\n")
    installed(tree)


@pytest.mark.parametrize("missing", FILES[:3])
def test_directory_that_is_no_source_tree_is_refused(tree: Path, missing: str) -> None:
    (tree / missing).unlink()
    before = state(tree)
    done = install(tree)
    assert done.returncode == 1
    assert f"is no QEMU source tree: it has no {missing}." in done.stderr
    assert state(tree) == before


def test_emulator_with_the_device_in_it_gets_no_module(tmp_path: Path) -> None:
    emulator = tmp_path / "qemu"
    emulator.write_text('#!/bin/sh\n# has xlnx-zcu102-eoe\necho "[${LD_PRELOAD-}] $*"\n')
    emulator.chmod(0o755)
    done = subprocess.run(
        [DEVICE / "bin/qemu-system-aarch64-eoe", "-M", "help"],
        env={**os.environ, "QEMU": str(emulator), "XLNX_EOE_MODULE": "/no/such/module.so"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "[] -M help\n")
