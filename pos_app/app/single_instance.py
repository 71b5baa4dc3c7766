"""One till per data folder: a second start raises the first one's window and ends; and who updates asks it to close.

The till's own socket carries both. Who connects and goes has rung; who says `FRONT` first hears `HERE`, because the
system takes a visitor for a till that hangs, too. Who says a line of JSON wants an update (`CloseFor`), and hears of
each step in such a line (`Told`) until they hang up.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from PySide6.QtCore import QByteArray, QDeadlineTimer, QObject, Qt, QThread, QTimer
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from pos_app.domain.unreadable import UNREADABLE

CONNECT_LIMIT_MS = 1_500
AGAIN_AFTER_MS = 50
ANSWER_LIMIT_MS = 5_000
"""A window that works answers between two strokes of its keys."""

SILENT_MS = 2_000
"""A visitor who says nothing for so long has rung."""

FRONT, HERE = b"front\n", b"here\n"
_LONGEST_LINE = 512
_MOST_VISITORS = 16


class CloseFor(msgspec.Struct, frozen=True, kw_only=True):
    """Start no new payment for `wait_s`, and say when none is under way (domain/draining.py)."""

    wait_s: float
    strict: bool = False
    end: bool = False


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """How far the till is: a DrainStep, and how many payments it waits for."""

    step: str
    open: int = 0
    busy: bool = False


def socket_name(data_dir: Path) -> str:
    """Of the till on this folder."""
    return "pos-app-" + hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:16]


def raise_running(data_dir: Path) -> bool:
    """Asks the till that runs on this folder to come to the front; False when none is there, or it ends just now.

    One that is just starting has the journal before it listens: it is asked again for a while. Raises TimeoutError
    when one is there and its window does not answer.
    """
    visitor = _visit(data_dir)
    if visitor is None:
        return False
    try:
        visitor.write(FRONT)
        limit = QDeadlineTimer(ANSWER_LIMIT_MS)
        while not visitor.canReadLine():
            if visitor.state() is not QLocalSocket.LocalSocketState.ConnectedState:
                return False
            if limit.hasExpired():
                raise TimeoutError
            visitor.waitForReadyRead(max(1, min(limit.remainingTime(), AGAIN_AFTER_MS)))
        return bytes(visitor.readLine(_LONGEST_LINE).data()) == HERE
    finally:
        visitor.abort()


def _visit(data_dir: Path) -> QLocalSocket | None:
    visitor = QLocalSocket()
    limit = QDeadlineTimer(CONNECT_LIMIT_MS)
    while True:
        visitor.connectToServer(socket_name(data_dir))
        if visitor.waitForConnected(limit.remainingTime()):
            return visitor
        visitor.abort()
        if limit.hasExpired():
            return None
        QThread.msleep(AGAIN_AFTER_MS)


def ask_to_close(data_dir: Path, wanted: CloseFor, limit_s: float) -> Iterator[Told]:
    """What the till on this folder says, step by step, until it hangs up or the time is over; nothing from none.

    Whoever stops listening has left: the till sells again.
    """
    visitor = _visit(data_dir)
    if visitor is None:
        return
    try:
        if not _is_of_this_account(visitor):
            return
        visitor.write(QByteArray(msgspec.json.encode(wanted) + b"\n"))
        limit = QDeadlineTimer(int(limit_s * 1000))
        while not limit.hasExpired():
            while visitor.canReadLine():
                yield msgspec.json.decode(bytes(visitor.readLine(_LONGEST_LINE).data()), type=Told)
            if visitor.state() is not QLocalSocket.LocalSocketState.ConnectedState:
                return
            visitor.waitForReadyRead(max(1, min(limit.remainingTime(), AGAIN_AFTER_MS)))
    except UNREADABLE:
        return
    finally:
        visitor.abort()


def _is_of_this_account(visitor: QLocalSocket) -> bool:
    """Somebody else may have put a socket of that name where everybody may write. Elsewhere than on Linux the system's
    own rights on the socket say so."""
    if sys.platform != "linux":
        return True
    connection = socket.socket(fileno=os.dup(int(visitor.socketDescriptor())))
    try:
        said = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    finally:
        connection.close()
    return int.from_bytes(said[4:8], sys.byteorder) == os.geteuid()


class SingleInstance(QObject):
    """Listens for second starts and updates; to be made only by who holds the journal's lock.

    `asked(name, wanted)` and `left(name)`: somebody wants an update, or hung up; `name` is theirs.
    """

    def __init__(
        self,
        data_dir: Path,
        rung: Callable[[], None],
        parent: QObject | None = None,
        *,
        asked: Callable[[str, CloseFor], None] = lambda _name, _wanted: None,
        left: Callable[[str], None] = lambda _name: None,
    ) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._rung, self._asked, self._left = rung, asked, left
        self._visitors: dict[QLocalSocket, str] = {}
        """With the name of what each asked for, "" while they have said nothing."""
        self._count = 0
        self._server.newConnection.connect(self._answer)
        # A till that was killed leaves its socket's name behind; the journal's lock says it is gone.
        QLocalServer.removeServer(socket_name(data_dir))
        self._server.listen(socket_name(data_dir))

    def _answer(self) -> None:
        while self._server.hasPendingConnections():
            visitor = self._server.nextPendingConnection()
            self._visitors[visitor] = ""
            visitor.readyRead.connect(lambda visitor=visitor: self._read(visitor))
            # Queued: a visitor is not taken away while it is being looked at.
            visitor.disconnected.connect(
                lambda visitor=visitor: self._gone(visitor), Qt.ConnectionType.QueuedConnection
            )
            silence = QTimer(visitor)
            silence.setSingleShot(True)
            silence.timeout.connect(lambda visitor=visitor: self._was_silent(visitor))
            silence.start(SILENT_MS)
            if visitor.bytesAvailable():
                self._read(visitor)
            is_here = visitor.state() is QLocalSocket.LocalSocketState.ConnectedState
            if not is_here or len(self._visitors) > _MOST_VISITORS:
                self._gone(visitor)

    def _read(self, visitor: QLocalSocket) -> None:
        if self._visitors.get(visitor) != "" or not visitor.canReadLine():
            if visitor.bytesAvailable() > _LONGEST_LINE:
                visitor.abort()
            return
        line = bytes(visitor.readLine(_LONGEST_LINE).data())
        if line == FRONT:
            # They have rung once they hang up, as they do now.
            visitor.write(HERE)
            visitor.flush()
            return
        try:
            wanted = msgspec.json.decode(line, type=CloseFor)
        except UNREADABLE:
            visitor.abort()
            return
        _hears(visitor)
        self._count += 1
        self._visitors[visitor] = name = f"socket {self._count}"
        self._asked(name, wanted)

    def _was_silent(self, visitor: QLocalSocket) -> None:
        if self._visitors.get(visitor) == "":
            visitor.abort()
            self._gone(visitor)

    def _gone(self, visitor: QLocalSocket) -> None:
        name = self._visitors.pop(visitor, None)
        if name is None:
            return
        _hears(visitor)
        visitor.deleteLater()
        if name:
            self._left(name)
        else:
            self._rung()

    def tell(self, name: str, told: Told) -> None:
        """To whoever asked under this name, if they still listen."""
        for visitor, known in self._visitors.items():
            if known == name:
                visitor.write(QByteArray(msgspec.json.encode(told) + b"\n"))
                visitor.flush()

    def stop(self) -> None:
        """No longer listens."""
        self._server.close()
        for visitor in tuple(self._visitors):
            self._visitors.pop(visitor)
            _hears(visitor)
            visitor.abort()
            visitor.deleteLater()


def _hears(visitor: QLocalSocket) -> None:
    """Nobody waits for this visitor's word any more."""
    for silence in visitor.findChildren(QTimer):
        silence.stop()
