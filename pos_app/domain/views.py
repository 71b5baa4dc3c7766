"""What the engine publishes to whoever looks: frozen pictures of the terminal, the sign-in and an attempt."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.people import Person
from pos_app.domain.rebuilt import Rebuilt
from pos_app.domain.sale import Sale


class Connection(StrEnum):
    """How the payment service answers just now."""

    UNKNOWN = "unknown"
    CONNECTED = "connected"
    LOST = "lost"
    SLOW = "slow"
    SIGN_IN_REFUSED = "sign_in_refused"


class Block(StrEnum):
    """Why no new payment may start at this terminal."""

    NONE = ""
    STARTING = "finishing_payments_from_before"
    SIGN_IN_REFUSED = "sign_in_refused"
    IDENTITY_USED_TWICE = "identity_used_twice"
    JOURNAL_HALTED = "journal_halted"
    ENGINE_HALTED = "engine_halted"
    REBUILDING = "rebuilding_the_record"


class Terminal(msgspec.Struct, frozen=True, kw_only=True):
    """The terminal at a glance. `retry_in_s` is the wait to the next check while the connection is lost."""

    connection: Connection = Connection.UNKNOWN
    block: Block = Block.STARTING
    block_detail: str = ""
    retry_in_s: float = 0
    people: tuple[Person, ...] = ()
    signed_in: Person | None = None
    open: tuple[Attempt, ...] = ()
    attention: tuple[Attempt, ...] = ()
    recent: tuple[Attempt, ...] = ()
    overpaid: tuple[Sale, ...] = ()
    rebuilt: Rebuilt | None = None


class Activity(msgspec.Struct, frozen=True, kw_only=True):
    """How the till is working on an attempt just now; never journalled.

    `ask_code`: the service refused the last ask with this code, which says nothing of the payment.
    """

    sending: bool = False
    asking: bool = False
    cancelling: bool = False
    connection: Connection = Connection.CONNECTED
    next_ask_in_s: float | None = None
    ask_code: str = ""
    elapsed_s: float = 0
    from_before_restart: bool = False
    may_continue: bool = False


class AttemptChanged(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt as it now is, with its sale, the sale's other attempts and what the till does about it."""

    attempt: Attempt
    sale: Sale
    siblings: tuple[Attempt, ...] = ()
    activity: Activity = Activity()
    may_start_another: bool = False


class ChargeOpened(msgspec.Struct, frozen=True):
    """The intent is durable: this is the attempt a Charge became."""

    request_id: str
    attempt_id: str
    sale_id: str


class Decline(StrEnum):
    """Why a Charge was not started; nothing was sent, nothing is open because of it."""

    BLOCKED = "blocked"
    LOOKS_OPEN = "looks_like_one_already_open"
    EARLIER_ATTEMPT_OPEN = "earlier_attempt_open"
    NOT_DURABLE = "cannot_be_recorded"
    BAD_AMOUNT = "bad_amount"
    BAD_NUMBER = "bad_number"
    BAD_TEXT = "bad_text"
    UNKNOWN_SALE = "unknown_sale"


class ChargeDeclined(msgspec.Struct, frozen=True):
    """A Charge was not started. `similar` is rule 17's open payment, if that is why."""

    request_id: str
    decline: Decline
    block: Block = Block.NONE
    similar: Attempt | None = None
    similar_age_s: float = 0


class SignInStep(StrEnum):
    """Where the sign-in of a person stands."""

    IDLE = "idle"
    SENDING = "sending"
    CODE_SENT = "code_sent"
    CHECKING = "checking"
    SIGNED_IN = "signed_in"
    REFUSED = "refused"


class SignIn(msgspec.Struct, frozen=True, kw_only=True):
    """The sign-in as the dialog shows it. `problem` is an OtpProblem of domain.otp, "" when all is well."""

    step: SignInStep
    person_id: str = ""
    number_mask: str = ""
    problem: str = ""
    tries_left: int | None = None
    resend_in_s: float | None = None
    wait_s: float | None = None
    resent: bool = False


Published = Terminal | AttemptChanged | ChargeOpened | ChargeDeclined | SignIn
