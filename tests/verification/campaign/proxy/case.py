"""One case: a cell of the matrix, a fault of its row, and the circumstances. Everything follows from its number."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from tests.verification.campaign.proxy import matrix
from tests.verification.campaign.proxy.faults import Fault


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """`customer`: pays "first", within the very exchange that is hurt, or "after". `ending`: pay, reject or
    cancel. `times`: for how many requests the fault lasts. `second`: a fault of any row that strikes later,
    at the operation `at`. `impatient`: the till gives up within seconds, and the customer pays only then.
    """

    number: int
    row: int
    column: str
    kind: str
    fault: Fault
    tls: bool
    customer: str
    ending: str
    times: int
    second: Fault | None = None
    at: str = ""
    impatient: bool = False

    @property
    def cell(self) -> str:
        """Row, column and way of paying."""
        return matrix.name(self.row, self.column, self.kind)

    def __str__(self) -> str:
        how = "TLS" if self.tls else "plain"
        how += ", impatient" * self.impatient
        then = f", then {self.second.row} {self.second.name} at {self.at}" if self.second else ""
        return (
            f"case {self.number} {self.cell} ({self.fault.name}; {how}, customer {self.customer}, "
            f"{self.ending}, {self.times}x{then})"
        )


def faults_of(faults: Sequence[Fault], row: int, column: str) -> list[Fault]:
    """Those of a row that make sense at a step."""
    return [fault for fault in faults if fault.row == row and (not fault.columns or column in fault.columns)]


def case_of(faults: Sequence[Fault], number: int, cell: tuple[int, str, str]) -> Case:
    """The n-th case of a cell: its faults in turn, the circumstances by chance."""
    row, column, kind = cell
    chance = random.Random(f"{number}/{cell}")
    fitting = faults_of(faults, row, column)
    fault = fitting[number % len(fitting)]
    first = chance.random() < 0.4
    endings = {"C": ["pay", "cancel"], "S": ["pay", "pay", "pay", "cancel", "reject"]}
    ending = "pay" if first else chance.choice(endings.get(column, ["pay", "pay", "reject"]))
    times = 1 if column in ("O1", "O2") else chance.choice([1, 1, 1, 3])
    pair = column in ("S", "T", "C") and chance.random() < 0.3
    impatient = column in ("S", "T", "C") and chance.random() < 0.15
    others = [other for other in faults if other.play is not None and other.row != 40]
    return Case(
        number=number,
        row=row,
        column=column,
        kind=kind,
        fault=fault,
        tls=bool(fault.identity) or chance.random() < 0.3,
        customer="first" if first else "after",
        ending=ending,
        impatient=impatient,
        times=times,
        second=chance.choice(others) if pair else None,
        at=chance.choice(["initiate", "getstatus", "cancel"]) if pair else "",
    )
