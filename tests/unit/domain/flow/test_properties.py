"""Whatever happens in whatever order: the flow never raises, never leaves the table, never pays without proof."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.domain.attempt import ATTENTION, Kind, Reason, State
from pos_app.domain.events import (
    AnotherStarted,
    AttemptEvent,
    CancelAnswered,
    ConnectionReturned,
    InitiateAnswered,
    SignInRenewed,
    StatusAnswered,
    TimeCame,
)
from pos_app.domain.flow import Rules, step
from pos_app.domain.flow.statuses import KNOWN
from pos_app.domain.replies import Accepted, CancelAccepted, NoAnswer, Refused, Why
from tests.unit.domain.flow.story import ACCEPTED, ID, NEVER_LEFT, TIME_OUT, WALLET, Story, http, report
from tests.unit.domain.flow.test_transitions import WAYS

CODES = [f"50{number:02d}" for number in range(16)] + ["5999", ""]
silences = st.builds(
    NoAnswer,
    st.sampled_from(list(Why)),
    sent=st.just(True),
    http_status=st.sampled_from([0, 200, 400, 401, 403, 404, 415, 429, 500]),
    retry_after_s=st.none() | st.floats(1, 60),
)
refusals = st.sampled_from(CODES).map(Refused)
reports = st.builds(
    report,
    st.sampled_from([*sorted(KNOWN), "Pondering", ""]),
    external_id=st.sampled_from([ID, ID, ID, "", "another"]),
    amount=st.sampled_from([Decimal("12.5"), Decimal("12.50"), Decimal("12.50"), Decimal("12.51"), None]),
    wallet_transaction_id=st.sampled_from([WALLET, WALLET, "", "W-2"]),
    merchant_id=st.sampled_from(["M-1", "M-1", "M-1", "", "M-2"]),
    invoice_number=st.sampled_from(["INV-7", "INV-7", "INV-8"]),
)
accepted = st.builds(
    Accepted, st.sampled_from([WALLET, ""]), st.sampled_from([ID, "", "another"]), st.sampled_from(["qr", ""])
)
initiate_replies = st.one_of(accepted, refusals, silences, st.just(NEVER_LEFT))
status_replies = st.one_of(reports, reports, refusals, silences, st.just(Refused("5009")))
cancel_replies = st.one_of(st.just(CancelAccepted()), refusals, silences)
moves = st.one_of(
    st.tuples(st.just("initiate"), initiate_replies),
    st.tuples(st.just("ask"), status_replies),
    st.tuples(st.just("ask"), status_replies),
    st.tuples(st.just("cancel"), cancel_replies),
    st.tuples(st.just("wait"), st.sampled_from([0.0, 0.5, 3.0, 11.0, 61.0, 300.0, 4_000.0])),
    st.tuples(st.just("settle"), st.sampled_from(["paid", "not_paid", "complete", "refund", "?"])),
    st.tuples(
        st.just("wish"),
        st.sampled_from(["wish_cancel", "wish_close", "wish_continue", "check_now", "park", "leave_panel"]),
    ),
    st.tuples(st.just("fact"), st.sampled_from(["renewed", "returned", "early", "another", "restart"])),
)


def play(story: Story, move: tuple[str, object]) -> None:
    """One move, if it is possible just now. `Story.take` checks what must hold after each event."""
    match move:
        case ("initiate", reply):
            if story.in_flight["initiate"]:
                story.initiated(reply)  # type: ignore[arg-type]
        case ("ask", reply):
            if story.in_flight["ask"]:
                story.answered(reply)  # type: ignore[arg-type]
        case ("cancel", reply):
            if story.in_flight["cancel"]:
                story.cancelled(reply)  # type: ignore[arg-type]
        case ("wait", seconds):
            story.wait(seconds)  # type: ignore[arg-type]
        case ("settle", action):
            story.settle(action)  # type: ignore[arg-type]
        case ("wish", command):
            getattr(story, str(command))()
        case ("fact", "restart"):
            story.restart(off_s=2)
        case ("fact", name):
            facts: dict[object, AttemptEvent] = {
                "renewed": SignInRenewed(ID),
                "returned": ConnectionReturned(ID, story.now + 500),
                "early": TimeCame(ID),
                "another": AnotherStarted(ID),
            }
            story.tell(facts[name])


beginnings = st.builds(
    lambda kind, give_up, extendable: Story.begun(kind, give_up_after_ms=give_up, extendable=extendable),
    st.sampled_from(list(Kind)),
    st.sampled_from([2_000, 6_000, 300_000]),
    st.booleans(),
)


@pytest.mark.slow
@settings(max_examples=400)
@given(beginnings, st.lists(moves, max_size=40))
def test_no_order_of_events_breaks_a_rule(story: Story, played: list[tuple[str, object]]) -> None:
    """I1c, I3, I5 and I6 after each event; money stays money unless it is disputed; re-sends are counted."""
    for move in played:
        had_money = story.state in (State.PAID, State.PAID_LATE)
        play(story, move)
        assert not had_money or story.state in (State.PAID, State.PAID_LATE, State.DISPUTED, State.SIGNED_OFF)
        if story.attempt.lets_another_start:
            assert story.state in (
                State.NOT_SENT,
                State.REFUSED,
                State.FAILED,
                State.CANCELLED,
                State.SIGNED_OFF,
            )
            assert story.attempt.released_at is not None
    assert len(story.times("re-send")) <= 3
    assert all(at <= 61 for at in story.times("re-send"))
    assert len(story.times("initiate")) <= 3


@settings(max_examples=200)
@given(beginnings, st.lists(moves, max_size=25), st.sampled_from(sorted(KNOWN)))
def test_what_is_final_at_the_service_becomes_final_here(
    story: Story, played: list[tuple[str, object]], end: str
) -> None:
    """I7: faults stop, and a young attempt reaches its end within a minute (and the longest Retry-After)."""
    for move in played:
        if move not in (("wait", 4_000.0), ("wait", 300.0)):
            play(story, move)
    if not story.attempt.is_open or end not in ("Payment Success", "Payment Fail", "Merchant Cancel"):
        return
    if story.attempt.first_send_duplicate:
        return
    wallet = story.attempt.wallet_transaction_id
    for _ in range(2):
        story.wait(66, asks=report(end, wallet_transaction_id=wallet), initiates=TIME_OUT, cancels=TIME_OUT)
    never_shown = story.attempt.reason is Reason.CODE_NEVER_SHOWN and not story.attempt.qr_text
    assert story.attempt.is_final or (never_shown and story.state is State.DISPUTED)


EVENTS: list[AttemptEvent] = [
    InitiateAnswered(ID, ACCEPTED),
    InitiateAnswered(ID, Accepted("", "", "")),
    InitiateAnswered(ID, Refused("5000")),
    InitiateAnswered(ID, Refused("5003"), resend=True),
    InitiateAnswered(ID, NEVER_LEFT),
    InitiateAnswered(ID, http(404)),
    *(StatusAnswered(ID, report(name)) for name in [*sorted(KNOWN), "Pondering"]),
    StatusAnswered(ID, report("Payment Success", amount=None)),
    StatusAnswered(ID, report("Payment Success", amount=Decimal(1))),
    StatusAnswered(ID, Refused("5009")),
    StatusAnswered(ID, Refused("5001")),
    StatusAnswered(ID, TIME_OUT),
    CancelAnswered(ID, CancelAccepted()),
    CancelAnswered(ID, Refused("5006")),
    CancelAnswered(ID, TIME_OUT),
    TimeCame(ID),
]


@pytest.mark.parametrize("state", list(State))
def test_answers_nobody_waits_for_are_taken_in_any_state(state: State) -> None:
    """Doubled, late, out of order, twice: no event raises, and money still needs its proof."""
    for first in EVENTS:
        for second in EVENTS:
            story = Story.begun()
            WAYS[state](story)
            live = story.live
            for event in (first, second):
                before = live.attempt.state
                live = step(live, event, story.now, Rules()).live
                if live.attempt.state in (State.PAID, State.PAID_LATE) and before is not live.attempt.state:
                    assert isinstance(event, StatusAnswered)


@given(beginnings, st.lists(moves, max_size=30))
def test_what_needs_a_person_says_so(story: Story, played: list[tuple[str, object]]) -> None:
    """I5: an attempt that is neither open nor final is on the attention list."""
    for move in played:
        play(story, move)
        attempt = story.attempt
        assert attempt.is_open + attempt.is_final + (attempt.state in ATTENTION) == 1
        assert attempt.needs_answer or attempt.state not in ATTENTION
