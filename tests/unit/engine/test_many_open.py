"""Thousands of open payments: the till opens in five seconds, whoever stands before it comes first (rule 12)."""

from __future__ import annotations

import threading
from decimal import Decimal
from queue import SimpleQueue
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Cancel
from pos_app.domain.events import StatusAnswered
from pos_app.domain.ids import attempt_id, sale_id
from pos_app.domain.replies import NoAnswer, Why
from pos_app.domain.staff import EnterPasscode, Lock
from pos_app.domain.views import Block, Terminal
from pos_app.engine.connection.worker_pool import MOST_AT_ONCE, WorkerPool
from pos_app.engine.core.publisher import MANY
from pos_app.engine.core.startup import AT_ONCE
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import AMOUNT, PASSCODE, SITE, Rig

OPEN = MANY + AT_ONCE
SOLD = AMOUNT + Decimal("0.25")
TIME_OUT = NoAnswer(Why.TIME_OUT, sent=True)
UNAUTHORISED = NoAnswer(Why.SIGN_IN, sent=True, http_status=401)


@pytest.fixture
def full() -> Rig:
    """A till whose journal holds many payments that were waiting, the last of them tapped a minute ago."""
    rig = Rig(MemoryJournal()).start()
    first = rig.charge()
    rig.initiated()
    attempt = rig.attempt(first)
    sale = rig.journal.sale("0001")
    assert sale is not None
    for number in range(2, OPEN + 1):
        known = sale_id(number)
        made_id = attempt_id(SITE.environment, rig.journal.installation_id, known, 1, "K7Q2M9")
        made = replace(
            attempt,
            attempt_id=made_id,
            wallet_transaction_id=f"W-{made_id}",
            sale_id=known,
            amount=AMOUNT + number,
            tapped_at=attempt.tapped_at + number,
        )
        records = rig.journal.events_of(first)
        rig.journal.append(
            [replace(records[0], subject=made.attempt_id, attempt=made, sale=replace(sale, sale_id=known))]
        )
    rig.calls.made.clear()
    rig.restart(off_s=60)
    return rig


def asked(rig: Rig) -> list[str]:
    """The attempts whose asks are under way."""
    return [str(call[1]) for call in rig.calls.made if call[0] == "ask"]


def test_so_many_are_asked_about_at_a_time_the_newest_first(full: Rig) -> None:
    """And the next as each is answered, until all have been."""
    first = asked(full)
    assert len(first) == AT_ONCE
    assert f"-{OPEN:04d}-" in first[-1]
    met = set(first)
    while full.block() is Block.STARTING and "ask" in full.names():
        full.asked("Merchant Initiated")
        met.update(asked(full))
        assert len(asked(full)) <= AT_ONCE
    assert len(met) == OPEN
    assert full.block() is Block.NONE


def test_a_sale_begins_after_five_seconds_however_many_have_not_answered(full: Rig) -> None:
    """Its own asks go before theirs; theirs go on behind."""
    full.calls.made.clear()
    full.wait(5)
    assert full.block() is Block.NONE
    sold = full.charge(Kind.PUSH, amount=SOLD)
    full.initiated()
    full.wait(3)
    assert sold in asked(full)
    full.asked("Payment Success", sold)
    assert full.state(sold) is State.PAID


def test_what_comes_before_its_turn_is_told_of_the_start_first(full: Rig) -> None:
    """A wish to cancel one that may have been sent asks about it; it is never taken for not sent."""
    waiting = [each for each in full.terminal.open if each.attempt_id not in asked(full)]
    oldest = waiting[0].attempt_id
    full.tell(Cancel(oldest, "person-1"))
    assert oldest in asked(full)
    assert ("cancel", oldest) in full.calls.made
    assert full.attempt(oldest).state is State.WAITING


def test_the_picture_of_the_terminal_is_drawn_at_a_pace(full: Rig) -> None:
    """Not for each of thousands; the last change is in it all the same."""
    shown = len(full.shown)
    for attempt in asked(full)[:32]:
        full.take("ask", attempt)
        full.tell(StatusAnswered(attempt, full.report(attempt, "Customer Reject")))
    drawn = [each for each in full.shown[shown:] if isinstance(each, Terminal)]
    assert len(drawn) <= 2
    full.wait(1)
    assert len(full.terminal.open) == OPEN - 32


def test_who_stands_before_the_till_is_asked_about_first_when_the_line_returns(full: Rig) -> None:
    """Two a second, and those who were let go after them."""
    full.wait(5)
    sold = full.charge(Kind.PUSH, amount=SOLD)
    full.initiated()
    full.wait(3)
    for attempt in asked(full):
        full.take("ask", attempt)
        full.tell(StatusAnswered(attempt, TIME_OUT))
    returned = next(each for each in asked(full) or [full.terminal.open[0].attempt_id] if each != sold)
    full.calls.made.clear()
    full.tell(StatusAnswered(returned, full.report(returned, "Merchant Initiated")))
    assert sold in asked(full)


def test_a_line_that_comes_and_goes_leaves_nobody_unasked(rig: Rig) -> None:
    """Every second answer is none: each time it returns all are given a place anew, and no place may move back."""
    asked = {rig.charge(another_customer=True): 0 for _ in range(12)}
    for _ in asked:
        rig.initiated()
    fails = True
    for _ in range(120):
        rig.wait(0.5)
        for each in [call[1] for call in rig.calls.made if call[0] == "ask"]:
            asked[each] += 1
            rig.asked(TIME_OUT if fails else "Merchant Initiated", each)
            fails = not fails
    assert min(asked.values()) >= 5


def test_a_renewed_sign_in_asks_about_two_in_a_second(rig: Rig) -> None:
    """Twelve at once would be the burst that a service that has just come back answers with 429."""
    opened = [rig.charge(another_customer=True) for _ in range(12)]
    for _ in opened:
        rig.initiated()
    rig.wait(3.5)
    for each in [call[1] for call in rig.calls.made if call[0] == "ask"]:
        rig.asked(UNAUTHORISED, each)
    assert rig.block() is Block.SIGN_IN_REFUSED
    rig.wait(30)
    first, *others = [call[1] for call in rig.calls.made if call[0] == "ask"]
    for each in others:
        rig.asked(UNAUTHORISED, each)
    began = rig.clock.ms
    rig.asked("Merchant Initiated", first)
    assert rig.block() is Block.NONE
    asked: list[int] = []
    while len(asked) < len(others):
        new = [call[1] for call in rig.calls.made if call[0] == "ask" and call[1] != first]
        asked += [rig.clock.ms] * (len(new) - len(asked))
        rig.wait(0.1)
        assert rig.clock.ms < began + 10_000
    assert all(later - earlier >= 900 for earlier, later in zip(asked, asked[2:], strict=False))


def test_calls_behind_leave_a_thread_for_who_stands_before_the_till() -> None:
    """However many of them wait."""
    let_go, began = threading.Event(), SimpleQueue[int]()
    heard: SimpleQueue[Any] = SimpleQueue()
    pool = WorkerPool("test", lambda: pytest.fail("no connection is needed"), heard.put)

    def slow(number: int) -> Any:
        began.put(number)
        let_go.wait(30)
        return number

    for number in range(40):
        pool.submit(lambda number=number: slow(number), "broke", behind=True)  # type: ignore[arg-type, misc]
    assert [began.get(timeout=30) for _ in range(MOST_AT_ONCE - 1)] == [0, 1, 2]
    pool.submit(lambda: "in front", "broke")  # type: ignore[arg-type, return-value]
    assert heard.get(timeout=30) == "in front"
    assert began.empty()
    let_go.set()
    assert {heard.get(timeout=30) for _ in range(40)} == set(range(40))
    pool.close()


def test_a_lock_covers_the_till_at_once_however_many_are_open(full: Rig) -> None:
    """Within 200 ms (I7); what else the picture shows may wait for its time."""
    full.wait(5)
    full.sign_in()
    assert len(full.terminal.open) > MANY
    full.tell(Lock())
    assert full.terminal.locked
    full.tell(EnterPasscode("person-1", PASSCODE))
    full.passcode_checked()
    assert not full.terminal.locked
