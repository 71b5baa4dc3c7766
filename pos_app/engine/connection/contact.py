"""How the service was last heard, and what a change of it means to open payments. It steps none of them itself."""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.domain.events import (
    CancelAnswered,
    ConnectionReturned,
    InitiateAnswered,
    SignInRenewed,
    StatusAnswered,
)
from pos_app.domain.people import TERMINAL
from pos_app.engine.connection.calls import Calls, ProbeAnswered
from pos_app.engine.connection.monitor import Line, News
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.effect_dispatcher import UNSENT
from pos_app.engine.core.live_payments import LivePayments

Heard = StatusAnswered | InitiateAnswered | CancelAnswered

_OPERATION = {StatusAnswered: "status", InitiateAnswered: "initiate", CancelAnswered: "cancel"}


class Contact:
    """Owns the line and the probe of it that is under way."""

    def __init__(self, live_payments: LivePayments, calls: Calls, clock: Clock) -> None:
        self._live_payments = live_payments
        self._calls = calls
        self._clock = clock
        self._probing = ""
        self.line = Line()

    def probe(self) -> None:
        """Asks for the newest payment, or for today's list where there is none."""
        newest = self._live_payments.newest()
        self._probing = "query" if newest is None else "status"
        self.line.probed(self._clock.now())
        if self.line.connection.value == "unknown":
            self.line.probe_at = None
        self._calls.probe("" if newest is None else newest.attempt_id)

    def heard(self, answer: Heard | ProbeAnswered) -> News:
        """What a reply, or its absence, says of the line."""
        if answer.reply is UNSENT:
            return News.NOTHING
        operation = self._probing if isinstance(answer, ProbeAnswered) else _OPERATION[type(answer)]
        return self.line.heard(operation, answer.reply, self._clock.now())

    def meaning(self, news: News) -> Sequence[SignInRenewed | ConnectionReturned]:
        """What every open payment is to hear; a sign-in refused or renewed is written."""
        if self.line.sign_in_refused or news is News.SIGN_IN_RENEWED:
            kind = "SIGN_IN_RENEWED" if news is News.SIGN_IN_RENEWED else "SIGN_IN_REFUSED"
            self._live_payments.write([self._live_payments.record(kind, TERMINAL, TERMINAL)])
        if news is News.SIGN_IN_RENEWED:
            return [SignInRenewed(attempt.attempt_id) for attempt in self._live_payments.open_attempts]
        return self._live_payments.to_ask_again() if news is News.RETURNED else ()
