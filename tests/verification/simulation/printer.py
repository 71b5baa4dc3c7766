"""A printer that knows what lies on paper, part by part, whatever becomes of the till that sends it.

Its moods come one after the other, one for each time a job is brought to it: "ok" names the job as done, "silent" says
nothing, "empty" has no paper, "off" cannot be reached, "dies" goes off in the middle, "slow" takes longer than it may.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from pos_app.domain.paper import lines_of
from pos_app.domain.print_job import JobState, PrintJob, Why
from pos_app.domain.receipt import Letterhead
from pos_app.engine.core.mailbox import Post
from pos_app.engine.printing.news import PrintEnded, PrinterHeld, PrinterReady
from pos_app.ui.paper.drawing import paper_of
from tests.verification.simulation.clock import World
from tests.verification.simulation.network import Schedule

PARTS = 4
"""Of one job: as it comes out of the printer."""

PART_MS = 40
_READY_MS = 30
_SLOW_MS = 10_000
_HELD = {"empty": Why.PAPER_OUT, "off": Why.NO_CONNECTION}
_LETTERHEAD = Letterhead()


class Laid(msgspec.Struct, kw_only=True):
    """A piece of paper: `parts` of PARTS came out. `job`: its number, `line`: of the journal that it was sent by.

    `paper`, `about`, `copy` are the job's; `number`, `environment` the receipt's or report's own (a journal that was
    begun anew has a Z 1 again); `texts` what it says.
    """

    at: int
    line: str
    job: int
    paper: str
    about: str
    copy: int
    number: str
    environment: str
    texts: tuple[str, ...]
    parts: int = 1


def _number(content: Any) -> str:
    """By what two papers are the same one: a note's by the payment, too, as a folder that was put back counts anew."""
    if content.receipt:
        return str(content.receipt.number)
    if content.note:
        return f"{content.note.shown} {content.note.attempt_id}"
    return f"{content.report.installation_id} {content.report.number}"


class SimPrinter:
    """Stands at one till, and outlives its processes."""

    def __init__(self, world: World, schedule: Schedule, moods: tuple[str, ...]) -> None:
        self._world = world
        self._schedule = schedule
        self._moods = moods
        self._tries = 0
        self.papers: list[Laid] = []

    def mood(self) -> str:
        """The next one; in the end it prints."""
        mood = self._moods[self._tries] if self._tries < len(self._moods) else "ok"
        self._tries += 1
        return mood

    def line(self, name: Callable[[], str], post: Post, lives: Callable[[], bool]) -> SimLine:
        """For one life of a till. `name`: its journal's line."""
        return SimLine(self._world, self._schedule, self, name, post, lives)


class SimLine:
    """The `PrinterLine` of a till: what it began ends with the process, what is on paper stays."""

    def __init__(
        self,
        world: World,
        schedule: Schedule,
        printer: SimPrinter,
        name: Callable[[], str],
        post: Post,
        lives: Callable[[], bool],
    ) -> None:
        self._world = world
        self._schedule = schedule
        self._printer = printer
        self._name = name
        self._post = post
        self._lives = lives
        self._ready: tuple[PrintJob, Any, str] | None = None

    def _later(self, ms: int, what: Callable[[], None]) -> None:
        self._schedule(self._world.now + ms, lambda: what() if self._lives() else None)

    def prepare(self, job: PrintJob, content: Any) -> None:
        """As in PrinterLine."""
        mood = self._printer.mood()
        if mood in _HELD:
            self._later(_READY_MS, lambda: self._post(PrinterHeld(job.number, _HELD[mood])))
            return
        self._ready = (job, content, mood)
        self._later(_READY_MS, lambda: self._post(PrinterReady(job.number, "dots")))

    def leave(self, number: int) -> None:
        """As in PrinterLine."""
        if self._ready is not None and self._ready[0].number == number:
            self._ready = None

    def send(self, number: int) -> None:
        """As in PrinterLine."""
        ready, self._ready = self._ready, None
        if ready is None or ready[0].number != number:
            self._later(1, lambda: self._post(PrintEnded(number, JobState.UNKNOWN, Why.BROKE_OFF)))
            return
        job, content, mood = ready
        said = content.receipt or content.report or content.note
        laid = Laid(
            at=self._world.now,
            line=self._name(),
            job=number,
            paper=job.paper.value,
            about=job.about,
            copy=job.copy,
            number=_number(content),
            environment=str(said.environment),
            texts=tuple(lines_of(paper_of(job, content, _LETTERHEAD))),
        )
        self._printer.papers.append(laid)
        self._later(PART_MS, lambda: self._go_on(laid, mood))

    def _go_on(self, laid: Laid, mood: str) -> None:
        laid.parts += 1
        number = laid.job
        if mood == "dies" and laid.parts == PARTS // 2:
            self._post(PrintEnded(number, JobState.UNKNOWN, Why.BROKE_OFF))
        elif mood == "slow" and laid.parts == PARTS // 2:
            self._later(_SLOW_MS, lambda: self._post(PrintEnded(number, JobState.UNKNOWN, Why.TOO_SLOW)))
        elif laid.parts == PARTS:
            state = JobState.SENT if mood == "silent" else JobState.PRINTED
            self._post(PrintEnded(number, state))
        else:
            self._later(PART_MS, lambda: self._go_on(laid, mood))
