"""A real verb in a process on the layer whose disk fails from the first durable commit on, or a till that ignores it.

python -m tests.verification.campaign.disk.runner PLAN [careless] -- ARGUMENTS OF POS-APP
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pos_app.cli.main import main
from pos_app.domain.record import Record
from pos_app.engine.core.live_payments import LivePayments
from tests.verification.campaign.disk import layer


def fail_at_intent(plan: str, *, careless: bool) -> None:
    """What must be durable before it may be done meets the plan; a careless till does it all the same."""
    commit = LivePayments.commit

    def planned(self: LivePayments, records: Sequence[Record]) -> bool:
        layer.fail(plan)
        if not careless:
            return commit(self, records)
        self._append(records)
        return True

    setattr(LivePayments, "commit", planned)  # noqa: B010 - to the type checker a method is no variable


if __name__ == "__main__":
    told = sys.argv[1 : sys.argv.index("--")]
    fail_at_intent(told[0], careless="careless" in told)
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :]))
