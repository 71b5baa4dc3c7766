"""What the store makes of batches: taken once, in order, and everything else said by name."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import httpx
import msgspec
import pytest

from pos_app.domain import shipping
from pos_app.domain.shipping import Answer, Refusal, Shipped, Verdict
from pos_app.store import projecting
from pos_app.store.database import Connection, Database
from pos_app.store.receive import Known, Receiver
from pos_app.store.telling import Teller, Unfit
from tests.support.store import PretendCounter, add_shop, attempt, caller, code_for, rows, serving
from tests.unit.store.test_recount import examined, rebuilt


def refusal(said: httpx.Response) -> tuple[int, str]:
    return said.status_code, msgspec.json.decode(said.content, type=Refusal).code


def test_a_counter_joins_and_ships(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    counter.pay("K7Q2MX-2-1", "50.50")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        answer = counter.ship(1, 4)
        assert answer.verdict is Verdict.TAKEN
        assert (answer.head.seq, answer.head.mac) == (4, counter.events[3].mac)
        assert counter.ship(5, 6).verdict is Verdict.TAKEN
        assert counter.head().seq == 6
    assert rows(database, "SELECT state, n, minor FROM takings") == [("PAID", 2, 15050)]
    assert rows(database, "SELECT business_date::text, n FROM takings_day") == [("2026-11-23", 2)]
    assert rows(database, "SELECT open_n, told_seq FROM counter_now") == [(0, 6)]


def test_what_is_held_already_changes_nothing(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        assert counter.ship().verdict is Verdict.TAKEN
        assert counter.ship().verdict is Verdict.HAVE
        assert counter.ship(1, 2).verdict is Verdict.HAVE
        counter.pay("K7Q2MX-2-1")
        assert counter.ship(2, 5).verdict is Verdict.HAVE
        assert counter.head().seq == 3
    assert rows(database, "SELECT sum(n) FROM takings") == [(1,)]
    assert rows(database, "SELECT count(*) FROM batch") == [(1,)]


def test_a_gap_is_told(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        answer = counter.ship(3, 3)
        assert answer.verdict is Verdict.GAP
        assert answer.head.seq == 0
    assert rows(database, "SELECT count(*) FROM attempt") == [(0,)]


def test_a_twin_is_told_by_its_own_signature(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    twin = counter.twin()
    counter.pay("K7Q2MX-2-1")
    twin.pay("K7Q2MX-2-1", "999.00")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        with twin.at(url):
            answer = twin.ship(4, 6)
        assert answer.verdict is Verdict.FORK
        assert answer.held is not None
        header = shipping.read_header(answer.held.header)
        counter.key.public_key().verify(answer.held.signature, shipping.BATCH_LABEL + answer.held.header)
        assert (header.last, header.mac) == (6, counter.events[5].mac)
    assert rows(database, "SELECT first, last FROM fork") == [(4, 6)]
    assert rows(database, "SELECT kind FROM incident") == [("fork",)]
    assert rows(database, "SELECT sum(minor) FROM takings") == [(20000,)]


def test_another_key_signs_nothing(database: Database, shop: int) -> None:
    counter, stranger = PretendCounter(), PretendCounter()
    counter.pay("K7Q2MX-1-1")
    stranger.events = counter.events
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        assert refusal(counter.send(stranger.batch(1, 3))) == (403, "signature")
        assert refusal(counter.send(b"\x00")) == (422, "unreadable")
        other = PretendCounter("OTHER1", key=counter.key)
        other.events = counter.events
        assert refusal(counter.send(other.batch(1, 3))) == (403, "installation")


def test_a_bomb_is_refused(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.write(event={"text": "0" * (shipping.UNPACKED_MOST + 10)})
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        assert refusal(counter.send(counter.batch(1, 1))) == (413, "too_long")
        assert refusal(counter.send(b"\0" * (shipping.UNPACKED_MOST + 1))) == (413, "too_long")


def test_one_that_fits_no_table_holds_nobody_up(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    counter.write("STATUS_ANSWERED", attempt=attempt("K7Q2MX-2-1", "WAITING", wallet_mask="\0"))
    counter.write("STATUS_ANSWERED", attempt=attempt("K7Q2MX-3-1", "PAID", number=1 << 40))
    counter.write("STATUS_ANSWERED", attempt={"attempt_id": 7})
    counter.pay("K7Q2MX-4-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        assert counter.ship().verdict is Verdict.TAKEN
        assert counter.head().seq == 9
    assert rows(database, "SELECT seq FROM unfit ORDER BY seq") == [(4,), (5,), (6,)]
    assert rows(database, "SELECT sum(n), sum(minor) FROM takings") == [(2, 20000)]


def test_a_journal_begun_anew_counts_once(database: Database, shop: int) -> None:
    old = PretendCounter()
    old.pay("K7Q2MX-1-1")
    new = PretendCounter("NEW111", key=old.key)
    new.events = list(old.events)
    new.pay("NEW111-2-1", "1.00")
    new.write(attempt=attempt("K7Q2MX-1-1", "DISPUTED"))
    with serving(database) as url, old.at(url, code_for(database, shop)):
        with new.at(url, code_for(database, shop)):
            new.ship()
        # The old one's come late: what the newer journal says stays.
        old.ship()
    assert rows(database, "SELECT attempt_id, state, life FROM attempt ORDER BY 1") == [
        ("K7Q2MX-1-1", "DISPUTED", 2),
        ("NEW111-2-1", "PAID", 2),
    ]
    assert rows(database, "SELECT sum(n), sum(minor) FROM takings") == [(1, 100)]
    assert rows(database, "SELECT open_n FROM counter_now") == [(1,)]


def test_what_a_journal_begun_anew_takes_over_is_counted_when_it_was_paid(
    database: Database, shop: int
) -> None:
    """A rebuild five days later moves no takings to its own day; where nobody knows when, by when it was begun."""
    old, new = PretendCounter(), PretendCounter("NEW111")
    at, later = "2026-11-23T14:00:00+05:30", "2026-11-28T10:00:05+05:30"
    for sale in ("1", "2", "3"):
        old.pay(f"K7Q2MX-{sale}-1", wall=at, sale_id=sale)
    for sale, said in (
        ("1", {"z": 1, "paid_at": at}),
        ("2", {"paid_at": at}),
        ("3", {}),
        ("4", {"paid_at": 7}),
    ):
        taken = attempt(f"K7Q2MX-{sale}-1", sale_id=sale, recovered=sale == "3")
        new.write("RECOVERED", later, event={"proven": True, **said}, attempt=taken)
    new.pay("NEW111-5-1", wall=later, tapped_wall=later)
    with serving(database) as url:
        for counter in (old, new):
            with counter.at(url, code_for(database, shop)):
                counter.ship()
    told = (
        "SELECT business_date::text, hour, sum(n)::int FROM takings WHERE n <> 0 GROUP BY 1, 2 ORDER BY 1, 2"
    )
    assert rows(database, told) == [
        ("2026-11-23", "2026-11-23T10+05:30", 2),
        ("2026-11-23", "2026-11-23T14+05:30", 2),
        ("2026-11-28", "2026-11-28T10+05:30", 1),
    ]
    rebuilt(database)
    assert examined(database) == []
    assert rows(database, told)[1] == ("2026-11-23", "2026-11-23T14+05:30", 2)


@pytest.mark.parametrize("together", [True, False])
def test_how_batches_were_cut_says_nothing_of_when_a_payment_is_counted(
    database: Database, shop: int, together: bool
) -> None:
    """One that was taken over in doubt, and that the service then says is paid."""
    counter, later = PretendCounter(), "2026-11-28T10:00:05+05:30"
    for kind, state in (("RECOVERED", "IN_DOUBT"), ("STATUS_ANSWERED", "PAID")):
        counter.write(
            kind, later, event={"proven": False}, attempt=attempt("K7Q2MX-1-1", state, recovered=True)
        )
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        for first, last in ((1, 2),) if together else ((1, 1), (2, 2)):
            counter.ship(first, last)
    assert rows(database, "SELECT business_date::text FROM takings_day WHERE n > 0") == [("2026-11-23",)]
    assert examined(database) == []


def test_the_hints_name_what_was_told_behind_a_place(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    counter.pay("K7Q2MX-2-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        page = counter.told(3)
    assert [each.attempt_id for each in page.told] == ["K7Q2MX-2-1"]
    assert not page.more


def test_a_counters_name_is_written_as_its_language_writes_it(database: Database, shop: int) -> None:
    counter = PretendCounter(name="ප්\N{ZERO WIDTH JOINER}රධාන")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        pass
    assert rows(database, "SELECT name FROM counter") == [(counter.name,)]


def test_two_shops_share_one_code_never(database: Database, shop: int) -> None:
    other = add_shop(database, "Other")
    code = code_for(database, shop)
    first, second = PretendCounter(), PretendCounter("OTHER1", 2)
    with serving(database) as url, first.at(url, code), caller(url) as client:
        said = client.post("/v1/join", content=msgspec.json.encode(second.join_request(code)))
        assert refusal(said) == (401, "code")
        said = client.post("/v1/join", content=msgspec.json.encode(second.join_request("AAAA-AAAA")))
        assert refusal(said) == (401, "code")
        stranger = PretendCounter()
        request = stranger.join_request(code_for(database, other))
        said = client.post("/v1/join", content=msgspec.json.encode(request))
        assert refusal(said) == (409, "installation")


def shipped_together(
    database: Database, counters: Sequence[PretendCounter]
) -> tuple[list[Answer], dict[str, int]]:
    """All that each holds, in one commit, if that goes through; the answers and the lane's counts."""
    found = rows(database, "SELECT installation, public_key, life, shop, counter FROM installation")
    known = {
        name: Known(name, bytes(key), Teller(life, of, counter, bytes(key)))
        for name, key, life, of, counter in found
    }

    async def together() -> tuple[list[Answer], dict[str, int]]:
        receiver = Receiver(database, 1)
        sent = [(known[each.installation], each.batch(1, len(each.events))) for each in counters]
        tasks = [asyncio.create_task(receiver.take(*each)) for each in sent]
        await asyncio.sleep(0)
        assert receiver.waiting == len(counters)
        await receiver.start()
        try:
            return await asyncio.gather(*tasks), receiver.counts
        finally:
            await receiver.stop()

    return asyncio.run(together())


@pytest.mark.expects_log("a batch is written event by event")
def test_a_fault_of_the_stores_own_ends_no_lane_and_no_counter(database: Database, shop: int) -> None:
    """The batch is held and its event noted; what the fault kept from being told is told by the mended program."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    kinds = frozenset({"TEST_FAULT"})

    async def fails(*_: object) -> list[tuple[Teller, Unfit]]:
        raise ZeroDivisionError

    projecting.OTHERS[kinds] = fails
    try:
        with serving(database) as url, counter.at(url, code_for(database, shop)):
            counter.write("TEST_FAULT")
            counter.pay("K7Q2MX-2-1")
            assert counter.ship(1, 3).verdict is Verdict.TAKEN
            assert counter.ship(4, 7).verdict is Verdict.TAKEN
            assert rows(database, "SELECT seq, kind FROM unfit") == [(4, "TEST_FAULT")]
            assert rows(database, "SELECT sum(n) FROM takings") == [(2,)]
            del projecting.OTHERS[kinds]
            assert rebuilt(database) == 7
            assert rows(database, "SELECT count(*) FROM unfit") == [(0,)]
    finally:
        projecting.OTHERS.pop(kinds, None)


def test_a_damaged_held_batch_is_told(database: Database, shop: int) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        rows(database, "ALTER TABLE batch DISABLE TRIGGER USER")
        rows(database, "UPDATE batch SET body = 'x'")
        assert refusal(counter.send(counter.batch(1, 3))) == (503, "held")
        counter.pay("K7Q2MX-2-1")
        assert counter.ship(4, 6).verdict is Verdict.TAKEN


async def _stumble(_: Connection, told: Sequence[tuple[Teller, Shipped]]) -> list[tuple[Teller, Unfit]]:
    raise ZeroDivisionError(f"nobody foresaw event {told[0][1].seq}")


@pytest.mark.expects_log("a batch is written event by event")
def test_what_nobody_foresaw_holds_up_no_neighbour_and_no_counter(
    database: Database, shop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both go into one commit; the one's odd event is noted, everything else of both is counted."""
    odd, neighbour = PretendCounter("ODD11111", 1), PretendCounter("NEXT1111", 2)
    odd.pay("ODD11111-1-1")
    odd.write("ODD")
    odd.pay("ODD11111-2-1")
    neighbour.pay("NEXT1111-1-1", "7.00")
    with serving(database) as url:
        for counter in (odd, neighbour):
            with counter.at(url, code_for(database, shop)):
                pass
    monkeypatch.setitem(projecting.OTHERS, frozenset({"ODD"}), _stumble)
    answers, counts = shipped_together(database, [odd, neighbour])
    assert [(each.verdict, each.head.seq) for each in answers] == [(Verdict.TAKEN, 7), (Verdict.TAKEN, 3)]
    assert (counts["alone"], counts["bug"], counts["unfit"]) == (1, 1, 1)
    assert rows(database, "SELECT sum(n), sum(minor) FROM takings") == [(3, 20700)]
    assert rows(database, "SELECT seq, kind, why FROM unfit") == [(4, "ODD", "nobody foresaw event 4")]
    assert examined(database) == []


def test_two_lives_of_a_counter_in_one_commit_count_what_both_left_open(
    database: Database, shop: int
) -> None:
    """And both are taken off what waits."""
    old = PretendCounter("OLD11111", 1)
    anew = PretendCounter("NEW11111", 1, old.key)
    for counter, number in ((old, 1), (old, 2), (anew, 1)):
        counter.write(attempt=attempt(f"{counter.installation}-{number}-1", "WAITING"))
    with serving(database) as url:
        for counter in (old, anew):
            with counter.at(url, code_for(database, shop)):
                pass
    rows(database, "UPDATE counter_now SET waiting = 10")
    answers, counts = shipped_together(database, [old, anew])
    assert (len(answers), counts["commits"]) == (2, 1)
    assert rows(database, "SELECT open_n, waiting, life, told_seq FROM counter_now") == [(3, 7, 2, 1)]
    assert examined(database) == []
