"""A Z of 10,000 payments: its count against reading what is counted, and how long the engine is held by the closing."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from pos_app.domain.attempt import Environment
from pos_app.domain.commands import CloseDay
from pos_app.engine.connection.calls import DayCounted
from pos_app.journal import Journal, open_journal
from tests.support.builders import KEY
from tests.unit.engine.rig import Rig
from tests.verification.bench.figure import Figure, interleaved, median, timed_ms
from tests.verification.bench.journal_commit import paid

PAYMENTS = 10_000
TOGETHER = 2_000
ROUNDS = 15
CLOSINGS = 5
HELD_MS = 20


def measure(*, quick: bool = False) -> list[Figure]:
    """The count, and the longest piece of work of the engine in a closing."""
    held = []
    for _ in range(2 if quick else CLOSINGS):
        with _day() as (journal, _path):
            held.append(_closed(journal))
    with _day() as (journal, path):
        counting = journal.recounting()
        assert counting.agrees()
        ours, floor = interleaved(
            lambda: timed_ms(counting.agrees), lambda: timed_ms(_reading(path)), 3 if quick else ROUNDS
        )
    return [
        Figure(
            name="Z of 10,000: its count, beside the engine",
            unit="ms",
            ours=ours,
            floor=floor,
            goal=4,
            floor_is="reading their snapshots",
            limited_by="two thirds of it decode each payment whole, so that none is counted that cannot be read",
        ),
        Figure(
            name="Z of 10,000: the engine held",
            unit="ms",
            ours=median([max(each) for each in held]),
            floor=median([each[0] for each in held]),
            goal=HELD_MS,
            floor_is="the first of its pieces, CLOSING_BEGAN",
            absolute=True,
            limited_by="the Z is read from its tables, digested, and written in one transaction",
        ),
    ]


@contextmanager
def _day() -> Iterator[tuple[Journal, Path]]:
    """A journal of 10,000 payments that were paid some time ago, none of them in a Z."""
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "journal.sqlite"
        with closing(open_journal(path, KEY, Environment.SANDBOX)) as journal:
            for number in range(1, PAYMENTS + 1, TOGETHER):
                journal.append([paid(each) for each in range(number, number + TOGETHER)])
            yield journal, path


def _closed(journal: Journal) -> list[float]:
    """How long each piece of the engine's work takes in the closing (ms)."""
    rig = Rig(journal)
    counted: list[bool] = []
    rig.restart_with(count_day=lambda: counted.append(True))
    rig.wait(0)
    took: list[float] = []
    _piece(took, lambda: rig.engine.handle(CloseDay(request_id="bench", wait_s=0)))
    while not counted:
        _piece(took, rig.engine.tick)
    agrees = journal.recounting().agrees()
    _piece(took, lambda: rig.engine.handle(DayCounted(agrees)))
    z = journal.last_z()
    assert z is not None
    assert agrees, "the tables were made anew"
    assert sum(entry.payments for entry in z.entries) == PAYMENTS
    return took


def _piece(took: list[float], work: Callable[[], Any]) -> None:
    start = time.perf_counter()
    work()
    took.append((time.perf_counter() - start) * 1000)


def _reading(path: Path) -> Callable[[], object]:
    def read() -> object:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            sql = """SELECT CAST(snapshot AS BLOB) FROM attempt INDEXED BY attempt_ended
            WHERE ended_at >= 0 AND period = 1"""
            return connection.execute(sql).fetchall()

    return read
