"""The till's command line with a bug, to see that the verdict notices.

python -m tests.verification.campaign.copies.till BUG …
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from pos_app.bootstrap import journal as opening_journal
from pos_app.cli import main as cli
from pos_app.domain.effects import SendInitiate
from pos_app.domain.ids import ALPHABET
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.identity import Identity
from pos_app.journal import Journal
from tests.verification.simulation.planting import Planter


def looks_for_nothing(planter: Planter) -> None:
    """A folder that was put back never hears of the sales it has lost."""
    planter.put(Identity, "look", lambda _identity: None)


def ids_again(planter: Planter) -> None:
    """As it once was: whoever asks again for sale 2 asks by the same id, and nobody looks for it beforehand."""
    looks_for_nothing(planter)
    planter.put(Journal, "random_part", lambda _journal, length: ALPHABET[0] * length)


def any_machine(planter: Planter) -> None:
    """The journal does not notice that it was carried away."""
    planter.put(opening_journal, "machine_id", lambda: "the only machine there is")


def sends_at_start(planter: Planter) -> None:
    """What was open is sent once more by itself when the till comes back (rule 12)."""

    def start(self: Any, attempt_id: str) -> None:
        right(self, attempt_id)
        kind = self._live_payments.live(attempt_id).attempt.kind
        self._dispatcher._do(SendInitiate(attempt_id, kind, resend=True))

    right: Callable[..., Any] = planter.put(Engine, "_start", start)


BUGS = {each.__name__: each for each in (ids_again, any_machine, looks_for_nothing, sends_at_start)}

if __name__ == "__main__":
    BUGS[sys.argv.pop(1)](Planter())
    sys.exit(cli.main(sys.argv[1:]))
