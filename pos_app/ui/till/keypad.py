"""The keypad beside the amount. Says which character was tapped; where it goes is the window's matter."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from pos_app.ui.design.fonts import font
from pos_app.ui.design.icons import paint_icon
from pos_app.ui.design.tokens import GAP, KEY_HEIGHT, TOUCH, Tokens
from pos_app.ui.widgets.button import Button

BACKSPACE = "\b"
_ROWS = ("123", "456", "789")
_LARGEST = 44


class KeypadKey(Button):
    """A key as large as its cell, its figure growing with it."""

    def __init__(self, text: str, *, name: str, accessible: str, icon: str = "") -> None:
        super().__init__(text, name=name, accessible=accessible)
        self._drawn = icon
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """15 mm."""
        return QSize(96, KEY_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Never under a finger's width."""
        return QSize(TOUCH, TOUCH)

    def text_fits(self) -> bool:
        """One figure always does."""
        return self.height() >= TOUCH

    def paint_contents(self, painter: QPainter, shape: QRectF, _on: Tokens, ink: str) -> None:
        """The figure, or the icon."""
        size = max(24, min(_LARGEST, round(shape.height() * 0.32)))
        if self._drawn:
            side = size * 1.25
            place = QRectF(shape.center().x() - side / 2, shape.center().y() - side / 2, side, side)
            paint_icon(painter, self._drawn, place, ink)
            return
        painter.setFont(font("key", size))
        painter.setPen(QColor(ink))
        painter.drawText(shape, Qt.AlignmentFlag.AlignCenter, self.text())


class Keypad(QWidget):
    """Twelve keys. `tapped` carries a digit, the decimal separator, "00" or BACKSPACE."""

    tapped = Signal(str)

    def __init__(self, point: str, names: tuple[str, str], parent: QWidget | None = None) -> None:
        """`point` is the decimal separator, "" for a currency without; `names` are the accessible names
        of the separator's key and of backspace."""
        super().__init__(parent)
        self.setObjectName("keypad")
        # Figures are laid out alike in every language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GAP)
        for row, digits in enumerate(_ROWS):
            for column, digit in enumerate(digits):
                grid.addWidget(self._key(digit, f"key_{digit}"), row, column)
        left = self._key(point, "key_point", names[0]) if point else self._key("00", "key_00")
        grid.addWidget(left, 3, 0)
        grid.addWidget(self._key("0", "key_0"), 3, 1)
        back = KeypadKey("", name="key_backspace", accessible=names[1], icon="backspace")
        back.setAutoRepeat(True)
        back.clicked.connect(lambda: self.tapped.emit(BACKSPACE))
        grid.addWidget(back, 3, 2)

    def name_keys(self, names: tuple[str, str]) -> None:
        """The accessible names of the separator's key and of backspace, in another language."""
        for at, name in zip(("key_point", "key_backspace"), names, strict=True):
            key = self.findChild(KeypadKey, at)
            if key is not None:
                key.set_accessible(name)

    def _key(self, text: str, name: str, accessible: str = "") -> KeypadKey:
        key = KeypadKey(text, name=name, accessible=accessible or text)
        key.clicked.connect(lambda: self.tapped.emit(text))
        return key
