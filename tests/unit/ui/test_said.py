"""What came of something is told to whoever hears the screen, wherever the keyboard is; nobody else is asked."""

from __future__ import annotations

import pytest
from PySide6 import QtGui
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from pytestqt.qtbot import QtBot

from pos_app.domain.otp import OtpProblem
from pos_app.domain.replies import Listing, NoAnswer, Why
from pos_app.domain.views import Purpose, SignIn, SignInStep
from pos_app.i18n.words.set_up import words as set_up_words
from pos_app.i18n.words.sign_in import words as sign_in_words
from pos_app.ui.dialogs.set_up.wizard import Page
from pos_app.ui.dialogs.sign_in.panel import SignInPanel
from pos_app.ui.widgets.said import SaidLabel
from tests.support.published import NIMALI, recent, terminal
from tests.support.stage import Stage
from tests.unit.ui.dialog_cases import Posted, shown
from tests.unit.ui.setup_cases import Elsewhere
from tests.unit.ui.test_wizard import fill, opened
from tests.unit.ui.training_stage import Beside, steps

_URGENT = QAccessible.AnnouncementPoliteness.Assertive


class ScreenReader:
    """What Qt hands to the one of the desktop, of which there is none here."""

    AnnouncementPoliteness = QAccessible.AnnouncementPoliteness

    def __init__(self) -> None:
        self.heard: list[tuple[str, bool]] = []

    def isActive(self) -> bool:
        return True

    def updateAccessibility(self, event: QAccessibleAnnouncementEvent) -> None:
        self.heard.append((event.message(), event.politeness() is _URGENT))

    @property
    def last(self) -> str:
        return self.heard[-1][0] if self.heard else ""


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> ScreenReader:
    made = ScreenReader()
    monkeypatch.setattr(QtGui, "QAccessible", made)
    return made


def test_the_text_it_is_made_with_is_not_announced_and_each_other_is(
    qtbot: QtBot, reader: ScreenReader
) -> None:
    label = SaidLabel("Nothing yet", wrap=True)
    qtbot.addWidget(label)
    assert reader.heard == []
    label.setText("Saved")
    label.setText("")
    label.set_tone("bad")
    label.setText("Not saved: " + "x" * 40)
    assert reader.heard == [("Saved", False), ("Not saved: " + "x" * 40, True)]


def test_what_came_of_a_connection_test_is_heard(qtbot: QtBot, reader: ScreenReader) -> None:
    elsewhere = Elsewhere()
    wizard = opened(qtbot, elsewhere, Page.COUNTER)
    assert wizard.counter is not None
    fill(wizard)
    test = wizard.counter.test
    test.button.click()
    assert reader.last == set_up_words.TESTING
    with qtbot.waitSignal(test.tested):
        elsewhere.tests[0][1](NoAnswer(why=Why.SIGN_IN, sent=True, http_status=401))
    assert reader.heard[-1] == (set_up_words.NO_ANSWER[Why.SIGN_IN], True)
    test.button.click()
    with qtbot.waitSignal(test.tested):
        elsewhere.tests[1][1](Listing())
    assert reader.heard[-1] == (set_up_words.CONNECTED, False)


def test_why_no_code_is_sent_is_heard_where_the_field_for_it_is_gone(
    qtbot: QtBot, reader: ScreenReader
) -> None:
    """The keyboard went to "send a new code", and nothing was said of why."""
    panel = SignInPanel([NIMALI], Posted())
    shown(qtbot, panel)
    panel.pick(NIMALI.person_id)
    assert reader.last == sign_in_words.SENDING
    panel.receive(
        SignIn(
            purpose=Purpose.SIGN_IN,
            step=SignInStep.REFUSED,
            person_id=NIMALI.person_id,
            problem=OtpProblem.NO_CONNECTION,
        )
    )
    assert reader.last == panel.code.problem.text()
    assert reader.last


def test_a_payment_that_comes_behind_the_lock_is_heard(qtbot: QtBot, reader: ScreenReader) -> None:
    on = Stage(qtbot)
    on.receive(terminal(locked=True, people=(NIMALI,), open=recent()[:1]))
    reader.heard.clear()
    on.receive(terminal(locked=True, people=(NIMALI,), attention=recent()[:1]))
    assert reader.last == on.text("cover_running")


@pytest.mark.parametrize("told", ["step", "verdict"])
def test_the_course_says_what_to_do_and_how_it_ended(qtbot: QtBot, reader: ScreenReader, told: str) -> None:
    from pos_app.domain.views import Terminal
    from pos_app.training.coach.model import verdict
    from pos_app.training.course.exercises import COURSE
    from pos_app.training.course.run import Run

    beside = Beside(qtbot)
    if told == "step":
        step = next(steps())
        beside.show_step(step)
        assert reader.last == step.do
        return
    ended = verdict(Run(COURSE[0], Terminal()))
    reader.heard.clear()
    for _ in range(2):
        beside.sheet.coach.show_verdict(ended, "")
    assert [text for text, _urgent in reader.heard] == 2 * [f"{ended.headline}. {ended.why}"]
