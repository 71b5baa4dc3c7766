"""The sign-in SMS as delivered: one SMS in each language, and whose language it is."""

from __future__ import annotations

import pytest

from pos_app.domain.sms import size_of_message
from pos_app.i18n.languages import ENGLISH, languages
from pos_app.settings import checks
from pos_app.settings.model import Otp
from pos_app.settings.otp_messages import OTP_MESSAGE, OTP_MESSAGES

DELIVERED = Otp(message=OTP_MESSAGE, **{f"message_{each}": text for each, text in OTP_MESSAGES.items()})


def test_there_is_one_for_each_language_the_till_speaks() -> None:
    not_built = "if English stands alone, nothing is compiled: .venv/bin/python hatch_build.py"
    assert {ENGLISH, *OTP_MESSAGES} == set(languages()), not_built


@pytest.mark.parametrize("message", [OTP_MESSAGE, *OTP_MESSAGES.values()])
def test_each_is_one_sms_that_holds_the_code_once(message: str) -> None:
    assert checks.sms(message) == ""
    assert size_of_message(message).parts == 1


def test_whoever_chose_no_language_is_written_to_in_the_counters() -> None:
    assert DELIVERED.at("ta") == OTP_MESSAGES["ta"]
    assert DELIVERED.at("en") == OTP_MESSAGE


def test_a_message_the_shop_wrote_for_all_is_for_all_who_chose_no_language() -> None:
    own = Otp(message="{{code}} Corner Shop", message_si="", message_ta="", message_ar="")
    assert own.at("si") == "{{code}} Corner Shop"
    assert own.by_language == {}
