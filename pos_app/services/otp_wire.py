"""What the code service's replies say: the envelope first, then its table of errors, whatever the body."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pos_app.domain.replies import OtpRefusal, OtpSent, OtpVerified
from pos_app.services.fields import Object, inner
from pos_app.services.strict_json import Unreadable

HTTP_STATUS = {
    OtpRefusal.INVALID_ARGUMENT: 400,
    OtpRefusal.VERIFICATION_EXPIRED: 400,
    OtpRefusal.VERIFICATION_FAILED: 400,
    OtpRefusal.INVALID_OTP: 400,
    OtpRefusal.UNAUTHENTICATED: 401,
    OtpRefusal.PERMISSION_DENIED: 403,
    OtpRefusal.MAX_OTP_CODES_EXCEEDED: 403,
    OtpRefusal.PHONE_NUMBER_NOT_ALLOWED: 403,
    OtpRefusal.PHONE_NUMBER_BLOCKED: 403,
    OtpRefusal.NOT_FOUND: 404,
    OtpRefusal.METHOD_NOT_ALLOWED: 405,
    OtpRefusal.NOT_ACCEPTABLE: 406,
    OtpRefusal.UNSUPPORTED_MEDIA_TYPE: 415,
    OtpRefusal.TOO_MANY_REQUESTS: 429,
    OtpRefusal.INTERNAL: 500,
    OtpRefusal.UNAVAILABLE: 503,
    OtpRefusal.TIMEOUT: 504,
}
"""docs/services/one-time-password-sms.md, Errors. The first of each status stands for it when no code is given."""

_BY_STATUS = {status: refusal for refusal, status in reversed(HTTP_STATUS.items())}
_BY_MESSAGE = {
    "Wrong PIN": OtpRefusal.WRONG_PIN,
    "Max attempt exceeded": OtpRefusal.MAX_ATTEMPT_EXCEEDED,
}
_SPECIFIC = re.compile(
    r"\b(VERIFICATION_EXPIRED|VERIFICATION_FAILED|INVALID_OTP"
    r"|MAX_OTP_CODES_EXCEEDED|PHONE_NUMBER_NOT_ALLOWED|PHONE_NUMBER_BLOCKED)\b"
)
"""These names count wherever they stand; the others ("TIMEOUT") are everyday words and must be alone."""

_SERVER_REF = re.compile(r"[0-9A-Fa-f]{32}")
_MSISDN = re.compile(r"tel:\+([0-9]{5,15})")


def outcome(document: Any) -> str:
    """What the envelope says: "SUCCESS", "ERROR", or "" when this is not the envelope."""
    status = document.get("statusCode") if isinstance(document, dict) else None
    return status if status in ("SUCCESS", "ERROR") else ""


def sent(document: Any, msisdn: str) -> OtpSent:
    """validate-code's success; its echo must be the number the code was wanted for."""
    data = _data(document, "PENDING_AUTH")
    if _msisdn(data) != msisdn:
        raise Unreadable("another number")
    return OtpSent(_server_ref(data), msisdn)


def verified(document: Any, server_ref: str) -> OtpVerified:
    """submit-code's success for the reference that was asked about."""
    data = _data(document, "SUCCESS")
    if data.get("serverRef") != server_ref:
        raise Unreadable("another reference")
    return OtpVerified(server_ref, _msisdn(data))


def envelope_refusal(document: Any, http_status: int) -> OtpRefusal:
    """The refusal an ERROR envelope names, by its message, a code anywhere in it, or the HTTP status."""
    strings = list(_strings(document))
    for text in strings:
        if text in _BY_MESSAGE:
            return _BY_MESSAGE[text]
    return _named(strings, http_status) or _BY_STATUS.get(http_status) or OtpRefusal.UNKNOWN


def http_refusal(http_status: int, body: Any) -> OtpRefusal | None:
    """The HTTP-level error of a body of unknown shape (text or JSON); None if it is none of the table."""
    if http_status < 400:
        return None
    return _named(list(_strings(body)), http_status) or _BY_STATUS.get(http_status)


def names(body: Any, refusal: OtpRefusal) -> bool:
    """Whether a body of unknown shape has the refusal's name in it, as no other web server writes it."""
    return any(refusal.value in text for text in _strings(body))


def _named(strings: list[str], http_status: int) -> OtpRefusal | None:
    for text in strings:
        if match := _SPECIFIC.search(text):
            return OtpRefusal(match[1])
    for text in strings:
        if text in HTTP_STATUS:
            refusal = OtpRefusal(text)
            if http_status < 300 or http_status == HTTP_STATUS[refusal]:
                return refusal
    return None


def _data(document: Any, status: str) -> Object:
    data = inner(document, "data")
    if data.get("status") != status:
        raise Unreadable(f"data.status is not {status}")
    return data


def _server_ref(data: Object) -> str:
    found = data.get("serverRef")
    if not isinstance(found, str) or not _SERVER_REF.fullmatch(found):
        raise Unreadable("serverRef is missing or no reference")
    return found


def _msisdn(data: Object) -> str:
    found = data.get("msisdn")
    match = _MSISDN.fullmatch(found) if isinstance(found, str) else None
    if match is None:
        raise Unreadable("msisdn is not of the form tel:+digits")
    return match[1]


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _strings(item)
        case dict():
            for item in value.values():
                yield from _strings(item)
