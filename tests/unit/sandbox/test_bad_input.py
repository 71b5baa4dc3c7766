"""Requests nobody should send: a JSON refusal each time, and nothing is stored."""

import json
from typing import Any

import pytest

from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import (
    CANCEL_PATH,
    PUSH_PATH,
    QR_PATH,
    QUERY_PATH,
    SEND_PATH,
    STATUS_PATH,
    SUBMIT_PATH,
    ServiceClient,
)

PATHS = [QR_PATH, PUSH_PATH, STATUS_PATH, CANCEL_PATH, QUERY_PATH, SEND_PATH, SUBMIT_PATH]
NO_JSON = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"x"',
    b"5",
    b"{} {}",
    b"\xef\xbb\xbf{}",
    b"\xff\xfe{\x00}\x00",
    b'{"request": NaN}',
    b'{"request": {"x": "\xff"}}',
    b'{"request": {"x": "\\ud800"}}',
    b'{"request":' + b"[" * 30_000,
    b'{"request": {"chargeTotal": ' + b"1" * 5000 + b"}}",
    b'{"request": null}',
    b'{"request": []}',
    b'{"request": 1}',
    b"{}",
    b'{"msisdn": "\\ud800abcdef", "message": "{{code}}"}',
    b'{"pin": "\\udfff", "serverRef": "\\ud800"}',
]
AMOUNTS = [
    "0",
    "0.00",
    "-1",
    "1e400",
    "1e2",
    '"abc"',
    '"NaN"',
    '"Infinity"',
    "1.00000000000000000001",
    '"1_000"',
    '"+5"',
    '"١٢"',
    '" "',
    '"0x10"',
    "true",
    "{}",
    "[]",
    "999999999999999",
    '"01.50"',
    '"1."',
    '".5"',
    "12.3456",
    '"12\\u00a0000"',
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("body", NO_JSON, ids=range(len(NO_JSON)))
def test_a_body_that_is_no_request(client: ServiceClient, path: str, body: bytes) -> None:
    answer = client.send(path, body)
    assert answer.status in (200, 400)
    if path in (SEND_PATH, SUBMIT_PATH):
        assert (answer.status, answer.json["code"]) == (400, "INVALID_ARGUMENT")
    else:
        assert answer.code in ("5001", "5015")


@pytest.mark.parametrize("amount", AMOUNTS)
@pytest.mark.parametrize("path", [QR_PATH, PUSH_PATH])
def test_an_amount_that_is_none(client: ServiceClient, sandbox: Sandbox, path: str, amount: str) -> None:
    body = client.initiate_body("A-1", chargeTotal="@", walletAccountNumber="+94771234567")
    assert client.send(path, json.dumps(body).replace('"@"', amount)).code in ("5001", "5015")
    assert sandbox.transactions() == []


@pytest.mark.parametrize(
    "fields",
    [
        {"externalMerchantTransactionId": 1.5},
        {"externalMerchantTransactionId": True},
        {"externalMerchantTransactionId": ["A"]},
        {"externalMerchantTransactionId": "x" * 101},
        {"externalMerchantTransactionId": "a\x00b"},
        {"merchantPgIdentifier": 5},
        {"counterId": "1"},
        {"counterId": 1.5},
        {"counterId": -1},
        {"counterId": 2**31},
        {"counterId": True},
        {"transactionDateTime": "2026-02-30 10:00:00"},
        {"transactionDateTime": "2026-1-1 10:00:00"},
        {"transactionDateTime": "2026-01-01T10:00:00"},
        {"transactionDateTime": 5},
        {"invoiceNumber": 7},
        {"invoiceNumber": "x" * 1001},
        {"paymentReference": {}},
        {"walletAccountNumber": "94771234567"},
        {"walletAccountNumber": "++94771234567"},
        {"walletAccountNumber": "+94x"},
        {"walletAccountNumber": "+" + "9" * 16},
        {"walletAccountNumber": "+٩٤٧٧١٢٣٤٥٦٧"},
        {"walletAccountNumber": "+94771234567\n"},
    ],
)
def test_a_field_that_is_not_what_it_should_be(
    client: ServiceClient, sandbox: Sandbox, fields: dict[str, Any]
) -> None:
    body = client.initiate_body("A-1", **{"walletAccountNumber": "+94771234567", **fields})
    answer = client.post(PUSH_PATH, body)
    assert (answer.status, answer.code) == (200, "5001")
    assert sandbox.transactions() == []


def test_unknown_fields_are_ignored(client: ServiceClient) -> None:
    assert client.initiate_qr("A-1", somethingNew={"deep": [1, 2]}).response["status"] == "success"


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE txn; --", '"', "../../x", "%s%n", "<b>PAID</b>", "🙂‍↔️", "=cmd|x"]
)
def test_any_text_is_only_text(client: ServiceClient, sandbox: Sandbox, text: str) -> None:
    assert (
        client.initiate_push(text, invoiceNumber=text, paymentReference=text).response["status"] == "success"
    )
    assert client.get_status(text).response["externalMerchantTransactionId"] == text
    stored = sandbox.transactions()[0]
    assert (stored["invoiceNumber"], stored["paymentReference"]) == (text, text)
    assert client.query(externalMerchantTransactionId=text).response["transactionList"]
