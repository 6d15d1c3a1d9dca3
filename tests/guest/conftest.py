# SPDX-License-Identifier: GPL-2.0-or-later
"""What the guest tests share: one booted guest, its peer, and what is kept when one fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.guest.guest import leaks
from tests.guest.wire import Capture
from tests.rig.kernel_log import reports
from tests.rig.parts import BUILD, Parts
from tests.rig.peer import TapPeer, tap_possible
from tests.rig.vm import Vm

LOGS = BUILD / "log" / "guest"
TOOL = Path(__file__).with_name("guest_udp.py")

def tool_files() -> dict[str, Path | bytes]:
    """The test's own program, by its place in the guest."""
    return {"usr/bin/guest-udp": TOOL}


@pytest.fixture(scope="session")
def parts() -> Parts:
    """The files under test; all of them must have been built."""
    found = Parts()
    missing = [str(path) for path in found.missing()]
    if missing:
        pytest.exit(f"not built: {', '.join(missing)}; run make all", returncode=2)
    return found


@pytest.fixture(scope="session")
def need_tap() -> None:
    """Skips what needs raw frames where they cannot be had."""
    reason = tap_possible()
    if reason:
        pytest.skip(f"needs a TAP device: {reason}")


@pytest.fixture(scope="session")
def peer(need_tap: None) -> Iterator[TapPeer]:
    """The namespace at the other end of the shared guest's cable."""
    with TapPeer() as made:
        yield made


@pytest.fixture(scope="session")
def shared_vm(peer: TapPeer, parts: Parts) -> Iterator[Vm]:
    """The guest most tests use; booted once."""
    with Vm(peer, parts, files=tool_files(), logs=LOGS / "shared") as vm:
        vm.wait_ready()
        vm.run("sysctl -qw net.core.rmem_max=8388608 net.core.wmem_max=8388608")
        yield vm
        found = leaks(vm)
        assert not found, f"kmemleak, after all tests:\n{found}"


@pytest.fixture
def vm(shared_vm: Vm) -> Iterator[Vm]:
    """The shared guest with the interface up, no rules, default features; no report allowed.

    A guest that has died is not booted again: the tests after it fail with its last words.
    """
    shared_vm.run(
        "[ -e /sys/class/net/eth0 ] || load-driver\n"
        "ip address show dev eth0 | grep -q 10.10.0.2 || ip address add 10.10.0.2/24 dev eth0\n"
        "ip link set eth0 up\n"
        "for n in $(ethtool -n eth0 | sed -n 's/^Filter: //p'); do\n"
        "  ethtool -N eth0 delete $n || exit\n"
        "done\n"
        "ethtool -K eth0 tx on tx-udp-segmentation on gro on\n"
        "for i in $(seq 50); do [ \"$(cat /sys/class/net/eth0/carrier)\" = 1 ] && exit 0; "
        "sleep 0.1; done; echo no carrier; exit 1",
        timeout=40,
    )
    before = len(shared_vm.dmesg().splitlines())
    yield shared_vm
    lines = shared_vm.dmesg().splitlines()
    bad = reports("\n".join(lines[min(before, len(lines)) :]))
    assert not bad, "the guest's kernel reported:\n" + "\n".join(bad)


@pytest.fixture
def capture(peer: TapPeer, request: pytest.FixtureRequest) -> Iterator[Capture]:
    """All frames on the shared guest's cable during one test; kept if it fails."""
    with Capture(peer) as taken:
        request.node.stash[CAPTURE] = taken
        yield taken


@pytest.fixture
def boot(
    need_tap: None, parts: Parts, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Vm]]:
    """Boots a guest of the test's own: boot(dtb=..., options=..., ...). Ended with the test."""
    with ExitStack() as stack:

        def make(
            dtb: Path | None = None,
            ports: int = 1,
            files: dict[str, Path | bytes] | None = None,
            **options: object,
        ) -> Vm:
            all_files = {**tool_files(), **(files or {})}
            own = Parts(dtb=dtb) if dtb else parts
            cable = stack.enter_context(TapPeer(ports))
            logs = LOGS / re.sub(r"\W+", "-", request.node.name)
            made = Vm(cable, own, files=all_files, ports=ports, logs=logs, **options)
            stack.enter_context(made)
            made.wait_ready()
            return made

        yield make


CAPTURE = pytest.StashKey[Capture]()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[None]:
    """Keeps the guest's log and the capture of a failing test, and names them."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if not report.failed:
        return
    kept = LOGS / "failed" / re.sub(r"\W+", "-", item.name)
    kept.mkdir(parents=True, exist_ok=True)
    names = []
    vm = getattr(item, "funcargs", {}).get("vm")
    if isinstance(vm, Vm):
        try:
            (kept / "dmesg.log").write_text(vm.dmesg())
            stats = vm.run("ethtool -S eth0; ip -s link; cat /proc/interrupts", check=False)
            (kept / "state.log").write_text(stats.output)
            names += [kept / "dmesg.log", kept / "state.log"]
        except Exception as error:  # noqa: BLE001 - whatever it is, the test's own failure counts
            (kept / "dead.log").write_text(str(error))
            names.append(kept / "dead.log")
        names += [vm.logs / "console.log", vm.logs / "qemu.log"]
    taken = item.stash.get(CAPTURE, None)
    if taken and taken.frames:
        taken.save(kept / "wire.pcap")
        names.append(kept / "wire.pcap")
    if names:
        report.sections.append(("kept", "\n".join(str(name) for name in names)))
