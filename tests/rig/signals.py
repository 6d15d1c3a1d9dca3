# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes every signal that ends a program end it through its context managers."""

from __future__ import annotations

import signal
import sys
from types import FrameType


def end_cleanly() -> None:
    """SIGTERM and SIGHUP raise SystemExit, as SIGINT raises KeyboardInterrupt already."""

    def leave(number: int, _: FrameType | None) -> None:
        # A second signal must not interrupt the clean-up the first one started.
        for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(other, signal.SIG_IGN)
        sys.exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
