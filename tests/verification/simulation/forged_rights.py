"""Histories forged by hand of a shop where people sign in: somebody did what they might not."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache

from msgspec.structs import replace

from pos_app.domain.attempt import Kind
from tests.verification.simulation.directed import COPIES_THAT_ARE_RIGHT
from tests.verification.simulation.forging import journal_with, record
from tests.verification.simulation.history import History, Written
from tests.verification.simulation.roll import CASHIER, MANAGER, OTHER
from tests.verification.simulation.run import play
from tests.verification.simulation.story import Act, Customer, SalePlan, Story

STAFFED = Story(
    sales=(
        SalePlan(
            at=2_000,
            kind=Kind.PUSH,
            amount=Decimal("12.50"),
            number="+94771234567",
            customers=(Customer(),),
        ),
        SalePlan(at=40_000, kind=Kind.QR, amount=Decimal("7.00"), customers=(Customer(),)),
    ),
    acts=(
        Act(500, "come", value=0),
        Act(6_000, "come", value=1),
        Act(9_000, "approve", sale=0, value=2),
        Act(30_000, "come", value=0),
        Act(50_000, "lock", sale=1),
        Act(55_000, "come", value=0),
        Act(60_000, "cancel", sale=1),
    ),
    stop_at=90_000,
    staffed=True,
)


@cache
def honest_staff() -> History:
    """One cashier begins, the other takes the till and has a manager cancel; the first locks, unlocks, cancels."""
    return play(STAFFED).history


def _each(history: History, kind: str, change: Callable[[Written], Written | None]) -> History:
    return journal_with(history, lambda each: change(each) if each.record.kind == kind else each)


def _renamed(history: History, kind: str) -> History:
    """As if that had not been written."""
    return _each(history, kind, lambda each: record(each, kind="NOTED"))


def _begun_by_another(history: History) -> History:
    return _each(history, "INTENT", lambda each: record(each, actor=OTHER))


def _nobody_signed_in(history: History) -> History:
    return _renamed(history, "SIGNED_IN")


def _never_unlocked(history: History) -> History:
    return _renamed(history, "UNLOCKED")


def _taken_over_in_silence(history: History) -> History:
    return _renamed(history, "SWITCHED")


def _unapproved(history: History) -> History:
    return _renamed(history, "APPROVED")


def _approved_by_a_cashier(history: History) -> History:
    def change(each: Written) -> Written:
        is_of_it = each.record.kind in ("APPROVED", "CANCEL") and each.record.actor == MANAGER
        return record(each, actor=OTHER) if is_of_it else each

    return journal_with(history, change)


def _signed_off_by_a_cashier(history: History) -> History:
    return _each(history, "CANCEL", lambda each: record(each, kind="ANSWER", content={"action": "not_paid"}))


def _given_to_another(history: History) -> History:
    def change(each: Written) -> Written:
        attempt = each.record.attempt
        return each if attempt is None else record(each, attempt=replace(attempt, owner=MANAGER))

    return _each(history, "CANCEL", change)


def _begun_by_the_till(history: History) -> History:
    return _each(history, "INTENT", lambda each: record(each, actor="terminal"))


def _done_after_a_start(history: History) -> History:
    (till,) = history.journals
    return replace(history, starts=(*history.starts, (58_000, till)))


def _done_by_who_was_disabled(history: History) -> History:
    def change(each: Written) -> Written:
        person = each.record.person
        gone = person is not None and person.person_id == CASHIER
        return record(each, person=replace(person, enabled=False)) if person is not None and gone else each

    return journal_with(history, change)


FORGED_RIGHTS: tuple[Callable[[History], History], ...] = (
    _begun_by_another,
    _nobody_signed_in,
    _never_unlocked,
    _taken_over_in_silence,
    _unapproved,
    _approved_by_a_cashier,
    _signed_off_by_a_cashier,
    _given_to_another,
    _begun_by_the_till,
    _done_after_a_start,
    _done_by_who_was_disabled,
)
"""Each breaks I13."""


@cache
def honest_prints() -> History:
    """The owner's copy, one that a manager approves beside another cashier, a manager's own of a closed day."""
    return play(COPIES_THAT_ARE_RIGHT).history


def _asked_by_another(history: History) -> History:
    return _each(history, "COPY_ASKED", lambda each: record(each, actor=OTHER))


def _asked_behind_the_lock(history: History) -> History:
    """The first cashier has not come back since."""
    return _each(history, "COPY_ASKED", lambda each: record(each, actor=CASHIER))


def _asked_late(history: History) -> History:
    """Twenty minutes after it was paid."""
    return _each(history, "COPY_ASKED", lambda each: record(each, at=each.record.at + 1_200_000))


def _copy_unapproved(history: History) -> History:
    return _renamed(history, "APPROVED")


def _approved_something_else(history: History) -> History:
    return _each(
        history, "APPROVED", lambda each: record(each, content={**each.record.content, "act": "cancel"})
    )


def _closed_before(history: History) -> History:
    """The Z was there when the owner wanted a copy."""
    (line,) = history.journals
    journal = history.journals[line]
    (z,) = (each for each in journal if each.record.kind == "Z_CLOSED")
    place = next(i for i, each in enumerate(journal) if each.record.kind == "COPY_ASKED")
    early = record(z, at=journal[place].record.at)
    return replace(history, journals={line: (*journal[:place], early, *journal[place:])})


FORGED_PRINTS: tuple[Callable[[History], History], ...] = (
    _asked_by_another,
    _asked_behind_the_lock,
    _asked_late,
    _copy_unapproved,
    _approved_something_else,
    _closed_before,
)
"""Each breaks I13."""
