"""`pos-app transactions`: the service's list with every filter it has, or the journal's with --local."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.one_question import shop_and_services, unavailable
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import Shop, environment_of, open_reading, origin_here, reading
from pos_app.bootstrap.unsettled import unsettled
from pos_app.cli import table
from pos_app.cli.days import DATE, require_listed
from pos_app.cli.elsewhere import Here
from pos_app.cli.parser import plain, whole
from pos_app.cli.printer import Printer, printer_of
from pos_app.cli.table import Column
from pos_app.domain.attempt import Attempt
from pos_app.domain.list_reader import FORM
from pos_app.domain.money import at_least, format_amount
from pos_app.domain.phone import mask_number
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import ListedTransaction, NoAnswer, Refused
from pos_app.domain.search import is_behind
from pos_app.i18n.words.terminal import words
from pos_app.journal import Cursor, JournalError, Queries

_SERVICE_ONLY = ("outlet", "page_start", "page_end")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The service's filters and paging."""
    parser.add_argument(
        "--from", dest="from_date", type=_date, metavar="DATE", help="from this day or time on"
    )
    parser.add_argument(
        "--to", dest="to_date", type=_date_end, metavar="DATE", help="up to this day or time: 2026-03-01"
    )
    parser.add_argument("--outlet", type=plain, metavar="ID", help="of this outlet")
    parser.add_argument("--counter", type=whole, metavar="N", help="of this counter")
    parser.add_argument("--id", type=plain, metavar="ID", help="by the attempt's id")
    parser.add_argument("--wallet-id", type=plain, metavar="ID", help="by the service's id")
    parser.add_argument("--page-start", type=whole, metavar="N", help="the service's first row of a page")
    parser.add_argument("--page-end", type=whole, metavar="N", help="the service's last row of a page")
    parser.add_argument("--local", action="store_true", help="reads the journal instead of asking")


def _date(text: str, time: str = "00:00:00") -> str:
    whole_day = DATE.fullmatch(text)
    try:
        moment = datetime.strptime(f"{text} {time}" if whole_day else text, FORM)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no date; write 2026-03-01 or '2026-03-01 14:30:00'"
        ) from None
    require_listed(moment, text)
    return moment.strftime(FORM)


def _date_end(text: str) -> str:
    return _date(text, "23:59:59")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when the list was printed (it may be empty), 1 when refused, 69 without an answer."""
    if arguments.from_date and arguments.to_date and arguments.from_date > arguments.to_date:
        raise CommandError(Exit.USAGE, f"--from: {arguments.from_date} is after {arguments.to_date}")
    printer = printer_of(options)
    if arguments.local:
        return _local(options, arguments, printer)
    wanted = QueryFilter(
        external_id=arguments.id or "",
        wallet_transaction_id=arguments.wallet_id or "",
        from_date=arguments.from_date or "",
        to_date=arguments.to_date or "",
        outlet_id=arguments.outlet or "",
        counter_id=arguments.counter or "",
        page_start=arguments.page_start or "",
        page_end=arguments.page_end or "",
    )
    with shop_and_services(options) as (shop, services):
        with reading():
            _require_here(options, arguments, shop)
        here = shop.settings.shop.currency
        reply = services.payments.query(wanted)
    if isinstance(reply, NoAnswer):
        raise unavailable(reply)
    if isinstance(reply, Refused):
        raise CommandError(Exit.NOT_PAID, f"the service refused the list with code {reply.code}")
    columns = _columns()
    printer.note(table.heading(columns) if reply.transactions else words.NO_PAYMENTS)
    units = {} if options.json else _units(options, reply.transactions)
    for transaction in reply.transactions:
        unit = units.get(transaction.external_id, here)
        printer.value(_object(transaction), table.line(columns, _cells(transaction, unit)))
    return int(Exit.OK)


def _units(options: Options, listed: Sequence[ListedTransaction]) -> dict[str, str]:
    """In what our payments of the list were charged: the counter's currency may be another one since."""
    journal = open_reading(options, environment_of(options))
    if journal is None:
        return {}
    with contextlib.suppress(JournalError):
        ours = journal.ours_at([each.external_id for each in listed])
        return {attempt_id: each.currency for attempt_id, each in ours.items()}
    return {}


def _require_here(options: Options, arguments: argparse.Namespace, shop: Shop) -> None:
    """One payment that was named is asked about as any other way of asking would (rule 10)."""
    journal = open_reading(options, shop.environment.value)
    if journal is None:
        return
    here = Here(shop.origin, journal)
    if arguments.id:
        here.require(journal.attempt(arguments.id))
    for attempt in unsettled(journal) if arguments.wallet_id else ():
        if attempt.wallet_transaction_id == arguments.wallet_id:
            here.require(attempt)


def _object(transaction: ListedTransaction) -> dict[str, Any]:
    number = transaction.wallet_account_number
    return {
        "attempt_id": transaction.external_id,
        "wallet_transaction_id": transaction.wallet_transaction_id,
        "amount": "" if transaction.amount is None else str(transaction.amount),
        "service_status": transaction.status,
        "status_description": transaction.status_description,
        "transaction_date_time": transaction.transaction_date_time,
        # The number is a customer's: masked wherever it is written (docs/failure-model.md, threat 25).
        "wallet_number": mask_number(number) if number else "",
    }


def _columns() -> tuple[Column, ...]:
    return (
        Column(words.TIME, 19),
        Column(words.AMOUNT, 14, at_end=True),
        Column(words.SAID, table.widest(list(words.SERVICE.values()))),
        Column(words.NUMBER, 15),
        Column(words.ID, 0),
    )


def _cells(transaction: ListedTransaction, unit: str) -> tuple[str, ...]:
    """`unit`: what the amount is taken to be in; the service's list does not say."""
    number = transaction.wallet_account_number
    return (
        transaction.transaction_date_time,
        "?" if transaction.amount is None else f"{unit} {format_amount(at_least(transaction.amount, unit))}",
        words.said(transaction.status),
        mask_number(number) if number else "",
        transaction.external_id,
    )


def _local(options: Options, arguments: argparse.Namespace, printer: Printer) -> int:
    for name in _SERVICE_ONLY:
        if getattr(arguments, name):
            option = name.replace("_", "-")
            raise CommandError(Exit.USAGE, f"--{option} is a filter of the service's list; leave out --local")
    journal = open_reading(options, environment_of(options))
    with reading():
        here = Here(origin_here(options), journal)
        found = _newest_first(journal, arguments.from_date) if journal is not None else ()
        printer.attempts(
            (here.told(attempt) for attempt in found if _wanted(attempt, arguments)), words.NO_PAYMENTS
        )
    return int(Exit.OK)


def _newest_first(journal: Queries, from_date: str | None) -> Iterator[Attempt]:
    """All from a day on, and somewhat more: their order is that of till time, which is not the wall's."""
    before: Cursor | None = None
    while page := journal.page(before=before):
        yield from page
        if from_date and is_behind(page[-1], from_date[:10]):
            return
        before = Cursor(page[-1].tapped_at, page[-1].attempt_id)


def _wanted(attempt: Attempt, arguments: argparse.Namespace) -> bool:
    at = attempt.transaction_date_time
    return (
        (not arguments.from_date or at >= arguments.from_date)
        and (not arguments.to_date or at <= arguments.to_date)
        and (arguments.counter is None or int(arguments.counter) == attempt.counter_id)
        and arguments.id in (None, attempt.attempt_id)
        and arguments.wallet_id in (None, attempt.wallet_transaction_id)
    )
