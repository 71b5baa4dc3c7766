"""What the details box and the log say of a reply that is none: the HTTP status, why in a few words, an excerpt."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from pos_app.domain.replies import Accepted, NoAnswer, Refused, StatusReport, Why
from pos_app.domain.secret import Secret
from pos_app.services import errors
from pos_app.services.answers import DETAIL_LIMIT, answer, excerpt, no_answer, retry_after_s, unreadable
from pos_app.services.client import Reply
from pos_app.services.otp_wire import sent, verified
from pos_app.services.strict_json import Unreadable, decode
from pos_app.services.wire import cancelled, initiated, listed, reported

JSON = {"content-type": "application/json"}
TOKEN = Secret("token-1")
REF = "0123456789abcdef" * 2
NUMBER = "94771234567"


def reply(body: Any, status: int = 200, **headers: str) -> Reply:
    """A reply of the service; a document becomes its JSON."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(status, {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}, raw)


def why(body: Any, status: int = 200, **headers: str) -> str:
    """The words between the HTTP status and the excerpt."""
    told = answer(reply(body, status, **headers), reported, [TOKEN])
    assert isinstance(told, NoAnswer)
    assert told.why is (Why.UNREADABLE if status < 300 else Why.HTTP)
    first, problem, *_ = told.detail.split(": ")
    assert first == f"HTTP {status}"
    return problem


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": 1, "a": 2}', "a key twice"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": -Infinity}', "-Infinity is not JSON"),
        (b'{"a": ' + b"9" * 33 + b"}", "a number of more than 32 digits"),
        (b'{"a": ' + b"9" * 99 + b"}", "a number of more than 32 digits"),
        (b'{"a": 1e9999999999999999999}', "a number beyond all bounds"),
        (rb'{"a": "\ud800"}', "half of a surrogate pair"),
        (b"[" * 21 + b"]" * 21, "nested deeper than 20"),
        (b"[]", "no object 'response'"),
    ],
)
def test_a_document_says_why_it_is_not_read(body: bytes, problem: str) -> None:
    assert why(body) == problem


def test_broken_json_says_where_it_breaks() -> None:
    """At the first byte that no document has there; of a comma too many each Python names another place."""
    told = answer(reply(b'{"a": 1;}'), reported, [TOKEN])
    assert isinstance(told, NoAnswer)
    assert told.detail.startswith("HTTP 200: not JSON: ")
    assert " at 7: {" in told.detail


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"status": "success", "code": "5003"}, "success and a code"),
        ({"status": "Success"}, "status is neither success nor failure"),
        ({"code": "5003"}, "status is neither success nor failure"),
        ({"status": "failure", "code": "5003", "transactionList": [1]}, "a list and a code"),
        ({"status": "failure"}, "failure without a code"),
        ({"status": "failure", "code": "5003", "errorCode": "5004"}, "two codes"),
        ({"status": "failure", "code": "x" * 41}, "code is not a code"),
        ({"status": "failure", "errorCode": 1.5}, "errorCode is not a whole number"),
        ({"status": "success"}, "merchantTxnStatusName is missing"),
        ({"status": "success", "merchantTxnStatusName": "P" * 1_001}, "merchantTxnStatusName is not a text"),
        (
            {"status": "success", "merchantTxnStatusName": "P", "externalMerchantTransactionId": " A"},
            "externalMerchantTransactionId is not an id",
        ),
        (
            {"status": "success", "merchantTxnStatusName": "P", "transactionAmount": "1,5"},
            "transactionAmount is not an amount",
        ),
    ],
)
def test_an_envelope_says_why_it_is_not_believed(fields: dict[str, Any], problem: str) -> None:
    assert why({"response": fields}) == problem


@pytest.mark.parametrize(
    ("media_type", "problem"),
    [
        ("text/html; charset=utf-8", "not JSON but text/html"),
        ("", "not JSON but of no stated type"),
        ("text/\u202e" + "y" * 80, "not JSON but text/" + "y" * 55),
    ],
)
def test_another_media_type_is_named(media_type: str, problem: str) -> None:
    assert why(b"<html>", content_type=media_type) == problem


def test_no_media_type_at_all_is_named_too() -> None:
    told = answer(Reply(200, {}, b"{}"), reported, [TOKEN])
    assert isinstance(told, NoAnswer)
    assert told.detail == "HTTP 200: not JSON but of no stated type: {}"


def test_a_success_with_a_failing_status_says_so() -> None:
    assert why({"response": {"status": "success"}}, 404) == "a success with a failing HTTP status"


@pytest.mark.parametrize("status", [401, 429, 500, 300])
def test_a_status_that_decides_alone_is_told_with_the_excerpt(status: int) -> None:
    told = answer(reply(b"no - token-1", status), reported, [TOKEN])
    assert isinstance(told, NoAnswer)
    assert told.detail == f"HTTP {status}: no - [secret]"
    assert told.http_status == status


def test_a_reply_without_a_body_is_told_by_its_status_alone() -> None:
    told = answer(reply(b"", 500), reported, [TOKEN])
    assert isinstance(told, NoAnswer)
    assert told.detail == "HTTP 500"


def test_three_hundred_is_no_success() -> None:
    """Nor is it a failure in the envelope."""
    for body in ({"response": {"status": "success"}}, {"response": {"status": "failure", "code": "5003"}}):
        told = answer(reply(body, 300), initiated, [TOKEN])
        assert isinstance(told, NoAnswer)
        assert told.why is Why.HTTP


def test_a_problem_found_later_is_told_the_same_way() -> None:
    told = unreadable(reply(b"{}", 300), "another number", [TOKEN])
    assert told == NoAnswer(Why.HTTP, True, 300, detail="HTTP 300: another number: {}")


def test_a_failed_exchange_keeps_its_words() -> None:
    error = errors.Garbled("an encoded reply", 200)
    assert str(error) == "an encoded reply"
    assert no_answer(error) == NoAnswer(Why.UNREADABLE, True, 200, detail="an encoded reply")
    assert no_answer(errors.Broken("reset")) == NoAnswer(Why.BROKEN, True, 0, detail="reset")


@pytest.mark.parametrize("headers", [{}, {"date": ""}, {"date": "today"}])
def test_a_date_to_wait_for_is_counted_from_our_clock_where_the_reply_has_none(
    headers: dict[str, str],
) -> None:
    asked = Reply(429, {"retry-after": "Sat, 31 Jan 2026 14:05:30 GMT", **headers}, b"")
    assert retry_after_s(asked, lambda: 1_769_868_310.0) == 20


@pytest.mark.parametrize(
    ("error", "why", "was_sent"),
    [
        (errors.NameNotResolved, Why.NAME, False),
        (errors.ConnectFailed, Why.CONNECT, False),
        (errors.TlsFailed, Why.TLS, False),
        (errors.NoToken, Why.SIGN_IN, False),
        (errors.TimedOut, Why.TIME_OUT, True),
        (errors.Broken, Why.BROKEN, True),
        (errors.TooLarge, Why.TOO_LARGE, True),
        (errors.Redirected, Why.REDIRECT, True),
        (errors.Garbled, Why.UNREADABLE, True),
    ],
)
def test_each_failed_exchange_says_whether_bytes_left(
    error: type[errors.ServiceError], why: Why, was_sent: bool
) -> None:
    assert no_answer(error(errors.SHUT_DOWN)) == NoAnswer(
        why, was_sent, 0, detail="the connection to the service is shut down"
    )


def test_a_number_through_which_a_messages_end_would_cut_is_hidden() -> None:
    """It is known as one only while it is whole."""
    said = "x" * 190 + f" {NUMBER}"
    told = answer(
        reply({"response": {"status": "failure", "code": "5003", "message": said}}), reported, [TOKEN]
    )
    assert told == Refused("5003", "x" * 190 + " …567")


def test_an_excerpt_hides_secrets_and_the_front_of_numbers_and_ends_somewhere() -> None:
    body = b"token-1 +94771234567 12345 x\x00y \xff"
    assert excerpt(body, [TOKEN, Secret("")]) == "[secret] …567 12345 xy \ufffd"
    assert excerpt(rb'{"message": "\u0dc3\u006Fn"}', []) == '{"message": "\u0dc3on"}'
    long = excerpt(b"z" * 10_000, [TOKEN])
    assert len(long) == DETAIL_LIMIT
    assert long == "z" * DETAIL_LIMIT
    told = answer(reply(b"z" * 10_000, 500), reported, [TOKEN])
    assert isinstance(told, NoAnswer)
    assert len(told.detail) == DETAIL_LIMIT


@pytest.mark.parametrize(
    "said",
    [rb"k9\/Qm7\/xy+w==", rb"k9\u002fQm7\/xy\u002Bw\u003d=", b"k9/Qm7/xy+w=="],
    ids=["PHP", "mixed", "plain"],
)
def test_a_secret_is_known_however_json_writes_its_slashes(said: bytes) -> None:
    told = excerpt(b'{"error": "bad token ' + said + b'"}', [Secret("k9/Qm7/xy+w==")])
    assert told == '{"error": "bad token [secret]"}'


def test_a_secret_that_looks_escaped_is_known_as_it_is() -> None:
    assert excerpt(rb"<p>a\/b\u0041c</p>", [Secret(r"a\/b\u0041c")]) == "<p>[secret]</p>"
    assert excerpt(rb'{"e": "a\"b\\c"}', [Secret('a"b\\c')]) == '{"e": "[secret]"}'


def test_of_what_an_excerpts_end_goes_through_nothing_is_told() -> None:
    """A page in another script has few signs in many bytes: so its excerpt ends where the bytes end."""
    secret = Secret("canary-of-a-token")
    page = "\u0dc3".encode() * 2_729
    for ahead in range(25):
        told = excerpt(page[3 * (ahead // 3) :] + b"." * (ahead % 3) + b"canary-of-a-token" + page, [secret])
        assert "cana" not in told
        assert told.startswith("\u0dc3" * 2_600)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"status": "SUCCESS"}, "data.status is not PENDING_AUTH"),
        ({"status": "PENDING_AUTH"}, "msisdn is not of the form tel:+digits"),
        ({"status": "PENDING_AUTH", "msisdn": f"tel:+{NUMBER}1"}, "another number"),
        (
            {"status": "PENDING_AUTH", "msisdn": f"tel:+{NUMBER}", "serverRef": "1"},
            "serverRef is missing or no reference",
        ),
    ],
)
def test_a_sent_code_says_why_it_is_not_believed(data: dict[str, Any], problem: str) -> None:
    with pytest.raises(Unreadable) as told:
        sent({"data": data}, NUMBER)
    assert str(told.value) == problem


def test_a_checked_code_says_why_it_is_not_believed() -> None:
    with pytest.raises(Unreadable) as told:
        verified({"data": {"status": "SUCCESS", "serverRef": REF[::-1]}}, REF)
    assert str(told.value) == "another reference"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, "transactionList is missing"),
        ({"transactionList": [1]}, "an item of the list is not an object"),
    ],
)
def test_a_list_says_why_it_is_not_read(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(Unreadable) as told:
        listed({"response": fields})
    assert str(told.value) == problem


@pytest.mark.parametrize("read", [initiated, reported, cancelled])
def test_a_success_is_read_from_a_success_alone(read: Any) -> None:
    with pytest.raises(Unreadable) as told:
        read({"response": {"status": "failure"}})
    assert str(told.value) == "no status"


def envelope(**fields: Any) -> Any:
    """A success with these fields, as it is after decoding."""
    return decode(json.dumps({"response": {"status": "success", **fields}}).encode())


def test_every_id_of_an_acceptance_and_of_a_cancel_is_read() -> None:
    document = envelope(walletTransactionId="W-1", externalMerchantTransactionId="A-1", qrEncryptedText="q")
    assert initiated(document) == Accepted("W-1", "A-1", "q")
    found = cancelled(document)
    assert (found.external_id, found.wallet_transaction_id) == ("A-1", "W-1")


@pytest.mark.parametrize(
    ("field", "longest", "attribute"),
    [
        ("externalMerchantTransactionId", 100, "external_id"),
        ("invoiceNumber", 1_000, "invoice_number"),
    ],
)
def test_a_text_of_the_longest_length_is_read(field: str, longest: int, attribute: str) -> None:
    told = reported(envelope(merchantTxnStatusName="P", **{field: "x" * longest}))
    assert isinstance(told, StatusReport)
    assert "x" * 100 in getattr(told, attribute)
    with pytest.raises(Unreadable, match=field):
        reported(envelope(merchantTxnStatusName="P", **{field: "x" * (longest + 1)}))


def test_a_code_of_the_longest_length_is_a_code_and_an_endless_picture_is_none() -> None:
    failure = {"response": {"status": "failure", "code": "x" * 40, "message": 5}}
    told = answer(reply(failure), reported, [TOKEN])
    assert not isinstance(told, (NoAnswer, StatusReport))
    assert (told.code, told.message) == ("x" * 40, "")
    assert initiated(envelope(qrEncryptedText="q" * 16_384)).qr_text == "q" * 16_384
    with pytest.raises(Unreadable) as no_text:
        initiated(envelope(qrEncryptedText="q" * 16_385))
    assert str(no_text.value) == "qrEncryptedText is not a text"


def test_a_number_of_the_most_digits_is_read_exactly() -> None:
    for text in ("9" * 32, "0." + "9" * 32, "9e32", "9e-32", "-" + "9" * 32):
        assert decode(f"[{text}]".encode()) == [Decimal(text)]
    for text in ("9" * 33, "9e33", "9e-33", "0" + ".0" + "0" * 40 + "1"):
        with pytest.raises(Unreadable):
            decode(f"[{text}]".encode())


def test_the_depth_is_that_of_the_deepest_place_alone() -> None:
    """Brackets that were closed again do not count, nor those in texts; twenty is allowed everywhere."""
    wide = b'{"a": [' + b"[[], {}], " * 40 + b'"[[[", ' + b"[" * 18 + b"]" * 18 + b"]}"
    assert decode(wide)["a"][0] == [[], {}]
    deeper = b'{"a": [' + b"[[], {}], " * 40 + b"[" * 19 + b"]" * 19 + b"]}"
    with pytest.raises(Unreadable, match="nested deeper than 20"):
        decode(deeper)
