"""A day beside the service's list while the till dies at each commit and call; and the judge of it on trial."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.verification.simulation.beside import runs_of
from tests.verification.simulation.canonical import crash_points
from tests.verification.simulation.checker import judge
from tests.verification.simulation.directed import BESIDE_ANOTHERS, OF_LISTS, PAID_WHILE_NOBODY_ASKED
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.history import History, Written
from tests.verification.simulation.on_disk import on_disk
from tests.verification.simulation.run import play
from tests.verification.simulation.story import Story

STORIES = list({id(story): story for story in OF_LISTS.values()}.values())


@pytest.mark.parametrize("story", STORIES)
def test_the_stories_say_what_they_are_meant_to(story: Story) -> None:
    """A run ends, and says complete: else they would prove nothing."""
    history = play(story).history
    assert judge(history) == []
    assert [run for journal in history.journals.values() for run in runs_of(journal)]


def test_a_run_survives_a_crash_at_each_of_its_effects() -> None:
    """Before and after the first commit or call, the second, … until there is none left."""
    count = complete = 0
    for crashed, run in crash_points(PAID_WHILE_NOBODY_ASKED):
        count += 1
        assert judge(run.history) == [], crashed.crashes
        complete += any(runs_of(journal) for journal in run.history.journals.values())
    assert count >= 10
    assert complete


def test_it_goes_the_same_way_on_the_real_journal(tmp_path: Path) -> None:
    """Migration, tables and chain say what the model says."""
    found, _ = on_disk(BESIDE_ANOTHERS, play(BESIDE_ANOTHERS).trace, tmp_path)
    assert found == []


@pytest.mark.parametrize("seed", [5221, 6267, 7581])
def test_an_old_answer_by_the_id_does_not_make_a_day_equal(seed: int) -> None:
    """They found that a reconciliation took it for the service's last word, over the money in its list."""
    assert judge(play(story_of(seed)).history) == []


def test_what_a_journal_sold_as_another_installation_is_no_other_till_s() -> None:
    """Seed 10627: a folder was put back and moved, and the list has the payment that it forgot."""
    history = play(story_of(10627)).history
    assert judge(history) == []
    found = [
        each.record.content["difference"]["kind"]
        for journal in history.journals.values()
        for each in journal
        if each.record.kind == "DIFFERENCE_FOUND"
    ]
    assert found == ["there_unknown"]


Change = Callable[[Written], Written | None]


def _without(kind: str) -> Change:
    return lambda each: None if each.record.kind == kind else each


def _saw_nothing(each: Written) -> Written:
    if each.record.kind != "RECON_WINDOW":
        return each
    progress = {**each.record.content["progress"], "seen": []}
    return replace(each, record=replace(each.record, content={"progress": progress}))


@pytest.mark.parametrize(
    "change", [_without("DIFFERENCE_FOUND"), _saw_nothing], ids=["a stranger untold", "a row of ours unseen"]
)
def test_a_forged_run_is_found_out(change: Change) -> None:
    """By I19."""
    history = play(BESIDE_ANOTHERS).history
    journals = {
        line: tuple(made for each in journal if (made := change(each)) is not None)
        for line, journal in history.journals.items()
    }
    forged: History = replace(history, journals=journals)
    assert "I19" in {violation.invariant for violation in judge(forged)}
