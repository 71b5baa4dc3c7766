"""What the till tells of a payment: words and offers, without a window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from pos_app.domain.attempt import CancelWish, Flag, Kind, Reason, Resolution, State
from pos_app.domain.views import Activity, Connection
from pos_app.i18n.words.till import words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.till.payment.panel_model import Act, Tone, minutes, next_step, present, stage, trouble
from tests.support.published import attempt, change, config
from tests.support.stage import WISH

ENGLISH = words


ESC, F5, F6, ENTER = Qt.Key.Key_Escape, Qt.Key.Key_F5, Qt.Key.Key_F6, Qt.Key.Key_Return
ID = attempt().attempt_id
UNSURE = [State.IN_DOUBT, State.UNRESOLVED, State.DISPUTED, State.WAITING, State.INTENT]


@pytest.mark.parametrize("state", UNSURE)
@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("command", [None, WISH])
def test_nothing_that_is_not_certain_offers_to_pay_again(
    state: State, kind: Kind, shown: bool, command: CancelWish | None
) -> None:
    it = attempt(state=state, kind=kind, shown=shown, cancel_wish=command)
    acts = present(change(it, may_start_another=True), config(), ENGLISH).acts
    assert Act.QR not in acts
    assert Act.PUSH not in acts
    assert Act.NEXT not in acts
    assert acts


@pytest.mark.parametrize("state", list(State))
def test_only_paid_is_told_as_paid(state: State) -> None:
    model = present(change(attempt(state=state)), config(), ENGLISH)
    assert (model.tone is Tone.PAID) == (state is State.PAID)
    assert (model.headline == "PAID") == (state is State.PAID)


def test_not_known_says_what_it_means_for_the_money() -> None:
    model = present(change(attempt(state=State.IN_DOUBT, shown=False)), config(), ENGLISH)
    assert model.headline == "NOT KNOWN YET"
    assert model.lead == "Do not take the payment again."
    assert model.more.startswith("We do not know yet whether the customer was charged.")


@pytest.mark.parametrize("code", [str(code) for code in range(5001, 5016)])
def test_a_refusal_names_the_code_in_our_words(code: str) -> None:
    it = attempt(state=State.REFUSED, code=code, refusal_opened=True)
    model = present(change(it, may_start_another=True), config(), ENGLISH)
    assert model.headline == "NOT PAID"
    assert model.lead == f"Refused: {ENGLISH.code[code].said.rstrip('.')} ({code})"
    assert model.more == ENGLISH.code[code].todo


def test_an_unknown_code_still_has_words() -> None:
    model = present(
        change(attempt(state=State.REFUSED, code="5999"), may_start_another=True), config(), ENGLISH
    )
    assert model.lead == "Refused: a reason this till does not know (5999)"


@pytest.mark.parametrize("reason", [Reason.NO_NAME, Reason.NO_CONNECTION, Reason.NOT_PROVEN])
def test_not_sent_says_that_nothing_went_out(reason: Reason) -> None:
    model = present(change(attempt(state=State.NOT_SENT, reason=reason)), config(), ENGLISH)
    assert "nothing was sent to the customer" in model.lead
    assert model.more == ENGLISH.reason[reason]


def test_what_was_not_sent_for_want_of_a_token_is_no_dead_line() -> None:
    """The till said that the payment service could not be reached, and people looked at the cable."""
    it = attempt(state=State.NOT_SENT, reason=Reason.NO_CONNECTION, flags=frozenset({Flag.SIGN_IN_REFUSED}))
    assert present(change(it), config(), ENGLISH).more == ENGLISH.NO_TOKEN


def test_the_other_method_comes_first_after_a_failure() -> None:
    for kind, first in ((Kind.QR, Act.PUSH), (Kind.PUSH, Act.QR)):
        acts = present(
            change(attempt(state=State.FAILED, kind=kind), may_start_another=True), config(), ENGLISH
        ).acts
        assert acts[0] is first


def test_the_stages_follow_the_service() -> None:
    names = ["Merchant Initiated", "Verification Success", "Customer Approved"]
    assert [stage(attempt(service_status=name)) for name in names] == [1, 2, 3]
    assert stage(attempt(state=State.INTENT)) == 0
    assert stage(attempt(service_status="something new")) == 1


@pytest.mark.parametrize(
    ("elapsed", "offers", "cancel"),
    [(0, False, False), (59, False, False), (60, True, False), (180, True, True)],
)
def test_hints_come_with_time(elapsed: float, offers: bool, cancel: bool) -> None:
    step = next_step(attempt(), elapsed, ENGLISH)
    assert (step.offer_other, step.cancel_forward) == (offers, cancel)


def test_hints_stop_once_the_customer_is_on_it() -> None:
    step = next_step(attempt(service_status="Verification Success"), 200, ENGLISH)
    assert not step.offer_other
    assert step.sentence == "They scanned it. Ask them to approve."
    assert next_step(attempt(service_status="Verification Fail"), 5, ENGLISH).sentence.startswith(
        "The scan failed"
    )
    assert next_step(attempt(service_status="odd"), 5, ENGLISH).sentence == ENGLISH.wait.unknown_status


def test_shortly_before_the_till_lets_go_it_says_so_and_offers_the_other_way() -> None:
    step = next_step(attempt(), 20, ENGLISH, 29)
    assert step.sentence == "Time is nearly up: then the till cancels by itself."
    assert step.offer_other
    assert step.cancel_forward
    assert next_step(attempt(), 20, ENGLISH, 31).sentence == ENGLISH.wait.next_qr
    assert next_step(attempt(service_status="Customer Approved"), 20, ENGLISH, 5).sentence == (
        "The customer approved. The money is not here yet: wait."
    )


def test_a_cancel_says_how_it_goes() -> None:
    for flag in (Flag.CANCEL_TOO_LATE, Flag.CANCEL_NOT_ALLOWED, Flag.QR_LOST):
        said = next_step(attempt(cancel_wish=WISH, flags=frozenset({flag})), 5, ENGLISH).sentence
        assert said == ENGLISH.flag[flag]


def test_connection_trouble_counts_down() -> None:
    lost = Activity(connection=Connection.LOST, next_ask_in_s=4)
    assert trouble("0123", lost, 1, ENGLISH).endswith("Next check in 3 s.")
    assert trouble("0123", lost, 9, ENGLISH).endswith("Next check in 1 s.")
    assert "Payment 0123 stays open" in trouble(
        "0123", Activity(connection=Connection.SIGN_IN_REFUSED), 0, ENGLISH
    )
    assert trouble("0123", Activity(), 0, ENGLISH) == ""
    assert [minutes(17), minutes(725)] == ["0:17", "12:05"]
    assert [time_words.age(40), time_words.age(125), time_words.age(7300)] == ["40 s", "2 min", "2 h"]


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ("complete", "Nimali completed the sale: at the counter"),
        ("refund", "Nimali noted money back, outside the till"),
    ],
)
def test_an_answered_late_payment_asks_nobody_for_an_answer(action: str, says: str) -> None:
    answered = Resolution(action, "Nimali", "at the counter", 1)
    told = present(change(attempt(state=State.PAID_LATE, resolution=answered)), config(), ENGLISH)
    assert says in told.lead
    assert "Complete the sale" not in told.lead
    assert told.acts == (Act.NEXT,)
