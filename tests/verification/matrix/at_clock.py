"""Rows 9 to 11: the wall clock jumps, or an hour of it comes twice. Nothing is measured with it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.services.errors import TimedOut
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_code import ask_for_code, play_clock_send, play_clock_try, signed_in
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.at_poll import paid_after_all
from tests.verification.matrix.at_send import play as play_send
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.line import Reading
from tests.verification.matrix.readings import wire_reading
from tests.verification.matrix.shop import Shop

HOUR_S = 3_600
YEAR_S = 365 * 24 * HOUR_S
JUMPS_S = {9: (HOUR_S, 10 * YEAR_S), 10: (-HOUR_S, -50 * YEAR_S)}
NO_TLS = Reading(name="no_tls", unsent="no_tls")
Player = Callable[[Case, Random, Kind], Problems]


def play(case: Case, dice: Random) -> Problems:
    """The case's row at the case's step."""
    if case.row == 10 and case.step == "S":
        # A certificate that is not valid yet.
        return play_send(case, dice)
    if case.row in JUMPS_S and case.step in ("O1", "O2"):
        player = play_clock_send if case.step == "O1" else play_clock_try
        return player(case, dice, _jump_ms(case, dice))
    steps = {9: _JUMPS, 10: _JUMPS, 11: _TWICE}[case.row]
    return steps[case.step](case, dice, case.kind or Kind.PUSH)


def _jump_ms(case: Case, dice: Random) -> int:
    return 1_000 * dice.choice(JUMPS_S[case.row])


def _jump(shop: Shop, case: Case) -> None:
    shop.till.push_clock(_jump_ms(case, shop.dice))


def _order_kept(shop: Shop) -> Problems:
    """Numbers and till time order the journal, whatever the wall said."""
    times = [each.record.at for each in shop.journal.written]
    return [] if times == sorted(times) else ["till time ran backwards"]


def _jumps_before_intent(case: Case, dice: Random, kind: Kind) -> Problems:
    shop = Shop(dice)
    before = shop.waiting(kind)
    _jump(shop, case)
    attempt_id = shop.charge(kind, another_customer=True)
    shop.wait_for(lambda: shop.attempt(attempt_id).shown)
    problems = must.waiting(shop.screen(attempt_id)) + must.waiting(shop.screen(before))
    shop.pays(before)
    return problems + paid_after_all(shop, attempt_id) + _order_kept(shop) + shop.end()


def _jumps_in_silence(case: Case, dice: Random, kind: Kind) -> Problems:
    """The deadline of a silent initiate, and the time to give up, do not move."""
    shop = Shop(dice)
    silent = wire_reading("silence", TimedOut("no reply"))
    shop.line.meets("initiate", silent)
    shop.line.stays("status", silent)
    attempt_id = shop.charge(kind)
    shop.wait(dice.uniform(0.5, 3))
    _jump(shop, case)
    shop.wait(0.2)
    problems = demand(
        shop.screen(attempt_id), (shop.attempt(attempt_id).state is State.INTENT, "it moved with the clock")
    )
    shop.wait_for(lambda: shop.line.times("initiate"))
    problems += must.in_doubt(shop.screen(attempt_id))
    problems += demand(
        shop.screen(attempt_id), (shop.attempt(attempt_id).gave_up_at is None, "it was given up at once")
    )
    return problems + _order_kept(shop) + shop.end()


def _jumps_before_record(case: Case, dice: Random, kind: Kind) -> Problems:
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    _jump(shop, case)
    return paid_after_all(shop, attempt_id) + _order_kept(shop) + shop.end()


def _jumps_while_waiting(case: Case, dice: Random, kind: Kind) -> Problems:
    """Forward: as before. Back: certificates are not valid yet, and the line is as good as gone."""
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    _jump(shop, case)
    if case.row == 10:
        shop.line.stays("status", NO_TLS)
        shop.wait_for(lambda: shop.line.times("status"))
        problems = must.impaired(shop.looks[-1])
        shop.line.heal()
    else:
        shop.wait(dice.uniform(3, 20))
        problems = must.waiting(shop.screen(attempt_id))
    return problems + paid_after_all(shop, attempt_id) + shop.end()


def _jumps_before_cancel(case: Case, dice: Random, kind: Kind) -> Problems:
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    _jump(shop, case)
    if case.row == 10:
        shop.line.meets("cancel", NO_TLS)
    shop.cancel(attempt_id)
    problems = must.cancelling(shop.screen(attempt_id))
    if case.row == 10:
        shop.wait_for(lambda: shop.line.times("cancel"))
        problems += must.impaired(shop.looks[-1])
    cancelled = shop.wait_for(lambda: shop.attempt(attempt_id).state is State.CANCELLED, 40)
    return problems + demand(shop.screen(attempt_id), (cancelled, "not cancelled")) + shop.end()


def _same_hour_twice(_case: Case, dice: Random, kind: Kind) -> Problems:
    """Two sales at the same text of the clock, an hour apart: told apart by their ids, each with its offset."""
    first_s = dice.uniform(30, 3_000)
    shop = Shop(dice, summer_time_ends=int(first_s * 1000) + 500_000)
    shop.until(int(first_s * 1000))
    first = shop.charge(kind)
    shop.wait(dice.uniform(4, 30))
    if dice.random() < 0.5:
        shop.pays(first)
    shop.until(int(first_s * 1000) + HOUR_S * 1000)
    second = shop.charge(kind, another_customer=True)
    shop.wait_for(lambda: shop.attempt(second).shown)
    one, two = shop.attempt(first), shop.attempt(second)
    problems = must.waiting(shop.screen(second)) + demand(
        shop.screen(second),
        (one.transaction_date_time == two.transaction_date_time, "the hour did not come twice"),
        (one.tapped_wall[:19] == two.tapped_wall[:19], "another time of the wall"),
        (one.tapped_wall != two.tapped_wall, "the offset is not kept"),
        (one.attempt_id != two.attempt_id and one.tapped_at < two.tapped_at, "they are not told apart"),
    )
    return problems + paid_after_all(shop, second) + _order_kept(shop) + shop.end()


def _hour_ends(shop: Shop, kind: Kind) -> str:
    attempt_id = shop.waiting(kind)
    if shop.world.summer_time_ends is not None and shop.world.now < shop.world.summer_time_ends:
        shop.until(shop.world.summer_time_ends)
    return attempt_id


def _hour_ends_while(_case: Case, dice: Random, kind: Kind) -> Problems:
    """The clocks go back while a customer is waited for, or while the till cancels, or after it ended."""
    shop = Shop(dice, summer_time_ends=dice.randrange(5_000, 40_000))
    attempt_id = _hour_ends(shop, kind)
    shop.wait(3)
    if _case.step == "C":
        shop.cancel(attempt_id)
        done = shop.wait_for(lambda: shop.attempt(attempt_id).state is State.CANCELLED, 40)
        return demand(shop.screen(attempt_id), (done, "not cancelled")) + _order_kept(shop) + shop.end()
    problems = must.waiting(shop.screen(attempt_id))
    problems += demand(
        shop.screen(attempt_id), (shop.screen(attempt_id).elapsed_s < 120, "an hour was added")
    )
    problems += paid_after_all(shop, attempt_id)
    shop.check(attempt_id)
    shop.wait(2)
    problems += shop.screen(attempt_id).says("PAID")
    return problems + _order_kept(shop) + shop.end()


def _hour_ends_later(_case: Case, dice: Random, kind: Kind) -> Problems:
    """What is unresolved over the change is found by its id."""
    shop = Shop(dice, summer_time_ends=90_000)
    attempt_id = unresolved(shop, kind)
    shop.until(max(shop.world.now, 91_000))
    shop.pays(attempt_id)
    shop.check(attempt_id)
    shop.wait(12)
    return must.late(shop.screen(attempt_id)) + _order_kept(shop) + shop.end()


def _hour_ends_in_code(_case: Case, dice: Random, _kind: Kind) -> Problems:
    """An hour more or less on the wall makes no code old and no wait longer."""
    shop = Shop(dice, summer_time_ends=dice.randrange(2_000, 5_000))
    ask_for_code(shop)
    shop.wait_for(lambda: shop.screen().dialog.may_type)
    shop.wait(5)
    shop.type_code()
    shop.wait(3)
    return ([] if signed_in(shop) else [f"not signed in: {shop.screen().dialog.text}"]) + shop.end()


_JUMPS: dict[str, Player] = {
    "J0": _jumps_before_intent,
    "S": _jumps_in_silence,
    "J1": _jumps_before_record,
    "T": _jumps_while_waiting,
    "C": _jumps_before_cancel,
}
_TWICE: dict[str, Player] = dict.fromkeys(("J0", "S", "J1"), _same_hour_twice)
_TWICE |= dict.fromkeys(("T", "C", "D"), _hour_ends_while) | {"G": _hour_ends_later}
_TWICE |= dict.fromkeys(("O1", "O2"), _hour_ends_in_code)
