# SPDX-License-Identifier: GPL-2.0-or-later
"""The short form of `make stress`."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable

import pytest

from tests.guest.stress import COUNTED, FILES, ROUNDS, SEGMENTS, SIZE, Stress, unaccounted
from tests.rig.peer import TapPeer
from tests.rig.vm import Vm

SECONDS = 30
ALL_FOUND = {
    "put on the cable": COUNTED + 2,
    "received": COUNTED + 1,
    "receive losses": 1,
    "taken from the cable": ROUNDS * SEGMENTS + 3,
    "sent": ROUNDS * SEGMENTS + 3,
    "in": COUNTED,
    "in lost": 0,
    "out": ROUNDS,
}


@pytest.mark.parametrize("name", ALL_FOUND)
def test_one_datagram_too_few_is_noticed(name: str) -> None:
    sockets = (COUNTED * SIZE, ROUNDS * SEGMENTS)
    assert not unaccounted(ALL_FOUND, *sockets)
    assert unaccounted({**ALL_FOUND, name: ALL_FOUND[name] - 1}, *sockets)
    assert unaccounted(ALL_FOUND, COUNTED * SIZE - 1, ROUNDS * SEGMENTS)
    assert unaccounted(ALL_FOUND, COUNTED * SIZE, ROUNDS * SEGMENTS - 1)


def test_stress(boot: Callable[..., Vm]) -> None:
    """Every disturbance at least once, then as many as fit; EOE_SEED repeats a run."""
    seed = int(os.environ.get("EOE_SEED") or secrets.randbelow(1 << 32))
    print(f"seed {seed}")
    vm = boot(files=FILES)
    assert isinstance(vm.peer, TapPeer)
    Stress(vm, vm.peer, seed).run(SECONDS)
