"""The phone's three pages: requests, the camera, messages. They show and pass on touches, no more."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from pos_app.i18n.words.phone import words
from pos_app.training.phone.values import Message, Payment
from pos_app.training.phone.viewfinder import Viewfinder
from pos_app.ui.theme.style import sheet
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_PANEL, S1, S2, S3, S4
from pos_app.ui.widgets.announce import Announcer
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.label import CENTRE, RIGHT, ElidedLabel, Label
from pos_app.ui.widgets.paint import focus_ring

SHOWN = 12
"""Earlier payments and messages on a page; older ones are in the till."""


_USUAL = ("approve", "reject")


class Ask(Card):
    """One request with everything its owner may do: `chosen(wallet_id, verb)`; "ignore" and "later" too."""

    chosen = Signal(str, str)

    def __init__(self, currency: str, parent: QWidget | None = None) -> None:
        super().__init__("ask", ground="raised", parent=parent)
        self._currency = currency
        self._wallet_id = ""
        self._told: Payment | None = None
        self._voice = Announcer(self)
        self.who = Label("", "body", "muted", wrap=True, align=CENTRE, name="ask_who")
        self.amount = Label("", "heading", align=CENTRE, name="ask_amount")
        self.state = Label("", "second", "muted", wrap=True, align=CENTRE, name="ask_state")
        column = QVBoxLayout(self)
        column.setContentsMargins(S3, S4, S3, S3)
        column.setSpacing(S1)
        for label in (self.who, self.amount, self.state):
            column.addWidget(label)
        column.addSpacing(S2)
        self.buttons = {verb: self._button(verb, text, kind) for verb, text, kind in _choices()}
        self.more = Button(words.MORE, name="phone_more", kind="quiet", role="second")
        self._usual, self._others = (
            ButtonRow("ask_usual", centred=True),
            ButtonRow("ask_others", centred=True),
        )
        self._usual.set_parts([self.buttons[verb] for verb in _USUAL])
        self._others.set_parts([button for verb, button in self.buttons.items() if verb not in _USUAL])
        for row in (self._usual, self._others):
            policy = row.sizePolicy()
            # A row of more lines than its hint says may grow.
            policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
            row.setSizePolicy(policy)
            column.addWidget(row)
        column.addWidget(self.more)
        self.more.hide()
        self.more.clicked.connect(self._show_others)

    def be_low(self) -> None:
        """Where there is little height only the usual answers are shown at first."""
        self._others.hide()
        self.more.show()

    def _show_others(self) -> None:
        self._others.show()
        self.more.hide()

    def show_payment(self, payment: Payment) -> None:
        """The request; what was done already is not offered again."""
        if payment == self._told:
            return
        self._told = payment
        self._wallet_id = payment.wallet_transaction_id
        self.who.setText(words.ASKS.get(payment.kind, words.ASKS["push"]))
        self.amount.setText(payment.money(self._currency))
        self._voice.say(f"{self.who.text()} {self.amount.text()}", urgent=True)
        status, account = words.status(payment.status), payment.wallet_account_number
        said = words.STATUS_AND_ACCOUNT.format(status=status, account=account) if account else status
        self.state.setText(said)
        self.buttons["verify"].setEnabled(payment.status != "Verification Success")
        for verb in ("approve", "reject", "later", "fail"):
            self.buttons[verb].setEnabled(True)

    def _button(self, verb: str, text: str, kind: str) -> Button:
        button = Button(text, name=f"phone_{verb}", kind=kind)
        button.clicked.connect(lambda: self._choose(verb))
        return button

    def _choose(self, verb: str) -> None:
        if verb != "ignore":
            for each in ("approve", "reject", "later", "fail", "verify"):
                self.buttons[each].setEnabled(False)
            self._told = None
        self.chosen.emit(self._wallet_id, verb)


def _choices() -> tuple[tuple[str, str, str], ...]:
    return (
        ("approve", words.APPROVE, "primary"),
        ("reject", words.REJECT, "danger"),
        ("later", words.LATER, "plain"),
        ("ignore", words.IGNORE, "plain"),
        ("verify", words.OPEN, "plain"),
        ("fail", words.NO_MONEY, "plain"),
    )


class WalletPage(QWidget):
    """The newest open request in full, all others as lines; `chosen(wallet_id, verb)`."""

    chosen = Signal(str, str)

    def __init__(self, currency: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wallet_page")
        self._currency = currency
        self.ask = Ask(currency)
        self.ask.chosen.connect(self.chosen)
        self.nothing = Label(words.NOTHING, "body", "muted", wrap=True, align=CENTRE, name="nothing_to_pay")
        self.earlier = _Lines("earlier")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S3)
        column.addWidget(self.nothing, 1)
        column.addWidget(self.ask)
        column.addWidget(self.earlier, 2)

    def be_low(self) -> None:
        """Where there is little height the request has it."""
        self.earlier.setMinimumHeight(1)
        self.ask.be_low()

    def show_payments(self, payments: Sequence[Payment], aside: Sequence[str]) -> None:
        """Everything the phone knows, newest first."""
        asking = next(
            (each for each in payments if each.asks and each.wallet_transaction_id not in aside), None
        )
        self.ask.setVisible(asking is not None)
        if asking is not None:
            self.ask.show_payment(asking)
        lines = [each for each in payments if each is not asking][:SHOWN]
        self.nothing.setVisible(asking is None and not lines)
        self.earlier.setVisible(bool(lines))
        self.earlier.show_rows([self._line(each) for each in lines])

    def _line(self, payment: Payment) -> _Row:
        late = payment.asks
        wallet_id = payment.wallet_transaction_id
        state = words.ASIDE if late else words.status(payment.status)
        row = _row(payment.money(self._currency), state, f"paid_{wallet_id}")
        if late:
            # Its button is what keys come to.
            row.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button = Button(words.PAY_NOW, name=f"pay_now_{wallet_id}", kind="outline")
            button.setAccessibleDescription(row.accessibleName())
            button.clicked.connect(lambda: self.chosen.emit(wallet_id, "pay"))
            layout = row.layout()
            if layout is not None:
                layout.addWidget(button)
        return row


class ScanPage(QWidget):
    """The camera on the till's screen; `scanned(then)`: "ignore" reads the code, "misread" fails to."""

    scanned = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scan_page")
        self.finder = Viewfinder()
        self.hint = Label(words.SCAN_NOTHING, "body", "muted", wrap=True, align=CENTRE, name="scan_hint")
        self.scan = Button(words.SCAN_NOW, name="scan_now", kind="primary", icon="qr")
        self.badly = Button(words.SCAN_BADLY, name="scan_badly", kind="quiet")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S3)
        column.addWidget(self.finder, 1)
        for part in (self.hint, self.scan, self.badly):
            column.addWidget(part)
        self.scan.clicked.connect(lambda: self.scanned.emit("ignore"))
        self.badly.clicked.connect(lambda: self.scanned.emit("misread"))
        self.show_code("")

    def show_code(self, text: str) -> None:
        """The code on the till's screen; "" when there is none."""
        self.finder.show_code(text)
        self.hint.setText(words.SCAN_READY if text else words.SCAN_NOTHING)
        self.scan.setEnabled(bool(text))
        self.badly.setEnabled(bool(text))


class MessagesPage(QWidget):
    """The inbox, newest first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messages_page")
        self.none = Label(words.NO_MESSAGES, "body", "muted", wrap=True, align=CENTRE, name="no_messages")
        self.list = _Lines("messages")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.none, 1)
        column.addWidget(self.list, 1)

    def show_messages(self, messages: Sequence[Message]) -> None:
        """The newest of them."""
        self.none.setVisible(not messages)
        self.list.setVisible(bool(messages))
        self.list.show_rows([self._row(at, each) for at, each in enumerate(messages[:SHOWN])])

    def _row(self, at: int, message: Message) -> _Row:
        card = _Row(f"message_{at}", f"{message.sent_at} {message.text}")
        column = QVBoxLayout(card)
        column.setContentsMargins(S3, S2, S3, S2)
        column.setSpacing(S1)
        to = f"+{message.msisdn.lstrip('+')} · {message.time}"
        column.addWidget(Label(to, "small", "muted", name=f"message_{at}_to"))
        column.addWidget(Label(message.text, "body", wrap=True, name=f"message_{at}_text"))
        card.setAccessibleName(clean(f"{to}. {message.text}", DETAILS_LIMIT))
        return card


class _Row(Card):
    """A payment or a message that keys come to: what does not fit is scrolled to by them. `told`: which one it is."""

    def __init__(self, name: str, told: str) -> None:
        super().__init__(name, ground="raised")
        self.told = told
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The surface, and the ring of what has the keyboard."""
        super().paintEvent(event)
        if self.hasFocus():
            focus_ring(QPainter(self), QRectF(self.rect()), RADIUS_PANEL, tokens())


class _Lines(QScrollArea):
    """Rows below each other, more than fit."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setStyleSheet(sheet(tokens()))
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(S2)
        self._column.addStretch(1)
        self.setWidget(inner)
        self._rows: list[_Row] = []

    def show_rows(self, rows: list[_Row]) -> None:
        """These instead of the earlier ones; what has the keyboard keeps it."""
        focused = self.window().focusWidget()
        was_in = next(
            (row for row in self._rows if focused is row or (focused and row.isAncestorOf(focused))), None
        )
        earlier, self._rows = self._rows, rows
        for at, row in enumerate(rows):
            self._column.insertWidget(at, row)
            # At once: what is not seen yet takes no keyboard.
            row.show()
        if was_in is not None and focused is not None:
            self._keep(was_in.told, focused.objectName())
        for old in earlier:
            old.hide()
            old.deleteLater()

    def _keep(self, told: str, name: str) -> None:
        """Qt would hand the keyboard to whatever comes next, a door of the course among it."""
        same = next((row for row in self._rows if row.told == told), None)
        part = same.findChild(QWidget, name) if same is not None else None
        (part or same or self._rows[0] if self._rows else self.window()).setFocus(
            Qt.FocusReason.OtherFocusReason
        )


def _row(money: str, state: str, name: str) -> _Row:
    card = _Row(name, name)
    card.setAccessibleName(clean(f"{money}, {state}", DETAILS_LIMIT))
    row = QHBoxLayout(card)
    row.setContentsMargins(S3, S2, S2, S2)
    row.addWidget(Label(money, "strong", name=f"{name}_amount"))
    row.addWidget(ElidedLabel(state, "second", "muted", align=RIGHT, name=f"{name}_state"), 1)
    return card
