# SPDX-License-Identifier: GPL-2.0-or-later
"""--images: a directory as PetaLinux or Yocto leaves it, and what is refused in one."""

from __future__ import annotations

import gzip
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.guest.conftest import LOGS, tool_files
from tests.guest.test_firmware import stock_tree, with_port
from tests.rig.kernel_log import reports
from tests.rig.parts import TOP, Parts
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

__all__ = ["stock_tree"]

HELPER = TOP / "qemu-device/bin/eoe-images"

# The smallest thing with an arm64 Image's header.
IMAGE = bytes(0x38) + b"ARM\x64" + bytes(64)
RAMDISK = gzip.compress(b"a ramdisk")
BOARD = '/dts-v1/; / {{ compatible = "xlnx,zynqmp-zcu102-rev1.0", "{}"; {} }};'


def tree(text: str) -> bytes:
    """Compiled source."""
    return subprocess.run(
        ["dtc", "-q", "-I", "dts", "-O", "dtb", "-"],
        input=text.encode(), check=True, capture_output=True,
    ).stdout  # fmt: skip


ZYNQMP = tree(BOARD.format("xlnx,zynqmp", ""))


def legacy(content: bytes) -> bytes:
    """A ramdisk behind the header U-Boot's mkimage writes."""
    return struct.pack(">2I4s4x", 0x27051956, 0, b"time")[:12] + struct.pack(
        ">I", len(content)
    ) + bytes(48) + content  # fmt: skip


def ext4(blocks: int, size: int) -> bytes:
    """A file of that size whose superblock tells of so many blocks of 4 KiB."""
    image = bytearray(size)
    struct.pack_into("<I", image, 1024 + 4, blocks)
    struct.pack_into("<I", image, 1024 + 24, 2)
    image[0x438:0x43A] = b"\x53\xef"
    return bytes(image)


def run(where: Path, files: dict[str, bytes], *options: str) -> tuple[int, str]:
    """Exit status and output; instead of QEMU, echo tells the options it would get."""
    for name, content in files.items():
        (where / name).write_bytes(content)
    done = subprocess.run(
        [str(HELPER), "/bin/echo", str(where), *options],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


GOOD = {"Image": IMAGE, "system.dtb": ZYNQMP, "rootfs.cpio.gz": RAMDISK}


@dataclass
class Refusal:
    """Files that replace those of a good directory (empty: taken away), and what is said."""

    files: dict[str, bytes]
    words: str


REFUSALS = {
    "versal": Refusal({"system.dtb": tree(BOARD.format("xlnx,versal", ""))}, "tree for Versal"),
    "other-chip": Refusal({"system.dtb": tree(BOARD.format("x,y", ""))}, "not for a Zynq"),
    "hardware-tree": Refusal(
        {"system.dtb": tree(BOARD.format("xlnx,zynqmp", 'm { compatible = "qemu:memory"; };'))},
        "describes hardware to AMD's own QEMU",
    ),
    "cut-tree": Refusal({"system.dtb": ZYNQMP[:-8]}, "system.dtb is truncated"),
    "no-tree-at-all": Refusal({"system.dtb": b"text"}, "not a flattened device tree"),
    "no-tree": Refusal({"system.dtb": b""}, "no system.dtb"),
    "boot-bin-alone": Refusal({"Image": b"", "BOOT.BIN": b"x"}, "BOOT.BIN alone cannot be started"),
    "other-kernel": Refusal({"Image": bytes(4096)}, "Image is not an arm64 kernel"),
    "cut-kernel": Refusal(
        {"Image": b"", "Image.gz": gzip.compress(IMAGE)[:-9]}, "Image.gz is truncated"
    ),
    "cut-ramdisk": Refusal({"rootfs.cpio.gz": RAMDISK[:-9]}, "rootfs.cpio.gz is truncated"),
    "cut-legacy": Refusal(
        {"rootfs.cpio.gz": b"", "rootfs.cpio.gz.u-boot": legacy(RAMDISK)[:-1]}, "is truncated"
    ),
    "cut-ext4": Refusal(
        {"rootfs.cpio.gz": b"", "rootfs.ext4": ext4(33, 131072)}, "larger than the file"
    ),
    "no-root": Refusal({"rootfs.cpio.gz": b""}, "no rootfs.cpio.gz, rootfs.ext4 or .wic"),
    "fit-without-kernel": Refusal(
        {"Image": b"", "image.ub": tree("/dts-v1/; / { configurations { }; };")}, "no kernel in it"
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_cannot_be_booted_is_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    case = REFUSALS[name]
    files = {key: value for key, value in {**GOOD, **case.files}.items() if value}
    status, said = run(tmp_path, files)
    assert status == 1
    assert said.startswith("--images: ")
    assert case.words in said
    assert "Traceback" not in said


def test_what_was_found_is_said_and_options_come_last(tmp_path: Path) -> None:
    status, said = run(tmp_path, {**GOOD, "u-boot.elf": b"x"}, "-m", "1G")
    assert status == 0
    assert f"kernel   {tmp_path}/Image" in said
    assert "not used u-boot.elf" in said
    assert f"-kernel {tmp_path}/Image -dtb {tmp_path}/system.dtb" in said
    assert f"-initrd {tmp_path}/rootfs.cpio.gz" in said
    assert " -m 1G\n" in said
    # A file of another place, by QEMU's own option.
    other = tmp_path / "other"
    other.write_bytes(IMAGE)
    assert f"kernel   {other}" in run(tmp_path, {}, "-kernel", str(other))[1]


def test_file_system_is_a_card_of_the_controller_the_tree_names(tmp_path: Path) -> None:
    source = BOARD.format(
        "xlnx,zynqmp",
        'chosen { bootargs = "quiet root=/dev/ram0 rw"; stdout-path = "serial0:115200n8"; };'
        'aliases { mmc1 = "/axi/mmc@ff170000"; serial0 = "/axi/serial@ff010000"; };'
        "memory@0 { reg = <0 0 0 0x7ff00000>, <8 0 0 0x80000000>; };",
    )
    files = {"Image": IMAGE, "x.dtb": tree(source), "rootfs.ext4": ext4(32, 131072)}
    status, said = run(tmp_path, files)
    assert status == 0, said
    assert "if=sd,index=1,format=raw,snapshot=on,file=" in said
    assert "-append quiet root=/dev/mmcblk1 rw rootwait" in said
    assert "-m 4096M" in said
    assert "-serial null -serial mon:stdio" in said


class ImagesVm(Vm):
    """A guest started with --images; the build's own parts are not used."""

    where: Path

    def command_line(self, image_fd: int, kernel_words: tuple[str, ...]) -> list[str]:
        assert self.peer
        words = " ".join(("console=ttyPS0", "panic=-1", *kernel_words))
        return self.peer.command([
            str(self.parts.launcher), "--images", str(self.where), "-append", words, "-m", "1G",
            "-display", "none", "-audio", "none", *self.peer.qemu_arguments(0),
        ])  # fmt: skip


def test_directory_of_a_build_boots_and_its_port_carries_traffic(
    need_tap: None, parts: Parts, stock_tree: Path, tmp_path: Path
) -> None:
    """image.ub with a packed kernel and a ramdisk, system.dtb, BOOT.BIN: as PetaLinux leaves them."""
    (tmp_path / "kernel.gz").write_bytes(gzip.compress(parts.kernel.read_bytes(), 1))
    (tmp_path / "ramdisk").write_bytes(parts.image(tool_files()))
    where = tmp_path / "images/linux"
    where.mkdir(parents=True)
    fit = (
        "/dts-v1/; / { images {"
        f' kernel-1 {{ data = /incbin/("{tmp_path}/kernel.gz"); compression = "gzip"; }};'
        f' ramdisk-1 {{ data = /incbin/("{tmp_path}/ramdisk"); compression = "none"; }};'
        ' }; configurations { default = "conf-1"; conf-1 {'
        ' kernel = "kernel-1"; ramdisk = "ramdisk-1"; }; }; };'
    )
    (where / "image.ub").write_bytes(tree(fit))
    (where / "BOOT.BIN").write_bytes(b"not looked at")
    with_port(stock_tree, where / "system.dtb")
    with TapPeer() as peer:
        vm = ImagesVm(peer, parts, logs=LOGS / "images")
        vm.where = where
        with vm:
            vm.wait_ready()
            vm.run("ping -c 3 -i 0.2 -W 2 10.10.0.1")
            assert not reports(vm.dmesg())
            assert vm.poweroff() == 0
            said = vm.qemu_log()
    assert "the FIT's, in memory" in said
    assert "not used BOOT.BIN" in said
