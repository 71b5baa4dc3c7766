"""What marks the sandbox: a band on each of its windows, and a mark inside what could pass for a payment.

Neither can be hidden, and a window with a band stays on its screen.
"""

from __future__ import annotations

from math import ceil
from time import monotonic

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPixmap,
    QPolygonF,
    QRegion,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.i18n.languages import is_right_to_left
from pos_app.i18n.table import spoken
from pos_app.i18n.words.band import words
from pos_app.ui.garbage import while_whole
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import font, grown, size_of
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import BAND_HEIGHT
from pos_app.ui.widgets.paint import box
from pos_app.ui.widgets.reading import as_read

QUIET_MS = 300
"""So long a window has to stand still: whoever drags it has it in hand, and more moves come."""

MOST, AT_ONCE_S = 3, 1.0
"""So often it is brought back where somebody undoes that at once: a window manager has the last word."""


class KeptOnScreen(QObject):
    """Keeps a window's frame inside its screens, where the window is not as large as one of them by its state."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._brought_at = self._left_at = float("-inf")
        self._undone = 0
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self._bring_back)
        window.installEventFilter(self)

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Looks on."""
        match event.type():
            case QEvent.Type.Move | QEvent.Type.Show if watched is self._window:
                self._quiet.stop() if self._inside() is None else self._wait()
            case QEvent.Type.Hide | QEvent.Type.Close if watched is self._window:
                self._quiet.stop()
        return False

    def _wait(self) -> None:
        if not self._quiet.isActive():
            self._left_at = monotonic()
        self._quiet.start()

    def _bring_back(self) -> None:
        inside = self._inside()
        is_undone = self._left_at < self._brought_at + AT_ONCE_S
        self._undone = self._undone + 1 if is_undone else 0
        if inside is not None and self._undone < MOST:
            self._brought_at = monotonic()
            self._window.move(inside)

    def _inside(self) -> QPoint | None:
        """Where the frame's corner belongs; None while it stands well, or cannot stand better."""
        window = self._window
        if not window.isVisible() or window.isMinimized() or window.isMaximized() or window.isFullScreen():
            return None
        frame = window.frameGeometry()
        screens = window.screen().virtualSiblings()
        over = QRegion(frame)
        for screen in screens:
            over = over.subtracted(QRegion(screen.geometry()))
        if over.isEmpty():
            return None
        nearest = max(screens, key=lambda screen: _area(screen.geometry().intersected(frame)))
        room = nearest.availableGeometry()
        corner = QPoint(
            _clamped(frame.x(), room.left(), room.right() + 1 - frame.width()),
            _clamped(frame.y(), room.top(), room.bottom() + 1 - frame.height()),
        )
        return corner if corner != frame.topLeft() else None


def _clamped(at: int, least: int, most: int) -> int:
    """What is larger than the screen begins where the screen begins: there stands the band."""
    return max(least, min(at, most))


def _area(rect: QRect) -> int:
    return max(0, rect.width()) * max(0, rect.height())


_STRIPE = 16
_LINE = 16


class SandboxBand(SaysAnew, QWidget):
    """28 pixels of stripes with the words; `setVisible(False)` does nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sandbox_band")
        self.setAccessibleName(words.SANDBOX)
        self.setFixedHeight(BAND_HEIGHT - _LINE + grown(_LINE))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tile: QPixmap | None = None
        self._keeps: QWidget | None = None

    def showEvent(self, event: QShowEvent) -> None:
        """Its window is known now."""
        super().showEvent(event)
        if self._keeps is not self.window():
            self._keeps = self.window()
            KeptOnScreen(self._keeps)

    def setVisible(self, _visible: bool) -> None:
        """Always visible, whoever asks."""
        super().setVisible(True)

    def say_anew(self) -> None:
        """The language has changed."""
        self.setAccessibleName(words.SANDBOX)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Stripes, and the words on a plain ground so that they read well."""
        on = tokens()
        painter = QPainter(self)
        painter.drawTiledPixmap(self.rect(), self._stripes())
        painter.setFont(_font())
        text_room = painter.fontMetrics().boundingRect(words.SANDBOX).adjusted(-14, 0, 14, 0)
        text_room.moveCenter(self.rect().center())
        painter.fillRect(text_room.x(), 0, text_room.width(), self.height(), QColor(on.sandboxstripe))
        painter.setPen(QColor(on.onsandbox))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, as_read(words.SANDBOX))

    def _stripes(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        if self._tile is None or self._tile.devicePixelRatioF() != ratio:
            self._tile = _tile(ratio, self.height())
        return self._tile


class SandboxMark(SaysAnew, QWidget):
    """The same words in one quiet piece, for the inside of a picture; `setVisible(False)` does nothing.

    They are written smaller, never cut, where the room is narrower than they are. `by_height`: as large as the
    room is high, on the customer's screen.
    """

    _BESIDE, _ABOVE = 0.85, 0.32
    """Around the words, in heights of their letters."""
    _LEAST_SCALE = 0.85

    def __init__(self, parent: QWidget | None = None, *, by_height: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName("sandbox_mark")
        self.setAccessibleName(words.SANDBOX)
        self._by_height = by_height
        self._scale = 1.0
        policy = QSizePolicy.Policy.Ignored if by_height else QSizePolicy.Policy.Preferred
        self.setSizePolicy(policy, QSizePolicy.Policy.Fixed)

    def setVisible(self, _visible: bool) -> None:
        """Always visible, whoever asks."""
        super().setVisible(True)

    def say_anew(self) -> None:
        """The language has changed."""
        self.setAccessibleName(words.SANDBOX)
        self.updateGeometry()
        self.update()

    def set_scale(self, scale: float) -> None:
        """As large as what stands around it (see fitting.fit)."""
        scale = max(self._LEAST_SCALE, scale)
        if scale != self._scale:
            self._scale = scale
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """The words in one line, and the ground around them."""
        size = round(size_of("chip") * self._scale)
        return QSize(ceil(_width(size) + 2 * self._BESIDE * size), self._height(size))

    def width_at(self, height: int) -> int:
        """What the words take where there is this much height."""
        size = round(height / 2)
        return ceil(_width(size) + 2 * self._BESIDE * size)

    def minimumSizeHint(self) -> QSize:
        """As high, and narrower: the words shrink."""
        return QSize(grown(48), self.sizeHint().height())

    def text_fits(self) -> bool:
        """Whether the words are inside, at a size that can be read."""
        return self._written()[0] >= min(size_of("small"), 11)

    def _height(self, size: int) -> int:
        return round(QFontMetricsF(_font("chip", size)).height() + 2 * self._ABOVE * size)

    def _fits(self, size: int, *, spaced: bool) -> bool:
        width = _width(size, spaced=spaced) + 2 * self._BESIDE * size
        return width <= self.width() and self._height(size) <= self.height() + 1

    def _written(self) -> tuple[int, bool]:
        """How large, and whether with air between the letters, which goes first."""
        size = round(self.height() / 2) if self._by_height else round(size_of("chip") * self._scale)
        if self._fits(size, spaced=True):
            return size, True
        while size > 1 and not self._fits(size, spaced=False):
            size -= 1
        return size, False

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The band's own colours, around the words alone."""
        on = tokens()
        size, spaced = self._written()
        painter = QPainter(self)
        ground = QRectF(0, 0, _width(size, spaced=spaced) + 2 * self._BESIDE * size, self._height(size))
        ground.moveCenter(QRectF(self.rect()).center())
        box(painter, ground, ground.height() / 2, on.sandboxstripe, on.sandbox)
        painter.setFont(_font("chip", size, spaced=spaced))
        painter.setPen(QColor(on.onsandbox))
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, as_read(words.SANDBOX))


def _width(size: int, *, spaced: bool = True) -> float:
    return QFontMetricsF(_font("chip", size, spaced=spaced)).horizontalAdvance(words.SANDBOX)


def _font(role: str = "keycap", size: int = 0, *, spaced: bool = True) -> QFont:
    made = QFont(font(role, size))
    made.setWeight(QFont.Weight.Bold)
    # Arabic letters are joined: spaces between them would tear the words.
    if spaced and not is_right_to_left(spoken()):
        made.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 1)
    return made


def _tile(ratio: float, height: int) -> QPixmap:
    on = tokens()
    width = 2 * _STRIPE
    tile = QPixmap(round(width * ratio), round(height * ratio))
    tile.setDevicePixelRatio(ratio)
    tile.fill(QColor(on.sandboxstripe))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(on.sandbox))
    for left in range(-width * (1 + height // width), 2 * width, width):
        top = left + height
        corners = ((top, 0), (top + _STRIPE, 0), (left + _STRIPE, height), (left, height))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    painter.end()
    return tile
