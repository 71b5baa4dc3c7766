"""A part that is as tall as its texts where there is room, and scrolls where there is not. Holds no text of its own."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from pos_app.ui.garbage import while_whole
from pos_app.ui.theme.style import sheet
from pos_app.ui.theme.theme import tokens


class Scrolling(QScrollArea):
    """Only downwards; asks for all of its inside's height at the width it has."""

    def __init__(self, name: str, inside: QWidget, *, least: int) -> None:
        super().__init__()
        self.setObjectName(name)
        self._inside = inside
        self._least = least
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setSizePolicy(policy)
        self.setStyleSheet(sheet(tokens()))
        self.setWidget(inside)
        inside.installEventFilter(self)

    def tall_at(self, width: int) -> int:
        """What its inside takes at this width."""
        layout = self._inside.layout()
        return (
            0 if layout is None else max(layout.totalHeightForWidth(width), layout.totalSizeHint().height())
        )

    def sizeHint(self) -> QSize:
        """All of it."""
        return QSize(self._inside.sizeHint().width(), self.tall_at(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Some of it, in its whole width."""
        return QSize(self._inside.minimumSizeHint().width(), min(self._least, self.tall_at(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """At another width another height is asked for."""
        self._scroll_if_needed()
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Its inside has changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._scroll_if_needed()
        return super().eventFilter(watched, event)

    def _scroll_if_needed(self) -> None:
        # A bar that was there for a moment makes texts wrap, and so would keep itself in need: the card ended in the
        # middle of itself then, beside a bar, with nothing below it.
        fits = self.tall_at(self.width()) <= self.height()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)
