"""G: what is unresolved or ended is asked about again, or the line is probed, and the answer is at fault."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Flag, Kind, State
from pos_app.domain.replies import NoAnswer
from pos_app.domain.views import Block, Connection
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_poll import (
    blocked,
    kept_copy,
    no_permission,
    other_amount,
    stays_paid,
    stranger,
)
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.line import Reading
from tests.verification.matrix.readings import reading
from tests.verification.matrix.screen import WORDS
from tests.verification.matrix.shop import Shop

PROBES = range(16, 39)
"""The faults a probe can tell: those of the line, not of a payment."""


def play(case: Case, dice: Random) -> Problems:
    """An unresolved payment of the case's kind is asked about again; and a till that only probes its line."""
    shop = Shop(dice)
    kind = case.kind or Kind.PUSH
    special = _SPECIAL.get(case.row)
    if special is not None:
        return special(shop, kind) + shop.end(honest=case.row != 40)
    attempt_id = unresolved(shop, kind)
    shop.line.stays("status", reading(case.row, "status", dice))
    for _ in range(dice.randrange(1, 4)):
        met = shop.line.times("status")
        shop.check(attempt_id)
        shop.wait_for(lambda met=met: shop.line.times("status") > met)  # type: ignore[misc]
    problems = _while_it_lasts(shop, case, attempt_id)
    shop.line.heal()
    problems += shop.end()
    return problems + (_probed(case, dice) if case.row in PROBES else [])


def unresolved(shop: Shop, kind: Kind) -> str:
    """Given up, its cancel never answered: on the list, and asked about until it is known."""
    lost = reading(20, "cancel", shop.dice)
    shop.line.stays("cancel", lost)
    attempt_id = shop.charge(kind, give_up_after_s=float(shop.dice.randrange(8, 20)))
    shop.wait_for(lambda: shop.attempt(attempt_id).state is State.UNRESOLVED)
    shop.wait(shop.dice.uniform(0, 9))
    return attempt_id


def _while_it_lasts(shop: Shop, case: Case, attempt_id: str) -> Problems:
    screen = shop.looks[-1]
    problems = must.in_doubt(screen)
    if case.row in (23, 45):
        pass
    elif case.row == 29:
        problems += must.no_access(screen) + blocked(shop)
    elif case.row == 30:
        forbidden = reading(30, "status", shop.dice)
        shop.line.before["cancel"] = lambda: shop.line.stays("status", forbidden)
        shop.line.stays("cancel", forbidden)
        shop.line.stays("status", Reading(name="honest"))
        shop.wait_for(lambda: shop.screen(attempt_id).terminal.block is Block.SIGN_IN_REFUSED, 40)
        problems += must.no_access(shop.screen(attempt_id))
    elif case.row in (32, 33):
        reply = shop.line.met[-1].reply
        assert isinstance(reply, NoAnswer)
        problems += must.slow(screen, reply.retry_after_s or 1)
    elif case.row == 42:
        problems += demand(screen, (Flag.OTHER_TRANSACTION in screen.attempt.flags, "no event"))
    elif case.row == 46:
        problems += no_permission(shop, screen)
    elif case.row == 47 and not isinstance(shop.line.met[-1].reply, NoAnswer):
        problems += demand(screen, (Flag.UNKNOWN_STATUS in screen.attempt.flags, "no event"))
    else:
        problems += must.impaired(screen)
    return problems + kept_copy(shop)


_SHOWN = {
    29: (Connection.SIGN_IN_REFUSED,),
    32: (Connection.SLOW,),
    33: (Connection.SLOW,),
    # A portal's own page, or no way through it; half a reply, or a connection that broke in it.
    **dict.fromkeys((16, 25), (Connection.LOST, Connection.STRANGE)),
    **dict.fromkeys((19, 27, 34, 36, 37, 38), (Connection.STRANGE,)),
}


def _probed(case: Case, dice: Random) -> Problems:
    """A till without payments asks for the list to know its line; its top bar says what came of it."""
    shop = Shop(dice, first_probe=reading(case.row, "query", dice))
    shop.wait_for(lambda: shop.line.times("query"), 11)
    screen = shop.looks[-1]
    wanted = (Connection.CONNECTED,) if case.row == 23 else _SHOWN.get(case.row, (Connection.LOST,))
    problems = demand(
        screen,
        (screen.connection in wanted, f"not {wanted}"),
        (not screen.says(WORDS.connection[screen.connection]), "words"),
    )
    if case.row == 29:
        problems += blocked(shop)
    shop.line.heal()
    shop.wait(40)
    screen = shop.screen()
    problems += demand(
        screen,
        (screen.connection is Connection.CONNECTED, "not connected again"),
        (screen.terminal.block is Block.NONE, "still blocked"),
    )
    attempt_id = shop.waiting(case.kind or Kind.PUSH)
    return problems + must.waiting(shop.screen(attempt_id))


def _backwards(shop: Shop, kind: Kind) -> Problems:
    """Paid long ago and asked about again."""
    attempt_id = shop.waiting(kind)
    shop.pays(attempt_id)
    shop.wait(shop.dice.uniform(70, 280))
    return stays_paid(shop, attempt_id)


def _amount(shop: Shop, kind: Kind) -> Problems:
    attempt_id = unresolved(shop, kind)
    shop.line.meets("status", other_amount())
    shop.check(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).state is State.DISPUTED)
    return must.mismatch(shop.screen(attempt_id), "another amount")


def _stranger(shop: Shop, kind: Kind) -> Problems:
    """Ignored, with an event; never adopted."""
    attempt_id = unresolved(shop, kind)
    shop.line.stays("status", stranger(shop.dice))
    shop.check(attempt_id)
    shop.wait_for(lambda: shop.line.times("status"))
    screen = shop.looks[-1]
    shop.pays(attempt_id)
    return must.in_doubt(screen) + demand(
        screen, (Flag.OTHER_TRANSACTION in screen.attempt.flags, "no event")
    )


_SPECIAL: dict[int, Callable[[Shop, Kind], Problems]] = {40: _backwards, 41: _amount, 42: _stranger}
