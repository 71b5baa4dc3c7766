"""`pos-app find`: payments of the shop's other counters, as they told the store; proves a paper, makes a copy of it.

What is found is another counter's word at a time that is said with it: no payment of this till, in no sum of it.
"""

from __future__ import annotations

import argparse
from datetime import datetime
from typing import Any

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import (
    environment_of,
    letterhead_of,
    open_reading,
    paper_language_of,
    reading_keys,
    settings_ahead,
)
from pos_app.cli.paper_files import Form, form_of, give
from pos_app.cli.paper_files import add_arguments as add_forms
from pos_app.cli.parser import plain
from pos_app.cli.printer import Printer, object_of_job, printer_of
from pos_app.domain.attempt import Environment, State
from pos_app.domain.elsewhere import (
    Elsewhere,
    NotFoundOut,
    Proof,
    Unanswered,
    asked_for,
    elsewhere_of,
    moment_in,
    proof_of,
    receipt_elsewhere,
)
from pos_app.domain.money import format_amount
from pos_app.domain.receipt import Copy, Receipt, Scanned, scanned_in, shown_number
from pos_app.domain.record import wall_of
from pos_app.domain.shipping import FIND_AMOUNT, FIND_DIGITS, FindRequest, Found
from pos_app.domain.told_attempt import moment_of
from pos_app.i18n.words.till import words

_PROOFS = {
    Proof.UNCHANGED: "unchanged, as its counter told it",
    Proof.CHANGED: "CHANGED: the number is that counter's, the payment, amount or time is not what it told",
    Proof.MISSING: "NOT KNOWN to the store: forged, another shop's, or its counter has not told it yet",
    Proof.UNPROVEN: "its counter told no check code: it can be proven at that counter alone",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """By what, and what becomes of it."""
    parser.add_argument(
        "id",
        nargs="?",
        type=plain,
        metavar="ID",
        help="payment's id, receipt's number, service's id, reference",
    )
    parser.add_argument("--amount", type=_amount, metavar="AMOUNT", help="exact, for example 1250.00")
    parser.add_argument("--digits", type=_digits, metavar="DIGITS", help="how the wallet number ends: 567")
    parser.add_argument(
        "--from",
        dest="earliest",
        type=_moment,
        metavar="TIME",
        help="begun from then on: 2026-03-01 or with 14:30",
    )
    parser.add_argument("--to", dest="latest", type=_end, metavar="TIME", help="begun up to then")
    parser.add_argument(
        "--check", metavar="TEXT", help="whether a receipt with this code is a counter's of the shop"
    )
    add_forms(parser, prints=True)


def _amount(text: str) -> str:
    if not FIND_AMOUNT.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no amount; write 1250.00")
    return text


def _digits(text: str) -> str:
    if not FIND_DIGITS.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r}: write the last 2 to 15 digits, for example 567")
    return text


def _moment(text: str, *, ends: bool = False) -> str:
    try:
        return moment_in(text, ends=ends)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time; write 2026-03-01 or '2026-03-01 14:30'"
        ) from None


def _end(text: str) -> str:
    return _moment(text, ends=True)


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 found, or the paper is unchanged; 1 nothing found, or it is not; 4 no proof, or in dispute; 69 no answer.

    With a form or --print: of the one payment that was found, a copy.
    """
    sought = [arguments.id, arguments.amount, arguments.digits, arguments.earliest, arguments.latest]
    form = form_of(arguments)
    if (arguments.check is not None) == any(sought):
        raise CommandError(
            Exit.USAGE,
            "say what is in hand: an id, --amount, --digits, --from, --to; or a paper, --check TEXT",
        )
    if arguments.check is not None and (form is not None or arguments.print):
        raise CommandError(
            Exit.USAGE, "--check: it makes no paper; find the payment by its number for a copy"
        )
    if arguments.again:
        raise CommandError(Exit.USAGE, "--again: what is printed here is always a copy; leave it out")
    if arguments.wait is not None and not arguments.print:
        raise CommandError(Exit.USAGE, "--wait needs --print: nothing else waits for a printer")
    scanned = scanned_in(arguments.check) if arguments.check is not None else None
    if arguments.check is not None and scanned is None:
        raise CommandError(Exit.USAGE, f"--check: {arguments.check!r} is no code of a receipt")
    request = asked_for(scanned) if scanned is not None else _request(arguments)
    found, own = _asked(options, request)
    environment = Environment(environment_of(options))
    read = [elsewhere_of(each, environment, own) for each in found.payments]
    payments = [each for each in read if each is not None]
    printer = printer_of(options, goes_on=arguments.print)
    if scanned is not None:
        return int(_check(printer, scanned, payments, bool(found.payments)))
    if form is not None or arguments.print:
        return int(_copy(options, printer, payments, form, arguments))
    for payment in payments:
        printer.value(_object(payment), _line(payment))
    unread = len(found.payments) - len(payments)
    if unread:
        printer.note(f"{unread} more, told by a newer version: look them up at their own counter")
    if found.more:
        printer.note("there are more than these: say more of the payment")
    if not found.payments:
        since = f", begun since {found.since[:16].replace('T', ' ')}" if moment_of(found.since) else ""
        printer.note(f"nothing found at any counter of this shop{since}")
    return int(Exit.OK if found.payments else Exit.NOT_PAID)


def _request(arguments: argparse.Namespace) -> FindRequest:
    return FindRequest(
        amount=arguments.amount or "",
        earliest=arguments.earliest or "",
        latest=arguments.latest or "",
        digits=arguments.digits or "",
        id=arguments.id or "",
    )


def _asked(options: Options, request: FindRequest) -> tuple[Found, frozenset[str]]:
    """The store's answer, and the installations that this counter was. Raises CommandError."""
    from pos_app.bootstrap.finding import StoreFinder, member_in
    from pos_app.journal.device import Device

    environment = environment_of(options)
    journal = open_reading(options, environment)
    if journal is None:
        raise CommandError(Exit.CONFIGURATION, "there is no journal yet: this counter belongs to no store")
    try:
        member, own = member_in(journal), frozenset(journal.installations())
    finally:
        journal.close()
    keys, settings = reading_keys(options, environment), settings_ahead(options)
    finder = StoreFinder(lambda: settings, lambda: member, lambda: Device(keys.device))
    try:
        return finder.find(request), own
    except NotFoundOut as error:
        codes = {
            Unanswered.NO_STORE: Exit.CONFIGURATION,
            Unanswered.FIELD: Exit.USAGE,
            Unanswered.REFUSED: Exit.CONFIGURATION,
        }
        raise CommandError(codes.get(error.why, Exit.UNAVAILABLE), str(error)) from error
    finally:
        finder.close()


def _object(payment: Elsewhere) -> dict[str, Any]:
    """As its counter told it; the amount is exact text."""
    attempt = payment.attempt
    return {
        "attempt_id": attempt.attempt_id,
        "sale_id": attempt.sale_id,
        "receipt": shown_number(attempt),
        "wallet_transaction_id": attempt.wallet_transaction_id,
        "kind": attempt.kind.value,
        "amount": str(attempt.amount),
        "currency": attempt.currency,
        "state": attempt.state.value,
        "tapped_at": attempt.tapped_wall,
        "paid_at": payment.paid_at,
        "check": payment.check,
        "environment": attempt.environment.value,
        "counter": payment.counter,
        "counter_id": payment.counter_id,
        "installation": payment.installation,
        "own": payment.is_own,
        "told_at": payment.told,
    }


def _line(payment: Elsewhere) -> str:
    attempt = payment.attempt
    whose = "this counter" if payment.is_own else payment.counter
    told = datetime.fromisoformat(payment.told).astimezone()
    return (
        f"{attempt.tapped_wall[:16].replace('T', ' ')}  {attempt.currency} {format_amount(attempt.amount)} · "
        f"{words.state_of(attempt)}, as {whose} told at {told:%Y-%m-%d %H:%M} · {shown_number(attempt) or 'no receipt'}"
        f"  [{attempt.attempt_id}]"
    )


def _check(printer: Printer, scanned: Scanned, payments: list[Elsewhere], is_any: bool) -> Exit:
    proof, payment = proof_of(scanned, payments, is_any=is_any)
    said: dict[str, Any] = {
        "check": proof is Proof.UNCHANGED,
        "verdict": proof.value,
        "receipt": scanned.number,
    }
    line = _PROOFS[proof]
    if payment is not None:
        attempt = payment.attempt
        said |= {
            "attempt_id": attempt.attempt_id,
            "amount": str(attempt.amount),
            "currency": attempt.currency,
            "state": attempt.state.value,
            "counter": payment.counter,
            "counter_id": payment.counter_id,
            "told_at": payment.told,
        }
        line = (
            f"{line}: {scanned.number} of {payment.counter} is {attempt.currency} {attempt.amount}, "
            f"{words.state_of(attempt)}  [{attempt.attempt_id}]"
        )
    printer.value(said, line)
    if proof is Proof.UNPROVEN:
        return Exit.NOT_KNOWN
    return Exit.OK if proof is Proof.UNCHANGED else Exit.NOT_PAID


def _copy(
    options: Options,
    printer: Printer,
    payments: list[Elsewhere],
    form: Form | None,
    arguments: argparse.Namespace,
) -> Exit:
    """A copy of the one receipt that was found; nobody counts what is made as text or file, as of any receipt."""
    if not payments:
        raise CommandError(
            Exit.NOT_PAID, "nothing found at any counter of this shop: there is nothing to copy"
        )
    if len(payments) > 1:
        raise CommandError(
            Exit.USAGE, f"{len(payments)} payments fit: name one by its id or receipt's number"
        )
    payment = payments[0]
    if payment.is_own:
        raise CommandError(
            Exit.USAGE,
            f"it is this counter's: pos-app receipt {payment.attempt.attempt_id} prints and counts it",
        )
    receipt = receipt_elsewhere(payment)
    if receipt is None:
        is_disputed = payment.attempt.state is State.DISPUTED
        text = (
            "it is in dispute: there is no receipt to copy"
            if is_disputed
            else "it has no receipt to copy here"
        )
        raise CommandError(Exit.NOT_KNOWN if is_disputed else Exit.NOT_PAID, text)
    settings = settings_ahead(options)
    if form is None:
        return _print(options, printer, receipt, arguments)
    from pos_app.i18n.papers import Papers

    papers = Papers(options.language or paper_language_of(settings), letterhead_of(settings))
    wall = wall_of(datetime.now().astimezone())
    copy = Copy(0, wall, settings.gateway.counter_id)
    if not (options.json and form.path is None):
        give(papers.receipt(receipt, copy), form, arguments)
    if options.json:
        printer.value({"receipt": receipt.number, "attempt_id": receipt.attempt_id, "job": None}, "")
    return Exit.OK


def _print(options: Options, printer: Printer, receipt: Receipt, arguments: argparse.Namespace) -> Exit:
    """By a till without a window, which writes the job with what stands on the paper, and counts it."""
    from pos_app.cli.printing import job_line, print_elsewhere, refuse_unprintable

    refuse_unprintable(options)
    job, code = print_elsewhere(options, receipt, wait_s=arguments.wait)
    said = {"receipt": receipt.number, "attempt_id": receipt.attempt_id, "job": object_of_job(job)}
    printer.value(said, job_line(receipt.number, job))
    return code
