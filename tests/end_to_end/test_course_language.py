"""Another language at the till while the course stands beside it: its window is made anew, and nobody notices."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.training.controller import Page
from tests.end_to_end.course.trainee import Trainee


@pytest.fixture
def on(
    qtbot: Any,  # noqa: ARG001 - fails the test behind an exception in Qt's loop
    tmp_path: Path,
) -> Iterator[Trainee]:
    """Somebody whose name is asked for."""
    trainee = Trainee(tmp_path)
    try:
        trainee.until(lambda: trainee.controller.page is Page.WHO)
        yield trainee
    finally:
        ended = trainee.stop()
    assert ended


def test_the_keyboard_stays_at_the_till_and_a_name_where_it_was_typed(on: Trainee) -> None:
    """The new window took the keyboard from the sign-in, and the name that was typed was gone with the old one."""
    field = on.coach.part("learner")
    field.clear()
    QTest.keyClicks(field, "Kamala")
    before = on.sheet
    on.window.activateWindow()
    on.until(on.window.isActiveWindow)
    on.touch("language_ta")
    on.until(lambda: on.sheet is not before and on.sheet.isVisible())
    on.until(lambda: QApplication.activeWindow() is on.window)
    assert on.coach.text("learner") == "Kamala"


def test_in_arabic_it_covers_the_ends_of_the_till_s_lines_too(on: Trainee) -> None:
    """It lay over their beginnings: over the amount, and over the code that a learner typed."""
    assert on.sheet.may_fold
    middle = on.window.screen().availableGeometry().center().x()
    assert on.sheet.geometry().center().x() > middle
    before = on.sheet
    on.touch("language_ar")
    on.until(lambda: on.sheet is not before and on.sheet.isVisible())
    assert on.sheet.geometry().center().x() < middle
    on.touch("language_en")
    on.until(lambda: on.sheet.geometry().center().x() > middle)
