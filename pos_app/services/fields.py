"""Fields of a reply read by type: null and absent are the same, a wrong type makes the reply unreadable."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from pos_app.domain.text import clean_text, hide_numbers, kept_text
from pos_app.services.strict_json import Unreadable, number

Object = dict[str, Any]

MAX_ID = 100
MAX_CODE = 40
MAX_TEXT = 1_000
MAX_MESSAGE = 4_096
MAX_QR = 16_384
"""Beyond any QR's capacity; below it the flow says "oversize", above it the reply is no reply."""

_AMOUNT = re.compile(r"-?[0-9]{1,32}(?:\.[0-9]{1,32})?")


def inner(document: Any, name: str) -> Object:
    """The object every reply wraps its fields in."""
    if not isinstance(document, dict) or not isinstance(document.get(name), dict):
        raise Unreadable(f"no object {name!r}")
    found: Object = document[name]
    return found


def text(fields: Object, name: str) -> str:
    """Text as the service wrote it (escaped if it holds what must not be stored); a number as its digits."""
    value = fields.get(name)
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return _digits(value, name)
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise Unreadable(f"{name} is not a text")
    return kept_text(value)


def foreign(fields: Object, name: str) -> str:
    """Text that nobody compares with what was sent: the same without the numbers of phones and wallets in it.

    Hidden before the text is escaped: in its escapes no number would be known as one.
    """
    value = fields.get(name)
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        return kept_text(hide_numbers(value))
    return hide_numbers(text(fields, name))


def identifier(fields: Object, name: str) -> str:
    """An id, sent as a string or as a number (docs/services/merchant-payment.md: samples do both)."""
    value = text(fields, name)
    if len(value) > MAX_ID or value != value.strip():
        raise Unreadable(f"{name} is not an id")
    return value


def needed(fields: Object, name: str) -> str:
    """A foreign text that must be there and not be empty."""
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        raise Unreadable(f"{name} is missing")
    return foreign(fields, name)


def amount(fields: Object, name: str) -> Decimal | None:
    """An amount, exact, sent as a number or as a string of plain digits."""
    value = fields.get(name)
    if value is None or isinstance(value, Decimal):
        return value
    if not isinstance(value, str) or not _AMOUNT.fullmatch(value):
        raise Unreadable(f"{name} is not an amount")
    return number(value)


def opaque(fields: Object, name: str) -> str:
    """Text that is never read, only drawn: the QR's."""
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > MAX_QR:
        raise Unreadable(f"{name} is not a text")
    return value


def code(fields: Object) -> str:
    """The failure code, named `code` or `errorCode`, a string or a number; "" when there is none."""
    found = {_code(fields, name) for name in ("code", "errorCode")} - {""}
    if len(found) > 1:
        raise Unreadable("two codes")
    return found.pop() if found else ""


def message(fields: Object) -> str:
    """The outcome's text, cleaned; nothing is decided by it, so a wrong type is no harm.

    Neither cut nor fit to be stored yet: answers.told makes it so.
    """
    value = fields.get("message")
    return clean_text(value, MAX_MESSAGE) if isinstance(value, str) else ""


def _code(fields: Object, name: str) -> str:
    value = text(fields, name)
    if len(value) > MAX_CODE:
        raise Unreadable(f"{name} is not a code")
    return value


def _digits(value: Decimal, name: str) -> str:
    if value.as_tuple().exponent != 0:
        raise Unreadable(f"{name} is not a whole number")
    return str(value)
