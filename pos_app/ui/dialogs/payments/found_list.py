"""Payments as rows for a finger and the keyboard: mark, amount, state in words, time. It finds none itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from pos_app.domain.attempt import Attempt, Kind
from pos_app.ui.design.fonts import font
from pos_app.ui.design.theme import tokens
from pos_app.ui.design.tokens import RADIUS_SMALL, S1, S2, S3
from pos_app.ui.face import Face
from pos_app.ui.till.recent_strip import mark_of
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import box
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.widgets.row_press import RowPress
from pos_app.ui.words.find import words
from pos_app.ui.words.till import words as till_words

ROW = 64
ROWS_SEEN = 6
_DISC = 36
_LINE = 24
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ROW = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex


class Row(NamedTuple):
    """A payment, and what its row says of it."""

    attempt: Attempt
    figure: str
    state: str
    time: str
    line: str


def row_of(attempt: Attempt, face: Face, today: str) -> Row:
    """The day is said where it is another than today."""
    if attempt.kind is Kind.QR:
        line = words.BY_QR.format(sale=attempt.sale_id)
    else:
        line = words.BY_PUSH.format(sale=attempt.sale_id, mask=attempt.wallet_mask)
    for text in (attempt.invoice_number, attempt.payment_reference):
        if text:
            line = words.WITH_TEXT.format(line=line, text=text)
    day, time = attempt.tapped_wall[:10], attempt.tapped_wall[11:16]
    state = till_words.state[attempt.state]
    return Row(attempt, face.figure(attempt.amount), state, time if day == today else f"{day} {time}", line)


class FoundList(QListWidget):
    """`picked(attempt)`; `end_neared` when the last rows come into view; `typed` what belongs to the search."""

    picked = Signal(object)
    end_neared = Signal()
    typed = Signal(str)

    def __init__(self, face: Face, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._face = face
        self.setObjectName("found_list")
        self.setAccessibleName(words.LIST)
        self.setItemDelegate(_Line(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.itemClicked.connect(lambda item: self.picked.emit(item.data(_ROW).attempt))
        RowPress(self).pressed.connect(lambda row: self.picked.emit(self.item(row).data(_ROW).attempt))
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    def attempts(self) -> list[Attempt]:
        """What is listed."""
        return [self.item(at).data(_ROW).attempt for at in range(self.count())]

    def add(self, attempts: Sequence[Attempt], today: str) -> None:
        """Older ones, below."""
        for attempt in attempts:
            self._fill(QListWidgetItem(self), attempt, today)
        if self.currentRow() < 0:
            self.setCurrentRow(0)

    def put(self, attempt: Attempt, today: str) -> bool:
        """What became of one that is listed; whether it is."""
        for at in range(self.count()):
            item = self.item(at)
            if item.data(_ROW).attempt.attempt_id == attempt.attempt_id:
                self._fill(item, attempt, today)
                return True
        return False

    def put_first(self, attempt: Attempt, today: str) -> None:
        """A new one; the row that was chosen stays so."""
        item = QListWidgetItem()
        self.insertItem(0, item)
        self._fill(item, attempt, today)

    def pick_current(self) -> None:
        """Enter."""
        item = self.currentItem()
        if item is not None:
            self.picked.emit(item.data(_ROW).attempt)

    def move_by(self, key: Qt.Key) -> None:
        """The arrows, while the keyboard is in the search."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -5, Qt.Key.Key_PageDown: 5}
        row = self.currentRow() + steps.get(key, 0)
        self.setCurrentRow(max(0, min(row, self.count() - 1)))

    def sizeHint(self) -> QSize:
        """Six rows."""
        return QSize(420, ROW * ROWS_SEEN + 2 * self.frameWidth() + 2)

    def minimumSizeHint(self) -> QSize:
        """Three."""
        return QSize(240, ROW * 3)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter picks; what is typed belongs to the search. Nothing reaches the till, where it would charge."""
        text = event.text()
        if event.key() in _ENTER:
            event.accept()
            if not event.isAutoRepeat():
                self.pick_current()
        elif event.key() == Qt.Key.Key_Backspace:
            self.typed.emit("")
        elif text.isprintable() and text and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def _fill(self, item: QListWidgetItem, attempt: Attempt, today: str) -> None:
        row = row_of(attempt, self._face, today)
        spoken = words.SPOKEN.format(
            money=self._face.money(attempt.amount), state=row.state, time=row.time, line=row.line
        )
        item.setText(clean(spoken, DETAILS_LIMIT))
        item.setData(_ROW, row)

    def _scrolled(self, value: int) -> None:
        if value >= self.verticalScrollBar().maximum() - ROW:
            self.end_neared.emit()


class _Line(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(option.rect.width(), ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        on = tokens()
        said: Row = index.data(_ROW)
        row = QRectF(option.rect).adjusted(S1, 2, -S1, -2)
        seen = bool(option.state & QStyle.StateFlag.State_HasFocus)
        chosen = seen or bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            ground = on.primarysoft if chosen else on.pressed
            box(painter, row, RADIUS_SMALL + 2, ground, on.focus if chosen and seen else None, 2)
        mark = mark_of(said.attempt.state)
        at = _Places(row, option.direction is Qt.LayoutDirection.RightToLeft)
        badge.paint_small(painter, at.disc, mark)
        time = _text(painter, at.upper, "second", on.muted, said.time, Qt.AlignmentFlag.AlignRight)
        state = _text(
            painter, at.lower, "strong", getattr(on, mark.token), said.state, Qt.AlignmentFlag.AlignRight
        )
        left = Qt.AlignmentFlag.AlignLeft
        _text(painter, at.beside(at.upper, time), "shop", on.text, said.figure, left)
        _text(painter, at.beside(at.lower, state), "second", on.muted, said.line, left)
        painter.restore()


class _Places:
    """Where the parts of a row stand, mirrored where the language runs from right to left."""

    def __init__(self, row: QRectF, mirrored: bool) -> None:
        self._mirrored = mirrored
        disc_left = row.right() - S3 - _DISC if mirrored else row.left() + S3
        self.disc = QRectF(disc_left, row.center().y() - _DISC / 2, _DISC, _DISC)
        near, far = (S3, S3 + _DISC + S3) if mirrored else (S3 + _DISC + S3, S3)
        self.upper = QRectF(row.left() + near, row.top() + 6, row.width() - near - far, _LINE)
        self.lower = QRectF(row.left() + near, row.bottom() - 6 - _LINE, row.width() - near - far, _LINE)

    def beside(self, line: QRectF, taken: float) -> QRectF:
        """What the text at its far end leaves of a line."""
        room = taken + S2
        return line.adjusted(room, 0, 0, 0) if self._mirrored else line.adjusted(0, 0, -room, 0)


def _text(painter: QPainter, room: QRectF, role: str, ink: str, text: str, side: Qt.AlignmentFlag) -> float:
    """Draws it, at the painter's own side for the language; its width."""
    painter.setFont(font(role))
    painter.setPen(QColor(ink))
    metrics = painter.fontMetrics()
    shown = metrics.elidedText(clean(text, DETAILS_LIMIT), Qt.TextElideMode.ElideRight, int(room.width()))
    painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, as_read(shown))
    return float(metrics.horizontalAdvance(shown))
