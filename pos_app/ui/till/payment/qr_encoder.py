"""Makes QR codes beside the window's thread: choosing the mask takes 17 ms."""

from __future__ import annotations

from PySide6.QtCore import QObject, QThread, Signal

from pos_app.ui.till.payment.qr_matrix import Matrix, matrix

STOP_MS = 3000


class QrEncoder(QThread):
    """`encode(text)` is answered by `encoded(text, Matrix | None)`; only the newest text matters."""

    encoded = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("qr_encoder")
        self._wanted = ""
        self._ready: tuple[str, Matrix | None] = ("", None)
        self._is_over = False
        self.finished.connect(self._go_on)

    def warm(self) -> None:
        """Load the libraries ahead of the first payment; call when the till has been painted."""
        if not self.isRunning() and not self._is_over:
            self.start(QThread.Priority.LowestPriority)

    def encode(self, text: str) -> None:
        """Ask for a text's matrix."""
        self._wanted = text
        if text == self._ready[0]:
            self.encoded.emit(*self._ready)
        elif not self.isRunning() and not self._is_over:
            self.start()

    def stop(self) -> None:
        """Wait for the running one; bounded, nothing follows."""
        # What is under way becomes another `_ready`: that must not begin the thread again, whose owner is going.
        self._is_over = True
        self.wait(STOP_MS)

    def run(self) -> None:
        """One text on the encoder's own thread; without one that is not made yet, the imports alone."""
        text = self._wanted
        if text == self._ready[0]:
            _load()
            return
        made = matrix(text)
        self._ready = (text, made)
        self.encoded.emit(text, made)

    def _go_on(self) -> None:
        if self._wanted and self._wanted != self._ready[0] and not self._is_over:
            self.start()


def _load() -> None:
    import importlib

    matrix("warm")
    importlib.import_module("phonenumbers")
