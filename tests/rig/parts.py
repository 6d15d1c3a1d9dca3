# SPDX-License-Identifier: GPL-2.0-or-later
"""Which kernel, image, device tree, emulator and driver to use: the built ones or the user's."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "build"

sys.path.insert(0, str(TOP / "test-images"))
from newc import Archive  # noqa: E402

__all__ = ["BUILD", "CROSS", "TOP", "Archive", "Parts"]

# For the kernel's make.
CROSS = ("ARCH=arm64",
         f"CROSS_COMPILE={'' if os.uname().machine == 'aarch64' else 'aarch64-linux-gnu-'}")  # fmt: skip
# Where the guest's kernel, initrd and driver are: what was built, or another set of the three.
IMAGE = BUILD / os.environ.get("EOE_IMAGE", "image")
# Where the driver is in the guest.
DRIVER = "driver/xilinx_axienet_eoe.ko"


def _chosen(variable: str, default: Path) -> Path:
    value = os.environ.get(variable)
    return Path(value).resolve() if value else default


@dataclass(frozen=True)
class Parts:
    """Files that make a guest. The environment's KERNEL, INITRD and DTB come first."""

    kernel: Path = field(default_factory=lambda: _chosen("KERNEL", IMAGE / "Image"))
    initrd: Path = field(
        default_factory=lambda: _chosen("INITRD", IMAGE / "initrd.cpio.gz")
    )
    dtb: Path = field(default_factory=lambda: _chosen("DTB", BUILD / "dtb/zcu102-eoe.dtb"))
    driver: Path = IMAGE / "xilinx_axienet_eoe.ko"
    launcher: Path = TOP / "qemu-device/bin/qemu-system-aarch64-eoe"
    iperf3: Path = BUILD / "tools/iperf3"

    def missing(self) -> list[Path]:
        """Those of the files that do not exist."""
        files = (self.kernel, self.initrd, self.dtb, self.driver, self.launcher, self.iperf3)
        return [path for path in files if not path.exists()]

    def image(self, extra: dict[str, Path | bytes] | None = None) -> bytes:
        """The initrd with the driver, and extra files by their path in the guest, behind it.

        The kernel unpacks archives that follow each other; each starts at a multiple of four.
        """
        archive = Archive()
        if self.driver.exists():
            archive.file(DRIVER, self.driver)
        for name, content in (extra or {}).items():
            if isinstance(content, Path):
                archive.file(name, content)
            else:
                archive.text(name, content)
        image = self.initrd.read_bytes()
        return image + bytes(-len(image) % 4) + archive.to_bytes()
