"""Runs of a reconciliation and what differs: found, decided about, gone, named where they were changed."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from pos_app.domain import reconcile
from pos_app.domain.attempt import State
from pos_app.domain.reconcile import (
    DIFFERENCE_DECIDED,
    DIFFERENCE_FOUND,
    DIFFERENCES_GONE,
    RECON,
    RECON_BEGAN,
    RECON_ENDED,
    RECON_WINDOW,
    Difference,
    DifferenceKind,
    Progress,
    Run,
    ours_of,
)
from pos_app.domain.record import Record
from pos_app.journal import Journal
from tests.support.builders import INSTALLATION, WALL, attempt, ended, intent
from tests.support.day_records import z_record
from tests.support.memory_journal import MemoryJournal
from tests.unit.journal.dump import tables
from tests.unit.journal.tampering import tamper

DIFFERS = "is not what the events say"
RUN = Run(number=1, first="2026-03-01 00:00:00", last="2026-03-01 23:59:59", tapped_from=0, tapped_to=9, z=1)
FOREIGN = Difference(
    kind=DifferenceKind.FOREIGN,
    subject="W-1",
    at="2026-03-01 14:05:00",
    currency="LKR",
    at_risk=Decimal("12.50"),
)
PAID = Difference(
    kind=DifferenceKind.HERE_PAID, subject=attempt(1).attempt_id, at="2026-03-01 15:05:00", at_risk=Decimal(3)
)


def note(kind: str, of: int = 1, **content: object) -> Record:
    """An event of a run."""
    return Record(kind=kind, subject=f"{RECON}{of}", actor="p1", at=of, wall=WALL, content=content)


def began(run: Run) -> Record:
    """It begins."""
    return note(RECON_BEGAN, run.number, run=to_builtins(run))


def over(run: Run, **facts: object) -> Record:
    """It is over."""
    return note(RECON_ENDED, run.number, run=to_builtins(replace(run, ended=True, **facts)))


def found(difference: Difference, run: int = 1, **more: object) -> Record:
    """One of its differences."""
    return note(DIFFERENCE_FOUND, run, run=run, difference=to_builtins(difference), **more)


def decided(*keys: str) -> Record:
    """A manager signed."""
    return note(DIFFERENCE_DECIDED, keys=list(keys), reason="seen", name="Nimali")


TWO_RUNS = [
    began(RUN),
    note(RECON_WINDOW, progress=to_builtins(Progress(rows=2, seen=[[10_001, 1]]))),
    found(FOREIGN),
    found(PAID),
    over(RUN, complete=True),
    decided(FOREIGN.key),
    began(replace(RUN, number=2)),
    found(FOREIGN, 2, decided=6),
    note(DIFFERENCES_GONE, 2, keys=[PAID.key]),
    over(replace(RUN, number=2)),
]


@pytest.fixture
def compared(journal: Journal) -> Journal:
    """One run that was complete; in a second one that was not the one difference comes again and the other is gone."""
    for each in TWO_RUNS:
        journal.append([each])
    return journal


def test_the_kinds_of_a_runs_events_are_these() -> None:
    """Written out, because a journal of five years ago says them so."""
    assert sorted(reconcile.KINDS) == [
        "DIFFERENCES_GONE",
        "DIFFERENCE_DECIDED",
        "DIFFERENCE_FOUND",
        "RECON_BEGAN",
        "RECON_ENDED",
        "RECON_WINDOW",
    ]
    assert RECON == "recon:"
    assert sorted(each.value for each in DifferenceKind) == [
        "amount", "foreign", "here_paid", "incomplete", "other_id", "other_till", "paid_twice", "receipt_gap",
        "there_open", "there_paid", "there_unknown", "unknown_status", "unreadable",
    ]  # fmt: skip


def test_a_run_is_found_by_its_number_and_by_its_z(compared: Journal) -> None:
    """The complete one before a newer one that was not."""
    newest, first = compared.recon_run(0), compared.recon_run(1)
    assert newest is not None
    assert first is not None
    assert (newest.number, newest.complete, first.complete, first.ended) == (2, False, True, True)
    assert compared.recon_of_z(1) == first
    assert compared.recon_of_z(2) is compared.recon_run(9) is None
    assert next(each.kind for each in compared.events_of(f"{RECON}2")) == RECON_BEGAN


def test_a_decision_holds_for_what_is_found_again_as_it_was(compared: Journal) -> None:
    """It is of the newest run then; what is found with other facts comes without it, and is open."""
    assert compared.differences(1) == []
    [again] = compared.differences(2)
    assert (again.difference, again.run, again.reason, again.name, again.wall) == (
        FOREIGN,
        2,
        "seen",
        "Nimali",
        WALL,
    )
    assert not again.is_open
    assert compared.difference(FOREIGN.key) == (again, 6)
    assert compared.difference(PAID.key) is None
    compared.append([found(replace(FOREIGN, at_risk=Decimal(20)), 2)])
    [reopened] = compared.differences(2)
    assert reopened.is_open
    assert compared.open_differences(2, DifferenceKind.FOREIGN, 9) == [FOREIGN.key]
    assert compared.open_differences(2, DifferenceKind.HERE_PAID, 9) == []


def test_differences_come_in_pages_and_by_their_time(journal: Journal) -> None:
    """In the order in which they were found."""
    many = [
        replace(FOREIGN, subject=f"W-{number}", at=f"2026-03-0{number} 00:00:00") for number in range(1, 6)
    ]
    journal.append([began(RUN), *map(found, many)])
    first = journal.differences(1, limit=3)
    assert [each.difference for each in first] == many[:3]
    assert [each.difference for each in journal.differences(1, first[-1].difference.key)] == many[3:]
    between = journal.differences_between("2026-03-02 00:00:00", "2026-03-04 00:00:00", 2, 9)
    assert between == [each.key for each in many[1:4]]
    assert journal.differences_between("2026", "2027", 1, 9) == []


def test_which_days_nobody_has_compared(compared: Journal) -> None:
    """The newest of them, in their order."""
    for at in (20, 30, 40):
        compared.append([z_record(compared, at)])
    assert compared.not_reconciled(9) == [1, 2, 3]  # its own run, the newest before it, was not complete
    compared.append([began(replace(RUN, number=3))])
    compared.append([over(replace(RUN, number=3), complete=True)])
    assert compared.not_reconciled(9) == [2, 3]
    assert compared.not_reconciled(1) == [3]


def test_who_began_a_run_and_who_decided_are_acts(compared: Journal) -> None:
    """They stand in "what was done"."""
    assert [each.kind for each in compared.newest_acts(9)] == [RECON_BEGAN, DIFFERENCE_DECIDED, RECON_BEGAN]


def test_the_tables_are_made_anew_from_the_events(path: Path, compared: Journal) -> None:
    """To the byte."""
    before = tables(path)
    assert (len(before["recon_run"]), len(before["difference"])) == (2, 2)
    compared.rebuild_projections()
    assert tables(path) == before
    assert compared.inspection().findings() == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE recon_run SET complete = 1 WHERE number = 2", [f"reconciliation 2 {DIFFERS}"]),
        (
            "UPDATE recon_run SET seq = 7 WHERE number = 2",
            ["reconciliation 2 does not show event 10", f"reconciliation 2 {DIFFERS}"],
        ),
        (
            "UPDATE recon_run SET seq = 4 WHERE number = 2",
            [f"reconciliation 2 does not show event {n}" for n in (7, 10)] + [f"reconciliation 2 {DIFFERS}"],
        ),
        (
            "DELETE FROM recon_run WHERE number = 1",
            [f"reconciliation 1 does not show event {n}" for n in (1, 5)],
        ),
        ("UPDATE difference SET gone = 3 WHERE run = 2", [f"difference {FOREIGN.key} {DIFFERS}"]),
        ("UPDATE difference SET gone = 9 WHERE run = 2", [f"difference {FOREIGN.key} {DIFFERS}"]),
        ("UPDATE difference SET decided = 9 WHERE run = 2", [f"difference {FOREIGN.key} {DIFFERS}"]),
        ("UPDATE difference SET decided = 6 WHERE run = 1", [f"difference {PAID.key} {DIFFERS}"]),
        ("UPDATE difference SET gone = 99 WHERE run = 1", [f"difference {PAID.key} {DIFFERS}"]),
        ("UPDATE difference SET gone = 0 WHERE run = 1", [f"difference {PAID.key} does not show event 9"]),
        (
            "UPDATE difference SET seq = 2 WHERE run = 1",
            [f"difference {PAID.key} does not show event 4", f"difference {PAID.key} {DIFFERS}"],
        ),
        (
            "UPDATE difference SET snapshot = replace(snapshot, '12.50', '1.00')",
            [f"difference {FOREIGN.key} {DIFFERS}"],
        ),
        (
            "DELETE FROM difference WHERE run = 1",
            [f"difference {PAID.key} does not show event {n}" for n in (4, 9)],
        ),
    ],
)
def test_a_changed_row_is_found_and_made_anew(
    path: Path, compared: Journal, opened: Callable[[], Journal], change: str, told: list[str]
) -> None:
    """As whoever wants a difference to be forgotten would change it."""
    before = tables(path)
    tamper(path, change)
    assert [str(each) for each in compared.inspection().findings()] == told
    compared.rebuild_projections()
    assert tables(path) == before
    compared.close()
    assert opened().recon_run(0) is not None


def test_our_payments_are_read_in_few_questions(journal: Journal) -> None:
    """By their ids, and in the order of their places; of a time alone."""
    for number in range(1, 8):
        journal.append([intent(number)])
    ids = [attempt(number).attempt_id for number in range(1, 8)]
    known = journal.ours_at([*ids, "no id", attempt(9).attempt_id, attempt(1, 2).attempt_id])
    assert known == {each: ours_of(attempt(number)) for number, each in enumerate(ids, 1)}
    tapped = [attempt(number).tapped_at for number in (2, 6)]
    page = journal.places_after((tapped[0], 0), tapped[1], 3)
    assert page == [(attempt(number).tapped_at, number * 10_000 + 1) for number in (2, 3, 4)]
    rest = journal.places_after(page[-1], tapped[1], 3)
    assert [place for _, place in rest] == [50_001, 60_001]
    assert journal.places_after((1, 0), 2, 3) == []
    known = {each.sale_id: each for each in journal.ours_in([30_001, 99, 20_001])}
    assert list(known) == ["0002", "0003"]
    assert known["0002"] == ours_of(attempt(2))


def test_the_columns_of_payments_say_what_their_snapshots_do(journal: Journal) -> None:
    """Whether they are neighbours, or lie far apart, or are nobody's."""
    numbers = (1, 2, 3, 7, 900, 5_000)
    for number in numbers:
        journal.append([intent(number, amount=Decimal(number))])
        if number % 2:
            journal.append([ended(attempt(number, amount=Decimal(number)), State.PAID, 9)])
    for some in ((1, 2, 3), (3, 1), (5_000, 2, 900, 1), (7,), (4, 8), ()):
        ids = [attempt(number).attempt_id for number in some]
        facts = journal.facts_at([*ids, *(["no id"] if some else [])])
        assert facts.keys() >= {each for each in ids if each in facts} == set(journal.ours_at(ids))
        for attempt_id, fact in facts.items():
            [known] = journal.ours_at([attempt_id]).values()
            told = (known.attempt_id, known.place, str(known.amount), known.tapped_at, known.state.value)
            assert fact == told


@pytest.mark.parametrize(
    ("numbers", "wrong", "named"),
    [
        ((1, 2, 3), 0, []),
        ((), 0, []),
        ((1, 4), 2, [2, 3]),
        ((2,), 1, [1]),
        ((1, 2, 2), 1, [2]),
        ((1, 9), 7, [2, 3, 4]),
        ((1, 10**15), 10**15 - 2, [2, 3, 4]),
    ],
)
def test_receipts_without_a_number_between_them(
    journal: Journal, numbers: tuple[int, ...], wrong: int, named: list[int]
) -> None:
    """One, two, three; what is missing is told, and what two payments have."""
    memory = MemoryJournal()
    for sale, number in enumerate(numbers, 1):
        numbered = attempt(sale, receipt=number, receipt_of=INSTALLATION)
        for each in (journal, memory):
            each.append([intent(sale), ended(numbered, State.PAID, 10 + sale)])
    assert journal.receipt_gaps(INSTALLATION, 3) == memory.receipt_gaps(INSTALLATION, 3) == (wrong, named)


def test_the_journal_in_memory_says_the_same(compared: Journal) -> None:
    """What the engine's own tests run on."""
    memory = MemoryJournal()
    memory.append(TWO_RUNS)
    for number in range(1, 4):
        for each in (compared, memory):
            each.append([intent(number)])
            each.append([z_record(each, 20 + number)])
    asked: list[Callable[[Journal | MemoryJournal], object]] = [
        lambda it: (it.recon_run(0), it.recon_run(1), it.recon_of_z(1), it.recon_of_z(3)),
        lambda it: (
            it.difference(FOREIGN.key),
            it.difference(PAID.key),
            it.differences(2),
            it.differences(1),
        ),
        lambda it: it.differences_between("2026-03-01 00:00:00", "2026-03-02 00:00:00", 3, 9),
        lambda it: (it.open_differences(2, DifferenceKind.FOREIGN, 9), it.not_reconciled(5)),
        lambda it: (it.ours_at([attempt(1).attempt_id, "x"]), it.facts_at([attempt(2).attempt_id, "x"])),
        lambda it: (it.places_after((0, 0), 2_000_000_000_000, 2), it.places_after((1001, 10_001), 2001, 9)),
        lambda it: it.ours_in([30_001, 10_001, 40_001]),
    ]
    for question in asked:
        assert question(compared) == question(memory)
