"""Closing days while the till dies at each commit and call; and the judge of it on trial."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.verification.simulation.canonical import crash_points
from tests.verification.simulation.checker import judge
from tests.verification.simulation.days import zs_of
from tests.verification.simulation.directed import (
    CLOSED_AND_BEGUN_ANEW,
    DISPUTED_AFTER_ITS_Z,
    DISPUTED_AFTER_ITS_Z_AND_TAKEN_OVER,
    OF_DAYS,
    PAID_AFTER_ITS_Z,
    PAID_AFTER_ITS_Z_AND_TAKEN_OVER,
)
from tests.verification.simulation.history import History, Written
from tests.verification.simulation.on_disk import on_disk
from tests.verification.simulation.run import play
from tests.verification.simulation.story import Story

STORIES = {id(story): (name, story) for name, story in OF_DAYS.items()}.values()


@pytest.mark.parametrize("story", [story for _, story in STORIES], ids=[name for name, _ in STORIES])
def test_a_day_survives_a_crash_at_each_of_its_effects(story: Story) -> None:
    """Before and after the first commit or call, the second, … until there is none left."""
    count = closed = 0
    for crashed, run in crash_points(story):
        count += 1
        assert judge(run.history) == [], crashed.crashes
        closed += sum(len(zs_of(journal)) for journal in run.history.journals.values())
    assert count >= 10
    assert closed or story.staffed


@pytest.mark.parametrize("story", [story for _, story in STORIES], ids=[name for name, _ in STORIES])
def test_a_day_goes_the_same_way_on_the_real_journal(story: Story, tmp_path: Path) -> None:
    """Migration, tables and chain say what the model says."""
    found, _ = on_disk(story, play(story).trace, tmp_path)
    assert found == []


def _zs(story: Story) -> list[dict[str, object]]:
    (journal,) = play(story).history.journals.values()
    return [each.record.content for each in zs_of(journal)]


def test_the_stories_say_what_they_are_meant_to() -> None:
    """Else they would prove nothing."""
    first, second = _zs(PAID_AFTER_ITS_Z)
    assert (first["carried"], "late_from" in first) != ([], True)
    assert [each["z"] for each in second["late_from"]] == [1]  # type: ignore[attr-defined]
    *_, last = _zs(DISPUTED_AFTER_ITS_Z)[:2]
    assert [each["z"] for each in last["corrections"]] == [1]  # type: ignore[attr-defined]
    assert _taken_over(PAID_AFTER_ITS_Z_AND_TAKEN_OVER) == [{"proven", "paid_at", "late"}]
    assert _taken_over(DISPUTED_AFTER_ITS_Z_AND_TAKEN_OVER) == [{"proven", "paid_at", "corrects"}]
    assert _taken_over(CLOSED_AND_BEGUN_ANEW) == [{"proven", "paid_at", "z"}]


def _taken_over(story: Story) -> list[set[str]]:
    """What is said of each payment that was taken over from a lost journal."""
    journals = play(story).history.journals.values()
    return [
        {*each.record.content} for journal in journals for each in journal if each.record.kind == "RECOVERED"
    ]


Change = Callable[[Written], Written]


def _with(history: History, change: Change) -> History:
    journals = {line: tuple(change(each) for each in journal) for line, journal in history.journals.items()}
    return replace(history, journals=journals)


def _z_says(**facts: object) -> Change:
    def change(each: Written) -> Written:
        if each.record.kind != "Z_CLOSED" or each.record.content["number"] != 2:
            return each
        return replace(each, record=replace(each.record, content={**each.record.content, **facts}))

    return change


def _receipt(number: int) -> Change:
    def change(each: Written) -> Written:
        attempt = each.record.attempt
        if attempt is None or not attempt.receipt:
            return each
        return replace(each, record=replace(each.record, attempt=replace(attempt, receipt=number)))

    return change


FORGED: dict[str, tuple[Change, str]] = {
    "another number": (_receipt(2), "I15"),
    "no number": (_receipt(0), "I15"),
    "a Z left out": (_z_says(number=3), "I15"),
    "a gap between two Zs": (_z_says(from_seq=99), "I16"),
    "no sums": (_z_says(entries=[]), "I16"),
    "no hours": (_z_says(hours=[]), "I16"),
    "a sum that is no whole number": (_z_says(entries=[["PAID", "push", "p", "LKR", 1, 435.0]]), "I16"),
    "nothing late": (_z_says(late_from=[]), "I16"),
    "a correction of nothing": (_z_says(corrections=[{"attempt_id": "x", "z": 1}]), "I16"),
    "another grand total": (_z_says(grand={"LKR": {"taken": 1, "noted": 0, "corrected": 0}}), "I16"),
    "another Z before it": (_z_says(previous="0" * 32), "I17"),
    "no digest": (_z_says(digest=""), "I17"),
    "somebody else's Z": (_z_says(by="person-9"), "I17"),
    "carried over and paid": (_z_says(carried=[{"attempt_id": "x", "state": "WAITING"}]), "I18"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_day_is_found_out(name: str) -> None:
    """By the invariant that it breaks."""
    change, invariant = FORGED[name]
    history = play(PAID_AFTER_ITS_Z).history
    assert judge(history) == []
    assert invariant in {violation.invariant for violation in judge(_with(history, change))}
