"""Which payment the customer sees, and what of it: the one on the panel, while it is theirs."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
import pytest

from pos_app.domain.attempt import CancelWish, Flag, Kind, Reason, Resolution, State
from pos_app.domain.people import TERMINAL
from pos_app.domain.views import Activity
from pos_app.i18n.words.customer import CustomerWords
from pos_app.i18n.words.till import words as till_words
from pos_app.ui.customer.seen import Following, View, see
from pos_app.ui.till.payment.panel_model import Tone, present
from tests.support.published import NIMALI, QR_TEXT, RUWAN, attempt, change, config

WHO = NIMALI.person_id
WORDS = CustomerWords()
WISH = CancelWish(WHO, 5_000)


def follow(*panels: Any, who: str = WHO) -> Following:
    """After these pictures of the panel."""
    following = Following(config(), WORDS)
    for panel in panels:
        following.take(panel, who)
    return following


def ended(state: State = State.PAID, **told: Any) -> Any:
    """The same attempt, over."""
    return change(attempt(state=state, ended_at=18_000, **told))


@pytest.mark.parametrize(
    ("it", "view", "headline"),
    [
        (attempt(), View.CODE, WORDS.SCAN),
        (attempt(service_status="Verification Success"), View.CODE, WORDS.APPROVE),
        (attempt(service_status="Verification Fail"), View.CODE, WORDS.SCAN_AGAIN),
        (attempt(service_status="Customer Approved"), View.CODE, WORDS.COMPLETING),
        (attempt(kind=Kind.PUSH), View.PHONE, WORDS.PHONE),
        (attempt(kind=Kind.PUSH, service_status="Verification Success"), View.PHONE, WORDS.APPROVE),
        (attempt(kind=Kind.PUSH, service_status="Verification Fail"), View.PHONE, WORDS.PHONE),
        (attempt(state=State.INTENT, shown=False, qr_text=""), View.MOMENT, WORDS.MOMENT),
        (attempt(cancel_wish=WISH), View.MOMENT, WORDS.ENDING),
        (attempt(gave_up_at=9), View.MOMENT, WORDS.ENDING),
        (attempt(qr_text="", flags=frozenset({Flag.QR_LOST})), View.MOMENT, WORDS.WAIT),
        (attempt(state=State.PAID), View.RESULT, WORDS.PAID),
        (attempt(state=State.PAID, cancel_wish=WISH), View.RESULT, WORDS.PAID),
        (attempt(state=State.FAILED, reason=Reason.CUSTOMER_REJECTED), View.RESULT, WORDS.NOT_PAID),
        (attempt(state=State.REFUSED, code="5005"), View.RESULT, WORDS.NOT_PAID),
        (attempt(state=State.NOT_SENT, reason=Reason.NO_NAME), View.RESULT, WORDS.NOT_PAID),
        (attempt(state=State.CANCELLED), View.RESULT, WORDS.NOT_PAID),
        (attempt(state=State.IN_DOUBT), View.RESULT, WORDS.WAIT),
        (attempt(state=State.UNRESOLVED), View.RESULT, WORDS.WAIT),
        (attempt(state=State.DISPUTED, reason=Reason.OTHER_AMOUNT), View.RESULT, WORDS.ASK),
        (attempt(state=State.PAID_LATE), View.RESULT, WORDS.ASK),
        (attempt(state=State.SIGNED_OFF), View.RESULT, WORDS.ASK),
    ],
)
def test_each_state_in_words_for_the_customer(it: Any, view: View, headline: str) -> None:
    seen = see(change(it), config(), WORDS)
    assert (seen.view, seen.headline) == (view, headline)
    assert seen.code == (QR_TEXT if view is View.CODE else "")


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("command", [None, WISH])
def test_paid_stands_here_only_where_the_panel_says_paid(state: State, command: CancelWish | None) -> None:
    resolved = Resolution("paid", "Ruwan", "saw it", 1)
    for it in (attempt(state=state, cancel_wish=command), attempt(state=state, resolution=resolved)):
        of = change(it, activity=Activity(from_before_restart=True))
        says_paid = present(of, config(), till_words).headline == till_words.result.paid
        assert (see(of, config(), WORDS).headline == WORDS.PAID) == says_paid


def test_not_known_says_to_wait_and_never_that_it_failed() -> None:
    seen = see(change(attempt(state=State.IN_DOUBT)), config(), WORDS)
    assert seen.tone is Tone.NOT_KNOWN
    assert "do not pay again" in seen.more
    assert WORDS.NOT_PAID not in (seen.headline, seen.more)


def test_steps_are_those_the_service_reported() -> None:
    done = [
        see(change(attempt(service_status=status)), config(), WORDS).done
        for status in ("Merchant Initiated", "Verification Success", "Customer Approved", "Odd")
    ]
    assert done == [0, 1, 2, 0]


def test_an_end_is_seen_and_goes() -> None:
    following = follow(change(), ended())
    assert following.seen.headline == WORDS.PAID
    following.let_go()
    assert following.seen.view is View.IDLE


def test_what_is_typed_is_seen_as_its_sum_and_its_prices() -> None:
    following = follow()
    following.type((Decimal("12.5"),))
    assert (following.seen.view, following.seen.figure) == (View.AMOUNT, "12.50")
    assert following.seen.more == WORDS.AMOUNT_MORE
    following.type((Decimal(12), Decimal("30.5")))
    assert (following.seen.figure, following.seen.more) == ("42.50", "12.00 + 30.50")
    following.type((Decimal(1),) * 40)
    assert (following.seen.figure, following.seen.more) == ("40.00", WORDS.AMOUNT_MORE)
    following.type(())
    assert following.seen.view is View.IDLE


def test_a_payment_and_its_thanks_come_before_the_next_amount() -> None:
    following = follow(change())
    following.type((Decimal(5),))
    assert following.seen.view is View.CODE
    following.take(ended(), WHO)
    assert (following.seen.headline, following.seen.more) == (WORDS.PAID, WORDS.PAID_MORE)
    assert following.seen.figure == "1,250.00"
    following.let_go()
    assert (following.seen.view, following.seen.figure) == (View.AMOUNT, "5.00")


def test_nothing_typed_is_left_to_the_next_person() -> None:
    following = follow()
    following.type((Decimal(5),))
    following.take(None, RUWAN.person_id)
    assert following.seen.view is View.IDLE


def test_an_end_that_has_gone_does_not_come_again() -> None:
    following = follow(change(), ended())
    following.let_go()
    following.take(ended(flags=frozenset({Flag.STATUS_REGRESSED})), WHO)
    assert following.seen.view is View.IDLE


@pytest.mark.parametrize("state", [State.PAID, State.CANCELLED, State.PAID_LATE])
def test_an_end_is_told_once_it_is_stored(state: State) -> None:
    """The disk takes nothing (rule 15): the code is gone, and nothing is told that only memory knows."""
    following = follow(change())
    following.take(ended(state), WHO, is_halted=True)
    assert (following.seen.headline, following.seen.code) == (WORDS.WAIT, "")
    assert (following.seen.tone, following.seen.paid, following.end) == (Tone.NOT_KNOWN, None, None)
    following.take(ended(state), WHO)
    assert following.seen.headline == see(ended(state), config(), WORDS).headline
    assert following.end is not None


def test_an_end_that_was_stored_stays_told() -> None:
    following = follow(change(), ended())
    following.take(ended(), WHO, is_halted=True)
    assert following.seen.headline == WORDS.PAID
    following.let_go()
    following.take(ended(), WHO, is_halted=True)
    assert following.seen.view is View.IDLE


def test_an_end_that_turns_out_otherwise_is_told() -> None:
    following = follow(change(), ended(State.CANCELLED))
    following.let_go()
    following.take(ended(State.PAID_LATE), WHO)
    assert following.seen.headline == WORDS.ASK


@pytest.mark.parametrize("is_seen_out", [True, False])
def test_no_end_comes_again_behind_another_one(is_seen_out: bool) -> None:
    """Paid twice, and signed much later: the payment is PAID again, and another customer stands there by then."""
    sale = change().sale
    twice = msgspec.structs.replace(ended(), sale=msgspec.structs.replace(sale, overpaid=True))
    refund = Resolution("refund", "Ruwan", "from the drawer", 9)
    signed = msgspec.structs.replace(twice, sale=msgspec.structs.replace(twice.sale, refund=refund))
    following = follow(change(), ended())
    if is_seen_out:
        following.let_go()
    following.take(twice, WHO)
    assert following.seen.headline == WORDS.ASK
    following.let_go()
    following.take(signed, WHO)
    assert following.seen.view is View.IDLE
    following.type((Decimal(5),))
    assert following.seen.figure == "5.00"


def test_nothing_is_told_of_money_that_goes_back() -> None:
    """It is between the cashier and whoever had paid, who may have left."""
    crossed = ended(cancel_wish=WISH)
    refunded = ended(cancel_wish=WISH, resolution=Resolution("refund", "Ruwan", "cash paid", 9))
    following = follow(change(), crossed)
    assert following.seen.headline == WORDS.PAID
    following.take(refunded, WHO)
    assert following.seen.view is View.IDLE


def test_a_touch_on_next_leaves_the_customer_the_result() -> None:
    following = follow(change(), ended(), None)
    assert following.seen.headline == WORDS.PAID
    assert following.end is not None


def test_another_payment_clears_it_at_once() -> None:
    other = change(attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", state=State.INTENT, qr_text=""))
    following = follow(change(), ended(), None, other)
    assert following.seen.headline == WORDS.MOMENT
    assert following.end is None


@pytest.mark.parametrize(
    "of", [change(), change(attempt(state=State.IN_DOUBT)), change(attempt(kind=Kind.PUSH))]
)
def test_a_parked_payment_is_gone_at_once(of: Any) -> None:
    assert follow(of, None).seen.view is View.IDLE


@pytest.mark.parametrize(
    "state", [State.PAID, State.FAILED, State.DISPUTED, State.UNRESOLVED, State.PAID_LATE]
)
def test_what_a_cashier_looks_up_is_not_for_whoever_stands_there(state: State) -> None:
    assert follow(ended(state)).seen.view is View.IDLE
    assert follow(change(), None, ended(state)).seen.view is View.IDLE


def test_a_payment_looked_up_takes_away_what_was_there() -> None:
    other = change(attempt(attempt_id="SBX-TK7M3Q9RD-0100-1", sale_id="0100", state=State.PAID))
    assert follow(change(), ended(), other).seen.view is View.IDLE


def test_a_parked_payment_that_is_taken_up_is_shown_again() -> None:
    assert follow(change(), None, change()).seen.code == QR_TEXT


@pytest.mark.parametrize("who", [TERMINAL, RUWAN.person_id])
def test_sign_out_clears_at_once_even_a_result(who: str) -> None:
    following = follow(change(), ended())
    following.take(None, who)
    assert following.seen.view is View.IDLE


def test_the_next_attempt_of_the_sale_follows_on() -> None:
    again = change(attempt(attempt_id="SBX-TK7M3Q9RD-0123-2", number=2, kind=Kind.PUSH))
    assert follow(change(), ended(State.FAILED), again).seen.view is View.PHONE


def test_not_known_stays_while_it_is_on_the_panel_until_it_is_known() -> None:
    following = follow(change(), change(attempt(state=State.UNRESOLVED)))
    following.let_go()
    assert following.seen.headline == WORDS.WAIT
    following.take(ended(), WHO)
    assert following.seen.headline == WORDS.PAID
