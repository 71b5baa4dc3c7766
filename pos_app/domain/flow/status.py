"""What a get status reply does: the status table and the code table of docs/payment-rules.md."""

from __future__ import annotations

from pos_app.domain.attempt import MONEY, OPEN, Flag, Reason, State
from pos_app.domain.effects import OpenNext, StopSelling
from pos_app.domain.flow import doubt
from pos_app.domain.flow import statuses as s
from pos_app.domain.flow.cancellation import cancel_if_wished
from pos_app.domain.flow.proof import Match, apply_verified_status, match, never_showable
from pos_app.domain.flow.turn import Turn
from pos_app.domain.people import TERMINAL
from pos_app.domain.replies import Refused, StatusReply, StatusReport


def status_answered(turn: Turn, reply: StatusReply) -> None:
    """An ask came back."""
    overtaken = turn.watch.overtaken
    turn.plan(asking=False, overtaken=False, start_until=None)
    match reply:
        case StatusReport():
            turn.plan(silences=0, throttled_for=None, ask_code="")
            _reported(turn, reply)
        case Refused():
            turn.plan(silences=0, throttled_for=None, strangers=0)
            doubt.ask_refused(turn, reply, overtaken=overtaken)
        case _:
            doubt.ask_unanswered(turn, reply)
    turn.plan(at_closing=False)
    if turn.watch.cancel_at is not None:
        # Rule 7: the cancel waited for this ask.
        turn.plan(cancel_at=None)
        if turn.attempt.shown:
            cancel_if_wished(turn)


def _reported(turn: Turn, report: StatusReport) -> None:
    if turn.attempt.first_send_duplicate and not _adopt(turn, report):
        return
    match match(turn.attempt, report):
        case Match.OURS:
            turn.plan(unreadable=0, strangers=0, misconfigured=0)
            _ours(turn, report)
        case Match.INCOMPLETE:
            _incomplete(turn)
        case Match.OTHER_AMOUNT:
            _other_amount(turn, report)
        case _:
            _stranger(turn, report)


def _stranger(turn: Turn, report: StatusReport) -> None:
    turn.plan(strangers=turn.watch.strangers + 1)
    turn.flag(Flag.OTHER_TRANSACTION)
    if turn.watch.strangers >= turn.rules.tolerance and turn.attempt.state not in MONEY:
        _dispute(turn, report, Reason.OTHER_TRANSACTION)


def _dispute(turn: Turn, report: StatusReport, reason: Reason) -> None:
    """A person is needed, unless one has already signed off this very thing and nothing is new since."""
    attempt = turn.attempt
    if attempt.state is State.SIGNED_OFF and attempt.reason is reason:
        # Signed off as not paid, and now the service speaks of money under this id: that is new, once.
        taken = report.name == s.PAYMENT_SUCCESS and report.external_id == attempt.attempt_id
        if not (attempt.lets_another_start and taken) or attempt.service_status == report.name:
            return
        turn.note(service_status=report.name)
    turn.to(State.DISPUTED, reason)


def _incomplete(turn: Turn) -> None:
    turn.plan(unreadable=turn.watch.unreadable + 1)
    if turn.watch.unreadable >= turn.rules.tolerance and turn.attempt.state in OPEN:
        turn.to(State.UNRESOLVED, Reason.UNREADABLE)


def _other_amount(turn: Turn, report: StatusReport) -> None:
    if turn.attempt.state in MONEY:
        _contradiction(turn)
        return
    _dispute(turn, report, Reason.OTHER_AMOUNT)
    turn.note(shown=True, service_status=report.name)
    if report.name == s.MERCHANT_INITIATED:
        cancel_if_wished(turn)


def _ours(turn: Turn, report: StatusReport) -> None:
    if not turn.attempt.shown:
        turn.note(shown=True, reply_at=turn.attempt.reply_at or turn.now)
    if report.wallet_transaction_id and not turn.attempt.wallet_transaction_id:
        turn.note(wallet_transaction_id=report.wallet_transaction_id)
    if not turn.attempt.is_final and turn.attempt.service_status != report.name:
        turn.note(service_status=report.name)
    if report.name in s.KNOWN:
        turn.plan(unknown_since=None)
    if report.name != s.VERIFICATION_FAIL:
        turn.plan(verification_failed_at=None)
    _by_name(turn, report)


def _adopt(turn: Turn, report: StatusReport) -> bool:
    """Rule 18: our first send was called taken. What lies there is ours in everything, or it is a dispute."""
    if turn.watch.adopted or turn.attempt.state in (State.DISPUTED, State.SIGNED_OFF):
        return True
    if report.external_id != turn.attempt.attempt_id or _same_sale(turn, report):
        turn.plan(adopted=report.external_id == turn.attempt.attempt_id)
        return True
    turn.to(State.DISPUTED, Reason.IDENTITY_USED_TWICE)
    turn.effects.append(StopSelling(turn.attempt.attempt_id))
    return False


def _same_sale(turn: Turn, report: StatusReport) -> bool:
    """Rule 18: what the service holds is what we sent, down to the invoice number and the time text."""
    sent = turn.attempt
    return (
        report.amount == sent.amount
        and report.merchant_id == sent.merchant_id
        and report.invoice_number == sent.invoice_number
        and report.transaction_date_time == sent.transaction_date_time
    )


def _by_name(turn: Turn, report: StatusReport) -> None:
    match report.name:
        case s.MERCHANT_INITIATED:
            if known_to_service(turn):
                cancel_if_wished(turn)
        case name if name in s.PROGRESS:
            if known_to_service(turn) and turn.attempt.progress_at is None:
                turn.note(progress_at=turn.now)
        case s.VERIFICATION_FAIL:
            _verification_failed(turn)
        case s.PAYMENT_SUCCESS:
            _success(turn, report)
        case s.PAYMENT_FAIL:
            _unpaid_end(turn, State.FAILED, Reason.PAYMENT_FAILED)
        case s.CUSTOMER_REJECT:
            _unpaid_end(turn, State.FAILED, Reason.CUSTOMER_REJECTED)
        case s.MERCHANT_CANCEL:
            _cancelled(turn)
        case _:
            _unknown(turn)


def known_to_service(turn: Turn) -> bool:
    """The id is alive at the service: WAITING where the table allows it, else an older reply, flagged."""
    state = turn.attempt.state
    if state in (State.INTENT, State.IN_DOUBT, State.REFUSED):
        turn.to(State.WAITING)
    elif state is State.UNRESOLVED:
        gave_up = turn.attempt.gave_up_at
        if gave_up is None or turn.now < gave_up + turn.rules.unresolved_after_give_up:
            turn.to(State.WAITING)
    elif state not in (State.WAITING, State.DISPUTED):
        turn.flag(Flag.STATUS_REGRESSED)
        return False
    return True


def _verification_failed(turn: Turn) -> None:
    """Not final by the service's word: only with a wish, a cancel that came too late, and seen twice."""
    if not known_to_service(turn):
        return
    first = turn.watch.verification_failed_at
    if first is None:
        turn.plan(verification_failed_at=turn.now)
    seen_twice = first is not None and turn.now - first >= turn.rules.contradiction_spacing
    hopeless = turn.attempt.cancel_wish is not None and turn.watch.cancel_too_late and seen_twice
    final = hopeless or turn.rules.verification_fail_is_final
    # Once a scan has succeeded, a failed one is an old answer, however often it comes: the money may be on its way.
    if final and turn.attempt.progress_at is None and turn.attempt.state is not State.DISPUTED:
        turn.to(State.FAILED, Reason.VERIFICATION_FAILED)
    elif not turn.watch.cancel_too_late:
        cancel_if_wished(turn)


def _success(turn: Turn, report: StatusReport) -> None:
    state = turn.attempt.state
    if state in MONEY:
        turn.plan(contradictions=0, contradiction_at=None)
    elif state is State.SIGNED_OFF and turn.attempt.reason is Reason.NOT_PROVEN_OURS:
        # A manager has said whose it is; that the service still holds it as paid is nothing new.
        turn.note(service_status=report.name)
    elif state is not State.DISPUTED:
        if never_showable(turn.attempt):
            _dispute(turn, report, Reason.CODE_NEVER_SHOWN)
            return
        apply_verified_status(turn, report)
        turn.note(service_status=report.name)


def _unpaid_end(turn: Turn, end: State, reason: Reason) -> None:
    state = turn.attempt.state
    if state in MONEY:
        _contradiction(turn)
    elif state in (State.INTENT, State.IN_DOUBT, State.WAITING, State.UNRESOLVED, State.REFUSED):
        turn.through_waiting()
        turn.to(end, reason)
    elif state is not end or (state is State.FAILED and turn.attempt.reason is not reason):
        turn.flag(Flag.CONTRADICTED)


def _cancelled(turn: Turn) -> None:
    command, before = turn.attempt.cancel_wish, turn.attempt.state
    _unpaid_end(turn, State.CANCELLED, Reason.NONE)
    if turn.attempt.state is not State.CANCELLED or before is State.CANCELLED:
        return
    if command is None:
        turn.flag(Flag.CANCEL_NOT_OURS)
    elif command.who == TERMINAL and turn.watch.replace_wanted:
        turn.effects.append(OpenNext(turn.attempt.attempt_id))


def _contradiction(turn: Turn) -> None:
    """PAID is contradicted: a dispute at closing, else behind three times, at least 10 s apart (rule 10)."""
    turn.flag(Flag.CONTRADICTED)
    last = turn.watch.contradiction_at
    if last is None or turn.now - last >= turn.rules.contradiction_spacing:
        turn.plan(contradictions=turn.watch.contradictions + 1, contradiction_at=turn.now)
    if turn.watch.contradictions >= turn.rules.tolerance or turn.watch.at_closing:
        turn.to(State.DISPUTED, Reason.CONTRADICTED)


def _unknown(turn: Turn) -> None:
    turn.flag(Flag.UNKNOWN_STATUS)
    if turn.attempt.state in (State.INTENT, State.IN_DOUBT, State.REFUSED):
        turn.to(State.WAITING)
    if turn.watch.unknown_since is None:
        turn.plan(unknown_since=turn.now)
