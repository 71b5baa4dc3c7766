"""The last five payments: "did the last one go through?" in one glance. Opens nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from pos_app.domain.attempt import Attempt, Kind, State
from pos_app.i18n.words.find import words as find_words
from pos_app.i18n.words.till import Words
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import font, grown, size_of
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S3, S6, Tokens
from pos_app.ui.till.payment.panel_model import began_time
from pos_app.ui.till.window.keys import Action, cap
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.button import Button, on_touch
from pos_app.ui.widgets.paint import RING, turned
from pos_app.ui.widgets.reading import as_read

COUNT = 5
_HEIGHT = 40
_LINES = 44
_DISC = 28
_SMALLEST = 11
_WIDE_ENOUGH = 1200
_MARKS = {
    State.INTENT: badge.WAITING,
    State.WAITING: badge.WAITING,
    State.IN_DOUBT: badge.CHECKING,
    State.PAID: badge.PAID,
    State.PAID_LATE: badge.LATE,
    State.DISPUTED: badge.DISPUTED,
    State.UNRESOLVED: badge.NOT_KNOWN,
    State.SIGNED_OFF: badge.NOT_KNOWN,
}


def mark_of(state: State) -> badge.Mark:
    """The state's little disc."""
    return _MARKS.get(state, badge.NOT_PAID)


def line_of(attempt: Attempt, words: Words) -> str:
    """Second line: the method of a paid one, the state of any other, and the time."""
    return f"{said_of(attempt, words)} · {began_time(attempt)}"


def said_of(attempt: Attempt, words: Words) -> str:
    """The method of a paid one, the state of any other."""
    method = words.result.by_qr if attempt.kind is Kind.QR else words.result.by_push
    return method if attempt.state is State.PAID else words.state[attempt.state]


def _advance(line: str, size: int) -> float:
    return QFontMetricsF(font("small", size)).horizontalAdvance(line)


class RecentButton(SaysAnew, Button):
    """One payment: disc, amount, second line."""

    def __init__(self, at: int, config: TillViewConfig, words: Words) -> None:
        super().__init__("", name=f"recent_{at}")
        self._config = config
        self._words = words
        self._attempt: Attempt | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # Each payment stands in a place of its own width, however few there are.
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.hide()

    @property
    def attempt(self) -> Attempt | None:
        """The payment it stands for."""
        return self._attempt

    def show_attempt(self, attempt: Attempt | None) -> None:
        """Another payment, or none."""
        if attempt == self._attempt:
            return
        self._attempt = attempt
        self.setVisible(attempt is not None)
        self.say_anew()

    def _figure(self) -> str:
        attempt = self._attempt
        return "" if attempt is None else self._config.figure_of(attempt.amount, attempt.currency)

    def say_anew(self) -> None:
        """In the language now spoken."""
        attempt = self._attempt
        if attempt is not None:
            state = self._words.state_of(attempt)
            self.setAccessibleName(
                f"{self._config.money_of(attempt.amount, attempt.currency)} {state} {began_time(attempt)}"
            )
            self.update()

    def sizeHint(self) -> QSize:
        """A fifth of the smallest screen."""
        return QSize(170, 16 + grown(_LINES))

    def minimumSizeHint(self) -> QSize:
        """A fifth of the smallest screen."""
        return QSize(150, 10 + grown(_LINES))

    def text_fits(self) -> bool:
        """Whether both lines are inside."""
        if self._attempt is None:
            return True
        room = self.width() - 2 * RING - _DISC - 3 * S2
        line = self._second_line(room)
        return _advance(line, self._second_size(line, room)) <= room and self._amount_size(room) >= 13

    def _second_line(self, room: float) -> str:
        """Without the time where there is no room for both: what became of it is never cut."""
        if self._attempt is None:
            return ""
        line = line_of(self._attempt, self._words)
        fits = _advance(line, size_of("small")) <= room
        return line if fits else said_of(self._attempt, self._words)

    def _second_size(self, line: str, room: float) -> int:
        size = size_of("small")
        while size > _SMALLEST and _advance(line, size) > room:
            size -= 1
        return size

    def paint_contents(self, painter: QPainter, shape: QRectF, on: Tokens, ink: str) -> None:
        """Disc, amount, line."""
        if self._attempt is None:
            return
        disc = QRectF(shape.x() + S3, shape.center().y() - _DISC / 2, _DISC, _DISC)
        badge.paint_small(painter, turned(disc, self), mark_of(self._attempt.state))
        left = disc.right() + S2
        room = shape.right() - left - S2
        painter.setFont(font("shop", self._amount_size(room)))
        painter.setPen(QColor(ink))
        half = shape.height() / 2
        upper = turned(QRectF(left, shape.y() + 4, room, half), self)
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter, self._figure())
        line = self._second_line(room)
        painter.setFont(font("small", self._second_size(line, room)))
        painter.setPen(QColor(on.muted))
        lower = turned(QRectF(left, shape.center().y(), room, half - 6), self)
        painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter, as_read(line))

    def _amount_size(self, room: float) -> int:
        size = size_of("shop")
        figure = self._figure()
        while size > 12 and QFontMetricsF(font("shop", size)).horizontalAdvance(figure) > room:
            size -= 1
        return size


class RecentStrip(SaysAnew, QWidget):
    """`chosen` carries the Attempt that was touched; `find_wanted`: all of today, to look through."""

    chosen = Signal(object)
    find_wanted = Signal()

    def __init__(self, config: TillViewConfig, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recent_strip")
        self.setAccessibleName(words.bar.recent)
        self._words = words
        self.setFixedHeight(_HEIGHT + grown(_LINES))
        self._buttons = [RecentButton(at, config, words) for at in range(COUNT)]
        row = QHBoxLayout(self)
        row.setContentsMargins(S6 - RING, S3, S6 - RING, S3)
        row.setSpacing(S2)
        for button in self._buttons:
            row.addWidget(button, 1)
            on_touch(button, lambda it: it.attempt, self.chosen.emit)
        self.find_button = (
            Button(
                name="find_button",
                kind="quiet",
                icon="list",
                keycap=cap(Action.FIND),
            )
            .called(find_words.OPEN_SAID)
            .padded(S2)
        )
        self.find_button.clicked.connect(self.find_wanted)
        row.addWidget(self.find_button)

    def say_anew(self) -> None:
        """The language has changed."""
        self.setAccessibleName(self._words.bar.recent)
        self.find_button.called(find_words.OPEN_SAID)
        self._name_find()
        self.update()

    def show_attempts(self, attempts: tuple[Attempt, ...]) -> None:
        """The newest five of these, the newest first."""
        newest = sorted(attempts, key=lambda each: each.tapped_at, reverse=True)[:COUNT]
        was_empty = self._is_empty
        for at, button in enumerate(self._buttons):
            button.show_attempt(newest[at] if at < len(newest) else None)
        if self._is_empty != was_empty:
            # Only then: it would paint every button anew, at each change of a payment.
            self.update()

    @property
    def _is_empty(self) -> bool:
        return self._buttons[0].attempt is None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where it is narrow, the payments have the room."""
        super().resizeEvent(event)
        self._name_find()

    def _name_find(self) -> None:
        self.find_button.setText(find_words.OPEN if self.width() >= _WIDE_ENOUGH else "")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The strip's ground and its hairline."""
        on = tokens()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(on.surface))
        painter.fillRect(0, 0, self.width(), 1, QColor(on.line))
        if self._is_empty:
            painter.setFont(font("body"))
            painter.setPen(QColor(on.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, as_read(self._words.bar.none_yet))
