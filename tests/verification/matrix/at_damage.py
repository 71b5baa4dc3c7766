"""Rows 7 and 8 at T, G and D: at the start the journal is found damaged, or older than it was. All files are real."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pos_app.bootstrap.journal import rebuilt as rebuilt
from pos_app.domain.attempt import Environment, Kind, State
from pos_app.domain.views import Block
from pos_app.journal import JournalDamaged, open_journal
from tests.support.in_memory import in_memory
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.behaviours import Problems
from tests.verification.matrix.cells import Case
from tests.verification.matrix.shop import Shop
from tests.verification.simulation.sqlite_journal import KEY, SqliteJournal

CONTENT = b'"type":"'


class HarmedJournal(SqliteJournal):
    """`harm` befalls the file while the till is off; what opens it then is what the till itself opens it with."""

    def __init__(self, installation_id: str, now: Callable[[], int], folder: Path) -> None:
        self.harm: Callable[[Path], None] = lambda _: None
        self.damage: JournalDamaged | None = None
        super().__init__(installation_id, now, folder, Environment.SANDBOX)

    def power_cut(self) -> None:
        """Ended, harmed, opened again."""
        self.journal.close()
        self.harm(self._path)
        try:
            self.journal = open_journal(self._path, KEY, Environment.SANDBOX)
        except JournalDamaged as damaged:
            self.damage = damaged
            self.journal = rebuilt(open_journal(self._path, KEY, Environment.SANDBOX), KEY)
            self.installation_id = self.journal.installation_id


def play(case: Case, dice: Random) -> Problems:
    """The till dies at the case's step, its journal is harmed, and it starts again."""
    with TemporaryDirectory(dir=in_memory()) as folder:
        journals: list[HarmedJournal] = []

        def make(installation_id: str, now: Callable[[], int]) -> HarmedJournal:
            journals.append(HarmedJournal(installation_id, now, Path(folder)))
            return journals[-1]

        shop = Shop(dice, make_journal=make)
        journal = journals[0]
        try:
            return _harmed(shop, journal, case)
        finally:
            with closing(journal.journal):
                pass


def _harmed(shop: Shop, journal: HarmedJournal, case: Case) -> Problems:
    kind = case.kind or Kind.PUSH
    attempt_id = unresolved(shop, kind) if case.step == "G" else shop.waiting(kind)
    if case.row == 8:
        journal.harm = _Copying()
        shop.till.die(1_000)
        shop.wait(8)
    else:
        journal.harm = _flip_last
    if case.step == "D" or case.row == 8:
        shop.pays(attempt_id)
        shop.wait_for(lambda: shop.attempt(attempt_id).is_final, 30)
    shop.till.die(2_000)
    shop.wait(2.01)
    if journal.damage is None:
        return ["the damage was not found at the start"]
    problems = [] if journal.damage.moved_to.stat().st_size else ["the damaged journal was not kept"]
    return problems + _recovers(shop, attempt_id)


class _Copying:
    """The first time it takes a copy, the next time it puts that in the place of the newer file."""

    def __init__(self) -> None:
        self._older = b""

    def __call__(self, path: Path) -> None:
        if self._older:
            path.write_bytes(self._older)
        else:
            self._older = path.read_bytes()


def _flip_last(path: Path) -> None:
    """One bit of the newest event's text."""
    content = bytearray(path.read_bytes())
    place = content.rfind(CONTENT) if content.rfind(CONTENT) >= 0 else len(content) // 2
    content[place + 2] ^= 1
    path.write_bytes(content)


def _recovers(shop: Shop, attempt_id: str) -> Problems:
    """K: what was open is known again, named, asked about, and ends as the service says; nothing is sent."""
    sent = shop.initiates(attempt_id)
    screen = shop.screen(attempt_id)
    if screen.change is None:
        return [f"{attempt_id} is not known any more"]
    problems: Problems = []
    if screen.attempt.is_open and screen.terminal.block is Block.STARTING:
        problems += must.recovering(screen)
    shop.line.heal()
    shop.wait(8)
    if attempt_id in shop.gateway.ledger and shop.gateway.ledger[attempt_id].status == "Merchant Initiated":
        shop.pays(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final, 60)
    if shop.initiates(attempt_id) != sent:
        problems.append("bytes left by themselves after the restart")
    paid = shop.gateway.ledger[attempt_id].status == "Payment Success"
    money = shop.attempt(attempt_id).state in (State.PAID, State.PAID_LATE)
    if paid != money:
        problems.append(f"paid at the service: {paid}, and here {shop.attempt(attempt_id).state}")
    accidents = shop.till.accidents
    return [*problems, *accidents]
