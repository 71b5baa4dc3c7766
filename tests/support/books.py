"""What a journal in memory says of the counter's day: the same questions as the real one, from its records alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from decimal import Decimal
from hashlib import sha256

import msgspec

from pos_app.domain.attempt import MONEY, Attempt, State
from pos_app.domain.day import (
    CLOCK_MOVED,
    DAY,
    MOST_UNPRINTED,
    NAMED_PAPERS,
    Z_CLOSED,
    Copies,
    Named,
    OlderZ,
    Opened,
    Period,
    Receipts,
    Shift,
    Z,
    entries_of,
    hours_of,
    unprinted_of,
    z_in,
)
from pos_app.domain.installation import TAKEN
from pos_app.domain.print_job import COPY_ASKED, PaperKind, PrintJob, job_in
from pos_app.domain.print_job import KINDS as OF_PRINTING
from pos_app.domain.rebuilt_journal import REBUILT, RECOVERED
from pos_app.domain.receipt import code_of, shown_number
from pos_app.domain.reconcile import (
    DIFFERENCE_DECIDED,
    DIFFERENCE_FOUND,
    DIFFERENCES_GONE,
    RECON_BEGAN,
    RECON_ENDED,
    Decided,
    DifferenceKind,
    Fact,
    Ours,
    Run,
    difference_in,
    ours_of,
    run_in,
)
from pos_app.domain.record import Record
from pos_app.domain.refund import KINDS as OF_NOTES
from pos_app.domain.refund import Note, named_in, news_in, note_in, sums_of
from pos_app.domain.takings import (
    MONEY_COLUMNS,
    NOWHERE,
    Cell,
    Remark,
    RemarkKind,
    Spot,
    Takings,
    Tally,
    entered,
    minute_of,
    moved,
    recount,
)
from pos_app.journal.acts import ACTS


class _Payment(msgspec.Struct):
    """`remarks`: (period, remark), in the order of their events."""

    born: int
    spot: Spot = NOWHERE
    attempt: Attempt | None = None
    remarks: list[tuple[int, int, Remark]] = []


class _Found(msgspec.Struct):
    """A difference as the newest event about it has it."""

    seq: int
    known: Decided
    decided: int
    gone: bool


class Books:
    """Folds numbered records each time it is asked: short journals. `read` raises where nothing can be read."""

    def __init__(self, read: Callable[[], Sequence[tuple[int, Record]]], own: Callable[[], str]) -> None:
        self._read = read
        self._own = own

    def _zs(self) -> list[tuple[int, Record]]:
        return [(seq, each) for seq, each in self._read() if each.kind == Z_CLOSED]

    def _folded(self) -> tuple[dict[Cell, Tally], dict[str, _Payment], int]:
        takings: dict[Cell, Tally] = {}
        payments: dict[str, _Payment] = {}
        period = 1
        for seq, record in self._read():
            if record.kind == Z_CLOSED:
                period += 1
            attempt = record.attempt
            if attempt is None:
                continue
            own = payments.setdefault(attempt.attempt_id, _Payment(period, remarks=[]))
            if record.kind == RECOVERED:
                move = entered(attempt, record.content, own.spot, period, own.born, record.wall)
            else:
                move = moved(own.spot, attempt, period, own.born, record.wall)
            for cell, tally in move.changes:
                takings[cell] = takings.get(cell, Tally()).plus(tally)
            if move.withdraws:
                own.remarks = [
                    each for each in own.remarks if each[1] != period or each[2].kind is not RemarkKind.LATE
                ]
            if move.remark is not None:
                own.remarks.append((seq, period, move.remark))
            if own.attempt is None and record.kind == RECOVERED:
                own.born = 0  # what becomes of it from here on may be in a Z that nobody can read any more
            own.spot, own.attempt = move.spot, attempt
        return {cell: tally for cell, tally in takings.items() if tally != Tally()}, payments, period

    def last_receipt(self, installation_id: str) -> int:
        """Of an installation."""
        given = [each.attempt for _, each in self._read() if each.attempt is not None]
        return max((each.receipt for each in given if each.receipt_of == installation_id), default=0)

    def _print_jobs(self) -> list[PrintJob]:
        jobs = (job_in(each.content) for _, each in self._read() if each.kind in OF_PRINTING)
        return sorted({job.number: job for job in jobs}.values(), key=lambda job: job.number)

    def last_print_job(self) -> int:
        """The newest number."""
        return max((job.number for job in self._print_jobs()), default=0)

    def open_print_jobs(self, newest: int) -> list[PrintJob]:
        """Not over, in their order."""
        return [job for job in self._print_jobs() if job.is_open][-newest:]

    def print_job(self, number: int) -> PrintJob | None:
        """One."""
        return next((job for job in self._print_jobs() if job.number == number), None)

    def print_jobs_of(self, paper: PaperKind, about: str) -> list[PrintJob]:
        """Of one paper."""
        return [job for job in self._print_jobs() if (job.paper, job.about) == (paper, about)]

    def _notes(self) -> dict[int, Note]:
        told = (note_in(each.content) for _, each in self._read() if each.kind in OF_NOTES)
        return {note.number: note for note in told}

    def last_note(self) -> int:
        """The newest number."""
        return max(self._notes(), default=0)

    def note(self, number: int) -> Note | None:
        """One."""
        return self._notes().get(number)

    def notes_of(self, attempt_id: str) -> list[Note]:
        """Of one payment."""
        return [each for each in self._notes().values() if each.attempt_id == attempt_id]

    def noted_of(self, attempt_ids: Sequence[str]) -> dict[str, Decimal]:
        """Of these payments."""
        found: dict[str, Decimal] = {}
        for each in self._notes().values():
            if each.stands and each.attempt_id in attempt_ids:
                found[each.attempt_id] = found.get(each.attempt_id, Decimal(0)) + each.amount
        return found

    def noted_between(self, tapped_from: int, tapped_to: int, first: str = "", last: str = "~") -> int:
        """Of a time."""
        stands = {each.attempt_id for each in self._notes().values() if each.stands}
        begun = [each for each in self._all_ours().values() if each.attempt_id in stands]
        of_time = [each for each in begun if tapped_from <= each.tapped_at <= tapped_to]
        return sum(first <= each.transaction_date_time <= last for each in of_time)

    def open_notes(self) -> list[Note]:
        """Promised."""
        return [each for each in self._notes().values() if each.is_open]

    def takings(self, period: int) -> Takings:
        """Of one period."""
        return {cell: tally for cell, tally in self._folded()[0].items() if cell.period == period}

    def waits(self, period: int, since_ms: int, until_ms: int) -> list[tuple[str, int]]:
        """Of what was paid in it."""
        return [
            (spot.hour, max(0, attempt.ended_at - attempt.tapped_at))
            for spot, attempt in self._ended(period, since_ms, until_ms)
            if spot.column == State.PAID.value and attempt.ended_at is not None
        ]

    def unpaid(self, period: int, since_ms: int, until_ms: int) -> list[Attempt]:
        """What ended in it without money."""
        ended = self._ended(period, since_ms, until_ms)
        return [attempt for spot, attempt in ended if spot.column and not spot.is_money]

    def _ended(self, period: int, since_ms: int, until_ms: int) -> list[tuple[Spot, Attempt]]:
        return [
            (each.spot, each.attempt)
            for each in self._folded()[1].values()
            if each.attempt is not None and each.attempt.ended_at is not None
            if each.spot.period == period and since_ms <= each.attempt.ended_at <= until_ms
        ]

    def takings_agree(self) -> bool:
        """Whether the roll-up is what the payments come to."""
        takings, payments, period = self._folded()
        counted = [(each.spot, each.attempt) for each in payments.values() if each.attempt is not None]
        own = {cell: tally for cell, tally in takings.items() if cell.period == period}
        return own == recount((spot, attempt) for spot, attempt in counted if spot.period == period)

    def opened(self) -> Opened:
        """At a glance."""
        period = self.period()
        walls = {
            each.attempt.attempt_id: each.paid_wall
            for _, each in self._read()
            if each.attempt is not None and each.paid_wall
        }
        came = [
            minute_of(walls.get(attempt_id, "")) or each.spot.hour
            for attempt_id, each in self._folded()[1].items()
            if each.spot.period == period.number and each.spot.column in MONEY_COLUMNS
        ]
        return Opened(
            period.number,
            period.began_at,
            period.began,
            min(came, default=""),
            max(came, default=""),
            next((each.wall for _, each in reversed(self._read())), ""),
        )

    def period(self) -> Period:
        """The open one."""
        takings, payments, number = self._folded()
        zs, read = self._zs(), self._read()
        since = zs[-1][0] if zs else 0
        previous = z_in(zs[-1][1].content) if zs else None
        began = next((each for seq, each in read if seq == (since or 1)), None)
        own = {cell: tally for cell, tally in takings.items() if cell.period == number}
        receipts = self._receipts(previous)
        later = [(seq, each) for seq, each in read if seq > since]
        acts = [each.kind for _, each in later if each.kind in ACTS]
        of_notes = [each for _, each in later if each.kind in OF_NOTES]
        news = [told for each in of_notes for told in news_in(each.kind, each.content)]
        notes, notes_more = named_in(news, self.open_notes())
        unprinted = [
            unprinted_of(job, self._shown(job))
            for job in self._print_jobs()
            if job.is_open and job.paper in NAMED_PAPERS
        ]
        return Period(
            number=number,
            from_seq=since + 1,
            to_seq=read[-1][0] if read else 0,
            began_at=began.at if began else 0,
            began=began.wall if began else "",
            entries=entries_of(own),
            hours=hours_of(own),
            late_from=_named(payments, number, RemarkKind.LATE),
            corrections=_named(payments, number, RemarkKind.CORRECTION),
            shifts=_shifts(later),
            receipts=receipts,
            acts={kind: acts.count(kind) for kind in sorted({*acts})},
            copies=_copies(later),
            unprinted=tuple(unprinted[-MOST_UNPRINTED:]),
            unprinted_more=len(unprinted[:-MOST_UNPRINTED]),
            notes=notes,
            notes_more=notes_more,
            noted=sums_of(news, self.open_notes()),
            last_money=self._last_money(receipts),
            clock_moved=any(each.kind == CLOCK_MOVED and each.subject == DAY for _, each in later),
            previous=previous,
            older=None if zs else self._older(),
        )

    def _shown(self, job: PrintJob) -> str:
        known = [each.attempt for _, each in self._read() if each.attempt is not None]
        of_it = [each for each in known if job.paper is PaperKind.RECEIPT and each.attempt_id == job.about]
        return shown_number(of_it[-1]) if of_it else ""

    def _receipts(self, previous: Z | None) -> tuple[Receipts, ...]:
        taken = [each.content for _, each in self._read() if each.kind == TAKEN]
        own = [str(each["before"]) for each in taken[:1]] + [str(each["installation_id"]) for each in taken]
        last = {each.of: each.last for each in previous.receipts} if previous is not None else {}
        return tuple(
            Receipts(of, last.get(of, 0) + 1, self.last_receipt(of))
            for of in dict.fromkeys(own or [self._own()])
        )

    def installations(self) -> frozenset[str]:
        """All that it was."""
        return frozenset(each.of for each in self._receipts(None))

    def attempt_of_receipt(self, installation_id: str, number: int) -> Attempt | None:
        """The newest that is known of it."""
        given = [each.attempt for _, each in self._read() if each.attempt is not None]
        found = [each for each in given if (each.receipt_of, each.receipt) == (installation_id, number)]
        return found[-1] if found and number else None

    def paid_wall(self, attempt_id: str) -> str:
        """Of the first event that says so."""
        for _, record in self._read():
            is_its = record.attempt is not None and record.attempt.attempt_id == attempt_id
            if is_its and record.paid_wall:
                return record.paid_wall
        return ""

    def receipt_code(self, text: str) -> str:
        """Any hash: nobody forges what is in memory."""
        return code_of(sha256(text.encode()).digest())

    def _last_money(self, receipts: Sequence[Receipts]) -> str:
        given = [each for each in receipts if each.last >= each.first]
        attempt = self.attempt_of_receipt(given[-1].of, given[-1].last) if given else None
        return "" if attempt is None else self.paid_wall(attempt.attempt_id)

    def _older(self) -> OlderZ | None:
        told = [each.content.get("last_z") for _, each in self._read() if each.kind == REBUILT]
        known = [each for each in told if each is not None]
        return msgspec.convert(known[-1], OlderZ) if known else None

    def z(self, number: int) -> Z | None:
        """By its number."""
        return next((z for z in self.zs() if z.number == number), None)

    def last_z(self) -> Z | None:
        """The newest."""
        return self.zs()[-1] if self._zs() else None

    def z_of_request(self, request_id: str) -> Z | None:
        """By its request."""
        return next((z for z in self.zs() if z.request_id == request_id), None)

    def zs_of_date(self, business_date: str) -> list[Z]:
        """By their date."""
        return [z for z in self.zs() if z.business_date == business_date]

    def zs(self) -> list[Z]:
        """All."""
        return [z_in(each.content) for _, each in self._zs()]

    def z_digest(self, text: str) -> str:
        """Any hash: nobody forges what is in memory."""
        return sha256(text.encode()).hexdigest()[:32]

    def _runs(self) -> dict[int, Run]:
        told = (run_in(each.content) for _, each in self._read() if each.kind in (RECON_BEGAN, RECON_ENDED))
        return {run.number: run for run in told}

    def recon_run(self, number: int) -> Run | None:
        """One, or the newest."""
        runs = self._runs()
        return runs.get(number or max(runs, default=0))

    def recon_of_z(self, z: int) -> Run | None:
        """The newest complete one, else the newest."""
        runs = [run for run in self._runs().values() if run.z == z]
        return max(runs, key=lambda run: (run.complete, run.number), default=None)

    def not_reconciled(self, newest: int) -> list[int]:
        """Of whose day no run was complete."""
        told = [
            (seq, run_in(each.content))
            for seq, each in self._read()
            if each.kind in (RECON_BEGAN, RECON_ENDED)
        ]
        of_z: dict[int, dict[int, tuple[int, bool]]] = defaultdict(dict)
        for seq, run in told:
            of_z[run.z][run.number] = (seq, run.complete)
        found = []
        for at, z in zip((seq for seq, _ in self._zs()), self.zs(), strict=True):
            runs = of_z[z.number]
            own = max((number for number, (seq, _) in runs.items() if seq < at), default=0)
            if not any(complete for number, (_, complete) in runs.items() if number >= own):
                found.append(z.number)
        return found[-newest:]

    def _found(self) -> dict[str, _Found]:
        found: dict[str, _Found] = {}
        for seq, record in self._read():
            if record.kind == DIFFERENCE_FOUND:
                known = Decided(difference=difference_in(record.content), run=int(record.content["run"]))
                key = known.difference.key
                found[key] = _Found(seq, known, int(record.content.get("decided", 0)), gone=False)
            elif record.kind in (DIFFERENCE_DECIDED, DIFFERENCES_GONE):
                for key in record.content["keys"]:
                    each = found[str(key)]
                    if record.kind == DIFFERENCE_DECIDED:
                        each.decided = seq
                    else:
                        each.gone = True
        return {key: each for key, each in found.items() if not each.gone}

    def _told(self, found: _Found) -> Decided:
        if not found.decided:
            return found.known
        by = dict(self._read())[found.decided]
        reason, name = str(by.content["reason"]), str(by.content["name"])
        return msgspec.structs.replace(found.known, reason=reason, name=name, wall=by.wall)

    def difference(self, key: str) -> tuple[Decided, int] | None:
        """One."""
        found = self._found().get(key)
        return None if found is None else (self._told(found), found.decided)

    def differences(self, run: int, after: str = "", limit: int = 200) -> list[Decided]:
        """Of a run, in their order."""
        found = self._found()
        behind = found[after].seq if after in found else 0
        of_run = [each for each in found.values() if each.known.run == run and each.seq > behind]
        return [self._told(each) for each in sorted(of_run, key=lambda each: each.seq)][:limit]

    def differences_between(self, first: str, last: str, before_run: int, limit: int) -> list[str]:
        """Of earlier runs."""
        found = self._found().items()
        return [
            key
            for key, each in found
            if first <= each.known.difference.at <= last and each.known.run < before_run
        ][:limit]

    def open_differences(self, run: int, kind: DifferenceKind, limit: int) -> list[str]:
        """Nobody has decided."""
        found = sorted(self._found().values(), key=lambda each: each.seq)
        mine = [each.known.difference for each in found if each.known.run == run and not each.decided]
        return [each.key for each in mine if each.kind is kind][:limit]

    def _all_ours(self) -> dict[str, Ours]:
        return {
            each.attempt.attempt_id: ours_of(each.attempt)
            for _, each in self._read()
            if each.attempt is not None
        }

    def ours_at(self, attempt_ids: Sequence[str]) -> dict[str, Ours]:
        """Those that are known."""
        known = self._all_ours()
        return {each: known[each] for each in attempt_ids if each in known}

    def facts_at(self, attempt_ids: Sequence[str]) -> dict[str, Fact]:
        """Of those that are known."""
        return {
            each.attempt_id: (each.attempt_id, each.place, str(each.amount), each.tapped_at, each.state.value)
            for each in self.ours_at(attempt_ids).values()
        }

    def places_after(self, after: tuple[int, int], last: int, limit: int) -> list[tuple[int, int]]:
        """In the order of their taps."""
        taps = sorted((each.tapped_at, each.place) for each in self._all_ours().values())
        return [each for each in taps if after < each and each[0] <= last][:limit]

    def ours_in(self, places: Sequence[int]) -> list[Ours]:
        """In the order of their places."""
        wanted = set(places)
        found = [each for each in self._all_ours().values() if each.place in wanted]
        return sorted(found, key=lambda each: each.place)

    def receipt_gaps(self, installation_id: str, most: int, after: int = 0) -> tuple[int, list[int]]:
        """What is missing, and what is there twice."""
        newest = {
            each.attempt.attempt_id: each.attempt for _, each in self._read() if each.attempt is not None
        }
        given = sorted(
            each.receipt
            for each in newest.values()
            if each.receipt_of == installation_id and each.receipt > after
        )
        twice = [each for each in {*given} if given.count(each) > 1]
        missing = max(given, default=after) - after - len({*given})
        # A number from nowhere may be any number: only the first of what is missing are looked for.
        gaps: list[int] = []
        for number, before in zip(given, [after, *given], strict=False):
            gaps += range(before + 1, min(number, before + 1 + most))
        return missing + len(given) - len({*given}), sorted([*gaps, *twice])[:most]

    def rebuild_projections(self) -> None:
        """There are none."""

    def ended_unpaid(self, since_ms: int, limit: int) -> list[Attempt]:
        """The newest first."""
        payments = [each.attempt for each in self._folded()[1].values() if each.attempt is not None]
        ended = [
            each
            for each in payments
            if each.is_final and each.state not in MONEY and (each.ended_at or 0) >= since_ms
        ]
        ended.sort(key=lambda each: (each.ended_at or 0, int(each.sale_id), each.number), reverse=True)
        return ended[:limit]


def _named(payments: dict[str, _Payment], number: int, kind: RemarkKind) -> tuple[Named, ...]:
    found = sorted(
        (seq, remark.of_period, payment.attempt)
        for payment in payments.values()
        for seq, period, remark in payment.remarks
        if period == number and remark.kind is kind and payment.attempt is not None
    )
    return tuple(
        Named(
            z,
            attempt.attempt_id,
            shown_number(attempt),
            State(attempt.state).value,
            attempt.amount,
            attempt.currency,
        )
        for _, z, attempt in found
    )


def _copies(later: Sequence[tuple[int, Record]]) -> tuple[Copies, ...]:
    asked = [each.actor for _, each in later if each.kind == COPY_ASKED]
    return tuple(Copies(who, asked.count(who)) for who in sorted({*asked}))


def _shifts(later: Sequence[tuple[int, Record]]) -> tuple[Shift, ...]:
    found: list[Shift] = []
    for seq, each in later:
        came = each.kind in ("SIGNED_IN", "SWITCHED")
        if came and (not found or found[-1].who != each.subject):
            found.append(Shift(each.subject, seq, each.wall))
    return tuple(found)
