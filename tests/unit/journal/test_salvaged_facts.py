"""What is had from a damaged journal: proven facts, hints of the rest, and where new numbers may begin."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Environment
from pos_app.domain.ids import installation_of
from pos_app.domain.passcode import RIGHT, TRY, subject_of
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.journal import Journal, JournalDamaged, open_journal
from pos_app.journal.salvage import UNKNOWN, Salvage, salvage
from tests.support.builders import KEY, WALL, attempt, intent, record, sale
from tests.unit.journal.tampering import fill, tamper

UNTRIED = Record(kind=TRY, subject=subject_of("p1"), actor="p1", at=1, wall=WALL)
FIRST = attempt(1).attempt_id
THIRD = attempt(3).attempt_id


def had(path: Path) -> Salvage:
    """From the file as it lies there."""
    return salvage(path, KEY, Environment.SANDBOX)


def written(path: Path, opened: Callable[[], Journal], *more: Record) -> Journal:
    """A closed journal with a little of everything."""
    journal = opened()
    fill(journal)
    journal.append(more)
    journal.close()
    assert path.exists()
    return journal


def test_a_whole_journal_gives_everything(path: Path, opened: Callable[[], Journal]) -> None:
    """Newest facts, people, codes, sealed bytes, and the next free number."""
    sealed = replace(intent(4), sealed=b"the bytes", at=9_000)
    journal = written(path, opened, sealed)
    found = had(path)
    assert list(found.attempts) == [attempt(number).attempt_id for number in (1, 2, 3, 4)]
    assert found.attempts[FIRST].ended_at == 1_500
    assert sorted(found.sales) == ["0001", "0002", "0003", "0004"]
    assert [each.name for each in found.people.values()] == ["Nimali"]
    assert [each.subject for each in found.sends] == ["d1", "d2"]
    assert found.sealed == {sealed.subject: b"the bytes"}
    assert (found.last_at, found.next_sale) == (9_000, 5)
    assert (found.hints, found.doubtful, found.findings) == ({}, set(), ())
    assert found.installations[0] == journal.installation_id
    assert found.installations[1:] == [installation_of(FIRST)]


def test_what_is_not_proven_is_a_hint(path: Path, opened: Callable[[], Journal]) -> None:
    """An event that was changed, and what only a table still knows."""
    written(path, opened)
    tamper(path, "UPDATE event SET actor = 'p9' WHERE seq = 5")
    found = had(path)
    assert THIRD not in found.attempts
    assert found.hints == {THIRD: attempt(3)}
    assert found.doubtful == {THIRD}
    assert [str(each) for each in found.findings] == ["event 5 is not as it was written"]
    assert found.next_sale == 4


def test_an_attempt_with_a_doubtful_end_keeps_its_proven_beginning(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """The service is asked for the rest."""
    written(path, opened)
    tamper(path, "UPDATE event SET actor = 'p9' WHERE seq = 2")
    found = had(path)
    assert found.attempts[FIRST].ended_at is None
    assert (found.doubtful, found.hints) == ({FIRST}, {})


def test_a_sale_may_have_been_lost_with_each_missing_event(path: Path, opened: Callable[[], Journal]) -> None:
    """The anchor says how many there were."""
    written(path, opened)
    tamper(path, "DELETE FROM event WHERE seq > 7", "DELETE FROM attempt WHERE place > 20000")
    found = had(path)
    assert found.next_sale == 4 + 4
    path.with_name("journal.sqlite.anchor").unlink()
    assert had(path).next_sale == 4 + UNKNOWN


def test_a_number_in_a_table_alone_is_given_out_as_well(path: Path, opened: Callable[[], Journal]) -> None:
    """Its events are gone; the till's own numbers begin behind it."""
    written(path, opened)
    tamper(
        path,
        "UPDATE attempt SET snapshot = replace(snapshot, '-0003-1', '-0033-1') WHERE place = 30001",
    )
    found = had(path)
    assert list(found.hints) == [THIRD.replace("-0003-", "-0033-")]
    assert found.next_sale == 34


def test_what_an_earlier_rebuilding_knew_is_known_still(path: Path, opened: Callable[[], Journal]) -> None:
    """Its installations and its first number."""
    content = {
        "installations": ["T11111111", "T22222222"],
        "next_sale": 5_000,
        "next_person": 40,
        "origin": "https://pay.example",
    }
    rebuilt = Record(kind=REBUILT, subject=JOURNAL, actor="t", at=1, wall=WALL, content=content)
    other = replace(rebuilt, subject="else", content={"installations": ["T3"], "next_sale": 9_000})
    written(path, opened, rebuilt, other)
    found = had(path)
    assert {"T11111111", "T22222222"} <= set(found.installations)
    assert "T3" not in found.installations
    assert len(set(found.installations)) == len(found.installations)
    assert (found.next_sale, found.next_person) == (5_000, 40)
    assert found.origins == ["https://pay.example"]


def test_sealed_bytes_of_another_key_are_left(path: Path, opened: Callable[[], Journal]) -> None:
    """And events that say nothing readable; reading goes on behind them."""
    written(path, opened, replace(intent(4), sealed=b"one"), replace(intent(4), sealed=b"two"))
    assert had(path).sealed == {intent(4).subject: b"two"}
    tamper(path, "UPDATE event SET content = 'x' WHERE seq = 5")
    found = had(path)
    assert intent(4).subject in found.attempts
    assert found.last_at == 5_000


def test_nothing_at_all_is_nothing(path: Path) -> None:
    """No file, no anchor: new numbers begin well behind whatever there was."""
    found = had(path)
    assert (found.attempts, found.installations, found.last_at) == ({}, [], 0)
    assert (found.findings, found.sales, found.people, found.sends) == ((), {}, {}, [])
    assert found.next_sale == 1 + UNKNOWN
    path.write_bytes(b"no database at all" * 100)
    assert had(path).attempts == {}


def test_an_event_of_no_attempt_that_was_changed_gives_no_hint(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """What was known of the person before stays."""
    written(path, opened)
    tamper(path, "UPDATE event SET actor = 'p9' WHERE seq = 7")
    found = had(path)
    assert [each.name for each in found.people.values()] == ["Person 1"]
    assert (found.hints, found.doubtful) == ({}, set())


def test_two_rebuildings_and_one_that_names_nothing_add_up(path: Path, opened: Callable[[], Journal]) -> None:
    """Each journal before this one; and the till that goes on counts from the highest."""
    kept: list[dict[str, Any]] = [
        {"installations": ["T11111111"], "next_sale": 700},
        {},
        {"installations": ["T22222222"]},
    ]
    told = [Record(kind=REBUILT, subject=JOURNAL, actor="t", at=1, wall=WALL, content=each) for each in kept]
    written(path, opened, *told)
    found = had(path)
    assert {"T11111111", "T22222222"} <= set(found.installations)
    assert found.next_sale == 700
    journal = opened()
    assert (journal.next_sale_number(), journal.next_sale_number()) == (700, 700)
    journal.append([intent(800)])
    assert journal.next_sale_number() == 801


def test_a_rebuilding_that_names_no_number_changes_none(path: Path, opened: Callable[[], Journal]) -> None:
    """Nor does another event about the journal."""
    empty = Record(kind=REBUILT, subject=JOURNAL, actor="t", at=1, wall=WALL)
    other = Record(
        kind="JOURNAL_MENDED", subject=JOURNAL, actor="t", at=1, wall=WALL, content={"next_sale": 900}
    )
    journal = opened()
    journal.append([empty, other])
    assert journal.next_sale_number() == 1
    journal.close()
    assert had(path).next_sale == 1
    assert opened().next_sale_number() == 1


def test_a_sale_without_attempts_holds_its_number(path: Path, opened: Callable[[], Journal]) -> None:
    """A hint that is proven later is no hint; a sale is had as it was sold."""
    journal = opened()
    sold = Record(kind="SOLD", subject="0009", actor="p1", at=1, wall=WALL, sale=sale(9))
    journal.append([intent(1), record(attempt(1)), sold])
    journal.close()
    tamper(path, "UPDATE event SET actor = 'p9' WHERE seq = 1")
    found = had(path)
    assert (found.hints, found.doubtful) == ({}, {FIRST})
    assert found.attempts == {FIRST: attempt(1)}
    assert found.sales == {"0009": sale(9)}
    assert found.next_sale == 10


def test_a_journal_without_its_events_may_have_sold_as_often_as_its_anchor_says(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """Eleven events were, none is."""
    written(path, opened)
    tamper(path, "DELETE FROM event", "DELETE FROM attempt")
    assert had(path).next_sale == 1 + 11


def test_wrong_passcodes_come_along_until_something_ended_their_row(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """Nobody gets ten more tries out of a damaged journal; a try that is not proven counts too."""
    tries = [replace(UNTRIED, at=at) for at in (7_000, 7_100)]
    written(path, opened, tries[0], replace(UNTRIED, kind=RIGHT, at=7_050), tries[1])
    found = had(path)
    assert found.tries == {UNTRIED.subject: [tries[1]]}
    assert found.last_at == 7_100


@pytest.mark.parametrize(
    ("spoilt", "day"), [(2, "2026-03-02"), (3, "2026-03-03"), (1, ""), (None, "2026-03-04")]
)
def test_the_service_is_asked_from_the_last_proven_day_ahead_of_the_first_gap(
    path: Path, opened: Callable[[], Journal], spoilt: int | None, day: str
) -> None:
    """What was lost was sold on that day or later, however much is proven behind it."""
    journal = opened()
    days = ("2026-03-02", "2026-03-03", "2026-03-04")
    journal.append(
        [intent(number, transaction_date_time=f"{each} 10:15:30") for number, each in enumerate(days, 1)]
    )
    journal.close()
    if spoilt is not None:
        tamper(path, f"UPDATE event SET actor = 'p9' WHERE seq = {spoilt}")
    assert had(path).day_before_gap() == day


def test_a_payment_of_a_clock_that_was_ahead_hides_no_day_behind_it(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """What was sold since is in the order of events, whatever the dates say."""
    journal = opened()
    days = ("2026-03-02", "2026-04-02", "2026-03-04")
    journal.append(
        [intent(number, transaction_date_time=f"{each} 10:15:30") for number, each in enumerate(days, 1)]
    )
    journal.close()
    assert had(path).day_before_gap() == "2026-03-04"


def test_what_the_journal_says_of_itself_is_its_word_as_far_as_it_is_proven(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """With its tag; without, anybody may have written it, and another environment's id is none of this till's."""
    own = opened()
    own.close()
    path.with_name("journal.sqlite.anchor").unlink()
    assert (had(path).installations, had(path).claimed) == ([own.installation_id], [])
    tamper(path, "UPDATE meta SET installation_id = 'AAAAAAAA'")
    assert (had(path).installations, had(path).claimed) == ([], ["AAAAAAAA"])
    for change in (
        "environment = 'live'",
        "environment = 'sandbox', installation_id = CAST(x'ff41' AS TEXT)",
    ):
        tamper(path, f"UPDATE meta SET {change}")
        assert (had(path).installations, had(path).claimed) == ([], [])


def test_a_young_tills_log_alone_holds_all_of_it(path: Path, opened: Callable[[], Journal]) -> None:
    """The file's name is gone, what was killed over it is not; nothing is written beside what is kept."""
    journal = opened()
    fill(journal)
    elsewhere = path.parent / "elsewhere"
    elsewhere.mkdir()
    for ending in ("-wal", ".anchor"):
        name = path.name + ending
        (elsewhere / name).write_bytes(path.with_name(name).read_bytes())
    with pytest.raises(JournalDamaged) as caught:
        open_journal(elsewhere / path.name, KEY, Environment.SANDBOX)
    aside = caught.value.moved_to
    before = {each.name: each.read_bytes() for each in elsewhere.iterdir()}
    found = had(aside)
    assert list(found.attempts) == [attempt(number).attempt_id for number in (1, 2, 3)]
    assert (found.findings, found.lost, found.next_sale) == ((), 0, 4)
    assert [each.name for each in found.people.values()] == ["Nimali"]
    assert {each.name: each.read_bytes() for each in elsewhere.iterdir()} == before
    assert not aside.exists()
