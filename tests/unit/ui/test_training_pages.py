"""The course's pages fit beside a till at 1366 × 768, and say nothing that no table says. Every language: proof."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest

from pos_app.i18n.words.phone import words as phone_words
from pos_app.i18n.words.till import words as till_words
from pos_app.i18n.words.training import words
from pos_app.training.coach.pages import WhoPage
from pos_app.training.coach.scroll import Scrolling
from pos_app.training.coach.sheet import Need
from pos_app.training.coach.step_page import StepPage
from pos_app.training.course.scene import Decision
from pos_app.ui.theme.tokens import S2
from pos_app.ui.widgets.button import Button
from tests.unit.i18n.looking import cut
from tests.unit.ui.training_stage import (
    LOW,
    STRIP,
    Beside,
    language,
    show_quiet_pages,
    steps,
    wrong_pages,
    wrong_steps,
)


@pytest.mark.parametrize("name", ["ar", "pseudo"])
def test_each_step_fits_with_the_phone_it_needs(qtbot: Any, name: str) -> None:
    with language(name):
        assert wrong_steps(Beside(qtbot), name) == []


@pytest.mark.parametrize("name", ["ar", "pseudo"])
def test_each_other_page_fits(qtbot: Any, name: str) -> None:
    with language(name):
        assert wrong_pages(Beside(qtbot), name) == []


@pytest.mark.parametrize("name", ["en", "si", "ta", "ar"])
def test_no_page_ends_in_the_middle_of_itself_with_room_below(qtbot: Any, name: str) -> None:
    with language(name):
        on = Beside(qtbot)
        area = on.sheet.findChildren(Scrolling)[0]
        for page in show_quiet_pages(on):
            needs = area.tall_at(area.width())
            is_low = area.mapTo(on.sheet, area.rect().bottomLeft()).y() >= on.sheet.height() - 3 * S2
            assert needs <= area.height() or is_low or on.phone.isVisible(), page
            assert area.verticalScrollBar().isVisible() == (needs > area.height()), page


def test_the_strip_says_the_instruction_and_leads_back(qtbot: Any) -> None:
    on = Beside(qtbot)
    told = next(steps())
    on.show_step(told)
    on.sheet.fold(True)
    on.settle()
    assert on.sheet.size().toTuple() == STRIP.size().toTuple()
    assert on.sheet.strip.says.text() == told.do
    assert cut(on.sheet) == []
    QTest.mouseClick(on.sheet.strip.open, Qt.MouseButton.LeftButton)
    assert not on.sheet.is_folded


def test_a_decision_leaves_once_with_its_name(qtbot: Any) -> None:
    on = Beside(qtbot)
    told = next(each for each in steps() if Decision.WAIT in each.decisions)
    on.show_step(told)
    with qtbot.waitSignal(on.sheet.coach.decided) as heard:
        page = on.sheet.coach.page
        assert isinstance(page, StepPage)
        QTest.mouseClick(page.decisions[Decision.WAIT], Qt.MouseButton.LeftButton)
    assert heard.args == [Decision.WAIT]


@pytest.mark.parametrize("name", ["ප්‍රියන්ත", "ශ්‍රීමතී පෙරේරා"])
def test_a_name_with_joined_letters_is_one(qtbot: Any, name: str) -> None:
    """As every third name in Sinhala is written: its owner was told to enter a name, and was shut out."""
    on = Beside(qtbot)
    on.sheet.coach.show_who([])
    page = on.sheet.coach.page
    assert isinstance(page, WhoPage)
    page.name.edit.type_over(name)
    with qtbot.waitSignal(on.sheet.coach.named, timeout=1_000, raising=False) as heard:
        QTest.mouseClick(page.begin, Qt.MouseButton.LeftButton)
    assert heard.args == [name]


def test_a_long_name_is_touched_and_keeps_the_course_in_its_place(qtbot: Any) -> None:
    """Of forty letters, as many as may be typed: the window grew over the till, and out of the screen."""
    name = "Wickramasinghe Mudiyanselage Ruwan Banda"
    on = Beside(qtbot)
    on.sheet.coach.show_who(["Nimali", name])
    on.settle()
    assert on.sheet.width() == LOW.width()
    assert cut(on.sheet) == []
    page = on.sheet.coach.page
    assert isinstance(page, WhoPage)
    chip = page.findChild(Button, "learner_suggestion_1")
    assert chip is not None
    assert chip.accessibleName() == name
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert page.name.text() == name


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


@pytest.mark.parametrize("name", ["en", "si", "ta", "ar"])
def test_the_customer_quotes_what_the_phone_shows(qtbot: Any, name: str) -> None:
    """And the phone never shows the till's own proof."""
    with language(name):
        on = Beside(qtbot)
        shown = phone_words.status("Payment Success")
        quoting = [told for told in steps() if shown in told.says]
        assert [told.title for told in quoting] == [words.TITLES["late"]]
        on.show_step(quoting[0])
        assert cut(on.sheet) == []
        assert till_words.result.paid.casefold() not in quoting[0].says.casefold()
