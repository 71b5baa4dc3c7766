"""Wrong stores on a real PostgreSQL, each with its fault planted in what is asked of the database: each is seen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any

import msgspec
import psycopg
import pytest
from msgspec.structs import replace

from pos_app.domain.shipping import Answer, Verdict
from pos_app.store import days, receive
from pos_app.store.database import PAGE, Connection, Database, Pool, one_row
from pos_app.store.days import StoreDay
from pos_app.store.pages import html
from pos_app.store.pages.figures import Counter
from tests.support.owners import owner, page_of
from tests.support.store import PretendCounter, attempt, code_for, rows, serving
from tests.unit.store.test_days import NEXT, close, joined, read, sell, ship, sign

Check = Callable[[Database, int], None]
Plant = Callable[[Database, pytest.MonkeyPatch], None]


def what_a_twin_builds_on(database: Database, shop: int) -> None:
    """It says that its events come behind the head, and names another one before them."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    twin = counter.twin()
    counter.pay("K7Q2MX-2-1")
    twin.pay("K7Q2MX-3-1")
    twin.pay("K7Q2MX-4-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)), twin.at(url):
        counter.ship()
        assert twin.ship(7, 9).verdict is Verdict.FORK
    assert rows(database, "SELECT max(last) FROM batch") == [(6,)]


def what_leaves_a_gap(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    counter.pay("K7Q2MX-2-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship(1, 2)
        assert counter.ship(5, 6).verdict is Verdict.GAP
    assert rows(database, "SELECT max(last) FROM batch") == [(2,)]


def what_comes_behind_a_revocation(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship(1, 1)
        rows(database, "UPDATE installation SET state = 'revoked'")
        assert counter.send(counter.batch(2, 3)).status_code == 403
    assert rows(database, "SELECT max(last) FROM batch") == [(1,)]


def what_no_index_takes(database: Database, shop: int) -> None:
    counter = PretendCounter()
    noise = "".join(sha256(bytes((place,))).hexdigest() for place in range(200))
    counter.write("STATUS_ANSWERED", attempt=attempt(noise))
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        said = counter.send(counter.batch(1, 4))
        assert said.status_code == 200
        assert msgspec.json.decode(said.content, type=Answer).verdict is Verdict.TAKEN


def what_a_partition_shows(database: Database, shop: int) -> None:
    del shop
    connection = database.connect_now(PAGE)
    try:
        connection.execute("SELECT * FROM batch_default")
    except psycopg.errors.InsufficientPrivilege:
        return
    finally:
        connection.close()
    raise AssertionError("a partition was read by its own name")


def what_comes_twice(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        assert counter.ship().verdict is Verdict.HAVE
    assert rows(database, "SELECT count(*) FROM batch") == [(1,)]
    assert rows(database, "SELECT sum(n) FROM takings") == [(1,)]


def what_the_next_reader_is_shown(database: Database, shop: int) -> None:
    """On the connection that read a shop before."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()

    async def read() -> tuple[int, int, int]:
        pool = Pool(database, PAGE, 1)
        try:
            async with pool.for_shops([shop]) as connection:
                own = await one_row(connection, "SELECT count(*) FROM attempt")
            async with pool.lend() as connection:
                behind = await one_row(connection, "SELECT count(*) FROM attempt")
            async with pool.for_shops([]) as connection:
                nobodys = await one_row(connection, "SELECT count(*) FROM attempt")
            return own[0], behind[0], nobodys[0]
        finally:
            await pool.close()

    assert asyncio.run(read()) == (1, 0, 0)


def what_a_signed_day_says_later(database: Database, shop: int) -> None:
    counter = PretendCounter("ONE11111", 1)
    with joined(database, shop, counter):
        sell(counter, 1)
        close(counter, 1, 10000)
        ship(counter)
        (day,) = read(database, shop)
        sign(database, shop, day)
        sell(counter, 2, "70.00")
        close(counter, 1, 7000)
        ship(counter)
        (after,) = read(database, shop)
        assert [z.number for each in after.counters for z in each.zs] == [1]
        (behind,) = read(database, shop, NEXT, NEXT)
    assert [(z.number, z.late) for each in behind.counters for z in each.zs] == [(2, True)]


def what_a_sum_says_of_who_is_missing(database: Database, shop: int) -> None:
    """Today, and the days: a counter that was heard of last an hour ago."""
    counter = PretendCounter("ONE11111", 1, name="Garden bar")
    sell(counter, 1)
    with page_of(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        rows(database, "UPDATE installation SET joined = '2026-11-01' RETURNING 1")
        rows(database, "UPDATE counter_now SET seen = now() - interval '1 hour' RETURNING 1")
        with owner(database, url, shop) as person:
            card = re.search(r'<section[^>]*id="sum".*?</section>', person.get("/").text, re.DOTALL)
            assert card is not None
            assert "Garden bar" in card[0]
            person.get("/days")
            assert "Without Garden bar" in person.seen.text


def what_a_hostile_name_does_to_a_page(database: Database, shop: int) -> None:
    counter = PretendCounter("ONE11111", 1, name='Bar"><script src=//x></script>')
    rows(database, "UPDATE shop SET name = '<img src=x onerror=a()>' RETURNING 1")
    sell(counter, 1)
    with page_of(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        with owner(database, url, shop) as person:
            for path in ("/", "/attention", "/counters", "/days", "/people", "/find", "/acts"):
                text = person.get(path).text
                assert "<img" not in text, path
                assert text.count("<script") <= 1, path


def _without(part: str) -> Plant:
    def plant(_database: Database, patch: pytest.MonkeyPatch) -> None:
        swap: str = vars(receive)["_SWAP"]
        assert part in swap
        patch.setattr(receive, "_SWAP", swap.replace(part, ""))

    return plant


def _drops_its_lane(_database: Database, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(receive, "NO_TABLE_TAKES", (psycopg.DataError, psycopg.IntegrityError))


def _grants_a_partition(database: Database, _patch: pytest.MonkeyPatch) -> None:
    rows(database, "GRANT SELECT ON batch_default TO pos_page")


def _forgets_the_head(database: Database, _patch: pytest.MonkeyPatch) -> None:
    """The batch is written, and the head is moved by nobody."""
    rows(
        database,
        "CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.head_seq := OLD.head_seq; "
        "NEW.head_mac := OLD.head_mac; RETURN NEW; END $$",
    )
    rows(
        database,
        "CREATE TRIGGER stays BEFORE UPDATE ON installation FOR EACH ROW EXECUTE FUNCTION stays()",
    )


def _sets_shops_for_the_session(_database: Database, patch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def for_shops(self: Pool, shops: Iterable[int]) -> AsyncIterator[Connection]:
        named = ",".join(map(str, shops))
        async with self.lend() as connection, connection.transaction():
            if named:
                await connection.execute("SELECT set_config('pos.shops', %s, false)", (named,))
            yield connection

    patch.setattr(Pool, "for_shops", for_shops)


def _lets_late_zs_in(_database: Database, patch: pytest.MonkeyPatch) -> None:
    """A day is what its Zs are now."""
    right = days.assembled

    def assembled(
        shop: int, name: str, now: Any, zs: Any, signed: Any, counters: Any, told: Any, *more: Any
    ) -> list[StoreDay]:
        by_date = {day.business_date: day.signature for day in signed.values()}
        found = right(shop, name, now, zs, {}, counters, told, *more)
        return [replace(day, signature=by_date.get(day.business_date)) for day in found]

    patch.setattr(days, "assembled", assembled)


def _names_nobody(_database: Database, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Counter, "is_missing", lambda _self, _now: False)
    patch.setattr(Counter, "is_catching_up", False)


def _escapes_nothing(_database: Database, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(html, "_TEXT", {})


PLANTED: dict[str, tuple[Check, Plant]] = {
    "swap_without_before": (
        what_a_twin_builds_on,
        _without("AND (i.head_seq = 0 OR i.head_mac = v.before) "),
    ),
    "gap_accepted": (
        what_leaves_a_gap,
        _without("AND i.head_seq = v.first - 1\nAND (i.head_seq = 0 OR i.head_mac = v.before) "),
    ),
    "token_outlives_revocation": (what_comes_behind_a_revocation, _without("AND i.state = 'joined' ")),
    "one_bad_batch_drops_its_lane": (what_no_index_takes, _drops_its_lane),
    "a_grant_on_a_partition": (what_a_partition_shows, _grants_a_partition),
    "the_head_is_not_moved": (what_comes_twice, _forgets_the_head),
    "shops_set_per_session": (what_the_next_reader_is_shown, _sets_shops_for_the_session),
    "late_z_into_a_signed_day": (what_a_signed_day_says_later, _lets_late_zs_in),
    "sum_without_who_is_missing": (what_a_sum_says_of_who_is_missing, _names_nobody),
    "name_unescaped": (what_a_hostile_name_does_to_a_page, _escapes_nothing),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_wrong_store_is_seen(
    database: Database, shop: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check, plant = PLANTED[name]
    plant(database, monkeypatch)
    with pytest.raises((AssertionError, psycopg.Error)):
        check(database, shop)


@pytest.mark.parametrize("name", PLANTED)
def test_the_right_one_passes(database: Database, shop: int, name: str) -> None:
    """Else the catch would prove nothing."""
    PLANTED[name][0](database, shop)
