"""Rule 6 and 3a: carrying out a cancel wish, and closing an id that may never have arrived."""

from __future__ import annotations

from pos_app.domain.attempt import Flag, Kind, Reason, State
from pos_app.domain.flow.pace import slow_down
from pos_app.domain.flow.rules import ALREADY_PROCESSED, NO_PERMISSION, TOO_LATE
from pos_app.domain.flow.turn import Turn
from pos_app.domain.flow.watch import behind
from pos_app.domain.people import TERMINAL
from pos_app.domain.replies import CancelReply, NoAnswer, Refused, Why


def carry_out(turn: Turn) -> None:
    """A wish has just been made, or an initiate has just come back: do what it asks for now."""
    attempt, watch = turn.attempt, turn.watch
    if attempt.cancel_wish is None or attempt.is_final:
        return
    if attempt.state is State.INTENT and not watch.initiating:
        turn.to(State.NOT_SENT)
    elif attempt.shown:
        cancel_if_wished(turn)
    else:
        close_if_wished(turn)


def give_way(turn: Turn) -> None:
    """The sale belongs to another of its attempts now: what has not left stays here, the rest is cancelled."""
    if not turn.attempt.is_final and turn.attempt.cancel_wish is None:
        take_command(turn, TERMINAL)


def take_command(turn: Turn, who: str) -> None:
    """From now on the attempt is to be cancelled; where nothing can be sent for it yet, it is asked about."""
    turn.wish_cancel(who)
    turn.plan(replace_wanted=False)
    carry_out(turn)
    if not turn.watch.cancelling and not turn.watch.initiating and not turn.attempt.is_final:
        turn.ask()


def cancel_if_wished(turn: Turn) -> None:
    """The service shows an attempt that is to be cancelled: one cancel in flight, at least 5 s apart."""
    attempt, watch = turn.attempt, turn.watch
    if attempt.cancel_wish is None or attempt.is_final or watch.cancelling or watch.cancel_forbidden:
        return
    if _may_be_anothers(turn):
        return
    if cancel_may_go(turn):
        turn.send_cancel()


def cancel_may_go(turn: Turn) -> bool:
    """One cancel in flight, and 5 s between two."""
    last = turn.watch.last_cancel_at
    return not turn.watch.cancelling and (last is None or turn.now - last >= turn.rules.cancel_spacing)


def close_if_wished(turn: Turn) -> None:
    """Rule 3a: the same bytes again, to be cancelled at once. QR by itself; push only when it was asked for.

    After a restart nothing is re-sent until a person chose to (rule 12); a refused copy is no way to close
    an id, nor is one that may have been refused by its HTTP status (rule 4), unless a person insists.
    """
    attempt, watch = turn.attempt, turn.watch
    by_itself = attempt.kind is Kind.QR and not attempt.http_status
    if attempt.cancel_wish is None or attempt.shown or not (by_itself or watch.closing_wanted):
        return
    if attempt.state not in (State.IN_DOUBT, State.UNRESOLVED) or _may_be_anothers(turn):
        return
    if watch.initiating or watch.cancelling or watch.from_before_restart or watch.refused_resends >= 2:
        return
    if watch.last_close_at is None or turn.now - watch.last_close_at >= turn.rules.close_spacing:
        turn.send_initiate(resend=True, closing=True)


def close_signed_off(turn: Turn) -> None:
    """Bytes that were to close an id have arrived, and somebody signed it off as not paid meanwhile.

    They are followed by their cancel all the same: nobody else would send it, and another attempt may begin.
    """
    attempt = turn.attempt
    if attempt.state is not State.SIGNED_OFF or not attempt.lets_another_start:
        return
    if turn.watch.closing_sent and not _may_be_anothers(turn) and cancel_may_go(turn):
        turn.send_cancel()


def _may_be_anothers(turn: Turn) -> bool:
    """Rule 18, rule 10: under this id the service may hold what another terminal asked for."""
    attempt = turn.attempt
    unproven = attempt.first_send_duplicate and not turn.watch.adopted
    anothers = (Reason.OTHER_TRANSACTION, Reason.NOT_PROVEN_OURS)
    return unproven or (attempt.state is State.DISPUTED and attempt.reason in anothers)


def cancel_answered(turn: Turn, reply: CancelReply) -> None:
    """Whatever cancel says, only a status closes the attempt: ask."""
    turn.plan(cancelling=False)
    turn.ask_soon()
    match reply:
        case Refused(code=code) if code in ALREADY_PROCESSED:
            turn.plan(cancel_too_late=turn.watch.cancel_too_late or code == TOO_LATE)
            turn.flag(Flag.CANCEL_TOO_LATE)
        case Refused(code=code) if code in NO_PERMISSION:
            turn.plan(cancel_forbidden=True)
            turn.flag(Flag.CANCEL_NOT_ALLOWED)
        case NoAnswer(why=Why.SLOW_DOWN):
            slow_down(turn, reply)
        case NoAnswer(why=Why.SIGN_IN):
            turn.flag(Flag.SIGN_IN_REFUSED)


def cancel_lost_qr(turn: Turn) -> None:
    """Rule 3c: the service waits for a scan of a QR text that never reached us."""
    attempt = turn.attempt
    if attempt.kind is not Kind.QR or attempt.state is not State.WAITING or attempt.qr_text:
        return
    if attempt.cancel_wish is not None or turn.watch.initiating:
        return
    turn.flag(Flag.QR_LOST)
    # For who stands there: nobody does after a restart, nor where the till has let go of it (a refusal, later revived).
    turn.plan(replace_wanted=not behind(attempt, turn.watch))
    turn.wish_cancel(TERMINAL)
    cancel_if_wished(turn)
