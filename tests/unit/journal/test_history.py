"""All payments to be scrolled through: each once, in its order, by blocks; new ones do not move what is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.domain.attempt import Attempt, Environment, State
from pos_app.domain.day import CLOCK_MOVED, DAY
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.domain.search import Meant, Only, Sought
from pos_app.journal import history, open_journal
from pos_app.journal.history import BLOCK, History
from tests.support.builders import KEY, WALL, attempt, record, sale


def journal_of(path: Path, payments: int) -> None:
    journal = open_journal(path, KEY, Environment.SANDBOX)
    records = []
    for number in range(1, payments + 1):
        state = State.FAILED if number % 7 == 0 else State.PAID
        day = f"2026-03-{1 + number // 200:02d}T10:00:00.000+05:30"
        of = attempt(
            number,
            state=state,
            ended_at=number * 1000 + 5,
            # Two of each millisecond: only their place tells them apart.
            tapped_at=1_772_331_111_000 + number // 2,
            tapped_wall=day,
            invoice_number=f"INV-{number}",
        )
        records.append(record(of, sale=sale(number)))
    journal.append(records)
    journal.close()


def read(path: Path, meant: Meant) -> tuple[int, list[Attempt]]:
    history = History(path)
    *_, last = history.look(meant)
    assert last.is_over
    blocks = [history.rows(number) for number in range((last.payments + BLOCK - 1) // BLOCK)]
    assert all(len(block) == BLOCK for block in blocks[:-1])
    assert history.rows(len(blocks)) == []
    return last.payments, [each for block in blocks for each in block]


@pytest.mark.parametrize("payments", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK])
def test_each_payment_is_there_once_newest_first(tmp_path: Path, payments: int) -> None:
    path = tmp_path / "journal.sqlite"
    journal_of(path, payments)
    count, found = read(path, Meant())
    assert count == payments
    assert [int(each.sale_id) for each in found] == list(range(payments, 0, -1))


@pytest.mark.parametrize(
    ("meant", "numbers"),
    [
        (Meant(only=Only.NOT_PAID), [n for n in range(900, 0, -1) if n % 7 == 0]),
        (Meant(only=Only.PAID), [n for n in range(900, 0, -1) if n % 7]),
        (Meant(sought=Sought(text="inv-77")), [*range(779, 769, -1), 77]),
        (Meant(earliest="2026-03-02", latest="2026-03-02"), list(range(399, 199, -1))),
        # Farther than some systems' own reckoning goes.
        (Meant(earliest="0001-01-01", latest="9999-12-31"), list(range(900, 0, -1))),
        (Meant(latest="2026-03-01", only=Only.NOT_PAID), [n for n in range(199, 0, -1) if n % 7 == 0]),
        (Meant(owner="p2"), []),
    ],
)
def test_what_is_meant_is_found_and_nothing_else(tmp_path: Path, meant: Meant, numbers: list[int]) -> None:
    path = tmp_path / "journal.sqlite"
    journal_of(path, 900)
    count, found = read(path, meant)
    assert [int(each.sale_id) for each in found] == numbers
    assert count == len(numbers)


def test_what_is_sold_meanwhile_moves_no_row(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal_of(path, 250)
    history = History(path)
    list(history.look(Meant()))
    before = [history.rows(number) for number in range(3)]
    journal = open_journal(path, KEY, Environment.SANDBOX)
    journal.append([record(attempt(999, tapped_at=1_773_111_111_111), sale=sale(999))])
    assert [history.rows(number) for number in range(3)] == before
    *_, last = history.look(Meant())
    assert last.payments == 251
    journal.close()


def test_a_long_list_is_told_as_it_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks sees it grow."""
    monkeypatch.setattr(history, "_TELL_EVERY", 2)
    journal_of(tmp_path / "journal.sqlite", 5 * BLOCK)
    looked = list(History(tmp_path / "journal.sqlite").look(Meant()))
    assert [each.payments for each in looked] == [2 * BLOCK, 4 * BLOCK, 5 * BLOCK]
    assert [each.is_over for each in looked] == [False, False, True]


@pytest.mark.parametrize(
    ("kind", "subject", "content"),
    [
        (CLOCK_MOVED, DAY, {"from": "2027-03-01T10:00:00.000+05:30", "to": "2026-03-01T10:00:00.000+05:30"}),
        (REBUILT, JOURNAL, {}),
    ],
)
def test_a_till_whose_clock_was_once_ahead_has_its_history(
    tmp_path: Path, kind: str, subject: str, content: dict[str, str]
) -> None:
    """Its own time goes on from there, a year before the wall's: a payment's day is the wall's."""
    path = tmp_path / "journal.sqlite"
    journal = open_journal(path, KEY, Environment.SANDBOX)
    moved = Record(kind=kind, subject=subject, actor="terminal", at=1, wall=WALL, content=content)
    ahead = [attempt(number, tapped_at=1_804_000_000_000 + number) for number in (1, 2)]
    journal.append([moved, *(record(of, sale=sale(int(of.sale_id))) for of in ahead)])
    journal.close()
    for meant in (Meant(latest="2026-03-02"), Meant(earliest="2026-03-02", latest="2026-03-02")):
        assert [each.sale_id for each in read(path, meant)[1]] == ["0002", "0001"]
    assert read(path, Meant(latest="2026-03-01"))[0] == 0


def test_a_clock_that_was_set_back_by_an_hour_has_nothing_newer_looked_at(tmp_path: Path) -> None:
    """Each look at a day of a long journal would go through all that came after it."""
    path = tmp_path / "journal.sqlite"
    journal_of(path, 700)
    journal = open_journal(path, KEY, Environment.SANDBOX)
    hour = {"from": "2026-03-01T11:00:00.000+05:30", "to": "2026-03-01T10:00:00.000+05:30"}
    moved = [
        Record(kind=CLOCK_MOVED, subject=DAY, actor="terminal", at=at, wall=WALL, content=hour)
        for at in (1, 2)
    ]
    later = attempt(9_000, tapped_at=1_772_331_111_000 + 90 * 86_400_000)
    journal.append([*moved, record(later, sale=sale(9_000))])
    journal.close()
    looked = list(History(path).look(Meant(latest="2026-03-01", only=Only.NOT_PAID)))
    assert (looked[-1].scanned, looked[-1].payments) == (700, 28)


def test_a_till_whose_clock_was_set_forward_while_it_ran_has_its_history(tmp_path: Path) -> None:
    """Its own time is the old one until the next start: older than the day that is meant, by a year."""
    path = tmp_path / "journal.sqlite"
    journal = open_journal(path, KEY, Environment.SANDBOX)
    behind = [attempt(number, tapped_at=1_741_111_111_000 + number) for number in range(1, 604)]
    journal.append([record(of, sale=sale(int(of.sale_id))) for of in behind])
    journal.close()
    assert read(path, Meant(earliest="2026-03-02"))[0] == 603


def test_a_search_is_told_as_it_goes(tmp_path: Path) -> None:
    """Of a long journal page by page, and that it is over once alone."""
    journal_of(tmp_path / "journal.sqlite", 1_100)
    looked = list(History(tmp_path / "journal.sqlite").look(Meant(only=Only.NOT_PAID)))
    assert [(each.scanned, each.is_over) for each in looked] == [(500, False), (1_000, False), (1_100, True)]
    assert looked[-1].payments == 157


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    journal_of(tmp_path / "journal.sqlite", 0)
    assert read(tmp_path / "journal.sqlite", Meant(sought=Sought(text="inv"))) == (0, [])
