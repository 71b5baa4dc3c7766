"""One learner doing one exercise: fed with pictures, ledger rows and decisions, it says what comes next.

It does nothing itself: what the sandbox is to do it hands back as plays.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from pos_app.domain.print_job import PrintJob
from pos_app.domain.views import AttemptChanged, ChargeOpened, PrintAnswered, Published, Terminal
from pos_app.training.course.acts import Play, Printer, Trusting
from pos_app.training.course.scenario import BEFORE, Scenario, Step
from pos_app.training.course.scene import Decision, Row, Scene
from pos_app.training.course.slips import Slip, slip_in

Plays = tuple[Play, ...]

UNTIL_TRUSTED_S = 15
"""So long a wrong amount can be noticed: then the customer has paid it."""


class Outcome(StrEnum):
    """How an exercise ended."""

    RIGHT = "right"
    SLIPPED = "slipped"


class Run:
    """`begin` first. Every method that takes a fact returns what the sandbox is to do because of it."""

    def __init__(self, scenario: Scenario, terminal: Terminal) -> None:
        self.scenario = scenario
        self.scene = Scene(customers=scenario.customers, terminal=terminal)
        self.outcome: Outcome | None = None
        self.slip: Slip | None = None
        self.is_again = False
        self._steps = scenario.all_steps
        self._at = 0
        self._own: tuple[str, ...] = ()

    @property
    def step(self) -> Step:
        """The one instruction of now; the last one when it is over."""
        return self._steps[min(self._at, len(self._steps) - 1)]

    @property
    def number(self) -> int:
        """Which of the exercise's own steps this is, from 1; 0 before them."""
        return max(0, min(self._at, len(self._steps) - 1) - len(BEFORE) + 1)

    @property
    def count(self) -> int:
        """How many of them there are."""
        return len(self.scenario.steps)

    @property
    def may_decide(self) -> bool:
        """Whether there are goods on the counter to decide about."""
        return self.outcome is None and self.scene.at_hand is not None

    def begin(self) -> Plays:
        """What is to be done at once, and after a while."""
        return (*self.step.plays, *self._move_on())

    def see(self, published: Published) -> Plays:
        """A picture of the till."""
        match published:
            case Terminal():
                self.scene = replace(self.scene, terminal=published)
            case ChargeOpened() if self.number:
                self._own = (*self._own, published.attempt_id)
            case AttemptChanged() if published.attempt.attempt_id in self._own:
                before = self.scene.other_amounts
                self._take(published)
                if len(self.scene.other_amounts) > len(before):
                    trusting = Play(Trusting(published.attempt.attempt_id), UNTIL_TRUSTED_S)
                    return (*self._judge(), trusting)
            case PrintAnswered(job=PrintJob(copy=copy, about=about)) if copy and about in self._own:
                self.scene = replace(self.scene, copied=self.scene.copied | {about})
            case _:
                return ()
        return self._judge()

    def see_rows(self, rows: tuple[Row, ...]) -> Plays:
        """What the service's ledger has of this exercise."""
        own = tuple(row for row in rows if row.external_id in self._own)
        if own == self.scene.rows:
            return ()
        self.scene = replace(self.scene, rows=own)
        return self._judge()

    def see_clean(self) -> Plays:
        """Nothing of an earlier exercise is left at the sandbox."""
        self.scene = replace(self.scene, is_clean=True)
        return self._judge()

    def see_restart(self, terminal: Terminal) -> Plays:
        """The till has begun again."""
        self.scene = replace(self.scene, terminal=terminal, restarts=self.scene.restarts + 1)
        return self._judge()

    def see_paper(self, sheets: int) -> Plays:
        """So many sheets more came out of the printer; those of an earlier exercise are none of this one's."""
        if not self.number:
            return ()
        self.scene = replace(self.scene, papers=self.scene.papers + sheets)
        return self._judge()

    def decide(self, decision: Decision) -> Plays:
        """What the learner does with the goods."""
        if self.outcome is not None:
            return ()
        said = (*self.scene.said, decision)
        decided = None if decision is Decision.WAIT else self.scene.decide(decision)
        every = self.scene.decided if decided is None else (*self.scene.decided, decided)
        self.scene = replace(self.scene, said=said, decided=every)
        return self._judge()

    @property
    def own_ids(self) -> tuple[str, ...]:
        """The attempts of this exercise, oldest first."""
        return self._own

    def _take(self, change: AttemptChanged) -> None:
        changes, attempt = self.scene.changes, change.attempt
        known = [each.attempt.attempt_id for each in changes]
        if attempt.attempt_id in known:
            place = known.index(attempt.attempt_id)
            self.scene = replace(self.scene, changes=(*changes[:place], change, *changes[place + 1 :]))
            return
        others = {each.attempt_id for each in self.scene.other_amounts}
        # What is nobody's bill is for the same goods as what follows it.
        may_still_pay = any(
            (each.attempt.amount == attempt.amount or each.attempt.attempt_id in others)
            and not each.attempt.lets_another_start
            for each in changes
        )
        doubled = self.scene.doubled | {attempt.attempt_id} if may_still_pay else self.scene.doubled
        self.scene = replace(self.scene, changes=(*changes, change), doubled=doubled)

    def _judge(self) -> Plays:
        if self.outcome is not None:
            return ()
        slip = slip_in(self.scene)
        if slip is not None:
            self.slip, self.outcome = slip, Outcome.SLIPPED
            return ()
        return self._move_on()

    def _move_on(self) -> Plays:
        plays: Plays = ()
        while self.outcome is None:
            if self.step.until(self.scene) and not self._awaits_paper:
                self._go(self._at + 1)
                self.is_again = False
            elif self.step.back_if(self.scene):
                self._go(next(at for at, each in enumerate(self._steps) if each.key == self.step.back_to))
                self.is_again = True
            else:
                break
            if self._at == len(self._steps):
                self.outcome = Outcome.RIGHT
            else:
                # What a step wanted later is not wanted when it is over already.
                plays = (*(play for play in plays if not play.after_s), *self._on_entering())
        return plays

    @property
    def _awaits_paper(self) -> bool:
        """Whether the printer still has something of an earlier exercise, before one that counts its papers."""
        counts = any(isinstance(act, Printer) for act in self.scenario.set_up)
        return counts and not self.number and bool(self.scene.terminal.printing.waiting)

    def _on_entering(self) -> Plays:
        """What belongs to the step, and on the first one of the exercise what sets it up."""
        if self.number == 1 and not self.is_again:
            return (*(Play(act) for act in self.scenario.set_up), *self.step.plays)
        return self.step.plays

    def _go(self, at: int) -> None:
        if at == len(BEFORE):
            person = self.scene.terminal.signed_in
            who = "" if person is None else person.person_id
            self.scene = replace(self.scene, began_with=who, began_z=self.scene.terminal.day.last_z)
        self._at = at
        self.scene = replace(self.scene, said=())
