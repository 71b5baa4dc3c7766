"""What seldom happens to a journal: pages that cannot be read, a rollback that fails, names that are taken."""

from __future__ import annotations

import sqlite3
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Environment
from pos_app.domain.record import Record
from pos_app.journal import Journal, JournalTrouble, Trouble
from pos_app.journal.anchor import Anchor, Anchored, anchor_path, read_anchor
from pos_app.journal.chain import Keys, canonical, follows
from pos_app.journal.files import move_aside
from pos_app.journal.findings import MOST
from pos_app.journal.lock import FileLock
from pos_app.journal.schema import migrate, schema_findings
from pos_app.journal.store import Held, Owner
from pos_app.journal.verify import Report, verify
from tests.support.builders import INSTALLATION, KEY, WALL, attempt, intent, person, record, sale
from tests.support.owners_alone import is_owners_alone
from tests.unit.journal.dump import tables
from tests.unit.journal.tampering import fill, tamper

KEYS = Keys(KEY, Environment.SANDBOX)


def note(**facts: Any) -> Record:
    """An event of no attempt."""
    return Record(kind="NOTED", subject="till", actor="p1", at=1, wall=WALL, **facts)


def page_of(path: Path, needle: bytes) -> tuple[int, int]:
    """Where the page with these bytes begins, and its size."""
    whole = path.read_bytes()
    size = int.from_bytes(whole[16:18], "big")
    return whole.index(needle) // size * size, size


def spoil(path: Path, needle: bytes) -> None:
    """The page with these bytes is no page any more."""
    start, _ = page_of(path, needle)
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xff" * 8)


def looked_over(path: Path) -> Report:
    """By a connection that has read nothing yet."""
    connection = sqlite3.connect(path)
    try:
        return verify(connection, KEYS)
    finally:
        connection.close()


def large(number: int) -> Record:
    """An event that fills a page of its own, nearly."""
    return note(content={"n": number, "text": f"<{number}>" + "x" * 3_000})


def test_pages_that_cannot_be_read_are_told_and_the_walk_goes_on(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """Each event on them by its number; those behind them are looked at as well."""
    journal = opened()
    journal.append([large(number) for number in range(1, 41)])
    journal.close()
    journal = opened()
    spoil(path, b"<20>")
    told = [str(each) for each in journal.inspection().findings()]
    assert "event 20 cannot be read: database disk image is malformed" in told
    assert len([each for each in told if each.startswith("event ")]) < 5
    report = looked_over(path)
    assert 20 in [each.seq for each in report.broken]
    assert (report.head.seq, report.checked + len(report.broken)) == (40, 40)
    assert report.broken_at in (19, 20)


def test_a_file_full_of_pages_that_cannot_be_read_ends_the_walk(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """After so many tries it is bad enough."""
    journal = opened()
    journal.append([large(number) for number in range(1, 2 * MOST)])
    journal.close()
    for number in range(1, 2 * MOST):
        spoil(path, f"<{number}>".encode())
    report = looked_over(path)
    assert len(report.broken) == MOST
    assert all("cannot be read" in str(each) for each in report.broken)


def test_a_walk_from_the_middle_takes_the_row_before_as_it_stands(path: Path, journal: Journal) -> None:
    """Where that is missing, it is told."""
    fill(journal)
    assert journal.verify(5).checked == 7
    assert journal.verify(5).broken == ()
    assert journal.verify(2).checked == 10
    tamper(path, "DELETE FROM event WHERE seq = 4")
    report = journal.verify(5)
    assert [str(each) for each in report.broken] == ["event 4 is missing"]
    assert report.checked == 7
    beyond = journal.verify(20)
    assert ([str(each) for each in beyond.broken], beyond.checked) == (["event 19 is missing"], 0)


ROW = (1, 2, b"wall", b"KIND", b"subject", b"actor", b"", b"{}", None)


def test_a_row_follows_by_its_mac_alone() -> None:
    """A value of another type is a changed row, never an error."""
    good = (*ROW, KEYS.mac(KEYS.genesis, canonical(ROW)))
    assert follows(KEYS, KEYS.genesis, good)
    assert not follows(KEYS, b"another", good)
    assert not follows(KEYS, KEYS.genesis, (*ROW, None))
    assert not follows(KEYS, KEYS.genesis, (*ROW, "text"))
    for place, odd in ((0, "1"), (1, None), (1, 2**70), (2, 5), (7, None), (8, 1.5), (7, "text")):
        changed = (*good[:place], odd, *good[place + 1 :])
        assert not follows(KEYS, KEYS.genesis, changed)
    assert canonical(ROW) != canonical((*ROW[:8], b""))
    assert canonical(ROW)[:72] == struct.pack(">qq7q", 1, 2, 4, 4, 7, 5, 0, 2, -1)


class Stubborn(sqlite3.Connection):
    """A disk that lets the next rollback fail."""

    refusals = 0

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql == "ROLLBACK" and self.refusals:
            self.refusals -= 1
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *values)


def test_what_a_failed_rollback_left_is_rolled_back_before_the_next_write(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """A half transaction is never committed with the next one."""
    opened().close()
    connection = sqlite3.connect(path, isolation_level=None, factory=Stubborn)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("SELECT 1 FROM event").fetchone()
    held = Held(path, FileLock(path), Anchor(anchor_path(path), KEYS, INSTALLATION))
    journal = Journal(connection, KEYS, held, Owner(INSTALLATION))
    try:
        journal.append([intent(1)])
        connection.refusals = 1
        with pytest.raises(TypeError):
            journal.append([intent(2), replace(intent(3), content={"odd": object()})])
        assert connection.in_transaction
        assert journal.append([intent(4)]) == 2
        assert [each.sale_id for each in journal.recent(9)] == ["0004", "0001"]
        assert journal.verify().broken == ()
    finally:
        journal.close()


def test_tables_that_cannot_be_made_anew_stay_as_they_were(path: Path, journal: Journal) -> None:
    """The transaction is over, and the till writes on."""
    fill(journal)
    before = tables(path)
    tamper(path, "UPDATE event SET content = 'x' WHERE seq = 7")
    with pytest.raises(ValueError, match="JSON"):
        journal.rebuild_projections()
    assert tables(path) == before
    assert journal.append([intent(4)]) == 12


def test_a_migration_that_fails_leaves_no_transaction(path: Path, opened: Callable[[], Journal]) -> None:
    """And the file as it was."""
    journal = opened()
    fill(journal)
    journal.close()
    connection = sqlite3.connect(path, isolation_level=None)
    schema = connection.execute("SELECT sql FROM sqlite_schema").fetchall()
    with pytest.raises(sqlite3.OperationalError, match="event_of_subject"):
        migrate(connection, 1)
    assert not connection.in_transaction
    assert connection.execute("SELECT sql FROM sqlite_schema").fetchall() == schema
    connection.close()


def test_a_schema_that_cannot_be_read_is_a_finding(path: Path, opened: Callable[[], Journal]) -> None:
    """Damage; a failing disk is none."""
    opened().close()
    data = bytearray(path.read_bytes())
    data[100:108] = b"\xff" * 8
    path.write_bytes(data)
    connection = sqlite3.connect(path)
    (found,) = schema_findings(connection)
    assert (found.place, found.what) == ("schema", "cannot be read: database disk image is malformed")
    connection.close()


def test_facts_without_a_place_of_their_own_are_refused(journal: Journal) -> None:
    """Nothing of them is written."""
    of = intent(1)
    assert of.attempt is not None
    elsewhere = replace(of, attempt=replace(of.attempt, attempt_id="SBX-T7K3M9QRD-0002-1-K7Q2M9"))
    nobody = replace(of, attempt=replace(of.attempt, number=0, attempt_id="SBX-T7K3M9QRD-0001-0-K7Q2M9"))
    nameless = note(sale=replace(sale(1), sale_id="abc"))
    for wrong, why in (
        (elsewhere, r"^'SBX-T7K3M9QRD-0002-1-K7Q2M9' is not attempt 1 of sale '0001'$"),
        (nobody, r"^'SBX-T7K3M9QRD-0001-0-K7Q2M9' is not attempt 0 of sale '0001'$"),
        (nameless, r"^no sale number: 'abc'$"),
    ):
        with pytest.raises(ValueError, match=why):
            journal.append([wrong])
    assert journal.head()[0] == 0
    journal.append([record(attempt(1))])
    with pytest.raises(ValueError, match=r"stands where another installation's attempt is$"):
        journal.append([record(replace(attempt(1), attempt_id="SBX-T99999999-0001-1-K7Q2M9"))])


def test_a_person_comes_back_with_their_events(journal: Journal) -> None:
    """As handed over."""
    told = replace(note(person=person(1)), subject="p1")
    journal.append([told])
    assert journal.events_of("p1") == [told]


def test_a_journal_is_never_moved_over_another(path: Path) -> None:
    """Whatever the clock says."""
    now = time.time_ns() // 1_000_000
    taken = [path.with_name(f"journal-damaged-{stamp}.sqlite") for stamp in range(now, now + 3_000)]
    for each in taken:
        each.touch()
    path.write_bytes(b"ours")
    aside = move_aside(path)
    assert aside not in taken
    assert aside.read_bytes() == b"ours"


def test_an_anchor_says_what_is_spoilt_and_forgets_nothing_else(path: Path) -> None:
    """Each slot, and whose it is."""
    where = anchor_path(path)
    assert read_anchor(where, KEYS) is None
    anchor = Anchor(where, KEYS, INSTALLATION)
    anchor.write(7, b"m" * 32)
    spoilt = ("anchor slot 1", "anchor slot 3", "anchor identity")
    assert read_anchor(where, KEYS) == Anchored(7, b"m" * 32, "", spoilt)
    anchor.sync(8, b"n" * 32)
    assert read_anchor(where, KEYS) == Anchored(8, b"n" * 32, INSTALLATION, ())
    assert read_anchor(where, Keys(KEY[::-1], Environment.SANDBOX)) is None
    anchor.write(9, b"o" * 32)
    anchor.write(10, b"p" * 32)
    anchor.close()
    anchor.close()
    anchor.sync(11, b"q" * 32)
    with pytest.raises(ValueError, match=r"^the anchor is closed$"):
        anchor.write(12, b"r" * 32)
    assert read_anchor(where, KEYS) == Anchored(10, b"p" * 32, INSTALLATION, ())
    assert is_owners_alone(where)


def test_a_lock_is_let_go_once(path: Path) -> None:
    """And says whether it is held."""
    lock = FileLock(path)
    held = [lock.held]
    for _ in range(2):
        lock.release()
        held.append(lock.held)
    assert held == [True, False, False]
    FileLock(path).release()


def test_a_disk_that_fails_while_one_looks_is_no_finding(journal: Journal) -> None:
    """Trying again later is right."""
    fill(journal)
    looking = journal.inspection().pieces()
    next(looking)
    with pytest.raises(JournalTrouble) as caught:
        looking.throw(_failing())
    assert caught.value.trouble is Trouble.IO


def _failing() -> sqlite3.Error:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    return error
