"""What people's wishes do to an attempt: cancel, check, park, continue, close, answer."""

from __future__ import annotations

from pos_app.domain.attempt import ATTENTION, Resolution, State
from pos_app.domain.flow.cancelling import take_wish
from pos_app.domain.flow.doubt import may_resend
from pos_app.domain.flow.turn import Turn
from pos_app.domain.wishes import Answer, AttemptWish, Cancel, CheckNow, Close, Continue, LeavePanel, Park


def wished(turn: Turn, wish: AttemptWish) -> None:
    """A person's wish about this attempt."""
    match wish:
        case Cancel(who=who):
            _cancel(turn, who, close=False)
        case Close(who=who):
            _cancel(turn, who, close=True)
        case CheckNow():
            turn.plan(silences=0, throttled_for=None)
            turn.ask()
        case Park():
            if not turn.attempt.is_final:
                turn.note(parked=True)
        case LeavePanel():
            if turn.attempt.state is State.UNRESOLVED and turn.attempt.released_at is None:
                turn.note(released_at=turn.now, parked=True)
        case Continue():
            _continue(turn)
        case _:
            _answer(turn, wish)


def _cancel(turn: Turn, who: str, *, close: bool) -> None:
    if turn.attempt.is_final:
        return
    turn.plan(from_before_restart=False, closing_wanted=turn.watch.closing_wanted or close)
    take_wish(turn, who)


def _continue(turn: Turn) -> None:
    """Rule 12: the bytes go again only while the tap is at most 60 s old; else only asking."""
    turn.plan(from_before_restart=False)
    if may_resend(turn):
        turn.send_initiate(resend=True)
    turn.ask()


def _answer(turn: Turn, wish: Answer) -> None:
    """Completing or refunding a late payment, or signing off what nobody can settle by asking."""
    answered = Resolution(wish.action, wish.name, wish.reason, turn.now)
    if wish.action in ("complete", "refund") and turn.attempt.needs_answer:
        if turn.attempt.state not in ATTENTION:
            turn.note(resolution=answered)
    elif wish.action in ("paid", "not_paid") and turn.attempt.state in ATTENTION:
        turn.to(State.SIGNED_OFF, turn.attempt.reason, resolution=answered)
