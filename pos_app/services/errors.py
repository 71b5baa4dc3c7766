"""Why a request brought no believable reply. Every foreign exception becomes one of these at one door (http).

ServiceError
├── NotSent                 no byte of the HTTP request was handed to a socket
│   ├── NameNotResolved     the host's name has no address, or the name service is silent
│   ├── ConnectFailed       refused, unreachable, too slow, or no free connection
│   ├── TlsFailed           the service's identity is not proven; there is no "continue anyway"
│   ├── NoToken             there is no access token to send
│   └── NoTokenServer       somebody else answers in the token server's place
└── NoBelievableReply       the request may have been carried out
    ├── TimedOut            the wall-clock deadline passed, however much had come by then
    ├── Broken              the connection ended before the reply did
    ├── TooLarge            more bytes than a reply may have
    ├── Redirected          never followed: it would carry the merchant's secrets elsewhere
    └── Garbled             not HTTP, an encoding nobody asked for, or not the reply that was promised
"""

from __future__ import annotations

from typing import ClassVar

from pos_app.domain.replies import Why

SHUT_DOWN = "the connection to the service is shut down"


class ServiceError(Exception):
    """No reply that may be believed; `detail` is for the log and holds nothing of the request."""

    why: ClassVar[Why]
    sent: ClassVar[bool]

    def __init__(self, detail: str, http_status: int = 0) -> None:
        super().__init__(detail)
        self.detail = detail
        self.http_status = http_status


class NotSent(ServiceError):
    """No byte of the HTTP request was handed to a socket (payment-rules 2)."""

    sent = False


class NameNotResolved(NotSent):
    """The host's name could not be resolved in time."""

    why = Why.NAME


class ConnectFailed(NotSent):
    """No connection could be made in time."""

    why = Why.CONNECT


class TlsFailed(NotSent):
    """The TLS handshake failed: wrong, expired or unknown certificate, or too old a version."""

    why = Why.TLS


class NoToken(NotSent):
    """The token provider has no token to give."""

    why = Why.SIGN_IN


class NoTokenServer(NotSent):
    """A log-in page, or a proxy that wants a password, stands where the token server was: nobody refused anything."""

    why = Why.UNREADABLE


class NoBelievableReply(ServiceError):
    """Bytes of the request left; what became of it is unknown."""

    sent = True


class TimedOut(NoBelievableReply):
    """The wall-clock deadline passed before the reply was complete."""

    why = Why.TIME_OUT


class Broken(NoBelievableReply):
    """The connection was reset or closed before the reply was complete."""

    why = Why.BROKEN


class TooLarge(NoBelievableReply):
    """The reply passed the byte cap."""

    why = Why.TOO_LARGE


class Redirected(NoBelievableReply):
    """A 3xx reply."""

    why = Why.REDIRECT


class Garbled(NoBelievableReply):
    """What came back is not a readable reply."""

    why = Why.UNREADABLE
