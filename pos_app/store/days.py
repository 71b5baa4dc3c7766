"""Store days: the Zs of a business date, who has none, and what somebody signed. Changes nothing that counters told.

A day is signed once and never changes (a trigger sees to it). A Z that comes later stands in the next day that nobody
has signed, as late. Nothing waits for a day, and none is signed by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from typing import Any

import msgspec

from pos_app.domain.day import Z_CLOSED, labelled
from pos_app.domain.print_job import PaperKind, job_in
from pos_app.domain.shipping import BadBatch, Shipped, events_of, read_header, unpacked
from pos_app.domain.takings import MONEY_COLUMNS
from pos_app.store import acts, origins
from pos_app.store.acts import Act
from pos_app.store.database import Connection, one_row
from pos_app.store.telling import Teller, Unfit, columns_of, zone_of
from pos_app.store.zs import Finding, Recount, Sum, Sums, Zed, added, sums_of, z_in

SIGNED = "day_signed"
"""The act of signing a day."""
DAYS_MOST = 366
_PAGE = 50
_ELSEWHERE = "a Z over payments of another shop or counter: it is not counted here"
_INT_MOST, _SEQ_MOST = (1 << 31) - 1, (1 << 62) - 1

# What counters' journals tell of Zs and prints


_Z = """INSERT INTO z_report AS z (shop, counter, digest, life, number, business_date, from_seq, to_seq, ended,
currency, sums, finding, detail) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (counter, digest) DO UPDATE SET life = excluded.life, from_seq = excluded.from_seq,
to_seq = excluded.to_seq, finding = excluded.finding, detail = excluded.detail WHERE excluded.life > z.life"""
_KNOWN = """SELECT counter, digest, life FROM z_report
WHERE (counter, digest) IN (SELECT * FROM unnest(%s::int[], %s::text[]))"""
# A journal's Zs are of every counter that it was: it may have been begun anew with another number.
_ENDS = """SELECT life, max(seq) FROM (
SELECT life, to_seq AS seq FROM z_report WHERE life = ANY (%s) AND counter IN (SELECT was.counter FROM installation was
JOIN installation i USING (signer) WHERE i.life = ANY (%s))
UNION ALL SELECT life, seq FROM unfit WHERE kind = 'Z_CLOSED' AND about <> '' AND life = ANY (%s)) zs GROUP BY life"""


async def keep_zs(
    connection: Connection, told: Sequence[tuple[Teller, Shipped]]
) -> list[tuple[Teller, Unfit]]:
    """Writes the Zs of these events, each recounted; what is no Z. Raises psycopg.Error.

    No event is counted for two Zs of one journal: whoever names a range once more would have weeks read again and
    again, in the transaction that neighbours wait for.
    """
    unfit, zs = [], []
    for teller, event in told:
        try:
            z, dated = _read(event)
        except (msgspec.ValidationError, ValueError) as error:
            unfit.append((teller, Unfit(event.seq, event.kind, str(error))))
        else:
            zs.append((teller, z, dated))
    if not zs:
        return unfit
    tellers = await _under(connection, [(teller, z) for teller, z, _ in zs])
    named = [teller.counter for teller in tellers], [z.digest for _, z, _ in zs]
    lives = [teller.life for teller in tellers]
    cursor = await connection.execute(_KNOWN, named)
    known = {(counter, digest): life for counter, digest, life in await cursor.fetchall()}
    cursor = await connection.execute(_ENDS, (lives, lives, lives))
    ends: dict[int, int] = dict(await cursor.fetchall())
    for teller, (_, z, dated) in zip(tellers, zs, strict=True):
        if known.get((teller.counter, z.digest), 0) >= teller.life:
            continue
        counted, end = Recount(), ends.get(teller.life, 0)
        ends[teller.life] = max(z.to_seq, end)
        is_own = await _is_own(connection, teller, z, counted)
        if is_own:
            finding, detail = await _looked_at(connection, teller, z, end, counted)
            is_own = await _is_own(connection, teller, z, counted, claim=True)
        if not is_own:
            unfit.append((teller, Unfit(z.to_seq, Z_CLOSED, _ELSEWHERE, f"Z {z.digest}")))
            continue
        known[teller.counter, z.digest] = teller.life
        row = (
            *(teller.shop, teller.counter, z.digest, teller.life, z.number, dated, z.from_seq, z.to_seq),
            *(z.ended[:40], z.currency[:8], _sums_text(sums_of(z)), finding.value, _plain(detail)[:400]),
        )
        await connection.execute(_Z, row)
    return unfit


def _read(event: Shipped) -> tuple[Zed, date]:
    z = z_in(event)
    texts = (z.digest, z.ended, z.currency, z.previous, z.installation_id)
    if not (8 <= len(z.digest) <= 128 and z.number <= _INT_MOST) or any("\0" in each for each in texts):
        raise ValueError("its number or digest is none")
    if any(abs(n) > _SEQ_MOST for each in z.entries for n in (each.payments, each.amount)):
        raise ValueError("it counts more than there can be")
    return z, date.fromisoformat(z.business_date)


async def _under(connection: Connection, zs: Sequence[tuple[Teller, Zed]]) -> list[Teller]:
    """Who tells each of these, under the counter that it is of: of which it was heard first, else its installation's.

    A journal that was begun anew with another number tells of the Zs of the counter that it was, too.
    """
    names = {each for _, z in zs for each in _names_of(z)}
    whose = await origins.held(connection, names)
    found = []
    for teller, z in zs:
        origin = next((whose[each] for each in _names_of(z) if each in whose), None)
        if origin is not None and origin.is_told_by(teller):
            found.append(origin.as_told_by(teller))
        else:
            found.append(teller)
    return found


def _names_of(z: Zed) -> tuple[origins.Name, ...]:
    return origins.of_z(z.digest), origins.of_installation(z.installation_id)


async def _is_own(
    connection: Connection, teller: Teller, z: Zed, counted: Recount, *, claim: bool = False
) -> bool:
    """Whether the Z and every payment in its sums are the teller's. `claim`: whosever it is, it is from now on."""
    name = origins.of_z(z.digest)
    whose = await origins.held(connection, {name, *map(origins.of_attempt, counted.attempts)})
    others = [whose[each] for each in sorted(whose) if not whose[each].is_told_by(teller)]
    if claim:
        wanted = others[0] if others else origins.origin_of(teller)
        own = await origins.claimed(connection, {name: wanted})
        return not others and own[name].is_told_by(teller)
    return not others


def _plain(text: str) -> str:
    """Without what PostgreSQL has no text for: a Z that is not written would be counted again."""
    return text.replace("\0", "�")


async def _follows(connection: Connection, teller: Teller, z: Zed) -> bool:
    """Whether it begins where the Z before it ends; behind another shop's it begins where it does."""
    if not z.previous or z.older is not None:
        return True
    name = origins.of_z(z.previous)
    origin = (await origins.held(connection, {name})).get(name)
    if origin is None or not origin.is_told_by(teller):
        return origin is not None
    cursor = await connection.execute(
        "SELECT number, to_seq FROM z_report WHERE counter = %s AND digest = %s", (origin.counter, z.previous)
    )
    before = await cursor.fetchone()
    return bool(before == (z.number - 1, z.from_seq - 1))


async def _looked_at(
    connection: Connection, teller: Teller, z: Zed, end: int, counted: Recount
) -> tuple[Finding, str]:
    """What is wrong with a Z of which this store holds the whole range; `end`: of its journal's Zs so far.

    `counted`: empty, and then what its range comes to, as far as that was read.
    """
    if not await _follows(connection, teller, z):
        return Finding.CHAIN, f"it does not begin where Z {z.number - 1} ends"
    if z.from_seq <= end:
        return Finding.CHAIN, f"its events up to {min(end, z.to_seq)} are of another Z"
    seq = z.from_seq
    while seq <= z.to_seq:
        cursor = await connection.execute(
            "SELECT last, header, body FROM batch WHERE life = %s AND last >= %s AND first <= %s ORDER BY last "
            f"LIMIT {_PAGE}",
            (teller.life, seq, z.to_seq),
        )
        rows = await cursor.fetchall()
        if not rows:
            return Finding.SUMS, f"the events from {seq} on are not held"
        # Beside the loop: weeks may stand in one Z, and others wait for their answers.
        trouble = await asyncio.to_thread(_count, counted, rows, z)
        if trouble:
            return Finding.SUMS, trouble
        seq = rows[-1][0] + 1
    detail = counted.unequal(z)
    return (Finding.SUMS, detail) if detail else (Finding.NONE, "")


def _count(counted: Recount, rows: Iterable[tuple[Any, ...]], z: Zed) -> str:
    for last, header, body in rows:
        try:
            events = events_of(read_header(header), unpacked(body))
        except BadBatch as error:
            return f"the batch up to event {last} cannot be read: {error}"
        for event in events:
            if not z.from_seq <= event.seq <= z.to_seq:
                continue
            try:
                counted.add(event)
            except (msgspec.ValidationError, ArithmeticError, ValueError, TypeError) as error:
                return f"event {event.seq} cannot be counted: {error}"
    return ""


_PRINTED = """INSERT INTO printed AS p (shop, counter, job, asked, life, seq, attempt_id, copy, began, state)
SELECT * FROM unnest(%s::int[], %s::int[], %s::bigint[], %s::text[], %s::int[], %s::bigint[], %s::text[], %s::int[],
%s::bool[], %s::text[]) ON CONFLICT (counter, job, asked) DO UPDATE SET life = excluded.life, seq = excluded.seq,
copy = excluded.copy, began = excluded.began, state = excluded.state
WHERE (p.life, p.seq) < (excluded.life, excluded.seq)"""


async def keep_prints(
    connection: Connection, told: Sequence[tuple[Teller, Shipped]]
) -> list[tuple[Teller, Unfit]]:
    """Writes how far receipts' prints are; what is no print. Raises psycopg.Error."""
    unfit = []
    newest: dict[tuple[int, int, str], tuple[object, ...]] = {}
    for teller, event in sorted(told, key=lambda each: (each[0].counter, each[0].life, each[1].seq)):
        said = event.content.get("event")
        try:
            job = job_in(said if isinstance(said, dict) else {})
            texts = (job.about, job.asked)
            if not (0 < job.number <= _SEQ_MOST and 0 <= job.copy <= _INT_MOST) or any(
                "\0" in each or len(each) > 80 for each in texts
            ):
                raise ValueError("its number or copy is none")
        except (msgspec.ValidationError, ValueError) as error:
            unfit.append((teller, Unfit(event.seq, event.kind, str(error))))
            continue
        if job.paper in (PaperKind.RECEIPT, PaperKind.ELSEWHERE):
            newest[(teller.counter, job.number, job.asked)] = (
                *(teller.shop, teller.counter, job.number, job.asked, teller.life, event.seq),
                *(job.about, job.copy, job.began, job.state.value),
            )
    if newest:
        await connection.execute(_PRINTED, columns_of([newest[key] for key in sorted(newest)]))
    return unfit


# Days


class ZLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A Z in a day. `late`: its own date is an earlier one, which was signed already. `sums`: money by currency."""

    number: int
    digest: str
    installation: str
    business_date: str
    ended: str
    currency: str
    sums: dict[str, Sum]
    late: bool = False
    finding: Finding = Finding.NONE
    detail: str = ""


class DayCounter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A counter in a day: its Zs, and what it told of that business date so far, Z or none (`told`, by currency).

    `seen`: when the store heard of it last, ISO. `waiting`: events that it said it had not sent yet. `without`: where
    several tills used its number on this date, the installations of those that closed no Z of it.
    """

    counter: int
    name: str
    counter_id: int
    environment: str
    currency: str
    seen: str
    waiting: int = 0
    zs: tuple[ZLine, ...] = ()
    told: dict[str, Sum] = {}
    without: tuple[str, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Whether it has no Z of this very date, or one of the tills that used its number then has none."""
        return self.has_no_z or bool(self.without)

    @property
    def has_no_z(self) -> bool:
        """Whether none of its Zs is of this very date."""
        return all(each.late for each in self.zs)

    @property
    def missed(self) -> str:
        """Its name, with the installations that are missing where it is not the only one."""
        return f"{self.name} ({', '.join(self.without)})" if self.without else self.name

    @property
    def sums(self) -> dict[str, Sum]:
        """Of all its Zs in this day."""
        return added(each.sums for each in self.zs)


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """Who signed a day, when (ISO) and why; `act`: the number of that line; `digest`: of what was signed."""

    signed: str
    who: str
    reason: str
    act: int
    digest: str


class StoreDay(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A business date of a shop. `as_of`: when it was looked at, ISO; of a signed one when that was signed."""

    shop: int
    shop_name: str
    business_date: str
    as_of: str
    counters: tuple[DayCounter, ...] = ()
    signature: Signature | None = None

    @property
    def missing(self) -> tuple[DayCounter, ...]:
        """The counters that no sum of this day has whole."""
        return tuple(each for each in self.counters if each.is_missing)

    @property
    def sums(self) -> dict[tuple[str, str], Sum]:
        """Of all Zs in it, without the missing ones, by environment and currency: no sum mixes real and pretended.

        The real ones first.
        """
        found: dict[tuple[str, str], Sum] = {}
        for each in self.counters:
            for currency, one in each.sums.items():
                unit = each.environment, currency
                found[unit] = found.get(unit, Sum()).plus(one)
        return dict(sorted(found.items(), key=lambda each: (each[0][0] != "live", each[0])))

    @property
    def findings(self) -> tuple[ZLine, ...]:
        """The Zs with which something is wrong."""
        return tuple(z for each in self.counters for z in each.zs if z.finding)


Stands = Mapping[str, str]
"""By a Z's digest and counter ("3 9f…"): the date in which it was signed."""


def key_of(counter: int, digest: str) -> str:
    """Which Z."""
    return f"{counter} {digest}"


def stands_on(own: date, key: str, signed_in: Stands, signed: Iterable[date]) -> date:
    """The day in which a Z stands: where it was signed; else its own, or the next one that nobody has signed."""
    if key in signed_in:
        return date.fromisoformat(signed_in[key])
    taken = frozenset(signed)
    while own in taken:
        own += timedelta(days=1)
    return own


def frozen(day: StoreDay) -> str:
    """What is signed of a day, in one form."""
    return msgspec.json.encode(msgspec.structs.replace(day, signature=None), order="deterministic").decode()


def digest_of(content: str) -> str:
    """Of what was signed."""
    return sha256(content.encode()).hexdigest()


def _sums_text(sums: Sums) -> str:
    return msgspec.json.encode(dict(sorted(sums.items()))).decode()


_ZS = """SELECT z.counter, z.digest, z.number, z.business_date, z.ended, z.currency, z.sums, z.finding, z.detail,
i.installation FROM z_report z JOIN installation i USING (life)
WHERE z.shop = %s AND z.business_date BETWEEN %s AND %s"""
_SIGNED = """SELECT business_date, signed, act, who, reason, content, digest FROM store_day
WHERE shop = %s AND business_date BETWEEN %s AND %s"""
_COUNTERS = """SELECT c.counter, c.name, c.counter_id, c.environment, max(i.currency), min(i.joined),
(array_agg(CASE i.state WHEN 'left' THEN coalesce(i.left_at, n.seen, i.joined) WHEN 'revoked'
THEN least(i.left_at, i.revoked) END
ORDER BY i.life DESC))[1], coalesce(n.seen, max(i.joined)), coalesce(n.waiting, 0), coalesce(n.told_wall, ''),
p.cutoff_minutes FROM counter c JOIN shop p USING (shop) JOIN installation i USING (counter)
LEFT JOIN counter_now n USING (counter) WHERE c.shop = %s
GROUP BY c.counter, c.name, c.counter_id, c.environment, n.seen, n.waiting, n.told_wall, p.cutoff_minutes
ORDER BY c.name, c.counter"""
# The journals of a counter of which one told beside a newer one, and all that sign with their keys.
_LIVES = """WITH shared AS (SELECT counter FROM beside WHERE shop = %s AND business_date BETWEEN %s AND %s),
own AS (SELECT counter, signer FROM installation WHERE counter IN (SELECT counter FROM shared))
SELECT DISTINCT own.counter, i.life, i.counter = own.counter, i.installation, i.signer, i.joined,
CASE i.state WHEN 'left' THEN coalesce(i.left_at, i.joined) WHEN 'revoked' THEN least(i.left_at, i.revoked) END
FROM own JOIN installation i USING (signer) WHERE i.shop = %s ORDER BY 1, 2"""
_BESIDE = """SELECT counter, life, business_date, newest FROM beside WHERE shop = %s AND counter = ANY (%s)"""
_TOLD = """SELECT business_date, counter, currency, sum(n), sum(minor), coalesce(sum(n) FILTER (WHERE state = %s), 0),
coalesce(sum(minor) FILTER (WHERE state = %s), 0) FROM takings_day WHERE shop = %s AND business_date BETWEEN %s AND %s
AND state = ANY (%s) GROUP BY 1, 2, 3 HAVING sum(n) <> 0"""
_NEWEST = """SELECT max(business_date) FROM (
SELECT shop, business_date FROM z_report UNION ALL SELECT shop, business_date FROM store_day
UNION ALL SELECT shop, business_date FROM takings_day WHERE state = ANY (%s) AND n <> 0) any_day
WHERE shop = ANY (%s) AND business_date >= %s AND business_date < %s"""
_FIRST = date(2000, 1, 1)
"""A till with a wrong clock tells of days before any shop's."""
_LOOKED_BACK = timedelta(days=400)
"""So far before a span Zs are looked for that were late for days in it."""


async def days(connection: Connection, shop: int, first: date, last: date) -> list[StoreDay]:
    """The days from `first` to `last` in which anything was, newest first. Raises psycopg.Error.

    In a transaction of one snapshot (`for_shops`, repeatable read, or a verb's).
    """
    cursor = await connection.execute("SELECT name, clock_timestamp() FROM shop WHERE shop = %s", (shop,))
    named = await cursor.fetchone()
    if named is None:
        return []
    cursor = await connection.execute(_SIGNED, (shop, first - _LOOKED_BACK, last))
    signed = {row[0]: _signed_day(row) for row in await cursor.fetchall()}
    cursor = await connection.execute(_ZS, (shop, first - _LOOKED_BACK, last))
    zs = [(row[0], row[3], _line(row)) for row in await cursor.fetchall()]
    cursor = await connection.execute(_COUNTERS, (shop,))
    rows = await cursor.fetchall()
    counters = [_as_counter(row) for row in rows]
    lives = await _lives(connection, shop, first, last, {row[0]: row[-2:] for row in rows})
    late = "PAID_LATE"
    cursor = await connection.execute(_TOLD, (late, late, shop, first, last, sorted(MONEY_COLUMNS)))
    told: dict[date, dict[int, dict[str, Sum]]] = {}
    for on, counter, currency, n, units, late_n, late_units in await cursor.fetchall():
        of = told.setdefault(on, {}).setdefault(counter, {})
        of[currency] = Sum(int(n), int(units), int(late_n), int(late_units))
    found = assembled(shop, named[0], named[1], zs, signed, counters, told, lives)
    return [each for each in found if first.isoformat() <= each.business_date <= last.isoformat()]


async def newest_before(connection: Connection, shops: Sequence[int], on: date) -> date | None:
    """The newest day before this one in which anything was at any of these shops. Raises psycopg.Error."""
    given = sorted(MONEY_COLUMNS), [*shops], _FIRST, on
    found: date | None = (await one_row(connection, _NEWEST, given))[0]
    return found


def _as_counter(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """As `assembled` takes it: from which business date to which it was the shop's, by its own clock."""
    *named, joined, ended, seen, waiting, wall, cutoff_minutes = row
    first, last = (None if at is None else _date_of(at, wall, cutoff_minutes) for at in (joined, ended))
    return (*named, first, last, seen, waiting)


def _date_of(at: datetime, wall: str, cutoff_minutes: int) -> date:
    """A moment's business date by the clock that said `wall`."""
    cutoff = time(cutoff_minutes // 60, cutoff_minutes % 60)
    return labelled(at.astimezone(zone_of(wall) or UTC), cutoff)


class Life(msgspec.Struct, frozen=True, kw_only=True):
    """A journal of a counter whose number several tills use, or another counter's under the same key.

    `first`, `last`: the dates since and until which it was there. `beside`: by date on which it told something beside
    a newer one, the newest then.
    """

    life: int
    is_own: bool
    installation: str
    signer: bytes
    first: date
    last: date | None
    beside: dict[date, int]

    def was_there(self, on: date) -> bool:
        """Whether this counter had it on that date."""
        return self.is_own and self.first <= on and (self.last is None or on <= self.last)

    def goes_on_in(self, other: Life) -> bool:
        """Whether the other is this very till, begun anew: the same journal, which told under this id no more."""
        return other.signer == self.signer and other.life > max(self.beside.values(), default=self.life)


async def _lives(
    connection: Connection, shop: int, first: date, last: date, clocks: Mapping[int, tuple[str, int]]
) -> dict[int, list[Life]]:
    """By counter, of those of which an older journal told beside a newer one; `clocks`: wall and cut-off of each."""
    cursor = await connection.execute(_LIVES, (shop, first, last, shop))
    rows = [row for row in await cursor.fetchall() if row[0] in clocks]
    if not rows:
        return {}
    beside: dict[tuple[int, int], dict[date, int]] = {}
    cursor = await connection.execute(_BESIDE, (shop, sorted({row[0] for row in rows})))
    for counter, life, on, newest in await cursor.fetchall():
        beside.setdefault((counter, life), {})[on] = newest
    found: dict[int, list[Life]] = {}
    for counter, life, is_own, installation, signer, joined, ended in rows:
        clock = clocks[counter]
        found.setdefault(counter, []).append(
            Life(
                life=life,
                is_own=is_own,
                installation=installation,
                signer=signer,
                first=_date_of(joined, *clock),
                last=None if ended is None else _date_of(ended, *clock),
                beside=beside.get((counter, life), {}),
            )
        )
    return found


def without_z(lives: Sequence[Life], on: date, zs: Iterable[ZLine]) -> tuple[str, ...]:
    """The installations that used the counter's number on a date beside another one, and have no Z of it. Pure.

    All that told beside a newer one, and the newest, oldest first; nobody where one till alone used it.
    """
    used = [each for each in lives if on in each.beside]
    if not used:
        return ()
    newest = max((each for each in lives if each.was_there(on)), key=lambda each: each.life, default=None)
    if newest is not None and newest not in used:
        used.append(newest)
    closed = {z.installation for z in zs if not z.late}
    return tuple(
        each.installation
        for each in sorted(used, key=lambda each: each.life)
        if each.installation not in closed
        and not any(each.goes_on_in(other) and other.installation in closed for other in lives)
    )


def assembled(
    shop: int,
    shop_name: str,
    now: datetime,
    zs: Iterable[tuple[int, date, ZLine]],
    signed: Mapping[date, StoreDay],
    counters: Iterable[tuple[Any, ...]],
    told: Mapping[date, Mapping[int, Mapping[str, Sum]]],
    lives: Mapping[int, Sequence[Life]] | None = None,
) -> list[StoreDay]:
    """The days of which something is known, newest first; signed ones as they were signed. Pure.

    `counters`: counter, name, number, environment, currency, the dates since and until which it was the shop's (None:
    it is still), seen, waiting. `lives`: of the counters whose numbers several tills used.
    """
    signed_in = {
        key_of(each.counter, z.digest): day.business_date
        for day in signed.values()
        for each in day.counters
        for z in each.zs
    }
    stand: dict[date, dict[int, list[ZLine]]] = {}
    for counter, own, z in zs:
        on = stands_on(own, key_of(counter, z.digest), signed_in, signed)
        stand.setdefault(on, {}).setdefault(counter, []).append(
            msgspec.structs.replace(z, late=True) if on > own else z
        )
    found = list(signed.values())
    for on in {*stand, *told} - {*signed}:
        lines = []
        for counter, name, number, environment, currency, began, ended, seen, waiting in counters:
            own_zs = stand.get(on, {}).get(counter, [])
            own_told = told.get(on, {}).get(counter, {})
            if not (own_zs or own_told or (began <= on and (ended is None or on <= ended))):
                continue
            lines.append(
                DayCounter(
                    counter=counter,
                    name=name,
                    counter_id=number,
                    environment=environment,
                    currency=currency,
                    seen=_iso(seen),
                    waiting=max(0, waiting),
                    zs=tuple(sorted(own_zs, key=lambda each: (each.business_date, each.number))),
                    told=dict(sorted(own_told.items())),
                    without=without_z((lives or {}).get(counter, ()), on, own_zs),
                )
            )
        found.append(
            StoreDay(
                shop=shop,
                shop_name=shop_name,
                business_date=on.isoformat(),
                as_of=_iso(now),
                counters=tuple(lines),
            )
        )
    return sorted(found, key=lambda each: each.business_date, reverse=True)


def _line(row: tuple[Any, ...]) -> ZLine:
    return ZLine(
        number=row[2],
        digest=row[1],
        installation=row[9],
        business_date=row[3].isoformat(),
        ended=row[4],
        currency=row[5],
        sums=msgspec.json.decode(row[6], type=dict[str, Sum]),
        finding=Finding(row[7]),
        detail=row[8],
    )


def _signed_day(row: tuple[Any, ...]) -> StoreDay:
    _, at, act, who, reason, content, digest = row
    day = msgspec.json.decode(content, type=StoreDay)
    signature = Signature(signed=_iso(at), who=who, reason=reason, act=act, digest=digest)
    return msgspec.structs.replace(day, signature=signature)


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


class CannotSign(Exception):
    """`why`: signed (it is already), changed (it is not what the person saw), empty (nothing is in it)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


async def sign(
    connection: Connection, shop: int, on: date, seen: str, *, account: int, who: str, reason: str
) -> Signature:
    """Signs a day as it is now, with its act; `seen`: the mark (`mark_of`) of what the person looked at.

    In a transaction of role page that names the shop; the caller has seen to the right. Raises CannotSign,
    psycopg.Error.
    """
    # The acts' head is what writers of this store wait for each other at: so, too, two who sign one day.
    await connection.execute("SELECT 1 FROM act_head FOR UPDATE")
    found = await days(connection, shop, on, on)
    if not found:
        raise CannotSign("empty")
    day = found[0]
    if day.signature is not None:
        raise CannotSign("signed")
    if mark_of(day) != seen:
        raise CannotSign("changed")
    content = frozen(day)
    digest = digest_of(content)
    number = await acts.write(
        connection,
        Act(
            kind=SIGNED,
            shop=shop,
            account=account,
            who=who,
            subject=f"{on.isoformat()} {digest[:16]}",
            reason=reason,
        ),
    )
    row = await one_row(
        connection,
        "INSERT INTO store_day (shop, business_date, act, who, reason, content, digest) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING signed",
        (shop, on, number, who, reason, content, digest),
    )
    return Signature(signed=_iso(row[0]), who=who, reason=reason, act=number, digest=digest)


def mark_of(day: StoreDay) -> str:
    """Tells two looks at a day apart by what is signed of it, its Zs and who is missing; not by their moments."""
    said = [
        (each.counter, each.is_missing, each.without, [(z.digest, z.late, z.finding) for z in each.zs])
        for each in day.counters
    ]
    return sha256(msgspec.json.encode([day.shop, day.business_date, said])).hexdigest()[:32]
