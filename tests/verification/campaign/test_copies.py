"""A few copied folders of the real till, wrong tills that the verdict must notice, and what the campaign draws."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.sandbox import Sandbox
from tests.verification.campaign.copies.case import Case, Outcome
from tests.verification.campaign.copies.counter import no_other_machine
from tests.verification.campaign.copies.story import Fate, Moment, Story, Trouble, Way, story_of

CORNERS = len(Moment) * len(Fate) * len(Trouble)
another_machine = pytest.mark.skipif(
    bool(no_other_machine()), reason=f"no other machine here: {no_other_machine()}"
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Sandbox, Path]]:
    config = tmp_path_factory.mktemp("sandbox")
    with Sandbox(config_dir=config, switches={"approve_to_paid_s": 0}) as sandbox:
        yield sandbox, config


PUT_BACK = Story(
    seed=1, moment=Moment.BEFORE, fate=Fate.PUT_BACK, trouble=Trouble.LOST, sold_after=0, copy_paid=False
)
"""The worst of them: the sale after the copy is paid, the folder comes back, and the next sale's reply is lost."""

KILLED = Story(
    seed=2, moment=Moment.WAITING, way=Way.AFTER_A_KILL, fate=Fate.BESIDE, paid_late=True, sold_after=0
)
TORN = Story(seed=3, moment=Moment.WAITING, way=Way.SLOWLY, fate=Fate.BESIDE)
CARRIED_AWAY = Story(seed=4, moment=Moment.PAID, fate=Fate.BESIDE, other_machine=True, sold_after=0)


def outcome(served: tuple[Sandbox, Path], folder: Path, story: Story, bug: str = "") -> Outcome:
    sandbox, config = served
    sandbox.reset()
    return Case(story, sandbox, config, folder, bug=bug).run()


@pytest.mark.parametrize(
    "story",
    [PUT_BACK, KILLED, TORN, pytest.param(CARRIED_AWAY, marks=another_machine)],
    ids=["put back", "killed", "torn", "carried away"],
)
def test_a_copy_shows_cancels_and_sends_nothing_of_its_twins(
    served: tuple[Sandbox, Path], tmp_path: Path, story: Story
) -> None:
    done = outcome(served, tmp_path, story)
    assert done.findings == ()
    assert done.paid >= 2
    assert done.damaged == (story is TORN)
    assert done.told >= (story is PUT_BACK)


@pytest.mark.parametrize(
    ("bug", "story", "noticed"),
    [
        ("ids_again", PUT_BACK, " I3b "),
        ("looks_for_nothing", PUT_BACK, " rule 20: "),
        ("sends_at_start", KILLED, " rule 12: "),
        pytest.param("any_machine", CARRIED_AWAY, " two machines", marks=another_machine),
    ],
)
def test_a_wrong_till_is_noticed(
    served: tuple[Sandbox, Path], tmp_path: Path, bug: str, story: Story, noticed: str
) -> None:
    done = outcome(served, tmp_path, story, bug)
    assert any(noticed in finding for finding in done.findings), done.findings


def test_forty_stories_meet_each_moment_with_each_fate_and_each_trouble() -> None:
    drawn = [story_of(seed) for seed in range(300)]
    assert drawn == [story_of(seed) for seed in range(300)]
    assert len({(each.moment, each.fate, each.trouble) for each in drawn[:CORNERS]}) == CORNERS
    assert {(each.way, each.kind, each.other_machine) for each in drawn} == {
        (way, kind, machine) for way in Way for kind in ("push", "qr") for machine in (False, True)
    }
    assert not any(story_of(seed, other_machines=False).other_machine for seed in range(300))
