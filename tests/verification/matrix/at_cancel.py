"""C: a cancel is wished and its request or its answer is at fault; nothing is certain until a status says so."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Flag, Kind, State
from pos_app.domain.replies import NoAnswer, Refused
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_poll import blocked, kept_copy, other_amount
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.line import Reading
from tests.verification.matrix.readings import changed, reading
from tests.verification.matrix.shop import Shop


def play(case: Case, dice: Random) -> Problems:
    """One payment of the case's kind, cancelled; the case's fault at the cancel."""
    shop = Shop(dice)
    kind = case.kind or Kind.PUSH
    special = _SPECIAL.get(case.row)
    if special is not None:
        return special(shop, kind) + shop.end(honest=case.row != 40)
    attempt_id = shop.waiting(kind)
    if case.row == 42:
        chosen = changed("another id", externalMerchantTransactionId="SBX-T99999999-0001-1")
    else:
        chosen = reading(case.row, "cancel", dice)
    shop.line.meets("cancel", *[chosen] * dice.randrange(1, 3))
    if case.row in (29, 30):
        shop.line.stays("status", reading(case.row, "status", dice))
    shop.cancel(attempt_id)
    problems = _wished(shop, attempt_id) + must.cancelling(shop.screen(attempt_id))
    shop.wait_for(lambda: shop.line.times("cancel"))
    problems += _while_it_lasts(shop, case, attempt_id)
    if dice.random() < 0.3:
        shop.pays(attempt_id)
    shop.line.heal()
    return problems + ends(shop, attempt_id) + shop.end()


def _wished(shop: Shop, attempt_id: str) -> Problems:
    """The wish was durable before the request left."""
    sent = [each for each in shop.log.sent if each.operation == "cancel"]
    written = [each.seq for each in shop.journal.written if each.record.kind == "CANCEL"]
    if not written or any(each.seq < written[0] for each in sent):
        return [f"cancel of {attempt_id} left before its wish was written"]
    return []


def _while_it_lasts(shop: Shop, case: Case, attempt_id: str) -> Problems:
    screen = shop.looks[-1]
    if screen.attempt.is_final:
        # A poll beside the silent cancel has seen how it ended.
        return kept_copy(shop)
    problems = must.cancelling(screen)
    if case.row in (29, 30):
        shop.wait_for(lambda: shop.line.times("status"))
        screen = shop.screen(attempt_id)
        problems += must.no_access(screen) + blocked(shop)
    elif case.row in (32, 33):
        reply = shop.line.met[-1].reply
        assert isinstance(reply, NoAnswer)
        problems += must.slow(screen, reply.retry_after_s or 1)
    elif "P" in case.codes.split("/"):
        problems += must.impaired(screen)
    elif case.row == 23 and isinstance(shop.line.met[-1].reply, Refused):
        problems += _asked_at_once(shop)
    return problems + kept_copy(shop)


def _asked_at_once(shop: Shop) -> Problems:
    heard = shop.line.met[-1].at
    shop.wait(1)
    asked = any(operation == "status" and at >= heard for at, operation in shop.line.made)
    return [] if asked else ["the status was not asked at once"]


def ends(shop: Shop, attempt_id: str) -> Problems:
    """The wish stands until the service has said how it ended: cancelled, or paid before the cancel arrived."""
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final, 100)
    screen = shop.screen(attempt_id)
    if shop.gateway.ledger[attempt_id].status == "Payment Success":
        return screen.says("PAID", "Paid before the cancel arrived: complete, or refund outside the till")
    return screen.says("NOT PAID", "The payment was cancelled. Nothing was charged.")


def _backwards(shop: Shop, kind: Kind) -> Problems:
    """Cancelled, and then an older status: it stays cancelled, with a note."""
    attempt_id = shop.waiting(kind)
    shop.cancel(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    shop.line.meets("status", Reading(name="stale", back=1))
    shop.check(attempt_id)
    shop.wait_for(lambda: shop.line.times("status"))
    attempt = shop.attempt(attempt_id)
    return demand(
        shop.screen(attempt_id),
        (attempt.state is State.CANCELLED, "CANCELLED did not stay"),
        (Flag.STATUS_REGRESSED in attempt.flags, "no event"),
    )


def _amount(shop: Shop, kind: Kind) -> Problems:
    attempt_id = shop.waiting(kind)
    shop.line.stays("status", other_amount())
    shop.cancel(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).state is State.DISPUTED)
    problems = must.mismatch(shop.screen(attempt_id), "another amount")
    shop.line.heal()
    return problems


def _already(shop: Shop, kind: Kind) -> Problems:
    """5006: the customer was quicker, or it is being processed."""
    attempt_id = shop.waiting(kind)
    if shop.dice.random() < 0.5:
        shop.pays(attempt_id, shop.dice.choice(("Verification Success", "Customer Approved")))
    shop.line.stays("cancel", reading(44, "cancel", shop.dice))
    shop.cancel(attempt_id)
    shop.wait_for(lambda: shop.line.times("cancel"))
    screen = shop.looks[-1]
    problems = must.cancelling(screen) + screen.says("Already being processed", "checking")
    problems += demand(screen, (Flag.CANCEL_TOO_LATE in screen.attempt.flags, "no event")) + _asked_at_once(
        shop
    )
    shop.pays(attempt_id)
    shop.line.heal()
    return problems + ends(shop, attempt_id)


def _not_allowed(shop: Shop, kind: Kind) -> Problems:
    """No right to cancel: said, not repeated, the asking goes on."""
    attempt_id = shop.waiting(kind)
    shop.line.stays("cancel", reading(46, "cancel", shop.dice))
    shop.cancel(attempt_id)
    shop.wait_for(lambda: shop.line.times("cancel"))
    screen = shop.looks[-1]
    problems = must.cancelling(screen) + screen.says("may not cancel it", "call the manager")
    shop.wait(30)
    if shop.line.times("cancel") != 1:
        problems.append("the cancel was repeated")
    shop.pays(attempt_id)
    return problems + ends(shop, attempt_id)


_SPECIAL: dict[int, Callable[[Shop, Kind], Problems]] = {
    40: _backwards,
    41: _amount,
    44: _already,
    46: _not_allowed,
}
