"""Raw SQL in the store's database as each of its roles: what a broken page or receiver could read and write at most."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql

from pos_app.store.database import PAGE, RECEIVE, Database
from tests.support.store import PretendCounter, add_shop, code_for, fresh_database, rows, serving

SECRETS = ("join_code", "challenge", "counter_session")


@pytest.fixture(scope="module")
def two() -> Iterator[tuple[Database, int, int]]:
    """Two shops with a counter and a payment each, one of them with a fork. No test can change it: that is tested."""
    with fresh_database() as database:
        yield database, *_two_shops(database)


def _two_shops(database: Database) -> tuple[int, int]:
    shops = add_shop(database, "A"), add_shop(database, "B")
    with serving(database) as url:
        for number, shop in enumerate(shops):
            counter = PretendCounter(f"SHOP{number}", 1)
            with counter.at(url, code_for(database, shop)):
                counter.pay(f"{counter.installation}-1-1")
                counter.ship()
                twin = counter.twin()
                counter.write()
                counter.ship(4, 4)
                twin.write(who="other")
                with twin.at(url):
                    twin.ship(4, 4)
                counter.write(attempt={"attempt_id": 7})
                counter.ship(5, 5)
    return shops


@contextmanager
def page(database: Database, shops: str | None) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A transaction as the page has it."""
    connection = database.connect_now(PAGE)
    try:
        with connection.transaction():
            if shops is not None:
                connection.execute("SELECT set_config('pos.shops', %s, true)", (shops,))
            yield connection
    finally:
        connection.close()


def tables_with_shops(database: Database) -> list[str]:
    """Every parent table with a column `shop`: one that comes tomorrow is in it."""
    found = rows(
        database,
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'shop' "
        "WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition "
        "ORDER BY 1",
    )
    return [name for (name,) in found]


def count(connection: psycopg.Connection[tuple[object, ...]], table: str, of: str = "shop") -> object:
    row = connection.execute(
        sql.SQL("SELECT count({}) FROM {}").format(sql.Identifier(of), sql.Identifier(table))
    ).fetchone()
    assert row is not None
    return row[0]


def readable(database: Database, role: str) -> list[str]:
    found = rows(
        database,
        "SELECT c.relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') "
        "AND has_any_column_privilege(%s, c.oid, 'SELECT') ORDER BY 1",
        role,
    )
    return [name for (name,) in found]


def test_every_table_with_a_shop_has_forced_row_security(two: tuple[Database, int, int]) -> None:
    database, *_ = two
    bare = rows(
        database,
        "SELECT relname FROM pg_class WHERE relname = ANY(%s) AND NOT (relrowsecurity AND relforcerowsecurity)",
        tables_with_shops(database),
    )
    assert bare == []
    powers = rows(
        database,
        "SELECT rolname FROM pg_roles WHERE rolname LIKE 'pos\\_%%' AND rolname <> 'pos_root' "
        "AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)",
    )
    assert powers == []


@pytest.mark.parametrize("shops", [None, "", "999"])
def test_a_page_that_names_no_shop_sees_nothing(two: tuple[Database, int, int], shops: str | None) -> None:
    database, *_ = two
    mine = set(readable(database, PAGE)) & set(tables_with_shops(database))
    assert {"attempt", "batch", "takings", "fork", "unfit", "incident"} <= mine
    for table in sorted(mine):
        with page(database, shops) as connection:
            assert count(connection, table) == 0, table


def test_a_page_sees_the_shops_it_names(two: tuple[Database, int, int]) -> None:
    database, first, second = two
    for table in (
        "shop",
        "counter",
        "installation",
        "attempt",
        "batch",
        "takings",
        "fork",
        "unfit",
        "incident",
    ):
        with page(database, str(first)) as connection:
            own = connection.execute(
                sql.SQL("SELECT DISTINCT shop FROM {}").format(sql.Identifier(table))
            ).fetchall()
            assert own == [(first,)], table
        with page(database, f"{first},{second}") as connection:
            assert connection.execute(
                sql.SQL("SELECT count(DISTINCT shop) FROM {}").format(sql.Identifier(table))
            ).fetchone() == (2,), table


@pytest.mark.parametrize("shops", ["1,", "1 OR true", "x", "1,2'--", "{1,2}", "1,NULL", "*"])
def test_what_is_no_list_of_shops_shows_nothing_or_is_an_error(
    two: tuple[Database, int, int], shops: str
) -> None:
    database, first, _ = two
    try:
        with page(database, shops) as connection:
            seen = connection.execute("SELECT DISTINCT shop FROM attempt").fetchall()
    except psycopg.errors.InvalidTextRepresentation:
        return
    assert seen in ([], [(first,)])


def test_the_setting_ends_with_its_transaction(two: tuple[Database, int, int]) -> None:
    """Planted 17 is a store that sets it for the session: the next one who is lent the line would see all."""
    database, first, _ = two
    connection = database.connect_now(PAGE)
    try:
        with connection.transaction():
            connection.execute("SELECT set_config('pos.shops', %s, true)", (str(first),))
            assert count(connection, "attempt") == 1
        assert count(connection, "attempt") == 0
    finally:
        connection.close()


@pytest.mark.parametrize("role", [PAGE, RECEIVE])
def test_no_role_reaches_a_partition(two: tuple[Database, int, int], role: str) -> None:
    """A partition asked by its own name obeys no policy: nobody has a right to one, nor to one that comes."""
    database, *_ = two
    partitions = [
        name
        for (name,) in rows(
            database, "SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1"
        )
    ]
    assert len(partitions) > 8
    for name in partitions:
        connection = database.connect_now(role)
        try:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name)))
        finally:
            connection.close()


WRITES = (
    "UPDATE attempt SET amount = 1",
    "DELETE FROM batch",
    "INSERT INTO takings SELECT * FROM takings",
    "UPDATE installation SET head_seq = 0",
    "UPDATE installation SET public_key = '\\x00'",
    "TRUNCATE batch",
    "ALTER TABLE attempt DISABLE ROW LEVEL SECURITY",
    "CREATE TABLE mine (x int)",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "SELECT public_key FROM installation",
    "SET ROLE pos_owner",
    "SET ROLE pos_root",
    "COPY attempt TO PROGRAM 'cat'",
    "SELECT pg_read_file('/etc/passwd')",
    *(f"SELECT * FROM {table}" for table in SECRETS),
)


@pytest.mark.parametrize("write", WRITES)
def test_a_page_writes_nothing_of_counters_and_reads_no_key(
    two: tuple[Database, int, int], write: str
) -> None:
    database, first, _ = two
    with (
        pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.FeatureNotSupported)),
        page(database, str(first)) as connection,
    ):
        connection.execute(write.encode())


RECEIVES_NEVER = (
    "UPDATE batch SET body = ''",
    "DELETE FROM batch",
    "TRUNCATE batch",
    "DELETE FROM fork",
    "UPDATE fork SET body = ''",
    "DELETE FROM incident",
    "DELETE FROM installation",
    "ALTER TABLE batch DISABLE TRIGGER ALL",
    "SET ROLE pos_owner",
    "CREATE TABLE mine (x int)",
)


@pytest.mark.parametrize("write", RECEIVES_NEVER)
def test_who_receives_takes_nothing_back(two: tuple[Database, int, int], write: str) -> None:
    database, *_ = two
    connection = database.connect_now(RECEIVE)
    try:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(write.encode())
    finally:
        connection.close()


def test_not_even_the_owner_changes_a_batch(two: tuple[Database, int, int]) -> None:
    database, *_ = two
    for write in ("UPDATE batch SET body = ''", "DELETE FROM batch"):
        with pytest.raises(psycopg.errors.RaiseException, match="never changed"):
            rows(database, write)


def test_a_view_or_a_function_lends_nobody_rights(two: tuple[Database, int, int]) -> None:
    """No SECURITY DEFINER, and each view asks with the rights of who asks."""
    database, *_ = two
    definers = rows(
        database,
        "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef",
    )
    assert definers == []
    views = rows(
        database,
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' "
        "AND NOT coalesce(reloptions::text LIKE '%%security_invoker=%%', false)",
    )
    assert views == []
