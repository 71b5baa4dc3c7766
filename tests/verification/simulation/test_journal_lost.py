"""Stories whose journal is lost at the end, behind a service that cuts its lists; and tills that believe too soon."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.domain import list_reader
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.journal_lost import after_a_loss
from tests.verification.simulation.run import play
from tests.verification.simulation.till import INSTALLATIONS

SEEDS = range(60)


def _violations() -> list[str]:
    found: list[str] = []
    for seed in SEEDS:
        story = story_of(seed)
        history = play(story).history
        for installation in INSTALLATIONS[: story.tills]:
            found += [f"{seed}: {each}" for each in after_a_loss(story, history, installation, seed)]
    return found


def test_no_payment_is_lost_with_the_journal() -> None:
    """Each of ours at the service is entered again, and money is money; or people are told that it may be missing."""
    assert _violations() == []


def test_a_till_that_takes_the_first_answer_for_the_list_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: what the rebuild did."""

    def believes(_: list_reader.Reading, answer: Any) -> bool:
        return isinstance(answer, tuple)

    monkeypatch.setattr(list_reader.Reading, "_is_whole", believes)
    assert any("I4" in each for each in _violations())
