"""The journal of a matrix's till: the simulation's, which can also be refused by the disk in each of its ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pos_app.domain.record import Record
from pos_app.journal import JournalTrouble, Trouble
from tests.verification.simulation.journal import SimJournal


def _nothing(_records: Sequence[Record]) -> None:
    pass


class MatrixJournal(SimJournal):
    """`trouble`: what each write meets; `reads_too`: each read as well. `noted` hears of every commit."""

    def __init__(self, installation_id: str, now: Callable[[], int]) -> None:
        super().__init__(installation_id, now)
        self.trouble: Exception | None = None
        self.reads_too = False
        self.refusals = 0
        self.noted: Callable[[Sequence[Record]], None] = _nothing

    def fails(self, trouble: Trouble, detail: str, *, reads_too: bool = False) -> None:
        """From now on."""
        self.trouble = JournalTrouble(trouble, detail)
        self.reads_too = reads_too

    def recovers(self) -> None:
        """The disk is as it should be."""
        self.trouble = None
        self.reads_too = False

    def append(self, records: Sequence[Record]) -> int:
        """All or nothing."""
        if self.trouble is not None:
            self.refusals += 1
            raise self.trouble
        seq = super().append(records)
        self.noted(records)
        return seq

    def _readable(self) -> None:
        if self.trouble is not None and self.reads_too:
            raise self.trouble
        super()._readable()
