"""The engine's loop: a bug of ours stops the selling, never the asking, and never the thread."""

from __future__ import annotations

import pytest

from pos_app.domain.attempt import State
from pos_app.domain.commands import CheckNow
from pos_app.domain.views import Block
from pos_app.engine.core.mailbox import Loop, Mailbox, Message, Pulse, Stop
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.recorder import FakeClock
from tests.unit.engine.rig import AMOUNT, Rig

BUG = r"the engine met a bug"


class Failing:
    """Anything that has an engine's methods; each fails as often as it is told to."""

    def __init__(self, **failures: int) -> None:
        self.failures = failures
        self.done: list[str] = []

    def _do(self, name: str) -> None:
        self.done.append(name)
        if self.failures.get(name, 0):
            self.failures[name] -= 1
            raise RuntimeError(name)

    def start(self) -> None:
        self._do("start")

    def handle(self, event: Message) -> None:
        self._do(type(event).__name__)

    def tick(self) -> None:
        self._do("tick")

    def due_at(self) -> int | None:
        if self.failures.get("due_at", 0):
            self._do("due_at")
        return 0

    def stop_selling(self) -> None:
        self._do("stop_selling")


def run(engine: Failing) -> list[str]:
    """Two events, then Stop."""
    mailbox = Mailbox()
    for event in (CheckNow("a"), CheckNow("b"), Stop()):
        mailbox.post(event)
    Loop(mailbox, engine, FakeClock()).run()
    return engine.done


def test_the_loop_starts_handles_ticks_and_stops() -> None:
    """In this order; nothing after Stop."""
    assert run(Failing()) == ["start", "CheckNow", "tick", "CheckNow", "tick"]


@pytest.mark.expects_log(BUG)
@pytest.mark.parametrize("where", ["start", "CheckNow", "tick", "due_at"])
def test_a_bug_stops_the_selling_and_the_loop_goes_on(where: str) -> None:
    """Once for each bug met."""
    done = run(Failing(**{where: 1}))
    assert done.count("stop_selling") == 1
    assert done.count("CheckNow") == 2


@pytest.mark.expects_log(BUG)
def test_a_bug_of_the_start_stops_the_selling_before_anything_comes() -> None:
    """Nothing may come for as long as nobody does anything: the screen would say "starting" all that time."""
    assert run(Failing(start=1))[:2] == ["start", "stop_selling"]


@pytest.mark.expects_log(BUG)
def test_a_bug_in_stopping_the_selling_does_not_end_the_loop() -> None:
    """It is tried again."""
    done = run(Failing(CheckNow=1, stop_selling=1))
    assert done.count("CheckNow") == 2
    assert done.count("stop_selling") == 2


@pytest.mark.expects_log(BUG)
def test_a_bug_in_a_beat_does_not_end_the_loop() -> None:
    """Whoever watches over the thread must not be what ends it."""
    mailbox, engine = Mailbox(), Failing()

    def beat() -> None:
        raise RuntimeError("beat")

    for event in (Pulse(beat), CheckNow("a"), Stop()):
        mailbox.post(event)
    Loop(mailbox, engine, FakeClock()).run()
    assert engine.done == ["start", "tick", "stop_selling", "CheckNow", "tick"]


def test_after_a_bug_nothing_is_sold_and_the_payment_is_asked_about_again(frail: Rig) -> None:
    """The answer was lost with the bug; the attempt is taken up as after a restart."""
    attempt_id = frail.charge()
    frail.initiated()
    other = frail.charge(amount=AMOUNT + 1)
    frail.initiated()
    frail.wait(3)
    assert isinstance(frail.journal, MemoryJournal)
    frail.journal.faulty = True
    with pytest.raises(RuntimeError):
        frail.asked("Payment Success", attempt_id)
    frail.engine.stop_selling()
    frail.journal.faulty = False
    assert frail.block() is Block.ENGINE_HALTED
    assert not frail.charge(amount=AMOUNT + 2)
    frail.asked("Payment Success", other)
    assert frail.state(other) is State.PAID
    frail.wait(31)
    assert ("ask", attempt_id) in [call[:2] for call in frail.calls.made]


def test_a_bug_in_one_attempts_time_does_not_lose_anothers(frail: Rig) -> None:
    """Two are due at once; the first fails."""
    frail.charge(give_up_after_s=10)
    frail.initiated()
    frail.charge(amount=AMOUNT + 1, give_up_after_s=10)
    frail.initiated()
    frail.calls.made.clear()
    assert isinstance(frail.journal, MemoryJournal)
    frail.clock.ms += 11_000
    frail.journal.faulty = True
    with pytest.raises(RuntimeError):
        frail.engine.tick()
    frail.journal.faulty = False
    frail.engine.stop_selling()
    frail.wait(40)
    assert len({call[1] for call in frail.calls.made if call[0] == "ask"}) == 2


def test_a_bug_that_comes_back_each_time_does_not_spin(frail: Rig) -> None:
    """Whatever fails is tried again half a minute later, not at once."""
    frail.charge(give_up_after_s=10)
    frail.initiated()
    frail.calls.made.clear()
    assert isinstance(frail.journal, MemoryJournal)
    frail.journal.faulty = True
    until = frail.clock.ms + 120_000
    ticks = bugs = 0
    while (due := frail.engine.due_at()) is not None and due <= until:
        frail.clock.ms = max(due, frail.clock.ms)
        ticks += 1
        assert ticks < 200, "the engine spins"
        try:
            frail.engine.tick()
        except RuntimeError:
            bugs += 1
            frail.engine.stop_selling()
    assert 2 <= bugs <= 6
