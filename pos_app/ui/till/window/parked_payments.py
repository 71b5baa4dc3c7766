"""Which parked payments stand in the row: those that run, and those that ended until they were looked at."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.views import AttemptChanged
from pos_app.ui.till.notices.notices import Notices
from pos_app.ui.till.window.parked_row import MOST, Parked, ParkedRow
from pos_app.ui.till.window.state import TillState

_KEPT = 2 * MOST
"""So many that ended are kept at the most, by whoever never looks; the lists have them all."""


class ParkedPayments:
    """Kept for everybody, shown to whom it concerns; what is on the panel is not in the row."""

    def __init__(self, row: ParkedRow, notices: Notices, till_state: TillState) -> None:
        self.row = row
        self._notices = notices
        self._till_state = till_state
        self._kept: dict[str, Parked] = {}

    def take(self, change: AttemptChanged) -> bool:
        """What became of a payment; whether somebody at the till should hear that it ended."""
        attempt = change.attempt
        if not attempt.parked or (attempt.is_final and not self._ran(attempt.attempt_id)):
            return False
        self._kept[attempt.attempt_id] = Parked(change)
        ended = not attempt.is_open and self._till_state.shown_id != attempt.attempt_id
        if ended:
            self._notices.take_ended(change)
        elif attempt.is_final:
            self.looked_at(attempt.attempt_id)
        self._forget_oldest()
        self.show()
        return ended and self._till_state.is_attended and self._till_state.concerns(attempt)

    def show(self) -> None:
        """To whoever is at the till now."""
        here = [each for each in self._kept.values() if self._is_for(each.change.attempt)]
        self.row.show_parked(here if self._till_state.is_attended else [])
        self._notices.show_ended(self._till_state.concerns)

    def bring_back(self, attempt_id: str) -> AttemptChanged | None:
        """The payment that was touched."""
        parked = self._kept.get(attempt_id)
        if parked is None:
            return None
        self.looked_at(attempt_id)
        return parked.change

    def give_ended(self) -> AttemptChanged | None:
        """The newest that ended, for the notice that tells of it."""
        change = self._notices.give_ended(self._till_state.concerns)
        if change is not None:
            self.looked_at(change.attempt.attempt_id)
        return change

    def forget_paid(self, is_young: Callable[[str], bool]) -> None:
        """Paid some time ago: above the next sale it would be taken for that one's. The lists have it."""
        old = [
            key
            for key, each in self._kept.items()
            if each.change.attempt.state is State.PAID and each.change.attempt.is_final and not is_young(key)
        ]
        for key in old:
            if not self._kept[key].change.attempt.needs_answer:
                self.looked_at(key)
        if old:
            self.show()

    def looked_at(self, attempt_id: str) -> None:
        """One that ended has been seen; one that runs stays."""
        parked = self._kept.get(attempt_id)
        if parked is not None and parked.change.attempt.is_final:
            del self._kept[attempt_id]
            self._notices.drop_ended(attempt_id)

    def _ran(self, attempt_id: str) -> bool:
        """Whether its end is news: what ended is asked about for a while, and is not told of again."""
        before = self._till_state.known(attempt_id)
        return attempt_id in self._kept or (before is not None and before.attempt.is_open)

    def _is_for(self, attempt: Attempt) -> bool:
        return self._till_state.concerns(attempt) and attempt.attempt_id != self._till_state.shown_id

    def _forget_oldest(self) -> None:
        ended = [key for key, each in self._kept.items() if each.change.attempt.is_final]
        for key in ended[: max(0, len(ended) - _KEPT)]:
            del self._kept[key]
