"""What every text field of the till has, of one line or of several: its keys, its touch, its edge and ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QRectF
from PySide6.QtGui import QColor, QDragEnterEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPalette
from PySide6.QtWidgets import QWidget

from pos_app.ui.key_sets import ENTER
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_SMALL
from pos_app.ui.widgets.paint import RING, box
from pos_app.ui.widgets.touched_fields import Takes, tell_touched

if TYPE_CHECKING:
    _Widget = QWidget
else:
    _Widget = object  # two classes of Qt's would make two widgets

LONGEST = 5000
"""Longer text is cut when pasted: nothing a person types at a till comes near it."""


class PlainEdit(_Widget):
    """Before a text widget's class, which has the signal `entered`: Enter is that and goes no further; nothing is
    carried off by the clipboard, and nothing is dropped.
    """

    entered: Any

    takes = Takes.TEXT
    has_own_keys = False
    """Its digits stand beside it on the screen: it needs no others."""

    wrong = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter stays here: the window's Enter would charge."""
        if event.matches(QKeySequence.StandardKey.Copy) or event.matches(QKeySequence.StandardKey.Cut):
            event.accept()
            return
        if event.key() in ENTER:
            event.accept()
            if not event.isAutoRepeat():
                self.entered.emit()
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Whoever brings keys to the screen is told, once the finger is off: nothing moves under it."""
        super().mouseReleaseEvent(event)
        tell_touched(self, event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Nothing is dropped on a till."""
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        """A new theme would paint its own ground over ours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._see_through()

    def _see_through(self) -> None:
        """Qt paints no ground: ours is below. Only this role is ours, the others go on following the theme."""
        dressed = QPalette()
        dressed.setColor(QPalette.ColorRole.Base, QColor(0, 0, 0, 0))
        if self.palette().color(QPalette.ColorRole.Base).alpha():
            self.setPalette(dressed)

    def _paint_ground(self, *, focused: bool) -> None:
        """Edge and ground, on the widget itself, in its paint event."""
        on = tokens()
        edge, width = (on.bad, 2) if self.wrong else (on.fieldline, 1)
        if focused and not self.wrong:
            edge, width = on.focus, 2
        painter = QPainter(self)
        ground = on.field if self.isEnabled() else on.bg
        # As far from the edge as a button, whose ring needs the room.
        place = QRectF(self.rect()).adjusted(RING, 0, -RING, 0)
        box(painter, place, RADIUS_SMALL + 2, ground, edge, width)
        painter.end()
