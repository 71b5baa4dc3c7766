"""The names to choose from, made for a finger and for the keyboard. It sends no code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from pos_app.ui.design.fonts import font
from pos_app.ui.design.theme import tokens
from pos_app.ui.design.tokens import RADIUS_SMALL, S1, S2, S3
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import box
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.widgets.row_press import RowPress
from pos_app.ui.words.sign_in import words

ROW = 64
_AVATAR = 40
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PERSON = Qt.ItemDataRole.UserRole
_MOST_ROWS = 6

Index = QModelIndex | QPersistentModelIndex


def role_and_number(person: Person) -> str:
    """What a sign-in says beside a name."""
    return f"{words.ROLE[person.role]} · {person.number_mask}"


class PeopleList(QListWidget):
    """One row for each person; a touch, or Enter on the chosen row, picks.

    `everybody`: those too who may not sign in, paler; `second` is the line under each name.
    """

    picked = Signal(str)

    def __init__(
        self,
        people: Sequence[Person],
        parent: QWidget | None = None,
        *,
        name: str = "people",
        accessible: str = "",
        everybody: bool = False,
        second: Callable[[Person], str] = role_and_number,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(clean(accessible or words.TITLE, DETAILS_LIMIT))
        self._everybody = everybody
        self._second = second
        self.setItemDelegate(_Row(self, second))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.itemClicked.connect(lambda item: self.picked.emit(item.data(_PERSON).person_id))
        RowPress(self).pressed.connect(lambda row: self.picked.emit(self.item(row).data(_PERSON).person_id))
        self.show_people(people)

    def show_people(self, people: Sequence[Person]) -> None:
        """Another list; the row that was chosen stays so."""
        chosen = self.currentItem().data(_PERSON).person_id if self.currentItem() is not None else ""
        self.clear()
        for person in people:
            if person.enabled or self._everybody:
                item = QListWidgetItem(clean(person.name), self)
                item.setData(_PERSON, person)
                item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, clean(self._second(person)))
        rows = [self.item(row).data(_PERSON).person_id for row in range(self.count())]
        self.setCurrentRow(rows.index(chosen) if chosen in rows else 0)
        self.setFixedHeight(ROW * max(1, min(self.count(), _MOST_ROWS)) + 2 * self.frameWidth() + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter picks; it never reaches the till, where it would charge."""
        item = self.currentItem()
        if event.key() in _ENTER:
            event.accept()
            if item is not None and not event.isAutoRepeat():
                self.picked.emit(item.data(_PERSON).person_id)
            return
        super().keyPressEvent(event)


class _Row(QStyledItemDelegate):
    def __init__(self, parent: QWidget, second: Callable[[Person], str]) -> None:
        super().__init__(parent)
        self._second = second

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(option.rect.width(), ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        on = tokens()
        person: Person = index.data(_PERSON)
        row = QRectF(option.rect).adjusted(S1, 2, -S1, -2)
        seen = bool(option.state & QStyle.StateFlag.State_HasFocus)
        chosen = seen or bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        if chosen or hovered:
            box(
                painter,
                row,
                RADIUS_SMALL + 2,
                on.primarysoft if chosen else on.pressed,
                on.focus if seen else None,
                2,
            )
        name = clean(person.name)
        round_ = QRectF(row.left() + S2, row.center().y() - _AVATAR / 2, _AVATAR, _AVATAR)
        box(painter, round_, _AVATAR / 2, on.primary if chosen else on.primarysoft)
        painter.setFont(font("strong"))
        painter.setPen(QColor(on.onprimary if chosen else on.primary))
        painter.drawText(round_, Qt.AlignmentFlag.AlignCenter, name[:1].upper())
        left = round_.right() + S3
        width = row.right() - left - S2
        ink = on.text if person.enabled else on.muted
        _line(painter, QRectF(left, row.top() + 6, width, 24), "strong", ink, name)
        second = clean(self._second(person))
        _line(painter, QRectF(left, row.bottom() - 28, width, 22), "second", on.muted, second)
        painter.restore()


def _line(painter: QPainter, rect: QRectF, role: str, ink: str, text: str) -> None:
    painter.setFont(font(role))
    painter.setPen(QColor(ink))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(rect.width()))
    painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, as_read(shown))
