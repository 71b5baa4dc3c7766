"""One payment of the strip in a small card. Not a result: no large green, nothing to do but look and copy its ids."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.attempt import MONEY, Attempt, Kind, State
from pos_app.domain.receipt import has_receipt
from pos_app.domain.refund import Note, is_before_notes
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.paper import words as paper_words
from pos_app.i18n.words.refund import words as refund_words
from pos_app.i18n.words.till import Words
from pos_app.i18n.words.times import words as times
from pos_app.ui.dialogs.parts.lines import button_row, heading, title_row
from pos_app.ui.dialogs.payments.refund_notes import line_of
from pos_app.ui.theme.tokens import S1, S3, S4, S5, TICK_MS
from pos_app.ui.till.payment.panel_model import age_s, ended
from pos_app.ui.till.window.recent_strip import mark_of
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.badge import Badge
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.id_copy import copy_ids
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.paint import RING

_A_DAY_S = 24 * 3600


def _now() -> datetime:
    return datetime.now().astimezone()


class PaymentDetails(QWidget):
    """`shut` when the person is done looking, `number_wanted` when the mask is not enough, `panel_wanted(id)`
    to go on with a payment that is not over, `receipt_wanted(attempt)` to see its paper, `notes_wanted(attempt)` its
    refund notes, of which `show_notes` tells.

    `show_number` puts the number in the mask's place for SHOWN_S seconds, or until nobody looks.
    """

    SHOWN_S = 20

    shut = Signal()
    panel_wanted = Signal(str)
    receipt_wanted = Signal(object)
    notes_wanted = Signal(object)
    number_wanted = Signal()

    def __init__(
        self,
        attempt: Attempt,
        config: TillViewConfig,
        words: Words,
        *,
        cashier: str = "",
        by_manager: bool = False,
        now: Callable[[], datetime] = _now,
    ) -> None:
        """`cashier`: whose payment it is, by name. `by_manager`: its number is a manager's to show."""
        super().__init__()
        self._mask = attempt.wallet_mask
        self.setObjectName("payment_details")
        self.setAccessibleName(words.ask.details)
        self._words = words
        self._config = config
        self._attempt = attempt
        self._attempt_id = attempt.attempt_id
        self._wallet_id = ""
        self._cashier = cashier
        self._now = now
        self._disc = Badge("details_mark")
        self._disc.setFixedSize(72, 72)
        grid = QGridLayout()
        grid.setHorizontalSpacing(S4)
        grid.setVerticalSpacing(S1)
        grid.setColumnStretch(1, 1)
        self._rows = [
            (Label(name, "second", "muted"), Label("", "strong", wrap=True, name=f"details_{at}"))
            for at, (name, _) in enumerate(self._texts(attempt))
        ]
        for at, (name, value) in enumerate(self._rows):
            grid.addWidget(name, at, 0)
            grid.addWidget(value, at, 1)
        row = grid.rowCount()
        self._noted = (
            Label(refund_words.NOTED, "second", "muted"),
            Label("", "strong", wrap=True, name="details_noted"),
        )
        for at, part in enumerate(self._noted):
            grid.addWidget(part, row, at)
        self._number = Label(self._mask, "strong", name="details_number")
        text = approval_words.SHOW_NUMBER
        self._said = approval_words.BY_MANAGER.format(text=text) if by_manager else text
        self._show = Button(self._said, name="details_show_number").padded(S3)
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
        self._receipt = Button(paper_words.SHOW, name="details_receipt", kind="outline")
        self._receipt.clicked.connect(lambda: self.receipt_wanted.emit(self._attempt))
        self._money_back = Button(refund_words.KEY, name="details_notes", kind="outline")
        self._money_back.clicked.connect(lambda: self.notes_wanted.emit(self._attempt))
        close = Button(words.ask.shut, name="details_close", keycap="Esc")
        close.clicked.connect(self.shut)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S3)
        top = QHBoxLayout()
        top.setContentsMargins(RING, 0, RING, 0)
        top.setSpacing(S5)
        top.addWidget(self._disc, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(grid, 1)
        self._copy = Button(words.ask.copy, name="details_copy", kind="quiet")
        self._copy.clicked.connect(self._copy_ids)
        column.addWidget(title_row(heading(words.ask.details, "details_title"), close))
        column.addLayout(top)
        column.addWidget(button_row(self._copy, self._money_back, self._receipt, self._panel))
        self.setFocusProxy(close)
        self._notes: tuple[Note, ...] = ()
        self.receive(attempt)
        self.show_notes(())

    def hide_copy(self) -> None:
        """There is no desktop that its ids could be pasted on."""
        self._copy.hide()

    @property
    def attempt_id(self) -> str:
        """Whose card it is."""
        return self._attempt_id

    def show_notes(self, notes: tuple[Note, ...]) -> None:
        """What is noted of it: each on a line. Of what was answered before there were notes, that."""
        self._notes = notes
        said = [line_of(note, self._config) for note in notes]
        if is_before_notes(self._attempt, notes):
            said.append(refund_words.BEFORE)
        self._noted[1].setText("\n".join(said))
        for part in self._noted:
            part.setVisible(bool(said))
        self._show_key()

    def receive(self, attempt: Attempt) -> None:
        """What has become of it; another payment's news are not for here."""
        if attempt.attempt_id != self._attempt_id:
            return
        # Looked up again it is nobody's result any more, and never in the green of one.
        self._disc.show_mark(badge.AGED if attempt.state is State.PAID else mark_of(attempt.state))
        self._panel.setVisible(not attempt.is_final or attempt.needs_answer)
        self._attempt = attempt
        self._receipt.setVisible(has_receipt(attempt) or attempt.state is State.DISPUTED)
        self._show_key()
        self._wallet_id = attempt.wallet_transaction_id
        for (name, value), (_, text) in zip(self._rows, self._texts(attempt), strict=True):
            value.setText(text)
            name.setVisible(bool(text))
            value.setVisible(bool(text))

    def _show_key(self) -> None:
        """A promise is a promise, whatever the service says of the payment since."""
        self._money_back.setVisible(self._attempt.state in MONEY or bool(self._notes))

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

    def _copy_ids(self) -> None:
        """For whoever asks the wallet's people; a line each."""
        copy_ids([each for each in (self._attempt_id, self._wallet_id) if each])
        self._copy.setText(self._words.ask.copied)

    def _texts(self, attempt: Attempt) -> tuple[tuple[str, str], ...]:
        """Each row's name and what it says, "" where there is nothing to say."""
        words, config = self._words, self._config
        sale, amount, method, state, began, own_id, wallet_id, invoice, reference, prices = (
            words.ask.details_rows
        )
        by = words.result.by_qr if attempt.kind is Kind.QR else words.result.by_push
        return (
            (sale, config.sale(attempt.sale_id)),
            (amount, config.money_of(attempt.amount, attempt.currency)),
            (method, by),
            (state, self._since(_state(attempt, words), attempt)),
            (began, attempt.tapped_wall[:16].replace("T", " ")),
            (words.ask.ended, f"{ended(attempt):%Y-%m-%d %H:%M:%S}" if attempt.ended_at is not None else ""),
            (words.ask.cashier, self._cashier),
            (own_id, attempt.attempt_id),
            (wallet_id, attempt.wallet_transaction_id),
            (invoice, attempt.invoice_number),
            (reference, attempt.payment_reference),
            (prices, _added_up(attempt, config)),
        )

    def _since(self, said: str, attempt: Attempt) -> str:
        """A paid one with how long ago that was, within a day of it."""
        age = age_s(attempt, self._now())
        if attempt.state is not State.PAID or age > _A_DAY_S:
            return said
        return f"{said} · {self._words.result.ago.format(age=times.age(age))}"

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


def _state(attempt: Attempt, words: Words) -> str:
    """The state, and why: what a person decided, the service's refusal, or a reason of ours."""
    reason = words.because(attempt)
    if attempt.state is State.SIGNED_OFF and attempt.resolution is not None:
        return reason  # which begins with who said so
    if attempt.code:
        reason = words.code.get(attempt.code, words.result.unknown_code).said + f" ({attempt.code})"
    state = words.state_of(attempt)
    return f"{state}. {reason}" if reason else state


def _added_up(attempt: Attempt, config: TillViewConfig) -> str:
    """12.00 + 30.50 = 42.50"""
    prices = " + ".join(config.figure(each) for each in attempt.prices)
    return f"{prices} = {config.figure(attempt.amount)}" if prices else ""
