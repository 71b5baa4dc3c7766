"""A failure code as the answer to an ask: the state stays, people are told, and what is unknown has its time."""

from __future__ import annotations

import pytest

from pos_app.domain.attempt import Flag, Reason, State
from pos_app.domain.flow import rules
from pos_app.domain.replies import Refused
from tests.unit.domain.flow.story import START, TIME_OUT, Story, report

SET_UP = ["5002", "5008", "5011", "5012"]
UNKNOWN = ["5999", "5016", "", "ERR"]


def waiting() -> Story:
    """The service has the payment, and the first ask is under way."""
    story = Story.begun()
    story.initiated()
    story.wait(3)
    return story


def test_the_known_codes_are_the_sixteen_of_the_table() -> None:
    """docs/services/merchant-payment.md."""
    assert {str(number) for number in range(5_000, 5_016)} == rules.KNOWN_CODES


@pytest.mark.parametrize("code", SET_UP)
def test_an_ask_without_permission_is_told_and_keeps_the_state(code: str) -> None:
    """Somebody has to be called; it is not an unknown code."""
    story = waiting()
    story.answered(Refused(code))
    assert (story.state, story.attempt.flags) == (State.WAITING, frozenset({Flag.ASK_NOT_ALLOWED}))
    assert (story.live.watch.ask_code, story.live.watch.unknown_since) == (code, None)


@pytest.mark.parametrize("code", UNKNOWN)
def test_an_unknown_code_has_three_minutes(code: str) -> None:
    """Rule 11, from the first of them."""
    story = waiting()
    story.answered(Refused(code))
    assert story.attempt.flags == {Flag.UNKNOWN_STATUS}
    assert (story.live.watch.ask_code, story.live.watch.unknown_since) == (code, START + 3_000)
    story.wait(179.9, asks=Refused(code))
    story.stands_at(State.WAITING)
    story.wait(0.2, asks=Refused(code))
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.UNKNOWN_STATUS)


@pytest.mark.parametrize("code", ["5001", "5015"])
def test_our_own_mistake_is_told_by_its_code(code: str) -> None:
    """And counted; it is no want of permission."""
    story = waiting()
    story.answered(Refused(code))
    assert story.live.watch.ask_code == code
    assert (story.live.watch.misconfigured, story.attempt.flags) == (1, frozenset())


@pytest.mark.parametrize("code", ["5000", "5003", "5006", "5009", "5014"])
def test_a_known_code_that_says_nothing_of_an_ask_is_not_told(code: str) -> None:
    """It also takes back what was told."""
    story = waiting()
    story.answered(Refused("5008"))
    story.check_now()
    story.answered(Refused(code))
    assert story.live.watch.ask_code == ""
    assert story.attempt.flags == {Flag.ASK_NOT_ALLOWED}
    assert story.live.watch.unknown_since is None


def test_a_status_takes_back_what_was_told_and_silence_does_not() -> None:
    """The service answers again."""
    story = waiting()
    story.answered(Refused("5008"))
    story.check_now()
    story.answered(TIME_OUT)
    assert story.live.watch.ask_code == "5008"
    story.check_now()
    story.answered(report("Merchant Initiated"))
    assert story.live.watch.ask_code == ""
