# SPDX-License-Identifier: GPL-2.0-or-later
"""`make shell`: the guest's console in this terminal, and the peer ready at the other end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from tests.rig import signals
from tests.rig.parts import Parts
from tests.rig.peer import Peer, die_with_parent
from tests.rig.vm import Vm


def main() -> int:
    """The emulator's exit status; ends with `exit` in the guest or Ctrl-A x."""
    signals.end_cleanly()
    parts = Parts()
    terminal = _terminal_state()
    try:
        with Peer.create() as peer:
            print(f"peer: {peer.description}")
            print("leave with 'exit' in the guest, or Ctrl-A x", flush=True)
            vm = Vm(peer=peer, parts=parts)
            image = vm.image_fd()
            # Ctrl-C belongs to the guest; QEMU has the terminal in raw mode.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            with subprocess.Popen(
                [*vm.command_line(image, ()), "-serial", "mon:stdio"],
                pass_fds=(image,),
                preexec_fn=die_with_parent,
            ) as process:
                try:
                    return process.wait()
                finally:
                    process.kill()
    except RuntimeError as error:
        print(f"error: {error}")
        return 1
    finally:
        if terminal:
            subprocess.run(["stty", terminal], check=False)


def _terminal_state() -> str | None:
    if not os.isatty(0):
        return None
    return subprocess.run(["stty", "-g"], stdout=subprocess.PIPE, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
