"""What would have cost money at a real counter, seen from facts. It says nothing: ui/words/training.py does."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pos_app.domain.attempt import Kind
from pos_app.training.course.scene import TAKEN, Decision, Scene, is_paid
from pos_app.training.course.signs import Sign


class Slip(StrEnum):
    """Each has a sentence that says why it costs money."""

    HANDED_UNPAID = "handed_unpaid"
    HANDED_REFUNDED = "handed_refunded"
    CHARGED_TWICE = "charged_twice"
    OTHER_AMOUNT = "other_amount"
    OTHER_NUMBER = "other_number"
    SENT_AWAY_PAID = "sent_away_paid"
    LEFT_OPEN = "left_open"


def _handed_unpaid(scene: Scene) -> bool:
    return any(each.decision is Decision.HAND_OVER and not each.paid for each in scene.decided)


def _handed_refunded(scene: Scene) -> bool:
    return any(each.decision is Decision.HAND_OVER and each.refunded for each in scene.decided)


def _charged_twice(scene: Scene) -> bool:
    return bool(scene.doubled)


def _other_amount(scene: Scene) -> bool:
    """Once it takes money: until then it can be noticed, and cancelled."""
    rows = [(each, scene.row_of(each)) for each in scene.other_amounts]
    return any(is_paid(each) or (row is not None and row.status in TAKEN) for each, row in rows)


def _other_number(scene: Scene) -> bool:
    for who, customer in enumerate(scene.customers):
        # A code, or what never left, is no answer to what the customer said: the next request is the first one.
        pushes = [attempt for attempt in scene.attempts_of(who) if attempt.kind is Kind.PUSH]
        requests = [row for row in map(scene.row_of, pushes) if row is not None and customer.numbers]
        for place, row in enumerate(requests):
            if digits(row.account) != digits(customer.numbers[min(place, len(customer.numbers) - 1)]):
                return True
    return False


def digits(number: str) -> str:
    """A number without what people write between its digits."""
    return "".join(each for each in number if each.isdigit())


def _sent_away_paid(scene: Scene) -> bool:
    return any(
        each.decision is Decision.NO_GOODS and (each.paid or each.taken) and not each.refunded
        for each in scene.decided
    )


def _left_open(scene: Scene) -> bool:
    return any(
        each.decision is Decision.NO_GOODS and not (each.paid or each.taken or each.refunded or each.gone)
        for each in scene.decided
    )


_SIGNS: Mapping[Slip, Sign] = {
    Slip.HANDED_REFUNDED: _handed_refunded,
    Slip.HANDED_UNPAID: _handed_unpaid,
    Slip.CHARGED_TWICE: _charged_twice,
    Slip.OTHER_AMOUNT: _other_amount,
    Slip.OTHER_NUMBER: _other_number,
    Slip.SENT_AWAY_PAID: _sent_away_paid,
    Slip.LEFT_OPEN: _left_open,
}


def slip_in(scene: Scene) -> Slip | None:
    """The first one that happened, if any did."""
    return next((slip for slip, happened in _SIGNS.items() if happened(scene)), None)
