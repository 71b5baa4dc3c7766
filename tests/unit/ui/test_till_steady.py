"""Nothing moves under a finger, nothing that is done is off the screen, and keys mean the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QComboBox, QWidget

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.commands import Cancel, Charge, Park, SubmitOtp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.secret import Secret
from pos_app.domain.views import Activity, Connection, SignIn, SignInStep
from pos_app.ui.dialogs.people.acts import Forms
from pos_app.ui.dialogs.set_up.counter_page import CounterForm
from pos_app.ui.dialogs.settings.panel import WIDTH, SettingsDialog
from pos_app.ui.dialogs.settings.values import SettingsDraft
from pos_app.ui.dialogs.sign_in.panel import SignInPanel
from pos_app.ui.language import set_language
from pos_app.ui.widgets.field import Field, LineEdit
from tests.support.published import NIMALI, RUWAN, attempt, change, terminal
from tests.support.stage import Stage
from tests.unit.ui.dialog_cases import Posted, shown
from tests.unit.ui.dialog_cases import settle as settled
from tests.unit.ui.settings_cases import PICTURE, Elsewhere

ENTER, ESC, TAB = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab
LANGUAGES = ["en", "si", "ta", "ar"]
SIZES = [(1024, 768), (1366, 768)]


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_language("en")


def place(on: Stage, name: str) -> QRect:
    """Where a part is on the window."""
    part: QWidget = on.part(name)
    return QRect(part.mapTo(on.window, part.rect().topLeft()), part.size())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_what_is_wrong_with_an_amount_moves_no_key(qtbot: Any, size: tuple[int, int], language: str) -> None:
    on = Stage(qtbot, size=size, language=language)
    on.settle()
    keys = [f"key_{digit}" for digit in range(10)]
    before = [place(on, key) for key in keys]
    on.type("1*")
    on.settle()
    assert on.part("amount_problem").text_fits()
    assert [place(on, key) for key in keys] == before
    on.press(Qt.Key.Key_Delete)
    on.type("0")
    on.press(ENTER)
    on.settle()
    assert on.part("amount_problem").text()
    assert [place(on, key) for key in keys] == before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_the_other_method_comes_without_moving_a_button(
    qtbot: Any, size: tuple[int, int], language: str
) -> None:
    on = Stage(qtbot, size=size, language=language)
    on.begin(change(activity=Activity(elapsed_s=10, gives_up_in_s=290)))
    on.settle()
    names = ("waiting_cancel", "waiting_check", "waiting_park")
    before = [place(on, name) for name in names]
    assert not on.seen("other_method")
    on.receive(change(activity=Activity(elapsed_s=70, gives_up_in_s=230)))
    on.settle()
    assert on.seen("other_method")
    assert on.part("waiting_panel").rect().contains(on.part("other_method").parentWidget().geometry())
    assert [place(on, name) for name in names] == before


def test_a_sheet_keeps_its_upper_edge_when_something_is_said_in_it(qtbot: Any) -> None:
    on = Stage(qtbot, size=(1920, 1080))
    elsewhere = Elsewhere()
    panel = SettingsDialog(PICTURE, elsewhere.calls(), is_manager=True)
    on.window.overlay.open(panel, width=WIDTH)
    on.settle()
    before = place(on, "settings_title")
    panel.why_not.setText("Two lines more. " * 20)
    panel.why_not.show()
    on.settle()
    assert place(on, "settings_title") == before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_what_saves_the_settings_is_never_below_the_fold(
    qtbot: Any, size: tuple[int, int], language: str
) -> None:
    on = Stage(qtbot, size=size, language=language)
    panel = SettingsDialog(PICTURE, Elsewhere().calls(), is_manager=True)
    on.window.overlay.open(panel, width=WIDTH)
    on.settle()
    for name in ("save", "settings_reason" if on.seen("settings_reason") else "save", "back"):
        assert on.part(name).visibleRegion().boundingRect() == on.part(name).rect(), name
    for section in panel.form.pages:
        panel.form.sections.choose(section)
        on.settle()
        assert on.part("save").visibleRegion().boundingRect() == on.part("save").rect(), section


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_goes_on_stands_whole_under_the_passcode_s_keys(qtbot: Any, language: str) -> None:
    set_language(language)
    posted = Posted()
    panel = SignInPanel((NIMALI, RUWAN), posted)
    host = shown(qtbot, panel, size=(1024, 680))
    panel.pick(NIMALI.person_id)
    panel.receive(SignIn(step=SignInStep.CHOOSE_PASSCODE, person_id=NIMALI.person_id))
    settled()
    button = next(each for each in panel.findChildren(QWidget, "save_passcode") if each.isVisible())
    assert button.visibleRegion().boundingRect() == button.rect()
    assert host.isVisible()


def test_a_wrong_passcode_moves_no_key(qtbot: Any) -> None:
    own = replace(NIMALI, passcode_set=True)
    panel = SignInPanel((own, RUWAN), Posted(), sessions=(own.person_id,))
    shown(qtbot, panel)
    panel.pick(own.person_id)
    settled()
    pad = panel.findChild(QWidget, "passcode_pad")
    assert pad is not None
    before = pad.mapToGlobal(pad.rect().topLeft())
    wrong = SignIn(
        step=SignInStep.REFUSED,
        person_id=own.person_id,
        by_passcode=True,
        problem=PasscodeProblem.WRONG,
        tries_left=4,
    )
    panel.receive(wrong)
    settled()
    assert panel.passcode.field.error.isVisible()
    assert pad.mapToGlobal(pad.rect().topLeft()) == before


def test_the_question_that_cancels_has_its_safe_answer_under_enter_wherever_it_is_asked(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(ESC)
    panel_no, panel_yes = on.part("question_no").text(), on.part("question_yes").kind
    assert on.window.focusWidget() is on.part("question_no")
    on.press(ENTER)
    on.receive(terminal(open=(attempt(),)))
    on.press(Qt.Key.Key_F8)
    on.part(f"cancel_{attempt().attempt_id}").click()
    assert on.window.focusWidget() is on.part("confirm_no")
    assert (on.part("confirm_no").text(), on.part("confirm_yes").kind) == (panel_no, panel_yes)
    on.press(ENTER)
    assert on.commands(Cancel) == []


def test_closing_what_the_menu_led_to_is_one_step_back(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=RUWAN, people=(NIMALI, RUWAN)))
    on.press(Qt.Key.Key_F10)
    on.part("manager_people").click()
    on.press(ESC)
    assert on.window.focusWidget() is on.part("manager_people")
    on.part("manager_people").click()
    on.receive(terminal(signed_in=None))
    assert on.window.overlay.panels == (), "what goes for a lock leads nowhere"


def test_an_amount_that_cannot_be_charged_is_said_before_anything_is_parked(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.type("0")
    on.press(ENTER)
    assert on.part("amount_problem").text().startswith("Enter an amount between")
    assert not on.seen("question")
    on.press(Qt.Key.Key_Delete)
    on.type("5")
    on.press(ENTER)
    assert on.part("question_more").text().startswith("LKR 1,250.00 (sale 0123) is not finished.")
    assert on.commands(Park) == []
    assert on.commands(Charge) == []


def test_what_could_not_be_sent_is_tried_the_same_way_first(qtbot: Any) -> None:
    on = Stage(qtbot)
    it = attempt(state=State.NOT_SENT, reason=Reason.NO_CONNECTION, shown=False, qr_text="")
    on.begin(change(it, may_start_another=True))
    assert on.part("result_qr").kind == "primary"
    assert on.part("result_push").kind == "plain"


def test_two_more_minutes_say_so(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(activity=Activity(elapsed_s=285, gives_up_in_s=15)))
    assert on.part("waiting_left").text().endswith(" left")
    on.receive(change(activity=Activity(elapsed_s=301, gives_up_in_s=111, extended=True)))
    assert on.part("waiting_left").text().endswith(" more")


def test_a_scanned_code_is_shown_no_more_and_comes_back_for_another_try(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    qtbot.waitUntil(lambda: on.part("qr").is_shown)
    on.receive(change(attempt(service_status="Verification Success")))
    assert not on.seen("qr")
    assert on.part("aside_text").text() == "Scanned"
    on.receive(change(attempt(service_status="Verification Fail")))
    assert on.seen("qr")


def test_what_has_not_left_is_not_said_to_complete_perhaps(qtbot: Any) -> None:
    on = Stage(qtbot)
    it = attempt(state=State.INTENT, shown=False, qr_text="")
    on.begin(change(it, activity=Activity(connection=Connection.LOST)))
    assert on.part("next_step").text() == "Nothing is asked of the customer yet."
    assert on.part("trouble").text() == "No connection"


def test_an_alert_that_took_no_keys_says_where_they_go(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(change(attempt(state=State.PAID_LATE, ended_at=18_000)))
    on.type("50")
    assert on.part("amount_figure").figure() == "50"
    assert on.part("answer_hint").text().startswith("Digits still go to the next amount.")
    on.press(TAB)
    assert on.part("answer_panel").isAncestorOf(on.window.focusWidget())


def test_an_example_leans_and_says_what_it_is(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("5")
    on.press(Qt.Key.Key_F3)
    field = on.part("wallet_number")
    assert field.placeholderText() == "for example 071 234 5678"
    assert field.font().italic()
    height = field.height()
    on.type("0")
    assert not field.font().italic()
    assert field.height() == height
    form = CounterForm(lambda _texts: ())
    qtbot.addWidget(form, before_close_func=lambda form: form.objectName())
    names = [each.placeholderText() for each in form.findChildren(type(field)) if each.placeholderText()]
    assert "for example Corner Shop" in names


def test_labels_begin_where_their_fields_do(qtbot: Any) -> None:
    field = Field("Name", "some_name", example="x")
    shown(qtbot, field)
    shape = field.edit.mapTo(field, field.edit.rect().topLeft()).x() + 3
    assert field.label.x() + field.label.text_room().x() == shape


def test_enter_in_the_last_field_does_what_the_form_is_for_and_all_that_is_wrong_is_said(qtbot: Any) -> None:
    question = Forms("LK", ("en",)).enrolment()
    shown(qtbot, question)
    asked: list[object] = []
    question.asked.connect(asked.append)
    question.reason.edit.setFocus()
    qtbot.keyClick(question.reason.edit, ENTER)
    wrong = [part for part in (*question.parts.values(), question.reason) if isinstance(part, Field)]
    assert [part.edit.wrong for part in wrong] == [True] * len(wrong)
    assert asked == []
    question.parts["name"].set_text("Sunethra")
    question.parts["number"].set_text("0771234567")
    question.reason.set_text("A new colleague")
    qtbot.keyClick(question.reason.edit, ENTER)
    assert len(asked) == 1


def test_a_refused_code_is_not_sent_twice_by_the_habit_of_enter(qtbot: Any) -> None:
    posted = Posted()
    panel = SignInPanel((NIMALI, RUWAN), posted)
    shown(qtbot, panel)
    panel.pick(NIMALI.person_id)
    panel.receive(SignIn(step=SignInStep.CODE_SENT, person_id=NIMALI.person_id))
    settled()
    field = next(each for each in panel.findChildren(QWidget, "code") if each.isVisible())
    field.setFocus()
    qtbot.keyClicks(field, "482913")
    sent = [each for each in posted if isinstance(each, SubmitOtp)]
    assert len(sent) == 1
    panel.receive(
        SignIn(
            step=SignInStep.CODE_SENT,
            person_id=NIMALI.person_id,
            problem=OtpProblem.WRONG_CODE,
            tries_left=4,
        )
    )
    settled()
    qtbot.keyClick(field, ENTER)
    assert len([each for each in posted if isinstance(each, SubmitOtp)]) == 1
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClicks(field, "482914")
    assert len([each for each in posted if isinstance(each, SubmitOtp)]) == 2


def test_blanks_around_a_secret_are_none_of_it(qtbot: Any) -> None:
    panel = SettingsDialog(PICTURE, Elsewhere().calls(), is_manager=True)
    shown(qtbot, panel, width=WIDTH)
    edit = panel.findChild(LineEdit, "merchant_password")
    assert edit is not None
    edit.setText("  s3cret \t")
    draft = panel.form.draft("why")
    assert isinstance(draft, SettingsDraft)
    assert draft.secrets["merchant_password"] == Secret("s3cret")


def test_a_row_of_a_list_is_as_high_as_a_finger(qtbot: Any) -> None:
    panel = SettingsDialog(PICTURE, Elsewhere().calls(), is_manager=True)
    shown(qtbot, panel, width=WIDTH)
    box = panel.findChildren(QComboBox)[0]
    assert box.view().sizeHintForRow(0) >= 48


def test_push_keeps_its_method_first_too(qtbot: Any) -> None:
    on = Stage(qtbot)
    it = attempt(kind=Kind.PUSH, state=State.NOT_SENT, reason=Reason.NO_CONNECTION, shown=False)
    on.begin(change(it, may_start_another=True))
    assert on.part("result_push").kind == "primary"
