"""What a cashier may not do alone: who is asked, what is posted, what the answers do to the screen."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.domain.attempt import Attempt, Kind, Reason, State
from pos_app.domain.commands import (
    Answer,
    Cancel,
    CloseDay,
    GiveNote,
    LeaveClosing,
    LeavePrint,
    LeaveReconciling,
    NoteRefund,
    ReadX,
    SignRefund,
    WithdrawNote,
)
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.refund import NoteReason, NoteWay
from pos_app.domain.rights import Act, Grant
from pos_app.domain.secret import Secret
from pos_app.domain.staff import Approvable, Approve, Permit
from pos_app.domain.views import CommandRefused, DayView, StaffAnswered, StaffProblem
from pos_app.i18n.words.till import words
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.state import TillContext, TillState
from tests.support.driver import pass_a_tick
from tests.support.published import NIMALI, RUWAN, attempt, change, config, recent, terminal
from tests.support.stage import Stage
from tests.unit.ui.dialog_cases import faults

BOSS = replace(RUWAN, passcode_set=True)
SECOND = replace(RUWAN, person_id="p3", name="Amara", passcode_set=True)
LOST = replace(RUWAN, person_id="p4", name="Tharindu")
THEIRS = attempt(owner="p3", kind=Kind.PUSH)
PEOPLE = (NIMALI, LOST, BOSS, SECOND)
ID = THEIRS.attempt_id


def beside(on: Stage, of: Attempt = THEIRS, **told: Any) -> None:
    """A colleague's payment on the panel."""
    on.receive(terminal(people=PEOPLE, open=(of,), recent=recent(), **told), change(of))
    on.window.open_attempt(of.attempt_id)
    on.settle()


def type_passcode(on: Stage, passcode: str = "704918") -> None:
    on.part("approval_reason").setText("The cashier has gone")
    on.part("passcode").setText(passcode)
    on.part("submit_passcode").click()


@pytest.fixture
def on(qtbot: Any) -> Stage:
    """Nimali looks at Amara's payment and wants it cancelled."""
    on = Stage(qtbot)
    beside(on)
    on.part("waiting_cancel").click()
    return on


def approve(on: Stage) -> Approve:
    asked = on.commands(Approve)[-1]
    assert isinstance(asked, Approve)
    return asked


def test_a_colleagues_payment_says_that_cancelling_needs_a_manager(qtbot: Any) -> None:
    on = Stage(qtbot)
    beside(on)
    assert on.part("waiting_cancel").text() == "Cancel · manager"
    assert on.part("waiting_park").text() == "Park"
    on.receive(terminal(people=PEOPLE, signed_in=BOSS, open=(THEIRS,)))
    on.window.open_attempt(ID)
    assert on.part("waiting_cancel").text() == "Cancel"


def test_the_panel_names_what_is_asked_and_who_may_allow_it(on: Stage) -> None:
    assert on.part("approval_what").text() == "Cancel a payment: LKR 1,250.00, sale 0123, of Amara."
    assert "Nimali stays signed in" in on.part("approval_hint").text()
    box = on.part("approval_manager")
    assert [box.itemText(row) for row in range(box.count())] == [
        "Ruwan",
        "Amara",
        "Tharindu (no passcode yet)",
    ]
    assert on.posted == []


def test_the_passcode_goes_with_the_wish_and_a_reason_and_is_gone_from_the_field(on: Stage) -> None:
    type_passcode(on)
    asked = approve(on)
    assert asked.command == Cancel(ID, "p1")
    assert (asked.manager_id, asked.passcode, asked.reason) == (
        "p2",
        Secret("704918"),
        "The cashier has gone",
    )
    assert on.part("passcode").text() == ""
    assert "704918" not in repr(on.posted)
    on.receive(StaffAnswered(request_id=asked.request_id))
    assert on.window.overlay.top is None


def test_without_a_reason_nothing_is_sent_and_the_passcode_is_not_lost(on: Stage) -> None:
    on.part("passcode").setText("704918")
    on.part("submit_passcode").click()
    assert on.posted == []
    assert "at least 3 letters, for example" in on.part("approval_reason_error").text()
    assert on.window.focusWidget() is on.part("approval_reason")
    assert on.part("passcode").text() == "704918"


def test_a_passcode_that_is_typed_as_the_reason_is_none(on: Stage) -> None:
    """The reason's field is the first one, and is read by whoever stands there: it was sent, and recorded for ever."""
    on.part("approval_reason").setFocus()
    on.type("704918")
    on.press(Qt.Key.Key_Return)
    assert on.posted == []
    assert on.part("approval_reason").text() == ""
    assert "at least 3 letters" in on.part("approval_reason_error").text()
    assert on.window.focusWidget() is on.part("approval_reason")
    # Not lost: it stands in its own field, in dots.
    assert on.part("passcode").text() == "704918"
    on.part("approval_reason").setText("704918")
    on.part("submit_passcode").click()
    assert on.posted == []
    assert on.part("approval_reason").text() == ""
    on.part("approval_reason").setText("4912")
    on.part("submit_passcode").click()
    assert on.posted == []
    assert on.part("passcode").text() == "704918"
    on.part("approval_reason").setText("Bill 4912 was wrong")
    on.part("submit_passcode").click()
    (asked,) = on.commands(Approve)
    assert (asked.reason, asked.passcode) == ("Bill 4912 was wrong", Secret("704918"))


def test_a_wrong_passcode_says_the_tries_and_the_wait(on: Stage) -> None:
    type_passcode(on)
    wrong = StaffAnswered(
        request_id=approve(on).request_id, passcode=PasscodeProblem.WRONG.value, tries_left=6, wait_s=10
    )
    on.receive(wrong)
    assert on.part("passcode_error").text() == "Wrong passcode – 6 tries left. The next try in 10 s."
    assert not on.part("submit_passcode").isEnabled()
    assert on.part("approval_reason").text() == "The cashier has gone"
    on.part("approval_back").click()
    assert on.window.overlay.top is None


def test_another_manager_after_a_dead_passcode(on: Stage) -> None:
    type_passcode(on)
    dead = StaffAnswered(request_id=approve(on).request_id, passcode=PasscodeProblem.DEAD.value)
    on.receive(dead)
    assert not on.seen("passcode")
    box: Any = on.part("approval_manager")
    assert box.hasFocus() or on.window.focusWidget() == box
    box.setCurrentIndex(1)
    box.activated.emit(1)
    type_passcode(on)
    assert approve(on).manager_id == "p3"


def test_what_the_engine_will_not_do_is_said_in_words(on: Stage) -> None:
    type_passcode(on)
    on.receive(StaffAnswered(request_id=approve(on).request_id, problem=StaffProblem.CANNOT_RECORD))
    assert "cannot record it" in on.part("approval_problem").text()
    assert on.part("passcode").isEnabled()


def test_an_answer_to_another_s_wish_changes_nothing(on: Stage) -> None:
    type_passcode(on)
    on.receive(StaffAnswered(request_id="settings-1"))
    assert on.part("approval").isVisible()


@pytest.mark.parametrize("told", [{"signed_in": BOSS}, {"locked": True}])
def test_half_an_approval_is_not_left_to_the_next_person(on: Stage, told: dict[str, Any]) -> None:
    on.part("passcode").setText("7049")
    on.receive(terminal(people=PEOPLE, open=(THEIRS,), **told))
    assert not on.seen("approval")
    assert on.window.overlay.top is None


def test_no_manager_with_a_passcode_is_said_and_nothing_can_be_typed(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(people=(NIMALI, LOST), open=(THEIRS,)), change(THEIRS))
    on.window.open_attempt(ID)
    on.part("waiting_cancel").click()
    assert "signs in once with a code by SMS" in on.part("approval_nobody").text()
    assert not on.seen("passcode")
    on.settle()
    assert on.window.focusWidget() is on.part("approval_back")


def test_a_wish_the_engine_refuses_is_put_to_a_manager(qtbot: Any) -> None:
    on = Stage(qtbot)
    own = attempt(kind=Kind.PUSH)
    beside(on, own)
    on.part("waiting_cancel").click()
    on.part("question_yes").click()
    assert on.posted == [Cancel(own.attempt_id, "p1")]
    refused = CommandRefused(act=Act.CANCEL, needs=Grant.OWNER, attempt_id=own.attempt_id)
    on.receive(refused)
    assert on.part("approval").isVisible()
    type_passcode(on)
    assert approve(on).command == Cancel(own.attempt_id, "p1")


def test_a_refusal_nobody_here_asked_for_opens_nothing(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(CommandRefused(act=Act.CANCEL, needs=Grant.OWNER, attempt_id=ID))
    assert on.window.overlay.top is None


def test_the_note_of_a_refund_is_a_managers_and_the_alert_goes_with_the_answer(qtbot: Any) -> None:
    on = Stage(qtbot)
    late = attempt(state=State.PAID_LATE, ended_at=18_000)
    on.receive(terminal(people=PEOPLE, attention=(late,)), change(late))
    assert on.part("settle_refund").text() == "Note money back · manager"
    assert on.part("settle_complete").text() == "Complete the sale"
    on.part("settle_reason").setText("Refunded in cash")
    on.part("settle_refund").click()
    assert on.posted == []
    assert not on.seen("approval_reason"), "the reason was given already"
    on.part("passcode").setText("704918")
    on.part("submit_passcode").click()
    asked = approve(on)
    assert asked.command == Answer(late.attempt_id, "refund", "Nimali", "Refunded in cash", "p1")
    assert asked.reason == "Refunded in cash"
    on.receive(StaffAnswered(request_id=asked.request_id))
    assert on.window.overlay.top is None


UNKNOWN = attempt(state=State.UNRESOLVED)
OTHER_MONEY = attempt(state=State.DISPUTED, reason=Reason.OTHER_AMOUNT)


def sign_off(on: Stage) -> None:
    """ "It was not paid", of what nobody knows."""
    on.press(Qt.Key.Key_F8)
    on.part(f"sign_off_{UNKNOWN.attempt_id}").click()
    on.part("settle_reason").setText("Seen in the list")
    on.part("settle_not_paid").click()


@pytest.mark.parametrize(
    ("answer", "wanted", "more"),
    [
        ("paid", "Sign off that it was paid", "Without any proof of the service, by your word alone."),
        ("not_paid", "Sign off that it was not paid", "The sale can be charged again then."),
    ],
)
@pytest.mark.parametrize("what", [UNKNOWN, OTHER_MONEY])
def test_a_manager_reads_which_of_the_two_answers_they_sign_and_whose_reason_it_is(
    qtbot: Any, what: Attempt, answer: str, wanted: str, more: str
) -> None:
    """The question behind the panel is covered: what is pressed there is said nowhere else."""
    on = Stage(qtbot)
    on.receive(terminal(people=PEOPLE, attention=(what,)))
    on.press(Qt.Key.Key_F8)
    on.part(f"sign_off_{what.attempt_id}").click()
    on.part("settle_reason").setText("Seen in the list")
    on.part(f"settle_{answer}").click()
    assert on.part("approval_what").text() == f"{wanted}: LKR 1,250.00, sale 0123."
    assert on.part("approval_line_0").text() == more
    assert on.part("approval_given").text() == (
        "Nimali gives as reason, recorded as yours: “Seen in the list”"
    )
    assert "say why" not in on.part("approval_hint").text()
    assert not on.seen("approval_reason")


def test_a_reason_that_nobody_has_given_is_asked_for_and_none_is_shown(on: Stage) -> None:
    assert on.seen("approval_reason")
    assert not on.seen("approval_given")


def test_what_answers_late_money_names_the_way_and_who_gets_it_without_a_number(qtbot: Any) -> None:
    """The payer's wallet stands beside it, masked as everywhere."""
    on = Stage(qtbot)
    late = attempt(state=State.PAID_LATE, ended_at=18_000, kind=Kind.PUSH)
    on.receive(terminal(people=PEOPLE, attention=(late,)), change(late))
    on.window.overlay.top.settle.back.choice.set_text(NoteWay.TRANSFER.value)
    on.part("settle_receiver").setText("my own +94 77 999 4567")
    on.part("settle_reason").setText("has left already")
    on.part("settle_refund").click()
    assert on.part("approval_what").text() == (
        "Note money back, outside the till: LKR 1,250.00, as far as not noted yet, sale 0123."
    )
    assert lines(on) == [
        "How: Transfer · Who gets it: my own …567",
        f"Customer’s wallet: {late.wallet_mask}",
    ]


def lines(on: Stage) -> list[str]:
    """What else a manager is told of it, each on its own line."""
    names = (f"approval_line_{at}" for at in range(9))
    return [str(on.part(name).text()) for name in names if on.seen(name)]


def asking(on: Stage) -> ApprovalRequests:
    """Over this window, of a till that has no payment on its lists."""
    state = TillState()
    state.terminal = terminal(people=PEOPLE, day=DayView(number=5, business_date="2026-03-01"))
    return ApprovalRequests(TillContext(config(), words, state, on.posted.append), on.window.overlay)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (CloseDay(request_id="r"), "Close the day: Z 5 · 2026-03-01."),
        (
            LeaveClosing(request_id="r"),
            "Give up an interrupted closing, the day stays open: Z 5 · 2026-03-01.",
        ),
        (LeaveReconciling(request_id="r"), "Stop comparing with the service’s list: Z 5 · 2026-03-01."),
        (ReadX(request_id="r"), "Read the takings so far: the whole till."),
        (ReadX(request_id="r", whose="p3"), "Read the takings so far: Amara."),
        (Cancel(ID, "p1"), "Cancel a payment: sale 0123."),
        (SignRefund("0123", "", "twice"), "Sign the refund of a sale paid twice: sale 0123."),
        (GiveNote(request_id="r", number=7), "Mark a refund note as given: N-0007."),
        (WithdrawNote(request_id="r", number=7, reason="no"), "Withdraw a refund note: N-0007."),
        (
            NoteRefund(
                request_id="r",
                attempt_id=ID,
                amount=Decimal("3.00"),
                why=NoteReason.RETURNED,
                way=NoteWay.CASH,
            ),
            "Note money back, outside the till: LKR 3.00, sale 0123.",
        ),
        (LeavePrint(request_id="r", number=58), "Leave unprinted: print job 58."),
    ],
)
def test_no_approval_is_without_its_object_whatever_the_window_knows_of_it(
    qtbot: Any, command: Approvable, said: str
) -> None:
    """Two commands that share a right are two texts."""
    on = Stage(qtbot)
    asking(on).ask_manager(command)
    assert on.part("approval_what").text() == said


@pytest.mark.parametrize(
    ("act", "content", "said"),
    [
        (
            Act.EXPORT_NUMBERS,
            {"why": "csv · 2026-03-01 – 2026-03-31"},
            "Save payments with whole wallet numbers: csv · 2026-03-01 – 2026-03-31.",
        ),
        (Act.JOIN_STORE, {"join": "https://store.test"}, "Join a central store: https://store.test."),
        (Act.JOIN_STORE, {"leave": "Kandy"}, "Leave a central store: Kandy."),
        (Act.DIAGNOSTICS, {}, "Save the diagnostics."),
    ],
)
def test_a_leave_names_what_is_written_down_of_it_and_what_it_means(
    qtbot: Any, act: Act, content: dict[str, str], said: str
) -> None:
    on = Stage(qtbot)
    question = ("Really?", "What it means.", "Yes")
    asking(on).permit(act, question, lambda _given: None, content=content)
    assert on.part("approval_what").text() == said
    assert lines(on) == ["What it means."]


def test_what_changes_while_the_passcode_is_typed_is_not_signed_off(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(people=PEOPLE, attention=(UNKNOWN,)))
    sign_off(on)
    on.part("passcode").setText("704918")
    on.receive(terminal(people=PEOPLE, attention=(OTHER_MONEY,)), change(OTHER_MONEY))
    on.part("submit_passcode").click()
    asked = approve(on)
    assert isinstance(asked.command, Answer)
    assert asked.command.seen == (State.UNRESOLVED, Reason.NONE), "the engine is told what was asked"
    on.receive(StaffAnswered(request_id=asked.request_id, problem=StaffProblem.PAYMENT_CHANGED))
    assert on.part("approval_problem").text().startswith("This payment has changed meanwhile")
    on.part("approval_back").click()
    assert not on.seen("settle")
    assert on.part("open_done").text().startswith("This payment has changed meanwhile")
    assert on.seen(f"sign_off_{UNKNOWN.attempt_id}"), "what it is now can be answered"


def test_a_manager_hears_that_the_payment_was_quicker(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(people=PEOPLE, signed_in=BOSS, attention=(UNKNOWN,)))
    sign_off(on)
    (said,) = on.commands(Answer)
    assert said.seen == (State.UNRESOLVED, Reason.NONE)
    refused = CommandRefused(act=Act.SIGN_OFF, needs=Grant.MANAGER, attempt_id=UNKNOWN.attempt_id)
    on.receive(replace(refused, problem=StaffProblem.PAYMENT_CHANGED))
    assert on.part("open_done").text().startswith("This payment has changed meanwhile")
    assert not on.seen("approval")


def test_a_number_is_shown_for_twenty_seconds_and_gone_when_nobody_looks(qtbot: Any) -> None:
    on = Stage(qtbot)
    paid = attempt(state=State.PAID, kind=Kind.PUSH)
    on.receive(terminal(people=PEOPLE, signed_in=BOSS, recent=(paid,)))
    on.part("recent_0").click()
    details = on.part("payment_details")
    on.part("details_show_number").click()
    on.part("permit_reason").setText("The customer asks")
    on.part("permit_do").click()
    asked = on.commands(Permit)[-1]
    assert (asked.act, asked.about, asked.reason) == (
        Act.UNMASK_NUMBER,
        paid.attempt_id,
        "The customer asks",
    )
    on.receive(StaffAnswered(request_id=asked.request_id, shown="+94771234321"))
    assert on.part("details_number").text() == "+94 77 123 4321"
    for _ in range(details.SHOWN_S - 1):
        pass_a_tick(details)
    assert on.part("details_show_number").text() == "Shown for 1 s"
    pass_a_tick(details)
    assert on.part("details_number").text() == paid.wallet_mask
    details.show_number("+94 77 123 4321")
    on.window.overlay.close_panel()
    assert on.part("details_number").text() == paid.wallet_mask


@pytest.mark.parametrize("size", [(1024, 768), (1366, 768)])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_everything_fits_with_the_longest_names(qtbot: Any, size: tuple[int, int], colours: str) -> None:
    on = Stage(qtbot, size=size, colours=colours)
    long = replace(BOSS, name="فاطمة 🙂 " + "Nimalishanthi" * 15)
    theirs = attempt(owner=long.person_id, kind=Kind.PUSH)
    on.receive(terminal(people=(NIMALI, long, SECOND), open=(theirs,)), change(theirs))
    on.window.open_attempt(theirs.attempt_id)
    on.part("waiting_cancel").click()
    type_passcode(on)
    asked = approve(on)
    on.receive(StaffAnswered(request_id=asked.request_id, passcode="wrong_passcode", tries_left=6, wait_s=9))
    on.settle()
    on.settle()
    assert faults(on.part("approval")) == []
    assert on.window.size().toTuple() == size


@pytest.mark.parametrize("size", [(1024, 680), (1366, 768)])
def test_why_nothing_was_signed_is_seen_at_every_size(qtbot: Any, size: tuple[int, int]) -> None:
    """On a small screen it was under the way back: the field emptied, and the manager took it for signed."""
    on = Stage(qtbot, size=size)
    more = "It goes into the books as not paid, and in no sum of this day. " * 5
    asking(on).permit(Act.LEAVE_KIOSK, ("Really?", more.strip(), "Yes"), lambda _given: None)
    on.settle()
    type_passcode(on)
    on.window.overlay.top.answer(StaffAnswered(request_id="r", problem=StaffProblem.PAYMENT_CHANGED))
    for _ in range(3):
        on.settle()
    said = on.part("approval_problem")
    assert said.text().startswith("This payment has changed meanwhile")
    assert on.window.childAt(said.mapTo(on.window, said.rect().center())) is said


def test_the_keyboard_alone_is_enough(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.window.activateWindow()
    beside(on)
    QTest.keyClick(on.window.focusWidget() or on.window, Qt.Key.Key_Escape)
    assert on.window.focusWidget() is on.part("approval_manager")
    on.press(Qt.Key.Key_Tab)
    assert on.window.focusWidget() is on.part("approval_reason")
    on.type("Gone home")
    on.press(Qt.Key.Key_Return)
    assert on.window.focusWidget() is on.part("passcode")
    on.type("704918")
    on.press(Qt.Key.Key_Return)
    assert approve(on).reason == "Gone home"


def test_a_passcode_that_an_alert_interrupts_goes_nowhere_else(on: Stage) -> None:
    on.part("passcode").setFocus()
    on.type("70")
    late = attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", state=State.PAID_LATE)
    on.receive(change(late))
    assert not on.part("answer_hint").isVisible()
    on.type("4918")
    on.press(Qt.Key.Key_Return)
    assert on.commands(Approve) == []
    assert on.part("amount_figure").figure() == "0.00"
    assert on.part("settle_reason").text() == ""
    on.press(Qt.Key.Key_Escape)
    assert on.part("passcode").isVisible()
    assert on.window.focusWidget() is on.part("passcode")
    assert "4918" not in on.part("passcode").text()
