"""What a refusal of an ask and a missing answer do: rules 2 to 4. No answer is not "failed"."""

from __future__ import annotations

from pos_app.domain.attempt import OPEN, Flag, Reason, State
from pos_app.domain.flow.cancellation import close_if_wished
from pos_app.domain.flow.pace import slow_down
from pos_app.domain.flow.rules import KNOWN_CODES, MISCONFIGURED, NOT_FOUND, SET_UP_REFUSALS
from pos_app.domain.flow.turn import Turn
from pos_app.domain.replies import NoAnswer, Refused, Why


def ask_unanswered(turn: Turn, reply: NoAnswer) -> None:
    """Keep the state, ask again later; 429 and a waiting time slow the asking down."""
    turn.plan(silences=turn.watch.silences + 1)
    if reply.why is Why.SIGN_IN:
        turn.flag(Flag.SIGN_IN_REFUSED)
    if reply.why is Why.SLOW_DOWN:
        slow_down(turn, reply)
    elif turn.watch.throttled_for is not None:
        # It may still be busy, but the wait that it asked for is over: no slower than a lost line (I7).
        turn.plan(throttled_for=min(turn.watch.throttled_for, turn.rules.back_off_old))
    if reply.why is Why.HTTP and reply.http_status == turn.attempt.http_status:
        _http_refusal_confirmed(turn, not_found=False)


def ask_refused(turn: Turn, reply: Refused, *, overtaken: bool) -> None:
    """The code table's column for asks. `overtaken`: an initiate came back since this ask left."""
    state, code = turn.attempt.state, reply.code
    turn.plan(ask_code=code if code in SET_UP_REFUSALS or code not in KNOWN_CODES else "")
    if code == NOT_FOUND and not turn.attempt.shown and (overtaken or turn.watch.initiating):
        # Rule 2: beside an initiate, 5009 means nothing; ask again once it is back.
        if overtaken:
            turn.ask_soon()
    elif state is State.REFUSED:
        if code == NOT_FOUND or (turn.attempt.code in SET_UP_REFUSALS and code in SET_UP_REFUSALS):
            turn.note(refusal_opened=True)
    elif code == NOT_FOUND:
        _not_found(turn)
    elif code in MISCONFIGURED:
        turn.plan(misconfigured=turn.watch.misconfigured + 1)
        if turn.watch.misconfigured >= turn.rules.tolerance and state in OPEN:
            turn.to(State.UNRESOLVED, Reason.MISCONFIGURED)
    elif code in SET_UP_REFUSALS:
        turn.flag(Flag.ASK_NOT_ALLOWED)
    elif code not in KNOWN_CODES:
        # Rule 11 holds for codes as it does for statuses.
        turn.flag(Flag.UNKNOWN_STATUS)
        if turn.watch.unknown_since is None:
            turn.plan(unknown_since=turn.now)


def _not_found(turn: Turn) -> None:
    if turn.attempt.shown:
        # Rule 3b: a stale answer; ask by the other id next time.
        turn.plan(ask_by_wallet=not turn.watch.ask_by_wallet)
        return
    if turn.watch.refused_resends:
        turn.plan(not_found_since_refused_resend=True)
    if turn.attempt.http_status:
        _http_refusal_confirmed(turn, not_found=True)
    elif turn.attempt.cancel_wish is not None:
        close_if_wished(turn)
    elif may_resend(turn) and _resend_is_due(turn):
        turn.send_initiate(resend=True)


def may_resend(turn: Turn) -> bool:
    """Rule 3: the same bytes may go out again by themselves."""
    attempt, watch = turn.attempt, turn.watch
    return (
        attempt.state is State.IN_DOUBT
        and not attempt.shown
        and attempt.cancel_wish is None
        and not attempt.http_status
        and not attempt.first_send_duplicate
        and not watch.initiating
        and not watch.from_before_restart
        and attempt.resends < len(turn.rules.resend_delays)
        and turn.now - attempt.tapped_at <= turn.rules.resend_until
    )


def next_resend_at(turn: Turn) -> int | None:
    """When rule 3's next re-send is due (till time, ms), if one may still come."""
    if turn.watch.doubt_at is None or not may_resend(turn):
        return None
    return turn.watch.doubt_at + turn.rules.resend_delays[turn.attempt.resends]


def _resend_is_due(turn: Turn) -> bool:
    due = next_resend_at(turn)
    return due is not None and turn.now >= due


def _http_refusal_confirmed(turn: Turn, *, not_found: bool) -> None:
    """Rule 4: an HTTP refusal of the first send holds after two agreeing asks, at least 3 s apart."""
    attempt, watch = turn.attempt, turn.watch
    if attempt.state is not State.IN_DOUBT or attempt.shown:
        return
    last = watch.http_refusal_at
    if last is not None and turn.now - last < turn.rules.http_refusal_spacing:
        return
    opened = not_found or attempt.refusal_opened
    turn.plan(http_refusals=watch.http_refusals + 1, http_refusal_at=turn.now)
    turn.note(refusal_opened=opened)
    if turn.watch.http_refusals >= 2:
        turn.to(State.REFUSED, Reason.HTTP_REFUSED)
