"""Words as large as their room lets them be: seen from two metres, never cut. Plain text, cleaned."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.theme import colour
from pos_app.ui.widgets.clean import LONGEST, breakable, clean
from pos_app.ui.widgets.lines import broken

CENTRED = Qt.AlignmentFlag.AlignCenter
LEADING = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
SMALLEST = 10


def fitting(largest: int, fits: Callable[[int], bool]) -> int:
    """The largest size, up to this one, that fits; the smallest where none does."""
    if fits(largest):
        return largest
    low, high = SMALLEST, largest
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


class FitText(QWidget):
    """Painted at `largest` pixels, or as much smaller as its room asks for; broken into lines where `wrap`."""

    def __init__(
        self, name: str, role: str, tone: str = "text", *, wrap: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._role = role
        self._tone = tone
        self._wrap = wrap
        self._text = ""
        self._align = CENTRED
        self._largest = SMALLEST

    def text(self) -> str:
        """What it says."""
        return self._text

    def say(self, text: str, tone: str = "") -> None:
        """Other words; `tone`: another token's colour."""
        fit = clean(text, LONGEST)
        self._text = breakable(fit) if self._wrap else fit
        self._tone = tone or self._tone
        self.setAccessibleName(fit)
        self.update()

    def place(self, room: QRect, largest: float, align: Qt.AlignmentFlag = CENTRED) -> None:
        """Where it stands, how large its letters may become (pixels), and at which side."""
        self._largest, self._align = max(SMALLEST, round(largest)), align
        self.setGeometry(room)
        self.setVisible(room.isValid())
        self.update()

    def pixels(self) -> int:
        """The size it is painted at."""
        return fitting(self._largest, self._fits)

    def text_fits(self) -> bool:
        """Whether nothing is cut, at the size it is painted at."""
        return self._fits(self.pixels())

    def _fits(self, size: int) -> bool:
        room = QRect(0, 0, self.width() if self._wrap else 100_000, 100_000)
        needed = QFontMetrics(font(self._role, size)).boundingRect(room, self._flags(), self._text)
        return needed.width() <= self.width() and needed.height() <= self.height()

    def _flags(self) -> int:
        wrap = Qt.TextFlag.TextWordWrap.value if self._wrap else Qt.TextFlag.TextSingleLine.value
        return int(self._align.value) | wrap

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One text in one colour."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setFont(font(self._role, self.pixels()))
        painter.setPen(colour(self._tone))
        text, flags = self._text, self._flags()
        if self._wrap:
            text, wrap = broken(text, painter.font(), self.width(), from_right=self.isRightToLeft())
            flags = int(self._align.value) | wrap
        painter.drawText(self.rect(), flags, text)
