"""The choices for the customer's screen: the displays that are there now, and the languages."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from pos_app.i18n.words.settings import words
from pos_app.ui.customer.displays import OFF
from pos_app.ui.dialogs.parts.choice import Option


def displays() -> list[Option]:
    """None, the first that is free, or one by its name; one display alone needs no name."""
    there = [(each.name(), each.geometry().size()) for each in QGuiApplication.screens()]
    named = [
        (name, words.DISPLAY.format(name=name, width=size.width(), height=size.height()))
        for name, size in there
        if len(there) > 1 and name not in ("", OFF)
    ]
    return [("", words.FIRST_FREE_DISPLAY), *named, (OFF, words.NO_DISPLAY)]


def languages() -> list[Option]:
    """The till's, or one of its own."""
    return [("", words.LIKE_THE_TILL), *words.CHOICE["window.language"].items()]
