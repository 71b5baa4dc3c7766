"""The till's two clocks over true time: till time never runs back, the wall clock goes where it is pushed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from pos_app.domain.ages import Stamp
from pos_app.engine.clock import till_time_at_start

_SUMMER = timezone(timedelta(hours=2))
_WINTER = timezone(timedelta(hours=1))


class World:
    """True time in ms since the run began; the only thing that moves is `now`."""

    def __init__(self, wall_start: int, summer_time_ends: int | None) -> None:
        self.now = 0
        self.wall_start = wall_start
        self.summer_time_ends = summer_time_ends

    def zone(self) -> timezone:
        """Of every till; in the night the clocks go back an hour is repeated."""
        if self.summer_time_ends is None:
            return UTC
        return _SUMMER if self.now < self.summer_time_ends else _WINTER


class Machine:
    """What a till stands on: it outlives the till's process, and begins anew when the power comes back."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.boots = 0
        self.booted_at = 0

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
        return Stamp(f"{machine.name}boot-{machine.boots}", since, None if lead is None else since + lead)

    def service_said(self, at: int) -> None:
        """A reply told its time."""
        self._service_lead = at - (self._world.now - self._machine.booted_at)

    def true(self, till_ms: int) -> int:
        """When a till time comes, in true ms."""
        return till_ms - self._lead
