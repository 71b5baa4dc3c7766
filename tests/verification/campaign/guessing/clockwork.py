"""A machine's clocks: true time that nobody sets, the wall clock that anybody may, boots, and what the service said."""

from __future__ import annotations

from pos_app.domain.ages import Stamp
from pos_app.engine.core.clock import till_time_at_start
from tests.unit.engine.recorder import START, FakeClock

OLDEST_REPLY = 15_000


class Clockwork(FakeClock):
    """`ms` is till time, as a TillClock of this run has it; `true` is what a watch outside would show."""

    def __init__(self) -> None:
        super().__init__()
        self._true_at, self._ms_at = START, START
        self.set_by = 0
        """How far the wall clock is set ahead of the truth."""
        self.booted = START - 60_000

    @property
    def true(self) -> int:
        """Within a run all clocks go alike."""
        return self._true_at + self.ms - self._ms_at

    def stamp(self) -> Stamp:
        """The service's time is as old as a reply may be."""
        true = self.true
        told = true - true % OLDEST_REPLY if self.service_told else None
        return Stamp(self.boot, true - self.booted, told)

    def start_again(self, off_ms: int, last_at: int, *, reboot: bool) -> None:
        """A new run after so long: till time follows the wall clock, and the service has said nothing yet."""
        self._true_at = self.true + off_ms
        self.ms = self._ms_at = till_time_at_start(self._true_at + self.set_by, last_at)
        self.service_told = False
        if reboot:
            self.boot, self.booted = f"boot at {self._true_at}", self._true_at
