"""The one set of builders of what is written: sales, attempts, people, and the records of ordinary payments.

Each gives a whole value with exact, usual facts; a test names the facts it is about. What is shown on a window is
built by tests/support/published.py.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt, Environment, Kind, State
from pos_app.domain.ids import attempt_id, sale_id
from pos_app.domain.people import Person, Role
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale
from pos_app.journal.chain import Keys

INSTALLATION = "7K3M9QRD"
RANDOM = "K7Q2M9"
WALL = "2026-03-02T10:15:30.000+05:30"
KEY = bytes(range(32))
KEYS = Keys(KEY, Environment.SANDBOX)


def sale(number: int = 1, **facts: Any) -> Sale:
    """A sale of 12.50."""
    usual: dict[str, Any] = {
        "sale_id": sale_id(number),
        "amount": Decimal("12.50"),
        "currency": "LKR",
        "counter_id": 1,
        "owner": "p1",
        "opened_at": number * 1000,
        "invoice_number": "INV-1",
    }
    return Sale(**(usual | facts))


def attempt(number: int = 1, nth: int = 1, **facts: Any) -> Attempt:
    """The n-th attempt of a sale as it is made, by QR unless told otherwise."""
    usual: dict[str, Any] = {
        "attempt_id": attempt_id(Environment.SANDBOX, INSTALLATION, sale_id(number), nth, RANDOM),
        "sale_id": sale_id(number),
        "number": nth,
        "kind": Kind.QR,
        "amount": Decimal("12.50"),
        "currency": "LKR",
        "merchant_id": "M-0001",
        "counter_id": 1,
        "environment": Environment.SANDBOX,
        "owner": "p1",
        "tapped_at": number * 1000 + nth,
        "tapped_wall": WALL,
        "transaction_date_time": "2026-03-02 10:15:30",
        "give_up_after_ms": 300_000,
    }
    return Attempt(**(usual | facts))


def person(number: int = 1, **facts: Any) -> Person:
    """A cashier."""
    usual: dict[str, Any] = {
        "person_id": f"p{number}",
        "name": f"Person {number}",
        "role": Role.CASHIER,
        "number_mask": "+94 •••• 567",
        "number_digest": f"{number:032x}",
    }
    return Person(**(usual | facts))


def record(of: Attempt, kind: str = "SEEN", at: int | None = None, **more: Any) -> Record:
    """What happened to an attempt."""
    return Record(
        kind=kind,
        subject=of.attempt_id,
        actor=more.pop("actor", "terminal"),
        at=of.tapped_at if at is None else at,
        wall=WALL,
        attempt=of,
        **more,
    )


def intent(number: int = 1, nth: int = 1, **facts: Any) -> Record:
    """The first record of an attempt, with its sale."""
    of = attempt(number, nth, **facts)
    owed = sale(number, amount=of.amount)
    return record(of, "ATTEMPT_TAPPED", path=(State.INTENT,), sale=owed, actor=of.owner)


def ended(of: Attempt, state: State, at: int) -> Record:
    """The attempt's end."""
    end = msgspec.structs.replace(of, state=state, ended_at=at, service_status=f"seen as {state}")
    return record(end, "STATUS_SEEN", at, path=(of.state, state), content={"status": end.service_status})
