"""Writes what batches tell into attempts, sums and whatever else is read off them; inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from pos_app.domain.day import Z_CLOSED
from pos_app.domain.print_job import KINDS as OF_PRINTING
from pos_app.domain.shipping import Shipped
from pos_app.store import origins
from pos_app.store.database import Connection
from pos_app.store.days import keep_prints, keep_zs
from pos_app.store.telling import (
    COLUMNS,
    Changes,
    Held,
    Spot,
    Teller,
    Told,
    Unfit,
    columns_of,
    row_of,
    spot_of,
    tapped_on,
    told_in,
)


class Telling(msgspec.Struct, frozen=True):
    """Some events of one journal, in their order, and whose it is."""

    teller: Teller
    events: Sequence[Shipped]


Projection = Callable[
    [Connection, Sequence[tuple[Teller, Shipped]]], Awaitable[Sequence[tuple[Teller, Unfit]]]
]

OTHERS: dict[frozenset[str], Projection] = {
    frozenset({Z_CLOSED}): keep_zs,
    frozenset(OF_PRINTING): keep_prints,
}
"""What else is kept of events: the kinds, and what writes them and tells what does not fit. Each must give the same
whatever it is called with first of two journals, and twice of one event."""

TABLES = ("attempt", "told_again", "takings", "takings_day", "unfit", "z_report", "printed")
"""What `rebuild` empties before it tells everything again."""

_HELD = """SELECT attempt_id, tapped_on, counter, shop, life, seq, open, kind, currency, minor,
counted_on, counted_hour, counted_state, counted_seq FROM attempt """
_BY_KEY = _HELD + (
    "WHERE (attempt_id, tapped_on) IN (SELECT * FROM unnest(%b::text[], %b::date[])) "
    "ORDER BY attempt_id FOR UPDATE"
)
_BY_ID = _HELD + "WHERE attempt_id = ANY(%s) ORDER BY attempt_id FOR UPDATE"
_NAMES = ", ".join(COLUMNS)
# Rows go over as one JSON text: thirty arrays, each quoted by Python, took longer than everything else together.
_ROWS = f"json_to_recordset(%s::json) AS v({', '.join(f'{name} {kind}' for name, kind in COLUMNS.items())})"
_INSERT = (
    f"INSERT INTO attempt ({_NAMES}) SELECT {_NAMES} FROM {_ROWS} ORDER BY 1 "
    "ON CONFLICT DO NOTHING RETURNING attempt_id"
)
_CHANGED = ", ".join(f"{name} = v.{name}" for name in COLUMNS if name not in ("attempt_id", "tapped_on"))
_UPDATE = (
    f"UPDATE attempt a SET {_CHANGED} FROM {_ROWS} "
    "WHERE a.attempt_id = v.attempt_id AND a.tapped_on = v.tapped_on"
)
_SUMS = """WITH v AS MATERIALIZED (SELECT * FROM json_to_recordset(%s::json) AS v(shop int, business_date date,
counter int, hour text, kind text, state text, currency text, n bigint, minor numeric)),
hours AS (INSERT INTO takings AS t (shop, business_date, counter, hour, kind, state, currency, n, minor)
SELECT shop, business_date, counter, hour, kind, state, currency, n, minor FROM v ORDER BY 1, 2, 3, 4, 5, 6, 7
ON CONFLICT (shop, business_date, counter, hour, kind, state, currency)
DO UPDATE SET n = t.n + excluded.n, minor = t.minor + excluded.minor)
INSERT INTO takings_day AS t (shop, business_date, counter, kind, state, currency, n, minor)
SELECT shop, business_date, counter, kind, state, currency, sum(n), sum(minor) FROM v GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY 1, 2, 3, 4, 5, 6 ON CONFLICT (shop, business_date, counter, kind, state, currency)
DO UPDATE SET n = t.n + excluded.n, minor = t.minor + excluded.minor"""
_CELL = ("shop", "business_date", "counter", "hour", "kind", "state", "currency", "n", "minor")
_json = msgspec.json.Encoder().encode


def _as_json(names: Iterable[str], rows: Iterable[tuple[object, ...]]) -> str:
    """Rows as json_to_recordset reads them."""
    return _json([dict(zip(names, row, strict=True)) for row in rows]).decode()


_UNFIT = """INSERT INTO unfit (shop, life, seq, kind, why, about) SELECT * FROM
unnest(%s::int[], %s::int[], %s::bigint[], %s::text[], %s::text[], %s::text[]) ON CONFLICT DO NOTHING"""
ELSEWHERE = "a payment of another shop or counter: it stays where it is, and is not counted here"
_SHARED = "SELECT pg_advisory_xact_lock_shared(1886352244)"
_ALONE = "SELECT pg_advisory_xact_lock(1886352244)"


async def project(
    connection: Connection, tellings: Sequence[Telling], *, side_by_side: bool = True
) -> dict[int, int]:
    """Carries what these tell into the tables; how many more open attempts each counter has.

    `side_by_side`: others may write at the same time. Raises psycopg.Error: a value that no table takes, which the
    caller then finds event by event.
    """
    told: dict[str, tuple[Teller, Told]] = {}
    unfit: list[tuple[Teller, Unfit]] = []
    again = False
    read = [(each.teller, *told_in(each.events)) for each in sorted(tellings, key=_life)]
    names: dict[origins.Name, origins.Origin] = {}
    for teller, attempts, _ in read:
        for attempt_id in attempts:
            names.setdefault(origins.of_attempt(attempt_id), origins.origin_of(teller))
    whose = await origins.claimed(connection, names)
    for teller, attempts, odd in read:
        unfit += [(teller, each) for each in odd]
        for attempt_id, each in attempts.items():
            origin = whose[origins.of_attempt(attempt_id)]
            if not origin.is_told_by(teller):
                foreign = Unfit(each.first_seq, each.first_kind, ELSEWHERE, attempt_id)
                unfit.append((teller, foreign))
                continue
            again = again or each.attempt.recovered
            before = told.get(attempt_id)
            if before is None or before[0].life < teller.life:
                told[attempt_id] = (origin.as_told_by(teller), each)
    changes = Changes()
    if told:
        if side_by_side:
            # A payment that a second journal tells may stand at another date: it is found by its id alone, and by
            # nobody else meanwhile. All others are found by their key, side by side.
            await connection.execute(_ALONE if again else _SHARED)
        await _put(connection, told, changes, again=again)
    for kinds, write in OTHERS.items():
        wanted = [(each.teller, event) for each in tellings for event in each.events if event.kind in kinds]
        if wanted:
            unfit += await write(connection, wanted)
    if unfit:
        await note_unfit(connection, unfit)
    return changes.open


def _life(telling: Telling) -> int:
    return telling.teller.life


async def note_unfit(connection: Connection, unfit: Sequence[tuple[Teller, Unfit]]) -> None:
    """What does not fit is shown, and held where it came."""
    rows = [
        (who.shop, who.life, each.seq, _plain(each.kind), _plain(each.why), _plain(each.about))
        for who, each in unfit
    ]
    await connection.execute(_UNFIT, columns_of(rows))


def _plain(text: str) -> str:
    """Without what PostgreSQL has no text for."""
    return text.replace("\0", "�")[:400]


async def _put(
    connection: Connection, told: Mapping[str, tuple[Teller, Told]], changes: Changes, *, again: bool
) -> None:
    twice = set() if again else await _told_again(connection, list(told))
    held = await _held(connection, told, by_id=told.keys() if again else twice)
    fresh = {name: each for name, each in told.items() if name not in held}
    if fresh:
        spots = {name: spot_of(each, teller, None) for name, (teller, each) in fresh.items()}
        rows = [row_of(each, teller, spots[name]) for name, (teller, each) in fresh.items()]
        cursor = await connection.execute(_INSERT, (_as_json(COLUMNS, rows),))
        made = {row[0] for row in await cursor.fetchall()}
        for name in made:
            teller, each = fresh[name]
            changes.replace(None, teller, each, spots[name])
        missed = {name: each for name, each in fresh.items() if name not in made}
        if missed:
            # Somebody else was first between the look and the insert.
            held |= await _held(connection, missed, by_id=twice)
    await _replace(connection, told, held, changes, again=again)
    await _sum(connection, changes)


async def _told_again(connection: Connection, ids: list[str]) -> set[str]:
    cursor = await connection.execute("SELECT attempt_id FROM told_again WHERE attempt_id = ANY(%s)", (ids,))
    return {row[0] for row in await cursor.fetchall()}


async def _held(
    connection: Connection, told: Mapping[str, tuple[Teller, Told]], by_id: Any
) -> dict[str, Held]:
    found: dict[str, Held] = {}
    keys = [name for name in told if name not in by_id]
    ids = [name for name in told if name in by_id]
    if keys:
        dates = [tapped_on(told[name][1].attempt) for name in keys]
        cursor = await connection.execute(_BY_KEY, (keys, dates))
        found |= {row[0]: _as_held(row) for row in await cursor.fetchall()}
    if ids:
        cursor = await connection.execute(_BY_ID, (ids,))
        found |= {row[0]: _as_held(row) for row in await cursor.fetchall()}
    return found


def _as_held(row: tuple[Any, ...]) -> Held:
    attempt_id, tapped, counter, shop, life, seq, is_open, kind, currency, minor = row[:10]
    spot = Spot(*row[10:14])
    return Held(attempt_id, tapped, counter, shop, life, seq, is_open, kind, currency, minor, spot)


async def _replace(
    connection: Connection,
    told: Mapping[str, tuple[Teller, Told]],
    held: Mapping[str, Held],
    changes: Changes,
    *,
    again: bool,
) -> None:
    rows, moved, twice = [], [], []
    for name in sorted(held):
        teller, each = told[name]
        old = held[name]
        if old.life != teller.life:
            twice.append((name, max(teller.life, old.life), teller.shop))
        if (old.life, old.seq) >= (teller.life, each.seq):
            continue
        spot = spot_of(each, teller, old if old.life == teller.life else None)
        changes.replace(old, teller, each, spot)
        if tapped_on(each.attempt) != old.tapped_on:
            moved.append((name, old.tapped_on))
        rows.append(row_of(each, teller, spot))
    if again:
        twice += [
            (name, teller.life, teller.shop)
            for name, (teller, each) in told.items()
            if each.attempt.recovered and name not in held
        ]
    if moved:
        await connection.execute(
            "DELETE FROM attempt WHERE (attempt_id, tapped_on) IN (SELECT * FROM unnest(%s::text[], %s::date[]))",
            ([name for name, _ in moved], [on for _, on in moved]),
        )
        gone = {name for name, _ in moved}
        anew = [row for row in rows if row[0] in gone]
        rows = [row for row in rows if row[0] not in gone]
        await connection.execute(_INSERT, (_as_json(COLUMNS, anew),))
    if rows:
        await connection.execute(_UPDATE, (_as_json(COLUMNS, rows),))
    if twice:
        await connection.execute(
            "INSERT INTO told_again (attempt_id, life, shop) SELECT * FROM unnest(%s::text[], %s::int[], %s::int[]) "
            "ON CONFLICT (attempt_id) DO UPDATE SET life = greatest(told_again.life, excluded.life)",
            columns_of(sorted(twice)),
        )


async def _sum(connection: Connection, changes: Changes) -> None:
    hours = [(*cell, n, units) for cell, n, units in changes.hours()]
    if hours:
        await connection.execute(_SUMS, (_as_json(_CELL, hours),))
