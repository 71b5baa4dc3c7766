"""The keypad beside the amount. Says which character was tapped; where it goes is the window's matter."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.tokens import GAP, KEY_HEIGHT, TOUCH, Tokens
from pos_app.ui.widgets.button import Button

BACKSPACE = "\b"
CLEAR = "\x7f"
_ROWS = ("123", "456", "789")
_LARGEST = 44


class KeypadKey(Button):
    """A key as large as its cell, its figure growing with it."""

    def __init__(self, text: str, *, name: str, accessible: str, icon: str = "") -> None:
        super().__init__(text, name=name)
        self.called(accessible)
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
    """Fifteen keys. `tapped` carries a digit, the decimal separator, "00", "000", "+", BACKSPACE or CLEAR."""

    tapped = Signal(str)

    def __init__(self, point: str, names: tuple[str, str, str, str], parent: QWidget | None = None) -> None:
        """`point` is the decimal separator, "" for a currency without; `names` are the accessible names
        of the separator's key, of backspace, of the key that clears and of plus."""
        super().__init__(parent)
        self.setObjectName("keypad")
        # Figures are laid out alike in every language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GAP)
        back = KeypadKey("", name="key_backspace", accessible=names[1], icon="backspace")
        back.setAutoRepeat(True)
        back.clicked.connect(lambda: self.tapped.emit(BACKSPACE))
        clear = KeypadKey("C", name="key_clear", accessible=names[2])
        clear.clicked.connect(lambda: self.tapped.emit(CLEAR))
        # In the order they are read, which is the order of Tab.
        for row, digits in enumerate(_ROWS):
            for column, digit in enumerate(digits):
                grid.addWidget(self._key(digit, f"key_{digit}"), row, column)
            if row < 2:
                grid.addWidget((back, clear)[row], row, 3)
            else:
                grid.addWidget(self._key("+", "key_plus", names[3]), row, 3, 2, 1)
        left = self._key(point, "key_point", names[0]) if point else self._key("000", "key_000")
        for column, key in enumerate((left, self._key("0", "key_0"), self._key("00", "key_00"))):
            grid.addWidget(key, 3, column)

    def name_keys(self, names: tuple[str, str, str, str]) -> None:
        """The accessible names of the keys that are no digits, in another language."""
        for at, name in zip(("key_point", "key_backspace", "key_clear", "key_plus"), names, strict=True):
            key = self.findChild(KeypadKey, at)
            if key is not None:
                key.called(name)

    def _key(self, text: str, name: str, accessible: str = "") -> KeypadKey:
        key = KeypadKey(text, name=name, accessible=accessible or text)
        key.clicked.connect(lambda: self.tapped.emit(text))
        return key
