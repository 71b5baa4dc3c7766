"""One shop of the simulation, led by hand: real engines, the model service, a line that does what it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from heapq import heapify
from random import Random
from typing import Any, ClassVar

from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, Kind, State
from pos_app.domain.commands import Charge
from pos_app.domain.record import Record
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode
from pos_app.domain.views import (
    AttemptChanged,
    ChargeDeclined,
    ChargeOpened,
    CommandRefused,
    Published,
    SignIn,
    SignInStep,
    Terminal,
)
from tests.verification.matrix.deeds import WHO, Deeds
from tests.verification.matrix.disk import MatrixJournal
from tests.verification.matrix.ending import judged
from tests.verification.matrix.line import MatrixLine, Reading
from tests.verification.matrix.screen import Screen, Shown
from tests.verification.simulation.journal import SimJournal
from tests.verification.simulation.roll import PASSCODE
from tests.verification.simulation.run import Stage
from tests.verification.simulation.story import CrashAt, Story
from tests.verification.simulation.till import INSTALLATIONS, SimTill

NUMBER = "+94771234567"
CHOOSING = 300
"""At the first sign-in the code is followed by a passcode, which takes so long to think of (ms)."""

MakeJournal = Callable[[str, Callable[[], int]], SimJournal]


class Restarted(Exception):
    """The till died where it was to, and has started again just now."""


class Shop(Deeds, Stage):
    """`screen()` is what the first till's cashier reads now. `watched` is given every screen that is looked at."""

    watched: ClassVar[list[Screen] | None] = None

    def __init__(
        self,
        dice: Random,
        *,
        tills: int = 1,
        crash: CrashAt | None = None,
        make_journal: MakeJournal = MatrixJournal,
        first_probe: Reading | None = None,
        same_counter: bool = False,
        **told: Any,
    ) -> None:
        story = Story(
            sales=(),
            tills=tills,
            crashes=(crash,) if crash else (),
            latencies=(dice.choice((80, 200, 450)),),
            wall_start=1_700_000_000_000 + dice.randrange(10_000_000),
            **told,
        )
        super().__init__(story, SimJournal)
        self.dice = dice
        self._crash_to_come = crash is not None
        self.amount = Decimal(dice.randrange(1, 500_000)) / 100
        self._held: list[tuple[SimTill, Published]] | None = None
        self.opened: list[ChargeOpened] = []
        self.refused: list[CommandRefused] = []
        self._states: list[tuple[str, State]] = []

        self.looks: list[Screen] = []
        """As it was each time the till had just dealt with what a fault made it hear."""
        self.shown = [Shown(1) for _ in range(tills)]
        self.tills = [self._till(index, make_journal) for index in range(tills)]
        self.lines = [MatrixLine(self.world, self.schedule, story, till.index) for till in self.tills]
        self.marks: list[tuple[int, str]] = []
        """(number of the effect, what it was) of everything the first till wrote and asked."""
        self._note()
        for till, line in zip(self.tills, self.lines, strict=True):
            till.network = line
            if same_counter:
                till.config = replace(till.config, counter_id=1)
            line.looked = lambda: self.looks.append(self.screen())
            if first_probe is not None:
                line.meets("query", first_probe)
            till.boot()
        self.until(1_000)

    def _note(self) -> None:
        till, line = self.tills[0], self.lines[0]

        def written(records: Sequence[Record]) -> None:
            names = "+".join(record.kind for record in records)
            self.marks.append((till.effects, f"commit {names} {self._state(records)}"))

        if isinstance(till.journal, MatrixJournal):
            till.journal.noted = written
        line.leaving = lambda operation: self.marks.append((till.effects, operation))

    def _state(self, records: Sequence[Record]) -> str:
        return next((each.attempt.state.value for each in records if each.attempt is not None), "")

    def _till(self, index: int, make_journal: MakeJournal) -> SimTill:
        return SimTill(
            self.world,
            self.schedule,
            self.story,
            index,
            self.gateway,
            self.log,
            self._published,
            lambda _: None,
            make_journal(INSTALLATIONS[index], lambda: self.world.now),
            store=self.store,
        )

    @property
    def till(self) -> SimTill:
        """The one that meets the fault."""
        return self.tills[0]

    @property
    def line(self) -> MatrixLine:
        """Its line."""
        return self.lines[0]

    @property
    def journal(self) -> SimJournal:
        """Its journal."""
        return self.till.journal

    @property
    def disk(self) -> MatrixJournal:
        """The same, to make it fail."""
        assert isinstance(self.till.journal, MatrixJournal)
        return self.till.journal

    def stall(self, seconds: float) -> None:
        """The window hears and does nothing for a time; then everything at once."""
        self._held = []
        self.wait(seconds)
        held, self._held = self._held, None
        for till, picture in held:
            self._published(till, picture)

    def _published(self, till: SimTill, picture: Published) -> None:
        if self._held is not None:
            self._held.append((till, picture))
            return
        if self.shown[till.index].life != till.life:
            self.shown[till.index] = Shown(till.life)
        shown = self.shown[till.index]
        match picture:
            case CommandRefused():
                self.refused.append(picture)
            case AttemptChanged():
                self._note_state(picture.attempt)
                shown.changes.pop(picture.attempt.attempt_id, None)
                shown.changes[picture.attempt.attempt_id] = (picture, self.world.now)
            case ChargeOpened():
                self.opened.append(picture)
                shown.declined = None
            case ChargeDeclined():
                shown.declined = picture
            case Terminal():
                shown.terminal = picture
            case SignIn():
                shown.sign_in = picture
                if picture.step is SignInStep.CHOOSE_PASSCODE and not picture.problem:
                    self.schedule(
                        self.world.now + CHOOSING, lambda: till.tell(ChoosePasscode(Secret(PASSCODE)))
                    )

    def _note_state(self, attempt: Attempt) -> None:
        told = [state for attempt_id, state in self._states if attempt_id == attempt.attempt_id]
        if told[-1:] != [attempt.state]:
            self._states.append((attempt.attempt_id, attempt.state))

    def told_of(self, attempt_id: str, state: State) -> int:
        """How often it came to this state before the window's eyes."""
        return self._states.count((attempt_id, state))

    def screen(self, attempt_id: str = "", till: int = 0) -> Screen:
        """Of the attempt, else of the one that changed last at that till."""
        shown = self.shown[till]
        change, at = shown.of(attempt_id)
        screen = Screen(
            change=change,
            passed_s=(self.world.now - at) / 1000,
            terminal=shown.terminal,
            declined=shown.declined,
            sign_in=shown.sign_in,
            at=self.world.now,
        )
        if self.watched is not None:
            self.watched.append(screen)
        return screen

    def until(self, end: int) -> None:
        """Plays everything up to a time; a crash that was told of breaks it off once the till is back."""
        while self._crash_to_come and self._heap and self._heap[0][0] <= end:
            super().until(self._heap[0][0])
            if self.till.restarts and self.till.alive:
                self._crash_to_come = False
                raise Restarted
        super().until(end)

    def sleep(self, seconds: float) -> None:
        """The machine sleeps: what was due comes all at once when it wakes."""
        wake = self.world.now + int(seconds * 1000)
        self._heap = [(max(at, wake), number, what) for at, number, what in self._heap]
        heapify(self._heap)
        self.until(wake - 1)

    def wait(self, seconds: float) -> None:
        """Time passes, and what is due in it happens."""
        self.until(self.world.now + int(seconds * 1000))

    def wait_for(self, true: Callable[[], object], limit_s: float = 120) -> bool:
        """Until it is true, looked at each tenth of a second; whether it came to be."""
        end = self.world.now + int(limit_s * 1000)
        while not true():
            if self.world.now >= end:
                return False
            self.until(min(self.world.now + 100, end))
        return True

    def charge(self, kind: Kind, *, sale_id: str = "", till: int = 0, **told: Any) -> str:
        """A tap on a method; the attempt it became, or "" when it was declined."""
        before = len(self.opened)
        command = Charge(
            request_id=str(before + 1),
            kind=kind,
            amount=told.pop("amount", self.amount),
            who=WHO,
            wallet_number=NUMBER if kind is Kind.PUSH else "",
            sale_id=sale_id,
            **told,
        )
        self.tills[till].tell(command)
        return self.opened[-1].attempt_id if len(self.opened) > before else ""

    def waiting(self, kind: Kind) -> str:
        """A payment that the customer sees; time for the dice to choose the moment."""
        attempt_id = self.charge(kind)
        self.wait_for(lambda: self.attempt(attempt_id).shown)
        self.wait(self.dice.uniform(0, 12))
        self.wait_for(lambda: not self.line.under_way["status"])
        return attempt_id

    def pays(self, attempt_id: str, status: str = "Payment Success") -> bool:
        """The customer acts; whether the service counted it."""
        return self.gateway.move(self.world.now, attempt_id, status)

    def attempt(self, attempt_id: str) -> Attempt:
        """As the screen knows it, else as the journal does."""
        for shown in self.shown:
            if attempt_id in shown.changes:
                return shown.changes[attempt_id][0].attempt
        for till in self.tills:
            for each in till.journal.attempts():
                if each.attempt_id == attempt_id:
                    return each
        raise LookupError(f"no attempt {attempt_id!r}")

    def records(self, kind: str) -> list[dict[str, Any]]:
        """The contents of the journal's records of a kind."""
        return [each.record.content for each in self.journal.written if each.record.kind == kind]

    def initiates(self, attempt_id: str) -> int:
        """How often the bytes of an attempt have left."""
        sent = self.log.sent
        return sum(each.operation == "initiate" and each.attempt_id == attempt_id for each in sent)

    def end(self, *, honest: bool = True) -> list[str]:
        """The fault is over; a quiet time, a closing, and what the judge says of it all."""
        for line in self.lines:
            line.heal()
        return judged(self, honest=honest)
