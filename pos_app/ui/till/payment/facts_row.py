"""The times of a waiting payment and its sale between them; the sale has a line of its own where it would be cut."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.tokens import S2
from pos_app.ui.widgets.label import ElidedLabel
from pos_app.ui.widgets.ticker import Ticker


class FactsRow(QWidget):
    """`turned` when it is another number of lines than before."""

    turned = Signal()

    def __init__(self, passed: Ticker, sale: ElidedLabel, left: Ticker) -> None:
        super().__init__()
        self.setObjectName("waiting_facts")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._passed, self._sale, self._left = passed, sale, left
        self.is_apart = False
        self._wide = 0
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(S2)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        grid.addWidget(passed, 0, 0)
        grid.addWidget(sale, 0, 1)
        grid.addWidget(left, 0, 2)

    def place(self) -> None:
        """The sale where all of it can be read."""
        # At its size as drawn: made smaller it may be larger again, and this is told of no other width.
        sale = QFontMetrics(font("second")).horizontalAdvance(self._sale.text()) + 2
        needs = self._passed.sizeHint().width() + sale + self._left.sizeHint().width()
        # Without a width of its own it asks for no second line: the window would grow for it.
        is_apart = 0 < self._wide < needs + 2 * S2
        if is_apart is not self.is_apart:
            self.is_apart = is_apart
            self._grid.removeWidget(self._sale)
            self._grid.addWidget(self._sale, *((1, 0, 1, 3) if is_apart else (0, 1, 1, 1)))
            self.turned.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another room."""
        super().resizeEvent(event)
        self._wide = event.size().width()
        self.place()
