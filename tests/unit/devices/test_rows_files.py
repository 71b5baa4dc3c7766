"""Rows become CSV, workbooks and JSON lines: exact, and nothing in them is a formula."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.devices.files import csv_rows
from pos_app.devices.files.csv_rows import FORMULA, CsvRows
from pos_app.devices.files.json_rows import JsonRows
from pos_app.devices.files.xlsx_rows import XlsxRows

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ["=1+1", "+94 77", "-5", "@SUM(A1)", "\t=1", "\r=1", "\0=1", 'a "b", c', "a\r\nb", "'", "=", "SBX,1"]
)


def as_csv(rows: list[tuple[str, str]]) -> bytes:
    file = io.BytesIO()
    made = CsvRows(file, ("text", "amount"), {"amount"})
    made.write(rows[:1])
    made.write(rows[1:])
    made.end()
    return file.getvalue()


@given(st.lists(st.tuples(TEXTS, st.sampled_from(["", "12.50", "-12.50"])), max_size=5))
def test_a_csv_gives_back_what_went_in_and_no_cell_begins_a_formula(rows: list[tuple[str, str]]) -> None:
    header, *found = csv.reader(io.StringIO(as_csv(rows).decode(), newline=""))
    assert header == ["text", "amount"]
    assert len(found) == len(rows)
    for (text, amount), cells in zip(rows, found, strict=True):
        assert cells == [f"'{text}" if text[:1] in FORMULA and text else text, amount]
        assert cells[0][:1] not in FORMULA or not cells[0]


def test_every_begin_of_a_formula_is_defused_and_a_minus_of_an_amount_stays() -> None:
    rows = [(f"{sign}94", "-1.00") for sign in "=+-@\t\r\0"]
    for cells in list(csv.reader(io.StringIO(as_csv(rows).decode(), newline="")))[1:]:
        assert cells[0].startswith("'")
        assert cells[1] == "-1.00"


def test_the_check_of_formulas_notices_a_mask_that_was_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted bug 23."""
    monkeypatch.setattr(csv_rows, "defused", lambda text: text)
    with pytest.raises(AssertionError):
        test_every_begin_of_a_formula_is_defused_and_a_minus_of_an_amount_stays()


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_json_lines_are_exact(rows: list[tuple[str, str]]) -> None:
    file = io.BytesIO()
    made = JsonRows(file, ("a", "b"))
    made.write(rows)
    made.end()
    lines = file.getvalue().splitlines() if rows else []
    assert [tuple(json.loads(line).values()) for line in lines] == rows


def test_an_amount_of_a_workbook_is_shown_with_the_digits_that_it_has(tmp_path: Path) -> None:
    """Yen stood there as 1250.00, and 1.250 dinars as 1.25."""
    path = tmp_path / "book.xlsx"
    with path.open("wb") as file:
        made = XlsxRows(file, ("amount",), {"amount"}, tmp_path)
        made.write([("1250",), ("1.250",), ("12.50",)])
        made.end()
    with ZipFile(path) as book:
        cells = re.findall(r'<c r="A[234]" s="(\d+)"', book.read("xl/worksheets/sheet1.xml").decode())
        styles = book.read("xl/styles.xml").decode()
    numbered = dict(re.findall(r'<numFmt numFmtId="(\d+)" formatCode="([^"]+)"', styles)) | {
        "1": "0",
        "2": "0.00",
    }
    given = re.findall(r'numFmtId="(\d+)"', styles[styles.index("<cellXfs") :])
    assert [numbered[given[int(cell)]] for cell in cells] == ["0", "0.000", "0.00"]


def test_a_workbook_begins_a_sheet_when_one_is_full_and_keeps_what_is_no_number(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with path.open("w+b") as file:
        made = XlsxRows(file, ("id", "amount"), {"amount"}, tmp_path, rows_of_a_sheet=2)
        made.write([("=1+1", "12.50"), ("0001", "1234567890123456.78"), ("+94", "-3.00")])
        made.write([("http://x.test", "?")])
        made.end()
    with ZipFile(path) as book:
        first, second = (book.read(f"xl/worksheets/sheet{number}.xml").decode() for number in (1, 2))
        names = book.read("xl/workbook.xml").decode()
    assert 'name="Payments"' in names
    assert 'name="Payments 2"' in names
    assert "<v>12.50</v>" in first
    assert "<t>1234567890123456.78</t>" in first
    assert "<t>0001</t>" in first
    assert "<t>=1+1</t>" in first
    assert "<f>" not in first + second
    assert "hyperlink" not in first + second
    assert "<v>-3.00</v>" in second
    assert "<t>?</t>" in second
    # Nothing of the sheets stays where they were put together.
    assert list(tmp_path.iterdir()) == [path]


def test_a_workbook_that_is_given_up_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with path.open("w+b") as file:
        made = XlsxRows(file, ("id",), set(), tmp_path)
        made.write([("1",)])
        made.drop()
    del made
    assert path.read_bytes() == b""


def test_nothing_loads_the_library_of_workbooks_before_the_first() -> None:
    """It takes 50 ms and 2 MB that no start has to spare."""
    program = (
        "import sys, pos_app.cli.verbs.export, pos_app.bootstrap.exporting, pos_app.devices.files.xlsx_rows; "
        "sys.exit('xlsxwriter' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
