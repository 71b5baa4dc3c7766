"""The course's pages fit beside a till at 1366 × 768 in every language, and say nothing that no table says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.training.scene import Decision
from pos_app.ui.training.sheet import Need
from pos_app.ui.training.step_page import StepPage
from pos_app.ui.words import languages
from tests.languages import pseudo
from tests.languages.looking import cut, untranslated
from tests.ui.training_stage import LOW, Beside, show_quiet_pages, steps

DATA = ("Nimali", "Kasun", "Ruwan Wickramasinghe")


@pytest.fixture(params=["si", "ta", "ar", "pseudo"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each of them, and one that is longer than all."""
    name = str(request.param)
    if name == "pseudo":
        with pseudo.spoken():
            yield name
        return
    from_right = languages.is_right_to_left(name)
    QApplication.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if from_right else Qt.LayoutDirection.LeftToRight
    )
    languages.speak(name)
    try:
        yield name
    finally:
        languages.speak("en")
        QApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def problems(on: Beside, language: str, page: str) -> list[str]:
    """What is wrong with what stands there now."""
    found = [f"{page}: {each}" for each in cut(on.sheet)]
    if on.sheet.height() > LOW.height() or on.sheet.width() > LOW.width():
        found.append(f"{page}: grew to {on.sheet.size().toTuple()}")
    if language == "pseudo":
        found += [f"{page}: {each}" for each in untranslated(on.sheet, DATA)]
    return found


def test_each_step_fits_with_the_phone_it_needs(qtbot: Any, language: str) -> None:
    on = Beside(qtbot)
    found: list[str] = []
    for told in steps():
        on.show_step(told)
        found += problems(on, language, f"{told.title}, {told.place}")
    assert found == []


def test_each_other_page_fits(qtbot: Any, language: str) -> None:
    on = Beside(qtbot)
    found: list[str] = []
    for page in show_quiet_pages(on):
        found += problems(on, language, page)
    assert found == []


@pytest.mark.parametrize("language", ["pseudo", "ar"], indirect=True)
@pytest.mark.usefixtures("language")
def test_the_strip_says_the_instruction_and_leads_back(qtbot: Any) -> None:
    on = Beside(qtbot)
    found: list[str] = []
    for told in steps():
        on.show_step(told)
        on.sheet.fold(True)
        on.settle()
        assert on.sheet.size().toTuple() == (1024, 82)
        found += [f"{told.do}: {each}" for each in cut(on.sheet)]
        QTest.mouseClick(on.sheet.strip.open, Qt.MouseButton.LeftButton)
        assert not on.sheet.is_folded
    assert found == []


def test_a_decision_leaves_once_with_its_name(qtbot: Any) -> None:
    on = Beside(qtbot)
    told = next(each for each in steps() if Decision.WAIT in each.decisions)
    on.show_step(told)
    with qtbot.waitSignal(on.sheet.coach.decided) as heard:
        page = on.sheet.coach.page
        assert isinstance(page, StepPage)
        QTest.mouseClick(page.decisions[Decision.WAIT], Qt.MouseButton.LeftButton)
    assert heard.args == [Decision.WAIT]


def test_on_a_tall_screen_the_phone_stands_below_every_step(qtbot: Any) -> None:
    on = Beside(qtbot, QRect(0, 0, 380, 1000))
    for told in steps():
        on.show_step(told)
        assert on.phone.isVisible(), told.do


def test_where_it_does_not_fit_the_phone_is_a_touch_away(qtbot: Any) -> None:
    on = Beside(qtbot)
    told = max(steps(), key=lambda each: len(each.decisions) * 1000 + len(each.says) + len(each.do))
    on.show_step(told)
    assert not on.phone.isVisible()
    QTest.mouseClick(on.sheet.coach.phone, Qt.MouseButton.LeftButton)
    on.settle()
    assert on.phone.isVisible()
    on.sheet.coach.show_invitation()
    on.settle(Need.PHONE)
    assert not on.sheet.coach.phone.isVisible()
