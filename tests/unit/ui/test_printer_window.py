"""The pretended printer's window by keys, by a finger, and in another language than it came up in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from pos_app.devices.escpos import job_stream
from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.gallery.papers import HEAD, receipt
from pos_app.i18n.papers import Papers
from pos_app.i18n.words.pretended import words
from pos_app.training.printer.window import PrinterWindow
from pos_app.ui.language import set_language
from pos_app.ui.paper.raster import bitmap_of
from pos_app.ui.theme.theme import apply
from tests.support.driver import Keyboard
from tests.unit.ui.dialog_cases import Key, focused, press, settle
from tests.unit.ui.test_finger_scroll import Drag

_DOTS = 576
_SCANNER_MS = 8


class Beside:
    """The window, and bytes for it."""

    def __init__(self, qtbot: QtBot) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        apply(application, "light")
        self.printer = VirtualPrinter()
        self.window = PrinterWindow(self.printer)
        self.printer.tell(self.window.look)
        qtbot.addWidget(self.window)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        settle()

    def prints(self, job: str) -> None:
        self.printer.take(job_stream(bitmap_of(Papers("en", HEAD).receipt(receipt()), _DOTS), job))
        settle()


@pytest.fixture
def beside(qtbot: QtBot) -> Iterator[Beside]:
    yield Beside(qtbot)
    set_language("en")


def test_it_speaks_the_language_that_the_till_speaks_now(beside: Beside) -> None:
    """It stayed in the one of whoever was signed in when its first paper came."""
    beside.prints("0001")
    before = (beside.window.tear.text(), beside.window.off.text(), beside.window.windowTitle())
    set_language("ta")
    after = (beside.window.tear.text(), beside.window.off.text(), beside.window.windowTitle())
    assert after[:2] == (words.TEAR_OFF, words.OFF)
    assert not set(before) & set(after)
    assert beside.window.strips[0].accessibleName() == words.WHOLE
    assert beside.window.off.accessibleDescription() == words.NOT_ON


def test_whoever_reads_a_sheet_goes_on_when_another_comes(beside: Beside) -> None:
    """The keyboard went to "No paper", whose next Enter took the paper out."""
    beside.prints("0001")
    beside.window.strips[0].setFocus(Qt.FocusReason.TabFocusReason)
    beside.prints("0002")
    assert focused() is beside.window.strips[1]
    press(Key.Key_Return)
    assert beside.printer.switches.rows_left is None


def test_a_second_enter_at_tear_off_takes_no_paper_out(beside: Beside) -> None:
    beside.prints("0001")
    beside.window.tear.setFocus(Qt.FocusReason.TabFocusReason)
    press(Key.Key_Return)
    press(Key.Key_Return)
    assert beside.window.strips == []
    assert beside.printer.switches.rows_left is None


def test_its_paper_goes_along_with_a_finger(beside: Beside) -> None:
    """A finger moved nothing: its bar is as wide as a nail."""
    beside.prints("0001")
    area = beside.window.findChild(QScrollArea)
    assert area is not None
    assert area.verticalScrollBar().maximum() > 0
    Drag(area.viewport()).by(-120)
    assert area.verticalScrollBar().value() > 0


def test_a_scanner_tears_nothing_off(beside: Beside) -> None:
    beside.prints("0001")
    beside.window.tear.setFocus(Qt.FocusReason.TabFocusReason)
    scanner = Keyboard(beside.window, _SCANNER_MS)
    scanner.type("4792210100012")
    scanner.press(Key.Key_Return)
    assert len(beside.window.strips) == 1
