"""Rule 12 on the whole engine: killed in every state, started again, nothing lost, nothing sent by itself."""

import pytest

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Answer, Cancel, CheckNow, Close, Continue
from pos_app.domain.replies import CancelAccepted, NoAnswer, Refused, Why
from pos_app.domain.views import AttemptChanged, Block, Connection
from pos_app.engine.core.journal_store import JournalStore
from tests.unit.domain.flow.story import NOT_FOUND, NOT_UNIQUE, TIME_OUT, UNAUTHORISED, http
from tests.unit.engine.rig import AMOUNT, Rig

NEVER = NoAnswer(Why.CONNECT, sent=False)


def reach(rig: Rig, state: State) -> str:
    """A payment in this state, by events alone."""
    attempt_id = rig.charge(Kind.PUSH)
    match state:
        case State.INTENT:
            return attempt_id
        case State.NOT_SENT:
            for wait in (1, 3, 0):
                rig.initiated(NEVER)
                rig.wait(wait)
        case State.REFUSED:
            rig.initiated(Refused("5003"))
        case State.IN_DOUBT:
            rig.initiated(TIME_OUT)
        case State.UNRESOLVED:
            rig.initiated(TIME_OUT)
            rig.wait(300)
        case _:
            rig.initiated()
            rig.wait(3)
    match state:
        case State.PAID:
            rig.asked("Payment Success")
        case State.FAILED:
            rig.asked("Customer Reject")
        case State.CANCELLED | State.PAID_LATE:
            rig.asked("Merchant Cancel")
        case State.DISPUTED | State.SIGNED_OFF:
            for _ in range(3):
                rig.asked(rig.report(attempt_id, "Payment Success").__class__("Paid", "another"))
                rig.tell(CheckNow(attempt_id))
    if state is State.PAID_LATE:
        rig.wait(11)
        rig.asked("Payment Success")
    if state is State.SIGNED_OFF:
        rig.calls.made.clear()
        rig.sign_in()
        rig.tell(Answer(attempt_id, "not_paid", "Nimali", "the customer showed the bill"))
    assert rig.state(attempt_id) is state
    return attempt_id


@pytest.mark.parametrize("state", list(State))
def test_a_till_killed_in_any_state_knows_it_again_and_asks_first(
    rig: Rig, journal: JournalStore, state: State
) -> None:
    """Every state of every attempt is in the journal."""
    attempt_id = reach(rig, state)
    before = journal.attempt(attempt_id)
    rig.restart()
    written = journal.attempt(attempt_id)
    assert written is not None
    assert before is not None
    assert written.state is (State.IN_DOUBT if state is State.INTENT else state)
    assert written.amount == before.amount == AMOUNT
    open_or_unsure = not written.is_final or state is State.REFUSED
    assert ("ask" in rig.names()) is open_or_unsure
    assert not {"initiate", "re-send", "cancel"} & set(rig.names())
    rig.wait(4.9)
    assert not {"initiate", "re-send"} & set(rig.names())


@pytest.mark.parametrize("state", [State.INTENT, State.IN_DOUBT, State.WAITING])
def test_the_true_end_is_found_after_a_kill(rig: Rig, state: State) -> None:
    """Whatever happened meanwhile."""
    attempt_id = reach(rig, state)
    rig.restart(off_s=30)
    assert rig.block() is Block.STARTING
    assert [each.attempt_id for each in rig.terminal.open] == [attempt_id]
    rig.asked("Payment Success")
    assert rig.state(attempt_id) is State.PAID
    assert rig.block() is Block.NONE


def test_the_till_opens_after_one_ask_of_each(rig: Rig) -> None:
    """Side by side."""
    for more in range(3):
        rig.charge(amount=AMOUNT + more)
        rig.initiated()
    rig.restart()
    assert rig.names().count("ask") == 3
    rig.asked("Merchant Initiated")
    rig.asked(TIME_OUT)
    assert rig.block() is Block.STARTING
    rig.asked("Merchant Initiated")
    assert rig.block() is Block.NONE


def test_the_till_opens_after_five_seconds_without_any_answer(rig: Rig) -> None:
    """At most."""
    rig.charge()
    rig.initiated()
    rig.restart()
    rig.wait(4.9)
    assert rig.block() is Block.STARTING
    rig.wait(0.1)
    assert rig.block() is Block.NONE


def test_an_empty_till_opens_at_once_and_looks_for_its_line(rig: Rig) -> None:
    """A probe tells whether anybody is there."""
    assert rig.block() is Block.NONE
    assert rig.names() == ["probe"]
    rig.probed(NOT_FOUND)
    assert rig.connection() is Connection.CONNECTED
    rig.wait(100_000)
    assert rig.names() == [], "an idle till is silent"


def test_continue_sends_the_durable_bytes_again(rig: Rig) -> None:
    """Within 60 s of the tap."""
    attempt_id = reach(rig, State.INTENT)
    body = rig.calls.bodies[0]
    rig.restart(off_s=20)
    rig.asked(NOT_FOUND)
    assert rig.last(AttemptChanged).activity.may_continue
    rig.tell(Continue(attempt_id, "person-1"))
    assert rig.calls.bodies == [body]
    rig.initiated(name="re-send")
    assert rig.state(attempt_id) is State.WAITING


def test_continue_is_not_offered_later(rig: Rig) -> None:
    """Only asking is left, and closing."""
    attempt_id = reach(rig, State.INTENT)
    rig.restart(off_s=90)
    rig.asked(NOT_FOUND)
    assert not rig.last(AttemptChanged).activity.may_continue
    rig.tell(Continue(attempt_id, "person-1"))
    assert not rig.calls.bodies


def test_close_ends_what_nobody_can_find(rig: Rig) -> None:
    """The same bytes, then cancel, then a status."""
    attempt_id = reach(rig, State.INTENT)
    body = rig.calls.bodies[0]
    rig.restart(off_s=200)
    rig.asked(NOT_FOUND)
    rig.tell(Close(attempt_id, "person-1"))
    assert rig.calls.bodies == [body]
    rig.initiated(NOT_UNIQUE, "re-send")
    rig.cancelled(CancelAccepted())
    rig.asked("Merchant Cancel")
    assert rig.state(attempt_id) is State.CANCELLED


def test_a_cancel_wish_survives(rig: Rig) -> None:
    """Rule 6: the service says initiated, the cancel goes out again."""
    attempt_id = reach(rig, State.WAITING)
    rig.tell(Cancel(attempt_id, "person-1"))
    rig.restart()
    rig.asked("Merchant Initiated")
    assert "cancel" in rig.names()


def test_late_money_and_disputes_stay_on_the_list_across_restarts(rig: Rig) -> None:
    """Until a person has answered."""
    late = reach(rig, State.PAID_LATE)
    rig.restart(off_s=86_400)
    assert [each.attempt_id for each in rig.terminal.attention] == [late]
    rig.tell(Answer(late, "complete", "Nimali", ""))
    assert not rig.terminal.attention
    rig.restart()
    assert not rig.terminal.attention


def test_signing_off_is_a_managers_act(rig: Rig) -> None:
    """Nobody signed in, nobody signs off."""
    attempt_id = reach(rig, State.UNRESOLVED)
    rig.tell(Answer(attempt_id, "not_paid", "Somebody", ""))
    assert rig.state(attempt_id) is State.UNRESOLVED
    rig.sign_in()
    rig.tell(Answer(attempt_id, "not_paid", "Nimali", "checked"))
    assert rig.state(attempt_id) is State.SIGNED_OFF
    assert rig.charge(Kind.PUSH, sale_id="0001")


def test_a_cloned_identity_stops_the_selling_for_good(rig: Rig, journal: JournalStore) -> None:
    """Rule 18: also after a restart."""
    rig.charge(invoice_number="INV-7")
    attempt_id = rig.initiated(NOT_UNIQUE)
    rig.wait(0)
    other = rig.report(attempt_id, "Merchant Initiated")
    rig.asked(other.__class__(other.name, other.external_id, "W-9", AMOUNT, "M-1", "INV-8"))
    assert rig.state(attempt_id) is State.DISPUTED
    assert rig.block() is Block.IDENTITY_USED_TWICE
    assert not rig.charge(amount=AMOUNT + 1)
    rig.restart()
    rig.wait(6)
    assert rig.engine.block() is Block.IDENTITY_USED_TWICE
    assert any(event.kind == "IDENTITY_USED_TWICE" for event in journal.events_of("terminal"))


def test_a_refused_sign_in_blocks_and_is_lifted_by_any_envelope(rig: Rig) -> None:
    """Rule 19: open payments stay open, the initiate that met 401 goes again at once."""
    attempt_id = rig.charge(Kind.PUSH)
    rig.initiated(UNAUTHORISED)
    assert rig.block() is Block.SIGN_IN_REFUSED
    assert rig.connection() is Connection.SIGN_IN_REFUSED
    assert not rig.charge(amount=AMOUNT + 1)
    rig.wait(0)
    rig.asked(UNAUTHORISED)
    rig.wait(29)
    rig.calls.made = type(rig.calls.made)(call for call in rig.calls.made if call[0] != "ask")
    rig.wait(2)
    rig.probed(Refused("5009"))
    assert rig.block() is Block.NONE
    assert "re-send" in rig.names()
    rig.initiated(name="re-send")
    assert rig.state(attempt_id) is State.WAITING


def test_a_forbidden_operation_is_not_a_refused_sign_in_until_a_second_is(rig: Rig) -> None:
    """Rule 19: 403 on two different operations; a probe that asks is the same operation as an ask."""
    forbidden = NoAnswer(Why.FORBIDDEN, sent=True, http_status=403)
    attempt_id = rig.pay()
    rig.tell(CheckNow(attempt_id))
    rig.asked(forbidden)
    rig.calls.made.clear()
    rig.wait(31)
    rig.probed(forbidden)
    assert rig.block() is Block.NONE
    rig.charge()
    rig.initiated(forbidden)
    assert rig.block() is Block.SIGN_IN_REFUSED


def test_a_line_that_comes_back_asks_about_everything_open_two_a_second(rig: Rig) -> None:
    """On the first success."""
    for more in range(4):
        rig.charge(amount=AMOUNT + more)
        rig.initiated()
    for _ in range(12):
        rig.wait(3)
        while "ask" in rig.names():
            rig.asked(TIME_OUT)
    assert rig.connection() is Connection.LOST
    while "ask" not in rig.names():
        rig.wait(0.001)
    rig.asked("Merchant Initiated")
    assert rig.connection() is Connection.CONNECTED
    counts = []
    for _ in range(4):
        counts.append(rig.names().count("ask"))
        rig.wait(0.5)
    assert counts == [1, 2, 3, 4]


def test_a_busy_service_is_slow_not_lost(rig: Rig) -> None:
    """429."""
    rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked(NoAnswer(Why.SLOW_DOWN, sent=True, http_status=429, retry_after_s=10))
    assert rig.connection() is Connection.SLOW
    rig.wait(11)
    rig.asked("Merchant Initiated")
    assert rig.connection() is Connection.CONNECTED


def test_an_http_refused_payment_ends(rig: Rig) -> None:
    """Rule 4 through the whole engine."""
    attempt_id = rig.charge()
    rig.initiated(http(404))
    rig.wait(0)
    rig.asked(NOT_FOUND)
    rig.wait(4)
    rig.asked(NOT_FOUND)
    assert rig.state(attempt_id) is State.REFUSED
    assert rig.charge(sale_id="0001")
