"""Today's payments (F4): what is asked of the engine, what is listed, and what is said when there is nothing."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from pos_app.domain.attempt import Attempt, Kind, State
from pos_app.domain.search import PAGE, Cursor, FindPayments, Only, SumPayments, matches
from pos_app.domain.views import PaymentsFound, PaymentsSummed, StaffProblem
from pos_app.ui.dialogs.payments.found import TURNS, FoundPayments
from pos_app.ui.widgets.button import Button
from tests.support.published import NIMALI, RUWAN, attempt, change, config
from tests.unit.ui.dialog_cases import Key, Posted, faults, focused, press, settle, shown, type_text

NOW = datetime.fromisoformat("2025-11-21T14:09:20+05:30")


def listed(count: int, *, first: int = 1000, day: str = "2025-11-21", **facts: Any) -> tuple[Attempt, ...]:
    """So many payments, the newest first."""
    return tuple(
        attempt(
            attempt_id=f"SBX-TK7M3Q9RD-{first - at}-1",
            sale_id=f"{first - at}",
            state=(State.PAID, State.FAILED, State.IN_DOUBT)[at % 3],
            amount=Decimal(f"{at + 10}.00"),
            tapped_at=first - at,
            tapped_wall=f"{day}T13:{59 - at % 60:02d}:00+05:30",
            **facts,
        )
        for at in range(count)
    )


class Look:
    """The panel, and what it posted."""

    def __init__(self, qtbot: QtBot, **stage: Any) -> None:
        self.posted = Posted()
        person = stage.pop("person", None)
        self.panel = FoundPayments(config(), self.posted, person=person, now=lambda: NOW)
        self.opened: list[Attempt] = []
        self.panel.opened.connect(self.opened.append)
        shown(qtbot, self.panel, width=960, **stage)

    @property
    def asked(self) -> FindPayments:
        """The newest wish."""
        return [command for command in self.posted if isinstance(command, FindPayments)][-1]

    @property
    def sums(self) -> list[SumPayments]:
        """What a day has brought was asked for, so often."""
        return [command for command in self.posted if isinstance(command, SumPayments)]

    def click(self, name: str) -> None:
        """A touch."""
        button = self.panel.findChild(Button, name)
        assert button is not None
        assert button.isVisible()
        button.click()
        settle()

    def answer(self, *found: Attempt, **told: Any) -> None:
        """The engine's answer to it."""
        self.panel.receive(PaymentsFound(request_id=self.asked.request_id, found=found, **told))
        settle()

    def rows(self) -> list[str]:
        """What a screen reader says of each."""
        return [self.panel.rows.item(at).text() for at in range(self.panel.rows.count())]

    def said(self) -> str:
        """The sentence in the place of the list, "" while there is a list."""
        return "" if self.panel.said.isHidden() else str(self.panel.said.text())


@pytest.fixture
def look(qtbot: QtBot) -> Look:
    return Look(qtbot)


@pytest.mark.parametrize(("size", "theme"), [((1024, 768), "light"), ((1920, 1080), "dark")])
def test_nothing_is_cut_at_any_size(qtbot: QtBot, size: tuple[int, int], theme: str) -> None:
    look = Look(qtbot, theme=theme, size=size)
    assert faults(look.panel) == []
    look.answer(*listed(20), day_is_over=True, more=Cursor(1, "x"))
    assert faults(look.panel) == []
    assert look.panel.pad.isVisible()


def test_it_asks_for_today_and_the_keyboard_is_in_the_search(look: Look) -> None:
    assert look.asked.earliest == "2025-11-21"
    assert look.asked.sought.is_all
    assert look.said() == "Looking…"
    assert focused() is look.panel.field.edit


def test_each_row_says_its_state_in_words(look: Look) -> None:
    look.answer(*listed(3), attempt(kind=Kind.PUSH, invoice_number="INV-7"))
    assert look.rows() == [
        "LKR 10.00, Paid, 13:59, SANDBOX · sale 1000 · QR",
        "LKR 11.00, Not paid, 13:58, SANDBOX · sale 999 · QR",
        "LKR 12.00, Checking, 13:57, SANDBOX · sale 998 · QR",
        "LKR 1,250.00, Waiting, 14:07, SANDBOX · sale 0123 · phone +94 •• ••• 321 · INV-7",
    ]
    assert look.said() == ""


def test_each_key_asks_anew_and_an_older_answer_is_not_listed(look: Look) -> None:
    older = look.asked.request_id
    type_text("1,2")
    assert [command.sought.text for command in look.posted if isinstance(command, FindPayments)] == [
        "",
        "1",
        "1,",
        "1,2",
    ]
    assert look.asked.sought.amounts == ("1.2", "12")
    look.panel.receive(PaymentsFound(request_id=older, found=listed(5)))
    assert look.rows() == []
    look.answer(*listed(1))
    assert len(look.rows()) == 1


def test_a_state_s_word_and_a_whole_number_are_told_to_the_engine(look: Look) -> None:
    type_text("paid")
    assert look.asked.sought.states == {State.PAID, State.PAID_LATE}
    look.panel.field.edit.clear()
    type_text("0771234567")
    assert look.asked.sought.number == "+94771234567"


def test_signs_that_nobody_sees_are_no_part_of_what_is_sought(look: Look) -> None:
    """Pasted from a page in another direction; what was said to fit nothing looked like the number itself."""
    look.panel.field.edit.insert("\u2066SBX-TK7M3Q9RD-0123-1\u2069")
    settle()
    assert look.asked.sought.text == "SBX-TK7M3Q9RD-0123-1"
    assert matches(attempt(), look.asked.sought)


def test_the_arrows_and_enter_open_a_payment_while_the_search_has_the_keyboard(look: Look) -> None:
    look.answer(*listed(8))
    press(Key.Key_Down)
    press(Key.Key_Down)
    assert focused() is look.panel.field.edit
    press(Key.Key_Return)
    assert [each.sale_id for each in look.opened] == ["998"]


def test_what_is_typed_in_the_list_goes_to_the_search(look: Look) -> None:
    look.answer(*listed(8))
    look.panel.rows.setFocus()
    type_text("12")
    assert look.panel.field.text() == "12"
    assert focused() is look.panel.field.edit


def test_a_finger_types_with_the_keys_and_opens_a_row(look: Look) -> None:
    look.answer(*listed(8))
    key = look.panel.pad.findChild(Button, "digit_7")
    assert key is not None
    QTest.mouseClick(key, Qt.MouseButton.LeftButton)
    assert look.asked.sought.text == "7"
    rows = look.panel.rows
    QTest.mouseClick(
        rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualItemRect(rows.item(1)).center()
    )
    assert [each.sale_id for each in look.opened] == ["999"]


def test_a_row_that_a_finger_is_on_still_opens_when_an_answer_comes_meanwhile(look: Look) -> None:
    """Who types fast touches the row while the last digits are still being looked for."""
    found = listed(8)
    look.answer(*found)
    rows = look.panel.rows
    place = rows.visualItemRect(rows.item(0)).center()
    type_text("1")
    QTest.mousePress(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    look.answer(found[0], found[5])
    QTest.mouseRelease(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [each.sale_id for each in look.opened] == ["1000"]


def test_each_answer_lists_what_was_found_in_its_order_and_nothing_else(look: Look) -> None:
    found = listed(8)
    for answer in (found[2:5], found, found[1::2], found[4:2:-1], (), found[:1]):
        type_text("1")
        look.answer(*answer)
        assert look.panel.rows.attempts() == list(answer)
        assert look.panel.rows.currentRow() == (0 if answer else -1)


def test_nothing_today_leads_to_earlier_days_whose_rows_have_a_date(look: Look) -> None:
    look.answer(more=Cursor(5, "x"), day_is_over=True)
    assert look.said() == "No payments today yet."
    look.panel.earlier.click()
    assert (look.asked.earliest, look.asked.before) == ("", Cursor(5, "x"))
    look.answer(*listed(1, day="2025-11-20"))
    assert look.rows() == ["LKR 10.00, Paid, 20 Nov, 13:59, SANDBOX · sale 1000 · QR"]
    assert look.panel.earlier.isHidden()


def test_no_match_is_said_with_what_was_typed(look: Look) -> None:
    type_text("<b>9")
    look.answer()
    assert look.said() == "No payment of today fits “<b>9”."
    assert look.panel.earlier.isHidden()


def test_a_record_that_cannot_be_read_is_said_and_not_taken_for_an_empty_one(look: Look) -> None:
    look.answer(problem=StaffProblem.CANNOT_READ)
    assert look.said().startswith("The record of payments cannot be read just now.")


def test_more_is_read_when_the_end_of_the_list_comes_into_view(look: Look) -> None:
    look.answer(*listed(PAGE), more=Cursor(5, "x"))
    before = len(look.posted)
    bar = look.panel.rows.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert len(look.posted) == before + 1
    assert look.asked.before == Cursor(5, "x")
    look.answer(*listed(3, first=900))
    assert len(look.rows()) == PAGE + 3


def test_a_long_search_stops_and_says_how_far_it_came(look: Look) -> None:
    type_text("9")
    look.answer(more=Cursor(1_700_000_000_000, "x"), day_is_over=True)
    look.panel.earlier.click()
    before = len(look.posted)
    for _ in range(TURNS + 1):
        look.answer(more=Cursor(1_700_000_000_000, "x"))
    assert len(look.posted) == before + TURNS
    assert look.said() == "No payment back to 2023-11-14 fits “9”." or "2023-11-15" in look.said()
    look.panel.earlier.click()
    assert len(look.posted) == before + TURNS + 1


def test_the_list_tells_what_becomes_of_a_payment(look: Look) -> None:
    one = attempt(tapped_at=2_000)
    look.answer(one)
    look.panel.receive(change(attempt(tapped_at=2_000, state=State.PAID)))
    assert look.rows()[0].startswith("LKR 1,250.00, Paid")
    look.panel.receive(change(attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", tapped_at=3_000)))
    assert [row.split("sale ")[1][:4] for row in look.rows()] == ["0124", "0123"]


def test_esc_closes(look: Look, qtbot: QtBot) -> None:
    with qtbot.waitSignal(look.panel.closed):
        press(Key.Key_Escape)


def test_a_manager_sees_count_and_sum_of_what_is_paid_piece_by_piece(qtbot: QtBot) -> None:
    look = Look(qtbot, person=RUWAN)
    assert [each.day for each in look.sums] == ["2025-11-21"]
    first = look.sums[0].request_id
    more = Cursor(900, "SBX-TK7M3Q9RD-900-1")
    look.panel.receive(PaymentsSummed(request_id=first, count=20, total=Decimal("10000.00"), more=more))
    assert look.panel.total.text() == "", "half a sum is none"
    assert look.sums[1].before == more
    second = look.sums[1].request_id
    look.panel.receive(PaymentsSummed(request_id=second, count=8, total=Decimal("3456.20")))
    assert look.panel.total.text() == "28 paid · LKR 13,456.20"
    look.panel.receive(PaymentsSummed(request_id=first, count=9, total=Decimal(1)))
    assert look.panel.total.text() == "28 paid · LKR 13,456.20", "an older answer is none"


def test_what_is_paid_meanwhile_is_summed_anew(qtbot: QtBot) -> None:
    look = Look(qtbot, person=RUWAN)
    look.answer(*listed(1))
    look.panel.receive(change(attempt(state=State.PAID, ended_at=2_000)))
    assert len(look.sums) == 2
    assert look.sums[1].before is None


def test_a_cashier_never_sees_a_sum_and_asks_for_none(qtbot: QtBot) -> None:
    look = Look(qtbot, person=NIMALI)
    look.answer(*listed(3))
    look.click("found_mine")
    look.click("found_day_before")
    look.panel.receive(change(attempt(state=State.PAID)))
    assert look.sums == []
    assert look.panel.total.text() == ""


def test_paid_not_paid_and_mine_are_asked_for_and_what_comes_in_has_to_fit(qtbot: QtBot) -> None:
    look = Look(qtbot, person=NIMALI)
    look.answer(*listed(3))
    look.click("found_paid")
    assert look.asked.only is Only.PAID
    look.answer()
    assert look.said() == "No payment of that day fits."
    look.panel.receive(change(attempt(state=State.FAILED, tapped_at=5_000)))
    assert look.rows() == []
    look.panel.receive(change(attempt(state=State.PAID, tapped_at=5_000)))
    assert len(look.rows()) == 1
    look.click("found_mine")
    assert (look.asked.only, look.asked.owner) == (Only.PAID, NIMALI.person_id)
    look.click("found_mine")
    look.click("found_not_paid")
    assert (look.asked.only, look.asked.owner) == (Only.NOT_PAID, "")


def test_a_day_back_and_forth_but_never_beyond_today(qtbot: QtBot) -> None:
    look = Look(qtbot, person=RUWAN)
    assert not look.panel.day_after.isEnabled()
    look.click("found_day_before")
    assert (look.asked.earliest, look.asked.latest) == ("2025-11-20", "2025-11-20")
    assert look.panel.title.text() == "Payments of 20 Nov"
    assert look.sums[-1].day == "2025-11-20"
    look.panel.receive(change(attempt(state=State.PAID, tapped_at=5_000_000)))
    assert look.rows() == [], "what comes in now is of today"
    look.click("found_day_after")
    assert (look.asked.earliest, look.asked.latest) == ("2025-11-21", "")
    assert look.panel.title.text() == "Today’s payments"


def test_all_days_have_no_sum(qtbot: QtBot) -> None:
    look = Look(qtbot, person=RUWAN)
    look.panel.receive(PaymentsSummed(request_id=look.sums[0].request_id, count=1, total=Decimal(5)))
    look.answer(more=Cursor(5, "x"), day_is_over=True)
    look.click("found_earlier")
    assert look.panel.total.text() == ""
    assert len(look.sums) == 1
