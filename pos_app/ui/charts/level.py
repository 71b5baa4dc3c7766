"""One lying bar: a part of a whole, or the whole in its parts."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.domain.paper import Fill
from pos_app.ui.charts.fill import filled
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.theme import tokens
from pos_app.ui.widgets.paint import turned

_LEAST = 24


class Level(QWidget):
    """`marks`: each up to its share of the room from where lines begin; `side_by_side`: each behind the one before."""

    def __init__(
        self,
        marks: tuple[tuple[Fill, float], ...],
        high: int,
        *,
        side_by_side: bool = False,
        wide: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        """`high`, and `wide` where it is to be no wider, in px at the text's own size."""
        super().__init__(parent)
        self._marks = marks
        self._side_by_side = side_by_side
        self._high = grown(high)
        self._wide = grown(wide)
        across = QSizePolicy.Policy.Fixed if wide else QSizePolicy.Policy.Expanding
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high as it was wanted."""
        return QSize(self._wide or _LEAST, self._high)

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Its parts; the smallest of them is still seen."""
        on, painter = tokens(), QPainter(self)
        left = 0.0
        for fill, share in self._marks:
            wide = max(round(self.width() * share), 2 if share > 0 else 0)
            place = turned(QRectF(left, 0, wide, self.height()), self)
            filled(painter, place, fill, QColor(on.primary), QColor(on.surface))
            left += wide if self._side_by_side else 0.0
