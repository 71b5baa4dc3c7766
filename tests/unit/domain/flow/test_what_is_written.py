"""What an attempt's durable facts say after a reply: the day's report and the next start know nothing else."""

from __future__ import annotations

import pytest

from pos_app.domain.attempt import CancelWish, Flag, Kind, Reason, Resolution, State
from pos_app.domain.replies import Accepted
from tests.unit.domain.flow.story import (
    ID,
    NEVER_LEFT,
    NOT_FOUND,
    NOT_UNIQUE,
    QR,
    START,
    TIME_OUT,
    UNAUTHORISED,
    WALLET,
    Story,
    http,
    report,
)


def waiting(kind: Kind = Kind.QR) -> Story:
    """The service has the payment, and the first ask is under way."""
    story = Story.begun(kind)
    story.initiated()
    story.wait(3)
    return story


def ended(status: str) -> Story:
    """An attempt that has reached this end; an ask is under way again."""
    story = waiting()
    story.status(status)
    story.check_now()
    return story


def test_an_acceptance_is_written_with_its_time_and_ids() -> None:
    """Asking is counted from the reply."""
    story = Story.begun()
    story.now += 700
    story.initiated(Accepted(WALLET, "", QR))
    told = story.attempt
    assert (told.shown, told.reply_at, told.wallet_transaction_id) == (True, START + 700, WALLET)
    story.stands_at(State.WAITING)


def test_an_acceptance_that_an_ask_had_shown_keeps_its_first_time() -> None:
    """What the ask wrote stands; the code comes with the acceptance."""
    story = Story.begun()
    story.wait(4)
    story.status("Merchant Initiated")
    told = story.attempt
    assert (told.shown, told.reply_at, told.wallet_transaction_id) == (True, START + 4_000, WALLET)
    story.now += 900
    story.initiated()
    assert (story.attempt.reply_at, story.attempt.qr_text) == (START + 4_000, QR)
    story.check_now()
    story.now += 900
    story.status("Merchant Initiated")
    assert story.attempt.reply_at == START + 4_000


def test_an_acceptance_of_a_payment_in_doubt_keeps_the_time_of_the_first_reply() -> None:
    """The re-send is accepted after the ask."""
    story = Story.begun()
    story.initiated(TIME_OUT)
    story.wait(3.5, asks=NOT_FOUND)
    assert story.in_flight["initiate"]
    story.wait(4)
    story.status("Merchant Initiated")
    first = story.attempt.reply_at
    story.initiated()
    assert first is not None
    assert story.attempt.reply_at == first


def test_a_code_is_written_once_and_a_push_has_none() -> None:
    """The customer may be looking at the first."""
    story = Story.begun()
    story.initiated()
    story.tell_again(Accepted(WALLET, ID, "another text"))
    assert story.attempt.qr_text == QR
    push = Story.begun(Kind.PUSH)
    push.initiated(Accepted(WALLET, ID, "a text"))
    assert push.attempt.qr_text == ""


def test_another_amount_was_shown_by_the_service() -> None:
    """So 5009 is stale from now on."""
    story = Story.begun()
    story.wait(4)
    story.status("Merchant Initiated", amount=report("").amount * 2)  # type: ignore[operator]
    assert (story.state, story.attempt.shown) == (State.DISPUTED, True)
    assert story.attempt.service_status == "Merchant Initiated"


def test_a_strangers_payment_under_a_taken_id_leaves_no_trace_in_ours() -> None:
    """Neither its wallet id nor that anything was shown."""
    story = Story.begun()
    story.initiated(NOT_UNIQUE)
    story.wait(0)
    story.status("Merchant Initiated", invoice_number="INV-8", wallet_transaction_id="W-9")
    assert story.attempt.reason is Reason.IDENTITY_USED_TWICE
    assert (story.attempt.shown, story.attempt.wallet_transaction_id) == (False, "")
    assert story.attempt.service_status == ""


@pytest.mark.parametrize("end", ["Payment Success", "Payment Fail", "Merchant Cancel"])
@pytest.mark.parametrize("later", ["Customer Approved", "Merchant Initiated"])
def test_the_status_of_an_end_is_not_written_over_by_an_older_one(end: str, later: str) -> None:
    """It is flagged, and counts as no progress."""
    story = ended(end)
    story.status(later)
    assert story.attempt.service_status == end
    assert story.attempt.progress_at is None
    assert Flag.STATUS_REGRESSED in story.attempt.flags


def test_a_cancel_that_contradicts_money_is_no_cancel() -> None:
    """CANCEL_NOT_OURS says that an attempt has ended that way."""
    story = ended("Payment Success")
    story.status("Merchant Cancel")
    assert Flag.CONTRADICTED in story.attempt.flags
    assert Flag.CANCEL_NOT_OURS not in story.attempt.flags


def test_a_wish_keeps_its_first_time_and_its_last_name() -> None:
    """How long a customer has been leaving."""
    story = waiting()
    story.wish_cancel("person-1")
    story.now += 2_000
    story.wish_cancel("person-2")
    assert story.attempt.cancel_wish == CancelWish("person-2", START + 3_000)


def test_an_answer_is_written_with_name_reason_and_time() -> None:
    """For the report of the day."""
    story = waiting()
    story.status("Merchant Initiated", amount=report("").amount * 2)  # type: ignore[operator]
    story.now += 60_000
    story.settle("not_paid")
    told = Resolution("not_paid", "Nimali", "seen on the statement", story.now)
    assert (story.state, story.attempt.resolution) == (State.SIGNED_OFF, told)
    assert story.attempt.reason is Reason.OTHER_AMOUNT


def test_a_refused_sign_in_at_a_cancel_is_flagged() -> None:
    """401."""
    story = waiting()
    story.wish_cancel()
    story.status("Merchant Initiated")
    story.cancelled(UNAUTHORISED)
    assert Flag.SIGN_IN_REFUSED in story.attempt.flags


def test_giving_up_between_two_tries_to_connect_was_for_want_of_a_connection() -> None:
    """Provably nothing was asked for."""
    story = Story.begun(give_up_after_ms=1_500)
    story.now += 1_000
    story.initiated(NEVER_LEFT)
    story.wait(5, initiates=NEVER_LEFT)
    assert (story.state, story.attempt.reason) == (State.NOT_SENT, Reason.NO_CONNECTION)
    assert story.attempt.gave_up_at == START + 1_500


@pytest.mark.parametrize(
    ("asks", "opened"),
    [
        ((NOT_FOUND, NOT_FOUND), True),
        ((NOT_FOUND, http(404)), True),
        ((http(404), NOT_FOUND), True),
        ((http(404), http(404)), False),
    ],
)
def test_an_http_refusal_opens_the_sale_by_5009_alone(asks: tuple[object, object], opened: bool) -> None:
    """Rule 4: the same HTTP status twice says that nobody looked, not that nothing is there."""
    story = Story.begun(Kind.PUSH)
    story.initiated(http(404))
    for reply in asks:
        story.wait(0)
        story.answered(reply)  # type: ignore[arg-type]
        story.wait(4)
    assert (story.state, story.attempt.reason) == (State.REFUSED, Reason.HTTP_REFUSED)
    assert story.attempt.refusal_opened is opened
    assert story.attempt.lets_another_start is opened


def test_an_http_refusal_opened_later_opens_the_sale_then() -> None:
    """The third ask says 5009."""
    story = Story.begun(Kind.PUSH)
    story.initiated(http(404))
    story.wait(10, asks=http(404))
    story.stands_at(State.REFUSED)
    story.wait(20, asks=NOT_FOUND)
    assert story.attempt.lets_another_start


@pytest.mark.parametrize("status", [500, 502, 503, 401, 409])
def test_a_failing_service_is_not_taken_for_an_http_refusal(status: int) -> None:
    """Its bytes go again."""
    story = Story.begun(Kind.PUSH)
    story.initiated(http(status))
    assert story.attempt.http_status == 0
    story.wait(4, asks=NOT_FOUND)
    assert story.times("re-send") == [3]


def test_an_http_status_says_nothing_of_what_an_ask_has_shown() -> None:
    """The first send comes back refused by a proxy, after an ask beside it found the payment."""
    story = Story.begun(Kind.PUSH)
    story.wait(4)
    story.status("Merchant Initiated")
    story.initiated(http(404))
    assert (story.state, story.attempt.http_status) == (State.WAITING, 0)
