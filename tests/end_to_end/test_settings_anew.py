"""Whom the counter belongs to changes only with no payment open, and begins the till anew in its process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from pos_app.app import run
from pos_app.domain.views import Block
from pos_app.journal.errors import JournalTrouble, Trouble
from pos_app.system.updating import lower_flag, raise_flag
from tests.end_to_end.settings_steps import (
    COMMENT,
    choose,
    close,
    fill,
    open_settings,
    records,
    save,
    write_in,
)
from tests.end_to_end.test_process import ended
from tests.end_to_end.test_updates import drain
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill


@pytest.fixture(autouse=True)
def commented(sandbox: Sandbox, config_dir: Path) -> Path:
    """A settings file that a person has written in; the token of today."""
    return write_in(sandbox, config_dir)


def test_whom_the_counter_belongs_to_is_not_changed_under_an_open_payment(
    till: StartedTill, sandbox: Sandbox, commented: Path
) -> None:
    before = commented.read_bytes()
    waiting = till.charge_qr("40")
    open_settings(till, "counter")
    fill(till, "gateway.counter_id", "9")
    save(till)
    till.until_says(
        "gateway_counter_id_error",
        "1 payment is open: it belongs to merchant SBX-M-0001, counter 1. Close it first",
    )
    assert till.part("gateway_counter_id").text() == "9"
    assert commented.read_bytes() == before
    assert records(till, "PERMITTED") == []
    close(till)
    sandbox.act(waiting, "pay")
    till.until_result("PAID")


def test_whom_the_counter_belongs_to_is_not_changed_during_an_update(
    till: StartedTill, commented: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No till could be begun, the new one or this one again: the window would have gone without a word."""
    before, session = commented.read_bytes(), till.session
    monkeypatch.setenv("POS_APP_RUN_DIR", str(tmp_path))
    open_settings(till, "counter")
    fill(till, "gateway.counter_id", "9")
    raise_flag(os.getpid(), tmp_path)
    save(till)
    till.until_says("save_outcome", "Nothing was changed: the till is being updated. Try again in a minute.")
    assert commented.read_bytes() == before
    lower_flag(tmp_path)
    save(till)
    till.until(lambda: till.session is not session and till.session.window.isVisible())


def test_whom_the_counter_belongs_to_is_not_changed_while_the_till_closes_for_an_update(
    till: StartedTill, commented: Path, config_dir: Path, tmp_path: Path
) -> None:
    """Whoever updates has been told that nothing is under way: a till that was begun anew would have sold."""
    before, session = commented.read_bytes(), till.session
    with drain(config_dir, tmp_path, "--wait", "120") as asking:
        assert ended(asking)[0] == 0
    open_settings(till, "counter")
    fill(till, "gateway.counter_id", "9")
    save(till)
    till.until_says("save_outcome", "Nothing was changed: the till is being updated. Try again in a minute.")
    assert commented.read_bytes() == before
    assert till.session is session
    assert till.session.terminal.block is Block.UPDATING


def test_a_counter_that_other_hands_changed_is_not_taken_up_under_an_open_payment(
    till: StartedTill, sandbox: Sandbox, commented: Path
) -> None:
    """Another wish that is saved reads the whole file: with it the till would have begun anew as another counter."""
    session = till.session
    waiting = till.charge_qr("40")
    commented.write_text(commented.read_text("utf-8").replace("counter_id = 1", "counter_id = 9"), "utf-8")
    changed = commented.read_bytes()
    assert b"counter_id = 9" in changed
    open_settings(till, "window")
    fill(till, "sound.volume", "40")
    save(till)
    till.until_says("save_outcome", "1 payment is open: it belongs to merchant SBX-M-0001, counter 1.")
    assert (till.session, commented.read_bytes()) == (session, changed)
    # The screen says it first: the engine writes it down behind what it has in hand.
    till.until(lambda: len(records(till, "SETTINGS_NOT_WRITTEN")) == 1)
    (noted,) = records(till, "SETTINGS_NOT_WRITTEN")
    assert "1 payment is open" in noted.content["why"]
    close(till)
    sandbox.act(waiting, "pay")
    till.until_result("PAID")


def test_another_counter_begins_the_till_anew_in_this_process(till: StartedTill, commented: Path) -> None:
    first = till.session
    open_settings(till, "counter")
    fill(till, "gateway.counter_id", "9")
    save(till)
    till.until(lambda: till.session is not first and till.session.window.isVisible())
    assert "counter_id = 9" in commented.read_text("utf-8")
    till.sign_in()
    till.until_says("save_outcome", "The till was begun anew")
    close(till)
    till.charge_qr("5")
    assert till.window.windowTitle().endswith("· 9")
    (noted,) = records(till, "SETTINGS_IN_FORCE")
    assert (noted.actor, noted.content) == ("demo-1", {"changed": ["gateway.counter_id"]})


def test_the_counter_is_another_one_only_from_a_new_day_on(till: StartedTill, sandbox: Sandbox) -> None:
    """One merchant, counter and currency stand over all of a day's takings."""
    sandbox.act(till.charge_qr("12.50"), "pay")
    till.until_result("PAID")
    # What stands open is told twice a second; who saves sooner is told of an open payment.
    till.until(lambda: till.session.terminal.day.has_money)
    open_settings(till, "counter")
    fill(till, "gateway.counter_id", "9")
    save(till)
    till.until_says("gateway_counter_id_error", "Close the day first (F10)")
    close(till)
    till.press(Qt.Key.Key_F10)
    till.touch("manager_day")
    till.touch("day_close")
    till.touch("day_ask_yes")
    till.until_says("day_said", "The day is closed.")
    till.press(Qt.Key.Key_Escape)
    till.leave_menu()
    first = till.session
    open_settings(till, "counter")
    fill(till, "gateway.counter_id", "9")
    save(till)
    till.until(lambda: till.session is not first and till.session.window.isVisible())


def test_a_till_that_cannot_be_begun_with_the_change_goes_on_as_before(
    till: StartedTill, commented: Path, tmp_path: Path
) -> None:
    before = commented.read_bytes()
    first = till.session
    # The live till's folder cannot be made: a file is in its place.
    (tmp_path / "data" / "live").write_text("")
    open_settings(till, "counter")
    choose(till, "gateway.environment", "live")
    fill(till, "gateway.base_url", "https://gateway.invalid")
    save(till)
    till.until(lambda: till.session is not first and till.session.window.isVisible())
    assert commented.read_bytes() == before
    till.sign_in()
    till.until_says("save_outcome", "Nothing was changed. The till could not be opened")
    close(till)
    assert till.charge_qr("6")
    (noted,) = records(till, "SETTINGS_NOT_WRITTEN")
    assert noted.actor == "demo-1"
    assert "could not be opened with the new settings" in noted.content["why"]


@pytest.mark.parametrize(
    ("trouble", "faults"),
    [(JournalTrouble(Trouble.IO, "disk I/O error"), []), (RuntimeError("a fault"), [RuntimeError])],
    ids=["disk", "fault"],
)
def test_a_till_that_cannot_be_begun_at_all_ends(
    qtbot: Any, till: StartedTill, monkeypatch: pytest.MonkeyPatch, trouble: Exception, faults: list[type]
) -> None:
    """A process without a window would keep the journal from whoever starts it again."""

    def none(*_of: object, **_as: object) -> None:
        raise trouble

    quits: list[bool] = []
    monkeypatch.setattr(QApplication.instance(), "quit", lambda: quits.append(True))
    monkeypatch.setattr(run, "Session", none)
    open_settings(till, "counter")
    fill(till, "gateway.counter_id", "9")
    with qtbot.captureExceptions() as met:
        save(till)
        till.until(lambda: bool(quits))
    assert quits == [True]
    assert [kind for kind, *_ in met] == faults


def test_a_till_that_goes_live_begins_with_its_first_manager(till: StartedTill, commented: Path) -> None:
    """The live journal is another one, and nobody is on its list yet."""
    open_settings(till, "counter")
    choose(till, "gateway.environment", "live")
    fill(till, "gateway.base_url", "https://gateway.invalid")
    save(till)
    till.until(lambda: till.session.shop.settings.gateway.environment == "live")
    till.until_seen("first_manager")
    assert not till.seen("sandbox_band")
    assert 'environment = "live"' in commented.read_text("utf-8")
    assert commented.read_text("utf-8").startswith(COMMENT)
