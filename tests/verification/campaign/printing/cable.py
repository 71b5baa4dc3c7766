"""The cable between a till and a printer's process: whatever becomes of either, it knows what went to the printer."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time

import msgspec

LOOPBACK = "127.0.0.1"
_PIECE = 2_048
_TICK_S = 0.05


class Sent(msgspec.Struct):
    """One connection: each piece that the printer's end took, with the wall (ms) just before it was handed over."""

    pieces: list[tuple[int, bytes]] = []


class Cable:
    """Listens at `port` and goes to the printer at `to`; `cut_after` so many bytes of a connection it is pulled."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._listener = socket.create_server((LOOPBACK, 0))
        self._listener.settimeout(_TICK_S)
        self.port: int = self._listener.getsockname()[1]
        self.cut_after: int | None = None
        self.cuts = 0
        self._lock = threading.Lock()
        self._sent: list[Sent] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._work, name="cable")
        self._thread.start()

    @property
    def sent(self) -> tuple[Sent, ...]:
        """Everything that went through it so far."""
        with self._lock:
            return tuple(self._sent)

    def close(self) -> None:
        """Ends it."""
        self._ending.set()
        self._thread.join()
        self._listener.close()

    def _work(self) -> None:
        while not self._ending.is_set():
            with contextlib.suppress(TimeoutError):
                till, _ = self._listener.accept()
                with till:
                    self._connected(till)

    def _connected(self, till: socket.socket) -> None:
        try:
            printer = socket.create_connection((LOOPBACK, self._to), timeout=1)
        except OSError:
            _reset(till)
            return
        with printer:
            printer.settimeout(_TICK_S)
            if not self._carried(till, printer):
                _reset(till)
                _reset(printer)

    def _carried(self, till: socket.socket, printer: socket.socket) -> bool:
        """Until one end closes in order; False where it broke."""
        sent = Sent(pieces=[])
        with self._lock:
            self._sent.append(sent)
        with selectors.DefaultSelector() as both:
            both.register(till, selectors.EVENT_READ)
            both.register(printer, selectors.EVENT_READ)
            return self._carried_on(till, printer, both, sent)

    def _carried_on(
        self, till: socket.socket, printer: socket.socket, both: selectors.BaseSelector, sent: Sent
    ) -> bool:
        while not self._ending.is_set():
            ready = [key.fileobj for key, _ in both.select(_TICK_S)]
            try:
                if printer in ready:
                    answer = printer.recv(_PIECE)
                    if not answer:
                        return True
                    till.sendall(answer)
                if till in ready:
                    data = till.recv(_PIECE)
                    if not data:
                        printer.shutdown(socket.SHUT_WR)
                        return self._drained(till, printer)
                    if not self._handed_over(data, printer, sent):
                        return False
            except OSError:
                return False
        return False

    def _handed_over(self, data: bytes, printer: socket.socket, sent: Sent) -> bool:
        left = self.cut_after
        if left is not None and left < len(data):
            data = data[:left]
            self.cut_after, self.cuts = None, self.cuts + 1
            left = None
            is_whole = False
        else:
            is_whole = True
        if left is not None:
            self.cut_after = left - len(data)
        while data and not self._ending.is_set():
            # A slow printer takes less; noted before it is there, so that nothing on paper is unknown.
            piece = data[:256]
            with self._lock:
                sent.pieces.append((time.time_ns() // 1_000_000, piece))
            while piece and not self._ending.is_set():
                with contextlib.suppress(TimeoutError):
                    piece = piece[printer.send(piece) :]
            data = data[256:]
        return is_whole

    def _drained(self, till: socket.socket, printer: socket.socket) -> bool:
        """What the printer still says, once the till says nothing more."""
        while not self._ending.is_set():
            try:
                answer = printer.recv(_PIECE)
            except TimeoutError:
                continue
            if not answer:
                return True
            till.sendall(answer)
        return False


def _reset(end: socket.socket) -> None:
    """As a cable that is pulled: nothing in order."""
    with contextlib.suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
