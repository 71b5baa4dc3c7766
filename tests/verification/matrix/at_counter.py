"""Rows 12, 13 and 16 D: another start, another terminal, a result over a dead line."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pos_app.domain.attempt import Environment, Kind, State
from pos_app.domain.views import Connection
from pos_app.journal import JournalInUse, open_journal
from tests.support.in_memory import in_memory
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_code import ask_for_code, signed_in
from tests.verification.matrix.at_poll import paid_after_all
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.readings import reading
from tests.verification.matrix.screen import WORDS
from tests.verification.matrix.shop import Shop
from tests.verification.simulation.sqlite_journal import KEY, SqliteJournal


def second_start(case: Case, dice: Random) -> Problems:
    """Z0: the journal's lock turns the second process away, and the first goes on as if nothing had been."""
    with TemporaryDirectory(dir=in_memory()) as folder:
        journals: list[SqliteJournal] = []

        def make(installation_id: str, now: Callable[[], int]) -> SqliteJournal:
            journals.append(SqliteJournal(installation_id, now, Path(folder), Environment.SANDBOX))
            return journals[-1]

        shop = Shop(dice, make_journal=make)
        with closing(journals[0].journal):
            path = Path(folder) / f"{journals[0].installation_id}.db"
            return course(shop, case, lambda: _refused(path)) + _whole(journals[0])


def _refused(path: Path) -> Problems:
    before = path.stat().st_size
    try:
        open_journal(path, KEY, Environment.SANDBOX).close()
    except JournalInUse:
        return [] if path.stat().st_size == before else ["the second start changed the journal"]
    return ["a second process became the till of this folder"]


def _whole(journal: SqliteJournal) -> Problems:
    report = journal.journal.verify()
    return (
        [] if not report.broken_at and report.checked == len(journal.written) else [f"the journal: {report}"]
    )


def course(shop: Shop, case: Case, meanwhile: Callable[[], Problems]) -> Problems:
    """An ordinary payment or sign-in, with something else at the case's step."""
    if case.step in ("O1", "O2"):
        return _sign_in(shop, case, meanwhile)
    problems = meanwhile() if case.step == "J0" else []
    attempt_id = shop.charge(case.kind or Kind.PUSH)
    problems += meanwhile() if case.step == "S" else []
    shop.wait_for(lambda: shop.attempt(attempt_id).shown)
    problems += meanwhile() if case.step == "J1" else []
    shop.wait(shop.dice.uniform(2, 12))
    problems += must.waiting(shop.screen(attempt_id))
    if case.step == "C":
        shop.cancel(attempt_id)
        problems += meanwhile()
        done = shop.wait_for(lambda: shop.attempt(attempt_id).state is State.CANCELLED, 30)
        return problems + demand(shop.screen(attempt_id), (done, "not cancelled"))
    problems += meanwhile() if case.step == "T" else []
    problems += paid_after_all(shop, attempt_id)
    if case.step in ("G", "D"):
        shop.check(attempt_id)
        problems += meanwhile()
        shop.wait(2)
    return problems + shop.screen(attempt_id).says("PAID")


def _sign_in(shop: Shop, case: Case, meanwhile: Callable[[], Problems]) -> Problems:
    ask_for_code(shop)
    problems = meanwhile() if case.step == "O1" else []
    shop.wait_for(lambda: shop.screen().dialog.may_type)
    shop.type_code()
    problems += meanwhile() if case.step == "O2" else []
    shop.wait(3)
    return problems + ([] if signed_in(shop) else [f"not signed in: {shop.screen().dialog.text}"])


def same_counter(case: Case, dice: Random) -> Problems:
    """Two terminals with one counter id take the same amount at the same moment: each knows its own alone."""
    shop = Shop(dice, tills=2, same_counter=True)
    other = "" if case.step in ("O1", "O2") else shop.charge(case.kind or Kind.PUSH, till=1)
    problems = course(shop, case, list)
    if other:
        shop.pays(other)
        shop.wait(5)
        mine, theirs = (till.journal.attempts() for till in shop.tills)
        problems += demand(
            shop.screen(other, till=1),
            (len(mine) == len(theirs) == 1, "an attempt of another terminal was taken up"),
            (mine[0].counter_id == theirs[0].counter_id, "not one counter id"),
            (mine[0].attempt_id != theirs[0].attempt_id, "one id for two payments"),
            (theirs[0].state is State.PAID, "the other terminal's payment is not paid"),
        )
    return problems + shop.end()


def dead_line(_case: Case, dice: Random) -> Problems:
    """A result stands on the screen while the line dies: the bar says so, the result stays."""
    kind = _case.kind or Kind.PUSH
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    problems = paid_after_all(shop, attempt_id)
    shop.line.stays("status", reading(16, "status", dice))
    shop.check(attempt_id)
    shop.wait_for(lambda: shop.line.times("status"))
    screen = shop.screen(attempt_id)
    problems += screen.says("PAID", WORDS.connection[screen.connection])
    problems += demand(
        screen,
        (screen.state is State.PAID, "not PAID"),
        (screen.connection in (Connection.LOST, Connection.STRANGE), "the bar does not say it"),
    )
    return problems + shop.end()
