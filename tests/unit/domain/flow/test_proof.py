"""Rule 10: what proves that money came, what does not, and what disputes it. Rule 8: when it came late."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Flag, Kind, Reason, State
from pos_app.domain.flow import Live, Rules
from pos_app.domain.flow.proof import apply_verified_status, is_about
from pos_app.domain.flow.turn import Turn
from pos_app.domain.replies import Accepted, CancelAccepted, InitiateReply, StatusReply, StatusReport
from tests.unit.domain.flow.story import AMOUNT, NOT_FOUND, START, TIME_OUT, WALLET, Story, attempt, report


def waiting() -> Story:
    """The service has the payment, and an ask is under way."""
    story = Story.begun()
    story.initiated()
    story.wait(3)
    return story


def paid() -> Story:
    """The money came in time."""
    story = waiting()
    story.status("Payment Success")
    return story


@pytest.mark.parametrize(
    "changed",
    [
        {"wallet_transaction_id": ""},
        {"merchant_id": ""},
        {"amount": Decimal("12.5")},
        {"amount": Decimal("12.500")},
        {"invoice_number": ""},
    ],
)
def test_optional_fields_may_be_absent_and_equal_amounts_may_be_written_otherwise(
    changed: dict[str, object],
) -> None:
    """Exact, not literal."""
    story = waiting()
    story.status("Payment Success", **changed)
    story.stands_at(State.PAID)


@pytest.mark.parametrize("changed", [{"external_id": ""}, {"amount": None}, {"name": ""}])
def test_a_success_without_a_needed_field_is_unreadable(changed: dict[str, object]) -> None:
    """UNRESOLVED after three in a row."""
    story = waiting()
    told = {"name": "Payment Success", **changed}
    for _ in range(2):
        story.status(**told)  # type: ignore[arg-type]
        story.stands_at(State.WAITING)
        story.check_now()
    story.status(**told)  # type: ignore[arg-type]
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.UNREADABLE)


def test_a_readable_reply_begins_the_unreadable_ones_anew() -> None:
    """In a row."""
    story = waiting()
    for _ in range(4):
        story.status("Payment Success", amount=None)
        story.check_now()
        story.status("Merchant Initiated")
        story.check_now()
    story.stands_at(State.WAITING)


@pytest.mark.parametrize(
    "changed", [{"external_id": "another"}, {"wallet_transaction_id": "W-2"}, {"merchant_id": "M-2"}]
)
def test_another_transaction_is_no_reply_and_three_in_a_row_a_dispute(changed: dict[str, object]) -> None:
    """However successful it is."""
    story = waiting()
    for _ in range(2):
        story.status("Payment Success", **changed)
        story.stands_at(State.WAITING)
        story.check_now()
        story.answered(TIME_OUT)
        story.check_now()
    story.status("Payment Success", **changed)
    assert (story.state, story.attempt.reason) == (State.DISPUTED, Reason.OTHER_TRANSACTION)


@pytest.mark.parametrize(
    ("reply", "tells"),
    [
        (report("Payment Success"), True),
        (report("Payment Success", amount=AMOUNT + 1), True),
        (report("Payment Success", amount=None), True),
        (report("Payment Success", external_id=""), False),
        (report("Payment Success", external_id="another"), False),
        (report("Payment Success", wallet_transaction_id="W-2"), False),
        (report("Payment Fail", merchant_id="M-2"), False),
        (NOT_FOUND, True),
        (TIME_OUT, True),
    ],
)
def test_what_names_another_payment_or_none_says_nothing_of_this_one(reply: StatusReply, tells: bool) -> None:
    """A closing and a comparing ask beside the flow; what another amount means is theirs to say."""
    known = attempt(wallet_transaction_id=WALLET)
    assert is_about(known, reply) is tells


def test_a_reply_about_ours_begins_the_strangers_anew() -> None:
    """In a row."""
    story = waiting()
    for reply in (report("Merchant Initiated"), NOT_FOUND, NOT_FOUND):
        for _ in range(2):
            story.status("Payment Success", merchant_id="M-2")
            story.check_now()
        story.answered(reply)
        story.check_now()
    story.stands_at(State.WAITING)


@pytest.mark.parametrize("name", ["Payment Success", "Merchant Initiated", "Payment Fail", "Pondering"])
@pytest.mark.parametrize("amount", [Decimal("12.51"), Decimal("12.500000001"), Decimal("-12.50"), Decimal(0)])
def test_another_amount_is_a_dispute_at_once(name: str, amount: Decimal) -> None:
    """Never rounded."""
    story = waiting()
    story.status(name, amount=amount)
    assert (story.state, story.attempt.reason) == (State.DISPUTED, Reason.OTHER_AMOUNT)


def test_a_dispute_is_settled_by_a_person_alone() -> None:
    """Not even by a success."""
    story = waiting()
    story.status("Merchant Initiated", amount=AMOUNT + 1)
    story.check_now()
    story.status("Payment Success")
    story.stands_at(State.DISPUTED)
    for action in ("complete", "refund", "nonsense"):
        story.settle(action)
        story.stands_at(State.DISPUTED)
    story.settle("paid")
    story.stands_at(State.SIGNED_OFF)
    assert not story.attempt.lets_another_start


def test_a_cancels_success_is_no_proof_of_anything() -> None:
    """Query and cancel only trigger an ask."""
    story = waiting()
    story.answered(TIME_OUT)
    story.wish_cancel()
    story.cancelled(CancelAccepted())
    story.stands_at(State.WAITING)


def test_paid_without_proof_cannot_be_asked_for() -> None:
    """The one function that sets PAID looks itself."""
    for told in (
        report("Payment Fail"),
        report("Payment Success", amount=None),
        report("Payment Success", merchant_id="M-2"),
        StatusReport("Payment Success", amount=AMOUNT),
    ):
        turn = Turn(Live(attempt(state=State.WAITING)), START, Rules())
        with pytest.raises(AssertionError, match=r"^PAID asked for without proof$"):
            apply_verified_status(turn, told)
        assert turn.attempt.state is State.WAITING


@pytest.mark.parametrize(
    "told", [{"name": "Payment Fail"}, {"name": "Payment Success", "amount": AMOUNT + 1}]
)
def test_paid_is_disputed_by_three_contradictions_ten_seconds_apart(told: dict[str, object]) -> None:
    """A final failure, or another amount."""
    story = paid()
    reply = report(**told)  # type: ignore[arg-type]
    for _ in range(5):
        story.check_now()
        story.answered(reply)
    story.stands_at(State.PAID)
    assert Flag.CONTRADICTED in story.attempt.flags
    story.wait(10.9, asks=reply)
    story.stands_at(State.PAID)
    story.wait(11, asks=reply)
    assert (story.state, story.attempt.reason) == (State.DISPUTED, Reason.CONTRADICTED)


@pytest.mark.parametrize(
    "told", [{"name": "Payment Fail"}, {"name": "Payment Success", "amount": AMOUNT + 1}]
)
def test_one_contradiction_disputes_what_a_closing_asks_about(told: dict[str, object]) -> None:
    """Whoever reads its Z learns it there, not from an alert that comes when the till is left for the night."""
    story = paid()
    story.check_now()
    story.answered(report(**told))  # type: ignore[arg-type]
    story.stands_at(State.PAID)
    story.check_now(at_closing=True)
    story.answered(report(**told))  # type: ignore[arg-type]
    assert (story.state, story.attempt.reason) == (State.DISPUTED, Reason.CONTRADICTED)


@pytest.mark.parametrize("heard", [report("Payment Success"), TIME_OUT, report("Customer Approved")])
def test_what_a_closing_heard_before_is_not_held_against_it(heard: StatusReply) -> None:
    """Each ask of a closing has its own answer: the next one is anybody's again."""
    story = paid()
    story.check_now(at_closing=True)
    story.answered(heard)
    story.check_now()
    story.status("Payment Fail")
    story.stands_at(State.PAID)


def test_a_success_in_between_takes_the_contradictions_back() -> None:
    """Stale reads come and go."""
    story = paid()
    for name in ("Payment Fail", "Payment Fail", "Payment Success", "Merchant Cancel", "Merchant Cancel"):
        story.wait(10.5)
        story.check_now()
        story.status(name)
    story.stands_at(State.PAID)


@pytest.mark.parametrize("name", ["Merchant Initiated", "Verification Fail", "Customer Approved"])
def test_progress_after_paid_is_stale(name: str) -> None:
    """However often."""
    story = paid()
    story.wait(1_000, asks=report(name))
    story.stands_at(State.PAID)
    assert Flag.STATUS_REGRESSED in story.attempt.flags


def test_strangers_do_not_dispute_money_that_was_proven() -> None:
    """They are no reply."""
    story = paid()
    for _ in range(5):
        story.check_now()
        story.status("Payment Fail", merchant_id="M-2")
    story.stands_at(State.PAID)


def test_paid_with_a_cancel_wish_must_be_answered() -> None:
    """Rule 8: complete, or refund outside the till."""
    story = waiting()
    story.wish_cancel()
    story.status("Payment Success")
    story.stands_at(State.PAID)
    before = story.attempt.needs_answer
    story.settle("complete")
    assert (before, story.attempt.needs_answer) == (True, False)
    assert story.attempt.resolution is not None
    assert (story.attempt.resolution.action, story.attempt.resolution.name) == ("complete", "Nimali")


def test_plain_paid_takes_no_answer() -> None:
    """There is nothing to settle."""
    story = paid()
    story.settle("refund")
    story.settle("not_paid")
    assert story.attempt.resolution is None


@pytest.mark.parametrize("end", ["Payment Fail", "Merchant Cancel"])
def test_late_success_raises_an_alert_until_it_is_answered(end: str) -> None:
    """Rule 8: money after an end."""
    story = waiting()
    story.status(end)
    story.wait(11, asks=report("Payment Success"))
    story.stands_at(State.PAID_LATE)
    assert story.attempt.needs_answer
    story.settle("refund")
    assert not story.attempt.needs_answer


def test_late_success_of_what_was_signed_off_as_not_paid_must_be_answered_anew() -> None:
    """The manager's word was about something else."""
    story = waiting()
    story.status("Merchant Initiated", amount=AMOUNT + 1)
    story.settle("not_paid")
    story.wait(11, asks=report("Payment Success"))
    story.stands_at(State.PAID_LATE)
    assert story.attempt.needs_answer


def test_late_success_of_what_was_signed_off_as_paid_is_already_answered() -> None:
    """The service only confirms the manager."""
    story = waiting()
    story.status("Merchant Initiated", amount=AMOUNT + 1)
    story.settle("paid")
    story.wait(11, asks=report("Payment Success"))
    story.stands_at(State.PAID_LATE)
    assert not story.attempt.needs_answer


@pytest.mark.parametrize("end", ["Payment Success", "Payment Fail", "Merchant Cancel"])
def test_an_end_is_asked_about_after_10_s_1_5_and_15_minutes(end: str) -> None:
    """Rule 8; and no more often."""
    story = waiting()
    story.status(end)
    ended = story.seconds
    story.wait(100_000, asks=report(end))
    after = [at - ended for at in story.times("ask") if at > ended]
    assert len(after) == 4
    for at, planned in zip(after, (10, 60, 300, 900), strict=True):
        assert planned <= at <= planned * 1.1


def test_an_end_whose_last_checks_met_silence_is_asked_about_a_while_longer() -> None:
    """An outage must not hide a late success."""
    story = waiting()
    story.status("Merchant Cancel")
    story.wait(995, asks=TIME_OUT)
    story.wait(60, asks=report("Payment Success"))
    story.stands_at(State.PAID_LATE)


def test_a_not_sent_attempt_is_asked_about_too() -> None:
    """Rule 8: our own record may be wrong about the network."""
    story = Story.begun(Kind.PUSH, give_up_after_ms=500)
    story.wish_cancel()
    story.initiated(type(TIME_OUT)(TIME_OUT.why, sent=False))
    story.stands_at(State.NOT_SENT)
    story.wait(12, asks=report("Payment Success"))
    story.stands_at(State.PAID_LATE)


@pytest.mark.parametrize("answer", [TIME_OUT, Accepted("W-1", "", "")], ids=["reply lost", "text empty"])
def test_money_for_a_code_whose_text_never_came_is_no_proof(answer: InitiateReply) -> None:
    """Rule 10: nobody can have scanned it here, so another copy of this till has: a person looks at it."""
    story = Story.begun()
    story.initiated(answer)
    story.wait(0.1)
    if not story.in_flight["ask"]:
        story.check_now()
    story.status("Payment Success", wallet_transaction_id="W-1")
    assert (story.state, story.attempt.reason) == (State.DISPUTED, Reason.CODE_NEVER_SHOWN)
    story.settle("not_paid")
    story.check_now()
    story.status("Payment Success", wallet_transaction_id="W-1")
    story.stands_at(State.SIGNED_OFF)


def test_a_push_needs_no_text_and_what_was_entered_again_may_have_had_one() -> None:
    """The phone is asked itself; a till whose journal was lost cannot know what its screen showed."""
    for attempted in (attempt(Kind.PUSH), attempt(Kind.QR, recovered=True, released_at=START)):
        story = Story(Live(replace(attempted, state=State.WAITING, shown=True)))
        story.check_now()
        story.status("Payment Success")
        assert story.state in (State.PAID, State.PAID_LATE)


def test_the_only_place_that_sets_paid_refuses_a_code_that_was_never_shown() -> None:
    """However a caller came there."""
    turn = Turn(Live(replace(attempt(), state=State.WAITING, shown=True)), START, Rules())
    with pytest.raises(AssertionError, match="without proof"):
        apply_verified_status(turn, report("Payment Success"))
