"""All payments, a million of them: what is in view is asked for and nothing else, and little of it is kept."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.ids import sale_id
from pos_app.domain.search import LookThrough, Only, ReadRows
from pos_app.domain.views import PaymentRows, PaymentsCounted, StaffProblem
from pos_app.ui.dialogs.payments.history import HistoryPanel
from pos_app.ui.widgets.long_rows import KEPT
from tests.support.published import attempt, config
from tests.unit.ui.dialog_cases import Posted, faults, focused, press, settle, shown, type_text

MILLION = 1_000_000
BLOCK = 100


def rows_of(block: int) -> tuple[Attempt, ...]:
    first = MILLION - block * BLOCK
    return tuple(
        attempt(sale_id=sale_id(number), attempt_id=f"SBX-TK7M3Q9RD-{number}-1", state=State.PAID)
        for number in range(first, first - BLOCK, -1)
    )


class Look:
    """A panel whose engine answers at once."""

    def __init__(self, qtbot: QtBot) -> None:
        self.posted = Posted()
        self.qtbot = qtbot
        self.panel = HistoryPanel(config(), self.posted, "p1", has_files=True)
        self.host = shown(qtbot, self.panel, width=1040)

    @property
    def asked(self) -> LookThrough:
        return [each for each in self.posted if isinstance(each, LookThrough)][-1]

    def count(self, rows: int, *, is_over: bool = True) -> None:
        self.panel.receive(
            PaymentsCounted(
                request_id=self.asked.request_id, count=rows, scanned=rows, is_over=is_over, block=BLOCK
            )
        )

    def answer(self) -> list[int]:
        """Answers what is asked for until nothing more is; which blocks that was."""
        answered: list[int] = []

        def is_all_here() -> bool:
            for each in [each for each in self.posted if isinstance(each, ReadRows)]:
                self.posted.remove(each)
                answered.append(each.block)
                rows = rows_of(each.block)
                self.panel.receive(PaymentRows(request_id=each.request_id, block=each.block, rows=rows))
            return all(self.panel.rows.row_at(at) is not None for at in self.panel.rows.seen())

        self.qtbot.waitUntil(is_all_here)
        return answered


def test_of_a_million_rows_those_in_view_are_asked_for_and_few_are_kept(qtbot: QtBot) -> None:
    look = Look(qtbot)
    look.count(MILLION)
    assert look.panel.found.text() == "1000000 payments"
    assert look.answer() == [0]
    assert look.panel.rows.row_at(0).attempt.sale_id == "1000000"
    bar = look.panel.rows.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert look.answer() == [MILLION // BLOCK - 1]
    assert look.panel.rows.row_at(MILLION - 1).attempt.sale_id == "0001"
    # A thumb that is dragged over everything: what it passes is asked for by nobody.
    for share in range(1, 50):
        bar.setValue(bar.maximum() * share // 50)
    assert len(look.answer()) <= 2
    for share in range(1, KEPT + 20):
        bar.setValue(bar.maximum() * share // (KEPT + 20))
        look.answer()
    assert len({block for block, _, _ in look.panel.rows.known_rows()}) == KEPT


def test_by_the_keyboard_any_row_is_reached_and_opened(qtbot: QtBot) -> None:
    look = Look(qtbot)
    look.count(MILLION)
    look.answer()
    opened: list[Attempt] = []
    look.panel.opened.connect(opened.append)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_End)
    look.answer()
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Home)
    look.answer()
    press(Qt.Key.Key_Return)
    assert [each.sale_id for each in opened] == ["0001", "1000000"]
    assert faults(look.panel) == []


def test_a_letter_in_the_list_belongs_to_the_search_and_asks_no_row_what_it_says(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt looked through all of a million rows for one that begins with it: the till stood still for 13 seconds."""
    look = Look(qtbot)
    look.count(MILLION)
    look.answer()
    press(Qt.Key.Key_Down)
    assert focused() is look.panel.rows
    said: list[object] = []
    monkeypatch.setattr(look.panel.rows, "spoken_row", said.append)
    type_text("7")
    monkeypatch.undo()
    assert len(said) < 2 * BLOCK
    type_text("5")
    assert look.asked.meant.sought.text == "75"
    look.count(3)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Backspace)
    assert (look.asked.meant.sought.text, focused()) == ("7", look.panel.field.edit)


def test_another_search_begins_anew_and_what_comes_late_is_left(qtbot: QtBot) -> None:
    look = Look(qtbot)
    look.count(300)
    look.answer()
    first = look.asked.request_id
    type_text("12.50")
    look.panel.filters[Only.PAID].click()
    assert (look.asked.meant.sought.text, look.asked.meant.only) == ("12.50", Only.PAID)
    assert look.panel.rows.count() == 0
    look.panel.receive(PaymentsCounted(request_id=first, count=300, is_over=True, block=BLOCK))
    look.panel.receive(PaymentRows(request_id=first, block=0, rows=rows_of(0)))
    assert look.panel.rows.count() == 0
    look.count(0)
    assert look.panel.said.text() == "There is no such payment."
    assert not look.panel.export.isEnabled()
    look.panel.end()
    assert look.asked.request_id == ""


def test_rows_that_cannot_be_read_are_said_and_asked_for_again(qtbot: QtBot) -> None:
    """They said that they are loading for as long as somebody waited, and were never asked for again."""
    look = Look(qtbot)
    look.count(300)
    qtbot.waitUntil(lambda: any(isinstance(each, ReadRows) for each in look.posted))
    (asked,) = [each for each in look.posted if isinstance(each, ReadRows)]
    look.posted.remove(asked)
    look.panel.receive(
        PaymentRows(request_id=asked.request_id, block=asked.block, problem=StaffProblem.CANNOT_READ)
    )
    assert "cannot be read" in look.panel.said.text()
    assert look.panel.said.isVisible()
    look.panel.rows.viewport().update()
    assert look.answer() == [0]
    assert not look.panel.said.isVisible()


def test_what_cannot_be_looked_through_is_no_count(qtbot: QtBot) -> None:
    look = Look(qtbot)
    look.count(1200, is_over=False)
    look.panel.receive(PaymentsCounted(request_id=look.asked.request_id, problem=StaffProblem.CANNOT_READ))
    assert look.panel.found.text() == ""
    assert "cannot be read" in look.panel.said.text()


def test_a_day_that_is_none_is_said_and_nothing_is_saved_without_it(qtbot: QtBot) -> None:
    """ "1.3.2026" bounded nothing and was not said: all payments were shown, and saved, as those of that day on."""
    look = Look(qtbot)
    look.count(300)
    saved: list[object] = []
    look.panel.export_wanted.connect(saved.append)
    look.panel.first.edit.setFocus()
    type_text("1.3.2026")
    assert look.panel.first.error.isHidden(), "while it is being typed"
    press(Qt.Key.Key_Return)
    assert look.panel.first.error.text() == "Enter a day as in 2026-03-01."
    assert focused() is look.panel.first.edit
    look.count(300)
    look.panel.export.click()
    assert saved == []
    look.panel.first.edit.selectAll()
    type_text("2026-03-02")
    look.panel.last.edit.setFocus()
    type_text("2026-03-01")
    assert look.panel.last.error.text() == "The first day is after the last."
    look.panel.last.edit.selectAll()
    type_text("2026-03-02")
    look.count(3)
    look.panel.export.click()
    assert saved == [look.asked.meant]
    assert (look.asked.meant.earliest, look.asked.meant.latest) == ("2026-03-02", "2026-03-02")
    settle()
    assert faults(look.panel) == []
