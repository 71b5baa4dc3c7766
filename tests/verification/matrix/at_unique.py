"""Row 43: 5000, the number is in use. What lies there is ours, or somebody else's, or not there at all."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.domain.views import Block
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_poll import blocked
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.readings import changed, reading
from tests.verification.matrix.shop import Shop


def play(case: Case, dice: Random) -> Problems:
    """One of the ways in which an initiate comes to be answered 5000."""
    way = dice.choice((_said_of_the_first, _doubled_on_the_way, _said_of_the_copy, _anothers))
    return way(dice, case.kind or Kind.PUSH)


def _said_of_the_first(dice: Random, kind: Kind) -> Problems:
    """Though nothing lies there: in doubt, and asked about until a person settles it; never sent again."""
    shop = Shop(dice)
    shop.line.meets("initiate", reading(43, "initiate", dice))
    attempt_id = shop.charge(kind)
    shop.wait_for(lambda: shop.line.times("initiate"))
    problems = must.in_doubt(shop.looks[-1])
    shop.wait(dice.uniform(30, 70))
    problems += must.in_doubt(shop.screen(attempt_id))
    if shop.initiates(attempt_id) != 1:
        problems.append("a taken number was sent again")
    return problems + shop.end()


def _doubled_on_the_way(dice: Random, kind: Kind) -> Problems:
    """A box sent it twice and the till hears the second answer: what lies there is what was sent, so it is ours."""
    shop = Shop(dice)
    shop.line.meets("initiate", reading(23, "initiate", Random(_SECOND)))
    attempt_id = shop.charge(kind)
    shop.wait_for(lambda: shop.line.times("initiate"))
    problems = must.doubt_after_send(shop.looks[-1])
    shop.wait_for(lambda: shop.attempt(attempt_id).shown)
    now = shop.screen(attempt_id)
    problems += must.waiting(now) if kind is Kind.PUSH else must.lost_code(now)
    return problems + shop.end()


def _said_of_the_copy(dice: Random, kind: Kind) -> Problems:
    """The re-send of the same bytes: it exists, so ask; nothing has failed."""
    shop = Shop(dice)
    shop.line.meets("initiate", changed("unreadable", walletTransactionId={}))
    shop.line.stays("status", reading(45, "status", dice))
    attempt_id = shop.charge(kind)
    shop.wait_for(lambda: shop.initiates(attempt_id) > 1, 60)
    shop.wait(0.6)
    problems = must.in_doubt(shop.screen(attempt_id))
    shop.line.heal()
    seen = shop.wait_for(lambda: shop.attempt(attempt_id).shown, 60)
    problems += demand(shop.screen(attempt_id), (seen, "not found by asking"))
    shop.pays(attempt_id)
    return problems + shop.end()


def _anothers(dice: Random, kind: Kind) -> Problems:
    """A cloned disk: under this number lies another sale. Nothing is sold until a person has looked at it."""
    seed = dice.randrange(1 << 30)
    first = Shop(Random(seed))
    first.charge(kind)
    body = next(each.body for each in first.log.sent if each.operation == "initiate")
    shop = Shop(Random(seed))
    other = body.replace(str(shop.amount).encode(), str(shop.amount + 1).encode())
    shop.gateway.initiate(shop.world.now, kind.value, other)
    attempt_id = shop.charge(kind)
    shop.wait_for(lambda: shop.attempt(attempt_id).state is State.DISPUTED)
    screen = shop.screen(attempt_id)
    return (
        must.mismatch_of_identity(screen)
        + blocked(shop)
        + demand(screen, (screen.terminal.block is Block.IDENTITY_USED_TWICE, "it sells on"))
    )


def _seed_that(holds: Callable[[int], bool]) -> int:
    return next(seed for seed in range(1_000) if holds(seed))


_SECOND = _seed_that(lambda seed: reading(23, "initiate", Random(seed)).second)
