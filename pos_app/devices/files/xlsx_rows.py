"""Rows as a workbook, for people: texts stay texts, amounts are numbers, and no cell is a formula or a link.

xlsxwriter is loaded by the first. It keeps one row in memory and the sheets on the disk, in a folder of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, BinaryIO

from pos_app.devices.files.rows import Cells

ROWS_OF_A_SHEET = 1_000_000
"""Beside the header: a little less than a sheet can hold."""

_DIGITS = 15
"""So many a spreadsheet keeps of a number; what has more stays a text, and exact."""

_MOST_OF_A_CELL = 32_767
_WIDTH = 18


class XlsxRows:
    """`scratch`: an empty folder of its own, on a disk; `numbers`: columns of amounts. `name`: of the sheets."""

    def __init__(
        self,
        file: BinaryIO,
        columns: Cells,
        numbers: Collection[str],
        scratch: Path,
        *,
        name: str = "Payments",
        rows_of_a_sheet: int = ROWS_OF_A_SHEET,
    ) -> None:
        import xlsxwriter

        self._columns = tuple(columns)
        self._is_number = [column in numbers for column in columns]
        self._name = name
        self._most = rows_of_a_sheet
        self._handed = _Handed(file)
        self._book: Any = xlsxwriter.Workbook(
            self._handed,
            {
                "constant_memory": True,
                "tmpdir": str(scratch),
                "strings_to_numbers": False,
                "strings_to_formulas": False,
                "strings_to_urls": False,
            },
        )
        self._money = [
            self._book.add_format({"num_format": f"{0:.{digits}f}"}) for digits in range(_DIGITS + 1)
        ]
        self._head = self._book.add_format({"bold": True})
        self._sheets = 0
        self._begin_sheet()

    def _begin_sheet(self) -> None:
        self._sheets += 1
        name = self._name if self._sheets == 1 else f"{self._name} {self._sheets}"
        self._sheet: Any = self._book.add_worksheet(name)
        self._sheet.freeze_panes(1, 0)
        self._sheet.set_column(0, len(self._columns) - 1, _WIDTH)
        for at, column in enumerate(self._columns):
            self._sheet.write_string(0, at, column, self._head)
        self._row = 0

    def write(self, rows: Sequence[Cells]) -> None:
        """The next rows."""
        for cells in rows:
            if self._row == self._most:
                self._begin_sheet()
            self._row += 1
            row, text = self._row, self._sheet.write_string
            for at, cell in enumerate(cells):
                if not cell:
                    continue
                number = _number(cell) if self._is_number[at] else None
                if number is None:
                    text(row, at, cell[:_MOST_OF_A_CELL])
                else:
                    digits = len(cell.partition(".")[2])
                    self._sheet.write_number(row, at, number, self._money[digits])

    def end(self) -> None:
        """The sheets become one file. Raises OSError."""
        from xlsxwriter.exceptions import FileCreateError

        try:
            self._book.close()
        except FileCreateError as error:
            why = error.args[0] if error.args else None
            raise why if isinstance(why, OSError) else OSError(str(error)) from error

    def drop(self) -> None:
        """Nothing more goes into the file, and nothing of the sheets stays open."""
        self._handed.is_over = True
        for sheet in self._book.worksheets():
            sheet._opt_close()


class _Handed:
    """The open file as the workbook's archive sees it. An archive that is broken off writes its end when it is
    collected: by then the file is closed, and nothing of it has a name.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.is_over = False

    def write(self, data: bytes) -> int:
        return len(data) if self.is_over else self._file.write(data)

    def seek(self, at: int, whence: int = 0) -> int:
        return at if self.is_over else self._file.seek(at, whence)

    def tell(self) -> int:
        return 0 if self.is_over else self._file.tell()

    def flush(self) -> None:
        if not self.is_over:
            self._file.flush()


def _number(text: str) -> Decimal | None:
    """An amount that a spreadsheet keeps to the last digit."""
    if sum(map(str.isdigit, text)) > _DIGITS:
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
