"""One payment of the strip in a small card. Not a result: no large green, nothing to press but Close."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.attempt import Attempt, Kind
from pos_app.ui.design.tokens import S2, S3, S4, S5
from pos_app.ui.face import Face
from pos_app.ui.till.recent_strip import mark_of
from pos_app.ui.till.telling import began_time
from pos_app.ui.widgets.badge import Badge
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label
from pos_app.ui.words.table import Words


class PaymentDetails(QWidget):
    """`shut` when the person is done looking."""

    shut = Signal()

    def __init__(self, attempt: Attempt, face: Face, words: Words) -> None:
        super().__init__()
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


def _rows(attempt: Attempt, face: Face, words: Words) -> list[tuple[str, str]]:
    method = words.result.by_qr if attempt.kind is Kind.QR else words.result.by_push
    state = words.state[attempt.state]
    reason = words.reason[attempt.reason]
    if attempt.code:
        reason = words.code.get(attempt.code, words.result.unknown_code).said + f" ({attempt.code})"
    values = (
        attempt.sale_id,
        face.money(attempt.amount),
        f"{method} {attempt.wallet_mask}".rstrip(),
        f"{state}. {reason}" if reason else state,
        began_time(attempt),
        attempt.attempt_id,
        attempt.wallet_transaction_id,
        attempt.invoice_number,
        attempt.payment_reference,
    )
    return [(name, value) for name, value in zip(words.ask.details_rows, values, strict=True) if value]
