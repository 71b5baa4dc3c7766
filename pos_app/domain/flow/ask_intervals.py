"""When to ask next: the intervals of docs/payment-rules.md, "Asking: how often"."""

from __future__ import annotations

import zlib

from pos_app.domain.attempt import MONEY, State
from pos_app.domain.flow.doubt import next_resend_at
from pos_app.domain.flow.pace import by_age, interval, interval_in_dispute
from pos_app.domain.flow.turn import Turn


def plan_next_ask(turn: Turn) -> None:
    """Fills in the next ask where none is planned or under way, and hurries it for a due re-send."""
    if turn.watch.asking:
        return
    if turn.watch.ask_at is None:
        wait = _wait(turn)
        if wait is None:
            return
        turn.plan(ask_at=turn.now + wait)
    resend_at = None if turn.watch.throttled_for is not None else next_resend_at(turn)
    if resend_at is not None and turn.now < resend_at < (turn.watch.ask_at or 0):
        turn.plan(ask_at=resend_at)


def _wait(turn: Turn) -> int | None:
    attempt, watch = turn.attempt, turn.watch
    if attempt.state is State.INTENT and (watch.silent_at is not None or not watch.initiating):
        return None
    if attempt.is_final or attempt.state is State.DISPUTED:
        wait = _wait_after_end(turn)
        return None if wait is None else _not_sooner(turn, wait)
    if watch.throttled_for is not None:
        return _not_sooner(turn, watch.throttled_for)
    wait = _back_off(turn) if watch.silences else interval(turn)
    return None if wait is None else _about(turn, wait)


def _about(turn: Turn, wait: int) -> int:
    """±10 %, the same for the same ask of the same attempt, so that a replay is exact."""
    return wait * (9_000 + _seed(turn)) // 10_000


def _not_sooner(turn: Turn, wait: int) -> int:
    """Up to 10 % more, where the wait is a promise or a distance that the rules name."""
    return wait * (20_000 + _seed(turn)) // 20_000


def _seed(turn: Turn) -> int:
    return zlib.crc32(f"{turn.attempt.attempt_id}/{turn.watch.asks}".encode()) % 2001


def _back_off(turn: Turn) -> int:
    if turn.now - turn.attempt.tapped_at >= turn.rules.back_off_young:
        return turn.rules.back_off_old
    delays = turn.rules.back_off
    return delays[min(turn.watch.silences, len(delays)) - 1]


def _wait_after_end(turn: Turn) -> int | None:
    """An ended attempt is asked about again: money may come late, PAID may be contradicted (rule 8)."""
    attempt, watch, rules = turn.attempt, turn.watch, turn.rules
    if attempt.state is State.REFUSED and not attempt.refusal_opened:
        return _wait_until_opened(turn)
    if attempt.state in MONEY and watch.contradictions:
        return rules.contradiction_spacing
    in_dispute = interval_in_dispute(turn)
    if in_dispute is not None:
        return in_dispute
    since = attempt.ended_at or attempt.tapped_at
    for delay in rules.rechecks:
        if since + delay > turn.now:
            return since + delay - turn.now
    if watch.silences and turn.now - since < 2 * rules.rechecks[-1]:
        return max(rules.back_off_old, watch.throttled_for or 0)
    return None


def _wait_until_opened(turn: Turn) -> int | None:
    """Rule 4: a refused attempt keeps its sale closed until one ask confirms that nothing exists."""
    checks = turn.rules.refusal_checks
    number = turn.watch.refusal_checks
    turn.plan(refusal_checks=number + 1)
    if turn.watch.throttled_for is not None:
        return turn.watch.throttled_for
    if number < len(checks):
        return checks[number]
    since = turn.attempt.ended_at or turn.attempt.tapped_at
    return by_age(turn.now - since, turn.rules.released_polling, None)
