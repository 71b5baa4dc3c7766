"""Closing for an update: nothing new starts, what is under way ends, then the till sells again by itself."""

from __future__ import annotations

import pytest

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Cancel, CloseDay, Park
from pos_app.domain.draining import DrainAsked, DrainLeft, DrainStep
from pos_app.domain.replies import Accepted, CancelAccepted, NoAnswer, StatusReport, Why
from pos_app.domain.rights import Act
from pos_app.domain.staff import Permit
from pos_app.domain.views import Block, Decline, StaffAnswered
from pos_app.engine.core.draining import LONGEST_MS, PUT_OFF_MS, SEEN_MS
from tests.unit.engine.rig import AMOUNT, Rig
from tests.unit.engine.test_disk import full


def ask(rig: Rig, name: str = "u", wait_s: float = 60, *, strict: bool = False, end: bool = False) -> None:
    """Somebody wants to update."""
    rig.tell(DrainAsked(request_id=name, wait_ms=int(wait_s * 1000), strict=strict, end=end))


def step(rig: Rig) -> DrainStep:
    """How far the till is."""
    return rig.terminal.drain.step


def put_off(rig: Rig) -> None:
    """A manager says so."""
    rig.tell(Permit(request_id="p", act=Act.PUT_OFF_UPDATE, reason="Customers are waiting"))


def written(rig: Rig, attempt_id: str) -> list[str]:
    """What the journal has of a payment."""
    return [each.kind for each in rig.journal.events_of(attempt_id)]


def waiting(rig: Rig, **facts: object) -> str:
    """A payment whose customer is there."""
    attempt_id = rig.charge(**facts)  # type: ignore[arg-type]
    rig.initiated()
    return attempt_id


class TestNothingUnderWay:
    """A till at rest."""

    def test_it_says_so_at_once_and_sells_nothing(self, rig: Rig) -> None:
        ask(rig)
        assert (step(rig), rig.block()) == (DrainStep.DRAINED, Block.UPDATING)
        assert rig.charge() == ""
        assert (rig.why(), rig.declined.block) == (Decline.BLOCKED, Block.UPDATING)
        assert "initiate" not in rig.names()
        assert rig.journal.next_sale_number() == 1

    def test_when_the_time_is_over_it_sells_again_by_itself(self, rig: Rig) -> None:
        ask(rig, wait_s=20)
        rig.wait(19)
        assert rig.block() is Block.UPDATING
        rig.wait(2)
        assert (step(rig), rig.block()) == (DrainStep.NONE, Block.NONE)
        assert rig.charge()

    def test_no_request_holds_it_for_longer_than_an_hour(self, rig: Rig) -> None:
        ask(rig, wait_s=10**9)
        rig.wait(LONGEST_MS / 1000 - 1)
        assert rig.block() is Block.UPDATING
        rig.wait(2)
        assert rig.block() is Block.NONE

    @pytest.mark.parametrize("wait_s", [0, -5])
    def test_without_any_time_the_answer_is_at_once(self, rig: Rig, wait_s: float) -> None:
        """Whoever only looks whether it could be updated now keeps nobody from selling."""
        ask(rig, wait_s=wait_s)
        assert rig.block() is Block.NONE

    def test_one_that_is_to_end_sells_no_more_however_long_that_takes(self, rig: Rig) -> None:
        """A charge between the answer and the end of the process would be cut off."""
        ask(rig, wait_s=20, end=True)
        assert rig.terminal.drain.end
        rig.wait(60)
        ask(rig, "another", wait_s=1)
        rig.tell(DrainLeft(request_id="u"))
        put_off(rig)
        assert (step(rig), rig.block()) == (DrainStep.DRAINED, Block.UPDATING)
        assert rig.charge() == ""

    def test_whoever_asked_and_left_keeps_nobody_from_selling(self, rig: Rig) -> None:
        ask(rig, "first")
        ask(rig, "second")
        rig.tell(DrainLeft(request_id="first"))
        assert rig.block() is Block.UPDATING
        rig.tell(DrainLeft(request_id="second"))
        assert (step(rig), rig.block()) == (DrainStep.NONE, Block.NONE)


class TestUnderWay:
    """A customer is paying."""

    def test_their_payment_comes_to_its_end_and_is_seen(self, rig: Rig) -> None:
        attempt_id = waiting(rig)
        ask(rig)
        assert (step(rig), rig.terminal.drain.open) == (DrainStep.CLOSING, 1)
        rig.wait(3)
        rig.asked("Payment Success", attempt_id)
        assert rig.state(attempt_id) is State.PAID
        assert step(rig) is DrainStep.CLOSING
        rig.wait(SEEN_MS / 1000)
        assert step(rig) is DrainStep.DRAINED
        assert rig.attempt(attempt_id).released_at is None

    def test_it_is_not_parked_cancelled_or_released(self, rig: Rig) -> None:
        attempt_id = waiting(rig)
        before = written(rig, attempt_id)
        ask(rig, wait_s=2)
        rig.wait(1)
        assert (rig.names().count("cancel"), written(rig, attempt_id)) == (0, before)
        attempt = rig.attempt(attempt_id)
        assert (attempt.released_at, attempt.cancel_wish) == (None, None)

    def test_open_when_the_time_is_over_the_till_sells_again(self, rig: Rig) -> None:
        attempt_id = waiting(rig)
        ask(rig, wait_s=2)
        rig.wait(2.5)
        assert (step(rig), rig.block()) == (DrainStep.TOO_LATE, Block.NONE)
        assert rig.terminal.drain.open == 1
        assert rig.charge(amount=AMOUNT + 1)
        assert rig.state(attempt_id) is State.WAITING

    def test_a_parked_one_is_waited_for(self, rig: Rig) -> None:
        attempt_id = waiting(rig)
        rig.tell(Park(attempt_id, "person-1"))
        ask(rig)
        assert step(rig) is DrainStep.CLOSING

    def test_one_that_was_given_up_goes_on_behind_the_update(self, rig: Rig) -> None:
        """It is in the journal; only `strict` waits for it."""
        rig.charge(Kind.PUSH, give_up_after_s=20)
        rig.initiated(NoAnswer(Why.TIME_OUT, sent=True))
        rig.calls.made.clear()
        rig.wait(25)
        ask(rig)
        assert step(rig) is DrainStep.DRAINED
        ask(rig, "strict", strict=True)
        assert (step(rig), rig.terminal.drain.open) == (DrainStep.CLOSING, 1)

    def test_strict_waits_for_one_that_is_not_known(self, rig: Rig) -> None:
        """UNRESOLVED: the service may still say."""
        attempt_id = rig.charge(Kind.PUSH, give_up_after_s=20)
        rig.initiated()
        rig.calls.made.clear()
        rig.wait(120)
        assert rig.state(attempt_id) is State.UNRESOLVED
        ask(rig, strict=True)
        assert rig.terminal.drain.open == 1
        ask(rig, "other")
        assert (rig.terminal.drain.open, step(rig)) == (0, DrainStep.DRAINED)

    def test_a_lost_code_gets_no_new_one(self, rig: Rig) -> None:
        """Rule 3c opens the next attempt without a touch: it is a new attempt all the same."""
        attempt_id = rig.charge()
        ask(rig)
        rig.initiated(Accepted("W-1", attempt_id, ""))
        rig.cancelled(CancelAccepted())
        rig.asked(StatusReport("Merchant Cancel", attempt_id, "W-1"))
        assert rig.state(attempt_id) is State.CANCELLED
        assert "initiate" not in rig.names()
        assert rig.terminal.open == ()

    def test_a_cancel_is_taken_while_it_closes(self, rig: Rig) -> None:
        attempt_id = waiting(rig)
        ask(rig)
        rig.tell(Cancel(attempt_id, "person-1"))
        assert "cancel" in rig.names()

    def test_the_next_payment_of_the_same_sale_waits_too(self, rig: Rig) -> None:
        attempt_id = waiting(rig, kind=Kind.PUSH)
        ask(rig)
        rig.wait(3)
        rig.asked("Customer Reject", attempt_id)
        assert rig.charge(sale_id="0001") == ""
        assert rig.why() is Decline.BLOCKED


class TestRace:
    """A tap and an update at the same moment: whichever is first, nothing is half."""

    def test_the_tap_first(self, rig: Rig) -> None:
        assert rig.charge()
        ask(rig, end=True)
        assert (step(rig), rig.terminal.drain.open) == (DrainStep.CLOSING, 1)
        assert rig.names().count("initiate") == 1

    def test_the_update_first(self, rig: Rig) -> None:
        ask(rig, end=True)
        assert rig.charge() == ""
        assert "initiate" not in rig.names()


class TestPutOff:
    """By a manager, with a reason that is written."""

    def test_the_till_sells_and_whoever_asks_again_is_told(self, rig: Rig) -> None:
        ask(rig)
        put_off(rig)
        assert rig.last(StaffAnswered).problem.value == ""
        assert (step(rig), rig.block()) == (DrainStep.PUT_OFF, Block.NONE)
        assert rig.charge()
        ask(rig, "again")
        assert (step(rig), rig.terminal.drain.request_id) == (DrainStep.PUT_OFF, "again")
        assert rig.block() is Block.NONE
        told = next(each for each in rig.journal.events_of("terminal") if each.kind == "PERMITTED")
        assert (told.content["act"], told.content["reason"]) == ("put_off_update", "Customers are waiting")

    def test_for_an_hour(self, rig: Rig) -> None:
        put_off(rig)
        rig.wait(PUT_OFF_MS / 1000 + 1)
        ask(rig)
        assert step(rig) is DrainStep.DRAINED

    def test_not_where_the_disk_does_not_take_it(self, frail: Rig) -> None:
        ask(frail, wait_s=600)
        full(frail, True)
        put_off(frail)
        assert frail.last(StaffAnswered).problem.value != ""
        full(frail, False)
        frail.wait(2)
        assert frail.block() is Block.UPDATING


class TestBusy:
    """What must not be cut off beside payments."""

    def test_while_the_disk_takes_nothing_no_till_is_ended(self, frail: Rig) -> None:
        """What happens now is known to its memory alone."""
        attempt_id = waiting(frail)
        ask(frail, wait_s=60, end=True)
        full(frail, True)
        frail.wait(3)
        frail.asked("Payment Success", attempt_id)
        frail.wait(10)
        assert frail.terminal.drain.busy
        assert step(frail) is DrainStep.CLOSING
        full(frail, False)
        frail.wait(SEEN_MS / 1000 + 2)
        assert step(frail) is DrainStep.DRAINED

    def test_a_closing_comes_to_its_end(self, rig: Rig) -> None:
        waiting(rig)
        rig.tell(CloseDay(request_id="c", wait_s=30, reconcile=False))
        ask(rig, end=True)
        assert rig.terminal.drain.busy

    def test_killed_while_it_closes_the_next_start_sells(self, rig: Rig) -> None:
        """Nothing of it is written: what is under way is taken up as after any kill."""
        attempt_id = waiting(rig)
        ask(rig, wait_s=600)
        rig.restart()
        assert rig.terminal.drain.step is DrainStep.NONE
        rig.asked("Merchant Initiated", attempt_id)
        assert rig.block() is Block.NONE
        assert rig.charge(amount=AMOUNT + 1)
