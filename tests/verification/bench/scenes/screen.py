"""How late the screen is: after the service changed, after its reply came, and a bare signal to a label."""

from __future__ import annotations

import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, QTimer, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from pos_app.domain.events import StatusAnswered
from pos_app.engine.core.mailbox import Mailbox, Message
from pos_app.journal import Journal
from pos_app.ui.till.window.controller import TillController
from tests.verification.bench.scenes.counter import Counter
from tests.verification.bench.watching import Painting

SALES, BARE = (8, 30) if os.environ.get("BENCH_QUICK") else (30, 150)


def play(window: QWidget, painting: Painting) -> None:
    """Says the delays in ms: `change` and `reply` (ours), `bare` (the floor of `reply`).

    What `reply` is made of: `commit`, `show` (the window's thread takes the picture in), `paint` (of all that looks
    otherwise).
    """
    replies = _Replies()
    commits = _timed(Journal, "append")
    shows = _timed(TillController, "receive")
    counter = Counter(window, painting)
    counter.sign_in()
    changes: list[float] = []
    delays: dict[str, list[float]] = {"reply": [], "paint": []}
    with ThreadPoolExecutor(1) as service:
        for _ in range(SALES):
            counter.charge_by_qr()
            # A scanned code: from here on the till asks once a second.
            _change(counter, painting, service, replies, "verify", delays)
            counter.rest(random.uniform(0, 1_000))
            changes.append(_change(counter, painting, service, replies, "pay", delays))
            counter.finish()
    counter.tell(delays | {"change": changes, "bare": _bare(), "commit": commits, "show": shows})


def _timed(kind: type, name: str) -> list[float]:
    """How long each call takes (ms), from now on."""
    took: list[float] = []
    work = getattr(kind, name)

    def timed(*arguments: Any) -> Any:
        start = time.perf_counter()
        try:
            return work(*arguments)
        finally:
            took.append((time.perf_counter() - start) * 1000)

    setattr(kind, name, timed)
    return took


class _Replies:
    """When the newest status reply was handed to the engine; made before the engine's threads are."""

    def __init__(self) -> None:
        self.newest = 0.0
        post = Mailbox.post

        def noted(mailbox: Mailbox, event: Message) -> None:
            if isinstance(event, StatusAnswered):
                self.newest = time.monotonic()
            post(mailbox, event)

        Mailbox.post = noted  # type: ignore[method-assign, assignment]


def _change(
    counter: Counter,
    painting: Painting,
    service: ThreadPoolExecutor,
    replies: _Replies,
    verb: str,
    delays: dict[str, list[float]],
) -> float:
    """The service moves the payment; ms from then until the screen shows it."""
    before = counter.attempt
    assert before is not None
    path = f"/transactions/{before.wallet_transaction_id}/{verb}"

    def move() -> float:
        counter.control.post(path)
        return time.monotonic()

    moved = service.submit(move)
    seen = counter.until_painted(
        lambda: counter.attempt is not None and counter.attempt.service_status != before.service_status
    )
    delays["reply"].append((seen - replies.newest) * 1000)
    delays["paint"].append((seen - painting.began) * 1000)
    return (seen - moved.result()) * 1000


class _Sender(QObject):
    said = Signal(str)


def _bare() -> list[float]:
    """A signal of another thread, a label, its paint."""
    window = QWidget()
    label = QLabel("0")
    QVBoxLayout(window).addWidget(label)
    window.resize(400, 200)
    sent = [0.0]
    loop = QEventLoop()
    delays: list[float] = []

    def painted(at: float) -> None:
        if label.text() == str(len(delays) + 1):
            delays.append((at - sent[0]) * 1000)
            loop.quit()

    watching = Painting(window, painted)
    window.show()
    sender = _Sender()
    sender.said.connect(label.setText)
    for number in range(1, BARE + 1):
        _from_a_thread(sender, sent, str(number))
        loop.exec()
    watching.painted = lambda _at: None
    window.deleteLater()
    return delays


def _from_a_thread(sender: _Sender, sent: list[float], text: str) -> None:
    def send() -> None:
        sent[0] = time.monotonic()
        sender.said.emit(text)

    def start(*_nothing: Any) -> None:
        threading.Thread(target=send).start()

    # Not before the loop sleeps, as it does when a reply comes.
    QTimer.singleShot(20, start)
