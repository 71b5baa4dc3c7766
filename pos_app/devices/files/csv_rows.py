"""Rows as CSV (RFC 4180): CRLF, UTF-8 without a mark, commas; no cell is a formula for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Sequence
from typing import BinaryIO

from pos_app.devices.files.rows import Cells

FORMULA = frozenset("=+-@\t\r\0")
"""What a spreadsheet takes for the begin of a formula, or skips before one."""


def defused(text: str) -> str:
    """The same, read as a text by every spreadsheet: each wallet's mask begins with a plus."""
    return f"'{text}" if text and text[0] in FORMULA else text


_BEGINS = tuple(f"\n{sign}" for sign in FORMULA)


def _may_begin(column: Sequence[str]) -> bool:
    """Whether a cell of a page's column begins with such a sign: looked for in all of them at once."""
    together = "\n" + "\n".join(column)
    return any(begin in together for begin in _BEGINS)


class CsvRows:
    """`numbers`: columns whose minus is a sign."""

    def __init__(self, file: BinaryIO, columns: Cells, numbers: Collection[str] = ()) -> None:
        self._file = file
        self._numbers = {at for at, column in enumerate(columns) if column in numbers}
        self._put([columns])

    def write(self, rows: Sequence[Cells]) -> None:
        """The next rows."""
        columns = [
            column if at in self._numbers or not _may_begin(column) else map(defused, column)
            for at, column in enumerate(zip(*rows, strict=True))
        ]
        self._put(zip(*columns, strict=True))

    def _put(self, rows: Iterable[Cells]) -> None:
        page = io.StringIO()
        csv.writer(page, lineterminator="\r\n").writerows(rows)
        self._file.write(page.getvalue().encode("utf-8", "replace"))

    def end(self) -> None:
        """All of it was handed over already."""

    def drop(self) -> None:
        """Nothing is held."""
