"""Printing while the till dies at each commit and at each moment of a print; and the judge of it on trial."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.verification.simulation.canonical import crash_points
from tests.verification.simulation.checker import judge
from tests.verification.simulation.directed import (
    CLOSED_BY_CASHIERS,
    OF_CLOSING_WITH_PAPER,
    OF_PAPER,
    PRINTER_DIES,
    PRINTS,
)
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.history import History, Written
from tests.verification.simulation.on_disk import on_disk
from tests.verification.simulation.printer import PART_MS, PARTS, Laid
from tests.verification.simulation.run import play
from tests.verification.simulation.story import Act, Story

STORIES = {
    id(story): (name, story)
    for name, story in (OF_PAPER | OF_CLOSING_WITH_PAPER).items()
    if not story.crashes
}.values()
TEN = [seed for seed in range(1, 400, 4) if not story_of(seed).crashes][:10]
"""Seeds with a printer, whose till does not die at its n-th commit: with a printer that is another moment."""


@pytest.mark.parametrize("story", [story for _, story in STORIES], ids=[name for name, _ in STORIES])
def test_a_print_survives_a_crash_at_each_effect_of_its_till(story: Story) -> None:
    count = printed = 0
    for crashed, run in crash_points(story):
        count += 1
        assert judge(run.history) == [], crashed.crashes
        printed += len(run.history.papers)
    assert count >= 10
    assert printed >= 10


def test_a_print_survives_a_crash_at_each_moment_of_it() -> None:
    """A till that dies after any part of it leaves that part on paper, and prints no second one by itself."""
    first = play(PRINTS).history.papers[0].at
    parts = set()
    for at in range(first - 60, first + (PARTS + 1) * PART_MS, 5):
        story = replace(PRINTS, acts=(Act(at, "power_cut", value=2_000), Act(at + 30_000, "look", value=1)))
        run = play(replace(story, stop_at=at + 40_000))
        assert judge(run.history) == [], at
        originals = [paper for paper in run.history.papers if not paper.copy]
        assert len(originals) == 1, at
        parts.add(originals[0].parts)
    assert parts == {*range(1, PARTS + 1)}


def test_what_a_cashier_closes_is_printed_by_a_manager_wherever_the_till_dies() -> None:
    """The till that dies in the cashier's closing may finish it by itself, and then prints it."""
    run = play(CLOSED_BY_CASHIERS)
    assert judge(run.history) == []
    assert [each.record.content["job"]["about"] for each in _of_jobs(run.history, "PRINT_QUEUED", "z")] == [
        "2"
    ]
    assert [(each.about, each.copy) for each in run.history.papers if each.paper == "z"] == [
        ("1", 0),
        ("2", 0),
    ]
    for crashed, died in crash_points(CLOSED_BY_CASHIERS):
        assert judge(died.history) == [], crashed.crashes


@pytest.mark.parametrize("story", OF_CLOSING_WITH_PAPER.values(), ids=[*OF_CLOSING_WITH_PAPER])
def test_a_z_has_its_paper_wherever_its_till_dies(story: Story) -> None:
    """Before and after each commit of the closing, and of each of its prints: one Z, one original of it."""
    for crashed, run in crash_points(story):
        jobs = {each.record.content["job"]["about"] for each in _of_jobs(run.history, "PRINT_QUEUED", "z")}
        zs = {str(each.record.content["number"]) for each in _of_kind(run.history, "Z_CLOSED")}
        assert jobs == zs, crashed.crashes
        assert zs or not _of_kind(run.history, "CLOSING_BEGAN"), crashed.crashes


def _of_kind(history: History, kind: str) -> list[Written]:
    (journal,) = history.journals.values()
    return [each for each in journal if each.record.kind == kind]


def _of_jobs(history: History, kind: str, paper: str) -> list[Written]:
    return [each for each in _of_kind(history, kind) if each.record.content["job"]["paper"] == paper]


def test_who_wants_it_again_gets_a_copy() -> None:
    """Else the stories would prove nothing."""
    first, second = play(PRINTER_DIES).history.papers
    assert (first.copy, first.parts < PARTS) == (0, True)
    assert (second.copy, second.parts) == (1, PARTS)
    assert "COPY 1" in second.texts


@pytest.mark.parametrize("story", [story for _, story in STORIES], ids=[name for name, _ in STORIES])
def test_a_print_goes_the_same_way_on_the_real_journal(story: Story, tmp_path: Path) -> None:
    found, _ = on_disk(story, play(story).trace, tmp_path)
    assert found == []


def _payments(history: History) -> Iterator[tuple[Any, ...]]:
    """Every event of a payment, as it was written and when; what else was written moves only its number."""
    for line, journal in sorted(history.journals.items()):
        for each in journal:
            record = each.record
            if record.attempt is not None or record.sale is not None:
                yield line, each.at, record.kind, record.subject, record.path, msgspec.to_builtins(record)


@pytest.mark.parametrize("story", [PRINTER_DIES, *map(story_of, TEN)])
def test_payments_are_the_same_with_and_without_a_printer(story: Story) -> None:
    """I20: no printer, no paper and nobody's wish for it changes what happens to money, nor when."""
    with_printer, without = play(story).history, play(replace(story, printer=())).history
    assert [*_payments(with_printer)] == [*_payments(without)]
    assert not without.papers


def test_the_printers_of_the_seeds_print() -> None:
    """Else the last test would compare nothing."""
    assert sum(len(play(story_of(seed)).history.papers) for seed in TEN) >= 5


Change = Callable[[Laid], Laid]

FORGED: dict[str, tuple[Change, str]] = {
    "a job nobody wrote": (lambda laid: replace(laid, job=99), "I14"),
    "before it was written": (lambda laid: replace(laid, at=laid.at - 1), "I14"),
    "a copy that does not say so": (lambda laid: replace(laid, texts=(laid.texts[0], laid.texts[-1])), "I14"),
    "two originals": (lambda laid: replace(laid, copy=0), "I14"),
    "no marking above": (lambda laid: replace(laid, texts=laid.texts[1:]), "I23"),
    "no marking below": (lambda laid: replace(laid, texts=laid.texts[:-1]), "I23"),
    "marked as live": (lambda laid: replace(laid, environment="live"), "I23"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_paper_that_is_not_as_it_should_be_is_told(name: str) -> None:
    change, invariant = FORGED[name]
    history = play(PRINTER_DIES).history
    changed = replace(history, papers=tuple(change(laid) for laid in history.papers))
    assert judge(history) == []
    assert invariant in {each.invariant for each in judge(changed)}
