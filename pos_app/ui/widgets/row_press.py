"""A row of a list, pressed by a screen reader. Mouse and keyboard do not come through here."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView

_WHOLE = QItemSelectionModel.SelectionFlag.ClearAndSelect
_KEEP = QItemSelectionModel.SelectionFlag.NoUpdate


class RowPress(QObject):
    """`pressed(row)`; the row is then the current one.

    Qt answers a reader's press on a row by selecting it, and does nothing where it is selected already. So while a
    reader listens no row stays selected: the current one is marked by its focus, and each selection that the keys
    or the mouse did not bring is a press. Where the selected row is the one that is open (`is_choice`), it stays:
    to press it again would change nothing.
    """

    pressed = Signal(int)

    def __init__(self, view: QAbstractItemView, *, is_choice: bool = False) -> None:
        super().__init__(view)
        self._view = view
        self._is_choice = is_choice
        self._current = -1
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._look)
        view.selectionModel().selectionChanged.connect(self._changed)

    def _changed(self) -> None:
        by_mouse = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        if QAccessible.isActive() and not by_mouse:
            # While it is told the current row may still be on its way.
            self._later.start()

    def _look(self) -> None:
        current = self._view.currentIndex()
        selected = self._view.selectionModel().selectedIndexes()
        moved, self._current = current.row() != self._current, current.row()
        if not self._is_choice:
            self._view.selectionModel().clearSelection()
        if not selected or (moved and selected == [current]):
            return
        self._current = selected[0].row()
        self._view.selectionModel().setCurrentIndex(selected[0], _WHOLE if self._is_choice else _KEEP)
        self.pressed.emit(self._current)
