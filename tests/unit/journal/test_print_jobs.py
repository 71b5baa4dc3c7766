"""Jobs for the printer in the journal: found by what is asked of them, made anew, named where they were changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import State
from pos_app.domain.day import MOST_UNPRINTED, Copies, Unprinted, digested
from pos_app.domain.print_job import (
    ASKED,
    COPY_ASKED,
    KIND_OF,
    JobState,
    PaperKind,
    PrintJob,
    Why,
    content_of,
    moved,
    subject_of,
)
from pos_app.domain.receipt import shown_number
from pos_app.domain.record import Record
from pos_app.journal import Journal, JournalDamaged, read_only
from tests.support.builders import INSTALLATION, WALL, attempt, ended, intent
from tests.support.day_records import z_record
from tests.support.memory_journal import MemoryJournal
from tests.unit.journal.dump import tables
from tests.unit.journal.tampering import tamper

ONE, TWO = attempt(1).attempt_id, attempt(2).attempt_id
DIFFERS = "is not what the events say"


def job(number: int, about: str = ONE, **facts: object) -> PrintJob:
    """Asked for in its second."""
    return PrintJob(number=number, paper=PaperKind.RECEIPT, about=about, asked_at=number * 1000, **facts)  # type: ignore[arg-type]


def record(job: PrintJob, kind: str = "") -> Record:
    """What the queue writes of it."""
    kind = kind or KIND_OF[job.state]
    at = job.asked_at
    return Record(
        kind=kind, subject=subject_of(job.number), actor="p1", at=at, wall=WALL, content=content_of(job)
    )


@pytest.fixture
def printed(journal: Journal) -> Journal:
    """One that is printed, one that is held, a copy of the first that nobody knows of."""
    sending = moved(job(1), JobState.SENDING)
    journal.append([record(job(1)), record(sending), record(moved(sending, JobState.PRINTED))])
    journal.append([record(job(2, TWO), ASKED)])
    journal.append([record(moved(job(2, TWO), JobState.HELD))])
    copy = moved(job(3, copy=1), JobState.SENDING)
    journal.append([record(copy), record(moved(copy, JobState.UNKNOWN))])
    return journal


def test_a_start_finds_what_is_not_over(printed: Journal) -> None:
    assert [(each.number, each.state) for each in printed.open_print_jobs(10)] == [
        (2, JobState.HELD),
        (3, JobState.UNKNOWN),
    ]
    assert [each.number for each in printed.open_print_jobs(1)] == [3]
    assert printed.last_print_job() == 3


def test_a_copy_finds_every_job_of_its_paper(printed: Journal) -> None:
    assert [
        (each.number, each.copy, each.began) for each in printed.print_jobs_of(PaperKind.RECEIPT, ONE)
    ] == [
        (1, 0, True),
        (3, 1, True),
    ]
    assert printed.print_jobs_of(PaperKind.Z, ONE) == []
    found = printed.print_job(2)
    assert found is not None
    assert found.state is JobState.HELD
    assert printed.print_job(9) is None


def test_an_empty_journal_has_printed_nothing(journal: Journal) -> None:
    assert (journal.last_print_job(), journal.open_print_jobs(10)) == (0, [])


def test_the_table_is_made_anew_from_the_events(path: Path, printed: Journal) -> None:
    before = tables(path)
    assert len(before["print_job"]) == 3
    printed.rebuild_projections()
    assert tables(path) == before
    assert printed.inspection().findings() == []


def test_who_asked_for_a_print_is_an_act(printed: Journal) -> None:
    assert [each.kind for each in printed.newest_acts(9)] == [ASKED]


def test_a_job_is_of_one_paper_for_ever(printed: Journal) -> None:
    with pytest.raises(ValueError, match="print job 2 was of another paper"):
        printed.append([record(job(2, ONE))])
    assert printed.last_print_job() == 3
    assert printed.inspection().findings() == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE print_job SET state = 'QUEUED' WHERE number = 1", [f"print job 1 {DIFFERS}"]),
        ("UPDATE print_job SET open = 0 WHERE number = 3", [f"print job 3 {DIFFERS}"]),
        ("UPDATE print_job SET about = 'x' WHERE number = 1", [f"print job 1 {DIFFERS}"]),
        ("UPDATE print_job SET paper = 'z' WHERE number = 1", [f"print job 1 {DIFFERS}"]),
        (
            "UPDATE print_job SET snapshot = replace(snapshot, '\"began\":true', '\"began\":false') WHERE number = 1",
            [f"print job 1 {DIFFERS}"],
        ),
        ("UPDATE print_job SET seq = 99 WHERE number = 1", [f"print job 1 {DIFFERS}"]),
        ("DELETE FROM print_job WHERE number = 2", [f"print job 2 does not show event {n}" for n in (4, 5)]),
        ("INSERT INTO print_job VALUES (9, 1, 'receipt', 'x', 'SENT', 0, '{}')", [f"print job 9 {DIFFERS}"]),
    ],
)
def test_a_changed_row_is_found_and_made_anew(
    path: Path, printed: Journal, opened: Callable[[], Journal], change: str, told: list[str]
) -> None:
    before = tables(path)
    tamper(path, change)
    assert [str(each) for each in printed.inspection().findings()] == told
    printed.rebuild_projections()
    assert tables(path) == before
    printed.close()
    assert opened().last_print_job() == 3


def test_an_older_state_put_back_is_found(path: Path, printed: Journal) -> None:
    """As whoever wants a second original would: the row says what an older event of the same job said."""
    older = msgspec.json.encode(job(1)).decode()
    change = f"seq = 1, state = 'QUEUED', open = 1, snapshot = '{older}'"
    tamper(path, f"UPDATE print_job SET {change} WHERE number = 1")
    told = [str(each) for each in printed.inspection().findings()]
    assert told == [f"print job 1 does not show event {n}" for n in (2, 3)]


def test_a_changed_event_of_a_job_moves_the_journal_aside(
    path: Path, printed: Journal, opened: Callable[[], Journal]
) -> None:
    """Nobody turns a print into none."""
    printed.close()
    tamper(path, "UPDATE event SET content = replace(content, 'PRINTED', 'LEFT') WHERE seq = 3")
    with pytest.raises(JournalDamaged):
        opened()


def test_a_look_beside_the_till_reads_them_too(path: Path, printed: Journal) -> None:
    printed.close()
    queries = read_only(path)
    assert queries.last_print_job() == 3
    queries.close()


def test_a_report_names_copies_by_person_and_what_is_not_on_paper(journal: Journal) -> None:
    """As a journal in memory counts them; also what earlier periods left, until somebody has looked."""
    memory = MemoryJournal()

    def write(*records: Record) -> None:
        for each in (journal, memory):
            each.append(records)

    write(intent(1), ended(attempt(1, receipt=7, receipt_of=INSTALLATION), State.PAID, 10))
    copies = [replace(record(job(2, copy=1), COPY_ASKED), actor=who) for who in ("p2", "p1", "p2")]
    write(*copies)
    write(record(job(3)), record(replace(job(4), paper=PaperKind.X, about="")))
    z = replace(job(5), paper=PaperKind.Z, about="1", state=JobState.EXPIRED, why=Why.PAPER_OUT)
    write(record(z))
    period = journal.period()
    assert period.copies == (Copies("p1", 1), Copies("p2", 2))
    shown = shown_number(attempt(1, receipt=7, receipt_of=INSTALLATION))
    assert period.unprinted == (
        Unprinted("receipt", ONE, "QUEUED", receipt=shown, copy=1),
        Unprinted("receipt", ONE, "QUEUED", receipt=shown),
        Unprinted("z", "1", "EXPIRED", "paper_out"),
    )
    assert period.unprinted_more == 0
    assert (memory.period().copies, memory.period().unprinted) == (period.copies, period.unprinted)
    journal.append([z_record(journal, 9_000)])
    later = journal.period()
    assert (later.copies, later.unprinted) == ((), period.unprinted)
    first = journal.z(1)
    assert first is not None
    assert (first.copies, first.unprinted) == (period.copies, period.unprinted)
    assert first.digest == journal.z_digest(digested(first))
    journal.append([record(job(number)) for number in range(6, 6 + MOST_UNPRINTED)])
    many = journal.period()
    assert (len(many.unprinted), many.unprinted_more) == (MOST_UNPRINTED, 3)
    assert many.unprinted[-1].about == ONE
