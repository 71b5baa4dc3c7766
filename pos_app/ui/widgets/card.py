"""A panel: a rounded surface with a hairline, in a token's colours. Holds a layout, nothing else."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_PANEL
from pos_app.ui.widgets.paint import box


class Card(QWidget):
    """`ground` and `edge` are tokens' names; a result's card changes its ground with its state."""

    def __init__(
        self, name: str, *, ground: str = "surface", edge: str = "line", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.ground = ground
        self._edge = edge

    def set_ground(self, ground: str, edge: str = "line") -> None:
        """Another ground."""
        if (ground, edge) != (self.ground, self._edge):
            self.ground = ground
            self._edge = edge
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The surface."""
        on = tokens()
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), RADIUS_PANEL, getattr(on, self.ground), getattr(on, self._edge))
