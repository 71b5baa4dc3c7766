"""What the till tells the phone, a line of JSON each on its standard input. It reads; it never answers."""

from __future__ import annotations

import os
import threading

import msgspec
from PySide6.QtCore import QObject, Signal

MAX_LINE = 16_384
"""A QR text is at most 2,953 bytes; what is longer than this was not written by the till."""


class CodeOnScreen(msgspec.Struct, frozen=True):
    """What the till's screen shows just now: a QR's text, empty when there is none."""

    qr: str


class Dialled(msgspec.Struct, frozen=True):
    """The till sends a request or a code to this number: the phone answers for it from now on."""

    number: str


class Key(msgspec.Struct, frozen=True):
    """The control interface's token; not an argument, so that no process list shows it."""

    token: str


TillLine = CodeOnScreen | Dialled | Key


class _Fields(msgspec.Struct):
    qr: str | None = None
    number: str | None = None
    token: str | None = None


def read_line(line: bytes) -> tuple[TillLine, ...]:
    """What a line says: {"token": …}, {"qr": …} ("" when it is gone), {"number": …}; () for all else."""
    try:
        said = msgspec.json.decode(line, type=_Fields)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ()
    lines: list[TillLine] = []
    if said.token:
        lines.append(Key(said.token))
    if said.number:
        lines.append(Dialled(said.number))
    if said.qr is not None:
        lines.append(CodeOnScreen(said.qr))
    return tuple(lines)


class TillLines(QObject):
    """Reads the lines on a thread of its own: a pipe cannot be watched by Qt on every system.

    The descriptor is read directly: a buffered reader's lock, held by a waiting thread, would end the
    process with a fatal error. `ended` comes when the till has gone; the phone goes with it.
    """

    told = Signal(object)
    ended = Signal()

    def __init__(self, descriptor: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._descriptor = descriptor
        self._thread = threading.Thread(target=self._read, name="till lines", daemon=True)

    def start(self) -> None:
        """From now on lines are delivered on the thread this object lives in."""
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Whether the reader ended within this time; it does once the till's end of the pipe is closed."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _read(self) -> None:
        pending = b""
        while chunk := self._chunk():
            *lines, pending = (pending + chunk).split(b"\n")
            for line in lines:
                for said in read_line(line):
                    self.told.emit(said)
            if len(pending) > MAX_LINE:
                pending = b""
        self.ended.emit()

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, 65_536)
        except OSError:
            return b""
