"""The payment service's requests and replies as they look on the wire; it must not decide anything."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Any, Generic, TypeVar

import msgspec

from pos_app.sandbox.replies import problem

T = TypeVar("T")
_EMPTY = msgspec.Raw(b"")
_ID = re.compile(r"[^\x00-\x1f\x7f]{1,100}")
_WRITTEN_OUT = (Decimal("0.001"), Decimal(10_000_000))
"""From here to below there a Java double is written without an exponent."""
_TIME_FORMS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d")


class RefusedError(Exception):
    """A business failure: one of the codes 5000 to 5015."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


class Request(msgspec.Struct, Generic[T]):
    request: T


class InitiateRequest(msgspec.Struct, rename="camel"):
    merchant_pg_identifier: str | None = None
    counter_id: int | None = None
    wallet_account_number: str | None = None
    external_merchant_transaction_id: str | int | None = None
    charge_total: msgspec.Raw = _EMPTY
    amount: msgspec.Raw = _EMPTY
    transaction_date_time: str | None = None
    invoice_number: str | None = None
    payment_reference: str | None = None
    description: str | None = None


class FindRequest(msgspec.Struct, rename="camel"):
    merchant_pg_identifier: str | None = None
    external_merchant_transaction_id: str | int | None = None
    wallet_transaction_id: str | int | None = None


class QueryRequest(FindRequest, rename="camel"):
    from_date: str | None = None
    to_date: str | None = None
    outlet_id: str | int | None = None
    counter_id: str | int | None = None
    page_start: str | int | None = None
    page_end: str | int | None = None


class Details(msgspec.Struct, rename="camel", omit_defaults=True):
    """The body of every reply about one transaction."""

    status: str
    message: str
    merchant_txn_status_name: str | None = None
    external_merchant_transaction_id: msgspec.Raw | None = None
    wallet_transaction_id: str | None = None
    qr_encrypted_text: str | None = None
    transaction_amount: msgspec.Raw | None = None
    invoice_number: str | None = None
    transaction_date_time: str | None = None
    merchant_pg_identifier: str | None = None


def decode(decoder: msgspec.json.Decoder[Request[T]], body: bytes) -> T:
    """Raises RefusedError 5001 naming what is wrong, or an HTTP 400 for what is no JSON at all."""
    try:
        return decoder.decode(body).request
    except msgspec.ValidationError as error:
        raise RefusedError("5001", str(error)) from error
    except (ValueError, RecursionError) as error:
        raise problem("INVALID_ARGUMENT", "the body is no JSON") from error


def needed(value: str | int | None, name: str) -> str:
    """The value as text; 5015 names the parameter that is missing or empty."""
    if value is None or value == "":
        raise RefusedError("5015", name)
    return str(value)


def checked_id(value: str | int | None, name: str) -> str:
    text = needed(value, name)
    if not _ID.fullmatch(text):
        raise RefusedError("5001", f"{name} has 1 to 100 characters and no control characters")
    return text


def optional_text(value: str | None, name: str) -> str | None:
    if value is not None and len(value) > 1000:
        raise RefusedError("5001", f"{name} has at most 1000 characters")
    return value


def is_given(raw: msgspec.Raw) -> bool:
    return bytes(raw) not in (b"", b"null")


def amount_text(raw: msgspec.Raw, name: str, decimals: int) -> str:
    """The exact digits of a positive amount, sent as a number or as a text."""
    text = bytes(raw).decode(errors="replace").strip().strip('"')
    if not is_given(raw) or not text:
        raise RefusedError("5015", name)
    whole, dot, fraction = text.partition(".")
    plain = text.isascii() and whole.isdigit() and len(whole) <= 11 and (whole == "0" or whole[0] != "0")
    if not plain or (dot and not fraction.isdigit()) or len(fraction) > decimals or not text.strip("0."):
        example = f"{12.5:.{min(decimals, 2)}f}"
        raise RefusedError(
            "5001", f"{name} is a positive amount with at most {decimals} decimals, for example {example}"
        )
    return text


def checked_time(value: str | None, name: str, *, date_alone: bool = False) -> str:
    text = needed(value, name)
    for form in _TIME_FORMS[: 2 if date_alone else 1]:
        try:
            if datetime.strptime(text, form).strftime(form) == text:
                return text
        except ValueError:
            continue
    raise RefusedError("5001", f"{name} is written as 2026-01-31 14:05:00")


def echoed_id(external_id: str, how: str) -> msgspec.Raw:
    """The id as the switch id_echo wants it; an id with other characters than digits stays a text."""
    as_number = how == "number" and external_id.isascii() and external_id.isdigit() and external_id[0] != "0"
    return msgspec.Raw(external_id.encode() if as_number else msgspec.json.encode(external_id))


def echoed_amount(amount: str, how: str) -> msgspec.Raw:
    """The digits that were sent, or what is left of them where a Java double holds them: 12.5, 100.0, 1.25E7."""
    if how == "string":
        return msgspec.Raw(f'"{amount}"'.encode())
    return msgspec.Raw((_as_a_double(Decimal(amount)) if how == "double" else amount).encode())


def _as_a_double(amount: Decimal) -> str:
    shortest = amount.normalize()
    if _WRITTEN_OUT[0] <= shortest < _WRITTEN_OUT[1]:
        text = f"{shortest:f}"
        return text if "." in text else f"{text}.0"
    first, *rest = shortest.as_tuple().digits
    return f"{first}.{''.join(map(str, rest)) or '0'}E{shortest.adjusted()}"


def response(value: Any) -> bytes:
    return msgspec.json.encode({"response": value})
