"""What goes out: bodies of the same bytes each time, and every header of the service's description."""

import json
from decimal import Decimal
from typing import Any

import pytest

from pos_app.domain.attempt import Kind
from pos_app.domain.query import QueryFilter
from pos_app.domain.sale import Order
from pos_app.services.bodies import (
    initiate_body,
    query_body,
    submit_code_body,
    validate_code_body,
    wallet_number_in,
)
from pos_app.services.otp import OtpSms
from pos_app.services.payments import Payments
from tests.unit.services.raw_server import RawServer


def order(kind: Kind, **changed: Any) -> Order:
    values: dict[str, Any] = {
        "kind": kind,
        "attempt_id": "T7K3M9QRD-0123-1",
        "amount": Decimal("12.50"),
        "merchant_id": "M-0001",
        "counter_id": 3,
        "transaction_date_time": "2026-01-31 14:05:00",
        "wallet_number": "+94771234567" if kind is Kind.PUSH else "",
        "invoice_number": "INV-1",
        "payment_reference": "table 4",
    }
    return Order(**{**values, **changed})


def test_a_push_body_holds_every_field_and_the_exact_amount() -> None:
    assert initiate_body(order(Kind.PUSH)) == (
        b'{"request":{"merchantPgIdentifier":"M-0001","counterId":3,"walletAccountNumber":"+94771234567",'
        b'"externalMerchantTransactionId":"T7K3M9QRD-0123-1","chargeTotal":12.50,'
        b'"transactionDateTime":"2026-01-31 14:05:00","invoiceNumber":"INV-1","paymentReference":"table 4"}}'
    )


def test_a_qr_body_has_either_form() -> None:
    assert initiate_body(order(Kind.QR)) == (
        b'{"request":{"merchantPgIdentifier":"M-0001","counterId":3,'
        b'"externalMerchantTransactionId":"T7K3M9QRD-0123-1","chargeTotal":12.50,'
        b'"transactionDateTime":"2026-01-31 14:05:00","invoiceNumber":"INV-1","paymentReference":"table 4"}}'
    )
    assert initiate_body(order(Kind.QR), "amount") == (
        b'{"request":{"merchantPgIdentifier":"M-0001","counterId":3,'
        b'"externalMerchantTransactionId":"T7K3M9QRD-0123-1","amount":"12.50",'
        b'"transactionDateTime":"2026-01-31 14:05:00","invoiceNumber":"INV-1","description":"table 4"}}'
    )
    assert b'"description":"T7K3M9QRD-0123-1"' in initiate_body(
        order(Kind.QR, payment_reference=""), "amount"
    )


def test_the_qr_setting_leaves_push_alone() -> None:
    assert initiate_body(order(Kind.PUSH), "amount") == initiate_body(order(Kind.PUSH))


def test_what_is_empty_is_left_out() -> None:
    fields = json.loads(initiate_body(order(Kind.QR, invoice_number="", payment_reference="")))["request"]
    assert not {"invoiceNumber", "paymentReference", "walletAccountNumber", "description"} & set(fields)


@pytest.mark.parametrize(
    ("amount", "written"),
    [("0.01", b"0.01"), ("999999.99", b"999999.99"), ("1E+3", b"1000"), ("5", b"5"), ("0.100", b"0.100")],
)
def test_amounts_are_written_out_digit_by_digit(amount: str, written: bytes) -> None:
    body = initiate_body(order(Kind.QR, amount=Decimal(amount)))
    assert b'"chargeTotal":' + written + b"," in body
    assert b'"amount":"' + written + b'",' in initiate_body(order(Kind.QR, amount=Decimal(amount)), "amount")


def test_every_filter_and_the_paging_go_out_as_text() -> None:
    wanted = QueryFilter(
        external_id="A-1",
        wallet_transaction_id="W-1",
        from_date="2026-01-01 00:00:00",
        to_date="2026-01-31 23:59:59",
        outlet_id="7",
        counter_id="3",
        page_start="1",
        page_end="2",
    )
    assert json.loads(query_body("M-0001", wanted)) == {
        "request": {
            "merchantPgIdentifier": "M-0001",
            "externalMerchantTransactionId": "A-1",
            "walletTransactionId": "W-1",
            "fromDate": "2026-01-01 00:00:00",
            "toDate": "2026-01-31 23:59:59",
            "outletId": "7",
            "counterId": "3",
            "pageStart": "1",
            "pageEnd": "2",
        }
    }
    assert json.loads(query_body("M-0001", QueryFilter())) == {"request": {"merchantPgIdentifier": "M-0001"}}


def test_each_operation_has_its_path_and_its_headers(
    server: RawServer, payments: Payments, otp: OtpSms
) -> None:
    body = payments.initiate_body(order(Kind.QR))
    payments.initiate(Kind.PUSH, body)
    payments.initiate(Kind.QR, body)
    payments.get_status("A-1", "W-1")
    payments.cancel(wallet_transaction_id="W-1")
    payments.query()
    otp.validate_code("94771234567", "Your code: {{code}}")
    otp.submit_code("123456", "0" * 32)
    base = "/apicall/walletpos/v1/pay/external/merchant/transaction"
    codes = "/apicall/openapi/one-time-password-sms/v1"
    assert [request.split(b" ", 2)[1].decode() for request in server.requests] == [
        f"{base}/initiate/push",
        f"{base}/initiate/qr",
        f"{base}/getstatus",
        f"{base}/cancel",
        f"{base}/query",
        f"{codes}/validate-code",
        f"{codes}/submit-code",
    ]
    for number, request in enumerate(server.requests):
        head, _, sent = request.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        assert lines[0].startswith(b"POST ")
        assert {
            b"Content-Type: application/json",
            b"Authorization: Bearer token-1",
            b"Accept: application/json",
        } <= set(lines)
        merchant = {b"X-MERCHANT-SECRETCODE: secret-code-1", b"X-MERCHANT-PSW: pass-word-1"}
        assert (merchant & set(lines)) == (merchant if number < 5 else set())
        assert json.loads(sent)
    assert server.requests[0].endswith(b"\r\n\r\n" + body), "the bytes made durable are the bytes sent"
    assert json.loads(server.requests[2].partition(b"\r\n\r\n")[2])["request"] == {
        "merchantPgIdentifier": "M-0001",
        "externalMerchantTransactionId": "A-1",
        "walletTransactionId": "W-1",
    }


def test_text_beyond_ascii_is_sent_as_utf_8_and_says_so(
    server: RawServer, payments: Payments, otp: OtpSms
) -> None:
    payments.initiate(Kind.QR, payments.initiate_body(order(Kind.QR, payment_reference="තේ 2")))
    otp.validate_code("94771234567", "කේතය {{code}}")
    for request, text in zip(server.requests, ("තේ 2", "කේතය {{code}}"), strict=True):
        assert b"Content-Type: application/json;charset=UTF-8\r\n" in request
        assert text.encode() in request


def test_asking_without_an_id_is_a_mistake_of_ours(payments: Payments) -> None:
    with pytest.raises(ValueError, match=r"^one of the two ids is needed$"):
        payments.get_status()
    with pytest.raises(ValueError, match=r"^one of the two ids is needed$"):
        payments.cancel()


def test_a_code_is_asked_for_and_checked_in_the_services_words() -> None:
    assert validate_code_body("94771234567", "Your code: {{code}}") == (
        b'{"msisdn":"94771234567","message":"Your code: {{code}}"}'
    )
    assert submit_code_body("123456", "0" * 32) == b'{"pin":"123456","serverRef":"' + b"0" * 32 + b'"}'


def test_the_number_can_be_read_back_from_what_was_sent() -> None:
    assert wallet_number_in(initiate_body(order(Kind.PUSH))) == "+94771234567"
    assert wallet_number_in(initiate_body(order(Kind.QR))) == ""
    assert wallet_number_in(b'{"request":{"walletAccountNumber":7}}') == ""
