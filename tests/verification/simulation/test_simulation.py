"""Seeds: each played twice and judged; some on the real journal, where everything must go the same way."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.verification.simulation.directed import DIRECTED, LOST, OF_MACHINES, OF_PEOPLE, TAP, TWO_SALES
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.losing import WAYS
from tests.verification.simulation.on_disk import on_disk
from tests.verification.simulation.run import play
from tests.verification.simulation.seeds import try_seeds
from tests.verification.simulation.story import CrashAt, Story
from tests.verification.simulation.telling import happened, told

LOST_BUT_ITS_TABLES = replace(LOST, value=WAYS.index("tables"))


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_no_seed_breaks_an_invariant(start: int) -> None:
    """And each goes the same way twice."""
    figures = try_seeds(start, start + 50)
    assert figures.seeds == 50
    assert not figures.failures, figures.failures


@pytest.mark.timeout(300)  # Seventeen seconds of a core that may have a dozen others to work for.
def test_the_seeds_meet_every_fault() -> None:
    """A simulation that hits nothing proves nothing."""
    figures = try_seeds(1, 300)
    hit = {name.split(" × ")[0] for name in figures.faults}
    assert len(hit) >= 20, sorted(hit)
    assert figures.ordinary_sales > 180
    assert figures.paid > figures.ordinary_sales * 0.9


def test_the_seeds_meet_locks_switches_and_refusals() -> None:
    """Where people sign in, they also leave, come back, and want what they may not."""
    met = set()
    for seed in range(0, 1_600, 16):
        story = story_of(seed)
        assert story.staffed
        (journal,) = play(story).history.journals.values()
        met |= {(each.record.kind, each.record.content.get("problem", "")) for each in journal}
    for kind in ("SIGNED_IN", "SWITCHED", "LOCKED", "UNLOCKED", "SIGNED_OUT", "PASSCODE_TRY", "APPROVED"):
        assert kind in {each for each, _ in met}
    for problem in ("locked", "not_signed_in", "not_allowed"):
        assert ("RIGHT_REFUSED", problem) in met
    assert ("APPROVAL_REFUSED", "not_a_manager") in met


@pytest.mark.parametrize("seed", [*range(1, 60, 2), *range(0, 20, 2)])
def test_a_seed_goes_the_same_way_on_the_real_journal(seed: int, tmp_path: Path) -> None:
    """What SQLite gives back is what the model gives back, and its chain and tables are whole at the end."""
    story = story_of(seed)
    found, _ = on_disk(story, play(story).trace, tmp_path)
    assert found == []


@pytest.mark.parametrize("name", [*OF_PEOPLE, *OF_MACHINES])
def test_rows_are_taken_out_of_the_real_journal_with_the_same_end(name: str, tmp_path: Path) -> None:
    """Its start finds them missing where the model says so, and its walk where a passcode or a manager is asked for."""
    story = DIRECTED[name]
    found, _ = on_disk(story, play(story).trace, tmp_path)
    assert found == []


def test_what_is_salvaged_is_what_the_salvage_says() -> None:
    """Claims, days and numbers of people too; and rows that were taken out are missed."""
    story = DIRECTED["an_empty_list_is_a_first_start"]
    journals = play(story).history.journals.values()
    (rebuilt,) = [
        each.record.content
        for journal in journals
        for each in journal
        if each.record.kind == "JOURNAL_REBUILT"
    ]
    assert any("missing" in each for each in rebuilt["findings"])
    sold = play(replace(TWO_SALES, acts=(LOST_BUT_ITS_TABLES,))).history.journals.values()
    (anew,) = [
        each.record.content for journal in sold for each in journal if each.record.kind == "JOURNAL_REBUILT"
    ]
    assert anew["claimed"] == []
    assert anew["next_person"] == 2


def test_a_commit_is_torn_on_the_real_journal(tmp_path: Path) -> None:
    """In every way a log can be torn; what was under way is gone, and nothing else."""
    whole = Story(sales=(TAP,), stop_at=60_000)
    torn = 0
    for effect in range(1, 12):
        story = replace(whole, crashes=(CrashAt(effect, after=False),))
        folder = tmp_path / str(effect)
        folder.mkdir()
        found, pieces = on_disk(story, play(story).trace, folder)
        assert found == []
        torn += pieces
    assert torn >= 3


def test_a_story_can_be_told() -> None:
    """The one in which something goes wrong is read by a person."""
    story = story_of(7)
    history = play(story).history
    assert any("sale 0" in line for line in told(story))
    assert any("Merchant Initiated" in line for line in happened(history))
