"""Everything that is read off the batches, told anew: in place (rebuild), or beside it to be compared (check)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from psycopg import sql

from pos_app.domain.shipping import BATCH_LABEL, BadBatch, events_of, read_header, unpacked
from pos_app.store import acts, projecting
from pos_app.store.database import MONTHS_AHEAD, OWNER, PAGE, PARTITIONED, Connection, month, one_row
from pos_app.store.projecting import Telling, note_unfit, project
from pos_app.store.receive import NO_TABLE_TAKES, STUMBLES
from pos_app.store.telling import Teller, Unfit

_AT_ONCE = 50
_BATCHES = """SELECT b.life, b.first, b.last, b.mac, b.header, b.signature, b.body, i.public_key, i.installation,
i.shop, i.counter, s.cutoff_minutes FROM batch b JOIN installation i USING (life) JOIN shop s ON s.shop = i.shop
ORDER BY b.life, b.last"""
_OPEN_N = """UPDATE counter_now c SET changed = clock_timestamp(),
open_n = (SELECT count(*) FROM attempt a WHERE a.counter = c.counter AND a.shop = c.shop AND a.open)"""


_ACTS = f"SELECT {acts.COLUMNS} FROM act ORDER BY number"


class Finding(msgspec.Struct, frozen=True):
    """Something that is not as it has to be. `what`: a short code; `where`: which journal, table or day."""

    what: str
    where: str
    text: str


async def rebuild(connection: Connection) -> int:
    """Every projection anew, in one transaction in which no batch is taken; how many events were told.

    `connection` is one of role receive, without a limit of time.
    """
    async with connection.transaction():
        await connection.execute("LOCK TABLE installation IN SHARE ROW EXCLUSIVE MODE")
        for table in projecting.TABLES:
            emptied = sql.SQL("DELETE FROM {}").format(sql.Identifier(table))
            await connection.execute(emptied)
        told = await _tell_all(connection, [])
        await connection.execute(_OPEN_N)
    return told


async def move_days(connection: Connection, shop: int, cutoff_minutes: int) -> int:
    """A shop's day begins at another time, for what is held as well: how many events were told anew.

    In the caller's transaction. Counters wait: what they send behind it finds the new time at the head's row.
    """
    await connection.execute("LOCK TABLE installation IN SHARE ROW EXCLUSIVE MODE")
    cursor = await connection.execute(
        "UPDATE shop SET cutoff_minutes = %s WHERE shop = %s AND cutoff_minutes <> %s RETURNING 1",
        (cutoff_minutes, shop, cutoff_minutes),
    )
    if await cursor.fetchone() is None:
        return 0
    cursor = await connection.execute("SELECT 1 FROM installation WHERE shop = %s LIMIT 1", (shop,))
    return 0 if await cursor.fetchone() is None else await rebuild(connection)


async def _tell_all(connection: Connection, findings: list[Finding]) -> int:
    told = 0
    waiting: list[Telling] = []
    async for telling in _tellings(connection, findings):
        waiting.append(telling)
        told += len(telling.events)
        if len(waiting) >= _AT_ONCE or telling.teller.life != waiting[0].teller.life:
            await _tell(connection, waiting)
            waiting = []
    await _tell(connection, waiting)
    return told


async def _tell(connection: Connection, tellings: Sequence[Telling]) -> None:
    """As they were taken: together, and where something fits no table, event by event."""
    if not tellings:
        return
    try:
        async with connection.transaction():
            for telling in tellings:
                await project(connection, [telling], side_by_side=False)
    except (*NO_TABLE_TAKES, *STUMBLES):
        for telling in tellings:
            for event in telling.events:
                one = Telling(telling.teller, (event,))
                try:
                    async with connection.transaction():
                        await project(connection, [one], side_by_side=False)
                except (*NO_TABLE_TAKES, *STUMBLES) as error:
                    why = (str(error).strip() or type(error).__name__).splitlines()[0]
                    await note_unfit(connection, [(telling.teller, Unfit(event.seq, event.kind, why))])


async def _tellings(connection: Connection, findings: list[Finding]) -> AsyncIterator[Telling]:
    """Every held batch in the order of its journal, each looked at as when it came."""
    life, last, mac = 0, 0, b""
    async with connection.cursor(name="batches") as cursor:
        cursor.itersize = 100
        await cursor.execute(_BATCHES)
        async for row in cursor:
            if row[0] != life:
                life, last, mac = row[0], 0, b""
            where = f"{row[8]} {row[1]}-{row[2]}"
            try:
                header = read_header(row[4])
                events = events_of(header, unpacked(row[6]))
                Ed25519PublicKey.from_public_bytes(row[7]).verify(row[5], BATCH_LABEL + row[4])
            except (BadBatch, InvalidSignature, ValueError) as error:
                what = "signature" if isinstance(error, InvalidSignature) else "batch"
                findings.append(Finding(what, where, str(error) or "the signature is not this counter's"))
                last, mac = row[2], row[3]
                continue
            named = (header.installation, header.first, header.last, header.mac)
            if named != (row[8], row[1], row[2], row[3]):
                findings.append(Finding("batch", where, "the row and what was signed name different events"))
            if header.first != last + 1 or (last and header.before != mac):
                findings.append(Finding("chain", where, f"it does not follow event {last}"))
            last, mac = header.last, header.mac
            yield Telling(Teller(life, row[9], row[10], row[7], row[11]), events)


async def recount(connection: Connection) -> list[Finding]:
    """All batches read, their signatures proven, and told into tables beside the store's own, which have to be equal.

    In a transaction that sees one moment, and leaves nothing.
    """
    findings: list[Finding] = []
    async with connection.transaction(force_rollback=True):
        await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        for table in projecting.TABLES:
            # A temporary table of the same name is found first.
            made = sql.SQL("CREATE TEMP TABLE {0} (LIKE public.{0} INCLUDING ALL) ON COMMIT DROP").format(
                sql.Identifier(table)
            )
            await connection.execute(made)
        await _tell_all(connection, findings)
        for table in projecting.TABLES:
            findings += await _compare(connection, table)
    return findings


_NOT_COMPARED = {"unfit": {"noticed", "why"}}


async def _compare(connection: Connection, table: str) -> list[Finding]:
    cursor = await connection.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = ('public.' || quote_ident(%s))::regclass "
        "AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
        (table,),
    )
    names = [row[0] for row in await cursor.fetchall() if row[0] not in _NOT_COMPARED.get(table, ())]
    # Sums that came back to nothing may stand as a row of zeros.
    zeros = sql.SQL(" WHERE n <> 0 OR minor <> 0") if {"n", "minor"} <= set(names) else sql.SQL("")
    asked = sql.SQL(
        "WITH held AS (SELECT {columns} FROM public.{table}{zeros}), "
        "told AS (SELECT {columns} FROM pg_temp.{table}{zeros}) "
        "SELECT 'held', to_jsonb(d)::text FROM (SELECT * FROM held EXCEPT ALL SELECT * FROM told) d "
        "UNION ALL SELECT 'told', to_jsonb(d)::text FROM (SELECT * FROM told EXCEPT ALL SELECT * FROM held) d LIMIT 40"
    ).format(columns=sql.SQL(", ").join(map(sql.Identifier, names)), table=sql.Identifier(table), zeros=zeros)
    cursor = await connection.execute(asked)
    return [Finding("recount", table, f"{side}: {row}") for side, row in await cursor.fetchall()]


async def heads(connection: Connection) -> list[Finding]:
    """Each head is the end of its batches, and they have no gap and no overlap."""
    cursor = await connection.execute(
        "SELECT i.installation, i.head_seq, coalesce(b.last, 0), coalesce(b.events, 0), "
        "i.head_seq = 0 OR EXISTS (SELECT 1 FROM batch e WHERE e.life = i.life AND e.last = i.head_seq "
        "AND e.mac = i.head_mac AND e.header = i.head_header) FROM installation i LEFT JOIN ("
        "SELECT life, max(last) AS last, sum(last - first + 1) AS events FROM batch GROUP BY life) b USING (life)"
    )
    found = []
    for installation, head, last, events, proven in await cursor.fetchall():
        if not head == last == events:
            text = f"head {head}, newest event held {last}, events held {events}"
            found.append(Finding("head", installation, text))
        elif not proven:
            found.append(Finding("head", installation, f"no batch held ends with the head's MAC at {head}"))
    return found


_SUMS = {
    "takings": """WITH counted AS (SELECT shop, counted_on, counter, counted_hour, kind, counted_state, currency,
count(*) AS n, sum(coalesce(minor, 0)) AS minor FROM attempt WHERE counted_state <> '' GROUP BY 1, 2, 3, 4, 5, 6, 7),
summed AS (SELECT shop, business_date, counter, hour, kind, state, currency, n, minor FROM takings
WHERE n <> 0 OR minor <> 0)
SELECT to_jsonb(d)::text FROM ((SELECT * FROM counted EXCEPT ALL SELECT * FROM summed)
UNION ALL (SELECT * FROM summed EXCEPT ALL SELECT * FROM counted)) d LIMIT 20""",
    "takings_day": """WITH counted AS (SELECT shop, business_date, counter, kind, state, currency, sum(n) AS n,
sum(minor) AS minor FROM takings GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0 OR sum(minor) <> 0),
summed AS (SELECT shop, business_date, counter, kind, state, currency, n::numeric AS n, minor FROM takings_day
WHERE n <> 0 OR minor <> 0)
SELECT to_jsonb(d)::text FROM ((SELECT * FROM counted EXCEPT ALL SELECT * FROM summed)
UNION ALL (SELECT * FROM summed EXCEPT ALL SELECT * FROM counted)) d LIMIT 20""",
    "counter_now": """SELECT c.counter || ': ' || c.open_n || ' open, counted ' || coalesce(a.n, 0)
FROM counter_now c LEFT JOIN (SELECT shop, counter, count(*) AS n FROM attempt WHERE open GROUP BY 1, 2) a
USING (shop, counter) WHERE c.open_n <> coalesce(a.n, 0) LIMIT 20""",
}


async def sums(connection: Connection) -> list[Finding]:
    """The sums are those of the attempts."""
    found = []
    for table, asked in _SUMS.items():
        cursor = await connection.execute(asked)
        found += [Finding("sums", table, row[0]) for row in await cursor.fetchall()]
    return found


async def security(connection: Connection) -> list[Finding]:
    """Row security is forced on every table that names a shop, and nobody was given a partition directly."""
    cursor = await connection.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'shop' "
        "WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace "
        "AND c.relname NOT LIKE 'pg\\_%%' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)"
    )
    found = [
        Finding("security", row[0], "row security is not forced here") for row in await cursor.fetchall()
    ]
    cursor = await connection.execute(
        "SELECT c.relname, g.grantee::regrole::text FROM pg_class c, aclexplode(c.relacl) g "
        "WHERE c.relispartition AND c.relkind IN ('r', 'p') AND g.grantee <> c.relowner"
    )
    for name, who in await cursor.fetchall():
        found.append(Finding("security", name, f"{who} was given this partition, which obeys no policy"))
    cursor = await connection.execute(
        "SELECT rolname FROM pg_roles WHERE rolname IN (%s, %s) AND (rolsuper OR rolbypassrls)", (OWNER, PAGE)
    )
    found += [
        Finding("security", row[0], "this role passes row security by") for row in await cursor.fetchall()
    ]
    return found


async def chain_of_acts(connection: Connection) -> list[Finding]:
    """Nothing of what was changed by hand was changed, added or taken out."""
    head = await one_row(connection, "SELECT number, mac FROM act_head")
    cursor = await connection.execute(_ACTS)
    at = acts.broken_at(map(acts.line_of, await cursor.fetchall()), (head[0], head[1]))
    return (
        [] if at is None else [Finding("acts", str(at), "this line is not as it was written, or is missing")]
    )


async def months_ahead(connection: Connection) -> int:
    """For so many months from the next one on each partitioned table is ready.

    It has the month's partition, or its default holds rows of that month already (a counter's clock was months ahead):
    then none can be made, none is needed, and the month goes on there.
    """
    (today,) = await one_row(connection, "SELECT current_date")
    for ahead in range(1, MONTHS_AHEAD + 1):
        first, behind = month(today, ahead), month(today, ahead + 1)
        for table, column in PARTITIONED.items():
            (there,) = await one_row(
                connection, "SELECT to_regclass(%s) IS NOT NULL", (f"{table}_{first:%Y_%m}",)
            )
            if there:
                continue
            held = sql.SQL("SELECT EXISTS (SELECT FROM {0} WHERE {1} >= {2} AND {1} < {3})").format(
                sql.Identifier(table), sql.Identifier(column), sql.Literal(first), sql.Literal(behind)
            )
            cursor = await connection.execute(held)
            if await cursor.fetchone() != (True,):
                return ahead - 1
    return MONTHS_AHEAD


async def examine(connection: Connection, *, deep: bool) -> list[Finding]:
    """What `store check` finds."""
    async with connection.transaction():
        await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        found = [*await heads(connection), *await sums(connection), *await security(connection)]
        found += await chain_of_acts(connection)
        ahead = await months_ahead(connection)
    if not ahead:
        found.append(Finding("partitions", "next month", "its partitions are missing: store run makes them"))
    if deep:
        found += await recount(connection)
    return found


def as_row(finding: Finding) -> dict[str, Any]:
    """For --json."""
    return {"finding": finding.what, "where": finding.where, "text": finding.text}
