"""A list of any length: rows are read when they are looked at, and forgotten when others are. Knows nothing of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableView,
)

from pos_app.ui.key_sets import ENTER
from pos_app.ui.theme.fonts import grown
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.rows import MOST_ROWS, Index, Row, RowDelegate, RowPress

KEPT = 60
"""So many blocks are remembered: a screenful is in two of them."""

SETTLES_MS = 15
"""A thumb that is dragged passes thousands of rows that nobody reads: they are asked for once it rests so long."""

_DATA = Qt.ItemDataRole.UserRole


class _Blocks(QAbstractTableModel):
    """A count, and those blocks of it that are known just now."""

    def __init__(self, view: LongRows) -> None:
        super().__init__(view)
        self._view = view
        self.count = 0
        self.block = 1
        self.known: OrderedDict[int, list[Any]] = OrderedDict()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self.count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index.row())
        if role == _DATA:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._view.spoken_row(row)
        return None

    def row(self, at: int) -> Any:
        """None while it is not known."""
        block = self.known.get(at // self.block)
        place = at % self.block
        return block[place] if block is not None and place < len(block) else None


class LongRows(QTableView):
    """`picked(row)`; `block_wanted(number)`, one at a time, answered by `take_block`. Subclasses paint and say a row.

    `typed` what belongs to a search, "" for backspace.

    A table of one column: of Qt's views the one that lays out a million rows without looking at any.
    """

    picked = Signal(object)
    block_wanted = Signal(int)
    typed = Signal(str)

    def __init__(self, name: str, accessible: str, *, steady: int = 16, growing: int = 48) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(clean(accessible, DETAILS_LIMIT))
        self.row_height = steady + grown(growing)
        self._blocks = _Blocks(self)
        self._asked: int | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SETTLES_MS)
        self._later.timeout.connect(self._ask)
        self.setModel(self._blocks)
        self.setItemDelegate(RowDelegate(self))
        # A row paints its own ground, as in every list.
        self.setStyleSheet(
            "QTableView { selection-background-color: transparent; } QTableView::item { padding: 0; }"
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(self.row_height)
        self.verticalHeader().setDefaultSectionSize(self.row_height)
        self.reader = RowPress(self)
        self.reader.pressed.connect(self._pick)
        self.clicked.connect(lambda index: self._pick(index.row()))

    def begin(self) -> None:
        """Nothing is listed, and what was asked for is of no use any more."""
        self._blocks.beginResetModel()
        self._blocks.count = 0
        self._blocks.known.clear()
        self._blocks.endResetModel()
        self._asked = None

    def set_count(self, count: int, block: int) -> None:
        """So many rows there are by now; each block has `block` of them."""
        blocks, before = self._blocks, self._blocks.count
        blocks.block = max(1, block)
        if count > before:
            blocks.beginInsertRows(QModelIndex(), before, count - 1)
            blocks.count = count
            blocks.endInsertRows()
            # The last block may have been read while it was shorter.
            blocks.known.pop(before // blocks.block, None)
        if count and not self.currentIndex().isValid():
            self.setCurrentIndex(blocks.index(0, 0))
        self._later.start()

    def take_block(self, number: int, rows: Sequence[Any]) -> None:
        """The rows of a block."""
        known = self._blocks.known
        known[number] = list(rows)
        known.move_to_end(number)
        while len(known) > KEPT:
            known.popitem(last=False)
        if number == self._asked:
            self._asked = None
        first = number * self._blocks.block
        self._blocks.dataChanged.emit(
            self._blocks.index(first, 0),
            self._blocks.index(min(first + len(rows), self._blocks.count) - 1, 0),
        )
        self._later.start()

    def give_up_block(self, number: int) -> None:
        """It could not be read; it is asked for again when it next comes into view."""
        if number == self._asked:
            self._asked = None

    def count(self) -> int:
        """How many rows there are."""
        return self._blocks.count

    def row_at(self, at: int) -> Any:
        """What a row was made of; None while it is not known."""
        return self._blocks.row(at)

    def known_rows(self) -> list[tuple[int, int, Any]]:
        """Block, place in it, and row, of all that are remembered."""
        return [
            (number, at, row) for number, rows in self._blocks.known.items() for at, row in enumerate(rows)
        ]

    def replace_row(self, block: int, at: int, row: object) -> None:
        """A row is made of this now."""
        self._blocks.known[block][at] = row
        self.viewport().update()

    def seen(self) -> range:
        """The rows that are in view."""
        height = max(1, self.row_height)
        top = self.verticalScrollBar().value()
        last = min(self._blocks.count, (top + self.viewport().height()) // height + 1)
        return range(max(0, top // height), last)

    def _ask(self) -> None:
        """For what is in view and not known; the rest when this has come."""
        if self._asked is not None or not self._blocks.count:
            return
        seen = self.seen()
        for number in range(
            seen.start // self._blocks.block, max(seen.start, seen.stop - 1) // self._blocks.block + 1
        ):
            if number not in self._blocks.known:
                self._asked = number
                self.block_wanted.emit(number)
                return

    def _pick(self, row: int) -> None:
        found = self.row_at(row)
        if found is not None:
            self.picked.emit(found)

    def sizeHint(self) -> QSize:
        """Six rows."""
        return QSize(420, self.row_height * MOST_ROWS + 2)

    def minimumSizeHint(self) -> QSize:
        """Three."""
        return QSize(240, self.row_height * 3)

    def paintEvent(self, event: QPaintEvent) -> None:
        """What comes into view is asked for."""
        if not self._later.isActive():
            self._later.start()
        super().paintEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens a row and goes no further; Home and End are the list's, not a row's."""
        if event.key() in ENTER:
            event.accept()
            if not event.isAutoRepeat():
                self._pick(self.currentIndex().row())
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and self._blocks.count:
            event.accept()
            at = 0 if event.key() == Qt.Key.Key_Home else self._blocks.count - 1
            self.setCurrentIndex(self._blocks.index(at, 0))
        elif event.key() == Qt.Key.Key_Backspace:
            event.accept()
            self.typed.emit("")
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, text: str) -> None:
        """A letter in the list. Qt's own search asks each row what it says: of a million, for 13 seconds."""
        if text.isprintable():
            self.typed.emit(text)

    def paint_row(self, row: Row, data: Any) -> None:
        """Paint this; its ground is painted already. None: it is not known yet."""
        raise NotImplementedError

    def spoken_row(self, data: Any) -> str:
        """What a screen reader says of a row; None: it is not known yet."""
        raise NotImplementedError
