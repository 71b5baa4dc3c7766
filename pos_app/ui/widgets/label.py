"""The only QLabel: always plain text, cleaned, in a token's colour. Must never render markup."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from pos_app.ui.theme.fonts import font, size_of
from pos_app.ui.theme.theme import colour
from pos_app.ui.widgets.clean import DETAILS_LIMIT, LONGEST, breakable, clean
from pos_app.ui.widgets.lines import broken, ended
from pos_app.ui.widgets.paint import RING
from pos_app.ui.widgets.reading import as_read

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
TOP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
LEAST = 12
"""No text is smaller (pixels), however little room a panel has for all of its texts."""


class Label(QLabel):
    """Text in a type role ("body", "second", "title" …) and a tone (a token's name).

    It asks for the room its text needs; `wrap` breaks lines.
    """

    def __init__(
        self,
        text: str = "",
        role: str = "body",
        tone: str = "text",
        *,
        wrap: bool = False,
        align: Qt.AlignmentFlag = LEFT,
        name: str = "",
    ) -> None:
        super().__init__()
        self._tone = tone
        self._role = role
        self._scale = 1.0
        self._inset = 0
        self._kept = ""
        self._heights: dict[int, int] = {}
        """What its lines take at a width: a form's layouts ask some thousand times before it stands."""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setFont(font(role))
        self.setAlignment(align)
        self.setWordWrap(wrap)
        self.setObjectName(name)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show the text as it is, without what could disguise it."""
        fit = breakable(clean(text, LONGEST)) if self.wordWrap() else clean(text, DETAILS_LIMIT)
        if fit != self.text():
            self._heights.clear()
            super().setText(fit)

    @property
    def tone(self) -> str:
        """The token whose colour it has."""
        return self._tone

    def set_tone(self, tone: str) -> None:
        """Another token's colour."""
        if tone != self._tone:
            self._tone = tone
            self.update()

    def set_scale(self, scale: float) -> None:
        """Smaller than its role, where a panel has no room for all its texts (see fitting.fit)."""
        if scale != self._scale:
            self._scale = scale
            self.setFont(font(self._role, max(LEAST, round(size_of(self._role) * scale))))

    def stand_with_fields(self) -> Label:
        """Its text begins and ends where the edges of fields and buttons do, which leave room for their ring."""
        # Not as the widget's own margins: those a frame forgets when a style sheet comes.
        self._inset = RING
        self.updateGeometry()
        return self

    def keep_room_for(self, text: str) -> None:
        """As high as for this text at least, whatever it says: what stands below stays where it is."""
        fit = breakable(clean(text, LONGEST))
        if fit != self._kept:
            self._kept = fit
            self._heights.clear()
            self.updateGeometry()

    def text_room(self) -> QRect:
        """Where its text stands."""
        return self.contentsRect().adjusted(self._inset, 0, -self._inset, 0)

    def shown_text(self) -> str:
        """What of the text can be read."""
        return self.text()

    def text_fits(self) -> bool:
        """Whether nothing of the text is cut off."""
        if not self.text():
            return True
        needed = self._needed(self.text(), self.text_room().width())
        # Qt rounds a line's height up here and down in its hint.
        return needed.height() <= self.height() + 1 and needed.width() <= self.text_room().width()

    def minimumSizeHint(self) -> QSize:
        """All of the text."""
        return super().minimumSizeHint() + self._sides()

    def sizeHint(self) -> QSize:
        """Its text's, and the room beside it."""
        return super().sizeHint() + self._sides()

    def heightForWidth(self, width: int) -> int:
        """What its lines take."""
        room = width - self._sides().width()
        if room not in self._heights:
            self._heights[room] = max(super().heightForWidth(room), self._needed(self._kept, room).height())
        return self._heights[room]

    def changeEvent(self, event: QEvent) -> None:
        """Other letters, or another style, take other heights."""
        self._heights.clear()
        super().changeEvent(event)

    def setWordWrap(self, on: bool) -> None:
        """Lines of its own, or one alone."""
        self._heights.clear()
        super().setWordWrap(on)

    def _sides(self) -> QSize:
        return QSize(2 * self._inset, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One plain text in one colour."""
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(colour(self._tone if self.isEnabled() else "off"))
        text, room, wrap = self.shown_text(), self.text_room(), 0
        if self.wordWrap():
            text, wrap = broken(text, self.font(), room.width(), from_right=self.isRightToLeft())
        painter.drawText(room, int(self.alignment().value) | wrap, as_read(text))

    def _flags(self) -> int:
        wrap = Qt.TextFlag.TextWordWrap.value if self.wordWrap() else 0
        return int(self.alignment().value) | wrap

    def _needed(self, text: str, width: int) -> QSize:
        if not text:
            return QSize()
        if self.wordWrap() and self.isRightToLeft():
            # As it is drawn: Qt counts the space at which it breaks a line.
            lines = ended(text, self.font(), width)
            return self.fontMetrics().boundingRect(QRect(0, 0, 100_000, 10_000), 0, lines).size()
        room = QRect(0, 0, width if self.wordWrap() else 100_000, 10_000)
        return self.fontMetrics().boundingRect(room, self._flags(), text).size()


class ElidedLabel(Label):
    """Cut with "…" where its room ends, never for amounts; the whole text stays its accessible name."""

    def __init__(
        self,
        text: str = "",
        role: str = "body",
        tone: str = "text",
        *,
        align: Qt.AlignmentFlag = LEFT,
        name: str = "",
    ) -> None:
        super().__init__(text, role, tone, align=align, name=name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def shown_text(self) -> str:
        """The text, or its beginning with "…"."""
        room = self.text_room().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    def text_fits(self) -> bool:
        """An elided text counts as shown."""
        return True

    def minimumSizeHint(self) -> QSize:
        """Enough for one character."""
        return QSize(self.fontMetrics().height(), super().minimumSizeHint().height())
