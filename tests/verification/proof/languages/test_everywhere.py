"""Each state, panel and dialog in each language: nothing is cut, nothing is left in English after a change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pos_app.gallery.dialogs import dialogs
from pos_app.gallery.exhibit import Exhibit
from pos_app.ui.dialogs.people.store_panel import ADDRESS_EXAMPLE, CODE_EXAMPLE
from tests.support.stage import STATES, Stage
from tests.unit.i18n.changing import changes_wholly
from tests.unit.i18n.looking import fits, untranslated
from tests.unit.i18n.pseudo import spoken
from tests.unit.i18n.tables import LANGUAGES
from tests.unit.i18n.walks import WALKS

SMALLEST = (1024, 768)
NO_WORDS = (
    "/home/till/pos-app-diagnostics-20251121-1407.zip",
    "/home/till/Documents/sandbox-payments-z12.csv",
    "No space left on device",
    "BBBB2222",
    "ABC",
    ADDRESS_EXAMPLE,
    CODE_EXAMPLE,
)
"""Paths, what the system says of a disk, another till's id, the Latin letters on the key that brings them; an address
and a joining code, which are typed as they are in every language.
"""
LONG_NAMES = ("Chandrasekara Mudiyanselage Anura Kumara Senanayake Wickramasinghe",)


@pytest.fixture
def in_pseudo() -> Iterator[None]:
    with spoken():
        yield


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_each_state_in_each_language(qtbot: Any, state: str, language: str) -> None:
    on = Stage(qtbot, size=SMALLEST, language=language)
    STATES[state](on)
    on.settle()
    assert on.window.size().toTuple() == SMALLEST
    fits(qtbot, on.window)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("walk", WALKS)
def test_each_panel_in_each_language(qtbot: Any, walk: str, language: str) -> None:
    on = Stage(qtbot, size=SMALLEST, language=language, leave=lambda: None, diagnostics=lambda _tell: None)
    WALKS[walk](on)
    on.settle()
    fits(qtbot, on.window)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_a_change_leaves_nothing_in_the_old_language(qtbot: Any, state: str, language: str) -> None:
    changes_wholly(qtbot, state, language)


@pytest.mark.usefixtures("in_pseudo")
@pytest.mark.parametrize("state", STATES)
def test_each_state_in_a_longer_language(qtbot: Any, state: str) -> None:
    on = Stage(qtbot, size=SMALLEST)
    STATES[state](on)
    on.settle()
    assert on.window.size().toTuple() == SMALLEST
    fits(qtbot, on.window)
    assert untranslated(on.window) == []


@pytest.mark.usefixtures("in_pseudo")
@pytest.mark.parametrize("walk", WALKS)
def test_each_panel_in_a_longer_language(qtbot: Any, walk: str) -> None:
    on = Stage(qtbot, size=SMALLEST, leave=lambda: None, diagnostics=lambda _tell: None)
    WALKS[walk](on)
    on.settle()
    fits(qtbot, on.window)
    assert untranslated(on.window) == []


@pytest.mark.usefixtures("in_pseudo")
@pytest.mark.parametrize("exhibit", dialogs(), ids=lambda exhibit: exhibit.name)
def test_each_dialog_in_a_longer_language(qtbot: Any, exhibit: Exhibit) -> None:
    made = exhibit.build()
    qtbot.addWidget(made)
    made.resize(*exhibit.size)
    made.show()
    qtbot.waitUntil(lambda: exhibit.ready(made))
    fits(qtbot, made)
    assert untranslated(made, (*LONG_NAMES, *NO_WORDS)) == []
