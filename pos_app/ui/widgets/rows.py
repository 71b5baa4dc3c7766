"""The list that every list is: rows for a finger, the keyboard and a screen reader. Knows nothing of what it lists."""

from __future__ import annotations

from typing import Any, Protocol, cast

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAccessible, QColor, QGuiApplication, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from pos_app.ui.key_sets import ENTER
from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_SMALL, S1
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import box
from pos_app.ui.widgets.reading import as_read

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


MOST_ROWS = 6
_DATA = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex


class Row:
    """One row being painted. Places are given as if lines began at the left; they are turned where they do not."""

    def __init__(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        self.painter = painter
        self.room = QRectF(option.rect).adjusted(S1, 2, -S1, -2)
        self.is_focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        # While a screen reader listens the current row is not selected, and is known by its focus.
        self.is_chosen = self.is_focused or bool(option.state & QStyle.StateFlag.State_Selected)
        self._is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        self._is_turned = option.direction is Qt.LayoutDirection.RightToLeft

    def place(self, left: float, top: float, width: float, height: float) -> QRectF:
        """A room this far from where the row begins and from its top."""
        at = self.room.right() - left - width if self._is_turned else self.room.left() + left
        return QRectF(at, self.room.top() + top, width, height)

    def write(self, room: QRectF, role: str, ink: str, text: str, *, at_end: bool = False) -> float:
        """A line of text in a place, cut with "…" where it must be; the width it took."""
        self.painter.setFont(font(role))
        self.painter.setPen(QColor(ink))
        metrics = self.painter.fontMetrics()
        shown = metrics.elidedText(clean(text, DETAILS_LIMIT), Qt.TextElideMode.ElideRight, int(room.width()))
        side = Qt.AlignmentFlag.AlignRight if at_end else Qt.AlignmentFlag.AlignLeft
        self.painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, as_read(shown))
        return float(metrics.horizontalAdvance(shown))

    def ground(self) -> None:
        """What tells the chosen row, the one under the pointer, and the keyboard's."""
        on = tokens()
        if self.is_chosen or self._is_hovered:
            fill = on.primarysoft if self.is_chosen else on.hover
            box(self.painter, self.room, RADIUS_SMALL + 2, fill, on.focus if self.is_focused else None, 2)


class Rows(QListWidget):
    """Enter goes to `enter_pressed` and never to the till, where it would charge. Subclasses paint their rows.

    `steady` and `growing`: a row's height, the part that stays and the part that grows with the text.
    `is_choice`: the chosen row is the one that is open.
    """

    def __init__(
        self,
        name: str,
        accessible: str,
        *,
        steady: int = 16,
        growing: int = 48,
        is_choice: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(clean(accessible, DETAILS_LIMIT))
        self.row_height = steady + grown(growing)
        self.setItemDelegate(RowDelegate(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.reader = RowPress(self, is_choice=is_choice)

    def add_row(self, text: str, data: object, *, description: str = "") -> QListWidgetItem:
        """A row below the others; `text` and `description` are what a screen reader says."""
        item = QListWidgetItem(clean(text), self)
        item.setData(_DATA, data)
        if description:
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, clean(description))
        return item

    def data_at(self, row: int) -> Any:
        """What a row was made of."""
        return self.item(row).data(_DATA)

    def set_data(self, row: int, data: object) -> None:
        """A row is made of this now."""
        self.item(row).setData(_DATA, data)

    def all_data(self) -> list[Any]:
        """What the rows were made of, in their order."""
        return [self.data_at(row) for row in range(self.count())]

    def current_data(self) -> Any:
        """What the current row was made of, None without one."""
        item = self.currentItem()
        return None if item is None else item.data(_DATA)

    def fit_rows(self, most: int = MOST_ROWS) -> None:
        """As tall as its rows, up to `most` of them."""
        rows = max(1, min(self.count(), most))
        self.setFixedHeight(self.row_height * rows + 2 * self.frameWidth() + 2)

    def paint_row(self, row: Row, data: Any) -> None:
        """Paint this; its ground is painted already."""
        raise NotImplementedError

    def enter_pressed(self) -> None:
        """Enter, once for each press; it means nothing unless a subclass gives it a meaning."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter stays here."""
        if event.key() in ENTER:
            event.accept()
            if not event.isAutoRepeat():
                self.enter_pressed()
            return
        super().keyPressEvent(event)


class PaintsRows(Protocol):
    """A view of rows that are equally high."""

    row_height: int

    def paint_row(self, row: Row, data: Any) -> None:
        """Paint this; its ground is painted already."""
        ...


class RowDelegate(QStyledItemDelegate):
    """Has the view that it belongs to paint its rows; what a row is made of is its `UserRole`."""

    def __init__(self, rows: PaintsRows) -> None:
        super().__init__(cast("QAbstractItemView", rows))
        self._rows = rows

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        """As high as the view says."""
        return QSize(option.rect.width(), self._rows.row_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The ground, then what the view draws on it."""
        painter.save()
        row = Row(painter, option)
        row.ground()
        self._rows.paint_row(row, index.data(_DATA))
        painter.restore()
