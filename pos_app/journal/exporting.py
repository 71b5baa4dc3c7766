"""Reads the payments for a file, beside a till that goes on selling: as of one moment, a page at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import datetime, time
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import Kind
from pos_app.domain.day import labelled
from pos_app.domain.export import NOTHING_BESIDE, Beside, Booked, Entry, Place, Span
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.refund import REFUND_NOTED, REFUND_WITHDRAWN, Note, note_in
from pos_app.domain.search import Meant
from pos_app.domain.takings import MONEY_COLUMNS, NOT_SUMMED, RemarkKind
from pos_app.journal import rows
from pos_app.journal.acts import IS_ACT
from pos_app.journal.chain import Keys
from pos_app.journal.errors import Reading
from pos_app.journal.queries import Queries
from pos_app.journal.reading import connect_to_read
from pos_app.journal.seal import unseal
from pos_app.journal.texts import plain

PAGE = 200
"""So many payments are read in one go: a millisecond, after which others may have their turn."""

# The newest event of most that was paid is the one that made it money; it is read with the payment.
_NEWEST = "CAST(substr(a.events, length(rtrim(a.events, '0123456789')) + 1) AS INTEGER)"
_ROW = "a.place, a.period, a.counted, CAST(a.snapshot AS BLOB), a.events, e.path, e.wall"
_FROM = f"SELECT {_ROW} FROM attempt AS a INDEXED BY {{index}} LEFT JOIN event AS e ON e.seq = {_NEWEST}"

_IS_NOT_OVER = "(a.unsettled = 1 AND a.counted = '')"

_Row = tuple[Any, ...]

_booked = msgspec.json.Decoder(Booked)


class _Differs(msgspec.Struct, frozen=True):
    """What a file tells of a difference: its class, and of which payment; "" for what is of none of ours."""

    kind: str
    attempt_id: str = ""


_differs = msgspec.json.Decoder(_Differs)


class _Correction(NamedTuple):
    """In which period an earlier one's money was taken back."""

    period: int
    of_period: int
    wall: str


_MOVES = {REFUND_NOTED: -1, REFUND_WITHDRAWN: 1}


class _NoteMove(NamedTuple):
    """A refund note that was made or withdrawn (`sign` by `_MOVES`), and in which period."""

    note: Note
    sign: int
    period: int
    wall: str


class _Z(NamedTuple):
    number: int
    at: int
    date: str


class Numbers(NamedTuple):
    """What whole wallet numbers are read with: the journal's keys, and where the number is in what was sent."""

    keys: Keys
    number_in: Callable[[bytes], str]


class Exporting:
    """One reading of one journal. `with` it: what is read then is as of its begin. Raises JournalTrouble.

    `cutoff`: when the open day's business date changes, as in `[day] cutoff`. `numbers`: with it each payment's whole
    wallet number is told, too.
    """

    def __init__(self, path: Path, cutoff: time, numbers: Numbers | None = None) -> None:
        self._path = path
        self._cutoff = cutoff
        self._turns_at = cutoff.isoformat("minutes")
        self._numbers = numbers
        self._zs: dict[int, _Z] = {}
        self._corrections: dict[int, list[_Correction]] = {}
        self._beside: dict[str, Beside] = {}
        self._note_moves: list[_NoteMove] = []
        self._names: dict[str, str] = {}
        self._dates: dict[tuple[str, bool], str] = {}

    def __enter__(self) -> Self:
        with Reading():
            self._connection = connect_to_read(self._path)
            self._queries = Queries(self._connection)
            try:
                self._connection.execute("BEGIN")
                self._take_up()
            except BaseException:
                self._connection.close()
                raise
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def _take_up(self) -> None:
        self.head_seq = int(self._all("SELECT coalesce(max(seq), 0) FROM event")[0][0])
        zs = self._all("SELECT number, at, business_date FROM z_report ORDER BY number")
        self._zs = {number: _Z(number, at, date) for number, at, date in zs}
        sql = """SELECT remark.place, remark.period, remark.of_period, event.wall FROM remark
        JOIN event USING (seq) WHERE remark.kind = ? ORDER BY remark.seq"""
        for place, period, of_period, wall in self._all(sql, RemarkKind.CORRECTION.value):
            self._corrections.setdefault(place, []).append(_Correction(period, of_period, wall))
        self._take_up_notes()
        self._take_up_differences()
        self._names = {each.person_id: each.name for each in self._queries.people()}
        # What an older journal counted ended at times that no Z of this one bounds.
        self._is_rebuilt = any(each.kind == REBUILT for each in self._queries.events_of(JOURNAL))
        last = self._zs[max(self._zs)] if self._zs else _Z(0, 0, "")
        self._open, self._not_before = last.number + 1, last.date

    def _take_up_notes(self) -> None:
        """Few beside the payments: what stands of each payment's, and when each was made or taken back."""
        for (snapshot,) in self._all("SELECT snapshot FROM refund_note ORDER BY number"):
            note = rows.note_of(snapshot)
            if note.stands:
                before = self._beside.get(note.attempt_id, NOTHING_BESIDE)
                self._beside[note.attempt_id] = before._replace(
                    refund_note=f"{before.refund_note} {note.shown}".strip(),
                    refunded=str(Decimal(before.refunded or 0) + note.amount),
                )
        closed = [seq for (seq,) in self._all("SELECT seq FROM z_report ORDER BY seq")]
        sql = f"""SELECT seq, kind, wall, content FROM event INDEXED BY event_of_people
        WHERE {IS_ACT} AND kind IN (?, ?) ORDER BY seq"""
        for news in self._queries.notes_taken_over():
            if news.kind in _MOVES:
                self._note_moves.append(_NoteMove(news.note, _MOVES[news.kind], 1, news.wall))
        for seq, kind, wall, content in self._all(sql, *_MOVES):
            note = note_in(rows.content_of(content).event)
            self._note_moves.append(_NoteMove(note, _MOVES[kind], bisect_left(closed, seq) + 1, wall))

    def _take_up_differences(self) -> None:
        """Those that are not gone and that nobody has signed for, by their classes; most are of no payment of ours."""
        sql = "SELECT snapshot FROM difference WHERE gone = 0 AND decided = 0 ORDER BY key"
        for (snapshot,) in self._all(sql):
            found = _differs.decode(snapshot)
            if found.attempt_id:
                before = self._beside.get(found.attempt_id, NOTHING_BESIDE)
                kinds = f"{before.difference} {found.kind}".strip()
                self._beside[found.attempt_id] = before._replace(difference=kinds)

    def _all(self, sql: str, *values: object) -> list[_Row]:
        return self._connection.execute(sql, values).fetchall()

    def has_z(self, number: int) -> bool:
        """Whether that Z was closed."""
        return number in self._zs

    def most(self, span: Span) -> int:
        """At the most so many payments are in it: what a progress is told by."""
        with Reading():
            low, high = self._bounds(span)
            sql = "SELECT count(*) FROM attempt WHERE ended_at > ? AND ended_at <= ?"
            return int(self._all(sql, low, high)[0][0]) + len(self._unended())

    def pages(self, span: Span, among: Meant | None = None, digest: str = "") -> Iterator[list[Entry]]:
        """The payments of a span, in the order in which they ended, and behind them what is not over.

        `among`: only these, `digest` being that of the whole number that is looked for. As they now stand: one that an
        earlier Z counts as money and that is disputed since stands with that Z.
        """
        wanted = self._wanted(span)
        low, high = self._bounds(span)
        sql = f"""{_FROM.format(index="attempt_ended")}
        WHERE a.ended_at > ? AND a.ended_at <= ? AND NOT {_IS_NOT_OVER} ORDER BY a.ended_at"""
        with Reading():
            found = self._connection.execute(sql, (low, high))
            while page := found.fetchmany(PAGE):
                if among is not None:
                    page = [row for row in page if among.has(rows.attempt_of(row[3]), digest)]
                entries = [self._entry(row) for row in page]
                yield entries if wanted is None else [each for each in entries if wanted(each.place)]
            for place in self._unended():
                row = self._row_at(place)
                if among is None or among.has(rows.attempt_of(row[3]), digest):
                    yield [entry for entry in [self._entry(row)] if wanted is None or wanted(entry.place)]

    def ledger_pages(self, span: Span) -> Iterator[list[Entry]]:
        """What was taken in a span, and what it takes back of earlier ones; as each Z has it, whatever came later."""
        wanted = self._wanted(span)
        for page in self.pages(span):
            yield [each for each in page if each.is_booked]
        with Reading():
            for place, corrections in self._corrections.items():
                entry = self._at(place)
                moved = []
                for each in corrections:
                    then = Place(self._date_of(each.of_period, ""), each.of_period, entry.place.paid_at)
                    # What a Z of the journal before this one counts is in the books by that one.
                    is_ours = each.of_period > 0 and then.z != entry.place.z
                    if is_ours and (wanted is None or wanted(then)):
                        moved.append(entry._replace(place=then))
                    back = Place(self._date_of(each.period, each.wall, each.period), each.period, "")
                    if each.period not in self._zs:
                        back = back._replace(z=0)
                    if wanted is None or wanted(back):
                        moved.append(entry._replace(place=back, sign=-1))
                yield moved
            yield [line for move in self._note_moves if (line := self._noted(move, wanted)) is not None]

    def _noted(self, move: _NoteMove, wanted: Callable[[Place], bool] | None) -> Entry | None:
        """A note's line, on the day on which it was made or withdrawn: the takings themselves stay as they are."""
        z = move.period if move.period in self._zs else 0
        on = Place(self._date_of(move.period, move.wall, move.period), z, "")
        if wanted is not None and not wanted(on):
            return None
        payment = self._noted_payment(move.note)
        name = self._names.get(payment.owner, "")
        return Entry(payment, on, name, NOTHING_BESIDE, move.sign, note=move.note.shown)

    def _noted_payment(self, note: Note) -> Booked:
        """The payment with the note's amount; of one that a damaged journal took with it, what the note says."""
        sql = "SELECT CAST(snapshot AS BLOB) FROM attempt WHERE place = ? AND attempt_id = ?"
        found = self._all(sql, rows.place_in(note.attempt_id), note.attempt_id)
        if found:
            return replace(_booked.decode(found[0][0]), amount=str(note.amount))
        return Booked(
            attempt_id=note.attempt_id,
            sale_id=note.sale_id,
            kind=Kind.PUSH.value if note.payer else Kind.QR.value,
            amount=str(note.amount),
            currency=note.currency,
            environment=note.environment,
            owner=note.owner,
            tapped_wall=note.noted,
            state="",
            wallet_mask=note.payer,
        )

    def _wanted(self, span: Span) -> Callable[[Place], bool] | None:
        """Whether a place is meant; None where each is."""
        if span.z:
            return lambda place: place.z == span.z
        if not span.first and not span.last:
            return None
        return lambda place: span.has_date(place.business_date)

    def _bounds(self, span: Span) -> tuple[int, int]:
        """Behind which time and until which (till ms) whatever is of a span has ended."""
        end = (1 << 62) - 1
        if self._is_rebuilt or not (span.z or span.first or span.last):
            return -1, end
        closed = [z for z in self._zs.values() if (z.number == span.z if span.z else span.has_date(z.date))]
        # Of the open day each payment has a date of its own: it is looked at, whatever dates are meant.
        numbers = [z.number for z in closed] + ([] if span.z else [self._open])
        if not numbers:
            return end, end
        before = self._zs.get(min(numbers) - 1)
        last = self._zs.get(max(numbers))
        # Two events of one millisecond may lie on both sides of a Z: which period has them says their row.
        return (before.at - 1 if before else -1), (last.at if last else end)

    def _unended(self) -> list[int]:
        """No Z's time bounds them: what is disputed since it ended, too, has a date of its own."""
        sql = f"SELECT place FROM attempt AS a WHERE {_IS_NOT_OVER} ORDER BY tapped_at, place"
        return [int(row[0]) for row in self._all(sql)]

    def _at(self, place: int) -> Entry:
        return self._entry(self._row_at(place))

    def _row_at(self, place: int) -> _Row:
        sql = f"SELECT {_ROW} FROM attempt AS a LEFT JOIN event AS e ON e.seq = {_NEWEST} WHERE a.place = ?"
        return self._all(sql, place)[0]

    def _entry(self, row: _Row) -> Entry:
        place, period, counted, snapshot, events, path, wall = row
        payment = _booked.decode(snapshot)
        is_booked = False
        if counted in MONEY_COLUMNS or counted.removesuffix(NOT_SUMMED) in MONEY_COLUMNS:
            paid_at = wall if path and " PAID" in path else self._paid_wall(events)
            is_booked = period > 0
        elif not counted and place in self._corrections:
            period = self._corrections[place][-1].of_period
            paid_at = self._paid_wall(events)
            is_booked = period > 0
        else:
            # Disputed on the day on which it was paid, or signed off since: it was money once.
            paid_at = self._paid_wall(events) if payment.receipt else ""
        z = self._zs.get(period)
        if z is not None:
            where = Place(z.date, z.number, paid_at)
        else:
            # What is not over yet belongs to the day on which it was begun.
            on = paid_at or (wall if period else "") or payment.tapped_wall
            where = Place(self._date_of(0, on, period), 0, paid_at)
        number = self._number(payment) if self._numbers is not None else ""
        return Entry(
            payment,
            where,
            self._names.get(payment.owner, ""),
            self._beside.get(payment.attempt_id, NOTHING_BESIDE),
            1,
            number,
            is_booked=is_booked,
        )

    def _paid_wall(self, events: str) -> str:
        """When the newest of these events that did made it money (ISO); "" where none is known to."""
        return next(reversed(self._queries.paid_walls(",".join(events.split()))), "")

    def _date_of(self, z: int, wall: str, period: int = 0) -> str:
        known = self._zs.get(z)
        if known is not None:
            return known.date
        # By the date and by which side of the cut-off it is on: a million times over, it is one of a few thousand.
        key = wall[:10], wall[11:16] < self._turns_at
        date = self._dates.get(key)
        if date is None:
            try:
                date = labelled(datetime.fromisoformat(wall), self._cutoff).isoformat()
            except ValueError:
                date = ""
            self._dates[key] = date
        return max(date, self._not_before) if period == self._open else date

    def _number(self, payment: Booked) -> str:
        """The wallet number in full, as it was sent; "" for a code."""
        if self._numbers is None or payment.kind != Kind.PUSH.value:
            return ""
        sealed = self._queries.sealed_of(payment.attempt_id)
        if sealed is None:
            return ""
        return self._numbers.number_in(unseal(self._numbers.keys.seal, plain(payment.attempt_id), sealed))
