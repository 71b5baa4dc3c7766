"""What the owner's page says needs a person: a sale that was paid twice is one of one journal, and no other."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pos_app.store.database import PAGE, Database, Pool
from pos_app.store.pages import attention, figures
from pos_app.store.pages.parts import speech_in
from tests.support.store import PretendCounter, attempt, code_for, rows, serving

_AT_THE_SHOP = timezone(timedelta(hours=5, minutes=30))


def wall(minutes_ago: int) -> str:
    """A little while ago, by a counter's clock."""
    return (datetime.now(UTC) - timedelta(minutes=minutes_ago)).astimezone(_AT_THE_SHOP).isoformat()


def told(counter: PretendCounter, key: str, state: str, sale: str, number: int, ago: int) -> None:
    """An attempt's end, as its counter tells it."""
    at = wall(ago)
    whole = attempt(key, state, sale_id=sale, number=number, tapped_wall=at, counter_id=counter.counter_id)
    counter.write("STATUS_ANSWERED", at, attempt=whole)


def looked(database: Database, shop: int) -> tuple[figures.Needs, int]:
    """The screen's list, and the number beside its name."""

    async def work() -> tuple[figures.Needs, int]:
        pool = Pool(database, PAGE, 1)
        try:
            async with pool.for_shops([shop]) as connection:
                return await figures.needs(connection), await figures.how_many_need(connection)
        finally:
            await pool.close()

    return asyncio.run(work())


def needs(database: Database, shop: int) -> list[tuple[str, str]]:
    listed = looked(database, shop)[0].listed
    return [(each.kind, each.attempt_id) for each in listed]


def ship(database: Database, shop: int, *counters: PretendCounter) -> None:
    """Each joins and tells all it has, one after the other."""
    with serving(database) as url:
        for counter in counters:
            with counter.at(url, code_for(database, shop)):
                counter.ship()


def test_equal_sale_numbers_of_two_counters_are_two_sales(database: Database, shop: int) -> None:
    """Every shop has them daily; a pretended payment, too, says nothing of a real one under the same number."""
    one, two = PretendCounter("K7Q2MXAA", 1), PretendCounter("T7K3M9QR", 2)
    played = PretendCounter("P7K3M9QR", 1)
    real = PretendCounter("R7K3M9QR", 1, environment="live")
    told(two, "TT7K3M9QR-0123-1-K7Q2M9", "PAID", "0123", 1, 30)
    told(one, "TK7Q2MXAA-0123-1-K7Q2M9", "CANCELLED", "0123", 1, 20)
    told(one, "TK7Q2MXAA-0123-2-K7Q2M9", "PAID", "0123", 2, 10)
    told(played, "SBX-TP7K3M9QR-0124-1-K7Q2M9", "PAID", "0124", 1, 30)
    told(real, "TR7K3M9QR-0124-1-K7Q2M9", "CANCELLED", "0124", 1, 20)
    told(real, "TR7K3M9QR-0124-2-K7Q2M9", "PAID", "0124", 2, 10)
    ship(database, shop, two, one, played, real)
    assert needs(database, shop) == []


def test_a_former_journals_sale_of_the_same_number_is_another(database: Database, shop: int) -> None:
    """A counter begun anew without anything of the old journal: its numbers begin anew, too."""
    old, new = PretendCounter("K7Q2MXAA", 1), PretendCounter("T7K3M9QR", 1)
    told(old, "TK7Q2MXAA-0001-1-K7Q2M9", "PAID", "0001", 1, 30)
    told(new, "TT7K3M9QR-0001-1-K7Q2M9", "CANCELLED", "0001", 1, 20)
    told(new, "TT7K3M9QR-0001-2-K7Q2M9", "PAID", "0001", 2, 10)
    ship(database, shop, old, new)
    assert rows(database, "SELECT count(*) FROM counter") == [(1,)]
    assert needs(database, shop) == []


def test_a_sale_that_was_paid_twice_is_named(database: Database, shop: int) -> None:
    """Also where its second payment has another installation's id: begun anew, a journal keeps its sales."""
    counter = PretendCounter("K7Q2MXAA", 1)
    told(counter, "SBX-TK7Q2MXAA-0001-1-K7Q2M9", "PAID_LATE", "0001", 1, 30)
    told(counter, "SBX-TK7Q2MXAA-0001-2-K7Q2M9", "PAID", "0001", 2, 29)
    told(counter, "SBX-TM7K3M9QR-0002-1-K7Q2M9", "PAID", "0002", 1, 20)
    told(counter, "SBX-TK7Q2MXAA-0002-2-K7Q2M9", "PAID", "0002", 2, 19)
    ship(database, shop, counter)
    found = needs(database, shop)
    assert [key for kind, key in found if kind == "twice"] == [
        "SBX-TK7Q2MXAA-0001-2-K7Q2M9",
        "SBX-TK7Q2MXAA-0002-2-K7Q2M9",
    ]


def test_one_that_a_later_journal_does_not_know_is_named_by_its_installation(
    database: Database, shop: int
) -> None:
    """What a damaged journal lost of a sale the store has still heard of."""
    old, new = PretendCounter("K7Q2MXAA", 1), PretendCounter("T7K3M9QR", 1)
    told(old, "TK7Q2MXAA-0001-1-K7Q2M9", "PAID", "0001", 1, 30)
    told(new, "TK7Q2MXAA-0001-2-K7Q2M9", "PAID", "0001", 2, 10)
    ship(database, shop, old, new)
    assert needs(database, shop) == [("twice", "TK7Q2MXAA-0001-2-K7Q2M9")]


def test_the_number_in_the_navigation_is_of_those_that_wait_for_a_person(
    database: Database, shop: int
) -> None:
    """A sale that was paid twice, too; a payment is counted once, and those that the service will tell of are not."""
    counter = PretendCounter("K7Q2MXAA", 1)
    told(counter, "TK7Q2MXAA-0001-1-K7Q2M9", "PAID", "0001", 1, 30)
    told(counter, "TK7Q2MXAA-0001-2-K7Q2M9", "PAID_LATE", "0001", 2, 29)
    told(counter, "TK7Q2MXAA-0002-1-K7Q2M9", "PAID_LATE", "0002", 1, 20)
    told(counter, "TK7Q2MXAA-0003-1-K7Q2M9", "DISPUTED", "0003", 1, 15)
    told(counter, "TK7Q2MXAA-0004-1-K7Q2M9", "WAITING", "0004", 1, 10)
    told(counter, "TK7Q2MXAA-0005-1-K7Q2M9", "PAID", "0005", 1, 5)
    told(counter, "TK7Q2MXAA-0005-2-K7Q2M9", "PAID", "0005", 2, 4)
    ship(database, shop, counter)
    kinds = sorted(kind for kind, _ in needs(database, shop))
    assert kinds == ["disputed", "late", "open", "twice", "twice"]
    assert looked(database, shop)[1] == 4


@pytest.mark.parametrize("more", [0, 1])
def test_a_list_that_is_cut_says_so(database: Database, shop: int, more: int) -> None:
    counter = PretendCounter("K7Q2MXAA", 1)
    for number in range(figures.LISTED_MOST + more):
        told(counter, f"TK7Q2MXAA-{number:04}-1-K7Q2M9", "DISPUTED", f"{number:04}", 1, 300 - number)
    ship(database, shop, counter)
    found, waiting = looked(database, shop)
    assert (len(found.listed), found.is_cut) == (figures.LISTED_MOST, bool(more))
    assert waiting == figures.LISTED_MOST + more
    assert found.listed[0].sale == "0000"
    drawn = str(attention.parts(speech_in("en"), found, (), datetime.now(UTC))["needs"])
    assert ("There are more than these" in drawn) is bool(more)
