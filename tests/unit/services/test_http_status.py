"""What the HTTP status alone says, whatever the body, and what is kept of such replies."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.attempt import Kind
from pos_app.domain.replies import NoAnswer, Why
from pos_app.services.answers import excerpt, retry_after_s
from pos_app.services.client import Reply
from pos_app.services.payments import Payments
from tests.unit.services.conftest import MERCHANT, TOKEN
from tests.unit.services.raw_server import JSON_HEADER, RawServer, http_reply, says

REFUSAL = b'{"response": {"status": "failure", "code": "5003"}}'
SUCCESS = b'{"response": {"status": "success", "walletTransactionId": "W"}}'
HTML = b"<html>no</html>"


@pytest.mark.parametrize("body", [REFUSAL, SUCCESS, HTML, b""])
@pytest.mark.parametrize(
    ("status", "why"),
    [
        (401, Why.SIGN_IN),
        (429, Why.SLOW_DOWN),
        (500, Why.HTTP),
        (502, Why.HTTP),
        (503, Why.HTTP),
        (504, Why.HTTP),
        (599, Why.HTTP),
    ],
)
def test_some_statuses_prove_nothing_whatever_the_body(
    status: int, why: Why, body: bytes, server: RawServer, payments: Payments
) -> None:
    server.play = says(http_reply(body, f"{status} X"))
    for found in (payments.initiate(Kind.PUSH, b"{}"), payments.cancel("A-1"), payments.get_status("A-1")):
        assert isinstance(found, NoAnswer)
        assert (found.why, found.sent, found.http_status) == (why, True, status)


@pytest.mark.parametrize("body", [SUCCESS, HTML, b"", b"{}"])
@pytest.mark.parametrize(
    ("status", "why"),
    [
        (400, Why.HTTP),
        (403, Why.FORBIDDEN),
        (404, Why.HTTP),
        (405, Why.HTTP),
        (406, Why.HTTP),
        (415, Why.HTTP),
    ],
)
def test_a_4xx_without_our_refusal_names_its_status(
    status: int, why: Why, body: bytes, server: RawServer, payments: Payments
) -> None:
    server.play = says(http_reply(body, f"{status} X"))
    found = payments.initiate(Kind.PUSH, b"{}")
    assert isinstance(found, NoAnswer)
    assert (found.why, found.sent, found.http_status) == (why, True, status)


@pytest.mark.parametrize("status", [204, 205])
def test_success_without_a_body_is_unreadable(status: int, server: RawServer, payments: Payments) -> None:
    server.play = says(f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode())
    found = payments.initiate(Kind.PUSH, b"{}")
    assert isinstance(found, NoAnswer)
    assert (found.why, found.http_status) == (Why.UNREADABLE, status)


def test_a_redirect_is_no_answer(server: RawServer, payments: Payments) -> None:
    server.play = says(http_reply(SUCCESS, "307 X", JSON_HEADER + b"Location: /elsewhere\r\n"))
    found = payments.initiate(Kind.PUSH, b"{}")
    assert isinstance(found, NoAnswer)
    assert (found.why, found.sent, found.http_status) == (Why.REDIRECT, True, 307)


@pytest.mark.parametrize(
    ("value", "wait_s"),
    [
        ("12", 12),
        ("0", 1),
        ("60", 60),
        ("1000000000", 60),
        ("9" * 400, 60),
        ("Sat, 31 Jan 2026 14:05:30 GMT", 30),
        ("Sat, 31 Jan 2026 14:04:00 GMT", 1),
        ("Sun, 31 Jan 2027 14:04:00 GMT", 60),
        ("-1", None),
        ("1e9", None),
        ("soon", None),
        ("1.5", None),
        ("١٢", None),
        ("", None),
        ("Sat, 99 Jan 2026 14:05:30 GMT", None),
    ],
)
def test_retry_after_is_clamped(value: str, wait_s: float | None) -> None:
    headers = {"retry-after": value, "date": "Sat, 31 Jan 2026 14:05:00 GMT"}
    assert retry_after_s(Reply(429, headers, b"")) == wait_s


def test_retry_after_reaches_the_answer(server: RawServer, payments: Payments) -> None:
    server.play = says(http_reply(b"", "429 X", b"Retry-After: 7\r\n"))
    found = payments.get_status("A-1")
    assert isinstance(found, NoAnswer)
    assert found.retry_after_s == 7
    server.play = says(http_reply(b"", "503 X", b"Retry-After: 7\r\n"))
    found = payments.get_status("A-1")
    assert isinstance(found, NoAnswer)
    assert found.retry_after_s is None


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_retry_after_can_break_the_till(value: str, date: str) -> None:
    wait_s = retry_after_s(Reply(429, {"retry-after": value, "date": date}, b""))
    assert wait_s is None or 1 <= wait_s <= 60


def test_what_is_kept_of_a_reply_holds_no_secret_and_no_number(server: RawServer, payments: Payments) -> None:
    secrets = [TOKEN, MERCHANT.secret_code, MERCHANT.password]
    said = " ".join(secret.reveal() for secret in secrets) + " +94771234567 tel:94771234567 \u202e\x1b[2J<b>"
    server.play = says(http_reply(said.encode() + b"y" * 9_000, "502 X", b"Content-Type: text/html\r\n"))
    found = payments.get_status("A-1")
    assert isinstance(found, NoAnswer)
    assert not any(secret.reveal() in found.detail for secret in secrets)
    assert "771234" not in found.detail
    assert "567" in found.detail
    assert found.detail.isprintable()
    assert len(found.detail) <= 4_096


@given(st.binary(max_size=300))
def test_any_body_can_be_kept(body: bytes) -> None:
    kept = excerpt(body, (TOKEN,))
    kept.encode("utf-8")
    assert not any(ord(character) < 32 for character in kept)


def test_amounts_never_pass_through_a_float(server: RawServer, payments: Payments) -> None:
    body = {"response": {"status": "success", "merchantTxnStatusName": "x", "transactionAmount": 0}}
    text = json.dumps(body).replace("0}", "100000000000000000.01}")
    server.play = says(http_reply(text.encode()))
    found = payments.get_status("A-1")
    assert not isinstance(found, NoAnswer)
    assert getattr(found, "amount", None) == Decimal("100000000000000000.01")
