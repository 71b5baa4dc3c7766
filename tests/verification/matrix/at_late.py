"""Rows 49 and 50: money that comes after the till let go of a payment, and money that comes twice for one sale."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.domain.views import Decline
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_code import ask_for_code, signed_in
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.readings import reading
from tests.verification.matrix.screen import PAYING, WORDS
from tests.verification.matrix.shop import Shop


def play(case: Case, dice: Random) -> Problems:
    """The case's row at the case's step."""
    return _STEPS[case.row, case.step](dice, case.kind or Kind.PUSH)


def _polled(dice: Random, kind: Kind) -> Problems:
    shop = Shop(dice)
    attempt_id = _late(shop, unresolved(shop, kind))
    return must.late(shop.screen(attempt_id)) + shop.end()


def _late(shop: Shop, attempt_id: str) -> str:
    shop.pays(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).state is State.PAID_LATE, 30)
    return attempt_id


def _written(dice: Random, kind: Kind) -> Problems:
    shop = Shop(dice)
    attempt_id = _late(shop, unresolved(shop, kind))
    paths = [each.record.path for each in shop.journal.written if State.PAID_LATE in each.record.path]
    problems = [] if paths == [(State.UNRESOLVED, State.PAID_LATE)] else [f"the journal says {paths}"]
    return problems + must.late(shop.screen(attempt_id)) + shop.end()


def _cancelled_in_vain(dice: Random, kind: Kind) -> Problems:
    """The cashier cancelled, nobody answered, the till gave up; the customer was quicker than the next cancel."""
    shop = Shop(dice)
    shop.line.stays("cancel", reading(20, "cancel", dice))
    attempt_id = shop.charge(kind, give_up_after_s=20.0)
    shop.wait_for(lambda: shop.attempt(attempt_id).shown)
    shop.cancel(attempt_id)
    shop.wait(dice.uniform(21, 70))
    _late(shop, attempt_id)
    return must.late(shop.screen(attempt_id)) + shop.end()


def _ended_then_paid(dice: Random, kind: Kind) -> Problems:
    """The service says cancelled, then paid (E1 is broken): told, however late it is asked again."""
    shop = Shop(dice, e1=False)
    attempt_id = _cancelled(shop, kind)
    shop.pays(attempt_id)
    if dice.random() < 0.5:
        shop.check(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).state is State.PAID_LATE, 400)
    return must.late(shop.screen(attempt_id)) + shop.end(honest=False)


def _cancelled(shop: Shop, kind: Kind) -> str:
    attempt_id = shop.waiting(kind)
    shop.cancel(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).state is State.CANCELLED)
    return attempt_id


def _answered(dice: Random, kind: Kind) -> Problems:
    """On the screen until a person has said what becomes of it; then off the list, with a name and a reason."""
    shop = Shop(dice)
    attempt_id = _late(shop, unresolved(shop, kind))
    problems = must.late(shop.screen(attempt_id))
    shop.wait(dice.uniform(1, 300))
    problems += must.late(shop.screen(attempt_id))
    action = dice.choice(("complete", "refund"))
    shop.answer(attempt_id, action)
    shop.wait(1)
    resolution = shop.attempt(attempt_id).resolution
    problems += demand(
        shop.screen(attempt_id),
        (
            resolution is not None and resolution.action == action and resolution.name != "",
            "no answer is kept",
        ),
        (shop.screen().terminal.attention == (), "it is still on the list"),
    )
    return problems + shop.end()


def _one_at_a_time(dice: Random, kind: Kind) -> Problems:
    """No other attempt of the sale leaves while an earlier one can still take money."""
    shop = Shop(dice)
    attempt_id = unresolved(shop, kind) if dice.random() < 0.5 else shop.waiting(kind)
    other = dice.choice((Kind.PUSH, Kind.QR))
    opened = shop.charge(other, sale_id=shop.attempt(attempt_id).sale_id)
    declined = shop.shown[0].declined
    problems = demand(
        shop.screen(attempt_id),
        (not opened, "a second attempt was opened"),
        (declined is not None and declined.decline is Decline.EARLIER_ATTEMPT_OPEN, f"{declined}"),
        (not shop.screen(attempt_id).acts & PAYING, "there is a way to pay again"),
    )
    problems += shop.screen(attempt_id).says(WORDS.decline[Decline.EARLIER_ATTEMPT_OPEN])
    shop.shown[0].declined = None
    return problems + shop.end()


def _twice(
    dice: Random, kind: Kind, *, cancels: bool = False, late_s: float = 5
) -> tuple[Problems, Shop, str]:
    """The cancelled first attempt and the second are both paid (E1 is broken)."""
    shop = Shop(dice, e1=False)
    first = _cancelled(shop, kind)
    second = shop.charge(dice.choice((Kind.PUSH, Kind.QR)), sale_id=shop.attempt(first).sale_id)
    shop.wait_for(lambda: shop.attempt(second).shown)
    shop.pays(second)
    if cancels:
        shop.cancel(second)
    shop.wait(late_s)
    shop.pays(first)
    shop.check(first)
    shop.wait_for(lambda: shop.attempt(first).state is State.PAID_LATE, 400)
    screen = shop.screen(first)
    return must.paid_twice(screen) + screen.says(second), shop, first


def _told_twice(dice: Random, kind: Kind) -> Problems:
    problems, shop, _ = _twice(dice, kind)
    return problems + shop.end(honest=False)


def _twice_written(dice: Random, kind: Kind) -> Problems:
    problems, shop, _ = _twice(dice, kind)
    kinds = [each.record.kind for each in shop.journal.written]
    if kinds.count("SALE_OVERPAID") != 1:
        problems.append(f"the journal says {kinds}")
    return problems + shop.end(honest=False)


def _twice_cancelled(dice: Random, kind: Kind) -> Problems:
    problems, shop, _ = _twice(dice, kind, cancels=True)
    return problems + shop.end(honest=False)


def _twice_later(dice: Random, kind: Kind) -> Problems:
    problems, shop, _ = _twice(dice, kind, late_s=dice.uniform(60, 290))
    return problems + shop.end(honest=False)


def _twice_signed(dice: Random, kind: Kind) -> Problems:
    """Open until a manager signs that one of them was given back."""
    problems, shop, first = _twice(dice, kind)
    shop.sign_refund(shop.attempt(first).sale_id)
    problems += must.paid_twice(shop.screen(first))
    ask_for_code(shop)
    shop.wait_for(lambda: shop.screen().dialog.may_type)
    shop.type_code()
    shop.wait_for(lambda: signed_in(shop))
    shop.sign_refund(shop.attempt(first).sale_id)
    if shop.screen().terminal.overpaid:
        problems.append("a manager's signature does not close it")
    return problems + shop.end(honest=False)


_STEPS: dict[tuple[int, str], Callable[[Random, Kind], Problems]] = {
    (49, "T"): _polled,
    (49, "J1"): _written,
    (49, "C"): _cancelled_in_vain,
    (49, "G"): _ended_then_paid,
    (49, "D"): _answered,
    (50, "S"): _one_at_a_time,
    (50, "T"): _told_twice,
    (50, "J1"): _twice_written,
    (50, "C"): _twice_cancelled,
    (50, "G"): _twice_later,
    (50, "D"): _twice_signed,
}
