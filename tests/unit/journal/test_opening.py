"""Opening: what is not this till's is refused unchanged, what is damaged is moved aside whole, old files go on."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment, State
from pos_app.domain.ids import ALPHABET, INSTALLATION_LENGTH
from pos_app.domain.installation import SUBJECT, TAKEN
from pos_app.domain.record import Record
from pos_app.journal import (
    Journal,
    JournalDamaged,
    JournalElsewhere,
    JournalKeyWrong,
    JournalTooNew,
    JournalTrouble,
    open_journal,
    read_only,
    set_aside,
)
from pos_app.journal.salvage import salvage
from pos_app.journal.schema import MIGRATIONS
from tests.support.builders import KEY, WALL, attempt, ended, intent
from tests.support.owners_alone import is_owners_alone
from tests.unit.journal.dump import tables


def _filled(opened: Callable[[], Journal]) -> None:
    journal = opened()
    journal.append([intent(1), ended(attempt(1), State.PAID, 1500), intent(2)])
    journal.close()


def _execute(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_a_new_journal_is_its_owners_alone_and_has_an_identity(path: Path, journal: Journal) -> None:
    """Each of its files, and eight characters that can be read aloud."""
    journal.append([intent(1)])
    for file in path.parent.iterdir():
        assert is_owners_alone(file), file.name
    assert len(journal.installation_id) == INSTALLATION_LENGTH
    assert set(journal.installation_id) <= set(ALPHABET)


def test_the_identity_stays(path: Path, opened: Callable[[], Journal]) -> None:
    """Whoever opens it again, whatever is wished for then."""
    first = open_journal(path, KEY, Environment.SANDBOX, installation_id="ABCDEFGH")
    first.close()
    assert opened().installation_id == "ABCDEFGH"


def test_a_newer_journal_is_refused_unchanged(path: Path, opened: Callable[[], Journal]) -> None:
    """By number; what this program does not know it must not touch."""
    _filled(opened)
    _execute(path, f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = path.read_bytes()
    with pytest.raises(JournalTooNew) as caught:
        opened()
    assert (caught.value.found, caught.value.known) == (len(MIGRATIONS) + 1, len(MIGRATIONS))
    assert path.read_bytes() == before


@pytest.mark.parametrize("key", [KEY, b"k" * 32], ids=["the same key", "its own key"])
def test_a_journal_of_the_other_environment_is_refused_unchanged(
    path: Path, opened: Callable[[], Journal], key: bytes
) -> None:
    """Live and sandbox never share a file (I9)."""
    _filled(opened)
    before = path.read_bytes()
    with pytest.raises(JournalElsewhere, match="sandbox, not to live"):
        open_journal(path, key, Environment.LIVE)
    assert path.read_bytes() == before


@pytest.mark.parametrize("empty", [True, False])
def test_a_wrong_key_is_refused_unchanged(path: Path, opened: Callable[[], Journal], empty: bool) -> None:
    """A lost key store is no damage: with the right key all is there again."""
    if empty:
        opened().close()
    else:
        _filled(opened)
    before = path.read_bytes()
    with pytest.raises(JournalKeyWrong):
        open_journal(path, b"k" * 32, Environment.SANDBOX)
    assert path.read_bytes() == before
    assert opened().head()[0] == (0 if empty else 3)


def test_a_short_key_is_our_bug(path: Path) -> None:
    """Nothing is opened with it."""
    with pytest.raises(ValueError, match="32 bytes"):
        open_journal(path, b"short", Environment.SANDBOX)


def _garbage(path: Path) -> None:
    path.write_bytes(b"\0\1 no database at all " * 500)


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:9_000])


def _version_lost(path: Path) -> None:
    _execute(path, "PRAGMA user_version = 0")


def _table_lost(path: Path) -> None:
    _execute(path, "DROP TABLE meta")


def _identity_changed(path: Path) -> None:
    _execute(path, "UPDATE meta SET installation_id = 'AAAAAAAA'")


def _identity_lost(path: Path) -> None:
    _execute(path, "DELETE FROM meta")


def _environment_flipped(path: Path) -> None:
    _execute(path, "UPDATE meta SET environment = 'sandbow'")


def _no_text(path: Path) -> None:
    _execute(path, "UPDATE meta SET installation_id = CAST(x'ff41' AS TEXT)")


def _overwritten(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xaa" * (len(data) - 4096)
    path.write_bytes(data)


def _gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    "damage",
    [
        _garbage,
        _truncated,
        _version_lost,
        _table_lost,
        _identity_changed,
        _identity_lost,
        _environment_flipped,
        _no_text,
        _overwritten,
        _gone,
    ],
)
def test_a_damaged_journal_is_moved_aside_and_a_fresh_one_opens(
    path: Path, opened: Callable[[], Journal], damage: Callable[[Path], None]
) -> None:
    """Byte for byte, never deleted; the fresh one is another installation and starts at 1."""
    _filled(opened)
    old = opened()
    identity = old.installation_id
    old.close()
    damage(path)
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(JournalDamaged) as caught:
        opened()
    aside = caught.value.moved_to
    assert (aside.read_bytes() if aside.exists() else None) == before
    assert aside.with_name(aside.name + ".anchor").exists()
    fresh = opened()
    assert fresh.installation_id != identity
    assert fresh.append([intent(1)]) == 1


def test_a_damaged_journal_can_still_be_looked_at(path: Path, opened: Callable[[], Journal]) -> None:
    """Where SQLite can read it, its payments are there for a person to see."""
    _filled(opened)
    _execute(path, "UPDATE meta SET installation_id = 'AAAAAAAA'")
    with pytest.raises(JournalDamaged) as caught:
        opened()
    looking = read_only(caught.value.moved_to)
    assert [one.state for one in looking.recent(5)] == [State.INTENT, State.PAID]
    looking.close()


def test_two_damaged_journals_in_a_row_are_both_kept(path: Path, opened: Callable[[], Journal]) -> None:
    """Names do not collide, however fast."""
    asides = set()
    for _ in range(5):
        _garbage(path)
        with pytest.raises(JournalDamaged) as caught:
            opened()
        asides.add(caught.value.moved_to)
    assert len(asides) == 5
    assert all(aside.exists() for aside in asides)


def test_an_empty_file_becomes_a_journal(path: Path, opened: Callable[[], Journal]) -> None:
    """A till that was killed between making the file and its tables."""
    path.touch()
    assert opened().append([intent(1)]) == 1


def test_a_file_of_the_first_version_is_brought_up_with_its_payments(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """The events stay as they are; the tables are made anew from them."""
    _filled(opened)
    journal = opened()
    before, head = tables(path), journal.head()
    journal.close()
    drops = [
        "DROP INDEX event_of_people",
        "DROP INDEX event_of_a_person",
        "DROP TABLE sale",
        "DROP TABLE attempt",
        "DROP TABLE other_event",
        "DROP TABLE person",
        "DROP TABLE takings",
        "DROP TABLE remark",
        "DROP TABLE z_report",
        "DROP TABLE print_job",
        "DROP TABLE recon_run",
        "DROP TABLE difference",
        "DROP TABLE refund_note",
    ]
    made_first = [text for text in MIGRATIONS[0] if "event (" not in text or "INDEX" in text]
    made_first = [text for text in made_first if "TABLE meta" not in text and "TRIGGER" not in text]
    _execute(path, *drops, "DROP TABLE otp_send", *made_first, "PRAGMA user_version = 1")
    journal = opened()
    assert tables(path) == before
    assert journal.head() == head
    assert not journal.verify().broken_at
    assert [one.attempt_id for one in journal.open_attempts()] == [attempt(2).attempt_id]


def test_a_migration_that_fails_changes_nothing(path: Path, opened: Callable[[], Journal]) -> None:
    """All steps are one transaction: the file is of the old version still."""
    _filled(opened)
    _execute(path, "PRAGMA user_version = 1")
    with pytest.raises(JournalDamaged) as caught:
        opened()
    connection = sqlite3.connect(caught.value.moved_to)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM attempt").fetchone() == (2,)
    connection.close()


def test_looking_at_another_version_is_told(path: Path, opened: Callable[[], Journal]) -> None:
    """Its tables are not the ones this program asks."""
    _filled(opened)
    _execute(path, f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    with pytest.raises(JournalTooNew):
        read_only(path)
    _execute(path, "PRAGMA user_version = 1")
    with pytest.raises(JournalTrouble, match="older version"):
        read_only(path)


def test_a_new_installation_id_holds_from_its_event_on(path: Path, opened: Callable[[], Journal]) -> None:
    """Event and identity are one transaction; nothing about the file is then out of place."""
    journal = opened()
    before = journal.installation_id
    journal.append([intent(1)])
    taken = Record(
        kind=TAKEN,
        subject=SUBJECT,
        actor="terminal",
        at=1,
        wall=WALL,
        content={"installation_id": "ABCDEFGH", "before": before},
    )
    journal.append([taken])
    assert journal.installation_id == journal.installed_as() == "ABCDEFGH"
    assert journal.installations() == {before, "ABCDEFGH"}
    assert journal.inspection().findings() == []
    journal.close()
    again = opened()
    assert (again.installation_id, again.mended) == ("ABCDEFGH", ())
    again.close()
    found = salvage(path, KEY, Environment.SANDBOX)
    assert {before, "ABCDEFGH"} <= {*found.installations}


def test_a_machine_is_known_by_a_hash_under_the_journals_key(path: Path) -> None:
    """Another machine has another one, another key too, and the id itself is in no file."""
    seen = []
    for machine_id in ("0123456789abcdef", "0123456789abcdef", "fedcba9876543210", ""):
        with closing(open_journal(path, KEY, Environment.SANDBOX, machine_id=machine_id)) as journal:
            seen.append(journal.machine)
    assert seen[0] == seen[1] != seen[2]
    assert seen[3] == ""
    other = path.with_name("other.db")
    with closing(
        open_journal(other, bytes(32), Environment.SANDBOX, machine_id="0123456789abcdef")
    ) as journal:
        assert journal.machine not in seen
    assert b"0123456789abcdef" not in path.read_bytes()


def test_a_first_start_that_was_cut_off_stays_the_installation_it_was(path: Path) -> None:
    """A power cut took the journal's name and left its anchor's; another id by chance would be a second till's."""
    open_journal(path, KEY, Environment.SANDBOX, installation_id="ABCDEFGH").close()
    path.unlink()
    with closing(open_journal(path, KEY, Environment.SANDBOX, expected=False)) as journal:
        assert journal.installation_id == "ABCDEFGH"
        assert journal.append([intent(1)]) == 1
    assert not set_aside(path)


def test_an_id_that_is_wished_for_at_a_first_start_is_taken(path: Path) -> None:
    """Before the anchor's, which nothing has used yet."""
    open_journal(path, KEY, Environment.SANDBOX, installation_id="ABCDEFGH").close()
    path.unlink()
    again = open_journal(path, KEY, Environment.SANDBOX, installation_id="HGFEDCBA", expected=False)
    with closing(again) as journal:
        assert journal.installation_id == "HGFEDCBA"


def test_a_first_start_whose_anchor_knows_of_events_is_none(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """Whatever else says that it is one: there were payments."""
    _filled(opened)
    path.unlink()
    with pytest.raises(JournalDamaged, match="older than last known"):
        open_journal(path, KEY, Environment.SANDBOX, expected=False)


@pytest.mark.parametrize(("anchored", "expected"), [(True, True), (True, None), (False, None)])
def test_a_journal_without_events_opens(path: Path, anchored: bool, expected: bool | None) -> None:
    """Where its anchor says that there were none, or nobody knows of any."""
    own = open_journal(path, KEY, Environment.SANDBOX)
    own.close()
    if not anchored:
        path.with_name(path.name + ".anchor").unlink()
    with closing(open_journal(path, KEY, Environment.SANDBOX, expected=expected)) as journal:
        assert journal.installation_id == own.installation_id


def test_a_journal_without_events_and_anchor_is_no_till_that_has_sold(path: Path) -> None:
    """Somebody put an empty one in its place: the service is to be asked what there was."""
    open_journal(path, KEY, Environment.SANDBOX).close()
    path.with_name(path.name + ".anchor").unlink()
    with pytest.raises(JournalDamaged, match="nothing is in the journal, and its anchor is gone") as caught:
        open_journal(path, KEY, Environment.SANDBOX, expected=True)
    assert set_aside(path) == [caught.value.moved_to]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_in_the_place_of_its_anchor_is_said_and_not_waited_for(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """The till stood black for ever, and held the journal's lock."""
    _filled(opened)
    anchor = path.with_name(path.name + ".anchor")
    kept = anchor.rename(anchor.with_name("kept"))
    os.mkfifo(anchor)
    with pytest.raises(JournalTrouble):
        opened()
    anchor.unlink()
    kept.rename(anchor)
    assert opened().head()[0] == 3
