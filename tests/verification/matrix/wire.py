"""Replies as bytes and back: what the real service layer makes of them. Knows no fault and no step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

import msgspec

from pos_app.domain.attempt import Kind
from pos_app.domain.replies import (
    Accepted,
    CancelAccepted,
    Listing,
    OtpSent,
    OtpVerified,
    Refused,
    StatusReport,
)
from pos_app.domain.secret import Secret
from pos_app.services.call import MayLeave
from pos_app.services.client import Reply, ServiceClient
from pos_app.services.errors import ServiceError
from pos_app.services.otp import OtpSms
from pos_app.services.payments import Merchant, Payments
from pos_app.services.token import StaticTokens

JSON = "application/json"
CANARY = "canary-token"
_TOKENS = StaticTokens(Secret(CANARY))
_MERCHANT = Merchant("M-1", Secret("canary-code"), Secret("canary-password"))


class Raw(msgspec.Struct, frozen=True):
    """An HTTP reply that came whole."""

    body: bytes
    status: int = 200
    content_type: str = JSON
    retry_after: str = ""


class _OneReply:
    """Where the service layer has its socket: this came through it, or this became of the exchange."""

    def __init__(self, outcome: Raw | ServiceError) -> None:
        self._outcome = outcome

    def post(
        self,
        path: str,  # noqa: ARG002
        body: bytes,  # noqa: ARG002
        headers: Mapping[str, str],  # noqa: ARG002
        deadline_s: float,  # noqa: ARG002
        may_leave: MayLeave | None = None,  # noqa: ARG002
    ) -> Reply:
        if isinstance(self._outcome, ServiceError):
            raise self._outcome
        raw = self._outcome
        told = {"content-type": raw.content_type, "retry-after": raw.retry_after}
        return Reply(raw.status, {name: value for name, value in told.items() if value}, raw.body)


def heard(honest: Any, outcome: Raw | ServiceError) -> Any:
    """What the engine is told when this comes instead of the honest reply."""
    door = cast(ServiceClient, _OneReply(outcome))
    match honest:
        case OtpSent():
            return OtpSms(door, _TOKENS).validate_code(honest.msisdn, "Your code is {{code}}.")
        case OtpVerified():
            return OtpSms(door, _TOKENS).submit_code("246810", honest.server_ref)
    payments = Payments(door, _MERCHANT, _TOKENS)
    match honest:
        case Accepted():
            return payments.initiate(Kind.QR, b"{}")
        case CancelAccepted():
            return payments.cancel("X-1")
        case Listing():
            return payments.query()
    return payments.get_status("X-1")


def fields_of(reply: Any) -> dict[str, Any]:
    """What the service would say, as the objects of its JSON."""
    named: dict[str, Any]
    match reply:
        case Accepted():
            named = {
                "walletTransactionId": reply.wallet_transaction_id,
                "externalMerchantTransactionId": reply.external_id,
                "qrEncryptedText": reply.qr_text,
            }
        case StatusReport():
            named = {
                "merchantTxnStatusName": reply.name,
                "externalMerchantTransactionId": reply.external_id,
                "walletTransactionId": reply.wallet_transaction_id,
                "transactionAmount": reply.amount,
                "merchantPgIdentifier": reply.merchant_id,
                "invoiceNumber": reply.invoice_number,
                "transactionDateTime": reply.transaction_date_time,
            }
        case CancelAccepted():
            named = {
                "externalMerchantTransactionId": reply.external_id,
                "walletTransactionId": reply.wallet_transaction_id,
            }
        case Listing():
            return {"response": {"message": "", "transactionList": []}}
        case Refused():
            return {"response": {"status": "failure", "code": reply.code, "message": reply.message}}
        case OtpSent():
            return _otp("PENDING_AUTH", hexadecimal(reply.server_ref), reply.msisdn)
        case OtpVerified():
            return _otp("SUCCESS", reply.server_ref, reply.msisdn)
        case _:
            raise TypeError(f"no reply of the service: {reply!r}")
    return {"response": {"status": "success", "message": "ok", **named}}


def hexadecimal(server_ref: str) -> str:
    """The simulation's references are told apart by their digits alone; the service's are hexadecimal."""
    return "abc" + server_ref[3:]


def _otp(status: str, server_ref: str, msisdn: str) -> dict[str, Any]:
    data = {"status": status, "serverRef": server_ref, "msisdn": f"tel:+{msisdn}"}
    return {"statusCode": "SUCCESS", "message": "ok", "data": data}


def inside(document: dict[str, Any]) -> dict[str, Any]:
    """The object that holds the fields."""
    found: dict[str, Any] = document["data" if "data" in document else "response"]
    return found


def written(document: Any) -> bytes:
    """As the service writes it: an amount is a number with its digits."""
    return json.dumps(document, default=_number).encode()


def _number(value: object) -> float:
    if not isinstance(value, Decimal):
        raise TypeError(f"not JSON: {value!r}")
    return float(value)
