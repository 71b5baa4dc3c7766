"""Runs of a reconciliation: reads the service's list, compares, asks by id, tells what differs. Changes no payment.

In this order: the list, read until it is proven whole (`domain/list_reader.py`); each of our payments of the time
beside what was met; once more what the service is known to have and its list did not hold; each candidate asked about
through the flow (rule 10); what then differs, written down. Whatever is done with is written, so that a run that was
broken off goes on behind it. It works in slices: whoever taps waits for no more than one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from pos_app.domain.commands import (
    CheckNow,
    DecideDifferences,
    LeaveReconciling,
    ReadDifferences,
    Reconcile,
)
from pos_app.domain.day import CLOCK_MOVED, DAY, Reconciled, Z
from pos_app.domain.events import StatusAnswered
from pos_app.domain.flow.proof import is_about
from pos_app.domain.installation import taken_over
from pos_app.domain.list_reader import FORM, SECOND, Incomplete, Reading, Span, merged
from pos_app.domain.people import TERMINAL
from pos_app.domain.query import QueryFilter
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.reconcile import (
    DIFFERENCE_DECIDED,
    DIFFERENCE_FOUND,
    DIFFERENCES_GONE,
    MOST_ASKED,
    MOST_KEPT,
    RECON,
    RECON_BEGAN,
    RECON_ENDED,
    RECON_WINDOW,
    Comparison,
    Difference,
    DifferenceKind,
    Ours,
    Progress,
    Run,
    Site,
    Why,
    difference_in,
    has_answered,
    incomplete,
    ours_of,
    paid_twice,
    places_of,
    receipt_gap,
    reopens,
    sums_at_risk,
    taken_twice,
)
from pos_app.domain.record import Record, wall_of
from pos_app.domain.replies import ListedTransaction, Listing, NoAnswer, QueryReply, Refused, StatusReply
from pos_app.domain.replies import Why as Silence
from pos_app.domain.text import typed_text
from pos_app.domain.views import (
    DayProblem,
    DifferencesDecided,
    DifferencesRead,
    ReconEnded,
    ReconStep,
    ReconView,
)
from pos_app.engine.connection.calls import ListAnswered
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.identity import Identity
from pos_app.engine.core.list_pace import SLOWEST_MS, ListPace
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.staff.authorizer import Allowed

AT_ONCE = 4
SLICE = 250
"""So many rows, payments or differences are worked on between two events."""

QUICK_SLICE = 1_000
"""So many rows that are as we have them, or places of payments, cost no more than those."""

MOST_AT_CLOSING_MS = 120_000
"""A day is closed without it then."""

MOST_SILENT = 4
"""So many calls one after the other that nobody answered: the line is down, and the run ends as far as it came."""

LOOK_AGAIN_MS = 5_000
"""A list may lag behind the payments: what is missing in it is looked for once more."""

LOOK_AGAIN = 2
"""The reading that does so. Where it finds some of it, all is read once more, in the third one."""

DAY_MORE = timedelta(days=1)
"""Nobody knows how the service's clock stands."""

MOST_BACK = timedelta(days=31)
"""So far a clock that was set back stretches what is read."""

LOOK_BACK = 500
PAGE = 200
NAMED = 20
NOT_IN_THE_LIST = "not_in_the_list"

_SILENT = frozenset({Silence.NAME, Silence.CONNECT, Silence.TLS, Silence.SIGN_IN, Silence.FORBIDDEN})


class _Step(StrEnum):
    READING = "reading"
    COMPARING = "comparing"
    ASKING = "asking"
    ENDING = "ending"


_SHOWN = {
    _Step.READING: ReconStep.READING,
    _Step.COMPARING: ReconStep.COMPARING,
    _Step.ASKING: ReconStep.ASKING,
    _Step.ENDING: ReconStep.ENDING,
}


class _Work:
    """A run under way. `wanted`: the ask that was put; `rows`: what is still to be looked at of its answer.

    `taps`: our payments tapped from then to then (till ms) are gone through.
    """

    def __init__(
        self, run: Run, comparison: Comparison, taps: tuple[int, int], *, request_id: str, until: int | None
    ) -> None:
        self.run = run
        self.comparison = comparison
        self.taps = taps
        self.request_id = request_id
        self.until = until
        self.step = _Step.READING
        self.turn = 1
        self.reading = Reading(self.span)
        self.wanted: QueryFilter | None = None
        self.reply: QueryReply | None = None
        self.rows: Sequence[ListedTransaction] = ()
        self.row = 0
        self.doubtful: deque[ListedTransaction] = deque()
        self.silent = 0
        self.back_to = ""
        self.not_whole: list[tuple[Span, str]] = []
        self.was_read = False
        self.witnesses: set[str] = set()
        """Ids that the list did not show at first, and then did: whatever else it left out, it shows them now or is
        no list."""
        self.tapped = (taps[0], 0)
        self.places: deque[int] = deque()
        self.were_all_tapped = False
        self.sales: Sequence[str] = ()
        self.to_ask: deque[str] = deque()
        self.of = 0
        self.under_way: set[str] = set()
        self.asked = run.asked
        self.calls = run.calls
        self.found: dict[str, Difference] = {}
        self.more = 0
        self.batches: Iterator[list[Difference]] = iter(())
        self.why = Why.NONE

    @property
    def closes(self) -> bool:
        """Whether a closing waits for it; any other run takes the time that it needs."""
        return self.until is not None

    @property
    def span(self) -> Span:
        """What of the list is read."""
        return Span(_moment(self.run.first) - DAY_MORE, _moment(self.run.last) + DAY_MORE)

    @property
    def is_whole(self) -> bool:
        """Whether the list was read to its end, and each part of it proven."""
        return self.was_read and not self.not_whole


class Reconciliation:
    """Owns the run under way. Without `list_payments` there is none.

    `ended` is what a run came to, until it is taken: at a closing by the closing.
    """

    def __init__(
        self, config: EngineConfig, ports: Ports, live_payments: LivePayments, identity: Identity
    ) -> None:
        self._config = config
        self._journal = ports.journal
        self._clock = ports.clock
        self._publish = ports.publish
        self._list = ports.list_payments
        self._live_payments = live_payments
        self._identity = identity
        self._work: _Work | None = None
        self._pace = ListPace(config.calls_apart_ms)
        self._next_at = 0
        self._newest = 0
        self.can_list = True
        """Whether the list may be read just now: a rebuild has it to itself."""
        self.due_at: int | None = None

    def take_config(self, config: EngineConfig) -> None:
        """New settings hold."""
        self._config = config

    def take_up(self) -> None:
        """Which run was the newest; one that was broken off is gone on with when somebody wants it."""
        newest = self._journal.recon_run(0)
        self._newest = newest.number if newest is not None else 0

    @property
    def is_possible(self) -> bool:
        """Whether a list can be asked for."""
        return self._list is not None and self.can_list

    @property
    def under_way(self) -> bool:
        """Whether a run is."""
        return self._work is not None

    def view(self) -> ReconView:
        """What every screen may show."""
        work = self._work
        if work is None:
            return ReconView(run=self._newest)
        left = len(work.to_ask) + len(work.under_way)
        return ReconView(
            run=work.run.number,
            step=_SHOWN[work.step],
            rows=work.comparison.rows,
            calls=work.calls,
            back_to=work.back_to,
            asked=work.of - left,
            to_ask=work.of,
        )

    # What people want.

    def do(self, allowed: Allowed) -> None:
        """What somebody wants who has the right."""
        match allowed.command:
            case Reconcile() as wanted:
                self._wanted(wanted, allowed.actor, allowed.name)
            case LeaveReconciling():
                self.leave()
            case ReadDifferences() as wanted:
                self._publish(self._read_differences(wanted))
            case DecideDifferences() as wanted:
                self._publish(self._decide(wanted, allowed.actor, allowed.name))

    def _wanted(self, wanted: Reconcile, actor: str, name: str) -> None:
        problem = DayProblem.NONE
        if self._work is not None:
            problem = DayProblem.BEING_CLOSED
        elif not self.is_possible:
            problem = DayProblem.NO_LIST
        else:
            try:
                known = self._compared(wanted.z) if wanted.z and not wanted.again else None
                if known is not None:
                    self._publish(ReconEnded(request_id=wanted.request_id, run=known))
                    return
                problem = self._begin(self._about(wanted), actor, name, wanted.request_id, None)
            except self._live_payments.trouble:
                problem = DayProblem.CANNOT_READ
        if problem:
            self._publish(ReconEnded(request_id=wanted.request_id, problem=problem))

    def _compared(self, number: int) -> Run | None:
        """The complete run of a Z's day: of its closing or of later, and nothing of the day was tapped behind it."""
        z, known = self._journal.z(number), self._journal.recon_of_z(number)
        if z is None or known is None or not known.complete:
            return None
        if z.reconciled is not None and known.number < z.reconciled.run:
            return None
        later = self._journal.places_after((known.tapped_to + 1, 0), z.ended_at, 1)
        return None if later else known

    def begin_closing(self, actor: str, name: str) -> int:
        """The open day's, for the Z to come: its number. 0: there can be none."""
        if not self.is_possible:
            return 0
        try:
            if self._work is not None:
                self._over(
                    self._work,
                    ReconEnded(request_id=self._work.request_id, problem=DayProblem.BEING_CLOSED),
                )
            until = self._clock.now() + MOST_AT_CLOSING_MS
            problem = self._begin(self._open_day(closes=True), actor, name, "", until)
        except self._live_payments.trouble:
            return 0
        return 0 if problem or self._work is None else self._work.run.number

    def leave(self) -> None:
        """It ends as far as it has come."""
        if self._work is not None:
            self._end(Why.LEFT)

    def reconciled(self, number: int) -> Reconciled | None:
        """What a Z says of the run of its own closing."""
        run = self._live_payments.read(lambda: self._journal.recon_run(number), None)
        if run is None or not run.ended:
            return None
        return Reconciled(run.number, run.complete, run.own_differences, dict(run.at_risk))

    def _about(self, wanted: Reconcile) -> Run | None:
        if wanted.z:
            z = self._journal.z(wanted.z)
            return None if z is None else self._day_of(z)
        if wanted.first:
            first = _moment(wanted.first)
            span = Span(first, max(first, _moment(wanted.last)))
            zone = self._clock.wall().tzinfo
            taps = [int(each.replace(tzinfo=zone).timestamp() * 1000) for each in (span.first, span.last)]
            return self._run(span, (taps[0], taps[1] + 999), by_date=True)
        return self._open_day()

    def _open_day(self, *, closes: bool = False) -> Run:
        opened, now = self._journal.opened(), self._clock.wall()
        last = now.replace(tzinfo=None, microsecond=0)
        first = _local(opened.began) if opened.began else last
        taps = (opened.began_at, self._clock.now())
        run = self._run(
            *self._reaching_back(opened.number, Span(first, last), taps), z=opened.number if closes else 0
        )
        return self._as_broken_off(run)

    def _as_broken_off(self, run: Run) -> Run:
        """A day that is open: up to where the run that was broken off went, if nothing was tapped since."""
        before = self._journal.recon_run(0)
        if before is None or before.ended or before.by_date:
            return run
        if (before.z, before.first, before.tapped_from) != (run.z, run.first, run.tapped_from):
            return run
        if self._journal.places_after((before.tapped_to + 1, 0), run.tapped_to, 1):
            return run
        return replace(run, last=before.last, tapped_to=before.tapped_to)

    def _day_of(self, z: Z) -> Run:
        first, last = sorted((_local(z.began), _local(z.ended)))
        reached = self._reaching_back(z.number, Span(first, last), (z.began_at, z.ended_at))
        return self._run(*reached, z=z.number, currency=z.currency)

    def _reaching_back(self, number: int, span: Span, taps: tuple[int, int]) -> tuple[Span, tuple[int, int]]:
        """Of the day of a Z, made or to come: with what would else be in no day's comparison."""
        first, last = span.first, span.last
        tapped_from, tapped_to = taps
        # What was sold while the day before was being compared is in its Z, and was in no comparison.
        before = self._journal.recon_of_z(number - 1) if number > 1 else None
        if before is not None and before.complete:
            tapped_from = min(tapped_from, before.tapped_to)
            first = min(first, _moment(before.last))
        # Hours that came twice, or were skipped: payments have their times in them.
        for each in self._day_events(tapped_from):
            if each.kind == CLOCK_MOVED and tapped_from <= each.at <= tapped_to:
                earliest = first - MOST_BACK
                first = max(earliest, min(first, _local(str(each.content["to"]))))
                last = min(last + MOST_BACK, max(last, _local(str(each.content["from"]))))
        first = self._lost_since(first, tapped_from, tapped_to)
        return Span(first, max(first, last)), (tapped_from, tapped_to)

    def _day_events(self, since: int) -> Sequence[Record]:
        """The newest about the days; where these do not reach back so far (till ms), all."""
        newest = self._journal.newest_of(DAY, LOOK_BACK)
        reaches = len(newest) < LOOK_BACK or newest[0].at < since
        return newest if reaches else self._journal.events_of(DAY)

    def _run(
        self,
        span: Span,
        taps: tuple[int, int],
        *,
        z: int = 0,
        currency: str = "",
        by_date: bool = False,
    ) -> Run:
        return Run(
            number=self._newest + 1,
            first=span.first.strftime(FORM),
            last=span.last.strftime(FORM),
            tapped_from=taps[0],
            tapped_to=taps[1],
            z=z,
            currency=currency or self._config.currency.code,
            wall=wall_of(self._clock.wall()),
            by_date=by_date,
        )

    def _lost_since(self, first: datetime, tapped_from: int, tapped_to: int) -> datetime:
        """From when on the list is to be read of a period in which this journal was begun beside a lost one.

        What was recovered then counts in this period, and its rows are in the lost one's time: a month of them cannot
        be asked about one by one, and the list proves them in some dozen answers.
        """
        for each in self._journal.events_of(JOURNAL):
            if each.kind == REBUILT and tapped_from <= each.at <= tapped_to:
                since = str(each.content.get("since", ""))
                lost = datetime.fromisoformat(since) if since else first - MOST_BACK
                first = max(first - MOST_BACK, min(first, lost))
        return first

    def _begin(
        self, run: Run | None, actor: str, name: str, request_id: str, until: int | None
    ) -> DayProblem:
        if run is None:
            return DayProblem.NO_SUCH_Z
        before = self._journal.recon_run(0)
        if before is not None and not before.ended and _is_same(before, run):
            self._resume(before, request_id, until)
            return DayProblem.NONE
        # A time that no list can be read for is found out before anything is written.
        work = self._work_of(run, request_id, until)
        if before is not None and not before.ended:
            self._live_payments.try_commit([self._ended_record(replace(before, ended=True, why=Why.LEFT))])
        about = {"run": msgspec.to_builtins(run), "name": name}
        if not self._live_payments.try_commit([self._record(RECON_BEGAN, run, actor, about)]):
            return DayProblem.CANNOT_RECORD
        self._newest = run.number
        self._work = work
        self._include_late(work)
        self.due_at = self._clock.now()
        return DayProblem.NONE

    def _work_of(self, run: Run, request_id: str, until: int | None) -> _Work:
        comparison = Comparison(run, self._site())
        return _Work(run, comparison, self._taps(run), request_id=request_id, until=until)

    def _taps(self, run: Run) -> tuple[int, int]:
        """Whose taps are gone through. Those of dates are chosen by their dates: till time may be far from them, as far
        as it is from the wall now, and somewhat further."""
        if not run.by_date:
            return run.tapped_from, run.tapped_to
        ahead = self._clock.now() - int(self._clock.wall().timestamp() * 1000)
        more = MOST_BACK // timedelta(milliseconds=1)
        return run.tapped_from + min(0, ahead) - more, run.tapped_to + max(0, ahead) + more

    def _include_late(self, work: _Work) -> None:
        """Money of this day whose rows lie in an earlier one's time."""
        z = self._journal.z(work.run.z) if work.run.z else None
        for each in z.late_from if z is not None else self._journal.period().late_from:
            work.comparison.include(each.attempt_id)

    def _site(self) -> Site:
        lost = taken_over(self._journal.events_of(JOURNAL))
        own = self._journal.installation_id
        return Site(
            environment=self._config.environment,
            own=own,
            installations=frozenset({own, *lost, *self._journal.installations()}),
            currency=self._config.currency.code,
            counter_id=self._config.counter_id,
            merchant_id=self._config.merchant_id,
            origin=self._config.origin,
        )

    def _resume(self, run: Run, request_id: str, until: int | None) -> None:
        """Behind what was written: the parts of the list, whom was asked, what was found."""
        work = self._work_of(run, request_id, until)
        oldest: Span | None = None
        for each in self._journal.events_of(f"{RECON}{run.number}"):
            if each.kind == DIFFERENCE_FOUND:
                found = difference_in(each.content)
                work.found[found.key] = found
            if each.kind != RECON_WINDOW:
                continue
            progress = msgspec.convert(each.content["progress"], Progress)
            work.comparison.resume(progress)
            work.calls, work.asked = progress.calls, progress.asked
            if progress.turn == LOOK_AGAIN:
                places = sorted(places_of(progress.seen))
                work.witnesses.update(each.attempt_id for each in self._journal.ours_in(places))
            if not progress.first or progress.turn != 1:
                continue
            span = Span(_moment(progress.first), _moment(progress.last))
            if progress.why:
                work.not_whole.append((span, progress.why))
            oldest = span if oldest is None or span.first < oldest.first else oldest
        span = work.span
        if oldest is not None and oldest.first <= span.first:
            work.was_read = True
            work.step = _Step.COMPARING
            if work.witnesses:
                self._read_all_again(work)
        elif oldest is not None:
            # Newest first, without a gap: what is older than the oldest is still to be read.
            work.reading = Reading(Span(span.first, oldest.first - SECOND))
        self._include_late(work)
        self._work = work
        self.due_at = self._clock.now()

    # The work.

    def tick(self, now: int) -> Sequence[CheckNow]:
        """The next slice, or the next call; whom to ask about."""
        work = self._work
        if work is None:
            self.due_at = None
            return ()
        if self.due_at is not None and now < self.due_at:
            return ()
        if work.until is not None and now >= work.until and work.step is not _Step.ENDING:
            self._end(Why.TOO_LONG)
            return ()
        self.due_at = work.until
        try:
            match work.step:
                case _Step.READING:
                    self._read_on(work, now)
                case _Step.COMPARING:
                    self._compare(work)
                case _Step.ASKING:
                    return self._ask(work, now)
                case _Step.ENDING:
                    self._write_on(work)
        except self._live_payments.trouble:
            self._give_up(work, DayProblem.CANNOT_READ)
        return ()

    def _at(self, when: int) -> None:
        self.due_at = when if self.due_at is None else min(self.due_at, when)

    def heard(self, answer: ListAnswered) -> bool:
        """Takes the answer to its own question; False: it is to another one."""
        work = self._work
        if work is None or work.wanted is None or answer.wanted != work.wanted or work.reply is not None:
            return False
        work.reply = answer.reply
        work.rows = answer.reply.transactions if isinstance(answer.reply, Listing) else ()
        work.row = 0
        self.due_at = self._clock.now()
        return True

    def _read_on(self, work: _Work, now: int) -> None:
        if work.row < len(work.rows) or work.doubtful:
            self._take_slice(work)
            self._at(now)
        elif work.reply is not None:
            self._taken(work, work.reply)
        elif work.wanted is not None:
            return  # its answer is waited for
        elif work.reading.wanted is None:
            self._list_was_read(work)
        elif now < self._next_at:
            self._at(self._next_at)
        elif self._list is not None:
            work.calls += 1
            self._next_at = now + self._pace.apart_ms
            work.wanted = work.reading.wanted.wanted(str(self._config.counter_id))
            self._list(work.wanted)

    def _take_slice(self, work: _Work) -> None:
        if not work.doubtful:
            page = work.rows[work.row : work.row + QUICK_SLICE]
            work.row += len(page)
            ids = [each.external_id for each in page]
            if work.turn > LOOK_AGAIN:
                work.witnesses.difference_update(ids)
            facts = dict(self._journal.facts_at(ids))
            for attempt_id in self._live_payments.in_hand_of(ids):
                facts.pop(attempt_id, None)
            work.doubtful.extend(work.comparison.take_equal(page, facts))
            self._take_twice(work, taken_twice(page))
            return
        some = [work.doubtful.popleft() for _ in range(min(SLICE, len(work.doubtful)))]
        known = self._journal.ours_at([each.external_id for each in some if each.external_id])
        for row in some:
            ours = self._as_it_is(row.external_id, known.get(row.external_id))
            if work.comparison.take(row, ours):
                self._identity.found_twice(row.external_id)

    def _take_twice(self, work: _Work, twice: Mapping[str, Sequence[ListedTransaction]]) -> None:
        if not twice:
            return
        known = self._journal.ours_at([*twice])
        for attempt_id, rows in twice.items():
            ours = self._as_it_is(attempt_id, known.get(attempt_id))
            if ours is not None:
                work.comparison.take_twice(rows, ours)

    def _as_it_is(self, attempt_id: str, written: Ours | None) -> Ours | None:
        """What memory knows is newer than what is written."""
        live = self._live_payments.in_hand(attempt_id) if attempt_id else None
        return written if live is None else ours_of(live)

    def _taken(self, work: _Work, reply: QueryReply) -> None:
        work.wanted = work.reply = None
        work.rows = ()
        settled = work.reading.heard(reply)
        windows = work.reading.done()
        for place, window in enumerate(windows):
            first, last = (each.strftime(FORM) for each in (window.span.first, window.span.last))
            why = window.why.value if window.why is not None else ""
            if why:
                work.not_whole.append((window.span, why))
            work.back_to = first
            about = {"turn": work.turn, "first": first, "last": last, "why": why}
            # What was met is new with the first of them.
            new = work.comparison.progress(calls=work.calls, asked=work.asked, **about)
            if not self._write(work, new if not place else replace(new, rows=work.comparison.rows)):
                return
        self._next_at = max(self._next_at, self._clock.now() + self._wait(work, reply, settled=settled))
        if isinstance(reply, Refused) and not settled:
            self._end(Why.REFUSED)
        elif work.silent >= MOST_SILENT:
            self._end(Why.NOT_ANSWERED)
        else:
            self._at(self._clock.now())

    def _wait(self, work: _Work, reply: QueryReply, *, settled: bool) -> int:
        if not isinstance(reply, NoAnswer):
            work.silent = 0
            self._pace.answered()
            return 0
        if reply.why is Silence.SLOW_DOWN:
            return self._pace.slow_down(reply.retry_after_s)
        if reply.why in _SILENT or not settled:
            work.silent += 1
            return int(min(SLOWEST_MS, 1_000 * 2**work.silent))
        return 0

    def _list_was_read(self, work: _Work) -> None:
        self._at(self._clock.now())
        if work.turn == LOOK_AGAIN:
            work.witnesses -= work.comparison.missing.keys()
            if work.witnesses:
                self._read_all_again(work)
            else:
                self._begin_to_ask(work)
            return
        if work.witnesses:
            span = Span(_moment(work.run.first), _moment(work.run.last))
            work.not_whole.append((span, Incomplete.CONTRADICTED.value))
        work.was_read = True
        work.step = _Step.COMPARING

    def _read_all_again(self, work: _Work) -> None:
        """The first reading was not of the whole list, though each answer looked it: what it left out of ours came
        later, and so may what nobody here knows of."""
        work.turn = LOOK_AGAIN + 1
        work.step = _Step.READING
        work.reading = Reading(work.span, work.reading.most)
        work.tapped = (work.taps[0], 0)
        work.were_all_tapped = False

    def _compare(self, work: _Work) -> None:
        self._at(self._clock.now())
        if work.places:
            some = [work.places.popleft() for _ in range(min(SLICE, len(work.places)))]
            for each in self._journal.ours_in(some):
                work.comparison.scan(self._as_it_is(each.attempt_id, each) or each)
            return
        if not work.were_all_tapped:
            page = self._journal.places_after(work.tapped, work.taps[1], QUICK_SLICE)
            work.tapped = page[-1] if page else work.tapped
            work.were_all_tapped = len(page) < QUICK_SLICE
            work.places.extend(work.comparison.to_scan([place for _, place in page]))
            return
        work.sales = work.comparison.sales_paid_twice
        times = sorted(work.comparison.missing.values())
        if not times or not work.is_whole or work.turn > 1:
            self._begin_to_ask(work)
            return
        work.turn = LOOK_AGAIN
        work.witnesses = set(work.comparison.missing)
        work.step = _Step.READING
        work.reading = Reading(Span(_moment(times[0]), _moment(times[-1])), work.reading.most)
        self._next_at = self._clock.now() + LOOK_AGAIN_MS
        self.due_at = self._next_at

    def _begin_to_ask(self, work: _Work) -> None:
        if not self._write(work, work.comparison.progress(calls=work.calls, asked=work.asked)):
            return
        work.step = _Step.ASKING
        work.to_ask = deque(work.comparison.candidates[: max(0, MOST_ASKED - work.asked)])
        work.of = len(work.to_ask)

    def _ask(self, work: _Work, now: int) -> Sequence[CheckNow]:
        if not work.to_ask and not work.under_way:
            self._end(Why.NONE)
            return ()
        if not work.to_ask or len(work.under_way) >= AT_ONCE:
            return ()
        if now < self._next_at:
            self._at(self._next_at)
            return ()
        attempt_id = work.to_ask.popleft()
        work.under_way.add(attempt_id)
        self._next_at = now + self._pace.apart_ms
        self._at(self._next_at)
        return (CheckNow(attempt_id, at_closing=work.closes),)

    def stepped(self, check: CheckNow) -> None:
        """An ask that did not go out is waited for by nobody."""
        live = self._live_payments.live(check.attempt_id)
        if live is None or not live.watch.asking:
            self._settle(check.attempt_id, None)

    def answered(self, event: StatusAnswered) -> None:
        """The service said something of a payment, or nothing."""
        if self._work is not None and event.attempt_id in self._work.under_way:
            if isinstance(event.reply, NoAnswer) and event.reply.why is Silence.SLOW_DOWN:
                self._pace.slow_down(event.reply.retry_after_s)
            known = self._live_payments.known(event.attempt_id)
            # The success of another payment would make equal what is not.
            is_none = known is not None and not is_about(known, event.reply)
            self._settle(event.attempt_id, None if is_none else event.reply)

    def _settle(self, attempt_id: str, reply: StatusReply | None) -> None:
        work = self._work
        if work is None or attempt_id not in work.under_way:
            return
        work.under_way.discard(attempt_id)
        self._at(self._clock.now())
        if not has_answered(reply):
            # It stays a candidate: it is told of at the end, and asked about again by whoever goes on with the run.
            return
        found = self._left_of(work, attempt_id, reply)
        work.asked += 1
        progress = work.comparison.progress(calls=work.calls, asked=work.asked)
        self._write(work, progress, [found] if found is not None else [])

    def _left_of(self, work: _Work, attempt_id: str, reply: StatusReply | None) -> Difference | None:
        now = self._live_payments.known(attempt_id)
        if now is None:
            return None
        return work.comparison.settle(ours_of(now), reply, whole=work.is_whole)

    # What it came to.

    def _end(self, why: Why) -> None:
        work = self._work
        if work is None:
            return
        work.why = why
        work.step = _Step.ENDING
        work.to_ask.clear()
        work.under_way.clear()
        work.wanted = work.reply = None
        work.rows = ()
        work.doubtful.clear()
        work.batches = self._batches(work)
        self.due_at = self._clock.now()

    def _batches(self, work: _Work) -> Iterator[list[Difference]]:
        """All that is left to tell, in slices."""
        comparison = work.comparison
        not_asked = 0
        batch: list[Difference] = []
        for found in self._rest(work):
            if found is None:
                not_asked += 1
            else:
                batch.append(found)
            if len(batch) >= SLICE:
                yield batch
                batch = []
        yield batch
        complete = not work.why and work.is_whole and not not_asked and not comparison.missing
        complete = complete and not comparison.more and not work.more
        work.run = replace(work.run, complete=complete, not_asked=not_asked)

    def _rest(self, work: _Work) -> Iterator[Difference | None]:
        """None stands for a candidate of which nobody knows more than the list says."""
        run, comparison = work.run, work.comparison
        if work.was_read:
            for attempt_id in comparison.candidates:
                found = self._left_of(work, attempt_id, None)
                yield None
                if found is not None:
                    yield found
            for sale_id in work.sales:
                yield from self._paid_twice(sale_id)
        yield from comparison.rest()
        if not work.was_read:
            span = Span(
                _moment(run.first),
                min(_moment(work.back_to), _moment(run.last)) if work.back_to else _moment(run.last),
            )
            work.not_whole.append((span, work.why.value or Incomplete.NOT_ANSWERED.value))
        elif comparison.missing and not work.not_whole:
            times = sorted(_moment(each) for each in comparison.missing.values())
            work.not_whole.append((Span(times[0], times[-1]), NOT_IN_THE_LIST))
        yield from self._not_whole(work)
        yield from self._receipts(run)

    def _paid_twice(self, sale_id: str) -> Iterator[Difference]:
        sale = self._live_payments.sale(sale_id)
        if sale is not None:
            found = paid_twice(sale, [ours_of(each) for each in self._live_payments.attempts_of(sale_id)])
            if found is not None:
                yield found

    def _not_whole(self, work: _Work) -> Iterator[Difference]:
        for why in dict.fromkeys(why for _, why in work.not_whole):
            spans = merged(span for span, each in work.not_whole if each == why)
            if len(spans) > NAMED:
                spans = [*spans[: NAMED - 1], Span(spans[NAMED - 1].first, spans[-1].last)]
            for span in spans:
                first, last = (end.strftime(FORM) for end in (span.first, span.last))
                yield incomplete(f"{first} – {last}", why, max(first, work.run.first), work.run.currency)

    def _receipts(self, run: Run) -> Iterator[Difference]:
        """Of each installation that this journal was: one, two, three, none missing, from the Z before on."""
        before = self._journal.z(run.z - 1) if run.z > 1 else None
        last = {each.of: each.last for each in before.receipts} if before is not None else {}
        for installation in sorted(self._journal.installations()):
            count, missing = self._journal.receipt_gaps(installation, NAMED, last.get(installation, 0))
            if count:
                yield receipt_gap(installation, missing, count, run.first)

    def _write_on(self, work: _Work) -> None:
        batch = next(work.batches, None)
        if batch is not None:
            if self._keep(work, batch):
                self._at(self._clock.now())
            return
        comparison = work.comparison
        counts = Counter(each.kind.value for each in work.found.values())
        run = replace(
            work.run,
            ended=True,
            why=work.why,
            rows=comparison.rows,
            equal=comparison.equal,
            calls=work.calls,
            asked=work.asked,
            differences=dict(counts),
            at_risk=sums_at_risk(work.found.values()).get(work.run.currency, {}),
            more=comparison.more + work.more,
            noted=self._live_payments.read(lambda: self._noted_in(work.run), 0),
        )
        records = [self._ended_record(run)]
        gone = self._gone(run, comparison)
        if gone:
            records.insert(0, self._record(DIFFERENCES_GONE, run, "", {"keys": list(gone)}))
        if not self._live_payments.try_commit(records):
            self._give_up(work, DayProblem.CANNOT_RECORD)
            return
        self._over(work, ReconEnded(request_id=work.request_id, run=run))

    def _noted_in(self, run: Run) -> int:
        """How many payments of a run have refund notes: those of dates are chosen by their dates here, too."""
        dates = (run.first, run.last) if run.by_date else ()
        return self._journal.noted_between(*self._taps(run), *dates)

    def _gone(self, run: Run, comparison: Comparison) -> Sequence[str]:
        if not run.complete:
            return ()
        keys = self._journal.differences_between(run.first, run.last, run.number, MOST_KEPT)
        ours = self._journal.ours_at([_subject(key) for key in keys])
        # By a clock that was moved payments of other days lie in this time: the run has not looked at them.
        return [key for key in keys if (of := ours.get(_subject(key))) is None or comparison.is_of_range(of)]

    def _ended_record(self, run: Run) -> Record:
        return self._record(RECON_ENDED, run, "", {"run": msgspec.to_builtins(run)})

    def _over(self, work: _Work, news: ReconEnded) -> None:
        self._work = None
        self.due_at = None
        if work.request_id:
            self._publish(news)

    def _give_up(self, work: _Work, problem: DayProblem) -> None:
        """The disk takes or gives nothing: the run is as it is written, and is gone on with when it is wanted."""
        self._over(work, ReconEnded(request_id=work.request_id, problem=problem))

    def _write(self, work: _Work, progress: Progress, found: Sequence[Difference] = ()) -> bool:
        content = {"progress": msgspec.to_builtins(progress)}
        return self._keep(work, found, [self._record(RECON_WINDOW, work.run, "", content)])

    def _keep(self, work: _Work, found: Sequence[Difference], more: Sequence[Record] = ()) -> bool:
        """What differs, with the decision that still holds for it; the first of them, and the others counted."""
        records = []
        for each in found:
            if each.key not in work.found and len(work.found) >= MOST_KEPT:
                work.more += 1
                continue
            work.found[each.key] = each
            content: dict[str, Any] = {"run": work.run.number, "difference": msgspec.to_builtins(each)}
            before = self._journal.difference(each.key)
            if before is not None and before[1] and not reopens(before[0].difference, each):
                content["decided"] = before[1]
            records.append(self._record(DIFFERENCE_FOUND, work.run, "", content))
        if not records and not more:
            return True
        if self._live_payments.try_commit([*records, *more]):
            return True
        self._give_up(work, DayProblem.CANNOT_RECORD)
        return False

    def _record(self, kind: str, run: Run, actor: str, content: dict[str, Any]) -> Record:
        by = actor or TERMINAL
        return self._live_payments.record(kind, f"{RECON}{run.number}", by, content=content)

    # What was found.

    def _read_differences(self, wanted: ReadDifferences) -> DifferencesRead:
        try:
            run = self._journal.recon_run(wanted.run)
            found = self._journal.differences(run.number, wanted.after, PAGE + 1) if run is not None else ()
        except self._live_payments.trouble:
            return DifferencesRead(request_id=wanted.request_id, problem=DayProblem.CANNOT_READ)
        if run is None:
            return DifferencesRead(request_id=wanted.request_id, problem=DayProblem.NO_SUCH_RUN)
        return DifferencesRead(
            request_id=wanted.request_id, run=run, found=tuple(found[:PAGE]), more=len(found) > PAGE
        )

    def _decide(self, wanted: DecideDifferences, actor: str, name: str) -> DifferencesDecided:
        """Signed for, by its key or by its class; what is decided already stays as it is."""
        reason = typed_text(wanted.reason)
        if not reason:
            return DifferencesDecided(request_id=wanted.request_id, problem=DayProblem.NO_REASON)
        try:
            run = self._journal.recon_run(wanted.run)
            if run is None:
                return DifferencesDecided(request_id=wanted.request_id, problem=DayProblem.NO_SUCH_RUN)
            # Of a later run it may have other facts, which whoever signs has not seen.
            looked_at = ((key, self._journal.difference(key)) for key in wanted.keys)
            keys = [
                key
                for key, found in looked_at
                if found is not None and found[0].run == run.number and found[0].is_open
            ]
            if wanted.kind in set(DifferenceKind):
                keys += self._journal.open_differences(run.number, DifferenceKind(wanted.kind), MOST_KEPT)
        except self._live_payments.trouble:
            return DifferencesDecided(request_id=wanted.request_id, problem=DayProblem.CANNOT_READ)
        keys = list(dict.fromkeys(keys))
        about = {"keys": keys, "reason": reason, "name": name}
        if keys and not self._live_payments.commit([self._record(DIFFERENCE_DECIDED, run, actor, about)]):
            return DifferencesDecided(request_id=wanted.request_id, problem=DayProblem.CANNOT_RECORD)
        return DifferencesDecided(request_id=wanted.request_id, count=len(keys))


def _is_same(before: Run, run: Run) -> bool:
    """Whether the one that was broken off is of the very same payments."""
    return all(
        getattr(before, each) == getattr(run, each)
        for each in ("z", "first", "last", "tapped_from", "tapped_to", "by_date")
    )


def _subject(key: str) -> str:
    return key.partition(" ")[2]


def _moment(text: str) -> datetime:
    return datetime.strptime(text[:19], FORM)


def _local(wall: str) -> datetime:
    """A wall time as the service's dates are written: local, in whole seconds."""
    return datetime.fromisoformat(wall).replace(tzinfo=None, microsecond=0)
