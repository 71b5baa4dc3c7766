"""Store days on a real PostgreSQL: Zs and who has none, findings, signing that freezes, late ones in the next day."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, TypeVar

import msgspec
import psycopg
import pytest

from pos_app.domain.print_job import JobState, PaperKind, PrintJob, content_of
from pos_app.domain.shipping import ChallengeRequest
from pos_app.store import days, recount
from pos_app.store.database import PAGE, RECEIVE, Database, Pool, files
from pos_app.store.day_command import line_of
from pos_app.store.days import CannotSign, Signature, StoreDay
from pos_app.store.zs import Finding, Sum
from tests.support.store import PretendCounter, add_shop, attempt, code_for, rows, serving, without_files_from

ON = date(2026, 11, 23)
NEXT = date(2026, 11, 24)
T = TypeVar("T")


def close(counter: PretendCounter, paid: int, units: int, on: date = ON, **more: Any) -> str:
    """A Z over everything since the one before; its digest."""
    zs = [each for each in counter.events if each.kind == "Z_CLOSED"]
    before = zs[-1].content["event"] if zs else None
    digest = f"{counter.installation}-digest-{len(zs) + 1}"
    z = {
        "number": len(zs) + 1,
        "installation_id": counter.installation,
        "business_date": on.isoformat(),
        "from_seq": zs[-1].seq + 1 if zs else 1,
        "to_seq": len(counter.events) + 1,
        "ended": f"{on}T22:00:00.000+05:30",
        "currency": "LKR",
        "digest": digest,
        "previous": before.get("digest", "") if isinstance(before, dict) else "",
        "entries": [["PAID", "push", "p1", "LKR", paid, units]] if paid else [],
        **more,
    }
    counter.write("Z_CLOSED", f"{on}T22:00:00.000+05:30", event=z)
    return digest


def sell(counter: PretendCounter, sale: int, amount: str = "100.00", on: date = ON) -> None:
    """One payment, told as a till tells it: with the states that it passed."""
    counter.pay(f"{counter.installation}-{sale}-1", amount, f"{on}T10:00:05+05:30")
    for at, path in ((-3, "INTENT"), (-2, "INTENT WAITING"), (-1, "WAITING PAID")):
        event = counter.events[at]
        counter.events[at] = type(event)(
            seq=event.seq, kind=event.kind, mac=event.mac, at=event.at, wall=event.wall, path=path,
            content=event.content,
        )  # fmt: skip


@contextmanager
def joined(database: Database, shop: int, *counters: PretendCounter) -> Iterator[None]:
    """Counters that may ship, as if they had joined long ago."""
    with serving(database) as url:
        for counter in counters:
            with counter.at(url, code_for(database, shop)):
                pass
        rows(database, "UPDATE installation SET joined = '2026-11-01' RETURNING 1")
        for counter in counters:
            counter.ships = url  # type: ignore[attr-defined]
        yield


def ship(counter: PretendCounter) -> None:
    """All that it holds."""
    with counter.at(counter.ships):  # type: ignore[attr-defined]
        counter.ship(counter.head().seq + 1)


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def read(database: Database, shop: int, first: date = ON, last: date = ON) -> list[StoreDay]:
    async def work() -> list[StoreDay]:
        pool = Pool(database, PAGE, 1)
        try:
            async with pool.for_shops([shop]) as connection:
                return await days.days(connection, shop, first, last)
        finally:
            await pool.close()

    return run(work())


def sign(database: Database, shop: int, day: StoreDay) -> Signature:
    async def work() -> Signature:
        pool = Pool(database, PAGE, 1)
        try:
            async with pool.for_shops([shop]) as connection:
                return await days.sign(
                    connection,
                    shop,
                    date.fromisoformat(day.business_date),
                    days.mark_of(day),
                    account=1,
                    who="nimali",
                    reason="All counted",
                )
        finally:
            await pool.close()

    return run(work())


def test_a_day_has_each_z_and_names_who_has_none(database: Database, shop: int) -> None:
    one, two, three = (
        PretendCounter("ONE11111", 1),
        PretendCounter("TWO22222", 2),
        PretendCounter("T3333333", 3),
    )
    with joined(database, shop, one, two, three):
        sell(one, 1, "100.00")
        sell(one, 2, "50.50")
        close(one, 2, 15050)
        sell(two, 1, "7.00")
        ship(one)
        ship(two)
        (day,) = read(database, shop)
    assert day.business_date == "2026-11-23"
    assert day.sums == {("sandbox", "LKR"): Sum(2, 15050)}
    assert [each.counter_id for each in day.missing] == [2, 3]
    assert day.counters[1].told == {"LKR": Sum(1, 700)}
    assert day.findings == ()
    assert all(each.seen for each in day.counters)


def test_a_line_for_people_has_each_currency(database: Database, shop: int) -> None:
    """Its till was given another one during the day."""
    lkr, usd = PretendCounter("LKR11111", 1), PretendCounter("USD11111", 1)
    with joined(database, shop, lkr, usd):
        for counter, code in ((lkr, "LKR"), (usd, "USD")):
            counter.pay(f"{counter.installation}-1-1", "7.00", currency=code)
            ship(counter)
        (day,) = read(database, shop)
    assert "NO Z, so far LKR 7.00 in 1, USD 7.00 in 1, last seen" in line_of(day, day.counters[0])


def test_a_z_that_says_something_else_than_its_events_is_a_finding(database: Database, shop: int) -> None:
    one = PretendCounter("ONE11111", 1)
    with joined(database, shop, one):
        sell(one, 1)
        close(one, 1, 10001)
        sell(one, 2)
        close(one, 1, 10000)
        sell(one, 3)
        close(one, 1, 10000, from_seq=10)
        ship(one)
        (day,) = read(database, shop)
    first, second, third = day.counters[0].zs
    assert (first.finding, second.finding, third.finding) == (Finding.SUMS, Finding.NONE, Finding.CHAIN)
    assert "the Z says 1 payments, LKR 100.01; its events say 1, 100.00" in first.detail
    assert len(day.findings) == 2


def test_a_signed_day_never_changes_and_a_late_z_stands_in_the_next(database: Database, shop: int) -> None:
    one, two = PretendCounter("ONE11111", 1), PretendCounter("TWO22222", 2)
    with joined(database, shop, one, two):
        sell(one, 1)
        close(one, 1, 10000)
        ship(one)
        (before,) = read(database, shop)
        signature = sign(database, shop, before)
        sell(two, 1, "70.00")
        close(two, 1, 7000)
        ship(two)
        (after,) = read(database, shop)
        assert after.signature == signature
        assert days.frozen(after) == days.frozen(msgspec.structs.replace(before, as_of=after.as_of))
        assert days.digest_of(days.frozen(after)) == signature.digest
        (nextday,) = read(database, shop, NEXT, NEXT)
        late = next(each for each in nextday.counters if each.counter_id == 2)
        assert [(z.late, z.business_date) for z in late.zs] == [(True, "2026-11-23")]
        # The late one is no Z of that date: the counter is missing there still.
        assert late.is_missing
        with pytest.raises(CannotSign, match="signed"):
            sign(database, shop, after)
        sign(database, shop, nextday)
        assert [each.business_date for each in read(database, shop, ON, NEXT)] == [
            "2026-11-24",
            "2026-11-23",
        ]
    acts = rows(database, "SELECT kind, reason FROM act ORDER BY number")
    assert acts == [("day_signed", "All counted")] * 2
    for statement in ("UPDATE store_day SET reason = 'x'", "DELETE FROM store_day"):
        with pytest.raises(psycopg.errors.RaiseException, match="never changed"):
            rows(database, f"{statement} RETURNING 1")


def test_what_changed_since_somebody_looked_is_not_signed(database: Database, shop: int) -> None:
    one = PretendCounter("ONE11111", 1)
    with joined(database, shop, one):
        sell(one, 1)
        ship(one)
        (before,) = read(database, shop)
        close(one, 1, 10000)
        ship(one)
        with pytest.raises(CannotSign, match="changed"):
            sign(database, shop, before)
    assert rows(database, "SELECT count(*) FROM store_day") == [(0,)]


def test_another_shop_has_no_such_day(database: Database, shop: int) -> None:
    one = PretendCounter("ONE11111", 1)
    other = add_shop(database, "Another")
    with joined(database, shop, one):
        sell(one, 1)
        close(one, 1, 10000)
        ship(one)
        assert read(database, other) == []

        async def cross() -> list[StoreDay]:
            pool = Pool(database, PAGE, 1)
            try:
                async with pool.for_shops([other]) as connection:
                    return await days.days(connection, shop, ON, ON)
            finally:
                await pool.close()

        assert run(cross()) == []


def test_a_journal_told_anew_has_its_zs_once(database: Database, shop: int) -> None:
    one = PretendCounter("ONE11111", 1)
    with joined(database, shop, one):
        sell(one, 1)
        close(one, 1, 10000)
        ship(one)
        anew = PretendCounter("NEW11111", 1, one.key)
        anew.events = list(one.events)
        with serving(database) as url, anew.at(url, code_for(database, shop)):
            anew.ship()
        (day,) = read(database, shop)
    assert [z.installation for each in day.counters for z in each.zs] == ["NEW11111"]
    assert day.sums == {("sandbox", "LKR"): Sum(1, 10000)}


def test_what_is_no_z_and_no_print_is_held_and_noted(database: Database, shop: int) -> None:
    one = PretendCounter("ONE11111", 1)
    with joined(database, shop, one):
        one.write("Z_CLOSED", event={"number": 1})
        close(one, 0, 0, digest="short")
        close(one, 0, 0, business_date="someday", number=3)
        one.write("PRINT_DONE", event={"job": {"number": "x"}})
        job = PrintJob(
            number=4, paper=PaperKind.RECEIPT, about="A-1", copy=1, asked="2026-11-23T10:00:00+05:30"
        )
        one.write("COPY_ASKED", event=content_of(job))
        printed = PrintJob(
            number=4, paper=PaperKind.RECEIPT, about="A-1", copy=1, asked="2026-11-23T10:00:00+05:30",
            began=True, state=JobState.PRINTED,
        )  # fmt: skip
        one.write("PRINT_DONE", event=content_of(printed))
        ship(one)
    assert rows(database, "SELECT seq FROM unfit ORDER BY seq") == [(1,), (2,), (3,), (4,)]
    assert rows(database, "SELECT attempt_id, copy, began, state FROM printed") == [
        ("A-1", 1, True, "PRINTED")
    ]


def test_a_z_of_more_than_there_can_be_is_noted_and_its_counter_goes_on(
    database: Database, shop: int
) -> None:
    """Each figure can be read, their sum cannot be written: that once ended its counter's sending for ever."""
    one = PretendCounter("ONE11111", 1)
    with joined(database, shop, one):
        sell(one, 1)
        most = 9 * 10**4298
        close(one, 0, 0, entries=[["PAID", "qr", f"p{number}", "LKR", 1, most] for number in range(20)])
        close(one, 0, 0, entries=[["PAID", "qr", "p1", "LKR", 1 << 62, 1]])
        sell(one, 2)
        ship(one)
        (day,) = read(database, shop)
    assert day.counters[0].told == {"LKR": Sum(2, 20000)}
    assert rows(database, "SELECT seq, why FROM unfit ORDER BY seq") == [
        (4, "it counts more than there can be"),
        (5, "it counts more than there can be"),
    ]


@pytest.mark.parametrize("alone", [False, True], ids=["together", "event by event"])
def test_no_event_is_counted_for_two_zs(database: Database, shop: int, alone: bool) -> None:
    """A batch of a few kilobytes that named the same megabytes forty times held up its lane for seconds."""
    one = PretendCounter("ONE11111", 1)
    with joined(database, shop, one):
        sell(one, 1)
        close(one, 1, 10000)
        ship(one)
        one.write("X", junk=[[] for _ in range(100_000)])
        if alone:
            one.write("STATUS_ANSWERED", attempt=attempt("ONE11111-9-1", "WAITING", number=1 << 40))
        first = len(one.events) + 1
        for number in range(40):
            close(one, 1, 10000, from_seq=1, previous="", number=2 + number)
        honest = close(one, 0, 0, previous="", from_seq=first + 40, entries=[["\0", "qr", "p1", "LKR", 1, 1]])
        ship(one)
        (day,) = read(database, shop)
        check = asyncio.run(_deeply(database))
    zs = day.counters[0].zs
    assert [z.finding for z in zs] == [Finding.NONE, *[Finding.CHAIN] * 40, Finding.SUMS]
    assert zs[1].detail == "its events up to 4 are of another Z"
    assert zs[40].detail == f"its events up to {first + 38} are of another Z"
    assert (zs[-1].digest, zs[-1].detail[:12]) == (honest, "� qr p1: the")
    assert check == []


async def _deeply(database: Database) -> list[recount.Finding]:
    async with await database.connect(RECEIVE) as connection:
        return await recount.examine(connection, deep=True)


def test_weeks_of_zs_in_one_batch_are_each_recounted(database: Database, shop: int) -> None:
    """A counter that was away sends them together: each is behind the one before."""
    one = PretendCounter("ONE11111", 1)
    with joined(database, shop, one):
        for sale in range(1, 31):
            sell(one, sale)
            close(one, 1, 10000 if sale != 17 else 10001)
        ship(one)
        (day,) = read(database, shop)
    findings = [z.number for z in day.counters[0].zs if z.finding is Finding.SUMS]
    assert (len(day.counters[0].zs), findings, len(day.findings)) == (30, [17], 1)


def test_a_counter_that_began_anew_and_left_is_missing_in_no_later_day(database: Database, shop: int) -> None:
    """The state of its newest life decides: a former one stays joined for ever."""
    one, two = PretendCounter("ONE11111", 1), PretendCounter("TWO22222", 2)
    anew = PretendCounter("NEW11111", 1, one.key)
    with joined(database, shop, one, anew, two):
        sell(two, 1)
        close(two, 1, 10000)
        ship(two)
        (before,) = read(database, shop)
        with anew.at(anew.ships):  # type: ignore[attr-defined]
            left = anew.post("/v1/leave", ChallengeRequest(installation="NEW11111"))
            assert left.status_code == 200
        rows(
            database,
            "UPDATE installation SET left_at = '2026-11-22T10:00:00Z' WHERE state = 'left' RETURNING 1",
        )
        (after,) = read(database, shop)
    assert [each.counter_id for each in before.missing] == [1]
    assert after.missing == ()


def test_a_counter_that_left_or_was_refused_is_missing_in_the_days_before(
    database: Database, shop: int
) -> None:
    """What it took on such a day and never closed is in no sum, for ever: nothing makes that day whole."""
    one, gone = PretendCounter("ONE11111", 1), PretendCounter("TWO22222", 2)
    with joined(database, shop, one, gone):
        for on in (ON, NEXT):
            sell(one, on.day, on=on)
            close(one, 1, 10000, on)
        ship(one)
        with gone.at(gone.ships):  # type: ignore[attr-defined]
            assert gone.post("/v1/leave", ChallengeRequest(installation="TWO22222")).status_code == 200
        assert rows(
            database, "SELECT now() - left_at < interval '1 hour' FROM installation WHERE state = 'left'"
        ) == [(True,)]
        # By the shop's own clock it is the 23rd until 18:30 of UTC.
        rows(database, "UPDATE counter_now SET told_wall = '2026-11-23T10:00:05+05:30' RETURNING 1")
        for at, missing in (
            ("2026-11-22T18:00:00Z", [[], []]),
            ("2026-11-22T19:00:00Z", [[], [2]]),
            ("2026-11-23T19:00:00Z", [[2], [2]]),
        ):
            for state in ("left", "revoked"):
                rows(
                    database,
                    "UPDATE installation SET state = %s, left_at = %s, revoked = %s WHERE installation = 'TWO22222'",
                    *(state, at, at),
                )
                found = read(database, shop, ON, NEXT)
                assert [[each.counter_id for each in day.missing] for day in found] == missing, (at, state)


def test_one_that_left_before_that_was_kept_left_when_it_was_heard_last(
    database: Database, shop: int
) -> None:
    one = PretendCounter("ONE11111", 1)
    with joined(database, shop, one), one.at(one.ships):  # type: ignore[attr-defined]
        assert one.post("/v1/leave", ChallengeRequest(installation="ONE11111")).status_code == 200
    rows(database, without_files_from(6))
    assert database.migrate() == len(files()) - 5
    told = "SELECT i.left_at = n.seen FROM installation i JOIN counter_now n USING (counter)"
    assert rows(database, told) == [(True,)]


def test_no_sum_of_a_day_mixes_real_and_pretended_money(database: Database, shop: int) -> None:
    """What was signed of such a day before reads and proves as it did: each counter stands in it with its own."""
    pretend, real = PretendCounter("ONE11111", 1), PretendCounter("TWO22222", 2, environment="live")
    with joined(database, shop, pretend, real):
        for counter, amount, units in ((pretend, "9999.00", 999900), (real, "10.00", 1000)):
            sell(counter, 1, amount)
            close(counter, 1, units)
            ship(counter)
        (day,) = read(database, shop)
        assert list(day.sums.items()) == [
            (("live", "LKR"), Sum(1, 1000)),
            (("sandbox", "LKR"), Sum(1, 999900)),
        ]
        signature = sign(database, shop, day)
        (again,) = read(database, shop)
    assert again.sums == day.sums
    assert days.digest_of(days.frozen(again)) == signature.digest
    ((content,),) = rows(database, "SELECT content FROM store_day")
    assert content == days.frozen(again)
    assert {each["environment"] for each in msgspec.json.decode(content)["counters"]} == {"live", "sandbox"}


# A day as it was signed before sums of real and pretended money were told apart.
_SIGNED = (
    '{"shop":1,"shop_name":"Main street","business_date":"2026-11-23","as_of":"2026-11-23T17:00:00+00:00",'
    '"counters":[{"counter":1,"name":"Counter 1","counter_id":1,"environment":"live","currency":"LKR",'
    '"seen":"2026-11-23T16:59:00+00:00","zs":[{"number":1,"digest":"aaaaaaaa","installation":"ONE11111",'
    '"business_date":"2026-11-23","ended":"2026-11-23T22:00:00.000+05:30","currency":"LKR",'
    '"sums":{"LKR":{"payments":1,"units":1000,"late":0,"late_units":0}}}]},'
    '{"counter":2,"name":"Counter 2","counter_id":2,"environment":"sandbox","currency":"LKR",'
    '"seen":"2026-11-23T16:59:00+00:00","zs":[{"number":1,"digest":"bbbbbbbb","installation":"TWO22222",'
    '"business_date":"2026-11-23","ended":"2026-11-23T22:00:00.000+05:30","currency":"LKR",'
    '"sums":{"LKR":{"payments":1,"units":999900,"late":0,"late_units":0}}}]}]}'
)


def test_a_day_that_was_signed_with_both_reads_and_proves_as_before() -> None:
    day = msgspec.json.decode(_SIGNED, type=StoreDay)
    assert days.frozen(day) == _SIGNED
    assert {unit: each.units for unit, each in day.sums.items()} == {
        ("live", "LKR"): 1000,
        ("sandbox", "LKR"): 999900,
    }
