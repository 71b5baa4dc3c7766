"""The phone itself: body, number, pages, tabs. It joins the wallet to the pages and knows no till."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.i18n.words.band import words as band_words
from pos_app.i18n.words.phone import words
from pos_app.training.phone.news import CodeOnScreen, Key
from pos_app.training.phone.pages import MessagesPage, ScanPage, WalletPage
from pos_app.training.phone.values import Message, Payment
from pos_app.training.phone.wallet import Wallet
from pos_app.training.phone.wire import Wire
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S2, S3, S4
from pos_app.ui.widgets.band import SandboxBand
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import LineEdit
from pos_app.ui.widgets.finger_scroll import FingerScroll
from pos_app.ui.widgets.key_bursts import KeyBursts, text_place
from pos_app.ui.widgets.label import CENTRE
from pos_app.ui.widgets.paint import box
from pos_app.ui.widgets.said import SaidLabel

WIDTH, HEIGHT = 380, 730
LEAST_WIDTH, LEAST_HEIGHT = 340, 640
_BEZEL = 12
_RADIUS = 40
_TAB_PAD = 8
_TABS_ROOM = LEAST_WIDTH - 2 * (_BEZEL + S3 + S3)


def _tabs() -> tuple[tuple[str, str, str], ...]:
    return (
        (words.WALLET, "wallet", "phone"),
        (words.SCAN, "scan", "qr"),
        (words.MESSAGES, "sms", "message"),
    )


class PhoneWindow(QWidget):
    """`take` what the till tells. `closed` when its owner puts the phone away.

    `inside`: a part of another window, which has the sandbox's band; it then answers for whom `answer_for` says.
    """

    closed = Signal()

    message_came = Signal(str)
    """An SMS that was not there before: its text."""

    def __init__(
        self,
        wire: Wire,
        number: str = "",
        parent: QWidget | None = None,
        *,
        inside: bool = False,
        currency: str = "",
    ) -> None:
        """`currency`: what its wallet counts in, "LKR"."""
        super().__init__(parent)
        self.setObjectName("phone")
        self.setWindowTitle(band_words.titled(words.TITLE))
        self._inside = inside
        if not inside:
            self.resize(WIDTH, HEIGHT)
            KeyBursts(self, lambda: text_place(self.focusWidget())).start()
            FingerScroll(self).start()
        self._wire = wire
        self._code = ""
        self._is_asked = False
        self._messages: int | None = None
        self._at = 0
        self.wallet = Wallet(wire, number, self)
        self.number = LineEdit("phone_number", words.NUMBER, role="second")
        self.number.setPlaceholderText(words.ANY_NUMBER)
        self.number.setText(number)
        self.line = SaidLabel("", "second", "primary", wrap=True, align=CENTRE, name="phone_line")
        self.wallet_page = WalletPage(currency)
        self.scan_page, self.messages_page = ScanPage(), MessagesPage()
        self._pages = QVBoxLayout()
        for page in (self.wallet_page, self.scan_page, self.messages_page):
            self._pages.addWidget(page)
        self.tabs = [
            Button(text, name=f"tab_{name}", icon=icon, role="second").padded(_TAB_PAD).called(text)
            for text, name, icon in _tabs()
        ]
        for tab in self.tabs:
            # Whoever hears the screen hears which page is shown.
            tab.setCheckable(True)
        if sum(tab.sizeHint().width() for tab in self.tabs) > _TABS_ROOM:
            # Names without room are left to the icons, and to whoever hears the screen.
            for tab in self.tabs:
                tab.setText("")
        self._lay_out()
        self._connect()
        # Nobody begins by typing a number: the field gets the keyboard when it is touched.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()
        self.show_tab(0)
        self.show_payments(())
        self._show_messages(())

    @Slot(object)
    def take(self, told: object) -> None:
        """News of the till beside it."""
        match told:
            case Key(token):
                self._wire.use_token(token)
                self.wallet.start()
            case CodeOnScreen(text):
                self._code = text
                self.scan_page.show_code(text)
                if text:
                    self.show_tab(1)

    def answer_for(self, number: str) -> None:
        """It is this number's phone from now on; "": every number's."""
        self._say("")
        self.number.setText(number)
        self._take_number()

    def take_over(self, before: PhoneWindow) -> None:
        """What another phone of the same owner remembers: it was made in another language."""
        self.wallet.take_over(before.wallet)
        self.show_tab(before._at)

    def show_tab(self, at: int) -> None:
        """Wallet, camera or messages."""
        pages = (self.wallet_page, self.scan_page, self.messages_page)
        focused = self.window().focusWidget()
        if focused is not None and any(
            page.isAncestorOf(focused) for number, page in enumerate(pages) if number != at
        ):
            # Not to whatever Qt would hand it to: what is shown follows the tab.
            self.tabs[at].setFocus(Qt.FocusReason.OtherFocusReason)
        # Not a stack of pages: only the one that is shown may ask for room.
        for number, page in enumerate(pages):
            page.setVisible(number == at)
        self._at = at
        for number, tab in enumerate(self.tabs):
            tab.set_kind("primary" if number == at else "quiet")
            tab.setChecked(number == at)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asking ends with the window."""
        self.wallet.stop()
        self._wire.close()
        super().closeEvent(event)
        self.closed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The body around the screen."""
        on = tokens()
        painter = QPainter(self)
        body = QRectF(self._body.geometry())
        box(painter, body, _RADIUS, on.ink, on.fieldline, 2)
        screen = body.adjusted(_BEZEL, _BEZEL, -_BEZEL, -_BEZEL)
        box(painter, screen, _RADIUS - _BEZEL, on.bg)
        notch = QRectF(0, 0, 84, 8)
        notch.moveCenter(screen.center())
        notch.moveTop(screen.top() + 8)
        box(painter, notch, 4, on.ink)

    def _lay_out(self) -> None:
        self._body = QWidget()
        inside = QVBoxLayout(self._body)
        room = _BEZEL + S3
        inside.setContentsMargins(room, _BEZEL + S4 + S2, room, room)
        inside.setSpacing(S3)
        inside.addWidget(self.number)
        inside.addWidget(self.line)
        inside.addLayout(self._pages, 1)
        row = QHBoxLayout()
        row.setSpacing(0)
        for tab in self.tabs:
            row.addWidget(tab, tab.sizeHint().width())
        inside.addLayout(row)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        around = QVBoxLayout()
        around.addWidget(self._body)
        if self._inside:
            around.setContentsMargins(0, 0, 0, 0)
            self.number.hide()
            self.wallet_page.be_low()
        else:
            whole.addWidget(SandboxBand())
            around.setContentsMargins(S3, S3, S3, S3)
            self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        whole.addLayout(around, 1)

    def _connect(self) -> None:
        for at, tab in enumerate(self.tabs):
            tab.clicked.connect(lambda _checked=False, at=at: self.show_tab(at))
        self.number.entered.connect(self._take_number)
        self.number.editingFinished.connect(self._take_number)
        self.wallet.changed.connect(self.show_payments)
        self.wallet.inbox.connect(self._show_messages)
        self.wallet.said.connect(self._say)
        self.wallet_page.chosen.connect(self._choose)
        self.scan_page.scanned.connect(self._scan)

    @Slot(object)
    def show_payments(self, payments: tuple[Payment, ...]) -> None:
        """The wallet's payments, newest first; the page with them comes up when one asks for an answer."""
        aside = [
            each.wallet_transaction_id
            for each in payments
            if self.wallet.is_aside(each.wallet_transaction_id)
        ]
        self._is_asked = any(each.asks and each.wallet_transaction_id not in aside for each in payments)
        focused = self.window().focusWidget()
        if not self._is_asked and focused is not None and self.wallet_page.ask.isAncestorOf(focused):
            # The request goes.
            self.tabs[self._at].setFocus(Qt.FocusReason.OtherFocusReason)
        self.wallet_page.show_payments(payments, aside)
        if self._is_asked and not self._code:
            self.show_tab(0)

    @Slot(object)
    def _show_messages(self, messages: tuple[Message, ...]) -> None:
        self.messages_page.show_messages(messages)
        known, self._messages = self._messages, len(messages)
        if known is not None and len(messages) > known:
            if not (self._is_asked or self._code):
                # Never over what waits for its owner's finger.
                self.show_tab(2)
            self.message_came.emit(messages[0].text)

    def _choose(self, wallet_id: str, verb: str) -> None:
        self._say("")
        if verb in ("ignore", "later"):
            self.wallet.put_aside(wallet_id)
        if verb == "later":
            # Opened, so that the till's cancel comes too late; it is paid when its owner pleases.
            self.wallet.act(wallet_id, "verify")
        elif verb != "ignore":
            self.wallet.act(wallet_id, verb)

    def _scan(self, then: str) -> None:
        if self._code:
            self.wallet.scan(self._code, then)
            self.show_tab(0)

    def _take_number(self) -> None:
        typed = "".join(self.number.text().split())
        if typed and not (typed.startswith("+") and typed[1:].isascii() and typed[1:].isdigit()):
            self.number.wrong = True
            self.number.update()
            self._say(words.NUMBER_PROBLEM)
            return
        self.number.wrong = False
        self.number.update()
        self.wallet.use_number(typed)

    @Slot(str)
    def _say(self, text: str) -> None:
        """Another line; where there is nothing to say, that nobody answers."""
        text = text or (words.SILENT if self.wallet.is_silent else "")
        self.line.setText(text)
        self.line.setVisible(bool(text))
