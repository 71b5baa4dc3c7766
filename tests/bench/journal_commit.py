"""A durable commit of an event with its projection against one bare row, both WAL and synchronous=FULL."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import msgspec

from pos_app.domain.attempt import Environment, State
from pos_app.journal import Journal, open_journal
from tests.bench.figure import Figure, interleaved, median, timed_ms
from tests.support.journal_records import KEY, attempt, intent, record

ROWS = 200
ROUNDS = 15


class _Steps:
    """The events of payments one after the other: an attempt is seen to move, each time a new snapshot."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._number = 0

    def begin(self) -> None:
        """A sale with its intent."""
        self._number += 1
        self._journal.append([intent(self._number)])

    def move(self) -> None:
        """One event of the newest attempt with what it made true."""
        now = attempt(
            self._number, state=State.WAITING, shown=True, service_status="Merchant Initiated", reply_at=1
        )
        moved = msgspec.structs.replace(now, wallet_transaction_id="98765", resends=self._number % 3)
        self._journal.append(
            [record(moved, "STATUS_SEEN", path=(State.INTENT, State.WAITING), content={"code": ""})]
        )


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
    return connection


def measure(folder: Path | None = None) -> list[Figure]:
    """The medians of a state change and of an intent with its sale."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        journal = open_journal(Path(made) / "journal.sqlite", KEY, Environment.SANDBOX)
        steps = _Steps(journal)
        bare = _bare(Path(made) / "bare.sqlite")
        text = "x" * 100

        def row() -> None:
            bare.execute("INSERT INTO row (text) VALUES (?)", (text,))

        steps.begin(), steps.move(), row()
        floor_of = lambda: median([timed_ms(row) for _ in range(ROWS)])  # noqa: E731 - used twice below
        begin, begin_floor = interleaved(
            lambda: median([timed_ms(steps.begin) for _ in range(ROWS)]), floor_of, ROUNDS
        )
        move, move_floor = interleaved(
            lambda: median([timed_ms(steps.move) for _ in range(ROWS)]), floor_of, ROUNDS
        )
        journal.close()
        bare.close()
    floor_is = "one bare row, WAL and synchronous=FULL"
    return [
        Figure(
            name="commit of an event", unit="ms", ours=move, floor=move_floor, goal=1.5, floor_is=floor_is
        ),
        Figure(
            name="commit of an intent with its sale",
            unit="ms",
            ours=begin,
            floor=begin_floor,
            goal=1.5,
            floor_is=floor_is,
        ),
    ]


if __name__ == "__main__":
    for figure in measure():
        print(f"{figure.name}: {figure.ours:.3f} {figure.floor:.3f} {figure.ratio:.2f}")
