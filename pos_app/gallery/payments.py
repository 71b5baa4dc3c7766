"""Every state a payment can be shown in, by name, as the engine would publish it. Decides nothing about them."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import CancelWish, Flag, Kind, Reason, Resolution, State
from pos_app.domain.views import Activity, AttemptChanged, Connection
from pos_app.gallery.samples import NIMALI, attempt, change

WISH = CancelWish(NIMALI.person_id, 5_000)


def _waiting(elapsed_s: float = 17, **activity: object) -> AttemptChanged:
    return change(activity=Activity(elapsed_s=elapsed_s, **activity))  # type: ignore[arg-type]


def _not_paid(**told: object) -> AttemptChanged:
    return change(attempt(**({"state": State.FAILED, "ended_at": 18_000} | told)), may_start_another=True)


def _resolved(action: str) -> Resolution:
    return Resolution(action=action, name=NIMALI.name, reason="The customer has the goods", at=19_000)


WAITING: dict[str, AttemptChanged] = {
    "starting": change(attempt(state=State.INTENT, shown=False, qr_text="")),
    "waiting": _waiting(),
    "waiting-scanned": change(attempt(service_status="Verification Success")),
    "waiting-approved": change(attempt(service_status="Customer Approved")),
    "waiting-60": _waiting(75),
    "waiting-180-lost": _waiting(195, connection=Connection.LOST, next_ask_in_s=4),
    "waiting-refused": _waiting(61, connection=Connection.SIGN_IN_REFUSED),
    "waiting-push": change(attempt(kind=Kind.PUSH)),
    "cancelling": change(attempt(cancel_wish=WISH)),
}
"""While the customer is waited for."""

RESULTS: dict[str, AttemptChanged] = {
    "paid": change(attempt(state=State.PAID, ended_at=18_000)),
    "crossed": change(attempt(state=State.PAID, cancel_wish=WISH)),
    "large": change(attempt(state=State.PAID, amount=Decimal("49999.99"))),
    "rejected": change(attempt(state=State.FAILED, reason=Reason.CUSTOMER_REJECTED), may_start_another=True),
    "refused": change(attempt(state=State.REFUSED, code="5005", kind=Kind.PUSH), may_start_another=True),
    "refused-checking": change(attempt(state=State.REFUSED, code="5002")),
    "not-sent": change(attempt(state=State.NOT_SENT, reason=Reason.NOT_PROVEN), may_start_another=True),
    "cancelled": _not_paid(state=State.CANCELLED, cancel_wish=WISH),
    "cancelled-by-service": _not_paid(state=State.CANCELLED, flags=frozenset({Flag.CANCEL_NOT_OURS})),
    "not-known": change(attempt(state=State.IN_DOUBT, shown=False, qr_text="")),
    "unresolved": change(
        attempt(
            state=State.UNRESOLVED, reason=Reason.REFUSED_COPY, cancel_wish=WISH, kind=Kind.PUSH, shown=False
        ),
        activity=Activity(elapsed_s=3600, connection=Connection.LOST, next_ask_in_s=29),
    ),
    "from-before-restart": change(
        attempt(state=State.IN_DOUBT, kind=Kind.PUSH, shown=False),
        activity=Activity(from_before_restart=True, may_continue=True),
    ),
    "disputed": change(attempt(state=State.DISPUTED, reason=Reason.OTHER_TRANSACTION)),
    "late-payment": change(attempt(state=State.PAID_LATE, ended_at=18_000)),
    "late-completed": change(
        attempt(state=State.PAID_LATE, ended_at=18_000, resolution=_resolved("complete"))
    ),
    "signed-off": change(attempt(state=State.SIGNED_OFF)),
}
"""How it ended, or that nobody knows yet."""


def _twice() -> AttemptChanged:
    first = attempt(state=State.PAID, ended_at=18_000)
    second = attempt(attempt_id="SBX-TK7M3Q9RD-0123-2", state=State.PAID, number=2, ended_at=30_000)
    seen = change(second, siblings=(first,))
    return msgspec.structs.replace(seen, sale=msgspec.structs.replace(seen.sale, overpaid=True))


RESULTS["paid-twice"] = _twice()

_MAY_BE_WHY = {
    State.FAILED: (Reason.PAYMENT_FAILED, Reason.CUSTOMER_REJECTED, Reason.VERIFICATION_FAILED),
    State.NOT_SENT: (Reason.NO_NAME, Reason.NO_CONNECTION, Reason.NOT_PROVEN),
    State.UNRESOLVED: (
        Reason.GAVE_UP,
        Reason.NO_ANSWER,
        Reason.UNREADABLE,
        Reason.UNKNOWN_STATUS,
        Reason.MISCONFIGURED,
        Reason.REFUSED_COPY,
    ),
    State.DISPUTED: (
        Reason.OTHER_AMOUNT,
        Reason.OTHER_TRANSACTION,
        Reason.CONTRADICTED,
        Reason.IDENTITY_USED_TWICE,
        Reason.CODE_NEVER_SHOWN,
        Reason.NOT_PROVEN_OURS,
    ),
}
_CODES = range(5000, 5016)

REASONS: dict[str, AttemptChanged] = (
    {
        f"{state.value.lower()}-{reason.value}": change(
            attempt(state=state, reason=reason), may_start_another=state in (State.FAILED, State.NOT_SENT)
        )
        for state, reasons in _MAY_BE_WHY.items()
        for reason in reasons
    }
    | {
        f"refused-{code}": change(attempt(state=State.REFUSED, code=str(code)), may_start_another=True)
        for code in _CODES
    }
    | {
        f"unresolved-{Reason.OTHER_ORIGIN.value}": change(
            attempt(
                state=State.UNRESOLVED,
                reason=Reason.OTHER_ORIGIN,
                origin="https://gateway.example.com",
                other_origin="https://pay.example.net:8443",
            )
        )
    }
)
"""Each reason a payment may not be paid or not known for, and each code of the service."""
