"""Tills that tell a store in the simulation: M1 beside themselves without one, and that the weather is met at all."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.verification.simulation.checker import judge
from tests.verification.simulation.directed import PUT_BACK
from tests.verification.simulation.folders import DEEDS
from tests.verification.simulation.generate import STORES, story_of
from tests.verification.simulation.owner import SHOPS
from tests.verification.simulation.planting import planted
from tests.verification.simulation.run import play
from tests.verification.simulation.stores import beside
from tests.verification.simulation.story import Act, Story
from tests.verification.simulation.wrong_waiting import waits_for_its_store

SEEDS = range(STORES + 4, 540, STORES)
NO_CLONE_AND_NO_BACKUP = (*DEEDS, "copy", "thin", "store_put_back")


def _apart(story: Story) -> bool:
    return not any(act.verb in NO_CLONE_AND_NO_BACKUP for act in story.acts)


def _dead(story: Story) -> Story:
    own = tuple(act for act in story.acts if not act.verb.startswith("store_"))
    return replace(story, acts=(*own, Act(0, "store_lost", value=10**12)))


def test_no_store_changes_a_payment() -> None:
    """M1: no store, a dead one, and one that is slow, lost, torn and lies: the same bytes at the same time."""
    looked = 0
    for seed in SEEDS:
        story = story_of(seed)
        if _apart(story):
            told = beside(play(story).history)
            assert told == beside(play(_dead(story)).history), seed
            assert told == beside(play(replace(story, store=False)).history), seed
            looked += 1
    assert looked > 30


def test_an_engine_that_waits_for_its_store_is_noticed() -> None:
    """By M1, in few seeds."""
    with planted(waits_for_its_store):
        differs = [
            seed
            for seed in SEEDS
            if _apart(story_of(seed))
            and beside(play(story_of(seed)).history)
            != beside(play(replace(story_of(seed), store=False)).history)
        ]
    assert differs


def test_the_seeds_meet_a_store_s_weather() -> None:
    """Else nothing would be judged: batches, stores put back, tills convicted by their own signature, late Zs."""
    batches = behind = convicted = signed = late = missing = 0
    for seed in range(4, 1_800, STORES):
        history = play(story_of(seed)).history
        assert judge(history) == [], seed
        assert history.store is not None
        batches += sum(len(held.batches) for held in history.store.disk.held.values())
        looks = history.store.owners.looks
        signed += sum(each.kind == "day_signed" for each in history.store.owners.done)
        late += sum(z.late for look in looks[-len(SHOPS) :] for _, zs in look.days.values() for _, z in zs)
        missing += sum(len(each.missing) for each in looks[: -len(SHOPS)])
        kinds = [each.record.kind for written in history.journals.values() for each in written]
        behind += kinds.count("STORE_BEHIND")
        convicted += kinds.count("STORE_CONVICTED")
    assert batches > 1_000
    assert behind > 5
    assert convicted > 3
    assert signed > 20
    assert late > 2
    assert missing > 20


@pytest.mark.parametrize("off", [500, 3_000, 90_000])
def test_a_folder_that_was_put_back_is_told_and_its_money_comes_back(off: int) -> None:
    """Convicted as older, stopped, and what it forgot is asked about: the service says it was paid."""
    put_back = replace(PUT_BACK.acts[1], value=off)
    history = play(replace(PUT_BACK, acts=(PUT_BACK.acts[0], put_back), stop_at=120_000 + off)).history
    assert judge(history) == []
    (line,) = [name for name in history.journals if "/" in name]
    kinds = [each.record.kind for each in history.journals[line]]
    assert "STORE_CONVICTED" in kinds
    newest = {each.attempt_id: each for each in history.closed[0].attempts}
    assert [each.state.value for each in newest.values()] in (["PAID"], ["PAID_LATE"])
