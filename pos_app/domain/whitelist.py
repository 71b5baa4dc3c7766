"""What of the journal may leave the counter for the store: kinds and fields, by name. Pure.

What is not named here stays. Sealed bytes, replies, numbers of people and wallets, digests of them and passcodes have
no name here, and a kind without a row leaves as its number, kind and MAC alone: no gap, and no content. A new field
of a payment is in OF_ATTEMPT or in NEVER: tests/unit/domain/test_whitelist.py asks for the decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pos_app.domain import membership
from pos_app.domain.attempt import Attempt
from pos_app.domain.day import Z, z_in
from pos_app.domain.people import Person
from pos_app.domain.print_job import KINDS as OF_PRINTING
from pos_app.domain.print_job import PrintJob
from pos_app.domain.reconcile import Difference, Run
from pos_app.domain.refund import KINDS as OF_NOTES
from pos_app.domain.refund import Note
from pos_app.domain.sale import Sale

OF_ATTEMPT = frozenset({
    "attempt_id", "sale_id", "number", "kind", "amount", "currency", "merchant_id", "counter_id", "environment",
    "owner", "tapped_at", "tapped_wall", "transaction_date_time", "give_up_after_ms", "extendable", "wallet_mask",
    "prices", "origin", "state", "reason", "code", "http_status", "shown", "service_status", "wallet_transaction_id",
    "resends", "reply_at", "progress_at", "cancel_wish", "gave_up_at", "released_at", "ended_at", "parked", "note",
    "refusal_opened", "first_send_duplicate", "recovered", "flags", "resolution", "other_origin", "receipt",
    "receipt_of",
})  # fmt: skip
OF_SALE = frozenset({
    "sale_id", "amount", "currency", "counter_id", "owner", "opened_at", "prices", "overpaid", "refund",
})  # fmt: skip
REFERENCES = frozenset({"invoice_number", "payment_reference"})
"""Of a payment and of its sale, where the shop wants it: `[store] references`."""
OF_PERSON = frozenset({"person_id", "name", "role"})
NEVER = frozenset({
    "qr_text", "wallet_digest",
    "number_mask", "number_digest", "enabled", "passcode_set", "passcode_signs_in", "passcode_dead", "language",
})  # fmt: skip
"""Of a payment and of a person."""

_BY = ("who",)
_SIGNED = ("name", "reason")
OF_KIND: Mapping[str, tuple[str, ...]] = {
    "INTENT": ("another_customer",),
    "INITIATE_ANSWERED": ("resend",),
    "STATUS_ANSWERED": (),
    "CANCEL_ANSWERED": (),
    "TIME_CAME": (),
    "TILL_STARTED": (),
    "SIGN_IN_RENEWED": (),
    "CONNECTION_RETURNED": (),
    "ANOTHER_STARTED": (),
    "SUPERSEDED": ("by",),
    "CANCEL": _BY,
    "CLOSE": _BY,
    "CONTINUE": _BY,
    "CHECK_NOW": _BY,
    "PARK": _BY,
    "LEAVE_PANEL": _BY,
    "ANSWER": ("who", "action", "name", "reason", "way"),
    "RECOVERED": ("proven", "listed", "entered", "z", "corrects", "late", "paid_at"),
    "SALE_OVERPAID": (),
    "REFUND_SIGNED": (),
    "IDENTITY_USED_TWICE": ("attempt_id", "installation_id"),
    "ON_MACHINE": ("installation_id",),
    "INSTALLATION_TAKEN": ("installation_id", "before", "why"),
    "INSTALLATION_TOLD": ("person",),
    "SIGN_IN_REFUSED": (),
    "WRITE_REFUSED": (),
    "SETTINGS_IN_FORCE": ("changed",),
    "SETTINGS_NOT_WRITTEN": (),
    "PERMITTED": ("act", *_SIGNED),
    "JOURNAL_REBUILT": ("installations", "next_sale", "since", "found"),
    "JOURNAL_REBUILD_ENDED": ("found", "incomplete", "others"),
    "JOURNAL_MENDED": ("findings",),
    "JOURNAL_DAMAGED": ("findings",),
    "SERVICE_NAMED": ("origin",),
    "X_READ": ("whose", "name"),
    "CLOSING_BEGAN": ("request_id", "name", "why"),
    "CLOSING_LEFT": ("request_id", "name"),
    "CLOCK_MOVED": ("from", "to"),
    "DIFFERENCE_DECIDED": ("keys", *_SIGNED),
    "DIFFERENCES_GONE": ("keys",),
    "PERSON_ENROLLED": (),
    "PERSON_RENUMBERED": (),
    "PERSON_CHANGED": (),
    "PERSON_RECOVERED": (),
    "SIGNED_IN": (),
    "SWITCHED": (),
    "LOCKED": (),
    "UNLOCKED": (),
    "SIGNED_OUT": (),
    "APPROVED": _SIGNED,
    "APPROVAL_REFUSED": ("act",),
    "RIGHT_REFUSED": ("act",),
    "NUMBER_UNMASKED": ("act", *_SIGNED),
    membership.JOINED: ("store_id", "store_name", "shop_name", "counter", "installation_id"),
    membership.LEFT: ("store_id", "installation_id", "told"),
    membership.BEHIND: ("held", "acknowledged", "epoch"),
    membership.CONVICTED: ("why", "first", "last", "head", "installation_id"),
    membership.HINTED: ("entered", "others", "installation_id"),
}
"""By kind, the fields of what it says of itself."""

_WHOLE: Mapping[str, tuple[str, type[msgspec.Struct], tuple[str, ...]]] = {
    **dict.fromkeys(OF_PRINTING, ("job", PrintJob, ())),
    **dict.fromkeys(OF_NOTES, ("note", Note, ())),
    "RECON_BEGAN": ("run", Run, ("name",)),
    "RECON_ENDED": ("run", Run, ()),
    "DIFFERENCE_FOUND": ("difference", Difference, ("run", "decided")),
}
"""Kinds that hold one value whole: under which name, as what (only what that type declares leaves), and beside it."""

Z_CLOSED = "Z_CLOSED"
KINDS = frozenset({*OF_KIND, *_WHOLE, Z_CLOSED})
"""Every kind that leaves with its content."""


def event_of(kind: str, event: Mapping[str, Any]) -> dict[str, Any]:
    """What leaves of what an event of a listed kind says of itself. Raises msgspec.ValidationError where it is none."""
    if kind == Z_CLOSED:
        return _declared(z_in(event))
    if kind in _WHOLE:
        name, of, beside = _WHOLE[kind]
        whole = _declared(msgspec.convert(event.get(name), of))
        return {name: whole} | {each: event[each] for each in beside if each in event}
    return {each: event[each] for each in OF_KIND[kind] if each in event}


def attempt_of(attempt: Attempt, *, references: bool) -> dict[str, Any]:
    """What leaves of a payment, as JSON has it: amounts as exact text, times in ms."""
    return _listed(attempt, OF_ATTEMPT | REFERENCES if references else OF_ATTEMPT)


def sale_of(sale: Sale, *, references: bool) -> dict[str, Any]:
    """What leaves of a sale."""
    return _listed(sale, OF_SALE | REFERENCES if references else OF_SALE)


def person_of(person: Person) -> dict[str, Any]:
    """What leaves of a person."""
    return _listed(person, OF_PERSON)


def _listed(fact: Attempt | Sale | Person, fields: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in _declared(fact).items() if name in fields}


def _declared(value: msgspec.Struct | Z) -> dict[str, Any]:
    """As JSON has it, with no field that its type does not declare."""
    found: dict[str, Any] = msgspec.to_builtins(value)
    return found
