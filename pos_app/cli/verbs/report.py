"""`pos-app report x|z`: what was taken since the last closing, or a closed day as it was closed. Only looks."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from datetime import datetime

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import environment_of, letterhead_of, open_reading, settings_ahead
from pos_app.bootstrap.unsettled import unsettled
from pos_app.cli.day_report import say
from pos_app.cli.paper_files import add_arguments as add_forms
from pos_app.cli.paper_files import copy_now, form_of, give
from pos_app.cli.parser import plain
from pos_app.cli.printer import Printer, printer_of
from pos_app.domain.attempt import State
from pos_app.domain.day import (
    Closing,
    X,
    Z,
    anchor_text,
    anchored_number,
    carried_of,
    date_in,
    follows,
    x_of,
)
from pos_app.domain.paper import Paper
from pos_app.domain.receipt import shown_number
from pos_app.journal import Queries


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which report."""
    parser.add_argument("what", choices=("x", "z"), metavar="x|z", help="the open day, or a closed one")
    parser.add_argument("--number", type=_number, metavar="N", help="the Z of this number; else the newest")
    parser.add_argument("--date", type=_date, metavar="DATE", help="the Zs of a business date")
    parser.add_argument(
        "--check", type=plain, metavar="TEXT", help="whether this journal is still that of a Z's paper"
    )
    add_forms(parser)


def _number(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no Z; they are numbered from 1")
    return int(text)


def _date(text: str) -> str:
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            raise ValueError("another form")
        return date_in(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date; write 2026-03-01") from None


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when it was printed, or the paper is this journal's; 1 when there is no such Z, or it is not."""
    asked = [name for name in ("number", "date", "check") if getattr(arguments, name) is not None]
    if len(asked) > 1 or (asked and arguments.what == "x"):
        raise CommandError(Exit.USAGE, f"--{asked[0]}: name one Z, by its number, its date or its paper")
    form = form_of(arguments)
    if form is not None and arguments.check is not None:
        raise CommandError(Exit.USAGE, f"--check: it makes no paper; leave --{form.kind} out")
    environment = environment_of(options)
    journal = open_reading(options, environment)
    printer = printer_of(options)
    if journal is None:
        raise CommandError(Exit.NOT_PAID, "there is no journal yet: no day was ever opened")
    try:
        if arguments.check is not None:
            return int(_check(printer, journal, arguments.check))
        reports: Sequence[X | Z]
        reports = [_x(journal, environment)] if arguments.what == "x" else _wanted(journal, arguments)
        if not reports:
            raise CommandError(Exit.NOT_PAID, "there is no such Z")
        if form is not None and form.path is not None and len(reports) > 1:
            raise CommandError(
                Exit.USAGE, f"--{form.kind}: {len(reports)} Zs are of that date; name one by --number"
            )
        for report in reports:
            if form is not None and not (form.path is None and options.json):
                give(_paper(options, journal, report), form, arguments)
            if form is None or options.json:
                say(printer, report, as_json=options.json)
        return int(Exit.OK)
    finally:
        journal.close()


def _paper(options: Options, journal: Queries, report: X | Z) -> Paper:
    from pos_app.i18n.papers import Papers

    settings = settings_ahead(options)
    papers = Papers(options.language or settings.window.language, letterhead_of(settings))
    names = {each.person_id: each.name for each in journal.people()}
    return papers.report(report, names, copy_now())


def _wanted(journal: Queries, arguments: argparse.Namespace) -> list[Z]:
    if arguments.date is not None:
        return journal.zs_of_date(arguments.date)
    z = journal.last_z() if arguments.number is None else journal.z(arguments.number)
    return [] if z is None else [z]


def _x(journal: Queries, environment: str) -> X:
    """Of the tables, beside a till that may be at work."""
    attempts = unsettled(journal)
    now = datetime.now().astimezone()
    currencies = [z.currency] if (z := journal.last_z()) else [each.currency for each in journal.recent(1)]
    shown = {each.attempt_id: shown_number(each) for each in attempts if each.receipt}
    period = journal.period()
    closing = Closing(
        environment=environment,
        installation_id=period.receipts[-1].of if period.receipts else "",
        currency=next(iter(currencies), ""),
        ended_at=max(journal.last_at(), int(now.timestamp() * 1000)),
        ended=now.isoformat(timespec="milliseconds"),
        carried=carried_of(attempts, int(now.timestamp() * 1000), frozenset(), shown),
        disputed=tuple(sorted(each.attempt_id for each in attempts if each.state is State.DISPUTED)),
        overpaid=tuple(sale.sale_id for sale in journal.overpaid_sales()),
    )
    return x_of(period, closing)


def _check(printer: Printer, journal: Queries, text: str) -> Exit:
    """A folder that was put back whole is older than its own paper: then there is no such Z, or another one."""
    number = anchored_number(text)
    if not number:
        raise CommandError(Exit.USAGE, f"--check: {text!r} is no code of a Z's paper")
    z = journal.z(number)
    before = journal.z(number - 1)
    if z is None:
        printer.value(
            {"check": False, "number": number}, f"this journal knows no Z {number}: it is not whole"
        )
        return Exit.NOT_PAID
    same = anchor_text(z) == text.strip().upper() and not follows(z, before)
    line = f"Z {number} is as on the paper" if same else f"Z {number} of this journal is another one"
    printer.value({"check": same, "number": number}, line)
    return Exit.OK if same else Exit.NOT_PAID
