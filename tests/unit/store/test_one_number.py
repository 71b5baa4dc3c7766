"""Two tills with one counter's number, on a real PostgreSQL: a day wants a Z of each; a replaced one is no news."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest

from pos_app.domain.shipping import ChallengeRequest
from pos_app.store import days
from pos_app.store.database import PAGE, Database
from tests.support.owners import owner, page_of
from tests.support.store import PretendCounter, add_shop, code_for, rows, serving
from tests.unit.store.test_days import NEXT, ON, close, joined, read, sell, ship, sign
from tests.unit.store.test_recount import examined, rebuilt

INCIDENTS = "SELECT life, kind, seq, detail FROM incident ORDER BY incident"
NOTED = "SELECT life, business_date, newest FROM beside ORDER BY 1, 2"
BOTH = "ONE11111, TWO22222"


def two() -> tuple[PretendCounter, PretendCounter]:
    """Two tills that were set up with the same number."""
    return PretendCounter("ONE11111", 1), PretendCounter("TWO22222", 1)


def without(database: Database, shop: int, on: date = ON) -> list[tuple[bool, tuple[str, ...]]]:
    """Of each counter of a day whether it is missing, and which installations are."""
    return [(each.is_missing, each.without) for day in read(database, shop, on, on) for each in day.counters]


@pytest.mark.parametrize("first", [0, 1])
def test_a_day_of_two_tills_is_whole_with_a_z_of_both(database: Database, shop: int, first: int) -> None:
    both = two()
    with joined(database, shop, *both):
        for at, each in enumerate(both):
            sell(each, at)
            ship(each)
        closing, other = both[first], both[1 - first]
        close(closing, 1, 10000)
        ship(closing)
        (day,) = read(database, shop)
        assert [each.name for each in day.missing] == ["Counter 1"]
        assert without(database, shop) == [(True, (other.installation,))]
        assert day.missing[0].missed == f"Counter 1 ({other.installation})"
        close(other, 1, 10000)
        ship(other)
        (whole,) = read(database, shop)
    assert (whole.missing, without(database, shop)) == ((), [(False, ())])
    assert days.mark_of(whole) != days.mark_of(day)
    # Once, however often they tell.
    assert rows(database, INCIDENTS) == [(1, "number", 2, BOTH)]
    assert rows(database, NOTED) == [(1, ON, 2)]


def test_a_till_that_was_replaced_is_no_news_and_misses_nothing(database: Database, shop: int) -> None:
    """Its journal was lost, or its machine was changed: it stays joined, and tells nothing any more."""
    old, new = two()
    with serving(database) as url:
        with old.at(url, code_for(database, shop)):
            old.sign_in(version="1", wall=f"{ON}T09:00:00+05:30")
            sell(old, 1)
            old.ship()
        with new.at(url, code_for(database, shop)):
            new.sign_in(version="1", wall=f"{ON}T12:00:00+05:30")
            sell(new, 2)
            close(new, 1, 10000)
            new.ship()
    assert (rows(database, INCIDENTS), rows(database, NOTED)) == ([], [])
    assert without(database, shop) == [(False, ())]


def test_one_that_tells_nothing_but_that_it_works_is_in_use(database: Database, shop: int) -> None:
    """By its own wall and the shop's cut-off; whoever only asks or says good-bye is none."""
    old, new = two()
    rows(database, "UPDATE shop SET cutoff_minutes = 180 RETURNING 1")
    with joined(database, shop, old, new):
        close(new, 0, 0)
        ship(new)
        with old.at(old.ships):  # type: ignore[attr-defined]
            assert rows(database, NOTED) == []
            old.sign_in(version="1", wall=f"{NEXT}T02:59:00+05:30")
        assert rows(database, NOTED) == [(1, ON, 2)]
        assert without(database, shop) == [(True, ("ONE11111",))]
        with new.at(new.ships):  # type: ignore[attr-defined]
            new.sign_in(version="1", wall=f"{ON}T12:00:00+05:30")
    assert rows(database, NOTED) == [(1, ON, 2)]


def test_what_it_tells_of_days_when_it_was_away_counts_for_those_days(database: Database, shop: int) -> None:
    """A session is of the moment: of a day on which it had no network the events alone say that it sold."""
    old, new = two()
    with joined(database, shop, old, new):
        for on in (ON, NEXT):
            sell(new, on.day, on=on)
            close(new, 1, 10000, on)
            sell(old, on.day, on=on)
        ship(new)
        assert without(database, shop, ON) == [(False, ())]
        ship(old)
        assert [without(database, shop, on) for on in (ON, NEXT)] == [[(True, ("ONE11111",))]] * 2
        close(old, 2, 20000, NEXT)
        ship(old)
        assert [without(database, shop, on) for on in (ON, NEXT)] == [
            [(True, ("ONE11111",))],
            [(False, ())],
        ]


def test_each_is_begun_anew_and_its_zs_are_its_own_still(database: Database, shop: int) -> None:
    """A journal that is told again moves its Zs to its new installation; a copy of a folder is no such one."""
    old, new = two()
    with joined(database, shop, old, new):
        for each in (old, new):
            sell(each, 1)
            close(each, 1, 10000)
            ship(each)
        anew = PretendCounter("ANEW3333", 1, old.key)
        anew.events = list(old.events)
        with anew.at(old.ships, code_for(database, shop)):  # type: ignore[attr-defined]
            anew.ship()
        assert without(database, shop) == [(False, ())]
        assert rows(database, "SELECT DISTINCT life FROM z_report ORDER BY 1") == [(2,), (3,)]
        # The old folder sells on beside the new one: it is no former life, but a till.
        sell(old, 2, on=NEXT)
        ship(old)
        sell(anew, 3, on=NEXT)
        close(anew, 1, 10000, NEXT)
        anew.ships = old.ships  # type: ignore[attr-defined]
        ship(anew)
        sell(new, 4, on=NEXT)
        ship(new)
        assert without(database, shop, NEXT) == [(True, ("ONE11111", "TWO22222"))]
    assert [row[:3] for row in rows(database, INCIDENTS)] == [
        (1, "number", 2), (1, "number", 3), (2, "number", 3),
    ]  # fmt: skip


def test_one_that_took_another_number_is_missing_in_no_day_of_the_old_one(
    database: Database, shop: int
) -> None:
    """As the store wants it: it left, was begun anew, and told its journal as another counter; its Zs stay there."""
    old, new = two()
    with joined(database, shop, old, new):
        for each in (old, new):
            sell(each, 1)
            close(each, 1, 10000)
            ship(each)
        with old.at(old.ships):  # type: ignore[attr-defined]
            assert old.post("/v1/leave", ChallengeRequest(installation="ONE11111")).status_code == 200
        anew = PretendCounter("ANEW3333", 2, old.key)
        anew.events = list(old.events)
        sell(anew, 2, on=NEXT)
        close(anew, 1, 10000, NEXT)
        with anew.at(old.ships, code_for(database, shop)):  # type: ignore[attr-defined]
            anew.ship()
        sell(new, 2, on=NEXT)
        close(new, 1, 10000, NEXT)
        ship(new)
        (nextday, day) = read(database, shop, ON, NEXT)
    found = [
        [(each.counter_id, len(each.zs), each.without) for each in one.counters] for one in (day, nextday)
    ]
    assert found == [[(1, 2, ())], [(1, 1, ()), (2, 1, ())]]
    assert [each.units for one in (day, nextday) for each in one.sums.values()] == [20000, 20000]
    assert rows(database, "SELECT business_date FROM beside") == [(ON,)]
    assert examined(database) == []


@pytest.mark.parametrize("gone", [0, 1])
def test_of_one_that_left_nothing_is_noted_any_more(database: Database, shop: int, gone: int) -> None:
    both = two()
    with joined(database, shop, *both):
        leaving, stays = both[gone], both[1 - gone]
        with leaving.at(leaving.ships):  # type: ignore[attr-defined]
            said = leaving.post("/v1/leave", ChallengeRequest(installation=leaving.installation))
            assert said.status_code == 200
        sell(stays, 1)
        close(stays, 1, 10000)
        ship(stays)
    assert (rows(database, INCIDENTS), rows(database, NOTED)) == ([], [])
    assert without(database, shop) == [(False, ())]


def test_what_was_noted_outlives_a_rebuild_and_is_signed(database: Database, shop: int) -> None:
    old, new = two()
    with joined(database, shop, old, new):
        for each in (old, new):
            sell(each, 1)
        close(new, 1, 10000)
        for each in (old, new):
            ship(each)
        (before,) = read(database, shop)
        assert examined(database) == []
        rebuilt(database)
        (day,) = read(database, shop)
        assert msgspec.structs.replace(day, as_of="") == msgspec.structs.replace(before, as_of="")
        sign(database, shop, day)
        close(old, 1, 10000)
        ship(old)
        (signed,) = read(database, shop)
    assert [each.without for each in signed.counters] == [("ONE11111",)]
    assert '"without":["ONE11111"]' in rows(database, "SELECT content FROM store_day")[0][0]
    assert examined(database) == []


def test_no_page_sees_what_another_shop_noted(database: Database, shop: int) -> None:
    old, new = two()
    other = add_shop(database, "Another")
    with joined(database, shop, old, new):
        sell(old, 1)
        ship(old)
    with database.connect_now(PAGE) as connection:
        for named, seen in ((str(shop), 1), (str(other), 0), ("", 0)):
            with connection.transaction():
                connection.execute("SELECT set_config('pos.shops', %s, true)", (named,))
                assert connection.execute("SELECT count(*) FROM beside").fetchall() == [(seen,)]


def test_the_page_says_which_till_is_missing_and_what_to_do(database: Database, shop: int) -> None:
    old, new = two()
    with page_of(database) as url:
        for each in (old, new):
            sell(each, 1)
            with each.at(url, code_for(database, shop)):
                pass
        rows(database, "UPDATE installation SET joined = '2026-11-01' RETURNING 1")
        close(new, 1, 10000)
        for each in (old, new):
            with each.at(url):
                each.ship()
        with owner(database, url, shop, "nimali.perera") as person:
            for path in ("/days", f"/day?of={shop}&on={ON}"):
                person.get(path)
                assert "Without Counter 1 (ONE11111)" in person.seen.text
            assert "no Z Several tills used this number. Missing: ONE11111 – – –" in person.seen.text
            assert "Z 1 TWO22222-digest- LKR 100.00 1 0" in person.seen.text
            person.get("/counters")
            assert f"Two tills use this counter’s number: {BOTH} . A day is whole" in person.seen.text
            assert "Give one of them another counter number" in person.seen.text
