"""What the engine asks of whoever talks to the services. Answers come back as events, posted to the engine."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from pos_app.domain.attempt import Kind
from pos_app.domain.membership import Conviction, StoreView
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import NoAnswer, OtpSendReply, OtpSubmitReply, QueryReply, StatusReply, Why
from pos_app.domain.sale import Order
from pos_app.domain.secret import Secret
from pos_app.domain.shipping import Told
from pos_app.domain.views import PaymentRows, PaymentsCounted, ToldElsewhere


class StaffNews(msgspec.Struct, frozen=True):
    """What came of a call about somebody's code or passcode."""


class OtpSendAnswered(StaffNews, frozen=True):
    """validate-code came back, or did not. `person_id` is what send_otp was called with, as in the next one."""

    person_id: str
    reply: OtpSendReply


class OtpSubmitAnswered(StaffNews, frozen=True):
    """submit-code came back, or did not."""

    person_id: str
    server_ref: str
    reply: OtpSubmitReply


class PasscodeChecked(StaffNews, frozen=True):
    """Whether the passcode was right; None: that could not be found out."""

    check: int
    right: bool | None


class PasscodeHashed(StaffNews, frozen=True):
    """The hash to store; None: it could not be made. `same`: it is the passcode from before, not hashed."""

    check: int
    hashed: bytes | None
    same: bool = False


class ProbeAnswered(msgspec.Struct, frozen=True):
    """A probe of the payment service came back, or did not."""

    reply: StatusReply | QueryReply


class TokenLooked(msgspec.Struct, frozen=True):
    """Whether another token stands on this machine than the one that was refused."""

    has_changed: bool


class RecordNews(msgspec.Struct, frozen=True):
    """News of the record itself, not of a payment."""


class ListAnswered(RecordNews, frozen=True):
    """A list of the service's came back, or did not."""

    wanted: QueryFilter
    reply: QueryReply


class JournalFound(RecordNews, frozen=True):
    """A look over the journal found places that are not as they were written."""

    findings: tuple[str, ...]


class JournalMended(RecordNews, frozen=True):
    """What the journal's own start found and made anew from its events."""

    findings: tuple[str, ...]


class DayCounted(RecordNews, frozen=True):
    """The open period's payments were counted one by one. None: the journal could not be read."""

    agrees: bool | None


class HistoryRead(RecordNews, frozen=True):
    """What was looked up among all payments; to be published as it is."""

    answer: PaymentsCounted | PaymentRows


class ElsewhereRead(RecordNews, frozen=True):
    """What a store told of the shop's counters, or that it did not; to be published as it is."""

    answer: ToldElsewhere


class LockLost(RecordNews, frozen=True):
    """The journal's lock was removed or replaced: a second till may be on it. It does not come back."""


class StoreNews(msgspec.Struct, frozen=True):
    """News of the store that this counter belongs to. No payment changes by any."""


class StoreSaid(StoreNews, frozen=True):
    """How it stands with the store."""

    view: StoreView


class StoreConvicted(StoreNews, frozen=True, kw_only=True):
    """The store showed this counter's own signature over a history that its journal does not have.

    It was signed for the events `first` to `last`; the journal's newest is `head`.
    """

    why: Conviction
    first: int
    last: int
    head: int
    installation_id: str


class StoreFellBehind(StoreNews, frozen=True, kw_only=True):
    """The store holds less than it had acknowledged: it is sent again."""

    held: int
    acknowledged: int
    epoch: int


class MembershipChanged(StoreNews, frozen=True, kw_only=True):
    """A store took this counter in, or it wants to belong to it no more: to be recorded, by the wish of `actor`.

    `kind`, `content`: of the event (domain/membership.py). `installation_id`: as which it was said.
    """

    request_id: str
    actor: str
    kind: str
    content: dict[str, Any]
    installation_id: str


class StoreTold(StoreNews, frozen=True, kw_only=True):
    """Payments of this installation that the store was told of and the journal does not hold: hints, never facts.

    `more`: so many others are not named here. `forgotten`: so many events at most it was told of and the journal lost,
    by this counter's own signature; no sale of them has a higher number than the journal's next one and these.
    """

    installation_id: str
    told: tuple[Told, ...]
    more: int = 0
    forgotten: int = 0


UNSENT = NoAnswer(Why.CONNECT, sent=False, detail="not sent: it could not be recorded first")
HELD_BACK = NoAnswer(Why.CONNECT, sent=False, detail="not sent: a wish or the end of its time came first")
"""The till's own words in the place of a reply; they say nothing of the line."""

BROKE = NoAnswer(Why.BROKEN, sent=True, detail="the till's own call broke")
"""In the place of a reply that a fault of our own has lost: the request may have arrived."""


class Calls(Protocol):
    """Starts calls and returns at once; each posts its fact when it is done, however it ends."""

    def initiate_body(self, order: Order) -> bytes:
        """The exact bytes of an initiate. Pure."""
        ...

    def initiate(
        self, attempt_id: str, kind: Kind, body: bytes, *, resend: bool, within_ms: int | None
    ) -> None:
        """Posts InitiateAnswered. What has not begun to leave after `within_ms` does not leave."""
        ...

    def hold_back(self, attempt_id: str) -> None:
        """The initiate under way for it does not leave, if none of its bytes has; it is answered as ever."""
        ...

    def ask(self, attempt_id: str, wallet_transaction_id: str, *, behind: bool) -> None:
        """Posts StatusAnswered. `behind`: calls for whoever stands before the till go first."""
        ...

    def cancel(self, attempt_id: str, *, behind: bool) -> None:
        """Posts CancelAnswered."""
        ...

    def probe(self, attempt_id: str) -> None:
        """Asks for this attempt, or for today's list when it is empty; posts ProbeAnswered."""
        ...

    def look_for_token(self) -> None:
        """Posts TokenLooked."""
        ...

    def send_otp(self, person_id: str, msisdn: str, message: str) -> None:
        """Posts OtpSendAnswered."""
        ...

    def submit_otp(self, person_id: str, server_ref: str, pin: str) -> None:
        """Posts OtpSubmitAnswered."""
        ...

    def check_passcode(self, check: int, passcode: Secret, hashed: bytes) -> None:
        """Posts PasscodeChecked."""
        ...

    def hash_passcode(self, check: int, passcode: Secret, before: bytes | None) -> None:
        """Posts PasscodeHashed; `before`: the hash of the one they had."""
        ...
