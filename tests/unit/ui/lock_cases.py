"""A till with three people who all have passcodes, locked or not, as the engine publishes it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from PySide6.QtWidgets import QLabel, QWidget

from pos_app.domain.views import Terminal
from pos_app.ui.widgets.ticker import Ticker
from tests.support.published import KASUN, NIMALI, RUWAN, recent, terminal
from tests.support.stage import Stage

OWN, OTHER, BOSS = (replace(each, passcode_set=True) for each in (NIMALI, KASUN, RUWAN))
HERE = {"people": (OWN, OTHER, BOSS), "sessions": ("p1", "p2", "p3")}


def at(person: Any = OWN, **more: Any) -> Terminal:
    """This person, or nobody, is at the till."""
    return terminal(**{"signed_in": person, "recent": recent(), **HERE, **more})


def locked(person: Any = OWN, **more: Any) -> Terminal:
    """This person has locked it."""
    return at(person, locked=True, **more)


def readable(on: Stage) -> str:
    """All that can be read from the window, by eye or by a screen reader."""
    parts: list[Any] = [each for each in on.window.findChildren(QWidget) if each.isVisible()]
    texts = [each.text() for each in parts if isinstance(each, QLabel | Ticker)]
    return " | ".join([*texts, *(each.accessibleName() for each in parts)])
