"""The running payment and its result: what is said, what may be done, what stays, and what must be answered."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, Qt

from pos_app.domain.attempt import CancelWish, Flag, Kind, Reason, Resolution, State
from pos_app.domain.sale import Sale
from pos_app.domain.views import Activity, Block, Connection, Terminal
from pos_app.domain.wishes import (
    Answer,
    Cancel,
    Charge,
    CheckNow,
    Close,
    Continue,
    LeavePanel,
    Park,
    SignRefund,
)
from pos_app.ui.till.telling import Act, Tone, tell
from pos_app.ui.till.waiting_words import age, minutes, next_step, stage, trouble
from pos_app.ui.words import words
from tests.ui.till_cases import NIMALI, RUWAN, attempt, change, face, recent, terminal
from tests.ui.till_stage import STATES, WISH, Stage

ENGLISH = words("en")


class _Watch(QObject):
    """Counts the events that lay a panel out anew."""

    def __init__(self, parent: QObject, seen: list[int]) -> None:
        super().__init__(parent)
        self._seen = seen

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._seen.append(event.type().value)
        return False


ESC, F5, F6, ENTER = Qt.Key.Key_Escape, Qt.Key.Key_F5, Qt.Key.Key_F6, Qt.Key.Key_Return
ID = attempt().attempt_id
UNSURE = [State.IN_DOUBT, State.UNRESOLVED, State.DISPUTED, State.WAITING, State.INTENT]


@pytest.mark.parametrize("state", UNSURE)
@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("wish", [None, WISH])
def test_nothing_that_is_not_certain_offers_to_pay_again(
    state: State, kind: Kind, shown: bool, wish: CancelWish | None
) -> None:
    it = attempt(state=state, kind=kind, shown=shown, cancel_wish=wish)
    acts = tell(change(it, may_start_another=True), face(), ENGLISH).acts
    assert Act.QR not in acts
    assert Act.PUSH not in acts
    assert Act.NEXT not in acts
    assert acts


@pytest.mark.parametrize("state", list(State))
def test_only_paid_is_told_as_paid(state: State) -> None:
    telling = tell(change(attempt(state=state)), face(), ENGLISH)
    assert (telling.tone is Tone.PAID) == (state is State.PAID)
    assert (telling.headline == "PAID") == (state is State.PAID)


def test_not_known_says_what_it_means_for_the_money() -> None:
    telling = tell(change(attempt(state=State.IN_DOUBT, shown=False)), face(), ENGLISH)
    assert telling.headline == "NOT KNOWN YET"
    assert telling.lead == "Do not take the payment again."
    assert telling.more.startswith("We do not know yet whether the customer was charged.")


@pytest.mark.parametrize("code", [str(code) for code in range(5001, 5016)])
def test_a_refusal_names_the_code_in_our_words(code: str) -> None:
    it = attempt(state=State.REFUSED, code=code, refusal_opened=True)
    telling = tell(change(it, may_start_another=True), face(), ENGLISH)
    assert telling.headline == "NOT PAID"
    assert telling.lead == f"Refused: {ENGLISH.code[code].said.rstrip('.')} ({code})"
    assert telling.more == ENGLISH.code[code].todo


def test_an_unknown_code_still_has_words() -> None:
    telling = tell(change(attempt(state=State.REFUSED, code="5999"), may_start_another=True), face(), ENGLISH)
    assert telling.lead == "Refused: a reason this till does not know (5999)"


@pytest.mark.parametrize("reason", [Reason.NO_NAME, Reason.NO_CONNECTION, Reason.NOT_PROVEN])
def test_not_sent_says_that_nothing_went_out(reason: Reason) -> None:
    telling = tell(change(attempt(state=State.NOT_SENT, reason=reason)), face(), ENGLISH)
    assert "nothing was sent to the customer" in telling.lead
    assert telling.more == ENGLISH.reason[reason]


def test_the_other_method_comes_first_after_a_failure() -> None:
    for kind, first in ((Kind.QR, Act.PUSH), (Kind.PUSH, Act.QR)):
        acts = tell(
            change(attempt(state=State.FAILED, kind=kind), may_start_another=True), face(), ENGLISH
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


def test_a_cancel_says_how_it_goes() -> None:
    for flag in (Flag.CANCEL_TOO_LATE, Flag.CANCEL_NOT_ALLOWED, Flag.QR_LOST):
        said = next_step(attempt(cancel_wish=WISH, flags=frozenset({flag})), 5, ENGLISH).sentence
        assert said == ENGLISH.flag[flag]


def test_connection_trouble_counts_down() -> None:
    lost = Activity(connection=Connection.LOST, next_ask_in_s=4)
    assert trouble("0123", lost, 1, ENGLISH).endswith("Next check in 3 s.")
    assert trouble("0123", lost, 9, ENGLISH).endswith("Next check in 0 s.")
    assert "Payment 0123 stays open" in trouble(
        "0123", Activity(connection=Connection.SIGN_IN_REFUSED), 0, ENGLISH
    )
    assert trouble("0123", Activity(), 0, ENGLISH) == ""
    assert [minutes(17), minutes(725)] == ["0:17", "12:05"]
    assert [age(40, ENGLISH), age(125, ENGLISH), age(7300, ENGLISH)] == ["40 s", "2 min", "2 h"]


def test_paid_stays_until_the_next_digit_which_is_the_next_amount(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    with qtbot.waitSignal(on.window.result_shown) as told:
        on.receive(change(attempt(state=State.PAID, ended_at=18_000)))
    assert told.args == ["paid"]
    assert on.part("result_headline").text() == "PAID"
    assert on.part("result_facts").text() == "QR · sale 0123 · 14:07:31"
    on.receive(terminal(), change(attempt(state=State.PAID, ended_at=18_000)))
    assert on.part("result_panel").isVisible()
    on.type(qtbot, "7")
    assert on.part("methods_panel").isVisible()
    assert on.part("amount_figure").figure() == "7"


@pytest.mark.parametrize("state", ["waiting", "not-known", "unresolved", "disputed", "crossed"])
def test_what_is_not_settled_is_not_dismissed_by_a_digit(qtbot: Any, state: str) -> None:
    on = Stage(qtbot)
    STATES[state](on)
    shown = on.window._panels.current
    on.type(qtbot, "7")
    assert on.window._panels.current is shown
    assert on.window._desk.shown_id == ID


def test_esc_asks_once_and_enter_cancels(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(qtbot, ESC)
    assert on.posted == []
    on.press(qtbot, ESC)
    assert on.window.overlay.top is None
    assert on.posted == []
    on.press(qtbot, ESC)
    on.press(qtbot, ENTER)
    assert on.posted == [Cancel(ID, NIMALI.person_id)]


def test_the_question_goes_when_the_payment_ends(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(qtbot, ESC)
    on.receive(change(attempt(state=State.PAID)))
    assert on.window.overlay.top is None
    assert on.part("result_headline").text() == "PAID"
    assert on.window.focusWidget() is on.part("amount")
    assert on.posted == []


def test_f5_checks_and_f6_parks(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(qtbot, F5)
    on.press(qtbot, F6)
    assert on.posted == [CheckNow(ID), Park(ID, NIMALI.person_id)]
    assert on.part("methods_panel").isVisible()
    assert on.window.focusWidget() is on.part("amount")


def test_a_parked_payment_that_ends_is_told_without_disturbing(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(qtbot, F6)
    on.type(qtbot, "5")
    on.receive(change(attempt(state=State.PAID, parked=True)))
    assert on.part("methods_panel").isVisible()
    assert on.part("ended").text() == "Sale 0123 · LKR 1,250.00 · Paid"
    on.part("ended_button").click()
    assert on.part("result_headline").text() == "PAID"
    assert on.part("amount_figure").figure() == "5"


def test_a_result_is_bound_to_its_own_attempt(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    other = attempt(attempt_id="SBX-TK7M3Q9RD-0200-1", sale_id="0200", state=State.PAID)
    on.receive(change(other))
    assert on.part("waiting_panel").isVisible()
    assert not on.seen("result_panel")


def test_the_panel_follows_the_sales_next_attempt(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(flags=frozenset({Flag.QR_LOST}), qr_text="")))
    on.receive(change(attempt(state=State.CANCELLED)))
    on.receive(change(attempt(attempt_id="SBX-TK7M3Q9RD-0123-2", number=2)))
    assert on.window._desk.shown_id.endswith("-2")
    assert on.part("waiting_panel").isVisible()


def test_leaving_an_unresolved_panel_is_a_wish_and_parking_is_another(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(state=State.DISPUTED, reason=Reason.OTHER_AMOUNT)))
    on.press(qtbot, ESC)
    assert on.posted == [LeavePanel(ID)]
    assert on.part("methods_panel").isVisible()


LATE = attempt(state=State.PAID_LATE, ended_at=18_000)


def test_a_late_payment_is_modal_for_its_cashier_and_takes_no_focus(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type(qtbot, "12")
    on.receive(change(LATE))
    assert on.part("answer_panel").isVisible()
    assert on.part("settle_title").text() == "LATE PAYMENT · LKR 1,250.00"
    assert on.window.focusWidget() is on.part("amount")
    on.type(qtbot, "5")
    assert on.part("amount_figure").figure() == "125"
    for key in (Qt.Key.Key_F2, Qt.Key.Key_F3, ENTER, F6):
        on.press(qtbot, key)
    assert on.posted == []


def test_a_late_payment_is_answered_with_name_and_reason(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(change(LATE))
    on.part("settle_complete").click()
    assert on.posted == []
    assert on.part("settle_reason_error").isVisible()
    on.part("settle_reason_suggestion_0").click()
    on.part("settle_complete").click()
    assert on.posted == [Answer(ID, "complete", "Nimali", "The customer has the goods")]
    assert on.window.overlay.top is None


def test_a_late_payment_of_a_colleague_is_on_the_badge_alone(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=RUWAN, attention=(LATE,)), change(LATE))
    assert on.window.overlay.top is None
    assert on.part("open_badge").isVisible()
    assert on.part("open_badge").text() == "1 open payment"
    on.receive(terminal(signed_in=NIMALI, attention=(LATE,)))
    assert on.part("answer_panel").isVisible()


def test_a_late_payment_put_aside_is_not_raised_again_but_stays_on_the_badge(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(attention=(LATE,)), change(LATE))
    on.press(qtbot, ESC)
    assert on.window.overlay.top is None
    on.receive(change(LATE), terminal(attention=(LATE,)))
    assert on.window.overlay.top is None
    assert on.part("open_badge").isVisible()


def test_an_alert_that_was_settled_elsewhere_goes_away(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(change(LATE))
    settled = attempt(state=State.PAID_LATE, resolution=Resolution("refund", "Ruwan", "in cash", 9))
    on.receive(change(settled))
    assert on.window.overlay.top is None


def test_two_late_payments_are_asked_about_one_after_the_other(qtbot: Any) -> None:
    on = Stage(qtbot)
    second = attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", state=State.PAID_LATE)
    on.receive(change(LATE), change(second))
    assert len(on.window.overlay.panels) == 1
    for _ in range(2):
        on.part("settle_reason").setText("as agreed")
        on.part("settle_refund").click()
    assert {wish.attempt_id for wish in on.wishes(Answer)} == {LATE.attempt_id, second.attempt_id}


def test_paid_in_spite_of_a_cancel_must_be_answered(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(cancel_wish=WISH)))
    on.receive(change(attempt(state=State.PAID, cancel_wish=WISH)))
    assert on.part("answer_panel").isVisible()
    on.press(qtbot, ESC)
    assert on.part("result_lead").text().startswith("Paid before the cancel arrived")
    on.type(qtbot, "7")
    assert on.part("result_panel").isVisible()
    on.part("result_answer").click()
    assert on.part("answer_panel").isVisible()


def test_before_a_restart_the_cashier_chooses_continue_or_close(qtbot: Any) -> None:
    on = Stage(qtbot)
    old = attempt(state=State.IN_DOUBT, kind=Kind.PUSH, shown=False)
    before = Activity(from_before_restart=True, may_continue=True)
    on.receive(change(old, activity=before))
    assert "Finishing a payment from before the restart (sale 0123" in on.part("result_more").text()
    on.part("result_continue").click()
    on.part("result_close").click()
    on.part("question_yes").click()
    assert on.posted == [Continue(ID, NIMALI.person_id), Close(ID, NIMALI.person_id)]
    on.receive(change(old, activity=Activity(from_before_restart=True)))
    assert not on.seen("result_continue")
    assert on.seen("result_close")


def test_payments_from_before_come_one_after_the_other(qtbot: Any) -> None:
    on = Stage(qtbot)
    before = Activity(from_before_restart=True)
    first = attempt(state=State.IN_DOUBT, shown=False)
    second = attempt(state=State.IN_DOUBT, shown=False, attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124")
    on.receive(change(first, activity=before), change(second, activity=before))
    assert on.window._desk.shown_id == first.attempt_id
    on.press(qtbot, F6)
    assert on.window._desk.shown_id == second.attempt_id
    on.press(qtbot, F6)
    assert on.part("methods_panel").isVisible()


def test_a_result_that_cannot_be_recorded_is_to_be_written_down(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.receive(
        terminal(block=Block.JOURNAL_HALTED, block_detail="disk full"), change(attempt(state=State.PAID))
    )
    assert on.part("write_down").text() == "WRITE DOWN: sale 0123 PAID 1,250.00"
    assert on.part("write_down").isVisible()
    on.receive(terminal())
    assert not on.part("write_down").isVisible()


def _twice() -> tuple[Sale, Terminal]:
    sale = Sale(
        sale_id="0123",
        amount=attempt().amount,
        currency="LKR",
        counter_id=3,
        owner="p1",
        opened_at=1,
        overpaid=True,
    )
    return sale, terminal(signed_in=RUWAN, overpaid=(sale,))


def test_a_sale_paid_twice_is_never_green_and_a_manager_signs(qtbot: Any) -> None:
    on = Stage(qtbot)
    sale, manager = _twice()
    second = attempt(attempt_id="SBX-TK7M3Q9RD-0123-2", number=2, state=State.PAID)
    told = tell(change(attempt(state=State.PAID_LATE), sale=sale, siblings=(second,)), face(), ENGLISH)
    assert told.headline == "PAID TWICE"
    assert "SBX-TK7M3Q9RD-0123-1, SBX-TK7M3Q9RD-0123-2" in told.lead
    on.receive(manager)
    assert on.part("overpaid").text() == "Sale 0123 was paid twice. Refund one outside this terminal."
    on.part("overpaid_button").click()
    on.part("settle_reason").setText("gave back in cash")
    on.part("settle_sign_refund").click()
    assert on.posted == [SignRefund("0123", "Ruwan", "gave back in cash")]


def test_a_cashier_cannot_sign_the_refund(qtbot: Any) -> None:
    on = Stage(qtbot)
    sale, _manager = _twice()
    on.receive(terminal(overpaid=(sale,)))
    on.part("overpaid_button").click()
    assert not on.seen("settle_sign_refund")
    assert on.part("question_question").text() == "A manager has to sign this."


def test_the_strip_shows_the_last_five_and_opens_details_not_a_green_screen(qtbot: Any) -> None:
    on = Stage(qtbot)
    older = attempt(attempt_id="SBX-TK7M3Q9RD-0100-1", sale_id="0100", tapped_at=1, state=State.PAID)
    on.receive(terminal(recent=(older, *recent())))
    assert on.part("recent_0").accessibleName() == "LKR 1,250.00 Paid 14:05"
    assert on.part("recent_4").accessibleName() == "LKR 640.00 Checking 13:54"
    on.part("recent_0").click()
    assert on.part("payment_details").isVisible()
    assert not on.seen("result_panel")
    assert "SBX-TK7M3Q9RD-0122-1" in [on.part(f"details_{at}").text() for at in range(7)]


def test_f8_lists_and_opens_a_payments_panel(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(attention=(attempt(state=State.UNRESOLVED, reason=Reason.GAVE_UP),)))
    on.press(qtbot, Qt.Key.Key_F8)
    listed = on.part("open_payments")
    listed.opened.emit(ID)
    assert on.window.overlay.top is None
    assert on.part("result_headline").text() == "NOT KNOWN YET"


def test_f1_explains_the_keys(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.press(qtbot, Qt.Key.Key_F1)
    assert on.part("help").isVisible()


def test_nobody_signed_in_is_asked_and_may_not_go_around_it(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=None))
    assert on.part("sign_in").isVisible()
    on.press(qtbot, ESC)
    on.type(qtbot, "5")
    on.press(qtbot, Qt.Key.Key_F2)
    assert on.part("sign_in").isVisible()
    assert on.part("amount_figure").figure() == "0.00"
    assert on.wishes(Charge) == []
    on.receive(terminal())
    assert on.window.overlay.top is None


def test_a_tick_of_the_clock_lays_nothing_out(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    qtbot.waitUntil(lambda: on.part("qr").is_shown)
    qtbot.wait(1)
    panel = on.part("waiting_panel")
    layout = panel.layout()
    asked: list[int] = []
    panel.installEventFilter(_Watch(panel, asked))
    for _ in range(5):
        panel._show_time()
    qtbot.wait(1)
    assert asked == []
    assert layout is panel.layout()
