"""The line to the payment service: connected, lost, slow, somebody else's, or its sign-in refused (rule 19).

What a change of it means to open payments is said here; none of them is stepped.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from pos_app.domain.events import (
    CancelAnswered,
    ConnectionReturned,
    InitiateAnswered,
    SignInRenewed,
    StatusAnswered,
)
from pos_app.domain.people import TERMINAL
from pos_app.domain.replies import NoAnswer, Why
from pos_app.domain.views import Connection
from pos_app.engine.connection.calls import HELD_BACK, UNSENT, Calls, ProbeAnswered, TokenLooked
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.live_payments import LivePayments

PROBE_MS = 30_000
"""Between probes while the sign-in is refused or the line is lost with nothing else to ask."""

LOOK_MS = 3_000
"""Between looks for another token on this machine while the sign-in is refused: whoever has just put it there waits for
no probe."""

Heard = StatusAnswered | InitiateAnswered | CancelAnswered

_OPERATION = {StatusAnswered: "status", InitiateAnswered: "initiate", CancelAnswered: "cancel"}
_AWAY = (Connection.LOST, Connection.STRANGE)
# A network that wants a log-in answers in the service's place, by its own certificate or none, or sends elsewhere.
_BY_SILENCE = {
    Why.SLOW_DOWN: Connection.SLOW,
    Why.TLS: Connection.STRANGE,
    Why.REDIRECT: Connection.STRANGE,
    Why.UNREADABLE: Connection.STRANGE,
}
_OF_THE_NETWORK = frozenset({407, 511})
"""What no service answers: a proxy that wants a password, and a network that wants a log-in (RFC 6585)."""


class News(Enum):
    """What a reply changed for everybody."""

    NOTHING = auto()
    RETURNED = auto()
    SIGN_IN_RENEWED = auto()
    CHANGED = auto()


class ConnectionMonitor:
    """Learns from every reply of any operation, and asks by itself where nobody else does."""

    def __init__(self, live_payments: LivePayments, calls: Calls, clock: Clock) -> None:
        self._live_payments = live_payments
        self._calls = calls
        self._clock = clock
        self.connection = Connection.UNKNOWN
        self.sign_in_refused = False
        self.no_token = ""
        """Why there is no token to sign in with, "" while nothing but the service has refused one."""
        self.probe_at: int | None = None
        self.look_at: int | None = None
        """When it is looked for another token (till time, ms); None while none is wanted, or one look is under way."""
        self._probing = ""
        self._forbidden: set[str] = set()

    def probe(self) -> None:
        """Asks for the newest payment, or for today's list where there is none."""
        newest = self._live_payments.newest()
        self._probing = "query" if newest is None else "status"
        # The first one is asked once: what comes of it says when the next is due.
        is_first = self.connection is Connection.UNKNOWN
        self.probe_at = None if is_first else self._clock.now() + PROBE_MS
        self._calls.probe("" if newest is None else newest.attempt_id)

    def tick(self, now: int) -> None:
        """What has become due."""
        if self.look_at is not None and self.look_at <= now:
            self.look_at = None
            self._calls.look_for_token()
        if self.probe_at is not None and self.probe_at <= now:
            self.probe()

    def looked(self, found: TokenLooked) -> None:
        """A token that was changed is tried at once (rule 19)."""
        if not self.sign_in_refused:
            return
        self.look_at = self._clock.now() + LOOK_MS
        if found.has_changed:
            self.probe()

    def heard(self, answer: Heard | ProbeAnswered) -> News:
        """Takes note of a reply, or its absence: any envelope of the service proves the line and the sign-in.

        Rule 19 counts 403 on two different operations. A service that was only slow is not asked about everything at
        once when it answers.
        """
        reply = answer.reply
        if reply is UNSENT or reply is HELD_BACK:
            return News.NOTHING
        before = (self.connection, self.sign_in_refused)
        if not isinstance(reply, NoAnswer):
            self._forbidden.clear()
            self.connection, self.sign_in_refused, self.no_token = Connection.CONNECTED, False, ""
            self.probe_at = self.look_at = None
            if before[1]:
                return News.SIGN_IN_RENEWED
            if before[0] in _AWAY:
                return News.RETURNED
            return News.CHANGED if before[0] is not Connection.CONNECTED else News.NOTHING
        self._silence(self._probing if isinstance(answer, ProbeAnswered) else _OPERATION[type(answer)], reply)
        if self.probe_at is None:
            self.probe_at = self._clock.now() + PROBE_MS
        return News.CHANGED if before != (self.connection, self.sign_in_refused) else News.NOTHING

    def _silence(self, operation: str, reply: NoAnswer) -> None:
        if reply.why is Why.FORBIDDEN:
            self._forbidden.add(operation)
        if reply.why is Why.SIGN_IN or len(self._forbidden) >= 2:
            if not self.sign_in_refused:
                self.look_at = self._clock.now() + LOOK_MS
            self.sign_in_refused = True
            self.no_token = "" if reply.sent else reply.detail
            self.connection = Connection.SIGN_IN_REFUSED
        elif not self.sign_in_refused:
            stands_between = reply.http_status in _OF_THE_NETWORK
            self.connection = (
                Connection.STRANGE if stands_between else _BY_SILENCE.get(reply.why, Connection.LOST)
            )

    def meaning(self, news: News) -> Sequence[SignInRenewed | ConnectionReturned]:
        """What every open payment is to hear; a sign-in refused or renewed is written."""
        if self.sign_in_refused or news is News.SIGN_IN_RENEWED:
            kind = "SIGN_IN_RENEWED" if news is News.SIGN_IN_RENEWED else "SIGN_IN_REFUSED"
            self._live_payments.write([self._live_payments.record(kind, TERMINAL, TERMINAL)])
        if news not in (News.SIGN_IN_RENEWED, News.RETURNED):
            return ()
        returned = self._live_payments.to_ask_again()
        if news is News.RETURNED:
            return returned
        return [SignInRenewed(each.attempt_id, each.ask_at) for each in returned]
