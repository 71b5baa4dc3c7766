"""Looking things up: orders, ends of ranges, counts, and what an empty journal says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Environment, Resolution, State
from pos_app.domain.record import Record
from pos_app.journal import Journal, rows
from pos_app.journal.chain import Keys
from pos_app.journal.files import found_path, move_aside, set_aside
from pos_app.journal.findings import Finding
from tests.support.builders import KEY, WALL, attempt, ended, intent, record, sale
from tests.unit.journal.tampering import fill


def note(kind: str, subject: str, at: int = 1, **facts: Any) -> Record:
    """An event of no attempt."""
    return Record(kind=kind, subject=subject, actor="p1", at=at, wall=WALL, **facts)


def test_an_empty_journal_has_nothing_and_begins_with_sale_one(journal: Journal) -> None:
    """No error, no None."""
    assert (journal.next_sale_number(), journal.last_at()) == (1, 0)
    assert (journal.otp_sends(9), journal.overpaid_sales(), journal.open_attempts()) == ([], [], [])


def test_the_next_sale_is_behind_the_highest(journal: Journal) -> None:
    """Whatever the order they came in."""
    journal.append([intent(9), intent(4)])
    assert journal.next_sale_number() == 10
    journal.append([intent(12)])
    assert journal.next_sale_number() == 13


def test_the_newest_event_tells_the_time(journal: Journal) -> None:
    """The newest by its number."""
    journal.append([note("A", "x", 900), note("B", "x", 700)])
    assert journal.last_at() == 700


def test_acts_of_people_are_found_by_their_own_index_newest_first(journal: Journal) -> None:
    """However many other events lie between them."""
    journal.append(
        [note("APPROVED", "x"), note("SIGNED_IN", "p1"), intent(1), note("PERMITTED", "terminal", 2)]
    )
    assert [each.kind for each in journal.newest_acts(9)] == ["PERMITTED", "APPROVED"]
    assert [each.kind for each in journal.newest_acts(1)] == ["PERMITTED"]


def test_acts_are_found_by_who_did_them_to_whom_and_when(journal: Journal) -> None:
    by_p1, about_p1 = note("APPROVED", "x"), replace(note("PERSON_CHANGED", "person:1"), actor="p2")
    another = replace(note("ANSWER", "y"), actor="p2", wall="2025-11-22T00:01:00+05:30")
    journal.append([by_p1, about_p1, another])
    found = journal.newest_acts(9, actor="p1", subject="person:1")
    assert [each.kind for each in found] == ["PERSON_CHANGED", "APPROVED"]
    assert [each.kind for each in journal.newest_acts(9, day="2025-11-22")] == ["ANSWER"]
    assert journal.newest_acts(9, actor="p1", subject="person:1", day="2025-11-22") == []
    assert [each.kind for each in journal.newest_acts(1, actor="p2")] == ["ANSWER"]


def test_counts_tell_how_many_of_each_there_are(journal: Journal) -> None:
    """For whoever helps: no name, no number, no amount."""
    journal.append([intent(1), intent(2), note("SIGNED_IN", "p1")])
    assert journal.counts() == {"attempts": {"INTENT": 2}, "kinds": {"ATTEMPT_TAPPED": 2, "SIGNED_IN": 1}}


def test_counted_codes_come_oldest_first_and_the_newest_of_them(journal: Journal) -> None:
    """Only codes."""
    sends = [note("OTP_SEND", f"d{number}", number) for number in range(5)]
    journal.append([sends[0], note("NOTED", "x"), *sends[1:], note("NOTED", "y")])
    assert journal.otp_sends(3) == sends[2:]
    assert journal.otp_sends(9) == sends


def test_overpaid_sales_come_by_number_until_they_are_signed(journal: Journal) -> None:
    """Rule 9."""
    over = [sale(number, overpaid=True) for number in (3, 1, 2)]
    journal.append([note("OVERPAID", each.sale_id, sale=each) for each in over])
    signed = replace(over[2], refund=Resolution("refund", "Nimali", "cash", 7))
    journal.append([note("SIGNED", "0002", sale=signed), note("SOLD", "0005", sale=sale(5))])
    assert journal.overpaid_sales() == [over[1], over[0]]


def test_what_is_open_or_asks_for_a_person_comes_by_its_tap(journal: Journal) -> None:
    """Oldest first, not in the order of their numbers."""
    late, early = attempt(1, tapped_at=9_000), attempt(2, tapped_at=2_000)
    asked = [replace(each, state=State.UNRESOLVED) for each in (attempt(3, tapped_at=8_000), attempt(4))]
    journal.append([record(each) for each in (late, early, *asked)])
    journal.append([ended(attempt(5), State.PAID, 5_500)])
    assert journal.open_attempts() == [early, asked[1], asked[0], late]
    assert journal.needs_answer() == [asked[1], asked[0]]


def test_a_sale_has_ten_thousand_attempts_less_one_and_none_of_the_next(journal: Journal) -> None:
    """Its neighbours' are not its own."""
    own = [attempt(2, nth) for nth in (9_999, 1, 40)]
    journal.append([record(each) for each in (attempt(1, 9_999), *own, attempt(3, 1))])
    assert journal.attempts_of("0002") == [own[1], own[2], own[0]]
    for wrong in (0, 10_000):
        with pytest.raises(ValueError, match="is not attempt"):
            journal.append([record(replace(attempt(2, 1), number=wrong))])


def test_attempts_to_watch_ended_after_a_time(journal: Journal) -> None:
    """Not at it; in the order of their ends."""
    fill(journal)
    assert [each.sale_id for each in journal.attempts_to_watch(1_499)] == ["0001", "0002"]
    assert [each.sale_id for each in journal.attempts_to_watch(1_500)] == ["0002"]


def test_two_texts_that_only_look_alike_have_two_digests() -> None:
    """Half of a surrogate pair is a text like any other."""
    keys = Keys(KEY, Environment.SANDBOX)
    told = {keys.digest(text) for text in ("1", "2", "\ud800", "\ud801", "\ufffd", "?")}
    assert len(told) == 6
    assert all(len(each) == 32 for each in told)


def test_a_journal_half_moved_aside_is_moved_on_to_the_same_name(path: Path) -> None:
    """A till killed in between had moved the file, but not its anchor."""
    anchor = path.with_name("journal.sqlite.anchor")
    older = path.with_name("journal-damaged-100.sqlite")
    newer = path.with_name("journal-damaged-200.sqlite")
    older.touch()
    older.with_name(older.name + ".anchor").touch()
    newer.touch()
    anchor.write_bytes(b"anchor")
    assert set_aside(path) == [newer, older]
    assert move_aside(path) == newer
    assert newer.with_name(newer.name + ".anchor").read_bytes() == b"anchor"
    assert not anchor.exists()


@pytest.mark.parametrize("left", ["journal", "no anchor", "anchor moved", "none aside"])
def test_a_journal_that_is_whole_or_moved_gets_a_name_of_its_own(path: Path, left: str) -> None:
    """It is not one of those that lie there."""
    anchor, aside = path.with_name("journal.sqlite.anchor"), path.with_name("journal-damaged-100.sqlite")
    if left != "none aside":
        aside.touch()
    if left == "journal":
        path.touch()
    if left != "no anchor":
        anchor.touch()
    if left == "anchor moved":
        aside.with_name(aside.name + ".anchor").touch()
    assert move_aside(path) != aside


def test_what_is_written_down_of_damage_lies_beside_the_journal(path: Path, journal: Journal) -> None:
    """Each finding on its line, one run after the other."""
    look = journal.inspection()
    look.write_down([Finding("event 1", "is missing", 1), Finding("meta", "is not as it was written")])
    look.write_down([Finding("event 2", "ist größer", 2)])
    said = found_path(path).read_text(encoding="utf-8")
    assert said == "event 1 is missing\nmeta is not as it was written\nevent 2 ist größer\n"
    assert found_path(path).name == "journal.sqlite.found"


def test_half_a_surrogate_deep_inside_an_event_is_replaced_and_the_rest_kept(journal: Journal) -> None:
    """At any depth, in keys as well."""
    odd = {"list": ["\ud800x", "a", 1, None, ["b", "\udfff"]], "\ud800": {"k": 1.5}}
    journal.append([note("NOTED", "x", content=odd)])
    (kept,) = journal.events_of("x")
    assert kept.content == {
        "list": ["\ufffdx", "a", 1, None, ["b", "\ufffd"]],
        "\ufffd": {"k": 1.5},
    }


def test_the_newest_events_of_a_subject_come_in_their_order(journal: Journal) -> None:
    """However many there are; another subject's are not among them."""
    tries = [
        Record(kind="PASSCODE_TRY", subject=f"passcode:p{number % 2}", actor="p1", at=number, wall=WALL)
        for number in range(9)
    ]
    journal.append(tries)
    assert journal.newest_of("passcode:p0", 2) == [tries[6], tries[8]]
    assert journal.newest_of("passcode:p1", 99) == tries[1::2]
    assert journal.newest_of("passcode:p9", 2) == []


def test_people_of_before_the_passcodes_are_on_the_list() -> None:
    """Their snapshots lack what came later."""
    old = '{"person_id":"p1","name":"A","role":"manager","number_mask":"m","number_digest":"d"}'
    known = rows.person_of(old)
    assert (known.enabled, known.passcode_set, known.passcode_dead, known.language) == (
        True,
        False,
        False,
        "",
    )
