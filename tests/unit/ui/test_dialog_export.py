"""The panel of an export: what is chosen is what is asked for."""

from __future__ import annotations

import threading
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from pos_app.app.exports import Exports
from pos_app.bootstrap.exporting import ExportError
from pos_app.bootstrap.shop import Shop
from pos_app.domain.export import NOT_READ, Format, News, Wish
from pos_app.domain.search import Meant
from pos_app.i18n.words.export import words
from pos_app.ui.dialogs.day.export import ExportPanel
from pos_app.ui.dialogs.parts.choice import Choice
from tests.unit.ui.dialog_cases import shown

SHOWN = Meant()


class Saving:
    """The panel over what a view shows, and what it wanted."""

    def __init__(self, qtbot: QtBot) -> None:
        self.panel = ExportPanel("/papers", 3, date(2025, 11, 21), shown=SHOWN, find=list)
        self.wished: list[Wish] = []
        self.panel.wanted.connect(self.wished.append)
        shown(qtbot, self.panel, width=760)

    def choose(self, choice: Choice, value: str) -> None:
        """As a finger does."""
        choice.box.setCurrentIndex(choice.box.findData(value))
        choice.box.activated.emit(choice.box.currentIndex())

    @property
    def kinds(self) -> list[str]:
        """Which files can be had."""
        box = self.panel.kind.box
        return [str(box.itemData(at)) for at in range(box.count())]


@pytest.mark.parametrize("kind", [Format.XLSX, Format.JSONL, Format.CSV])
def test_what_a_view_shows_is_saved_as_the_file_that_was_chosen(qtbot: QtBot, kind: Format) -> None:
    on = Saving(qtbot)
    on.choose(on.panel.kind, kind.value)
    on.panel.write.click()
    (wish,) = on.wished
    assert (wish.format, wish.among) == (kind, SHOWN)


def test_enter_leads_from_the_first_day_to_the_last_and_saves(qtbot: QtBot) -> None:
    on = Saving(qtbot)
    on.choose(on.panel.what, "dates")
    first, last = on.panel.first.edit, on.panel.last.edit
    first.setFocus()
    first.setText("2025-11-01")
    QTest.keyClick(first, Qt.Key.Key_Return)
    assert on.panel.window().focusWidget() is last
    assert not on.wished
    last.setText("2025-11-31")
    QTest.keyClick(last, Qt.Key.Key_Return)
    assert on.panel.last.error.text() == words.BAD_DATE
    last.setText("2025-11-20")
    QTest.keyClick(last, Qt.Key.Key_Enter)
    (wish,) = on.wished
    assert (wish.span.first, wish.span.last) == ("2025-11-01", "2025-11-20")


def test_a_file_that_cannot_be_begun_yet_is_said(qtbot: QtBot) -> None:
    """One that was given up may hang at a stick that takes nothing: the panel stood at "being written" for ever."""
    hangs, told = threading.Event(), list[News]()

    def shop() -> Shop:
        hangs.wait()
        raise ExportError(None, "the stick is gone at last")

    on = Saving(qtbot)
    exports = Exports(shop, str)
    on.panel.write.click()
    (wish,) = on.wished
    try:
        exports.door.begin(wish, told.append)
        exports.door.cancel()
        on.panel.begin()
        exports.door.begin(wish, on.panel.show_news)
        assert on.panel.said.text() == words.TROUBLE["being_written"]
        assert on.panel.write.isEnabled()
    finally:
        hangs.set()
        exports.stop()
    assert [each.trouble for each in told] == [NOT_READ]


def test_a_ledger_is_there_for_whole_days_alone(qtbot: QtBot) -> None:
    """And again where whole days are chosen after all; what else was chosen stays chosen."""
    on = Saving(qtbot)
    assert Format.LEDGER.value not in on.kinds
    on.choose(on.panel.kind, Format.XLSX.value)
    on.choose(on.panel.what, "2025-11")
    assert on.kinds == [each.value for each in Format]
    assert on.panel.kind.text() == Format.XLSX.value
    on.choose(on.panel.kind, Format.LEDGER.value)
    on.choose(on.panel.what, "shown")
    assert on.panel.kind.text() == Format.CSV.value
    assert on.panel.numbers.isVisible(), "a ledger has none, any other file may"
