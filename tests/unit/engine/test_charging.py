"""From a tap to an attempt: what is durable before a byte leaves, what declines, rules 1, 5, 9, 13 and 17."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Cancel, CheckNow, Close, Continue, Park, SignRefund
from pos_app.domain.ids import sale_and_number
from pos_app.domain.money import currency
from pos_app.domain.replies import Accepted, CancelAccepted, Refused, StatusReport
from pos_app.domain.views import AttemptChanged, Block, ChargeOpened, Connection, Decline
from pos_app.engine.connection.calls import HELD_BACK
from pos_app.engine.core.journal_store import JournalStore
from tests.unit.domain.flow.story import NOT_FOUND, TIME_OUT
from tests.unit.engine.rig import AMOUNT, NUMBER, Rig


@pytest.mark.parametrize("kind", list(Kind))
def test_a_payment_from_tap_to_paid(rig: Rig, journal: JournalStore, kind: Kind) -> None:
    """And its trace in the journal: each state from the one before."""
    attempt_id = rig.pay(kind, invoice_number="INV-7")
    written = journal.attempt(attempt_id)
    assert written is not None
    assert (written.state, written.amount, written.invoice_number) == (State.PAID, AMOUNT, "INV-7")
    events = journal.events_of(attempt_id)
    assert [event.kind for event in events[:2]] == ["INTENT", "INITIATE_ANSWERED"]
    path = [state for event in events for state in event.path[1:] or event.path]
    assert path == [State.INTENT, State.WAITING, State.PAID]
    assert rig.terminal.recent[0].attempt_id == attempt_id


def test_the_intent_holds_the_bytes_and_no_wallet_number_in_clear(rig: Rig, journal: JournalStore) -> None:
    """Rule 1; the number lies sealed."""
    attempt_id = rig.charge(Kind.PUSH)
    (intent,) = journal.events_of(attempt_id)
    assert intent.attempt is not None
    assert intent.attempt.wallet_mask == "+94 •• ••• 567"
    assert NUMBER not in str(intent.content) + str(intent.attempt)
    assert journal.unsealed(attempt_id) == rig.calls.bodies[0]
    assert NUMBER.encode() in rig.calls.bodies[0]


def test_a_re_send_is_byte_identical_even_after_a_restart(rig: Rig) -> None:
    """The one safe re-send."""
    attempt_id = rig.charge(Kind.PUSH)
    first = rig.calls.bodies[0]
    rig.initiated(TIME_OUT)
    rig.wait(0)
    rig.asked(NOT_FOUND)
    rig.wait(3)
    rig.asked(NOT_FOUND)
    assert rig.calls.bodies == [first, first]
    rig.restart()
    rig.asked(NOT_FOUND)
    rig.tell(Continue(attempt_id, "person-1"))
    assert rig.calls.bodies == [first]


def test_bytes_have_a_minute_from_the_tap_to_leave(rig: Rig) -> None:
    """Rule 3, wherever they wait; those that close an id have any time (3a)."""
    attempt_id = rig.charge(Kind.PUSH)
    rig.initiated(TIME_OUT)
    rig.wait(0)
    rig.asked(NOT_FOUND)
    rig.wait(3)
    rig.asked(NOT_FOUND)
    rig.initiated(TIME_OUT, "re-send")
    rig.tell(Close(attempt_id, "person-1"))
    assert rig.calls.within_ms == [60_000, 57_000, None]
    assert not rig.calls.held_back


def test_a_cancel_while_the_first_bytes_are_on_their_way_holds_them_back(rig: Rig) -> None:
    """If none has left by the time the wish is durable, none does: a phone does not ring behind a cancel."""
    attempt_id = rig.charge(Kind.PUSH)
    rig.tell(Cancel(attempt_id, "person-1"))
    assert rig.calls.held_back == [attempt_id]
    rig.initiated(HELD_BACK)
    assert rig.state(attempt_id) is State.NOT_SENT
    assert rig.connection() is Connection.UNKNOWN
    assert rig.charge(Kind.PUSH, sale_id=rig.attempt(attempt_id).sale_id)


@pytest.mark.parametrize("amount", ["0", "-1", "1.005", "1000000", "NaN", "Infinity", "1e400"])
def test_a_bad_amount_starts_nothing(rig: Rig, amount: str) -> None:
    """Nothing is written, nothing is sent."""
    assert not rig.charge(amount=Decimal(amount))
    assert rig.why() is Decline.BAD_AMOUNT
    assert rig.names() == ["probe"]


def test_a_bad_number_starts_nothing(rig: Rig) -> None:
    """A landline is no wallet."""
    assert not rig.charge(Kind.PUSH, wallet_number="+94112345678")
    assert rig.why() is Decline.BAD_NUMBER


@pytest.mark.parametrize("text", ["x" * 41, "<b>PAID</b>", "a\0b", "\x1b@", "   ", "٣"])
@pytest.mark.parametrize("field", ["invoice_number", "payment_reference"])
def test_a_text_that_no_receipt_can_hold_starts_nothing(rig: Rig, field: str, text: str) -> None:
    """Nothing is written, nothing is sent."""
    assert not rig.charge(Kind.QR, AMOUNT, **{field: text})
    assert rig.why() is Decline.BAD_TEXT
    assert rig.names() == ["probe"]


def test_an_unknown_sale_takes_no_attempt(rig: Rig) -> None:
    """Nor one of another amount."""
    assert not rig.charge(sale_id="0099")
    assert rig.why() is Decline.UNKNOWN_SALE
    attempt_id = rig.pay()
    assert not rig.charge(amount=AMOUNT + 1, sale_id=rig.attempt(attempt_id).sale_id)
    assert rig.why() is Decline.BAD_AMOUNT


def test_sales_have_numbers_one_after_the_other(rig: Rig) -> None:
    """And each its own ids."""
    first, second = rig.pay(), rig.pay()
    assert [rig.attempt(each).sale_id for each in (first, second)] == ["0001", "0002"]
    assert sale_and_number(first) == ("0001", 1)
    assert first.startswith("SBX-T")


def test_another_attempt_waits_until_the_earlier_one_is_closed(rig: Rig) -> None:
    """Rule 5."""
    first = rig.charge()
    rig.initiated()
    assert not rig.charge(sale_id="0001")
    assert rig.why() is Decline.EARLIER_ATTEMPT_OPEN
    rig.asked("Customer Reject")
    second = rig.charge(sale_id="0001")
    assert sale_and_number(second) == ("0001", 2)
    assert not rig.last(AttemptChanged).may_start_another
    assert rig.state(first) is State.FAILED


def test_a_sale_in_another_currency_takes_no_attempt(rig: Rig) -> None:
    """The service is told a number: 12.50 dollars would be charged as 12.50 rupees."""
    rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked("Customer Reject")
    rig.config = replace(rig.config, currency=currency("USD"))
    rig.restart()
    before = len(rig.calls.bodies)
    assert not rig.charge(sale_id="0001")
    assert rig.why() is Decline.BAD_AMOUNT
    assert len(rig.calls.bodies) == before
    assert rig.charge()


def test_another_attempt_waits_for_the_initiate_under_way(rig: Rig) -> None:
    """Rule 5: one initiate in flight per sale, even when an ask was quicker."""
    rig.charge(Kind.PUSH)
    rig.wait(4)
    attempt_id = rig.asked("Customer Reject")
    assert rig.state(attempt_id) is State.FAILED
    assert not rig.last(AttemptChanged).may_start_another
    assert not rig.charge(sale_id="0001")
    rig.initiated(TIME_OUT)
    assert rig.last(AttemptChanged).may_start_another
    assert rig.charge(sale_id="0001")


def test_a_refused_attempt_in_the_way_is_asked_about(rig: Rig) -> None:
    """Rule 4: one ask opens the sale, also long after the checks have run out."""
    rig.charge()
    rig.initiated(Refused("5003"))
    rig.wait(0)
    rig.asked(TIME_OUT)
    rig.restart(off_s=8 * 86_400)
    rig.calls.made.clear()
    assert not rig.charge(sale_id="0001")
    rig.asked(NOT_FOUND)
    assert rig.charge(sale_id="0001")


def test_two_attempts_that_took_money_are_overpaid_until_a_manager_signs(
    rig: Rig, journal: JournalStore
) -> None:
    """Rule 9; a third payment opens the task again."""
    rig.sign_in()
    first = rig.charge()
    rig.initiated()
    rig.tell(Cancel(first, "person-1"))
    rig.cancelled(CancelAccepted())
    rig.asked("Merchant Cancel")
    second = rig.charge(sale_id="0001")
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Success", second)
    assert not rig.terminal.overpaid
    rig.wait(9)
    rig.asked("Payment Success", first)
    assert rig.state(first) is State.PAID_LATE
    assert [sale.sale_id for sale in rig.terminal.overpaid] == ["0001"]
    rig.tell(SignRefund("0001", "Nimali", "given back in cash"))
    assert not rig.terminal.overpaid
    sale = journal.sale("0001")
    assert sale is not None
    assert sale.refund is not None
    assert sale.refund.name == "Nimali"
    rig.restart()
    assert not rig.terminal.overpaid


def test_money_after_the_refund_was_signed_opens_the_task_again(rig: Rig) -> None:
    """Rule 9: three attempts, two of them paid late, one after the other."""
    rig.sign_in()
    first = rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked("Customer Reject", first)
    second = rig.charge(sale_id="0001")
    rig.initiated()
    rig.wait(3)
    rig.asked("Customer Reject", second)
    third = rig.charge(sale_id="0001")
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Success", third)
    for late in (first, second):
        rig.tell(CheckNow(late))
        rig.asked("Payment Success", late)
        assert [sale.sale_id for sale in rig.terminal.overpaid] == ["0001"]
        rig.tell(SignRefund("0001", "Nimali", "given back"))
        assert not rig.terminal.overpaid


def test_a_refund_is_signed_by_a_manager_alone(rig: Rig) -> None:
    """Rule 9."""
    rig.pay()
    rig.tell(SignRefund("0001", "Nobody", "?"))
    sale = rig.journal.sale("0001")
    assert sale is not None
    assert sale.refund is None


@pytest.mark.parametrize("how", ["open", "parked", "unresolved"])
def test_a_charge_that_looks_like_an_open_one_asks_once(rig: Rig, journal: JournalStore, how: str) -> None:
    """Rule 17: the same amount; the answer is journalled."""
    first = rig.charge()
    rig.initiated(TIME_OUT if how == "unresolved" else None)
    if how == "parked":
        rig.tell(Park(first, "person-1"))
    rig.wait(310 if how == "unresolved" else 120)
    assert not rig.charge()
    assert rig.why() is Decline.LOOKS_OPEN
    assert rig.declined.similar is not None
    assert rig.declined.similar.attempt_id == first
    assert rig.declined.similar_age_s >= 120
    second = rig.charge(another_customer=True)
    assert journal.events_of(second)[0].content == {"another_customer": True}


def test_a_charge_to_the_same_number_asks_too(rig: Rig) -> None:
    """Whatever the amount."""
    rig.charge(Kind.PUSH)
    rig.initiated()
    assert not rig.charge(Kind.PUSH, amount=AMOUNT + 5)
    assert rig.charge(Kind.PUSH, amount=AMOUNT + 5, wallet_number="+94771234568")


def test_the_same_sale_once_more_asks_about_another_ones_payment(rig: Rig, journal: JournalStore) -> None:
    """Rule 17: whoever typed the sale anew, and then goes back to the first, would have it paid twice."""
    first = rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Fail")
    sale = rig.attempt(first).sale_id
    second = rig.charge()
    rig.initiated()
    assert second
    assert not rig.charge(sale_id=sale)
    assert rig.why() is Decline.LOOKS_OPEN
    assert rig.declined.similar is not None
    assert rig.declined.similar.attempt_id == second
    third = rig.charge(sale_id=sale, another_customer=True)
    assert journal.events_of(third)[0].content == {"another_customer": True}


def test_the_same_sale_to_a_number_that_is_asked_already_asks_too(rig: Rig) -> None:
    """The number was not known of the sale before."""
    first = rig.charge()
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Fail")
    rig.charge(Kind.PUSH, amount=AMOUNT + 5)
    rig.initiated()
    sale = rig.attempt(first).sale_id
    assert not rig.charge(Kind.PUSH, sale_id=sale)
    assert rig.why() is Decline.LOOKS_OPEN
    assert rig.charge(Kind.PUSH, sale_id=sale, wallet_number="+94771234568")


def test_a_charge_does_not_ask_about_what_is_old_or_over(rig: Rig) -> None:
    """15 minutes; and an end is an end."""
    rig.pay()
    assert rig.charge()
    rig.initiated()
    rig.wait(900)
    assert rig.charge()


def test_a_double_tap_starts_one_payment(rig: Rig) -> None:
    """Two taps of the same customer: the second is asked about."""
    assert rig.charge()
    assert not rig.charge()
    assert rig.names().count("initiate") == 1


def test_a_result_is_bound_to_its_attempt(rig: Rig) -> None:
    """Rule 13: two customers at once; the answers come crossed."""
    first = rig.charge()
    rig.initiated()
    second = rig.charge(amount=AMOUNT + 1)
    rig.initiated()
    rig.wait(3)
    assert {call[1] for call in rig.calls.made if call[0] == "ask"} == {first, second}
    rig.asked("Payment Success", second)
    assert (rig.state(first), rig.state(second)) == (State.WAITING, State.PAID)


def test_a_lost_qr_is_replaced_without_a_touch_three_times_at_most(rig: Rig) -> None:
    """Rule 3c."""
    rig.charge()
    for number in (1, 2, 3):
        attempt_id = rig.initiated(Accepted(f"W-{number}", "", ""))
        assert sale_and_number(attempt_id) == ("0001", number)
        rig.cancelled(CancelAccepted())
        rig.asked(StatusReport("Merchant Cancel", attempt_id, f"W-{number}"))
        assert rig.state(attempt_id) is State.CANCELLED
    assert "initiate" not in rig.names()
    opened = [each for each in rig.shown if isinstance(each, ChargeOpened)]
    assert len(opened) == 3


def test_no_charge_before_the_till_is_open(rig: Rig) -> None:
    """Rule 12: blocked, not lost; nothing is written."""
    rig.charge()
    rig.restart()
    assert rig.block() is Block.STARTING
    assert not rig.charge(amount=AMOUNT + 1)
    assert (rig.declined.decline, rig.declined.block) == (Decline.BLOCKED, Block.STARTING)
