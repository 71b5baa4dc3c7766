"""Every screen in a language with 40 % more length: nothing is cut, and nothing is said that no table says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pos_app.ui.gallery.dialogs import dialogs
from pos_app.ui.gallery.exhibit import Exhibit
from tests.languages.looking import cut, untranslated
from tests.languages.pseudo import spoken
from tests.ui.till_stage import STATES, Stage

SMALLEST = (1024, 768)


@pytest.fixture(autouse=True)
def in_pseudo() -> Iterator[None]:
    with spoken():
        yield


@pytest.mark.parametrize("state", STATES)
def test_the_till(qtbot: Any, state: str) -> None:
    on = Stage(qtbot, size=SMALLEST)
    STATES[state](on)
    on.settle()
    assert on.window.size().toTuple() == SMALLEST
    assert cut(on.window) == []
    assert untranslated(on.window) == []


@pytest.mark.parametrize("exhibit", dialogs(), ids=lambda exhibit: exhibit.name)
def test_a_dialog(qtbot: Any, exhibit: Exhibit) -> None:
    made = exhibit.build()
    qtbot.addWidget(made)
    made.resize(*exhibit.size)
    made.show()
    qtbot.waitUntil(lambda: exhibit.ready(made))
    assert cut(made) == []
    assert untranslated(made) == []
