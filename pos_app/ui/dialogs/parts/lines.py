"""How a panel is laid out: heading, parts below each other, buttons in a row. It knows no content."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from pos_app.ui.theme.tokens import S2, S4
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
        layout.addWidget(part)
    return layout


def title_row(title: QWidget, *quiet: QWidget) -> QWidget:
    """The title, and at the right what leads away from here."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(title, 1)
    for part in quiet:
        layout.addWidget(part)
    return row


def button_row(*buttons: QWidget, way_back: QWidget | None = None) -> QWidget:
    """The way back at the left; the others at the right, the last is the one thing to do."""
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


def bring_into_view(part: QWidget) -> None:
    """Scroll to a part that got the focus for its error."""
    above = part.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(part)
        above = above.parentWidget()


def focus(part: QWidget) -> None:
    """The keyboard to this part, where it can be seen."""
    part.setFocus(Qt.FocusReason.OtherFocusReason)
    bring_into_view(part)
