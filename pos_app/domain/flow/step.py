"""The flow of one payment: events and what is known go in, what is then known and commands come out."""

from __future__ import annotations

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.commands import AttemptCommand
from pos_app.domain.events import (
    AnotherStarted,
    AttemptEvent,
    CancelAnswered,
    ConnectionReturned,
    InitiateAnswered,
    SignInRenewed,
    StatusAnswered,
    Superseded,
    TillStarted,
    TimeCame,
)
from pos_app.domain.flow.cancellation import cancel_answered, give_way
from pos_app.domain.flow.commands import wished
from pos_app.domain.flow.doubt import may_resend
from pos_app.domain.flow.elsewhere import come_home, step_elsewhere
from pos_app.domain.flow.initiation import initiate_answered
from pos_app.domain.flow.rules import Rules
from pos_app.domain.flow.status import status_answered
from pos_app.domain.flow.timers import settle, time_came
from pos_app.domain.flow.turn import Turn
from pos_app.domain.flow.watch import Live, Outcome
from pos_app.domain.origins import is_elsewhere


def begin(attempt: Attempt, now: int, rules: Rules) -> Outcome:
    """A new attempt, whose intent must be durable before the returned commands are carried out (rule 1)."""
    turn = Turn(Live(attempt), now, rules)
    turn.path.append(State.INTENT)
    turn.send_initiate(resend=False)
    settle(turn)
    return _outcome(turn, durable=True)


def step(live: Live, event: AttemptEvent | AttemptCommand, now: int, rules: Rules) -> Outcome:
    """One event. `now` is till time in ms, never running backwards. IllegalTransitionError: our bug."""
    turn = Turn(live, now, rules)
    if is_elsewhere(live.attempt, rules.origin):
        step_elsewhere(turn, event)
        return _outcome(turn, durable=turn.attempt != live.attempt)
    come_home(turn)
    match event:
        case TimeCame():
            time_came(turn)
        case StatusAnswered():
            status_answered(turn, event.reply)
        case InitiateAnswered():
            initiate_answered(turn, event)
        case CancelAnswered():
            cancel_answered(turn, event.reply)
        case TillStarted():
            _till_started(turn)
        case SignInRenewed():
            _sign_in_renewed(turn, event)
        case ConnectionReturned():
            _connection_returned(turn, event)
        case AnotherStarted():
            turn.note(released_at=turn.attempt.released_at or now)
        case Superseded():
            give_way(turn)
        case _:
            wished(turn, event)
    settle(turn)
    return _outcome(turn, durable=turn.attempt != live.attempt or _chosen(live, turn))


def _chosen(before: Live, turn: Turn) -> bool:
    """A person's word for which bytes may go out again: written, even where it changes no fact by itself."""
    close = turn.watch.closing_wanted and not before.watch.closing_wanted
    after_start = before.watch.from_before_restart and not turn.watch.from_before_restart
    return close or after_start


def _outcome(turn: Turn, *, durable: bool) -> Outcome:
    return Outcome(Live(turn.attempt, turn.watch), tuple(turn.effects), tuple(turn.path), durable)


def _till_started(turn: Turn) -> None:
    """Rule 12: ask first; an intent may or may not have left, so it is in doubt."""
    turn.plan(from_before_restart=True, taken_up_at=turn.now)
    if turn.attempt.state is State.INTENT:
        turn.to(State.IN_DOUBT)
    if turn.attempt.state is State.IN_DOUBT:
        turn.plan(doubt_at=turn.now)
    if not turn.attempt.is_final or (turn.attempt.state is State.REFUSED and not turn.attempt.refusal_opened):
        turn.plan(start_until=turn.now + turn.rules.start_ask_wait)
        turn.ask()


def _connection_returned(turn: Turn, event: ConnectionReturned) -> None:
    turn.plan(silences=0)
    _take_place(turn, event.ask_at)


def _take_place(turn: Turn, at: int) -> None:
    """Where many are asked about, one after the other, since the service answers again."""
    if turn.watch.throttled_for is not None:
        return
    planned = turn.watch.ask_at
    if turn.watch.has_place and planned is not None:
        # On a line that comes and goes who is far behind would be put off each time, and never asked about.
        at = min(at, planned)
    turn.plan(ask_at=at, has_place=True)


def _sign_in_renewed(turn: Turn, event: SignInRenewed) -> None:
    """Rule 19: an initiate that met the refused sign-in goes again at once; others wait for rule 3."""
    turn.plan(silences=0)
    if turn.watch.unauthorised and may_resend(turn):
        turn.send_initiate(resend=True)
    elif not turn.attempt.is_final:
        _take_place(turn, turn.now if event.ask_at is None else event.ask_at)
