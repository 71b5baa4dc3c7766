"""The page at a store whose machine keeps another time than its shops: days are the shops'."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pos_app.store.database import PAGE, Database, Pool
from pos_app.store.pages import figures
from pos_app.store.pages.figures import Sum, Today
from pos_app.store.telling import hour_and_date
from tests.support.owners import owner, page_of
from tests.support.store import PretendCounter, add_shop, code_for, rows, serving

COLOMBO, LIMA = timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-5))


@pytest.fixture(autouse=True)
def _machine_in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def _today(database: Database, *shops: int) -> Today:
    async def work() -> Today:
        pool = Pool(database, PAGE, 1)
        try:
            async with pool.for_shops(shops) as connection:
                return await figures.today(connection)
        finally:
            await pool.close()

    return asyncio.run(work())


def _minutes(at: datetime) -> int:
    return at.hour * 60 + at.minute


def test_today_is_the_day_that_runs_at_each_shop(database: Database, shop: int) -> None:
    """Half an hour behind the beginning of its day, and half an hour before: at the machine it is another date."""
    lima = add_shop(database, "Lima")
    east, west = PretendCounter("EAST1111", 1), PretendCounter("WEST1111", 2)
    now = datetime.now(UTC)
    half = timedelta(minutes=30)
    began, begins = _minutes(now.astimezone(COLOMBO) - half), _minutes(now.astimezone(LIMA) + half)
    rows(database, "UPDATE shop SET cutoff_minutes = %s WHERE shop = %s", began, shop)
    rows(database, "UPDATE shop SET cutoff_minutes = %s WHERE shop = %s", begins, lima)
    counted = []
    with serving(database) as url:
        for counter, zone, of, cutoff in ((east, COLOMBO, shop, began), (west, LIMA, lima, begins)):
            wall = now.astimezone(zone).isoformat(timespec="seconds")
            counter.pay(f"{counter.installation}-1-1", "100.00", wall, tapped_wall=wall)
            counted.append(hour_and_date(wall, cutoff)[1])
            with counter.at(url, code_for(database, of)):
                counter.ship()
    for of, on in ((shop, counted[0]), (lima, counted[1])):
        said = _today(database, of)
        assert said.dates == (on,)
        assert [*said.sums.values()] == [Sum(10000, 1)]
        assert figures.running_date(now, began if of == shop else begins) != on
    assert [*_today(database, shop, lima).sums.values()] == [Sum(20000, 2)]


@pytest.mark.parametrize("wall", ["someday", "2026-11-23T10:00:05+23:59", ""])
def test_a_wall_that_is_none_moves_no_day(database: Database, shop: int, wall: str) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1", wall=wall)
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
    before = datetime.now().astimezone().date()
    assert _today(database, shop).dates in ((before,), (datetime.now().astimezone().date(),))


@pytest.mark.parametrize(
    ("day", "first", "last", "behind"),
    [
        ("2026-10-25", "00:00:00+02:00", "23:30:00+01:00", "2026-10-26T00:30:00+01:00"),
        ("2026-03-29", "00:00:00+01:00", "23:30:00+02:00", "2026-03-30T00:30:00+02:00"),
    ],
)
def test_a_day_on_which_the_clocks_change_is_looked_through_whole(
    database: Database,
    shop: int,
    monkeypatch: pytest.MonkeyPatch,
    day: str,
    first: str,
    last: str,
    behind: str,
) -> None:
    """It has 25 hours, or 23: the last of its evening was left out, or the first of the next day was in it."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    counter = PretendCounter("K7Q2MXAB", 1)
    for number, wall in enumerate((f"{day}T{first}", f"{day}T{last}", behind)):
        counter.pay(f"K7Q2MXAB-{number}-1", wall=wall, tapped_wall=wall)
    counter.write("TOLD", datetime.now().astimezone().isoformat(timespec="seconds"))
    with page_of(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        with owner(database, url, shop, "nimali.perera") as person:
            assert person.get(f"/find?from={day}&to={day}").status_code == 200
            found = [link for link in person.seen.links if link.startswith("/payment?")]
    assert found == ["/payment?attempt=K7Q2MXAB-1-1", "/payment?attempt=K7Q2MXAB-0-1"]


def test_today_begins_with_the_hour_in_which_its_day_does(database: Database, shop: int) -> None:
    """What was taken behind midnight is the night's end, not its beginning."""
    now = datetime.now(UTC)
    rows(database, "UPDATE shop SET cutoff_minutes = %s WHERE shop = %s", _minutes(now) // 60 * 60, shop)
    counter = PretendCounter("K7Q2MXAB", 1)
    begins = now.replace(minute=0, second=0, microsecond=0)
    walls = [(begins + timedelta(hours=each)).isoformat() for each in (0, 2, 23)]
    for number, wall in enumerate(walls):
        counter.pay(f"K7Q2MXAB-{number}-1", wall=wall, tapped_wall=wall)
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
    ((hours,),) = (_today(database, shop).hours.values(),)
    labels = [f"{(begins + timedelta(hours=each)).hour:02d}" for each in range(24)]
    assert [each.label for each in hours] == labels
    assert [each.label for each in hours if each.count] == [labels[0], labels[2], labels[23]]


def test_find_looks_through_the_shops_own_days(database: Database, shop: int) -> None:
    counter = PretendCounter("K7Q2MXAB", 1)
    early, late = "2026-11-23T02:00:00+05:30", "2026-11-23T23:30:00+05:30"
    for number, wall in enumerate((early, late, "2026-11-24T02:00:00+05:30")):
        counter.pay(f"K7Q2MXAB-{number}-1", wall=wall, tapped_wall=wall)
    with page_of(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        with owner(database, url, shop, "nimali.perera") as person:
            assert person.get("/find?from=2026-11-23&to=2026-11-23").status_code == 200
            found = [link for link in person.seen.links if link.startswith("/payment?")]
    assert found == ["/payment?attempt=K7Q2MXAB-1-1", "/payment?attempt=K7Q2MXAB-0-1"]
