"""After a story its journal is lost, and the service cuts its lists: what the rebuild makes of the ledger, judged.

The gateway's ledger is what the story left; the engine is the real one, and so is the reader of the list.
"""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from pos_app.domain.attempt import MONEY, State
from pos_app.domain.events import StatusAnswered
from pos_app.domain.ids import installation_of
from pos_app.domain.people import TERMINAL
from pos_app.domain.query import QueryFilter
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.domain.replies import ListedTransaction, StatusReport
from pos_app.engine.connection.calls import ListAnswered
from pos_app.engine.core.engine import Engine
from tests.support.memory_journal import MemoryJournal
from tests.unit.domain.listing_service import Service
from tests.unit.engine.rig import Rig
from tests.verification.simulation.gateway import SUCCESS
from tests.verification.simulation.history import Held, History
from tests.verification.simulation.story import Story
from tests.verification.simulation.till import MERCHANT, config

LIST_EVERY = 20
"""Lists and asks are answered so many times before the clock moves on."""


class _Rebuilt(Rig):
    """A till on a journal that knows whose payments are lost, and nothing else."""

    def boot(self) -> None:
        super().boot()
        self.lists: list[QueryFilter] = []
        self.engine = Engine(self.config, self.ports(list_payments=self.lists.append))


def after_a_loss(story: Story, history: History, installation: str, seed: int) -> list[str]:
    """What is wrong with the journal that was rebuilt (I2, I4); a violation a line."""
    ours = [held for held in history.held if installation_of(held.external_id) == installation]
    dice = Random(seed)
    service = Service(
        rows=[_row(story, held) for held in history.held],
        cut=dice.choice([0, 1, 2, 3, 5, 20]),
        order=dice.choice(["newest", "oldest", "shuffled"]),
        dates=dice.choice(["inclusive", "exclusive", "minutes"]),
        pages=dice.choice(["number", "position", "from_zero"]),
        page=dice.choice([1, 2, 20]),
        seed=seed,
    )
    journal = MemoryJournal()
    rig = _Rebuilt(journal, config(0, live=story.live))
    rig.clock.ms = story.wall_start + max((at for held in history.held for at, _ in held.timeline), default=0)
    about = {"installations": [installation], "found": 0}
    wall = rig.clock.wall().isoformat(timespec="milliseconds")
    rig.journal.append(
        [Record(kind=REBUILT, subject=JOURNAL, actor=TERMINAL, at=rig.clock.ms, wall=wall, content=about)]
    )
    rig.start()
    ledger = {held.external_id: held for held in history.held}
    for _ in range(2_000):
        _answer(rig, service, ledger)
        if rig.terminal.rebuilt is not None and rig.terminal.rebuilt.ended:
            break
        rig.wait(5)
    _answer(rig, service, ledger)
    return _judge(rig, ours)


def _answer(rig: _Rebuilt, service: Service, ledger: dict[str, Held]) -> None:
    for _ in range(LIST_EVERY):
        while "ask" in rig.names():
            attempt_id = str(rig.take("ask")[1])
            rig.tell(StatusAnswered(attempt_id, _report(ledger[attempt_id])))
        if rig.lists:
            wanted = rig.lists.pop()
            rig.tell(ListAnswered(wanted, service.query(wanted)))
        rig.wait(0.5)


def _judge(rig: _Rebuilt, ours: list[Held]) -> list[str]:
    told = rig.terminal.rebuilt
    if told is None or not told.ended:
        return ["the rebuild does not end"]
    found: list[str] = []
    for held in ours:
        attempt = rig.journal.attempt(held.external_id)
        if attempt is None:
            if not told.incomplete:
                found.append(
                    f"I4: {held.external_id} is at the service, not in the journal, and nobody is told"
                )
        elif held.status == SUCCESS and attempt.state not in {*MONEY, State.DISPUTED}:
            found.append(f"I2: {held.external_id} was paid, and is {attempt.state} here")
    strangers = {each.attempt_id for each in rig.journal.recent(10_000)} - {held.external_id for held in ours}
    return found + [f"{each} is not this till's" for each in sorted(strangers)]


def _row(story: Story, held: Held) -> ListedTransaction:
    at = datetime.fromtimestamp((story.wall_start + held.timeline[0][0]) / 1000, UTC)
    return ListedTransaction(
        f"W-{held.external_id}",
        held.external_id,
        f"{at:%Y-%m-%d %H:%M:%S}",
        held.number,
        held.amount,
        held.status,
    )


def _report(held: Held) -> StatusReport:
    return StatusReport(held.status, held.external_id, f"W-{held.external_id}", held.amount, MERCHANT)
