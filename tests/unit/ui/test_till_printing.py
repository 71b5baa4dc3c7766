"""Paper at the window: what did not print is marked and listed, F12 prints, a copy is asked about first."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from pos_app.domain.attempt import State
from pos_app.domain.commands import AnswerPrint, LeavePrint, PrintPaper
from pos_app.domain.print_job import JobState, PaperKind, PrintJob, Why
from pos_app.domain.views import (
    PrintAnswered,
    PrintProblem,
    PrintView,
    StaffAnswered,
    StaffProblem,
    Terminal,
)
from pos_app.i18n.words.printing import words
from tests.support.driver import Key, pass_a_tick, ticking
from tests.support.published import attempt, change, recent, terminal
from tests.support.stage import Stage

PAID = attempt(state=State.PAID, ended_at=18_000, receipt=123, receipt_of="K7M3Q9RD")
WAITS = PrintJob(
    number=57, paper=PaperKind.RECEIPT, about=PAID.attempt_id, state=JobState.HELD, why=Why.PAPER_OUT
)
UNSURE = replace(WAITS, number=58, state=JobState.UNKNOWN, why=Why.TILL_STOPPED, began=True)
EXPIRED = replace(WAITS, number=59, state=JobState.EXPIRED)


def told(*jobs: PrintJob, why: Why = Why.NONE, printer: str = "network") -> Terminal:
    """The terminal, with what did not print."""
    amounts = {57: (PAID.amount, PAID.currency), 59: (Decimal("7.00"), "USD")}
    view = PrintView(printer=printer, auto="all", why=why, unprinted=jobs, amounts=amounts)
    return replace(terminal(recent=(PAID, *recent())), printing=view)


def at(qtbot: Any, *jobs: PrintJob, why: Why = Why.NONE) -> Stage:
    """A window that is told of these."""
    on = Stage(qtbot)
    on.receive(told(*jobs, why=why))
    return on


def answer(on: Stage, problem: PrintProblem) -> None:
    """Of the last wish."""
    asked = on.commands(PrintPaper)[-1]
    on.receive(PrintAnswered(request_id=asked.request_id, problem=problem))


@pytest.mark.parametrize(
    ("jobs", "why", "said"),
    [
        ((), Why.NONE, ""),
        ((WAITS,), Why.PAPER_OUT, "Not printed: the printer has no paper. It is tried again."),
        ((EXPIRED,), Why.NONE, "One print did not come out."),
        ((EXPIRED, replace(EXPIRED, number=60)), Why.NONE, "2 prints did not come out."),
        # Whatever it is: a Z was called a receipt.
        ((replace(EXPIRED, paper=PaperKind.Z, about="12"),), Why.NONE, "One print did not come out."),
        ((WAITS, UNSURE), Why.PAPER_OUT, words.ASKS.of(1)),
    ],
)
def test_what_did_not_print_is_marked(qtbot: Any, jobs: tuple[PrintJob, ...], why: Why, said: str) -> None:
    on = at(qtbot, *jobs, why=why)
    assert on.part("printing_notice").text() == said
    assert bool(on.seen("printing_notice_button")) is bool(said)
    on.receive(told())
    assert on.part("printing_notice").text() == ""


def test_the_list_says_what_why_and_what_can_be_done(qtbot: Any) -> None:
    on = at(qtbot, WAITS, UNSURE, why=Why.PAPER_OUT)
    on.part("printing_notice_button").click()
    assert on.part("print_57_what").text() == "Receipt of sale 0123 · LKR 1,250.00"
    assert on.part("print_58_what").text() == "Receipt of sale 0123", "nobody knows of how much"
    assert on.part("print_57_state").text() == "Waits: the printer has no paper"
    assert on.part("print_58_state").text() == "Is it on paper? (the till was stopped while it printed)"
    assert not on.seen("print_57_there")
    assert not on.seen("print_58_now")
    on.receive(told())
    assert not on.seen("print_57_what")
    assert on.part("prints_said").text() == words.NOTHING
    on.press(Key.Key_Escape)
    assert not on.seen("prints")


def test_what_comes_onto_the_list_takes_the_keys_to_no_other_paper(qtbot: Any) -> None:
    """Enter was to leave one receipt unprinted, and would have left another."""
    on = at(qtbot, WAITS, UNSURE)
    on.part("printing_notice_button").click()
    on.settle()
    on.part("print_57_leave").setFocus(Qt.FocusReason.TabFocusReason)
    on.receive(told(WAITS, UNSURE, EXPIRED))
    on.settle()
    assert on.has_focus("print_57_leave")
    # It is another row now, with the same buttons.
    on.receive(told(replace(WAITS, state=JobState.EXPIRED), UNSURE, EXPIRED))
    on.settle()
    assert on.has_focus("print_57_leave")
    on.press(Key.Key_Return)
    (left,) = on.commands(LeavePrint)
    assert left.number == 57
    on.receive(told(UNSURE, EXPIRED))
    on.settle()
    assert on.has_focus("prints_close")
    tops = [on.part(f"print_{number}_card").y() for number in (59, 58)]
    assert tops == sorted(tops), "the newest first, as ever"


@pytest.mark.parametrize(("button", "seen"), [("there", True), ("again", False)])
def test_a_person_says_whether_it_is_on_paper(qtbot: Any, button: str, seen: bool) -> None:
    on = at(qtbot, UNSURE)
    on.part("printing_notice_button").click()
    on.part(f"print_58_{button}").click()
    (said,) = on.commands(AnswerPrint)
    assert (said.number, said.seen) == (58, seen)


def test_what_waits_is_tried_now_or_left(qtbot: Any) -> None:
    on = at(qtbot, WAITS, EXPIRED)
    on.part("printing_notice_button").click()
    assert on.part("print_59_what").text().endswith(" · USD 7.00")
    on.part("print_59_now").click()
    on.part("print_57_leave").click()
    (now,), (left,) = on.commands(PrintPaper), on.commands(LeavePrint)
    assert (now.paper, now.about, now.again) == (PaperKind.RECEIPT, PAID.attempt_id, False)
    assert left.number == 57
    on.part("prints_test").click()
    assert on.commands(PrintPaper)[-1].paper is PaperKind.TEST


def test_the_list_is_never_without_a_word_and_what_it_said_goes_with_it(qtbot: Any) -> None:
    """Of an empty list a test page left nothing but its title, and what it had said stood at the till afterwards."""
    on = at(qtbot, WAITS, why=Why.PAPER_OUT)
    on.part("printing_notice_button").click()
    on.receive(told())
    for problem, said in (
        (PrintProblem.NONE, words.NOTHING),
        (PrintProblem.CANNOT_RECORD, words.PROBLEM[PrintProblem.CANNOT_RECORD]),
    ):
        on.part("prints_test").click()
        answer(on, problem)
        assert on.seen("prints_said")
        assert on.part("prints_said").text() == said
    on.press(Key.Key_Escape)
    assert on.part("printing_notice").text() == ""


def test_the_settings_print_a_test_page_where_nothing_is_unprinted(qtbot: Any) -> None:
    """Beside that nothing leads to the list of what did not print, and its button."""
    on = at(qtbot)
    assert not on.seen("printing_notice_button")
    on.window.print_test()
    (wanted,) = on.commands(PrintPaper)
    assert (wanted.paper, wanted.about, wanted.again) == (PaperKind.TEST, "", False)


def test_f12_prints_the_last_receipt(qtbot: Any) -> None:
    on = at(qtbot)
    on.press(Key.Key_F12)
    (wanted,) = on.commands(PrintPaper)
    assert (wanted.paper, wanted.about, wanted.again) == (PaperKind.RECEIPT, PAID.attempt_id, False)
    answer(on, PrintProblem.NONE)
    assert not on.seen("copy_ask")


@pytest.mark.parametrize("yes", [True, False])
def test_a_second_paper_is_asked_about_and_is_a_copy(qtbot: Any, yes: bool) -> None:
    on = at(qtbot)
    on.press(Key.Key_F12)
    answer(on, PrintProblem.ORIGINAL_USED)
    assert on.part("copy_ask_question").text() == words.COPY_ASK
    on.part("copy_ask_yes" if yes else "copy_ask_no").click()
    assert [each.again for each in on.commands(PrintPaper)] == ([False, True] if yes else [False])


def test_why_nothing_is_printed_is_said(qtbot: Any) -> None:
    on = at(qtbot)
    on.press(Key.Key_F12)
    answer(on, PrintProblem.NO_PRINTER)
    assert on.part("printing_notice").text() == words.PROBLEM[PrintProblem.NO_PRINTER]
    on.receive(PrintAnswered(request_id="of somebody else", problem=PrintProblem.CANNOT_READ))
    assert on.part("printing_notice").text() == words.PROBLEM[PrintProblem.NO_PRINTER]


def test_f12_without_a_receipt_says_so(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(replace(told(), recent=()))
    on.press(Key.Key_F12)
    assert not on.commands(PrintPaper)
    assert on.part("printing_notice").text() == words.PROBLEM[PrintProblem.NO_RECEIPT]


def test_what_the_person_at_the_till_may_not_is_put_to_a_manager(qtbot: Any) -> None:
    on = at(qtbot, UNSURE)
    on.part("printing_notice_button").click()
    on.part("print_58_again").click()
    (said,) = on.commands(AnswerPrint)
    on.receive(StaffAnswered(request_id=said.request_id, problem=StaffProblem.NOT_ALLOWED))
    assert on.seen("approval")


X_WHOLE = PrintJob(number=61, paper=PaperKind.X, about="", state=JobState.HELD)
Z = replace(X_WHOLE, number=62, paper=PaperKind.Z, about="5")
SLIP = replace(X_WHOLE, number=63, paper=PaperKind.SHOP_SLIP, about="7")


@pytest.mark.parametrize(
    ("job", "button", "said"),
    [
        (UNSURE, "there", "Say that it lies on paper: Receipt of sale 0123 · LKR 1,250.00."),
        (UNSURE, "again", "Print again, as a copy: Receipt of sale 0123 · LKR 1,250.00."),
        (WAITS, "leave", "Leave unprinted: Receipt of sale 0123 · LKR 1,250.00."),
        (WAITS, "now", "Print: Receipt of sale 0123 · LKR 1,250.00."),
        (X_WHOLE, "now", "Print: X report · the whole till."),
        (replace(X_WHOLE, about="p2"), "now", "Print: X report · Ruwan."),
        (Z, "leave", "Leave unprinted: Z report 5."),
        (SLIP, "now", "Print: Slip of refund note N-0007, the shop’s."),
    ],
)
def test_a_manager_reads_which_paper_it_is_and_what_becomes_of_it(
    qtbot: Any, job: PrintJob, button: str, said: str
) -> None:
    """The engine has refused it to whoever is there: to throw a paper away is not to print it."""
    on = at(qtbot, job)
    on.part("printing_notice_button").click()
    on.part(f"print_{job.number}_{button}").click()
    asked = on.posted[-1]
    assert isinstance(asked, PrintPaper | AnswerPrint | LeavePrint)
    on.receive(StaffAnswered(request_id=asked.request_id, problem=StaffProblem.NOT_ALLOWED))
    assert on.part("approval_what").text() == said


def test_a_copy_of_a_colleagues_receipt_names_sale_amount_and_owner(qtbot: Any) -> None:
    """Also where the engine is the first to say that a manager is needed."""
    on = at(qtbot)
    theirs = replace(PAID, owner="p2")
    on.receive(replace(told(), recent=(theirs,)))
    on.press(Key.Key_F12)
    assert on.part("approval_what").text() == "Print: Receipt of sale 0123 · LKR 1,250.00 · Ruwan."
    on.press(Key.Key_Escape)
    on.receive(told())
    on.press(Key.Key_F12)
    (asked,) = on.commands(PrintPaper)
    on.receive(terminal())
    on.receive(StaffAnswered(request_id=asked.request_id, problem=StaffProblem.NOT_ALLOWED))
    assert on.part("approval_what").text() == "Print: Receipt of sale 0123 · LKR 1,250.00."


@pytest.mark.parametrize(("prints", "offered"), [("ask", True), ("all", False), ("off", False), ("", False)])
def test_a_till_that_asks_offers_the_receipt_on_the_result(qtbot: Any, prints: str, offered: bool) -> None:
    on = Stage(qtbot, prints=prints)
    on.begin(change(PAID))
    assert bool(on.seen("result_print")) is offered
    if offered:
        on.part("result_print").click()
        (wanted,) = on.commands(PrintPaper)
        assert wanted.about == PAID.attempt_id


def test_the_offer_of_a_receipt_is_let_go_and_moves_nothing(qtbot: Any) -> None:
    """After eight seconds the next customer stands there; the same payment, told again, is not offered anew."""
    on = Stage(qtbot, prints="ask")
    on.begin(change(PAID))
    on.settle()
    panel = on.part("result_panel")
    (offer,) = ticking(panel)
    assert (offer.interval(), offer.isSingleShot()) == (8_000, True)
    place = on.part("result_next").geometry()
    pass_a_tick(panel)
    on.settle()
    assert not on.seen("result_print")
    assert on.part("result_next").geometry() == place
    assert ticking(panel) == []
    on.receive(change(PAID))
    on.receive(told())
    assert not on.seen("result_print")
    # By key as ever.
    on.press(Key.Key_F12)
    (wanted,) = on.commands(PrintPaper)
    assert wanted.about == PAID.attempt_id


def test_the_next_payment_is_offered_its_own_receipt(qtbot: Any) -> None:
    on = Stage(qtbot, prints="ask")
    on.begin(change(PAID))
    pass_a_tick(on.part("result_panel"))
    on.part("result_next").click()
    another = replace(PAID, attempt_id="T7K3M9QRD-0124-1-K7Q2M9", sale_id="0124", receipt=124)
    on.begin(change(another))
    assert on.seen("result_print")
    (offer,) = ticking(on.part("result_panel"))
    on.part("result_next").click()
    assert not offer.isActive()
