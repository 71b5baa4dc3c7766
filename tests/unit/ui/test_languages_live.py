"""A window that changes its language while it is used says what one that was begun in it says."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Environment
from pos_app.domain.staff import ChooseLanguage
from pos_app.i18n.languages import words_in
from pos_app.i18n.table import spoken
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.dialogs.set_up.wizard import Wizard
from pos_app.ui.language import set_language
from pos_app.ui.widgets.band import SandboxMark
from pos_app.ui.widgets.button import Button
from tests.support.published import NIMALI, RUWAN, config, recent, terminal
from tests.support.stage import STATES, Stage
from tests.unit.i18n.changing import changes_wholly
from tests.unit.i18n.walks import SAMPLES
from tests.unit.ui.customer_cases import Shown
from tests.unit.ui.lock_cases import BOSS, at, locked
from tests.unit.ui.setup_cases import Elsewhere

_FIGURE = re.compile("[0-9]")


@pytest.mark.parametrize("state", SAMPLES)
def test_a_change_leaves_nothing_in_the_old_language(qtbot: Any, state: str) -> None:
    changes_wholly(qtbot, state, "ar")


def test_the_till_speaks_to_whoever_is_at_it(qtbot: Any) -> None:
    """And to nobody in particular in the counter's own; the amount that was typed stays."""
    tamil = msgspec.structs.replace(NIMALI, language="ta")
    on = Stage(qtbot, language="si")
    sinhala = on.part("methods_ask").text()
    on.type("12")
    on.receive(terminal(signed_in=tamil))
    assert on.part("methods_ask").text() != sinhala
    assert on.part("amount_pad").text == "12"
    on.receive(terminal(signed_in=RUWAN))
    assert on.part("methods_ask").text() == sinhala


def test_a_language_chosen_at_the_sign_in_holds_until_the_sign_out(qtbot: Any) -> None:
    on = Stage(qtbot)
    english = on.part("methods_ask").text()
    on.receive(terminal(signed_in=None))
    on.window.speak("ta")
    on.receive(terminal(signed_in=NIMALI, recent=recent()))
    assert on.part("methods_ask").text() != english
    on.receive(terminal(signed_in=None))
    on.receive(terminal(signed_in=NIMALI))
    assert on.part("methods_ask").text() == english


def test_the_wizard_goes_on_in_the_language_that_is_touched(qtbot: Any) -> None:
    wizard = Wizard(Elsewhere().calls())
    qtbot.addWidget(wizard)
    wizard.show()
    english = wizard.windowTitle()
    tamil = wizard.findChild(Button, "language_ta")
    assert tamil is not None
    tamil.click()
    qtbot.waitUntil(lambda: wizard.windowTitle() != english)
    assert wizard.start is not None
    wizard.start.counter.emit()
    assert wizard.counter is not None


def test_a_touch_at_the_names_is_enough(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=None))
    english = on.part("names_hint").text()
    on.part("language_si").click()
    qtbot.waitUntil(lambda: on.part("names_hint").text() != english)


def test_a_language_touched_at_a_lock_closes_nothing_behind_it(qtbot: Any) -> None:
    """Anybody can touch one there; whoever comes back to their own finds what they had half typed."""
    manager = msgspec.structs.replace(BOSS, language="en")
    on = Stage(qtbot)
    on.receive(at(manager))
    on.press(Qt.Key.Key_F10)
    on.touch("manager_people")
    on.touch("staff_enrol")
    on.fill("person_name", "Kamala")
    on.receive(locked(manager))
    on.press(Qt.Key.Key_Escape)
    on.touch("language_ta")
    on.until(lambda: spoken() == "ta")
    on.receive(at(manager))
    assert spoken() == "en"
    assert on.text("person_name") == "Kamala"
    on.receive(locked(manager))
    on.receive(at(msgspec.structs.replace(manager, language="ta")))
    assert spoken() == "ta"
    assert on.window.overlay.top is None


def test_whoever_is_signed_in_chooses_for_themselves(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.part("person").click()
    on.part("language_ta").click()
    assert on.commands(ChooseLanguage) == [ChooseLanguage("ta")]
    assert on.window.overlay.top is None


def test_an_arabic_window_begins_at_the_right(qtbot: Any) -> None:
    on = Stage(qtbot, language="ar")
    on.settle()
    pad = on.part("amount_pad")
    assert pad.geometry().center().x() > on.window.width() / 2
    assert on.window.layoutDirection() is Qt.LayoutDirection.RightToLeft
    on.window.speak("en")
    on.settle()
    assert pad.geometry().center().x() < on.window.width() / 2


def test_every_window_follows_whoever_changes_the_language(qtbot: Any) -> None:
    """Qt's own LanguageChange tells them, a window that is only hidden and the marks in a customer's among them."""
    on = Stage(qtbot)
    STATES["waiting-60"](on)
    shown = Shown(qtbot, config(environment=Environment.SANDBOX), words_in(CustomerWords, "en"), (1024, 600))
    on.settle()
    on.window.hide()
    said, mark = on.part("waiting_title").text(), _mark(shown.window).accessibleName()
    set_language("ta")
    on.window.show()
    on.settle()
    assert on.part("waiting_title").text() not in (said, "")
    assert _mark(shown.window).accessibleName() not in (mark, "")
    set_language("en")
    assert on.part("waiting_title").text() == said
    assert _mark(shown.window).accessibleName() == mark


def test_a_change_of_language_is_told_before_what_is_shown_next(qtbot: Any) -> None:
    """Sent, not posted: no picture of a payment ever stands beside words of before."""
    on = Stage(qtbot)
    told: list[str] = []

    class Watch(QObject):
        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.LanguageChange:
                told.append(spoken())
            return False

    watch = Watch()
    on.window.installEventFilter(watch)
    on.receive(terminal(signed_in=msgspec.structs.replace(NIMALI, language="si")))
    assert told == ["si"]
    on.receive(terminal(signed_in=msgspec.structs.replace(NIMALI, language="si"), recent=recent()))
    assert told == ["si"]


def test_a_window_that_another_comes_for_is_left_as_it_is(qtbot: Any) -> None:
    """A change of settings makes another, which speaks the counter's language before it knows who is there."""
    on, staying = Stage(qtbot), Stage(qtbot)
    for each in (on, staying):
        each.press(Qt.Key.Key_F1)
    on.window.retire()
    set_language("ta")
    assert on.window.overlay.top is not None
    assert staying.window.overlay.top is None


def _mark(window: QWidget) -> SandboxMark:
    mark = window.findChild(SandboxMark)
    assert mark is not None
    return mark
