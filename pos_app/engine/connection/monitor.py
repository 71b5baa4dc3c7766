"""The line to the payment service: connected, lost, slow, somebody else's, or its sign-in refused (rule 19)."""

from __future__ import annotations

from enum import Enum, auto

from pos_app.domain.replies import NoAnswer, Why
from pos_app.domain.views import Connection

PROBE_MS = 30_000
"""Between probes while the sign-in is refused or the line is lost with nothing else to ask."""

_AWAY = (Connection.LOST, Connection.STRANGE)
# A page that wants a log-in answers in the service's place, or sends the request elsewhere.
_BY_SILENCE = {
    Why.SLOW_DOWN: Connection.SLOW,
    Why.REDIRECT: Connection.STRANGE,
    Why.UNREADABLE: Connection.STRANGE,
}


class News(Enum):
    """What a reply changed for everybody."""

    NOTHING = auto()
    RETURNED = auto()
    SIGN_IN_RENEWED = auto()
    CHANGED = auto()


class Line:
    """Learns from every reply of any operation."""

    def __init__(self) -> None:
        self.connection = Connection.UNKNOWN
        self.sign_in_refused = False
        self.probe_at: int | None = None
        self._forbidden: set[str] = set()

    def heard(self, operation: str, reply: object, now: int) -> News:
        """Takes note of a reply: any envelope of the service proves the line and the sign-in.

        `operation` is the service's own (rule 19 counts 403 on two different ones). A service that was
        only slow is not asked about everything at once when it answers.
        """
        before = (self.connection, self.sign_in_refused)
        if not isinstance(reply, NoAnswer):
            self._forbidden.clear()
            self.connection, self.sign_in_refused, self.probe_at = Connection.CONNECTED, False, None
            if before[1]:
                return News.SIGN_IN_RENEWED
            if before[0] in _AWAY:
                return News.RETURNED
            return News.CHANGED if before[0] is not Connection.CONNECTED else News.NOTHING
        self._silence(operation, reply)
        if self.probe_at is None:
            self.probe_at = now + PROBE_MS
        return News.CHANGED if before != (self.connection, self.sign_in_refused) else News.NOTHING

    def _silence(self, operation: str, reply: NoAnswer) -> None:
        if reply.why is Why.FORBIDDEN:
            self._forbidden.add(operation)
        if reply.why is Why.SIGN_IN or len(self._forbidden) >= 2:
            self.sign_in_refused = True
            self.connection = Connection.SIGN_IN_REFUSED
        elif not self.sign_in_refused:
            self.connection = _BY_SILENCE.get(reply.why, Connection.LOST)

    def probed(self, now: int) -> None:
        """A probe is under way; the next is due later."""
        self.probe_at = now + PROBE_MS
