"""What people's wishes do to an attempt: cancel, check, park, continue, close, answer."""

from __future__ import annotations

from pos_app.domain.attempt import ATTENTION, NOTE_MOST, Resolution, State
from pos_app.domain.commands import (
    Answer,
    AttemptCommand,
    Cancel,
    CheckNow,
    Close,
    Continue,
    LeavePanel,
    Park,
)
from pos_app.domain.flow.cancellation import take_command
from pos_app.domain.flow.doubt import may_resend
from pos_app.domain.flow.turn import Turn


def wished(turn: Turn, command: AttemptCommand) -> None:
    """A person's wish about this attempt."""
    match command:
        case Cancel(who=who):
            _cancel(turn, who, close=False)
        case Close(who=who):
            _cancel(turn, who, close=True)
        case CheckNow(at_closing=at_closing):
            turn.plan(silences=0, throttled_for=None, at_closing=turn.watch.at_closing or at_closing)
            turn.ask()
        case Park(note=note):
            if not turn.attempt.is_final:
                noted = turn.attempt.note if note is None else note[:NOTE_MOST]
                turn.note(parked=True, note=noted)
        case LeavePanel():
            if turn.attempt.state is State.UNRESOLVED and turn.attempt.released_at is None:
                turn.note(released_at=turn.now, parked=True)
        case Continue():
            _continue(turn)
        case _:
            _answer(turn, command)


def _cancel(turn: Turn, who: str, *, close: bool) -> None:
    if turn.attempt.is_final:
        return
    turn.plan(from_before_restart=False, closing_wanted=turn.watch.closing_wanted or close)
    take_command(turn, who)


def _continue(turn: Turn) -> None:
    """Rule 12: the bytes go again only while the tap is at most 60 s old; else only asking."""
    turn.plan(from_before_restart=False)
    if may_resend(turn):
        turn.send_initiate(resend=True)
    turn.ask()


def _answer(turn: Turn, command: Answer) -> None:
    """Completing or refunding a late payment, or signing off what nobody can settle by asking."""
    answered = Resolution(command.action, command.name, command.reason, turn.now)
    if command.action in ("complete", "refund") and turn.attempt.needs_answer:
        if turn.attempt.state not in ATTENTION:
            turn.note(resolution=answered)
    elif command.action in ("paid", "not_paid") and turn.attempt.state in ATTENTION:
        turn.to(State.SIGNED_OFF, turn.attempt.reason, resolution=answered)
        turn.hold_back()
