"""Row 55: the cashier locks, leaves, or another takes the till in the middle of a payment, where people sign in."""

from __future__ import annotations

from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Cancel, SignOut
from pos_app.domain.rights import Act, Grant
from pos_app.domain.secret import Secret
from pos_app.domain.staff import Approve, EnterPasscode, Lock
from pos_app.domain.views import CommandRefused, StaffProblem
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.deeds import WHO
from tests.verification.matrix.shop import Shop
from tests.verification.simulation.roll import MANAGER, OTHER, PASSCODE

CHANGES = ("locks", "idles", "switches", "leaves", "manager takes over")
HASHED = 0.2
"""A passcode has been looked at by then (s)."""


def play(case: Case, dice: Random) -> Problems:
    """The payment goes on, is still its owner's, and its end is there when they are back."""
    shop = Shop(dice, staffed=True)
    come(shop, WHO)
    step = case.step
    if step == "G":
        return _unresolved_meanwhile(shop, case.kind or Kind.PUSH)
    if step == "C":
        return _cancelled_by_whom(shop, case.kind or Kind.PUSH)
    attempt_id = shop.charge(case.kind or Kind.PUSH)
    if step in ("J0", "S"):
        # The intent is durable, or its bytes have just left.
        shop.wait(0 if step == "J0" else dice.uniform(0, 0.4))
        change(shop)
    shop.wait_for(lambda: shop.attempt(attempt_id).shown)
    if step == "J1":
        change(shop)
    shop.wait(dice.uniform(1, 9))
    if step == "T":
        change(shop)
    shop.wait(dice.uniform(1, 9))
    problems = must.waiting(shop.screen(attempt_id)) if step == "T" else []
    if step == "D":
        # Behind the lock, or after they have left, when the money comes.
        change(shop)
    shop.pays(attempt_id)
    paid = shop.wait_for(lambda: shop.attempt(attempt_id).state is State.PAID, 30)
    told = shop.told_of(attempt_id, State.PAID)
    come(shop, WHO)
    return (
        problems
        + demand(
            shop.screen(attempt_id),
            (paid, "not asked about until it was paid"),
            (told == 1, f"its result was told {told} times"),
            (here(shop) == WHO, "its cashier cannot come back"),
        )
        + _whose(shop)
        + shop.screen(attempt_id).says("PAID")
        + shop.end()
    )


def come(shop: Shop, person_id: str) -> None:
    """By their passcode: signs in, unlocks, or takes the till."""
    shop.till.tell(EnterPasscode(person_id, Secret(PASSCODE)))
    shop.wait(HASHED)


def here(shop: Shop) -> str:
    """Who is at the till; nobody behind a lock."""
    terminal = shop.screen().terminal
    return "" if terminal.signed_in is None or terminal.locked else terminal.signed_in.person_id


def change(shop: Shop, *, waits: bool = True) -> None:
    """One way or another, they are no longer there. `waits`: a payment does, for its customer."""
    match shop.dice.choice(CHANGES):
        case "locks":
            shop.till.tell(Lock())
        case "idles":
            shop.till.tell(Lock(idle=True))
            assert shop.screen().terminal.locked != waits, "by itself it locks when no payment waits"
        case "switches":
            come(shop, OTHER)
        case "manager takes over":
            come(shop, MANAGER)
        case _:
            shop.till.tell(SignOut())


def _whose(shop: Shop) -> Problems:
    owners = {each.owner for each in shop.journal.attempts()}
    return [] if owners == {WHO} else [f"owned by {owners}"]


def _unresolved_meanwhile(shop: Shop, kind: Kind) -> Problems:
    """Given up, then somebody else is there, then the money comes: told as late, and still whose it was."""
    attempt_id = unresolved(shop, kind)
    change(shop, waits=False)
    shop.pays(attempt_id)
    shop.wait(15)
    problems = must.late(shop.screen(attempt_id))
    come(shop, WHO)
    shop.answer(attempt_id, "complete")
    resolution = shop.attempt(attempt_id).resolution
    name = "" if resolution is None else resolution.name
    return problems + ([] if name == "Kamala" else [f"answered by {name!r}"]) + _whose(shop) + shop.end()


def _cancelled_by_whom(shop: Shop, kind: Kind) -> Problems:
    """Not by another cashier, not behind a lock: the owner, a manager, or a manager beside the other cashier."""
    attempt_id = shop.waiting(kind)
    left = shop.dice.choice(("locks", "switches", "leaves"))
    if left == "locks":
        shop.till.tell(Lock())
    elif left == "switches":
        come(shop, OTHER)
    else:
        shop.till.tell(SignOut())
    why = {"locks": StaffProblem.LOCKED, "switches": StaffProblem.NOT_ALLOWED}
    refused = CommandRefused(
        act=Act.CANCEL,
        needs=Grant.OWNER,
        attempt_id=attempt_id,
        problem=why.get(left, StaffProblem.NOT_SIGNED_IN),
    )
    shop.till.tell(Cancel(attempt_id, OTHER if left == "switches" else WHO))
    screen = shop.screen(attempt_id)
    problems = demand(
        screen,
        (shop.refused == [refused], f"refused as {shop.refused}"),
        (screen.attempt.cancel_wish is None, "a wish to cancel by who may not"),
    )
    by = shop.dice.choice(("owner", "manager", *(("approval",) if left == "switches" else ())))
    match by:
        case "owner":
            come(shop, WHO)
            shop.till.tell(Cancel(attempt_id, WHO))
        case "manager":
            come(shop, MANAGER)
            shop.till.tell(Cancel(attempt_id, MANAGER))
        case _:
            _approved(shop, attempt_id)
    command = shop.attempt(attempt_id).cancel_wish
    done = shop.wait_for(lambda: shop.attempt(attempt_id).state is State.CANCELLED, 30)
    return (
        problems
        + demand(
            shop.screen(attempt_id),
            (
                command is not None and command.who == (WHO if by == "owner" else MANAGER),
                f"wished by {command}",
            ),
            (done, "not cancelled"),
        )
        + _whose(shop)
        + shop.end()
    )


def _approved(shop: Shop, attempt_id: str) -> None:
    """The other cashier stays signed in; the manager's passcode does this one thing."""
    shop.till.tell(
        Approve(
            request_id="approval",
            command=Cancel(attempt_id, OTHER),
            manager_id=MANAGER,
            passcode=Secret(PASSCODE),
            reason="the customer has gone",
        )
    )
    shop.wait(HASHED)
    assert here(shop) == OTHER, "the cashier was signed out by an approval"
