"""What a damaged journal still says: facts whose events are proven, and hints. Reads only; believes no table."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt, Environment
from pos_app.domain.day import Z_CLOSED, OlderZ, z_in
from pos_app.domain.ids import ATTEMPTS_OF_A_SALE, installation_of, is_installation
from pos_app.domain.installation import TAKEN
from pos_app.domain.membership import JOINED, LEFT
from pos_app.domain.origins import named_origins
from pos_app.domain.passcode import ENDS_A_ROW, TRY
from pos_app.domain.people import Person, number_in
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILD_ENDED, REBUILT
from pos_app.domain.record import Record
from pos_app.domain.refund import KINDS as OF_NOTES
from pos_app.domain.refund import REFUND_NOTED, REFUND_RECOVERED, Note, as_promised, news_in, note_in
from pos_app.domain.sale import Sale
from pos_app.journal import rows
from pos_app.journal.anchor import anchor_path, claimed_installation, read_anchor
from pos_app.journal.chain import Keys
from pos_app.journal.connections import open_to_read
from pos_app.journal.counted import Counted
from pos_app.journal.errors import Reading
from pos_app.journal.findings import Finding
from pos_app.journal.projections import OTP_SEND
from pos_app.journal.schema import make_empty
from pos_app.journal.seal import SealBroken, unseal
from pos_app.journal.tables import plainly
from pos_app.journal.verify import Walk, read_on, typed

UNKNOWN = 1_000
"""So many sales may have been lost where even the anchor does not say how many events there were."""


class Salvage:
    """Filled while the damaged journal is read. `doubtful`: something later was recorded, and cannot be proven."""

    def __init__(self, before: Salvage | None = None) -> None:
        """`before`: of the journal that was damaged before this one."""
        self.counted: Counted = Counted(None if before is None else before.counted)
        self.installations: list[str] = []
        """Whose payments are proven to be this till's."""
        self.claimed: list[str] = []
        """Whose may be, by what anybody could have written: a hint, an anchor of another key, a log."""
        self.attempts: dict[str, Attempt] = {}
        self.hints: dict[str, Attempt] = {}
        self.doubtful: set[str] = set()
        self.sales: dict[str, Sale] = {}
        self.people: dict[str, Person] = {}
        self.sealed: dict[str, bytes] = {}
        self.sends: list[Record] = []
        self.tries: dict[str, list[Record]] = {}
        """Passcodes that may have been wrong, by subject, since the last that was right; unproven ones count."""
        self.lost = 0
        """So many events are missing at its end, as far as can be known."""
        self.findings: tuple[Finding, ...] = ()
        self.origins: list[str] = []
        """The services that its till worked with, by their addresses, in the order of time."""
        self.memberships: list[Record] = []
        """Proven: which store its counter joined and left, in the order of time."""
        self.last_at = 0
        self.next_sale = 1
        self.next_person = 1
        """Behind every person that is named anywhere: a newcomer must not answer for what another one did."""
        self.since: str | None = None
        """The day of the last proven payment ahead of the first gap; None while there is none."""
        self.last_z: OlderZ | None = None
        """The newest Z that it names; an unproven one only where it is newer than any that is proven."""
        self.notes: dict[int, Note] = {}
        """Refund notes as proven events say they stand: what is noted of a payment is not to be noted again."""
        self.doubtful_notes: dict[int, Note] = {}
        """As events say that are not proven."""
        self.note_news: dict[int, list[str]] = {}
        """What happened to them, by proven events, that no proven Z has: by the kinds of the events, in their order."""
        self.notes_known: set[int] = set()
        """Those whose beginning a proven event tells."""
        self.closed_wall = ""
        """When the newest proven Z was closed (ISO); "" while there is none."""
        self.paid_walls: dict[str, str] = {}
        """When payments became money first (ISO), by proven events: their paper says it."""
        self.older_asked_for = False
        """Proven: it was begun beside an older one, and the service was asked for all that that one had lost."""

    def met(self, record: Record, attempt: Attempt) -> None:
        """A payment as a proven event says it stands now."""
        self.counted.met(record, attempt)
        self.attempts[attempt.attempt_id] = attempt
        self.hints.pop(attempt.attempt_id, None)

    def closed(self, content: dict[str, Any], *, proven: bool) -> None:
        """A Z that is named."""
        z = z_in(content)
        if proven or self.last_z is None or z.number > self.last_z.number:
            self.last_z = OlderZ(z.number, z.installation_id, z.digest, proven)
        if proven:
            self.counted.closed(z)
            self.note_news.clear()
            self.closed_wall = z.ended

    def noted(self, kind: str, content: dict[str, Any]) -> None:
        """A note as a proven event has it."""
        for news in news_in(kind, content):
            self.note_news.setdefault(news.note.number, []).append(news.kind)
        note = note_in(content)
        if kind in (REFUND_NOTED, REFUND_RECOVERED):
            self.notes_known.add(note.number)
        self.notes[note.number] = note

    def news_of(self, note: Note) -> list[str]:
        """What the first Z of the next journal is to say of a note, as none did yet.

        Of one whose beginning cannot be read any more, only its own time tells on which side of a Z it was made.
        """
        told = self.note_news.get(note.number, [])
        is_told = note.number in self.notes_known or not _is_behind(note.noted, self.closed_wall)
        return told if is_told else [REFUND_NOTED, *told]

    def all_notes(self) -> dict[int, Note]:
        """With those of which no event is proven, as promised, where their payment is."""
        found = dict(self.notes)
        for number in sorted(self.doubtful_notes.keys() - self.notes.keys()):
            read = self.doubtful_notes[number]
            attempt = self.attempts.get(read.attempt_id)
            others = [each for each in found.values() if each.attempt_id == read.attempt_id]
            note = as_promised(read, attempt, others) if attempt is not None else None
            if note is not None:
                found[number] = note
        return found

    def names(self) -> None:
        """Who is named, from what has been read."""
        named = [*self.people, *(each.owner for each in [*self.attempts.values(), *self.hints.values()])]
        self.next_person = max(self.next_person, *(number_in(each) + 1 for each in named), 1)
        self.claimed += map(installation_of, self.hints)
        self.claimed = [*dict.fromkeys(each for each in self.claimed if is_installation(each))]

    def day_before_gap(self) -> str:
        """From when on the service is to be asked; "" where nothing is proven."""
        if self.since is not None:
            return self.since
        # The newest in the order of events: by its date one of a clock that was ahead would hide what came behind it.
        newest = max(reversed([*self.attempts.values()]), key=lambda each: each.tapped_at, default=None)
        return "" if newest is None else newest.transaction_date_time[:10]

    def add_older(self, older: Salvage) -> None:
        """What only a journal that was damaged before still knows. What the newer one says holds."""
        if not self.older_asked_for:
            # Nobody has asked for all that the older one lost, and that was sold before the newer one began.
            before = older.day_before_gap()
            self.since = min(self.day_before_gap() or before, before)
            self.older_asked_for = older.older_asked_for
        self.installations = [*dict.fromkeys([*self.installations, *older.installations])]
        self.claimed = [*dict.fromkeys([*self.claimed, *older.claimed])]
        self.origins = [*older.origins, *self.origins]
        self.memberships = [*older.memberships, *self.memberships]
        for subject, tries in older.tries.items():
            if subject not in self.sealed:
                self.tries.setdefault(subject, tries)
        if not self.people:
            self.people = older.people
        self.last_z = self.last_z or older.last_z
        if not self.closed_wall:
            # Else what it took over of the older one's is in its own first Z.
            for key, kinds in older.note_news.items():
                if key not in self.notes_known:
                    # That it was taken over cannot be read any more, what came of it since perhaps can.
                    self.note_news[key] = [*kinds, *self.note_news.get(key, ())]
            self.closed_wall = older.closed_wall
        self.notes_known |= older.notes_known
        self.notes = older.notes | self.notes
        self.doubtful_notes = older.doubtful_notes | self.doubtful_notes
        self.attempts = older.attempts | self.attempts
        self.paid_walls = self.paid_walls | older.paid_walls
        self.hints = {
            key: hint for key, hint in (older.hints | self.hints).items() if key not in self.attempts
        }
        self.sales = older.sales | self.sales
        self.sealed = older.sealed | self.sealed
        known = {_counted(send) for send in self.sends}
        self.sends = [*(send for send in older.sends if _counted(send) not in known), *self.sends]
        self.doubtful |= older.doubtful
        self.findings += older.findings
        self.last_at = max(self.last_at, older.last_at)
        self.next_sale = max(self.next_sale, older.next_sale)
        self.next_person = max(self.next_person, older.next_person)


def salvage_all(paths: Sequence[Path], key: bytes, environment: Environment) -> Salvage:
    """All that lies there together, the newest journal first. Raises JournalTrouble when the environment fails."""
    each: list[Salvage] = []
    for path in reversed(paths):
        each.append(salvage(path, key, environment, each[-1] if each else None))
    found = each.pop() if each else Salvage()
    while each:
        found.add_older(each.pop())
    return found


def salvage(path: Path, key: bytes, environment: Environment, before: Salvage | None = None) -> Salvage:
    """Everything that can be had. `before`: of the journal beside which this one was begun. Raises JournalTrouble when
    the environment fails.
    """
    keys, found = Keys(key, environment), Salvage(before)
    with Reading():
        anchored = read_anchor(anchor_path(path), keys)
        last = 0
        with _opened(path) as connection:
            if connection is not None:
                last = _read(connection, keys, found)
    if anchored is not None and anchored.installation_id:
        found.installations.append(anchored.installation_id)
    else:
        found.claimed.append(claimed_installation(anchor_path(path)))
    ids = [*found.attempts, *found.hints]
    found.installations += map(installation_of, found.attempts)
    found.installations = [*dict.fromkeys(each for each in found.installations if each)]
    lost = found.lost = max(0, anchored.seq - last) if anchored is not None else UNKNOWN
    highest = max((rows.place_in(attempt_id) // ATTEMPTS_OF_A_SALE for attempt_id in ids), default=0)
    sold = max(map(rows.number_of, found.sales), default=0)
    found.next_sale = max(found.next_sale, highest + 1, sold + 1) + lost
    found.names()
    return found


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection | None]:
    """The damaged file, to be read; or what its write-ahead log alone holds. None where neither is there."""
    log = path.with_name(path.name + "-wal")
    if path.exists():
        with _reading(path) as connection:
            yield connection
    elif log.exists():
        # It holds the pages that were written last; where they lie in a file is said by the tables of an empty one.
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".salvage-") as folder:
            copy = Path(folder, path.name)
            make_empty(copy)
            copy.with_name(log.name).write_bytes(log.read_bytes())
            with _reading(copy) as connection:
                yield connection
    else:
        yield None


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    connection = open_to_read(path)
    try:
        with typed(connection):
            yield connection
    finally:
        connection.close()


def _read(connection: sqlite3.Connection, keys: Keys, found: Salvage) -> int:
    """Events first, then what only a table still knows; the last number that could be read."""
    walk = Walk(keys, 0, keys.genesis)
    last = 0
    with contextlib.suppress(sqlite3.DatabaseError, ValueError):
        _whose(connection, keys, found)
    try:
        for row, proven in read_on(connection, walk):
            last = row[0] if isinstance(row[0], int) else last
            if walk.broken and found.since is None:
                found.since = found.day_before_gap()
            try:
                _take(plainly(row), proven, keys, found)
            except ValueError:
                continue
        found.findings = tuple(walk.broken)
        for (snapshot,) in connection.execute("SELECT snapshot FROM attempt").fetchall():
            _hint(rows.attempt_of(snapshot), found)
    except (sqlite3.DatabaseError, ValueError):
        pass  # the rest cannot be read; the service is asked for it
    _hint_at_notes(connection, found)
    return last


def _whose(connection: sqlite3.Connection, keys: Keys, found: Salvage) -> None:
    """The journal's own word on it, and whether that is proven."""
    for environment, installation_id, tag in map(
        plainly, connection.execute("SELECT environment, installation_id, tag FROM meta").fetchall()
    ):
        if environment == keys.environment.value and isinstance(installation_id, str):
            ours = tag == keys.meta_tag(environment, installation_id)
            (found.installations if ours else found.claimed).append(installation_id)


def _counted(send: Record) -> tuple[str, str]:
    """The same code counted in two journals is one."""
    return send.subject, str(send.content.get("stamp"))


def _take(row: tuple[Any, ...], proven: bool, keys: Keys, found: Salvage) -> None:
    content = rows.content_of(row[7])
    if row[3] == TRY:
        found.tries.setdefault(str(row[4]), []).append(rows.record_of(row))
    if not proven:
        if row[3] == Z_CLOSED:
            found.closed(content.event, proven=False)
        if content.attempt is not None:
            found.doubtful.add(content.attempt.attempt_id)
            _hint(content.attempt, found)
        if row[3] in OF_NOTES:
            note = note_in(content.event)
            found.doubtful_notes[note.number] = note
        return
    record = rows.record_of(row)
    found.last_at = max(found.last_at, record.at)
    if record.attempt is not None:
        found.met(record, record.attempt)
        if record.paid_wall:
            found.paid_walls.setdefault(record.attempt.attempt_id, record.paid_wall)
    if record.kind == Z_CLOSED:
        found.closed(record.content, proven=True)
    if record.kind in OF_NOTES:
        found.noted(record.kind, record.content)
    if record.sale is not None:
        found.sales[record.sale.sale_id] = record.sale
    if record.person is not None:
        found.people[record.person.person_id] = record.person
    if record.kind == OTP_SEND:
        found.sends.append(record)
    if record.kind in ENDS_A_ROW:
        found.tries.pop(record.subject, None)
    if record.kind == TAKEN:
        found.installations += [str(record.content["before"]), str(record.content["installation_id"])]
    found.origins += named_origins([record])
    if record.kind in (JOINED, LEFT):
        found.memberships.append(record)
    if record.kind == REBUILD_ENDED and record.subject == JOURNAL:
        found.older_asked_for = True
    if record.kind == REBUILT and record.subject == JOURNAL:
        found.older_asked_for = False
        if (older := record.content.get("last_z")) is not None and found.last_z is None:
            found.last_z = msgspec.convert(older, OlderZ)
        found.installations += [str(each) for each in record.content.get("installations", ())]
        found.origins += [origin] if (origin := str(record.content.get("origin", ""))) else []
        found.claimed += [str(each) for each in record.content.get("claimed", ())]
        found.next_sale = max(found.next_sale, int(record.content.get("next_sale", 1)))
        found.next_person = max(found.next_person, int(record.content.get("next_person", 1)))
    if row[8] is not None:
        try:
            found.sealed[record.subject] = unseal(keys.seal, record.subject, row[8])
        except SealBroken:
            found.sealed.pop(record.subject, None)


def _hint_at_notes(connection: sqlite3.Connection, found: Salvage) -> None:
    """Those that no event shows any more: no service could be asked for them, and their money would be free again."""
    with contextlib.suppress(sqlite3.DatabaseError):
        for (snapshot,) in connection.execute("SELECT snapshot FROM refund_note").fetchall():
            with contextlib.suppress(ValueError, TypeError):
                note = rows.note_of(snapshot)
                found.doubtful_notes.setdefault(note.number, note)


def _is_behind(wall: str, closed: str) -> bool:
    """Whether it was at or after a Z's time, both ISO. One of them may be without its offset, in a spoilt event."""
    if not closed:
        return True
    read = [datetime.fromisoformat(each) for each in (wall, closed)]
    noted, ended = (each if each.tzinfo else each.replace(tzinfo=UTC) for each in read)
    return noted >= ended


def _hint(attempt: Attempt, found: Salvage) -> None:
    if attempt.attempt_id not in found.attempts:
        found.hints[attempt.attempt_id] = attempt
