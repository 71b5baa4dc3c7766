"""A panel over an empty window as the till shows it, and what every panel has to bear."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from pos_app.domain.commands import Command
from pos_app.domain.staff import StaffCommand
from pos_app.ui.theme.theme import apply
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.overlay import OverlayHost
from tests.support.driver import ActiveWindow, Key

__all__ = ["Key", "Posted", "faults", "focused", "press", "settle", "shown", "type_text"]

_SCREEN = ActiveWindow()
press, type_text, settle = _SCREEN.press, _SCREEN.type, _SCREEN.settle
"""A key, a text, into whatever has the focus; all that is due now is done."""

_STAGES: dict[int, QWidget] = {}


class Posted(list[Command | StaffCommand]):
    """Every wish a panel posted, in order."""

    def __call__(self, command: Command | StaffCommand) -> None:
        self.append(command)


def shown(
    qtbot: QtBot,
    panel: QWidget,
    *,
    width: int = 520,
    size: tuple[int, int] = (1366, 768),
    theme: str = "light",
) -> OverlayHost:
    """The panel over an active window."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply(application, theme)
    window = QWidget()
    window.resize(*size)
    qtbot.addWidget(window)
    host = OverlayHost(window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    host.open(panel, width=width)
    # The panel keeps its window: a test that asks for nothing else would lose both.
    key = id(panel)
    _STAGES[key] = window
    panel.destroyed.connect(lambda: _STAGES.pop(key, None))
    settle()
    return host


def focused() -> QWidget | None:
    """Who has the keyboard."""
    return QApplication.focusWidget()


def faults(panel: QWidget) -> list[str]:
    """Cut texts, parts that overlap the panel's edge, too small targets, nameless or marked-up parts."""
    found = []
    for part in panel.findChildren(QWidget):
        if not part.isVisible():
            continue
        name = f"{type(part).__name__} {part.objectName()!r}"
        if isinstance(part, Label | Button) and not part.text_fits():
            found.append(f"{name} cuts {part.text()!r}")
        if isinstance(part, QLabel) and part.textFormat() is not Qt.TextFormat.PlainText:
            found.append(f"{name} may show markup")
        if isinstance(part, Button | QLineEdit | QComboBox | QListWidget):
            if not part.objectName() or not part.accessibleName():
                found.append(f"{name} has no name")
            if part.height() < 48 or part.width() < 48:
                found.append(f"{name} is too small for a finger: {part.size()}")
            if part.focusPolicy() is Qt.FocusPolicy.NoFocus:
                found.append(f"{name} is out of the keyboard's reach")
        left = part.mapTo(panel, part.rect().topLeft()).x()
        if isinstance(part, Label | Button) and (left < 0 or left + part.width() > panel.width()):
            found.append(f"{name} sticks out")
    return found
