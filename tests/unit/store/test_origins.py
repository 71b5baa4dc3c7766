"""A payment and a Z stay with the shop and the journal of which the store heard of them first, in whatever order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date

import httpx
import msgspec
import pytest

from pos_app.domain.print_job import JobState, PaperKind, PrintJob, content_of
from pos_app.domain.shipping import ChallengeRequest, FindRequest, Found, Refusal, Verdict
from pos_app.store import find
from pos_app.store.database import RECEIVE, Database, files
from pos_app.store.days import StoreDay
from tests.support.owners import owner, page_of
from tests.support.store import (
    PretendCounter,
    add_shop,
    attempt,
    caller,
    code_for,
    rows,
    serving,
    without_files_from,
)
from tests.unit.store.test_days import NEXT, ON, close, read
from tests.unit.store.test_recount import examined, rebuilt

OLD, NEW = "ABCD2345", "EFGH6789"
SOLD = [f"T{OLD}-000{number}-1-ABCDEF" for number in range(1, 4)]
Z = f"Z {OLD}-digest-1"
AFTER = f"T{NEW}-0004-1-ABCDEF"
NOTED = "SELECT life, seq, about FROM unfit ORDER BY 1, 2"
HELD = (
    "SELECT attempt_id, shop, counter, life, state FROM attempt ORDER BY 1",
    "SELECT shop, business_date, counter, state, n, minor FROM takings_day WHERE n <> 0 ORDER BY 1, 2, 3, 4",
    "SELECT shop, counter, digest, life, finding FROM z_report ORDER BY 1, 2, 3",
    NOTED,
)


def sale(counter: PretendCounter, attempt_id: str, amount: str, on: date = ON) -> None:
    """A payment, told as a till tells it."""
    for state, path in (("INTENT", "INTENT"), ("WAITING", "INTENT WAITING"), ("PAID", "WAITING PAID")):
        event = counter.write(
            "STATUS_ANSWERED", f"{on}T10:00:05+05:30",
            attempt=attempt(attempt_id, state, amount, tapped_wall=f"{on}T10:00:00+05:30"),
        )  # fmt: skip
        counter.events[-1] = msgspec.structs.replace(event, path=path)


def moved() -> tuple[PretendCounter, PretendCounter]:
    """A till that sold and closed at one shop; and as it was begun anew for another, where it sold once more."""
    old = PretendCounter(OLD)
    sale(old, SOLD[0], "10.00")
    close(old, 1, 1000)
    sale(old, SOLD[1], "20.00")
    new = PretendCounter(NEW, key=old.key)
    new.events = list(old.events)
    return old, new


@contextmanager
def at_two(database: Database, old: PretendCounter, new: PretendCounter) -> Iterator[tuple[str, int, int]]:
    """The first joined shop A, and left; the second joined shop B. Neither has told anything."""
    first, second = add_shop(database, "A"), add_shop(database, "B")
    with serving(database) as url:
        for counter, shop in ((old, first), (new, second)):
            with counter.at(url, code_for(database, shop)):
                pass
        yield url, first, second


def leave(counter: PretendCounter) -> None:
    said = counter.post("/v1/leave", ChallengeRequest(installation=counter.installation))
    assert said.status_code == 200, said.text


def same_told_anew(database: Database) -> None:
    """Nothing is found, and a rebuild gives the very same."""
    assert examined(database) == []
    before = [rows(database, each) for each in HELD]
    rebuilt(database)
    assert [rows(database, each) for each in HELD] == before
    assert examined(database) == []


def days_of(database: Database, shop: int) -> list[StoreDay]:
    return read(database, shop, ON, NEXT)


def test_a_till_that_moved_leaves_its_past_with_its_shop(database: Database) -> None:
    old, new = moved()
    with at_two(database, old, new) as (url, first, second):
        with old.at(url):
            old.ship(1, 4)
            old.ship(5)
            leave(old)
        before = days_of(database, first)
        with new.at(url):
            assert new.ship(1, 4).verdict is Verdict.TAKEN
            assert new.ship(5).verdict is Verdict.TAKEN
            sale(new, AFTER, "7.00", NEXT)
            assert new.ship(8).verdict is Verdict.TAKEN
    assert rows(database, HELD[0]) == [
        (SOLD[0], first, 1, 1, "PAID"),
        (SOLD[1], first, 1, 1, "PAID"),
        (AFTER, second, 2, 2, "PAID"),
    ]
    assert rows(database, HELD[1]) == [
        (first, ON, 1, "PAID", 2, 3000),
        (second, NEXT, 2, "PAID", 1, 700),
    ]
    assert rows(database, HELD[2]) == [(first, 1, f"{OLD}-digest-1", 1, "")]
    # Each payment once, and the Z; the journal is held whole.
    assert rows(database, NOTED) == [(2, 1, SOLD[0]), (2, 4, Z), (2, 5, SOLD[1])]
    assert rows(database, "SELECT life, head_seq FROM installation ORDER BY 1") == [(1, 7), (2, 10)]
    assert [msgspec.structs.replace(each, as_of="") for each in days_of(database, first)] == [
        msgspec.structs.replace(each, as_of="") for each in before
    ]
    assert [each.business_date for each in days_of(database, second)] == [NEXT.isoformat()]
    same_told_anew(database)


@pytest.mark.parametrize("apart", [False, True])
def test_it_is_the_same_whichever_is_told_first(database: Database, apart: bool) -> None:
    """The shop that it left may hear of its past later than the one that it went to."""
    old, new = moved()
    sale(new, AFTER, "7.00", NEXT)
    with at_two(database, old, new) as (url, first, second):
        with new.at(url):
            for seq in range(1, len(new.events) + 1) if apart else ():
                new.ship(seq, seq)
            if not apart:
                new.ship()
        with old.at(url):
            old.ship()
    assert [row[:2] for row in rows(database, HELD[0])] == [
        (SOLD[0], first), (SOLD[1], first), (AFTER, second),
    ]  # fmt: skip
    assert rows(database, NOTED) == [(2, 1, SOLD[0]), (2, 4, Z), (2, 5, SOLD[1])]
    same_told_anew(database)


def test_a_z_over_both_shops_payments_is_counted_in_neither_day(database: Database) -> None:
    """The next one, over its own, is; and follows it without a finding."""
    old, new = moved()
    sale(new, AFTER, "7.00")
    close(new, 2, 2700)
    sale(new, f"T{NEW}-0005-1-ABCDEF", "3.00", NEXT)
    last = close(new, 1, 300, NEXT)
    with at_two(database, old, new) as (url, first, second):
        with old.at(url):
            old.ship()
        with new.at(url):
            new.ship()
    assert rows(database, HELD[2]) == [(first, 1, f"{OLD}-digest-1", 1, ""), (second, 2, last, 2, "")]
    assert [seq for life, seq, about in rows(database, NOTED) if about.startswith("Z ")] == [4, 11]
    (nextday, day) = days_of(database, second)
    assert (nextday.findings, day.findings) == ((), ())
    assert [each.counter for each in day.missing] == [2]
    assert {code: each.units for code, each in day.counters[0].told.items()} == {"LKR": 700}
    same_told_anew(database)


@pytest.mark.parametrize("apart", [False, True])
def test_the_events_of_anothers_z_are_read_once(database: Database, apart: bool) -> None:
    """Whoever names a range once more would have it read again and again."""
    old, new = moved()
    for number in range(2, 5):
        close(new, 1, 1000, from_seq=1, previous="", number=number)
    with at_two(database, old, new) as (url, _, second):
        with old.at(url):
            old.ship(1, 3)
        with new.at(url):
            for seq in range(1, len(new.events) + 1) if apart else ():
                new.ship(seq, seq)
            if not apart:
                new.ship()
    found = rows(database, "SELECT shop, to_seq, detail FROM z_report ORDER BY 2")
    wanted = ((8, 4), (9, 8), (10, 9))
    assert found == [(second, seq, f"its events up to {end} are of another Z") for seq, end in wanted]
    same_told_anew(database)


def test_the_other_shop_finds_none_of_it(database: Database) -> None:
    old, new = moved()
    first, second = add_shop(database, "A"), add_shop(database, "B")
    with page_of(database) as url:
        for counter, shop in ((old, first), (new, second)):
            with counter.at(url, code_for(database, shop)):
                counter.ship()
        with owner(database, url, first, "asha.a") as here, owner(database, url, second, "bala.b") as there:
            for attempt_id in SOLD[:2]:
                assert here.get(f"/payment?attempt={attempt_id}").status_code == 200
                assert there.get(f"/payment?attempt={attempt_id}").status_code == 404
                there.get(f"/find?id={attempt_id}")
                assert "No payment fits." in there.seen.text
            for person, shop, there_is in ((here, first, True), (there, second, False)):
                person.get("/days")
                assert (f"/day?of={shop}&on={ON}" in person.seen.links) is there_is
        with new.at(url):
            said = new.post("/v1/find", FindRequest(id=SOLD[0]))
            assert msgspec.json.decode(said.content, type=Found).payments == ()


def strangers(database: Database, shop: int, url: str) -> PretendCounter:
    """A counter of the same shop with a key of its own, that knows another's ids."""
    stranger = PretendCounter(NEW, 2)
    stranger.write(attempt=attempt(SOLD[0], "FAILED", "1.00"))
    stranger.write(attempt=attempt(SOLD[0], "DISPUTED", "2.00", recovered=True))
    with stranger.at(url, code_for(database, shop)):
        stranger.ship()
    return stranger


def test_no_counter_takes_over_another_ones_payments(database: Database, shop: int) -> None:
    """Of the same shop: whether the one whose they are told them before or does later."""
    old, _ = moved()
    for order in (0, 1):
        with serving(database) as url:
            with old.at(url, code_for(database, shop)):
                old.ship(1, 3) if order == 0 else old.ship(4)
            if order == 0:
                strangers(database, shop, url)
    assert rows(database, HELD[0]) == [(SOLD[0], shop, 1, 1, "PAID"), (SOLD[1], shop, 1, 1, "PAID")]
    assert rows(database, NOTED) == [(2, 1, SOLD[0])]
    same_told_anew(database)


@pytest.mark.parametrize("attempt_id", [SOLD[0], "an id of no form"])
def test_of_what_never_joined_the_first_that_told_it_has_it(
    database: Database, shop: int, attempt_id: str
) -> None:
    other = add_shop(database, "Other")
    one, two = PretendCounter("JKMN2345", 1), PretendCounter("PQRS2345", 1)
    sale(one, attempt_id, "5.00")
    sale(two, attempt_id, "6.00")
    with serving(database) as url, one.at(url, code_for(database, shop)):
        # The higher life tells first: told anew, that of the lower life comes before it.
        with two.at(url, code_for(database, other)):
            two.ship()
        one.ship()
    assert rows(database, HELD[0]) == [(attempt_id, other, 2, 2, "PAID")]
    assert rows(database, NOTED) == [(1, 1, attempt_id)]
    same_told_anew(database)


def test_an_installation_whose_payments_another_told_does_not_join(database: Database, shop: int) -> None:
    """It begins anew at the counter; the one that told them, or another life under its key, may."""
    other = add_shop(database, "Other")
    teller, late, stranger = PretendCounter(NEW), PretendCounter(OLD), PretendCounter(OLD)
    late.key = teller.key
    sale(teller, SOLD[0], "5.00")
    with serving(database) as url, caller(url) as client:
        with teller.at(url, code_for(database, shop)):
            teller.ship()

        def join(counter: PretendCounter, where: int) -> httpx.Response:
            request = counter.join_request(code_for(database, where))
            return client.post("/v1/join", content=msgspec.json.encode(request))

        said = join(stranger, other)
        assert (said.status_code, msgspec.json.decode(said.content, type=Refusal).code) == (
            409,
            "installation",
        )
        assert join(late, shop).status_code == 200
    assert rows(database, "SELECT installation FROM installation ORDER BY life") == [(NEW,), (OLD,)]


def asked(client: httpx.Client, counter: PretendCounter, code: str) -> tuple[int, str, str]:
    """A join, and what is said of it: status, field and text."""
    said = client.post("/v1/join", content=msgspec.json.encode(counter.join_request(code)))
    if said.status_code == 200:
        return 200, "", ""
    refusal = msgspec.json.decode(said.content, type=Refusal)
    return said.status_code, refusal.field, refusal.message


def test_an_installation_is_one_counter_for_ever(database: Database, shop: int) -> None:
    """With another number it is refused, and its code holds; with its own, or begun anew, it joins."""
    old = PretendCounter(OLD)
    sale(old, SOLD[0], "5.00")
    with serving(database) as url, caller(url) as client:
        with old.at(url, code_for(database, shop)):
            old.ship()
            code = code_for(database, shop)
            moved_on = PretendCounter(OLD, 2, old.key)
            # Whether it has left before or not.
            for has_left in (False, True):
                if has_left:
                    leave(old)
                status, field, text = asked(client, moved_on, code)
                assert (status, field) == (409, "counter_id")
                assert "joined as counter 1 of merchant M-1 (sandbox): set that again, or begin anew" in text
        assert rows(database, "SELECT counter_id FROM counter") == [(1,)]
        assert rows(database, "SELECT state FROM installation") == [("left",)]
        assert asked(client, old, code)[0] == 200
        anew = PretendCounter(NEW, 2, old.key)
        assert asked(client, anew, code_for(database, shop))[0] == 200
    assert rows(database, "SELECT installation, counter_id, state FROM installation JOIN counter USING (counter)") == [
        (OLD, 1, "joined"), (NEW, 2, "joined"),
    ]  # fmt: skip


def test_whose_payments_another_number_told_first_begins_anew(database: Database, shop: int) -> None:
    """A copied folder that was begun anew as another counter told them: this one's new sales would be the copy's."""
    old, new = PretendCounter(OLD), PretendCounter(NEW, 2)
    new.key = old.key
    sale(new, SOLD[0], "5.00")
    with serving(database) as url, caller(url) as client:
        with new.at(url, code_for(database, shop)):
            new.ship()
        status, _, text = asked(client, old, code_for(database, shop))
    assert (status, "another counter told payments of this installation" in text) == (409, True)


def test_a_counter_that_lost_journal_and_key_takes_its_payments_over(database: Database, shop: int) -> None:
    old, _ = moved()
    anew = PretendCounter(NEW)
    anew.write(attempt=attempt(SOLD[1], "PAID_LATE", "20.00", recovered=True))
    with serving(database) as url:
        for counter in (old, anew):
            with counter.at(url, code_for(database, shop)):
                counter.ship()
    assert rows(database, HELD[0]) == [(SOLD[0], shop, 1, 1, "PAID"), (SOLD[1], shop, 1, 2, "PAID_LATE")]
    assert rows(database, NOTED) == []
    same_told_anew(database)


WRONG: list[Callable[[int], str]] = [
    lambda shop: f"UPDATE attempt SET shop = {shop} RETURNING 1",
    lambda shop: f"UPDATE z_report SET shop = {shop} RETURNING 1",
    lambda _: "DELETE FROM unfit WHERE about <> '' RETURNING 1",
]


@pytest.mark.parametrize("wrong", range(len(WRONG)))
def test_what_stands_in_another_shop_is_a_finding(database: Database, wrong: int) -> None:
    old, new = moved()
    with at_two(database, old, new) as (url, _, second):
        for counter in (old, new):
            with counter.at(url):
                counter.ship()
    rows(database, WRONG[wrong](second))
    assert "recount" in {each.what for each in examined(database)}
    rebuilt(database)
    assert examined(database) == []


def test_a_store_of_before_knows_whose_everything_is(database: Database) -> None:
    """Version 4 reads it off what is held."""
    old, new = moved()
    sale(old, "an id of no form", "1.00")
    sale(old, f"T{'WXYZ2345'}-0009-1", "1.00")
    with at_two(database, old, new) as (url, *_), old.at(url):
        old.ship()
    origins = "SELECT kind, name, shop, counter, public_key FROM origin ORDER BY 1, 2"
    known = rows(database, origins)
    assert [row[:2] for row in known] == [
        ("attempt", "an id of no form"), ("installation", OLD), ("installation", NEW),
        ("installation", "WXYZ2345"), ("z", f"{OLD}-digest-1"),
    ]  # fmt: skip
    rows(database, without_files_from(4))
    assert database.migrate() == len(files()) - 3
    assert rows(database, origins) == known
    same_told_anew(database)


def renumbered() -> tuple[PretendCounter, PretendCounter]:
    """A till that sold and closed as counter 1; and as it was begun anew for number 2, where it sold and closed."""
    old, _ = moved()
    close(old, 1, 2000)
    job = PrintJob(
        number=1, paper=PaperKind.RECEIPT, about=SOLD[0], copy=0, asked="2026-11-23T10:00:06+05:30",
        began=True, state=JobState.PRINTED,
    )  # fmt: skip
    old.write("PRINT_DONE", event=content_of(job))
    new = PretendCounter(NEW, 2, old.key)
    new.events = list(old.events)
    sale(new, AFTER, "7.00", NEXT)
    close(new, 1, 700, NEXT)
    return old, new


@pytest.mark.parametrize("told", [0, 3, 9])
def test_a_till_with_another_number_leaves_its_past_with_its_counter(
    database: Database, shop: int, told: int
) -> None:
    """However much of it was told under the old number: each payment and each Z is once in the shop's days."""
    old, new = renumbered()
    assert len(old.events) == 9
    with serving(database) as url:
        with old.at(url, code_for(database, shop)):
            if told:
                old.ship(1, told)
            leave(old)
        with new.at(url, code_for(database, shop)):
            new.ship(1, 5)
            new.ship(6)
            new.write(attempt=attempt(SOLD[0], "DISPUTED", "10.00"))
            new.ship(len(new.events))
        rows(database, "UPDATE installation SET joined = '2026-11-01' RETURNING 1")
    assert rows(database, HELD[0]) == [
        (SOLD[0], shop, 1, 2, "DISPUTED"),
        (SOLD[1], shop, 1, 2, "PAID"),
        (AFTER, shop, 2, 2, "PAID"),
    ]
    assert rows(database, HELD[1]) == [(shop, ON, 1, "PAID", 1, 2000), (shop, NEXT, 2, "PAID", 1, 700)]
    assert [row[1:3] for row in rows(database, HELD[2])] == [
        (1, f"{OLD}-digest-1"), (1, f"{OLD}-digest-2"), (2, f"{NEW}-digest-3"),
    ]  # fmt: skip
    assert rows(database, NOTED) == []
    assert rows(database, "SELECT counter, open_n FROM counter_now ORDER BY 1") == [(1, 1), (2, 0)]
    (nextday, day) = days_of(database, shop)
    assert [(each.counter, z.finding, z.number) for each in day.counters for z in each.zs] == [
        (1, "", 1), (1, "", 2),
    ]  # fmt: skip
    assert [(each.counter, z.finding, z.number) for each in nextday.counters for z in each.zs] == [(2, "", 3)]
    assert [each.units for each in (*day.sums.values(), *nextday.sums.values())] == [3000, 700]

    async def prints() -> object:
        async with await database.connect(RECEIVE) as connection:
            return await find.prints_of(connection, SOLD[0])

    assert asyncio.run(prints()) == [("Counter 1" if told == 9 else "Counter 2", 1)]
    same_told_anew(database)
