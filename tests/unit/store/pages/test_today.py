"""Today on the page: each sum in its own money, and whoever may be missing from it named."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pos_app.store.database import Database
from tests.support.owners import owner, page_of
from tests.support.store import PretendCounter, code_for, rows


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def test_a_counter_with_two_currencies_has_a_sum_of_each(database: Database, shop: int) -> None:
    """Its till was given another currency, which is another journal under the same number."""
    before, after = PretendCounter("BEFORE11", 1), PretendCounter("AFTER111", 1)
    before.pay("BEFORE11-1-1", "100.00", _now())
    after.pay("AFTER111-1-1", "70.00", _now(), currency="USD")
    with page_of(database) as url, owner(database, url, shop) as person:
        for counter in (before, after):
            with counter.at(url, code_for(database, shop)):
                counter.ship()
        person.get("/")
        told = person.seen.text.partition("Counters")[2]
    assert "LKR\N{NO-BREAK SPACE}100.00" in person.page
    assert "USD\N{NO-BREAK SPACE}70.00" in person.page
    assert "170.00" not in person.page
    assert "Counter 1 LKR 100.00 USD 70.00 2" in told


def test_a_store_whose_clock_was_set_back_misses_a_counter(database: Database, shop: int) -> None:
    """It was a day ahead when it heard of it: that says nothing of now."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1", wall=_now())
    with page_of(database) as url, owner(database, url, shop) as person:
        with counter.at(url, code_for(database, shop)):
            counter.ship()
        person.get("/")
        assert "All counters are in this sum." in person.seen.text
        rows(database, "UPDATE counter_now SET seen = seen + interval '1 day'")
        person.get("/")
    assert "Without Counter 1" in person.seen.text


def test_a_counter_whose_clock_is_of_another_day_is_not_in_the_sum(database: Database, shop: int) -> None:
    """It is in touch, and counts what it takes to its own yesterday."""
    counter, right = PretendCounter(name="Door"), PretendCounter("RIGHT111", 2)
    wrong = (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="seconds")
    counter.pay("K7Q2MX-1-1", "55.00", wrong)
    right.pay("RIGHT111-1-1", "7.00", _now())
    with page_of(database) as url, owner(database, url, shop) as person:
        for each, wall in ((counter, wrong), (right, _now())):
            with each.at(url, code_for(database, shop)):
                each.sign_in(version="0.1.0", wall=wall)
                each.ship()
        person.get("/")
    day = datetime.fromisoformat(wrong)
    assert "All counters are in this sum." not in person.seen.text
    told = person.seen.text.partition("Without")[2].replace(" ", "")
    assert told.startswith(f"Door(Businessday{day.day}{day:%b})")
