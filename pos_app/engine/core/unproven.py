"""Payments of this counter that nothing proves to be this till's, because its whole record is gone. Pure.

Where no installation id is proven, whatever the service lists under this merchant and counter with an id of our form
is a candidate: it is entered as DISPUTED, asked about, and settled by a manager, never taken for this till's PAID,
never cancelled by itself. Where a hint, a log or an anchor that no key opens names installations, only theirs are; the
others are counted, and people are told how many.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, Reason, State
from pos_app.domain.flow.statuses import UNPAID_ENDS
from pos_app.domain.replies import ListedTransaction

MOST = 500
"""So many are entered, the newest days first; the rest are counted."""


class Unproven:
    """Decides which of the listed payments are candidates. Without a rebuild, or with a proven installation, none."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._claimed: frozenset[str] = frozenset()
        self._wanted = False
        self._entered = 0
        self._others: set[str] = set()

    def take_up(self, began: dict[str, Any]) -> None:
        """What the beginning of the rebuild says of whose payments there may be."""
        self._claimed = frozenset(map(str, began.get("claimed", ())))
        self._wanted = not began.get("installations")

    @property
    def wanted(self) -> bool:
        """Whether there may be candidates."""
        return self._wanted

    @property
    def others(self) -> int:
        """So many payments of this counter were listed, may be money, and were not entered."""
        return len(self._others)

    def is_candidate(self, listed: ListedTransaction, installation: str) -> bool:
        """Whether a listed payment is to be entered. `installation`: of its id, "" for one of another form."""
        if not self._wanted or installation in ("", self._own) or listed.status in UNPAID_ENDS:
            return False
        if (self._claimed and installation not in self._claimed) or self._entered >= MOST:
            self._others.add(listed.external_id)
            return False
        self._entered += 1
        return True


def disputed(attempt: Attempt, listed: ListedTransaction) -> Attempt:
    """A candidate as it is entered: nobody but a manager settles it."""
    return replace(attempt, state=State.DISPUTED, reason=Reason.NOT_PROVEN_OURS, service_status=listed.status)
