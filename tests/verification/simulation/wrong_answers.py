"""Wrong tills that misread what the service says, or does not say."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from pos_app.domain.attempt import Reason, State
from pos_app.domain.flow.proof import Match
from pos_app.domain.flow.turn import Turn
from pos_app.domain.replies import Accepted, CancelAccepted, NoAnswer, Refused, StatusReport, Why
from pos_app.engine.core import payment_opener
from tests.verification.simulation.planting import Planter, flow


def _ends(turn: Turn, state: State, **facts: Any) -> None:
    """As a careless till would: straight to its end."""
    if not turn.attempt.is_final and turn.attempt.state is not State.DISPUTED:
        before = turn.attempt.state
        turn.path.extend([before, state] if not turn.path else [state])
        turn.note(state=state, ended_at=turn.now, released_at=turn.now, **facts)
        turn.plan(silent_at=None, connect_at=None)


def _unanswered_as(planter: Planter, plant_state: State, means: Any) -> None:
    initiating = flow("initiation")

    def wrong(turn: Turn, silence: NoAnswer, fact: Any) -> None:
        if silence.sent and means(silence):
            _ends(turn, plant_state, refusal_opened=plant_state is State.REFUSED)
        else:
            right(turn, silence, fact)

    right = planter.put(initiating, "_unanswered", wrong)


def time_out_is_failed(planter: Planter) -> None:
    """No answer to the initiate: the payment failed."""
    _unanswered_as(planter, State.FAILED, lambda silence: silence.why is Why.TIME_OUT)


def http_502_is_failed(planter: Planter) -> None:
    """A bad gateway: the payment was refused."""
    _unanswered_as(planter, State.REFUSED, lambda silence: silence.http_status in (500, 502, 503, 504))


def http_401_is_failed(planter: Planter) -> None:
    """Not authorised: the payment cannot have happened."""
    _unanswered_as(planter, State.REFUSED, lambda silence: silence.why is Why.SIGN_IN)


def http_429_is_failed(planter: Planter) -> None:
    """Too busy: the payment cannot have happened."""
    _unanswered_as(planter, State.FAILED, lambda silence: silence.why is Why.SLOW_DOWN)


def broken_write_is_not_sent(planter: Planter) -> None:
    """The connection broke, so nothing was sent."""
    _unanswered_as(planter, State.NOT_SENT, lambda silence: silence.why is Why.BROKEN)


def code_5009_is_failed(planter: Planter) -> None:
    """The service cannot find it: it never arrived."""
    planter.put(flow("doubt"), "_not_found", lambda turn: _ends(turn, State.FAILED))


def code_5000_is_failed(planter: Planter) -> None:
    """Not unique: refused."""
    initiating = flow("initiation")

    def wrong(turn: Turn, refused: Refused) -> None:
        if refused.code == "5000":
            _ends(turn, State.REFUSED, code="5000", refusal_opened=True)
        else:
            right(turn, refused)

    right = planter.put(initiating, "_resend_refused", wrong)


def refused_copy_is_final(planter: Planter) -> None:
    """A re-send was refused, so the payment is."""
    initiating = flow("initiation")

    def wrong(turn: Turn, refused: Refused) -> None:
        if refused.code != "5000":
            _ends(turn, State.REFUSED, code=refused.code)
        right(turn, refused)

    right = planter.put(initiating, "_resend_refused", wrong)


def http_refusal_outlives_a_copy(planter: Planter) -> None:
    """The first send was refused by HTTP, whatever was sent again since."""

    def wrong(turn: Turn, **how: bool) -> None:
        http_status = turn.attempt.http_status
        right(turn, **how)
        turn.note(http_status=http_status)

    right = planter.put(Turn, "send_initiate", wrong)


def code_5006_is_cancelled(planter: Planter) -> None:
    """Already processed: it must be cancelled already."""
    step = flow("step")

    def wrong(turn: Turn, reply: Any) -> None:
        right(turn, reply)
        if isinstance(reply, Refused) and reply.code == "5006":
            _ends(turn, State.CANCELLED)

    right = planter.put(step, "cancel_answered", wrong)


def cancel_success_believed(planter: Planter) -> None:
    """Cancel says success: no need to ask."""
    step = flow("step")

    def wrong(turn: Turn, reply: Any) -> None:
        right(turn, reply)
        if isinstance(reply, CancelAccepted):
            _ends(turn, State.CANCELLED)

    right = planter.put(step, "cancel_answered", wrong)


def refusal_opens_unasked(planter: Planter) -> None:
    """A refusal is taken as sure before anything was asked."""
    initiating = flow("initiation")

    def wrong(turn: Turn, refused: Refused) -> None:
        right(turn, refused)
        if turn.attempt.state is State.REFUSED:
            turn.note(refusal_opened=True)

    right = planter.put(initiating, "_first_refused", wrong)


def _match_as_ours(planter: Planter, wrongly: Match) -> None:
    proof, status = flow("proof"), flow("status")

    def wrong(attempt: Any, report: StatusReport) -> Match:
        found: Match = right(attempt, report)
        return Match.OURS if found is wrongly else found

    right = planter.put(proof, "match", wrong)
    planter.put(status, "match", wrong)


def amount_not_checked(planter: Planter) -> None:
    """Payment Success of another amount is paid."""
    _match_as_ours(planter, Match.OTHER_AMOUNT)


def _unproved_paid(planter: Planter) -> None:
    def wrong(turn: Turn, _: StatusReport) -> None:
        turn.through_waiting()
        turn.to(State.PAID if turn.attempt.released_at is None else State.PAID_LATE)

    planter.put(flow("status"), "apply_verified_status", wrong)


def id_not_checked(planter: Planter) -> None:
    """Payment Success of another transaction is ours."""
    _match_as_ours(planter, Match.STRANGER)
    _unproved_paid(planter)


def missing_amount_is_equal(planter: Planter) -> None:
    """No amount in the reply: it will be right."""
    _match_as_ours(planter, Match.INCOMPLETE)
    _unproved_paid(planter)


def look_alike_is_success(planter: Planter) -> None:
    """Names are compared without case, spaces and accents."""

    def wrong(turn: Turn, reply: Any) -> None:
        if isinstance(reply, StatusReport) and reply.name.strip().lower() == "payment success":
            reply = replace(reply, name="Payment Success")
        right(turn, reply)

    right = planter.put(flow("step"), "status_answered", wrong)


def unknown_status_is_failed(planter: Planter) -> None:
    """A name nobody knows cannot be good."""
    planter.put(flow("status"), "_unknown", lambda turn: _ends(turn, State.FAILED))


def accepted_is_paid(planter: Planter) -> None:
    """Initiate says success: paid."""
    initiating = flow("initiation")

    def wrong(turn: Turn, accepted: Accepted) -> None:
        right(turn, accepted)
        if turn.attempt.state is State.WAITING:
            turn.to(State.PAID)

    right = planter.put(initiating, "_accepted", wrong)


def last_write_wins(planter: Planter) -> None:
    """The newest reply is the truth, after PAID as well."""
    status = flow("status")

    def wrong(turn: Turn, report: StatusReport) -> None:
        known = {"Merchant Initiated": State.WAITING, "Payment Fail": State.FAILED}
        state = known.get(report.name)
        if turn.attempt.state is State.PAID and state is not None:
            turn.path.extend([State.PAID, state])
            turn.note(state=state, reason=Reason.NONE)
        else:
            right(turn, report)

    right = planter.put(status, "_by_name", wrong)


def late_success_ignored(planter: Planter) -> None:
    """What is final stays: a payment that comes later is not looked at."""
    status = flow("status")

    def wrong(turn: Turn, report: StatusReport) -> None:
        if not turn.attempt.is_final:
            right(turn, report)

    right = planter.put(status, "_success", wrong)


def late_success_is_paid(planter: Planter) -> None:
    """The till had let go, the money came: plainly paid."""

    def wrong(turn: Turn, _: StatusReport) -> None:
        before = turn.attempt.state
        turn.path.extend([before, State.PAID] if not turn.path else [State.PAID])
        turn.note(state=State.PAID, ended_at=turn.now)

    planter.put(flow("status"), "apply_verified_status", wrong)


def amount_through_float(planter: Planter) -> None:
    """The amount takes a way through a float."""

    def wrong(charge: Any, config: Any) -> Decimal:
        return Decimal(float(right(charge, config)) * 1.1 / 1.1)

    right = planter.put(payment_opener, "checked_amount", wrong)
