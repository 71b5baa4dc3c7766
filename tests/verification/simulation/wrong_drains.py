"""Wrong tills that close for an update as they should not."""

from __future__ import annotations

from typing import Any

from pos_app.domain.draining import DrainAsked
from pos_app.domain.people import TERMINAL
from pos_app.engine.core import draining
from pos_app.engine.core.draining import Draining
from pos_app.engine.core.engine import Engine
from tests.verification.simulation.planting import Planter


def charges_while_it_closes(planter: Planter) -> None:
    """The screen says no new sale, and the gate does not."""
    planter.put(Draining, "blocks", property(lambda _self: False))


def a_new_code_while_it_closes(planter: Planter) -> None:
    """What the till begins by itself goes around the gate."""

    by_itself: list[bool] = []

    def charge(self: Any, charge: Any, actor: str = "") -> None:
        by_itself.append(actor == TERMINAL)
        right(self, charge, actor)
        by_itself.pop()

    def blocks(self: Any) -> bool:
        return bool(closes.fget(self)) and True not in by_itself

    right = planter.put(Engine, "_charge", charge)
    closes = planter.put(Draining, "blocks", property(blocks))


def ends_under_a_customer(planter: Planter) -> None:
    """Somebody pays, and the till says that nothing is under way."""
    planter.put(Draining, "_open", lambda *_asked: 0)


def lets_what_is_not_known_go(planter: Planter) -> None:
    """Whoever wants all of it ended is told so while some was only given up."""

    def wrong(attempt: Any, **_strict: Any) -> bool:
        return bool(right(attempt, strict=False))

    right = planter.put(draining, "is_awaited", wrong)


def never_sells_again(planter: Planter) -> None:
    """The time is over, and nobody looks at it."""

    def wrong(self: Any, news: Any) -> None:
        right(self, news)
        if isinstance(news, DrainAsked):
            self._until += 10**9

    right = planter.put(Draining, "heard", wrong)
