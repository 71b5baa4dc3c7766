"""Plays the month: engine, journal and exports are the product's; the service, the line and the time are not."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from datetime import datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import msgspec

from pos_app.bootstrap.exporting import Source, Wanted, export
from pos_app.domain.attempt import Attempt, Environment
from pos_app.domain.commands import ReadDifferences, ReadFigures, Reconcile
from pos_app.domain.day import Z
from pos_app.domain.export import Exported, Format, Span
from pos_app.domain.figures import DayFigures
from pos_app.domain.reconcile import Decided, Run
from pos_app.domain.views import DayClosed, DifferencesRead, FiguresRead, Published, ReconEnded
from tests.verification.month.journal import MonthJournal
from tests.verification.month.people import MANAGER_COMES, People
from tests.verification.month.plan import (
    CLOSES,
    DAY,
    FIRST_DAY,
    HANDOVER,
    MINUTE,
    OFF,
    ON,
    SECOND,
    SUMMER_ENDS,
    Deed,
    Plan,
)
from tests.verification.simulation.calls import Log
from tests.verification.simulation.clock import World
from tests.verification.simulation.gateway import SUCCESS, Gateway, Request, Transaction
from tests.verification.simulation.roll import MANAGER, enrol
from tests.verification.simulation.story import Story
from tests.verification.simulation.till import MERCHANT, SimTill

ORIGIN = "https://wallet.example"
LISTS = 150
"""So many rows the service gives at the most; it does not say so."""

LAG = 2_000
ENDING = {Format.CSV: "csv", Format.XLSX: "xlsx", Format.JSONL: "jsonl", Format.LEDGER: "ledger.csv"}


class Book(msgspec.Struct):
    """What one journal of the month left behind: each Z as it was closed, and the files that were saved of it."""

    installation_id: str
    zs: list[Z] = []
    files: dict[int, dict[Format, Exported]] = {}
    closed_at: dict[int, int] = {}


class MonthTill(SimTill):
    """Dies and comes back on the product's own journal."""

    journal: Any
    most_at_once = 20_000
    """A start after a loss takes up thousands, a slice at a time."""

    def told_of(self) -> set[tuple[str, str]]:
        """The simulation's judge looks at what was shown; the books do not."""
        return set()

    def lose_journal(self, off: int) -> None:
        """The file is found to be garbage; the administrator puts the people on the list again."""
        self.die(off)
        wall_ms = self._world.wall_start + self._world.now
        self.journal.before = self.journal.after = lambda: None
        self.journal.lose(lambda: datetime.fromtimestamp(wall_ms / 1000, self._world.zone()))
        enrol(self.journal, wall_ms)
        self.journal.before = lambda: self._effect(False)
        self.journal.after = lambda: self._effect(True)


class Shop:
    """The one thread of control. After `play` it holds all that can be known of the month."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.world = World(int(FIRST_DAY.timestamp() * 1000), SUMMER_ENDS)
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self.people = People(plan, self.schedule, lambda: self.world.now)
        story = Story(
            sales=(),
            faults=plan.faults,
            windows=plan.windows,
            crashes=plan.crashes,
            latencies=plan.latencies,
            stop_at=(plan.days - 1) * DAY,
            wall_start=self.world.wall_start,
            summer_time_ends=SUMMER_ENDS,
            staffed=True,
            origin=ORIGIN,
            list_cut=LISTS,
            list_order="newest",
            list_lag=LAG,
        )
        told = (self.people.refusal, self.people.arrived)
        self.gateway = Gateway(*told, e1=True, e2=True, e3=True, story=story, origin=ORIGIN)
        self.people.gateway = self.gateway
        (folder / "data").mkdir(parents=True)
        self.journal = MonthJournal(folder / "data" / "journal.sqlite", lambda: self.world.now, plan.seed)
        self.till = MonthTill(
            self.world,
            self.schedule,
            story,
            0,
            self.gateway,
            Log(),
            self._published,
            self.people.restarted,
            cast(Any, self.journal),
        )
        self.till.no_more_crashes = lambda: None  # type: ignore[method-assign]
        self.books = [Book(self.journal.installation_id)]
        self.runs: dict[str, Run] = {}
        self.found: list[Decided] = []
        self.figures: dict[int, DayFigures] = {}
        self.lost_at = -1
        self._asked_for = ""

    def schedule(self, at: int, what: Callable[[], None]) -> None:
        """Later, or after everything else that is due now."""
        self._count += 1
        heapq.heappush(self._heap, (max(at, self.world.now), self._count, what))

    def until(self, end: int) -> None:
        """Plays everything up to a time."""
        while self._heap and self._heap[0][0] <= end:
            self.world.now, _, what = heapq.heappop(self._heap)
            what()
        self.world.now = max(self.world.now, end)

    @property
    def source(self) -> Source:
        """What exports read."""
        return Source(self.journal.path, Environment.SANDBOX, time(4))

    # The month.

    def play(self, day_done: Callable[[int], None] = lambda _: None) -> None:
        """From the first morning to the night of the last day, and the comparing of the whole month."""
        for place, sale in enumerate(self.plan.sales):
            self.schedule(sale.at, lambda place=place: self.people.sell(self.till, place))  # type: ignore[misc]
        for deed in self.plan.deeds:
            self.schedule(deed.at, lambda deed=deed: self._do(deed))  # type: ignore[misc]
        for day in range(self.plan.days):
            self._day(day)
        for day in range(self.plan.days):
            self.until((day + 1) * DAY)
            day_done(day)
        self._last()

    def _day(self, day: int) -> None:
        begin, till, people = day * DAY, self.till, self.people
        self.schedule(begin + ON, till.boot)
        # What a death in the evening left undone: after a loss there is very much of it.
        self.schedule(begin + ON + 4 * MINUTE, lambda: people.come(till))
        self.schedule(begin + ON + 5 * MINUTE, lambda: people.tidy(till))
        if day - 1 in self.plan.unclosed:
            self._closing(day - 1, begin + ON + 10 * MINUTE)
        for at in (8 * 60 * MINUTE, HANDOVER, MANAGER_COMES):
            self.schedule(begin + at, lambda: people.come(till))
        self.schedule(begin + MANAGER_COMES + MINUTE, lambda: people.tidy(till))
        self.schedule(begin + MANAGER_COMES + 2 * MINUTE, self._compare)
        if day not in self.plan.unclosed:
            self._closing(day, begin + CLOSES)
        if day < self.plan.days - 1:
            self.schedule(begin + OFF, lambda: till.die(ON + DAY - OFF))

    def _closing(self, day: int, at: int) -> None:
        """A tap, and another one for as long as the day stays open: a crash, a line that is down, a slow start."""
        for again in range(6):
            self.schedule(at + again * 4 * MINUTE, lambda: self._tap_close(day))

    def _tap_close(self, day: int) -> None:
        request_id = f"day {day}"
        if self.till.working and not any(z.request_id == request_id for z in self.books[-1].zs):
            self.people.come(self.till)
            self.schedule(self.world.now + 2 * SECOND, lambda: self.people.close_day(self.till, request_id))

    def _compare(self) -> None:
        """Yesterday's closing may not have reached the service."""
        if self.till.working and (late := self.journal.not_reconciled(3)):
            self.people.compare(self.till, late[0])

    def _do(self, deed: Deed) -> None:
        match deed.verb:
            case "power_cut":
                self.till.die(deed.value)
            case "push_clock" if self.till.alive:
                self.till.push_clock(deed.value)
            case "lose":
                self.till.lose_journal(deed.value)
                self.lost_at = self.world.now
                self.books.append(Book(self.journal.installation_id))
            case "private":
                self._private(deed)

    def _private(self, deed: Deed) -> None:
        """Taken under this shop's counter with somebody's own program."""
        number = len(self.gateway.ledger) + 1
        wall = self.world.wall_start + self.world.now
        at = datetime.fromtimestamp(wall / 1000, self.world.zone())
        request = Request(
            merchant_pg_identifier=MERCHANT,
            counter_id=1,
            external_merchant_transaction_id=f"own-{number}",
            charge_total=Decimal(deed.value) / 100,
            transaction_date_time=f"{at:%Y-%m-%d %H:%M:%S}",
        )
        made = Transaction(self.gateway, request, "qr", f"P{number:05d}", self.world.now)
        made.timeline.append((self.world.now, SUCCESS))
        self.gateway.ledger[f"own-{number}"] = made

    # What the till says.

    def _published(self, till: SimTill, picture: Published) -> None:
        match picture:
            case DayClosed(z=Z() as z):
                self._closed(z)
            case ReconEnded(run=Run() as run, request_id=request_id):
                self.runs[request_id] = run
            case DifferencesRead():
                self.found += picture.found
                self._more = picture.more
            case FiguresRead(figures=DayFigures() as figures):
                self.figures[figures.number] = figures
        self.people.published(till, picture)

    def _closed(self, z: Z) -> None:
        book = self.books[-1]
        if any(each.number == z.number for each in book.zs):
            return
        book.zs.append(z)
        book.closed_at[z.number] = self.world.now
        # Not within the commit: an export reads beside the till.
        at = len(self.books)
        self.schedule(self.world.now, lambda: self._save(book, f"journal-{at}", Span(z=z.number), z.number))

    def _save(self, book: Book, name: str, span: Span, number: int) -> None:
        folder = self.folder / "books" / name
        folder.mkdir(parents=True, exist_ok=True)
        book.files[number] = {
            kind: export(self.source, Wanted(format=kind, span=span), folder / f"z{number}.{ENDING[kind]}")
            for kind in Format
        }

    # The last night.

    def _last(self) -> None:
        """The whole month beside the service's list; every difference is read; each day's figures are."""
        first = FIRST_DAY
        last = datetime.fromtimestamp((self.world.wall_start + self.world.now) / 1000, self.world.zone())
        self.people.come(self.till)
        self.until(self.world.now + MINUTE)
        self.till.tell(
            Reconcile(
                request_id="month",
                first=f"{first:%Y-%m-%d} 00:00:00",
                last=f"{last:%Y-%m-%d %H:%M:%S}",
                who=MANAGER,
            )
        )
        end = self.world.now + 12 * 60 * MINUTE
        while "month" not in self.runs and self.world.now < end:
            self.until(self.world.now + MINUTE)
        self._more, after = True, ""
        while self._more and "month" in self.runs:
            self._more = False
            self.till.tell(ReadDifferences(request_id="all", after=after, who=MANAGER))
            after = self.found[-1].difference.key if self.found else ""
        for z in self.books[-1].zs:
            self.till.tell(ReadFigures(request_id=f"f{z.number}", number=z.number, who=MANAGER))

    def save_month(self) -> dict[Format, Exported]:
        """All that the journal holds, as the accountant gets it at the end."""
        folder = self.folder / "books" / "month"
        folder.mkdir(parents=True, exist_ok=True)
        return {
            kind: export(self.source, Wanted(format=kind, force=True), folder / f"all.{ENDING[kind]}")
            for kind in Format
        }

    def payments(self) -> list[Attempt]:
        """All of the journal that is there now."""
        return list(self.journal.recent(1_000_000))

    def close(self) -> None:
        """Nothing of it is left open."""
        self.world.leave()
        self.journal.close()
