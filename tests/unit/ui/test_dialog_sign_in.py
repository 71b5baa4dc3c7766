"""Signing in at the real panel, by touch and by keyboard alone."""

from __future__ import annotations

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from pos_app.domain.commands import SendOtp, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.sign_in import words
from pos_app.ui.dialogs.sign_in.panel import SignInPanel
from pos_app.ui.language import set_language
from tests.support.driver import ticking
from tests.support.published import NIMALI, RUWAN
from tests.unit.ui.dialog_cases import Key, Posted, faults, focused, press, settle, shown, type_text


def said(step: SignInStep, problem: str = "", **more: object) -> SignIn:
    return SignIn(step=step, person_id=NIMALI.person_id, problem=problem, **more)  # type: ignore[arg-type]


SENT = said(SignInStep.CODE_SENT, number_mask="+94 •• ••• 111", tries_left=5, resend_in_s=30)


@pytest.fixture
def posted() -> Posted:
    return Posted()


@pytest.fixture
def panel(qtbot: QtBot, posted: Posted) -> SignInPanel:
    made = SignInPanel((NIMALI, RUWAN), posted)
    shown(qtbot, made)
    return made


def test_the_keyboard_alone_signs_in(qtbot: QtBot, panel: SignInPanel, posted: Posted) -> None:
    press(Key.Key_Return)
    assert posted == [SendOtp("p1")]
    panel.receive(SENT)
    assert focused() is panel.code.field.edit
    with qtbot.waitSignal(panel.signed_in) as signed:
        type_text("482913")
        assert posted == [SendOtp("p1"), SubmitOtp("p1", "482913")]
        panel.receive(said(SignInStep.SIGNED_IN))
    assert signed.args == ["p1"]


@pytest.mark.usefixtures("panel")
def test_the_second_name_is_reached_by_an_arrow(posted: Posted) -> None:
    press(Key.Key_Down)
    press(Key.Key_Return)
    assert posted == [SendOtp("p2")]


def test_a_disabled_person_is_not_offered(qtbot: QtBot, posted: Posted) -> None:
    from msgspec.structs import replace

    made = SignInPanel((NIMALI, replace(RUWAN, enabled=False)), posted)
    shown(qtbot, made)
    assert made.people.count() == 1


def test_an_empty_list_says_so(qtbot: QtBot, posted: Posted) -> None:
    made = SignInPanel((), posted)
    shown(qtbot, made)
    assert made.nobody.isVisible()
    assert not made.people.isVisible()


def test_a_double_touch_sends_one_code(panel: SignInPanel, posted: Posted) -> None:
    panel.pick("p1")
    panel.pick("p1")
    assert posted == [SendOtp("p1")]


def test_a_double_press_on_resend_sends_one_code(panel: SignInPanel, posted: Posted) -> None:
    panel.pick("p1")
    panel.receive(said(SignInStep.CODE_SENT, number_mask="m", resend_in_s=0))
    panel.code.resend.click()
    panel.code.resend.click()
    assert posted == [SendOtp("p1"), SendOtp("p1")]


def test_a_code_is_submitted_once_however_often_enter_is_pressed(panel: SignInPanel, posted: Posted) -> None:
    panel.pick("p1")
    panel.receive(SENT)
    type_text("482913")
    panel.code.sign_in.click()
    assert posted[1:] == [SubmitOtp("p1", "482913")]


@pytest.mark.parametrize("text", ["48291", "4829135", "48291a", "４８２９１３", ""])  # noqa: RUF001  full-width
def test_what_is_no_code_is_kept_and_explained(panel: SignInPanel, posted: Posted, text: str) -> None:
    panel.pick("p1")
    panel.receive(SENT)
    panel.code.field.edit.setText(text)
    panel.code.sign_in.click()
    assert posted == [SendOtp("p1")]
    assert panel.code.field.text() == text
    assert panel.code.field.error.text() == "Enter the 6 digits from the SMS, for example 482913."
    assert focused() is panel.code.field.edit


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
def test_the_keys_stand_still_while_a_code_is_sent_and_looked_at(
    qtbot: QtBot, posted: Posted, language: str
) -> None:
    """Seen under a finger: the text grew by a line when the code had left, and the key was not where it went down."""
    set_language(language)
    try:
        panel = SignInPanel((NIMALI, RUWAN), posted)
        shown(qtbot, panel)
        panel.pick("p1")
        stood = []
        sending, again = said(SignInStep.SENDING), msgspec.structs.replace(SENT, resent=True)
        for seen in (sending, SENT, said(SignInStep.CHECKING), SENT, sending, again):
            panel.receive(seen)
            settle()
            stood.append(panel.code.pad.mapTo(panel, panel.code.pad.rect().topLeft()).y())
    finally:
        set_language("en")
    assert len(set(stood)) == 1, stood


def test_a_wrong_code_stays_in_the_field_with_the_tries_left(panel: SignInPanel, posted: Posted) -> None:
    panel.pick("p1")
    panel.receive(SENT)
    type_text("111111")
    panel.receive(said(SignInStep.CHECKING))
    assert not panel.code.field.edit.isEnabled()
    panel.receive(said(SignInStep.CODE_SENT, OtpProblem.WRONG_CODE, tries_left=3, resend_in_s=20))
    assert panel.code.field.error.text() == "Wrong code – 3 tries left."
    assert panel.code.field.text() == "111111"
    assert focused() is panel.code.field.edit
    type_text("482913")
    assert posted[-1] == SubmitOtp("p1", "482913")


def test_the_countdown_counts_only_while_it_is_seen(panel: SignInPanel) -> None:
    panel.pick("p1")
    panel.receive(SENT)
    (tick,) = ticking(panel.code)
    assert panel.code.resend.text() == "New code in 30 s"
    assert not panel.code.resend.isEnabled()
    tick.timeout.emit()
    assert panel.code.resend.text() == "New code in 29 s"
    for _ in range(29):
        tick.timeout.emit()
    assert panel.code.resend.isEnabled()
    assert panel.code.resend.text() == words.SEND_NEW
    assert not tick.isActive()


@pytest.mark.parametrize("step", [SignInStep.REFUSED, SignInStep.CODE_SENT])
def test_a_wait_that_is_over_is_asked_of_nobody(panel: SignInPanel, step: SignInStep) -> None:
    """The button counted down and could be pressed; the sentence beside it said "Try again in 2 s" for good."""
    panel.pick("p1")
    panel.receive(said(step, OtpProblem.WAIT, wait_s=2))
    told = panel.code.problem if panel.code.problem.isVisibleTo(panel.code) else panel.code.field.error
    (tick,) = ticking(panel.code)
    assert "Try again in 2" in told.text()
    tick.timeout.emit()
    tick.timeout.emit()
    assert told.text() == words.PROBLEM[OtpProblem.WAIT]
    assert panel.code.resend.isEnabled()


def test_hiding_the_panel_stops_the_clock(panel: SignInPanel) -> None:
    panel.pick("p1")
    panel.receive(SENT)
    panel.hide()
    assert not ticking(panel.code)


def test_nobody_else_begins_while_a_code_is_being_sent(panel: SignInPanel) -> None:
    panel.pick("p1")
    assert not panel.back.isEnabled()
    panel.receive(SENT)
    assert panel.back.isEnabled()


def test_escape_leads_back_and_the_live_code_is_kept(panel: SignInPanel, posted: Posted) -> None:
    panel.pick("p1")
    panel.receive(SENT)
    press(Key.Key_Escape)
    assert focused() is panel.people
    panel.pick("p1")
    assert posted == [SendOtp("p1")]
    assert focused() is panel.code.field.edit
    assert panel.code.resend.text() in ("New code in 30 s", "New code in 29 s")


def test_what_is_said_of_somebody_else_is_not_shown(panel: SignInPanel) -> None:
    panel.pick("p2")
    panel.receive(SENT)
    assert panel.code.text.text() == words.SENDING


@pytest.mark.parametrize("problem", [each for each in OtpProblem if each])
@pytest.mark.parametrize("step", [SignInStep.CODE_SENT, SignInStep.REFUSED])
def test_every_problem_is_said_whole_with_a_way_on(
    panel: SignInPanel, problem: OtpProblem, step: SignInStep
) -> None:
    panel.pick("p1")
    panel.receive(SENT)
    panel.receive(said(step, problem, wait_s=600, tries_left=4, resend_in_s=0))
    settle()
    texts = [panel.code.field.error.text(), panel.code.problem.text()]
    assert any(words.PROBLEM[problem].rstrip(".") in text or "4 tries left" in text for text in texts)
    assert faults(panel) == []
    ways = (panel.code.field.edit, panel.code.resend, panel.back)
    assert any(way.isEnabled() and way.isVisible() for way in ways)
    assert focused() is not None


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1024, 768), (1366, 768), (3840, 2160)])
def test_both_pages_fit(qtbot: QtBot, posted: Posted, theme: str, size: tuple[int, int]) -> None:
    made = SignInPanel((NIMALI, RUWAN), posted)
    shown(qtbot, made, size=size, theme=theme)
    assert faults(made) == []
    made.pick("p1")
    made.receive(said(SignInStep.CODE_SENT, number_mask="+94 •• ••• 111", resend_in_s=60, resent=True))
    settle()
    assert faults(made) == []


def test_a_name_cannot_be_dressed_up(qtbot: QtBot, posted: Posted) -> None:
    from msgspec.structs import replace

    made = SignInPanel((replace(NIMALI, name="<b>Boss\u202e</b>"),), posted)
    shown(qtbot, made)
    assert made.people.item(0).text() == "<b>Boss</b>"
    made.pick("p1")
    made.receive(SENT)
    assert made.code.text.text().startswith("<b>Boss</b>, a code was sent")
