"""Wrong tills that send, write or ask when they should not, or do not when they should."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pos_app.domain import ids
from pos_app.domain.attempt import State
from pos_app.domain.flow.turn import Turn
from pos_app.domain.record import Record
from pos_app.engine.core import live_payments, payment_opener, publisher
from pos_app.engine.core.effect_dispatcher import EffectDispatcher
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.startup import Startup
from tests.verification.simulation.journal import SimJournal
from tests.verification.simulation.planting import Planter, flow


def new_id_on_retry(planter: Planter) -> None:
    """The re-send goes out under a new id."""

    def wrong(self: Any, effect: Any) -> None:
        if effect.resend:
            body = self._opener.body(effect.attempt_id) or b""
            other = body.replace(b"-1-", b"-7-")
            self._calls.initiate(effect.attempt_id, effect.kind, other, resend=True, within_ms=None)
        else:
            right(self, effect)

    right = planter.put(EffectDispatcher, "_initiate", wrong)


def body_made_anew(planter: Planter) -> None:
    """The re-send carries the time of the re-send."""

    def wrong(self: Any, effect: Any) -> None:
        if effect.resend:
            body = self._opener.body(effect.attempt_id) or b""
            other = body.replace(b'"transactionDateTime":"2', b'"transactionDateTime":"3')
            self._calls.initiate(effect.attempt_id, effect.kind, other, resend=True, within_ms=None)
        else:
            right(self, effect)

    right = planter.put(EffectDispatcher, "_initiate", wrong)


def journal_after_send(planter: Planter) -> None:
    """The intent is written with what came of the request, and not before it is sent."""
    held: list[Record] = []

    def commit(self: Any, records: Sequence[Record]) -> bool:
        if any(record.kind == "INTENT" for record in records):
            held.extend(records)
            return True
        written = bool(right(self, [*held, *records]))
        if written:
            held.clear()
        return written

    right = planter.put(LivePayments, "commit", commit)


def full_disk_ignored(planter: Planter) -> None:
    """What could not be written is done all the same."""

    def wrong(self: Any, records: Sequence[Record]) -> bool:
        right(self, records)
        return True

    right = planter.put(LivePayments, "_append", wrong)


def not_synced(planter: Planter) -> None:
    """The disk is not asked to sync each commit."""

    def wrong(self: SimJournal, *args: Any) -> None:
        right(self, *args)
        self.synced_every = 5

    right = planter.put(SimJournal, "__init__", wrong)


def two_attempts_open(planter: Planter) -> None:
    """Another attempt may start whenever somebody taps."""
    planter.put(payment_opener, "may_start_another", lambda _: True)


def gives_up_as_failed(planter: Planter) -> None:
    """After five minutes it has failed."""

    def wrong(turn: Turn) -> None:
        before = turn.attempt.state
        turn.path.extend([before, State.FAILED] if not turn.path else [State.FAILED])
        turn.note(state=State.FAILED, gave_up_at=turn.now, released_at=turn.now, ended_at=turn.now)

    planter.put(flow("timers"), "_give_up", wrong)


def stops_asking_at_give_up(planter: Planter) -> None:
    """Who has given up need not know."""
    asking = flow("ask_intervals")

    def wrong(turn: Turn) -> int | None:
        return None if turn.attempt.gave_up_at is not None else right(turn)

    right = planter.put(asking, "_wait", wrong)


def polling_stops_when_parked(planter: Planter) -> None:
    """Asking depends on the screen that is open: a lock, a parked payment stop it."""

    def wrong(self: Any, outcome: Any) -> Any:
        wider = right(self, outcome)
        if outcome.live.attempt.parked:
            self.wakes.pop(outcome.live.attempt.attempt_id, None)
        return wider

    right = planter.put(EffectDispatcher, "carry_out", wrong)


def forgets_doubts_at_restart(planter: Planter) -> None:
    """After a restart only what the service had shown is taken up."""

    def wrong(self: SimJournal) -> Sequence[Any]:
        return [each for each in right(self) if each.shown]

    right = planter.put(SimJournal, "open_attempts", wrong)


def forgets_wishes_at_restart(planter: Planter) -> None:
    """A cancel wish is remembered by the process alone."""

    def wrong(self: LivePayments, attempts: Sequence[Any], overpaid: Sequence[Any]) -> None:
        right(self, [replace(each, cancel_wish=None) for each in attempts], overpaid)

    right = planter.put(LivePayments, "take_up", wrong)


def opens_before_reading(planter: Planter) -> None:
    """A journal that cannot be read at start is taken for an empty one."""

    def wrong(self: Any) -> bool:
        right(self)
        self.again_at = None
        return True

    right = planter.put(Startup, "take_up", wrong)


def resends_after_the_wish(planter: Planter) -> None:
    """5009: the same bytes again, whatever the cashier wants."""
    doubt = flow("doubt")

    def wrong(turn: Turn) -> None:
        if not turn.attempt.shown and not turn.watch.initiating:
            turn.send_initiate(resend=True)
        else:
            right(turn)

    right = planter.put(doubt, "_not_found", wrong)


def cancel_once(planter: Planter) -> None:
    """One cancel is sent; whether it came is not looked after."""
    cancelling, status = flow("cancellation"), flow("status")

    def wrong(turn: Turn) -> None:
        if turn.watch.last_cancel_at is None:
            right(turn)

    right = planter.put(cancelling, "cancel_if_wished", wrong)
    planter.put(status, "cancel_if_wished", wrong)
    planter.put(flow("timers"), "cancel_if_wished", wrong)


def failed_scan_is_final(planter: Planter) -> None:
    """Verification Fail closes the attempt."""
    status = flow("status")

    def wrong(turn: Turn) -> None:
        right(turn)
        if turn.attempt.state is State.WAITING:
            turn.to(State.FAILED)

    right = planter.put(status, "_verification_failed", wrong)


def sale_number_from_the_clock(planter: Planter) -> None:
    """Sales are numbered by the wall clock."""

    def wrong(charge: Any, amount: Any, config: Any, journal: Any, now: int) -> Any:
        sale = right(charge, amount, config, journal, now)
        return replace(sale, sale_id=ids.sale_id(now // 60_000 % 10_000))

    right = planter.put(payment_opener, "new_sale", wrong)


def id_without_installation(planter: Planter) -> None:
    """Attempt ids name the sale only, and nothing drawn: every counter has a sale 0001."""

    def wrong(environment: Any, _: str, sale_id: str, number: int, _random: str) -> str:
        return str(right(environment, "22222222", sale_id, number, "222222"))

    right = planter.put(ids, "attempt_id", wrong)


def second_payment_untold(planter: Planter) -> None:
    """Nobody is told that a sale was paid twice."""
    planter.put(live_payments, "is_overpaid", lambda _: False)


def bound_to_the_current_sale(planter: Planter) -> None:
    """An answer goes to the payment that is on the screen."""

    def wrong(self: Any, event: Any) -> None:
        lives = [live.attempt.attempt_id for live in self._live_payments.lives]
        if lives and hasattr(event, "reply") and event.attempt_id in lives:
            event = replace(event, attempt_id=lives[-1])
        right(self, event)

    right = planter.put(Engine, "_of_attempt", wrong)


def late_payment_unlisted(planter: Planter) -> None:
    """A late payment is written and shown to nobody."""

    def wrong(**facts: Any) -> Any:
        facts["attention"] = tuple(each for each in facts["attention"] if each.state is not State.PAID_LATE)
        return right(**facts)

    right = planter.put(publisher, "Terminal", wrong)


def resends_at_start(planter: Planter) -> None:
    """A doubt from before the start is re-sent by the till itself."""
    step = flow("step")

    def wrong(turn: Turn) -> None:
        right(turn)
        turn.plan(from_before_restart=False)

    right = planter.put(step, "_till_started", wrong)


def cancels_in_a_storm(planter: Planter) -> None:
    """While the service says initiated, every ask sends another cancel."""
    status = flow("status")

    def wrong(turn: Turn) -> None:
        if turn.attempt.cancel_wish is not None and not turn.attempt.is_final and not turn.watch.cancelling:
            turn.send_cancel()

    planter.put(status, "cancel_if_wished", wrong)


def resends_for_ever(planter: Planter) -> None:
    """5009: the same bytes again, as long as it takes."""
    doubt = flow("doubt")

    def wrong(turn: Turn) -> None:
        waiting = turn.attempt.cancel_wish is None and not turn.attempt.shown
        if waiting and turn.attempt.state is State.IN_DOUBT and not turn.watch.initiating:
            turn.send_initiate(resend=True)
        else:
            right(turn)

    right = planter.put(doubt, "_not_found", wrong)
