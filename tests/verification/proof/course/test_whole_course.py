"""Every exercise of the course, done right and done wrong, at a real till against the real sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pos_app.training.course.exercises import COURSE
from tests.end_to_end.course.going import do_right, do_wrong, learner
from tests.end_to_end.course.lessons import LESSONS
from tests.end_to_end.course.slips import SLIPS

KEYS = [each.key for each in COURSE]


def test_each_exercise_has_a_right_way_and_a_wrong_one() -> None:
    assert sorted(KEYS) == sorted(LESSONS) == sorted(SLIPS)


@pytest.mark.timeout(300)
def test_all_of_it_done_right(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    with learner(tmp_path) as on:
        for key in KEYS:
            do_right(on, key)
        assert on.coach.says("course_done") == "All exercises done right. You are ready for the till."


@pytest.mark.timeout(300)
def test_each_done_wrong_and_then_right(qtbot: Any, tmp_path: Path) -> None:  # noqa: ARG001
    with learner(tmp_path) as on:
        for key in KEYS:
            do_wrong(on, key)
        assert on.coach.says("course_done").startswith("0 of 12")
        for key in reversed(KEYS):
            do_right(on, key)
