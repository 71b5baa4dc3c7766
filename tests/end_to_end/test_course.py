"""The course at a real till against the real sandbox: done right, done wrong, left, gone on with. All of it: proof."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from pos_app.bootstrap.shop import OWN_SANDBOX
from pos_app.domain.views import Connection, Terminal
from pos_app.i18n.words.training import words
from pos_app.training.controller import Page
from pos_app.training.course.progress import read
from pos_app.training.course.run import Outcome
from pos_app.ui.bridge import Bridge
from tests.end_to_end.course.going import do_right, do_wrong, learner
from tests.end_to_end.course.lessons import LESSONS
from tests.end_to_end.course.trainee import RIGHT, Trainee
from tests.end_to_end.settings_steps import choose, close, open_settings, save
from tests.unit.i18n.looking import cut


def marks(folder: Path, name: str) -> dict[str, Outcome]:
    register = read((folder / OWN_SANDBOX / "learners.json").read_bytes())
    return {key: mark.outcome for key, mark in register.of(name).marks.items()}


def test_what_is_done_right_is_told_and_kept(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    with learner(tmp_path) as on:
        for key in ("no_answer", "restarted"):
            do_right(on, key)
    assert marks(tmp_path, "Asha") == dict.fromkeys(("no_answer", "restarted"), Outcome.RIGHT)


def test_what_would_cost_money_is_told_and_can_be_done_again(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    with learner(tmp_path) as on:
        do_wrong(on, "late")
        do_wrong(on, "service_down")
        assert marks(tmp_path, "asha") == dict.fromkeys(("late", "service_down"), Outcome.SLIPPED)
        do_right(on, "service_down")
        assert marks(tmp_path, "Asha")["service_down"] is Outcome.RIGHT


def test_a_wrong_amount_that_nobody_notices_is_paid_and_told(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    with learner(tmp_path) as on:
        do_wrong(on, "first_push")
    assert marks(tmp_path, "Asha") == {"first_push": Outcome.SLIPPED}


def test_nobody_answers_for_a_customer_who_thinks(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    """Who approved on the phone beside the course, as the first exercises want it, had PAID, and waited for ever for
    the till to give up."""
    with learner(tmp_path) as on:
        on.start("late")
        on.ask_by_phone("2400")
        on.until_step("tempted")
        if on.sheet.is_folded:
            on.coach.touch("unfold")
        if on.coach.takes("show_phone"):
            on.coach.touch("show_phone")
        assert on.coach.seen("phone")
        assert not on.coach.seen("phone_approve")


def test_a_till_that_does_not_begin_again_in_an_exercise_says_why(
    qtbot: Any,  # noqa: ARG001
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It ran on without a window, where nobody saw it, and kept the next one from opening."""
    with learner(tmp_path) as on:
        on.start("restarted")
        monkeypatch.setattr(sys, "executable", "/nowhere/pos-app")
        on.ask_by_phone("880")
        app = on.app
        assert app is not None
        on.until(lambda: app.not_again is not None)
        assert "No such file or directory" in str(app.not_again)
    monkeypatch.undo()
    # Nothing of it holds the journal.
    assert Trainee(tmp_path).stop()


def test_it_is_left_in_the_middle_and_gone_on_with(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    with learner(tmp_path) as on:
        do_right(on, "first_push")
        on.start("service_down")
        on.ask_by_phone("1100", RIGHT)
        on.until_step("screenshot")
        if on.sheet.is_folded:
            on.coach.touch("unfold")
        on.coach.touch("course_leave")
        # Nothing of the exercise is left: the service answers again, and the till finds out.
        on.until_result("PAID")
        on.until(lambda: on.sandbox.control("GET", "/faults")["faults"] == [])
        on.coach.touch("course_open")
        assert on.coach.part("learner").text() == "Asha"
        on.coach.touch("course_begin")
        assert on.controller.page is Page.EXERCISES
    on = Trainee(tmp_path)
    try:
        on.until(lambda: on.controller.page is Page.WHO)
        assert on.coach.part("learner").text() == "Asha"
        on.coach.touch("course_begin")
        on.until(lambda: on.coach.says("course_done").startswith("1 of 12"))
    finally:
        assert on.stop()


@pytest.mark.parametrize("key", ["first_qr", "first_push"])
def test_who_was_paid_by_the_other_way_is_not_told_to_charge_again(
    qtbot: Any,  # noqa: ARG001
    tmp_path: Path,
    key: str,
) -> None:
    """Once the customer has approved there is nothing to take back: who did as the coach went on saying charged twice,
    and was told that this costs money."""
    with learner(tmp_path) as on:
        on.start(key)
        if key == "first_qr":
            on.ask_by_phone("450")
        else:
            on.ask_by_qr("980")
        on.sandbox.act(on.sandbox.transactions()[0]["externalMerchantTransactionId"], "approve")
        on.until_result("PAID")
        on.until_step("goods")
        on.hand_over()
        on.until_right()
        assert "You waited for the till’s PAID" in on.coach.says("verdict_why")


def test_who_opens_it_next_may_be_somebody_else(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    """It opened with whoever had left it, and kept the next one's results under that name."""
    with learner(tmp_path) as on:
        do_right(on, "first_push")
        on.coach.touch("course_leave")
        on.coach.touch("course_open")
        on.begin("Bimal")
        assert on.coach.says("course_learner") == "Bimal"
        assert on.coach.says("course_done").startswith("0 of 12")


def test_the_plain_sandbox_offers_it_and_shows_the_phone(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    on = Trainee(tmp_path, course=False)
    try:
        assert on.controller.page is Page.CLOSED
        if on.sheet.is_folded:
            on.coach.touch("unfold")
        assert on.coach.part("phone")
        on.coach.touch("course_open")
        on.until(lambda: on.controller.page is Page.WHO)
        on.coach.part("learner").clear()
        on.coach.touch("course_begin")
        assert "1 to 40 letters" in on.coach.says("learner_error")
        assert on.sheet.focusWidget() is on.coach.part("learner")
    finally:
        assert on.stop()


def test_it_speaks_what_the_till_speaks(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    on = Trainee(tmp_path)
    try:
        on.until(lambda: on.controller.page is Page.WHO)
        english = on.coach.says("course_who")
        on.touch("language_ta")
        on.until(lambda: on.coach.says("course_who") not in ("", english))
        assert on.coach.says("course_who") == words.WHO
        on.touch("language_en")
        on.until(lambda: on.coach.says("course_who") == english)
    finally:
        assert on.stop()


def test_the_coach_comes_though_the_engine_was_faster(
    qtbot: Any,  # noqa: ARG001
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The window's thread is held up as the threads start, until the engine has said all it has to say."""
    start = Bridge.start

    def start_and_be_late(bridge: Bridge) -> None:
        all_said = threading.Event()

        def hear(published: object) -> None:
            if isinstance(published, Terminal) and published.connection is not Connection.UNKNOWN:
                all_said.set()

        bridge.published.connect(hear, Qt.ConnectionType.DirectConnection)
        start(bridge)
        assert all_said.wait(60)

    monkeypatch.setattr(Bridge, "start", start_and_be_late)
    assert Trainee(tmp_path).stop()


def test_closing_the_till_closes_what_stands_beside_it(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    on = Trainee(tmp_path)
    sheet = on.sheet
    assert not sheet.testAttribute(Qt.WidgetAttribute.WA_QuitOnClose)
    assert sheet.windowHandle().transientParent() is on.window.windowHandle()
    assert on.stop()
    assert not sheet.isVisible()


@pytest.mark.parametrize("key", ["paper_out", "late"])
def test_settings_that_are_saved_in_the_middle_leave_the_exercise_what_it_set_up(
    qtbot: Any,  # noqa: ARG001
    tmp_path: Path,
    key: str,
) -> None:
    """Other colours took its printer, and the short time until the till gives up: the step waited for never came."""
    with learner(tmp_path) as on:
        on.start(key)
        open_settings(on, "window")
        choose(on, "window.theme", "dark")
        save(on)
        on.until_says("save_outcome", "It holds until the till is closed.")
        close(on)
        LESSONS[key](on)
        on.until_right()


def test_a_sandbox_that_has_ended_is_said_on_the_strip_too(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    """Where only the strip is left it went on asking for what could not be done any more."""
    with learner(tmp_path) as on:
        on.start("first_push")
        assert on.sheet.is_folded
        sandbox = on.session.shop._sandbox
        assert sandbox is not None
        sandbox.stop()
        on.start_push("980", RIGHT)
        on.until(lambda: on.coach.says("strip_says") == words.NO_SANDBOX)
        assert cut(on.sheet) == []
