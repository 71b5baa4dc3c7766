"""The keys of the till, offline. Only the keys that are built: it reads the window's own table."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.i18n.words.open_payments import words as list_words
from pos_app.i18n.words.till import Words
from pos_app.ui.dialogs.parts.lines import Panel, column, heading, title_row
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S4
from pos_app.ui.till.window.keys import KEY_TABLE
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.paint import keycap_size, paint_keycap, turned


class Keycap(QWidget):
    """A key as it is drawn on the buttons."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = clean(text, DETAILS_LIMIT)
        self.setAccessibleName(self._text)

    def sizeHint(self) -> QSize:
        """The key's own."""
        return keycap_size(self._text).toSize()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """At the left, in the middle of its line."""
        on = tokens()
        size = keycap_size(self._text)
        room = QRectF(0, (self.height() - size.height()) / 2, size.width(), size.height())
        paint_keycap(QPainter(self), turned(room, self), self._text, on.text, on.key, on.fieldline)


class Help(Panel):
    """`closed` when it is to go away."""

    closed = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("help")
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(S4)
        grid.setVerticalSpacing(S2)
        # In two halves: all of them fit the smallest screen, and what closes it is not below its edge.
        half = (len(KEY_TABLE) + 1) // 2
        for at, row in enumerate(KEY_TABLE):
            line, left = at % half, 2 * (at // half)
            grid.addWidget(Keycap(row.cap), line, left, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(Label(words.key[row.action], wrap=True), line, left + 1)
            grid.setColumnStretch(left + 1, 1)
        close = Button(list_words.CLOSE, name="help_close", keycap="Esc")
        column(self, title_row(heading(list_words.HELP_TITLE, "help_title"), close), table)
        self.setFocusProxy(close)
        close.clicked.connect(self.closed)
