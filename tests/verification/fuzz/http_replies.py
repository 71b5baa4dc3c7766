"""Target `http`: any bytes on a real socket in place of a reply, read by the till's own HTTP door."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from types import TracebackType
from typing import Self

from pos_app.domain.flow.statuses import PAYMENT_SUCCESS
from pos_app.domain.replies import NoAnswer, StatusReport
from pos_app.domain.secret import Secret
from pos_app.services.client import ServiceClient
from pos_app.services.payments import Merchant, Payments
from pos_app.services.token import StaticTokens
from tests.verification.fuzz.finding import Finding

OUR_ID = "SBX-T1-0001-1"
BODY = (
    b'{"response":{"status":"success","merchantTxnStatusName":"Payment Success",'
    b'"externalMerchantTransactionId":"SBX-T1-0001-1","transactionAmount":12.50}}'
)


class Speaker:
    """Listens on this machine; to each connection it says `words` at once and nothing more, and hears it out."""

    def __init__(self) -> None:
        self.words = b""
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self._thread = threading.Thread(target=self._speak, name="speaker", daemon=True)

    def _speak(self) -> None:
        while True:
            try:
                caller, _ = self._door.accept()
            except OSError:
                return
            with caller, contextlib.suppress(OSError):
                caller.sendall(self.words)
                caller.shutdown(socket.SHUT_WR)
                while caller.recv(65_536):
                    pass

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self._thread.join(5)


class Line:
    """The till's calls to a speaker."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self.client = ServiceClient(f"http://127.0.0.1:{speaker.port}", allow_loopback_http=True)
        merchant = Merchant("M-0001", Secret("canary-code-8842"), Secret("canary-psw-9953"))
        self._payments = Payments(self.client, merchant, StaticTokens(Secret("canary-token-7731")))

    def play(self, data: bytes) -> str:
        """What get status makes of these bytes."""
        self._speaker.words = data
        found = self._payments.get_status(OUR_ID)
        if isinstance(found, NoAnswer):
            if not found.sent:
                raise Finding(f"the request was sent, and {found.why.value} denies it")
            return f"no answer: {found.why.value}"
        if not re.search(rb"HTTP/[0-9]\.[0-9] [24][0-9][0-9]", data):
            raise Finding(f"{type(found).__name__} of something that is no reply")
        if isinstance(found, StatusReport) and found.name == PAYMENT_SUCCESS:
            return "Payment Success"
        return type(found).__name__


_line: list[Line] = []


def play(data: bytes) -> str:
    """For a process that plays nothing else: its speaker stays to the end."""
    if not _line:
        _line.append(Line(Speaker().__enter__()))
    return _line[0].play(data)


def _reply(body: bytes = BODY, status: bytes = b"200 OK", headers: bytes = b"") -> bytes:
    kind = b"Content-Type: application/json\r\n"
    return b"HTTP/1.1 %b\r\n%b%bContent-Length: %d\r\n\r\n%b" % (status, kind, headers, len(body), body)


def seeds() -> list[bytes]:
    """The bad-input list, G: whole replies, and what a network makes of them."""
    whole = _reply()
    chunks = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"%x\r\n%b\r\n" % (len(BODY), BODY)
    return [
        whole,
        whole[:-9],
        whole * 2,
        b"",
        BODY,
        chunks + chunk + b"0\r\n\r\n",
        chunks + chunk,
        chunks + b"ffffffffffffffff\r\n" + BODY,
        chunks + chunk + b"0\r\nX: y\r\n\r\n",
        _reply(b"", b"204 No Content"),
        b"HTTP/1.1 100 Continue\r\n\r\n" * 40 + whole,
        b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" + whole,
        _reply(status=b"302 Found", headers=b"Location: http://evil.example/\r\n"),
        _reply(status=b"101 Switching Protocols", headers=b"Upgrade: h2c\r\nConnection: upgrade\r\n"),
        _reply(status=b"401 Unauthorized"),
        _reply(status=b"429 Too Many", headers=b"Retry-After: soon\r\n"),
        _reply(status=b"999 \xff\xfe"),
        _reply(headers=b"Content-Encoding: gzip\r\n"),
        _reply(headers=b"Content-Length: 1\r\n"),
        _reply(headers=b"X: \xff\r\nX-\xc3\xbc: 1\r\n"),
        _reply(headers=b"Set-Cookie: a=b\r\n" * 20),
        _reply(headers=b"Connection: close\r\nContent-Type: text/html\r\n"),
        whole.replace(b"Content-Length", b"content-length : 3\r\nContent-Length"),
        whole.replace(b"\r\n", b"\n"),
        whole.replace(b"HTTP/1.1", b"HTTP/2"),
        whole.replace(b"HTTP/1.1", b"HTTP/1.0"),
    ]


WORDS = [
    *(
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/0.9 ",
        b"HTTP/1.1 204 \r\n",
        b"\r\n\r\n",
    ),
    *(
        b"Content-Length: 0\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 5, 5\r\n",
        b"Content-Length: 99\r\n",
    ),
    *(
        b"Transfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Content-Encoding: br\r\n",
    ),
    *(
        b"Connection: close\r\n",
        b"Connection: upgrade\r\n",
        b"Upgrade: h2c\r\n",
        b"Location: //x\r\n",
        b"\r\n ",
        b"\0",
    ),
    *(
        b"0\r\n\r\n",
        b"1;x=y\r\nz\r\n",
        b"ffffffffffffffffffff\r\n",
        b"Retry-After: 1e9\r\n",
        b"Date: soon\r\n",
    ),
]
