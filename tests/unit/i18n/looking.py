"""What is wrong with the texts on a screen: cut off, or said by no table. Looks at what can be seen alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QListWidget, QWidget

from tests.unit.i18n.pseudo import BEGIN, END

DATA = (
    "Nimali", "Ruwan", "Kasun", "Corner Shop", "Corner", "LKR", "QR", "SMS", "Enter", "Esc", "SBX",
    "English", "disk full", "Delete", "Backspace", "Tab", "Perera",
)  # fmt: skip
"""Names, ids and keys: the same in every language."""

_KEY = re.compile(r"F[0-9]{1,2}|[A-Z]{3}-[A-Z0-9]+(-[A-Z0-9]+)*")
_LETTERS = re.compile("[A-Za-z]{2,}")


def cut(window: QWidget) -> list[str]:
    """Texts without their room, and parts that hang out of what they stand in."""
    found = []
    for part in _seen(window):
        fits = getattr(part, "text_fits", None)
        if fits is not None and not fits():
            size = part.size().toTuple()
            found.append(f"{part.objectName()} {size} {part.accessibleName() or type(part).__name__}")
        if (view := _view_of(part)) is not None:
            left = part.mapTo(view, QPoint(0, 0)).x()
            if part.objectName() and (left < 0 or left + part.width() > view.width()):
                found.append(f"{part.objectName()} is cut at the side: {left} {part.width()} {view.width()}")
            continue
        inside = part.parentWidget()
        hangs_out = inside is not None and not inside.rect().contains(part.geometry())
        if inside is not None and hangs_out and part.objectName():
            found.append(f"{part.objectName()} hangs out of {inside.objectName()}: {part.geometry()}")
    return found


def fits(qtbot: Any, window: QWidget) -> None:
    """Nothing is cut once the layouts have come to rest."""

    def looked() -> None:
        found = cut(window)
        assert found == [], found

    qtbot.waitUntil(looked)


def untranslated(window: QWidget, data: tuple[str, ...] = ()) -> list[str]:
    """Texts with letters that no table said."""
    found = []
    for part in _seen(window):
        for text in _texts(part):
            if _LETTERS.search(_foreign(text, data)):
                found.append(f"{part.objectName() or type(part).__name__}: {text}")
    return sorted(set(found))


def _foreign(text: str, data: tuple[str, ...]) -> str:
    """What is left of a text without all that a table said, and without data."""
    # Where a long word may be broken belongs to its picture.
    left = re.sub(f"{BEGIN}[^{BEGIN}{END}]*{END}", "", text.replace("\u200b", ""))
    while left != (again := re.sub(f"{BEGIN}[^{BEGIN}{END}]*{END}", "", left)):
        left = again
    # A text inside a text: what stands around the inner one was said by a table too.
    left = re.sub(f"{BEGIN}.*{END}", "", left, flags=re.DOTALL)
    left = _KEY.sub("", left)
    for known in (*data, *DATA):
        left = left.replace(known, "")
    return left


def _texts(part: QWidget) -> Iterator[str]:
    yield part.accessibleName()
    yield part.accessibleDescription()
    match part:
        case QLabel() | QAbstractButton():
            yield part.text()
        case QLineEdit():
            yield part.placeholderText()
        case QComboBox():
            for at in range(part.count()):
                yield part.itemText(at)
        case QListWidget():
            for at in range(part.count()):
                yield part.item(at).text()
                yield str(part.item(at).data(Qt.ItemDataRole.AccessibleDescriptionRole) or "")


def _seen(window: QWidget) -> list[QWidget]:
    return [part for part in (window, *window.findChildren(QWidget)) if part.isVisible()]


def _view_of(part: QWidget) -> QWidget | None:
    """What shows the part, if it scrolls: there it may be taller than what is seen of it, never wider."""
    above = part.parentWidget()
    while above is not None and above.objectName() != "qt_scrollarea_viewport":
        above = above.parentWidget()
    return above
