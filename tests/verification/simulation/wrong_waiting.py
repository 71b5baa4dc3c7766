"""A till that waits for its store. No judge of one history sees it: it is looked for beside a till without a store."""

from __future__ import annotations

from pos_app.engine.shipping import Shipper
from tests.verification.simulation.planting import Planter
from tests.verification.simulation.till import SimTill


def waits_for_its_store(planter: Planter) -> None:
    """While a call is out, nothing else is done."""
    until: dict[int, int] = {}

    def turn(self: Shipper) -> int:
        wait: int = right(self)
        until[id(self)] = self.waiting > 0
        return wait

    def wake(self: SimTill, at: int, life: int) -> None:
        if self.shipper is not None and until.pop(id(self.shipper), False):
            self._schedule(at + 5_000, lambda: right_wake(self, at, life))
        else:
            right_wake(self, at, life)

    right = planter.put(Shipper, "turn", turn)
    right_wake = planter.put(SimTill, "_wake", wake)
