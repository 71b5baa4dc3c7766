"""The pretended printer beside the sandbox's till: its paper is what the real bytes say, and it can be without any."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from pos_app.domain.day import anchor_in
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.test_counter_day import open_day, sell
from tests.support.driver import Driver
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill
from tests.unit.ui.qr_reader import read

PRINTER = '\n[printer]\nkind = "virtual"\nauto = "all"\n'


def printer(till: StartedTill) -> Any:
    """Its window, which comes with the first paper."""
    till.until(lambda: till.session.paper is not None)
    return till.session.paper


def first_paper(make_till: MakeTill, sandbox: Sandbox) -> tuple[StartedTill, Any, Driver]:
    """A till with one receipt out, the printer's window, and a hand at it."""
    till = make_till(settings=PRINTER)
    sell(till, sandbox, "12.50")
    beside = printer(till)
    till.until(lambda: len(beside.strips) == 1)
    return till, beside, Driver(beside)


def test_paper_comes_out_beside_the_till_and_is_scanned_again(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till(settings=PRINTER)
    sell(till, sandbox, "12.50")
    beside = printer(till)
    till.until(lambda: len(beside.strips) == 1)
    (text,) = read(beside.strips[0].image)
    assert sandbox.transactions()[0]["externalMerchantTransactionId"] in text
    assert beside.isVisible()
    assert "SANDBOX" in beside.windowTitle()
    on = Driver(beside)
    on.touch("paper_tear")
    on.until(lambda: not beside.strips)


def test_the_paper_leaves_the_keyboard_to_the_till(make_till: MakeTill, sandbox: Sandbox) -> None:
    """Some desktops give it to every new window; whoever types the next amount looks at the till."""
    till = make_till(settings=PRINTER)
    sell(till, sandbox, "12.50")
    printer(till)
    till.until(lambda: QApplication.activeWindow() is till.session.window)


def test_without_paper_the_till_says_so_and_prints_once_there_is_some(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    till, beside, on = first_paper(make_till, sandbox)
    on.touch("paper_out")
    sell(till, sandbox, "7")
    till.until_says("printing_notice", "no paper")
    assert len(beside.strips) == 1
    on.touch("paper_out")
    till.until(lambda: len(beside.strips) == 2)
    till.until(lambda: not till.says("printing_notice"))


@pytest.mark.parametrize("switch", ["paper_out", "paper_off"])
def test_closed_by_somebody_it_comes_back_when_it_is_to_print(
    make_till: MakeTill, sandbox: Sandbox, switch: str
) -> None:
    """Its switches are nowhere else: without paper, or off, it would print nothing more until the till is started."""
    till, beside, on = first_paper(make_till, sandbox)
    on.touch(switch)
    beside.close()
    assert not beside.isVisible()
    sell(till, sandbox, "7")
    till.until(beside.isVisible)
    on.touch(switch)
    till.until(lambda: len(beside.strips) == 2)


def test_a_closed_day_comes_out_on_paper(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till(settings=PRINTER)
    sell(till, sandbox, "12.50")
    open_day(till)
    till.touch("day_close")
    till.touch("day_ask_yes")
    till.until_says("day_said", "The day is closed.")
    beside = printer(till)
    till.until(lambda: len(beside.strips) == 2)
    (anchor,) = read(beside.strips[0].image)
    known = anchor_in(anchor)
    assert known is not None
    assert (known.number, "-Z1-12.50-" in anchor) == (1, True)


def test_a_day_s_pictures_are_looked_at_and_printed(make_till: MakeTill, sandbox: Sandbox) -> None:
    """Reached from the day by key or touch; on paper they are marked like all else of the sandbox."""
    till = make_till(settings=PRINTER)
    sell(till, sandbox, "12.50")
    open_day(till)
    till.touch("day_pictures_button")
    till.until_seen("picture_takings")
    assert "LKR 12.50" in till.part("picture_takings").accessibleName()
    till.touch("pictures_table")
    till.until_seen("table_takings")
    assert till.part("table_takings").item(0, 1).text() == "LKR 12.50"
    till.touch("pictures_print")
    beside = printer(till)
    till.until(lambda: len(beside.strips) == 2)
    assert till.part("pictures_print").isEnabled()
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("day_pictures"))
    assert till.seen("day")
