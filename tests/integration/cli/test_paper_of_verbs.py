"""`pay` prints its receipt and `close` its Z by the real process: what lies on paper, and what it never changes."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from signal import SIGINT

import pytest

from pos_app.devices.printers.virtual import VirtualPrinter
from tests.integration.cli.conftest import with_printer
from tests.integration.cli.test_closing import left_waiting, paid
from tests.integration.cli.test_doctor import said
from tests.integration.cli.till import LIMIT_S, Done, Till
from tests.support.codes import codes_on
from tests.support.forked import REPOSITORY
from tests.support.sandbox import Sandbox


def _sold(sandbox: Sandbox, till: Till, amount: str = "12.50") -> Done:
    paying = till.start("pay", "--amount", amount, "--qr")
    sandbox.act(paying.state("WAITING")["attempt_id"], "pay")
    return paying.end()


def _codes(printer: VirtualPrinter) -> list[list[str]]:
    assert not printer.broken
    return [codes_on(sheet.bitmap) for sheet in printer.sheets if sheet.is_cut]


@pytest.fixture
def prints_all(counter: Till) -> Till:
    return with_printer(counter, AUTO="all")


class TestPay:
    """A receipt with its payment."""

    def test_a_payment_prints_its_receipt_once_the_money_was_said(
        self, sandbox: Sandbox, prints_all: Till, printer: VirtualPrinter
    ) -> None:
        done = _sold(sandbox, prints_all)
        assert done.code == 0
        *before, said = done.objects
        assert before[-1]["state"] == said["state"] == "PAID"
        assert "job" not in before[-1]
        assert said == {**before[-1], "job": {"number": 1, "state": "PRINTED", "copy": 0, "detail": ""}}
        told = prints_all.run("receipt", "--last").last
        assert _codes(printer) == [[told["code"]]]
        assert (told["copies"], told["job"]) == (1, said["job"])

    def test_a_person_reads_one_line_of_it(self, sandbox: Sandbox, prints_all: Till) -> None:
        paying = prints_all.start_saying("pay", "--amount", "9.00", "--qr")
        paying.says("Waiting")
        sandbox.act(prints_all.run("open").last["attempt_id"], "pay")
        done = paying.end()
        number = prints_all.run("receipt", "--last").last["receipt"]
        assert done.code == 0
        assert done.out.splitlines()[-1] == f"{number}: on paper  [print job 1]"

    def test_without_paper_it_is_paid_all_the_same_and_the_receipt_waits_for_the_next_till(
        self, sandbox: Sandbox, prints_all: Till, printer: VirtualPrinter
    ) -> None:
        printer.switches.rows_left = 0
        held = _sold(sandbox, prints_all)
        assert held.code == 0
        assert held.last["job"] == {"number": 1, "state": "HELD", "copy": 0, "detail": "paper_out"}
        assert printer.sheets == ()
        printer.switches.rows_left = None
        second = _sold(sandbox, prints_all, "3.00")
        assert (second.code, second.last["job"]["state"]) == (0, "PRINTED")
        assert len(_codes(printer)) == 2, (
            "new paper within the quarter of an hour: both originals, in their order"
        )

    def test_a_printer_that_dies_in_the_middle_changes_nothing_of_the_money(
        self, sandbox: Sandbox, prints_all: Till, printer: VirtualPrinter
    ) -> None:
        printer.switches.dies_after = 9 + 20 + 48 * 200
        broken = _sold(sandbox, prints_all)
        assert (broken.code, broken.last["state"], broken.last["job"]["state"]) == (0, "PAID", "UNKNOWN")

    def test_off_prints_nothing_and_says_nothing_of_it(
        self, sandbox: Sandbox, counter: Till, printer: VirtualPrinter
    ) -> None:
        done = _sold(sandbox, counter)
        assert (done.code, "job" in done.last, printer.sheets) == (0, False, ())

    def test_a_payment_that_is_gone_on_with_prints_its_receipt_too(
        self, sandbox: Sandbox, prints_all: Till, printer: VirtualPrinter
    ) -> None:
        paying = prints_all.start("pay", "--amount", "12.50", "--qr")
        attempt_id = paying.state("WAITING")["attempt_id"]
        paying.kill()
        going_on = prints_all.start("open", "--continue", attempt_id)
        going_on.state("WAITING")
        sandbox.act(attempt_id, "pay")
        done = going_on.end()
        assert (done.code, done.last["state"], done.last["job"]["state"]) == (0, "PAID", "PRINTED")
        assert _codes(printer) == [[prints_all.run("receipt", "--last").last["code"]]]

    def test_what_was_not_paid_has_no_paper(
        self, sandbox: Sandbox, prints_all: Till, printer: VirtualPrinter
    ) -> None:
        paying = prints_all.start("pay", "--amount", "4.00", "--qr")
        sandbox.act(paying.state("WAITING")["attempt_id"], "reject")
        done = paying.end()
        assert (done.code, "job" in done.last, printer.sheets) == (1, False, ())

    def test_a_signal_ends_the_wait_for_a_slow_printer_and_not_the_payment(
        self, sandbox: Sandbox, prints_all: Till, printer: VirtualPrinter
    ) -> None:
        printer.switches.bytes_per_s = 20_000
        paying = prints_all.start("pay", "--amount", "4.50", "--qr")
        sandbox.act(paying.state("WAITING")["attempt_id"], "pay")
        paying.state("PAID")
        done = paying.send(SIGINT).end()
        assert (done.code, done.last["state"]) == (0, "PAID")
        assert done.last["job"]["state"] in ("QUEUED", "PRINTED", "SENT", "UNKNOWN")

    def test_a_pretended_printer_is_beside_a_window(self, sandbox: Sandbox, till: Till) -> None:
        done = _sold(sandbox, with_printer(till, KIND="virtual", AUTO="all"))
        assert (done.code, done.last["job"]) == (0, None)

    def test_where_the_settings_ask_and_nobody_is_there_nothing_is_printed(
        self, sandbox: Sandbox, counter: Till, printer: VirtualPrinter
    ) -> None:
        done = _sold(sandbox, with_printer(counter, AUTO="ask"))
        assert (done.code, done.last["job"], printer.sheets) == (0, None, ())

    @pytest.mark.parametrize(("typed", "papers"), [("y\n", 1), ("\n", 0)])
    def test_where_the_settings_ask_a_person_at_a_terminal_answers(
        self, sandbox: Sandbox, counter: Till, printer: VirtualPrinter, typed: str, papers: int
    ) -> None:
        asking = with_printer(counter, AUTO="ask")
        master, slave = pty.openpty()
        till = "tests.integration.cli.patient"
        command = [sys.executable, "-m", till, *asking.common, "pay", "--amount", "6.00", "--qr"]
        with subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=asking.environment, cwd=REPOSITORY
        ) as process:
            os.close(slave)
            said = _until(master, "Waiting")
            sandbox.act(asking.run("open").last["attempt_id"], "pay")
            said = _until(master, "print the receipt?")
            os.write(master, typed.encode())
            said = _until(master, "on paper" if papers else "not wanted")
            assert process.wait(LIMIT_S) == 0, said
        os.close(master)
        assert len(_codes(printer)) == papers


def _until(master: int, text: str) -> str:
    said = ""
    while text not in said:
        said += os.read(master, 4096).decode("utf-8", "replace")
    return said


class TestClose:
    """A Z and its paper, which is the anchor outside the machine."""

    def test_a_closing_prints_its_z_whatever_receipts_do(
        self, sandbox: Sandbox, counter: Till, printer: VirtualPrinter
    ) -> None:
        paid(sandbox, counter)
        done = counter.run("close", "--no-reconcile")
        (z,) = done.objects
        assert (done.code, z["job"]) == (0, {"number": 1, "state": "PRINTED", "copy": 0, "detail": ""})
        assert _codes(printer) == [[z["anchor"]]]
        assert counter.run("report", "z", "--check", z["anchor"]).code == 0

    def test_of_a_z_that_broke_off_it_is_said_where_a_copy_is_printed(
        self, sandbox: Sandbox, prints_all: Till, printer: VirtualPrinter
    ) -> None:
        """It named options that only `receipt` has."""
        printer.switches.dies_after = 9 + 20 + 48 * 200
        paying = prints_all.start_saying("pay", "--amount", "9.00", "--qr")
        paying.says("Waiting")
        sandbox.act(prints_all.run("open").last["attempt_id"], "pay")
        receipt = paying.end().out.splitlines()[-1]
        assert receipt.endswith("print a copy with `pos-app receipt ID --print --again`  [print job 1]")
        printer.switches.dies_after = 9 + 20 + 48 * 200
        z = prints_all.say("close", "--no-reconcile").out.splitlines()[-1]
        assert z.endswith("say so at the till's window, which prints a copy  [print job 2]")

    def test_without_paper_it_is_closed_and_the_z_waits(self, counter: Till, printer: VirtualPrinter) -> None:
        printer.switches.rows_left = 0
        done = counter.say("close", "--no-reconcile")
        assert done.code == 0
        assert done.out.splitlines()[-1] == "Z 1: not printed yet: the printer has no paper  [print job 1]"
        printer.switches.rows_left = None
        (z,) = counter.run("close", "--no-reconcile").objects
        assert (z["number"], z["job"]["state"]) == (2, "PRINTED")
        assert len(_codes(printer)) == 2

    def test_what_is_carried_over_decides_its_code_and_not_the_paper(
        self, counter: Till, printer: VirtualPrinter
    ) -> None:
        left_waiting(counter)
        done = counter.run("close", "--no-reconcile", "--wait", "2")
        assert (done.code, done.last["job"]["state"], len(_codes(printer))) == (4, "PRINTED", 1)

    def test_without_a_printer_nothing_is_said_of_paper(self, till: Till) -> None:
        (z,) = till.run("close", "--no-reconcile").objects
        assert "job" not in z


def test_papers_that_did_not_print_are_counted(
    sandbox: Sandbox, counter: Till, printer: VirtualPrinter
) -> None:
    assert counter.run("pay", "--amount", "2.00", "--qr", "--give-up-after", "1").code in (1, 4)
    assert said(counter.run("doctor"))["papers"] == ("ok", "nothing waits for paper")
    printer.switches.dies_after = 9 + 20 + 48 * 200
    paid(sandbox, counter)
    assert counter.run("receipt", "--last", "--print").code == 4
    printer.switches.dies_after, printer.switches.rows_left = None, 0
    counter.run("close", "--no-reconcile")
    assert said(counter.run("doctor"))["papers"] == (
        "warning",
        "1 may be on paper, or may not: somebody has to look; 1 did not print",
    )
