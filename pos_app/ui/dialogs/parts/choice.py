"""A choice from a list with its label and its error, beside Field the other part of a form."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_SMALL, S1, S3, TOUCH
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.paint import RING, box, turned
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.widgets.touch import touch_of

Option = tuple[str, str]
"""The value and the words for it."""

_CHEVRON = 20
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Finger(QStyledItemDelegate):
    """A row of the list is as high as what a finger touches elsewhere."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """At least that."""
        return super().sizeHint(option, index).expandedTo(QSize(0, TOUCH))


class _Box(QComboBox):
    wrong = False

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Like a text field, with a chevron; a style sheet's own arrow would be a bitmap."""
        on = tokens()
        painter = QPainter(self)
        edge, width = (on.focus, 2) if touch_of(self).focused else (on.fieldline, 1)
        if self.wrong:
            edge, width = on.bad, 2
        ground = on.field if self.isEnabled() else on.bg
        place = QRectF(self.rect()).adjusted(RING, 0, -RING, 0)
        box(painter, place, RADIUS_SMALL + 2, ground, edge, width)
        room = place.adjusted(S3 + 2, 0, -S3 - _CHEVRON, 0)
        ink = QColor(on.text if self.isEnabled() else on.off)
        painter.setFont(self.font())
        painter.setPen(ink)
        shown = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, int(room.width())
        )
        painter.drawText(
            turned(room, self), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, as_read(shown)
        )
        top = (self.height() - _CHEVRON) / 2
        paint_icon(
            painter, "chevron_down", turned(QRectF(room.right() + 2, top, _CHEVRON, _CHEVRON), self), ink
        )

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A wheel that scrolls the form changes no setting."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER:
            event.accept()
            self.showPopup()
            return
        super().keyPressEvent(event)


class Choice(QWidget):
    """Used like Field (text, set_text, show_error, clear_error); the text is the chosen option's value."""

    edited = Signal(str)

    def __init__(
        self, label: str, name: str, options: Sequence[Option], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_field")
        self.box = _Box(self)
        self.box.setObjectName(name)
        self.box.setAccessibleName(clean(label, DETAILS_LIMIT))
        self.box.setFont(font("body"))
        self.box.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.box.setMinimumContentsLength(8)
        self.box.setMinimumHeight(TOUCH)
        self.box.setItemDelegate(_Finger(self.box))
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.set_options(options)
        self.label = Label(label, "second", "muted")
        self.label.setBuddy(self.box)
        self.error = Label("", "second", "bad", wrap=True, name=f"{name}_error")
        self.error.hide()
        for said in (self.label, self.error):
            said.setContentsMargins(RING, 0, RING, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S1)
        for part in (self.label, self.box, self.error):
            column.addWidget(part)
        column.addStretch(1)
        self.box.activated.connect(self._chosen)
        self.setFocusProxy(self.box)

    def set_options(self, options: Sequence[Option]) -> None:
        """These instead of those there were; the first is chosen."""
        self.box.clear()
        for value, words in options:
            self.box.addItem(clean(words), value)

    def text(self) -> str:
        """The chosen value, "" when nothing is chosen."""
        value = self.box.currentData()
        return value if isinstance(value, str) else ""

    def set_text(self, value: str) -> None:
        """Choose a value; one that is not on the list leaves nothing chosen."""
        self.box.setCurrentIndex(self.box.findData(value))
        self.clear_error()

    def show_error(self, words: str, *, focus: bool = True) -> None:
        """Say what is wrong."""
        self.error.setText(words)
        self.error.show()
        self.box.wrong = True
        self.box.update()
        self.box.setAccessibleDescription(clean(words))
        if focus:
            self.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear_error(self) -> None:
        """Nothing is wrong any more."""
        self.error.hide()
        self.box.wrong = False
        self.box.update()
        self.box.setAccessibleDescription("")

    def _chosen(self) -> None:
        self.clear_error()
        self.edited.emit(self.text())
