"""The list of exercises with this learner's marks, below each other. It picks none."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from pos_app.i18n.words.training import words
from pos_app.training.coach.model import Line, Listed
from pos_app.training.coach.pages import Page, text
from pos_app.training.course.run import Outcome
from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import colour, tokens
from pos_app.ui.theme.tokens import RADIUS_KEY, S1, S2, S3, TOUCH
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.lines import broken
from pos_app.ui.widgets.paint import box, focus_ring
from pos_app.ui.widgets.reading import as_read
from pos_app.ui.widgets.touch import touch_of

_ICON = 22
_MARKS = {Outcome.RIGHT: ("tick", "ok"), Outcome.SLIPPED: ("warning", "warn"), None: ("lesson", "muted")}


class ExerciseRow(QAbstractButton):
    """Title, mark in words and as an icon; the next one to do has an edge."""

    def __init__(self, line: Line, *, is_next: bool) -> None:
        super().__init__()
        self.setObjectName(f"exercise_{line.key}")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
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
        touch = touch_of(self)
        fill = on.pressed if touch.pressed else on.hover if touch.hovered else on.raised
        box(painter, whole, RADIUS_KEY, fill, edge, width)
        if touch.focused:
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
        width, from_right = round(room.width()), self.isRightToLeft()
        title, wrap = broken(self.text(), painter.font(), width, from_right=from_right)
        painter.drawText(room, flags | wrap, as_read(title))
        painter.setFont(font("small"))
        painter.setPen(QColor(on.muted))
        below = int((leading | Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignAbsolute).value)
        painter.drawText(room, below, as_read(self._mark))

    def _lines_height(self) -> int:
        return self._metrics("strong").height() + self._metrics("small").height()

    def _metrics(self, role: str) -> QFontMetrics:
        return QFontMetrics(font(role))


class ExercisesPage(Page):
    """`chosen(key)`: one of them."""

    chosen = Signal(str)

    def __init__(self) -> None:
        self.name = text("title", "text", "course_learner")
        self.done = text("second", "muted", "course_done")
        self.rows = QWidget()
        self.rows.setObjectName("exercises")
        self.rows.setAccessibleName(words.EXERCISES)
        self._column = QVBoxLayout(self.rows)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(S1)
        self._told: Listed | None = None
        self._shown: list[ExerciseRow] = []
        super().__init__("exercises_page", self.name, self.done, self.rows)

    def show_list(self, told: Listed) -> None:
        """These, with these marks."""
        if told == self._told:
            return
        self._told = told
        self.name.setText(told.name)
        self.done.setText(told.done)
        for old in self._shown:
            old.hide()
            old.deleteLater()
        self._shown = [ExerciseRow(line, is_next=line.key == told.next_key) for line in told.lines]
        for row, line in zip(self._shown, told.lines, strict=True):
            row.clicked.connect(lambda _checked=False, key=line.key: self.chosen.emit(key))
            self._column.addWidget(row)
