"""Signing in by the code of an SMS: wrong codes, another code, and the till behind it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from pos_app.domain.otp import OtpProblem
from pos_app.i18n.words.sign_in import words
from tests.end_to_end.conftest import MakeTill
from tests.support.sandbox import Sandbox
from tests.support.till import NUMBERS, StartedTill


def wrong(code: str, by: int = 1) -> str:
    """Six digits that are not these."""
    return f"{(int(code) + by) % 1_000_000:06}"


def asked_for_code(till: StartedTill, name: str = "Nimali") -> str:
    till.pick(name)
    till.until(lambda: till.seen("code") and till.part("code").isEnabled())
    return till.code(name)


def test_nothing_can_be_charged_before_somebody_is_signed_in(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till(signed_in="")
    till.until_seen("people")
    till.type("12")
    till.press(Qt.Key.Key_F2)
    till.press(Qt.Key.Key_Escape)
    assert till.seen("people")
    assert sandbox.calls("initiate_qr") == []
    assert till.says("cover_who") == "Nobody is signed in"


def test_a_wrong_code_says_how_many_tries_are_left_and_the_right_one_opens_the_till(
    make_till: MakeTill,
) -> None:
    till = make_till(signed_in="")
    code = asked_for_code(till)
    till.type(wrong(code))
    till.until_says("code_error", "4 tries left")
    till.type(code)
    till.choose_passcode()
    till.until_at_the_till("Nimali")
    till.type("5")
    assert till.says("amount").endswith("5")


def test_the_sixth_try_is_not_made_and_the_code_is_dead(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till(signed_in="")
    code = asked_for_code(till)
    for tries_left in (4, 3, 2, 1):
        till.type(wrong(code, tries_left))
        till.until_says("code_error", f"{tries_left} tr")
    till.type(wrong(code, 5))
    till.until(lambda: till.seen("code_problem"))
    assert words.PROBLEM[OtpProblem.TOO_MANY_TRIES].split("{")[0][:12] in till.says("code_problem")
    assert len(sandbox.calls("submit_code")) == 5


def test_a_code_reaches_only_the_number_on_file_and_the_message_is_ours(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till(signed_in="")
    asked_for_code(till, "Kasun")
    assert sandbox.sms(NUMBERS["Nimali"]) == []
    assert "is your sign-in code for the till" in sandbox.sms(NUMBERS["Kasun"])[0]["text"]
    shown = " ".join(till.words())
    assert "+94 •• ••• 011" in shown
    assert NUMBERS["Kasun"][-7:] not in shown


def test_another_code_is_offered_after_half_a_minute_and_kills_the_first(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till(signed_in="")
    first = asked_for_code(till)
    assert not till.part("send_new_code").isEnabled()
    assert "0:" in till.says("send_new_code") or " s" in till.says("send_new_code")
    till.until(lambda: till.part("send_new_code").isEnabled())
    till.touch("send_new_code")
    till.until(lambda: len(sandbox.sms(NUMBERS["Nimali"])) == 2)
    till.until(lambda: till.seen("code") and till.part("code").isEnabled())
    assert "no longer works" in " ".join(till.words())
    till.part("code").setFocus()
    till.type(first)
    till.until(lambda: till.seen("code_error") or till.seen("code_problem"))
    assert till.says("person") != "Nimali"
    second = till.code("Nimali")
    till.part("code").selectAll()
    till.type(second)
    till.choose_passcode()
    till.until_at_the_till("Nimali")


def test_no_connection_is_said_and_the_try_can_be_made_again(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till(signed_in="")
    code = asked_for_code(till)
    sandbox.fault("status", "submit_code", status=503)
    till.type(code)
    till.until(lambda: till.seen("code_error"))
    assert till.says("person") != "Nimali"
    till.part("code").selectAll()
    till.type(code)
    till.choose_passcode()
    till.until_at_the_till("Nimali")


def test_the_till_opens_after_the_passcode_and_not_before(make_till: MakeTill) -> None:
    till = make_till(signed_in="")
    code = asked_for_code(till)
    till.type(code)
    till.until_seen("new_passcode")
    till.type("111111")
    till.press(Qt.Key.Key_Return)
    till.until_says("new_passcode_error", "Too easy to guess")
    assert till.seen("cover")
    till.part("new_passcode").clear()
    # Digits of the number that the code went to.
    till.choose_passcode("947700")
    till.until_says("new_passcode_error", "Too easy to guess")
    assert till.seen("cover")
    till.choose_passcode()
    till.until_at_the_till("Nimali")


def test_signing_out_asks_once_and_leads_back_to_the_names(till: StartedTill) -> None:
    till.touch("person")
    till.until_seen("person_menu")
    till.touch("menu_sign_out")
    till.until_seen("question")
    till.touch("question_yes")
    till.until_seen("people")
    assert till.says("cover_who") == "Nobody is signed in"
