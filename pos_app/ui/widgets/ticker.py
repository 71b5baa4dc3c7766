"""A short text that changes often (a time): fixed room, so that a change repaints it and no more."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.theme import colour
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import LEFT
from pos_app.ui.widgets.reading import as_read


class Ticker(QWidget):
    """Room for `widest`; `set_text` never disturbs a layout."""

    def __init__(
        self,
        name: str,
        accessible: str,
        *,
        widest: str = "00:00",
        role: str = "body",
        tone: str = "muted",
        align: Qt.AlignmentFlag = LEFT,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(clean(accessible, DETAILS_LIMIT))
        self.setFont(font(role))
        self._tone = tone
        self._align = align
        self._widest = clean(widest, DETAILS_LIMIT)
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        """What is shown."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show another text, no wider than the widest."""
        fit = clean(text, DETAILS_LIMIT)
        if fit != self._text:
            self._text = fit
            self.update()

    def name_anew(self, accessible: str, widest: str = "") -> None:
        """In another language."""
        self.setAccessibleName(clean(accessible, DETAILS_LIMIT))
        self._widest = clean(widest, DETAILS_LIMIT) or self._widest
        self.updateGeometry()

    def text_fits(self) -> bool:
        """Whether it is inside."""
        return self.fontMetrics().horizontalAdvance(self._text) <= self.width()

    def sizeHint(self) -> QSize:
        """The widest text."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._widest) + 2, metrics.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The text alone."""
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(colour(self._tone))
        painter.drawText(self.rect(), int(self._align.value), as_read(self._text))
