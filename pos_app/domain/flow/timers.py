"""Rule 7 and the other things that happen because time passes: giving up, becoming unresolved, waking."""

from __future__ import annotations

from pos_app.domain.attempt import Reason, State
from pos_app.domain.effects import WakeAt
from pos_app.domain.flow.ask_intervals import plan_next_ask
from pos_app.domain.flow.cancellation import cancel_if_wished, cancel_lost_qr, close_if_wished
from pos_app.domain.flow.turn import Turn
from pos_app.domain.people import TERMINAL


def time_came(turn: Turn) -> None:
    """Does whatever has become due."""
    watch, now = turn.watch, turn.now
    if _due(watch.connect_at, now):
        _connect_again(turn)
    if _due(watch.silent_at, now):
        turn.plan(silent_at=None, ask_at=now)
    if _due(give_up_at(turn), now):
        _give_up(turn)
    if _due(turn.watch.cancel_at, now):
        turn.plan(cancel_at=None)
        if turn.attempt.shown:
            cancel_if_wished(turn)
    if _due(_unresolved_at(turn), now):
        _unresolved(turn)
    if _due(turn.watch.ask_at, now):
        turn.ask()


def _connect_again(turn: Turn) -> None:
    """Rule 2's next try to connect, unless it comes too late: a machine that slept wakes beyond every limit at once.

    Whoever was to pay has gone by then, and a wish in the same turn would have the bytes leave behind it (I1c).
    """
    is_late = turn.now - turn.attempt.tapped_at > turn.rules.resend_until
    if is_late or _due(give_up_at(turn), turn.now):
        turn.to(State.NOT_SENT, Reason.NO_CONNECTION)
    else:
        turn.send_initiate(resend=False)


def _due(at: int | None, now: int) -> bool:
    return at is not None and at <= now


def give_up_at(turn: Turn) -> int | None:
    """When the till lets go of this attempt (till time, ms); None when it has, or has reached an end."""
    attempt = turn.attempt
    if attempt.is_final or attempt.gave_up_at is not None or attempt.state is State.DISPUTED:
        return None
    extension = turn.rules.extension if turn.watch.extended else 0
    return _once_asked(turn, attempt.tapped_at + attempt.give_up_after_ms + extension)


def _once_asked(turn: Turn, due: int) -> int:
    """Rule 12: a till that has just started asks first; what time has settled meanwhile comes after."""
    return max(due, turn.watch.start_until or due)


def _give_up(turn: Turn) -> None:
    """Last ask and cancel wish back to back; the cancel waits at most 2 s for the ask."""
    attempt = turn.attempt
    if attempt.extendable and attempt.progress_at is not None and not turn.watch.extended:
        turn.plan(extended=True)
        if not _due(give_up_at(turn), turn.now):
            return
    turn.note(gave_up_at=turn.now, released_at=attempt.released_at or turn.now)
    if attempt.cancel_wish is None:
        turn.wish_cancel(TERMINAL)
    turn.plan(cancel_at=turn.now + turn.rules.give_up_ask_wait, silences=0, replace_wanted=False)
    if attempt.state is State.INTENT and not turn.watch.initiating:
        turn.to(State.NOT_SENT, reason=Reason.NO_CONNECTION)
        return
    turn.ask()
    if not attempt.shown:
        close_if_wished(turn)


def _unresolved_at(turn: Turn) -> int | None:
    attempt, rules = turn.attempt, turn.rules
    if not attempt.is_open:
        return None
    limits = []
    if attempt.gave_up_at is not None:
        limits.append(attempt.gave_up_at + rules.unresolved_after_give_up)
    if attempt.state is State.IN_DOUBT:
        limits.append(attempt.tapped_at + rules.doubt_limit)
    if turn.watch.unknown_since is not None:
        limits.append(turn.watch.unknown_since + rules.unknown_limit)
    return _once_asked(turn, min(limits)) if limits else None


def _unresolved(turn: Turn) -> None:
    if turn.watch.unknown_since is not None:
        reason = Reason.UNKNOWN_STATUS
    elif turn.attempt.shown:
        reason = Reason.GAVE_UP
    else:
        reason = Reason.NO_ANSWER
    turn.to(State.UNRESOLVED, reason)


def settle(turn: Turn) -> None:
    """Closes a turn: notices a lost QR, plans the next ask, sets one WakeAt for what comes first."""
    cancel_lost_qr(turn)
    plan_next_ask(turn)
    watch = turn.watch
    # An ask that is due while one is under way goes out when that one is answered.
    dues = [None if watch.asking else watch.ask_at, watch.cancel_at, give_up_at(turn)]
    if turn.attempt.is_open:
        dues += [watch.connect_at, watch.silent_at, _unresolved_at(turn)]
    at = min([due for due in dues if due is not None], default=None)
    if at is not None:
        turn.effects.append(WakeAt(turn.attempt.attempt_id, max(at, turn.now)))
