"""The till's two clocks over true time: till time never runs back, the wall clock goes where it is pushed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

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


class SimClock:
    """The formula of engine.clock.TillClock over true time instead of the machine's."""

    def __init__(self, world: World, pushed: int, last_at: int) -> None:
        self._world = world
        self.pushed = pushed
        self._lead = max(world.wall_start + world.now + pushed, last_at) - world.now

    def now(self) -> int:
        """Till time in ms."""
        return self._world.now + self._lead

    def wall(self) -> datetime:
        """Local time with its offset, as far off as somebody pushed it."""
        world = self._world
        seconds = (world.wall_start + world.now + self.pushed) / 1000
        return datetime.fromtimestamp(seconds, world.zone())

    def true(self, till_ms: int) -> int:
        """When a till time comes, in true ms."""
        return till_ms - self._lead
