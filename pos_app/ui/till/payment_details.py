"""One payment of the strip in a small card. Not a result: no large green, nothing to do but look."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.attempt import Attempt, Kind
from pos_app.ui.design.tokens import S2, S3, S4, S5, TICK_MS
from pos_app.ui.face import Face
from pos_app.ui.till.recent_strip import mark_of
from pos_app.ui.till.telling import began_time
from pos_app.ui.widgets.badge import Badge
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label
from pos_app.ui.words.approval import words as approval_words
from pos_app.ui.words.till import Words


class PaymentDetails(QWidget):
    """`shut` when the person is done looking, `number_wanted` when the mask is not enough.

    `show_number` puts the number in the mask's place for SHOWN_S seconds, or until nobody looks.
    """

    SHOWN_S = 20

    shut = Signal()
    number_wanted = Signal()

    def __init__(self, attempt: Attempt, face: Face, words: Words, *, by_manager: bool = False) -> None:
        super().__init__()
        self._mask = attempt.wallet_mask
        self.setObjectName("payment_details")
        self.setAccessibleName(words.ask.details)
        disc = Badge("details_mark")
        disc.show_mark(mark_of(attempt.state))
        disc.setFixedSize(72, 72)
        grid = QGridLayout()
        grid.setHorizontalSpacing(S4)
        grid.setVerticalSpacing(S2)
        grid.setColumnStretch(1, 1)
        for at, (name, value) in enumerate(_rows(attempt, face, words)):
            grid.addWidget(Label(name, "second", "muted"), at, 0)
            grid.addWidget(Label(value, "strong", wrap=True, name=f"details_{at}"), at, 1)
        self._number = Label(self._mask, "strong", name="details_number")
        text = approval_words.SHOW_NUMBER
        self._said = approval_words.BY_MANAGER.format(text=text) if by_manager else text
        self._show = Button(self._said, name="details_show_number", pad=S3)
        self._show.clicked.connect(self.number_wanted)
        if self._mask:
            row = grid.rowCount()
            grid.addWidget(Label(approval_words.NUMBER, "second", "muted"), row, 0)
            beside = QHBoxLayout()
            beside.addWidget(self._number, 1)
            beside.addWidget(self._show)
            grid.addLayout(beside, row, 1)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._second_passed)
        self._left_s = 0
        close = Button(words.ask.shut, name="details_close", kind="primary", keycap="Esc")
        close.clicked.connect(self.shut)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S3)
        top = QHBoxLayout()
        top.setSpacing(S5)
        top.addWidget(disc, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(grid, 1)
        column.addLayout(top)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        self.setFocusProxy(close)

    def show_number(self, number: str) -> None:
        """In full, for a moment."""
        if not number or not self._mask:
            return
        self._left_s = self.SHOWN_S
        self._number.setText(number)
        self._tell_left()
        self._tick.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: the number is gone."""
        self._mask_again()
        super().hideEvent(event)

    def _second_passed(self) -> None:
        self._left_s -= 1
        if self._left_s > 0:
            self._tell_left()
        else:
            self._mask_again()

    def _tell_left(self) -> None:
        self._show.setEnabled(False)
        self._show.setText(approval_words.SHOWN.format(seconds=self._left_s))

    def _mask_again(self) -> None:
        if self._left_s or self._number.text() != self._mask:
            self._left_s = 0
            self._tick.stop()
            self._number.setText(self._mask)
            self._show.setText(self._said)
            self._show.setEnabled(True)


def _rows(attempt: Attempt, face: Face, words: Words) -> list[tuple[str, str]]:
    method = words.result.by_qr if attempt.kind is Kind.QR else words.result.by_push
    state = words.state[attempt.state]
    reason = words.reason[attempt.reason]
    if attempt.code:
        reason = words.code.get(attempt.code, words.result.unknown_code).said + f" ({attempt.code})"
    values = (
        attempt.sale_id,
        face.money(attempt.amount),
        method,
        f"{state}. {reason}" if reason else state,
        began_time(attempt),
        attempt.attempt_id,
        attempt.wallet_transaction_id,
        attempt.invoice_number,
        attempt.payment_reference,
    )
    return [(name, value) for name, value in zip(words.ask.details_rows, values, strict=True) if value]
