"""A window that changes its language while it is used, beside one that was begun in it."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget

from tests.support.stage import STATES, Stage


def changes_wholly(qtbot: Any, state: str, language: str) -> None:
    """Both say the same, in the same places."""
    live = Stage(qtbot)
    STATES[state](live)
    live.settle()
    live.window.speak(language)
    live.settle()
    fresh = Stage(qtbot, language=language)
    STATES[state](fresh)
    fresh.settle()

    def looked() -> None:
        assert told(live) == told(fresh)

    qtbot.waitUntil(looked)


def told(on: Stage) -> list[tuple[str, ...]]:
    """All that is said by a part that can be seen: shown, named, drawn on a key; and where it stands."""
    parts = []
    for part in on.window.findChildren(QWidget):
        if part.isVisible() and part.objectName():
            text = part.text() if isinstance(part, QLabel | QAbstractButton | QLineEdit) else ""
            said = (part.accessibleName(), part.accessibleDescription(), str(getattr(part, "keycap", "")))
            parts.append((part.objectName(), text, *said, str(part.geometry().getRect())))
    return sorted(parts)
