"""Plays a story on real engines from first tap to last answer, and hands back its history and its trace's hash."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.commands import CheckNow
from tests.verification.simulation.calls import Log
from tests.verification.simulation.clock import World
from tests.verification.simulation.gateway import Gateway
from tests.verification.simulation.history import History, Line, Moment, Stored, Told
from tests.verification.simulation.journal import SimJournal
from tests.verification.simulation.owner import SHOPS, Owners
from tests.verification.simulation.people import People
from tests.verification.simulation.store import SimStore
from tests.verification.simulation.story import Act, Story
from tests.verification.simulation.till import INSTALLATIONS, SimTill

SETTLE = 60_000
REST = 480_000
"""After the faults, long enough for every payment to be given up and to become final or a person's."""

CLOSING = 30_000
OFF = 3_000
"""From the end of a till whose folder somebody handles to its next start."""

ELSEWHERE = "https://elsewhere.example"

PATIENCE = 24 * 3_600_000
"""A till that does not work so long after the last fault never will."""

MakeJournal = Callable[[str, Callable[[], int]], SimJournal]


class Run(msgspec.Struct, frozen=True):
    """One play of a story."""

    history: History
    trace: str
    declined: tuple[tuple[int, str], ...]
    hits: tuple[tuple[str, str], ...]
    effects: tuple[int, ...]
    crashes_left: int
    calls: int
    operations: tuple[str, ...]
    """Of the first till's calls, in order."""
    events: int


class Stage:
    """The one thread of control: a heap of things to come, in true time."""

    def __init__(self, story: Story, make_journal: MakeJournal) -> None:
        self.story = story
        self.world = World(story.wall_start, story.summer_time_ends)
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self.events = 0
        self._digest = blake2b(digest_size=16)
        self.log = Log()
        self.people = People(story, self.schedule, lambda: self.world.now)
        told = (self.people.refusal, self.people.arrived)
        self.gateway = Gateway(*told, e1=story.e1, e2=story.e2, e3=story.e3, story=story, origin=story.origin)
        self.people.gateway = self.gateway
        self.other = Gateway(
            *told, e1=story.e1, e2=story.e2, e3=story.e3, story=story, origin=ELSEWHERE, other=self.gateway
        )
        """Another service, whose address the settings may name for a while; it says what pleases it."""
        self.store = SimStore(self.world, story.acts) if story.store else None
        self.owners = Owners(self.store, INSTALLATIONS) if self.store is not None else None
        self.tills = [
            SimTill(
                self.world,
                self.schedule,
                story,
                index,
                self.gateway,
                self.log,
                self.people.published,
                self.people.restarted,
                make_journal(INSTALLATIONS[index], lambda: self.world.now),
                store=self.store,
            )
            for index in range(story.tills)
        ]

    def schedule(self, at: int, what: Callable[[], None]) -> None:
        """Later, or after everything else that is due now."""
        self._count += 1
        heapq.heappush(self._heap, (max(at, self.world.now), self._count, what))

    def until(self, end: int) -> None:
        """Plays everything up to a time."""
        heap = self._heap
        while heap and heap[0][0] <= end:
            self.world.now, _, what = heapq.heappop(heap)
            self.events += 1
            what()
        self.world.now = max(self.world.now, end)

    def prepare(self) -> None:
        """Everything the story says by itself."""
        story = self.story
        for till in self.tills:
            self.schedule(0, till.boot)
        for place, plan in enumerate(story.sales):
            self.schedule(plan.at, self._charge(plan.till, place))
        for act in story.acts:
            self.schedule(act.at, self._act(act))
        for window in story.windows:
            if window.fault.startswith("disk"):
                till = self.tills[window.till]
                name = "full" if window.fault == "disk_full" else "unreadable"
                self.schedule(window.at, self._disk(till, name, True))
                self.schedule(min(window.until, story.stop_at), self._disk(till, name, False))

    def _charge(self, till: int, place: int) -> Callable[[], None]:
        # A clone's till is there once it was made.
        return lambda: self.people.charge(self.tills[till], place) if till < len(self.tills) else None

    def _act(self, act: Any) -> Callable[[], None]:
        return lambda: self._do(act)

    def _do(self, act: Act) -> None:
        """Somebody handles a till's folder, or a person does something at the till, if it is there."""
        if act.verb.startswith("store_"):
            self._do_to_store(act)
            return
        if act.till >= len(self.tills):
            return
        till = self.tills[act.till]
        match act.verb:
            case "copy":
                till.copy()
            case "put_back":
                till.put_back(act.value)
                self.people.forget(till)
            case "lose":
                till.lose(act.value, OFF)
                self.people.forget(till)
            case "thin":
                till.thin(act.value, OFF)
                self.people.forget(till)
            case "move":
                till.move(act.value)
            case "address":
                till.call_at(self.other if act.value % 2 else self.gateway, OFF)
            case "clone":
                self._clone(till, same_machine=act.value % 2 == 1)
            case _:
                self.people.act(till, act)

    def _do_to_store(self, act: Act) -> None:
        """What is no weather of a time: its backup, and what its owners do; `till` is then the shop."""
        if self.store is None or self.owners is None:
            return
        match act.verb:
            case "store_backup":
                self.store.back_up()
            case "store_put_back":
                self.owners.put_back()
            case "store_revokes" if act.till < len(self.tills):
                self.owners.revoke(self.tills[act.till].journal.installation_id)
            case "store_look":
                self.owners.look(act.till)
            case "store_sign":
                self.owners.sign(act.till, act.value)

    def _clone(self, of: SimTill, *, same_machine: bool) -> None:
        """A second till on a copy of the folder, with the same counter and settings."""
        copy = of.copied or of.journal.copy()
        line = f"{copy.line.split('/')[0]}/{len(self.tills)}"
        journal = of.journal.clone_for(line)
        journal.put_back(copy, line)
        journal.machine = of.journal.machine if same_machine else f"machine {len(self.tills)}"
        clone = SimTill(
            self.world,
            self.schedule,
            self.story,
            len(self.tills),
            self.gateway,
            self.log,
            self.people.published,
            self.people.restarted,
            journal,
            of.opener,
            self.store,
        )
        clone.lines[line] = Line(copy.line, "clone", self.world.now, len(copy.written), copy.at)
        clone.gaps[line] = dict(journal.gone)
        clone.restarts = 1
        self.log.shown |= clone.told_of()
        self.tills.append(clone)
        clone.boot()

    def _disk(self, till: SimTill, name: str, on: bool) -> Callable[[], None]:
        return lambda: setattr(till.journal, name, on)

    def moments(self) -> tuple[Moment, ...]:
        """Of every till."""
        return tuple(till.moment() for till in self.tills)

    def calm_at(self) -> int:
        """When the last fault is over and every till runs."""
        latest = self.story.stop_at
        while True:
            self.until(latest)
            for till in self.tills:
                till.no_more_crashes()
                till.boot()
            later = max([latest, *(till.network.faulty_until for till in self.tills)])
            idle = [till for till in self.tills if not till.working]
            if latest > self.story.stop_at + PATIENCE:
                for till in idle:
                    till.accidents.append("it never works again, though every fault is over")
                idle = []
            if later == latest and not idle:
                self.people.at_rest = True
                return latest
            latest = max(later, latest + 1_000)

    def close(self) -> None:
        """Everything ever asked for is asked about once more, as a closing does."""
        for till in self.tills:
            for attempt in till.journal.attempts():
                till.tell(CheckNow(attempt.attempt_id))

    def come_to_rest(self, calm_at: int, *, live: bool, honest: bool) -> History:
        """From the calm to after the closing, and what came of it all. `honest`: the service kept E1, E2 and E3."""
        calm = self.moments()
        self.until(calm_at + SETTLE)
        settled = self.moments()
        self.until(calm_at + REST)
        rested = self.moments()
        closing_at = self.world.now
        self.close()
        self.until(closing_at + CLOSING)
        journals = {line: written for till in self.tills for line, written in till.left.items()}
        return History(
            journals={**journals, **{till.journal.line: tuple(till.journal.written) for till in self.tills}},
            lines={line: began for till in self.tills for line, began in till.lines.items()},
            gaps={line: gone for till in self.tills for line, gone in till.gaps.items() if gone},
            held=(*self.gateway.held(live=live), *self.other.held(live=live)),
            asked=frozenset(self.log.asked),
            machines=tuple(each for till in self.tills for each in till.machines),
            opened=tuple(each for till in self.tills for each in till.opened),
            strangers=tuple(self.log.strangers),
            looks=tuple(self.log.looks),
            cut=self.story.list_cut,
            lag=self.story.list_lag,
            sent=tuple(self.log.sent),
            seen=tuple(each for till in self.tills for each in till.seen),
            days=tuple(each for till in self.tills for each in till.days),
            printing=bool(self.story.printer),
            papers=tuple(each for till in self.tills for each in till.printer.papers),
            messages=tuple(self.log.messages),
            starts=tuple(each for till in self.tills for each in till.starts),
            calm_at=calm_at,
            calm=calm,
            settled=settled,
            rested=rested,
            closed=self.moments(),
            closing_at=closing_at,
            honest=honest,
            live=live,
            staffed=self.story.staffed,
            cashiers_close=self.story.cashiers_close,
            closings=tuple(each for till in self.tills for each in till.closings),
            unreadable=tuple(self._unreadable()),
            store=self._store_at_the_end(),
            accidents=tuple(each for till in self.tills for each in till.accidents),
        )

    def _store_at_the_end(self) -> Stored | None:
        if self.store is None or self.owners is None:
            return None
        for shop in SHOPS:
            self.owners.look(shop)
        ends = [
            Told(
                line=till.journal.line,
                installation=till.journal.installation_id,
                view=till.shipper.view.state.value if till.shipper is not None else "",
                alive=till.working,
            )
            for till in self.tills
        ]
        return Stored(
            disk=self.store.disk,
            seen=self.store.seen,
            tills=tuple(ends),
            owners=self.owners.seen,
            roots=INSTALLATIONS,
        )

    def _unreadable(self) -> Iterator[tuple[str, int, int]]:
        """A folder that is put back while its disk fails goes on as another line, on the same disk."""
        for window in self.story.windows:
            if window.fault == "disk_unreadable" and window.till < len(self.tills):
                till = self.tills[window.till]
                for line in {*till.left, till.journal.line}:
                    yield line, window.at, min(window.until, self.story.stop_at)

    def trace(self) -> str:
        """Over everything that left a till and everything that was written."""
        note = self._digest.update
        for sent in self.log.sent:
            note(f"{sent.at} {sent.operation} {sent.attempt_id} {sent.seq}\n".encode())
        for till in self.tills:
            for written in (*till.left.values(), till.journal.written):
                for each in written:
                    record = each.record
                    note(
                        f"{each.at} {each.seq} {record.kind} {record.subject} {record.at} {record.path}\n".encode()
                    )
        for external_id, transaction in (*self.gateway.ledger.items(), *self.other.ledger.items()):
            note(f"{external_id} {transaction.timeline}\n".encode())
        return self._digest.hexdigest()


def play(story: Story, make_journal: MakeJournal = SimJournal) -> Run:
    """The whole story, the time without faults, and the closing."""
    stage = Stage(story, make_journal)
    try:
        stage.prepare()
        calm_at = stage.calm_at()
        history = stage.come_to_rest(calm_at, live=story.live, honest=story.e1 and story.e2 and story.e3)
        return Run(
            history,
            stage.trace(),
            tuple(stage.people.declined),
            tuple(hit for till in stage.tills for hit in till.network.hits),
            tuple(till.effects for till in stage.tills),
            sum(till.crashes_left for till in stage.tills),
            max(till.network.calls for till in stage.tills),
            tuple(stage.tills[0].network.operations),
            stage.events,
        )
    finally:
        stage.world.leave()


def newest(history: History) -> dict[str, Attempt]:
    """Every attempt as its journal last knew it."""
    found = {}
    for journal in history.journals.values():
        for each in journal:
            if each.record.attempt is not None:
                found[each.record.attempt.attempt_id] = each.record.attempt
    return found
