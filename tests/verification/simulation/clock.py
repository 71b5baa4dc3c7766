"""The till's two clocks over true time: till time never runs back, the wall clock goes where it is pushed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from pos_app.domain.ages import Stamp
from pos_app.engine.core.clock import till_time_at_start
from tests.support.in_memory import in_memory

_SUMMER = timezone(timedelta(hours=2))
_WINTER = timezone(timedelta(hours=1))


class World:
    """True time in ms since the run began; the only thing that moves is `now`."""

    def __init__(self, wall_start: int, summer_time_ends: int | None) -> None:
        self.now = 0
        self.wall_start = wall_start
        self.summer_time_ends = summer_time_ends
        self._machines: dict[str, Machine] = {}

    def machine(self, name: str) -> Machine:
        """The one of this name: where a folder wakes on the same, it finds the same."""
        return self._machines.setdefault(name, Machine(name))

    def leave(self) -> None:
        """The play is over: nothing of it is left on this disk."""
        for machine in self._machines.values():
            machine.leave()

    def zone(self) -> timezone:
        """Of every till; in the night the clocks go back an hour is repeated."""
        if self.summer_time_ends is None:
            return UTC
        return _SUMMER if self.now < self.summer_time_ends else _WINTER


class Machine:
    """What tills stand on: it outlives their processes, and begins anew when the power comes back."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.boots = 0
        self.booted_at = 0
        self.running = 0
        """So many tills."""
        self._state: Path | None = None

    @property
    def state(self) -> Path:
        """The folder for what its user's programs keep: on a real disk, for as long as the machine is played."""
        if self._state is None:
            self._state = Path(mkdtemp(dir=in_memory()))
        return self._state

    def leave(self) -> None:
        """What it kept is gone."""
        if self._state is not None:
            rmtree(self._state, ignore_errors=True)

    def start(self, at: int) -> None:
        """A till's process: whoever starts it before the power was to come back has switched the machine on."""
        self.running += 1
        self.booted_at = min(self.booted_at, at)

    def end(self) -> None:
        """One of them is gone."""
        self.running -= 1

    def boot(self, at: int) -> None:
        """Switched on at a true time (ms)."""
        self.boots += 1
        self.booted_at = at


class SimClock:
    """The formula of engine.clock.TillClock over true time instead of the machine's."""

    def __init__(self, world: World, pushed: int, last_at: int, machine: Machine) -> None:
        self._world = world
        self._machine = machine
        self._service_lead: int | None = None
        self.pushed = pushed
        self._lead = till_time_at_start(world.wall_start + world.now + pushed, last_at) - world.now

    def now(self) -> int:
        """Till time in ms."""
        return self._world.now + self._lead

    def wall(self) -> datetime:
        """Local time with its offset, as far off as somebody pushed it."""
        world = self._world
        seconds = (world.wall_start + world.now + self.pushed) / 1000
        return datetime.fromtimestamp(seconds, world.zone())

    def stamp(self) -> Stamp:
        """The formula of engine.clock.TillClock."""
        machine, lead = self._machine, self._service_lead
        since = self._world.now - machine.booted_at
        return Stamp(f"{machine.name} boot-{machine.boots}", since, None if lead is None else since + lead)

    def service_said(self, at: int) -> None:
        """A reply told its time."""
        self._service_lead = at - (self._world.now - self._machine.booted_at)

    def true(self, till_ms: int) -> int:
        """When a till time comes, in true ms."""
        return till_ms - self._lead
