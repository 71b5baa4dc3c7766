"""How far apart asks are while nothing is wrong, and how a service that is busy slows them down."""

from __future__ import annotations

from pos_app.domain.attempt import State
from pos_app.domain.flow.rules import MINUTE
from pos_app.domain.flow.statuses import MERCHANT_INITIATED
from pos_app.domain.flow.turn import Turn
from pos_app.domain.replies import NoAnswer


def interval(turn: Turn) -> int | None:
    """The wait (ms) between two asks of an attempt that has not ended; None when only closing asks again."""
    attempt, rules = turn.attempt, turn.rules
    if attempt.http_status and not attempt.shown:
        return rules.http_refusal_spacing + rules.http_refusal_spacing // 5
    if attempt.progress_at is not None and turn.now - attempt.progress_at < rules.progress_burst[0]:
        return rules.progress_burst[1]
    if attempt.released_at is not None:
        # A payment that lay open while the till was off is looked for as closely as one just let go (I7).
        since = max(attempt.released_at, turn.watch.taken_up_at or 0)
        return by_age(turn.now - since, rules.released_polling, None)
    if attempt.cancel_wish is not None:
        return rules.polling[0][1]
    return by_age(turn.now - (attempt.reply_at or attempt.tapped_at), rules.polling, rules.polling_last)


def interval_in_dispute(turn: Turn) -> int | None:
    """A disputed attempt that could still take money is asked about while its cancel wish stands (rule 6)."""
    attempt = turn.attempt
    if attempt.state is not State.DISPUTED or attempt.cancel_wish is None:
        return None
    if attempt.service_status != MERCHANT_INITIATED:
        return None
    return by_age(turn.now - attempt.cancel_wish.at, turn.rules.released_polling, None)


def by_age(age: int, table: tuple[tuple[int, int], ...], beyond: int | None) -> int | None:
    """The interval of the first row whose limit the age has not reached."""
    for until, wait in table:
        if age < until:
            return wait
    return beyond


def slow_down(turn: Turn, silence: NoAnswer) -> None:
    """429: the wait it asks for (clamped by the services to 1-60 s), else twice the interval of before."""
    before = turn.watch.throttled_for or interval(turn) or MINUTE
    doubled = min(2 * before, max(MINUTE, before))
    asked_for = None if silence.retry_after_s is None else int(silence.retry_after_s * 1000)
    turn.plan(throttled_for=asked_for or doubled, ask_at=None)
