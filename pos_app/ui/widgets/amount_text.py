"""An amount in large figures that grows with its room and shrinks before it would be cut. Never elides."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.ui.theme.fonts import font, size_of
from pos_app.ui.theme.theme import tokens
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import RIGHT

_SMALLEST = 18
_GROWN = 1.6
_CURRENCY = 0.46
_GAP = 10


class AmountText(QWidget):
    """Currency and figure on one baseline. `small_currency`: the currency stands back, as on the display."""

    def __init__(
        self,
        name: str,
        currency: str,
        *,
        role: str = "amount",
        align: Qt.AlignmentFlag = RIGHT,
        small_currency: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._currency = currency
        self._figure = ""
        self._tone = "text"
        self._role = role
        self._scale = 1.0
        self._align = align
        self._small = small_currency
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_figure(self, figure: str, tone: str = "text", currency: str = "") -> None:
        """Show this figure, written as the shop writes it. `currency`: "" for the same as before."""
        figure = clean(figure, DETAILS_LIMIT)
        currency = currency or self._currency
        if (figure, tone, currency) != (self._figure, self._tone, self._currency):
            self._figure = figure
            self._tone = tone
            self._currency = currency
            self.setAccessibleName(f"{self._currency} {figure}")
            self.update()

    def figure(self) -> str:
        """What is shown."""
        return self._figure

    def set_scale(self, scale: float) -> None:
        """Smaller than its role, where a panel has no room for all its texts (see fitting.fit)."""
        if scale != self._scale:
            self._scale = scale
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """One line of the role's size."""
        return QSize(160, round(self._wanted() * 1.3))

    def minimumSizeHint(self) -> QSize:
        """It shrinks rather than be cut."""
        return QSize(120, round(self._wanted() * 1.1))

    def text_fits(self) -> bool:
        """Whether the whole amount is inside."""
        return self._width(self._fitting()) <= self.width()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Currency, gap, figure."""
        on = tokens()
        size = self._fitting()
        painter = QPainter(self)
        # Figures run from the left in every language.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setPen(QColor(getattr(on, self._tone)))
        large = font(self._role, size)
        metrics = QFontMetricsF(large)
        left = 0.0
        is_leading = bool(self._align & Qt.AlignmentFlag.AlignLeft)
        if self._align & Qt.AlignmentFlag.AlignRight or (is_leading and self.isRightToLeft()):
            left = self.width() - self._width(size)
        elif self._align & Qt.AlignmentFlag.AlignHCenter:
            left = (self.width() - self._width(size)) / 2
        base = (self.height() + metrics.capHeight()) / 2
        painter.setFont(large)
        start = left + self._currency_width(size)
        painter.drawText(
            QRectF(start, base - metrics.ascent(), self.width(), metrics.height()), 0, self._figure
        )
        painter.setFont(self._currency_font(size))
        if self._small:
            painter.setPen(QColor(on.muted))
        ascent = QFontMetricsF(painter.font()).ascent()
        painter.drawText(QRectF(left, base - ascent, self.width(), metrics.height()), 0, self._currency)

    def _wanted(self) -> int:
        return round(size_of(self._role) * self._scale)

    def _fitting(self) -> int:
        wanted = self._wanted()
        size = round(min(max(wanted, self.height() * 0.62), wanted * _GROWN))
        while size > _SMALLEST and self._width(size) > self.width():
            size -= 2
        return size

    def _width(self, size: int) -> float:
        return self._currency_width(size) + QFontMetricsF(font(self._role, size)).horizontalAdvance(
            self._figure
        )

    def _currency_width(self, size: int) -> float:
        metrics = QFontMetricsF(self._currency_font(size))
        gap = _GAP if self._small else metrics.horizontalAdvance(" ")
        return metrics.horizontalAdvance(self._currency) + gap

    def _currency_font(self, size: int) -> QFont:
        return font("currency", max(16, round(size * _CURRENCY))) if self._small else font(self._role, size)
