"""Writes the payments of a journal into a file: read as of one moment, whole under its name or not there at all."""

from __future__ import annotations

import contextlib
import time as clock
from collections.abc import Callable, Iterable, Iterator
from datetime import time
from decimal import Decimal
from pathlib import Path
from typing import BinaryIO

import msgspec

from pos_app.devices.files.rows import RowsFile
from pos_app.domain.attempt import Environment
from pos_app.domain.export import (
    COLUMNS,
    LEDGER_COLUMNS,
    LEDGER_NUMBERS,
    NUMBERS,
    WHOLE_NUMBER,
    DateOrder,
    DaySum,
    Entry,
    Exported,
    Format,
    Row,
    Span,
    day_of,
    is_money,
    ledger_day_row,
    ledger_row_of,
    numbered_row_of,
    row_of,
)
from pos_app.domain.search import Meant
from pos_app.journal import Exporting, JournalError, Keys, Numbers
from pos_app.system.atomic_file import PART, WholeFile, WriteTrouble, clear_part, write_trouble
from pos_app.system.scratch import clear_scratch, scratch_folder

SCRATCH = "export-scratch"
"""In the data folder: where a workbook's sheets lie until they are one file."""

_SHEETS = "sheets-"

OURS = ("payments-", "ledger-", "sandbox-payments-", "sandbox-ledger-")
"""What files are called that the till itself names (domain.export.file_name)."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be written. `force`: in the place of what has that name. `by_day`: of a ledger, a line a day.

    `numbers`: whole wallet numbers, too. `among`: only these (never of a ledger), `digest` as in Meant.has.
    """

    format: Format
    span: Span = Span()
    force: bool = False
    order: DateOrder = DateOrder.YMD
    by_day: bool = False
    numbers: Numbers | None = None
    among: Meant | None = None
    digest: str = ""


class ExportError(Exception):
    """Nothing has the name. `trouble`: what the disk said; None where the journal could not be read."""

    def __init__(self, trouble: WriteTrouble | None, text: str) -> None:
        super().__init__(text)
        self.trouble = trouble


class NoSuchZ(ExportError):
    """The Z that was named was never closed."""


class Stopped(Exception):
    """Somebody did not want it any more; nothing is left of it."""


class Source(msgspec.Struct, frozen=True):
    """Where it is read: the journal, whose environment that is, and when its business date changes."""

    journal: Path
    environment: Environment
    cutoff: time


Progress = Callable[[int, int], None]
"""Told how many payments are read, of how many at the most."""


def export(
    source: Source,
    wanted: Wanted,
    path: Path,
    *,
    progress: Progress | None = None,
    stopped: Callable[[], bool] = lambda: False,
    gentle: bool = False,
) -> Exported:
    """The file, once it lasts under its name. Raises ExportError, and Stopped once `stopped` says so.

    `gentle`: rests between the pages, so that a window in the same process is not kept waiting.
    """
    try:
        path = path.absolute()
        with Exporting(source.journal, source.cutoff, wanted.numbers) as reading:
            if wanted.span.z and not reading.has_z(wanted.span.z):
                raise NoSuchZ(None, f"there is no Z {wanted.span.z}")
            with WholeFile(path, replace=wanted.force) as whole, _scratch(source.journal.parent) as folder:
                rows = _rows_file(whole.file, wanted, source.environment, folder)
                counted = _Counted()
                try:
                    _write(reading, wanted, rows, counted, progress, stopped, gentle=gentle)
                    rows.end()
                except BaseException:
                    rows.drop()
                    raise
            return Exported(
                file=str(path),
                format=wanted.format,
                rows=counted.rows,
                amounts=counted.amounts,
                head_seq=reading.head_seq,
                sha256=whole.sha256,
            )
    except JournalError as error:
        raise ExportError(None, f"the record cannot be read: {error}") from error
    except OSError as error:
        raise ExportError(write_trouble(error), f"{path} cannot be written: {error.strerror}") from error


def numbers_of(data: Path, environment: Environment) -> Numbers:
    """What whole wallet numbers are read with, for a journal in this folder. Raises ExportError."""
    from pos_app.secrets import SecretsError, journal_key
    from pos_app.services.bodies import wallet_number_in

    try:
        key = journal_key(data, environment.value, use_keystore=environment is Environment.LIVE)
    except SecretsError as error:
        raise ExportError(None, str(error)) from error
    return Numbers(Keys(key, environment), wallet_number_in)


class _Counted:
    """What is told of a file once it is there."""

    def __init__(self) -> None:
        self.rows = 0
        self.amounts: dict[str, Decimal] = {}

    def add(self, money: Iterable[Entry]) -> None:
        by_currency: dict[str, list[str]] = {}
        for entry in money:
            sign = "-" if entry.sign < 0 else ""
            by_currency.setdefault(entry.payment.currency, []).append(sign + entry.payment.amount)
        for currency, amounts in by_currency.items():
            self.amounts[currency] = sum(map(Decimal, amounts), self.amounts.get(currency, Decimal(0)))


def _write(
    reading: Exporting,
    wanted: Wanted,
    rows: RowsFile,
    counted: _Counted,
    progress: Progress | None,
    stopped: Callable[[], bool],
    *,
    gentle: bool,
) -> None:
    most = reading.most(wanted.span) if progress is not None else 0
    is_ledger = wanted.format is Format.LEDGER
    pages = (
        reading.ledger_pages(wanted.span)
        if is_ledger
        else reading.pages(wanted.span, wanted.among, wanted.digest)
    )
    days: dict[DaySum, tuple[int, Decimal]] = {}
    told = _teller(wanted)
    read, began = 0, clock.thread_time()
    for page in pages:
        if stopped():
            raise Stopped
        counted.add(page if is_ledger else [each for each in page if is_money(each.payment)])
        if is_ledger and wanted.by_day:
            for entry in page:
                count, amount = days.get(day_of(entry), (0, Decimal(0)))
                days[day_of(entry)] = (count + 1, amount + Decimal(entry.payment.amount))
        else:
            rows.write([told(entry) for entry in page])
            counted.rows += len(page)
        read += len(page)
        if progress is not None:
            progress(min(read, most), most)
        if gentle:
            # As long as the page took: window and engine come first.
            clock.sleep(max(0.0005, clock.thread_time() - began))
            began = clock.thread_time()
    if days:
        rows.write([ledger_day_row(day, *days[day], wanted.order) for day in sorted(days)])
        counted.rows += len(days)


def _teller(wanted: Wanted) -> Callable[[Entry], Row]:
    if wanted.format is Format.LEDGER:
        return lambda entry: ledger_row_of(entry, wanted.order)
    return row_of if wanted.numbers is None else numbered_row_of


def _rows_file(file: BinaryIO, wanted: Wanted, environment: Environment, scratch: Path) -> RowsFile:
    if wanted.format is Format.LEDGER:
        from pos_app.devices.files.csv_rows import CsvRows

        return CsvRows(file, LEDGER_COLUMNS, LEDGER_NUMBERS)
    columns = COLUMNS if wanted.numbers is None else (*COLUMNS, WHOLE_NUMBER)
    match wanted.format:
        case Format.CSV:
            from pos_app.devices.files.csv_rows import CsvRows

            return CsvRows(file, columns, NUMBERS)
        case Format.JSONL:
            from pos_app.devices.files.json_rows import JsonRows

            return JsonRows(file, columns)
        case Format.XLSX:
            from pos_app.devices.files.xlsx_rows import XlsxRows

            name = "SANDBOX" if environment is Environment.SANDBOX else "Payments"
            return XlsxRows(file, columns, NUMBERS, scratch, name=name)


@contextlib.contextmanager
def _scratch(data: Path) -> Iterator[Path]:
    """A folder of its own, private as all beside the journal, and gone behind it."""
    around = data / SCRATCH
    try:
        with scratch_folder(around, _SHEETS) as folder:
            yield folder
    finally:
        with contextlib.suppress(OSError):
            around.rmdir()


def clear_sheets(data: Path) -> None:
    """What killed exports left of their sheets: they hold payments."""
    clear_scratch(data / SCRATCH, _SHEETS)
    with contextlib.suppress(OSError):
        (data / SCRATCH).rmdir()


def clear_parts(folder: Path) -> None:
    """What killed exports left in a folder under the names that the till gives; nothing else is looked at."""
    with contextlib.suppress(OSError):
        for left in folder.glob(f".*{PART}"):
            if left.name[1:].startswith(OURS):
                with contextlib.suppress(OSError):
                    clear_part(left)
