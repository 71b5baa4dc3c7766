"""The front door: who may knock, and how trouble is worded; it must not know what lies behind it."""

import logging

from starlette.types import ASGIApp, Receive, Scope, Send

from pos_app.sandbox.connections import Connections
from pos_app.sandbox.exchange import GoneError, peer_of, send_reply
from pos_app.sandbox.replies import Area, HttpError, problem, word
from pos_app.sandbox.switches import SwitchBoard

log = logging.getLogger(__name__)

_HIDDEN = (b"%2f", b"%5c")
"""A separator written as something else: routes know it only as itself."""


class FrontDoor:
    """Wraps the router. `port` makes the list of hosts that may be named: a rebound name is not on it."""

    def __init__(self, inner: ASGIApp, connections: Connections, board: SwitchBoard, port: int) -> None:
        self._inner = inner
        self._connections = connections
        self._board = board
        self._hosts = {f"{host}:{port}".encode() for host in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watched(message: object) -> None:
            nonlocal started
            started = True
            await send(message)  # type: ignore[arg-type]

        try:
            self._check_origin(scope)
            await self._inner(scope, receive, watched)
        except GoneError:
            return
        except Exception as error:
            trouble = error if isinstance(error, HttpError) else self._our_fault(scope)
            if not started:
                await send_reply(send, word(trouble, area_of(scope["path"]), self._board.now.http_error_body))
        finally:
            self._connections.answered(peer_of(scope))

    def _check_origin(self, scope: Scope) -> None:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        for name, _value in scope["headers"]:
            if name in (b"origin", b"sec-fetch-site"):
                raise problem("PERMISSION_DENIED", "a web page may not call the sandbox")
        # One, and ours: of two, others may read the one that we do not.
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            raise problem("PERMISSION_DENIED", "the Host header names another host")
        if any(hidden in scope["raw_path"].lower() for hidden in _HIDDEN):
            raise problem("NOT_FOUND", "no such path")

    def _our_fault(self, scope: Scope) -> HttpError:
        """The server's own door: a mistake of ours is logged and never shown."""
        log.exception("%s %s failed", scope["method"], scope["path"])
        return problem("INTERNAL")


def area_of(path: str) -> Area:
    if path.startswith("/apicall/openapi/one-time-password-sms/"):
        return Area.OTP
    if path.startswith("/apicall/"):
        return Area.QUERY if path.endswith("/query") else Area.PAYMENT
    return Area.CONTROL
