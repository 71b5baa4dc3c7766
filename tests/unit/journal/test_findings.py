"""A look at everything: each change of a table, of the chain, of schema, identity and anchor, with its place."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.domain.attempt import State
from pos_app.domain.record import Record
from pos_app.journal import Journal, JournalDamaged
from pos_app.journal.findings import MOST, Finding, text_of
from pos_app.journal.inspection import NEWEST, SLICE
from tests.support.builders import WALL, attempt, ended, intent, person
from tests.unit.journal.tampering import fill, tamper

ATTEMPT = "attempt SBX-T7K3M9QRD-0001-1-K7Q2M9"
DIFFERS = "is not what the events say"
CHANGED = "is not as it was written"


def attempt_set(change: str) -> str:
    """Changes the first attempt's row."""
    return f"UPDATE attempt SET {change} WHERE place = 10001"


TAKINGS = f"takings of period 1 {DIFFERS}"
IN_TABLES: list[tuple[str, list[str]]] = [
    (
        "DELETE FROM attempt WHERE place = 10001",
        [*(f"{ATTEMPT} does not show event {n}" for n in (1, 2)), TAKINGS],
    ),
    *(
        (attempt_set(change), [f"{ATTEMPT} {DIFFERS}"])
        for change in (
            "state = 'FAILED'",
            "kind = 'push'",
            "amount = '12.5'",
            "tapped_at = 1",
            "unsettled = 1",
            "events = '1 2 3'",
            "events = '2 1'",
            "events = '1 2 2'",
            "events = '1 2 x'",
            "events = '1 2 ²'",
            "events = '1 2 99'",
            "events = '1 2 99999999999999999999'",
            "receipt = 7",
            "receipt_of = '7K3M9QRD'",
        )
    ),
    *(
        (attempt_set(change), [f"{ATTEMPT} {DIFFERS}", TAKINGS])
        for change in (
            "ended_at = NULL",
            "snapshot = replace(snapshot, 'LKR', 'USD')",
            "period = 2",
            "counted = 'PAID_LATE'",
            "counted = ''",
            "hour = '2026-03-02T11+05:30'",
        )
    ),
    (attempt_set("events = '2'"), [f"{ATTEMPT} does not show event 1"]),
    (attempt_set("attempt_id = 'x'"), [f"attempt x {DIFFERS}"]),
    (
        attempt_set("place = 10002"),
        [*(f"{ATTEMPT} does not show event {n}" for n in (1, 2)), f"{ATTEMPT} {DIFFERS}"],
    ),
    ("DELETE FROM sale WHERE number = 1", [f"sale 0001 does not show event {n}" for n in (1, 10)]),
    ("UPDATE sale SET overpaid = 1 WHERE number = 2", [f"sale 0002 {DIFFERS}"]),
    ("UPDATE sale SET snapshot = replace(snapshot, 'LKR', 'USD') WHERE number = 1", [f"sale 0001 {DIFFERS}"]),
    ("INSERT INTO sale VALUES (9, 0, '{}')", [f"sale 0009 {DIFFERS}"]),
]
ELSEWHERE_IN_TABLES: list[tuple[str, list[str]]] = [
    ("DELETE FROM person", [f"person p1 does not show event {n}" for n in (6, 7)]),
    ("UPDATE person SET snapshot = replace(snapshot, 'Nimali', 'Kamal')", [f"person p1 {DIFFERS}"]),
    ("UPDATE person SET place = 7", [f"person p1 {DIFFERS}"]),
    ("INSERT INTO person VALUES ('p9', 3, '{}')", [f"person p9 {DIFFERS}"]),
    ("DELETE FROM otp_send WHERE seq = 8", ["otp_send 8 does not show event 8"]),
    ("UPDATE otp_send SET at = 1 WHERE seq = 8", [f"otp_send 8 {DIFFERS}"]),
    ("UPDATE otp_send SET digest = 'd9' WHERE seq = 8", [f"otp_send 8 {DIFFERS}"]),
    ("INSERT INTO otp_send VALUES (10, '0001', 5000)", [f"otp_send 10 {DIFFERS}"]),
    ("INSERT INTO otp_send VALUES (99, 'd', 5000)", [f"otp_send 99 {DIFFERS}"]),
    ("DELETE FROM other_event WHERE seq = 11", ["subject 'till' does not show event 11"]),
    (
        "UPDATE other_event SET subject = 'x' WHERE seq = 11",
        ["subject 'till' does not show event 11", f"other_event 11 {DIFFERS}"],
    ),
    ("INSERT INTO other_event VALUES ('till', 99)", [f"other_event 99 {DIFFERS}"]),
    ("INSERT INTO other_event VALUES ('SBX-T7K3M9QRD-0001-1-K7Q2M9', 1)", [f"other_event 1 {DIFFERS}"]),
    ("UPDATE takings SET amount = amount + 1", [TAKINGS]),
    ("UPDATE takings SET payments = 1", [TAKINGS]),
    ("DELETE FROM takings", [TAKINGS]),
    (
        "INSERT INTO takings VALUES (2, 'PAID', 'qr', 'p1', 'LKR', '', 1, 1250)",
        [f"takings of period 2 {DIFFERS}"],
    ),
    ("INSERT INTO remark VALUES (2, 1, 'late', 0, 10001)", [f"{ATTEMPT} {DIFFERS}"]),
    ("INSERT INTO remark VALUES (2, 1, 'something', 0, 10001)", [f"{ATTEMPT} {DIFFERS}"]),
    ("INSERT INTO remark VALUES (11, 1, 'late', 0, 99)", [f"remark 11 {DIFFERS}"]),
]
IN_EVENTS: list[tuple[str, list[str], int]] = [
    ("UPDATE event SET actor = 'p9' WHERE seq = 7", [f"event 7 {CHANGED}"], 7),
    ("UPDATE event SET content = 'x' WHERE seq = 7", [f"event 7 {CHANGED}"], 7),
    ("UPDATE event SET mac = x'00' WHERE seq = 5", [f"event 5 {CHANGED}"], 5),
    ("DELETE FROM event WHERE seq = 7", ["event 7 is missing"], 7),
    ("DELETE FROM event WHERE seq IN (4, 5)", ["events 4 to 5 are missing"], 4),
    ("UPDATE meta SET tag = x''", [f"meta {CHANGED}"], 0),
    ("UPDATE meta SET installation_id = 'x'", [f"meta {CHANGED}"], 0),
    ("UPDATE meta SET environment = 'live'", [f"meta {CHANGED}"], 0),
    ("DELETE FROM meta", [f"meta {CHANGED}"], 0),
    ("DROP INDEX attempt_by_time", [f"schema attempt_by_time {CHANGED}"], 0),
    ("CREATE INDEX mine ON event (at)", [f"schema mine {CHANGED}"], 0),
    ("CREATE TABLE mine (a)", [f"schema mine {CHANGED}"], 0),
]


def test_an_untouched_journal_has_no_findings(journal: Journal) -> None:
    """Nor an empty one."""
    assert journal.inspection().findings() == []
    fill(journal)
    assert journal.inspection().findings() == []


@pytest.mark.parametrize(("change", "told"), IN_TABLES + ELSEWHERE_IN_TABLES)
def test_a_changed_table_is_told_row_by_row(
    path: Path, journal: Journal, change: str, told: list[str]
) -> None:
    """The events are as they were: what is wrong can be made anew, and then is right."""
    fill(journal)
    tamper(path, change)
    found = journal.inspection().findings()
    assert [str(each) for each in found] == told
    assert all(each.tables_only and not each.seq for each in found)
    journal.rebuild_projections()
    assert journal.inspection().findings() == []


@pytest.mark.parametrize(("change", "told"), IN_TABLES)
def test_a_start_mends_what_it_decides_on(
    path: Path, opened: Callable[[], Journal], change: str, told: list[str]
) -> None:
    """Attempts and sales that stand open, and the newest."""
    journal = opened()
    fill(journal)
    journal.close()
    tamper(path, change)
    mended = opened()
    assert sorted(map(str, mended.mended)) == sorted(told)
    assert mended.inspection().findings() == []
    mended.close()
    assert opened().mended == ()


@pytest.mark.parametrize(("change", "told", "seq"), IN_EVENTS)
def test_a_changed_journal_is_told_with_its_place(
    path: Path, journal: Journal, change: str, told: list[str], seq: int
) -> None:
    """Nothing makes that anew: the service has to be asked."""
    fill(journal)
    tamper(path, change)
    found = journal.inspection().findings()
    assert [str(each) for each in found] == told
    assert [(each.seq, each.tables_only) for each in found] == [(seq, False)]


def test_a_journal_cut_short_and_a_last_event_of_its_own_are_told(path: Path, journal: Journal) -> None:
    """By the anchor."""
    fill(journal)
    tamper(path, "UPDATE event SET mac = x'00' WHERE seq = 11")
    assert [str(each) for each in journal.inspection().findings()] == [
        "event 11 is not the one last known",
        f"event 11 {CHANGED}",
    ]
    tamper(path, "DELETE FROM event WHERE seq > 9", "DELETE FROM other_event WHERE seq > 9")
    assert [str(each) for each in journal.inspection().findings()] == [
        "event 10 is missing: the journal ends at event 9, older than last known (11)"
    ]


def test_a_table_that_is_gone_is_a_finding_and_no_crash(path: Path, journal: Journal) -> None:
    """Whoever looks is told; the till that looks goes on."""
    fill(journal)
    tamper(path, "DROP TABLE otp_send")
    told = [str(each) for each in journal.inspection().findings()]
    assert told[:2] == [f"schema otp_send {CHANGED}", f"schema otp_send_at {CHANGED}"]
    assert all(each.endswith("no such table: otp_send") for each in told[2:])
    assert len(told) > 2


def test_pieces_are_small_and_a_stopped_look_ends(journal: Journal) -> None:
    """Between two pieces the till works."""
    fill(journal)
    for number in range(4, 4 + SLICE):
        journal.append([intent(number), ended(attempt(number), State.PAID, number * 1000 + 500)])
    walked = [piece.rows for piece in journal.inspection().pieces()]
    assert max(walked) == SLICE
    assert sum(walked) == journal.head()[0] == 2 * SLICE + 11
    looking = journal.inspection()
    pieces = looking.pieces()
    assert next(pieces).findings == ()
    looking.stop()
    assert len(list(pieces)) < len(walked)


@pytest.mark.parametrize("place", [10_001, (SLICE + 1) * 10_000 + 1, (SLICE + 20) * 10_000 + 1])
def test_a_table_longer_than_a_slice_is_compared_to_its_end(path: Path, journal: Journal, place: int) -> None:
    """And so are those with two columns for a key."""
    journal.append([intent(number) for number in range(1, SLICE + 21)])
    notes = [Record(kind="NOTED", subject="till", actor="p1", at=1, wall=WALL) for _ in range(SLICE + 1)]
    journal.append(notes)
    assert journal.inspection().findings() == []
    tamper(path, f"UPDATE attempt SET amount = '1' WHERE place = {place}")
    tamper(path, f"INSERT INTO other_event VALUES ('till', {9_000 + place})")
    told = [str(each) for each in journal.inspection().findings()]
    changed = f"attempt {attempt(place // 10_000).attempt_id}"
    assert told == [f"{changed} {DIFFERS}", f"other_event {9_000 + place} {DIFFERS}"]


def test_a_person_of_many_events_is_what_the_newest_says_at_the_place_of_the_first(
    path: Path, journal: Journal
) -> None:
    """Whatever the second says."""
    for name in ("A", "B", "C"):
        known = person(1, name=name)
        journal.append(
            [
                Record(kind="PERSON", subject="p1", actor="p1", at=1, wall=WALL, person=known),
                intent(ord(name)),
            ]
        )
    assert journal.inspection().findings() == []
    for change in ("place = 3", "snapshot = replace(snapshot, '\"C\"', '\"B\"')"):
        tamper(path, f"UPDATE person SET {change}")
        assert [str(each) for each in journal.inspection().findings()] == [f"person p1 {DIFFERS}"]
        journal.rebuild_projections()


def test_a_broken_index_is_told_of_the_file(path: Path, opened: Callable[[], Journal]) -> None:
    """In SQLite's words, on one line."""
    journal = opened()
    fill(journal)
    connection = sqlite3.connect(path)
    (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'attempt_ended'").fetchone()
    connection.close()
    journal.close()
    journal = opened()
    data = path.read_bytes()
    size = int.from_bytes(data[16:18], "big")
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\x0a\x00\x00\x00\x00" + data[(root - 1) * size + 5 : root * size])
    found = journal.inspection().findings()
    assert found
    found = [each for each in found if str(each) != TAKINGS]  # counted by that very index
    assert all(each.place == "file" and each.what.startswith("is damaged: ") for each in found)
    assert all("\n" not in each.what and "  " not in each.what for each in found)
    assert any("attempt_ended" in each.what for each in found)


def test_a_spoilt_anchor_is_told_and_can_be_written_anew(path: Path, journal: Journal) -> None:
    """It may have been in the middle of being written: it is read twice."""
    fill(journal)
    anchor = path.with_name("journal.sqlite.anchor")
    data = bytearray(anchor.read_bytes())
    data[-1] ^= 1
    anchor.write_bytes(data)
    found = journal.inspection().findings()
    assert [str(each) for each in found] == [f"anchor identity {CHANGED}"]
    assert all(each.tables_only for each in found)


def test_a_start_looks_at_the_newest_and_what_stands_open(path: Path, opened: Callable[[], Journal]) -> None:
    """However old that is; only where it finds something does it look at everything."""
    journal = opened()
    fill(journal)
    for number in range(4, 4 + NEWEST):
        journal.append([intent(number), ended(attempt(number), State.PAID, number * 1000 + 500)])
    journal.close()
    tamper(path, attempt_set("amount = '1'"))
    journal = opened()
    assert journal.mended == ()
    journal.close()
    tamper(path, "UPDATE attempt SET amount = '1' WHERE place = 30001")
    told = [f"attempt SBX-T7K3M9QRD-000{number}-1-K7Q2M9 {DIFFERS}" for number in (1, 3)]
    assert [str(each) for each in opened().mended] == told


def test_the_worst_file_names_a_hundred_places(path: Path, journal: Journal) -> None:
    """It is as bad in every part."""
    for number in range(1, 2 + MOST):
        journal.append([intent(number)])
    tamper(path, "UPDATE event SET actor = 'p9'")
    found = journal.inspection().findings()
    assert len(found) == MOST
    assert found[0] == Finding("event 1", CHANGED, 1)


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, ""),
        (1, "event 1 is missing"),
        (2, "event 1 is missing; event 2 is missing"),
        (5, "; ".join(f"event {n} is missing" for n in range(1, 6))),
        (7, "; ".join(f"event {n} is missing" for n in range(1, 6)) + "; and 2 more"),
    ],
)
def test_a_person_is_told_the_first_few(count: int, told: str) -> None:
    """And how many more there are."""
    assert text_of([Finding(f"event {n}", "is missing", n) for n in range(1, count + 1)]) == told


def test_a_damaged_journal_says_at_the_start_what_is_wrong(path: Path, opened: Callable[[], Journal]) -> None:
    """With the file it was moved to."""
    journal = opened()
    fill(journal)
    journal.close()
    tamper(path, "DELETE FROM event WHERE seq IN (4, 5)")
    with pytest.raises(JournalDamaged) as caught:
        opened()
    assert caught.value.reason == "events 4 to 5 are missing"
    assert str(caught.value) == f"events 4 to 5 are missing; moved to {caught.value.moved_to}"
