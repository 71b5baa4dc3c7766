"""Rule 18: a first send is called taken. Ours in everything, or this terminal's identity is used twice."""

import pytest

from pos_app.domain.attempt import Kind, Reason, State
from tests.unit.domain.flow.story import NOT_FOUND, NOT_UNIQUE, Story, report


def test_a_taken_id_is_adopted_when_all_of_it_is_ours() -> None:
    """Rule 18: a middlebox sent our request twice."""
    story = Story.begun()
    story.initiated(NOT_UNIQUE)
    story.stands_at(State.IN_DOUBT)
    story.wait(0)
    story.status("Merchant Initiated")
    story.stands_at(State.WAITING)


@pytest.mark.parametrize(
    "changed",
    [
        {"amount": report("").amount + 1},  # type: ignore[operator]
        {"amount": None},
        {"merchant_id": "M-2"},
        {"merchant_id": ""},
        {"invoice_number": "INV-8"},
        {"transaction_date_time": "2026-11-21 09:00:00"},
    ],
)
@pytest.mark.parametrize("name", ["Merchant Initiated", "Payment Success", "Merchant Cancel"])
def test_a_taken_id_that_differs_is_a_dispute_and_stops_the_selling(
    name: str, changed: dict[str, object]
) -> None:
    """Rule 18: a cloned disk; also where the amount alone would already be a dispute."""
    story = Story.begun()
    story.initiated(NOT_UNIQUE)
    story.wait(0)
    story.new.clear()
    story.status(name, **changed)
    assert (story.state, story.attempt.reason) == (State.DISPUTED, Reason.IDENTITY_USED_TWICE)
    story.expect("stop selling")


def test_a_taken_id_is_compared_even_when_an_ask_was_quicker_than_the_5000() -> None:
    """The ask beside the silent initiate showed the clone's payment; the id is still not ours."""
    story = Story.begun(Kind.PUSH)
    story.wait(4)
    story.status("Merchant Initiated", invoice_number="INV-8")
    story.initiated(NOT_UNIQUE)
    story.wait(0)
    story.status("Merchant Initiated", invoice_number="INV-8")
    assert story.attempt.reason is Reason.IDENTITY_USED_TWICE


def test_what_may_be_anothers_is_neither_cancelled_nor_closed() -> None:
    """Rule 18: the payment under that id may belong to the clone's customer."""
    story = Story.begun()
    story.initiated(NOT_UNIQUE)
    story.wish_close()
    story.wait(30, asks=NOT_FOUND)
    assert not story.times("close")
    assert not story.times("cancel")
    assert not story.times("re-send")


def test_a_cancel_waits_until_a_taken_id_is_known_to_be_ours() -> None:
    """Adopted, then cancelled."""
    story = Story.begun()
    story.initiated(NOT_UNIQUE)
    story.wish_cancel()
    story.status("Merchant Initiated")
    assert story.times("cancel") == [0]


def test_a_dispute_about_identity_that_was_signed_off_stays_signed_off() -> None:
    """The manager has spoken; the same answer is no news."""
    story = Story.begun()
    story.initiated(NOT_UNIQUE)
    story.wait(0)
    story.status("Merchant Initiated", invoice_number="INV-8")
    story.settle("not_paid")
    story.wait(1_000, asks=report("Merchant Initiated", invoice_number="INV-8"))
    story.stands_at(State.SIGNED_OFF)


def test_a_taken_id_is_never_re_sent() -> None:
    """It exists, whoever made it: asking is all there is."""
    story = Story.begun()
    story.initiated(NOT_UNIQUE)
    story.wait(120, asks=NOT_FOUND)
    assert not story.times("re-send")
    story.stands_at(State.IN_DOUBT)


def test_what_a_manager_signed_off_is_looked_at_again_soon() -> None:
    """The next ask of a dispute may be minutes away; that of a payment signed off is not (rule 8)."""
    story = Story.begun()
    story.initiated()
    other = report("Merchant Initiated", wallet_transaction_id="W-OTHER")
    story.wait(10, asks=other)
    story.stands_at(State.DISPUTED)
    story.wait(100, asks=other)
    story.settle("not_paid")
    signed_at = story.seconds
    story.wait(400, asks=other)
    again = [at - signed_at for at in story.times("ask") if at > signed_at]
    for at, wait in zip(again, (10, 60, 300), strict=True):
        assert wait <= at <= 1.1 * wait
