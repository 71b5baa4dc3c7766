"""The verbs `store days` and `store export`: what the page shows of days, and the payments as rows for a file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import psycopg

from pos_app.domain.attempt import MONEY
from pos_app.domain.day import text_of
from pos_app.domain.export import COLUMNS, NUMBERS, Booked, Entry, row_of
from pos_app.domain.export import Place as Books
from pos_app.domain.rebuilt_journal import RECOVERED
from pos_app.domain.shipping import BadBatch, Shipped, events_of, read_header, unpacked
from pos_app.store.command import Teller, find_shop
from pos_app.store.database import RECEIVE, Connection, Database
from pos_app.store.days import DAYS_MOST, DayCounter, StoreDay, ZLine, days
from pos_app.store.errors import FINDING, UNAVAILABLE, USAGE, StoreError
from pos_app.store.place import Place
from pos_app.store.telling import hour_and_date, paid_before
from pos_app.store.zs import Sum, Sums, is_of_an_older_z

MISSING = 4
"""Exit code: counters are missing in a day that was told."""
DAYS_SHOWN = 31
_NOT_HERE = frozenset({"refund_note", "refunded", "difference"})
"""Columns of a till's own export that a store does not keep."""
EXPORTED = ("shop", "counter", "counter_id", *(each for each in COLUMNS if each not in _NOT_HERE))
EXPORTED_NUMBERS = NUMBERS
_KEPT = tuple(at for at, each in enumerate(COLUMNS) if each not in _NOT_HERE)
_PAGE = 500
_YEARS = range(2000, 2101)
"""Days before and behind any of them are days still."""


def span_of(first: str, last: str, today: date) -> tuple[date, date]:
    """Business dates (ISO) as typed, "" for none; else the last DAYS_SHOWN. Raises StoreError."""
    for option, text in (("--from", first), ("--to", last)):
        if text and int(text[:4]) not in _YEARS:
            raise StoreError(USAGE, f"{option} {text}: a day from 2000 to 2100, for example 2026-03-01")
    until = date.fromisoformat(last) if last else today + timedelta(days=1)
    since = date.fromisoformat(first) if first else until - timedelta(days=DAYS_SHOWN)
    if since > until:
        raise StoreError(USAGE, f"--from: {since} is after {until}")
    if (until - since).days > DAYS_MOST:
        raise StoreError(USAGE, f"--from: at most {DAYS_MOST} days at once, for example --from 2026-03-01")
    return since, until


def tell_days(folder: Path | None, shop: str, first: str, last: str, tell: Teller) -> int:
    """One line a day and counter; MISSING where a counter of a day has no Z."""
    since, until = span_of(first, last, datetime.now(UTC).date())
    with Place(folder).answering() as database:
        found = asyncio.run(_days(database, shop, since, until))
    for day in found:
        for counter in day.counters:
            tell.say(object_of(day, counter), line_of(day, counter))
    return MISSING if any(day.missing for day in found) else 0


async def _connected(database: Database) -> Connection:
    try:
        connection = await database.connect(RECEIVE)
    except psycopg.Error as error:
        raise StoreError(UNAVAILABLE, "the store's database does not answer") from error
    await connection.execute("SET statement_timeout = 0")
    await connection.execute("SET idle_in_transaction_session_timeout = 0")
    return connection


async def _days(database: Database, shop: str, since: date, until: date) -> list[StoreDay]:
    found: list[StoreDay] = []
    async with await _connected(database) as connection, connection.transaction():
        await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        for number in await _shops(connection, database, shop):
            found += await days(connection, number, since, until)
    return sorted(found, key=lambda day: (day.business_date, day.shop))


async def _shops(connection: Connection, database: Database, shop: str) -> list[int]:
    if shop:
        with database.connect_now(RECEIVE) as now:
            return [find_shop(now, shop)[0]]
    cursor = await connection.execute("SELECT shop FROM shop ORDER BY shop")
    return [row[0] for row in await cursor.fetchall()]


def _money(sums: Sums, currency: str) -> dict[str, Any]:
    one = sums.get(currency, Sum())
    return {
        "payments": one.payments,
        "amount": text_of(one.units, currency),
        "late": {"payments": one.late, "amount": text_of(one.late_units, currency)},
    }


def _with_others(sums: Sums, currency: str) -> dict[str, Any]:
    others = {code: _money(sums, code) for code in sorted(sums) if code != currency}
    return {**_money(sums, currency), **({"other_currencies": others} if others else {})}


def object_of(day: StoreDay, counter: DayCounter) -> dict[str, Any]:
    """A counter's day; amounts are exact text. `payments`, `amount`, `late`: what it told of that date, Z or none."""
    currency = counter.currency
    return {
        "business_date": day.business_date,
        "shop": day.shop,
        "shop_name": day.shop_name,
        "counter": counter.name,
        "counter_id": counter.counter_id,
        "environment": counter.environment,
        "currency": currency,
        **_with_others(counter.told, currency),
        "missing": counter.is_missing,
        "without": list(counter.without),
        "last_seen": counter.seen,
        "waiting": counter.waiting,
        "z": [_z_object(z) for z in counter.zs],
        "as_of": day.as_of,
        "signed": None if day.signature is None else msgspec.to_builtins(day.signature),
    }


def _z_object(z: ZLine) -> dict[str, Any]:
    return {
        "number": z.number,
        "business_date": z.business_date,
        "closed": z.ended,
        "installation": z.installation,
        "digest": z.digest,
        "currency": z.currency,
        **_with_others(z.sums, z.currency),
        "is_late": z.late,
        "finding": z.finding.value,
        "detail": z.detail,
    }


def _sums_line(sums: Sums, currency: str) -> str:
    """Of each currency that there is; of this one where there is none."""
    known = {code: sums[code] for code in sorted(sums)} or {currency: Sum()}
    return ", ".join(f"{code} {text_of(one.units, code)} in {one.payments}" for code, one in known.items())


def line_of(day: StoreDay, counter: DayCounter) -> str:
    """The same for a person."""
    said = []
    for z in counter.zs:
        late = f", late, of {z.business_date}" if z.late else ""
        wrong = f", NOT RIGHT: {z.detail}" if z.finding else ""
        said.append(f"Z {z.number}: {_sums_line(z.sums, z.currency)}{late}{wrong}")
    if counter.has_no_z:
        told = _sums_line(counter.told, counter.currency)
        said.append(f"NO Z, so far {told}, last seen {counter.seen}")
    if counter.without:
        said.append(f"several tills used this number, NO Z of {', '.join(counter.without)}")
    signed = f"  signed by {day.signature.who or 'the store’s machine'}" if day.signature is not None else ""
    played = "" if counter.environment == "live" else f" ({counter.environment})"
    return f"{day.business_date}  {day.shop_name} / {counter.name}{played}  {'; '.join(said)}{signed}"


# Payments as rows

# Of Zs that overlap, which only a faulty counter has, one has a payment. What is not over has its tap's local date, or
# the one before where the day begins later: its own wall time says which.
_PAYMENTS = """SELECT p.name, c.name, c.counter_id, p.cutoff_minutes, a.life, a.seq, a.counted_seq, z.business_date,
z.number, a.counted_on, a.tapped_on, a.attempt_id
FROM attempt a JOIN counter c USING (counter) JOIN shop p ON p.shop = a.shop
LEFT JOIN LATERAL (SELECT business_date, number FROM z_report WHERE z_report.counter = a.counter
AND z_report.life = a.life AND a.counted_seq BETWEEN from_seq AND to_seq
ORDER BY finding = '' DESC, to_seq LIMIT 1) z ON true
WHERE a.shop = ANY (%s) AND (z.business_date BETWEEN %s AND %s OR a.counted_on BETWEEN %s AND %s
OR a.counted_on IS NULL AND a.tapped_on BETWEEN %s AND %s)
ORDER BY a.life, a.seq"""

Row = tuple[str, ...]


class _Found(NamedTuple):
    """A payment as it is looked for: where its journal tells it, and where it may stand in the books."""

    shop: str
    counter: str
    counter_id: int
    cutoff_minutes: int
    life: int
    seq: int
    counted_seq: int
    z_on: date | None
    z: int | None
    counted_on: date | None
    tapped_on: date
    attempt_id: str


async def payments(
    connection: Connection, shops: Sequence[int], since: date, until: date
) -> AsyncIterator[Row]:
    """A row for each payment under EXPORTED, in the order of the journals; each as its counter told it last.

    Raises StoreError behind the last one if there are some that cannot be told: without them it is not the whole.
    """
    told = _Told(connection)
    left_out: list[_Found] = []
    day = timedelta(days=1)
    async with connection.cursor(name="payments") as cursor:
        cursor.itersize = _PAGE
        span = since, until
        await cursor.execute(_PAYMENTS, (list(shops), *span, *span, since, until + day))
        async for row in cursor:
            found = _Found(*row)
            entry = await _entry(told, found)
            if entry is None:
                on = {found.z_on, found.counted_on} - {None} or {found.tapped_on, found.tapped_on - day}
                left_out += [found] if any(each and since <= each <= until for each in on) else []
            elif since.isoformat() <= entry.place.business_date <= until.isoformat():
                cells = row_of(entry)
                yield (found.shop, found.counter, str(found.counter_id), *(cells[at] for at in _KEPT))
    if left_out:
        first = left_out[0]
        raise StoreError(
            FINDING,
            f"payments that cannot be read from what is held: {len(left_out)}, the first is {first.attempt_id} of "
            f"{first.shop} / {first.counter}; no file was made, store check --deep says what is damaged",
        )


async def _entry(told: _Told, found: _Found) -> Entry | None:
    """A payment and its place in the books, as the till's own file has both; None where what is held says neither."""
    event = await told.event(found.life, found.seq)
    counted = await told.event(found.life, found.counted_seq) if found.counted_seq else None
    if event is None or (counted is None and found.counted_seq):
        return None
    try:
        booked = msgspec.convert(event.content.get("attempt"), Booked)
    except msgspec.ValidationError:
        return None
    z_on, z, paid_at = found.z_on, found.z, ""
    if counted is not None:
        if is_of_an_older_z(counted):
            z_on, z = None, None
        if booked.state in MONEY:
            paid_at = paid_before(counted) if counted.kind == RECOVERED else counted.wall
    on = z_on or found.counted_on or hour_and_date(booked.tapped_wall, found.cutoff_minutes)[1]
    return Entry(booked, Books(on.isoformat(), z or 0, paid_at), booked.owner)


class _Told:
    """Events by their numbers, some batches kept: what is asked for in the order of a journal reads each once."""

    _MOST = 64

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._kept: dict[tuple[int, int], tuple[Shipped, ...]] = {}

    async def event(self, life: int, seq: int) -> Shipped | None:
        for (of, _), events in self._kept.items():
            if of == life and events[0].seq <= seq <= events[-1].seq:
                return events[seq - events[0].seq]
        cursor = await self._connection.execute(
            "SELECT first, last, header, body FROM batch WHERE life = %s AND last >= %s ORDER BY last LIMIT 1",
            (life, seq),
        )
        row = await cursor.fetchone()
        if row is None or row[0] > seq:
            return None
        try:
            events = events_of(read_header(row[2]), unpacked(row[3]))
        except BadBatch:
            return None
        while len(self._kept) >= self._MOST:
            self._kept.pop(next(iter(self._kept)))
        self._kept[(life, row[1])] = events
        return events[seq - events[0].seq]


def export(
    folder: Path | None, shop: str, first: str, last: str, write: Callable[[Iterator[list[Row]]], None]
) -> tuple[int, dict[str, list[str]]]:
    """Has the payments of these dates written, a page at a time; how many, and who is missing by date."""
    since, until = span_of(first, last, datetime.now(UTC).date())
    with Place(folder).answering() as database:
        loop = asyncio.new_event_loop()
        try:
            found = loop.run_until_complete(_days(database, shop, since, until))
            count = [0]

            def pages() -> Iterator[list[Row]]:
                connection = loop.run_until_complete(_connected(database))
                try:
                    shops = loop.run_until_complete(_shops(connection, database, shop))
                    loop.run_until_complete(connection.set_autocommit(False))
                    rows = payments(connection, shops, since, until)
                    while page := loop.run_until_complete(_page(rows)):
                        count[0] += len(page)
                        yield page
                finally:
                    loop.run_until_complete(connection.close())

            write(pages())
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
    return count[0], _missing(found)


def _missing(found: Sequence[StoreDay]) -> dict[str, list[str]]:
    """By date; where there are several shops each with its own: counters of two may have one name."""
    several = len({day.shop for day in found}) > 1
    missing: dict[str, list[str]] = {}
    for day in found:
        for each in day.missing:
            name = f"{day.shop_name} / {each.missed}" if several else each.missed
            missing.setdefault(day.business_date, []).append(name)
    return missing


async def _page(rows: AsyncIterator[Row]) -> list[Row]:
    page: list[Row] = []
    async for row in rows:
        page.append(row)
        if len(page) >= _PAGE:
            break
    return page
