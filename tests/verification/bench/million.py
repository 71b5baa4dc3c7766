"""A journal of a million payments, made once through the journal's own door and kept under build/."""

from __future__ import annotations

import itertools
import random
import shutil
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from pos_app.domain.attempt import Environment, Kind, State
from pos_app.domain.record import Record
from pos_app.journal import JournalError, open_journal
from pos_app.journal.schema import MIGRATIONS
from tests.support.builders import INSTALLATION, KEY, attempt, record, sale

PAYMENTS = 1_000_000
TOGETHER = 5_000
STATES = (State.PAID,) * 90 + (State.FAILED,) * 5 + (State.CANCELLED,) * 4 + (State.REFUSED,)


def million(payments: int = PAYMENTS) -> Path:
    """Where it lies; making it takes a minute or two."""
    folder = Path("build/bench") / f"journal-{payments}-{len(MIGRATIONS)}-with-receipts"
    path = folder / "journal.sqlite"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _make(path, payments)
        (folder / "done").touch()
    return path


def _make(path: Path, payments: int) -> None:
    journal = open_journal(path, KEY, Environment.SANDBOX)
    try:
        records = _records(payments)
        while together := list(itertools.islice(records, TOGETHER)):
            journal.append(together)
    except JournalError:
        journal.close()
        raise
    journal.close()


def _records(payments: int) -> Iterator[Record]:
    chance = random.Random(1)
    receipt = 0
    for number in range(1, payments + 1):
        # Three are open at the end, as after a power cut.
        state = State.WAITING if number > payments - 3 else chance.choice(STATES)
        amount = Decimal(chance.randrange(100, 50_000)).scaleb(-2)
        is_paid = state is State.PAID
        receipt += is_paid
        kind = chance.choice(list(Kind))
        paid = attempt(
            number,
            kind=kind,
            state=state,
            amount=amount,
            ended_at=None if state is State.WAITING else number * 1000 + 500,
            wallet_mask=f"+94 \u2022\u2022\u2022\u2022 {number % 1000:03d}" if kind is Kind.PUSH else "",
            wallet_transaction_id=f"{chance.randrange(10**11, 10**12)}",
            invoice_number=f"INV-{number}",
            receipt=receipt if is_paid else 0,
            receipt_of=INSTALLATION if is_paid else "",
        )
        path = (State.INTENT, State.WAITING) if state is State.WAITING else (State.WAITING, state)
        yield record(
            paid, "STATUS_SEEN", sale=sale(number, amount=amount), content={"status": state}, path=path
        )
