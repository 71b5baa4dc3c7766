"""Beside the stages where no code is shown: the phone the request went to, or that the code is gone."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import QR_LEAST, S2, S4
from pos_app.ui.widgets.label import CENTRE, Label


class Picture(QWidget):
    """One large icon on a soft disc."""

    def __init__(self, icon: str) -> None:
        super().__init__()
        self._icon = icon
        self._tone = ("primary", "primarysoft")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(220)

    def show_icon(self, icon: str, *, calm: bool) -> None:
        """Another icon; `calm` takes the colour out."""
        self._icon = icon
        self._tone = ("muted", "bg") if calm else ("primary", "primarysoft")
        self.update()

    def sizeHint(self) -> QSize:
        """Seen from two metres."""
        return QSize(QR_LEAST, 180)

    def minimumSizeHint(self) -> QSize:
        """Still an icon."""
        return QSize(120, 96)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Disc and icon."""
        on = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = min(self.width(), self.height())
        disc = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(on, self._tone[1])))
        painter.drawEllipse(disc)
        inner = side * 0.24
        paint_icon(
            painter, self._icon, disc.adjusted(inner, inner, -inner, -inner), getattr(on, self._tone[0])
        )


class Aside(QWidget):
    """Picture, a sentence, a number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("waiting_aside")
        self._picture = Picture("phone")
        self._said = Label("", "body", "muted", align=CENTRE, wrap=True, name="aside_text")
        self._number = Label("", "title", align=CENTRE, name="wallet_mask")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S2)
        column.addStretch(1)
        column.addWidget(self._picture, 6)
        column.addSpacing(S4)
        column.addWidget(self._said)
        column.addWidget(self._number)
        column.addStretch(1)

    def show_phone(self, said: str, number: str) -> None:
        """The request is on its way to this number."""
        self._picture.show_icon("phone", calm=False)
        self._said.setText(said)
        self._number.setText(number)

    def show_no_code(self, said: str) -> None:
        """There is no code to scan (any more, or yet)."""
        self._picture.show_icon("qr", calm=True)
        self._said.setText(said)
        self._number.setText("")
