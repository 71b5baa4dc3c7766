"""Leads a learner through exercises with short seconds, and gives what belongs to it back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pos_app.training import controller
from tests.end_to_end.course.lessons import LESSONS
from tests.end_to_end.course.slips import SLIPS
from tests.end_to_end.course.trainee import Trainee

SHORT_MS = 250
"""Nobody watches: an exercise's second is a quarter of one. Shorter, and a busy machine gives up too soon."""


@contextmanager
def learner(folder: Path, *, signed_in: str = "Nimali") -> Iterator[Trainee]:
    """At a till of their own, in the course."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(controller, "SECOND_MS", SHORT_MS)
        on = Trainee(folder)
        try:
            on.begin()
            if signed_in:
                on.sign_in(signed_in)
            yield on
        finally:
            ended = on.stop()
        assert ended, "the till did not end its threads in time"


def do_right(on: Trainee, key: str) -> None:
    """One exercise, and the coach says it was right."""
    on.start(key)
    LESSONS[key](on)
    on.until_right()
    on.to_the_list()


def do_wrong(on: Trainee, key: str) -> None:
    """The same, and the coach says calmly why it would have cost money."""
    doing, slip, why = SLIPS[key]
    on.start(key)
    doing(on)
    assert why in on.until_slip(slip)
    assert on.coach.takes("course_repeat")
    on.to_the_list()
