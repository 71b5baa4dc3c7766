"""A sale's attempt to be paid: one initiate with its own external id, and the durable facts known of it."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

import msgspec


class Environment(StrEnum):
    """Where the money is real and where it is not; never mixed in one journal."""

    LIVE = "live"
    SANDBOX = "sandbox"


class Kind(StrEnum):
    """How the customer is asked to pay."""

    PUSH = "push"
    QR = "qr"


class State(StrEnum):
    """The states of docs/payment-rules.md, by their bare names."""

    INTENT = "INTENT"
    IN_DOUBT = "IN_DOUBT"
    WAITING = "WAITING"
    UNRESOLVED = "UNRESOLVED"
    DISPUTED = "DISPUTED"
    PAID = "PAID"
    PAID_LATE = "PAID_LATE"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    REFUSED = "REFUSED"
    NOT_SENT = "NOT_SENT"
    SIGNED_OFF = "SIGNED_OFF"


OPEN = frozenset({State.INTENT, State.IN_DOUBT, State.WAITING})
ATTENTION = frozenset({State.UNRESOLVED, State.DISPUTED})
FINAL = frozenset(State) - OPEN - ATTENTION
MONEY = frozenset({State.PAID, State.PAID_LATE})

NOTE_MOST = 24
"""So many characters of what is noted of a parked payment: it stands on a chip, and tells customers apart, no more."""


class Reason(StrEnum):
    """Why an attempt stands where it stands, where the state's name alone does not say it."""

    NONE = ""
    PAYMENT_FAILED = "payment_failed"
    CUSTOMER_REJECTED = "customer_rejected"
    VERIFICATION_FAILED = "verification_failed"
    NO_NAME = "name_not_resolved"
    NO_CONNECTION = "no_connection"
    NOT_PROVEN = "service_identity_not_proven"
    HTTP_REFUSED = "http_refused"
    GAVE_UP = "gave_up"
    NO_ANSWER = "no_answer"
    UNREADABLE = "unreadable_replies"
    UNKNOWN_STATUS = "unknown_status"
    MISCONFIGURED = "misconfigured"
    REFUSED_COPY = "refused_but_a_copy_may_be_on_its_way"
    OTHER_AMOUNT = "other_amount"
    OTHER_TRANSACTION = "other_transaction"
    CONTRADICTED = "contradicted_after_paid"
    IDENTITY_USED_TWICE = "identity_used_twice"
    CODE_NEVER_SHOWN = "code_never_shown"
    OTHER_ORIGIN = "opened_at_another_service"
    NOT_PROVEN_OURS = "not_proven_to_be_this_tills"


class Flag(StrEnum):
    """Noteworthy things that happened to an attempt without changing its state."""

    STATUS_REGRESSED = "STATUS_REGRESSED"
    CONTRADICTED = "CONTRADICTED"
    CANCEL_NOT_OURS = "CANCEL_NOT_OURS"
    CANCEL_TOO_LATE = "CANCEL_TOO_LATE"
    CANCEL_NOT_ALLOWED = "CANCEL_NOT_ALLOWED"
    ASK_NOT_ALLOWED = "ASK_NOT_ALLOWED"
    QR_LOST = "QR_LOST"
    UNKNOWN_STATUS = "UNKNOWN_STATUS"
    SIGN_IN_REFUSED = "SIGN_IN_REFUSED"
    OTHER_TRANSACTION = "OTHER_TRANSACTION"
    FIRST_SEND_WAS_DUPLICATE = "FIRST_SEND_WAS_DUPLICATE"


class CancelWish(msgspec.Struct, frozen=True):
    """A durable record that an attempt is to be cancelled: who wanted it and when (till time, ms)."""

    who: str
    at: int


class Resolution(msgspec.Struct, frozen=True):
    """A person's answer to what the till cannot settle: complete, refund, paid or not_paid."""

    action: str
    name: str
    reason: str
    at: int


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """The durable facts of one initiate. Times are till time in ms (see engine.clock), amounts exact.

    The wallet number itself is not here: it lies sealed in the journal with the bytes that were sent;
    `wallet_mask` is fit for any screen and `wallet_digest` (keyed) tells equal numbers apart. `recovered`: it
    was entered again after a journal was lost, and not all that was known of it is known now.

    `note`: whose payment it is, as the cashier who parked it wrote it down.

    `prices`: what the amount was added up of at the till, () where it was typed as one.

    `origin`: the address of the service that it was opened at, and the only one that is ever asked about it
    (rule 10); "" in journals of versions that did not write it down (domain.origins says what those mean).
    `other_origin`: the address that the settings named when it was set aside as another service's.

    `receipt`: the number of its receipt among those of the installation `receipt_of`, given when it first became
    money; 0 for what never did, and for what did under a version that gave none (domain/receipt.py).
    """

    attempt_id: str
    sale_id: str
    number: int
    kind: Kind
    amount: Decimal
    currency: str
    merchant_id: str
    counter_id: int
    environment: Environment
    owner: str
    tapped_at: int
    tapped_wall: str
    transaction_date_time: str
    give_up_after_ms: int
    extendable: bool = True
    wallet_mask: str = ""
    wallet_digest: str = ""
    invoice_number: str = ""
    payment_reference: str = ""
    prices: tuple[Decimal, ...] = ()
    origin: str = ""

    state: State = State.INTENT
    reason: Reason = Reason.NONE
    code: str = ""
    http_status: int = 0
    shown: bool = False
    service_status: str = ""
    wallet_transaction_id: str = ""
    qr_text: str = ""
    resends: int = 0
    reply_at: int | None = None
    progress_at: int | None = None
    cancel_wish: CancelWish | None = None
    gave_up_at: int | None = None
    released_at: int | None = None
    ended_at: int | None = None
    parked: bool = False
    note: str = ""
    refusal_opened: bool = False
    first_send_duplicate: bool = False
    recovered: bool = False
    flags: frozenset[Flag] = frozenset()
    resolution: Resolution | None = None
    other_origin: str = ""
    receipt: int = 0
    receipt_of: str = ""

    @property
    def is_final(self) -> bool:
        """No further reply moves it, except a late success or a contradiction."""
        return self.state in FINAL

    @property
    def is_open(self) -> bool:
        """Still between the tap and an end."""
        return self.state in OPEN

    @property
    def qr_showable(self) -> bool:
        """The QR is on a screen only while the attempt waits (docs/payment-rules.md, What each status means)."""
        return self.state is State.WAITING and bool(self.qr_text) and self.cancel_wish is None

    @property
    def lets_another_start(self) -> bool:
        """Rule 5: nothing of this attempt can still take money, by our own record or the service's word."""
        match self.state:
            case State.NOT_SENT | State.FAILED | State.CANCELLED:
                return True
            case State.REFUSED:
                return self.refusal_opened
            case State.SIGNED_OFF:
                return self.resolution is not None and self.resolution.action == "not_paid"
            case _:
                return False

    @property
    def needs_answer(self) -> bool:
        """A person has to settle it: it is unresolved, disputed, late, or paid in spite of a cancel wish."""
        if self.state in ATTENTION:
            return True
        if self.resolution is not None:
            return False
        return self.state is State.PAID_LATE or (self.state is State.PAID and self.cancel_wish is not None)
