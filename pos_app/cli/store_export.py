"""`store export`: what all counters told, as a file whole under its name or not there at all."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.devices.files.rows import RowsFile
from pos_app.domain.export import Format
from pos_app.store.day_command import EXPORTED, EXPORTED_NUMBERS, MISSING, Row
from pos_app.store.day_command import export as exported
from pos_app.system.atomic_file import WholeFile

if TYPE_CHECKING:
    from pos_app.store.command import Teller


def export(arguments: argparse.Namespace, tell: Teller) -> int:
    """0, or 4 where counters are missing in one of its days: their later payments are in no row."""
    path: Path = arguments.file.absolute()
    kind = Format(arguments.format)
    digests: list[str] = []

    def write(pages: Iterator[list[Row]]) -> None:
        with WholeFile(path, replace=arguments.force) as whole, tempfile.TemporaryDirectory() as scratch:
            rows = _rows_file(whole.file, kind, Path(scratch))
            try:
                for page in pages:
                    rows.write(page)
                rows.end()
            except BaseException:
                rows.drop()
                raise
        digests.append(whole.sha256)

    try:
        count, missing = exported(
            arguments.data, arguments.shop or "", arguments.first or "", arguments.last or "", write
        )
    except FileExistsError as error:
        text = f"{path} has that name already; --force puts this in its place"
        raise CommandError(Exit.CANNOT_CREATE, text) from error
    except BlockingIOError as error:
        text = f"{path} is being written by another process just now"
        raise CommandError(Exit.CANNOT_CREATE, text) from error
    except OSError as error:
        text = f"{path} cannot be written: {error.strerror}"
        raise CommandError(Exit.CANNOT_CREATE, text) from error
    value = {
        "file": str(path), "format": kind.value, "rows": count, "sha256": digests[0], "missing": missing,
    }  # fmt: skip
    days = "; ".join(f"{on} without {', '.join(names)}" for on, names in sorted(missing.items()))
    tell.say(value, f"{path}: {count} payments" + (f"; {days}" if days else ""))
    return MISSING if missing else int(Exit.OK)


def _rows_file(file: BinaryIO, kind: Format, scratch: Path) -> RowsFile:
    match kind:
        case Format.JSONL:
            from pos_app.devices.files.json_rows import JsonRows

            return JsonRows(file, EXPORTED)
        case Format.XLSX:
            from pos_app.devices.files.xlsx_rows import XlsxRows

            return XlsxRows(file, EXPORTED, EXPORTED_NUMBERS, scratch)
        case _:
            from pos_app.devices.files.csv_rows import CsvRows

            return CsvRows(file, EXPORTED, EXPORTED_NUMBERS)
