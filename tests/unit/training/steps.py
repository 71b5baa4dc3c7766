"""Pictures and ledger rows as a till and a sandbox would give them, one payment at a time."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pos_app.domain.attempt import Attempt, Environment, Kind, Resolution, State
from pos_app.domain.people import Person, Role
from pos_app.domain.sale import Sale
from pos_app.domain.views import AttemptChanged, ChargeOpened, Terminal
from pos_app.training.course.acts import Play
from pos_app.training.course.run import Run
from pos_app.training.course.scenario import Scenario
from pos_app.training.course.scene import Row

NIMALI = Person(person_id="p1", name="Nimali", role=Role.MANAGER, number_mask="•• 111", number_digest="d1")
KASUN = Person(person_id="p2", name="Kasun", role=Role.CASHIER, number_mask="•• 222", number_digest="d2")
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
        self._attempts: dict[str, Attempt] = {}
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
        attempt = Attempt(
            attempt_id=f"SBX-{name}",
            sale_id=sale or name,
            number=1,
            kind=kind,
            amount=Decimal(amount),
            currency="LKR",
            merchant_id="M",
            counter_id=1,
            environment=Environment.SANDBOX,
            owner=NIMALI.person_id,
            tapped_at=1,
            tapped_wall="2025-11-21T14:07:14+05:30",
            transaction_date_time="2025-11-21 14:07:14",
            give_up_after_ms=300_000,
        )
        self.hear(self.run.see(ChargeOpened("r", attempt.attempt_id, attempt.sale_id)))
        self.become(name, attempt, state=State.WAITING, shown=True)
        self.ledger(name, "Merchant Initiated", to)

    def become(self, name: str, attempt: Attempt | None = None, **changed: Any) -> None:
        """The till's picture of it changes."""
        it = attempt or self._attempts[name]
        it = Attempt(**({field: getattr(it, field) for field in Attempt.__struct_fields__} | changed))
        self._attempts[name] = it
        sale = Sale(
            sale_id=it.sale_id, amount=it.amount, currency="LKR", counter_id=1, owner="p1", opened_at=1
        )
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
