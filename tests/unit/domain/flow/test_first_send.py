"""The first send of an id: rules 1, 2, 4 and 18, and the code table's column for initiate."""

import pytest

from pos_app.domain.attempt import Flag, Kind, Reason, State
from pos_app.domain.events import InitiateAnswered, TimeCame
from pos_app.domain.replies import Accepted, NoAnswer, Refused, Why
from tests.unit.domain.flow.story import (
    ACCEPTED,
    ID,
    NEVER_LEFT,
    NOT_FOUND,
    NOT_UNIQUE,
    QR,
    TIME_OUT,
    WALLET,
    Story,
    http,
    report,
)

UNCLEAR = [
    TIME_OUT,
    NoAnswer(Why.BROKEN, sent=True),
    NoAnswer(Why.SIGN_IN, sent=True, http_status=401),
    NoAnswer(Why.FORBIDDEN, sent=True, http_status=403),
    NoAnswer(Why.SLOW_DOWN, sent=True, http_status=429),
    NoAnswer(Why.UNREADABLE, sent=True, http_status=200),
    NoAnswer(Why.REDIRECT, sent=True, http_status=302),
    NoAnswer(Why.TOO_LARGE, sent=True, http_status=200),
    http(500),
    http(503),
    Refused("5006"),
    Refused("5007"),
    Refused("5009"),
    Refused("5014"),
    Refused("5999"),
    Accepted("", ID, QR),
    Accepted(WALLET, "another", QR),
]


def test_an_accepted_payment_waits_and_is_asked_about_after_three_seconds() -> None:
    """The plain case."""
    story = Story.begun()
    story.now += 500
    story.initiated()
    assert (story.state, story.attempt.shown, story.attempt.qr_text) == (State.WAITING, True, QR)
    assert story.attempt.wallet_transaction_id == WALLET
    story.wait(2.9)
    story.expect()
    story.wait(0.1)
    story.expect("ask")


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("reply", UNCLEAR)
def test_an_unclear_answer_is_a_doubt_and_is_asked_about(kind: Kind, reply: NoAnswer | Refused) -> None:
    """Rule 2: no answer is not "failed"."""
    story = Story.begun(kind)
    story.initiated(reply)
    story.stands_at(State.IN_DOUBT)
    assert not story.attempt.lets_another_start
    story.wait(12)
    assert "ask" in story.new


@pytest.mark.parametrize(
    "code", ["5001", "5002", "5003", "5004", "5005", "5008", "5010", "5011", "5012", "5013", "5015"]
)
def test_a_definite_refusal_opens_the_sale_once_an_ask_finds_nothing(code: str) -> None:
    """Rule 4."""
    story = Story.begun()
    story.initiated(Refused(code))
    assert (story.state, story.attempt.code) == (State.REFUSED, code)
    assert not story.attempt.lets_another_start
    story.wait(0)
    story.expect("ask")
    story.answered(NOT_FOUND)
    assert story.attempt.lets_another_start


@pytest.mark.parametrize("code", ["5001", "5002", "5008", "5011", "5012", "5015"])
def test_a_set_up_refusal_opens_the_sale_by_the_ask_that_repeats_it(code: str) -> None:
    """Rule 4: with wrong set-up, an ask never says 5009."""
    story = Story.begun()
    story.initiated(Refused(code))
    story.wait(0, asks=Refused("5012"))
    assert story.attempt.lets_another_start


def test_a_customers_refusal_is_not_opened_by_a_set_up_refusal_of_the_ask() -> None:
    """5012 says nothing about whether the id exists."""
    story = Story.begun()
    story.initiated(Refused("5003"))
    story.wait(0, asks=Refused("5012"))
    assert not story.attempt.lets_another_start


def test_a_refusal_without_an_answered_ask_is_asked_again_after_1_3_and_10_seconds() -> None:
    """Rule 4: no answer opens nothing."""
    story = Story.begun()
    story.initiated(Refused("5003"))
    story.wait(16, asks=TIME_OUT)
    first, *later = story.times("ask")
    gaps = [round(b - a, 1) for a, b in zip([first, *later], later, strict=False)]
    assert first == 0
    assert [1 <= gaps[0] <= 1.1, 3 <= gaps[1] <= 3.3, 10 <= gaps[2] <= 11] == [True] * 3
    assert not story.attempt.lets_another_start


def test_a_refused_id_that_exists_after_all_waits_again() -> None:
    """REFUSED → WAITING; nothing else may be started, and the old code is no longer told."""
    story = Story.begun()
    story.initiated(Refused("5003"))
    story.wait(0, asks=report("Merchant Initiated"))
    assert (story.state, story.attempt.code) == (State.WAITING, "")
    assert not story.attempt.lets_another_start


def test_a_refused_id_with_an_unknown_status_exists_after_all() -> None:
    """An opened sale must close again when the service shows the id, whatever it calls its state."""
    story = Story.begun()
    story.initiated(Refused("5003"))
    story.wait(0, asks=NOT_FOUND)
    story.wait(12, asks=report("Pondering"))
    story.stands_at(State.WAITING)
    assert not story.attempt.lets_another_start


def test_an_ask_from_before_the_refusal_does_not_open_the_sale() -> None:
    """Rule 2: the 5009 of an ask beside a silent initiate means nothing."""
    story = Story.begun()
    story.wait(4)
    story.expect("ask")
    story.initiated(Refused("5003"))
    story.answered(NOT_FOUND)
    assert not story.attempt.lets_another_start
    story.wait(0)
    story.expect("ask")
    story.answered(NOT_FOUND)
    assert story.attempt.lets_another_start


@pytest.mark.parametrize("status", [400, 404, 405, 406, 415])
@pytest.mark.parametrize("same", [True, False])
def test_an_http_refusal_holds_after_two_agreeing_asks_three_seconds_apart(status: int, same: bool) -> None:
    """Rule 4: and nothing is re-sent meanwhile."""
    story = Story.begun()
    story.initiated(http(status))
    story.stands_at(State.IN_DOUBT)
    said = http(status) if same else NOT_FOUND
    story.wait(0, asks=said)
    story.stands_at(State.IN_DOUBT)
    story.wait(2.9, asks=said)
    story.stands_at(State.IN_DOUBT)
    story.wait(6, asks=said)
    assert (story.state, story.attempt.reason) == (State.REFUSED, Reason.HTTP_REFUSED)
    assert story.attempt.lets_another_start is not same
    assert not story.times("re-send")
    if same:
        story.wait(5, asks=NOT_FOUND)
        assert story.attempt.lets_another_start


def test_another_http_status_confirms_no_http_refusal() -> None:
    """404 on the initiate and 500 on the asks prove nothing."""
    story = Story.begun()
    story.initiated(http(404))
    story.wait(60, asks=http(500))
    story.stands_at(State.IN_DOUBT)


def test_a_cancel_wish_re_sends_no_http_refused_bytes_by_itself() -> None:
    """Rule 4 before 3a: such a send is left alone, unless a person insists."""
    story = Story.begun()
    story.initiated(http(404))
    story.wish_cancel()
    story.wait(1, asks=TIME_OUT)
    assert not story.times("close")
    story.wish_close()
    assert story.times("close")


@pytest.mark.parametrize(
    ("why", "reason"),
    [
        (Why.NAME, Reason.NO_NAME),
        (Why.CONNECT, Reason.NO_CONNECTION),
        (Why.TLS, Reason.NOT_PROVEN),
        (Why.TIME_OUT, Reason.NO_CONNECTION),
    ],
)
def test_not_sent_after_three_tries_to_connect(why: Why, reason: Reason) -> None:
    """Rule 2: again after 1 and 3 s inside INTENT, then provably nothing was asked for."""
    story = Story.begun()
    never = NoAnswer(why, sent=False)
    story.wait(3.9, initiates=never)
    story.stands_at(State.INTENT)
    story.wait(0.2, initiates=never)
    assert story.times("initiate") == [0, 1, 4]
    assert (story.state, story.attempt.reason) == (State.NOT_SENT, reason)
    assert story.attempt.lets_another_start


def test_a_connection_found_at_the_second_try_is_a_payment() -> None:
    """The same id, for nothing of it ever left."""
    story = Story.begun()
    story.initiated(NEVER_LEFT)
    story.wait(1)
    story.initiated()
    story.stands_at(State.WAITING)


def test_nothing_is_sent_after_a_cancel_between_two_tries_to_connect() -> None:
    """The planned try must die with the intent (I1c)."""
    story = Story.begun()
    story.initiated(NEVER_LEFT)
    story.wish_cancel()
    story.stands_at(State.NOT_SENT)
    story.new.clear()
    story.wait(1_000, asks=NOT_FOUND)
    assert set(story.new) == {"ask"}


def test_nothing_is_sent_after_giving_up_between_two_tries_to_connect() -> None:
    """--give-up-after shorter than the tries."""
    story = Story.begun(give_up_after_ms=2_000)
    story.wait(60, initiates=NEVER_LEFT, asks=NOT_FOUND)
    assert story.times("initiate") == [0, 1]
    story.stands_at(State.NOT_SENT)


@pytest.mark.parametrize("slept_s", [61, 120, 3_600])
def test_nothing_is_sent_by_a_till_that_slept_between_two_tries_to_connect(slept_s: int) -> None:
    """All its times are up at once: whoever was to pay has gone, and no bytes follow the wish of giving up (I1c)."""
    story = Story.begun(Kind.PUSH)
    story.initiated(NEVER_LEFT)
    story.new.clear()
    story.now += slept_s * 1_000
    story.tell(TimeCame(ID))
    story.expect()
    assert (story.state, story.attempt.reason) == (State.NOT_SENT, Reason.NO_CONNECTION)


def test_a_till_that_slept_past_giving_up_tries_to_connect_no_more() -> None:
    """--give-up-after shorter than the sleep, and the sleep shorter than a tap counts as recent."""
    story = Story.begun(give_up_after_ms=2_000)
    story.wait(1, initiates=NEVER_LEFT)
    story.new.clear()
    story.now += 10_000
    story.tell(TimeCame(ID))
    story.expect()
    story.stands_at(State.NOT_SENT)


def test_a_short_sleep_between_two_tries_to_connect_is_none() -> None:
    """The customer is still there."""
    story = Story.begun(Kind.PUSH)
    story.initiated(NEVER_LEFT)
    story.now += 60_000
    story.tell(TimeCame(ID))
    story.initiated()
    story.stands_at(State.WAITING)


def test_a_cancel_while_connecting_ends_it_when_the_connection_fails() -> None:
    """No byte left, none will."""
    story = Story.begun()
    story.wish_cancel()
    assert story.held_back == 1
    story.initiated(NEVER_LEFT)
    assert (story.state, story.attempt.reason) == (State.NOT_SENT, Reason.NONE)


def test_giving_up_while_connecting_holds_the_first_bytes_back_too() -> None:
    """--give-up-after shorter than the way to the service: that it could not be reached is why."""
    story = Story.begun(give_up_after_ms=2_000)
    story.wait(2)
    assert story.held_back == 1
    story.initiated(NEVER_LEFT)
    assert (story.state, story.attempt.reason) == (State.NOT_SENT, Reason.NO_CONNECTION)


def test_a_silent_initiate_is_asked_about_beside_it() -> None:
    """Rule 2: after 4 s; 5009 then means nothing, and nothing is re-sent beside it."""
    story = Story.begun()
    story.wait(3.9)
    story.expect()
    story.wait(11, asks=NOT_FOUND)
    assert story.times("ask")[0] == 4
    assert set(story.new) == {"ask"}
    story.stands_at(State.INTENT)


def test_an_ask_beside_a_silent_initiate_may_already_bring_the_money() -> None:
    """INTENT → WAITING → PAID; what the initiate then says changes nothing."""
    story = Story.begun(Kind.PUSH)
    story.wait(4)
    story.status("Payment Success")
    assert story.walked == ["INTENT", "WAITING", "PAID"]
    story.initiated(TIME_OUT)
    story.stands_at(State.PAID)


def test_a_refusal_of_what_an_ask_has_shown_is_a_flag() -> None:
    """The id exists, so the refusal was of a copy."""
    story = Story.begun(Kind.PUSH)
    story.wait(4, asks=report("Merchant Initiated"))
    story.initiated(Refused("5003"))
    story.stands_at(State.WAITING)
    assert Flag.CONTRADICTED in story.attempt.flags


def test_an_echo_of_an_answer_changes_nothing() -> None:
    """One answer an initiate; a second of the same is not another try."""
    story = Story.begun()
    story.initiated(NEVER_LEFT)
    for reply in (NEVER_LEFT, TIME_OUT, Refused("5003"), NOT_UNIQUE):
        story.tell(InitiateAnswered(ID, reply))
    story.stands_at(State.INTENT)
    story.wait(1)
    story.initiated(ACCEPTED)
    story.tell(InitiateAnswered(ID, ACCEPTED))
    story.stands_at(State.WAITING)


def test_an_initiate_accepted_after_the_customer_refused_moves_nothing() -> None:
    """The ask beside it was quicker; only the ids are noted."""
    story = Story.begun(Kind.PUSH)
    story.wait(4, asks=report("Customer Reject"))
    story.initiated()
    story.stands_at(State.FAILED)
    assert story.attempt.wallet_transaction_id == WALLET
