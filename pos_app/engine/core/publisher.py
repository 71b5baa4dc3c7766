"""What the engine shows: builds the frozen pictures and publishes one only when it differs from the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pos_app.domain.attempt import Attempt
from pos_app.domain.flow import Live
from pos_app.domain.flow.rules import Rules
from pos_app.domain.sale import may_start_another
from pos_app.domain.views import Activity, AttemptChanged, Block, Connection, Terminal
from pos_app.engine.connection.monitor import ConnectionMonitor
from pos_app.engine.core.counter_day import CounterDay
from pos_app.engine.core.draining import Draining
from pos_app.engine.core.identity import Identity
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.core.reconciliation import Reconciliation
from pos_app.engine.core.refund_notes import RefundNotes
from pos_app.engine.core.store_desk import StoreDesk
from pos_app.engine.printing.queue import PrintQueue
from pos_app.engine.staff.authentication import Authentication

RECENT = 5

MANY = 200
"""From so many payments in hand on the picture of the terminal is not drawn anew at each change of one of them."""

PACE_MS = 500
"""Between two of its pictures then."""

TIMES_S = 10
"""So often the times of a payment that is asked about are shown anew: a window's clock sleeps with its machine."""


class Desks(NamedTuple):
    """Who, beside the payments, has a part in the picture of the terminal."""

    authentication: Authentication
    identity: Identity
    day: CounterDay
    reconciliation: Reconciliation
    printing: PrintQueue
    notes: RefundNotes
    draining: Draining
    store: StoreDesk


class Publisher:
    """Publishes AttemptChanged and Terminal; owns the list of the last payments."""

    def __init__(
        self,
        ports: Ports,
        live_payments: LivePayments,
        connection: ConnectionMonitor,
        desks: Desks,
        rules: Rules,
    ) -> None:
        self._journal = ports.journal
        self._live_payments = live_payments
        self._connection = connection
        self._desks = desks
        self._clock = ports.clock
        self._publish = ports.publish
        self._rules = rules
        self._recent: list[Attempt] = []
        self._shown: dict[str, tuple[Attempt, tuple[object, ...]]] = {}
        self._terminal: Terminal | None = None
        self._drawn_at = 0
        self._ended_shown = ""
        self.due_at: int | None = None
        """When a picture that was put off is drawn (till time, ms)."""

    @property
    def sizes(self) -> dict[str, int]:
        """How many payments are kept to tell news from what was shown before, and for the list of the newest."""
        return {"shown": len(self._shown), "recent": len(self._recent)}

    def start(self) -> None:
        """Reads what the journal knows of the last payments."""
        known = {live.attempt.attempt_id: live.attempt for live in self._live_payments.lives}
        nothing: Sequence[Attempt] = ()
        recent = self._live_payments.read(lambda: self._journal.recent(RECENT), nothing)
        self._recent = [known.get(each.attempt_id, each) for each in recent]

    def attempt(self, live: Live, block: Block) -> None:
        """An attempt after an event."""
        attempt, activity = self._live_payments.to_show(live.attempt), self._activity(live)
        changed = self._changed(attempt, activity)
        beside = () if changed is None else (changed.sale, changed.siblings, changed.may_start_another)
        shown, news = self._shown.get(attempt.attempt_id), (attempt, (*beside, *_news(activity)))
        if shown != news:
            self._shown[attempt.attempt_id] = news
            if changed is not None:
                self._publish(changed)
        if shown is None or shown[0] != attempt:
            self._note_recent(attempt)
            self.terminal(block)
        if attempt.is_final and not attempt.needs_answer and not activity.asking:
            # Of those that have ended the last one alone is kept.
            if self._ended_shown != attempt.attempt_id:
                self._shown.pop(self._ended_shown, None)
            self._ended_shown = attempt.attempt_id

    def _changed(self, attempt: Attempt, activity: Activity) -> AttemptChanged | None:
        """None only while the journal cannot be read and has not been since the attempt was taken up."""
        siblings = self._live_payments.known_attempts_of(attempt.sale_id)
        sale = self._live_payments.sale(attempt.sale_id)
        if sale is None:
            return None
        return AttemptChanged(
            attempt=attempt,
            sale=sale,
            siblings=tuple(each for each in siblings if each.attempt_id != attempt.attempt_id),
            activity=activity,
            may_start_another=may_start_another(siblings)
            and not self._live_payments.sending(attempt.sale_id),
        )

    def _activity(self, live: Live) -> Activity:
        watch, now = live.watch, self._clock.now()
        fresh = now - live.attempt.tapped_at <= self._rules.resend_until
        return Activity(
            sending=watch.initiating,
            asking=watch.asking,
            cancelling=watch.cancelling,
            connection=self._connection.connection,
            next_ask_in_s=None if watch.ask_at is None else max(0, watch.ask_at - now) / 1000,
            ask_code=watch.ask_code,
            elapsed_s=(now - live.attempt.tapped_at) / 1000,
            gives_up_in_s=self._left(live, now),
            extended=watch.extended,
            from_before_restart=watch.from_before_restart,
            may_continue=watch.from_before_restart and live.attempt.is_open and fresh,
        )

    def _left(self, live: Live, now: int) -> float | None:
        """How long the customer still has, while the till waits for one."""
        attempt = live.attempt
        if not attempt.is_open or attempt.gave_up_at is not None or attempt.cancel_wish is not None:
            return None
        extension = self._rules.extension if live.watch.extended else 0
        until = attempt.tapped_at + attempt.give_up_after_ms + extension
        return max(0, until - now) / 1000

    def _note_recent(self, attempt: Attempt) -> None:
        for place, known in enumerate(self._recent):
            if known.attempt_id == attempt.attempt_id:
                self._recent[place] = attempt
                return
        if not self._recent or attempt.tapped_at >= self._recent[0].tapped_at:
            self._recent = [attempt, *self._recent][:RECENT]

    def tick(self, block: Block) -> None:
        """Draws what was put off."""
        if self.due_at is not None and self.due_at <= self._clock.now():
            self._draw(block)

    def terminal(self, block: Block) -> None:
        """The terminal at a glance, if anything in it changed; with many payments in hand not at each change."""
        before = self._terminal
        is_news = (
            before is None
            or before.block is not block
            or before.signed_in != self._desks.authentication.signed_in
            or before.locked != self._desks.authentication.locked
        )
        if (
            is_news
            or self._live_payments.in_hand_count <= MANY
            or self._clock.now() >= self._drawn_at + PACE_MS
        ):
            self._draw(block)
        elif self.due_at is None:
            self.due_at = self._drawn_at + PACE_MS

    def _detail_of(self, block: Block) -> str:
        if block is Block.NO_TOKEN:
            return self._connection.no_token
        return (
            ""
            if self._live_payments.lock_lost
            else self._live_payments.damage or self._live_payments.halt_detail
        )

    def _draw(self, block: Block) -> None:
        self._drawn_at, self.due_at = self._clock.now(), None
        attempts = sorted(
            (self._live_payments.to_show(live.attempt) for live in self._live_payments.lives),
            key=lambda each: each.tapped_at,
        )
        picture = Terminal(
            connection=self._connection.connection,
            block=block,
            block_detail=self._detail_of(block),
            people=self._desks.authentication.people,
            signed_in=self._desks.authentication.signed_in,
            open=tuple(each for each in attempts if each.is_open),
            attention=tuple(each for each in attempts if each.needs_answer),
            recent=tuple(self._recent),
            overpaid=self._live_payments.overpaid,
            notes=self._desks.notes.open,
            notes_more=self._desks.notes.more,
            rebuilt=self._live_payments.rebuilt,
            locked=self._desks.authentication.locked,
            sessions=self._desks.authentication.sessions,
            new_identity=self._desks.identity.news_for(
                None if self._desks.authentication.locked else self._desks.authentication.signed_in
            ),
            day=self._desks.day.view(),
            recon=self._desks.reconciliation.view(),
            printing=self._desks.printing.view(),
            drain=self._desks.draining.view(),
            store=self._desks.store.view(),
        )
        if picture != self._terminal:
            self._terminal = picture
            self._publish(picture)


def _news(activity: Activity) -> tuple[object, ...]:
    """What can be seen of it. Times pass by themselves on the screen, and are told anew now and then.

    Where the line is well nobody sees that the till asks: to show each ask, and each answer that says the same as
    the one before, was most of what a poll took.
    """
    is_well = activity.connection is Connection.CONNECTED and not activity.ask_code
    return (
        activity.sending,
        activity.cancelling,
        activity.connection,
        activity.ask_code,
        activity.may_continue,
        activity.extended,
        None if is_well else (activity.asking, activity.next_ask_in_s is None),
        activity.elapsed_s // TIMES_S,
    )
