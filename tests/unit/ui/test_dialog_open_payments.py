"""The list of open payments: what each may still do, by whom, and what is asked before it is done."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from pos_app.domain.attempt import Attempt, CancelWish, Kind, Reason, State
from pos_app.domain.commands import Answer, Cancel, CheckNow, Close, Continue, SignRefund
from pos_app.domain.rights import Act, Grant
from pos_app.domain.sale import Sale
from pos_app.domain.views import Activity, CommandRefused, StaffProblem, Terminal
from pos_app.ui.dialogs.payments.open_payments import MOST_ROWS, OpenPayments, OpenRow
from pos_app.ui.dialogs.payments.open_steps import Step, advice, age_s, listed
from pos_app.ui.dialogs.payments.settle import Settle
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label
from tests.support.driver import ticking
from tests.support.published import NIMALI, RUWAN, attempt, change, config, terminal
from tests.unit.ui.dialog_cases import Key, Posted, faults, focused, press, settle, shown

NOW = datetime.fromisoformat("2025-11-21T14:09:20+05:30")
ID = attempt().attempt_id


def open_list(qtbot: QtBot, posted: Posted, seen: Terminal, **stage: Any) -> OpenPayments:
    made = OpenPayments(config(), posted, seen, now=lambda: NOW)
    shown(qtbot, made, width=860, **stage)
    return made


def button(panel: OpenPayments, name: str) -> Button:
    found = panel.findChild(Button, name)
    assert found is not None, f"no button {name}"
    return found


@pytest.fixture
def posted() -> Posted:
    return Posted()


def steps(of: Attempt, **activity: Any) -> tuple[Step, ...]:
    return advice(of, Activity(**activity)).steps


@pytest.mark.parametrize(
    "state", [State.INTENT, State.IN_DOUBT, State.WAITING, State.UNRESOLVED, State.DISPUTED]
)
def test_no_open_payment_can_be_taken_again_from_the_list(state: State) -> None:
    said = advice(attempt(state=state), Activity())
    assert said.sentence
    assert Step.CHECK in said.steps


@pytest.mark.parametrize("state", [State.UNRESOLVED, State.DISPUTED])
def test_only_a_manager_signs_off_which_the_button_says(qtbot: QtBot, posted: Posted, state: State) -> None:
    panel = open_list(qtbot, posted, terminal(attention=(attempt(state=state),)))
    assert button(panel, f"sign_off_{ID}").text() == "Sign off · manager"
    panel.receive(terminal(signed_in=RUWAN, attention=(attempt(state=state),)))
    assert button(panel, f"sign_off_{ID}").text() == "Sign off"


def test_what_is_another_s_needs_a_manager_and_is_not_posted(qtbot: QtBot, posted: Posted) -> None:
    wanted: list[Any] = []

    def want(command: Any, about: Any, _then: Any) -> bool:
        wanted.append((command, about))
        return False

    theirs = attempt(owner=RUWAN.person_id)
    panel = OpenPayments(config(), posted, terminal(open=(theirs,)), want=want, now=lambda: NOW)
    shown(qtbot, panel, width=860)
    assert button(panel, f"cancel_{ID}").text() == "Cancel · manager"
    button(panel, f"cancel_{ID}").click()
    assert wanted == [(Cancel(ID, "p1"), theirs)]
    assert posted == []


def test_a_payment_being_cancelled_is_not_cancelled_again() -> None:
    wished = CancelWish(who="p1", at=1)
    for state in (State.WAITING, State.IN_DOUBT, State.UNRESOLVED):
        assert Step.CANCEL not in steps(attempt(state=state, cancel_wish=wished))


def test_after_a_restart_the_choice_is_continue_or_close() -> None:
    doubt = attempt(state=State.IN_DOUBT, shown=False)
    both = steps(doubt, from_before_restart=True, may_continue=True)
    assert both[:2] == (Step.CONTINUE, Step.SHUT)
    assert Step.CONTINUE not in steps(doubt, from_before_restart=True)


def test_what_a_person_must_settle_comes_first_and_each_once() -> None:
    late = attempt(attempt_id="b", state=State.PAID_LATE, tapped_at=9)
    waits = attempt(attempt_id="a", tapped_at=1)
    unknown = attempt(attempt_id="c", state=State.UNRESOLVED, tapped_at=5)
    assert listed((waits,), (late, unknown, late)) == (unknown, late, waits)


def test_an_age_is_never_negative() -> None:
    assert age_s(attempt(), NOW) == 126
    assert age_s(attempt(), NOW - timedelta(days=1)) == 0


def test_a_row_says_amount_state_sale_and_age(qtbot: QtBot, posted: Posted) -> None:
    panel = open_list(qtbot, posted, terminal(open=(attempt(kind=Kind.PUSH),)))
    (row,) = panel.findChildren(OpenRow)
    assert row.amount.text() == "LKR 1,250.00"
    assert row.facts.text() == "Waiting · Phone +94 •• ••• 321 · SANDBOX · sale 0123"
    assert row.age.text() == "2 min"


def test_check_now_needs_no_question(qtbot: QtBot, posted: Posted) -> None:
    panel = open_list(qtbot, posted, terminal(open=(attempt(),)))
    button(panel, f"check_{ID}").click()
    assert posted == [CheckNow(ID)]


def test_a_cancel_asks_once_and_enter_keeps_the_payment(qtbot: QtBot, posted: Posted) -> None:
    panel = open_list(qtbot, posted, terminal(open=(attempt(),)))
    button(panel, f"cancel_{ID}").click()
    press(Key.Key_Return)
    assert posted == []
    button(panel, f"cancel_{ID}").click()
    button(panel, "confirm_yes").click()
    assert posted == [Cancel(ID, "p1")]
    assert button(panel, f"show_{ID}").isVisible()


def test_continue_and_close_after_a_restart(qtbot: QtBot, posted: Posted) -> None:
    doubt = attempt(state=State.IN_DOUBT, shown=False, qr_text="")
    panel = open_list(qtbot, posted, terminal(open=(doubt,)))
    panel.receive(change(doubt, activity=Activity(from_before_restart=True, may_continue=True)))
    button(panel, f"continue_{ID}").click()
    button(panel, f"shut_{ID}").click()
    button(panel, "confirm_yes").click()
    assert posted == [Continue(ID, "p1"), Close(ID, "p1")]


@pytest.mark.parametrize("action", ["complete", "refund"])
def test_a_late_payment_is_answered_with_name_and_reason(qtbot: QtBot, posted: Posted, action: str) -> None:
    panel = open_list(qtbot, posted, terminal(attention=(attempt(state=State.PAID_LATE),)))
    button(panel, f"answer_{ID}").click()
    question = panel.findChild(Settle)
    assert question is not None
    assert "Nimali" in question.who.text()
    button(panel, f"settle_{action}").click()
    assert posted == []
    assert "for example" in question.reason.error.text()
    assert focused() is question.reason.edit
    question.reason.set_text("The customer has the goods")
    pressed = button(panel, f"settle_{action}")
    pressed.click()
    pressed.click()
    seen = (State.PAID_LATE, Reason.NONE)
    assert posted == [Answer(ID, action, "Nimali", "The customer has the goods", "p1", seen=seen)]


def test_a_manager_signs_off_what_stays_unknown(qtbot: QtBot, posted: Posted) -> None:
    seen = terminal(signed_in=RUWAN, attention=(attempt(state=State.UNRESOLVED),))
    panel = open_list(qtbot, posted, seen)
    button(panel, f"sign_off_{ID}").click()
    question = panel.findChild(Settle)
    assert question is not None
    question.reason.set_text("Seen in the list")
    button(panel, "settle_not_paid").click()
    seen_as = (State.UNRESOLVED, Reason.NONE)
    assert posted == [Answer(ID, "not_paid", "Ruwan", "Seen in the list", "p2", seen=seen_as)]


@pytest.mark.parametrize(
    ("state", "reason"), [(State.DISPUTED, Reason.OTHER_AMOUNT), (State.UNRESOLVED, Reason.UNKNOWN_STATUS)]
)
def test_a_question_about_what_has_changed_meanwhile_goes_and_says_so(
    qtbot: QtBot, posted: Posted, state: State, reason: Reason
) -> None:
    seen = terminal(signed_in=RUWAN, attention=(attempt(state=State.UNRESOLVED),))
    panel = open_list(qtbot, posted, seen)
    button(panel, f"sign_off_{ID}").click()
    panel.receive(seen)
    assert panel.findChild(Settle) is not None, "nothing has changed yet"
    panel.receive(terminal(signed_in=RUWAN, attention=(attempt(state=state, reason=reason),)))
    assert panel.findChild(Settle) is None
    assert panel.done.isVisible()
    assert panel.done.text().startswith("This payment has changed meanwhile")
    assert posted == []


def test_a_word_that_the_payment_has_overtaken_is_said_to_be_none(qtbot: QtBot, posted: Posted) -> None:
    seen = terminal(signed_in=RUWAN, attention=(attempt(state=State.UNRESOLVED),))
    panel = open_list(qtbot, posted, seen)
    refused = CommandRefused(
        act=Act.SIGN_OFF, needs=Grant.MANAGER, attempt_id=ID, problem=StaffProblem.PAYMENT_CHANGED
    )
    panel.receive(refused)
    assert panel.done.text().startswith("This payment has changed meanwhile")


def test_a_sale_paid_twice_waits_for_a_manager(qtbot: QtBot, posted: Posted) -> None:
    twice = Sale(
        sale_id="0007",
        amount=Decimal("90.00"),
        currency="LKR",
        counter_id=3,
        owner="p1",
        opened_at=1,
        overpaid=True,
    )
    panel = open_list(qtbot, posted, terminal(overpaid=(twice,)))
    assert button(panel, "sign_refund_0007").text() == "Sign the refund · manager"
    panel.receive(terminal(signed_in=RUWAN, overpaid=(twice,)))
    button(panel, "sign_refund_0007").click()
    question = panel.findChild(Settle)
    assert question is not None
    question.reason.set_text("Given back in cash")
    button(panel, "settle_sign_refund").click()
    assert posted == [SignRefund("0007", "Ruwan", "Given back in cash", "p2")]


def test_escape_puts_a_question_off_and_the_list_is_back(qtbot: QtBot, posted: Posted) -> None:
    panel = open_list(qtbot, posted, terminal(attention=(attempt(state=State.PAID_LATE),)))
    button(panel, f"answer_{ID}").click()
    press(Key.Key_Escape)
    assert button(panel, f"show_{ID}").isVisible()
    assert posted == []


def test_a_row_opens_its_payment_and_goes_when_it_is_settled(qtbot: QtBot, posted: Posted) -> None:
    panel = open_list(qtbot, posted, terminal(open=(attempt(),)))
    with qtbot.waitSignal(panel.opened) as wanted:
        button(panel, f"show_{ID}").click()
    assert wanted.args == [ID]
    panel.receive(terminal())
    assert panel.none.isVisible()
    assert panel.findChildren(OpenRow) == []


def test_tab_goes_through_the_rows_as_they_are_read(qtbot: QtBot, posted: Posted) -> None:
    """Money that came late stands above what was there before it, and its keys came last."""
    waiting, late = (
        replace(attempt(state=state), attempt_id=name, tapped_at=at)
        for name, state, at in (("W", State.WAITING, 1_000), ("L", State.PAID_LATE, 2_000))
    )
    panel = open_list(qtbot, posted, terminal(signed_in=RUWAN, open=(waiting,)))
    panel.receive(terminal(signed_in=RUWAN, open=(waiting,), attention=(late,)))
    settle()
    panel.close_button.setFocus()
    for name in ("answer_L", "show_L", "check_W", "cancel_W", "show_W", "open_payments_close"):
        press(Key.Key_Tab)
        there = focused()
        assert there is not None
        assert there.objectName() == name


def test_ages_tick_only_while_the_list_is_seen(qtbot: QtBot, posted: Posted) -> None:
    panel = open_list(qtbot, posted, terminal(open=(attempt(),)))
    assert ticking(panel)
    panel.hide()
    assert not ticking(panel)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1024, 768), (1366, 768), (1920, 1080)])
def test_every_row_fits(qtbot: QtBot, posted: Posted, theme: str, size: tuple[int, int]) -> None:
    every = tuple(
        attempt(
            attempt_id=f"{state.value}-{kind.value}",
            state=state,
            kind=kind,
            tapped_at=at,
            amount=Decimal("999999.99"),
        )
        for at, state in enumerate(
            (State.WAITING, State.IN_DOUBT, State.UNRESOLVED, State.DISPUTED, State.PAID_LATE)
        )
        for kind in Kind
    )
    seen = terminal(signed_in=replace(NIMALI, role=RUWAN.role), open=every[:4], attention=every[4:])
    panel = open_list(qtbot, posted, seen, size=size, theme=theme)
    settle()
    assert faults(panel) == []


def recovered(count: int, **facts: Any) -> tuple[Attempt, ...]:
    """As many late ones as the service told of after the journal was lost; a cent more each."""
    return tuple(
        attempt(
            attempt_id=f"r{number}",
            sale_id=f"{number:04}",
            amount=Decimal(1000 + number) / 100,
            state=State.PAID_LATE,
            recovered=True,
            tapped_at=number,
            **facts,
        )
        for number in range(count)
    )


def test_payments_found_again_are_answered_together_by_a_manager(qtbot: QtBot, posted: Posted) -> None:
    """One that was late by itself asks for its own answer, and so does what comes up after the question."""
    own = attempt(attempt_id="own", state=State.PAID_LATE)
    found = recovered(3)
    panel = open_list(qtbot, posted, terminal(signed_in=RUWAN, attention=(own, *found)))
    assert panel.recovered.text().startswith("3 payments, together LKR 30.03, were found again")
    button(panel, "answer_recovered").click()
    question = panel.findChild(Label, "confirm_question")
    assert question is not None
    assert question.text() == "3 payments, LKR 30.03: were the goods handed over?"
    assert focused() is button(panel, "confirm_no")
    panel.receive(terminal(signed_in=RUWAN, attention=(own, *recovered(4))))
    button(panel, "confirm_yes").click()
    assert posted == [
        Answer(
            each.attempt_id, "complete", RUWAN.name, "Found again after the record was lost", RUWAN.person_id
        )
        for each in found
    ]
    assert panel.findChild(Button, "confirm_yes") is None


def test_esc_answers_none_of_what_was_found_again(qtbot: QtBot, posted: Posted) -> None:
    panel = open_list(qtbot, posted, terminal(signed_in=RUWAN, attention=recovered(2)))
    button(panel, "answer_recovered").click()
    press(Key.Key_Escape)
    assert posted == []
    assert button(panel, "answer_recovered").isVisibleTo(panel)


def test_who_may_not_answer_all_of_them_is_told_of_them_alone(qtbot: QtBot, posted: Posted) -> None:
    panel = open_list(qtbot, posted, terminal(attention=recovered(2, owner=RUWAN.person_id)))
    assert panel.recovered.isVisibleTo(panel)
    assert not panel.answer_all.isVisibleTo(panel)
    panel.receive(terminal(signed_in=RUWAN, attention=recovered(1)))
    assert not panel.recovered.isVisibleTo(panel)
    assert not panel.answer_all.isVisibleTo(panel)


def test_of_thousands_the_first_are_shown_and_the_others_counted(qtbot: QtBot, posted: Posted) -> None:
    """A window with a row for each stood still for seconds at every change."""
    panel = open_list(qtbot, posted, terminal(signed_in=RUWAN, attention=recovered(2_000)))
    assert [row.key for row in panel.findChildren(OpenRow)] == [f"r{number}" for number in range(MOST_ROWS)]
    assert panel.more.text() == "These are 50 of 2000. The others follow as these are settled."
    panel.receive(terminal(signed_in=RUWAN, attention=recovered(2_000)[1:]))
    rows = [row.key for row in panel.findChildren(OpenRow)]
    assert sorted(rows, key=lambda key: int(key[1:])) == [f"r{number}" for number in range(1, MOST_ROWS + 1)]
    panel.receive(terminal(signed_in=RUWAN, attention=recovered(3)))
    assert not panel.more.isVisibleTo(panel)
