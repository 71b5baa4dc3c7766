"""Payments of other counters at the window: asked for, shown, proven by a paper, copied. Never this till's."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import State
from pos_app.domain.commands import Charge, CheckReceipt, LookElsewhere, PrintPaper
from pos_app.domain.elsewhere import Elsewhere, Proof, Unanswered, moment_in, receipt_elsewhere
from pos_app.domain.membership import StoreState, StoreView
from pos_app.domain.print_job import JobState, PaperKind, PrintJob
from pos_app.domain.receipt import Checked, Verdict, code_text
from pos_app.domain.search import FindPayments
from pos_app.domain.shipping import FindRequest
from pos_app.domain.views import (
    PaymentsFound,
    PrintAnswered,
    PrintProblem,
    PrintView,
    ReceiptChecked,
    StaffAnswered,
    StaffProblem,
    ToldElsewhere,
)
from pos_app.gallery.other_counters import elsewhere
from pos_app.i18n.words.elsewhere import words
from pos_app.i18n.words.paper import words as paper_words
from pos_app.i18n.words.printing import words as printing_words
from tests.support.driver import Key
from tests.support.published import RUWAN, recent, terminal
from tests.support.stage import Stage

FIELDS = ("id", "amount", "digits", "from", "to")
WELL = StoreView(state=StoreState.WELL, store_name="Central", shop_name="Main street")
PAYMENT = elsewhere()
_RECEIPT = receipt_elsewhere(PAYMENT)
assert _RECEIPT is not None
CODE = code_text(_RECEIPT)


def stage(qtbot: Any, *, printer: str = "network", store: StoreView = WELL, **told: Any) -> Stage:
    """A counter of a store."""
    on = Stage(qtbot)
    on.window.activateWindow()
    on.receive(terminal(recent=recent(), printing=PrintView(printer=printer), store=store, **told))
    on.settle()
    return on


def opened(qtbot: Any, **told: Any) -> Stage:
    """The search, by F4 and F4."""
    on = stage(qtbot, **told)
    on.press(Key.Key_F4)
    on.press(Key.Key_F4)
    assert on.seen("other_counters")
    return on


def asked(on: Stage) -> LookElsewhere:
    """The newest question."""
    question = on.commands(LookElsewhere)[-1]
    assert isinstance(question, LookElsewhere)
    return question


def answer(on: Stage, *payments: Elsewhere, **told: Any) -> None:
    """What the store says to it."""
    on.receive(ToldElsewhere(request_id=asked(on).request_id, payments=payments, **told))
    on.settle()


def scan(on: Stage, text: str) -> None:
    """As a scanner does."""
    hands = on.keyboard(5)
    hands.type(text)
    hands.press(Key.Key_Return)
    on.settle()


def foreign(on: Stage) -> None:
    """The paper that was scanned is another till's."""
    (check,) = on.commands(CheckReceipt)
    on.receive(ReceiptChecked(request_id=check.request_id, checked=Checked(verdict=Verdict.FOREIGN)))
    on.settle()


@pytest.mark.parametrize("state", [StoreState.NONE, StoreState.REJOIN])
def test_a_counter_of_no_store_has_no_other_counters(qtbot: Any, state: StoreState) -> None:
    on = stage(qtbot, store=StoreView(state=state))
    on.press(Key.Key_F4)
    assert not on.seen("found_others")
    on.press(Key.Key_F4)
    assert not on.seen("other_counters")


def test_a_payment_is_found_by_all_that_is_in_hand(qtbot: Any) -> None:
    on = opened(qtbot)
    for name, text in zip(
        FIELDS, ("T7K3M9QRD-R000123", "1,250.00", "567", "2026-03-01", "2026-03-01 14:30"), strict=True
    ):
        on.fill(f"elsewhere_{name}", text)
    on.press(Key.Key_Return)
    assert asked(on).sought == FindRequest(
        id="T7K3M9QRD-R000123",
        amount="1250.00",
        digits="567",
        earliest=moment_in("2026-03-01"),
        latest=moment_in("2026-03-01 14:30", ends=True),
    )
    assert on.says("elsewhere_said") == words.ASKING
    answer(on, PAYMENT, elsewhere(number=124, state=State.WAITING, receipt=0, receipt_of=""), more=True)
    assert len(on.rows("elsewhere_list")) == 2
    assert "Front door" in on.rows("elsewhere_list")[0]
    assert on.says("elsewhere_note") == words.MORE
    # Enter in a field opens what is chosen, once it was found.
    on.press(Key.Key_Return)
    assert on.seen("elsewhere_card")
    assert len(on.commands(LookElsewhere)) == 1
    said = on.words()
    for text in ("Front door, no. 1", "LKR 1,250.00", "SBX-TQ4W7Z2XA-R000123"):
        assert text in said
    assert any(text.startswith("Paid, as told at ") for text in said)
    assert words.AS_TOLD in said
    on.press(Key.Key_Escape)
    on.press(Key.Key_Escape)
    assert on.seen("found_payments")
    assert not on.commands(Charge)


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("id", "x" * 81, words.BAD_NUMBER.format(most=80, example="T7K3M9QRD-R000123")),
        ("amount", "12.505", words.BAD_AMOUNT.format(digits=2, example="1,250.00")),
        ("amount", "a lot", words.BAD_AMOUNT.format(digits=2, example="1,250.00")),
        ("digits", "5", words.BAD_DIGITS),
        ("digits", "+94", words.BAD_DIGITS),
        ("from", "yesterday", words.BAD_TIME),
        ("from", "2026-02-30", words.BAD_TIME),
        ("to", "9999-12-31", words.BAD_TIME),
        ("from", "1999-01-01", words.TOO_LONG.format(most=366)),
    ],
)
def test_each_field_says_its_limit_and_an_example(qtbot: Any, field: str, text: str, says: str) -> None:
    on = opened(qtbot)
    on.fill(f"elsewhere_{field}", text)
    on.part("elsewhere_ask").click()
    assert on.says(f"elsewhere_{field}_error") == says
    assert on.text(f"elsewhere_{field}") == text
    assert on.has_focus(f"elsewhere_{field}")
    assert not on.commands(LookElsewhere)


def test_nothing_typed_and_a_turned_time_are_said_too(qtbot: Any) -> None:
    on = opened(qtbot)
    on.part("elsewhere_ask").click()
    assert on.says("elsewhere_id_error") == words.NOTHING
    on.fill("elsewhere_from", "2026-03-02")
    on.fill("elsewhere_to", "2026-03-01")
    on.part("elsewhere_ask").click()
    # The last day is meant to its end: the first has to lie behind it.
    assert on.seen("elsewhere_to_error") is False
    on.fill("elsewhere_to", "2026-02-28")
    on.part("elsewhere_ask").click()
    assert on.says("elsewhere_to_error") == words.BAD_ORDER


@pytest.mark.parametrize("problem", [each for each in Unanswered if each])
def test_without_an_answer_it_says_why_and_that_nothing_was_found_out(
    qtbot: Any, problem: Unanswered
) -> None:
    on = opened(qtbot)
    on.fill("elsewhere_digits", "567")
    on.press(Key.Key_Return)
    answer(on, problem=problem)
    assert on.says("elsewhere_said") == words.PROBLEM[problem]
    assert not on.seen("elsewhere_list")
    # It is asked again by the same key.
    on.press(Key.Key_Return)
    assert len(on.commands(LookElsewhere)) == 2


def test_too_many_questions_say_how_long_to_wait_and_a_field_that_is_not_read_is_named(qtbot: Any) -> None:
    on = opened(qtbot)
    on.fill("elsewhere_digits", "567")
    on.press(Key.Key_Return)
    answer(on, problem=Unanswered.BUSY, retry_s=12)
    assert on.says("elsewhere_said") == words.BUSY_FOR.format(seconds=12)
    on.press(Key.Key_Return)
    answer(on, problem=Unanswered.FIELD, field="digits", said="<b>no</b>")
    assert on.says("elsewhere_digits_error") == words.BAD_DIGITS
    assert not any("<b>" in text for text in on.words())


def test_nothing_found_is_not_nothing_found_out(qtbot: Any) -> None:
    on = opened(qtbot)
    on.fill("elsewhere_digits", "567")
    on.press(Key.Key_Return)
    answer(on, since="2025-10-23T00:00:00+05:30")
    assert on.says("elsewhere_said").startswith(words.NONE_SINCE.partition("{")[0])
    on.press(Key.Key_Return)
    answer(on)
    assert on.says("elsewhere_said") == words.NONE


def test_an_answer_to_an_older_question_is_nobodys(qtbot: Any) -> None:
    on = opened(qtbot)
    on.fill("elsewhere_digits", "567")
    on.press(Key.Key_Return)
    first = asked(on)
    on.fill("elsewhere_digits", "568")
    on.press(Key.Key_Return)
    on.receive(ToldElsewhere(request_id=first.request_id, payments=(PAYMENT,)))
    assert on.says("elsewhere_said") == words.ASKING
    assert not on.rows("elsewhere_list")
    answer(on, PAYMENT)
    assert len(on.rows("elsewhere_list")) == 1


def test_an_answer_to_what_stands_there_no_more_is_nobodys(qtbot: Any) -> None:
    """The amount was corrected while it was asked about: the other one was shown, and Enter opened it."""
    on = opened(qtbot)
    on.fill("elsewhere_amount", "1,250.00")
    on.press(Key.Key_Return)
    on.fill("elsewhere_amount", "1,350.00")
    assert on.part("elsewhere_said").text() == words.HINT
    answer(on, PAYMENT)
    assert not on.seen("elsewhere_list")
    on.press(Key.Key_Return)
    assert asked(on).sought.amount == "1350.00"
    answer(on, PAYMENT)
    assert on.seen("elsewhere_list")


def test_an_answer_after_it_was_closed_opens_nothing(qtbot: Any) -> None:
    on = opened(qtbot)
    on.fill("elsewhere_digits", "567")
    on.press(Key.Key_Return)
    on.press(Key.Key_Escape)
    answer(on, PAYMENT)
    assert not on.seen("other_counters")
    assert not on.seen("elsewhere_card")


def test_what_was_looked_for_here_is_looked_for_there(qtbot: Any) -> None:
    for text, field in (("1250.50", "elsewhere_amount"), ("T7K3M9QRD-R000123", "elsewhere_id"), ("567", "")):
        on = stage(qtbot)
        on.press(Key.Key_F4)
        on.fill("found_search", text)
        on.part("found_others").click()
        typed = {f"elsewhere_{each}": on.text(f"elsewhere_{each}") for each in FIELDS}
        assert {name: value for name, value in typed.items() if value} == ({field: text} if field else {})


def test_marks_of_direction_that_were_pasted_with_it_are_not_looked_for(qtbot: Any) -> None:
    on = opened(qtbot)
    on.part("elsewhere_id").insert("\u200fT7K3M9QRD-R000123\u200e")
    on.part("elsewhere_digits").insert("\u200e567\u200f")
    on.part("elsewhere_id").setFocus()
    on.press(Key.Key_Return)
    assert asked(on).sought == FindRequest(id="T7K3M9QRD-R000123", digits="567")


def test_another_tills_paper_is_asked_about_at_once(qtbot: Any) -> None:
    on = stage(qtbot)
    scan(on, CODE)
    foreign(on)
    assert asked(on).text == CODE
    assert on.says("elsewhere_verdict") == f"{words.NOT_HERE} {words.ASKING}"
    answer(on, PAYMENT, proof=Proof.UNCHANGED)
    assert on.says("elsewhere_verdict") == words.VERDICT[Proof.UNCHANGED].format(counter="Front door")
    assert on.seen("elsewhere_print")
    # The scanner's Enter is nobody's wish for paper.
    assert not on.commands(PrintPaper)


@pytest.mark.parametrize("proof", [Proof.CHANGED, Proof.MISSING, Proof.UNPROVEN])
def test_a_paper_that_is_not_proven_is_not_copied(qtbot: Any, proof: Proof) -> None:
    on = stage(qtbot)
    scan(on, CODE)
    foreign(on)
    answer(on, *([] if proof is Proof.MISSING else [PAYMENT]), proof=proof)
    assert on.says("elsewhere_verdict") == words.VERDICT[proof].format(counter="Front door")
    assert not on.seen("elsewhere_print")
    assert not on.seen("elsewhere_receipt")


def test_a_paper_with_the_store_away_is_only_not_this_tills(qtbot: Any) -> None:
    on = stage(qtbot)
    scan(on, CODE)
    foreign(on)
    answer(on, problem=Unanswered.AWAY)
    assert on.says("elsewhere_verdict") == f"{words.NOT_HERE} {words.PROBLEM[Unanswered.AWAY]}"


def test_without_a_store_another_tills_paper_is_not_this_tills_and_nobody_is_asked(qtbot: Any) -> None:
    on = stage(qtbot, store=StoreView())
    scan(on, CODE)
    foreign(on)
    assert on.says("verdict_0") == paper_words.VERDICT[Verdict.FOREIGN]
    assert not on.commands(LookElsewhere)


def test_a_paper_scanned_into_the_search_is_checked_here_first(qtbot: Any) -> None:
    on = opened(qtbot)
    scan(on, CODE)
    assert on.text("elsewhere_id") == ""
    foreign(on)
    assert asked(on).text == CODE
    answer(on, PAYMENT, proof=Proof.UNCHANGED)
    assert on.seen("elsewhere_card")


def card(qtbot: Any, payment: Elsewhere = PAYMENT, **told: Any) -> Stage:
    """A payment that was found, looked at."""
    on = opened(qtbot, **told)
    on.fill("elsewhere_digits", "567")
    on.press(Key.Key_Return)
    answer(on, payment)
    on.press(Key.Key_Return)
    return on


def test_a_copy_is_wished_with_what_stands_on_it_and_what_became_of_it_is_said(qtbot: Any) -> None:
    on = card(qtbot, signed_in=RUWAN)
    on.part("elsewhere_print").click()
    (wanted,) = on.commands(PrintPaper)
    assert (wanted.paper, wanted.about, wanted.again) == (
        PaperKind.ELSEWHERE,
        PAYMENT.attempt.attempt_id,
        True,
    )
    assert wanted.receipt == receipt_elsewhere(PAYMENT)
    job = PrintJob(
        number=1, paper=PaperKind.ELSEWHERE, about=wanted.about, copy=2, language="en", width=576,
        printer="network", who="p2", asked_at=1, asked="2025-11-21T14:07:14+05:30", state=JobState.QUEUED,
    )  # fmt: skip
    on.receive(PrintAnswered(request_id=wanted.request_id, job=job))
    assert on.says("elsewhere_copy_said") == words.COPY_ASKED.format(number=2)


def test_a_second_press_prints_no_second_copy(qtbot: Any) -> None:
    """Each press made a copy more, as soon as the first was on its way to the printer."""
    on = card(qtbot, signed_in=RUWAN)
    on.part("elsewhere_print").click()
    (wanted,) = on.commands(PrintPaper)
    job = PrintJob(number=1, paper=PaperKind.ELSEWHERE, about=wanted.about, copy=1)
    on.receive(PrintAnswered(request_id=wanted.request_id, job=job))
    on.part("elsewhere_print").click()
    assert on.commands(PrintPaper) == [wanted]


def test_presses_before_the_answer_are_one_wish(qtbot: Any) -> None:
    """What a manager allowed bore the first one's name, and the card waited for the second's: it said nothing."""
    on = card(qtbot, signed_in=RUWAN)
    on.part("elsewhere_print").click()
    on.part("elsewhere_print").click()
    first, second = on.commands(PrintPaper)
    assert first == second
    on.receive(PrintAnswered(request_id=first.request_id, problem=PrintProblem.CANNOT_RECORD))
    # It can be asked for once more.
    on.part("elsewhere_print").click()
    assert on.commands(PrintPaper)[-1].request_id != first.request_id


def test_where_it_cannot_be_recorded_no_copy_is_promised(qtbot: Any) -> None:
    on = card(qtbot, signed_in=RUWAN)
    on.part("elsewhere_print").click()
    (wanted,) = on.commands(PrintPaper)
    on.receive(PrintAnswered(request_id=wanted.request_id, problem=PrintProblem.CANNOT_RECORD))
    assert on.says("elsewhere_copy_said") == printing_words.PROBLEM[PrintProblem.CANNOT_RECORD]


def test_a_cashier_asks_a_manager_for_the_copy(qtbot: Any) -> None:
    on = card(qtbot)
    on.part("elsewhere_print").click()
    (wanted,) = on.commands(PrintPaper)
    on.receive(StaffAnswered(request_id=wanted.request_id, problem=StaffProblem.NOT_ALLOWED))
    assert on.seen("approval")


def test_without_a_printer_it_is_looked_at_as_a_copy_of_this_counter(qtbot: Any) -> None:
    on = card(qtbot, printer="")
    assert not on.seen("elsewhere_print")
    assert on.says("elsewhere_copy_said") == printing_words.NO_PRINTER
    on.part("elsewhere_receipt").click()
    on.until_seen("receipt_strip")
    said = on.part("receipt_strip").accessibleName()
    for line in ("COPY", "at counter 3", "SBX-TQ4W7Z2XA-R000123", "LKR 1,250.00"):
        assert line in said


@pytest.mark.parametrize(
    ("payment", "says"),
    [
        (elsewhere(state=State.DISPUTED, receipt=0, receipt_of=""), words.IN_DISPUTE),
        (elsewhere(state=State.WAITING, receipt=0, receipt_of=""), words.NO_COPY),
        (replace(PAYMENT, check=""), words.NO_COPY),
        (replace(PAYMENT, is_own=True), words.OWN),
    ],
)
def test_what_has_no_copy_here_says_why(qtbot: Any, payment: Elsewhere, says: str) -> None:
    on = card(qtbot, payment)
    assert on.says("elsewhere_copy_said") == says
    assert not on.seen("elsewhere_print")


def test_nothing_of_it_is_seen_behind_the_lock_or_left_to_the_next(qtbot: Any) -> None:
    on = card(qtbot)
    store, printing = WELL, PrintView(printer="network")
    on.receive(terminal(locked=True, store=store, printing=printing))
    assert not any("Front door" in text for text in on.words())
    on.receive(terminal(signed_in=RUWAN, store=store, printing=printing))
    assert not on.seen("elsewhere_card")
    assert not on.seen("other_counters")


def test_it_enters_no_list_of_this_till(qtbot: Any) -> None:
    on = card(qtbot)
    on.press(Key.Key_Escape)
    on.press(Key.Key_Escape)
    sought = on.commands(FindPayments)[-1]
    on.receive(PaymentsFound(request_id=sought.request_id, found=recent()))
    assert len(on.rows("found_list")) == len(recent())
    assert not any("Front door" in row for row in on.rows("found_list"))


def test_another_currency_is_heard_as_it_is_seen(qtbot: Any) -> None:
    on = opened(qtbot)
    on.fill("elsewhere_digits", "567")
    on.press(Key.Key_Return)
    answer(on, replace(PAYMENT, attempt=replace(PAYMENT.attempt, currency="USD")))
    (heard,) = on.rows("elsewhere_list")
    assert "USD 1250.00" in heard
    assert "LKR" not in heard


def test_hostile_text_stands_as_plain_text(qtbot: Any) -> None:
    hostile = "<b>x</b>&lt;\u202e" + "W" * 50
    on = card(qtbot, replace(PAYMENT, counter=hostile))
    for text in on.words():
        assert "\u202e" not in text
    assert any("<b>x</b>" in text for text in on.words())
