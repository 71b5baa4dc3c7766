"""An earlier attempt of a sale comes to money after all: which of the others yield, and how each does."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, CancelWish, Kind, Resolution, State
from pos_app.domain.events import Superseded
from pos_app.domain.people import TERMINAL
from pos_app.domain.sale import to_give_way
from tests.unit.domain.flow.story import (
    ACCEPTED,
    ID,
    NEVER_LEFT,
    NOT_FOUND,
    START,
    TIME_OUT,
    Story,
    attempt,
    report,
)

SUPERSEDED = Superseded(ID, "SBX-T23456789-0001-0")
WISH = CancelWish("person-1", START)


def test_an_attempt_that_waits_is_cancelled_in_the_terminals_name() -> None:
    """At once, and without another in its place."""
    story = Story.begun()
    story.initiated()
    story.new.clear()
    story.tell(SUPERSEDED)
    story.expect("cancel")
    assert story.attempt.cancel_wish == CancelWish(TERMINAL, START)
    story.cancelled()
    story.wait(0)
    story.status("Merchant Cancel")
    story.stands_at(State.CANCELLED)
    assert not story.times("open next")


def test_an_attempt_whose_code_was_lost_is_not_replaced_either() -> None:
    """It was to be, until it gave way."""
    story = Story.begun()
    story.initiated(TIME_OUT)
    story.wait(0)
    story.status("Merchant Initiated")
    story.live = type(story.live)(replace(story.attempt, cancel_wish=None), story.live.watch)
    story.tell(SUPERSEDED)
    story.cancelled()
    story.wait(0)
    story.status("Merchant Cancel")
    assert not story.times("open next")


def test_bytes_that_have_not_left_stay_here() -> None:
    """Between two tries to connect."""
    story = Story.begun()
    story.initiated(NEVER_LEFT)
    story.tell(SUPERSEDED)
    story.stands_at(State.NOT_SENT)
    story.expect()


def test_bytes_under_way_are_cancelled_when_they_are_answered() -> None:
    """Nothing is asked beside them."""
    story = Story.begun()
    story.tell(SUPERSEDED)
    story.expect()
    story.initiated(ACCEPTED)
    story.expect("cancel")


def test_a_push_in_doubt_is_asked_about_at_once() -> None:
    """Its bytes do not go again."""
    story = Story.begun(Kind.PUSH)
    story.initiated(TIME_OUT)
    story.wait(0)
    story.answered(TIME_OUT)
    story.new.clear()
    story.tell(SUPERSEDED)
    story.expect("ask")
    story.answered(NOT_FOUND)
    story.wait(30, asks=NOT_FOUND)
    assert not story.times("re-send")


def test_whose_wish_stands_and_what_has_ended_is_left_alone() -> None:
    """The person's name stays."""
    story = Story.begun()
    story.initiated()
    story.wish_cancel()
    story.new.clear()
    story.now += 1_000
    story.tell(SUPERSEDED)
    story.expect()
    assert story.attempt.cancel_wish == WISH
    ended = Story.begun()
    ended.initiated()
    ended.wait(3)
    ended.answered(report("Payment Success"))
    ended.tell(SUPERSEDED)
    assert ended.attempt.cancel_wish is None
    ended.stands_at(State.PAID)


def of(number: int, state: State, **facts: Any) -> Attempt:
    """An attempt of the sale."""
    return attempt(attempt_id=f"A-{number}", number=number, state=state, **facts)


def yielding(*attempts: Attempt) -> dict[str, str]:
    """Who yields to whom, by number."""
    return {name[2:]: to[2:] for name, to in to_give_way(attempts).items()}


@pytest.mark.parametrize("money", [State.PAID, State.PAID_LATE, State.DISPUTED])
@pytest.mark.parametrize(
    "later", [State.INTENT, State.IN_DOUBT, State.WAITING, State.UNRESOLVED, State.DISPUTED]
)
def test_the_later_attempt_yields_to_money(money: State, later: State) -> None:
    """Or to what may be money."""
    assert yielding(of(1, money), of(2, later)) == {"2": "1"}
    assert yielding(of(1, State.FAILED), of(2, money), of(3, later)) == {"3": "2"}


@pytest.mark.parametrize("alive", [State.INTENT, State.IN_DOUBT, State.WAITING, State.UNRESOLVED])
def test_an_earlier_attempt_that_is_alive_again_yields_too(alive: State) -> None:
    """To the last; and the later ones to it."""
    assert yielding(of(1, alive), of(2, State.CANCELLED), of(3, State.PAID)) == {"1": "3"}
    assert yielding(of(1, alive), of(2, State.WAITING)) == {"1": "2", "2": "1"}


def test_each_yields_to_the_earliest() -> None:
    """Two came to money: the third yields to the first."""
    assert yielding(of(1, State.PAID), of(2, State.PAID_LATE), of(3, State.WAITING)) == {"3": "1"}


@pytest.mark.parametrize("end", [State.FAILED, State.CANCELLED, State.NOT_SENT])
def test_nobody_yields_to_an_end_without_money_nor_does_an_end_yield(end: State) -> None:
    """Nor does the only attempt of a sale."""
    assert yielding(of(1, end), of(2, State.WAITING)) == {}
    assert yielding(of(1, State.PAID), of(2, end)) == {}
    assert yielding(of(1, State.WAITING)) == {}
    opened = of(1, State.REFUSED, refusal_opened=True)
    signed = of(1, State.SIGNED_OFF, resolution=Resolution("not_paid", "N", "r", 1))
    for earlier in (opened, signed):
        assert yielding(earlier, of(2, State.WAITING)) == {}


def test_what_is_to_be_cancelled_already_is_not_told_again() -> None:
    """Its wish stands."""
    assert yielding(of(1, State.PAID), of(2, State.WAITING, cancel_wish=WISH)) == {}
    assert yielding(of(1, State.PAID), of(2, State.WAITING, cancel_wish=WISH), of(3, State.WAITING)) == {
        "3": "1"
    }
