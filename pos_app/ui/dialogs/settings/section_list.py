"""The sections of the settings, beside what they hold. It shows no setting."""

from __future__ import annotations

from collections.abc import Collection, Sequence

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

from pos_app.ui.design.fonts import font
from pos_app.ui.design.icons import paint_icon
from pos_app.ui.design.theme import tokens
from pos_app.ui.design.tokens import RADIUS_SMALL, S2, S3, TOUCH
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import box
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.widgets.row_press import RowPress

_NAME = Qt.ItemDataRole.UserRole
_WRONG = Qt.ItemDataRole.UserRole + 1
_MARK = 16
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

Index = QModelIndex | QPersistentModelIndex


class SectionList(QListWidget):
    """`chosen(name)` when another one is wanted, by touch or by arrow keys."""

    chosen = Signal(str)

    def __init__(
        self, title: str, sections: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sections")
        self.setAccessibleName(clean(title, DETAILS_LIMIT))
        self.setItemDelegate(_Row(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setStyleSheet("QListView { background: transparent; border: none; }")
        for name, words in sections:
            item = QListWidgetItem(clean(words), self)
            item.setData(_NAME, name)
        self.setFixedHeight(TOUCH * self.count() + 2)
        self.setFixedWidth(self._widest() + 2 * S3 + _MARK + S2)
        self.currentItemChanged.connect(lambda item: self.chosen.emit(item.data(_NAME)))
        RowPress(self, is_choice=True)

    def _widest(self) -> int:
        measured = [self.item(row).text() for row in range(self.count())]
        self.setFont(font("strong"))
        return max(self.fontMetrics().horizontalAdvance(text) for text in measured)

    def choose(self, name: str) -> None:
        """Go to this section."""
        for row in range(self.count()):
            if self.item(row).data(_NAME) == name:
                self.setCurrentRow(row)

    def mark_wrong(self, names: Collection[str]) -> None:
        """The sections in which something cannot be used."""
        for row in range(self.count()):
            item = self.item(row)
            item.setData(_WRONG, item.data(_NAME) in names)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter stays here: the window's Enter would charge."""
        if event.key() in _ENTER:
            event.accept()
            return
        super().keyPressEvent(event)


class _Row(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(option.rect.width(), TOUCH)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        on = tokens()
        row = QRectF(option.rect).adjusted(1, 2, -1, -2)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        has_focus = is_chosen and bool(option.state & QStyle.StateFlag.State_HasFocus)
        painter.save()
        if is_chosen:
            box(painter, row, RADIUS_SMALL + 2, on.primarysoft, on.focus if has_focus else None, 2)
        painter.setFont(font("strong" if is_chosen else "body"))
        painter.setPen(QColor(on.primary if is_chosen else on.text))
        room = row.adjusted(S3, 0, -S2, 0)
        painter.drawText(
            room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, as_read(index.data() or "")
        )
        if index.data(_WRONG):
            at = QRectF(room.right() - _MARK, room.center().y() - _MARK / 2, _MARK, _MARK)
            paint_icon(painter, "warning", at, QColor(on.bad))
        painter.restore()
