"""The watchdog is fed while both threads work, by real datagrams; a thread that hangs starves it."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.system.service_manager import ServiceManager
from tests.support.sandbox import REPOSITORY

LIMIT_MS = 400
WAIT_S = 20


@contextlib.contextmanager
def listening(address: str) -> Iterator[socket.socket]:
    """A service manager's socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(address)
        made.settimeout(WAIT_S)
        yield made


@contextlib.contextmanager
def watched(who: str, address: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that is watched over."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.integration.kiosk.blocked", who],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        text=True,
        env=os.environ
        | {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": str(LIMIT_MS * 1000), "WATCHDOG_PID": "1"},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def silent(manager: socket.socket) -> bool:
    """What was on its way, and then nothing for longer than the service manager waits."""
    for _ in range(200):
        try:
            manager.recv(200)
        except TimeoutError:
            return True
    return False


@pytest.mark.parametrize("who", ["window", "engine"])
def test_a_thread_that_hangs_starves_the_watchdog(who: str, tmp_path: Path) -> None:
    with listening(str(tmp_path / "notify")) as manager, watched(who, tmp_path / "notify") as process:
        assert manager.recv(200).startswith(b"READY=1")
        assert [manager.recv(200) for _ in range(6)] == [b"WATCHDOG=1"] * 6
        assert process.stdin is not None
        process.stdin.write("hang\n")
        process.stdin.flush()
        manager.settimeout(3 * LIMIT_MS / 1000)
        assert silent(manager), "it was fed by a till that hangs"
        assert process.poll() is None


def test_while_no_engine_is_to_work_the_window_alone_feeds_it(tmp_path: Path) -> None:
    with listening(str(tmp_path / "notify")) as manager, watched("none", tmp_path / "notify"):
        assert manager.recv(200).startswith(b"READY=1")
        assert [manager.recv(200) for _ in range(6)] == [b"WATCHDOG=1"] * 6


def test_what_the_till_starts_has_nothing_to_say_to_the_service_manager(tmp_path: Path) -> None:
    variables = {
        "NOTIFY_SOCKET": str(tmp_path / "n"),
        "WATCHDOG_USEC": "30000000",
        "WATCHDOG_PID": "7",
        "A": "b",
    }
    manager = ServiceManager(variables)
    assert variables == {"A": "b"}
    assert manager.watchdog_ms == 30_000
    # Nobody listens there: that is no reason to wait or to fail.
    manager.alive()
    manager.close()
    manager.alive()


def test_its_words_are_one_datagram_each_and_an_abstract_address_is_understood() -> None:
    name = f"pos-app-test-{os.getpid()}"
    with listening(f"\0{name}") as heard:
        manager = ServiceManager({"NOTIFY_SOCKET": f"@{name}", "WATCHDOG_USEC": "soon"})
        assert manager.watchdog_ms == 0
        manager.ready()
        manager.safe()
        manager.alive()
        manager.ending()
        said = [heard.recv(500).decode() for _ in range(4)]
        manager.close()
    assert [each.splitlines()[0] for each in said] == ["READY=1", "READY=1", "WATCHDOG=1", "STOPPING=1"]


def test_without_a_service_manager_nothing_is_said_or_watched() -> None:
    manager = ServiceManager({})
    assert manager.watchdog_ms == 0
    manager.ready()
    manager.close()
