"""What happens in one run, as data: sales, people's acts, faults, crashes. A run is a pure function of it."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Kind


class Customer(msgspec.Struct, frozen=True):
    """What the customer does: (ms after the step before, the service's status it leads to), in order.

    `refused` is the code with which the service refuses this customer's initiate, for ever.
    """

    steps: tuple[tuple[int, str], ...] = ()
    refused: str = ""


class SalePlan(msgspec.Struct, frozen=True, kw_only=True):
    """A tap on Charge; customers as they act on the sale's first, second, … attempt (the last one stays).

    `retries`: how often the cashier taps again as soon as the till offers another attempt.
    """

    at: int
    kind: Kind
    amount: Decimal
    customers: tuple[Customer, ...]
    till: int = 0
    number: str = ""
    retries: int = 0
    give_up_s: float | None = None
    insists: bool = False
    """Answers rule 17's question with "another customer"."""


class Act(msgspec.Struct, frozen=True):
    """Something a person, a clock or a power cut does to a till at a time (true ms)."""

    at: int
    verb: str
    till: int = 0
    sale: int = -1
    value: int = 0


class FaultAt(msgspec.Struct, frozen=True):
    """The n-th call of a till meets a fault; `value` means what the fault says.

    With an `operation`, its n-th call: whatever is called before.
    """

    till: int
    call: int
    fault: str
    value: int = 0
    operation: str = ""


class Window(msgspec.Struct, frozen=True):
    """All calls of a till meet a fault in this time; or its disk does ("disk_full", "disk_unreadable")."""

    at: int
    until: int
    fault: str
    till: int = 0
    value: int = 0


class CrashAt(msgspec.Struct, frozen=True):
    """The till dies before or after its n-th effect (a commit or a call) and starts again `off` ms later."""

    effect: int
    after: bool
    till: int = 0
    off: int = 2_000


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides a run. Faults end at `stop_at`; then the liveness phase begins."""

    sales: tuple[SalePlan, ...]
    acts: tuple[Act, ...] = ()
    faults: tuple[FaultAt, ...] = ()
    windows: tuple[Window, ...] = ()
    crashes: tuple[CrashAt, ...] = ()
    tills: int = 1
    stop_at: int = 0
    latencies: tuple[int, ...] = (200,)
    after_restart: tuple[str, ...] = ("wait",)
    wall_start: int = 1_700_000_000_000
    summer_time_ends: int | None = None
    e1: bool = True
    e2: bool = True
    e3: bool = True
    live: bool = False
    staffed: bool = False
    """Nobody does anything at a till without having signed in (staff.py)."""
    cashiers_close: bool = False
    """Whoever is signed in may close the day."""
    origin: str = ""
    """The address of the service, where it matters."""
    one_counter: bool = False
    """All tills stand at the first counter; else each has one of its own."""
    list_cut: int = 0
    """So many rows the service lists at the most; 0: all of them."""
    list_order: str = "newest"
    list_dates: str = "inclusive"
    list_pages: str = "number"
    list_lag: int = 0
    """A row is listed so many ms after it came."""
    store: bool = False
    """All tills tell a store; its weather is among the acts (stores.py)."""
    printer: tuple[str, ...] = ()
    """The moods of each till's printer (printer.py); () for tills without one."""
    title: str = ""

    @property
    def size(self) -> int:
        """How much there is to tell."""
        parts = (self.sales, self.acts, self.faults, self.windows, self.crashes)
        return sum(len(part) for part in parts)
