"""Leads a learner through the course: joins the till's pictures, the sandbox and the exercise. Draws nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from pos_app.domain.people import TERMINAL
from pos_app.domain.views import Published, Terminal
from pos_app.engine.core.config import EngineConfig, Printing, Reconfigured
from pos_app.training.course import acts
from pos_app.training.course.exercises import COURSE
from pos_app.training.course.progress import Learner
from pos_app.training.course.run import Outcome, Plays, Run
from pos_app.training.course.scenario import Scenario
from pos_app.training.course.scene import Decision, Row
from pos_app.training.learners_file import LearnersFile
from pos_app.training.sandbox_rig import SandboxRig

SECOND_MS = 1_000
"""How long an exercise's second is."""


class Page(StrEnum):
    """What the coach shows."""

    CLOSED = "closed"
    WHO = "who"
    EXERCISES = "exercises"
    INTRO = "intro"
    STEP = "step"
    VERDICT = "verdict"


class Ways(msgspec.Struct, frozen=True):
    """What the course may do to the till beside it, and what it must know of it."""

    post: Callable[[Reconfigured], None]
    config: Callable[[], EngineConfig]
    terminal: Callable[[], Terminal]
    restart: Callable[[], None]
    printer: Callable[[bool | None], Printing | None]
    """The pretended printer at the counter, with paper or without; None: what it was before. How the engine sees it."""


class CourseState(msgspec.Struct, frozen=True):
    """Where a learner is, for a till that begins again in the middle of an exercise."""

    learner: Learner
    page: Page
    scenario: Scenario
    run: Run | None


class CourseController(QObject):
    """`changed`: another page, or another instruction. `phone_is`: the phone on the counter is this number's."""

    changed = Signal()
    phone_is = Signal(str)

    def __init__(
        self, rig: SandboxRig, learners: LearnersFile, ways: Ways, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._rig = rig
        self._learners = learners
        self._ways = ways
        self._patience: acts.Patience | None = None
        self._printing: Printing | None = None
        self._has_printer = False
        self._sheets = 0
        self.register = learners.load()
        self.learner = Learner("")
        self.page = Page.CLOSED
        self.scenario: Scenario = COURSE[0]
        self.run: Run | None = None
        self.not_kept = ""
        self.is_silent = False
        rig.rows.connect(self._take_rows)
        rig.reached.connect(self._reached)

    @property
    def is_idle(self) -> bool:
        """Whether the sandbox has done all that it was asked for."""
        return self._rig.is_idle

    def open(self) -> None:
        """Who is learning is asked first: whoever had left it may have gone."""
        self._show(Page.WHO)

    def state(self) -> CourseState:
        """For `go_on`."""
        return CourseState(self.learner, self.page, self.scenario, self.run)

    def go_on(self, state: CourseState) -> None:
        """With what a till that has ended was in the middle of."""
        self.learner, self.page = state.learner, state.page
        self.scenario, self.run = state.scenario, state.run
        if self.run is not None and self.page is Page.STEP:
            self._do(self.run.see_restart(self._ways.terminal()))
        self._follow()

    def begin(self, name: str) -> None:
        """This learner, new or known, goes on with the first exercise not yet done right."""
        self.learner = self.register.of(name)
        self.register = self.register.first(self.learner)
        self._keep()
        self._show(Page.EXERCISES)

    def choose(self, key: str) -> None:
        """One exercise, to read what it teaches."""
        self.scenario = next(each for each in COURSE if each.key == key)
        self._show(Page.INTRO)

    def start(self) -> None:
        """Begins the chosen exercise, or begins it again."""
        self.run = Run(self.scenario, self._ways.terminal())
        self.page = Page.STEP
        self._do(self.run.begin())
        self._follow()

    def decide(self, decision: Decision) -> None:
        """What becomes of the goods."""
        if self.run is not None:
            self._do(self.run.decide(decision))
            self._follow()

    def next(self) -> None:
        """The exercise after this one that was not done right yet; all of them when there is none."""
        place = COURSE.index(self.scenario)
        marks = self.learner.marks
        for each in (*COURSE[place + 1 :], *COURSE[:place]):
            if each.key not in marks or marks[each.key].outcome is not Outcome.RIGHT:
                self.choose(each.key)
                return
        self.list()

    def list(self) -> None:
        """All exercises; one that is on ends here."""
        self._end()
        self._show(Page.EXERCISES)

    def leave(self) -> None:
        """The course is closed; the till and the phone stay."""
        self._end()
        self._show(Page.CLOSED)

    def take(self, published: Published) -> None:
        """A picture of the till."""
        if self.run is not None and self.page is Page.STEP:
            self._do(self.run.see(published))
            self._follow()

    def take_paper(self, sheets: int) -> None:
        """So many whole sheets hang from the printer; fewer once somebody has torn them off."""
        more, self._sheets = sheets - self._sheets, sheets
        if more > 0 and self.run is not None and self.page is Page.STEP:
            self._do(self.run.see_paper(more))
            self._follow()

    def hold_on(self) -> None:
        """The till's settings have changed: what the exercise put in their place stays there."""
        if self._patience is not None or self._has_printer:
            self._set_till("payment.give_up_s" if self._patience is not None else "printer.kind")

    def stop(self) -> None:
        """Ends with the till."""
        self._rig.stop()

    def _take_rows(self, rows: tuple[Row, ...]) -> None:
        if self.run is not None and self.page is Page.STEP:
            self._do(self.run.see_rows(rows))
            self._follow()

    def _reached(self, answers: bool) -> None:
        self.is_silent = not answers
        self.changed.emit()

    def _follow(self) -> None:
        """Keeps the result when there is one, and shows what is new."""
        run = self.run
        if run is None:
            return
        self._rig.watch(run.own_ids)
        if run.outcome is not None and self.page is Page.STEP:
            at = datetime.now().astimezone().isoformat(timespec="seconds")
            self.register = self.register.marked(self.learner.name, self.scenario.key, run.outcome, at)
            self.learner = self.register.of(self.learner.name)
            self._keep()
            self._end()
            self.page = Page.VERDICT
        self.changed.emit()

    def _end(self) -> None:
        """Nothing of an exercise is left at the sandbox or in the till's settings."""
        if self.page is not Page.STEP:
            return
        self._rig.watch(())
        self._rig.clean_up(lambda: None)
        self.phone_is.emit("")
        self._be_patient(None)
        if self._has_printer:
            self._stand_printer(None)

    def _show(self, page: Page) -> None:
        self.page = page
        self.changed.emit()

    def _keep(self) -> None:
        self.not_kept = self._learners.save(self.register)

    def _do(self, plays: Plays) -> None:
        run = self.run
        for play in plays:
            if not play.after_s:
                self._act(play.act)
                continue

            def later(act: acts.Act = play.act, step: object = run and run.step) -> None:
                if self.run is run and run is not None and run.step is step and self.page is Page.STEP:
                    self._act(act)

            QTimer.singleShot(round(play.after_s * SECOND_MS), self, later)

    def _is_clean(self, run: Run | None) -> None:
        if run is not None and run is self.run and self.page is Page.STEP:
            self._do(run.see_clean())
            self._follow()

    def _act(self, act: acts.Act) -> None:
        run = self.run
        match act:
            case acts.Customer(verb, who):
                attempt = run.scene.last_of(who) if run is not None else None
                if attempt is not None:
                    self._rig.customer(attempt.attempt_id, verb)
            case acts.Trusting(attempt_id):
                asked = [each.attempt_id for each in run.scene.unnoticed] if run is not None else []
                if attempt_id in asked:
                    self._rig.customer(attempt_id, "approve")
            case acts.Break(fault):
                self._rig.break_(fault)
            case acts.Mend():
                self._rig.mend()
            case acts.CleanUp():
                self._be_patient(None)
                self._rig.clean_up(lambda: self._is_clean(run))
            case acts.Patience():
                self._be_patient(act)
            case acts.PhoneNumber(number):
                self.phone_is.emit(number)
            case acts.Restart():
                self._ways.restart()
            case acts.Printer(paper):
                self._stand_printer(paper)

    def _be_patient(self, patience: acts.Patience | None) -> None:
        """The till's own waiting times, or an exercise's."""
        if patience != self._patience:
            self._patience = patience
            self._set_till("payment.give_up_s")

    def _stand_printer(self, paper: bool | None) -> None:
        """A printer that prints each receipt; None: the exercise is over."""
        self._has_printer = paper is not None
        self._printing = self._ways.printer(paper)
        self._set_till("printer.kind")

    def _set_till(self, changed: str) -> None:
        """Its own settings, with what the exercise needs in their place."""
        config, patience = self._ways.config(), self._patience
        if patience is not None:
            rules = replace(
                config.rules, extension=0, unresolved_after_give_up=patience.unresolved_s * SECOND_MS
            )
            config = replace(config, give_up_after_ms=patience.give_up_s * SECOND_MS, rules=rules)
        config = replace(config, printing=self._printing or config.printing)
        self._ways.post(Reconfigured(config=config, who=TERMINAL, changed=(changed,)))
