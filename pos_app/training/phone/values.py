"""What the control interface tells of payments and messages, as frozen values. It asks nothing."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

import msgspec

from pos_app.domain.unreadable import UNREADABLE

FINAL = frozenset({"Payment Success", "Payment Fail", "Merchant Cancel", "Customer Reject"})
MOVING = "Customer Approved"


class Payment(msgspec.Struct, frozen=True, rename="camel"):
    """A request or a scanned code, as the sandbox's control interface shows it."""

    wallet_transaction_id: str
    kind: str
    status: str
    transaction_amount: str
    wallet_account_number: str = ""
    created_at: str = ""

    @property
    def is_final(self) -> bool:
        """Nothing the phone does changes it any more."""
        return self.status in FINAL

    @property
    def asks(self) -> bool:
        """It waits for its owner's decision."""
        return not self.is_final and self.status != MOVING

    def money(self, currency: str) -> str:
        """The amount with grouped thousands, "LKR 1,250.00"; text that is no number as it came.

        `currency`: the wallet's own; the service names none.
        """
        try:
            figure = f"{Decimal(self.transaction_amount):,f}"
        except InvalidOperation:
            figure = self.transaction_amount
        return f"{currency} {figure}".strip()


class Message(msgspec.Struct, frozen=True, rename="camel"):
    """An SMS of the inbox."""

    text: str
    code: str = ""
    msisdn: str = ""
    sent_at: str = ""

    @property
    def time(self) -> str:
        """14:07, from ISO text; "" when there is none."""
        return self.sent_at[11:16]


class Refusal(msgspec.Struct, frozen=True):
    """The control interface said no; `status` is the HTTP status (409: somebody was faster)."""

    status: int


_payment = msgspec.json.Decoder(Payment)
_payments = msgspec.json.Decoder(tuple[Payment, ...])
_messages = msgspec.json.Decoder(tuple[Message, ...])


def payment(status: int, body: bytes) -> Payment | Refusal:
    """The payment after an action on it."""
    try:
        return _payment.decode(body) if status == 200 else Refusal(status)
    except UNREADABLE:
        return Refusal(status)


def payments(status: int, body: bytes) -> tuple[Payment, ...] | Refusal:
    """The requests the phone rang with, newest first."""
    try:
        return _payments.decode(body) if status == 200 else Refusal(status)
    except UNREADABLE:
        return Refusal(status)


def messages(status: int, body: bytes) -> tuple[Message, ...] | Refusal:
    """The inbox, newest first."""
    try:
        return _messages.decode(body) if status == 200 else Refusal(status)
    except UNREADABLE:
        return Refusal(status)
