"""The bodies of requests: the same values give the same bytes, for a re-send must be byte-identical."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec

from pos_app.domain.attempt import Kind
from pos_app.domain.query import QueryFilter
from pos_app.domain.sale import Order

QrAmountField = Literal["chargeTotal", "amount"]
Fields = dict[str, str | int | Decimal]

_encode = msgspec.json.Encoder(decimal_format="number").encode


def initiate_body(order: Order, qr_amount_field: QrAmountField = "chargeTotal") -> bytes:
    """The body of an initiate. The service's table says `chargeTotal`, its QR sample `amount` as text."""
    fields: Fields = {"merchantPgIdentifier": order.merchant_id, "counterId": order.counter_id}
    if order.kind is Kind.PUSH:
        fields["walletAccountNumber"] = order.wallet_number
    fields["externalMerchantTransactionId"] = order.attempt_id
    sampled = order.kind is Kind.QR and qr_amount_field == "amount"
    if sampled:
        fields["amount"] = f"{order.amount:f}"
    else:
        # Written out: an exponent is the same number, but not what the service's samples show.
        fields["chargeTotal"] = Decimal(f"{order.amount:f}")
    fields["transactionDateTime"] = order.transaction_date_time
    if order.invoice_number:
        fields["invoiceNumber"] = order.invoice_number
    if sampled:
        fields["description"] = order.payment_reference or order.attempt_id
    elif order.payment_reference:
        fields["paymentReference"] = order.payment_reference
    return _request(fields)


def wallet_number_in(body: bytes) -> str:
    """The number an initiate was sent to; "" where it was sent to none."""
    number = msgspec.json.decode(body)["request"].get("walletAccountNumber", "")
    return number if isinstance(number, str) else ""


def lookup_body(merchant_id: str, external_id: str, wallet_transaction_id: str) -> bytes:
    """The body of get status and cancel: at least one of the two ids."""
    if not external_id and not wallet_transaction_id:
        raise ValueError("one of the two ids is needed")
    fields: Fields = {"merchantPgIdentifier": merchant_id}
    if external_id:
        fields["externalMerchantTransactionId"] = external_id
    if wallet_transaction_id:
        fields["walletTransactionId"] = wallet_transaction_id
    return _request(fields)


def query_body(merchant_id: str, wanted: QueryFilter) -> bytes:
    """The body of query; an empty filter is left out."""
    named = {
        "externalMerchantTransactionId": wanted.external_id,
        "walletTransactionId": wanted.wallet_transaction_id,
        "fromDate": wanted.from_date,
        "toDate": wanted.to_date,
        "outletId": wanted.outlet_id,
        "counterId": wanted.counter_id,
        "pageStart": wanted.page_start,
        "pageEnd": wanted.page_end,
    }
    given: Fields = {name: value for name, value in named.items() if value}
    return _request({"merchantPgIdentifier": merchant_id, **given})


def validate_code_body(msisdn: str, message: str) -> bytes:
    """The body that has a code sent; `msisdn` is digits with country prefix, no plus."""
    return _encode({"msisdn": msisdn, "message": message})


def submit_code_body(pin: str, server_ref: str) -> bytes:
    """The body that has a code checked."""
    return _encode({"pin": pin, "serverRef": server_ref})


def _request(fields: Fields) -> bytes:
    return _encode({"request": fields})
