"""Values as they are published, made up for the gallery: people, attempts, sales, a terminal. Sends nothing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pos_app.domain.attempt import Attempt, Environment, Kind, State
from pos_app.domain.money import currency
from pos_app.domain.people import Person, Role
from pos_app.domain.sale import Sale
from pos_app.domain.views import Activity, AttemptChanged, Block, Connection, Terminal
from pos_app.ui.view_config import TillViewConfig

QR_TEXT = "8zq0T5nWmJx2cQ1rYpVb7LkHd3uGfAeS6iKoNtMwXvRj4ZyBhCgDlFsPaUq9EI0Ow5nTrVxYzAbCdEfGhIjKlMn"

NIMALI = Person(
    person_id="p1", name="Nimali", role=Role.CASHIER, number_mask="+94 •• ••• 111", number_digest="d1"
)
RUWAN = Person(
    person_id="p2", name="Ruwan", role=Role.MANAGER, number_mask="+94 •• ••• 222", number_digest="d2"
)


KASUN = Person(
    person_id="p3", name="Kasun", role=Role.CASHIER, number_mask="+94 •• ••• 333", number_digest="d3"
)


def config(**changed: Any) -> TillViewConfig:
    """A counter of the sandbox."""
    told: dict[str, Any] = {
        "shop_name": "Corner Shop",
        "counter_id": 3,
        "currency": currency("LKR"),
        "country": "LK",
        "environment": Environment.SANDBOX,
    }
    return TillViewConfig(**(told | changed))


def attempt(**changed: Any) -> Attempt:
    """A QR attempt that waits for the customer."""
    told: dict[str, Any] = {
        "attempt_id": "SBX-TK7M3Q9RD-0123-1",
        "sale_id": "0123",
        "number": 1,
        "kind": Kind.QR,
        "amount": Decimal("1250.00"),
        "currency": "LKR",
        "merchant_id": "M-0001",
        "counter_id": 3,
        "environment": Environment.SANDBOX,
        "owner": NIMALI.person_id,
        "tapped_at": 1_000,
        "tapped_wall": "2025-11-21T14:07:14+05:30",
        "transaction_date_time": "2025-11-21 14:07:14",
        "give_up_after_ms": 300_000,
        "state": State.WAITING,
        "service_status": "Merchant Initiated",
        "shown": True,
        "wallet_transaction_id": "900123",
        "qr_text": QR_TEXT,
    }
    told |= changed
    if told["kind"] is Kind.PUSH:
        told |= {"qr_text": "", "wallet_mask": "+94 •• ••• 321"}
    return Attempt(**told)


def change(of: Attempt | None = None, **told: Any) -> AttemptChanged:
    """An attempt with its sale; `activity` and the rest by keyword."""
    it = of or attempt()
    sale = Sale(
        sale_id=it.sale_id,
        amount=it.amount,
        currency=it.currency,
        counter_id=it.counter_id,
        owner=it.owner,
        opened_at=it.tapped_at,
    )
    return AttemptChanged(attempt=it, **({"sale": sale, "activity": Activity(elapsed_s=17)} | told))


def terminal(**changed: Any) -> Terminal:
    """A terminal in good order with Nimali at it."""
    told: dict[str, Any] = {
        "connection": Connection.CONNECTED,
        "block": Block.NONE,
        "people": (NIMALI, RUWAN),
        "signed_in": NIMALI,
    }
    return Terminal(**(told | changed))


def recent() -> tuple[Attempt, ...]:
    """Five payments of the last minutes."""
    rows = (
        ("0122", Kind.QR, State.PAID, "1250.00", "14:05"),
        ("0121", Kind.PUSH, State.PAID, "380.00", "14:02"),
        ("0120", Kind.QR, State.FAILED, "2100.00", "13:58"),
        ("0119", Kind.QR, State.PAID, "90.00", "13:55"),
        ("0118", Kind.QR, State.IN_DOUBT, "640.00", "13:54"),
    )
    return tuple(
        attempt(
            attempt_id=f"SBX-TK7M3Q9RD-{sale}-1",
            sale_id=sale,
            kind=kind,
            state=state,
            amount=Decimal(amount),
            tapped_at=100 - at,
            tapped_wall=f"2025-11-21T{time}:00+05:30",
        )
        for at, (sale, kind, state, amount, time) in enumerate(rows)
    )
