"""A button whose words may take two lines: a decision is a sentence, and a sheet beside the till is narrow."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from pos_app.ui.key_sets import ENTER
from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_KEY, S2, S3, TOUCH
from pos_app.ui.widgets.button import dress
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import RING, box, focus_ring
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.widgets.touch import touch_of

_FLAGS = Qt.TextFlag.TextWordWrap.value | Qt.AlignmentFlag.AlignCenter.value


class GoodsButton(QAbstractButton):
    """Painted like every button, in lines; fires once per press."""

    def __init__(self, text: str, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        fit = clean(text, DETAILS_LIMIT)
        self.setText(fit)
        self.setAccessibleName(fit)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def text_fits(self) -> bool:
        """Whether all of it is seen."""
        return self.height() >= self.heightForWidth(self.width())

    def hasHeightForWidth(self) -> bool:
        """More lines where it is narrow."""
        return True

    def heightForWidth(self, width: int) -> int:
        """A finger's, or the lines'."""
        room = QRectF(0, 0, width - 2 * (RING + S3), 1000).toRect()
        lines = QFontMetrics(font("strong")).boundingRect(room, _FLAGS, self.text())
        return max(TOUCH, lines.height() + 2 * S2) + 2 * RING

    def sizeHint(self) -> QSize:
        """At the width it has."""
        return QSize(200, self.heightForWidth(max(200, self.width())))

    def minimumSizeHint(self) -> QSize:
        """Wide enough for a word."""
        return QSize(120, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """At this width its text has so many lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.setFixedHeight(self.heightForWidth(event.size().width()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses it too, once."""
        if event.key() not in ENTER:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Shape, ring and words."""
        on = tokens()
        worn = dress("plain", on)
        painter = QPainter(self)
        shape = QRectF(self.rect()).adjusted(RING, RING, -RING, -RING)
        touch = touch_of(self)
        fill = worn.down if touch.pressed else worn.over if touch.hovered else worn.fill
        box(painter, shape, RADIUS_KEY, fill, worn.edge, worn.edge_width)
        if touch.focused:
            focus_ring(painter, QRectF(self.rect()), RADIUS_KEY, on)
        painter.setFont(font("strong"))
        painter.setPen(QColor(worn.ink))
        painter.drawText(shape.adjusted(S3, 0, -S3, 0), _FLAGS, as_read(self.text()))
