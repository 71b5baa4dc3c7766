"""Looking things up in the journal. Every query has its index; none counts or skips rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, TypeVar

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.day import (
    CLOCK_MOVED,
    DAY,
    MOST_UNPRINTED,
    NAMED_PAPERS,
    Copies,
    Named,
    OlderZ,
    Opened,
    Period,
    Receipts,
    Shift,
    Unprinted,
    Z,
    entries_of,
    hours_of,
    unprinted_of,
    z_in,
)
from pos_app.domain.ids import ATTEMPTS_OF_A_SALE
from pos_app.domain.installation import SUBJECT as INSTALLATION
from pos_app.domain.installation import TAKEN
from pos_app.domain.people import Person
from pos_app.domain.print_job import COPY_ASKED, PaperKind, PrintJob
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT, RECOVERED
from pos_app.domain.receipt import shown_number
from pos_app.domain.reconcile import DIFFERENCE_DECIDED, Decided, Difference, DifferenceKind, Fact, Ours, Run
from pos_app.domain.record import Record
from pos_app.domain.refund import NEWS as NEWS_OF_NOTES
from pos_app.domain.refund import REFUND_RECOVERED, Note, NoteNews, NoteState, named_in, news_in, sums_of
from pos_app.domain.sale import Sale
from pos_app.domain.search import Cursor
from pos_app.domain.takings import Cell, RemarkKind, Tally, minute_of
from pos_app.journal import rows
from pos_app.journal.acts import IS_ACT
from pos_app.journal.errors import Reading
from pos_app.journal.pages import PageFilter, page_query
from pos_app.journal.tables import counted_again, notes_agree
from pos_app.journal.texts import plain

_T = TypeVar("_T")
_AT_ONCE = 500
_SNAPSHOTS = "SELECT CAST(snapshot AS BLOB) FROM attempt"
_FACTS = "SELECT attempt_id, place, amount, tapped_at, state FROM attempt NOT INDEXED"
_WORTH = 4
"""So many payments are read for each that is wanted, rather than looked up one by one."""

_UNPRINTED = f"WHERE open = 1 AND paper IN ({', '.join('?' * len(NAMED_PAPERS))})"


def _pieces(places: Sequence[int]) -> Iterator[tuple[str, Sequence[int]]]:
    """As many at a time as one question names: their marks in it, and they."""
    for first in range(0, len(places), _AT_ONCE):
        some = places[first : first + _AT_ONCE]
        yield ",".join("?" * len(some)), some


class Queries:
    """Reads over one connection. Raises JournalTrouble when the environment fails."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def close(self) -> None:
        """Lets the file go; calling it again does nothing."""
        self._connection.close()

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with Reading():
            return self._connection.execute(sql, values).fetchall()

    def _read(self, read: Callable[[str], _T], sql: str, values: Sequence[Any] = ()) -> list[_T]:
        """Snapshots as values; one that cannot be read is damage, not a bug."""
        with Reading():
            return [read(row[0]) for row in self._connection.execute(sql, values)]

    def _attempts(self, where: str, values: Sequence[Any] = ()) -> list[Attempt]:
        return self._read(rows.attempt_of, f"{_SNAPSHOTS} {where}", values)

    def open_attempts(self) -> list[Attempt]:
        """Attempts that are not final, oldest first."""
        unsettled = self._attempts("WHERE unsettled = 1 ORDER BY tapped_at")
        return [attempt for attempt in unsettled if not attempt.is_final]

    def needs_answer(self) -> list[Attempt]:
        """Attempts a person has to settle, oldest first."""
        unsettled = self._attempts("WHERE unsettled = 1 ORDER BY tapped_at")
        return [attempt for attempt in unsettled if attempt.needs_answer]

    def attempts_to_watch(self, since_ms: int) -> list[Attempt]:
        """Attempts that ended after a till time (ms)."""
        return self._attempts("WHERE ended_at > ? ORDER BY ended_at", (since_ms,))

    def ended_unpaid(self, since_ms: int, limit: int) -> list[Attempt]:
        """Attempts that ended at or after a till time (ms) and took no money, the newest first."""
        where = "WHERE ended_at >= ? AND counted NOT LIKE 'PAID%' ORDER BY ended_at DESC, place DESC LIMIT ?"
        return [each for each in self._attempts(where, (since_ms, limit)) if each.is_final]

    def attempts_of(self, sale_id: str) -> list[Attempt]:
        """A sale's attempts, oldest first."""
        first = rows.place_of(sale_id, 1)
        values = (first, first + ATTEMPTS_OF_A_SALE - 1)
        found = self._attempts("WHERE place >= ? AND place < ? ORDER BY place", values)
        return [attempt for attempt in found if attempt.sale_id == sale_id]

    def attempt(self, attempt_id: str) -> Attempt | None:
        """One attempt."""
        found = self._attempts("WHERE place = ?", (rows.place_in(attempt_id),))
        return found[0] if found and found[0].attempt_id == attempt_id else None

    def recent(self, limit: int) -> list[Attempt]:
        """The newest attempts first."""
        return self._attempts("ORDER BY tapped_at DESC, place DESC LIMIT ?", (limit,))

    def newest_before(self, before: Cursor | None, limit: int) -> list[Attempt]:
        """The newest attempts first, behind the cursor; whatever they are."""
        return self.page(None, before, limit)

    def page(
        self, wanted: PageFilter | None = None, before: Cursor | None = None, limit: int = 50
    ) -> list[Attempt]:
        """The next `limit` payments, newest first, behind the cursor."""
        sql, values = page_query(wanted or PageFilter(), before, limit)
        return self._attempts(sql, values)

    def sale(self, sale_id: str) -> Sale | None:
        """One sale."""
        found = self._read(
            rows.sale_of, "SELECT snapshot FROM sale WHERE number = ?", (rows.number_of(sale_id),)
        )
        return found[0] if found and found[0].sale_id == sale_id else None

    def overpaid_sales(self) -> list[Sale]:
        """Sales paid twice whose refund nobody has signed."""
        return self._read(rows.sale_of, "SELECT snapshot FROM sale WHERE overpaid = 1 ORDER BY number")

    def next_sale_number(self) -> int:
        """One more than the highest."""
        found = self._all("SELECT number FROM sale ORDER BY number DESC LIMIT 1")
        return int(found[0][0]) + 1 if found else 1

    def people(self) -> list[Person]:
        """The list of cashiers, in the order they came."""
        return self._read(rows.person_of, "SELECT snapshot FROM person ORDER BY place")

    def otp_sends(self, newest: int) -> list[Record]:
        """So many counted OTP sends, oldest first; the subject is the number's digest."""
        sql = "SELECT * FROM event WHERE seq IN (SELECT seq FROM otp_send ORDER BY seq DESC LIMIT ?) ORDER BY seq"
        with Reading():
            return [rows.record_of(row) for row in self._connection.execute(sql, (newest,))]

    def events_of(self, subject: str) -> list[Record]:
        """The events of one subject, oldest first."""
        sql = f"SELECT * FROM event WHERE seq IN ({self._seqs_of(subject)}) ORDER BY seq"
        with Reading():
            return [rows.record_of(row) for row in self._connection.execute(sql)]

    def newest_of(self, subject: str, newest: int) -> list[Record]:
        """So many of the newest events of a subject that is no attempt, oldest first."""
        own = "SELECT seq FROM other_event WHERE subject = ? ORDER BY seq DESC LIMIT ?"
        sql = f"SELECT * FROM event WHERE seq IN ({own}) ORDER BY seq"
        with Reading():
            return [rows.record_of(row) for row in self._connection.execute(sql, (plain(subject), newest))]

    def _seqs_of(self, subject: str) -> str:
        """The numbers of a subject's events, with commas."""
        own = "SELECT events FROM attempt WHERE place = ? AND attempt_id = ?"
        found = self._all(own, (rows.place_in(subject), plain(subject)))
        numbers = [int(number) for row in found for number in row[0].split()]
        others = self._all("SELECT seq FROM other_event WHERE subject = ?", (plain(subject),))
        return ",".join(map(str, numbers + [row[0] for row in others]))

    def sealed_of(self, subject: str) -> bytes | None:
        """The newest sealed bytes of a subject, as they lie in the file."""
        newest = "sealed IS NOT NULL ORDER BY seq DESC LIMIT 1"
        found = self._all(f"SELECT sealed FROM event WHERE seq IN ({self._seqs_of(subject)}) AND {newest}")
        return found[0][0] if found else None

    def counts(self) -> dict[str, dict[str, int]]:
        """How many attempts are in each state, how many events of each kind there are; walks both tables."""
        return {
            "attempts": dict(self._all("SELECT state, count(*) FROM attempt GROUP BY state ORDER BY state")),
            "kinds": dict(self._all("SELECT kind, count(*) FROM event GROUP BY kind ORDER BY kind")),
        }

    def newest_acts(self, newest: int, *, actor: str = "", subject: str = "", day: str = "") -> list[Record]:
        """So many acts of people, the newest first; by this person or about that subject, of this day ("": all)."""
        among, values = "", []
        if actor or subject:
            among, values = " AND (actor = ? OR subject = ?)", [actor, subject]
        if day:
            among, values = f"{among} AND substr(wall, 1, 10) = ?", [*values, day]
        sql = (
            f"SELECT * FROM event INDEXED BY event_of_people WHERE {IS_ACT}{among} ORDER BY seq DESC LIMIT ?"
        )
        with Reading():
            return [rows.record_of(row) for row in self._connection.execute(sql, (*values, newest))]

    def last_at(self) -> int:
        """The newest event's till time (ms); 0 for an empty journal."""
        found = self._all("SELECT at FROM event ORDER BY seq DESC LIMIT 1")
        return int(found[0][0]) if found else 0

    def last_receipt(self, installation_id: str) -> int:
        """The highest receipt number of an installation; 0 while it has given none."""
        sql = "SELECT max(receipt) FROM attempt WHERE receipt_of = ? AND receipt > 0"
        return int(self._all(sql, (installation_id,))[0][0] or 0)

    def attempt_of_receipt(self, installation_id: str, number: int) -> Attempt | None:
        """The payment that has this receipt number."""
        found = self._attempts(
            "WHERE receipt_of = ? AND receipt = ? AND receipt > 0", (installation_id, number)
        )
        return found[0] if found else None

    def last_print_job(self) -> int:
        """The number of the newest job for the printer; 0 while there was none."""
        return int(self._all("SELECT max(number) FROM print_job")[0][0] or 0)

    def open_print_jobs(self, newest: int) -> list[PrintJob]:
        """So many of the newest jobs that are not over, in their order."""
        found = self._print_jobs("WHERE open = 1 ORDER BY number DESC LIMIT ?", (newest,))
        return found[::-1]

    def print_job(self, number: int) -> PrintJob | None:
        """One job."""
        return next(iter(self._print_jobs("WHERE number = ?", (number,))), None)

    def print_jobs_of(self, paper: PaperKind, about: str) -> list[PrintJob]:
        """Every job of one paper, in their order."""
        return self._print_jobs("WHERE paper = ? AND about = ? ORDER BY number", (paper.value, about))

    def _print_jobs(self, where: str, values: Sequence[Any]) -> list[PrintJob]:
        return self._read(rows.print_job_of, f"SELECT snapshot FROM print_job {where}", values)

    def newest_receipt(self) -> Attempt | None:
        """The payment whose receipt number was given last."""
        for of in reversed(self._own_installations()):
            if last := self.last_receipt(of):
                return self.attempt_of_receipt(of, last)
        return None

    def receipt_numbered(self, number: int) -> Attempt | None:
        """The payment with this receipt number, of the newest installation that gave it."""
        found = (self.attempt_of_receipt(of, number) for of in reversed(self._own_installations()))
        return next((each for each in found if each is not None), None)

    def last_note(self) -> int:
        """The number of the newest refund note; 0 while there was none."""
        return int(self._all("SELECT max(number) FROM refund_note")[0][0] or 0)

    def note(self, number: int) -> Note | None:
        """One refund note."""
        return next(iter(self._notes("WHERE number = ?", number)), None)

    def notes_of(self, attempt_id: str) -> list[Note]:
        """Those of one payment, in their order."""
        found = self._notes("WHERE place = ? ORDER BY number", rows.place_in(attempt_id))
        return [each for each in found if each.attempt_id == attempt_id]

    def noted_of(self, attempt_ids: Sequence[str]) -> dict[str, Decimal]:
        """Of these payments those with refund notes, and what they come to; not with those that were withdrawn."""
        places = sorted({place for each in attempt_ids if (place := rows.place_in(each))})
        noted: dict[str, Decimal] = {}
        for marks, some in _pieces(places):
            for note in self._notes(f"WHERE place IN ({marks}) ORDER BY number", *some):
                if note.stands and note.attempt_id in attempt_ids:
                    noted[note.attempt_id] = noted.get(note.attempt_id, Decimal(0)) + note.amount
        return noted

    def noted_between(self, tapped_from: int, tapped_to: int, first: str = "", last: str = "~") -> int:
        """How many payments begun in a time (till ms) have refund notes that were not withdrawn.

        `first`, `last`: only those whose own time (as the service's list has it) lies between these.
        """
        where = """WHERE tapped_at >= ? AND tapped_at <= ?
        AND place IN (SELECT place FROM refund_note WHERE state <> ?)"""
        found = self._attempts(where, (tapped_from, tapped_to, NoteState.WITHDRAWN.value))
        return sum(first <= each.transaction_date_time <= last for each in found)

    def open_notes(self) -> list[Note]:
        """Those that are promised, and neither given nor withdrawn, in their order."""
        return self._notes("WHERE open = 1 ORDER BY number")

    def newest_notes(self, limit: int, before: int = 0) -> list[Note]:
        """So many of the newest, the newest first; behind the one of a number, where one is given."""
        return self._notes("WHERE ? = 0 OR number < ? ORDER BY number DESC LIMIT ?", before, before, limit)

    def note_news(self, since: int) -> list[NoteNews]:
        """What happened to notes behind an event, by the events themselves."""
        kinds = ", ".join(f"'{kind}'" for kind in sorted(NEWS_OF_NOTES))
        sql = f"""SELECT kind, content FROM event INDEXED BY event_of_people
        WHERE {IS_ACT} AND kind IN ({kinds}) AND seq > ? ORDER BY seq"""
        with Reading():
            own = self._all(sql, (since,))
            # A journal takes over notes as it begins: they are in its first period.
            taken_over = [] if since else self.notes_taken_over()
            return taken_over + [
                each for kind, content in own for each in news_in(kind, rows.content_of(content).event)
            ]

    def notes_taken_over(self) -> list[NoteNews]:
        """What happened to notes in a damaged journal that no Z of it has: the first one here says it."""
        sql = """SELECT kind, content FROM other_event JOIN event USING (seq)
        WHERE other_event.subject >= 'note:' AND other_event.subject < 'note;' AND kind = ? ORDER BY seq"""
        with Reading():
            told = self._all(sql, (REFUND_RECOVERED,))
            return [each for kind, content in told for each in news_in(kind, rows.content_of(content).event)]

    def _notes(self, where: str, *values: int) -> list[Note]:
        return self._read(rows.note_of, f"SELECT snapshot FROM refund_note {where}", values)

    def last_z(self) -> Z | None:
        """The newest Z."""
        return self._z("ORDER BY number DESC LIMIT 1")

    def z(self, number: int) -> Z | None:
        """The Z of this number, as it was closed."""
        return self._z("WHERE number = ?", number)

    def z_of_request(self, request_id: str) -> Z | None:
        """The Z that a closing made."""
        return self._z("WHERE request = ? LIMIT 1", request_id)

    def zs_of_date(self, business_date: str) -> list[Z]:
        """The Zs of a business date (ISO), in their order."""
        numbers = self._all(
            "SELECT number FROM z_report WHERE business_date = ? ORDER BY number", (business_date,)
        )
        return [z for (number,) in numbers if (z := self.z(number)) is not None]

    def _z(self, where: str, *values: Any) -> Z | None:
        with Reading():
            found = self._all(f"SELECT seq FROM z_report {where}", values)
            rows_ = self._all("SELECT content FROM event WHERE seq = ?", found[0]) if found else []
            return z_in(rows.content_of(rows_[0][0]).event) if rows_ else None

    def takings(self, period: int) -> dict[Cell, Tally]:
        """The roll-up of a period."""
        found = self._all("SELECT * FROM takings WHERE period = ?", (period,))
        return {Cell(*row[:6]): Tally(*row[6:]) for row in found}

    def waits(self, period: int, since_ms: int, until_ms: int) -> list[tuple[str, int]]:
        """Of each payment that was paid in the period, between two till times: its hour, and ms from tap to proof."""
        found = self._all(
            "SELECT hour, ended_at - tapped_at FROM attempt"
            " WHERE ended_at >= ? AND ended_at <= ? AND period = ? AND counted = 'PAID'",
            (since_ms, until_ms, period),
        )
        return [(hour, max(0, ms)) for hour, ms in found]

    def unpaid(self, period: int, since_ms: int, until_ms: int) -> list[Attempt]:
        """Payments that ended in the period, between two till times, and took no money."""
        where = "WHERE ended_at >= ? AND ended_at <= ? AND period = ? AND counted NOT LIKE 'PAID%'"
        return [each for each in self._attempts(where, (since_ms, until_ms, period)) if each.is_final]

    def takings_agree(self) -> bool:
        """Whether the open period's roll-up is what its payments, counted one by one, come to, with its notes.

        Reads the period's payments: 10,000 take some 30 ms. Over a connection that writes, or in one transaction.
        """
        with Reading():
            closed = self._all("SELECT number, at, seq FROM z_report ORDER BY number DESC LIMIT 1")
            number, since, seq = (closed[0][0] + 1, *closed[0][1:]) if closed else (1, 0, 0)
            agree = self.takings(number) == counted_again(self._connection, number, since)
            return agree and notes_agree(self._connection, seq)

    def opened(self) -> Opened:
        """The open period at a glance."""
        with Reading():
            before = self._all("SELECT number, seq FROM z_report ORDER BY number DESC LIMIT 1")
            number, since = (before[0][0] + 1, before[0][1]) if before else (1, 0)
            began = self._all("SELECT at, wall FROM event WHERE seq = ?", (since or 1,)) or [(0, "")]
            hours = "SELECT min(hour), max(hour) FROM takings WHERE period = ? AND counted IN ('PAID', 'PAID_LATE')"
            first, last = self._all(hours, (number,))[0]
            newest = self._all("SELECT wall FROM event ORDER BY seq DESC LIMIT 1") or [("",)]
            at, wall = began[0]
            first = self._minute(number, at, first or "", "ASC")
            last = self._minute(number, at, last or "", "DESC")
            return Opened(number, at, wall, first, last, newest[0][0])

    def _minute(self, period: int, since: int, hour: str, order: str) -> str:
        """When the first or the last money of an hour came, to the minute; the hour where no payment tells."""
        # The order is one of two words of ours.
        sql = f"""SELECT events FROM attempt INDEXED BY attempt_ended WHERE ended_at >= ? AND period = ?
        AND counted IN ('PAID', 'PAID_LATE') AND hour = ? ORDER BY ended_at {order} LIMIT 1"""
        found = self._all(sql, (since, period, hour)) if hour else []
        walls = self.paid_walls(",".join(found[0][0].split())) if found else []
        return (minute_of(walls[-1]) if walls else "") or hour

    def period(self) -> Period:
        """All that the tables say of the open period."""
        with Reading():
            before = self._all("SELECT number, seq FROM z_report ORDER BY number DESC LIMIT 1")
            number, since = (before[0][0] + 1, before[0][1]) if before else (1, 0)
            began = self._all("SELECT at, wall FROM event WHERE seq = ?", (since or 1,)) or [(0, "")]
            head = self._all("SELECT coalesce(max(seq), 0) FROM event")
            takings = self.takings(number)
            receipts = self._receipts(self.last_z() if before else None)
            news, open_ = self.note_news(since), self.open_notes()
            notes, notes_more = named_in(news, open_)
            return Period(
                number=number,
                from_seq=since + 1,
                to_seq=head[0][0],
                began_at=began[0][0],
                began=began[0][1],
                entries=entries_of(takings),
                hours=hours_of(takings),
                late_from=self._named(number, RemarkKind.LATE),
                corrections=self._named(number, RemarkKind.CORRECTION),
                shifts=self._shifts(since),
                receipts=receipts,
                acts=self._acts_since(since),
                copies=self._copies_since(since),
                unprinted=self._unprinted(),
                unprinted_more=max(0, self._count_unprinted() - MOST_UNPRINTED),
                notes=notes,
                notes_more=notes_more,
                noted=sums_of(news, open_),
                last_money=self._last_money(receipts),
                clock_moved=any(each.kind == CLOCK_MOVED for each in self._since(DAY, since)),
                previous=self.last_z() if before else None,
                older=None if before else self._older_z(),
            )

    def _named(self, period: int, kind: RemarkKind) -> tuple[Named, ...]:
        sql = "SELECT of_period, place FROM remark WHERE period = ? AND kind = ? ORDER BY seq"
        found = []
        for z, place in self._all(sql, (period, kind.value)):
            for attempt in self._attempts("WHERE place = ?", (place,)):
                found.append(
                    Named(
                        z,
                        attempt.attempt_id,
                        shown_number(attempt),
                        attempt.state.value,
                        attempt.amount,
                        attempt.currency,
                    )
                )
        return tuple(found)

    def _since(self, subject: str, since: int) -> list[Record]:
        sql = """SELECT event.* FROM other_event JOIN event USING (seq)
        WHERE other_event.subject = ? AND other_event.seq > ? ORDER BY other_event.seq"""
        return [rows.record_of(row) for row in self._all(sql, (subject, since))]

    def _shifts(self, since: int) -> tuple[Shift, ...]:
        """A person's sign-in after another's, or after the last Z: what lies between two of them is a shift."""
        sql = """SELECT event.seq, event.subject, event.wall FROM other_event
        JOIN event ON event.seq = other_event.seq
        WHERE other_event.subject = ? AND other_event.seq > ? AND event.kind IN ('SIGNED_IN', 'SWITCHED')"""
        told = [
            row
            for (person_id,) in self._all("SELECT person_id FROM person")
            for row in self._all(sql, (person_id, since))
        ]
        found: list[Shift] = []
        for seq, person_id, wall in sorted(told):
            if not found or found[-1].who != person_id:
                found.append(Shift(person_id, seq, wall))
        return tuple(found)

    def _acts_since(self, since: int) -> dict[str, int]:
        sql = f"""SELECT kind, count(*) FROM event INDEXED BY event_of_people
        WHERE {IS_ACT} AND seq > ? GROUP BY kind ORDER BY kind"""
        return dict(self._all(sql, (since,)))

    def _copies_since(self, since: int) -> tuple[Copies, ...]:
        sql = f"""SELECT actor, count(*) FROM event INDEXED BY event_of_people
        WHERE {IS_ACT} AND seq > ? AND kind = ? GROUP BY actor ORDER BY actor"""
        return tuple(Copies(*row) for row in self._all(sql, (since, COPY_ASKED)))

    def _unprinted(self) -> tuple[Unprinted, ...]:
        """The newest that are not on paper, or may not be, oldest first; of earlier days, too, until somebody looks."""
        jobs = self._print_jobs(
            f"{_UNPRINTED} ORDER BY number DESC LIMIT ?", (*map(str, NAMED_PAPERS), MOST_UNPRINTED)
        )
        found = []
        for job in reversed(jobs):
            attempt = self.attempt(job.about) if job.paper is PaperKind.RECEIPT else None
            found.append(unprinted_of(job, shown_number(attempt) if attempt is not None else ""))
        return tuple(found)

    def _count_unprinted(self) -> int:
        return int(
            self._all(f"SELECT count(*) FROM print_job {_UNPRINTED}", (*map(str, NAMED_PAPERS),))[0][0]
        )

    def _receipts(self, previous: Z | None) -> tuple[Receipts, ...]:
        """By each installation that this journal was: what it gave since the Z before. Others' came from elsewhere."""
        last = {each.of: each.last for each in previous.receipts} if previous is not None else {}
        return tuple(
            Receipts(of, last.get(of, 0) + 1, self.last_receipt(of)) for of in self._own_installations()
        )

    def installations(self) -> frozenset[str]:
        """All that this journal ever was: the receipts of these are its own."""
        return frozenset(self._own_installations())

    def installed_as(self) -> str:
        """The one that it is now."""
        return str(self._all("SELECT installation_id FROM meta")[0][0])

    def _own_installations(self) -> tuple[str, ...]:
        taken = [each.content for each in self.events_of(INSTALLATION) if each.kind == TAKEN]
        own = [str(each["before"]) for each in taken[:1]] + [str(each["installation_id"]) for each in taken]
        own = own or [row[0] for row in self._all("SELECT installation_id FROM meta")]
        return tuple(dict.fromkeys(own))

    def recon_run(self, number: int) -> Run | None:
        """One run of a reconciliation; the newest for 0."""
        where = "WHERE number = ?" if number else "WHERE number > ? ORDER BY number DESC LIMIT 1"
        return next(iter(self._runs(where, number)), None)

    def recon_of_z(self, z: int) -> Run | None:
        """The newest complete run of a Z's day, else the newest."""
        return next(iter(self._runs("WHERE z = ? ORDER BY complete DESC, number DESC LIMIT 1", z)), None)

    def _runs(self, where: str, *values: int) -> list[Run]:
        return self._read(rows.recon_run_of, f"SELECT snapshot FROM recon_run {where}", values)

    def not_reconciled(self, newest: int) -> list[int]:
        """So many of the newest Zs of whose day no run was complete, in their order.

        Of the runs before a Z its own closing's counts alone, the newest: it was sold on behind the others.
        """
        sql = """SELECT number FROM z_report WHERE NOT EXISTS (
        SELECT 1 FROM recon_run AS run WHERE run.z = z_report.number AND complete = 1 AND NOT EXISTS (
        SELECT 1 FROM recon_run AS own WHERE own.z = run.z AND own.number > run.number AND own.seq < z_report.seq))
        ORDER BY number DESC LIMIT ?"""
        return [row[0] for row in reversed(self._all(sql, (newest,)))]

    def difference(self, key: str) -> tuple[Decided, int] | None:
        """A difference that is not gone, and the event of its decision (0: none)."""
        found = self._decided("WHERE key = ? AND gone = 0", key)
        return found[0] if found else None

    def differences(self, run: int, after: str = "", limit: int = 200) -> list[Decided]:
        """The next of those that a run was the last to find, behind the one of this key."""
        behind = self._all("SELECT seq FROM difference WHERE key = ?", (after,)) if after else []
        where = "WHERE run = ? AND gone = 0 AND seq > ? ORDER BY seq LIMIT ?"
        return [each for each, _ in self._decided(where, run, behind[0][0] if behind else 0, limit)]

    def differences_between(self, first: str, last: str, before_run: int, limit: int) -> list[str]:
        """Keys of what earlier runs found in this time, and that is not gone."""
        sql = "SELECT key FROM difference WHERE gone = 0 AND at >= ? AND at <= ? AND run < ? LIMIT ?"
        return [row[0] for row in self._all(sql, (first, last, before_run, limit))]

    def open_differences(self, run: int, kind: DifferenceKind, limit: int) -> list[str]:
        """Keys of those of a class that nobody has decided about."""
        sql = """SELECT key FROM difference WHERE run = ? AND gone = 0 AND decided = 0 AND key >= ? AND key < ?
        ORDER BY seq LIMIT ?"""
        return [row[0] for row in self._all(sql, (run, f"{kind.value} ", f"{kind.value}!", limit))]

    def _decided(self, where: str, *values: str | int) -> list[tuple[Decided, int]]:
        found = []
        for snapshot, run, seq in self._all(f"SELECT snapshot, run, decided FROM difference {where}", values):
            with Reading():
                difference = msgspec.json.decode(snapshot, type=Difference)
            events = self._all(
                "SELECT wall, content FROM event WHERE seq = ? AND kind = ?", (seq, DIFFERENCE_DECIDED)
            )
            if not events:
                found.append((Decided(difference=difference, run=run), 0))
                continue
            with Reading():
                said = rows.content_of(events[0][1]).event
            reason, name = str(said.get("reason", "")), str(said.get("name", ""))
            decided = Decided(difference=difference, run=run, reason=reason, name=name, wall=events[0][0])
            found.append((decided, seq))
        return found

    def ours_at(self, attempt_ids: Sequence[str]) -> dict[str, Ours]:
        """Those of these payments that the journal knows, by their ids; few questions for many."""
        places = sorted({place for each in attempt_ids if (place := rows.place_in(each))})
        found: dict[str, Ours] = {}
        for marks, some in _pieces(places):
            for ours in self._ours(f"WHERE place IN ({marks})", some):
                found[ours.attempt_id] = ours
        return found

    def facts_at(self, attempt_ids: Sequence[str]) -> dict[str, Fact]:
        """What the columns say of those of these payments that the journal knows; their snapshots are not read.

        A list's rows are neighbours: all between the first and the last are read at once where that is little more.
        """
        ends = (attempt_ids[0], attempt_ids[-1], min(attempt_ids), max(attempt_ids)) if attempt_ids else ()
        places = sorted(place for each in ends if (place := rows.place_in(each)))
        found: dict[str, Fact] = {}
        if places and places[-1] - places[0] <= _WORTH * len(attempt_ids) * ATTEMPTS_OF_A_SALE:
            between = self._all(f"{_FACTS} WHERE place >= ? AND place <= ?", (places[0], places[-1]))
            found = {each[0]: each for each in between}
        others = [place for each in attempt_ids if each not in found and (place := rows.place_in(each))]
        for marks, some in _pieces(others):
            found.update((each[0], each) for each in self._all(f"{_FACTS} WHERE place IN ({marks})", some))
        return found

    def places_after(self, after: tuple[int, int], last: int, limit: int) -> list[tuple[int, int]]:
        """The next payments in the order of their taps: when each was tapped (till ms), and its place; behind `after`,
        which is such a pair, and up to a tap at `last`."""
        sql = """SELECT tapped_at, place FROM attempt INDEXED BY attempt_by_time
        WHERE (tapped_at, place) > (?, ?) AND tapped_at <= ? ORDER BY tapped_at, place LIMIT ?"""
        return self._all(sql, (*after, last, limit))

    def ours_in(self, places: Sequence[int]) -> list[Ours]:
        """What stands at these places, in their order; few questions for many."""
        found: list[Ours] = []
        for marks, some in _pieces(places):
            found += self._ours(f"WHERE place IN ({marks}) ORDER BY place", some)
        return found

    def _ours(self, where: str, values: Sequence[int]) -> list[Ours]:
        return self._read(rows.ours_of, f"{_SNAPSHOTS} NOT INDEXED {where}", values)

    def receipt_gaps(self, installation_id: str, most: int, after: int = 0) -> tuple[int, list[int]]:
        """How many of an installation's receipt numbers behind one no payment has, or two have; the first of them."""
        count = """SELECT count(DISTINCT receipt), count(*), max(receipt) FROM attempt
        WHERE receipt_of = ? AND receipt > 0 AND receipt > ?"""
        distinct, given, last = self._all(count, (installation_id, after))[0]
        wrong = max(0, int(last or 0) - after) - distinct + given - distinct
        if not wrong:
            return 0, []
        gaps = """SELECT receipt, before FROM (SELECT receipt, lag(receipt, 1, ?) OVER (ORDER BY receipt) AS before
        FROM attempt WHERE receipt_of = ? AND receipt > 0 AND receipt > ?) WHERE receipt <> before + 1 LIMIT ?"""
        named: list[int] = []
        for receipt, before in self._all(gaps, (after, installation_id, after, most)):
            # A number from nowhere may be any number: no more of a gap is named than is wanted.
            named += range(before + 1, min(receipt, before + 1 + most)) if receipt > before else [receipt]
        return wrong, named[:most]

    def paid_wall(self, attempt_id: str) -> str:
        """When a payment became money first (ISO, with offset): what its paper says; "" for what never did."""
        return next(iter(self.paid_walls(self._seqs_of(attempt_id))), "")

    def paid_walls(self, seqs: str) -> list[str]:
        """When a payment became money, by these events of it (numbers with commas), in their order."""
        sql = f"""SELECT * FROM event WHERE seq IN ({seqs}) AND (path LIKE '% PAID%' OR kind = '{RECOVERED}')
        ORDER BY seq"""
        with Reading():
            walls = [rows.record_of(row).paid_wall for row in self._connection.execute(sql)]
        return [each for each in walls if each]

    def _last_money(self, receipts: Sequence[Receipts]) -> str:
        """The wall of the event that gave the newest receipt of the period; "" where it gave none."""
        given = [each for each in receipts if each.last >= each.first]
        attempt = self.attempt_of_receipt(given[-1].of, given[-1].last) if given else None
        return "" if attempt is None else self.paid_wall(attempt.attempt_id)

    def _older_z(self) -> OlderZ | None:
        told = [each.content.get("last_z") for each in self.events_of(JOURNAL) if each.kind == REBUILT]
        known = [each for each in told if each is not None]
        return msgspec.convert(known[-1], OlderZ) if known else None
