"""From start to the first sale: what the journal holds is taken up and asked about first (rule 12).

However much is open: so many are asked about side by side, the newest first, and the next when one has answered.
What is not answered when the till opens is asked about behind the sales.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from pos_app.domain.flow import Rules
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments

LIMIT_MS = 5_000
"""The till opens after one ask of each open attempt, at most this long after start."""

AT_ONCE = 64
"""So many of the asks of the start are under way at a time."""

AGAIN_MS = 1_000
"""Between tries to read the journal."""


class Startup:
    """Owns which attempts have yet to be asked about. Times: till ms. `others` read the journal too."""

    def __init__(
        self,
        journal: JournalStore,
        live_payments: LivePayments,
        rules: Rules,
        clock: Clock,
        *others: Callable[[], None],
    ) -> None:
        self._journal = journal
        self._live_payments = live_payments
        self._rules = rules
        self._clock = clock
        self._others = others
        self._to_ask: set[str] = set()
        self._waiting: dict[str, None] = {}
        """Taken up, and not told to the flow yet; the newest last."""
        self._asked: set[str] = set()
        self.until: int | None = None
        self.again_at: int | None = None

    @property
    def over(self) -> bool:
        """Whether every attempt from before has been asked about once, or the time for it is up."""
        return not self._to_ask or (self.until is not None and self.until <= self._clock.now())

    def take_up(self) -> bool:
        """Reads what was open, in dispute, late or ended a moment ago. False: the journal cannot be read."""
        now = self._clock.now()
        if not self._live_payments.read(lambda: self._read(now), False):
            self.again_at = now + AGAIN_MS
            return False
        self.again_at = None
        lives = sorted(self._live_payments.lives, key=lambda live: live.attempt.tapped_at)
        self._waiting = dict.fromkeys(live.attempt.attempt_id for live in lives)
        here = [live.attempt for live in lives if live.attempt.origin == self._rules.origin]
        self._to_ask = {attempt.attempt_id for attempt in here if attempt.is_open}
        self.until = now + LIMIT_MS if self._to_ask else None
        return True

    def _read(self, now: int) -> bool:
        attempts = [*self._journal.open_attempts(), *self._journal.needs_answer()]
        attempts += self._journal.attempts_to_watch(now - self._rules.rechecks[-1])
        self._live_payments.take_up(attempts, self._journal.overpaid_sales())
        for take_up in self._others:
            take_up()
        return True

    def next(self, at_most: int) -> list[str]:
        """The attempts to `begin` with now, oldest first of the newest.

        One that is still to begin may hear of another of its sale before its turn: it begins then, not after.
        """
        room = AT_ONCE - (len(self._asked) if self._waiting else 0)
        newest = list(islice(reversed(self._waiting), max(0, min(room, at_most))))
        return newest[::-1]

    def begin(self, attempt_id: str) -> bool:
        """Whether it had not been begun with; from now on it has."""
        if attempt_id not in self._waiting:
            return False
        del self._waiting[attempt_id]
        self._asked.add(attempt_id)
        return True

    @property
    def ready(self) -> bool:
        """Whether `next` would give something out."""
        return bool(self._waiting) and len(self._asked) < AT_ONCE

    def answered(self, attempt_id: str) -> None:
        """An ask came back, or did not, or none was made."""
        self._to_ask.discard(attempt_id)
        self._asked.discard(attempt_id)

    def close(self) -> None:
        """The till is open for sale."""
        self._to_ask.clear()
        self.until = None
