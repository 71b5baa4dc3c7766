"""What an exercise does at its sandbox, over the control interface: customers, faults, the ledger. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from urllib.parse import quote

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from pos_app.domain.unreadable import UNREADABLE
from pos_app.training.course.scene import Row
from pos_app.training.phone.values import FINAL
from pos_app.training.phone.wire import Done, Wire

POLL_MS = 400


class _Told(msgspec.Struct, frozen=True, rename="camel"):
    external_merchant_transaction_id: str
    status: str
    wallet_account_number: str | None = None


_one = msgspec.json.Decoder(_Told)
_many = msgspec.json.Decoder(tuple[_Told, ...])
_DONE = 200


class SandboxRig(QObject):
    """One thing after the other, in the order it was asked for. `rows`: what is watched, when it has changed."""

    rows = Signal(object)

    def __init__(self, control_url: str, control_token: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wire = Wire(control_url, self)
        self._wire.use_token(control_token)
        self.reached = self._wire.reached
        self._waiting: list[Callable[[], None]] = []
        self._at_work = False
        self._watched: dict[str, Row | None] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)
        self._cleaning: Callable[[], None] | None = None
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(POLL_MS)
        self._again.timeout.connect(self._clean_again)

    def customer(self, external_id: str, verb: str) -> None:
        """The customer verifies, approves, pays or rejects; nothing happens where that comes too late."""
        self._queue("POST", f"/transactions/{quote(external_id, safe='')}/{verb}", {}, self._look_soon)

    def break_(self, fault: dict[str, object]) -> None:
        """One more fault is in force."""
        self._queue("POST", "/faults", fault, _ignored)

    def mend(self) -> None:
        """No fault is."""
        self._queue("DELETE", "/faults", {}, _ignored)

    def clean_up(self, done: Callable[[], None]) -> None:
        """No fault, and no request that could still be approved; `done` once the sandbox has said so, however long it
        says nothing. Of several the last one alone is told."""
        self._cleaning = done
        self._again.stop()
        self.mend()

        def reject_open(status: int, body: bytes) -> None:
            if status != _DONE and self._cleaning is done:
                self._again.start()
            for told in _read(status, body):
                if told.status not in FINAL:
                    self.customer(told.external_merchant_transaction_id, "reject")
            if status == _DONE:
                self._waiting.append(lambda: self._done(lambda _status, _body: done(), status, b""))

        self._queue("GET", "/transactions", {}, reject_open)

    def _clean_again(self) -> None:
        if self._cleaning is not None:
            self.clean_up(self._cleaning)

    @property
    def is_idle(self) -> bool:
        """Whether all that was asked for is done."""
        return not self._at_work and not self._waiting

    def watch(self, external_ids: Collection[str]) -> None:
        """These and no others are looked up in the ledger from now on."""
        if set(external_ids) == self._watched.keys():
            return
        self._watched = {each: self._watched.get(each) for each in external_ids}
        if external_ids:
            self._timer.start()
            self._poll()
        else:
            self._timer.stop()

    def stop(self) -> None:
        """Asks and tells no more."""
        self._timer.stop()
        self._again.stop()
        self._waiting.clear()
        self._wire.close()

    def _poll(self) -> None:
        for external_id in self._watched:
            self._wire.get(f"/transactions/{quote(external_id, safe='')}", self._heard)

    def _heard(self, status: int, body: bytes) -> None:
        for told in _read(status, body):
            row = Row(told.external_merchant_transaction_id, told.status, told.wallet_account_number or "")
            if self._watched.get(row.external_id, row) != row:
                self._watched[row.external_id] = row
                self.rows.emit(tuple(each for each in self._watched.values() if each is not None))

    def _look_soon(self, _status: int, _body: bytes) -> None:
        self._poll()

    def _queue(self, method: str, path: str, body: dict[str, object], done: Done) -> None:
        def send() -> None:
            self._wire.send(method, path, body, lambda status, answer: self._done(done, status, answer))

        self._waiting.append(send)
        self._next()

    def _done(self, done: Done, status: int, answer: bytes) -> None:
        self._at_work = False
        done(status, answer)
        self._next()

    def _next(self) -> None:
        if self._waiting and not self._at_work:
            self._at_work = True
            self._waiting.pop(0)()


def _ignored(_status: int, _body: bytes) -> None:
    """What was wanted is so, or the sandbox has gone, which `reached` tells."""


def _read(status: int, body: bytes) -> tuple[_Told, ...]:
    if status != _DONE:
        return ()
    try:
        return _many.decode(body) if body.lstrip().startswith(b"[") else (_one.decode(body),)
    except UNREADABLE:
        return ()
