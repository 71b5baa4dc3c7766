"""A window that changes its language while it is used says what one that was begun in it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt

from pos_app.domain.staff import ChooseLanguage
from pos_app.ui.dialogs.set_up.wizard import Wizard
from pos_app.ui.language import set_language
from pos_app.ui.widgets.button import Button
from tests.unit.i18n.changing import changes_wholly
from tests.unit.i18n.walks import SAMPLES
from tests.unit.ui.setup_cases import Elsewhere
from tests.unit.ui.till_cases import NIMALI, RUWAN, recent, terminal
from tests.unit.ui.till_stage import Stage


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_language("en")


_FIGURE = re.compile("[0-9]")


@pytest.mark.parametrize("state", SAMPLES)
def test_a_change_leaves_nothing_in_the_old_language(qtbot: Any, state: str) -> None:
    changes_wholly(qtbot, state, "ar")


def test_the_till_speaks_to_whoever_is_at_it(qtbot: Any) -> None:
    """And to nobody in particular in the counter's own; the amount that was typed stays."""
    tamil = msgspec.structs.replace(NIMALI, language="ta")
    on = Stage(qtbot, language="si")
    sinhala = on.part("methods_ask").text()
    on.window._pad.type("12")
    on.receive(terminal(signed_in=tamil))
    assert on.part("methods_ask").text() != sinhala
    assert on.window._pad.text == "12"
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
