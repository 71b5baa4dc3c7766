"""The locked till in the real window: what is hidden and what is kept; published views drive it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Environment
from pos_app.domain.commands import Charge, SendOtp, SubmitOtp
from pos_app.domain.secret import Secret
from pos_app.domain.staff import EnterPasscode, Lock
from pos_app.domain.views import Block, ChargeDeclined, Decline, SignIn, SignInStep
from tests.support.driver import ticking
from tests.support.published import attempt, change, recent
from tests.support.stage import Stage
from tests.unit.ui.lock_cases import BOSS, OTHER, OWN, at, locked, readable

ESC, ENTER, F2, F9 = Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_F2, Qt.Key.Key_F9


@pytest.fixture
def on(qtbot: Any) -> Stage:
    stage = Stage(qtbot)
    stage.receive(at())
    return stage


@pytest.mark.parametrize("by", ["key", "button", "menu"])
def test_locking_is_a_wish_the_engine_answers(on: Stage, by: str) -> None:
    match by:
        case "key":
            on.press(F9)
        case "button":
            on.part("lock_button").click()
        case _:
            on.part("person").click()
            on.part("menu_lock").click()
    assert on.posted == [Lock()]
    assert on.part("amount").isVisible()
    on.receive(locked())
    assert on.part("cover").isVisible()


def test_f9_locks_above_a_question_and_from_a_text_field(on: Stage) -> None:
    on.part("person").click()
    on.press(F9)
    on.press(ESC)
    on.part("fold").click()
    on.press(F9)
    assert on.posted == [Lock(), Lock()]


def test_nothing_of_a_payment_can_be_read_behind_the_lock(on: Stage) -> None:
    on.begin(change())
    on.receive(locked(open=(attempt(),), attention=recent()[4:]))
    text = readable(on)
    assert "1 payment is running · 1 payment needs somebody" in text
    assert "Corner Shop" in text
    assert "Counter 3" in text
    assert "Locked · Nimali is at this till" in text
    for said in ("1,250", "1250", "640", "380", "0123", "0118", "•", "LKR", "PAID"):
        assert said not in text, (said, text)
    assert on.part("sandbox_band").isVisible()
    assert not on.part("amount").isVisible()
    assert not on.part("waiting_panel").isVisible()


class _Places(QObject):
    """Where a part stood, one after the other."""

    def __init__(self, part: QWidget) -> None:
        super().__init__(part)
        self.seen = [part.geometry()]
        part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            assert isinstance(watched, QWidget)
            self.seen.append(watched.geometry())
        return False


def test_the_sign_in_stands_still_while_the_till_behind_it_is_made_ready(on: Stage) -> None:
    """The panels of the first payment are painted beforehand; a key that is touched just then stays where it is."""
    # Made once the sign-in stands, however long that takes.
    (soon,) = ticking(on.window)
    soon.stop()
    on.receive(locked())
    on.settle()
    assert on.window.findChild(QWidget, "result_panel") is None, (
        "made already: nothing is left to be looked at"
    )
    cover = _Places(on.part("cover"))
    soon.start(0)
    on.until(lambda: on.window.findChild(QWidget, "result_panel") is not None)
    on.settle()
    assert cover.seen == cover.seen[:1]


def test_the_code_can_be_scanned_again_after_unlocking_only(on: Stage) -> None:
    codes: list[str] = []
    on.window.qr_changed.connect(codes.append)
    on.begin(change())
    on.receive(locked(open=(attempt(),)))
    on.receive(change())
    assert codes == [attempt().qr_text, ""]
    on.receive(at(open=(attempt(),)))
    assert codes[2:] == [attempt().qr_text]


def test_keys_behind_the_lock_do_nothing_and_esc_does_not_open_it(qtbot: Any, on: Stage) -> None:
    on.type("12")
    on.receive(locked())
    on.part("someone_else").click()
    for key in (ESC, F2, F9, Qt.Key.Key_F4, Qt.Key.Key_F8, Qt.Key.Key_F10, Qt.Key.Key_F1, Qt.Key.Key_7):
        on.press(key)
        qtbot.keyClick(on.window, key)
    assert on.posted == []
    assert on.part("cover").isVisible()
    on.receive(at())
    assert on.part("amount_figure").figure() == "12"


def test_the_amount_and_what_was_open_come_back_for_the_same_person(on: Stage) -> None:
    on.type("125")
    on.part("person").click()
    on.receive(locked(), at())
    assert on.part("person_menu").isVisible()
    on.press(ESC)
    assert on.part("amount_figure").figure() == "125"
    on.receive(locked(), at())
    assert on.window.focusWidget() is on.part("amount")


@pytest.mark.parametrize("person", [OTHER, BOSS, None], ids=["cashier", "manager", "nobody"])
def test_the_amount_and_what_was_open_are_gone_for_another(on: Stage, person: Any) -> None:
    on.type("125")
    on.part("fold").click()
    on.part("invoice").setText("INV-7")
    on.part("person").click()
    on.receive(locked(), at(person))
    assert on.window.overlay.top is None
    on.receive(at(OWN))
    assert on.part("amount_figure").figure() == "0.00"
    on.part("fold").click()
    assert on.part("invoice").text() == ""
    assert on.posted == []


def test_a_wallet_number_is_gone_for_another(on: Stage) -> None:
    on.type("125")
    on.press(Qt.Key.Key_F3)
    on.part("wallet_number").setText("077 123 4567")
    on.receive(locked(), at(OTHER))
    assert on.part("methods_panel").isVisible()
    on.type("1")
    on.press(Qt.Key.Key_F3)
    assert on.part("wallet_number").text() == ""


def test_what_is_asked_behind_the_lock_takes_no_keys(on: Stage) -> None:
    on.type("12")
    on.press(F2)
    asked = on.commands(Charge)[-1]
    on.receive(locked())
    on.receive(ChargeDeclined(asked.request_id, Decline.LOOKS_OPEN, similar=attempt()))
    assert on.window.focusWidget() is on.part("passcode")
    on.posted.clear()
    on.type("704918")
    on.press(ENTER)
    assert on.posted == [EnterPasscode("p1", Secret("704918"))]


def test_unlocking_wrong_then_right(on: Stage) -> None:
    on.receive(locked())
    on.type("704918")
    on.press(ENTER)
    wrong = SignIn(
        step=SignInStep.REFUSED, person_id="p1", by_passcode=True, problem="wrong_passcode", tries_left=9
    )
    on.receive(wrong)
    assert "9 tries left" in on.part("passcode_error").text()
    on.receive(locked())
    assert "9 tries left" in on.part("passcode_error").text()
    on.receive(SignIn(step=SignInStep.SIGNED_IN, person_id="p1", by_passcode=True), at())
    assert not on.seen("cover")


def test_switching_begins_with_the_names(on: Stage) -> None:
    on.part("person").click()
    on.part("menu_switch").click()
    assert on.posted == [Lock()]
    on.receive(locked())
    assert on.part("people").isVisible()
    on.part("sign_in").pick("p3")
    assert on.part("passcode_text").text().startswith("Kasun")


def test_switching_to_somebody_without_a_session_takes_an_sms(on: Stage) -> None:
    on.receive(locked(sessions=("p1",)))
    on.part("someone_else").click()
    on.part("sign_in").pick("p2")
    assert on.posted == [SendOtp("p2")]


def by_sms(on: Stage, step: SignInStep) -> None:
    """Ruwan, who has no session, got so far behind Nimali's lock."""
    on.receive(locked(sessions=("p1",)))
    on.part("someone_else").click()
    on.part("sign_in").pick("p2")
    on.receive(SignIn(step=step, person_id="p2", number_mask="…568"))
    assert on.posted == [SendOtp("p2")]


def test_whoever_chooses_a_passcode_goes_on_when_the_session_behind_the_lock_ends(on: Stage) -> None:
    by_sms(on, SignInStep.CHOOSE_PASSCODE)
    panel = on.part("sign_in")
    on.receive(at(None, sessions=()))
    assert on.part("sign_in") is panel
    assert on.seen("passcode_choice")
    assert not on.seen("people")
    assert "Nobody is signed in" in readable(on)
    assert on.posted == [SendOtp("p2")]


def test_whoever_types_a_code_goes_on_too_and_the_lock_is_forgotten(on: Stage) -> None:
    by_sms(on, SignInStep.CODE_SENT)
    on.type("123")
    on.receive(at(None, sessions=()))
    on.type("456")
    assert on.posted == [SendOtp("p2"), SubmitOtp("p2", "123456")]
    on.receive(SignIn(step=SignInStep.CODE_SENT, person_id="p2", problem="wrong_code", tries_left=4))
    next(each for each in on.window.findChildren(QWidget, "someone_else") if each.isVisible()).click()
    on.part("sign_in").pick("p1")
    assert on.posted[2:] == [SendOtp("p1")]


def test_at_a_till_that_asks_nobody_to_sign_in_whoever_does_goes_on_too(qtbot: Any) -> None:
    """And may give it up, as nobody has to."""
    on = Stage(qtbot, sign_in_required=False)
    on.receive(at())
    by_sms(on, SignInStep.CHOOSE_PASSCODE)
    panel = on.part("sign_in")
    on.receive(at(None, sessions=()))
    assert on.part("sign_in") is panel
    assert on.seen("passcode_choice")
    on.press(ESC)
    assert on.seen("people")
    on.press(ESC)
    assert not on.seen("cover")
    assert on.part("amount").isVisible()


def test_another_language_gives_up_no_sign_in_that_nobody_had_to_do(qtbot: Any) -> None:
    on = Stage(qtbot, sign_in_required=False)
    on.receive(at(None))
    on.window.controller.lock_screen.open_sign_in()
    on.window.controller.lock_screen.say_anew()
    assert on.seen("people")
    on.press(ESC)
    assert not on.seen("cover")


def test_a_passcode_goes_on_where_it_is_still_enough(on: Stage) -> None:
    on.receive(locked())
    on.part("someone_else").click()
    on.part("sign_in").pick("p2")
    on.type("7049")
    on.receive(at(None, sessions=("p2",)))
    on.type("18")
    on.press(ENTER)
    assert on.posted == [EnterPasscode("p2", Secret("704918"))]


def test_a_passcode_that_is_enough_no_longer_is_asked_for_no_longer(on: Stage) -> None:
    on.receive(locked())
    on.type("7049")
    on.receive(at(None, sessions=()))
    assert on.part("people").isVisible()
    on.part("sign_in").pick("p1")
    assert on.posted == [SendOtp("p1")]


def test_nobody_sees_payments_before_somebody_is_signed_in(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(at(None, block=Block.STARTING))
    on.press(Qt.Key.Key_F8)
    assert "1,250" not in readable(on)
    on.receive(at(None))
    assert on.part("people").isVisible()
    assert "1,250" not in readable(on)


def test_tab_stays_on_the_cover(on: Stage) -> None:
    on.receive(locked())
    for _ in range(30):
        on.press(Qt.Key.Key_Tab)
        assert on.part("cover").isAncestorOf(on.window.focusWidget())


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
def test_whoever_cannot_read_a_long_list_of_names_sees_their_language(qtbot: Any, language: str) -> None:
    """On the least screen the languages were below the fold; a higher one shows as many names as ever."""
    many = tuple(replace(OWN, person_id=f"x{at}", name=f"Cashier {at}") for at in range(9))
    on = Stage(qtbot, size=(1024, 680), language=language, environment=Environment.LIVE)
    on.receive(at(None, people=many))
    on.settle()
    own = on.part(f"language_{language}")
    assert own.visibleRegion().boundingRect() == own.rect()
    tall = Stage(qtbot, size=(1024, 768), language=language, environment=Environment.LIVE)
    tall.receive(at(None, people=many))
    tall.settle()
    names = on.part("people")
    assert tall.part("people").height() == names.height() + names.row_height


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
def test_each_key_of_a_passcode_and_of_a_code_can_be_touched_in_the_lowest_window(
    qtbot: Any, language: str
) -> None:
    """Half of the 0 was under the buttons, at each unlocking by a finger."""
    on = Stage(qtbot, size=(1024, 680), language=language, environment=Environment.SANDBOX)
    on.receive(locked())
    on.settle()
    assert is_wholly_seen(on, "digit_0")
    on.touch("code_instead")
    on.receive(
        SignIn(step=SignInStep.CODE_SENT, person_id="p1", number_mask="+94 •• ••• 111", resend_in_s=20)
    )
    on.settle()
    assert is_wholly_seen(on, "digit_0")


def is_wholly_seen(on: Stage, name: str) -> bool:
    """Whether a finger on any of its corners finds it."""
    key = on.part(name)
    room = key.rect().adjusted(2, 2, -2, -2)
    corners = (room.topLeft(), room.topRight(), room.bottomLeft(), room.bottomRight())
    return all(on.window.childAt(key.mapTo(on.window, corner)) is key for corner in corners)
