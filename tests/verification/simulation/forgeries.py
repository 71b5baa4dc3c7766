"""Histories forged by hand: each takes an honest one and makes one thing of it wrong."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from msgspec.structs import replace

from pos_app.domain.attempt import CancelWish, State
from tests.verification.simulation.forging import (
    FIRST,
    OTHER,
    SECOND,
    TILL,
    at_moment,
    closed_with,
    first_sent,
    journal_with,
    ledger_with,
    record,
    sent_with,
)
from tests.verification.simulation.history import History, Seen, Sent, Written


def wrong_mark(history: History) -> History:
    """Ids marked for the sandbox in a shop that takes real money."""
    return replace(history, live=True)


def _early_second_attempt(history: History) -> History:
    sent = first_sent(history, SECOND)
    seq = next(each.seq for each in history.journals[TILL] if each.record.subject == SECOND)
    still = replace(
        next(
            each.record.attempt
            for each in history.journals[TILL]
            if each.record.subject == FIRST and each.record.attempt is not None
        ),
        state=State.WAITING,
    )
    forged = journal_with(
        history,
        lambda each: record(each, attempt=still) if each.record.subject == FIRST and each.seq < seq else each,
    )
    return replace(forged, sent=(sent,))


def charged_twice(history: History) -> History:
    """The customer rejected it, and was charged."""
    return ledger_with(history, FIRST, timeline=((1_100, "Merchant Initiated"), (6_000, "Payment Success")))


def _sent_after_wish(history: History) -> History:
    last = history.journals[TILL][-1].seq
    return sent_with(history, replace(first_sent(history, OTHER), seq=last, shown=True))


def _push_closed_by_itself(history: History) -> History:
    command = CancelWish("person-1", 0)
    forged = journal_with(
        history,
        lambda each: (
            record(each, attempt=replace(each.record.attempt, cancel_wish=command))
            if each.record.subject == FIRST and each.record.attempt is not None
            else each
        ),
    )
    last = history.journals[TILL][-1].seq
    return sent_with(forged, replace(first_sent(history, FIRST), seq=last, shown=False))


def _lost_payment(history: History) -> History:
    return closed_with(history, SECOND, state=State.FAILED)


def _unknown_payment(history: History) -> History:
    stranger = replace(history.held[0], external_id=f"SBX-T{TILL}-0009-1")
    return replace(history, held=(*history.held, stranger))


def _paid_by_cancel(history: History) -> History:
    return journal_with(
        history, lambda each: record(each, kind="CANCEL_ANSWERED") if "PAID" in each.record.path else each
    )


def _paid_before_it_was(history: History) -> History:
    timeline = ((20_000, "Merchant Initiated"), (80_000, "Payment Success"))
    return ledger_with(history, SECOND, timeline=timeline)


def _green_too_soon(history: History) -> History:
    return replace(history, seen=(Seen(1_000, TILL, SECOND), *history.seen))


def _intent_after_send(history: History) -> History:
    sent = replace(first_sent(history, FIRST), seq=0)
    return replace(history, sent=(sent, *history.sent[1:]))


def _other_bytes(history: History) -> History:
    sent = first_sent(history, SECOND)
    return sent_with(history, replace(sent, body=sent.body.replace(b"12.50", b"12.51")))


def _other_amount_held(history: History) -> History:
    return ledger_with(history, FIRST, amount=Decimal("12.51"))


def _left_alone(history: History) -> History:
    return closed_with(history, OTHER, state=State.UNRESOLVED)


def _never_asked(history: History) -> History:
    waiting = at_moment(history.calm, OTHER, state=State.WAITING)
    return replace(history, calm=tuple(replace(moment, timed=frozenset()) for moment in waiting))


def _gap(history: History) -> History:
    return journal_with(history, lambda each: None if each.seq == 3 else each)


def _impossible_step(history: History) -> History:
    path = (State.WAITING, State.REFUSED, State.FAILED)
    return journal_with(
        history, lambda each: record(each, path=path) if "FAILED" in each.record.path else each
    )


def _back_from_the_end(history: History) -> History:
    path = (State.CANCELLED, State.WAITING)
    return journal_with(history, lambda each: record(each, path=path) if each.seq == 2 else each)


def _table_differs(history: History) -> History:
    return closed_with(history, SECOND, amount=Decimal("99.00"))


def _settled_late(history: History) -> History:
    return replace(history, settled=at_moment(history.settled, SECOND, state=State.WAITING))


def _known_too_late(history: History) -> History:
    """An older one, which is asked about more rarely."""
    older = journal_with(
        history,
        lambda each: replace(each, at=each.at - 1_200_000) if _is_intent(each, SECOND) else each,
    )
    unknown = {"state": State.UNRESOLVED}
    return replace(
        older,
        calm=at_moment(history.calm, SECOND, **unknown),
        settled=at_moment(history.settled, SECOND, **unknown),
        rested=at_moment(history.rested, SECOND, **unknown),
    )


def _is_intent(each: Written, attempt_id: str) -> bool:
    return each.record.kind == "INTENT" and each.record.subject == attempt_id


def _wish_forgotten(history: History) -> History:
    forged = ledger_with(history, OTHER, timeline=((40_100, "Merchant Initiated"),))
    waiting = at_moment(history.settled, OTHER, state=State.WAITING, flags=frozenset())
    return replace(forged, settled=waiting)


def _free_messages(history: History) -> History:
    return replace(history, messages=tuple((at, TILL, "94770000001") for at in (0, 1_000, 2_000, 3_000)))


def _float(history: History) -> History:
    return journal_with(
        history,
        lambda each: (
            record(each, attempt=replace(each.record.attempt, amount=12.5))
            if each.record.attempt is not None and each.record.subject == FIRST
            else each
        ),
    )


def _cancelled_by_cancel(history: History) -> History:
    return journal_with(
        history,
        lambda each: record(each, kind="CANCEL_ANSWERED") if "CANCELLED" in each.record.path else each,
    )


def _paid_though_released(history: History) -> History:
    return journal_with(
        history,
        lambda each: (
            record(each, attempt=replace(each.record.attempt, released_at=1))
            if each.record.attempt is not None and each.record.subject == SECOND
            else each
        ),
    )


def _cancels_together(history: History) -> History:
    last = history.journals[TILL][-1].seq
    first = Sent(55_000, TILL, "cancel", OTHER, last)
    return sent_with(sent_with(history, first), replace(first, at=56_000))


def _cancelled_unwished(history: History) -> History:
    return replace(history, sent=(Sent(500, TILL, "cancel", OTHER, 0), *history.sent))


def _resent_often(history: History) -> History:
    sent = first_sent(history, FIRST)
    return replace(history, sent=(*history.sent, *[replace(sent, at=sent.at + 100)] * 4))


def _resent_after_a_start(history: History) -> History:
    sent = first_sent(history, FIRST)
    started = replace(history, starts=(*history.starts, (sent.at + 1, TILL)))
    return sent_with(started, replace(sent, at=sent.at + 9_000))


FORGED: dict[Callable[[History], History], str] = {
    _early_second_attempt: "I1a",
    charged_twice: "I1b",
    _sent_after_wish: "I1c",
    _push_closed_by_itself: "I1c",
    _lost_payment: "I2",
    _unknown_payment: "I4",
    _paid_by_cancel: "I3",
    _paid_before_it_was: "I3",
    _green_too_soon: "I3",
    _intent_after_send: "I4",
    _other_bytes: "I4",
    _other_amount_held: "I4",
    _left_alone: "I5",
    _never_asked: "I5",
    _gap: "I6",
    _impossible_step: "I6",
    _back_from_the_end: "I6",
    _table_differs: "I6",
    _settled_late: "I7",
    _known_too_late: "I7",
    _wish_forgotten: "I7",
    wrong_mark: "I9",
    _free_messages: "I10",
    _float: "I11",
    _cancelled_by_cancel: "I1a",
    _paid_though_released: "rule 8",
    _cancels_together: "rule 6",
    _cancelled_unwished: "rule 1",
    _resent_often: "rule 3",
    _resent_after_a_start: "rule 12",
}
