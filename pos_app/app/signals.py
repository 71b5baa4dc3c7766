"""SIGTERM, SIGINT and SIGHUP end the till through Qt's loop, never in mid-step; its close button alone asks first.

Who logs out, or closes the terminal it was started in, sends SIGHUP, beside SIGTERM or alone.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier

_CLOSED = getattr(signal, "SIGHUP", None)


class Signals(QObject):
    """Python runs a handler between any two of its steps, in mid-paint too: the wake-up socket alone carries it.

    Qt's loop reads the socket when nothing of the window is in hand.
    """

    def __init__(self, asked_to_end: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked_to_end = asked_to_end
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self._before = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        numbers = [signal.SIGINT, signal.SIGTERM]
        # Whoever started it by nohup wants it to go on.
        if _CLOSED is not None and signal.getsignal(_CLOSED) is signal.SIG_DFL:
            numbers.append(_CLOSED)
        self._handlers = {number: signal.signal(number, lambda *_: None) for number in numbers}
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)

    def _drain(self) -> None:
        if self._handlers.keys() & set(self._read.recv(64)):
            self._asked_to_end()

    def stop(self) -> None:
        """Gives the signals back."""
        self._notifier.setEnabled(False)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._before)
        self._read.close()
        self._write.close()
