"""All payments at the window: a manager finds any of them, looks at it, and saves what is shown."""

from __future__ import annotations

import csv
from pathlib import Path

from PySide6.QtCore import Qt

from pos_app.domain.attempt import Attempt
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import hand_over, open_menu, written
from tests.end_to_end.test_counter_day import sell
from tests.end_to_end.test_exports import documents, save
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

__all__ = ["documents"]


def open_history(till: StartedTill) -> None:
    open_menu(till, "manager_history")
    till.until_seen("history")


def listed(till: StartedTill) -> list[Attempt]:
    """The payments whose rows are here."""
    rows = till.part("history_list")
    return [rows.row_at(at).attempt for at in range(rows.count()) if rows.row_at(at) is not None]


def test_any_payment_is_found_opened_and_saved_as_it_is_shown(
    documents: Path, make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till()
    for amount in ("12.50", "7", "3.20"):
        sell(till, sandbox, amount)
    till.charge_qr("40")
    till.press(Qt.Key.Key_F6)
    open_history(till)
    till.until_says("history_found", "4 payments")
    till.until(lambda: len(listed(till)) == 4)
    assert [str(each.amount) for each in listed(till)] == ["40.00", "3.20", "7.00", "12.50"]
    till.touch("history_paid")
    till.until(lambda: [str(each.amount) for each in listed(till)] == ["3.20", "7.00", "12.50"])
    till.fill("history_search", "12.50")
    till.until_says("history_found", "One payment")
    till.until(lambda: len(listed(till)) == 1)
    # By the keyboard alone: down into the list, and Enter.
    till.press(Qt.Key.Key_Down)
    till.press(Qt.Key.Key_Return)
    till.until_seen("payment_details")
    till.press(Qt.Key.Key_Escape)
    till.touch("history_export")
    till.until_seen("export")
    assert till.part("export_what").currentText() == "What is shown"
    save(till)
    till.until_says("export_said", "The file is saved.")
    (file,) = documents.iterdir()
    assert [row["amount"] for row in csv.DictReader(file.read_text().splitlines())] == ["12.50"]
    # What is in it is not all: its name says so, and what was done says which.
    assert file.name.startswith("sandbox-payments-shown-")
    act = next(each for each in written(till).acts if each.kind == "PERMITTED")
    assert "csv · paid · 12.50" in str(act.content)
    till.press(Qt.Key.Key_Escape)
    till.fill("history_search", "")
    till.fill("history_from", "2030-01-01")
    till.until_says("history_said", "There is no such payment.")
    till.press(Qt.Key.Key_Escape)
    till.until_seen("managers_menu")


def test_a_number_that_was_looked_for_is_in_no_record_of_what_was_saved(
    documents: Path, make_till: MakeTill, sandbox: Sandbox
) -> None:
    """The search takes a customer's number in full; what was done keeps its last digits."""
    till = make_till()
    attempt_id = till.charge_push("5", "+94771234567")
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")
    open_history(till)
    till.fill("history_search", "077 123 4567")
    till.until_says("history_found", "One payment")
    till.touch("history_export")
    till.until_seen("export")
    save(till)
    till.until_says("export_said", "The file is saved.")
    assert len(list(documents.iterdir())) == 1
    act = next(each for each in written(till).acts if each.kind == "PERMITTED")
    assert act.content["content"] == {"why": "csv · …567"}


def test_a_payment_that_goes_on_meanwhile_is_told_in_its_row(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till()
    waiting = till.charge_qr("40")
    till.press(Qt.Key.Key_F6)
    open_history(till)
    till.until(lambda: [each.state for each in listed(till)] == ["WAITING"])
    sandbox.act(waiting, "pay")
    till.until(lambda: [each.state for each in listed(till)] == ["PAID"])


def test_money_that_is_noted_back_stands_in_the_row_it_was_opened_from(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    """The list behind the card went on showing the payment as if nobody had noted anything."""
    till = make_till()
    sell(till, sandbox, "40")
    till.press(Qt.Key.Key_F4)
    till.until(lambda: len(till.rows("found_list")) == 1)
    till.press(Qt.Key.Key_Return)
    note_back(till)
    till.until(lambda: "Money back noted 40" in till.rows("found_list")[0])
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("found_payments"))
    open_history(till)
    till.until(lambda: len(listed(till)) == 1)
    rows = till.part("history_list")
    till.press(Qt.Key.Key_Down)
    till.press(Qt.Key.Key_Return)
    note_taken_back(till)
    till.until(lambda: "noted" not in rows.row_at(0).line)


def note_back(till: StartedTill) -> None:
    """All of it, from the payment's card; and the way back to what it was opened from."""
    till.touch("details_notes")
    till.touch("notes_new")
    till.touch("note_do")
    till.until(lambda: not till.seen("note_do"))
    leave_notes(till)


def note_taken_back(till: StartedTill) -> None:
    till.touch("details_notes")
    till.touch("note_1_withdraw")
    till.touch("note_withdraw_reason_suggestion_0")
    till.touch("note_withdraw_do")
    till.until(lambda: not till.seen("note_withdraw_do"))
    leave_notes(till)


def leave_notes(till: StartedTill) -> None:
    for panel in ("refund_notes", "payment_details"):
        till.until_seen(panel)
        till.press(Qt.Key.Key_Escape)
        till.until(lambda panel=panel: not till.seen(panel))  # type: ignore[misc]


def test_a_cashier_sees_that_it_is_a_managers(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till()
    sell(till, sandbox, "12.50")
    hand_over(till, "Kasun")
    till.press(Qt.Key.Key_F10)
    till.until_seen("managers_menu")
    assert not till.part("manager_history").isEnabled()
