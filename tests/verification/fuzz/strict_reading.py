"""A second reading of the services' replies, written from their description alone: what may count as a success.

Slow and plain on purpose, and without a line of the till's reader: where the two differ, one of them is wrong.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from enum import Enum, auto
from typing import Any

OUR_ID = "SBX-T1-0001-1"
OUR_AMOUNT = Decimal("12.50")
OUR_MERCHANT = "M-0001"
OUR_WALLET_ID = "W-1"
OUR_MSISDN = "94771223347"
OUR_REFERENCE = "0123456789abcdef0123456789abcdef"
DEEPEST, DIGITS = 20, 32

Pairs = list[tuple[str, Any]]


class Digits(str):
    """A number as it was written."""

    __slots__ = ()


class No(ValueError):
    """This is no success."""


class Says(Enum):
    """What a reply may be taken for."""

    NOTHING = auto()
    MAYBE = auto()
    """Nothing forbids a success, but a reader may be stricter."""
    SUCCESS = auto()


def success(operation: str, status: int, media_type: str, body: bytes) -> Says:
    """Whether this reply may, or must, be taken for the operation's success."""
    if not 200 <= status < 300 and not operation.startswith("otp"):
        return Says.NOTHING
    if media_type.partition(";")[0].strip().lower() != "application/json":
        return Says.NOTHING
    try:
        document = _document(body)
        fields = _otp(operation, document) if operation.startswith("otp") else _merchant(operation, document)
    except (ValueError, ArithmeticError, RecursionError):
        return Says.NOTHING
    return Says.SUCCESS if _is_plain(fields) else Says.MAYBE


def proves_payment(body: bytes) -> bool:
    """Rule 10 for our attempt, of a reply that `success` does not forbid."""
    fields = dict(_inner(_document(body), "response"))
    amount = fields.get("transactionAmount")
    optional = (("walletTransactionId", OUR_WALLET_ID), ("merchantPgIdentifier", OUR_MERCHANT))
    return (
        fields["merchantTxnStatusName"] == "Payment Success"
        and fields.get("externalMerchantTransactionId") == OUR_ID
        and isinstance(amount, str)
        and Decimal(amount) == OUR_AMOUNT
        and all(fields.get(name) in (None, "", ours) for name, ours in optional)
    )


def _document(body: bytes) -> Any:
    text = body.decode("utf-8")
    document = json.loads(
        text, object_pairs_hook=_pairs, parse_int=_digits, parse_float=_digits, parse_constant=_constant
    )
    _depth(document, 0)
    json.dumps(document, ensure_ascii=False).encode("utf-8")
    return document


class Members(list[tuple[str, Any]]):
    """An object's names and values in their order; none stands twice."""


def _pairs(pairs: Pairs) -> Members:
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise No("a name twice")
    return Members(pairs)


def _digits(text: str) -> Digits:
    value = Decimal(text)
    if len(value.as_tuple().digits) > DIGITS or abs(int(value.as_tuple().exponent)) > DIGITS:
        raise No("too many digits")
    return Digits(text)


def _constant(name: str) -> Any:
    raise No(name)


def _depth(value: Any, above: int) -> None:
    if isinstance(value, list):
        if above >= DEEPEST:
            raise No("too deep")
        for item in value:
            _depth(item[1] if isinstance(value, Members) else item, above + 1)


def _inner(document: Any, name: str) -> Members:
    found = dict(document).get(name) if isinstance(document, Members) else None
    if not isinstance(found, Members):
        raise No(f"no {name}")
    return found


def _merchant(operation: str, document: Any) -> dict[str, Any]:
    fields = dict(_inner(document, "response"))
    if any(fields.get(name) not in (None, "") for name in ("code", "errorCode")):
        raise No("a code")
    status = fields.get("status")
    if isinstance(status, Digits) or (status != "success" and (operation != "query" or status is not None)):
        raise No("status is not success")
    if operation == "query" and not isinstance(fields.get("transactionList"), list):
        raise No("no list")
    if operation == "getstatus":
        name = fields.get("merchantTxnStatusName")
        if not isinstance(name, str) or isinstance(name, Digits) or not name:
            raise No("no status name")
    return fields


def _otp(operation: str, document: Any) -> dict[str, Any]:
    envelope = dict(document) if isinstance(document, Members) else {}
    if envelope.get("statusCode") != "SUCCESS":
        raise No("not SUCCESS")
    data = dict(_inner(document, "data"))
    wanted = "PENDING_AUTH" if operation == "otp send" else "SUCCESS"
    reference, msisdn = data.get("serverRef"), data.get("msisdn")
    if data.get("status") != wanted or not isinstance(reference, str) or not isinstance(msisdn, str):
        raise No("another status")
    if not re.fullmatch(r"[0-9A-Fa-f]{32}", reference) or not re.fullmatch(r"tel:\+[0-9]{5,15}", msisdn):
        raise No("no reference or no number")
    if operation == "otp send" and msisdn != f"tel:+{OUR_MSISDN}":
        raise No("another number")
    if operation == "otp submit" and reference != OUR_REFERENCE:
        raise No("another reference")
    return data


def _is_plain(fields: dict[str, Any]) -> bool:
    """Every field a short plain text, as the service's samples are: nothing to be stricter about."""
    amounts = ("transactionAmount",)
    return all(
        isinstance(value, str)
        and not isinstance(value, Digits)
        and re.fullmatch(r"[A-Za-z0-9+:-]+(?: [A-Za-z0-9:-]+)*", value) is not None
        and len(value) <= 40
        for name, value in fields.items()
        if name not in amounts
    ) and all(
        isinstance(fields.get(name, "1"), str)
        and re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,4})?", fields.get(name, "1"))
        for name in amounts
    )
