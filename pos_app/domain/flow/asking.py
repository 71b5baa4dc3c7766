"""When to ask next: the intervals of payment-rules.md, "Asking: how often"."""

from __future__ import annotations

import zlib

from pos_app.domain.attempt import MONEY, State
from pos_app.domain.flow.doubt import next_resend_at
from pos_app.domain.flow.turn import Turn


def plan_next_ask(turn: Turn) -> None:
    """Fills in the next ask where none is planned or under way, and hurries it for a due re-send."""
    if turn.watch.asking:
        return
    if turn.watch.ask_at is None:
        wait = _wait(turn)
        if wait is None:
            return
        turn.plan(ask_at=turn.now + _jittered(turn, wait))
    resend_at = next_resend_at(turn)
    if resend_at is not None and turn.now < resend_at < (turn.watch.ask_at or 0):
        turn.plan(ask_at=resend_at)


def _jittered(turn: Turn, wait: int) -> int:
    """±10 %, the same for the same ask of the same attempt, so that a replay is exact."""
    seed = zlib.crc32(f"{turn.attempt.attempt_id}/{turn.watch.asks}".encode()) % 2001
    return wait * (9_000 + seed) // 10_000


def _wait(turn: Turn) -> int | None:
    attempt, watch, rules = turn.attempt, turn.watch, turn.rules
    if attempt.state is State.INTENT and watch.silent_at is None and not watch.initiating:
        return None
    if attempt.state is State.INTENT and watch.silent_at is not None:
        return None
    if attempt.is_final or attempt.state is State.DISPUTED:
        return _wait_after_end(turn)
    if watch.throttled_for is not None:
        return watch.throttled_for
    if watch.silences:
        return _back_off(turn)
    if attempt.http_status and not attempt.shown:
        return rules.http_refusal_spacing + rules.http_refusal_spacing // 5
    if attempt.progress_at is not None and turn.now - attempt.progress_at < rules.progress_burst[0]:
        return rules.progress_burst[1]
    if attempt.released_at is not None:
        return _by_age(turn.now - attempt.released_at, rules.released_polling, None)
    if attempt.cancel_wish is not None:
        return rules.polling[0][1]
    return _by_age(turn.now - (attempt.reply_at or attempt.tapped_at), rules.polling, rules.polling_last)


def _by_age(age: int, table: tuple[tuple[int, int], ...], beyond: int | None) -> int | None:
    for until, interval in table:
        if age < until:
            return interval
    return beyond


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
        return rules.contradiction_spacing + rules.contradiction_spacing // 5
    since = attempt.ended_at if attempt.ended_at is not None else attempt.tapped_at
    for delay in rules.rechecks:
        if since + delay > turn.now:
            return since + delay - turn.now
    if watch.silences and turn.now - since < 2 * rules.rechecks[-1]:
        return rules.back_off_old
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
    since = turn.attempt.ended_at if turn.attempt.ended_at is not None else turn.attempt.tapped_at
    return _by_age(turn.now - since, turn.rules.released_polling, None)
