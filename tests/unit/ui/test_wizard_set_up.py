"""Which counters may be set up, and what is said of each field that cannot be used."""

from __future__ import annotations

import pytest

from pos_app.app.set_up import address_problem, live_counter
from pos_app.domain.attempt import Environment
from pos_app.domain.phone import NumberProblem
from pos_app.domain.replies import Listing, NoAnswer, Refused, Why
from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.set_up.form import FieldProblem, SetUp

TYPED = {
    "shop_name": "Corner Shop",
    "counter_id": "3",
    "merchant_pg_identifier": "M-0001",
    "base_url": "https://gateway.example/",
    "country": "LK",
    "currency": "LKR",
    "access_token": "token-1",
    "merchant_secret_code": "code 1",
    "merchant_password": "p@ss",
}


def problems(**changes: str) -> list[str]:
    result = live_counter({**TYPED, **changes})
    if isinstance(result, SetUp):
        return []
    assert all(isinstance(problem, FieldProblem) and problem.text for problem in result)
    return [problem.field for problem in result]


def test_a_complete_form_becomes_a_set_up_without_the_address_s_last_slash() -> None:
    made = live_counter(TYPED)
    assert isinstance(made, SetUp)
    assert made.base_url == "https://gateway.example"
    assert made.counter_id == 3
    assert made.merchant_secret_code.reveal() == "code 1"
    assert "code 1" not in repr(made)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("shop_name", ""),
        ("shop_name", "x" * 41),
        ("shop_name", "Shop\u202e"),
        ("counter_id", "0"),
        ("counter_id", "-1"),
        ("counter_id", "３"),  # noqa: RUF001  full-width digits are the point
        ("counter_id", "1e9"),
        ("merchant_pg_identifier", ""),
        ("merchant_pg_identifier", "M 1"),
        ("country", "Sri Lanka"),
        ("currency", "XXX"),
        ("counter_id", "2147483648"),
        ("merchant_pg_identifier", "M" * 65),
        ("access_token", ""),
        ("access_token", "a token"),
        ("access_token", "a\r\nX-Evil: 1"),
        ("merchant_secret_code", "a\nb"),
        ("merchant_password", "රහස"),
    ],
)
def test_a_field_out_of_its_limits_is_named(field: str, text: str) -> None:
    assert problems(**{field: text}) == [field]


def test_every_bad_field_is_named_at_once_in_the_form_s_order() -> None:
    assert problems(counter_id="x", shop_name="", currency="?") == ["shop_name", "counter_id", "currency"]


@pytest.mark.parametrize(
    "address",
    [
        "",
        "gateway.example",
        "http://gateway.example",
        "ftp://gateway.example",
        "https://user:pass@gateway.example",
        "https://gateway.example/../x",
        "https://gateway.example?x=1",
        "https://gateway.example#x",
        "https://gateway.example:99999",
        "https://gatewаy.example",  # noqa: RUF001  a look-alike letter is the point
        "https://gate way.example",
        "https://gateway.example\\@evil.example",
        "https://2130706433",
        "https://[::1",
        "https://localhost",
        "https://127.0.0.1",
        "https://10.1.2.3",
        "https://192.168.1.1",
        "https://172.20.0.1",
        "https://[::1]",
        "https://till.local",
    ],
)
def test_a_live_address_that_could_lead_money_astray_is_refused(address: str) -> None:
    assert address_problem(address, Environment.LIVE)


@pytest.mark.parametrize("address", ["https://gateway.example", "https://pay.example.com:8443/api"])
def test_a_named_https_service_is_a_live_address(address: str) -> None:
    assert address_problem(address, Environment.LIVE) == ""


def test_the_sandbox_is_on_this_machine_only() -> None:
    assert address_problem("http://127.0.0.1:8080", Environment.SANDBOX) == ""
    assert address_problem("http://[::1]:8080", Environment.SANDBOX) == ""
    assert address_problem("https://gateway.example", Environment.SANDBOX) == words.SANDBOX_ONLY_LOCAL


def test_every_answer_to_a_connection_test_has_words() -> None:
    assert set(words.NO_ANSWER) == set(Why)
    assert set(words.NUMBER) == set(NumberProblem)
    assert words.outcome_of_test(Listing()) == words.CONNECTED
    for why in Why:
        assert words.outcome_of_test(NoAnswer(why=why, sent=True)) == words.NO_ANSWER[why]
    assert words.outcome_of_test(Refused("5002")).endswith("Check it. (5002)")
    assert words.outcome_of_test(Refused("<b>PAID</b>")) == "The service answered, but refused the test."
