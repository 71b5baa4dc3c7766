"""Payments as rows for a finger and the keyboard: mark, amount, state in words, time. It finds none itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidgetItem, QWidget

from pos_app.domain.attempt import Attempt, Kind
from pos_app.i18n.words.find import words
from pos_app.i18n.words.till import words as till_words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S3
from pos_app.ui.till.window.recent_strip import mark_of
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.rows import MOST_ROWS, Row, Rows

_DISC = 36
_EDGE = 6


class Found(NamedTuple):
    """A payment, and what its row says of it."""

    attempt: Attempt
    figure: str
    state: str
    time: str
    line: str


def row_of(attempt: Attempt, config: TillViewConfig, today: str) -> Found:
    """The day is said where it is another than today."""
    if attempt.kind is Kind.QR:
        line = words.BY_QR.format(sale=attempt.sale_id)
    else:
        line = words.BY_PUSH.format(sale=attempt.sale_id, mask=attempt.wallet_mask)
    line = config.sale(line)
    for text in (attempt.invoice_number, attempt.payment_reference):
        if text:
            line = words.WITH_TEXT.format(line=line, text=text)
    day, time = attempt.tapped_wall[:10], attempt.tapped_wall[11:16]
    if day != today:
        time = words.EARLIER_DAY.format(day=day_of(day, today), time=time)
    return Found(attempt, config.figure(attempt.amount), till_words.state[attempt.state], time, line)


def day_of(day: str, today: str) -> str:
    """12 Nov; with its year where that is not this one."""
    return time_words.day(date.fromisoformat(day)) if day[:4] == today[:4] else day


class FoundList(Rows):
    """`picked(attempt)`; `end_neared` when the last rows come into view; `typed` what belongs to the search."""

    picked = Signal(object)
    end_neared = Signal()
    typed = Signal(str)

    def __init__(self, config: TillViewConfig, parent: QWidget | None = None) -> None:
        super().__init__("found_list", words.LIST, parent=parent)
        self._config = config
        self.itemClicked.connect(lambda item: self.picked.emit(self.data_at(self.row(item)).attempt))
        self.reader.pressed.connect(lambda row: self.picked.emit(self.data_at(row).attempt))
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    def attempts(self) -> list[Attempt]:
        """What is listed."""
        return [found.attempt for found in self.all_data()]

    def add(self, attempts: Sequence[Attempt], today: str) -> None:
        """Older ones, below."""
        for attempt in attempts:
            self.addItem(QListWidgetItem())
            self._fill(self.count() - 1, attempt, today)
        if self.currentRow() < 0:
            self.setCurrentRow(0)

    def put(self, attempt: Attempt, today: str) -> bool:
        """What became of one that is listed; whether it is."""
        for at in range(self.count()):
            if self.data_at(at).attempt.attempt_id == attempt.attempt_id:
                self._fill(at, attempt, today)
                return True
        return False

    def put_first(self, attempt: Attempt, today: str) -> None:
        """A new one; the row that was chosen stays so."""
        self.insertItem(0, QListWidgetItem())
        self._fill(0, attempt, today)

    def pick_current(self) -> None:
        """Enter."""
        found = self.current_data()
        if found is not None:
            self.picked.emit(found.attempt)

    def move_by(self, key: Qt.Key) -> None:
        """The arrows, while the keyboard is in the search."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -5, Qt.Key.Key_PageDown: 5}
        row = self.currentRow() + steps.get(key, 0)
        self.setCurrentRow(max(0, min(row, self.count() - 1)))

    def sizeHint(self) -> QSize:
        """Six rows."""
        return QSize(420, self.row_height * MOST_ROWS + 2 * self.frameWidth() + 2)

    def minimumSizeHint(self) -> QSize:
        """Three."""
        return QSize(240, self.row_height * 3)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What is typed belongs to the search."""
        text = event.text()
        if event.key() == Qt.Key.Key_Backspace:
            self.typed.emit("")
        elif text.isprintable() and text and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def enter_pressed(self) -> None:
        """The chosen one."""
        self.pick_current()

    def paint_row(self, row: Row, data: Found) -> None:
        """Mark, amount and line at one side; time and state at the other."""
        on = tokens()
        mark = mark_of(data.attempt.state)
        side, height = grown(_DISC), row.room.height()
        badge.paint_small(row.painter, row.place(S3, (height - side) / 2, side, side), mark)
        left, line = S3 + side + S3, (height - 2 * _EDGE) / 2
        width = row.room.width() - left - S3
        upper, lower = row.place(left, _EDGE, width, line), row.place(left, _EDGE + line, width, line)
        time = row.write(upper, "second", on.muted, data.time, at_end=True)
        state = row.write(lower, "strong", getattr(on, mark.token), data.state, at_end=True)
        row.write(row.place(left, _EDGE, width - time - S2, line), "shop", on.text, data.figure)
        row.write(row.place(left, _EDGE + line, width - state - S2, line), "second", on.muted, data.line)

    def _fill(self, at: int, attempt: Attempt, today: str) -> None:
        row = row_of(attempt, self._config, today)
        spoken = words.SPOKEN.format(
            money=self._config.money(attempt.amount), state=row.state, time=row.time, line=row.line
        )
        self.item(at).setText(clean(spoken, DETAILS_LIMIT))
        self.set_data(at, row)

    def _scrolled(self, value: int) -> None:
        if value >= self.verticalScrollBar().maximum() - self.row_height:
            self.end_neared.emit()
