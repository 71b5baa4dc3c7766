"""Replies as the services' description shows them, good and bad, to start the parser's fuzzing from; and its words."""

from __future__ import annotations

import json
from typing import Any

from tests.verification.fuzz.replies import MEDIA_TYPES, OPERATIONS, STATUSES, WAITS

STATUS, INITIATE, CANCEL, QUERY, SEND, SUBMIT = range(6)

_DETAILS: dict[str, Any] = {
    "externalMerchantTransactionId": "SBX-T1-0001-1",
    "walletTransactionId": "W-1",
    "transactionAmount": 12.5,
    "invoiceNumber": "INV-1",
    "transactionDateTime": "2026-01-31 14:05:00",
    "merchantPgIdentifier": "M-0001",
}
_NAMES = (
    *("Merchant Initiated", "Verification Success", "Verification Fail", "Payment Success", "Payment Fail"),
    *("Merchant Cancel", "Customer Approved", "Customer Reject"),
)
_QR = {
    "walletTransactionId": "W-1",
    "externalMerchantTransactionId": 10001,
    "qrEncryptedText": "aGVsbG8=" * 9,
}
_ITEM = {**_DETAILS, "walletAccountNumber": "+94771223347", "transactionStatus": "Payment Success"}
_DATA = {"serverRef": "0123456789abcdef0123456789abcdef", "msisdn": "tel:+94771223347", "method": None}


def _response(**fields: Any) -> dict[str, Any]:
    return {"response": fields}


def _failure(code: str) -> dict[str, Any]:
    return _response(status="failure", message="Cannot find transaction", code=code)


def _documents() -> list[tuple[int, int, Any]]:
    """(operation, HTTP status, document)."""
    said: list[tuple[int, int, Any]] = [
        (STATUS, 200, _response(status="success", merchantTxnStatusName=name, **_DETAILS)) for name in _NAMES
    ]
    paid = {**_DETAILS, "transactionAmount": "12.50"}
    nearly: tuple[dict[str, Any], ...] = (
        {"transactionAmount": 12.500000001},
        {"transactionAmount": "12.500000001"},
        {"externalMerchantTransactionId": "SBX-T1-0001-2"},
        {"merchantPgIdentifier": "M-0002"},
        {"walletTransactionId": "W-2"},
        {"merchantTxnStatusName": "payment success"},
    )
    said += [
        (
            STATUS,
            200,
            _response(**{"status": "success", "merchantTxnStatusName": "Payment Success", **paid, **other}),
        )
        for other in nearly
    ]
    said += [
        (STATUS, 200, _response(status="success", merchantTxnStatusName="Payment Success", **paid)),
        (INITIATE, 200, _response(status="success", message="Initiated", **_QR)),
        (INITIATE, 200, _response(status="success", message="Initiated", walletTransactionId="W-1")),
        (CANCEL, 200, _response(status="success", message="Cancelled", **_DETAILS)),
        (QUERY, 200, _response(status="success", transactionList=[_ITEM, _ITEM])),
        (QUERY, 200, _response(transactionList=[_ITEM])),
        (QUERY, 200, _response(message="nothing", errorCode="5014", transactionList=[])),
        (SEND, 200, {"statusCode": "SUCCESS", "message": None, "data": {"status": "PENDING_AUTH", **_DATA}}),
        (
            SUBMIT,
            200,
            {"statusCode": "SUCCESS", "message": "verified", "data": {"status": "SUCCESS", **_DATA}},
        ),
        (SUBMIT, 200, {"statusCode": "ERROR", "message": "Wrong PIN", "data": None}),
        (SUBMIT, 400, {"statusCode": "ERROR", "message": "Max attempt exceeded", "data": None}),
        (SEND, 403, {"code": "ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED", "message": "later"}),
        (SEND, 429, {"code": "TOO_MANY_REQUESTS"}),
        (SUBMIT, 400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED"),
        (STATUS, 401, {"error": "expired"}),
        (STATUS, 503, _failure("5009")),
    ]
    said += [(STATUS, 200, _failure(str(code))) for code in (5000, 5009, 5012, 5999)]
    said += [(INITIATE, 400, _failure("5003")), (CANCEL, 409, _failure("5006"))]
    return said


def seeds() -> list[bytes]:
    """Inputs of target `parser`."""
    found = [head(operation, status) + json.dumps(said).encode() for operation, status, said in _documents()]
    found += [head(STATUS, 200, wait=place) + b"<html>busy</html>" for place in range(len(WAITS))]
    found += [head(STATUS, 429, wait=place) for place in range(len(WAITS))]
    found += [head(STATUS, 200, media=place) + b"{}" for place in range(len(MEDIA_TYPES))]
    return found


def head(operation: int, status: int, media: int = 0, wait: int = 0) -> bytes:
    """The bytes before the body."""
    place = STATUSES.index(status) if status in STATUSES else 0
    return bytes((operation % len(OPERATIONS), place, media, wait))


VALUES: tuple[str, ...] = (
    *("null", "true", "false", "0", "-0", "1", "-1", "12.5", "12.50", "12.500000001", "1250e-2", "0.0125e3"),
    *("NaN", "Infinity", "-Infinity", "1e400", "1E-400", "5009", "5003.0", "9" * 33, "1" * 5_000, "1e33"),
    *(
        '""',
        '"12.50"',
        '"12,50"',
        '" 12.50"',
        '"1_2"',
        '"\u0661\u0662.50"',
        '"1e1"',
        '"5003"',
        '"5014"',
        '"5999"',
    ),
    *(
        '"success"',
        '"Success"',
        '"failure"',
        '"SUCCESS"',
        '"ERROR"',
        '"PENDING_AUTH"',
        '"Wrong PIN"',
        '"TIMEOUT"',
    ),
    *(
        '"Payment Success"',
        '"payment success"',
        '"Payment  Success"',
        '"\u0420ayment Success"',
        r'"Payment\u0020Success"',
    ),
    *(
        '"Payment Success\u200b"',
        r'"Payment\u0000 Success"',
        r'"\ud800"',
        r'"\ud83d\ude00"',
        '"\u202e"',
        '"\x7f"',
    ),
    *('"SBX-T1-0001-1"', '"SBX-T1-0001-2"', '"W-1"', '"W-2"', '"M-0001"', '"M-0002"', '"tel:+94771223347"'),
    *(
        "[]",
        "{}",
        "[null]",
        "[[]]",
        '{"a":1,"a":2}',
        "[" * 21 + "]" * 21,
        "[" * 3_000,
        '{"a":' * 40,
        '"canary-token-7731"',
    ),
    *(
        '"canary-code-8842"',
        '"canary-psw-9953"',
        '"0123456789abcdef0123456789abcdef"',
        '"' + "x" * 1_200 + '"',
    ),
)
NAMES: tuple[str, ...] = (
    *(
        "response",
        "request",
        "status",
        "code",
        "errorCode",
        "message",
        "walletTransactionId",
        "transactionList",
    ),
    *("externalMerchantTransactionId", "qrEncryptedText", "merchantTxnStatusName", "transactionAmount"),
    *(
        "merchantPgIdentifier",
        "invoiceNumber",
        "transactionDateTime",
        "statusCode",
        "data",
        "serverRef",
        "msisdn",
    ),
    *("walletAccountNumber", "transactionStatus", "statusDescription", r"st\u0061tus", "Status"),
)
