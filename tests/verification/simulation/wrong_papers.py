"""Wrong tills, part eight: papers that come twice, unmarked, or before anybody could know of them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pos_app.domain.print_job import JobState
from pos_app.engine.core.counter_day import CounterDay
from pos_app.engine.printing import queue
from pos_app.engine.printing.news import PrintEnded
from pos_app.engine.printing.queue import PrintQueue
from pos_app.i18n.papers import Papers
from tests.verification.simulation.planting import Planter


def sending_written_after_the_bytes(planter: Planter) -> None:
    """The paper first: writing takes time."""

    def send(self: Any, job: Any, picture: str) -> None:
        self._jobs[job.number] = replace(job, state=JobState.SENDING, began=True, picture=picture)
        self._line.send(job.number)

    def heard(self: Any, news: Any) -> None:
        job = self._jobs.get(news.number)
        if isinstance(news, PrintEnded) and job is not None:
            self._commit([self._record("PRINT_SENDING", job, "terminal")])
        right(self, news)

    planter.put(PrintQueue, "_send", send)
    right = planter.put(PrintQueue, "heard", heard)


def restart_prints_again(planter: Planter) -> None:
    """What was not finished is begun anew."""

    def wrong(job: Any) -> Any:
        return replace(job, state=JobState.QUEUED) if job.state is JobState.SENDING else job

    planter.put(queue, "taken_up", wrong)


def short_write_sent_again(planter: Planter) -> None:
    """It broke off, so it is sent once more."""

    def wrong(self: Any, news: Any) -> None:
        right(self, news)
        job = self._jobs.get(news.number)
        if job is not None and job.state is JobState.UNKNOWN:
            self._jobs[job.number] = replace(job, state=JobState.QUEUED)

    right = planter.put(PrintQueue, "heard", wrong)


def copy_forgotten(planter: Planter) -> None:
    """Whoever did not get it gets it."""
    planter.put(queue, "next_copy", lambda _jobs: 0)


def sandbox_receipt_unmarked(planter: Planter) -> None:
    """Paper is dear."""
    planter.put(Papers, "_marking", lambda _self, _environment: [])


def z_paper_after_its_z(planter: Planter) -> None:
    """First the Z, then its paper: the till will live so long."""

    def wrong(self: Any, run: Any) -> Any:
        z, problem = right(self, run)
        if z is not None:
            paper = right_of_z(self._printing, z.number, run.actor)
            if paper is not None and self._live_payments.commit([paper[1]]):
                self._printing.keep(paper[0])
        return z, problem

    right_of_z = planter.put(PrintQueue, "of_z", lambda *_: None)
    right = planter.put(CounterDay, "_commit_z", wrong)


def z_into_a_cashiers_hands(planter: Planter) -> None:
    """Whoever closes the day takes its paper."""
    planter.put(CounterDay, "_is_cashier", lambda _self, _actor: False)


def receipt_wanted_after_its_money(planter: Planter) -> None:
    """First the money, then, once there is time, its paper."""

    def wrong(self: Any, attempt: Any) -> Any:
        vars(self).setdefault("owed", []).append(attempt)
        return []

    def tick(self: Any, now: int) -> Any:
        owed = vars(self).pop("owed", [])
        if owed:
            self._live_payments.write([record for attempt in owed for record in right(self, attempt)])
        return right_tick(self, now)

    right = planter.put(PrintQueue, "of_money", wrong)
    right_tick = planter.put(PrintQueue, "tick", tick)
