"""The look over a whole journal: every place is named, in events, tables, indexes and beside the file."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from pos_app.domain.attempt import State
from pos_app.domain.record import Record
from pos_app.journal import Journal, JournalDamaged, JournalTrouble
from pos_app.journal.inspection import Inspection, start_findings
from pos_app.journal.verify import TAIL
from tests.support.builders import KEYS, attempt, ended, intent, person, sale


def _fill(journal: Journal, payments: int = 5) -> None:
    for number in range(1, payments + 1):
        journal.append([intent(number), ended(attempt(number), State.PAID, number * 1000 + 500)])
    known = Record(kind="PERSON_ENROLLED", subject="p1", actor="p1", at=1, wall="", person=person())
    again = Record(kind="PERSON_CHANGED", subject="p1", actor="p1", at=2, wall="", person=person(name="B"))
    sent = Record(kind="OTP_SEND", subject="ab", actor="p1", at=3, wall="")
    twice = Record(
        kind="SALE_OVERPAID", subject="0001", actor="p1", at=4, wall="", sale=sale(1, overpaid=True)
    )
    journal.append([known, again, sent, twice])


def _execute(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in [*statements, *(sql for _, sql in triggers)]:
        connection.execute(statement)
    connection.close()


ID = attempt(2).attempt_id
FOUND = {
    f"UPDATE attempt SET state = 'FAILED' WHERE attempt_id = '{ID}'": [
        f"attempt {ID} is not what the events say"
    ],
    f"UPDATE attempt SET events = '3' WHERE attempt_id = '{ID}'": [
        f"attempt {ID} does not show event 4",
        f"attempt {ID} is not what the events say",
    ],
    f"UPDATE attempt SET events = 'x 3 4' WHERE attempt_id = '{ID}'": [
        f"attempt {ID} is not what the events say"
    ],
    f"UPDATE attempt SET events = '1 3 4' WHERE attempt_id = '{ID}'": [
        f"attempt {ID} is not what the events say"
    ],
    f"DELETE FROM attempt WHERE attempt_id = '{ID}'": [
        f"attempt {ID} does not show event 3",
        f"attempt {ID} does not show event 4",
        "sale 0002 is not what the events say",
        "takings of period 1 is not what the events say",
    ],
    "INSERT INTO attempt SELECT 990001, 'made up', kind, state, amount, 1, 1, 0, '3 4', snapshot, 0, '', 0, '', '' "
    "FROM attempt WHERE place = 20001": ["attempt made up is not what the events say"],
    "UPDATE sale SET overpaid = 0 WHERE number = 1": ["sale 0001 is not what the events say"],
    "DELETE FROM sale WHERE number = 2": ["sale 0002 does not show event 3"],
    "INSERT INTO sale SELECT 99, 0, snapshot FROM sale WHERE number = 1": [
        "sale 0099 is not what the events say"
    ],
    f"UPDATE sale SET number = {2**62} WHERE number = 2": [
        "sale 0002 does not show event 3",
        "table sale cannot be read: Python int too large to convert to SQLite INTEGER",
    ],
    "UPDATE person SET place = 1": ["person p1 is not what the events say"],
    "DELETE FROM person": ["person p1 does not show event 11", "person p1 does not show event 12"],
    "INSERT INTO person SELECT 'p2', place, snapshot FROM person": ["person p2 is not what the events say"],
    "UPDATE otp_send SET digest = 'cd'": ["otp_send 13 is not what the events say"],
    "UPDATE otp_send SET seq = 12": [
        "otp_send 13 does not show event 13",
        "otp_send 12 is not what the events say",
    ],
    "INSERT INTO otp_send VALUES (99, 'ab', 3)": ["otp_send 99 is not what the events say"],
    "DELETE FROM other_event WHERE seq = 13": ["subject 'ab' does not show event 13"],
    "INSERT INTO other_event VALUES ('ab', 12)": ["other_event 12 is not what the events say"],
    "INSERT INTO other_event VALUES ('ab', 99)": ["other_event 99 is not what the events say"],
    f"INSERT INTO other_event VALUES ('{ID}', 3)": ["other_event 3 is not what the events say"],
    "UPDATE event SET actor = 'x' WHERE seq IN (3, 9)": [
        "event 3 is not as it was written",
        "event 9 is not as it was written",
    ],
    "UPDATE event SET mac = x'00' WHERE seq = 3": ["event 3 is not as it was written"],
    "UPDATE event SET mac = zeroblob(32) WHERE seq = 3": ["event 3 is not as it was written"],
    "DELETE FROM event WHERE seq BETWEEN 3 AND 5": ["events 3 to 5 are missing"],
    "DELETE FROM event WHERE seq = 3": ["event 3 is missing"],
    "UPDATE meta SET installation_id = 'AAAAAAAA'": ["meta is not as it was written"],
    "DELETE FROM meta": ["meta is not as it was written"],
    "DROP INDEX attempt_unsettled": ["schema attempt_unsettled is not as it was written"],
    "DELETE FROM event WHERE seq = 14": [
        "event 14 is missing: the journal ends at event 13, older than last known (14)",
        "sale 0001 is not what the events say",
        "other_event 14 is not what the events say",
    ],
}


@pytest.mark.parametrize("statement", FOUND)
def test_each_place_is_named(path: Path, journal: Journal, statement: str) -> None:
    """And no other; while the till has the journal open."""
    _fill(journal)
    assert journal.inspection().findings() == []
    _execute(path, statement)
    assert [str(finding) for finding in journal.inspection().findings()] == FOUND[statement]


def test_a_text_that_has_become_a_blob_is_named(path: Path, journal: Journal) -> None:
    """A CAST would hide it: the bytes are the same. A strict table takes none, a flipped bit does not ask."""
    _fill(journal)
    journal.close()
    data = bytearray(path.read_bytes())
    # In the header before them the types of `wall` and `kind`: odd numbers for texts, one less for a blob.
    of_wall, of_kind = 13 + 2 * 29, 13 + 2 * len("ATTEMPT_TAPPED")
    # In each of them: some versions of SQLite leave a page's former rows where they were, for nobody to read.
    for row in re.finditer(rb"2026-03-02T10:15:30\.000\+05:30ATTEMPT_TAPPED", bytes(data)):
        data[data.rindex(bytes([of_wall, of_kind]), 0, row.start())] ^= 1
    path.write_bytes(bytes(data))
    report = Inspection(path, KEYS).findings()
    assert any("is not as it was written" in str(finding) for finding in report), report


def test_an_index_that_hides_a_row_is_named(path: Path, opened: Callable[[], Journal]) -> None:
    """And nothing is made anew on such a file."""
    journal = opened()
    _fill(journal)
    journal.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    sql = "UPDATE sqlite_schema SET sql = replace(sql, 'WHERE unsettled = 1', 'WHERE unsettled = 2') WHERE name = ?"
    connection.execute(sql, ("attempt_unsettled",))
    connection.close()
    with pytest.raises(JournalDamaged, match="schema attempt_unsettled is not as it was written"):
        opened()


def test_old_damage_in_a_table_is_found_by_the_look_and_mended_at_the_next_start(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """What a running till finds is written down beside the journal; the next start looks everything over."""
    journal = opened()
    _fill(journal, TAIL)
    _execute(path, f"UPDATE attempt SET amount = '1.00' WHERE attempt_id = '{ID}'")
    journal.close()
    journal = opened()
    assert journal.mended == ()
    look = journal.inspection()
    found = look.findings()
    assert [str(each) for each in found] == [f"attempt {ID} is not what the events say"]
    look.write_down(found)
    journal.close()
    journal = opened()
    assert journal.mended == tuple(found)
    assert journal.inspection().findings() == []
    journal.close()
    assert opened().mended == ()


def test_old_damage_in_an_event_moves_the_journal_aside_at_the_next_start(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """The look finds it, the next start acts on it."""
    journal = opened()
    _fill(journal, TAIL)
    _execute(path, "UPDATE event SET actor = 'x' WHERE seq = 3")
    look = journal.inspection()
    look.write_down(look.findings())
    journal.close()
    with pytest.raises(JournalDamaged, match="event 3 is not as it was written"):
        opened()
    assert not path.with_name("journal.sqlite.found").exists()


def test_a_wrong_row_of_what_is_open_is_mended_at_the_start(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """Before anything is decided on it."""
    journal = opened()
    journal.append([intent(1)])
    journal.close()
    _execute(path, "UPDATE attempt SET unsettled = 0, state = 'PAID'")
    journal = opened()
    assert len(journal.mended) == 1
    assert journal.open_attempts() == [attempt(1)]


def test_a_table_is_not_made_anew_from_events_that_are_changed(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """An old event and a table of today: the whole chain is looked at before anything is believed."""
    journal = opened()
    _fill(journal, TAIL)
    journal.append([intent(TAIL + 1)])
    journal.close()
    _execute(path, "UPDATE event SET actor = 'x' WHERE seq = 3", "UPDATE attempt SET unsettled = 0")
    with pytest.raises(JournalDamaged, match="event 3 is not as it was written"):
        opened()


MANAGER = "UPDATE person SET snapshot = replace(snapshot, '\"cashier\"', '\"manager\"')"


def _staffed_long_ago(journal: Journal) -> None:
    """Two people, one changed since; then hundreds of sign-ins of theirs, and more payments than a start reads."""
    made = [
        ("PERSON_ENROLLED", person(1)),
        ("PERSON_CHANGED", person(1, name="Nimali")),
        ("PERSON_ENROLLED", person(2)),
    ]
    journal.append(
        [
            Record(kind=kind, subject=who.person_id, actor="p1", at=1, wall="", person=who)
            for kind, who in made
        ]
    )
    signed_in = [
        Record(kind="SIGNED_IN", subject=f"p{number % 2 + 1}", actor="p1", at=2, wall="")
        for number in range(TAIL)
    ]
    journal.append([*signed_in, *map(intent, range(1, TAIL + 1))])


@pytest.mark.parametrize(
    ("deed", "person_id"),
    [
        (f"{MANAGER} WHERE person_id = 'p1'", "p1"),
        ("UPDATE person SET snapshot = replace(snapshot, 'Nimali', 'Person 1')", "p1"),
        ("UPDATE person SET place = 2 WHERE person_id = 'p2'", "p2"),
        ("DELETE FROM person WHERE person_id = 'p2'", "p2"),
        (
            "INSERT INTO person SELECT 'p3', 4, replace(snapshot, 'p2', 'p3') FROM person WHERE place = 3",
            "p3",
        ),
    ],
)
def test_no_row_of_a_person_is_believed_however_old_their_events_are(
    path: Path, opened: Callable[[], Journal], deed: str, person_id: str
) -> None:
    """A role, an older state, a place, a person gone, a person nobody enrolled: mended before anybody can sign in."""
    journal = opened()
    _staffed_long_ago(journal)
    before = journal.people()
    journal.close()
    _execute(path, deed)
    journal = opened()
    assert {each.place for each in journal.mended} == {f"person {person_id}"}
    assert journal.people() == before


@pytest.mark.parametrize("seq", [2, 3])
def test_a_persons_event_that_was_changed_with_the_row_is_found_at_the_start(
    path: Path, opened: Callable[[], Journal], seq: int
) -> None:
    """However many events are newer: the event itself is proven, not only compared."""
    journal = opened()
    _staffed_long_ago(journal)
    journal.close()
    event = f"UPDATE event SET content = replace(content, '\"cashier\"', '\"manager\"') WHERE seq = {seq}"
    _execute(path, MANAGER, event)
    with pytest.raises(JournalDamaged, match=f"event {seq} is not as it was written"):
        opened()


def test_a_look_can_be_stopped(journal: Journal) -> None:
    """In the middle of a long check of SQLite's."""
    _fill(journal)
    look = journal.inspection()
    pieces = look.pieces()
    next(pieces)
    look.stop()
    assert len(list(pieces)) < 20


def test_a_look_at_nothing_is_the_environments_failure(path: Path, journal: Journal) -> None:
    """Whoever looks is told, not ended."""
    path.unlink()
    with pytest.raises(JournalTrouble):
        journal.inspection().findings()


def test_a_passcode_s_event_changes_its_person(path: Path, journal: Journal) -> None:
    """Under a subject of its own: what it made true is no damage, and is still compared."""
    _fill(journal)
    chosen = Record(
        kind="PASSCODE_SET",
        subject="passcode:p1",
        actor="p1",
        at=5,
        wall="",
        person=person(name="B", passcode_set=True),
        sealed=b"hash",
    )
    journal.append([chosen])
    assert journal.inspection().findings() == []
    _execute(path, "UPDATE person SET snapshot = replace(snapshot, 'true', 'false')")
    assert [str(each) for each in journal.inspection().findings()] == ["person p1 is not what the events say"]


@pytest.mark.slow
def test_a_start_looks_at_as_much_however_long_the_till_has_sold(journal: Journal, path: Path) -> None:
    """Counted in SQLite's own steps: the same for two hundred payments as for two thousand."""
    taken: list[int] = []
    for payments in (range(1, 201), range(201, 2001)):
        journal.append(
            [each for number in payments for each in (intent(number), ended(attempt(number), State.PAID, 9))]
        )
        with closing(sqlite3.connect(path)) as looking:
            steps: list[None] = []
            looking.set_progress_handler(partial(steps.append, None), 1)
            assert start_findings(looking, KEYS) == []
            taken.append(len(steps))
    assert taken[1] < taken[0] * 1.2
