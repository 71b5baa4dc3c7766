"""The table of states: each pair in it is walked, each pair that is not raises and changes nothing."""

from collections.abc import Callable

import pytest

from pos_app.domain.attempt import Kind, State
from pos_app.domain.flow import TRANSITIONS, IllegalTransitionError, Live, Rules
from pos_app.domain.flow.turn import Turn
from pos_app.domain.replies import Refused
from tests.unit.domain.flow.story import ID, NEVER_LEFT, NOT_FOUND, START, TIME_OUT, Story, attempt, http

S = State
Walk = Callable[[Story], None]


def in_doubt(story: Story) -> None:
    """The first send is not answered."""
    story.initiated(TIME_OUT)
    story.wait(0.01)


def waiting(story: Story) -> None:
    """The service has the payment."""
    story.initiated()


def unresolved(story: Story) -> None:
    """Three minutes of a status nobody knows."""
    waiting(story)
    story.wait(3)
    story.status("Pondering")
    story.wait(181)
    story.wait(0, asks=NOT_FOUND)


def ask(story: Story) -> None:
    """Has an ask under way."""
    if not story.in_flight["ask"]:
        story.check_now()


def seen(name: str) -> Walk:
    """An ask brings this status."""

    def walk(story: Story) -> None:
        ask(story)
        story.status(name)

    return walk


def other_amount(story: Story) -> None:
    """An ask brings another amount; three times, where it is money already."""
    for _ in range(3):
        ask(story)
        story.status("Payment Success", amount=attempt().amount + 1)
        story.wait(11)


def late(story: Story) -> None:
    """The attempt is let go; then the money comes."""
    if story.attempt.released_at is None:
        story.wait(story.attempt.give_up_after_ms / 1000)
    seen("Payment Success")(story)


def misconfigured(story: Story) -> None:
    """Three asks in a row are told that our request lacks something."""
    for _ in range(3):
        ask(story)
        story.answered(Refused("5001"))


def end(*walks: Walk) -> Walk:
    """One walk after the other."""

    def walk(story: Story) -> None:
        for each in walks:
            each(story)

    return walk


def never_left(story: Story) -> None:
    """No connection, three times."""
    story.wait(10, initiates=NEVER_LEFT)


def refused_by_http(story: Story) -> None:
    """404 on the initiate, and nothing found twice."""
    story.initiated(http(404))
    story.wait(10, asks=NOT_FOUND)


def signed(action: str) -> Walk:
    """A manager signs."""
    return lambda story: story.settle(action)


def refused(story: Story) -> None:
    """The customer's wallet is blocked."""
    story.initiated(Refused("5003"))
    story.wait(0.01)


WAYS: dict[State, Walk] = {
    S.INTENT: lambda _: None,
    S.IN_DOUBT: in_doubt,
    S.WAITING: waiting,
    S.UNRESOLVED: unresolved,
    S.DISPUTED: end(waiting, other_amount),
    S.PAID: end(waiting, seen("Payment Success")),
    S.PAID_LATE: end(waiting, late),
    S.FAILED: end(waiting, seen("Payment Fail")),
    S.CANCELLED: end(waiting, seen("Merchant Cancel")),
    S.REFUSED: refused,
    S.NOT_SENT: never_left,
    S.SIGNED_OFF: end(unresolved, signed("not_paid")),
}

STEPS: dict[tuple[State, State], Walk] = {
    (S.INTENT, S.IN_DOUBT): in_doubt,
    (S.INTENT, S.WAITING): waiting,
    (S.INTENT, S.REFUSED): refused,
    (S.INTENT, S.NOT_SENT): never_left,
    (S.INTENT, S.UNRESOLVED): misconfigured,
    (S.IN_DOUBT, S.WAITING): seen("Merchant Initiated"),
    (S.IN_DOUBT, S.UNRESOLVED): misconfigured,
    (S.WAITING, S.UNRESOLVED): misconfigured,
    (S.UNRESOLVED, S.WAITING): seen("Merchant Initiated"),
    (S.UNRESOLVED, S.SIGNED_OFF): signed("paid"),
    (S.DISPUTED, S.SIGNED_OFF): signed("not_paid"),
    (S.REFUSED, S.WAITING): seen("Merchant Initiated"),
}
for before in (S.IN_DOUBT, S.WAITING, S.UNRESOLVED, S.REFUSED):
    STEPS[before, S.FAILED] = seen("Customer Reject")
    STEPS[before, S.CANCELLED] = seen("Merchant Cancel")
    if before is not S.REFUSED:
        STEPS[before, S.PAID] = seen("Payment Success")
for before in S:
    if before not in (S.PAID, S.DISPUTED, S.PAID_LATE):
        STEPS[before, S.PAID_LATE] = late
    if before is not S.DISPUTED:
        STEPS[before, S.DISPUTED] = other_amount

PAIRS = [(before, after) for before in State for after in sorted(TRANSITIONS[before])]


@pytest.mark.parametrize("state", list(State))
def test_every_state_can_be_reached(state: State) -> None:
    """No state is there for show."""
    story = Story.begun()
    WAYS[state](story)
    assert story.state is state


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_every_pair_of_the_table_is_walked(before: State, after: State) -> None:
    """From a state reached by events to the next by events alone."""
    # With the usual five minutes, a doubt is UNRESOLVED by the time the till lets go.
    # By push: money for a code that never reached the till is no proof, whatever the state (rule 10).
    give_up_ms = 10_000 if before in (S.INTENT, S.IN_DOUBT) else 300_000
    story = Story.begun(Kind.PUSH, give_up_after_ms=give_up_ms)
    if (before, after) == (S.IN_DOUBT, S.REFUSED):
        refused_by_http(story)
    else:
        WAYS[before](story)
        assert story.state is before
        STEPS[before, after](story)
    pairs = list(zip(story.walked, story.walked[1:], strict=False))
    assert (before, after) in pairs


@pytest.mark.parametrize(
    ("before", "after"),
    [(a, b) for a in State for b in State if a is not b and b not in TRANSITIONS[a]],
)
def test_a_pair_outside_the_table_raises_and_changes_nothing(before: State, after: State) -> None:
    """A final state never goes back; a bug of ours is no state."""
    turn = Turn(Live(attempt(state=before)), START, Rules())
    with pytest.raises(IllegalTransitionError, match=f"^{before} → {after}$"):
        turn.to(after)
    assert turn.attempt.state is before
    assert turn.attempt.attempt_id == ID
    assert not turn.path


def test_the_table_is_the_one_of_the_rules() -> None:
    """Written down a second time from docs/payment-rules.md, by hand."""
    late = {state for state in State if S.PAID_LATE in TRANSITIONS[state]}
    assert late == set(State) - {S.PAID, S.DISPUTED, S.PAID_LATE}
    assert {state for state in State if S.DISPUTED in TRANSITIONS[state]} == set(State) - {S.DISPUTED}
    named = {
        state.value: " ".join(sorted(after - {S.PAID_LATE, S.DISPUTED}))
        for state, after in TRANSITIONS.items()
    }
    assert named == {
        "INTENT": "IN_DOUBT NOT_SENT REFUSED UNRESOLVED WAITING",
        "IN_DOUBT": "CANCELLED FAILED PAID REFUSED UNRESOLVED WAITING",
        "WAITING": "CANCELLED FAILED PAID UNRESOLVED",
        "UNRESOLVED": "CANCELLED FAILED PAID SIGNED_OFF WAITING",
        "REFUSED": "CANCELLED FAILED WAITING",
        "DISPUTED": "SIGNED_OFF",
        "PAID": "",
        "PAID_LATE": "",
        "FAILED": "",
        "CANCELLED": "",
        "NOT_SENT": "",
        "SIGNED_OFF": "",
    }
