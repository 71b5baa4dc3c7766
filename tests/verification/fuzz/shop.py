"""A shop of the simulation whose next moment is decided from outside, step by step, and which is judged at its end."""

from __future__ import annotations

from collections import deque
from decimal import Decimal

from pos_app.domain.attempt import Attempt, Kind
from tests.verification.fuzz.reference_ledger import ReferenceLedger
from tests.verification.simulation.checker import judge
from tests.verification.simulation.clock import World
from tests.verification.simulation.gateway import FINAL, SUCCESS
from tests.verification.simulation.history import History
from tests.verification.simulation.journal import SimJournal
from tests.verification.simulation.network import Network, Schedule
from tests.verification.simulation.run import Stage
from tests.verification.simulation.story import Act, Customer, SalePlan, Story
from tests.verification.simulation.till import PowerCut, SimTill

SALES = 6
NEVER = 10**15
STORY = Story(
    sales=tuple(
        SalePlan(
            at=NEVER,
            kind=Kind.PUSH if place % 2 else Kind.QR,
            amount=Decimal(place + 1) * Decimal("1.25"),
            customers=(Customer(),),
            number=f"+9477122334{place}" if place % 2 else "",
            till=place % 2,
            insists=True,
        )
        for place in range(SALES)
    ),
    tills=2,
    stop_at=NEVER,
)


class _Line(Network):
    """A till's network whose faults are laid in the way of its next calls."""

    def __init__(self, world: World, schedule: Schedule, till: int) -> None:
        super().__init__(world, schedule, STORY, till)
        self.ahead: deque[tuple[str, int]] = deque()

    def fault(self, operation: str) -> tuple[str, int]:
        """The next one laid."""
        super().fault(operation)
        found = self.ahead.popleft() if self.ahead else ("", 0)
        if found[0]:
            self.hits.append((operation, found[0]))
        return found


class _Doom:
    """Kills a till before or after one of its next commits."""

    def __init__(self, journal: SimJournal) -> None:
        self._before, self._after = journal.before, journal.after
        self._left: int | None = None
        self._late = False
        journal.before, journal.after = self.before, self.after

    def lay(self, commits: int, *, after: bool) -> None:
        """At the n-th commit from now."""
        self._left, self._late = commits, after

    def lift(self) -> None:
        """No more."""
        self._left = None

    def before(self) -> None:
        """Called by the journal."""
        self._before()
        if self._left is not None:
            self._left -= 1
            self._strike(late=False)

    def after(self) -> None:
        """Called by the journal."""
        self._after()
        self._strike(late=True)

    def _strike(self, *, late: bool) -> None:
        if self._left == 0 and self._late is late:
            self._left = None
            raise PowerCut


class Shop:
    """Two tills, six sales that may be tapped, one service; and the reference ledger beside them."""

    def __init__(self) -> None:
        self.stage = Stage(STORY, SimJournal)
        self.model = ReferenceLedger()
        self.scannable: set[str] = set()
        self.lines: list[_Line] = []
        self.dooms: list[_Doom] = []
        for index, till in enumerate(self.stage.tills):
            line = _Line(self.stage.world, self.stage.schedule, index)
            till.network = line
            self.lines.append(line)
            self.dooms.append(_Doom(till.journal))
            till.boot()

    def till_of(self, place: int) -> SimTill:
        """Where a sale is made."""
        return self.stage.tills[STORY.sales[place].till]

    def tap(self, place: int, *, again: bool, qr: bool) -> None:
        """Charge, or try again."""
        self.stage.people.charge(self.till_of(place), place, again=again, qr=qr)

    def act(self, verb: str, place: int, value: int = 0) -> None:
        """A deed of the cashier, or of somebody at the till."""
        till = self.till_of(place)
        self.stage.people.act(till, Act(self.stage.world.now, verb, till.index, place, value))

    def customer(self, attempt_id: str, status: str) -> bool:
        """What a customer does, if the code was ever on a screen; whether it counted."""
        transaction = self.stage.gateway.ledger[attempt_id]
        if transaction.kind == Kind.QR and attempt_id not in self.scannable:
            return False
        counted = self.stage.gateway.move(self.stage.world.now, attempt_id, status)
        if counted and status == SUCCESS:
            self.model.pays(attempt_id)
        return counted

    def undecided(self) -> list[str]:
        """The attempts whose customer may still do something."""
        ledger = self.stage.gateway.ledger
        return [each for each, held in ledger.items() if held.status not in FINAL]

    def wait(self, ms: int) -> None:
        """Time passes in small steps, so that a code that was on a screen for a moment is known."""
        end = self.stage.world.now + ms
        while self.stage.world.now < end:
            self.stage.until(min(end, self.stage.world.now + max(500, ms // 20)))
            self.look()

    def look(self) -> None:
        """What the screens show now."""
        self.scannable.update(each.attempt_id for each in self.attempts() if each.qr_showable)

    def attempts(self) -> list[Attempt]:
        """Of both tills."""
        return [each for till in self.stage.tills for each in till.journal.attempts()]

    def wrong_now(self) -> list[str]:
        """What contradicts the reference ledger, and what came out of an engine."""
        found = [accident for till in self.stage.tills for accident in till.accidents]
        for till in self.stage.tills:
            found += self.model.contradictions(till.journal.attempts())
        return found

    def wrong_in_the_end(self) -> list[str]:
        """Faults stop, time passes, a closing: the ledger again, and every invariant."""
        history = self._ended()
        found = self.wrong_now() + [f"{each} is lost" for each in self.model.lost(self.attempts())]
        return found + [str(each) for each in judge(history)]

    def _calm(self) -> int:
        stage = self.stage
        stage.people.at_rest = True
        for line, doom, till in zip(self.lines, self.dooms, stage.tills, strict=True):
            line.ahead.clear()
            doom.lift()
            till.journal.full = till.journal.unreadable = False
        while True:
            for till in stage.tills:
                till.boot()
            over = max(stage.world.now, *(line.faulty_until for line in self.lines))
            if over == stage.world.now and all(till.working for till in stage.tills):
                return over
            stage.until(max(over, stage.world.now + 1_000))

    def _ended(self) -> History:
        calm_at = self._calm()
        return self.stage.come_to_rest(calm_at, live=STORY.live, honest=True)
