"""S: the request leaves and meets a fault; then the customer pays if the service has it, and all is judged."""

from __future__ import annotations

from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.domain.ids import sale_and_number
from pos_app.domain.replies import NoAnswer, Refused
from pos_app.domain.views import Decline
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.behaviours import Problems
from tests.verification.matrix.cells import Case
from tests.verification.matrix.line import Reading
from tests.verification.matrix.readings import changed, reading
from tests.verification.matrix.screen import PAYING, WORDS, Screen
from tests.verification.matrix.shop import Shop

SPECIAL = {
    42: lambda _dice: changed("another id", externalMerchantTransactionId="SBX-T99999999-0001-1"),
}


def play(case: Case, dice: Random) -> Problems:
    """One send of the case's kind that meets the case's fault."""
    kind = case.kind or Kind.PUSH
    shop = Shop(dice)
    chosen = _reading(case, dice)
    if chosen.unsent:
        shop.line.stays("initiate", chosen)
    else:
        shop.line.meets("initiate", chosen)
    if case.row in (29, 30) or (chosen.silent and dice.random() < 0.5):
        # The line is as bad for the asks beside it.
        shop.line.stays("status", reading(case.row, "status", dice))
    attempt_id = shop.charge(kind)
    problems = [] if attempt_id else ["the charge was not opened"]
    shop.wait_for(lambda: shop.line.times("initiate"))
    if chosen.unsent:
        problems += _not_sent(shop, attempt_id, kind)
    else:
        problems += _after(shop, case, attempt_id)
    return problems + shop.end()


def _reading(case: Case, dice: Random) -> Reading:
    if case.row == 48:
        broken = {"no wallet id": {"walletTransactionId": ""}}
        if case.kind is Kind.QR:
            broken |= {"no text": {"qrEncryptedText": ""}, "oversize": {"qrEncryptedText": "Q" * 3_000}}
        name = dice.choice(tuple(broken))
        return changed(name, **broken[name])
    if case.row in SPECIAL:
        return SPECIAL[case.row](dice)
    return reading(case.row, "initiate", dice)


def _after(shop: Shop, case: Case, attempt_id: str) -> Problems:
    """The screen as it was when the till had just heard, and what may be done now."""
    screen = shop.looks[-1]
    if screen.attempt.attempt_id != attempt_id:
        screen = shop.screen(attempt_id)
    problems: Problems = []
    if case.row == 46:
        return _refused(shop, attempt_id)
    if case.row == 23:
        problems += _twice(shop, screen)
    elif case.row == 48 and "wallet" not in shop.line.met[-1].reading:
        problems += must.lost_code(screen)
    else:
        problems += must.doubt_after_send(screen)
    if case.row in (29, 30):
        shop.wait_for(lambda: shop.line.times("status"))
        problems += must.no_access(shop.screen(attempt_id))
    if case.row in (32, 33):
        problems += must.slow(screen, _asked_to_wait(shop))
    problems += _no_second(shop, attempt_id)
    shop.line.heal()
    _pays_if_there(shop, attempt_id)
    return problems


def _asked_to_wait(shop: Shop) -> float:
    reply = shop.line.met[-1].reply
    assert isinstance(reply, NoAnswer)
    return reply.retry_after_s or 1


def _twice(shop: Shop, screen: Screen) -> Problems:
    """One of the two was accepted. Whose answer the till hears decides between waiting and asking."""
    if not isinstance(shop.line.met[-1].reply, Refused):
        return must.waiting(screen)
    problems = must.doubt_after_send(screen)
    shop.wait_for(lambda: shop.attempt(screen.attempt.attempt_id).shown)
    now = shop.screen(screen.attempt.attempt_id)
    return problems + (must.waiting(now) if screen.attempt.kind is Kind.PUSH else must.lost_code(now))


def _no_second(shop: Shop, attempt_id: str) -> Problems:
    """While nothing is certain the same sale is not charged again, however it is asked for."""
    attempt = shop.attempt(attempt_id)
    if attempt.lets_another_start:
        return []
    opened = shop.charge(attempt.kind, sale_id=attempt.sale_id)
    declined = shop.shown[0].declined
    if opened or declined is None or declined.decline not in (Decline.EARLIER_ATTEMPT_OPEN, Decline.BLOCKED):
        return [f"a second attempt {opened} was opened beside {attempt_id}"]
    shop.shown[0].declined = None
    return []


def _pays_if_there(shop: Shop, attempt_id: str) -> None:
    shop.wait(shop.dice.uniform(0, 20))
    for each in list(shop.gateway.ledger):
        if (
            sale_and_number(each)[0] == sale_and_number(attempt_id)[0]
            and shop.attempt(each).cancel_wish is None
        ):
            shop.pays(each)


def _not_sent(shop: Shop, attempt_id: str, kind: Kind) -> Problems:
    """N, and the next try is a new attempt that can be paid."""
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    screen = shop.screen(attempt_id)
    problems = must.not_sent(screen)
    if shop.line.met[-1].reading == "no_tls":
        problems += screen.says("identity could not be proven", "check the terminal’s clock")
    if shop.gateway.ledger or shop.initiates(attempt_id):
        problems.append("something was sent")
    shop.line.heal()
    again = shop.charge(kind, sale_id=screen.attempt.sale_id)
    if again in ("", attempt_id):
        problems.append(f"the next try is no new attempt: {again!r}")
    shop.wait_for(lambda: shop.attempt(again).shown)
    shop.pays(again)
    shop.wait(10)
    if shop.attempt(again).state is not State.PAID:
        problems.append(f"the next try did not work: {shop.screen()!r}")
    return problems


def _refused(shop: Shop, attempt_id: str) -> Problems:
    """R: our words for the code; a new try once the service has said that nothing is there."""
    code = shop.line.met[-1].reading
    problems = must.refused(shop.looks[-1], code, WORDS.code[code].said.rstrip("."))
    shop.wait_for(lambda: shop.attempt(attempt_id).refusal_opened, 30)
    screen = shop.screen(attempt_id)
    problems += screen.says("Call the manager")
    if not screen.acts & PAYING:
        problems.append(f"no new try is offered: {screen!r}")
    if shop.initiates(attempt_id) != 1:
        problems.append("the refused bytes were sent again")
    return problems
