"""`export` by the real process: what is sold is written down for the books, whole under its name or not there."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import random
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from pathlib import Path
from signal import Signals
from xml.etree import ElementTree

import pytest

from pos_app.domain.attempt import Kind, State
from pos_app.domain.export import COLUMNS
from tests.integration.cli.test_closing import begun_anew, left_waiting, paid
from tests.integration.cli.till import Running, Till
from tests.support.builders import INSTALLATION, attempt, record, sale
from tests.support.sandbox import Sandbox

PAYMENTS = 8_000


def table(path: Path) -> list[dict[str, str]]:
    """A CSV as RFC 4180 has it: CRLF, no mark, each row as wide as its header."""
    data = path.read_bytes()
    assert data.endswith(b"\r\n")
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert not data.startswith(b"\xef\xbb\xbf")
    header, *rows = csv.reader(io.StringIO(data.decode(), newline=""))
    assert all(len(row) == len(header) for row in rows)
    return [dict(zip(header, row, strict=True)) for row in rows]


def cells(path: Path) -> list[list[list[tuple[str, str]]]]:
    """Of each sheet each row's cells: (type, text)."""
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    found = []
    with zipfile.ZipFile(path) as book:
        assert book.testzip() is None
        for name in sorted(each for each in book.namelist() if each.startswith("xl/worksheets/sheet")):
            text = book.read(name)
            assert b"<f>" not in text
            assert b"hyperlink" not in text
            found.append(
                [
                    [(cell.get("t", "n"), "".join(cell.itertext())) for cell in row]
                    for row in ElementTree.fromstring(text).iter(f"{space}row")
                ]
            )
    return found


def test_a_day_goes_to_the_books_and_each_sum_is_the_zs(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    first = paid(sandbox, till)
    paid(sandbox, till, "0.05")
    (z,) = till.run("close", "--no-reconcile").objects
    waiting = left_waiting(till)
    file = tmp_path / "day.csv"
    done = till.run("export", "csv", str(file), "--z", "1")
    assert done.code == 0
    (told,) = done.objects
    assert told["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert (told["rows"], told["amount"], told["format"]) == (2, z["takings"]["amount"], "csv")
    assert told["head_seq"] >= z["to_seq"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    rows = table(file)
    assert list(rows[0]) == list(COLUMNS)
    assert rows[0]["attempt_id"] == first
    assert sum(Decimal(row["amount"]) for row in rows) == Decimal(z["takings"]["amount"])
    for row in rows:
        assert (row["z"], row["business_date"], row["state"]) == ("1", z["business_date"], "PAID")
        # I23: what is no money says so in each line.
        assert row["environment"] == "sandbox"
        assert row["receipt"].startswith("SBX-")
        assert row["paid_at"][:10] == row["tapped_at"][:10]
        assert (row["refund_note"], row["refunded"], row["difference"]) == ("", "", "")
    everything = till.run("export", "jsonl", str(tmp_path / "all.jsonl")).last
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert (everything["rows"], everything["amount"]) == (3, "12.55")
    assert [list(line) for line in lines] == [list(COLUMNS)] * 3
    assert lines[:2] == rows
    assert (lines[2]["attempt_id"], lines[2]["state"], lines[2]["z"]) == (waiting, "WAITING", "")
    told_to_a_person = till.say("export", "csv", str(tmp_path / "again.csv"), "--z", "1").out
    assert "2 rows, taken: LKR 12.55" in told_to_a_person


def test_spans_are_of_business_dates_or_of_a_month(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    paid(sandbox, till)
    (z,) = till.run("close", "--no-reconcile").objects
    paid(sandbox, till, "3.00")
    date = z["business_date"]

    def rows(*span: str) -> list[str]:
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.csv"
        done = till.run("export", "csv", str(file), *span)
        assert done.code == 0, done.err
        return [each["amount"] for each in table(file)] if done.last["rows"] else []

    assert rows("--from", date, "--to", date) == ["12.50", "3.00"]
    assert rows("--month", date[:7]) == ["12.50", "3.00"]
    assert rows("--from", date) == rows("--to", date) == rows()
    assert rows("--to", "2020-01-01") == []
    # An empty range is a header, and no error.
    empty = max(tmp_path.glob("*.csv"), key=lambda each: each.stat().st_mtime_ns)
    assert empty.read_bytes().decode() == ",".join(COLUMNS) + "\r\n"


@pytest.mark.parametrize(
    "line",
    [
        ("csv", "F", "--from", "2026-02-30"),
        ("csv", "F", "--from", "2026-03-02", "--to", "2026-03-01"),
        ("csv", "F", "--month", "2026-13"),
        ("csv", "F", "--z", "0"),
        ("csv", "F", "--z", "7"),
        ("csv", "F", "--z", "1", "--month", "2026-03"),
        ("csv", "F", "--by-day"),
        ("csv", "F", "--date-order", "dmy"),
        ("ledger", "F", "--numbers"),
        ("pdf", "F"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_nothing_begun(
    sandbox: Sandbox, till: Till, tmp_path: Path, line: tuple[str, ...]
) -> None:
    paid(sandbox, till)
    file = tmp_path / "F.csv"
    done = till.run("export", *(str(file) if each == "F" else each for each in line))
    assert (done.code, done.out) == (2, "")
    assert not file.exists()


def test_a_name_that_is_taken_is_kept_unless_forced(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    paid(sandbox, till)
    folder = tmp_path / "out"
    folder.mkdir()
    file = folder / "day.csv"
    file.write_text("the accountant's")
    done = till.run("export", "csv", str(file))
    assert done.code == 73
    assert "--force" in done.err
    assert file.read_text() == "the accountant's"
    assert till.run("export", "csv", str(file), "--force").code == 0
    assert len(table(file)) == 1
    assert list(folder.iterdir()) == [file]
    assert till.run("export", "csv", str(folder), "--force").code == 73
    assert till.run("export", "csv", str(tmp_path / "nowhere" / "day.csv")).code == 73


def test_without_a_journal_there_is_nothing_to_write(till: Till, tmp_path: Path) -> None:
    done = till.run("export", "csv", str(tmp_path / "day.csv"))
    assert (done.code, done.out) == (73, "")
    assert not (tmp_path / "day.csv").exists()


def test_whole_wallet_numbers_are_asked_for_by_name(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    paying = till.start("pay", "--amount", "5.00", "--push", "0771234567")
    attempt_id = paying.state("WAITING")["attempt_id"]
    sandbox.act(attempt_id, "pay")
    assert paying.end().code == 0
    masked, whole = tmp_path / "masked.csv", tmp_path / "whole.csv"
    assert till.run("export", "csv", str(masked)).code == 0
    assert "94771234567" not in masked.read_text()
    # Planted bug 23: a spreadsheet would compute with it.
    (row,) = table(masked)
    assert row["wallet_mask"].startswith("'+")
    assert till.run("export", "csv", str(whole), "--numbers").code == 0
    (row,) = table(whole)
    assert row["wallet_number"].endswith("771234567")
    whole.unlink()


def test_a_ledger_has_five_columns_and_the_books_own_dates(
    sandbox: Sandbox, till: Till, tmp_path: Path
) -> None:
    paid(sandbox, till)
    paid(sandbox, till, "0.05")
    (z,) = till.run("close", "--no-reconcile").objects
    assert till.run("export", "ledger", str(tmp_path / "book.csv"), "--date-order", "dmy").code == 0
    rows = table(tmp_path / "book.csv")
    assert list(rows[0]) == ["Date", "Amount", "Payee", "Description", "Reference"]
    year, month, day = z["business_date"].split("-")
    assert {row["Date"] for row in rows} == {f"{day}/{month}/{year}"}
    assert [row["Amount"] for row in rows] == ["12.50", "0.05"]
    assert all(row["Description"].startswith("SANDBOX – NOT A PAYMENT: ") for row in rows)
    done = till.run("export", "ledger", str(tmp_path / "days.csv"), "--by-day")
    (day_row,) = table(tmp_path / "days.csv")
    assert (day_row["Amount"], day_row["Reference"], done.last["amount"]) == ("12.55", "Z-1", "12.55")


def test_what_a_ledger_comes_to_is_not_called_taken(sandbox: Sandbox, till: Till, tmp_path: Path) -> None:
    """Its lines in minus are taken off: beside the Z's 12.50 taken it said that 11.50 were."""
    attempt_id = paid(sandbox, till)
    noted = till.run("refund", "--note", attempt_id, "--reason", "returned", "--amount", "1.00")
    assert noted.code == 0
    assert till.run("close", "--no-reconcile").last["takings"]["amount"] == "12.50"
    said = till.say("export", "ledger", str(tmp_path / "book.csv")).out
    assert "2 rows, in all: LKR 11.50" in said
    assert [row["Amount"] for row in table(tmp_path / "book.csv")] == ["12.50", "-1.00"]
    assert till.run("export", "ledger", str(tmp_path / "again.csv")).last["amount"] == "11.50"
    assert "1 rows, taken: LKR 12.50" in till.say("export", "csv", str(tmp_path / "all.csv")).out


@pytest.fixture
def busy(till: Till, sandbox: Sandbox, tmp_path: Path) -> Till:
    """A counter with some thousand payments, so that an export takes a while."""
    paid(sandbox, till)
    journal = begun_anew(tmp_path / "counter" / "sandbox")
    records = []
    for number in range(1, PAYMENTS + 1):
        of = attempt(
            number,
            kind=Kind.PUSH,
            state=State.PAID,
            ended_at=number * 1000 + 500,
            wallet_mask="+94 •••• 567",
            receipt=number,
            receipt_of=INSTALLATION,
        )
        records.append(record(of, path=(State.WAITING, State.PAID), sale=sale(number)))
    journal.append(records)
    journal.close()
    return till


def left_by_kills(till: Till, folder: Path, until_whole: int, part: str) -> Iterator[bytes | None]:
    """What has the name after each kill, the moments by how much lies under `part` by then."""
    chance = random.Random(11)
    file = folder / "day.csv"
    while True:
        running = till.start("export", "csv", str(file), "--force")
        # Beyond the last byte it is at its end.
        dies_at = chance.randrange(0, until_whole + until_whole // 4)
        while not running.is_over and _size(folder / part) <= dies_at:
            pass
        running.kill()
        left = file.read_bytes() if file.exists() else None
        file.unlink(missing_ok=True)
        yield left


@pytest.mark.slow
def test_killed_at_any_moment_the_name_is_whole_or_absent(busy: Till, tmp_path: Path) -> None:
    """I22: a kill like a power cut, anywhere between the start and the end of an export."""
    folder = tmp_path / "out"
    folder.mkdir()
    whole = folder / "whole.csv"
    assert busy.run("export", "csv", str(whole)).code == 0
    expected = whole.read_bytes()
    found = list(islice(left_by_kills(busy, folder, len(expected), ".day.csv.part"), 10))
    assert None in found
    assert set(found) <= {None, expected}
    # What a kill left under the other name goes with the next export.
    assert busy.run("export", "csv", str(folder / "day.csv")).code == 0
    assert sorted(each.name for each in folder.iterdir()) == ["day.csv", "whole.csv"]
    assert not (tmp_path / "counter" / "sandbox" / "export-scratch").exists()
    # Planted bug 22: a till that writes in place is caught by the same kills.
    wrong = Till(busy.common, program="tests.integration.cli.writes_in_place")
    halves = left_by_kills(wrong, folder, len(expected), "day.csv")
    # Who looks may be late, and it is whole by then.
    assert any(each not in (None, expected) for each in islice(halves, 40))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


@pytest.mark.parametrize("kind", ["csv", "xlsx", "jsonl"])
def test_a_disk_that_is_full_is_said_and_nothing_half_stays(busy: Till, tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    limited = Till(busy.common, program="tests.integration.cli.on_a_small_disk")
    done = limited.run("export", kind, str(folder / "day"))
    assert done.code == 73, done.err
    assert "Nothing was left there" in done.err
    assert list(folder.iterdir()) == []
    assert not list((tmp_path / "counter" / "sandbox").glob("export-scratch/*"))


def test_two_at_once_for_one_name_do_not_meet(busy: Till, tmp_path: Path) -> None:
    file = tmp_path / "day.csv"
    first = busy.start("export", "csv", str(file))
    second = busy.start("export", "csv", str(file))
    ends = sorted([first.end().code, second.end().code])
    assert ends == [0, 73]
    assert len(table(file)) == PAYMENTS


def test_a_workbook_has_texts_as_texts_and_amounts_as_numbers(busy: Till, tmp_path: Path) -> None:
    file = tmp_path / "day.xlsx"
    assert busy.run("export", "xlsx", str(file)).code == 0
    (sheet,) = cells(file)
    assert len(sheet) == PAYMENTS + 1
    assert [text for _, text in sheet[0]] == list(COLUMNS)
    assert ("n", "12.50") in sheet[1]
    assert {kind for row in sheet[1:3] for kind, text in row if text != "12.50"} == {"inlineStr"}
    assert ("inlineStr", "+94 •••• 567") in sheet[1]


def stopped_in_the_middle(till: Till, folder: Path) -> Running:
    """An export to this folder that stands still while it writes; one that was over before is followed by the next."""
    part = folder / ".day.csv.part"
    while True:
        running = till.start("export", "csv", str(folder / "day.csv"), "--force")
        while not running.is_over and not _size(part):
            pass
        running.send(Signals.SIGSTOP)
        state = Path(f"/proc/{running.pid}/stat")
        while not running.is_over and state.read_text().rsplit(")", 1)[1].split()[0] != "T":
            pass
        if not running.is_over and part.exists():
            return running
        running.send(Signals.SIGCONT).end()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[], Path]]:
    """A disk of its own, as a stick is; None where this account may mount nothing."""
    folder = tmp_path / "stick"
    folder.mkdir()
    if os.geteuid() != 0 or os.system(f"mount -t tmpfs -o size=1m tmpfs {folder} 2>/dev/null"):
        pytest.skip("nothing can be mounted here")
    yield lambda: folder
    os.system(f"umount -l {folder} 2>/dev/null")


def test_a_stick_that_is_too_small_or_read_only_or_pulled_out(
    busy: Till, small_disk: Callable[[], Path]
) -> None:
    folder = small_disk()
    done = busy.run("export", "csv", str(folder / "day.csv"))
    assert done.code == 73
    assert "the disk is full" in done.err
    assert list(folder.iterdir()) == []
    os.system(f"mount -o remount,ro {folder}")
    done = busy.run("export", "csv", str(folder / "day.csv"))
    assert done.code == 73
    assert "read-only" in done.err
    os.system(f"mount -o remount,rw,size=64m {folder}")
    running = stopped_in_the_middle(busy, folder)
    os.system(f"umount -l {folder}")
    running.send(Signals.SIGCONT)
    done = running.end()
    assert done.code == 73
    assert "gone" in done.err
    assert list(folder.iterdir()) == []
    shutil.rmtree(folder, ignore_errors=True)
