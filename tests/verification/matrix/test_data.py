"""The file itself: how many cells there are, and that each is either built or says what it waits for."""

from __future__ import annotations

from tests.verification.matrix.cells import STEPS, cases, rows

PARTS: set[str] = set()
"""Of those that cells wait for: none."""


def test_there_are_55_faults_and_9_steps() -> None:
    """495 cells, of which 342 can be met."""
    assert [row.number for row in rows()] == list(range(1, 56))
    assert len(rows()) * len(STEPS) == 495
    assert sum(len(row.cells) for row in rows()) == 342
    assert all(set(row.cells) <= set(STEPS) for row in rows())


def test_what_is_not_built_names_its_part() -> None:
    """And no other live cell is without a case."""
    waiting = {(row.number, step): part for row in rows() for step, part in row.not_built.items()}
    assert set(waiting.values()) | {part for row in rows() for part in row.partly.values()} <= PARTS
    live = {(row.number, step) for row in rows() for step in row.cells}
    assert set(waiting) <= live
    assert {(case.row, case.step) for case in cases()} == live - set(waiting)


def test_each_case_has_its_own_name() -> None:
    """So that a failure names its cell."""
    assert len({case.name for case in cases()}) == len(cases())
