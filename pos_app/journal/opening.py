"""Opening a journal: lock, version, identity, the check of its end; a damaged one is moved aside."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from pos_app.domain.attempt import Environment
from pos_app.domain.ids import INSTALLATION_LENGTH
from pos_app.journal import verify
from pos_app.journal.anchor import Anchor, Anchored, anchor_path, read_anchor
from pos_app.journal.backup import back_up
from pos_app.journal.chain import Keys
from pos_app.journal.errors import (
    EnvironmentFailures,
    JournalBroken,
    JournalDamaged,
    JournalElsewhere,
    JournalKeyWrong,
    JournalTrouble,
    Reading,
    Trouble,
)
from pos_app.journal.files import found_path, is_empty, move_aside, remains
from pos_app.journal.findings import Finding, text_of
from pos_app.journal.inspection import Inspection, spoilt_parts, start_findings
from pos_app.journal.lock import FileLock
from pos_app.journal.projections import rebuild
from pos_app.journal.schema import MIGRATIONS, check_version, migrate, schema_findings
from pos_app.journal.store import Held, Journal, Owner, random_part
from pos_app.system.atomic_file import sync_folder

BUSY_MS = 2_000


class _First(NamedTuple):
    """How a journal begins that is not there: as which installation ("" for one by chance), and whether it should be.

    `expected`: as in `open_journal`; `draw` gives so many characters by chance.
    """

    installation_id: str
    expected: bool | None
    draw: Callable[[int], str]


def open_journal(
    path: Path,
    key: bytes,
    environment: Environment,
    *,
    installation_id: str | None = None,
    machine_id: str = "",
    draw: Callable[[int], str] = random_part,
    expected: bool | None = None,
) -> Journal:
    """Opens the journal or makes a new one, for one till at a time.

    `machine_id`: where this is (system/machine.py); `draw` gives so many characters by chance.
    `expected`: whether there has been a journal here, by what else lies in its folder; False: this is known to
    be the first start, or its second try. None: only what belongs to the journal itself can tell.

    Raises JournalInUse, JournalRefused, JournalTrouble, or JournalDamaged once the file has been moved
    aside; opening again then makes a fresh one, whose ledger is rebuilt by asking the service.
    """
    keys = Keys(key, environment)
    with EnvironmentFailures():
        lock = FileLock(path)
    try:
        try:
            with Reading():
                first = _First(installation_id or "", expected, draw)
                return _locked(path, keys, lock, first, keys.machine(machine_id))
        except (JournalBroken, JournalTrouble, sqlite3.Error) as error:
            problem = damage_in(error)
        with EnvironmentFailures():
            moved_to = move_aside(path, problem)
        raise JournalDamaged(problem, moved_to)
    except BaseException:
        lock.release()
        raise


def damage_in(error: JournalBroken | JournalTrouble | sqlite3.Error) -> str:
    """What is broken; anything else is raised again. At the start an SQL error means: not our tables."""
    if isinstance(error, JournalTrouble) and error.trouble is not Trouble.DAMAGED:
        raise error
    if isinstance(error, sqlite3.ProgrammingError):
        raise error
    return str(error)


def _locked(path: Path, keys: Keys, lock: FileLock, first: _First, machine: str) -> Journal:
    if remains(path) and first.expected is not False:
        raise JournalBroken("the journal is gone; what belongs to it was left")
    if first.expected and is_empty(path):
        raise JournalBroken("the journal is gone; there has been one, because its key, lock or log is there")
    if not path.exists():
        path.touch(0o600)
    lock.hold(path)
    connection = connect(path)
    try:
        found = check_version(connection, path)
        if found:
            check_identity(connection, path, keys)
        if 0 < found < len(MIGRATIONS):
            back_up(connection, path, len(MIGRATIONS))
        migrate(connection, found)
        anchored = read_anchor(anchor_path(path), keys)
        wanted = first.installation_id
        if first.expected is False and anchored is not None:
            # A first start was cut off by a power cut that took the journal's name and left its anchor's.
            wanted = wanted or anchored.installation_id
        identity = _identity(connection, keys, wanted or first.draw(INSTALLATION_LENGTH))
        if first.expected and anchored is None and verify.head(connection, keys).seq == 0:
            raise JournalBroken("nothing is in the journal, and its anchor is gone")
        mended = _mended(connection, path, keys, anchored)
        anchor = Anchor(anchor_path(path), keys, identity)
        with contextlib.ExitStack() as undo:
            undo.callback(anchor.close)
            held, owner = Held(path, lock, anchor), Owner(identity, machine)
            journal = Journal(connection, keys, held, owner, draw=first.draw, mended=mended)
            undo.pop_all()
        if anchored is None or anchored.spoilt:
            anchor.sync(*journal.head())
            sync_folder(path.parent)
        return journal
    except BaseException:
        connection.close()
        raise


def _mended(
    connection: sqlite3.Connection, path: Path, keys: Keys, anchored: Anchored | None
) -> tuple[Finding, ...]:
    """What was found at this start and has been made anew. Raises JournalBroken for what cannot be."""
    found = [*schema_findings(connection), *verify.tail_findings(connection, keys, anchored)]
    mark = found_path(path)
    if not found and (mark.exists() or start_findings(connection, keys)):
        # Before anything is made anew from the events, all of them are looked at.
        found = Inspection(path, keys).findings()
    broken = [finding for finding in found if not finding.tables_only]
    if broken:
        raise JournalBroken(text_of(broken))
    if any(not finding.place.startswith("anchor") for finding in found):
        rebuild(connection)
    mark.unlink(missing_ok=True)
    return tuple(dict.fromkeys([*found, *spoilt_parts(anchored)]))


def connect(path: Path) -> sqlite3.Connection:
    """A writing connection: each commit is on the disk before it returns."""
    # The engine's thread uses what the window's thread opened; never both at once.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000)
    try:
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise JournalTrouble(Trouble.CANNOT_OPEN, f"the file system allows no write-ahead log ({mode})")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def check_identity(connection: sqlite3.Connection, path: Path, keys: Keys) -> None:
    """Refuses another environment's or another key's journal before anything of it is changed."""
    row = connection.execute("SELECT environment, installation_id, tag FROM meta").fetchone()
    if row is None:
        if verify.head(connection, keys).seq:
            raise JournalBroken("the journal does not say whose it is")
        return
    environment, identity, tag = row
    if environment != keys.environment.value and environment in set(Environment):
        raise JournalElsewhere(path, environment, keys.environment.value)
    if tag != keys.meta_tag(environment, identity):
        if verify.tail_fits(connection, keys):
            raise JournalBroken("the journal's identity was changed")
        raise JournalKeyWrong(path)


def _identity(connection: sqlite3.Connection, keys: Keys, wanted: str) -> str:
    row = connection.execute("SELECT installation_id FROM meta").fetchone()
    if row is not None:
        return str(row[0])
    identity = wanted
    environment = keys.environment.value
    tag = keys.meta_tag(environment, identity)
    connection.execute("INSERT INTO meta VALUES (1, ?, ?, ?)", (environment, identity, tag))
    return identity
