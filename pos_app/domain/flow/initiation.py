"""What an initiate reply does, on the first send of an id and on a re-send: rules 2 to 4, 3a, 18, 19."""

from __future__ import annotations

from pos_app.domain.attempt import Attempt, Flag, Kind, Reason, State
from pos_app.domain.events import InitiateAnswered
from pos_app.domain.flow.cancellation import cancel_may_go, carry_out, close_signed_off
from pos_app.domain.flow.pace import slow_down
from pos_app.domain.flow.rules import HTTP_REFUSALS, MAX_QR_BYTES, NOT_UNIQUE, REFUSALS
from pos_app.domain.flow.status import known_to_service
from pos_app.domain.flow.turn import Turn
from pos_app.domain.people import TERMINAL
from pos_app.domain.replies import Accepted, NoAnswer, Refused, Why

_NOT_SENT_REASONS = {
    Why.NAME: Reason.NO_NAME,
    Why.CONNECT: Reason.NO_CONNECTION,
    Why.TLS: Reason.NOT_PROVEN,
}


def initiate_answered(turn: Turn, fact: InitiateAnswered) -> None:
    """An initiate came back, or did not."""
    if not turn.watch.initiating and not isinstance(fact.reply, Accepted):
        # Nothing was under way: an echo of an answer already taken in.
        return
    turn.plan(initiating=False, silent_at=None, overtaken=turn.watch.asking)
    match fact.reply:
        case Accepted() as accepted if _is_ours(turn.attempt, accepted):
            _accepted(turn, accepted)
        case Accepted():
            _in_doubt(turn)
        case Refused() as refused if fact.resend:
            _resend_refused(turn, refused)
        case Refused() as refused:
            _first_refused(turn, refused)
        case silence:
            _unanswered(turn, silence, fact)


def _is_ours(attempt: Attempt, accepted: Accepted) -> bool:
    known = attempt.wallet_transaction_id
    return (
        accepted.external_id in ("", attempt.attempt_id)
        and bool(accepted.wallet_transaction_id)
        and known in ("", accepted.wallet_transaction_id)
    )


def usable_qr(text: str) -> str:
    """The QR text if a code can hold it, else nothing: what cannot be shown is lost (rule 3c)."""
    return text if len(text.encode()) <= MAX_QR_BYTES else ""


def _accepted(turn: Turn, accepted: Accepted) -> None:
    first = not turn.attempt.shown
    turn.note(
        shown=True,
        wallet_transaction_id=accepted.wallet_transaction_id,
        reply_at=turn.attempt.reply_at or turn.now,
    )
    if turn.attempt.kind is Kind.QR and not turn.attempt.qr_text:
        turn.note(qr_text=usable_qr(accepted.qr_text))
    close_signed_off(turn)
    if turn.attempt.is_final or not known_to_service(turn):
        return
    if first:
        turn.plan(ask_at=turn.now + turn.rules.first_ask)
    carry_out(turn)


def _first_refused(turn: Turn, refused: Refused) -> None:
    if refused.code == NOT_UNIQUE:
        turn.note(first_send_duplicate=True)
        turn.flag(Flag.FIRST_SEND_WAS_DUPLICATE)
        _in_doubt(turn)
        turn.ask_soon()
    elif turn.attempt.state is not State.INTENT:
        # An ask beside the silent initiate has already shown the id: a refusal now contradicts it.
        turn.flag(Flag.CONTRADICTED)
        turn.ask_soon()
    elif refused.code in REFUSALS:
        turn.to(State.REFUSED, code=refused.code)
        turn.ask_soon()
    else:
        _in_doubt(turn)


def _resend_refused(turn: Turn, refused: Refused) -> None:
    """5000 says the id exists. Any other refusal is of this copy only; an earlier one may be on its way."""
    if refused.code == NOT_UNIQUE:
        close_signed_off(turn)
    if turn.attempt.is_final:
        return
    if refused.code == NOT_UNIQUE:
        if turn.watch.closing_sent and turn.attempt.cancel_wish is not None and cancel_may_go(turn):
            turn.send_cancel()
        turn.ask_soon()
        return
    if refused.code in REFUSALS:
        turn.plan(refused_resends=turn.watch.refused_resends + 1)
        twice = turn.watch.refused_resends >= 2 and turn.watch.not_found_since_refused_resend
        if twice and turn.attempt.state is State.IN_DOUBT:
            turn.to(State.UNRESOLVED, Reason.REFUSED_COPY)
    turn.ask_soon()


def _unanswered(turn: Turn, silence: NoAnswer, fact: InitiateAnswered) -> None:
    if silence.why is Why.SIGN_IN:
        turn.flag(Flag.SIGN_IN_REFUSED)
        turn.plan(unauthorised=True)
    if fact.resend or turn.attempt.state is not State.INTENT:
        _in_doubt(turn)
    elif not silence.sent:
        _not_sent(turn, silence)
    else:
        if silence.why is Why.HTTP and silence.http_status in HTTP_REFUSALS:
            turn.note(http_status=silence.http_status)
        _in_doubt(turn)
    if silence.why is Why.SLOW_DOWN:
        slow_down(turn, silence)


def _not_sent(turn: Turn, silence: NoAnswer) -> None:
    """No byte left: try to connect again inside INTENT, then say so. Provably nothing was asked for."""
    wish = turn.attempt.cancel_wish
    tries, delays = turn.watch.connect_tries, turn.rules.connect_retries
    if wish is None and tries < len(delays):
        turn.plan(connect_tries=tries + 1, connect_at=turn.now + delays[tries])
    elif wish is None or wish.who == TERMINAL:
        turn.to(State.NOT_SENT, _NOT_SENT_REASONS.get(silence.why, Reason.NO_CONNECTION))
    else:
        # Somebody wanted it so, and held the bytes back by that.
        turn.to(State.NOT_SENT)


def _in_doubt(turn: Turn) -> None:
    if turn.attempt.is_final:
        return
    if turn.attempt.state is State.INTENT:
        turn.to(State.IN_DOUBT)
    if turn.watch.doubt_at is None:
        turn.plan(doubt_at=turn.now)
    turn.ask_soon()
    if not turn.watch.closing_sent:
        carry_out(turn)
