"""How a panel is laid out: heading, parts below each other, buttons in a row. It knows no content."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from pos_app.ui.garbage import while_whole
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S4
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.in_view import bring_into_view
from pos_app.ui.widgets.label import Label

_WIDE = 1200


class Panel(QWidget):
    """A panel for the overlay, as tall as its texts need at the width it gets and no taller."""

    def sizeHint(self) -> QSize:
        """Wide: the overlay gives at least the height at the hinted width, where narrower texts wrap."""
        hint = super().sizeHint()
        return QSize(max(hint.width(), _WIDE), 0) if self.hasHeightForWidth() else hint


class LeftByEsc(Panel):
    """A panel that Esc leaves."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leads away from here, and goes no further."""
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self.left.emit()
            return
        super().keyPressEvent(event)


def column(owner: QWidget, *parts: QWidget, spacing: int = S4) -> QVBoxLayout:
    """The parts below each other, to the panel's edges."""
    layout = QVBoxLayout(owner)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    for part in parts:
        layout.addWidget(stands_with_fields(part))
    return layout


def stands_with_fields(part: QWidget) -> QWidget:
    """A text is where the fields below it are; all else has that place by itself."""
    return part.stand_with_fields() if isinstance(part, Label) else part


def title_row(title: QWidget, *quiet: QWidget) -> QWidget:
    """The title, and at the right what leads away from here."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(stands_with_fields(title), 1)
    for part in quiet:
        layout.addWidget(part)
    return row


class Footer(QWidget):
    """Keeps the place of a panel's last row, which stands at the lower edge of what is seen of the panel until then.

    What a panel does is never below the fold, however long its texts are in another language.
    """

    def __init__(self, row: QWidget) -> None:
        super().__init__()
        self.row = _FooterRow(row)
        self._area: QScrollArea | None = None

    def event(self, event: QEvent) -> bool:
        """The row belongs to whom this belongs to: there it can be moved."""
        if event.type() == QEvent.Type.ParentChange:
            self.row.setParent(self.parentWidget())
            self.row.setVisible(self.parentWidget() is not None)
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show):
            self._stand()
        return super().event(event)

    def sizeHint(self) -> QSize:
        """The row's."""
        return self.row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """The row's."""
        return self.row.minimumSizeHint()

    def showEvent(self, event: QShowEvent) -> None:
        """Follows what scrolls it."""
        super().showEvent(event)
        area = _scrolled_by(self)
        if area is not self._area and area is not None:
            area.verticalScrollBar().valueChanged.connect(self._stand)
            # What it lies in moves, too, where it stands in the middle of its room.
            above = self.parentWidget()
            while above is not None and above is not area:
                above.installEventFilter(self)
                above = above.parentWidget()
        self._area = area
        self._stand()

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """More of the panel is seen, or less."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._stand()
        return super().eventFilter(watched, event)

    def _stand(self) -> None:
        place, parent = self.geometry(), self.parentWidget()
        if parent is None:
            return
        lifted = 0
        if self._area is not None and self._area.isAncestorOf(self):
            below = self.mapTo(self._area.viewport(), self.rect().bottomLeft()).y() + 1
            lifted = max(0, min(below - self._area.viewport().height(), place.top()))
        self.row.lift(lifted=bool(lifted))
        self.row.setGeometry(place.translated(0, -lifted))
        self.row.raise_()


class _FooterRow(QWidget):
    """Over what is scrolled under it, it has the panel's ground."""

    stands_at_the_edge = True
    """Of what is seen: nobody scrolls to it."""

    def __init__(self, row: QWidget) -> None:
        super().__init__()
        self._is_lifted = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(row)

    def lift(self, *, lifted: bool) -> None:
        """Whether something lies under it."""
        if lifted != self._is_lifted:
            self._is_lifted = lifted
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground of the card it is in, and a hairline above."""
        if not self._is_lifted:
            return
        above: QWidget | None = self
        while above is not None and not isinstance(above, Card):
            above = above.parentWidget()
        on = tokens()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(getattr(on, above.ground if above is not None else "raised")))
        painter.fillRect(0, 0, self.width(), 1, QColor(on.line))


def _scrolled_by(part: QWidget) -> QScrollArea | None:
    above = part.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    return above


def button_row(*buttons: QWidget, way_back: QWidget | None = None) -> QWidget:
    """The way back at the left; the others at the right, the last is the one thing to do. Never below the fold."""
    return Footer(beside_each_other(*buttons, way_back=way_back))


def beside_each_other(*buttons: QWidget, way_back: QWidget | None = None) -> QWidget:
    """The same where it scrolls with what it belongs to: at the fold there is room for one panel's last row."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(S2)
    if way_back is not None:
        layout.addWidget(way_back)
    layout.addStretch(1)
    for button in buttons:
        layout.addWidget(button)
    return row


def heading(text: str, name: str) -> Label:
    """A panel's title."""
    return Label(text, "title", wrap=True, name=name)


def tab_through(*parts: QWidget) -> None:
    """By Tab from each to the next. Qt goes by when a part was made."""
    for before, after in pairwise(parts):
        QWidget.setTabOrder(before, after)


def focus(part: QWidget) -> None:
    """The keyboard to this part, where it can be seen."""
    part.setFocus(Qt.FocusReason.OtherFocusReason)
    bring_into_view(part)
