"""`pos-app export`: the payments as a file for whoever keeps the books: whole under its name, or not there."""

from __future__ import annotations

import argparse
from decimal import Decimal
from pathlib import Path

from msgspec.structs import replace

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.exporting import (
    ExportError,
    NoSuchZ,
    Source,
    Wanted,
    clear_sheets,
    export,
    numbers_of,
)
from pos_app.bootstrap.journal import JOURNAL
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import data_folder, environment_of, open_reading, settings_ahead
from pos_app.cli.days import date_of, z_number
from pos_app.cli.parser import new_file
from pos_app.cli.printer import printer_of
from pos_app.domain.attempt import Environment
from pos_app.domain.export import DateOrder, Exported, Format, Span, month
from pos_app.system.atomic_file import WriteTrouble


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which payments, as what, and under which name."""
    kinds = [each.value for each in Format]
    parser.add_argument("format", choices=kinds, metavar="|".join(kinds), help="what kind of file")
    parser.add_argument("file", type=new_file, metavar="FILE", help="the file, which is not there yet")
    parser.add_argument(
        "--from", dest="first", type=date_of, metavar="DATE", help="from this business date on: 2026-03-01"
    )
    parser.add_argument("--to", dest="last", type=date_of, metavar="DATE", help="up to this business date")
    parser.add_argument("--z", type=z_number, metavar="N", help="what the Z of this number counts")
    parser.add_argument(
        "--month", type=_month, metavar="MONTH", help="the business dates of a month: 2026-03"
    )
    parser.add_argument("--force", action="store_true", help="in the place of a file that has the name")
    parser.add_argument(
        "--date-order",
        choices=[each.value for each in DateOrder],
        help="how a ledger writes a date; else ymd",
    )
    parser.add_argument("--by-day", action="store_true", help="of a ledger: a line a day, not one a payment")
    parser.add_argument(
        "--numbers", action="store_true", help="with the whole wallet numbers, which are customers'"
    )


def _month(text: str) -> Span:
    try:
        return month(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no month; write 2026-03") from None


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when the file is there, with nothing but its header where nothing is in that span."""
    wanted = _wanted(arguments)
    settings = settings_ahead(options)
    environment = environment_of(options)
    # An older program's journal, a damaged one and none at all are told as by every verb that looks.
    reading = open_reading(options, environment)
    if reading is None:
        raise CommandError(Exit.CANNOT_CREATE, "there is no journal yet: nothing was ever recorded here")
    reading.close()
    data = data_folder(options, environment)
    clear_sheets(data)
    source = Source(data / JOURNAL, Environment(environment), settings.day.cutoff_time)
    try:
        if arguments.numbers:
            wanted = replace(wanted, numbers=numbers_of(data, source.environment))
        exported = export(source, wanted, arguments.file)
    except NoSuchZ as error:
        raise CommandError(Exit.USAGE, f"--z: {error}") from error
    except ExportError as error:
        raise CommandError(Exit.CANNOT_CREATE, _said(error, arguments.file)) from error
    printer_of(options, goes_on=True).value(_object(exported, settings.shop.currency), _line(exported))
    return int(Exit.OK)


def _wanted(arguments: argparse.Namespace) -> Wanted:
    kind = Format(arguments.format)
    named = [name for name in ("z", "month") if getattr(arguments, name)]
    if arguments.first or arguments.last:
        named.insert(0, "from" if arguments.first else "to")
    if len(named) > 1:
        raise CommandError(Exit.USAGE, f"--{named[1]}: name dates, a Z or a month, one of them")
    if arguments.first and arguments.last and arguments.first > arguments.last:
        raise CommandError(Exit.USAGE, f"--from: {arguments.first} is after {arguments.last}")
    for option in ("date_order", "by_day"):
        if getattr(arguments, option) and kind is not Format.LEDGER:
            raise CommandError(Exit.USAGE, f"--{option.replace('_', '-')}: it is a ledger's")
    if arguments.numbers and kind is Format.LEDGER:
        raise CommandError(Exit.USAGE, "--numbers: a ledger has none")
    return Wanted(
        format=kind,
        span=arguments.month
        or Span(z=arguments.z or 0, first=arguments.first or "", last=arguments.last or ""),
        force=arguments.force,
        order=DateOrder(arguments.date_order or DateOrder.YMD),
        by_day=arguments.by_day,
    )


_SAID = {
    WriteTrouble.EXISTS: "has that name already; --force puts this in its place",
    WriteTrouble.BEING_WRITTEN: "is being written by another process just now",
    WriteTrouble.FULL: "could not be written: the disk is full. Nothing was left there",
    WriteTrouble.TOO_BIG: "could not be written: it is too big for that disk. Nothing was left there",
    WriteTrouble.GONE: "could not be written: its disk or folder is gone. Nothing was left there",
    WriteTrouble.READ_ONLY: "could not be written: its disk is read-only",
    WriteTrouble.NOT_ALLOWED: "could not be written: this account may not write there",
}


def _said(error: ExportError, file: Path) -> str:
    if error.trouble is WriteTrouble.EXISTS and file.is_dir():
        return str(error)
    said = _SAID.get(error.trouble) if error.trouble is not None else None
    return f"{file} {said}" if said else str(error)


def _object(exported: Exported, unit: str) -> dict[str, object]:
    amounts = {code: str(amount) for code, amount in sorted(exported.amounts.items())}
    found: dict[str, object] = {
        "file": exported.file,
        "format": exported.format.value,
        "rows": exported.rows,
        "amount": amounts.get(unit, _nothing(unit)),
        "currency": unit,
        "head_seq": exported.head_seq,
        "sha256": exported.sha256,
    }
    others = {code: amount for code, amount in amounts.items() if code != unit}
    return {**found, "other_currencies": others} if others else found


def _nothing(unit: str) -> str:
    from pos_app.domain.money import currency

    return str(Decimal(0).scaleb(-currency(unit).digits))


def _line(exported: Exported) -> str:
    sums = ", ".join(f"{code} {amount}" for code, amount in sorted(exported.amounts.items()))
    # The lines of a ledger are takings less what goes back: that sum was taken on no day.
    of = "in all" if exported.format is Format.LEDGER else "taken"
    money = f", {of}: {sums}" if sums else ""
    return f"{exported.file}: {exported.rows} rows{money}. SHA-256 {exported.sha256}"
