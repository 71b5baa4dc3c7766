"""The till closes for an update: no new payment, those under way come to their end; then it sells again by itself.

Sends nothing, parks nothing and writes nothing: an update that is not to be changes no payment.
"""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.draining import DrainAsked, DrainLeft, DrainNews, DrainStep, DrainView
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.live_payments import LivePayments

LONGEST_MS = 60 * 60_000
"""No request keeps a till from selling for longer."""

PUT_OFF_MS = 60 * 60_000
"""So long a manager's word holds against whoever asks again."""

SEEN_MS = 5_000
"""How long the last result stays on the screen before the till is taken from under it."""


class Draining:
    """`busy`: whether the till is at something else that must not be cut off."""

    def __init__(self, live_payments: LivePayments, clock: Clock, busy: Callable[[], bool]) -> None:
        self._live_payments = live_payments
        self._clock = clock
        self._busy = busy
        self._asked: DrainAsked | None = None
        self._until = 0
        self._put_off_until = 0
        self._clear_at: int | None = None
        self._view = DrainView()

    @property
    def blocks(self) -> bool:
        """Whether no new payment may start."""
        return self._asked is not None

    @property
    def due_at(self) -> int | None:
        """When `tick` next has something to do by itself (till time, ms)."""
        if self._asked is None or self._is_for_good:
            return None
        is_drained = self._view.step is DrainStep.DRAINED
        return self._until if is_drained or self._clear_at is None else min(self._until, self._clear_at)

    @property
    def _is_for_good(self) -> bool:
        return self._asked is not None and self._asked.end and self._view.step is DrainStep.DRAINED

    def view(self) -> DrainView:
        """How far it is."""
        return self._view

    def heard(self, news: DrainNews) -> None:
        """Somebody wants to update, or no longer."""
        now = self._clock.now()
        if self._is_for_good:
            return  # it is being ended
        match news:
            case DrainAsked() if now < self._put_off_until:
                self._over(DrainStep.PUT_OFF, news)
            case DrainAsked():
                self._asked, self._until = news, now + min(max(news.wait_ms, 0), LONGEST_MS)
                # Nobody waits to see a result where none is awaited.
                self._clear_at = None if self._is_under_way(news) else now
                self._view = DrainView(request_id=news.request_id)
                self.tick(now)
            case DrainLeft(request_id=request_id) if request_id == self._view.request_id:
                self._asked, self._view = None, DrainView()

    def put_off(self) -> None:
        """A manager said so: the till sells, and goes on selling for a while whoever asks; unless it is being ended."""
        self._put_off_until = self._clock.now() + PUT_OFF_MS
        if self._asked is not None and not self._is_for_good:
            self._over(DrainStep.PUT_OFF, self._asked)

    def tick(self, now: int) -> bool:
        """Looks what is still under way. True when there is news."""
        asked, before = self._asked, self._view
        if asked is None or self._is_for_good:
            return False
        if self._is_under_way(asked):
            self._clear_at = None
        elif self._clear_at is None:
            self._clear_at = now + SEEN_MS
        is_clear = self._clear_at is not None and self._clear_at <= now
        if now >= self._until and before.step is DrainStep.DRAINED:
            self._over(DrainStep.NONE, asked)
        elif now >= self._until and not is_clear:
            self._over(DrainStep.TOO_LATE, asked)
        else:
            self._view = DrainView(
                request_id=asked.request_id,
                step=DrainStep.DRAINED if is_clear else DrainStep.CLOSING,
                open=self._open(asked),
                busy=self._busy(),
                end=asked.end,
            )
        return self._view != before

    def _over(self, step: DrainStep, asked: DrainAsked) -> None:
        self._asked = None
        self._view = DrainView(request_id=asked.request_id, step=step, open=self._open(asked))

    def _is_under_way(self, asked: DrainAsked) -> bool:
        return bool(self._open(asked)) or self._busy()

    def _open(self, asked: DrainAsked) -> int:
        return sum(is_awaited(live.attempt, strict=asked.strict) for live in self._live_payments.lives)


def is_awaited(attempt: Attempt, *, strict: bool) -> bool:
    """Whether a till that closes waits for this payment.

    What the till has given up is in the journal and goes on behind the update: only `strict` waits for it. What
    needs a person's word waits for that however long a till stands still.
    """
    if attempt.is_open:
        return strict or attempt.gave_up_at is None
    return strict and attempt.state is State.UNRESOLVED
