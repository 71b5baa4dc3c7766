"""Pages of payments: each shows exactly what a look at the whole list would, and none counts or skips rows."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from pos_app.domain.attempt import Attempt, Environment, Kind, State
from pos_app.journal import Cursor, Journal, PageFilter, open_journal
from pos_app.journal.pages import page_query
from tests.support.builders import KEY, attempt, record

STATES = (State.PAID, State.PAID, State.PAID, State.FAILED, State.CANCELLED, State.WAITING, State.DISPUTED)
AMOUNTS = ("12.50", "12.5", "0.10", "999999.99")


def _payments() -> list[Attempt]:
    chance = random.Random(7)
    made = []
    for number in range(1, 401):
        state = chance.choice(STATES)
        tapped_at = 1_000 * chance.randrange(1, 150)
        made.append(
            attempt(
                number,
                kind=chance.choice(list(Kind)),
                state=state,
                amount=Decimal(chance.choice(AMOUNTS)),
                tapped_at=tapped_at,
                ended_at=tapped_at + 9 if state in (State.PAID, State.FAILED, State.CANCELLED) else None,
            )
        )
    return made


PAYMENTS = _payments()


@pytest.fixture(scope="module")
def filled() -> Iterator[Journal]:
    """400 payments, many at the same instant, not journaled in the order of their times."""
    with tempfile.TemporaryDirectory() as folder:
        journal = open_journal(Path(folder) / "journal.sqlite", KEY, Environment.SANDBOX)
        journal.append([record(one) for one in PAYMENTS])
        yield journal
        journal.close()


def _brute_force(wanted: PageFilter) -> list[Attempt]:
    def fits(one: Attempt) -> bool:
        return (
            wanted.kind in (None, one.kind)
            and wanted.state in (None, one.state)
            and wanted.amount in ("", str(one.amount))
        )

    found = [one for one in PAYMENTS if fits(one)]
    return sorted(found, key=lambda one: (one.tapped_at, one.attempt_id), reverse=True)


FILTERS = [
    PageFilter(kind=kind, state=state, amount=amount)
    for kind in (None, Kind.QR)
    for state in (None, State.PAID, State.DISPUTED, State.SIGNED_OFF, State.WAITING)
    for amount in ("", "12.50", "7")
]


@pytest.mark.parametrize("limit", [1, 7, 50, 1000])
@pytest.mark.parametrize("wanted", FILTERS, ids=repr)
def test_pages_together_are_the_whole_list(filled: Journal, wanted: PageFilter, limit: int) -> None:
    """Every filter mix, every page size, newest first, nothing twice and nothing left out."""
    expected = _brute_force(wanted)
    if limit == 1:
        expected = expected[:20]
    seen: list[Attempt] = []
    before: Cursor | None = None
    while page := filled.page(wanted, before, limit):
        assert len(page) <= limit
        seen += page
        before = Cursor(page[-1].tapped_at, page[-1].attempt_id)
        if limit == 1 and len(seen) == len(expected):
            break
    assert seen == expected


def test_recent_is_the_first_page(filled: Journal) -> None:
    """The strip under the keypad and the history agree."""
    assert filled.recent(5) == filled.page(limit=5) == _brute_force(PageFilter())[:5]


def test_a_page_has_fifty_payments_unless_told_otherwise(filled: Journal) -> None:
    """And no filter."""
    assert filled.page() == _brute_force(PageFilter())[:50]


def test_a_payment_that_comes_while_paging_moves_no_page(journal: Journal) -> None:
    """The cursor names a payment, not a distance."""
    journal.append([record(one) for one in PAYMENTS[:60]])
    first = journal.page(limit=10)
    cursor = Cursor(first[-1].tapped_at, first[-1].attempt_id)
    second = journal.page(before=cursor, limit=10)
    journal.append([record(attempt(999, tapped_at=10**9, state=State.NOT_SENT))])
    assert journal.page(before=cursor, limit=10) == second
    assert journal.recent(1)[0].sale_id == "0999"


@pytest.mark.parametrize("wanted", FILTERS, ids=repr)
def test_every_page_is_found_by_an_index(filled: Journal, wanted: PageFilter) -> None:
    """No scan of the whole table and no sorting, whatever is filtered."""
    where, values = page_query(wanted, Cursor(5_000, attempt(5).attempt_id), 50)
    looking = sqlite3.connect(filled.path)
    steps = looking.execute(f"EXPLAIN QUERY PLAN SELECT snapshot FROM attempt {where}", values).fetchall()
    looking.close()
    assert len(steps) == 1
    assert "SEARCH attempt USING INDEX" in steps[0][3]


def test_what_is_sought_among_is_every_payment_newest_first(filled: Journal) -> None:
    """Whatever became of them, and each once."""
    found: list[Attempt] = []
    before: Cursor | None = None
    while page := filled.newest_before(before, 100):
        found += page
        before = Cursor(page[-1].tapped_at, page[-1].attempt_id)
    assert found == _brute_force(PageFilter())
