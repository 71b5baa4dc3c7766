"""`pos-app transactions`: the service's list with every filter it has, or the journal's with --local."""

from __future__ import annotations

import argparse
import re
from datetime import datetime
from typing import Any

from pos_app.commands.arguments import Flag, Once
from pos_app.commands.asking import services_of, unavailable
from pos_app.commands.errors import CommandError, Exit
from pos_app.commands.opening import open_reading, settings_of
from pos_app.commands.printing import Printer, printer_of
from pos_app.domain.phone import mask_number
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import ListedTransaction, NoAnswer, Refused
from pos_app.journal import Cursor

MOST_LOCAL = 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The service's filters and paging."""
    parser.add_argument("--from", dest="from_date", action=Once, type=_date, metavar="DATE")
    parser.add_argument("--to", dest="to_date", action=Once, type=_date_end, metavar="DATE")
    parser.add_argument("--outlet", action=Once, default="", metavar="ID")
    parser.add_argument("--counter", action=Once, default="", metavar="N")
    parser.add_argument(
        "--id", action=Once, default="", metavar="ID", help="one payment, by the attempt's id"
    )
    parser.add_argument("--wallet-id", action=Once, default="", metavar="ID", help="by the service's id")
    parser.add_argument("--page-start", action=Once, default="", metavar="N")
    parser.add_argument("--page-end", action=Once, default="", metavar="N")
    parser.add_argument("--local", action=Flag, help="reads the journal instead of asking")
    parser.add_argument("--sandbox", action=Flag, default=argparse.SUPPRESS, help="on a sandbox of its own")


def _date(text: str, time: str = "00:00:00") -> str:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        text = f"{text} {time}"
    try:
        datetime.strptime(text, "%Y-%m-%d %H:%M:%S")
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no date; write 2026-03-01 or '2026-03-01 14:30:00'"
        ) from None
    return text


def _date_end(text: str) -> str:
    return _date(text, "23:59:59")


def run(arguments: argparse.Namespace) -> int:
    """0 when the list was printed (it may be empty), 1 when refused, 69 without an answer."""
    printer = printer_of(arguments)
    if arguments.local:
        return _local(arguments, printer)
    wanted = QueryFilter(
        external_id=arguments.id,
        wallet_transaction_id=arguments.wallet_id,
        from_date=arguments.from_date or "",
        to_date=arguments.to_date or "",
        outlet_id=arguments.outlet,
        counter_id=arguments.counter,
        page_start=arguments.page_start,
        page_end=arguments.page_end,
    )
    with services_of(arguments) as (_, services):
        reply = services.payments.query(wanted)
    if isinstance(reply, NoAnswer):
        raise unavailable(reply)
    if isinstance(reply, Refused):
        raise CommandError(Exit.NOT_PAID, f"the service refused the list: {reply.code} {reply.message}")
    for transaction in reply.transactions:
        printer.value(_object(transaction), _line(transaction))
    return int(Exit.OK)


def _object(transaction: ListedTransaction) -> dict[str, Any]:
    number = transaction.wallet_account_number
    return {
        "attempt_id": transaction.external_id,
        "wallet_transaction_id": transaction.wallet_transaction_id,
        "amount": str(transaction.amount if transaction.amount is not None else ""),
        "service_status": transaction.status,
        "status_description": transaction.status_description,
        "transaction_date_time": transaction.transaction_date_time,
        # The number is a customer's: masked wherever it is written (experience.md, Exports).
        "wallet_number": mask_number(number) if number else "",
    }


def _line(transaction: ListedTransaction) -> str:
    amount = transaction.amount if transaction.amount is not None else "?"
    return f"{transaction.transaction_date_time}  {amount:>12}  {transaction.status:<22}  {transaction.external_id}"


def _local(arguments: argparse.Namespace, printer: Printer) -> int:
    environment = "sandbox" if arguments.sandbox else settings_of(arguments).gateway.environment
    book = open_reading(arguments, environment)
    before: Cursor | None = None
    shown = 0
    while shown < MOST_LOCAL and (page := book.page(before=before)):
        for attempt in page:
            day = attempt.transaction_date_time
            if (not arguments.from_date or day >= arguments.from_date) and (
                not arguments.to_date or day <= arguments.to_date
            ):
                printer.attempt(attempt)
                shown += 1
        before = Cursor(page[-1].tapped_at, page[-1].attempt_id)
    return int(Exit.OK)
