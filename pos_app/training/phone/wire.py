"""The phone's line to the sandbox's control interface. It asks and tells; values.py knows what it means."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtNetwork import QNetworkAccessManager, QNetworkProxy, QNetworkReply, QNetworkRequest

TIME_OUT_MS = 5_000
MAX_REPLY = 8 * 1024 * 1024

Done = Callable[[int, bytes], None]


class Wire(QObject):
    """No proxies, no redirects, nothing waits: each answer comes to its `done` with the HTTP status.

    `reached` tells of each change between answering and silent; silence itself is the status 0.
    """

    reached = Signal(bool)

    def __init__(self, control_url: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._base = control_url.rstrip("/")
        self._token = b""
        self._answers: bool | None = None
        self._network = QNetworkAccessManager(self)
        self._network.setProxy(QNetworkProxy(QNetworkProxy.ProxyType.NoProxy))
        self._network.setTransferTimeout(TIME_OUT_MS)
        # Not each reply's own signal: its connection would keep this object alive, and the end of the last reply
        # would then delete it, and with it the reply a second time.
        self._waiting: dict[QNetworkReply, Done] = {}
        self._network.finished.connect(self._finish)

    def use_token(self, token: str) -> None:
        """The control interface's own token; nothing is asked before it is known."""
        self._token = b"Bearer " + token.encode("latin-1", "replace")

    @property
    def ready(self) -> bool:
        """Whether asking makes sense yet."""
        return bool(self._token)

    def get(self, path: str, done: Done) -> None:
        """Ask for `path` (with its query, already percent-encoded)."""
        self._follow(self._network.get(self._request(path)), done)

    def post(self, path: str, body: dict[str, object], done: Done) -> None:
        """Tell; the body goes as JSON."""
        self.send("POST", path, body, done)

    def send(self, method: str, path: str, body: dict[str, object], done: Done) -> None:
        """By any method; a body goes with POST alone."""
        request = self._request(path)
        content = b""
        if method == "POST":
            request.setHeader(QNetworkRequest.KnownHeaders.ContentTypeHeader, "application/json")
            content = msgspec.json.encode(body)
        self._follow(self._network.sendCustomRequest(request, method.encode(), content), done)

    def close(self) -> None:
        """End what is under way, without an answer, and the connections with it."""
        self._token = b""
        for reply in list(self._waiting):
            reply.abort()
        self._network.clearConnectionCache()

    def _request(self, path: str) -> QNetworkRequest:
        request = QNetworkRequest(QUrl(self._base + path))
        request.setRawHeader(b"Authorization", self._token)
        request.setRawHeader(b"Accept", b"application/json")
        request.setAttribute(
            QNetworkRequest.Attribute.RedirectPolicyAttribute,
            QNetworkRequest.RedirectPolicy.ManualRedirectPolicy,
        )
        return request

    def _follow(self, reply: QNetworkReply, done: Done) -> None:
        self._waiting[reply] = done

    def _finish(self, reply: QNetworkReply) -> None:
        done = self._waiting.pop(reply)
        # One that was ended under way may know its status already, but can be read no more.
        readable = reply.isOpen()
        status = reply.attribute(QNetworkRequest.Attribute.HttpStatusCodeAttribute) if readable else None
        body = bytes(reply.read(MAX_REPLY).data()) if status is not None else b""
        reply.deleteLater()
        if not self.ready:
            return
        self._note(status is not None)
        done(0 if status is None else int(status), body)

    def _note(self, answers: bool) -> None:
        if answers is not self._answers:
            self._answers = answers
            self.reached.emit(answers)
