"""What the till makes of the content of a reply: never more than it plainly says."""

import json
from decimal import Decimal
from typing import Any

import pytest

from pos_app.domain.attempt import Kind
from pos_app.domain.replies import Accepted, CancelAccepted, NoAnswer, Refused, StatusReport, Why
from pos_app.services.payments import Payments
from tests.unit.services.raw_server import JSON_HEADER, RawServer, http_reply, says, told

pytestmark = pytest.mark.slow


PAID: dict[str, Any] = {
    "status": "success",
    "merchantTxnStatusName": "Payment Success",
    "externalMerchantTransactionId": "A-1",
    "walletTransactionId": "W-1",
    "transactionAmount": 12.5,
    "invoiceNumber": "INV-1",
    "transactionDateTime": "2026-01-31 14:05:00",
    "merchantPgIdentifier": "M-0001",
}
PAID_JSON = json.dumps({"response": PAID})


def asked(server: RawServer, payments: Payments, **changed: Any) -> Any:
    told(server, {"response": {**PAID, **changed}})
    return payments.get_status("A-1")


def test_a_status_is_read_whole(server: RawServer, payments: Payments) -> None:
    assert asked(server, payments, unknownField={"a": [1]}) == StatusReport(
        name="Payment Success",
        external_id="A-1",
        wallet_transaction_id="W-1",
        amount=Decimal("12.5"),
        merchant_id="M-0001",
        invoice_number="INV-1",
        transaction_date_time="2026-01-31 14:05:00",
    )


@pytest.mark.parametrize(
    "name",
    ["payment success", "Payment  Success", "\u0420ayment Success", "Payment Success ", "Refunded", "支付"],
)
def test_a_name_is_kept_to_the_letter(name: str, server: RawServer, payments: Payments) -> None:
    assert asked(server, payments, merchantTxnStatusName=name).name == name


@pytest.mark.parametrize(
    "name",
    ["Payment\x00 Success", "\u202ePayment Success", "Payment\nSuccess", "Payment Success\u200b", "P" * 500],
)
def test_a_name_that_cleaning_would_change_stays_unknown(
    name: str, server: RawServer, payments: Payments
) -> None:
    found = asked(server, payments, merchantTxnStatusName=name).name
    assert found.startswith("'")
    assert found.isascii()
    assert found.isprintable()
    assert len(found) <= 200


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("12.50", Decimal("12.50")),
        (12.5, Decimal("12.5")),
        (12, Decimal(12)),
        (12.500000001, Decimal("12.500000001")),
        (-12.5, Decimal("-12.5")),
        (None, None),
    ],
)
def test_amounts_are_exact(sent: Any, read: Decimal | None, server: RawServer, payments: Payments) -> None:
    assert asked(server, payments, transactionAmount=sent).amount == read


@pytest.mark.parametrize(("sent", "read"), [(1234567890123456, "1234567890123456"), ("", ""), (None, "")])
def test_ids_may_be_numbers_or_absent(sent: Any, read: str, server: RawServer, payments: Payments) -> None:
    found = asked(server, payments, externalMerchantTransactionId=sent, walletTransactionId=sent)
    assert (found.external_id, found.wallet_transaction_id) == (read, read)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "Success"),
        ("status", "success "),
        ("status", True),
        ("status", 1),
        ("status", None),
        ("status", "failure"),
        ("status", ["success"]),
        ("code", "5003"),
        ("code", 5003),
        ("errorCode", "5003"),
        ("code", {"a": 1}),
        ("code", True),
        ("code", "x" * 50),
        ("merchantTxnStatusName", None),
        ("merchantTxnStatusName", ""),
        ("merchantTxnStatusName", 1),
        ("merchantTxnStatusName", "P" * 5_000),
        ("transactionAmount", True),
        ("transactionAmount", "12,50"),
        ("transactionAmount", "1e3"),
        ("transactionAmount", " 12.50"),
        ("transactionAmount", "١٢"),
        ("transactionAmount", "NaN"),
        ("transactionAmount", "9" * 40),
        ("transactionAmount", [12.5]),
        ("externalMerchantTransactionId", 12.5),
        ("externalMerchantTransactionId", True),
        ("externalMerchantTransactionId", ["A-1"]),
        ("externalMerchantTransactionId", " A-1"),
        ("walletTransactionId", {"id": 1}),
        ("walletTransactionId", "W" * 101),
        ("merchantPgIdentifier", False),
        ("invoiceNumber", [1]),
        ("transactionDateTime", {}),
    ],
)
def test_a_field_of_the_wrong_kind_makes_the_reply_unreadable(
    field: str, value: Any, server: RawServer, payments: Payments
) -> None:
    found = asked(server, payments, **{field: value})
    assert isinstance(found, NoAnswer)
    assert (found.why, found.sent, found.http_status) == (Why.UNREADABLE, True, 200)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'"success"',
        b'{"response": []}',
        b'{"response": null}',
        b'{"request": {"status": "success"}}',
        PAID_JSON.encode()[:-9],
        PAID_JSON.encode() * 2,
        PAID_JSON.encode("utf-16"),
        b"\xef\xbb\xbf" + PAID_JSON.encode(),
        PAID_JSON.replace("12.5", "NaN").encode(),
        PAID_JSON.replace("12.5", "1e400").encode(),
        PAID_JSON.replace('"status"', '"status": "failure", "status"').encode(),
        PAID_JSON.replace("INV-1", "\\ud800").encode(),
        PAID_JSON.replace('"INV-1"', "[" * 100_000 + "]" * 100_000).encode(),
        b"<html>ok</html>",
    ],
)
def test_a_document_that_is_not_the_envelope_is_unreadable(
    body: bytes, server: RawServer, payments: Payments
) -> None:
    told(server, body)
    for found in (payments.get_status("A-1"), payments.initiate(Kind.QR, b"{}"), payments.query()):
        assert isinstance(found, NoAnswer)
        assert found.why is Why.UNREADABLE


@pytest.mark.parametrize(
    "headers",
    [
        b"",
        b"Content-Type: text/plain\r\n",
        b"Content-Type: text/html\r\n",
        b"Content-Type: application/jsonp\r\n",
    ],
)
def test_json_that_is_not_called_json_is_unreadable(
    headers: bytes, server: RawServer, payments: Payments
) -> None:
    server.play = says(http_reply(PAID_JSON.encode(), headers=headers))
    found = payments.get_status("A-1")
    assert isinstance(found, NoAnswer)
    assert found.why is Why.UNREADABLE


def test_the_media_type_may_have_a_charset(server: RawServer, payments: Payments) -> None:
    headers = JSON_HEADER.replace(b"json", b"JSON;charset=UTF-8")
    server.play = says(http_reply(PAID_JSON.encode(), headers=headers))
    assert isinstance(payments.get_status("A-1"), StatusReport)


@pytest.mark.parametrize("code", ["5003", 5003, "5999", "ERR_X"])
@pytest.mark.parametrize("name", ["code", "errorCode"])
@pytest.mark.parametrize("status", ["200 OK", "400 Bad", "404 None", "422 No", "403 No"])
def test_a_failure_in_our_envelope_is_a_refusal(
    code: Any, name: str, status: str, server: RawServer, payments: Payments
) -> None:
    told(server, {"response": {"status": "failure", "message": "no\u202e <b>\x00", name: code}}, status)
    expected = Refused(str(code), "no <b>")
    assert payments.initiate(Kind.PUSH, b"{}") == expected
    assert payments.get_status("A-1") == expected
    assert payments.cancel("A-1") == expected


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "failure"},
        {"status": "failure", "code": None, "message": "no"},
        {"status": "failure", "code": ""},
        {"status": "failure", "code": "5003", "errorCode": "5004"},
        {"code": "5003", "message": "no status"},
        {"status": "Failure", "code": "5003"},
    ],
)
def test_a_failure_that_is_not_plain_is_no_refusal(
    fields: dict[str, Any], server: RawServer, payments: Payments
) -> None:
    told(server, {"response": fields})
    found = payments.initiate(Kind.QR, b"{}")
    assert isinstance(found, NoAnswer)
    assert found.why is Why.UNREADABLE


def test_initiate_and_cancel_are_accepted(server: RawServer, payments: Payments) -> None:
    fields = {
        "status": "success",
        "message": "ok",
        "code": None,
        "walletTransactionId": 77,
        "qrEncryptedText": "q+/=",
    }
    told(server, {"response": fields})
    assert payments.initiate(Kind.QR, b"{}") == Accepted("77", "", "q+/=")
    assert payments.cancel("A-1") == CancelAccepted("", "77")
    told(server, {"response": {"status": "success", "qrEncryptedText": None}})
    assert payments.initiate(Kind.QR, b"{}") == Accepted()
    told(server, {"response": {"status": "success", "qrEncryptedText": "q" * 3_000}})
    assert payments.initiate(Kind.QR, b"{}") == Accepted(qr_text="q" * 3_000)
    told(server, {"response": {"status": "success", "qrEncryptedText": 5}})
    assert isinstance(payments.initiate(Kind.QR, b"{}"), NoAnswer)
