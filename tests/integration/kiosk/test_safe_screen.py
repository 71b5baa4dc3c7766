"""Three crashes, or a counter that cannot open: what stands on the screen then, and the way back to the till."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from pos_app.app.kiosk.placement import Alone
from pos_app.app.kiosk.starts import Starts
from pos_app.app.session import Session
from pos_app.bootstrap.errors import Exit
from pos_app.bootstrap.journal import JOURNAL
from pos_app.domain.draining import DrainAsked
from pos_app.journal.lock import FileLock, is_held
from pos_app.system.updating import lower_flag, raise_flag
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import DARK
from tests.integration.kiosk.alone import AloneTill
from tests.integration.kiosk.conftest import MakeAlone
from tests.support.sandbox import REPOSITORY
from tests.support.till import arguments, enrol


def crash(folder: Path, times: int = 3) -> None:
    """As many starts that never ended."""
    for _ in range(times):
        Starts(folder).begin()


def words(till: AloneTill) -> str:
    """All of it, as a person reads it."""
    return " ".join(till.words())


def test_after_three_crashes_the_open_payments_are_shown_and_no_engine_runs(
    make_alone: MakeAlone, tmp_path: Path
) -> None:
    first = make_alone()
    attempt_id = first.charge_qr("81")
    assert first.stop()
    crash(tmp_path)
    safe = make_alone(signed_in="", people=False)
    assert safe.shown == [safe.window]
    assert safe.running is None
    assert "The till stopped three times" in words(safe)
    assert "Do not take any of them again" in words(safe)
    assert "LKR 81.00" in words(safe)
    assert safe.seen(f"safe_{attempt_id}")
    assert "Corner Shop, counter 1" in words(safe)
    assert safe.window.isFullScreen()


def test_a_record_that_is_gone_is_not_called_one_in_which_all_is_settled(
    make_alone: MakeAlone, tmp_path: Path
) -> None:
    first = make_alone()
    first.charge_qr("81")
    assert first.stop()
    (tmp_path / "data" / "sandbox" / JOURNAL).unlink()
    crash(tmp_path)
    safe = make_alone(signed_in="", people=False)
    assert "The record of payments cannot be read here." in safe.says("safe_money")


def test_start_again_opens_the_till_in_its_place_and_counts_anew(
    make_alone: MakeAlone, tmp_path: Path
) -> None:
    crash(tmp_path)
    till = make_alone(signed_in="")
    assert "No payment is open" in words(till)
    till.strike(Qt.Key.Key_Return)
    till.until(lambda: till.window.objectName() == "till")
    till.sign_in("Nimali")
    till.until(lambda: till.shown == [till.window])
    assert Starts(tmp_path).begin() == 1, "the one that runs here; the three before it are forgiven"


def test_two_crashes_are_no_reason_to_stop_selling(make_alone: MakeAlone, tmp_path: Path) -> None:
    crash(tmp_path, 2)
    till = make_alone(signed_in="")
    assert till.window.objectName() == "till"
    till.until_connected()


def test_a_counter_that_cannot_open_says_why_and_opens_once_it_can(
    make_alone: MakeAlone, config_dir: Path, tmp_path: Path
) -> None:
    enrol(arguments(config_dir, tmp_path / "data"))
    other = FileLock(tmp_path / "data" / "sandbox" / JOURNAL)
    till = make_alone(signed_in="", people=False)
    assert "The till cannot open" in words(till)
    assert "is in use by another till" in till.says("safe_why")
    till.touch("safe_again")
    till.until(lambda: till.part("safe_again").isEnabled())
    other.release()
    till.touch("safe_again")
    till.until(lambda: till.window.objectName() == "till")
    till.until_connected()
    assert Starts(tmp_path).begin() == 1, "the one that runs here alone"


@pytest.mark.parametrize(
    "place",
    [
        pytest.param((Session, "_make_window"), id="when the journal is held"),
        pytest.param((Alone, "show"), id="when a window stands"),
    ],
)
def test_a_fault_while_it_is_started_again_is_said_and_the_next_try_opens(
    make_alone: MakeAlone,
    qtbot: Any,
    config_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: tuple[type, str],
) -> None:
    """The screen said for ever that the till is being started, and its button took nothing more."""
    enrol(arguments(config_dir, tmp_path / "data"))
    crash(tmp_path)
    till = make_alone(signed_in="", people=False)
    whole = getattr(*place)
    faults: list[int] = []

    def fails(self: object, *given: object) -> object:
        if len(faults) == 2:
            return whole(self, *given)
        faults.append(1)
        if place[0] is Alone:
            whole(self, *given)
        raise RuntimeError("access_token=canary-9")

    def failed(times: int) -> bool:
        return len(faults) == times and till.takes("safe_again")

    monkeypatch.setattr(*place, fails)
    with qtbot.captureExceptions() as told:
        for times in (1, 2):
            till.touch("safe_again")
            till.until(partial(failed, times))
            assert "The till cannot open" in words(till)
            assert till.says("safe_why") == "the till met a fault: unexpected RuntimeError"
            assert till.shown == [till.window]
            assert till.running is None
    assert len(told) == 2, "as any other that nobody caught"
    till.touch("safe_again")
    till.until(lambda: till.window.objectName() == "till")
    till.until_connected()
    assert Starts(tmp_path).begin() == 1, "the one that runs here alone"


def test_a_fault_in_what_the_safe_screen_tells_does_not_keep_it_from_saying_why(
    make_alone: MakeAlone,
    qtbot: Any,
    config_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Behind Start again it said for ever that the till is being started; at a start there was no screen at all."""
    enrol(arguments(config_dir, tmp_path / "data"))
    crash(tmp_path)

    def fails(*_given: object) -> object:
        raise RuntimeError("access_token=canary-9")

    with monkeypatch.context() as faulty, qtbot.captureExceptions() as told:
        faulty.setattr(Session, "_make_window", fails)
        faulty.setattr("pos_app.app.kiosk.counter_facts.unsettled", fails)
        till = make_alone(signed_in="", people=False)
        assert "The till stopped three times" in words(till)
        assert "cannot be read here" in words(till)
        till.touch("safe_again")
        till.until(lambda: "unexpected RuntimeError" in words(till) and till.takes("safe_again"))
    assert len(told) == 3
    till.touch("safe_again")
    till.until(lambda: till.window.objectName() == "till")
    till.until_connected()


def test_under_an_update_it_says_so_and_ends_when_that_is_over_to_be_started_anew(
    make_alone: MakeAlone, config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What runs is the old program: whoever started it starts the new one."""
    enrol(arguments(config_dir, tmp_path / "data"))
    monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
    raise_flag(os.getpid(), tmp_path)
    till = make_alone(signed_in="", people=False)
    assert "The till is being updated" in words(till)
    assert "No payment is open" in words(till)
    assert not till.seen("safe_again")
    assert not is_held(tmp_path / "data" / "sandbox" / JOURNAL)
    lower_flag(tmp_path)
    till.until(lambda: till.kiosk is not None and till.kiosk.asked is Exit.UPDATING)
    assert till.stop()
    assert Starts(tmp_path).begin() == 0, "no crash"


def test_an_update_that_begins_under_the_safe_screen_is_said(
    make_alone: MakeAlone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Start again starts nothing then, and the words that the till stopped would be asked for in vain."""
    monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
    crash(tmp_path)
    till = make_alone(signed_in="", people=False)
    assert "The till stopped three times" in words(till)
    raise_flag(os.getpid(), tmp_path)
    till.touch("safe_again")
    till.until(lambda: "The till is being updated" in words(till))
    assert not till.seen("safe_again")
    lower_flag(tmp_path)
    till.until(lambda: till.kiosk is not None and till.kiosk.asked is Exit.UPDATING)


def test_a_safe_screen_gives_way_to_an_update_which_may_be_what_it_takes(
    make_alone: MakeAlone, config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever updates waits for whatever runs of the old program; what is begun meanwhile says nothing but that."""
    monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
    (config_dir / "config.toml").write_text("", "utf-8")
    till = make_alone(signed_in="", people=False)
    assert "The till cannot open" in words(till)
    raise_flag(os.getpid(), tmp_path)
    till.until(lambda: till.kiosk is not None and till.kiosk.asked is Exit.UPDATING)
    assert till.stop()
    begun_meanwhile = make_alone(signed_in="", people=False)
    assert "The till is being updated" in words(begun_meanwhile)
    assert begun_meanwhile.kiosk is not None
    assert begun_meanwhile.kiosk.asked is None
    lower_flag(tmp_path)
    begun_meanwhile.until(
        lambda: begun_meanwhile.kiosk is not None and begun_meanwhile.kiosk.asked is Exit.UPDATING
    )


def test_closed_for_an_update_a_kiosk_is_started_again_by_its_service(
    make_alone: MakeAlone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
    till = make_alone()
    till.session.bridge.post(DrainAsked(request_id="u", wait_ms=60_000, end=True))
    till.until(lambda: till.kiosk is not None and till.kiosk.asked is Exit.UPDATING)


def test_settings_that_cannot_be_read_are_told_on_the_screen(make_alone: MakeAlone, config_dir: Path) -> None:
    file = config_dir / "config.toml"
    file.write_text(file.read_text("utf-8") + "\n[window]\ntheme = 3\nmotion = 3\n", "utf-8")
    till = make_alone(signed_in="", people=False)
    lines = till.says("safe_why").split("\n")
    assert ["window.theme" in lines[0], "window.motion" in lines[1]] == [True, True], lines
    assert "cannot be read here" in words(till)


def test_it_stands_as_the_counter_s_settings_have_it(
    make_alone: MakeAlone, config_dir: Path, tmp_path: Path
) -> None:
    """Its words were Arabic, and began at the left."""
    file = config_dir / "config.toml"
    looks = '\n[window]\nlanguage = "ar"\ntheme = "dark"\n'
    file.write_text(file.read_text("utf-8") + looks, "utf-8")
    crash(tmp_path)
    till = make_alone(signed_in="", people=False)
    assert till.window.layoutDirection() is Qt.LayoutDirection.RightToLeft
    assert tokens() is DARK


def test_the_safe_screen_loads_no_engine_and_no_services() -> None:
    code = "import sys; import pos_app.app.kiosk.counter_facts, pos_app.ui.kiosk.safe_screen; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=True
    )
    loaded = done.stdout.split()
    assert not [
        name
        for name in loaded
        if name.startswith(("pos_app.engine.core.engine", "pos_app.services", "httpx"))
    ]
