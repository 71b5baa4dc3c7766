"""A durable commit of an event with its projection against one bare row, both WAL and synchronous=FULL."""

from __future__ import annotations

import itertools
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

from pos_app.domain.attempt import Environment, State
from pos_app.domain.record import Record
from pos_app.journal import Journal, open_journal
from tests.support.builders import INSTALLATION, KEY, attempt, intent, record
from tests.verification.bench.figure import Figure, interleaved, median, timed_ms

ROWS = 20
ROUNDS = 60
MANY = 100_000
"""From this number on are the sales that are paid."""


class _Steps:
    """The events of payments one after the other, made before the clock runs."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._intents = iter([intent(number) for number in range(1, ROWS * ROUNDS + 2)])
        self._moves = itertools.cycle([_move(number) for number in range(1, 200)])
        self._paid = iter([paid(number) for number in range(MANY + 1, MANY + ROWS * ROUNDS + 2)])
        journal.append([intent(number) for number in range(MANY + 1, MANY + ROWS * ROUNDS + 2)])

    def begin(self) -> None:
        """A sale with its intent."""
        self._journal.append([next(self._intents)])

    def move(self) -> None:
        """One event of an attempt with what it made true."""
        self._journal.append([next(self._moves)])

    def pay(self) -> None:
        """The event that makes an attempt money: with its receipt's number, and the takings moved by it."""
        self._journal.append([next(self._paid)])


def paid(number: int) -> Record:
    """The event that makes a payment money, with its receipt's number."""
    made = attempt(
        number,
        state=State.PAID,
        shown=True,
        service_status="Payment Success",
        ended_at=number,
        receipt=number - MANY if number > MANY else number,
        receipt_of=INSTALLATION,
    )
    return record(made, "STATUS_SEEN", path=(State.WAITING, State.PAID), content={"code": ""})


def _move(number: int) -> Record:
    seen = attempt(
        number,
        state=State.WAITING,
        shown=True,
        service_status="Merchant Initiated",
        reply_at=1,
        wallet_transaction_id="98765",
    )
    return record(seen, "STATUS_SEEN", path=(State.INTENT, State.WAITING), content={"code": ""})


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
    return connection


def measure(folder: Path | None = None) -> list[Figure]:
    """The medians of a state change, of one that is money, and of an intent with its sale."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        journal = open_journal(Path(made) / "journal.sqlite", KEY, Environment.SANDBOX)
        steps = _Steps(journal)
        bare = _bare(Path(made) / "bare.sqlite")
        text = "x" * 100

        def row() -> None:
            bare.execute("INSERT INTO row (text) VALUES (?)", (text,))

        def of(work: Callable[[], None]) -> Callable[[], float]:
            return lambda: median([timed_ms(work) for _ in range(ROWS)])

        steps.begin()
        row()
        begin, begin_floor = interleaved(of(steps.begin), of(row), ROUNDS)
        move, move_floor = interleaved(of(steps.move), of(row), ROUNDS)
        steps.pay()
        pay, pay_floor = interleaved(of(steps.pay), of(row), ROUNDS)
        journal.close()
        bare.close()
    floor_is = "one bare row, WAL and synchronous=FULL"
    limited_by = "an event and its projection are two pages to sync where the bare row is one"
    return [
        Figure(
            name="commit of an event",
            unit="ms",
            ours=move,
            floor=move_floor,
            goal=1.5,
            floor_is=floor_is,
            limited_by=limited_by,
        ),
        Figure(
            name="commit of money with the takings",
            unit="ms",
            ours=pay,
            floor=pay_floor,
            goal=1.5,
            floor_is=floor_is,
            limited_by=limited_by,
        ),
        Figure(
            name="commit of an intent with its sale",
            unit="ms",
            ours=begin,
            floor=begin_floor,
            goal=1.5,
            floor_is=floor_is,
            limited_by=limited_by,
        ),
    ]
