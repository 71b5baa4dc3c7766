"""What a reply's JSON says, as values; raises Unreadable for all it does not say plainly. Never guesses."""

from __future__ import annotations

from typing import Any

from pos_app.domain.replies import Accepted, CancelAccepted, ListedTransaction, Listing, Refused, StatusReport
from pos_app.services.fields import (
    Object,
    amount,
    code,
    foreign,
    identifier,
    inner,
    message,
    needed,
    opaque,
    text,
)
from pos_app.services.strict_json import Unreadable

NOTHING_FOUND = "5014"


def refusal(document: Any, *, status_needed: bool) -> Refused | None:
    """The failure in a reply's envelope, None where it holds none; Unreadable where it is contradictory.

    Query's envelope may come without a status (`status_needed=False`); any other without one is no answer.
    """
    fields = inner(document, "response")
    status, found = fields.get("status"), code(fields)
    if status == "success":
        if found:
            raise Unreadable("success and a code")
        return None
    if status != "failure" and (status_needed or status is not None):
        raise Unreadable("status is neither success nor failure")
    if found:
        if fields.get("transactionList"):
            raise Unreadable("a list and a code")
        return Refused(found, message(fields))
    if status == "failure":
        raise Unreadable("failure without a code")
    return None


def initiated(document: Any) -> Accepted:
    """Initiate's success."""
    fields = _success(document)
    return Accepted(
        wallet_transaction_id=identifier(fields, "walletTransactionId"),
        external_id=identifier(fields, "externalMerchantTransactionId"),
        qr_text=opaque(fields, "qrEncryptedText"),
    )


def reported(document: Any) -> StatusReport:
    """Get status' success. Its name is needed and kept to the letter: case and spaces tell names apart."""
    fields = _success(document)
    return StatusReport(
        # No name that is known holds a number; one that is not is kept, and shown, as text.
        name=needed(fields, "merchantTxnStatusName"),
        external_id=identifier(fields, "externalMerchantTransactionId"),
        wallet_transaction_id=identifier(fields, "walletTransactionId"),
        amount=amount(fields, "transactionAmount"),
        merchant_id=identifier(fields, "merchantPgIdentifier"),
        invoice_number=text(fields, "invoiceNumber"),
        transaction_date_time=text(fields, "transactionDateTime"),
    )


def cancelled(document: Any) -> CancelAccepted:
    """Cancel's success."""
    fields = _success(document)
    return CancelAccepted(
        external_id=identifier(fields, "externalMerchantTransactionId"),
        wallet_transaction_id=identifier(fields, "walletTransactionId"),
    )


def listed(document: Any) -> Listing:
    """Query's success: a list, though it may be empty."""
    items = inner(document, "response").get("transactionList")
    if not isinstance(items, list):
        raise Unreadable("transactionList is missing")
    return Listing(tuple(_listed(item) for item in items))


def _success(document: Any) -> Object:
    fields = inner(document, "response")
    if fields.get("status") != "success":
        raise Unreadable("no status")
    return fields


def _listed(item: Any) -> ListedTransaction:
    if not isinstance(item, dict):
        raise Unreadable("an item of the list is not an object")
    return ListedTransaction(
        wallet_transaction_id=identifier(item, "walletTransactionId"),
        external_id=identifier(item, "externalMerchantTransactionId"),
        transaction_date_time=text(item, "transactionDateTime"),
        wallet_account_number=text(item, "walletAccountNumber"),
        amount=amount(item, "transactionAmount"),
        status=foreign(item, "transactionStatus"),
        status_description=foreign(item, "statusDescription"),
    )
