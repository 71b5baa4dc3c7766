"""Target `parser`: any status, headers and body, read through the calls the till makes; judged by a second reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any
from unicodedata import category

from msgspec import Struct

from pos_app.domain.attempt import Attempt, Environment, Kind
from pos_app.domain.flow.proof import Match, match
from pos_app.domain.flow.statuses import PAYMENT_SUCCESS
from pos_app.domain.replies import (
    Accepted,
    CancelAccepted,
    Listing,
    NoAnswer,
    OtpRefused,
    OtpSent,
    OtpVerified,
    Refused,
    StatusReport,
)
from pos_app.domain.secret import Secret
from pos_app.services.call import MayLeave
from pos_app.services.client import Reply, ServiceClient
from pos_app.services.otp import OtpSms
from pos_app.services.payments import Merchant, Payments
from pos_app.services.token import StaticTokens
from tests.verification.fuzz import strict_reading as second
from tests.verification.fuzz.finding import Finding
from tests.verification.fuzz.strict_reading import OUR_ID, OUR_MERCHANT, OUR_MSISDN, OUR_REFERENCE, Says

STATUSES = (
    200,
    200,
    200,
    200,
    201,
    204,
    299,
    100,
    302,
    400,
    401,
    403,
    404,
    405,
    415,
    429,
    500,
    503,
    504,
    999,
)
MEDIA_TYPES = (
    *("application/json", "application/json", "application/json;charset=UTF-8", "APPLICATION/JSON ; x=y"),
    *(
        "text/plain",
        "text/html",
        "",
        "application/problem+json",
        "\u0130/\xff;",
        "application/json, text/html",
    ),
)
WAITS = (
    *("", "12", "0", "-1", "1e9", "soon", "9" * 400, "Wed, 21 Oct 2015 07:28:00 GMT", "\u0661", "1.5", " 7 "),
    *("Thu, 01 Jan 9999 00:00:00 +9999", "Mon, 99 Foo 0000 99:99:99", "Wed, 21 Oct 2015 07:28:00 +99999999"),
)
HEAD = 4
"""Bytes before the body: operation, status, content type, Retry-After, each a place in its list."""

TOKEN, CODE, PASSWORD = "canary-token-7731", "canary-code-8842", "canary-psw-9953"


class _Line(ServiceClient):
    """A line on which every request is answered by the reply that was laid ready."""

    laid: Reply

    def post(
        self,
        path: str,  # noqa: ARG002
        body: bytes,  # noqa: ARG002
        headers: Mapping[str, str],  # noqa: ARG002
        deadline_s: float,  # noqa: ARG002
        may_leave: MayLeave | None = None,  # noqa: ARG002
    ) -> Reply:
        return self.laid


_line = _Line("https://gateway.example")
_tokens = StaticTokens(Secret(TOKEN))
_payments = Payments(_line, Merchant(OUR_MERCHANT, Secret(CODE), Secret(PASSWORD)), _tokens)
_otp = OtpSms(_line, _tokens)
OURS = Attempt(
    attempt_id=OUR_ID,
    sale_id="0001",
    number=1,
    kind=Kind.QR,
    amount=second.OUR_AMOUNT,
    currency="LKR",
    merchant_id=OUR_MERCHANT,
    counter_id=1,
    environment=Environment.SANDBOX,
    wallet_transaction_id=second.OUR_WALLET_ID,
    owner="person-1",
    tapped_at=0,
    tapped_wall="2026-01-31T14:05:00+00:00",
    transaction_date_time="2026-01-31 14:05:00",
    give_up_after_ms=300_000,
)

OPERATIONS: tuple[tuple[str, Callable[[], Any], type], ...] = (
    ("getstatus", lambda: _payments.get_status(OUR_ID), StatusReport),
    ("initiate", lambda: _payments.initiate(Kind.QR, b"{}"), Accepted),
    ("cancel", lambda: _payments.cancel(OUR_ID), CancelAccepted),
    ("query", _payments.query, Listing),
    ("otp send", lambda: _otp.validate_code(OUR_MSISDN, "{{code}}"), OtpSent),
    ("otp submit", lambda: _otp.submit_code("123456", OUR_REFERENCE), OtpVerified),
    ("getstatus", lambda: _payments.get_status(OUR_ID), StatusReport),
    ("initiate", lambda: _payments.initiate(Kind.PUSH, b"{}"), Accepted),
)


def play(data: bytes) -> str:
    """What the till made of it, in a word; raises Finding when that must not be."""
    name, status, media_type, body = _taken_apart(data)
    success = OPERATIONS[data[0] % len(OPERATIONS)][2] if data else StatusReport
    found = read(data)
    allowed = second.success(name, status, media_type, body)
    if isinstance(found, success):
        if allowed is Says.NOTHING and not _is_empty_list(found):
            raise Finding(f"{name}: a success that the description does not know")
        _judge_money(found, body)
    elif allowed is Says.SUCCESS:
        raise Finding(f"{name}: a plain success was not read")
    _bounded(found, (TOKEN,) if name.startswith("otp") else (TOKEN, CODE, PASSWORD))
    return _word(found, success)


def read(data: bytes) -> Any:
    """What the till's call makes of it."""
    _, status, media_type, body = _taken_apart(data)
    wait = WAITS[data[3] % len(WAITS)] if len(data) >= HEAD else ""
    _line.laid = Reply(status, {"content-type": media_type, "retry-after": wait}, body)
    return OPERATIONS[data[0] % len(OPERATIONS) if data else 0][1]()


def _taken_apart(data: bytes) -> tuple[str, int, str, bytes]:
    """Operation, HTTP status, content type and body."""
    operation, status, media_type = (data + bytes(HEAD))[: HEAD - 1]
    return (
        OPERATIONS[operation % len(OPERATIONS)][0],
        STATUSES[status % len(STATUSES)],
        MEDIA_TYPES[media_type % len(MEDIA_TYPES)],
        data[HEAD:],
    )


def _is_empty_list(found: object) -> bool:
    """What the code 5014 of a query comes to."""
    return isinstance(found, Listing) and not found.transactions


def _judge_money(found: object, body: bytes) -> None:
    if not isinstance(found, StatusReport):
        return
    paid = found.name == PAYMENT_SUCCESS and match(OURS, found) is Match.OURS
    if paid != second.proves_payment(body):
        raise Finding(f"money: the till says {paid}, the second reading {not paid}")


def _word(found: object, success: type) -> str:
    match found:
        case NoAnswer():
            if not found.sent:
                raise Finding("a reply that was never sent for")
            return f"no answer: {found.why.value}"
        case Refused():
            if not found.code or len(found.code) > 200:
                raise Finding("a refusal without a code")
            return "refused"
        case OtpRefused():
            return f"code refused: {found.refusal.value}"
        case _ if isinstance(found, success):
            return success.__name__
    raise Finding(f"a reply of another kind: {type(found).__name__}")


def _bounded(found: Struct, secrets: tuple[str, ...]) -> None:
    """Nothing of unbounded length, nothing a database or a screen cannot take, no secret of ours in the log."""
    if isinstance(found, NoAnswer):
        if len(found.detail) > 4_096 or not _printable(found.detail):
            raise Finding("a detail too long or not plain text")
        if any(secret in found.detail for secret in secrets):
            raise Finding("a secret in the log's detail")
        wait = found.retry_after_s
        if wait is not None and not 1 <= wait <= 60:
            raise Finding(f"asked to wait {wait} s")
    elif isinstance(found, (Refused, OtpRefused)):
        if len(found.message) > 200 or not _printable(found.message):
            raise Finding("a message too long or not plain text")
        if any(secret in found.message for secret in secrets):
            raise Finding("a secret in a message")
    elif isinstance(found, StatusReport):
        texts = (found.name, found.external_id, found.wallet_transaction_id, found.merchant_id)
        if any(len(text) > 1_000 or not _printable(text) for text in texts):
            raise Finding("a field too long or not plain text")
        if found.amount is not None and not _small(found.amount):
            raise Finding("an amount beyond all bounds")


def _printable(text: str) -> bool:
    """No control, format, surrogate, private or unassigned character in it."""
    return text.isprintable() or all(category(sign)[0] != "C" for sign in text)


def _small(amount: Decimal) -> bool:
    return amount.is_finite() and len(amount.as_tuple().digits) <= 32
