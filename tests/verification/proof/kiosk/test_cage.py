"""The till as the kiosk's service runs it: in a real cage, without a display, seen by a service manager."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.sandbox import Sandbox
from tests.support.till import arguments, enrol
from tests.verification.proof.abilities import needs_an_ordinary_user
from tests.verification.proof.kiosk.cage import LIMIT_S, Service, service

pytestmark = [
    pytest.mark.skipif(shutil.which("cage") is None, reason="cage is not installed"),
    needs_an_ordinary_user(),
]


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    """A service, and a counter that is set up for it."""
    with Sandbox(config_dir=tmp_path / "config", switches={"otp_sends": 100}) as served:
        enrol(arguments(tmp_path / "config", tmp_path / "data"))
        yield served


@pytest.fixture
def kiosk(sandbox: Sandbox, tmp_path: Path) -> Iterator[Service]:
    """The session on that counter."""
    del sandbox
    with service(tmp_path) as made:
        yield made


def till(folder: Path) -> list[str]:
    """The real command."""
    return [
        sys.executable, "-m", "pos_app", "--kiosk", f"--config={folder / 'config/config.toml'}",
        f"--secrets-file={folder / 'config/secrets.toml'}", f"--data-dir={folder / 'data'}",
    ]  # fmt: skip


def test_it_is_ready_once_it_stands_feeds_the_watchdog_and_ends_when_it_is_asked_to(
    kiosk: Service, tmp_path: Path
) -> None:
    kiosk.start(till(tmp_path))
    assert "READY=1" in kiosk.manager.until("STATUS=The till is open")
    for _ in range(4):
        kiosk.manager.until("WATCHDOG=1")
    assert kiosk.stop() == 0, kiosk.said()
    kiosk.manager.until("STOPPING=1")
    # Nothing of that is a crash.
    kiosk.start(till(tmp_path))
    kiosk.manager.until("STATUS=The till is open")
    assert kiosk.stop() == 0


def test_a_second_start_leaves_the_first_alone(kiosk: Service, tmp_path: Path) -> None:
    first = kiosk.start(till(tmp_path))
    kiosk.manager.until("WATCHDOG=1")
    (tmp_path / "other").mkdir()
    with service(tmp_path / "other") as other:
        second = other.start(till(tmp_path))
        assert second.wait(LIMIT_S) == 0, other.said()
        assert "already running" in other.said()
    assert first.poll() is None
    kiosk.manager.until("WATCHDOG=1")
    assert kiosk.stop() == 0


def test_three_crashes_lead_to_the_safe_screen(kiosk: Service, tmp_path: Path) -> None:
    for _ in range(3):
        session = kiosk.start(till(tmp_path))
        kiosk.manager.until("STATUS=The till is open")
        os.kill(kiosk.program, signal.SIGKILL)
        # Which the service manager takes for a crash: it starts it again.
        assert session.wait(LIMIT_S) == 128 + signal.SIGKILL
    kiosk.start(till(tmp_path))
    assert "READY=1" in kiosk.manager.until("STATUS=The safe screen")
    for _ in range(3):
        kiosk.manager.until("WATCHDOG=1")
    assert kiosk.stop() == 0
    for _ in range(5):
        # In the very moment it stands: Qt's own end on Wayland was once waited for, one time in ten for ever.
        kiosk.start(till(tmp_path))
        kiosk.manager.until("STATUS=The safe screen")
        assert kiosk.stop() == 0


def test_a_till_that_hangs_feeds_no_watchdog(kiosk: Service, tmp_path: Path) -> None:
    session = kiosk.start(till(tmp_path))
    kiosk.manager.until("WATCHDOG=1")
    os.kill(kiosk.program, signal.SIGSTOP)
    with pytest.raises(TimeoutError):
        kiosk.manager.silence()
    # Once it runs on: of a process that is stopped whichever thread wakes first takes the signal, Qt's own perhaps; of
    # one that hangs, as of one that runs, the window's does. Not while that one makes a thread, though, for which no
    # signal reaches it: what a start still makes has been made some words later.
    os.kill(kiosk.program, signal.SIGCONT)
    for _ in range(4):
        kiosk.manager.until("WATCHDOG=1")
    os.kill(kiosk.program, signal.SIGABRT)
    # With the stack it was ended at, and not by a second fall over reading it.
    assert session.wait(LIMIT_S) == 128 + signal.SIGABRT
    said = (tmp_path / "data/sandbox/log/crash.log").read_text()
    assert said.count("Fatal Python error") == said.count("(most recent call first)") == 1
    assert "in run_kiosk" in said


def test_a_screen_that_is_lost_is_no_end_anybody_asked_for(kiosk: Service, tmp_path: Path) -> None:
    session = kiosk.start([sys.executable, "-c", "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"])
    assert session.wait(LIMIT_S) == 70
    del tmp_path


def test_a_sale_every_key_and_a_manager_who_leaves(kiosk: Service, sandbox: Sandbox, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.verification.proof.kiosk.driven", str(tmp_path)]
    # Not in a file, where its secrets would lie about.
    session = kiosk.start(command, SANDBOX=json.dumps(sandbox.details))
    assert session.wait(3 * LIMIT_S) == 10, kiosk.said()
    seen = json.loads(kiosk.said().splitlines()[-1])
    assert seen["platform"] == "wayland"
    assert seen["window"] == seen["screen"] == [1280, 720]
    assert (seen["frame"], seen["close"], seen["same"], seen["alone"]) == (False, False, True, True)
    assert "PAID" in seen["result"]
    assert (seen["payments"], seen["children"], seen["ended"]) == (1, 0, True)
    assert (tmp_path / "paid.png").stat().st_size > 10_000
