"""Reconciliation: the service's list beside our own payments, row by row, and what differs, with the money at risk.

Pure: it is handed rows and payments, and asks nobody. Three things hold everywhere here:

* **A row is matched by its id**, as number or text, else by the wallet id. Never by amount or time: two customers pay
  1250.00 in one minute every day. That a row looks like a sale is a hint for people (`looks_like`), and no match.
* **A list proves nothing (rule 10).** A row that says otherwise than our record makes a *candidate*: the payment is
  asked about by its id, through the flow, and only what then still differs is a difference.
* **Nothing here changes a payment.** A difference is told, and a manager may sign that it is looked after (a decision);
  it comes back as soon as its facts are others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any
from zlib import crc32

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import MONEY, OPEN, Attempt, Environment, Reason, Resolution, State
from pos_app.domain.flow.statuses import KNOWN, PAYMENT_SUCCESS, UNPAID_ENDS
from pos_app.domain.ids import ATTEMPTS_OF_A_SALE, parts_of
from pos_app.domain.list_reader import FORM, time_of
from pos_app.domain.replies import ListedTransaction, Refused, StatusReply, StatusReport
from pos_app.domain.sale import Sale
from pos_app.domain.text import hide_numbers

RECON = "recon:"
"""The subject of a run's events: this and its number."""

RECON_BEGAN = "RECON_BEGAN"
"""A run begins: which one (`run`)."""

RECON_WINDOW = "RECON_WINDOW"
"""A part of the list is done with, or a part of the asks (`Progress`). A restart goes on behind it."""

DIFFERENCE_FOUND = "DIFFERENCE_FOUND"
"""One of them: `difference`, of the run `run`; `decided`: the event of the decision that still holds for it."""

DIFFERENCE_DECIDED = "DIFFERENCE_DECIDED"
"""A manager signed for these (`keys`), with `name` and `reason`. No payment is changed by it."""

DIFFERENCES_GONE = "DIFFERENCES_GONE"
"""What an earlier run had found (`keys`), and this one, which was complete, did not find any more."""

RECON_ENDED = "RECON_ENDED"
"""The run is over, complete or not: which one (`run`), as it then is."""

KINDS = frozenset(
    {RECON_BEGAN, RECON_WINDOW, DIFFERENCE_FOUND, DIFFERENCE_DECIDED, DIFFERENCES_GONE, RECON_ENDED}
)

MOST_KEPT = 10_000
"""So many differences of a run are kept one by one; the others are counted: is this our merchant at all?"""

MOST_TILLS = 1_000
"""So many installations can share a counter before it is no counter."""

MOST_ASKED = 500
"""So many payments a run asks about."""

_BEYOND = 1 << 20

_UNPAID = frozenset(State) - MONEY - {State.SIGNED_OFF}
"""No money, whatever else is known of the payment; of what was signed off a manager's word says it."""

CLOSE_TO = timedelta(minutes=2)
"""So near in time, and equal in amount, a row looks like a sale. A hint, and no more."""


class DifferenceKind(StrEnum):
    """The twelve classes of difference, and one of our own books (RECEIPT_GAP: a receipt's number is missing)."""

    HERE_PAID = "here_paid"
    THERE_PAID = "there_paid"
    THERE_UNKNOWN = "there_unknown"
    AMOUNT = "amount"
    THERE_OPEN = "there_open"
    PAID_TWICE = "paid_twice"
    OTHER_ID = "other_id"
    OTHER_TILL = "other_till"
    FOREIGN = "foreign"
    UNKNOWN_STATUS = "unknown_status"
    UNREADABLE = "unreadable"
    INCOMPLETE = "incomplete"
    RECEIPT_GAP = "receipt_gap"


NOT_OURS = frozenset({DifferenceKind.OTHER_TILL})
"""Listed, and nothing that this till has to answer for."""


class Ours(msgspec.Struct, frozen=True, kw_only=True):
    """What a run needs of a payment; read from its snapshot, of which the rest is skipped."""

    attempt_id: str
    sale_id: str
    number: int
    state: State
    amount: Decimal
    currency: str
    merchant_id: str
    counter_id: int
    transaction_date_time: str
    tapped_at: int
    reason: Reason = Reason.NONE
    shown: bool = False
    wallet_transaction_id: str = ""
    resolution: Resolution | None = None
    origin: str = ""

    @property
    def place(self) -> int:
        """Its key in the journal's table."""
        return int(self.sale_id) * ATTEMPTS_OF_A_SALE + self.number

    @property
    def is_money(self) -> bool:
        """We say paid; by proof, or by a manager's word."""
        if self.state is State.SIGNED_OFF:
            return self.resolution is not None and self.resolution.action == "paid"
        return self.state in MONEY

    @property
    def was_money(self) -> bool:
        """We said paid until the service denied it: disputed now, and goods may have left all the same."""
        return self.state is State.DISPUTED and self.reason is Reason.CONTRADICTED


Fact = tuple[str, int, str, int, str]
"""What a payment's columns say of it: id, place, amount as text, when it was tapped (till ms), state."""


def ours_of(attempt: Attempt) -> Ours:
    """The same of an attempt that is in memory."""
    return msgspec.convert(attempt, Ours, from_attributes=True)


class There(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the service says of one transaction: in its list, or asked by id. No number of a wallet is kept.

    `code`: it refused to say anything of it, as 5009 for one that it does not find. `looks_like`: a sale of ours.
    """

    status: str = ""
    amount: Decimal | None = None
    external_id: str = ""
    wallet_transaction_id: str = ""
    at: str = ""
    code: str = ""
    looks_like: str = ""


def there_of(row: ListedTransaction) -> There:
    """A row of the list, without the payer's number."""
    return There(
        status=row.status,
        amount=row.amount,
        external_id=row.external_id,
        wallet_transaction_id=row.wallet_transaction_id,
        at=row.transaction_date_time,
    )


def there_by_id(reply: StatusReport) -> There:
    """What an ask said."""
    return There(
        status=reply.name,
        amount=reply.amount,
        external_id=reply.external_id,
        wallet_transaction_id=reply.wallet_transaction_id,
        at=reply.transaction_date_time,
    )


def echoed(identifier: str) -> str:
    """An id as it is compared: services echo "0123" as the number 123 (docs/services/merchant-payment.md)."""
    if identifier.isascii() and identifier.isdecimal():
        return identifier.lstrip("0") or "0"
    return identifier


def taken_twice(rows: Sequence[ListedTransaction]) -> dict[str, list[ListedTransaction]]:
    """By external id, what says of one id that money moved under it as more than one transaction."""
    if len({row.external_id for row in rows}) == len(rows):
        return {}
    found: dict[str, dict[str, ListedTransaction]] = {}
    for row in rows:
        if row.status == PAYMENT_SUCCESS and row.external_id and row.wallet_transaction_id:
            found.setdefault(row.external_id, {}).setdefault(echoed(row.wallet_transaction_id), row)
    return {each: [*named.values()] for each, named in found.items() if len(named) > 1}


def compare(ours: Ours, there: There) -> DifferenceKind | None:
    """What differs between our payment and the service's word on it; None: they are equal, or no money hangs on it.

    Amounts are exact Decimals; a status counts by its exact name.
    """
    if not there.status or there.amount is None:
        return DifferenceKind.UNREADABLE
    if there.status not in KNOWN:
        return DifferenceKind.UNKNOWN_STATUS
    if there.amount != ours.amount:
        return DifferenceKind.AMOUNT
    if there.status == PAYMENT_SUCCESS:
        return None if ours.is_money else DifferenceKind.THERE_PAID
    if ours.is_money:
        return DifferenceKind.HERE_PAID
    is_over_here = ours.state not in OPEN and ours.state not in (State.UNRESOLVED, State.DISPUTED)
    if is_over_here and there.status not in UNPAID_ENDS:
        return DifferenceKind.THERE_OPEN
    return None


class Difference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One of them. `subject`: the attempt's id, else the wallet id or what it is about; with `kind` it is the key.

    `at`: the transaction's own time ("2026-03-01 14:05:00"). `at_risk`: in `currency`; None: nobody can say.
    `asked`: the payment was asked about by its id, and the service answered. `count`: so many rows. `looks_like`: a
    sale of the same amount at the same time, a hint for people. `excerpt`: the id that a row has, redacted; of what is
    not whole, why.
    """

    kind: DifferenceKind
    subject: str
    at: str = ""
    currency: str = ""
    attempt_id: str = ""
    sale_id: str = ""
    wallet_transaction_id: str = ""
    here_state: str = ""
    here_amount: Decimal | None = None
    there_status: str = ""
    there_amount: Decimal | None = None
    at_risk: Decimal | None = None
    count: int = 1
    asked: bool = False
    looks_like: str = ""
    excerpt: str = ""

    @property
    def key(self) -> str:
        """The same difference in a later run has the same."""
        return f"{self.kind.value} {self.subject}"

    @property
    def facts(self) -> tuple[object, ...]:
        """What a decision was made about: where they are others, it is open again.

        Which receipts are missing is said by their numbers alone: as many others of the installation are another gap.
        """
        numbers = self.excerpt if self.kind is DifferenceKind.RECEIPT_GAP else ""
        return (
            self.here_state,
            self.here_amount,
            self.there_status,
            self.there_amount,
            self.at_risk,
            self.count,
            numbers,
        )


class Decided(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A difference as people see it: with the run that found it last, and the decision that holds for it."""

    difference: Difference
    run: int
    reason: str = ""
    name: str = ""
    wall: str = ""

    @property
    def is_open(self) -> bool:
        """Nobody has signed for it as it now is."""
        return not self.name and not self.reason and not self.wall


class Why(StrEnum):
    """Why a run ended before it was complete."""

    NONE = ""
    LEFT = "left"
    """People wanted to go on without it, or began another one."""
    TOO_LONG = "too_long"
    NOT_ANSWERED = "not_answered"
    REFUSED = "refused"
    CANNOT_READ = "cannot_read"


class Run(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run, from its beginning to its end. `first`, `last`: what it is about, local time in whole seconds.

    `z`: the Z whose day it is, at a closing that of the Z to come; 0 for a range of dates. `tapped_from`, `tapped_to`:
    the payments of ours in it, by till time (ms). `rows`: distinct ones of the list; `equal` of them are as we have
    them. `asked`: so many payments were asked about; `not_asked`: so many more should have been. `differences` counts
    what is kept, by class, `more` what is beyond that; `at_risk`: their sums in `currency`, as text. `complete`: the
    list was proven whole and everything that differed was asked about. `noted`: so many payments of ours in it have
    refund notes. Such a row stays equal: money that goes back outside stands in no list. `by_date`: of a range of
    dates; the payments in it are chosen by their own, and `tapped_from`, `tapped_to` are but what the clock says of it.
    """

    number: int
    first: str
    last: str
    tapped_from: int
    tapped_to: int
    z: int = 0
    currency: str = ""
    ended: bool = False
    complete: bool = False
    why: Why = Why.NONE
    rows: int = 0
    equal: int = 0
    calls: int = 0
    asked: int = 0
    not_asked: int = 0
    differences: dict[str, int] = {}
    at_risk: dict[str, str] = {}
    more: int = 0
    wall: str = ""
    noted: int = 0
    by_date: bool = False

    @property
    def own_differences(self) -> int:
        """All but what is not this till's to answer for, and but what says that the list was not whole."""
        left_out = {*NOT_OURS, DifferenceKind.INCOMPLETE}
        return self.more + sum(count for kind, count in self.differences.items() if kind not in left_out)

    @property
    def read_nothing(self) -> bool:
        """Nothing came of it at all."""
        return self.ended and not self.complete and not self.rows and self.why is not Why.LEFT


def run_in(content: Mapping[str, Any]) -> Run:
    """A run from its event. Raises msgspec.ValidationError, KeyError."""
    return msgspec.convert(content["run"], Run)


def difference_in(content: Mapping[str, Any]) -> Difference:
    """A difference from its event. Raises msgspec.ValidationError, KeyError."""
    return msgspec.convert(content["difference"], Difference)


class Marks:
    """One bit for each place (sale and attempt): 100,000 sales are 12.5 kB. Sparse: a block of them for 8,192 sales.

    `most`: so many blocks; a forger's list cannot make it larger.
    """

    _BLOCK = 8_192

    def __init__(self, most: int = 4_096) -> None:
        self._blocks: dict[tuple[int, int], bytearray] = {}
        self._most = most

    def add(self, place: int) -> bool:
        """Marks it; False where it was marked before, or there is no room for more."""
        block, byte, bit = self._spot(place)
        bits = self._blocks.get(block)
        if bits is None:
            if len(self._blocks) >= self._most:
                return False
            bits = self._blocks[block] = bytearray(self._BLOCK // 8)
        is_new = not bits[byte] & bit
        bits[byte] |= bit
        return bool(is_new)

    def add_all(self, places: Iterable[int]) -> list[int]:
        """Those of them that were not marked before, in their order. Neighbours cost less than each by itself."""
        added: list[int] = []
        low, high, nth, bits = 0, 0, -1, bytearray()
        for place in places:
            sale, number = divmod(place, ATTEMPTS_OF_A_SALE)
            if number != nth or not low <= sale < high:
                added += [place] if self.add(place) else []
                found = self._blocks.get((number, sale // self._BLOCK))
                if found is not None:
                    low, nth, bits = sale - sale % self._BLOCK, number, found
                    high = low + self._BLOCK
                continue
            at = sale - low
            bit = 1 << (at & 7)
            if not bits[at >> 3] & bit:
                bits[at >> 3] |= bit
                added.append(place)
        return added

    def without(self, places: Iterable[int]) -> list[int]:
        """Those of them that are not marked, in their order."""
        left: list[int] = []
        low, high, nth, bits = 0, 0, -1, bytearray()
        for place in places:
            sale, number = divmod(place, ATTEMPTS_OF_A_SALE)
            if number != nth or not low <= sale < high:
                left += [] if place in self else [place]
                found = self._blocks.get((number, sale // self._BLOCK))
                if found is not None:
                    low, nth, bits = sale - sale % self._BLOCK, number, found
                    high = low + self._BLOCK
                continue
            at = sale - low
            if not bits[at >> 3] & 1 << (at & 7):
                left.append(place)
        return left

    def numbers(self) -> set[int]:
        """Which numbers the marked attempts have within their sales."""
        return {number for number, _ in self._blocks}

    def __contains__(self, place: int) -> bool:
        block, byte, bit = self._spot(place)
        bits = self._blocks.get(block)
        return bits is not None and bool(bits[byte] & bit)

    def _spot(self, place: int) -> tuple[tuple[int, int], int, int]:
        sale, number = divmod(place, ATTEMPTS_OF_A_SALE)
        block, at = divmod(sale, self._BLOCK)
        return (number, block), at // 8, 1 << at % 8


def runs_of(places: Iterable[int]) -> list[list[int]]:
    """Places as few pairs: [the first, how many sales in a row], each attempt number by itself."""
    found: list[list[int]] = []
    awaited = -1
    ordered = sorted(places)
    if len({each % ATTEMPTS_OF_A_SALE for each in ordered}) > 1:
        ordered.sort(key=lambda each: each % ATTEMPTS_OF_A_SALE)
    for place in ordered:
        if place == awaited:
            found[-1][1] += 1
        else:
            found.append([place, 1])
        awaited = place + ATTEMPTS_OF_A_SALE
    return found


def places_of(runs: Iterable[Sequence[int]]) -> Iterator[int]:
    """The places again."""
    for first, count in runs:
        for step in range(count):
            yield first + step * ATTEMPTS_OF_A_SALE


class Candidate(msgspec.Struct, frozen=True, omit_defaults=True):
    """A payment to be asked about, and why. `listed` is None for one that the list does not hold."""

    attempt_id: str
    kind: DifferenceKind | None = None
    listed: There | None = None


class Progress(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is written when a part is done with: with those before it, all that a run knows after a crash.

    `first`, `last`: the window of the list, in the reading `turn`; with `why` it is not whole. `seen`, `paid`: places
    (`runs_of`) whose rows have been met, and met as paid. `ask`: candidates; `settled`: such as are none any more.
    `loose`: rows that are nobody's we know. `tills`: by installation places, their rows and what was paid of them.
    Counts are those of the run so far.
    """

    turn: int = 1
    first: str = ""
    last: str = ""
    why: str = ""
    rows: int = 0
    equal: int = 0
    calls: int = 0
    seen: list[list[int]] = []
    paid: list[list[int]] = []
    ask: list[Candidate] = []
    loose: list[There] = []
    tills: dict[str, tuple[list[list[int]], int, Decimal]] = {}
    settled: list[str] = []
    asked: int = 0
    more: int = 0


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Whose list it is. `installations`: all that this journal ever was; `own`: what it sells under now."""

    environment: Environment
    own: str
    installations: frozenset[str]
    currency: str
    counter_id: int
    merchant_id: str
    origin: str = ""


class Comparison:
    """One run in memory: it is told rows and payments, and says who is to be asked and what differs.

    In this order: `take` for each row of each answer, `scan` for each of our payments of the range, `settle` for each
    that was asked about, `rest` at the end. Its memory does not grow with the rows: what is equal leaves two bits.
    """

    def __init__(self, run: Run, site: Site) -> None:
        self._run = run
        self._site = site
        self._seen, self._paid = Marks(), Marks()
        self._of_tills: dict[str, Marks] = {}
        self._tills: dict[str, tuple[int, Decimal]] = {}
        self._candidates: dict[str, Candidate] = {}
        self._settled: set[str] = set()
        self._loose: dict[str, There] = {}
        self._by_wallet: dict[str, str] = {}
        self._unknown: dict[str, There] = {}
        self._paid_twice: dict[str, int] = {}
        self._news = _News()
        self._beyond = bytearray()
        """A bit for each row that there was no room for, by its hash: a list shows one row in several answers."""
        self.rows = self.equal = self.more = 0
        self.missing: dict[str, str] = {}
        """Payments that the service is known to have and that its list does not hold, with their times."""

    # The list.

    def take_equal(
        self, rows: Iterable[ListedTransaction], facts: Mapping[str, Fact]
    ) -> list[ListedTransaction]:
        """Takes those rows that are beyond doubt as we have them, and have not been met before or mean nothing new;
        the others are for `take`. `facts`: of the payments that the rows' ids name, newer than which nothing is.

        Nearly all rows of a shop are such: no object is made of them or of their payments.
        """
        left: list[ListedTransaction] = []
        money: list[int] = []
        unpaid: list[int] = []
        run = self._run
        special = self._settled.union(self._candidates, self.missing)
        for row in rows:
            fact = facts.get(row.external_id)
            if fact is not None:
                attempt_id, place, amount, tapped_at, state = fact
                if run.by_date:
                    is_of_range = run.first <= row.transaction_date_time <= run.last
                else:
                    is_of_range = run.tapped_from <= tapped_at <= run.tapped_to
                # Another spelling of the amount is for exact Decimals to judge.
                if str(row.amount) == amount and is_of_range and attempt_id not in special:
                    if row.status == PAYMENT_SUCCESS and state in MONEY:
                        money.append(place)
                        continue
                    if row.status in UNPAID_ENDS and state in _UNPAID:
                        unpaid.append(place)
                        continue
                # What an answer says of it twice is taken in its order.
                special.add(attempt_id)
            left.append(row)
        # What was met before as unpaid has turned to money meanwhile.
        new = self._seen.add_all(money)
        paid = self._paid.add_all(money)
        self.equal += len(new)
        unpaid = self._seen.add_all(unpaid)
        self.equal += len(unpaid)
        self.rows += len(new) + len(unpaid)
        self._news.seen += new
        self._news.seen += unpaid
        self._news.paid += paid
        return left

    def take(self, row: ListedTransaction, ours: Ours | None) -> bool:
        """One row, with our payment of that external id. True: an id of this installation that its journal lacks."""
        there = there_of(row)
        if ours is not None:
            self._match(ours, there)
            return False
        installation, sale_id, number = parts_of(self._site.environment, there.external_id)
        # Whenever it was: nobody but another copy of this journal asks under this installation's ids (rule 20).
        is_own = bool(installation) and installation == self._site.own
        if not is_own and not self._is_about(row):
            return False
        if installation in self._site.installations:
            self._keep_unknown(there)
        elif installation:
            self._of_another_till(installation, sale_id, number, there)
        else:
            self._keep_loose(there)
        return is_own

    def take_twice(self, rows: Sequence[ListedTransaction], ours: Ours) -> None:
        """What one answer shows of our id under several wallet ids: one is the payment, each other one is money that
        moved under its id once more, and that the record does not know. Taken beside the rows themselves.
        """
        if not self.is_of_range(ours):
            return
        own = echoed(ours.wallet_transaction_id)
        names = [echoed(row.wallet_transaction_id) for row in rows]
        of_payment = own if own in names else names[0]
        for row, name in zip(rows, names, strict=True):
            if name != of_payment:
                self._keep_unknown(there_of(row))

    def _keep_unknown(self, there: There) -> None:
        if there.external_id in self._unknown:
            return
        if not self._has_room():
            self._count_beyond(there.external_id)
            return
        self.rows += 1
        self._unknown[there.external_id] = there
        self._news.loose.append(there)

    def _match(self, ours: Ours, there: There) -> None:
        if not self.is_of_range(ours):
            return
        # A list shows a row in several answers; one that has turned to money meanwhile is looked at once more.
        has_turned = there.status == PAYMENT_SUCCESS and ours.place not in self._paid
        if self._seen.add(ours.place):
            self.rows += 1
            self._news.seen.append(ours.place)
        elif not has_turned or ours.attempt_id in self._settled:
            return
        else:
            self.equal -= ours.attempt_id not in self._candidates
        self.missing.pop(ours.attempt_id, None)
        was_candidate = self._candidates.pop(ours.attempt_id, None) is not None
        if there.status == PAYMENT_SUCCESS and self._paid.add(ours.place):
            self._news.paid.append(ours.place)
        kind = compare(ours, there)
        if kind is None:
            self.equal += 1
            self._news.settled += [ours.attempt_id] if was_candidate else []
        else:
            self._ask(Candidate(ours.attempt_id, kind, _without_id(there)))

    def _let_go(self, attempt_id: str) -> Candidate | None:
        candidate = self._candidates.pop(attempt_id, None)
        if candidate is not None:
            self._news.settled.append(attempt_id)
        return candidate

    def is_of_range(self, ours: Ours) -> bool:
        """Whether the run is about it."""
        run = self._run
        if run.by_date:
            return run.first <= ours.transaction_date_time <= run.last
        return run.tapped_from <= ours.tapped_at <= run.tapped_to

    def _is_about(self, row: ListedTransaction) -> bool:
        """Whether a row that is none of ours lies in what the run is about; one without a time may."""
        at = time_of(row)
        return at is None or self._run.first <= at.strftime(FORM) <= self._run.last

    def _of_another_till(self, installation: str, sale_id: str, number: int, there: There) -> None:
        if installation not in self._of_tills and len(self._of_tills) >= MOST_TILLS:
            self._count_beyond(there.external_id)
            return
        marks = self._of_tills.setdefault(installation, Marks(512))
        place = int(sale_id) * ATTEMPTS_OF_A_SALE + number
        if not marks.add(place):
            return
        self.rows += 1
        self._news.of_tills.setdefault(installation, []).append(place)
        rows, paid = self._tills.get(installation, (0, Decimal(0)))
        if there.status == PAYMENT_SUCCESS and there.amount is not None:
            paid += there.amount
        self._tills[installation] = (rows + 1, paid)

    def _keep_loose(self, there: There) -> None:
        name = _name_of(there)
        if name in self._loose:
            return
        if not self._has_room():
            self._count_beyond(name)
            return
        self.rows += 1
        self._loose[name] = there
        self._news.loose.append(there)
        if there.wallet_transaction_id:
            self._by_wallet[echoed(there.wallet_transaction_id)] = name

    def _count_beyond(self, name: str) -> None:
        self._beyond = self._beyond or bytearray(_BEYOND // 8)
        byte, bit = divmod(crc32(name.encode()) % _BEYOND, 8)
        self.more += not self._beyond[byte] & 1 << bit
        self._beyond[byte] |= 1 << bit

    def _has_room(self) -> bool:
        return len(self._loose) + len(self._unknown) < MOST_KEPT

    def _ask(self, candidate: Candidate) -> None:
        if candidate.attempt_id in self._settled:
            return
        if len(self._candidates) < MOST_KEPT:
            self._candidates.setdefault(candidate.attempt_id, candidate)
            self._news.ask.append(candidate)
        else:
            self.more += 1

    # Our own payments.

    def to_scan(self, places: Sequence[int]) -> list[int]:
        """Which of these payments of ours, that the range holds, are to be looked at one by one (`scan`)."""
        if self._loose:
            return list(places)
        left = self._seen.without(places)
        left += [each for each in places if each % ATTEMPTS_OF_A_SALE > 1]
        return sorted(set(left))

    @property
    def sales_paid_twice(self) -> Sequence[str]:
        """Sales of which the list shows two payments as paid, in their order. What is scanned tells them."""
        return sorted(self._paid_twice, key=lambda each: self._paid_twice[each])

    def scan(self, ours: Ours) -> None:
        """One of ours that the range holds, or of more than that."""
        self._match_by_wallet(ours)
        place = ours.place
        if ours.number > 1 and place in self._paid:
            first = place - ours.number
            if any(first + each in self._paid for each in self._paid.numbers() - {ours.number}):
                self._paid_twice[ours.sale_id] = first
        if place in self._seen or not (ours.is_money or ours.shown) or not self.is_of_range(ours):
            return
        self._ask(Candidate(ours.attempt_id))
        if self._is_listed(ours) and len(self.missing) < MOST_KEPT:
            self.missing[ours.attempt_id] = ours.transaction_date_time

    def _is_listed(self, ours: Ours) -> bool:
        """Whether the service has it, and this list is asked for it."""
        return (
            ours.shown
            and ours.counter_id == self._site.counter_id
            and ours.merchant_id == self._site.merchant_id
            and ours.origin in ("", self._site.origin)
        )

    def include(self, attempt_id: str) -> None:
        """One that is to be asked about whatever the list says: its row lies in another time."""
        self._ask(Candidate(attempt_id))

    def _match_by_wallet(self, ours: Ours) -> None:
        name = (
            self._by_wallet.pop(echoed(ours.wallet_transaction_id), "") if ours.wallet_transaction_id else ""
        )
        if name:
            there = self._loose.pop(name)
            if there.external_id:
                self._ask(Candidate(ours.attempt_id, DifferenceKind.OTHER_ID, there))
            else:
                self.rows -= 1  # it was counted as a stranger's
                self._match(ours, there)
        elif not ours.is_money and self._loose:
            self._note_likeness(ours)

    def _note_likeness(self, ours: Ours) -> None:
        for name, there in self._loose.items():
            if there.amount == ours.amount and not there.looks_like and _is_near(ours, there):
                self._loose[name] = replace(there, looks_like=ours.sale_id)
                return

    # Asked by id.

    @property
    def candidates(self) -> Sequence[str]:
        """Whom to ask, in the order in which they were met."""
        return tuple(self._candidates)

    def settle(self, now: Ours, reply: StatusReply | None, *, whole: bool) -> Difference | None:
        """What is left of a candidate: our payment as it now is, and what the ask said (None: nothing came).

        What the service says by the id is its word; its list counts where it says nothing, and where it shows money
        that the word by the id denies: money does not come undone, so one of the two is old or wrong, and people look.
        That a payment is not in the list says something only where the list is `whole`.
        """
        candidate = self._let_go(now.attempt_id)
        if candidate is None:
            return None
        asked = has_answered(reply)
        if asked and not isinstance(reply, StatusReport):
            # It does not know it by its id either: no sign that its list is not whole.
            self.missing.pop(now.attempt_id, None)
        if candidate.kind is DifferenceKind.OTHER_ID:
            return self._made(candidate.kind, now, candidate.listed or There(), asked=asked)
        if isinstance(reply, StatusReport):
            there, listed = there_by_id(reply), candidate.listed
            denies = there.status != PAYMENT_SUCCESS and not now.is_money
            if denies and listed is not None and listed.status == PAYMENT_SUCCESS:
                there = listed
            kind = compare(now, there)
        else:
            there = candidate.listed or There(code=getattr(reply, "code", ""))
            kind = compare(now, there) if candidate.listed is not None else None
            if candidate.listed is None and now.is_money and (asked or whole):
                kind = DifferenceKind.HERE_PAID
        if kind is None and now.was_money:
            kind = DifferenceKind.HERE_PAID
        if kind is None:
            self.equal += now.place in self._seen
            return None
        return self._made(kind, now, there, asked=asked)

    def _made(self, kind: DifferenceKind, ours: Ours, there: There, *, asked: bool) -> Difference:
        return Difference(
            kind=kind,
            subject=ours.attempt_id,
            at=ours.transaction_date_time,
            currency=ours.currency,
            attempt_id=ours.attempt_id,
            sale_id=ours.sale_id,
            wallet_transaction_id=there.wallet_transaction_id or ours.wallet_transaction_id,
            here_state=ours.state.value,
            here_amount=ours.amount,
            there_status=hide_numbers(there.status or there.code),
            there_amount=there.amount,
            at_risk=at_risk(kind, ours, there),
            asked=asked,
            excerpt=_shown_id(there) if kind is DifferenceKind.OTHER_ID else "",
        )

    # What is nobody's.

    def rest(self) -> Iterator[Difference]:
        """Everything that no payment of ours explains; to be taken once, at the end."""
        for there in self._unknown.values():
            yield self._strange(DifferenceKind.THERE_UNKNOWN, there)
        for there in self._loose.values():
            kind = _kind_of_stranger(there)
            if kind is not None:
                yield self._strange(kind, there)
        for installation, (rows, paid) in sorted(self._tills.items()):
            yield Difference(
                kind=DifferenceKind.OTHER_TILL,
                subject=installation,
                at=self._run.first,
                currency=self._run.currency,
                there_amount=paid,
                at_risk=Decimal(0),
                count=rows,
            )

    def _strange(self, kind: DifferenceKind, there: There) -> Difference:
        is_unknown = kind is DifferenceKind.THERE_UNKNOWN
        # Of something of which nobody knows what became the amount is at risk; money that failed is none.
        risk = Decimal(0) if there.status in UNPAID_ENDS else there.amount
        return Difference(
            kind=kind,
            subject=there.external_id if is_unknown else _shown_name(there),
            at=there.at,
            currency=self._run.currency,
            attempt_id=there.external_id if is_unknown else "",
            wallet_transaction_id=there.wallet_transaction_id,
            there_status=hide_numbers(there.status),
            there_amount=there.amount,
            at_risk=risk,
            looks_like=there.looks_like,
            excerpt="" if is_unknown else _shown_id(there),
        )

    # Over a crash.

    def progress(self, **more: Any) -> Progress:
        """What is new since this was last taken."""
        news, self._news = self._news, _News()
        return Progress(
            rows=self.rows,
            equal=self.equal,
            more=self.more,
            settled=news.settled,
            seen=runs_of(news.seen),
            paid=runs_of(news.paid),
            ask=news.ask,
            loose=news.loose,
            tills={
                installation: (runs_of(places), *self._tills[installation])
                for installation, places in news.of_tills.items()
            },
            **more,
        )

    def resume(self, before: Progress) -> None:
        """Takes up what was written, in its order."""
        for place in places_of(before.seen):
            self._seen.add(place)
        for place in places_of(before.paid):
            self._paid.add(place)
        for candidate in before.ask:
            self._candidates[candidate.attempt_id] = candidate
        for attempt_id in before.settled:
            self._candidates.pop(attempt_id, None)
            self._settled.add(attempt_id)
        for there in before.loose:
            if parts_of(self._site.environment, there.external_id)[0] in self._site.installations:
                self._unknown[there.external_id] = there
            else:
                self._keep_loose(there)
        for installation, (runs, rows, paid) in before.tills.items():
            marks = self._of_tills.setdefault(installation, Marks(512))
            for place in places_of(runs):
                marks.add(place)
            self._tills[installation] = (rows, paid)
        self.rows, self.equal, self.more = before.rows, before.equal, before.more
        self._news = _News()


class _News:
    """What was met since the last part was written."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.paid: list[int] = []
        self.ask: list[Candidate] = []
        self.loose: list[There] = []
        self.settled: list[str] = []
        self.of_tills: dict[str, list[int]] = {}


def at_risk(kind: DifferenceKind, ours: Ours, there: There) -> Decimal | None:
    """How much money hangs on it: goods that left without money, money that is owed, or the difference of two."""
    amount = there.amount
    match kind:
        case DifferenceKind.HERE_PAID:
            return ours.amount
        case DifferenceKind.AMOUNT:
            if there.status in UNPAID_ENDS and not ours.is_money:
                return Decimal(0)
            return abs(ours.amount - amount) if amount is not None else None
        case DifferenceKind.UNREADABLE | DifferenceKind.UNKNOWN_STATUS:
            return ours.amount if amount is None else amount
        case _:
            return ours.amount if amount is None else amount


def sums_at_risk(found: Iterable[Difference]) -> dict[str, dict[str, str]]:
    """By currency, then by class, as exact text: rupees and dinars are no sum."""
    sums: dict[str, dict[str, Decimal]] = {}
    for each in found:
        if each.at_risk:
            of = sums.setdefault(each.currency, {})
            of[each.kind.value] = of.get(each.kind.value, Decimal(0)) + each.at_risk
    return {code: {kind: str(amount) for kind, amount in of.items()} for code, of in sums.items()}


def has_answered(reply: StatusReply | None) -> bool:
    """Whether an ask came to anything: a status, or a refusal to say one."""
    return isinstance(reply, StatusReport | Refused)


def paid_twice(sale: Sale, attempts: Iterable[Ours]) -> Difference | None:
    """Two successes of one sale, of which a manager has not signed that one was given back: the smaller is at risk."""
    paid = [each for each in attempts if each.is_money]
    if len(paid) < 2 or sale.refund is not None:
        return None
    amounts = sorted(each.amount for each in paid)
    return Difference(
        kind=DifferenceKind.PAID_TWICE,
        subject=sale.sale_id,
        at=paid[-1].transaction_date_time,
        currency=sale.currency,
        sale_id=sale.sale_id,
        attempt_id=paid[-1].attempt_id,
        wallet_transaction_id=paid[-1].wallet_transaction_id,
        here_state=paid[-1].state.value,
        here_amount=sum(amounts, Decimal(0)),
        there_status=PAYMENT_SUCCESS,
        there_amount=sum(amounts, Decimal(0)),
        at_risk=sum(amounts[:-1], Decimal(0)),
        count=len(paid),
        asked=True,
    )


def incomplete(times: str, why: str, at: str, currency: str) -> Difference:
    """A part of the list that was not proven whole: what is at risk there, nobody can say."""
    return Difference(kind=DifferenceKind.INCOMPLETE, subject=times, at=at, currency=currency, excerpt=why)


def receipt_gap(installation: str, missing: Sequence[int], count: int, at: str) -> Difference:
    """Receipt numbers of an installation that no payment has, or two have: the record was changed."""
    numbers = ", ".join(f"R{each:06d}" for each in missing)
    return Difference(
        kind=DifferenceKind.RECEIPT_GAP, subject=installation, at=at, count=count, excerpt=numbers
    )


def reopens(before: Difference, now: Difference) -> bool:
    """Whether a decision about the one says nothing of the other."""
    return before.key != now.key or before.facts != now.facts


def _kind_of_stranger(there: There) -> DifferenceKind | None:
    if (not there.external_id and not there.wallet_transaction_id) or not there.status:
        return DifferenceKind.UNREADABLE
    if there.amount is None or _has_no_time(there):
        return DifferenceKind.UNREADABLE
    if there.status not in KNOWN:
        return DifferenceKind.UNKNOWN_STATUS
    return None if there.status in UNPAID_ENDS else DifferenceKind.FOREIGN


def _has_no_time(there: There) -> bool:
    return _moment(there.at) is None


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text[:19]).replace(tzinfo=None)
    except ValueError:
        return None


def _is_near(ours: Ours, there: There) -> bool:
    first, second = _moment(ours.transaction_date_time), _moment(there.at)
    return first is not None and second is not None and abs(first - second) <= CLOSE_TO


def _without_id(there: There) -> There:
    """Its id is that of the candidate."""
    return replace(there, external_id="")


def _name_of(there: There) -> str:
    """What makes two rows of strangers the same."""
    if there.wallet_transaction_id:
        return f"w {echoed(there.wallet_transaction_id)}"
    if there.external_id:
        return f"x {echoed(there.external_id)}"
    return f"- {there.at} {there.amount} {there.status}"


def _shown_name(there: There) -> str:
    return there.wallet_transaction_id or _shown_id(there) or f"{there.at} {there.amount}"


def _shown_id(there: There) -> str:
    """A foreign id may be anything, a customer's number too."""
    return hide_numbers(there.external_id)
