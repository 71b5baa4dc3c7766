"""A model of the payment service, written from its description alone. Answers at once; the network is elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import (
    Accepted,
    CancelAccepted,
    CancelReply,
    InitiateReply,
    ListedTransaction,
    Listing,
    QueryReply,
    Refused,
    StatusReply,
    StatusReport,
)
from tests.unit.domain.listing_service import Service
from tests.verification.simulation.history import Held
from tests.verification.simulation.story import Story

INITIATED = "Merchant Initiated"
CANCELLED = "Merchant Cancel"
SUCCESS = "Payment Success"
SCANNED = "Verification Success"
SCAN_FAILED = "Verification Fail"
APPROVED = "Customer Approved"
FAILED = "Payment Fail"
REJECTED = "Customer Reject"
FAR_OFF = "2099-12-31 23:59:59"
FINAL = frozenset({SUCCESS, FAILED, REJECTED, CANCELLED})


class Request(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An initiate's body."""

    merchant_pg_identifier: str
    counter_id: int
    external_merchant_transaction_id: str
    charge_total: Decimal
    transaction_date_time: str
    wallet_account_number: str = ""
    invoice_number: str = ""
    payment_reference: str = ""


class _Envelope(msgspec.Struct, frozen=True):
    request: Request


_decode = msgspec.json.Decoder(_Envelope).decode


class Transaction:
    """One row of the service's ledger."""

    def __init__(self, gateway: Gateway, request: Request, kind: str, wallet_id: str, at: int) -> None:
        self.gateway = gateway
        self.asked_by: tuple[str, int] = ("", 0)
        self.sent_by: tuple[str, int] = ("", 0)
        self.request = request
        self.kind = kind
        self.wallet_id = wallet_id
        self.timeline: list[tuple[int, str]] = [(at, INITIATED)]
        self.cancel_refused = False

    @property
    def status(self) -> str:
        """As it is now."""
        return self.timeline[-1][1]


class Gateway:
    """Unique ids; cancel in Merchant Initiated only; what is final stays, unless `e1` is broken.

    `refusal` says with which code this customer's initiate is refused ("" when it is not); a refused id
    stays refused, unless `e2` is broken. `e3`, which the status table takes for granted: a failed
    verification whose cancel was answered 5006 is never followed by a scan.
    `arrived` is told of each new transaction. `story` says how it lists. One beside an `other` lies: whatever was
    asked for there is paid, says it.
    """

    def __init__(
        self,
        refusal: Callable[[Request], str],
        arrived: Callable[[Transaction], None],
        *,
        e1: bool,
        e2: bool,
        e3: bool,
        story: Story | None = None,
        origin: str = "",
        other: Gateway | None = None,
    ) -> None:
        self._refusal = refusal
        self._arrived = arrived
        self._e1 = e1
        self._e2 = e2
        self._e3 = e3
        self.origin = origin
        self._other = other
        self._story = story
        self.ledger: dict[str, Transaction] = {}
        self._by_wallet: dict[str, Transaction] = {}
        self._refused: dict[str, str] = {}

    def initiate(
        self,
        at: int,
        kind: str,
        body: bytes,
        asked_by: tuple[str, int] = ("", 0),
        sent_by: tuple[str, int] = ("", 0),
    ) -> InitiateReply:
        """POST initiate/push or initiate/qr. Whose customer it is, and which line sent it when, no service knows."""
        request = _decode(body).request
        external_id = request.external_merchant_transaction_id
        if external_id in self.ledger:
            return Refused("5000", "externalMerchantTransactionId must be unique")
        earlier = self._refused.get(external_id, "")
        if earlier and self._e2:
            return Refused(earlier)
        code = "" if earlier else self._refusal(request)
        if code:
            self._refused[external_id] = code
            return Refused(code)
        transaction = Transaction(self, request, kind, f"W{len(self.ledger) + 1:05d}", at)
        transaction.asked_by, transaction.sent_by = asked_by, sent_by
        self.ledger[external_id] = self._by_wallet[transaction.wallet_id] = transaction
        self._arrived(transaction)
        return self.accepted(transaction)

    def accepted(self, transaction: Transaction) -> Accepted:
        """Initiate's success."""
        external_id = transaction.request.external_merchant_transaction_id
        qr = f"QR:{external_id}" if transaction.kind == "qr" else ""
        return Accepted(transaction.wallet_id, external_id if qr else "", qr)

    def refuse(self, body: bytes, code: str) -> None:
        """This id is refused, and so is each copy of it that comes later."""
        external_id = _decode(body).request.external_merchant_transaction_id
        if external_id not in self.ledger:
            self._refused.setdefault(external_id, code)

    def status(self, external_id: str, wallet_id: str = "", *, back: int = 0) -> StatusReply:
        """POST getstatus; `back`: as it stood so many states ago (a stale read), none at all before the first."""
        found = self._find(external_id, wallet_id)
        if found is None and self._other is not None and external_id in self._other.ledger:
            truth = self._other.status(external_id)
            return replace(truth, name=SUCCESS) if isinstance(truth, StatusReport) else truth
        if found is None or back >= len(found.timeline):
            return Refused("5009", "Cannot find transaction")
        asked = found.request
        return StatusReport(
            found.timeline[-1 - back][1],
            asked.external_merchant_transaction_id,
            found.wallet_id,
            asked.charge_total,
            asked.merchant_pg_identifier,
            asked.invoice_number,
            asked.transaction_date_time,
        )

    def _find(self, external_id: str, wallet_id: str) -> Transaction | None:
        if wallet_id:
            return self._by_wallet.get(wallet_id)
        return self.ledger.get(external_id)

    def query(self, at: int, wanted: QueryFilter) -> QueryReply:
        """POST query, as the story says that it lists."""
        story = self._story
        if story is None:
            return Listing()
        service = Service(
            rows=list(self._rows(at - story.list_lag, wanted.counter_id)),
            cut=story.list_cut,
            order=story.list_order,  # type: ignore[arg-type]  # as in a story's text
            dates=story.list_dates,  # type: ignore[arg-type]
            pages=story.list_pages,  # type: ignore[arg-type]
            page=max(1, story.list_cut),
            seed=at,
        )
        return service.query(wanted if wanted.to_date else replace(wanted, to_date=FAR_OFF))

    def _rows(self, at: int, counter_id: str) -> Iterator[ListedTransaction]:
        for external_id, each in self.ledger.items():
            if each.timeline[0][0] <= at and counter_id in ("", str(each.request.counter_id)):
                yield ListedTransaction(
                    each.wallet_id,
                    external_id,
                    each.request.transaction_date_time,
                    each.request.wallet_account_number,
                    each.request.charge_total,
                    each.status,
                )

    def cancel(self, at: int, external_id: str) -> CancelReply:
        """POST cancel."""
        found = self.ledger.get(external_id)
        if found is None:
            return Refused("5009", "Cannot find transaction")
        if found.status != INITIATED:
            found.cancel_refused = True
            return Refused("5006", "Cannot change status; transaction already processed")
        found.timeline.append((at, CANCELLED))
        return CancelAccepted(external_id, found.wallet_id)

    def refuse_cancel(self, external_id: str) -> None:
        """A cancel is answered 5006 though it came in time; it means the same from then on."""
        found = self.ledger.get(external_id)
        if found is not None:
            found.cancel_refused = True

    def move(self, at: int, external_id: str, status: str) -> bool:
        """The customer does something; whether it counted. Nothing moves what is final while E1 holds."""
        found = self.ledger[external_id]
        if found.status == status or (found.status in FINAL and (self._e1 or found.status == SUCCESS)):
            return False
        if self._e3 and found.cancel_refused and found.status == SCAN_FAILED:
            return False
        found.timeline.append((at, status))
        return True

    def held(self, *, live: bool) -> tuple[Held, ...]:
        """The ledger, to be judged."""
        return tuple(
            Held(
                external_id,
                each.request.charge_total,
                each.kind,
                each.request.wallet_account_number,
                each.request.merchant_pg_identifier,
                tuple(each.timeline),
                live,
                self.origin,
                each.asked_by,
                *each.sent_by,
                each.request.transaction_date_time,
                each.request.counter_id,
            )
            for external_id, each in self.ledger.items()
        )
