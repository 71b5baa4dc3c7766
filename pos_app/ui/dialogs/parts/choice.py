"""A choice from a list with its label and its error, beside Field the other part of a form."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QRegion,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from pos_app.ui.key_sets import ENTER
from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.style import bar
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_SMALL, S1, S3, TOUCH
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.finger_scroll import FingerScroll
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.paint import RING, box, turned
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.widgets.rows import Row
from pos_app.ui.widgets.touch import touch_of

Option = tuple[str, str]
"""The value and the words for it."""

_CHEVRON = 20
_ROUND = 10
MOST_SEEN = 8
"""Rows of a list that opens, before it scrolls."""


_Index = QModelIndex | QPersistentModelIndex


class _Options(QStyledItemDelegate):
    """The rows of the list that opens: as in every list, as high as what a finger touches; a tick marks the one that
    is chosen."""

    def __init__(self, box: _Box) -> None:
        super().__init__(box)
        self._box = box

    def sizeHint(self, option: QStyleOptionViewItem, _index: _Index) -> QSize:
        """At least a finger's."""
        return QSize(option.rect.width(), max(TOUCH, option.fontMetrics.height() + 2 * S3))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Its words."""
        on = tokens()
        painter.save()
        row = Row(painter, option)
        row.ground()
        is_picked = index.row() == self._box.currentIndex()
        role, ink = ("strong", on.primary) if is_picked else ("body", on.text)
        width, height = row.room.width() - 2 * S3, row.room.height()
        words_room = row.place(S3, 0, width - _CHEVRON - S1, height)
        row.write(words_room, role, ink, str(index.data(Qt.ItemDataRole.DisplayRole) or ""))
        if is_picked:
            place = row.place(S3 + width - _CHEVRON, (height - _CHEVRON) / 2, _CHEVRON, _CHEVRON)
            paint_icon(painter, "tick", place, QColor(ink))
        painter.restore()


class _OptionList(QListView):
    """What opens: rounded as panels are, in the theme that is on."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setViewportMargins(0, S1, 0, S1)

    def round_off(self, window: QWidget) -> None:
        """Only what lies in the rounded shape is there."""
        on = tokens()
        dressed = QPalette(window.palette())
        dressed.setColor(QPalette.ColorRole.Base, QColor(on.raised))
        self.setPalette(dressed)
        self.setStyleSheet(
            f"QListView {{ background: {on.raised}; border: 1px solid {on.fieldline}; margin: 0;"
            f" border-radius: {_ROUND}px; outline: 0; }} {bar(on)}"
        )
        if _is_cut():
            shape = QPainterPath()
            shape.addRoundedRect(QRectF(window.rect()), _ROUND, _ROUND)
            window.setMask(QRegion(shape.toFillPolygon().toPolygon()))


def _is_cut() -> bool:
    """Where there may be no compositor, what lies outside of a shape is cut off; elsewhere it is see-through."""
    return QGuiApplication.platformName() == "xcb"


class _Box(QComboBox):
    wrong = False

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._list = _OptionList()
        self._finger: FingerScroll | None = None
        self.setView(self._list)
        self._list.window().setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, not _is_cut())
        self.setItemDelegate(_Options(self))
        self.setMaxVisibleItems(MOST_SEEN)

    def showPopup(self) -> None:
        """Rounded, and as wide as the box is seen."""
        super().showPopup()
        # Qt took it away for the arrows of Fusion's list.
        self._list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        window = self._list.window()
        window.setGeometry(window.geometry().adjusted(RING, 0, -RING, 0))
        self._list.round_off(window)
        if self._finger is None:
            self._finger = FingerScroll(window)
            self._finger.start()

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
        if event.key() in ENTER:
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
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.set_options(options)
        self.label = Label(label, "second", "muted")
        self.label.setBuddy(self.box)
        self.error = Label("", "second", "bad", wrap=True, name=f"{name}_error")
        self.error.hide()
        for said in (self.label, self.error):
            said.stand_with_fields()
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

    def put_back(self, value: str) -> None:
        """What was chosen before."""
        self.set_text(value)

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
