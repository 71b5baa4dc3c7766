"""Puts the till back into English, which is read from the left, after each test; must not load Qt itself."""

import sys
from collections.abc import Iterator

import pytest

ENGLISH = "en"


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """There is one language for the whole process: the next test finds the one it began with."""
    yield
    if (words := sys.modules.get("pos_app.i18n.languages")) is not None:
        words.speak(ENGLISH)
    if (window := sys.modules.get("pos_app.ui.language")) is not None:
        window.set_language(ENGLISH)
