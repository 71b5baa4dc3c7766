"""What the authorizer refused: asker and journal are told, never as often as somebody can press a button."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pos_app.domain.commands import Charge, LookElsewhere
from pos_app.domain.elsewhere import Unanswered
from pos_app.domain.people import TERMINAL
from pos_app.domain.search import FindPayments, LookThrough, ReadRows, SumPayments
from pos_app.domain.staff import ReadStaffLog
from pos_app.domain.text import clean_text
from pos_app.domain.views import (
    ChargeDeclined,
    CommandRefused,
    Decline,
    PaymentRows,
    PaymentsCounted,
    PaymentsFound,
    PaymentsSummed,
    Published,
    StaffAnswered,
    StaffLog,
    ToldElsewhere,
)
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff.authorizer import AnyCommand, Refused

RIGHT_REFUSED = "RIGHT_REFUSED"
APPROVAL_REFUSED = "APPROVAL_REFUSED"

QUIET_MS = 60_000
"""So long after a refusal was written, others like it are counted and not written."""


class Refusals:
    """Owns when a refusal of each kind was last written, and how many came since."""

    def __init__(
        self, live_payments: LivePayments, clock: Clock, publish: Callable[[Published], None]
    ) -> None:
        self._live_payments = live_payments
        self._clock = clock
        self._publish = publish
        self._written: dict[tuple[str, ...], int] = {}
        self._since: dict[tuple[str, ...], int] = {}

    def refuse(self, command: AnyCommand, refused: Refused) -> None:
        """Nothing comes of the command; whoever asked hears why."""
        about = getattr(command, "attempt_id", "") or getattr(command, "sale_id", "")
        known = self._live_payments.known(about) is not None
        content = {"problem": refused.problem.value, "claimed": clean_text(getattr(command, "who", ""))}
        self.note(RIGHT_REFUSED, about if known else TERMINAL, refused.actor, refused.act.value, content)
        self._publish(_answer(command, refused, about))

    def note(self, kind: str, subject: str, actor: str, act: str, content: Mapping[str, Any]) -> None:
        """One a minute of each act, of whoever wanted it beside whomever; the next says how many were not written."""
        key, now = (kind, act, actor, str(content.get("manager", ""))), self._clock.now()
        last = self._written.get(key)
        if last is not None and now - last < QUIET_MS:
            self._since[key] = self._since.get(key, 0) + 1
            return
        self._written[key] = now
        content = {"act": act, **content, "not_written_before": self._since.pop(key, 0)}
        self._live_payments.write([self._live_payments.record(kind, subject, actor, content=content)])


def _answer(command: AnyCommand, refused: Refused, about: str) -> Published:
    request_id = getattr(command, "request_id", "")
    match command:
        case Charge():
            return ChargeDeclined(request_id, Decline.NOT_ALLOWED)
        case ReadStaffLog():
            return StaffLog(request_id=request_id, problem=refused.problem)
        case FindPayments():
            return PaymentsFound(request_id=request_id, problem=refused.problem)
        case SumPayments():
            return PaymentsSummed(request_id=request_id, problem=refused.problem)
        case LookThrough():
            return PaymentsCounted(request_id=request_id, problem=refused.problem)
        case ReadRows(block=block):
            return PaymentRows(request_id=request_id, block=block, problem=refused.problem)
        case LookElsewhere():
            return ToldElsewhere(request_id=request_id, problem=Unanswered.NOT_ALLOWED)
        case _ if request_id:
            return StaffAnswered(request_id=request_id, problem=refused.problem)
        case _:
            return CommandRefused(
                act=refused.act, needs=refused.needs, attempt_id=about, problem=refused.problem
            )
