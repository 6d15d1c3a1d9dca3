# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the guest: a cable with real tools at its other end, a console to type into.

    with Peer.create() as peer, Vm(peer=peer) as vm:
        vm.wait_ready()
        print(vm.run("ethtool -i eth0").output)
"""

from tests.rig.console import GuestDied, GuestError, GuestTimeout, Result
from tests.rig.parts import Parts
from tests.rig.peer import Peer, TapPeer, UserPeer
from tests.rig.vm import Vm

__all__ = [
    "GuestDied",
    "GuestError",
    "GuestTimeout",
    "Parts",
    "Peer",
    "Result",
    "TapPeer",
    "UserPeer",
    "Vm",
]
