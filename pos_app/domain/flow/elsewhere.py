"""Rule 10: an attempt opened at another service than the settings name. Nothing is asked or sent for it."""

from __future__ import annotations

from pos_app.domain.attempt import Reason, State
from pos_app.domain.commands import Answer, AttemptCommand, Cancel, Close, LeavePanel, Park
from pos_app.domain.events import AnotherStarted, AttemptEvent, Superseded
from pos_app.domain.flow.commands import wished
from pos_app.domain.flow.turn import Turn
from pos_app.domain.flow.watch import Watch
from pos_app.domain.origins import set_aside
from pos_app.domain.people import TERMINAL


def step_elsewhere(turn: Turn, event: AttemptEvent | AttemptCommand) -> None:
    """A wish is written down for the day its own service is asked again; a reply is not listened to.

    Whatever the service that the settings now name says of this id, it says of another transaction, or lies.
    """
    turn.watch = Watch(from_before_restart=True)
    aside = set_aside(turn.attempt, turn.rules.origin)
    if aside is not turn.attempt:
        turn.to(State.UNRESOLVED, Reason.OTHER_ORIGIN)
        turn.attempt = aside
    match event:
        case Cancel(who=who) | Close(who=who) if not turn.attempt.is_final:
            turn.wish_cancel(who)
        case Superseded() if not turn.attempt.is_final and turn.attempt.cancel_wish is None:
            turn.wish_cancel(TERMINAL)
        case AnotherStarted():
            turn.note(released_at=turn.attempt.released_at or turn.now)
        case Park() | LeavePanel() | Answer():
            wished(turn, event)


def come_home(turn: Turn) -> None:
    """The settings name its service again: from here on it is one that has not been answered for a while."""
    attempt = turn.attempt
    if attempt.state is State.UNRESOLVED and attempt.reason is Reason.OTHER_ORIGIN:
        gave_up = attempt.shown and attempt.gave_up_at is not None
        turn.note(reason=Reason.GAVE_UP if gave_up else Reason.NO_ANSWER, other_origin="")
