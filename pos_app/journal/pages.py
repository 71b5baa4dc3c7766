"""The question behind a page of payments: which index answers which filter. Knows no connection."""

from __future__ import annotations

from typing import Any

import msgspec

from pos_app.domain.attempt import OPEN, Kind, State
from pos_app.domain.search import Cursor
from pos_app.journal.rows import place_in

PAST_WAITING = "state NOT IN ('INTENT', 'IN_DOUBT', 'WAITING')"
"""The attempts whose state is indexed: while one is on its way a commit has no index of states to write."""


class PageFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which payments a page shows; an empty filter shows all."""

    kind: Kind | None = None
    state: State | None = None
    amount: str = ""


def page_query(wanted: PageFilter, before: Cursor | None, limit: int) -> tuple[str, tuple[Any, ...]]:
    """What follows FROM attempt, and its values: newest first, in the order of an index."""
    index, clauses, values = _index(wanted)
    if wanted.kind is not None:
        clauses.append("kind = ?")
        values.append(wanted.kind.value)
    if before is not None:
        # The first bound lets the index start where the page begins; the second is exact.
        clauses.append("tapped_at <= ? AND (tapped_at, place) < (?, ?)")
        values += [before.tapped_at, before.tapped_at, place_in(before.attempt_id)]
    where = f"WHERE {' AND '.join(clauses)} " if clauses else ""
    order = "ORDER BY tapped_at DESC, place DESC LIMIT ?"
    return f"INDEXED BY {index} {where}{order}", (*values, limit)


def _index(wanted: PageFilter) -> tuple[str, list[str], list[Any]]:
    """The index that leaves fewest rows to look at, with what it needs said."""
    clauses: list[str] = []
    values: list[Any] = []
    if wanted.state in OPEN:
        # Few are open at any time, and all of them are unsettled.
        index = "attempt_unsettled"
        clauses.append("unsettled = 1")
    elif wanted.amount:
        index = "attempt_by_amount"
    elif wanted.state is not None:
        index = "attempt_by_state"
        clauses.append(PAST_WAITING)
    else:
        return "attempt_by_time", clauses, values
    if wanted.state is not None:
        clauses.append("state = ?")
        values.append(wanted.state.value)
    if wanted.amount:
        clauses.append("amount = ?")
        values.append(wanted.amount)
    return index, clauses, values
