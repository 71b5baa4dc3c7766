"""A page of payments, the start and the walk through the chain, in a journal of a million payments."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable

from pos_app.domain.attempt import Environment, Kind, State
from pos_app.journal import Cursor, Journal, PageFilter, open_journal
from tests.support.builders import KEY, attempt
from tests.verification.bench.figure import Figure, interleaved, median, timed_ms
from tests.verification.bench.million import PAYMENTS, million

ROUNDS = 30
PAGE = 50
FILTERS = {
    "all": PageFilter(),
    "by kind": PageFilter(kind=Kind.PUSH),
    "by state": PageFilter(state=State.FAILED),
    "by amount": PageFilter(amount="12.50"),
    "by kind, state and amount": PageFilter(kind=Kind.QR, state=State.PAID, amount="250.00"),
    "none found": PageFilter(state=State.DISPUTED),
}


def measure(payments: int = PAYMENTS) -> list[Figure]:
    """Each filter's page from the middle of the list, beside a bare keyset page of three columns."""
    path = million(payments)
    journal = open_journal(path, KEY, Environment.SANDBOX)
    bare = sqlite3.connect(path, isolation_level=None)
    middle = Cursor(payments // 2 * 1000, attempt(payments // 2).attempt_id)
    try:
        figures = [_page(name, wanted, journal, bare, middle) for name, wanted in FILTERS.items()]
        start = time.perf_counter()
        report = journal.verify()
        taken = time.perf_counter() - start
    finally:
        journal.close()
        bare.close()
    if report.broken_at or report.checked != payments:
        raise ValueError(f"the journal at {path} is not the one that was made: {report}")
    rate = report.checked / taken
    return [
        *figures,
        _start(payments),
        Figure(
            name="verify the chain",
            unit="µs a row",
            ours=1e6 / rate,
            floor=20.0,
            goal=20.0,
            floor_is="50,000 rows a second",
            absolute=True,
        ),
    ]


def _page(
    name: str, wanted: PageFilter, journal: Journal, bare: sqlite3.Connection, middle: Cursor
) -> Figure:
    sql = (
        "SELECT attempt_id, amount, state FROM attempt WHERE tapped_at <= ? AND (tapped_at, place) < (?, ?) "
        "ORDER BY tapped_at DESC, place DESC LIMIT 50"
    )
    values = (middle.tapped_at, middle.tapped_at, 0)
    ours, floor = interleaved(
        _median(lambda: journal.page(wanted, middle, PAGE)),
        _median(lambda: bare.execute(sql, values).fetchall()),
        ROUNDS,
    )
    return Figure(
        name=f"page of {PAGE}, {name}", unit="ms", ours=ours, floor=floor, goal=5, floor_is="bare keyset page"
    )


def _median(work: Callable[[], object]) -> Callable[[], float]:
    return lambda: median([timed_ms(work) for _ in range(10)])


def _start(payments: int) -> Figure:
    path = million(payments)

    def start() -> Journal:
        journal = open_journal(path, KEY, Environment.SANDBOX)
        journal.recent(5)
        if len(journal.open_attempts()) != 3:
            raise ValueError("three attempts are open")
        journal.needs_answer()
        journal.last_at()
        journal.next_sale_number()
        return journal

    taken = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        journal = start()
        taken.append((time.perf_counter() - begin) * 1000)
        journal.close()
    return Figure(
        name=f"open a journal of {payments:,}",
        unit="ms",
        ours=median(taken),
        floor=5.0,
        goal=5.0,
        floor_is="5 ms of the start",
        absolute=True,
    )
