"""The list of exercises with this learner's marks, as tall as its room and no taller. It picks none."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from pos_app.training.run import Outcome
from pos_app.ui.design.fonts import font
from pos_app.ui.design.icons import paint_icon
from pos_app.ui.design.style import sheet
from pos_app.ui.design.theme import colour, tokens
from pos_app.ui.design.tokens import RADIUS_KEY, S1, S2, S3, TOUCH
from pos_app.ui.training.pages import Page, text
from pos_app.ui.training.telling import Line, Listed
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import box, focus_ring
from pos_app.ui.words.training import words

_ICON = 22
_USUAL = 280
_MARKS = {Outcome.RIGHT: ("tick", "ok"), Outcome.SLIPPED: ("warning", "warn"), None: ("lesson", "muted")}


class ExerciseRow(QAbstractButton):
    """Title, mark in words and as an icon; the next one to do has an edge."""

    def __init__(self, line: Line, *, is_next: bool) -> None:
        super().__init__()
        self.setObjectName(f"exercise_{line.key}")
        self._line = line
        self._is_next = is_next
        self._mark = clean(line.mark, DETAILS_LIMIT)
        self.setText(clean(line.title, DETAILS_LIMIT))
        spoken = words.MARK_SPOKEN.format(title=self.text(), mark=self._mark)
        self.setAccessibleName(clean(spoken, DETAILS_LIMIT))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        """A finger's height, or its two lines'."""
        lines = self._lines_height()
        return QSize(240, max(TOUCH + S2, lines + 2 * S2))

    def minimumSizeHint(self) -> QSize:
        """Its text may be cut at the end, never its height."""
        return QSize(160, self.sizeHint().height())

    def hasHeightForWidth(self) -> bool:
        """A long title has two lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Title and mark below each other."""
        room = QRectF(0, 0, width - 3 * S3 - _ICON, 1000).toRect()
        metrics = self._metrics("strong")
        wrapped = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap.value, self.text())
        return max(TOUCH + S2, wrapped.height() + self._metrics("small").height() + 2 * S2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """At this width its text has so many lines."""
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(event.size().width()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Icon, title, mark."""
        on = tokens()
        painter = QPainter(self)
        whole = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        edge, width = (on.primary, 2) if self._is_next else (on.line, 1)
        box(painter, whole, RADIUS_KEY, on.pressed if self.isDown() else on.raised, edge, width)
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()), RADIUS_KEY, on)
        mirrored = self.isRightToLeft()
        at = QRectF(whole.right() - S3 - _ICON if mirrored else whole.x() + S3, 0, _ICON, _ICON)
        at.moveTop(whole.center().y() - _ICON / 2)
        icon, tone = _MARKS[self._line.outcome]
        paint_icon(painter, icon, at, colour(tone))
        before, after = S3, 2 * S3 + _ICON
        left, right = (before, after) if mirrored else (after, before)
        self._write(painter, whole.adjusted(left, S2, -right, -S2))

    def _write(self, painter: QPainter, room: QRectF) -> None:
        on = tokens()
        leading = Qt.AlignmentFlag.AlignRight if self.isRightToLeft() else Qt.AlignmentFlag.AlignLeft
        painter.setFont(font("strong"))
        painter.setPen(QColor(on.text))
        flags = int((leading | Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignAbsolute).value)
        painter.drawText(room, flags | Qt.TextFlag.TextWordWrap.value, self.text())
        painter.setFont(font("small"))
        painter.setPen(QColor(on.muted))
        below = int((leading | Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignAbsolute).value)
        painter.drawText(room, below, self._mark)

    def _lines_height(self) -> int:
        return self._metrics("strong").height() + self._metrics("small").height()

    def _metrics(self, role: str) -> QFontMetrics:
        return QFontMetrics(font(role))


class _Listing(QScrollArea):
    """As tall as all its rows where there is room; it scrolls where there is not."""

    def sizeHint(self) -> QSize:
        """Of what is in it."""
        inside = self.widget()
        layout = None if inside is None else inside.layout()
        tall = 0 if layout is None else layout.totalHeightForWidth(_USUAL)
        return QSize(_USUAL, tall)


class ExercisesPage(Page):
    """`chosen(key)`: one of them."""

    chosen = Signal(str)

    def __init__(self) -> None:
        self.name = text("title", "text", "course_learner")
        self.done = text("second", "muted", "course_done")
        self.listing = _Listing()
        self.listing.setObjectName("exercises")
        self.listing.setAccessibleName(words.EXERCISES)
        self.listing.setFrameShape(QScrollArea.Shape.NoFrame)
        self.listing.setWidgetResizable(True)
        self.listing.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.listing.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._told: Listed | None = None
        super().__init__("exercises_page", self.name, self.done, self.listing)

    def show_list(self, told: Listed) -> None:
        """These, with these marks."""
        if told == self._told:
            return
        self._told = told
        self.name.setText(told.name)
        self.done.setText(told.done)
        self.listing.setStyleSheet(sheet(tokens()))
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, S1, 0)
        column.setSpacing(S1)
        for line in told.lines:
            row = ExerciseRow(line, is_next=line.key == told.next_key)
            row.clicked.connect(lambda _checked=False, key=line.key: self.chosen.emit(key))
            column.addWidget(row)
        column.addStretch(1)
        self.listing.setWidget(inner)
        self.listing.updateGeometry()
