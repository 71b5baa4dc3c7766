"""A day beside the service's list: what differs is asked about first, told with its money, and changes no payment."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace

from pos_app.domain import reconcile
from pos_app.domain.attempt import Resolution, State
from pos_app.domain.commands import (
    CheckNow,
    CloseDay,
    DecideDifferences,
    LeaveReconciling,
    ReadDifferences,
    Reconcile,
)
from pos_app.domain.day import Z_CLOSED, Opened, Reconciled, Z, totals
from pos_app.domain.events import StatusAnswered
from pos_app.domain.money import currency
from pos_app.domain.query import QueryFilter
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILD_ENDED, REBUILT, RECOVERED
from pos_app.domain.reconcile import MOST_ASKED, RECON_WINDOW, Decided, DifferenceKind, Progress, Run, Why
from pos_app.domain.record import Record
from pos_app.domain.replies import ListedTransaction, Listing, NoAnswer, QueryReply, Refused, StatusReport
from pos_app.domain.replies import Why as Silence
from pos_app.domain.views import (
    Block,
    DayClosed,
    DayProblem,
    DayStep,
    DifferencesDecided,
    DifferencesRead,
    ReconEnded,
    ReconStep,
    Terminal,
)
from pos_app.engine.connection.calls import ListAnswered
from pos_app.engine.core import reconciliation
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.reconciliation import Reconciliation
from tests.support.builders import attempt, record, sale
from tests.support.memory_journal import DiskTroubleError, MemoryJournal
from tests.unit.domain.listing_service import Service
from tests.unit.engine.rig import SITE, Rig
from tests.unit.engine.test_receipt_numbers import pay
from tests.unit.engine.test_refund_notes import note

AMOUNT = Decimal("12.50")
SAYS = {State.CANCELLED: "Merchant Cancel"}
DOWN = NoAnswer(Silence.CONNECT, sent=False)


class ReconRig(Rig):
    """With a service's list. It answers by itself, unless it is to be `held`; `says`: instead of its rows."""

    def __init__(self, journal: JournalStore) -> None:
        self.service = Service(rows=[])
        self.held = False
        self.says: Callable[[QueryFilter], QueryReply] | None = None
        self.lists: list[QueryFilter] = []
        super().__init__(journal)

    def boot(self) -> None:
        """Another engine, with the list."""
        super().boot()
        self.engine = Engine(self.config, self.ports(list_payments=self._list))

    def _list(self, wanted: QueryFilter) -> None:
        self.lists.append(wanted)
        if not self.held:
            self.posted.append(self.answer(wanted))

    def answer(self, wanted: QueryFilter) -> ListAnswered:
        """Of its rows."""
        return ListAnswered(wanted, self.says(wanted) if self.says else self.service.query(wanted))

    def row(self, external_id: str, /, status: str = "Payment Success", **facts: Any) -> ListedTransaction:
        """As the service lists it now; it has the time of our payment, else the present one."""
        attempt = self.journal.attempt(external_id)
        at = attempt.transaction_date_time if attempt else f"{self.clock.wall():%Y-%m-%d %H:%M:%S}"
        base = ListedTransaction(f"W-{external_id}", external_id, at, "+94771234567", AMOUNT, status)
        return replace(base, **facts)

    def lists_all(self, *rows: ListedTransaction) -> None:
        """What the service has in its list from now on; and older rows, as a shop that has sold before has."""
        old = [
            self.row("", wallet_transaction_id=f"W-old-{number}", transaction_date_time="2023-10-20 10:00:00")
            for number in range(len(rows) + 1)
        ]
        self.service = Service(rows=[*rows, *old])

    def reconcile(self, wait: float = 60, **wanted: Any) -> Run:
        """From the wish to its end; asks are to be answered by somebody else."""
        self.tell(Reconcile(request_id="r1", **wanted))
        self.wait(wait)
        return self.run()

    def run(self) -> Run:
        """What the last one came to."""
        ended = self.last(ReconEnded)
        assert ended.problem == DayProblem.NONE
        assert ended.run is not None
        return ended.run

    def found(self, run: int = 0) -> list[Decided]:
        """Its differences."""
        self.tell(ReadDifferences(request_id="d", run=run))
        read = self.last(DifferencesRead)
        assert read.problem == DayProblem.NONE
        return list(read.found)

    def kinds(self) -> list[str]:
        """Their classes."""
        return [each.difference.kind.value for each in self.found()]

    def quiet(self) -> None:
        """The flow's own asks about what has ended are answered as they were, until none is due any more."""
        for _ in range(40):
            self.wait(60)
            while "ask" in self.names():
                attempt_id = next(each[1] for each in self.calls.made if each[0] == "ask")
                self.asked(SAYS.get(self.state(attempt_id), "Payment Success"), attempt_id)
        self.calls.made.clear()

    def closed(self) -> Z:
        """The Z of the last closing."""
        z = self.last(DayClosed).z
        assert z is not None
        return z


@pytest.fixture
def till(journal: JournalStore) -> ReconRig:
    """Started on an empty journal."""
    rig = ReconRig(journal)
    rig.start()
    rig.lists.clear()
    return rig


@pytest.fixture
def sold(till: ReconRig) -> tuple[ReconRig, list[str]]:
    """Three payments, all of them in the list."""
    ids = [pay(till) for _ in range(3)]
    till.quiet()
    till.lists_all(*map(till.row, ids))
    return till, ids


def test_an_equal_day(sold: tuple[ReconRig, list[str]]) -> None:
    """Proven whole in a few calls; nobody is asked, nothing differs, no payment changes."""
    till, ids = sold
    before = [till.journal.attempt(each) for each in ids]
    run = till.reconcile()
    assert (run.complete, run.rows, run.equal, run.asked, run.differences) == (True, 3, 3, 0, {})
    assert run.calls == len(till.lists) <= 4
    assert {each.counter_id for each in till.lists} == {"1"}
    assert till.found() == []
    assert [till.journal.attempt(each) for each in ids] == before
    assert till.names() == []


def test_a_difference_is_asked_about_before_it_counts(sold: tuple[ReconRig, list[str]]) -> None:
    """there_paid: the ask makes it PAID_LATE by the flow, and nothing is left of it."""
    till, ids = sold
    cancelled = till.charge(another_customer=True)
    till.initiated()
    till.wait(3)
    till.asked("Merchant Cancel", cancelled)
    till.quiet()
    till.lists_all(*map(till.row, [*ids, cancelled]))
    till.tell(Reconcile(request_id="r1"))
    till.wait(5)
    assert till.names() == ["ask"]
    assert till.state(cancelled) is State.CANCELLED
    till.asked("Payment Success", cancelled)
    till.wait(5)
    run = till.run()
    assert (run.complete, run.rows, run.equal, run.asked, run.differences) == (True, 4, 4, 1, {})
    assert till.state(cancelled) is State.PAID_LATE


def test_what_is_left_after_the_ask_differs(sold: tuple[ReconRig, list[str]]) -> None:
    """here_paid: with the money at risk, our state and the service's word."""
    till, ids = sold
    till.lists_all(till.row(ids[0]), till.row(ids[1]), till.row(ids[2], "Payment Fail"))
    till.tell(Reconcile(request_id="r1"))
    till.wait(5)
    till.asked("Payment Fail", ids[2])
    till.wait(5)
    run = till.run()
    assert (run.complete, run.equal, run.asked, run.differences) == (True, 2, 1, {"here_paid": 1})
    assert run.at_risk == {"here_paid": "12.50"}
    [found] = till.found()
    assert (found.difference.attempt_id, found.difference.here_state, found.difference.there_status) == (
        ids[2],
        "PAID",
        "Payment Fail",
    )
    assert (found.difference.asked, found.run, found.is_open) == (True, 1, True)
    assert (
        till.state(ids[2]) is State.PAID
    )  # rule 10: no closing waits for it, so that it takes three contradictions


def test_a_list_that_lags_is_looked_at_once_more(sold: tuple[ReconRig, list[str]]) -> None:
    """The newest payments come into it later: then nobody need be asked."""
    till, ids = sold
    rows = list(map(till.row, ids))
    till.lists_all(*rows[:2])
    till.tell(Reconcile(request_id="r1"))
    till.wait(3)
    till.lists_all(*rows)
    till.wait(60)
    run = till.run()
    assert (run.complete, run.rows, run.equal, run.asked) == (True, 3, 3, 0)


def test_what_came_late_into_the_list_is_no_stranger_to_overlook(sold: tuple[ReconRig, list[str]]) -> None:
    """Ours was looked for once more and found: then all is read once more, for what nobody here knows of."""
    till, ids = sold
    rows = list(map(till.row, ids))
    private = till.row("", wallet_transaction_id="W-own", transaction_date_time="2023-11-14 22:13:20")
    till.lists_all(*rows[:2])
    till.tell(Reconcile(request_id="r1"))
    till.wait(3)
    till.lists_all(*rows, private)
    till.wait(60)
    run = till.run()
    assert (run.complete, run.rows, run.equal, run.differences) == (True, 4, 3, {"foreign": 1})


def nothing_for_too_much(till: ReconRig, most: int) -> Callable[[QueryFilter], QueryReply]:
    """As code 5014, however many there are beyond so many."""

    def says(wanted: QueryFilter) -> QueryReply:
        reply = till.service.query(wanted)
        return Listing(()) if isinstance(reply, Listing) and len(reply.transactions) > most else reply

    return says


@pytest.mark.parametrize("killed", [False, True])
def test_a_list_that_says_nothing_for_too_much_contradicts_itself(
    sold: tuple[ReconRig, list[str]], *, killed: bool
) -> None:
    """Found at the sandbox: the few seconds of our own payments it shows, the day with a stranger's in it is empty,
    and all was equal. Whoever goes on after a crash knows it as well."""
    till, ids = sold
    at = "2023-11-14 20:00:00"
    private = [till.row("", wallet_transaction_id=f"W-{n}", transaction_date_time=at) for n in range(2)]
    till.service = Service(rows=[*map(till.row, ids), *private])
    till.says = nothing_for_too_much(till, 4)
    wanted = Reconcile(request_id="r1", first="2023-11-14 00:00:00", last="2023-11-16 00:00:00")
    till.tell(wanted)
    if killed:
        for _ in range(100):
            till.wait(0.5)
            parts = [each for each in till.journal.events_of("recon:1") if each.kind == RECON_WINDOW]
            if any(each.content["progress"].get("turn") == reconciliation.LOOK_AGAIN for each in parts):
                break
        till.restart()
        till.calls.made.clear()
        till.tell(wanted)
    till.wait(60)
    run = till.run()
    assert (run.number, run.complete, run.rows, run.equal, run.differences) == (
        1,
        False,
        3,
        3,
        {"incomplete": 1},
    )
    assert till.found()[0].difference.excerpt == "a_row_seen_before_is_missing"


def test_what_the_service_knows_and_its_list_does_not_hold(sold: tuple[ReconRig, list[str]]) -> None:
    """Then its list is not whole, and that is said, whatever it adds up to."""
    till, ids = sold
    till.lists_all(*map(till.row, ids[:2]))
    till.tell(Reconcile(request_id="r1"))
    till.wait(30)
    till.asked("Payment Success", ids[2])
    till.wait(5)
    run = till.run()
    assert (run.complete, run.asked, run.differences) == (False, 1, {"incomplete": 1})
    [found] = till.found()
    assert found.difference.excerpt == reconciliation.NOT_IN_THE_LIST
    assert found.difference.at_risk is None


def test_a_silent_cap_never_makes_a_complete_run(till: ReconRig) -> None:
    """A list that is cut is halved until its parts add up."""
    ids = [pay(till) for _ in range(30)]
    till.quiet()
    till.lists_all(*map(till.row, ids))
    till.service.cut = 7
    till.service.order = "shuffled"
    run = till.reconcile(600)
    assert (run.complete, run.rows, run.equal, run.asked) == (True, 30, 30, 0)
    assert run.calls > 5


def test_strangers_are_told_and_nobody_is_asked(sold: tuple[ReconRig, list[str]]) -> None:
    """Another till's in one line, a private payment by itself; what no till of ours made is never adopted."""
    till, ids = sold
    others = [till.row(f"SBX-TBBBB2222-000{number}-1-K7Q2M9") for number in (1, 2)]
    private = till.row("", wallet_transaction_id="W-own-pocket", amount=Decimal("99.00"))
    till.lists_all(*map(till.row, ids), *others, private)
    run = till.reconcile()
    assert (run.complete, run.rows, run.equal) == (True, 6, 3)
    assert run.differences == {"foreign": 1, "other_till": 1}
    assert run.at_risk == {"foreign": "99.00"}
    assert run.own_differences == 1
    assert len(till.journal.recent(99)) == 3


def test_an_id_of_ours_that_nobody_knows_stops_new_payments(sold: tuple[ReconRig, list[str]]) -> None:
    """Rule 20: another copy of this journal is selling."""
    till, ids = sold
    unknown = "SBX-T23456789-0999-1-K7Q2M9"
    till.lists_all(*map(till.row, ids), till.row(unknown))
    run = till.reconcile()
    assert run.differences == {"there_unknown": 1}
    assert till.block() is Block.IDENTITY_USED_TWICE
    assert till.charge(another_customer=True) == ""
    assert [each.difference.attempt_id for each in till.found()] == [unknown]
    assert till.journal.attempt(unknown) is None


def test_two_successes_of_one_sale_are_told(till: ReconRig) -> None:
    """Both are ours and paid: the smaller of them is owed to the customer."""
    first = pay(till)
    sale = till.attempt(first).sale_id
    till.quiet()
    second = replace(till.attempt(first), attempt_id=f"SBX-T23456789-{sale}-2-K7Q2M9", number=2, receipt=2)
    till.journal.append(
        [
            till.record(
                "RECOVERED", second.attempt_id, "terminal", attempt=second, path=(State.PAID,), content={}
            ),
        ]
    )
    till.lists_all(till.row(first), till.row(second.attempt_id))
    run = till.reconcile()
    assert (run.differences, run.at_risk) == ({"paid_twice": 1}, {"paid_twice": "12.50"})


@pytest.mark.parametrize("known", [True, False], ids=["by the wallet's id that we know", "by none"])
def test_money_that_moved_twice_under_one_id_is_no_equal_row(
    sold: tuple[ReconRig, list[str]], *, known: bool
) -> None:
    """An id is unique at the service, it says. Where it was taken twice all the same, nobody was told."""
    till, ids = sold
    own = till.attempt(ids[0]).wallet_transaction_id if known else f"W-{ids[0]}"
    second = till.row(ids[0], wallet_transaction_id="W-second")
    failed = till.row(ids[1], "Payment Fail", wallet_transaction_id="W-failed")
    till.lists_all(second, till.row(ids[0], wallet_transaction_id=own), *map(till.row, ids[1:]), failed)
    run = till.reconcile()
    assert (run.complete, run.equal, run.differences) == (True, 3, {"there_unknown": 1})
    assert run.at_risk == {"there_unknown": "12.50"}
    (found,) = (each.difference for each in till.found())
    assert found.attempt_id == ids[0]
    assert found.wallet_transaction_id in (["W-second"] if known else ["W-second", own])
    assert till.block() is Block.NONE, "nobody else has sold under this identity"


def test_the_receipts_have_no_gap(till: ReconRig) -> None:
    """The other side of the books: one, two, three."""
    ids = [pay(till) for _ in range(2)]
    till.quiet()
    forged = "SBX-T23456789-0009-1-K7Q2M9"
    fifth = replace(till.attempt(ids[1]), attempt_id=forged, sale_id="0009", receipt=5)
    till.journal.append([till.record("RECOVERED", forged, "terminal", attempt=fifth, path=(State.PAID,))])
    till.lists_all(*map(till.row, [*ids, forged]))
    run = till.reconcile()
    assert run.differences == {"receipt_gap": 1}
    assert till.found()[0].difference.excerpt == "R000003, R000004"


def test_at_most_two_calls_a_second_and_a_slow_down_slows(sold: tuple[ReconRig, list[str]]) -> None:
    """429 doubles the distance, and its own wait holds."""
    till, _ = sold
    at: list[int] = []
    slow = NoAnswer(Silence.SLOW_DOWN, sent=True, retry_after_s=7)

    def says(wanted: QueryFilter) -> QueryReply:
        at.append(till.clock.ms)
        return slow if len(at) == 2 else till.service.query(wanted)

    till.says = says
    till.reconcile()
    apart = [second - first for first, second in itertools.pairwise(at)]
    assert min(apart) >= SITE.calls_apart_ms
    assert apart[1] >= 7_000


def test_a_line_that_is_down_ends_the_run_and_says_that_nothing_was_read(
    sold: tuple[ReconRig, list[str]],
) -> None:
    """After a few calls; nothing is said to differ because of it."""
    till, _ = sold
    till.says = lambda _: DOWN
    run = till.reconcile(120)
    assert (run.complete, run.why, run.rows, run.read_nothing) == (False, Why.NOT_ANSWERED, 0, True)
    assert run.differences == {"incomplete": 1}


def test_a_list_that_is_refused_ends_the_run(sold: tuple[ReconRig, list[str]]) -> None:
    """A right is missing: asking again would not bring it."""
    till, _ = sold
    till.says = lambda _: Refused("5011")
    run = till.reconcile()
    assert (run.complete, run.why) == (False, Why.REFUSED)


def test_an_empty_list_is_an_answer(till: ReconRig) -> None:
    """5014 is an empty list: on a day without payments it is complete."""
    till.says = lambda _: Listing()
    run = till.reconcile()
    assert (run.complete, run.rows, run.read_nothing) == (True, 0, False)


def test_an_ask_that_nobody_answers_is_told_as_not_asked(sold: tuple[ReconRig, list[str]]) -> None:
    """What the list says then stands, as a difference that was not asked about, and the run is not complete."""
    till, ids = sold
    till.lists_all(till.row(ids[0]), till.row(ids[1]), till.row(ids[2], "Payment Fail"))
    till.tell(Reconcile(request_id="r1"))
    till.wait(5)
    till.tell(StatusAnswered(str(till.take("ask", ids[2])[1]), DOWN))
    till.wait(30)
    run = till.run()
    assert (run.complete, run.asked, run.not_asked, run.differences) == (False, 0, 1, {"here_paid": 1})
    assert till.found()[0].difference.asked is False


def test_a_run_goes_on_behind_a_crash(till: ReconRig) -> None:
    """What was read is not read again, who was asked is not asked again, and it comes to the same."""
    ids = [pay(till) for _ in range(12)]
    till.quiet()
    private = till.row("", wallet_transaction_id="W-own", amount=Decimal("99.00"), external_id="x-1")
    rows = [*map(till.row, ids[:-2]), *(till.row(each, "Payment Fail") for each in ids[-2:]), private]
    till.lists_all(*rows)
    till.service.cut = 5
    till.tell(Reconcile(request_id="r1", first="2023-11-14 00:00:00", last="2023-11-16 00:00:00"))
    for _ in range(200):
        till.wait(0.5)
        if [each for each in till.journal.events_of("recon:1") if each.kind == RECON_WINDOW][3:]:
            break
    till.restart()
    till.calls.made.clear()
    assert till.terminal.recon.step is ReconStep.NONE
    read = len(till.lists)
    till.tell(Reconcile(request_id="r1", first="2023-11-14 00:00:00", last="2023-11-16 00:00:00"))
    for _ in range(300):
        till.wait(0.5)
        if till.names() == ["ask"]:
            break
    till.asked("Payment Fail")
    till.restart()
    till.calls.made.clear()
    till.tell(Reconcile(request_id="r1", first="2023-11-14 00:00:00", last="2023-11-16 00:00:00"))
    till.wait(10)
    assert till.names() == ["ask"]
    till.asked("Payment Fail")
    till.wait(10)
    run = till.run()
    assert (run.number, run.complete, run.rows, run.equal, run.asked) == (1, True, 13, 10, 2)
    assert run.differences == {"here_paid": 2, "foreign": 1}
    assert sorted(till.kinds()) == ["foreign", "here_paid", "here_paid"]
    parts = [
        convert(each.content["progress"], Progress)
        for each in till.journal.events_of("recon:1")
        if each.kind == RECON_WINDOW
    ]
    spans = [(each.first, each.last) for each in parts if each.first and each.turn == 1]
    assert spans == sorted(spans, reverse=True)  # each part once, the newest first
    assert read


def test_another_run_ends_one_that_was_broken_off(sold: tuple[ReconRig, list[str]]) -> None:
    """Of another time: the older one is left as it was."""
    till, _ = sold
    till.held = True
    till.tell(Reconcile(request_id="r1"))
    till.restart()
    till.held = False
    run = till.reconcile(first="2023-11-14 00:00:00", last="2023-11-16 00:00:00")
    left = till.journal.recon_run(1)
    assert left is not None
    assert (run.number, left.ended, left.why) == (2, True, Why.LEFT)


def test_one_run_at_a_time(sold: tuple[ReconRig, list[str]]) -> None:
    """And it can be left."""
    till, _ = sold
    till.held = True
    till.tell(Reconcile(request_id="r1"))
    assert till.last(Terminal).recon.step is ReconStep.READING
    till.tell(Reconcile(request_id="r2"))
    refused = till.last(ReconEnded)
    assert (refused.request_id, refused.problem) == ("r2", DayProblem.BEING_CLOSED)
    till.tell(LeaveReconciling(request_id="l"))
    assert (till.run().why, till.run().complete) == (Why.LEFT, False)
    assert till.last(Terminal).recon.step is ReconStep.NONE
    till.tell(till.answer(till.lists[-1]))  # an answer that comes afterwards is nobody's


def test_a_closing_compares_the_day_and_the_z_says_so(sold: tuple[ReconRig, list[str]]) -> None:
    """Its run is the Z's; what was not in an earlier one's time is in the next."""
    till, ids = sold
    till.tell(CloseDay(request_id="c1"))
    till.wait(60)
    z = till.closed()
    assert z.reconciled == Reconciled(1, complete=True, differences=0)
    assert z.not_reconciled == ()
    again = till.reconcile(z=1)
    assert again.number == 1  # it is there already
    assert till.reconcile(z=1, again=True).number == 2
    sold_later = pay(till)
    till.quiet()
    till.lists_all(*map(till.row, [*ids, sold_later]))
    till.tell(CloseDay(request_id="c2"))
    till.wait(60)
    second = till.closed()
    assert second.number == 2
    assert second.reconciled is not None
    assert second.reconciled.complete
    run = till.journal.recon_run(second.reconciled.run)
    assert run is not None
    assert (run.z, run.rows, run.equal) == (2, 1, 1)


def paid_while_compared(till: ReconRig) -> str:
    """A payment that is made between the list of a closing's day and its Z."""
    till.held = True
    till.tell(CloseDay(request_id="c1"))
    till.wait(1)
    between = pay(till)
    till.held = False
    till.tell(till.answer(till.lists[-1]))
    till.wait(60)
    return between


def test_what_is_sold_while_the_day_is_compared_is_compared_with_the_next(
    sold: tuple[ReconRig, list[str]],
) -> None:
    """It is in the Z, and was in no list: no payment falls between two runs."""
    till, ids = sold
    between = paid_while_compared(till)
    assert till.closed().reconciled == Reconciled(1, complete=True, differences=0)
    till.quiet()
    till.lists_all(*map(till.row, [*ids, between]))
    till.tell(CloseDay(request_id="c2"))
    till.wait(60)
    run = till.journal.recon_run(2)
    assert run is not None
    assert (run.z, run.equal) == (2, 1)


def test_a_closing_waits_two_minutes_for_a_list_and_no_longer(sold: tuple[ReconRig, list[str]]) -> None:
    """The Z says that it was not compared, and so does each after it."""
    till, _ = sold
    till.held = True
    till.tell(CloseDay(request_id="c1"))
    assert till.last(Terminal).day.step is DayStep.RECONCILING
    till.wait(110)
    assert not [each for each in till.shown if isinstance(each, DayClosed)]
    till.wait(15)
    z = till.closed()
    assert z.reconciled is not None
    assert (z.reconciled.complete, z.reconciled.run) == (False, 1)
    till.tell(CloseDay(request_id="c2", reconcile=False))
    assert (till.closed().reconciled, till.closed().not_reconciled) == (None, (1,))
    till.tell(CloseDay(request_id="c3", reconcile=False))
    assert till.closed().not_reconciled == (1, 2)


def test_a_day_can_be_closed_without(sold: tuple[ReconRig, list[str]]) -> None:
    """At once, whatever the service does."""
    till, _ = sold
    till.held = True
    till.tell(CloseDay(request_id="c1"))
    till.tell(LeaveReconciling(request_id="c1"))
    till.wait(0)
    reconciled = till.closed().reconciled
    assert reconciled is not None
    assert reconciled.complete is False


def test_a_closing_that_was_interrupted_goes_on_with_its_run(sold: tuple[ReconRig, list[str]]) -> None:
    """Its closing is finished, and its run, too."""
    till, _ = sold
    till.held = True
    till.tell(CloseDay(request_id="c1"))
    till.restart()
    assert till.last(Terminal).day.step is DayStep.INTERRUPTED
    till.held = False
    till.tell(CloseDay(request_id="c1"))
    till.wait(60)
    assert till.closed().reconciled == Reconciled(1, complete=True, differences=0)


@pytest.mark.parametrize("listed", [True, False])
def test_what_the_service_denies_at_closing_is_disputed_on_its_z(
    sold: tuple[ReconRig, list[str]], *, listed: bool
) -> None:
    """Rule 10: one contradiction is enough there. Its money is in no sum, and what it is about still differs."""
    till, ids = sold
    rows = [*map(till.row, ids[:2]), *([till.row(ids[2], "Payment Fail")] if listed else [])]
    till.lists_all(*rows)
    till.tell(CloseDay(request_id="c1"))
    till.wait(60)
    till.asked("Payment Fail", ids[2])
    till.wait(60)
    z = till.closed()
    assert (till.state(ids[2]), z.disputed) == (State.DISPUTED, (ids[2],))
    assert z.reconciled == Reconciled(1, complete=listed, differences=1, at_risk={"here_paid": "12.50"})
    assert totals(z.entries, "LKR").taken.count == 2


def test_a_closing_that_is_finished_hours_later_compares_what_was_sold_since(
    sold: tuple[ReconRig, list[str]],
) -> None:
    """The run that was broken off went no further than its beginning: the Z would say equal of all of the day."""
    till, ids = sold
    till.held = True
    till.tell(CloseDay(request_id="c1"))
    till.restart(off_s=30)
    till.held = False
    later = pay(till)
    till.quiet()
    till.lists_all(*map(till.row, ids), till.row(later, "Payment Fail"))
    till.wait(4 * 3600)
    till.tell(CloseDay(request_id="c1"))
    till.wait(10)
    till.asked("Payment Fail", later)
    till.wait(60)
    assert till.closed().reconciled == Reconciled(
        2, complete=True, differences=1, at_risk={"here_paid": "12.50"}
    )
    left = till.journal.recon_run(1)
    assert left is not None
    assert (left.ended, left.why) == (True, Why.LEFT)


def test_a_z_says_what_its_own_run_came_to(sold: tuple[ReconRig, list[str]]) -> None:
    """Not what an older closing of the same day had come to, which was killed before its Z; and who asks for the day
    later is not told that it was compared."""
    till, ids = sold
    till.engine = Engine(till.config, till.ports(list_payments=till._list, count_day=lambda: None))
    till.start()
    till.tell(CloseDay(request_id="c1"))
    till.wait(60)
    first = till.journal.recon_of_z(1)
    assert first is not None
    assert first.complete
    till.restart()
    later = pay(till)
    till.quiet()
    till.held = True
    till.tell(CloseDay(request_id="c1"))
    till.wait(130)
    assert till.closed().reconciled == Reconciled(2, complete=False, differences=0)
    assert till.journal.not_reconciled(9) == [1]
    till.held = False
    till.lists_all(*map(till.row, [*ids, later]))
    run = till.reconcile(z=1)
    assert (run.number, run.complete, run.equal) == (3, True, 4)
    assert till.journal.not_reconciled(9) == []


def test_what_fell_between_two_days_is_compared_with_the_later_one_by_its_number_too(
    sold: tuple[ReconRig, list[str]],
) -> None:
    """A payment and a private one, taken while the day before was being compared."""
    till, ids = sold
    between = paid_while_compared(till)
    till.quiet()
    private = till.row(
        "", wallet_transaction_id="W-own", transaction_date_time=till.row(between).transaction_date_time
    )
    till.lists_all(*map(till.row, ids), till.row(between, "Payment Fail"), private)
    till.tell(CloseDay(request_id="c2", reconcile=False))
    till.wait(5)
    till.tell(Reconcile(request_id="r1", z=2, again=True))
    till.wait(10)
    till.asked("Payment Fail", between)
    till.wait(60)
    run = till.run()
    assert (run.z, run.complete, run.differences) == (2, True, {"here_paid": 1, "foreign": 1})


def test_a_closing_tells_whoever_compares_that_it_goes_first(sold: tuple[ReconRig, list[str]]) -> None:
    """A manager at the list when the till closes the day by itself: their run is left, and they are told."""
    till, _ = sold
    till.held = True
    till.tell(Reconcile(request_id="r1"))
    till.held = False
    till.tell(CloseDay(request_id="c1"))
    till.wait(60)
    told = till.last(ReconEnded)
    assert (told.request_id, told.problem) == ("r1", DayProblem.BEING_CLOSED)
    assert till.closed().reconciled == Reconciled(2, complete=True, differences=0)


class Blinking(MemoryJournal):
    """Cannot say which period is open just after a Z was written."""

    blind = False

    def append(self, records: Sequence[Record]) -> int:
        """As ever."""
        self.blind = any(each.kind == Z_CLOSED for each in records)
        return super().append(records)

    def opened(self) -> Opened:
        """Not this time."""
        if self.blind:
            self.blind = False
            raise DiskTroubleError("cannot be read")
        return super().opened()


def test_a_day_that_cannot_be_looked_at_begins_behind_its_z() -> None:
    """The next Z is the next one's, with a run of its own."""
    till = ReconRig(Blinking())
    till.start()
    till.tell(CloseDay(request_id="c1"))
    till.wait(60)
    assert till.closed().reconciled == Reconciled(1, complete=True, differences=0)
    assert till.terminal.day.number == 2
    till.held = True
    till.tell(CloseDay(request_id="c2"))
    till.wait(130)
    assert till.closed().reconciled == Reconciled(2, complete=False, differences=0)


def test_the_day_of_an_old_z_is_in_its_own_currency(sold: tuple[ReconRig, list[str]]) -> None:
    """The counter may have another one since."""
    till, ids = sold
    till.tell(CloseDay(request_id="c1", reconcile=False))
    till.wait(1)
    till.config = replace(SITE, currency=currency("EUR"))
    till.restart()
    private = till.row(
        "", wallet_transaction_id="W-own", transaction_date_time=till.row(ids[0]).transaction_date_time
    )
    till.lists_all(*map(till.row, ids), private)
    run = till.reconcile(z=1)
    assert (run.currency, run.differences) == ("LKR", {"foreign": 1})
    assert [each.difference.currency for each in till.found()] == ["LKR"]


def test_a_decision_is_signed_with_a_reason_and_changes_no_payment(sold: tuple[ReconRig, list[str]]) -> None:
    """It holds while the facts do; a class at once, too."""
    till, ids = sold
    strangers = [
        till.row(f"x-{number}", wallet_transaction_id=f"W-{number}", amount=Decimal(number))
        for number in (1, 2, 3)
    ]
    till.lists_all(*map(till.row, ids), *strangers)
    till.reconcile()
    before = [till.journal.attempt(each) for each in ids]
    first = next(each.difference for each in till.found() if each.difference.subject == "W-1")
    till.tell(DecideDifferences(request_id="d", run=1, reason="  ", keys=(first.key,)))
    assert till.last(DifferencesDecided).problem is DayProblem.NO_REASON
    till.tell(
        DecideDifferences(request_id="d", run=1, reason="an old till", keys=(first.key, "foreign none"))
    )
    assert till.last(DifferencesDecided).count == 1
    assert sorted((each.reason, each.is_open) for each in till.found()) == [
        ("", True),
        ("", True),
        ("an old till", False),
    ]
    till.tell(DecideDifferences(request_id="d", run=1, reason="asked 077 123 4599", kind="foreign"))
    assert till.last(DifferencesDecided).count == 2
    changed = [*strangers[:2], replace(strangers[2], amount=Decimal(30))]
    till.lists_all(*map(till.row, ids), *changed)
    assert till.reconcile().number == 2
    assert {each.difference.subject: each.reason for each in till.found()} == {
        "W-1": "an old till",
        "W-2": "asked …599",
        "W-3": "",
    }
    till.lists_all(*map(till.row, ids))
    assert till.reconcile().differences == {}
    assert till.found(2) == []  # a complete run did not find them any more
    assert [till.journal.attempt(each) for each in ids] == before


def test_what_is_signed_is_what_was_seen_and_stays_as_it_was_signed(sold: tuple[ReconRig, list[str]]) -> None:
    """A later run found the same with more at risk, or somebody was first: neither is signed for by an older look."""
    till, ids = sold
    stranger = till.row("x-1", wallet_transaction_id="W-1", amount=Decimal(1))
    till.lists_all(*map(till.row, ids), stranger)
    till.reconcile()
    (seen,) = till.found()
    till.lists_all(*map(till.row, ids), replace(stranger, amount=Decimal(9_000)))
    assert till.reconcile().number == 2
    till.tell(DecideDifferences(request_id="d", run=1, reason="a coffee", keys=(seen.difference.key,)))
    assert till.last(DifferencesDecided).count == 0
    assert [each.is_open for each in till.found()] == [True]
    for reason in ("an old till", "something else"):
        till.tell(DecideDifferences(request_id="d", run=2, reason=reason, keys=(seen.difference.key,)))
    assert till.last(DifferencesDecided).count == 0
    assert [each.reason for each in till.found()] == ["an old till"]


def test_what_cannot_be_decided_or_read(till: ReconRig) -> None:
    """There was no run."""
    till.tell(DecideDifferences(request_id="d", run=9, reason="x", kind="foreign"))
    assert till.last(DifferencesDecided).problem is DayProblem.NO_SUCH_RUN
    till.tell(ReadDifferences(request_id="d"))
    assert till.last(DifferencesRead).problem is DayProblem.NO_SUCH_RUN
    till.tell(Reconcile(request_id="r1", z=4))
    assert till.last(ReconEnded).problem is DayProblem.NO_SUCH_Z


def test_a_till_without_a_list_says_so(rig: Rig) -> None:
    """And closes without."""
    rig.tell(Reconcile(request_id="r1"))
    assert rig.last(ReconEnded).problem is DayProblem.NO_LIST
    rig.tell(CloseDay(request_id="c1"))
    assert rig.last(DayClosed).z is not None


def test_a_disk_that_takes_or_gives_nothing(memory: MemoryJournal) -> None:
    """The run is as it was written, and nobody is kept from selling by it."""
    till = ReconRig(memory)
    till.start()
    ids = [pay(till)]
    till.quiet()
    till.lists_all(*map(till.row, ids))
    memory.full = True
    till.tell(Reconcile(request_id="r1"))
    assert till.last(ReconEnded).problem is DayProblem.CANNOT_RECORD
    memory.full = False
    till.held = True
    till.tell(Reconcile(request_id="r2"))
    memory.full = True
    till.tell(till.answer(till.lists[-1]))
    till.held = False
    till.wait(10)
    assert (till.last(ReconEnded).request_id, till.last(ReconEnded).problem) == (
        "r2",
        DayProblem.CANNOT_RECORD,
    )
    memory.full = False
    till.held = True
    till.tell(Reconcile(request_id="r3"))
    memory.unreadable = True
    till.tell(till.answer(till.lists[-1]))
    assert till.last(ReconEnded).problem is DayProblem.CANNOT_READ
    for wanted in (
        Reconcile(request_id="r4"),
        ReadDifferences(request_id="r4"),
        DecideDifferences(request_id="r4", run=1, reason="x"),
    ):
        till.tell(wanted)
    assert till.last(ReconEnded).problem is DayProblem.CANNOT_READ
    assert till.last(DifferencesRead).problem is DayProblem.CANNOT_READ
    assert till.last(DifferencesDecided).problem is DayProblem.CANNOT_READ
    memory.unreadable = False
    till.held = False
    assert till.reconcile().complete
    assert till.block() is Block.NONE


def test_a_disk_that_does_not_take_what_was_found_leaves_nothing_to_do(memory: MemoryJournal) -> None:
    """The run is over as it was written; the engine does not turn round and round for it."""
    till = ReconRig(memory)
    till.start()
    ids = [pay(till)]
    till.quiet()
    till.lists_all(till.row(ids[0], "Payment Fail"), till.row("x-1", wallet_transaction_id="W-own"))
    till.tell(Reconcile(request_id="r1"))
    till.wait(10)
    assert till.names() == ["ask"]
    memory.full = True
    till.tell(LeaveReconciling(request_id="l"))
    assert till.last(ReconEnded).problem is DayProblem.CANNOT_RECORD
    memory.full = False
    till.wait(60)
    till.asked("Payment Fail", ids[0])
    assert till.last(Terminal).recon.step is ReconStep.NONE


def test_a_time_that_no_list_can_be_read_for_is_not_begun(till: ReconRig) -> None:
    """There is no day behind it to read; nothing was written that a later run would go on with."""
    with pytest.raises(OverflowError):
        till.tell(Reconcile(request_id="r1", first="2026-03-01 00:00:00", last="9999-12-31 23:59:59"))
    assert till.journal.recon_run(0) is None
    assert till.reconcile().complete


def test_ten_thousand_are_kept_and_the_others_counted(
    sold: tuple[ReconRig, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is this our merchant?"""
    till, ids = sold
    for module in (reconcile, reconciliation):
        monkeypatch.setattr(module, "MOST_KEPT", 4)
    strangers = [till.row(f"x-{number}", wallet_transaction_id=f"W-{number}") for number in range(7)]
    till.lists_all(*map(till.row, ids), *strangers)
    run = till.reconcile()
    assert (run.complete, run.differences, run.more) == (False, {"foreign": 4}, 3)
    assert run.own_differences == 7


def test_many_differences_come_in_pages(
    sold: tuple[ReconRig, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many at once, and whether there are more."""
    till, ids = sold
    monkeypatch.setattr(reconciliation, "PAGE", 2)
    strangers = [till.row(f"x-{number}", wallet_transaction_id=f"W-{number}") for number in range(3)]
    till.lists_all(*map(till.row, ids), *strangers)
    till.reconcile()
    first = till.found()
    assert (len(first), till.last(DifferencesRead).more) == (2, True)
    till.tell(ReadDifferences(request_id="d", after=first[-1].difference.key))
    assert len(till.last(DifferencesRead).found) == 1
    assert not till.last(DifferencesRead).more


def test_late_money_of_an_earlier_day_is_asked_about(sold: tuple[ReconRig, list[str]]) -> None:
    """Its row lies in another day's list: the ask by its id says whether it is there."""
    till, ids = sold
    late = till.charge(another_customer=True)
    till.initiated()
    till.wait(3)
    till.asked("Merchant Cancel", late)
    till.tell(CloseDay(request_id="c1", reconcile=False, wait_s=0))
    till.quiet()
    till.tell(CheckNow(late))
    till.asked("Payment Success", late)
    assert till.state(late) is State.PAID_LATE
    till.quiet()
    till.lists_all(*map(till.row, ids))
    till.tell(Reconcile(request_id="r1"))
    till.wait(30)
    assert till.names() == ["ask"]
    till.asked(StatusReport("Payment Fail", late, f"W-{late}", AMOUNT, "M-1"), late)
    till.wait(10)
    assert till.run().differences == {"here_paid": 1}


def test_no_run_while_a_record_is_being_begun_anew(memory: MemoryJournal) -> None:
    """The list is its own then."""
    till = ReconRig(memory)
    about = {"installations": ["AAAA2222"], "next_sale": 9, "since": "2023-11-13", "found": 0}
    memory.append([till.record(REBUILT, JOURNAL, "terminal", content=about)])
    till.held = True
    till.start()
    till.tell(Reconcile(request_id="r1"))
    assert till.last(ReconEnded).problem is DayProblem.NO_LIST
    till.tell(CloseDay(request_id="c1"))
    assert till.closed().reconciled is None


@pytest.mark.parametrize("since", ["2023-11-01", ""])
def test_what_a_lost_journal_left_is_proven_by_the_list_and_not_by_asks(
    memory: MemoryJournal, since: str
) -> None:
    """A month that came back counts in the first period, and its rows are older: so many cannot be asked about."""
    till = ReconRig(memory)
    about = {"installations": ["AAAA2222"], "next_sale": 9_000, "since": since, "found": 0}
    memory.append([till.record(REBUILT, JOURNAL, "terminal", content=about)])
    sold_at = [f"2023-11-{1 + number % 12:02d} 10:00:{number // 12:02d}" for number in range(MOST_ASKED + 40)]
    ids = [f"SBX-TAAAA2222-{number:04d}-1-K7Q2M9" for number, _ in enumerate(sold_at, 1)]
    for number, (attempt_id, at) in enumerate(zip(ids, sold_at, strict=True), 1):
        paid = attempt(number, attempt_id=attempt_id, transaction_date_time=at, state=State.PAID_LATE)
        paid = replace(paid, recovered=True, shown=True, amount=AMOUNT, tapped_at=till.clock.now())
        paid = replace(paid, ended_at=till.clock.now(), resolution=Resolution("complete", "N", "seen", 1))
        memory.append([record(paid, RECOVERED, till.clock.now(), sale=sale(number))])
    memory.append([till.record(REBUILD_ENDED, JOURNAL, "terminal", content={"found": len(ids)})])
    till.start()
    before = till.row("", wallet_transaction_id="W-old", transaction_date_time="2023-08-01 10:00:00")
    till.service = Service(rows=[*map(till.row, ids), before], cut=150)
    run = till.reconcile(600)
    assert (run.complete, run.rows, run.equal, run.asked, run.differences) == (
        True,
        len(ids),
        len(ids),
        0,
        {},
    )


def test_a_clock_that_was_set_back_stretches_what_is_read(till: ReconRig) -> None:
    """Payments have the times of the wrong clock in them."""
    till.clock.pushed = timedelta(days=3)
    first = pay(till)
    till.quiet()
    till.clock.pushed = timedelta(0)
    second = pay(till)
    till.quiet()
    till.lists_all(till.row(first), till.row(second))
    run = till.reconcile()
    assert (run.complete, run.rows, run.equal, run.differences) == (True, 2, 2, {})


def test_a_clock_that_was_set_back_stretches_the_day_of_its_z_too(till: ReconRig) -> None:
    """Compared by its number, later."""
    till.clock.pushed = timedelta(days=3)
    first = pay(till)
    till.quiet()
    till.clock.pushed = timedelta(0)
    second = pay(till)
    till.quiet()
    till.tell(CloseDay(request_id="c1", reconcile=False))
    till.wait(1)
    till.lists_all(till.row(first), till.row(second))
    run = till.reconcile(z=1)
    assert (run.complete, run.rows, run.equal, run.differences) == (True, 2, 2, {})


def test_what_a_clock_that_was_moved_brings_into_a_day_is_not_gone_by_it(till: ReconRig) -> None:
    """A payment of the day before lies in its time, and is none of those that it looked at."""
    [paid] = [pay(till)]
    till.quiet()
    till.lists_all(till.row(paid, "Payment Fail"))
    till.tell(Reconcile(request_id="r1"))
    till.wait(10)
    till.asked("Payment Fail", paid)
    till.wait(60)
    assert till.run().differences == {"here_paid": 1}
    till.tell(CloseDay(request_id="c1", reconcile=False))
    till.wait(1)
    till.clock.pushed = timedelta(days=-1)
    later = pay(till)
    till.quiet()
    till.lists_all(till.row(paid, "Payment Fail"), till.row(later))
    run = till.reconcile()
    assert (run.complete, run.equal, run.differences) == (True, 1, {})
    assert run.first <= till.row(paid).transaction_date_time <= run.last
    assert [each.difference.kind.value for each in till.found(1)] == ["here_paid"]


def test_money_back_is_told_of_the_dates_of_its_payments_whatever_the_clock_was(till: ReconRig) -> None:
    """A run of that day's Z told of it, one of its date did not: the clock had been a day ahead when it was sold."""
    till.clock.pushed = timedelta(days=1)
    paid = pay(till)
    till.quiet()
    note(till, paid)
    till.clock.pushed = timedelta()
    till.lists_all(till.row(paid))
    date = till.row(paid).transaction_date_time[:10]
    run = till.reconcile(first=f"{date} 00:00:00", last=f"{date} 23:59:59")
    assert (run.complete, run.equal, run.noted) == (True, 1, 1)
    before = f"{till.clock.wall():%Y-%m-%d}"
    run = till.reconcile(first=f"{before} 00:00:00", last=f"{before} 23:59:59")
    assert (run.complete, run.equal, run.noted) == (True, 0, 0)


def test_the_first_day_reaches_back_to_nothing(sold: tuple[ReconRig, list[str]]) -> None:
    """Some dates that were compared are no day before it."""
    till, _ = sold
    assert till.reconcile(first="2023-10-01 00:00:00", last="2023-10-02 00:00:00").complete
    run = till.reconcile()
    assert (run.complete, run.equal) == (True, 3)
    assert run.first > "2023-11-14"


@pytest.mark.parametrize("days", [3, -3, 400, -400])
def test_dates_are_those_that_payments_have(till: ReconRig, days: int) -> None:
    """Till time goes on as it did when a clock is set: days were called complete that nobody had looked at."""
    till.clock.pushed = timedelta(days=days)
    ids = [pay(till) for _ in range(3)]
    till.quiet()
    till.lists_all(till.row(ids[0]), till.row(ids[1], "Payment Fail"))
    day = till.row(ids[0]).transaction_date_time[:10]
    till.tell(Reconcile(request_id="r1", first=f"{day} 00:00:00", last=f"{day} 23:59:59"))
    till.wait(30)
    for each in ids[1:]:
        till.asked("Payment Fail", each)
    till.wait(30)
    run = till.run()
    assert (run.rows, run.equal, run.asked, run.differences["here_paid"]) == (2, 1, 2, 2)
    other = f"{till.clock.wall() - till.clock.pushed:%Y-%m-%d}"
    run = till.reconcile(first=f"{other} 00:00:00", last=f"{other} 23:59:59")
    assert (run.complete, run.rows, run.equal, run.asked) == (True, 0, 0, 0)


def test_the_kind_that_is_decided_about_has_to_be_one(sold: tuple[ReconRig, list[str]]) -> None:
    """Any other decides about nothing."""
    till, _ = sold
    till.reconcile()
    till.tell(DecideDifferences(request_id="d", run=1, reason="x", kind="whatever"))
    assert till.last(DifferencesDecided) == DifferencesDecided(request_id="d")
    assert DifferenceKind.FOREIGN.value == "foreign"


def test_an_empty_list_that_is_taken_for_a_failure_is_caught(till: ReconRig) -> None:
    """Planted: 5014 as the refusal that it is written as. An empty day would never be complete."""
    till.says = lambda _: Refused("5014")
    run = till.reconcile()
    assert (run.complete, run.why) == (False, Why.REFUSED)


def test_a_decision_that_changes_a_payment_is_caught(
    sold: tuple[ReconRig, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: whoever signs for it has it signed off as well."""
    till, ids = sold
    right = Reconciliation.do

    def wrong(self: Reconciliation, allowed: Any) -> None:
        key = allowed.command.keys[0].partition(" ")[2]
        attempt = till.journal.attempt(key)
        assert attempt is not None
        done = replace(attempt, state=State.SIGNED_OFF)
        till.journal.append([till.record("ANSWER", key, "p", attempt=done, path=(State.SIGNED_OFF,))])
        right(self, allowed)

    till.lists_all(till.row(ids[0]), till.row(ids[1]), till.row(ids[2], "Payment Fail"))
    till.tell(Reconcile(request_id="r1"))
    till.wait(5)
    till.asked("Payment Fail", ids[2])
    till.wait(5)
    before = till.journal.attempt(ids[2])
    key = till.found()[0].difference.key
    till.tell(DecideDifferences(request_id="d", run=1, reason="seen", keys=(key,)))
    assert till.journal.attempt(ids[2]) == before
    monkeypatch.setattr(Reconciliation, "do", wrong)
    till.tell(DecideDifferences(request_id="d", run=1, reason="seen", keys=(key,)))
    assert till.journal.attempt(ids[2]) != before
