"""One payment of the strip in a small card. Not a result: no large green, nothing to do but look."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.attempt import Attempt, Kind
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.till import Words
from pos_app.ui.dialogs.parts.lines import button_row
from pos_app.ui.theme.tokens import S2, S3, S4, S5, TICK_MS
from pos_app.ui.till.payment.panel_model import began_time
from pos_app.ui.till.window.recent_strip import mark_of
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.badge import Badge
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label


class PaymentDetails(QWidget):
    """`shut` when the person is done looking, `number_wanted` when the mask is not enough, `panel_wanted(id)`
    to go on with a payment that is not over.

    `show_number` puts the number in the mask's place for SHOWN_S seconds, or until nobody looks.
    """

    SHOWN_S = 20

    shut = Signal()
    panel_wanted = Signal(str)
    number_wanted = Signal()

    def __init__(
        self, attempt: Attempt, config: TillViewConfig, words: Words, *, by_manager: bool = False
    ) -> None:
        super().__init__()
        self._mask = attempt.wallet_mask
        self.setObjectName("payment_details")
        self.setAccessibleName(words.ask.details)
        self._words = words
        self._config = config
        self._attempt_id = attempt.attempt_id
        self._disc = Badge("details_mark")
        self._disc.setFixedSize(72, 72)
        grid = QGridLayout()
        grid.setHorizontalSpacing(S4)
        grid.setVerticalSpacing(S2)
        grid.setColumnStretch(1, 1)
        self._rows = [
            (Label(name, "second", "muted"), Label("", "strong", wrap=True, name=f"details_{at}"))
            for at, name in enumerate(words.ask.details_rows)
        ]
        for at, (name, value) in enumerate(self._rows):
            grid.addWidget(name, at, 0)
            grid.addWidget(value, at, 1)
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
        self._panel = Button(words.bar.show, name="details_panel", kind="outline")
        self._panel.clicked.connect(lambda: self.panel_wanted.emit(self._attempt_id))
        close = Button(words.ask.shut, name="details_close", kind="primary", keycap="Esc")
        close.clicked.connect(self.shut)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S3)
        top = QHBoxLayout()
        top.setSpacing(S5)
        top.addWidget(self._disc, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(grid, 1)
        column.addLayout(top)
        column.addWidget(button_row(self._panel, close))
        self.setFocusProxy(close)
        self.receive(attempt)

    def receive(self, attempt: Attempt) -> None:
        """What has become of it; another payment's news are not for here."""
        if attempt.attempt_id != self._attempt_id:
            return
        self._disc.show_mark(mark_of(attempt.state))
        self._panel.setVisible(not attempt.is_final or attempt.needs_answer)
        for (name, value), text in zip(self._rows, _texts(attempt, self._config, self._words), strict=True):
            value.setText(text)
            name.setVisible(bool(text))
            value.setVisible(bool(text))

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


def _texts(attempt: Attempt, config: TillViewConfig, words: Words) -> tuple[str, ...]:
    """In the order of the rows' names; "" where there is nothing to say."""
    method = words.result.by_qr if attempt.kind is Kind.QR else words.result.by_push
    state = words.state[attempt.state]
    reason = words.because(attempt)
    if attempt.code:
        reason = words.code.get(attempt.code, words.result.unknown_code).said + f" ({attempt.code})"
    return (
        config.sale(attempt.sale_id),
        config.money(attempt.amount),
        method,
        f"{state}. {reason}" if reason else state,
        began_time(attempt),
        attempt.attempt_id,
        attempt.wallet_transaction_id,
        attempt.invoice_number,
        attempt.payment_reference,
        _added_up(attempt, config),
    )


def _added_up(attempt: Attempt, config: TillViewConfig) -> str:
    """12.00 + 30.50 = 42.50"""
    prices = " + ".join(config.figure(each) for each in attempt.prices)
    return f"{prices} = {config.figure(attempt.amount)}" if prices else ""
