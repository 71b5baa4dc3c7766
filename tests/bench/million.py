"""A data folder whose journal holds a million attempts, made once under build/bench. Knows no window."""

from __future__ import annotations

import os
import shutil
import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from pos_app.app import demo_people
from pos_app.domain.attempt import Attempt, Environment, Kind, State
from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale
from pos_app.journal import Journal, open_journal
from pos_app.secrets import journal_key

ATTEMPTS = 1_000_000
TOGETHER = 10_000
MERCHANT = "M-0001"
CACHE = Path(__file__).parents[2] / "build" / "bench"
_FIRST_DAY = datetime(2023, 1, 2, 8, tzinfo=UTC)
_BETWEEN = timedelta(seconds=90)


def data_folder(attempts: int = ATTEMPTS) -> Path:
    """The folder for `--data-dir`; its journal is a sandbox till's, migrated by whoever opens it."""
    folder = CACHE / f"data-{attempts}"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        environment = folder / Environment.SANDBOX
        environment.mkdir(parents=True, mode=0o700)
        _fill(environment, attempts)
        (folder / "complete").touch()
    return folder


def _fill(environment: Path, attempts: int) -> None:
    key = journal_key(environment, Environment.SANDBOX, use_keystore=False)
    book = open_journal(environment / "journal.sqlite", key, Environment.SANDBOX)
    try:
        demo_people.enrol(book)
        for first in range(1, attempts + 1, TOGETHER):
            _append(book, range(first, min(first + TOGETHER, attempts + 1)))
            if first % 100_000 == 1 and attempts > TOGETHER:
                sys.stderr.write(f"  filling the journal: {first - 1:,} of {attempts:,}\n")
    finally:
        book.close()


def _append(book: Journal, numbers: range) -> None:
    records = [_paid(number) for number in numbers]
    assert book.append(records) >= numbers[-1]


def _paid(number: int) -> Record:
    """One finished payment, of every hundred one rejected by the customer."""
    tapped = _FIRST_DAY + number * _BETWEEN
    wall = tapped.isoformat(timespec="milliseconds")
    at = int(tapped.timestamp() * 1000)
    sale_id = f"{number:07}"
    state = State.FAILED if number % 100 == 0 else State.PAID
    amount = Decimal(number % 90_000 + 1_000) / 100
    attempt = Attempt(
        attempt_id=f"TBENCH-{sale_id}-1",
        sale_id=sale_id,
        number=1,
        kind=Kind.PUSH if number % 3 == 0 else Kind.QR,
        amount=amount,
        currency="LKR",
        merchant_id=MERCHANT,
        counter_id=1,
        environment=Environment.SANDBOX,
        owner="demo-1",
        tapped_at=at,
        tapped_wall=wall,
        transaction_date_time=f"{tapped:%Y-%m-%d %H:%M:%S}",
        give_up_after_ms=300_000,
        state=state,
        service_status="Payment Success" if state is State.PAID else "Customer Rejected",
        wallet_transaction_id=f"{number}",
        shown=True,
        ended_at=at + 17_000,
    )
    sale = Sale(sale_id=sale_id, amount=amount, currency="LKR", counter_id=1, owner="demo-1", opened_at=at)
    return Record(
        kind="STATUS_SEEN",
        subject=attempt.attempt_id,
        actor=TERMINAL,
        at=at,
        wall=wall,
        path=(State.INTENT, State.WAITING, state),
        attempt=attempt,
        sale=sale,
    )


if __name__ == "__main__":
    print(data_folder(int(os.environ.get("ATTEMPTS", str(ATTEMPTS)))))
