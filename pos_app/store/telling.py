"""What a batch's events make of attempts and of the sums over them: rows to be written. Pure, knows no SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from functools import lru_cache

import msgspec

from pos_app.domain.attempt import FINAL
from pos_app.domain.day import labelled
from pos_app.domain.money import AmountError, Currency, currency
from pos_app.domain.rebuilt_journal import RECOVERED
from pos_app.domain.shipping import Shipped
from pos_app.domain.takings import NOT_SUMMED

_FINAL = frozenset(state.value for state in FINAL)
_MAD = datetime(1970, 1, 1, tzinfo=UTC)
"""Where a wall time that is none stands: seen at once, in no day that anybody looks at."""


class Answered(msgspec.Struct, frozen=True):
    """A person's answer to an attempt, as far as the sums need it."""

    action: str = ""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt's snapshot as a counter of any version tells it: states and reasons are texts, fields may be more."""

    attempt_id: str
    state: str
    amount: Decimal
    currency: str
    kind: str
    tapped_wall: str
    sale_id: str = ""
    number: int = 0
    reason: str = ""
    code: str = ""
    owner: str = ""
    wallet_mask: str = ""
    wallet_transaction_id: str = ""
    invoice_number: str = ""
    payment_reference: str = ""
    receipt: int = 0
    receipt_of: str = ""
    recovered: bool = False
    resolution: Answered | None = None


class Told(msgspec.Struct, kw_only=True):
    """The newest that a batch tells of an attempt.

    `since_seq`: the event from which on it stands under its column, `since_wall`: when that is counted; `whole`: it
    does from the batch's first event about it on, so that it may have before. `first_seq`, `first_kind`: that event.
    """

    attempt: Attempt
    seq: int
    column: str
    minor: int | None
    since_wall: str
    since_seq: int
    whole: bool
    first_seq: int
    first_kind: str


class Unfit(msgspec.Struct, frozen=True):
    """An event whose content is not what its kind has, or is another's; it is held as it is, and shown.

    `about`: what is noted once in a journal, however often that tells it; "" for the event itself.
    """

    seq: int
    kind: str
    why: str
    about: str = ""


def told_in(events: Iterable[Shipped]) -> tuple[dict[str, Told], list[Unfit]]:
    """The attempts that these events are about, as they stand behind the last of them."""
    told: dict[str, Told] = {}
    unfit: list[Unfit] = []
    for event in events:
        content = event.content.get("attempt")
        if content is None:
            continue
        try:
            attempt = msgspec.convert(content, Attempt, strict=False)
        except msgspec.ValidationError as error:
            unfit.append(Unfit(event.seq, event.kind, str(error)))
            continue
        units = minor(attempt.amount, attempt.currency)
        column = column_of(attempt, units)
        before = told.get(attempt.attempt_id)
        if before is not None and before.column == column:
            before.attempt, before.seq = attempt, event.seq
        else:
            told[attempt.attempt_id] = Told(
                attempt=attempt,
                seq=event.seq,
                column=column,
                minor=units,
                since_wall=counted_wall(event, attempt),
                since_seq=event.seq,
                whole=before is None,
                first_seq=event.seq if before is None else before.first_seq,
                first_kind=event.kind if before is None else before.first_kind,
            )
    return told, unfit


def counted_wall(event: Shipped, attempt: Attempt) -> str:
    """When what an event made of a payment is counted: as it was told; of one that was taken over, when it was paid.

    As near as anybody knows: as the lost journal said, else when it was begun. How events came together in batches
    says nothing of it.
    """
    if event.kind == RECOVERED:
        return paid_before(event) or attempt.tapped_wall
    return attempt.tapped_wall if attempt.recovered else event.wall


def paid_before(event: Shipped) -> str:
    """When the journal that was lost says that a payment was paid which this event takes over; "" for unknown."""
    said = event.content.get("event")
    paid_at = said.get("paid_at") if isinstance(said, Mapping) else None
    return paid_at if isinstance(paid_at, str) else ""


def column_of(attempt: Attempt, units: int | None) -> str:
    """Under which heading it is summed, as the counter's own day does it; "" while it is open or needs attention."""
    if attempt.state not in _FINAL:
        return ""
    named = attempt.state
    if attempt.resolution is not None and named == "SIGNED_OFF":
        named = f"{named}({attempt.resolution.action})"
    return named if units is not None else named + NOT_SUMMED


def minor(amount: Decimal, code: str) -> int | None:
    """The amount in the currency's smallest units; None for one that it cannot write."""
    money = _currency(code)
    try:
        return None if money is None else int(money.exact(amount).scaleb(money.digits))
    except (AmountError, ArithmeticError):
        return None


@lru_cache(maxsize=64)
def _currency(code: str) -> Currency | None:
    try:
        return currency(code)
    except (AmountError, KeyError):
        return None


def moment(wall: str) -> datetime:
    """A wall time (ISO with its offset) as a moment; one that is none is far away, never an error."""
    try:
        read = datetime.fromisoformat(wall)
    except ValueError:
        return _MAD
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    return read if 1970 < read.year < 2200 else _MAD


_EAST, _WEST = timedelta(hours=14), timedelta(hours=-12)


def zone_of(wall: str) -> tzinfo | None:
    """How far the clock that said this is from UTC; None where it does not say, or what cannot be."""
    told = moment(wall)
    offset = told.utcoffset()
    return timezone(offset) if told != _MAD and offset is not None and _WEST <= offset <= _EAST else None


def hour_and_date(wall: str, cutoff_minutes: int) -> tuple[str, date]:
    """The hour as the counter's own sums name it ("2026-03-01T21+05:30"), and the business date."""
    read = moment(wall)
    cutoff = time(cutoff_minutes // 60, cutoff_minutes % 60)
    return read.isoformat(timespec="hours"), labelled(read, cutoff)


class Spot(msgspec.Struct, frozen=True):
    """Where an attempt stands in the sums; `state` "" is nowhere."""

    on: date | None = None
    hour: str = ""
    state: str = ""
    seq: int = 0


NOWHERE = Spot()


class Held(msgspec.Struct, frozen=True):
    """What the store holds of an attempt already."""

    attempt_id: str
    tapped_on: date
    counter: int
    shop: int
    life: int
    seq: int
    open: bool
    kind: str
    currency: str
    minor: int | None
    spot: Spot


class Teller(msgspec.Struct, frozen=True):
    """Whose journal tells: its life, counter, shop, the key that signs for it, and when the shop's day begins."""

    life: int
    shop: int
    counter: int
    public_key: bytes
    cutoff_minutes: int = 0


def spot_of(told: Told, teller: Teller, held: Held | None) -> Spot:
    """Where the attempt stands in the sums now. `held`: what the same life told before, None for nothing."""
    if not told.column:
        return NOWHERE
    if told.whole and held is not None and held.spot.state == told.column:
        return held.spot
    hour, on = hour_and_date(told.since_wall, teller.cutoff_minutes)
    return Spot(on, hour, told.column, told.since_seq)


Cell = tuple[int, date, int, str, str, str, str]
"""shop, business date, counter, hour, kind, state, currency"""


class Changes:
    """What some batches change of the sums: per field so many payments and smallest units more or less."""

    def __init__(self) -> None:
        self.cells: dict[Cell, tuple[int, int]] = {}
        self.open: dict[int, int] = {}

    def add(self, cell: Cell, n: int, units: int) -> None:
        """`n` is 1 or -1."""
        count, amount = self.cells.get(cell, (0, 0))
        self.cells[cell] = (count + n, amount + n * units)

    def replace(self, held: Held | None, teller: Teller, told: Told, spot: Spot) -> None:
        """An attempt stood where `held` says and stands at `spot` now."""
        if held is not None:
            if held.open:
                self.open[held.counter] = self.open.get(held.counter, 0) - 1
            if held.spot.state and held.spot.on is not None:
                old = (
                    held.shop,
                    held.spot.on,
                    held.counter,
                    held.spot.hour,
                    held.kind,
                    held.spot.state,
                    held.currency,
                )
                self.add(old, -1, held.minor or 0)
        if is_open(told.attempt.state):
            self.open[teller.counter] = self.open.get(teller.counter, 0) + 1
        if spot.state and spot.on is not None:
            attempt = told.attempt
            new = (
                teller.shop,
                spot.on,
                teller.counter,
                spot.hour,
                attempt.kind,
                spot.state,
                attempt.currency,
            )
            self.add(new, 1, told.minor or 0)

    def hours(self) -> list[tuple[Cell, int, int]]:
        """The fields that changed, in an order that every writer has."""
        return [(cell, n, units) for cell, (n, units) in sorted(self.cells.items()) if n or units]


def is_open(state: str) -> bool:
    """Still between the tap and an end, or waiting for a person; a state that this version does not know is too."""
    return state not in _FINAL


Row = tuple[object, ...]


def row_of(told: Told, teller: Teller, spot: Spot) -> Row:
    """An attempt as its table holds it, in the order of COLUMNS."""
    a = told.attempt
    tapped = moment(a.tapped_wall)
    return (
        a.attempt_id, tapped_on(a), teller.shop, teller.counter, teller.life, told.seq, a.number, a.recovered,
        is_open(a.state), a.kind, a.state, a.reason, a.code, a.amount, told.minor, a.currency, tapped,
        spot.on, spot.hour, spot.state, spot.seq, a.sale_id, a.owner, a.wallet_mask, a.wallet_transaction_id,
        a.invoice_number, a.payment_reference, a.receipt, a.receipt_of,
        "" if a.resolution is None else a.resolution.action,
    )  # fmt: skip


def tapped_on(attempt: Attempt) -> date:
    """The local date of the tap: part of the key, and the partition."""
    return moment(attempt.tapped_wall).date()


COLUMNS: Mapping[str, str] = {
    "attempt_id": "text", "tapped_on": "date", "shop": "int", "counter": "int", "life": "int", "seq": "bigint",
    "number": "int", "recovered": "bool", "open": "bool", "kind": "text", "state": "text", "reason": "text",
    "code": "text", "amount": "numeric", "minor": "bigint", "currency": "text", "tapped": "timestamptz",
    "counted_on": "date", "counted_hour": "text", "counted_state": "text", "counted_seq": "bigint",
    "sale_id": "text", "owner": "text", "wallet_mask": "text", "wallet_transaction_id": "text",
    "invoice_number": "text", "payment_reference": "text", "receipt": "bigint", "receipt_of": "text",
    "answer": "text",
}  # fmt: skip
"""The attempt table's columns in the order of `row_of`, and their types."""


def columns_of(rows: Sequence[Row]) -> list[list[object]]:
    """Rows turned into one list per column, for unnest."""
    return [list(column) for column in zip(*rows, strict=True)]
