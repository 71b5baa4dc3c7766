"""The store's database: roles, numbered SQL, connections with time limits, pages that see their own shops only."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

OWNER, RECEIVE, PAGE, DOOR, BACKUP = "pos_owner", "pos_receive", "pos_page", "pos_door", "pos_backup"
BECOME = (OWNER, RECEIVE, PAGE, DOOR)
"""Whom the store's own user becomes in a PostgreSQL that is another's."""
_FOLDER = Path(__file__).with_name("sql")
_LOCK = 0x706F7361
"""Two programs that migrate at once: the second waits, and finds it done."""
STATEMENT_MS, LOCK_MS, IDLE_MS = 10_000, 5_000, 30_000
CONNECT_S = 5
NOTICED = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4, "tcp_user_timeout": 30_000}
"""A database on another machine that went away without a word is noticed within 30 s, where the system takes hours; s,
and the last in ms. Whoever gives a DSN may say otherwise in it."""
MONTHS_AHEAD = 3
PARTITIONED = {"batch": "received", "attempt": "tapped_on"}
"""The tables that have a partition for each month, and by what."""

Connection = psycopg.AsyncConnection[tuple[Any, ...]]


async def one_row(connection: Connection, query: str, values: Sequence[Any] = ()) -> tuple[Any, ...]:
    """The row that a query has. Raises LookupError where it has none."""
    cursor = await connection.execute(query, values)
    row = await cursor.fetchone()
    if row is None:
        raise LookupError("the store's database lacks a row that it always has: store check says more")
    return row


class TooNew(Exception):
    """The database was made by a newer store."""


class Database:
    """Where the store's tables are: `dsn` reaches them as somebody who may become each of the store's roles."""

    def __init__(self, dsn: str, *, private: bool = False) -> None:
        """`private`: a cluster of our own, where each role is reached directly. Raises psycopg.ProgrammingError for
        what is no DSN.
        """
        own = conninfo_to_dict(dsn)
        self.dsn = make_conninfo(dsn, **{name: value for name, value in NOTICED.items() if name not in own})
        self._private = private

    def _for(self, role: str) -> str:
        options = (
            f"-c statement_timeout={STATEMENT_MS} -c lock_timeout={LOCK_MS} -c timezone=UTC "
            f"-c idle_in_transaction_session_timeout={IDLE_MS} -c jit=off"
        )
        if self._private:
            return make_conninfo(self.dsn, user=role, options=options, connect_timeout=CONNECT_S)
        return make_conninfo(self.dsn, options=f"{options} -c role={role}", connect_timeout=CONNECT_S)

    async def connect(self, role: str) -> Connection:
        """A connection with autocommit. Raises psycopg.OperationalError."""
        return await psycopg.AsyncConnection.connect(self._for(role), autocommit=True)

    def connect_now(self, role: str) -> psycopg.Connection[tuple[Any, ...]]:
        """The same for a verb that has no loop; no limit of time, a recount may take long."""
        connection = psycopg.connect(self._for(role), autocommit=True)
        connection.execute("SET statement_timeout = 0")
        connection.execute("SET idle_in_transaction_session_timeout = 0")
        return connection

    def migrate(self, *, today: date | None = None) -> int:
        """Brings roles and tables up to this version; how many files were new. Raises TooNew, psycopg.Error."""
        with psycopg.connect(self.dsn, autocommit=True, connect_timeout=CONNECT_S) as connection:
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                _make_roles(connection, private=self._private)
                _grant(connection)
            done = 0
            for number, file in files():
                with connection.transaction():
                    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                    connection.execute("SET LOCAL ROLE pos_owner")
                    done += _apply(connection, number, file)
            with connection.transaction():
                connection.execute("SET LOCAL ROLE pos_owner")
                make_months(connection, today)
        return done

    def look(self) -> int:
        """The newest file that was run, where it answers and is none of a newer store. Raises TooNew, psycopg.Error."""
        with self.connect_now(RECEIVE) as connection:
            newest = _version(connection)
        _refuse_newer(newest)
        return newest

    def maintain(self) -> list[str]:
        """Partitions ahead; the names of the new ones. Raises psycopg.Error."""
        with (
            psycopg.connect(self.dsn, autocommit=True, connect_timeout=CONNECT_S) as connection,
            connection.transaction(),
        ):
            connection.execute("SET LOCAL lock_timeout = '5s'")
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            connection.execute("SET LOCAL ROLE pos_owner")
            return make_months(connection)


def files() -> list[tuple[int, Path]]:
    """The numbered SQL files in their order."""
    return sorted((int(file.stem), file) for file in _FOLDER.glob("[0-9][0-9][0-9].sql"))


def _apply(connection: psycopg.Connection[Any], number: int, file: Path) -> int:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, run timestamptz NOT NULL DEFAULT now())"
    )
    connection.execute("GRANT SELECT ON migration TO pos_receive, pos_page")
    newest = _version(connection)
    _refuse_newer(newest)
    if number <= newest:
        return 0
    # A file of ours, whole: nothing is put into it.
    connection.execute(file.read_text(encoding="utf-8"))
    connection.execute("INSERT INTO migration (number) VALUES (%s)", (number,))
    return 1


def _refuse_newer(newest: int) -> None:
    known = files()[-1][0]
    if newest > known:
        raise TooNew(
            f"this database is of version {newest}, this program knows up to {known}: use a newer one"
        )


def _version(connection: psycopg.Connection[Any]) -> int:
    if connection.execute("SELECT to_regclass('migration')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT coalesce(max(number), 0) FROM migration").fetchone()
    return int(row[0]) if row else 0


def _make_roles(connection: psycopg.Connection[Any], *, private: bool) -> None:
    """Those that are missing. Nobody signs in to another's PostgreSQL as one of them, nor is it backed up from here."""
    wanted = {OWNER: "NOLOGIN", RECEIVE: "LOGIN", PAGE: "LOGIN", DOOR: "LOGIN", BACKUP: "LOGIN REPLICATION"}
    for role, how in wanted.items() if private else dict.fromkeys(BECOME, "NOLOGIN").items():
        if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
            continue
        made = sql.SQL("CREATE ROLE {} NOSUPERUSER NOBYPASSRLS {}").format(sql.Identifier(role), sql.SQL(how))
        connection.execute(made)
    # Since PostgreSQL 16 somebody may be a member of a role and yet not become it.
    kind = "SET" if connection.info.server_version >= 160_000 else "MEMBER"
    for role in BECOME:
        if not _is(connection.execute("SELECT pg_has_role(current_user, %s, %s)", (role, kind))):
            given = sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(role))
            connection.execute(given)


def _grant(connection: psycopg.Connection[Any]) -> None:
    """What is missing: an administrator may have given it before, to somebody who cannot give it."""
    if not _is(connection.execute("SELECT has_schema_privilege('pos_owner', 'public', 'CREATE')")):
        connection.execute("GRANT CREATE, USAGE ON SCHEMA public TO pos_owner")
    if _is(connection.execute("SELECT has_schema_privilege('public', 'public', 'CREATE')")):
        connection.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")


def _is(asked: psycopg.Cursor[Any]) -> bool:
    return asked.fetchone() == (True,)


_PARTITION = sql.SQL("CREATE TABLE {} PARTITION OF {} FOR VALUES FROM ({}) TO ({})")


def now(connection: psycopg.Connection[Any]) -> datetime:
    """The database's clock."""
    row = connection.execute("SELECT clock_timestamp()").fetchone()
    if row is None:
        raise LookupError("the database knows no time")
    moment: datetime = row[0]
    return moment


def make_months(connection: psycopg.Connection[Any], today: date | None = None) -> list[str]:
    """Partitions from the month before to three ahead, where they are missing; their names. Runs as the owner."""
    if today is None:
        today = now(connection).date()
    made = []
    for table in PARTITIONED:
        for ahead in range(-1, MONTHS_AHEAD + 1):
            first, behind = month(today, ahead), month(today, ahead + 1)
            name = f"{table}_{first:%Y_%m}"
            if connection.execute("SELECT to_regclass(%s)", (name,)).fetchone() != (None,):
                continue
            wanted = _PARTITION.format(sql.Identifier(name), sql.Identifier(table), first, behind)
            try:
                with connection.transaction():
                    connection.execute(wanted)
                made.append(name)
            except psycopg.errors.CheckViolation:
                # The default holds rows of this month already: they stay there, and are found there.
                continue
    return made


def month(today: date, ahead: int) -> date:
    """The first day of the month so many ahead."""
    months = today.year * 12 + today.month - 1 + ahead
    return date(months // 12, months % 12 + 1, 1)


_SHOPS = re.compile(r"[0-9]+(,[0-9]+)*")


class Pool:
    """Some connections of one role, lent one at a time; a broken one is thrown away, the next one is new."""

    def __init__(self, database: Database, role: str, most: int = 4) -> None:
        self._database, self._role = database, role
        self._free: list[Connection] = []
        self._slots = asyncio.Semaphore(most)

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[Connection]:
        """A connection with autocommit. Raises psycopg.OperationalError."""
        async with self._slots:
            connection = await self._take()
            try:
                yield connection
            finally:
                if connection.closed or connection.broken:
                    # Whatever ended it has ended the others too.
                    await self.close()
                    await connection.close()
                elif connection.info.transaction_status:
                    await connection.close()
                else:
                    self._free.append(connection)

    async def _take(self) -> Connection:
        while self._free:
            connection = self._free.pop()
            if not connection.closed and not connection.broken:
                return connection
        return await self._database.connect(self._role)

    @asynccontextmanager
    async def for_shops(self, shops: Iterable[int]) -> AsyncIterator[Connection]:
        """A transaction in which row security shows these shops and no other."""
        named = ",".join(str(int(shop)) for shop in shops)
        if named and not _SHOPS.fullmatch(named):
            raise ValueError(f"shops are whole numbers, not {named!r}")
        async with self.lend() as connection, connection.transaction():
            await connection.execute("SELECT set_config('pos.shops', %s, true)", (named,))
            yield connection

    async def close(self) -> None:
        """Ends those that are not lent."""
        while self._free:
            await self._free.pop().close()
