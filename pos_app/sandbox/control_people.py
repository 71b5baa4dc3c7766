"""Control: what the customers see and do (requests, QR codes, SMS); it must not touch faults or the clock."""

import re
from typing import Annotated, Any, Literal

import msgspec

from pos_app.sandbox.clock import text_of
from pos_app.sandbox.control_wire import Asked, read
from pos_app.sandbox.customer import VERBS
from pos_app.sandbox.ledger import Transaction
from pos_app.sandbox.parts import Parts
from pos_app.sandbox.replies import problem
from pos_app.sandbox.states import description_of

_ACCOUNT = re.compile(r"\+[1-9][0-9]{6,14}")


class SetRequest(msgspec.Struct, forbid_unknown_fields=True):
    status: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class ScanRequest(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    then: Literal["approve", "reject", "ignore", "misread"] = "ignore"
    number: str = "+94770000001"


_set = msgspec.json.Decoder(SetRequest)
_scan = msgspec.json.Decoder(ScanRequest)


def shown(parts: Parts, row: Transaction) -> dict[str, Any]:
    return {
        "walletTransactionId": row.wallet_id,
        "externalMerchantTransactionId": row.external_id,
        "kind": row.kind,
        "status": row.status,
        "statusDescription": description_of(row.status),
        "transactionAmount": row.amount,
        "merchantPgIdentifier": row.merchant,
        "counterId": row.counter,
        "walletAccountNumber": row.account,
        "transactionDateTime": row.sent_at,
        "invoiceNumber": row.invoice,
        "paymentReference": row.reference,
        "qrEncryptedText": row.qr_text,
        "createdAt": text_of(row.created_s),
        "steps": [
            {"status": step.status, "by": step.cause, "at": text_of(step.at_s)}
            for step in parts.ledger.steps(row.wallet_id)
        ],
    }


def transactions(parts: Parts, asked: Asked) -> Any:
    status = asked.query.get("status")
    where, values = (["status = ?"], [status]) if status else ([], [])
    return [shown(parts, row) for row in parts.ledger.select(where, values)]


def transaction(parts: Parts, asked: Asked) -> Any:
    return shown(parts, parts.customer.find(asked.path["some_id"]))


def act(parts: Parts, asked: Asked) -> Any:
    some_id, verb = asked.path["some_id"], asked.path["verb"]
    if verb == "set":
        return shown(parts, parts.customer.set_status(some_id, read(_set, asked.body).status))
    if verb not in VERBS:
        raise problem("NOT_FOUND", f"a customer can {', '.join(VERBS)}")
    return shown(parts, parts.customer.act(some_id, verb))


def pushes(parts: Parts, asked: Asked) -> Any:
    """What the customer's phone has rung with, newest first."""
    number = asked.query.get("number")
    # A plus sign in a query string is read as a space.
    where, values = (["account = ?"], ["+" + number.strip("+ ")]) if number else ([], [])
    return [shown(parts, row) for row in parts.ledger.select(["kind = 'push'", *where], values)]


def scan_code(parts: Parts, asked: Asked) -> Any:
    request = read(_scan, asked.body)
    if not _ACCOUNT.fullmatch(request.number):
        raise problem("INVALID_ARGUMENT", "number is written as +94771234567")
    return shown(parts, parts.customer.scan(request.text, request.then, request.number))


def sms(parts: Parts, asked: Asked) -> Any:
    return [
        {
            "msisdn": row.msisdn,
            "text": row.text,
            "code": row.code,
            "serverRef": row.server_ref,
            "status": row.status,
            "sentAt": text_of(row.created_s),
        }
        for row in parts.otp.inbox(asked.query.get("msisdn"))
    ]
