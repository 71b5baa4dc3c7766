"""The phone's memory: requests, scanned codes, messages, kept fresh by asking. It draws nothing."""

from __future__ import annotations

from urllib.parse import quote

from PySide6.QtCore import QObject, QTimer, Signal

from pos_app.i18n.words.phone import words
from pos_app.training.phone.values import Message, Payment, Refusal, messages, payment, payments
from pos_app.training.phone.wire import Wire

POLL_MS = 1_000
KEPT = 30
"""How many payments the phone remembers; a sandbox of weeks holds more than a screen wants."""


class Wallet(QObject):
    """`changed(payments)` and `inbox(messages)`, newest first; `said(text)` is a line to the owner."""

    changed = Signal(object)
    inbox = Signal(object)
    said = Signal(str)

    def __init__(self, wire: Wire, number: str = "", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wire = wire
        self.number = number
        self._pushes: tuple[Payment, ...] = ()
        self._scanned: dict[str, Payment] = {}
        self._messages: tuple[Message, ...] | None = None
        self._aside: set[str] = set()
        self._waiting = 0
        self._asked_for = ""
        self.is_silent = False
        """Whether the sandbox does not answer."""
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self.ask)
        wire.reached.connect(self._reached)

    def start(self) -> None:
        """Ask now and each second; what was scanned before this run of the phone, once."""
        self._timer.start()
        self._wire.get("/transactions", self._heard_earlier)
        self.ask()

    def stop(self) -> None:
        """Ask no more."""
        self._timer.stop()

    def use_number(self, number: str) -> None:
        """Answer for this number; "" answers for every number."""
        if number != self.number:
            self.number = number
            self._pushes = ()
            self._messages = None
            self._tell()
            self.ask()

    def take_over(self, before: Wallet) -> None:
        """What its owner has put aside stays so."""
        self._aside |= before._aside
        self._scanned = before._scanned | self._scanned
        self._pushes = before._pushes
        self._tell()
        if before._messages is not None:
            # None of them is new.
            self._messages = before._messages
            self.inbox.emit(before._messages)

    @property
    def payments(self) -> tuple[Payment, ...]:
        """Requests and scanned codes, newest first."""
        every = {each.wallet_transaction_id: each for each in (*self._scanned.values(), *self._pushes)}
        return tuple(sorted(every.values(), key=lambda each: each.created_at, reverse=True)[:KEPT])

    def is_aside(self, wallet_id: str) -> bool:
        """The owner does not answer it now; it can still be paid."""
        return wallet_id in self._aside

    def put_aside(self, wallet_id: str) -> None:
        """Look away; the till is not told."""
        self._aside.add(wallet_id)
        self._tell()

    def act(self, wallet_id: str, verb: str) -> None:
        """verify, approve, pay, reject or fail."""
        self._wire.post(f"/transactions/{quote(wallet_id, safe='')}/{verb}", {}, self._took)

    def scan(self, text: str, then: str = "ignore") -> None:
        """Read a code; "ignore" opens it without a decision, "misread" fails."""
        body: dict[str, object] = {"text": text, "then": then}
        if self.number:
            body["number"] = self.number
        self._wire.post("/scan", body, self._scanned_one)

    def ask(self) -> None:
        """One round of questions, unless the last one is still on its way."""
        if self._waiting or not self._wire.ready:
            return
        self._asked_for = self.number
        number = quote(self.number, safe="")
        open_codes = [each for each in self._scanned.values() if not each.is_final]
        self._waiting = 2 + len(open_codes)
        self._wire.get(f"/pushes?number={number}", self._heard_pushes)
        self._wire.get(f"/sms?msisdn={number}", self._heard_messages)
        for each in open_codes:
            self._wire.get(f"/transactions/{quote(each.wallet_transaction_id, safe='')}", self._heard_code)

    def _heard_pushes(self, status: int, body: bytes) -> None:
        self._waiting -= 1
        heard = payments(status, body)
        if isinstance(heard, Refusal) or self._asked_for != self.number:
            return
        if heard[:KEPT] != self._pushes:
            self._pushes = heard[:KEPT]
            self._tell()

    def _heard_earlier(self, status: int, body: bytes) -> None:
        heard = payments(status, body)
        if isinstance(heard, Refusal):
            return
        scanned = [each for each in heard if each.kind == "qr" and each.wallet_account_number][:KEPT]
        self._scanned = {each.wallet_transaction_id: each for each in scanned} | self._scanned
        self._tell()

    def _heard_messages(self, status: int, body: bytes) -> None:
        self._waiting -= 1
        heard = messages(status, body)
        if isinstance(heard, Refusal) or heard == self._messages or self._asked_for != self.number:
            return
        if self._messages is not None and len(heard) > len(self._messages):
            self.said.emit(words.NEW_MESSAGE.format(text=heard[0].text))
        self._messages = heard
        self.inbox.emit(heard)

    def _heard_code(self, status: int, body: bytes) -> None:
        self._waiting -= 1
        heard = payment(status, body)
        if isinstance(heard, Payment) and self._scanned.get(heard.wallet_transaction_id) != heard:
            self._scanned[heard.wallet_transaction_id] = heard
            self._tell()

    def _scanned_one(self, status: int, body: bytes) -> None:
        heard = payment(status, body)
        if isinstance(heard, Payment):
            self._scanned[heard.wallet_transaction_id] = heard
            self._tell()
        else:
            self._say_no(heard)

    def _took(self, status: int, body: bytes) -> None:
        heard = payment(status, body)
        if isinstance(heard, Refusal):
            self._say_no(heard)
        elif heard.kind == "qr":
            self._scanned[heard.wallet_transaction_id] = heard
        else:
            same = heard.wallet_transaction_id
            self._pushes = tuple(
                heard if each.wallet_transaction_id == same else each for each in self._pushes
            )
        self._tell()

    def _say_no(self, refusal: Refusal) -> None:
        if refusal.status:
            self.said.emit(words.TOO_LATE if refusal.status == 409 else words.NOT_DONE)

    def _reached(self, answers: bool) -> None:
        self.is_silent = not answers
        self.said.emit("" if answers else words.SILENT)

    def _tell(self) -> None:
        self.changed.emit(self.payments)
