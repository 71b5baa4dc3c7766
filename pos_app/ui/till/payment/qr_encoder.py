"""A QR text as a matrix of modules, made beside the window's thread: choosing the mask takes 17 ms."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QObject, QThread, Signal

MOST_BYTES = 2953
"""What the largest QR code holds (threat 3)."""

STRONG_UP_TO = 150
"""Up to here level M (15 %); longer texts take level L, so that their modules stay large enough to scan."""


class Matrix(msgspec.Struct, frozen=True):
    """`rows` holds one byte for each module, 1 for black; no quiet zone."""

    side: int
    rows: tuple[bytes, ...]


def matrix(text: str) -> Matrix | None:
    """The smallest code for the text; None when no code can be made of it.

    That is when it holds more than a QR code can, or is no text but runs of NUL.
    """
    # Loaded by whoever encodes first, off the window's thread.
    from qrcode.constants import ERROR_CORRECT_L, ERROR_CORRECT_M
    from qrcode.main import QRCode

    try:
        data = text.encode()
    except UnicodeEncodeError:
        return None
    if not data or len(data) > MOST_BYTES:
        return None
    level = ERROR_CORRECT_M if len(data) <= STRONG_UP_TO else ERROR_CORRECT_L
    code = QRCode(error_correction=level, border=0)
    code.add_data(data, optimize=0)
    try:
        code.make(fit=True)
    except ValueError:
        # The library takes the logarithm of a block's first byte; where all of the block is NUL there is none.
        return None
    rows = tuple(bytes(bool(module) for module in row) for row in code.modules)
    return Matrix(len(rows), rows)


STOP_MS = 3000


class QrEncoder(QThread):
    """`encode(text)` is answered by `encoded(text, Matrix | None)`; only the newest text matters."""

    encoded = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("qr_encoder")
        self._wanted = ""
        self._ready: tuple[str, Matrix | None] = ("", None)
        self.finished.connect(self._go_on)

    def warm(self) -> None:
        """Load the libraries ahead of the first payment; call when the till has been painted."""
        if not self.isRunning():
            self.start(QThread.Priority.LowestPriority)

    def encode(self, text: str) -> None:
        """Ask for a text's matrix."""
        self._wanted = text
        if text == self._ready[0]:
            self.encoded.emit(*self._ready)
        elif not self.isRunning():
            self.start()

    def stop(self) -> None:
        """Wait for the running one; bounded, nothing follows."""
        self._wanted = self._ready[0]
        self.wait(STOP_MS)

    def run(self) -> None:
        """One text on the encoder's own thread; without one, the imports alone."""
        text = self._wanted
        if not text:
            _load()
            return
        made = matrix(text)
        self._ready = (text, made)
        self.encoded.emit(text, made)

    def _go_on(self) -> None:
        if self._wanted and self._wanted != self._ready[0]:
            self.start()


def _load() -> None:
    import importlib

    matrix("warm")
    importlib.import_module("phonenumbers")
