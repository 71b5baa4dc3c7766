"""T: a waiting payment is asked about and the answer is at fault; afterwards the customer pays and all is judged."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from random import Random

from pos_app.domain.attempt import Flag, Kind, Reason, State
from pos_app.domain.replies import NoAnswer
from pos_app.domain.views import Decline
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.line import Reading
from tests.verification.matrix.readings import changed, reading
from tests.verification.matrix.screen import WORDS, Screen
from tests.verification.matrix.shop import Shop
from tests.verification.matrix.wire import CANARY
from tests.verification.simulation import faults

KEPT_COPY = 4_096
STRANGERS = ("another id", "another wallet id", "another merchant")


def play(case: Case, dice: Random) -> Problems:
    """One payment of the case's kind, the case's fault at its polls."""
    shop = Shop(dice)
    kind = case.kind or Kind.PUSH
    special = _SPECIAL.get(case.row)
    if special is not None:
        return special(shop, kind) + shop.end(honest=case.row != 40)
    attempt_id = shop.waiting(kind)
    if dice.random() < 0.3:
        shop.pays(attempt_id, "Verification Success")
        shop.wait(3)
    shop.line.stays("status", reading(case.row, "status", dice))
    for _ in range(dice.randrange(1, 5)):
        met = shop.line.times("status")
        shop.wait_for(lambda met=met: shop.line.times("status") > met)  # type: ignore[misc]
    problems = _while_it_lasts(shop, case, attempt_id)
    shop.line.heal()
    return problems + paid_after_all(shop, attempt_id) + shop.end()


def _while_it_lasts(shop: Shop, case: Case, attempt_id: str) -> Problems:
    screen = shop.looks[-1]
    if case.row == 23:
        return must.waiting(screen)
    problems = demand(screen, (screen.state is State.WAITING, "the state was changed"))
    if case.row == 29:
        problems += must.no_access(screen) + blocked(shop)
    elif case.row == 30:
        problems += must.impaired(screen) + _forbidden_twice(shop, attempt_id)
    elif case.row in (32, 33):
        problems += must.slow(screen, _asked_to_wait(shop)) + _waited(shop)
    else:
        problems += must.impaired(screen)
    return problems + kept_copy(shop)


def blocked(shop: Shop) -> Problems:
    """No new payment may start."""
    opened = shop.charge(Kind.QR)
    declined = shop.shown[0].declined
    shop.shown[0].declined = None
    if opened or declined is None or declined.decline is not Decline.BLOCKED:
        return [f"a new payment was opened: {opened}"]
    return []


def _forbidden_twice(shop: Shop, attempt_id: str) -> Problems:
    """403 on two different operations means the terminal, not the question (rule 19)."""
    shop.line.meets("cancel", reading(30, "cancel", shop.dice))
    shop.cancel(attempt_id)
    shop.wait_for(lambda: shop.line.times("cancel"))
    return must.no_access(shop.looks[-1])


def _asked_to_wait(shop: Shop) -> float:
    reply = shop.line.met[-1].reply
    assert isinstance(reply, NoAnswer)
    return reply.retry_after_s or 1


def _waited(shop: Shop) -> Problems:
    """No ask before the time the service asked for."""
    heard, least = shop.line.met[-1].at, _asked_to_wait(shop)
    shop.wait(least)
    early = [
        at for at, operation in shop.line.made if operation == "status" and 0 < at - heard < least * 1000
    ]
    return [f"asked {early[0] - heard} ms after a 429 that asked for {least} s"] if early else []


def kept_copy(shop: Shop) -> Problems:
    """What came is kept for the log: short, and without the terminal's secrets."""
    details = [each.reply.detail for each in shop.line.met if isinstance(each.reply, NoAnswer)]
    return [
        f"kept too much: {detail[:80]!r}" for detail in details if len(detail) > KEPT_COPY or CANARY in detail
    ]


def paid_after_all(shop: Shop, attempt_id: str) -> Problems:
    """The line is well again: the customer's payment is seen within a minute, whatever was asked meanwhile."""
    shop.pays(attempt_id)
    paid = shop.wait_for(lambda: shop.attempt(attempt_id).is_final, 100)
    screen = shop.screen(attempt_id)
    return demand(screen, (paid, "not ended"), (screen.says("PAID") == [], "it does not say PAID"))


def _unknown(shop: Shop, kind: Kind) -> Problems:
    name = shop.dice.choice([name for name in faults.NAMES if name])
    attempt_id = shop.waiting(kind)
    shop.line.stays("status", changed(name, merchantTxnStatusName=name))
    shop.wait_for(lambda: shop.line.times("status"))
    screen = shop.looks[-1]
    problems = must.waiting(screen) + screen.says("reports a status this till does not know")
    problems += demand(screen, (Flag.UNKNOWN_STATUS in screen.attempt.flags, "no event"))
    shop.wait(190)
    screen = shop.screen(attempt_id)
    problems += must.in_doubt(screen) + screen.says(WORDS.reason[Reason.UNKNOWN_STATUS])
    shop.line.heal()
    return problems + paid_after_all(shop, attempt_id)


def _backwards(shop: Shop, kind: Kind) -> Problems:
    attempt_id = shop.waiting(kind)
    if shop.dice.random() < 0.3:
        shop.pays(attempt_id, "Customer Approved")
        shop.wait(4)
        shop.line.meets("status", Reading(name="stale", back=1))
        shop.wait_for(lambda: shop.line.times("status"))
        return must.waiting(shop.looks[-1])
    shop.pays(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    return stays_paid(shop, attempt_id)


def stays_paid(shop: Shop, attempt_id: str) -> Problems:
    """An older status after PAID is noted and set aside; a contradiction, three times, is a dispute."""
    if shop.dice.random() < 0.5:
        shop.line.meets("status", changed("stale", merchantTxnStatusName="Merchant Initiated"))
        shop.check(attempt_id)
        shop.wait_for(lambda: shop.line.times("status"))
        screen = shop.screen(attempt_id)
        return screen.says("PAID") + demand(
            screen,
            (screen.state is State.PAID, "PAID did not stay"),
            (Flag.STATUS_REGRESSED in shop.attempt(attempt_id).flags, "no event"),
        )
    name = shop.dice.choice(("Payment Fail", "Customer Reject", "Merchant Cancel"))
    shop.line.stays("status", changed("flips", merchantTxnStatusName=name))
    shop.check(attempt_id)
    shop.wait_for(lambda: shop.line.times("status"))
    screen = shop.screen(attempt_id)
    problems = demand(
        screen,
        (screen.state is State.PAID, "one contradiction took PAID away"),
        (Flag.CONTRADICTED in screen.attempt.flags, "no event"),
    )
    shop.wait(60)
    problems += must.mismatch(shop.screen(attempt_id), "said paid, and now says something else")
    shop.line.heal()
    return problems


def other_amount(by: int = 1) -> Reading:
    """The service names some cents more or fewer."""

    def more(value: Decimal) -> Decimal:
        return value + Decimal(by) / 100

    return changed("another amount", transactionAmount=more)


def _amount(shop: Shop, kind: Kind) -> Problems:
    attempt_id = shop.waiting(kind)
    shop.pays(attempt_id, shop.dice.choice(("Payment Success", "Customer Approved")))
    shop.line.meets("status", other_amount(shop.dice.choice((1, 100, 1_000_000))))
    shop.wait_for(lambda: shop.line.times("status"))
    return must.mismatch(shop.looks[-1], "another amount")


def stranger(dice: Random) -> Reading:
    """A reply about something else."""
    name = dice.choice(STRANGERS)
    fields = {
        "another id": {"externalMerchantTransactionId": "SBX-T99999999-0001-1"},
        "another wallet id": {"walletTransactionId": "W99999"},
        "another merchant": {"merchantPgIdentifier": "M-2"},
    }[name]
    return changed(name, **fields)


def _stranger(shop: Shop, kind: Kind) -> Problems:
    attempt_id = shop.waiting(kind)
    shop.line.stays("status", stranger(shop.dice))
    problems: Problems = []
    for turn in range(2):
        if turn:
            shop.pays(attempt_id)
        met = shop.line.times("status")
        shop.wait_for(lambda met=met: shop.line.times("status") > met)  # type: ignore[misc]
        problems += must.waiting(shop.looks[-1])
    shop.wait_for(lambda: shop.line.times("status") > 2)
    problems += must.mismatch(shop.looks[-1], "another transaction")
    shop.line.heal()
    return problems


def _not_found(shop: Shop, kind: Kind) -> Problems:
    """Rule 3b where the id was shown; rule 3, the same bytes again, where it never was."""
    if shop.dice.random() < 0.5:
        attempt_id = shop.waiting(kind)
        shop.line.meets("status", reading(45, "status", shop.dice))
        shop.wait_for(lambda: shop.line.times("status"))
        problems = must.waiting(shop.looks[-1])
        if shop.initiates(attempt_id) != 1:
            problems.append("sent again though the service had shown it")
        return problems + paid_after_all(shop, attempt_id)
    shop.line.meets("initiate", reading(20, "initiate", shop.dice))
    attempt_id = shop.charge(kind)
    shop.line.stays("status", reading(45, "status", shop.dice))
    shop.wait_for(lambda: shop.line.times("status") > 1)
    problems = must.in_doubt(shop.looks[-1])
    shop.line.heal()
    shop.wait_for(lambda: shop.attempt(attempt_id).shown)
    bodies = {each.body for each in shop.log.sent if each.operation == "initiate"}
    if len(bodies) != 1 or shop.initiates(attempt_id) < 2:
        problems.append("not the same bytes again")
    return problems


def _odd_code(shop: Shop, kind: Kind) -> Problems:
    """An unknown code is kept asking about as an unknown status is; an envelope that contradicts itself is none."""
    attempt_id = shop.waiting(kind)
    shop.line.stays("status", reading(47, "status", shop.dice))
    shop.wait_for(lambda: shop.line.times("status"))
    screen = shop.looks[-1]
    if isinstance(shop.line.met[-1].reply, NoAnswer):
        problems = must.impaired(screen)
    else:
        problems = must.waiting(screen) + screen.says("reports a status this till does not know")
        problems += demand(screen, (Flag.UNKNOWN_STATUS in screen.attempt.flags, "no event"))
        shop.wait(190)
        problems += must.in_doubt(shop.screen(attempt_id))
    shop.line.heal()
    return problems + paid_after_all(shop, attempt_id)


def _no_permission(shop: Shop, kind: Kind) -> Problems:
    attempt_id = shop.waiting(kind)
    shop.line.stays("status", reading(46, "status", shop.dice))
    shop.wait_for(lambda: shop.line.times("status"))
    screen = shop.looks[-1]
    problems = must.waiting(screen) + no_permission(shop, screen)
    shop.line.heal()
    return problems + paid_after_all(shop, attempt_id)


def no_permission(shop: Shop, screen: Screen) -> Problems:
    """A for a code instead of a refused sign-in: what the terminal may not do, and whom to call."""
    code = shop.line.met[-1].reading
    return screen.says(WORDS.code[code].said, "Call the manager")


_SPECIAL: dict[int, Callable[[Shop, Kind], Problems]] = {
    39: _unknown,
    40: _backwards,
    41: _amount,
    42: _stranger,
    45: _not_found,
    47: _odd_code,
    46: _no_permission,
}
