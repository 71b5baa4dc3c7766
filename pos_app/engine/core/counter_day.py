"""The counter's day: X at any time, and the closing. It asks, counts and commits; selling never waits for it.

Every payment that is open or unanswered is asked about once, four side by side and at most a minute in all; then those
that ended unpaid in this period, as far as the time allows (docs/payment-rules.md, rule 8); then the day is compared
with the service's list, where somebody wants that, for two minutes at most. Nothing of it keeps the Z from being made:
what is not known is carried over by its name. The Z is one event in one transaction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.commands import CheckNow, CheckZ, CloseDay, LeaveClosing, ReadFigures, ReadX, ReadZ
from pos_app.domain.day import (
    AT_CUTOFF,
    CLOCK_MOVED,
    CLOSING_BEGAN,
    CLOSING_LEFT,
    DAY,
    X_READ,
    Z_CLOSED,
    Anchor,
    CheckedZ,
    Closing,
    Opened,
    Period,
    X,
    Z,
    anchor_in,
    business_date,
    carried_of,
    closes_itself,
    content_of,
    digested,
    has_earlier,
    is_as_closed,
    is_overdue,
    labelled,
    overdue_in,
    own_part,
    stays,
    x_of,
    z_after,
    z_judged,
)
from pos_app.domain.events import StatusAnswered
from pos_app.domain.figures import DayFigures, figures_of, week_before
from pos_app.domain.flow.proof import is_about
from pos_app.domain.installation import taken_over
from pos_app.domain.origins import is_elsewhere
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.rebuilt_journal import JOURNAL, MENDED
from pos_app.domain.receipt import shown_number
from pos_app.domain.record import Record, wall_of
from pos_app.domain.replies import NoAnswer
from pos_app.domain.takings import Spot, Takings, minute_of
from pos_app.domain.views import (
    DayClosed,
    DayProblem,
    DayStep,
    DayView,
    FiguresRead,
    XRead,
    ZChecked,
    ZRead,
)
from pos_app.engine.connection.calls import DayCounted
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.core.reconciliation import Reconciliation
from pos_app.engine.printing.queue import PrintQueue
from pos_app.engine.staff.authorizer import Allowed

AT_ONCE = 4
"""So many asks of a closing are under way side by side."""

MOST_MS = 60_000
"""So long answers are waited for, however long somebody would."""

MOST_ENDED = 500
"""So many ended payments are asked about once more; the others are counted in the Z."""

MOST_UNCOMPARED = 31
"""So many of the newest days that nobody has compared with the service's list are named in each Z."""

AUTO_AGAIN_MS = 60_000
"""So long after a closing of its own that could not be, the till looks again."""

LOOK_BACK = 500
"""So far back among the day's events an interrupted closing is looked for."""


class ZBook(Protocol):
    """What a Z, and the paper of one, is checked by."""

    def z(self, number: int) -> Z | None: ...
    def last_z(self) -> Z | None: ...
    def installations(self) -> Collection[str]: ...
    def events_of(self, subject: str) -> Sequence[Record]: ...


def is_proven(book: ZBook, keyed: Callable[[str], str], z: Z) -> bool:
    """Whether a Z is as it was closed, and behind the one before it. `keyed`: what the key makes of a text."""
    return is_as_closed(z, book.z(z.number - 1), keyed)


def verdict_on_z(book: ZBook, keyed: Callable[[str], str], anchor: Anchor) -> CheckedZ:
    """What a Z's paper is to this journal."""
    z = book.z(anchor.number)
    return z_judged(
        anchor,
        z,
        book.last_z(),
        is_proven=z is not None and is_proven(book, keyed, z),
        is_ours=anchor.of in book.installations(),
        is_before=anchor.of in taken_over(book.events_of(JOURNAL)),
    )


class _Run(msgspec.Struct):
    """A closing under way. `pending` holds whom to ask yet, `under_way` who is being asked."""

    request_id: str
    actor: str
    until: int
    pending: deque[str]
    of: int
    under_way: set[str]
    answered: set[str]
    why: str = ""
    silent: str = ""
    """The wall time of the first ask that nobody answered."""
    counting: bool = False
    reconcile: bool = True
    reconciling: int = 0
    """The run that compares the day with the service's list; 0: none."""
    ended: frozenset[str] = frozenset()
    """Whom of these to ask has ended, and is not carried over."""
    beyond: int = 0
    """So many ended payments more than are asked about."""

    @property
    def not_asked(self) -> int:
        """So many ended payments of which the service has said nothing this time: for want of time or of an answer."""
        return len(self.ended - self.answered) + self.beyond


class CounterDay:
    """Owns the closing under way, or the one that a crash interrupted."""

    def __init__(
        self,
        config: EngineConfig,
        ports: Ports,
        live_payments: LivePayments,
        printing: PrintQueue,
        reconciliation: Reconciliation,
    ) -> None:
        self._reconciliation = reconciliation
        self._config = config
        self._journal = ports.journal
        self._clock = ports.clock
        self._publish = ports.publish
        self._printing = printing
        self._count = ports.count_day
        self._live_payments = live_payments
        self._run: _Run | None = None
        self._interrupted = ""
        self._opened = Opened()
        self._dated = ""
        """The business date of the last Z, "" for none."""
        self._unheard = ""
        """Since when (wall) the service has answered nothing; "" once it has."""
        self._look_at: int | None = None
        """When (till time) the day may have become overdue."""
        self._close_at: int | None = None
        """When (till time) it is looked whether the till closes by itself; None where it does not, or has nothing."""

    def take_config(self, config: EngineConfig) -> None:
        """New settings hold."""
        self._config = config
        self._time_reminder()

    def take_up(self) -> None:
        """Which period is open, and whether the last run died in the middle of a closing."""
        self._opened = self._journal.opened()
        last = self._journal.last_z()
        self._dated = last.business_date if last is not None else ""
        self._interrupted = ""
        for each in self._journal.newest_of(DAY, LOOK_BACK):
            if each.kind == CLOSING_BEGAN:
                self._interrupted = str(each.content["request_id"])
            elif each.kind in (CLOSING_LEFT, Z_CLOSED):
                self._interrupted = ""
        self._time_reminder()

    def _time_reminder(self) -> None:
        """On a till that stands idle nothing else would make it look whether the day has become overdue."""
        left = overdue_in(self._opened, self._clock.wall(), self._config.cutoff)
        self._look_at = None if left is None else self._clock.now() + round(left.total_seconds() * 1000)
        self._close_at = None
        if self._config.auto_close and self._opened.first:
            is_due = has_earlier(self._opened, self._clock.wall(), self._config.cutoff)
            self._close_at = self._look_at if self._look_at is not None and not is_due else self._clock.now()

    @property
    def is_busy(self) -> bool:
        """Whether `tick` may have something to do."""
        if any(at is not None and at <= self._clock.now() for at in (self._look_at, self._close_at)):
            return True
        return self._run is not None or self._live_payments.set_back is not None

    @property
    def due_at(self) -> int | None:
        """When `tick` has something to do."""
        run = self._run
        if self._live_payments.set_back is not None:
            return self._clock.now()
        if run is None or run.counting or (run.reconciling and self._reconciliation.under_way):
            return min((at for at in (self._look_at, self._close_at) if at is not None), default=None)
        return self._clock.now() if self._may_go_on(run) else run.until

    def _may_go_on(self, run: _Run) -> bool:
        if not run.pending:
            return not run.under_way
        return len(run.under_way) < AT_ONCE

    @property
    def began_at(self) -> int:
        """Since when the open day counts (till time, ms)."""
        return self._opened.began_at

    def view(self) -> DayView:
        """What every screen may show."""
        run, opened, wall = self._run, self._opened, self._clock.wall()
        step = DayStep.INTERRUPTED if self._interrupted else DayStep.OPEN
        if run is not None:
            step = DayStep.RECONCILING if run.reconciling else DayStep.ASKING
            step = DayStep.COUNTING if run.counting else step
        return DayView(
            number=opened.number,
            began=opened.began,
            # As z_after does: a day that nobody closed is, the next morning, still the day on which it sold.
            business_date=business_date(opened.last or wall.isoformat(), self._config.cutoff, self._dated),
            last_z=opened.number - 1,
            step=step,
            request_id=run.request_id if run is not None else self._interrupted,
            asked=run.of - len(run.pending) - len(run.under_way) if run is not None else 0,
            to_ask=run.of if run is not None else 0,
            overdue=is_overdue(opened, wall, self._config.cutoff),
            has_money=bool(opened.first),
        )

    def do(self, allowed: Allowed) -> None:
        """What somebody wants who has the right."""
        match allowed.command:
            case ReadX() as wanted:
                self._publish(self._read_x(wanted, allowed.actor))
            case ReadZ() as wanted:
                self._publish(self._read_z(wanted))
            case CheckZ() as wanted:
                self._publish(self._checked(wanted))
            case ReadFigures() as wanted:
                self._publish(self._read_figures(wanted))
            case CloseDay() as wanted:
                self._close(wanted, allowed.actor)
            case LeaveClosing() as wanted:
                self._publish(self._leave(wanted, allowed.actor))

    def _read_x(self, wanted: ReadX, actor: str) -> XRead:
        """That it was read is written first."""
        period = self._period()
        if period is None:
            return XRead(request_id=wanted.request_id, problem=DayProblem.CANNOT_READ)
        if not self._commit(X_READ, actor, whose=wanted.whose):
            return XRead(request_id=wanted.request_id, problem=DayProblem.CANNOT_RECORD)
        report = self.x_now(wanted.whose)
        return XRead(request_id=wanted.request_id, report=report)

    def x_now(self, whose: str) -> X | None:
        """What was taken so far, of everybody or of one person; None while it cannot be read."""
        period = self._period()
        if period is None:
            return None
        report = x_of(period, self._closing(frozenset()))
        return own_part(report, whose) if whose else report

    def _read_z(self, wanted: ReadZ) -> ZRead:
        found = self._live_payments.read(lambda: self._zs(wanted), None)
        if found is None:
            return ZRead(request_id=wanted.request_id, problem=DayProblem.CANNOT_READ)
        zs, proven = found
        problem = DayProblem.NONE if zs else DayProblem.NO_SUCH_Z
        return ZRead(request_id=wanted.request_id, reports=tuple(zs), proven=proven, problem=problem)

    def _zs(self, wanted: ReadZ) -> tuple[Sequence[Z], bool]:
        if wanted.business_date:
            zs = self._journal.zs_of_date(wanted.business_date)
        else:
            z = self._journal.z(wanted.number) if wanted.number else self._journal.last_z()
            zs = [] if z is None else [z]
        return zs, all(map(self._is_proven, zs))

    def _is_proven(self, z: Z) -> bool:
        return is_proven(self._journal, self._journal.z_digest, z)

    def _checked(self, wanted: CheckZ) -> ZChecked:
        """Tells no takings: what the paper says of them whoever holds it has read."""
        anchor = anchor_in(wanted.text)
        if anchor is None:
            return ZChecked(request_id=wanted.request_id, problem=DayProblem.NO_SUCH_Z)
        checked = self._live_payments.read(
            lambda: verdict_on_z(self._journal, self._journal.z_digest, anchor), None
        )
        problem = DayProblem.CANNOT_READ if checked is None else DayProblem.NONE
        return ZChecked(request_id=wanted.request_id, checked=checked, problem=problem)

    def _read_figures(self, wanted: ReadFigures) -> FiguresRead:
        found = self._live_payments.read(lambda: (self.figures_of(wanted.number),), None)
        if found is None or (found[0] is None and not wanted.number):
            return FiguresRead(request_id=wanted.request_id, problem=DayProblem.CANNOT_READ)
        problem = DayProblem.NONE if found[0] is not None else DayProblem.NO_SUCH_Z
        return FiguresRead(request_id=wanted.request_id, figures=found[0], problem=problem)

    def figures_of(self, number: int) -> DayFigures | None:
        """What the pictures show of a Z, or with 0 of the open day; None where there is no such Z."""
        report: X | Z | None = self._journal.z(number) if number else self.x_now("")
        if report is None:
            return None
        date = report.business_date if isinstance(report, Z) else self.view().business_date
        earlier = [self._journal.takings(each.number) for each in self._journal.zs_of_date(week_before(date))]
        before = {cell: tally for takings in earlier for cell, tally in takings.items()}
        span = (report.number, report.began_at, report.ended_at)
        return figures_of(
            report,
            date,
            self._journal.takings(report.number),
            self._journal.waits(*span),
            self._journal.unpaid(*span),
            before if earlier else None,
        )

    def _close(self, wanted: CloseDay, actor: str) -> None:
        """Begins, finishes what was interrupted, or hands out the Z that this request has made already."""
        known = self._live_payments.read(lambda: (self._journal.z_of_request(wanted.request_id),), None)
        if known is None:
            self._refuse(wanted.request_id, DayProblem.CANNOT_READ)
        elif known[0] is not None:
            self._publish(self._told(known[0], actor))
        elif self._run is not None:
            if self._run.request_id != wanted.request_id:
                self._refuse(wanted.request_id, DayProblem.BEING_CLOSED)
        elif wanted.number not in (0, self._opened.number):
            self._refuse(wanted.request_id, DayProblem.NO_SUCH_CLOSING)
        elif wanted.request_id != self._interrupted and not self._commit(
            CLOSING_BEGAN, actor, request_id=wanted.request_id
        ):
            self._refuse(wanted.request_id, DayProblem.CANNOT_RECORD)
        else:
            self._begin(wanted, actor)

    def _begin(self, wanted: CloseDay, actor: str, why: str = "") -> None:
        nobody: Sequence[Attempt] = ()
        ended = self._live_payments.read(
            lambda: self._journal.ended_unpaid(self._opened.began_at, MOST_ENDED), nobody
        )
        first = [live.attempt for live in self._live_payments.lives if stays(live.attempt)]
        here = [each for each in (*first, *ended) if not is_elsewhere(each, self._config.origin)]
        ids = dict.fromkeys(each.attempt_id for each in here if each.state is not State.INTENT)
        wait = max(0, min(MOST_MS, int(wanted.wait_s * 1000)))
        self._interrupted = wanted.request_id
        self._run = _Run(
            wanted.request_id, actor, self._clock.now() + wait, deque(ids), len(ids), set(), set(), why
        )
        self._run.reconcile = wanted.reconcile
        self._run.ended = frozenset(ids) - {each.attempt_id for each in first}
        if len(ended) >= MOST_ENDED:
            self._run.beyond = max(0, self._ended_in_all() - MOST_ENDED)

    def _ended_in_all(self) -> int:
        """How many payments of the open period ended and took no money."""
        nothing: Takings = {}
        takings = self._live_payments.read(lambda: self._journal.takings(self._opened.number), nothing)
        return sum(tally.count for cell, tally in takings.items() if not Spot(column=cell.column).is_money)

    def tick(self, now: int) -> Sequence[CheckNow]:
        """The next to be asked about; when all have been, or the time is up, the count and the Z."""
        self._note_set_back()
        if self._look_at is not None and self._look_at <= now:
            self._time_reminder()
        if self._close_at is not None and self._close_at <= now:
            self._close_by_itself(now)
        run = self._run
        if run is None or run.counting:
            return ()
        if run.reconciling or now >= run.until or (not run.pending and not run.under_way):
            if self._compares(run):
                return ()
            run.counting = True
            if self._count is not None:
                self._count()
            else:
                self.counted(DayCounted(self._live_payments.read(self._journal.takings_agree, None)))
            return ()
        found = []
        while run.pending and len(run.under_way) < AT_ONCE:
            attempt_id = run.pending.popleft()
            run.under_way.add(attempt_id)
            found.append(CheckNow(attempt_id, at_closing=True))
        return found

    def _compares(self, run: _Run) -> bool:
        """Whether the day is being compared with the service's list; begins it where it is wanted."""
        if run.reconcile and not run.reconciling:
            person = self._on_list(run.actor)
            run.reconciling = self._reconciliation.begin_closing(
                run.actor, person.name if person is not None else ""
            )
        return bool(run.reconciling) and self._reconciliation.under_way

    def _close_by_itself(self, now: int) -> None:
        """The till's own act, in its own name: what was sold before the cut-off, where the time can be believed.

        It is a closing like any other: it asks, carries over and blocks nobody. What cannot be yet is looked at again.
        """
        self._close_at = now + AUTO_AGAIN_MS
        wall, cutoff = self._clock.wall(), self._config.cutoff
        if self._run is not None or not closes_itself(
            self._opened, wall, cutoff, self._clock.stamp().service
        ):
            return
        # The same one for the same day: what a crash interrupted is gone on with, whoever began it.
        own = f"{AT_CUTOFF}-{labelled(wall, cutoff).isoformat()}-{self._opened.number}"
        request_id = self._interrupted or own
        if request_id == self._interrupted or self._commit(
            CLOSING_BEGAN, TERMINAL, request_id=request_id, why=AT_CUTOFF
        ):
            self._begin(CloseDay(request_id=request_id), TERMINAL, AT_CUTOFF)

    def _note_set_back(self) -> None:
        """The hours and dates of this period do not follow one another: whoever reads its Z is told."""
        set_back, self._live_payments.set_back = self._live_payments.set_back, None
        if set_back is not None:
            about = {"from": set_back[0], "to": set_back[1]}
            self._live_payments.write([self._live_payments.record(CLOCK_MOVED, DAY, TERMINAL, content=about)])

    def took_money(self) -> None:
        """From now on there is something that can be overdue."""
        now = minute_of(wall_of(self._clock.wall()))
        self._opened = replace(self._opened, first=self._opened.first or now, last=now)
        self._time_reminder()

    def stepped(self, check: CheckNow) -> None:
        """An ask that did not go out is waited for by nobody."""
        live = self._live_payments.live(check.attempt_id)
        if self._run is not None and (live is None or not live.watch.asking):
            self._run.under_way.discard(check.attempt_id)

    def answered(self, event: StatusAnswered) -> None:
        """The service said something of a payment, or nothing."""
        wall = self._clock.wall().isoformat(timespec="seconds")
        is_silent = isinstance(event.reply, NoAnswer)
        self._unheard = (self._unheard or wall) if is_silent else ""
        run = self._run
        if run is not None and event.attempt_id in run.under_way:
            run.under_way.discard(event.attempt_id)
            known = self._live_payments.known(event.attempt_id)
            if is_silent:
                run.silent = run.silent or self._unheard
            elif known is None or is_about(known, event.reply):
                run.answered.add(event.attempt_id)

    def counted(self, news: DayCounted) -> bool:
        """What the count came to; whether the day was closed by it."""
        run = self._run
        if run is None or not run.counting:
            return False
        self._run = None
        problem = self._mended(news)
        z = None
        if not problem:
            z, problem = self._commit_z(run)
        if z is None:
            self._refuse(run.request_id, problem)
            return False
        self._interrupted = ""
        begun = Opened(z.number + 1, z.ended_at, z.ended, newest=z.ended)
        self._opened = self._live_payments.read(self._journal.opened, begun)
        self._dated = z.business_date
        self._time_reminder()
        self._publish(self._told(z, run.actor))
        return True

    def _mended(self, news: DayCounted) -> DayProblem:
        """Sums that are not their payments' are none: the tables are made anew from the events, then it is closed."""
        if news.agrees is None:
            return DayProblem.CANNOT_READ
        if news.agrees:
            return DayProblem.NONE
        if not self._live_payments.read(self._made_anew, False):
            return DayProblem.CANNOT_READ
        about = {"findings": [f"takings of period {self._opened.number} were not what the payments come to"]}
        self._live_payments.write([self._live_payments.record(MENDED, JOURNAL, TERMINAL, content=about)])
        return DayProblem.NONE

    def _made_anew(self) -> bool:
        self._journal.rebuild_projections()
        return True

    def _commit_z(self, run: _Run) -> tuple[Z | None, DayProblem]:
        """One event, one transaction; with anything unwritten there is no Z."""
        if self._live_payments.damage or (self._live_payments.halted and not self._live_payments.retry()):
            return None, DayProblem.CANNOT_RECORD
        period = self._period()
        if period is None:
            return None, DayProblem.CANNOT_READ
        closing = self._closing(frozenset(run.answered), run)
        z = z_after(period, closing, run.request_id, run.actor, self._config.cutoff, run.why)
        z = replace(z, digest=self._journal.z_digest(digested(z)))
        record = self._live_payments.record(Z_CLOSED, DAY, run.actor, content=content_of(z))
        # Of the takings of others nothing gets into a cashier's hands: a manager prints it.
        paper = None if self._is_cashier(run.actor) else self._printing.of_z(z.number, run.actor)
        if not self._live_payments.commit([record, *([paper[1]] if paper is not None else [])]):
            return None, DayProblem.CANNOT_RECORD
        if paper is not None:
            self._printing.keep(paper[0])
        return z, DayProblem.NONE

    def _closing(self, answered: frozenset[str], run: _Run | None = None) -> Closing:
        none: Sequence[int] = ()
        attempts = [live.attempt for live in self._live_payments.lives]
        shown = {each.attempt_id: shown_number(each) for each in attempts if each.receipt}
        carried = carried_of(attempts, self._clock.now(), answered, shown)
        asked_all = run is not None and all(each.asked for each in carried)
        return Closing(
            environment=self._config.environment.value,
            installation_id=self._journal.installation_id,
            currency=self._config.currency.code,
            ended_at=self._clock.now(),
            ended=wall_of(self._clock.wall()),
            carried=carried,
            disputed=tuple(sorted(each.attempt_id for each in attempts if each.state is State.DISPUTED)),
            overpaid=tuple(sorted(sale.sale_id for sale in self._live_payments.overpaid)),
            asked=asked_all and not run.silent if run is not None else False,
            unreached_since="" if run is None or asked_all else run.silent or self._unheard,
            not_asked=run.not_asked if run is not None else 0,
            reconciled=self._reconciliation.reconciled(run.reconciling)
            if run is not None and run.reconciling
            else None,
            not_reconciled=tuple(
                self._live_payments.read(lambda: self._journal.not_reconciled(MOST_UNCOMPARED), none)
            ),
        )

    def _leave(self, wanted: LeaveClosing, actor: str) -> DayClosed:
        problem = DayProblem.NONE
        if self._run is not None:
            problem = DayProblem.BEING_CLOSED
        elif wanted.request_id != self._interrupted:
            problem = DayProblem.NO_SUCH_CLOSING
        elif not self._commit(CLOSING_LEFT, actor, request_id=wanted.request_id):
            problem = DayProblem.CANNOT_RECORD
        else:
            self._interrupted = ""
        return DayClosed(request_id=wanted.request_id, problem=problem)

    def _told(self, z: Z, actor: str) -> DayClosed:
        """A cashier who may close sees their own part of the Z, and no more."""
        if self._is_cashier(actor):
            return DayClosed(request_id=z.request_id, own=own_part(z, actor))
        return DayClosed(request_id=z.request_id, z=z)

    def _is_cashier(self, actor: str) -> bool:
        person = self._on_list(actor)
        return person is not None and not person.is_manager

    def _refuse(self, request_id: str, problem: DayProblem) -> None:
        self._publish(DayClosed(request_id=request_id, problem=problem))

    def _period(self) -> Period | None:
        return self._live_payments.read(self._journal.period, None)

    def _commit(self, kind: str, actor: str, **content: str) -> bool:
        person = self._on_list(actor)
        about = {"name": person.name if person is not None else "", **content}
        return self._live_payments.commit([self._live_payments.record(kind, DAY, actor, content=about)])

    def _on_list(self, person_id: str) -> Person | None:
        nobody: Sequence[Person] = ()
        people = self._live_payments.read(self._journal.people, nobody)
        return next((each for each in people if each.person_id == person_id), None)
