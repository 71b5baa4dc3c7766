"""G and D at the counter's day: the clock moves before the paper or the closing, a twin closes, a status is unknown."""

from __future__ import annotations

from collections.abc import Sequence, Set
from decimal import Decimal
from random import Random
from typing import Any

from msgspec.structs import replace

from pos_app.domain.attempt import Flag, Kind, State
from pos_app.domain.commands import CloseDay, PrintPaper
from pos_app.domain.day import Z_CLOSED
from pos_app.domain.print_job import JobState, PaperKind
from pos_app.domain.reconcile import DIFFERENCE_FOUND
from pos_app.domain.replies import Listing
from pos_app.engine.core.reconciliation import MOST_BACK
from pos_app.i18n.papers import shown_time
from pos_app.i18n.words.paper import words
from tests.verification.matrix.at_clock import HOUR_S, JUMPS_S
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.at_poll import paid_after_all
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.deeds import WHO
from tests.verification.matrix.line import Reading
from tests.verification.matrix.readings import changed
from tests.verification.matrix.shop import Shop
from tests.verification.simulation import faults
from tests.verification.simulation.printer import PARTS, Laid

MOST_BACK_MS = MOST_BACK.total_seconds() * 1000
MOST_S = 200
"""A receipt comes out, a day is compared and closed."""


def clock_at_the_paper(case: Case, dice: Random) -> Problems:
    """Rows 9 and 10, D: the clock jumps between the money and its receipt, or between that and a copy."""
    # Held by a printer without paper, so that the jump comes before the original, too.
    shop = Shop(dice, printer=(*dice.choice(((), ("empty", "empty"))), "ok"))
    attempt_id = shop.waiting(case.kind or Kind.PUSH)
    shop.pays(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    paid_at = shown_time(_wall_of_money(shop, attempt_id))
    jump_ms = 1_000 * dice.choice(JUMPS_S[case.row])
    shop.till.push_clock(jump_ms)
    came = shop.wait_for(lambda: [each.parts for each in _receipts(shop)] == [PARTS], 90)
    shop.till.tell(_copy(attempt_id))
    shop.wait_for(lambda: len(_receipts(shop)) == 2, MOST_S)
    shop.wait(1)
    # Whoever set it sets it right again, or leaves it.
    if case.row == 9 or dice.random() < 0.5:
        shop.till.push_clock(-jump_ms)
    shop.till.tell(PrintPaper(request_id="x", paper=PaperKind.X, who=WHO))
    shop.wait_for(lambda: _of(shop, PaperKind.X), MOST_S)
    shop.wait(1)
    problems = shop.screen(attempt_id).says("PAID")
    problems += [] if came else ["the jump kept the receipt from its paper"]
    problems += _says_when(_receipts(shop), [paid_at, paid_at])
    problems += _same_but_for_the_copy(_receipts(shop))
    problems += _is_told_of_the_clock(shop)
    job = shop.journal.print_job(1)
    if job is None or job.state is not JobState.PRINTED:
        problems.append(f"its job is {job}")
    return problems + shop.end()


def _same_but_for_the_copy(papers: Sequence[Laid]) -> Problems:
    """A moved clock is on a copy where it says when it was printed, and nowhere else: the check code is the same."""
    if len(papers) != 2:
        return []
    first, second = (dict.fromkeys(each.texts) for each in papers)
    missing = [text for text in first if text not in second]
    added = [text for text in second if text not in first]
    is_copy = [text for text in added if text.startswith(("COPY 1", "printed "))]
    return (
        [] if not missing and added == is_copy and added else [f"original and copy differ: {missing} {added}"]
    )


def _is_told_of_the_clock(shop: Shop) -> Problems:
    """The period's report says that it was moved."""
    said = [text for paper in _of(shop, PaperKind.X) for text in paper.texts]
    if words.CLOCK_MOVED not in said:
        return [f"nobody is told that the clock was moved: {said}"]
    return []


def hour_at_the_paper(case: Case, dice: Random) -> Problems:
    """Row 11, D: two payments at one local time, an hour apart: their receipts tell the offset."""
    first_s = dice.uniform(30, 3_000)
    shop = Shop(dice, summer_time_ends=int(first_s * 1000) + 600_000, printer=("ok",))
    shop.until(int(first_s * 1000))
    kind = case.kind or Kind.PUSH
    papers, walls = [], []
    for place in range(2):
        shop.until(int((first_s + place * HOUR_S) * 1000))
        attempt_id = shop.charge(kind, another_customer=True)
        shop.wait_for(lambda attempt_id=attempt_id: shop.attempt(attempt_id).shown)  # type: ignore[misc]
        paid_after_all(shop, attempt_id)
        walls.append(_wall_of_money(shop, attempt_id))
        shop.wait_for(lambda place=place: len(_receipts(shop)) > place, MOST_S)  # type: ignore[misc]
        shop.wait(1)
        papers = _receipts(shop)
    problems = _says_when(papers, [shown_time(wall) for wall in walls])
    if [wall[-6:] for wall in walls] != ["+02:00", "+01:00"]:
        problems.append(f"the offset is not kept: {walls}")
    if abs(int(walls[0][14:16]) - int(walls[1][14:16])) > 1 or walls[0][11:13] != walls[1][11:13]:
        problems.append(f"the hour did not come twice: {walls}")
    return problems + shop.end()


def clock_at_the_closing(case: Case, dice: Random) -> Problems:
    """Rows 9 and 10, G: a range of numbers is closed, whatever dates and hours the clock gives to what lies in it."""
    shop = Shop(dice)
    kind = case.kind or Kind.PUSH
    before = shop.waiting(kind)
    problems = paid_after_all(shop, before)
    late = unresolved(shop, kind)
    jump_ms = 1_000 * dice.choice(JUMPS_S[case.row])
    shop.till.push_clock(jump_ms)
    after = shop.charge(kind, another_customer=True)
    shop.wait_for(lambda: shop.attempt(after).shown)
    problems += paid_after_all(shop, after)
    first = _closed(shop)
    problems += _taken(shop, first, (before, after)) + _named(first, "carried", late)
    problems += _compared(shop, first, far=abs(jump_ms) > MOST_BACK_MS)
    shop.pays(late)
    shop.check(late)
    shop.wait(12)
    if dice.random() < 0.5:
        shop.till.push_clock(-jump_ms)
    second = _closed(shop)
    problems += _taken(shop, second, (late,)) + _named(second, "late_from", late)
    problems += _compared(shop, second, far=abs(jump_ms) > MOST_BACK_MS)
    if (second["from_seq"], second["business_date"] >= first["business_date"]) != (first["to_seq"] + 1, True):
        problems.append(f"the second Z does not follow the first: {second}")
    if shop.records("CLOCK_MOVED") and not (first.get("clock_moved") or second.get("clock_moved")):
        problems.append("no Z says that the clock was set back")
    if case.row == 10 and not first.get("clock_moved"):
        problems.append("the clock was set back, and the Z does not say so")
    return problems + shop.end()


def twin_at_the_closing(case: Case, dice: Random) -> Problems:
    """Row 13, G: two terminals with one counter id close at one moment: each counts and names its own alone."""
    shop = Shop(dice, tills=2, same_counter=True)
    kind = case.kind or Kind.PUSH
    mine, theirs = shop.charge(kind), shop.charge(kind, till=1)
    shop.wait_for(lambda: shop.attempt(mine).shown and shop.attempt(theirs).shown)
    is_paid = dice.random() < 0.5
    if is_paid:
        shop.pays(theirs)
    problems = paid_after_all(shop, mine)
    shop.wait(8)
    own = _closed(shop), _closed(shop, till=1)
    problems += _taken(shop, own[0], (mine,)) + _taken(shop, own[1], (theirs,) if is_paid else ())
    for z, foreign in zip(own, (theirs, mine), strict=True):
        if foreign in str(z):
            problems.append(f"a Z names another terminal's payment: {z}")
    for till, z in enumerate(own):
        # Listed under this counter, by the other's installation and with its money; and never adopted.
        other = shop.tills[1 - till].journal.installation_id
        problems += _compared(shop, z, {("other_till", other)}, till=till)
        if shop.tills[till].journal.attempt((theirs, mine)[till]) is not None:
            problems.append("another terminal's payment was taken into the journal")
    if {z["installation_id"] for z in own} != {till.journal.installation_id for till in shop.tills}:
        problems.append("a Z is not its own installation's")
    return problems + shop.end()


def unknown_at_the_closing(case: Case, dice: Random) -> Problems:
    """Row 39, G: the service answers a status nobody knows: listed for people, and carried over by its id."""
    shop = Shop(dice, printer=("ok",))
    attempt_id = unresolved(shop, case.kind or Kind.PUSH)
    name = dice.choice([name for name in faults.NAMES if name])
    shop.line.stays("status", changed(name, merchantTxnStatusName=name))
    shop.line.stays("list", Reading(name="listed as that", bend=lambda honest: _all_as(name, honest)))
    shop.wait_for(lambda: shop.line.times("status"))
    z = _closed(shop)
    screen = shop.screen(attempt_id)
    problems = demand(
        screen,
        (
            all(each.get("asked") for each in z["carried"]),
            "the service has answered, and the Z says it did not",
        ),
        (screen.state is State.UNRESOLVED, "its state was changed"),
        (Flag.UNKNOWN_STATUS in screen.attempt.flags, "no event"),
        (attempt_id in {each.attempt_id for each in screen.terminal.attention}, "not on the list"),
    )
    problems += _taken(shop, z, ()) + _named(z, "carried", attempt_id)
    problems += _compared(shop, z, {("unknown_status", attempt_id)})
    shop.wait_for(lambda: _of(shop, PaperKind.Z), MOST_S)
    shop.wait(1)
    if attempt_id not in [text for paper in _of(shop, PaperKind.Z) for text in paper.texts]:
        problems.append("the Z's paper does not name it")
    shop.line.heal()
    return problems + shop.end()


def _copy(attempt_id: str) -> PrintPaper:
    return PrintPaper(request_id="copy", paper=PaperKind.RECEIPT, about=attempt_id, again=True, who=WHO)


def _of(shop: Shop, paper: PaperKind) -> list[Laid]:
    return [each for each in shop.till.printer.papers if each.paper == paper]


def _receipts(shop: Shop) -> list[Laid]:
    return _of(shop, PaperKind.RECEIPT)


def _wall_of_money(shop: Shop, attempt_id: str) -> str:
    """Of the event that made it money."""
    walls = [
        each.record.wall
        for each in shop.journal.written
        if each.record.subject == attempt_id and State.PAID in each.record.path[1:]
    ]
    return walls[0] if walls else ""


def _says_when(papers: Sequence[Laid], times: Sequence[str]) -> Problems:
    """Each says when it was paid, by the event; never the time of its print."""
    wanted = [f"{words.PAID_AT}: {time}" for time in times]
    found = [next((text for text in each.texts if text.startswith(words.PAID_AT)), "") for each in papers]
    return [] if found == wanted else [f"on paper is {found}, not {wanted}"]


def _closed(shop: Shop, till: int = 0) -> dict[str, Any]:
    """The Z of a closing that was begun now."""
    at = shop.tills[till]
    before = len(_zs(shop, till))
    # With the service's list or without: what is closed is the same.
    compares = shop.dice.random() < 0.75
    at.tell(CloseDay(request_id=f"{till}/{before}", who=WHO, wait_s=10.0, reconcile=compares))
    shop.wait_for(lambda: len(_zs(shop, till)) > before, MOST_S)
    return _zs(shop, till)[-1]


def _zs(shop: Shop, till: int) -> list[dict[str, Any]]:
    return _contents(shop, till, Z_CLOSED)


def _compared(
    shop: Shop,
    z: dict[str, Any],
    wanted: Set[tuple[str, str]] = frozenset(),
    *,
    till: int = 0,
    far: bool = False,
) -> Problems:
    """Where the day was compared with the service's list: whole, and nothing but this differs (class, and of whom).

    `far`: payments may be dated further off than a list is read. Then it may say that it is not whole; no more.
    """
    said = z.get("reconciled")
    if said is None:
        return []
    found = {
        (each["difference"]["kind"], each["difference"]["subject"])
        for each in _contents(shop, till, DIFFERENCE_FOUND)
        if each["run"] == said["run"]
    }
    if far and not said["complete"] and {kind for kind, _ in found} == {"incomplete"}:
        return []
    if said["complete"] and found == wanted:
        return []
    return [f"Z {z['number']} was compared: {said}, {found}; it should differ in {set(wanted)}"]


def _all_as(name: str, honest: Any) -> Any:
    """A list whose transactions all have a status that nobody knows."""
    if not isinstance(honest, Listing):
        return honest
    return Listing(tuple(replace(each, status=name) for each in honest.transactions))


def _contents(shop: Shop, till: int, kind: str) -> list[dict[str, Any]]:
    return [each.record.content for each in shop.tills[till].journal.written if each.record.kind == kind]


def _taken(shop: Shop, z: dict[str, Any], attempts: Sequence[str]) -> Problems:
    """Its sum is these payments'."""
    sums = [each[5] for each in z.get("entries", ()) if each[0] in ("PAID", "PAID_LATE")]
    wanted = sum((shop.attempt(each).amount for each in attempts), Decimal(0))
    return [] if sum(sums) == int(wanted * 100) else [f"Z {z['number']} took {sums}, and it was {wanted}"]


def _named(z: dict[str, Any], where: str, attempt_id: str) -> Problems:
    named = [each["attempt_id"] for each in z.get(where, ())]
    return [] if named == [attempt_id] else [f"Z {z['number']} names {named} in {where}, not {attempt_id}"]
