"""How a cell ends: the faults are over, a quiet time, a closing; then the judge of histories looks at all of it."""

from __future__ import annotations

from tests.verification.simulation.checker import judge
from tests.verification.simulation.run import Stage


def judged(stage: Stage, *, honest: bool) -> list[str]:
    """What no invariant allows; `honest`: the service kept its word (E1, E2, E3)."""
    calm_at = max(stage.calm_at(), stage.world.now)
    history = stage.come_to_rest(calm_at, live=False, honest=honest)
    return [str(violation) for violation in judge(history)]
