"""The till with a printer on a real socket: what lies on paper, what is said when nothing does. It waits for none."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.devices.printers.virtual_server import PrinterServer
from pos_app.domain.print_job import Why
from pos_app.domain.receipt import scanned_in
from pos_app.i18n.words.printing import words
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.settings_steps import open_settings
from tests.support.codes import codes_on
from tests.support.driver import Key
from tests.support.till import StartedTill


class Counter:
    """A till and the printer beside it."""

    def __init__(self, till: StartedTill, printer: VirtualPrinter) -> None:
        self.till = till
        self.printer = printer

    def pay(self, amount: str = "40") -> None:
        """A sale that is paid."""
        waiting = self.till.charge_qr(amount)
        self.till.sandbox.act(waiting, "pay")
        self.till.until_result("PAID")

    def codes(self) -> list[list[str]]:
        """Of each whole sheet."""
        assert not self.printer.broken
        return [codes_on(sheet.bitmap) for sheet in self.printer.sheets if sheet.is_cut]


@pytest.fixture
def counter(make_till: MakeTill, config_dir: Path, server: PrinterServer, printer: VirtualPrinter) -> Counter:
    with next(config_dir.glob("*.toml")).open("a") as file:
        file.write(f'\n[printer]\nkind = "network"\nhost = "127.0.0.1"\nport = {server.port}\nwidth = 58\n')
    return Counter(make_till(), printer)


def test_a_new_printer_is_tried_from_the_settings_before_anything_is_sold(counter: Counter) -> None:
    """docs/guides/manager.md, "The first day"."""
    open_settings(counter.till, "printer")
    counter.till.touch("print_test_page")
    counter.till.until(lambda: any(sheet.is_cut for sheet in counter.printer.sheets))
    assert not counter.till.seen("printing_notice_button")


def test_each_payments_receipt_comes_out_once_and_is_ours(counter: Counter) -> None:
    counter.pay()
    counter.till.until(lambda: len(counter.codes()) == 1)
    ((code,),) = counter.codes()
    assert scanned_in(code) is not None
    assert counter.printer.sheets[0].bitmap.width == 384
    # F12 asks first: the second one is a copy.
    counter.till.press(Key.Key_F12)
    counter.till.until(lambda: bool(counter.till.seen("copy_ask_yes")))
    counter.till.part("copy_ask_yes").click()
    counter.till.until(lambda: len(counter.codes()) == 2)
    first, second = counter.printer.sheets
    assert second.bitmap.height > first.bitmap.height, "COPY stands above and below"


def test_without_paper_it_is_paid_marked_and_printed_once_there_is_some(counter: Counter) -> None:
    counter.printer.switches.rows_left = 0
    counter.pay()
    counter.till.press(Key.Key_Return)
    counter.till.until_says("printing_notice", words.WAITS.format(why=words.why(Why.PAPER_OUT)))
    assert counter.codes() == []
    counter.printer.switches.rows_left = None
    counter.till.until(lambda: len(counter.codes()) == 1)
    counter.till.until(lambda: not counter.till.seen("printing_notice"))


def test_a_printer_that_dies_in_the_middle_is_asked_about(counter: Counter) -> None:
    counter.printer.switches.dies_after = 9 + 20 + 48 * 200
    counter.pay()
    counter.till.press(Key.Key_Return)
    counter.till.until_says("printing_notice", words.ASKS.of(1))
    assert [sheet.is_cut for sheet in counter.printer.sheets] == [False]
    counter.printer.switches.dies_after = None
    counter.till.part("printing_notice_button").click()
    counter.till.part("print_1_again").click()
    counter.till.until(lambda: len(counter.codes()) == 1)
    counter.till.until(lambda: not counter.till.seen("printing_notice"))


@pytest.mark.usefixtures("mute")
def test_a_printer_that_never_answers_is_waited_for_by_nobody(
    counter: Counter, server: PrinterServer
) -> None:
    """Another has its only ear, and keeps it: it takes the connection and nothing else. Sales go on."""
    with socket.create_connection(("127.0.0.1", server.port)):
        for amount in ("40", "41", "42"):
            counter.pay(amount)
            counter.till.press(Key.Key_Return)
        assert counter.codes() == []
