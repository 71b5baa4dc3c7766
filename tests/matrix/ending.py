"""How a cell ends: the faults are over, a quiet time, a closing; then the judge of histories looks at all of it."""

from __future__ import annotations

from tests.simulation.checker import judge
from tests.simulation.history import History
from tests.simulation.run import CLOSING, REST, SETTLE, Stage


def judged(stage: Stage, *, honest: bool) -> list[str]:
    """What no invariant allows; `honest`: the service kept its word (E1, E2, E3)."""
    calm_at = max(stage.calm_at(), stage.world.now)
    calm = stage.moments()
    stage.until(calm_at + SETTLE)
    settled = stage.moments()
    stage.until(calm_at + REST)
    closing_at = stage.world.now
    stage.close()
    stage.until(closing_at + CLOSING)
    tills = stage.tills
    history = History(
        journals={till.book.installation_id: tuple(till.book.written) for till in tills},
        held=stage.gateway.held(live=False),
        sent=tuple(stage.log.sent),
        seen=tuple(each for till in tills for each in till.seen),
        messages=tuple(stage.log.messages),
        starts=tuple(each for till in tills for each in till.starts),
        calm_at=calm_at,
        calm=calm,
        settled=settled,
        closed=stage.moments(),
        closing_at=closing_at,
        honest=honest,
        accidents=tuple(each for till in tills for each in till.accidents),
    )
    return [str(violation) for violation in judge(history)]
