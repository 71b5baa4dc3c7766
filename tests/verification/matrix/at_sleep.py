"""Row 14: the machine sleeps at the step; what was under way is lost, and what is true is asked for on waking."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.services.errors import TimedOut
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_code import ask_for_code, ready, signs_in_after_all
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.at_poll import paid_after_all
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.readings import wire_reading
from tests.verification.matrix.shop import Shop

Player = Callable[[Case, Random, Kind], Problems]


def play(case: Case, dice: Random) -> Problems:
    """Asleep at the case's step."""
    return _ASLEEP[case.step](case, dice, case.kind or Kind.PUSH)


def _wakes_for_sale(_case: Case, dice: Random, kind: Kind) -> Problems:
    shop = Shop(dice)
    shop.sleep(dice.uniform(60, 40_000))
    shop.wait(1)
    attempt_id = shop.waiting(kind)
    return must.waiting(shop.screen(attempt_id)) + paid_after_all(shop, attempt_id) + shop.end()


def _sleeps_in_send(_case: Case, dice: Random, kind: Kind) -> Problems:
    """The reply was lost in the sleep: in doubt, asked about at once, never sent as if it were new."""
    shop = Shop(dice)
    silent = wire_reading("asleep", TimedOut("no reply"), arrives=dice.random() < 0.5)
    shop.line.meets("initiate", silent)
    shop.charge(kind)
    shop.sleep(dice.uniform(20, 200))
    shop.wait_for(lambda: shop.line.times("initiate"), 1)
    return must.doubt_after_send(shop.looks[-1]) + shop.end()


def _sleeps_before_record(_case: Case, dice: Random, kind: Kind) -> Problems:
    """Paid while it slept: read anew on waking."""
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    shop.pays(attempt_id)
    shop.sleep(dice.uniform(20, 250))
    seen = shop.wait_for(lambda: shop.attempt(attempt_id).is_final, 5)
    screen = shop.screen(attempt_id)
    return screen.says("PAID") + demand(screen, (seen, "not asked about on waking")) + shop.end()


def _sleeps_while_waiting(_case: Case, dice: Random, kind: Kind) -> Problems:
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    asked = len(shop.line.made)
    shop.sleep(dice.uniform(20, 200))
    shop.wait(0.5)
    screen = shop.screen(attempt_id)
    problems = must.waiting(screen)
    if len(shop.line.made) <= asked:
        problems.append("not asked about on waking")
    return problems + paid_after_all(shop, attempt_id) + shop.end()


def _sleeps_in_cancel(_case: Case, dice: Random, kind: Kind) -> Problems:
    """Asked first, then cancelled again while the service still waits."""
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    shop.line.meets("cancel", wire_reading("asleep", TimedOut("no reply"), arrives=False))
    shop.cancel(attempt_id)
    shop.sleep(dice.uniform(20, 200))
    since = len(shop.line.made)
    shop.wait(0.5)
    screen = shop.screen(attempt_id)
    problems = [] if screen.attempt.is_final else must.cancelling(screen)
    after = [operation for _, operation in shop.line.made[since:]]
    if "status" not in after or ("cancel" in after and after.index("cancel") < after.index("status")):
        problems.append(f"after waking: {after}")
    done = shop.wait_for(lambda: shop.attempt(attempt_id).state is State.CANCELLED, 40)
    return problems + demand(shop.screen(attempt_id), (done, "not cancelled")) + shop.end()


def _sleeps_unresolved(_case: Case, dice: Random, kind: Kind) -> Problems:
    shop = Shop(dice)
    attempt_id = unresolved(shop, kind)
    shop.pays(attempt_id)
    shop.sleep(dice.uniform(60, 3_000))
    shop.wait(12)
    return must.late(shop.screen(attempt_id)) + shop.end()


def _sleeps_on_code(case: Case, dice: Random, _kind: Kind) -> Problems:
    """O1: the code has become too old. O2: nobody knows whether it was checked."""
    shop = ready(dice)
    ask_for_code(shop)
    shop.wait_for(lambda: shop.screen().dialog.may_type)
    if case.step == "O1":
        shop.sleep(dice.uniform(601, 5_000))
        shop.type_code()
        shop.wait(2)
        screen = shop.screen()
        problems = must.not_signed_in(screen)
        problems += [] if "Code expired" in screen.dialog.text else [screen.dialog.text]
    else:
        shop.line.meets("otp", wire_reading("asleep", TimedOut("no reply")))
        shop.type_code()
        shop.sleep(dice.uniform(20, 500))
        shop.wait_for(lambda: shop.line.times("otp"), 1)
        problems = must.code_in_doubt(shop.looks[-1], sending=False)
    return problems + signs_in_after_all(shop) + shop.end()


_ASLEEP: dict[str, Player] = {
    "J0": _wakes_for_sale,
    "S": _sleeps_in_send,
    "J1": _sleeps_before_record,
    "T": _sleeps_while_waiting,
    "C": _sleeps_in_cancel,
    "G": _sleeps_unresolved,
    "O1": _sleeps_on_code,
    "O2": _sleeps_on_code,
    "D": _sleeps_before_record,
}
