"""A million payments as CSV and a hundred thousand as a workbook, each beside the bare library; the window meanwhile;
and all payments scrolled through."""

from __future__ import annotations

import csv
import random
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from datetime import time as time_of_day
from functools import partial
from itertools import pairwise
from pathlib import Path

from pos_app.bootstrap.exporting import Source, Wanted, export
from pos_app.domain.attempt import Environment
from pos_app.domain.export import COLUMNS, NUMBERS, Format
from pos_app.domain.search import Meant
from pos_app.journal.history import BLOCK, History
from tests.verification.bench.figure import Figure, median, percentile, timed_ms
from tests.verification.bench.million import million

WORKBOOK = 100_000
BEAT_S = 0.002
LONGEST_MS = 100
"""I7."""


def measure(*, quick: bool = False) -> list[Figure]:
    """Each in the processor's time of its thread: the same machine is measured twice, busy or not."""
    rows = WORKBOOK if quick else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        figures = [_csv(rows, out, 1 if quick else 3), _xlsx(WORKBOOK // 10 if quick else WORKBOOK, out)]
        stall = _stall(rows, out)
    return [*figures, stall, *_history(rows)]


def _source(payments: int) -> Source:
    return Source(million(payments).resolve(), Environment.SANDBOX, time_of_day(4))


def _row(number: int) -> tuple[str, ...]:
    """As long as what the bench's journal holds."""
    sale = f"{number:04d}"
    wall = "2026-03-02T10:15:30.000+05:30"
    filled = {
        "business_date": "2026-03-02",
        "receipt": f"SBX-T7K3M9QRD-R{number:06d}",
        "sale_id": sale,
        "attempt_id": f"SBX-T7K3M9QRD-{sale}-1-K7Q2M9",
        "wallet_transaction_id": "123456789012",
        "kind": "push",
        "amount": "123.45",
        "currency": "LKR",
        "state": "PAID",
        "tapped_at": wall,
        "paid_at": wall,
        "wallet_mask": "'+94 •••• 567",
        "invoice": f"INV-{number}",
        "environment": "sandbox",
    }
    return tuple(filled.get(column, "") for column in COLUMNS)


def _csv(payments: int, out: Path, rounds: int) -> Figure:
    source = _source(payments)
    rows = [_row(number) for number in range(1000)]

    def ours() -> object:
        return export(source, Wanted(format=Format.CSV, force=True), out / "ours.csv")

    def bare() -> None:
        sql = "SELECT place, snapshot FROM attempt"
        with (
            closing(sqlite3.connect(source.journal)) as connection,
            (out / "bare.csv").open("w", encoding="utf-8", newline="") as file,
        ):
            writer = csv.writer(file, lineterminator="\r\n")
            for place, _ in connection.execute(sql):
                writer.writerow(rows[place % 1000])

    pairs = [(_cpu_s(ours), _cpu_s(bare)) for _ in range(rounds)]
    return Figure(
        name=f"CSV, {payments:,} payments",
        unit="s",
        ours=median([pair[0] for pair in pairs]),
        floor=median([pair[1] for pair in pairs]),
        goal=3,
        floor_is="bare SELECT and csv loop",
        limited_by="each payment is read by its index, decoded, and looked up at the event that paid it",
    )


def _xlsx(payments: int, out: Path) -> Figure:
    import xlsxwriter

    source = _source(payments)

    def ours() -> object:
        return export(source, Wanted(format=Format.XLSX, force=True), out / "ours.xlsx")

    def bare() -> None:
        book = xlsxwriter.Workbook(str(out / "bare.xlsx"), {"constant_memory": True, "tmpdir": str(out)})
        sheet = book.add_worksheet()
        for at in range(payments):
            for column, cell in enumerate(_row(at)):
                if cell and COLUMNS[column] in NUMBERS:
                    sheet.write_number(at, column, float(cell))
                elif cell:
                    sheet.write_string(at, column, cell)
        book.close()

    return Figure(
        name=f"XLSX, {payments:,} payments",
        unit="s",
        ours=_cpu_s(ours),
        floor=_cpu_s(bare),
        goal=1.3,
        floor_is="xlsxwriter alone",
    )


def _cpu_s(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _stall(payments: int, out: Path) -> Figure:
    """The longest that the window's thread waits for its turn, with an export beside it as at the window."""
    idle = _longest_ms(lambda: time.sleep(5))
    wanted = Wanted(format=Format.CSV, force=True)
    beside = _longest_ms(lambda: export(_source(payments), wanted, out / "beside.csv", gentle=True))
    return Figure(
        name="longest wait of the window while CSV is written",
        unit="ms",
        ours=beside,
        floor=idle,
        goal=LONGEST_MS,
        floor_is="the same without",
        absolute=True,
        limited_by="the machine's own hiccups; run it again on a quiet one",
    )


def _longest_ms(work: Callable[[], object]) -> float:
    """Of all beats of this thread but one in a thousand, the longest beyond the beat, while another works."""
    thread = threading.Thread(target=work)
    beats = [time.monotonic()]
    thread.start()
    while thread.is_alive():
        time.sleep(BEAT_S)
        beats.append(time.monotonic())
    thread.join()
    return percentile([(after - before - BEAT_S) * 1000 for before, after in pairwise(beats)], 0.999)


def _history(payments: int) -> list[Figure]:
    history = History(million(payments))
    whole = timed_ms(lambda: list(history.look(Meant())))
    chance = random.Random(2)
    blocks = [chance.randrange(payments // BLOCK) for _ in range(200)]
    block = percentile([timed_ms(partial(history.rows, number)) for number in blocks], 0.99)
    return [
        Figure(
            name=f"all payments, {payments:,}, where each block begins",
            unit="ms",
            ours=whole,
            floor=1000,
            goal=1000,
            floor_is="a second, on a thread of its own",
            absolute=True,
            limited_by="the index comes from the disk where nobody has read it lately; rows are there meanwhile",
        ),
        Figure(
            name=f"a block of {BLOCK} anywhere in it, p99",
            unit="ms",
            ours=block,
            floor=16,
            goal=16,
            floor_is="a frame of a screen",
            absolute=True,
            limited_by="a block that nobody has read lately comes from the disk; the window says Loading… meanwhile",
        ),
    ]
