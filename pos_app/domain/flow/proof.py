"""Rule 10: what a get status reply proves. The only place that may set PAID or PAID_LATE."""

from __future__ import annotations

from enum import Enum, auto

from pos_app.domain.attempt import Attempt, Kind, State
from pos_app.domain.flow.statuses import PAYMENT_SUCCESS
from pos_app.domain.flow.turn import Turn
from pos_app.domain.replies import StatusReply, StatusReport


class Match(Enum):
    """How a status reply relates to the attempt it was asked for."""

    OURS = auto()
    INCOMPLETE = auto()
    STRANGER = auto()
    OTHER_AMOUNT = auto()


def match(attempt: Attempt, report: StatusReport) -> Match:
    """Compares ids, merchant and exact amount. An absent optional field is no difference; a needed one is."""
    known_wallet_id = attempt.wallet_transaction_id
    if report.external_id and report.external_id != attempt.attempt_id:
        return Match.STRANGER
    if known_wallet_id and report.wallet_transaction_id not in ("", known_wallet_id):
        return Match.STRANGER
    if report.merchant_id and report.merchant_id != attempt.merchant_id:
        return Match.STRANGER
    if not report.external_id or not report.name:
        return Match.INCOMPLETE
    if report.amount is None:
        return Match.INCOMPLETE if report.name == PAYMENT_SUCCESS else Match.OURS
    return Match.OURS if report.amount == attempt.amount else Match.OTHER_AMOUNT


def is_about(attempt: Attempt, reply: StatusReply) -> bool:
    """Whether it may say anything of this attempt: what names another payment, or none, is no reply (rule 10)."""
    if not isinstance(reply, StatusReport):
        return True
    return bool(reply.external_id) and match(attempt, reply) is not Match.STRANGER


def never_showable(attempt: Attempt) -> bool:
    """Rule 10: nobody can have scanned a code whose text never reached this till; another copy of it has sold.

    What was entered again after a journal was lost may have been shown by the till before.
    """
    return attempt.kind is Kind.QR and not attempt.qr_text and not attempt.recovered


def apply_verified_status(turn: Turn, report: StatusReport) -> None:
    """Money: PAID while not released, else PAID_LATE (rule 8). `report` is a get status reply."""
    proven = (
        report.name == PAYMENT_SUCCESS
        and report.external_id == turn.attempt.attempt_id
        and report.amount is not None
        and match(turn.attempt, report) is Match.OURS
        and not never_showable(turn.attempt)
    )
    if not proven:
        raise AssertionError("PAID asked for without proof")
    if turn.attempt.released_at is None and turn.attempt.state is State.INTENT:
        turn.through_waiting()
    if turn.attempt.released_at is None:
        turn.to(State.PAID)
        return
    # Who signed it off as not paid has not answered for the money; who signed it off as paid has.
    answer = turn.attempt.resolution
    answered = answer is not None and answer.action == "paid"
    turn.to(State.PAID_LATE, resolution=answer if answered else None)
