"""Whether the tables are what the events made true (I6), in both directions and piece by piece. Mends nothing.

Each event's rows are there; each row is what its own events say. Neither needs the whole journal in memory, so
that both can be done in slices while the till works.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pos_app.domain.day import Z_CLOSED, entries_of, hours_of, z_in
from pos_app.domain.ids import ATTEMPTS_OF_A_SALE, sale_id
from pos_app.domain.passcode import subject_of
from pos_app.domain.print_job import KINDS as OF_PRINTING
from pos_app.domain.print_job import job_in
from pos_app.domain.reconcile import DIFFERENCE_FOUND, run_in
from pos_app.domain.refund import KINDS as OF_NOTES
from pos_app.domain.refund import NEWS as NEWS_OF_NOTES
from pos_app.domain.refund import REFUND_GIVEN, REFUND_WITHDRAWN, note_in
from pos_app.domain.takings import NOWHERE, Cell, Remark, RemarkKind, Spot, Tally, recount
from pos_app.domain.unreadable import UNREADABLE
from pos_app.journal import rows
from pos_app.journal.acts import IS_ACT, IS_OF_A_PERSON
from pos_app.journal.findings import Finding
from pos_app.journal.projections import (
    OF_KEYS,
    OF_RUNS,
    OTP_SEND,
    attempt_row,
    born_in,
    difference_row,
    keys_in,
    move_by,
    note_row,
    person_row,
    print_row,
    recon_row,
    sale_row,
    z_row,
)
from pos_app.journal.verify import Text

Row = tuple[Any, ...]
AHEAD = 100
"""So many attempts' events are read in one go: after a long night thousands stand open at a start."""

_LONGEST = 18
"""Digits of a number that SQLite can hold; nobody but a forger writes longer ones."""
_KEYS = {
    "event": "seq",
    "sale": "number",
    "attempt": "place",
    "person": "person_id",
    "otp_send": "seq",
    "other_event": "subject, seq",
    "remark": "seq",
    "z_report": "number",
    "print_job": "number",
    "recon_run": "number",
    "difference": "key",
    "refund_note": "number",
    "takings": "period",
}
COMPARED = tuple(_KEYS)
_COLUMNS = {"event": "seq, kind, subject, content"}
_DIFFERS = "is not what the events say"


class _Ids(msgspec.Struct, frozen=True):
    attempt_id: str = ""
    sale_id: str = ""
    person_id: str = ""


class _Made(msgspec.Struct, frozen=True):
    """Whose rows an event makes."""

    attempt: _Ids | None = None
    sale: _Ids | None = None
    person: _Ids | None = None


class _Standing(msgspec.Struct, frozen=True):
    attempt_id: str = ""
    ended_at: int | None = None


class _OfAttempt(msgspec.Struct, frozen=True):
    """The least that says whose an event is, and whether it can be counted: thousands are read at a start."""

    attempt: _Standing | None = None


_made = msgspec.json.Decoder(_Made)
_of_attempt = msgspec.json.Decoder(_OfAttempt)


_OF_PEOPLE = f"FROM event INDEXED BY event_of_a_person WHERE {IS_OF_A_PERSON}"
_IN_ONE = 500
_CONTENTS = f"SELECT seq, kind, wall, content FROM event WHERE seq IN ({','.join('?' * _IN_ONE)})"


def plainly(row: Row) -> Row:
    """Texts as texts; a blob in a text's place stays one, and so is noticed."""
    return tuple(str(value, "utf-8", "replace") if type(value) is Text else value for value in row)


def _same(found: Row, expected: Row) -> bool:
    return found == expected and [*map(type, found)] == [*map(type, expected)]


def _newest(table: str, key: str, unsettled: str) -> str:
    """By keys alone, each through its index: an OR of the two would read a million payments at every start."""
    newest = f"SELECT {key} FROM (SELECT {key} FROM {table} ORDER BY {key} DESC LIMIT ?)"
    return (
        f"SELECT * FROM {table} WHERE {key} IN (SELECT {key} FROM {table} WHERE {unsettled} UNION {newest})"
    )


class Tables:
    """Looks over a connection whose texts are `typed`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def _one(self, sql: str, *values: Any) -> Row | None:
        found = self._connection.execute(sql, values).fetchone()
        return plainly(found) if found else None

    def _closed_at(self) -> list[int]:
        """The numbers of the events that closed a period, in their order."""
        return [row[0] for row in self._rows("SELECT seq FROM z_report ORDER BY seq")]

    def compare(self, table: str, after: Row, at_most: int) -> tuple[list[Finding], Row | None]:
        """The rows behind a key, and the key to go on behind; None at the end. Raises sqlite3.Error, ValueError."""
        if table == "takings":
            return [*self._takings()], None
        columns, key = _COLUMNS.get(table, "*"), _KEYS[table]
        where = f"WHERE ({key}) > ({', '.join('?' * len(after))})" if after else ""
        sql = f"SELECT {columns} FROM {table} {where} ORDER BY {key} LIMIT {at_most}"
        page = self._rows(sql, *after)
        if table == "attempt":
            found = self._attempts(page)
        else:
            check: Callable[[Row], Iterable[Finding]] = getattr(self, f"_{table}")
            found = [finding for row in page for finding in check(row)]
        return found, page[-1][: key.count(",") + 1] if len(page) == at_most else None

    def newest(self, events: int) -> list[Finding]:
        """The rows of what is not settled, and of the newest events."""
        of_events = self._rows(
            "SELECT seq, kind, subject, content FROM event ORDER BY seq DESC LIMIT ?", events
        )
        of_attempts = self._rows(_newest("attempt", "place", "unsettled = 1"), events)
        of_sales = self._rows(_newest("sale", "number", "overpaid = 1"), events)
        of_events_and_sales = [*map(self._event, of_events), *map(self._sale, of_sales)]
        return [
            *(finding for found in of_events_and_sales for finding in found),
            *self._attempts(of_attempts),
        ]

    def people(self) -> tuple[list[Finding], list[int]]:
        """Every person's row beside the newest event that made them so, and those events, for whoever has the key.

        A few reads for each person, however long they have been signing in.
        """
        shown = {str(row[0]): row for row in self._rows("SELECT * FROM person")}
        subjects = {str(row[0]) for row in self._rows(f"SELECT DISTINCT subject {_OF_PEOPLE}")}
        found: list[Finding] = []
        newest: list[int] = []
        for person_id in sorted({*shown, *(each.removeprefix(subject_of("")) for each in subjects)}):
            about = (person_id, subject_of(person_id))
            seqs = self._rows(f"SELECT seq {_OF_PEOPLE} AND subject IN (?, ?)", *about)
            events = self._made_so(person_id, {row[0] for row in seqs})
            newest += [row[0] for row in events[:1]]
            row = shown.get(person_id)
            if (row or events) and not _is_person(row, events):
                found.append(_differs(f"person {person_id}"))
        return found, newest

    def _made_so(self, person_id: str, seqs: Iterable[int]) -> list[Row]:
        """Those of the events that hold this person, newest first."""
        return [event for event in self._events(seqs) if _ids(event).person == person_id]

    def _attempts(self, page: Sequence[Row]) -> list[Finding]:
        """What `_attempt` finds in each, with few questions."""
        found: list[Finding] = []
        closed_at = self._closed_at()
        for first in range(0, len(page), AHEAD):
            some = page[first : first + AHEAD]
            events = self._contents({seq for row in some for seq in _seqs_in(row[8])})
            places = [row[0] for row in some]
            remarked = self._remarks(min(places), max(places))
            found += [
                finding
                for row in some
                for finding in _attempt(row, events, closed_at, remarked.get(row[0], {}))
            ]
        return found

    def _remarks(self, first: int, last: int) -> dict[int, dict[int, tuple[int, Remark]]]:
        """What is remarked of the attempts at these places: by place, then by event, in which period."""
        sql = "SELECT place, seq, period, kind, of_period FROM remark WHERE place >= ? AND place <= ?"
        found: dict[int, dict[int, tuple[int, Remark]]] = {}
        for place, seq, period, kind, of_period in self._rows(sql, first, last):
            known = kind in set(RemarkKind)
            remark = Remark(RemarkKind(kind) if known else RemarkKind.LATE, of_period if known else -1)
            found.setdefault(place, {})[seq] = (period, remark)
        return found

    def _contents(self, seqs: set[int]) -> dict[int, Row]:
        """Of these events, those that are there: (seq, kind, wall, content)."""
        found: dict[int, Row] = {}
        numbers: list[int | None] = [*sorted(seqs)]
        for first in range(0, len(numbers), _IN_ONE):
            some = numbers[first : first + _IN_ONE]
            told = self._connection.execute(_CONTENTS, some + [None] * (_IN_ONE - len(some))).fetchall()
            found.update((row[0], row) for row in told)
        return found

    def _takings(self) -> Iterator[Finding]:
        """The open period's are what its payments come to, a closed one's what its Z says."""
        found: dict[int, dict[Cell, Tally]] = {}
        for row in self._rows("SELECT * FROM takings"):
            found.setdefault(row[0], {})[Cell(*row[:6])] = Tally(*row[6:])
        closed = self._rows("SELECT number, seq, at FROM z_report ORDER BY number")
        for number, seq, _ in closed:
            events = self._events([seq])
            is_z = bool(events) and events[0][2] == Z_CLOSED
            z = z_in(rows.content_of(events[0][4]).event) if is_z else None
            own = found.pop(number, {})
            if z is None or (entries_of(own), hours_of(own)) != (z.entries, z.hours):
                yield _differs(f"takings of period {number}")
        number, since = (closed[-1][0] + 1, closed[-1][2]) if closed else (1, 0)
        if found.pop(number, {}) != counted_again(self._connection, number, since):
            yield _differs(f"takings of period {number}")
        for other in found:
            yield _differs(f"takings of period {other}")

    def _remark(self, row: Row) -> Iterator[Finding]:
        """Whose it is; what it says is looked at with the attempt."""
        events = self._events([row[0]])
        if not events or rows.place_in(_ids(events[0]).attempt) != row[4]:
            yield _differs(f"remark {row[0]}")

    def _z_report(self, row: Row) -> Iterator[Finding]:
        return self._as_made(row, (Z_CLOSED,), z_row, "z_report")

    def _print_job(self, row: Row) -> Iterator[Finding]:
        return self._as_made(
            row, OF_PRINTING, lambda seq, _at, event: print_row(job_in(event), seq), "print job"
        )

    def _recon_run(self, row: Row) -> Iterator[Finding]:
        return self._as_made(
            row, OF_RUNS, lambda seq, _at, event: recon_row(run_in(event), seq), "reconciliation"
        )

    def _difference(self, row: Row) -> Iterator[Finding]:
        """As it was found; decided, and gone, by what came behind that and names it."""
        events = self._events([row[1]])
        if events and events[0][2] == DIFFERENCE_FOUND:
            seq, _, _, _, content = events[0]
            made = difference_row(rows.content_of(content).event, seq)
            later = {"decided": row[4], "gone": row[5]}
            before = {"decided": made[4], "gone": made[5]}
            by = all(
                number == before[name] or (number > seq and self._names(number, name, made[0]))
                for name, number in later.items()
            )
            if by and _same((*row[:4], *row[6:]), (*made[:4], *made[6:])):
                return
        yield _differs(f"difference {row[0]}")

    def _names(self, seq: int, column: str, key: str) -> bool:
        events = self._events([seq])
        if not events or OF_KEYS.get(events[0][2]) != column:
            return False
        return key in keys_in(rows.content_of(events[0][4]).event)

    def _refund_note(self, row: Row) -> Iterator[Finding]:
        return self._as_made(
            row, OF_NOTES, lambda seq, _at, event: note_row(note_in(event), seq), "refund note"
        )

    def _as_made(
        self, row: Row, kinds: Collection[str], make: Callable[[int, int, dict[str, Any]], Row], name: str
    ) -> Iterator[Finding]:
        """A row that one event makes whole: of one of these kinds, by its seq, its at and what it says."""
        events = self._events([row[1]])
        if events and events[0][2] in kinds:
            seq, at, _, _, content = events[0]
            if _same(row, make(seq, at, rows.content_of(content).event)):
                return
        yield _differs(f"{name} {row[0]}")

    def _rows(self, sql: str, *values: Any) -> list[Row]:
        return [plainly(row) for row in self._connection.execute(sql, values).fetchall()]

    def _event(self, row: Row) -> Iterator[Finding]:
        """What an event made true and is not there."""
        seq, kind, subject, content = row
        made = _made.decode(content)
        if made.attempt is not None:
            listed = self._one(
                "SELECT events FROM attempt WHERE place = ?", rows.place_in(made.attempt.attempt_id)
            )
            if listed is None or str(seq) not in str(listed[0]).split():
                yield _lost(f"attempt {made.attempt.attempt_id}", seq)
        if made.attempt is None or made.attempt.attempt_id != subject:
            yield from self._kept(
                "other_event WHERE subject = ? AND seq = ?", (subject, seq), f"subject {subject!r}", seq
            )
        if made.sale is not None:
            number = rows.number_of(made.sale.sale_id)
            yield from self._kept("sale WHERE number = ?", (number,), f"sale {made.sale.sale_id}", seq)
        if made.person is not None:
            person_id = made.person.person_id
            yield from self._kept("person WHERE person_id = ?", (person_id,), f"person {person_id}", seq)
        if kind == OTP_SEND:
            yield from self._kept("otp_send WHERE seq = ?", (seq,), f"otp_send {seq}", seq)
        if kind == Z_CLOSED:
            yield from self._kept("z_report WHERE seq = ?", (seq,), f"z_report {seq}", seq)
        if kind in OF_PRINTING:
            number = job_in(rows.content_of(content).event).number
            # Its newest event's, or a later one's: never what an older event said.
            yield from self._kept(
                "print_job WHERE number = ? AND seq >= ?", (number, seq), f"print job {number}", seq
            )
        if kind in OF_RUNS:
            number = run_in(rows.content_of(content).event).number
            yield from self._kept(
                "recon_run WHERE number = ? AND seq >= ?", (number, seq), f"reconciliation {number}", seq
            )
        if kind in OF_NOTES:
            # What was made stands there; what ended it, as its end.
            number = note_in(rows.content_of(content).event).number
            at = "seq = ?" if kind in (REFUND_GIVEN, REFUND_WITHDRAWN) else "seq >= ?"
            yield from self._kept(
                f"refund_note WHERE number = ? AND {at}", (number, seq), f"refund note {number}", seq
            )
        if kind == DIFFERENCE_FOUND:
            key = difference_row(rows.content_of(content).event, seq)[0]
            yield from self._kept(
                "difference WHERE key = ? AND seq >= ?", (key, seq), f"difference {key}", seq
            )
        if kind in OF_KEYS:
            # By this event or a later one; what was found again since is looked at there.
            where = f"difference WHERE key = ? AND (seq > ? OR {OF_KEYS[kind]} >= ?)"
            for key in keys_in(rows.content_of(content).event):
                yield from self._kept(where, (key, seq, seq), f"difference {key}", seq)

    def _kept(self, where: str, values: Sequence[Any], place: str, seq: int) -> Iterator[Finding]:
        if self._one(f"SELECT 1 FROM {where}", *values) is None:
            yield _lost(place, seq)

    def _events(self, seqs: Iterable[int]) -> list[Row]:
        """(seq, at, kind, subject, content), newest first."""
        sql = "SELECT seq, at, kind, subject, content FROM event WHERE seq = ?"
        found = (self._one(sql, seq) for seq in sorted(set(seqs), reverse=True))
        return [row for row in found if row is not None]

    def _sale(self, row: Row) -> Iterator[Finding]:
        number = row[0]
        name = sale_id(number)
        first = number * ATTEMPTS_OF_A_SALE
        sql = "SELECT events FROM attempt WHERE place >= ? AND place < ?"
        listed = self._rows(sql, first, first + ATTEMPTS_OF_A_SALE)
        seqs = {seq for events in listed for seq in _seqs_in(events[0])}
        for event in self._events(seqs | self._others(name)):
            sale = rows.content_of(event[4]).sale if _ids(event).sale else None
            if sale is not None and rows.number_of(sale.sale_id) == number:
                snapshot = (rows.parts_of(event[4]).sale or b"").decode()
                if not _same(row, sale_row(sale, snapshot)):
                    break
                return
        yield _differs(f"sale {name}")

    def _others(self, subject: str) -> set[int]:
        found = self._connection.execute(
            "SELECT seq FROM other_event WHERE subject = ?", (subject,)
        ).fetchall()
        return {row[0] for row in found}

    def _person(self, row: Row) -> Iterator[Finding]:
        person_id = row[0]
        # Their passcode's events change them as well.
        seqs = self._others(str(person_id)) | self._others(subject_of(str(person_id)))
        if not _is_person(row, self._made_so(str(person_id), seqs)):
            yield _differs(f"person {person_id}")

    def _otp_send(self, row: Row) -> Iterator[Finding]:
        events = self._events([row[0]])
        if (
            not events
            or events[0][2] != OTP_SEND
            or not _same(row, (events[0][0], events[0][3], events[0][1]))
        ):
            yield _differs(f"otp_send {row[0]}")

    def _other_event(self, row: Row) -> Iterator[Finding]:
        events = self._events([row[1]])
        if not events or not _same(row, (events[0][3], events[0][0])) or _ids(events[0]).attempt == row[0]:
            yield _differs(f"other_event {row[1]}")


def _is_person(row: Row | None, events: Sequence[Row]) -> bool:
    """Whether a row is what the newest of the person's events says, and has the place of the first."""
    if row is None or not events:
        return False
    snapshot = rows.parts_of(events[0][4]).person or b""
    return _same(row, person_row(rows.person_of(snapshot), events[-1][0], snapshot.decode()))


def _attempt(
    row: Row,
    events: Mapping[int, Row],
    closed_at: Sequence[int],
    remarked: Mapping[int, tuple[int, Remark]],
) -> Iterator[Finding]:
    """Whether a row is what its own events say; `events` has those of its events that are there."""
    place, attempt_id, listed = row[0], row[1], str(row[8])
    numbers, seqs = listed.split(), _seqs_in(listed)
    known = [events[seq] for seq in sorted(set(seqs), reverse=True) if seq in events]
    own = [event for event in known if _standing_in(event[3]).attempt_id == attempt_id]
    expected: Row | None = None
    remarks: dict[int, tuple[int, Remark]] = {}
    if own and len(own) == len(numbers) and seqs == sorted(set(seqs)):
        newest, first = (rows.parts_of(own[at][3]).attempt or b"" for at in (0, -1))
        made = rows.attempt_of(newest), rows.attempt_of(first)
        spot, remarks = _counted(own[::-1], closed_at)
        expected = attempt_row(*made, " ".join(map(str, seqs)), newest.decode(), spot)
    if expected is None or not _same(row, expected) or remarks != remarked:
        yield _differs(f"attempt {attempt_id}" if isinstance(attempt_id, str) else f"attempt row {place}")


def _counted(own: Sequence[Row], closed_at: Sequence[int]) -> tuple[Spot, dict[int, tuple[int, Remark]]]:
    """Where its own events, oldest first, have it counted, and what they have remarked of it."""
    spot, remarks = NOWHERE, dict[int, tuple[int, Remark]]()
    first, began_in = own[0], bisect_left(closed_at, own[0][0]) + 1
    for seq, kind, wall, content in own:
        if _standing_in(content).ended_at is None:
            continue
        attempt = rows.attempt_of(rows.parts_of(content).attempt or b"")
        period = bisect_left(closed_at, seq) + 1
        row = (seq, 0, str(wall, "utf-8"), str(kind, "utf-8"), "", "", "", content.decode(), None, b"")
        born = began_in if seq == first[0] else born_in(str(first[1], "utf-8"), began_in)
        move = move_by(spot, attempt, period, born, row)
        spot = move.spot
        if move.withdraws:
            remarks = {
                at: each
                for at, each in remarks.items()
                if each[0] != period or each[1].kind is not RemarkKind.LATE
            }
        if move.remark is not None:
            remarks[seq] = (period, move.remark)
    return spot, remarks


def counted_again(connection: sqlite3.Connection, period: int, since: int) -> dict[Cell, Tally] | None:
    """An open period's takings by its payments themselves; None where one of them cannot be read in its table.

    `since`: when the period before it was closed (till ms).
    """
    sql = """SELECT period, counted, hour, CAST(snapshot AS BLOB) FROM attempt INDEXED BY attempt_ended
    WHERE ended_at >= ? AND period = ?"""
    found = connection.execute(sql, (since, period))
    try:
        return recount((Spot(*plainly(row[:3])), rows.attempt_of(row[3])) for row in found)
    except ValueError:
        return None  # the table's row was changed: its event still says what it was


def notes_agree(connection: sqlite3.Connection, since: int) -> bool:
    """Whether each note about which something happened behind an event is in its table as the newest event has it.

    False, too, where one cannot be read.
    """
    kinds = ", ".join(f"'{kind}'" for kind in sorted(NEWS_OF_NOTES))
    events = f"""SELECT seq, content FROM event INDEXED BY event_of_people
    WHERE {IS_ACT} AND kind IN ({kinds}) AND seq > ? ORDER BY seq"""
    try:
        notes = [
            (note_in(rows.content_of(text).event), seq) for seq, text in connection.execute(events, (since,))
        ]
    except ValueError:
        return False
    sql = "SELECT * FROM refund_note WHERE number = ?"
    newest = {note.number: note_row(note, seq) for note, seq in notes}
    found = {number: connection.execute(sql, (number,)).fetchone() for number in newest}
    return all(found[number] is not None and plainly(found[number]) == row for number, row in newest.items())


def _standing_in(content: bytes) -> _Standing:
    """Whose event this is; nobody's for one that was itself changed."""
    try:
        made = _of_attempt.decode(content)
    except UNREADABLE:
        return _Standing()
    return made.attempt or _Standing()


class _Named(msgspec.Struct, frozen=True):
    attempt: str = ""
    sale: str = ""
    person: str = ""


def _ids(event: Row) -> _Named:
    """The ids in an event's facts; none for an event that was itself changed."""
    try:
        made = _made.decode(event[4])
    except UNREADABLE:
        return _Named()
    none = _Ids()
    return _Named(
        (made.attempt or none).attempt_id, (made.sale or none).sale_id, (made.person or none).person_id
    )


def _seqs_in(listed: object) -> list[int]:
    """The numbers in an attempt's list of events; not what else may stand there."""
    texts = str(listed).split()
    return [int(one) for one in texts if one.isascii() and one.isdecimal() and len(one) <= _LONGEST]


def _lost(place: str, seq: int) -> Finding:
    return Finding(place, f"does not show event {seq}", tables_only=True)


def _differs(place: str) -> Finding:
    return Finding(place, _DIFFERS, tables_only=True)
