"""A hundred thousand payments beside the service's list: the engine's work and its pieces, its asks, its memory."""

from __future__ import annotations

import sqlite3
import tempfile
import time
import tracemalloc
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from pos_app.domain.attempt import Environment, State
from pos_app.domain.commands import Reconcile
from pos_app.domain.list_reader import FORM
from pos_app.domain.query import QueryFilter
from pos_app.domain.record import Record
from pos_app.domain.replies import ListedTransaction
from pos_app.domain.views import ReconEnded
from pos_app.engine.connection.calls import ListAnswered
from pos_app.journal import Journal, open_journal
from tests.support.builders import INSTALLATION, KEY, attempt, record
from tests.unit.domain.listing_service import DAY, Service
from tests.unit.engine.rig import SITE, Rig
from tests.verification.bench.figure import Figure, median, percentile

PAYMENTS = 100_000
TOGETHER = 5_000
ROUNDS = 3
OVER = timedelta(days=3)
LATER = timedelta(days=90)
IN_AN_ANSWER = 4_000
"""As many rows as the client's largest reply holds."""

HELD_MS = 20
MOST_CALLS = 150
MOST_MIB = 16


def measure(*, quick: bool = False) -> list[Figure]:
    """All in the processor's time of one thread; the list's answers are there when they are asked for."""
    payments = PAYMENTS // 10 if quick else PAYMENTS
    with _shop(payments) as (journal, path, rows):
        run = _Run(journal, rows, payments)
        tracemalloc.start()
        run.play()
        memory = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        took: list[list[float]] = []
        floors: list[float] = []
        for _ in range(1 if quick else ROUNDS):
            floors.append(_floor_ms(path, rows))
            took.append(run.play())
    held = median([percentile(each, 0.999) for each in took])
    return [
        Figure(
            name=f"reconciling {payments:,} payments: the engine's work",
            unit="ms",
            ours=median([sum(each) for each in took]),
            floor=median(floors),
            goal=1.5,
            floor_is="the rows decoded from JSON once, their snapshots read",
            limited_by="a third reads the payments' columns, as dear as their snapshots; the rest compares and "
            "marks each row in Python",
        ),
        Figure(
            name=f"reconciling {payments:,} payments: the engine held",
            unit="ms",
            ours=held,
            floor=median([percentile(each, 0.5) for each in took]),
            goal=HELD_MS,
            floor_is="half of its pieces",
            absolute=True,
            limited_by="a window of the list that is done with is written in one transaction",
        ),
        Figure(
            name=f"reconciling {payments:,} payments: asks for the list",
            unit="asks",
            ours=run.service.calls,
            floor=payments / IN_AN_ANSWER,
            goal=MOST_CALLS,
            floor_is="as many full answers",
            absolute=True,
        ),
        Figure(
            name=f"reconciling {payments:,} payments: memory",
            unit="MiB",
            ours=memory,
            floor=0,
            goal=MOST_MIB,
            floor_is="nothing",
            absolute=True,
        ),
    ]


class _Run:
    """The same payments compared, as often as it is played."""

    def __init__(self, journal: Journal, rows: list[ListedTransaction], payments: int) -> None:
        self.service = Service(rows=rows, too_large=IN_AN_ANSWER)
        self._payments = payments
        self._wanted: deque[QueryFilter] = deque()
        self._rig = Rig(journal, msgspec.structs.replace(SITE, merchant_id="M-0001"))
        # So long after them that nobody asks about them by himself.
        self._rig.clock.ms = _till_ms(DAY + LATER)
        self._rig.restart_with(list_payments=self._wanted.append)
        self._rig.wait(0)

    def play(self) -> list[float]:
        """Each piece of the engine's work (ms)."""
        rig, took = self._rig, []
        rig.shown.clear()
        self._wanted.clear()
        self.service.calls = 0
        first, last = (each.strftime(FORM) for each in (DAY, DAY + OVER))
        took.append(_ms(lambda: rig.engine.handle(Reconcile(request_id="bench", first=first, last=last))))
        while not (ended := [each for each in rig.shown if isinstance(each, ReconEnded)]):
            if self._wanted:
                wanted = self._wanted.popleft()
                answer = ListAnswered(wanted, self.service.query(wanted))
                took.append(_ms(lambda answer=answer: rig.engine.handle(answer)))
            elif (due := rig.engine.due_at()) is not None:
                rig.clock.ms = max(rig.clock.ms, due)
                took.append(_ms(rig.engine.tick))
            rig.shown[:] = [each for each in rig.shown if isinstance(each, ReconEnded)]
        run = ended[0].run
        assert run is not None, ended
        assert (run.complete, run.rows, run.equal) == (True, self._payments, self._payments), run
        return took


def _ms(work: Any) -> float:
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1000


@contextmanager
def _shop(payments: int) -> Iterator[tuple[Journal, Path, list[ListedTransaction]]]:
    """A journal of so many paid payments over three days, and the list of them."""
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "journal.sqlite"
        with closing(open_journal(path, KEY, Environment.SANDBOX)) as journal:
            rows: list[ListedTransaction] = []
            for first in range(1, payments + 1, TOGETHER):
                together = [_paid(number, payments) for number in range(first, first + TOGETHER)]
                journal.append(together)
                rows += [_row(each) for each in together]
            yield journal, path, rows


def _paid(number: int, payments: int) -> Record:
    at = DAY + OVER * (number / (payments + 1))
    tapped_at = _till_ms(at)
    made = attempt(
        number,
        state=State.PAID,
        amount=Decimal(number % 50_000 + 100).scaleb(-2),
        shown=True,
        service_status="Payment Success",
        tapped_at=tapped_at,
        ended_at=tapped_at + 20_000,
        transaction_date_time=at.strftime(FORM),
        wallet_transaction_id=f"{10**11 + number}",
        receipt=number,
        receipt_of=INSTALLATION,
    )
    return record(made, "STATUS_SEEN", path=(State.WAITING, State.PAID), content={"code": ""})


def _till_ms(at: datetime) -> int:
    return int(at.replace(tzinfo=UTC).timestamp() * 1000)


def _row(paid: Record) -> ListedTransaction:
    of = paid.attempt
    assert of is not None
    return ListedTransaction(
        of.wallet_transaction_id,
        of.attempt_id,
        of.transaction_date_time,
        "+94771234567",
        of.amount,
        "Payment Success",
        "Success",
    )


def _floor_ms(path: Path, rows: list[ListedTransaction]) -> float:
    """What nobody can do without: each row out of its JSON, and each of our payments out of the table."""
    answers = [msgspec.json.encode(rows[at : at + IN_AN_ANSWER]) for at in range(0, len(rows), IN_AN_ANSWER)]

    def bare() -> None:
        decoder = msgspec.json.Decoder(list[ListedTransaction])
        for each in answers:
            decoder.decode(each)
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            read = connection.execute("SELECT CAST(snapshot AS BLOB) FROM attempt ORDER BY place")
            while read.fetchmany(IN_AN_ANSWER):
                pass

    return _ms(bare)
