"""Finds payments of a shop by what somebody has in hand: for a counter and for the page, by one query.

It runs in a transaction that names its shops (Pool.for_shops): row security shows it no other. What it tells is what
the payments' own counters told, and when; nothing is asked of anybody here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import msgspec

from pos_app.domain.money import CURRENCY_DIGITS
from pos_app.domain.receipt import number_in
from pos_app.domain.shipping import (
    FIND_AMOUNT,
    FIND_DAYS,
    FIND_DAYS_MOST,
    FIND_DIGITS,
    FIND_MOST,
    FINDS_A_MINUTE,
    FindRequest,
    Found,
    FoundPayment,
    Shipped,
    events_of,
    read_header,
    unpacked,
)
from pos_app.store.database import Connection, Pool
from pos_app.store.receive import Known, Refused

STATEMENT_MS = 1_500
_ID_MOST = 80
_MASK_DIGITS = 3
_ATTEMPT = re.compile(r"(SBX-)?T[0-9A-Z]{8}-[0-9]{4,10}-[0-9]{1,4}(-[0-9A-Z]{6})?")
_FIRST, _LAST = datetime(1971, 1, 1, tzinfo=UTC), datetime(2199, 1, 1, tzinfo=UTC)


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for, read and within its limits. `since`, `until`: when it was begun; None for no bound."""

    amount: Decimal | None = None
    since: datetime | None = None
    until: datetime | None = None
    digits: str = ""
    id: str = ""


def read(request: FindRequest, now: datetime) -> Sought:
    """A request, looked at field by field. Raises Refused: 422 with the field, its limit and an example."""
    text = request.id.strip()
    if len(text) > _ID_MOST or not (text.isprintable() or not text):
        raise _bad(
            "id", f"an id has at most {_ID_MOST} printable characters, for example T7K3M9QRD-0123-1-K7Q2M9"
        )
    if request.amount and not FIND_AMOUNT.fullmatch(request.amount):
        raise _bad("amount", "an amount is written with a point and no signs, for example 1250.00")
    if request.digits and not FIND_DIGITS.fullmatch(request.digits):
        raise _bad("digits", "write the last 2 to 15 digits of the number, for example 567")
    earliest, latest = _moment("earliest", request.earliest), _moment("latest", request.latest)
    if earliest and latest and earliest > latest:
        raise _bad("latest", "the latest time lies before the earliest")
    if not (text or request.amount or request.digits or earliest or latest):
        raise _bad("id", "say an amount, a time, the last digits or an id, for example the receipt's number")
    since = earliest
    if since is None and not _names_one(text):
        since = (latest or now) - timedelta(days=FIND_DAYS)
    if since is not None and (latest or now) - since > timedelta(days=FIND_DAYS_MOST):
        raise _bad("earliest", f"look through at most {FIND_DAYS_MOST} days at once: name a later begin")
    return Sought(
        amount=Decimal(request.amount) if request.amount else None,
        since=since,
        until=latest,
        digits=request.digits,
        id=text,
    )


def _moment(field: str, text: str) -> datetime | None:
    if not text:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        read = None
    if read is None or read.tzinfo is None or not _FIRST < read < _LAST:
        raise _bad(field, "a time is written with its offset, for example 2026-03-01T14:30:00+05:30")
    return read


def _bad(field: str, text: str) -> Refused:
    return Refused(422, "field", text, field)


def _names_one(text: str) -> bool:
    """Whether it is an attempt's id or a receipt's number: found by an index, however old."""
    return bool(_ATTEMPT.fullmatch(text.upper()) or number_in(text.upper())[1])


class Row(msgspec.Struct, frozen=True):
    """A payment's place: which shop's and counter's, in which journal, and where that journal tells it."""

    attempt_id: str
    shop: int
    counter: int
    counter_name: str
    counter_id: int
    environment: str
    installation: str
    life: int
    seq: int
    counted_seq: int
    state: str
    amount: Decimal
    currency: str
    kind: str
    tapped: datetime


_SELECT = """SELECT a.attempt_id, a.shop, a.counter, c.name, c.counter_id, c.environment, i.installation, a.life,
a.seq, a.counted_seq, a.state, a.amount, a.currency, a.kind, a.tapped
FROM attempt a JOIN counter c USING (counter) JOIN installation i ON i.life = a.life WHERE """
_ORDER = " ORDER BY a.tapped DESC, a.attempt_id LIMIT %s"


async def find(
    connection: Connection, sought: Sought, *, environment: str = "", most: int = FIND_MOST
) -> list[Row]:
    """What fits, newest first, at most one more than `most`, of the shops that the transaction shows.

    `environment`: of counters of this one alone, "" for all. Raises psycopg.Error.
    """
    conditions, values = _conditions(sought)
    if environment:
        conditions.append("c.environment = %s")
        values.append(environment)
    await connection.execute(f"SET LOCAL statement_timeout = {STATEMENT_MS}")
    query = _SELECT + " AND ".join(conditions) + _ORDER
    cursor = await connection.execute(query.encode(), (*values, most + 1))
    return [Row(*each) for each in await cursor.fetchall()]


def _conditions(sought: Sought) -> tuple[list[str], list[Any]]:
    conditions: list[str] = []
    values: list[Any] = []

    def need(condition: str, *given: Any) -> None:
        conditions.append(condition)
        values.extend(given)

    if sought.id:
        of, number = number_in(sought.id.upper())
        if number:
            need("a.receipt_of = %s AND a.receipt = %s AND a.receipt > 0", of, number)
        elif _ATTEMPT.fullmatch(sought.id.upper()):
            need("a.attempt_id = %s", sought.id.upper())
        else:
            need(
                "(a.wallet_transaction_id = %s OR a.invoice_number = %s OR a.payment_reference = %s)",
                *(sought.id,) * 3,
            )
    if sought.amount is not None:
        # The index is by smallest units, of which the currency says how many; the amount itself decides.
        units = sorted({int(sought.amount.scaleb(digits)) for digits in {*CURRENCY_DIGITS.values(), 0}})
        need("(a.minor = ANY (%s::bigint[]) OR a.minor IS NULL) AND a.amount = %s", units, sought.amount)
    if sought.since is not None:
        need("a.tapped >= %s", sought.since)
    if sought.until is not None:
        need("a.tapped <= %s", sought.until)
    if sought.digits:
        last = sought.digits[-_MASK_DIGITS:]
        need("right(a.wallet_mask, %s) = %s", len(last), last)
    return conditions, values


async def find_attempt(connection: Connection, attempt_id: str) -> list[Row]:
    """The one payment of this id, of the shops that the transaction shows; [] for none. Raises psycopg.Error."""
    query = _SELECT + "a.attempt_id = %s ORDER BY a.life DESC LIMIT 1"
    cursor = await connection.execute(query.encode(), (attempt_id,))
    return [Row(*each) for each in await cursor.fetchall()]


async def prints_of(connection: Connection, attempt_id: str) -> list[tuple[str, int]]:
    """How many papers of its receipt there may be, by the counter that printed them.

    A till that took another number tells of its papers once more: each is one of its journal's, as first told.
    """
    cursor = await connection.execute(
        "SELECT c.name, count(*) FROM (SELECT DISTINCT ON (i.signer, p.job, p.asked) p.counter, p.began FROM printed p "
        "JOIN installation i USING (life) WHERE p.attempt_id = %s ORDER BY i.signer, p.job, p.asked, p.counter) one "
        "JOIN counter c USING (counter) WHERE one.began GROUP BY c.name ORDER BY c.name",
        (attempt_id,),
    )
    return [(row[0], int(row[1])) for row in await cursor.fetchall()]


class Batches:
    """Events of the batches that are held, each batch read once; of the shops that the transaction shows."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._read: list[tuple[int, tuple[Shipped, ...], datetime]] = []

    def forget(self) -> None:
        """What was read need not be kept."""
        self._read.clear()

    async def event(self, life: int, seq: int) -> tuple[Shipped, datetime] | None:
        """An event, and when it was received; None where it is not held."""
        events = await self.around(life, seq)
        return None if events is None else (events[0][seq - events[0][0].seq], events[1])

    async def around(self, life: int, seq: int) -> tuple[tuple[Shipped, ...], datetime] | None:
        """All events of the batch that holds this one, and when it was received."""
        for of, events, received in self._read:
            if of == life and events[0].seq <= seq <= events[-1].seq:
                return events, received
        cursor = await self._connection.execute(
            "SELECT first, header, body, received FROM batch WHERE life = %s AND last >= %s ORDER BY last LIMIT 1",
            (life, seq),
        )
        row = await cursor.fetchone()
        if row is None or row[0] > seq:
            return None
        events = events_of(read_header(row[1]), unpacked(row[2]))
        self._read.append((life, events, row[3]))
        return events, row[3]


async def told(connection: Connection, rows: Iterable[Row]) -> tuple[FoundPayment, ...]:
    """The same payments as their counters told them last; what no batch holds any more is left out."""
    batches = Batches(connection)
    found = []
    for row in rows:
        newest = await batches.event(row.life, row.seq)
        attempt = newest[0].content.get("attempt") if newest is not None else None
        if newest is None or not isinstance(attempt, dict):
            continue
        paid = await batches.event(row.life, row.counted_seq) if row.counted_seq else None
        check = paid[0].content.get("check") if paid is not None else None
        found.append(
            FoundPayment(
                attempt=attempt,
                counter=row.counter_name,
                counter_id=row.counter_id,
                installation=row.installation,
                told=newest[1].astimezone(UTC).isoformat(timespec="seconds"),
                paid_at=paid[0].wall if paid is not None and isinstance(check, str) else "",
                check=check if isinstance(check, str) else "",
            )
        )
    return tuple(found)


class Finder:
    """Answers counters, each at most FINDS_A_MINUTE; over connections of role page. One for each running store."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._asked: dict[int, list[float]] = {}

    async def find(self, known: Known, request: FindRequest, now: datetime, at_s: float) -> Found:
        """`now`: the wall; `at_s`: seconds of a clock that only goes on. Raises Refused: 422, 429; psycopg.Error."""
        sought = read(request, now)
        self._count(known.teller.counter, at_s)
        async with self._pool.for_shops([known.teller.shop]) as connection:
            cursor = await connection.execute(
                "SELECT c.environment, i.state FROM installation i JOIN counter c USING (counter) WHERE i.life = %s",
                (known.teller.life,),
            )
            own = await cursor.fetchone()
            if own is None or own[1] == "left":
                raise Refused(401, "unknown", "this store does not know this counter: join it", "token")
            if own[1] != "joined":
                text = "this counter's key is refused since its owner revoked it"
                raise Refused(403, "revoked", text, "installation")
            rows = await find(connection, sought, environment=own[0])
            payments = await told(connection, rows[:FIND_MOST])
        since = "" if sought.since is None else sought.since.isoformat(timespec="seconds")
        return Found(payments=payments, since=since, more=len(rows) > FIND_MOST)

    def _count(self, counter: int, at_s: float) -> None:
        asked = [each for each in self._asked.get(counter, []) if each > at_s - 60]
        if len(asked) >= FINDS_A_MINUTE:
            wait = max(1, int(asked[0] + 60 - at_s) + 1)
            text = f"a counter looks up at most {FINDS_A_MINUTE} times a minute: wait {wait} s"
            raise Refused(429, "too_many", text, "", wait)
        self._asked[counter] = [*asked, at_s]
