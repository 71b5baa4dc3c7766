"""Rule 10: an attempt is asked about at the service it was opened at, whatever the settings name meanwhile."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.events import AnotherStarted, SignInRenewed, StatusAnswered, Superseded, TillStarted
from pos_app.domain.flow import Rules, step
from pos_app.domain.origins import NAMED, SERVICE, named_origins, with_origin
from pos_app.domain.record import Record
from tests.unit.domain.flow.story import ID, NOT_FOUND, START, TIME_OUT, Story, attempt, report
from tests.unit.domain.flow.test_properties import EVENTS, beginnings, moves, play
from tests.unit.domain.flow.test_transitions import WAYS

HERE, THERE, ELSEWHERE = "https://a.example", "https://b.example", "https://c.example:8443/pay"
UNSETTLED = (State.INTENT, State.IN_DOUBT, State.WAITING, State.UNRESOLVED)
PAID = report("Payment Success")


def opened_here(state: State, kind: Kind = Kind.QR) -> Story:
    story = Story.begun(kind, origin=HERE)
    WAYS[state](story)
    story.stands_at(state)
    story.new.clear()
    return story


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("state", UNSETTLED)
def test_under_another_address_it_waits_for_its_own(state: State, kind: Kind) -> None:
    """It names both; nothing is due, nothing is sent, however long it takes."""
    story = opened_here(state, kind)
    story.restart(origin=THERE)
    story.wait(10_000)
    story.expect()
    told = story.attempt
    assert (told.state, told.reason) == (State.UNRESOLVED, Reason.OTHER_ORIGIN)
    assert (told.origin, told.other_origin) == (HERE, THERE)
    assert told.needs_answer
    assert not told.lets_another_start


@pytest.mark.parametrize("state", [state for state in State if state not in UNSETTLED])
def test_what_has_ended_stays_what_it_is_and_is_not_asked_about(state: State) -> None:
    """A dispute keeps its reason too: what may ever be sent for it depends on it."""
    story = opened_here(state)
    before = story.attempt
    story.restart(origin=THERE)
    story.check_now()
    story.wait(10_000)
    story.expect()
    assert story.attempt == before


@pytest.mark.parametrize("state", list(State))
def test_the_word_of_another_service_is_not_listened_to(state: State) -> None:
    """Not its success, not its failure, not a reply that nobody waited for."""
    for event in EVENTS:
        story = opened_here(state)
        story.restart(origin=THERE)
        before = story.attempt
        story.tell(event)
        assert story.attempt == before
        story.expect()


@pytest.mark.parametrize("state", UNSETTLED)
def test_under_its_own_address_again_it_is_asked_about_by_itself(state: State) -> None:
    story = opened_here(state, Kind.PUSH)
    story.restart(origin=THERE)
    story.restart(origin=ELSEWHERE)
    assert story.attempt.other_origin == ELSEWHERE
    story.restart(origin=HERE)
    story.expect("ask")
    assert story.attempt.reason in (Reason.NO_ANSWER, Reason.GAVE_UP)
    assert not story.attempt.other_origin
    story.answered(PAID)
    assert story.state is (State.PAID_LATE if story.attempt.released_at else State.PAID)


def test_what_waits_at_home_is_followed_and_given_up_as_ever() -> None:
    """What it missed by being elsewhere it does now: rule 7."""
    story = opened_here(State.WAITING)
    story.restart(origin=THERE, off_s=3_600)
    story.restart(origin=HERE)
    story.wait(20, asks=report("Merchant Initiated"))
    assert story.times("cancel")
    story.cancelled()
    story.wait(5, asks=report("Merchant Cancel"))
    story.stands_at(State.CANCELLED)


@pytest.mark.parametrize("kind", list(Kind))
def test_what_was_never_shown_is_not_sent_again_by_itself(kind: Kind) -> None:
    """Rule 12, across any number of addresses."""
    story = opened_here(State.IN_DOUBT, kind)
    sent = len(story.sent_at)
    story.restart(origin=THERE)
    story.wish_continue()
    story.tell(SignInRenewed(ID))
    story.restart(origin=HERE)
    story.wait(600, asks=NOT_FOUND, cancels=TIME_OUT)
    assert {word for word, _ in story.sent_at[sent:]} == {"ask"}


@pytest.mark.parametrize("close", [True, False])
def test_a_wish_to_cancel_is_kept_for_its_own_service(close: bool) -> None:
    """Rule 6: durable, and carried out as soon as it may be."""
    story = opened_here(State.WAITING, Kind.PUSH)
    story.restart(origin=THERE)
    story.wish_close() if close else story.wish_cancel()
    story.expect()
    assert story.attempt.cancel_wish is not None
    story.restart(origin=HERE)
    story.expect("ask")
    story.status("Merchant Initiated")
    story.expect("cancel")


def test_another_attempt_of_its_sale_that_was_paid_wishes_it_away() -> None:
    story = opened_here(State.WAITING)
    story.restart(origin=THERE)
    story.tell(Superseded(ID, "another"))
    assert story.attempt.cancel_wish is not None
    story.expect()


def test_a_later_attempt_of_its_sale_releases_it_once() -> None:
    """Words: money that its own service still tells of is late, and the first release is the one that counts."""
    story = opened_here(State.WAITING)
    story.restart(origin=THERE)
    for _ in range(2):
        released_at = story.attempt.released_at or story.now
        story.tell(AnotherStarted(ID))
        assert story.attempt.released_at == released_at
        story.wait(60)
    story.expect()
    story.restart(origin=HERE)
    story.status("Payment Success")
    story.stands_at(State.PAID_LATE)


@pytest.mark.parametrize(("action", "starts"), [("paid", False), ("not_paid", True)])
def test_a_manager_may_sign_it_off(action: str, starts: bool) -> None:
    story = opened_here(State.WAITING)
    story.restart(origin=THERE)
    story.leave_panel()
    story.settle(action)
    story.stands_at(State.SIGNED_OFF)
    assert story.attempt.lets_another_start is starts
    story.expect()


def test_an_attempt_that_names_no_service_is_at_home_nowhere() -> None:
    """Whoever takes it from an old journal has to say first whose it is."""
    story = Story.begun()
    outcome = step(story.live, TillStarted(ID), START, Rules(origin=HERE))
    assert outcome.live.attempt.reason is Reason.OTHER_ORIGIN
    named = with_origin(attempt(), HERE)
    assert named.origin == HERE
    assert with_origin(named, THERE) is named


def test_a_journal_names_its_services_in_the_order_of_time() -> None:
    said = [
        Record(kind=kind, subject=SERVICE, actor="terminal", at=1, wall="", content={"origin": origin})
        for kind, origin in ((NAMED, HERE), ("OTHER", ELSEWHERE), (NAMED, ""), (NAMED, THERE))
    ]
    assert named_origins(said) == [HERE, THERE]


@pytest.mark.slow
@settings(max_examples=200)
@given(
    beginnings,
    st.lists(moves, max_size=15),
    st.lists(st.one_of(moves, st.sampled_from(["here", "there"])), max_size=25),
)
def test_no_order_of_addresses_and_events_asks_elsewhere_or_believes_it(
    story: Story, before: list[tuple[str, object]], after: list[tuple[str, object] | str]
) -> None:
    """A command leaves only while the settings name the attempt's own service."""
    story.live = replace(story.live, attempt=replace(story.attempt, origin=HERE))
    story.rules = Rules(origin=HERE)
    for move in before:
        play(story, move)
    for change in after:
        sent, was = len(story.sent_at), story.attempt
        if isinstance(change, str):
            story.restart(origin=HERE if change == "here" else THERE)
        else:
            play(story, change)
        if story.rules.origin == THERE:
            assert len(story.sent_at) == sent
            assert not story.attempt.is_open
            assert story.attempt.state in (was.state, State.UNRESOLVED, State.SIGNED_OFF)
    story.restart(origin=THERE)
    ended = story.attempt
    story.tell(StatusAnswered(ID, PAID))
    assert story.attempt == ended
