"""Pictures and ledger rows as a till and a sandbox would give them, one payment at a time."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pos_app.domain.attempt import Attempt, Kind, Resolution, State
from pos_app.domain.people import Person, Role
from pos_app.domain.views import AttemptChanged, ChargeOpened, Terminal
from pos_app.training.course.acts import Play
from pos_app.training.course.run import Run
from pos_app.training.course.scenario import Scenario
from pos_app.training.course.scene import Row
from tests.support import builders

NIMALI = builders.person(1, name="Nimali", role=Role.MANAGER)
KASUN = builders.person(2, name="Kasun")
COMPLETE = Resolution("complete", "Nimali", "The customer has the goods", 9)
REFUND = Resolution("refund", "Nimali", "Refunded in cash", 9)


class Till:
    """Feeds a run; each payment is called by a name of the test's own."""

    def __init__(self, scenario: Scenario, *, signed_in: Person | None = NIMALI) -> None:
        self.terminal = Terminal(signed_in=signed_in)
        self.run = Run(scenario, self.terminal)
        self.plays: list[Play] = list(self.run.begin())
        if signed_in is not None:
            self.hear(self.run.see_clean())
        self.attempts: dict[str, Attempt] = {}
        self._rows: dict[str, Row] = {}

    def hear(self, plays: tuple[Play, ...]) -> None:
        self.plays += plays

    @property
    def step(self) -> str:
        return self.run.step.key

    def acts(self) -> list[Any]:
        """What the sandbox was to do since last asked."""
        acts, self.plays = [play.act for play in self.plays], []
        return acts

    def see_terminal(self, **changed: Any) -> None:
        given = {name: getattr(self.terminal, name) for name in Terminal.__struct_fields__}
        self.terminal = Terminal(**(given | changed))
        self.hear(self.run.see(self.terminal))

    def charge(self, name: str, amount: str, *, sale: str = "", kind: Kind = Kind.PUSH, to: str = "") -> None:
        """Opened, shown and waiting, with its row in the ledger."""
        attempt = builders.attempt(
            attempt_id=f"SBX-{name}",
            sale_id=sale or name,
            kind=kind,
            amount=Decimal(amount),
            owner=NIMALI.person_id,
        )
        self.hear(self.run.see(ChargeOpened("r", attempt.attempt_id, attempt.sale_id)))
        self.become(name, attempt, state=State.WAITING, shown=True)
        self.ledger(name, "Merchant Initiated", to)

    def become(self, name: str, attempt: Attempt | None = None, **changed: Any) -> None:
        """The till's picture of it changes."""
        it = attempt or self.attempts[name]
        it = Attempt(**({field: getattr(it, field) for field in Attempt.__struct_fields__} | changed))
        self.attempts[name] = it
        sale = builders.sale(sale_id=it.sale_id, amount=it.amount)
        self.hear(self.run.see(AttemptChanged(attempt=it, sale=sale)))

    def ledger(self, name: str, status: str, to: str = "") -> None:
        """The ledger's row of it changes."""
        before = self._rows.get(name)
        self._rows[name] = Row(f"SBX-{name}", status, to or (before.account if before else ""))
        self.hear(self.run.see_rows(tuple(self._rows.values())))

    def pay(self, name: str, state: State = State.PAID, **changed: Any) -> None:
        """The ledger first, then the till."""
        self.ledger(name, "Payment Success")
        self.become(name, state=state, **changed)
