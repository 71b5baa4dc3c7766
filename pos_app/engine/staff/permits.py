"""Leave for what is done outside the engine: journalled before it is given."""

from __future__ import annotations

from typing import Any

import msgspec

from pos_app.domain.installation import Why
from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record
from pos_app.domain.rights import Act
from pos_app.domain.staff import Permit
from pos_app.domain.text import typed_text
from pos_app.domain.views import StaffAnswered, StaffProblem
from pos_app.engine.core.draining import Draining
from pos_app.engine.core.identity import Identity
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.payment_opener import PaymentOpener
from pos_app.engine.staff.authorizer import Allowed
from pos_app.services.bodies import wallet_number_in

PERMITTED = "PERMITTED"
UNMASKED = "NUMBER_UNMASKED"


class Permits:
    """Answers a Permit that the authorizer let through."""

    def __init__(
        self, live_payments: LivePayments, opener: PaymentOpener, identity: Identity, draining: Draining
    ) -> None:
        self._identity = identity
        self._draining = draining
        self._live_payments = live_payments
        self._opener = opener

    def give(self, allowed: Allowed, *before: Record) -> StaffAnswered:
        """The act's record is durable before the asker may begin. `before`: written with it, or not at all."""
        command: Permit = allowed.command
        reason = typed_text(command.reason)
        if not reason:
            return StaffAnswered(request_id=command.request_id, problem=StaffProblem.NO_REASON)
        shown = ""
        if command.act is Act.UNMASK_NUMBER:
            shown = self._number_of(command.about)
            if not shown:
                return StaffAnswered(request_id=command.request_id, problem=StaffProblem.UNKNOWN_PAYMENT)
        content: dict[str, Any] = {
            "act": command.act.value,
            "about": command.about,
            "content": msgspec.to_builtins(command.content),
            "name": allowed.name,
            "reason": reason,
            "request_id": command.request_id,
        }
        kind, subject = (UNMASKED, command.about) if shown else (PERMITTED, TERMINAL)
        record = self._live_payments.record(kind, subject, allowed.actor, content=content)
        records = [*before, record]
        if command.act is Act.RENEW_IDENTITY:
            why = Why.USED_TWICE if self._identity.used_twice else Why.ASKED
            records.append(self._identity.renewal(why, allowed.actor))
        if not self._live_payments.commit(records):
            return StaffAnswered(request_id=command.request_id, problem=StaffProblem.CANNOT_RECORD)
        if command.act is Act.RENEW_IDENTITY:
            self._identity.renewed()
        if command.act is Act.PUT_OFF_UPDATE:
            self._draining.put_off()
        return StaffAnswered(request_id=command.request_id, shown=shown)

    def _number_of(self, attempt_id: str) -> str:
        """The wallet number as it was sent; "" for a QR, or where nothing is known of the payment."""
        if self._live_payments.known(attempt_id) is None:
            return ""
        body = self._opener.sealed_body(attempt_id)
        return "" if body is None else wallet_number_in(body)
