"""The watchdog is fed while both threads work, by real datagrams; a thread that hangs starves it."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pos_app.app import run
from pos_app.app.kiosk.starts import Starts
from pos_app.bootstrap import services
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import Shop, open_shop
from pos_app.system.service_manager import ServiceManager
from tests.integration.kiosk.conftest import MakeAlone
from tests.support.living import let_live
from tests.support.sandbox import REPOSITORY

LIMIT_MS = 400
WAIT_S = 20
PATIENT, AS_EVER = "WATCHDOG_USEC=180000000", f"WATCHDOG_USEC={LIMIT_MS * 1000}"


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


class Manager:
    """A service manager beside a till in this process: what it heard so far, in order."""

    def __init__(self, heard: socket.socket) -> None:
        heard.setblocking(False)
        self._socket = heard
        self.words: list[str] = []

    def hear(self) -> list[str]:
        """All of it; without the words for a person."""
        with contextlib.suppress(BlockingIOError):
            while True:
                self.words.append(self._socket.recv(500).decode().splitlines()[0])
        return self.words

    @property
    def limit(self) -> str:
        """How long it waits now."""
        return next((each for each in reversed(self.hear()) if each.startswith("WATCHDOG_USEC")), AS_EVER)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    """One that watches over what it started."""
    with listening(str(tmp_path / "notify")) as heard:
        yield Manager(heard)


class TestATillThatLoads:
    """On a slow disk for minutes, the journal is long: it was ended while it loaded, began again, and was ended."""

    @pytest.fixture
    def told(self, manager: Manager, tmp_path: Path) -> dict[str, str]:
        del manager
        return {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": str(LIMIT_MS * 1000)}

    @pytest.mark.expects_log("the engine does not answer")
    def test_its_engine_has_as_long_as_a_start_and_is_watched_over_once_it_answers(
        self,
        make_alone: MakeAlone,
        manager: Manager,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        configured, is_read = services.service_config, threading.Event()

        def slowly(shop: Shop) -> Any:
            is_read.wait()
            return configured(shop)

        monkeypatch.setattr(services, "service_config", slowly)
        till = make_alone(signed_in="")
        try:
            till.until(lambda: PATIENT in manager.hear())
            # Before that nothing is watched over, and this would begin it.
            assert manager.words.index("READY=1") < manager.words.index(PATIENT)
            let_live(2 * LIMIT_MS)
            assert manager.limit == PATIENT
            assert "the engine does not answer; it is at" in caplog.text, (
                "somebody will ask what took so long"
            )
        finally:
            is_read.set()
        till.until(lambda: manager.limit == AS_EVER)
        # The shorter time counts from what was heard last.
        assert manager.words[manager.words.index(AS_EVER) - 1] == "WATCHDOG=1"
        heard = manager.words.count("WATCHDOG=1")
        till.until(lambda: manager.hear().count("WATCHDOG=1") > heard + 1)
        till.until_connected()

    def test_a_wizard_has_no_engine_to_wait_for(self, make_alone: MakeAlone, manager: Manager) -> None:
        till = make_alone(signed_in="", people=False)
        till.until(lambda: AS_EVER in manager.hear())

    def test_so_has_a_window_that_opens_it_behind_the_safe_screen(
        self, make_alone: MakeAlone, manager: Manager, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its thread is at the journal, and feeds nothing."""
        for _ in range(3):
            Starts(tmp_path).begin()
        till = make_alone(signed_in="")
        assert manager.limit == AS_EVER
        limits = []

        def seen(options: Options) -> Shop:
            limits.append(manager.limit)
            return open_shop(options)

        monkeypatch.setattr(run, "open_shop", seen)
        till.touch("safe_again")
        till.until(lambda: till.window.objectName() == "till")
        assert limits == [PATIENT]
        till.until(lambda: manager.limit == AS_EVER)
        till.until_connected()
