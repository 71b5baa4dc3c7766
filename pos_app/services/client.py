"""Requests to one origin with a wall-clock deadline. Never repeats one, follows nobody, keeps no cookie."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

from pos_app.services.call import Call, MayLeave
from pos_app.services.dates import time_in
from pos_app.services.errors import SHUT_DOWN, ConnectFailed, ServiceError
from pos_app.services.origin import parse_origin

if TYPE_CHECKING:
    import ssl

    # Sockets, TLS and the HTTP library are loaded by the first request: the till's start waits for none.
    from pos_app.services.http import HttpDoor
    from pos_app.system.dialing import Lookup

Heard = Callable[[int], None]

CONNECT_S = 5.0
CLOSING_S = 1.0
LOADING_S = 20.0
"""So long a request waits for the HTTP library and the certificates, which may lie on a network share that hangs."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_VALUE = re.compile(r"(?:[!-~\xa1-\xff](?:[ !-~\xa0-\xff]*[!-~\xa1-\xff])?)?")


class Reply(msgspec.Struct, frozen=True):
    """A whole HTTP reply; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ServiceClient:
    """One service at one origin. Threads may share it; it opens nothing before the first request."""

    def __init__(
        self,
        base_url: str,
        ca_file: str = "",
        *,
        allow_loopback_http: bool = False,
        connect_s: float = CONNECT_S,
        lookup: Lookup | None = None,
        pin: str = "",
    ) -> None:
        self.origin = parse_origin(base_url, allow_loopback_http=allow_loopback_http)
        self._ca_file, self._pin = ca_file, pin
        self._connect_s = connect_s
        self._lookup = lookup
        self._door: HttpDoor | None = None
        self._is_loading = False
        self._trouble: ServiceError | None = None
        self.heard: Heard | None = None
        """Told the time each reply says it was made at."""
        self._under_way = 0
        self._closed = False
        self._changed = threading.Condition()

    def post(
        self,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
        deadline_s: float,
        may_leave: MayLeave | None = None,
    ) -> Reply:
        """Send once, read the whole reply within `deadline_s` of wall clock; raises a ServiceError.

        Any HTTP status below 300 or from 400 on is a Reply. ValueError for a header that cannot be sent.
        """
        return self._exchange("POST", self.origin.url(path), body, headers, deadline_s, may_leave)

    def get(self, path: str, headers: Mapping[str, str], deadline_s: float, *, after: int = -1) -> Reply:
        """The same without a body. `after`: the one question that is ever asked in an address, a whole number."""
        asked = f"?after={after}" if after >= 0 else ""
        return self._exchange("GET", self.origin.url(path) + asked, b"", headers, deadline_s)

    def _exchange(
        self,
        method: str,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        deadline_s: float,
        may_leave: MayLeave | None = None,
    ) -> Reply:
        raw_headers = [_header(name, value) for name, value in headers.items()]
        door = self._enter()
        try:
            # Not before the door stands: the first request would spend its time on loading the HTTP library.
            call = Call(deadline_s, self._connect_s, may_leave)
            reply = Reply(*door.exchange(method, url, body, raw_headers, call))
            self._tell_time(reply)
            return reply
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    def _tell_time(self, reply: Reply) -> None:
        said = time_in(reply.headers.get("date", ""))
        if said is not None and self.heard is not None:
            self.heard(said)

    def _trust(self) -> ssl.SSLContext:
        from pos_app.services.trust import pinned, trust

        return pinned(self._ca_file, self._pin) if self._pin else trust(self._ca_file)

    def warm(self) -> None:
        """Do the slow first part (imports, certificates) before the first request needs it."""
        self._enter()
        with self._changed:
            self._under_way -= 1

    def close(self) -> None:
        """Break what is under way, wait at most a second for its callers, close. Later posts are NotSent."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            door = self._door
            if door is None:
                return
            door.end()
            by = time.monotonic() + CLOSING_S
            while self._under_way and self._changed.wait(by - time.monotonic()):
                pass
        door.close()

    def _enter(self) -> HttpDoor:
        with self._changed:
            if self._door is None and not self._closed:
                self._wait_for_door()
            if self._closed:
                raise ConnectFailed(SHUT_DOWN)
            if self._door is None:
                raise ConnectFailed("the certificates could not be read in time")
            self._under_way += 1
            return self._door

    def _wait_for_door(self) -> None:
        """Until it stands, or all is closed; bounded. Raises what kept it from standing."""
        if not self._is_loading:
            self._is_loading, self._trouble = True, None
            try:
                threading.Thread(target=self._load, name="certificates", daemon=True).start()
            except RuntimeError as error:
                self._is_loading = False
                raise ConnectFailed("the system gives no thread to read the certificates") from error
        by = time.monotonic() + LOADING_S
        while self._is_loading and not self._closed and self._changed.wait(by - time.monotonic()):
            pass
        if self._trouble is not None:
            raise self._trouble

    def _load(self) -> None:
        door, trouble = None, None
        try:
            _leave_out_its_command_line()
            from pos_app.services.http import HttpDoor
            from pos_app.system.dialing import system_lookup

            context = self._trust() if self.origin.scheme == "https" else None
            door = HttpDoor(self.origin, context, self._lookup or system_lookup)
        except ServiceError as error:
            trouble = error
        finally:
            with self._changed:
                self._door, self._trouble, self._is_loading = door, trouble, False
                self._changed.notify_all()


def _leave_out_its_command_line() -> None:
    """Wherever rich and click are installed httpx loads its own command line with them: that takes as long as all the
    rest of it, and is code that the till never wants in the process that knows its secrets."""
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type] # Python's word for "not to be imported"


def _header(name: str, value: str) -> tuple[bytes, bytes]:
    # The value is not named in the error: it may be a secret.
    if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        raise ValueError(f"header {name!r} cannot be sent")
    return name.encode("ascii"), value.encode("latin-1")
