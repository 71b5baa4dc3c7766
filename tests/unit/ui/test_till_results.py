"""What stands on the panel after keys and results, in the real window."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication

from pos_app.domain.attempt import CancelWish, Flag, Kind, Reason, Resolution, State
from pos_app.domain.commands import Cancel, Charge, CheckNow, Close, Continue, LeavePanel, Park, SignRefund
from pos_app.domain.sale import Sale
from pos_app.domain.views import Activity, Block, Terminal
from pos_app.i18n.words.till import words
from pos_app.ui.till.payment.panel_model import present
from tests.support.driver import pass_a_tick
from tests.support.published import NIMALI, RUWAN, attempt, change, config, recent, terminal
from tests.support.stage import STATES, Stage

ENGLISH = words


class _Watch(QObject):
    """Notes whose events of some kinds there were; those that lay a panel out anew, unless told otherwise."""

    def __init__(
        self,
        parent: QObject,
        seen: list[str],
        kinds: tuple[QEvent.Type, ...] = (QEvent.Type.LayoutRequest, QEvent.Type.Resize),
    ) -> None:
        super().__init__(parent)
        self._seen = seen
        self._kinds = kinds

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in self._kinds:
            self._seen.append(watched.objectName())
        return False


ESC, F5, F6, ENTER = Qt.Key.Key_Escape, Qt.Key.Key_F5, Qt.Key.Key_F6, Qt.Key.Key_Return
ID = attempt().attempt_id
UNSURE = [State.IN_DOUBT, State.UNRESOLVED, State.DISPUTED, State.WAITING, State.INTENT]


def test_paid_stays_until_the_next_digit_which_is_the_next_amount(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    with qtbot.waitSignal(on.window.result_shown) as told:
        on.receive(change(attempt(state=State.PAID, ended_at=18_000)))
    assert told.args == ["paid"]
    assert on.part("result_headline").text() == "PAID"
    assert on.part("result_facts").text() == "QR · SANDBOX · sale 0123 · 14:07:31"
    on.receive(terminal(), change(attempt(state=State.PAID, ended_at=18_000)))
    assert on.part("result_panel").isVisible()
    on.type("7")
    assert on.part("methods_panel").isVisible()
    assert on.part("amount_figure").figure() == "7"


@pytest.mark.parametrize("state", ["waiting", "not-known", "unresolved", "disputed", "crossed"])
def test_what_is_not_settled_is_not_dismissed_by_a_digit(qtbot: Any, state: str) -> None:
    on = Stage(qtbot)
    STATES[state](on)
    shown = on.part("panel").current
    on.type("7")
    assert on.part("panel").current is shown
    assert on.window.shown_id == ID


def test_esc_asks_once_and_enter_keeps_waiting(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(ESC)
    assert on.posted == []
    on.press(ESC)
    assert on.window.overlay.top is None
    assert on.posted == []
    on.press(ESC)
    on.press(ENTER)
    assert on.posted == [], "a slip cancels nothing, here as in the list of open payments"
    on.press(ESC)
    on.press(Qt.Key.Key_Tab)
    on.press(ENTER)
    assert on.posted == [Cancel(ID, NIMALI.person_id)]


def test_the_question_goes_when_the_payment_ends(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(ESC)
    on.receive(change(attempt(state=State.PAID)))
    assert on.window.overlay.top is None
    assert on.part("result_headline").text() == "PAID"
    assert on.window.focusWidget() is on.part("amount")
    assert on.posted == []


def test_f5_checks_and_f6_parks(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(F5)
    on.press(F6)
    assert on.posted == [CheckNow(ID), Park(ID, NIMALI.person_id)]
    assert on.part("methods_panel").isVisible()
    assert on.window.focusWidget() is on.part("amount")


def test_a_parked_payment_that_ends_is_told_without_disturbing(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(F6)
    on.type("5")
    on.receive(change(attempt(state=State.PAID, parked=True)))
    assert on.part("methods_panel").isVisible()
    assert on.part("ended").text() == "SANDBOX · Sale 0123 · LKR 1,250.00 · Paid"
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


def test_what_became_of_the_newest_payment_paints_no_other_of_the_strip(qtbot: Any) -> None:
    """The strip painted all of them anew at each change, before the cashier saw the one."""
    on = Stage(qtbot)
    newest, *older = recent()
    on.receive(terminal(recent=(newest, *older)))
    on.settle()
    painted: list[str] = []
    for at in range(5):
        part = on.part(f"recent_{at}")
        part.installEventFilter(_Watch(part, painted, (QEvent.Type.Paint,)))
    on.receive(terminal(recent=(replace(newest, service_status="Customer Approved"), *older)))
    on.settle()
    assert painted == ["recent_0"]


def test_a_panel_that_nobody_sees_asks_for_no_height(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.receive(change(attempt(state=State.PAID, ended_at=18_000)))
    on.settle()
    asked = on.part("panel").layout().heightForWidth(400)
    assert (
        asked == on.part("result_panel").heightForWidth(400) != on.part("waiting_panel").heightForWidth(400)
    )


def test_nobody_is_asked_to_scan_a_code_that_is_not_there(qtbot: Any) -> None:
    """Its reply has not come, or the journal does not take it: the panel said that it was shown, and no longer is."""
    on = Stage(qtbot)
    on.begin(change(attempt(qr_text="", service_status="Merchant Initiated")))
    assert not on.seen("qr")
    assert on.part("next_step").text() == ENGLISH.wait.sending_next
    assert on.part("aside_text").text() == ""
    on.receive(change(attempt(service_status="Merchant Initiated")))
    assert on.seen("qr")
    assert on.part("next_step").text() == ENGLISH.wait.next_qr


def test_the_panel_follows_the_sales_next_attempt(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(flags=frozenset({Flag.QR_LOST}), qr_text="")))
    on.receive(change(attempt(state=State.CANCELLED)))
    on.receive(change(attempt(attempt_id="SBX-TK7M3Q9RD-0123-2", number=2)))
    assert on.window.shown_id.endswith("-2")
    assert on.part("waiting_panel").isVisible()


def test_leaving_an_unresolved_panel_is_a_wish_and_parking_is_another(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(state=State.DISPUTED, reason=Reason.OTHER_AMOUNT)))
    on.press(ESC)
    assert on.posted == [LeavePanel(ID)]
    assert on.part("methods_panel").isVisible()


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
    assert on.window.shown_id == first.attempt_id
    on.press(F6)
    assert on.window.shown_id == second.attempt_id
    on.press(F6)
    assert on.part("methods_panel").isVisible()


def test_money_that_crossed_a_cancel_and_goes_back_is_green_no_more(qtbot: Any) -> None:
    """Whoever looks at the panel next would hand the goods over beside it."""
    on = Stage(qtbot)
    on.begin(change())
    crossed = attempt(state=State.PAID, cancel_wish=CancelWish(RUWAN.person_id, 5), ended_at=14_000)
    on.receive(change(crossed))
    on.window.overlay.close_all()
    assert (on.part("panel").ground, on.text("result_headline")) == ("oksoft", "PAID")
    settled = replace(crossed, resolution=Resolution("complete", "Ruwan", "goods given", 9))
    on.receive(change(settled))
    assert (on.part("panel").ground, on.text("result_headline")) == ("oksoft", "PAID")
    assert on.text("result_lead") == "Ruwan completed the sale: goods given"
    on.receive(change(replace(crossed, resolution=Resolution("refund", "Ruwan", "cash paid", 9))))
    assert on.part("panel").ground != "oksoft"
    assert on.text("result_headline") == "Paid"
    assert on.part("result_lead").isVisible()
    assert "Ruwan noted money back" in on.text("result_lead")
    assert on.text("result_lead").endswith("cash paid")


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


def test_a_result_sounds_and_is_the_customers_once_it_is_stored(qtbot: Any) -> None:
    """Rule 15: whoever is at the till reads it before, and is told to write it down."""
    on = Stage(qtbot)
    halted = terminal(block=Block.JOURNAL_HALTED, block_detail="disk full")
    heard: list[str] = []
    told: list[tuple[State, bool]] = []
    on.window.result_shown.connect(heard.append)
    on.window.panel_changed.connect(
        lambda change, _who, is_halted: told.append((change.attempt.state, is_halted)) if change else None
    )
    on.begin(change())
    on.receive(halted, change(attempt(state=State.PAID)))
    assert heard == []
    assert told[-1] == (State.PAID, True)
    on.receive(terminal())
    assert heard == ["paid"]
    assert told[-1] == (State.PAID, False)
    on.begin(change(attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124")))
    on.receive(halted, change(attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", state=State.PAID)))
    on.part("result_next").click()
    on.receive(terminal())
    on.begin(change(attempt(attempt_id="SBX-TK7M3Q9RD-0125-1", sale_id="0125")))
    assert heard == ["paid"], "the next customer's payment runs"


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
    told = present(change(attempt(state=State.PAID_LATE), sale=sale, siblings=(second,)), config(), ENGLISH)
    assert told.headline == "PAID TWICE"
    assert told.lead == "Sale 0123 was paid twice. Refund one outside this terminal."
    assert told.more.splitlines() == ["SBX-TK7M3Q9RD-0123-1", "SBX-TK7M3Q9RD-0123-2"]
    on.receive(manager)
    assert on.part("overpaid").text() == "Sale 0123 was paid twice. Refund one outside this terminal."
    on.part("overpaid_button").click()
    on.part("settle_reason").setText("gave back in cash")
    on.part("settle_sign_refund").click()
    assert on.posted == [SignRefund("0123", "Ruwan", "gave back in cash", "p2")]


def test_a_cashier_cannot_sign_the_refund_a_manager_is_asked(qtbot: Any) -> None:
    on = Stage(qtbot)
    sale, _manager = _twice()
    on.receive(terminal(overpaid=(sale,)))
    on.part("overpaid_button").click()
    assert on.part("settle_sign_refund").text() == "Sign the refund · manager"
    on.part("settle_reason").setText("gave back in cash")
    on.part("settle_sign_refund").click()
    assert on.posted == []
    assert on.part("approval").isVisible()


def test_the_strip_shows_the_last_five_and_opens_details_not_a_green_screen(qtbot: Any) -> None:
    on = Stage(qtbot)
    older = attempt(attempt_id="SBX-TK7M3Q9RD-0100-1", sale_id="0100", tapped_at=1, state=State.PAID)
    on.receive(terminal(recent=(older, *recent())))
    assert on.part("recent_0").accessibleName() == "LKR 1,250.00 Paid 14:05"
    assert on.part("recent_4").accessibleName() == "LKR 640.00 Checking 13:54"
    on.part("recent_0").click()
    assert on.part("payment_details").isVisible()
    assert not on.seen("result_panel")
    assert "SBX-TK7M3Q9RD-0122-1" in [on.part(f"details_{at}").text() for at in range(12)]


def test_f8_lists_and_opens_a_payments_panel(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(attention=(attempt(state=State.UNRESOLVED, reason=Reason.GAVE_UP),)))
    on.press(Qt.Key.Key_F8)
    listed = on.part("open_payments")
    listed.opened.emit(ID)
    assert on.window.overlay.top is None
    assert on.part("result_headline").text() == "NOT KNOWN YET"


def test_f1_explains_the_keys(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.press(Qt.Key.Key_F1)
    assert on.part("help").isVisible()


def test_nobody_signed_in_is_asked_and_may_not_go_around_it(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=None))
    assert on.part("sign_in").isVisible()
    on.press(ESC)
    on.type("5")
    on.press(Qt.Key.Key_F2)
    assert on.part("sign_in").isVisible()
    assert on.part("amount_figure").figure() == "0.00"
    assert on.commands(Charge) == []
    on.receive(terminal())
    assert on.window.overlay.top is None


def test_a_tick_of_the_clock_lays_nothing_out(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    qtbot.waitUntil(lambda: on.part("qr").is_shown)
    on.settle()
    panel = on.part("waiting_panel")
    layout = panel.layout()
    asked: list[str] = []
    panel.installEventFilter(_Watch(panel, asked))
    for _ in range(5):
        pass_a_tick(panel)
    on.settle()
    assert asked == []
    assert layout is panel.layout()


def test_what_was_signed_off_says_as_what_by_whom_and_why(qtbot: Any) -> None:
    """It said only "Signed off", and why the till had asked for it."""
    on = Stage(qtbot)
    signed = attempt(
        state=State.SIGNED_OFF,
        reason=Reason.GAVE_UP,
        owner="p1",
        ended_at=78_000,
        wallet_transaction_id="8834711002345678",
        resolution=Resolution("not_paid", "Ruwan", "Seen in the list", 1),
    )
    on.receive(terminal(people=(NIMALI, RUWAN), recent=(signed,)))
    assert "Signed off as not paid" in on.part("recent_0").accessibleName()
    on.part("recent_0").click()
    rows = [on.part(f"details_{at}").text().replace("\u200b", "") for at in range(12)]
    assert "Ruwan signed it off as not paid: Seen in the list" in rows
    assert not any("ran out" in row for row in rows)
    assert "Nimali" in rows
    assert "2025-11-21 14:07" in rows
    assert "2025-11-21 14:08:31" in rows
    assert on.part("details_title").text() == "Payment"
    on.part("details_copy").click()
    assert QGuiApplication.clipboard().text() == f"{signed.attempt_id}\n8834711002345678"
    assert on.part("details_copy").text() == "Copied"


def test_nothing_is_copied_from_a_till_that_has_the_screen_to_itself(qtbot: Any) -> None:
    on = Stage(qtbot, leave=lambda: None)
    on.part("recent_0").click()
    assert on.part("payment_details").isVisible()
    assert not on.seen("details_copy")


@pytest.mark.parametrize("state", [State.FAILED, State.CANCELLED, State.PAID])
def test_what_has_ended_is_not_waited_for_again_from_a_list_that_was_drawn_before(
    qtbot: Any, state: State
) -> None:
    """Its end is published before the lists are: whoever is as quick as that touches the older one."""
    on = Stage(qtbot)
    waiting = change(attempt())
    on.begin(waiting)
    on.receive(terminal(open=(waiting.attempt,), recent=(waiting.attempt, *recent()[:4])))
    on.receive(change(attempt(state=state, reason=Reason.CUSTOMER_REJECTED), may_start_another=True))
    on.press(ESC)
    assert on.seen("methods_panel")
    on.touch("recent_0")
    assert on.seen("payment_details")
    assert not on.seen("waiting_panel")
    on.press(ESC)
    on.press(Qt.Key.Key_F8)
    on.touch(f"show_{ID}")
    assert not on.seen("waiting_panel")
    assert on.seen("result_panel")


def test_a_list_that_was_drawn_since_is_believed(qtbot: Any) -> None:
    """The service has taken it up again: what had ended is open."""
    on = Stage(qtbot)
    waiting = change(attempt())
    on.begin(waiting)
    on.receive(terminal(open=(waiting.attempt,), recent=(waiting.attempt,)))
    refused = attempt(state=State.REFUSED, code="5003")
    on.receive(change(refused), terminal(recent=(refused,)))
    on.press(ESC)
    on.receive(terminal(open=(waiting.attempt,), recent=(waiting.attempt,)))
    on.touch("recent_0")
    assert on.seen("waiting_panel")
