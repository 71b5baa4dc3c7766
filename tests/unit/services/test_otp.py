"""Replies of the code service: the envelope whatever the HTTP status, errors whatever the body."""

from collections.abc import Callable
from typing import Any

import pytest

from pos_app.domain.replies import NoAnswer, OtpRefusal, OtpRefused, OtpSent, OtpVerified, Why
from pos_app.services.otp import OtpSms
from pos_app.services.otp_wire import envelope_refusal, outcome
from tests.unit.services.raw_server import JSON_HEADER, RawServer, told

REF = "0123456789abcdef" * 2
NUMBER = "94771234567"
SENT: dict[str, Any] = {
    "status": "PENDING_AUTH",
    "serverRef": REF,
    "msisdn": f"tel:+{NUMBER}",
    "method": None,
}
VERIFIED = {**SENT, "status": "SUCCESS"}
PREFIX = "ONE_TIME_PASSWORD_SMS."
TABLE = [
    (400, "INVALID_ARGUMENT"),
    (400, PREFIX + "VERIFICATION_EXPIRED"),
    (400, PREFIX + "VERIFICATION_FAILED"),
    (400, PREFIX + "INVALID_OTP"),
    (401, "UNAUTHENTICATED"),
    (403, "PERMISSION_DENIED"),
    (403, PREFIX + "MAX_OTP_CODES_EXCEEDED"),
    (403, PREFIX + "PHONE_NUMBER_NOT_ALLOWED"),
    (403, PREFIX + "PHONE_NUMBER_BLOCKED"),
    (404, "NOT_FOUND"),
    (405, "METHOD_NOT_ALLOWED"),
    (406, "NOT_ACCEPTABLE"),
    (415, "UNSUPPORTED_MEDIA_TYPE"),
    (429, "TOO_MANY_REQUESTS"),
    (500, "INTERNAL"),
    (503, "UNAVAILABLE"),
    (504, "TIMEOUT"),
]
BODIES: dict[str, Callable[[str], Any]] = {
    "envelope": lambda code: {"statusCode": "ERROR", "message": code, "data": None},
    "envelope with a code": lambda code: {"statusCode": "ERROR", "message": "no", "data": None, "code": code},
    "flat": lambda code: {"code": code, "message": "no"},
    "nested": lambda code: {"error": {"status": 1, "details": [{"errorCode": code}]}},
    "in a text": lambda code: {"fault": f"refused ({code}), see the guide"},
    "a string": lambda code: code,
}


def envelope(data: Any, message: str | None = None) -> dict[str, Any]:
    return {"statusCode": "SUCCESS", "message": message, "data": data}


@pytest.mark.parametrize("status", [200, 201, 400, 500])
def test_the_envelope_counts_whatever_the_http_status(status: int, server: RawServer, otp: OtpSms) -> None:
    told(server, envelope(SENT), f"{status} X")
    assert otp.validate_code(NUMBER, "{{code}}") == OtpSent(REF, NUMBER)
    told(server, envelope(VERIFIED, "done"), f"{status} X")
    assert otp.submit_code("123456", REF) == OtpVerified(REF, NUMBER)
    for message, refusal in (
        ("Wrong PIN", OtpRefusal.WRONG_PIN),
        ("Max attempt exceeded", OtpRefusal.MAX_ATTEMPT_EXCEEDED),
    ):
        told(server, {"statusCode": "ERROR", "message": message, "data": None}, f"{status} X")
        assert otp.submit_code("123456", REF) == OtpRefused(refusal, status, message)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(("status", "code"), TABLE)
def test_each_error_is_known_by_its_code_whatever_the_body(
    status: int, code: str, body: str, server: RawServer, otp: OtpSms
) -> None:
    told(server, BODIES[body](code), f"{status} X")
    found = otp.submit_code("123456", REF)
    assert isinstance(found, OtpRefused)
    assert found.refusal == code.removeprefix(PREFIX)
    assert found.http_status == status


@pytest.mark.parametrize("body", [b"", b"<html>NOT FOUND TIMEOUT INTERNAL</html>", b"{", b"{}", b"null"])
@pytest.mark.parametrize(("status", "refusal"), dict(reversed(TABLE)).items())
def test_each_error_is_known_by_its_status_when_the_body_names_none(
    status: int, refusal: str, body: bytes, server: RawServer, otp: OtpSms
) -> None:
    for headers in (JSON_HEADER, b"Content-Type: text/html\r\n"):
        told(server, body, f"{status} X", headers)
        found = otp.validate_code(NUMBER, "{{code}}")
        assert isinstance(found, OtpRefused)
        assert (found.refusal, found.http_status) == (refusal, status)


def test_a_code_in_plain_text_is_read_too(server: RawServer, otp: OtpSms) -> None:
    told(server, b"ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_BLOCKED", "403 X", b"Content-Type: text/plain\r\n")
    found = otp.validate_code(NUMBER, "{{code}}")
    assert found == OtpRefused(OtpRefusal.PHONE_NUMBER_BLOCKED, 403)


def test_an_everyday_word_is_no_code_where_the_status_says_otherwise(server: RawServer, otp: OtpSms) -> None:
    told(server, {"error": "TIMEOUT"}, "404 X")
    found = otp.validate_code(NUMBER, "{{code}}")
    assert found == OtpRefused(OtpRefusal.NOT_FOUND, 404, by_status=True)


@pytest.mark.parametrize(
    ("body", "by_status"),
    [
        (b"", False),
        (b"\r\n", False),
        (b"NOT_FOUND: A specified resource is not found", False),
        (b"<h1>NOT_FOUND</h1>", False),
        (b"<h1>404 Not Found</h1>", True),
        (b"nginx", True),
        (b'{"message": "Not Found"}', True),
        (b'{"error": {"status": "NOT_FOUND"}}', False),
        (b'{"statusCode": "ERROR", "message": "no", "data": null}', False),
    ],
)
def test_a_page_of_any_web_server_is_told_from_the_service(
    body: bytes, by_status: bool, server: RawServer, otp: OtpSms
) -> None:
    for headers in (JSON_HEADER, b"Content-Type: text/html\r\n"):
        told(server, body, "404 X", headers)
        found = otp.submit_code("123456", REF)
        assert isinstance(found, OtpRefused)
        # An envelope that is not called JSON is no envelope.
        if not (body.startswith(b'{"status') and headers != JSON_HEADER):
            assert (found.refusal, found.by_status) == (OtpRefusal.NOT_FOUND, by_status)


@pytest.mark.parametrize(("status", "wait_s"), [(429, 9), (503, None)])
def test_only_429_says_how_long_to_wait(
    status: int, wait_s: float | None, server: RawServer, otp: OtpSms
) -> None:
    told(server, b"", f"{status} X", b"Retry-After: 9\r\n")
    found = otp.validate_code(NUMBER, "{{code}}")
    assert isinstance(found, OtpRefused)
    assert found.retry_after_s == wait_s


def test_an_error_nobody_knows_is_a_refusal_with_its_text(server: RawServer, otp: OtpSms) -> None:
    told(server, {"statusCode": "ERROR", "message": "Ta\x00da\u202e", "data": None})
    assert otp.submit_code("123456", REF) == OtpRefused(OtpRefusal.UNKNOWN, 200, "Tada")


def test_no_number_and_no_code_is_kept_of_a_refusals_text(server: RawServer, otp: OtpSms) -> None:
    """The code that was typed, or the one that was sent; in whatever digits (I8)."""
    told(
        server, {"statusCode": "ERROR", "message": f"482913 is not 4711 or ٤٧١١ for +{NUMBER}", "data": None}
    )
    said = f"… is not … or … for …{NUMBER[-3:]}"
    assert otp.submit_code("482913", REF) == OtpRefused(
        OtpRefusal.UNKNOWN, 200, said.replace("…", "[secret]", 1)
    )
    assert otp.validate_code(NUMBER, "{{code}}") == OtpRefused(OtpRefusal.UNKNOWN, 200, said)
    told(server, {"strange": "482913"})
    found = otp.submit_code("482913", REF)
    assert isinstance(found, NoAnswer)
    assert "482913" not in found.detail


@pytest.mark.parametrize("status", [402, 418, 502, 599])
def test_a_status_outside_the_table_is_no_answer(status: int, server: RawServer, otp: OtpSms) -> None:
    told(server, b"<html></html>", f"{status} X", b"Content-Type: text/html\r\n")
    found = otp.validate_code(NUMBER, "{{code}}")
    assert isinstance(found, NoAnswer)
    assert (found.why, found.sent, found.http_status) == (Why.HTTP, True, status)


BAD_DATA: list[Any] = [
    None,
    [],
    {},
    {"serverRef": ""},
    {"serverRef": "a" * 31},
    {"serverRef": "a" * 33},
    {"serverRef": "a" * 10_000},
    {"serverRef": "g" * 32},
    {"serverRef": None},
    {"serverRef": 12345678901234567890123456789012},
    {"msisdn": NUMBER},
    {"msisdn": "tel:+94771234568"},
    {"msisdn": f"tel:{NUMBER}"},
    {"msisdn": f"tel:+{NUMBER} "},
    {"msisdn": None},
    {"msisdn": [f"tel:+{NUMBER}"]},
    {"status": "success"},
    {"status": None},
    {"status": True},
]


@pytest.mark.parametrize("changed", BAD_DATA)
def test_a_sent_code_is_believed_only_with_its_echo(changed: Any, server: RawServer, otp: OtpSms) -> None:
    told(server, envelope({**SENT, **changed} if isinstance(changed, dict) and changed else changed))
    found = otp.validate_code(NUMBER, "{{code}}")
    assert isinstance(found, NoAnswer)
    assert (found.why, found.sent) == (Why.UNREADABLE, True)


@pytest.mark.parametrize("changed", [case for case in BAD_DATA if case != {"msisdn": "tel:+94771234568"}])
def test_a_checked_code_is_believed_only_with_its_echo(changed: Any, server: RawServer, otp: OtpSms) -> None:
    told(server, envelope({**VERIFIED, **changed} if isinstance(changed, dict) and changed else changed))
    found = otp.submit_code("123456", REF)
    assert isinstance(found, NoAnswer)
    assert found.why is Why.UNREADABLE


def test_whose_number_it_is_is_told_not_decided(server: RawServer, otp: OtpSms) -> None:
    told(server, envelope({**VERIFIED, "msisdn": "tel:+94770000000"}))
    assert otp.submit_code("123456", REF) == OtpVerified(REF, "94770000000")


def test_the_replies_of_the_two_operations_are_not_taken_for_each_other(
    server: RawServer, otp: OtpSms
) -> None:
    told(server, envelope(VERIFIED))
    assert isinstance(otp.validate_code(NUMBER, "{{code}}"), NoAnswer)
    told(server, envelope(SENT))
    assert isinstance(otp.submit_code("123456", REF), NoAnswer)


@pytest.mark.parametrize(
    "document",
    [
        {"data": VERIFIED},
        {"statusCode": "success", "data": VERIFIED},
        {"statusCode": True, "data": VERIFIED},
        {"statusCode": None, "data": VERIFIED},
        [envelope(VERIFIED)],
        b'{"statusCode": "ERROR", "statusCode": "SUCCESS", "data": null}',
    ],
)
def test_without_the_envelope_nothing_is_believed(document: Any, server: RawServer, otp: OtpSms) -> None:
    told(server, document)
    found = otp.submit_code("123456", REF)
    assert isinstance(found, NoAnswer)
    assert found.why is Why.UNREADABLE


@pytest.mark.parametrize(
    ("http_status", "name", "refusal"),
    [
        (200, "TIMEOUT", OtpRefusal.TIMEOUT),
        (299, "TIMEOUT", OtpRefusal.TIMEOUT),
        (504, "TIMEOUT", OtpRefusal.TIMEOUT),
        (404, "TIMEOUT", OtpRefusal.NOT_FOUND),
        (300, "TIMEOUT", OtpRefusal.UNKNOWN),
        (404, "no word of the table", OtpRefusal.NOT_FOUND),
        (418, "no word of the table", OtpRefusal.UNKNOWN),
    ],
)
def test_an_error_is_named_by_a_word_that_its_status_allows_else_by_its_status(
    http_status: int, name: str, refusal: OtpRefusal
) -> None:
    assert envelope_refusal({"statusCode": "ERROR", "message": name}, http_status) is refusal


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"statusCode": "SUCCESS"}, "SUCCESS"),
        ({"statusCode": "ERROR"}, "ERROR"),
        ({"statusCode": "PENDING"}, ""),
        ({}, ""),
        ([], ""),
    ],
)
def test_only_two_words_make_an_envelope(document: Any, said: str) -> None:
    assert outcome(document) == said
