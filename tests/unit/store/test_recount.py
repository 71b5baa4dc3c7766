"""What `store check` finds: each planted change is told, with where it is; and told anew everything is right again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import psycopg
import pytest

from pos_app.store import recount
from pos_app.store.database import PAGE, RECEIVE, Database, Pool, month
from pos_app.store.health import Watch
from pos_app.store.recount import Finding
from pos_app.store.server import CounterApi
from tests.support.store import PretendCounter, add_shop, attempt, code_for, rows, serving


def examined(database: Database, *, deep: bool = True) -> list[Finding]:
    async def look() -> list[Finding]:
        async with await database.connect(RECEIVE) as connection:
            return await recount.examine(connection, deep=deep)

    return asyncio.run(look())


def rebuilt(database: Database) -> int:
    async def work() -> int:
        async with await database.connect(RECEIVE) as connection:
            return await recount.rebuild(connection)

    return asyncio.run(work())


def sold(database: Database, shop: int) -> PretendCounter:
    """A counter's day, a second life of its journal, and something that fits no table."""
    counter = PretendCounter()
    for number in range(1, 6):
        counter.pay(f"K7Q2MX-{number}-1", f"{number}00.00", f"2026-11-2{number}T0{number}:30:00+05:30")
    counter.write(attempt=attempt("K7Q2MX-6-1", "WAITING", number=1 << 40))
    counter.write(attempt=attempt("K7Q2MX-5-1", "DISPUTED"))
    anew = PretendCounter("NEW111", key=counter.key)
    anew.events = list(counter.events[:10])
    anew.write(attempt=attempt("K7Q2MX-9-1", "PAID", recovered=True, tapped_wall="2026-10-30T23:00:00+05:30"))
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship(1, 7)
        counter.ship(8)
        with anew.at(url, code_for(database, shop)):
            anew.ship()
        counter.write(attempt=attempt("K7Q2MX-9-1", "UNRESOLVED"))
        counter.ship(18, 18)
    return counter


def test_what_was_taken_as_it_came_is_what_is_told_anew(database: Database, shop: int) -> None:
    sold(database, shop)
    assert examined(database) == []
    held = rows(database, "SELECT * FROM attempt ORDER BY 1, 2")
    assert rebuilt(database) == 18 + 11
    assert examined(database) == []
    assert rows(database, "SELECT * FROM attempt ORDER BY 1, 2") == held


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("UPDATE takings SET n = n + 1 WHERE state = 'PAID' AND hour = '2026-11-21T01+05:30'", "sums"),
        ("DELETE FROM attempt WHERE attempt_id = 'K7Q2MX-2-1'", "recount"),
        ("UPDATE counter_now SET open_n = open_n + 1", "sums"),
        ("UPDATE installation SET head_seq = head_seq - 1", "head"),
        ("DELETE FROM batch WHERE first = 1", "head"),
        ("UPDATE batch SET signature = header WHERE first = 8", "signature"),
        ("UPDATE batch SET body = '' WHERE first = 8", "batch"),
        ("ALTER TABLE takings NO FORCE ROW LEVEL SECURITY", "security"),
        ("GRANT SELECT ON attempt_default TO pos_page", "security"),
        ("UPDATE act_head SET number = 7", "acts"),
    ],
)
def test_each_planted_change_is_told(database: Database, shop: int, sql: str, what: str) -> None:
    sold(database, shop)
    rows(database, "ALTER TABLE batch DISABLE TRIGGER USER")
    rows(database, sql)
    assert what in {each.what for each in examined(database)}


def test_a_batch_is_never_changed(database: Database, shop: int) -> None:
    sold(database, shop)
    for sql in ("UPDATE batch SET body = ''", "DELETE FROM batch"):
        with pytest.raises(psycopg.errors.RaiseException, match="never changed"):
            rows(database, sql)


def test_a_page_sees_the_shops_it_names(database: Database, shop: int) -> None:
    other = add_shop(database, "Other")
    sold(database, shop)

    async def seen(*shops: int) -> int:
        pool = Pool(database, PAGE)
        async with pool.for_shops(shops) as connection:
            cursor = await connection.execute("SELECT count(*) FROM attempt")
            row = await cursor.fetchone()
        async with pool.lend() as connection:
            cursor = await connection.execute("SELECT count(*) FROM attempt")
            assert await cursor.fetchone() == (0,), "the setting outlived its transaction"
        await pool.close()
        return int(row[0]) if row else -1

    assert asyncio.run(seen(shop)) == 6
    assert asyncio.run(seen(other)) == 0
    assert asyncio.run(seen()) == 0


def test_partitions_stand_three_months_ahead(database: Database) -> None:
    async def ahead() -> int:
        async with await database.connect(RECEIVE) as connection:
            return await recount.months_ahead(connection)

    assert asyncio.run(ahead()) == 3
    newest = rows(
        database, "SELECT max(relname) FROM pg_class WHERE relname ~ '^batch_2[0-9_]+$' AND relkind = 'r'"
    )[0][0]
    rows(database, f"DROP TABLE {newest}")
    assert asyncio.run(ahead()) == 2
    assert database.maintain() == [newest]
    assert asyncio.run(ahead()) == 3


def test_a_month_that_a_wrong_clock_told_of_first_is_ready(
    database: Database, shop: int, tmp_path: Path
) -> None:
    """No partition can be made where the default holds rows of its month; they are found there, and health is well."""
    (today,) = rows(database, "SELECT current_date")[0]
    first = month(today, 1)
    names = [f"{table}_{first:%Y_%m}" for table in ("batch", "attempt")]
    counter = PretendCounter()
    api = CounterApi(database)
    with serving(database, Watch(api.pool, api.receiver, tmp_path).routes(), api) as url:
        for name in names:
            rows(database, f"DROP TABLE {name}")
        assert [(each.what, each.where) for each in examined(database)] == [("partitions", "next month")]
        assert httpx.get(f"{url}/health", trust_env=False).status_code == 503
        with counter.at(url, code_for(database, shop)):
            counter.pay("K7Q2MX-1-1", wall=f"{first}T10:00:05+05:30", tapped_wall=f"{first}T10:00:00+05:30")
            counter.ship()
            assert database.maintain() == names[:1]
            assert examined(database) == []
            health = httpx.get(f"{url}/health", trust_env=False)
            assert (health.status_code, health.json()["months_ahead"]) == (200, 3)
            counter.pay("K7Q2MX-2-1", wall=f"{first}T11:00:05+05:30", tapped_wall=f"{first}T11:00:00+05:30")
            counter.ship(4, 6)
    assert rows(database, "SELECT count(*) FROM attempt_default") == [(2,)]
    assert rows(database, "SELECT sum(n) FROM takings") == [(2,)]
