"""One request's budget: how long it may still take, how much it may still read, whether it has left."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.services.errors import ConnectFailed, TimedOut, TooLarge
from pos_app.system.boot_clock import seconds_since_boot

BODY_CAP = 1 << 20
HEAD_CAP = 128 * 1024

MayLeave = Callable[[], bool]
"""Asked once, when the first byte is about to leave: after False nothing does."""


def _always() -> bool:
    return True


class Call:
    """The wall clock and the counters of one exchange; used by one thread, thrown away after it.

    The HTTP library's own time-outs are per read: a byte each half second passes them for ever. Here each
    operation on the socket gets what is left of the whole. It counts on while the machine sleeps: what had not left
    by then does not leave on waking, an hour after it was wanted.
    """

    __slots__ = ("_connect_by", "_deadline", "_limit_s", "_may_leave", "received", "saw_end", "sent")

    def __init__(self, limit_s: float, connect_limit_s: float, may_leave: MayLeave | None = None) -> None:
        now = seconds_since_boot()
        self._limit_s = limit_s
        self._deadline = now + limit_s
        self._connect_by = min(self._deadline, now + connect_limit_s)
        self._may_leave = may_leave or _always
        self.sent = False
        self.saw_end = False
        self.received = bytearray()

    def time_left(self) -> float:
        """Seconds to the deadline; raises when there are none."""
        left = self._deadline - seconds_since_boot()
        if left <= 0:
            raise self.out_of_time()
        return left

    def connect_time_left(self) -> float:
        """Seconds in which a connection must stand (name, TCP and TLS together)."""
        left = self._connect_by - seconds_since_boot()
        if left <= 0:
            raise ConnectFailed("no connection in time")
        return left

    def out_of_time(self) -> TimedOut | ConnectFailed:
        """The error for a passed deadline: what it is depends on whether anything left."""
        if self.sent:
            return TimedOut(f"no complete reply within {self._limit_s:g} s")
        return ConnectFailed("the time was over before anything was sent")

    def leave(self) -> None:
        """The first byte is about to leave, and the request counts as sent; raises ConnectFailed where it may not."""
        if self.sent:
            return
        if not self._may_leave():
            raise ConnectFailed("held back before anything was sent")
        self.sent = True

    def keep(self, data: bytes) -> None:
        """Count bytes that came; raises TooLarge beyond any reply's size (endless 100s and chunks too)."""
        if not data:
            self.saw_end = True
        self.received += data
        if len(self.received) > BODY_CAP + HEAD_CAP:
            raise TooLarge(f"more than {BODY_CAP} bytes")
