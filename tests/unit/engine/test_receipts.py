"""The engine tells receipts of what was committed, and knows its own papers again."""

from __future__ import annotations

from typing import Any

from pos_app.domain.attempt import State
from pos_app.domain.commands import CheckReceipt, ReadReceipt
from pos_app.domain.receipt import Receipt, Verdict, code_text
from pos_app.domain.views import Block, ReceiptChecked, ReceiptProblem, ReceiptRead
from tests.unit.engine.rig import Rig
from tests.unit.engine.test_disk import full, unreadable
from tests.unit.engine.test_receipt_numbers import pay
from tests.unit.engine.test_restart import reach


def answer(rig: Rig, command: Any) -> Any:
    """What the engine says to it."""
    rig.tell(command)
    found = [each for each in rig.shown if getattr(each, "request_id", "") == command.request_id]
    return found[-1]


def read(rig: Rig, attempt_id: str) -> ReceiptRead:
    """The receipt of a payment."""
    found = answer(rig, ReadReceipt(request_id="read", attempt_id=attempt_id))
    assert isinstance(found, ReceiptRead)
    return found


def check(rig: Rig, text: str) -> ReceiptChecked:
    """Whether a paper is ours."""
    found = answer(rig, CheckReceipt(request_id="check", text=text))
    assert isinstance(found, ReceiptChecked)
    return found


def receipt(rig: Rig, attempt_id: str) -> Receipt:
    """Which there is."""
    found = read(rig, attempt_id)
    assert found.receipt is not None
    assert not found.problem
    return found.receipt


def test_a_receipt_is_told_of_the_event_that_made_it_money(rig: Rig) -> None:
    first = pay(rig)
    wall = [each.wall for each in rig.journal.events_of(first) if State.PAID in each.path]
    rig.wait(3600)
    rig.restart()
    told = receipt(rig, first)
    assert (told.state, told.paid_at) == (State.PAID, wall[0])
    assert told.number.endswith("-R000001")
    assert told.environment is rig.attempt(first).environment
    assert len(told.check) == 10


def test_what_is_not_paid_has_no_receipt(rig: Rig) -> None:
    waiting = reach(rig, State.WAITING)
    assert read(rig, waiting).problem is ReceiptProblem.NOT_KNOWN_YET
    rig.asked("Customer Reject")
    assert rig.state(waiting) is State.FAILED
    assert read(rig, waiting).problem is ReceiptProblem.NOT_PAID
    assert read(rig, "SBX-T23456789-0099-1-K7Q2M9").problem is ReceiptProblem.UNKNOWN_PAYMENT


def test_a_paper_of_ours_is_known_and_a_changed_one_is_told(rig: Rig) -> None:
    first, second = pay(rig), pay(rig)
    told = receipt(rig, second)
    ours = check(rig, code_text(told)).checked
    assert ours is not None
    assert (ours.verdict, ours.attempt) == (Verdict.OURS, rig.attempt(second))
    other = code_text(told).replace(second, first)
    changed = check(rig, other).checked
    assert changed is not None
    assert changed.verdict is Verdict.CHANGED
    missing = check(rig, code_text(told).replace("R000002", "R000003")).checked
    assert missing is not None
    assert missing.verdict is Verdict.MISSING
    assert check(rig, "INV-7").problem is ReceiptProblem.NO_CODE


def test_a_dispute_gets_a_note_and_its_old_paper_is_ours_still(rig: Rig) -> None:
    """The paper was right when it was given; what became of the payment since is said beside the verdict."""
    disputed = reach(rig, State.DISPUTED)
    told = receipt(rig, disputed)
    assert told.is_note
    assert (told.number, told.check, told.paid_at) == ("", "", "")


def test_a_journal_that_cannot_be_read_tells_nothing(frail: Rig) -> None:
    first = pay(frail)
    told = receipt(frail, first)
    unreadable(frail)
    assert read(frail, first).problem is ReceiptProblem.CANNOT_READ
    assert check(frail, code_text(told)).problem is ReceiptProblem.CANNOT_READ


def test_money_that_is_not_written_yet_has_no_receipt(frail: Rig) -> None:
    """The disk is full: the screen waits for the commit, and so does paper (rule 15)."""
    waiting = reach(frail, State.WAITING)
    full(frail)
    frail.asked("Payment Success", waiting)
    found = read(frail, waiting)
    assert found.receipt is None
    assert found.problem


def test_looking_writes_nothing(frail: Rig) -> None:
    first = pay(frail)
    full(frail)
    assert check(frail, code_text(receipt(frail, first))).checked is not None
    assert frail.terminal.block is Block.NONE
