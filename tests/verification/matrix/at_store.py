"""Row 54: the store, or its database, is away from the case's step on. The counter goes on as if nothing had been."""

from __future__ import annotations

from random import Random

from tests.support.model_store import AWAY, LATE, LOST
from tests.verification.matrix.at_counter import course
from tests.verification.matrix.behaviours import Problems
from tests.verification.matrix.cells import Case
from tests.verification.matrix.shop import Shop
from tests.verification.simulation.checker import judge
from tests.verification.simulation.stores import beside

LEAST_S, LONGEST_S = 5, 90
"""So long it is away once the payment is over."""


def play(case: Case, dice: Random) -> Problems:
    """The same shop twice: without a store, and with one that goes away; screens, bytes and journals are the same."""
    seed, way, after_s = dice.random(), dice.choice((LOST, AWAY, LATE)), dice.uniform(LEAST_S, LONGEST_S)
    problems, screens, told = _played(case, Shop(Random(seed)), "", after_s)
    more, own_screens, own_told = _played(case, Shop(Random(seed), store=True), way, after_s)
    problems += more
    if screens != own_screens:
        problems.append(f"{way}: another screen than without a store: {screens} and {own_screens}")
    if told != own_told:
        problems.append(f"{way}: other events, bytes or asks than without a store, or at another time")
    return problems


def _played(case: Case, shop: Shop, way: str, after_s: float) -> tuple[Problems, list[str], list[object]]:
    """What was not as it must be; all that could be read; all that was written and sent, asks too."""

    def goes_away() -> Problems:
        if shop.store is not None:
            shop.store.weather.add(way)
        return []

    problems = course(shop, case, goes_away)
    shop.wait(after_s)
    screens = [each.text for each in (*shop.looks, shop.screen())]
    if shop.store is not None:
        held = shop.store.disk.held[shop.journal.installation_id].head_seq
        if way in (LOST, AWAY) and held == len(shop.journal.written):
            problems.append(f"{way}: the store was told all the same: nothing was tried")
        shop.store.weather.clear()
    shop.line.heal()
    history = shop.come_to_rest(max(shop.calm_at(), shop.world.now), live=False, honest=True)
    return problems + [str(each) for each in judge(history)], screens, [*beside(history), *shop.line.made]
