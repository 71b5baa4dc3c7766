"""`pos-app receipt`: a payment's receipt as text, as a file or printed; whether a paper is ours. Else it only looks."""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Sequence
from typing import Any

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import (
    environment_of,
    letterhead_of,
    open_reading,
    paper_language_of,
    reading,
    reading_keys,
    settings_ahead,
)
from pos_app.cli.paper_files import Form, copy_now, form_of, give
from pos_app.cli.paper_files import add_arguments as add_forms
from pos_app.cli.parser import plain
from pos_app.cli.printer import Printer, object_of_job, printer_of
from pos_app.domain.attempt import Attempt
from pos_app.domain.print_job import PaperKind, PrintJob
from pos_app.domain.receipt import Receipt, Verdict, code_text, number_in, scanned_in, shown_number
from pos_app.domain.views import ReceiptProblem
from pos_app.engine.core.receipts import made_of, problem_of, verdict_of
from pos_app.journal import Keys, Queries

_PROBLEMS = {
    ReceiptProblem.UNKNOWN_PAYMENT: "the journal knows no such payment",
    ReceiptProblem.NOT_PAID: "it was not paid: it has no receipt",
    ReceiptProblem.NOT_KNOWN_YET: "it is not known yet whether it was paid: no receipt so far",
    ReceiptProblem.NO_NUMBER: "it was never given a receipt number",
}

_VERDICTS = {
    Verdict.OURS: "ours, unchanged",
    Verdict.CHANGED: "CHANGED: the number is ours, the payment, amount or time is not what the journal has",
    Verdict.MISSING: "NOT KNOWN: this journal never gave that number; it is forged, or the journal is not whole",
    Verdict.FOREIGN: "not ours: another till's",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which payment, and in which form."""
    parser.add_argument(
        "id", nargs="?", type=plain, metavar="ID", help="the payment's id, as pay and open print it"
    )
    parser.add_argument("--last", action="store_true", help="the receipt whose number was given last")
    parser.add_argument(
        "--number", type=_number, metavar="N", help="the receipt of this number, 123 or T…-R000123"
    )
    parser.add_argument("--check", metavar="TEXT", help="whether a receipt with this code is ours")
    add_forms(parser, prints=True)


def _number(text: str) -> tuple[str, int]:
    found = number_in(text.strip().upper())
    if found[1]:
        return found
    if not re.fullmatch(r"[0-9]{1,12}", text) or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no receipt's number; write 123, or T7K3M9QRD-R000123")
    return "", int(text)


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when there is one, or the paper is ours; 1 when not; 4 while it is not known, or is in dispute; 73 not read.

    With --print 0 when it was printed, 4 when nobody knows, 69 when the printer takes nothing, 73 in use.
    """
    asked = (
        arguments.id is not None,
        arguments.last,
        arguments.number is not None,
        arguments.check is not None,
    )
    if sum(asked) != 1:
        raise CommandError(
            Exit.USAGE, "name one payment: its id, --last, --number N; or a paper with --check TEXT"
        )
    form = form_of(arguments)
    if arguments.check is not None and form is not None:
        raise CommandError(Exit.USAGE, f"--check: it makes no paper; leave --{form.kind} out")
    if arguments.check is not None and arguments.print:
        raise CommandError(Exit.USAGE, "--check: it makes no paper; leave --print out")
    if arguments.again and not arguments.print:
        raise CommandError(
            Exit.USAGE, "--again needs --print: what is made here as text or file is a copy anyway"
        )
    if arguments.wait is not None and not arguments.print:
        raise CommandError(Exit.USAGE, "--wait needs --print: nothing else waits for a printer")
    environment = environment_of(options)
    journal = open_reading(options, environment)
    if journal is None:
        raise CommandError(Exit.NOT_PAID, "there is no journal yet: no payment was ever taken")
    with contextlib.closing(journal), reading():
        keys = reading_keys(options, environment)
        printer = printer_of(options, goes_on=arguments.print)
        if arguments.check is not None:
            return int(_check(printer, journal, keys, arguments.check))
        attempt = _wanted(journal, arguments)
        problem = problem_of(attempt)
        receipt = (
            made_of(journal, keys.receipt_code, attempt, journal.people())
            if attempt and not problem
            else None
        )
        if attempt is None or receipt is None:
            code = Exit.NOT_KNOWN if problem is ReceiptProblem.NOT_KNOWN_YET else Exit.NOT_PAID
            raise CommandError(code, _PROBLEMS.get(problem, "it has no receipt"))
        if arguments.print and receipt.is_note:
            raise CommandError(Exit.NOT_KNOWN, "it is in dispute: there is no receipt to print")
        if not arguments.print:
            jobs = journal.print_jobs_of(PaperKind.RECEIPT, receipt.attempt_id)
            _give(options, printer, receipt, form, arguments, jobs)
            return int(Exit.NOT_KNOWN if receipt.is_note else Exit.OK)
    return int(_print(options, printer, receipt, arguments))


def _print(options: Options, printer: Printer, receipt: Receipt, arguments: argparse.Namespace) -> Exit:
    """By a till without a window, which holds the journal as any other does while it works."""
    from pos_app.cli.printing import job_line, print_receipt, refuse_unprintable

    refuse_unprintable(options)
    job, jobs, code = print_receipt(options, receipt.attempt_id, again=arguments.again, wait_s=arguments.wait)
    said = {**object_of(receipt, jobs), "job": object_of_job(job)}
    printer.value(said, job_line(receipt.number, job))
    return code


def _wanted(journal: Queries, arguments: argparse.Namespace) -> Attempt | None:
    if arguments.last:
        return journal.newest_receipt()
    if arguments.number is None:
        return journal.attempt(arguments.id)
    installation, number = arguments.number
    if installation:
        return journal.attempt_of_receipt(installation, number)
    return journal.receipt_numbered(number)


def _give(
    options: Options,
    printer: Printer,
    receipt: Receipt,
    form: Form | None,
    arguments: argparse.Namespace,
    jobs: Sequence[PrintJob],
) -> None:
    from pos_app.i18n.papers import Papers

    if form is not None or not options.json:
        settings = settings_ahead(options)
        papers = Papers(options.language or paper_language_of(settings), letterhead_of(settings))
        wanted = form or Form("text", None)
        if not (options.json and wanted.path is None):
            give(papers.receipt(receipt, copy_now()), wanted, arguments)
    if options.json:
        printer.value(object_of(receipt, jobs), "")


def object_of(receipt: Receipt, jobs: Sequence[PrintJob]) -> dict[str, Any]:
    """The receipt as the command line tells it; the amount is exact text. `jobs`: all of its prints, in their order.

    `copies`: how many papers of it there may be, with the original; `job`: the newest print, None for none.
    """
    return {
        "receipt": receipt.number,
        "sale_id": receipt.sale_id,
        "attempt_id": receipt.attempt_id,
        "wallet_transaction_id": receipt.wallet_transaction_id,
        "amount": str(receipt.amount),
        "currency": receipt.currency,
        "state": receipt.state.value,
        "settled": receipt.settled,
        "paid_at": receipt.paid_at,
        "check": receipt.check,
        "code": code_text(receipt) if receipt.check else "",
        "environment": receipt.environment.value,
        "copies": sum(job.began for job in jobs),
        "job": object_of_job(jobs[-1] if jobs else None),
    }


def _check(printer: Printer, journal: Queries, keys: Keys, text: str) -> Exit:
    scanned = scanned_in(text)
    if scanned is None:
        raise CommandError(Exit.USAGE, f"--check: {text!r} is no code of a receipt")
    checked = verdict_of(journal, keys.receipt_code, scanned)
    attempt = checked.attempt
    said: dict[str, Any] = {
        "check": checked.is_ours,
        "verdict": checked.verdict.value,
        "receipt": shown_number(attempt) if attempt is not None else "",
        "attempt_id": attempt.attempt_id if attempt is not None else "",
        "amount": str(attempt.amount) if attempt is not None else "",
        "currency": attempt.currency if attempt is not None else "",
        "state": attempt.state.value if attempt is not None else "",
        "refunded": checked.was_noted,
        "noted": str(checked.noted) if checked.noted is not None else "",
    }
    line = _VERDICTS[checked.verdict]
    if attempt is not None:
        back = ", money back noted" if checked.was_noted else ""
        line = (
            f"{line}: {shown_number(attempt)} is {attempt.currency} {attempt.amount}, {attempt.state}{back}"
        )
    printer.value(said, f"{line}" if attempt is None else f"{line}  [{attempt.attempt_id}]")
    return Exit.OK if checked.is_ours else Exit.NOT_PAID
