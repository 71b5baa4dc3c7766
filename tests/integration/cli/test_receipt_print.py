"""`receipt --print` by the real process, on a printer that is a socket: what lies on paper, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.devices.printers.virtual import VirtualPrinter
from tests.integration.cli.conftest import with_printer
from tests.integration.cli.test_closing import left_waiting, paid
from tests.integration.cli.till import Done, Till
from tests.support.codes import codes_on
from tests.support.sandbox import Sandbox


def _codes(printer: VirtualPrinter) -> list[list[str]]:
    """Of each whole sheet."""
    assert not printer.broken
    return [codes_on(sheet.bitmap) for sheet in printer.sheets if sheet.is_cut]


def _job(done: Done) -> dict[str, Any]:
    job: dict[str, Any] = done.last["job"]
    return job


def test_an_original_lies_on_paper_once_and_a_copy_only_when_it_is_meant(
    sandbox: Sandbox, counter: Till, printer: VirtualPrinter
) -> None:
    attempt_id = paid(sandbox, counter)
    assert counter.run("receipt", attempt_id).last["job"] is None
    first = counter.run("receipt", attempt_id, "--print")
    assert first.code == 0
    assert _job(first) == {"number": 1, "state": "PRINTED", "copy": 0, "detail": ""}
    assert (first.last["copies"], first.last["attempt_id"]) == (1, attempt_id)
    assert _codes(printer) == [[first.last["code"]]]
    assert printer.sheets[0].bitmap.width == 384
    again = counter.run("receipt", attempt_id, "--print")
    assert (again.code, again.out) == (1, "")
    assert "--print --again prints a copy" in again.err
    assert not printer.sheets[1:]
    copied = counter.run("receipt", "--last", "--print", "--again")
    assert (copied.code, copied.last["copies"], _job(copied)["copy"]) == (0, 2, 1)
    original, copy = printer.sheets
    assert copy.bitmap.height > original.bitmap.height, "COPY stands above and below"
    told = counter.run("receipt", attempt_id).last
    assert (told["copies"], told["job"]) == (2, _job(copied))
    said = counter.say("receipt", attempt_id, "--print", "--again")
    assert said.out == f"{told['receipt']}, COPY 2: on paper  [print job 3]\n"


@pytest.mark.usefixtures("mute")
def test_a_printer_that_does_not_report_is_not_believed_more(
    sandbox: Sandbox, counter: Till, printer: VirtualPrinter
) -> None:
    printer.switches.talks = False
    paid(sandbox, counter)
    done = counter.run("receipt", "--last", "--print")
    assert (done.code, _job(done)["state"]) == (0, "SENT")


def test_without_paper_nothing_is_printed_then_or_later_and_the_original_is_kept(
    sandbox: Sandbox, counter: Till, printer: VirtualPrinter
) -> None:
    printer.switches.rows_left = 0
    paid(sandbox, counter)
    held = counter.run("receipt", "--last", "--print")
    assert held.code == 69
    assert _job(held) == {"number": 1, "state": "LEFT", "copy": 0, "detail": "paper_out"}
    assert held.last["copies"] == 0
    assert "the printer has no paper" in counter.say("receipt", "--last", "--print").out
    printer.switches.rows_left = None
    assert _codes(printer) == []
    done = counter.run("receipt", "--last", "--print")
    assert (done.code, _job(done)["copy"], done.last["copies"]) == (0, 0, 1)
    assert len(_codes(printer)) == 1


def test_a_printer_that_dies_in_the_middle_leaves_a_question_and_no_second_original(
    sandbox: Sandbox, counter: Till, printer: VirtualPrinter
) -> None:
    printer.switches.dies_after = 9 + 20 + 48 * 200
    paid(sandbox, counter)
    broken = counter.run("receipt", "--last", "--print")
    assert (broken.code, _job(broken)["state"], _job(broken)["copy"]) == (4, "UNKNOWN", 0)
    assert [sheet.is_cut for sheet in printer.sheets] == [False]
    printer.switches.dies_after = None
    refused = counter.run("receipt", "--last", "--print")
    assert (refused.code, refused.out) == (4, "")
    assert "it may be on paper already" in refused.err
    copied = counter.run("receipt", "--last", "--print", "--again")
    assert (copied.code, _job(copied)["copy"]) == (0, 1)
    (x,) = counter.run("report", "x").objects
    assert [each["count"] for each in x["copies"]] == [1]
    (open_,) = x["unprinted"]
    assert (open_["receipt"], open_["state"], open_["copy"]) == (copied.last["receipt"], "UNKNOWN", 0)
    (z,) = counter.run("close", "--no-reconcile").objects
    assert (z["copies"], z["unprinted"], z["unprinted_more"]) == (x["copies"], [open_], 0)
    said = counter.say("report", "z").out
    assert f"not known whether on paper ({open_['detail']}): {open_['receipt']}" in said
    assert open_["receipt"] in counter.say("report", "z", "--text").out
    # The half of the original hangs from the printer, and the copy comes out behind it; then the Z.
    assert [sheet.is_cut for sheet in printer.sheets] == [True, True]


def test_a_counter_without_a_printer_says_so_and_opens_nothing(sandbox: Sandbox, till: Till) -> None:
    paid(sandbox, till)
    none = till.run("receipt", "--last", "--print")
    assert (none.code, none.out) == (69, "")
    assert "this counter has no printer" in none.err
    pretended = with_printer(till, KIND="virtual").run("receipt", "--last", "--print")
    assert (pretended.code, "is beside a window" in pretended.err) == (69, True)


def test_a_till_at_work_on_the_journal_is_named(
    sandbox: Sandbox, counter: Till, printer: VirtualPrinter
) -> None:
    paid(sandbox, counter)
    paying = counter.start("pay", "--amount", "7.00", "--qr")
    paying.state("WAITING")
    refused = counter.run("receipt", "--last", "--print")
    paying.kill()
    assert (refused.code, refused.out) == (73, "")
    assert "is in use by another till" in refused.err
    assert "F12" in refused.err
    assert printer.sheets == ()


def test_what_is_not_money_is_not_printed(counter: Till, printer: VirtualPrinter) -> None:
    waiting = left_waiting(counter)
    done = counter.run("receipt", waiting, "--print")
    assert (done.code, done.out, printer.sheets) == (4, "", ())


@pytest.mark.parametrize(
    ("line", "names"),
    [
        (("receipt", "--last", "--again"), "--again"),
        (("receipt", "--last", "--print", "--text"), "--text"),
        (("receipt", "--check", "X", "--print"), "--print"),
        (("receipt", "--last", "--print", "--width", "58"), "--width: the counter's printer"),
        (("receipt", "--last", "--print", "--page", "a4"), "--page: the counter's printer"),
        (("receipt", "--last", "--text", "--width", "58"), "--width: it is of --png and --escpos"),
        (("receipt", "--last", "--page", "a4", "--png", "x.png"), "--page: it is of --pdf"),
        (("receipt", "--last", "--wait", "5"), "--wait needs --print"),
        (("receipt", "--last", "--print", "--wait", "0"), "is no time"),
        (("receipt", "--last", "--print", "--wait", "901"), "is no time"),
        (("report", "x", "--width", "58"), "--width"),
        (("receipt", "--last", "--pdf", "x.txt"), "--pdf: x.txt is what its text"),
        (("report", "x", "--pdf", "X.TXT"), "name it like receipt.pdf"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_its_name(
    counter: Till, line: tuple[str, ...], names: str
) -> None:
    done = counter.run(*line)
    assert (done.code, done.out) == (2, "")
    assert names in done.err


def test_with_a_wait_new_paper_within_it_is_printed_on(
    sandbox: Sandbox, counter: Till, printer: VirtualPrinter
) -> None:
    printer.switches.rows_left = 0
    paid(sandbox, counter)
    printing = counter.start("receipt", "--last", "--print", "--wait", "60")
    # Whoever looks beside it reads where it is; each look is a process, so that nothing spins.
    states = ((counter.run("receipt", "--last").last["job"] or {}).get("state") for _ in range(100))
    assert "HELD" in states
    printer.switches.rows_left = None
    done = printing.end()
    assert (done.code, _job(done)["state"], len(_codes(printer))) == (0, "PRINTED", 1)


def test_a_wait_in_vain_has_an_end(sandbox: Sandbox, counter: Till, printer: VirtualPrinter) -> None:
    printer.switches.rows_left = 0
    paid(sandbox, counter)
    done = counter.run("receipt", "--last", "--print", "--wait", "5")
    assert (done.code, _job(done)["state"], _job(done)["detail"]) == (69, "LEFT", "paper_out")
    assert printer.sheets == ()
