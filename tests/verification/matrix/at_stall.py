"""Row 15, the other half: the window hangs over the step. The engine goes on, and then the screen tells the truth."""

from __future__ import annotations

from random import Random

from pos_app.domain.attempt import Kind, State
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.shop import Shop


def play(case: Case, dice: Random) -> Problems:
    """Hanging for some seconds at the case's step."""
    shop = Shop(dice)
    kind = case.kind or Kind.PUSH
    hangs_s = dice.uniform(5, 25)
    if case.step == "G":
        return _later(shop, kind, hangs_s) + shop.end()
    if case.step == "J0":
        # A tap is not heard before the window moves again: nothing is written, nothing leaves.
        shop.stall(hangs_s)
        if shop.journal.attempts() or shop.log.sent:
            return ["something happened without a tap"]
    attempt_id = shop.charge(kind) if case.step in ("J0", "S") else shop.waiting(kind)
    if case.step == "J1":
        shop.pays(attempt_id)
    if case.step == "C":
        shop.cancel(attempt_id)
    asked = len(shop.line.made)
    shop.stall(hangs_s)
    problems = [] if len(shop.line.made) > asked else ["the asking stopped with the window"]
    return problems + _truth(shop, case, attempt_id) + shop.end()


def _truth(shop: Shop, case: Case, attempt_id: str) -> Problems:
    screen = shop.screen(attempt_id)
    if case.step == "J1":
        return screen.says("PAID") + demand(screen, (screen.state is State.PAID, "not PAID"))
    if case.step == "C":
        return screen.says("NOT PAID", "cancelled") + demand(screen, (screen.attempt.is_final, "not ended"))
    return must.waiting(screen)


def _later(shop: Shop, kind: Kind, hangs_s: float) -> Problems:
    attempt_id = unresolved(shop, kind)
    shop.pays(attempt_id)
    shop.stall(max(hangs_s, 12))
    return must.late(shop.screen(attempt_id))
