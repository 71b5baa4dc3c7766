"""What people did at this till, newest first: who, what, to whom, when, why. It reads and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

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

from pos_app.domain.people import Person
from pos_app.domain.views import StaffLog
from pos_app.ui.design.fonts import font
from pos_app.ui.design.theme import tokens
from pos_app.ui.design.tokens import RADIUS_SMALL, S1, S2, S3
from pos_app.ui.dialogs.parts.lines import Panel, button_row, column, heading
from pos_app.ui.dialogs.people.staff_lines import Told, told
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.paint import box
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.words.manager import words
from pos_app.ui.words.people import words as people_words

ROW = 68
_MOST_ROWS = 6
_TOLD = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex


class StaffLogPanel(Panel):
    """`show_log` once it was read; `closed` when it is to go away."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("staff_log")
        self.lines = _Lines()
        self.said = Label(words.LOG_READING, "body", "muted", wrap=True, name="staff_log_said")
        self.close_button = Button(words.CLOSE, name="staff_log_close", keycap="Esc")
        title = heading(words.LOG_TITLE, "staff_log_title")
        column(self, title, self.said, self.lines, button_row(self.close_button), spacing=S3)
        self.lines.hide()
        self.setFocusProxy(self.close_button)
        self.close_button.clicked.connect(self.closed)

    def show_log(self, log: StaffLog, people: Sequence[Person]) -> None:
        """All of it, in words."""
        if log.problem:
            self.said.setText(people_words.problem(log.problem))
        else:
            self.said.setText(words.LOG_HINT if log.lines else words.LOG_NONE)
        self.lines.show_lines([told(line, people) for line in log.lines])
        self.lines.setVisible(bool(log.lines))
        if log.lines:
            self.setFocusProxy(self.lines)
            self.lines.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, and goes no further."""
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self.closed.emit()
            return
        super().keyPressEvent(event)


class _Lines(QListWidget):
    """Read with the arrows; nothing in it can be chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("staff_log_lines")
        self.setAccessibleName(words.LOG_TITLE)
        self.setItemDelegate(_Line(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)

    def show_lines(self, lines: Sequence[Told]) -> None:
        """These and no others."""
        self.clear()
        for line in lines:
            item = QListWidgetItem(" · ".join(part for part in line if part), self)
            item.setData(_TOLD, line)
        self.setCurrentRow(0)
        self.setFixedHeight(ROW * max(1, min(self.count(), _MOST_ROWS)) + 2 * self.frameWidth() + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter means nothing here, and never reaches the till, where it would charge."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)


class _Line(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(option.rect.width(), ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        on = tokens()
        line: Told = index.data(_TOLD)
        row = QRectF(option.rect).adjusted(S1, 2, -S1, -2)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            seen = bool(option.state & QStyle.StateFlag.State_HasFocus)
            box(painter, row, RADIUS_SMALL + 2, on.primarysoft, on.focus if seen else None, 2)
        right_to_left = option.direction is Qt.LayoutDirection.RightToLeft
        painter.setFont(font("second"))
        time_width = painter.fontMetrics().horizontalAdvance(line.when) + S2
        upper = QRectF(row.left() + S3, row.top() + 8, row.width() - 2 * S3, 24)
        time_room = QRectF(
            upper.left() if right_to_left else upper.right() - time_width, upper.top(), time_width, 24
        )
        what = (
            upper.adjusted(time_width + S2, 0, 0, 0)
            if right_to_left
            else upper.adjusted(0, 0, -time_width - S2, 0)
        )
        lower = QRectF(row.left() + S3, row.bottom() - 32, row.width() - 2 * S3, 24)
        _text(painter, time_room, "second", on.muted, line.when, Qt.AlignmentFlag.AlignRight)
        _text(painter, what, "strong", on.text, line.what, Qt.AlignmentFlag.AlignLeft)
        _text(painter, lower, "second", on.muted, line.why, Qt.AlignmentFlag.AlignLeft)
        painter.restore()


def _text(painter: QPainter, room: QRectF, role: str, ink: str, text: str, side: Qt.AlignmentFlag) -> None:
    painter.setFont(font(role))
    painter.setPen(QColor(ink))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room.width()))
    painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, as_read(shown))
