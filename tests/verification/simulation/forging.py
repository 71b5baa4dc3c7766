"""What histories are forged with: an honest one, and the means to change one thing of it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

from msgspec.structs import replace

from pos_app.domain.attempt import Kind
from pos_app.domain.ids import RANDOM_LENGTH
from tests.support.drawn import Dice
from tests.verification.simulation.history import History, Moment, Sent, Written
from tests.verification.simulation.run import play
from tests.verification.simulation.story import Act, Customer, SalePlan, Story

TILL = "AAAAAAAA"
_DRAWN = Dice(TILL)
FIRST, SECOND = (f"SBX-T{TILL}-0001-{number}-{_DRAWN(RANDOM_LENGTH)}" for number in (1, 2))
OTHER = f"SBX-T{TILL}-0002-1-{_DRAWN(RANDOM_LENGTH)}"

STORY = Story(
    sales=(
        SalePlan(
            at=1_000,
            kind=Kind.PUSH,
            amount=Decimal("12.50"),
            number="+94771234567",
            customers=(Customer(((5_000, "Customer Reject"),)), Customer(((7_000, "Payment Success"),))),
            retries=1,
        ),
        SalePlan(at=40_000, kind=Kind.QR, amount=Decimal("7.00"), customers=(Customer(),)),
    ),
    acts=(Act(50_000, "cancel", sale=1), Act(60_000, "enrol")),
    stop_at=90_000,
)


@cache
def honest() -> History:
    """A rejected push, its paid second attempt, a cancelled QR, a manager who signed in."""
    return play(STORY).history


def journal_with(history: History, change: Callable[[Written], Written | None]) -> History:
    """The same with other records."""
    changed = tuple(new for each in history.journals[TILL] if (new := change(each)) is not None)
    return replace(history, journals={TILL: changed})


def record(each: Written, **facts: Any) -> Written:
    """The same number, another record."""
    return replace(each, record=replace(each.record, **facts))


def ledger_with(history: History, external_id: str, **facts: Any) -> History:
    """The service holds something else."""
    held = (replace(each, **facts) if each.external_id == external_id else each for each in history.held)
    return replace(history, held=tuple(held))


def at_moment(moments: tuple[Moment, ...], attempt_id: str, **facts: Any) -> tuple[Moment, ...]:
    """The till has something else in hand."""
    return tuple(
        replace(
            moment,
            attempts=tuple(
                replace(each, **facts) if each.attempt_id == attempt_id else each for each in moment.attempts
            ),
        )
        for moment in moments
    )


def closed_with(history: History, attempt_id: str, **facts: Any) -> History:
    """It has so at the end."""
    return replace(history, closed=at_moment(history.closed, attempt_id, **facts))


def sent_with(history: History, sent: Sent) -> History:
    """One more."""
    return replace(history, sent=(*history.sent, sent))


def first_sent(history: History, attempt_id: str) -> Sent:
    """The first initiate of an attempt."""
    return next(
        each for each in history.sent if (each.operation, each.attempt_id) == ("initiate", attempt_id)
    )
