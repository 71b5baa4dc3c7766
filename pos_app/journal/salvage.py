"""What a damaged journal still says: facts whose events are proven, and hints. Reads only; believes no table."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from pos_app.domain.attempt import Attempt, Environment
from pos_app.domain.ids import installation_of
from pos_app.domain.installation import TAKEN
from pos_app.domain.origins import named_origins
from pos_app.domain.passcode import ENDS_A_ROW, TRY
from pos_app.domain.people import Person
from pos_app.domain.rebuilt import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale
from pos_app.journal import rows
from pos_app.journal.anchor import anchor_path, read_anchor
from pos_app.journal.chain import Keys
from pos_app.journal.errors import Reading
from pos_app.journal.findings import Finding
from pos_app.journal.projections import OTP_SEND
from pos_app.journal.seal import SealBroken, unseal
from pos_app.journal.tables import plainly
from pos_app.journal.verify import Walk, read_on, typed

UNKNOWN = 1_000
"""So many sales may have been lost where even the anchor does not say how many events there were."""


class Salvage:
    """Filled while the damaged journal is read. `doubtful`: something later was recorded, and cannot be proven."""

    def __init__(self) -> None:
        self.installations: list[str] = []
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
        self.last_at = 0
        self.next_sale = 1


def salvage(path: Path, key: bytes, environment: Environment) -> Salvage:
    """Everything that can be had. Raises JournalTrouble when the environment fails."""
    keys, found = Keys(key, environment), Salvage()
    with Reading():
        anchored = read_anchor(anchor_path(path), keys)
        last = 0
        if path.exists():
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
            try:
                with typed(connection):
                    last = _read(connection, keys, found)
            finally:
                connection.close()
    if anchored is not None and anchored.installation_id:
        found.installations.append(anchored.installation_id)
    ids = [*found.attempts, *found.hints]
    found.installations += map(installation_of, found.attempts)
    found.installations = [*dict.fromkeys(each for each in found.installations if each)]
    lost = found.lost = max(0, anchored.seq - last) if anchored is not None else UNKNOWN
    highest = max((rows.place_in(attempt_id) // rows.ATTEMPTS_OF_A_SALE for attempt_id in ids), default=0)
    sold = max(map(rows.number_of, found.sales), default=0)
    found.next_sale = max(found.next_sale, highest + 1, sold + 1) + lost
    return found


def _read(connection: sqlite3.Connection, keys: Keys, found: Salvage) -> int:
    """Events first, then what only a table still knows; the last number that could be read."""
    walk = Walk(keys, 0, keys.genesis)
    last = 0
    try:
        for row, proven in read_on(connection, walk):
            last = row[0] if isinstance(row[0], int) else last
            try:
                _take(plainly(row), proven, keys, found)
            except ValueError:
                continue
        found.findings = tuple(walk.broken)
        for (snapshot,) in connection.execute("SELECT snapshot FROM attempt").fetchall():
            _hint(rows.attempt_of(snapshot), found)
    except (sqlite3.DatabaseError, ValueError):
        pass  # the rest cannot be read; the service is asked for it
    return last


def _take(row: tuple[Any, ...], proven: bool, keys: Keys, found: Salvage) -> None:
    content = rows.content_of(row[7])
    if row[3] == TRY:
        found.tries.setdefault(str(row[4]), []).append(rows.record_of(row))
    if not proven:
        if content.attempt is not None:
            found.doubtful.add(content.attempt.attempt_id)
            _hint(content.attempt, found)
        return
    record = rows.record_of(row)
    found.last_at = max(found.last_at, record.at)
    if record.attempt is not None:
        found.attempts[record.attempt.attempt_id] = record.attempt
        found.hints.pop(record.attempt.attempt_id, None)
    if record.sale is not None:
        found.sales[record.sale.sale_id] = record.sale
    if record.person is not None:
        found.people[record.person.person_id] = record.person
    if record.kind == OTP_SEND:
        found.sends.append(record)
    if record.kind in ENDS_A_ROW:
        found.tries.pop(record.subject, None)
    if record.kind == TAKEN:
        found.installations += [str(record.content.get("before", "")), str(record.content["installation_id"])]
    found.origins += named_origins([record])
    if record.kind == REBUILT and record.subject == JOURNAL:
        found.installations += [str(each) for each in record.content.get("installations", ())]
        found.origins += [origin] if (origin := str(record.content.get("origin", ""))) else []
        found.next_sale = max(found.next_sale, int(record.content.get("next_sale", 1)))
    if row[8] is not None:
        try:
            found.sealed[record.subject] = unseal(keys.seal, record.subject, row[8])
        except SealBroken:
            found.sealed.pop(record.subject, None)


def _hint(attempt: Attempt, found: Salvage) -> None:
    if attempt.attempt_id not in found.attempts:
        found.hints[attempt.attempt_id] = attempt
