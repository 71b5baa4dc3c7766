"""One till per data folder: a second start raises the first one's window and ends."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QObject, QThread
from PySide6.QtNetwork import QLocalServer, QLocalSocket

CONNECT_LIMIT_MS = 1_500
AGAIN_AFTER_MS = 50


def _name(data_dir: Path) -> str:
    return "pos-app-" + hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:16]


def raise_running(data_dir: Path) -> bool:
    """Asks the till that runs on this folder to come to the front; False when no window answers.

    One that is just starting has the journal before it listens: it is asked again for a while.
    """
    socket = QLocalSocket()
    limit = QDeadlineTimer(CONNECT_LIMIT_MS)
    while True:
        socket.connectToServer(_name(data_dir))
        answered = socket.waitForConnected(limit.remainingTime())
        socket.abort()
        if answered or limit.hasExpired():
            return answered
        QThread.msleep(AGAIN_AFTER_MS)


class SingleInstance(QObject):
    """Listens for second starts; to be made only by who holds the journal's lock."""

    def __init__(self, data_dir: Path, rung: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._rung = rung
        self._server.newConnection.connect(self._answer)
        # A till that was killed leaves its socket's name behind; the journal's lock says it is gone.
        QLocalServer.removeServer(_name(data_dir))
        self._server.listen(_name(data_dir))

    def _answer(self) -> None:
        while self._server.hasPendingConnections():
            visitor = self._server.nextPendingConnection()
            visitor.abort()
            visitor.deleteLater()
        self._rung()

    def stop(self) -> None:
        """No longer listens."""
        self._server.close()
